/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Model of a send half, from the specifications: RFC 5044 (FPDU length), 5041 and 5040 (headers, segmentation), the
 * programming model (WQE, completion order). It follows the unit's choice of the next message and predicts every field.
 */
#ifndef WEFT_QP_MODEL_H
#define WEFT_QP_MODEL_H

#include "tb.h"
#include "weft_abi.h"

#define NQP 64
#define MAXW 512  /* WQEs of a QP in a run */
#define MAXR 256  /* inbound reads */
#define MAXM 1024 /* messages */
#define MAXA 8192 /* ACKs pushed */

struct sge {
	uint64_t addr;
	uint32_t len, lkey;
};

struct wqe {
	uint8_t op, nsge;
	bool sig, sol, inl, rf, lf;
	uint32_t len, rstag;
	uint64_t raddr;
	struct sge sge[14];
	uint8_t data[224];
};

struct irq {
	uint32_t sink_stag, len, src_stag;
	uint64_t sink_to, src_to;
};

enum kind { K_WQE, K_RESP, K_VAL };

struct msg {
	enum kind kind;
	unsigned idx; /* WQE, inbound read or value slot */
	uint32_t start, end, len, pay, msn;
	bool is_tagged;
};

struct qp {
	/* set up */
	unsigned qpn, stride, log2, ord, mulpdu, mss, wscale, cqn, pd;
	bool crc, priv, loaded, quiet_peer, ooo_peer;
	unsigned loss, wnd_mode, ird;
	uint32_t isn;
	uint8_t ring[16384];
	/* posted */
	struct wqe w[MAXW];
	unsigned posted, rung, base;
	struct irq r[MAXR];
	unsigned r_in, r_free;
	/* sent */
	struct msg m[MAXM];
	unsigned n_msg, next_wqe, next_r, reads, reads_acked;
	uint32_t snd_max, prev_end, send_msn, read_msn;
	/* peer */
	uint32_t rcv_nxt, edge;
	uint32_t ack[MAXA];
	unsigned n_ack;
	uint32_t ack_max; /* highest ACK pushed */
	uint32_t ooo[64][2];
	unsigned n_ooo, rd_done;
	bool val_sent;
	/* completions */
	unsigned cq_next;
	bool failed;
	unsigned fail_idx, fail_status;
	bool flushing;
};

extern struct qp qps[NQP];
extern uint8_t values[16][64];
extern unsigned n_seg, n_rexmit, n_over, n_cqe;

struct qp *qp_new(unsigned qpn);
/** Writes the context of a QP; state as weft_abi qp_state. */
void qp_load(struct qp *q, unsigned state, bool hold, uint32_t una_back);
void qp_cmd(struct qp *q, unsigned cmd, unsigned state, unsigned index, unsigned len);
void wqe_random(struct qp *q, struct wqe *w);
/** Puts the WQE in the ring; no doorbell. Returns its index. */
unsigned wqe_post(struct qp *q, const struct wqe *w);
uint8_t *wqe_raw(struct qp *q, unsigned i);
void ring_doorbell(struct qp *q);
void model_start(void);
/** An ACK to the unit now. */
void push_ack(struct qp *q, uint32_t ack, uint32_t wnd, bool bare);
void push_irq(struct qp *q, const struct irq *r);
/** All that was posted has been sent. */
bool qp_all_sent(const struct qp *q);

/* the test's own reactions */
void on_segment(struct qp *q, uint32_t seq, uint32_t end, bool rexmit, unsigned op);
void on_event(const uint8_t *ev);

#endif
