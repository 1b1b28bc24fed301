// SPDX-License-Identifier: BSD-2-Clause
/*
 * Departure of TCP: 24 connections over 16 slots, framed FPDUs of 1 to 9,000 bytes, asks, void FPDUs, ACKs, FIN, RST and probes, under
 * views that move all the time, limits and MSS of any size, a wire that pauses, L2 entries that change, slots that are
 * loaded anew as soon as no pin is out.
 *
 * The model is told in which cycle an FPDU begins and a view, a due ACK or an L2 entry is written, and reads from `departed` when a
 * segment was bound. So it knows which view was in force, and every field of every frame has one right value. Which bytes leave
 * is computed from what was asked for; how they are grouped into segments only where the contract leaves nothing open: FPDUs that join
 * may share a segment, and must where that was promised (`more`). Frames are parsed by what the RFCs say, both checksums included.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"

enum { IN, VIEW, DUE, OPEN, LOAD, CMD, L2E, FRM, DEP, MAX, DROP, BEGIN, VSEEN, DSEEN, ESEEN, CSEEN, STATE, FRAME, END };
enum { ACK, PURE, FIN, RST, PROBE };
#define SLOTS 16
#define CONNS 24
#define NL2 8
#define MSS_MAX 8960
#define TS_SHIFT 6
#define B (TB_DATA_W / 8)
#define H 32 /* kept of a history */

struct view {
	bool open, ts, ece, cwr;
	uint32_t seq0, rcv_nxt, edge, ts_off, ts_recent;
	unsigned wscale, mss, gen, n_sack;
	uint64_t limit;
	uint32_t sack[3][2];
};
struct l2e { bool valid, vlan; unsigned tci; uint8_t smac[6], dmac[6]; };
struct shape { bool v6, vlan, ts; unsigned ns; };

static struct conn {
	unsigned qpn, fn, port, tos, ttl, flow, sport, dport, l2, gen;
	bool v6, ecn, closes;
	uint8_t saddr[16], daddr[16];
	struct view v; /* what was pushed last */
	uint64_t start, nxt, snd_max, void_at;
	bool broken;
	int slot;
	unsigned steady;
} conn[CONNS];

static struct slot {
	int conn; /* -1: free */
	bool usable;
	int pins;
	struct { uint64_t at; struct view v; } view[H];
	struct { uint64_t at; unsigned l2; } l2[H];
	unsigned nview, nl2;
	bool shut;
	unsigned shut_gen;
	uint64_t shut_off;
	uint64_t left; /* new bytes left up to here */
	struct { uint64_t at; unsigned kind, departed; uint64_t off; } due[H]; /* as seen */
	unsigned ndue;
	uint64_t ans_ack, ans_all, ans_any; /* cycles in which those that were due before were answered */
	uint64_t drained;
} slot[SLOTS];
static struct { struct { uint64_t at; struct l2e e; } h[H]; unsigned n; } l2e[NL2];

/* an FPDU on its way: pushed, begun, planned */
struct fpdu {
	struct fpdu *next;
	int conn, slot;
	uint64_t off, from, to, begun;
	unsigned bytes, ask_id, gen;
	bool joins, psh, again, bad, is_void, more;
	/* the plan */
	uint64_t start;
	unsigned skip, keep, used, mss;
	bool whole, to_end, ask_done, cut;
	struct shape sh;
};
struct list { struct fpdu *head, **tail; };
static struct list pushed, begun, planned;

struct frame { /* that must come */
	struct frame *next;
	struct conn c;
	struct view v;
	struct l2e e;
	struct shape sh;
	unsigned len, flags, n_sack, win;
	uint32_t seq, tsval;
	uint64_t off;
	bool data, again;
	int conn;
};
static struct frame *frames, **frames_tail = &frames;

struct maxw { struct maxw *next; unsigned slot; uint64_t off; };
static struct maxw *maxes, **maxes_tail = &maxes;

static uint64_t now_v, now_p;
static bool is_idle;
static unsigned stats[7], n_frames, n_departed, n_fpdus, n_pure, n_ctl, n_joined, n_cut, n_lost, n_moves, n_seg, n_none, n_closed, n_bad, n_wait, n_unsent, n_behind, n_fin_again, n_wide, n_later, n_earlier, n_short;
static uint64_t payload, frame_at, first_in, last_end, in_fpdus;
static unsigned last_id = 0x10000, verbose;
static unsigned phase, steps, target;
static bool stop_at_begin;
static unsigned calm_seg;
static bool quiet; /* directed: no random views */
static uint64_t dir_bytes;
static unsigned dir_n;

static void put(struct list *l, struct fpdu *f)
{
	f->next = NULL;
	if (!l->head)
		l->tail = &l->head;
	*l->tail = f;
	l->tail = &f->next;
}

static struct fpdu *take(struct list *l)
{
	struct fpdu *f = l->head;

	if (f)
		l->head = f->next;
	return f;
}

static uint8_t pat(unsigned qpn, uint64_t off)
{
	uint64_t x = (off + ((uint64_t)qpn << 40)) * 0x9e3779b97f4a7c15ull;

	return x >> 56;
}

/* ------------------------------------------------------------------ into the unit */
static void push_view(struct conn *c)
{
	struct tb_pack b;
	struct view *v = &c->v;

	tb_pack_begin(&b, 456);
	tb_put(&b, 12, c->slot);
	tb_put(&b, 1, v->open);
	tb_put(&b, 32, v->seq0);
	tb_put(&b, 32, v->rcv_nxt);
	tb_put(&b, 32, v->edge);
	tb_put(&b, 4, v->wscale);
	tb_put(&b, 64, v->limit);
	tb_put(&b, 16, v->mss);
	tb_put(&b, 2, v->gen);
	tb_put(&b, 1, v->ts);
	tb_put(&b, 32, v->ts_off);
	tb_put(&b, 32, v->ts_recent);
	tb_put(&b, 1, v->ece);
	tb_put(&b, 1, v->cwr);
	tb_put(&b, 2, v->n_sack);
	for (int i = 2; i >= 0; i--) {
		tb_put(&b, 32, v->sack[i][0]);
		tb_put(&b, 32, v->sack[i][1]);
	}
	tb_item_push(VIEW, b.bits, 57);
}

static void view_get(const uint8_t *bits, unsigned *s, struct view *v)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 456);
	*s = tb_get(&b, 12);
	v->open = tb_get(&b, 1);
	v->seq0 = tb_get(&b, 32);
	v->rcv_nxt = tb_get(&b, 32);
	v->edge = tb_get(&b, 32);
	v->wscale = tb_get(&b, 4);
	v->limit = tb_get(&b, 64);
	v->mss = tb_get(&b, 16);
	v->gen = tb_get(&b, 2);
	v->ts = tb_get(&b, 1);
	v->ts_off = tb_get(&b, 32);
	v->ts_recent = tb_get(&b, 32);
	v->ece = tb_get(&b, 1);
	v->cwr = tb_get(&b, 1);
	v->n_sack = tb_get(&b, 2);
	for (int i = 2; i >= 0; i--) {
		v->sack[i][0] = tb_get(&b, 32);
		v->sack[i][1] = tb_get(&b, 32);
	}
}

static void push_due(struct conn *c, unsigned kind, uint64_t off)
{
	struct tb_pack b;

	tb_pack_begin(&b, 103);
	tb_put(&b, 24, c->qpn);
	tb_put(&b, 12, c->slot);
	tb_put(&b, 3, kind);
	tb_put(&b, 64, off);
	tb_item_push(DUE, b.bits, 13);
	slot[c->slot].pins++;
}

static void push_l2e(unsigned i, const struct l2e *e)
{
	uint8_t b[18] = { 0 };

	memcpy(b, e->dmac, 6);
	b[6] = e->tci;
	b[7] = e->tci >> 8;
	memcpy(b + 8, e->smac, 6);
	b[14] = 0xdc;
	b[15] = 0x05 | e->vlan << 6 | e->valid << 7;
	b[16] = i;
	tb_item_push(L2E, b, 18);
}

