// SPDX-License-Identifier: BSD-2-Clause
/*
 * Shared receive queues in weft_rdmap_in, against what spec and docs say of them: 12 connections, some on each of two shared queues and
 * some on queues of their own, that come and go in their slots. Here are mpa (which keeps what is refused and gives it again behind
 * `resume`), the host, tpt, firmware (which has woken ones look again) and the two ends.
 *
 * Checked: each entry of the order is read once and in its turn; a completion names a WQE that was taken and is open, with the bytes of the
 * next message of its QP in that WQE's buffers; receives use the queue's protection domain, Writes the QP's; who waits for an empty
 * queue holds no pin, can leave its slot, and is in nobody's way; it goes on when something is posted; limits are told once, and
 * when they should be; what a connection took and did not complete comes back flushed when it ends, whenever that is; a producer index too
 * far ahead takes nothing and is counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ports.h"
#include "tb.h"
#include "weft_abi.h"

#define NC 12
#define LOG2 4 /* of a shared queue */
#define ENTRIES (1u << LOG2)
#define OWN_LOG2 6
#define BUF 2048
#define MEM (1u << 20)
#define RING(s) ((s) * 0x4000ull)
#define OWN(q) (0x10000 + (q) * 0x1000ull)
#define BUFS 0x40000ull
#define SINKS 0xe0000ull
#define SRQ_PD(s) (0x2220u + (s))
#define QP_PD 0x111u
#define CUT 700u /* bytes of a WQE's first SGE */
#define BAD_KEY 0xbadu
#define KILLS 800u /* connections that are ended at any time */

static const unsigned srqn_of[2] = { 3, 61 };

enum { AWAY, LOADING, HOME, SAVING };
struct fpdu { uint64_t off; unsigned ulpdu, wire; uint8_t *u; };
struct msg { unsigned len; uint8_t *data; };
static struct qp {
	unsigned qpn, slot, state;
	int srq; /* -1: its own */
	uint8_t home[64];
	uint64_t off, committed;
	uint32_t msn;
	struct fpdu *f;
	unsigned n, next, cap; /* made, to be given */
	struct msg *m;
	unsigned mn, mh, mcap;
	bool refused, dead, err_sent, fault_seen, barrier;
	uint64_t act_at, wake_at;
	unsigned posted, taken, fetched; /* own queue */
	unsigned writes;
	int open; /* WQE of a shared queue that an ended connection had */
	unsigned step; /* of one that is ended at any time */
} qps[NC];

static struct srq {
	unsigned n;
	uint16_t posted, taken;
	bool used[ENTRIES], out[ENTRIES]; /* posted or taken; taken */
	unsigned free, n_done, n_taken;
	uint16_t limit;
	bool armed;
	unsigned told, lost;
	uint64_t told_by;
} srqs[2];

static uint8_t mem[MEM];
static int pins[N_SLOT];
static struct { struct tb_pack b; } given[4096];
static unsigned n_given, n_put;
static struct xl { struct xl *next; uint64_t at, to; unsigned len, err; } *xls, **xls_tail = &xls;
static struct rqr { struct rqr *next; uint64_t at, addr; unsigned len; bool err; } *rqs, **rqs_tail = &rqs;
static bool is_idle, is_ready;
static unsigned n_bad, n_refused, n_resumed, n_wake, n_cqe, n_flush, n_evict, n_evict_wait, n_limit, n_xlfail;
static unsigned phase;
static uint64_t phase_at;
static bool err_order;

static void be(uint8_t *p, uint64_t v, int n)
{
	while (n--) {
		p[n] = (uint8_t)v;
		v >>= 8;
	}
}

static void srq_cfg(struct srq *s, unsigned reg, uint32_t v) { tb_cfg_write(WEFT_ROOM_RX << 22 | s->n << 3 | reg, v); }

static void srq_ring(struct srq *s, unsigned index)
{
	struct tb_pack b;

	tb_pack_begin(&b, 32);
	tb_put(&b, 16, s->n);
	tb_put(&b, 16, index & 0xffff);
	tb_item_push(SRQDB, b.bits, 4);
}

static uint64_t buffer(int srq, unsigned i) { return BUFS + ((unsigned)srq * ENTRIES + i) * BUF; }

static void wqe(uint8_t *p, uint16_t index, uint64_t at, uint32_t key, uint32_t key2)
{
	uint32_t total = BUF, a = CUT, b = BUF - CUT;
	uint64_t second = at + CUT;

	memset(p, 0, 64);
	p[0] = 2;
	memcpy(p + 4, &index, 2);
	memcpy(p + 8, &total, 4);
	memcpy(p + 16, &at, 8);
	memcpy(p + 24, &a, 4);
	memcpy(p + 28, &key, 4);
	memcpy(p + 32, &second, 8);
	memcpy(p + 40, &b, 4);
	memcpy(p + 44, &key2, 4);
}

