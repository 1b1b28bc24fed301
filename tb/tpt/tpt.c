// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_tpt against a model of struct tpt (abi/weft.abi): random entries and accesses that are mostly right and otherwise wrong in
 * one way, page lists of 1 to 2^32 - 1 pages that are partly unreadable, entries that change between accesses while other entries
 * are in use.
 * With the last piece of an access, be it an error, all that it reads of page lists has been read.
 * Each access stays for a while behind its last piece, then says the epoch that it was told. A commit that makes an entry unusable
 * is answered, in order, when all accesses that were taken in its cycle or before have left, and in the end always.
 * Operations on STags come between, right ones and wrong ones, also on entries in use: an access that is taken up to the cycle of the
 * answer finds the entry as it was, a later one what became of it; they are done under numbers of their own.
 * Windows of both types are bound to regions, taken from them, and freed by commits; an access by one finds the pages of its region, and
 * a commit of a region that has some changes nothing.
 * Seed 1 has a host latency of 250 cycles and full rates, and measures the rate with cold and with warm pages.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { REQ, RSP = 2, DMA_REQ = 4, DMA_RSP = 6, STATE = 8, LEAVE, DRAIN, TAKE, GONE = 13, OP, OP_ANSWER };
enum { SLOTS = 64, PAGES = 64, HOST_LATENCY = 250 };
enum { OK, E_STAG, E_PD, E_ACCESS, E_WRAP, E_BOUNDS, E_BUS, E_INV };
/* A page list for each slot, as long as it can be. */
#define AREA 0x123400000000ull
#define STRIDE (8ull << 32)

struct entry {
	uint32_t stag, pd, qpn, count, parent, windows;
	uint8_t state, kind, access, log2;
	bool direct;
	uint64_t base, length, fbo, pbl;
	uint64_t salt; /* of its page addresses */
	uint8_t bad; /* one bit for each eighth line of the page list */
	struct { uint64_t salt; uint8_t bad, log2; } own; /* of the list in its area, also while a window goes by its region's */
	unsigned busy; /* accesses under way */
	uint8_t gen; /* of the card: counts what is written */
};
static struct entry table[SLOTS];

/* Address of a page: a list is too long to be stored. */
static uint64_t page_of(const struct entry *e, uint64_t page)
{
	uint64_t z = e->salt + page * 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (z ^ (z >> 31)) & ~((1ull << (e->log2 > 30 ? 12 : e->log2)) - 1);
}

struct piece {
	struct piece *next;
	uint64_t addr;
	uint16_t len;
	uint8_t err;
	bool last;
	unsigned slot, lender;
	bool paged;
	uint64_t line[2]; /* of AREA, the first and last one of its access, be it good or not */
};
static struct piece *head[2], **tail[2];

struct read { uint64_t due, addr; };
static struct read reads[2][4096];
static unsigned rd_head[2], rd_tail[2], max_in_flight;

static unsigned accesses, answered, by_err[8], commits, fetches, idle_seen, hits, misses, errs, phase;
static uint64_t phase_start;
static unsigned far[3];
static bool perf, slow, plain;

/* Accesses by port, in order: taken at, left. */
enum { MANY = 1 << 16 };
static struct access { uint64_t taken; bool left; } acc[2][MANY];
static unsigned n_taken[2], n_done[2];
static unsigned first_in[2]; /* all before it have left */
static uint64_t gone_at[MANY];
static unsigned n_gone, n_drained, merged;
static struct stay { uint64_t until; unsigned port, n, epoch; } stays[MANY];
static unsigned n_stays;

/* Accesses that are offered; what they find is known when they are taken. */
struct ask { uint32_t stag, len, pd, qpn; uint64_t to; uint8_t access; bool priv, recovery; };
static struct ask asks[2][MANY];
static unsigned n_asked[2];
static void model(int port, const struct ask *a);

/* The operation that is under way, one at a time. */
enum { INV = 0, REM_INV = 1, REG = 2, BIND = 3, INV_END = 5 };
static struct entry op_entry_new; /* what a registration makes of it */
static struct { bool busy, over; unsigned slot, op; uint32_t stag, pd, qpn, lkey; uint64_t addr, bytes, to; uint8_t access; uint64_t at; int err; } op;
static uint64_t op_at[MANY];
static unsigned n_ops, n_op_good, n_op_done, op_by_err[8], op_raced, op_flushed, n_closed, n_served, n_shut, n_reg;
static unsigned bound[2], rebound, unbound, ended, freed, refused, by_window[2], bind_by_err[8];

static bool is_window(const struct entry *e) { return e->kind == WEFT_TPT_TYPE_MW || e->kind == WEFT_TPT_TYPE_MW_1; }
static bool is_bound(const struct entry *e)
{
	return is_window(e) && (e->state == WEFT_TPT_STATE_VALID || e->state == WEFT_TPT_STATE_CLOSED) && e->parent;
}
/* A window is about to be something else. */
static void unbind(struct entry *e)
{
	if (is_bound(e))
		table[e->parent & (SLOTS - 1)].windows--;
	e->parent = 0;
}
/* Slots that the operation under way looks at or changes. */
static bool op_touches(unsigned slot)
{
	const struct entry *e = &table[op.slot];

	return op.busy && (slot == op.slot || (op.op == BIND && slot == (op.lkey >> 8 & (SLOTS - 1))) || (is_bound(e) && slot == (e->parent & (SLOTS - 1))));
}