static void rand_l2e(struct l2e *e)
{
	tb_rand_bytes(e->dmac, 6);
	tb_rand_bytes(e->smac, 6);
	e->tci = tb_rand() & 0xffff;
	e->valid = quiet || tb_chance(97);
}

static void push_fpdu(struct conn *c, uint64_t off, unsigned bytes, uint64_t from, uint64_t to, struct fpdu w)
{
	static uint8_t data[65536];
	struct tb_pack b;
	struct fpdu *f = malloc(sizeof(*f));

	*f = w;
	f->conn = c - conn;
	f->slot = c->slot;
	f->off = off;
	f->bytes = bytes;
	f->from = from;
	f->to = to;
	f->gen = c->gen;
	tb_pack_begin(&b, 314);
	tb_put(&b, 1, f->more);
	tb_put(&b, 24, c->qpn);
	tb_put(&b, 12, c->slot);
	tb_put(&b, 2, c->port);
	tb_put(&b, 8, c->fn);
	tb_put(&b, 64, off);
	tb_put(&b, 16, bytes);
	tb_put(&b, 64, from);
	tb_put(&b, 64, to);
	tb_put(&b, 1, f->joins);
	tb_put(&b, 1, f->psh);
	tb_put(&b, 1, f->again);
	tb_put(&b, 4, f->ask_id);
	tb_put(&b, 1, 0);
	tb_put(&b, 1, f->is_void);
	tb_put(&b, 2, f->gen);
	tb_put(&b, 48, tb_rand());
	for (unsigned i = 0; i < bytes && !f->is_void; i++)
		data[i] = pat(c->qpn, off + i);
	tb_packet_push(IN, data, f->is_void ? 0 : bytes, b.bits, 40, f->bad && !f->is_void);
	put(&pushed, f);
	slot[c->slot].pins++;
	n_fpdus++;
}

/* ------------------------------------------------------------------ what was seen */
static void on_view(int port, const uint8_t *bits, void *arg)
{
	unsigned s;
	struct view v;

	view_get(bits, &s, &v);
	struct slot *p = &slot[s];
	p->view[p->nview % H].at = tb_cycle();
	p->view[p->nview++ % H].v = v;
}

/* The view that a read in this cycle gets. */
static const struct view *view_at(unsigned s, uint64_t at)
{
	for (unsigned i = slot[s].nview; i-- && i + H > slot[s].nview;)
		if (slot[s].view[i % H].at < at)
			return &slot[s].view[i % H].v;
	tb_fail("model: no view of slot %u at %llu", s, (unsigned long long)at);
	return &slot[s].view[0].v;
}

static unsigned l2_at(unsigned s, uint64_t at)
{
	for (unsigned i = slot[s].nl2; i-- && i + H > slot[s].nl2;)
		if (slot[s].l2[i % H].at < at)
			return slot[s].l2[i % H].l2;
	tb_fail("model: no L2 index of slot %u", s);
	return 0;
}

static struct l2e l2e_at(unsigned i, uint64_t at)
{
	struct l2e none = { 0 };

	if (i >= NL2) {
		/* the tag that is looked at is that of another entry, which does not matter: nothing leaves */
		none = l2e_at(i % NL2, at);
		none.valid = false;
		return none;
	}
	for (unsigned k = l2e[i].n; k-- && k + H > l2e[i].n;)
		if (l2e[i].h[k % H].at < at)
			return l2e[i].h[k % H].e;
	tb_fail("model: no L2 entry %u", i);
	return none;
}

static void on_l2e(int port, const uint8_t *bits, void *arg)
{
	unsigned i = bits[16];
	struct l2e *e = &l2e[i].h[l2e[i].n % H].e;

	l2e[i].h[l2e[i].n++ % H].at = tb_cycle();
	memcpy(e->dmac, bits, 6);
	memcpy(e->smac, bits + 8, 6);
	e->tci = bits[6] | bits[7] << 8;
	e->vlan = bits[15] >> 6 & 1;
	e->valid = bits[15] >> 7;
}

static void on_cmd(int port, const uint8_t *bits, void *arg)
{
	unsigned arg16 = tb_bits_get(bits, 0, 16), s = tb_bits_get(bits, 16, 12);

	slot[s].l2[slot[s].nl2 % H].at = tb_cycle();
	slot[s].l2[slot[s].nl2++ % H].l2 = arg16;
}

static void on_due(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 103);
	tb_get(&b, 24);
	struct slot *p = &slot[tb_get(&b, 12)];
	unsigned i = p->ndue++ % H;
	p->due[i].at = tb_cycle();
	p->due[i].departed = n_departed;
	p->due[i].kind = tb_get(&b, 3);
	p->due[i].off = tb_get(&b, 64);
	if (verbose)
		tb_note("due of slot %u, kind %u, cycle %llu", (unsigned)(p - slot), p->due[i].kind, (unsigned long long)tb_cycle());
}

static void on_begin(int port, const uint8_t *bits, void *arg)
{
	struct fpdu *f = take(&pushed);

	tb_check(f && f->off == tb_bits_get(bits, 0, 64), "an FPDU begins that was not pushed");
	if (!f)
		return;
	f->begun = tb_cycle();
	put(&begun, f);
	if (stop_at_begin)
		tb_src_rate(IN, 0);
	stop_at_begin = false;
	if (!first_in)
		first_in = tb_cycle();
}

static void on_end(int port, const uint8_t *bits, void *arg)
{
	last_end = tb_cycle();
	in_fpdus++;
}

static unsigned opt_len(unsigned ns) { return ns ? 4 + 8 * ns : 0; }

/* What of an FPDU leaves. */
static void plan(struct fpdu *f)
{
	struct slot *s = &slot[f->slot];
	const struct view *v = view_at(f->slot, f->begun);
	bool behind = false;
	uint64_t lo = f->from > f->off ? f->from : f->off, end = f->off + f->bytes, hi = f->to < end ? f->to : end, want = hi;

	if (lo > end)
		lo = end;
	if (hi < f->off)
		hi = want = f->off;
	if (!v->open || v->gen != f->gen || f->is_void)
		hi = f->off;
	if (!f->again && hi > v->limit)
		hi = v->limit > f->off ? v->limit : f->off;
	if (s->shut && s->shut_gen == f->gen && hi > s->shut_off)
		hi = s->shut_off > f->off ? s->shut_off : f->off;
	if (!f->again && f->off > s->left) { /* what lies in front of it was let go */
		n_behind += hi > lo;
		behind = true;
		hi = f->off;
	}
	f->to_end = hi == end;
	f->cut = hi < want && want > lo && !behind; /* that was said of what lies in front */
	f->start = f->from > f->off ? f->from : f->off;
	/* No segment begins at a multiple of four inside an FPDU: neither this one, nor what goes on behind what ends here. */
	if (hi > lo && (hi - f->off) % 4 == 0 && hi < end) {
		if (f->again && hi < s->left) {
			hi++;
			n_later++;
		} else if ((!f->again || hi > s->left) && hi > lo + 1) {
			s->left = --hi;
			f->cut = true;
			n_earlier++;
		}
	}
	if (hi > lo && (!f->again || hi > s->left))
		s->left = hi;
	if (f->again && f->start > f->off && (f->start - f->off) % 4 == 0 && f->start < end) {
		n_wide += hi > lo;
		f->start--;
		lo--;
	}
	f->skip = lo - f->off;
	f->keep = f->start >= f->off && hi > lo + (f->start < f->from) ? hi - lo : 0;
	f->whole = !f->skip && f->to_end && f->keep == f->bytes;
	f->ask_done = f->again && f->to <= end;
	f->sh.v6 = conn[f->conn].v6;
	f->sh.ts = v->ts;
	f->sh.ns = v->mss < 128 ? 0 : v->n_sack;
	f->sh.vlan = l2e_at(l2_at(f->slot, f->begun), f->begun + 1).vlan;
	f->mss = (v->mss > MSS_MAX ? MSS_MAX : v->mss ? v->mss : 1) - opt_len(f->sh.ns);
	/* what was asked for again may be acknowledged, and then nobody stops for it */
	if (f->bad && !f->again && !(s->shut && s->shut_gen == f->gen && s->shut_off <= f->off)) {
		s->shut = true;
		s->shut_gen = f->gen;
		s->shut_off = f->off;
	}
	put(&planned, f);
}

