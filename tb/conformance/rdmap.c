/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases 33 to 46, 50, 51: RDMAP. */
#include "conf.h"

/* 33 */
static void version(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t d[64] = { 0 };
	size_t n = arg & 4 ? ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to) : ddp_untagged(d, OP_SEND, true, 0, 0, 1, 0);

	card_recv(l.q, l.m, 0, 100);
	d[1] = (uint8_t)((d[1] & 0x3f) | arg << 6);
	pc_fpdu(l.c, d, n + 8, NULL);
	want_terminate(&l, 0x0205, arg & 4 ? 14 : 18);
}

/* 34, 35: opcode arg & 15, tagged (16), on queue arg >> 8 */
static void opcode(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t d[80] = { 0 };
	unsigned int op = arg & 15, queue = arg >> 8 & 15;
	bool tagged = arg & 16;
	size_t n = tagged ? ddp_tagged(d, op, true, l.m->stag, l.m->to) : ddp_untagged(d, op, true, 0, queue, 1, 0);

	card_recv(l.q, l.m, 0, 100);
	pc_fpdu(l.c, d, n + 28, NULL);
	want_terminate(&l, arg & 0x1000 ? 0x1201 : 0x0206, tagged ? 14 : 18);
}

/* 36 */
static void read_checks(unsigned int arg)
{
	struct how h = { .mr_access = arg == 3 ? CARD_ALL & ~(1 << WEFT_ACCESS_REMOTE_READ) : CARD_ALL };
	struct link l = up(&h);
	uint32_t stag = l.m->stag, size = 100;
	uint64_t to = l.m->to;
	unsigned int code = 0;
	static struct fpdu f;

	switch (arg) {
	case 0: stag ^= 0x11; code = 0x0100; break;
	case 1: to += l.m->bytes - 99; code = 0x0101; break;
	case 2: to -= 1; code = 0x0101; break;
	case 3: code = 0x0102; break;
	case 4: {
		struct card_mr *m = card_mr(k, 4096, CARD_PD + 1, CARD_ALL);

		stag = m->stag;
		to = m->to;
		code = 0x0103;
		break;
	}
	case 5: to = ~0ull - 50; code = 0x0104; break;
	case 6: size = 0; stag = 0xdeadbeef; to = ~0ull; break;
	default: size = 0xffffffffu; code = 0x0101; break;
	}
	pc_read_request(l.c, 0xabcd1234, 0xfeed0000beefull, size, stag, to);
	if (code) {
		want_terminate(&l, code, 46);
		return;
	}
	NEED(pc_next(l.c, &f, 2 * S) && f.op == OP_READ_RSP && f.last && !f.len, "no empty response");
	NEED(f.stag == 0xabcd1234 && f.to == 0xfeed0000beefull, "STag 0x%08x, TO 0x%llx", f.stag, (unsigned long long)f.to);
	alive(&l);
}

/* 37: as many Reads as were agreed, then one more. The responses wait for a window. */
static void ird(unsigned int arg)
{
	struct how h = { .ird = 4 };
	struct link l = up(&h);
	static struct fpdu f;
	unsigned int n = arg ? 5 : 4, got = 0;

	/* The window closes at once; what was offered before may still be used. */
	fill(l.m->p, 60000, 1);
	l.c->mute = true;
	for (unsigned int i = 0; i < n; i++)
		pc_read_request(l.c, 0x1000 + i, 0, 60000, l.m->stag, l.m->to);
	peer_run(p, 30 * MS);
	l.c->mute = false;
	pc_ack(l.c);
	if (arg) { /* IRD counts what is not sent; the four must not all have gone */
		do
			NEED(pc_next(l.c, &f, 5 * S), "neither responses nor a Terminate");
		while (f.op != OP_TERMINATE);
		NEED(term_code(f.data) == 0x1202 || term_code(f.data) == 0x1203, "Terminate 0x%04x", term_code(f.data));
		return;
	}
	while (got < n) {
		NEED(pc_next(l.c, &f, 5 * S) && f.op == OP_READ_RSP, "response %u", got);
		NEED(f.stag == 0x1000 + got, "response to 0x%x, not %u", f.stag, 0x1000 + got);
		got += f.last;
	}
}

static bool has_reads(void *arg)
{
	const unsigned int *a = arg;

	return a[0] >= 2;
}

/* 38: ORD with a responder that is slow */
static void ord(unsigned int arg)
{
	struct how h = { .active = arg, .ord = 2 };
	struct link l = up(&h);
	struct peer_serve *s = serve(&l);
	struct peer_mr *r = peer_mr(p, 4096);
	struct card_wc wc;

	s->stall = true;
	fill(r->p, 4096, 9);
	for (unsigned int i = 0; i < 10; i++)
		card_send(l.q, WEFT_SQ_OPCODE_READ, l.m, 200 * i, 100 + i, r->stag, r->to, false);
	NEED(peer_until(p, has_reads, &s->reads, S), "%u Reads", s->reads);
	peer_run(p, 20 * MS);
	NEED(s->reads == 2, "%u Reads under way, ORD is 2", s->reads);
	s->stall = false;
	pc_serve(l.c);
	for (unsigned int i = 0; i < 10; i++) {
		NEED(card_wc(l.q, false, &wc, 2 * S) && !wc.status, "Read %u: status %u", i, wc.status);
		NEED(same(l.m->p + 200 * i, 100 + i, 9), "Read %u: other bytes", i);
	}
	NEED(s->most_reads <= 2, "%u Reads under way", s->most_reads);
}

/* 39 */
static void sink_stag(unsigned int arg)
{
	static const uint32_t stag[] = { 0, 0xffffffffu, 0x80000001u };
	static const uint64_t to[] = { ~0ull - 10, 0, 0x8000000000000000ull };
	struct link l = up(NULL);
	static struct fpdu f;
	uint32_t got = 0;

	fill(l.m->p, 5000, 3);
	pc_read_request(l.c, stag[arg], to[arg], 5000, l.m->stag, l.m->to);
	while (got < 5000) {
		NEED(pc_next(l.c, &f, 2 * S) && f.op == OP_READ_RSP, "no response");
		NEED(f.stag == stag[arg] && f.to == to[arg] + got, "STag 0x%08x, TO 0x%llx", f.stag, (unsigned long long)f.to);
		NEED(!memcmp(f.data, l.m->p + got, f.len), "other bytes");
		got += f.len;
		NEED(f.last == (got == 5000), "L after %u bytes", got);
	}
}

