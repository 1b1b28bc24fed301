/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recordings of one core: every change of an input pin and every beat that it gave out, each with
 * its cycle. Beats carry whole TLPs (completion data included) and frames. A recording drives a
 * core again without host, wire or clock (sim/nic/replay.c).
 *
 * The file: struct record_header, then entries { kind:u8, cycles since the entry before: LEB128,
 * payload }. Numbers are little endian, lengths fixed by kind and beat:
 *   T now_ns:u64                             time is this from here on
 *   P pins:u16 mps:u8 mrrs:u8 bdf:u16        pins as in enum record_pin
 *   Q flags:u8 [bar:u8 hdr:16 data:beat]     requests in; flags 1 valid, 2 last; rest only if valid
 *   C flags:u8 [hdr:16 data:beat]            completions in
 *   F flags:u8 [cnt:u8 data:cnt]             frames in; flags 4 error
 *   D flags:u8 addr:u32 wdata:u32            second configuration master; flags 1 valid, 2 write
 *   r hdr:16                                 read request out
 *   w flags:u8 hdr:16 data:beat              posted write out
 *   c hdr:16 data:8                          completion out
 *   f flags:u8 cnt:u8 data:cnt               frame out
 *   S now_ns:u64                             the clock stops after the cycle before
 *   E                                        end
 * Input entries take effect in the cycle they name, output entries happened in it.
 */
#ifndef WEFT_SIM_NIC_RECORD_H
#define WEFT_SIM_NIC_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "core.h"

#define RECORD_MAGIC "WEFTREC2"

struct record_header {
	char magic[8];
	uint32_t beat_bytes, reserved;
	uint64_t mac;
	char name[32];
	char config[16]; /* named configuration of the card, CONFIG or CONFIG-MAC; "": made in lockstep */
};

enum record_pin {
	PIN_RST_N = 1 << 0,
	PIN_LINK = 1 << 1,
	PIN_ETH_TX_READY = 1 << 2,
	PIN_TX_RD_READY = 1 << 3,
	PIN_TX_WR_READY = 1 << 4,
	PIN_TX_CPL_READY = 1 << 5,
	PIN_BME = 1 << 6,
	PIN_RCB = 1 << 7,
	PIN_EXT_TAG = 1 << 8,
	PIN_MSIX_EN = 1 << 9,
	PIN_MSIX_MASK = 1 << 10,
	PIN_FLR = 1 << 11,
	PIN_MODULE_OUT = 1 << 12,
	PIN_SDA_STUCK = 1 << 13,
	PIN_SCL_STUCK = 1 << 14,
};

struct record;

/* NULL with errno when the file cannot be made. */
struct record *record_open(const char *path, const char *name, const char *config,
			   unsigned int beat_bytes, uint64_t mac);
/* False when it is no recording. */
bool record_read_header(const char *path, struct record_header *h);
void record_inputs(struct record *r, uint64_t cycle, const struct core_in *in);
void record_outputs(struct record *r, uint64_t cycle, const struct core_in *in,
		    const struct core_out *out);
void record_stop(struct record *r, uint64_t cycle, uint64_t now_ns);
void record_close(struct record *r, uint64_t cycle);

/*
 * Drive a new core from a recording and compare. 0: the same to the end; 1: a difference, told on
 * stdout; 2: the recording cannot be used; 3: it has no end (its card was killed, the disk was full),
 * and the same as far as it goes. `trace` may name an FST file.
 */
int record_replay(const char *path, const char *trace);

#endif