/* Of a segment that begins with what has not left yet: when it is full, the next one begins at no multiple of four. */
static unsigned room_of(const struct fpdu *f)
{
	unsigned to = f->skip + f->used + f->mss;

	return f->mss - (to % 4 == 0 && to < f->skip + f->keep && f->mss > 1);
}

/* Bytes of the packet lie in beats behind the last one that leaves. */
static bool trails(const struct fpdu *f)
{
	return (f->skip + f->keep - 1) / B < (f->bytes - 1) / B;
}

static bool fits(const struct fpdu *a, const struct fpdu *n, unsigned room, const struct fpdu *first)
{
	return n->joins && n->whole && n->keep && n->keep <= room && n->slot == first->slot && n->again == first->again &&
	       n->ask_id == first->ask_id && n->gen == first->gen && n->start == a->start + a->keep && n->sh.v6 == first->sh.v6 &&
	       n->sh.vlan == first->sh.vlan && n->sh.ts == first->sh.ts && n->sh.ns == first->sh.ns;
}

static void done(void)
{
	free(take(&planned));
}

/* ------------------------------------------------------------------ departed */
struct dep {
	unsigned qpn, slot, len, ask_id, gen;
	uint64_t off, at;
	bool again, ask_done, ack_only, fin, cut, cwr, unsent;
	uint32_t acked, edge;
};

static void expect_frame(const struct dep *d, const struct view *v, uint64_t b0, struct shape sh, unsigned flags, uint32_t seq, bool again, bool data)
{
	struct conn *c = &conn[slot[d->slot].conn];
	struct l2e e = l2e_at(l2_at(d->slot, b0), b0 + 1);
	struct frame *f;
	uint32_t room = v->edge - v->rcv_nxt;

	tb_check(d->acked == v->rcv_nxt, "departed says ACK %08x, the view %08x", d->acked, v->rcv_nxt);
	unsigned win = (int32_t)room < 0 ? 0 : (room >> v->wscale) > 65535 ? 65535 : room >> v->wscale;
	tb_check(d->edge == v->rcv_nxt + (win << v->wscale), "departed says edge %08x, should be %08x", d->edge, v->rcv_nxt + (win << v->wscale));
	if (!data)
		sh.vlan = e.vlan;
	if (!e.valid || sh.vlan != e.vlan) {
		n_lost++;
		if (verbose)
			tb_note("lost: entry valid %d vlan %d", e.valid, e.vlan);
		return;
	}
	f = malloc(sizeof(*f));
	f->next = NULL;
	f->c = *c;
	f->conn = c - conn;
	f->v = *v;
	f->e = e;
	f->sh = sh;
	f->len = d->len;
	f->flags = flags | (v->ece ? 0x40 : 0);
	f->n_sack = v->n_sack < sh.ns ? v->n_sack : sh.ns;
	f->win = win;
	f->seq = seq;
	f->tsval = v->ts_off + (uint32_t)((now_v - (((now_v & 0xffffffffffffull) - d->at) & 0xffffffffffffull)) >> TS_SHIFT);
	f->off = d->off;
	f->data = data;
	f->again = again;
	*frames_tail = f;
	frames_tail = &f->next;
}

static void raise_max(struct conn *c, unsigned s, uint64_t end)
{
	struct maxw *m = maxes;

	if (end <= c->snd_max)
		return;
	c->snd_max = end;
	tb_check(m && m->slot == s && m->off == end, "snd_max of slot %u is not said to be %llx", s, (unsigned long long)end);
	if (m) {
		if (!(maxes = m->next))
			maxes_tail = &maxes;
		free(m);
	}
}

static void on_max(int port, const uint8_t *bits, void *arg)
{
	struct maxw *m = malloc(sizeof(*m));

	m->next = NULL;
	m->off = tb_bits_get(bits, 0, 64);
	m->slot = tb_bits_get(bits, 64, 12);
	*maxes_tail = m;
	maxes_tail = &m->next;
}

/* Newest thing of these kinds that was due by a read in this cycle and not answered by one in cycle ans. */
static int due_at(const struct slot *s, uint64_t b0, uint64_t ans, unsigned kinds)
{
	for (unsigned i = s->ndue; i-- && i + H > s->ndue;)
		if (s->due[i % H].at + 2 <= b0 && (kinds >> s->due[i % H].kind & 1))
			return s->due[i % H].at + 2 > ans ? (int)(i % H) : -1;
	return -1;
}

static void departed_due(const struct dep *d, uint64_t b0)
{
	struct slot *s = &slot[d->slot];
	struct conn *c = &conn[s->conn];
	const struct view *v = view_at(d->slot, b0);
	struct shape sh = { c->v6, false, v->ts, v->n_sack };
	int k = due_at(s, b0, s->ans_all, 1 << FIN | 1 << RST | 1 << PROBE);
	unsigned flags = 0x10;
	uint64_t off = c->snd_max;

	tb_check(!d->len && !d->cut && !d->ask_done && !d->cwr, "a segment without bytes of slot %u: odd flags", d->slot);
	if (k >= 0) {
		off = s->due[k].off;
		flags |= s->due[k].kind == FIN ? 1 : s->due[k].kind == RST ? 4 : 0;
		tb_check(d->fin == (s->due[k].kind == FIN), "slot %u: FIN %d, due is kind %u", d->slot, d->fin, s->due[k].kind);
		tb_check(v->open || s->due[k].kind == RST, "slot %u is closed", d->slot);
		n_ctl++;
	} else {
		tb_check(!d->fin, "slot %u: a FIN that nobody asked for", d->slot);
		tb_check(due_at(s, b0, s->ans_ack, 1 << ACK | 1 << PURE) >= 0 || due_at(s, b0, s->ans_all, 1 << PURE) >= 0 ||
			 due_at(s, b0, s->ans_ack, 31) >= 0, "slot %u: an ACK that is not due", d->slot);
		tb_check(v->open, "slot %u is closed", d->slot);
		n_pure++;
	}
	tb_check(d->off == off, "slot %u without bytes: offset %llx, should be %llx", d->slot, (unsigned long long)d->off, (unsigned long long)off);
	tb_check(d->ack_only == !d->fin, "ack_only");
	tb_check(d->again == (d->fin && off < c->snd_max), "slot %u: a FIN at %llx, again %d", d->slot, (unsigned long long)off, d->again);
	n_fin_again += d->again;
	if (d->fin)
		raise_max(c, d->slot, off + 1);
	s->ans_ack = s->ans_all = s->ans_any = b0;
	expect_frame(d, v, b0, sh, flags, v->seq0 + (uint32_t)off, false, false);
}

/* An ACK may ride without SACK blocks if there were none to tell at some time since. */
static bool told(unsigned i, unsigned k)
{
	struct slot *s = &slot[i];
	for (unsigned j = s->nview; j-- && j + H > s->nview;) {
		if (!s->view[j % H].v.n_sack)
			return true;
		if (s->view[j % H].at <= s->due[k].at)
			break;
	}
	return false;
}

