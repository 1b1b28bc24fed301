// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_rdmap_in against a model made from RFC 5040, RFC 5041 and the fault table of this project: connections that come and
 * go in 16 slots, every kind of message, headers that break each rule, receive WQEs that are fetched late or are wrong, translations
 * that come after 1 to 500 cycles or fail, invalidations that come true and are done as late, inbound reads beyond the bound, and back-pressure on everything.
 *
 * A connection's FPDUs are judged by the model when they are made, in the order of the stream. Compared: memory, each field of
 * completions, events, reads and refusals, exact offsets of commits (and that what they cover has been written), line 7 of what
 * is saved, pins, epochs, packets of the store.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ports.h"
#include "tb.h"
#include "weft_abi.h"

#define NC 40
#define PAGES (NC * 26 + 8)
#define BUS 0x123400000000ull
#define LINE_BYTES 70

enum { OP_WRITE, OP_RREQ, OP_RRESP, OP_SEND, OP_SINV, OP_SEND_SE, OP_SSEINV, OP_TERM, OP_IMM, OP_IMM_SE, OP_AREQ, OP_ARSP };
enum { XL_OK, XL_STAG, XL_PD, XL_ACCESS, XL_WRAP, XL_BOUNDS, XL_BUS, XL_INV };
enum { A_LW = 1, A_RW = 2, A_RR = 4, A_AT = 32 };
enum { FETCH_ADD = 0, CMP_SWAP = 2 };
enum { AWAY, LOADING, HOME, SAVING };

/* gone: invalidated in the stream, and in the card; no_inv: what an invalidation of it fails with */
struct mr { uint32_t stag, pd; uint8_t access; uint64_t base, len; int page[6], bad_page; bool gone[2]; unsigned no_inv; };
enum { STREAM, CARD };
struct ex { uint64_t f[10]; bool any; /* of an atomic on bytes that a failed placement may have written */ uint8_t hdr[46]; uint64_t cum; unsigned reads; };
struct q { struct ex *v; unsigned h, n, cap; };
struct wqe { unsigned nsge; uint64_t addr[15]; uint32_t len[15], key[15], total; uint8_t bad; };
struct rd { uint32_t stag; uint64_t to; uint32_t len; bool atomic; uint32_t id; };

static struct conn {
	unsigned qpn, state, slot, life;
	uint8_t home[64];
	struct mr mr[4];
	bool reader, adder, eager, dead, err, err_sent, refused, bus_rq, want_new, event_seen, fin;
	/* stream */
	bool kept, hole; /* the FPDU is out of the ring; one that was refused is not */
	uint64_t off, refused_off, stored_to, committed, com_to;
	uint32_t send_msn, read_msn, atoms, arsps, mo, rr_off;
	unsigned unsent, unacked, ird;
	bool is_read[64]; /* of the unacknowledged ones, the oldest first */
	bool ref_atom; /* refused for a Read in front of it */
	unsigned race; /* so many are acknowledged when the atomic behind them is under way, ... */
	unsigned race_at; /* ... which is the FPDU of this number, */
	unsigned race_rd; /* and so many requests were heard of, which have to be served before they can be acknowledged */
	bool first;
	uint32_t pd, cqn;
	uint8_t access, fn, port;
	bool priv;
	/* receive queue */
	unsigned log2, stride, rq, posted, taken; /* next to use, to post, to complete */
	int ring_page;
	struct wqe w[64];
	uint8_t status; /* of the first that is flushed */
	/* reads of this side */
	struct rd reads[8];
	unsigned n_reads;
	/* message that is being made */
	int msg;
	uint32_t left, mo_out;
	uint64_t to_out;
	uint32_t stag_out;
	/* expectations */
	struct q cqe, rxr, done, ev, ref, res, com, aco, op, inv, pla, thr;
	uint64_t front; /* bytes that the FPDU ahead of turn which is made now is ahead */
	bool in_op;
	uint32_t inv_stag;
	uint64_t cum, written, gone; /* bytes that are to be written, were accepted, have left */
	bool open_pin;
	unsigned busy;
	unsigned tokens;
	bool ended; /* a completion that failed was told: nothing is written for it any more, the program has its memory back */
	uint64_t post_at, save_at;
	bool crossed; /* stays until it is flushed: the next load would look again */
} conn[NC];

static uint8_t *mem, *want, *dc;
static int slot_conn[N_SLOT], pins[N_SLOT];
static struct put { struct put *next; bool fault; struct tb_pack b; } *stored_q, **stored_tail = &stored_q;
static unsigned n_stored(void)
{
	unsigned n = 0;

	for (const struct put *k = stored_q; k; k = k->next)
		n++;
	return n;
}
static struct xl { struct xl *next; uint64_t at; uint64_t addr[8]; uint16_t len[8]; unsigned n, err, epoch, qpn; } *xls, **xls_tail = &xls;
static struct rqr { struct rqr *next; uint64_t at, addr; unsigned len; bool err; struct conn *of; } *rqrs, **rqrs_tail = &rqrs;
static long open_epoch[4];
static unsigned made, target, in_store, total_reads, lives, saves, loads, n_xl;
static bool is_idle, is_ready, store_empty, late;
static unsigned stat[13];
static bool hold; /* whoever is inside a Send stays there, and in its slot; all others must get their receive WQEs all the same */
static uint64_t hold_at;
/* At the end, when nobody is short of buffers and no hand passes over the slots: a doorbell that crosses a load is seen by itself. */
static unsigned finals;
static unsigned n_hold, most_held;
static unsigned n_left; /* saves while receive WQEs of the connection are read */
#define POSTED 128u /* more than tb_rdmap_in lets wait */
static struct posted { struct conn *of; unsigned life; size_t len; } posted[POSTED];
static unsigned posted_in, posted_out;
static bool owed; /* a connection that is away expects something */
static uint64_t idle_since;
static unsigned faults[65536];
static unsigned n_imm[3]; /* good, of a wrong length, good and their receive has room */
static unsigned n_arsp[3]; /* Atomic Responses that were placed, that break a rule, that have no place */
static unsigned n_atom_fault[10]; /* by XL_*, 8 not aligned, 9 unknown */
static unsigned n_atom[2], n_atom_same, n_atom_bus, n_atom_any; /* by operation, compared unequal, not readable, on bytes that are not known */
static unsigned n_inv[8], n_op_good, op_done;
static uint64_t op_at; /* of the answer */
static struct conn *op_conn;
static struct late { struct late *next; uint64_t at; unsigned seq; } *lates, **lates_tail = &lates;
static unsigned n_front, n_placed, n_front_bad; /* FPDUs ahead of turn: that may be placed, that were told as placed, that may not */
static unsigned n_commit, n_cqe, n_flush, n_quiet, n_refuse, n_term, n_drain, n_fin, n_fin_refused, n_fin_mid, n_ring, n_over[2]; /* stored while one is refused: counts, let go */
static unsigned n_given, n_behind, n_race, n_again, n_early; /* FPDUs that were given; atomics behind a Read: refused, acknowledged in time, refused ones that are done; atomics alone acknowledged */

static void q_put(struct q *q, struct ex e)
{
	if (q->n == q->cap) {
		q->cap = q->cap ? 2 * q->cap : 16;
		q->v = realloc(q->v, q->cap * sizeof(*q->v));
	}
	q->v[q->n++] = e;
}
static struct ex *q_get(struct q *q) { return q->h < q->n ? &q->v[q->h++] : NULL; }
static unsigned q_len(const struct q *q) { return q->n - q->h; }
/* Answered Reads in front of what fails now: its own is told beside its event. */
static unsigned q_reads(const struct q *done) { return done->n - (done->n && done->v[done->n - 1].f[0] != WEFT_WC_STATUS_SUCCESS); }
static bool quiet(const struct conn *c)
{
	return !q_len(&c->cqe) && !q_len(&c->rxr) && !q_len(&c->done) && !q_len(&c->ev) && !q_len(&c->ref) && !q_len(&c->res) && !q_len(&c->com) &&
	       !q_len(&c->aco) && !q_len(&c->thr) && !q_len(&c->op) && !c->in_op && !c->busy && !c->race && !c->open_pin && (c->state == AWAY || !pins[c->slot]);
}

static bool final(const struct conn *c) { return made >= target && finals < 60 && c->err_sent; }
static bool held(const struct conn *c) { return hold && c->state == HOME && c->mo && !c->dead && !c->err; }

/* ---- memory and translation ---- */
static struct mr *mr_of(uint32_t stag)
{
	for (int i = 0; i < NC; i++)
		for (int k = 0; k < 4; k++)
			if (conn[i].mr[k].stag == stag)
				return &conn[i].mr[k];
	return NULL;
}

/* What becomes of the STag of a Send with Invalidate. */
static unsigned invalidate(uint32_t stag, uint32_t pd, int when)
{
	struct mr *m = mr_of(stag);

	if (!stag)
		return XL_INV;
	if (!m || m->gone[when])
		return XL_STAG;
	if (m->pd != pd)
		return XL_PD;
	if (!m->no_inv)
		m->gone[when] = true;
	return m->no_inv;
}

static unsigned xlate(uint32_t stag, uint64_t to, uint32_t len, uint8_t access, uint32_t pd, struct xl *x, int when)
{
	struct mr *m = mr_of(stag);

	x->n = 0;
	if (!m || m->gone[when])
		return XL_STAG;
	if (m->pd != pd)
		return XL_PD;
	if (access & ~m->access)
		return XL_ACCESS;
	if (to + len < to && to + len != 0)
		return XL_WRAP;
	if (to < m->base || to - m->base > m->len || len > m->len - (to - m->base))
		return XL_BOUNDS;
	for (uint64_t o = to - m->base; len;) {
		unsigned in = o & 4095, n = 4096 - in;

		if (n > len)
			n = len;
		if ((int)(o >> 12) == m->bad_page)
			return XL_BUS;
		x->addr[x->n] = (uint64_t)m->page[o >> 12] * 4096 + in;
		x->len[x->n++] = n;
		o += n;
		len -= n;
	}
	return XL_OK;
}

static unsigned place(uint32_t stag, uint64_t to, const uint8_t *p, uint32_t len, uint8_t access, uint32_t pd)
{
	struct xl x;
	unsigned err = xlate(stag, to, len, access, pd, &x, STREAM);

	for (unsigned i = 0; i < x.n; i++) {
		memcpy(want + x.addr[i], p, x.len[i]);
		memset(dc + x.addr[i], err != 0, x.len[i]);
		p += x.len[i];
	}
	return err;
}

/* ---- the rules ---- */
static uint32_t g32(const uint8_t *p) { return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }
static uint64_t g64(const uint8_t *p) { return (uint64_t)g32(p) << 32 | g32(p + 4); }
static void p32(uint8_t *p, uint32_t v) { p[0] = v >> 24; p[1] = v >> 16; p[2] = v >> 8; p[3] = v; }
static void p64(uint8_t *p, uint64_t v) { p32(p, v >> 32); p32(p + 4, v); }

/* RFC 7306 5.1.1: each bit of the mask is the top of a field, whose carry is let go. */
static uint64_t fetch_add(uint64_t old, uint64_t data, uint64_t mask)
{
	uint64_t sum = 0;
	bool carry = false;

	for (unsigned i = 0; i < 64; i++) {
		unsigned s = (old >> i & 1) + (data >> i & 1) + carry;

		sum |= (uint64_t)(s & 1) << i;
		carry = s > 1 && !(mask >> i & 1);
	}
	return sum;
}

/* What a host's read of an atomic finds an error at: 64 bytes of a region of every third connection. */
static bool unreadable(uint64_t addr)
{
	unsigned i = addr / 4096 / 26;

	return i < NC && i % 3 == 0 && addr / 4096 == (uint64_t)conn[i].mr[0].page[2] && (addr & 4095) < 64;
}

/* Executes the request behind its DDP header, in the order of the stream. 0 or what is wrong; 8: not aligned. */
static unsigned execute(struct conn *c, const uint8_t *h, struct ex *e)
{
	struct xl x;
	unsigned op = h[3] & 15, err = xlate(g32(h + 8), g64(h + 12), 8, A_AT, c->pd, &x, STREAM);
	uint64_t data = g64(h + 20), mask = g64(h + 28), cmp = g64(h + 36), cmask = g64(h + 44), old, new;

	if (err)
		return err;
	if (x.addr[0] & 7)
		return 8;
	if (unreadable(x.addr[0])) {
		n_atom_bus++;
		return XL_BUS;
	}
	memcpy(&old, want + x.addr[0], 8);
	for (unsigned i = 0; i < 8; i++)
		e->any |= dc[x.addr[0] + i];
	new = op == FETCH_ADD ? fetch_add(old, data, mask) : (old ^ cmp) & cmask ? old : (old & ~mask) | (data & mask);
	memcpy(want + x.addr[0], &new, 8);
	if (e->any)
		memset(dc + x.addr[0], 1, 8);
	if (!e->any && (op == FETCH_ADD || !((old ^ cmp) & cmask)))
		c->cum += 8;
	else
		n_atom_same++;
	n_atom[op == CMP_SWAP]++;
	n_atom_any += e->any;
	e->f[5] = 1;
	e->f[6] = old;
	return 0;
}

