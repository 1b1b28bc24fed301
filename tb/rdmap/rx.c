// SPDX-License-Identifier: BSD-2-Clause
/*
 * Lives of queue pairs: each is loaded, receives random messages over a TCP that loses, repeats, reorders and cuts segments
 * anywhere, ends in one of the faults, is flushed and drained, and starts anew.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define MAXQ 4096

static unsigned lives, started, lives_done, faults_seen[128];
static uint64_t stats[10];
static bool idle;
static uint64_t activity;

/* ---- answers in order after a random delay ---- */
struct delayed {
	uint64_t due;
	unsigned port, len;
	bool err, packet;
	uint8_t d[256];
};
static struct delayed dq[3][MAXQ];
static unsigned dh[3], dt[3];
static unsigned latency = 40;

static struct delayed *later(unsigned k, unsigned port)
{
	struct delayed *e = &dq[k][dt[k]++ % MAXQ];

	memset(e, 0, sizeof(*e));
	e->due = tb_cycle() + tb_below(latency);
	e->port = port;
	return e;
}

static void on_xlate(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	uint32_t stag, len, access, pd, qpn;
	uint64_t to;
	unsigned err;

	tb_unpack_begin(&p, bits, 161);
	stag = (uint32_t)tb_get(&p, 32);
	to = tb_get(&p, 64);
	len = (uint32_t)tb_get(&p, 16);
	access = (uint32_t)tb_get(&p, 8);
	pd = (uint32_t)tb_get(&p, 24);
	qpn = (uint32_t)tb_get(&p, 16);
	tb_check(len && len <= 16384, "translation of %u bytes", len);
	tb_check(qpn < NQP && pd == qps[qpn].pd, "translation for QP %u with PD %#x", qpn, pd);
	err = xlate(stag, to, len, (uint8_t)access, pd, qpn);
	do {
		uint32_t n = 0, a = 0;
		struct delayed *e = later(0, P_XR);
		struct tb_pack r;

		if (!err) {
			a = phys(region_of(stag), to);
			n = PAGE - a % PAGE;
			if (n > len)
				n = len;
		}
		len = err ? 0 : len - n;
		to += n;
		tb_pack_begin(&r, 85);
		tb_put(&r, 64, a);
		tb_put(&r, 16, n);
		tb_put(&r, 1, len == 0);
		tb_put(&r, 4, err);
		memcpy(e->d, r.bits, 11);
		e->len = 11;
	} while (len);
}

#define RING_AT(q) (0x123400000000ull + ((uint64_t)(q) << 20))

static void on_rd_req(int port, const uint8_t *bits, void *arg)
{
	uint64_t addr = tb_bits_get(bits, 0, 64), off;
	uint32_t len = (uint32_t)tb_bits_get(bits, 64, 16);
	unsigned q = (unsigned)((addr - RING_AT(0)) >> 20);
	struct delayed *e = later(1, P_RR);

	off = addr - RING_AT(q);
	if (q >= NQP || off + len > sizeof(qps[q].ring) || len != 64u << qps[q].stride || off % len) {
		tb_fail("WQE read of %u bytes at %#llx", len, (unsigned long long)addr);
		return;
	}
	memcpy(e->d, qps[q].ring + off, len);
	e->len = len;
	e->packet = true;
	/* the last posted is the one that cannot be read */
	e->err = qps[q].dma_err && off / len == (uint16_t)(qps[q].rq_post - 1) % RING;
	if (e->err && tb_chance(50))
		e->len = 8;
}

static void on_inv(int port, const uint8_t *bits, void *arg)
{
	unsigned q = (unsigned)tb_bits_get(bits, 0, 16);
	struct delayed *e = later(2, P_INVR);
	uint32_t stag = (uint32_t)tb_bits_get(bits, 40, 32);

	tb_check(q < NQP && tb_bits_get(bits, 16, 24) == qps[q].pd, "invalidate for QP %u", q);
	e->d[0] = stag == 0xdead0000 ? (uint8_t)qps[q].inv_err : 0;
	e->len = 1;
}

