// SPDX-License-Identifier: BSD-2-Clause
/*
 * A shared receive queue in two whole cards with firmware: several connections take from it, WQEs are posted wherever one is free, and
 * every byte is compared. It runs empty while all of them send: nobody ends, another connection goes on, and one WQE after the other
 * brings all there. The limit is told once; what waits comes though its senders close, and the receiver hears of that behind it; the queue
 * cannot be destroyed while a queue pair has it.
 *
 * srq +rounds=N [--seed N] [--adversary ...] [--wire ...]; FW: the image
 */
#include <stdio.h>

#include "cards.h"

#define PAIRS 6u
#define LOG2 4u
#define ENTRIES (1u << LOG2)
#define SRQN 4u
#define BUF 6000u
#define DEPTH 16u /* Sends of a connection that wait */
#define PD_QP 40u
#define PD_SRQ 41u
#define PAGE 1u
#define LW (1 << WEFT_ACCESS_LOCAL_WRITE)
#define LR (1 << WEFT_ACCESS_LOCAL_READ)
#define RW (1 << WEFT_ACCESS_REMOTE_WRITE)

static struct lockstep *ls;
static struct card cards[2], *ends[2] = { &cards[0], &cards[1] };
static struct ls_cq *scq, *rcq;
static struct pair {
	struct ls_qp *q[2];
	struct { uint8_t *bytes; unsigned int len; } m[4096];
	unsigned int sent, got, acked;
	uint32_t handle[2];
} pairs[PAIRS + 1]; /* the last one has a receive queue of its own */
static struct ls_mem ring;
static struct ls_mr *bufs, *from, *plain;
static bool used[ENTRIES];
static uint16_t posted;
static unsigned int n_got, n_limits, n_closed;
static bool closing;

static uint32_t below(uint32_t n) { return (uint32_t)(ls_random(ls) >> 20) % n; }

static unsigned int srq_admin(unsigned int op, unsigned int limit)
{
	uint8_t c[64] = { 0 }, rsp[64];

	LS_SET(c, WEFT_ADMIN_CMD_OP, op);
	LS_SET(c, WEFT_ADMIN_SRQ_ID, SRQN);
	LS_SET(c, WEFT_ADMIN_SRQ_LOG2, LOG2);
	LS_SET(c, WEFT_ADMIN_SRQ_DB_PAGE, PAGE);
	LS_SET(c, WEFT_ADMIN_SRQ_LIMIT, limit);
	return ls_admin(cards[1].h, c, rsp);
}

static unsigned int n_free(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < ENTRIES; i++)
		n += !used[i];
	return n;
}

static void post_recvs(unsigned int n)
{
	for (n = n < n_free() ? n : n_free(); n; n--) {
		unsigned int i = below(ENTRIES);
		uint8_t *e, *order = ring.p + 64 * ENTRIES + (posted % ENTRIES) * WEFT_SRQ_ORDER_BYTES;

		while (used[i])
			i = (i + 1) % ENTRIES;
		used[i] = true;
		e = ring.p + 64 * i;
		memset(e, 0, 64);
		LS_SET(e, WEFT_RQE_NUM_SGE, 1);
		LS_SET(e, WEFT_RQE_INDEX, i);
		LS_SET(e, WEFT_RQE_LENGTH, BUF);
		LS_SET(e + WEFT_RQE_BYTES, WEFT_SGE_ADDR, bufs->to + i * BUF);
		LS_SET(e + WEFT_RQE_BYTES, WEFT_SGE_LENGTH, BUF);
		LS_SET(e + WEFT_RQE_BYTES, WEFT_SGE_LKEY, bufs->stag);
		LS_SET(order, WEFT_SRQ_ORDER_SLOT, i);
		posted++;
	}
	ls_doorbell(cards[1].h, PAGE, WEFT_DB_SRQ, (uint64_t)posted << 32 | SRQN);
}

static void send(struct pair *p)
{
	unsigned int len = below(4) ? 1 + below(300) : 1 + below(BUF), at = (unsigned int)(p - pairs) * BUF * DEPTH + p->sent % DEPTH * BUF;
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_SEND, .signaled = true, .num_sge = 1, .sge[0] = { .mr = from, .offset = at, .length = len } };

	ls_mr_fill(from, at, len, ls_random(ls));
	p->m[p->sent].len = len;
	p->m[p->sent].bytes = malloc(len);
	ls_mr_get(from, at, p->m[p->sent++].bytes, len);
	ls_post_send(p->q[0], &wr);
	ls_ring_sq(p->q[0]);
}

