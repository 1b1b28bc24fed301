/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Verilated core (rtl/weft_core.sv inside sim/nic/weft_sim_top.sv) behind a C interface. Any
 * number of instances may live in one process; none shares state with another. The pins of one
 * cycle are two plain structures (in a model with a shim, the streams of `pcie` are the far side of the vendor's block, sim/block):
 *
 *     core_eval(c, &in, &out);   inputs of this cycle, clock low; outputs settle
 *     core_edge(c);              rising edge
 */
#ifndef WEFT_SIM_NIC_CORE_H
#define WEFT_SIM_NIC_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "../rc/rc.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CORE_BEAT_MAX 64 /* bytes of the widest data path */

struct core_in {
	struct weft_rc_in pcie;
	bool rst_n;
	uint64_t now_ns;
	uint64_t mac; /* byte 0 in bits 7:0 */
	bool link_up;
	bool module_out, sda_stuck, scl_stuck; /* of the cage, in a model with a MAC */
	/* Frames from the wire. */
	bool eth_rx_valid, eth_rx_last, eth_rx_err;
	uint8_t eth_rx_cnt;
	uint8_t eth_rx_data[CORE_BEAT_MAX];
	bool eth_tx_ready;
	/* A byte of the line, in a model with a bridge whose other end is somebody else's (weft-board). */
	bool line_rx_valid, line_tx_ready;
	uint8_t line_rx_data;
	/* Second master of the configuration bus. */
	bool dbg_cfg_valid, dbg_cfg_we;
	uint32_t dbg_cfg_addr, dbg_cfg_wdata;
};

struct core_out {
	struct weft_rc_out pcie;
	const char *fault; /* what the block between core and host has to say of its shim in this cycle, or NULL */
	bool idle;
	uint64_t next_deadline_ns; /* all ones: none */
	bool eth_rx_ready, eth_rx_pause;
	bool eth_tx_valid, eth_tx_last;
	uint8_t eth_tx_cnt;
	uint8_t eth_tx_data[CORE_BEAT_MAX];
	bool line_tx_valid;
	uint8_t line_tx_data;
	bool dbg_cfg_ready, dbg_cfg_rvalid, dbg_cfg_err;
	uint32_t dbg_cfg_rdata;
};

struct core;

/* `name` is the top scope in waves. */
struct core *core_new(const char *name);
void core_free(struct core *c);

/* Bytes of a beat, DATA_W / 8. */
unsigned int core_beat_bytes(const struct core *c);

void core_eval(struct core *c, const struct core_in *in, struct core_out *out);
void core_edge(struct core *c);

/* FST waves of all signals into `path` from now on; false when the model was built without. A
 * second call, or NULL, ends the file before. */
bool core_trace(struct core *c, const char *path);
/* What is traced so far reaches the file. */
void core_trace_flush(struct core *c);

#ifdef __cplusplus
}
#endif
#endif
