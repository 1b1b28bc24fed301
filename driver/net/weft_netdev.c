// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The network device: one pair of rings. Transmit: one descriptor a fragment, checksum inserted by
 * the card. Receive: one page-pool buffer a frame. One interrupt, one NAPI context for both.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/interrupt.h>
#include <net/page_pool/helpers.h>

#include "weft_netdev.h"

#define WEFT_TX_STOP (MAX_SKB_FRAGS + 2)
#define WEFT_RX_HEADROOM (NET_SKB_PAD + NET_IP_ALIGN)

static u32 weft_ring_mask(u32 log2)
{
	return (1 << log2) - 1;
}

static void weft_l2_doorbell(struct weft_netdev *nd, u32 offset, u16 index, bool arm)
{
	__le64 db = 0;

	WEFT_PUT(&db, DB_QUEUE_ID, 0);
	WEFT_PUT(&db, DB_QUEUE_ARM, arm);
	WEFT_PUT(&db, DB_QUEUE_INDEX, index);
	weft_core_doorbell(nd->core, offset, &db);
}

static const __le64 *weft_l2_cqe(const struct weft_ring *r)
{
	const __le64 *cqe = r->cq + (r->cq_ci & weft_ring_mask(r->log2)) * WEFT_WORDS(L2_CQE);

	if (WEFT_GET(cqe, L2_CQE_PHASE) != !(r->cq_ci >> r->log2 & 1))
		return NULL;
	dma_rmb(); /* the body is older than the phase bit */
	return cqe;
}

/* ---- transmit ---- */

static u32 weft_tx_room(const struct weft_ring *tx)
{
	return (1 << tx->log2) - (u16)(tx->pi - tx->ci);
}

static void weft_tx_unmap(struct weft_netdev *nd, struct weft_tx_buf *b)
{
	if (b->len)
		dma_unmap_page(&nd->core->pdev->dev, b->dma, b->len, DMA_TO_DEVICE);
	b->len = 0;
}

static struct weft_tx_buf *weft_tx_put(struct weft_netdev *nd, dma_addr_t dma, u32 len)
{
	struct weft_ring *tx = &nd->tx;
	u32 i = tx->pi & weft_ring_mask(tx->log2);
	__le64 *txd = tx->desc + i * WEFT_WORDS(L2_TXD);

	memset(txd, 0, WEFT_L2_TXD_BYTES);
	WEFT_PUT(txd, L2_TXD_ADDR, dma);
	WEFT_PUT(txd, L2_TXD_LENGTH, len);
	nd->tx_buf[i].dma = dma;
	nd->tx_buf[i].len = len;
	nd->tx_buf[i].skb = NULL;
	tx->pi++;
	return &nd->tx_buf[i];
}

static int weft_tx_map(struct weft_netdev *nd, struct sk_buff *skb)
{
	struct device *dev = &nd->core->pdev->dev;
	u16 first = nd->tx.pi;
	dma_addr_t dma;
	int i;

	dma = dma_map_single(dev, skb->data, skb_headlen(skb), DMA_TO_DEVICE);
	if (dma_mapping_error(dev, dma))
		return -ENOMEM;
	weft_tx_put(nd, dma, skb_headlen(skb));
	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];

		dma = skb_frag_dma_map(dev, frag, 0, skb_frag_size(frag), DMA_TO_DEVICE);
		if (dma_mapping_error(dev, dma))
			goto err;
		weft_tx_put(nd, dma, skb_frag_size(frag));
	}
	return 0;

err:
	while (nd->tx.pi != first) {
		nd->tx.pi--;
		weft_tx_unmap(nd, &nd->tx_buf[nd->tx.pi & weft_ring_mask(nd->tx.log2)]);
	}
	return -ENOMEM;
}

