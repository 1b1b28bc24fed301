// SPDX-License-Identifier: BSD-2-Clause
/*
 * Sending side of mpa against a model written from RFC 5044 (MPA), 5041 (DDP) and 5040 (RDMAP), with a host, a tpt and a tcp that
 * are late, refuse and fail.
 *
 * The model builds every FPDU byte by byte, with a marker wherever the stream offset says so, and expects it whole with all that
 * tcp must be told, or void with one error. Every translation, read and epoch is looked at too: reads lie inside
 * what was translated, in order, and nothing that was translated waits when tcp does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb.h"

enum { FPDU, SRC, INL, VAL, XQ, XS, RQ, RS, FRM, ERR, LEAVE, STATE };
enum { S_NONE, S_MEM, S_INLINE, S_VALUE };
enum { OP_WRITE, OP_READREQ, OP_READRESP, OP_SEND, OP_SENDINV, OP_SENDSE, OP_SENDSEINV, OP_TERM };
enum { XL_BUS = 6, ERR_PLAN = 15 };
/* what goes wrong: with the description, with a translation, with a read */
enum { OK, H_SMALL, H_BIG, H_LONG, H_MIXED, H_PHASE, H_PKT_SHORT, H_PKT_LONG, H_PKT_OVER, H_KIND, X_ERR, X_FEW, X_MANY, X_WRAP, R_FULL, R_CUT, R_SHORT, R_LONG, N_WRONG };
static const char *const wrong_name[N_WRONG] = { "ok", "sum too small", "sum too big", "too long", "mixed", "phase", "packet short", "packet long",
	"packet endless", "kind", "translation", "translation short", "translation long", "wrap", "read", "read cut", "read short", "read long" };

#define LANES (TB_DATA_W / 8)
#define BUF 32768
#define LEN_MAX 16384
#define RD_MAX rd_max
#define XL_MAX xl_max
#define PKT_MAX 1024
#define NCONN 12
#define MAX_SRC 6
#define KEEP 8

struct src {
	unsigned kind;
	uint32_t stag;
	uint64_t to;
	unsigned len; /* of the packet, or of the memory */
	uint8_t access;
	uint32_t pd;
	bool priv;
	uint8_t *data; /* packet */
};
struct desc {
	unsigned c;
	uint64_t off, from, to, to_addr;
	unsigned len, op, qn, ask, gen, wqe, n;
	uint32_t stag, msn, mo;
	uint64_t edt;
	bool last, tagged, raw, joins, psh, again, fresh, resp;
	struct src s[MAX_SRC];
};
static struct conn {
	uint32_t qpn, slot, port, fn;
	uint64_t off, first;
	bool crc, markers;
	struct desc kept[KEEP];
	unsigned n_kept;
} conn[NCONN];

/* ---- what must come ---- */
struct piece { uint64_t addr; unsigned len, err, wrong; bool last, refused; };
struct access {
	struct access *next;
	uint8_t bits[24];
	struct piece p[64];
	unsigned n, epoch, done, pos; /* piece and byte that the next read begins with */
	bool fresh;
};
struct frame {
	struct frame *next;
	uint8_t side[40];
	uint8_t *data;
	size_t len;
	bool is_void;
	uint8_t err[16];
};
struct answer { struct answer *next; uint64_t due; uint8_t *data; size_t len; bool err; uint8_t bits[11]; };
struct leave { struct leave *next; unsigned epoch; uint64_t reads; };

#define LIST(type, name) static struct type *name, **name##_tail = &name
#define PUT(name, e) ((e)->next = NULL, *name##_tail = (e), name##_tail = &(e)->next)
#define TAKE(name) (name##_tail = name->next ? name##_tail : &name, name = name->next)
LIST(access, todo);   /* not asked for yet */
LIST(access, reading);
LIST(frame, frames);
LIST(frame, errors);
LIST(answer, xanswers);
LIST(answer, ranswers);
LIST(leave, leaves);

static uint64_t n_fpdu, n_frames, n_bytes, n_payload, n_voids, n_errs, n_asked, n_answered, n_reads, n_read_bytes, n_lasts, n_leaves;
static uint64_t s_fpdu, s_void, s_read, s_room, s_record, max_asked, max_reads;
static unsigned rd_max, xl_max, n_wrong[N_WRONG], n_again, n_again_void, n_multi, phases;
static bool phase_seen[128], idle;
static unsigned xlat_max, rlat_max, read_limit, rq_rate;
static uint64_t xdue, rdue, fpdu_at, inl_at, frm_at, frame_first, frame_last;
static bool want_frm_at, fixed_latency, small; /* small: few records, rates say nothing */

/* ---- host memory ---- */
static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x9e3779b97f4a7c15ull;
	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9ull;
	return x ^ x >> 32;
}
static uint8_t mem(uint64_t a) { return (uint8_t)(mix(a >> 3) >> (a & 7) * 8); }
/* Even STags are contiguous. */
static uint64_t phys(uint32_t stag, uint64_t to)
{
	if (!(stag & 1))
		return ((uint64_t)stag << 30) + to;
	return (mix(to >> 12 ^ (uint64_t)stag << 40) & 0x7ffffffffffffull) << 12 | (to & 4095);
}

/* ---- the model of framing ---- */
struct out { uint8_t *b; size_t n; uint64_t pos, first, start; bool markers; };

