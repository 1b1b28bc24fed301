// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_cq against a host that polls, arms, sleeps and is woken as a consumer does: nothing may be lost, overwritten, out of order or
 * fired without an arm. CQs 14 and 15 have consumers that fall behind (overflow), EQ 3 belongs to firmware alone and overflows.
 * Every byte of every entry is compared. Queues have 4 to 2^20 entries in one, two or four pieces, which lie anywhere, and indices start anywhere and
 * before each of their wraps and each end of a piece. +pieces: log2 of those that the card has.
 * Queues move to rings of other sizes all the while, as firmware does it (docs/resize.md): every entry lies in the ring that it belongs to, no
 * unread one is overwritten in either, and the ring of before is not touched behind DRAINED. What does not fit is refused, and so are
 * queues that have overflowed and rings above the largest; all else is not.
 * The time in each entry is the clock's of the cycle in which the card made it, as the count of entries tells, and lies between its being taken and
 * its being written. The clock goes at several rates, jumps, and passes 2^56.
 * Events are held back (docs/moderation.md): none is told before its time by the rule, which is written here from what is armed, what is unread
 * and the times in entries, and none is forgotten; the card's deadline is never behind one. +moderation=0: a card that holds nothing back.
 * Seed 1 measures the rate of completions; the bound is the posted stream, or one every two cycles of one queue.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { CQE_IN, EQE_IN = 2, CQ_DB, EQ_DB, WRITES, IRQ, FWEV, STATE, TAKEN, N_CQ = 16, N_EQ = 4, BAD_CQ = 14, FW_EQ = 3 };
enum { MAX_LOG2 = WEFT_CQ_LOG2_MAX, EQ_LOG2 = 16, CQ_AREA = (32 << MAX_LOG2) + 65536, EQ_AREA = 64 << EQ_LOG2, UNDER_WAY = 1024 };
#define CQ_BASE(n) (0x5500000000ull + (uint64_t)(n) * 8 * CQ_AREA) /* four areas, of a piece each, for each of two rings */
#define EQ_BASE(n) (0x7700000000ull + (uint64_t)(n) * EQ_AREA)

/* Piece i has area i ^ turn; skew: where it begins there */
struct ring {
	unsigned log2, pieces, turn;
	uint32_t skew[4];
};
struct cq {
	uint32_t first, pi, ci; /* host's view: entries written and consumed, absolute */
	struct ring rings[2];
	unsigned log2, eqn, arms, pushed, taken, drain_mark;
	/* those that may stand, oldest first: an arm may be answered by the event of an earlier one. from: not before this time was it armed with something unread */
	struct { uint32_t ci; bool next, begun; uint64_t from; } arm[64];
	unsigned more, period; /* moderation: as in the context */
	bool mod_open;	       /* it has changed since the last quiet time: what was held back is told */
	/* of who sleeps: the cycle of his arm or of the first unread entry, the later one; when the card had seen both, at the latest; cycles
	 * since that was too long ago to be held back */
	uint64_t unread_cycle, unread_at;
	unsigned too_long;
	bool seldom; /* few entries call */
	bool event;  /* there was one since it was armed last */
	bool leapt;  /* there was none since the clock made a jump: what is held back, and then late by more than 2^16 units, may seem early and be put off */
	bool last_next, asleep, stopped, error_event;
	bool loading; /* its load may not have been taken yet: nothing is pushed */
	uint64_t quiet_since;
	uint32_t calls; /* index behind the last solicited or failed entry */
	bool has_call;
	uint32_t seq_out[2], seq_took[2], seq_in[2]; /* completions of a port: written, taken, pushed */
	uint64_t last_stamp; /* of the entry in front, 64 bits */
	uint32_t db_sent, db_way, db_known; /* consumer index: last one rung, one on its way since db_at, one that the card has */
	uint64_t db_at;
	bool rang_sent, rang_way, rang_known; /* as db_*: there was a doorbell since it was loaded */
	bool fresh;		/* nobody has rung yet */
	uint32_t origin;	/* index at place 0, phase 1 */
	unsigned ring;		/* which of its two */
	/* a resize: asked for, then taken and draining */
	enum { RZ_NONE, RZ_ASKED, RZ_TAKEN } rz;
	unsigned to_log2;
	bool switched;		/* an entry in the new ring was seen, the first one has this index */
	uint32_t edge;
	uint32_t rz_pi, rz_known; /* when it was asked for: entries written, consumer index that the card has */
	bool rz_rung, hold; /* hold: nobody rings until it was refused */
	bool too_many; /* twice the pieces that the card has: it will be refused */
};
static struct cq cqs[N_CQ];
static bool resizing; /* one at a time */
static unsigned most = 2; /* log2 of pieces that the card has */
static unsigned pieces_used[3][4], crossings, repieced, too_many; /* entries in each piece; at the begin of one behind another; resizes that changed their number; to more than the card has */
static unsigned resizes[2], shrunk_with_unread, used_at_once, fresh_refused, stopped_refused, large_refused; /* resizes: refused, taken */
static uint8_t want[N_CQ][2][UNDER_WAY][32]; /* entry of each completion that was pushed, phase 0 and without its time */
static uint64_t want_from[N_CQ][2][UNDER_WAY]; /* when it was taken */

struct eq {
	uint32_t first, pi, ci;
	unsigned log2, arms, vector;
	uint32_t arm_ci;
	bool asleep;
	uint8_t ring[1 << EQ_LOG2][64];
	uint32_t fw_in, fw_out;
	uint8_t fw[4096][64]; /* events of firmware */
	uint64_t lost, events;
};
static struct eq eqs[N_EQ];

static unsigned cqes_out, wakes, irqs, overflows, reports, drains_sent, drained, stats[3], idle_seen, solicited_wakes, reloads;
static bool perf, perf_done, stop_producing;
static uint64_t last_work, perf_start;
enum { TOTAL = 14000 };
static unsigned total_pushed;
enum { STAMP_BITS = WEFT_CQE_STAMP_WIDTH, MADE = 4096 };
#define STAMP_MASK ((1ull << STAMP_BITS) - 1)
static uint64_t made[MADE];	    /* when entries were made that are not written yet, in order */
static unsigned made_in, made_out;
static bool moderation, dl_valid, is_idle;
static uint64_t dl_at;		    /* the card's deadline */
static unsigned told[3], held_long, changes, dl_checked, to_deadline; /* events held back, and then told by number, by an entry that calls, by time */
enum { UNIT = 1024, SLACK = 200 };  /* ns; cycles that the card takes until an event is out, when nobody stalls it */
static unsigned wrapped;	    /* entries behind an end of the clock's low bits that is behind their being taken */
static uint32_t biggest; /* highest place of an entry in a ring of 2^MAX_LOG2 */

