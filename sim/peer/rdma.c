/* SPDX-License-Identifier: BSD-2-Clause */
/* MPA (RFC 5044, 6581), DDP (RFC 5041) and RDMAP (RFC 5040) of the peer, and the memory behind them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/util.h"
#include "internal.h"

static uint32_t g16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }
static uint32_t g32(const uint8_t *p) { return g16(p) << 16 | g16(p + 2); }
static uint64_t g64(const uint8_t *p) { return (uint64_t)g32(p) << 32 | g32(p + 4); }
static void s16(uint8_t *p, uint32_t v) { p[0] = (uint8_t)(v >> 8); p[1] = (uint8_t)v; }
static void s32(uint8_t *p, uint32_t v) { s16(p, v >> 16); s16(p + 2, v & 0xffff); }
static void s64(uint8_t *p, uint64_t v) { s32(p, (uint32_t)(v >> 32)); s32(p + 4, (uint32_t)v); }

/* CRC32c, bit by bit: polynomial 0x1edc6f41 reflected (RFC 3720 12.1). */
static uint32_t crc_step(uint32_t crc, uint8_t byte)
{
	crc ^= byte;
	for (int i = 0; i < 8; i++)
		crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
	return crc;
}

/* ---- set-up ---- */

unsigned int mpa_bytes(const struct mpa_frame *m, uint8_t *to)
{
	unsigned int at = 20, n = m->pd_len + (m->enhanced ? 4 : 0);

	memcpy(to, m->key ? m->key : m->reply ? "MPA ID Rep Frame" : "MPA ID Req Frame", 16);
	to[16] = (uint8_t)(m->markers << 7 | m->crc << 6 | m->reject << 5 | m->enhanced << 4 | m->more_flags);
	to[17] = m->rev;
	s16(to + 18, m->length ? (uint32_t)m->length : n);
	if (m->enhanced) {
		s16(to + 20, m->ird);
		s16(to + 22, m->ord);
		at = 24;
	}
	memcpy(to + at, m->pd, m->pd_len);
	return at + m->pd_len;
}

void pc_mpa(struct pc *c, const struct mpa_frame *m)
{
	uint8_t b[640];

	pc_write(c, b, mpa_bytes(m, b));
}

bool pc_mpa_read(struct pc *c, struct mpa_frame *m)
{
	uint8_t h[20], x[4];
	unsigned int n;

	memset(m, 0, sizeof(*m));
	if (!pc_read(c, h, 20))
		return false;
	m->reply = !memcmp(h, "MPA ID Rep Frame", 16);
	if (!m->reply && memcmp(h, "MPA ID Req Frame", 16))
		return false;
	m->markers = h[16] & 0x80;
	m->crc = h[16] & 0x40;
	m->reject = h[16] & 0x20;
	m->rev = h[17];
	m->enhanced = m->rev >= 2 && h[16] & 0x10;
	m->more_flags = h[16] & (m->rev >= 2 ? 0x0f : 0x1f);
	n = g16(h + 18);
	if (n > 512 || (m->enhanced && n < 4))
		return false;
	if (m->enhanced) {
		if (!pc_read(c, x, 4))
			return false;
		m->ird = (uint16_t)g16(x);
		m->ord = (uint16_t)g16(x + 2);
		n -= 4;
	}
	m->pd_len = n;
	return !n || pc_read(c, m->pd, n);
}

void pc_fpdus(struct pc *c, bool crc, bool tx_markers, bool rx_markers)
{
	c->crc = crc;
	c->tx_markers = tx_markers;
	c->rx_markers = rx_markers;
	c->tx_fpdu0 = c->out_len;
	c->rx_fpdu0 = c->in_pos;
}

/* ---- FPDUs ---- */