static unsigned judged_len; /* of the DDP segment that is judged */
static void fault(struct conn *c, unsigned code, int hdrs, const uint8_t *head, uint64_t off, uint8_t status)
{
	struct ex e = { .f = { WEFT_FW_EV_RX_FAULT, code, (uint32_t)off, (uint32_t)(off >> 32) << 16 | judged_len,
			       hdrs == 2 ? 46 : hdrs == 1 ? (head[0] & 0x80 ? 14 : 18) : 0 } };

	memcpy(e.hdr, head, 46);
	e.reads = q_reads(&c->done), q_put(&c->ev, e);
	c->dead = true;
	c->status = status;
	faults[code]++;
}

static unsigned tag_code(unsigned err)
{
	static const unsigned code[] = { 0, 0x1100, 0x1102, 0x0102, 0x1103, 0x1101, 0x1000 };

	return code[err];
}
static unsigned req_code(unsigned err)
{
	static const unsigned code[] = { 0, 0x0100, 0x0103, 0x0102, 0x0104, 0x0101, 0x1000 };

	return code[err];
}
static uint8_t loc_status(unsigned err) { return err == XL_BUS ? WEFT_WC_STATUS_FATAL_ERR : WEFT_WC_STATUS_LOC_PROT_ERR; }

/* weft_dp_pkg::mpa_fault_e, and what RFC 5044 8 calls it */
enum { MPA_OK, MPA_CRC, MPA_MARKER, MPA_LENGTH, MPA_FIN, MPA_RING };
static const unsigned mpa_code[] = { 0, 0x2002, 0x2003, 0x2003, 0x2001, 0x0000 };

/* RFC 7306 5.2 to 5.4: an atomic is executed when every Read in front of it is served, which is when its response is acknowledged. */
static unsigned reads_before(const struct conn *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->unacked; i++)
		if (c->is_read[i])
			n = i + 1;
	return n;
}

static bool shut(const struct conn *c) { return c->unacked >= c->ird + 16 || (c->ref_atom && reads_before(c)); }

static void asked(struct conn *c, bool read)
{
	c->read_msn++;
	c->unsent++;
	c->is_read[c->unacked++] = read;
}

static void acknowledged(struct conn *c, unsigned n)
{
	c->unacked -= n;
	memmove(c->is_read, c->is_read + n, c->unacked);
}

/* Judges one FPDU, in the order of the stream. */
static void judge(struct conn *c, const uint8_t *u, unsigned ulpdu, unsigned mpa, bool ahead, unsigned wire)
{
	bool tagged = u[0] & 0x80, last = u[0] & 0x40, first;
	unsigned hlen = tagged ? 14 : 18, op = u[1] & 15, err, len = ulpdu - hlen;
	uint64_t off = c->off;
	const uint8_t *pay = u + hlen;
	struct ex com = { .f = { 0 } };

	judged_len = ulpdu;
	if (c->qpn == (unsigned)tb_opt("dbg", 0))
		tb_note("%llu: judge op %u len %u off %llx rq %u posted %u mo %u msn %u dead %d bus %d", (long long)tb_cycle(), op, len, (long long)off, c->rq, c->posted, c->mo,
			c->send_msn, c->dead, c->bus_rq);
	if (mpa == MPA_FIN && !ulpdu) { /* the stream ends in good order: tcp tells, when it hears that all of it was placed */
		if (c->refused) { /* what is to come again comes before it */
			n_fin_refused++;
			return;
		}
		n_fin += !c->dead && !c->err;
		if (!c->dead && !c->err)
			q_put(&c->com, (struct ex){ .f = { off, off, 0, 0, 1 }, .cum = c->cum });
		c->fin = true;
		return;
	}
	/* Ahead of turn: a Write that breaks no rule is placed, and nothing else happens. All else is let go. */
	if (ahead && !c->dead && !c->err) {
		bool may = !c->refused && !mpa && ulpdu > 14 && tagged && (u[0] & 3) == 1 && u[1] >> 6 == 1 && op == OP_WRITE && (c->access & A_RW);

		if (may && !place(g32(u + 2), g64(u + 6), pay, len, A_RW, c->pd)) {
			c->cum += len;
			n_front++;
			q_put(&c->pla, (struct ex){ .f = { off + c->front, off + c->front + wire }, .cum = c->cum });
		} else {
			n_front_bad++;
		}
		return;
	}
	if (c->dead || c->err || ahead)
		return;
	if (c->refused) {
		if (off != c->refused_off)
			return;
		c->refused = false;
	}
	/* a Read or Atomic Request that breaks no rule of its header, beyond what may be unacknowledged; an atomic behind a Read */
	bool request = !mpa && ulpdu >= hlen && (u[0] & 3) == 1 && u[1] >> 6 == 1 && (op == OP_RREQ || op == OP_AREQ) && !tagged && g32(u + 6) == 1;
	unsigned behind = request && op == OP_AREQ ? reads_before(c) : 0;

	if (behind && behind <= 15 && c->unacked < c->ird + 16 && !c->kept && !c->race && !q_len(&c->ref) && !c->dead && tb_chance(60)) {
		/* the acknowledgement comes while it waits, and no other one that is to be refused */
		c->race = behind + tb_below((c->unacked > 15 ? 15 : c->unacked) - behind + 1);
		c->race_at = n_given + n_stored();
		c->race_rd = c->rxr.n;
		acknowledged(c, c->race);
		behind = 0;
		n_race++;
	}
	c->ref_atom = false;
	if (request && (c->unacked >= c->ird + 16 || behind)) {
		c->ref_atom = op == OP_AREQ;
		n_behind += behind != 0;
		q_put(&c->ref, (struct ex){ .f = { off, 0 } });
		c->refused = true;
		c->refused_off = off;
		c->hole = !c->kept;
		c->stored_to = off + (c->kept ? 100 : 0);
		n_refuse++;
		c->eager = false;
		return;
	}
	first = c->first;
	c->first = false;
	if (mpa) {
		fault(c, mpa_code[mpa], 0, u, off, 0);
		if (mpa == MPA_FIN)
			n_fin_mid++;
		if (mpa == MPA_RING)
			n_ring++;
		return;
	}
	if (ulpdu < hlen) {
		fault(c, 0x1000, 0, u, off, 0);
		return;
	}
	if ((u[0] & 3) != 1) {
		fault(c, tagged ? 0x1104 : 0x1206, 1, u, off, 0);
		return;
	}
	if (!tagged && g32(u + 6) > 3) {
		fault(c, 0x1201, 1, u, off, 0);
		return;
	}
	if (u[1] >> 6 != 1) {
		fault(c, 0x0205, 1, u, off, 0);
		return;
	}
	if (op > OP_ARSP || tagged != (op == OP_WRITE || op == OP_RRESP)) {
		fault(c, 0x0206, 1, u, off, 0);
		return;
	}
	if (!tagged && g32(u + 6) != (op == OP_RREQ || op == OP_AREQ ? 1 : op == OP_TERM ? 2 : op == OP_ARSP ? 3 : 0)) {
		fault(c, 0x1201, 1, u, off, 0);
		return;
	}
	uint32_t msn = g32(u + 10), mo = g32(u + 14);
	bool now = last && op != OP_RREQ && op != OP_AREQ;

	switch (op) {
	case OP_WRITE:
		if (!len)
			break;
		if (!(c->access & A_RW)) {
			fault(c, 0x0102, 1, u, off, 0);
			return;
		}
		err = place(g32(u + 2), g64(u + 6), pay, len, A_RW, c->pd);
		if (err) {
			fault(c, tag_code(err), err == XL_BUS ? 0 : 1, u, off, 0);
			return;
		}
		c->cum += len;
		break;
	case OP_RRESP: {
		struct rd *r = &c->reads[0];
		uint64_t end = (uint64_t)c->rr_off + len;

		if (!c->n_reads) {
			fault(c, 0x0206, 1, u, off, 0);
			return;
		}
		if (r->atomic) {
			fault(c, 0x0206, 1, u, off, 0);
			n_arsp[1]++;
			return;
		}
		if (len && g32(u + 2) != r->stag) {
			fault(c, 0x1100, 1, u, off, 0);
			return;
		}
		if ((len && g64(u + 6) != r->to + c->rr_off) || (last ? end != r->len : len && end >= r->len)) {
			fault(c, 0x1101, 1, u, off, 0);
			return;
		}
		if (len) {
			err = place(g32(u + 2), g64(u + 6), pay, len, A_LW, c->pd);
			if (err) {
				q_put(&c->done, (struct ex){ .f = { loc_status(err), 0 }, .cum = c->cum });
				fault(c, tag_code(err), err == XL_BUS ? 0 : 1, u, off, 0);
				return;
			}
			c->cum += len;
		}
		c->rr_off = end;
		if (last) {
			q_put(&c->done, (struct ex){ .f = { WEFT_WC_STATUS_SUCCESS, end }, .cum = c->cum });
			c->rr_off = 0;
			memmove(c->reads, c->reads + 1, sizeof(c->reads) - sizeof(c->reads[0]));
			c->n_reads--;
			total_reads--;
		}
		break;
	}
	/* RFC 7306 5.2.2: on queue 3, in its own order; of the oldest request, in one segment. What is placed is a number in the host's order. */
	case OP_ARSP: {
		struct rd *r = &c->reads[0];
		uint8_t v[8];

		if (msn != c->arsps + 1 || mo || !c->n_reads || !r->atomic || len > 12 || len < 12 || !last || g32(pay) != r->id) {
			fault(c, msn != c->arsps + 1 ? 0x1203 : mo ? 0x1204 : !c->n_reads || !r->atomic ? 0x0206 : len > 12 ? 0x1205 : 0x0207, 1, u, off, 0);
			n_arsp[1]++;
			return;
		}
		for (int i = 0; i < 8; i++)
			v[i] = pay[11 - i];
		err = place(r->stag, r->to, v, 8, A_LW, c->pd);
		if (err) {
			q_put(&c->done, (struct ex){ .f = { loc_status(err), 0 }, .cum = c->cum });
			fault(c, 0, 0, u, off, 0);
			n_arsp[2]++;
			return;
		}
		c->cum += 8;
		c->arsps++;
		q_put(&c->done, (struct ex){ .f = { WEFT_WC_STATUS_SUCCESS, 8 }, .cum = c->cum });
		memmove(c->reads, c->reads + 1, sizeof(c->reads) - sizeof(c->reads[0]));
		c->n_reads--;
		total_reads--;
		n_arsp[0]++;
		break;
	}
	case OP_AREQ:
	case OP_RREQ: {
		uint32_t size = g32(u + 30), whole = op == OP_AREQ ? 70 : 46;
		uint64_t to = g64(u + 38);
		struct xl x;

		if (msn != c->read_msn || mo || ulpdu != whole || !last) {
			fault(c, msn != c->read_msn ? 0x1203 : mo ? 0x1204 : ulpdu > whole ? 0x1205 : 0x0207, 1, u, off, 0);
			return;
		}
		if (c->unsent >= c->ird) {
			fault(c, 0x1202, 1, u, off, 0);
			return;
		}
		/* RFC 7306: its Terminate shows the DDP header alone (8.1); an operation that is none; rights; alignment (8.2) */
		if (op == OP_AREQ) {
			struct ex e = { .f = { g32(u + 22), 0, 0, ++c->atoms } };
			unsigned code = u[21] & 15;

			err = code != FETCH_ADD && code != CMP_SWAP ? 9 : !(c->access & A_AT) ? XL_ACCESS : execute(c, pay, &e);
			if (err) {
				fault(c, err == 9 ? 0x0206 : err == 8 ? 0x0207 : req_code(err), err == XL_BUS ? 0 : 1, u, off, 0);
				n_atom_fault[err]++;
				return;
			}
			asked(c, false);
			e.cum = c->cum;
			q_put(&c->rxr, e);
			break;
		}
		if (size) {
			if (!(c->access & A_RR)) {
				fault(c, 0x0102, 2, u, off, 0);
				return;
			}
			if (to + size < to && to + size != 0) {
				fault(c, 0x0104, 2, u, off, 0);
				return;
			}
			err = xlate(g32(u + 34), to, 1, A_RR, c->pd, &x, STREAM);
			if (!err && size > 1)
				err = xlate(g32(u + 34), to + size - 1, 1, A_RR, c->pd, &x, STREAM);
			if (err) {
				fault(c, req_code(err), err == XL_BUS ? 0 : 2, u, off, 0);
				return;
			}
		}
		asked(c, true);
		q_put(&c->rxr, (struct ex){ .f = { g32(u + 18), g64(u + 22), size, g32(u + 34), to }, .cum = c->cum });
		break;
	}
	case OP_TERM: {
		if (msn != 1 || mo || !last) {
			fault(c, msn != 1 ? 0x1203 : mo ? 0x1204 : 0x0207, 1, u, off, 0);
			return;
		}
		struct ex e = { .f = { WEFT_FW_EV_RX_TERMINATE, (unsigned)u[18] << 8 | u[19], (uint32_t)off, off >> 32, ulpdu > 46 ? 46 : ulpdu } };
		memcpy(e.hdr, u, 46);
		e.reads = q_reads(&c->done), q_put(&c->ev, e);
		n_term++;
		break;
	}
	default: {
		struct wqe *w = &c->w[c->rq & ((1u << c->log2) - 1)];

		/* Immediate Data has one segment, so none of it is in the middle of a message */
		if (msn != c->send_msn || mo != c->mo || (op >= OP_IMM && mo)) {
			fault(c, msn != c->send_msn ? 0x1203 : 0x1204, 1, u, off, 0);
			return;
		}
		if (c->rq == c->posted) {
			fault(c, 0x1202, 1, u, off, 0);
			return;
		}
		if (c->bus_rq || w->bad) {
			fault(c, 0, 0, u, off, c->bus_rq ? WEFT_WC_STATUS_FATAL_ERR : WEFT_WC_STATUS_LOC_QP_OP_ERR);
			return;
		}
		/* RFC 7306 6.3: a message of 8 bytes in one segment, which takes a receive and touches none of its memory */
		if (op == OP_IMM || op == OP_IMM_SE) {
			if (len != 8 || !last) {
				fault(c, len > 8 ? 0x1205 : 0x0207, 1, u, off, 0);
				n_imm[1]++;
				return;
			}
			q_put(&c->cqe, (struct ex){ .f = { WEFT_WC_STATUS_SUCCESS, c->rq & 0xffff, 0, op == OP_IMM_SE, false, g32(pay + 4), true }, .cum = c->cum });
			n_imm[0]++;
			n_imm[2] += w->total > 0;
			c->send_msn++;
			c->rq++;
			break;
		}
		if ((uint64_t)mo + len > w->total) {
			fault(c, 0x1205, 1, u, off, 0);
			return;
		}
		uint32_t skip = mo, rem = len;
		unsigned got = 0;
		for (unsigned k = 0; k < w->nsge && rem; k++) {
			if (w->len[k] <= skip) {
				skip -= w->len[k];
				continue;
			}
			uint32_t n = w->len[k] - skip < rem ? w->len[k] - skip : rem;

			err = 0;
			if (!got)
				err = place(w->key[k], w->addr[k] + skip, pay, n, A_LW, c->pd);
			if (err && !got)
				got = 16 + err;
			if (got >= 16) { /* what went before may have been written */
				struct xl x;
				xlate(w->key[k], w->addr[k] + skip, n, A_LW, c->pd, &x, STREAM);
				for (unsigned i = 0; i < x.n; i++)
					memset(dc + x.addr[i], 1, x.len[i]);
			}
			pay += n;
			rem -= n;
			skip = 0;
		}
		if (got >= 16) {
			/* the parts in front of the one that failed */
			skip = mo;
			rem = len;
			for (unsigned k = 0; k < w->nsge && rem; k++) {
				struct xl x;
				if (w->len[k] <= skip) {
					skip -= w->len[k];
					continue;
				}
				uint32_t n = w->len[k] - skip < rem ? w->len[k] - skip : rem;
				xlate(w->key[k], w->addr[k] + skip, n, A_LW, c->pd, &x, STREAM);
				for (unsigned i = 0; i < x.n; i++)
					memset(dc + x.addr[i], 1, x.len[i]);
				rem -= n;
				skip = 0;
			}
			fault(c, 0, 0, u, off, loc_status(got - 16));
			return;
		}
		c->cum += len;
		c->mo += len;
		if (last) {
			bool inv = op == OP_SINV || op == OP_SSEINV;
			uint32_t stag = inv ? g32(u + 2) : 0;

			if (inv) {
				err = invalidate(stag, c->pd, STREAM);
				q_put(&c->op, (struct ex){ .f = { stag } });
				n_inv[err]++;
				if (err) {
					fault(c, err == XL_STAG ? 0x0100 : err == XL_PD ? 0x0103 : err == XL_ACCESS ? 0x0102 : 0x0109, 1, u, off, 0);
					return;
				}
			}
			q_put(&c->cqe, (struct ex){ .f = { WEFT_WC_STATUS_SUCCESS, c->rq & 0xffff, c->mo, op == OP_SEND_SE || op == OP_SSEINV, inv, stag }, .cum = c->cum });
			c->mo = 0;
			c->send_msn++;
			c->rq++;
		}
		break;
	}
	}
	com.f[0] = off;
	com.f[1] = off + wire;
	com.f[2] = now;
	com.f[3] = first;
	com.cum = c->cum;
	q_put(&c->com, com);
	q_put(&c->thr, com);
	c->off = off + wire;
	if (op == OP_TERM)
		c->dead = true;
}

