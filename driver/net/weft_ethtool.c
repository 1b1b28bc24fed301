// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <linux/ethtool.h>

#include "weft_netdev.h"

/* Order of the counters in room STATS; see enum stat of the programming model. */
static const char weft_stat_names[][ETH_GSTRING_LEN] = {
	WEFT_STAT_NAMES
};

int weft_core_n_stats(void)
{
	return ARRAY_SIZE(weft_stat_names);
}
EXPORT_SYMBOL_GPL(weft_core_n_stats);

const char *weft_core_stat_name(int i)
{
	return weft_stat_names[i];
}
EXPORT_SYMBOL_GPL(weft_core_stat_name);

int weft_core_stats(struct weft_core *core, u64 *values, int n)
{
	struct weft_admin_msg msg = {};
	int rc;

	n = min_t(int, n, ARRAY_SIZE(weft_stat_names));
	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_STATS);
	rc = weft_admin_read(core, &msg, values, n);
	return rc ? rc : n;
}
EXPORT_SYMBOL_GPL(weft_core_stats);

static void weft_get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	u32 v = weft_core_fw_version(nd->core);

	strscpy(info->driver, WEFT_DRV_NAME, sizeof(info->driver));
	strscpy(info->bus_info, pci_name(nd->core->pdev), sizeof(info->bus_info));
	snprintf(info->fw_version, sizeof(info->fw_version), "%u.%u.%u", v >> 24, v >> 16 & 0xff,
		 v & 0xffff);
}

/* ---- rings ---- */

static void weft_get_ringparam(struct net_device *netdev, struct ethtool_ringparam *ring,
			       struct kernel_ethtool_ringparam *kernel_ring,
			       struct netlink_ext_ack *extack)
{
	struct weft_netdev *nd = netdev_priv(netdev);

	ring->rx_max_pending = 1 << WEFT_L2_RING_LOG2_MAX;
	ring->tx_max_pending = 1 << WEFT_L2_RING_LOG2_MAX;
	ring->rx_pending = 1 << nd->rx_log2;
	ring->tx_pending = 1 << nd->tx_log2;
}

/* sizes are rounded up to powers of two */
static int weft_set_ringparam(struct net_device *netdev, struct ethtool_ringparam *ring,
			      struct kernel_ethtool_ringparam *kernel_ring,
			      struct netlink_ext_ack *extack)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	u32 least = 1 << WEFT_L2_RING_LOG2_MIN, tx, rx;
	int rc;

	tx = order_base_2(max(ring->tx_pending, least));
	rx = order_base_2(max(ring->rx_pending, least));
	rc = weft_netdev_change(nd, netdev->mtu, tx, rx);
	if (rc) {
		NL_SET_ERR_MSG_MOD(extack, "the rings stay as they are");
		return rc;
	}
	nd->tx_log2 = tx;
	nd->rx_log2 = rx;
	return 0;
}

/* One interrupt for both directions. */
static void weft_get_channels(struct net_device *netdev, struct ethtool_channels *channels)
{
	channels->max_combined = 1;
	channels->combined_count = 1;
}

/* ---- receive scaling: Toeplitz over addresses and, of TCP and UDP, ports ---- */

static int weft_get_rxnfc(struct net_device *netdev, struct ethtool_rxnfc *info, u32 *rules)
{
	switch (info->cmd) {
	case ETHTOOL_GRXRINGS:
		info->data = 1;
		return 0;
	case ETHTOOL_GRXFH:
		info->data = 0;
		switch (info->flow_type) {
		case TCP_V4_FLOW:
		case UDP_V4_FLOW:
		case TCP_V6_FLOW:
		case UDP_V6_FLOW:
			info->data = RXH_L4_B_0_1 | RXH_L4_B_2_3;
			fallthrough;
		case IPV4_FLOW:
		case IPV6_FLOW:
			info->data |= RXH_IP_SRC | RXH_IP_DST;
		}
		return 0;
	}
	return -EOPNOTSUPP;
}

