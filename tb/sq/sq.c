// SPDX-License-Identifier: BSD-2-Clause
/*
 * The send queue among its neighbours. The model plays ctx (homes, slots, pins), the host (rings of WQEs, late answers), tcp
 * (limits, acknowledgements, asks, errors), rdmap (inbound reads, answered Reads) and cq.
 *
 * The stream of a connection is put together again from what is described: every FPDU once, in order, at the next
 * offset, with the size that RFC 5044 gives it, never beyond the limit; message kinds, headers and pieces as RFC 5040
 * and 5041 and the WQE say. What is asked for again must cover the range and be what was described before. Completions
 * come in the order of posting, with every field.
 *
 * weft_tpt is played too: a LOCAL_INV asks for its STag to be closed when what was described before it is framed and earlier Reads are
 * answered, nothing that was posted behind it is described before that is answered, and its end is asked for when earlier work is
 * acknowledged; it completes when that is drained. Some are refused: those end their connection.
 *
 * By hand, for minutes: "+giant=2147483647 +mss=140 +conns=1 +posts=1 +nokill=1 +noresp=1 +cycles=1000000000 +max=1000000000" is one message with as many FPDUs as one can have,
 * of which the last ones are asked for.
 *
 * +both=1: both sides read from each other. The peer answers a Read when Reads of its own are answered, which come when this side has sent all that it can:
 * small messages that fill the log behind the Read. Even seeds have two connections, so each has its share of what the log has for all; odd ones 60,
 * so that it is used up.
 *
 * +flip=1: owners change WQEs that are under way. A message goes on as what it began with or its connection ends, with the WQE named.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { DB, NEED, HAVE, ARRIVE, LOAD, SAVE, LINE, CMD, EV, VALW, TXACK, ASK, TXERR, RXREAD, RDONE, FPDU, SRC, INL, VAL, TXREAD, CQE, RDREQ, RD, DROPS, STATE, IRQ, ASKEND, OPQ, OPA, OPDONE, TERM, STILL, FRAMES };
enum { OP_WRITE, OP_READREQ, OP_READRESP, OP_SEND, OP_SENDINV, OP_SENDSE, OP_SENDSEINV, OP_TERM, OP_IMM, OP_IMMSE, OP_ATOMREQ, OP_ATOMRESP };
enum { K_SQ, K_RESP, K_VAL };
#define SLOTS 64
#define HIST 12   /* values of MSS and departure time that FPDUs under way may have */
#define MAXC 64
#define NW 1024   /* WQEs remembered */
#define NM 4096   /* messages remembered */
#define RING_BASE 0x500000000000ull

struct sge { uint64_t addr; uint32_t len, lkey; };
struct wqe {
	unsigned op, nsge, idx;
	bool sig, se, inl, rf, lf, bad, refuse, described;
	uint32_t len, rstag;
	uint64_t raddr;
	struct sge s[14];
	uint8_t d[224];
	uint32_t imm;
	uint64_t data, compare; /* of an atomic */
	uint64_t end; /* offset behind it, when all of it is described */
	bool done_desc;
	struct { uint64_t pbl, bytes; uint32_t count, fbo; uint8_t access, log2; } reg; /* FAST_REG; BIND_MW: pbl the first byte, count the region's STag */
	enum { I_NOT, I_ASKED, I_CLOSED, I_ENDED, I_DRAINED } inv; /* LOCAL_INV: how far it has come */
};
static bool is_atomic(const struct wqe *w) { return w->op == WEFT_SQ_OPCODE_FETCH_ADD || w->op == WEFT_SQ_OPCODE_CMP_SWAP; }
/* What the peer answers, and counts as its Reads; the payload of its request. */
static bool is_read(const struct wqe *w) { return w->op == WEFT_SQ_OPCODE_READ || is_atomic(w); }
static unsigned request_len(const struct wqe *w) { return is_atomic(w) ? 52 : 28; }
static unsigned atomics, atomics_again, atomics_more; /* ... while others are not answered */
/* Of an Atomic Request: sink is its identifier, src the MSN of the answer, len that of its payload (RFC 7306 5.2.2). */
struct rdreq { uint32_t sink, len, src; uint64_t sink_to, src_to; bool atomic; uint64_t result; };
struct msg {
	unsigned kind, idx, pay, len;
	uint32_t msn;
	uint64_t start, end;
	bool whole;
};
#define FRAMED 40 /* cycles from a description until it is framed, at least, as in tb_sq.sv */
struct conn {
	unsigned qpn;
	bool on;
	int slot;            /* -1: away */
	enum { AWAY, COMING, HOME, GOING } st;
	unsigned miss;
	bool wanted;         /* somebody was told `coming` */
	int pins;
	uint64_t quiet;      /* cycle of the last thing that needs no eviction now */
	uint8_t home[64];
	/* static */
	unsigned log2, stride, ord, cqn, pd, port, fn, first;
	bool crc, markers, priv;
	/* software */
	unsigned posted, rung, polled, unsig;
	struct wqe w[NW];
	uint8_t *ring;
	/* the stream */
	uint64_t off, una, limit;
	unsigned mss_hist[HIST];
	uint64_t edt_hist[HIST];
	struct msg m[NM];
	unsigned n_msg, una_msg;
	bool mid;
	uint64_t sq_end, sq_at; /* behind the last FPDU of the send queue, when it was described */
	unsigned next_w, next_r;
	uint32_t send_msn, read_msn;
	unsigned read_last; /* Read Requests and atomics up to the newest that was a Read */
	unsigned reads_sent, reads_done, reads_polled; /* Read Requests described, answered, complete */
	uint64_t rdone_at;   /* the next response is placed then */
	unsigned r_asked;    /* +both: inbound reads that the peer wants answered before it answers the next Read */
	uint64_t r_moved, fpdu_at; /* when the next inbound read came to be the oldest; the last FPDU */
	unsigned n_pushed;
	bool pusher;         /* posts one on an empty queue, and brings it with the doorbell when it can */
	bool tight, quick;   /* its limit moves by a few bytes; it is acknowledged at once */
	uint64_t tight_off, tight_at;
	struct rdreq r[NW];
	unsigned r_in, r_acked;
	unsigned state;
	uint64_t departed, ack_at, last_dep;
	unsigned gen;        /* raised with the event of an FPDU that could not be made */
	bool gen_up, val_sent;
	struct fpd { uint64_t off, end; unsigned mo, len, msg; bool last; } h[NM];
	unsigned n_h, h_next, h_end, ask_id; /* described so far; [h_next, h_end) is asked for again */
	uint64_t ask_from, ask_to;
	bool dr;             /* a drain of it is to be answered */
	bool asking;         /* until it is said to be over */
	uint64_t ask_over;
	unsigned irq_sent, irq_acked, rx_wait; /* told to rdmap; inbound reads on their way to the unit, with a pin each */
	uint64_t irq_at, irq_even; /* when it was told last, and when all that is acknowledged was told last */
	enum { K_NOT, K_BAD, K_TXERR, K_FW, K_DEAD, K_INV, K_BUS, K_FLIP, K_PEER } kill;
	bool part;           /* K_TXERR: what could not be made was asked for again, and some of that FPDU is acknowledged */
	unsigned kill_at, fw, fw_n; /* fw: 1 value, 2 state, 3 drain, 4 done; 7: drain of the value; 8: end of HOLD */
	unsigned halt;       /* 1: HALT and a drain of it are given, 2: DRAINED was said */
	uint64_t halt_at, shut_until; /* until then the limit stays where it is */
	bool dying, hold, val_out, err_set, err_any, err_told, flushed, in_err;
	bool calm;           /* rdmap said that nothing is written for Reads any more, */
	uint64_t calm_at;    /* which it does then */
	unsigned unframed[2]; /* descriptions of what is new, of what was asked for again, that are not framed; */
	uint64_t framed_at[2]; /* when they were last */
	unsigned err_idx, err_status, val_slot, val_len;
	unsigned err_kind, any_status; /* of the WQE that the peer refused: 1 Write, 2 Send, 3 Read, 0 any; what it completes with */
	unsigned cross;      /* the peer refuses something while an operation on an STag is under way that will be refused: 1 it did, 2 all knew it before */
	uint64_t err_off, fw_at, term_una, term_at;
	bool term;           /* the peer's Terminate came in when TERM_UNA was acknowledged */
	unsigned n_bad;
	uint64_t bus_at;
	bool flipped;        /* its owner changed a WQE that was under way */
	unsigned flip_idx;
	uint64_t flip_at;
	uint64_t run_off;
	unsigned seg;
};
static struct conn c[MAXC];
static int slot_of[SLOTS];
static unsigned crossed, crossed_told, regs, inv_asked, inv_ended, inv_refused, inv_late, inv_raced;
static unsigned atoms, atoms_again, imms, imms_again, kills, parts, flushes, blames, blames_not, drains, values_n, events, gens, gens_home, slow_reads, tights, aims, ends, live_drains, halts, halts_mid, value_drains, late_values, value_mid, flips, flips_seen, flips_again, flips_part, flips_back;
static unsigned calms, read_flushes; /* Reads that were flushed when they had been sent */
static unsigned late_new, late_again; /* WQEs that ended just when nothing was read for them any more */
static unsigned beside; /* cycles in which one is loaded and one saved */
static unsigned nc, target, fpdus, cqes, evicts, loads, retries, blocks, joins_n, posts, resps, asks, agains;
static unsigned lat_lo, lat_hi;
static unsigned giant; /* bytes of each message, all of them Writes */
static bool both;
static unsigned both_late;
static unsigned pushes, pushes_false, pushes_taken;
static int perf, phase; /* phase of one connection: load, one doorbell, many */
static unsigned inbound; /* reads of 64 connections that are to come, with the rate */
static uint64_t lat_at, lat;
static bool is_idle, is_ready, stop;
static uint64_t idle_since, first_fpdu, last_fpdu, db_at, lat_sum;
static int last_conn = -1;

/* ---- sizes ---- */
static unsigned wire(bool tagged, unsigned len, bool markers, uint64_t rel)
{
	unsigned n = 2 + (tagged ? 14 : 18) + len;
	uint64_t p = rel;

	n += (4 - n % 4) % 4 + 4;
	while (n) {
		unsigned part = n;

		if (markers) {
			if (p % 512 == 0)
				p += 4;
			if (part > 512 - p % 512)
				part = 512 - p % 512;
		}
		p += part;
		n -= part;
	}
	return p - rel;
}

static unsigned mulpdu(unsigned mss, bool markers)
{
	int m = (int)mss - 6 - (int)(mss % 4) - (markers ? 4 * (int)((mss + 511) / 512) : 0);

	return m < 130 ? 130 : m; /* RFC 5044 4.5: never below 128 */
}

/* Payload of a full FPDU. One of in-line bytes has a multiple of 64. */
static unsigned full_fpdu(unsigned mss, bool markers, bool tagged, bool inl)
{
	unsigned n = mulpdu(mss, markers) - (tagged ? 14 : 18);

	return inl ? n & ~63u : n;
}

/* From below the least that firmware takes (FPDU_LEAST and a marker) on. */
static unsigned draw_mss(void)
{
	if (tb_opt("mss", 0))
		return tb_opt("mss", 0);
	return tb_chance(40) ? 1460 : tb_chance(40) ? tb_range(120, 290) : tb_range(120, 9000);
}

static uint32_t draw_msn(void)
{
	uint32_t r = tb_chance(50) ? 1 : tb_rand();

	return r != 1 && r % 5 < 3 ? 0xffffffffu - r / 5 % 20 : r;
}

/* ---- what comes behind a description ---- */
struct piece { unsigned kind, last, len, access, pd, priv; uint32_t stag; uint64_t to; };
static struct piece want_p[1 << 16], got_p[1 << 16];
static unsigned want_pn, got_pn, cmp_p;
struct pkt { unsigned len; uint8_t d[256]; };
static struct pkt want_k[2][8192], got_k[2][8192];
static unsigned want_kn[2], got_kn[2], cmp_k[2];
static uint8_t values[16][64];

static void compare(void)
{
	for (; cmp_p != want_pn && cmp_p != got_pn; cmp_p++) {
		struct piece *w = &want_p[cmp_p & 0xffff], *g = &got_p[cmp_p & 0xffff];

		tb_check(w->kind == g->kind && w->last == g->last && w->len == g->len && w->access == g->access && w->pd == g->pd &&
				 w->priv == g->priv && w->stag == g->stag && w->to == g->to,
			 "piece %u: kind %u last %u len %u access %x pd %x priv %u stag %x to %llx, want %u %u %u %x %x %u %x %llx", cmp_p, g->kind,
			 g->last, g->len, g->access, g->pd, g->priv, g->stag, (unsigned long long)g->to, w->kind, w->last, w->len, w->access, w->pd,
			 w->priv, w->stag, (unsigned long long)w->to);
	}
	for (int k = 0; k < 2; k++)
		for (; cmp_k[k] != want_kn[k] && cmp_k[k] != got_kn[k]; cmp_k[k]++) {
			struct pkt *w = &want_k[k][cmp_k[k] & 8191], *g = &got_k[k][cmp_k[k] & 8191];

			tb_check(w->len == g->len && !memcmp(w->d, g->d, w->len), "%s packet %u: %u bytes, want %u", k ? "value" : "in-line", cmp_k[k],
				 g->len, w->len);
		}
}

static void want_piece(unsigned kind, unsigned last, unsigned len, unsigned access, unsigned pd, unsigned priv, uint32_t stag, uint64_t to)
{
	want_p[want_pn++ & 0xffff] = (struct piece){ kind, last, len, access, pd, priv, stag, to };
}

static void want_pkt(int k, const uint8_t *d, unsigned len)
{
	struct pkt *w = &want_k[k][want_kn[k]++ & 8191];

	w->len = len;
	memcpy(w->d, d, len);
}

static void on_src(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct piece *g = &got_p[got_pn++ & 0xffff];

	tb_unpack_begin(&b, bits, 3 + 1 + 32 + 64 + 16 + 8 + 24 + 1);
	g->kind = tb_get(&b, 3);
	g->last = tb_get(&b, 1);
	g->stag = tb_get(&b, 32);
	g->to = tb_get(&b, 64);
	g->len = tb_get(&b, 16);
	g->access = tb_get(&b, 8);
	g->pd = tb_get(&b, 24);
	g->priv = tb_get(&b, 1);
	compare();
}

static void on_pkt(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	int k = port == VAL;
	struct pkt *g = &got_k[k][got_kn[k]++ & 8191];

	tb_check(len <= 256, "packet of %zu bytes", len);
	g->len = len;
	memcpy(g->d, data, len < 256 ? len : 256);
	compare();
}

static void be(uint8_t *p, uint64_t v, unsigned n)
{
	while (n--) {
		p[n] = (uint8_t)v;
		v >>= 8;
	}
}

