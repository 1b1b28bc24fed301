/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models of integrated blocks for PCI Express, between the pins of their user interface (a shim of rtl/shim on the other side) and the root
 * complex model (sim/rc), which sees the block in the place of the card. A program has one of them, us_block.c or s7_block.c, and as many
 * instances as it likes. A cycle:
 *
 *     block_begin(b, &rc_in, &rc_out, in);   rc_in: what the root complex drives; fills rc_out and the pins `in`
 *     ... the shim settles; flr_done of the block's pins goes into rc_out ...
 *     block_end(b, out);                     transfers at this edge
 *
 * Pins are flat vectors; which bit is what is with sim/nic/weft_sim_shim_us.sv and weft_sim_shim_s7.sv.
 */
#ifndef WEFT_SIM_BLOCK_H
#define WEFT_SIM_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "../rc/rc.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCK_IN_WORDS 46  /* pins that the block drives, 32 bits each */
#define BLOCK_OUT_WORDS 44 /* pins of the shim */

struct block;

/* How it behaves; may change between cycles. */
struct block_cfg {
	bool straddle;      /* us: several TLPs in a beat of RC and CQ */
	bool deaf;          /* the link partner gives no credit for reads at all */
	uint8_t stall_wr;   /* percent of cycles in which requests of the card, its completions are not taken */
	uint8_t stall_cpl;
	uint8_t gap_req;    /* percent of cycles without a beat of a request, of a completion */
	uint8_t gap_cpl;
	uint64_t timeout;   /* us: cycles until it ends a read of the card by itself; 0: never */
};

/* beat: bytes of a beat of the TLP streams. `fault` hears what the shim does wrong. */
struct block *block_new(unsigned beat, uint64_t seed, void (*fault)(void *ctx, const char *what), void *ctx);
void block_free(struct block *b);
struct block_cfg *block_config(struct block *b);
void block_reset(struct block *b);
void block_begin(struct block *b, const struct weft_rc_in *in, struct weft_rc_out *out, uint32_t pins[BLOCK_IN_WORDS]);
/* Between the two: the function-level reset is done, from the pins. */
bool block_flr_done(const uint32_t pins[BLOCK_OUT_WORDS]);
void block_end(struct block *b, const uint32_t pins[BLOCK_OUT_WORDS]);
/* Nothing is inside, nothing is driven. */
bool block_idle(const struct block *b);

#ifdef __cplusplus
}
#endif
#endif
