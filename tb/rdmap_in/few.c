// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_rdmap_in with 4 buffers of receive WQEs, and 60 connections in slots that have one receive posted each. Behind its completion
 * each posts the next one, and the Send for it is there at once: it waits for a WQE, and its slot has the buffer that the last WQE was in.
 * More of them wait than there are buffers, all the time, and all of them come to their end (docs/datapath.md: a wait ends by itself).
 */
#include <stdlib.h>
#include <string.h>

#include "ports.h"
#include "tb.h"
#include "weft_abi.h"

#define NC 60
#define LOG2 6
#define ENTRIES (1u << LOG2)
#define RING(c) ((uint64_t)(c) * ENTRIES * 64)
#define BUFS 0x100000ull
#define BUF 256u
#define MEM (BUFS + NC * BUF)
#define SENDS 8u    /* of each */
#define QUIET 20000 /* cycles without a completion: nobody moves */

static struct conn {
	uint64_t off, committed;
	uint32_t msn;
	uint16_t posted, taken;
	unsigned sent, done, len;
	uint8_t data[BUF];
	uint64_t post_at;
	bool rung;
	int pins;
} conns[NC];
static uint8_t mem[MEM];
static struct { struct tb_pack b; } given[1024];
static unsigned n_given, n_put, n_done, n_fetch, n_reclaim;
static struct xl { struct xl *next; uint64_t at, to; unsigned len; } *xls, **xls_tail = &xls;
static struct rqr { struct rqr *next; uint64_t at, addr; unsigned len; } *rqs, **rqs_tail = &rqs;
static bool is_idle, is_ready, stuck;
static uint64_t last_done;

static void be(uint8_t *p, uint64_t v, int n)
{
	while (n--) {
		p[n] = (uint8_t)v;
		v >>= 8;
	}
}

static void ring(unsigned i)
{
	struct tb_pack b;

	tb_pack_begin(&b, 40);
	tb_put(&b, 24, i + 1);
	tb_put(&b, 16, conns[i].posted);
	tb_item_push(RQDB, b.bits, 5);
}

static void load(unsigned i)
{
	struct conn *c = &conns[i];
	uint8_t h[64] = { 0 };
	uint64_t base = RING(i);
	struct tb_pack b;

	/* some are near the wrap of the index, and begin anywhere in a group of 16 */
	c->posted = c->taken = (uint16_t)(tb_chance(50) ? tb_rand() : 0xfff0u + tb_below(16));
	c->msn = 1;
	ring(i); /* as firmware does for a new QP */
	memcpy(h + WEFT_HOME_RDMAP_RQ_BASE_OFF, &base, 8);
	h[8] = LOG2 | WEFT_QP_STATE_RTS << 6;
	memcpy(h + WEFT_HOME_RDMAP_RQ_INDEX_OFF, &c->taken, 2);
	h[15] = 0x1f;
	h[20] = h[24] = 1;
	tb_pack_begin(&b, 553);
	tb_put(&b, 24, i + 1);
	tb_put(&b, 12, i);
	tb_put(&b, 2, 0);
	tb_put(&b, 3, 7);
	for (int k = 63; k >= 0; k--)
		tb_put(&b, 8, h[k]);
	tb_item_push(LOAD, b.bits, 70);
}

/* One receive. */
static void post(unsigned i)
{
	struct conn *c = &conns[i];
	uint8_t *w = mem + RING(i) + 64 * (c->posted % ENTRIES);
	uint64_t at = BUFS + i * BUF;
	uint32_t len = BUF;

	memset(w, 0, 64);
	w[0] = 1;
	memcpy(w + 4, &c->posted, 2);
	memcpy(w + 8, &len, 4);
	memcpy(w + 16, &at, 8);
	memcpy(w + 24, &len, 4);
	w[28] = 1;
	c->posted++;
	c->rung = true;
	ring(i);
}

