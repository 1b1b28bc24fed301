/* SPDX-License-Identifier: BSD-2-Clause */
/* The station and its TCP (RFC 9293, 7323, 2018), as simple as something that has to be right can be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/pcapng.h"
#include "../common/util.h"
#include "internal.h"

#define RTO_NS 400000000u

static uint32_t g16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }
static uint32_t g32(const uint8_t *p) { return g16(p) << 16 | g16(p + 2); }
static void s16(uint8_t *p, uint32_t v) { p[0] = (uint8_t)(v >> 8); p[1] = (uint8_t)v; }
static void s32(uint8_t *p, uint32_t v) { s16(p, v >> 16); s16(p + 2, v & 0xffff); }

static uint32_t ones(const uint8_t *p, size_t n, uint32_t s)
{
	for (; n > 1; p += 2, n -= 2)
		s += g16(p);
	if (n)
		s += (uint32_t)p[0] << 8;
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return s;
}

uint64_t peer_now(const struct peer *p) { return ls_now_ns(p->ls); }
struct lockstep *peer_ls(struct peer *p) { return p->ls; }

/* ---- frames ---- */

static void found(void *arg, const struct judge_finding *f)
{
	struct peer *p = arg;

	for (unsigned int i = 0; i < p->forgiven; i++)
		if (!strcmp(p->forgive[i], f->rule))
			return;
	if (!p->findings++)
		snprintf(p->first, sizeof(p->first), "frame %llu: %s %.80s: %.120s", (unsigned long long)f->frame, f->rule, f->who, f->text);
}

static bool not_delivered(unsigned int fate)
{
	return fate & (IMPAIR_LOST | IMPAIR_CORRUPTED | IMPAIR_OVERFLOW);
}

static void seen(struct peer *p, unsigned int from, const uint8_t *f, size_t n, unsigned int fate)
{
	if (p->pcap)
		pcapng_frame(p->pcap, from, peer_now(p), f, n, not_delivered(fate) ? "lost" : NULL);
	judge_frame(p->judge, peer_now(p), f, n, not_delivered(fate));
}

/* A frame of the card; nothing reaches the card in whose place we are. */
static bool hook(void *arg, unsigned int from, uint8_t *frame, size_t len)
{
	struct peer *p = arg;

	if (from == 0)
		seen(p, 0, frame, len, impair_push(p->wire[0], peer_now(p), frame, len));
	return false;
}

static void frame_out(struct peer *p, const uint8_t *f, size_t n)
{
	seen(p, 1, f, n, impair_push(p->wire[1], peer_now(p), f, n));
}

void peer_frame(struct peer *p, const uint8_t *bytes, size_t n) { frame_out(p, bytes, n); }

void peer_raw(struct peer *p, const struct tcp_seg *g)
{
	static uint8_t f[65536 + 200];
	uint64_t mac[2] = { ls_mac(ls_host(p->ls, 0)), ls_mac(ls_host(p->ls, 1)) };
	size_t at = 14, tcp_len = 20 + g->opt_len + g->len, n;
	uint8_t *ip = f + at, *t;
	uint32_t s;

	memset(f, 0, 140);
	memcpy(f, &mac[0], 6);
	memcpy(f + 6, &mac[1], 6);
	t = ip + (p->ipv6 ? 40 : 20);
	s16(t, g->sport);
	s16(t + 2, g->dport);
	s32(t + 4, g->seq);
	s32(t + 8, g->ack);
	s16(t + 12, (20 + g->opt_len) / 4 << 12 | g->flags);
	s16(t + 14, g->wnd);
	memcpy(t + 20, g->opt, g->opt_len);
	if (g->len)
		memcpy(t + 20 + g->opt_len, g->data, g->len);
	if (p->ipv6) {
		s16(f + 12, 0x86dd);
		s32(ip, 0x60000000u | (uint32_t)g->ecn << 20);
		s16(ip + 4, (uint32_t)tcp_len);
		ip[6] = 6;
		ip[7] = 61;
		memcpy(ip + 8, p->addr[1], 16);
		memcpy(ip + 24, p->addr[0], 16);
		s = ones(ip + 8, 32, 6 + (uint32_t)tcp_len);
	} else {
		s16(f + 12, 0x0800);
		s16(ip, 0x4500u | g->ecn);
		s16(ip + 2, (uint32_t)(20 + tcp_len));
		s16(ip + 4, p->ip_id++);
		s16(ip + 6, 0x4000);
		s16(ip + 8, 61 << 8 | 6);
		memcpy(ip + 12, p->addr[1], 4);
		memcpy(ip + 16, p->addr[0], 4);
		s16(ip + 10, ~ones(ip, 20, 0) & 0xffff);
		s = ones(ip + 12, 8, 6 + (uint32_t)tcp_len);
	}
	s16(t + 16, (~ones(t, tcp_len, s) & 0xffff) ^ (g->bad_csum ? 0x1111 : 0));
	n = (size_t)(t - f) + tcp_len;
	if (n < 60) {
		memset(f + n, 0, 60 - n);
		n = 60;
	}
	frame_out(p, f, n);
}

