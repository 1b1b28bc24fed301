// SPDX-License-Identifier: BSD-2-Clause
/*
 * Room qp. Three phases: random work over many QPs with a lossy peer; errors, states and commands, one QP each; message rate.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define RANDOM_QPS 24
#define DELAYS 8192

/* ---- things that happen later ---- */
struct later {
	struct later *next;
	enum { L_ACK, L_READ, L_WND } what;
	struct qp *q;
	uint32_t ack, wnd;
	bool bare;
};
static struct later *wheel[DELAYS];
static unsigned pending;

static void later(unsigned delay, struct later l)
{
	struct later *n = malloc(sizeof(*n)), **at = &wheel[(tb_cycle() + delay) % DELAYS];

	*n = l;
	n->next = NULL;
	while (*at)
		at = &(*at)->next;
	*at = n;
	pending++;
}

static void run_later(void)
{
	struct later *l = wheel[tb_cycle() % DELAYS];

	wheel[tb_cycle() % DELAYS] = NULL;
	while (l) {
		struct later *next = l->next;

		if (l->what == L_READ) {
			uint16_t n = (uint16_t)l->q->qpn;

			l->q->rd_done++;
			tb_item_push(2, &n, 2);
		} else {
			if (tb_opt("watch", -1) == (long)l->q->qpn)
				tb_note("%llu: ack +%d window %u", (unsigned long long)tb_cycle(), l->ack - l->q->isn, l->wnd);
			push_ack(l->q, l->ack, l->wnd, l->bare);
		}
		free(l);
		pending--;
		l = next;
	}
}

/* ---- host memory ---- */
struct fetch {
	uint64_t addr, due;
	unsigned len;
};
static struct fetch fetches[64];
static unsigned f_in, f_out, f_most, dma_latency = 250;
static bool dma_fail[NQP];

static void got_rd(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	struct fetch *f = &fetches[f_in++ & 63];

	tb_unpack_begin(&p, bits, 81);
	tb_check(!tb_get(&p, 1), "WQE fetch after writes");
	f->len = (unsigned)tb_get(&p, 16);
	f->addr = tb_get(&p, 64);
	f->due = tb_cycle() + dma_latency + tb_below(30);
	if (f_in - f_out > f_most)
		f_most = f_in - f_out;
	tb_check(f_in - f_out <= 63, "too many fetches in flight");
}

static void run_dma(void)
{
	while (f_out != f_in && fetches[f_out & 63].due <= tb_cycle()) {
		struct fetch *f = &fetches[f_out++ & 63];
		unsigned qpn = (unsigned)(f->addr >> 20) - 1, off = f->addr & 0xfffff;

		if (qpn >= NQP || off + f->len > (1u << qps[qpn].log2) * (64u << qps[qpn].stride)) {
			tb_fail("fetch of %llx, %u bytes: outside the ring", (unsigned long long)f->addr, f->len);
			continue;
		}
		tb_packet_push(11, qps[qpn].ring + off, dma_fail[qpn] ? tb_below(f->len) : f->len, NULL, 0, dma_fail[qpn]);
	}
}

/* ---- the peer ---- */
enum { N_BAD = 12, Q_BAD = 28, Q_DMA = 40, Q_DIFF, Q_TXERR, Q_HALT, Q_HOLD, Q_FW, Q_DEAD, Q_END };
static int32_t sdiff(uint32_t a, uint32_t b) { return (int32_t)(a - b); }
static unsigned long cycles_idle;
static bool dut_idle, dl_valid;
static uint64_t dl_ns;
static unsigned stats[10];
static bool rate_phase;
static unsigned phase;
static unsigned seg_count[NQP];

void qp_state(int idle, int valid, unsigned long long dl);
void qp_state(int idle, int valid, unsigned long long dl)
{
	dut_idle = idle;
	dl_valid = valid;
	dl_ns = dl;
	cycles_idle = idle ? cycles_idle + 1 : 0;
}

void qp_stat(int bits);
void qp_stat(int bits)
{
	for (int i = 0; i < 10; i++)
		stats[i] += (unsigned)bits >> i & 1;
}

/* When the first segment of Q_DEAD, whose peer is silent, was sent. */
static uint64_t dead_at[16];
static unsigned n_dead;