/* ---- receive queue ---- */
static void db(struct conn *c, unsigned index)
{
	struct tb_pack b;

	tb_pack_begin(&b, 40);
	tb_put(&b, 24, c->qpn);
	tb_put(&b, 16, index & 0xffff);
	tb_item_push(RQDB, b.bits, 5);
}

static void post(struct conn *c, unsigned n)
{
	for (; n && c->posted - c->taken < 1u << c->log2; n--) {
		unsigned i = c->posted & ((1u << c->log2) - 1), max = (4u << c->stride) - 1;
		struct wqe *w = &c->w[i];
		uint8_t *p = mem + (uint64_t)c->ring_page * 4096 + (i << (6 + c->stride));

		memset(w, 0, sizeof(*w));
		w->nsge = tb_chance(60) ? 1 : tb_range(0, max > 14 ? 14 : max);
		for (unsigned k = 0; k < w->nsge; k++) {
			struct mr *m = &c->mr[tb_chance(96) ? 1 : tb_below(4)];

			w->len[k] = tb_chance(15) ? 0 : tb_chance(70) ? tb_range(1, 200) : tb_range(1, 3000);
			w->addr[k] = m->base + tb_below(m->len - w->len[k] + 1);
			w->key[k] = m->stag;
			if (tb_chance(1))
				w->addr[k] = m->base + m->len - tb_below(20);
			w->total += w->len[k];
		}
		if (c->qpn == (unsigned)tb_opt("dbg", 0))
			tb_note("%llu: post %u nsge %u total %u", (long long)tb_cycle(), c->posted, w->nsge, w->total);
		w->bad = tb_chance(1) ? tb_range(1, 3) : 0;
		uint32_t total = w->total + (w->bad == 2), nsge = w->bad == 3 ? max + 1 : w->nsge;
		uint16_t idx = c->posted + (w->bad == 1);
		tb_rand_bytes(p, 64u << c->stride);
		memset(p, 0, 16);
		p[0] = nsge;
		memcpy(p + 4, &idx, 2);
		memcpy(p + 8, &total, 4);
		for (unsigned k = 0; k < w->nsge; k++) {
			memcpy(p + 16 + 16 * k, &w->addr[k], 8);
			memcpy(p + 24 + 16 * k, &w->len[k], 4);
			memcpy(p + 28 + 16 * k, &w->key[k], 4);
		}
		memcpy(want + (p - mem), p, 64u << c->stride);
		if (c->err_sent)
			q_put(&c->cqe, (struct ex){ .f = { c->status ? c->status : WEFT_WC_STATUS_WR_FLUSH_ERR, c->posted & 0xffff } }), c->status = 0;
		c->posted++;
	}
	if (c->err_sent)
		c->rq = c->posted;
	db(c, c->posted);
}

/* ---- making FPDUs ---- */
static void who(struct tb_pack *b, struct conn *c);

static void irq_free(struct conn *c, unsigned sent, unsigned acked)
{
	struct tb_pack b;

	tb_pack_begin(&b, 44);
	who(&b, c);
	tb_put(&b, 4, sent);
	tb_put(&b, 4, acked);
	tb_item_push(IRQFREE, b.bits, 6);
	pins[c->slot]++;
	c->busy = 1;
}

/* Of an atomic that waits in its list, which was taken. */
static void race(struct conn *c)
{
	if (c->race && !c->busy && (int)(n_given - tb_pending(FPDU) - c->race_at) >= 0 && (int)(c->rxr.h - c->race_rd) >= 0) {
		irq_free(c, 0, c->race);
		c->race = 0;
	}
}

/* Of atomics alone, far from the bound, while others are on their way: what is acknowledged changes no verdict. */
static void early(struct conn *c)
{
	if (c->adder && c->unacked && c->unacked < c->ird + 8 && !reads_before(c) && !q_len(&c->rxr) && !q_len(&c->ref) && !c->busy && !c->race && !c->refused && !c->dead && !c->err) {
		unsigned n = tb_range(1, c->unacked > 15 ? 15 : c->unacked), sent = c->unsent > 15 ? 15 : c->unsent;

		irq_free(c, sent, n);
		c->unsent -= sent;
		acknowledged(c, n);
		n_early++;
	}
}

/* Those in front that have their handle, or never get one. */
static void give(bool put)
{
	for (struct put *k; (k = stored_q) && (put || k->fault); put = false) {
		tb_item_push(FPDU, k->b.bits, 65);
		n_given++;
		if (!(stored_q = k->next))
			stored_tail = &stored_q;
		free(k);
	}
}

static void send_fpdu(struct conn *c, const uint8_t *u, unsigned ulpdu, unsigned mpa, bool ahead)
{
	unsigned wire = (2 + ulpdu + 3) / 4 * 4 + 4 + 4 * tb_below(3);
	bool pinned = c->open_pin || mpa == MPA_FIN || tb_chance(90);
	struct put *k = calloc(1, sizeof(*k));

	tb_pack_begin(&k->b, 519);
	tb_put(&k->b, 24, c->qpn);
	tb_put(&k->b, 12, c->slot);
	c->front = ahead ? 4 * tb_below(10000) : 0;
	tb_put(&k->b, 64, c->off + c->front);
	tb_put(&k->b, 12, 0); /* handle: when it is stored; one with a fault is not */
	tb_put(&k->b, 16, ulpdu);
	tb_put(&k->b, 1, ahead);
	tb_put(&k->b, 1, pinned);
	tb_put(&k->b, 1, c->kept = tb_chance(40) && !ahead);
	tb_put(&k->b, 4, mpa);
	for (int i = 45; i >= 0; i--)
		tb_put(&k->b, 8, u[i]);
	tb_put(&k->b, 16, wire);
	*stored_tail = k;
	stored_tail = &k->next;
	k->fault = mpa != 0;
	if (!mpa) { /* as mpa leaves it: length, ULPDU, pad, CRC */
		static uint8_t w[20100];
		unsigned n = (2 + ulpdu + 3) / 4 * 4 + 4;
		w[0] = ulpdu >> 8;
		w[1] = ulpdu;
		memcpy(w + 2, u, ulpdu);
		tb_rand_bytes(w + 2 + ulpdu, n - 2 - ulpdu);
		tb_packet_push(STORE, w, n, NULL, 0, false);
	}
	give(false);
	in_store++;
	made++;
	if (!c->open_pin) /* that of the piece, which its last FPDU carries */
		pins[c->slot]++;
	c->open_pin = !pinned;
	uint64_t off = c->off;
	judge(c, u, ulpdu, mpa, ahead, wire);
	/* an FPDU that was let go or refused: its bytes were sent all the same */
	if (c->off == off && (c->dead || c->err))
		c->off += wire;
}

static void on_put(int port, const uint8_t *bits, void *arg)
{
	struct put *k = stored_q;

	tb_check(tb_bits_get(bits, 12, 1), "the store is full");
	/* struct: qpn 24, slot 12, off 64, handle 12, ... below it 16 + 3 + 4 + 368 + 16 */
	tb_bits_set(k->b.bits, 16 + 368 + 4 + 3 + 16, 12, tb_bits_get(bits, 0, 12));
	give(true);
}

/* A range in the ring while an FPDU is refused. One that was not in the ring has to come again before what mpa stores behind it counts. */
static void store_refused(struct conn *c)
{
	bool over = c->hole && tb_chance(50), placed = tb_chance(30);

	over |= placed; /* it is told again behind what was refused */
	uint64_t from = c->stored_to + (over ? tb_range(1, 5000) : 0), to = from + tb_range(1, 3000);
	struct tb_pack b;

	tb_pack_begin(&b, 169);
	tb_put(&b, 1, placed);
	tb_put(&b, 24, c->qpn);
	tb_put(&b, 12, c->slot);
	tb_put(&b, 64, from);
	tb_put(&b, 64, to);
	tb_put(&b, 4, 0);
	tb_item_push(STORED, b.bits, 22);
	pins[c->slot]++;
	n_over[over]++;
	if (!over) {
		q_put(&c->com, (struct ex){ .f = { from, to, 0, 0 }, .cum = c->cum });
		c->stored_to = to;
		c->hole = false;
	}
	c->busy = 1;
}

