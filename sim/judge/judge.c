/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames, connections, TCP. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16, URG = 32 };
#define KEEP (1u << 20) /* bytes below the ACK that are remembered, for late repetitions */
#define SLACK 3         /* segments: limited transmit (RFC 3042) and one that crossed */

static const struct judge_rule rules[RULES] = {
#define X(id, name, profiles, source) { name, source, profiles },
	JUDGE_RULES(X)
#undef X
};

unsigned int judge_rules(const struct judge_rule **r)
{
	*r = rules;
	return RULES;
}

static void *grow(void *p, size_t bytes)
{
	p = realloc(p, bytes);
	if (!p) {
		fputs("judge: out of memory\n", stderr);
		abort();
	}
	return p;
}

/* ---- ranges ---- */

void ranges_add(struct ranges *s, uint64_t lo, uint64_t hi)
{
	unsigned int i = s->n, k;

	if (lo >= hi)
		return;
	while (i && s->r[i - 1].hi >= lo)
		i--;
	for (k = i; k < s->n && s->r[k].lo <= hi; k++) {
		if (s->r[k].lo < lo)
			lo = s->r[k].lo;
		if (s->r[k].hi > hi)
			hi = s->r[k].hi;
	}
	if (k == i) {
		if (s->n == s->room) {
			s->room = s->room ? 2 * s->room : 8;
			s->r = grow(s->r, s->room * sizeof(*s->r));
		}
		memmove(s->r + i + 1, s->r + i, (s->n - i) * sizeof(*s->r));
		s->n++;
	} else {
		memmove(s->r + i + 1, s->r + k, (s->n - k) * sizeof(*s->r));
		s->n -= k - i - 1;
	}
	s->r[i] = (struct range){ lo, hi };
}

uint64_t ranges_count(const struct ranges *s, uint64_t lo, uint64_t hi)
{
	uint64_t sum = 0;

	for (unsigned int i = s->n; i-- && s->r[i].hi > lo;) {
		uint64_t a = s->r[i].lo > lo ? s->r[i].lo : lo, b = s->r[i].hi < hi ? s->r[i].hi : hi;

		if (a < b)
			sum += b - a;
	}
	return sum;
}

bool ranges_hold(const struct ranges *s, uint64_t lo, uint64_t hi)
{
	return lo >= hi || ranges_count(s, lo, hi) == hi - lo;
}

void ranges_cut(struct ranges *s, uint64_t below)
{
	unsigned int k = 0;

	while (k < s->n && s->r[k].hi <= below)
		k++;
	if (k)
		memmove(s->r, s->r + k, (s->n - k) * sizeof(*s->r));
	s->n -= k;
	if (s->n && s->r[0].lo < below)
		s->r[0].lo = below;
}

/* ---- findings ---- */

static void put_side(char *to, size_t room, const struct side *s, bool ipv6)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(ipv6 ? AF_INET6 : AF_INET, s->addr, text, sizeof(text));
	snprintf(to, room, ipv6 ? "[%s]:%u" : "%s:%u", text, s->port);
}

static void report(struct judge *j, enum judge_profile p, enum rule rule, struct judge_finding *f)
{
	if (p == JUDGE_OFF || !(rules[rule].profiles & 1u << p))
		return;
	f->frame = j->frame;
	f->ns = j->now;
	f->rule = rules[rule].name;
	j->stats.findings++;
	if (j->o.report)
		j->o.report(j->o.arg, f);
}

void judge_find(struct judge *j, const struct conn *c, unsigned int from, enum rule rule, const char *format, ...)
{
	struct judge_finding f = { 0 };
	char a[44], b[44];
	va_list args;

	put_side(a, sizeof(a), &c->side[from], c->ipv6);
	put_side(b, sizeof(b), &c->side[!from], c->ipv6);
	snprintf(f.who, sizeof(f.who), "%s > %s", a, b);
	va_start(args, format);
	vsnprintf(f.text, sizeof(f.text), format, args);
	va_end(args);
	report(j, c->side[from].profile, rule, &f);
}

static enum judge_profile profile_of(const struct judge *j, const uint8_t addr[16])
{
	for (unsigned int i = 0; i < j->n_profiles; i++)
		if (!memcmp(j->profiles[i].addr, addr, 16))
			return j->profiles[i].p;
	return j->o.profile;
}

bool judge_set_profile(struct judge *j, const char *ip, enum judge_profile p)
{
	uint8_t addr[16] = { 0 };

	if (j->n_profiles == sizeof(j->profiles) / sizeof(j->profiles[0]) ||
	    (inet_pton(AF_INET, ip, addr) != 1 && inet_pton(AF_INET6, ip, addr) != 1))
		return false;
	memcpy(j->profiles[j->n_profiles].addr, addr, 16);
	j->profiles[j->n_profiles++].p = p;
	return true;
}

/* ---- connections ---- */

struct judge *judge_new(const struct judge_options *o)
{
	struct judge *j = calloc(1, sizeof(*j));

	if (!j)
		abort();
	j->o = *o;
	if (!j->o.min_rto_ns)
		j->o.min_rto_ns = 1000000;
	return j;
}

const struct judge_stats *judge_stats(const struct judge *j)
{
	return &j->stats;
}

static void free_conn(struct conn *c)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct side *s = &c->side[i];

		free(s->buf);
		free(s->have.r);
		free(s->sacked.r);
		free(s->lost.r);
		free(s->reads);
	}
	free(c);
}

void judge_free(struct judge *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->n_all; i++)
		free_conn(j->all[i]);
	free(j->all);
	free(j);
}