/* The Send for it, when its doorbell was taken. */
static void send(unsigned i)
{
	struct conn *c = &conns[i];
	uint8_t u[18 + BUF] = { 0x41, 0x43 };
	static uint8_t f[BUF + 64];
	unsigned ulpdu, wire;
	struct tb_pack *b = &given[n_given++ % 1024].b;

	c->len = tb_range(1, BUF);
	tb_rand_bytes(c->data, c->len);
	be(u + 10, c->msn++, 4);
	memcpy(u + 18, c->data, c->len);
	ulpdu = 18 + c->len;
	wire = (2 + ulpdu + 3) / 4 * 4 + 4;
	tb_pack_begin(b, 519);
	tb_put(b, 24, i + 1);
	tb_put(b, 12, i);
	tb_put(b, 64, c->off);
	tb_put(b, 12, 0);
	tb_put(b, 16, ulpdu);
	tb_put(b, 1, 0);
	tb_put(b, 1, 1);
	tb_put(b, 1, 0);
	tb_put(b, 4, 0);
	for (int k = 45; k >= 0; k--)
		tb_put(b, 8, k < (int)ulpdu ? u[k] : 0);
	tb_put(b, 16, wire);
	f[0] = (uint8_t)(ulpdu >> 8);
	f[1] = (uint8_t)ulpdu;
	memcpy(f + 2, u, ulpdu);
	tb_packet_push(STORE, f, wire, NULL, 0, false);
	c->rung = false;
	c->off += wire;
	c->pins++;
	c->sent++;
}

static void on_ev(int port, const uint8_t *bits, void *arg)
{
	tb_fail("QP %u: event %u, code %04x, of streams that break no rule", (unsigned)tb_bits_get(bits, 488 - 24, 24), (unsigned)tb_bits_get(bits, 488 - 32, 8),
		(unsigned)tb_bits_get(bits, 488 - 48, 16));
}

static void on_put(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack *b = &given[n_put++ % 1024].b;

	tb_check(tb_bits_get(bits, 12, 1), "the store is full");
	tb_bits_set(b->bits, 16 + 368 + 4 + 3 + 16, 12, tb_bits_get(bits, 0, 12));
	tb_item_push(FPDU, b->bits, 65);
}

static void on_xl(int port, const uint8_t *bits, void *arg)
{
	struct xl *x = calloc(1, sizeof(*x));
	static uint64_t last;

	x->to = tb_bits_get(bits, 185 - 36 - 32 - 64, 64);
	x->len = (unsigned)tb_bits_get(bits, 185 - 36 - 32 - 64 - 16, 16);
	x->at = tb_cycle() + tb_range(5, 100);
	if (x->at < last)
		x->at = last;
	last = x->at;
	*xls_tail = x;
	xls_tail = &x->next;
}

static void on_rq(int port, const uint8_t *bits, void *arg)
{
	struct rqr *r = calloc(1, sizeof(*r));
	static uint64_t last;

	r->len = (unsigned)tb_bits_get(bits, 64, 16);
	r->addr = tb_bits_get(bits, 0, 64);
	tb_check(r->addr + r->len <= RING(NC), "a read of %u at %llx", r->len, (long long)r->addr);
	r->at = tb_cycle() + tb_range(20, 400);
	if (r->at < last)
		r->at = last;
	last = r->at;
	*rqs_tail = r;
	rqs_tail = &r->next;
}

static void host(void)
{
	while (rqs && tb_cycle() >= rqs->at) {
		struct rqr *r = rqs;

		tb_packet_push(RQDATA, mem + r->addr, r->len, NULL, 0, false);
		if (!(rqs = r->next))
			rqs_tail = &rqs;
		free(r);
	}
	while (xls && tb_cycle() >= xls->at) {
		struct xl *x = xls;
		struct tb_pack b;

		for (uint64_t o = 0; o < x->len;) {
			unsigned n = 4096 - ((x->to + o) & 4095);

			if (n > x->len - o)
				n = x->len - (unsigned)o;
			tb_pack_begin(&b, 87);
			tb_put(&b, 64, x->to + o);
			tb_put(&b, 16, n);
			tb_put(&b, 1, o + n == x->len);
			tb_put(&b, 6, 0);
			tb_item_push(XLRSP, b.bits, 11);
			o += n;
		}
		if (!(xls = x->next))
			xls_tail = &xls;
		free(x);
	}
}

static void on_wr(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	uint64_t at = tb_bits_get(side, 0, 64);

	tb_check(at >= BUFS && at + len <= MEM, "a write at %llx", (long long)at);
	if (at >= BUFS && at + len <= MEM)
		memcpy(mem + at, data, len);
}