/* 40: bad responses */
static void responses(unsigned int arg)
{
	struct link l = up(NULL);
	struct peer_mr *r = peer_mr(p, 4096);
	static struct fpdu f;
	static uint8_t d[2000];
	uint32_t sink, n = 200;
	uint64_t to;
	struct card_wc wc;
	size_t h;
	bool last = true;
	unsigned int code = 0;

	memset(l.m->p, 0, l.m->bytes);
	if (arg != 3) {
		card_send(l.q, WEFT_SQ_OPCODE_READ, l.m, 1000, 200, r->stag, r->to, false);
		NEED(pc_next(l.c, &f, 2 * S) && f.op == OP_READ_REQ, "no Read Request");
		sink = r32(f.data);
		to = r64(f.data + 4);
	} else {
		sink = l.m->stag;
		to = l.m->to + 1000;
	}
	switch (arg) {
	case 0: n = 150; break;             /* too short, the last */
	case 1: n = 201; break;             /* too long */
	case 2: sink = card_mr(k, 4096, CARD_PD, CARD_ALL)->stag; break;
	case 3: break;                      /* nobody asked */
	case 4: to += 4; break;
	default: last = false; n = 200; break; /* whole, then more */
	}
	h = ddp_tagged(d, OP_READ_RSP, last, sink, to);
	memset(d + h, 0x44, n);
	pc_fpdu(l.c, d, h + n, NULL);
	if (arg == 5) {
		ddp_tagged(d, OP_READ_RSP, true, sink, to + 200);
		pc_fpdu(l.c, d, h + 10, NULL);
	}
	do
		NEED(pc_next(l.c, &f, 2 * S), "no Terminate");
	while (f.op != OP_TERMINATE);
	code = term_code(f.data);
	NEED(arg == 3 ? code == 0x0206 : code == 0x1100 || code == 0x1101, "Terminate 0x%04x", code);
	if (arg != 3)
		NEED(card_wc(l.q, false, &wc, 2 * S) && wc.status, "the Read completes with success");
	for (unsigned int i = 0; i < 1000; i++)
		NEED(!l.m->p[i] && !l.m->p[1200 + i], "placed outside");
}

/* 41: a region that the peer of this queue pair may invalidate, and a receive to say so */
static struct card_mr *lent(struct link *l, uint32_t pd, uint32_t qpn, uint8_t access)
{
	struct card_mr *m = card_mr(k, 4096, pd, access);

	m->qpn = qpn;
	card_mr_set(k, m, WEFT_TPT_STATE_VALID);
	card_recv(l->q, l->m, 0, 100);
	return m;
}

/* 41: placed, invalidated, completed; what follows finds it gone */
static void invalidate(unsigned int arg)
{
	struct link l = up(NULL);
	struct card_mr *m = lent(&l, CARD_PD, l.q->qpn, CARD_ALL);
	struct card_wc wc;
	uint8_t b[100], before[4096];

	fill(b, sizeof(b), 41);
	l.c->hold = arg & 2; /* all in one segment */
	pc_rdma_write(l.c, m->stag, m->to, b, sizeof(b));
	pc_send(l.c, arg & 1 ? OP_SEND_SE_INV : OP_SEND_INV, m->stag, b, arg & 4 ? 0 : sizeof(b));
	if (arg & 2) {
		pc_rdma_write(l.c, m->stag, m->to + 1000, b, sizeof(b));
		l.c->hold = false;
		pc_write(l.c, "", 0);
	}
	NEED(card_wc(l.q, true, &wc, S) && !wc.status, "no completion of the Send");
	NEED(wc.opcode == WEFT_WC_OPCODE_RECV_INV && wc.inv == m->stag && wc.bytes == (arg & 4 ? 0 : sizeof(b)) && wc.solicited == (arg & 1),
	     "opcode %u, STag 0x%08x, %u bytes, solicited %u", wc.opcode, wc.inv, wc.bytes, wc.solicited);
	NEED(!memcmp(m->p, b, sizeof(b)) && (arg & 4 || !memcmp(l.m->p, b, sizeof(b))), "not placed before it");
	memcpy(before, m->p, 4096);
	if (!(arg & 2))
		pc_rdma_write(l.c, m->stag, m->to + 1000, b, sizeof(b));
	want_terminate(&l, 0x1100, 14);
	NEED(!memcmp(before, m->p, 4096), "the memory changed behind the completion");
}

/* 41: STags that may not be invalidated */
static void invalidate_not(unsigned int arg)
{
	struct link l = up(NULL);
	const uint8_t all = CARD_ALL, no = (uint8_t)(CARD_ALL & ~(1 << WEFT_ACCESS_REMOTE_INV));
	struct card_mr *m = lent(&l, arg == 3 ? CARD_PD + 1 : CARD_PD, arg == 4 ? l.q->qpn + 1 : arg == 6 ? 0 : l.q->qpn, arg == 5 ? no : all);
	uint32_t stag = m->stag;
	unsigned int code = 0x0100;
	struct card_wc wc;
	uint8_t b[100] = { 0 };

	switch (arg) {
	case 0: stag += 0x300; break;                              /* unknown */
	case 1: stag ^= 0x55; break;                               /* key */
	case 2: card_mr_set(k, m, WEFT_TPT_STATE_INVALID); break;
	case 3: case 4: code = 0x0103; break;                      /* other PD, other stream */
	case 5: code = 0x0102; break;                              /* no right */
	case 6: code = 0x0109; break;                              /* any stream of the PD may use it */
	default: stag = 0; code = 0x0109; break;
	}
	pc_send(l.c, OP_SEND_INV, stag, b, sizeof(b));
	want_terminate(&l, code, 18);
	NEED(card_wc(l.q, true, &wc, S) && wc.status, "the receive completes with success");
}

/* 41: a region that a window is bound to */
static void window_bound(unsigned int arg)
{
	struct link l = up(NULL);
	struct card_mr *m = lent(&l, CARD_PD, l.q->qpn, CARD_ALL | 1 << WEFT_ACCESS_MW_BIND), *w = card_window(k, CARD_PD, WEFT_TPT_TYPE_MW);
	struct card_wc wc;
	uint8_t b[100];

	(void)arg;
	fill(b, sizeof(b), 3);
	card_bind(l.q, w, m, 100, 1000, 1 << WEFT_ACCESS_REMOTE_WRITE);
	NEED(card_wc(l.q, false, &wc, S) && !wc.status && wc.opcode == WEFT_WC_OPCODE_BIND_MW, "it is not bound");
	pc_rdma_write(l.c, w->stag, w->to, b, sizeof(b));
	pc_send(l.c, OP_SEND_INV, m->stag, b, sizeof(b));
	want_terminate(&l, 0x0109, 18);
	NEED(!memcmp(w->p, b, sizeof(b)), "the Write by the window is not placed");
	NEED(card_wc(l.q, true, &wc, S) && wc.status, "the receive completes with success");
}

/* 42 */
static void solicited(unsigned int arg)
{
	struct link l = up(NULL);
	struct peer_serve *s = serve(&l);
	struct card_wc wc;
	uint8_t b[50];

	(void)arg;
	fill(b, 50, 1);
	for (unsigned int i = 0; i < 6; i++) {
		card_recv(l.q, l.m, 0, 100);
		pc_send(l.c, i & 1 ? OP_SEND_SE : OP_SEND, 0, b, 50);
		NEED(card_wc(l.q, true, &wc, S) && !wc.status && wc.solicited == (i & 1), "Send %u: solicited is %u", i, wc.solicited);
		card_send(l.q, WEFT_SQ_OPCODE_SEND, l.m, 0, 50, 0, 0, i & 1);
		NEED(card_wc(l.q, false, &wc, S) && !wc.status && s->sends == i + 1, "Send of the card");
		NEED(s->last_send.op == (i & 1 ? OP_SEND_SE : OP_SEND), "opcode %u", s->last_send.op);
	}
}