static void entry_bytes(const struct entry *e, uint8_t *b)
{
	memset(b, 0, 64);
	tb_bits_set(b, WEFT_TPT_STAG_OFF * 8, 32, e->stag);
	tb_bits_set(b, 32, 2, e->state);
	tb_bits_set(b, 34, 2, e->kind);
	tb_bits_set(b, WEFT_TPT_ACCESS_OFF * 8, 8, e->access);
	tb_bits_set(b, WEFT_TPT_PAGE_LOG2_OFF * 8, 8, e->log2);
	tb_bits_set(b, WEFT_TPT_DIRECT_OFF * 8, 1, e->direct);
	tb_bits_set(b, WEFT_TPT_PD_OFF * 8, 24, e->pd);
	tb_bits_set(b, WEFT_TPT_QPN_OFF * 8, 24, e->qpn);
	tb_bits_set(b, WEFT_TPT_BASE_OFF * 8, 64, e->base);
	tb_bits_set(b, WEFT_TPT_LENGTH_OFF * 8, 64, e->length);
	tb_bits_set(b, WEFT_TPT_FBO_OFF * 8, 64, e->fbo);
	tb_bits_set(b, WEFT_TPT_PBL_OFF * 8, 64, e->pbl);
	tb_bits_set(b, WEFT_TPT_PBL_COUNT_OFF * 8, 32, e->count);
	tb_bits_set(b, WEFT_TPT_PARENT_OFF * 8, 24, is_bound(e) ? e->parent : 0);
	tb_bits_set(b, WEFT_TPT_WINDOWS_OFF * 8, 16, e->windows);
}

/* Any entry for a slot; its page list stays where it is, with other pages. */
static void draw_entry(struct entry *e, unsigned slot)
{
	unsigned __int128 room;

	e->windows = 0;
	e->stag = (uint32_t)(tb_below(4) << 24 | tb_below(4) << 14 | slot << 8 | tb_below(4));
	e->state = tb_chance(80) ? WEFT_TPT_STATE_VALID : (uint8_t)tb_below(2);
	e->kind = tb_chance(3) ? 3 : tb_chance(50) ? WEFT_TPT_TYPE_MR : (uint8_t)tb_range(1, 2);
	if (is_window(e) && tb_chance(60))
		e->state = WEFT_TPT_STATE_INVALID;
	e->access = (uint8_t)tb_rand() | (uint8_t)tb_rand() | (uint8_t)tb_rand();
	e->log2 = tb_chance(70) ? 12 : tb_chance(90) ? (uint8_t)tb_range(12, 30) : (uint8_t)tb_range(0, 40);
	e->direct = tb_chance(15);
	e->pd = tb_below(3) ? tb_below(2) : tb_below(2) ? (uint32_t)tb_rand() & 0xffffff : tb_below(4);
	e->qpn = tb_chance(20) ? 0 : tb_below(2) ? (uint32_t)tb_rand() & 0xffffff : tb_below(64);
	switch (tb_below(10)) {
	case 0: e->count = tb_range(PAGES, 1 << 16); break;
	case 1: e->count = (1u << 17) - tb_below(2); break;
	case 2: e->count = tb_range(1 << 17, 1 << 24); break;
	case 3: e->count = 0u - tb_range(1, 64); break;
	default: e->count = tb_range(1, PAGES);
	}
	e->fbo = tb_chance(50) ? 0 : tb_below(e->log2 < 12 || e->log2 > 30 ? 4096 : 1u << e->log2);
	room = (unsigned __int128)e->count << (e->log2 > 40 ? 12 : e->log2);
	e->length = (uint64_t)room > e->fbo ? (uint64_t)room - e->fbo : 1;
	if (tb_chance(40))
		e->length -= tb_below(e->length > 4096 ? 4096 : (uint32_t)e->length);
	if (tb_chance(10))
		e->length += 8192; /* longer than its page list */
	e->base = tb_chance(30) ? 0 : tb_rand() >> tb_below(40);
	if (tb_chance(10))
		e->base = 0 - e->length; /* up to the end of the address space */
	else if (e->base > ~e->length)
		e->base = ~e->length >> tb_below(40);
	e->pbl = e->direct ? tb_rand() & ~0xfffull : AREA + slot * STRIDE;
	e->bad = tb_chance(20) ? (uint8_t)(1u << tb_below(8)) : 0;
	e->salt = tb_rand();
	e->own.salt = e->salt;
	if (plain)
		e->qpn = 1;
	if (perf || plain) {
		e->state = WEFT_TPT_STATE_VALID;
		e->kind = WEFT_TPT_TYPE_MR;
		e->direct = false;
		e->log2 = 12;
		e->access = 0xff;
		e->bad = 0;
		e->fbo = 0;
		e->base = 0;
		e->count = PAGES;
		e->length = PAGES * 4096;
		e->pbl = AREA + slot * STRIDE;
	}
	e->own.bad = e->bad;
	e->own.log2 = e->log2;
}

static bool last_refused; /* the last commit */

/* A new entry for a slot that nobody uses at the moment. */
static void set_entry(unsigned slot)
{
	struct entry *e = &table[slot];
	struct entry was = *e;
	uint8_t bytes[64];

	draw_entry(e, slot);
	entry_bytes(e, bytes);
	/* of the card alone */
	tb_bits_set(bytes, WEFT_TPT_PARENT_OFF * 8, 24, tb_rand() & 0xffffff);
	tb_bits_set(bytes, WEFT_TPT_WINDOWS_OFF * 8, 16, tb_rand() & 0xffff);
	tb_bits_set(bytes, WEFT_TPT_REFUSED_OFF * 8, 1, tb_rand() & 1);
	tb_cfg_ctx(WEFT_ROOM_TPT, slot, bytes);
	commits++;
	last_refused = was.windows;
	if (was.windows) {
		*e = was;
		refused++;
		return;
	}
	freed += is_bound(&was);
	unbind(&was);
	e->parent = 0;
	e->gen++;
}