/* What is due waits for a few segments only: no more than there is room for, and as many of others that are due. */
static void check_waiting(uint64_t b0)
{
	for (unsigned i = 0; i < SLOTS; i++) {
		struct slot *s = &slot[i];

		if (s->conn < 0 || !s->usable || conn[s->conn].closes)
			continue;
		for (unsigned k = s->ndue > 8 ? s->ndue - 8 : 0; k < s->ndue; k++) {
			unsigned j = k % H;
			uint64_t ans = s->due[j].kind == ACK ? told(i, j) ? s->ans_any : s->ans_ack : s->ans_all;

			if (s->due[j].at + 2 <= ans || s->due[j].at + 2 > b0)
				continue;
			tb_check(n_departed - s->due[j].departed < 150, "slot %u: kind %u is due since cycle %llu, %u departures ago", i, s->due[j].kind,
				 (unsigned long long)s->due[j].at, n_departed - s->due[j].departed);
			if (n_departed - s->due[j].departed > n_wait)
				n_wait = n_departed - s->due[j].departed;
		}
	}
}

static void on_departed(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct dep d;
	struct fpdu *f = planned.head;
	uint64_t b0;

	tb_unpack_begin(&b, bits, 241);
	d.qpn = tb_get(&b, 24);
	d.slot = tb_get(&b, 12);
	d.off = tb_get(&b, 64);
	d.len = tb_get(&b, 16);
	d.again = tb_get(&b, 1);
	d.ask_id = tb_get(&b, 4);
	d.ask_done = tb_get(&b, 1);
	d.ack_only = tb_get(&b, 1);
	d.fin = tb_get(&b, 1);
	d.cut = tb_get(&b, 1);
	d.cwr = tb_get(&b, 1);
	d.unsent = tb_get(&b, 1);
	d.gen = tb_get(&b, 2);
	d.acked = tb_get(&b, 32);
	d.edge = tb_get(&b, 32);
	d.at = tb_get(&b, 48);
	b0 = now_p - ((now_v - d.at) & 0xffffffffffffull) / tb_ns_per_cycle - 1;
	n_departed++;
	if (verbose)
		tb_note("departed slot %u off %llx len %u again %d ask %u done %d ack %d fin %d cut %d at cycle %llu", d.slot, (unsigned long long)d.off, d.len, d.again, d.ask_id, d.ask_done, d.ack_only, d.fin, d.cut, (unsigned long long)b0);
	if (d.slot >= SLOTS || slot[d.slot].conn < 0) {
		tb_fail("departed of slot %u, which is free", d.slot);
		return;
	}
	struct slot *s = &slot[d.slot];
	struct conn *c = &conn[s->conn];
	tb_check(d.qpn == c->qpn, "departed of QPN %x in slot %u, which holds %x", d.qpn, d.slot, c->qpn);
	if (n_departed % 16 == 0)
		check_waiting(b0);
	tb_check(s->pins > 0, "departed of slot %u, which has no pin", d.slot);
	if (d.unsent && d.ack_only) {
		bool queued = false;
		struct list *l[] = { &planned, &begun };

		for (unsigned i = 0; i < 2; i++)
			for (struct fpdu *q = l[i]->head; q; q = q->next)
				queued |= q->slot == (int)d.slot;
		tb_check(d.ack_only && !d.fin && !d.len && !d.cut && !d.ask_done && !d.cwr, "slot %u: what was not sent has odd flags", d.slot);
		tb_check(!view_at(d.slot, b0)->open || due_at(s, b0, s->ans_all, 1 << PURE | 1 << FIN | 1 << RST | 1 << PROBE) < 0, "slot %u: what must go by itself is not sent", d.slot);
		tb_check(!view_at(d.slot, b0)->open || queued || due_at(s, b0, s->ans_any, 1 << ACK) < 0, "slot %u: an ACK rides on nothing", d.slot);
		n_unsent++;
		return;
	}
	if (d.ack_only || d.fin) {
		departed_due(&d, b0);
		return;
	}
	tb_check(d.unsent == !d.len, "departed of slot %u: %u bytes, unsent %d", d.slot, d.len, d.unsent);
	if (!f) {
		tb_fail("departed of slot %u, which has nothing under way", d.slot);
		return;
	}
	const struct view *v = view_at(d.slot, b0);
	uint64_t at = f->start + f->used;
	unsigned rest = f->keep - f->used;

	tb_check(f->slot == (int)d.slot && d.gen == f->gen && d.again == (f->again && d.off < c->snd_max) && d.ask_id == f->ask_id, "departed of slot %u gen %u again %d ask %u, should be %d %u %d %u",
		 d.slot, d.gen, d.again, d.ask_id, f->slot, f->gen, f->again && d.off < c->snd_max, f->ask_id);
	tb_check(d.off == at, "slot %u: departed from %llx, should be %llx", d.slot, (unsigned long long)d.off, (unsigned long long)at);
	if (!d.len && f->bad && (!rest || rest <= f->mss)) {
		n_bad++;
		tb_check(d.cut, "an FPDU that is void is not said to be cut");
		tb_check(!d.cwr, "CWR without bytes");
		if (f->ask_done)
			tb_check(d.ask_done, "void, but the ask is not done");
		done();
		return;
	}
	if (!d.len && !rest) {
		n_none++;
		tb_check(d.cut == f->cut && d.ask_done == f->ask_done && !d.cwr, "slot %u: nothing leaves of %llx: cut %d %d ask done %d %d", d.slot, (unsigned long long)f->off, d.cut,
			 f->cut, d.ask_done, f->ask_done);
		n_cut += f->cut;
		done();
		return;
	}
	if (!d.len && v->open) {
		/* FPDUs that were joined, of which one turned out bad: all of them are to be asked for again. */
		unsigned room = f->mss;
		struct fpdu *first = f, *n;
		bool ask = false;

		while (f && !f->bad) {
			room -= f->keep - f->used;
			ask |= f->ask_done;
			n = f->next;
			if (!n || !fits(f, n, room, first)) {
				tb_fail("slot %u: %u bytes from %llx do not leave", d.slot, rest, (unsigned long long)at);
				return;
			}
			f = n;
		}
		tb_check(f && d.cut && (!ask || d.ask_done), "joined and void: cut");
		n_bad++;
		while (planned.head != f)
			done();
		done();
		return;
	}

	/* A segment. It may hold several FPDUs. */
	struct fpdu *first = f, *last = f;
	unsigned mss = room_of(f), len = d.len ? d.len : rest < mss ? rest : mss, n = len, joined = 0;
	bool psh = false, ask = false, cut = false, ended = false;
	struct shape sh = f->sh;
	bool again = f->again;

	tb_check(len <= mss, "a segment of %u bytes, MSS %u", len, mss);
	if (d.len && f->mss > 1) {
		unsigned in = d.off - f->off;

		tb_check(!in || in % 4, "slot %u: a segment begins %u bytes behind the start of an FPDU", d.slot, in);
	}
	for (;;) {
		unsigned part = f->keep - f->used;

		last = f;
		if (part > n) {
			tb_check(len == mss && !joined, "slot %u: a segment of %u bytes ends inside an FPDU, MSS %u", d.slot, len, mss);
			n_short += mss < f->mss;
			f->used += n;
			ended = false;
			break;
		}
		n -= part;
		f->used += part;
		if (len == mss && !n && !joined && trails(f)) {
			/* What nobody wants comes behind, and its end by itself. */
			ended = false;
			break;
		}
		ended = true;
		tb_check(!f->bad, "slot %u: bytes of a void FPDU leave", d.slot);
		psh |= f->psh && f->to_end;
		ask |= f->ask_done;
		cut |= f->cut;
		if (!n)
			break;
		if (!f->next || !f->to_end || !fits(f, f->next, n, first)) {
			tb_fail("slot %u: a segment of %u bytes at %llx holds what does not belong there", d.slot, len, (unsigned long long)d.off);
			return;
		}
		f = f->next;
		joined++;
	}
	if (ended && last->more && last->to_end && len < mss) {
		tb_check(last->next || !v->open, "slot %u: a segment was closed though more was promised", d.slot);
		if (last->next)
			tb_check(!fits(last, last->next, mss - len, first), "slot %u: an FPDU that joins has a segment of its own", d.slot);
	}
	n_joined += joined;
	uint32_t seq = v->seq0 + (uint32_t)d.off;
	unsigned flags = 0x10 | (psh ? 8 : 0) | (v->cwr && !again ? 0x80 : 0);

	tb_check(d.ask_done == ask, "slot %u: ask done %d, should be %d (%u of MSS %u, joined %u; skip %u keep %u used %u of %u, again %d, from %llx to %llx off %llx)", d.slot, d.ask_done, ask, len, mss, joined, f->skip, f->keep, f->used, f->bytes, f->again, (unsigned long long)f->from, (unsigned long long)f->to, (unsigned long long)f->off);
	while (planned.head != last)
		done();
	if (ended)
		done();
	if (!v->open) {
		n_closed++;
		tb_check(!d.len && d.cut, "slot %u is closed, and %u bytes leave", d.slot, d.len);
		return;
	}
	n_seg++;
	n_cut += cut;
	tb_check(d.len == len && d.cut == cut, "slot %u: cut %d, should be %d", d.slot, d.cut, cut);
	tb_check(d.cwr == (v->cwr && !again), "slot %u: CWR %d", d.slot, d.cwr);
	raise_max(c, d.slot, d.off + d.len);
	s->ans_any = b0;
	if (v->n_sack <= sh.ns)
		s->ans_ack = b0;
	payload += d.len;
	expect_frame(&d, v, b0, sh, flags, seq, again, true);
}

