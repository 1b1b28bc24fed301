// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_tcp_rack alone. Each slot has a connection whose sender, wire and receiver are modelled: segments and ACKs get lost, come late,
 * come twice. The model of detection is RFC 8985 6.2 segment by segment (units of 128 bytes, each with its times), RFC 2018 for the
 * receiver's blocks, RFC 2883 for duplicates.
 *
 * Careful connections give one event at a time: the answer has to be exactly what the RFC says, in bytes, at the time that the
 * engine took. Hasty ones give events as they come, so that words merge and marks are halved; there must hold: no hole
 * holds what the peer SACKed or acknowledged, or what left less than min_rtt + min_rtt / 4 ago; and what is lost is found in the end.
 * Of calm ones nothing is lost, and nothing is late by as much as the reordering window: no hole at all.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"

enum { DP, CN, CLR, OUT, VIS, ST, CLRD };
#define SLOTS (TB_DATA_W == 64 ? 4 : TB_DATA_W == 128 ? 16 : 64)
#define U 128u
#define RING 1024u
#define REO_LEAST 8u
typedef uint64_t u64;
typedef uint32_t u32;

enum { CAREFUL, HASTY, CALM };
struct unit { u32 t0, t; bool rtx, sacked, lost, got; };
struct pkt { bool v; u64 at; u64 from, to; };
struct ack { u64 at; u64 una; unsigned n; u64 b[4][2]; u32 dl, dr; bool ds; };
struct conn {
	unsigned slot, kind, late_pct, late_by;
	u32 off0, seq0; /* of unit 0 */
	u64 una, smax, recover;
	bool rto_rec, up, waiting, loaded;
	unsigned seq, wait_kind;
	u64 wait_from;
	u32 rtt;
	double loss;
	struct unit u[RING];
	struct pkt p[128];
	/* receiver */
	u64 rcv;
	u64 recent[8];
	struct ack q[256];
	unsigned qr, qw;
	bool ds;
	u64 ds_from, ds_to;
	/* the model of RFC 8985 */
	bool on;
	u32 ts, rk_rtt, ts_end, round;
	bool round_on;
	unsigned mult, keep;
	/* what waits */
	bool hole;
	u64 hf, ht;
	u64 reo_at, next_new, progress, tlp_at, life, looked;
	bool reo;
	u64 pend_una;
	bool ev_load, ev_rto;
	struct ack ev;
	bool ev_ack, forgot, asking, asked; /* asked: it leaves at ask_at */
	u64 ask_from, ask_to, ask_at;
	u64 mute;
};
static struct conn c[64];
static u64 n_out, n_exact, n_hole, n_lost, n_rtx, n_rto, n_tlp, n_dsack, n_halve, n_forgot, n_calm, n_load, n_spur, n_late, n_reo, n_rlost;
static bool ready;
static long dbg = -1;
static u64 ticks(void) { return tb_get_now() >> 10; }
static struct unit *un(struct conn *k, u64 i) { return &k->u[i % RING]; }
static u32 off(const struct conn *k, u64 i) { return k->off0 + (u32)i * U; }
static u64 idx(const struct conn *k, u32 o) { return (u32)(o - k->off0) / U + (((k->smax >> 25) << 25)); }

static void departed(struct conn *k, u64 from, u64 to, bool again)
{
	struct tb_pack p;

	tb_pack_begin(&p, 241);
	tb_put(&p, 24, k->slot + 100);
	tb_put(&p, 12, k->slot);
	tb_put(&p, 64, off(k, from) + ((u64)tb_below(5) << 32));
	tb_put(&p, 16, (to - from) * U);
	tb_put(&p, 1, again);
	tb_put(&p, 4, tb_rand());
	tb_put(&p, 1, tb_below(2));
	tb_put(&p, 1, 0);
	tb_put(&p, 1, 0);
	tb_put(&p, 1, tb_below(2));
	tb_put(&p, 1, 0);
	tb_put(&p, 1, 0);
	tb_put(&p, 2, tb_rand());
	tb_put(&p, 32, tb_rand());
	tb_put(&p, 32, tb_rand());
	tb_put(&p, 48, ticks() << 10);
	tb_item_push(DP, p.bits, 31);
	if ((int)k->slot == dbg)
		tb_note("%llu departed %x to %x again %d at %x", (unsigned long long)tb_cycle(), off(k, from), off(k, to), again, (u32)ticks());
}