/* 50: an Atomic Request of operation `op`, as it leaves (RFC 7306 5.2.1) */
struct atom { unsigned int op; uint32_t id, stag; uint64_t to, data, mask, compare, compare_mask; };
enum { FETCH_ADD = 0, CMP_SWAP = 2, ATOM_REQ = 18 + 52 };
static void atomic_request(struct link *l, const struct atom *a)
{
	uint8_t d[ATOM_REQ] = { 0 };

	ddp_untagged(d, OP_ATOMIC_REQ, true, 0, 1, l->c->msn[1]++, 0);
	w32(d + 18, a->op);
	w32(d + 22, a->id);
	w32(d + 26, a->stag);
	w64(d + 30, a->to);
	w64(d + 38, a->data);
	w64(d + 46, a->mask);
	w64(d + 54, a->compare);
	w64(d + 62, a->compare_mask);
	pc_fpdu(l->c, d, sizeof(d), NULL);
}

static uint64_t word(const struct card_mr *m, unsigned int i)
{
	uint64_t v;

	memcpy(&v, m->p + 8 * i, 8);
	return v;
}

/* 50: the next FPDU answers `id` with the value that was there; it is the msn-th response. */
static void atomic_response(struct link *l, uint32_t id, uint64_t old, uint32_t msn)
{
	static struct fpdu f;

	NEED(pc_next(l->c, &f, 2 * S) && f.op == OP_ATOMIC_RSP && f.last && f.len == 12 && f.qn == 3 && !f.mo, "no Atomic Response, but opcode %u of %u bytes", f.op, f.len);
	NEED(f.msn == msn && r32(f.data) == id && r64(f.data + 4) == old, "MSN %u, 0x%08x, value %016llx, not %u, 0x%08x, %016llx", f.msn, r32(f.data),
	     (unsigned long long)r64(f.data + 4), msn, id, (unsigned long long)old);
}

/* 50: both operations with their masks (RFC 7306 5.1): a field's carry is let go, a compare sees its mask alone. */
static void atomics(unsigned int arg)
{
	static const struct { struct atom a; uint64_t before, after; } t[] = {
		{ { .op = FETCH_ADD, .data = 1 }, ~0ull, 0 },
		{ { .op = FETCH_ADD, .data = 0x0000000100000001ull, .mask = 0x8000000080000000ull }, 0xffffffffffffffffull, 0 },
		{ { .op = FETCH_ADD, .data = 0x0101010101010101ull, .mask = 0x8080808080808080ull }, 0x00ff00ff7f80ff01ull, 0x0100010080810002ull },
		{ { .op = CMP_SWAP, .data = 0x1122334455667788ull, .mask = ~0ull, .compare = 5, .compare_mask = ~0ull }, 5, 0x1122334455667788ull },
		{ { .op = CMP_SWAP, .data = 0x1122334455667788ull, .mask = ~0ull, .compare = 5, .compare_mask = ~0ull }, 6, 6 },
		{ { .op = CMP_SWAP, .data = ~0ull, .mask = 0x00000000ffff0000ull, .compare = 0xab, .compare_mask = 0xff }, 0x12345678000000abull, 0x12345678ffff00abull },
		{ { .op = CMP_SWAP, .data = 0xfeedull, .mask = ~0ull, .compare = 0x77, .compare_mask = 0 }, 0x99, 0xfeed },
	};
	struct how h = { .ird = arg ? 2 : 4 };
	struct link l = up(&h);

	for (unsigned int i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct atom a = t[i].a;

		a.id = 0x80000000u + i;
		a.stag = l.m->stag;
		a.to = l.m->to + 8 * i;
		memcpy(l.m->p + 8 * i, &t[i].before, 8);
		atomic_request(&l, &a);
		atomic_response(&l, a.id, t[i].before, i + 1);
		NEED(word(l.m, i) == t[i].after, "operation %u: %016llx, not %016llx", i, (unsigned long long)word(l.m, i), (unsigned long long)t[i].after);
	}
	alive(&l);
}

/* 50: with Reads behind them, answered in order; a Read finds what the atomics before it left. As many as were agreed, or one more. */
static void atomic_share(unsigned int arg)
{
	struct how h = { .ird = 4 };
	struct link l = up(&h);
	struct atom a = { .op = FETCH_ADD, .stag = l.m->stag, .to = l.m->to, .data = 3 };
	static struct fpdu f;
	uint32_t got = 0;

	fill(l.m->p, 60000, 1);
	memset(l.m->p, 0, 8);
	/* A Write of the card shuts the window: nothing is answered before all are there. (No Read in front: an atomic would wait for its end.) */
	l.c->mute = true;
	card_send(l.q, WEFT_SQ_OPCODE_WRITE, l.m, 64, 60000, 0x1000, 0, false);
	peer_run(p, 5 * MS);
	for (a.id = 0; a.id < (arg ? 5 : 2); a.id++)
		atomic_request(&l, &a);
	for (unsigned int i = 0; !arg && i < 2; i++)
		pc_read_request(l.c, 0x1001 + i, 0, 8, l.m->stag, l.m->to);
	peer_run(p, 30 * MS);
	l.c->mute = false;
	pc_ack(l.c);
	if (arg) {
		do
			NEED(pc_next(l.c, &f, 5 * S), "neither responses nor a Terminate");
		while (f.op != OP_TERMINATE);
		NEED(term_code(f.data) == 0x1202, "Terminate 0x%04x", term_code(f.data));
		NEED(word(l.m, 0) == 12, "the one too many was executed: %llu", (unsigned long long)word(l.m, 0));
		return;
	}
	while (got < 60000) {
		NEED(pc_next(l.c, &f, 5 * S) && f.op == OP_WRITE && f.stag == 0x1000, "opcode %u, not the Write", f.op);
		got += f.len;
	}
	atomic_response(&l, 0, 0, 1);
	atomic_response(&l, 1, 3, 2);
	for (unsigned int i = 0; i < 2; i++) {
		NEED(pc_next(l.c, &f, 2 * S) && f.op == OP_READ_RSP && f.stag == 0x1001 + i && f.len == 8, "no response to Read %u", i);
		NEED(f.data[0] == 6, "it has %u", f.data[0]);
	}
	NEED(word(l.m, 0) == 6, "executed %llu times by 3", (unsigned long long)word(l.m, 0) / 3);
}

