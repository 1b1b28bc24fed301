// SPDX-License-Identifier: BSD-2-Clause
/* Every rule that a peer (or the own receive queue) can break, and the Terminate code that must come of it. */
#include <string.h>

#include "model.h"

enum {
	F_NONE, F_FIN, F_TERMINATE, F_CRC, F_SHORT_TAGGED, F_SHORT_UNTAGGED, F_EMPTY, F_HUGE, F_DV_TAGGED, F_DV_UNTAGGED, F_QN3,
	F_RV, F_OPCODE, F_T_FLAG_WRITE, F_T_FLAG_SEND, F_QN_SEND, F_QN_READ, F_QN_TERM,
	F_WR_STAG, F_WR_KEY, F_WR_PD, F_WR_ACCESS, F_WR_QP, F_WR_WRAP, F_WR_BOUNDS, F_WR_BELOW, F_WR_BUS,
	F_RR_NONE, F_RR_STAG, F_RR_TO, F_RR_LONG, F_RR_SHORT, F_RR_NO_L,
	F_RD_MSN, F_RD_MO, F_RD_NO_L, F_RD_SHORT, F_RD_LONG, F_RD_IRD, F_RD_STAG, F_RD_PD, F_RD_ACCESS, F_RD_QP, F_RD_WRAP,
	F_RD_BOUNDS, F_RD_END,
	F_SND_GAP, F_SND_REPEAT, F_SND_MO, F_SND_MO_FIRST, F_SND_NO_BUFFER, F_SND_LONG, F_WQE_INDEX, F_WQE_NSGE, F_WQE_SUM,
	F_WQE_DMA, F_SGE_KEY, F_SGE_BUS, F_TERM_MSN, F_TERM_NO_L, F_INV_STAG, F_INV_PD, F_INV_ACCESS, F_INV_BOUND,
	F_AFTER_FIN, N_FAULTS
};
const unsigned n_faults = N_FAULTS;

static const char *const names[N_FAULTS] = {
	"none", "fin", "terminate", "crc", "short tagged", "short untagged", "empty", "huge", "dv tagged", "dv untagged", "qn 3",
	"rv", "opcode", "write untagged", "send tagged", "send qn", "read qn", "terminate qn",
	"write stag", "write key", "write pd", "write access", "write qp", "write wrap", "write bounds", "write below", "write bus",
	"response none", "response stag", "response to", "response long", "response short", "response no L",
	"read msn", "read mo", "read no L", "read short", "read long", "read ird", "read stag", "read pd", "read access", "read qp",
	"read wrap", "read bounds", "read end",
	"send gap", "send repeat", "send mo", "send first mo", "send no buffer", "send long", "wqe index", "wqe nsge", "wqe sum",
	"wqe dma", "sge key", "sge bus", "terminate msn", "terminate no L", "inv stag", "inv pd", "inv access", "inv bound",
	"after fin",
};

const char *fault_name(unsigned f) { return names[f]; }

void fault_prepare(struct qp *q)
{
	q->access = 1 << WEFT_ACCESS_REMOTE_WRITE | 1 << WEFT_ACCESS_REMOTE_READ;
	q->ird = tb_range(1, 8);
	q->dma_err = false;
	q->inv_err = 0;
	switch (q->fault) {
	case F_CRC: q->crc = true; break;
	case F_WR_QP: q->access = 0; break;
	case F_RD_QP: q->access = 1 << WEFT_ACCESS_REMOTE_WRITE; break;
	case F_SND_NO_BUFFER: case F_WQE_INDEX: case F_WQE_NSGE: case F_WQE_SUM: case F_WQE_DMA: case F_SGE_KEY: case F_SGE_BUS:
	case F_SND_LONG: q->ahead = 0; break;
	}
}

static void want(struct qp *q, uint32_t off, uint16_t code, unsigned hdr)
{
	q->want_ev = true;
	q->ev_kind = WEFT_FW_EV_RX_FAULT;
	q->ev_off = off;
	q->ev_code = code;
	q->ev_hdr = hdr;
}

static void want_cqe(struct qp *q, uint8_t status)
{
	q->cqe[q->ncqe++] = (struct cqe_want){ q->rq_use++, status, WEFT_WC_OPCODE_RECV, 0, 0, false, 0 };
}