/* A visit of the conn pipe. */
static void visit(struct conn *k, bool work, bool load, bool rto, bool leave, const struct ack *a)
{
	struct tb_pack p;

	tb_pack_begin(&p, 559);
	tb_put(&p, 12, k->slot);
	tb_put(&p, 24, k->slot + 100);
	tb_put(&p, 2, k->seq);
	tb_put(&p, 1, k->rto_rec);
	tb_put(&p, 32, off(k, k->una));
	tb_put(&p, 32, off(k, k->smax));
	tb_put(&p, 32, k->seq0);
	tb_put(&p, 32, off(k, k->recover));
	tb_put(&p, 32, k->rtt * 8);
	tb_put(&p, 32, k->rtt);
	tb_put(&p, 1, work);
	tb_put(&p, 1, load);
	tb_put(&p, 1, rto);
	tb_put(&p, 1, leave);
	tb_put(&p, 1, k->asking);
	tb_put(&p, 32, k->asking ? off(k, k->ask_from) : (u32)tb_rand());
	tb_put(&p, 32, k->asking ? off(k, k->ask_to) : (u32)tb_rand());
	k->asking = false;
	unsigned n = a ? a->n : 0;
	tb_put(&p, 3, n);
	for (int i = 3; i >= 0; i--) {
		u32 l = tb_rand(), r = tb_rand();

		if (i < (int)n) {
			l = k->seq0 + off(k, a->b[i][0]);
			r = k->seq0 + off(k, a->b[i][1]);
		}
		tb_put(&p, 32, l);
		tb_put(&p, 32, r);
	}
	tb_item_push(CN, p.bits, 70);
	if ((int)k->slot == dbg)
		tb_note("%llu visit work %d load %d rto %d una %x smax %x n %u (%x %x) (%x %x) seq %u", (unsigned long long)tb_cycle(), work, load, rto, off(k, k->una), off(k, k->smax), n, n ? off(k, a->b[0][0]) : 0, n ? off(k, a->b[0][1]) : 0, n > 1 ? off(k, a->b[1][0]) : 0, n > 1 ? off(k, a->b[1][1]) : 0, k->seq);
}

static void begin(struct conn *k)
{
	unsigned slot = k->slot;

	memset(k, 0, sizeof *k);
	k->slot = slot;
	k->kind = tb_below(10) < 5 ? CAREFUL : tb_below(3) ? HASTY : CALM;
	k->off0 = tb_chance(70) ? 0u - tb_below(200) * U : (u32)tb_rand();
	k->seq0 = tb_rand();
	k->una = k->smax = k->rcv = k->recover = tb_below(50);
	k->rtt = tb_range(60, 160);
	k->loss = k->kind == CALM ? 0 : tb_chance(30) ? 0 : tb_chance(50) ? 0.02 : 0.15;
	k->late_pct = tb_below(3) * 5;
	k->late_by = k->kind == CALM ? k->rtt / 4 - 4 : tb_chance(50) ? k->rtt / 4 - 4 : k->rtt;
	if (k->late_by > (k->kind == CALM ? REO_LEAST - 4 > k->rtt / 4 - 4 ? REO_LEAST - 4 : k->rtt / 4 - 4 : 1000))
		k->late_by = 4;
	for (unsigned i = 0; i < 8; i++)
		k->recent[i] = ~0ull;
	k->mult = 1;
	u32 s = slot;
	tb_item_push(CLR, &s, 2);
	n_load++;
	k->life = tb_cycle() + tb_range(60000, 400000);
}
static void on_clr(int port, const uint8_t *b, void *arg)
{
	struct conn *k = &c[tb_bits_get(b, 0, 12)];

	k->up = true;
	k->ev_load = true;
	k->wait_from = tb_cycle();
	k->waiting = true;
	k->wait_kind = OUT;
	k->progress = ticks();
	visit(k, true, true, false, false, NULL);
}