static void events(void)
{
	unsigned int kind, code;

	while (card_arrived(&cards[1])) {
		uint32_t id = card_next(&cards[1], &kind, &code);

		if (closing && kind == WEFT_EQE_TYPE_CM_DISCONNECT) {
			for (unsigned int k = 0; k < PAIRS; k++)
				if (pairs[k].handle[1] == id && pairs[k].got != pairs[k].sent)
					ls_fail(ls, "connection %u: its end is told, and %u of %u messages came", k, pairs[k].got, pairs[k].sent);
			n_closed++;
			continue;
		}
		if (closing && (kind == WEFT_EQE_TYPE_CM_CLOSE || kind == WEFT_EQE_TYPE_LAST_WQE))
			continue;
		if (kind != WEFT_EQE_TYPE_SRQ_LIMIT || id != SRQN)
			ls_fail(ls, "event %u code %u of %u", kind, code, id);
		n_limits++;
	}
	while (closing && card_arrived(&cards[0]))
		card_next(&cards[0], &kind, &code);
	if (card_arrived(&cards[0]))
		ls_fail(ls, "host 0: event %u", card_next(&cards[0], &kind, &code));
}

/* What has completed. */
static void poll(void)
{
	static uint8_t b[BUF];
	struct ls_wc wc;

	while (ls_cq_poll(scq, &wc)) {
		LS_CHECK(ls, wc.status == WEFT_WC_STATUS_SUCCESS);
		for (unsigned int k = 0; k <= PAIRS; k++)
			pairs[k].acked += ls_qpn(pairs[k].q[0]) == wc.qpn;
	}
	while (ls_cq_poll(rcq, &wc)) {
		unsigned int k = 0;

		while (k <= PAIRS && ls_qpn(pairs[k].q[1]) != wc.qpn)
			k++;
		LS_CHECK(ls, k <= PAIRS && wc.status == WEFT_WC_STATUS_SUCCESS && pairs[k].got < pairs[k].sent);
		if (k == PAIRS) {
			pairs[k].got++;
			continue;
		}
		LS_CHECK(ls, wc.index < ENTRIES && used[wc.index] && wc.bytes == pairs[k].m[pairs[k].got].len);
		ls_mr_get(bufs, wc.index * BUF, b, wc.bytes);
		if (memcmp(b, pairs[k].m[pairs[k].got].bytes, wc.bytes))
			ls_fail(ls, "QP %u: message %u in WQE %u: other bytes", wc.qpn, pairs[k].got, wc.index);
		free(pairs[k].m[pairs[k].got++].bytes);
		used[wc.index] = false;
		n_got++;
	}
	events();
}

static bool all_got(void)
{
	for (unsigned int k = 0; k < PAIRS; k++)
		if (pairs[k].got != pairs[k].sent || pairs[k].acked != pairs[k].sent)
			return false;
	return true;
}

static void qp_create(struct pair *p, bool shared)
{
	struct ls_qp_attr qa = { .pd = PD_QP, .page = PAGE, .access = RW, .ird = CARD_READS, .ord = CARD_READS, .scq = scq, .rcq = scq };
	uint8_t c[64] = { 0 }, rsp[64];

	p->q[0] = ls_qp_create(cards[0].h, &qa);
	card_qp(ends[0], p->q[0], scq, PD_QP, PAGE, RW);
	qa.scq = qa.rcq = rcq;
	p->q[1] = ls_qp_create(cards[1].h, &qa);
	if (!shared) {
		card_qp(ends[1], p->q[1], rcq, PD_QP, PAGE, RW);
		return;
	}
	LS_SET(c, WEFT_ADMIN_QP_QPN, ls_qpn(p->q[1]));
	LS_SET(c, WEFT_ADMIN_QP_SQ_BASE, ls_qp_sq(p->q[1]).bus);
	LS_SET(c, WEFT_ADMIN_QP_RQ_BASE, ring.bus);
	LS_SET(c, WEFT_ADMIN_QP_SQ_LOG2, 6);
	LS_SET(c, WEFT_ADMIN_QP_RQ_LOG2, LOG2);
	LS_SET(c, WEFT_ADMIN_QP_SCQN, ls_cq_number(rcq));
	LS_SET(c, WEFT_ADMIN_QP_RCQN, ls_cq_number(rcq));
	LS_SET(c, WEFT_ADMIN_QP_PD, PD_QP);
	LS_SET(c, WEFT_ADMIN_QP_DB_PAGE, PAGE);
	LS_SET(c, WEFT_ADMIN_QP_ACCESS, RW);
	LS_SET(c, WEFT_ADMIN_QP_IRD, CARD_READS);
	LS_SET(c, WEFT_ADMIN_QP_ORD, CARD_READS);
	LS_SET(c, WEFT_ADMIN_QP_FLAGS, 2);
	LS_SET(c, WEFT_ADMIN_QP_SRQN, SRQN);
	LS_SET(c, WEFT_ADMIN_QP_SRQ_PD, PD_SRQ);
	card_admin(ends[1], c, WEFT_ADMIN_OP_QP_CREATE, rsp);
}

