// SPDX-License-Identifier: BSD-2-Clause
/*
 * The connection pipe: several hundred connections over few slots, and models of everybody around it. The peer sends what it
 * likes (in order, ahead, again, beyond, with bad ACKs, RST, SYN, FIN, old timestamps, for somebody else); mpa and rdmap
 * take pieces, drop some (unaccept), commit in order and ahead; departure sends what the view allows and answers ACKs and
 * asks; the wheel fires; ctx loads and saves at random; firmware gives commands.
 *
 * The model of a visit is written from RFC 9293 3.10.7.4, 5961, 7323, 5681, 6298, 6928, 2018, 3168 and docs/datapath.md, with
 * offsets of 64 bits. It is told in which order visits came, which queues had a place, and the time; everything that leaves is compared
 * with it field by field and in its cycle, and each save compares the entire home.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { SEG, COMMIT, ROOM, UNACC, DEP, SMAX, FIRE, HAVE, LOAD, SAVE, CMD, FALSEHIT, FREE, PIECE, DUE, VIEW, TXACK, ASK, TMR, NEED, DROP,
       LINE, EV, VISIT, STATE, TAKEN, HEAD, TCM, TRM, TUN, TDP, TSM, PCV, LDT, OPEN };
enum { KSEG, KTOUCH, KTIMER, KCMD, KLOAD, KSAVE, KRACK };
enum { OP_SETSTATE = 2, OP_DRAIN = 3, OP_SETL2 = 5, OP_ACK = 6, OP_CLOSE = 7 };
enum { FIN = 1, SYN = 2, RST = 4, ACK = 16, ECE = 64, CWR = 128 };
#define SLOTS (TB_DATA_W == 64 ? 8 : TB_DATA_W == 128 ? 16 : 64)
#define NQ 300
#define QBASE 5
#define MAX_RETRIES 4
#define KEEP_IDLE (50000000ull >> 10)
#define KEEP_INTVL (10000000ull >> 10)
#define KEEP_PROBES 3
#define ACK_DELAY (500000ull >> 10)
#define DAYS24 1931190u

typedef uint64_t u64;
typedef uint32_t u32;

/* ------------------------------------------------------------------ connections */
struct model {
	u64 una, smax, committed, rcv_nxt, right, wedge, recover, rtx_nxt;
	u32 seq0, wl1, wl2, maxw, cwnd, ssth, acc, tsoff, mss;
	u32 seq0r, last_ack, adv, tsr, tsage, rmss, chal_at, chal_n;
	unsigned state, hold, closing, fin_sent, fin_acked, rto_rec, fast_rec, gen, cut, cwr, in_cwr, wscale, ss, rs, backoff, retries,
		events, keep, keep_n;
	unsigned rgen, fin, need_ack, ece, weft, fin_told, fin_here, fin_end, deaf;
	u64 rtx_at, ack_at, keep_at;
	unsigned rtt_on, rtt_lone, rtt_seen, rtt_n;
	u32 srtt, rttvar, min_rtt, ack_delay, rtt_at;
	u64 rtt_end;
	u64 reo_at, sack_lo, tlp_end;
	unsigned hole, pto, tlp, dups;
	/* not in the home */
	unsigned ack_out, ask_out, cut_ask, cut_part, n_sack;
	u64 cut_to, cut_left; /* of the segment whose rest was cut off that many bytes have left; 0: not known */
	u64 sack[4][2], limit, edge;
	unsigned act, first, more, seq, pin; /* of loss detection */
	unsigned none; /* with SACK agreed on, the peer keeps nothing ahead of turn */
	unsigned opened; /* a closed window was opened, and the peer has not shown that he knows */
	unsigned ds, ds_due, ds_len; /* RFC 2883 */
	u32 ds_seq;
	u32 lost, sacked;
	u64 early; /* deadline told last */
};

struct range { u64 from, to; };
struct conn {
	uint8_t key[64];
	bool ipv6, ts, sack, ecn, aligned, vlan;
	struct model m;
	enum { AWAY, LOADING, HOME, SAVING } place;
	int slot;
	int pins;
	u64 quiet; /* cycle of the last word */
	u64 busy_at; /* ctx said busy */
	bool wheel_on, stale, fired;
	u64 wheel_at;
	/* mpa and rdmap */
	u64 base, expect, cpos; /* base: what was committed when the connection began */
	unsigned pgen, n_ahead;
	struct range ahead[4];
	bool first_done, fin_seen;
	bool fresh, lowered; /* no piece of pgen has come; pieces of it may be on their way that begin too far */
	u64 right;
	u64 last_job;
	/* departure */
	u64 smax, limit;
	bool open, fin_out, want_close;
	u32 v_ack, v_edge;
	unsigned n_over;
};
static struct conn c[NQ];
static struct slot {
	struct conn *c;  /* home */
	bool live;
	/* words as the visits see them */
	struct { bool v, first, fin; u64 to, now; } cm; /* ends of what is committed, and of what is to be acknowledged at once */
	struct { bool news; u64 from, to; } ah;
	struct { bool v; u64 right; } rm;
	struct { bool v, news; unsigned gen; u64 off; } un;
	struct { bool v, fin; unsigned n_new, n_again, n_ack, n_ask, n_cut, n_more, n_cwr, inside; u64 start, stop; u32 at, acked, right; } dp;
	struct { bool v; u64 off; } sm;
	struct word { u64 at; int type; uint8_t b[40]; } w[512];
	unsigned nw;
	unsigned came, went, went_new;
	u64 went_at;
} slot[64];

/* ------------------------------------------------------------------ segments under way */
struct seg {
	struct seg *next;
	struct conn *c;
	u32 seq, ack, ts_val;
	u32 wnd, len, flags, start, handle;
	unsigned ecn;
	bool ts, body, wrong;
	unsigned n_sack;
	u32 sk[4][2];
	uint8_t raw[112];
};
static struct list { struct seg *h, **t; } sent, in_pipe[64];
static bool handle_used[4096], handle_free_due[4096];

static void put(struct list *l, struct seg *s)
{
	s->next = NULL;
	if (!l->h)
		l->t = &l->h;
	*l->t = s;
	l->t = &s->next;
}
static struct seg *get(struct list *l)
{
	struct seg *s = l->h;

	if (s)
		l->h = s->next;
	return s;
}

/* ------------------------------------------------------------------ what is expected */
struct exp { u64 at; uint8_t b[112]; };
#define EXPN 4096
static struct fifo { struct exp e[EXPN]; unsigned w, r; } ex[40];
static void expect_bits(int port, u64 at, const uint8_t *b, unsigned bits)
{
	struct exp *e = &ex[port].e[ex[port].w++ % EXPN];

	memset(e, 0, sizeof *e);
	e->at = at;
	memcpy(e->b, b, (bits + 7) / 8);
	if (ex[port].w - ex[port].r > EXPN)
		tb_fail("too much expected of port %d", port);
}
static u64 counts[40];
static const char *const names[40] = { [FALSEHIT] = "false hit", [PIECE] = "piece", [DUE] = "ackdue", [VIEW] = "view", [TXACK] = "txack",
				       [ASK] = "ask", [LINE] = "line", [EV] = "event", [OPEN] = "open" };
static unsigned field_of(int port, const unsigned *w, unsigned bit)
{
	(void)port;
	unsigned n = 0, sum = 0, total = 0;

	for (n = 0; w[n]; n++)
		total += w[n];
	for (n = 0; w[n]; n++) {
		sum += w[n];
		if (bit >= total - sum)
			return n;
	}
	return 99;
}
static const unsigned view_w[] = { 24, 12, 1, 32, 32, 32, 4, 64, 16, 2, 1, 32, 32, 1, 1, 2, 192, 0 };
static const unsigned tx_w[] = { 36, 64, 64, 16, 48, 1, 0 };
static const unsigned piece_w[] = { 36, 1, 64, 16, 12, 16, 1, 1, 1, 0 };
static const unsigned ask_w[] = { 36, 64, 64, 4, 1, 0 };
static const unsigned ev_w[] = { 24, 8, 16, 32, 32, 8, 368, 0 };
static const unsigned any_w[] = { 512, 0 };
static struct { u64 at; unsigned kind, slot, op, vd; } vlog[64];
static const char *about(void)
{
	static char t[80];

	for (unsigned i = 0; i < 64; i++)
		if (vlog[i].at && vlog[i].at == tb_cycle() - 6) {
			snprintf(t, sizeof t, " (visit of kind %u, slot %u, op %x, verdict %u)", vlog[i].kind, vlog[i].slot, vlog[i].op, vlog[i].vd);
			return t;
		}
	return "";
}
static void got(int port, const uint8_t *b, void *arg)
{
	unsigned bits = (unsigned)(uintptr_t)arg;
	struct fifo *f = &ex[port];
	struct exp *e = &f->e[f->r % EXPN];
	const unsigned *w = port == VIEW ? view_w : port == TXACK ? tx_w : port == PIECE ? piece_w : port == ASK ? ask_w : port == EV ? ev_w : any_w;

	counts[port]++;
	if (f->r == f->w) {
		tb_fail("%s that nobody expects%s", names[port], about());
		return;
	}
	f->r++;
	if (e->at && e->at != tb_cycle())
		tb_fail("%s came at cycle %llu, should be %llu%s", names[port], (unsigned long long)tb_cycle(), (unsigned long long)e->at, about());
	for (unsigned i = 0; i < bits; i++) {
		if (((b[i / 8] ^ e->b[i / 8]) >> (i % 8)) & 1) {
			unsigned k = field_of(port, w, i), lsb = 0;

			for (unsigned j = 0; w[j]; j++)
				if (j > k)
					lsb += w[j];
			unsigned ww = w[k] > 64 ? 64 : w[k];

			if (port == LINE)
				tb_fail("line %llu bit %u of qpn %llu: is %llx, should be %llx", (unsigned long long)tb_bits_get(b, 512, 3), i,
					(unsigned long long)tb_bits_get(b, 529, 24), (unsigned long long)tb_bits_get(b, i & ~31u, 32),
					(unsigned long long)tb_bits_get(e->b, i & ~31u, 32));
			else
				tb_fail("%s bit %u field %u: is %llx, should be %llx%s", names[port], i, k, (unsigned long long)tb_bits_get(b, lsb, ww),
					(unsigned long long)tb_bits_get(e->b, lsb, ww), about());
			return;
		}
	}
}

/* ------------------------------------------------------------------ home image */
static void f(uint8_t *l, unsigned lsb, unsigned w, u64 v) { tb_bits_set(l, lsb, w, w == 64 ? v : v & ((1ull << w) - 1)); }
#define PS(x, v) f(l[1], WEFT_HOME_SND_##x##_LSB, WEFT_HOME_SND_##x##_WIDTH, v)
#define PR(x, v) f(l[2], WEFT_HOME_RCV_##x##_LSB, WEFT_HOME_RCV_##x##_WIDTH, v)
#define PT(x, v) f(l[3], WEFT_HOME_TIM_##x##_LSB, WEFT_HOME_TIM_##x##_WIDTH, v)
#define PK(x, v) f(k->key, WEFT_HOME_KEY_##x##_LSB, WEFT_HOME_KEY_##x##_WIDTH, v)
static void home_lines(struct conn *k, uint8_t l[4][64])
{
	const struct model *m = &k->m;

	memset(l, 0, 256);
	memcpy(l[0], k->key, 64);
	PS(UNA, m->una); PS(SND_MAX, m->smax); PS(SEQ0, m->seq0); PS(WND_EDGE, m->wedge); PS(WL1, m->wl1); PS(WL2, m->wl2);
	PS(MAX_WND, m->maxw); PS(CWND, m->cwnd); PS(SSTHRESH, m->ssth); PS(CC_ACC, m->acc); PS(RECOVER, m->recover);
	PS(RTX_NXT, m->rtx_nxt); PS(MSS, m->mss); PS(STATE, m->state); PS(HOLD, m->hold); PS(CLOSING, m->closing);
	PS(FIN_SENT, m->fin_sent); PS(FIN_ACKED, m->fin_acked); PS(RTO_REC, m->rto_rec); PS(FAST_REC, m->fast_rec); PS(GEN, m->gen);
	PS(CUT, m->cut); PS(CWR, m->cwr); PS(IN_CWR, m->in_cwr); PS(WSCALE, m->wscale); PS(SND_SHIFT, m->ss); PS(RCV_SHIFT, m->rs);
	PS(BACKOFF, m->backoff); PS(RETRIES, m->retries); PS(EVENTS, m->events); PS(KEEP, m->keep); PS(KEEP_N, m->keep_n);
	PS(TS_OFF, m->tsoff);
	PR(COMMITTED, m->committed); PR(RCV_NXT, m->rcv_nxt); PR(RIGHT, m->right); PR(SEQ0, m->seq0r); PR(LAST_ACK, m->last_ack);
	PR(ADV, m->adv); PR(TS_RECENT, m->tsr); PR(TS_AGE, m->tsage); PR(RMSS, m->rmss); PR(CHAL_AT, m->chal_at); PR(CHAL_N, m->chal_n);
	PR(GEN, m->rgen); PR(FIN, m->fin); PR(NEED_ACK, m->need_ack); PR(ECE, m->ece); PR(WEFT, m->weft); PR(FIN_TOLD, m->fin_told);
	PR(FIN_HERE, m->fin_here); PR(FIN_END, m->fin_end); PR(DEAF, m->deaf);
	PT(RTX_AT, m->rtx_at); PT(RTT_ON, m->rtt_on); PT(RTT_LONE, m->rtt_lone); PT(RTT_SEEN, m->rtt_seen); PT(RTT_N, m->rtt_n);
	PT(ACK_AT, m->ack_at); PT(KEEP_AT, m->keep_at); PT(SRTT, m->srtt); PT(RTTVAR, m->rttvar); PT(MIN_RTT, m->min_rtt);
	PT(ACK_DELAY, m->ack_delay); PT(RTT_END, m->rtt_end); PT(RTT_AT, m->rtt_at);
	PT(REO_AT, m->reo_at); PT(HOLE, m->hole); PT(PTO, m->pto); PT(TLP, m->tlp); PT(DUPS, m->dups); PT(SACK_LO, m->sack_lo);
	PT(TLP_END, m->tlp_end);
}

