// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Frames. Transmit: one descriptor a fragment, checksum inserted by the card. Receive: one page-pool
 * buffer a frame. One interrupt, one NAPI context for both.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <net/page_pool/helpers.h>

#include "weft_netdev.h"

#define WEFT_CSUM_MAX U8_MAX
#define WEFT_REFILL_RETRY (HZ / 20)

void weft_l2_doorbell(struct weft_netdev *nd, u32 offset, u16 index, bool arm)
{
	__le64 db = 0;

	WEFT_PUT(&db, DB_QUEUE_ID, 0);
	WEFT_PUT(&db, DB_QUEUE_ARM, arm);
	WEFT_PUT(&db, DB_QUEUE_INDEX, index);
	weft_core_doorbell(nd->core, offset, &db);
}

static const __le64 *weft_l2_cqe(const struct weft_ring *r)
{
	const __le64 *cqe = r->cq + (r->cq_ci & weft_ring_mask(r)) * WEFT_WORDS(L2_CQE);

	if (WEFT_GET(cqe, L2_CQE_PHASE) != !(r->cq_ci >> r->log2 & 1))
		return NULL;
	dma_rmb(); /* the body is older than the phase bit */
	return cqe;
}

/* ---- transmit ---- */

static u32 weft_tx_room(const struct weft_ring *tx)
{
	return (1 << tx->log2) - (u16)(tx->pi - READ_ONCE(tx->ci));
}

void weft_tx_unmap(struct weft_netdev *nd, struct weft_tx_buf *b)
{
	if (b->len)
		dma_unmap_page(&nd->core->pdev->dev, b->dma, b->len, DMA_TO_DEVICE);
	b->len = 0;
}

static void weft_tx_put(struct weft_rings *r, dma_addr_t dma, u32 len)
{
	struct weft_ring *tx = &r->tx;
	u32 i = tx->pi & weft_ring_mask(tx);
	__le64 *txd = tx->desc + i * WEFT_WORDS(L2_TXD);

	memset(txd, 0, WEFT_L2_TXD_BYTES);
	WEFT_PUT(txd, L2_TXD_ADDR, dma);
	WEFT_PUT(txd, L2_TXD_LENGTH, len);
	r->tx_buf[i].dma = dma;
	r->tx_buf[i].len = len;
	r->tx_buf[i].skb = NULL;
	tx->pi++;
}

static int weft_tx_map(struct weft_netdev *nd, struct weft_rings *r, struct sk_buff *skb)
{
	struct device *dev = &nd->core->pdev->dev;
	u16 first = r->tx.pi;
	dma_addr_t dma;
	int i;

	dma = dma_map_single(dev, skb->data, skb_headlen(skb), DMA_TO_DEVICE);
	if (dma_mapping_error(dev, dma))
		return -ENOMEM;
	weft_tx_put(r, dma, skb_headlen(skb));
	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];

		dma = skb_frag_dma_map(dev, frag, 0, skb_frag_size(frag), DMA_TO_DEVICE);
		if (dma_mapping_error(dev, dma))
			goto err;
		weft_tx_put(r, dma, skb_frag_size(frag));
	}
	return 0;

err:
	while (r->tx.pi != first) {
		r->tx.pi--;
		weft_tx_unmap(nd, &r->tx_buf[r->tx.pi & weft_ring_mask(&r->tx)]);
	}
	return -ENOMEM;
}

/* What a descriptor cannot say is done by the stack: offsets beyond a byte, too many fragments. */
netdev_features_t weft_features_check(struct sk_buff *skb, struct net_device *netdev,
				      netdev_features_t features)
{
	if (skb->ip_summed == CHECKSUM_PARTIAL &&
	    (skb_checksum_start_offset(skb) > (int)WEFT_CSUM_MAX ||
	     skb->csum_offset > WEFT_CSUM_MAX))
		features &= ~NETIF_F_CSUM_MASK;
	if (skb_shinfo(skb)->nr_frags + 1 > WEFT_TX_MAX_DESC)
		features &= ~NETIF_F_SG;
	return features;
}