/* A marker, when it is due here. */
static void emit_marker(struct out *o)
{
	unsigned ptr = o->n ? (unsigned)(o->pos - o->start) : 0; /* RFC 5044 4.3: how many octets back is ULPDU_Length */

	if (!o->markers || (o->pos - o->first) % 512)
		return;
	if (!o->n)
		o->start += 4; /* it stands in front of ULPDU_Length */
	o->b[o->n++] = 0;
	o->b[o->n++] = 0;
	o->b[o->n++] = (uint8_t)(ptr >> 8);
	o->b[o->n++] = (uint8_t)ptr;
	o->pos += 4;
}
static void emit(struct out *o, const void *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		emit_marker(o);
		o->b[o->n++] = ((const uint8_t *)p)[i];
		o->pos++;
	}
}
static void be(uint8_t *p, unsigned n, uint64_t v)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * (n - 1 - i));
}

static size_t model(const struct desc *d, const uint8_t *payload, uint8_t *b)
{
	struct conn *c = &conn[d->c];
	struct out o = { b, 0, d->off, c->first, d->off, c->markers };
	uint8_t h[20];
	uint32_t crc;
	static const uint8_t zero[4];

	if (d->raw) {
		memcpy(b, payload, d->len);
		return d->len;
	}
	be(h, 2, d->len + (d->tagged ? 14 : 18));
	h[2] = (uint8_t)(d->tagged << 7 | d->last << 6 | 1);
	h[3] = (uint8_t)(1 << 6 | d->op);
	if (d->tagged) {
		be(h + 4, 4, d->stag);
		be(h + 8, 8, d->to_addr);
	} else {
		be(h + 4, 4, d->op == OP_SENDINV || d->op == OP_SENDSEINV ? d->stag : 0);
		be(h + 8, 4, d->qn);
		be(h + 12, 4, d->msn);
		be(h + 16, 4, d->mo);
	}
	emit(&o, h, d->tagged ? 16 : 20);
	emit(&o, payload, d->len);
	emit(&o, zero, -(d->len + (d->tagged ? 16 : 20)) & 3);
	emit_marker(&o); /* one in front of the CRC field belongs to what it covers */
	crc = c->crc ? tb_crc32c(0, b, o.n) : 0;
	for (int i = 0; i < 4; i++)
		h[i] = (uint8_t)(crc >> 8 * i);
	emit(&o, h, 4);
	return o.n;
}

/* ---- a description goes in ---- */
static void put_fpdu(const struct desc *d)
{
	const struct conn *c = &conn[d->c];
	struct tb_pack b;

	tb_pack_begin(&b, 564);
	tb_put(&b, 24, c->qpn), tb_put(&b, 12, c->slot), tb_put(&b, 2, c->port), tb_put(&b, 8, c->fn);
	tb_put(&b, 64, d->off), tb_put(&b, 16, d->len), tb_put(&b, 64, d->from), tb_put(&b, 64, d->to);
	tb_put(&b, 4, d->op), tb_put(&b, 1, d->last), tb_put(&b, 1, d->tagged), tb_put(&b, 32, d->stag), tb_put(&b, 64, d->to_addr);
	tb_put(&b, 2, d->qn), tb_put(&b, 32, d->msn), tb_put(&b, 32, d->mo), tb_put(&b, 1, d->raw), tb_put(&b, 1, d->joins);
	tb_put(&b, 1, d->psh), tb_put(&b, 1, d->again), tb_put(&b, 4, d->ask), tb_put(&b, 1, d->fresh), tb_put(&b, 1, d->resp);
	tb_put(&b, 2, d->gen), tb_put(&b, 1, c->crc), tb_put(&b, 1, c->markers), tb_put(&b, 64, c->first), tb_put(&b, 16, d->wqe);
	tb_put(&b, 48, d->edt);
	tb_item_push(FPDU, b.bits, 71);
}

static void put_src(const struct src *s, bool last)
{
	struct tb_pack b;

	tb_pack_begin(&b, 149);
	tb_put(&b, 3, s->kind), tb_put(&b, 1, last), tb_put(&b, 32, s->stag), tb_put(&b, 64, s->to), tb_put(&b, 16, s->len);
	tb_put(&b, 8, s->access), tb_put(&b, 24, s->pd), tb_put(&b, 1, s->priv);
	tb_item_push(SRC, b.bits, 19);
	if (s->kind == S_INLINE || s->kind == S_VALUE)
		tb_packet_push(s->kind == S_INLINE ? INL : VAL, s->data, s->len, NULL, 0, false);
}

