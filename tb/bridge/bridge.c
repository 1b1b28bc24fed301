// SPDX-License-Identifier: BSD-2-Clause
/*
 * The core's side of the bridge, the line, and what happens to both: loss, corruption, bytes added, stalls, resets of either side at
 * any moment. Every TLP is compared, each way, with what the other side gave; at the end of each phase all of it must have come.
 */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "svdpi.h"
#include "tb.h"

enum { CORE_OK = 1 << 0, UP = 1 << 1, LINE = 1 << 2, REQ = 1 << 3, CPL = 1 << 4, CPL_LAST = 1 << 5, RD_READY = 1 << 6, WR_READY = 1 << 7,
       TC_READY = 1 << 8, FLR = 1 << 9, GAP = 1 << 10, RETRY = 1 << 11, NO_CREDIT = 1 << 12, BAD = 1 << 13, REQ_LAST = 1 << 17 };
enum { I_RST_N = 1 << 0, I_LINE = 1 << 1, I_LINE_READY = 1 << 2, I_REQ_READY = 1 << 3, I_CPL_READY = 1 << 4, I_RD = 1 << 5, I_WR = 1 << 6,
       I_WR_LAST = 1 << 7, I_TC = 1 << 8, I_FLR_DONE = 1 << 9 };

static bool uart;

/* ---- the line: bytes with whose they are ---- */
struct byte {
	uint8_t b;
	const struct life *of;
	uint64_t at; /* not before */
};
static struct line {
	struct byte q[8192];
	unsigned head, n;
	unsigned lose, break_, add; /* of 10,000 bytes */
	unsigned rate, delay;
	unsigned burst;                 /* bytes that an adapter is about to lose: whole frames go without a trace */
	uint64_t last;
} to_card, to_host;

static void line_raw(struct line *l, uint8_t b, const struct life *of)
{
	uint64_t at = tb_cycle() + (l->delay ? tb_below(l->delay) : 0);

	if (l->n == 8192)
		return; /* an adapter's buffer is full: lost */
	if (at < l->last)
		at = l->last;
	l->last = at;
	l->q[(l->head + l->n++) & 8191] = (struct byte){ b, of, at };
}

static void line_put(struct line *l, uint8_t b, const struct life *of)
{
	if (l->lose && !l->burst && tb_below(6000) == 0)
		l->burst = tb_range(1, 500);
	if (l->burst) {
		l->burst--;
		return;
	}
	if (tb_below(10000) < l->lose)
		return;
	if (tb_below(10000) < l->break_)
		b ^= tb_chance(70) ? 1u << tb_below(8) : (uint8_t)tb_range(1, 255);
	line_raw(l, b, of);
	while (tb_below(10000) < l->add)
		line_raw(l, tb_chance(30) ? 0x7e : tb_chance(30) ? 0x7d : (uint8_t)tb_rand(), of);
}

static bool line_get(struct line *l, struct byte *b)
{
	if (!l->n || l->q[l->head].at > tb_cycle())
		return false;
	*b = l->q[l->head];
	l->head = (l->head + 1) & 8191;
	l->n--;
	return true;
}

/* ---- the core ---- */
static struct life *core;               /* what the core gave since its reset */
static const struct life *from;         /* whose requests it gets */
static const struct life *last_given;   /* of the byte that the card had last */
static const struct life *given[32];    /* the same, of the last cycles */
static unsigned req_i, cpl_i, cpl_at;   /* places in that list; bytes of the completion so far */
static int cfg_i = -1;                  /* settings that have to be in force */
static unsigned flr_seen;
static struct tlp rd, wr, tc;
static bool rd_on, wr_on, tc_on, rd_offer, tc_offer, wr_offer, wr_begun, was_ok, was_up, was_flr;
static unsigned wr_at, flr_wait;
static unsigned core_pct[3], gap_pct, req_pct, cpl_pct, line_pct, withdraw_pct;
static unsigned sum_req, sum_cpl, sum_tx, gaps, retries, no_credits, bads, withdrawn, ups, flrs;
static int max_payload;

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}
static uint32_t get32(const uint8_t *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24; }