/* Starting numbers near a wrap, mostly. */
static u32 wrapish(void)
{
	return tb_chance(80) ? (u32)(0u - tb_below(8000) + (tb_chance(50) ? 0x80000000u : 0)) : (u32)tb_rand();
}
static void create(struct conn *k)
{
	struct model *m = &k->m;
	u64 t = tb_get_now() >> 10;

	memset(m, 0, sizeof *m);
	memset(k->key, 0, 64);
	k->ipv6 = tb_chance(40);
	k->ts = tb_chance(50);
	k->sack = tb_chance(70);
	k->ecn = tb_chance(40);
	k->aligned = tb_chance(50);
	k->vlan = tb_chance(30);
	tb_rand_bytes(k->key, k->ipv6 ? 32 : 4);
	if (!k->ipv6)
		tb_rand_bytes(k->key + 16, 4);
	PK(LOCAL_PORT, tb_rand()); PK(PEER_PORT, tb_rand()); PK(L2, tb_rand()); PK(IPV6, k->ipv6); PK(TS, k->ts); PK(SACK, k->sack);
	PK(ECN, k->ecn); PK(ALIGNED, k->aligned); PK(VLAN, k->vlan); PK(VID, k->vlan ? tb_below(4096) : 0);
	m->una = ((u64)tb_below(4) << 32) + wrapish();
	m->smax = m->una;
	m->wedge = m->una + tb_range(0, 60000);
	m->committed = ((u64)tb_below(4) << 32) + wrapish();
	m->rcv_nxt = m->committed;
	m->right = m->rcv_nxt + tb_range(0, 60000);
	m->recover = m->rtx_nxt = m->una;
	m->seq0 = wrapish() - (tb_chance(50) ? (u32)m->una : 0);
	m->seq0r = wrapish() - (tb_chance(50) ? (u32)m->committed : 0);
	m->wl1 = m->seq0r + (u32)m->rcv_nxt;
	m->wl2 = m->seq0 + (u32)m->una;
	m->maxw = (u32)(m->wedge - m->una);
	m->mss = tb_range(120, tb_chance(30) ? 300 : 1460);
	m->state = 1;
	m->hold = tb_chance(20);
	m->gen = tb_below(4);
	m->wscale = tb_chance(60);
	m->ss = tb_below(5);
	m->rs = tb_below(15);
	m->keep = tb_chance(30);
	m->tsoff = tb_rand();
	m->last_ack = m->seq0r + (u32)m->committed;
	m->adv = m->seq0r + (u32)m->right;
	m->tsr = wrapish();
	m->tsage = (u32)(tb_get_now() >> 30) - (tb_chance(15) ? DAYS24 + tb_below(3) - 1 : 0);
	m->weft = tb_chance(50);
	if (tb_chance(20)) {
		m->cwnd = tb_range(m->mss, 100000);
		m->ssth = tb_range(m->mss * 2, 100000);
	}
	if (m->hold && tb_chance(50))
		m->keep_at = t + tb_below(50000);
	k->base = k->expect = k->cpos = m->committed;
	k->pgen = 0;
	k->n_ahead = 0;
	k->first_done = !m->hold;
	k->fin_seen = false;
	k->right = m->right;
	k->smax = m->smax;
	k->limit = m->una;
	k->open = false;
	k->fin_out = k->want_close = false;
	k->place = AWAY;
	k->slot = -1;
	k->pins = 0;
	k->stale = true;
}

/* ------------------------------------------------------------------ the words, as a visit at S sees them */
static unsigned n_next, n_overlap, n_ah_merge, n_dsack, n_young, n_bare, n_none, n_waits;
static void words_until(struct slot *s, u64 at)
{
	unsigned keep = 0;

	for (unsigned i = 0; i < s->nw; i++) {
		struct word *w = &s->w[i];
		struct tb_pack p;

		if (w->at + (w->type == TSM ? 2 : 3) > at) {
			s->w[keep++] = *w;
			continue;
		}
		if (w->type == TCM) {
			tb_unpack_begin(&p, w->b, 168);
			tb_get(&p, 36);
			u64 from = tb_get(&p, 64), to = tb_get(&p, 64);
			unsigned ahead = tb_get(&p, 1), now = tb_get(&p, 1), first = tb_get(&p, 1), fin = tb_get(&p, 1);

			if (ahead) {
				/* What touches is one. */
				if (s->ah.news && from <= s->ah.to && to >= s->ah.from) {
					n_ah_merge++;
					if (s->ah.from < from)
						from = s->ah.from;
					if (s->ah.to > to)
						to = s->ah.to;
				}
				s->ah.news = true;
				s->ah.from = from;
				s->ah.to = to;
			} else {
				/* In order, but it may repeat what was committed before. */
				if (from > s->cm.to)
					tb_fail("test: a commit from %llx, committed is %llx", (unsigned long long)from, (unsigned long long)s->cm.to);
				n_overlap += s->cm.to > from;
				if (to > s->cm.to)
					s->cm.to = to;
				if (now && to > s->cm.now)
					s->cm.now = to;
				s->cm.first |= first;
				s->cm.fin |= fin;
				s->cm.v = true;
			}
		} else if (w->type == TRM) {
			s->rm.v = true;
			s->rm.right = tb_bits_get(w->b, 0, 64);
		} else if (w->type == TUN) {
			u64 off = tb_bits_get(w->b, 0, 64);
			unsigned gen = tb_bits_get(w->b, 64, 1);

			if (!(s->un.news && s->un.gen == gen && s->un.off < off))
				s->un.off = off;
			s->un.gen = gen;
			s->un.v = s->un.news = true;
		} else if (w->type == TDP) {
			tb_unpack_begin(&p, w->b, 241);
			tb_get(&p, 36);
			u64 off = tb_get(&p, 64), len = tb_get(&p, 16);
			unsigned again = tb_get(&p, 1);
			tb_get(&p, 4);
			unsigned done = tb_get(&p, 1), only = tb_get(&p, 1), fin = tb_get(&p, 1), cut = tb_get(&p, 1), cwr = tb_get(&p, 1),
				 unsent = tb_get(&p, 1);
			tb_get(&p, 2);
			u32 acked = tb_get(&p, 32), right = tb_get(&p, 32);
			u64 t = tb_get(&p, 48);

			if (!unsent && (only || fin || len)) { /* a segment has left */
				s->dp.acked = acked;
				s->dp.right = right;
				s->dp.v = true;
			}
			s->dp.n_ack += only || fin;
			s->dp.n_ask += done;
			s->dp.n_cut += cut && !done;
			if (cut && !done) /* a part of that segment left */
				s->dp.inside = !only && !again && (len || fin);
			s->dp.n_more += cut && done;
			s->dp.n_cwr += cwr;
			if (!only && (len || fin)) {
				s->dp.start = off;
				s->dp.stop = off + len + fin;
				if (again)
					s->dp.n_again++;
				else {
					s->dp.n_new++;
					s->dp.at = (u32)(t >> 10);
				}
			}
			if (!only && fin)
				s->dp.fin = true;
		} else {
			s->sm.v = true;
			s->sm.off = tb_bits_get(w->b, 0, 64);
		}
	}
	s->nw = keep;
}

/* ------------------------------------------------------------------ a visit */
static u64 n_visits;
static unsigned n_told, n_kept, n_deaf, n_reach, n_touch, n_through, n_deaf_text, n_stays[2];
static unsigned n_behind, n_refuse, n_lowered, n_kind[8], n_verdict[8], n_lost, n_rto, n_probe, n_keep, n_dead, n_hold, n_hold_over, n_lifted, n_rtt, n_cut, n_above, n_lack, n_rest, n_held, n_later, n_gap, n_jump, n_back, n_sackm, n_merge,
	n_fin, n_fin_early, n_fin_told[2], n_finacked, n_paws, n_ecn, n_tlp, n_tlp_loss, n_fast, n_fin_again, n_verdicts, n_holes, n_redo;
static u32 u32max(u32 a, u32 b) { return a > b ? a : b; }

static u32 delay_of(const struct model *m)
{
	return u32max(m->ack_delay, m->weft || m->rtt_n == 7 ? 3906 : 195313);
}
static u32 rto_of(const struct model *m)
{
	u32 delay = delay_of(m);
	u64 r = m->rtt_seen ? (u64)(m->srtt / 8) + u32max(m->rttvar, delay) : 976563;

	r <<= m->backoff;
	return r > 58593750 ? 58593750 : (u32)r;
}

