// SPDX-License-Identifier: BSD-2-Clause
/*
 * Verbs traffic between two cards, every byte checked: all operations, several connections in both directions, scatter lists,
 * in-line data, Immediate Data, unsignalled work, over whatever wire and host the options ask for (see sim/lockstep/README.md), or for one
 * operation of each kind with +smoke.
 *
 * Each operation has bytes of its own in source and destination, so the end state is known whatever the order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep.h"

#define MAX_PAIRS 256
#define DEPTH 32       /* operations under way per QP, at most */
#define LW (1 << WEFT_ACCESS_LOCAL_WRITE)
#define LR (1 << WEFT_ACCESS_LOCAL_READ)
#define RW (1 << WEFT_ACCESS_REMOTE_WRITE)
#define RR (1 << WEFT_ACCESS_REMOTE_READ)

struct op {
	uint8_t opcode;
	bool signaled, is_inline, used;
	bool solicited; /* Immediate Data */
	uint16_t index, slot;
	uint32_t len;
	uint64_t pattern;
};

/* one direction of a connection: this end sends */
struct end {
	struct ls_host *host;
	struct ls_qp *qp;
	struct ls_cq *scq, *rcq;
	struct ls_mr *src, *dst; /* what this end sends from and receives into; DEPTH slots */
	struct end *peer;
	struct op ops[DEPTH];
	unsigned int head, tail; /* of ops */
	unsigned int started, wanted, recvs, recvs_seen;
	uint16_t recv_next;         /* index of the receive that completes next */
	struct op recv_of[1 << 12]; /* what takes it, by receive index */
	bool recv_open[DEPTH];      /* what was received into this slot has not been looked at */
	uint64_t bytes;
};

static struct lockstep *ls;
static struct end ends[2 * MAX_PAIRS + 2];
static unsigned int pairs = 4, depth = DEPTH, max_len = 20000; /* operations under way per QP, their length */
static unsigned int slot_bytes = 20480;                          /* of one operation in a region */
static uint64_t completions;
static bool finished;

static uint64_t pushed; /* rung in a push line */
static bool can_push;   /* the card has push lines, and takes doorbells that come in one write */
static uint32_t below(uint32_t n) { return (uint32_t)(ls_random(ls) >> 20) % n; }

/* The station address, which firmware sets from MAC_SET. */
static void station(struct ls_host *h)
{
	uint64_t mac = ls_mac(h);

	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_MAC_LO, (uint32_t)mac);
	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_MAC_HI, (uint32_t)(mac >> 32) & 0xffff);
}

static void make_end(struct end *e, unsigned int host, unsigned int pd)
{
	/* page sizes from 4 KiB on, odd first bytes; direct ones too */
	struct ls_mr_attr src = { .bytes = depth * slot_bytes, .pd = pd, .access = LR | RR, .fbo = below(4096), .page_log2 = 12 + below(4),
				  .zero_based = below(2) };
	struct ls_mr_attr dst = { .bytes = depth * slot_bytes, .pd = pd, .access = LW | LR | RW, .fbo = below(4096),
				  .page_log2 = 12 + below(4), .direct = below(4) == 0 };
	struct ls_qp_attr qp = { .pd = pd, .page = 1 + below(8), .access = RW | RR, .sq_stride = WEFT_STRIDE_B128 + below(2),
				 .rq_stride = WEFT_STRIDE_B64 + below(3), .ird = 4, .ord = 4 };

	e->host = ls_host(ls, host);
	e->scq = ls_cq_create(e->host, 8, NULL, qp.page);
	e->rcq = ls_cq_create(e->host, 8, NULL, qp.page);
	qp.scq = e->scq;
	qp.rcq = e->rcq;
	e->qp = ls_qp_create(e->host, &qp);
	e->src = ls_mr_create(e->host, &src);
	e->dst = ls_mr_create(e->host, &dst);
}

/* Cuts len bytes at offset of mr into 1 to 4 pieces. */
static unsigned int cut(struct ls_sge *sge, struct ls_mr *mr, uint64_t offset, uint32_t len, unsigned int most)
{
	unsigned int n = 1 + below(most), i;

	for (i = 0; i < n; i++) {
		uint32_t part = i == n - 1 ? len : below(len + 1);

		sge[i] = (struct ls_sge){ .mr = mr, .offset = offset, .length = part };
		offset += part;
		len -= part;
	}
	return n;
}