static void hdr_tag(uint8_t *u, unsigned op, bool last, uint32_t stag, uint64_t to)
{
	u[0] = 0x81 | last << 6;
	u[1] = 0x40 | op;
	p32(u + 2, stag);
	p64(u + 6, to);
}
static void hdr_unt(uint8_t *u, unsigned op, bool last, unsigned qn, uint32_t msn, uint32_t mo)
{
	u[0] = 0x01 | last << 6;
	u[1] = 0x40 | op;
	p32(u + 2, tb_rand());
	p32(u + 6, qn);
	p32(u + 10, msn);
	p32(u + 14, mo);
}

static void gen(struct conn *c)
{
	static unsigned mturn = 5;
	static uint8_t u[20000];
	unsigned len = 0, h = 18, mpa = 0, ulpdu;
	bool last = true;

	tb_rand_bytes(u, 64);
	if (c->msg < 0) {
		unsigned k = hold ? 60 : c->reader && (c->eager || tb_chance(90)) ? 80 : tb_below(100);

		c->mo_out = 0;
		c->left = tb_chance(15) ? 0 : tb_chance(60) ? tb_range(1, 100) : tb_range(1, 5000);
		if (k < 45) {
			c->msg = OP_WRITE;
			struct mr *m = &c->mr[0];
			c->stag_out = m->stag;
			c->to_out = tb_chance(20) ? m->base + m->len - c->left : m->base + tb_below(m->len - c->left + 1);
		} else if (k < 75) {
			c->msg = tb_chance(70) ? OP_SEND : OP_SEND_SE;
			if (tb_chance(c->reader ? 4 : 25) && (!c->mr[0].gone[STREAM] || tb_chance(4))) {
				c->msg += OP_SINV - OP_SEND;
				c->stag_out = tb_chance(80) ? c->mr[0].stag : tb_chance(10) ? 0 : tb_chance(20) ? tb_rand() : c->mr[tb_range(1, 3)].stag;
			} else if (!hold && tb_chance(25)) {
				c->msg = tb_chance(50) ? OP_IMM : OP_IMM_SE;
			}
			if (c->posted == c->rq && !c->dead && tb_chance(99))
				post(c, tb_range(1, 20));
			if (c->posted != c->rq) {
				uint32_t t = c->w[c->rq & ((1u << c->log2) - 1)].total;
				c->left = tb_chance(2) ? t + 1 : tb_chance(50) ? t : tb_below(t + 1);
			}
			if (c->msg >= OP_IMM)
				c->left = tb_chance(90) ? 8 : tb_chance(50) ? tb_below(8) : tb_range(9, 100);
		} else if (k < 86) {
			c->msg = tb_chance(c->reader ? 80 : c->adder ? 10 : 50) ? OP_RREQ : OP_AREQ;
			if (c->msg == OP_AREQ && c->reader && !c->dead && reads_before(c) && tb_chance(95))
				c->msg = -1;
			else if (c->unsent >= c->ird && (c->reader || tb_chance(99)) && c->unacked < c->ird + 16)
				c->msg = -1;
		} else {
			c->msg = OP_RRESP;
			if (!c->n_reads && tb_chance(98))
				c->msg = -1;
			else {
				if (c->n_reads ? c->reads[0].atomic == tb_chance(97) : tb_chance(30))
					c->msg = OP_ARSP;
				c->left = c->n_reads ? c->reads[0].len : 5;
				c->stag_out = c->reads[0].stag;
				c->to_out = c->reads[0].to;
			}
		}
		/* behind a placement that fails: it must not be executed */
		if (c->dead && tb_chance(50))
			c->msg = OP_AREQ;
		/* Writes and Read Requests name the region that is invalidated: mostly not behind that */
		if ((c->msg == OP_WRITE || c->msg == OP_RREQ || c->msg == OP_AREQ) && c->mr[0].gone[STREAM] && !tb_chance(10))
			c->msg = -1;
		if (c->msg < 0)
			return;
		if (!c->eager && tb_chance(1) && tb_chance(60))
			c->msg = OP_TERM;
	}
	len = c->left > 1400 ? tb_range(1, 1400) : c->left;
	if (len > 1 && tb_chance(hold ? 80 : c->msg >= OP_IMM ? 2 : 20))
		len = tb_range(1, len);
	if (c->left > 8000 || (c->left > 3000 && tb_chance(10)))
		len = tb_range(1500, c->left > 12000 ? 12000 : c->left);
	last = len == c->left;
	switch (c->msg) {
	case OP_WRITE:
	case OP_RRESP:
		hdr_tag(u, c->msg, last, c->stag_out, c->to_out + c->mo_out);
		h = 14;
		break;
	case OP_RREQ: {
		struct mr *m = &c->mr[0];
		uint32_t size = tb_chance(15) ? 0 : tb_chance(20) ? 1 : tb_range(1, m->len);

		last = true;
		len = c->left = 28;
		hdr_unt(u, OP_RREQ, true, 1, c->read_msn, 0);
		p32(u + 30, size);
		p32(u + 34, size || tb_chance(50) ? m->stag : tb_rand());
		p64(u + 38, m->base + (tb_chance(30) ? m->len - size : tb_below(m->len - size + 1)));
		break;
	}
	case OP_AREQ: {
		struct mr *m = &c->mr[0];
		struct xl x;
		/* mostly in the same place, so that one finds what another left; or where a Write may have been */
		uint64_t at = unreadable((uint64_t)m->page[2] * 4096) && !c->reader && (!n_atom_bus || tb_chance(15)) ? 2 * 4096 + tb_below(8) * 8 : tb_chance(60) ? 0 : tb_below((m->len - 8) / 8 + 1) * 8, old = 0;

		last = true;
		len = c->left = 52;
		tb_rand_bytes(u + 18, 52);
		hdr_unt(u, OP_AREQ, true, 1, c->read_msn, 0);
		u[21] = (u[21] & 0xf0) | (tb_chance(50) ? FETCH_ADD : CMP_SWAP);
		p32(u + 26, m->stag);
		p64(u + 30, m->base + at);
		if (!xlate(m->stag, m->base + at, 8, 0, c->pd, &x, STREAM) && x.n == 1)
			memcpy(&old, want + x.addr[0], 8);
		if (tb_chance(30))
			p64(u + 46, 0);
		if (tb_chance(70)) /* compares equal, as far as it is compared */
			p64(u + 54, old);
		if (tb_chance(50))
			p64(u + 62, ~0ull);
		break;
	}
	case OP_ARSP:
		last = true;
		len = c->left = 12;
		hdr_unt(u, OP_ARSP, true, 3, c->arsps + 1, 0);
		tb_rand_bytes(u + 18, 12);
		if (c->n_reads && tb_chance(95))
			p32(u + 18, c->reads[0].id);
		break;
	case OP_TERM:
		last = true;
		len = c->left = tb_range(4, 40);
		hdr_unt(u, OP_TERM, true, 2, 1, 0);
		break;
	default:
		hdr_unt(u, c->msg, last, 0, c->send_msn, c->mo_out);
		if (c->msg == OP_SINV || c->msg == OP_SSEINV)
			p32(u + 2, c->stag_out);
	}
	if (c->msg != OP_AREQ && c->msg != OP_ARSP && (len > 28 || (c->msg != OP_RREQ && c->msg != OP_TERM && len)))
		tb_rand_bytes(u + h, len);
	ulpdu = h + len;
	c->left -= len;
	c->mo_out += len;
	if (last)
		c->msg = -1;
	/* one of the rules */
	bool rreq = h == 18 && (u[1] & 15) == OP_RREQ;
	bool areq = h == 18 && (u[1] & 15) == OP_AREQ;
	bool send = h == 18 && (u[1] & 15) >= OP_SEND && (u[1] & 15) != OP_TERM && (u[1] & 15) < OP_AREQ;
	/* the last WQE of a buffer, which is being read when a header that is wrong does not wait for it */
	if (c->eager) {
		;
	} else if (send && last && (c->rq & 3) == 3 && tb_chance(15)) {
		if (tb_chance(50))
			u[0] ^= 1;
		else
			u[1] ^= 0x80;
	} else if (h == 18 && (u[1] & 15) == OP_ARSP && !c->dead && tb_chance(15)) {
		static unsigned pturn;

		switch (pturn++ % 6) {
		case 0: p32(u + 10, g32(u + 10) + (tb_chance(50) ? 1 : -1)); break;
		case 1: p32(u + 14, 12); break;
		case 2: ulpdu += tb_chance(50) ? 1 : -1; break;
		case 3: u[0] ^= 0x40; break;
		case 4: p32(u + 18, g32(u + 18) + 1); break;
		default: p32(u + 6, tb_below(3)); break;
		}
	} else if (areq && !c->dead && tb_chance(c->reader ? 1 : 20)) {
		static unsigned aturn;
		unsigned t = aturn++ % 12;

		if (tb_chance(50)) /* what was not met yet */
			t = !n_atom_fault[9] ? 0 : !n_atom_fault[8] ? 9 : !n_atom_fault[XL_STAG] ? 4 : t;
		switch (t) {
		case 0: u[21] = (u[21] & 0xf0) | (tb_chance(50) ? 1 : tb_range(3, 15)); break;
		case 1: p64(u + 30, (tb_chance(30) ? g64(u + 30) + 8 : c->mr[0].base + 4096 * tb_range(1, 5)) - tb_range(1, 7)); break; /* mostly over the end of a page */
		case 2: p64(u + 30, g64(u + 30) + (tb_chance(50) ? 30000 : -(uint64_t)tb_range(0, 40))); break;
		case 3: p64(u + 30, -(uint64_t)tb_range(0, 7)); break;
		case 4: p32(u + 26, tb_rand()); break;
		case 5: p32(u + 26, c->mr[tb_range(1, 3)].stag); break;
		case 6: ulpdu += tb_chance(50) ? 4 : -4; break;
		case 7: p32(u + 10, g32(u + 10) + 1); break;
		case 8: u[0] ^= 0x40; break;
		case 9:
		case 10: p64(u + 30, g64(u + 30) ^ tb_range(1, 7)); break; /* not aligned */
		default: p32(u + 26, c->mr[3].stag), p64(u + 30, c->mr[3].base + 8 * tb_below(8)); break; /* readable, and no more */
		}
	} else if (tb_chance(rreq && !c->reader ? 15 : c->reader ? 1 : 4)) {
		static unsigned turn, rturn; /* every rule has its turn */

		switch (rreq && tb_chance(60) ? 20 + rturn++ % 10 : turn++ % 26) {
		case 0: mpa = 1 + mturn++ % 5; break;
		case 1: u[0] = (u[0] & ~3) | (tb_chance(50) ? 2 : 0); break;
		case 2: u[1] = (u[1] & 0x3f) | (tb_chance(50) ? 0x80 : 0); break;
		case 3: u[1] = 0x40 | (tb_chance(80) ? tb_range(OP_AREQ, 15) : tb_range(OP_IMM, OP_IMM_SE)); break;
		case 4: u[0] ^= 0x80; break;
		case 5: u[1] = 0x40 | tb_below(8); break;
		case 6: if (h == 18) p32(u + 6, tb_chance(50) ? tb_range(3, 5) : tb_below(3)); break;
		case 7: case 8: if (h == 18) p32(u + 10, g32(u + 10) + (tb_chance(50) ? 1 : -1)); break;
		case 9: case 10: if (h == 18) p32(u + 14, g32(u + 14) + (tb_chance(50) ? 1 : 4096)); break;
		case 11: ulpdu = tb_below(h); break;
		case 12: u[0] ^= 0x40; break;
		case 13: ulpdu += tb_range(1, 4); break;
		case 14: if (ulpdu > h) ulpdu--; break;
		case 15: case 16: if (h == 14) p32(u + 2, tb_chance(50) ? c->mr[tb_below(4)].stag : g32(u + 2) ^ 1); break;
		case 17: case 18: case 19: if (h == 14) p64(u + 6, tb_chance(50) ? g64(u + 6) + tb_range(1, 30000) : -(uint64_t)tb_below(len + 2)); break;
		case 20: case 21: p32(u + 34, tb_chance(70) ? c->mr[tb_range(1, 3)].stag : tb_rand()); break;
		case 22: case 23: p64(u + 38, tb_chance(50) ? g64(u + 38) + 30000 : -(uint64_t)tb_range(0, g32(u + 30))); break;
		case 26: u[0] ^= 0x40; break;
		case 27: ulpdu += tb_chance(50) ? 4 : -4; break;
		case 28: p32(u + 10, g32(u + 10) + 1); break;
		case 29: p32(u + 14, 4); break;
		case 24: if (h == 14) p64(u + 6, c->mr[3].base + 4090), p32(u + 2, c->mr[3].stag); break;
		default: if (h == 18) p32(u + 34, c->mr[3].stag), p64(u + 38, c->mr[3].base + 4000), p32(u + 30, 200); break;
		}
	} else if (tb_chance(1)) {
		mpa = 1 + mturn++ % 6;
		if (mpa == 6) { /* in good order */
			mpa = MPA_FIN;
			ulpdu = 0;
		}
	} else if (tb_chance(c->access & A_RW ? 2 : 60)) {
		/* comes before its turn: a Write is placed; all else is let go, and one that may not be placed; then once more in its turn */
		uint8_t head[20];

		memcpy(head, u, sizeof(head));
		switch (tb_below(8)) {
		case 0: p32(u + 2, tb_chance(50) ? c->mr[tb_range(1, 3)].stag : tb_rand()); break;
		case 1: p64(u + 6, g64(u + 6) + 30000); break;
		case 2: u[tb_below(2)] ^= 1 << tb_below(8); break;
		default: break;
		}
		if (!c->dead && !c->err)
			send_fpdu(c, u, ulpdu, 0, true);
		memcpy(u, head, sizeof(head));
	}
	send_fpdu(c, u, ulpdu, mpa, false);
}

