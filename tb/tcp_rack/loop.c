// SPDX-License-Identifier: BSD-2-Clause
/*
 * The sender in a closed loop: a link of 100 Gb/s, 20 us each way, MTU 9000, a receiver that acknowledges every second segment,
 * and at once what is ahead, behind or fills a hole, with SACK (RFC 2018) and DSACK (RFC 2883). The wire loses, delays and doubles segments;
 * the model knows what became of each.
 *
 * Asserted: all bytes arrive (what is lost is asked for again); nothing is asked for that was SACKed 6 us ago or longer; nothing
 * that arrives less late than the reordering window (but behind a time-out, a tail loss probe or a load); what is in flight
 * never exceeds a congestion window that follows RFC 5681 and 6582 as told by the losses; time-outs are
 * rare; a connection that is evicted at random goes on. Printed: goodput as a part of that without loss, beside 1.22 MSS / (RTT sqrt p).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { SEG, DP, SMAX, FIRE, HAVE, LOAD, SAVE, VIEW, TX, ASK, TMR, NEED, DROP, LINE, RTO, READY, LDT, SEGT };
#define SLOTS 8
#define NQ 12
#define MSS 8948u
#define RTT 40000.0
#define RING 8192u
typedef uint64_t u64;
typedef uint32_t u32;

static struct phase { const char *name; double loss, late, dup, ackloss; unsigned places, conns, segs, evict, ns; bool bare; /* the receiver keeps nothing ahead of turn, and so reports nothing */
	unsigned told; /* ns until it reports what it keeps, which it acknowledges at once (a card whose ring is behind PCIe) */ bool plain; /* no SACK */ } phases[] = {
	{ "no loss", 0, 0, 0, 0, 0, 1, 4000, 0, 20, false, 0, false },
	{ "0.1 % lost", 0.001, 0, 0, 0, 0, 1, 8000, 0, 20, false, 0, false },
	{ "1 % lost", 0.01, 0, 0, 0, 0, 1, 3000, 0, 40, false, 0, false },
	{ "5 % lost", 0.05, 0, 0, 0, 0, 1, 1200, 0, 40, false, 0, false },
	{ "1 % late by 3 places", 0, 0.01, 0, 0, 3, 1, 4000, 0, 20, false, 0, false },
	{ "5 % late by 3 places", 0, 0.05, 0, 0, 3, 1, 4000, 0, 20, false, 0, false },
	{ "8 connections, 1 % lost", 0.01, 0, 0, 0, 0, 8, 800, 0, 20, false, 0, false },
	{ "12 over 8 slots, everything", 0.01, 0.01, 0.01, 0.02, 3, 12, 500, 1, 40, false, 0, false },
	{ "1 % lost, nothing is kept", 0.01, 0, 0, 0, 0, 1, 1500, 0, 40, true, 0, false },
	{ "1 % lost, reported late", 0.01, 0, 0, 0, 0, 1, 3000, 0, 40, false, 4000, false },
	{ "1 % lost, no SACK", 0.01, 0, 0, 0, 0, 1, 1500, 0, 40, false, 0, true },
	{ "0.01 % lost", 0.0001, 0, 0, 0, 0, 1, 100000, 0, 20, false, 0, false },
};
static unsigned ph, n_phases;

struct pkt { u64 at, from, to; };
struct ack { u64 at, una; unsigned n; u64 b[4][2]; };
/* part: where the latest ask for it ended, if it was not for all of it */
struct unit { u64 tx, sacked, part, rx; bool lost, got, sent; };
struct conn {
	bool on, done;
	enum { AWAY, LOADING, HOME, SAVING } place;
	int slot, pins;
	uint8_t home[256];
	u64 base, smax, una, limit, vlimit, end, quiet, t0, t1;
	u32 seq0, seq0r;
	struct unit u[RING];
	struct pkt p[2048];
	unsigned np;
	u64 p_due;
	/* receiver */
	u64 rcv, delack, recent[8];
	struct { u64 at, from; } st[1024]; /* when it reports what came ahead */
	unsigned sr, sw;
	unsigned pending;
	struct ack q[4096];
	unsigned qr, qw;
	/* An ask ends when it is described; what it asked for leaves later. */
	bool ask;
	u64 ask_at;
	struct { u64 from, at; } d[256];
	unsigned dr, dw, dn;
	bool wheel_on;
	u64 wheel_at;
	u64 vague; /* nothing is known of what lies before */
	/* RFC 5681, 6582 */
	double bound, ss, acc;
	u64 recover;
	bool rec, more; /* more: what left since it began was lost, too */
};
static struct conn c[NQ];
static struct conn *in_slot[SLOTS];
static u64 link_free, n_lost, n_sent, n_again, n_rto, n_tlp, n_late, t_start, t_end, n_save;
static bool ready;
static double base_rate;

