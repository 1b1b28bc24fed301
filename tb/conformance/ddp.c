/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases 21 to 32: DDP. */
#include "conf.h"

/* One untagged segment, any header. */
static void untagged(struct link *l, unsigned int op, bool last, uint32_t qn, uint32_t msn, uint32_t mo, uint32_t n)
{
	static uint8_t d[2000];
	size_t h = ddp_untagged(d, op, last, 0, qn, msn, mo);

	fill(d + h, n, msn + mo);
	pc_fpdu(l->c, d, h + n, NULL);
}

static void want_recv(struct link *l, uint32_t bytes, const char *what)
{
	struct card_wc wc;

	NEED(card_wc(l->q, true, &wc, 2 * S) && !wc.status && wc.bytes == bytes, "%s: no completion, or not %u bytes", what, bytes);
}

/* 21, 22: MSN of Sends; four buffers are posted */
static void msn(unsigned int arg)
{
	struct link l = up(NULL);

	for (unsigned int i = 0; i < 4; i++)
		card_recv(l.q, l.m, 1000 * i, 1000);
	switch (arg) {
	case 0: /* 1, 2, 3 */
		for (unsigned int i = 1; i < 4; i++) {
			untagged(&l, OP_SEND, true, 0, i, 0, 100 + i);
			want_recv(&l, 100 + i, "Send");
		}
		break;
	case 1: /* first 2 */
		untagged(&l, OP_SEND, true, 0, 2, 0, 100);
		want_terminate(&l, 0x1203, 18);
		break;
	case 2: /* repeat */
		untagged(&l, OP_SEND, true, 0, 1, 0, 100);
		want_recv(&l, 100, "Send");
		untagged(&l, OP_SEND, true, 0, 1, 0, 100);
		want_terminate(&l, 0x1203, 18);
		break;
	case 3: /* gap */
		untagged(&l, OP_SEND, true, 0, 1, 0, 100);
		untagged(&l, OP_SEND, true, 0, 3, 0, 100);
		want_terminate(&l, 0x1203, 18);
		break;
	case 4: /* beyond what is posted */
		untagged(&l, OP_SEND, true, 0, 100, 0, 100);
		want_terminate(&l, 0x1203, 18);
		break;
	default: /* no buffer */
		for (unsigned int i = 1; i < 6; i++)
			untagged(&l, OP_SEND, true, 0, i, 0, 100);
		want_terminate(&l, 0x1202, 18);
	}
}

/* 23, 24: MO and L */
static void mo(unsigned int arg)
{
	struct link l = up(NULL);

	card_recv(l.q, l.m, 0, 1000);
	card_recv(l.q, l.m, 1000, 1000);
	switch (arg) {
	case 0: /* not 0 at first */
		untagged(&l, OP_SEND, true, 0, 1, 4, 100);
		want_terminate(&l, 0x1204, 18);
		break;
	case 1: /* gap */
		untagged(&l, OP_SEND, false, 0, 1, 0, 100);
		untagged(&l, OP_SEND, true, 0, 1, 104, 100);
		want_terminate(&l, 0x1204, 18);
		break;
	case 2: /* overlap */
		untagged(&l, OP_SEND, false, 0, 1, 0, 100);
		untagged(&l, OP_SEND, true, 0, 1, 96, 100);
		want_terminate(&l, 0x1204, 18);
		break;
	case 3: /* beyond the buffer */
		untagged(&l, OP_SEND, true, 0, 1, 2000, 100);
		want_terminate(&l, 0x1204, 18);
		break;
	case 4: /* longer than the buffer */
		untagged(&l, OP_SEND, true, 0, 1, 0, 1001);
		want_terminate(&l, 0x1205, 18);
		NEED(same(l.m->p + 1000, 0, 0) && !l.m->p[1000], "placed beyond its buffer");
		break;
	case 5: /* no end: the buffer is full, more comes */
		untagged(&l, OP_SEND, false, 0, 1, 0, 1000);
		untagged(&l, OP_SEND, false, 0, 1, 1000, 100);
		want_terminate(&l, 0x1205, 18);
		break;
	case 6: /* more behind the end */
		untagged(&l, OP_SEND, true, 0, 1, 0, 100);
		untagged(&l, OP_SEND, true, 0, 1, 100, 100);
		want_terminate(&l, 0x1203, 18);
		break;
	default: /* exactly as long as the buffer; empty */
		untagged(&l, OP_SEND, false, 0, 1, 0, 500);
		untagged(&l, OP_SEND, true, 0, 1, 500, 500);
		want_recv(&l, 1000, "a full buffer");
		untagged(&l, OP_SEND, true, 0, 2, 0, 0);
		want_recv(&l, 0, "an empty Send");
	}
}

/* 25 */
static void qn(unsigned int arg)
{
	static const uint32_t number[] = { 3, 4, 7, 0x10000, 0x80000000u, 0xffffffffu };
	struct link l = up(NULL);

	card_recv(l.q, l.m, 0, 1000);
	untagged(&l, OP_SEND, true, number[arg], 1, 0, 100);
	want_terminate(&l, 0x1201, 18);
}