/* ---- connections ---- */
static void home_make(struct conn *c)
{
	struct conn keep = *c;
	uint64_t v;

	/* a new life: queues are empty, memory and regions stay */
	c->life++;
	c->ended = false;
	c->pla.h = c->pla.n;
	lives++;
	c->dead = c->err = c->err_sent = c->refused = c->event_seen = c->want_new = c->fin = false;
	c->off = keep.off + tb_rand() % 100000;
	c->send_msn = tb_chance(30) ? 0xfffffffe : 1;
	c->read_msn = tb_chance(30) ? 0xffffffff : 1;
	c->arsps = tb_chance(30) ? 0xfffffffe : 0;
	c->atoms = tb_chance(30) ? 0xfffffffe : tb_chance(30) ? 0xffff : 0;
	c->mo = c->rr_off = c->unsent = c->unacked = c->race = 0;
	c->ref_atom = false;
	c->ird = tb_range(1, 5);
	c->reader = tb_chance(50);
	c->adder = !c->reader && tb_chance(70); /* atomics behind atomics that are acknowledged */
	c->eager = c->reader && tb_chance(30); /* nothing but good requests, until one is beyond the bound */
	c->first = true;
	c->cqn = tb_rand() & 0xffffff;
	c->fn = tb_rand();
	c->port = tb_below(4);
	c->priv = tb_below(2);
	c->access = tb_chance(90) ? 0x3f : tb_chance(60) ? 0x3f & ~A_RW : tb_below(64);
	c->log2 = tb_range(2, 6);
	c->stride = tb_below(3);
	if (c->log2 + c->stride > 7)
		c->stride = 7 - c->log2 > 2 ? 2 : 7 - c->log2;
	c->rq = c->posted = tb_chance(40) ? 0xfff8 + tb_below(8) : tb_chance(30) ? tb_below(65536) | 3 | tb_below(4) << 2 : tb_below(65536);
	c->taken = c->rq;
	c->bus_rq = tb_chance(3);
	c->status = 0;
	c->n_reads = 0;
	c->msg = -1;
	for (int k = 0; k < 4; k++)
		c->mr[k].gone[STREAM] = c->mr[k].gone[CARD] = false;
	c->cum = c->written = c->gone = 0;
	c->committed = c->off;
	c->tokens = 0;
	memset(c->home, 0, 64);
#define F(off, n, val) (v = (val), memcpy(c->home + off, &v, n))
	F(0, 8, BUS + (uint64_t)c->ring_page * 4096);
	c->home[8] = c->log2 | c->stride << 4 | WEFT_QP_STATE_RTS << 6;
	F(9, 3, c->cqn);
	F(12, 3, c->pd);
	c->home[15] = c->access;
	F(16, 2, c->rq & 0xffff);
	c->home[18] = c->ird;
	F(20, 4, c->send_msn);
	F(24, 4, c->read_msn);
	F(46, 2, c->atoms & 0xffff);
	F(62, 2, c->atoms >> 16);
	F(52, 4, c->arsps);
	c->home[39] = c->port | c->priv << 2 | 1 << 4;
	c->home[40] = c->fn;
	c->state = AWAY;
	db(c, c->rq);
	if (tb_chance(60))
		post(c, tb_range(1, 12));
}

static void who(struct tb_pack *b, struct conn *c)
{
	tb_put(b, 24, c->qpn);
	tb_put(b, 12, c->slot);
}

static void load(struct conn *c, unsigned s)
{
	c->hole = false; /* when it was saved mpa had heard of the refusal, and let go what was to be */
	struct tb_pack b;

	/* nobody remembers what they are: with one of them unacknowledged a connection never leaves a card */
	memset(c->is_read, 1, sizeof(c->is_read));
	c->ref_atom = c->refused;
	c->slot = s;
	c->state = LOADING;
	/* a doorbell that crosses the load */
	c->crossed = false;
	c->post_at = c->err_sent && !q_len(&c->cqe) && (made < target ? tb_chance(6) : final(c)) ? tb_cycle() + tb_range(1, 14) : 0;
	finals += made >= target && c->post_at;
	slot_conn[s] = c - conn;
	tb_pack_begin(&b, 553);
	who(&b, c);
	tb_put(&b, 2, 0);
	tb_put(&b, 3, 7);
	for (int i = 63; i >= 0; i--)
		tb_put(&b, 8, c->home[i]);
	tb_item_push(LOAD, b.bits, LINE_BYTES);
	loads++;
}

static void save(struct conn *c)
{
	struct tb_pack b;

	c->state = SAVING;
	tb_pack_begin(&b, 38);
	who(&b, c);
	tb_put(&b, 2, c->qpn & 3);
	tb_item_push(SAVE, b.bits, 5);
	saves++;
	for (struct rqr *r = rqrs; r; r = r->next)
		if (r->of == c) {
			n_left++;
			break;
		}
}

static uint64_t home_get(const struct conn *c, unsigned off, unsigned n)
{
	uint64_t v = 0;

	memcpy(&v, c->home + off, n);
	return v;
}

static void on_line(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 553);
	unsigned q = tb_get(&b, 24), s = tb_get(&b, 12), tag = tb_get(&b, 2), line = tb_get(&b, 3);
	struct conn *c = q && q <= NC ? &conn[q - 1] : NULL;

	tb_check(c && c->state == SAVING && c->slot == s && tag == (q & 3) && line == 7, "line %u of %u in slot %u, tag %u", line, q, s, tag);
	if (!c)
		return;
	for (int i = 63; i >= 0; i--)
		c->home[i] = tb_get(&b, 8);
	c->state = AWAY;
	slot_conn[s] = -1;
	/* whoever has the line may give the queue's memory to another */
	for (struct rqr *r = rqrs; r; r = r->next)
		tb_check(r->of != c, "line 7 of %u is out, and its receive WQEs are read still", q);
#define G(off, n) home_get(c, off, n)
	tb_check(G(0, 8) == BUS + (uint64_t)c->ring_page * 4096 && (c->home[8] & 0x3f) == (c->log2 | c->stride << 4) && G(9, 3) == c->cqn &&
		 G(12, 3) == c->pd && c->home[15] == c->access && c->home[18] == c->ird && c->home[40] == c->fn && (c->home[39] & 7) == (c->port | c->priv << 2),
		 "line 7 of %u: what never changes", q);
	tb_check(c->home[8] >> 6 == (c->err_sent ? WEFT_QP_STATE_ERR : WEFT_QP_STATE_RTS), "line 7 of %u: state %u", q, c->home[8] >> 6);
	tb_check(c->err_sent || (c->home[39] >> 3 & 1) == c->dead, "line 7 of %u: dead %u, should be %u", q, c->home[39] >> 3 & 1, c->dead);
	if (!q_len(&c->cqe))
		tb_check(G(16, 2) == (c->rq & 0xffff), "line 7 of %u: receive index %u, should be %u", q, (unsigned)G(16, 2), c->rq & 0xffff);
	if (c->dead || c->err)
		return;
	tb_check(G(20, 4) == c->send_msn && G(24, 4) == c->read_msn && G(28, 4) == c->mo && G(32, 4) == c->rr_off,
		 "line 7 of %u: MSN %x %x MO %x %x, should be %x %x %x %x", q, (unsigned)G(20, 4), (unsigned)G(24, 4), (unsigned)G(28, 4), (unsigned)G(32, 4),
		 c->send_msn, c->read_msn, c->mo, c->rr_off);
	tb_check(G(52, 4) == c->arsps, "line 7 of %u: %x Atomic Responses of the peer, should be %x", q, (unsigned)G(52, 4), c->arsps);
	tb_check((G(62, 2) << 16 | G(46, 2)) == c->atoms, "line 7 of %u: %x Atomic Responses, should be %x", q, (unsigned)(G(62, 2) << 16 | G(46, 2)), c->atoms);
	tb_check(c->home[19] == c->unsent && G(36, 2) == c->unacked && c->home[41] == c->n_reads, "line 7 of %u: inbound %u %u, outstanding %u, should be %u %u %u", q,
		 c->home[19], (unsigned)G(36, 2), c->home[41], c->unsent, c->unacked, c->n_reads);
	tb_check((c->home[39] >> 4 & 1) == c->first && (c->home[39] >> 5 & 1) == c->refused, "line 7 of %u: flags %x", q, c->home[39]);
}

/* ---- what comes out ---- */
static struct conn *by_who(struct tb_pack *b, const char *what)
{
	unsigned q = tb_get(b, 24), s = tb_get(b, 12);

	tb_check(q && q <= NC && conn[q - 1].slot == s, "%s of %u in slot %u", what, q, s);
	return q && q <= NC ? &conn[q - 1] : &conn[0];
}

/* A slot that somebody is told of is still this connection's. */
static void pinned(struct conn *c, const char *what) { tb_check(pins[c->slot] > 0, "%s of %u without a pin", what, c->qpn); }

/* What mpa is told carries a pin, which mpa drops. */
static void unpin(struct conn *c, const char *what)
{
	pinned(c, what);
	pins[c->slot]--;
}

static void on_drop(int port, const uint8_t *bits, void *arg)
{
	unsigned s = tb_bits_get(bits, 4, 12), n = tb_bits_get(bits, 0, 4);

	tb_check(s < N_SLOT && n == 1 && pins[s] > 0, "a pin of slot %u is dropped (%u), there are %d", s, n, s < N_SLOT ? pins[s] : -1);
	pins[s]--;
}

/* Second port: pins that are taken for what a ticket becomes besides its commit, and what of these was taken over. */
static void on_hand(int port, const uint8_t *bits, void *arg)
{
	unsigned s = tb_bits_get(bits, 4, 12);
	int n = tb_bits_get(bits, 0, 4);

	n = n > 7 ? n - 16 : n;
	tb_check(s < N_SLOT && n && n <= 1 && n >= -3 && pins[s] > 0, "slot %u: %d pins, there are %d", s, n, s < N_SLOT ? pins[s] : -1);
	pins[s] -= n;
}

/* With its pin. What finds no room on the way here is let go, and told never. */
static void on_placed(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct ex *e;

	tb_unpack_begin(&b, bits, 168);
	struct conn *c = by_who(&b, "a Write that was placed");
	uint64_t from = tb_get(&b, 64), to = tb_get(&b, 64);

	do
		e = q_get(&c->pla);
	while (e && e->f[0] != from);
	tb_check(e && e->f[1] == to, "%u: [%llx, %llx) is said to be placed", c->qpn, (long long)from, (long long)to);
	if (e)
		tb_check(c->written >= e->cum, "%u: %llu bytes were written when [%llx, %llx) is said to be placed, should be %llu", c->qpn, (long long)c->written, (long long)from, (long long)to, (long long)e->cum);
	n_placed++;
	pins[c->slot]--;
}

static void on_through(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 168);
	struct conn *c = by_who(&b, "an FPDU that is through");
	uint64_t from = tb_get(&b, 64), to = tb_get(&b, 64);
	struct ex *e = q_get(&c->thr);

	tb_check(e && e->f[0] == from && e->f[1] == to, "%u: through [%llx, %llx), should be [%llx, %llx)", c->qpn, (long long)from, (long long)to, e ? (long long)e->f[0] : 0,
		 e ? (long long)e->f[1] : 0);
}