struct seg {
	const uint8_t *ip, *t, *data, *opt;
	bool ipv6;
	uint8_t src[16], dst[16];
	uint16_t sport, dport;
	uint32_t seq, ack, len, wnd, flags, opt_len;
	/* options */
	uint32_t mss, tsval, tsecr, n_sack;
	int ws;
	uint32_t n_weft;
	uint8_t weft;
	bool sackp, ts, has_sack, bad_options;
	struct { uint32_t lo, hi; } sack[5];
	bool lost;
};

static unsigned int hash(const uint8_t *a, unsigned int ap, const uint8_t *b, unsigned int bp)
{
	uint64_t x = 0, y = 0;

	for (unsigned int i = 0; i < 16; i++) {
		x = x * 257 + a[i];
		y = y * 257 + b[i];
	}
	x = (x + ap) * 0x9e3779b97f4a7c15u + ((y + bp) * 0x9e3779b97f4a7c15u); /* the same both ways */
	return (unsigned int)(x >> 52);
}

static struct conn *find_conn(struct judge *j, const struct seg *g, unsigned int *from)
{
	struct conn *c = j->table[hash(g->src, g->sport, g->dst, g->dport)];

	for (; c; c = c->next)
		for (unsigned int i = 0; i < 2; i++) {
			const struct side *s = &c->side[i], *p = &c->side[!i];

			if (s->port == g->sport && p->port == g->dport && !memcmp(s->addr, g->src, 16) &&
			    !memcmp(p->addr, g->dst, 16)) {
				*from = i;
				return c;
			}
		}
	return NULL;
}

static struct conn *new_conn(struct judge *j, const struct seg *g)
{
	struct conn *c = calloc(1, sizeof(*c)), **at = &j->table[hash(g->src, g->sport, g->dst, g->dport)];

	if (!c)
		abort();
	if (j->n_all == j->room_all) {
		j->room_all = j->room_all ? 2 * j->room_all : 64;
		j->all = grow(j->all, j->room_all * sizeof(*j->all));
	}
	j->all[j->n_all++] = c;
	c->next = *at;
	*at = c;
	c->ipv6 = g->ipv6;
	memcpy(c->side[0].addr, g->src, 16);
	memcpy(c->side[1].addr, g->dst, 16);
	c->side[0].port = g->sport;
	c->side[1].port = g->dport;
	for (unsigned int i = 0; i < 2; i++) {
		struct side *s = &c->side[i];

		s->profile = profile_of(j, s->addr);
		s->ws = -1;
		s->mss = g->ipv6 ? 1220 : 536;
		s->pos = 1;
		for (unsigned int q = 0; q < 4; q++)
			s->queue[q].msn = 1;
	}
	j->stats.connections++;
	return c;
}

/* Offset of a sequence number near `near`. Below zero becomes huge. */
static uint64_t offset(const struct side *s, uint32_t seq, uint64_t near)
{
	return near + (uint64_t)(int64_t)(int32_t)(seq - s->isn - (uint32_t)near);
}

/* ---- the stream ---- */

const uint8_t *side_bytes(const struct side *s, uint64_t at)
{
	return s->buf + (at - s->base);
}

static void keep(struct judge *j, struct conn *c, unsigned int from, uint64_t at, const uint8_t *p, uint64_t n)
{
	struct side *s = &c->side[from];
	uint64_t low;

	if (s->dead || !n)
		return;
	/* A gap beyond anything a window allows is a stray number, not data to keep. */
	if (at > s->max + (1u << 30))
		return;
	if (at < s->base) { /* too old to compare */
		uint64_t skip = s->base - at;

		if (skip >= n)
			return;
		at += skip;
		p += skip;
		n -= skip;
	}
	low = s->una < s->pos ? s->una : s->pos;
	if (low > s->base + 2 * KEEP) {
		uint64_t cut = low - KEEP - s->base, used = s->max > s->base ? s->max - s->base : 0;

		if (cut < used)
			memmove(s->buf, s->buf + cut, used - cut);
		s->base += cut;
		ranges_cut(&s->have, s->base);
	}
	if (at + n - s->base > s->room) {
		s->room = 2 * (at + n - s->base) + 4096;
		s->buf = grow(s->buf, s->room);
	}
	if (ranges_count(&s->have, at, at + n)) {
		uint64_t bad = UINT64_MAX, count = 0;

		for (unsigned int i = 0; i < s->have.n; i++) {
			uint64_t a = s->have.r[i].lo > at ? s->have.r[i].lo : at;
			uint64_t b = s->have.r[i].hi < at + n ? s->have.r[i].hi : at + n;

			for (uint64_t k = a; k < b; k++, count++)
				if (s->buf[k - s->base] != p[k - at] && bad == UINT64_MAX)
					bad = k;
		}
		j->stats.again += count;
		if (bad != UINT64_MAX)
			judge_find(j, c, from, R_TCP_AGAIN, "stream byte %" PRIu64 " was 0x%02x, is 0x%02x now", bad - 1,
				   s->buf[bad - s->base], p[bad - at]);
	}
	/* What came first stays. */
	for (uint64_t k = at; k < at + n;) {
		uint64_t end = at + n;
		bool held = false;

		for (unsigned int i = 0; i < s->have.n; i++) {
			if (s->have.r[i].lo <= k && k < s->have.r[i].hi) {
				held = true;
				end = s->have.r[i].hi < end ? s->have.r[i].hi : end;
				break;
			}
			if (s->have.r[i].lo > k) {
				end = s->have.r[i].lo < end ? s->have.r[i].lo : end;
				break;
			}
		}
		if (!held)
			memcpy(s->buf + (k - s->base), p + (k - at), end - k);
		k = end;
	}
	ranges_add(&s->have, at, at + n);
}