static netdev_tx_t weft_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	struct weft_ring *tx = &nd->tx;
	u32 first = tx->pi & weft_ring_mask(tx->log2), last;
	__le64 *txd;

	/* frames shorter than the minimum are padded by the card */
	if (weft_tx_map(nd, skb)) {
		netdev->stats.tx_dropped++;
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}
	last = (tx->pi - 1) & weft_ring_mask(tx->log2);
	txd = tx->desc + last * WEFT_WORDS(L2_TXD);
	WEFT_PUT(txd, L2_TXD_LAST, 1);
	nd->tx_buf[last].skb = skb;
	if (skb->ip_summed == CHECKSUM_PARTIAL) {
		/* the offsets are those of the frame's first descriptor */
		txd = tx->desc + first * WEFT_WORDS(L2_TXD);
		WEFT_PUT(txd, L2_TXD_CSUM, 1);
		WEFT_PUT(txd, L2_TXD_CSUM_START, skb_checksum_start_offset(skb));
		WEFT_PUT(txd, L2_TXD_CSUM_OFFSET, skb->csum_offset);
	}
	netdev_sent_queue(netdev, skb->len);
	skb_tx_timestamp(skb);
	if (weft_tx_room(tx) < WEFT_TX_STOP) {
		netif_stop_queue(netdev);
		smp_mb(); /* against weft_tx_clean, which looks at the queue after it moved ci */
		if (weft_tx_room(tx) >= WEFT_TX_STOP)
			netif_start_queue(netdev);
	}
	weft_l2_doorbell(nd, WEFT_DB_L2_TX, tx->pi, false);
	return NETDEV_TX_OK;
}

static void weft_tx_clean(struct weft_netdev *nd, int budget)
{
	struct weft_ring *tx = &nd->tx;
	u32 mask = weft_ring_mask(tx->log2), bytes = 0, frames = 0;
	const __le64 *cqe;

	while ((cqe = weft_l2_cqe(tx))) {
		u16 end = WEFT_GET(cqe, L2_CQE_INDEX) + 1;

		if (WEFT_GET(cqe, L2_CQE_ERROR))
			nd->netdev->stats.tx_errors++;
		if ((u16)(end - tx->ci) > (u16)(tx->pi - tx->ci)) {
			netdev_err_once(nd->netdev, "transmit completion beyond the ring\n");
			break;
		}
		while (tx->ci != end) {
			struct weft_tx_buf *b = &nd->tx_buf[tx->ci & mask];

			weft_tx_unmap(nd, b);
			if (b->skb) {
				bytes += b->skb->len;
				frames++;
				napi_consume_skb(b->skb, budget);
				b->skb = NULL;
			}
			tx->ci++;
		}
		tx->cq_ci++;
	}
	nd->netdev->stats.tx_bytes += bytes;
	nd->netdev->stats.tx_packets += frames;
	netdev_completed_queue(nd->netdev, frames, bytes);
	smp_mb(); /* against weft_xmit */
	if (netif_queue_stopped(nd->netdev) && weft_tx_room(tx) >= WEFT_TX_STOP && !weft_core_dead(nd->core))
		netif_wake_queue(nd->netdev);
}

/* ---- receive ---- */

static void weft_rx_fill(struct weft_netdev *nd)
{
	struct weft_ring *rx = &nd->rx;
	u32 mask = weft_ring_mask(rx->log2);
	u16 before = rx->pi;

	while ((u16)(rx->pi - rx->ci) <= mask) {
		struct page *page = page_pool_dev_alloc_pages(nd->pool);
		__le64 *rxd = rx->desc + (rx->pi & mask) * WEFT_WORDS(L2_RXD);

		if (!page)
			break;
		nd->rx_page[rx->pi & mask] = page;
		memset(rxd, 0, WEFT_L2_RXD_BYTES);
		WEFT_PUT(rxd, L2_RXD_ADDR, page_pool_get_dma_addr(page) + WEFT_RX_HEADROOM);
		WEFT_PUT(rxd, L2_RXD_LENGTH, nd->rx_buf_len);
		rx->pi++;
	}
	if (rx->pi != before)
		weft_l2_doorbell(nd, WEFT_DB_L2_RX, rx->pi, false);
}

static struct sk_buff *weft_rx_skb(struct weft_netdev *nd, struct page *page, const __le64 *cqe)
{
	u32 len = WEFT_GET(cqe, L2_CQE_LENGTH);
	struct sk_buff *skb;

	if (len < ETH_HLEN || len > nd->rx_buf_len)
		return NULL;
	page_pool_dma_sync_for_cpu(nd->pool, page, 0, len);
	skb = napi_build_skb(page_address(page), PAGE_SIZE << nd->rx_order);
	if (!skb)
		return NULL;
	skb_mark_for_recycle(skb);
	skb_reserve(skb, WEFT_RX_HEADROOM);
	skb_put(skb, len);
	if (WEFT_GET(cqe, L2_CQE_CSUM_OK) && nd->netdev->features & NETIF_F_RXCSUM)
		skb->ip_summed = CHECKSUM_UNNECESSARY;
	skb->protocol = eth_type_trans(skb, nd->netdev);
	return skb;
}