/* ------------------------------------------------------------------ wire and receiver */
static void transmit(struct conn *k, u64 from, u64 to, bool again)
{
	u64 d = k->rtt / 2;

	for (u64 i = from; i < to; i++) {
		struct unit *x = un(k, i);

		if (!again)
			memset(x, 0, sizeof *x), x->t0 = ticks();
		x->t = ticks();
		x->rtx = again;
		x->lost = false;
	}
	departed(k, from, to, again);
	if (!again)
		k->smax = to;
	n_rtx += again;
	if (k->loss && (tb_rand() & 0xffff) < k->loss * 65536)
		return;
	for (unsigned copies = k->kind != CALM && tb_below(100) == 0 ? 2 : 1; copies; copies--)
		for (unsigned i = 0; i < 128; i++)
			if (!k->p[i].v) {
				bool late = tb_chance(k->late_pct);

				k->p[i] = (struct pkt){ true, ticks() + d + (late ? tb_below(k->late_by + 1) : 0), from, to };
				n_late += late;
				break;
			}
}

static void receive(struct conn *k, u64 from, u64 to)
{
	struct ack *a = &k->q[k->qw % 256];
	u64 seen[4][2];
	unsigned n = 0;
	bool dup = true;

	for (u64 i = from; i < to; i++)
		if (i >= k->rcv && !un(k, i)->got)
			dup = false;
	for (u64 i = from; i < to; i++)
		if (i >= k->rcv)
			un(k, i)->got = true;
	while (k->rcv < k->smax && un(k, k->rcv)->got)
		k->rcv++;
	memset(a, 0, sizeof *a);
	a->at = ticks() + k->rtt - k->rtt / 2;
	a->una = k->rcv;
	memmove(k->recent + 1, k->recent, 7 * 8);
	k->recent[0] = from;
	if (dup) { /* RFC 2883: first */
		seen[n][0] = from;
		seen[n++][1] = to;
		a->ds = true;
	}
	for (unsigned r = 0; r < 8 && n < 4; r++) {
		u64 l = k->recent[r], e;
		bool have = false;

		if (l == ~0ull || l < k->rcv)
			continue;
		for (e = l; l > k->rcv && un(k, l - 1)->got; l--)
			;
		while (e < k->smax && un(k, e)->got)
			e++;
		for (unsigned j = a->ds; j < n; j++)
			have |= seen[j][0] == l;
		if (!have && e > l) {
			seen[n][0] = l;
			seen[n++][1] = e;
		}
	}
	a->n = n;
	memcpy(a->b, seen, sizeof seen);
	if (k->kind == CALM || !k->loss || (tb_rand() & 0xffff) >= k->loss * 65536 / 2)
		k->qw++;
}