static void core_make(struct tlp *t, int cls)
{
	bool four = cls != 2 && tb_chance(50);
	unsigned dw = cls == 0 ? (tb_chance(30) ? (unsigned)max_payload : tb_range(1, (unsigned)max_payload)) : cls == 2 ? tb_below(3) : 0;

	memset(t, 0, sizeof(*t));
	t->cls = (uint8_t)cls;
	t->len = (uint16_t)(4 * dw);
	tb_rand_bytes(t->hdr, 16);
	for (int i = 4; i < 16; i++)
		if (tb_chance(10))
			t->hdr[i] = 0x7d + (uint8_t)tb_below(2);
	put32(t->hdr, (cls == 2 ? 0x0a000000u : 0) | (dw ? 0x40000000u : 0) | (four ? 0x20000000u : 0) | (uint32_t)(tb_rand() & 0xf000) |
			      (dw ? dw : tb_below(1024)));
	if (!four)
		memset(t->hdr + 12, 0, 4);
	tb_rand_bytes(t->data, sizeof(t->data));
	for (unsigned i = 0; i < t->len; i++)
		if (tb_chance(5))
			t->data[i] = 0x7d + (uint8_t)tb_below(2);
}

static void core_gave(const struct tlp *t)
{
	struct tlp *n = life_add(core);

	*n = *t;
	memset(n->data + t->len, 0, sizeof(n->data) - t->len);
	sum_tx++;
}

static void core_reset(void)
{
	rd_on = wr_on = tc_on = rd_offer = tc_offer = wr_offer = wr_begun = false;
	core = calloc(1, sizeof(*core));
	if (!core)
		abort();
	from = NULL;
	was_flr = false;
}

static const struct tlp *next_of(unsigned *i, bool cpl)
{
	for (; from && *i < from->n; ++*i) {
		const struct tlp *t = &from->t[*i];

		if (!t->bad && (t->cls == 2) == cpl)
			return t;
	}
	return NULL;
}

static uint64_t want_cfg(void)
{
	const uint8_t *h;
	uint64_t mac = 0;
	unsigned mps;

	if (cfg_i < 0)
		return 0;
	h = from->t[cfg_i].hdr;
	mps = (h[3] & 7) > 1 ? 1 : h[3] & 7;
	for (int i = 5; i >= 0; i--)
		mac = mac << 8 | h[4 + i];
	mac ^= mac >> 37; /* as tb_bridge.sv folds it */
	return (uint64_t)(h[2] & 0x1f) | (uint64_t)mps << 5 | (uint64_t)(h[3] >> 4 & 7) << 8 | (uint64_t)(h[0] | h[1] << 8) << 11 | mac << 27;
}

/* Settings between here and the next request, or the next reset, have been in force since. */
static void pass_settings(void)
{
	const struct tlp *t;

	while ((t = next_of(&req_i, false)) && t->cls == 3 && !t->flr)
		cfg_i = (int)req_i++;
}

static void mask_header(uint8_t *h, unsigned bar)
{
	uint32_t mask = bar == 0 || bar == 2 || bar == 4 ? 0xffff : 0xfff;
	uint8_t *a = h + 8;

	if ((h[3] & 0x1e) != 0)
		return;
	if (h[3] & 0x20) {
		memset(a, 0, 4);
		a += 4;
	}
	put32(a, get32(a) & mask);
}

static void got_request(unsigned outs, const svBitVecVal *hdr, const svBitVecVal *data, uint64_t cfg)
{
	const struct tlp *t;
	uint8_t want[16];
	unsigned n;

	pass_settings();
	t = next_of(&req_i, false);
	if (!t || t->cls == 3) {
		tb_fail(t ? "a request passes a function-level reset" : "a request that the host did not send");
		return;
	}
	memcpy(want, t->hdr, 16);
	mask_header(want, t->bar);
	n = t->len < 8 ? t->len : 8;
	tb_check((outs >> 14 & 7) == t->bar && outs & REQ_LAST && !memcmp(want, hdr, 16) && !memcmp(t->data, data, n),
		 "request %u: BAR %u for %u, %08x %08x %08x %08x for %08x %08x %08x %08x", req_i, outs >> 14 & 7, t->bar, hdr[0], hdr[1], hdr[2], hdr[3],
		 get32(want), get32(want + 4), get32(want + 8), get32(want + 12));
	tb_check(cfg == want_cfg(), "request %u: settings %llx for %llx", req_i, (unsigned long long)cfg, (unsigned long long)want_cfg());
	tb_check(!(outs & FLR), "a request inside a reset");
	req_i++;
	sum_req++;
}

