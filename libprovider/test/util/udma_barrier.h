/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * rdma-core's barriers, and the test hears of each: no processor shows that one of them was left out. A letter each:
 *   b  udma_to_device_barrier     s  mmio_wc_start     f  mmio_flush_writes
 */
#ifndef WEFT_TEST_BARRIER_H
#define WEFT_TEST_BARRIER_H

#include_next <util/udma_barrier.h>

/* A fence itself. */
void note(char what);

#undef udma_to_device_barrier
#undef mmio_wc_start
#undef mmio_flush_writes
#define udma_to_device_barrier() note('b')
#define mmio_wc_start() note('s')
#define mmio_flush_writes() note('f')

#endif