/* 50: a Read in front of an atomic finds what was there before it, however late its response leaves (RFC 7306 5: requests are processed in their order). */
static void atomic_behind_read(unsigned int arg)
{
	struct how h = { .ird = 4 };
	struct link l = up(&h);
	struct atom a = { .op = FETCH_ADD, .id = 5, .stag = l.m->stag, .to = l.m->to, .data = 3 };
	static struct fpdu f;
	uint32_t got = 0;

	(void)arg;
	fill(l.m->p, 60000, 1);
	memset(l.m->p, 0, 8);
	l.c->mute = true;
	pc_read_request(l.c, 0x1000, 0, 60000, l.m->stag, l.m->to + 64);
	pc_read_request(l.c, 0x1001, 0, 8, l.m->stag, l.m->to);
	atomic_request(&l, &a);
	peer_run(p, 30 * MS);
	l.c->mute = false;
	pc_ack(l.c);
	while (got < 60000) {
		NEED(pc_next(l.c, &f, 5 * S) && f.op == OP_READ_RSP && f.stag == 0x1000, "no response to the first Read");
		got += f.len;
	}
	NEED(pc_next(l.c, &f, 2 * S) && f.op == OP_READ_RSP && f.stag == 0x1001 && f.len == 8, "no response to the second Read");
	NEED(!f.data[0], "it has %u", f.data[0]);
	atomic_response(&l, 5, 0, 1);
	NEED(word(l.m, 0) == 3, "the word is %llu", (unsigned long long)word(l.m, 0));
}

/* 50: two streams add to one word; no addition is lost, no value is seen twice. */
static void atomic_contention(unsigned int arg)
{
	enum { EACH = 40, ADDS = 2 * EACH };
	struct link l[2] = { up(NULL), up(NULL) };
	bool seen[ADDS] = { 0 };
	static struct fpdu f;

	(void)arg;
	memset(l[0].m->p, 0, 8);
	for (unsigned int i = 0; i < EACH; i++) {
		for (unsigned int k = 0; k < 2; k++) {
			struct atom a = { .op = FETCH_ADD, .id = i, .stag = l[0].m->stag, .to = l[0].m->to, .data = 1 };

			atomic_request(&l[k], &a);
		}
		for (unsigned int k = 0; k < 2; k++) {
			NEED(pc_next(l[k].c, &f, 2 * S) && f.op == OP_ATOMIC_RSP && r32(f.data) == i, "stream %u: no response to %u", k, i);
			uint64_t v = r64(f.data + 4);

			NEED(v < ADDS && !seen[v], "value %llu twice", (unsigned long long)v);
			seen[v] = true;
		}
	}
	NEED(word(l[0].m, 0) == ADDS, "%llu, not %u", (unsigned long long)word(l[0].m, 0), ADDS);
}

/* 50: requests that are refused, and leave memory alone */
static void atomic_not(unsigned int arg)
{
	static const unsigned int codes[] = { 0x0207, 0x0207, 0x0206, 0x0206, 0x0101, 0x0101, 0x0102, 0x0102, 0x0100, 0x0103, 0x0104, 0x1201, 0x0207, 0x1205, 0x0207, 0x1203 };
	const uint8_t no = (uint8_t)(CARD_ALL & ~(1 << WEFT_ACCESS_REMOTE_ATOMIC));
	struct how h = { .access = arg == 6 ? no : 0, .mr_access = arg == 7 ? no : 0 };
	struct link l = up(&h);
	struct atom a = { .op = FETCH_ADD, .id = 7, .stag = l.m->stag, .to = l.m->to + 8, .data = 1 };
	uint8_t d[ATOM_REQ + 4] = { 0 }, before[64];
	unsigned int n = ATOM_REQ;

	fill(l.m->p, 64, 3);
	memcpy(before, l.m->p, 64);
	switch (arg) {
	case 0: a.to += 4; break;                                  /* not aligned */
	case 1: a.to += 4095 - 8; break;                           /* ... over the end of a page */
	case 2: a.op = 1; break;                                   /* reserved */
	case 3: a.op = 15; break;
	case 4: a.to = l.m->to + l.m->bytes; break;
	case 5: a.to = l.m->to - 8; break;
	case 6: case 7: break;                                     /* the QP, the region have no right */
	case 8: a.stag ^= 0x11; break;
	case 9: {
		struct card_mr *m = card_mr(k, 4096, CARD_PD + 1, CARD_ALL);

		a.stag = m->stag;
		a.to = m->to;
		break;
	}
	case 10: a.to = ~0ull - 3; break;
	default: break;
	}
	if (arg < 11) {
		atomic_request(&l, &a);
	} else {                                                   /* queue 0; short, long, not last; MSN */
		ddp_untagged(d, OP_ATOMIC_REQ, arg != 14, 0, arg != 11, arg == 15 ? 2 : 1, 0);
		w32(d + 26, a.stag);
		w64(d + 30, a.to);
		w64(d + 38, 1);
		n = arg == 12 ? ATOM_REQ - 24 : arg == 13 ? ATOM_REQ + 4 : ATOM_REQ;
		pc_fpdu(l.c, d, n, NULL);
	}
	want_terminate(&l, codes[arg], 18);
	NEED(!memcmp(before, l.m->p, 64), "memory was changed");
}

/* 50: the card asks: both operations, Reads in between, all answered late; the request is what RFC 7306 5.2.1 says, and the host finds a number. arg: the
 * request is lost once */
static void atomic_asks(unsigned int arg)
{
	enum { N = 6 };
	struct how h = { .ord = 4 };
	struct link l = up(&h);
	static struct fpdu f;
	uint8_t d[64] = { 0 };
	struct card_wc wc;

	for (unsigned int i = 0; i < N; i++) {
		bool swap = i & 1;
		uint64_t old = 0x0123456789abcdefull * (i + 1), data = 0xfedcba9876543210ull - i, lost = peer_lost(p);

		if (arg)
			peer_wire_set(p, "loss=100%");
		card_atomic(l.q, swap ? WEFT_SQ_OPCODE_CMP_SWAP : WEFT_SQ_OPCODE_FETCH_ADD, l.m, 8 * i + 3, 0xabcd1200 + i, 0x1000 + 8 * i, data, 77 + i);
		if (arg) {
			peer_run(p, 2 * MS);
			NEED(peer_lost(p) > lost, "nothing was lost");
			peer_wire_set(p, "none,delay=1us");
		}
		NEED(pc_next(l.c, &f, 5 * S) && f.op == OP_ATOMIC_REQ && f.qn == 1 && f.msn == i + 1 && f.last && f.len == 52, "no Atomic Request");
		NEED(r32(f.data) == (swap ? 2 : 0) && r32(f.data + 8) == 0xabcd1200 + i && r64(f.data + 12) == 0x1000 + 8 * i && r64(f.data + 20) == data, "other fields");
		NEED(r64(f.data + 28) == (swap ? ~0ull : 0), "mask %016llx", (unsigned long long)r64(f.data + 28));
		NEED(!swap || (r64(f.data + 36) == 77 + i && r64(f.data + 44) == ~0ull), "compares other bits");
		size_t n = ddp_untagged(d, OP_ATOMIC_RSP, true, 0, 3, i + 1, 0);

		memcpy(d + n, f.data + 4, 4);
		w64(d + n + 4, old);
		NEED(!card_wc(l.q, false, &wc, 5 * MS), "complete without an answer");
		pc_fpdu(l.c, d, n + 12, NULL);
		NEED(card_wc(l.q, false, &wc, 2 * S) && !wc.status && wc.bytes == 8 && wc.opcode == (swap ? WEFT_WC_OPCODE_CMP_SWAP : WEFT_WC_OPCODE_FETCH_ADD),
		     "opcode %u status %u, %u bytes", wc.opcode, wc.status, wc.bytes);
		NEED(!memcmp(l.m->p + 8 * i + 3, &old, 8), "the value is another one");
	}
}