static u64 ns(void) { return tb_get_now(); }
static u64 idx(const struct conn *k, u64 off) { return (off - k->base) / MSS; }
static struct unit *un(struct conn *k, u64 i) { return &k->u[i % RING]; }
static void who(struct tb_pack *p, const struct conn *k)
{
	tb_put(p, 24, k - c + 7);
	tb_put(p, 12, k->slot);
}

static void start_load(struct conn *k)
{
	unsigned s;

	for (s = 0; s < SLOTS && in_slot[s]; s++)
		;
	if (k->place != AWAY || s == SLOTS)
		return;
	in_slot[s] = k;
	k->slot = s;
	k->place = LOADING;
	for (unsigned i = 0; i < 4; i++) {
		uint8_t b[72] = { 0 };

		memcpy(b, k->home + 64 * i, 64);
		tb_bits_set(b, 512, 3, i);
		tb_bits_set(b, 517, 12, s);
		tb_bits_set(b, 529, 24, k - c + 7);
		tb_item_push(LOAD, b, 70);
	}
}
static void save(struct conn *k)
{
	struct tb_pack p;

	k->place = SAVING;
	tb_pack_begin(&p, 38);
	who(&p, k);
	tb_put(&p, 2, 1);
	tb_item_push(SAVE, p.bits, 5);
}
#define F(l, x, v) tb_bits_set(k->home + 64 * (l), WEFT_HOME_##x##_LSB, WEFT_HOME_##x##_WIDTH, v)
static void begin(struct conn *k)
{
	bool wheel_on = k->wheel_on;
	u64 wheel_at = k->wheel_at;

	memset(k, 0, sizeof *k);
	k->wheel_on = wheel_on;
	k->wheel_at = wheel_at;
	k->base = (1ull << 32) - tb_below(200) * MSS;
	k->seq0 = tb_rand();
	k->seq0r = tb_rand();
	k->una = k->smax = k->rcv = k->base;
	k->end = k->base + (u64)phases[ph].segs * MSS;
	k->home[0] = 1; /* addresses */
	k->home[16] = 2;
	F(0, KEY_SACK, !phases[ph].plain);
	F(1, SND_UNA, k->una);
	F(1, SND_SND_MAX, (u32)k->smax);
	F(1, SND_SEQ0, k->seq0);
	F(1, SND_WND_EDGE, (u32)(k->una + (2 << 20)));
	F(1, SND_WL1, k->seq0r);
	F(1, SND_WL2, k->seq0 + (u32)k->una);
	F(1, SND_MAX_WND, 2 << 20);
	F(1, SND_RECOVER, (u32)k->una);
	F(1, SND_RTX_NXT, (u32)k->una);
	F(1, SND_MSS, MSS);
	F(1, SND_STATE, 1);
	F(1, SND_WSCALE, 1);
	F(1, SND_SND_SHIFT, 7);
	F(2, RCV_RIGHT, 100000);
	F(2, RCV_SEQ0, k->seq0r);
	F(2, RCV_LAST_ACK, k->seq0r);
	F(2, RCV_ADV, k->seq0r + 100000);
	F(2, RCV_WEFT, 1);
	/* As a handshake leaves it, in ticks of 1,024 ns: without a sample of the RTT the first time-out is a second. */
	F(3, TIM_RTT_SEEN, 1);
	F(3, TIM_SRTT, 8 * 39);
	F(3, TIM_RTTVAR, 2 * 39);
	F(3, TIM_MIN_RTT, 39);
	for (unsigned i = 0; i < 8; i++)
		k->recent[i] = ~0ull;
	k->on = true;
	k->t0 = ns();
	k->bound = 10 * MSS < 14600 ? 10 * MSS : 2 * MSS;
	k->ss = 1e12;
	k->p_due = ~0ull;
	start_load(k);
}