static void run_delayed(void)
{
	for (unsigned k = 0; k < 3; k++) {
		while (dh[k] != dt[k] && dq[k][dh[k] % MAXQ].due <= tb_cycle()) {
			struct delayed *e = &dq[k][dh[k]++ % MAXQ];

			if (e->packet)
				tb_packet_push(e->port, e->d, e->len, NULL, 0, e->err);
			else
				tb_item_push(e->port, e->d, e->len);
		}
		tb_check(dt[k] - dh[k] < MAXQ, "model: queue %u too long", k);
	}
}

/* ---- what comes out ---- */
static void on_write(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	uint64_t addr = tb_bits_get(side, 0, 64);
	uint32_t len = (uint32_t)tb_bits_get(side, 64, 16);

	tb_check(len == n && n, "write of %u bytes carries %zu", len, n);
	if (addr + n > MEM_BYTES) {
		tb_fail("write at %#llx", (unsigned long long)addr);
		return;
	}
	memcpy(mem + addr, d, n);
	for (unsigned q = 0; q < NQP; q++)
		for (unsigned r = 0; r < N_REG; r++)
			for (unsigned p = 0; p < 32; p++)
				if (qps[q].reg[r].page[p] == addr / PAGE)
					qps[q].written += n;
}

static struct qp *qp_of(unsigned q, const char *what)
{
	static struct qp none;

	if (q < NQP && qps[q].phase >= PH_RUN)
		return &qps[q];
	tb_fail("%s for QP %u, which does not run", what, q);
	return &none;
}

static uint64_t cum_at(struct qp *q, uint32_t off)
{
	uint64_t c = 0;

	for (unsigned i = 0; i < q->nfp && q->fp[i].off + q->fp[i].len <= off; i++)
		c = q->fp[i].cum;
	return c;
}

static void on_commit(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	struct qp *q;
	uint32_t nxt, off;
	bool first;
	unsigned i;

	tb_unpack_begin(&p, bits, 50);
	q = qp_of((unsigned)tb_get(&p, 16), "commit");
	nxt = (uint32_t)tb_get(&p, 32);
	tb_get(&p, 1);
	first = tb_get(&p, 1);
	off = nxt - q->iss;
	for (i = 0; i < q->nfp && q->fp[i].off + q->fp[i].len != off; i++)
		;
	tb_check(off > q->una && i < q->nfp, "QP %u (%s): commit of %u, had %u", q->n, fault_name(q->fault), off, q->una);
	tb_check(first != q->got_first, "QP %u: first is %d", q->n, first);
	tb_check(!q->got_ev && (!q->want_ev || off <= q->ev_off || q->ev_kind == WEFT_FW_EV_RX_TERMINATE),
		 "QP %u (%s): faulty FPDU at %u, commit of %u", q->n, fault_name(q->fault), q->ev_off, off);
	tb_check(q->written >= cum_at(q, off), "QP %u: commit of %u before its payload: %llu of %llu", q->n, off,
		 (unsigned long long)q->written, (unsigned long long)cum_at(q, off));
	q->got_first = true;
	q->una = off;
	if (q->nxt < off)
		q->nxt = off;
	q->progress = tb_cycle();
}

static unsigned firsts;
static void on_first(int port, const uint8_t *bits, void *arg) { firsts++; }

static void on_ackreq(int port, const uint8_t *bits, void *arg)
{
	struct qp *q = qp_of((unsigned)tb_bits_get(bits, 0, 16), "ackreq");

	tb_check(!q->got_ev, "QP %u: duplicate ACK after the fault", q->n);
	if (tb_cycle() - q->progress > 200 && tb_chance(50)) {
		q->nxt = q->una;
		q->progress = tb_cycle();
	}
}