static void on_commit(int port, const uint8_t *bits, void *arg)
{
	unsigned s = (unsigned)tb_bits_get(bits, 168 - 36, 12);
	uint64_t from = tb_bits_get(bits, 68, 64), to = tb_bits_get(bits, 4, 64);

	tb_check(s < NC && from == conns[s % NC].committed && to > from, "slot %u: commit from %llu, should be %llu", s, (long long)from,
		 (long long)conns[s % NC].committed);
	conns[s % NC].committed = to;
}

static void on_cqe(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 220);
	tb_get(&b, 10);
	tb_get(&b, 24);
	unsigned i = (unsigned)tb_get(&b, 24) - 1;
	tb_get(&b, 8);
	unsigned st = (unsigned)tb_get(&b, 8), idx = (unsigned)tb_get(&b, 16), bytes = (unsigned)tb_get(&b, 32);

	tb_check(i < NC, "a completion of QP %u", i + 1);
	struct conn *c = &conns[i % NC];
	tb_check(st == WEFT_WC_STATUS_SUCCESS && idx == c->taken && c->done < c->sent, "QP %u: status %u of WQE %u, should be 0 of %u", i + 1, st, idx, c->taken);
	tb_check(bytes == c->len && !memcmp(mem + BUFS + i * BUF, c->data, c->len), "QP %u: message %u: other bytes", i + 1, c->done);
	c->taken++;
	c->done++;
	n_done++;
	c->post_at = tb_cycle() + tb_below(40);
	last_done = tb_cycle();
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	is_ready = bits[1] >> 5 & 1;
	is_idle = bits[1] >> 6 & 1;
	n_fetch += bits[0] >> 6 & 1;
	n_reclaim += bits[0] >> 7 & 1;
}

static void on_drop(int port, const uint8_t *bits, void *arg)
{
	unsigned s = (unsigned)tb_bits_get(bits, 4, 12);
	int n = (int)tb_bits_get(bits, 0, 4);

	tb_check(s < NC, "a pin of slot %u", s);
	conns[s % NC].pins -= port == HAND && n > 7 ? n - 16 : n;
}

void tb_setup(void)
{
	static const struct { int id; tb_item_fn fn; } f[] = { { PUT, on_put }, { XLREQ, on_xl }, { COMMIT, on_commit }, { RQRD, on_rq }, { CQE, on_cqe }, { EV, on_ev },
		{ STATE, on_state }, { DROP, on_drop }, { HAND, on_drop } };

	for (unsigned i = 0; i < sizeof(f) / sizeof(*f); i++)
		tb_on_item(f[i].id, f[i].fn, NULL);
	tb_on_packet(WR, on_wr, NULL);
	for (unsigned i = 0; i < NC; i++)
		load(i);
}

bool tb_step(void)
{
	static bool begun;

	host();
	if (!is_ready || tb_pending(LOAD) || tb_pending(RQDB))
		return false;
	if (!begun) {
		begun = true;
		last_done = tb_cycle();
	}
	if (tb_cycle() % 1000 == 0)
		for (int i = 0; i < N_PORTS; i++) {
			tb_src_rate(i, tb_chance(50) ? 100 : tb_range(20, 90));
			tb_snk_rate(i, tb_chance(50) ? 100 : tb_range(20, 90));
		}
	for (unsigned i = 0; i < NC; i++) {
		struct conn *c = &conns[i];

		if (c->sent != c->done || c->sent == SENDS)
			continue;
		if (c->rung)
			send(i);
		else if (tb_cycle() >= c->post_at)
			post(i);
	}
	stuck = tb_cycle() - last_done > QUIET && n_done < NC * SENDS;
	return stuck || (n_done == NC * SENDS && is_idle && tb_cycle() - last_done > 2000);
}

void tb_finish(void)
{
	unsigned wait = 0;

	for (unsigned i = 0; i < NC; i++) {
		wait += conns[i].sent != conns[i].done;
		tb_check(stuck || (conns[i].committed == conns[i].off && !conns[i].pins), "QP %u: committed %llu of %llu, %d pins", i + 1,
			 (long long)conns[i].committed, (long long)conns[i].off, conns[i].pins);
	}
	tb_check(!stuck, "nobody moves: %u Sends wait for receive WQEs, %u of %u came", wait, n_done, NC * SENDS);
	tb_check(stuck || n_reclaim > 10, "buffers were taken back %u times", n_reclaim);
	tb_note("%u Sends of %u connections, %u reads of receive WQEs, buffers taken back %u times", n_done, NC, n_fetch, n_reclaim);
}