/* ------------------------------------------------------------------ RFC 8985 */
static int32_t diff(u32 a, u32 b) { return (int32_t)(a - b); }
static u32 reo(const struct conn *k)
{
	u32 r = k->mult * (k->rtt / 4);

	if (r > k->rtt)
		r = k->rtt;
	return r < REO_LEAST ? REO_LEAST : r;
}
static void delivered(struct conn *k, u64 i, u32 now)
{
	struct unit *x = un(k, i);
	u32 t = x->t;

	if (x->rtx && now - x->t < k->rtt) { /* of the first copy, as it seems */
		n_spur++;
		t = x->t0;
	}
	if (!k->on || diff(t, k->ts) > 0 || (t == k->ts && diff(off(k, i + 1), k->ts_end) > 0)) {
		k->on = true;
		k->ts = t;
		k->rk_rtt = now - t;
		k->ts_end = off(k, i + 1);
	}
}
static bool rfc_due(struct conn *k, u64 i)
{
	struct unit *x = un(k, i);

	return k->on && !x->sacked && !x->lost && (diff(x->t, k->ts) < 0 || (x->t == k->ts && diff(off(k, i + 1), k->ts_end) < 0));
}
static void rfc(struct conn *k, u32 now)
{
	if (k->ev_ack) {
		for (u64 i = k->pend_una; i < k->una; i++)
			if (!un(k, i)->sacked)
				delivered(k, i, now);
		for (unsigned b = k->ev.ds; b < k->ev.n; b++)
			for (u64 i = k->ev.b[b][0] > k->una ? k->ev.b[b][0] : k->una; i < k->ev.b[b][1]; i++)
				if (!un(k, i)->sacked) {
					un(k, i)->sacked = true;
					delivered(k, i, now);
				}
	}
	for (u64 i = k->una; i < k->smax; i++)
		if (rfc_due(k, i) && (int32_t)(now - un(k, i)->t - k->rk_rtt - reo(k)) >= 0) {
			n_rlost += un(k, i)->rtx;
			un(k, i)->lost = true;
		}
}