static uint32_t random_len(void)
{
	switch (below(8)) {
	case 0: return 0;
	case 1: return below(64);
	case 2: return max_len < 1500 ? below(max_len) : 1400 + below(100);
	case 3: return below(max_len);
	default: return below(max_len < 3000 ? max_len : 3000);
	}
}

static void post_recv(struct end *e, unsigned int slot, const struct op *of)
{
	struct ls_sge sge[3];
	unsigned int n = cut(sge, e->dst, (uint64_t)slot * slot_bytes, max_len, 3);
	uint16_t i = ls_post_recv(e->qp, sge, n);

	if (!e->recvs++)
		e->recv_next = i;
	e->recv_of[i & 4095] = *of;
	e->recv_open[slot] = true;
	ls_ring_rq(e->qp);
}

static void start(struct end *e)
{
	struct op *o = &e->ops[e->head % depth];
	struct ls_send wr = { 0 };
	static const uint8_t kinds[] = { WEFT_SQ_OPCODE_WRITE, WEFT_SQ_OPCODE_WRITE, WEFT_SQ_OPCODE_SEND, WEFT_SQ_OPCODE_READ, WEFT_SQ_OPCODE_IMM };
	unsigned int often = depth < 8 ? depth : 8;
	uint8_t bytes[96];

	o->slot = (uint16_t)(e->head % depth);
	o->opcode = kinds[below(5)];
	o->len = o->opcode == WEFT_SQ_OPCODE_IMM ? 0 : random_len();
	o->solicited = o->opcode == WEFT_SQ_OPCODE_IMM && below(2);
	o->pattern = ls_random(ls);
	o->is_inline = o->opcode != WEFT_SQ_OPCODE_READ && o->opcode != WEFT_SQ_OPCODE_IMM && o->len <= 64 && below(2);
	/* the last of a batch is signalled, or the queue would fill up */
	o->signaled = below(3) != 0 || o->opcode == WEFT_SQ_OPCODE_READ || e->head % often == often - 1 ||
		      e->started + 1 == e->wanted;
	o->used = true;
	wr.opcode = o->opcode;
	wr.signaled = o->signaled;
	wr.read_fence = below(8) == 0;
	wr.solicited = o->solicited;
	if (o->opcode == WEFT_SQ_OPCODE_IMM) {
		wr.imm = (uint32_t)o->pattern;
		post_recv(e->peer, o->slot, o);
	} else if (o->opcode == WEFT_SQ_OPCODE_READ) {
		ls_mr_fill(e->peer->src, (uint64_t)o->slot * slot_bytes, o->len, o->pattern);
		wr.num_sge = 1;
		wr.sge[0] = (struct ls_sge){ .mr = e->dst, .offset = (uint64_t)o->slot * slot_bytes, .length = o->len };
		wr.rstag = e->peer->src->stag;
		wr.raddr = e->peer->src->to + (uint64_t)o->slot * slot_bytes;
	} else {
		ls_mr_fill(e->src, (uint64_t)o->slot * slot_bytes, o->len, o->pattern);
		if (o->is_inline) {
			ls_mr_get(e->src, (uint64_t)o->slot * slot_bytes, bytes, o->len);
			wr.inline_bytes = bytes;
			wr.inline_length = o->len;
		} else {
			wr.num_sge = cut(wr.sge, e->src, (uint64_t)o->slot * slot_bytes, o->len, 4);
		}
		if (o->opcode == WEFT_SQ_OPCODE_WRITE) {
			wr.rstag = e->peer->dst->stag;
			wr.raddr = e->peer->dst->to + (uint64_t)o->slot * slot_bytes;
		} else {
			post_recv(e->peer, o->slot, o);
		}
	}
	o->index = ls_post_send(e->qp, &wr);
	e->head++;
	e->started++;
	e->bytes += o->len;
	/* some with their WQE, which the card takes or not; some of them torn; some with another doorbell */
	if (can_push && below(8) == 0)
		ls_ring_both(e->qp);
	else if (below(2))
		ls_ring_sq(e->qp);
	else
		pushed++, ls_push_sq(e->qp, below(5) ? 0 : 8 * (1 + below(7)));
}