/* Each time-out doubles the next (RFC 6298 5.5). */
static void check_backoff(void)
{
	tb_check(n_dead >= 4, "a silent peer: sent %u times", n_dead);
	for (unsigned i = 2; i < n_dead; i++) {
		uint64_t before = dead_at[i - 1] - dead_at[i - 2], after = dead_at[i] - dead_at[i - 1];

		tb_check(after * 10 > before * 17 && after * 10 < before * 25, "a silent peer: %llu ns, then %llu ns", (unsigned long long)before,
			 (unsigned long long)after);
	}
}

static uint32_t window(struct qp *q)
{
	switch (q->wnd_mode) {
	case 1:
		return q->mss * tb_range(1, 4) + (1u << q->wscale);
	case 2:
		return tb_chance(15) ? tb_below(q->mss) : 20000 + tb_below(20000);
	default:
		return 300000;
	}
}

void on_segment(struct qp *q, uint32_t seq, uint32_t end, bool rexmit, unsigned op)
{
	if (tb_opt("watch", -1) == (long)q->qpn)
		tb_note("%llu: segment +%d..%d op %u again %d, peer has +%d", (unsigned long long)tb_cycle(), seq - q->isn, end - q->isn, op, rexmit,
			q->rcv_nxt - q->isn);
	bool dup = false, jump = false;
	unsigned delay = rate_phase ? 200 : tb_range(30, 600);
	struct later l = {.what = L_ACK, .q = q};

	seg_count[q->qpn]++;
	if (q->qpn == Q_DEAD && phase == 1 && seq == q->isn && n_dead < 16)
		dead_at[n_dead++] = tb_get_now();
	if (q->qpn == Q_DIFF && phase == 1 && seg_count[q->qpn] == 4)
		wqe_raw(q, 0)[16] ^= 1; /* what is fetched again disagrees */
	if (q->quiet_peer || tb_chance(q->loss))
		return;
	if (seq == q->rcv_nxt) {
		q->rcv_nxt = end;
		if (op == 1)
			later(delay + 50 + tb_below(800), (struct later){.what = L_READ, .q = q});
		for (unsigned i = 0; i < q->n_ooo; i++)
			if (q->ooo[i][0] == q->rcv_nxt) {
				/* reads among them count when the hole closes */
				q->rcv_nxt = q->ooo[i][1];
				if (op == 1 || q->ooo[i][0] == q->ooo[i][1])
					jump = true;
				q->ooo[i][0] = q->ooo[i][1] - 1;
				i = -1u;
				jump = true;
			}
		if (jump)
			q->n_ooo = 0;
	} else {
		dup = true;
		if (q->ooo_peer && op != 1 && sdiff(seq, q->rcv_nxt) > 0 && q->n_ooo < 64) {
			q->ooo[q->n_ooo][0] = seq;
			q->ooo[q->n_ooo++][1] = end;
		}
	}
	l.bare = dup || tb_chance(50);
	l.ack = q->rcv_nxt;
	l.wnd = dup ? (q->edge - q->ack_max) : window(q);
	if (q->wnd_mode && l.wnd < q->mss)
		later(delay + tb_range(300, 1500), (struct later){.what = L_WND, .q = q, .ack = l.ack, .wnd = 4 * q->mss, .bare = true});
	if (!dup && !rate_phase && q->loss && tb_chance(30))
		return; /* delayed or lost: a later one covers it */
	if (!dup && !phase && tb_chance(10))
		l.ack -= tb_below(sdiff(q->rcv_nxt, q->ack_max) > 0 ? q->rcv_nxt - q->ack_max : 1); /* in the middle */
	later(delay, l);
}

/* ---- random phase ---- */
static unsigned last_sig[NQP], quota = 30;
static bool started;

static void load_random(unsigned qpn)
{
	struct qp *q = qp_new(qpn);

	q->loss = (unsigned)tb_opt("loss", qpn % 3 == 0 ? 0 : qpn % 3 == 1 ? 2 : q->mulpdu < 1000 ? 4 : 8);
	q->wnd_mode = qpn % 4 == 3 ? 1 : qpn % 4 == 2 ? 2 : 0;
	q->ooo_peer = qpn % 5 == 0;
	qp_load(q, WEFT_QP_STATE_RTS, false, 0);
}

