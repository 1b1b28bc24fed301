// SPDX-License-Identifier: BSD-2-Clause
#include "model.h"

#include <stdlib.h>
#include <string.h>

struct qp qps[NQP];
uint8_t values[16][64];
unsigned n_seg, n_rexmit, n_over, n_cqe;

static int32_t sdiff(uint32_t a, uint32_t b) { return (int32_t)(a - b); }

static uint32_t fpdu(bool is_tagged, uint32_t pay)
{
	return 2 + (is_tagged ? 14 : 18) + pay + (4 - (2 + (is_tagged ? 14 : 18) + pay) % 4) % 4 + 4;
}

/* ---- expected pieces and in-line packets, and what came ---- */
struct piece {
	unsigned kind, last;
	uint32_t stag, pd, qpn, access;
	uint64_t to;
	unsigned len, priv;
};
static struct piece want_p[1 << 16], got_p[1 << 16];
static unsigned want_pn, got_pn;
static struct {
	unsigned len;
	uint8_t d[256];
} want_i[8192], got_i[8192];
static unsigned want_in, got_in, cmp_p, cmp_i;

static void compare(void)
{
	for (; cmp_p < want_pn && cmp_p < got_pn; cmp_p++) {
		struct piece *w = &want_p[cmp_p & 0xffff], *g = &got_p[cmp_p & 0xffff];

		tb_check(w->kind == g->kind && w->last == g->last, "piece %u: kind %u last %u, want %u %u", cmp_p, g->kind,
			 g->last, w->kind, w->last);
		if (w->kind == 1)
			tb_check(w->stag == g->stag && w->to == g->to && w->len == g->len && w->access == g->access &&
					 w->pd == g->pd && w->qpn == g->qpn && w->priv == g->priv,
				 "piece %u qp %u: stag %x to %llx len %u access %x pd %x qpn %x priv %u, want %x %llx %u %x %x %x %u",
				 cmp_p, w->qpn, g->stag, (unsigned long long)g->to, g->len, g->access, g->pd, g->qpn, g->priv,
				 w->stag, (unsigned long long)w->to, w->len, w->access, w->pd, w->qpn, w->priv);
	}
	for (; cmp_i < want_in && cmp_i < got_in; cmp_i++)
		tb_check(want_i[cmp_i & 8191].len == got_i[cmp_i & 8191].len &&
				 !memcmp(want_i[cmp_i & 8191].d, got_i[cmp_i & 8191].d, want_i[cmp_i & 8191].len),
			 "in-line packet %u: %u bytes, want %u", cmp_i, got_i[cmp_i & 8191].len, want_i[cmp_i & 8191].len);
}

static void want_piece(unsigned kind, unsigned last, uint32_t stag, uint64_t to, unsigned len, bool resp, const struct qp *q)
{
	struct piece *w = &want_p[want_pn++ & 0xffff];

	*w = (struct piece){.kind = kind, .last = last, .stag = stag, .to = to, .len = len};
	w->pd = q->pd;
	w->qpn = q->qpn;
	w->access = 1u << (resp ? WEFT_ACCESS_REMOTE_READ : WEFT_ACCESS_LOCAL_READ);
	w->priv = q->priv && !resp;
}

static void want_range(const struct qp *q, const struct sge *s, unsigned n, uint32_t off, uint32_t len, bool resp)
{
	for (unsigned i = 0; i < n && len; i++) {
		uint32_t part, skip = off < s[i].len ? off : s[i].len;

		off -= skip;
		part = s[i].len - skip;
		if (part > len)
			part = len;
		len -= part;
		for (uint64_t to = s[i].addr + skip; part;) {
			uint32_t one = part > 16384 ? 16384 : part;

			part -= one;
			want_piece(1, !part && !len, s[i].lkey, to, one, resp, q);
			to += one;
		}
	}
}

static void be(uint8_t *p, uint64_t v, unsigned n)
{
	while (n--) {
		p[n] = (uint8_t)v;
		v >>= 8;
	}
}

static void want_inline(const uint8_t *d, unsigned len)
{
	want_i[want_in & 8191].len = len;
	memcpy(want_i[want_in & 8191].d, d, len);
	want_in++;
}

/* ---- read requests told to receive ---- */
struct orq {
	unsigned qpn;
	uint32_t stag, len;
	uint64_t to;
};
static struct orq orqs[4096];
static unsigned orq_in, orq_out;