/* ------------------------------------------------------------------ frames, as a receiver reads them */
static unsigned be16(const uint8_t *p) { return p[0] << 8 | p[1]; }
static uint32_t be32(const uint8_t *p) { return (uint32_t)be16(p) << 16 | be16(p + 2); }

static void on_frame(int port, const uint8_t *p, size_t len, const uint8_t *side, bool err, void *arg)
{
	struct frame *f = frames;
	const uint8_t *ip, *tcp, *o, *end;
	unsigned tos, iplen, hl, n = 0;
	uint32_t sum;

	n_frames++;
	if (verbose)
		tb_note("frame of %zu bytes, should be slot %d off %llx len %u", len, f ? f->conn : -1, f ? (unsigned long long)f->off : 0, f ? f->len : 0);
	if (!f) {
		tb_fail("a frame that nothing was said of");
		return;
	}
	if (!(frames = f->next))
		frames_tail = &frames;
	tb_check(tb_bits_get(side, 0, 10) == (uint64_t)(f->c.port << 8 | f->c.fn), "link");
	tb_check(!memcmp(p, f->e.dmac, 6) && !memcmp(p + 6, f->e.smac, 6), "MAC addresses");
	ip = p + 12;
	if (be16(ip) == 0x8100) {
		tb_check(f->e.vlan && be16(ip + 2) == f->e.tci, "VLAN tag %x", be16(ip + 2));
		ip += 4;
	} else {
		tb_check(!f->e.vlan, "no VLAN tag");
	}
	tb_check(be16(ip) == (f->c.v6 ? 0x86dd : 0x0800), "Ethernet type %x", be16(ip));
	ip += 2;
	if (f->c.v6) {
		tb_check(ip[0] >> 4 == 6 && ip[6] == 6 && ip[7] == f->c.ttl, "IPv6 header");
		tos = (ip[0] & 15) << 4 | ip[1] >> 4;
		tb_check((be32(ip) & 0xfffff) == f->c.flow, "flow label");
		iplen = be16(ip + 4);
		tcp = ip + 40;
		tb_check(!memcmp(ip + 8, f->c.saddr, 16) && !memcmp(ip + 24, f->c.daddr, 16), "IPv6 addresses");
		sum = tb_csum(iplen + 6, ip + 8, 32);
	} else {
		tb_check(ip[0] == 0x45 && ip[9] == 6 && ip[8] == f->c.ttl && be16(ip + 6) == 0x4000, "IPv4 header");
		tb_check(tb_csum(0, ip, 20) == 0xffff, "IPv4 checksum");
		tb_check(be16(ip + 4) != last_id, "IPv4 identification twice");
		last_id = be16(ip + 4);
		tos = ip[1];
		iplen = be16(ip + 2) - 20;
		tcp = ip + 20;
		tb_check(!memcmp(ip + 12, f->c.saddr, 4) && !memcmp(ip + 16, f->c.daddr, 4), "IPv4 addresses");
		sum = tb_csum(iplen + 6, ip + 12, 8);
	}
	tb_check(tos == (f->c.tos & 0xfc) + (f->c.ecn && f->data && !f->again ? 2 : 0), "TOS %02x", tos);
	if (tcp + iplen != p + len) {
		tb_fail("a frame of %zu bytes, IP says %u", len, iplen);
		goto out;
	}
	tb_check(tb_csum(sum, tcp, iplen) == 0xffff, "TCP checksum, %u bytes", iplen);
	hl = tcp[12] >> 4 << 2;
	if (hl < 20 || hl > iplen) {
		tb_fail("TCP data offset %u", hl);
		goto out;
	}
	tb_check(iplen - hl == f->len, "%u bytes, should be %u", iplen - hl, f->len);
	tb_check(be16(tcp) == f->c.sport && be16(tcp + 2) == f->c.dport, "ports");
	tb_check(be32(tcp + 4) == f->seq, "sequence number %08x, should be %08x", be32(tcp + 4), f->seq);
	tb_check(be32(tcp + 8) == f->v.rcv_nxt, "ACK field");
	tb_check(!(tcp[12] & 15) && tcp[13] == f->flags, "flags %02x, should be %02x", tcp[13], f->flags);
	tb_check(be16(tcp + 14) == f->win, "window %u, should be %u", be16(tcp + 14), f->win);
	tb_check(!be16(tcp + 18), "urgent pointer");
	tb_check(hl == 20 + (f->sh.ts ? 12u : 0) + opt_len(f->sh.ns), "TCP header of %u bytes", hl);
	bool ts = false;
	for (o = tcp + 20, end = tcp + hl; o < end;) {
		if (*o == 1) {
			o++;
			continue;
		}
		if (!*o || end - o < 2 || o[1] < 2 || o + o[1] > end) {
			tb_fail("options");
			break;
		}
		if (*o == 8 && o[1] == 10) {
			tb_check(!ts && be32(o + 2) == f->tsval && be32(o + 6) == f->v.ts_recent, "timestamps %08x %08x, should be %08x %08x", be32(o + 2), be32(o + 6),
				 f->tsval, f->v.ts_recent);
			ts = true;
		} else if (*o == 5 && !n) {
			n = (o[1] - 2) / 8;
			tb_check(n == f->n_sack && o[1] == 2 + 8 * n, "%u SACK blocks, should be %u", n, f->n_sack);
			for (unsigned i = 0; i < n && i < 3; i++)
				tb_check(be32(o + 2 + 8 * i) == f->v.sack[i][0] && be32(o + 6 + 8 * i) == f->v.sack[i][1], "SACK block %u", i);
		} else {
			tb_fail("option %u", *o);
		}
		o += o[1];
	}
	tb_check(ts == f->sh.ts && n == f->n_sack, "options are missing");
	for (unsigned i = 0; i < f->len; i++)
		if (tcp[hl + i] != pat(f->c.qpn, f->off + i)) {
			tb_fail("byte %u of %u from %llx", i, f->len, (unsigned long long)f->off);
			break;
		}
out:
	free(f);
	if (phase == 2) {
		dir_n++;
		dir_bytes += iplen;
	}
}

static void on_first(int port, const uint8_t *bits, void *arg)
{
	if (!frame_at)
		frame_at = tb_cycle();
}