static bool random_done(void)
{
	for (unsigned n = 1; n <= RANDOM_QPS; n++) {
		struct qp *q = &qps[n];

		if (q->posted < quota || !qp_all_sent(q) || q->cq_next != q->posted || q->r_free != q->r_in || q->r_in < quota / 4 ||
		    q->ack_max != q->snd_max)
			return false;
	}
	return true;
}

static void random_step(void)
{
	struct qp *q = &qps[1 + tb_below(RANDOM_QPS)];

	/* Somebody looks at a QP (query_qp): that changes nothing, least of all who is to be woken. */
	if (tb_chance(1) && !tb_cfg_pending())
		tb_cfg_read(WEFT_ROOM_QP_TX << 22 | q->qpn << 6, NULL, NULL);
	if (tb_chance(10) && q->posted < quota && q->posted - q->cq_next < (1u << q->log2)) {
		unsigned n = tb_range(1, 4);

		while (n-- && q->posted < quota && q->posted - q->cq_next < (1u << q->log2)) {
			struct wqe w;

			wqe_random(q, &w);
			if (q->posted - last_sig[q->qpn] >= (1u << q->log2) / 2 || q->posted + 1 == quota)
				w.sig = true;
			if (w.sig)
				last_sig[q->qpn] = q->posted;
			wqe_post(q, &w);
		}
		ring_doorbell(q);
	}
	if (tb_chance(2) && q->r_in < quota / 4 && q->r_in - q->r_free < q->ird) {
		struct irq r = {(uint32_t)tb_rand(), 0, (uint32_t)tb_rand(), tb_rand(), tb_rand()};

		r.len = tb_chance(10) ? 0 : tb_chance(10) && !q->wnd_mode ? 17000 + 3 * q->mulpdu : tb_below(3 * q->mulpdu);
		push_irq(q, &r);
	}
}

/* ---- errors and commands ---- */
static struct {
	unsigned type, code;
	uint32_t data0, data1;
} events[NQP][8];
static unsigned n_events[NQP];
static unsigned long step_at;
static unsigned step, jam;

void on_event(const uint8_t *ev)
{
	unsigned id = (unsigned)tb_bits_get(ev, WEFT_FW_EVENT_ID_LSB, 32);

	if (id < NQP && n_events[id] == 8 && ev[0] == WEFT_FW_EV_FW_REXMIT)
		return;
	if (id >= NQP || n_events[id] == 8 || phase != 1) {
		tb_fail("event %u of QP %u: code %u data %x %x", ev[0], id, ev[2], (unsigned)tb_bits_get(ev, WEFT_FW_EVENT_DATA0_LSB, 32),
			(unsigned)tb_bits_get(ev, WEFT_FW_EVENT_DATA1_LSB, 32));
		return;
	}
	events[id][n_events[id]].type = ev[0];
	events[id][n_events[id]].code = (unsigned)tb_bits_get(ev, WEFT_FW_EVENT_CODE_LSB, 16);
	events[id][n_events[id]].data0 = (uint32_t)tb_bits_get(ev, WEFT_FW_EVENT_DATA0_LSB, 32);
	events[id][n_events[id]++].data1 = (uint32_t)tb_bits_get(ev, WEFT_FW_EVENT_DATA1_LSB, 32);
}

static void simple(struct qp *q, unsigned n, uint32_t len)
{
	struct wqe w;

	memset(&w, 0, sizeof(w));
	w.op = WEFT_SQ_OPCODE_WRITE;
	w.sig = true;
	w.nsge = 1;
	w.len = w.sge[0].len = len;
	w.sge[0].lkey = 0x1234;
	w.sge[0].addr = 0x10000;
	w.rstag = 7;
	while (n--)
		wqe_post(q, &w);
}