/*
 * What is lost last, and what was refused before there was a ring for it, comes again by the sender's time-out: 200 ms for one that knows
 * little of the way. Until then both cards are quiet, and the time costs nothing.
 */
static bool hasty;
static void turn(unsigned int n) { ls_run(ls, hasty && n < 500 ? 2000 : 200000); }

static void start(void)
{
	struct ls_mr_attr attr = { .bytes = (PAIRS + 1) * DEPTH * BUF, .access = LR | LW, .pd = PD_QP };
	for (unsigned int k = 0; k < 2; k++)
		card_start(ends[k], ls, k, 1500, 0);
	LS_CHECK(ls, ls_reg_read(cards[1].h, WEFT_REG_CAP_SRQ) > SRQN);
	scq = ls_cq_create(cards[0].h, 10, NULL, PAGE);
	rcq = ls_cq_create(cards[1].h, 10, NULL, PAGE);
	from = ls_mr_create(cards[0].h, &attr);
	attr = (struct ls_mr_attr){ .bytes = ENTRIES * BUF, .access = LR | LW, .pd = PD_SRQ };
	bufs = ls_mr_create(cards[1].h, &attr);
	attr.bytes = BUF;
	attr.pd = PD_QP;
	attr.access |= RW;
	plain = ls_mr_create(cards[1].h, &attr);
	ring = ls_alloc(cards[1].h, (64 + WEFT_SRQ_ORDER_BYTES) * ENTRIES);
	ls_give(cards[1].h, &ring, 0, (64 + WEFT_SRQ_ORDER_BYTES) * ENTRIES, LS_CARD_READS, "shared receive queue");
	LS_CHECK(ls, srq_admin(WEFT_ADMIN_OP_SRQ_CREATE, 0) == WEFT_ADMIN_STATUS_OK);
	card_listen(ends[1]);
	for (unsigned int k = 0; k <= PAIRS; k++) {
		qp_create(&pairs[k], k < PAIRS);
		card_join(ends, pairs[k].q[0], pairs[k].q[1], (uint16_t)(41000 + k), pairs[k].handle);
	}
}

