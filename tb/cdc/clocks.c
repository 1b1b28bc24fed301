// SPDX-License-Identifier: BSD-2-Clause
#include "clocks.h"

struct clock_cfg clocks[CLOCKS];

void clocks_random(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		/* the first edges come behind the reset */
		clocks[i].at = -20;
		clocks[i].half = tb_chance(30) && i ? clocks[0].half * (1 + ((int)tb_below(200) - 100) * 1e-4)
						    : 1 + tb_below(11000) * 1e-3;
		if (clocks[i].half < 1)
			clocks[i].half = 1;
		clocks[i].jitter = tb_chance(50) ? 0 : clocks[i].half * tb_below(45) * 0.01;
	}
}

/* Edges lie on a grid of half periods, each moved by its jitter, at most one in a unit of time. */
int tb_clock_tick(int id)
{
	struct clock_cfg *c = &clocks[id];

	c->at += 1;
	if (c->stopped || c->at < c->grid)
		return 0;
	if (!c->grid)
		c->grid = tb_below(4000) * 1e-3;
	c->edges++;
	c->grid += c->half;
	/* moved from the grid for this edge only */
	c->at += c->jitter ? (tb_below(2001) * 1e-3 - 1) * c->jitter * 0.5 : 0;
	return 1;
}

int tb_clock_reset(int id) { return clocks[id].reset; }