static void expect_payload(struct conn *q, const struct msg *m, unsigned mo, unsigned len)
{
	if (m->kind == K_RESP) {
		struct rdreq *r = &q->r[m->idx % NW];

		if (r->atomic) {
			uint8_t d[12];

			be(d, r->sink, 4);
			be(d + 4, r->result, 8);
			want_piece(2, 1, sizeof(d), 0, 0, 0, 0, 0);
			want_pkt(0, d, sizeof(d));
		} else if (!len)
			want_piece(0, 1, 0, 0, 0, 0, 0, 0);
		else
			want_piece(1, 1, len, 1 << WEFT_ACCESS_REMOTE_READ, q->pd, 0, r->src, r->src_to + mo);
		return;
	}
	if (m->kind == K_VAL) {
		want_piece(3, 1, len, 0, 0, 0, 0, 0);
		want_pkt(1, values[m->idx], len);
		return;
	}
	struct wqe *w = &q->w[m->idx % NW];

	if (w->op == WEFT_SQ_OPCODE_READ) {
		uint8_t d[28];

		be(d, w->s[0].lkey, 4);
		be(d + 4, w->s[0].addr, 8);
		be(d + 12, w->len, 4);
		be(d + 16, w->rstag, 4);
		be(d + 20, w->raddr, 8);
		want_piece(2, 1, 28, 0, 0, 0, 0, 0);
		want_pkt(0, d, 28);
	} else if (is_atomic(w)) {
		/* RFC 7306 5.2.1; the identifier is the MSN of the request, by which it is known when it is sent again */
		bool swap = w->op == WEFT_SQ_OPCODE_CMP_SWAP;
		uint8_t d[52];

		be(d, swap ? 2 : 0, 4);
		be(d + 4, m->msn, 4);
		be(d + 8, w->rstag, 4);
		be(d + 12, w->raddr, 8);
		be(d + 20, w->data, 8);
		be(d + 28, swap ? ~0ull : 0, 8);
		be(d + 36, swap ? w->compare : 0, 8);
		be(d + 44, swap ? ~0ull : 0, 8);
		want_piece(2, 1, 52, 0, 0, 0, 0, 0);
		want_pkt(0, d, 52);
	} else if (!len) {
		want_piece(0, 1, 0, 0, 0, 0, 0, 0);
	} else if (w->inl || w->op == WEFT_SQ_OPCODE_IMM) {
		want_piece(2, 1, len, 0, 0, 0, 0, 0);
		want_pkt(0, w->d + mo, len);
	} else {
		for (unsigned i = 0; i < w->nsge && len; i++) {
			unsigned skip = mo < w->s[i].len ? mo : w->s[i].len, part = w->s[i].len - skip;

			mo -= skip;
			if (part > len)
				part = len;
			len -= part;
			if (part)
				want_piece(1, !len, part, 1 << WEFT_ACCESS_LOCAL_READ, q->pd, q->priv, w->s[i].lkey, w->s[i].addr + skip);
		}
	}
}

/* ---- descriptions ---- */
struct dep { bool irq, framing; struct dep *next; uint64_t off, from; unsigned wqe; bool resp; struct conn *q; uint64_t at, end; bool again; unsigned slot; };
static struct dep *deps, **deps_tail = &deps;
struct fp {
	unsigned qpn, slot, port, fn, len, op, last, tagged, qn, raw, joins, psh, again, ask, fresh, resp, gen, crc, markers, wqe;
	uint32_t stag, msn, mo;
	uint64_t off, from, to, to_addr, first, edt;
};
static struct conn *by_qpn(unsigned qpn)
{
	for (unsigned i = 0; i < nc; i++)
		if (c[i].qpn == qpn)
			return &c[i];
	return NULL;
}

static struct { uint32_t sink, len; uint64_t to; unsigned wqe, qpn, flags; } told_r[4096];
static unsigned told_in, told_out;

static void on_txread(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 36 + 32 + 64 + 32 + 16 + 2);
	told_r[told_in % 4096].qpn = tb_get(&b, 24);
	tb_get(&b, 12);
	told_r[told_in % 4096].sink = tb_get(&b, 32);
	told_r[told_in % 4096].to = tb_get(&b, 64);
	told_r[told_in % 4096].len = tb_get(&b, 32);
	told_r[told_in % 4096].wqe = tb_get(&b, 16);
	told_r[told_in % 4096].flags = tb_get(&b, 2); /* invalidate, atomic */
	told_in++;
}

/* Header fields of an FPDU of m at mo. */
static void check_header(struct conn *q, struct msg *m, unsigned mo, const struct fp *f)
{
	unsigned op, qn = 0, wq = m->idx & 0xffff;
	bool tagged = false;
	uint32_t stag = 0, msn = m->msn;
	uint64_t to = 0;

	if (m->kind == K_RESP) {
		struct rdreq *r = &q->r[m->idx % NW];

		if (r->atomic) {
			op = OP_ATOMRESP;
			qn = 3;
			msn = r->src;
			atoms++;
			atoms_again += f->again;
		} else {
			op = OP_READRESP;
			tagged = true;
			stag = r->sink;
			to = r->sink_to + mo;
		}
	} else if (m->kind == K_VAL) {
		op = OP_TERM;
		qn = 2;
	} else {
		struct wqe *w = &q->w[m->idx % NW];

		switch (w->op) {
		case WEFT_SQ_OPCODE_WRITE:
			op = OP_WRITE;
			tagged = true;
			stag = w->rstag;
			to = w->raddr + mo;
			break;
		case WEFT_SQ_OPCODE_READ:
			op = OP_READREQ;
			qn = 1;
			break;
		case WEFT_SQ_OPCODE_FETCH_ADD:
		case WEFT_SQ_OPCODE_CMP_SWAP:
			op = OP_ATOMREQ;
			qn = 1;
			atomics++;
			atomics_again += f->again;
			break;
		case WEFT_SQ_OPCODE_SEND_INV:
			op = w->se ? OP_SENDSEINV : OP_SENDINV;
			stag = w->rstag;
			break;
		case WEFT_SQ_OPCODE_IMM:
			op = w->se ? OP_IMMSE : OP_IMM;
			imms++;
			imms_again += f->again;
			break;
		default:
			op = w->se ? OP_SENDSE : OP_SEND;
		}
	}
	tb_check(f->op == op && f->tagged == tagged && f->stag == stag && f->to_addr == to && f->qn == qn && f->msn == (tagged ? 0 : msn) &&
			 f->mo == (tagged ? 0 : mo) && (f->wqe == wq || m->kind == K_RESP) && f->resp == (m->kind == K_RESP) && f->raw == 0 && f->psh == f->last,
		 "qp %u kind %u message %u at %u: op %u tagged %u stag %x to %llx qn %u msn %u mo %u wqe %u resp %u; want op %u stag %x to %llx qn %u msn %u", q->qpn,
		 m->kind, m->idx, mo, f->op, f->tagged, f->stag, (unsigned long long)f->to_addr, f->qn, f->msn, f->mo, f->wqe, f->resp, op, stag,
		 (unsigned long long)to, qn, msn);
	/* what was built behind an error before it was known */
	unsigned gen = q->gen_up && (f->off >= q->err_off || (q->kill == K_FLIP && f->again && f->gen != q->gen)) ? (q->gen - 1) & 3 : q->gen;

	tb_check(f->crc == q->crc && f->markers == q->markers && f->first == q->first && f->port == q->port && f->fn == q->fn && f->gen == gen,
		 "qp %u: crc %u markers %u first %llu port %u fn %x gen %u", q->qpn, f->crc, f->markers, (unsigned long long)f->first, f->port, f->fn, f->gen);
}

/* FAST_REG, BIND_MW: nothing is waited for */
static bool sets(const struct wqe *w) { return w->op == WEFT_SQ_OPCODE_FAST_REG || w->op == WEFT_SQ_OPCODE_BIND_MW; }
static bool stag_op(const struct wqe *w) { return w->op == WEFT_SQ_OPCODE_LOCAL_INV || sets(w); }

static void finish_wqe(struct conn *q, struct wqe *w)
{
	w->done_desc = true;
	w->end = w->op == WEFT_SQ_OPCODE_NOP ? 0 : stag_op(w) ? q->sq_end : q->off;
}

/* NOPs, and operations on STags that are answered, in front of the next message are passed by. */
static void skip_nops(struct conn *q)
{
	while (q->next_w != q->rung) {
		struct wqe *w = &q->w[q->next_w % NW];

		if (w->bad || !(w->op == WEFT_SQ_OPCODE_NOP || (stag_op(w) && w->inv >= I_CLOSED)))
			break;
		finish_wqe(q, w);
		q->next_w++;
	}
}

/* Cycles until a response is placed: before its request is acknowledged, or long after it. */
static unsigned response(void)
{
	return tb_chance(70) ? tb_below(60) : tb_chance(90) ? tb_range(500, 3000) : tb_range(4000, 6000);
}

static void fresh(struct conn *q, struct fp *f)
{
	struct msg *m;
	unsigned mo, ok = 0;

	tb_check(!q->hold, "qp %u: an FPDU in HOLD", q->qpn);
	tb_check(q->halt != 2, "qp %u: an FPDU behind DRAINED", q->qpn);

	if (!q->mid) {
		if (q->n_msg - q->una_msg >= NM - 1) {
			tb_fail("model is full");
			return;
		}
		m = &q->m[q->n_msg++ % NM];
		memset(m, 0, sizeof(*m));
		m->start = m->end = q->off;
		if (f->op == OP_READRESP || f->op == OP_ATOMRESP) {
			if (q->next_r == q->r_in) {
				tb_fail("qp %u: a response that nobody asked for", q->qpn);
				stop = true;
				return;
			}
			m->kind = K_RESP;
			m->idx = q->next_r++;
			q->r_moved = tb_cycle();
			m->len = q->r[m->idx % NW].len;
		} else {
			skip_nops(q);
			if (q->next_w == q->rung) {
				tb_fail("qp %u: an FPDU (opcode %u) of a WQE that was not rung", q->qpn, f->op);
				stop = true;
				return;
			}
			m->kind = K_SQ;
			m->idx = q->next_w++;
			struct wqe *w = &q->w[m->idx % NW];

			tb_check(!w->bad, "qp %u: a malformed WQE %u is sent", q->qpn, m->idx);
			tb_check(!stag_op(w), "qp %u: something overtakes the operation of WQE %u (%u)", q->qpn, m->idx, w->inv);
			m->len = is_read(w) ? request_len(w) : w->len;
			if (is_read(w)) {
				m->msn = q->read_msn++;
				if (q->reads_sent++ == q->reads_done)
					q->rdone_at = tb_cycle() + response();
				tb_check(q->reads_sent - q->reads_done <= q->ord, "qp %u: %u Reads outstanding, ORD %u", q->qpn, q->reads_sent - q->reads_done, q->ord);
				/* RFC 7306 5.2 to 5.4: the peer executes none before the Reads in front of it are served; no atomic waits for another */
				if (!is_atomic(w))
					q->read_last = q->reads_sent;
				else
					tb_check((int)(q->reads_done - q->read_last) >= 0, "qp %u: atomic %u does not wait for a Read (%u, %u)", q->qpn, m->idx, q->read_last,
						 q->reads_done),
					atomics_more += q->reads_sent - q->reads_done > 1;
				tb_check(told_out < told_in, "qp %u: Read Request before rdmap was told", q->qpn);
				unsigned t = told_out++ % 4096;

				tb_check(told_r[t].qpn == q->qpn && told_r[t].sink == w->s[0].lkey && told_r[t].to == w->s[0].addr &&
						 told_r[t].len == (is_atomic(w) ? m->msn : w->len) && told_r[t].flags == is_atomic(w) &&
						 told_r[t].wqe == m->idx % 65536,
					 "qp %u: tx_read of WQE %u", q->qpn, m->idx);
			} else if (w->op != WEFT_SQ_OPCODE_WRITE) {
				m->msn = q->send_msn++;
			}
			if (w->rf)
				tb_check(q->reads_sent - is_read(w) == q->reads_done, "qp %u: WQE %u does not wait for Reads (%u, %u)", q->qpn, m->idx,
					 q->reads_sent, q->reads_done);
			if (w->lf)
				tb_check(q->una == q->off, "qp %u: WQE %u does not wait for earlier work", q->qpn, m->idx);
		}
	} else {
		m = &q->m[(q->n_msg - 1) % NM];
	}
	mo = 0;
	if (q->mid)
		mo = m->pay * (unsigned)m->whole; /* whole counts FPDUs below */
	static unsigned done_mo[MAXC];
	unsigned ci = q - c;

	if (!q->mid)
		done_mo[ci] = 0;
	mo = done_mo[ci];
	check_header(q, m, mo, f);
	unsigned rest = m->len - mo;
	bool inl = m->kind == K_SQ && q->w[m->idx % NW].inl;

	if (!f->last) {
		for (int i = 0; i < HIST; i++)
			ok |= q->mss_hist[i] && f->len == full_fpdu(q->mss_hist[i], q->markers, f->tagged, inl);
		if (q->mid)
			ok = f->len == m->pay;
		m->pay = f->len;
		tb_check(ok && f->len < rest, "qp %u: FPDU of %u bytes of payload, %u are left, mss %u %u", q->qpn, f->len, rest, q->mss_hist[0], q->mss_hist[1]);
	} else {
		tb_check(f->len == rest && (!q->mid || f->len <= m->pay), "qp %u: last FPDU of %u, %u are left", q->qpn, f->len, rest);
		if (!q->mid) {
			for (int i = 0; i < HIST; i++)
				ok |= q->mss_hist[i] && f->len <= full_fpdu(q->mss_hist[i], q->markers, f->tagged, inl);
			tb_check(ok, "qp %u: FPDU of %u bytes is longer than MULPDU", q->qpn, f->len);
		}
	}
	unsigned bytes = wire(f->tagged, f->len, q->markers, q->off - q->first);

	tb_check(f->off == q->off && f->from == q->off && f->to == q->off + bytes, "qp %u: FPDU at %llu from %llu to %llu, should be %llu and %u bytes", q->qpn,
		 (unsigned long long)f->off, (unsigned long long)f->from, (unsigned long long)f->to, (unsigned long long)q->off, bytes);
	tb_check(q->off + bytes <= q->limit, "qp %u: an FPDU ends %llu behind the limit", q->qpn, (unsigned long long)(q->off + bytes - q->limit));
	ok = 0;
	for (int i = 0; i < HIST; i++)
		ok |= f->edt == q->edt_hist[i] || !f->edt;
	tb_check(ok && !f->fresh && !f->ask, "qp %u: edt %llu", q->qpn, (unsigned long long)f->edt);
	if (f->joins) {
		ok = 0;
		for (int i = 0; i < HIST; i++)
			ok |= q->seg + bytes <= q->mss_hist[i];
		tb_check(ok && last_conn == (int)ci, "qp %u: %u and %u bytes do not share a segment (behind %d)", q->qpn, q->seg, bytes, last_conn);
		q->seg += bytes;
		joins_n++;
	} else {
		q->seg = bytes;
	}
	expect_payload(q, m, mo, f->len);
	q->h[q->n_h++ % NM] = (struct fpd){ q->off, q->off + bytes, mo, f->len, q->n_msg - 1, f->last };
	q->off += bytes;
	m->end = q->off;
	done_mo[ci] = mo + f->len;
	q->mid = !f->last;
	if (m->kind == K_SQ) {
		q->sq_end = q->off;
		q->sq_at = tb_cycle();
	}
	if (f->last && m->kind == K_SQ)
		finish_wqe(q, &q->w[m->idx % NW]);
	m->whole = f->last;
	if (f->last && m->kind == K_RESP)
		resps++;
}