/* A peer's memory is looked at when this end knows of a write there. It may still be on its way from the card, for long when the
 * card has no credits: the answer of a register comes behind it. */
static void arrived(struct ls_host *h)
{
	if (weft_rc_config(ls_rc(h))->starve_max)
		ls_reg_read(h, WEFT_REG_ID);
}

/* What was acknowledged may still lie in the peer's receive ring. */
static void landed(struct end *peer, uint64_t at, uint32_t len, uint64_t pattern)
{
	for (unsigned int i = 0; i < 2000 && !ls_mr_same(peer->dst, at, len, pattern); i++)
		ls_run(ls, 50);
	ls_mr_check(peer->dst, at, len, pattern);
}

static void check_peer(struct end *e, const struct op *o)
{
	arrived(e->peer->host);
	landed(e->peer, (uint64_t)o->slot * slot_bytes, o->len, o->pattern);
}

static struct op *op_of(struct end *e, uint16_t index)
{
	while (e->tail != e->head) {
		struct op *o = &e->ops[e->tail % depth];

		/* an unsignalled one before this is complete too */
		if (o->index == index)
			return o;
		LS_CHECK(ls, !o->signaled);
		if (o->opcode == WEFT_SQ_OPCODE_WRITE)
			check_peer(e, o);
		o->used = false;
		e->tail++;
	}
	ls_fail(ls, "completion of index %u that is not under way", index);
}

static void finish(struct end *e, const struct ls_wc *wc)
{
	struct op *o = op_of(e, wc->index);

	if (wc->status != WEFT_WC_STATUS_SUCCESS)
		ls_fail(ls, "QP %u index %u opcode %u: status %u vendor %#x", wc->qpn, wc->index, o->opcode, wc->status,
			wc->vendor_err);
	LS_CHECK(ls, wc->qpn == ls_qpn(e->qp));
	if (o->opcode == WEFT_SQ_OPCODE_READ)
		ls_mr_check(e->dst, (uint64_t)o->slot * slot_bytes, o->len, o->pattern);
	else
		check_peer(e, o);
	o->used = false;
	e->tail++;
	completions++;
}

static bool poll_all(void *arg)
{
	bool done = true;

	(void)arg;
	for (unsigned int i = 0; i < 2 * pairs; i++) {
		struct end *e = &ends[i];
		struct ls_wc wc;

		while (ls_cq_poll(e->scq, &wc))
			finish(e, &wc);
		while (ls_cq_poll(e->rcq, &wc)) {
			const struct op *o = &e->recv_of[wc.index & 4095];
			bool imm = wc.opcode == WEFT_WC_OPCODE_RECV_IMM;

			if (wc.status != WEFT_WC_STATUS_SUCCESS || imm != (o->opcode == WEFT_SQ_OPCODE_IMM) || (!imm && wc.opcode != WEFT_WC_OPCODE_RECV) ||
			    wc.bytes != o->len || wc.inv_stag != (imm ? (uint32_t)o->pattern : 0) || wc.solicited != o->solicited)
				ls_fail(ls, "receive on QP %u index %u: opcode %u status %u vendor %#x", wc.qpn, wc.index, wc.opcode,
					wc.status, wc.vendor_err);
			/* receives complete in the order of the sends; the data is there before the completion */
			LS_CHECK(ls, wc.index == e->recv_next && wc.qpn == ls_qpn(e->qp));
			e->recv_next++;
			e->recvs_seen++;
			ls_mr_check(e->dst, (uint64_t)o->slot * slot_bytes, o->len, o->pattern);
			e->recv_open[o->slot] = false;
		}
		/* the slot of a Send's or Read's bytes must be free in both directions, and what was received there looked at */
		while (e->started < e->wanted && e->head - e->tail < depth && below(4)) {
			unsigned int slot = e->head % depth;

			if (e->peer->ops[slot].used || e->recv_open[slot] || e->peer->recv_open[slot])
				break;
			start(e);
		}
		if (e->started < e->wanted || e->head != e->tail || e->recvs_seen != e->recvs)
			done = false;
	}
	return done;
}

