// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_ctx_fw: the model is firmware on one side, ctx and the rooms on the other. Every command must come to whom it is for once, those of a
 * QPN in order, with pins for each room before any of them has it; every command on a home, and every one that finds no connection, is answered.
 * Two connections are besieged: they stay away, and saves of them unanswered, until the commands of others have come to a number. Their commands come
 * back, not before their time, with all that waits behind them, in order: so they may fill the queue, and others' commands go on.
 * What is refused at the bus (no place, no such command, no chunk) goes nowhere.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { CHUNK, HOME, ANS, NEED, HAVE, ARRIVE, DROP, ROOM, EV = 11, STATE, HELD, DEPTH = 8, TOTAL = 4000, QPNS = 24, BESIEGED = 2, RELIEF = 1500, SAVES = 4, TRIES = 63, BACK = 0xc0 };
enum { NONE, COMING, IS_HOME, BUSY };
#define REG(r) ((uint32_t)WEFT_ROOM_CTX << 22 | WEFT_CTX_##r)

/* Commands that were taken at the bus, in order. */
static struct cmd {
	uint32_t qpn;
	unsigned op, rooms, arg, since;
	bool home, done, rooms_have;
} fifo[TOTAL + 1];
/*
 * The one that rooms get. What found nobody, or came back, is known by its event only, behind which others of its QPN may have gone on: from the first
 * room on it is clear which one it is.
 */
static struct cmd *cur;
/* Of a QPN: behind the last that was given; commands that found nobody, without their event yet; tries when one came back: rooms get none that was there then. */
static struct { unsigned last, nones, bar; } seen[24];
static unsigned vain, backs, back_full, drop_n;
static uint32_t back_qpn;
static uint32_t qpns[QPNS];
static uint64_t come_at[QPNS];
static unsigned n_in, n_out, given, n_saves, waited, save_most; /* given: rooms that have it */
static struct { uint32_t qpn; unsigned op; uint64_t at; } homes[64]; /* commands on homes that wait for their answer */
static unsigned n_homes;
static struct { uint32_t qpn; unsigned code, kind; } want[64];
static unsigned n_want, events, refused, busies, comings, nones, chunks_want, chunks, pins_on, full_seen, slot_now, low, losts, helds;
static bool is_idle, pinned, writing, here;
static uint64_t have_at, moved_at;
static uint32_t need_qpn;
static struct cmd next;
static uint64_t chunk_addr;
static unsigned chunk_idx;
static bool chunk_valid;

static void put44(int port, uint64_t hi, unsigned hi_bits, uint32_t a, unsigned a_bits, uint32_t b, unsigned b_bits, uint32_t c, unsigned c_bits)
{
	struct tb_pack p;

	tb_pack_begin(&p, hi_bits + a_bits + b_bits + c_bits);
	tb_put(&p, hi_bits, hi);
	tb_put(&p, a_bits, a);
	tb_put(&p, b_bits, b);
	tb_put(&p, c_bits, c);
	tb_item_push(port, p.bits, 6);
}

static bool besieged(uint32_t qpn) { return n_out < RELIEF && (qpn == qpns[0] || qpn == qpns[1]); }

static unsigned who(uint32_t qpn)
{
	unsigned q = 0;

	while (q < QPNS - 1 && qpns[q] != qpn)
		q++;
	return q;
}

/* The oldest one of a QPN, of either kind, from an index on. */
static struct cmd *oldest(uint32_t qpn, bool home, unsigned from)
{
	static struct cmd nobody;

	for (unsigned i = from > low ? from : low; i < n_in; i++)
		if (!fifo[i].done && fifo[i].qpn == qpn && fifo[i].home == home)
			return &fifo[i];
	tb_fail("a command for %u, which has none", qpn);
	return &nobody;
}

static void out(struct cmd *c)
{
	c->done = true;
	n_out++;
	moved_at = tb_cycle();
	waited += low < n_in && c != &fifo[low];
	while (low < n_in && fifo[low].done)
		low++;
}

static void on_home(int port, const uint8_t *bits, void *arg)
{
	uint32_t qpn = (uint32_t)tb_bits_get(bits, 0, 24);
	unsigned op = (unsigned)tb_bits_get(bits, 24, 3);
	struct cmd *c = oldest(qpn, true, 0);

	tb_check(c->op == op && c >= fifo + seen[who(qpn)].last, "command %u on home %u, should be %u", op, qpn, c->op);
	seen[who(qpn)].last = (unsigned)(c - fifo) + 1;
	n_saves += op == WEFT_HOME_OP_SAVE;
	save_most = n_saves > save_most ? n_saves : save_most;
	tb_check(n_saves <= SAVES, "%u saves at once", n_saves);
	homes[n_homes].qpn = qpn;
	homes[n_homes].op = op;
	homes[n_homes++].at = tb_cycle() + (op == WEFT_HOME_OP_SAVE ? tb_below(400) : 2);
	tb_check(n_homes < 20, "%u commands on homes wait for an answer", n_homes);
	out(c);
}