/* ---- output ---- */

static uint16_t window_field(const struct pc *c, bool syn)
{
	uint32_t w = c->window, shift = c->ws && !syn ? (uint32_t)c->a.wscale : 0;

	w >>= shift;
	return (uint16_t)(w > 65535 ? 65535 : w);
}

static void add_ts(struct pc *c, struct tcp_seg *g)
{
	uint8_t *o = g->opt + g->opt_len;

	o[0] = o[1] = 1;
	o[2] = 8;
	o[3] = 10;
	s32(o + 4, (uint32_t)(peer_now(c->peer) / 1000));
	s32(o + 8, g->flags & T_ACK ? c->ts_recent : 0);
	g->opt_len += 12;
}

static uint32_t rcv_nxt(const struct pc *c)
{
	return c->irs + 1 + (uint32_t)c->in_len + (c->fin_in && c->in_len == c->fin_at);
}

static void add_sack(struct pc *c, struct tcp_seg *g)
{
	uint64_t blocks[4][2], at;
	unsigned int n = 0, most = c->ts ? 3 : 4;
	uint8_t *o = g->opt + g->opt_len;

	if (c->in_high <= c->in_len)
		return;
	/* The newest first, then from the top. */
	for (unsigned int pass = 0; pass < 2; pass++)
		for (at = c->in_high; at > c->in_len && n < most;) {
			uint64_t hi, lo;

			while (at > c->in_len && !c->got[at - 1])
				at--;
			hi = at;
			while (at > c->in_len && c->got[at - 1])
				at--;
			lo = at;
			if (lo == hi)
				break;
			if ((lo <= c->last_block && c->last_block < hi) == (pass == 0)) {
				blocks[n][0] = lo;
				blocks[n++][1] = hi;
			}
		}
	if (!n)
		return;
	o[0] = o[1] = 1;
	o[2] = 5;
	o[3] = (uint8_t)(2 + 8 * n);
	for (unsigned int i = 0; i < n; i++) {
		s32(o + 4 + 8 * i, c->irs + 1 + (uint32_t)blocks[i][0]);
		s32(o + 8 + 8 * i, c->irs + 1 + (uint32_t)blocks[i][1]);
	}
	g->opt_len += 4 + 8 * n;
}

static struct tcp_seg base(struct pc *c, unsigned int flags)
{
	struct tcp_seg g = { .sport = c->lport, .dport = c->rport, .flags = (uint8_t)flags, .wnd = window_field(c, false) };

	g.seq = c->iss + 1 + (uint32_t)c->nxt + c->fin_sent;
	g.ack = flags & T_ACK ? rcv_nxt(c) : 0;
	if (c->ts && !(flags & T_RST))
		add_ts(c, &g);
	return g;
}