/* 50: answers that are none */
static void atomic_answers(unsigned int arg)
{
	static const unsigned int codes[] = { 0x0207, 0x0206, 0x0206, 0x1203, 0x0207, 0x1205, 0x1201, 0x0206, 0x0000 };
	struct link l = up(NULL);
	static struct fpdu f;
	uint8_t d[64] = { 0 };
	struct card_wc wc;
	size_t n, len = 12;

	memset(l.m->p, 0, 64);
	if (arg == 2) { /* a Read is answered by an Atomic Response */
		card_send(l.q, WEFT_SQ_OPCODE_READ, l.m, 0, 12, 1, 2, false);
		NEED(pc_next(l.c, &f, 2 * S) && f.op == OP_READ_REQ, "no Read Request");
	} else if (arg != 7) { /* 7: nobody asked */
		uint32_t stag = l.m->stag;

		if (arg == 8) /* there is no such element */
			l.m->stag ^= 0x3;
		card_atomic(l.q, WEFT_SQ_OPCODE_FETCH_ADD, l.m, 0, 1, 2, 3, 0);
		l.m->stag = stag;
		NEED(pc_next(l.c, &f, 2 * S) && f.op == OP_ATOMIC_REQ, "no Atomic Request");
	}
	n = ddp_untagged(d, OP_ATOMIC_RSP, true, 0, arg == 6 ? 0 : 3, arg == 3 ? 2 : 1, 0);
	if (arg != 7)
		memcpy(d + n, f.data + (arg == 2 ? 0 : 4), 4);
	memset(d + n + 4, 0x55, 8);
	switch (arg) {
	case 0: d[n + 3] ^= 1; break;                                       /* to another request */
	case 1: n = ddp_tagged(d, OP_READ_RSP, true, l.m->stag, l.m->to); len = 8; break; /* an atomic is answered by a Read Response */
	case 4: len = 11; break;
	case 5: len = 13; break;
	default: break;
	}
	pc_fpdu(l.c, d, n + len, NULL);
	want_terminate(&l, codes[arg], arg == 8 ? 0 : arg == 1 ? 14 : 18);
	for (unsigned int i = 0; i < 64; i++)
		NEED(!l.m->p[i], "placed all the same");
	if (arg != 7)
		NEED(card_wc(l.q, false, &wc, 2 * S) && wc.status && (arg != 8 || wc.status == WEFT_WC_STATUS_LOC_PROT_ERR), "status %u", wc.status);
}

/* 51: 8 octets take a receive and touch none of its memory (RFC 7306 6.3); verbs see the low half. arg 1: SE, 2: a receive without memory,
 * 4: with a high half that is not 0 */
static void immediate(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t d[8] = { 0, 0, 0, 0, 0x81, 0x23, 0x45, 0x67 };
	struct card_wc wc;

	if (arg & 4)
		memset(d, 0xee, 4);
	memset(l.m->p, 0x5a, 200);
	card_recv(l.q, l.m, 0, arg & 2 ? 0 : 100);
	pc_send(l.c, arg & 1 ? OP_IMM_SE : OP_IMM, 0, d, sizeof(d));
	NEED(card_wc(l.q, true, &wc, S) && !wc.status, "no completion");
	NEED(wc.opcode == WEFT_WC_OPCODE_RECV_IMM && wc.inv == 0x81234567 && !wc.bytes && wc.solicited == (arg & 1), "opcode %u, 0x%08x, %u bytes, solicited %u",
	     wc.opcode, wc.inv, wc.bytes, wc.solicited);
	for (unsigned int i = 0; i < 200; i++)
		NEED(l.m->p[i] == 0x5a, "byte %u of the receive was written", i);
	alive(&l);
}

/* 51: what is no Immediate Data */
static void immediate_not(unsigned int arg)
{
	static const unsigned int codes[] = { 0x0207, 0x1205, 0x0207, 0x0207, 0x1204, 0x1201, 0x1202 };
	struct link l = up(NULL);
	uint8_t d[64] = { 0 };
	size_t n = ddp_untagged(d, OP_IMM, arg != 3, 0, arg == 5, 1, arg == 4 ? 20 : 0), len = arg == 0 ? 7 : arg == 1 ? 9 : arg == 2 ? 0 : 8;
	struct card_wc wc;

	if (arg != 6)
		card_recv(l.q, l.m, 0, 100);
	if (arg == 4) { /* where the Send would go on */
		uint8_t first[64] = { 0 };

		pc_fpdu(l.c, first, ddp_untagged(first, OP_SEND, false, 0, 0, 1, 0) + 20, NULL);
	}
	pc_fpdu(l.c, d, n + len, NULL);
	want_terminate(&l, codes[arg], 18);
	if (arg != 6)
		NEED(card_wc(l.q, true, &wc, S) && wc.status, "the receive completes with success");
}

/* 51: between Sends, each takes the next receive; behind a Write, whose bytes are there */
static void immediate_order(unsigned int arg)
{
	struct link l = up(NULL);
	struct card_wc wc;
	uint8_t b[3000], d[8] = { 0 };

	uint64_t lost = peer_lost(p);

	if (arg)
		NEED(!peer_wire_set(p, "loss=2%,reorder=4%:3,seed=3"), "wire");
	for (unsigned int i = 0; i < 20; i++) {
		bool imm = i % 3;

		fill(b, sizeof(b), i);
		memset(l.m->p, 0, sizeof(b));
		card_recv(l.q, l.m, 4096, sizeof(b));
		d[7] = (uint8_t)(i + 1);
		pc_rdma_write(l.c, l.m->stag, l.m->to, b, sizeof(b));
		pc_send(l.c, imm ? OP_IMM : OP_SEND, 0, imm ? d : b, imm ? 8 : sizeof(b));
		NEED(card_wc(l.q, true, &wc, 20 * S) && !wc.status && wc.index == i, "no completion of %u", i);
		NEED(wc.opcode == (imm ? WEFT_WC_OPCODE_RECV_IMM : WEFT_WC_OPCODE_RECV) && wc.inv == (imm ? i + 1 : 0) && wc.bytes == (imm ? 0 : sizeof(b)),
		     "%u: opcode %u, 0x%x, %u bytes", i, wc.opcode, wc.inv, wc.bytes);
		NEED(!memcmp(l.m->p, b, sizeof(b)), "%u completes before the Write in front of it", i);
	}
	NEED(!arg || peer_lost(p) > lost, "nothing was lost");
}