size_t fpdu_bytes(uint8_t *to, const uint8_t *ulpdu, size_t n, bool crc, bool markers, uint64_t at, const struct fpdu_bend *b)
{
	static const struct fpdu_bend straight;
	size_t len = 2 + n, padded = (len + 3) & ~(size_t)3, o = 0, length_at = 0;
	uint32_t sum = ~0u;

	if (!b)
		b = &straight;
	for (size_t i = 0; i <= padded; i++) {
		if (markers && (at + o) % 512 == 0) {
			s16(to + o, b->marker_rsvd);
			s16(to + o + 2, i ? (uint32_t)((int)(o - length_at) + b->marker_off) : 0);
			for (int k = 0; k < 4; k++)
				sum = crc_step(sum, to[o++]);
		}
		if (i == padded)
			break;
		if (!i)
			length_at = o;
		if (i < 2)
			to[o] = (uint8_t)((b->length ? (uint32_t)b->length : (uint32_t)n) >> (i ? 0 : 8));
		else
			to[o] = i < len ? ulpdu[i - 2] : b->pad;
		sum = crc_step(sum, to[o++]);
	}
	sum = ~sum ^ b->crc_xor;
	for (int k = 0; k < 4; k++)
		to[o++] = crc ? (uint8_t)(sum >> 8 * k) : (uint8_t)(b->crc_xor >> 8 * k);
	return o;
}

void pc_fpdu(struct pc *c, const uint8_t *ulpdu, size_t n, const struct fpdu_bend *b)
{
	static uint8_t wire[FPDU_ROOM];

	pc_write(c, wire, fpdu_bytes(wire, ulpdu, n, c->crc, c->tx_markers, c->out_len - c->tx_fpdu0, b));
}

/* 1: a whole FPDU is in `f`; 0: bytes are missing; -1: broken, c->bad says how. */
static int take(struct pc *c, struct fpdu *f)
{
	uint64_t at = c->in_pos, start = at;
	uint8_t head[2];
	uint32_t got = 0, n = 0, total = 2, sum = ~0u, crc = 0, want = 0;
	static uint8_t body[65536 + 16];

	if (c->bad)
		return -1;
	while (got < total) {
		if (at >= c->in_len)
			return 0;
		if (c->rx_markers && (at - c->rx_fpdu0) % 512 == 0) {
			uint32_t distance = got ? (uint32_t)(at - start) : 0;

			if (c->in_len - at < 4)
				return 0;
			if (g16(c->in + at) || g16(c->in + at + 2) != distance) {
				c->bad = "marker";
				return -1;
			}
			for (int k = 0; k < 4; k++)
				sum = crc_step(sum, c->in[at + (uint64_t)k]);
			at += 4;
			if (!got)
				start = at;
			continue;
		}
		if (total > 2 && got >= total - 4) {
			want |= (uint32_t)c->in[at] << 8 * (got - (total - 4));
		} else {
			sum = crc_step(sum, c->in[at]);
			if (got < 2)
				head[got] = c->in[at];
			else
				body[got - 2] = c->in[at];
		}
		at++;
		got++;
		if (got == 2 && total == 2) {
			n = g16(head);
			total = ((2 + n + 3) & ~3u) + 4;
		}
		crc = ~sum;
	}
	c->in_pos = at;
	c->fpdus_in++;
	if (c->crc && crc != want) {
		c->bad = "CRC";
		return -1;
	}
	for (uint32_t i = n; i < total - 6; i++)
		if (body[i]) {
			c->bad = "pad";
			return -1;
		}
	memset(f, 0, offsetof(struct fpdu, n));
	memcpy(f->ulpdu, body, n);
	f->n = n;
	f->tagged = body[0] & 0x80;
	f->last = body[0] & 0x40;
	f->dv = body[0] & 3;
	f->rv = body[1] >> 6;
	f->op = body[1] & 15;
	f->stag = f->rsvd = f->qn = f->msn = f->mo = 0;
	if (n < (f->tagged ? 14u : 18u)) {
		c->bad = "length";
		return -1;
	}
	if (f->tagged) {
		f->stag = g32(body + 2);
		f->to = g64(body + 6);
	} else {
		f->rsvd = g32(body + 2);
		f->qn = g32(body + 6);
		f->msn = g32(body + 10);
		f->mo = g32(body + 14);
	}
	f->data = f->ulpdu + (f->tagged ? 14 : 18);
	f->len = n - (f->tagged ? 14 : 18);
	return 1;
}

struct next { struct pc *c; struct fpdu *f; int r; };

static bool has_fpdu(void *arg)
{
	struct next *x = arg;

	x->r = take(x->c, x->f);
	return x->r || x->c->state == PC_RESET || (x->c->fin_in && x->c->in_len >= x->c->fin_at);
}