static unsigned n_leaving, n_beside; /* saves whose lines are not out; visits of others meanwhile */
static void visit(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	u64 S = tb_cycle();

	tb_unpack_begin(&p, bits, 323);
	unsigned kind = tb_get(&p, 3), sl = tb_get(&p, 12), qpn = tb_get(&p, 24), low = tb_get(&p, 20), room = tb_get(&p, 1), fh = tb_get(&p, 1),
		 evok = tb_get(&p, 1);
	u64 now = tb_get(&p, 64), T = now >> 10;
	struct { u32 una, from, to, lost, sacked, reo_at; unsigned seq, hole, act, reo; } rk;

	rk.seq = tb_get(&p, 2);
	rk.una = tb_get(&p, 32);
	rk.hole = tb_get(&p, 1);
	rk.act = tb_get(&p, 1);
	rk.from = tb_get(&p, 32);
	rk.to = tb_get(&p, 32);
	rk.lost = tb_get(&p, 32);
	rk.sacked = tb_get(&p, 32);
	rk.reo = tb_get(&p, 1);
	rk.reo_at = tb_get(&p, 32);
	struct slot *s = &slot[sl];
	struct conn *k = s->c;
	struct model *m = k ? &k->m : NULL;
	struct seg *g = NULL;
	unsigned op = low >> 16, argv = low & 0xffff;

	if (kind > KRACK || sl >= SLOTS) {
		tb_fail("a visit of kind %u, slot %u", kind, sl);
		return;
	}
	n_kind[kind]++;
	vlog[S % 64].at = S;
	vlog[S % 64].kind = kind;
	vlog[S % 64].slot = sl;
	vlog[S % 64].op = op;
	vlog[S % 64].vd = 9;
	n_visits++;
	if (kind == KSEG) {
		g = get(&in_pipe[sl]);
		if (!g) {
			tb_fail("a segment of slot %u is at the head; none went in", sl);
			return;
		}
	}
	if (kind == KLOAD) {
		k = s->c = &c[qpn - QBASE];
		m = &k->m;
		s->live = true;
		memset(&s->cm, 0, sizeof s->cm);
		s->cm.to = s->cm.now = m->committed;
		memset(&s->ah, 0, sizeof s->ah);
		memset(&s->rm, 0, sizeof s->rm);
		memset(&s->un, 0, sizeof s->un);
		memset(&s->dp, 0, sizeof s->dp);
		memset(&s->sm, 0, sizeof s->sm);
		if (s->nw)
			tb_fail("test: words of slot %u before its load", sl);
		m->ack_out = m->ask_out = m->cut_ask = m->cut_part = m->n_sack = m->none = 0;
		m->cut_to = m->cut_left = 0;
		m->act = m->first = m->more = m->seq = m->lost = m->sacked = m->pin = m->opened = m->ds = m->ds_due = 0;
		if (k->sack)
			m->hole = m->reo_at = 0;
		m->limit = ~0ull;
	}
	if (!s->live)
		return; /* a touch whose words the save has seen */
	words_until(s, S);
	bool words = kind == KTOUCH || kind == KCMD || kind == KSAVE;
	bool open = m->state == 1;
	u64 smax = s->sm.v ? s->sm.off : m->smax;
	u64 out = smax - m->una, old_limit = m->limit;
	u64 una0 = m->una;
	bool need = false, due_now = false, tell = kind == KLOAD, restart = false, probe = false, force = false, keep_probe = false, piece = false;
	bool grew = false, window = false, ahead_new = false, returned_ack = false, returned_ask = false;
	u64 was_sack = m->n_sack, an_from = 0, an_to = 0, span = m->rcv_nxt - m->committed;
	bool deaf_was = m->deaf, goes_deaf = kind == KCMD && op == OP_SETSTATE && argv & 64, in_order = false;
	bool plain = false, ecn_seen = false, cc_ack = false, cc_loss = false, cc_rto = false, cc_again = false;
	unsigned stays = 0; /* commits beyond what counts: of a message's end; with a gap behind it */
	u32 acked = 0;
	u32 rcv_seq = m->seq0r + (u32)m->rcv_nxt + m->fin;
	bool reo_due = kind == KTIMER && m->reo_at && m->reo_at <= T, work = kind == KTIMER && reo_due, pin_new = false, pin_end = false;
	bool fast_was = m->fast_rec, sample = false, lone = false, tlp = false, enter = false, silent = false, leave_rec = false, timed_out = false;

	/*
	 * Nobody looks at the stream any more: what is accepted counts, and the range ahead of turn that it reaches, of which the peer was told:
	 * the one whose end is next. What begins at RCV_NXT or in front of it is reached, whatever the visit is for.
	 */
	u64 next_from = ~0ull, next_to = ~0ull;

	for (unsigned i = 0; deaf_was && !m->fin && i < m->n_sack; i++)
		if (m->sack[i][1] > m->rcv_nxt && m->sack[i][1] < next_to) {
			next_from = m->sack[i][0];
			next_to = m->sack[i][1];
		}

	/* ---- a segment: RFC 9293 3.10.7.4 */
	if (kind == KSEG) {
		enum { FALSE_, DROP_, BADSEQ, CHAL, RESET, TAKE } vd;
		int32_t d = (int32_t)(g->seq - rcv_seq);
		u64 wnd = m->fin ? 0 : m->right - m->rcv_nxt;
		u32 seglen = g->len + !!(g->flags & SYN) + !!(g->flags & FIN);
		bool zero = seglen == 0, ok;
		int32_t a = (int32_t)(g->ack - (m->seq0 + (u32)m->una));
		bool old_ts = (u32)((now >> 30) - m->tsage) >= DAYS24;
		int32_t tsd = (int32_t)(g->ts_val - m->tsr);
		bool paws = k->ts && g->ts && tsd < 0 && !old_ts;
		bool text = false, fin_in = false, trimmed = false;
		u64 pos = d > 0 ? d : 0, cut = d < 0 ? -(int64_t)d : 0, plen = 0;

		if (zero)
			ok = d == 0 || (d > 0 && (u64)d <= wnd);
		else
			ok = d == 0 || (wnd && d < (int64_t)wnd && (int64_t)d + seglen > 0);
		if (g->wrong)
			vd = FALSE_;
		else if (!open)
			vd = DROP_;
		else if (g->flags & RST)
			vd = d == 0 ? RESET : d > 0 && (u64)d < wnd ? CHAL : DROP_;
		else if (g->flags & SYN)
			vd = CHAL;
		else if (k->ts && !g->ts)
			vd = DROP_;
		else if (paws || !ok)
			vd = zero ? CHAL : BADSEQ;
		else if (!(g->flags & ACK))
			vd = DROP_;
		else if (a > (int64_t)out || (a < 0 && -(int64_t)a > m->maxw))
			vd = CHAL;
		else
			vd = TAKE;
		n_verdict[vd]++;
		vlog[S % 64].vd = vd;
		n_paws += paws;
		if (vd == TAKE) {
			if (cut < g->len)
				plen = g->len - cut;
			if (wnd && pos < wnd) {
				fin_in = (g->flags & FIN) && pos == 0 && plen < wnd;
				if (plen > wnd - pos) {
					plen = wnd - pos;
					trimmed = true;
				}
				text = plen || fin_in;
			} else
				plen = 0;
			if (d > 0)
				fin_in = false;
			piece = text && room && g->body;
			/* RFC 5681 4.2: at once, whatever mpa makes of it, unless all of it came in order. */
			if (!zero && !(piece && d <= 0 && !trimmed && !((g->flags & FIN) && !fin_in)))
				need = plain = true;
			if (!zero && text && !piece)
				n_lost++;
		}
		if (vd == BADSEQ)
			need = plain = true;
		bool dup_new = k->sack && d < 0 && g->len && (vd == TAKE || (vd == BADSEQ && !paws));

		u32 told = m->seq0r + (u32)m->committed - g->seq, len = cut < g->len ? cut : g->len;

		if (dup_new && ((int32_t)told <= 0 || told < len)) /* what is accepted is not committed yet: nobody was told that it came */
			n_young++;
		if (dup_new && (int32_t)told > 0) { /* RFC 2883 */
			m->ds = 1;
			m->ds_due = 0;
			m->ds_seq = g->seq;
			m->ds_len = told < len ? told : len;
			n_dsack++;
		}
		if (vd == CHAL) {
			u32 tick = (now >> 26) & 0xffff;

			if (m->chal_at != tick || m->chal_n < 8) {
				m->chal_n = m->chal_at != tick ? 1 : m->chal_n + 1;
				m->chal_at = tick;
				need = plain = true;
			}
		}
		if (vd == RESET) {
			m->state = 2;
			m->events |= 2;
			tell = true;
			n_dead++;
		}
		if (piece) {
			tb_pack_begin(&p, 148);
			tb_put(&p, 24, qpn);
			tb_put(&p, 12, sl);
			tb_put(&p, 1, m->rgen);
			tb_put(&p, 64, m->rcv_nxt + pos);
			tb_put(&p, 16, plen);
			tb_put(&p, 12, g->handle);
			tb_put(&p, 16, g->start + cut);
			tb_put(&p, 1, d > 0);
			tb_put(&p, 1, k->aligned);
			tb_put(&p, 1, fin_in);
			expect_bits(PIECE, 0, p.bits, 148);
			if (d <= 0) {
				bool reach = next_from <= m->rcv_nxt + plen && next_to > m->rcv_nxt + plen;
				u64 grow = reach ? next_to - m->rcv_nxt : plen;

				in_order = true;
				for (unsigned i = 0; deaf_was && i < m->n_sack; i++)
					n_through += next_to < m->rcv_nxt + plen && m->sack[i][0] <= m->rcv_nxt + plen && m->sack[i][1] > m->rcv_nxt + plen;
				m->rcv_nxt += grow;
				m->fin = fin_in && !reach;
				n_fin += fin_in;
				if (deaf_was) {
					m->committed += grow;
					m->right += grow;
					grew = grow;
					n_deaf_text += plen > 0;
					n_reach += reach;
				}
			}
			m->rmss = u32max(m->rmss, plen);
		} else if (vd == FALSE_ && fh) {
			expect_bits(FALSEHIT, 0, g->raw, 815);
			handle_used[g->handle] = false;
		} else if (g->body)
			handle_free_due[g->handle] = true;
		work |= vd == TAKE && g->n_sack;
		if (vd == TAKE) {
			/* RFC 7323 4.3 */
			if (k->ts && g->ts && (tsd >= 0 || old_ts) && (int32_t)(m->last_ack - g->seq) >= 0) {
				m->tsr = g->ts_val;
				m->tsage = (u32)(now >> 30);
			}
			if (!zero && k->ecn && g->ecn == 3)
				m->ece = 1;
			else if (k->ecn && (g->flags & CWR))
				m->ece = 0;
			bool shut = m->wedge <= m->una, fast0 = m->fast_rec, rto0 = m->rto_rec, hole0 = m->hole, done = false;
			u32 wv = m->wscale ? g->wnd << m->ss : g->wnd;
			bool probe_out = m->tlp && m->tlp_end != m->una; /* what answers the probe itself says nothing of new data */
			/*
			 * With SACK: one that reports nothing while nothing is SACKed. In a recovery only of a peer that is known to keep nothing, and there
			 * when something of it was acknowledged.
			 */
			bool counts = k->sack ? !g->n_sack && !m->sacked && (!fast0 || (m->none && m->dups != 3)) : !fast0;
			/* One segment was asked for by three of them, and the peer has reported nothing since. */
			bool unknown = k->sack && fast0 && m->dups == 3 && !m->none && !m->sacked;
			bool dup = a == 0 && zero && out && counts && !rto0 && (u32)m->wedge == (u32)m->una + wv;

			if (shut)
				m->retries = 0;
			m->keep_n = 0;
			if (!m->hold)
				m->keep_at = m->keep ? T + KEEP_IDLE : 0;
			if ((g->flags & ECE) && k->ecn && !m->in_cwr && !m->rto_rec && !m->fast_rec && out) {
				cc_loss = ecn_seen = true;
				n_ecn++;
			}
			if (a > 0) {
				acked = a;
				cc_ack = !m->fast_rec;
				if (m->rtt_on && m->una + acked >= m->rtt_end) {
					sample = true;
					lone = m->rtt_lone && acked == out;
					m->rtt_on = 0;
				}
				work |= m->act || m->fast_rec || m->rto_rec || m->hole;
				m->una += acked;
				m->sacked = m->sacked < acked ? 0 : m->sacked - acked;
				m->lost = m->lost < acked ? 0 : m->lost - acked;
				m->backoff = m->retries = 0;
				tell = restart = true;
				done = m->una >= m->recover;
				leave_rec = done && fast0;
				if (done)
					m->rto_rec = m->fast_rec = m->in_cwr = 0;
				if (done && m->more && (fast0 || rto0)) { /* the next window lost something, too */
					cc_loss = true;
					n_redo++;
					if (acked != out) {
						m->fast_rec = 1;
						m->recover = smax;
					}
				}
				if (done)
					m->more = 0;
				if (done && fast0)
					m->tlp = 0;
				if (m->tlp && m->una > m->tlp_end && !fast0 && !rto0) {
					cc_loss = true; /* the probe repaired what was lost (RFC 8985 7.4.2) */
					n_tlp_loss++;
				}
				m->dups = 0;
				/* It answers the one segment, no sooner than anything can: with SACK agreed on, who reports nothing and had nothing behind it keeps nothing (RFC 2018 3, 4). */
				if (unknown && !done && acked <= m->mss && (u32)((u32)T - m->rtt_at) >= m->min_rtt) {
					m->none = 1;
					n_none++;
				}
				if (m->fin_sent && acked == out && !m->fin_acked) {
					m->fin_acked = 1;
					m->events |= 8;
					n_finacked++;
				}
			}
			if (ecn_seen) {
				m->in_cwr = m->cwr = 1;
				m->recover = smax;
			}
			int32_t w1 = (int32_t)(g->seq - m->wl1), w2 = (int32_t)(g->ack - m->wl2);

			if (m->tlp && (a > 0 ? m->una > m->tlp_end : a == 0 && zero && m->tlp_end == m->una))
				m->tlp = 0;
			if (a > 0 && m->fast_rec && !k->sack) {
				m->hole = 1;
				m->sack_lo = m->una + m->mss;
			} else if (hole0 && (m->sack_lo <= m->una || done)) {
				m->hole = 0;
			}
			if (dup && (++m->dups == 3 || (k->sack && probe_out))) {
				m->hole = 1;
				m->sack_lo = m->una + m->mss;
				m->dups = k->sack ? 3 : 0;
				enter = true;
				silent = k->sack && m->none;
				if (k->sack && !m->none) {
					m->rtt_at = (u32)T;
					m->seq++;
					work = true;
				}
				n_bare += silent;
			}
			if (a >= 0 && (w1 > 0 || (w1 == 0 && w2 >= 0))) {
				m->wedge = m->una + wv;
				m->wl1 = g->seq;
				m->wl2 = g->ack;
				m->maxw = u32max(m->maxw, wv);
			}
		}
	}
	/* ---- words */
	if (words) {
		bool flipped = s->un.news;
		u64 c0 = m->committed, nxt0 = m->rcv_nxt, right0 = m->right;

		if (s->dp.v) {
			m->last_ack = s->dp.acked;
			m->adv = s->dp.right;
		}
		m->fin_end |= s->cm.v && s->cm.fin;
		bool deaf = deaf_was || goes_deaf, commit = s->cm.v && s->cm.to > c0 && s->cm.to <= right0;

		/* What was said of commits when nobody looks any more is not to be told: what counts, and is acknowledged, is what is accepted. */
		stays = !deaf_was || !commit ? 0 : 2 * !!was_sack + (s->cm.now > c0);
		if (commit && !deaf) {
			grew = true;
			due_now = s->cm.now > c0;
			m->committed = s->cm.to;
		}
		if (flipped) {
			s->un.news = false;
			m->rgen = !s->un.gen;
			if (s->un.off < nxt0 && !deaf) {
				m->rcv_nxt = s->un.off < c0 ? c0 : s->un.off;
				m->fin = 0;
				n_back++;
			}
			m->n_sack = 0;
		}
		if (grew && s->cm.to > nxt0) {
			m->rcv_nxt = s->cm.to;
			n_jump++;
		}
		if (m->rcv_nxt < m->committed) { /* accepted anew since it went back */
			m->rcv_nxt = m->committed;
			n_behind++;
		}
		if (s->rm.v && s->rm.right > right0) {
			m->right = s->rm.right;
			window = true;
			if (deaf)
				m->right = right0;
		}
		if (s->ah.news && !flipped && s->ah.from > c0 && s->ah.to > s->ah.from && s->ah.from <= right0 && k->sack) {
			ahead_new = true;
			an_from = s->ah.from;
			an_to = s->ah.to;
		}
		s->ah.news = false;
		if (s->cm.v && s->cm.first && m->hold) {
			m->hold = 0;
			if (!m->keep_at) {
				m->events |= 64;
				n_hold_over++;
			}
			m->keep_at = m->keep ? T + KEEP_IDLE : 0;
		}
		need |= due_now;
		if (s->dp.n_new) {
			restart |= m->pto;
			if (s->dp.fin)
				m->fin_sent = 1;
			/* What leaves while the answer to one segment is waited for is not timed: when that was asked for is to stand. */
			bool asking = k->sack && m->fast_rec && m->dups == 3 && !m->none && !m->sacked;

			n_kept += asking && !m->rtt_on && s->dp.stop > m->una && !s->dp.n_again;
			if (!asking && !m->rtt_on && s->dp.stop > m->una && !s->dp.n_again) {
				m->rtt_on = 1;
				m->rtt_lone = s->dp.start == m->una;
				m->rtt_end = s->dp.stop;
				m->rtt_at = s->dp.at;
			}
		}
		if (s->dp.n_cwr)
			m->cwr = 0;
		if (s->dp.n_again) {
			m->rtt_on = 0;
			restart |= m->pto && fast_was;
		}
		if (s->dp.n_cut || (s->dp.n_more && m->cut_ask))
			m->cut = 1;
		if (s->dp.n_more && m->cut_ask) {
			m->cut_part = 1;
			n_rest++;
		}
		if (s->dp.n_cut) {
			m->cut_part = 0;
			m->cut_left = 0;
		}
		/* The last segment that left ends where something was cut off, or where an ask for that did. */
		if (s->dp.stop == smax && (s->dp.n_cut ? s->dp.inside : (s->dp.n_again || s->dp.n_new) && (u32)m->cut_to == (u32)smax))
			m->cut_left = s->dp.stop - s->dp.start;
		if (s->dp.n_ask) /* an ask that came back is described: what is made later comes behind it */
			m->cut_ask = 0;
		returned_ack = s->dp.n_ack;
		returned_ask = s->dp.n_ask;
		s->dp.n_new = s->dp.n_again = s->dp.n_ack = s->dp.n_ask = s->dp.n_cut = s->dp.n_more = s->dp.n_cwr = 0;
	}
	if (!in_order && next_from <= m->rcv_nxt) {
		u64 grow = next_to - m->rcv_nxt;

		m->rcv_nxt += grow;
		m->committed += grow;
		m->right += grow;
		grew = true;
		n_touch++;
	}
	/* ---- timers */
	if (kind == KTIMER && m->ack_at && m->ack_at <= T)
		need = true;
	if (kind == KTIMER && open && m->rtx_at && m->rtx_at <= T) {
		bool shut = m->wedge <= m->una;

		restart = true;
		if (m->pto && out && !shut && m->reo_at) {
			n_later++; /* loss detection is to look again: RFC 8985 8 */
		} else if (m->pto && out && !shut) {
			tlp = true;
			n_gap += m->fast_rec;
			m->rtt_on = 0;
			m->tlp = 1;
			m->tlp_end = smax;
			n_tlp++;
		} else if (m->retries >= MAX_RETRIES) {
			m->state = 2;
			m->events |= 4;
			tell = true;
			n_dead++;
		} else if (out || m->cut) {
			bool cut0 = m->cut;

			if (shut)
				probe = true;
			else if (out) {
				(m->backoff ? (cc_again = true) : (cc_rto = true));
				timed_out = true;
				m->rto_rec = 1;
				m->fast_rec = m->in_cwr = 0;
				m->recover = smax;
				m->rtx_nxt = m->una;
				n_rto++;
			} else
				force = cut0;
			m->retries++;
			m->backoff += m->backoff < 15;
			m->rtt_on = 0;
		}
	}
	if (kind == KTIMER && m->reo_at && m->reo_at <= T) {
		m->reo_at = 0;
	}
	/* ---- weft_tcp_rack's answer: what it says of lost bytes counts when it knows of all that was asked for */
	bool verdict = kind == KRACK && qpn == k - c + QBASE && k->sack, fits = verdict && rk.seq == (m->seq & 3);

	if (verdict) {
		u32 newer = (u32)m->una - rk.una;
		int32_t dl = (int32_t)(rk.reo_at - (u32)T);

		m->sacked = rk.sacked < newer ? 0 : rk.sacked - newer;
		m->act = rk.act;
		m->reo_at = !rk.reo ? 0 : dl < 0 ? T : T + dl;
		n_verdicts++;
	}
	/* It does not know that what three duplicate ACKs ask for is lost. */
	bool waits = k->sack && m->fast_rec && m->dups == 3 && !m->none && m->first;
	bool hole = rk.hole && (int32_t)(rk.to - (u32)m->una) > 0 && out;

	if (verdict && m->sacked)
		m->none = 0; /* it reports what it keeps */
	if (fits)
		m->lost = rk.lost < (u32)m->una - rk.una ? 0 : rk.lost - ((u32)m->una - rk.una);
	n_waits += fits && waits && !hole;
	if (fits && (hole || !waits)) {
		m->sack_lo = m->una + (int32_t)(rk.to - (u32)m->una);
		m->rtx_nxt = m->una + (int32_t)(rk.from - (u32)m->una);
		m->hole = hole;
		enter = open && m->hole && !m->fast_rec && !m->rto_rec;
		n_holes += m->hole;
		if (m->hole && (m->fast_rec || m->rto_rec) && m->sack_lo > m->recover)
			m->more = 1;
	}
	if (enter) { /* RFC 6582 */
		cc_loss = true;
		m->fast_rec = 1;
		m->in_cwr = m->tlp = 0;
		restart = true;
		m->recover = smax;
		if (!fits)
			m->rtx_nxt = m->una;
		m->first = 1;
		m->rtt_on = 0;
		n_fast++;
	}
	if (silent) { /* the peer keeps nothing: all that is out */
		m->sack_lo = smax;
		m->sacked = m->tlp = 0;
		m->dups = 3;
		m->lost = out;
		m->seq++;
		m->reo_at = 0;
		work = true;
	}
	/* loss detection looks, with a pin; of commands and words those that end an ask */
	work |= timed_out || (words && returned_ask);
	if (work && k->sack && !m->pin && (kind == KSEG || kind == KTIMER || kind == KCMD))
		m->pin = pin_new = true;
	if (timed_out) {
		m->hole = k->sack; /* all that is out */
		m->sack_lo = smax;
		m->sacked = m->tlp = m->dups = m->more = m->cut_part = 0;
		m->lost = out;
		m->first = 1;
		m->seq++;
		m->reo_at = 0;
	}
	if (kind == KTIMER && open && m->keep_at && m->keep_at <= T) {
		if (m->hold) {
			m->events |= 16;
			m->keep_at = 0;
			n_hold++;
		} else if (!m->keep)
			m->keep_at = 0;
		else if (out)
			m->keep_at = T + KEEP_IDLE;
		else {
			m->keep_at = T + KEEP_INTVL;
			if (m->keep_n >= KEEP_PROBES) {
				m->state = 2;
				m->events |= 4;
				tell = true;
				n_dead++;
			} else {
				m->keep_n++;
				keep_probe = true;
			}
		}
	}
	/* ---- commands */
	if (kind == KCMD) {
		if (goes_deaf) {
			n_deaf += !deaf_was;
			if (!deaf_was && span) {
				grew = true;
				m->committed += span;
				m->right += span;
			}
			m->deaf = 1;
		} else if (op == OP_SETSTATE) {
			if (!(argv & 32))
				m->state = argv & 3;
			if ((argv & 48) == 16)
				m->gen = argv >> 2 & 3;
			if ((argv & 32) && m->hold) {
				m->hold = 0;
				m->keep_at = m->keep ? T + KEEP_IDLE : 0;
				n_lifted++;
			}
			tell = true;
		} else if (op == OP_CLOSE)
			m->closing = 1;
		else if (op == OP_ACK)
			need = true;
		else if (op == OP_SETL2)
			tb_bits_set(k->key, WEFT_HOME_KEY_L2_LSB, 16, argv);
	}
	if (kind == KLOAD && m->keep && !m->hold && !m->keep_at)
		m->keep_at = T + KEEP_IDLE;
	m->smax = smax;
	need |= grew && was_sack; /* RFC 5681 4.2: in front of a range a gap is filled, or a part of it */

	/* ---- RFC 6298 */
	if (sample) {
		u32 r = (u32)T - m->rtt_at;

		n_rtt++;
		if (!r)
			r = 1;
		if (r >> 26)
			r = 0x3ffffff;
		if (!m->rtt_seen) {
			m->srtt = r * 8;
			m->rttvar = r * 2;
			m->rtt_seen = 1;
		} else {
			int32_t err = (int32_t)(r - m->srtt / 8);

			m->rttvar = m->rttvar - m->rttvar / 4 + (u32)abs(err);
			m->srtt += err;
		}
		if (!m->min_rtt || r < m->min_rtt)
			m->min_rtt = r;
		if (lone) {
			u32 dl = r - m->min_rtt;

			if (dl > 488281)
				dl = 488281;
			m->rtt_n += m->rtt_n < 7;
			m->ack_delay = dl > m->ack_delay ? dl : m->ack_delay - m->ack_delay / 64;
		}
	}
	/* ---- RFC 5681, 6928 */
	{
		u32 mss = m->mss, half = u32max(out / 2, 2 * mss);
		const u32 top = 0x20000000;

		if (kind == KLOAD) {
			if (!m->cwnd)
				m->cwnd = 10 * mss < u32max(2 * mss, 14600) ? 10 * mss : u32max(2 * mss, 14600);
			if (!m->ssth)
				m->ssth = top;
		} else if (cc_rto || cc_again) {
			if (cc_rto)
				m->ssth = half;
			m->cwnd = mss;
			m->acc = 0;
		} else if (cc_loss) {
			m->ssth = m->cwnd = half;
			m->acc = 0;
		} else if (leave_rec) {
			m->cwnd = m->ssth;
			m->acc = 0;
		} else if (cc_ack) {
			bool slow = m->cwnd < m->ssth;

			if (out + mss >= m->cwnd || out >= m->cwnd / 2) { /* RFC 7661 4.2 */
				if (slow)
					m->cwnd += acked < mss ? acked : mss;
				else {
					m->acc += acked;
					if (m->acc >= m->cwnd) {
						m->acc -= m->cwnd;
						m->cwnd += mss;
					}
				}
				if (m->cwnd > top)
					m->cwnd = top;
			}
		}
	}
	/* ---- FIN, ranges, whether an ACK is due */
	bool at_fin = m->fin && m->committed == m->rcv_nxt, fin_here = at_fin && !m->fin_here, fin_new = at_fin && !m->fin_told && (m->fin_end || m->closing || m->deaf);

	n_fin_early += fin_here && !fin_new; /* what is before it waits in the ring still */
	m->fin_here |= fin_here;
	if (fin_new) {
		n_fin_told[!m->fin_end]++;
		m->fin_told = 1;
		m->events |= 1;
	}
	u32 ackseq = m->seq0r + (u32)m->committed + at_fin, unacked = ackseq - m->last_ack;
	u32 rm = m->rmss ? m->rmss : 536;
	int32_t gap = (int32_t)(m->seq0r + (u32)m->right - m->adv), shown = (int32_t)(m->adv - ackseq);

	need |= fin_here || (grew && (unacked >= 2 * rm || at_fin));
	bool reopens = window && gap >= 0 && (u32)gap >= rm && (shown < 0 || (u32)shown < rm);

	need |= reopens || (window && gap >= 0 && (u32)gap >= 2 * rm);
	/* What said so is an ACK without bytes, which nobody repeats: the first bytes behind it bring another one (RFC 9293 3.8.6.3: an ACK may be sent sooner). */
	n_told += m->opened && grew && !need;
	need |= m->opened && grew;
	m->opened = reopens || (m->opened && !grew);
	need |= ahead_new;
	u64 nr[5][2];
	unsigned n = 0;
	if (ahead_new) {
		u64 lo = an_from, hi = an_to;

		for (unsigned i = 0; i < m->n_sack; i++)
			if (m->sack[i][1] > m->committed && m->sack[i][1] >= an_from && m->sack[i][0] <= an_to) {
				if (m->sack[i][0] < lo)
					lo = m->sack[i][0];
				if (m->sack[i][1] > hi)
					hi = m->sack[i][1];
				m->sack[i][1] = m->committed; /* gone */
				n_merge++;
			}
		nr[n][0] = lo;
		nr[n++][1] = hi;
		n_sackm++;
	}
	for (unsigned i = 0; i < m->n_sack; i++)
		if (m->sack[i][1] > m->committed && n < 4) {
			nr[n][0] = m->sack[i][0];
			nr[n++][1] = m->sack[i][1];
		}
	memcpy(m->sack, nr, sizeof m->sack);
	m->n_sack = n;

	open = m->state == 1;
	if (returned_ack)
		m->ack_out = 0;
	/* ---- what may leave, what is asked for again */
	u64 flight = smax - m->una, w = m->wedge > m->una ? m->wedge - m->una : 0;
	/* RFC 6675: what is SACKed is not in flight. What was sent may be sent again. */
	u64 cw = (u64)m->cwnd + m->sacked, cw_least = k->sack && cw < flight ? flight : cw;
	u64 lim = m->hold || !open ? 0 : w < cw_least ? w : cw_least;
	u64 qp_least = WEFT_FPDU_LEAST + WEFT_MARKER_BYTES, least_fpdu = m->mss < qp_least ? qp_least : m->mss;
	u64 q = open && !m->hold && !flight && lim < least_fpdu ? least_fpdu : lim;
	/* What was made before the congestion window fell may leave, as far as the peer's window goes; not behind a time-out. */
	if (kind == KLOAD)
		m->edge = m->una;
	u64 may_leave = lim;

	if (open && !m->hold && !m->rto_rec && m->edge > m->una + lim) {
		may_leave = m->edge - m->una < w ? m->edge - m->una : w;
		n_above += may_leave > lim;
	}
	m->edge = m->una + may_leave;
	bool cut_was = m->cut, ask = false;

	if ((m->cut || m->cut_ask) && q > flight) { /* nothing new before what was cut off */
		q = flight;
		n_held++;
	}
	u64 from = 0, to = 0;

	if (returned_ask)
		m->ask_out = 0;
	bool ask_later = false, bare = kind == KSAVE || ((kind == KTOUCH || kind == KRACK) && !m->pin), leave = kind == KSAVE && !m->ack_out && !m->ask_out && !m->pin;
	/* FIN goes when all is acknowledged; lost, it comes from departure again, not from qp */
	bool only = m->fin_sent && flight, fin = open && !m->hold && m->closing && !m->fin_sent && !flight && !m->cut && !m->cut_ask && !m->ask_out;

	if (open && (!m->ask_out || only)) {
		u64 upto = m->rto_rec && !k->sack ? m->recover - m->una : m->sack_lo - m->una < flight ? m->sack_lo - m->una : flight;
		u64 goal = upto < lim ? upto : lim;
		u64 nxt = m->rtx_nxt > m->una ? m->rtx_nxt - m->una : 0;
		u64 cut_base = m->cut_part && m->cut_to > smax ? m->cut_to : smax;
		/* The segment that was cut lacks no more than this. It could leave as a whole, so its rest may when there is room for it: RFC 9293 3.8.6.2.1, rule 2 as far as that is known. */
		u64 lack = m->mss > m->cut_left ? m->mss - m->cut_left : m->mss;
		u64 least = m->maxw / 2 < lack ? m->maxw / 2 : lack;
		bool may = m->rto_rec || (m->fast_rec && m->hole && m->sack_lo >= m->una);

		if (k->sack) { /* room for a segment in the congestion window, or the first of a recovery */
			int64_t room = (int64_t)cw + m->lost - (int64_t)flight, seg = upto < nxt || upto - nxt >= m->mss ? m->mss : upto - nxt;
			u64 most = nxt + (room < seg ? seg : room);

			may = (m->rto_rec || m->fast_rec) && m->hole && m->sack_lo >= m->una && (m->first || room >= seg);
			if (most < goal)
				goal = most;
		}

		if (probe) {
			ask = true;
			from = m->una;
			to = m->una + 1;
			n_probe++;
		} else if (tlp) {
			ask = true;
			from = flight < m->mss || m->fast_rec ? m->una : smax - m->mss;
			to = m->fast_rec && flight > m->mss ? m->una + m->mss : smax;
		} else if (may && nxt < goal) {
			ask = true;
			from = m->una + nxt;
			to = m->una + goal;
			if (!bare || only) {
				m->rtx_nxt = to;
				m->lost = m->lost < goal - nxt ? 0 : m->lost - (goal - nxt);
				m->first = 0;
				m->seq += !only;
			}
		} else if (!only && m->cut && m->una + lim > cut_base && (m->una + lim - cut_base >= least || force)) {
			ask = true;
			from = cut_base;
			to = m->una + lim;
			if (!bare) {
				n_lack += m->una + lim - cut_base < m->mss && m->una + lim - cut_base < m->maxw / 2 && !force;
				m->cut = 0;
				m->cut_part = 0;
				m->cut_left = 0;
				m->cut_to = to;
				m->cut_ask = 1; /* and no FIN before it has left */
				n_cut++;
			}
		}
		/* nobody holds a pin for a touch */
		if (only && ask) {
			fin = !m->hold;
			ask = false;
			n_fin_again++;
		}
		ask_later = ask && bare;
		if (ask_later)
			ask = false;
	}
	bool want_ack = open && (need || m->need_ack);

	n_stays[0] += open && !want_ack && stays & 1;
	n_stays[1] += open && !want_ack && stays & 2;
	bool due = open && (want_ack || keep_probe || fin) && !m->ack_out && kind != KSAVE;

	m->need_ack = want_ack && !due;
	if (m->ds && m->ds_due && returned_ack)
		m->ds = m->ds_due = 0;
	m->ds_due = m->ds && (m->ds_due || due);
	if (kind == KSAVE && m->need_ack)
		m->ack_at = T;
	else if (!open || due || m->ack_out || !unacked)
		m->ack_at = 0;
	else if (!m->ack_at)
		m->ack_at = T + ACK_DELAY;
	m->ack_out |= due;
	n_keep += due && keep_probe;

	m->ask_out |= ask;
	if (verdict && m->pin && !m->ask_out) {
		m->pin = 0;
		pin_end = true;
	}
	if (!open || (!flight && !cut_was))
		m->rtx_at = 0;
	else if (restart || !m->rtx_at) {
		u64 pto = m->srtt / 4 + (flight <= m->mss && !(m->fast_rec && m->sacked) ? delay_of(m) : 2);

		m->rtx_at = T + rto_of(m);
		m->pto = flight && !m->rto_rec && (!m->fast_rec || k->sack) && m->rtt_seen && !m->tlp && !m->backoff && m->wedge > m->una;
		if (m->pto && pto < rto_of(m))
			m->rtx_at = T + pto;
	}
	if (!m->rtx_at)
		m->pto = 0;
	if (!open)
		m->keep_at = m->reo_at = 0;

	u64 at = S + 6;
	bool txack = kind != KSAVE && (tell || (u32)(m->una + q) != (u32)old_limit);

	if (txack) {
		m->limit = m->una + q;
		tb_pack_begin(&p, 229);
		tb_put(&p, 24, k - c + QBASE);
		tb_put(&p, 12, sl);
		tb_put(&p, 64, m->una);
		tb_put(&p, 64, m->una + q);
		tb_put(&p, 16, m->mss);
		tb_put(&p, 48, 0);
		tb_put(&p, 1, m->state == 2);
		expect_bits(TXACK, at, p.bits, 229);
	}
	if (ask) {
		tb_pack_begin(&p, 169);
		tb_put(&p, 24, k - c + QBASE);
		tb_put(&p, 12, sl);
		tb_put(&p, 64, from);
		tb_put(&p, 64, to);
		tb_put(&p, 4, 0);
		tb_put(&p, 1, probe || tlp);
		expect_bits(ASK, at, p.bits, 169);
	}
	if (due) {
		tb_pack_begin(&p, 103);
		tb_put(&p, 24, k - c + QBASE);
		tb_put(&p, 12, sl);
		tb_put(&p, 3, fin ? 2 : keep_probe ? 4 : plain);
		tb_put(&p, 64, fin ? m->una : keep_probe ? m->una - 1 : 0);
		expect_bits(DUE, at, p.bits, 103);
	}
	if (kind == KLOAD) {
		tb_pack_begin(&p, 76);
		tb_put(&p, 12, sl);
		tb_put(&p, 64, smax);
		expect_bits(OPEN, at, p.bits, 76);
	}
	tb_pack_begin(&p, 480);
	tb_put(&p, 24, k - c + QBASE);
	tb_put(&p, 12, sl);
	tb_put(&p, 1, open && !leave);
	tb_put(&p, 32, m->seq0);
	tb_put(&p, 32, ackseq);
	tb_put(&p, 32, m->seq0r + (u32)m->right);
	tb_put(&p, 4, m->wscale ? m->rs : 0);
	tb_put(&p, 64, m->una + may_leave);
	tb_put(&p, 16, m->mss);
	tb_put(&p, 2, m->gen);
	tb_put(&p, 1, k->ts);
	tb_put(&p, 32, m->tsoff);
	tb_put(&p, 32, m->tsr);
	tb_put(&p, 1, m->ece);
	tb_put(&p, 1, m->cwr);
	/* what is next is about to be acknowledged: a block there would read as if the peer reneged (RFC 2018 3: the bytes below a block were not received) */
	u64 told[4][2];
	unsigned n_told = 0;

	for (unsigned i = 0; i < m->n_sack; i++)
		if (m->sack[i][0] > m->committed)
			memcpy(told[n_told++], m->sack[i], sizeof(*told));
	n_next += open && k->sack && n_told < m->n_sack;
	tb_put(&p, 2, k->sack ? (n_told + m->ds > 3 ? 3 : n_told + m->ds) : 0);
	for (int i = 2; i >= 0; i--)
		if (k->sack && m->ds && i == 0) {
			tb_put(&p, 32, m->ds_seq);
			tb_put(&p, 32, m->ds_seq + m->ds_len);
		} else if (k->sack && i < (int)(n_told + m->ds)) {
			tb_put(&p, 32, m->seq0r + (u32)told[i - m->ds][0]);
			tb_put(&p, 32, m->seq0r + (u32)told[i - m->ds][1]);
		} else {
			tb_put(&p, 32, 0);
			tb_put(&p, 32, 0);
		}
	expect_bits(VIEW, at, p.bits, 480);

	int drops = ((kind == KSEG && !piece) || kind == KTIMER || kind == KCMD) + pin_end - pin_new - due - ask;

	if (drops) {
		tb_pack_begin(&p, 16);
		tb_put(&p, 12, sl);
		tb_put(&p, 4, drops & 15);
		expect_bits(DROP, at, p.bits, 16);
	}
	/* ---- events: one a visit, when there is a place */
	if (kind == KCMD && op == OP_DRAIN) {
		tb_pack_begin(&p, 488);
		tb_put(&p, 24, k - c + QBASE);
		tb_put(&p, 8, WEFT_FW_EV_DRAINED);
		tb_put(&p, 16, 1);
		tb_put(&p, 32, argv);
		expect_bits(EV, 0, p.bits, 488);
	} else if (m->events && evok && kind != KSAVE) {
		unsigned e = m->events & -m->events;
		u64 v = e == 1 ? m->committed : m->una;

		m->events &= ~e;
		tb_pack_begin(&p, 488);
		tb_put(&p, 24, k - c + QBASE);
		tb_put(&p, 8, e == 1 ? WEFT_FW_EV_RX_FIN : e == 2 ? WEFT_FW_EV_TCP_RESET : e == 8 ? WEFT_FW_EV_ACKED : e == 64 ? WEFT_FW_EV_HOLD_OVER : WEFT_FW_EV_TX_TIMEOUT);
		tb_put(&p, 16, e == 16);
		tb_put(&p, 32, (u32)v);
		tb_put(&p, 32, v >> 32);
		expect_bits(EV, 0, p.bits, 488);
	}
	/* ---- the earliest deadline */
	m->early = 0;
	for (int i = 0; i < 4; i++) {
		u64 x = i == 3 ? m->reo_at : i == 0 ? m->rtx_at : i == 1 ? m->ack_at : ask_later ? T : m->events ? T + 16 : m->keep_at;

		if (x && (!m->early || x < m->early))
			m->early = x;
	}
	/* A timer that found it busy and the save cross: it is set again for a little later. */
	if (!leave || S > k->busy_at + 60)
		k->stale = false;
	if (leave) {
		uint8_t l[4][64];

		n_beside += n_leaving++ > 0;
		home_lines(k, l);
		for (unsigned i = 0; i < 4; i++) {
			uint8_t b[72];

			memset(b, 0, sizeof b);
			memcpy(b, l[i], 64);
			tb_bits_set(b, 512, 3, i);
			tb_bits_set(b, 515, 2, low & 3);
			tb_bits_set(b, 517, 12, sl);
			tb_bits_set(b, 529, 24, k - c + QBASE);
			expect_bits(LINE, 0, b, 553);
		}
		s->live = false;
	}
	if (g)
		free(g);
	(void)una0;
}