/* ---- congestion window and time-outs ---- */

static uint64_t smss(const struct side *s, const struct side *p)
{
	(void)s;
	return p->mss;
}

static void cwnd_start(struct judge *j, struct conn *c, unsigned int from)
{
	struct side *s = &c->side[from];
	uint64_t m = smss(s, &c->side[!from]), two = 2 * m > 14600 ? 2 * m : 14600;

	(void)j;
	/* Linux takes ten segments of any size (RFC 6928 2 has a limit in bytes). */
	s->cwnd = s->profile == JUDGE_WEFT ? (10 * m < two ? 10 * m : two) : 10 * m;
}

/* The peer acknowledged up to `to`. */
static void cwnd_acked(struct conn *c, unsigned int from, uint64_t to)
{
	struct side *s = &c->side[from];
	uint64_t n = to - s->una, flight = s->max - s->una;

	/*
	 * Grows by at most what was acknowledged (slow start), and only while it is what limits (RFC 7661 4.1, RFC 9438 5.8).
	 * Linux counts segments, not bytes.
	 */
	if (flight + SLACK * smss(s, &c->side[!from]) >= s->cwnd / 2)
		s->cwnd += s->profile == JUDGE_WEFT || n > s->segs * smss(s, &c->side[!from]) ? n : s->segs * smss(s, &c->side[!from]);
	s->segs = 0;
	if (s->in_recovery && (s->probe ? to > s->recover : to >= s->recover)) {
		/* The original is known to be lost, so nothing was spurious: RFC 5681 eq. 4, RFC 9438 4.6 (beta 0.7). */
		uint64_t most = (s->probe ? flight : s->flight_at_loss) * 7 / 10, two = 2 * smss(s, &c->side[!from]);

		most = (most < two ? two : most) + n;
		if (s->cwnd > most)
			s->cwnd = most;
		s->in_recovery = false;
	}
	s->dupacks = 0;
}

static void cwnd_check(struct judge *j, struct conn *c, unsigned int from, uint64_t at, uint64_t end)
{
	struct side *s = &c->side[from], *p = &c->side[!from];
	uint64_t flight = end - s->una, m = smss(s, p), bound, sacked;

	sacked = ranges_count(&p->sacked, s->una, end);
	bound = s->cwnd + (SLACK + s->dupacks) * m + sacked;
	if (s->in_recovery) /* what is marked lost is not under way (RFC 6675, 8985) */
		bound += ranges_count(&s->lost, s->una, end) + s->flight_at_loss;
	if (flight > bound) {
		judge_find(j, c, from, R_CWND, "%" PRIu64 " bytes under way, at most %" PRIu64 " by what was acknowledged", flight, bound);
		s->cwnd = flight; /* once is enough */
	}
	(void)at;
}

static void again(struct judge *j, struct conn *c, unsigned int from, uint64_t at, uint64_t end)
{
	struct side *s = &c->side[from], *p = &c->side[!from];

	if (!s->in_recovery && ranges_count(&s->lost, at, end) && at >= s->recover) {
		s->in_recovery = true;
		s->recover = s->max;
		s->flight_at_loss = s->max - s->una;
		s->probe = end == s->max;
	} else {
		s->probe = false;
	}
	/* A Weft moves an edge inside an FPDU by a byte (rule tcp/aligned). */
	if (at != s->una && at + 1 != s->una)
		return;
	at = s->una;
	/* The same first byte again and again with no word from the peer: time-outs. A probe (RFC 8985 7) may be the first. */
	if (s->again_at == at && s->again_count && !s->dupacks && !ranges_count(&p->sacked, s->una, s->max)) {
		uint64_t gap = j->now - s->again_ns, most = 60000000000u, floor = j->o.min_rto_ns;

		if (s->profile == JUDGE_WEFT && floor < 4000000u)
			floor = p->weft_acks || c->loaded || s->news >= 7 ? 4000000u : 200000000u;
		if (s->again_count >= 2 && gap < floor)
			judge_find(j, c, from, R_RTO, "time-out after %" PRIu64 " ns, the floor is %" PRIu64, gap, floor);
		else if (s->again_count >= 3 && s->again_gap < most && gap < s->again_gap / 10 * 18 && gap < most * 9 / 10)
			judge_find(j, c, from, R_RTO, "time-out number %u after %" PRIu64 " ns, the one before took %" PRIu64,
				   s->again_count, gap, s->again_gap);
		s->again_gap = gap;
		s->again_count++;
	} else {
		s->again_at = at;
		s->again_count = 1;
		s->again_gap = 0;
	}
	s->again_ns = j->now;
}

/* ---- a segment ---- */