static void ring_db(int port, unsigned id, uint32_t index, unsigned arm)
{
	uint8_t b[6] = { 0 };

	tb_bits_set(b, 0, 16, id);
	tb_bits_set(b, 16, 24, index);
	tb_bits_set(b, 40, 2, arm);
	tb_item_push(port, b, 6);
}

static void load_ctx(unsigned room, unsigned id, uint64_t base, unsigned log2, unsigned aux, bool valid, uint32_t pi, unsigned cmd)
{
	uint8_t b[64] = { 0 };

	tb_bits_set(b, 0, 64, base);
	tb_bits_set(b, 64, 8, log2);
	tb_bits_set(b, 80, 16, aux);
	tb_bits_set(b, 96, 1, valid);
	tb_bits_set(b, 128, 32, pi);
	tb_bits_set(b, 480, 8, cmd);
	tb_cfg_ctx(room, id, b);
}

static void drain(unsigned room, unsigned id) { load_ctx(room, id, 0, 0, 0, false, 0, WEFT_CTX_CMD_DRAIN); }

/* One piece is aligned to two entries, more to 4 KiB each. */
static void new_ring(struct ring *r, unsigned log2)
{
	r->log2 = log2;
	r->pieces = tb_below(log2 > most ? most + 1 : log2);
	r->turn = tb_below(4);
	for (unsigned i = 0; i < 4; i++)
		r->skew[i] = r->pieces ? tb_below(16) * 4096 : tb_below(1024) * 64;
}

static uint64_t piece_at(unsigned n, unsigned ring, unsigned i)
{
	const struct ring *r = &cqs[n].rings[ring];

	return CQ_BASE(n) + (uint64_t)(ring * 4 + (i ^ r->turn)) * CQ_AREA + r->skew[i];
}

static void load_ring(unsigned n, unsigned ring, unsigned pieces, unsigned aux, bool valid, uint32_t pi, uint32_t first, unsigned cmd)
{
	uint8_t b[64] = { 0 };

	tb_bits_set(b, WEFT_CTX_CQ_BASE_LSB, 64, piece_at(n, ring, 0));
	tb_bits_set(b, WEFT_CTX_CQ_LOG2_LSB, 8, cqs[n].rings[ring].log2);
	tb_bits_set(b, WEFT_CTX_CQ_PIECES_LSB, 8, pieces);
	tb_bits_set(b, WEFT_CTX_CQ_EQN_LSB, 16, aux);
	tb_bits_set(b, WEFT_CTX_CQ_VALID_LSB, 1, valid);
	tb_bits_set(b, WEFT_CTX_CQ_PI_LSB, 32, pi);
	tb_bits_set(b, WEFT_CTX_CQ_FIRST_LSB, 24, first);
	/* what is behind the last piece is nobody's */
	for (unsigned i = 1; i < 4; i++)
		tb_bits_set(b, WEFT_CTX_CQ_BASE1_LSB + 64 * (i - 1), 64, i >> pieces ? tb_rand() << 12 : piece_at(n, ring, i));
	/* of a RESIZE they are nobody's */
	tb_bits_set(b, WEFT_CTX_CQ_HOLD_LSB, 16, cmd == WEFT_CTX_CMD_WRITE ? cqs[n].more : tb_rand());
	tb_bits_set(b, WEFT_CTX_CQ_PERIOD_LSB, 16, cmd == WEFT_CTX_CMD_WRITE ? cqs[n].period : tb_rand());
	tb_bits_set(b, WEFT_CTX_CQ_CMD_LSB, 8, cmd);
	tb_cfg_ctx(WEFT_ROOM_CQ, n, b);
}

static void new_moderation(struct cq *q)
{
	q->more = tb_chance(30) ? 0 : tb_chance(70) ? tb_range(1, 6) : tb_chance(90) ? tb_range(7, 60) : tb_range(61, 65535);
	q->seldom = tb_chance(75);
	q->period = tb_chance(80) ? tb_range(1, 30) : tb_range(31, 64000);
	changes++;
}

static void moderate(unsigned n)
{
	uint8_t b[64];

	new_moderation(&cqs[n]);
	cqs[n].mod_open = true;
	tb_rand_bytes(b, 64);
	tb_bits_set(b, WEFT_CTX_CQ_HOLD_LSB, 16, cqs[n].more);
	tb_bits_set(b, WEFT_CTX_CQ_PERIOD_LSB, 16, cqs[n].period);
	tb_bits_set(b, WEFT_CTX_CQ_CMD_LSB, 8, WEFT_CTX_CMD_MODERATE);
	tb_cfg_ctx(WEFT_ROOM_CQ, n, b);
}

static uint32_t start_index(unsigned log2)
{
	switch (tb_below(5)) {
	case 0: return 0;
	case 1: return 0xffffe0u + tb_below(48); /* across the end of the doorbell's 24 bits */
	case 2: return 0u - tb_range(1, 32);     /* of the index itself */
	case 3: return ((uint32_t)tb_rand() << log2) - tb_range(1, 8); /* of the ring */
	default: return (uint32_t)tb_rand();
	}
}

static void load_cq(unsigned n)
{
	struct cq *q = &cqs[n];
	uint32_t s0 = q->seq_in[0], s1 = q->seq_in[1], size, piece;

	memset(q, 0, sizeof(*q));
	q->seq_in[0] = q->seq_took[0] = q->seq_out[0] = s0;
	q->seq_in[1] = q->seq_took[1] = q->seq_out[1] = s1;
	q->log2 = n >= BAD_CQ ? tb_range(2, 4) : n == 0 ? MAX_LOG2 : tb_chance(50) ? tb_range(2, 7) : tb_range(8, MAX_LOG2);
	q->first = q->pi = q->ci = start_index(q->log2);
	/* so many are unread, as far as the card knows, until somebody rings: it begins at any place of the ring */
	size = 1u << q->log2;
	new_ring(&q->rings[0], q->log2);
	piece = size >> q->rings[0].pieces;
	q->origin = q->pi - (tb_chance(20) ? 0 : tb_chance(60) ? piece * tb_range(1, size / piece) - tb_range(1, piece < 8 ? piece : 8) : tb_below(size));
	q->db_sent = q->db_way = q->db_known = q->origin;
	q->fresh = true;
	q->eqn = tb_chance(90) ? n % 3 : 0xffff;
	new_moderation(q);
	load_ring(n, 0, q->rings[0].pieces, q->eqn, true, q->pi, q->origin, WEFT_CTX_CMD_WRITE);
}

static void load_eq(unsigned n)
{
	struct eq *e = &eqs[n];

	memset(e, 0, sizeof(*e));
	e->log2 = n == FW_EQ ? 2 : n == 2 ? 4 : n == 1 ? 8 : EQ_LOG2;
	e->first = e->pi = e->ci = start_index(e->log2);
	e->vector = 5 + 7 * n;
	load_ctx(WEFT_ROOM_EQ, n, EQ_BASE(n), e->log2, e->vector, true, e->pi, WEFT_CTX_CMD_WRITE);
}