static void on_commit(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	bool now = false, first = false, fin = false;
	struct ex *e;

	tb_unpack_begin(&b, bits, 168);
	struct conn *c = by_who(&b, "a commit");
	uint64_t from = tb_get(&b, 64), to = tb_get(&b, 64);
	bool ahead = tb_get(&b, 1), is_now = tb_get(&b, 1), is_first = tb_get(&b, 1), is_fin = tb_get(&b, 1);

	n_commit++;
	if (ahead) {
		e = q_get(&c->aco);
		tb_check(e && e->f[0] == from && e->f[1] == to && !is_now && !is_first && !is_fin, "%u: commit ahead [%llx, %llx)", c->qpn, (long long)from, (long long)to);
		return;
	}
	for (bool begin = true;; begin = false) {
		do
			e = q_get(&c->com);
		while (begin && e && e->f[0] != from && e->f[1] <= c->com_to && !e->f[4]);
		if (!e) {
			tb_fail("%u: commit [%llx, %llx): nothing ends there", c->qpn, (long long)from, (long long)to);
			return;
		}
		if (begin)
			tb_check(e->f[0] == from, "%u: commit from %llx, should be %llx", c->qpn, (long long)from, (long long)e->f[0]);
		now |= e->f[2];
		first |= e->f[3];
		fin |= e->f[4];
		if (e->f[1] == to && fin == is_fin)
			break;
	}
	/* What comes out of the ring commits a part of what was stored: it may be in the word of that. */
	c->com_to = to;
	while (now != is_now && q_len(&c->com) && c->com.v[c->com.h].f[1] <= to && !c->com.v[c->com.h].f[4]) {
		e = q_get(&c->com);
		now |= e->f[2];
	}
	tb_check(now == is_now && first == is_first, "%u: commit to %llx: now %d first %d", c->qpn, (long long)to, is_now, is_first);
	tb_check(c->written >= e->cum, "%u: commit to %llx: %llu bytes written, should be %llu", c->qpn, (long long)to, (long long)c->written, (long long)e->cum);
}

static void on_cqe(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 220);
	unsigned prt = tb_get(&b, 2), fn = tb_get(&b, 8), cqn = tb_get(&b, 24), q = tb_get(&b, 24), op = tb_get(&b, 8), st = tb_get(&b, 8), idx = tb_get(&b, 16);
	uint32_t bytes = tb_get(&b, 32), inv = tb_get(&b, 32);
	uint32_t imm = tb_get(&b, 32);
	bool has = tb_get(&b, 1);
	uint32_t vend = tb_get(&b, 32);
	bool sol = tb_get(&b, 1);
	struct conn *c = q && q <= NC ? &conn[q - 1] : &conn[0];
	struct ex *e = q_get(&c->cqe);

	n_cqe++;
	n_flush += st == WEFT_WC_STATUS_WR_FLUSH_ERR;
	if (!e) {
		tb_fail("a completion of %u, index %u status %u", q, idx, st);
		return;
	}
	c->taken++;
	tb_check(prt == c->port && fn == c->fn && cqn == c->cqn && op == (e->f[4] ? WEFT_WC_OPCODE_RECV_INV : e->f[6] ? WEFT_WC_OPCODE_RECV_IMM : WEFT_WC_OPCODE_RECV) &&
		 inv == (e->f[6] ? 0 : e->f[5]) && imm == (e->f[6] ? e->f[5] : 0) && has == e->f[6] && !vend, "completion of %u: fixed fields", q);
	tb_check(st == e->f[0] && idx == e->f[1] && bytes == e->f[2] && sol == e->f[3],
		 "completion of %u: status %u index %u bytes %u solicited %d, should be %u %u %u %d", q, st, idx, bytes, sol, (unsigned)e->f[0], (unsigned)e->f[1],
		 (unsigned)e->f[2], (int)e->f[3]);
	tb_check(c->written >= e->cum, "completion of %u before its bytes", q);
	c->ended |= st != WEFT_WC_STATUS_SUCCESS;
	if (e->f[4]) {
		struct ex *i = q_get(&c->inv);

		tb_check(i && i->f[0] <= op_done, "completion of %u, and what it invalidated is still in use", q);
	}
}

static void on_rxread(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 325);
	struct conn *c = by_who(&b, "an inbound read");
	pinned(c, "an inbound read");
	struct ex *e = q_get(&c->rxr);
	uint64_t f[5];

	f[0] = tb_get(&b, 32);
	f[1] = tb_get(&b, 64);
	f[2] = tb_get(&b, 32);
	f[3] = tb_get(&b, 32);
	f[4] = tb_get(&b, 64);
	bool atomic = tb_get(&b, 1);
	uint64_t res = tb_get(&b, 64);
	tb_check(e && !memcmp(f, e->f, sizeof(f)) && atomic == e->f[5] && (res == e->f[6] || e->any) && c->gone >= e->cum,
		 "inbound read of %u: len %u atomic %d result %llx, should be %d %llx", c->qpn, (unsigned)f[2], atomic, (unsigned long long)res, e ? (int)e->f[5] : 0,
		 e ? (unsigned long long)e->f[6] : 0);
}

static void on_rddone(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 77);
	struct conn *c = by_who(&b, "an answered read");
	pinned(c, "an answered read");
	struct ex *e = q_get(&c->done);
	unsigned st = tb_get(&b, 8), n = tb_get(&b, 32);
	bool calm = tb_get(&b, 1);

	tb_check(e && calm == e->f[2] && c->gone >= e->cum && (calm || (e->f[0] == st && e->f[1] == n)), "read of %u: status %u bytes %u quiet %d", c->qpn, st, n, calm);
	n_quiet += calm;
	c->ended |= !calm && st != WEFT_WC_STATUS_SUCCESS;
}

static void on_refuse(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 102);
	struct conn *c = by_who(&b, "a refusal");
	struct ex *e = q_get(&c->ref);
	uint64_t off = tb_get(&b, 64), cause = tb_get(&b, 2);

	unpin(c, "a refusal");
	tb_check(e && e->f[0] == off && e->f[1] == cause, "%u: refused at %llx cause %llu", c->qpn, (long long)off, (long long)cause);
}

static void on_resume(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 36);
	struct conn *c = by_who(&b, "a resume");

	unpin(c, "a resume");
	tb_check(q_get(&c->res) != NULL, "%u resumes", c->qpn);
}

/* That a Terminate came in is said in front of its event. */
static unsigned terms[N_SLOT];
static bool comes_term(const struct q *ev)
{
	for (unsigned i = ev->h; i < ev->n; i++)
		if (ev->v[i].f[0] == WEFT_FW_EV_RX_TERMINATE)
			return true;
	return false;
}
static void on_term(int port, const uint8_t *bits, void *arg)
{
	terms[tb_bits_get(bits, 0, 12) % N_SLOT]++;
}

static void on_ev(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	uint8_t hdr[46];
	uint64_t f[5];

	tb_unpack_begin(&b, bits, 488);
	unsigned q = tb_get(&b, 24);
	struct conn *c = q && q <= NC ? &conn[q - 1] : &conn[0];
	for (int i = 0; i < 5; i++)
		f[i] = tb_get(&b, i == 0 || i == 4 ? 8 : i == 1 ? 16 : 32);
	for (int i = 45; i >= 0; i--)
		hdr[i] = tb_get(&b, 8);
	struct ex *e = q_get(&c->ev);

	pinned(c, "an event");
	if (!e) {
		tb_fail("an event of %u: kind %u code %x", q, (unsigned)f[0], (unsigned)f[1]);
		return;
	}
	tb_check(!memcmp(f, e->f, sizeof(f)) && !memcmp(hdr, e->hdr, f[4]), "event of %u: kind %u code %x data %x %x bytes %u, should be %u %x %x %x %u", q,
		 (unsigned)f[0], (unsigned)f[1], (unsigned)f[2], (unsigned)f[3], (unsigned)f[4], (unsigned)e->f[0], (unsigned)e->f[1], (unsigned)e->f[2],
		 (unsigned)e->f[3], (unsigned)e->f[4]);
	tb_check(c->done.h >= e->reads, "event of %u in front of Reads that were answered before: %u of %u told", q, (unsigned)c->done.h, e->reads);
	/* It is said when its ticket retires; an event of a ticket before it may wait here still. */
	bool term = f[0] == WEFT_FW_EV_RX_TERMINATE;
	unsigned said = terms[c->slot % N_SLOT];

	tb_check(term ? said == 1 : said == 0 || (said == 1 && comes_term(&c->ev)), "%u: %u Terminates were said, event %u", q, said, (unsigned)f[0]);
	if (term)
		terms[c->slot % N_SLOT] = 0;
	if (f[0] == WEFT_FW_EV_DRAINED)
		tb_check(c->written >= e->cum, "%u: drained before its bytes are written", q);
	else
		c->event_seen = true;
}

static void on_wr(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	uint64_t addr = tb_bits_get(side, 0, 64) - BUS;

	tb_check(tb_bits_get(side, 64, 16) == len && len, "write of %zu bytes, header %u", len, (unsigned)tb_bits_get(side, 64, 16));
	if (addr + len > PAGES * 4096ull || (addr & 4095) + len > 4096) {
		tb_fail("write at %llx, %zu bytes", (long long)addr, len);
		return;
	}
	struct conn *c = &conn[addr / 4096 / 26 % NC];

	tb_check(!c->ended, "write of %zu bytes of %u behind the completion that failed", len, c->qpn);
	memcpy(mem + addr, data, len);
	c->written += len;
	posted[posted_in++ % POSTED] = (struct posted){ c, c->life, len };
}

/* The oldest write has left: a read that is asked for from now on finds it. */
static void on_left(int port, const uint8_t *bits, void *arg)
{
	struct posted p = posted[posted_out++ % POSTED];

	tb_check(posted_out <= posted_in, "a write left that was not accepted");
	if (p.life == p.of->life)
		p.of->gone += p.len;
}

static void on_xlreq(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct xl *x = calloc(1, sizeof(*x));
	static uint64_t last_at;

	tb_unpack_begin(&b, bits, 185);
	struct conn *c = by_who(&b, "a translation");
	uint32_t stag = tb_get(&b, 32);
	uint64_t to = tb_get(&b, 64);
	unsigned len = tb_get(&b, 16), access = tb_get(&b, 8);
	uint32_t pd = tb_get(&b, 24);
	bool priv = tb_get(&b, 1), rec = tb_get(&b, 1), fresh = tb_get(&b, 1);
	unsigned kind = tb_get(&b, 2);

	n_xl++;
	if (c->qpn == (unsigned)tb_opt("dbg", 0))
		tb_note("%llu: xl stag %08x to %llx len %u acc %x", (long long)tb_cycle(), stag, (long long)to, len, access);
	tb_check(len >= 1 && len <= 16384 && pd == c->pd && !rec && !fresh && !kind, "translation of %u: len %u", c->qpn, len);
	tb_check(!priv || (c->priv && access == A_LW), "translation of %u: privileged", c->qpn);
	tb_check(!c->in_op, "translation of %u before its invalidation is over", c->qpn);
	x->qpn = c->qpn;
	x->err = xlate(stag, to, len, access, pd, x, CARD);
	x->epoch = tb_below(4);
	x->at = tb_cycle() + (late ? tb_range(1, 500) : tb_range(1, 20));
	if (x->at < last_at)
		x->at = last_at;
	last_at = x->at;
	*xls_tail = x;
	xls_tail = &x->next;
}

static void xl_answer(void)
{
	while (xls && tb_cycle() >= xls->at) {
		struct xl *x = xls;
		struct tb_pack b;

		for (unsigned i = 0; i < x->n + (x->err != 0); i++) {
			bool e = i == x->n;

			tb_pack_begin(&b, 87);
			tb_put(&b, 64, e ? 0 : x->addr[i] + BUS);
			tb_put(&b, 16, e ? 0 : x->len[i]);
			tb_put(&b, 1, e || (i + 1 == x->n && !x->err));
			tb_put(&b, 4, e ? x->err : 0);
			tb_put(&b, 2, x->epoch);
			tb_item_push(XLRSP, b.bits, 11);
		}
		open_epoch[x->epoch]++; /* one leave for each request, errors too */
		if (!(xls = x->next))
			xls_tail = &xls;
		free(x);
	}
}

static void on_op(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 95);
	struct conn *c = by_who(&b, "an invalidation");
	unsigned op = tb_get(&b, 3);
	uint32_t stag = tb_get(&b, 32), pd = tb_get(&b, 24);
	struct ex *e = q_get(&c->op);

	tb_check(e && e->f[0] == stag && op == 1 && pd == c->pd, "%u invalidates %08x, operation %u", c->qpn, stag, op);
	for (struct xl *x = xls; x; x = x->next)
		tb_check(x->qpn != c->qpn, "%u invalidates before the accesses in front of it are translated", c->qpn);
	if (tb_opt("dbg", 0))
		tb_note("%llu: %u invalidates %08x", (long long)tb_cycle(), c->qpn, stag);
	c->in_op = true;
	op_conn = c;
	op_conn->inv_stag = stag;
	op_at = tb_cycle() + (late ? tb_range(1, 500) : tb_range(1, 20));
}

/* It comes true; later it is done. */
static void op_answer(void)
{
	struct conn *c = op_conn;

	if (c && tb_cycle() >= op_at) {
		struct tb_pack b;
		unsigned err = invalidate(c->inv_stag, c->pd, CARD);

		if (!err) {
			struct late *l = calloc(1, sizeof(*l));
			static uint64_t last_at;

			l->seq = ++n_op_good;
			l->at = tb_cycle() + (late ? tb_range(1, 500) : tb_range(1, 30));
			if (l->at < last_at)
				l->at = last_at;
			last_at = l->at;
			*lates_tail = l;
			lates_tail = &l->next;
			q_put(&c->inv, (struct ex){ .f = { l->seq } });
		}
		tb_pack_begin(&b, 20);
		tb_put(&b, 16, n_op_good & 0xffff);
		tb_put(&b, 4, err);
		tb_item_push(OPRSP, b.bits, 3);
		if (tb_opt("dbg", 0))
			tb_note("%llu: answer %u, closing %u", (long long)tb_cycle(), err, n_op_good);
		c->in_op = false;
		op_conn = NULL;
	}
	while (lates && tb_cycle() >= lates->at) {
		struct late *l = lates;
		uint16_t v = l->seq;

		op_done = l->seq;
		tb_item_push(OPDONE, &v, 2);
		if (!(lates = l->next))
			lates_tail = &lates;
		free(l);
	}
}