/* ------------------------------------------------------------------ wire, receiver */
static void departed(struct conn *k, u64 from, u64 len, bool again, bool done)
{
	struct tb_pack p;

	tb_pack_begin(&p, 241);
	who(&p, k);
	tb_put(&p, 64, from);
	tb_put(&p, 16, len);
	tb_put(&p, 1, again);
	tb_put(&p, 4, 0);
	tb_put(&p, 1, done);
	tb_put(&p, 4, 0); /* ack_only, fin, cut, cwr */
	tb_put(&p, 1, !len);
	tb_put(&p, 2, 0);
	tb_put(&p, 32, k->seq0r);
	tb_put(&p, 32, k->seq0r + 100000);
	tb_put(&p, 48, ns());
	tb_item_push(DP, p.bits, 31);
	k->quiet = tb_cycle();
}
static void transmit(struct conn *k, u64 from, u64 to, bool again)
{
	struct tb_pack p;
	const struct phase *f = &phases[ph];
	double r = (double)(tb_rand() >> 11) / (1ull << 53);
	u64 i = idx(k, from);
	bool lost = r < f->loss, late = !lost && r < f->loss + f->late, dup = !lost && !late && r < f->loss + f->late + f->dup;

	if (!again) {
		tb_pack_begin(&p, 100);
		who(&p, k);
		tb_put(&p, 64, to);
		tb_item_push(SMAX, p.bits, 13);
		k->smax = to;
		memset(un(k, i), 0, sizeof(struct unit));
	}
	un(k, i)->sent = true;
	un(k, i)->tx = ns();
	un(k, i)->lost = lost;
	n_lost += lost;
	n_late += late;
	n_sent++;
	n_again += again;
	departed(k, from, to - from, again, false);
	if (!lost)
		for (unsigned n = dup ? 2 : 1; n && k->np < 2048; n--) {
			struct pkt *q = &k->p[k->np++];

			*q = (struct pkt){ ns() + (u64)(RTT / 2) + (late ? f->places * 720 + 360 : 0), from, to };
			if (q->at < k->p_due)
				k->p_due = q->at;
		}
}

/* It arrived, and is reported by now. */
static bool told(struct conn *k, u64 off)
{
	struct unit *x = un(k, idx(k, off));

	return x->got && x->rx + phases[ph].told <= ns();
}
static void send_ack(struct conn *k, u64 df, u64 dt)
{
	struct ack *a = &k->q[k->qw % 4096];
	unsigned n = 0;

	memset(a, 0, sizeof *a);
	a->at = ns() + (u64)(RTT / 2);
	a->una = k->rcv;
	if (dt && !phases[ph].plain) {
		a->b[n][0] = df;
		a->b[n++][1] = dt;
	}
	for (unsigned r = 0; r < 8 && n < 4 && !phases[ph].plain; r++) {
		u64 l = k->recent[r], e;
		bool have = false;

		if (l == ~0ull || l < k->rcv)
			continue;
		/* The newest that is reported, of what lies together: the list has the latest eight, each of them perhaps too young. */
		while (l > k->rcv && !told(k, l) && un(k, idx(k, l - MSS))->got)
			l -= MSS;
		if (!told(k, l))
			continue;
		for (e = l; l > k->rcv && told(k, l - MSS); l -= MSS)
			;
		while (e < k->smax && told(k, e))
			e += MSS;
		for (unsigned j = !!dt; j < n; j++)
			have |= a->b[j][0] == l;
		if (!have && e > l) {
			a->b[n][0] = l;
			a->b[n++][1] = e;
		}
	}
	a->n = n;
	k->pending = 0;
	k->delack = 0;
	if ((double)(tb_rand() >> 11) / (1ull << 53) >= phases[ph].ackloss)
		k->qw++;
}
static void receive(struct conn *k, u64 from, u64 to)
{
	struct unit *x = un(k, idx(k, from));
	bool dup = from < k->rcv || x->got, hole = false;

	if (phases[ph].bare && from > k->rcv) {
		send_ack(k, from, 0);
		return;
	}
	if (!x->got)
		x->rx = ns();
	x->got = true;
	for (unsigned r = 0; r < 8; r++)
		hole |= k->recent[r] != ~0ull && k->recent[r] > k->rcv;
	if (from > k->rcv) {
		memmove(k->recent + 1, k->recent, 7 * 8);
		k->recent[0] = from;
		if (phases[ph].told)
			k->st[k->sw % 1024].at = ns() + phases[ph].told, k->st[k->sw++ % 1024].from = from;
	}
	while (k->rcv < k->smax && un(k, idx(k, k->rcv))->got)
		k->rcv += MSS;
	if (dup || hole || from > k->rcv || ++k->pending >= 2)
		send_ack(k, from, dup ? to : 0);
	else
		k->delack = ns() + 500000;
}