static void spoil(struct qp *q, unsigned i, unsigned kind)
{
	uint8_t *b = wqe_raw(q, i);

	switch (kind) {
	case 0: b[0] = 77; break;                                     /* opcode */
	case 1: b[4] ^= 1; break;                                     /* INDEX */
	case 2: b[2] = 15; break;                                     /* more SGEs than fit */
	case 3: tb_bits_set(b, WEFT_SQE_LENGTH_LSB, 32, 101); break;  /* sum of lengths */
	case 4: tb_bits_set(b, WEFT_SQE_LENGTH_LSB, 32, 0x80000000u); tb_bits_set(b, 32 * 8 + 64, 32, 0x80000000u); break;
	case 5: b[1] |= 4; break;                                     /* in-line with SGEs */
	case 6: b[1] |= 4; b[2] = 0; tb_bits_set(b, WEFT_SQE_LENGTH_LSB, 32, 225); break;
	case 7: b[0] = WEFT_SQ_OPCODE_READ; b[2] = 0; tb_bits_set(b, WEFT_SQE_LENGTH_LSB, 32, 0); break;
	case 8: b[0] = WEFT_SQ_OPCODE_READ; q->ord = 0; break;
	case 9: /* the sum wraps 32 bits */
		b[2] = 2;
		tb_bits_set(b, 32 * 8 + 64, 32, 0x80000032u);
		tb_bits_set(b, 48 * 8 + 64, 32, 0x80000032u);
		break;
	case 10: b[0] = WEFT_SQ_OPCODE_READ; b[2] = 2; tb_bits_set(b, 48 * 8 + 64, 32, 0); break;
	default: b[0] = WEFT_SQ_OPCODE_FAST_REG; break;
	}
}

static void want_event(unsigned qpn, unsigned n, unsigned type, unsigned code, uint32_t data0)
{
	tb_check(n_events[qpn] > n && events[qpn][n].type == type && events[qpn][n].code == code && events[qpn][n].data0 == data0,
		 "qp %u: event %u of %u: type %u code %u data0 %x, want %u %u %x", qpn, n, n_events[qpn], events[qpn][n].type,
		 events[qpn][n].code, events[qpn][n].data0, type, code, data0);
}

static void readback(uint32_t v, bool err, void *arg)
{
	tb_check(v == *(uint32_t *)arg && !err, "read back %x, want %x", v, *(uint32_t *)arg);
}