void pc_ack(struct pc *c)
{
	struct tcp_seg g = base(c, T_ACK);

	if (c->sack)
		add_sack(c, &g);
	peer_raw(c->peer, &g);
}

void pc_segment(struct pc *c, uint64_t from, uint64_t to, unsigned int flags)
{
	struct tcp_seg g = base(c, T_ACK | flags);

	g.seq = c->iss + 1 + (uint32_t)from;
	g.data = c->out + from;
	g.len = (uint32_t)(to - from);
	for (unsigned int i = 0; i <= c->dup; i++)
		peer_raw(c->peer, &g);
	if (to > c->nxt)
		c->nxt = to;
	if (!c->rto_at && !c->no_rexmit)
		c->rto_at = peer_now(c->peer) + c->rto_ns;
}

static uint64_t piece(struct pc *c)
{
	uint64_t most = c->peer_mss - (c->ts ? 12u : 0);

	if (c->cut == PC_CUT_RANDOM)
		return 1 + ls_random(c->peer->ls) % most;
	return c->cut && c->cut < most ? c->cut : most;
}

static void output(struct pc *c)
{
	struct { uint64_t from, to; } list[2048];
	unsigned int n = 0;

	if (c->state != PC_OPEN)
		return;
	while (c->nxt < c->out_len && n < 2048) {
		uint64_t len = piece(c), room = c->una + c->peer_window > c->nxt ? c->una + c->peer_window - c->nxt : 0;

		if (len > c->out_len - c->nxt)
			len = c->out_len - c->nxt;
		if (len > room)
			len = room;
		if (!len)
			break;
		list[n].from = c->nxt;
		list[n++].to = c->nxt + len;
		c->nxt += len;
	}
	for (unsigned int i = 0; i < n; i++) {
		unsigned int k = c->reorder ? i + (unsigned int)(ls_random(c->peer->ls) % (n - i)) : i;
		uint64_t from = list[k].from, to = list[k].to;

		list[k] = list[i];
		pc_segment(c, from, to, to == c->out_len ? T_PSH : 0);
	}
	if (c->nxt < c->out_len && c->nxt == c->una && !c->rto_at)
		c->rto_at = peer_now(c->peer) + c->rto_ns; /* window probe */
	if (c->fin_out && c->nxt == c->out_len && !c->fin_sent) {
		struct tcp_seg g = base(c, T_ACK | T_FIN);

		peer_raw(c->peer, &g);
		c->fin_sent = true;
		if (!c->rto_at)
			c->rto_at = peer_now(c->peer) + c->rto_ns;
	}
}

void pc_write(struct pc *c, const void *bytes, uint64_t n)
{
	if (c->out_len + n > c->out_room) {
		c->out_room = 2 * (c->out_len + n) + 65536;
		c->out = xrealloc(c->out, c->out_room);
	}
	memcpy(c->out + c->out_len, bytes, n);
	c->out_len += n;
	if (!c->hold)
		output(c);
}

void pc_fin(struct pc *c)
{
	c->fin_out = true;
	output(c);
}

void pc_rst(struct pc *c)
{
	struct tcp_seg g = base(c, T_RST | T_ACK);

	peer_raw(c->peer, &g);
	c->state = PC_RESET;
	c->rto_at = 0;
}