static void on_need(int port, const uint8_t *bits, void *arg)
{
	need_qpn = (uint32_t)tb_bits_get(bits, 0, 24);
	cur = NULL;
	drop_n = 0;
	oldest(need_qpn, false, seen[who(need_qpn)].last);
	tb_check(!tb_bits_get(bits, 24, 1), "need of %u", need_qpn);
	have_at = tb_cycle() + 2;
}

static void answer_need(void)
{
	unsigned q = who(need_qpn), st;

	st = besieged(need_qpn) ? (tb_chance(50) ? COMING : BUSY) : tb_cycle() < come_at[q] ? COMING : tb_below(4);
	if (st == COMING && tb_cycle() >= come_at[q])
		come_at[q] = tb_cycle() + tb_range(2, 300);
	have_at = 0;
	slot_now = tb_below(4096);
	given = 0;
	put44(HAVE, st, 2, need_qpn, 24, slot_now, 12, tb_below(64), 6);
	busies += st == BUSY;
	comings += st == COMING;
	vain += st == BUSY || st == COMING;
	if (st == NONE) {
		nones++;
		seen[q].nones++;
	}
	here = st == IS_HOME;
}

static void on_drop(int port, const uint8_t *bits, void *arg)
{
	unsigned n = (unsigned)tb_bits_get(bits, 0, 4), s = (unsigned)tb_bits_get(bits, 4, 12);

	tb_check(here && !cur && !drop_n && s == slot_now && n, "pins of slot %u: %u", s, n);
	drop_n = 16 - n;
	pins_on++;
}

static void on_cmd(int port, const uint8_t *bits, void *arg)
{
	unsigned room = port - ROOM;
	struct cmd *c;
	unsigned arg16 = (unsigned)tb_bits_get(bits, 0, 16), op = (unsigned)tb_bits_get(bits, 16, 4), s = (unsigned)tb_bits_get(bits, 20, 12);
	uint32_t qpn = (uint32_t)tb_bits_get(bits, 32, 24);

	if (!cur && here) { /* those in front of it must have gone, and their events will say so */
		unsigned q = who(qpn), i = seen[q].last;

		for (c = oldest(qpn, false, i); c->arg != arg16 && i < n_in; c = oldest(qpn, false, ++i))
			;
		seen[q].last = (unsigned)(c - fifo) + 1;
		cur = c;
		tb_check(c->since >= seen[q].bar, "a command for %u passes one that came back", qpn);
	}
	c = cur;
	if (!c) {
		tb_fail("room %u: a command that nobody asked for", room);
		return;
	}
	pinned = drop_n == (unsigned)__builtin_popcount(c->rooms) - 1;
	tb_check(!c->done && pinned && (c->rooms & ~given) >> room & 1 && qpn == c->qpn && s == slot_now && op == c->op && arg16 == c->arg,
		 "room %u: command %u(%u) for %u in slot %u; should be %u(%u) for %u in %u, rooms %x, of these %x have it, pinned %d", room, op, arg16, qpn, s,
		 c->op, c->arg, c->qpn, slot_now, c->rooms, given, pinned);
	given |= 1u << room;
	if (given == c->rooms) {
		given = 0;
		here = false;
		c->rooms_have = true;
		out(c);
	}
}

/* What an event says of a command for rooms; false: it is of another kind. */
static bool gone(uint32_t qpn, unsigned code, uint32_t data0)
{
	bool back = (code & BACK) == BACK;
	unsigned q = who(qpn);
	struct cmd *c;

	if (!back && !((code & 0x80) && (code & 15)))
		return false;
	c = oldest(qpn, false, 0);
	tb_check((code & ~(back ? BACK : 0x80u)) == c->op && data0 == (back ? c->rooms << 16 | c->arg : 0), "QP %u, event %#x, %#x: should be command %u, rooms %x, argument %#x",
		 qpn, code, data0, c->op, c->rooms, c->arg);
	if (back) {
		tb_check(vain - c->since + 1 >= TRIES || back_qpn == qpn, "command %u of %u came back after %u tries", c->op, qpn, vain - c->since);
		backs++;
		if (back_qpn != qpn) {
			seen[q].bar = c->since + TRIES - 2;
			for (unsigned i = (unsigned)(c - fifo) + 1; i < n_in; i++)
				tb_check(!fifo[i].rooms_have || fifo[i].qpn != qpn || fifo[i].since >= seen[q].bar, "a command for %u has passed one that came back", qpn);
		}
		back_qpn = qpn;
		back_full += n_in - n_out >= DEPTH;
	} else {
		tb_check(seen[q].nones-- > 0, "a command for %u found nobody, who is there", qpn);
	}
	out(c);
	return true;
}