static void parse_options(struct seg *g)
{
	const uint8_t *o = g->opt;
	uint32_t n = g->opt_len;

	g->ws = -1;
	while (n) {
		uint32_t l;

		if (o[0] == 0) {
			for (uint32_t i = 1; i < n; i++)
				g->bad_options |= o[i] != 0;
			return;
		}
		if (o[0] == 1) {
			o++;
			n--;
			continue;
		}
		if (n < 2 || o[1] < 2 || o[1] > n) {
			g->bad_options = true;
			return;
		}
		l = o[1];
		switch (o[0]) {
		case 2:
			g->bad_options |= l != 4;
			if (l == 4)
				g->mss = jbe16(o + 2);
			break;
		case 3:
			g->bad_options |= l != 3;
			if (l == 3)
				g->ws = o[2];
			break;
		case 4:
			g->bad_options |= l != 2;
			g->sackp = true;
			break;
		case 5:
			g->has_sack = true;
			g->n_sack = l < 10 || (l - 2) % 8 || l > 34 ? 0 : (l - 2) / 8;
			for (uint32_t i = 0; i < g->n_sack; i++) {
				g->sack[i].lo = jbe32(o + 2 + 8 * i);
				g->sack[i].hi = jbe32(o + 6 + 8 * i);
			}
			break;
		case 8:
			g->bad_options |= l != 10;
			if (l == 10) {
				g->ts = true;
				g->tsval = jbe32(o + 2);
				g->tsecr = jbe32(o + 6);
			}
			break;
		case 253: /* RFC 6994: an ExID of two bytes at least */
		case 254:
			g->bad_options |= l < 4;
			if (o[0] != 253 || l < 6 || jbe32(o + 2) != 0x57454654)
				break;
			g->bad_options |= l != 7;
			g->weft = l == 7 ? o[6] : 0;
			g->n_weft++;
			break;
		default:
			break;
		}
		o += l;
		n -= l;
	}
}

static void sack(struct judge *j, struct conn *c, unsigned int from, const struct seg *g)
{
	struct side *s = &c->side[from], *p = &c->side[!from];
	uint64_t lo[5], hi[5];
	bool dup; /* so the second one is that which changed last (RFC 2883 4, RFC 2018 4) */

	if (!(s->sackp && p->sackp) && !s->mid) {
		judge_find(j, c, from, R_SACK_UNASKED, "SACK option, but it was not agreed on");
		return;
	}
	if (!g->n_sack || !(g->flags & ACK)) {
		judge_find(j, c, from, R_SACK_FORM, "%u blocks", g->n_sack);
		return;
	}
	for (uint32_t i = 0; i < g->n_sack; i++) {
		bool duplicate;

		lo[i] = offset(p, g->sack[i].lo, s->ack);
		hi[i] = lo[i] + (uint32_t)(g->sack[i].hi - g->sack[i].lo);
		if ((int32_t)(g->sack[i].hi - g->sack[i].lo) <= 0) {
			judge_find(j, c, from, R_SACK_FORM, "block %u is %u to %u", i, g->sack[i].lo, g->sack[i].hi);
			return;
		}
		/* The first block may report a duplicate (RFC 2883 4): below ACK, or inside the second. */
		duplicate = i == 0 && (hi[0] <= s->ack || ranges_hold(&s->sacked, lo[0], hi[0]));
		if (lo[i] > p->max || hi[i] > p->max) {
			if (!j->o.gaps)
				judge_find(j, c, from, R_SACK_BEYOND, "block %u ends at %" PRIu64 ", sent up to %" PRIu64, i, hi[i], p->max);
			return;
		}
		if (hi[i] <= s->ack && !duplicate) {
			judge_find(j, c, from, R_SACK_BELOW, "block %u ends at %" PRIu64 ", ACK is %" PRIu64, i, hi[i], s->ack);
			return;
		}
		if (lo[i] <= s->ack && !duplicate)
			judge_find(j, c, from, R_SACK_OVERLAP, "block %u begins at %" PRIu64 ", ACK is %" PRIu64, i, lo[i], s->ack);
		for (uint32_t k = 0; k < i; k++) {
			bool inside = k == 0 && lo[0] >= lo[i] && hi[0] <= hi[i]; /* duplicate inside a block */

			if (lo[k] < hi[i] && lo[i] < hi[k] && !inside)
				judge_find(j, c, from, R_SACK_OVERLAP, "blocks %u and %u overlap", k, i);
		}
		/* Everything a receiver had was lost on the way: then it cannot have it. */
		if (ranges_hold(&p->lost, lo[i], hi[i]) && !j->o.gaps)
			judge_find(j, c, from, R_SACK_BEYOND, "block %u, %" PRIu64 " to %" PRIu64 ", never arrived", i, lo[i], hi[i]);
	}
	dup = hi[0] <= s->ack;
	for (uint32_t i = 1; i < g->n_sack; i++)
		dup |= lo[0] >= lo[i] && hi[0] <= hi[i];
	for (uint32_t i = 1 + dup; i < g->n_sack; i++)
		if (!j->o.gaps && !ranges_hold(&s->sacked, lo[i], hi[i]) && !s->mid)
			judge_find(j, c, from, R_SACK_FIRST, "block %u, %" PRIu64 " to %" PRIu64 ", has bytes never reported before", i, lo[i], hi[i]);
	for (uint32_t i = 0; i < g->n_sack; i++)
		if (hi[i] > s->ack)
			ranges_add(&s->sacked, lo[i] > s->ack ? lo[i] : s->ack, hi[i]);
}