/* What is taken later than in its cycle finds what became of the entry. */
static void op_takes_effect(void)
{
	struct entry *e = &table[op.slot];

	if (!op.over || tb_cycle() <= op.at)
		return;
	if (!op.err) {
		if (op.op == BIND) {
			struct entry *r = &table[op.lkey >> 8 & (SLOTS - 1)];

			if (op.bytes)
				*(is_bound(e) ? &rebound : &bound[e->kind == WEFT_TPT_TYPE_MW_1]) += 1;
			else
				unbound += is_bound(e);
			unbind(e);
			e->state = WEFT_TPT_STATE_INVALID;
			if (op.bytes) {
				e->stag = op.stag;
				e->state = WEFT_TPT_STATE_VALID;
				e->access = op.access & (1 << WEFT_ACCESS_REMOTE_WRITE | 1 << WEFT_ACCESS_REMOTE_READ | 1 << WEFT_ACCESS_REMOTE_INV |
							 1 << WEFT_ACCESS_REMOTE_ATOMIC);
				e->qpn = e->kind == WEFT_TPT_TYPE_MW ? op.qpn : 0;
				e->base = op.to;
				e->length = op.bytes;
				e->fbo = r->fbo + (op.addr - r->base);
				e->log2 = r->log2;
				e->direct = r->direct;
				e->pbl = r->pbl;
				e->count = r->count;
				e->salt = r->salt;
				e->bad = r->bad;
				e->parent = r->stag >> 8;
				r->windows++;
			}
		} else if (op.op == REM_INV || (op.op == INV_END && e->state == WEFT_TPT_STATE_CLOSED && op.stag && e->stag == op.stag)) {
			ended += is_bound(e);
			unbind(e);
			e->state = WEFT_TPT_STATE_INVALID;
		}
		else if (op.op == INV && e->state == WEFT_TPT_STATE_VALID)
			e->state = WEFT_TPT_STATE_CLOSED, n_closed++;
		if (op.op == REG) {
			unsigned busy = e->busy, gen = e->gen;

			*e = op_entry_new;
			e->busy = busy;
			e->gen = (uint8_t)gen;
			n_reg++;
		}
		op_flushed += e->gen == 0xff;
		e->gen++;
	}
	op.busy = op.over = false;
}

/* Of a window's entry, then of the region that it is to be bound to. */
static int bind_verdict(const struct entry *e)
{
	const struct entry *r = &table[op.lkey >> 8 & (SLOTS - 1)];
	const unsigned writes = 1 << WEFT_ACCESS_REMOTE_WRITE | 1 << WEFT_ACCESS_REMOTE_ATOMIC;

	if (!op.stag || e->stag >> 8 != op.stag >> 8 || !is_window(e) || e->state == WEFT_TPT_STATE_FREE || e->pd != op.pd)
		return E_INV;
	if (e->kind == WEFT_TPT_TYPE_MW && (!op.bytes || e->state == WEFT_TPT_STATE_VALID || (e->state == WEFT_TPT_STATE_CLOSED && e->qpn != op.qpn)))
		return E_INV;
	if (!op.bytes)
		return OK;
	if (!op.lkey || r->stag != op.lkey || r->kind != WEFT_TPT_TYPE_MR || r->state != WEFT_TPT_STATE_VALID)
		return E_STAG;
	if (r->pd != op.pd || (r->qpn && r->qpn != op.qpn))
		return E_PD;
	if (!(r->access >> WEFT_ACCESS_MW_BIND & 1) || (op.access & writes && !(r->access >> WEFT_ACCESS_LOCAL_WRITE & 1)) ||
	    (op.access >> WEFT_ACCESS_REMOTE_READ & 1 && !(r->access >> WEFT_ACCESS_LOCAL_READ & 1)))
		return E_ACCESS;
	if (op.addr < r->base || (unsigned __int128)op.addr + op.bytes > (unsigned __int128)r->base + r->length)
		return E_BOUNDS;
	return r->base ? OK : E_INV;
}

static int op_verdict(void)
{
	const struct entry *e = &table[op.slot];
	bool remote = op.op == REM_INV, window = e->kind == WEFT_TPT_TYPE_MW;

	if (op.op == INV_END)
		return OK;
	if (op.op == BIND)
		return bind_verdict(e);
	if (op.op > REG || !op.stag)
		return E_INV;
	if (op.op == REG) {
		const struct entry *n = &op_entry_new;

		if (e->stag >> 8 != op.stag >> 8 || e->kind || e->state == WEFT_TPT_STATE_FREE)
			return E_STAG;
		if (e->pd != op.pd)
			return E_PD;
		if (e->state == WEFT_TPT_STATE_VALID)
			return E_INV;
		return n->log2 < 12 || n->log2 > 30 || n->fbo >> n->log2 || n->pbl & 63 ? E_BOUNDS : OK;
	}
	if (e->stag != op.stag || e->kind > WEFT_TPT_TYPE_MW_1 || !(remote ? e->state == WEFT_TPT_STATE_VALID : e->state != WEFT_TPT_STATE_FREE))
		return E_STAG;
	if (!window && e->pd != op.pd)
		return E_PD;
	if ((window || (remote && e->kind == WEFT_TPT_TYPE_MR && e->qpn)) && e->qpn != op.qpn)
		return E_PD;
	if (remote && !(e->access >> WEFT_ACCESS_REMOTE_INV & 1))
		return E_ACCESS;
	if (e->kind == WEFT_TPT_TYPE_MW_1 || e->windows)
		return E_INV;
	return !window && !e->qpn && e->state == WEFT_TPT_STATE_VALID ? E_INV : OK;
}

static void op_answer(int port, const uint8_t *bits, void *arg)
{
	unsigned err = (unsigned)tb_bits_get(bits, 0, 4), seq = (unsigned)tb_bits_get(bits, 4, 16);

	tb_check(op.busy && !op.over, "an answer that no operation waits for");
	op.err = op_verdict();
	tb_check(err == (unsigned)op.err, "operation %u on slot %u: %u, not %d", op.op, op.slot, err, op.err);
	*(op.op == BIND ? &bind_by_err[op.err] : &op_by_err[op.err]) += 1;
	op_raced += table[op.slot].busy != 0;
	op.over = true;
	op.at = tb_cycle();
	if (!op.err && op.op != INV && op.op != REG && (op.op != BIND || table[op.slot].state == WEFT_TPT_STATE_VALID)) {
		op_at[++n_op_good % MANY] = tb_cycle();
		tb_check(seq == (n_op_good & 0xffff), "closing %u of an operation, told %u", n_op_good, seq);
	}
}