static void push_cqe(int port, unsigned n)
{
	struct cq *q = &cqs[n];
	struct tb_pack p;
	bool sol = tb_chance(q->seldom ? 2 : 20);
	unsigned status = tb_chance(q->seldom ? 1 : 10) ? tb_range(1, 255) : 0;
	uint8_t *w = want[n][port][q->seq_in[port] % UNDER_WAY];
	/* QPN: even from port 0, odd from port 1 */
	uint32_t qpn = ((uint32_t)tb_rand() & 0xfffe) | (uint32_t)port, opcode = tb_below(256), index = tb_below(65536),
		 bytes = (uint32_t)tb_rand(), inv_stag = (uint32_t)tb_rand(), vendor_err = (uint32_t)tb_rand();

	tb_pack_begin(&p, 161);
	tb_put(&p, 16, n);
	tb_put(&p, 16, qpn);
	tb_put(&p, 8, opcode);
	tb_put(&p, 8, status);
	tb_put(&p, 16, index);
	tb_put(&p, 32, bytes);
	tb_put(&p, 32, inv_stag);
	tb_put(&p, 32, vendor_err);
	tb_put(&p, 1, sol);
	tb_item_push(CQE_IN + port, p.bits, 21);
	memset(w, 0, 32);
	tb_bits_set(w, 8 * WEFT_CQE_QPN_OFF, 24, qpn);
	tb_bits_set(w, 8 * WEFT_CQE_OPCODE_OFF, 8, opcode);
	tb_bits_set(w, 8 * WEFT_CQE_INDEX_OFF, 16, index);
	tb_bits_set(w, 8 * WEFT_CQE_STATUS_OFF, 8, status);
	tb_bits_set(w, 8 * WEFT_CQE_BYTES_OFF, 32, bytes);
	tb_bits_set(w, 8 * WEFT_CQE_INV_STAG_OFF, 32, inv_stag);
	tb_bits_set(w, 8 * WEFT_CQE_VENDOR_ERR_OFF, 32, vendor_err);
	tb_bits_set(w, 248, 1, sol);
	q->seq_in[port]++;
	q->pushed++;
	total_pushed++;
}

static void taken(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	struct cq *q;

	tb_unpack_begin(&p, bits, 161);
	q = &cqs[tb_get(&p, 16)];
	port -= TAKEN;
	want_from[q - cqs][port][q->seq_took[port]++ % UNDER_WAY] = tb_get_now();
	q->taken++;
	last_work = tb_cycle();
}

/* The clock's value at which the card says to have made this entry is the next one, and possible. */
static void check_stamp(unsigned n, unsigned port, uint64_t stamp)
{
	struct cq *q = &cqs[n];
	uint64_t from = want_from[n][port][q->seq_out[port] % UNDER_WAY], at;

	if (made_in == made_out) {
		tb_fail("CQ %u: an entry that was not counted", n);
		return;
	}
	at = made[made_out++ % MADE];
	tb_check(stamp == (at & STAMP_MASK), "CQ %u: entry %#x has the time %#llx, was made at %#llx", n, q->pi, (unsigned long long)stamp, (unsigned long long)at);
	tb_check(at >= from && at < tb_get_now() && at >= q->last_stamp, "CQ %u: entry %#x, made at %#llx, taken at %#llx, the one in front made at %#llx", n, q->pi,
		 (unsigned long long)at, (unsigned long long)from, (unsigned long long)q->last_stamp);
	wrapped += at >> STAMP_BITS != from >> STAMP_BITS;
	q->last_stamp = at;
}

static void host_cqe(unsigned n, unsigned ring, unsigned area, uint64_t off, const uint8_t *b)
{
	struct cq *q = &cqs[n];
	const struct ring *r = &q->rings[ring];
	unsigned piece = area ^ r->turn;
	bool to_new = ring != q->ring;
	unsigned port = b[0] & 1, log2 = to_new ? q->to_log2 : q->log2;
	uint32_t size = 1u << log2, at;
	bool sol = tb_bits_get(b, 248, 1), phase = tb_bits_get(b, 255, 1);
	uint8_t entry[32];

	if (r->log2 > MAX_LOG2) { /* as refuse_resize asked; such a ring has no size here */
		tb_fail("CQ %u: entry %#x lies in a ring of log2 %u, which was to be refused", n, q->pi, r->log2);
		return;
	}
	uint64_t span = 32ull << (r->log2 - r->pieces);

	if (to_new) {
		tb_check(q->rz != RZ_NONE, "CQ %u: entry %#x lies in a ring that was given back", n, q->pi);
		if (!q->switched) {
			q->switched = true;
			q->edge = q->pi;
			used_at_once++;
		}
	} else
		tb_check(!q->switched, "CQ %u: entry %#x lies in the ring of before", n, q->pi);
	at = q->pi - (to_new ? q->edge : q->origin);
	tb_check(!(piece >> r->pieces) && off >= r->skew[piece] && off - r->skew[piece] < span, "CQ %u: an entry beside the %u pieces: piece %u, offset %#llx",
		 n, 1u << r->pieces, piece, (unsigned long long)off);
	pieces_used[r->pieces][piece]++;
	crossings += piece && off == r->skew[piece];
	off = off - r->skew[piece] + piece * span;
	tb_check(off == (at & (size - 1)) * 32, "CQ %u: entry at offset %#llx, index %#x", n, (unsigned long long)off, q->pi);
	tb_check(phase == !(at >> log2 & 1), "CQ %u: phase %d at index %#x", n, phase, q->pi);
	tb_check(q->pi - q->ci < size, "CQ %u: an unread entry was overwritten", n);
	tb_check(q->seq_out[port] != q->seq_in[port], "CQ %u: an entry that nobody made", n);
	check_stamp(n, port, tb_bits_get(b, WEFT_CQE_STAMP_LSB, STAMP_BITS));
	memcpy(entry, b, 32);
	tb_bits_set(entry, 255, 1, 0);
	tb_bits_set(entry, WEFT_CQE_STAMP_LSB, STAMP_BITS, 0);
	for (unsigned i = 0; i < 32; i++)
		if (entry[i] != want[n][port][q->seq_out[port] % UNDER_WAY][i]) {
			tb_fail("CQ %u: completion %u of port %u: byte %u is %#x, not %#x", n, q->seq_out[port], port, i, entry[i],
				want[n][port][q->seq_out[port] % UNDER_WAY][i]);
			break;
		}
	for (unsigned a = 0; a < q->arms; a++)
		if (!q->arm[a].begun && q->arm[a].ci == q->pi) {
			q->arm[a].begun = true;
			if (q->last_stamp > q->arm[a].from)
				q->arm[a].from = q->last_stamp;
		}
	if (q->ci == q->pi)
		q->unread_cycle = tb_cycle();
	q->seq_out[port]++;
	biggest = log2 == MAX_LOG2 && (at & (size - 1)) > biggest ? at & (size - 1) : biggest;
	q->pi++;
	if (sol || tb_bits_get(b, 48, 8)) {
		q->calls = q->pi;
		q->has_call = true;
	}
	cqes_out++;
}