static void timestamps(struct judge *j, struct conn *c, unsigned int from, const struct seg *g, uint64_t at)
{
	struct side *s = &c->side[from], *p = &c->side[!from];
	bool agreed = s->ts && p->ts, syn = g->flags & SYN;

	if (s->mid || p->mid)
		return;
	if (!syn && g->ts && !agreed)
		judge_find(j, c, from, R_TCP_TS_OFFER, "timestamps were not agreed on");
	if (!syn && !g->ts && agreed && !(g->flags & RST))
		judge_find(j, c, from, R_TCP_TS_MISSING, "no timestamp");
	if (!g->ts)
		return;
	if (s->tsval_seen && (int32_t)(g->tsval - s->tsval) < 0 && !j->o.gaps)
		judge_find(j, c, from, R_TCP_TS_BACK, "TSval %u behind %u", g->tsval, s->tsval);
	if (!s->tsval_seen || (int32_t)(g->tsval - s->tsval) > 0)
		s->tsval = g->tsval;
	s->tsval_seen = true;
	if (g->flags & ACK && p->stamps && !j->o.gaps && s->acked) {
		bool found = p->stamps > STAMPS; /* older ones are forgotten */

		for (unsigned int i = 0; i < p->stamps && i < STAMPS && !found; i++)
			found = p->stamp[i].val == g->tsecr && p->stamp[i].off <= s->ack;
		if (!found)
			judge_find(j, c, from, R_TCP_TS_ECHO, "TSecr %u", g->tsecr);
	}
	/* Lowest offset with this value; repeated values share an entry. */
	if (s->stamps && s->stamp[(s->stamps - 1) % STAMPS].val == g->tsval) {
		if (at < s->stamp[(s->stamps - 1) % STAMPS].off)
			s->stamp[(s->stamps - 1) % STAMPS].off = at;
	} else {
		s->stamp[s->stamps % STAMPS].val = g->tsval;
		s->stamp[s->stamps % STAMPS].off = at;
		s->stamps++;
	}
}

/* Options of a SYN without padding, without what may change: the timestamp, and whether a Weft's option is there. */
static unsigned int lasting(uint8_t *to, const uint8_t *o, unsigned int n)
{
	unsigned int at = 0;

	for (unsigned int i = 0, l; i < n; i += l) {
		l = o[i] < 2 ? 1 : i + 1 < n ? o[i + 1] : 0;
		if (!o[i] || !l || i + l > n)
			break;
		if (o[i] == 1 || o[i] == 8 || (o[i] == 253 && l == 7 && jbe32(o + i + 2) == 0x57454654))
			continue;
		memcpy(to + at, o + i, l);
		at += l;
	}
	return at;
}

/* The experimental option of a Weft: promises of who sends it. It may be left out when a SYN comes again, for good. */
static void weft(struct judge *j, struct conn *c, unsigned int from, const struct seg *g)
{
	struct side *s = &c->side[from], *p = &c->side[!from];
	bool answer = g->flags & ACK;

	if (g->n_weft > 1 || !(g->flags & SYN))
		judge_find(j, c, from, R_TCP_WEFT, "%u times, flags 0x%02x", g->n_weft, g->flags);
	if ((g->weft & 0x7c) || (g->weft & 0x80 ? 1 : 0) != answer)
		judge_find(j, c, from, R_TCP_WEFT, "0x%02x in a segment with flags 0x%02x", g->weft, g->flags);
	if (answer && !p->offered && !(p->mid || j->o.gaps))
		judge_find(j, c, from, R_TCP_WEFT, "not offered by the peer");
	if (s->syn && !s->weft && !(answer && p->syn))
		judge_find(j, c, from, R_TCP_WEFT, "not in the SYN before");
	if (!(g->flags & SYN))
		return;
	s->offered = true;
	s->weft_acks |= g->weft & 1;
	s->aligned |= g->weft >> 1 & 1;
}

static void syn(struct judge *j, struct conn *c, unsigned int from, const struct seg *g)
{
	struct side *s = &c->side[from], *p = &c->side[!from];

	if (s->syn) {
		uint8_t now[40], was[40];
		unsigned int n = lasting(now, g->opt, g->opt_len);
		bool same = n == lasting(was, s->syn_options, s->syn_options_len) && !memcmp(now, was, n) && g->ts == s->ts;

		if (!same && !(g->flags & ACK && p->syn)) /* simultaneous open adds nothing either, but may answer */
			judge_find(j, c, from, R_TCP_SYN_AGAIN, "options changed");
		if (s->syn_ns && !p->syn) {
			uint64_t gap = j->now - s->syn_ns;

			if (s->syn_gap ? gap < s->syn_gap / 10 * 18 && s->syn_gap < 60000000000u : gap < 900000000u)
				judge_find(j, c, from, R_RTO_SYN, "SYN again after %" PRIu64 " ns", gap);
			s->syn_gap = gap;
		}
		s->syn_ns = j->now;
		return;
	}
	s->syn = true;
	s->mid = false;
	s->isn = g->seq;
	s->max = 1;
	s->syn_ns = j->now;
	memcpy(s->syn_options, g->opt, g->opt_len);
	s->syn_options_len = g->opt_len;
	if (g->mss)
		s->mss = g->mss;
	s->ws = g->ws;
	s->sackp = g->sackp;
	s->ts = g->ts;
	s->base = 1;
	if (g->ws > 14) {
		judge_find(j, c, from, R_TCP_WSCALE, "shift %d", g->ws);
		s->ws = 14;
	}
	if (g->flags & ACK && p->syn) {
		if (g->ws >= 0 && p->ws < 0)
			judge_find(j, c, from, R_TCP_WSCALE, "not offered by the peer");
		if (g->sackp && !p->sackp)
			judge_find(j, c, from, R_TCP_SACK_PERMITTED, "not offered by the peer");
		if (g->ts && !p->ts)
			judge_find(j, c, from, R_TCP_TS_OFFER, "not offered by the peer");
	}
}