/* Writes from a region that is invalidated behind them, and others behind that. What the region was is touched no more. */
static void invalidate(struct end *e, bool refused)
{
	struct ls_mr_attr attr = { .bytes = 2 * slot_bytes, .pd = e->src->attr.pd, .access = LR, .fbo = below(4096), .qpn = ls_qpn(e->qp) };
	struct ls_mr *mr = ls_mr_create(e->host, &attr);
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .rstag = e->peer->dst->stag, .raddr = e->peer->dst->to };
	struct ls_send inv = { .opcode = WEFT_SQ_OPCODE_LOCAL_INV, .signaled = true, .rstag = mr->stag };
	uint64_t pattern = ls_random(ls);
	struct ls_wc wc;

	ls_mr_fill(mr, 0, 2 * max_len, pattern);
	for (unsigned int i = 0; i < 2; i++) {
		wr.raddr = e->peer->dst->to + (uint64_t)i * max_len;
		wr.num_sge = cut(wr.sge, mr, (uint64_t)i * max_len, max_len, 2);
		ls_post_send(e->qp, &wr);
	}
	ls_post_send(e->qp, &inv);
	wr.raddr = e->peer->dst->to + 2 * (uint64_t)max_len;
	wr.num_sge = cut(wr.sge, refused ? mr : e->src, 0, max_len, 2);
	if (!refused)
		ls_mr_fill(e->src, 0, max_len, pattern + 1);
	ls_post_send(e->qp, &wr);
	ls_ring_sq(e->qp);
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int status = refused && i == 3 ? WEFT_WC_STATUS_LOC_PROT_ERR : WEFT_WC_STATUS_SUCCESS;

		wc = ls_cq_wait(e->scq);
		if (wc.status != status || (!status && wc.opcode != (i == 2 ? WEFT_WC_OPCODE_LOCAL_INV : WEFT_WC_OPCODE_WRITE)))
			ls_fail(ls, "%u around LOCAL_INV: opcode %u status %u", i, wc.opcode, wc.status);
		if (i == 2)
			ls_mr_take_back(mr, "LOCAL_INV is complete");
	}
	arrived(e->peer->host);
	landed(e->peer, 0, 2 * max_len, pattern);
}

/*
 * A Read whose own sink is refused, between one that is good and a Write: it completes with the status that says so, and what may not
 * be written is not touched. how: 0 the region may not be written, 1 it ends too soon, 2 it is none.
 */
static void refused_read(struct end *e, unsigned int how)
{
	uint32_t len = 1 + below(max_len - 1);
	struct ls_mr_attr attr = { .bytes = max_len, .pd = e->src->attr.pd, .access = how ? LW | LR | RW : LR, .fbo = below(4096) };
	struct ls_mr *mr = ls_mr_create(e->host, &attr);
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_READ, .signaled = true, .num_sge = 1, .rstag = e->peer->src->stag, .raddr = e->peer->src->to };
	static const uint8_t want[] = { WEFT_WC_STATUS_SUCCESS, WEFT_WC_STATUS_LOC_PROT_ERR };

	ls_mr_fill(e->peer->src, 0, max_len, 1);
	ls_mr_fill(mr, 0, max_len, 2);
	wr.sge[0] = (struct ls_sge){ .mr = e->dst, .length = max_len };
	ls_post_send(e->qp, &wr);
	wr.sge[0] = (struct ls_sge){ .mr = mr, .offset = how == 1 ? max_len - len + 1 : 0, .length = len };
	if (how == 2)
		ls_mr_state(mr, WEFT_TPT_STATE_INVALID);
	ls_post_send(e->qp, &wr);
	ls_ring_sq(e->qp);
	for (unsigned int i = 0; i < 2; i++) {
		struct ls_wc wc = ls_cq_wait(e->scq);

		if (wc.status != want[i] || (!i && wc.opcode != WEFT_WC_OPCODE_READ))
			ls_fail(ls, "Read %u of a sink that is refused (%u): opcode %u status %u", i, how, wc.opcode, wc.status);
		if (!i)
			ls_mr_check(e->dst, 0, max_len, 1);
	}
	ls_run(ls, 2000);
	/* segments in front of the one that is beyond the end are placed */
	ls_mr_check(mr, 0, how == 1 ? max_len - len + 1 : max_len, 2);
}