/* The translation that must be asked for, and what will be said. Returns the error that it makes of its FPDU. */
static unsigned put_access(const struct desc *d, const struct src *s, unsigned wrong)
{
	const struct conn *c = &conn[d->c];
	struct access *a = calloc(1, sizeof(*a));
	struct tb_pack b;
	unsigned at = 0, bad = 0, stop = wrong == X_ERR ? tb_below(s->len + 1) : wrong == X_FEW ? tb_below(s->len) : wrong == X_WRAP ? 0 : s->len;
	bool chop = !fixed_latency && tb_chance(15);

	tb_pack_begin(&b, 185);
	tb_put(&b, 24, c->qpn), tb_put(&b, 12, c->slot), tb_put(&b, 32, s->stag), tb_put(&b, 64, s->to), tb_put(&b, 16, s->len);
	tb_put(&b, 8, s->access), tb_put(&b, 24, s->pd), tb_put(&b, 1, s->priv), tb_put(&b, 1, d->again), tb_put(&b, 1, d->fresh);
	tb_put(&b, 2, 0);
	memcpy(a->bits, b.bits, sizeof(a->bits));
	a->fresh = d->fresh;
	a->epoch = tb_below(4);
	while (at < stop) {
		struct piece *p = &a->p[a->n++];
		unsigned n = stop - at;

		if (s->stag & 1 && n > 4096 - ((s->to + at) & 4095))
			n = 4096 - (unsigned)((s->to + at) & 4095);
		if (chop && a->n < 40)
			n = tb_range(1, n);
		p->addr = phys(s->stag, s->to + at);
		p->len = n;
		at += n;
		p->last = at == stop && wrong != X_ERR;
	}
	if (wrong == X_ERR) {
		a->p[a->n].err = tb_range(1, 6);
		a->p[a->n].last = true;
		bad = a->p[a->n++].err;
	} else if (wrong == X_WRAP) {
		bad = a->p[0].err = 4;
		a->p[a->n++].last = true;
	} else if (wrong == X_FEW) {
		if (!a->n) { /* nothing at all, and no error either */
			a->p[a->n].addr = tb_rand();
			a->p[a->n++].last = true;
		}
		bad = XL_BUS;
	} else if (wrong == X_MANY) { /* more than the FPDU has: not read */
		struct piece *p = &a->p[a->n - 1];

		if (p->len + 300 > RD_MAX || tb_chance(50)) {
			p->last = false;
			p++;
			a->n++;
			p->last = true;
		}
		p->addr &= ~4095ull;
		p->len += tb_range(1, 300);
		p->refused = true;
		bad = XL_BUS;
	} else if (wrong >= R_FULL) {
		a->p[tb_below(a->n)].wrong = wrong;
		bad = XL_BUS;
	}
	PUT(todo, a);
	return bad;
}

/* Sends it, and says what must come. `wrong` as in wrong_name. */
static void send_desc(const struct desc *d, unsigned wrong)
{
	const struct conn *c = &conn[d->c];
	static uint8_t payload[70000];
	struct frame *f = calloc(1, sizeof(*f));
	struct tb_pack b;
	unsigned n = 0, err = 0, victim = d->n, mems = 0, asked = 0;
	bool stopped, plan_bad = wrong >= H_SMALL && wrong <= H_KIND;

	for (unsigned i = 0; i < d->n; i++) {
		if (d->s[i].kind == S_MEM && d->s[i].len) {
			mems++;
		}
	}
	if (wrong >= X_ERR) { /* which access */
		unsigned k = tb_below(mems);

		for (victim = 0; d->s[victim].kind != S_MEM || !d->s[victim].len || k--; victim++)
			;
	}
	put_fpdu(d);
	n_fpdu++;
	stopped = wrong == H_LONG || wrong == H_PHASE;
	for (unsigned i = 0; i < d->n; i++) {
		const struct src *s = &d->s[i];
		bool pkt = s->kind == S_INLINE || s->kind == S_VALUE;

		put_src(s, i + 1 == d->n);
		if (s->kind > S_VALUE || (pkt && d->n > 1) || (s->kind == S_MEM && asked + s->len > d->len))
			stopped = true;
		if (s->kind == S_MEM && s->len && !stopped) {
			unsigned cuts = (unsigned)((s->to % XL_MAX + s->len - 1) / XL_MAX) + 1, k = tb_below(cuts);
			struct src part = *s;

			for (unsigned at = 0; at < s->len; at += part.len, part.to += part.len) {
				unsigned e;

				part.len = XL_MAX - (unsigned)(part.to % XL_MAX);
				if (part.len > s->len - at || part.to + part.len < part.to)
					part.len = s->len - at;
				if (wrong == X_WRAP)
					e = put_access(d, &part, part.to + part.len < part.to ? wrong : OK);
				else
					e = put_access(d, &part, i == victim && !k-- ? wrong : OK);
				if (!err)
					err = e;
			}
			asked += s->len;
		}
		if (s->kind == S_MEM && n + s->len < sizeof(payload))
			for (unsigned k = 0; k < s->len; k++)
				payload[n++] = mem(phys(s->stag, s->to + k));
		if (pkt && n + s->len < sizeof(payload)) {
			memcpy(payload + n, s->data, s->len);
			n += s->len;
		}
	}
	if (plan_bad)
		err = ERR_PLAN;
	n_wrong[wrong]++;
	f->is_void = err != 0;
	if (!err) {
		f->data = malloc(d->len + 1024);
		f->len = model(d, payload, f->data);
		if (c->markers && !d->raw) {
			unsigned ph = (unsigned)((d->off - c->first) % 512 / 4);

			phases += !phase_seen[ph];
			phase_seen[ph] = true;
		}
	}
	tb_pack_begin(&b, 313);
	tb_put(&b, 24, c->qpn), tb_put(&b, 12, c->slot), tb_put(&b, 2, c->port), tb_put(&b, 8, c->fn);
	tb_put(&b, 64, d->off), tb_put(&b, 16, f->len), tb_put(&b, 64, d->from), tb_put(&b, 64, d->to);
	tb_put(&b, 1, d->joins), tb_put(&b, 1, d->psh), tb_put(&b, 1, d->again), tb_put(&b, 4, d->ask), tb_put(&b, 1, d->resp);
	tb_put(&b, 1, f->is_void), tb_put(&b, 2, d->gen), tb_put(&b, 48, d->edt);
	memcpy(f->side, b.bits, 40);
	PUT(frames, f);
	if (err) {
		struct frame *e = calloc(1, sizeof(*e));

		tb_pack_begin(&b, 121);
		/* what is acknowledged of one that is asked for again is not wanted, so it says nothing of that */
		tb_put(&b, 24, c->qpn), tb_put(&b, 12, c->slot), tb_put(&b, 64, d->again && d->from > d->off ? d->from : d->off), tb_put(&b, 16, d->wqe);
		tb_put(&b, 1, d->resp), tb_put(&b, 4, err);
		memcpy(e->err, b.bits, 16);
		PUT(errors, e);
	}
	n_payload += err ? 0 : d->len;
}