static void send_syn(struct pc *c)
{
	bool answer = c->state == PC_SYN_RCVD;
	struct tcp_seg g = { .sport = c->lport, .dport = c->rport, .seq = c->iss, .flags = T_SYN, .wnd = window_field(c, true) };
	uint8_t *o = g.opt;

	o[0] = 2;
	o[1] = 4;
	s16(o + 2, c->a.mss);
	g.opt_len = 4;
	if (answer) {
		g.flags |= T_ACK;
		g.ack = c->irs + 1;
	}
	if (c->a.wscale >= 0 && (!answer || c->ws)) {
		o = g.opt + g.opt_len;
		o[0] = 1;
		o[1] = 3;
		o[2] = 3;
		o[3] = (uint8_t)c->a.wscale;
		g.opt_len += 4;
	}
	if (c->a.weft && (!answer || c->peer_weft >= 0)) {
		memcpy(g.opt + g.opt_len, "\1\375\7WEFT", 7);
		g.opt[g.opt_len + 7] = (uint8_t)((c->a.weft & 3) | (answer ? 0x80 : 0));
		g.opt_len += 8;
	}
	if (c->a.sack && (!answer || c->sack)) {
		memcpy(g.opt + g.opt_len, "\1\1\4\2", 4);
		g.opt_len += 4;
	}
	if (c->a.ts && (!answer || c->ts))
		add_ts(c, &g);
	peer_raw(c->peer, &g);
	c->rto_at = peer_now(c->peer) + c->rto_ns;
}

static void timeout(struct pc *c)
{
	c->rto_at = 0;
	if (c->state == PC_SYN_SENT || c->state == PC_SYN_RCVD) {
		send_syn(c);
		return;
	}
	if (c->state != PC_OPEN || c->no_rexmit)
		return;
	c->timeouts++;
	c->rto_ns = c->rto_ns < 8000000000u ? 2 * c->rto_ns : c->rto_ns;
	if (c->una < c->nxt) {
		uint64_t n = piece(c);

		c->rexmits++;
		c->dupacks = 3; /* what is under way counts as lost: one more with each ACK (RFC 6298 5.4, RFC 5681 3.1) */
		c->recover_at = c->nxt;
		pc_segment(c, c->una, c->una + n < c->nxt ? c->una + n : c->nxt, 0);
	} else if (c->nxt < c->out_len && !c->peer_window) {
		pc_segment(c, c->nxt, c->nxt + 1, 0);
	} else if (c->fin_sent && !c->fin_acked) {
		struct tcp_seg g = base(c, T_ACK | T_FIN);

		g.seq = c->iss + 1 + (uint32_t)c->out_len;
		peer_raw(c->peer, &g);
		c->rto_at = peer_now(c->peer) + c->rto_ns;
	}
	output(c);
}

/* ---- input ---- */

struct opts { int mss, ws, weft; bool sackp, ts; uint32_t tsval, tsecr; };

static struct opts options(const uint8_t *o, unsigned int n)
{
	struct opts r = { .mss = 536, .ws = -1, .weft = -1 };

	while (n) {
		unsigned int l = o[0] < 2 ? 1 : n > 1 ? o[1] : 0;

		if (!o[0] || !l || l > n)
			break;
		if (o[0] == 2 && l == 4)
			r.mss = (int)g16(o + 2);
		if (o[0] == 3 && l == 3)
			r.ws = o[2];
		if (o[0] == 253 && l == 7 && !memcmp(o + 2, "WEFT", 4))
			r.weft = o[6];
		if (o[0] == 4)
			r.sackp = true;
		if (o[0] == 8 && l == 10) {
			r.ts = true;
			r.tsval = g32(o + 2);
			r.tsecr = g32(o + 6);
		}
		o += l;
		n -= l;
	}
	return r;
}

static void agree(struct pc *c, const struct opts *o)
{
	c->peer_mss = (uint16_t)o->mss;
	if (c->peer_mss > c->a.mss && !c->peer->big)
		c->peer_mss = c->a.mss;
	c->peer_ws = o->ws < 0 || c->a.wscale < 0 ? 0 : o->ws > 14 ? 14 : o->ws;
	c->ws = o->ws >= 0 && c->a.wscale >= 0;
	c->peer_weft = o->weft;
	c->sack = o->sackp && c->a.sack;
	c->ts = o->ts && c->a.ts;
	c->ts_recent = o->tsval;
}