/* An event of the card's own: nothing but type, ID and phase. */
static void only_id(unsigned n, const uint8_t *b)
{
	for (unsigned i = 1; i < 64; i++)
		tb_check((i >= 4 && i < 8) || (i == 63 ? b[i] & 0x7f : b[i]) == 0, "EQ %u: byte %u of event %u is %#x", n, i, b[0], b[i]);
}

/* Has what this arm asked for come? */
static bool satisfied(const struct cq *q, unsigned a)
{
	return q->arm[a].next ? (int32_t)(q->pi - q->arm[a].ci) > 0 : q->has_call && (int32_t)(q->calls - q->arm[a].ci) > 0;
}

static bool called_behind(const struct cq *q, uint32_t ci) { return q->has_call && (int32_t)(q->calls - ci) > 0; }

/* May it be told by now? The time of the card is counted in whole units. */
static bool may_tell(const struct cq *q, unsigned a)
{
	if (!satisfied(q, a))
		return false;
	if (!moderation || !q->arm[a].next || !q->more || q->mod_open || called_behind(q, q->arm[a].ci) || q->pi - q->arm[a].ci > q->more)
		return true;
	return q->arm[a].begun && tb_get_now() + UNIT > q->arm[a].from + (uint64_t)q->period * UNIT;
}

/* The last time at which the event of who sleeps, has armed NEXT and has something unread is let go, if only time tells. */
static uint64_t latest(const struct cq *q) { return q->unread_at + (uint64_t)(q->period + 3) * UNIT; }

/* Must it have been told, though it may be held back? */
static bool must_tell(const struct cq *q, uint32_t ci)
{
	return !moderation || !q->more || q->pi - ci > q->more || called_behind(q, ci) || q->too_long > SLACK;
}

static void host_eqe(unsigned n, uint64_t off, const uint8_t *b)
{
	struct eq *e = &eqs[n];
	uint32_t size = 1u << e->log2;

	tb_check(off == (e->pi & (size - 1)) * 64, "EQ %u: entry at offset %#llx, index %#x", n, (unsigned long long)off, e->pi);
	tb_check(tb_bits_get(b, 511, 1) == !(e->pi >> e->log2 & 1), "EQ %u: phase at index %#x", n, e->pi);
	tb_check(e->pi - e->ci < size, "EQ %u: an unread event was overwritten", n);
	memcpy(e->ring[e->pi & (size - 1)], b, 64);
	e->pi++;
	e->events++;
	/* what an event tells is in memory before it */
	if (b[0] == WEFT_EQE_TYPE_CQ_COMPLETION) {
		unsigned c = (unsigned)tb_bits_get(b, 32, 32);
		struct cq *q = &cqs[c % N_CQ];

		tb_check(c < N_CQ && q->eqn == n, "EQ %u: event of CQ %u", n, c);
		only_id(n, b);
		tb_check(q->arms > 0, "CQ %u fires without an arm", c);
		q->event = true;
		q->leapt = false;
		unsigned a = 0;
		while (a < q->arms && !may_tell(q, a))
			a++;
		tb_check(a < q->arms, "CQ %u fires, and none of its %u arms asked for that", c, q->arms);
		if (a < q->arms) {
			if (moderation && q->arm[a].next && q->more && !q->mod_open)
				told[called_behind(q, q->arm[a].ci) ? 1 : q->pi - q->arm[a].ci > q->more ? 0 : 2]++;
			solicited_wakes += !q->arm[a].next;
			memmove(q->arm + a, q->arm + a + 1, (q->arms - a - 1) * sizeof(*q->arm));
			q->arms--;
		}
	}
}

static void host_write(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	uint64_t addr = tb_bits_get(side, 0, 64);

	last_work = tb_cycle();
	tb_check(tb_bits_get(side, 64, 16) == len, "write of %zu bytes, header says %u", len, (unsigned)tb_bits_get(side, 64, 16));
	if (addr >= CQ_BASE(0) && addr < CQ_BASE(N_CQ) && len == 32)
		host_cqe((unsigned)((addr - CQ_BASE(0)) / CQ_AREA / 8), (unsigned)((addr - CQ_BASE(0)) / CQ_AREA / 4 % 2), (unsigned)((addr - CQ_BASE(0)) / CQ_AREA % 4),
			 (addr - CQ_BASE(0)) % CQ_AREA, data);
	else if (addr >= EQ_BASE(0) && addr < EQ_BASE(N_EQ) && len == 64)
		host_eqe((unsigned)((addr - EQ_BASE(0)) / EQ_AREA), (addr - EQ_BASE(0)) % EQ_AREA, data);
	else
		tb_fail("write of %zu bytes to %#llx", len, (unsigned long long)addr);
}

static void irq(int port, const uint8_t *bits, void *arg)
{
	unsigned v = (unsigned)tb_bits_get(bits, 0, 11), n = (v - 5) / 7;
	struct eq *e = &eqs[n % N_EQ];

	last_work = tb_cycle();
	irqs++;
	if (n >= N_EQ || v != e->vector) {
		tb_fail("interrupt vector %u", v);
		return;
	}
	tb_check(e->arms > 0, "EQ %u rings without an arm", n);
	tb_check((int32_t)(e->pi - e->arm_ci) > 0, "EQ %u rings before its event is there", n);
	e->arms = e->arms > 1;
	e->asleep = false;
}

/* Nothing goes to the old ring any more. Its consumer copies what is unread, and goes on in the new one. */
static void resized(unsigned n)
{
	struct cq *q = &cqs[n];

	if (!q->switched)
		tb_check(((q->pi ^ q->edge) & 0xffffff) == 0, "CQ %u drained: the switch is at %#x, %#x entries are out", n, q->edge, q->pi);
	q->origin = q->switched ? q->edge : q->pi;
	q->ring ^= 1;
	q->log2 = q->to_log2;
	q->switched = false;
	q->rz = RZ_NONE;
	resizing = false;
}

static void fwev(int port, const uint8_t *bits, void *arg)
{
	unsigned kind = bits[0], id = (unsigned)tb_bits_get(bits, 32, 32), code = (unsigned)tb_bits_get(bits, 16, 16);

	last_work = tb_cycle();
	if (kind == WEFT_FW_EV_DRAINED) {
		drained++;
		if (code == WEFT_ROOM_CQ && id < N_CQ) {
			struct cq *q = &cqs[id];

			tb_check(q->stopped || q->pi - q->first >= q->drain_mark, "CQ %u drained before %u entries were out: %u", id,
				 q->drain_mark, q->pi - q->first);
			if (q->rz == RZ_TAKEN)
				resized(id);
		} else
			tb_check(code == WEFT_ROOM_EQ && id < N_EQ, "DRAINED of room %u, %u", code, id);
	} else if (kind == WEFT_FW_EV_CQ_OVERFLOW && id < N_CQ) {
		struct cq *q = &cqs[id];

		overflows++;
		tb_check(id >= BAD_CQ, "CQ %u overflows, though its consumer is good", id);
		tb_check(!q->stopped, "CQ %u overflows twice", id);
		q->stopped = true;
		q->quiet_since = tb_cycle();
	} else
		tb_fail("firmware event %u, %u", kind, id);
}