static void on_cqe(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	unsigned cqn, opcode, status, index;
	uint32_t bytes, inv;
	struct cqe_want w;
	struct qp *q;
	bool sol;

	tb_unpack_begin(&p, bits, 161);
	cqn = (unsigned)tb_get(&p, 16);
	q = qp_of((unsigned)tb_get(&p, 16), "CQE");
	opcode = (unsigned)tb_get(&p, 8);
	status = (unsigned)tb_get(&p, 8);
	index = (unsigned)tb_get(&p, 16);
	bytes = (uint32_t)tb_get(&p, 32);
	inv = (uint32_t)tb_get(&p, 32);
	tb_get(&p, 32);
	sol = tb_get(&p, 1);
	if (q->gotcqe == q->ncqe) {
		tb_fail("QP %u (%s): CQE of %u, status %u, one too many", q->n, fault_name(q->fault), index, status);
		return;
	}
	w = q->cqe[q->gotcqe++];
	tb_check(cqn == CQN_OF(q->n) && index == w.index && status == w.status && opcode == w.opcode && bytes == w.bytes &&
			 inv == w.inv && sol == w.sol,
		 "QP %u (%s): CQE %u/%u status %u/%u opcode %u/%u bytes %u/%u inv %#x/%#x sol %d/%d", q->n,
		 fault_name(q->fault), index, w.index, status, w.status, opcode, w.opcode, bytes, w.bytes, inv, w.inv, sol,
		 w.sol);
	tb_check(q->written >= w.cum, "QP %u: CQE before its payload", q->n);
	q->rq_done = (uint16_t)(index + 1);
}

static void on_irq(int port, const uint8_t *bits, void *arg)
{
	struct irq_want w, g;
	struct tb_pack p;
	struct qp *q;

	tb_unpack_begin(&p, bits, 240);
	q = qp_of((unsigned)tb_get(&p, 16), "inbound read");
	g.sink_stag = (uint32_t)tb_get(&p, 32);
	g.sink_to = tb_get(&p, 64);
	g.len = (uint32_t)tb_get(&p, 32);
	g.src_stag = (uint32_t)tb_get(&p, 32);
	g.src_to = tb_get(&p, 64);
	if (q->rd_got == q->nirq) {
		tb_fail("QP %u: inbound read too many", q->n);
		return;
	}
	w = q->irq[q->rd_got++];
	tb_check(g.sink_stag == w.sink_stag && g.sink_to == w.sink_to && g.len == w.len && g.src_stag == w.src_stag &&
			 g.src_to == w.src_to,
		 "QP %u: inbound read %u differs", q->n, q->rd_got - 1);
	/* a read that is needed to fill the queue is never given back */
}

static void on_rd_done(int port, const uint8_t *bits, void *arg)
{
	struct qp *q = qp_of((unsigned)tb_bits_get(bits, 0, 16), "read done");

	tb_check(++q->orq_done <= q->orq_want, "QP %u: read done too many", q->n);
}

static void on_event(int port, const uint8_t *b, void *arg)
{
	unsigned kind = b[0], hb = b[1], code = (unsigned)tb_bits_get(b, 16, 16), off;
	struct qp *q = qp_of((unsigned)tb_bits_get(b, 32, 32), "event");

	off = (uint32_t)tb_bits_get(b, 64, 32) - q->iss;
	if (kind == WEFT_FW_EV_DRAINED) {
		tb_check(q->phase == PH_DRAIN && code == WEFT_ROOM_RX, "QP %u: DRAINED in phase %u", q->n, q->phase);
		q->got_drained = true;
		return;
	}
	if (kind == WEFT_FW_EV_RX_FIN) {
		tb_check(q->fin && !q->got_fin && off == q->len && q->una == q->len, "QP %u: FIN at %u", q->n, off);
		q->got_fin = true;
		return;
	}
	tb_check(q->want_ev && !q->got_ev && kind == q->ev_kind && code == q->ev_code && hb == q->ev_hdr && off == q->ev_off,
		 "QP %u (%s): event %u/%u code %04x/%04x header %u/%u at %u/%u", q->n, fault_name(q->fault), kind, q->ev_kind,
		 code, q->ev_code, hb, q->ev_hdr, off, q->ev_off);
	tb_check(!memcmp(b + 16, q->stream + q->ev_off + 2, hb), "QP %u (%s): header of the event", q->n,
		 fault_name(q->fault));
	tb_check(q->una == (kind == WEFT_FW_EV_RX_TERMINATE ? q->una : q->ev_off), "QP %u (%s): event at %u, committed %u",
		 q->n, fault_name(q->fault), q->ev_off, q->una);
	q->got_ev = true;
	q->progress = tb_cycle();
	faults_seen[q->fault]++;
}