/* A WQE that is free, wherever it lies. */
static void srq_post(int k, unsigned n, bool ring, bool bad)
{
	struct srq *s = &srqs[k];

	for (; n && s->free; n--) {
		unsigned i = tb_below(ENTRIES);
		uint64_t order = RING(k) + (64 << LOG2) + (s->posted % ENTRIES) * WEFT_SRQ_ORDER_BYTES;

		while (s->used[i])
			i = (i + 1) % ENTRIES;
		s->used[i] = true;
		s->free--;
		wqe(mem + RING(k) + 64 * i, (uint16_t)i, buffer(k, i), bad && n & 1 ? BAD_KEY : 1, bad ? BAD_KEY : 1); /* of every second one that is bad the first part is good */
		memset(mem + buffer(k, i), 0xee, BUF);
		tb_rand_bytes(mem + order, 8);
		memcpy(mem + order, &(uint16_t){ (uint16_t)i }, 2);
		s->posted++;
	}
	if (ring)
		srq_ring(s, s->posted);
}

static void own_post(struct qp *q, unsigned n)
{
	struct tb_pack b;

	for (; n && q->posted - q->taken < 1u << OWN_LOG2; n--, q->posted++)
		wqe(mem + OWN(q->qpn) + 64 * (q->posted % (1u << OWN_LOG2)), (uint16_t)q->posted, BUFS + 0x20000 + (q->qpn % 4 * 16 + q->posted % 16) * BUF, 1, 1);
	tb_pack_begin(&b, 40);
	tb_put(&b, 24, q->qpn);
	tb_put(&b, 16, q->posted & 0xffff);
	tb_item_push(RQDB, b.bits, 5);
}

/* ---- the stream ---- */
static void add(struct qp *q, const uint8_t *u, unsigned ulpdu)
{
	struct fpdu *f;

	if (q->n == q->cap) {
		q->cap = q->cap ? 2 * q->cap : 64;
		q->f = realloc(q->f, q->cap * sizeof(*q->f));
	}
	f = &q->f[q->n++];
	f->off = q->off;
	f->ulpdu = ulpdu;
	f->wire = (2 + ulpdu + 3) / 4 * 4 + 4;
	f->u = malloc(ulpdu);
	memcpy(f->u, u, ulpdu);
	q->off += f->wire;
}

static void make_write(struct qp *q, uint32_t key)
{
	uint8_t u[14 + 64];

	tb_rand_bytes(u, sizeof(u));
	u[0] = 0xc1;
	u[1] = 0x40;
	be(u + 2, key, 4);
	be(u + 6, SINKS + q->qpn * 0x100, 8);
	add(q, u, sizeof(u));
	q->writes++;
}

static void make_send(struct qp *q, unsigned len, bool whole)
{
	static uint8_t u[18 + BUF];
	struct msg *m;
	unsigned at = 0;

	if (q->mn == q->mcap) {
		q->mcap = q->mcap ? 2 * q->mcap : 64;
		q->m = realloc(q->m, q->mcap * sizeof(*q->m));
	}
	m = &q->m[q->mn++];
	m->len = len;
	m->data = malloc(len + 1);
	tb_rand_bytes(m->data, len);
	do {
		unsigned n = len - at;

		if (n > 1 && tb_chance(60))
			n = tb_range(1, n);
		if (!whole && at + n == len) { /* the end never comes: but something is there */
			n = len - at > 1 ? len - at - 1 : 0;
			if (!n)
				break;
		}
		memset(u, 0, 18);
		u[0] = (uint8_t)(0x01 | (at + n == len) << 6);
		u[1] = 0x43;
		be(u + 10, q->msn, 4);
		be(u + 14, at, 4);
		memcpy(u + 18, m->data + at, n);
		add(q, u, 18 + n);
		at += n;
		if (!whole && at + 1 >= len)
			break;
	} while (at < len);
	if (!whole)
		q->mn--;
	q->msn++;
}

/* Breaks a rule. */
static void make_bad(struct qp *q)
{
	uint8_t u[18] = { 0x41, 0x43 };

	be(u + 10, q->msn + 7, 4);
	add(q, u, 18);
}

/* In the middle of a message a Write that fails when it is translated, and the end of the message, which breaks a rule when it is looked at: both end
 * the connection, in either order, and the WQE that the message has is lost to nobody. */
static void make_two_ends(struct qp *q)
{
	uint8_t u[18] = { 0x41, 0x43 };

	make_send(q, 200, false);
	make_write(q, BAD_KEY);
	for (unsigned n = tb_range(15, 38); n; n--)
		make_write(q, 1);
	be(u + 10, q->msn - 1, 4);
	be(u + 14, 5000, 4);
	add(q, u, 18);
}

static void give(struct qp *q)
{
	struct fpdu *f = &q->f[q->next++];
	struct tb_pack *b = &given[n_given++ % 4096].b;
	static uint8_t w[BUF + 64];

	tb_pack_begin(b, 519);
	tb_put(b, 24, q->qpn);
	tb_put(b, 12, q->slot);
	tb_put(b, 64, f->off);
	tb_put(b, 12, 0);
	tb_put(b, 16, f->ulpdu);
	tb_put(b, 1, 0);
	tb_put(b, 1, 1);
	tb_put(b, 1, tb_below(2));
	tb_put(b, 4, 0);
	for (int i = 45; i >= 0; i--)
		tb_put(b, 8, i < (int)f->ulpdu ? f->u[i] : 0);
	tb_put(b, 16, f->wire);
	w[0] = (uint8_t)(f->ulpdu >> 8);
	w[1] = (uint8_t)f->ulpdu;
	memcpy(w + 2, f->u, f->ulpdu);
	tb_packet_push(STORE, w, f->wire, NULL, 0, false);
	pins[q->slot]++;
}

