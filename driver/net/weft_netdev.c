// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The network device: up and down, changes while it runs, what it tells the RDMA driver.
 */
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/rtnetlink.h>
#include <net/rtnetlink.h>

#include "weft_netdev.h"

static irqreturn_t weft_l2_irq(int irq, void *data)
{
	struct weft_netdev *nd = data;

	napi_schedule_irqoff(&nd->napi);
	return IRQ_HANDLED;
}

static void weft_refill_timer(struct timer_list *t)
{
	struct weft_netdev *nd = from_timer(nd, t, refill);

	napi_schedule(&nd->napi);
}

/* Address filter, and the MTU that the card announces to peers that connect. */
static int weft_filter(struct weft_netdev *nd)
{
	struct net_device *netdev = nd->netdev;
	struct weft_admin_msg msg = {};
	u32 flags = (netdev->flags & IFF_PROMISC ? 1 : 0) |
		    (netdev->flags & IFF_ALLMULTI || !netdev_mc_empty(netdev) ? 2 : 0);

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_MAC_SET);
	ether_addr_copy(WEFT_BYTES(msg.cmd, ADMIN_L2_DMAC), netdev->dev_addr);
	WEFT_PUT(msg.cmd, ADMIN_L2_FLAGS, flags);
	WEFT_PUT(msg.cmd, ADMIN_L2_MTU, READ_ONCE(netdev->mtu));
	return weft_admin_exec(nd->core, &msg);
}

/* ---- up and down, under rtnl ---- */

static int weft_start_rings(struct weft_netdev *nd)
{
	struct net_device *netdev = nd->netdev;
	int irq = pci_irq_vector(nd->core->pdev, WEFT_VEC_L2);
	struct weft_rings *r;
	int rc;

	if (weft_core_dead(nd->core))
		return -EIO;
	r = weft_rings_alloc(nd, netdev->mtu, nd->tx_log2, nd->rx_log2);
	if (IS_ERR(r))
		return PTR_ERR(r);
	rc = request_irq(irq, weft_l2_irq, 0, "weft-l2", nd);
	if (rc)
		goto err_rings;
	rc = weft_filter(nd);
	if (rc)
		goto err_irq;
	rc = weft_rings_start(nd, r);
	if (rc)
		goto err_irq;
	weft_netdev_link(nd->core);
	return 0;

err_irq:
	free_irq(irq, nd);
err_rings:
	weft_rings_free(nd, r);
	return rc;
}

static void weft_stop_rings(struct weft_netdev *nd)
{
	if (!nd->r)
		return;
	weft_rings_stop(nd);
	free_irq(pci_irq_vector(nd->core->pdev, WEFT_VEC_L2), nd);
	weft_rings_free(nd, nd->r);
	nd->r = NULL;
	weft_netdev_link(nd->core); /* no rings: no carrier */
}

static int weft_open(struct net_device *netdev)
{
	return weft_start_rings(netdev_priv(netdev));
}

static int weft_stop(struct net_device *netdev)
{
	weft_stop_rings(netdev_priv(netdev));
	return 0;
}

/* ---- changes, under rtnl ---- */

/* The old rings go on; a card that takes neither them nor new ones is no card. */
static void weft_rings_back(struct weft_netdev *nd, struct weft_rings *old)
{
	weft_rx_fill(nd, old, GFP_KERNEL); /* out of its own pool: these were its pages */
	if (!weft_rings_start(nd, old))
		return;
	weft_core_quiesce(nd->core, "it does not take its rings back");
	nd->r = old;
	napi_enable(&nd->napi); /* weft_stop_rings disables it */
}

/*
 * Other rings while the interface runs. They are made first, so that short memory changes nothing;
 * when the card refuses them the old ones go on.
 *
 * Return: 0 or -errno, and then all is as before, or the card is dead.
 */
int weft_netdev_change(struct weft_netdev *nd, u32 mtu, u32 tx_log2, u32 rx_log2)
{
	struct weft_rings *r, *old = nd->r;
	int rc;

	if (!old)
		return 0; /* the next weft_start_rings */
	if (weft_core_dead(nd->core))
		return -EIO;
	r = weft_rings_alloc(nd, mtu, tx_log2, rx_log2);
	if (IS_ERR(r))
		return PTR_ERR(r);
	weft_rings_stop(nd);
	rc = weft_rings_start(nd, r);
	if (rc) {
		weft_rings_back(nd, old);
		weft_rings_free(nd, r);
		return rc;
	}
	weft_rings_free(nd, old);
	return 0;
}

static int weft_change_mtu(struct net_device *netdev, int mtu)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	int rc = weft_netdev_change(nd, mtu, nd->tx_log2, nd->rx_log2);

	if (rc)
		return rc;
	WRITE_ONCE(netdev->mtu, mtu);
	schedule_work(&nd->filter_work); /* what the card announces */
	weft_client_note(nd->core, WEFT_NOTE_PORT);
	return 0;
}