static int weft_rx_poll(struct weft_netdev *nd, int budget)
{
	struct weft_ring *rx = &nd->rx;
	u32 mask = weft_ring_mask(rx->log2);
	const __le64 *cqe;
	int done = 0;

	while (done < budget && (cqe = weft_l2_cqe(rx))) {
		u16 index = WEFT_GET(cqe, L2_CQE_INDEX);
		struct page *page = nd->rx_page[index & mask];
		struct sk_buff *skb;

		if (index != rx->ci) {
			netdev_err_once(nd->netdev, "receive completion out of order\n");
			break;
		}
		skb = weft_rx_skb(nd, page, cqe);
		if (skb) {
			nd->netdev->stats.rx_packets++;
			nd->netdev->stats.rx_bytes += skb->len;
			napi_gro_receive(&nd->napi, skb);
		} else {
			nd->netdev->stats.rx_dropped++;
			page_pool_recycle_direct(nd->pool, page);
		}
		nd->rx_page[index & mask] = NULL;
		rx->ci++;
		rx->cq_ci++;
		done++;
	}
	weft_rx_fill(nd);
	return done;
}

static int weft_poll(struct napi_struct *napi, int budget)
{
	struct weft_netdev *nd = container_of(napi, struct weft_netdev, napi);
	int done;

	weft_tx_clean(nd, budget);
	done = weft_rx_poll(nd, budget);
	if (done < budget && napi_complete_done(napi, done)) {
		/* an entry that came meanwhile fires at once */
		weft_l2_doorbell(nd, WEFT_DB_L2_TX, nd->tx.cq_ci, true);
		weft_l2_doorbell(nd, WEFT_DB_L2_RX, nd->rx.cq_ci, true);
	}
	return done;
}

static irqreturn_t weft_l2_irq(int irq, void *data)
{
	struct weft_netdev *nd = data;

	napi_schedule_irqoff(&nd->napi);
	return IRQ_HANDLED;
}

/* ---- rings ---- */

static int weft_ring_alloc(struct weft_netdev *nd, struct weft_ring *r, u32 desc_bytes)
{
	struct device *dev = &nd->core->pdev->dev;

	r->pi = 0;
	r->ci = 0;
	r->cq_ci = 0;
	r->desc_bytes = desc_bytes << r->log2;
	r->cq_bytes = WEFT_L2_CQE_BYTES << r->log2;
	r->desc = dma_alloc_coherent(dev, r->desc_bytes, &r->desc_dma, GFP_KERNEL);
	if (!r->desc)
		return -ENOMEM;
	r->cq = dma_alloc_coherent(dev, r->cq_bytes, &r->cq_dma, GFP_KERNEL);
	if (!r->cq) {
		dma_free_coherent(dev, r->desc_bytes, r->desc, r->desc_dma);
		return -ENOMEM;
	}
	return 0;
}

static void weft_ring_free(struct weft_netdev *nd, struct weft_ring *r)
{
	struct device *dev = &nd->core->pdev->dev;

	dma_free_coherent(dev, r->desc_bytes, r->desc, r->desc_dma);
	dma_free_coherent(dev, r->cq_bytes, r->cq, r->cq_dma);
}

static int weft_rings_command(struct weft_netdev *nd, bool enable)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_L2_RING);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_ENABLE, enable);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_TX_BASE, nd->tx.desc_dma);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_RX_BASE, nd->rx.desc_dma);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_TX_CQ_BASE, nd->tx.cq_dma);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_RX_CQ_BASE, nd->rx.cq_dma);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_TX_LOG2, nd->tx.log2);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_RX_LOG2, nd->rx.log2);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_TX_VECTOR, WEFT_VEC_L2);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_RX_VECTOR, WEFT_VEC_L2);
	return weft_admin_exec(nd->core, &msg);
}

static int weft_pool_create(struct weft_netdev *nd)
{
	u32 frame = nd->netdev->mtu + ETH_HLEN + 2 * VLAN_HLEN;
	u32 need = SKB_DATA_ALIGN(WEFT_RX_HEADROOM + frame) +
		   SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	struct page_pool_params params = {
		.flags = PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV,
		.pool_size = 1 << nd->rx.log2,
		.nid = NUMA_NO_NODE,
		.dev = &nd->core->pdev->dev,
		.napi = &nd->napi,
		.dma_dir = DMA_FROM_DEVICE,
		.offset = WEFT_RX_HEADROOM,
	};

	nd->rx_order = get_order(need);
	nd->rx_buf_len = frame;
	params.order = nd->rx_order;
	params.max_len = frame;
	nd->pool = page_pool_create(&params);
	if (IS_ERR(nd->pool))
		return PTR_ERR(nd->pool);
	return 0;
}