static void data_in(struct pc *c, uint64_t at, const uint8_t *p, uint32_t n)
{
	if (at > c->in_len + (64u << 20))
		return;
	if (at + n > c->in_room) {
		uint64_t room = 2 * (at + n) + 65536;

		c->in = xrealloc(c->in, room);
		c->got = xrealloc(c->got, room);
		memset(c->got + c->in_room, 0, room - c->in_room);
		c->in_room = room;
	}
	memcpy(c->in + at, p, n);
	memset(c->got + at, 1, n);
	c->last_block = at;
	if (at + n > c->in_high)
		c->in_high = at + n;
	while (c->in_len < c->in_high && c->got[c->in_len])
		c->in_len++;
}

static void input(struct pc *c, const uint8_t *t, unsigned int hl, uint32_t len)
{
	uint32_t seq = g32(t + 4), ack = g32(t + 8);
	unsigned int flags = t[13];
	struct opts o = options(t + 20, hl - 20);
	bool fresh = false;

	if (flags & T_RST) {
		c->reset_in = true;
		c->state = PC_RESET;
		c->rto_at = 0;
		return;
	}
	if (c->state == PC_RESET || c->state == PC_CLOSED)
		return;
	if (flags & T_SYN) {
		if (c->state == PC_SYN_SENT) {
			c->irs = seq;
			agree(c, &o);
			if (flags & T_ACK && ack == c->iss + 1) {
				c->state = PC_OPEN;
				c->peer_window = g16(t + 14);
				c->rto_at = 0;
				c->rto_ns = RTO_NS;
				pc_ack(c);
			} else {
				c->state = PC_SYN_RCVD; /* both at once */
				send_syn(c);
			}
		} else if (c->state == PC_SYN_RCVD) {
			send_syn(c);
		} else if (!c->mute) {
			pc_ack(c);
		}
		return;
	}
	if (!(flags & T_ACK))
		return;
	if (len) {
		if (c->segs_in < sizeof(c->seg_at) / sizeof(c->seg_at[0]))
			c->seg_at[c->segs_in] = peer_now(c->peer);
		c->segs_in++;
	}
	if (c->state == PC_SYN_RCVD) {
		if (ack != c->iss + 1)
			return;
		c->state = PC_OPEN;
		c->rto_at = 0;
		c->rto_ns = RTO_NS;
	}
	if (c->state != PC_OPEN)
		return;
	if (c->ts && o.ts && (int32_t)(seq - rcv_nxt(c)) <= 0 && (int32_t)(o.tsval - c->ts_recent) >= 0)
		c->ts_recent = o.tsval;
	{
		uint64_t a = c->una + (uint64_t)(int64_t)(int32_t)(ack - (c->iss + 1 + (uint32_t)c->una));
		uint64_t top = c->nxt + (c->fin_sent ? 1 : 0);

		if ((int64_t)(a - c->una) >= 0 && a <= top) {
			uint32_t wnd = g16(t + 14) << c->peer_ws;

			if (a > c->una) {
				if (c->fin_sent && a == c->nxt + 1)
					c->fin_acked = true;
				c->una = a > c->nxt ? c->nxt : a;
				c->rto_ns = RTO_NS;
				c->rto_at = c->una < c->nxt || (c->fin_sent && !c->fin_acked) ? peer_now(c->peer) + c->rto_ns : 0;
				if (c->dupacks >= 3 && c->una < c->recover_at && !c->no_rexmit) { /* partial ACK (RFC 6582) */
					uint64_t n = piece(c);

					c->rexmits++;
					pc_segment(c, c->una, c->una + n < c->nxt ? c->una + n : c->nxt, 0);
				} else if (c->una >= c->recover_at) {
					c->dupacks = 0;
				}
			} else if (!len && c->una < c->nxt && wnd == c->peer_window && ++c->dupacks == 3 && !c->no_rexmit) {
				uint64_t n = piece(c);

				c->rexmits++;
				c->recover_at = c->nxt;
				pc_segment(c, c->una, c->una + n < c->nxt ? c->una + n : c->nxt, 0);
			}
			c->peer_window = wnd;
		}
	}
	if (len) {
		uint64_t at = c->in_len + (uint64_t)(int64_t)(int32_t)(seq - (c->irs + 1 + (uint32_t)c->in_len));

		if ((int64_t)at < 0 || at + len <= c->in_len) {
			fresh = true; /* old: acknowledged again */
		} else {
			data_in(c, at, t + hl, len);
			fresh = true;
		}
	}
	if (flags & T_FIN) {
		c->fin_in = true;
		c->fin_at = c->in_len + (uint64_t)(int64_t)(int32_t)(seq + len - (c->irs + 1 + (uint32_t)c->in_len));
		fresh = true;
	}
	if (fresh && !c->mute)
		pc_ack(c);
	output(c);
	if (c->serve)
		peer_serve_run(c);
}