/* Messages of more than 64 and 128 KiB, one of each kind. */
static void large(struct end *e)
{
	static const uint8_t kinds[] = { WEFT_SQ_OPCODE_SEND, WEFT_SQ_OPCODE_WRITE, WEFT_SQ_OPCODE_READ };
	uint32_t most = 300000;
	struct ls_mr_attr attr = { .bytes = most, .pd = e->src->attr.pd, .access = LW | LR | RW | RR, .fbo = below(4096), .page_log2 = 12 };
	struct ls_mr *here, *there;

	here = ls_mr_create(e->host, &attr);
	attr.pd = e->peer->src->attr.pd;
	attr.fbo = below(4096);
	there = ls_mr_create(e->peer->host, &attr);
	for (unsigned int i = 0; i < 3; i++) {
		uint32_t len = i ? 131073 + below(most - 131073) : 65537 + below(most - 65537);
		struct ls_mr *from = i == 2 ? there : here, *to = i == 2 ? here : there;
		struct ls_send wr = { .opcode = kinds[i], .signaled = true };
		struct ls_wc wc;

		ls_mr_fill(from, 0, len, i + 1);
		ls_mr_fill(to, 0, most, 0);
		if (i == 2) {
			wr.num_sge = 1;
			wr.sge[0] = (struct ls_sge){ .mr = here, .length = len };
		} else {
			wr.num_sge = cut(wr.sge, here, 0, len, 4);
		}
		wr.rstag = there->stag;
		wr.raddr = there->to;
		if (!i) {
			struct ls_sge sge[3];

			ls_post_recv(e->peer->qp, sge, cut(sge, there, 0, most, 3));
			ls_ring_rq(e->peer->qp);
		}
		ls_post_send(e->qp, &wr);
		ls_ring_sq(e->qp);
		if (!i) {
			wc = ls_cq_wait(e->peer->rcq);
			if (wc.status != WEFT_WC_STATUS_SUCCESS || wc.opcode != WEFT_WC_OPCODE_RECV || wc.bytes != len)
				ls_fail(ls, "a Send of %u bytes: opcode %u status %u, %u bytes", len, wc.opcode, wc.status, wc.bytes);
			ls_mr_check(there, 0, len, 1);
		}
		wc = ls_cq_wait(e->scq);
		if (wc.status != WEFT_WC_STATUS_SUCCESS)
			ls_fail(ls, "opcode %u of %u bytes: status %u", kinds[i], len, wc.status);
		if (i == 1) {
			arrived(e->peer->host);
			for (unsigned int k = 0; k < 2000 && !ls_mr_same(there, 0, len, 2); k++)
				ls_run(ls, 50);
		}
		ls_mr_check(to, 0, len, i + 1);
		if (len < most)
			LS_CHECK(ls, !ls_mr_same(to, len, most - len, i + 1));
		printf("# opcode %u of %u bytes at cycle %llu\n", kinds[i], len, (unsigned long long)ls_cycles(ls));
	}
}

/* What each card counted: read when something stands still. */
static void counters(void)
{
	if (!ls || finished)
		return;
	finished = true;
	printf("# a.dst stag %08x to %llx  b.src stag %08x to %llx\n", ends[0].dst->stag, (unsigned long long)ends[0].dst->to,
	       ends[1].src->stag, (unsigned long long)ends[1].src->to);
	ls_print_counters(ls);
	ls_free(ls);
}

/* Onto a queue of which all is done: in one piece its WQE is sure to be taken, and of a torn line the doorbell counts. */
static void push_alone(struct end *e)
{
	for (unsigned int i = 0; i < 8; i++) {
		uint64_t lines = ls_stat(e->host, WEFT_STAT_push_lines), taken = ls_stat(e->host, WEFT_STAT_push_taken), pattern = ls_random(ls);
		uint32_t len = i & 1 ? 1 + below(24) : 1 + below(max_len - 1), torn = i < 4 ? 0 : 8 * (1 + below(7));
		uint8_t bytes[24];
		struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .rstag = e->peer->dst->stag, .raddr = e->peer->dst->to };
		struct ls_wc wc;

		ls_mr_fill(e->src, 0, len, pattern);
		if (i & 1) {
			ls_mr_get(e->src, 0, bytes, len);
			wr.inline_bytes = bytes;
			wr.inline_length = len;
		} else {
			wr.num_sge = 1;
			wr.sge[0] = (struct ls_sge){ .mr = e->src, .length = len };
		}
		ls_settle(ls, 100000);
		ls_post_send(e->qp, &wr);
		ls_push_sq(e->qp, torn);
		pushed++;
		wc = ls_cq_wait(e->scq);
		LS_CHECK(ls, wc.status == WEFT_WC_STATUS_SUCCESS && wc.opcode == WEFT_WC_OPCODE_WRITE);
		arrived(e->peer->host);
		landed(e->peer, 0, len, pattern);
		lines = ls_stat(e->host, WEFT_STAT_push_lines) - lines;
		taken = ls_stat(e->host, WEFT_STAT_push_taken) - taken;
		if (lines != 1 || taken != (can_push && !torn))
			ls_fail(ls, "a line onto an empty queue, %u bytes first: %llu lines, %llu taken", torn ? torn : 64, (unsigned long long)lines, (unsigned long long)taken);
	}
}