/* ------------------------------------------------------------------ everybody else */
static bool quiet_phase, ready_seen, idle_now;
static u64 idle_since, word_at; /* word_at: when the pipe took a word last */
/* The peer's next segment of force_kind 2, and what comes of it. */
static struct { struct conn *k; u64 ack; u32 wnd; u64 from, to, asked_at, took_at; unsigned handle; } rest = { .handle = ~0u };
static unsigned n_save, n_load, n_fire, n_over_seen, n_seg, n_max_lat;

enum { J_COMMIT, J_DEP };
struct job {
	struct job *next;
	u64 at;
	int type;
	struct conn *c;
	u64 from, to;
	unsigned ahead, now, again, only, fin, done, pin, cut, cwr, unsent, repeat, last;
};
static struct job *jobs, **jobs_tail = &jobs;
static unsigned inq[NQ];

static struct job *job(struct conn *k, int type, unsigned delay)
{
	struct job *j = calloc(1, sizeof *j);

	j->c = k;
	j->type = type;
	j->at = tb_cycle() + delay;
	if (j->at < k->last_job)
		j->at = k->last_job;
	k->last_job = j->at;
	*jobs_tail = j;
	jobs_tail = &j->next;
	return j;
}

static void who(struct tb_pack *p, const struct conn *k)
{
	tb_put(p, 24, k - c + QBASE);
	tb_put(p, 12, k->slot);
}

