// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Frames. Transmit: a descriptor or more a fragment; checksum, VLAN tag and segments are made by the card. Receive: one page-pool
 * buffer a frame. One interrupt, one NAPI context for both.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/tcp.h>
#include <net/ip6_checksum.h>
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

/* A mapping, in as many descriptors as it takes; the last of them gives it back. */
static void weft_tx_put(struct weft_rings *r, dma_addr_t dma, u32 len)
{
	struct weft_ring *tx = &r->tx;
	u32 at = 0;

	while (at < len) {
		u32 n = min_t(u32, len - at, BIT(WEFT_TX_BUF_LOG2));
		u32 i = tx->pi & weft_ring_mask(tx);
		__le64 *txd = tx->desc + i * WEFT_WORDS(L2_TXD);

		memset(txd, 0, WEFT_L2_TXD_BYTES);
		WEFT_PUT(txd, L2_TXD_ADDR, dma + at);
		WEFT_PUT(txd, L2_TXD_LENGTH, n);
		at += n;
		r->tx_buf[i].dma = dma;
		r->tx_buf[i].len = at == len ? len : 0;
		r->tx_buf[i].skb = NULL;
		tx->pi++;
	}
}

static u32 weft_tx_descs(const struct sk_buff *skb)
{
	u32 n = DIV_ROUND_UP(skb_headlen(skb), BIT(WEFT_TX_BUF_LOG2)), i;

	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++)
		n += DIV_ROUND_UP(skb_frag_size(&skb_shinfo(skb)->frags[i]), BIT(WEFT_TX_BUF_LOG2));
	return n;
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

/* A header that the card can make segments from: struct l2_tso. */
static bool weft_tso_ok(const struct weft_netdev *nd, const struct sk_buff *skb)
{
	u32 l3 = skb_network_offset(skb), l4 = skb_transport_offset(skb), hdr;
	__be16 type = eth_hdr(skb)->h_proto;

	if (!(skb_shinfo(skb)->gso_type & (SKB_GSO_TCPV4 | SKB_GSO_TCPV6)))
		return true; /* nothing that it offers */
	if (l3 == VLAN_ETH_HLEN && type == htons(ETH_P_8021Q))
		type = skb_vlan_eth_hdr(skb)->h_vlan_encapsulated_proto;
	else if (l3 != ETH_HLEN)
		return false;
	if (!(type == htons(ETH_P_IP) && l4 == l3 + sizeof(struct iphdr)) &&
	    !(type == htons(ETH_P_IPV6) && l4 == l3 + sizeof(struct ipv6hdr)))
		return false;
	hdr = skb_tcp_all_headers(skb);
	return skb_shinfo(skb)->gso_size >= WEFT_TSO_MSS_MIN && skb->len > hdr &&
	       skb->len <= WEFT_TSO_MAX &&
	       hdr + skb_shinfo(skb)->gso_size <= nd->core->caps.mtu + ETH_HLEN;
}

/* What a descriptor cannot say is done by the stack: offsets beyond a byte, too many fragments, odd headers. */
netdev_features_t weft_features_check(struct sk_buff *skb, struct net_device *netdev,
				      netdev_features_t features)
{
	features = vlan_features_check(skb, features);
	if (skb->ip_summed == CHECKSUM_PARTIAL &&
	    (skb_checksum_start_offset(skb) > (int)WEFT_CSUM_MAX ||
	     skb->csum_offset > WEFT_CSUM_MAX))
		features &= ~(NETIF_F_CSUM_MASK | NETIF_F_GSO_MASK);
	if (weft_tx_descs(skb) > WEFT_TX_MAX_DESC)
		features &= ~(NETIF_F_SG | NETIF_F_GSO_MASK);
	if (skb_is_gso(skb) && !weft_tso_ok(netdev_priv(netdev), skb))
		features &= ~NETIF_F_GSO_MASK;
	return features;
}

/* The header of a frame that is cut: its sums are for the card to go on from. */
static int weft_tso_prepare(struct sk_buff *skb)
{
	int rc = skb_cow_head(skb, 0);

	if (rc)
		return rc;
	if (skb_shinfo(skb)->gso_type & SKB_GSO_TCPV6) {
		tcp_v6_gso_csum_prep(skb);
	} else {
		struct iphdr *ip = ip_hdr(skb);

		ip_send_check(ip);
		tcp_hdr(skb)->check = ~csum_tcpudp_magic(ip->saddr, ip->daddr, 0, IPPROTO_TCP, 0);
	}
	return 0;
}

/* All that stands in the frame's first descriptor. */
static void weft_tx_first(__le64 *txd, const struct sk_buff *skb)
{
	if (skb_is_gso(skb)) {
		WEFT_PUT(txd, L2_TXD_TSO, 1);
		WEFT_PUT(txd, L2_TSO_HDR_LEN, skb_tcp_all_headers(skb));
		WEFT_PUT(txd, L2_TSO_MSS, skb_shinfo(skb)->gso_size);
	} else if (skb->ip_summed == CHECKSUM_PARTIAL) {
		WEFT_PUT(txd, L2_TXD_CSUM, 1);
		WEFT_PUT(txd, L2_TXD_CSUM_START, skb_checksum_start_offset(skb));
		WEFT_PUT(txd, L2_TXD_CSUM_OFFSET, skb->csum_offset);
	}
	if (skb_vlan_tag_present(skb)) {
		WEFT_PUT(txd, L2_TXD_VLAN, 1);
		WEFT_PUT(txd, L2_TXD_VLAN_TCI, skb_vlan_tag_get(skb));
	}
}

