// SPDX-License-Identifier: BSD-2-Clause
/*
 * Rates and latencies of weft_rdmap_in with a host that takes everything and a translation that answers after 12 cycles,
 * operations on STags that take five and are done after 300,
 * against the budget of docs/datapath.md: an FPDU each cycle over slots, every second one in one slot, check 8, placement 5.
 * At the end two ways of waiting: firmware that takes no events, and tcp that takes no commits.
 */
#include <stdlib.h>
#include <string.h>

#include "ports.h"
#include "tb.h"
#include "weft_abi.h"

#define XL 12
#define OP_CYCLES 5
#define DRAIN_CYCLES 300
#define BYTES (TB_DATA_W / 8)

struct fp { struct tb_pack b; };
static struct fp fps[512];
static unsigned n_put, n_made, done_cqe;
static uint64_t off[N_SLOT], committed[N_SLOT];
static uint32_t msn[N_SLOT];
static unsigned rq_posted[N_SLOT];
static struct xl { struct xl *next; uint64_t at, to; unsigned len; } *xls, **xls_tail = &xls;
static struct rq { struct rq *next; uint64_t at, addr; unsigned len; } *rqs, **rqs_tail = &rqs;
static uint64_t first_check, last_check, first_wr, last_wr, t_accept, t_xl, t_rsp, t_wr, t_commit;
static unsigned n_check, n_wr_bytes, n_commits, n_events;
static bool is_idle, is_ready;
static int phase = -2, state;
static uint64_t wait_until, ring_from;

static void fpdu(struct tb_pack *b, unsigned s, const uint8_t *u, unsigned ulpdu, unsigned fault, unsigned wire)
{
	tb_pack_begin(b, 519);
	tb_put(b, 24, s + 1);
	tb_put(b, 12, s);
	tb_put(b, 64, off[s]);
	tb_put(b, 12, 0);
	tb_put(b, 16, ulpdu);
	tb_put(b, 2, 1);
	tb_put(b, 1, 0);
	tb_put(b, 4, fault);
	for (int i = 45; i >= 0; i--)
		tb_put(b, 8, i < (int)ulpdu ? u[i] : 0);
	tb_put(b, 16, wire);
}

static void put(unsigned s, const uint8_t *u, unsigned ulpdu)
{
	unsigned wire = (2 + ulpdu + 3) / 4 * 4 + 4;

	fpdu(&fps[n_made++].b, s, u, ulpdu, 0, wire);
	off[s] += wire;
	/* as mpa leaves it: length, ULPDU, pad, CRC */
	static uint8_t w[16400];
	w[0] = ulpdu >> 8;
	w[1] = ulpdu;
	memcpy(w + 2, u, ulpdu);
	tb_packet_push(STORE, w, wire, NULL, 0, false);
}

static void be(uint8_t *p, uint64_t v, int n)
{
	while (n--) {
		p[n] = v;
		v >>= 8;
	}
}

static void write_msg(unsigned s, unsigned len)
{
	static uint8_t u[16384];

	memset(u, 0, 64);
	u[0] = 0xc1;
	u[1] = 0x40;
	be(u + 6, (uint64_t)s << 20, 8);
	put(s, u, 14 + len);
}

static void send_msg(unsigned s, unsigned len, bool inv)
{
	static uint8_t u[16384];

	memset(u, 0, 64);
	u[0] = 0x41;
	u[1] = inv ? 0x44 : 0x43;
	be(u + 2, inv, 4);
	be(u + 10, msn[s]++, 4);
	put(s, u, 18 + len);
}

static void on_put(int port, const uint8_t *bits, void *arg)
{
	tb_check(tb_bits_get(bits, 12, 1), "the store is full");
	tb_bits_set(fps[n_put++].b.bits, 16 + 368 + 4 + 3 + 16, 12, tb_bits_get(bits, 0, 12));
}

static void on_xl(int port, const uint8_t *bits, void *arg)
{
	struct xl *x = calloc(1, sizeof(*x));

	x->at = tb_cycle() + XL - 2;
	x->to = tb_bits_get(bits, 185 - 36 - 32 - 64, 64);
	x->len = tb_bits_get(bits, 185 - 36 - 32 - 64 - 16, 16);
	*xls_tail = x;
	xls_tail = &x->next;
	if (!t_xl)
		t_xl = tb_cycle();
}