static bool directed(void)
{
	struct qp *q;
	bool still = dut_idle && cycles_idle > 50 && !pending && f_in == f_out && !tb_cfg_pending();
	uint16_t n;

	/* nobody takes events, and still the configuration bus is served */
	if (step == 2 && jam < 2) {
		if (jam == 0 && tb_cycle() > step_at + 1500) {
			tb_cfg_read(WEFT_ROOM_QP_TX << 22 | Q_BAD << 6, NULL, NULL);
			jam = 1;
		} else if (jam == 1 && tb_cycle() > step_at + 2500) {
			tb_check(!tb_cfg_pending(), "events that nobody takes stop the configuration bus");
			tb_snk_rate(9, 70);
			jam = 2;
		}
		return false;
	}
	/* waiting for a time-out: an idle unit sleeps until its next deadline */
	if ((step == 2 && !(n_events[Q_FW] && n_events[Q_DIFF])) || (step == 4 && !n_events[Q_DEAD]) ||
	    (step == 9 && qps[Q_HALT].ack_max != qps[Q_HALT].snd_max)) {
		if (still && dl_valid && dl_ns > tb_get_now())
			tb_set_now(dl_ns);
		return false;
	}
	if (tb_cycle() < step_at + 3000 || (step != 6 && !still))
		return false;
	step_at = tb_cycle();
	switch (step++) {
	case 0:
		for (unsigned k = Q_BAD; k < Q_END; k++) {
			q = qp_new(k);
			q->stride = k == Q_BAD + 6 ? 2 : 1;
			q->log2 = 4;
			q->ord = 4;
			q->mulpdu = 1442;
			q->mss = ((q->mulpdu + 5) & ~3u) + 4;
			if (k == Q_DEAD || k == Q_FW || k == Q_DIFF)
				q->quiet_peer = true;
			simple(q, k == Q_HALT ? 10 : 4, k == Q_HALT ? 6000 : 100);
			if (k < Q_BAD + N_BAD)
				spoil(q, 1, k - Q_BAD);
			qp_load(q, WEFT_QP_STATE_RTS, k == Q_HOLD, k == Q_FW ? 20 : 0);
			q->failed = k <= Q_TXERR;
			q->fail_idx = k == Q_DMA || k == Q_DIFF || k == Q_TXERR ? 0 : 1;
			q->fail_status = k == Q_DMA ? WEFT_WC_STATUS_FATAL_ERR
				       : k == Q_TXERR ? WEFT_WC_STATUS_LOC_PROT_ERR : WEFT_WC_STATUS_LOC_QP_OP_ERR;
			if (k == Q_DEAD) {
				q->failed = true;
				q->fail_idx = 0;
				q->fail_status = WEFT_WC_STATUS_RETRY_EXC_ERR;
			}
		}
		dma_fail[Q_DMA] = true;
		break;
	case 1:
		/* doorbells one at a time: the malformed WQE must not be cut off by the fetch */
		qps[Q_TXERR].quiet_peer = true;
		tb_snk_rate(9, 0);
		for (unsigned k = Q_BAD; k < Q_END; k++)
			ring_doorbell(&qps[k]);
		break;
	case 2: {
		struct tb_pack p;

		for (unsigned k = 0; k < N_BAD; k++)
			want_event(Q_BAD + k, 0, WEFT_FW_EV_TX_ERROR, WEFT_WC_STATUS_LOC_QP_OP_ERR,
				   (qps[Q_BAD + k].base + 1) & 0xffff);
		want_event(Q_DIFF, 0, WEFT_FW_EV_TX_ERROR, WEFT_WC_STATUS_LOC_QP_OP_ERR, qps[Q_DIFF].base);
		want_event(Q_FW, 0, WEFT_FW_EV_FW_REXMIT, 0, qps[Q_FW].isn - 20);
		qps[Q_FW].quiet_peer = false;
		push_ack(&qps[Q_FW], qps[Q_FW].isn, 65535, true);
		want_event(Q_DMA, 0, WEFT_FW_EV_TX_ERROR, WEFT_WC_STATUS_FATAL_ERR, qps[Q_DMA].base);
		tb_check(seg_count[Q_HOLD] == 0 && qps[Q_HOLD].n_msg == 0, "HOLD did not hold");
		n = Q_HOLD;
		tb_item_push(14, &n, 2);
		tb_check(qps[Q_TXERR].n_msg > 0, "nothing sent");
		tb_pack_begin(&p, 70);
		tb_put(&p, 16, Q_TXERR);
		tb_put(&p, 32, qps[Q_TXERR].isn);
		tb_put(&p, 16, qps[Q_TXERR].base);
		tb_put(&p, 2, 0);
		tb_put(&p, 4, 1);
		tb_item_push(3, p.bits, 9);
		break;
	}
	case 3:
		want_event(Q_TXERR, 0, WEFT_FW_EV_TX_ERROR, WEFT_WC_STATUS_LOC_PROT_ERR, qps[Q_TXERR].base);
		tb_check(events[Q_TXERR][0].data1 == qps[Q_TXERR].isn, "sequence number of the failed segment");
		tb_check(qp_all_sent(&qps[Q_HOLD]) && qps[Q_HOLD].cq_next == 4, "HOLD was not lifted");
		/* flush */
		for (unsigned k = Q_BAD + 1; k <= Q_TXERR; k++)
			qp_cmd(&qps[k], WEFT_CTX_CMD_SET_STATE, WEFT_QP_STATE_ERR, 0, 0);
		/* a Terminate behind the error, then ACKED */
		tb_rand_bytes(values[0], 64);
		tb_cfg_ctx(WEFT_ROOM_QP_TX, 0x8000, values[0]);
		qp_cmd(&qps[Q_BAD], WEFT_CTX_CMD_SEND_VALUE, 0, 0, 19);
		qp_cmd(&qps[Q_BAD], WEFT_CTX_CMD_SET_STATE, WEFT_QP_STATE_HALT, 0, 0);
		break;
	case 4:
		tb_check(qps[Q_BAD].val_sent, "no Terminate after an error");
		want_event(Q_BAD, 1, WEFT_FW_EV_ACKED, 0, qps[Q_BAD].snd_max);
		qp_cmd(&qps[Q_BAD], WEFT_CTX_CMD_SET_STATE, WEFT_QP_STATE_ERR, 0, 0);
		for (unsigned k = Q_BAD + 1; k <= Q_TXERR; k++) {
			tb_check(qps[k].cq_next == 4, "qp %u: %u of 4 flushed", k, qps[k].cq_next);
			simple(&qps[k], 2, 10);
			ring_doorbell(&qps[k]);
		}
		check_backoff();
		want_event(Q_DEAD, 0, WEFT_FW_EV_TX_TIMEOUT, 0, qps[Q_DEAD].base);
		qp_cmd(&qps[Q_DEAD], WEFT_CTX_CMD_SET_STATE, WEFT_QP_STATE_ERR, 0, 0);
		break;
	case 5:
		tb_check(qps[Q_BAD].cq_next == 4, "qp %u: %u of 4 flushed", Q_BAD, qps[Q_BAD].cq_next);
		for (unsigned k = Q_BAD + 1; k <= Q_TXERR; k++)
			tb_check(qps[k].cq_next == 6, "qp %u: %u of 6 flushed", k, qps[k].cq_next);
		tb_check(qps[Q_DEAD].cq_next == 4, "time-out: %u of 4 flushed", qps[Q_DEAD].cq_next);
		tb_check(qps[Q_FW].cq_next == 4, "after FW_REXMIT: %u of 4 done", qps[Q_FW].cq_next);
		tb_check(qps[Q_HALT].cq_next == 10, "halt: %u of 10 done", qps[Q_HALT].cq_next);
		/* HALT while 10 more are under way */
		simple(&qps[Q_HALT], 6, 20000);
		ring_doorbell(&qps[Q_HALT]);
		step_at = tb_cycle() - 2200; /* 800 cycles later */
		break;
	case 6:
		qp_cmd(&qps[Q_HALT], WEFT_CTX_CMD_SET_STATE, WEFT_QP_STATE_HALT, 0, 0);
		break;
	case 7:
		q = &qps[Q_HALT];
		want_event(Q_HALT, 0, WEFT_FW_EV_ACKED, 0, q->snd_max);
		tb_check(q->n_msg > 10 && q->n_msg < 16 && q->snd_max == q->m[q->n_msg - 1].end && q->ack_max == q->snd_max,
			 "HALT: %u messages", q->n_msg);
		tb_rand_bytes(values[0], 64);
		tb_cfg_ctx(WEFT_ROOM_QP_TX, 0x8000, values[0]);
		q->loss = 100;
		qp_cmd(q, WEFT_CTX_CMD_SEND_VALUE, 0, 0, 37);
		break;
	case 8:
		q = &qps[Q_HALT];
		tb_check(q->val_sent && q->m[q->n_msg - 1].len == 37, "no Terminate");
		q->loss = 0;
		qp_cmd(q, WEFT_CTX_CMD_DRAIN, 0, 0, 0);
		break;
	case 9: {
		static uint32_t w[4];

		q = &qps[Q_HALT];
		tb_check(q->ack_max == q->snd_max, "Terminate was not sent again");
		want_event(Q_HALT, n_events[Q_HALT] - 1 > 1 ? 1 : n_events[Q_HALT] - 1, WEFT_FW_EV_DRAINED, WEFT_ROOM_QP_TX, 0);
		w[0] = q->snd_max;
		w[1] = (q->cq_next + q->base) & 0xffff;
		w[1] = w[1] << 16 | w[1];
		tb_cfg_read(WEFT_ROOM_QP_TX << 22 | Q_HALT << 6, NULL, NULL);
		tb_cfg_read(WEFT_ROOM_QP_TX << 22 | Q_HALT << 6 | 24, readback, &w[0]);
		tb_cfg_read(WEFT_ROOM_QP_TX << 22 | Q_HALT << 6 | 28, readback, &w[0]);
		tb_cfg_read(WEFT_ROOM_QP_TX << 22 | Q_HALT << 6 | 48, readback, &w[1]);
		break;
	}
	default:
		return true;
	}
	return false;
}