static void smoke(void)
{
	struct end *e = &ends[0];
	static const uint32_t sizes[] = { 1, 8, 64, 1000, 4096, 19999 };
	uint8_t eight[8] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 }, got[8];
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .inline_bytes = eight, .inline_length = 8,
			      .rstag = e->peer->dst->stag, .raddr = e->peer->dst->to + 5 };
	struct ls_wc wc;

	ls_post_send(e->qp, &wr);
	ls_ring_sq(e->qp);
	wc = ls_cq_wait(e->scq);
	arrived(e->peer->host);
	ls_mr_get(e->peer->dst, 5, got, 8);
	LS_CHECK(ls, wc.status == WEFT_WC_STATUS_SUCCESS && !memcmp(eight, got, 8));
	printf("# in-line write of 8 bytes at cycle %llu\n", (unsigned long long)ls_cycles(ls));
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(*sizes) && sizes[i] < max_len; i++) {
		ls_mr_fill(e->src, 0, sizes[i], i + 1);
		LS_CHECK(ls, ls_write(e->qp, e->src, 0, e->peer->dst, 0, sizes[i]).status == WEFT_WC_STATUS_SUCCESS);
		arrived(e->peer->host);
		landed(e->peer, 0, sizes[i], i + 1);
		printf("# write of %u bytes at cycle %llu\n", sizes[i], (unsigned long long)ls_cycles(ls));
		ls_mr_fill(e->peer->src, 7, sizes[i], i + 100);
		LS_CHECK(ls, ls_read(e->qp, e->dst, 3, e->peer->src, 7, sizes[i]).status == WEFT_WC_STATUS_SUCCESS);
		ls_mr_check(e->dst, 3, sizes[i], i + 100);
		printf("# read of %u bytes at cycle %llu\n", sizes[i], (unsigned long long)ls_cycles(ls));
	}
}