/*
 * Gives the card the settings of receive scaling, at once or with the next rings. Under rtnl.
 *
 * Return: 0, or -EBUSY when transmit stands still (they go with the next rings then).
 */
int weft_netdev_scaling(struct weft_netdev *nd)
{
	int tries;

	if (!nd->r || weft_core_dead(nd->core))
		return 0;
	for (tries = 0; tries < 1000; tries++) {
		struct weft_ring *tx = &nd->r->tx;
		bool done;

		netif_tx_lock_bh(nd->netdev);
		done = (u16)(tx->pi - READ_ONCE(tx->ci)) <= weft_ring_mask(tx);
		if (done)
			weft_tx_scaling(nd, nd->r);
		netif_tx_unlock_bh(nd->netdev);
		if (done)
			return 0;
		usleep_range(1000, 2000);
	}
	return -EBUSY;
}

static int weft_set_features(struct net_device *netdev, netdev_features_t features)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	netdev_features_t changed = features ^ netdev->features;
	int rc;

	if (changed & NETIF_F_HW_VLAN_CTAG_RX) {
		nd->strip = !nd->strip;
		rc = weft_netdev_change(nd, netdev->mtu, nd->tx_log2, nd->rx_log2);
		if (rc) {
			nd->strip = !nd->strip;
			return rc;
		}
	}
	if (changed & NETIF_F_RXHASH) {
		nd->hash_types = features & NETIF_F_RXHASH ? WEFT_HASH_TYPES : 0;
		weft_netdev_scaling(nd); /* or with the next rings; the driver shows no hash from now on */
	}
	return 0;
}

static int weft_set_mac(struct net_device *netdev, void *addr)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	int rc = eth_mac_addr(netdev, addr);

	if (rc)
		return rc;
	weft_client_note(nd->core, WEFT_NOTE_PORT);
	return nd->r ? weft_filter(nd) : 0;
}

/* called under a spin lock; the command sleeps */
static void weft_filter_work(struct work_struct *work)
{
	struct weft_netdev *nd = container_of(work, struct weft_netdev, filter_work);

	rtnl_lock();
	if (nd->r && !weft_core_dead(nd->core) && weft_filter(nd))
		netdev_warn(nd->netdev, "the address filter was not set\n");
	rtnl_unlock();
}

static void weft_set_rx_mode(struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);

	schedule_work(&nd->filter_work);
}

/* Transmit stands still: a dead card, or rings that lost their way. */
static void weft_reset_work(struct work_struct *work)
{
	struct weft_netdev *nd = container_of(work, struct weft_netdev, reset_work);
	const char *why;

	rtnl_lock();
	if (nd->r && !weft_core_dead(nd->core)) {
		why = weft_core_trouble(nd->core);
		if (why)
			weft_core_quiesce(nd->core, why);
		else if (weft_netdev_change(nd, nd->r->mtu, nd->r->tx.log2, nd->r->rx.log2))
			netdev_warn(nd->netdev, "no new rings after a time-out\n");
	}
	rtnl_unlock();
}

static void weft_tx_timeout(struct net_device *netdev, unsigned int queue)
{
	struct weft_netdev *nd = netdev_priv(netdev);

	nd->tx_timeouts++;
	schedule_work(&nd->reset_work);
}

static const struct net_device_ops weft_netdev_ops = {
	.ndo_open = weft_open,
	.ndo_stop = weft_stop,
	.ndo_start_xmit = weft_xmit,
	.ndo_features_check = weft_features_check,
	.ndo_set_features = weft_set_features,
	.ndo_change_mtu = weft_change_mtu,
	.ndo_set_mac_address = weft_set_mac,
	.ndo_set_rx_mode = weft_set_rx_mode,
	.ndo_tx_timeout = weft_tx_timeout,
	.ndo_validate_addr = eth_validate_addr,
};

/* ---- what the rest of the driver asks for ---- */

void weft_netdev_dead(struct weft_core *core)
{
	mutex_lock(&core->netdev_lock);
	if (core->netdev && weft_core_dead(core)) {
		netif_carrier_off(core->netdev);
		netif_tx_disable(core->netdev);
	}
	mutex_unlock(&core->netdev_lock);
}

/* After an event, and when one may have been missed: the register tells, so the last look is right. */
void weft_netdev_link(struct weft_core *core)
{
	struct weft_netdev *nd;

	mutex_lock(&core->netdev_lock);
	if (core->netdev) {
		nd = netdev_priv(core->netdev);
		if (nd->r && !weft_core_dead(core) &&
		    weft_rd(core, WEFT_REG_STATUS) & WEFT_REG_STATUS_LINK_MASK)
			netif_carrier_on(core->netdev);
		else
			netif_carrier_off(core->netdev);
	}
	mutex_unlock(&core->netdev_lock);
	weft_client_note(core, WEFT_NOTE_PORT);
}