static void on_drop(int port, const uint8_t *bits, void *arg)
{
	unsigned v = tb_bits_get(bits, 32, 2);

	for (unsigned i = 0; i < 2; i++) {
		if (!(v >> i & 1))
			continue;
		unsigned s = tb_bits_get(bits, 8 + 12 * i, 12), n = tb_bits_get(bits, 4 * i, 4);

		tb_check(s < SLOTS && n == 1, "a drop of %u pins of slot %u", n, s);
		if (s < SLOTS) {
			slot[s].pins--;
			tb_check(slot[s].pins >= 0, "slot %u: a pin too many is dropped", s);
		}
	}
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	unsigned st = tb_bits_get(bits, 65, 7);

	now_v = tb_bits_get(bits, 0, 64);
	now_p = tb_cycle();
	is_idle = tb_bits_get(bits, 64, 1);
	for (unsigned i = 0; i < 7; i++)
		stats[i] += st >> i & 1;
}

/* ------------------------------------------------------------------ traffic */
static void move_view(struct conn *c)
{
	struct view *v = &c->v;

	v->rcv_nxt += tb_chance(50) ? tb_below(5000) : 0;
	v->edge = v->rcv_nxt + (tb_chance(2) ? -tb_below(1000) : tb_chance(20) ? tb_below(100) : tb_chance(20) ? tb_rand() & 0x3fffffff : tb_below(200000));
	v->limit = c->nxt + (tb_chance(75) ? 40000 : tb_chance(50) ? tb_below(6000) - 3000 : tb_below(300) * 4);
	v->mss = tb_chance(60) ? tb_range(1000, 1460) : tb_chance(60) ? tb_range(1460, 9100) : tb_chance(50) ? tb_below(130) : tb_rand() & 0xffff;
	v->gen = c->gen;
	v->ts_recent = tb_rand();
	v->ece = tb_chance(20);
	v->cwr = tb_chance(20);
	v->n_sack = tb_chance(60) ? 0 : tb_below(4);
	for (int i = 0; i < 3; i++) {
		v->sack[i][0] = tb_rand();
		v->sack[i][1] = tb_rand();
	}
	push_view(c);
}

static void make_conn(unsigned i)
{
	struct conn *c = &conn[i];

	memset(c, 0, sizeof(*c));
	c->qpn = tb_rand() & 0xffffff;
	c->fn = tb_rand() & 0xff;
	c->port = tb_below(4);
	c->tos = tb_rand() & 0xff;
	c->ttl = tb_rand() & 0xff;
	c->flow = tb_rand() & 0xfffff;
	c->sport = tb_rand() & 0xffff;
	c->dport = tb_rand() & 0xffff;
	c->l2 = tb_below(NL2);
	c->v6 = tb_chance(50);
	c->ecn = tb_chance(50);
	c->closes = i % 6 == 5;
	tb_rand_bytes(c->saddr, 16);
	tb_rand_bytes(c->daddr, 16);
	if (!c->v6) {
		memset(c->saddr + 4, 0, 12);
		memset(c->daddr + 4, 0, 12);
	}
	c->v.open = true;
	c->v.seq0 = tb_rand();
	c->v.rcv_nxt = tb_rand();
	c->v.wscale = tb_below(15);
	c->v.ts = tb_chance(60);
	c->v.ts_off = tb_rand();
	c->gen = tb_below(4);
	c->start = c->nxt = c->snd_max = tb_chance(30) ? 0 : tb_chance(50) ? 0xffffffffull - tb_below(100000) : tb_rand() >> 2;
	c->slot = -1;
}

static void load(unsigned i, unsigned s)
{
	struct conn *c = &conn[i];
	struct tb_pack b;
	uint8_t key[64] = { 0 }, line[70] = { 0 };

	c->slot = s;
	slot[s].conn = i;
	slot[s].usable = false;
	slot[s].shut = false;
	slot[s].left = c->snd_max;
	slot[s].ans_ack = slot[s].ans_all = slot[s].ans_any = tb_cycle() + 1000;
	memcpy(key, c->saddr, 16);
	memcpy(key + 16, c->daddr, 16);
	key[32] = c->sport, key[33] = c->sport >> 8;
	key[34] = c->dport, key[35] = c->dport >> 8;
	key[36] = c->l2, key[37] = c->l2 >> 8;
	key[38] = c->tos;
	key[39] = c->ttl;
	key[40] = c->flow, key[41] = c->flow >> 8, key[42] = c->flow >> 16 | 0xf0;
	key[44] = c->port;
	key[45] = c->fn;
	key[47] = c->v6 | c->v.ts << 1 | c->ecn << 3;
	memcpy(line, key, 64);
	tb_bits_set(line, 512, 3, 0);
	tb_bits_set(line, 517, 12, s);
	tb_bits_set(line, 529, 24, c->qpn);
	tb_item_push(LOAD, line, 70);
	/* lines of others go by */
	tb_rand_bytes(line, 64);
	tb_bits_set(line, 512, 3, tb_range(1, 7));
	tb_item_push(LOAD, line, 70);
	slot[s].l2[slot[s].nl2 % H].at = tb_cycle();
	slot[s].l2[slot[s].nl2++ % H].l2 = c->l2;
	if (verbose)
		tb_note("load of connection %u into slot %u, snd_max %llx, cycle %llu", i, s, (unsigned long long)c->snd_max, (unsigned long long)tb_cycle());
	move_view(c);
	tb_pack_begin(&b, 76);
	tb_put(&b, 12, s);
	tb_put(&b, 64, c->snd_max);
	tb_item_push(OPEN, b.bits, 10);
}

static bool settled(unsigned s)
{
	return slot[s].conn >= 0 && slot[s].usable;
}

static void swap_slots(void)
{
	static unsigned calm_for;
	bool calm = !tb_pending(VIEW) && !tb_pending(DUE) && !tb_pending(OPEN) && !tb_pending(LOAD) && !tb_pending(CMD);

	/* Loads are four cycles apart. */
	calm_for = calm ? calm_for + 1 : 0;
	if (calm_for < 4)
		return;
	for (unsigned s = 0; s < SLOTS; s++) {
		if (slot[s].conn >= 0 && !slot[s].usable) {
			slot[s].usable = true;
			slot[s].ans_ack = slot[s].ans_all = slot[s].ans_any = tb_cycle();
		}
	}
	if (quiet)
		return;
	unsigned s = tb_below(SLOTS), i;
	if (slot[s].conn >= 0 && !slot[s].pins && (tb_chance(3) || (!conn[slot[s].conn].v.open && tb_chance(20)))) {
		struct conn *c = &conn[slot[s].conn];

		/* gone: another one may have the slot at once */
		if (!c->v.open) {
			make_conn(slot[s].conn);
		}
		c->slot = -1;
		slot[s].conn = -1;
		n_moves++;
	}
	if (slot[s].conn < 0) {
		i = tb_below(CONNS);
		if (conn[i].slot < 0)
			load(i, s);
	}
}

static unsigned any_size(void)
{
	return tb_chance(70) ? tb_range(1, 200) : tb_chance(85) ? tb_range(200, 1600) : tb_range(1600, 9000);
}