/* ---- drawing descriptions ---- */
static unsigned draw_len(unsigned cap)
{
	static const unsigned edge[] = { 0, 1, 2, 3, 4, 8, 28, 44, 45, 64, 108, 109, 472, 476, 480, 484, 488, 492, 496, 500, 504, 508, 512, 1004, 1424, 1448, 4096, 8928, 16384 };
	unsigned n;

	switch (tb_below(4)) {
	case 0: n = edge[tb_below(sizeof(edge) / sizeof(edge[0]))] + tb_below(3); break;
	case 1: n = tb_below(3 * LANES + 2); break;
	case 2: n = tb_below(1500); break;
	default: n = tb_chance(80) ? tb_below(600) : tb_below(LEN_MAX + 1); break;
	}
	return n > cap ? cap : n;
}

static void draw_mem(struct src *s, unsigned len)
{
	memset(s, 0, sizeof(*s));
	s->kind = S_MEM;
	s->stag = (uint32_t)tb_rand() & 0xffffff;
	s->to = tb_rand() & 0xffffffffffff;
	if (tb_chance(40)) /* shortly before a page ends */
		s->to = (s->to | 4095) - tb_below(300);
	s->len = len;
	s->access = (uint8_t)tb_rand();
	s->pd = (uint32_t)tb_rand() & 0xffffff;
	s->priv = tb_chance(50);
}

static void draw_pkt(struct src *s, unsigned kind, unsigned len)
{
	draw_mem(s, len);
	s->kind = kind;
	s->data = malloc(len + 1);
	tb_rand_bytes(s->data, len);
}

static void draw_head(struct desc *d, unsigned c)
{
	memset(d, 0, sizeof(*d));
	d->c = c;
	d->off = conn[c].off;
	d->op = tb_chance(90) ? tb_below(8) : tb_below(16);
	d->tagged = d->op == OP_WRITE || d->op == OP_READRESP;
	d->last = tb_chance(50);
	d->stag = (uint32_t)tb_rand();
	d->to_addr = tb_rand();
	d->qn = tb_below(4);
	d->msn = (uint32_t)tb_rand();
	d->mo = (uint32_t)tb_rand();
	d->raw = tb_chance(3);
	d->joins = tb_chance(50), d->psh = tb_chance(50), d->fresh = tb_chance(30), d->resp = tb_chance(20);
	d->ask = tb_below(16), d->gen = tb_below(4), d->wqe = (unsigned)tb_rand() & 0xffff, d->edt = tb_rand() & 0xffffffffffff;
}

static bool reads_memory(const struct desc *d)
{
	for (unsigned i = 0; i < d->n; i++)
		if (d->s[i].kind == S_MEM && d->s[i].len)
			return true;
	return false;
}

static void draw(bool hostile)
{
	struct conn *c = &conn[tb_below(NCONN)];
	struct desc d;
	unsigned wrong = OK, how = tb_below(10);
	static uint8_t scratch[LEN_MAX + 1024], none[LEN_MAX + 1024];
	size_t size;

	if (c->n_kept && tb_chance(15)) { /* the same again, all or a part */
		d = c->kept[tb_below(c->n_kept < KEEP ? c->n_kept : KEEP)];
		d.again = true;
		d.fresh = tb_chance(50);
		d.ask = tb_below(16);
		d.from = d.off + tb_below(100);
		d.to = d.from + tb_below(3000);
		n_again++;
		if (hostile && tb_chance(40) && reads_memory(&d)) { /* its memory is not what it was */
			wrong = tb_range(X_ERR, N_WRONG - 1);
			if (wrong == X_WRAP)
				wrong = X_ERR;
			n_again_void += d.from > d.off;
		}
		send_desc(&d, wrong);
		return;
	}
	if (tb_chance(10)) { /* as if others had been sent meanwhile */
		unsigned jump = tb_below(128), at = (unsigned)((c->off - c->first) / 4);

		for (unsigned i = 0; i < 128 && phase_seen[(at + jump) % 128]; i++)
			jump++;
		c->off += 4 * (jump % 128);
	}
	draw_head(&d, (unsigned)(c - conn));
	if (how < 6) { /* memory */
		unsigned left = d.len = draw_len(LEN_MAX);

		d.n = tb_chance(50) ? 1 : tb_range(1, MAX_SRC - 1);
		for (unsigned i = 0; i < d.n; i++) {
			unsigned n = i + 1 == d.n ? left : tb_chance(15) ? 0 : tb_below(left + 1);

			draw_mem(&d.s[i], n);
			left -= n;
		}
		n_multi += d.n > 1;
		if (hostile && tb_chance(40)) {
			wrong = tb_range(H_SMALL, N_WRONG - 1);
			if (wrong >= H_PKT_SHORT && wrong <= H_PKT_OVER)
				wrong = H_MIXED;
			if (wrong == H_PHASE && (!c->markers || d.raw))
				wrong = H_BIG;
			if (wrong >= X_ERR && !d.len)
				wrong = OK;
			if (wrong == H_SMALL) {
				d.len += tb_range(1, 100);
				if (d.len > LEN_MAX)
					wrong = H_LONG;
			} else if (wrong == H_BIG) {
				if (!d.len)
					draw_mem(&d.s[d.n - 1], 5);
				else
					d.len -= tb_range(1, d.len);
			} else if (wrong == H_LONG) {
				draw_mem(&d.s[d.n++], tb_range(LEN_MAX - d.len + 1, 65535 - LEN_MAX));
				d.len += d.s[d.n - 1].len;
			} else if (wrong == X_WRAP) { /* a piece that ends behind the last address */
				unsigned at = 0;

				while (d.s[at].len < 2 && at + 1 < d.n)
					at++;
				if (d.s[at].len < 2)
					wrong = OK;
				else
					d.s[at].to = -(uint64_t)tb_range(1, d.s[at].len - 1);
			} else if (wrong == H_KIND) {
				d.s[tb_below(d.n)].kind = tb_range(4, 7);
			} else if (wrong == H_PHASE) {
				d.off += tb_range(1, 3);
			} else if (wrong == H_MIXED) {
				unsigned at;

				if (d.n < 2)
					draw_mem(&d.s[d.n++], 0);
				do {
					at = tb_below(d.n);
					draw_pkt(&d.s[at], tb_range(S_INLINE, S_VALUE), tb_below(200));
				} while (tb_chance(30));
			}
		}
	} else if (how < 9) { /* a packet */
		unsigned kind = how == 8 ? S_VALUE : S_INLINE;

		d.len = draw_len(tb_chance(90) ? 228 : PKT_MAX);
		d.n = 1;
		draw_pkt(&d.s[0], kind, d.len);
		if (hostile && tb_chance(30)) {
			wrong = tb_range(H_PKT_SHORT, H_PKT_OVER);
			if (wrong == H_PKT_SHORT && d.len)
				draw_pkt(&d.s[0], kind, tb_below(d.len));
			else if (wrong == H_PKT_OVER)
				draw_pkt(&d.s[0], kind, PKT_MAX + tb_range(1, 1500));
			else
				wrong = H_PKT_LONG, draw_pkt(&d.s[0], kind, d.len + tb_range(1, 100));
		}
	} else {
		d.n = 1;
		draw_mem(&d.s[0], tb_chance(50) ? 0 : tb_below(1000));
		d.s[0].kind = S_NONE;
		if (hostile && tb_chance(20)) {
			d.len = tb_range(1, 300);
			wrong = H_SMALL;
		}
	}
	size = wrong == OK ? model(&d, none, scratch) : 0;
	d.from = d.off;
	d.to = d.off + size;
	send_desc(&d, wrong);
	if (wrong == OK && !d.raw) {
		c->off += size;
		c->kept[c->n_kept++ % KEEP] = d;
	}
}