static void ack_field(struct judge *j, struct conn *c, unsigned int from, const struct seg *g)
{
	struct side *s = &c->side[from], *p = &c->side[!from];
	uint64_t a, edge, wnd = g->wnd;
	bool old;

	if (p->mid && !p->max) { /* the first word about a sender that was not seen yet */
		p->isn = g->ack - 1;
		p->max = p->una = 1;
	}
	if (!p->syn && !p->mid)
		return;
	if (!s->n_acks || s->acks[(s->n_acks - 1) % ACKS] != g->ack)
		s->acks[s->n_acks++ % ACKS] = g->ack;
	a = offset(p, g->ack, s->acked ? s->ack : p->max);
	old = s->acked && a < s->ack;
	if (a > p->max && (int64_t)a > 0) {
		if (!j->o.gaps && !p->mid) {
			judge_find(j, c, from, R_TCP_ACK_BEYOND, "ACK %" PRIu64 ", sent up to %" PRIu64, a, p->max);
			return;
		}
		/* The capture lacks what this acknowledges. */
		if (!p->dead && p->phase != P_OFF) {
			p->dead = true;
			j->stats.holes++;
		}
		p->max = a;
	} else if (old) {
		if (!j->o.gaps && !(g->flags & RST))
			judge_find(j, c, from, R_TCP_ACK_BACK, "ACK %" PRIu64 " behind %" PRIu64, a, s->ack);
		return;
	}
	if (g->flags & RST)
		return;
	if (j->o.gaps && !p->dead && p->phase != P_OFF && a > p->pos && !ranges_hold(&p->have, p->pos, a - (p->fin && a > p->fin_at))) {
		p->dead = true;
		j->stats.holes++;
	}
	if (!s->acked || a > s->ack) {
		p->news += s->acked;
		if (s->acked)
			cwnd_acked(c, !from, a);
		p->una = a;
		ranges_cut(&p->lost, a);
		ranges_cut(&s->sacked, a);
	} else if (!g->len && !(g->flags & (SYN | FIN)) && p->max > p->una && wnd << (s->ws > 0 ? s->ws : 0) == s->wnd_last) {
		p->dupacks++;
	}
	s->ack = a;
	s->acked = true;
	if (!(g->flags & SYN) && s->ws >= 0 && p->ws >= 0)
		wnd <<= s->ws;
	s->wnd_last = wnd;
	if (s->mid)
		wnd <<= 14; /* the scale was not seen */
	edge = a + wnd;
	if (edge + (s->ws > 0 ? 1u << s->ws : 1) <= s->edge && !j->o.gaps && !s->mid && !c->loaded && !s->fin && !p->fin)
		judge_find(j, c, from, R_TCP_SHRINK, "right edge %" PRIu64 " behind %" PRIu64, edge, s->edge);
	if (edge > s->edge)
		s->edge = edge;
	if (p->terminated && a >= p->term_end && !s->term_acked)
		s->term_acked = j->frame;
	if (g->has_sack)
		sack(j, c, from, g);
}

static void payload(struct judge *j, struct conn *c, unsigned int from, const struct seg *g, uint64_t at)
{
	struct side *s = &c->side[from], *p = &c->side[!from];
	uint64_t end = at + g->len;

	s->segs++;
	if (!p->mid && p->syn && s->syn) {
		if (!c->loaded && end > p->edge && p->acked && !(g->len <= 2 && end == p->edge + 1))
			judge_find(j, c, from, R_TCP_WINDOW, "bytes up to %" PRIu64 ", the window ends at %" PRIu64, end, p->edge);
		if (g->len + g->opt_len > p->mss)
			judge_find(j, c, from, R_TCP_MSS, "%u bytes of payload and %u of options, MSS is %u", g->len, g->opt_len, p->mss);
		if (!c->loaded && end > s->max && p->acked)
			cwnd_check(j, c, from, at, end);
	}
	judge_begins(j, c, from, at);
	if (at < s->max)
		again(j, c, from, at, end < s->max ? end : s->max);
	else if (at == s->una) {
		s->again_at = at;
		s->again_ns = j->now;
		s->again_count = 1;
		s->again_gap = 0;
	}
	if (s->fin && end > s->fin_at)
		judge_find(j, c, from, R_TCP_FIN, "data up to %" PRIu64 " behind FIN at %" PRIu64, end, s->fin_at);
	else
		keep(j, c, from, at, g->data, g->len);
	if (g->lost) {
		if (at >= s->max || ranges_hold(&s->lost, at, end))
			ranges_add(&s->lost, at, end);
		else if (end > s->max)
			ranges_add(&s->lost, s->max, end);
	} else if (s->lost.n && at < s->max) {
		/* It arrived after all: no longer lost. */
		struct ranges rest = { 0 };

		for (unsigned int i = 0; i < s->lost.n; i++) {
			ranges_add(&rest, s->lost.r[i].lo, s->lost.r[i].hi < at ? s->lost.r[i].hi : at);
			ranges_add(&rest, s->lost.r[i].lo > end ? s->lost.r[i].lo : end, s->lost.r[i].hi);
		}
		free(s->lost.r);
		s->lost = rest;
	}
}