static void got_orq(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	struct orq *o = &orqs[orq_in++ & 4095];

	tb_unpack_begin(&p, bits, 144);
	o->qpn = (unsigned)tb_get(&p, 16);
	o->stag = (uint32_t)tb_get(&p, 32);
	o->to = tb_get(&p, 64);
	o->len = (uint32_t)tb_get(&p, 32);
}

/* ---- segments ---- */
static struct msg *start_msg(struct qp *q, unsigned op)
{
	struct msg *m;

	if (q->n_msg == MAXM) {
		tb_fail("model full");
		return NULL;
	}
	m = &q->m[q->n_msg];
	m->start = q->snd_max;
	m->msn = 0;
	if (op == 2) {
		if (q->next_r == q->r_in) {
			tb_fail("qp %u: a read response that nobody asked for", q->qpn);
			return NULL;
		}
		m->kind = K_RESP;
		m->idx = q->next_r++;
		m->len = q->r[m->idx].len;
		m->is_tagged = true;
	} else if (op == 7) {
		m->kind = K_VAL;
		m->is_tagged = false;
		m->len = 0; /* set by the caller's command */
		m->idx = 0;
		m->msn = 1;
		q->val_sent = true;
	} else {
		while (q->next_wqe < q->rung && q->w[q->next_wqe].op == WEFT_SQ_OPCODE_NOP)
			q->next_wqe++;
		if (q->next_wqe >= q->rung) {
			tb_fail("qp %u: a message (opcode %u) that was not posted", q->qpn, op);
			return NULL;
		}
		m->kind = K_WQE;
		m->idx = q->next_wqe++;
		m->len = q->w[m->idx].len;
		m->is_tagged = q->w[m->idx].op == WEFT_SQ_OPCODE_WRITE;
		if (q->w[m->idx].op == WEFT_SQ_OPCODE_READ) {
			struct orq *o = &orqs[orq_out & 4095];
			const struct wqe *w = &q->w[m->idx];

			m->len = 28;
			m->msn = q->read_msn++;
			q->reads++;
			tb_check(q->reads - q->rd_done <= q->ord, "qp %u: %u reads outstanding, ORD %u", q->qpn, q->reads - q->rd_done,
				 q->ord);
			tb_check(orq_out < orq_in, "qp %u: Read Request before receive was told", q->qpn);
			orq_out++;
			tb_check(o->qpn == q->qpn && o->stag == w->sge[0].lkey && o->to == w->sge[0].addr && o->len == w->len,
				 "qp %u: orq fields", q->qpn);
		} else if (!m->is_tagged) {
			m->msn = q->send_msn++;
		}
		if (q->w[m->idx].rf)
			for (unsigned i = 0, n = 0; i < m->idx; i++)
				if (q->w[i].op == WEFT_SQ_OPCODE_READ)
					tb_check(++n <= q->rd_done, "qp %u: read fence of WQE %u", q->qpn, m->idx);
		if (q->w[m->idx].lf)
			for (unsigned i = 0; i < q->n_msg; i++)
				tb_check(q->m[i].kind != K_WQE || sdiff(q->ack_max, q->m[i].end) >= 0, "qp %u: local fence of WQE %u",
					 q->qpn, m->idx);
	}
	m->pay = q->mulpdu - (m->is_tagged ? 14 : 18);
	return m;
}

static void close_msg(struct msg *m)
{
	uint32_t full = m->len ? (m->len - 1) / m->pay : 0;

	m->end = m->start + full * fpdu(m->is_tagged, m->pay) + fpdu(m->is_tagged, m->len - full * m->pay);
}