static void on_xldone(int port, const uint8_t *bits, void *arg)
{
	for (int i = 0; i < 2; i++)
		if (bits[0] >> (4 + i) & 1) {
			unsigned e = bits[0] >> (2 * i) & 3;

			tb_check(open_epoch[e] > 0, "epoch %u: more accesses left than came", e);
			open_epoch[e]--;
		}
}

static void on_rqrd(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct rqr *r = calloc(1, sizeof(*r));
	static uint64_t last_at;

	tb_unpack_begin(&b, bits, 81);
	bool after = tb_get(&b, 1);
	r->len = tb_get(&b, 16);
	r->addr = tb_get(&b, 64) - BUS;
	r->at = tb_cycle() + tb_range(1, 300);
	if (r->at < last_at)
		r->at = last_at;
	last_at = r->at;
	if (r->addr + r->len > PAGES * 4096ull || r->len > 1024 || !r->len || after) {
		tb_fail("read of WQEs: %u bytes at %llx", r->len, (long long)r->addr);
		r->addr = 0;
		r->len = 64;
	}
	struct conn *c = &conn[r->addr / 4096 / 26 % NC];
	if (c->qpn == (unsigned)tb_opt("dbg", 0))
		tb_note("%llu: wqe read at %llx len %u, first index %u, log2 %u stride %u", (long long)tb_cycle(), (long long)(r->addr - c->ring_page * 4096ull), r->len,
			mem[r->addr + 4] | mem[r->addr + 5] << 8, c->log2, c->stride);
	uint64_t base = (uint64_t)c->ring_page * 4096;
	tb_check(r->addr >= base && r->addr + r->len <= base + (64ull << c->stride << c->log2), "read of WQEs of %u beyond its ring", c->qpn);
	tb_check(c->state != AWAY, "receive WQEs of %u are read, which is away", c->qpn);
	r->err = c->bus_rq;
	r->of = c;
	*rqrs_tail = r;
	rqrs_tail = &r->next;
}

/* An atomic's read: finds memory as it is when it is answered. One at a time, behind all that was written. */
static struct { uint64_t at, addr; bool busy; } at_rd;
static void on_atrd(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 81);
	bool after = tb_get(&b, 1);
	unsigned len = tb_get(&b, 16);

	at_rd.addr = tb_get(&b, 64) - BUS;
	tb_check(after && len == 8 && !(at_rd.addr & 7) && at_rd.addr + 8 <= PAGES * 4096ull && !at_rd.busy, "read of an atomic: %u bytes at %llx", len,
		 (unsigned long long)at_rd.addr);
	at_rd.busy = true;
	at_rd.at = tb_cycle() + tb_range(1, late ? 200 : 30);
}

static void at_answer(void)
{
	if (at_rd.busy && tb_cycle() >= at_rd.at) {
		/* all accesses before it have left; those behind it may be translated */
		tb_check(open_epoch[0] + open_epoch[1] + open_epoch[2] + open_epoch[3] > 0, "an atomic left its epoch before it was executed");
		tb_packet_push(ATDATA, mem + at_rd.addr, 8, NULL, 0, unreadable(at_rd.addr));
		at_rd.busy = false;
	}
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	for (int i = 0; i < 13; i++)
		stat[i] += bits[i / 8] >> i % 8 & 1;
	is_ready = bits[1] >> 5 & 1;
	is_idle = bits[1] >> 6 & 1;
	store_empty = bits[1] >> 7 & 1;
}

/* ---- life ---- */
static void command(struct conn *c, unsigned op, unsigned arg)
{
	struct tb_pack b;

	tb_pack_begin(&b, 56);
	who(&b, c);
	tb_put(&b, 4, op);
	tb_put(&b, 16, arg);
	tb_item_push(CMD, b.bits, 7);
	pins[c->slot]++;
	c->busy = 1;
}

static void go_err(struct conn *c)
{
	command(c, 2, WEFT_QP_STATE_ERR);
	/* behind all that was under way, and what that wrote has left */
	q_put(&c->done, (struct ex){ .f = { WEFT_WC_STATUS_SUCCESS, 0, 1 }, .cum = c->cum });
	c->err = c->err_sent = true;
	total_reads -= c->n_reads;
	c->n_reads = 0;
	for (; c->rq != c->posted; c->rq++) {
		q_put(&c->cqe, (struct ex){ .f = { c->status ? c->status : WEFT_WC_STATUS_WR_FLUSH_ERR, c->rq & 0xffff } });
		c->status = 0;
	}
}

static void compare(const char *when)
{
	for (uint64_t i = 0; i < PAGES * 4096ull; i++)
		if (!dc[i] && mem[i] != want[i]) {
			tb_fail("%s: memory of %u at page %llu + %llx: %02x, should be %02x", when, conn[i / 4096 / 26 % NC].qpn, (long long)(i / 4096),
				(long long)(i & 4095), mem[i], want[i]);
			return;
		}
}

static void tend(struct conn *c)
{
	struct tb_pack b;

	if (c->post_at && tb_cycle() >= c->post_at) {
		c->post_at = 0;
		if (c->err_sent && (c->state == LOADING || c->state == HOME)) {
			post(c, 1);
			c->crossed = true;
		}
	}
	switch (c->state) {
	case AWAY:
		if (c->want_new && quiet(c)) {
			home_make(c);
		} else if (tb_chance(5) && !tb_pending(RQDB) && is_ready && (made < target || !quiet(c) || final(c))) {
			for (unsigned s = 0; s < N_SLOT; s++)
				if (slot_conn[s] < 0) {
					load(c, s);
					break;
				}
		}
		return;
	case LOADING:
		if (!tb_pending(LOAD))
			c->state = HOME;
		return;
	case SAVING:
		return;
	default:
		break;
	}
	while (!pins[c->slot] && q_len(&c->com) && c->com.v[c->com.h].f[1] <= c->com_to && !c->com.v[c->com.h].f[4])
		q_get(&c->com);
	if (c->busy && !tb_pending(CMD) && !tb_pending(TXREAD) && !tb_pending(IRQFREE) && !tb_pending(STORED))
		c->busy = 0;
	if (!pins[c->slot] && !c->open_pin)
		tb_check(!q_len(&c->rxr) && !q_len(&c->done) && !q_len(&c->ev) && !q_len(&c->ref) && !q_len(&c->res) && !q_len(&c->com) && !q_len(&c->aco),
			 "%u has no pins, and something of it is under way", c->qpn);
	if (c->open_pin && !c->busy && (c->dead || c->err || in_store < 40)) {
		static uint8_t u[64]; /* a Write of no bytes ends the piece */
		tb_rand_bytes(u, 46);
		hdr_tag(u, OP_WRITE, true, tb_rand(), tb_rand());
		if (c->dead || c->err || (c->msg != OP_WRITE && c->msg != OP_RRESP)) {
			if (!tb_pending(RQDB))
				send_fpdu(c, u, 14, 0, false);
			return;
		}
	}
	/* a doorbell starts a read, which has no pin, and the connection is saved meanwhile */
	if (c->save_at && quiet(c)) {
		if (tb_cycle() >= c->save_at) {
			c->save_at = 0;
			save(c);
		}
		return;
	}
	bool ended = c->dead || c->err || c->fin || made >= target;

	race(c);
	early(c);
	if (held(c) && !c->open_pin)
		return;
	if (hold && tb_cycle() > hold_at + 5000 && !c->open_pin)
		ended = true;
	if (!ended || c->open_pin) {
		if ((in_store < 40 && !tb_pending(RQDB) && !c->busy && tb_chance(c->open_pin ? 100 : 25)) && !c->refused)
			for (unsigned n = tb_chance(70) ? 1 : tb_range(1, 8); n && !c->dead && !c->refused && !c->fin && (!held(c) || c->open_pin); n--)
				gen(c);
		else if (c->refused && !c->busy && !c->open_pin && !q_len(&c->ref) && tb_chance(c->hole ? 30 : 1)) {
			store_refused(c);
		} else if (c->refused && in_store < 40 && tb_chance(3) && !q_len(&c->ref)) {
			/* behind the one that was refused: let go */
			static uint8_t u[64];
			uint64_t off = c->off;
			tb_rand_bytes(u, 46);
			hdr_tag(u, OP_WRITE, true, 1, 1);
			c->off += 100;
			if (tb_chance(20))
				send_fpdu(c, u, 0, MPA_FIN, false);
			else
				send_fpdu(c, u, 14, 0, false);
			c->off = off;
		}
	}
	/* what comes behind a fault is let go */
	if (c->dead && !c->err && !c->fin && !c->open_pin && in_store < 40 && !tb_pending(RQDB) && made < target && tb_chance(4))
		gen(c);
	if (c->busy)
		return;
	if (ended && !c->dead && !c->err && c->refused && !quiet(c))
		return;
	if (quiet(c) && tb_chance(30)) /* registered again */
		for (int k = 0; k < 4; k++)
			c->mr[k].gone[STREAM] = c->mr[k].gone[CARD] = false;
	if (quiet(c)) {
		if (!c->dead && !c->err && c->unacked && (made < target || c->refused) && (tb_chance(c->refused || c->reader ? 30 : 4))) {
			unsigned acked = c->reader && !c->refused ? 0 : tb_below((c->unacked > 15 ? 15 : c->unacked) + 1), sent = c->reader ? c->unsent : tb_below((c->unsent > 15 ? 15 : c->unsent) + 1);
			bool above = shut(c);

			irq_free(c, sent, acked);
			c->unsent -= sent;
			acknowledged(c, acked);
			if (c->refused && above && !shut(c))
				q_put(&c->res, (struct ex){ 0 });
			return;
		}
		if (!c->dead && !c->err && !shut(c) && c->refused) {
			/* the refused one comes again, from the ring */
			static uint8_t u[80];
			bool atom = c->ref_atom && tb_chance(90); /* else the peer says something else */
			struct mr *m = &c->mr[0];

			tb_rand_bytes(u, sizeof(u));
			hdr_unt(u, atom ? OP_AREQ : OP_RREQ, true, 1, c->read_msn, 0);
			if (atom) {
				u[21] = (u[21] & 0xf0) | FETCH_ADD;
				p32(u + 26, m->stag);
				p64(u + 30, m->base);
			} else {
				p32(u + 30, 0);
			}
			c->off = c->refused_off;
			if (in_store < 40) {
				n_again += atom;
				send_fpdu(c, u, atom ? 70 : 46, 0, false);
			}
			return;
		}
		if (made < target && !c->dead && !c->err && tb_chance(1) && tb_chance(5)) {
			go_err(c);
			return;
		}
		if (c->fin && !c->dead && !c->err && tb_chance(3)) {
			go_err(c);
			return;
		}
		if (c->err && tb_chance(5) && made < target) {
			if (tb_chance(50))
				post(c, tb_range(1, 4));
			else
				c->want_new = true;
		}
		if (tb_chance(c->want_new || owed || final(c) ? 50 : 1) && (made < target || owed || final(c))) {
			if (!c->dead && !c->err && made < target && tb_chance(50)) {
				post(c, tb_range(1, 4));
				c->save_at = tb_cycle() + tb_range(1, 60);
				return;
			}
			save(c);
			return;
		}
	}
	if (c->dead && c->event_seen && !c->err && !c->open_pin && tb_chance(3)) {
		go_err(c);
		return;
	}
	if (c->err && !pins[c->slot] && !c->crossed && tb_chance(2) && !c->open_pin && made < target) { /* also while it flushes */
		save(c);
		return;
	}
	if (!c->dead && !c->err && !c->refused && made < target) {
		if (c->n_reads < 6 && total_reads < 50 && tb_chance(4) && !c->busy) {
			struct mr *m = &c->mr[tb_chance(95) ? 1 : tb_below(4)];
			struct rd *r = &c->reads[c->n_reads++];

			total_reads++;
			r->atomic = tb_chance(40);
			r->id = tb_rand();
			r->len = r->atomic ? 8 : tb_chance(20) ? 0 : tb_chance(60) ? tb_range(1, 200) : tb_range(1, 5000);
			r->stag = m->stag;
			r->to = m->base + tb_below(m->len - r->len + 1) + (tb_chance(6) ? 20000 : 0);
			tb_pack_begin(&b, 182);
			who(&b, c);
			tb_put(&b, 32, r->stag);
			tb_put(&b, 64, r->to);
			tb_put(&b, 32, r->atomic ? r->id : r->len);
			tb_put(&b, 16, tb_rand());
			tb_put(&b, 2, r->atomic);
			tb_item_push(TXREAD, b.bits, 23);
			c->busy = 1;
			return;
		}
	}
	/* a range in the ring, behind the FPDUs that were given: all of them have been taken */
	if (!c->fin && !c->dead && !c->err && !c->refused && tb_chance(2) && !stored_q && !tb_pending(FPDU) && made < target) {
		unsigned n = tb_range(1, 3000);
		bool ahead = tb_chance(30), now = tb_below(2), placed = !ahead && now;
		uint64_t from = c->off + (ahead ? 5000 : 0);

		tb_pack_begin(&b, 169);
		tb_put(&b, 1, placed); /* what was placed before is through when it is committed */
		if (placed)
			q_put(&c->thr, (struct ex){ .f = { from, from + n, 0, 0 } });
		who(&b, c);
		tb_put(&b, 64, from);
		tb_put(&b, 64, from + n);
		tb_put(&b, 1, ahead);
		tb_put(&b, 1, ahead ? 0 : now);
		tb_put(&b, 2, 0);
		tb_item_push(STORED, b.bits, 22);
		pins[c->slot]++;
		q_put(ahead ? &c->aco : &c->com, (struct ex){ .f = { from, from + n, ahead ? 0 : now, 0 }, .cum = c->cum });
		if (!ahead)
			c->off += n;
		c->busy = 1;
		return;
	}
	if (tb_chance(1) && tb_chance(15) && made < target) { /* nothing that this room knows */
		command(c, tb_range(4, 7), tb_rand() & 0xffff);
		return;
	}
	if (tb_chance(1) && tb_chance(15) && made < target && (!(c->dead || c->err) || quiet(c))) {
		bool all = !stored_q && !tb_pending(FPDU) && !c->dead && !c->err;
		struct ex e = { .f = { WEFT_FW_EV_DRAINED, WEFT_ROOM_RX, ++c->tokens + 100, 0, 0 }, .cum = all ? c->cum : 0 };

		command(c, 3, c->tokens + 100);
		e.reads = all ? q_reads(&c->done) : 0, q_put(&c->ev, e);
		n_drain++;
	}
}