static void conns(bool all_crc)
{
	for (unsigned i = 0; i < NCONN; i++) {
		struct conn *c = &conn[i];

		memset(c, 0, sizeof(*c));
		c->qpn = (uint32_t)tb_rand() & 0xffffff;
		c->slot = (uint32_t)tb_rand() & 0xfff;
		c->port = tb_below(4);
		c->fn = tb_below(256);
		c->first = tb_rand() & 0xffffffffffff;
		c->off = c->first;
		c->markers = i & 1;
		c->crc = all_crc || i % 3;
	}
}

/* ---- tpt ---- */
static unsigned late(unsigned max) { return fixed_latency ? max : tb_range(1, max); }

static void on_xq(int port, const uint8_t *bits, void *arg)
{
	struct access *a = todo;
	uint8_t got[24] = { 0 };
	struct leave *l = calloc(1, sizeof(*l));
	uint64_t at = tb_cycle() + late(xlat_max);

	memcpy(got, bits, 24);
	if (!a) {
		tb_fail("a translation that nobody waits for");
		return;
	}
	tb_check(!memcmp(got, a->bits, 24), "translation %lu: not what the piece says", n_asked);
	TAKE(todo);
	n_asked++;
	if (xdue < at)
		xdue = at;
	for (unsigned i = 0; i < a->n; i++) {
		struct answer *y = calloc(1, sizeof(*y));
		struct tb_pack b;

		tb_pack_begin(&b, 87);
		tb_put(&b, 64, a->p[i].addr), tb_put(&b, 16, a->p[i].len), tb_put(&b, 1, a->p[i].last), tb_put(&b, 4, a->p[i].err);
		tb_put(&b, 2, i + 1 == a->n ? a->epoch : tb_below(4));
		memcpy(y->bits, b.bits, 11);
		y->due = xdue;
		y->err = a->p[i].last;
		PUT(xanswers, y);
	}
	if (n_asked - n_answered > max_asked)
		max_asked = n_asked - n_answered;
	l->epoch = a->epoch;
	PUT(leaves, l);
	PUT(reading, a);
}

/* ---- the host: reads lie where the translations said ---- */
static void skip_done(void)
{
	while (reading) {
		struct access *a = reading;
		struct piece *p = &a->p[a->done];

		if (a->done == a->n) {
			struct leave *l = leaves;

			/* how many reads the oldest accesses have had: for the epochs */
			while (l && l->reads)
				l = l->next;
			if (l)
				l->reads = n_reads + 1;
			TAKE(reading);
			free(a);
		} else if (p->err || p->refused || a->pos == p->len) {
			a->done++;
			a->pos = 0;
		} else {
			return;
		}
	}
}