static void react(struct conn *k, u64 una)
{
	double half = (double)(k->smax - k->una) / 2;

	k->rec = una < k->smax;
	k->recover = k->smax;
	k->ss = k->bound = half > 2.0 * MSS ? half : 2.0 * MSS;
	k->acc = 0;
}
static void deliver(struct conn *k)
{
	struct ack *a = &k->q[k->qr++ % 4096];
	struct tb_pack p;

	tb_pack_begin(&p, 815);
	who(&p, k);
	tb_put(&p, 4, 0);
	tb_put(&p, 12, tb_below(4096));
	tb_put(&p, 8, 54);
	tb_put(&p, 16, 0);
	tb_put(&p, 32, k->seq0r);
	tb_put(&p, 32, k->seq0 + (u32)a->una);
	tb_put(&p, 16, (2 << 20) >> 7);
	tb_put(&p, 9, 16);
	tb_put(&p, 2, 0);
	tb_put(&p, 1, 0);
	tb_put(&p, 32, 0);
	tb_put(&p, 32, 0);
	tb_put(&p, 3, a->n);
	for (int i = 3; i >= 0; i--) {
		tb_put(&p, 32, i < (int)a->n ? k->seq0 + (u32)a->b[i][0] : 0);
		tb_put(&p, 32, i < (int)a->n ? k->seq0 + (u32)a->b[i][1] : 0);
	}
	tb_put(&p, 14, 0); /* ipv6, vlan, vid */
	tb_put(&p, 64, 0);
	tb_put(&p, 64, 2);
	tb_put(&p, 64, 0);
	tb_put(&p, 64, 1);
	tb_put(&p, 32, 0);
	tb_put(&p, 22, 0);
	tb_item_push(SEG, p.bits, 102);
	k->pins++;
	for (unsigned b = 0; b < a->n; b++)
		for (u64 o = a->b[b][0]; o < a->b[b][1]; o += MSS)
			if (o >= a->una && !un(k, idx(k, o))->sacked)
				un(k, idx(k, o))->sacked = ns();
	if (a->una > k->una) {
		double n = a->una - k->una;

		if (k->rec && a->una >= k->recover) {
			k->rec = false;
			if (k->more)
				react(k, a->una);
			k->more = false;
		}
		if (!k->rec && k->bound < k->ss)
			k->bound += n < MSS ? n : MSS;
		else if (!k->rec && (k->acc += n) >= k->bound) {
			k->acc -= k->bound;
			k->bound += MSS;
		}
		k->una = a->una;
	}
}