static void got_seg(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	struct qp *q;
	struct msg *m = NULL;
	uint32_t seq, stag, msn, mo, i, off, len, wire;
	unsigned qpn, op, last, slen, crc, psh, rexmit, replay, wqe, resp, e_op, e_wqe;
	uint32_t e_stag = 0, e_mo = 0, e_msn;
	uint64_t to, e_to = 0;

	tb_unpack_begin(&p, bits, 250);
	qpn = (unsigned)tb_get(&p, 16);
	seq = (uint32_t)tb_get(&p, 32);
	op = (unsigned)tb_get(&p, 4);
	last = (unsigned)tb_get(&p, 1);
	stag = (uint32_t)tb_get(&p, 32);
	to = tb_get(&p, 64);
	msn = (uint32_t)tb_get(&p, 32);
	mo = (uint32_t)tb_get(&p, 32);
	slen = (unsigned)tb_get(&p, 16);
	crc = (unsigned)tb_get(&p, 1);
	psh = (unsigned)tb_get(&p, 1);
	rexmit = (unsigned)tb_get(&p, 1);
	replay = (unsigned)tb_get(&p, 1);
	wqe = (unsigned)tb_get(&p, 16);
	resp = (unsigned)tb_get(&p, 1);
	if (qpn >= NQP || !qps[qpn].loaded) {
		tb_fail("segment of QP %u", qpn);
		return;
	}
	q = &qps[qpn];
	n_seg++;

	if (seq == q->snd_max) {
		tb_check(!rexmit, "qp %u: new segment marked as sent again", qpn);
		if (q->n_msg && sdiff(q->m[q->n_msg - 1].end, seq) > 0)
			m = &q->m[q->n_msg - 1];
		else {
			m = start_msg(q, op);
			if (!m)
				return;
			if (m->kind == K_VAL)
				m->len = slen;
			close_msg(m);
			q->n_msg++;
		}
	} else {
		n_rexmit++;
		tb_check(rexmit, "qp %u: segment %08x not marked as sent again (snd_max %08x)", qpn, seq, q->snd_max);
		for (unsigned k = q->n_msg; k--;)
			if (sdiff(seq, q->m[k].start) >= 0) {
				m = &q->m[k];
				break;
			}
		if (!m || sdiff(m->end, seq) <= 0 || sdiff(seq, q->snd_max) > 0) {
			tb_fail("qp %u: segment at %08x, where nothing was sent (snd_max %08x)", qpn, seq, q->snd_max);
			return;
		}
	}
	/* which FPDU of the message */
	i = (seq - m->start) / fpdu(m->is_tagged, m->pay);
	tb_check((seq - m->start) % fpdu(m->is_tagged, m->pay) == 0, "qp %u: %08x is no FPDU boundary", qpn, seq);
	off = i * m->pay;
	len = m->len - off < m->pay ? m->len - off : m->pay;
	wire = fpdu(m->is_tagged, len);

	e_msn = m->msn;
	e_mo = m->is_tagged ? 0 : off;
	e_wqe = 0;
	if (m->kind == K_WQE) {
		const struct wqe *w = &q->w[m->idx];

		e_wqe = (m->idx + q->base) & 0xffff;
		switch (w->op) {
		case WEFT_SQ_OPCODE_WRITE:
			e_op = 0;
			e_stag = w->rstag;
			e_to = w->raddr + off;
			break;
		case WEFT_SQ_OPCODE_READ:
			e_op = 1;
			break;
		default:
			e_op = w->op == WEFT_SQ_OPCODE_SEND_INV ? (w->sol ? 6 : 4) : (w->sol ? 5 : 3);
			e_stag = w->op == WEFT_SQ_OPCODE_SEND_INV ? w->rstag : 0;
		}
		if (w->op == WEFT_SQ_OPCODE_READ) {
			uint8_t h[28];

			be(h, w->sge[0].lkey, 4);
			be(h + 4, w->sge[0].addr, 8);
			be(h + 12, w->len, 4);
			be(h + 16, w->rstag, 4);
			be(h + 20, w->raddr, 8);
			want_piece(2, 1, 0, 0, 0, false, q);
			want_inline(h, 28);
		} else if (!len) {
			want_piece(0, 1, 0, 0, 0, false, q);
		} else if (w->inl) {
			want_piece(2, 1, 0, 0, 0, false, q);
			want_inline(w->data + off, len);
		} else {
			want_range(q, w->sge, w->nsge, off, len, false);
		}
	} else if (m->kind == K_RESP) {
		const struct irq *r = &q->r[m->idx];
		struct sge s = {r->src_to, r->len, r->src_stag};

		e_op = 2;
		e_stag = r->sink_stag;
		e_to = r->sink_to + off;
		e_wqe = m->idx & 0xff;
		if (len)
			want_range(q, &s, 1, off, len, true);
		else
			want_piece(0, 1, 0, 0, 0, true, q);
	} else {
		e_op = 7;
		e_wqe = wqe;
		want_piece(2, 1, 0, 0, 0, false, q);
		want_inline(values[m->idx], len);
	}
	tb_check(op == e_op && last == (off + len == m->len) && slen == len && stag == e_stag && to == e_to && msn == e_msn &&
			 mo == e_mo,
		 "qp %u seq %08x: op %u last %u len %u stag %x to %llx msn %u mo %u, want %u %d %u %x %llx %u %u", qpn, seq, op, last,
		 slen, stag, (unsigned long long)to, msn, mo, e_op, off + len == m->len, len, e_stag, (unsigned long long)e_to, e_msn,
		 e_mo);
	tb_check(crc == q->crc && psh == last && replay == (rexmit || resp) && wqe == e_wqe && resp == (m->kind == K_RESP),
		 "qp %u seq %08x: crc %u psh %u replay %u wqe %u resp %u", qpn, seq, crc, psh, replay, wqe, resp);

	/* order: in sequence, or a jump to the FPDU that holds something acknowledged */
	if (seq != q->prev_end) {
		bool ok = false;

		for (unsigned k = 0; k < q->n_ack && !ok; k++)
			ok = sdiff(q->ack[k], seq) >= 0 && sdiff(seq + wire, q->ack[k]) > 0;
		tb_check(ok, "qp %u: jump from %08x to %08x", qpn, q->prev_end, seq);
	}
	q->prev_end = seq + wire;
	if (sdiff(seq + wire, q->edge) > 0)
		n_over++;
	if (sdiff(seq + wire, q->snd_max) > 0)
		q->snd_max = seq + wire;
	compare();
	on_segment(q, seq, seq + wire, rexmit, op);
}