static void op_push(unsigned slot, unsigned kind, uint32_t stag, uint32_t pd, uint32_t qpn)
{
	struct tb_pack p;

	op.busy = true;
	op.slot = slot;
	op.op = kind;
	op.stag = stag;
	op.pd = pd;
	op.qpn = qpn;
	uint8_t bytes[64] = { 0 };

	if (kind == REG) {
		/* whatever its entry has that is not for it to say */
		struct entry n = op_entry_new;

		n.stag ^= tb_rand();
		n.state = (uint8_t)tb_below(4);
		n.kind = (uint8_t)tb_below(4);
		n.direct = tb_below(2);
		n.pd = tb_rand() & 0xffffff;
		n.qpn = tb_rand() & 0xffffff;
		entry_bytes(&n, bytes);
	}
	if (kind == BIND) {
		for (unsigned i = 0; i < 64; i++)
			bytes[i] = (uint8_t)tb_rand();
		tb_bits_set(bytes, WEFT_TPT_ACCESS_OFF * 8, 8, op.access);
		tb_bits_set(bytes, WEFT_TPT_BASE_OFF * 8, 64, op.to);
		tb_bits_set(bytes, WEFT_TPT_LENGTH_OFF * 8, 64, op.bytes);
		tb_bits_set(bytes, WEFT_TPT_PBL_OFF * 8, 64, op.addr);
		tb_bits_set(bytes, WEFT_TPT_PBL_COUNT_OFF * 8, 32, op.lkey);
	}
	tb_pack_begin(&p, 595);
	tb_put(&p, 24, qpn);
	tb_put(&p, 3, kind);
	tb_put(&p, 32, stag);
	tb_put(&p, 24, pd);
	for (int i = 63; i >= 0; i--)
		tb_put(&p, 8, bytes[i]);
	tb_item_push(OP, p.bits, 75);
	n_ops++;
}

/* A region with a page list of this slot, by another key. */
static void registration(unsigned slot, uint32_t stag, uint32_t qpn)
{
	struct entry *n = &op_entry_new;

	draw_entry(n, slot);
	n->stag = (stag & ~0xffu) | tb_below(256);
	n->state = WEFT_TPT_STATE_VALID;
	n->kind = WEFT_TPT_TYPE_MR;
	n->direct = false;
	n->pd = table[slot].pd;
	n->qpn = qpn;
	n->pbl = AREA + slot * STRIDE;
	/* of the memory behind the list nothing changes */
	n->log2 = table[slot].log2;
	n->fbo = tb_chance(50) ? 0 : tb_below(4096);
	n->salt = table[slot].salt;
	n->bad = table[slot].bad;
	n->own = table[slot].own;
	if (tb_chance(10))
		n->pbl += 8;
	else if (tb_chance(5) && n->log2 >= 12 && n->log2 <= 30)
		n->fbo = 1u << n->log2;
}

/* Of a window and a region of its domain where there are such; wrong in one way now and then. */
static void op_bind(void)
{
	unsigned w = tb_below(SLOTS), m = tb_below(SLOTS);
	uint32_t stag, pd, qpn;
	struct entry *e, *r;

	for (unsigned i = 0; i < 60 && (!is_window(&table[w]) || table[w].state == WEFT_TPT_STATE_FREE || (table[w].kind == WEFT_TPT_TYPE_MW && table[w].state == WEFT_TPT_STATE_VALID)); i++)
		w = tb_below(SLOTS);
	e = &table[w];
	for (unsigned i = 0; i < 60; i++, m = tb_below(SLOTS)) {
		r = &table[m];
		if (r->kind == WEFT_TPT_TYPE_MR && r->state == WEFT_TPT_STATE_VALID && r->pd == e->pd && r->base && r->access >> WEFT_ACCESS_MW_BIND & 1)
			break;
	}
	if (is_bound(e) && tb_chance(25))
		m = e->parent & (SLOTS - 1);
	r = &table[m];
	stag = (e->stag & ~0xffu) | tb_below(256);
	pd = e->pd;
	qpn = e->state == WEFT_TPT_STATE_CLOSED ? e->qpn : r->qpn ? r->qpn : tb_below(64);
	op.lkey = r->stag;
	op.access = (uint8_t)tb_rand();
	if (!(r->access >> WEFT_ACCESS_LOCAL_WRITE & 1) && tb_chance(80))
		op.access &= (uint8_t)~(1 << WEFT_ACCESS_REMOTE_WRITE | 1 << WEFT_ACCESS_REMOTE_ATOMIC);
	if (!(r->access >> WEFT_ACCESS_LOCAL_READ & 1) && tb_chance(80))
		op.access &= (uint8_t)~(1 << WEFT_ACCESS_REMOTE_READ);
	op.bytes = tb_chance(40) ? r->length : tb_rand() % (r->length ? r->length : 1) + 1;
	op.addr = r->base + (tb_chance(50) ? r->length - op.bytes : tb_rand() % (r->length - op.bytes + 1));
	op.to = tb_chance(30) ? 0 : tb_chance(60) ? op.addr : tb_rand() >> 1;
	if (tb_chance(12) && e->kind == WEFT_TPT_TYPE_MW_1)
		op.bytes = 0;
	switch (tb_below(30)) {
	case 0: stag ^= 1u << tb_range(14, 31); break;
	case 1: stag = 0, w = 0; break;
	case 2: op.lkey ^= 1u << tb_below(32); break;
	case 3: op.lkey = 0; break;
	case 4: pd ^= 1u << tb_below(24); break;
	case 5: qpn ^= 1u << tb_below(24); break;
	case 6: op.addr = r->base - 1; break;
	case 7: op.addr++; break;
	case 8: op.bytes = r->length + 1; break;
	case 9: op.bytes = 0 - (uint64_t)tb_below(1000); break;
	case 10: op.lkey = table[tb_below(SLOTS)].stag; break;
	case 11: w = tb_below(SLOTS), stag = table[w].stag; break;
	default: break;
	}
	op_push(w, BIND, stag, pd, qpn);
}