static void got_completion(unsigned outs, const svBitVecVal *hdr, const svBitVecVal *data)
{
	const struct tlp *t = next_of(&cpl_i, true);
	unsigned n;

	if (!t) {
		tb_fail("a completion that the host did not send");
		return;
	}
	n = t->len - cpl_at < 8 ? t->len - cpl_at : 8;
	tb_check(!memcmp(t->hdr, hdr, 12) && !hdr[3] && !memcmp(t->data + cpl_at, data, n) && (outs & CPL_LAST ? 1 : 0) == (cpl_at + n == t->len),
		 "completion %u, byte %u", cpl_i, cpl_at);
	cpl_at += n;
	if (cpl_at == t->len) {
		cpl_i++;
		cpl_at = 0;
		sum_cpl++;
	}
}

/* ---- two wires at 6 Mbaud ---- */
static double bit_cycles, host_bit; /* of the card, and of the host, whose clock is another one */
static struct {
	int bits, left;
	double at;
} wire_tx, wire_rx;
static uint16_t wire_shift;

static int wire_level(void)
{
	double now = (double)tb_cycle();
	struct byte b;

	if (wire_tx.left && now >= wire_tx.at) {
		wire_tx.bits >>= 1;
		wire_tx.at += host_bit;
		wire_tx.left--;
	}
	if (!wire_tx.left) {
		if (now < wire_tx.at || !tb_chance(to_card.rate) || !line_get(&to_card, &b))
			return 1;
		last_given = b.of;
		wire_tx.bits = b.b << 1 | 0x200;
		wire_tx.left = 9; /* ends of bits until the stop bit begins */
		wire_tx.at = (wire_tx.at > now - 1 ? wire_tx.at : now) + host_bit;
		return 0;
	}
	if (wire_tx.left == 0)
		return 1;
	return wire_tx.bits & 1;
}

static void wire_sample(int level)
{
	double now = (double)tb_cycle();

	if (!wire_rx.left) {
		if (!level) {
			wire_rx.left = 10;
			wire_rx.at = now + host_bit / 2;
			wire_shift = 0;
		}
		return;
	}
	if (now < wire_rx.at)
		return;
	wire_rx.at += host_bit;
	wire_shift = (uint16_t)(wire_shift >> 1 | (level ? 0x200 : 0));
	if (--wire_rx.left == 9 && level)
		wire_rx.left = 0;
	else if (!wire_rx.left && level)
		line_put(&to_host, (uint8_t)(wire_shift >> 1), core);
}

/* ---- phases ---- */
static uint64_t phase_end, event_at, drained_by;
static int phase, phases;
static bool quiet, events, overrun;
static unsigned rst_left = 20;

static unsigned pick(const unsigned *of, unsigned n) { return of[tb_below(n)]; }
static unsigned pct(void)
{
	static const unsigned of[] = { 5, 20, 50, 80, 100, 100 };

	return pick(of, 6);
}