/* ------------------------------------------------------------------ answers */
static void on_out(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;

	tb_unpack_begin(&p, bits, 265);
	struct conn *k = &c[tb_get(&p, 12) % SLOTS];
	u32 now = tb_get(&p, 32);
	unsigned qpn = tb_get(&p, 24), seq = tb_get(&p, 2);
	tb_get(&p, 32);
	unsigned hole = tb_get(&p, 1);
	tb_get(&p, 1);
	u32 from = tb_get(&p, 32), to = tb_get(&p, 32), lost = tb_get(&p, 32), sacked = tb_get(&p, 32);
	unsigned reo_on = tb_get(&p, 1);
	u32 reo_at = tb_get(&p, 32);
	const char *kind = k->kind == CAREFUL ? "careful" : k->kind == HASTY ? "hasty" : "calm";

	n_out++;
	if ((int)k->slot == dbg)
		tb_note("%llu out hole %d %x to %x lost %u sacked %u reo %d %x now %x", (unsigned long long)tb_cycle(), hole, from, to, lost, sacked, reo_on, reo_at, now);
	tb_check(qpn == k->slot + 100, "an answer of QPN %u for slot %u", qpn, k->slot);
	if (!k->up)
		return;
	u64 hf = idx(k, from), ht = idx(k, to);

	if (k->ev_rto)
		for (u64 i = k->una; i < k->smax; i++)
			un(k, i)->sacked = false, un(k, i)->lost = true;
	if (hole) {
		n_hole++;
		tb_check((from - k->off0) % U == 0 && (to - k->off0) % U == 0 && hf < ht && ht <= k->smax, "slot %u (%s): hole %x to %x", k->slot, kind, from, to);
		if (k->kind == CALM) {
			tb_fail("slot %u: a hole at %x to %x, nothing was lost (left %u ticks ago, RTT %u)", k->slot, from, to, now - un(k, hf)->t, k->rtt);
			n_calm++;
		}
		for (u64 i = hf > k->una ? hf : k->una; i < ht && i < k->smax; i++) {
			struct unit *x = un(k, i);

			if (k->rto_rec && i < k->recover && k->kind == HASTY)
				continue;
			if (x->sacked) {
				tb_fail("slot %u (%s): %x to %x is said to be lost, %x is SACKed", k->slot, kind, from, to, off(k, i));
				break;
			}
			if (!(k->rto_rec && i < k->recover) && now - x->t < k->rtt + k->rtt / 4) {
				if (seq == k->seq && !k->forgot) {
					tb_fail("slot %u (%s): %x is said to be lost, it left %u ticks ago, RTT %u", k->slot, kind, off(k, i), now - x->t, k->rtt);
					break;
				}
			}
		}
	}
	if (k->kind == CAREFUL) {
		u32 m_lost = 0, m_sacked = 0;
		u64 mf = 0, mt = 0, i;
		bool mh = false;
		u32 first = 0;
		bool cand = false;

		n_exact++;
		rfc(k, now);
		for (i = k->una; i < k->smax; i++) {
			struct unit *x = un(k, i);

			if (x->sacked)
				m_sacked += U;
			else if (x->lost) {
				m_lost += U;
				if (!mh)
					mf = mt = i;
				mh = true;
				if (mt == i)
					mt = i + 1;
			} else if (rfc_due(k, i)) {
				/* Ranges that touch and were sent again within the same 8 ticks are one, with the later time. */
				u32 by = (x->rtx ? x->t | 7 : x->t) + k->rk_rtt + reo(k);

				if (!cand || diff(by, first) < 0)
					first = by;
				cand = true;
			}
		}
		n_lost += m_lost / U;
		tb_check(hole == mh && (!mh || (from == off(k, mf) && to == off(k, mt))), "slot %u: hole %d %x to %x, should be %d %x to %x", k->slot, hole, from,
			 to, mh, mh ? off(k, mf) : 0, mh ? off(k, mt) : 0);
		tb_check(lost == m_lost, "slot %u: %u bytes are lost, should be %u", k->slot, lost, m_lost);
		tb_check(sacked == m_sacked, "slot %u: %u bytes are SACKed, should be %u", k->slot, sacked, m_sacked);
		tb_check(!cand || (reo_on && diff(reo_at, first) <= 0), "slot %u: looks again %d at %x, should by %x", k->slot, reo_on, reo_at, first);
	}
	k->ev_ack = k->ev_load = k->ev_rto = false;
	k->wait_kind = VIS; /* the visit ends a cycle later */
	if (seq == k->seq) {
		k->hole = hole;
		k->hf = hf;
		k->ht = ht;
	}
	k->reo = reo_on;
	k->reo_at = ticks() + (diff(reo_at, (u32)ticks()) > 0 ? diff(reo_at, (u32)ticks()) : 0);
	n_reo += reo_on;
}
static void on_vis(int port, const uint8_t *b, void *arg)
{
	struct conn *k = &c[tb_bits_get(b, 0, 12) % SLOTS];

	if ((int)k->slot == dbg)
		tb_note("%llu vis", (unsigned long long)tb_cycle());
	if (k->waiting && k->wait_kind == VIS)
		k->waiting = false;
}
static void on_st(int port, const uint8_t *b, void *arg)
{
	ready = tb_bits_get(b, 5, 1);
	n_forgot += tb_bits_get(b, 3, 1);
	if (tb_bits_get(b, 3, 1))
		c[tb_bits_get(b, 6, 12) % SLOTS].forgot = true;
	n_halve += tb_bits_get(b, 2, 1);
	n_dsack += tb_bits_get(b, 1, 1);
}

