/* SPDX-License-Identifier: BSD-2-Clause */
/* Clocks and resets of tb_clock: a period in units of time (of the bench's clk_i), with jitter. */
#ifndef WEFT_TB_CLOCKS_H
#define WEFT_TB_CLOCKS_H
#include "tb.h"

#define CLOCKS 4
/** Mean half period in thousandths of a unit (1,000 or more), jitter of each edge in the same unit (below the half period). */
struct clock_cfg {
	double half, jitter;
	bool reset, stopped;
	double at, grid;
	uint64_t edges;
};
extern struct clock_cfg clocks[CLOCKS];
/** A half period between 1 and 12 units, alike or far apart. */
void clocks_random(unsigned n);
#endif