static bool must(const struct conn *q, unsigned i)
{
	return !q->flipped && (int)(q->h_end - i) > 0 && q->h[i % NM].end > q->una && !q->in_err && !q->val_sent;
}

static void replayed(struct conn *q, struct fp *f)
{
	unsigned i;

	/* what was acknowledged or flushed meanwhile may be left out; what was described after the ask may come too */
	for (i = q->h_next; i != q->n_h && q->h[i % NM].off != f->off; i++)
		tb_check(!must(q, i), "qp %u: %llu is left out, %llu is described again", q->qpn, (unsigned long long)q->h[i % NM].off, (unsigned long long)f->off);
	if (!q->asking || i == q->n_h || q->h[i % NM].off >= q->ask_to || q->h[i % NM].end <= q->ask_from) {
		tb_fail("qp %u: %llu is described again, nobody asked, or before it came first", q->qpn, (unsigned long long)f->off);
		return;
	}
	struct fpd *h = &q->h[i % NM];
	q->h_next = i + 1;
	struct msg *m = &q->m[h->msg % NM];
	uint64_t from = h->off > q->ask_from ? h->off : q->ask_from, to = h->end < q->ask_to ? h->end : q->ask_to;

	check_header(q, m, h->mo, f);
	tb_check(f->off == h->off && f->len == h->len && f->last == h->last && f->from == from && f->to == to && f->ask == q->ask_id && !f->joins && !f->edt &&
			 !f->fresh,
		 "qp %u: again %llu len %u last %u from %llu to %llu id %u fresh %u; was %llu len %u last %u from %llu to %llu id %u", q->qpn, (unsigned long long)f->off,
		 f->len, f->last, (unsigned long long)f->from, (unsigned long long)f->to, f->ask, f->fresh, (unsigned long long)h->off, h->len, h->last,
		 (unsigned long long)from, (unsigned long long)to, q->ask_id);
	expect_payload(q, m, h->mo, h->len);
	agains++;
}

/* A Terminate: behind what was sent, or where it stopped. */
static void value(struct conn *q, struct fp *f)
{
	unsigned bytes = wire(false, q->val_len, q->markers, f->off - q->first);

	tb_check(q->val_out, "qp %u: a value that nobody sent", q->qpn);
	tb_check(!q->mid || q->kill != K_FW, "qp %u: a value in the middle of a message", q->qpn);
	if (q->kill == K_TXERR) {
		tb_check(f->off == q->err_off && f->gen == q->gen && q->gen_up, "qp %u: value at %llu gen %u, stopped at %llu, gen %u", q->qpn, (unsigned long long)f->off,
			 f->gen, (unsigned long long)q->err_off, q->gen);
		q->off = q->err_off;
	} else {
		tb_check(f->off == q->off && f->gen == q->gen, "qp %u: value at %llu, should be %llu", q->qpn, (unsigned long long)f->off, (unsigned long long)q->off);
	}
	tb_check(f->op == OP_TERM && f->last && !f->tagged && f->qn == 2 && f->msn == 1 && !f->mo && !f->raw && f->len == q->val_len && !f->stag && !f->to_addr &&
			 f->wqe == q->val_slot && f->from == f->off && f->to == f->off + bytes && f->to <= q->limit && !f->resp && f->crc == q->crc && f->markers == q->markers,
		 "qp %u: value of %u bytes, qn %u msn %u", q->qpn, f->len, f->qn, f->msn);
	want_piece(3, 1, q->val_len, 0, 0, 0, 0, 0);
	want_pkt(1, values[q->val_slot], q->val_len);
	q->off += bytes;
	q->val_out = false;
	q->val_sent = true;
	values_n++;
}

static struct dep *framing[4096]; /* by order */
static unsigned framing_in, framing_out;
static void on_fpdu(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct fp f;

	tb_unpack_begin(&b, bits, 36 + 10 + 64 + 16 + 128 + 4 + 2 + 32 + 64 + 2 + 32 + 32 + 4 + 4 + 1 + 1 + 2 + 2 + 64 + 16 + 48);
	f.qpn = tb_get(&b, 24);
	f.slot = tb_get(&b, 12);
	f.port = tb_get(&b, 2);
	f.fn = tb_get(&b, 8);
	f.off = tb_get(&b, 64);
	f.len = tb_get(&b, 16);
	f.from = tb_get(&b, 64);
	f.to = tb_get(&b, 64);
	f.op = tb_get(&b, 4);
	f.last = tb_get(&b, 1);
	f.tagged = tb_get(&b, 1);
	f.stag = tb_get(&b, 32);
	f.to_addr = tb_get(&b, 64);
	f.qn = tb_get(&b, 2);
	f.msn = tb_get(&b, 32);
	f.mo = tb_get(&b, 32);
	f.raw = tb_get(&b, 1);
	f.joins = tb_get(&b, 1);
	f.psh = tb_get(&b, 1);
	f.again = tb_get(&b, 1);
	f.ask = tb_get(&b, 4);
	f.fresh = tb_get(&b, 1);
	f.resp = tb_get(&b, 1);
	f.gen = tb_get(&b, 2);
	f.crc = tb_get(&b, 1);
	f.markers = tb_get(&b, 1);
	f.first = tb_get(&b, 64);
	f.wqe = tb_get(&b, 16);
	f.edt = tb_get(&b, 48);

	struct conn *q = by_qpn(f.qpn);

	tb_check(q && q->st == HOME && q->slot == (int)f.slot && q->pins > 0, "an FPDU of connection %u in slot %u", f.qpn, f.slot);
	if (!q)
		return;
	fpdus++;
	q->fpdu_at = tb_cycle();
	if (phase == 2) {
		lat = tb_cycle() - lat_at - lat_lo;
		phase = 3;
		first_fpdu = 0;
		fpdus = 0;
	}
	if (!first_fpdu)
		first_fpdu = tb_cycle();
	last_fpdu = tb_cycle();
	q->unframed[f.again]++;
	if (f.again) {
		replayed(q, &f);
		last_conn = -1;
	} else if (f.op == OP_TERM) {
		value(q, &f);
		last_conn = q - c;
	} else {
		fresh(q, &f);
		last_conn = q - c;
	}
	struct dep *d = calloc(1, sizeof(*d));

	d->q = q;
	/* not before it is framed */
	d->at = tb_cycle() + (perf || q->quick ? 8 : tb_range(8, 300));
	d->framing = true;
	framing[framing_in++ % 4096] = d;
	if (d->at < q->last_dep)
		d->at = q->last_dep;
	q->last_dep = d->at;
	d->end = q->off;
	d->slot = f.slot;
	d->again = f.again || (q->dying && q->kill != K_BAD && q->kill != K_INV && q->kill != K_BUS && q->kill != K_FLIP && q->kill != K_FW && q->kill != K_PEER && f.op != OP_TERM);
	d->off = f.off;
	d->from = f.from;
	d->wqe = f.wqe;
	d->resp = f.resp;
	*deps_tail = d;
	deps_tail = &d->next;
}

static void bus_error(struct conn *q, unsigned idx)
{
	tb_check(q->bus_at, "qp %u: a bus error that was none", q->qpn);
	q->dying = q->err_set = true;
	q->err_idx = idx;
	q->err_status = WEFT_WC_STATUS_FATAL_ERR;
	kills++;
}

/* A WQE is not what its message began with: from build, or of an ask (then the generation moves). */
static void flip_error(struct conn *q, unsigned idx, unsigned status)
{
	bool again = status == WEFT_WC_STATUS_LOC_PROT_ERR;

	tb_check(q->flipped && (q->flip_idx & 0xffff) == idx && (again || status == WEFT_WC_STATUS_LOC_QP_OP_ERR), "qp %u: WQE %u ends with %u, it was not changed",
		 q->qpn, idx, status);
	q->dying = q->err_set = true;
	q->err_idx = idx;
	q->err_status = status;
	flips_seen++;
	flips_again += again;
	for (unsigned i = q->una_msg; again && i != q->n_msg; i++)
		flips_part += q->m[i % NM].kind == K_SQ && (q->m[i % NM].idx & 0xffff) == idx && q->m[i % NM].start < q->una;
	kills++;
}

/* An operation on an STag is under way: what comes behind it waits for the card, not for the peer. */
static bool stag_waits(const struct conn *q)
{
	for (unsigned i = q->polled; (int)(q->next_w - i) > 0; i++)
		if (stag_op(&q->w[i % NW]))
			return true;
	/* one that is not answered: a bind, and who asks behind it, wait for accesses */
	return q->next_w != q->rung && stag_op(&q->w[q->next_w % NW]);
}

/* Inbound reads whose response is acknowledged. */
static unsigned acked_r(struct conn *q)
{
	while (q->una_msg != q->n_msg && q->m[q->una_msg % NM].end <= q->una && q->m[q->una_msg % NM].whole)
		if (q->m[q->una_msg++ % NM].kind == K_RESP)
			q->r_acked++;
	return q->r_acked;
}

/* ---- tpt ---- */
enum { INV_BEGIN = 0, REG = 2, BIND = 3, INV_END = 5 };
static struct { bool busy; struct conn *q; struct wqe *w; unsigned op; uint64_t at; } op;
static struct inv_drain { struct conn *q; struct wqe *w; uint64_t at; } drain_q[256];
static unsigned binds, rebinds;
static unsigned drain_in, drain_out;
static uint16_t op_seq = 65400;

static void on_op(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 607);
	unsigned qpn = tb_get(&b, 24), slot = tb_get(&b, 12), kind = tb_get(&b, 3), stag = tb_get(&b, 32), pd = tb_get(&b, 24), i;
	struct conn *q = by_qpn(qpn);
	struct wqe *w = NULL;

	tb_check(!op.busy, "two operations at once");
	if (!q || q->st != HOME || q->slot != (int)slot || !q->pins) {
		tb_fail("operation %u of connection %u in slot %u", kind, qpn, slot);
		return;
	}
	if (kind == REG || kind == BIND) {
		uint8_t e[64];

		for (int k = 63; k >= 0; k--)
			e[k] = tb_get(&b, 8);
		/* it waits for nothing: what is in front of it may not be described yet */
		for (i = q->next_w; i != q->rung && !(stag_op(&q->w[i % NW]) && q->w[i % NW].inv < I_CLOSED);)
			i++;
		w = &q->w[i % NW];
		if (i == q->rung || w->op != (kind == REG ? WEFT_SQ_OPCODE_FAST_REG : WEFT_SQ_OPCODE_BIND_MW) || w->bad || w->inv != I_NOT || w->rstag != stag || q->pd != pd ||
		    (kind == REG && !q->priv)) {
			tb_fail("qp %u: STag %x (PD %x) is registered or bound, next is WQE %u", qpn, stag, pd, i);
			return;
		}
#define E(NAME) tb_bits_get(e, WEFT_TPT_##NAME##_LSB, WEFT_TPT_##NAME##_WIDTH)
		tb_check(E(BASE) == w->raddr && E(PBL) == w->reg.pbl && E(LENGTH) == w->reg.bytes && E(PBL_COUNT) == w->reg.count && E(ACCESS) == w->reg.access &&
				 (kind == BIND || (E(FBO) == w->reg.fbo && E(PAGE_LOG2) == w->reg.log2)),
			 "qp %u: registration %u: base %llx list %llx", qpn, i, (unsigned long long)E(BASE), (unsigned long long)E(PBL));
		w->inv = I_ASKED;
		*(kind == REG ? &regs : &binds) += 1;
	} else if (kind == INV_BEGIN) {
		skip_nops(q);
		i = q->next_w;
		w = &q->w[i % NW];
		if (i == q->rung || w->op != WEFT_SQ_OPCODE_LOCAL_INV || w->bad || w->inv != I_NOT || w->rstag != stag || q->pd != pd) {
			tb_fail("qp %u: STag %x (PD %x) is closed, next is WQE %u", qpn, stag, pd, i);
			return;
		}
		tb_check(!(q->mid && q->m[(q->n_msg - 1) % NM].kind == K_SQ) || q->dying, "qp %u: LOCAL_INV %u in the middle of a message", qpn, i);
		tb_check(tb_cycle() + 2 >= q->sq_at + FRAMED || !q->sq_at, "qp %u: LOCAL_INV %u before what is earlier is framed", qpn, i);
		tb_check(q->reads_sent == q->reads_done || q->dying, "qp %u: LOCAL_INV %u does not wait for Reads (%u, %u)", qpn, i, q->reads_sent, q->reads_done);
		w->inv = I_ASKED;
		inv_asked++;
		inv_raced += q->una != q->off;
	} else {
		for (i = q->polled; i != q->next_w; i++)
			if (q->w[i % NW].op == WEFT_SQ_OPCODE_LOCAL_INV && q->w[i % NW].inv < I_DRAINED)
				break;
		w = &q->w[i % NW];
		if (kind != INV_END || i == q->next_w || w->inv != I_CLOSED || w->rstag != stag) {
			tb_fail("qp %u: operation %u on STag %x, oldest LOCAL_INV is %u", qpn, kind, stag, i);
			return;
		}
		tb_check(w->end <= q->una, "qp %u: the end of LOCAL_INV %u before earlier work is acknowledged", qpn, i);
		w->inv = I_ENDED;
		inv_ended++;
	}
	op.busy = true;
	op.q = q;
	op.w = w;
	op.op = kind;
	op.at = tb_cycle() + tb_range(1, tb_chance(80) ? 10 : 300);
}

static void tpt(void)
{
	struct tb_pack b;

	/* Before an operation is refused the peer refuses something, too: its Terminate comes first, or crosses. */
	struct conn *q = op.q;
	if (op.busy && op.w->refuse && !q->cross && !q->fw && !q->halt && !q->hold && !q->dr && q->st == HOME && !tb_pending(TERM) && !tb_pending(TXACK) && tb_chance(70)) {
		uint16_t at = q->slot;

		q->cross = 1;
		q->term = true;
		q->term_una = q->una;
		q->term_at = tb_cycle();
		tb_item_push(TERM, &at, 2);
		q->fw = 2;
		q->fw_at = tb_cycle() + tb_below(20);
		op.at = tb_cycle() + tb_range(10, 200);
	}
	if (op.busy && op.w->refuse && q->cross == 1 && q->in_err && !tb_pending(CMD) && tb_cycle() > q->fw_at + 40)
		q->cross = 2;
	crossed += op.busy && tb_cycle() >= op.at && !tb_pending(OPA) && op.w->refuse && q->cross == 2;
	if (op.busy && tb_cycle() >= op.at && !tb_pending(OPA)) {
		uint16_t told = (uint16_t)(op_seq - (drain_in - drain_out)); /* of one that closes nothing */
		unsigned err = !op.w->refuse ? 0 : op.q->err_status == WEFT_WC_STATUS_MW_BIND_ERR ? 7 : tb_range(1, 2);

		op.busy = false;
		if (op.op == INV_END) {
			told = ++op_seq;
			drain_q[drain_in++ % 256] = (struct inv_drain){ op.q, op.w, tb_cycle() + tb_range(1, tb_chance(80) ? 100 : 2000) };
		} else if (!err && op.op == BIND && tb_chance(40)) { /* its window was bound: it is over when nobody uses that any more */
			op_seq++;
			drain_q[drain_in++ % 256] = (struct inv_drain){ op.q, op.w, tb_cycle() + tb_range(1, tb_chance(80) ? 100 : 2000) };
			told = op_seq;
			rebinds++;
		} else if (!err) {
			op.w->inv = I_CLOSED;
			skip_nops(op.q);
		} else {
			inv_refused++;
		}
		tb_pack_begin(&b, 20);
		tb_put(&b, 4, err);
		tb_put(&b, 16, told);
		tb_item_push(OPA, b.bits, 3);
	}
	if (drain_in != drain_out && tb_cycle() >= drain_q[drain_out % 256].at && !tb_pending(OPDONE)) {
		uint16_t done = (uint16_t)(op_seq - (drain_in - drain_out) + 1);

		struct inv_drain *d = &drain_q[drain_out++ % 256];

		d->w->inv = sets(d->w) ? I_CLOSED : I_DRAINED;
		if (sets(d->w))
			skip_nops(d->q);
		tb_pack_begin(&b, 16);
		tb_put(&b, 16, done);
		tb_item_push(OPDONE, b.bits, 2);
	}
}

