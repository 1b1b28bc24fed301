/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For kernels of before 6.6, which have net/page_pool.h; and parameters of 6.12. */
#ifndef WEFT_COMPAT_PAGE_POOL_TYPES_H
#define WEFT_COMPAT_PAGE_POOL_TYPES_H

#include <linux/dma-mapping.h>
#include <net/page_pool.h>

struct weft_pool_params {
	unsigned int order, pool_size, max_len, offset, flags;
	int nid;
	struct device *dev;
	enum dma_data_direction dma_dir;
	struct net_device *netdev;	/* for netlink, which does not know pools there */
};

static inline struct page_pool *weft_page_pool_create(const struct weft_pool_params *from)
{
	struct page_pool_params params = {
		.flags = from->flags,
		.order = from->order,
		.pool_size = from->pool_size,
		.nid = from->nid,
		.dev = from->dev,
		.dma_dir = from->dma_dir,
		.max_len = from->max_len,
		.offset = from->offset,
	};

	return page_pool_create(&params);
}

#define page_pool_params weft_pool_params
#define page_pool_create weft_page_pool_create

static inline void page_pool_dma_sync_for_cpu(const struct page_pool *pool,
					      const struct page *page, u32 offset, u32 bytes)
{
	dma_sync_single_range_for_cpu(pool->p.dev, page_pool_get_dma_addr((struct page *)page),
				      offset + pool->p.offset, bytes, pool->p.dma_dir);
}

#endif