/* 51: of the card, behind Writes and Sends; what is sent again is the same */
static void immediate_send(unsigned int arg)
{
	struct link l = up(NULL);
	struct peer_serve *s = serve(&l);
	struct peer_mr *r = peer_mr(p, 4096);
	struct card_wc wc;

	fill(l.m->p, 4096, 7);
	for (unsigned int i = 0; i < 8; i++) {
		uint32_t imm = 0xfedcba98u - i;
		uint64_t lost = peer_lost(p);

		if (arg)
			peer_wire_set(p, "loss=100%");
		card_send(l.q, WEFT_SQ_OPCODE_WRITE, l.m, 0, 1000 + i, r->stag, r->to, false);
		card_imm(l.q, imm, i & 1);
		if (arg) {
			peer_run(p, 2 * MS);
			NEED(peer_lost(p) > lost, "nothing was lost");
			peer_wire_set(p, "none,delay=1us");
		}
		NEED(card_wc(l.q, false, &wc, 20 * S) && !wc.status && wc.opcode == WEFT_WC_OPCODE_WRITE, "the Write of %u", i);
		NEED(card_wc(l.q, false, &wc, 20 * S) && !wc.status && wc.opcode == WEFT_WC_OPCODE_IMM, "Immediate Data %u: opcode %u status %u", i, wc.opcode, wc.status);
		NEED(s->sends == i + 1 && s->last_send.op == (i & 1 ? OP_IMM_SE : OP_IMM) && s->last_send.n == 8 && !s->last_send.inv, "opcode %u, %u bytes",
		     s->last_send.op, s->last_send.n);
		NEED(!r32(s->last_send.bytes) && r32(s->last_send.bytes + 4) == imm, "0x%08x %08x, not 0x%08x", r32(s->last_send.bytes),
		     r32(s->last_send.bytes + 4), imm);
		card_send(l.q, WEFT_SQ_OPCODE_SEND, l.m, 0, 100, 0, 0, false);
		NEED(card_wc(l.q, false, &wc, 20 * S) && !wc.status && wc.opcode == WEFT_WC_OPCODE_SEND, "the Send of %u", i);
		s->sends--;
	}
}

/* 43: the first of two faults */
static void first_error(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t b[64];

	(void)arg;
	fill(b, 64, 1);
	l.c->hold = true;
	pc_rdma_write(l.c, l.m->stag ^ 1, l.m->to, b, 64);       /* 1/1/00 */
	pc_rdma_write(l.c, l.m->stag, l.m->to - 1, b, 64);       /* 1/1/01 */
	pc_rdma_write(l.c, l.m->stag, l.m->to, b, 64);           /* nothing: not to be placed */
	l.c->hold = false;
	memset(l.m->p, 0, 64);
	pc_write(l.c, "", 0);
	want_terminate(&l, 0x1100, 14);
	NEED(!l.m->p[0] && !l.m->p[63], "placed behind the fault");
}

/* 43: Read Requests and Terminates that are not one whole segment */
static void one_segment(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t d[80] = { 0 };

	if (arg == 0) {
		ddp_untagged(d, OP_READ_REQ, false, 0, 1, 1, 0);
		w32(d + 30, 8);
		w32(d + 34, l.m->stag);
		w64(d + 38, l.m->to);
		pc_fpdu(l.c, d, 46, NULL);
		want_terminate(&l, 0x0207, 18);
	} else {
		ddp_untagged(d, OP_READ_REQ, true, 0, 1, 1, 0);
		pc_fpdu(l.c, d, 18 + 20, NULL);
		NEED(pc_wait_close(l.c, 2 * S), "taken");
	}
}

/* 43, R-03: a local fault */
static void local_error(unsigned int arg)
{
	struct link l = up(NULL);
	struct card_wc wc;
	static struct fpdu f;

	(void)arg;
	/* An STag that does not exist. */
	l.m->stag ^= 0x3;
	card_send(l.q, WEFT_SQ_OPCODE_SEND, l.m, 0, 100, 0, 0, false);
	l.m->stag ^= 0x3;
	NEED(card_wc(l.q, false, &wc, S) && wc.status == WEFT_WC_STATUS_LOC_PROT_ERR, "status %u", wc.status);
	NEED(pc_next(l.c, &f, 2 * S) && f.op == OP_TERMINATE, l.c->reset_in ? "a reset, no Terminate" : "no Terminate");
	NEED(term_code(f.data) == 0x0000 && f.len == 4, "Terminate 0x%04x, %u bytes", term_code(f.data), f.len);
}

/* 44: a Terminate of the peer, in every state */
static void terminated(unsigned int arg)
{
	struct how h = { .active = arg == 3, .no_first = arg == 4 };
	struct link l = up(&h);
	static struct fpdu f;
	uint8_t e[64], d[64];
	struct card_wc wc;
	size_t n = ddp_tagged(d, OP_WRITE, true, 0x1234, 0x5678);

	if (arg == 1) { /* work under way */
		card_send(l.q, WEFT_SQ_OPCODE_READ, l.m, 0, 100, 0x99, 0x77, false);
		NEED(pc_next(l.c, &f, S) && f.op == OP_READ_REQ, "no Read Request");
	}
	if (arg == 2) {
		card_recv(l.q, l.m, 0, 100);
		card_recv(l.q, l.m, 100, 100);
	}
	pc_terminate(l.c, 1, 1, 0, d, (unsigned int)n);
	NEED(card_event(k, WEFT_EQE_TYPE_QP_ERROR, e, 2 * S) && LS_GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_TERMINATE_RECEIVED, "the host is not told");
	NEED(LS_GET(e, WEFT_EQE_DATA0) >> 16 == 0x1100, "the event says 0x%x", (unsigned int)LS_GET(e, WEFT_EQE_DATA0));
	NEED(!pc_next(l.c, &f, 500 * MS) || f.op != OP_TERMINATE, "answered with a Terminate");
	NEED(pc_wait_close(l.c, 2 * S), "no close");
	if (arg == 1)
		NEED(card_wc(l.q, false, &wc, S) && wc.status, "the Read completes with success");
	if (arg == 2)
		for (unsigned int i = 0; i < 2; i++)
			NEED(card_wc(l.q, true, &wc, S) && wc.status == WEFT_WC_STATUS_WR_FLUSH_ERR, "receive %u: status %u", i, wc.status);
	if (l.c->fin_in) {
		pc_fin(l.c);
		NEED(pc_drain(l.c), "FIN is not acknowledged");
	}
}

/* 45: everything at once, on a bad wire */
static void ordering(unsigned int arg)
{
	struct link l = up(NULL);

	peer_wire_set(p, arg ? "loss=2%,reorder=4%:3,seed=3" : "delay=20us");
	traffic(&l, 8, 9000);
	NEED(!arg || peer_lost(p), "nothing was lost");
}