static void got_src(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	struct piece *g = &got_p[got_pn++ & 0xffff];

	tb_unpack_begin(&p, bits, 164);
	g->kind = (unsigned)tb_get(&p, 2);
	g->last = (unsigned)tb_get(&p, 1);
	g->stag = (uint32_t)tb_get(&p, 32);
	g->to = tb_get(&p, 64);
	g->len = (unsigned)tb_get(&p, 16);
	g->access = (uint32_t)tb_get(&p, 8);
	g->pd = (uint32_t)tb_get(&p, 24);
	g->qpn = (uint32_t)tb_get(&p, 16);
	g->priv = (unsigned)tb_get(&p, 1);
	compare();
}

static void got_inl(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	got_i[got_in & 8191].len = (unsigned)len;
	memcpy(got_i[got_in & 8191].d, data, len > 256 ? 256 : len);
	got_in++;
	compare();
}

/* ---- completions ---- */
static void got_cqe(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	struct qp *q;
	unsigned cqn, qpn, opc, status, index, i;
	uint32_t bytes, vendor_err;

	tb_unpack_begin(&p, bits, 161);
	cqn = (unsigned)tb_get(&p, 16);
	qpn = (unsigned)tb_get(&p, 16);
	opc = (unsigned)tb_get(&p, 8);
	status = (unsigned)tb_get(&p, 8);
	index = (unsigned)tb_get(&p, 16);
	bytes = (uint32_t)tb_get(&p, 32);
	/* a sender invalidates nothing of its own, and solicits nobody */
	tb_check(!tb_get(&p, 32), "qp %u: completion of %u with an invalidated STag", qpn, index);
	vendor_err = (uint32_t)tb_get(&p, 32);
	tb_check(status || !vendor_err, "qp %u: completion of %u: vendor_err %#x", qpn, index, vendor_err);
	tb_check(tb_get(&p, 1) <= (status != 0), "qp %u: solicited completion of %u", qpn, index);
	n_cqe++;
	if (qpn >= NQP || !qps[qpn].loaded) {
		tb_fail("completion of QP %u", qpn);
		return;
	}
	q = &qps[qpn];
	i = (index - q->base) & 0xffff;
	tb_check(cqn == q->cqn && i >= q->cq_next && i < q->rung, "qp %u: completion of %u, next is %u, rung %u, cqn %u", qpn, i,
		 q->cq_next, q->rung, cqn);
	if (i >= q->rung)
		return;
	for (; q->cq_next <= i; q->cq_next++) {
		const struct wqe *w = &q->w[q->cq_next];
		bool done = w->op == WEFT_SQ_OPCODE_NOP, mine = q->cq_next == i;
		unsigned reads = 0;

		if (status == WEFT_WC_STATUS_SUCCESS || !mine) {
			tb_check(w->sig == mine, "qp %u: WQE %u signalled %d", qpn, q->cq_next, w->sig);
			for (unsigned k = 0; k < q->n_msg; k++) {
				if (q->m[k].kind != K_WQE)
					continue;
				if (q->m[k].idx <= q->cq_next && q->w[q->m[k].idx].op == WEFT_SQ_OPCODE_READ)
					reads++;
				if (q->m[k].idx == q->cq_next)
					done = sdiff(q->ack_max, q->m[k].end) >= 0 &&
					       (w->op != WEFT_SQ_OPCODE_READ || reads <= q->rd_done);
			}
			tb_check(done, "qp %u: WQE %u completed early", qpn, q->cq_next);
			tb_check(!q->flushing, "qp %u: success behind an error", qpn);
			if (mine)
				tb_check(opc == (w->op == WEFT_SQ_OPCODE_NOP     ? WEFT_WC_OPCODE_LOCAL
						 : w->op == WEFT_SQ_OPCODE_WRITE ? WEFT_WC_OPCODE_WRITE
						 : w->op == WEFT_SQ_OPCODE_READ  ? WEFT_WC_OPCODE_READ
										 : WEFT_WC_OPCODE_SEND) &&
						 bytes == (w->op == WEFT_SQ_OPCODE_READ ? w->len : 0),
					 "qp %u: WQE %u opcode %u bytes %u", qpn, i, opc, bytes);
		} else {
			unsigned want = q->failed && i == q->fail_idx ? q->fail_status : WEFT_WC_STATUS_WR_FLUSH_ERR;

			tb_check(status == want, "qp %u: WQE %u status %u, want %u", qpn, i, status, want);
			q->flushing = true;
		}
	}
}