static void on_wr(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	if (!n_wr_bytes)
		first_wr = tb_cycle();
	last_wr = tb_cycle();
	n_wr_bytes += len;
	if (!t_wr)
		t_wr = tb_cycle();
}

static void on_commit(int port, const uint8_t *bits, void *arg)
{
	unsigned s = tb_bits_get(bits, 168 - 36, 12);
	uint64_t from = tb_bits_get(bits, 68, 64), to = tb_bits_get(bits, 4, 64);

	tb_check(from == committed[s], "slot %u: commit from %llu, should be %llu", s, (long long)from, (long long)committed[s]);
	committed[s] = to;
	n_commits++;
	if (!t_commit)
		t_commit = tb_cycle();
}

static void on_rq(int port, const uint8_t *bits, void *arg)
{
	struct rq *r = calloc(1, sizeof(*r));

	r->len = tb_bits_get(bits, 64, 16);
	r->addr = tb_bits_get(bits, 0, 64);
	r->at = tb_cycle() + 100;
	*rqs_tail = r;
	rqs_tail = &r->next;
}

/* Told; it comes true, and is done later. */
static uint64_t op_at, done_at[512];
static unsigned n_op, n_op_done;
static void on_op(int port, const uint8_t *bits, void *arg) { op_at = tb_cycle() + OP_CYCLES - 2; }

static void operations(void)
{
	struct tb_pack b;
	uint16_t n;

	if (op_at && tb_cycle() >= op_at) {
		op_at = 0;
		done_at[n_op++ % 512] = tb_cycle() + DRAIN_CYCLES;
		tb_pack_begin(&b, 20);
		tb_put(&b, 16, n_op & 0xffff);
		tb_put(&b, 4, 0);
		tb_item_push(OPRSP, b.bits, 3);
	}
	if (n_op_done != n_op && tb_cycle() >= done_at[n_op_done % 512]) {
		n = (uint16_t)++n_op_done;
		tb_item_push(OPDONE, &n, 2);
	}
}

static void on_ev(int port, const uint8_t *bits, void *arg)
{
	tb_check(tb_bits_get(bits, 488 - 32, 8) == WEFT_FW_EV_RX_FAULT && tb_bits_get(bits, 488 - 48, 16) == 0x2002, "an event that is no fault");
	n_events++;
}

static void on_cqe(int port, const uint8_t *bits, void *arg) { done_cqe++; }

static void on_state(int port, const uint8_t *bits, void *arg)
{
	if (bits[0] & 1) {
		if (!n_check++)
			first_check = tb_cycle();
		last_check = tb_cycle();
	}
	is_ready = bits[1] >> 5 & 1;
	is_idle = bits[1] >> 6 & 1;
}

static void load(unsigned s)
{
	struct tb_pack b;
	uint8_t h[64] = { 0 };
	uint64_t base = (uint64_t)s << 12;

	memcpy(h, &base, 8);
	h[8] = 6 | WEFT_QP_STATE_RTS << 6; /* 64 WQEs of 64 bytes */
	h[15] = 0x1f;
	h[20] = h[24] = 1;
	msn[s] = 1;
	tb_pack_begin(&b, 553);
	tb_put(&b, 24, s + 1);
	tb_put(&b, 12, s);
	tb_put(&b, 2, 0);
	tb_put(&b, 3, 7);
	for (int i = 63; i >= 0; i--)
		tb_put(&b, 8, h[i]);
	tb_item_push(LOAD, b.bits, 70);
}

static void post(unsigned s, unsigned n)
{
	struct tb_pack b;

	rq_posted[s] += n;
	tb_pack_begin(&b, 40);
	tb_put(&b, 24, s + 1);
	tb_put(&b, 16, rq_posted[s]);
	tb_item_push(RQDB, b.bits, 5);
}

static const struct { const char *name; unsigned n, slots, len; bool send; double least[3]; /* an FPDU or bytes a cycle at 64, 128, 512 bits */ bool bytes, inv; } run[] = {
	{ "Writes of no bytes, 16 slots", 300, 16, 0, false, { 0.9, 0.9, 0.9 }, false, false },
	{ "Writes of no bytes, one slot", 300, 1, 0, false, { 0.45, 0.45, 0.45 }, false, false },
	{ "64-byte Writes, 16 slots", 300, 16, 64, false, { 0.10, 0.2, 0.45 }, false, false },
	{ "64-byte Writes, one slot", 300, 1, 64, false, { 0.10, 0.2, 0.45 }, false, false },
	{ "64-byte Sends, 16 slots", 240, 16, 64, true, { 0.09, 0.15, 0.3 }, false, false },
	{ "64-byte Sends, one slot", 60, 1, 64, true, { 0.06, 0.08, 0.08 }, false, false },
	{ "64-byte Sends with Invalidate, 16 slots", 240, 16, 64, true, { 0.03, 0.03, 0.03 }, false, true },
	{ "1448-byte Writes, 4 slots", 60, 4, 1448, false, { 7.2, 14.4, 55 }, true, false },
	{ "4096-byte Writes, 4 slots", 20, 4, 4096, false, { 7.2, 14.4, 55 }, true, false },
};