static void frame_in(struct peer *p, const uint8_t *f, size_t n)
{
	const uint8_t *ip = f + 14, *t;
	uint32_t type, ip_len, s;
	unsigned int hl;

	if (n < 54)
		return;
	type = g16(f + 12);
	if (type == 0x8100 && n > 58) {
		type = g16(f + 16);
		ip += 4;
		n -= 4;
	}
	if (type == 0x0800 && !p->ipv6) {
		hl = (ip[0] & 15) * 4u;
		ip_len = g16(ip + 2);
		if (ip[9] != 6 || ip_len + 14 > n || ip_len < hl + 20 || ones(ip, hl, 0) != 0xffff)
			return;
		s = ones(ip + 12, 8, 6 + ip_len - hl);
	} else if (type == 0x86dd && p->ipv6) {
		hl = 40;
		ip_len = 40 + g16(ip + 4);
		if (ip[6] != 6 || ip_len + 14 > n || ip_len < 60)
			return;
		s = ones(ip + 8, 32, 6 + ip_len - hl);
	} else {
		return;
	}
	p->last_ecn = p->ipv6 ? ip[1] >> 4 & 3 : ip[1] & 3;
	t = ip + hl;
	ip_len -= hl;
	if (ones(t, ip_len, s) != 0xffff)
		return;
	hl = (t[12] >> 4) * 4u;
	if (hl < 20 || hl > ip_len)
		return;
	for (struct pc *c = p->conns; c; c = c->next)
		if (c->lport == g16(t + 2) && c->rport == g16(t) && c->state != PC_CLOSED) {
			input(c, t, hl, ip_len - hl);
			return;
		}
	for (struct pc *c = p->conns; c; c = c->next)
		if (c->lport == g16(t + 2) && !c->rport && (t[13] & (T_SYN | T_ACK | T_RST)) == T_SYN) {
			struct opts o = options(t + 20, hl - 20);

			c->rport = (uint16_t)g16(t);
			c->irs = g32(t + 4);
			c->state = PC_SYN_RCVD;
			agree(c, &o);
			c->peer_window = g16(t + 14);
			if (!c->mute)
				send_syn(c);
			return;
		}
	p->strays++;
}

/* ---- the crank ---- */

static bool poll(struct peer *p)
{
	const uint8_t *f;
	size_t n;
	bool work = false;
	struct ethport *eth = ls_node(ls_host(p->ls, 0))->eth;

	while ((f = impair_pop(p->wire[0], peer_now(p), &n))) {
		frame_in(p, f, n);
		work = true;
	}
	for (struct pc *c = p->conns; c; c = c->next)
		if (c->rto_at && c->rto_at <= peer_now(p)) {
			timeout(c);
			work = true;
		}
	while (ethport_room(eth) && (f = impair_pop(p->wire[1], peer_now(p), &n))) {
		ls_wire_inject(p->ls, 0, f, n, false);
		work = true;
	}
	return work;
}