static void on_rq(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	bool after;
	unsigned len, out;
	uint64_t addr, at = tb_cycle() + late(rlat_max);
	struct piece *p;
	struct answer *r = calloc(1, sizeof(*r));

	tb_unpack_begin(&b, bits, 81);
	after = tb_get(&b, 1);
	len = (unsigned)tb_get(&b, 16);
	addr = tb_get(&b, 64);
	skip_done();
	if (!reading) {
		tb_fail("a read of %lx that no translation gave", addr);
		return;
	}
	p = &reading->p[reading->done];
	tb_check(addr == p->addr + reading->pos && len && len <= p->len - reading->pos && len <= RD_MAX,
		 "read %lx + %u, should be in %lx + %u", addr, len, p->addr + reading->pos, p->len - reading->pos);
	tb_check(after == reading->fresh, "read %lx: after writes %d", addr, after);
	tb_check(addr / RD_MAX == (addr + len - 1) / RD_MAX, "read %lx + %u is not cut", addr, len);
	n_reads++;
	n_read_bytes += len;
	out = len;
	if (p->wrong) {
		r->err = p->wrong == R_FULL || p->wrong == R_CUT;
		if (p->wrong == R_CUT || p->wrong == R_SHORT)
			out = tb_below(len);
		else if (p->wrong == R_LONG)
			out = len + tb_range(1, 200);
		p->wrong = 0;
	}
	r->data = malloc(out + 1);
	for (unsigned i = 0; i < out; i++)
		r->data[i] = mem(addr + i);
	r->len = out;
	reading->pos += len;
	if (rdue < at)
		rdue = at;
	r->due = rdue;
	PUT(ranswers, r);
	if (n_reads - n_lasts > max_reads)
		max_reads = n_reads - n_lasts;
}

static void on_leave(int port, const uint8_t *bits, void *arg)
{
	struct leave *l = leaves;

	skip_done();
	n_leaves++;
	if (!l) {
		tb_fail("an access leaves that never came");
		return;
	}
	tb_check(l->epoch == (bits[0] & 3), "access %lu leaves epoch %u, not %u", n_leaves, l->epoch, bits[0] & 3);
	tb_check(l->reads && l->reads - 1 <= n_lasts, "access %lu leaves with reads that were not answered", n_leaves);
	TAKE(leaves);
	free(l);
}

/* ---- tcp, qp ---- */
static void on_frm(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	struct frame *f = frames;
	uint8_t got[40] = { 0 };

	if (!f) {
		tb_fail("a frame that nobody waits for");
		return;
	}
	memcpy(got, side, 40);
	if (memcmp(got, f->side, 40)) {
		struct tb_pack a, b;
		static const struct { unsigned w; const char *n; } fld[] = { { 24, "qpn" }, { 12, "slot" }, { 2, "port" }, { 8, "fn" }, { 64, "off" },
			{ 16, "bytes" }, { 64, "from" }, { 64, "to" }, { 1, "joins" }, { 1, "psh" }, { 1, "again" }, { 4, "ask_id" }, { 1, "resp" },
			{ 1, "void" }, { 2, "gen" }, { 48, "edt" } };

		tb_unpack_begin(&a, got, 313);
		tb_unpack_begin(&b, f->side, 313);
		for (unsigned i = 0; i < 16; i++) {
			uint64_t x = tb_get(&a, fld[i].w), y = tb_get(&b, fld[i].w);

			tb_check(x == y, "frame %lu: %s is %lx, should be %lx", n_frames, fld[i].n, x, y);
		}
	}
	if (len != f->len || memcmp(data, f->data ? f->data : (const uint8_t *)"", len)) {
		size_t i = 0;

		while (i < len && i < f->len && data[i] == f->data[i])
			i++;
		tb_fail("frame %lu: %zu bytes, should be %zu; they differ at %zu: %02x, should be %02x", n_frames, len, f->len, i, i < len ? data[i] : 0,
			i < f->len ? f->data[i] : 0);
	}
	n_frames++;
	n_bytes += len;
	n_voids += f->is_void;
	if (!frame_first)
		frame_first = tb_cycle();
	frame_last = tb_cycle();
	TAKE(frames);
	free(f->data);
	free(f);
}

static void on_err(int port, const uint8_t *bits, void *arg)
{
	struct frame *e = errors;
	uint8_t got[16] = { 0 };

	memcpy(got, bits, 16);
	n_errs++;
	if (!e) {
		tb_fail("an error that nobody waits for");
		return;
	}
	tb_check(!memcmp(got, e->err, 16), "error %lu: %016lx %016lx, should be %016lx %016lx", n_errs, tb_bits_get(got, 64, 57), tb_bits_get(got, 0, 64),
		 tb_bits_get(e->err, 64, 57), tb_bits_get(e->err, 0, 64));
	TAKE(errors);
	free(e);
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	unsigned s = bits[0] | bits[1] << 8;

	idle = s & 1;
	if (s & 2)
		fpdu_at = tb_cycle();
	if (s & 8)
		inl_at = tb_cycle();
	tb_check(!(s & 16), "an answer of the host had to wait");
	n_lasts += s >> 5 & 1;
	if (s & 64 && want_frm_at) {
		frm_at = tb_cycle();
		want_frm_at = false;
	}
	s_fpdu += s >> 7 & 1;
	s_void += s >> 8 & 1;
	s_read += s >> 9 & 1;
	s_room += s >> 10 & 1;
	s_record += s >> 11 & 1;
}

/* ---- phases ---- */
static unsigned phase, step, todo_n, round_hostile;
static uint64_t began, mark;
static int quiet;

static void rates(unsigned pct)
{
	static const int src[] = { FPDU, SRC, INL, VAL, XS, RS }, snk[] = { XQ, FRM, ERR };

	for (unsigned i = 0; i < 6; i++)
		tb_src_rate(src[i], pct ? pct : tb_chance(50) ? 100 : tb_range(10, 90));
	for (unsigned i = 0; i < 3; i++)
		tb_snk_rate(snk[i], pct ? pct : tb_chance(50) ? 100 : tb_range(10, 90));
	rq_rate = pct ? pct : tb_chance(50) ? 100 : tb_range(10, 90);
}