void tb_setup(void)
{
	static const struct { int id; tb_item_fn fn; } f[] = { { PUT, on_put }, { XLREQ, on_xl }, { OP, on_op }, { COMMIT, on_commit }, { RQRD, on_rq }, { EV, on_ev }, { CQE, on_cqe },
		{ STATE, on_state } };

	for (unsigned i = 0; i < sizeof(f) / sizeof(*f); i++)
		tb_on_item(f[i].id, f[i].fn, NULL);
	tb_on_packet(WR, on_wr, NULL);
	for (unsigned s = 0; s < N_SLOT; s++)
		load(s);
}

static void report(unsigned p)
{
	unsigned w = TB_DATA_W == 64 ? 0 : TB_DATA_W == 128 ? 1 : 2;
	uint64_t cycles = last_check - first_check + 1;
	double rate = run[p].bytes ? (double)(n_wr_bytes - run[p].len) / (last_wr - first_wr) : (double)n_check / cycles;

	if (run[p].len && !run[p].bytes)
		rate = (double)(run[p].n - 1) / (last_wr - first_wr);
	tb_note("%s: %.3f %s a cycle (%u commits)", run[p].name, rate, run[p].bytes ? "bytes" : "FPDUs", n_commits);
	tb_check(rate >= run[p].least[w], "%s: %.3f a cycle, should be %.2f", run[p].name, rate, run[p].least[w]);
	tb_check(n_check == run[p].n, "%s: %u of %u FPDUs", run[p].name, n_check, run[p].n);
}

