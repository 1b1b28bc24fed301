// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The rings of the network device: made whole before the card sees them, given to the card, taken
 * back. The card answers the command that takes them back when it is done with them.
 */
#include <linux/dma-mapping.h>
#include <linux/if_vlan.h>
#include <net/page_pool/helpers.h>

#include "weft_netdev.h"

static int weft_ring_alloc(struct weft_netdev *nd, struct weft_ring *ring, u32 log2, u32 desc_bytes)
{
	struct device *dev = &nd->core->pdev->dev;

	ring->log2 = log2;
	ring->desc_bytes = desc_bytes << log2;
	ring->cq_bytes = WEFT_L2_CQE_BYTES << log2;
	ring->desc = dma_alloc_coherent(dev, ring->desc_bytes, &ring->desc_dma, GFP_KERNEL);
	if (!ring->desc)
		return -ENOMEM;
	ring->cq = dma_alloc_coherent(dev, ring->cq_bytes, &ring->cq_dma, GFP_KERNEL);
	return ring->cq ? 0 : -ENOMEM;
}

static void weft_ring_free(struct weft_netdev *nd, struct weft_ring *ring)
{
	struct device *dev = &nd->core->pdev->dev;

	if (ring->desc)
		dma_free_coherent(dev, ring->desc_bytes, ring->desc, ring->desc_dma);
	if (ring->cq)
		dma_free_coherent(dev, ring->cq_bytes, ring->cq, ring->cq_dma);
}

/*
 * Fills the receive ring; the doorbell is the caller's. Returns false when memory was short. With
 * GFP_ATOMIC from NAPI only.
 */
bool weft_rx_fill(struct weft_netdev *nd, struct weft_rings *r, gfp_t gfp)
{
	struct weft_ring *rx = &r->rx;
	u32 mask = weft_ring_mask(rx);

	while ((u16)(rx->pi - rx->ci) <= mask) {
		struct page *page = page_pool_alloc_pages(r->pool, gfp | __GFP_NOWARN);
		__le64 *rxd = rx->desc + (rx->pi & mask) * WEFT_WORDS(L2_RXD);

		if (!page) {
			nd->rx_no_memory++;
			return false;
		}
		r->rx_page[rx->pi & mask] = page;
		memset(rxd, 0, WEFT_L2_RXD_BYTES);
		WEFT_PUT(rxd, L2_RXD_ADDR, page_pool_get_dma_addr(page) + WEFT_RX_HEADROOM);
		WEFT_PUT(rxd, L2_RXD_LENGTH, r->rx_buf_len);
		WEFT_PUT(rxd, L2_RXD_STRIP, r->strip);
		rx->pi++;
	}
	return true;
}

/*
 * The pool gets its NAPI context when that begins to use it (weft_rings_start), so that rings that
 * were never started can be freed while another pool's NAPI runs.
 */
static int weft_pool_create(struct weft_netdev *nd, struct weft_rings *r)
{
	u32 frame = r->mtu + ETH_HLEN + 2 * VLAN_HLEN;
	u32 need = SKB_DATA_ALIGN(WEFT_RX_HEADROOM + frame) +
		   SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	struct page_pool_params params = {
		.flags = PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV,
		.pool_size = 1 << r->rx.log2,
		.nid = NUMA_NO_NODE,
		.dev = &nd->core->pdev->dev,
		.netdev = nd->netdev,
		.dma_dir = DMA_FROM_DEVICE,
		.offset = WEFT_RX_HEADROOM,
		.order = get_order(need),
		.max_len = frame,
	};
	struct page_pool *pool = page_pool_create(&params);

	if (IS_ERR(pool))
		return PTR_ERR(pool);
	r->pool = pool;
	r->rx_order = params.order;
	r->rx_buf_len = frame;
	return 0;
}

/* Rings with a full set of receive buffers; ERR_PTR(-errno) and nothing else changed on failure. */
struct weft_rings *weft_rings_alloc(struct weft_netdev *nd, u32 mtu, u32 tx_log2, u32 rx_log2)
{
	struct weft_rings *r = kzalloc(sizeof(*r), GFP_KERNEL);
	int rc;

	if (!r)
		return ERR_PTR(-ENOMEM);
	r->mtu = mtu;
	r->strip = nd->strip;
	r->scaling = dma_alloc_coherent(&nd->core->pdev->dev, WEFT_L2_SCALING_BYTES,
					&r->scaling_dma, GFP_KERNEL);
	rc = -ENOMEM;
	if (!r->scaling)
		goto err;
	rc = weft_ring_alloc(nd, &r->tx, tx_log2, WEFT_L2_TXD_BYTES);
	if (rc)
		goto err;
	rc = weft_ring_alloc(nd, &r->rx, rx_log2, WEFT_L2_RXD_BYTES);
	if (rc)
		goto err;
	rc = -ENOMEM;
	r->tx_buf = kvcalloc(1 << tx_log2, sizeof(*r->tx_buf), GFP_KERNEL);
	r->rx_page = kvcalloc(1 << rx_log2, sizeof(*r->rx_page), GFP_KERNEL);
	if (!r->tx_buf || !r->rx_page)
		goto err;
	rc = weft_pool_create(nd, r);
	if (rc)
		goto err;
	rc = -ENOMEM;
	if (!weft_rx_fill(nd, r, GFP_KERNEL))
		goto err;
	return r;

err:
	weft_rings_free(nd, r);
	return ERR_PTR(rc);
}