static void new_phase(void)
{
	static const unsigned bad[] = { 0, 0, 1, 5, 20, 60 };
	unsigned k = uart ? 10 : 1;

	phase++;
	quiet = false;
	events = phase % 3 == 2;
	/* A byte of 10,000: a frame has up to 290. */
	for (struct line *l = &to_card; l; l = l == &to_card ? &to_host : NULL) {
		l->lose = phase == 1 ? 0 : pick(bad, 6);
		l->break_ = phase == 1 ? 0 : pick(bad, 6);
		l->add = phase == 1 ? 0 : pick(bad, 6);
		l->rate = uart ? 100 : pct();
		l->delay = tb_chance(30) ? 400 * k : tb_chance(50) ? 20 : 0;
	}
	for (int c = 0; c < 3; c++) {
		core_pct[c] = tb_chance(20) ? 0 : tb_range(1, 10);
		temper.new_pct[c] = tb_chance(20) ? 0 : tb_range(1, c == 2 ? 100 : 30);
		temper.consume_pct[c] = tb_chance(20) ? 1 : 50;
		temper.depth[c] = tb_chance(20) ? 1 : tb_range(1, 100);
	}
	temper.new_pct[3] = tb_below(6);
	temper.bad_pct = tb_chance(50) ? 0 : 5;
	temper.rude = phase % 4 == 3;
	temper.retry = 6000 * k;
	temper.beat = tb_range(300, 3000) * k;
	temper.hello = 1500 * k;
	temper.window = tb_chance(50) ? 64 : tb_range(1, 64);
	gap_pct = pct();
	req_pct = pct();
	cpl_pct = pct();
	if (temper.rude) {
		to_card.rate = to_host.rate = 100;
		to_card.lose = to_card.break_ = to_card.add = 0;
		temper.window = 64;
		temper.new_pct[0] = temper.new_pct[1] = 50;
	}
	line_pct = tb_chance(80) ? 100 : pct();
	withdraw_pct = tb_chance(50) ? 0 : 20;
	max_payload = tb_chance(50) ? 32 : 64;
	overrun = tb_chance(20);
	phase_end = tb_cycle() + tb_range(6000, 20000) * k;
	event_at = tb_cycle() + tb_range(100, 6000) * k;
}

static void event(void)
{
	unsigned what = tb_below(4);

	if (what < 2) {
		rst_left = tb_range(1, 20);
		n_resets++;
	}
	if (what > 0) {
		bool clean = tb_chance(50), flush_card = clean || tb_chance(30), flush_host = clean || tb_chance(30);

		if (flush_card)
			to_card.n = 0;
		if (flush_host)
			to_host.n = 0;
		/* The number of before is allowed when no WELCOME of it can be on the way. */
		host_start(clean && host.state == HOST_UP && tb_cycle() > host.up_at + 500);
	}
	event_at = tb_cycle() + tb_range(10, 8000) * (uart ? 10 : 1);
}

static bool all_done(void)
{
	pass_settings();
	return host_done() && was_up && from == host.life && !next_of(&req_i, false) && !next_of(&cpl_i, true) &&
	       host.expect == core->n && !rd_on && !wr_on && !tc_on;
}