/* A slot of those that are so; SLOTS: none was met. */
static unsigned some(bool (*is)(const struct entry *e))
{
	for (unsigned i = 0; i < 100; i++) {
		unsigned s = tb_below(SLOTS);

		if (is(&table[s]))
			return s;
	}
	return SLOTS;
}
static bool has_windows(const struct entry *e) { return e->windows; }
static bool is_bound_2(const struct entry *e) { return is_bound(e) && e->kind == WEFT_TPT_TYPE_MW; }

/* On an entry, mostly right, else wrong in one way. */
static void op_entry(unsigned slot)
{
	unsigned of = tb_chance(15) ? some(is_bound_2) : SLOTS;

	if (of < SLOTS)
		slot = of;

	const struct entry *e = &table[slot];
	uint32_t stag = e->stag, pd = e->pd, qpn = e->qpn;
	unsigned kind = e->state == WEFT_TPT_STATE_CLOSED && tb_chance(50) ? INV_END : e->state != WEFT_TPT_STATE_VALID && tb_chance(60) ? REG : tb_below(3);

	if (of == SLOTS && tb_chance(40)) {
		op_bind();
		return;
	}
	switch (tb_below(20)) {
	case 0: stag ^= 1u << tb_below(8); break;
	case 1: stag ^= 1u << tb_range(14, 31); break;
	case 2: pd ^= 1u << tb_below(24); break;
	case 3: qpn ^= 1u << tb_below(24); break;
	case 4: stag = 0, slot = 0; break;
	case 5: kind = tb_range(4, 7); break;
	case 6: kind = INV_END; break;
	default: break;
	}
	if (kind == REG) {
		registration(slot, stag, qpn);
		stag = stag ? op_entry_new.stag : 0;
	}
	op_push(slot, kind, stag, pd, qpn);
}

static void taken(int port, const uint8_t *bits, void *arg)
{
	int q = port - TAKE;

	op_takes_effect();
	model(q, &asks[q][n_taken[q] % MANY]);
	acc[q][n_taken[q]++ % MANY] = (struct access){ tb_cycle(), false };
}

static void all_left(unsigned n, uint64_t at, const char *what)
{
	for (int q = 0; q < 2; q++) {
		while (first_in[q] < n_taken[q] && acc[q][first_in[q] % MANY].left)
			first_in[q]++;
		tb_check(first_in[q] == n_taken[q] || acc[q][first_in[q] % MANY].taken > at, "%s %u is answered, and access %u of port %d is inside", what,
			 n, first_in[q], q);
	}
}

static void gone(int port, const uint8_t *bits, void *arg) { gone_at[++n_gone % MANY] = tb_cycle(); }

static void drained(int port, const uint8_t *bits, void *arg)
{
	unsigned seq = (unsigned)tb_bits_get(bits, 0, 16), n = (seq - n_drained) & 0xffff;

	tb_check(n && n_drained + n <= n_gone, "drained up to %u, closed %u, told %u", seq, n_gone, n_drained);
	merged += n > 1;
	n_drained += n;
	all_left(n_drained, gone_at[n_drained % MANY], "closing");
}

/* The last piece is taken: the access goes on for a while. */
static void stay(int q, unsigned epoch)
{
	struct stay s = { tb_cycle() + (perf || tb_chance(40) ? 0 : tb_chance(95) ? tb_below(300) : tb_below(3000)), (unsigned)q, n_done[q]++, epoch };

	if (n_stays < MANY)
		stays[n_stays++] = s;
}

static void leave(void)
{
	static unsigned turn;
	uint16_t bits = 0;
	unsigned n = 0;

	if (tb_pending(LEAVE))
		return;
	for (unsigned i = 0; i < n_stays && n < 3;) {
		if (stays[i].until > tb_cycle()) {
			i++;
			continue;
		}
		unsigned lane = (turn + n++) % 3;
		bits |= (uint16_t)(1u << (6 + lane) | stays[i].epoch << (2 * lane));
		acc[stays[i].port][stays[i].n % MANY].left = true;
		stays[i] = stays[--n_stays];
	}
	turn++;
	if (n)
		tb_item_push(LEAVE, &bits, 2);
}

static struct piece *expect(int port, uint64_t addr, uint64_t len, int err, bool last, unsigned slot)
{
	struct piece *p = calloc(1, sizeof(*p));

	if (!p)
		exit(2);
	*p = (struct piece){ NULL, err ? 0 : addr, err ? 0 : (uint16_t)len, (uint8_t)err, last || err, slot, SLOTS, false, { 0 } };
	/* what is read of its page list is the region's */
	if (p->last && is_bound(&table[slot])) {
		p->lender = table[slot].parent & (SLOTS - 1);
		table[p->lender].busy++;
		by_window[!err]++;
	}
	*tail[port] = p;
	tail[port] = &p->next;
	return p;
}