/* ------------------------------------------------------------------ what the unit says */
static struct conn *of(u64 qpn) { return &c[(qpn - 7) % NQ]; }
static void on_view(int port, const uint8_t *b, void *arg) { of(tb_bits_get(b, 76, 24))->vlimit = tb_bits_get(b, 0, 64); }
static void on_tx(int port, const uint8_t *b, void *arg)
{
	struct conn *k = of(tb_bits_get(b, 205, 24));

	k->limit = tb_bits_get(b, 65, 64);
	tb_check(!tb_bits_get(b, 0, 1), "connection %u is given up", (unsigned)(k - c));
}
static void on_ask(int port, const uint8_t *b, void *arg)
{
	struct conn *k = of(tb_bits_get(b, 145, 24));
	u64 from = tb_bits_get(b, 69, 64), to = tb_bits_get(b, 5, 64), rest = from;
	bool probe = tb_bits_get(b, 0, 1);

	tb_check(!k->ask, "two asks of connection %u", (unsigned)(k - c));
	tb_check(from < to && to <= k->smax, "ask from %llx to %llx, SND_MAX is %llx", (unsigned long long)from, (unsigned long long)to, (unsigned long long)k->smax);
	k->ask = true;
	k->ask_at = ns() + 1200;
	from -= (from - k->base) % MSS;
	for (u64 o = from; o < to; o += MSS) {
		tb_check(k->dw - k->dr < 256, "too much is asked for");
		k->d[k->dw % 256].from = o;
		k->d[k->dw++ % 256].at = ns() + 4000;
	}
	if (probe) {
		n_tlp++;
		return;
	}
	if (phases[ph].bare) /* what is out is lost, when it arrives */
		k->vague = k->smax;
	if (!k->rec && k->una >= k->recover)
		react(k, k->una);
	else if (k->rec && from >= k->recover)
		k->more = true;
	for (u64 o = from; o < to; o += MSS) {
		struct unit *x = un(k, idx(k, o));

		if (o < k->una || o < k->vague)
			continue;
		tb_check(!(x->sacked && x->sacked + 6000 < ns()), "connection %u: %llx was SACKed %llu ns ago and is asked for", (unsigned)(k - c),
			 (unsigned long long)o, (unsigned long long)(ns() - x->sacked));
		/*
		 * An ask ends where the congestion window does, and the slicer sends as much. Here whole segments leave, so the rest of
		 * one may have left again, not asked for, just before it is asked for.
		 */
		if (phases[ph].ackloss == 0)
			tb_check(x->lost || (rest == x->part && x->tx + 6000 > ns()), "connection %u: %llx is asked for; it was not lost, it left %llu ns ago", (unsigned)(k - c), (unsigned long long)o,
				 (unsigned long long)(ns() - x->tx));
		x->part = to < o + MSS ? to : 0;
	}
}
static void on_rto(int port, const uint8_t *b, void *arg)
{
	struct conn *k = in_slot[tb_bits_get(b, 0, 12) % SLOTS];

	n_rto++;
	if (!k)
		return;
	k->vague = k->smax;
	k->rec = true;
	k->recover = k->smax;
	k->bound = k->bound / 2 > 2.0 * MSS ? k->bound / 2 : 2.0 * MSS; /* of what may leave: at most */
}
static void on_tmr(int port, const uint8_t *b, void *arg)
{
	struct conn *k = of(tb_bits_get(b, 65, 24));

	k->wheel_on = tb_bits_get(b, 64, 1);
	k->wheel_at = (tb_bits_get(b, 0, 64) + 16383) >> 14 << 14;
}
static struct conn *need_c;
static void on_need(int port, const uint8_t *b, void *arg) { need_c = of(tb_bits_get(b, 0, 24)); }
static void on_drop(int port, const uint8_t *b, void *arg)
{
	struct conn *k = in_slot[tb_bits_get(b, 4, 12) % SLOTS];

	if (k)
		k->pins -= (int)(tb_bits_get(b, 0, 4) ^ 8) - 8;
	tb_check(k && k->pins >= 0, "pins of slot %u", (unsigned)tb_bits_get(b, 4, 12));
}
static void on_line(int port, const uint8_t *b, void *arg)
{
	struct conn *k = of(tb_bits_get(b, 529, 24));
	unsigned n = tb_bits_get(b, 512, 3);

	memcpy(k->home + 64 * n, b, 64);
	if (n == 3) {
		in_slot[k->slot] = NULL;
		k->place = AWAY;
	}
}
static void on_ldt(int port, const uint8_t *b, void *arg)
{
	struct conn *k = in_slot[tb_bits_get(b, 0, 12) % SLOTS];

	k->place = HOME;
	k->quiet = tb_cycle();
	k->vague = k->smax;
}
static void on_ready(int port, const uint8_t *b, void *arg) { ready = true; }
static void nothing(int port, const uint8_t *b, void *arg) { }