/* ------------------------------------------------------------------ one connection, each cycle */
static void step(struct conn *k)
{
	u64 t = ticks();
	bool busy = k->kind == CAREFUL && k->waiting;

	if (!k->up)
		return;
	/* once a tick, of which each has 85 cycles: what leaves arrives in a later one */
	if (t != k->looked)
		for (unsigned i = 0; i < 128; i++)
			if (k->p[i].v && k->p[i].at <= t) {
				k->p[i].v = false;
				receive(k, k->p[i].from, k->p[i].to);
			}
	k->looked = t;
	if (busy) {
		if (tb_cycle() > k->wait_from + 30000) {
			tb_fail("slot %u waits for %s", k->slot, k->wait_kind == VIS ? "a visit" : "an answer");
			k->waiting = false;
		}
		return;
	}
	k->wait_from = tb_cycle();
	/* an ACK */
	if (k->qr != k->qw && k->q[k->qr % 256].at <= t) {
		struct ack *a = &k->q[k->qr++ % 256];

		k->pend_una = k->una;
		if (a->una > k->una) {
			k->una = a->una;
			k->progress = t;
		}
		bool leave = k->rto_rec && k->una >= k->recover;

		if (leave)
			k->rto_rec = false;
		if (a->ds) {
			/* as in the RTL: once a round trip */
			if (k->kind == CAREFUL && !(k->round_on && diff(off(k, k->una), k->round) < 0)) {
				u64 l = a->b[0][0], r = a->b[0][1];
				bool below = r <= k->una, inside = a->n > 1 && l >= a->b[1][0] && r <= a->b[1][1] && a->b[1][1] > k->una;

				if (below || inside) {
					k->mult += k->mult < 15;
					k->keep = 16;
					k->round = off(k, k->smax);
					k->round_on = true;
				}
			}
		}
		if (leave && k->kind == CAREFUL && k->mult != 1)
			k->mult = k->keep-- ? k->mult : 1;
		k->ev = *a;
		k->ev_ack = true;
		visit(k, true, false, false, leave, a);
		if (k->kind == CAREFUL) { /* the model: at the answer */
			k->waiting = true;
			k->wait_kind = OUT;
		}
		return;
	}
	/* what was asked for */
	if (k->asked && k->ask_at <= t) {
		u64 f = k->ask_from > k->una ? k->ask_from : k->una;

		k->asked = false;
		if (f < k->ask_to) {
			transmit(k, f, k->ask_to, true);
			return;
		}
	}
	if (k->hole && k->kind != CAREFUL) { /* what is asked for leaves a little later */
		u64 f = k->hf > k->una ? k->hf : k->una, e = k->ht;

		if (k->asked)
			return;
		k->hole = false;
		if (f < e) {
			k->asking = k->asked = true;
			k->ask_from = f;
			k->ask_to = e > f + 6 ? f + 1 + tb_below(6) : e;
			k->ask_at = t + tb_below(30);
			for (u64 i = f; i < k->ask_to; i++)
				un(k, i)->t = t;
			k->seq = (k->seq + 1) & 3;
			visit(k, true, false, false, false, NULL);
			return;
		}
	}
	if (k->hole) {
		u64 f = k->hf > k->una ? k->hf : k->una, e = k->ht;

		k->hole = false;
		if (f < e) {
			if (e > f + 6)
				e = f + 1 + tb_below(6);
			transmit(k, f, e, true);
			k->seq = (k->seq + 1) & 3;
			k->reo = true; /* what is done is told a little later */
			k->reo_at = t + (k->kind == CAREFUL ? 9 : 1); /* times of repetitions are apart, too */
			if (k->kind == CAREFUL) {
				k->waiting = true;
				k->wait_kind = VIS;
			}
			return;
		}
	}
	if (k->reo && k->reo_at <= t) {
		k->reo = false;
		visit(k, true, false, false, false, NULL);
		k->waiting = true;
		k->wait_kind = OUT;
		return;
	}
	if (t > k->progress + 12 * k->rtt && k->smax > k->una) {
		k->progress = t;
		k->rto_rec = true;
		k->recover = k->smax;
		k->ev_rto = true;
		k->seq = (k->seq + 1) & 3;
		n_rto++;
		visit(k, true, false, true, false, NULL);
		k->waiting = true;
		k->wait_kind = OUT;
		return;
	}
	if (t > k->progress + 3 * k->rtt && k->smax > k->una && t > k->tlp_at && k->kind != CALM) {
		k->tlp_at = t + 3 * k->rtt;
		n_tlp++;
		transmit(k, k->smax - 1, k->smax, true);
		k->seq = (k->seq + 1) & 3;
		k->waiting = true;
		k->wait_kind = VIS;
		return;
	}
	/* new data: careful ones keep few segments, each in a tick of its own, so that marks are exact */
	unsigned most = k->kind == CAREFUL ? 60 : 400;

	if (t >= k->next_new && k->smax - k->una < most && tb_cycle() < k->life) {
		unsigned n = k->kind == CAREFUL ? tb_range(2, 5) : tb_range(1, 4);

		transmit(k, k->smax, k->smax + n, false);
		k->next_new = t + (k->kind == CAREFUL ? tb_range(8, 12) : tb_range(0, 3));
		if (tb_chance(3))
			k->next_new = t + tb_range(1, 3) * k->rtt;
		if (k->kind == CAREFUL) {
			k->waiting = true;
			k->wait_kind = VIS;
		}
		return;
	}
	if (tb_cycle() >= k->life) {
		if (k->una == k->smax || tb_cycle() > k->life + 400000) {
			tb_check(k->una == k->smax, "slot %u (kind %u): not all came: una %x, smax %x", k->slot, k->kind, off(k, k->una), off(k, k->smax));
			k->up = false;
			k->mute = tb_cycle() + 2000;
		}
	}
}