void br_cycle(int o, const svBitVecVal *req_hdr, const svBitVecVal *req_data, const svBitVecVal *cpl_hdr, const svBitVecVal *cpl_data, long long cfg,
	      int tx_byte, int *ins, svBitVecVal *wr_hdr, svBitVecVal *wr_data, svBitVecVal *rd_hdr, svBitVecVal *tc_hdr, svBitVecVal *tc_data,
	      int *rx_byte)
{
	static unsigned in;
	unsigned outs = (unsigned)o;
	static uint8_t frame[1400];
	static size_t frame_n, frame_at;
	static const struct life *frame_of;
	static unsigned held_bits, down_for;
	static uint32_t held[12];
	struct byte b;

	/* ---- transfers of this edge */
	if (!(in & I_RST_N))
		outs &= ~(unsigned)(CORE_OK | UP);
	if (!core || (was_ok && !(outs & CORE_OK)))
		core_reset();
	was_ok = outs & CORE_OK;
	if ((outs & UP) && !was_up) {
		/* from the flag of a GO to the session: three cycles; a byte on the wire begins a hundred before */
		from = given[(tb_cycle() - (uart ? 20 : 3)) & 31];
		req_i = cpl_i = cpl_at = 0;
		cfg_i = -1;
		flr_seen = 0;
		ups++;
	}
	was_up = outs & UP;
	gaps += !!(outs & GAP);
	retries += !!(outs & RETRY);
	no_credits += !!(outs & NO_CREDIT);
	bads += !!(outs & BAD);
	if (was_up) {
		unsigned now_held = 0;
		uint32_t now[12];

		if (outs & REQ && in & I_REQ_READY)
			got_request(outs, req_hdr, req_data, (uint64_t)cfg);
		if (outs & CPL && in & I_CPL_READY)
			got_completion(outs, cpl_hdr, cpl_data);
		/* what is offered stays */
		if (outs & REQ && !(in & I_REQ_READY))
			now_held |= 1;
		if (outs & CPL && !(in & I_CPL_READY))
			now_held |= 2;
		memcpy(now, req_hdr, 16);
		memcpy(now + 4, req_data, 8);
		memcpy(now + 6, cpl_hdr, 16);
		memcpy(now + 10, cpl_data, 8);
		tb_check(!(held_bits & 1) || (outs & REQ && !memcmp(held, now, 24)), "a request changed while it waited");
		tb_check(!(held_bits & 2) || (outs & CPL && !memcmp(held + 6, now + 6, 16)), "a completion changed while it waited");
		held_bits = now_held;
		memcpy(held, now, sizeof(held));
		if (in & I_RD && outs & RD_READY) {
			core_gave(&rd);
			rd_on = false;
		}
		if (in & I_TC && outs & TC_READY) {
			core_gave(&tc);
			tc_on = tc_offer = false;
		}
		if (in & I_WR && outs & WR_READY) {
			if (!wr_begun)
				core_gave(&wr);
			wr_begun = true;
			wr_offer = false;
			wr_at += 8;
			if (in & I_WR_LAST)
				wr_on = wr_begun = false;
		}
		if (outs & FLR && !was_flr) {
			const struct tlp *t;

			pass_settings();
			t = next_of(&req_i, false);
			tb_check(t && t->cls == 3, "a function-level reset that nobody asked for");
			if (t)
				cfg_i = (int)req_i++;
			flr_seen++;
			flrs++;
			flr_wait = tb_range(1, 200);
		}
		tb_check(!was_flr || outs & FLR || in & I_FLR_DONE, "the request of a function-level reset ends before it is done");
		was_flr = outs & FLR;
	} else {
		held_bits = 0;
		if (outs & (REQ | CPL | RD_READY | WR_READY | TC_READY | FLR))
			down_for++;
		else
			down_for = 0;
		/* in the first cycle of the core's reset it may still be there */
		tb_check(down_for < 2, "something goes on without a session: %x", outs);
	}
	if (uart)
		wire_sample(!!(outs & LINE));
	else if (outs & LINE && in & I_LINE_READY && in & I_RST_N)
		line_put(&to_host, (uint8_t)tx_byte, core);

	/* ---- host */
	if (tb_chance(to_host.rate) && line_get(&to_host, &b))
		host_byte(b.b, b.of);
	host_cycle(quiet);
	if (frame_of && frame_of != host.life && !frame_at)
		frame_n = 0;
	if (frame_at == frame_n) {
		frame_n = host_frame(frame);
		frame_at = 0;
		frame_of = host.life;
	}
	if (frame_at < frame_n && to_card.n < 60 && (!uart || to_card.n < 20)) {
		/* a process that ended left the frame as it was */
		if (frame_of != host.life)
			frame_at = frame_n;
		else
			line_put(&to_card, frame[frame_at++], host.life);
	}

	/* ---- events, phases */
	if (events && !quiet && tb_cycle() >= event_at)
		event();
	if (!quiet && tb_cycle() >= phase_end) {
		quiet = true;
		drained_by = tb_cycle() + 3000000;
		temper.rude = false;
		for (int c = 0; c < 3; c++) {
			core_pct[c] = 0;
			temper.consume_pct[c] = 50;
		}
		req_pct = cpl_pct = line_pct = 80;
		to_host.rate = to_card.rate = 100;
		to_card.lose = (to_card.lose + 3) / 4;
		to_card.break_ /= 4;
		to_card.add /= 4;
		to_host.lose = (to_host.lose + 3) / 4;
		to_host.break_ /= 4;
		to_host.add /= 4;
	}
	if (quiet && rst_left == 0) {
		if (all_done() && (uint64_t)cfg == want_cfg() && host.flr_count == (flr_seen & 15)) {
			if (phase == phases)
				phase = -1;
			else
				new_phase();
		}
		if (phase > 0 && tb_cycle() > drained_by) {
			tb_fail("phase %d does not come to rest: host %d, una %u snd %u of %u, got %u of %u, requests %u, completions %u, flr %u of %u, settings %llx for %llx", phase,
				host.state, host.una, host.snd, host.life->n, host.expect, core->n, req_i, cpl_i, host.flr_count, flr_seen,
				(unsigned long long)cfg, (unsigned long long)want_cfg());
			phase = -1;
		}
	}

	/* ---- the next inputs */
	in = 0;
	if (rst_left)
		rst_left--;
	else
		in |= I_RST_N;
	*rx_byte = 0;
	if (uart) {
		if (wire_level())
			in |= I_LINE;
	} else if (tb_chance(to_card.rate) && line_get(&to_card, &b)) {
		in |= I_LINE;
		*rx_byte = b.b;
		if (in & I_RST_N)
			last_given = b.of;
	}
	given[tb_cycle() & 31] = last_given;
	if (tb_chance(line_pct) && (to_host.n < 600 || overrun))
		in |= I_LINE_READY;
	/* for a host that takes no notice of credits the core stands still now and then */
	if (tb_chance(req_pct) && !(temper.rude && tb_cycle() >> 11 & 1))
		in |= I_REQ_READY;
	if (tb_chance(cpl_pct))
		in |= I_CPL_READY;
	if (was_flr) {
		if (flr_wait)
			flr_wait--;
		else
			in |= I_FLR_DONE;
	}
	if (was_ok && was_up) {
		if (!rd_on && tb_chance(core_pct[1])) {
			core_make(&rd, 1);
			rd_on = true;
		}
		if (!wr_on && tb_chance(core_pct[0])) {
			core_make(&wr, 0);
			wr_on = true;
			wr_begun = wr_offer = false;
			wr_at = 0;
		}
		if (!tc_on && tb_chance(core_pct[2])) {
			core_make(&tc, 2);
			tc_on = true;
		}
	}
	/* A read may be withdrawn, and come again. */
	if (rd_on && rd_offer && tb_chance(withdraw_pct)) {
		rd_offer = false;
		withdrawn++;
	} else
		rd_offer = rd_on && (rd_offer || tb_chance(gap_pct));
	tc_offer = tc_on && (tc_offer || tb_chance(gap_pct));
	wr_offer = wr_on && (wr_offer || tb_chance(gap_pct));
	if (rd_offer)
		in |= I_RD;
	if (tc_offer)
		in |= I_TC;
	if (wr_offer)
		in |= I_WR | (wr_at + 8 >= wr.len ? I_WR_LAST : 0);
	memcpy(rd_hdr, rd.hdr, 16);
	memcpy(tc_hdr, tc.hdr, 16);
	memcpy(tc_data, tc.data, 8);
	memcpy(wr_hdr, wr.hdr, 16);
	memcpy(wr_data, wr.data + (wr_at < 256 ? wr_at : 0), 8);
	*ins = (int)in;
}

