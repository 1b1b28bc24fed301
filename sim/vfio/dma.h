/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The host memory that a device may reach: pieces of files mapped at bus addresses. Pieces without
 * a file are known but never reached.
 */
#ifndef WEFT_SIM_VFIO_DMA_H
#define WEFT_SIM_VFIO_DMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DMA_MAPS_MAX 1024

struct dma_map {
	uint64_t address, size;
	uint8_t *memory; /* NULL: no file */
	bool readable, writable;
};

struct dma_space {
	struct dma_map maps[DMA_MAPS_MAX]; /* sorted by address, never overlapping */
	int count;
	int last; /* where the last access was */
};

/*
 * Map [address, address + size) to `fd` at `offset`; fd -1 for memory that cannot be reached. The
 * descriptor stays the caller's. 0, or an errno: EINVAL (not whole 4 KiB pages, wrap, file too
 * short), EEXIST (overlap), ENOSPC (too many), or of mmap.
 */
int dma_map(struct dma_space *d, uint64_t address, uint64_t size, int fd, uint64_t offset,
	    bool readable, bool writable);

/* Unmap whatever of the range is mapped; maps that stick out are cut. EINVAL for a bad range,
 * ENOSPC when a cut would make too many. */
int dma_unmap(struct dma_space *d, uint64_t address, uint64_t size);
void dma_unmap_all(struct dma_space *d);

/* True when all bytes were reached; on false some of them may have been. Writes become visible in
 * ascending order: aligned 8-byte stores with release order, so a word is never torn. */
bool dma_read(struct dma_space *d, uint64_t address, void *bytes, size_t len);
bool dma_write(struct dma_space *d, uint64_t address, const void *bytes, size_t len);

#endif