static void say(int port, struct conn *k, struct tb_pack *p, unsigned bits)
{
	inq[k - c]++;
	tb_item_push(port, p->bits, (bits + 7) / 8);
}

static void run_job(struct job *j)
{
	struct conn *k = j->c;
	struct tb_pack p;

	if (j->type == J_COMMIT) {
		tb_pack_begin(&p, 168);
		who(&p, k);
		u64 from = j->ahead ? j->from : k->cpos, to = j->to;
		bool drop = false;

		/* An FPDU that was stored in parts is committed again when it is placed. */
		if (!j->ahead) {
			if (to <= k->cpos)
				drop = !j->repeat && !j->last;
			else
				k->cpos = to;
			if (j->repeat)
				from = j->from;
		}
		if (!drop) {
			tb_put(&p, 64, from);
			tb_put(&p, 64, to);
			tb_put(&p, 1, j->ahead);
			tb_put(&p, 1, j->now);
			tb_put(&p, 1, !j->ahead && !k->first_done);
			tb_put(&p, 1, j->last);
			if (!j->ahead)
				k->first_done = true;
			say(COMMIT, k, &p, 168);
		}
	} else {
		u64 len = j->to - j->from - j->fin;

		tb_pack_begin(&p, 241);
		who(&p, k);
		tb_put(&p, 64, j->from);
		tb_put(&p, 16, len);
		tb_put(&p, 1, j->again);
		tb_put(&p, 4, 0);
		tb_put(&p, 1, j->done);
		tb_put(&p, 1, j->only);
		tb_put(&p, 1, j->fin);
		tb_put(&p, 1, j->cut);
		tb_put(&p, 1, !j->only && !j->again && k->m.cwr);
		tb_put(&p, 1, j->unsent);
		tb_put(&p, 2, 0);
		/* Of what nothing leaves it says nothing, with the bit or without bytes. */
		bool left = !j->unsent && (j->only || j->fin || len);

		tb_put(&p, 32, left ? k->v_ack : (u32)tb_rand());
		tb_put(&p, 32, left ? k->v_edge : (u32)tb_rand());
		tb_put(&p, 48, tb_get_now() & 0xffffffffffffull);
		say(DEP, k, &p, 241);
	}
	k->pins -= j->pin;
}

static void run_jobs(void)
{
	struct job **q = &jobs;

	while (*q) {
		struct job *j = *q;

		if (j->at > tb_cycle()) {
			q = &j->next;
			continue;
		}
		*q = j->next;
		if (!j->next)
			jobs_tail = q;
		run_job(j);
		free(j);
	}
}

static void smax_word(struct conn *k, u64 off)
{
	struct tb_pack p;

	k->smax = off;
	tb_pack_begin(&p, 100);
	who(&p, k);
	tb_put(&p, 64, off);
	say(SMAX, k, &p, 100);
}

/* Departure: new data as far as the view allows. */
static unsigned n_burst;
static void depart(struct conn *k)
{
	u64 room = k->limit > k->smax ? k->limit - k->smax : 0;
	u32 len;

	if (!k->open || k->fin_out)
		return;
	if (tb_below(400) == 0) {
		/* Many of one kind, before a visit looks. */
		unsigned kind = tb_below(3), n = tb_chance(30) ? tb_range(10, 130) : kind == 2 ? 64 : tb_range(1, 4) * 16;

		if (kind == 2 && k->smax == k->m.una)
			kind = 0;
		for (unsigned at = 0; n--; at = 1) {
			struct job *j = job(k, J_DEP, !at);

			j->to = k->smax;
			j->from = j->to - (kind == 2);
			j->again = kind == 2;
			j->cut = kind != 2;
			j->unsent = kind != 2;
			j->pin = 1;
			k->pins++;
		}
		n_burst++;
		return;
	}
	if (!room) {
		if (tb_chance(10)) {
			struct job *j = job(k, J_DEP, tb_range(1, 20)); /* made and cut off */

			j->from = j->to = k->smax;
			j->cut = 1;
			j->unsent = tb_chance(50);
			j->pin = 1;
			k->pins++;
		}
		return;
	}
	len = room > k->m.mss ? k->m.mss : room;
	if (len && tb_chance(30))
		len = 1 + tb_below(len);
	struct job *j;
	u64 off = k->smax;

	smax_word(k, off + len);
	j = job(k, J_DEP, tb_range(1, 40));
	j->from = off;
	j->to = off + len;
	j->cut = tb_chance(3);
	j->pin = 1;
	k->pins++;
}

static void on_view(int port, const uint8_t *b, void *arg)
{
	struct tb_pack p;

	got(port, b, arg);
	tb_unpack_begin(&p, b, 480);
	struct conn *k = &c[(tb_get(&p, 24) - QBASE) % NQ];
	tb_get(&p, 12);
	k->open = tb_get(&p, 1);
	tb_get(&p, 32);
	k->v_ack = tb_get(&p, 32);
	k->v_edge = tb_get(&p, 32);
	tb_get(&p, 4);
	k->limit = tb_get(&p, 64);
	if (k->limit < k->m.una)
		k->limit = k->m.una;
}

static void on_due(int port, const uint8_t *b, void *arg)
{
	struct conn *k = &c[(tb_bits_get(b, 79, 24) - QBASE) % NQ];
	unsigned kind = tb_bits_get(b, 64, 3);
	u64 off = tb_bits_get(b, 0, 64);
	struct job *j;

	got(port, b, arg);
	if (kind == 2 && off >= k->smax)
		smax_word(k, off + 1);
	j = job(k, J_DEP, tb_range(1, 60));
	j->only = kind != 2;
	j->unsent = kind == 0 && tb_chance(20);
	j->fin = kind == 2;
	j->again = kind == 2 && k->fin_out;
	j->from = kind == 2 ? off : k->smax;
	j->to = j->from + j->fin;
	j->pin = 1; /* the pin that came with it: counted in drop */
	k->fin_out |= kind == 2;
}

static void on_ask(int port, const uint8_t *b, void *arg)
{
	struct tb_pack p;

	got(port, b, arg);
	tb_unpack_begin(&p, b, 169);
	struct conn *k = &c[(tb_get(&p, 24) - QBASE) % NQ];
	tb_get(&p, 12);
	u64 from = tb_get(&p, 64), to = tb_get(&p, 64);
	unsigned n = 0;

	if (k == rest.k && rest.took_at && !rest.asked_at) {
		rest.from = from;
		rest.to = to;
		rest.asked_at = tb_cycle();
	}
	/* As much as leaves; now and then nothing does. */
	while (from < to && n++ < 4 && !tb_chance(5)) {
		u64 end = from + k->m.mss < to ? from + k->m.mss : to;
		struct job *j;

		if (k->fin_out && end > k->smax)
			end = k->smax;
		if (from < k->smax && end > k->smax)
			end = k->smax;
		if (end <= from)
			break;
		bool again = from < k->smax;

		if (end > k->smax)
			smax_word(k, end);
		j = job(k, J_DEP, tb_range(1, 30));
		j->again = again;
		j->from = from;
		j->to = end;
		from = end;
	}
	struct job *j = job(k, J_DEP, tb_chance(20) ? tb_range(100, 600) : tb_range(1, 30));

	j->only = 0;
	j->again = 1;
	j->from = k->smax - tb_below(2);
	j->to = k->smax;
	j->unsent = j->from == j->to;
	j->done = 1;
	j->cut = tb_chance(20); /* more was made than was asked for */
	j->pin = 1;
}