static u64 end_at;
void tb_setup(void)
{
	tb_on_item(OUT, on_out, NULL);
	tb_on_item(VIS, on_vis, NULL);
	tb_on_item(ST, on_st, NULL);
	tb_on_item(CLRD, on_clr, NULL);
	tb_set_now(((u64)tb_rand() >> 12) | 1);
	tb_ns_per_cycle = 12;
	end_at = tb_opt("cycles", 900000);
	dbg = tb_opt("dbg", -1);
	for (unsigned i = 0; i < SLOTS; i++)
		c[i].slot = i;
}

bool tb_step(void)
{
	static u64 until;

	if (!ready)
		return false;
	if (tb_cycle() >= until) {
		until = tb_cycle() + tb_range(1000, 5000);
		tb_snk_rate(OUT, tb_chance(60) ? 100 : tb_range(5, 100));
	}
	for (unsigned n = 0; n < SLOTS; n++) {
		struct conn *k = &c[n];

		if (!k->up && !tb_pending(CLR) && !tb_pending(CN) && tb_cycle() > k->mute && tb_cycle() < end_at && !k->loaded) {
			k->loaded = true;
			begin(k);
			k->loaded = true;
		}
		if (k->up) {
			k->loaded = false;
			step(k);
		}
	}
	if (tb_cycle() > end_at) {
		for (unsigned n = 0; n < SLOTS; n++)
			if (c[n].up) {
				if (c[n].life > tb_cycle())
					c[n].life = tb_cycle();
				return false;
			}
		return true;
	}
	return false;
}

void tb_finish(void)
{
	tb_note("%llu answers, %llu of them compared with RFC 8985; %llu holes, %llu repetitions (%llu lost again), %llu RTO, %llu TLP",
		(unsigned long long)n_out, (unsigned long long)n_exact, (unsigned long long)n_hole, (unsigned long long)n_rtx, (unsigned long long)n_rlost,
		(unsigned long long)n_rto, (unsigned long long)n_tlp);
	tb_note("%llu late, %llu ambiguous, %llu DSACK, %llu looks later, %llu halved, %llu ranges forgotten, %llu loads", (unsigned long long)n_late,
		(unsigned long long)n_spur, (unsigned long long)n_dsack, (unsigned long long)n_reo, (unsigned long long)n_halve,
		(unsigned long long)n_forgot, (unsigned long long)n_load);
	tb_check(n_exact > 500 && n_hole > 50 && n_rtx > 50 && n_late > 50 && n_dsack > 2 && n_halve > 5 && n_reo > 50 && n_rlost > 3,
		 "the traffic does not reach everything");
}
