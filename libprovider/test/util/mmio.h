/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rdma-core's stores to the card: d of a doorbell, l of a line of 64 bytes (udma_barrier.h beside this). */
#ifndef WEFT_TEST_MMIO_H
#define WEFT_TEST_MMIO_H

#include_next <util/mmio.h>

void note(char what);

static inline void note_write64_le(void *to, __le64 value)
{
	note('d');
	mmio_write64_le(to, value);
}

static inline void note_memcpy_x64(void *to, const void *from, size_t bytes)
{
	note('l');
	mmio_memcpy_x64(to, from, bytes);
}

#undef mmio_memcpy_x64
#define mmio_write64_le note_write64_le
#define mmio_memcpy_x64 note_memcpy_x64

#endif