static void gather(struct conn *k)
{
	for (bool again = true; again;) {
		again = false;
		for (unsigned i = 0; i < k->n_ahead; i++)
			if (k->ahead[i].from <= k->expect) {
				if (k->ahead[i].to > k->expect)
					k->expect = k->ahead[i].to;
				k->ahead[i] = k->ahead[--k->n_ahead];
				again = true;
				break;
			}
	}
}

/* What was accepted from `expect` on is dropped; pieces of the other generation from now on. */
static void unaccept(struct conn *k)
{
	struct tb_pack p;

	tb_pack_begin(&p, 101);
	who(&p, k);
	tb_put(&p, 1, k->pgen);
	tb_put(&p, 64, k->expect);
	say(UNACC, k, &p, 101);
	k->pgen ^= 1;
	k->n_ahead = 0;
	k->fresh = true;
	k->lowered = false;
}

/*
 * rdmap refuses what mpa took, none of which is committed: it comes again. Behind an unaccept of which no piece has come yet mpa
 * says the generation before once more, with what is wanted now; tcp may have sent pieces of the new one that are not.
 */
static void refuse(struct conn *k)
{
	struct tb_pack p;

	if (k->cpos >= k->expect)
		return;
	for (struct job *j = jobs; j; j = j->next)
		if (j->c == k && j->type == J_COMMIT && !j->ahead && j->to > k->cpos) {
			j->to = k->cpos;
			j->repeat = j->last = false;
		}
	k->expect = k->cpos;
	n_refuse++;
	if (!k->fresh) {
		unaccept(k);
		return;
	}
	tb_pack_begin(&p, 101);
	who(&p, k);
	tb_put(&p, 1, k->pgen ^ 1);
	tb_put(&p, 64, k->expect);
	say(UNACC, k, &p, 101);
	k->n_ahead = 0;
	k->lowered = true;
	n_lowered++;
}

/* An FPDU of [*at, end), which was stored before. */
static struct job *again(struct conn *k, u64 *at, u64 end)
{
	struct job *j;

	if (*at >= end)
		return NULL;
	j = job(k, J_COMMIT, tb_chance(70) ? 0 : tb_range(1, 30));
	j->repeat = 1;
	j->from = *at + tb_below(end - *at);
	j->to = j->from + 1 + tb_below(end - j->from);
	j->now = tb_chance(30);
	j->pin = 1;
	k->pins++;
	*at = j->to;
	return j;
}

static void command(struct conn *k);
static void on_piece(int port, const uint8_t *b, void *arg)
{
	struct tb_pack p;

	got(port, b, arg);
	tb_unpack_begin(&p, b, 148);
	struct conn *k = &c[(tb_get(&p, 24) - QBASE) % NQ];
	tb_get(&p, 12);
	unsigned gen = tb_get(&p, 1);
	u64 off = tb_get(&p, 64), len = tb_get(&p, 16);
	unsigned h = tb_get(&p, 12);
	tb_get(&p, 16);
	unsigned ahead = tb_get(&p, 1);
	tb_get(&p, 1);
	unsigned fin = tb_get(&p, 1);

	handle_used[h] = false;
	if (k->m.deaf) { /* it is let go; of what was under way some is told of */
		if (ahead && tb_chance(50)) {
			struct job *j = job(k, J_COMMIT, tb_range(1, 40));

			j->ahead = 1;
			j->from = off;
			j->to = off + len;
			j->pin = 1;
		} else {
			k->pins--;
		}
		return;
	}
	if (gen != k->pgen) {
		if (tb_chance(10)) { /* said again */
			tb_pack_begin(&p, 101);
			who(&p, k);
			tb_put(&p, 1, gen);
			tb_put(&p, 64, k->expect);
			say(UNACC, k, &p, 101);
		}
		k->pins--;
		return;
	}
	k->fresh = false;
	if (k->lowered && off > k->expect) { /* not where the next one begins */
		unaccept(k);
		k->pins--;
		return;
	}
	if (ahead && off > k->expect) {
		bool free_ = k->n_ahead < 4 && tb_chance(70);

		for (unsigned i = 0; i < k->n_ahead; i++)
			if (off < k->ahead[i].to && off + len > k->ahead[i].from)
				free_ = false;
		if (!free_) {
			k->pins--;
			return;
		}
		k->ahead[k->n_ahead++] = (struct range){ off, off + len };
		struct job *j = job(k, J_COMMIT, tb_range(1, 40));

		j->ahead = 1;
		j->from = off;
		j->to = off + len;
		if (len > 1 && tb_chance(30)) { /* stored in two parts, one behind the other */
			j->to = off + 1 + tb_below(len - 1);
			u64 mid = j->to;

			j = job(k, J_COMMIT, 0);
			j->ahead = 1;
			j->from = mid;
			j->to = off + len;
		}
		j->pin = 1;
		return;
	}
	if (off > k->expect)
		tb_fail("piece of %u at %llx, mpa waits for %llx", (unsigned)(k - c), (unsigned long long)off, (unsigned long long)k->expect);
	if (tb_chance(3) && off >= k->cpos && off <= k->expect && off + len > k->expect) {
		unaccept(k); /* no page for it */
		k->pins--;
		return;
	}
	bool more = off + len > k->expect;

	if (more) {
		k->expect = off + len;
		gather(k);
		if (k->expect > off + len && tb_chance(k->sack ? 10 : 40) && tb_pending(CMD) < 3)
			command(k);
		/* Some FPDUs begin, and may end, in what was stored before; some end inside what this stores. */
		u64 at = k->cpos - k->base > 3000 ? k->cpos - 3000 : k->base;
		struct job *j;

		if (tb_chance(10))
			again(k, &at, k->cpos);
		j = job(k, J_COMMIT, tb_range(1, 80));
		j->to = k->expect;
		j->now = tb_chance(30);
		j->pin = 1;
		for (unsigned n = tb_chance(80) ? 0 : tb_range(1, 3); n; n--)
			again(k, &at, j->to);
	} else if (!fin || off + len < k->expect)
		k->pins--;
	if (fin && off + len == k->expect) { /* all of it is placed, at some time */
		struct job *j = job(k, J_COMMIT, tb_range(1, 300));

		j->to = k->expect;
		j->last = 1;
		j->pin = 1;
		k->pins += more;
	}
	k->fin_seen |= fin;
}

static void on_drop(int port, const uint8_t *b, void *arg)
{
	struct fifo *q = &ex[DROP];
	struct exp *e = &q->e[q->r % EXPN];
	unsigned sl = tb_bits_get(b, 4, 12), n = tb_bits_get(b, 0, 4);
	struct conn *k = slot[sl % 64].c;

	counts[DROP]++;
	if (q->r != q->w && e->at == tb_cycle()) {
		q->r++;
		tb_check(!memcmp(e->b, b, 2), "drop of slot %u by %u, should be slot %u by %u", sl, n, (unsigned)tb_bits_get(e->b, 4, 12),
			 (unsigned)tb_bits_get(e->b, 0, 4));
	} else {
		tb_check(n == 1 && k && k->n_over, "a pin of slot %u is dropped (%u)", sl, n);
		if (k)
			k->n_over--;
	}
	if (k) {
		k->pins -= (int)(n ^ 8) - 8;
		tb_check(k->pins >= 0, "connection %u has %d pins", (unsigned)(k - c), k->pins);
	}
}

static void on_free(int port, const uint8_t *b, void *arg)
{
	unsigned h = tb_bits_get(b, 0, 12);

	counts[FREE]++;
	tb_check(handle_free_due[h], "frame %u is freed", h);
	handle_free_due[h] = handle_used[h] = false;
}

static void on_tmr(int port, const uint8_t *b, void *arg)
{
	struct tb_pack p;

	counts[TMR]++;
	tb_unpack_begin(&p, b, 89);
	struct conn *k = &c[(tb_get(&p, 24) - QBASE) % NQ];
	k->wheel_on = tb_get(&p, 1);
	k->wheel_at = tb_get(&p, 64);
	k->fired = false;
}

static void start_load(struct conn *k);
static u64 have_at;
static struct conn *have_c;
static void on_need(int port, const uint8_t *b, void *arg)
{
	have_c = &c[(tb_bits_get(b, 0, 24) - QBASE) % NQ];
	tb_check(!tb_bits_get(b, 24, 1), "need with resume");
	have_at = tb_cycle() + 1 + tb_below(3);
}
static void answer_need(void)
{
	struct tb_pack p;
	struct conn *k = have_c;
	unsigned st;

	if (!k || tb_cycle() < have_at)
		return;
	have_c = NULL;
	if (k->place == HOME) {
		st = 2;
		k->pins++;
	} else if (k->place == LOADING || (!tb_chance(30) && !quiet_phase))
		st = 1;
	else
		st = 3;
	k->stale = true;
	if (st == 1 && k->place == AWAY)
		start_load(k);
	if (st == 1 && k->place == AWAY)
		st = 3; /* no slot */
	if (st == 1 && k->place == SAVING)
		st = 3;
	if (st == 3)
		k->busy_at = tb_cycle();
	tb_pack_begin(&p, 44);
	tb_put(&p, 2, st);
	tb_put(&p, 24, k - c + QBASE);
	tb_put(&p, 12, st == 2 ? (u32)k->slot : tb_below(4096));
	tb_put(&p, 6, tb_below(64));
	tb_item_push(HAVE, p.bits, 6);
}

static bool slot_busy[64];
static void start_load(struct conn *k)
{
	uint8_t l[4][64], b[72];
	unsigned s;

	for (s = 0; s < SLOTS && slot_busy[s]; s++)
		;
	if (s == SLOTS)
		return;
	slot_busy[s] = true;
	k->slot = s;
	k->place = LOADING;
	home_lines(k, l);
	for (unsigned i = 0; i < 4; i++) {
		memset(b, 0, sizeof b);
		memcpy(b, l[i], 64);
		tb_bits_set(b, 512, 3, i);
		tb_bits_set(b, 517, 12, s);
		tb_bits_set(b, 529, 24, k - c + QBASE);
		tb_item_push(LOAD, b, 70);
	}
	n_load++;
}

static void on_loaded(int port, const uint8_t *b, void *arg)
{
	unsigned line = tb_bits_get(b, 12, 3), s = tb_bits_get(b, 0, 12);

	if (line != 3)
		return;
	for (unsigned i = 0; i < NQ; i++)
		if (c[i].place == LOADING && c[i].slot == (int)s) {
			c[i].place = HOME;
			c[i].quiet = tb_cycle();
			if (slot[s].c != &c[i] || !slot[s].live)
				tb_fail("slot %u is said to be loaded before its visit", s);
		}
}

static void start_save(struct conn *k)
{
	struct tb_pack p;

	if (k->pins || inq[k - c] || tb_cycle() < k->quiet + 8 || k->n_over)
		return;
	k->place = SAVING;
	tb_pack_begin(&p, 38);
	who(&p, k);
	tb_put(&p, 2, tb_below(4));
	tb_item_push(SAVE, p.bits, 5);
	n_save++;
}

static void on_line(int port, const uint8_t *b, void *arg)
{
	got(port, b, arg);
	if (tb_bits_get(b, 512, 3) == 3) {
		struct conn *k = &c[(tb_bits_get(b, 529, 24) - QBASE) % NQ];

		n_leaving--;
		k->place = AWAY;
		slot_busy[k->slot] = false;
		k->slot = -1;
		/* Firmware takes the dead away, and others at times. */
		if (k->m.state != 1 || tb_chance(3)) {
			bool on = k->wheel_on;
			u64 at = k->wheel_at;

			create(k);
			k->wheel_on = on;
			k->wheel_at = at;
		}
	}
}

static void on_word(int port, const uint8_t *b, void *arg)
{
	unsigned bits = (unsigned)(uintptr_t)arg, sl = tb_bits_get(b, bits - 36, 12), q = tb_bits_get(b, bits - 24, 24) - QBASE;
	struct slot *s = &slot[sl % 64];
	struct word *w;

	inq[q % NQ]--;
	word_at = tb_cycle();
	c[q % NQ].quiet = tb_cycle();
	if (s->nw == 512) {
		tb_fail("test: too many words");
		return;
	}
	w = &s->w[s->nw++];
	w->at = tb_cycle();
	w->type = port;
	memcpy(w->b, b, (bits + 7) / 8);
}

static void flush_went(struct slot *s)
{
	if (s->went_new && s->went_at < tb_cycle()) {
		s->went += s->went_new;
		s->went_new = 0;
	}
}
static u64 lat_from;
static unsigned lat_handle = ~0u;
static void on_taken(int port, const uint8_t *b, void *arg)
{
	struct seg *g = get(&sent);
	unsigned h = tb_bits_get(b, 0, 12), over = tb_bits_get(b, 12, 1);

	if (!g || g->handle != h) {
		tb_fail("test: another segment was taken");
		return;
	}
	struct slot *s = &slot[g->c->slot];

	flush_went(s);
	tb_check(over == (s->came - s->went >= 4), "a segment is %s, %u wait", over ? "let go" : "taken", s->came - s->went);
	if (over) {
		n_over_seen++;
		g->c->n_over++;
		if (g->body)
			handle_free_due[h] = true;
		else
			handle_used[h] = false;
		free(g);
		return;
	}
	if (h == lat_handle)
		lat_from = tb_cycle();
	if (h == rest.handle)
		rest.took_at = tb_cycle();
	s->came++;
	put(&in_pipe[g->c->slot], g);
	if (!g->body)
		handle_used[h] = false;
}
static void on_head(int port, const uint8_t *b, void *arg)
{
	struct slot *s = &slot[tb_bits_get(b, 0, 12) % 64];

	flush_went(s);
	s->went_new++;
	s->went_at = tb_cycle();
}
static void on_state(int port, const uint8_t *b, void *arg)
{
	ready_seen = tb_bits_get(b, 2, 1);
	idle_now = tb_bits_get(b, 1, 1);
	if (!idle_now)
		idle_since = tb_cycle();
}
static unsigned lat_seen;
static void on_piece_valid(int port, const uint8_t *b, void *arg)
{
	if (tb_bits_get(b, 0, 12) == lat_handle && !lat_seen && lat_from)
		lat_seen = tb_cycle() - lat_from;
}