static void feed(struct conn *c)
{
	struct fpdu w = { 0 };
	unsigned n;

	w.psh = tb_chance(40);
	if (c->broken && tb_chance(25)) {
		/* qp cuts its log there and raises the generation */
		c->broken = false;
		c->gen = (c->gen + 1) & 3;
		c->nxt = c->void_at;
		move_view(c);
	}
	if (slot[c->slot].left < c->nxt && !begun.head && !tb_pending(IN) && tb_chance(60)) {
		/* all that was let go, or as far as it is asked for */
		uint64_t off = slot[c->slot].left, to = tb_chance(80) ? c->nxt : off + 1 + tb_below(c->nxt - off), from = off;

		w.again = true;
		w.ask_id = tb_rand() & 15;
		while (off < to) {
			unsigned bytes = any_size();

			if (bytes > c->nxt - off)
				bytes = c->nxt - off;
			push_fpdu(c, off, bytes, from, to, w);
			off += bytes;
		}
		return;
	}
	if (c->nxt > c->start && tb_chance(c->broken ? 50 : 20)) {
		uint64_t from = c->nxt - 1 - tb_below(c->nxt - c->start < 8000 ? c->nxt - c->start : 8000);
		uint64_t to = from + 1 + tb_below(c->nxt - from), off = from - tb_below(from - c->start < 300 ? from - c->start + 1 : 300);

		w.again = true;
		w.ask_id = tb_rand() & 15;
		while (off < to) {
			unsigned bytes = any_size();
			bool more = off + bytes < to && tb_chance(50) && !c->closes;

			w.bad = tb_chance(1);
			w.is_void = w.bad && tb_chance(50);
			w.more = more && !w.bad;
			push_fpdu(c, off, bytes, from, to, w);
			if (w.bad && tb_chance(50)) { /* else it is acknowledged, and qp goes on */
				if (!c->broken || off < c->void_at)
					c->void_at = off;
				c->broken = true;
			}
			off += bytes;
			w.joins = more && !w.bad;
		}
		return;
	}
	if (tb_chance(4)) {
		/* an ask of which nothing is in this FPDU */
		uint64_t off = c->start + tb_below(5000);
		unsigned bytes = any_size(), far = tb_below(3000);

		w.again = true;
		if (tb_chance(50))
			push_fpdu(c, off, bytes, off + bytes + far, off + bytes + far + 100, w);
		else
			push_fpdu(c, off + far + 1, bytes, off, off + tb_below(far + 2), w);
		return;
	}
	n = tb_chance(50) ? 1 : tb_range(2, 12);
	for (unsigned i = 0; i < n; i++) {
		unsigned bytes = n > 1 && tb_chance(80) ? tb_range(20, 300) : any_size();
		bool joins = i + 1 < n && tb_chance(80) && !c->closes;

		w.bad = tb_chance(c->broken ? 20 : 2);
		w.is_void = w.bad && tb_chance(50);
		w.more = joins && tb_chance(60) && !w.bad;
		/* what is wanted of new bytes is all, or more */
		push_fpdu(c, c->nxt, bytes, c->nxt - tb_below(c->nxt - c->start < 100 ? 1 : 100), c->nxt + bytes + tb_below(3) * 1000, w);
		if (w.bad && !c->broken) {
			c->broken = true;
			c->void_at = c->nxt;
		}
		c->nxt += bytes;
		w.joins = joins;
	}
}

static void traffic(void)
{
	struct conn *c = &conn[tb_below(CONNS)];

	swap_slots();
	if (tb_pending(IN) < 5 && c->slot >= 0 && settled(c->slot) && tb_chance(50))
		feed(c);
	c = &conn[tb_below(CONNS)];
	if (tb_chance(20) && c->slot >= 0 && settled(c->slot) && tb_pending(VIEW) < 3 && c->v.open) {
		if (c->closes && tb_chance(4))
			c->v.open = false;
		move_view(c);
	}
	c = &conn[tb_below(CONNS)];
	if (tb_chance(12) && c->slot >= 0 && settled(c->slot) && !tb_pending(DUE) && (!slot[c->slot].ndue || slot[c->slot].due[(slot[c->slot].ndue - 1) % H].at + 8 < tb_cycle())) {
		unsigned kind = tb_chance(75) ? ACK : tb_chance(50) ? PURE : tb_range(FIN, PROBE);

		push_due(c, kind, kind == FIN ? c->nxt + tb_below(10) : c->snd_max - tb_below(2));
	}
	if (tb_chance(2) && tb_pending(L2E) == 0) {
		unsigned i = tb_below(NL2);
		struct l2e e = l2e[i].h[(l2e[i].n - 1) % H].e;

		rand_l2e(&e);
		e.vlan ^= tb_chance(10);
		push_l2e(i, &e);
	}
	c = &conn[tb_below(CONNS)];
	if (tb_chance(1) && c->slot >= 0 && settled(c->slot) && tb_pending(CMD) == 0) {
		struct tb_pack b;

		c->l2 = tb_chance(98) ? tb_below(NL2) : tb_rand() & 0xffff;
		tb_pack_begin(&b, 56);
		tb_put(&b, 24, c->qpn);
		tb_put(&b, 12, c->slot);
		tb_put(&b, 4, 5);
		tb_put(&b, 16, c->l2);
		tb_item_push(CMD, b.bits, 7);
	}
	if (tb_cycle() % 512 == 0) {
		tb_snk_rate(FRM, tb_chance(20) ? 0 : tb_chance(50) ? 100 : tb_range(10, 90));
		tb_src_rate(IN, tb_chance(60) ? 100 : tb_range(20, 90));
	}
}

static bool at_rest(void)
{
	return !tb_pending(IN) && !tb_pending(VIEW) && !tb_pending(DUE) && !tb_pending(LOAD) && !tb_pending(OPEN) && !tb_pending(CMD) && !tb_pending(L2E) &&
	       !begun.head && !planned.head && !frames && is_idle;
}

static void check_rest(void)
{
	for (unsigned i = 0; i < SLOTS; i++) {
		struct slot *s = &slot[i];

		tb_check(!s->pins, "slot %u keeps %d pins", i, s->pins);
		if (s->conn < 0 || !s->usable || !s->nview || !s->view[(s->nview - 1) % H].v.open)
			continue;
		tb_check(due_at(s, tb_cycle() + 10, s->ans_all, 1 << PURE | 1 << FIN | 1 << RST | 1 << PROBE) < 0, "slot %u: what was due never left", i);
		/* With SACK blocks to tell ever since, only what carried them all is an answer. */
		int k = due_at(s, tb_cycle() + 10, s->ans_any, 1 << ACK);
		tb_check(k < 0, "slot %u: an ACK that was due never left", i);
		k = due_at(s, tb_cycle() + 10, s->ans_ack > s->ans_all ? s->ans_ack : s->ans_all, 1 << ACK);
		tb_check(k < 0 || told(i, k), "slot %u: SACK blocks were never told", i);
	}
	tb_check(!maxes, "snd_max was raised for nothing");
}

/* ------------------------------------------------------------------ directed: rates and latency */
struct test { const char *what; unsigned bytes, count, mss, joins, one; double limit; bool goodput; };
static const struct test tests[] = {
	{ "one FPDU of 84 bytes, first beat in to first beat out, cycles", 84, 1, 1460, 0, 1, 13, false },
	{ "FPDUs of 84 bytes, a segment each, cycles an FPDU", 84, 400, 1460, 0, 0, 4.05, false },
	{ "FPDUs of 84 bytes, packed into MTU 1500, cycles an FPDU", 84, 1020, 1460, 1, 0, 2.2, false },
	{ "MTU 1500 in whole segments, share of the width", 1460, 200, 1460, 0, 0, 52.0 / 64, true },
	{ "MTU 9000 in whole segments, share of the width", 8960, 40, 8960, 0, 0, 61.0 / 64, true },
	{ "MTU 1500 cut from FPDUs of 9000 bytes, share of the width", 9000, 40, 1460, 0, 0, 48.0 / 64, true },
};
static unsigned test_no, test_state;

/* An ACK leaves though a packet stops in its middle, though a segment is open for an FPDU that does not come, and behind a full buffer
 * as soon as the wire moves. */