void weft_netdev_port(struct weft_core *core, struct weft_port *port)
{
	struct net_device *netdev;

	mutex_lock(&core->netdev_lock);
	netdev = core->netdev;
	if (netdev) {
		port->up = netif_running(netdev) && netif_carrier_ok(netdev) &&
			   !weft_core_dead(core);
		port->mtu = READ_ONCE(netdev->mtu);
		ether_addr_copy(port->mac, netdev->dev_addr);
	}
	mutex_unlock(&core->netdev_lock);
}

/* The card goes away under an interface that stays; its state is the administrator's. */
void weft_netdev_down(struct weft_core *core)
{
	rtnl_lock();
	netif_device_detach(core->netdev);
	weft_stop_rings(netdev_priv(core->netdev));
	rtnl_unlock();
}

int weft_netdev_up(struct weft_core *core)
{
	struct net_device *netdev = core->netdev;
	int rc = 0;

	rtnl_lock();
	if (netif_running(netdev))
		rc = weft_start_rings(netdev_priv(netdev));
	if (!rc)
		netif_device_attach(netdev);
	rtnl_unlock();
	return rc;
}

int weft_netdev_register(struct weft_core *core)
{
	struct net_device *netdev = alloc_etherdev(sizeof(struct weft_netdev));
	u32 lo = weft_rd(core, WEFT_REG_MAC_LO), hi = weft_rd(core, WEFT_REG_MAC_HI);
	u8 mac[ETH_ALEN] = { lo, lo >> 8, lo >> 16, lo >> 24, hi, hi >> 8 };
	struct weft_netdev *nd;
	int rc;

	if (!netdev)
		return -ENOMEM;
	nd = netdev_priv(netdev);
	nd->core = core;
	nd->netdev = netdev;
	nd->tx_log2 = WEFT_L2_RING_LOG2;
	nd->rx_log2 = WEFT_L2_RING_LOG2;
	INIT_WORK(&nd->filter_work, weft_filter_work);
	INIT_WORK(&nd->reset_work, weft_reset_work);
	mutex_init(&nd->module_lock);
	timer_setup(&nd->refill, weft_refill_timer, 0);
	SET_NETDEV_DEV(netdev, &core->pdev->dev);
	netdev->netdev_ops = &weft_netdev_ops;
	netdev->ethtool_ops = weft_has_mac(nd) ? &weft_ethtool_mac_ops : &weft_ethtool_ops;
	netdev->hw_features = NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_RXCSUM;
	if (weft_can_offload(nd)) {
		netdev->hw_features |= NETIF_F_TSO | NETIF_F_TSO6 | NETIF_F_TSO_ECN;
		netif_set_tso_max_size(netdev, WEFT_TSO_MAX);
		nd->strip = true;
		nd->hash_types = WEFT_HASH_TYPES;
		netdev_rss_key_fill(nd->hash_key, sizeof(nd->hash_key));
	}
	netdev->vlan_features = netdev->hw_features;
	if (weft_can_offload(nd))
		netdev->hw_features |= NETIF_F_HW_VLAN_CTAG_TX | NETIF_F_HW_VLAN_CTAG_RX |
				       NETIF_F_RXHASH;
	netdev->features = netdev->hw_features | NETIF_F_HIGHDMA;
	netdev->min_mtu = WEFT_MTU_MIN;
	netdev->max_mtu = core->caps.mtu;
	if (is_valid_ether_addr(mac))
		eth_hw_addr_set(netdev, mac);
	else
		eth_hw_addr_random(netdev);
	netif_napi_add(netdev, &nd->napi, weft_poll);
	netif_carrier_off(netdev);
	weft_mac_init(nd);
	core->netdev = netdev; /* before it can be opened: the link's events are for it */
	rc = register_netdev(netdev);
	if (rc) {
		mutex_lock(&core->netdev_lock);
		core->netdev = NULL;
		mutex_unlock(&core->netdev_lock);
		netif_napi_del(&nd->napi);
		free_netdev(netdev);
	}
	return rc;
}

void weft_netdev_unregister(struct weft_core *core)
{
	struct net_device *netdev = core->netdev;
	struct weft_netdev *nd = netdev_priv(netdev);

	unregister_netdev(netdev);
	mutex_lock(&core->netdev_lock); /* against notes and events under way */
	core->netdev = NULL;
	mutex_unlock(&core->netdev_lock);
	cancel_work_sync(&nd->filter_work);
	cancel_work_sync(&nd->reset_work);
	netif_napi_del(&nd->napi);
	free_netdev(netdev);
}