/* ------------------------------------------------------------------ the peer */
static void send_seg(struct conn *k, int force_kind)
{
	const struct model *m = &k->m;
	struct seg *g = calloc(1, sizeof *g);
	struct tb_pack p;
	u32 h;
	u32 nxt = m->seq0r + (u32)m->rcv_nxt + m->fin, wnd = (u32)(m->right - m->rcv_nxt);
	unsigned r = tb_below(1000);

	do
		h = tb_below(4096);
	while (handle_used[h] || handle_free_due[h]);
	handle_used[h] = true;
	g->c = k;
	g->handle = h;
	g->flags = ACK | (tb_chance(50) ? 8 : 0);
	g->seq = nxt;
	g->len = tb_chance(60) ? tb_range(1, 1460) : tb_range(1, 200);
	g->start = tb_range(54, 114);
	g->body = !tb_chance(2);
	g->ecn = tb_chance(5) ? 3 : tb_below(3);
	g->ack = m->seq0 + (u32)m->una;
	if (force_kind == 0 && r < 850 && wnd && g->len > wnd && !tb_chance(10))
		g->len = wnd;
	if (force_kind)
		r = 0;
	if (r < 450)
		;
	else if (r < 600)
		g->len = 0; /* pure ACK */
	else if (r < 690)
		g->seq += tb_range(1, 4000); /* ahead */
	else if (r < 720)
		g->len = 700, g->seq += tb_range(1, 3) * 700; /* ahead, side by side */
	else if (r < 770)
		g->seq -= tb_range(1, 2000); /* again, in part or whole */
	else if (r < 790)
		g->seq += wnd + tb_range(0, 3) - 1 - (tb_chance(50) ? g->len : 0); /* about the right edge */
	else if (r < 800)
		g->seq = tb_rand();
	else if (r < 805)
		g->seq = nxt - 1, g->len = tb_below(2); /* keep-alive */
	else if (r < 815)
		g->flags |= FIN, g->len = tb_chance(40) ? 0 : tb_chance(50) && wnd < 65536 ? wnd : g->len; /* up to the very edge */
	else if (r < 819)
		g->flags |= RST, g->len = 0;
	else if (r < 829)
		g->flags |= RST, g->seq += tb_range(0, 3) * (wnd / 2 + 1) - (tb_chance(20) ? 5 : 0), g->len = 0;
	else if (r < 845)
		g->flags |= SYN, g->len = tb_chance(50) ? 0 : g->len, g->seq = tb_chance(50) ? nxt : (u32)tb_rand();
	else if (r < 855)
		g->flags &= ~ACK;
	else if (r < 865)
		g->flags = tb_rand() & 511, g->seq = tb_rand(), g->len = tb_below(65536);
	else if (r < 885)
		g->len = tb_range(1461, 65000); /* larger than anything */
	else if (r < 890)
		g->len = 0, g->seq += wnd + tb_below(3);
	/* the ACK field */
	u32 out = (u32)(k->smax - m->una);
	unsigned a = tb_below(100);

	/* One segment was asked for by duplicate ACKs: that alone is acknowledged. */
	bool answer = k->sack && m->fast_rec && m->dups == 3 && !m->none && out > m->mss && tb_chance(50);

	if (answer)
		g->ack += tb_range(m->mss / 2, m->mss + 1);
	else if (a < 60)
		g->ack += out ? tb_below(out + 1) : 0;
	else if (a < 70)
		g->ack += out;
	else if (a < 78)
		g->ack -= tb_below(3000);
	else if (a < 81)
		g->ack += out + tb_range(0, 2);
	else if (a < 82)
		g->ack = tb_rand();
	else if (a < 84)
		g->ack -= m->maxw + tb_below(3) - 1;
	g->wnd = tb_chance(6) ? 0 : tb_chance(70) ? tb_range(1000, 65535) >> (m->wscale ? m->ss : 0) : tb_below(3000);
	bool plain_dup = out && m->wedge > m->una && !answer && tb_chance(m->none ? 80 : m->ask_out && k->sack && !m->fast_rec ? 60 : 8);

	if (plain_dup) {
		g->len = 0;
		g->flags = ACK;
		g->seq = nxt;
		g->ack = m->seq0 + (u32)m->una;
		g->wnd = (m->wedge - m->una) >> (m->wscale ? m->ss : 0);
	}
	if (tb_chance(5))
		g->flags |= ECE;
	if (tb_chance(5))
		g->flags |= CWR;
	g->ts = k->ts ? !tb_chance(2) : tb_chance(5);
	g->ts_val = m->tsr + tb_below(3);
	if (tb_chance(4))
		g->ts_val = m->tsr - tb_below(5);
	if (tb_chance(1))
		g->ts_val = tb_rand();
	if ((u32)(tb_get_now() >> 30) - m->tsage >= DAYS24 - 4 && tb_chance(50))
		g->ts_val = m->tsr - tb_range(1, 100);
	if (m->deaf && tb_chance(40)) { /* ranges ahead, more than one; then to where one of them begins, or further, most often behind the next one */
		unsigned at = tb_below(4), next = 0;

		g->flags = ACK;
		g->ack = m->seq0 + (u32)m->una;
		if (m->n_sack > 1) {
			for (unsigned i = 1; i < m->n_sack; i++)
				if (m->sack[i][1] < m->sack[next][1])
					next = i;
			at %= m->n_sack;
			if (at == next && tb_chance(70))
				at = (at + 1) % m->n_sack;

			u64 far = m->sack[at][0] - m->rcv_nxt + tb_below(100);

			g->seq = nxt;
			g->len = far < 60000 && far ? far : 700;
		} else if (k->sack) {
			g->seq = nxt + tb_range(300, 8000);
			g->len = tb_range(1, 1000);
		}
	}
	if (force_kind) {
		g->ts = k->ts;
		g->ts_val = m->tsr;
		g->len = wnd < 100 ? 1 : 100;
		g->body = true;
		g->flags = ACK;
		g->ack = m->seq0 + (u32)m->una;
	}
	if (force_kind == 2) {
		g->len = 0;
		g->seq = nxt;
		g->ack = m->seq0 + (u32)rest.ack;
		g->wnd = rest.wnd >> (m->wscale ? m->ss : 0);
		rest.handle = h;
		rest.took_at = rest.asked_at = 0;
	}
	/* who it is for: now and then a bit of the key is another */
	uint8_t key[64];
	u32 flip = tb_below(256 + 32 + 2 + 12);
	bool v6 = k->ipv6, vl = k->vlan;
	u32 vid = tb_bits_get(k->key, WEFT_HOME_KEY_VID_LSB, 12);

	memcpy(key, k->key, 64);
	g->wrong = !force_kind && tb_chance(3);
	if (g->wrong) {
		if (flip < 256 + 32)
			key[flip / 8] ^= 1 << (flip & 7); /* addresses; the ports follow them */
		else if (flip == 256 + 32)
			v6 = !v6;
		else if (flip == 256 + 33 || !vl)
			vl = !vl;
		else
			vid ^= 1 << (flip - 256 - 34 < 12 ? flip - 256 - 34 : 0);
	} else if (!vl)
		vid = tb_below(4096);
	tb_pack_begin(&p, 815);
	who(&p, k);
	tb_put(&p, 4, tb_below(16));
	tb_put(&p, 12, h);
	tb_put(&p, 8, g->start);
	tb_put(&p, 16, g->len);
	tb_put(&p, 32, g->seq);
	tb_put(&p, 32, g->ack);
	tb_put(&p, 16, g->wnd);
	tb_put(&p, 9, g->flags);
	tb_put(&p, 2, g->ecn);
	tb_put(&p, 1, g->ts);
	tb_put(&p, 32, g->ts_val);
	tb_put(&p, 32, tb_rand());
	g->n_sack = plain_dup || force_kind == 2 || tb_chance(answer || m->none ? 98 : 70) ? 0 : tb_below(5);
	for (int i = 0; i < 4; i++) {
		u32 rest = m->seq0 + (u32)k->smax - g->ack;

		g->sk[i][0] = g->ack + tb_below((rest & 0xfffff) + 2);
		g->sk[i][1] = g->sk[i][0] + tb_below(3000);
		if (tb_chance(50))
			g->sk[i][1] = m->seq0 + (u32)k->smax + (tb_chance(10) ? 1 : 0);
		if (tb_chance(3))
			g->sk[i][0] = tb_rand();
	}
	tb_put(&p, 3, g->n_sack);
	for (int i = 3; i >= 0; i--) {
		tb_put(&p, 32, g->sk[i][0]);
		tb_put(&p, 32, g->sk[i][1]);
	}
	tb_put(&p, 1, v6);
	tb_put(&p, 1, vl);
	tb_put(&p, 12, vid);
	for (int i = 1; i >= 0; i--)
		tb_put(&p, 64, tb_bits_get(key, WEFT_HOME_KEY_PEER_ADDR_LSB + 64 * i, 64));
	for (int i = 1; i >= 0; i--)
		tb_put(&p, 64, tb_bits_get(key, WEFT_HOME_KEY_LOCAL_ADDR_LSB + 64 * i, 64));
	tb_put(&p, 16, tb_bits_get(key, WEFT_HOME_KEY_PEER_PORT_LSB, 16));
	tb_put(&p, 16, tb_bits_get(key, WEFT_HOME_KEY_LOCAL_PORT_LSB, 16));
	tb_put(&p, 1, g->body);
	tb_put(&p, 1, tb_below(2));
	tb_put(&p, 4, tb_below(16));
	tb_put(&p, 16, tb_below(10000));
	memcpy(g->raw, p.bits, 102);
	tb_item_push(SEG, p.bits, 102);
	put(&sent, g);
	k->pins++;
	n_seg++;
	if (force_kind == 1) {
		lat_handle = h;
		lat_seen = 0;
		lat_from = 0;
	}
}

static void command(struct conn *k)
{
	struct tb_pack p;
	unsigned r = tb_below(100), op, a = tb_rand() & 0xffff;

	op = r < 50 ? OP_ACK : r < 75 ? OP_DRAIN : r < 85 ? OP_SETL2 : r < 93 ? OP_SETSTATE : OP_CLOSE;
	if (op == OP_SETSTATE)
		a = tb_chance(10) ? 64 : (a & 0x3c) | (tb_chance(90) ? 1 : 0);
	for (unsigned i = 0; i < k->m.n_sack; i++) /* a hole is filled, and that is not committed */
		if (k->m.sack[i][0] <= k->m.rcv_nxt && k->m.sack[i][1] > k->m.rcv_nxt && tb_chance(30)) {
			op = OP_SETSTATE;
			a = 64;
		}
	if (k->expect > k->m.rcv_nxt && tb_chance(50)) { /* what came ahead of turn is in order for mpa, which says so in a while */
		op = OP_SETSTATE;
		a = 64;
	}
	if (op == OP_CLOSE)
		k->want_close = true;
	tb_pack_begin(&p, 56);
	who(&p, k);
	tb_put(&p, 4, op);
	tb_put(&p, 16, a);
	say(CMD, k, &p, 56);
	inq[k - c]--;
	k->pins++; /* it comes with one */
}

/* ------------------------------------------------------------------ the test */
static u64 end_at, traffic_from, rate_visits, rate_cycles;
static int phase;
static unsigned load_pct = 50;

static void on_ev(int port, const uint8_t *b, void *arg) { got(port, b, arg); }

void tb_setup(void)
{
	static const struct { int port; tb_item_fn fn; unsigned bits; } t[] = {
		{ FALSEHIT, got, 815 }, { FREE, on_free, 12 }, { PIECE, on_piece, 148 }, { DUE, on_due, 103 }, { VIEW, on_view, 480 },
		{ TXACK, got, 229 }, { ASK, on_ask, 169 }, { TMR, on_tmr, 89 }, { NEED, on_need, 25 }, { DROP, on_drop, 16 },
		{ LINE, on_line, 553 }, { EV, on_ev, 488 }, { VISIT, visit, 126 }, { STATE, on_state, 3 }, { TAKEN, on_taken, 13 },
		{ HEAD, on_head, 12 }, { TCM, on_word, 168 }, { TRM, on_word, 100 }, { TUN, on_word, 101 }, { TDP, on_word, 241 },
		{ TSM, on_word, 100 }, { PCV, on_piece_valid, 13 }, { LDT, on_loaded, 24 }, { OPEN, got, 76 } };

	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++)
		tb_on_item(t[i].port, t[i].fn, (void *)(uintptr_t)t[i].bits);
	tb_set_now(((u64)tb_below(1000000) << 30) + tb_rand() % 1000000000 + (60ull * 86400 * 1000000000));
	for (unsigned i = 0; i < NQ; i++) {
		create(&c[i]);
		c[i].stale = true;
	}
	end_at = tb_opt("cycles", 160000);
}

static struct conn *some_home(void)
{
	for (unsigned i = 0; i < 8; i++) {
		struct conn *k = slot[tb_below(SLOTS)].c;

		if (k && k->place == HOME)
			return k;
	}
	return NULL;
}

static void churn(void)
{
	struct conn *k;

	if (tb_chance(12) && (k = some_home()))
		start_save(k);
	if (tb_chance(25) && (k = &c[tb_below(NQ)])->place == AWAY && tb_pending(LOAD) < 8)
		start_load(k);
}

static void wheel(void)
{
	u64 now = tb_get_now();

	if (tb_pending(FIRE) > 2)
		return;
	for (unsigned n = 0; n < 8; n++) {
		static unsigned at;
		struct conn *k = &c[at++ % NQ];

		if (k->wheel_on && k->wheel_at <= now) {
			u32 q = k - c + QBASE;

			k->wheel_on = false;
			k->fired = k->stale = true;
			tb_item_push(FIRE, &q, 3);
			n_fire++;
			return;
		}
	}
}

static void traffic(void)
{
	struct conn *k;
	struct tb_pack p;

	if (tb_chance(load_pct) && tb_pending(SEG) < 12 && (k = some_home()))
		send_seg(k, 0);
	/* one connection gets many at once */
	if (tb_chance(1) && tb_pending(SEG) < 4 && (k = some_home()))
		for (int i = 0; i < 10; i++)
			send_seg(k, 0);
	if (tb_chance(30) && (k = some_home()))
		depart(k);
	if (tb_chance(10) && (k = some_home())) {
		u64 r = k->expect + tb_range(0, 70000);

		if (r > k->right && !tb_chance(10)) {
			k->right = r;
			tb_pack_begin(&p, 100);
			who(&p, k);
			tb_put(&p, 64, r);
			say(ROOM, k, &p, 100);
		}
	}
	if (tb_chance(3) && (k = some_home()) && k->n_ahead) { /* pages of what is ahead are taken back */
		tb_pack_begin(&p, 101);
		who(&p, k);
		tb_put(&p, 1, k->pgen);
		tb_put(&p, 64, k->expect);
		for (unsigned n = tb_chance(70) ? 1 : tb_range(1, 4) * 16; n; n--)
			say(UNACC, k, &p, 101);
		k->pgen ^= 1;
		k->n_ahead = 0;
		k->fresh = true;
	}
	if (tb_chance(2) && (k = some_home()))
		refuse(k);
	if (tb_chance(2) && tb_pending(CMD) < 3 && (k = some_home()))
		command(k);
}