/* One access: the checks in the order of xl_err_e, then the pages. */
static void model(int port, const struct ask *a)
{
	uint32_t stag = a->stag, len = a->len, pd = a->pd, qpn = a->qpn;
	uint64_t to = a->to;
	uint8_t access = a->access;
	bool priv = a->priv;
	unsigned slot = stag >> 8 & (SLOTS - 1);
	struct entry *e = &table[slot];
	unsigned __int128 end = (unsigned __int128)to + len, pos;
	int err = OK;

	if (stag == 0 && priv) {
		err = end >> 64 && (uint64_t)end ? E_WRAP : OK;
		expect(port, to, len, err, true, slot);
		by_err[err]++;
		return;
	}
	if (stag && e->stag == stag && e->state == WEFT_TPT_STATE_CLOSED)
		*(a->recovery ? &n_served : &n_shut) += 1;
	if (stag == 0 || e->stag != stag || !(e->state == WEFT_TPT_STATE_VALID || (e->state == WEFT_TPT_STATE_CLOSED && a->recovery)) || e->kind > WEFT_TPT_TYPE_MW_1)
		err = E_STAG;
	else if (e->kind == WEFT_TPT_TYPE_MW ? e->qpn != qpn : e->pd != pd)
		err = E_PD;
	else if (access & ~e->access)
		err = E_ACCESS;
	else if (end >> 64 && (uint64_t)end)
		err = E_WRAP;
	else if (to < e->base || end - e->base > e->length)
		err = E_BOUNDS;
	else if (!e->direct && (e->log2 < 12 || e->log2 > 30))
		err = E_BUS;
	by_err[err]++;
	if (err) {
		expect(port, 0, 0, err, true, slot);
		return;
	}
	pos = (unsigned __int128)(to - e->base) + e->fbo;
	if (e->direct) {
		expect(port, e->pbl + (uint64_t)pos, len, OK, true, slot);
		return;
	}
	uint64_t lists = (e->pbl - AREA) / 64, line[2] = { lists + (uint64_t)(pos >> e->log2) / 8, lists + (uint64_t)((pos + len - 1) >> e->log2) / 8 };

	while (len) {
		struct piece *p;
		unsigned __int128 page = pos >> e->log2;
		uint64_t off = (uint64_t)pos & ((1ull << e->log2) - 1), n = (1ull << e->log2) - off;

		if (n > len)
			n = len;
		if (page >= e->count || e->bad >> (page / 8 % 8) & 1) {
			by_err[E_BUS]++;
			p = expect(port, 0, 0, E_BUS, true, slot);
			p->paged = true;
			memcpy(p->line, line, sizeof(line));
			return;
		}
		far[0] += page >= 1u << 16;
		far[1] += page >= 1u << 24;
		far[2] += page >= (1ull << 32) - 64;
		p = expect(port, page_of(e, (uint64_t)page) + off, n, OK, n == len, slot);
		p->paged = true;
		memcpy(p->line, line, sizeof(line));
		pos += n;
		len -= (uint32_t)n;
	}
}

/* Is this line of a page list of an access of this port that is under way? The list may be somebody else's memory as soon as a drain is answered. */
static bool is_used(int q, uint64_t line)
{
	for (const struct piece *p = head[q]; p; p = p->next)
		if (p->paged && line >= p->line[0] && line <= p->line[1])
			return true;
	return false;
}

static void piece(int port, const uint8_t *bits, void *arg)
{
	int q = port - RSP;
	struct piece *p = head[q];
	struct tb_pack u;
	uint64_t addr, len, last, err;

	tb_unpack_begin(&u, bits, 87);
	unsigned epoch = (unsigned)tb_get(&u, 2);
	addr = tb_get(&u, 64);
	len = tb_get(&u, 16);
	last = tb_get(&u, 1);
	err = tb_get(&u, 4);
	if (!p) {
		tb_fail("port %d: a piece that nobody waits for", q);
		return;
	}
	tb_check(addr == p->addr && len == p->len && last == p->last && err == p->err,
		 "port %d slot %u: %#llx+%llu last %d err %d, not %#llx+%u last %d err %d", q, p->slot, (unsigned long long)addr,
		 (unsigned long long)len, (int)last, (int)err, (unsigned long long)p->addr, p->len, p->last, p->err);
	if (p->last) {
		answered++;
		stay(q, epoch);
		table[p->slot].busy--;
		if (p->lender < SLOTS)
			table[p->lender].busy--;
	}
	head[q] = p->next;
	if (!p->next)
		tail[q] = &head[q];
	for (unsigned i = rd_tail[q]; i != rd_head[q] && p->last && p->paged; i++) {
		uint64_t line = (reads[q][i % 4096].addr - AREA) / 64;

		if (line >= p->line[0] && line <= p->line[1])
			tb_check(is_used(q, line), "slot %u: its access is answered, and %#llx of its page list is still read", p->slot,
				 (unsigned long long)reads[q][i % 4096].addr);
	}
	free(p);
}

static void dma_req(int port, const uint8_t *bits, void *arg)
{
	int q = port - DMA_REQ;
	struct tb_pack u;
	uint64_t len, addr;

	tb_unpack_begin(&u, bits, 81);
	tb_get(&u, 1);
	len = tb_get(&u, 16);
	addr = tb_get(&u, 64);
	tb_check(len == 64 && addr % 64 == 0 && addr >= AREA && addr < AREA + SLOTS * STRIDE, "page list read of %llu at %#llx",
		 (unsigned long long)len, (unsigned long long)addr);
	tb_check(is_used(q, (addr - AREA) / 64), "page list read at %#llx, and its accesses are answered", (unsigned long long)addr);
	reads[q][rd_head[q]++ % 4096] = (struct read){ tb_cycle() + (perf ? HOST_LATENCY : tb_below(400)), addr };
	if (rd_head[q] - rd_tail[q] > max_in_flight)
		max_in_flight = rd_head[q] - rd_tail[q];
}

static void dma_answer(int q)
{
	struct read *r = &reads[q][rd_tail[q] % 4096];
	struct entry e;
	uint32_t line;
	uint64_t words[8];
	bool bad;

	if (rd_head[q] == rd_tail[q] || r->due > tb_cycle())
		return;
	rd_tail[q]++;
	e = table[(r->addr - AREA) / STRIDE % SLOTS];
	e.salt = e.own.salt;
	e.log2 = e.own.log2;
	line = (uint32_t)((r->addr - AREA) % STRIDE / 64);
	bad = e.own.bad >> line % 8 & 1;
	for (unsigned i = 0; i < 8; i++)
		words[i] = bad ? tb_rand() : page_of(&e, line * 8ull + i);
	tb_packet_push(DMA_RSP + q, words, bad ? tb_below(65) : 64, NULL, 0, bad);
}

