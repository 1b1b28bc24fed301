/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One card and what surrounds it, cycle by cycle: the core, the root complex model on its PCIe
 * side, the MAC on its other side, and a recorder that watches all pins. It knows no clock and no
 * sockets: a process (weft-nic) or the lockstep harness turns the crank.
 */
#ifndef WEFT_SIM_NIC_NODE_H
#define WEFT_SIM_NIC_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "core.h"
#include "ethport.h"
#include "record.h"

/* Cycles in a row in which nothing moves before the clock may stop. */
#define NODE_QUIET_CYCLES 8
#define NODE_RESET_CYCLES 16

struct node {
	struct core *core;
	struct weft_rc *rc;
	struct ethport *eth;
	struct record *record; /* NULL: none */
	struct core_in in;
	struct core_out out;
	uint64_t cycles;
	unsigned int quiet;
	/* Access of the second configuration master. */
	enum { DBG_IDLE, DBG_REQUEST, DBG_RESPONSE } dbg;
	uint32_t dbg_rdata;
	bool dbg_err;
	/* Of the root complex's ops: who hears of a fault of the block as well. */
	void (*fault)(void *ctx, const char *what);
	void *fault_ctx;
};

/* `ops` and `frame` are callbacks of host memory, interrupts and the wire. The core is in reset
 * until node_reset. */
struct node *node_new(const char *name, uint64_t mac, uint64_t seed, const struct weft_rc_ops *ops,
		      ethport_frame_fn frame, void *user);
void node_free(struct node *n);
/* Watch the pins from now on; to be called before node_reset. False with errno. `config` as in
 * struct record_header. */
bool node_record(struct node *n, const char *path, const char *name, const char *config);

/* Reset of the core, the root complex's queues and the MAC; takes NODE_RESET_CYCLES. */
void node_reset(struct node *n, uint64_t now_ns);

/* One clock cycle at time `now_ns`. */
void node_cycle(struct node *n, uint64_t now_ns);

/* Let at least NODE_QUIET_CYCLES run: time has jumped. */
void node_wake(struct node *n);

/* Nothing moves: the clock may stop until something is given to the node, or until
 * node_deadline. */
bool node_quiet(const struct node *n);
uint64_t node_deadline(const struct node *n);

/* Start an access of the second configuration master; one at a time (node_dbg_busy). The result
 * is in dbg_rdata and dbg_err when it is not busy any more. */
void node_dbg_start(struct node *n, bool we, uint32_t addr, uint32_t wdata);
bool node_dbg_busy(const struct node *n);

#endif