void tb_setup(void)
{
	target = tb_opt("fpdus", 5000);
	mem = calloc(PAGES, 4096);
	want = calloc(PAGES, 4096);
	dc = calloc(PAGES, 4096);
	for (uint64_t i = 0; i < PAGES * 4096ull; i += 8) {
		uint64_t v = tb_rand();
		memcpy(mem + i, &v, 8);
		memcpy(want + i, &v, 8);
	}
	for (int s = 0; s < N_SLOT; s++)
		slot_conn[s] = -1;
	for (int i = 0; i < NC; i++) {
		struct conn *c = &conn[i];
		int page = 26 * i;

		c->qpn = i + 1;
		c->pd = tb_rand() & 0xffffff;
		c->ring_page = page + 24;
		for (int k = 0; k < 4; k++) {
			struct mr *m = &c->mr[k];

			m->stag = tb_rand();
			m->pd = k == 2 ? c->pd ^ 1 : c->pd;
			m->access = k == 1 ? A_LW : k == 3 ? A_LW | A_RW | A_RR : A_LW | A_RW | A_RR | A_AT;
			m->len = tb_range(6 * 4096 - 200, 6 * 4096);
			m->base = tb_chance(30) ? -m->len : tb_rand() >> 1;
			m->bad_page = k == 3 ? 1 : -1;
			m->no_inv = k != 3 ? XL_OK : i & 1 ? XL_ACCESS : XL_INV;
			for (int p = 0; p < 6; p++)
				m->page[p] = page + k * 6 + (p * 5 + i) % 6;
		}
	}
	for (int i = 0; i < NC; i++)
		home_make(&conn[i]);
	static const struct { int id; tb_item_fn fn; } f[] = { { PUT, on_put }, { LINE, on_line }, { EV, on_ev }, { DROP, on_drop }, { HAND, on_hand }, { XLREQ, on_xlreq }, { OP, on_op },
		{ XLDONE, on_xldone }, { RQRD, on_rqrd }, { ATRD, on_atrd }, { COMMIT, on_commit }, { PLACED, on_placed }, { CQE, on_cqe }, { RXREAD, on_rxread }, { RDDONE, on_rddone },
		{ REFUSE, on_refuse }, { RESUME, on_resume }, { STATE, on_state }, { TERM, on_term }, { LEFT, on_left }, { THROUGH, on_through } };
	for (unsigned i = 0; i < sizeof(f) / sizeof(*f); i++)
		tb_on_item(f[i].id, f[i].fn, NULL);
	tb_on_packet(WR, on_wr, NULL);
}

/* What was not met yet, or NULL. Traffic goes on until something of everything was, up to six times as long as it was to. */
static const char *lacks(void)
{
	unsigned kinds = 0;

	for (unsigned i = 0; i < 65536; i++)
		kinds += faults[i] > 0;
#define WANTS(x) do { if (!(x)) return #x; } while (0)
	WANTS(kinds >= 16);
	WANTS(n_fin && n_fin_refused && n_fin_mid && n_ring);
	WANTS(n_refuse);
	WANTS(n_placed > 20 && n_front_bad > 5);
	WANTS(n_over[0]);
	WANTS(n_over[1]);
	WANTS(n_term);
	WANTS(n_drain);
	WANTS(stat[1] && stat[7] && stat[9]); /* parked, reclaimed, not translated */
	WANTS(n_left > 10);
	WANTS(n_flush);
	WANTS(n_quiet);
	WANTS(n_inv[0] > 20);
	WANTS(n_inv[XL_STAG] + n_inv[XL_PD] + n_inv[XL_ACCESS] + n_inv[XL_INV] > 0);
	WANTS(n_imm[0] > 20 && n_imm[1] && n_imm[2] > 10);
	WANTS(n_atom[0] > 50 && n_atom[1] > 50);
	WANTS(n_atom_same > 5);
	WANTS(n_atom_bus);
	WANTS(n_atom_fault[XL_STAG]);
	WANTS(n_atom_fault[8]);
	WANTS(n_atom_fault[9]);
	WANTS(n_behind > 3 && n_race > 3 && n_again > 3 && n_early > 2);
	WANTS(n_arsp[0] > 50);
	WANTS(n_arsp[1] > 2);
	WANTS(n_arsp[2]);
#undef WANTS
	return NULL;
}

bool tb_step(void)
{
	bool busy = false;
	int handles = 0;

	if (made + 50 >= target && target < 6 * (unsigned)tb_opt("fpdus", 5000) && lacks())
		target += 500;

	if (tb_cycle() % 1000 == 0) {
		late = tb_chance(30);
		for (int i = 0; i < N_PORTS; i++) {
			bool free_run = i == RQDB || i == PUT;

			tb_src_rate(i, free_run || tb_chance(50) ? 100 : tb_range(10, 90));
			tb_snk_rate(i, free_run || tb_chance(50) ? 100 : tb_range(10, 90));
		}
		if (tb_chance(5)) /* nobody takes completions, or writes, for a while */
			tb_snk_rate(tb_chance(50) ? CQE : WR, 1);
	}
	if (!hold && tb_cycle() % 1000 == 0 && tb_chance(4) && made < target) {
		hold = true;
		hold_at = tb_cycle();
		n_hold++;
	} else if (hold && tb_cycle() > hold_at + 6000) {
		unsigned n = 0;
		bool all = true;

		for (int i = 0; i < NC; i++) {
			n += held(&conn[i]);
			all &= held(&conn[i]) || conn[i].state != HOME || quiet(&conn[i]);
		}
		if (n > most_held)
			most_held = n;
		hold = !all && tb_cycle() < hold_at + 30000;
		tb_check(all || hold, "%u connections stopped inside a Send, and others do not get their receive WQEs", n);
	}
	/* bound what waits in front: the store takes it all */
	for (int s = 0; s < N_SLOT; s++)
		handles += pins[s];
	in_store = handles + tb_pending(FPDU) / 4;
	xl_answer();
	op_answer();
	at_answer();
	while (rqrs && tb_cycle() >= rqrs->at) {
		struct rqr *r = rqrs;

		tb_packet_push(RQDATA, mem + r->addr, r->len, NULL, 0, r->err);
		if (!(rqrs = r->next))
			rqrs_tail = &rqrs;
		free(r);
	}
	owed = false;
	for (int i = 0; i < NC; i++)
		owed |= conn[i].state == AWAY && !quiet(&conn[i]);
	for (int i = 0; i < NC; i++) {
		struct conn *c = &conn[(i + tb_cycle()) % NC];

		tend(c);
		busy |= !quiet(c) || c->state == SAVING || c->state == LOADING;
	}
	if (busy || !is_idle || made < target || stored_q)
		idle_since = tb_cycle();
	if (tb_cycle() > (uint64_t)tb_opt("limit", 900000)) {
		for (int i = 0; i < NC; i++) {
			struct conn *c = &conn[i];
			if (!quiet(c))
				tb_note("%u: state %u slot %u dead %d err %d refused %d cqe %u rxr %u done %u ev %u ref %u res %u com %u aco %u busy %u open %d pins %d",
					c->qpn, c->state, c->slot, c->dead, c->err, c->refused, q_len(&c->cqe), q_len(&c->rxr), q_len(&c->done), q_len(&c->ev),
					q_len(&c->ref), q_len(&c->res), q_len(&c->com), q_len(&c->aco), c->busy, c->open_pin, pins[c->slot]);
		}
		tb_fail("no end: %u FPDUs, idle %d", made, is_idle);
		return true;
	}
	return tb_cycle() - idle_since > 1000;
}

void tb_finish(void)
{
	unsigned kinds = 0;
	char list[1024] = "";

	compare("at the end");
	tb_check(store_empty, "packets are left in the store");
	for (int e = 0; e < 4; e++)
		tb_check(!open_epoch[e], "epoch %d: %ld accesses never left", e, open_epoch[e]);
	for (int i = 0; i < NC; i++)
		tb_check(quiet(&conn[i]), "connection %u is owed something", i + 1);
	for (unsigned i = 0; i < 65536; i++)
		if (faults[i]) {
			char s[32];
			snprintf(s, sizeof(s), " %04x:%u", i, faults[i]);
			if (strlen(list) < 1000)
				strcat(list, s);
			kinds++;
		}
	tb_note("%u FPDUs, %u lives, %u loads, %u saves, %u commits (%u merged), %u completions (%u flushed), %u parked, %u reads of WQEs, %u reclaims; %u saves while WQEs are read", made, lives,
		loads, saves, n_commit, stat[11], n_cqe, n_flush, stat[1], stat[6], stat[7], n_left);
	tb_note("%u translations (%u failed), %u refused, %u Terminates, %u drains, %u ahead let go, %u in runs; behind a refusal %u stored, %u let go", n_xl, stat[9], n_refuse, n_term, n_drain, stat[2],
		stat[12], n_over[0], n_over[1]);
	tb_note("ahead of turn: %u Writes, %u told as placed, %u let go", n_front, n_placed, n_front_bad);
	tb_check(n_placed * 10 >= n_front * 9, "of %u Writes ahead of turn %u were told as placed", n_front, n_placed);
	tb_note("%u streams ended in good order, %u behind what was refused, %u inside an FPDU, %u with their ring lost", n_fin, n_fin_refused, n_fin_mid, n_ring);
	tb_note("%u times connections stopped inside a Send, %u at most", n_hold, most_held);
	tb_note("%u invalidations, refused: %u STag, %u PD, %u right, %u not to be invalidated", n_inv[0], n_inv[XL_STAG], n_inv[XL_PD], n_inv[XL_ACCESS], n_inv[XL_INV]);
	tb_note("%u times Immediate Data, %u of them into receives with memory, %u of a wrong length", n_imm[0], n_imm[2], n_imm[1]);
	tb_note("%u FetchAdds, %u CmpSwaps (%u that write nothing), %u on bytes that are not known; refused: %u STag, %u PD, %u right, %u wrap, %u bounds, %u not readable, %u not aligned, %u unknown",
		n_atom[0], n_atom[1], n_atom_same, n_atom_any, n_atom_fault[XL_STAG], n_atom_fault[XL_PD], n_atom_fault[XL_ACCESS], n_atom_fault[XL_WRAP],
		n_atom_fault[XL_BOUNDS], n_atom_fault[XL_BUS], n_atom_fault[8], n_atom_fault[9]);
	tb_note("atomics behind a Read: %u refused, %u acknowledged in time, %u refused ones done; %u acknowledgements of atomics alone", n_behind, n_race, n_again, n_early);
	tb_note("%u Atomic Responses placed, %u that break a rule, %u without a place", n_arsp[0], n_arsp[1], n_arsp[2]);
	tb_note("faults by code:%s", list);
	tb_check(!lacks(), "too little was met: not %s, %u codes", lacks(), kinds);
}