static void state(int port, const uint8_t *bits, void *arg)
{
	unsigned s = (unsigned)tb_bits_get(bits, 0, 7), done = (unsigned)tb_bits_get(bits, 7, 16), n = (done - n_op_done) & 0xffff;

	if (n) {
		tb_check(n_op_done + n <= n_op_good, "operations done up to %u of %u", done, n_op_good);
		n_op_done += n;
		all_left(n_op_done, op_at[n_op_done % MANY], "operation");
	}
	hits += (s >> 1 & 1) + (s >> 2 & 1);
	misses += (s >> 3 & 1) + (s >> 4 & 1);
	errs += (s >> 5 & 1) + (s >> 6 & 1);
	if (s & 1) {
		idle_seen++;
		tb_check(tb_pending(REQ) || tb_pending(REQ + 1) || (!head[0] && !head[1]), "idle while answers are missing");
	}
}

static uint8_t read_back[64];
static void read_word(uint32_t v, bool err, void *arg)
{
	uint32_t want, w = (uint32_t)(uintptr_t)arg;

	memcpy(&want, read_back + 4 * w, 4);
	fetches++;
	tb_check(!err && v == want, "entry word %u reads %#x, not %#x", w, v, want);
}

static void push_access(int port, uint32_t stag, uint64_t to, uint32_t len, uint8_t access, uint32_t pd, uint32_t qpn, bool priv)
{
	struct tb_pack p;
	bool recovery = tb_chance(40);

	tb_pack_begin(&p, 162);
	tb_put(&p, 32, stag);
	tb_put(&p, 64, to);
	tb_put(&p, 16, len);
	tb_put(&p, 8, access);
	tb_put(&p, 24, pd);
	tb_put(&p, 16, qpn);
	tb_put(&p, 1, priv);
	tb_put(&p, 1, recovery);
	tb_item_push(REQ + port, p.bits, 21);
	asks[port][n_asked[port]++ % MANY] = (struct ask){ stag, len, pd, qpn, to, access, priv, recovery };
	table[stag >> 8 & (SLOTS - 1)].busy++;
	accesses++;
}

static void access_entry(int port, unsigned slot)
{
	struct entry *e = &table[slot];
	uint32_t stag = e->stag, pd = e->pd, qpn = e->qpn & 0xffff, len = tb_chance(50) ? tb_range(1, 16384) : tb_range(1, 64);
	uint64_t to, span = e->length ? e->length : 1;
	uint8_t access = e->access & (uint8_t)tb_rand();
	bool priv = tb_chance(20);

	if (len > span)
		len = (uint32_t)span;
	to = e->base + (tb_chance(20) ? span - len : tb_rand() % (span - len + 1));
	switch (tb_below(24)) { /* wrong in one way; some of these are right for some entries */
	case 0: stag ^= 1u << tb_below(8); break;
	case 1: stag ^= 1u << tb_range(14, 31); break;
	case 2: pd ^= 1u << tb_below(24); break;
	case 3: qpn ^= 1u << tb_below(16); break;
	case 4: access |= (uint8_t)(1u << tb_below(8)); break;
	case 5: to = e->base + span - len + 1; break;
	case 6: to = e->base - 1; break;
	case 7: to = tb_chance(50) ? 0 - (uint64_t)tb_range(0, len) : tb_rand(); break;
	case 8: stag = 0; break;
	case 9: to += (uint64_t)1 << tb_range(32, 63); break;
	default: break;
	}
	push_access(port, stag, to, len, access, pd, qpn, priv);
}

void tb_setup(void)
{
	slow = tb_opt("slow", 0);
	perf = tb_opt("seed", 1) == 1 && !slow;
	for (int q = 0; q < 2; q++) {
		tail[q] = &head[q];
		tb_on_item(RSP + q, piece, NULL);
		tb_on_item(DMA_REQ + q, dma_req, NULL);
	}
	tb_on_item(STATE, state, NULL);
	for (int q = 0; q < 2; q++)
		tb_on_item(TAKE + q, taken, NULL);
	tb_on_item(GONE, gone, NULL);
	tb_on_item(DRAIN, drained, NULL);
	tb_on_item(OP_ANSWER, op_answer, NULL);
	for (unsigned s = 0; s < SLOTS; s++)
		set_entry(s);
}

/* Phase 0: each page list line is cold; 1: one line, warm. 64-byte accesses from both ports. */
static bool perf_step(void)
{
	enum { N = 2000 };

	if (tb_cfg_pending())
		return false;
	if (accesses == phase * 2 * N && accesses == answered) {
		if (phase)
			tb_note("%s pages: %.3f accesses a cycle on each port", phase == 1 ? "cold" : "warm",
				(double)N / (double)(tb_cycle() - phase_start));
		if (phase) {
			double rate = (double)N / (double)(tb_cycle() - phase_start);

			tb_check(rate > (phase == 1 ? (TB_DATA_W == 512 ? 0.24 : TB_DATA_W == 128 ? 0.15 : 0.09) : 0.3), "too slow: %.3f", rate);
		}
		if (phase == 2)
			return true;
		phase++;
		phase_start = tb_cycle();
		for (unsigned i = 0; i < N; i++)
			for (int q = 0; q < 2; q++) {
				unsigned s = phase == 1 ? i % SLOTS : 5;
				uint64_t to = phase == 1 ? (i / SLOTS * 8 % PAGES) * 4096ull : 4096;

				push_access(q, table[s].stag, to, 64, 1, table[s].pd, 0, false);
			}
	}
	for (int q = 0; q < 2; q++)
		dma_answer(q);
	return false;
}

/*
 * A line cached 256 writes of its entry ago must not come back when the generation does: be it that a commit takes the entry to
 * generation 0 again, or an operation.
 */
static bool wrap_step(void)
{
	static int stage;
	static unsigned left, s;

	for (int q = 0; q < 2; q++)
		dma_answer(q);
	if (tb_cfg_pending() || answered != accesses || op.busy)
		return false;
	if (!plain)
		while (table[++s].windows) /* it is to be written */
			;
	plain = true;
	switch (stage) {
	case 0: case 5:
		set_entry(s);
		break;
	case 1: case 3: case 6: case 9:
		for (int q = 0; q < 2; q++)
			push_access(q, table[s].stag, 4096, 64, 1, table[s].pd, 0, false);
		break;
	case 2:
		for (int n = 256; n; n--)
			set_entry(s);
		break;
	case 4: /* until a write of the entry makes its generation 0 */
	case 7:
		if (stage == 7 && !left)
			left = 256;
		if (stage == 4 ? table[s].gen != 0x55 : left > 1) {
			left -= stage == 7;
			if (table[s].gen == 0xff)
				op_push(s, REM_INV, table[s].stag, table[s].pd, 1);
			else
				set_entry(s);
			return false;
		}
		break;
	case 8:
		set_entry(s);
		break;
	default:
		return true;
	}
	stage++;
	return false;
}