static void on_put(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack *b = &given[n_put++ % 4096].b;

	tb_check(tb_bits_get(bits, 12, 1), "the store is full");
	tb_bits_set(b->bits, 16 + 368 + 4 + 3 + 16, 12, tb_bits_get(bits, 0, 12));
	tb_item_push(FPDU, b->bits, 65);
}

/* ---- host and tpt ---- */
static void on_rq(int port, const uint8_t *bits, void *arg)
{
	struct rqr *r = calloc(1, sizeof(*r));
	static uint64_t last;

	r->len = (unsigned)tb_bits_get(bits, 64, 16);
	r->addr = tb_bits_get(bits, 0, 64);
	r->at = tb_cycle() + tb_range(20, 400);
	if (r->at < last)
		r->at = last;
	last = r->at;
	for (int k = 0; k < 2; k++) {
		struct srq *s = &srqs[k];
		uint64_t order = RING(k) + (64 << LOG2);

		if (r->addr >= order && r->addr < order + ENTRIES * WEFT_SRQ_ORDER_BYTES) {
			unsigned i = (unsigned)(r->addr - order) / WEFT_SRQ_ORDER_BYTES;
			uint16_t slot;

			tb_check(r->len == WEFT_SRQ_ORDER_BYTES && i == s->taken % ENTRIES && s->taken != s->posted,
				 "queue %d: entry %u is read, should be %u of %u to %u", k, i, s->taken % ENTRIES, s->taken, s->posted);
			memcpy(&slot, mem + r->addr, 2);
			tb_check(slot < ENTRIES && s->used[slot] && !s->out[slot], "queue %d: WQE %u is taken again", k, slot);
			s->taken++;
			s->n_taken++;
			s->out[slot] = true;
			if (err_order) { /* nobody gets it, and the host has it back when it makes the queue anew */
				err_order = false;
				r->err = true;
				s->out[slot] = s->used[slot] = false;
				s->free++;
				s->lost++;
			}
		} else if (r->addr >= RING(k) && r->addr < order) {
			unsigned i = (unsigned)(r->addr - RING(k)) / 64;

			tb_check(r->len == 64 && s->out[i], "queue %d: WQE %u is read, %u bytes, and nobody took it", k, i, r->len);
		}
	}
	*rqs_tail = r;
	rqs_tail = &r->next;
}

static void host(void)
{
	while (rqs && tb_cycle() >= rqs->at) {
		struct rqr *r = rqs;

		tb_packet_push(RQDATA, mem + r->addr, r->len, NULL, 0, r->err);
		if (!(rqs = r->next))
			rqs_tail = &rqs;
		free(r);
	}
	while (xls && tb_cycle() >= xls->at) {
		struct xl *x = xls;
		struct tb_pack b;

		for (uint64_t o = 0; o < x->len || x->err;) {
			unsigned n = 4096 - ((x->to + o) & 4095);

			if (n > x->len - o)
				n = x->len - (unsigned)o;
			tb_pack_begin(&b, 87);
			tb_put(&b, 64, x->err ? 0 : x->to + o);
			tb_put(&b, 16, x->err ? 0 : n);
			tb_put(&b, 1, x->err || o + n == x->len);
			tb_put(&b, 4, x->err);
			tb_put(&b, 2, 0);
			tb_item_push(XLRSP, b.bits, 11);
			if (x->err)
				break;
			o += n;
		}
		if (!(xls = x->next))
			xls_tail = &xls;
		free(x);
	}
}

static void on_xl(int port, const uint8_t *bits, void *arg)
{
	struct xl *x = calloc(1, sizeof(*x));
	struct tb_pack b;
	static uint64_t last;

	tb_unpack_begin(&b, bits, 185);
	unsigned qpn = (unsigned)tb_get(&b, 24);
	struct qp *q = &qps[qpn - 1];
	tb_get(&b, 12);
	uint32_t key = (uint32_t)tb_get(&b, 32);
	x->to = tb_get(&b, 64);
	x->len = (unsigned)tb_get(&b, 16);
	tb_get(&b, 8);
	uint32_t pd = (uint32_t)tb_get(&b, 24), want = x->to >= SINKS || q->srq < 0 ? QP_PD : SRQ_PD(q->srq);

	tb_check(pd == want, "QP %u: an access at %llx by protection domain %x, should be %x", qpn, (long long)x->to, pd, want);
	x->err = key == BAD_KEY ? 1 : 0;
	n_xlfail += x->err;
	x->at = tb_cycle() + (key == BAD_KEY ? tb_range(5, 20) : tb_range(5, 200));
	if (x->at < last)
		x->at = last;
	last = x->at;
	*xls_tail = x;
	xls_tail = &x->next;
}