bool tb_step(void)
{
	while (xls && tb_cycle() >= xls->at) {
		struct xl *x = xls;
		struct tb_pack b;

		for (uint64_t o = 0; o < x->len;) {
			unsigned n = 4096 - ((x->to + o) & 4095);

			if (n > x->len - o)
				n = x->len - o;
			tb_pack_begin(&b, 87);
			tb_put(&b, 64, x->to + o);
			tb_put(&b, 16, n);
			tb_put(&b, 1, o + n == x->len);
			tb_put(&b, 6, 0);
			tb_item_push(XLRSP, b.bits, 11);
			o += n;
		}
		t_rsp = t_rsp ? t_rsp : tb_cycle();
		if (!(xls = x->next))
			xls_tail = &xls;
		free(x);
	}
	while (rqs && tb_cycle() >= rqs->at) {
		struct rq *r = rqs;
		static uint8_t w[1024];

		for (unsigned i = 0; i < r->len / 64; i++) {
			unsigned s = r->addr >> 12, slot_idx = (r->addr & 4095) / 64 + i, posted = rq_posted[s];
			uint16_t idx = slot_idx;
			uint64_t addr = (uint64_t)s << 20;

			while (idx + 64u < posted + 0u && (uint16_t)(idx + 64) <= posted - 1)
				idx += 64;
			memset(w + 64 * i, 0, 64);
			w[64 * i] = 1;
			memcpy(w + 64 * i + 4, &idx, 2);
			w[64 * i + 8] = 64;
			memcpy(w + 64 * i + 16, &addr, 8);
			w[64 * i + 24] = 64;
		}
		tb_packet_push(RQDATA, w, r->len, NULL, 0, false);
		if (!(rqs = r->next))
			rqs_tail = &rqs;
		free(r);
	}
	operations();
	if (!is_ready || tb_pending(LOAD))
		return false;
	unsigned np = sizeof(run) / sizeof(*run);

	switch (state) {
	case 0: /* fill the store */
		n_put = n_made = 0;
		if (phase == -2) {
			write_msg(0, 64);
		} else if (phase == -1) {
			write_msg(1, 0);
		} else if (phase == (int)np) {
			write_msg(0, 0);
		} else if (phase == (int)np + 1) {
			write_msg(0, 0);
			ring_from = off[0];
			write_msg(0, 0);
			off[0] = ring_from + 180;
		} else {
			for (unsigned i = 0; i < run[phase].n; i++) {
				unsigned s = i % run[phase].slots;

				if (run[phase].send)
					send_msg(s, run[phase].len, run[phase].inv);
				else
					write_msg(s, run[phase].len);
			}
			if (run[phase].send)
				for (unsigned s = 0; s < run[phase].slots; s++)
					post(s, run[phase].n / run[phase].slots);
		}
		state = 1;
		break;
	case 1: /* all are stored */
		if (n_put < n_made)
			break;
		wait_until = tb_cycle() + 1000;
		state = 2;
		break;
	case 2:
		if (tb_cycle() < wait_until)
			break;
		n_check = n_wr_bytes = n_commits = 0;
		t_accept = tb_cycle();
		t_xl = t_rsp = t_wr = t_commit = 0;
		if (phase == (int)np) { /* each other connection breaks a rule, and nobody asks why */
			tb_snk_rate(EV, 0);
			for (unsigned s = 1; s < N_SLOT; s++) {
				struct tb_pack b;
				fpdu(&b, s, NULL, 0, 1, 0);
				tb_item_push(FPDU, b.bits, 65);
			}
		}
		if (phase == (int)np + 1) /* the second one comes out of the ring */
			tb_snk_rate(COMMIT, 0);
		for (unsigned i = 0; i < (phase == (int)np + 1 ? 1 : n_made); i++)
			tb_item_push(FPDU, fps[i].b.bits, 65);
		wait_until = tb_cycle() + 100;
		state = 3;
		break;
	default: {
		if (phase == (int)np && tb_cycle() == wait_until + 1900) {
			tb_check(n_events == 0 && committed[0] == off[0], "%u events wait: slot 0 is committed to %llu, should be %llu", N_SLOT - 1,
				 (long long)committed[0], (long long)off[0]);
			tb_note("%u events wait, commits go on", N_SLOT - 1);
			tb_snk_rate(EV, 100);
		}
		if (phase == (int)np + 1 && tb_cycle() < wait_until + 800) {
			if (tb_cycle() == wait_until) {
				struct tb_pack b;
				tb_pack_begin(&b, 169);
				tb_put(&b, 1, 0);
				tb_put(&b, 24, 1);
				tb_put(&b, 12, 0);
				tb_put(&b, 64, ring_from);
				tb_put(&b, 64, ring_from + 180);
				tb_put(&b, 4, 0);
				tb_item_push(STORED, b.bits, 22);
			}
			if (tb_cycle() == wait_until + 200)
				tb_item_push(FPDU, fps[1].b.bits, 65);
			if (tb_cycle() == wait_until + 400)
				tb_snk_rate(COMMIT, 100);
			break;
		}
		bool all = is_idle && tb_cycle() > wait_until && !tb_pending(FPDU);

		if (!all)
			break;
		for (unsigned s = 0; s < N_SLOT; s++)
			tb_check(committed[s] == off[s], "slot %u: committed to %llu, should be %llu", s, (long long)committed[s], (long long)off[s]);
		if (phase == -2) {
			/* an item is offered a cycle after it was pushed; a callback comes with the edge that takes it */
			unsigned chk = t_xl - t_accept - 1, pl = t_wr - t_xl - XL;

			tb_note("64-byte Write: accepted to translation asked %u cycles, translation answered to written %u, written to commit %u", chk, pl,
				(unsigned)(t_commit - t_wr));
			tb_check(chk <= 14 && pl <= 8 + 64 / BYTES, "latency");
		} else if (phase == -1) {
			tb_note("Write of no bytes: accepted to commit %u cycles", (unsigned)(t_commit - t_accept - 1));
		} else if (phase == (int)np) {
			tb_check(n_events == N_SLOT - 1, "%u events, should be %u", n_events, N_SLOT - 1);
		} else if (phase == (int)np + 1) {
			tb_check(n_commits == 2, "%u commits of an FPDU, a stored range and an FPDU of it", n_commits);
			tb_note("an FPDU out of the ring commits less than was stored");
		} else {
			report(phase);
		}
		phase++;
		state = 0;
		if (phase == (int)np + 2)
			return true;
	}
	}
	return false;
}

void tb_finish(void)
{
	tb_check(phase == (int)(sizeof(run) / sizeof(*run)) + 2, "it ended in run %d", phase);
}