static void got_free(int port, const uint8_t *bits, void *arg)
{
	unsigned qpn = (unsigned)tb_bits_get(bits, 0, 16);
	struct qp *q = &qps[qpn % NQP];
	bool ok = false;

	for (unsigned k = 0; k < q->n_msg; k++)
		if (q->m[k].kind == K_RESP && q->m[k].idx == q->r_free)
			ok = sdiff(q->ack_max, q->m[k].end) >= 0;
	tb_check(ok, "qp %u: inbound read %u freed early", qpn, q->r_free);
	q->r_free++;
}

static void got_ev(int port, const uint8_t *bits, void *arg) { on_event(bits); }

/* ---- stimulus ---- */
/* MSNs begin with 1 (RFC 5041 5.3); a long life takes them past every wrap. */
static uint32_t msn_start(void)
{
	switch (tb_below(4)) {
	case 0: return 1;
	case 1: return (tb_below(0x10000) << 16) - tb_range(1, 6);
	default: return (uint32_t)tb_rand();
	}
}

struct qp *qp_new(unsigned qpn)
{
	struct qp *q = &qps[qpn];
	static const unsigned mulpdus[] = {128, 131, 256, 1442, 1447, 4000, 8942};

	memset(q, 0, sizeof(*q));
	q->qpn = qpn;
	q->stride = tb_below(3);
	q->log2 = tb_range(2, 6);
	q->ord = tb_range(1, 6);
	q->mulpdu = mulpdus[tb_below(7)];
	q->mss = ((q->mulpdu + 5) & ~3u) + 4;
	q->wscale = tb_below(6);
	q->cqn = tb_below(256);
	q->pd = tb_below(1 << 24);
	q->crc = tb_chance(70);
	q->priv = tb_chance(20);
	q->ird = 8;
	q->isn = (uint32_t)(tb_chance(30) ? 0u - tb_below(5000) : tb_rand());
	q->base = tb_chance(40) ? 65536 - tb_range(1, 12) : tb_below(65536);
	q->send_msn = msn_start();
	q->read_msn = msn_start();
	return q;
}

void qp_cmd(struct qp *q, unsigned cmd, unsigned state, unsigned index, unsigned len)
{
	uint8_t c[64] = {0};

	tb_bits_set(c, WEFT_CTX_TX_STATE_LSB, 2, state);
	tb_bits_set(c, WEFT_CTX_TX_SQ_INDEX_LSB, 16, index);
	tb_bits_set(c, WEFT_CTX_TX_MULPDU_LSB, 16, len);
	tb_bits_set(c, WEFT_CTX_TX_CMD_LSB, 8, cmd);
	tb_cfg_ctx(WEFT_ROOM_QP_TX, q->qpn, c);
}