/* ---- completions ---- */
/* As a Terminate of the peer names it: 1 Write, 2 Send, 3 Read; 0: it is nothing that the peer sees. */
static unsigned kind_of(const struct wqe *w)
{
	switch (w->op) {
	case WEFT_SQ_OPCODE_WRITE: return 1;
	case WEFT_SQ_OPCODE_SEND:
	case WEFT_SQ_OPCODE_SEND_INV:
	case WEFT_SQ_OPCODE_IMM: return 2;
	case WEFT_SQ_OPCODE_FETCH_ADD:
	case WEFT_SQ_OPCODE_CMP_SWAP:
	case WEFT_SQ_OPCODE_READ: return 3;
	default: return 0;
	}
}
static bool begun(const struct conn *q) { return (int)(q->next_w - q->polled) > 0; }
static void on_cqe(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 10 + 24 + 24 + 8 + 8 + 16 + 32 + 32 + 32 + 1 + 32 + 1);
	unsigned pt = tb_get(&b, 2), fn = tb_get(&b, 8), cqn = tb_get(&b, 24), qpn = tb_get(&b, 24), op = tb_get(&b, 8), st = tb_get(&b, 8), idx = tb_get(&b, 16);
	unsigned bytes = tb_get(&b, 32), inv = tb_get(&b, 32);
	uint32_t imm = tb_get(&b, 32);
	unsigned himm = tb_get(&b, 1), verr = tb_get(&b, 32), sol = tb_get(&b, 1);
	struct conn *q = by_qpn(qpn);

	if (!q) {
		tb_fail("CQE of QP %u", qpn);
		return;
	}
	cqes++;
	if (st) {
		unsigned want = WEFT_WC_STATUS_WR_FLUSH_ERR;

		if (q->kill == K_BUS && st == WEFT_WC_STATUS_FATAL_ERR && !q->dying)
			bus_error(q, idx);
		if (q->kill == K_FLIP && st != WEFT_WC_STATUS_WR_FLUSH_ERR && !q->dying)
			flip_error(q, idx, st);

		skip_nops(q);
		while (q->polled != q->posted && (q->polled & 0xffff) != idx) {
			struct wqe *w = &q->w[q->polled++ % NW];

			tb_check(w->done_desc && !w->sig && w->end <= q->una && !q->flushed && (w->op != WEFT_SQ_OPCODE_LOCAL_INV || w->inv == I_DRAINED),
				 "qp %u: error CQE %u passes by WQE %u", qpn, idx, w->idx);
		}
		struct wqe *f = &q->w[q->polled % NW];

		tb_check(!stag_op(f) || f->bad || f->refuse || f->inv == I_NOT || f->inv == I_CLOSED, "qp %u: LOCAL_INV %u is flushed (%u)", qpn, idx, f->inv);
		tb_check(q->polled != q->rung, "qp %u: error CQE for %u", qpn, idx);
		if (q->err_set && !q->err_told && (q->err_idx & 0xffff) == idx) {
			want = q->err_status;
			q->err_told = true;
			crossed_told += q->cross == 2;
		} else if (q->err_any && !q->err_told && !q->flushed && (!q->err_kind || kind_of(f) == q->err_kind) &&
			   /* an operation that was refused before the verdict was known counts in its place */
			   !(q->cross == 1 && q->err_set && st == WEFT_WC_STATUS_WR_FLUSH_ERR)) {
			/* One that is not begun is not what the peer means; of one whose first FPDU is on its way both may be. */
			want = !q->err_kind || begun(q) || st == q->any_status ? q->any_status : want;
			blames += q->err_kind && st == q->any_status;
			q->err_told = true;
		} else {
			tb_check(q->in_err, "qp %u: flush of %u before state ERR", qpn, idx);
			blames_not += q->err_any && !q->err_told && !q->flushed;
			flushes++;
		}
		tb_check(st == want && sol && !bytes && !inv && pt == q->port && fn == q->fn && cqn == q->cqn && !imm && !himm && !verr,
			 "qp %u: CQE %u status %u, want %u", qpn, idx, st, want);
		if (begun(q)) {
			tb_check(!q->unframed[0] && !q->unframed[1], "qp %u: WQE %u ends with status %u, what it is sent from may be read still", qpn, idx, st);
			late_new += tb_cycle() < q->framed_at[0] + 30;
		}
		if (is_read(f) && begun(q)) {
			tb_check(q->calm, "qp %u: Read %u ends with status %u, its response may be written still", qpn, idx, st);
			read_flushes++;
		}
		q->polled++;
		q->flushed = true;
		return;
	}
	tb_check(!q->flushed, "qp %u: CQE %u is good behind a flush", qpn, idx);
	tb_check(!q->unframed[1], "qp %u: CQE %u, and it may be read again", qpn, idx);
	late_again += tb_cycle() < q->framed_at[1] + 30;
	tb_check(pt == q->port && fn == q->fn && cqn == q->cqn && !inv && !imm && !himm && !verr, "qp %u: CQE port %u fn %u cqn %x", qpn, pt, fn, cqn);
	skip_nops(q);
	for (;;) {
		if (q->polled == q->rung) {
			tb_fail("qp %u: a CQE for WQE %u, which was not rung (%u)", qpn, idx, q->rung & 0xffff);
			stop = true;
			return;
		}
		struct wqe *w = &q->w[q->polled % NW];
		bool read = is_read(w);

		tb_check(w->done_desc && w->end <= q->una, "qp %u: WQE %u (completion of %u) is complete and not acknowledged", qpn, q->polled, idx);
		tb_check(!q->term || w->end <= q->term_una, "qp %u: WQE %u (completion of %u) is complete, and was acknowledged behind a Terminate", qpn, q->polled, idx);
		if (read) {
			tb_check(q->reads_polled < q->reads_done, "qp %u: Read %u (completion of %u) is complete, its response is not placed", qpn, q->polled, idx);
			slow_reads += q->rdone_at > tb_cycle() + 400 || q->reads_sent == q->reads_done;
			q->reads_polled++;
		}
		tb_check(!sets(w) || w->inv == I_CLOSED, "qp %u: FAST_REG or BIND_MW %u is complete (%u)", qpn, q->polled, w->inv);
		if (w->op == WEFT_SQ_OPCODE_LOCAL_INV) {
			tb_check(w->inv == I_DRAINED, "qp %u: LOCAL_INV %u (completion of %u) is complete, its STag is in use (%u)", qpn, q->polled, idx, w->inv);
			inv_late += w->end < q->off;
		}
		q->polled++;
		if (!w->sig) {
			tb_check(w->idx % 65536 != idx, "qp %u: CQE for WQE %u, which is not signalled", qpn, idx);
			continue;
		}
		unsigned want = w->op == WEFT_SQ_OPCODE_READ ? WEFT_WC_OPCODE_READ : w->op == WEFT_SQ_OPCODE_FETCH_ADD ? WEFT_WC_OPCODE_FETCH_ADD :
				w->op == WEFT_SQ_OPCODE_CMP_SWAP ? WEFT_WC_OPCODE_CMP_SWAP : w->op == WEFT_SQ_OPCODE_WRITE ? WEFT_WC_OPCODE_WRITE :
				w->op == WEFT_SQ_OPCODE_NOP ? WEFT_WC_OPCODE_LOCAL :
				w->op == WEFT_SQ_OPCODE_IMM ? WEFT_WC_OPCODE_IMM : w->op == WEFT_SQ_OPCODE_BIND_MW ? WEFT_WC_OPCODE_BIND_MW :
				w->op == WEFT_SQ_OPCODE_LOCAL_INV ? WEFT_WC_OPCODE_LOCAL_INV :
				w->op == WEFT_SQ_OPCODE_FAST_REG ? WEFT_WC_OPCODE_FAST_REG : WEFT_WC_OPCODE_SEND;

		tb_check(w->idx % 65536 == idx && op == want && st == 0 && bytes == (read ? w->len : 0) && !sol, "qp %u: CQE %u opcode %u status %u bytes %u, want %u %u", qpn, idx,
			 op, st, bytes, w->idx % 65536, want);
		break;
	}
}

static void on_ev(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 488);
	unsigned qpn = tb_get(&b, 24), kind = tb_get(&b, 8), code = tb_get(&b, 16), d0 = tb_get(&b, 32);
	struct conn *q = by_qpn(qpn);

	events++;
	if (q && kind == WEFT_FW_EV_DRAINED && q->dr) {
		tb_check(code == WEFT_ROOM_QP_TX && d0 == 0x1234, "drained: code %u data %x", code, d0);
		q->dr = false;
		live_drains++;
	} else if (q && kind == WEFT_FW_EV_DRAINED && q->halt == 1) {
		tb_check(code == WEFT_ROOM_QP_TX && d0 == 0x1235, "drained in HALT: code %u data %x", code, d0);
		tb_check(!q->mid && q->una == q->off, "qp %u: drained in the middle of a message (%d), or %llu bytes are unacknowledged", q->qpn, q->mid,
			 (unsigned long long)(q->off - q->una));
		q->halt = 2;
		q->halt_at = tb_cycle() + tb_below(1000);
		halts++;
	} else if (q && kind == WEFT_FW_EV_DRAINED && q->fw == 7) {
		tb_check(code == WEFT_ROOM_QP_TX && d0 == 0x1236, "drained behind a value: code %u data %x", code, d0);
		tb_check(!q->val_out && q->una == q->off, "qp %u: drained, and the value %s", q->qpn, q->val_out ? "waits" : "is unacknowledged");
		q->fw = 2;
		q->fw_at = tb_cycle() + tb_below(500);
		value_drains++;
		late_values += tb_cycle() - q->halt_at > 1500;
	} else if (q && kind == WEFT_FW_EV_DRAINED) {
		tb_check(code == WEFT_ROOM_QP_TX && d0 == (qpn & 0xffff) && q->fw == 3 && q->in_err, "drained: code %u data %x", code, d0);
		q->fw = 4;
		drains++;
	} else if (q && kind == WEFT_FW_EV_TX_ERROR) {
		if (q->kill == K_BUS && !q->dying)
			bus_error(q, d0);
		if (q->kill == K_FLIP && !q->dying)
			flip_error(q, d0, code);
		tb_check((q->kill == K_FLIP || q->kill == K_BAD || q->kill == K_INV || q->kill == K_TXERR || q->kill == K_BUS) && code == q->err_status && d0 == (q->err_idx & 0xffff) && (!q->fw || q->cross), "qp %u: error %u of WQE %u, should be %u %u", qpn,
			 code, d0, q->err_status, q->err_idx);
		if (q->kill == K_TXERR) {
			q->gen = (q->gen + 1) & 3;
			q->gen_up = true;
			gens++;
		} else if (q->kill == K_FLIP && code == WEFT_WC_STATUS_LOC_PROT_ERR) {
			q->gen = (q->gen + 1) & 3;
			q->gen_up = true;
			q->err_off = (q->una & ~0xffffffffull) + tb_get(&b, 32);
			tb_check(q->err_off < q->off, "qp %u: stopped at %llu, %llu was built", qpn, (unsigned long long)q->err_off, (unsigned long long)q->off);
		}
		if (q->cross)
			return;
		q->fw = q->kill != K_FLIP && !q->part && tb_chance(80) ? 1 : 2; /* of those a reset */
		q->fw_at = tb_cycle() + tb_below(500);
		if (tb_chance(50))
			q->shut_until = tb_cycle() + 4000;
	} else {
		tb_fail("event %u of %u", kind, qpn);
	}
}

/* ---- ctx ---- */
static void have(unsigned st, unsigned qpn, unsigned slot, unsigned miss)
{
	struct tb_pack b;

	tb_pack_begin(&b, 44);
	tb_put(&b, 2, st);
	tb_put(&b, 24, qpn);
	tb_put(&b, 12, slot);
	tb_put(&b, 6, miss);
	tb_item_push(HAVE, b.bits, 6);
}

static void fill(struct conn *q)
{
	struct tb_pack b;
	int s;

	do
		s = tb_below(SLOTS);
	while (slot_of[s] >= 0);
	slot_of[s] = q - c;
	q->slot = s;
	q->st = COMING;
	for (unsigned line = 4; line < 6; line++) {
		tb_pack_begin(&b, 553);
		tb_put(&b, 24, q->qpn);
		tb_put(&b, 12, s);
		tb_put(&b, 2, 0);
		tb_put(&b, 3, line);
		for (int i = 63; i >= 0; i--)
			tb_put(&b, 8, line == 4 ? q->home[i] : 0);
		tb_item_push(LOAD, b.bits, 70);
	}
	loads++;
}

static void on_need(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 25);
	tb_check(tb_get(&b, 1) == 0, "resume");
	unsigned qpn = tb_get(&b, 24);
	struct conn *q = by_qpn(qpn);

	if (!q) {
		have(0, qpn, 0, 0);
		return;
	}
	if (q->st == HOME) {
		q->pins++;
		have(2, qpn, q->slot, 0);
	} else if (q->st == AWAY && tb_chance(10)) {
		have(3, qpn, 0, 0);
		retries++;
	} else {
		q->wanted = true;
		if (q->st == AWAY)
			fill(q);
		have(1, qpn, 0, q - c);
	}
}

/* Its pin goes some cycles later at the earliest. */
static void on_framed(int port, const uint8_t *bits, void *arg)
{
	struct dep *d = framing[framing_out++ % 4096];
	bool again = tb_bits_get(bits, 12, 1);

	tb_check(d->q->unframed[again]-- > 0, "qp %u: framed before it is described", d->q->qpn);
	d->q->framed_at[again] = tb_cycle();
	d->framing = false;
	if (d->at < tb_cycle() + 5)
		d->at = tb_cycle() + 5;
}

/* Now and then nothing leaves for a while. */
static void still(void)
{
	static uint64_t until;
	struct tb_pack b;

	if (perf || tb_cycle() < until || !tb_chance(1))
		return;
	unsigned n = tb_chance(80) ? tb_range(50, 300) : tb_range(300, 1500);

	until = tb_cycle() + n + tb_range(500, 4000);
	tb_pack_begin(&b, 16);
	tb_put(&b, 16, n);
	tb_item_push(STILL, b.bits, 2);
}