static void on_ev(int port, const uint8_t *bits, void *arg)
{
	/* ctx_ev_t: qpn 24, kind 8, code 16, data0 32, data1 32, hdr_bytes 8, hdr 368 from the top */
	uint32_t qpn = (uint32_t)tb_bits_get(bits, 464, 24);
	unsigned kind = (unsigned)tb_bits_get(bits, 456, 8), code = (unsigned)tb_bits_get(bits, 440, 16), i;

	if (kind == WEFT_FW_EV_HOME_DONE && gone(qpn, code, (uint32_t)tb_bits_get(bits, 408, 32))) {
		events++;
		return;
	}
	for (unsigned k = 0; k < 440; k += 8)
		tb_check(tb_bits_get(bits, k, 8) == 0, "event: bits from %u on are not zero", k);
	for (i = 0; i < n_want && (want[i].qpn != qpn || want[i].code != code || (want[i].kind ? want[i].kind : WEFT_FW_EV_HOME_DONE) != kind); i++)
		;
	tb_check(i < n_want, "event %u of %u, code %#x: nobody asked", kind, qpn, code);
	if (i < n_want)
		want[i] = want[--n_want];
	events++;
}

static void on_chunk(int port, const uint8_t *bits, void *arg)
{
	tb_check(tb_bits_get(bits, 0, 64) == chunk_addr && tb_bits_get(bits, 64, 2) == chunk_idx && tb_bits_get(bits, 66, 1) == chunk_valid, "chunk");
	chunks++;
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	is_idle = bits[0] & 1;
	if (is_idle && !writing)
		tb_check(n_out == n_in && !n_homes, "idle, %u commands and %u answers under way", n_in - n_out, n_homes);
}

static void written(uint32_t v, bool err, void *arg)
{
	bool good = next.home ? next.op <= WEFT_HOME_OP_RELEASE : next.op >= WEFT_CTX_OP_SET_STATE && next.op <= WEFT_CTX_OP_RESUME && next.rooms;

	writing = false;
	if (err) {
		refused++;
		full_seen += good;
		n_in--;
		tb_check(!good || n_in - n_out >= DEPTH - 1, "refused though there are places: %u wait", n_in - n_out);
	} else
		tb_check(good, "a command that does not exist is taken: %u", next.op);
}

static void status(uint32_t v, bool err, void *arg)
{
	tb_check(!err && v <= DEPTH, "status %u", v);
}

static void chunk_answer(uint32_t v, bool err, void *arg)
{
	tb_check(err == !chunks_want, "chunk %u at %llx: %d", chunk_idx, (unsigned long long)chunk_addr, err);
}

static void firmware(void)
{
	if (tb_cfg_pending() || writing || n_in >= TOTAL || !tb_chance(50))
		return;
	if (tb_chance(3)) {
		bool bad = tb_chance(30);

		chunk_addr = (tb_rand() << 21) | (bad && tb_chance(50) ? 4096 : 0);
		chunk_idx = chunk_addr & 4096 || !bad ? tb_below(4) : tb_range(4, 9);
		chunk_valid = bad || tb_chance(80);
		chunks_want = !bad;
		tb_cfg_write(REG(CHUNK_LO), (uint32_t)chunk_addr);
		tb_cfg_write(REG(CHUNK_HI), (uint32_t)(chunk_addr >> 32));
		tb_cfg_write_fn(REG(CHUNK_SET), (uint32_t)chunk_valid << 31 | chunk_idx, chunk_answer, NULL);
		return;
	}
	static unsigned siege_saves;
	next.qpn = qpns[n_out < RELIEF && tb_chance(40) ? tb_below(BESIEGED) : tb_below(QPNS)];
	next.home = tb_chance(40);
	next.op = tb_chance(95) ? (next.home ? tb_below(5) : tb_range(2, 7)) : tb_below(16);
	if (besieged(next.qpn) && next.home && next.op == WEFT_HOME_OP_SAVE && siege_saves++ >= SAVES / 2)
		next.op = WEFT_HOME_OP_RELEASE;
	next.rooms = tb_below(16);
	next.arg = tb_below(65536);
	next.done = false;
	next.since = vain;
	writing = true;
	tb_cfg_write(REG(QPN), next.qpn);
	tb_cfg_write(REG(ARG), next.arg);
	fifo[n_in++] = next; /* it may be at work before the answer is here */
	tb_cfg_write_fn(REG(CMD), (uint32_t)next.home << 31 | next.rooms << 4 | next.op, written, NULL);
	if (tb_chance(10))
		tb_cfg_read(REG(STATUS), status, NULL);
}