void qp_load(struct qp *q, unsigned state, bool hold, uint32_t una_back)
{
	uint8_t c[64] = {0};

	for (int pass = 0; pass < 2; pass++) {
		/* the first load, in RESET, forgets doorbells of an earlier life */
		tb_bits_set(c, WEFT_CTX_TX_SQ_BASE_LSB, 64, (uint64_t)(q->qpn + 1) << 20);
		tb_bits_set(c, WEFT_CTX_TX_SQ_LOG2_LSB, 4, q->log2);
		tb_bits_set(c, WEFT_CTX_TX_SQ_STRIDE_LSB, 2, q->stride);
		tb_bits_set(c, WEFT_CTX_TX_STATE_LSB, 2, pass ? state : WEFT_QP_STATE_RESET);
		tb_bits_set(c, WEFT_CTX_TX_CRC_LSB, 1, q->crc);
		tb_bits_set(c, WEFT_CTX_TX_PRIV_LSB, 1, q->priv);
		tb_bits_set(c, WEFT_CTX_TX_HOLD_LSB, 1, hold);
		tb_bits_set(c, WEFT_CTX_TX_CQN_LSB, 16, q->cqn);
		tb_bits_set(c, WEFT_CTX_TX_PD_LSB, 24, q->pd);
		tb_bits_set(c, WEFT_CTX_TX_ORD_LSB, 8, q->ord);
		tb_bits_set(c, WEFT_CTX_TX_MULPDU_LSB, 16, q->mulpdu);
		tb_bits_set(c, WEFT_CTX_TX_MSS_LSB, 16, q->mss);
		tb_bits_set(c, WEFT_CTX_TX_SND_WSCALE_LSB, 8, q->wscale);
		tb_bits_set(c, WEFT_CTX_TX_SND_UNA_LSB, 32, q->isn - una_back);
		tb_bits_set(c, WEFT_CTX_TX_SND_NXT_LSB, 32, q->isn);
		tb_bits_set(c, WEFT_CTX_TX_SND_WND_LSB, 32, 65535);
		tb_bits_set(c, WEFT_CTX_TX_SEND_MSN_LSB, 32, q->send_msn);
		tb_bits_set(c, WEFT_CTX_TX_READ_MSN_LSB, 32, q->read_msn);
		tb_bits_set(c, WEFT_CTX_TX_SQ_INDEX_LSB, 16, q->base);
		tb_bits_set(c, WEFT_CTX_TX_SQ_CMPL_LSB, 16, q->base);
		tb_bits_set(c, WEFT_CTX_TX_SRTT_US_LSB, 32, 10);
		tb_cfg_ctx(WEFT_ROOM_QP_TX, q->qpn, c);
	}
	q->snd_max = q->prev_end = q->rcv_nxt = q->isn;
	q->ack_max = q->isn - una_back;
	q->edge = q->isn + 65535;
	q->ack[q->n_ack++] = q->isn;
	q->loaded = true;
}

void wqe_random(struct qp *q, struct wqe *w)
{
	static const uint8_t ops[] = {0, 0, 1, 2, 2, 2, 3, 8};
	unsigned max_sge = ((64u << q->stride) - 32) / 16;

	memset(w, 0, sizeof(*w));
	w->op = ops[tb_below(8)];
	w->sig = tb_chance(50);
	w->sol = tb_chance(30);
	w->rf = tb_chance(5);
	w->lf = tb_chance(5);
	w->rstag = (uint32_t)tb_rand();
	w->raddr = tb_rand();
	if (max_sge > 14)
		max_sge = 14;
	if (w->op != WEFT_SQ_OPCODE_READ && tb_chance(25)) {
		w->inl = true;
		w->len = tb_chance(10) ? 0 : tb_range(1, (64u << q->stride) - 32);
		tb_rand_bytes(w->data, w->len);
	} else {
		unsigned small = tb_chance(50);

		w->nsge = (uint8_t)(w->op == WEFT_SQ_OPCODE_READ ? 1 : tb_below(max_sge + 1));
		for (unsigned i = 0; i < w->nsge; i++) {
			w->sge[i].addr = tb_rand();
			w->sge[i].lkey = (uint32_t)tb_rand();
			w->sge[i].len = tb_chance(15) ? 0 : tb_range(1, small ? 100 : tb_chance(10) && !q->wnd_mode ? 17000 + 2 * q->mulpdu : 3 * q->mulpdu);
			w->len += w->sge[i].len;
		}
	}
}