static void on_drops(int port, const uint8_t *bits, void *arg)
{
	for (unsigned k = 0; k < 12; k++) {
		if (!tb_bits_get(bits, k, 1))
			continue;
		unsigned s = tb_bits_get(bits, 12 + 12 * k, 12);
		int n = tb_bits_get(bits, 12 + 144 + 4 * k, 4);

		if (n > 7)
			n -= 16;
		if (s >= SLOTS || slot_of[s] < 0) {
			tb_fail("pins of slot %u, port %u: %d", s, k, n);
			continue;
		}
		c[slot_of[s]].pins -= n;
	}
	for (unsigned i = 0; i < nc; i++)
		tb_check(c[i].pins >= 0, "connection %u: %d pins", c[i].qpn, c[i].pins);
}

static void evict(struct conn *q)
{
	struct tb_pack b;

	q->st = GOING;
	tb_pack_begin(&b, 38);
	tb_put(&b, 24, q->qpn);
	tb_put(&b, 12, q->slot);
	tb_put(&b, 2, q->slot & 3);
	tb_item_push(SAVE, b.bits, 5);
}

static void on_end(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 40);
	unsigned qpn = tb_get(&b, 24), slot = tb_get(&b, 12), id = tb_get(&b, 4);
	struct conn *q = by_qpn(qpn);

	if (!q || !q->asking || q->slot != (int)slot || q->ask_id != id || q->pins < 1) {
		tb_fail("end of an ask of %u slot %u id %u", qpn, slot, id);
		return;
	}
	for (unsigned i = q->h_next; (int)(q->h_end - i) > 0; i++)
		tb_check(!must(q, i), "qp %u: the ask is over, %llu was not described", qpn, (unsigned long long)q->h[i % NM].off);
	q->asking = false;
	q->ask_over = tb_cycle();
	ends++;
}

/* rdmap: drops the pin when it likes */
static void on_irq(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 44);
	unsigned qpn = tb_get(&b, 24), slot = tb_get(&b, 12), sent = tb_get(&b, 4), acked = tb_get(&b, 4);
	struct conn *q = by_qpn(qpn);

	if (!q || q->slot != (int)slot || q->pins < 1 || (!sent && !acked)) {
		tb_fail("irq_free of %u slot %u: %u %u", qpn, slot, sent, acked);
		return;
	}
	q->irq_sent += sent;
	q->irq_acked += acked;
	q->irq_at = tb_cycle();
	tb_check(q->irq_acked <= q->irq_sent && (q->in_err || (q->irq_sent <= q->next_r + 9 && q->irq_acked <= acked_r(q))) && q->irq_sent <= q->r_in,
		 "qp %u: %u responses sent, %u acknowledged; %u of %u begun, %u", qpn, q->irq_sent, q->irq_acked, q->next_r, q->r_in, acked_r(q));
	struct dep *d = calloc(1, sizeof(*d));

	d->q = q;
	d->at = tb_cycle() + tb_range(1, 60);
	d->again = true;
	d->irq = true;
	*deps_tail = d;
	deps_tail = &d->next;
}

#define H(q, NAME) tb_bits_get((q)->home, WEFT_HOME_SQ_##NAME##_LSB, WEFT_HOME_SQ_##NAME##_WIDTH)

static void on_line(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	uint8_t d[64];

	tb_unpack_begin(&b, bits, 553);
	unsigned qpn = tb_get(&b, 24), s = tb_get(&b, 12), tag = tb_get(&b, 2), line = tb_get(&b, 3);
	struct conn *q = by_qpn(qpn);

	for (int i = 63; i >= 0; i--)
		d[i] = tb_get(&b, 8);
	if (!q || q->st != GOING || q->slot != (int)s || tag != (s & 3)) {
		tb_fail("line %u of connection %u slot %u", line, qpn, s);
		return;
	}
	if (line == 4) {
		memcpy(q->home, d, 64);
		if (q->gen_up && !q->val_sent)
			q->off = q->err_off;
		gens_home += q->gen_up;
		tb_check(H(q, GEN) == q->gen && H(q, OFF) == q->off && H(q, UNA) == q->una && H(q, LIMIT) == q->limit, "qp %u saved: gen %u off %llu una %llu limit %llu, want %u %llu %llu %llu",
			 qpn, (unsigned)H(q, GEN), (unsigned long long)H(q, OFF), (unsigned long long)H(q, UNA), (unsigned long long)H(q, LIMIT), q->gen, (unsigned long long)q->off,
			 (unsigned long long)q->una, (unsigned long long)q->limit);
		return;
	}
	tb_check(line == 5, "line %u", line);
	q->st = AWAY;
	slot_of[s] = -1;
	q->slot = -1;
	evicts++;
	if (q->wanted)
		fill(q);
}

/* ---- host ---- */
struct rq { struct rq *next; uint64_t addr, at; unsigned len; bool err; };
static struct rq *rqs, **rqs_tail = &rqs;
static void on_rdreq(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct rq *r = calloc(1, sizeof(*r));

	tb_unpack_begin(&b, bits, 81);
	tb_check(tb_get(&b, 1) == 0, "after_wr");
	r->len = tb_get(&b, 16);
	r->addr = tb_get(&b, 64);
	r->at = tb_cycle() + tb_range(lat_lo, lat_hi);
	struct conn *q = &c[((r->addr - RING_BASE) >> 20) % MAXC];
	/* what is asked for again begins with a WQE that has bytes */
	unsigned at = (unsigned)(((r->addr - RING_BASE) & 0xfffff) / (64u << q->stride)), n = q->polled + ((at - q->polled) & ((1u << q->log2) - 1));

	tb_check(n >= q->rung || !sets(&q->w[n % NW]) || q->w[n % NW].inv < I_CLOSED, "qp %u: WQE %u, a FAST_REG or BIND_MW that is done, is read again", q->qpn, n);
	/* a host that fails: the next WQE of that read fails, unless it is read once more */
	r->err = q->kill == K_BUS && !q->dying && q->posted >= q->kill_at && !q->asking;
	if (r->err)
		q->bus_at = tb_cycle();
	if (db_at) {
		lat_sum += tb_cycle() - db_at;
	}
	*rqs_tail = r;
	rqs_tail = &r->next;
}

static void host(void)
{
	while (rqs && tb_cycle() >= rqs->at) {
		struct rq *r = rqs;
		uint64_t o = r->addr - RING_BASE;
		unsigned i = o >> 20;
		uint8_t none[1024];

		o &= 0xfffff;
		if (i >= nc || o + r->len > (64u << c[i].stride << c[i].log2) || r->len > 1024 || !r->len)
			tb_fail("read of %u bytes at %llx", r->len, (unsigned long long)r->addr);
		tb_packet_push(RD, i < nc ? c[i].ring + o : none, r->len, NULL, 0, r->err);
		if (!(rqs = r->next))
			rqs_tail = &rqs;
		free(r);
	}
}

static void put_wqe(struct conn *q, struct wqe *w)
{
	uint8_t *p = q->ring + ((size_t)(w->idx & ((1u << q->log2) - 1)) * (64u << q->stride));
	uint8_t d[256];

	tb_rand_bytes(d, 256);
	memset(d, 0, 32);
	d[0] = w->op;
	d[1] = w->sig | w->se << 1 | w->inl << 2 | w->rf << 3 | w->lf << 4;
	d[2] = w->nsge;
	d[4] = w->idx;
	d[5] = w->idx >> 8;
	if (w->op != WEFT_SQ_OPCODE_IMM)
		memcpy(d + 8, &w->len, 4);
	else
		memcpy(d + 24, &w->imm, 4);
	memcpy(d + 12, &w->rstag, 4);
	memcpy(d + 16, &w->raddr, 8);
	if (w->inl)
		memcpy(d + 32, w->d, w->len);
	for (unsigned i = 0; i < w->nsge; i++) {
		memcpy(d + 32 + 16 * i, &w->s[i].addr, 8);
		memcpy(d + 40 + 16 * i, &w->s[i].len, 4);
		memcpy(d + 44 + 16 * i, &w->s[i].lkey, 4);
	}
	if (w->op == WEFT_SQ_OPCODE_FAST_REG) {
		memset(d + 32, 0, 32);
		tb_bits_set(d + 32, WEFT_SQE_REG_PBL_LSB, 64, w->reg.pbl);
		tb_bits_set(d + 32, WEFT_SQE_REG_BYTES_LSB, 64, w->reg.bytes);
		tb_bits_set(d + 32, WEFT_SQE_REG_PBL_COUNT_LSB, 32, w->reg.count);
		tb_bits_set(d + 32, WEFT_SQE_REG_FBO_LSB, 32, w->reg.fbo);
		tb_bits_set(d + 32, WEFT_SQE_REG_ACCESS_LSB, 8, w->reg.access);
		tb_bits_set(d + 32, WEFT_SQE_REG_PAGE_LOG2_LSB, 8, w->reg.log2);
	}
	if (w->op == WEFT_SQ_OPCODE_BIND_MW) {
		memset(d + 32, 0, 32);
		tb_bits_set(d + 32, WEFT_SQE_BIND_ADDR_LSB, 64, w->reg.pbl);
		tb_bits_set(d + 32, WEFT_SQE_BIND_BYTES_LSB, 64, w->reg.bytes);
		tb_bits_set(d + 32, WEFT_SQE_BIND_LKEY_LSB, 32, w->reg.count);
		tb_bits_set(d + 32, WEFT_SQE_BIND_ACCESS_LSB, 8, w->reg.access);
	}
	if (is_atomic(w)) {
		memcpy(d + 48, &w->data, 8);
		memcpy(d + 56, &w->compare, 8);
		if (w->bad && w->idx % 4 >= 2) { /* of another length, or in line */
			if (tb_chance(50))
				d[8] = d[40] = tb_chance(50) ? 4 : 16;
			else
				d[1] |= 4, d[2] = 0;
		}
	}
	/* one that says where its bytes are, or how many, as a Send does */
	if (w->bad && w->op == WEFT_SQ_OPCODE_IMM && w->idx % 4 >= 2) {
		if (tb_chance(50))
			d[1] |= 4;
		else
			d[8] = 8;
	} else if (w->bad && !(w->op == WEFT_SQ_OPCODE_FAST_REG && !q->priv) && !(is_atomic(w) && w->idx % 4 >= 2))
		switch (w->idx % 4) {
		case 0: d[4] ^= 1; break;
		case 1: d[0] = 77; break;
		case 2: d[2] = 15; d[1] &= ~4; break;
		default: d[11] |= 0x80;
		}
	memcpy(p, d, 64u << q->stride);
}

static void post(struct conn *q)
{
	struct wqe *w = &q->w[q->posted % NW];
	unsigned room = (64u << q->stride) - 32;
	static const uint8_t ops[] = { WEFT_SQ_OPCODE_SEND, WEFT_SQ_OPCODE_SEND_INV, WEFT_SQ_OPCODE_WRITE, WEFT_SQ_OPCODE_WRITE, WEFT_SQ_OPCODE_READ, WEFT_SQ_OPCODE_NOP,
				     WEFT_SQ_OPCODE_IMM, WEFT_SQ_OPCODE_LOCAL_INV, WEFT_SQ_OPCODE_FETCH_ADD, WEFT_SQ_OPCODE_CMP_SWAP, WEFT_SQ_OPCODE_BIND_MW, WEFT_SQ_OPCODE_FAST_REG, WEFT_SQ_OPCODE_FAST_REG };

	memset(w, 0, sizeof(*w));
	w->idx = q->posted;
	w->op = perf ? WEFT_SQ_OPCODE_WRITE : both ? ops[w->idx % ((q - c) % 3 == 1 ? 30 : 150) == 0 ? 4 : tb_chance(90) ? 2 : 0] : ops[tb_below(tb_opt("noread", 0) ? 4 : q->priv ? 13 : 11)];
	if (giant)
		w->op = WEFT_SQ_OPCODE_WRITE;
	if (q->pusher)
		w->op = ops[tb_below(7)];
	if (q->kill == K_INV && !q->dying && q->posted >= q->kill_at)
		w->op = tb_chance(30) ? WEFT_SQ_OPCODE_BIND_MW : q->priv && tb_chance(50) ? WEFT_SQ_OPCODE_FAST_REG : WEFT_SQ_OPCODE_LOCAL_INV;
	if (q->kill == K_BAD && !q->dying && q->posted >= q->kill_at && !q->priv && tb_chance(50))
		w->op = WEFT_SQ_OPCODE_FAST_REG; /* its QP may not */
	w->rstag = tb_rand();
	w->raddr = tb_rand();
	w->sig = perf ? w->idx % 16 == 15 : tb_chance(50);
	w->se = !perf && tb_chance(30);
	w->rf = !perf && !both && tb_chance(10);
	w->lf = !perf && !both && tb_chance(5);
	if (q->unsig >= (1u << q->log2) / 2)
		w->sig = true;
	q->unsig = w->sig ? 0 : q->unsig + 1;
	if (sets(w)) {
		w->reg.pbl = tb_rand();
		w->reg.bytes = tb_rand();
		w->reg.count = tb_rand();
		w->reg.fbo = tb_rand();
		w->reg.access = tb_rand();
		w->reg.log2 = tb_rand();
	} else if (w->op == WEFT_SQ_OPCODE_LOCAL_INV) {
		;
	} else if (w->op == WEFT_SQ_OPCODE_IMM) {
		/* RFC 7306 6.3: 8 bytes; those of verbs are the low half */
		w->len = 8;
		w->imm = tb_rand();
		be(w->d, w->imm, 8);
	} else if (w->op == WEFT_SQ_OPCODE_NOP) {
		w->nsge = tb_below(room / 16 + 1);
		w->len = tb_rand() & 0x7fffffff;
	} else if (perf || giant) {
		w->nsge = 1;
		w->len = giant ? giant : perf > 2 ? (unsigned)perf : 64;
		w->s[0] = (struct sge){ tb_rand(), w->len, tb_rand() };
	} else if (is_atomic(w)) {
		w->nsge = 1;
		w->len = 8;
		w->data = (uint64_t)tb_rand() << 32 | tb_rand();
		w->compare = (uint64_t)tb_rand() << 32 | tb_rand();
		w->s[0] = (struct sge){ tb_rand(), w->len, tb_rand() };
	} else if (w->op == WEFT_SQ_OPCODE_READ) {
		w->nsge = 1;
		w->len = tb_chance(80) ? tb_below(3000) : tb_rand() & 0x7fffffff;
		w->s[0] = (struct sge){ tb_rand(), w->len, tb_rand() };
	} else if (both || tb_chance(40)) {
		w->inl = true;
		w->len = q->pusher && tb_chance(80) ? tb_below(25) : tb_chance(20) ? tb_below(room + 1) : tb_below((room < 64 ? room : 64) + 1);
		tb_rand_bytes(w->d, sizeof(w->d));
	} else {
		w->nsge = q->pusher && tb_chance(80) ? tb_below(2) : tb_below(room / 16 + 1);
		for (unsigned i = 0; i < w->nsge; i++) {
			w->s[i].addr = tb_rand();
			w->s[i].lkey = tb_rand();
			w->s[i].len = tb_chance(10) ? 0 : tb_chance(85) && q->kill != K_FLIP ? tb_below(400) : tb_below(12000);
			w->len += w->s[i].len;
		}
	}
	if (q->kill == K_BAD && !q->dying && q->posted >= q->kill_at) {
		w->bad = w->sig = true;
		q->dying = q->err_set = true;
		q->err_idx = w->idx;
		q->err_status = WEFT_WC_STATUS_LOC_QP_OP_ERR;
		q->n_bad = w->idx;
		kills++;
	}
	if (q->kill == K_INV && !q->dying && q->posted >= q->kill_at) {
		w->refuse = w->sig = true;
		q->dying = q->err_set = true;
		q->err_idx = w->idx;
		q->err_status = tb_chance(50) ? WEFT_WC_STATUS_MW_BIND_ERR : WEFT_WC_STATUS_LOC_PROT_ERR;
		kills++;
	}
	put_wqe(q, w);
	q->posted++;
	if (q->pusher)
		q->n_pushed++;
	else
		posts++;
}