/* 26 */
static void version(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t d[64];
	size_t n;

	card_recv(l.q, l.m, 0, 1000);
	if (arg & 4)
		n = ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to);
	else
		n = ddp_untagged(d, OP_SEND, true, 0, 0, 1, 0);
	d[0] = (uint8_t)((d[0] & ~3) | (arg & 3));
	pc_fpdu(l.c, d, n + 8, NULL);
	want_terminate(&l, arg & 4 ? 0x1104 : 0x1206, arg & 4 ? 14 : 18);
}

/* 27 */
static void reserved(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t d[64] = { 0 };
	size_t n = ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to);

	(void)arg;
	d[0] |= 0x3c;
	d[1] |= 0x30;
	d[n] = 0x5c;
	pc_fpdu(l.c, d, n + 8, NULL);
	NEED(pc_drain(l.c), "not acknowledged");
	NEED(l.m->p[0] == 0x5c, "not placed");
	card_recv(l.q, l.m, 0, 100);
	ddp_untagged(d, OP_SEND, true, 0xffffffffu, 0, 1, 0);
	d[0] |= 0x3c;
	d[1] |= 0x30;
	pc_fpdu(l.c, d, 18 + 8, NULL);
	want_recv(&l, 8, "Send");
}

/* 28 */
static void zero_length(unsigned int arg)
{
	struct link l = up(NULL);

	(void)arg;
	pc_rdma_write(l.c, 0xdeadbeef, ~0ull - 3, NULL, 0);
	pc_rdma_write(l.c, 0, 0, NULL, 0);
	alive(&l);
}

/* 29 */
static void tagged(unsigned int arg)
{
	struct how h = { .mr_access = arg == 8 ? CARD_ALL & ~(1 << WEFT_ACCESS_REMOTE_WRITE) : CARD_ALL };
	struct link l = up(&h);
	uint32_t stag = l.m->stag;
	uint64_t to = l.m->to;
	unsigned int code = 0x1100;
	uint8_t b[64];

	memset(b, 0x99, sizeof(b));
	memset(l.m->p, 0, l.m->bytes);
	switch (arg) {
	case 0: stag += 0x300; break;                   /* another index */
	case 1: stag ^= 0x55; break;                    /* key */
	case 2: card_mr_set(k, l.m, WEFT_TPT_STATE_INVALID); break;
	case 3: stag = card_mr(k, 4096, CARD_PD + 1, CARD_ALL)->stag; to = 0; code = 0x1102; break;
	case 4: to -= 1; code = 0x1101; break;
	case 5: to += l.m->bytes - sizeof(b) + 1; code = 0x1101; break;
	case 6: to = ~0ull - 20; code = 0x1103; break;  /* wraps */
	case 7: to += l.m->bytes; code = 0x1101; break;
	case 8: code = 0x0102; break;                   /* no right */
	default: stag = 0; break;
	}
	if (arg == 3) { /* with the right TO for it */
		struct card_mr *m = card_mr(k, 4096, CARD_PD + 1, CARD_ALL);

		stag = m->stag;
		to = m->to;
	}
	pc_rdma_write(l.c, stag, to, b, sizeof(b));
	want_terminate(&l, code, 14);
	for (size_t i = 0; i < l.m->bytes; i++)
		NEED(!l.m->p[i], "byte %zu was placed", i);
}

/* 29: the first and the last byte */
static void bounds_ok(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t b = 0x42;

	(void)arg;
	pc_rdma_write(l.c, l.m->stag, l.m->to, &b, 1);
	pc_rdma_write(l.c, l.m->stag, l.m->to + l.m->bytes - 1, &b, 1);
	NEED(pc_drain(l.c) && l.m->p[0] == 0x42 && l.m->p[l.m->bytes - 1] == 0x42, "not placed");
}

/* 30: segments in another order, more than once */
static void out_of_order(unsigned int arg)
{
	struct link l = up(NULL);
	struct card_wc wc;
	uint8_t b[900];

	for (unsigned int round = 0; round < 5; round++) {
		l.c->hold = true;
		for (unsigned int i = 0; i < 8; i++) {
			fill(b, sizeof(b), 10 * round + i);
			pc_rdma_write(l.c, l.m->stag, l.m->to + 1000 * i, b, sizeof(b));
		}
		card_recv(l.q, l.m, 20000, 1000);
		pc_send(l.c, OP_SEND, 0, b, 900);
		l.c->hold = false;
		l.c->cut = 900 + 14 + 6 + 4 - (900 + 14 + 2) % 4 + (900 + 14 + 2) % 4; /* near an FPDU */
		l.c->reorder = true;
		l.c->dup = arg;
		pc_write(l.c, "", 0);
		NEED(card_wc(l.q, true, &wc, 10 * S) && !wc.status && wc.bytes == 900, "no completion");
		/* Delivered in order: everything before the Send is there. */
		for (unsigned int i = 0; i < 8; i++)
			NEED(same(l.m->p + 1000 * i, 900, 10 * round + i), "Write %u is not there at the completion of the Send behind it", i);
		NEED(same(l.m->p + 20000, 900, 10 * round + 7), "the Send has other bytes");
		NEED(!card_wc(l.q, true, &wc, 2 * MS), "delivered twice");
	}
	NEED(!l.c->timeouts, "%u time-outs", l.c->timeouts);
}