/* 46: close */
static void closing(unsigned int arg)
{
	struct how h = { .active = arg & 1 };
	struct link l = up(&h);
	uint8_t e[64];
	struct card_wc wc;

	traffic(&l, 1, 2000);
	card_recv(l.q, l.m, 0, 100);
	switch (arg >> 1) {
	case 0: /* the card */
		card_disconnect(l.q);
		NEED(pc_wait_close(l.c, 2 * S) && l.c->fin_in, "no FIN");
		pc_fin(l.c);
		break;
	case 1: /* the peer */
		pc_fin(l.c);
		NEED(card_event(k, WEFT_EQE_TYPE_CM_DISCONNECT, e, 2 * S), "the host is not told");
		NEED(pc_wait_close(l.c, 5 * S) && l.c->fin_in, "no FIN");
		break;
	case 2: /* both */
		pc_fin(l.c);
		card_disconnect(l.q);
		NEED(pc_wait_close(l.c, 5 * S) && l.c->fin_in, "no FIN");
		break;
	case 3: /* reset by the peer */
		pc_rst(l.c);
		break;
	default: /* by the card */
		card_abort(l.q);
		NEED(pc_wait_close(l.c, S) && l.c->reset_in, "no reset");
	}
	NEED(card_event(k, WEFT_EQE_TYPE_CM_CLOSE, e, 5 * S), "the connection does not end");
	if (arg >> 1 < 3)
		NEED(pc_drain(l.c) && !l.c->reset_in && LS_GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK, "not a graceful close: status %u",
		     (unsigned int)LS_GET(e, WEFT_EQE_CODE));
	NEED(card_wc(l.q, true, &wc, S) && wc.status == WEFT_WC_STATUS_WR_FLUSH_ERR, "the receive is not flushed");
	card_qp_destroy(l.q);
}

/* 46: reset before the connection stands */
static void reset_early(unsigned int arg)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 4, .ord = 4, .crc = true };
	struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
	struct link l;
	struct pc *c;
	uint8_t e[64];
	uint32_t handle;

	switch (arg) {
	case 0: case 1: case 2:
		c = pc_connect(p, 30001, PORT, NULL);
		NEED(c->state == PC_OPEN, "no SYN-ACK");
		if (arg > 0)
			pc_mpa(c, &m);
		if (arg > 1) {
			handle = card_request(k, e, 2 * S);
			NEED(handle, "no request");
			pc_rst(c);
			NEED(card_event(k, WEFT_EQE_TYPE_CM_CLOSE, e, 2 * S), "the host is not told");
			NEED(card_accept(q, handle, NULL), "accepted although it is gone");
		} else {
			pc_rst(c);
			card_request(k, e, 10 * MS); /* it may have been announced before */
		}
		break;
	case 3: /* the card waits for a reply */
		/* A request of revision 2 that is reset is asked again in revision 1, once. */
		for (unsigned int i = 0, told = 0; !told; i++) {
			c = pc_listen(p, 5000, NULL);
			if (!i)
				card_connect(q, 41000, 5000, NULL);
			NEED(pc_wait_open(c), i ? "the host is not told" : "no SYN");
			pc_rst(c);
			c->state = PC_CLOSED;
			told = card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e, i ? 2 * S : 10 * MS);
			NEED(told || !i, "the host is not told");
		}
		NEED(LS_GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_RESET, "status %u", (unsigned int)LS_GET(e, WEFT_EQE_CODE));
		break;
	default: { /* refused */
		struct tcp_seg g = { .sport = 5000, .dport = 41000, .flags = T_RST | T_ACK };

		c = pc_listen(p, 5000, NULL);
		c->mute = true;
		card_connect(q, 41000, 5000, NULL);
		peer_run(p, MS);
		NEED(c->irs, "no SYN");
		c->state = PC_CLOSED;
		g.ack = c->irs + 1;
		peer_raw(p, &g);
		NEED(card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e, 2 * S) && LS_GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_REFUSED, "the host is not told");
	}
	}
	/* Another connection works. */
	l = up(NULL);
	traffic(&l, 1, 500);
}

/* 46: resets that do not fit do no harm (RFC 5961 3) */
static void reset_blind(unsigned int arg)
{
	struct link l = up(NULL);
	struct tcp_seg g = { .sport = l.c->lport, .dport = l.c->rport, .flags = T_RST };

	alive(&l);
	pc_drain(l.c);
	g.seq = l.c->iss + 1 + (uint32_t)l.c->nxt + (arg == 0 ? 1000 : arg == 1 ? 0x40000000u : 0);
	if (arg == 2) { /* SYN of a stranger (RFC 5961 4) */
		g.flags = T_SYN;
		g.seq += 5000;
		g.wnd = 1000;
	}
	for (unsigned int i = 0; i < 20; i++)
		peer_raw(p, &g);
	peer_run(p, 5 * MS);
	traffic(&l, 1, 2000);
}