static void state(int port, const uint8_t *bits, void *arg)
{
	for (int i = 0; i < 3; i++)
		stats[i] += bits[0] >> (i + 1) & 1;
	idle_seen += bits[0] & 1;
	if (bits[0] & 1)
		tb_check(tb_cycle() > last_work, "idle with work under way");
	if (bits[0] >> 1 & 1)
		made[made_in++ % MADE] = tb_bits_get(bits, 4, 64);
	is_idle = bits[0] & 1;
	dl_at = tb_bits_get(bits, 68, 64);
	dl_valid = tb_bits_get(bits, 132, 1);
}

/* An event queue's consumer: takes events in order, wakes CQs, arms, sleeps. */
static void eq_step(unsigned n)
{
	struct eq *e = &eqs[n];

	if (e->asleep || !tb_chance(n == FW_EQ ? 1 : 15))
		return;
	for (unsigned k = tb_range(1, 8); k && e->ci != e->pi; k--) {
		uint8_t *b = e->ring[e->ci & ((1u << e->log2) - 1)];
		uint32_t id = (uint32_t)tb_bits_get(b, 32, 32);

		switch (b[0]) {
		case WEFT_EQE_TYPE_CQ_COMPLETION:
			wakes++;
			cqs[id].asleep = false;
			break;
		case WEFT_EQE_TYPE_CQ_ERROR:
			tb_check(id >= BAD_CQ && id < N_CQ && !cqs[id].error_event, "CQ_ERROR of CQ %u", id);
			only_id(n, b);
			cqs[id % N_CQ].error_event = true;
			break;
		case WEFT_EQE_TYPE_LINK:
			tb_check(id >= e->fw_out && id < e->fw_in && (n == FW_EQ || e->lost || id == e->fw_out),
				 "EQ %u: event %u of firmware instead of %u", n, id, e->fw_out);
			b[63] &= 0x7f;
			tb_check(!memcmp(b, e->fw[id % 4096], 64), "EQ %u: event %u of firmware is damaged", n, id);
			e->fw_out = id + 1;
			break;
		case WEFT_EQE_TYPE_EQ_OVERFLOW:
			reports++;
			only_id(n, b);
			e->lost += id;
			e->events--;
			tb_check(id > 0, "EQ %u reports no loss", n);
			for (unsigned c = 0; c < N_CQ; c++)
				if (cqs[c].eqn == n)
					cqs[c].asleep = false;
			break;
		default:
			tb_fail("EQ %u: event type %u", n, b[0]);
		}
		memset(b, 0, 64);
		e->ci++;
	}
	if (e->ci == e->pi && tb_chance(70)) {
		if (!e->arms)
			e->arm_ci = e->ci;
		e->arms++;
		ring_db(EQ_DB, n, e->ci, WEFT_ARM_NEXT);
		e->asleep = true;
	} else
		ring_db(EQ_DB, n, e->ci, WEFT_ARM_NONE);
}

/* A RESIZE that must be refused: of a queue that has overflowed, or to more than the largest ring. Nothing of the queue has changed then. */
static struct { uint32_t base; unsigned log2, eqn; } as_was;
static void still_base(uint32_t v, bool err, void *arg)
{
	tb_check(!err && v == as_was.base, "CQ %d: a RESIZE that must be refused: base %#x, not %#x", (int)((struct cq *)arg - cqs), v, as_was.base);
}

static void still_log2(uint32_t v, bool err, void *arg)
{
	tb_check(!err && (v & 0xff) == as_was.log2 && v >> 16 == as_was.eqn, "CQ %d: a RESIZE that must be refused: log2 and EQN %#x", (int)((struct cq *)arg - cqs), v);
}

static void still_there(uint32_t v, bool err, void *arg)
{
	tb_check(!err && !(v >> (WEFT_CTX_CQ_RESIZED_LSB % 32) & 1), "CQ %d: a RESIZE that must be refused is done", (int)((struct cq *)arg - cqs));
	resizing = false;
}

static void refuse_resize(unsigned n)
{
	struct cq *q = &cqs[n];
	/* too large: by the number, or by bits that a narrow one would not have */
	unsigned log2 = q->stopped ? MAX_LOG2 : tb_chance(50) ? tb_range(WEFT_CQ_LOG2_MAX + 1, 31) : 32 * tb_range(1, 7) + tb_range(q->log2, MAX_LOG2);

	/* nothing else would be in the way */
	if (q->rang_known)
		*(q->stopped ? &stopped_refused : &large_refused) += 1;
	as_was.base = (uint32_t)piece_at(n, q->ring, 0);
	as_was.log2 = q->log2;
	as_was.eqn = q->eqn;
	resizing = true;
	new_ring(&q->rings[q->ring ^ 1], MAX_LOG2);
	q->rings[q->ring ^ 1].log2 = log2;
	load_ring(n, q->ring ^ 1, q->rings[q->ring ^ 1].pieces, (unsigned)tb_rand(), tb_chance(50), (uint32_t)tb_rand(), (uint32_t)tb_rand(), WEFT_CTX_CMD_RESIZE);
	tb_cfg_read(WEFT_ROOM_CQ << 22 | n << 6, still_base, q);
	tb_cfg_read(WEFT_ROOM_CQ << 22 | n << 6 | 2 << 2, still_log2, q);
	tb_cfg_read(WEFT_ROOM_CQ << 22 | n << 6 | WEFT_CTX_CQ_RESIZED_LSB / 32 << 2, still_there, q);
}

static bool quiet_now(void) { return tb_cycle() % 8192 >= 5500; }

/* What the consumer sees: until he has the new ring, the old one. */
static uint32_t seen_end(const struct cq *q) { return q->switched ? q->edge : q->pi; }