/* What was in the rings goes back to where it came from: frames to nobody, pages to the pool. */
static void weft_rings_empty(struct weft_netdev *nd, struct weft_rings *r)
{
	u32 i;

	for (i = 0; r->tx_buf && i <= weft_ring_mask(&r->tx); i++) {
		weft_tx_unmap(nd, &r->tx_buf[i]);
		if (r->tx_buf[i].skb)
			nd->netdev->stats.tx_dropped++;
		dev_kfree_skb_any(r->tx_buf[i].skb);
		r->tx_buf[i].skb = NULL;
	}
	for (i = 0; r->rx_page && i <= weft_ring_mask(&r->rx); i++) {
		if (r->rx_page[i])
			page_pool_put_full_page(r->pool, r->rx_page[i], false);
		r->rx_page[i] = NULL;
	}
	r->tx.pi = 0;
	r->tx.ci = 0;
	r->tx.cq_ci = 0;
	r->rx.pi = 0;
	r->rx.ci = 0;
	r->rx.cq_ci = 0;
	if (r->tx.cq)
		memset(r->tx.cq, 0, r->tx.cq_bytes); /* phase bits */
	if (r->rx.cq)
		memset(r->rx.cq, 0, r->rx.cq_bytes);
}

void weft_rings_free(struct weft_netdev *nd, struct weft_rings *r)
{
	weft_rings_empty(nd, r);
	if (r->pool)
		page_pool_destroy(r->pool);
	kvfree(r->tx_buf);
	kvfree(r->rx_page);
	weft_ring_free(nd, &r->rx);
	weft_ring_free(nd, &r->tx);
	if (r->scaling)
		dma_free_coherent(&nd->core->pdev->dev, WEFT_L2_SCALING_BYTES, r->scaling,
				  r->scaling_dma);
	kfree(r);
}

static int weft_rings_command(struct weft_netdev *nd, struct weft_rings *r, bool enable)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_L2_RING);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_ENABLE, enable);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_TX_BASE, r->tx.desc_dma);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_RX_BASE, r->rx.desc_dma);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_TX_CQ_BASE, r->tx.cq_dma);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_RX_CQ_BASE, r->rx.cq_dma);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_TX_LOG2, r->tx.log2);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_RX_LOG2, r->rx.log2);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_TX_VECTOR, WEFT_VEC_L2);
	WEFT_PUT(msg.cmd, ADMIN_L2RING_RX_VECTOR, WEFT_VEC_L2);
	return weft_admin_exec(nd->core, &msg);
}

/*
 * Gives rings to the card and lets NAPI run. Under rtnl, with NAPI and transmit off. On failure the
 * rings are the caller's as before.
 */
int weft_rings_start(struct weft_netdev *nd, struct weft_rings *r)
{
	int rc = weft_rings_command(nd, r, true);

	if (rc)
		return rc;
	weft_pool_napi(r->pool, &nd->napi);
	nd->r = r;
	netdev_reset_queue(nd->netdev);
	/* Before the first frame comes: nothing is posted for those. And before NAPI, which wakes the queue: a busy poll does at once. */
	if (weft_can_offload(nd))
		weft_tx_scaling(nd, r);
	napi_enable(&nd->napi);
	weft_l2_doorbell(nd, WEFT_DB_L2_RX, r->rx.pi, false);
	weft_l2_doorbell(nd, WEFT_DB_L2_TX, 0, true);
	weft_l2_doorbell(nd, WEFT_DB_L2_RX, 0, true);
	netif_tx_wake_all_queues(nd->netdev);
	return 0;
}

/* Takes the rings back; they are empty then, and stay at nd->r for the caller to free or start. */
void weft_rings_stop(struct weft_netdev *nd)
{
	napi_disable(&nd->napi);
	synchronize_net(); /* a poll that is complete is not waited for, and rings its doorbells still */
	timer_delete_sync(&nd->refill);
	netif_tx_disable(nd->netdev); /* after NAPI, which wakes the queue */
	weft_pool_napi(nd->r->pool, NULL);
	if (weft_rings_command(nd, nd->r, false))
		weft_core_quiesce(nd->core, "the rings of the network device did not stop");
	weft_rings_empty(nd, nd->r);
}