static int weft_filter(struct weft_netdev *nd)
{
	struct net_device *netdev = nd->netdev;
	struct weft_admin_msg msg = {};
	u32 flags = (netdev->flags & IFF_PROMISC ? 1 : 0) |
		    (netdev->flags & IFF_ALLMULTI || !netdev_mc_empty(netdev) ? 2 : 0);

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_MAC_SET);
	ether_addr_copy(WEFT_BYTES(msg.cmd, ADMIN_L2_DMAC), netdev->dev_addr);
	WEFT_PUT(msg.cmd, ADMIN_L2_FLAGS, flags);
	return weft_admin_exec(nd->core, &msg);
}

static int weft_open(struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	int rc;

	if (weft_core_dead(nd->core))
		return -EIO;
	rc = weft_ring_alloc(nd, &nd->tx, WEFT_L2_TXD_BYTES);
	if (rc)
		return rc;
	rc = weft_ring_alloc(nd, &nd->rx, WEFT_L2_RXD_BYTES);
	if (rc)
		goto err_tx;
	rc = -ENOMEM;
	nd->tx_buf = kvcalloc(1 << nd->tx.log2, sizeof(*nd->tx_buf), GFP_KERNEL);
	nd->rx_page = kvcalloc(1 << nd->rx.log2, sizeof(*nd->rx_page), GFP_KERNEL);
	if (!nd->tx_buf || !nd->rx_page)
		goto err_bufs;
	rc = weft_pool_create(nd);
	if (rc)
		goto err_bufs;
	rc = request_irq(pci_irq_vector(nd->core->pdev, WEFT_VEC_L2), weft_l2_irq, 0, "weft-l2",
			 nd);
	if (rc)
		goto err_pool;
	rc = weft_rings_command(nd, true);
	if (rc)
		goto err_irq;
	rc = weft_filter(nd);
	if (rc)
		goto err_rings;
	napi_enable(&nd->napi);
	netdev_reset_queue(netdev);
	weft_rx_fill(nd);
	weft_l2_doorbell(nd, WEFT_DB_L2_TX, 0, true);
	weft_l2_doorbell(nd, WEFT_DB_L2_RX, 0, true);
	netif_start_queue(netdev);
	if (weft_rd(nd->core, WEFT_REG_STATUS) & WEFT_REG_STATUS_LINK_MASK)
		netif_carrier_on(netdev);
	return 0;

err_rings:
	if (weft_rings_command(nd, false))
		weft_core_quiesce(nd->core, "the rings of the network device did not stop");
err_irq:
	free_irq(pci_irq_vector(nd->core->pdev, WEFT_VEC_L2), nd);
err_pool:
	page_pool_destroy(nd->pool);
err_bufs:
	kvfree(nd->tx_buf);
	kvfree(nd->rx_page);
	weft_ring_free(nd, &nd->rx);
err_tx:
	weft_ring_free(nd, &nd->tx);
	return rc;
}

static int weft_stop(struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	u32 i;

	netif_tx_disable(netdev);
	netif_carrier_off(netdev);
	napi_disable(&nd->napi);
	free_irq(pci_irq_vector(nd->core->pdev, WEFT_VEC_L2), nd);
	if (weft_rings_command(nd, false))
		weft_core_quiesce(nd->core, "the rings of the network device did not stop");
	for (i = 0; i < 1 << nd->tx.log2; i++) {
		weft_tx_unmap(nd, &nd->tx_buf[i]);
		dev_kfree_skb_any(nd->tx_buf[i].skb);
	}
	for (i = 0; i < 1 << nd->rx.log2; i++)
		if (nd->rx_page[i])
			page_pool_put_full_page(nd->pool, nd->rx_page[i], false);
	page_pool_destroy(nd->pool);
	kvfree(nd->tx_buf);
	kvfree(nd->rx_page);
	weft_ring_free(nd, &nd->rx);
	weft_ring_free(nd, &nd->tx);
	return 0;
}