static void on_ctx(int port, const uint8_t *bits, void *arg)
{
	struct qp *q = &qps[tb_bits_get(bits, 0, 16) % NQP];
	unsigned state = (unsigned)tb_bits_get(bits, 16 + 72, 2);

	tb_check(tb_bits_get(bits, 16 + WEFT_CTX_RX_RCV_NXT_LSB, 32) == q->iss, "QP %u: context given out", q->n);
	if (q->phase == PH_RESET && state == WEFT_QP_STATE_RESET) {
		q->phase = PH_LOAD;
		q->phase_cycle = tb_cycle();
	} else if (q->phase == PH_LOAD && state == WEFT_QP_STATE_RTS) {
		q->phase = PH_RUN;
		q->phase_cycle = tb_cycle();
		q->progress = tb_cycle();
	} else {
		tb_fail("QP %u: context in phase %u", q->n, q->phase);
	}
}

static void on_stat(int port, const uint8_t *bits, void *arg)
{
	for (unsigned i = 0; i < 10; i++)
		stats[i] += tb_bits_get(bits, i, 1);
	activity = tb_cycle();
}

static void on_idle(int port, const uint8_t *bits, void *arg) { idle = bits[0] & 1; }

/* ---- the peer ---- */
static void send_segment(struct qp *q, uint32_t off, uint32_t len, bool fin)
{
	struct tb_pack p;

	tb_pack_begin(&p, 65);
	tb_put(&p, 16, q->n);
	tb_put(&p, 32, q->iss + off);
	tb_put(&p, 16, len);
	tb_put(&p, 1, fin);
	tb_item_push(P_SEG, p.bits, 9);
	if (len)
		tb_packet_push(P_PAY, q->stream + off, len, NULL, 0, false);
}

/* A lossy sender: go back to una after a while without progress. */
static void peer(struct qp *q)
{
	uint32_t off = q->nxt, end = off, limit;
	bool fin = false;

	if (tb_pending(P_SEG) > 5 || tb_pending(P_DB) || tb_pending(P_ORQ))
		return;
	if (tb_cycle() - q->progress > 1500) {
		q->progress = tb_cycle();
		q->nxt = off = q->una;
	}
	limit = q->len;
	if (off >= limit && !(q->fin && !q->got_fin && off == limit))
		return;
	if (off - q->una > 40000)
		return;
	if (off == q->una && off && tb_chance(20)) {
		uint32_t back = tb_range(1, 300);

		off -= back < off ? back : off; /* repeats bytes that were taken */
	}
	end = off;
	while (end < limit) {
		unsigned i = 0;

		while (q->fp[i].off + q->fp[i].len <= end)
			i++;
		if (q->fp[i].off + q->fp[i].len - off > 9000 || (end > q->nxt && q->fp[i].off + q->fp[i].len - off > q->mss))
			break;
		end = q->fp[i].off + q->fp[i].len;
		if (end > q->nxt && tb_chance(40))
			break;
	}
	if (tb_chance(4) && end - off > 1)
		end = off + tb_range(1, end - off - 1);
	fin = q->fin && end == limit && (off == end || tb_chance(50));
	if (tb_chance(90))
		send_segment(q, off, end - off, fin);
	if (tb_chance(5))
		send_segment(q, off, end - off, fin);
	if (tb_chance(2)) /* a probe one byte back */
		send_segment(q, q->una - (q->una > 0), 0, false);
	if (end > q->nxt)
		q->nxt = end;
}

