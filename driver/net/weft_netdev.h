/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_NETDEV_H
#define WEFT_NETDEV_H

#include "weft.h"

#define WEFT_L2_RING_LOG2 8

/**
 * struct weft_ring - a descriptor ring and its completion ring, both of 2^log2 entries
 * @desc: descriptors
 * @cq: completions
 * @log2: log2 of entries
 * @pi: next descriptor to fill
 * @ci: next descriptor to get back
 * @cq_ci: next completion to look at
 */
struct weft_ring {
	__le64 *desc, *cq;
	dma_addr_t desc_dma, cq_dma;
	size_t desc_bytes, cq_bytes;
	u32 log2;
	u16 pi, ci, cq_ci;
};

struct weft_tx_buf {
	struct sk_buff *skb; /* on the frame's last descriptor */
	dma_addr_t dma;
	u32 len;
};

struct weft_netdev {
	struct weft_core *core;
	struct net_device *netdev;
	struct napi_struct napi;
	struct weft_ring tx, rx;
	struct weft_tx_buf *tx_buf;
	struct page **rx_page;
	struct page_pool *pool;
	u32 rx_order, rx_buf_len;
	struct work_struct filter_work;
};

#endif