static void on_wr(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	uint64_t at = tb_bits_get(side, 0, 64);

	tb_check(at >= BUFS && at + len <= MEM, "a write at %llx", (long long)at);
	if (at >= BUFS && at < buffer(2, 0)) { /* behind its completion the program has its memory back */
		unsigned i = (unsigned)(at - BUFS) / BUF;

		tb_check(srqs[i / ENTRIES].used[i % ENTRIES], "queue %u: a write of %zu bytes into WQE %u, which is completed", i / ENTRIES, len, i % ENTRIES);
	}
	memcpy(mem + at, data, len);
}

/* ---- what comes out ---- */
static struct qp *by(struct tb_pack *b)
{
	unsigned q = (unsigned)tb_get(b, 24), s = (unsigned)tb_get(b, 12);

	tb_check(q >= 1 && q <= NC && qps[q - 1].slot == s && qps[q - 1].state != AWAY, "QP %u, slot %u: nobody is there", q, s);
	return &qps[(q - 1) % NC];
}

static void on_commit(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 168);
	struct qp *q = by(&b);
	uint64_t from = tb_get(&b, 64), to = tb_get(&b, 64);

	tb_check(from == q->committed && to > from, "QP %u: commit from %llu, should be %llu", q->qpn, (long long)from, (long long)q->committed);
	q->committed = to;
}

static void on_cqe(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct qp *q;

	tb_unpack_begin(&b, bits, 220);
	tb_get(&b, 10);
	tb_get(&b, 24);
	unsigned qpn = (unsigned)tb_get(&b, 24);
	tb_get(&b, 8);
	unsigned st = (unsigned)tb_get(&b, 8), i = (unsigned)tb_get(&b, 16), bytes = (unsigned)tb_get(&b, 32);
	uint64_t at;

	q = &qps[(qpn - 1) % NC];
	n_cqe++;
	if (q->srq >= 0) {
		struct srq *s = &srqs[q->srq];

		tb_check(i < ENTRIES && s->out[i], "QP %u: completion of WQE %u, which nobody has", qpn, i);
		i %= ENTRIES;
		s->out[i] = s->used[i] = false;
		s->free++;
		s->n_done++;
		at = buffer(q->srq, i);
	} else {
		tb_check(i == (q->taken & 0xffff), "QP %u: completion of WQE %u, should be %u", qpn, i, q->taken);
		at = BUFS + 0x20000 + (q->qpn % 4 * 16 + i % 16) * BUF;
		q->taken++;
	}
	if (st != WEFT_WC_STATUS_SUCCESS) {
		tb_check((q->fault_seen || q->dead) && (st == WEFT_WC_STATUS_WR_FLUSH_ERR || st == WEFT_WC_STATUS_LOC_PROT_ERR), "QP %u: status %u", qpn, st);
		n_flush++;
		return;
	}
	tb_check(q->mh < q->mn, "QP %u: a message too many", qpn);
	struct msg *m = &q->m[q->mh++];
	tb_check(bytes == m->len && !memcmp(mem + at, m->data, m->len), "QP %u: message %u in WQE %u, %u bytes, should be %u: other bytes", qpn, q->mh - 1, i, bytes, m->len);
}

static void on_refuse(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 102);
	struct qp *q = by(&b);
	uint64_t off = tb_get(&b, 64);
	unsigned i = 0;

	pins[q->slot]--;
	while (i < q->next && q->f[i].off != off)
		i++;
	tb_check(q->srq >= 0 && i < q->next && !q->refused, "QP %u: refused at %llu", q->qpn, (long long)off);
	q->refused = true;
	q->next = i;
	n_refused++;
}

static void on_resume(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 36);
	struct qp *q = by(&b);

	pins[q->slot]--;
	tb_check(q->refused, "QP %u resumes, and was not refused", q->qpn);
	q->refused = false;
	n_resumed++;
}

static void on_ev(int port, const uint8_t *bits, void *arg)
{
	unsigned qpn = (unsigned)tb_bits_get(bits, 488 - 24, 24), kind = (unsigned)tb_bits_get(bits, 488 - 32, 8);
	struct qp *q = &qps[(qpn - 1) % NC];

	if (kind == WEFT_FW_EV_DRAINED) {
		q->barrier = true;
		return;
	}
	tb_check(kind == WEFT_FW_EV_RX_FAULT && q->dead, "QP %u: event %u", qpn, kind);
	q->fault_seen = true;
	q->act_at = tb_cycle() + tb_range(1, 800);
}