/* ---- message rate ---- */
static uint64_t rate_from;
static unsigned rate_base;

static bool rate(void)
{
	if (!rate_phase) {
		rate_phase = true;
		memset(dma_fail, 0, sizeof(dma_fail));
		for (int i = 0; i < 16; i++) {
			tb_src_rate(i, 100);
			tb_snk_rate(i, 100);
		}
		for (unsigned k = 0; k < NQP; k++) {
			struct qp *q = qp_new(k);

			q->stride = 0;
			q->log2 = 6;
			q->mulpdu = 1442;
			q->mss = 1448;
			simple(q, 64, 64);
			for (unsigned i = 0; i < 63; i++) {
				q->w[i].sig = false;
				wqe_raw(q, i)[1] &= 0xfe;
			}
			qp_load(q, WEFT_QP_STATE_RTS, false, 0);
		}
		return false;
	}
	if (tb_cfg_pending())
		return false;
	if (!rate_from) {
		rate_from = tb_cycle();
		rate_base = n_seg;
		f_most = 0;
		for (unsigned k = 0; k < NQP; k++)
			ring_doorbell(&qps[k]);
	}
	for (unsigned k = 0; k < NQP; k++)
		if (qps[k].cq_next != 64) {
			if (tb_cycle() - rate_from > 100000 && dut_idle && cycles_idle > 5000) {
				tb_fail("rate: qp %u stuck at %u", k, qps[k].cq_next);
				return true;
			}
			return false;
		}
	{
		double per = (double)(n_seg - rate_base) / (double)(tb_cycle() - rate_from);

		tb_note("%.4f 64-byte Writes a cycle over %d QPs, %u fetches in flight at most", per, NQP, f_most);
		tb_check(per >= 0.05, "message rate");
		/* ACKs that wait for a late store may cost a time-out */
		tb_check(tb_opt("late", 0) || n_seg - rate_base == 64 * 64, "segments sent again without loss");
	}
	return true;
}