bool pc_next(struct pc *c, struct fpdu *f, uint64_t ns)
{
	struct next x = { c, f, 0 };

	return peer_until(c->peer, has_fpdu, &x, ns) && x.r == 1;
}

/* ---- headers and messages ---- */

size_t ddp_tagged(uint8_t *d, unsigned int op, bool last, uint32_t stag, uint64_t to)
{
	d[0] = (uint8_t)(0x81 | (last ? 0x40 : 0));
	d[1] = (uint8_t)(0x40 | op);
	s32(d + 2, stag);
	s64(d + 6, to);
	return 14;
}

size_t ddp_untagged(uint8_t *d, unsigned int op, bool last, uint32_t rsvd, uint32_t qn, uint32_t msn, uint32_t mo)
{
	d[0] = (uint8_t)(0x01 | (last ? 0x40 : 0));
	d[1] = (uint8_t)(0x40 | op);
	s32(d + 2, rsvd);
	s32(d + 6, qn);
	s32(d + 10, msn);
	s32(d + 14, mo);
	return 18;
}

static uint32_t mulpdu(const struct pc *c)
{
	uint32_t emss = c->peer_mss - (c->ts ? 12u : 0);

	return (emss & ~3u) - 6 - (c->tx_markers ? 4 * ((emss + 511) / 512) : 0);
}

static void message_tagged(struct pc *c, unsigned int op, uint32_t stag, uint64_t to, const uint8_t *p, uint32_t n)
{
	static uint8_t d[65536];
	uint32_t most = (mulpdu(c) - 14) & ~3u, at = 0;

	do {
		uint32_t len = n - at < most ? n - at : most;
		size_t h = ddp_tagged(d, op, at + len == n, stag, to + at);

		memcpy(d + h, p + at, len);
		pc_fpdu(c, d, h + len, NULL);
		at += len;
	} while (at < n);
}

void pc_rdma_write(struct pc *c, uint32_t stag, uint64_t to, const void *bytes, uint32_t n)
{
	message_tagged(c, OP_WRITE, stag, to, bytes, n);
}

void pc_read_response(struct pc *c, uint32_t sink, uint64_t sink_to, const void *bytes, uint32_t n)
{
	message_tagged(c, OP_READ_RSP, sink, sink_to, bytes, n);
}

void pc_send(struct pc *c, unsigned int op, uint32_t inv, const void *bytes, uint32_t n)
{
	static uint8_t d[65536];
	uint32_t most = (mulpdu(c) - 18) & ~3u, at = 0;

	do {
		uint32_t len = n - at < most ? n - at : most;
		size_t h = ddp_untagged(d, op, at + len == n, inv, 0, c->msn[0], at);

		memcpy(d + h, (const uint8_t *)bytes + at, len);
		pc_fpdu(c, d, h + len, NULL);
		at += len;
	} while (at < n);
	c->msn[0]++;
}

void pc_read_request(struct pc *c, uint32_t sink, uint64_t sink_to, uint32_t size, uint32_t src, uint64_t src_to)
{
	uint8_t d[46];

	ddp_untagged(d, OP_READ_REQ, true, 0, 1, c->msn[1]++, 0);
	s32(d + 18, sink);
	s64(d + 22, sink_to);
	s32(d + 30, size);
	s32(d + 34, src);
	s64(d + 38, src_to);
	pc_fpdu(c, d, 46, NULL);
}

void pc_terminate(struct pc *c, unsigned int layer, unsigned int type, unsigned int code, const uint8_t *ddp, unsigned int n)
{
	uint8_t d[18 + 6 + 64];
	size_t h = ddp_untagged(d, OP_TERMINATE, true, 0, 2, 1, 0);

	memset(d + h, 0, 6);
	d[h] = (uint8_t)(layer << 4 | type);
	d[h + 1] = (uint8_t)code;
	if (n) {
		d[h + 2] = 0xc0;
		s16(d + h + 4, n);
		memcpy(d + h + 6, ddp, n);
		h += 2 + n;
	}
	pc_fpdu(c, d, h + 4, NULL);
}

/* ---- memory ---- */

struct peer_mr *peer_mr(struct peer *p, uint64_t len)
{
	struct peer_mr *m = xcalloc(1, sizeof(*m));