int main(int argc, char **argv)
{
	unsigned int wanted = 200;
	uint64_t budget = 400000000;
	bool only_smoke = false, impaired = false;
	struct ls_options o;
	int keep = 1;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "+pairs=", 7))
			pairs = (unsigned int)atoi(argv[i] + 7);
		else if (!strncmp(argv[i], "+ops=", 5))
			wanted = (unsigned int)atoi(argv[i] + 5);
		else if (!strncmp(argv[i], "+depth=", 7))
			depth = (unsigned int)atoi(argv[i] + 7);
		else if (!strncmp(argv[i], "+max=", 5))
			slot_bytes = (max_len = (unsigned int)atoi(argv[i] + 5)) + 480;
		else if (!strncmp(argv[i], "+budget=", 8))
			budget = strtoull(argv[i] + 8, NULL, 0);
		else if (!strcmp(argv[i], "+impaired"))
			impaired = true;
		else if (!strcmp(argv[i], "+smoke"))
			only_smoke = true;
		else
			argv[keep++] = argv[i];
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!pairs || pairs > MAX_PAIRS || !depth || depth > DEPTH || max_len < 64)
		return 2;
	o = ls_defaults(keep, argv);
	o.memory_bytes = 256u << 20;
	ls = ls_new(&o);
	ls_patience(ls, 3000000);
	atexit(counters);
	station(ls_host(ls, 0));
	station(ls_host(ls, 1));
	for (unsigned int i = 0; i < pairs; i++) {
		struct ls_link_attr link = { .mtu = i % 3 == 1 ? 9000 : i % 3 == 2 ? 1500 : 4096, .no_crc = i % 5 == 4, .vlan = i % 7 == 6,
					     .no_hold = true };

		make_end(&ends[2 * i], 0, 10 + i);
		make_end(&ends[2 * i + 1], 1, 50 + i);
		ends[2 * i].peer = &ends[2 * i + 1];
		ends[2 * i + 1].peer = &ends[2 * i];
		ls_connect(ends[2 * i].qp, ends[2 * i + 1].qp, &link);
	}
	can_push = ls_reg_read(ls_host(ls, 0), WEFT_REG_FEATURES) >> WEFT_FEATURE_PUSH & 1;
	smoke();
	if (!impaired) {
		push_alone(&ends[0]);
		push_alone(&ends[1]);
		if (!only_smoke)
			large(&ends[below(2)]);
	}
	if (depth > 2) {
		/* the last QP ends with it; what is lost in front of that nobody sends again without firmware, which resets it */
		struct end *last = &ends[2 * pairs];

		for (unsigned int i = 0; i < (only_smoke ? 1 : 8); i++)
			invalidate(&ends[i % (2 * pairs)], false);
		if (!impaired) {
			make_end(&last[0], 0, 30);
			make_end(&last[1], 1, 31);
			last[0].peer = &last[1];
			last[1].peer = &last[0];
			ls_connect(last[0].qp, last[1].qp, NULL);
			invalidate(last, true);
			for (unsigned int i = 0; i < 3; i++) {
				/* the peer's half lies there with what it had: new ones */
				make_end(&last[0], i & 1, 32 + 2 * i);
				make_end(&last[1], !(i & 1), 33 + 2 * i);
				ls_connect(last[0].qp, last[1].qp, NULL);
				refused_read(last, i);
			}
		}
	}
	if (!only_smoke) {
		uint64_t bytes = 0;

		for (unsigned int i = 0; i < 2 * pairs; i++)
			ends[i].wanted = wanted;
		if (!ls_run_until(ls, poll_all, NULL, budget))
			ls_fail(ls, "not finished: %llu completions", (unsigned long long)completions);
		for (unsigned int i = 0; i < 2 * pairs; i++)
			bytes += ends[i].bytes;
		printf("# %u operations, %llu bytes on %u connections\n", 2 * pairs * wanted, (unsigned long long)bytes, pairs);
	}
	if (!only_smoke) {
		uint64_t lines = 0, taken = 0;

		for (unsigned int i = 0; i < 2; i++) {
			lines += ls_stat(ls_host(ls, i), WEFT_STAT_push_lines);
			taken += ls_stat(ls_host(ls, i), WEFT_STAT_push_taken);
		}
		printf("# %llu rung in push lines, %llu WQEs taken from there\n", (unsigned long long)lines, (unsigned long long)taken);
		if (can_push)
			LS_CHECK(ls, taken < lines && (taken || impaired)); /* behind a loss all queues stand full: there it is luck */
		else
			LS_CHECK(ls, !taken);
		LS_CHECK(ls, lines == pushed);
	}
	for (unsigned int i = 0; i < 2; i++) {
		const struct ls_host_stats *s = ls_host_stats(ls_host(ls, i));

		LS_CHECK(ls, s->bad_reads == 0 && s->bad_writes == 0 && s->faults == 0);
	}
	/* A wire that was to be bad has been, and what it spoiled was sent again. */
	if (impaired) {
		uint64_t spoiled = 0, again = 0;

		for (unsigned int i = 0; i < 2; i++) {
			const struct impair_stats *w = ls_wire_stats(ls, i);

			spoiled += w->lost + w->corrupted;
			again += ls_stat(ls_host(ls, i), WEFT_STAT_tcp_retransmits);
		}
		printf("# %llu frames lost, %llu segments sent again\n", (unsigned long long)spoiled, (unsigned long long)again);
		LS_CHECK(ls, spoiled && again);
	}
	printf("# %llu cycles, trace %016llx\n", (unsigned long long)ls_cycles(ls), (unsigned long long)ls_trace_hash(ls));
	finished = true;
	ls_free(ls);
	return 0;
}