/* 31: data behind FIN */
static void behind_fin(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t b[64];
	uint64_t from;

	(void)arg;
	memset(b, 0x66, sizeof(b));
	alive(&l);
	pc_fin(l.c);
	peer_run(p, 5 * MS);
	from = l.c->out_len;
	l.c->hold = true;
	pc_rdma_write(l.c, l.m->stag, l.m->to, b, sizeof(b));
	l.c->nxt++; /* FIN has a number */
	{
		struct tcp_seg g = { .sport = l.c->lport, .dport = l.c->rport, .flags = T_ACK, .wnd = 60000, .data = l.c->out + from,
				     .len = (uint32_t)(l.c->out_len - from) };

		g.seq = l.c->iss + 1 + (uint32_t)from + 1;
		g.ack = l.c->irs + 1 + (uint32_t)l.c->in_len + l.c->fin_in;
		if (l.c->ts) {
			memcpy(g.opt, "\1\1\10\12", 4);
			w32(g.opt + 4, (uint32_t)(peer_now(p) / 1000));
			w32(g.opt + 8, l.c->ts_recent);
			g.opt_len = 12;
		}
		peer_raw(p, &g);
	}
	peer_run(p, 50 * MS);
	NEED(l.m->p[0] != 0x66, "placed");
}

const struct test ddp_tests[] = {
	{ "21.start", "D-04", msn, 0, true },
	{ "21.wrap", "D-04", NULL, 0, false },
	{ "22.first", "D-10", msn, 1, true },
	{ "22.repeat", "D-10", msn, 2, false },
	{ "22.gap", "D-10", msn, 3, false },
	{ "22.beyond", "D-10", msn, 4, false },
	{ "22.no-buffer", "D-10", msn, 5, true },
	{ "23.first", "D-10", mo, 0, true },
	{ "23.gap", "D-10", mo, 1, false },
	{ "23.overlap", "D-10", mo, 2, false },
	{ "23.beyond", "D-10", mo, 3, false },
	{ "23.too-long", "D-10 R-07", mo, 4, true },
	{ "24.never", "D-10 R-07", mo, 5, false },
	{ "24.twice", "D-10", mo, 6, false },
	{ "24.fits", "D-05 D-07 R-07", mo, 7, false },
	{ "25.qn-3", "D-10", qn, 0, true },
	{ "25.qn-4", "D-10", qn, 1, false },
	{ "25.qn-7", "D-10", qn, 2, false },
	{ "25.qn-65536", "D-10", qn, 3, false },
	{ "25.qn-2p31", "D-10", qn, 4, false },
	{ "25.qn-max", "D-10", qn, 5, false },
	{ "26.untagged-0", "D-01", version, 0, false },
	{ "26.untagged-2", "D-01", version, 2, true },
	{ "26.untagged-3", "D-01", version, 3, false },
	{ "26.tagged-0", "D-01", version, 4, false },
	{ "26.tagged-2", "D-01", version, 6, true },
	{ "26.tagged-3", "D-01", version, 7, false },
	{ "27.reserved", "D-02 R-01", reserved, 0, true },
	{ "28.zero", "D-06", zero_length, 0, true },
	{ "29.unknown", "D-11 SEC-13", tagged, 0, true },
	{ "29.key", "D-11 SEC-13", tagged, 1, true },
	{ "29.invalid", "D-11 D-14 SEC-04", tagged, 2, false },
	{ "29.pd", "D-11 D-13 SEC-01", tagged, 3, true },
	{ "29.below", "D-11 D-14 SEC-03", tagged, 4, false },
	{ "29.above", "D-11 D-14 SEC-03", tagged, 5, true },
	{ "29.wrap", "D-11", tagged, 6, false },
	{ "29.behind", "D-11 SEC-03", tagged, 7, false },
	{ "29.no-right", "R-13 SEC-05", tagged, 8, true },
	{ "29.stag-0", "D-11", tagged, 9, false },
	{ "29.inside", "D-14 SEC-03", bounds_ok, 0, false },
	{ "30.reordered", "D-07 D-08", out_of_order, 0, false },
	{ "30.duplicated", "D-08", out_of_order, 1, false },
	{ "31.behind-fin", "D-09", behind_fin, 0, false },
	{ "32.4-gib", "D-05", NULL, 0, false },
	{ 0 },
};