int main(int argc, char **argv)
{
	unsigned int rounds = 40, was, left;
	struct ls_options o;
	int keep = 1;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "+rounds=", 8))
			rounds = (unsigned int)atoi(argv[i] + 8);
		else
			argv[keep++] = argv[i];
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	o = ls_defaults(keep, argv);
	ls = ls_new(&o);
	hasty = !o.wire;
	ls_patience(ls, 4000000);
	start();

	/* Taken as it comes; now and then there is nothing. */
	post_recvs(ENTRIES);
	for (unsigned int n = 0; n < rounds;) {
		struct pair *p = &pairs[below(PAIRS)];

		if (p->sent - p->acked < DEPTH - 1 && p->sent - p->got < DEPTH - 1) {
			send(p);
			n++;
		}
		ls_run(ls, below(3000));
		poll();
		if (!below(3))
			post_recvs(1 + below(6));
	}
	for (unsigned int n = 0; !all_got(); n++) {
		if (n > 4000)
			ls_fail(ls, "messages do not come: %u of QP 0, %u sent", pairs[0].got, pairs[0].sent);
		turn(n);
		poll();
		post_recvs(4);
	}
	printf("# %u messages over %u connections: cycle %llu\n", n_got, PAIRS, (unsigned long long)ls_cycles(ls));

	/* The limit: once. */
	post_recvs(ENTRIES);
	LS_CHECK(ls, srq_admin(WEFT_ADMIN_OP_SRQ_MODIFY, ENTRIES - 2) == WEFT_ADMIN_STATUS_OK);
	ls_run(ls, 20000);
	events();
	LS_CHECK(ls, n_limits == 0);
	was = n_got;
	for (unsigned int n = 0; n_got < was + ENTRIES; n++) {
		if (n < ENTRIES)
			send(&pairs[n % PAIRS]);
		if (n > 4000)
			ls_fail(ls, "the queue is not used up: %u of %u", n_got - was, ENTRIES);
		turn(n);
		poll();
	}
	ls_run(ls, 20000);
	events();
	LS_CHECK(ls, n_limits == 1);

	/* Empty: all of them send and wait, and the connection with a queue of its own does not. */
	was = n_got;
	for (unsigned int k = 0; k < PAIRS; k++)
		for (unsigned int n = 0; n < 3; n++)
			send(&pairs[k]);
	for (unsigned int n = 0; n < 200; n++) {
		struct ls_sge into = { .mr = plain, .length = BUF };

		if (pairs[PAIRS].got == pairs[PAIRS].sent && pairs[PAIRS].acked == pairs[PAIRS].sent && n < 160) {
			ls_post_recv(pairs[PAIRS].q[1], &into, 1);
			ls_ring_rq(pairs[PAIRS].q[1]);
			send(&pairs[PAIRS]);
		}
		ls_run(ls, 4000);
		poll();
	}
	LS_CHECK(ls, n_got == was);
	if (pairs[PAIRS].got < 10 && !o.wire)
		ls_fail(ls, "a connection beside those that wait: %u messages in 800,000 cycles", pairs[PAIRS].got);
	printf("# %u connections wait, %u messages beside them: cycle %llu\n", PAIRS, pairs[PAIRS].got, (unsigned long long)ls_cycles(ls));
	for (unsigned int n = 0; !all_got(); n++) {
		if (n > 4000)
			ls_fail(ls, "who waited does not go on: %u of %u", n_got - was, 3 * PAIRS);
		post_recvs(1);
		turn(n);
		poll();
	}
	LS_CHECK(ls, n_got == was + 3 * PAIRS && n_limits == 1);

	/* Senders that close when all is acknowledged: it waits in rings, and is nobody's to lose. */
	was = n_got;
	left = ENTRIES - n_free(); /* entries that nobody has taken */
	for (unsigned int n = 0; n < left + 2 * PAIRS; n++)
		send(&pairs[n % PAIRS]);
	for (unsigned int k = 0, n = 0; k < PAIRS;)
		if (pairs[k].acked == pairs[k].sent) {
			k++;
		} else {
			if (n > 4000)
				ls_fail(ls, "connection %u: %u of %u messages are acknowledged", k, pairs[k].acked, pairs[k].sent);
			turn(n++);
			poll();
		}
	closing = true;
	for (unsigned int k = 0; k < PAIRS; k++) {
		uint8_t c[64] = { 0 }, rsp[64];

		card_cm(ends[0], c, pairs[k].handle[0], 0);
		card_admin(ends[0], c, WEFT_ADMIN_OP_DISCONNECT, rsp);
	}
	for (unsigned int n = 0; n < 100; n++) {
		ls_run(ls, 4000);
		poll();
	}
	LS_CHECK(ls, n_got == was + left && n_closed < PAIRS);
	for (unsigned int n = 0; !all_got() || n_closed < PAIRS; n++) {
		if (n > 4000)
			ls_fail(ls, "senders that closed: %u of %u messages came, %u of %u ends", n_got - was, left + 2 * PAIRS, n_closed, PAIRS);
		post_recvs(1);
		turn(n);
		poll();
	}
	LS_CHECK(ls, n_got == was + left + 2 * PAIRS);
	printf("# %u senders closed, and their %u messages came: cycle %llu\n", n_closed, left + 2 * PAIRS, (unsigned long long)ls_cycles(ls));
	LS_CHECK(ls, srq_admin(WEFT_ADMIN_OP_SRQ_DESTROY, 0) == WEFT_ADMIN_STATUS_IN_USE);
	for (unsigned int k = 0; k < PAIRS; k++) {
		uint8_t c[64] = { 0 }, rsp[64];

		LS_SET(c, WEFT_ADMIN_QP_QPN, ls_qpn(pairs[k].q[1]));
		card_admin(ends[1], c, WEFT_ADMIN_OP_QP_DESTROY, rsp);
	}
	LS_CHECK(ls, srq_admin(WEFT_ADMIN_OP_SRQ_DESTROY, 0) == WEFT_ADMIN_STATUS_OK);
	LS_CHECK(ls, srq_admin(WEFT_ADMIN_OP_SRQ_DESTROY, 0) == WEFT_ADMIN_STATUS_NOT_FOUND);
	printf("# %u messages by a shared queue of %u, %llu cycles\n", n_got, ENTRIES, (unsigned long long)ls_cycles(ls));
	ls_free(ls);
	return 0;
}