static u32 weft_get_rxfh_key_size(struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);

	return weft_can_offload(nd) ? sizeof(nd->hash_key) : 0;
}

static u32 weft_get_rxfh_indir_size(struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);

	return weft_can_offload(nd) ? sizeof(nd->hash_table) : 0;
}

static int weft_get_rxfh(struct net_device *netdev, struct ethtool_rxfh_param *rxfh)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	int i;

	rxfh->hfunc = ETH_RSS_HASH_TOP;
	if (rxfh->key)
		memcpy(rxfh->key, nd->hash_key, sizeof(nd->hash_key));
	for (i = 0; rxfh->indir && i < ARRAY_SIZE(nd->hash_table); i++)
		rxfh->indir[i] = nd->hash_table[i];
	return 0;
}

static int weft_set_rxfh(struct net_device *netdev, struct ethtool_rxfh_param *rxfh,
			 struct netlink_ext_ack *extack)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	int i;

	if (!weft_can_offload(nd) ||
	    (rxfh->hfunc != ETH_RSS_HASH_NO_CHANGE && rxfh->hfunc != ETH_RSS_HASH_TOP))
		return -EOPNOTSUPP;
	if (rxfh->key)
		memcpy(nd->hash_key, rxfh->key, sizeof(nd->hash_key));
	for (i = 0; rxfh->indir && i < ARRAY_SIZE(nd->hash_table); i++)
		nd->hash_table[i] = rxfh->indir[i];
	return weft_netdev_scaling(nd);
}

/* ---- counters: the card's, the driver's own, then the MAC's ---- */

static const char weft_own_stat_names[][ETH_GSTRING_LEN] = {
	"rx_no_memory",
	"tx_timeouts",
	"events_lost",
};

static int weft_get_sset_count(struct net_device *netdev, int set)
{
	struct weft_netdev *nd = netdev_priv(netdev);

	if (set == ETH_SS_TEST && weft_has_mac(nd))
		return weft_mac_n_tests();
	if (set != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return ARRAY_SIZE(weft_stat_names) + ARRAY_SIZE(weft_own_stat_names) +
	       weft_mac_n_strings(nd);
}

static void weft_get_strings(struct net_device *netdev, u32 set, u8 *data)
{
	struct weft_netdev *nd = netdev_priv(netdev);

	if (set == ETH_SS_TEST && weft_has_mac(nd))
		weft_mac_test_strings(data);
	if (set != ETH_SS_STATS)
		return;
	memcpy(data, weft_stat_names, sizeof(weft_stat_names));
	memcpy(data + sizeof(weft_stat_names), weft_own_stat_names, sizeof(weft_own_stat_names));
	weft_mac_strings(nd, data + sizeof(weft_stat_names) + sizeof(weft_own_stat_names));
}

static void weft_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats,
				   u64 *data)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	u64 *own = data + ARRAY_SIZE(weft_stat_names);

	if (weft_core_stats(nd->core, data, weft_core_n_stats()) < 0)
		memset(data, 0, sizeof(*data) * ARRAY_SIZE(weft_stat_names));
	own[0] = nd->rx_no_memory;
	own[1] = nd->tx_timeouts;
	own[2] = atomic64_read(&nd->core->lost_events);
	weft_mac_values(nd, own + ARRAY_SIZE(weft_own_stat_names));
}

/*
 * What the core counts of IEEE 802.3 clause 30 where no MAC can be asked; the rest stays "not counted". Of PAUSE and by sizes
 * (eth-ctrl, rmon) it counts nothing. FCS errors stand together with frames too long or too short.
 */
