/* SPDX-License-Identifier: BSD-2-Clause */
#include "node.h"

#include <stdio.h>
#include <stdlib.h>

#include "../common/util.h"

struct node *node_new(const char *name, uint64_t mac, uint64_t seed, const struct weft_rc_ops *ops,
		      ethport_frame_fn frame, void *user)
{
	struct node *n = xcalloc(1, sizeof(*n));

	n->core = core_new(name);
	n->in.mac = mac;
	n->fault = ops->fault;
	n->fault_ctx = ops->ctx;
	n->rc = weft_rc_new(core_beat_bytes(n->core), seed, ops);
	n->eth = ethport_new(core_beat_bytes(n->core), frame, user);
	return n;
}

void node_free(struct node *n)
{
	if (!n)
		return;
	record_close(n->record, n->cycles);
	ethport_free(n->eth);
	weft_rc_free(n->rc);
	core_free(n->core);
	free(n);
}

bool node_record(struct node *n, const char *path, const char *name, const char *config)
{
	n->record = record_open(path, name, config, core_beat_bytes(n->core), n->in.mac);
	return n->record;
}

void node_reset(struct node *n, uint64_t now_ns)
{
	weft_rc_reset(n->rc);
	ethport_reset(n->eth);
	n->dbg = DBG_IDLE;
	n->in.rst_n = false;
	for (int i = 0; i < NODE_RESET_CYCLES; i++)
		node_cycle(n, now_ns);
	n->in.rst_n = true;
}

static void dbg_drive(struct node *n)
{
	n->in.dbg_cfg_valid = n->dbg == DBG_REQUEST;
}

static void dbg_sample(struct node *n)
{
	if (n->dbg == DBG_REQUEST && n->out.dbg_cfg_ready)
		n->dbg = DBG_RESPONSE;
	/* The answer may come in the cycle of the request. */
	if (n->dbg == DBG_RESPONSE && n->out.dbg_cfg_rvalid) {
		n->dbg_rdata = n->out.dbg_cfg_rdata;
		n->dbg_err = n->out.dbg_cfg_err;
		n->dbg = DBG_IDLE;
	}
}

/* No input waits for the core, and none is half given. */
static bool nothing_given(const struct node *n)
{
	return weft_rc_idle(n->rc) && ethport_idle(n->eth) && n->dbg == DBG_IDLE;
}

void node_cycle(struct node *n, uint64_t now_ns)
{
	struct core_in *in = &n->in;
	struct core_out *out = &n->out;
	/* What is given in this cycle shows in idle_o later: it counts as activity by itself. */
	bool given = !nothing_given(n);

	in->now_ns = now_ns;
	if (in->rst_n) {
		weft_rc_drive(n->rc, &in->pcie);
		ethport_drive(n->eth, in);
		dbg_drive(n);
	} else {
		in->pcie = (struct weft_rc_in){ 0 };
		in->eth_rx_valid = in->eth_tx_ready = in->dbg_cfg_valid = false;
	}
	if (n->record)
		record_inputs(n->record, n->cycles, in);
	core_eval(n->core, in, out);
	if (out->fault && n->fault)
		n->fault(n->fault_ctx, out->fault);
	else if (out->fault)
		fprintf(stderr, "%s\n", out->fault);
	if (n->record)
		record_outputs(n->record, n->cycles, in, out);
	if (in->rst_n) {
		weft_rc_sample(n->rc, &out->pcie);
		ethport_sample(n->eth, in, out);
		dbg_sample(n);
	}
	core_edge(n->core);
	n->cycles++;
	if (in->rst_n && out->idle && !given && nothing_given(n))
		n->quiet += n->quiet < NODE_QUIET_CYCLES;
	else
		n->quiet = 0;
}

bool node_quiet(const struct node *n)
{
	return n->quiet >= NODE_QUIET_CYCLES && nothing_given(n);
}

uint64_t node_deadline(const struct node *n)
{
	return n->out.next_deadline_ns;
}

void node_dbg_start(struct node *n, bool we, uint32_t addr, uint32_t wdata)
{
	n->in.dbg_cfg_we = we;
	n->in.dbg_cfg_addr = addr;
	n->in.dbg_cfg_wdata = wdata;
	n->dbg = DBG_REQUEST;
}

bool node_dbg_busy(const struct node *n)
{
	return n->dbg != DBG_IDLE;
}

void node_wake(struct node *n)
{
	n->quiet = 0;
}