static int weft_change_mtu(struct net_device *netdev, int mtu)
{
	bool up = netif_running(netdev);
	int rc = 0;

	if (up)
		weft_stop(netdev);
	WRITE_ONCE(netdev->mtu, mtu);
	if (up)
		rc = weft_open(netdev);
	if (rc) /* closed now: say so to the stack, or weft_stop would free twice */
		netif_device_detach(netdev);
	return rc;
}

static int weft_set_mac(struct net_device *netdev, void *addr)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	int rc = eth_mac_addr(netdev, addr);

	if (!rc && netif_running(netdev))
		rc = weft_filter(nd);
	return rc;
}

/* called under a spin lock; the command sleeps */
static void weft_filter_work(struct work_struct *work)
{
	struct weft_netdev *nd = container_of(work, struct weft_netdev, filter_work);

	if (netif_running(nd->netdev) && weft_filter(nd) && !weft_core_dead(nd->core))
		netdev_warn(nd->netdev, "the address filter was not set\n");
}

static void weft_set_rx_mode(struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);

	schedule_work(&nd->filter_work);
}

static const struct net_device_ops weft_netdev_ops = {
	.ndo_open = weft_open,
	.ndo_stop = weft_stop,
	.ndo_start_xmit = weft_xmit,
	.ndo_change_mtu = weft_change_mtu,
	.ndo_set_mac_address = weft_set_mac,
	.ndo_set_rx_mode = weft_set_rx_mode,
	.ndo_validate_addr = eth_validate_addr,
};

void weft_netdev_dead(struct weft_core *core)
{
	mutex_lock(&core->netdev_lock);
	if (core->netdev) {
		netif_carrier_off(core->netdev);
		netif_tx_disable(core->netdev);
	}
	mutex_unlock(&core->netdev_lock);
}

void weft_netdev_link(struct weft_core *core, bool up)
{
	mutex_lock(&core->netdev_lock);
	if (core->netdev && up && netif_running(core->netdev))
		netif_carrier_on(core->netdev);
	else if (core->netdev)
		netif_carrier_off(core->netdev);
	mutex_unlock(&core->netdev_lock);
}

int weft_netdev_register(struct weft_core *core)
{
	struct net_device *netdev = alloc_etherdev(sizeof(struct weft_netdev));
	u32 lo = weft_rd(core, WEFT_REG_MAC_LO), hi = weft_rd(core, WEFT_REG_MAC_HI);
	struct weft_netdev *nd;
	u8 mac[ETH_ALEN] = { lo, lo >> 8, lo >> 16, lo >> 24, hi, hi >> 8 };
	int rc;

	if (!netdev)
		return -ENOMEM;
	nd = netdev_priv(netdev);
	nd->core = core;
	nd->netdev = netdev;
	nd->tx.log2 = WEFT_L2_RING_LOG2;
	nd->rx.log2 = WEFT_L2_RING_LOG2;
	INIT_WORK(&nd->filter_work, weft_filter_work);
	SET_NETDEV_DEV(netdev, &core->pdev->dev);
	netdev->netdev_ops = &weft_netdev_ops;
	netdev->ethtool_ops = &weft_ethtool_ops;
	netdev->hw_features = NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_RXCSUM;
	netdev->features = netdev->hw_features | NETIF_F_HIGHDMA;
	netdev->vlan_features = netdev->hw_features;
	netdev->min_mtu = ETH_MIN_MTU;
	netdev->max_mtu = core->caps.mtu;
	if (is_valid_ether_addr(mac))
		eth_hw_addr_set(netdev, mac);
	else
		eth_hw_addr_random(netdev);
	netif_napi_add(netdev, &nd->napi, weft_poll);
	netif_carrier_off(netdev);
	rc = register_netdev(netdev);
	if (rc) {
		netif_napi_del(&nd->napi);
		free_netdev(netdev);
		return rc;
	}
	core->netdev = netdev;
	return 0;
}

void weft_netdev_unregister(struct weft_core *core)
{
	struct net_device *netdev = core->netdev;
	struct weft_netdev *nd = netdev_priv(netdev);

	unregister_netdev(netdev);
	mutex_lock(&core->netdev_lock); /* events come until the queues are gone */
	core->netdev = NULL;
	mutex_unlock(&core->netdev_lock);
	cancel_work_sync(&nd->filter_work);
	netif_napi_del(&nd->napi);
	free_netdev(netdev);
}