/* ------------------------------------------------------------------ time */
static bool step(struct conn *k)
{
	u64 t = ns();

	if (k->p_due <= t) {
		u64 due = ~0ull;

		for (unsigned i = 0; i < k->np;) {
			if (k->p[i].at <= t) {
				struct pkt q = k->p[i];

				memmove(&k->p[i], &k->p[i + 1], (--k->np - i) * sizeof q);
				receive(k, q.from, q.to);
			} else {
				if (k->p[i].at < due)
					due = k->p[i].at;
				i++;
			}
		}
		k->p_due = due;
	}
	if (k->delack && k->delack <= t)
		send_ack(k, 0, 0);
	if (k->sr != k->sw && k->st[k->sr % 1024].at <= t) {
		if (k->st[k->sr++ % 1024].from > k->rcv)
			send_ack(k, 0, 0);
	}
	if (k->qr != k->qw && k->q[k->qr % 4096].at <= t) {
		if (k->place == HOME && tb_pending(SEG) < 2)
			deliver(k);
		else if (k->place == AWAY)
			start_load(k);
	}
	if (k->wheel_on && k->wheel_at <= t && tb_pending(FIRE) < 2) {
		u32 q = k - c + 7;

		k->wheel_on = false;
		tb_item_push(FIRE, &q, 3);
	}
	if (k->place == AWAY && !k->limit)
		start_load(k); /* qp's first doorbell */
	if (k->ask && k->ask_at <= t) {
		k->ask = false;
		departed(k, 0, 0, false, true);
		k->pins--;
		k->pins += k->dw - k->dn; /* of the descriptions */
		k->dn = k->dw;
	}
	if (link_free <= t && (k->place == HOME || (k->place == AWAY && k->smax < k->end && k->smax + MSS <= k->limit))) {
		if (k->place == AWAY)
			start_load(k);
		else if (k->dr != k->dw && k->d[k->dr % 256].at <= t) {
			u64 o = k->d[k->dr++ % 256].from;

			/* whole segments, whatever was asked for */
			transmit(k, o, o + MSS, true);
			k->pins--;
			link_free = t + 730;
		} else if (k->smax < k->end && k->smax + MSS <= k->limit && k->smax + MSS <= k->vlimit) {
			double flight = 0;

			for (u64 o = k->una; o < k->smax; o += MSS) {
				struct unit *x = un(k, idx(k, o));

				if (!x->sacked && !x->lost)
					flight += MSS;
			}
			if (k->vague <= k->una)
				tb_check(flight <= k->bound + 2.0 * MSS, "connection %u: %.0f bytes are in flight, the congestion window is %.0f at most",
					 (unsigned)(k - c), flight, k->bound);
			transmit(k, k->smax, k->smax + MSS, false);
			link_free = t + 730;
			return true;
		}
	}
	if (phases[ph].evict && k->place == HOME && !k->pins && !k->ask && tb_cycle() > k->quiet + 30 && !tb_pending(DP) && !tb_pending(SMAX)
	    && !tb_pending(SAVE) && tb_below(2000) == 0) {
		save(k);
		n_save++;
	}
	return false;
}

/* Segments of each connection before the measurement. */
static unsigned warm(void)
{
	return phases[ph].conns > 1 ? 0 : phases[ph].segs / 4 < 400 ? phases[ph].segs / 4 : 400;
}
static void phase_begin(void)
{
	for (unsigned i = 0; i < phases[ph].conns; i++)
		begin(&c[i]);
	tb_ns_per_cycle = phases[ph].ns;
	n_lost = n_sent = n_again = n_rto = n_tlp = n_late = 0;
	t_start = t_end = 0;
}
static void phase_end(void)
{
	const struct phase *f = &phases[ph];
	double bytes = (double)(f->segs - 2 - warm()) * MSS * f->conns, t = (double)(t_end - t_start), rate = bytes / t * 4;
	/* by the losses that there were; few of them, and slow start before, leave a wide margin */
	double got = n_lost ? 1.22 * MSS / (RTT * sqrt((double)n_lost / (double)n_sent)) * 4 : 1e9;
	double lim = f->loss ? 1.22 * MSS / (RTT * sqrt(f->loss)) * 4 : 0;

	if (!base_rate)
		base_rate = rate;
	tb_note("%-28s %5.1f B/cycle of 4 ns, %5.1f %%%s%.1f; %llu lost, %llu late, %llu again, %llu TLP, %llu RTO", f->name, rate, 100 * rate / base_rate,
		lim ? "; Reno's formula " : "; link ", lim ? lim : 8948.0 / 730 * 4, (unsigned long long)n_lost, (unsigned long long)n_late, (unsigned long long)n_again,
		(unsigned long long)n_tlp, (unsigned long long)n_rto);
	tb_check(n_rto <= n_lost / 12 + (f->evict ? f->conns : 0), "%s: %llu time-outs", f->name, (unsigned long long)n_rto);
	if (!f->evict && !f->bare)
		tb_check(n_again <= n_lost * 6 / 5 + 3 + n_tlp, "%s: %llu sent again", f->name, (unsigned long long)n_again);
	if (lim)
		tb_check(f->conns > 1 || rate < 2.2 * got, "%s: faster than the congestion window allows", f->name),
		tb_check(rate * f->conns > (f->bare ? 0.25 : 0.5) * (lim < base_rate ? lim : base_rate), "%s: too slow", f->name);
	else if (!f->evict)
		tb_check(rate > 0.9 * base_rate, "%s: too slow", f->name);
}