void tb_setup(void)
{
	for (unsigned i = 0; i < QPNS; i++) /* they differ in a bit, whatever it is */
		qpns[i] = i < 8 ? (uint32_t)tb_rand() & 0xffffff : qpns[i & 7] ^ 1u << i;
	tb_on_item(CHUNK, on_chunk, NULL);
	tb_on_item(HOME, on_home, NULL);
	tb_on_item(NEED, on_need, NULL);
	tb_on_item(DROP, on_drop, NULL);
	for (int i = 0; i < 4; i++)
		tb_on_item(ROOM + i, on_cmd, NULL);
	tb_on_item(EV, on_ev, NULL);
	tb_on_item(STATE, on_state, NULL);
}

bool tb_step(void)
{
	static unsigned quiet;

	if (tb_cycle() % 256 == 0)
		for (int i = 0; i < STATE; i++)
			if (i != HAVE && i != DROP && i != CHUNK)
				tb_snk_rate(i, tb_chance(40) ? 100 : tb_chance(20) && i == EV ? 0 : tb_range(5, 95));
	/* firmware has something else to do for long: places for answers that are owed are not to be taken by commands that come back */
	if (tb_cycle() % 8192 < 3000)
		tb_snk_rate(EV, 0);
	if (n_in >= TOTAL)
		tb_snk_rate(EV, 100);
	for (unsigned i = 0; i < n_homes; i++)
		if (tb_cycle() >= homes[i].at && !tb_pending(ANS) && !(homes[i].op == WEFT_HOME_OP_SAVE && besieged(homes[i].qpn))) {
			struct tb_pack p;
			bool ok = tb_chance(70);

			n_saves -= homes[i].op == WEFT_HOME_OP_SAVE;
			tb_pack_begin(&p, 28);
			tb_put(&p, 3, homes[i].op);
			tb_put(&p, 24, homes[i].qpn);
			tb_put(&p, 1, ok);
			tb_item_push(ANS, p.bits, 4);
			want[n_want].qpn = homes[i].qpn;
			want[n_want].kind = 0;
			want[n_want++].code = (unsigned)ok << 8 | homes[i].op;
			homes[i] = homes[--n_homes];
			break;
		}
	if (have_at && tb_cycle() >= have_at)
		answer_need();
	/* a fill that fails, of somebody else: firmware hears of it */
	if (n_in < TOTAL && tb_chance(1) && tb_chance(30) && !tb_pending(ARRIVE) && n_want < 40) {
		struct tb_pack p;
		uint32_t qpn = (need_qpn + 1 + tb_below(1000)) & 0xffffff;

		tb_pack_begin(&p, 44);
		tb_put(&p, 24, qpn);
		tb_put(&p, 20, 0); /* slot, miss, frames, ok */
		tb_item_push(ARRIVE, p.bits, 6);
		want[n_want].qpn = qpn;
		want[n_want].kind = 0;
		want[n_want++].code = 0x80;
		losts++;
	}
	/* one that keeps a slot */
	if (n_in < TOTAL && tb_chance(1) && tb_chance(30) && !tb_pending(HELD) && n_want < 40) {
		struct tb_pack p;

		tb_pack_begin(&p, 24);
		tb_put(&p, 24, tb_rand());
		tb_item_push(HELD, p.bits, 3);
		want[n_want].qpn = (uint32_t)tb_bits_get(p.bits, 0, 24);
		want[n_want].kind = WEFT_FW_EV_SLOT_HELD;
		want[n_want++].code = 0;
		helds++;
	}
	firmware();
	quiet = n_in >= TOTAL && n_out == n_in && !n_want && !n_homes && is_idle ? quiet + 1 : 0;
	if (tb_cycle() - moved_at > 50000 || tb_cycle() > 3000000) {
		tb_fail("no end: %u of %u commands, %u answers missing, idle %d", n_out, n_in, n_want, is_idle);
		return true;
	}
	return quiet > 100;
}

void tb_finish(void)
{
	tb_check(backs > 100 && back_full > 20 && refused > 50 && full_seen > 5 && busies > 50 && comings > 50 && nones > 50 && chunks > 5 && pins_on > 100 && waited > 500 && save_most == SAVES && losts > 20 && helds > 20,
		 "refused %u (full %u) busy %u coming %u none %u chunks %u pins %u passed %u saves %u lost %u", refused, full_seen, busies, comings, nones, chunks, pins_on, waited,
		 save_most, losts);
	tb_note("%u came back, %u of them with the queue full", backs, back_full);
	tb_note("%u commands, %u refused (%u full), %u events, %u busy, %u coming, %u found nobody, %u lost", n_in, refused, full_seen, events, busies, comings, nones, losts);
}