static void segment(struct judge *j, struct seg *g)
{
	unsigned int from = 0;
	struct conn *c = find_conn(j, g, &from);
	struct side *s, *p;
	bool is_syn = g->flags & SYN, is_rst = g->flags & RST;
	uint64_t at;

	/* A new SYN behind the end of an old connection, or after a refusal. */
	if (c && is_syn && !(g->flags & ACK)) {
		s = &c->side[from];
		p = &c->side[!from];
		if (s->mid || (s->syn && g->seq != s->isn && (s->rst || p->rst || (s->fin && p->fin) || !p->syn)))
			c = NULL;
		else if (s->syn && g->seq != s->isn) { /* a stray: the connection stands (RFC 5961 4) */
			judge_find(j, c, from, R_TCP_SYN_AGAIN, "another initial sequence number");
			return;
		}
	}
	if (!c) {
		c = new_conn(j, g);
		from = 0;
		if (!is_syn && j->o.loaded && g->flags & ACK) {
			c->loaded = c->is_mpa = c->crc_unknown = true;
			j->stats.mpa++;
			for (unsigned int i = 0; i < 2; i++) {
				s = &c->side[i];
				s->syn = s->mpa_seen = s->told_early = s->sackp = s->ts = true;
				s->isn = (i ? g->ack : g->seq) - 1;
				s->max = s->una = s->base = s->fpdu0 = 1;
				s->mss = UINT16_MAX;
				s->phase = P_FPDU;
			}
			c->side[0].ts = c->side[1].ts = g->ts;
		} else if (!is_syn) {
			c->side[0].mid = c->side[1].mid = true;
			for (unsigned int i = 0; i < 2; i++)
				c->side[i].phase = P_OFF;
			c->side[0].isn = g->seq - 1;
			c->side[0].max = c->side[0].una = c->side[0].base = 1;
		}
	}
	s = &c->side[from];
	p = &c->side[!from];
	j->stats.segments++;

	if (g->bad_options)
		judge_find(j, c, from, R_TCP_OPTIONS, "malformed options");
	if (!is_syn && (g->mss || g->ws >= 0 || g->sackp))
		judge_find(j, c, from, R_TCP_OPTION_PLACE, "an option of SYN without SYN");
	if ((is_syn && (g->flags & (FIN | RST))) || ((g->flags & (FIN | RST)) == (FIN | RST)) ||
	    !(g->flags & (SYN | ACK | RST | FIN)))
		judge_find(j, c, from, R_TCP_FLAGS, "flags 0x%02x", g->flags);
	if (is_syn && is_rst)
		return;
	if (g->n_weft)
		weft(j, c, from, g);
	if (is_syn) {
		bool first = !s->syn;

		s->weft = g->n_weft;

		if (s->syn && g->seq != s->isn && g->flags & ACK) {
			judge_find(j, c, from, R_TCP_SYN_AGAIN, "another initial sequence number");
			return;
		}
		syn(j, c, from, g);
		timestamps(j, c, from, g, 0);
		if (g->flags & ACK)
			ack_field(j, c, from, g);
		else if (g->wnd > s->edge)
			s->edge = g->wnd;
		if (first)
			s->una = 0;
		return;
	}
	if (!s->syn && !s->mid) {
		/* A refusal, or a stray: only a reset may come from who has no connection. */
		if (is_rst) {
			s->rst = true;
			return;
		}
		if (j->o.gaps) {
			s->mid = true;
			s->isn = g->seq - 1;
			s->max = s->una = s->base = 1;
			s->phase = P_OFF;
		} else {
			judge_find(j, c, from, R_TCP_SEQ, "a segment before SYN");
			return;
		}
	}
	if (s->mid && !s->max) {
		s->isn = g->seq - 1;
		s->max = s->una = s->base = 1;
	}
	at = offset(s, g->seq, s->max);
	if (s->rst && !is_rst && !j->o.gaps) {
		judge_find(j, c, from, R_TCP_AFTER_RST, "flags 0x%02x after its own reset", g->flags);
		return;
	}
	if (is_rst) {
		bool known = at == s->max || (at == s->fin_at && s->fin);

		/* In answer to a segment it carries that one's ACK. */
		for (unsigned int i = 0; i < p->n_acks && i < ACKS; i++)
			known |= g->seq == p->acks[i];

		if (!s->mid && s->syn && p->syn && !known && !(g->seq == 0 && g->flags & ACK) && !j->o.gaps)
			judge_find(j, c, from, R_TCP_RST_SEQ, "number %" PRIu64 ", SND.NXT is %" PRIu64 ", ACK is %" PRIu64, at, s->max, p->ack);
		if (!known && s->syn && p->syn)
			return; /* nobody takes it */
		if (g->flags & ACK)
			ack_field(j, c, from, g);
		s->rst = true;
		return;
	}
	if (!(g->flags & ACK)) {
		judge_find(j, c, from, R_TCP_NO_ACK, "flags 0x%02x", g->flags);
		return;
	}
	if ((int64_t)at < (s->mid ? INT64_MIN : 0) || (at == 0 && g->len > 1)) {
		judge_find(j, c, from, R_TCP_SEQ, "below the first");
		return;
	}
	if (at > s->max) {
		if (!j->o.gaps && !s->mid)
			judge_find(j, c, from, R_TCP_SEQ, "number %" PRIu64 ", SND.NXT is %" PRIu64, at, s->max);
		if (at - s->max > 1u << 30)
			return;
		/* It was sent: what the other side says of it is right. */
	}
	timestamps(j, c, from, g, at);
	if (!s->cwnd && p->syn)
		cwnd_start(j, c, from);
	ack_field(j, c, from, g);
	if (g->len && (int64_t)at > 0)
		payload(j, c, from, g, at);
	if (g->flags & FIN) {
		uint64_t fin_at = at + g->len;

		if (s->fin && fin_at != s->fin_at)
			judge_find(j, c, from, R_TCP_FIN, "FIN at %" PRIu64 ", was at %" PRIu64, fin_at, s->fin_at);
		else if (!s->fin && fin_at < s->max)
			judge_find(j, c, from, R_TCP_FIN, "FIN at %" PRIu64 " below data up to %" PRIu64, fin_at, s->max);
		if (!s->fin)
			s->fin_at = fin_at;
		s->fin = true;
		if (fin_at + 1 > s->max)
			s->max = fin_at + 1;
	}
	if (at + g->len > s->max)
		s->max = at + g->len;
	if (g->len || g->flags & FIN)
		judge_stream(j, c, from);
}