static void on_srq_ev(int port, const uint8_t *bits, void *arg)
{
	unsigned id = (unsigned)tb_bits_get(bits, 488 - 24, 24), kind = (unsigned)tb_bits_get(bits, 488 - 32, 8);

	if (kind == WEFT_FW_EV_SRQ_WAKE) {
		tb_check(id >= 1 && id <= NC && qps[id - 1].srq >= 0, "QP %u is woken", id);
		n_wake++;
		qps[id - 1].wake_at = tb_cycle() + tb_range(1, 600);
		return;
	}
	struct srq *s = id == srqs[0].n ? &srqs[0] : &srqs[1];
	tb_check(kind == WEFT_FW_EV_SRQ_LIMIT && id == s->n, "event %u of %u", kind, id);
	/* An entry is popped before it is read: 16 reads may be on their way. */
	tb_check(s->armed && (uint16_t)(s->posted - s->taken) < s->limit + 16, "queue %u: limit %u, and %u are left", id, s->limit, (uint16_t)(s->posted - s->taken));
	s->armed = false;
	s->told++;
	n_limit++;
}

static void on_drop(int port, const uint8_t *bits, void *arg)
{
	unsigned s = (unsigned)tb_bits_get(bits, 4, 12);

	pins[s]--;
	tb_check(s < N_SLOT && pins[s] >= 0, "a pin of slot %u too many", s);
}

static void on_hand(int port, const uint8_t *bits, void *arg)
{
	unsigned s = (unsigned)tb_bits_get(bits, 4, 12);
	int n = (int)tb_bits_get(bits, 0, 4);

	pins[s] -= n > 7 ? n - 16 : n;
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	is_ready = bits[1] >> 5 & 1;
	is_idle = bits[1] >> 6 & 1;
	n_bad += bits[2] & 1;
}

/* ---- slots ---- */
static void cmd(struct qp *q, unsigned op, unsigned arg)
{
	struct tb_pack b;

	tb_pack_begin(&b, 56);
	tb_put(&b, 24, q->qpn);
	tb_put(&b, 12, q->slot);
	tb_put(&b, 4, op);
	tb_put(&b, 16, arg);
	tb_item_push(CMD, b.bits, 7);
	pins[q->slot]++;
}

static void load(struct qp *q)
{
	struct tb_pack b;

	for (q->slot = tb_below(N_SLOT);; q->slot = (q->slot + 1) % N_SLOT) {
		bool taken = false;

		for (int i = 0; i < NC; i++)
			taken |= &qps[i] != q && qps[i].state != AWAY && qps[i].slot == q->slot;
		if (!taken && !pins[q->slot])
			break;
	}
	tb_pack_begin(&b, 553);
	tb_put(&b, 24, q->qpn);
	tb_put(&b, 12, q->slot);
	tb_put(&b, 2, 0);
	tb_put(&b, 3, 7);
	for (int i = 63; i >= 0; i--)
		tb_put(&b, 8, q->home[i]);
	tb_item_push(LOAD, b.bits, 70);
	q->state = LOADING;
}

static void save(struct qp *q)
{
	struct tb_pack b;

	tb_pack_begin(&b, 38);
	tb_put(&b, 24, q->qpn);
	tb_put(&b, 12, q->slot);
	tb_put(&b, 2, q->qpn & 3);
	tb_item_push(SAVE, b.bits, 5);
	q->state = SAVING;
	n_evict++;
	n_evict_wait += q->refused;
}

static void on_line(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 553);
	struct qp *q = by(&b);
	tb_check(q->state == SAVING, "QP %u: a line nobody asked for", q->qpn);
	tb_get(&b, 5);
	for (int i = 63; i >= 0; i--)
		q->home[i] = (uint8_t)tb_get(&b, 8);
	q->state = AWAY;
	if (q->act_at < tb_cycle() + 500)
		q->act_at = tb_cycle() + 500;
	/* whoever has the line may give the memory of its own queue to another */
	for (struct rqr *r = rqs; r; r = r->next)
		tb_check(q->srq >= 0 || r->addr < OWN(q->qpn) || r->addr >= OWN(q->qpn) + (64 << OWN_LOG2), "the line of QP %u is out, and its receive WQEs are read still", q->qpn);
}

static void qp_init(struct qp *q, unsigned i)
{
	uint64_t base;
	uint16_t srqn;
	uint32_t pd = QP_PD;

	q->qpn = i + 1;
	q->srq = i < 6 ? 0 : i < 9 ? 1 : -1;
	q->open = -1;
	base = q->srq < 0 ? OWN(q->qpn) : RING(q->srq);
	memcpy(q->home, &base, 8);
	q->home[8] = (uint8_t)((q->srq < 0 ? OWN_LOG2 : LOG2) | WEFT_QP_STATE_RTS << 6);
	memcpy(q->home + 12, &pd, 3);
	q->home[15] = 0x1f;
	q->home[18] = 4;
	q->home[20] = q->home[24] = 1;
	q->home[39] = 1 << 4;
	if (q->srq >= 0) {
		srqn = (uint16_t)srqn_of[q->srq];
		pd = SRQ_PD(q->srq);
		memcpy(q->home + WEFT_HOME_RDMAP_SRQN_OFF, &srqn, 2);
		memcpy(q->home + WEFT_HOME_RDMAP_SRQ_PD_OFF, &pd, 3);
		q->home[WEFT_HOME_RDMAP_SRQ_OFF] = 1;
	}
	q->msn = 1;
}