static void load(struct qp *q, unsigned state, unsigned cmd)
{
	uint8_t c[64];

	memset(c, 0, sizeof(c));
	if (cmd != WEFT_CTX_CMD_WRITE) { /* nothing but the state counts */
		tb_rand_bytes(c, sizeof(c));
		tb_bits_set(c, WEFT_CTX_RX_STATE_LSB, 2, state);
		tb_bits_set(c, WEFT_CTX_RX_CMD_LSB, 8, cmd);
		tb_cfg_ctx(WEFT_ROOM_RX, q->n, c);
		return;
	}
	tb_bits_set(c, WEFT_CTX_RX_RQ_BASE_LSB, 64, RING_AT(q->n));
	tb_bits_set(c, WEFT_CTX_RX_RQ_LOG2_LSB, 4, 6);
	tb_bits_set(c, WEFT_CTX_RX_RQ_STRIDE_LSB, 2, q->stride);
	tb_bits_set(c, WEFT_CTX_RX_STATE_LSB, 2, state);
	tb_bits_set(c, WEFT_CTX_RX_CRC_LSB, 1, q->crc);
	tb_bits_set(c, WEFT_CTX_RX_CQN_LSB, 16, CQN_OF(q->n));
	tb_bits_set(c, WEFT_CTX_RX_PD_LSB, 24, q->pd);
	tb_bits_set(c, WEFT_CTX_RX_IRD_LSB, 8, q->ird);
	tb_bits_set(c, WEFT_CTX_RX_RCV_NXT_LSB, 32, q->iss);
	tb_bits_set(c, WEFT_CTX_RX_ACCESS_LSB, 8, q->access);
	tb_bits_set(c, WEFT_CTX_RX_SEND_MSN_LSB, 32, q->send_msn);
	tb_bits_set(c, WEFT_CTX_RX_READ_MSN_LSB, 32, q->read_msn);
	tb_bits_set(c, WEFT_CTX_RX_RQ_INDEX_LSB, 16, q->rq_use);
	tb_bits_set(c, WEFT_CTX_RX_CMD_LSB, 8, cmd);
	tb_cfg_ctx(WEFT_ROOM_RX, q->n, c);
}

static void rnext(uint32_t data, bool err, void *arg)
{
	struct qp *q = arg;

	tb_check(data == q->iss, "QP %u: RCV_NXT right behind the commit: %#x, want %#x", q->n, data, q->iss);
}

static void rnothing(uint32_t data, bool err, void *arg) {}

static void begin(struct qp *q)
{
	started++;
	static unsigned next_fault;

	q->fault = next_fault++ % n_faults;
	q->iss = tb_chance(30) ? 0u - tb_below(20000) : (uint32_t)tb_rand();
	q->len = q->una = q->nxt = q->nfp = 0;
	q->cum = q->written = 0;
	q->mss = tb_chance(30) ? 8948 : tb_chance(50) ? 1448 : tb_range(536, 9000);
	q->msgs = tb_range(1, (unsigned)tb_opt("msgs", 25));
	q->crc = tb_chance(70);
	q->fin = q->got_fin = q->ended = false;
	q->send_msn = tb_chance(30) ? 0u - tb_below(3) : 1;
	q->read_msn = tb_chance(30) ? 0u - tb_below(3) : 1;
	q->rd_gen = q->rd_got = q->rd_free = 0;
	q->orq_gen = q->orq_done = q->orq_want = 0;
	q->stride = tb_below(3);
	q->ahead = tb_below(12);
	q->rq_post = q->rq_use = q->rq_done = (uint16_t)tb_rand();
	q->ncqe = q->gotcqe = q->nirq = 0;
	q->want_ev = q->got_ev = q->got_first = q->got_drained = false;
	q->reg[R_BUS].pd = 0x99;
	fault_prepare(q);
	q->phase = PH_RESET;
	q->phase_cycle = tb_cycle();
	load(q, WEFT_QP_STATE_RESET, WEFT_CTX_CMD_WRITE);
	tb_cfg_read(WEFT_ROOM_RX << 22 | q->n * 64, rnothing, NULL);
	tb_cfg_read(WEFT_ROOM_RX << 22 | q->n * 64 | WEFT_CTX_RX_RCV_NXT_OFF, rnext, q);
}

static void rdata(uint32_t data, bool err, void *arg)
{
	static struct qp *q;
	static uint32_t w[16];
	static unsigned n;
	uint8_t c[64];

	if (arg)
		q = arg, n = 0;
	w[n++] = data;
	if (n < 16)
		return;
	memcpy(c, w, 64);
	tb_check(tb_bits_get(c, WEFT_CTX_RX_RCV_NXT_LSB, 32) == q->iss + q->una, "QP %u: RCV_NXT read back", q->n);
	tb_check(tb_bits_get(c, WEFT_CTX_RX_RQ_INDEX_LSB, 16) == q->rq_post, "QP %u: RQ_INDEX read back", q->n);
	tb_check(tb_bits_get(c, WEFT_CTX_RX_STATE_LSB, 2) == WEFT_QP_STATE_ERR && tb_bits_get(c, 0, 64) == RING_AT(q->n),
		 "QP %u: context read back", q->n);
	if (!q->want_ev)
		tb_check(tb_bits_get(c, WEFT_CTX_RX_SEND_MSN_LSB, 32) == q->send_msn &&
				 tb_bits_get(c, WEFT_CTX_RX_READ_MSN_LSB, 32) == q->read_msn,
			 "QP %u: MSNs read back", q->n);
	q->phase = PH_DONE;
}