/* ---- hooks ---- */
void tb_setup(void)
{
	unsigned r = tb_below(3);

	model_start();
	tb_on_item(10, got_rd, NULL);
	for (int i = 0; i < 16; i++) {
		tb_src_rate(i, r ? tb_range(30, 100) : 100);
		tb_snk_rate(i, r ? tb_range(30, 100) : 100);
	}
	for (unsigned n = 1; n <= RANDOM_QPS; n++)
		load_random(n);
}

bool tb_step(void)
{
	run_later();
	run_dma();
	if (phase == 0) {
		if (!started && tb_cfg_pending())
			return false;
		started = true;
		random_step();
		if (tb_cycle() % 256 == 0 && random_done() && !pending && cycles_idle > 100) {
			tb_note("random: %llu cycles, %u segments, %u again, %u completions, %u fast, %u time-outs, %u held back",
				(unsigned long long)tb_cycle(), n_seg, n_rexmit, n_cqe, stats[7], stats[8], stats[2]);
			tb_check(n_over <= stats[8], "%u segments beyond the window, %u time-outs", n_over, stats[8]);
			phase = tb_opt("only", 0) ? 3 : 1;
			step_at = tb_cycle();
		}
		if (tb_cycle() == (uint64_t)tb_opt("limit", 2000000)) {
			tb_note("idle %d deadline %d in %lld ns, %u segments, %u again, %u fast, %u time-outs, %u held back, bad ack %u", dut_idle, dl_valid,
				(long long)(dl_ns - tb_get_now()), n_seg, n_rexmit, stats[7], stats[8], stats[2], stats[6]);
			for (unsigned n = 1; n <= RANDOM_QPS; n++) {
				struct qp *q = &qps[n];

				if (!(qp_all_sent(q) && q->cq_next == q->posted && q->r_free == q->r_in && q->ack_max == q->snd_max))
					tb_fail("qp %u stuck: posted %u next %u completed %u reads %u/%u/%u in %u resp %u free %u una+%d nxt+%d "
						"edge+%d mulpdu %u wnd %u",
						n, q->posted, q->next_wqe, q->cq_next, q->reads, q->rd_done, q->ord, q->r_in, q->next_r,
						q->r_free, q->ack_max - q->isn, q->snd_max - q->isn, q->edge - q->isn, q->mulpdu, q->wnd_mode);
			}
			return true;
		}
	} else if (phase == 1) {
		if (directed())
			phase = 2;
	} else if (phase == 2) {
		if (rate())
			phase = 3;
	}
	return phase == 3;
}

void tb_finish(void)
{
	tb_check(phase == 3, "not finished: phase %u step %u", phase, step);
}