static void orq(struct qp *q, uint32_t stag, uint64_t to, uint32_t len)
{
	struct tb_pack p;

	tb_pack_begin(&p, 144);
	tb_put(&p, 16, q->n);
	tb_put(&p, 32, stag);
	tb_put(&p, 64, to);
	tb_put(&p, 32, len);
	tb_item_push(P_ORQ, p.bits, 18);
	q->orq_gen++;
}

/* A Read Request that breaks one rule. */
static void bad_read(struct qp *q, uint32_t stag, uint64_t to, uint32_t len, uint16_t code)
{
	uint8_t h[18], p[28];

	untagged(h, 1, true, 0, 1, q->read_msn, 0);
	read_req(p, 1, 2, len, stag, to);
	want(q, add_fpdu(q, h, 18, p, 28, false, -1), code, 46);
}

static void bad_write(struct qp *q, uint32_t stag, uint64_t to, unsigned n, uint16_t code, unsigned hdr)
{
	uint8_t h[14], d[2048];

	tb_rand_bytes(d, n);
	tagged(h, 0, tb_chance(50), stag, to);
	want(q, add_fpdu(q, h, 14, d, n, false, -1), code, hdr);
}

/* A Send whose header or receive buffer is wrong. */
static void bad_send(struct qp *q, uint32_t msn, uint32_t mo, unsigned n, uint16_t code)
{
	uint8_t h[18], d[2048];

	tb_rand_bytes(d, n);
	untagged(h, 3 + 2 * tb_below(2), true, 0, 0, msn, mo);
	want(q, add_fpdu(q, h, 18, d, n, false, -1), code, 18);
}