const struct test rdmap_tests[] = {
	{ "33.untagged-0", "R-01", version, 0, false },
	{ "33.untagged-2", "R-01", version, 2, true },
	{ "33.untagged-3", "R-01", version, 3, false },
	{ "33.tagged-0", "R-01", version, 4, false },
	{ "33.tagged-2", "R-01", version, 6, false },
	{ "33.tagged-3", "R-01", version, 7, true },
	{ "34.op-8-tagged", "R-01 X-01", opcode, 8 | 16, false },
	{ "34.op-11", "R-01 X-01", opcode, 11 | 3 << 8, false },
	{ "34.op-12", "R-01", opcode, 12, true },
	{ "34.op-13", "R-01", opcode, 13, false },
	{ "34.op-14", "R-01", opcode, 14, false },
	{ "34.op-15", "R-01", opcode, 15, false },
	{ "34.op-15-tagged", "R-01", opcode, 15 | 16, false },
	{ "35.write-untagged", "R-01", opcode, 0, true },
	{ "35.response-untagged", "R-01", opcode, 2, false },
	{ "35.send-tagged", "R-01", opcode, 3 | 16, true },
	{ "35.read-tagged", "R-01", opcode, 1 | 16, false },
	{ "35.terminate-tagged", "R-01", opcode, 7 | 16, false },
	{ "35.send-on-1", "R-01 D-10", opcode, 3 | 1 << 8 | 0x1000, false },
	{ "35.read-on-0", "R-01 D-10", opcode, 1 | 0x1000, false },
	{ "35.terminate-on-0", "R-01 D-10", opcode, 7 | 0x1000, false },
	{ "36.stag", "R-13 SEC-13", read_checks, 0, true },
	{ "36.above", "R-13 SEC-03", read_checks, 1, false },
	{ "36.below", "R-13 SEC-03", read_checks, 2, false },
	{ "36.no-right", "R-13 SEC-05", read_checks, 3, true },
	{ "36.pd", "R-13 SEC-01", read_checks, 4, false },
	{ "36.wrap", "R-13", read_checks, 5, false },
	{ "36.zero", "R-06", read_checks, 6, true },
	{ "36.huge", "R-13", read_checks, 7, false },
	{ "37.ird", "R-05 R-10", ird, 0, false },
	{ "37.ird-and-one", "R-10", ird, 1, false },
	{ "38.ord", "R-10", ord, 0, true },
	{ "38.ord-active", "R-10", ord, 1, false },
	{ "39.stag-0", "R-02", sink_stag, 0, false },
	{ "39.stag-max", "R-02", sink_stag, 1, true },
	{ "39.to-high", "R-02", sink_stag, 2, false },
	{ "40.short", "R-09 R-12", responses, 0, true },
	{ "40.long", "R-12", responses, 1, false },
	{ "40.stag", "R-12", responses, 2, false },
	{ "40.unasked", "R-12", responses, 3, false },
	{ "40.to", "R-12", responses, 4, false },
	{ "40.more", "R-12", responses, 5, false },
	{ "41.valid", "R-07 R-13", invalidate, 0, true },
	{ "41.solicited", "R-07 R-13", invalidate, 1, false },
	{ "41.one-segment", "R-07 SEC-04", invalidate, 2, true },
	{ "41.empty", "R-07", invalidate, 4, false },
	{ "41.unknown", "R-13 SEC-13", invalidate_not, 0, false },
	{ "41.key", "R-13 SEC-13", invalidate_not, 1, false },
	{ "41.invalid", "R-13", invalidate_not, 2, false },
	{ "41.pd", "R-13 SEC-01", invalidate_not, 3, false },
	{ "41.other-stream", "R-13 SEC-06", invalidate_not, 4, false },
	{ "41.no-right", "R-13 SEC-05", invalidate_not, 5, false },
	{ "41.shared", "R-13 SEC-06", invalidate_not, 6, true },
	{ "41.stag-0", "R-13", invalidate_not, 7, false },
	{ "41.window-bound", "R-13", window_bound, 0, false },
	{ "42.solicited", "R-07", solicited, 0, true },
	{ "43.first-error", "R-12 D-12", first_error, 0, true },
	{ "43.read-not-last", "R-12", one_segment, 0, false },
	{ "43.read-short", "R-12", one_segment, 1, false },
	{ "43.local-error", "R-12", local_error, 0, false },
	{ "43.updated-header", "R-03", NULL, 0, false },
	{ "44.idle", "R-08 R-11", terminated, 0, true },
	{ "44.read-under-way", "R-08", terminated, 1, false },
	{ "44.receives", "R-08", terminated, 2, false },
	{ "44.active", "R-08", terminated, 3, false },
	{ "44.first-fpdu", "R-08", terminated, 4, false },
	{ "45.good-wire", "R-09", ordering, 0, true },
	{ "45.bad-wire", "R-09 D-07", ordering, 1, false },
	{ "46.card", "T-06", closing, 0, true },
	{ "46.card-active", "T-06", closing, 1, false },
	{ "46.peer", "T-06 D-09", closing, 2, false },
	{ "46.peer-active", "T-06 D-09", closing, 3, true },
	{ "46.both", "T-06", closing, 4, false },
	{ "46.both-active", "T-06", closing, 5, false },
	{ "46.reset-by-peer", "T-06", closing, 6, false },
	{ "46.reset-by-card", "T-06", closing, 8, false },
	{ "46.reset-before-request", "T-06", reset_early, 0, false },
	{ "46.reset-with-request", "T-06", reset_early, 1, false },
	{ "46.reset-before-accept", "T-06", reset_early, 2, false },
	{ "46.reset-before-reply", "T-06", reset_early, 3, false },
	{ "46.refused", "T-06", reset_early, 4, false },
	{ "46.blind-reset", "T-26", reset_blind, 0, true },
	{ "46.wild-reset", "T-26", reset_blind, 1, false },
	{ "46.blind-syn", "T-26", reset_blind, 2, false },
	{ "69.close", "T-06", closing, 0, true },
	{ "69.close-peer-active", "T-06", closing, 3, false },
	{ "69.reset-by-peer", "T-06", closing, 6, false },
	{ "69.reset-by-card", "T-06", closing, 8, false },
	{ "69.reset-early", "T-06", reset_early, 1, false },
	{ "69.blind-reset", "T-26", reset_blind, 0, true },
	{ "69.blind-syn", "T-26", reset_blind, 2, false },
	{ "50.masks", "X-01 X-02 X-03", atomics, 0, true },
	{ "50.share", "X-05", atomic_share, 0, true },
	{ "50.share-and-one", "X-05 R-10", atomic_share, 1, false },
	{ "50.behind-read", "X-05", atomic_behind_read, 0, false },
	{ "50.two-streams", "X-05", atomic_contention, 0, true },
	{ "50.unaligned", "X-04", atomic_not, 0, true },
	{ "50.unaligned-page", "X-04", atomic_not, 1, false },
	{ "50.reserved", "X-06", atomic_not, 2, true },
	{ "50.unknown", "X-06", atomic_not, 3, false },
	{ "50.above", "X-02 R-13", atomic_not, 4, false },
	{ "50.below", "X-02 R-13", atomic_not, 5, false },
	{ "50.no-right-qp", "X-02 SEC-05", atomic_not, 6, false },
	{ "50.no-right", "X-02 SEC-05", atomic_not, 7, false },
	{ "50.stag", "X-02 SEC-13", atomic_not, 8, false },
	{ "50.pd", "X-02 SEC-01", atomic_not, 9, false },
	{ "50.wrap", "X-02 R-13", atomic_not, 10, false },
	{ "50.queue-0", "X-01 D-10", atomic_not, 11, false },
	{ "50.short", "X-02", atomic_not, 12, false },
	{ "50.long", "X-02", atomic_not, 13, false },
	{ "50.not-last", "X-02", atomic_not, 14, false },
	{ "50.msn", "D-10", atomic_not, 15, false },
	{ "50.requester", "X-02 X-05", atomic_asks, 0, true },
	{ "50.requester-bad-wire", "X-02 X-05", atomic_asks, 1, false },
	{ "50.answer-other", "X-05", atomic_answers, 0, false },
	{ "50.answer-read", "X-05", atomic_answers, 1, false },
	{ "50.answer-to-read", "X-05", atomic_answers, 2, false },
	{ "50.answer-msn", "X-05 D-04", atomic_answers, 3, false },
	{ "50.answer-short", "X-05", atomic_answers, 4, false },
	{ "50.answer-long", "X-05", atomic_answers, 5, false },
	{ "50.answer-queue-0", "X-01 D-10", atomic_answers, 6, false },
	{ "50.answer-unasked", "X-05", atomic_answers, 7, false },
	{ "50.answer-no-place", "X-05 R-12", atomic_answers, 8, false },
	{ "51.receive", "X-01 X-07", immediate, 0, true },
	{ "51.receive-solicited", "X-01 X-07", immediate, 1, false },
	{ "51.receive-empty", "X-01 X-07", immediate, 2, false },
	{ "51.high-half", "X-07", immediate, 4, false },
	{ "51.7-octets", "X-06", immediate_not, 0, true },
	{ "51.9-octets", "X-06", immediate_not, 1, true },
	{ "51.0-octets", "X-06", immediate_not, 2, false },
	{ "51.not-last", "X-06", immediate_not, 3, false },
	{ "51.inside-a-send", "X-06", immediate_not, 4, false },
	{ "51.queue-1", "X-01", immediate_not, 5, false },
	{ "51.no-receive", "X-01", immediate_not, 6, false },
	{ "51.order", "X-01", immediate_order, 0, true },
	{ "51.order-bad-wire", "X-01", immediate_order, 1, false },
	{ "51.send", "X-01 X-07", immediate_send, 0, true },
	{ "51.send-bad-wire", "X-01 X-07", immediate_send, 1, true },
	{ 0 },
};