static bool all_quiet(void)
{
	static const int src[] = { FPDU, SRC, INL, VAL, XS, RS };

	for (unsigned i = 0; i < 6; i++)
		if (tb_pending(src[i]))
			return false;
	return !frames && !errors && !todo && !xanswers && !ranswers && !leaves && idle;
}

static void plain(unsigned c, unsigned kind, unsigned len)
{
	struct desc d;
	static uint8_t scratch[LEN_MAX + 1024], none[LEN_MAX];

	draw_head(&d, c);
	d.raw = false;
	d.op = OP_WRITE;
	d.tagged = true;
	d.len = len;
	d.n = 1;
	if (kind == S_MEM) {
		draw_mem(&d.s[0], len);
		d.s[0].to &= ~63ull;
		d.s[0].stag &= ~1u;
	} else {
		draw_pkt(&d.s[0], kind, len);
	}
	conn[c].off += model(&d, none, scratch);
	send_desc(&d, OK);
}

static void measure_begin(unsigned xlat, unsigned rlat, unsigned limit)
{
	rates(100);
	fixed_latency = true;
	xlat_max = xlat;
	rlat_max = rlat;
	read_limit = limit;
	frame_first = 0;
	n_frames = n_bytes = n_payload = max_asked = 0;
	began = tb_cycle();
}

/* RFC 5044, figures 5 and 6: 24 zero octets in a Send, MSN 1 and 2, with markers */
static void figures(void)
{
	static const uint8_t sums[2][4] = { { 0x52, 0x23, 0x99, 0x83 }, { 0x84, 0x92, 0x58, 0x98 } };
	uint8_t b[64], zero[24] = { 0 };

	for (unsigned k = 0; k < 2; k++) {
		struct desc d = { .c = 1, .op = OP_SEND, .last = true, .msn = k + 1, .len = 24, .n = 1 };
		size_t n;

		d.off = conn[1].first + (k ? 492 : 0);
		d.to = d.off + 52;
		n = model(&d, zero, b);
		tb_check(n == 52 && !memcmp(b + 48, sums[k], 4), "the model's FPDU of figure %u has %zu octets and CRC %02x %02x %02x %02x", 5 + k, n, b[48],
			 b[49], b[50], b[51]);
		draw_pkt(&d.s[0], S_INLINE, 24);
		memset(d.s[0].data, 0, 24);
		send_desc(&d, OK);
	}
}

void tb_setup(void)
{
	rd_max = (unsigned)tb_opt("rd_max", 4096);
	xl_max = (unsigned)tb_opt("xl_max", 4096);
	small = tb_opt("small", 0);
	tb_on_item(XQ, on_xq, NULL);
	tb_on_item(RQ, on_rq, NULL);
	tb_on_packet(FRM, on_frm, NULL);
	tb_on_item(ERR, on_err, NULL);
	tb_on_item(LEAVE, on_leave, NULL);
	tb_on_item(STATE, on_state, NULL);
	conns(true);
	measure_begin(1, 1, 64);
	fixed_latency = false;
	figures();
}

static void host(void)
{
	uint64_t now = tb_cycle();

	while (xanswers && xanswers->due <= now) {
		struct answer *y = xanswers;

		tb_item_push(XS, y->bits, 11);
		n_answered += y->err;
		TAKE(xanswers);
		free(y);
	}
	while (ranswers && ranswers->due <= now) {
		struct answer *r = ranswers;

		tb_packet_push(RS, r->data, r->len, NULL, 0, r->err);
		TAKE(ranswers);
		free(r->data);
		free(r);
	}
	tb_snk_rate(RQ, n_reads - n_lasts < read_limit ? rq_rate : 0);
	skip_done();
}

static double cycles(void) { return (double)(frame_last - frame_first) / (double)(n_frames - 1); }