void fault_inject(struct qp *q)
{
	struct region *rw = &q->reg[R_RW], *src = &q->reg[R_SRC], *sink = &q->reg[R_SINK];
	unsigned n = tb_range(1, 1000);
	uint8_t h[18], d[2048];
	struct wqe *w;
	uint32_t off;
	uint8_t *e;

	tb_rand_bytes(d, sizeof(d));
	switch (q->fault) {
	case F_NONE: break;
	case F_FIN: q->fin = true; break;
	case F_AFTER_FIN: q->fin = true; break;
	case F_TERMINATE:
		untagged(h, 7, true, 0, 2, 1, 0);
		n = tb_range(4, 100);
		off = add_fpdu(q, h, 18, d, n, false, -1);
		want(q, off, d[0] << 8 | d[1], n + 18 > 46 ? 46 : n + 18);
		q->ev_kind = WEFT_FW_EV_RX_TERMINATE;
		break;
	case F_CRC:
		tagged(h, 0, true, rw->stag, rw->base);
		want(q, add_fpdu(q, h, 14, d, n, true, -1), 0x2002, 0);
		break;
	case F_SHORT_TAGGED:
		tagged(h, 0, true, rw->stag, rw->base);
		want(q, add_fpdu(q, h, tb_range(1, 13), d, 0, false, -1), 0x1000, 0);
		break;
	case F_SHORT_UNTAGGED:
		untagged(h, 3, true, 0, 0, q->send_msn, 0);
		want(q, add_fpdu(q, h, tb_range(1, 17), d, 0, false, -1), 0x1000, 0);
		break;
	case F_EMPTY: want(q, add_fpdu(q, h, 0, d, 0, false, -1), 0x1000, 0); break;
	case F_HUGE:
		tagged(h, 0, true, rw->stag, rw->base);
		want(q, add_fpdu(q, h, 14, d, n, false, (int)tb_range(64769, 65535)), 0x2003, 0);
		break;
	case F_DV_TAGGED:
		tagged(h, 0, true, rw->stag, rw->base);
		h[0] = (uint8_t)((h[0] & ~3) | (tb_below(2) ? 0 : tb_range(2, 3)));
		want(q, add_fpdu(q, h, 14, d, n, false, -1), 0x1104, 14);
		break;
	case F_DV_UNTAGGED:
		untagged(h, 3, true, 0, 0, q->send_msn, 0);
		h[0] = (uint8_t)((h[0] & ~3) | (tb_below(2) ? 0 : tb_range(2, 3)));
		want(q, add_fpdu(q, h, 18, d, n, false, -1), 0x1206, 18);
		break;
	case F_QN3:
		untagged(h, tb_range(1, 7), true, 0, tb_chance(50) ? 3 : (uint32_t)tb_rand() | 0x100, q->send_msn, 0);
		want(q, add_fpdu(q, h, 18, d, n, false, -1), 0x1201, 18);
		break;
	case F_RV:
		if (tb_chance(50)) {
			tagged(h, 0, true, rw->stag, rw->base);
			h[1] ^= 0x40 << tb_below(2);
			want(q, add_fpdu(q, h, 14, d, n, false, -1), 0x0205, 14);
		} else {
			untagged(h, 3, true, 0, 0, q->send_msn, 0);
			h[1] ^= 0x40 << tb_below(2);
			want(q, add_fpdu(q, h, 18, d, n, false, -1), 0x0205, 18);
		}
		break;
	case F_OPCODE:
		if (tb_chance(50)) {
			tagged(h, tb_range(8, 15), true, rw->stag, rw->base);
			want(q, add_fpdu(q, h, 14, d, n, false, -1), 0x0206, 14);
		} else {
			untagged(h, tb_range(8, 15), true, 0, 0, q->send_msn, 0);
			want(q, add_fpdu(q, h, 18, d, n, false, -1), 0x0206, 18);
		}
		break;
	case F_T_FLAG_WRITE:
		untagged(h, 2 * tb_below(2), true, 0, 0, q->send_msn, 0);
		want(q, add_fpdu(q, h, 18, d, n, false, -1), 0x0206, 18);
		break;
	case F_T_FLAG_SEND:
		tagged(h, tb_chance(50) ? 1 : tb_range(3, 7), true, rw->stag, rw->base);
		want(q, add_fpdu(q, h, 14, d, n, false, -1), 0x0206, 14);
		break;
	case F_QN_SEND:
		untagged(h, tb_range(3, 6), true, 0, tb_range(1, 2), q->send_msn, 0);
		want(q, add_fpdu(q, h, 18, d, n, false, -1), 0x1201, 18);
		break;
	case F_QN_READ:
		untagged(h, 1, true, 0, tb_chance(50) ? 0 : 2, q->read_msn, 0);
		want(q, add_fpdu(q, h, 18, d, 28, false, -1), 0x1201, 18);
		break;
	case F_QN_TERM:
		untagged(h, 7, true, 0, tb_below(2), 1, 0);
		want(q, add_fpdu(q, h, 18, d, n, false, -1), 0x1201, 18);
		break;

	case F_WR_STAG: bad_write(q, tb_chance(50) ? 0 : 0x7fff0000 | (uint32_t)tb_below(65536), rw->base, n, 0x1100, 14); break;
	case F_WR_KEY: bad_write(q, rw->stag ^ 1, rw->base, n, 0x1100, 14); break;
	case F_WR_PD: bad_write(q, q->reg[R_PD].stag, q->reg[R_PD].base, n, 0x1102, 14); break;
	case F_WR_ACCESS: bad_write(q, src->stag, src->base, n, 0x0102, 14); break;
	case F_WR_QP: bad_write(q, rw->stag, rw->base, n, 0x0102, 14); break;
	case F_WR_WRAP: bad_write(q, rw->stag, 0ull - tb_range(1, n), n + 1, 0x1103, 14); break;
	case F_WR_BOUNDS: bad_write(q, rw->stag, rw->base + rw->len - n + 1, n, rw->base + rw->len == 0 ? 0x1103 : 0x1101, 14); break;
	case F_WR_BELOW: bad_write(q, rw->stag, rw->base - 1, n, 0x1101, 14); break;
	case F_WR_BUS:
		q->reg[R_BUS].pd = q->pd;
		bad_write(q, q->reg[R_BUS].stag, q->reg[R_BUS].base, n, 0x1000, 0);
		break;

	case F_RR_NONE:
		tagged(h, 2, true, sink->stag, sink->base);
		want(q, add_fpdu(q, h, 14, d, tb_below(100), false, -1), 0x0206, 14);
		break;
	case F_RR_STAG:
		orq(q, sink->stag, sink->base, n);
		tagged(h, 2, true, rw->stag, sink->base);
		want(q, add_fpdu(q, h, 14, d, n, false, -1), 0x1100, 14);
		break;
	case F_RR_TO:
		orq(q, sink->stag, sink->base, n);
		tagged(h, 2, true, sink->stag, sink->base + 1);
		want(q, add_fpdu(q, h, 14, d, n, false, -1), 0x1101, 14);
		break;
	case F_RR_LONG:
		orq(q, sink->stag, sink->base, n);
		tagged(h, 2, true, sink->stag, sink->base);
		want(q, add_fpdu(q, h, 14, d, n + 1, false, -1), 0x1101, 14);
		break;
	case F_RR_SHORT:
		orq(q, sink->stag, sink->base, n + 1);
		tagged(h, 2, true, sink->stag, sink->base);
		want(q, add_fpdu(q, h, 14, d, n, false, -1), 0x1101, 14);
		break;
	case F_RR_NO_L:
		orq(q, sink->stag, sink->base, n);
		tagged(h, 2, false, sink->stag, sink->base);
		want(q, add_fpdu(q, h, 14, d, n, false, -1), 0x1101, 14);
		break;

	case F_RD_MSN: case F_RD_MO: case F_RD_NO_L: case F_RD_SHORT: case F_RD_LONG:
		untagged(h, 1, q->fault != F_RD_NO_L, 0, 1, q->read_msn + (q->fault == F_RD_MSN ? tb_range(1, 5) : 0),
			 q->fault == F_RD_MO);
		read_req(d, 1, 2, 3, src->stag, src->base);
		n = q->fault == F_RD_SHORT ? tb_below(28) : q->fault == F_RD_LONG ? tb_range(29, 100) : 28;
		want(q, add_fpdu(q, h, 18, d, n, false, -1),
		     q->fault == F_RD_MSN ? 0x1203 : q->fault == F_RD_MO ? 0x1204 : q->fault == F_RD_LONG ? 0x1205 : 0x0207, 18);
		break;
	case F_RD_IRD:
		while (q->rd_gen - q->rd_free < q->ird)
			gen_read(q);
		bad_read(q, src->stag, src->base, 1, 0x1202);
		q->ev_hdr = 18;
		break;
	case F_RD_STAG: bad_read(q, src->stag ^ 0x80, src->base, n, 0x0100); break;
	case F_RD_PD: bad_read(q, q->reg[R_PD].stag, q->reg[R_PD].base, n, 0x0103); break;
	case F_RD_ACCESS: bad_read(q, rw->stag, rw->base, n, 0x0102); break;
	case F_RD_QP: bad_read(q, src->stag, src->base, n, 0x0102); break;
	case F_RD_WRAP: bad_read(q, src->stag, 0ull - tb_range(1, 1000), n + 1000, 0x0104); break;
	case F_RD_BOUNDS: bad_read(q, src->stag, src->base - 1, n, 0x0101); break;
	case F_RD_END: bad_read(q, src->stag, src->base + 5, (uint32_t)src->len - 4, 0x0101); break;

	case F_SND_GAP:
		if (q->rq_use == q->rq_post)
			post(q, 0, true);
		bad_send(q, q->send_msn + tb_range(1, 9), 0, 0, 0x1203);
		break;
	case F_SND_REPEAT: bad_send(q, q->send_msn - 1, 0, n, 0x1203); break;
	case F_SND_MO: /* second segment does not join the first */
		if (q->rq_use == q->rq_post)
			post(q, 2000, true);
		w = &q->wq[q->rq_use % RING];
		if (w->cap < 4)
			w = NULL;
		if (w) {
			untagged(h, 3, false, 0, 0, q->send_msn, 0);
			for (unsigned i = 0, left = 4; left; i++) {
				unsigned k = w->sge[i].len < left ? w->sge[i].len : left;

				place(q, region_of(w->sge[i].key), w->sge[i].addr, d + 4 - left, k);
				left -= k;
			}
			add_fpdu(q, h, 18, d, 4, false, -1);
			bad_send(q, q->send_msn, 5, n, 0x1204);
		} else {
			bad_send(q, q->send_msn, 4, n, 0x1204);
		}
		break;
	case F_SND_MO_FIRST: bad_send(q, q->send_msn, 1, n, 0x1204); break;
	case F_SND_NO_BUFFER: bad_send(q, q->send_msn, 0, tb_below(100), 0x1202); break;
	case F_SND_LONG:
		w = post(q, tb_below(500), true);
		bad_send(q, q->send_msn, 0, w->cap + 1 < 2048 ? w->cap + 1 : 0, 0x1205);
		if (w->cap + 1 >= 2048) { /* too large to exceed in one FPDU: nothing to see */
			q->len = q->fp[--q->nfp].off;
			q->want_ev = false;
		}
		break;
	case F_WQE_INDEX: case F_WQE_NSGE: case F_WQE_SUM: case F_WQE_DMA:
		post(q, 10, false);
		e = q->ring + ((uint16_t)(q->rq_post - 1) % RING) * (64u << q->stride);
		if (q->fault == F_WQE_INDEX)
			e[WEFT_RQE_INDEX_OFF + tb_below(2)] ^= (uint8_t)(1 << tb_below(8));
		else if (q->fault == F_WQE_NSGE)
			e[0] = (uint8_t)(q->stride == 0 ? 4 : q->stride == 1 ? 8 : 16) << tb_below(3);
		else if (q->fault == F_WQE_SUM)
			e[WEFT_RQE_LENGTH_OFF + tb_below(4)] ^= (uint8_t)(1 << tb_below(8));
		else
			q->dma_err = true;
		bell(q);
		bad_send(q, q->send_msn, 0, tb_below(10), 0);
		q->ev_hdr = 0;
		want_cqe(q, q->fault == F_WQE_DMA ? WEFT_WC_STATUS_FATAL_ERR : WEFT_WC_STATUS_LOC_QP_OP_ERR);
		break;
	case F_SGE_KEY: case F_SGE_BUS: {
		uint32_t key = (q->fault == F_SGE_BUS ? q->reg[R_BUS].stag : tb_chance(50) ? src->stag : 0), len = n;

		q->reg[R_BUS].pd = q->pd;
		post(q, 10, false);
		e = q->ring + ((uint16_t)(q->rq_post - 1) % RING) * (64u << q->stride);
		e[0] = 1;
		memcpy(e + WEFT_RQE_LENGTH_OFF, &len, 4);
		memcpy(e + 16, &q->reg[R_BUS].base, 8);
		memcpy(e + 24, &len, 4);
		memcpy(e + 28, &key, 4);
		bell(q);
		bad_send(q, q->send_msn, 0, n, 0);
		q->ev_hdr = 0;
		want_cqe(q, q->fault == F_SGE_BUS ? WEFT_WC_STATUS_FATAL_ERR : WEFT_WC_STATUS_LOC_PROT_ERR);
		break;
	}
	case F_TERM_MSN:
		untagged(h, 7, true, 0, 2, tb_chance(50) ? 0 : 2, 0);
		want(q, add_fpdu(q, h, 18, d, 20, false, -1), 0x1203, 18);
		break;
	case F_TERM_NO_L:
		untagged(h, 7, false, 0, 2, 1, 0);
		want(q, add_fpdu(q, h, 18, d, 20, false, -1), 0x0207, 18);
		break;
	case F_INV_STAG: case F_INV_PD: case F_INV_ACCESS: case F_INV_BOUND: {
		static const uint16_t code[] = { 0x0100, 0x0103, 0x0102, 0x0109 };
		static const uint8_t err[] = { XL_STAG, XL_PD, XL_ACCESS, 7 };

		/* The payload is placed, the message is not delivered. */
		if (q->rq_use == q->rq_post)
			post(q, 100, true);
		w = &q->wq[q->rq_use % RING];
		n = w->cap < 40 ? w->cap : 40;
		for (unsigned i = 0, left = n; left; i++) {
			unsigned k = w->sge[i].len < left ? w->sge[i].len : left;

			place(q, region_of(w->sge[i].key), w->sge[i].addr, d + n - left, k);
			left -= k;
		}
		untagged(h, tb_chance(50) ? 4 : 6, true, 0xdead0000, 0, q->send_msn, 0);
		want(q, add_fpdu(q, h, 18, d, n, false, -1), code[q->fault - F_INV_STAG], 18);
		q->inv_err = err[q->fault - F_INV_STAG];
		break;
	}
	}
	q->ended = true;
}
