// SPDX-License-Identifier: BSD-2-Clause
/*
 * Two cards with firmware: queue pairs by admin commands, connections by handshake, every kind of message over them and every byte
 * compared, then a close.
 *
 * connect [+own] +pairs=N +ops=N +first=QPN +mtu=N [--seed N] [--adversary ...] [--wire ...]; FW: the image
 *
 * +own: both ends are the first card, which talks to its own address; no frame reaches the wire.
 *
 * +stream=N: then N Writes of 64 KiB over the first connection, DEPTH at a time, over a wire with what +wire=SETTINGS says; the rate of what landed is printed,
 * and +least=RATE (bytes a cycle) is needed.
 */
#include <stdio.h>

#include "cards.h"

#define MAX_PAIRS 16
#define LEN 9000u
#define STREAM_LEN 65536u
#define DEPTH 8u
#define LW (1 << WEFT_ACCESS_LOCAL_WRITE)
#define LR (1 << WEFT_ACCESS_LOCAL_READ)
#define RW (1 << WEFT_ACCESS_REMOTE_WRITE)
#define RR (1 << WEFT_ACCESS_REMOTE_READ)

static struct lockstep *ls;
static unsigned int pairs = 1, ops = 8, mtu = 1500, stream, first; /* first: QPN of the first pair, those behind it follow */
static struct card cards[2], *ends[2] = { &cards[0], &cards[1] };
static struct pair {
	struct ls_qp *q[2];
	struct ls_cq *cq[2];
	struct ls_mr *mr[2]; /* sent from 0 on, received from LEN on */
	uint32_t handle[2];
} all[MAX_PAIRS];

static void make(struct pair *p, unsigned int k, unsigned int pd)
{
	struct card *e = ends[k];
	struct ls_qp_attr qa = { .pd = pd, .page = 1, .access = RW | RR, .ird = CARD_READS, .ord = CARD_READS };
	struct ls_mr_attr mr = { .bytes = stream ? DEPTH * STREAM_LEN : 2 * LEN, .pd = pd, .access = LR | LW | RW | RR, .fbo = 64 * (pd % 40) };

	qa.qpn = first ? first + (unsigned int)(p - all) : 0;
	p->cq[k] = ls_cq_create(e->h, 8, NULL, 1);
	qa.scq = qa.rcq = p->cq[k];
	p->q[k] = ls_qp_create(e->h, &qa);
	p->mr[k] = ls_mr_create(e->h, &mr);
	card_qp(e, p->q[k], p->cq[k], pd, 1, RW | RR);
}

/* ---- messages ---- */

struct look {
	struct ls_mr *mr;
	uint64_t at, seed;
	uint32_t len;
};
static bool same(void *arg)
{
	const struct look *l = arg;

	return ls_mr_same(l->mr, l->at, l->len, l->seed);
}

static void message(struct pair *p, unsigned int k, unsigned int n)
{
	static const uint8_t kinds[] = { WEFT_SQ_OPCODE_WRITE, WEFT_SQ_OPCODE_SEND, WEFT_SQ_OPCODE_READ };
	uint8_t kind = kinds[n % 3];
	struct look l = { .len = 1 + (uint32_t)(ls_random(ls) >> 20) % (LEN - 1), .seed = ls_random(ls), .at = LEN };
	bool read = kind == WEFT_SQ_OPCODE_READ;
	struct ls_send wr = { .opcode = kind, .signaled = true, .num_sge = 1 };
	struct ls_wc wc;

	l.mr = p->mr[read ? k : !k];
	ls_mr_fill(p->mr[read ? !k : k], 0, l.len, l.seed);
	wr.sge[0] = (struct ls_sge){ .mr = p->mr[k], .offset = read ? LEN : 0, .length = l.len };
	if (kind == WEFT_SQ_OPCODE_SEND) {
		struct ls_sge into = { .mr = p->mr[!k], .offset = LEN, .length = LEN };

		ls_post_recv(p->q[!k], &into, 1);
		ls_ring_rq(p->q[!k]);
	} else {
		wr.rstag = p->mr[!k]->stag;
		wr.raddr = p->mr[!k]->to + (read ? 0 : LEN);
	}
	ls_post_send(p->q[k], &wr);
	ls_ring_sq(p->q[k]);
	wc = ls_cq_wait(p->cq[k]);
	if (wc.status || wc.qpn != ls_qpn(p->q[k]))
		ls_fail(ls, "host %u: QP %u opcode %u: status %u vendor %#x", k, wc.qpn, kind, wc.status, wc.vendor_err);
	if (kind == WEFT_SQ_OPCODE_SEND) {
		wc = ls_cq_wait(p->cq[!k]);
		LS_CHECK(ls, !wc.status && wc.opcode == WEFT_WC_OPCODE_RECV && wc.bytes == l.len);
	}
	if (!ls_run_until(ls, same, &l, 200000))
		ls_mr_check(l.mr, l.at, l.len, l.seed);
}

/* ---- a stream of Writes from host 0 to host 1 ---- */