netdev_tx_t weft_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	struct weft_rings *r = nd->r;
	struct weft_ring *tx = &r->tx;
	u32 first = tx->pi & weft_ring_mask(tx), last;
	struct weft_tx_buf *b;

	if (weft_tx_room(tx) < weft_tx_descs(skb)) { /* the queue should be stopped */
		netif_stop_queue(netdev);
		return NETDEV_TX_BUSY;
	}
	/* frames shorter than the minimum are padded by the card, but for what a tag goes into */
	if (skb_vlan_tag_present(skb) && skb_put_padto(skb, ETH_ZLEN)) {
		netdev->stats.tx_dropped++;
		return NETDEV_TX_OK; /* it is gone */
	}
	if (weft_core_dead(nd->core) || (skb_is_gso(skb) && weft_tso_prepare(skb)) ||
	    weft_tx_map(nd, r, skb)) {
		netdev->stats.tx_dropped++;
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}
	last = (tx->pi - 1) & weft_ring_mask(tx);
	WEFT_PUT(tx->desc + last * WEFT_WORDS(L2_TXD), L2_TXD_LAST, 1);
	weft_tx_first(tx->desc + first * WEFT_WORDS(L2_TXD), skb);
	b = &r->tx_buf[last];
	b->skb = skb;
	b->segs = 1;
	b->bytes = skb->len;
	if (skb_is_gso(skb)) {
		b->segs = DIV_ROUND_UP(skb->len - skb_tcp_all_headers(skb),
				       skb_shinfo(skb)->gso_size);
		b->bytes += (b->segs - 1) * skb_tcp_all_headers(skb);
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

/*
 * Receive scaling goes to the card in the transmit ring, which has room. Not with weft_xmit at the same
 * time. When settings change while the card reads the last ones it reads them once more.
 */
void weft_tx_scaling(struct weft_netdev *nd, struct weft_rings *r)
{
	struct weft_ring *tx = &r->tx;
	u32 i = tx->pi & weft_ring_mask(tx);
	__le64 *txd = tx->desc + i * WEFT_WORDS(L2_TXD);

	memcpy(WEFT_BYTES(r->scaling, L2_SCALING_KEY), nd->hash_key, sizeof(nd->hash_key));
	memcpy(WEFT_BYTES(r->scaling, L2_SCALING_ENTRIES), nd->hash_table, sizeof(nd->hash_table));
	WEFT_PUT(r->scaling, L2_SCALING_TYPES, nd->hash_types);
	memset(txd, 0, WEFT_L2_TXD_BYTES);
	WEFT_PUT(txd, L2_TXD_ADDR, r->scaling_dma);
	WEFT_PUT(txd, L2_TXD_LENGTH, WEFT_L2_SCALING_BYTES);
	WEFT_PUT(txd, L2_TXD_LAST, 1);
	WEFT_PUT(txd, L2_TXD_SET, 1);
	memset(&r->tx_buf[i], 0, sizeof(r->tx_buf[i]));
	tx->pi++;
	weft_l2_doorbell(nd, WEFT_DB_L2_TX, tx->pi, false);
}

static void weft_tx_clean(struct weft_netdev *nd, int budget)
{
	struct weft_rings *r = nd->r;
	struct weft_ring *tx = &r->tx;
	u32 mask = weft_ring_mask(tx), bytes = 0, frames = 0, wire_bytes = 0, wire_frames = 0;
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
				wire_bytes += b->bytes;
				wire_frames += b->segs;
				napi_consume_skb(b->skb, budget);
				b->skb = NULL;
			}
			tx->ci++;
		}
		tx->cq_ci++;
	}
	nd->netdev->stats.tx_bytes += wire_bytes;
	nd->netdev->stats.tx_packets += wire_frames;
	netdev_completed_queue(nd->netdev, frames, bytes);
	smp_mb(); /* against weft_xmit */
	if (netif_queue_stopped(nd->netdev) && weft_tx_room(tx) >= WEFT_TX_STOP &&
	    !weft_core_dead(nd->core))
		netif_wake_queue(nd->netdev);
}

/* ---- receive ---- */

static void weft_rx_hash(struct weft_netdev *nd, struct sk_buff *skb, const __le64 *cqe)
{
	u32 type = WEFT_GET(cqe, L2_CQE_HASH_TYPE);

	if (!(nd->netdev->features & NETIF_F_RXHASH) || type == WEFT_L2_HASH_NONE)
		return;
	skb_set_hash(skb, WEFT_GET(cqe, L2_CQE_HASH),
		     type == WEFT_L2_HASH_IPV4 || type == WEFT_L2_HASH_IPV6 ?
			     PKT_HASH_TYPE_L3 : PKT_HASH_TYPE_L4);
}

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
	weft_rx_hash(nd, skb, cqe);
	if (WEFT_GET(cqe, L2_CQE_STRIPPED))
		__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q), WEFT_GET(cqe, L2_CQE_VLAN_TCI));
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