/* A completion queue's consumer. */
static void cq_step(unsigned n)
{
	struct cq *q = &cqs[n];

	if (q->stopped) {
		if (q->rz == RZ_NONE && !resizing && !tb_cfg_pending() && tb_below(100) == 0) {
			refuse_resize(n);
			return;
		}
		/* reload once nothing of it is on its way */
		if (q->rz == RZ_NONE && q->pushed == q->taken && !tb_cfg_pending() && tb_cycle() > q->quiet_since + 600) {
			/* events wait for each other, and for interrupts that nobody takes */
			if (q->eqn < N_EQ && !eqs[q->eqn].lost && !q->error_event) {
				tb_check(tb_cycle() < q->quiet_since + 20000, "CQ %u: no CQ_ERROR", n);
				return;
			}
			if (q->eqn < N_EQ && !q->error_event && eqs[q->eqn].pi != eqs[q->eqn].ci)
				return;
			reloads++;
			load_cq(n);
			q->loading = true;
		}
		return;
	}
	if (q->hold && q->rz == RZ_ASKED)
		return;
	if (q->fresh) {
		if (q->loading || tb_cfg_pending() || tb_below(n >= BAD_CQ ? 20 : 1000))
			return;
		q->fresh = false;
		q->rang_sent = true;
		ring_db(CQ_DB, n, q->ci, WEFT_ARM_NONE);
		q->db_sent = q->ci;
		return;
	}
	if (q->asleep && !quiet_now() && tb_below(q->eqn < N_EQ ? 4000 : 50) == 0 && (!q->last_next || q->eqn >= N_EQ))
		q->asleep = false; /* sleeps for solicited ones only, or gets no events: looks by itself now and then */
	if (q->asleep || (n >= BAD_CQ ? tb_below(300) != 0 : !tb_chance(4)))
		return;
	for (unsigned k = tb_range(1, 10); k && q->ci != seen_end(q); k--)
		q->ci++;
	if (q->ci == seen_end(q) && tb_chance(60)) {
		bool next = tb_chance(60);

		if (q->arms == 64)
			memmove(q->arm, q->arm + 1, --q->arms * sizeof(*q->arm));
		q->arm[q->arms].ci = q->ci;
		q->arm[q->arms].from = tb_get_now();
		q->unread_cycle = tb_cycle();
		q->event = false;
		q->arm[q->arms].begun = q->pi != q->ci;
		q->arm[q->arms++].next = next;
		q->last_next = next;
		ring_db(CQ_DB, n, q->ci, next ? WEFT_ARM_NEXT : WEFT_ARM_SOLICITED);
		if (tb_chance(30)) /* in the next cycle: it takes no arm back */
			ring_db(CQ_DB, n, q->ci, WEFT_ARM_NONE);
		q->asleep = tb_chance(90); /* else it polls once more */
	} else
		ring_db(CQ_DB, n, q->ci, WEFT_ARM_NONE);
	q->db_sent = q->ci;
}

/* Firmware has asked whether the last RESIZE was done, and FIRST. */
static bool was_taken;
static void read_resized(uint32_t v, bool err, void *arg)
{
	tb_check(!err, "no context");
	was_taken = v >> (WEFT_CTX_CQ_RESIZED_LSB % 32) & 1;
}

static void read_first(uint32_t v, bool err, void *arg)
{
	struct cq *q = arg;
	unsigned n = (unsigned)(q - cqs);
	uint32_t size = 1u << q->to_log2, low = q->rz_pi - q->db_sent, high = q->first + q->pushed - q->rz_known, first = v & 0xffffff;

	tb_check(!err, "no context");
	resizes[was_taken]++;
	if (!was_taken) {
		tb_check(!q->switched, "CQ %u: a resize that was refused is done", n);
		tb_check(n >= BAD_CQ || !q->rz_rung || high > size || q->too_many, "CQ %u: %u entries at most do not fit in %u", n, high, size);
		fresh_refused += !q->rang_sent && high <= size && !q->too_many; /* it would have fitted */
		too_many += q->rz_rung && high <= size && q->too_many;
		q->rz = RZ_NONE;
		resizing = false;
		return;
	}
	tb_check((int32_t)low <= (int32_t)size, "CQ %u: %u entries at least are taken to a ring of %u", n, low, size);
	/* FIRST is where it was then; entries may have come since */
	tb_check(q->rang_sent || !((first ^ q->origin) & 0xffffff), "CQ %u: nobody has told what is unread", n);
	if (q->switched)
		tb_check(((q->edge ^ first) & 0xffffff) == 0, "CQ %u: FIRST is %#x, the first entry in the new ring %#x", n, first, q->edge);
	else
		q->edge = first;
	shrunk_with_unread += q->to_log2 < q->log2 && q->ci != q->pi;
	tb_check(!q->too_many, "CQ %u: taken to more pieces than there are", n);
	repieced += q->rings[0].pieces != q->rings[1].pieces;
	q->rz = RZ_TAKEN;
	q->drain_mark = n < BAD_CQ ? q->taken : 0;
	drains_sent++;
	drain(WEFT_ROOM_CQ, n);
}

static void resize_cq(unsigned n)
{
	struct cq *q = &cqs[n];

	if (q->stopped || q->loading || q->rz != RZ_NONE)
		return;
	if (tb_chance(16)) {
		refuse_resize(n);
		return;
	}
	if (q->fresh && tb_chance(70))
		q->to_log2 = q->log2 < MAX_LOG2 ? q->log2 + 1 : MAX_LOG2;
	else
		q->to_log2 = n == 0 && tb_chance(60) ? MAX_LOG2 : n >= BAD_CQ ? tb_range(2, 4) : tb_chance(70) ? tb_range(2, 6) : tb_range(7, MAX_LOG2);
	/* who has more under way than the new ring takes asks for an overflow, if it is not refused */
	q->hold = n < BAD_CQ && q->first + q->pushed - q->db_known > 1u << q->to_log2;
	if (q->hold && q->pi - q->db_sent <= 1u << q->to_log2)
		return;
	if (!q->fresh && !q->hold && tb_chance(70)) {
		ring_db(CQ_DB, n, q->ci, WEFT_ARM_NONE);
		q->db_sent = q->ci;
	}
	q->rz = RZ_ASKED;
	q->rz_pi = q->pi;
	q->rz_known = q->db_known;
	q->rz_rung = q->rang_known;
	q->switched = false;
	resizing = true;
	new_ring(&q->rings[q->ring ^ 1], q->to_log2);
	q->too_many = tb_chance(15);
	load_ring(n, q->ring ^ 1, q->too_many ? most + 1 : q->rings[q->ring ^ 1].pieces, (unsigned)tb_rand(), tb_chance(50), (uint32_t)tb_rand(), (uint32_t)tb_rand(),
		  WEFT_CTX_CMD_RESIZE);
	tb_cfg_read(WEFT_ROOM_CQ << 22 | n << 6, NULL, NULL);
	tb_cfg_read(WEFT_ROOM_CQ << 22 | n << 6 | WEFT_CTX_CQ_RESIZED_LSB / 32 << 2, read_resized, q);
	tb_cfg_read(WEFT_ROOM_CQ << 22 | n << 6 | WEFT_CTX_CQ_FIRST_LSB / 32 << 2, read_first, q);
}

static uint32_t pi_asked; /* one read at a time */
static void read_pi(uint32_t v, bool err, void *arg)
{
	struct cq *q = arg;

	tb_check(!err && (q->stopped || (int32_t)(v - pi_asked) >= 0), "CQ %d: PI reads %#x, %#x were written when it was asked for",
		 (int)(q - cqs), v, pi_asked);
}