/*
 * A hostile owner writes into a WQE of which some FPDUs are described: another opcode, or another length that is well formed. The
 * message goes on as it began, or ends; sometimes the WQE is put back, as if nothing had been. The model keeps what was posted.
 */
static void flip(struct conn *q)
{
	const struct msg *m = &q->m[(q->n_msg - 1) % NM];
	struct wqe *w = &q->w[(q->flipped ? q->flip_idx : m->idx) % NW], x = *w;
	unsigned i, how = tb_below(4);

	if (q->dying || q->in_err || q->st != HOME)
		return;
	if (q->flipped) {
		if (q->flip_at && tb_cycle() >= q->flip_at) {
			if ((int)(q->flip_idx - q->polled) >= 0)
				put_wqe(q, w);
			q->flip_at = 0;
			flips_back++;
		}
		/* What read it again may say so behind its completion: an event takes its time. */
		if ((int)(q->flip_idx - q->polled) < 0 && !q->asking && tb_cycle() - q->ask_over > 2000)
			q->flipped = false;
		return;
	}
	if (q->n_msg == q->una_msg || m->kind != K_SQ || q->posted < q->kill_at || w->inl || !w->nsge || tb_cycle() < q->sq_at + 50)
		return;
	/* It waits for the window, so its WQE is read again to go on; or all of it is described, and it is read if it is asked for. */
	if (q->mid ? q->off + m->pay <= q->limit || q->qpn % 2 : q->una >= m->end || q->departed <= m->start || q->departed <= q->una || !(q->qpn % 2))
		return;
	for (i = w->nsge - 1; i && w->s[i].len < 2; i--)
		;
	if (w->s[i].len < 2)
		return;
	if (how == 0) {
		x.op = w->op == WEFT_SQ_OPCODE_WRITE ? WEFT_SQ_OPCODE_SEND : WEFT_SQ_OPCODE_WRITE;
	} else if (how == 1) {
		x.len += 1 + tb_below(5000);
	} else if (how == 2) {
		x.len -= 1 + tb_below(w->s[i].len - 1);
	} else {
		x.op = WEFT_SQ_OPCODE_SEND + WEFT_SQ_OPCODE_SEND_INV - w->op;
		if (w->op == WEFT_SQ_OPCODE_WRITE)
			x.op = WEFT_SQ_OPCODE_SEND_INV;
	}
	x.s[i].len += x.len - w->len;
	put_wqe(q, &x);
	q->flipped = true;
	q->flip_idx = m->idx;
	q->flip_at = tb_chance(40) ? tb_cycle() + tb_range(200, 3000) : 0;
	flips++;
}

static void doorbell(const struct conn *q, unsigned index, const uint8_t *wqe, bool new)
{
	uint8_t d[62] = { 0 };

	tb_bits_set(d, 0, 16, index & 0xffff);
	tb_bits_set(d, 16, 24, q->qpn);
	tb_bits_set(d, 40, 1, wqe != NULL);
	tb_bits_set(d, 41, 1, new);
	for (unsigned i = 0; wqe && i < WEFT_PUSH_WQE_BYTES; i++)
		tb_bits_set(d, 42 + 8 * i, 8, wqe[i]);
	tb_item_push(DB, d, sizeof(d));
}

/* As weft_pcie_rx_req sees it. */
static bool fits(const uint8_t *d, unsigned index)
{
	uint32_t len;

	memcpy(&len, d + 8, 4);
	return (unsigned)(d[4] | d[5] << 8) == (index & 0xffff) && (d[1] & 4 ? len <= 24 : d[2] <= 1) &&
	       (d[0] <= WEFT_SQ_OPCODE_READ || d[0] == WEFT_SQ_OPCODE_NOP || d[0] == WEFT_SQ_OPCODE_IMM);
}

/*
 * Some bring their WQE, which is the one that stands in the ring. When there are others in front of it the card must read these, and then all
 * of them: what is pushed then is another one, to be seen if it is taken.
 */
static void ring(struct conn *q)
{
	const uint8_t *w = q->ring + ((size_t)((q->posted - 1) & ((1u << q->log2) - 1)) * (64u << q->stride));
	uint8_t d[WEFT_PUSH_WQE_BYTES];

	if (!perf && q->posted - q->polled && fits(w, q->posted - 1) && (q->rung != q->posted || tb_chance(10)) && tb_chance(q->pusher ? 80 : 20)) {
		memcpy(d, w, sizeof(d));
		if (q->posted - q->rung > 1) {
			d[16] ^= 0xff;
			d[24] ^= 0xff;
			pushes_false++;
		} else {
			pushes++;
		}
		doorbell(q, q->posted, d, false);
	} else {
		doorbell(q, q->posted, NULL, false);
	}
	q->rung = q->posted;
	if (!db_at)
		db_at = tb_cycle();
}

/* Somebody rings in every second cycle, which is as often as weft_pcie lets him; whoever arrives is heard all the same. */
static uint64_t flood_until;
static unsigned flood_rings, flood_arrivals;
static struct conn *flooded;

static void flood(void)
{
	unsigned at_work = 0;

	for (unsigned i = 0; i < nc; i++)
		at_work += c[i].polled != c[i].posted;
	if (tb_cycle() % 4096 == 2000 && at_work >= 8)
		flood_until = tb_cycle() + 900;
	for (unsigned n = 0; tb_cycle() < flood_until && tb_pending(DB) < 2 && n < 4; n++) {
		struct conn *q = &c[tb_below(nc)];

		if (!q->posted || q->rung != q->posted || q->dying || q->in_err || q->fw)
			continue;
		ring(q);
		flooded = q;
		flood_rings++;
	}
}

/* ---- tcp ---- */
static void txack(struct conn *q, unsigned mss, uint64_t edt)
{
	struct tb_pack b;

	if (mss != q->mss_hist[0] || edt != q->edt_hist[0]) {
		for (int i = HIST - 1; i; i--) {
			q->mss_hist[i] = q->mss_hist[i - 1];
			q->edt_hist[i] = q->edt_hist[i - 1];
		}
		q->mss_hist[0] = mss;
		q->edt_hist[0] = edt;
	}
	tb_pack_begin(&b, 229);
	tb_put(&b, 24, q->qpn);
	tb_put(&b, 12, q->slot);
	tb_put(&b, 64, q->una);
	tb_put(&b, 64, q->limit);
	tb_put(&b, 16, mss);
	tb_put(&b, 48, edt);
	tb_put(&b, 1, q->kill == K_DEAD && q->dying);
	tb_item_push(TXACK, b.bits, 29);
	q->quiet = tb_cycle();
}

static void command(struct conn *q, unsigned op, unsigned arg)
{
	struct tb_pack b;

	tb_pack_begin(&b, 56);
	tb_put(&b, 24, q->qpn);
	tb_put(&b, 12, q->slot);
	tb_put(&b, 4, op);
	tb_put(&b, 16, arg);
	tb_item_push(CMD, b.bits, 7);
	q->pins++;
}

/* Something goes wrong with this connection. */
static bool die(struct conn *q)
{
	struct tb_pack b;
	struct dep *d, *pick = NULL;

	switch (q->kill) {
	case K_FW:
		q->dying = true;
		q->fw = tb_chance(60) ? 1 : 2;
		break;
	case K_PEER: /* it refused something, and said so */
		if (!begun(q) || q->st != HOME || tb_pending(TXACK) || tb_pending(TERM))
			return false;
		q->dying = q->term = true;
		q->term_una = q->una;
		q->term_at = tb_cycle();
		uint16_t at = q->slot;

		tb_item_push(TERM, &at, 2);
		q->quiet = tb_cycle();
		q->fw = 2;
		break;
	case K_DEAD:
		q->dying = q->err_any = true;
		q->any_status = WEFT_WC_STATUS_RETRY_EXC_ERR;
		q->fw = 2;
		txack(q, q->mss_hist[0], q->edt_hist[0]);
		break;
	default:
		for (d = deps; d; d = d->next)
			if (d->q == q && !d->irq && (q->part ? d->off < q->una && d->from > d->off && d->from >= q->una : !d->again) && (!pick || tb_chance(30)))
				pick = d;
		if (!pick)
			return false;
		q->dying = true;
		/* what is acknowledged of it was not wanted */
		q->err_off = pick->from;
		parts += q->part;
		q->err_idx = pick->wqe;
		q->err_set = !pick->resp;
		unsigned e = tb_chance(50) ? 1 : 6;

		q->err_status = e == 6 ? WEFT_WC_STATUS_FATAL_ERR : WEFT_WC_STATUS_LOC_PROT_ERR;
		for (d = deps; d; d = d->next)
			if (d->q == q && d->off >= q->err_off)
				d->again = true; /* it never leaves */
		tb_pack_begin(&b, 121);
		tb_put(&b, 24, q->qpn);
		tb_put(&b, 12, q->slot);
		tb_put(&b, 64, q->err_off);
		tb_put(&b, 16, pick->wqe);
		tb_put(&b, 1, pick->resp);
		tb_put(&b, 4, e);
		tb_item_push(TXERR, b.bits, 16);
		q->quiet = tb_cycle();
	}
	q->fw_at = tb_cycle() + tb_below(1000);
	kills++;
	return true;
}

/* What firmware does about it, as soon as the connection is home. */
static void firmware(struct conn *q)
{
	if (q->halt == 2 && tb_cycle() >= q->halt_at && !tb_pending(CMD)) {
		if (q->st == AWAY)
			fill(q);
		if (q->st == HOME) {
			command(q, 2, WEFT_QP_STATE_RTS);
			q->halt = 0;
		}
	}
	if (!q->fw || q->fw == 4 || q->fw == 7 || tb_cycle() < q->fw_at || tb_pending(CMD))
		return;
	if (q->st == AWAY)
		fill(q);
	if (q->st != HOME)
		return;
	if (q->fw == 8) {
		command(q, 2, WEFT_QP_STATE_RTS);
		q->hold = false;
		q->fw = 0;
	} else if (q->fw == 1) {
		if (tb_pending(VALW))
			return;
		for (unsigned i = 0; i < 16; i++)
			if (i == (q - c) % 16) {
				/* one connection a slot, so that none is overwritten */
				for (unsigned k = 0; k < (unsigned)(q - c); k++)
					if (k % 16 == i && (c[k].val_out || c[k].fw == 1 || c[k].val_slot == i + 100))
						return;
			}
		q->val_slot = (q - c) % 16;
		q->val_len = tb_range(1, 63);
		tb_rand_bytes(values[q->val_slot], 64);
		for (unsigned i = 0; i < 16; i++) {
			struct tb_pack b;
			uint32_t v;

			memcpy(&v, values[q->val_slot] + 4 * i, 4);
			tb_pack_begin(&b, 44);
			tb_put(&b, 8, q->val_slot);
			tb_put(&b, 4, i);
			tb_put(&b, 32, v);
			tb_item_push(VALW, b.bits, 6);
		}
		q->fw = 5;
	} else if (q->fw == 5) {
		if (tb_pending(VALW))
			return;
		if (q->kill == K_FW && !q->mid && tb_cycle() < q->fw_at + 4000)
			return; /* best in the middle of a message */
		q->val_out = true;
		if (q->kill == K_FW) {
			command(q, 2, WEFT_QP_STATE_HALT);
			value_mid += q->mid;
		}
		command(q, 4, q->val_slot | q->val_len << 8);
		q->fw = 2;
		q->fw_at = tb_cycle() + tb_range(200, 1500);
		if (q->kill != K_DEAD) { /* of that nothing is acknowledged */
			command(q, 3, 0x1236);
			q->fw = 7;
			q->halt_at = tb_cycle();
		}
	} else if (q->fw == 2) {
		if (q->val_out)
			return;
		unsigned arg = WEFT_QP_STATE_ERR;

		if (q->kill == K_PEER || q->cross) { /* the peer refused something */
			q->err_any = true;
			q->any_status = WEFT_WC_STATUS_REM_INV_REQ_ERR + tb_below(3);
			q->err_kind = begun(q) && tb_chance(80) ? kind_of(&q->w[q->polled % NW]) : tb_range(1, 3);
			if (!q->err_kind)
				q->err_kind = 2;
			arg |= q->any_status << 4 | q->err_kind << 8;
		}
		command(q, 2, arg);
		q->in_err = true;
		q->calm_at = tb_cycle() + (tb_chance(50) ? tb_range(20, 100) : tb_range(100, 4000));
		q->fw = 6;
	} else if (q->fw == 6) {
		command(q, 3, q->qpn);
		q->fw = 3;
	}
}

/* A limit one to four bytes in front of the end of an FPDU that is not the next one: it is looked at with that limit first. */
static uint64_t aim(struct conn *q)
{
	uint64_t off = q->off;
	unsigned skip = tb_range(1, 4);

	if (q->mid || q->next_r != q->r_in)
		return 0;
	for (unsigned i = q->next_w; i != q->rung; i++) {
		struct wqe *w = &q->w[i % NW];
		bool read = is_read(w), tagged = w->op == WEFT_SQ_OPCODE_WRITE;
		unsigned len = read ? request_len(w) : w->len, full = full_fpdu(q->mss_hist[0], q->markers, tagged, w->inl), part;

		if (w->bad)
			return 0;
		if (w->op == WEFT_SQ_OPCODE_NOP || stag_op(w))
			continue;
		do {
			part = len > full && !read ? full : len;
			off += wire(tagged, part, q->markers, off - q->first);
			len -= part;
			if (off > q->limit + 4 && (!skip || !skip--))
				return off - tb_range(1, 4);
		} while (len);
	}
	return 0;
}

