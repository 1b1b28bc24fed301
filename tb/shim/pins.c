// SPDX-License-Identifier: BSD-2-Clause
/* The model of the integrated block (sim/block) between the pins of pins.sv and tb/pcie's root complex. */
#include <string.h>

#include "block.h"
#include "../rc/rc.h"
#include "svdpi.h"
#include "tb.h"

extern struct weft_rc *rc;
extern struct weft_rc_cfg *cfg;
bool model_busy(void);

static struct block *block;
static bool begun;
static struct weft_rc_in rc_in;
static struct weft_rc_out rc_out;

static void fault(void *ctx, const char *what) { tb_fail("%s", what); }

/* The host's temper is the block's too. */
static void temper(void)
{
	struct block_cfg *c;

	if (!block)
		block = block_new(TB_DATA_W / 8, tb_rand(), fault, NULL);
	c = block_config(block);
	c->straddle = tb_opt("straddle", tb_opt("seed", 1) & 1);
	c->deaf = cfg->stall_rd >= 100;
	c->stall_wr = cfg->stall_wr;
	c->stall_cpl = cfg->stall_cpl;
	c->gap_req = cfg->gap_req;
	c->gap_cpl = cfg->gap_cpl;
	c->timeout = 30000;
}

/* For the phases of tb/pcie: something is on its way between the card and the root complex. */
bool model_busy(void) { return block && !block_idle(block); }

void shim_sample(const svBitVecVal *pins)
{
	if (!begun)
		return;
	rc_out.flr_done = block_flr_done(pins);
	weft_rc_sample(rc, &rc_out);
	block_end(block, pins);
}

void shim_drive(svBitVecVal *pins)
{
	temper();
	weft_rc_drive(rc, &rc_in);
	block_begin(block, &rc_in, &rc_out, pins);
	begun = true;
}