	m->stag = (uint32_t)ls_random(p->ls) | 1;
	m->to = ls_random(p->ls) >> 8;
	m->len = len;
	m->p = xcalloc(1, len);
	m->next = p->mrs;
	p->mrs = m;
	return m;
}

static uint8_t *place(struct peer *p, uint32_t stag, uint64_t to, uint64_t n)
{
	for (struct peer_mr *m = p->mrs; m; m = m->next)
		if (m->stag == stag && to >= m->to && to - m->to <= m->len && n <= m->len - (to - m->to))
			return m->p + (to - m->to);
	return NULL;
}

__attribute__((format(printf, 2, 3)))
static void fault(struct peer_serve *s, const char *format, ...)
{
	va_list args;

	if (s->fault[0])
		return;
	va_start(args, format);
	vsnprintf(s->fault, sizeof(s->fault), format, args);
	va_end(args);
}

static void answer(struct pc *c, struct peer_serve *s)
{
	while (s->queued && !s->stall) {
		uint8_t *p = place(c->peer, s->queue[0].src, s->queue[0].src_to, s->queue[0].size);

		if (!p && s->queue[0].size)
			fault(s, "Read of STag 0x%08x: not the peer's memory", s->queue[0].src);
		else
			pc_read_response(c, s->queue[0].sink, s->queue[0].sink_to, p, s->queue[0].size);
		memmove(s->queue, s->queue + 1, --s->queued * sizeof(s->queue[0]));
	}
}

void peer_serve_run(struct pc *c)
{
	struct peer_serve *s = c->serve;
	struct fpdu *f = &s->f;
	int r;

	while ((r = take(c, f)) == 1) {
		uint8_t *p;

		if (f->dv != 1 || f->rv != 1)
			fault(s, "versions %u %u", f->dv, f->rv);
		if (f->tagged) {
			p = place(c->peer, f->stag, f->to, f->len);
			if (f->len && !p)
				fault(s, "opcode %u to STag 0x%08x TO 0x%llx: not the peer's memory", f->op, f->stag, (unsigned long long)f->to);
			else if (f->len)
				memcpy(p, f->data, f->len);
			if (f->last && f->op == OP_WRITE)
				s->writes++;
			if (f->last && f->op == OP_READ_RSP)
				s->responses++;
			continue;
		}
		if (f->qn > 3 || f->msn != s->msn[f->qn] + 1 || f->mo != s->mo[f->qn]) {
			fault(s, "opcode %u: queue %u MSN %u MO %u", f->op, f->qn, f->msn, f->mo);
			continue;
		}
		s->mo[f->qn] = f->last ? 0 : f->mo + f->len;
		s->msn[f->qn] += f->last;
		switch (f->op) {
		case OP_READ_REQ:
			s->reads++;
			if (s->queued == 256) {
				fault(s, "256 Reads under way");
				break;
			}
			s->queue[s->queued].sink = g32(f->data);
			s->queue[s->queued].sink_to = g64(f->data + 4);
			s->queue[s->queued].size = g32(f->data + 12);
			s->queue[s->queued].src = g32(f->data + 16);
			s->queue[s->queued].src_to = g64(f->data + 20);
			if (++s->queued > s->most_reads)
				s->most_reads = s->queued;
			break;
		case OP_TERMINATE:
			s->terminated = true;
			s->term_n = f->len < sizeof(s->term) ? f->len : (uint32_t)sizeof(s->term);
			memcpy(s->term, f->data, s->term_n);
			break;
		default:
			if (f->mo + f->len <= sizeof(s->last_send.bytes))
				memcpy(s->last_send.bytes + f->mo, f->data, f->len);
			if (f->last) {
				s->last_send.n = f->mo + f->len;
				s->last_send.inv = f->rsvd;
				s->last_send.op = f->op;
				s->sends++;
			}
		}
	}
	if (r < 0)
		fault(s, "FPDU %llu: %s", (unsigned long long)c->fpdus_in, c->bad);
	answer(c, s);
}

struct peer_serve *pc_serve(struct pc *c)
{
	if (!c->serve)
		c->serve = xcalloc(1, sizeof(struct peer_serve));
	peer_serve_run(c);
	return c->serve;
}