static void want_flush(struct qp *q)
{
	for (; q->rq_use != q->rq_post; q->rq_use++)
		q->cqe[q->ncqe++] =
			(struct cqe_want){ q->rq_use, WEFT_WC_STATUS_WR_FLUSH_ERR, WEFT_WC_OPCODE_RECV, 0, 0, false, 0 };
}

static bool all_seen(struct qp *q)
{
	uint32_t goal = q->want_ev && q->ev_kind == WEFT_FW_EV_RX_FAULT && q->ev_off < q->len ? q->ev_off : q->len;

	if (q->want_ev && q->ev_kind == WEFT_FW_EV_RX_TERMINATE)
		goal = q->una; /* checked by the event */
	goal += q->fin && q->want_ev;
	return q->una == goal && q->got_ev == q->want_ev && q->got_fin == q->fin && q->gotcqe == q->ncqe &&
	       q->rd_got == q->nirq && q->orq_done == q->orq_want;
}

static void live(struct qp *q)
{
	uint64_t age = tb_cycle() - q->phase_cycle;

	switch (q->phase) {
	case PH_LOAD:
		if (q->ahead && tb_chance(5)) {
			q->ahead--;
			post(q, tb_below(3000), true);
		} else if (age < 100000 && age > 20 && !q->ahead) {
			load(q, WEFT_QP_STATE_RTS, WEFT_CTX_CMD_WRITE);
			q->phase_cycle -= 100000;
		}
		break;
	case PH_RUN:
		if (!q->ended && q->len - q->nxt < 20000) {
			if (q->msgs) {
				q->msgs--;
				gen_any(q);
			} else if (q->rd_gen - q->rd_free < q->ird) {
				fault_inject(q);
				if (q->want_ev && !q->inv_err) { /* must not be placed (behind a refused invalidate it may) */
					uint8_t h[14], d[100];

					tb_rand_bytes(d, sizeof(d));
					for (unsigned i = tb_below(3); i; i--) {
						tagged(h, 0, true, q->reg[R_RW].stag, q->reg[R_RW].base);
						add_fpdu(q, h, 14, d, sizeof(d), false, -1);
					}
				}
			}
		}
		/* give inbound reads back, but not those that fill the queue for the fault */
		if (q->rd_free < q->rd_got && (!q->ended || strcmp(fault_name(q->fault), "read ird")) && tb_chance(3)) {
			uint16_t n = (uint16_t)q->n;

			q->rd_free++;
			tb_item_push(P_FREE, &n, 2);
		}
		if (tb_chance(20))
			peer(q);
		if (q->ended && all_seen(q)) {
			if (q->fin && !strcmp(fault_name(q->fault), "after fin") && !q->want_ev) {
				/* data behind FIN (RFC 5041 6.2.1) */
				q->want_ev = true;
				q->ev_kind = WEFT_FW_EV_RX_FAULT;
				q->ev_code = 0x0207;
				q->ev_hdr = 0;
				q->ev_off = q->len + 1;
				q->una++; /* FIN itself */
				send_segment(q, q->len + 1, 40, false);
				break;
			}
			if (q->fin && q->want_ev)
				q->una--;
			if (!q->want_ev)
				faults_seen[q->fault]++;
			q->phase = PH_ERR;
			q->phase_cycle = tb_cycle();
			load(q, WEFT_QP_STATE_ERR, WEFT_CTX_CMD_SET_STATE);
			want_flush(q);
		}
		break;
	case PH_ERR:
		if (age > 300 && q->gotcqe == q->ncqe && q->ahead < 3) {
			/* later doorbells flush too */
			post(q, 0, false);
			post(q, 0, true);
			want_flush(q);
			q->ahead++;
			q->phase_cycle = tb_cycle();
		} else if (q->ahead == 3 && q->gotcqe == q->ncqe) {
			q->phase = PH_DRAIN;
			q->phase_cycle = tb_cycle();
			load(q, WEFT_QP_STATE_ERR, WEFT_CTX_CMD_DRAIN);
		}
		break;
	case PH_DRAIN:
		if (q->got_drained) {
			q->phase = PH_READ;
			for (unsigned i = 0; i < 16; i++)
				tb_cfg_read(WEFT_ROOM_RX << 22 | q->n * 64 | i * 4, rdata, i ? NULL : q);
		}
		break;
	case PH_DONE:
		tb_check(q->got_first == (q->una != 0), "QP %u: first", q->n);
		lives_done++;
		if (started < lives) {
			begin(q);
		} else {
			q->phase = PH_READ;
			q->phase_cycle = 0;
		}
		break;
	default: break;
	}
	if (age > 200000 && q->phase_cycle && tb_cycle() - activity > 20000) {
		tb_fail("QP %u (%s) hangs in phase %u: una %u of %u, event %d/%d at %u, cqe %u/%u, reads %u/%u, responses %u/%u fin %d/%d",
			q->n, fault_name(q->fault), q->phase, q->una, q->len, q->got_ev, q->want_ev, q->ev_off, q->gotcqe, q->ncqe,
			q->rd_got, q->nirq, q->orq_done, q->orq_want, q->got_fin, q->fin);
		q->phase_cycle = 0;
	}
}