void tb_setup(void)
{
	uart = tb_opt("uart", 0);
	phases = (int)tb_opt("phases", uart ? 3 : 36);
	bit_cycles = 62.5 / 6;
	/* the first seed and every other one: the host is too fast */
	host_bit = bit_cycles * (tb_opt("seed", 1) & 1 ? 1 / 1.02 : 1.02);
	new_phase();
	core_reset();
	host_start(false);
}

bool tb_step(void) { return phase < 0; }

void tb_finish(void)
{
	tb_check(sum_req > (uart ? 20 : 400) && sum_cpl > (uart ? 10 : 150) && sum_tx > (uart ? 50 : 1000), "%u requests, %u completions, %u of the core",
		 sum_req, sum_cpl, sum_tx);
	if (!uart)
		tb_check(gaps && n_naks && n_resets && retries && no_credits && bads && flrs && n_settings && withdrawn && ups > 5,
			 "%u retries, %u of the host, %u without credit, %u bad, %u FLR, %u settings, %u withdrawn, %u sessions, %u downs", retries,
			 n_host_retries, no_credits, bads, flrs, n_settings, withdrawn, ups, n_downs);
	tb_note("%llu cycles: %u requests, %u completions, %u of the core; %u sessions, %u up, %u resets of the card, %u gaps, %u retries, %u without credit, %u bad, %u FLR",
		(unsigned long long)tb_cycle(), sum_req, sum_cpl, sum_tx, n_sessions, ups, n_resets, gaps, retries, no_credits, bads, flrs);
}