void tb_setup(void)
{
	static const struct { int id; tb_item_fn fn; } f[] = { { PUT, on_put }, { XLREQ, on_xl }, { COMMIT, on_commit }, { RQRD, on_rq }, { EV, on_ev }, { CQE, on_cqe },
		{ STATE, on_state }, { REFUSE, on_refuse }, { RESUME, on_resume }, { SRQEV, on_srq_ev }, { DROP, on_drop }, { HAND, on_hand }, { LINE, on_line } };

	for (unsigned i = 0; i < sizeof(f) / sizeof(*f); i++)
		tb_on_item(f[i].id, f[i].fn, NULL);
	tb_on_packet(WR, on_wr, NULL);
	for (unsigned i = 0; i < NC; i++) {
		qp_init(&qps[i], i);
		own_post(&qps[i], 0); /* as firmware does for a new QP */
	}
	for (unsigned k = 0; k < 2; k++) {
		srqs[k].n = srqn_of[k];
		srqs[k].free = ENTRIES;
	}
}

static bool done(const struct qp *q) { return q->next == q->n && q->mh == q->mn && q->committed == q->off && !q->refused; }

static int pinned(void)
{
	int n = 0;

	for (int i = 0; i < N_SLOT; i++)
		n += pins[i];
	return n;
}

static void run(struct qp *q)
{
	bool want = q->next < q->n && !q->refused && !q->dead;

	if (q->state == AWAY && (want || (q->wake_at && tb_cycle() >= q->wake_at) || (q->dead && !q->err_sent && q->next < q->n) || tb_chance(1))) {
		load(q);
		return;
	}
	if (q->state == LOADING && !tb_pending(LOAD))
		q->state = HOME;
	if (q->state != HOME)
		return;
	if (q->wake_at && tb_cycle() >= q->wake_at) {
		q->wake_at = 0;
		cmd(q, WEFT_CTX_OP_RESUME, 0);
	}
	if (q->next < q->n && !q->refused && pins[q->slot] < 8 && pinned() < 40 && tb_chance(20) && !q->err_sent)
		give(q);
	if (q->fault_seen && !q->err_sent && tb_cycle() >= q->act_at) {
		q->err_sent = true;
		cmd(q, WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_ERR);
	}
	/* Who has no pin may leave, also in the middle of a message. */
	if (!pins[q->slot] && !q->wake_at && (!want || q->refused || tb_chance(30)) && !q->dead && tb_chance(1) && tb_chance(30))
		save(q);
}

static void next_phase(void)
{
	phase++;
	phase_at = tb_cycle();
}

/* One message, and an end that does not wait for it: ERR at any time, saved as soon as nothing holds it, then fetched so that it flushes. */
enum { K_NEW, K_SENDS, K_RUNS, K_ENDS, K_SAVED, K_FLUSHES, K_OVER };
static unsigned n_killed;
static void kill_run(struct qp *q)
{
	if (q->state == LOADING && !tb_pending(LOAD))
		q->state = HOME;
	if (q->state == AWAY) {
		if (q->step == K_OVER || (q->step == K_SAVED && q->qpn % 2)) { /* half of them are not fetched again: they are destroyed */
			unsigned i = q->qpn - 1;

			if (tb_cycle() < q->act_at) /* the completion may be on its way */
				return;
			tb_check(!(q->home[WEFT_HOME_RDMAP_SRQ_HAVE_OFF] >> WEFT_HOME_RDMAP_SRQ_HAVE_LSB % 8 & 1), "QP %u is away, ended, and has a WQE", q->qpn);
			n_killed++;
			*q = (struct qp){ 0 };
			qp_init(q, i);
		} else if ((q->step == K_NEW && n_killed < KILLS) || q->step == K_SAVED) {
			q->step++;
			q->act_at = tb_cycle() + 2000;
			load(q);
		}
	}
	if (q->state != HOME)
		return;
	switch (q->step) {
	case K_NEW:
		q->step++;
		break;
	case K_SENDS:
		if (tb_chance(50)) {
			make_two_ends(q);
			q->dead = true;
			q->act_at = tb_cycle() + tb_range(500, 1500);
		} else {
			make_send(q, tb_range(1, 100), true);
			q->act_at = tb_cycle() + tb_range(0, 1000);
		}
		while (q->next < q->n)
			give(q);
		q->step++;
		break;
	case K_RUNS:
		if (tb_cycle() < q->act_at)
			break;
		q->dead = true;
		cmd(q, WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_ERR);
		q->step++;
		break;
	case K_FLUSHES:
		if (tb_cycle() < q->act_at)
			break;
		/* fall through */
	case K_ENDS:
		if (pins[q->slot])
			break;
		save(q);
		q->act_at = tb_cycle() + 500;
		q->step++;
		break;
	}
}

static bool all_done(bool shared)
{
	for (int i = 0; i < NC; i++)
		if ((shared || qps[i].srq < 0) && !qps[i].dead && !done(&qps[i]))
			return false;
	return is_idle && tb_cycle() > phase_at + 50;
}

/* No limit is reached and not told. */
static void limits(void)
{
	for (int k = 0; k < 2; k++)
		tb_check(!srqs[k].armed || (uint16_t)(srqs[k].posted - srqs[k].taken) >= srqs[k].limit, "queue %d: %u are left, limit %u, and nobody was told", k,
			 (uint16_t)(srqs[k].posted - srqs[k].taken), srqs[k].limit);
}