void tb_setup(void)
{
	static const unsigned rates[] = { 100, 100, 70, 50 };

	model_setup();
	lives = (unsigned)tb_opt("lives", 80);
	latency = tb_range(1, 400);
	for (int i = 0; i < P_COUNT; i++) {
		if (i != P_DB && i != P_ORQ && i != P_FREE && i != P_INVR)
			tb_src_rate(i, rates[tb_below(4)]);
		tb_snk_rate(i, rates[tb_below(4)]);
	}
	tb_on_item(P_XQ, on_xlate, NULL);
	tb_on_item(P_RQ, on_rd_req, NULL);
	tb_on_packet(P_WR, on_write, NULL);
	tb_on_item(P_IRQ, on_irq, NULL);
	tb_on_item(P_RDDONE, on_rd_done, NULL);
	tb_on_item(P_COMMIT, on_commit, NULL);
	tb_on_item(P_ACKREQ, on_ackreq, NULL);
	tb_on_item(P_CQE, on_cqe, NULL);
	tb_on_item(P_EV, on_event, NULL);
	tb_on_item(P_CTX, on_ctx, NULL);
	tb_on_item(P_INV, on_inv, NULL);
	tb_on_item(P_FIRST, on_first, NULL);
	tb_on_item(P_STAT, on_stat, NULL);
	tb_on_item(P_IDLE, on_idle, NULL);
}

bool tb_step(void)
{
	bool over = true;

	if (tb_cycle() == 100)
		for (unsigned i = 0; i < NQP; i++)
			begin(&qps[i]);
	if (tb_cycle() <= 100)
		return false;
	run_delayed();
	for (unsigned i = 0, r = tb_below(NQP); i < NQP; i++) {
		live(&qps[(i + r) % NQP]);
		over &= qps[i].phase == PH_READ && !qps[i].phase_cycle;
	}
	return over && idle;
}

void tb_finish(void)
{
	unsigned bad = 0, first = 0;

	for (unsigned i = 0; i < MEM_BYTES; i++)
		if (mem[i] != ref[i] && !bad++)
			first = i;
	tb_check(!bad, "%u bytes of memory differ, first %#x", bad, first);
	tb_note("%u lives, %llu cycles, %llu FPDUs, %llu faults, %llu receives, %llu flushed, dropped: %llu duplicate, %llu gap, %llu part",
		lives_done, (unsigned long long)tb_cycle(), (unsigned long long)stats[4], (unsigned long long)stats[5],
		(unsigned long long)stats[6], (unsigned long long)stats[7], (unsigned long long)stats[1],
		(unsigned long long)stats[2], (unsigned long long)stats[3]);
	for (unsigned i = 0; i < n_faults && lives >= n_faults; i++)
		tb_check(faults_seen[i], "fault %s was not tried", fault_name(i));
}