static unsigned calm_state, calm_frames;
static uint64_t calm_at;
static bool calm(void)
{
	struct conn *c = &conn[0];
	struct fpdu open = { .more = true }, joins = { .joins = true }, none = { 0 };

	switch (calm_state) {
	case 0:
		push_fpdu(c, c->nxt, 100, c->nxt, c->nxt + 100, open);
		c->nxt += 100;
		calm_state = 1;
		calm_at = tb_cycle();
		return false;
	case 1: /* the segment is open */
	case 4: /* so it is, and the next FPDU stops in its middle */
		if (tb_cycle() < calm_at + 60)
			return false;
		calm_frames = n_frames;
		push_due(c, ACK, 0);
		calm_at = tb_cycle();
		calm_state++;
		return false;
	case 2:
	case 5:
		if (n_frames == calm_frames && tb_cycle() < calm_at + 40)
			return false;
		tb_check(n_frames == calm_frames + 1 && planned.head && n_seg == calm_seg, "an ACK waits for bytes");
		calm_state++;
		return false;
	case 3:
		push_fpdu(c, c->nxt, 900, c->nxt, c->nxt + 900, joins);
		c->nxt += 900;
		calm_state = 4;
		stop_at_begin = true;
		calm_at = tb_cycle();
		return false;
	case 6:
		tb_src_rate(IN, 100);
		tb_snk_rate(FRM, 0);
		for (unsigned i = 0; i < 60; i++, c->nxt += 1460)
			push_fpdu(c, c->nxt, 1460, c->nxt, c->nxt + 1460, none);
		calm_at = tb_cycle();
		calm_state = 7;
		return false;
	case 7: /* PAUSE: the buffer is full */
		if (tb_cycle() < calm_at + 60 * 1460 / B + 100)
			return false;
		tb_check(tb_pending(IN) > 10 && n_seg <= calm_seg + 10, "the wire is paused, and segments leave");
		push_due(c, PURE, 0);
		calm_frames = n_pure;
		calm_at = tb_cycle();
		calm_state = 8;
		return false;
	case 8:
		if (tb_cycle() < calm_at + 20)
			return false;
		tb_snk_rate(FRM, 100);
		calm_at = tb_cycle();
		calm_state = 9;
		return false;
	case 9:
		if (n_pure == calm_frames && tb_cycle() < calm_at + 3 * 1520 / B + 40)
			return false;
		tb_check(n_pure == calm_frames + 1, "an ACK stands behind the whole buffer");
		calm_state = 10;
		return false;
	default:
		return at_rest();
	}
}

static bool directed(void)
{
	const struct test *t = &tests[test_no];
	struct conn *c = &conn[0];

	switch (test_state) {
	case 0:
		quiet = true;
		tb_snk_rate(FRM, 100);
		tb_src_rate(IN, 100);
		for (unsigned p = VIEW; p <= L2E; p++)
			tb_src_rate(p, 100);
		for (unsigned i = 0; i < SLOTS; i++)
			slot[i].conn = -1;
		for (unsigned i = 0; i < CONNS; i++)
			conn[i].slot = -1;
		make_conn(0);
		c->v6 = false;
		c->v.ts = false;
		memset(c->saddr + 4, 0, 12);
		memset(c->daddr + 4, 0, 12);
		c->l2 = 0;
		struct l2e e = { 0 };
		rand_l2e(&e);
		e.valid = true;
		push_l2e(0, &e);
		load(0, 3);
		test_state = 1;
		return false;
	case 1:
		swap_slots();
		if (!slot[3].usable)
			return false;
		c->v.mss = t->mss;
		c->v.limit = c->nxt + 100000000;
		c->v.n_sack = 0;
		c->v.ece = c->v.cwr = false;
		push_view(c);
		test_state = 2;
		return false;
	case 2:
		if (tb_pending(VIEW))
			return false;
		steps = 0;
		test_state = 3;
		return false;
	case 3:
		if (++steps < 20)
			return false;
		first_in = frame_at = 0;
		dir_n = 0;
		payload = 0;
		for (unsigned i = 0; i < t->count; i++) {
			struct fpdu w = { .psh = true, .joins = t->joins && i % 17, .more = t->joins && (i + 1) % 17 && i + 1 < t->count };

			push_fpdu(c, c->nxt, t->bytes, c->nxt, c->nxt + t->bytes, w);
			c->nxt += t->bytes;
		}
		test_state = 4;
		return false;
	default:
		if (!at_rest())
			return false;
		if (t->one) {
			unsigned n = frame_at - first_in;

			tb_note("%s: %u", t->what, n);
			tb_check(n <= t->limit + (B < 64 ? 84 / B : 0), "latency");
		} else {
			uint64_t cycles = now_p - first_in - 30; /* the pipe runs empty */
			double r = t->goodput ? (double)payload / cycles / B : (double)cycles / t->count;
			double lim = t->goodput ? t->limit : t->limit * (B < 64 ? 64.0 / B : 1);

			if (t->goodput && B < 64)
				lim = 0.9;
			tb_note("%s: %.3f", t->what, r);
			tb_check(t->goodput ? r >= lim : r <= lim, "rate: %.3f, wanted %.3f", r, lim);
		}
		test_state = 1;
		return ++test_no == sizeof(tests) / sizeof(*tests);
	}
}

void tb_setup(void)
{
	target = tb_opt("n", 60000);
	verbose = tb_opt("log", 0);
	tb_on_packet(FRM, on_frame, NULL);
	tb_on_item(DEP, on_departed, NULL);
	tb_on_item(MAX, on_max, NULL);
	tb_on_item(DROP, on_drop, NULL);
	tb_on_item(BEGIN, on_begin, NULL);
	tb_on_item(VSEEN, on_view, NULL);
	tb_on_item(DSEEN, on_due, NULL);
	tb_on_item(ESEEN, on_l2e, NULL);
	tb_on_item(CSEEN, on_cmd, NULL);
	tb_on_item(STATE, on_state, NULL);
	tb_on_item(FRAME, on_first, NULL);
	tb_on_item(END, on_end, NULL);
	tb_set_now(tb_chance(50) ? tb_rand() : (1ull << 48) - 50000);
	for (unsigned i = 0; i < CONNS; i++)
		make_conn(i);
	for (unsigned i = 0; i < SLOTS; i++)
		slot[i].conn = -1;
	for (unsigned i = 0; i < NL2; i++) {
		struct l2e e = { .vlan = i & 1 };

		rand_l2e(&e);
		push_l2e(i, &e);
	}
	for (unsigned p = VIEW; p <= L2E; p++)
		tb_src_rate(p, 50);
}

/* Of everything something was seen. Traffic goes on until then, up to three times as long as it was to. */
static bool reached(void)
{
	return n_joined > 50 && n_cut > 20 && n_behind > 20 && n_bad > 3 && n_pure > 50 && n_ctl > 20 && stats[2] > 10 && n_lost > 20 && n_moves > 20 && n_fin_again > 3 && n_wide && n_later && n_earlier && n_short;
}

bool tb_step(void)
{
	while (begun.head && begun.head->begun + 2 <= tb_cycle())
		plan(take(&begun));
	if (phase == 0 && tb_cycle() > 60) {
		traffic();
		if (tb_cycle() > target && (reached() || tb_cycle() > 3 * target)) {
			phase = 1;
			tb_snk_rate(FRM, 100);
			steps = 0;
		}
	} else if (phase == 1) {
		swap_slots();
		quiet = true;
		if (at_rest() && ++steps > 30) {
			check_rest();
			phase = 2;
			tb_note("random: %u FPDUs, %u segments (%u joins, %u cut, %u behind what was cut, %u void, %u closed, %u with nothing), %u ACKs, %u control (%u FIN again), %u rode, %u lost, %u frames, %u moves; due waited for %u others at most; of four: %u begin earlier, %u end later, %u earlier, %u at a full segment",
				n_fpdus, n_seg, n_joined, n_cut, n_behind, n_bad, n_closed, n_none, n_pure, n_ctl, n_fin_again, stats[2], n_lost, n_frames, n_moves, n_wait, n_wide, n_later, n_earlier, n_short);
			tb_check(reached(), "something hardly happened");
		} else if (tb_cycle() > target + 100000) {
			tb_fail("it does not come to rest");
			return true;
		}
	} else if (phase == 2) {
		if (directed()) {
			check_rest();
			phase = 3;
			calm_seg = n_seg;
		}
	} else if (phase == 3) {
		if (calm()) {
			check_rest();
			return true;
		}
	}
	return false;
}

void tb_finish(void)
{
	tb_check(phase == 3, "it ended early");
}