static void traffic(unsigned per_cent)
{
	for (int i = 0; i < NC; i++) {
		struct qp *q = &qps[i];

		if (q->dead || q->n - q->next > 6 || !tb_chance(per_cent))
			continue;
		if (tb_chance(30))
			make_write(q, 1);
		else if (q->srq >= 0 || q->posted != q->taken + (q->mn - q->mh))
			make_send(q, tb_chance(10) ? 0 : tb_chance(60) ? tb_range(1, 200) : tb_range(1, BUF), true);
	}
}

static void refill(unsigned pct)
{
	for (int k = 0; k < 2; k++)
		if (tb_chance(pct))
			srq_post(k, tb_range(1, 6), true, false);
	for (int i = 0; i < NC; i++)
		if (qps[i].srq < 0 && !qps[i].dead && qps[i].posted - qps[i].taken < 8)
			own_post(&qps[i], 8);
}

bool tb_step(void)
{
	static unsigned refused_then, waiting;

	host();
	if (!is_ready || tb_cfg_pending() || (!phase && tb_pending(RQDB)))
		return false;
	for (int i = 0; i < NC; i++)
		if (phase == 13 && i >= 2 && i < 6)
			kill_run(&qps[i]);
		else
			run(&qps[i]);
	switch (phase) {
	case 0: /* both are made; limits */
		for (int k = 0; k < 2; k++)
			srq_cfg(&srqs[k], WEFT_SRQ_CTRL, 1u << 31 | LOG2);
		next_phase();
		break;
	case 1: /* traffic with queues that run empty again and again */
		if (tb_cycle() < phase_at + 100000) {
			if (tb_chance(8))
				traffic(20);
			if (tb_chance(1))
				refill(12);
			for (int k = 0; k < 2; k++)
				if (!srqs[k].armed && tb_chance(1) && tb_chance(5)) {
					srqs[k].limit = (uint16_t)tb_range(1, 8);
					srqs[k].armed = true;
					srq_cfg(&srqs[k], WEFT_SRQ_LIMIT, srqs[k].limit);
				}
			break;
		}
		if (tb_chance(2))
			refill(50);
		if (!all_done(true))
			break;
		limits();
		tb_note("%u completions, %u refusals, %u woken, %u resumed, %u limits, %u left their slots, %u of them waiting", n_cqe, n_refused, n_wake, n_resumed, n_limit,
			n_evict, n_evict_wait);
		tb_check(n_refused > 20 && n_evict_wait > 2 && n_limit > 3 && n_evict > 20, "too little happened");
		tb_check(n_resumed == n_refused, "%u refused, %u resumed", n_refused, n_resumed);
		next_phase();
		break;
	case 2: /* the second queue is emptied, and its QPs wait; all others go on, and nobody who waits holds anything */
		if (srqs[1].free) {
			srq_post(1, ENTRIES, true, false);
			phase_at = tb_cycle();
			break;
		}
		if (tb_cycle() < phase_at + 200)
			break;
		if (!srqs[1].armed) {
			srqs[1].limit = 4;
			srqs[1].armed = true;
			srq_cfg(&srqs[1], WEFT_SRQ_LIMIT, srqs[1].limit);
		}
		refused_then = n_refused;
		for (int i = 6; i < 9; i++)
			for (unsigned n = 0; n < ENTRIES; n++)
				make_send(&qps[i], 40, true);
		next_phase();
		break;
	case 3:
		waiting = 0;
		for (int i = 6; i < 9; i++)
			waiting += qps[i].refused && (qps[i].state == AWAY || !pins[qps[i].slot]);
		if (waiting < 3 || tb_cycle() < phase_at + 8000)
			break;
		tb_check(!srqs[1].armed, "a queue is used up, and nobody was told of its limit");
		tb_check(n_refused >= refused_then + 3, "three wait, and %u were refused", n_refused - refused_then);
		for (int i = 0; i < 6; i++)
			for (unsigned n = 0; n < 30; n++)
				make_send(&qps[i], 100, true);
		for (int i = 9; i < NC; i++)
			for (unsigned n = 0; n < 60; n++)
				make_write(&qps[i], 1);
		next_phase();
		break;
	case 4: {
		bool over = true;

		if (tb_chance(5))
			srq_post(0, 8, true, false);
		for (int i = 0; i < NC; i++)
			over = over && (qps[i].srq == 1 || done(&qps[i]));
		tb_check(tb_cycle() < phase_at + 60000, "others wait behind those of an empty queue");
		if (!over && tb_cycle() < phase_at + 60000)
			break;
		tb_note("while three wait, all others are done within %u cycles", (unsigned)(tb_cycle() - phase_at));
		for (int i = 6; i < 9; i++)
			tb_check(qps[i].refused && (qps[i].state == AWAY || !pins[qps[i].slot]), "QP %u waits and holds a pin", qps[i].qpn);
		next_phase();
		break;
	}
	case 5: /* posted one by one */
		if (tb_chance(1))
			srq_post(1, 1, true, false);
		if (!all_done(true))
			break;
		limits();
		next_phase();
		break;
	case 6: /* a producer index too far ahead takes nothing, and counts */
		while (srqs[1].free > 2)
			srq_post(1, 1, false, false);
		n_bad = 0;
		srq_ring(&srqs[1], srqs[1].taken + ENTRIES + 1);
		make_send(&qps[6], 10, true);
		next_phase();
		break;
	case 7:
		if (tb_cycle() < phase_at + 3000)
			break;
		tb_check(n_bad && qps[6].refused, "a producer index too far ahead: %u counted, refused %d", n_bad, qps[6].refused);
		srq_ring(&srqs[1], srqs[1].posted);
		next_phase();
		break;
	case 8: /* an entry of the order that cannot be read is lost, and nothing else */
		if (!all_done(true))
			break;
		err_order = true;
		make_send(&qps[7], 10, true);
		next_phase();
		break;
	case 9:
		if (!all_done(true))
			break;
		tb_check(srqs[1].lost == 1, "an entry that cannot be read");
		/* Connections end: inside a message; by a header; by a WQE that names a bad STag, with messages behind it. */
		while (srqs[0].free)
			srq_post(0, 1, false, false);
		srq_ring(&srqs[0], srqs[0].posted);
		make_send(&qps[0], 500, false);
		make_bad(&qps[0]);
		make_bad(&qps[1]);
		qps[0].dead = qps[1].dead = true;
		next_phase();
		break;
	case 10:
		if (!all_done(true) || !qps[0].err_sent || !qps[1].err_sent || pins[qps[0].slot] || pins[qps[1].slot])
			break;
		tb_check(srqs[0].n_taken == srqs[0].n_done + srqs[0].lost, "%u were taken, %u completed", srqs[0].n_taken, srqs[0].n_done);
		tb_check(n_flush == 2, "%u of two flushed", n_flush);
		for (int i = 2; i < 6; i++)
			for (unsigned n = 0; n < 20; n++)
				make_send(&qps[i], 60, true);
		next_phase();
		break;
	case 11: /* the rest of the queue was not flushed, and is everybody's */
		if (tb_chance(5))
			srq_post(0, 4, true, false);
		if (!all_done(true))
			break;
		/* All of the second queue is used up, then bad ones: two connections end with messages on their way. */
		if (srqs[1].taken != srqs[1].posted) {
			make_send(&qps[8], 5, true);
			phase_at = tb_cycle();
			break;
		}
		srq_post(1, 6, false, true);
		while (srqs[1].free)
			srq_post(1, 1, false, false);
		n_flush = 0;
		for (int i = 6; i < 8; i++) {
			for (unsigned n = 0; n < 5; n++)
				make_send(&qps[i], CUT + 20, true);
			qps[i].mn = qps[i].mh;
			qps[i].dead = true;
		}
		srq_ring(&srqs[1], srqs[1].posted);
		tb_snk_rate(WR, 1);
		next_phase();
		break;
	case 12:
		if (!is_idle || !qps[6].err_sent || !qps[7].err_sent || pins[qps[6].slot] || pins[qps[7].slot] || tb_cycle() < phase_at + 3000)
			break;
		tb_check(srqs[1].n_taken == srqs[1].n_done + srqs[1].lost && n_flush >= 2, "%u were taken, %u completed, %u flushed", srqs[1].n_taken, srqs[1].n_done, n_flush);
		tb_snk_rate(WR, 100);
		tb_note("two connections ended by bad STags: %u receives flushed", n_flush);
		n_flush = 0;
		next_phase();
		break;
	default: /* ends at any time lose no WQE */
		if (n_killed < KILLS) {
			if (tb_chance(1))
				srq_post(0, 4, true, false);
			break;
		}
		for (int i = 2; i < 6; i++)
			if (qps[i].state != AWAY || qps[i].step != K_NEW)
				return false;
		if (!is_idle)
			break;
		tb_check(srqs[0].n_taken == srqs[0].n_done + srqs[0].lost, "%u were taken, %u completed, when connections ended", srqs[0].n_taken, srqs[0].n_done);
		tb_check(n_flush > 5, "%u receives flushed", n_flush);
		tb_note("%u connections ended at any time: %u receives flushed", n_killed, n_flush);
		return true;
	}
	return false;
}

void tb_finish(void)
{
	tb_check(phase == 13, "it ended in phase %u", phase);
	for (int i = 0; i < N_SLOT; i++)
		tb_check(!pins[i], "slot %d has %d pins", i, pins[i]);
	if (phase != 13)
		for (int i = 0; i < NC; i++)
			tb_note("QP %u: state %u next %u of %u, messages %u of %u, refused %d, committed %llu of %llu, dead %d err %d pins %d", qps[i].qpn, qps[i].state, qps[i].next,
				qps[i].n, qps[i].mh, qps[i].mn, qps[i].refused, (long long)qps[i].committed, (long long)qps[i].off, qps[i].dead, qps[i].err_sent, pins[qps[i].slot]);
}