bool tb_step(void)
{
	/* on connection 1 there are markers: 4 bytes of 512 */
	static const struct { unsigned c, len, limit; double least; } bulk[] = {
		{ 0, 1424, 64, 0.955 }, { 1, 1412, 64, 0.955 }, { 0, 4096, 64, 0.955 }, { 0, 8928, 64, 0.935 }, { 0, 16384, 64, 0.75 }
	};
	const unsigned rounds = (unsigned)tb_opt("rounds", 10), budget = (unsigned)tb_opt("fpdus", small ? 400 : TB_DATA_W >= 512 ? 2400 : TB_DATA_W >= 128 ? 1600 : 1000);

	host();
	/* what is asked for and not framed is in the ring, or on its way there */
	switch (phase) {
	case 0: /* figures; then the same at rest, one by one: latency */
		if (!all_quiet())
			return false;
		if (step && step <= 8) {
			unsigned ran = (unsigned)(frm_at - (fpdu_at > inl_at ? fpdu_at : inl_at));

			if (step == 1 || step == 8)
				tb_note("8 bytes in-line: first beat %u cycles behind the %s", ran, fpdu_at > inl_at ? "description" : "data");
			tb_check(ran <= 9, "8 bytes in-line take %u cycles", ran);
			/* every other time the data is late */
			tb_src_rate(INL, 100);
		}
		if (step++ < 8) {
			want_frm_at = true;
			if (step > 4)
				tb_src_rate(INL, 5);
			plain(0, S_INLINE, 8);
			return false;
		}
		tb_src_rate(INL, 100);
		phase = small ? 3 : 1, step = 0;
		if (small)
			return false;
		measure_begin(20, 300, 128);
		for (unsigned i = 0; i < 1500; i++)
			plain(0, S_MEM, 64);
		return false;
	case 1: /* rates: 64 bytes from memory, and in-line */
		if (!all_quiet())
			return false;
		if (!step++) {
			double want = TB_DATA_W >= 512 ? 4 : 84.0 / LANES + 1;

			tb_note("64 bytes from memory, 300 cycles: %.2f cycles an FPDU, %lu translations and %lu reads in flight", cycles(), max_asked, max_reads);
			tb_check(cycles() <= want, "an FPDU of 64 bytes takes %.2f cycles", cycles());
			measure_begin(1, 1, 64);
			for (unsigned i = 0; i < 1000; i++)
				plain(0, S_INLINE, 64);
			return false;
		}
		if (step == 2) {
			double want = (84 + LANES - 1) / LANES + 0.01;

			tb_note("64 bytes in-line: %.2f cycles an FPDU", cycles());
			tb_check(cycles() <= want, "an in-line FPDU of 64 bytes takes %.2f cycles", cycles());
			measure_begin(500, 1, 64);
			for (unsigned i = 0; i < 300; i++)
				plain(0, S_MEM, 100);
			return false;
		}
		tb_note("translations 500 cycles late: %lu in flight", max_asked);
		tb_check(max_asked >= 64, "only %lu translations are in flight", max_asked);
		phase = 2, step = 0;
		todo_n = 0;
		return false;
	case 2: /* long messages */
		if (!all_quiet())
			return false;
		if (todo_n) {
			double rate = bulk[step].len / cycles(), least = bulk[step].least * LANES;

			tb_note("FPDUs of %u bytes%s, 300 cycles, %u reads in flight: %.1f B/cycle", bulk[step].len, bulk[step].c ? " with markers" : "",
				bulk[step].limit, rate);
			tb_check(rate >= least, "FPDUs of %u bytes: %.1f B/cycle", bulk[step].len, rate);
			step++;
		}
		if (step < 5) {
			measure_begin(20, 300, bulk[step].limit);
			for (todo_n = 0; todo_n < (TB_DATA_W >= 512 ? 500000 : 120000) / bulk[step].len; todo_n++)
				plain(bulk[step].c, S_MEM, bulk[step].len);
			return false;
		}
		phase = 3, step = 0;
		return false;
	case 3: /* tcp stops: what is translated is read all the same */
		if (!step++) {
			measure_begin(30, 100, 1000);
			tb_snk_rate(FRM, 0);
			for (unsigned i = 0; i < 300; i++)
				plain(0, S_MEM, draw_len(3000));
			mark = tb_cycle() + (small ? 20000 : 1500) + 2 * BUF / LANES;
			return false;
		}
		if (step && tb_cycle() == mark) {
			tb_check(!tb_pending(XS) && !xanswers, "translations wait for tcp");
			tb_check(!reading, "what is translated is not read");
			tb_check(n_reads == n_lasts && n_leaves == n_asked, "reads wait for tcp");
			tb_check(todo != NULL && (s_room || small), "the ring was never full");
			tb_snk_rate(FRM, 100);
		}
		if (tb_cycle() <= mark || !all_quiet())
			return false;
		phase = 4, step = 0;
		fixed_latency = false;
		return false;
	default: /* random traffic */
		if (todo_n) {
			if (tb_pending(FPDU) < 4 && tb_pending(SRC) < 20) {
				draw(round_hostile);
				todo_n--;
			}
			quiet = 0;
			return false;
		}
		if (!all_quiet())
			return false;
		if (step == rounds)
			return true;
		/* three of four rounds with errors; the slowest host in some */
		round_hostile = step % 4 != 0;
		conns(false);
		rates(step % 5 == 0 ? 100 : 0);
		xlat_max = step % 3 == 0 ? 500 : step % 3 == 1 ? 3 : 60;
		rlat_max = step % 4 == 0 ? 500 : step % 4 == 1 ? 2 : 90;
		read_limit = step % 2 ? 64 : tb_range(1, 200);
		todo_n = budget / 2 + tb_below(budget);
		step++;
		return false;
	}
}

void tb_finish(void)
{
	tb_check(n_leaves == n_asked, "%lu accesses, %lu left", n_asked, n_leaves);
	tb_check(s_read == n_reads && s_void == n_errs, "counters: %lu reads of %lu, %lu void of %lu", s_read, n_reads, s_void, n_errs);
	tb_check(s_fpdu + s_void == n_fpdu, "counters: %lu + %lu FPDUs of %lu", s_fpdu, s_void, n_fpdu);
	tb_check(phases == 128 || tb_opt("rounds", 10) < 10, "FPDUs began at %u of 128 marker phases", phases);
	tb_check(n_again > 20 && n_multi > 50 && n_again_void > 5, "%u again, %u of them in part and void, %u of several pieces", n_again, n_again_void, n_multi);
	for (unsigned i = 0; i < N_WRONG; i++)
		tb_check(n_wrong[i] > 2, "'%s' happened %u times", wrong_name[i], n_wrong[i]);
	tb_check(s_room && (s_record || !small), "the ring was full for %lu cycles, reads waited for %lu", s_room, s_record);
	tb_note("%lu FPDUs, %lu void, %u again (%u in part and void), %lu reads, %u phases, %lu cycles", n_fpdu, s_void, n_again, n_again_void, n_reads, phases, tb_cycle());
}