static void tcp(struct conn *q)
{
	uint64_t una = q->una, limit;
	bool part = q->part && !q->dying && q->posted >= q->kill_at; /* until UNA lies in what it asks for */

	/* a segment of the peer brings one home that waits for a larger limit */
	if (q->st == AWAY && (q->tight || (q->shut_until && tb_cycle() >= q->shut_until)) && !q->dying && q->next_w != q->rung && tb_cycle() >= q->tight_at + 1500 && tb_chance(1))
		fill(q);
	if (q->st != HOME || tb_cycle() < q->ack_at)
		return;
	if (q->kill >= K_TXERR && q->kill != K_BUS && q->kill != K_FLIP && q->kill != K_INV && !q->dying && q->posted >= q->kill_at && !q->asking && q->fw == 0 && die(q))
		return;
	if (q->asking && (q->tight || q->flipped || part || !tb_chance(5)))
		return; /* mostly, what is asked for stays unacknowledged meanwhile */
	if (!perf && !q->dying && !(q->kill == K_BUS && q->bus_at) && q->departed > q->una && tb_chance(q->flipped || part ? 80 : 20) && !tb_opt("noask", 0) && !q->asking &&
	    (!giant || q->off - q->m[(q->n_msg - 1) % NM].start > giant / 100 * 99ull)) {
		struct tb_pack b;
		unsigned lo = q->n_h, hi;

		q->ask_from = q->una + (tb_chance(part ? 90 : 30) ? 0 : tb_below((uint32_t)(q->departed - q->una)));
		q->ask_to = tb_chance(30) ? q->departed : q->ask_from + 1 + tb_below((uint32_t)(q->departed - q->ask_from));
		if (q->flipped && tb_chance(80)) {
			/* what was changed is read again */
			q->ask_from = q->una;
			q->ask_to = q->departed;
		} else if (tb_chance(15)) {
			/* more than was built */
			q->ask_to = q->off + tb_below(5000);
			if (tb_chance(30))
				q->ask_from = q->off + tb_below(100);
			if (q->ask_to <= q->ask_from)
				q->ask_to = q->ask_from + 1;
		} else if (tb_chance(5) && q->una > q->first + 200) {
			q->ask_to = q->una - tb_below(100);
			q->ask_from = q->ask_to - 1 - tb_below(100);
		}
		q->asking = true;
		q->ask_id = tb_below(16);
		while (lo && q->n_h - lo < NM - 1 && q->h[(lo - 1) % NM].end > q->ask_from)
			lo--;
		for (hi = lo; hi != q->n_h && q->h[hi % NM].off < q->ask_to;)
			hi++;
		q->h_next = lo;
		q->h_end = hi;
		tb_pack_begin(&b, 169);
		tb_put(&b, 24, q->qpn);
		tb_put(&b, 12, q->slot);
		tb_put(&b, 64, q->ask_from);
		tb_put(&b, 64, q->ask_to);
		tb_put(&b, 4, q->ask_id);
		tb_put(&b, 1, 0);
		tb_item_push(ASK, b.bits, 22);
		q->pins++;
		asks++;
		return;
	}
	q->ack_at = tb_cycle() + (perf ? 24 : q->quick ? tb_range(5, 30) : tb_range(10, 400));
	if (q->departed > una && !(q->part && q->dying && !q->gen_up)) /* nobody stops for what is acknowledged since */
		una = perf || tb_chance(part ? 20 : 70) ? q->departed : una + tb_below((uint32_t)(q->departed - una)) + 1;
	limit = una + (perf ? 1 << 20 : tb_chance(30) ? 20000u : tb_chance(50) ? tb_range(16000, 200000) : 10000u);
	if (q->kill == K_FLIP)
		limit = una + tb_range(10000, 18000);
	else if (!perf && una < q->off && tb_chance(50))
		limit = q->off + tb_below(300); /* it ends in the middle of something small */
	if (q->tight && !q->dying) {
		/* a few bytes more each time: what ends behind it by any number of bytes must not leave */
		bool stuck = q->off == q->tight_off && tb_cycle() >= q->tight_at + 1500 && !q->hold && (q->mid || q->next_w != q->rung || q->next_r != q->r_in);

		if (q->off != q->tight_off || stuck)
			q->tight_at = tb_cycle();
		q->tight_off = q->off;
		limit = !stuck ? q->limit : aim(q);
		if (limit)
			aims += stuck;
		else
			limit = q->limit + (tb_chance(50) ? tb_below(60) : tb_below(20000));
		tights += stuck;
		q->ack_at = tb_cycle() + tb_range(50, 300);
	}
	if (limit < q->limit || tb_cycle() < q->shut_until)
		limit = q->limit;
	if (q->term && tb_cycle() < q->term_at + 20)
		return;
	if (una == q->una && limit == q->limit && (perf || tb_chance(95)))
		return;
	q->una = una;
	q->limit = limit;
	bool same = perf || q->kill == K_FLIP; /* that one's limit moves too often for what the model remembers */

	txack(q, !same && tb_chance(5) ? draw_mss() : q->mss_hist[0], !same && tb_chance(10) ? tb_rand() & 0xffffffffffffull : q->edt_hist[0]);
}

/* ---- rdmap ---- */
struct rdn { struct rdn *next; struct conn *q; uint64_t at; };
static void push_read(struct conn *q, const struct rdreq *r)
{
	struct tb_pack b;

	tb_pack_begin(&b, 325);
	tb_put(&b, 24, q->qpn);
	tb_put(&b, 12, q->slot);
	tb_put(&b, 32, r->sink);
	tb_put(&b, 64, r->sink_to);
	tb_put(&b, 32, r->atomic ? tb_rand() : r->len);
	tb_put(&b, 32, r->src);
	tb_put(&b, 64, r->src_to);
	tb_put(&b, 1, r->atomic);
	tb_put(&b, 64, r->result);
	tb_item_push(RXREAD, b.bits, 41);
	q->pins++;
	q->quiet = tb_cycle();
}

/* +both: a Read of the peer's comes when this side has come to stand, or the peer answers nothing before it. */
static void peer_reads(struct conn *q)
{
	bool stands = q->reads_done != q->reads_sent && !q->mid && tb_cycle() - q->fpdu_at > 1500;

	acked_r(q);
	if (q->r_in == q->next_r)
		q->r_moved = tb_cycle();
	if (tb_cycle() - q->r_moved == 20000)
		tb_fail("qp %u: an inbound read waits for its response for 20000 cycles; %u WQEs begun, %u complete, %u Reads answered of %u, %u inbound of %u", q->qpn, q->next_w,
			q->polled, q->reads_done, q->reads_sent, q->next_r, q->r_in);
	if (!stands || q->r_in == q->r_asked || q->r_in - q->irq_acked >= 20 || q->r_in - q->irq_sent >= 8 || tb_pending(RXREAD) || q->st != HOME || tb_chance(50))
		return;
	struct rdreq *r = &q->r[q->r_in++ % NW];

	*r = (struct rdreq){ tb_rand(), tb_chance(90) ? tb_below(400) : tb_below(20000), tb_rand(), tb_rand(), tb_rand(), tb_chance(30), (uint64_t)tb_rand() << 32 | tb_rand() };
	if (r->atomic)
		r->len = 12;
	push_read(q, r);
	both_late++;
}

static void rdmap(struct conn *q)
{
	struct tb_pack b;

	/* what was under way when it was set to ERR is placed, or comes to nothing: the pin of the command goes on with the word, until that is taken */
	if (q->in_err && !q->calm && q->st == HOME && !tb_pending(CMD) && !tb_pending(RDONE) && tb_cycle() >= q->calm_at) {
		tb_pack_begin(&b, 77);
		tb_put(&b, 24, q->qpn);
		tb_put(&b, 12, q->slot);
		tb_put(&b, 8, tb_below(256));
		tb_put(&b, 32, tb_rand());
		tb_put(&b, 1, 1);
		tb_item_push(RDONE, b.bits, 10);
		q->calm = true;
		calms++;
		q->quiet = tb_cycle();
	}
	/* a Read whose request was acknowledged, or is on its way, is answered */
	while (!q->calm && q->reads_done < q->reads_sent && (!both || q->r_acked >= q->r_asked) && (!q->dying || q->kill == K_BAD || q->kill == K_INV || q->kill == K_BUS || q->kill == K_FLIP) && q->st == HOME && !tb_pending(RDONE) && tb_cycle() >= q->rdone_at) {
		tb_pack_begin(&b, 77);
		tb_put(&b, 24, q->qpn);
		tb_put(&b, 12, q->slot);
		tb_put(&b, 8, 0);
		tb_put(&b, 32, 0);
		tb_put(&b, 1, 0);
		tb_item_push(RDONE, b.bits, 10);
		q->reads_done++;
		q->r_asked = q->r_in + tb_below(4);
		q->rdone_at = tb_cycle() + response();
		q->quiet = tb_cycle();
	}
	if (both) {
		peer_reads(q);
		return;
	}
	bool due = perf ? inbound && q->r_in - q->irq_acked < 4 && (unsigned)(q - c) == tb_cycle() % nc && tb_pending(RXREAD) < 4
			: fpdus < 3 * target && !q->dying && !q->tight && q->r_in - q->irq_acked < 20 && q->r_in - q->irq_sent < 8 && tb_chance(1) &&
				  tb_chance(20) && !tb_pending(RXREAD) && !tb_opt("noresp", 0);

	if (due && q->st == HOME) {
		struct rdreq *r = &q->r[q->r_in++ % NW];

		inbound -= perf != 0;

		*r = (struct rdreq){ tb_rand(), perf ? 64 : tb_chance(90) ? tb_below(4000) : tb_below(60000), tb_rand(), tb_rand(), tb_rand(), false, (uint64_t)tb_rand() << 32 | tb_rand() };
		if (!perf && tb_chance(40)) {
			r->atomic = true;
			r->len = 12;
		}
		push_read(q, r);
	}
	while (q->r_acked != q->next_r && q->m[q->una_msg % NM].kind == K_RESP)
		break;
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	unsigned v = bits[0];

	is_idle = v & 1;
	is_ready = v >> 1 & 1;
	blocks += v >> 5 & 1;
	pushes_taken += bits[1] & 1;
}

static void field(uint8_t *h, unsigned lsb, unsigned width, uint64_t v)
{
	tb_bits_set(h, lsb, width, v);
}
#define F(NAME, v) field(q->home, WEFT_HOME_SQ_##NAME##_LSB, WEFT_HOME_SQ_##NAME##_WIDTH, v)

void tb_setup(void)
{
	/* rates: seed 1 one connection, 2 64 of them, 3 reads that 64 of them ask for */
	perf = tb_opt("rate", 0) ? (tb_opt("seed", 1) == 1 ? 1 : 2) : tb_opt("perf", 0);
	both = tb_opt("both", 0);
	nc = perf == 1 ? 1 : perf ? 64 : tb_opt("conns", both ? (tb_opt("seed", 1) % 2 ? 60 : 2) : 48);
	if (nc > MAXC)
		nc = MAXC;
	inbound = perf && tb_opt("rate", 0) && tb_opt("seed", 1) == 3 ? 20000 : 0;
	giant = tb_opt("giant", 0);
	target = tb_opt("posts", inbound ? 64 : perf ? 20000 : both ? 200 * nc + 3000 : 3000);
	lat_lo = perf ? 300 : 1;
	lat_hi = perf ? 300 : 500;
	for (unsigned s = 0; s < SLOTS; s++)
		slot_of[s] = -1;
	for (unsigned i = 0; i < nc; i++) {
		struct conn *q = &c[i];

		q->qpn = i * 3 + 1;
		q->slot = -1;
		q->log2 = perf ? 9 : both ? 8 : tb_range(2, 8);
		q->stride = perf ? 0 : tb_below(3);
		q->ord = tb_range(1, 8);
		q->cqn = tb_rand() & 0xffffff;
		q->pd = tb_rand() & 0xffffff;
		q->port = tb_below(4);
		q->fn = tb_below(256);
		q->crc = tb_chance(50);
		q->markers = !perf && tb_chance(40);
		q->priv = tb_chance(30);
		q->first = tb_below(2000);
		q->gen = tb_below(4);
		q->tight = !perf && !both && (i % 10 == 9 || tb_chance(5));
		q->pusher = !perf && !both && !tb_opt("flip", 0) && !giant && i >= 10 && i % 4 == 2;
		if (q->pusher)
			q->tight = false;
		q->quick = !perf && !q->tight && (q->pusher || tb_chance(20));
		q->posted = q->rung = q->polled = q->next_w = perf ? 0 : tb_chance(30) ? 65500 + tb_below(30) : 0;
		q->off = q->una = q->departed = q->first + 4ull * tb_below(1 << 30) * (perf ? 0 : tb_below(3));
		q->limit = q->off + (perf ? 1 << 20 : q->tight ? tb_below(200) : 20000);
		q->mss_hist[0] = perf ? 1460 : draw_mss();
		q->send_msn = draw_msn();
		q->read_msn = draw_msn();
		q->state = WEFT_QP_STATE_RTS;
		q->kill = perf || both || i % 10 == 9 || tb_opt("nokill", 0) || tb_chance(50) ? K_NOT : tb_chance(30) ? K_PEER : tb_range(K_BAD, K_BUS);
		if (q->pusher)
			q->kill = K_NOT;
		q->kill_at = q->posted + tb_below(2 * target / nc);
		if (!perf && !both && !tb_opt("nokill", 0) && i < 9) {
			/* each way to end, and more of those in which the generation moves */
			q->kill = i < 6 ? (int)(K_BAD + i) : i == 7 ? K_PEER : i == 8 ? K_INV : K_TXERR;
			q->kill_at = q->posted + tb_below(q->kill == K_INV ? 8 : target / nc / 2);
		}
		if (tb_opt("flip", 0) && i >= 9 && i % 10 != 9) {
			q->kill = K_FLIP;
			q->kill_at = q->posted + tb_below(target / nc / 4);
		}
		q->part = q->kill == K_TXERR && i % 2 == 0;
		if (q->part) /* that takes its time */
			q->kill_at = q->posted;
		if (!perf && !both && !q->pusher && tb_chance(20)) {
			q->hold = true;
			q->fw = 8;
			q->fw_at = tb_below(20000);
		}
		q->ring = calloc(1, 64u << q->stride << q->log2);
		F(SQ_BASE, RING_BASE + ((uint64_t)i << 20));
		F(SQ_LOG2, q->log2);
		F(SQ_STRIDE, q->stride);
		F(CRC, q->crc);
		F(MARKERS, q->markers);
		F(STATE, q->state);
		F(PRIV, q->priv);
		F(HOLD, q->hold);
		F(CQN, q->cqn);
		F(PD, q->pd);
		F(FIRST, q->first);
		F(GEN, q->gen);
		F(SQ_INDEX, q->next_w);
		F(SQ_DONE, q->next_w);
		F(MSS, q->mss_hist[0]);
		F(ORD, q->ord);
		F(OFF, q->off);
		F(UNA, q->una);
		F(LIMIT, q->limit);
		F(SEND_MSN, q->send_msn);
		F(READ_MSN, q->read_msn);
		F(PORT, q->port);
		F(FN, q->fn);
	}
	tb_on_item(NEED, on_need, NULL);
	tb_on_item(LINE, on_line, NULL);
	tb_on_item(EV, on_ev, NULL);
	tb_on_item(FPDU, on_fpdu, NULL);
	tb_on_item(SRC, on_src, NULL);
	tb_on_packet(INL, on_pkt, NULL);
	tb_on_packet(VAL, on_pkt, NULL);
	tb_on_item(TXREAD, on_txread, NULL);
	tb_on_item(CQE, on_cqe, NULL);
	tb_on_item(RDREQ, on_rdreq, NULL);
	tb_on_item(DROPS, on_drops, NULL);
	tb_on_item(FRAMES, on_framed, NULL);
	tb_on_item(STATE, on_state, NULL);
	tb_on_item(IRQ, on_irq, NULL);
	tb_on_item(ASKEND, on_end, NULL);
	tb_on_item(OPQ, on_op, NULL);
	tb_item_push(OPDONE, &op_seq, 2);
}