/* ---- a frame ---- */

static uint32_t sum(const uint8_t *p, size_t n, uint32_t s)
{
	for (; n >= 2; p += 2, n -= 2)
		s += jbe16(p);
	return n ? s + ((uint32_t)p[0] << 8) : s;
}

static uint32_t fold(uint32_t s)
{
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return s;
}

static void at_frame(struct judge *j, const struct seg *g, enum rule rule, const char *text)
{
	struct judge_finding f = { 0 };
	char a[INET6_ADDRSTRLEN] = "?", b[INET6_ADDRSTRLEN] = "?";
	enum judge_profile p = j->o.profile;

	if (g) {
		inet_ntop(g->ipv6 ? AF_INET6 : AF_INET, g->src, a, sizeof(a));
		inet_ntop(g->ipv6 ? AF_INET6 : AF_INET, g->dst, b, sizeof(b));
		p = profile_of(j, g->src);
	}
	snprintf(f.who, sizeof(f.who), "%s > %s", a, b);
	snprintf(f.text, sizeof(f.text), "%s", text);
	report(j, p, rule, &f);
}

void judge_frame(struct judge *j, uint64_t ns, const uint8_t *f, size_t len, bool lost)
{
	struct seg g = { .lost = lost };
	size_t at = 12, ip_len, hl;
	uint32_t s, type;

	j->now = ns;
	j->frame++;
	j->stats.frames++;
	if (len < 14) {
		at_frame(j, NULL, R_ETH_SHORT, "Ethernet header");
		return;
	}
	type = jbe16(f + at);
	while ((type == 0x8100 || type == 0x88a8) && at + 6 <= len) {
		at += 4;
		type = jbe16(f + at);
	}
	at += 2;
	g.ip = f + at;
	if (type == 0x0800) {
		if (len < at + 20) {
			at_frame(j, NULL, R_ETH_SHORT, "IPv4 header");
			return;
		}
		memcpy(g.src, g.ip + 12, 4);
		memcpy(g.dst, g.ip + 16, 4);
		hl = (g.ip[0] & 15) * 4u;
		ip_len = jbe16(g.ip + 2);
		if (g.ip[0] >> 4 != 4 || hl < 20 || ip_len < hl || at + ip_len > len || !g.ip[8]) {
			at_frame(j, &g, R_IP4_HEADER, "version, length or TTL");
			return;
		}
		if (fold(sum(g.ip, hl, 0)) != 0xffff) {
			at_frame(j, &g, R_IP4_CSUM, "IPv4 checksum");
			return;
		}
		if (g.ip[9] != 6)
			return;
		if (jbe16(g.ip + 6) & 0x3fff) {
			at_frame(j, &g, R_IP4_FRAGMENT, "TCP in a fragment");
			return;
		}
		s = sum(g.ip + 12, 8, 6 + (uint32_t)(ip_len - hl));
	} else if (type == 0x86dd) {
		g.ipv6 = true;
		if (len < at + 40) {
			at_frame(j, NULL, R_ETH_SHORT, "IPv6 header");
			return;
		}
		memcpy(g.src, g.ip + 8, 16);
		memcpy(g.dst, g.ip + 24, 16);
		hl = 40;
		ip_len = 40 + jbe16(g.ip + 4);
		if (g.ip[0] >> 4 != 6 || at + ip_len > len) {
			at_frame(j, &g, R_IP6_HEADER, "version or length");
			return;
		}
		if (g.ip[6] != 6)
			return;
		s = sum(g.ip + 8, 32, 6 + (uint32_t)(ip_len - hl));
	} else {
		return;
	}
	for (size_t i = at + ip_len; i < len; i++)
		if (f[i]) {
			at_frame(j, &g, R_ETH_PAD, "bytes behind the packet that are not zero");
			break;
		}
	g.t = g.ip + hl;
	ip_len -= hl;
	hl = ip_len >= 20 ? (g.t[12] >> 4) * 4u : 0;
	if (hl < 20 || hl > ip_len || !jbe16(g.t) || !jbe16(g.t + 2)) {
		at_frame(j, &g, R_TCP_HEADER, "TCP header");
		return;
	}
	if (fold(sum(g.t, ip_len, s)) != 0xffff) {
		at_frame(j, &g, R_TCP_CSUM, "TCP checksum");
		return;
	}
	if (g.t[12] & 0x0f)
		at_frame(j, &g, R_TCP_RESERVED, "reserved bits");
	g.sport = (uint16_t)jbe16(g.t);
	g.dport = (uint16_t)jbe16(g.t + 2);
	g.seq = jbe32(g.t + 4);
	g.ack = jbe32(g.t + 8);
	g.flags = g.t[13];
	g.wnd = jbe16(g.t + 14);
	g.opt = g.t + 20;
	g.opt_len = (uint32_t)hl - 20;
	g.data = g.t + hl;
	g.len = (uint32_t)(ip_len - hl);
	parse_options(&g);
	segment(j, &g);
}

void judge_end(struct judge *j)
{
	for (size_t i = 0; i < j->n_all; i++) {
		struct conn *c = j->all[i];

		for (unsigned int k = 0; k < 2; k++) {
			struct side *s = &c->side[k];

			if (s->terminated && c->side[!k].ack >= s->term_end && !s->fin && !s->rst && !c->side[!k].rst && !c->side[!k].fin)
				judge_find(j, c, k, R_TERM_OPEN, "Terminate in frame %" PRIu64 ", no close", s->term_frame);
		}
	}
}