static uint64_t stream_seed(unsigned int n) { return 1000 + n; }
static void stream_post(struct pair *p, unsigned int n)
{
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .num_sge = 1 };
	uint64_t at = (uint64_t)(n % DEPTH) * STREAM_LEN;

	ls_mr_fill(p->mr[0], at, STREAM_LEN, stream_seed(n));
	wr.sge[0] = (struct ls_sge){ .mr = p->mr[0], .offset = at, .length = STREAM_LEN };
	wr.rstag = p->mr[1]->stag;
	wr.raddr = p->mr[1]->to + at;
	ls_post_send(p->q[0], &wr);
	ls_ring_sq(p->q[0]);
}
/* A Write that is complete has landed: acknowledged is what is committed. */
static double streaming(struct pair *p)
{
	uint64_t start = ls_cycles(ls);
	unsigned int posted = 0;

	for (unsigned int done = 0; done < stream; done++) {
		struct look l = { .mr = p->mr[1], .at = (uint64_t)(done % DEPTH) * STREAM_LEN, .len = STREAM_LEN, .seed = stream_seed(done) };
		struct ls_wc wc;

		while (posted < stream && posted < done + DEPTH)
			stream_post(p, posted++);
		wc = ls_cq_wait(p->cq[0]);
		if (wc.status)
			ls_fail(ls, "Write %u: status %u vendor %#x", done, wc.status, wc.vendor_err);
		if (!ls_run_until(ls, same, &l, 200000))
			ls_mr_check(l.mr, l.at, l.len, l.seed);
	}
	return (double)stream * STREAM_LEN / (double)(ls_cycles(ls) - start);
}

static void part(struct pair *p)
{
	uint8_t c[64], rsp[64];

	card_cm(ends[0], c, p->handle[0], 0);
	card_admin(ends[0], c, WEFT_ADMIN_OP_DISCONNECT, rsp);
	LS_CHECK(ls, card_event(ends[1], WEFT_EQE_TYPE_CM_DISCONNECT) == p->handle[1]);
	card_cm(ends[1], c, p->handle[1], 0);
	card_admin(ends[1], c, WEFT_ADMIN_OP_DISCONNECT, rsp);
	card_events(ends, (const unsigned int[]){ WEFT_EQE_TYPE_CM_CLOSE, WEFT_EQE_TYPE_CM_CLOSE }, p->handle);
}

int main(int argc, char **argv)
{
	struct ls_options o;
	const char *wire = NULL;
	double least = 0, rate = 0;
	unsigned int again = 0;
	bool close = true;
	int keep = 1;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "+pairs=", 7))
			pairs = (unsigned int)atoi(argv[i] + 7);
		else if (!strncmp(argv[i], "+ops=", 5))
			ops = (unsigned int)atoi(argv[i] + 5);
		else if (!strncmp(argv[i], "+first=", 7))
			first = (unsigned int)atoi(argv[i] + 7);
		else if (!strncmp(argv[i], "+mtu=", 5))
			mtu = (unsigned int)atoi(argv[i] + 5);
		else if (!strncmp(argv[i], "+stream=", 8))
			stream = (unsigned int)atoi(argv[i] + 8);
		else if (!strncmp(argv[i], "+wire=", 6))
			wire = argv[i] + 6;
		else if (!strncmp(argv[i], "+again=", 7)) /* at most as many are sent again for each that is lost */
			again = (unsigned int)atoi(argv[i] + 7);
		else if (!strncmp(argv[i], "+least=", 7))
			least = atof(argv[i] + 7);
		else if (!strcmp(argv[i], "+own"))
			ends[1] = &cards[0], cards[0].own = true;
		else if (!strcmp(argv[i], "+open"))
			close = false;
		else
			argv[keep++] = argv[i];
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!pairs || pairs > MAX_PAIRS)
		return 2;
	o = ls_defaults(keep, argv);
	ls = ls_new(&o);
	ls_patience(ls, 4000000);
	for (unsigned int k = 0; k < 2; k++)
		card_start(ends[k], ls, k, mtu, 0);
	card_listen(ends[1]);
	for (unsigned int i = 0; i < pairs; i++) {
		make(&all[i], 0, 7 + i);
		make(&all[i], 1, 40 + i);
		card_join(ends, all[i].q[0], all[i].q[1], (uint16_t)(40000 + i), all[i].handle);
		printf("# connection %u: cycle %llu\n", i, (unsigned long long)ls_cycles(ls));
		message(&all[i], 0, 0);
		printf("# a Write over it: cycle %llu\n", (unsigned long long)ls_cycles(ls));
	}
	for (unsigned int n = 0; n < ops; n++)
		for (unsigned int i = 0; i < pairs; i++)
			message(&all[i], n & 1, n / 2);
	if (stream) {
		LS_CHECK(ls, !wire || !ls_wire_set(ls, wire));
		rate = streaming(&all[0]);
		printf("# %u Writes of 64 KiB: %.3f B/cycle\n", stream, rate);
		if (rate < least)
			ls_fail(ls, "%.3f B/cycle, at least %.3f is needed", rate, least);
		if (wire) {
			/* Behind one that is lost the peer keeps what comes, and tells it a little later: nothing of that is sent again. */
			const struct impair_stats *w = ls_wire_stats(ls, 0);
			uint64_t n = ls_stat(cards[0].h, WEFT_STAT_tcp_retransmits), lost = w->lost + w->corrupted;

			printf("# %llu frames lost, %llu segments sent again\n", (unsigned long long)lost, (unsigned long long)n);
			if (again && n > again * lost + 2)
				ls_fail(ls, "%llu segments sent again for %llu that were lost", (unsigned long long)n, (unsigned long long)lost);
		}
		ls_print_counters(ls);
	}
	printf("# messages: cycle %llu\n", (unsigned long long)ls_cycles(ls));
	for (unsigned int i = 0; i < pairs && close; i++)
		part(&all[i]);
	if (cards[0].own) {
		LS_CHECK(ls, ls_stat(cards[0].h, WEFT_STAT_eth_tx_frames) == 0);
		LS_CHECK(ls, ls_stat(cards[0].h, WEFT_STAT_eth_tx_own) > 2 * pairs * ops);
	}
	if (stream)
		printf("# %u Writes of 64 KiB, %.3f B/cycle\n", stream, rate);
	else
		printf("# %u connections, %u messages each, %llu cycles\n", pairs, ops + 1, (unsigned long long)ls_cycles(ls));
	ls_free(ls);
	return 0;
}