/* 400 completions over all queues, then 400 of one. */
static void perf_step(void)
{
	static unsigned done, round;
	double beats = 32.0 * 8 / TB_DATA_W < 1 ? 1 : 32.0 * 8 / TB_DATA_W, limit = round && beats < 2.3 ? 2.3 : beats + 0.1;

	if (total_pushed == done && !tb_cfg_pending()) {
		perf_start = tb_cycle();
		for (unsigned i = 0; i < 200; i++)
			for (int p = 0; p < 2; p++)
				push_cqe(p, round ? 3 : i % N_CQ);
	}
	if (total_pushed == done + 400 && cqes_out == total_pushed) {
		double rate = (double)(tb_cycle() - perf_start) / 400;

		tb_note("%.2f cycles a completion over %s", rate, round ? "one queue" : "all queues");
		tb_check(rate <= limit, "completions are too slow: %.2f cycles, should be %.2f", rate, limit);
		done = total_pushed;
		perf_done = round++;
	}
}

void tb_setup(void)
{
	perf = tb_opt("seed", 1) == 1;
	tb_set_now(tb_rand() & STAMP_MASK);
	most = (unsigned)tb_opt("pieces", 2);
	moderation = tb_opt("moderation", 1);
	tb_on_packet(WRITES, host_write, NULL);
	tb_on_item(IRQ, irq, NULL);
	tb_on_item(FWEV, fwev, NULL);
	tb_on_item(STATE, state, NULL);
	tb_on_item(TAKEN, taken, NULL);
	tb_on_item(TAKEN + 1, taken, NULL);
	for (unsigned n = 0; n < N_EQ; n++)
		load_eq(n);
	for (unsigned n = 0; n < N_CQ; n++) {
		load_cq(n);
		if (perf) {
			cqs[n].log2 = cqs[n].rings[0].log2 = 10;
			cqs[n].rings[0].pieces = most;
			memset(cqs[n].rings[0].skew, 0, sizeof(cqs[n].rings[0].skew));
			cqs[n].eqn = 0xffff;
			cqs[n].origin = cqs[n].db_known = cqs[n].pi;
			load_ring(n, 0, most, 0xffff, true, cqs[n].pi, cqs[n].pi, WEFT_CTX_CMD_WRITE);
		}
	}
}

/* While nobody produces: whoever sleeps beside an entry that he asked to be woken for has been forgotten. */

static void check_sleepers(void)
{
	for (unsigned n = 0; n < BAD_CQ; n++) {
		struct cq *q = &cqs[n];

		/* everything has been answered, alone or with another, or stands with the index of the last doorbell */
		for (unsigned a = q->arms; a--;) {
			if (satisfied(q, a))
				q->arm[a].ci = q->db_sent;
			if (satisfied(q, a) && (!q->arm[a].next || must_tell(q, q->arm[a].ci)))
				memmove(q->arm + a, q->arm + a + 1, (--q->arms - a) * sizeof(*q->arm));
		}
		if (q->asleep && q->ci != q->pi && q->eqn < N_EQ)
			tb_check(q->last_next ? (moderation && q->event) || !must_tell(q, q->ci) : (!q->has_call || (int32_t)(q->calls - q->ci) <= 0), "CQ %u: a wake-up was lost", n);
		held_long += q->asleep && q->ci != q->pi && q->eqn < N_EQ && q->last_next && !q->event;
		q->mod_open = q->mod_open && tb_cfg_pending();
	}
	for (unsigned n = 0; n < N_EQ; n++)
		tb_check(!eqs[n].asleep || eqs[n].ci == eqs[n].pi, "EQ %u: an interrupt was lost", n);
}

/* At a few rates, none of them 0, for an entry lies behind the one that it waits for; now and then just in front of the end of its low bits. */
static void clock_step(void)
{
	if (tb_cycle() % 256 == 0)
		tb_ns_per_cycle = tb_chance(50) ? tb_range(1, 10) : tb_chance(80) ? tb_range(20, 200) : tb_below(1u << 16) + 1;
	/* as a simulation does whose card is idle */
	if (is_idle && dl_valid && dl_at > tb_get_now() && tb_below(50) == 0) {
		to_deadline++;
		tb_set_now(dl_at);
	}
	if (tb_cycle() % 1024 == 0 && tb_chance(20))
		tb_set_now(tb_get_now() + (tb_rand() >> tb_range(38, 42)));
	if (tb_below(5000) == 0) {
		uint64_t to = (tb_get_now() | STAMP_MASK) - tb_below(16) * tb_ns_per_cycle;

		if (to > tb_get_now()) { /* it never goes back */
			tb_set_now(to);
			for (unsigned n = 0; n < N_CQ; n++)
				cqs[n].leapt = true;
		}
	}
}

/* While it rests: whatever is held back is told at the deadline, or behind it. */
static void check_deadline(void)
{
	if (!is_idle || tb_cycle() % 8192 < 6200)
		return;
	for (unsigned n = 0; n < BAD_CQ; n++) {
		const struct cq *q = &cqs[n];

		if (!q->asleep || !q->last_next || q->event || q->leapt || q->ci == q->pi || q->eqn >= N_EQ || must_tell(q, q->ci) || tb_cycle() < q->unread_cycle + SLACK)
			continue;
		dl_checked++;
		tb_check(dl_valid && dl_at <= latest(q), "CQ %u: held back until %#llx, the deadline is %d %#llx", n, (unsigned long long)latest(q), dl_valid,
			 (unsigned long long)dl_at);
	}
}