static uint64_t next_ns(const struct peer *p)
{
	uint64_t next = impair_next_ns(p->wire[0]), w = impair_next_ns(p->wire[1]);

	if (w < next)
		next = w;
	for (struct pc *c = p->conns; c; c = c->next)
		if (c->rto_at && c->rto_at < next)
			next = c->rto_at;
	return next;
}

struct crank { struct peer *p; bool (*done)(void *arg); void *arg; uint64_t woke; bool is_done; };

static bool crank(void *arg)
{
	struct crank *k = arg;
	uint64_t next;

	poll(k->p);
	k->is_done = k->done && k->done(k->arg);
	next = next_ns(k->p);
	/* Something is due earlier than what this turn was started for. */
	return k->is_done || next < k->woke;
}

bool peer_until(struct peer *p, bool (*done)(void *arg), void *arg, uint64_t ns)
{
	struct crank k = { .p = p, .done = done, .arg = arg };
	uint64_t end = peer_now(p) + ns;

	for (;;) {
		uint64_t next = (poll(p), next_ns(p)), now = peer_now(p), until = end;

		if (done && done(arg))
			return true;
		if (now >= end)
			return false;
		if (next < until)
			until = next > now ? next : now + 4;
		k.woke = until;
		ls_run_until(p->ls, crank, &k, (until - now + 3) / 4);
		if (k.is_done)
			return true;
	}
}

void peer_run(struct peer *p, uint64_t ns)
{
	peer_until(p, NULL, NULL, ns);
}

/* ---- life ---- */

struct peer *peer_new(struct lockstep *ls, const struct peer_options *o)
{
	static const uint8_t v4[2][16] = { { 10, 0, 0, 1 }, { 10, 0, 0, 2 } };
	struct peer *p = xcalloc(1, sizeof(*p));
	struct judge_options jo = { .report = found, .arg = p };
	struct impair_settings s = { 0 };
	const char *error;

	p->ls = ls;
	p->ipv6 = o && o->ipv6;
	p->patience = o && o->patience_ns ? o->patience_ns : 20000000000u;
	for (unsigned int i = 0; i < 2; i++) {
		memcpy(p->addr[i], v4[i], 16);
		if (p->ipv6) {
			memset(p->addr[i], 0, 16);
			p->addr[i][0] = 0xfd;
			p->addr[i][15] = (uint8_t)(i + 1);
		}
	}
	impair_parse("delay=1us", &s);
	error = o && o->wire ? impair_parse(o->wire, &s) : NULL;
	if (error)
		die("peer: wire: %s", error);
	p->settings = s;
	for (unsigned int i = 0; i < 2; i++)
		p->wire[i] = impair_new(&s, i);
	p->judge = judge_new(&jo);
	judge_set_profile(p->judge, p->ipv6 ? "fd00::2" : "10.0.0.2", JUDGE_OFF);
	if (o && o->pcap) {
		p->pcap = pcapng_open(o->pcap, "weft peer");
		if (!p->pcap)
			die("%s cannot be written", o->pcap);
		pcapng_interface(p->pcap, "card");
		pcapng_interface(p->pcap, "peer");
	}
	ls_wire_hook(ls, hook, p);
	return p;
}

void peer_free(struct peer *p)
{
	ls_wire_hook(p->ls, NULL, NULL);
	while (p->conns) {
		struct pc *c = p->conns;

		p->conns = c->next;
		free(c->out);
		free(c->in);
		free(c->got);
		free(c->serve);
		free(c);
	}
	while (p->mrs) {
		struct peer_mr *m = p->mrs;

		p->mrs = m->next;
		free(m->p);
		free(m);
	}
	pcapng_close(p->pcap);
	judge_free(p->judge);
	impair_free(p->wire[0]);
	impair_free(p->wire[1]);
	free(p);
}

uint64_t peer_findings(struct peer *p, const char **first)
{
	if (!p->ended) {
		p->ended = true;
		judge_end(p->judge);
		if (p->pcap)
			pcapng_flush(p->pcap);
	}
	if (first)
		*first = p->first;
	return p->findings;
}