static void weft_get_eth_mac_stats(struct net_device *netdev, struct ethtool_eth_mac_stats *mac)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	int n = WEFT_STAT_COUNT;
	u64 *v;

	if (weft_has_mac(nd)) {
		weft_mac_eth_stats(nd, mac);
		return;
	}
	if (weft_stats_src(mac) != ETHTOOL_MAC_STATS_SRC_AGGREGATE &&
	    weft_stats_src(mac) != ETHTOOL_MAC_STATS_SRC_EMAC)
		return;
	v = kcalloc(n, sizeof(*v), GFP_KERNEL);
	if (v && weft_core_stats(nd->core, v, n) == n) {
		mac->FramesTransmittedOK = v[WEFT_STAT_eth_tx_frames];
		mac->FramesReceivedOK = v[WEFT_STAT_eth_rx_frames];
		mac->FramesLostDueToIntMACRcvError = v[WEFT_STAT_eth_rx_drop_full];
	}
	kfree(v);
}

/* ---- link ---- */

/*
 * A MAC says its rate, and the module in front of it what it can do at that; 512 bits at 250 MHz carry 100 Gb/s, a card without
 * a MAC reports what its width stands for.
 */
static int weft_get_link_ksettings(struct net_device *netdev, struct ethtool_link_ksettings *ks)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	bool alive = netif_device_present(netdev) && !weft_core_dead(nd->core);
	u32 width = alive ? weft_rd(nd->core, WEFT_REG_CAP_DATA_W) : 0, rate;

	ethtool_link_ksettings_zero_link_mode(ks, supported);
	ethtool_link_ksettings_zero_link_mode(ks, advertising);
	rate = weft_has_mac(nd) ? alive ? weft_mac_speed(nd) : SPEED_UNKNOWN :
	       width >= 512 ? SPEED_100000 : width >= 128 ? SPEED_10000 : SPEED_1000;
	ks->base.speed = netif_carrier_ok(netdev) ? rate : SPEED_UNKNOWN;
	ks->base.duplex = DUPLEX_FULL;
	ks->base.autoneg = AUTONEG_DISABLE;
	ks->base.port = PORT_OTHER;
	if (alive)
		weft_module_ksettings(nd, rate, ks);
	return 0;
}

#include "weft_ethtool_ops.h" /* of other kernels; not in the tree */

/* Not here, so that ethtool says so: coalescing (the card arms an interrupt once, nothing delays it). */
#define WEFT_ETHTOOL_OPS \
	.get_drvinfo = weft_get_drvinfo, \
	.get_link = ethtool_op_get_link, \
	.get_ringparam = weft_get_ringparam, \
	.set_ringparam = weft_set_ringparam, \
	.get_channels = weft_get_channels, \
	.get_rxnfc = weft_get_rxnfc, \
	.get_rxfh_key_size = weft_get_rxfh_key_size, \
	.get_rxfh_indir_size = weft_get_rxfh_indir_size, \
	.get_rxfh = weft_get_rxfh, \
	.set_rxfh = weft_set_rxfh, \
	.get_eth_mac_stats = weft_get_eth_mac_stats, \
	.get_sset_count = weft_get_sset_count, \
	.get_strings = weft_get_strings, \
	.get_ethtool_stats = weft_get_ethtool_stats, \
	.get_link_ksettings = weft_get_link_ksettings, \
	.get_ts_info = ethtool_op_get_ts_info

const struct ethtool_ops weft_ethtool_ops = {
	WEFT_ETHTOOL_OPS,
};

/* With a MAC that can be asked; without one PAUSE, too, is "not supported". */
const struct ethtool_ops weft_ethtool_mac_ops = {
	WEFT_ETHTOOL_OPS,
	.get_pauseparam = weft_get_pauseparam,
	.set_pauseparam = weft_set_pauseparam,
	.get_pause_stats = weft_get_pause_stats,
	.get_eth_phy_stats = weft_get_eth_phy_stats,
	.get_eth_ctrl_stats = weft_get_eth_ctrl_stats,
	.get_rmon_stats = weft_get_rmon_stats,
	.self_test = weft_self_test,
	.get_module_info = weft_get_module_info,
	.get_module_eeprom = weft_get_module_eeprom,
	.get_module_eeprom_by_page = weft_get_module_eeprom_by_page,
};