bool tb_step(void)
{
	static unsigned ending;

	if (perf) {
		perf_step();
		return perf_done;
	}
	if (tb_cycle() < 2000 && tb_cfg_pending())
		return false;
	if (!tb_cfg_pending())
		for (unsigned n = 0; n < N_CQ; n++)
			cqs[n].loading = false;
	if (quiet_now()) {
		for (int i = CQE_IN; i <= FWEV; i++) {
			tb_snk_rate(i, 100);
			tb_src_rate(i, 100);
		}
		if (tb_cycle() % 8192 == 8191)
			check_sleepers();
	} else if (tb_cycle() % 512 == 0) {
		tb_snk_rate(WRITES, tb_chance(50) ? 100 : tb_range(20, 95));
		tb_snk_rate(IRQ, tb_chance(50) ? 100 : tb_chance(30) ? 0 : tb_range(5, 95));
		tb_snk_rate(FWEV, tb_chance(50) ? 100 : tb_range(2, 95));
		for (int p = 0; p < 2; p++)
			tb_src_rate(CQE_IN + p, tb_chance(50) ? 100 : tb_range(5, 95));
	}
	if (quiet_now())
		check_deadline();
	clock_step();
	for (unsigned n = 0; n < N_CQ; n++) {
		struct cq *q = &cqs[n];

		cq_step(n);
		/* while the way out is stalled nothing is sure */
		if (!quiet_now() || tb_cycle() < q->unread_cycle + SLACK || q->ci == q->pi)
			q->unread_at = tb_get_now();
		q->too_long = tb_get_now() > latest(q) && !q->leapt ? q->too_long + 1 : 0;
		if (tb_cycle() < q->db_at + 60)
			continue;
		q->db_known = q->db_way;
		q->db_way = q->db_sent;
		q->rang_known = q->rang_way;
		q->rang_way = q->rang_sent;
		q->db_at = tb_cycle();
	}
	for (unsigned n = 0; n < N_EQ; n++)
		eq_step(n);
	if (!stop_producing && !quiet_now()) {
		for (int p = 0; p < 2; p++) {
			unsigned n = tb_chance(30) ? tb_below(3) : tb_chance(10) ? tb_range(BAD_CQ, N_CQ - 1) : tb_below(N_CQ);
			struct cq *q = &cqs[n];
			unsigned log2 = q->rz != RZ_NONE && q->to_log2 < q->log2 ? q->to_log2 : q->log2;

			if (tb_chance(25) && !q->stopped && !q->loading && (n >= BAD_CQ || q->pushed - (q->db_known - q->first) < 1u << log2) &&
			    tb_pending(CQE_IN + p) < 6)
				push_cqe(p, n);
		}
		if (tb_below(50) == 0) {
			unsigned n = tb_chance(70) ? FW_EQ : tb_below(3);
			uint8_t b[65] = { 0 };

			tb_rand_bytes(b, 64);
			b[0] = WEFT_EQE_TYPE_LINK;
			b[63] &= 0x7f;
			tb_bits_set(b, 32, 32, eqs[n].fw_in);
			memcpy(eqs[n].fw[eqs[n].fw_in++ % 4096], b, 64);
			b[64] = (uint8_t)n;
			tb_item_push(EQE_IN, b, 65);
		}
		if (tb_below(60) == 0 && !tb_cfg_pending() && !resizing && drains_sent == drained)
			for (unsigned n = tb_below(N_CQ), tries = tb_chance(50) ? N_CQ : 1; tries; n = (n + 1) % N_CQ, tries--)
				if (cqs[n].fresh || tries == 1) { /* half of the time one that nobody has rung for, if there is one */
					resize_cq(n);
					break;
				}
		if (tb_below(300) == 0 && !tb_cfg_pending()) {
			unsigned n = tb_below(N_CQ);

			if (moderation && tb_chance(40)) {
				if (!cqs[n].stopped)
					moderate(n);
			} else if (tb_chance(50)) {
				if (!cqs[n].stopped && !resizing && drains_sent == drained) {
					/* what was taken by now is out before DRAINED */
					cqs[n].drain_mark = n < BAD_CQ ? cqs[n].taken : 0;
					drains_sent++;
					if (tb_chance(80))
						drain(WEFT_ROOM_CQ, n);
					else
						drain(WEFT_ROOM_EQ, n % N_EQ);
				}
			} else {
				pi_asked = cqs[n].pi;
				tb_cfg_read(WEFT_ROOM_CQ << 22 | n << 6, NULL, NULL);
				tb_cfg_read(WEFT_ROOM_CQ << 22 | n << 6 | 4 << 2, read_pi, &cqs[n]);
			}
		}
		if (total_pushed > TOTAL)
			stop_producing = true;
	}
	if (stop_producing) {
		tb_snk_rate(WRITES, 100);
		tb_snk_rate(IRQ, 100);
		tb_snk_rate(FWEV, 100);
		ending++;
	}
	return ending > 12000;
}

void tb_finish(void)
{
	if (perf) {
		tb_check(perf_done, "completions did not come");
		return;
	}
	for (unsigned n = 0; n < N_CQ; n++) {
		struct cq *q = &cqs[n];

		if (q->stopped || n >= BAD_CQ)
			continue;
		tb_check(q->pi - q->first == q->pushed, "CQ %u: %u of %u entries came", n, q->pi - q->first, q->pushed);
	}
	check_sleepers();
	tb_check(eqs[FW_EQ].events + eqs[FW_EQ].lost == eqs[FW_EQ].fw_in, "EQ %d: %llu events and %llu lost of %u", FW_EQ,
		 (unsigned long long)eqs[FW_EQ].events, (unsigned long long)eqs[FW_EQ].lost, eqs[FW_EQ].fw_in);
	tb_check(drained == drains_sent, "%u of %u drains were answered", drained, drains_sent);
	tb_check(stats[0] == cqes_out, "stat_cqe_o counts %u of %u", stats[0], cqes_out);
	tb_note("highest place in a ring of 2^%u: %u; %u entries at the begin of a second or later piece; %u resizes to another number of them, %u refused for too many, %u taken", MAX_LOG2,
		biggest, crossings, repieced, too_many, resizes[1]);
	for (unsigned i = 0; i < (2u << most) - 2; i++)
		tb_check(pieces_used[i < 2 ? 1 : 2][i < 2 ? i : i - 2] > 20, "%u entries in piece %u of %u", pieces_used[i < 2 ? 1 : 2][i < 2 ? i : i - 2], i < 2 ? i : i - 2,
			 i < 2 ? 2 : 4);
	tb_check(too_many > 0 && (!most || (crossings > 20 && repieced > 5)), "%u begins of pieces, %u resizes to another number of them, %u refused for too many", crossings, repieced,
		 too_many);
	tb_note("held back, and told: %u by their number, %u by an entry that calls, %u by the time; %u times still held back; %u deadlines, %u times to one", told[0], told[1], told[2],
		held_long, dl_checked, to_deadline);
	tb_check(!moderation || (told[0] > 5 && told[1] > 40 && told[2] > 2 && to_deadline > 3 && changes > N_CQ + 5),
		 "events are not held back as often as they should be");
	tb_check(wrapped > 0, "%u entries were made at an end of the clock's low bits", wrapped);
	tb_check(!resizing, "a resize has not come to its end");
	tb_check(resizes[0] > 5 && resizes[1] > 30 && shrunk_with_unread > 3 && used_at_once > 5 && fresh_refused > 0,
		 "%u resizes refused, %u taken, %u to less with entries unread, %u with entries in the new ring before they are known, %u that nobody had rung for", resizes[0], resizes[1], shrunk_with_unread, used_at_once, fresh_refused);
	tb_check(stopped_refused > 2 && large_refused > 2, "%u resizes of queues that had stopped, %u to more than the largest ring", stopped_refused, large_refused);
	tb_check(wakes > 300 && irqs > 300 && solicited_wakes > 50 && overflows > 3 && reports > 2 && drained > 10 && idle_seen > 100 &&
		 reloads > 1, "%u wakes (%u solicited), %u irqs, %u overflows, %u reports, %u drains, %u idle, %u reloads", wakes,
		 solicited_wakes, irqs, overflows, reports, drained, idle_seen, reloads);
}