void tb_setup(void)
{
	static const struct { int port; tb_item_fn fn; } t[] = { { VIEW, on_view }, { TX, on_tx }, { ASK, on_ask }, { TMR, on_tmr }, { NEED, on_need },
		{ DROP, on_drop }, { LINE, on_line }, { RTO, on_rto }, { READY, on_ready }, { LDT, on_ldt }, { SEGT, nothing } };

	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++)
		tb_on_item(t[i].port, t[i].fn, NULL);
	tb_set_now((u64)tb_below(1000000) << 30);
	ph = tb_opt("phase", 0);
	n_phases = tb_opt("phases", 11);
}

bool tb_step(void)
{
	static bool going;
	static u64 since;
	static unsigned turn;
	bool all = true, warmed = true, near = true;

	if (!ready)
		return false;
	if (!going) {
		phase_begin();
		going = true;
		since = tb_cycle();
	}
	if (need_c) {
		struct tb_pack p;
		unsigned st = need_c->place == HOME ? 2 : need_c->place == SAVING ? 3 : 1;

		if (st == 2)
			need_c->pins++;
		if (need_c->place == AWAY) {
			start_load(need_c);
			st = need_c->place == LOADING ? 1 : 3;
		}
		tb_pack_begin(&p, 44);
		tb_put(&p, 2, st);
		tb_put(&p, 24, need_c - c + 7);
		tb_put(&p, 12, need_c->slot);
		tb_put(&p, 6, 0);
		tb_item_push(HAVE, p.bits, 6);
		need_c = NULL;
	}
	turn++;
	for (unsigned i = 0; i < phases[ph].conns; i++) {
		struct conn *k = &c[(i + turn) % phases[ph].conns];

		step(k);
		all &= k->una >= k->end;
		near &= k->una >= k->end - 2 * MSS; /* the ACK of an odd last one is delayed */
		warmed &= k->una >= k->base + (u64)warm() * MSS;
	}
	if (near && !t_end)
		t_end = ns();
	if (warmed && !t_start)
		t_start = ns();
	if (tb_cycle() > since + (u64)tb_opt("limit", 3000000)) {
		for (unsigned i = 0; i < phases[ph].conns; i++)
			if (c[i].una < c[i].end)
				tb_fail("%s: connection %u hangs: una %llx, smax %llx, end %llx, place %d, limit %llx (view %llx), rcv %llx, pins %d, ask %d, wheel %d %lld", phases[ph].name, i,
					(unsigned long long)c[i].una, (unsigned long long)c[i].smax, (unsigned long long)c[i].end, c[i].place,
					(unsigned long long)c[i].limit, (unsigned long long)c[i].vlimit, (unsigned long long)c[i].rcv, c[i].pins, c[i].ask,
					c[i].wheel_on, (long long)(c[i].wheel_at - ns()));
		return true;
	}
	if (all) {
		static u64 rest;

		if (!rest) {
			phase_end();
			rest = tb_cycle() + 3000;
		}
		bool out = false;
		for (unsigned i = 0; i < NQ; i++) {
			struct conn *k = &c[i];

			out |= k->on && k->place != AWAY;
			if (k->on && k->place == HOME && !k->pins && !k->ask && tb_cycle() > rest && tb_cycle() > k->quiet + 30 && !tb_pending(SAVE))
				save(k);
		}
		if (!out) {
			rest = 0;
			going = false;
			if (++ph >= n_phases)
				return true;
		} else if (tb_cycle() > rest + 200000) {
			tb_fail("connections do not go home");
			return true;
		}
	}
	return false;
}

void tb_finish(void)
{
	tb_note("%llu evictions", (unsigned long long)n_save);
}