void peer_forgive(struct peer *p, const char *rule)
{
	if (p->forgiven < 16)
		p->forgive[p->forgiven++] = rule;
}

const char *peer_wire_set(struct peer *p, const char *settings)
{
	const char *error = impair_parse(settings, &p->settings);

	for (unsigned int i = 0; i < 2 && !error; i++)
		impair_set(p->wire[i], &p->settings);
	return error;
}

uint64_t peer_lost(const struct peer *p)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < 2; i++) {
		const struct impair_stats *s = impair_stats(p->wire[i]);

		n += s->lost + s->corrupted + s->flipped + s->duplicated + s->reordered;
	}
	return n;
}

/* ---- connections ---- */

struct pc_attr pc_defaults(void)
{
	return (struct pc_attr){ .wscale = 7, .sack = true, .ts = true, .window = 256 * 1024 };
}

static struct pc *pc_new(struct peer *p, uint16_t lport, uint16_t rport, const struct pc_attr *a)
{
	struct pc *c = xcalloc(1, sizeof(*c));

	c->peer = p;
	c->a = a ? *a : pc_defaults();
	if (!c->a.mss)
		c->a.mss = p->ipv6 ? 1440 : 1460;
	if (!c->a.window)
		c->a.window = 65535;
	c->window = c->a.window;
	c->lport = lport;
	c->rport = rport;
	c->iss = c->a.isn ? c->a.isn : (uint32_t)ls_random(p->ls);
	c->rto_ns = RTO_NS;
	c->peer_mss = 536;
	c->peer_weft = -1;
	c->ack_all = true;
	c->next = p->conns;
	p->conns = c;
	for (unsigned int i = 0; i < 4; i++)
		c->msn[i] = 1;
	return c;
}

static bool is_open(void *arg)
{
	struct pc *c = arg;

	return c->state == PC_OPEN || c->state == PC_RESET;
}

bool pc_wait_open(struct pc *c)
{
	return peer_until(c->peer, is_open, c, c->peer->patience) && c->state == PC_OPEN;
}

struct pc *pc_connect(struct peer *p, uint16_t lport, uint16_t rport, const struct pc_attr *a)
{
	struct pc *c = pc_new(p, lport, rport, a);

	c->state = PC_SYN_SENT;
	c->active = true;
	send_syn(c);
	pc_wait_open(c);
	return c;
}

struct pc *pc_listen(struct peer *p, uint16_t port, const struct pc_attr *a)
{
	return pc_new(p, port, 0, a);
}

struct want { struct pc *c; uint64_t n; };

static bool has_bytes(void *arg)
{
	struct want *w = arg;

	return w->c->in_len - w->c->in_pos >= w->n || w->c->state == PC_RESET ||
	       (w->c->fin_in && w->c->in_len >= w->c->fin_at);
}

bool pc_ready(struct pc *c, uint64_t n, uint64_t ns)
{
	struct want w = { c, n };

	return peer_until(c->peer, has_bytes, &w, ns) && c->in_len - c->in_pos >= n;
}

bool pc_read(struct pc *c, void *bytes, uint64_t n)
{
	if (!pc_ready(c, n, c->peer->patience))
		return false;
	memcpy(bytes, c->in + c->in_pos, n);
	c->in_pos += n;
	return true;
}

static bool drained(void *arg)
{
	struct pc *c = arg;

	return c->state == PC_RESET || (c->una == c->out_len && (!c->fin_out || c->fin_acked));
}

bool pc_drain(struct pc *c)
{
	return peer_until(c->peer, drained, c, c->peer->patience) && c->state != PC_RESET;
}

static bool closed(void *arg)
{
	struct pc *c = arg;

	return c->reset_in || (c->fin_in && c->in_len >= c->fin_at);
}

bool pc_wait_close(struct pc *c, uint64_t ns)
{
	return peer_until(c->peer, closed, c, ns);
}