static bool quiet(struct conn *q)
{
	return tb_cycle() - q->quiet > 100;
}

bool tb_step(void)
{
	struct dep **pp, *d;
	bool busy = false;

	static bool begun;

	if (!is_ready)
		return tb_cycle() > 100000;
	/* What the last owner of a queue pair pushed is nobody's. */
	for (unsigned i = 0; !begun && !perf && i < nc; i++)
		if (!c[i].posted) {
			const uint8_t d[WEFT_PUSH_WQE_BYTES] = { WEFT_SQ_OPCODE_WRITE, 1 };

			doorbell(&c[i], 1, d, false);
			doorbell(&c[i], 0, NULL, true);
		}
	begun = true;
	if (tb_cycle() % 1000 == 0 && !perf)
		for (int i = 0; i <= ASKEND; i++) {
			if (i == DROPS || i == STATE)
				continue;
			bool pulse = i == DB || i == ASK || i == HAVE || i == ARRIVE || i == TXACK;

			tb_src_rate(i, pulse || tb_chance(50) ? 100 : tb_range(10, 90));
			tb_snk_rate(i, tb_chance(50) ? 100 : tb_range(10, 90));
		}
	/* Now and then the wire stands still, and somebody at work is to be drained: homes and commands come and go all the same. */
	if (!perf) {
		static const int ports[] = { LOAD, SAVE, CMD };
		static const char *const names[] = { "load", "save", "command" };
		static uint64_t moved[3];
		static size_t had[3];

		if (tb_cycle() % 16384 < 3000)
			tb_snk_rate(FPDU, 0);
		else if (tb_cycle() % 16384 == 3000)
			tb_snk_rate(FPDU, 100);
		if (tb_cycle() % 16384 == 200)
			for (unsigned i = 0; i < nc; i++)
				if (c[i].st == HOME && !c[i].dying && !c[i].fw && !c[i].halt && c[i].kill == K_NOT && !c[i].dr && c[i].pins > 1 && c[i].next_w != c[i].rung) {
					command(&c[i], 3, 0x1234);
					c[i].dr = true;
					break;
				}
		/* Some are halted at work, first who is in the middle of a message, and the window of some of them stays shut for a while. */
		if (tb_cycle() % 16384 == 5000)
			for (unsigned i = 0, n = 0; i < 2 * nc && n < 4; i++) {
				struct conn *q = &c[i % nc];

				if (q->st != HOME || q->dying || q->fw || q->hold || q->kill != K_NOT || q->dr || q->halt || q->pins < 2 || (q->una == q->off && !q->mid) ||
				    (i < nc && !q->mid))
					continue;
				command(q, 2, WEFT_QP_STATE_HALT);
				command(q, 3, 0x1235);
				q->halt = 1;
				q->shut_until = tb_cycle() + (tb_chance(50) ? 6000 : 0);
				halts_mid += q->mid;
				n++;
			}
		for (int k = 0; k < 3; k++) {
			if (tb_pending(ports[k]) != had[k] || !had[k])
				moved[k] = tb_cycle();
			had[k] = tb_pending(ports[k]);
			if (tb_cycle() - moved[k] == 1500)
				tb_fail("a %s waits for 1500 cycles", names[k]);
		}
	}
	if (!perf && !both)
		flood();
	still();
	host();
	tpt();
	for (pp = &deps; (d = *pp);) {
		if (tb_cycle() < d->at || d->framing) {
			pp = &d->next;
			continue;
		}
		if (!(*pp = d->next))
			deps_tail = pp;
		d->q->pins--;
		d->q->quiet = tb_cycle();
		if (!d->again)
			d->q->departed = d->end;
		free(d);
	}
	beside += tb_pending(LOAD) && tb_pending(SAVE);
	/* fills that are through arrive */
	static uint64_t arrived;
	if (!tb_pending(LOAD) && tb_cycle() - arrived >= 12)
		for (unsigned i = 0; i < nc; i++)
			if (c[i].st == COMING) {
				struct tb_pack b;

				arrived = tb_cycle();
				flood_arrivals += arrived < flood_until;
				c[i].st = HOME;
				c[i].wanted = false;
				c[i].edt_hist[HIST - 1] = 0; /* not kept */
				c[i].quiet = tb_cycle();
				tb_pack_begin(&b, 44);
				tb_put(&b, 24, c[i].qpn);
				tb_put(&b, 12, c[i].slot);
				tb_put(&b, 6, i);
				tb_put(&b, 1, 0);
				tb_put(&b, 1, 1);
				tb_item_push(ARRIVE, b.bits, 6);
				break;
			}
	for (unsigned i = 0; i < nc; i++) {
		struct conn *q = &c[i];
		unsigned free_w = (1u << q->log2) - (q->posted - q->polled);

		if (perf == 1 && phase < 3) {
			if ((phase == 0 || (phase == 1 && tb_cycle() > 2000)) && free_w) {
				post(q);
				q->w[(q->posted - 1) % NW].sig = true;
				put_wqe(q, &q->w[(q->posted - 1) % NW]);
				ring(q);
				lat_at = tb_cycle();
				phase++;
			}
		} else if (q->pusher) {
			if (q->n_pushed < 40 && q->posted == q->polled && free_w && tb_chance(5)) {
				post(q);
				q->w[(q->posted - 1) % NW].sig = true;
				q->unsig = 0;
				put_wqe(q, &q->w[(q->posted - 1) % NW]);
				ring(q);
			}
		} else if (posts < target && free_w && (perf ? free_w >= (1u << q->log2) / 2 || tb_cycle() < 6000 : both ? (unsigned)(tb_cycle() % nc) == i && tb_chance(50) : tb_chance(2))) {
			unsigned n = inbound ? !q->posted : perf ? free_w : tb_range(1, free_w < 20 ? free_w : 20);

			if (!n)
				goto posted;
			while (n-- && posts < target)
				post(q);
			/* what nobody sees complete would stay in the ring */
			struct wqe *w = &q->w[(q->posted - 1) % NW];
			if (!w->sig) {
				w->sig = true;
				q->unsig = 0;
				put_wqe(q, w);
			}
			ring(q);
		}
posted:
		if (q->kill == K_FLIP)
			flip(q);
		tcp(q);
		firmware(q);
		rdmap(q);
		/* An inbound read is done when its response is acknowledged, whatever this side waits for: the peer may wait for that with its answer. */
		if (acked_r(q) == q->irq_acked || stag_waits(q) || q->asking || q->st != HOME || q->dying || q->in_err || q->term || q->hold)
			q->irq_even = tb_cycle();
		if (tb_cycle() - q->irq_even == 2500)
			tb_fail("qp %u: %u responses are acknowledged, and of %u rdmap was told", q->qpn, acked_r(q), q->irq_acked);
		busy |= q->asking || q->polled != q->posted || (!q->dying && (q->una != q->off || q->next_r != q->r_in)) || (q->fw && q->fw != 4) || q->dr || q->halt || (q->dying && !q->in_err) || (q->in_err && !q->calm) || q->pins || q->st == GOING || q->st == COMING;
		if (!perf && q->st == HOME && !q->pins && quiet(q) && (!q->in_err || (q->calm && !tb_pending(RDONE))) && !tb_pending(TXACK) && (!tb_pending(DB) || (tb_cycle() < flood_until && q != flooded)) && !tb_pending(SAVE) && !tb_pending(RXREAD) && !tb_pending(HAVE) && tb_chance(3))
			evict(q);
	}
	busy |= deps != NULL || rqs != NULL;
	if (busy || !is_idle)
		idle_since = tb_cycle();
	if (stop)
		return true;
	if (tb_cycle() > (uint64_t)tb_opt("cycles", 1500000)) {
		tb_fail("no end: %u posts, %u FPDUs, %u CQEs, idle %d", posts, fpdus, cqes, is_idle);
		for (unsigned i = 0; i < nc; i++)
			if (c[i].polled != c[i].posted || c[i].una != c[i].off || c[i].next_r != c[i].r_in || c[i].pins)
				tb_note("kill %d at %u fw %u dying %d val_out %d in_err %d err %llu; qp %u st %d slot %d pins %d: posted %u rung %u described %u polled %u off %llu una %llu limit %llu departed %llu reads %u of %u (ord %u), inbound %u of %u mid %d op %u", c[i].kill, c[i].kill_at, c[i].fw, c[i].dying, c[i].val_out, c[i].in_err, (unsigned long long)c[i].err_off, c[i].qpn,
					c[i].st, c[i].slot, c[i].pins, c[i].posted, c[i].rung, c[i].next_w, c[i].polled, (unsigned long long)c[i].off, (unsigned long long)c[i].una,
					(unsigned long long)c[i].limit, (unsigned long long)c[i].departed, c[i].reads_done, c[i].reads_sent, c[i].ord, c[i].next_r, c[i].r_in, c[i].mid, c[i].w[c[i].next_w % NW].op);
		return true;
	}
	return tb_cycle() - idle_since > 2000;
}

void tb_finish(void)
{
	compare();
	tb_check(cmp_p == want_pn && cmp_p == got_pn && cmp_k[0] == want_kn[0] && cmp_k[0] == got_kn[0], "pieces %u %u, packets %u %u", want_pn, got_pn,
		 want_kn[0], got_kn[0]);
	for (unsigned i = 0; i < nc; i++)
		tb_check(c[i].pins == 0, "connection %u: %d pins are left", c[i].qpn, c[i].pins),
		tb_check(c[i].irq_sent == c[i].r_in && c[i].irq_acked == c[i].r_in, "connection %u: %u inbound reads, %u sent, %u acknowledged", c[i].qpn, c[i].r_in,
			 c[i].irq_sent, c[i].irq_acked);
	tb_check(ends == asks, "%u asks, %u are over", asks, ends);
	if (perf == 1)
		tb_note("doorbell to description: %llu cycles, the host's %u and 4 in front of the send queue left out", (unsigned long long)lat - 4, lat_lo);
	if (perf == 1)
		tb_check(lat <= 24 + 4 && fpdus / (double)(last_fpdu - first_fpdu) >= 0.1, "latency or rate of one connection");
	if (perf == 2)
		tb_check(fpdus / (double)(last_fpdu - first_fpdu) >= (tb_opt("seed", 1) == 3 ? 0.2 : 0.25), "rate of 64 connections");
	if (perf)
		tb_note("%u FPDUs in %llu cycles: %.3f a cycle", fpdus, (unsigned long long)(last_fpdu - first_fpdu), fpdus / (double)(last_fpdu - first_fpdu));
	else if (giant)
		tb_check(agains > 20, "%u FPDUs again", agains);
	else if (both)
		tb_check(both_late > 20 && agains > 20, "%u reads of peers that wait, %u FPDUs again", both_late, agains);
	else if (tb_opt("flip", 0))
		tb_check(flips > 20 && flips_seen > 10 && flips_again > 5 && flips_part, "%u WQEs changed under way, %u seen, %u of them when asked for again (%u)", flips, flips_seen,
			 flips_again, flips_part);
	else
		tb_check(asks > 20 && agains > 20 && kills > 3 && flushes > 10 && drains > 3 && values_n > 0, "asks %u again %u kills %u flushes %u drains %u values %u", asks,
			 agains, kills, flushes, drains, values_n),
		tb_check(atoms > 20 && atoms_again, "%u Atomic Responses, %u of them again", atoms, atoms_again),
		tb_check(atomics > 20 && atomics_again && atomics_more > 5, "%u Atomic Requests, %u of them again, %u behind others", atomics, atomics_again, atomics_more),
		tb_check(flood_rings > 400 && flood_arrivals > 9, "%u doorbells in every second cycle, %u arrive behind them", flood_rings, flood_arrivals),
		tb_check(imms > 20 && imms_again, "%u FPDUs of Immediate Data, %u of them again", imms, imms_again),
		tb_check(halts > 3 && halts_mid && value_drains, "%u halted, %u of them in the middle of a message, %u values drained", halts, halts_mid, value_drains),
		tb_check(slow_reads > 20 && aims > 3 && live_drains && gens_home > 0, "%u slow reads, %u limits just in front of an end, %u saved with a new generation", slow_reads, aims, gens_home),
		tb_check(calms > 3 && late_again > 10, "%u in ERR are quiet, %u ended when they were framed again", calms, late_again),
		tb_check(blames + blames_not > 0, "nothing was refused by a peer"),
		tb_check(parts, "nothing that was asked for again and partly acknowledged could not be made"),
		tb_check(regs > 20 && binds > 20 && rebinds > 5, "%u registered, %u bound, %u of them anew", regs, binds, rebinds),
		tb_check(inv_ended > 20 && inv_refused && inv_late && inv_raced > 20, "LOCAL_INV: %u ended, %u refused, %u complete with later work, %u behind unacknowledged work",
			 inv_ended, inv_refused, inv_late, inv_raced),
		tb_check(pushes_taken > 50 && pushes_false > 3, "%u pushed, %u taken, %u that must not be", pushes, pushes_taken, pushes_false),
		tb_check(beside > 100, "%u cycles with a load beside a save", beside),
		tb_check(evicts > 20 && joins_n > 50 && blocks > 50, "evictions %u joins %u blocks %u", evicts, joins_n, blocks);
	tb_note("%u slow reads, %u small steps of a limit, %u just in front of an end, %u generations, %u saved", slow_reads, tights, aims, gens, gens_home);
	tb_note("%u halted, %u in the middle of a message; %u drains of a value, %u of them late; %u values in the middle of a message", halts, halts_mid, value_drains, late_values, value_mid);
	tb_note("%u WQEs changed under way, %u seen, %u of them when asked for again (%u partly acknowledged); %u put back", flips, flips_seen, flips_again, flips_part, flips_back);
	tb_note("%u reads of peers that wait", both_late);
	tb_note("%u pushed, %u taken, %u that must not be", pushes, pushes_taken, pushes_false);
	tb_note("%u registered, %u bound, %u of them anew", regs, binds, rebinds);
	tb_note("LOCAL_INV: %u asked, %u ended, %u refused, %u complete with later work under way, %u behind unacknowledged work", inv_asked, inv_ended, inv_refused, inv_late, inv_raced);
	tb_note("%u refused behind a Terminate, %u with their own status", crossed, crossed_told);
	tb_note("%u killed (%u by what was asked for again, partly acknowledged), %u flushed (%u refused by the peer, %u of another kind), %u values, %u events", kills, parts, flushes, blames, blames_not, values_n, events);
	tb_note("%u in ERR are quiet, %u Reads ended in it; %u ended when they were framed, %u when they were again", calms, read_flushes, late_new, late_again);
	tb_note("%u asks, %u FPDUs again; %u WQEs, %u FPDUs (%u join), %u responses, %u CQEs, %u loads, %u evictions, %u busy, %u times blocked", asks, agains, posts, fpdus, joins_n, resps, cqes, loads,
		evicts, retries, blocks);
}
