// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Host memory that the card works in by itself: homes of queue pairs, in chunks, and pages for its
 * receive rings. What it wants it says in the answer to INIT; a card that wants none is given none.
 *
 * The card has it from weft_chunk_give() to its next reset. It is allocated once and freed with the
 * device's other managed memory: behind remove(), when the card is quiet; or when a card that is fresh from its reset
 * wants rings of another size (a reload with another ring_shift).
 */
#include <linux/dma-mapping.h>
#include <linux/log2.h>
#include <linux/sizes.h>

#include "weft.h"

#define WEFT_CHUNK_MAX 256	/* chunks: 2^18 queue pairs */
#define WEFT_RING_MAX SZ_256M	/* bytes for receive rings */
#define WEFT_RING_STEP SZ_2M	/* in one block */
#define WEFT_PAGE SZ_4K

static int weft_chunk_check(struct weft_core *core, u32 bytes, u32 qps, u32 n, u32 pages,
			    u32 shift)
{
	if (is_power_of_2(bytes) && bytes >= WEFT_PAGE && bytes <= SZ_4M && qps &&
	    n <= WEFT_CHUNK_MAX && shift <= WEFT_RING_SHIFT_MAX &&
	    pages <= WEFT_RING_MAX / (WEFT_PAGE << shift))
		return 0;
	dev_err(&core->pdev->dev, "the card wants memory that cannot be: %u chunks of %u bytes\n",
		n, bytes);
	return -ENODEV;
}

/* A managed block, aligned to its size. */
static int weft_block_alloc(struct weft_core *core, struct weft_block *b, size_t bytes)
{
	if (b->va && b->bytes == bytes)
		return 0;
	if (b->va)
		return -ENODEV; /* it wanted something else before its reset */
	b->va = dmam_alloc_coherent(&core->pdev->dev, bytes, &b->dma, GFP_KERNEL | __GFP_NOWARN);
	if (!b->va)
		return -ENOMEM;
	b->bytes = bytes;
	return 0;
}

static int weft_chunk_set(struct weft_core *core, u32 id, dma_addr_t at)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_CHUNK_SET);
	WEFT_PUT(msg.cmd, ADMIN_CHUNK_ID, id);
	WEFT_PUT(msg.cmd, ADMIN_CHUNK_BASE, at);
	WEFT_PUT(msg.cmd, ADMIN_CHUNK_ENABLE, 1);
	return weft_admin_exec(core, &msg);
}

static int weft_chunks_give(struct weft_core *core, u32 bytes, u32 n)
{
	int rc;

	if (!core->chunks) {
		core->chunks = devm_kcalloc(&core->pdev->dev, n, sizeof(*core->chunks),
					    GFP_KERNEL);
		if (!core->chunks)
			return -ENOMEM;
		core->n_chunks = n;
	}
	for (u32 i = 0; i < n; i++) {
		struct weft_block *b = &core->chunks[i];

		rc = i < core->n_chunks ? weft_block_alloc(core, b, bytes) : -ENODEV;
		if (!rc && (b->dma & (bytes - 1)))
			rc = -EINVAL;
		if (!rc)
			rc = weft_chunk_set(core, i, b->dma);
		if (rc)
			return dev_err_probe(&core->pdev->dev, rc, "no memory for queue pairs\n");
	}
	return 0;
}

/* How many of a block's pages the card took, or an error. */
static int weft_pages_give(struct weft_core *core, const struct weft_block *b, u32 page)
{
	struct weft_admin_msg msg = {};
	int rc;

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_RING_PAGES);
	WEFT_PUT(msg.cmd, ADMIN_PAGES_BASE, b->dma);
	WEFT_PUT(msg.cmd, ADMIN_PAGES_COUNT, b->bytes / page);
	rc = weft_admin_exec(core, &msg);
	if (rc && rc != -ENOMEM)
		return rc;
	return WEFT_GET(msg.rsp, ADMIN_RSP_ID);
}

/* Nothing of it has been given since the reset. */
static void weft_rings_free(struct weft_core *core)
{
	struct device *dev = &core->pdev->dev;

	for (u32 i = 0; i < core->n_ring_blocks; i++) {
		struct weft_block *b = &core->ring_blocks[i];

		if (b->va)
			dmam_free_coherent(dev, b->bytes, b->va, b->dma);
	}
	devm_kfree(dev, core->ring_blocks);
	core->ring_blocks = NULL;
	core->n_ring_blocks = 0;
}

/*
 * Fewer pages make fewer rings: only a dead card is an error. The card has as many rings as it has,
 * whatever the number of connections, so this is all the memory that their windows ever cost.
 */
static int weft_rings_give(struct weft_core *core, u32 pages, u32 shift)
{
	u32 page = WEFT_PAGE << shift, step = WEFT_RING_STEP / page;
	u32 n = DIV_ROUND_UP(pages, step), given = 0;
	size_t bytes = (size_t)pages * page;
	int rc = 0;

	if (core->ring_blocks && core->ring_bytes != bytes)
		weft_rings_free(core);
	if (!core->ring_blocks) {
		core->ring_blocks = devm_kcalloc(&core->pdev->dev, n, sizeof(*core->ring_blocks),
						 GFP_KERNEL);
		if (!core->ring_blocks)
			return -ENOMEM;
		core->n_ring_blocks = n;
		core->ring_bytes = bytes;
	}
	for (u32 i = 0; i < n; i++) {
		struct weft_block *b = &core->ring_blocks[i];
		u32 want = min_t(u32, pages - i * step, step);

		if (weft_block_alloc(core, b, (size_t)want * page) || (b->dma & (page - 1)))
			break;
		rc = weft_pages_give(core, b, page);
		if (rc < 0)
			return rc;
		given += rc;
		if (rc < want)
			break;
	}
	if (given < pages)
		dev_info(&core->pdev->dev, "%u of %u pages of %u KiB for receive rings\n", given,
			 pages, page / SZ_1K);
	return 0;
}

/* wants: struct admin_wants */
int weft_chunk_give(struct weft_core *core, const __le64 *wants)
{
	u32 bytes = WEFT_GET(wants, ADMIN_WANTS_CHUNK_BYTES);
	u32 qps = WEFT_GET(wants, ADMIN_WANTS_CHUNK_QPS);
	u32 pages = WEFT_GET(wants, ADMIN_WANTS_RING_PAGES);
	u32 shift = WEFT_GET(wants, ADMIN_WANTS_RING_SHIFT);
	u32 n;
	int rc;

	if (!bytes && !pages)
		return 0;
	n = qps ? DIV_ROUND_UP(core->caps.qps, qps) : 0;
	rc = weft_chunk_check(core, bytes, qps, n, pages, shift);
	if (!rc)
		rc = weft_chunks_give(core, bytes, n);
	if (!rc && pages)
		rc = weft_rings_give(core, pages, shift);
	return rc;
}