static bool step(void)
{
	if (perf)
		return perf_step();
	if (!plain)
		for (int q = 0; q < 2; q++)
			dma_answer(q);
	if (tb_cycle() % 512 == 0)
		for (int q = 0; q < 2; q++) {
			tb_src_rate(REQ + q, tb_chance(40) ? 100 : tb_range(5, 95));
			tb_src_rate(DMA_RSP + q, tb_chance(40) ? 100 : tb_range(10, 95));
			tb_snk_rate(RSP + q, tb_chance(40) ? 100 : tb_range(5, 95));
			tb_snk_rate(DMA_REQ + q, tb_chance(40) ? 100 : tb_range(5, 95));
		}
	if (tb_cfg_pending() == 0 && tb_cycle() > 1500 && accesses < 20000 && !plain) {
		unsigned s = tb_below(SLOTS);

		if (tb_chance(9)) {
			/* slot 7 often enough for its generation to come round */
			if (tb_chance(60))
				s = 7;
			else if (tb_chance(20) && some(has_windows) < SLOTS)
				s = some(has_windows) & (SLOTS - 1);
			if (!table[s].busy && !op_touches(s) && !(is_bound(&table[s]) && op_touches(table[s].parent & (SLOTS - 1)))) {
				set_entry(s);
				return false;
			}
		} else if (tb_below(200) == 0 && !op_touches(s)) {
			entry_bytes(&table[s], read_back);
			tb_bits_set(read_back, WEFT_TPT_REFUSED_OFF * 8, 1, last_refused);
			for (unsigned w = 0; w < 16; w++)
				tb_cfg_read(WEFT_ROOM_TPT << 22 | s << 6 | w << 2, read_word, (void *)(uintptr_t)w);
			return false;
		}
		if (!op.busy && tb_chance(25))
			op_entry(tb_chance(60) ? 7 : tb_chance(50) ? tb_below(4) : tb_below(SLOTS));
		for (int q = 0; q < 2; q++)
			if (tb_pending(REQ + q) < 4)
				access_entry(q, tb_chance(50) ? tb_below(4) : tb_below(SLOTS));
	}
	return accesses >= 20000 && wrap_step();
}

bool tb_step(void)
{
	static bool over;
	static uint64_t since;

	leave();
	op_takes_effect();
	if (tb_cycle() % 512 == 0)
		tb_snk_rate(DRAIN, tb_chance(40) ? 100 : tb_range(1, 95));
	if (!over && (over = step()))
		since = tb_cycle();
	return over && !op.busy && ((n_drained == n_gone && n_op_done == n_op_good) || tb_cycle() > since + 20000) && !n_stays && tb_cycle() > since + 10;
}

void tb_finish(void)
{
	tb_note("%u entries made unusable, drained %u, %u answers for several", n_gone, n_drained, merged);
	tb_check(n_drained == n_gone && (perf || (n_gone > 50 && merged)), "%u entries made unusable, drained %u", n_gone, n_drained);
	tb_note("%u operations, %u closed, done %u, %u on entries in use; %u emptied the caches", n_ops, n_op_good, n_op_done, op_raced, op_flushed);
	tb_note("%u registered", n_reg);
	tb_note("windows: %u and %u bound, %u bound anew, %u unbound, %u invalidated, %u freed, %u commits refused, %u accesses by them, %u refused", bound[0], bound[1],
		rebound, unbound, ended, freed, refused, by_window[1], by_window[0]);
	tb_check(perf || (bound[0] > 20 && bound[1] > 20 && rebound > 10 && unbound && ended > 2 && freed > 20 && refused > 5 && by_window[1] > 200),
		 "windows: some case did not come");
	for (int e = 0; e < 8 && !perf; e++)
		tb_check(bind_by_err[e] || e == E_WRAP || e == E_BUS, "no bind had the outcome %d", e);
	tb_check(perf || n_reg > 20, "%u registered", n_reg);
	tb_note("%u closed, %u accesses that found them served, %u refused", n_closed, n_served, n_shut);
	tb_check(perf || (n_closed > 50 && n_served > 50 && n_shut > 50), "%u entries closed, %u accesses served, %u refused", n_closed, n_served, n_shut);
	tb_check(n_op_done == n_op_good && (perf || (n_op_good > 100 && op_raced > 50 && op_flushed)), "%u operations closed, done %u, %u raced, %u emptied the caches",
		 n_op_good, n_op_done, op_raced, op_flushed);
	for (int e = 0; e < 8 && !perf; e++)
		tb_check(op_by_err[e] || e == E_WRAP || e == E_BOUNDS || e == E_BUS, "no operation had the outcome %d", e);
	tb_check(answered == accesses, "%u of %u accesses were answered", answered, accesses);
	tb_check(max_in_flight >= 32 || !perf, "only %u page list reads in flight", max_in_flight);
	if (!perf) {
		for (int e = 0; e < 7; e++)
			tb_check(by_err[e] > 10, "error %d came only %u times", e, by_err[e]);
		tb_check(far[0] > 100 && far[1] > 20 && far[2] > 10, "pages past 2^16, 2^24 and near 2^32: %u %u %u", far[0], far[1], far[2]);
		tb_check(commits > 200 && fetches > 100 && hits > 1000 && misses > 500 && idle_seen > 0,
			 "%u commits, %u fetches, %u hits, %u misses, %u idle", commits, fetches, hits, misses, idle_seen);
	}
}