netdev_tx_t weft_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	struct weft_rings *r = nd->r;
	struct weft_ring *tx = &r->tx;
	u32 first = tx->pi & weft_ring_mask(tx), last;
	__le64 *txd;

	if (weft_tx_room(tx) < skb_shinfo(skb)->nr_frags + 1) { /* the queue should be stopped */
		netif_stop_queue(netdev);
		return NETDEV_TX_BUSY;
	}
	/* frames shorter than the minimum are padded by the card */
	if (weft_core_dead(nd->core) || weft_tx_map(nd, r, skb)) {
		netdev->stats.tx_dropped++;
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}
	last = (tx->pi - 1) & weft_ring_mask(tx);
	txd = tx->desc + last * WEFT_WORDS(L2_TXD);
	WEFT_PUT(txd, L2_TXD_LAST, 1);
	r->tx_buf[last].skb = skb;
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
	struct weft_rings *r = nd->r;
	struct weft_ring *tx = &r->tx;
	u32 mask = weft_ring_mask(tx), bytes = 0, frames = 0;
	const __le64 *cqe;

	while ((cqe = weft_l2_cqe(tx))) {
		u16 end = WEFT_GET(cqe, L2_CQE_INDEX) + 1;

		if (WEFT_GET(cqe, L2_CQE_ERROR))
			nd->netdev->stats.tx_errors++;
		if ((u16)(end - tx->ci) > (u16)(READ_ONCE(tx->pi) - tx->ci)) {
			netdev_err_once(nd->netdev, "transmit completion beyond the ring\n");
			break;
		}
		while (tx->ci != end) {
			struct weft_tx_buf *b = &r->tx_buf[tx->ci & mask];

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
	if (netif_queue_stopped(nd->netdev) && weft_tx_room(tx) >= WEFT_TX_STOP &&
	    !weft_core_dead(nd->core))
		netif_wake_queue(nd->netdev);
}

/* ---- receive ---- */

static struct sk_buff *weft_rx_skb(struct weft_netdev *nd, struct weft_rings *r, struct page *page,
				   const __le64 *cqe)
{
	u32 len = WEFT_GET(cqe, L2_CQE_LENGTH);
	struct sk_buff *skb;

	if (len < ETH_HLEN || len > r->rx_buf_len)
		return NULL;
	page_pool_dma_sync_for_cpu(r->pool, page, 0, len);
	skb = napi_build_skb(page_address(page), PAGE_SIZE << r->rx_order);
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

static void weft_rx_refill(struct weft_netdev *nd, struct weft_rings *r)
{
	u16 before = r->rx.pi;

	/* A ring that ran dry gets no interrupt any more: try again all the same. */
	if (!weft_rx_fill(nd, r, GFP_ATOMIC))
		mod_timer(&nd->refill, jiffies + WEFT_REFILL_RETRY);
	if (r->rx.pi != before)
		weft_l2_doorbell(nd, WEFT_DB_L2_RX, r->rx.pi, false);
}

static int weft_rx_poll(struct weft_netdev *nd, int budget)
{
	struct weft_rings *r = nd->r;
	struct weft_ring *rx = &r->rx;
	u32 mask = weft_ring_mask(rx);
	const __le64 *cqe;
	int done = 0;

	while (done < budget && (cqe = weft_l2_cqe(rx))) {
		u16 index = WEFT_GET(cqe, L2_CQE_INDEX);
		struct page *page = r->rx_page[index & mask];
		struct sk_buff *skb;

		if (index != rx->ci || !page) {
			netdev_err_once(nd->netdev, "receive completion out of order\n");
			break;
		}
		skb = weft_rx_skb(nd, r, page, cqe);
		if (skb) {
			nd->netdev->stats.rx_packets++;
			nd->netdev->stats.rx_bytes += skb->len;
			napi_gro_receive(&nd->napi, skb);
		} else {
			nd->netdev->stats.rx_dropped++;
			page_pool_recycle_direct(r->pool, page);
		}
		r->rx_page[index & mask] = NULL;
		rx->ci++;
		rx->cq_ci++;
		done++;
	}
	if (budget) /* netpoll has none, and is not alone in the pool */
		weft_rx_refill(nd, r);
	return done;
}

int weft_poll(struct napi_struct *napi, int budget)
{
	struct weft_netdev *nd = container_of(napi, struct weft_netdev, napi);
	int done;

	weft_tx_clean(nd, budget);
	done = weft_rx_poll(nd, budget);
	if (done < budget && napi_complete_done(napi, done)) {
		/* an entry that came meanwhile fires at once */
		weft_l2_doorbell(nd, WEFT_DB_L2_TX, nd->r->tx.cq_ci, true);
		weft_l2_doorbell(nd, WEFT_DB_L2_RX, nd->r->rx.cq_ci, true);
	}
	return done;
}