uint8_t *wqe_raw(struct qp *q, unsigned i)
{
	return q->ring + ((i + q->base) & ((1u << q->log2) - 1)) * (64u << q->stride);
}

unsigned wqe_post(struct qp *q, const struct wqe *w)
{
	unsigned i = q->posted++;
	uint8_t *b = wqe_raw(q, i);

	if (i >= MAXW)
		abort();
	q->w[i] = *w;
	memset(b, 0, 64u << q->stride);
	tb_bits_set(b, WEFT_SQE_OPCODE_LSB, 8, w->op);
	tb_bits_set(b, WEFT_SQE_SIGNALED_LSB, 1, w->sig);
	tb_bits_set(b, WEFT_SQE_SOLICITED_LSB, 1, w->sol);
	tb_bits_set(b, WEFT_SQE_INLINE_LSB, 1, w->inl);
	tb_bits_set(b, WEFT_SQE_READ_FENCE_LSB, 1, w->rf);
	tb_bits_set(b, WEFT_SQE_LOCAL_FENCE_LSB, 1, w->lf);
	tb_bits_set(b, WEFT_SQE_NUM_SGE_LSB, 8, w->nsge);
	tb_bits_set(b, WEFT_SQE_INDEX_LSB, 16, (i + q->base) & 0xffff);
	tb_bits_set(b, WEFT_SQE_LENGTH_LSB, 32, w->len);
	tb_bits_set(b, WEFT_SQE_RSTAG_LSB, 32, w->rstag);
	tb_bits_set(b, WEFT_SQE_RADDR_LSB, 64, w->raddr);
	if (w->inl)
		memcpy(b + 32, w->data, w->len);
	for (unsigned k = 0; k < w->nsge; k++) {
		tb_bits_set(b + 32 + 16 * k, 0, 64, w->sge[k].addr);
		tb_bits_set(b + 32 + 16 * k, 64, 32, w->sge[k].len);
		tb_bits_set(b + 32 + 16 * k, 96, 32, w->sge[k].lkey);
	}
	return i;
}

void ring_doorbell(struct qp *q)
{
	uint32_t db = (((q->posted + q->base) & 0xffff) << 16) | q->qpn;

	q->rung = q->posted;
	tb_item_push(13, &db, 4);
}

void push_ack(struct qp *q, uint32_t ack, uint32_t wnd, bool bare)
{
	struct tb_pack p;
	uint32_t w = wnd >> q->wscale;

	if (w > 65535)
		w = 65535;
	tb_pack_begin(&p, 65);
	tb_put(&p, 16, q->qpn);
	tb_put(&p, 32, ack);
	tb_put(&p, 16, w);
	tb_put(&p, 1, bare);
	tb_item_push(1, p.bits, 9);
	if (q->n_ack < MAXA)
		q->ack[q->n_ack++] = ack;
	if (sdiff(ack, q->ack_max) > 0)
		q->ack_max = ack;
	if (sdiff(ack + (w << q->wscale), q->edge) > 0)
		q->edge = ack + (w << q->wscale);
}

void push_irq(struct qp *q, const struct irq *r)
{
	struct tb_pack p;

	q->r[q->r_in++] = *r;
	tb_pack_begin(&p, 240);
	tb_put(&p, 16, q->qpn);
	tb_put(&p, 32, r->sink_stag);
	tb_put(&p, 64, r->sink_to);
	tb_put(&p, 32, r->len);
	tb_put(&p, 32, r->src_stag);
	tb_put(&p, 64, r->src_to);
	tb_item_push(0, p.bits, 30);
}

bool qp_all_sent(const struct qp *q)
{
	unsigned n = q->next_wqe;

	while (n < q->posted && q->w[n].op == WEFT_SQ_OPCODE_NOP)
		n++;
	return n == q->posted && q->next_r == q->r_in && (!q->n_msg || q->snd_max == q->m[q->n_msg - 1].end);
}

void model_start(void)
{
	tb_on_item(4, got_seg, NULL);
	tb_on_item(5, got_src, NULL);
	tb_on_packet(6, got_inl, NULL);
	tb_on_item(7, got_orq, NULL);
	tb_on_item(8, got_cqe, NULL);
	tb_on_item(9, got_ev, NULL);
	tb_on_item(12, got_free, NULL);
}