/* Nothing is under way: no job, no word that the pipe has not taken, or has taken just now. */
static bool at_rest(void)
{
	static const int in[] = { COMMIT, ROOM, UNACC, DEP, SMAX, CMD };

	for (unsigned i = 0; i < sizeof in / sizeof in[0]; i++)
		if (tb_pending(in[i]))
			return false;
	return !jobs && idle_now && tb_cycle() > idle_since + 20 && tb_cycle() > word_at + 20;
}

static void no_rest(void)
{
	for (int port = 0; port < 40; port++)
		if (ex[port].r != ex[port].w)
			tb_fail("%s: %u that were expected did not come", names[port] ? names[port] : port == DROP ? "drop" : "?", ex[port].w - ex[port].r);
	for (unsigned h = 0; h < 4096; h++)
		if (handle_free_due[h]) {
			tb_fail("frame %u is not freed", h);
			break;
		}
	for (unsigned i = 0; i < NQ; i++) {
		struct conn *k = &c[i];

		if (k->pins)
			tb_fail("connection %u has %d pins at the end (ack %u, ask %u, rack %u; state %u)", i, k->pins, k->m.ack_out, k->m.ask_out, k->m.pin,
				k->m.state);
		if (!k->stale && (k->wheel_on != !!k->m.early || (k->wheel_on && k->wheel_at != k->m.early << 10)))
			tb_fail("connection %u: the wheel has %d %llx, should have %llx", i, k->wheel_on, (unsigned long long)k->wheel_at >> 10,
				(unsigned long long)k->m.early);
	}
}

/* Of everything something was seen. Traffic goes on until then, up to six times as long as it was to (512 bits, seed 1: 2.7 times). */
static bool reached(void)
{
	return n_rto > 0 && n_probe > 0 && n_dead > 5 && n_rtt > 50 && n_cut > 5 && n_above > 50 && n_lack > 5 && n_rest > 5 && n_held > 20 && n_gap + n_later > 5 && n_jump > 20 && n_back > 5
	       && n_sackm > 20 && n_fin > 5 && n_fin_early > 2 && n_fin_told[0] > 2 && n_paws > 5 && n_over_seen > 5 && n_lost > 5 && n_told > 5 && n_ecn > 5 && n_verdict[3] > 50 && n_verdict[4] > 5 && n_tlp > 5
	       && n_fast > 5 && n_verdicts > 100 && n_holes > 20 && n_dsack > 100 && n_young > 20 && n_bare > 2 && n_none > 2 && n_kept > 2 && n_waits > 1 && n_ah_merge > 5 && n_overlap > 100 && n_next > 5 && n_burst > 20
	       && n_deaf > 3 && n_deaf_text > 20 && n_reach > 2 && n_touch > 2 && n_through > 0 && n_stays[0] + n_stays[1] > 0;
}

/*
 * A window smaller than a segment cuts off what is in flight alone, and is then opened by an MSS less four bytes, as one that is rounded down
 * is: the rest fits, and leaves at once. Nothing else would bring it: nothing is in flight, and the peer has said all that it knows.
 */
static unsigned n_rests, n_rest_lat;
static bool rest_case(void)
{
	static enum { PICK, WIDE, NARROW, CUT, OPENED } at;
	static u64 since;
	static u32 left;
	struct conn *k = rest.k;
	struct model *m = k ? &k->m : NULL;
	u32 unit = m && m->wscale ? 1u << m->ss : 1;

	if (!idle_now || tb_cycle() <= idle_since + 10 || tb_cycle() <= word_at + 10 || tb_pending(SEG)) {
		if (at != PICK && tb_cycle() > since + 3000) {
			tb_fail("the rest of a segment: step %d does not come to its end", at);
			return true;
		}
		return false;
	}
	switch (at) {
	case PICK:
		if (jobs || !(rest.k = k = some_home()))
			return false;
		m = &k->m;
		if (m->state != 1 || m->hold || m->closing || m->fin_sent || m->smax != m->una || k->smax != m->una || m->cut || m->cut_ask || m->ask_out
		    || (int32_t)(m->seq0r + (u32)m->rcv_nxt + m->fin - m->wl1) < 0 || (int32_t)(m->seq0 + (u32)m->una - m->wl2) < 0
		    || m->cwnd < m->mss || m->rto_rec || m->fast_rec || k->pins || inq[k - c] || k->fin_out || k->want_close) {
			/* Another one. */
			if (tb_chance(20))
				start_save(k);
			if ((k = &c[tb_below(NQ)])->place == AWAY && k->m.state == 1 && !k->m.hold && k->m.smax == k->m.una && tb_pending(LOAD) < 8)
				start_load(k);
			rest.k = NULL;
			return false;
		}
		rest.ack = m->una;
		rest.wnd = 3 * m->mss + unit;
		at = WIDE;
		break;
	case WIDE:
		left = tb_range(m->mss / 4, m->mss - m->mss / 4) / unit * unit;
		rest.wnd = left;
		at = NARROW;
		break;
	case NARROW: {
		struct job *j;

		tb_check(m->wedge == m->una + left && m->cwnd >= m->mss, "the rest of a segment: window %llu, should be %u", (unsigned long long)(m->wedge - m->una), left);
		smax_word(k, m->una + left);
		j = job(k, J_DEP, 5);
		j->from = m->una;
		j->to = m->una + left;
		j->cut = 1;
		j->pin = 1;
		k->pins++;
		at = CUT;
		since = tb_cycle();
		return false;
	}
	case CUT:
		if (jobs)
			return false;
		tb_check(m->cut && m->smax == m->una + left, "the rest of a segment: not cut");
		rest.ack = m->smax;
		rest.wnd = (m->mss - 4) / unit * unit;
		at = OPENED;
		break;
	case OPENED:
		if (!rest.asked_at) {
			tb_fail("the rest of a segment, %u of %u bytes, does not leave when the window opens by %u", m->mss - left, m->mss, rest.wnd);
		} else {
			tb_check(rest.from == rest.ack && rest.to == rest.ack + rest.wnd, "the rest of a segment: asked for [%llx, %llx), should be [%llx, %llx)",
				 (unsigned long long)rest.from, (unsigned long long)rest.to, (unsigned long long)rest.ack,
				 (unsigned long long)rest.ack + rest.wnd);
			if (rest.asked_at - rest.took_at > n_rest_lat)
				n_rest_lat = rest.asked_at - rest.took_at;
		}
		rest.k = NULL;
		rest.handle = ~0u;
		at = PICK;
		return ++n_rests == 6;
	default:
		return true;
	}
	send_seg(k, 2);
	since = tb_cycle();
	return false;
}

bool tb_step(void)
{
	static u64 until;
	static bool saturating;

	if (!ready_seen)
		return false;
	if (!traffic_from)
		traffic_from = tb_cycle();
	answer_need();
	run_jobs();
	if (phase == 0) {
		/* pace of the clock and of everybody changes */
		if (tb_cycle() >= until) {
			static const unsigned pace[] = { 4, 2000, 20000, 200000, 200000, 40 };

			until = tb_cycle() + tb_range(500, 3000);
			tb_ns_per_cycle = pace[tb_below(6)];
			load_pct = tb_chance(30) ? 100 : tb_range(2, 80);
			for (int port = FALSEHIT; port <= EV; port++)
				tb_snk_rate(port, tb_chance(60) ? 100 : (port == PIECE || port == FREE) && tb_chance(30) ? 3 : tb_range(10, 100));
			tb_src_rate(SEG, tb_chance(60) ? 100 : tb_range(20, 100));
		}
		/* Now and then all comes to rest: nothing is owed then, and the wheel has the newest deadlines. */
		static u64 pause = 5000;
		static bool pausing;

		if (pausing) {
			if (at_rest()) {
				no_rest();
				pausing = false;
				until = 0;
				pause = tb_cycle() + tb_range(1000, 6000);
			} else if (tb_cycle() > pause + 20000) {
				tb_fail("it does not come to rest: idle %d, jobs %d", idle_now, jobs != NULL);
				return true;
			}
			return false;
		}
		churn();
		wheel();
		traffic();
		if (tb_cycle() >= pause) {
			pausing = true;
			until = ~0ull;
			tb_ns_per_cycle = 4;
			for (int port = FALSEHIT; port <= EV; port++)
				tb_snk_rate(port, 100);
			tb_src_rate(SEG, 100);
		}
		if (tb_cycle() >= end_at && (reached() || tb_cycle() >= 6 * end_at)) {
			phase = 1;
			quiet_phase = true;
			for (int port = FALSEHIT; port <= EV; port++)
				tb_snk_rate(port, 100);
			tb_src_rate(SEG, 100);
			tb_ns_per_cycle = 4;
			until = tb_cycle() + 3000;
		}
	} else if (phase == 1) { /* everything comes to rest */
		if (at_rest() && tb_cycle() >= until) {
			no_rest();
			phase = 2;
		} else if (tb_cycle() > until + 20000) {
			tb_fail("it does not come to rest: idle %d, jobs %d", idle_now, jobs != NULL);
			return true;
		}
	} else if (phase == 2) { /* latency of a piece, one at a time */
		static unsigned n;
		struct conn *k = some_home();

		if (lat_seen) {
			if (lat_seen > n_max_lat)
				n_max_lat = lat_seen;
			lat_seen = 0;
			lat_handle = ~0u;
			n++;
		}
		if (lat_handle == ~0u && idle_now && tb_cycle() > idle_since + 10 && !jobs && k && k->m.state == 1 && !k->m.fin && k->m.right > k->m.rcv_nxt)
			send_seg(k, 1);
		if (n >= 8 || tb_cycle() > until + 30000) {
			tb_check(n_max_lat && n_max_lat <= 7, "a piece comes %u cycles behind its segment, budget 7", n_max_lat);
			phase = 5;
			until = tb_cycle() + 60000;
		}
	} else if (phase == 5) { /* what a window cut off leaves when its rest fits */
		if (rest_case()) {
			tb_check(n_rest_lat <= 10, "the rest of a segment is asked for %u cycles behind the window that lets it, budget 10", n_rest_lat);
			phase = 3;
			until = tb_cycle() + 400;
		} else if (tb_cycle() > until) {
			tb_fail("the rest of a segment: %u of 6 were seen", n_rests);
			return true;
		}
	} else if (phase == 3) { /* as fast as it goes: pure segments over all slots */
		static unsigned at;

		if (!saturating) {
			if (tb_cycle() < until || jobs)
				return false;
			for (unsigned i = 0; i < SLOTS; i++)
				if (!slot_busy[i]) {
					for (unsigned q = 0; q < NQ; q++)
						if (c[q].place == AWAY) {
							start_load(&c[q]);
							break;
						}
				}
			saturating = true;
			until = tb_cycle() + 1500;
			return false;
		}
		if (tb_cycle() < until - 1000)
			return false;
		while (tb_pending(SEG) < 3 && tb_cycle() < until) {
			struct conn *k = slot[at++ % SLOTS].c;

			if (k && k->place == HOME)
				send_seg(k, 0);
		}
		if (tb_cycle() == until - 600)
			rate_visits = n_visits;
		if (tb_cycle() == until - 100) {
			rate_visits = n_visits - rate_visits;
			rate_cycles = 500;
		}
		if (tb_cycle() >= until + 2500 && at_rest()) {
			no_rest();
			phase = 4;
			until = tb_cycle() + 20000;
		}
	} else { /* all go home */
		bool any = false;

		for (unsigned i = 0; i < NQ; i++) {
			if (c[i].place != AWAY)
				any = true;
			if (c[i].place == HOME && tb_pending(SAVE) < 4)
				start_save(&c[i]);
		}
		if (!any || tb_cycle() > until) {
			tb_check(!any, "not all went home");
			no_rest();
			return true;
		}
	}
	return false;
}

void tb_finish(void)
{

	tb_note("visits: %u segments, %u touches, %u timers, %u commands, %u loads, %u saves", n_kind[0], n_kind[1], n_kind[2], n_kind[3],
		n_kind[4], n_kind[5]);
	tb_note("segments: %u false, %u dropped, %u not acceptable, %u challenges, %u resets, %u taken; %u let go, %u lost, %u PAWS", n_verdict[0],
		n_verdict[1], n_verdict[2], n_verdict[3], n_verdict[4], n_verdict[5], n_over_seen, n_lost, n_paws);
	tb_note("%u RTO, %u probes, %u keep-alives, %u dead, %u hold, %u RTT, %u cut (%u asked for when the rest of a segment fits, %u in parts, %u held; %u times more may leave than may be made), %u jumps, %u back, %u SACK (%u merged), %u FIN (%u before all of it was placed; %u told when it was, %u of who closes), %u FIN acked, %u ECE",
		n_rto, n_probe, n_keep, n_dead, n_hold, n_rtt, n_cut, n_lack, n_rest, n_held, n_above, n_jump, n_back, n_sackm, n_merge, n_fin, n_fin_early, n_fin_told[0], n_fin_told[1], n_finacked, n_ecn);
	tb_note("HOLD over behind its deadline %u, by command %u", n_hold_over, n_lifted);
	tb_note("%u tail loss probes (%u repaired, %u in a recovery, %u put off), %u answers of rack (%u holes), %u fast recoveries (%u behind another), %u FIN again", n_tlp, n_tlp_loss, n_gap, n_later, n_verdicts,
		n_holes, n_fast, n_redo, n_fin_again);
	tb_note("piece %u cycles behind its segment; %u.%02u items a cycle", n_max_lat, (unsigned)(rate_visits / 500),
		(unsigned)(rate_visits * 100 / 500 % 100));
	tb_note("%u commits that repeat something, %u bursts of departed, %u commits behind an unaccept, %u refusals, %u of an older generation", n_overlap, n_burst, n_behind, n_refuse,
		n_lowered);
	tb_note("%u duplicates reported, %u not, %u ranges ahead that came together, %u times it came out that a peer keeps nothing, %u recoveries of one of which that is known; %u answers that know nothing of what duplicate ACKs ask for, %u times new data left meanwhile", n_dsack, n_young,
		n_ah_merge, n_none, n_bare, n_waits, n_kept);
	if (SLOTS >= 16)
		tb_check(rate_visits >= 450, "%u visits in 500 cycles", (unsigned)rate_visits);
	tb_note("%u streams that end before their bytes do: %u segments let go, %u ranges ahead reached, %u by no text, %u behind another; commits beyond what counts ask for nothing: %u messages, %u in front of a range",
		n_deaf, n_deaf_text, n_reach, n_touch, n_through, n_stays[0], n_stays[1]);
	tb_note("the rest of a segment that a window cut is asked for %u cycles behind the window that lets it", n_rest_lat);
	tb_note("%u times bytes were acknowledged at once as the window had been closed before", n_told);
	tb_note("%u saves in the pipe while lines of another one go out", n_beside);
	tb_check(n_beside > 0, "no save beside another");
	tb_check(reached(), "the traffic does not reach everything");
}
