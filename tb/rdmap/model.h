/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Model of everything around the receive engine, written from RFC 5040, 5041 and 5044: peers that send FPDUs over a lossy
 * TCP, host memory behind page tables, receive queues, and what must come out.
 */
#ifndef RDMAP_MODEL_H
#define RDMAP_MODEL_H

#include "ports.h"
#include "tb.h"
#include "weft_abi.h"

#define NQP 16
#define PAGE 4096u
#define MEM_BYTES (16u << 20)
#define RING 64 /* receive WQEs */
#define STREAM_MAX (1u << 20)
#define FPDU_MAX 4096
#define CQN_OF(q) (100 + (q))

enum { R_RW, R_LOCAL, R_SINK, R_SRC, R_PD, R_BUS, N_REG };
enum { XL_OK, XL_STAG, XL_PD, XL_ACCESS, XL_WRAP, XL_BOUNDS, XL_BUS };

struct region {
	uint32_t stag, pd, qpn; /* qpn 0: any */
	uint64_t base, len;
	uint8_t access;
	bool bus;
	uint32_t page[32];
};

struct sge {
	uint64_t addr;
	uint32_t len, key;
};

struct wqe {
	unsigned nsge;
	uint32_t cap;
	struct sge sge[16];
};

struct fpdu {
	uint32_t off, len;
	uint64_t cum; /* payload bytes placed up to its end */
};

struct cqe_want {
	uint16_t index;
	uint8_t status, opcode;
	uint32_t bytes, inv;
	bool sol;
	uint64_t cum;
};

struct irq_want {
	uint32_t sink_stag, len, src_stag;
	uint64_t sink_to, src_to;
};

enum phase { PH_RESET, PH_LOAD, PH_RUN, PH_END, PH_ERR, PH_DRAIN, PH_READ, PH_DONE };

struct qp {
	unsigned n;
	enum phase phase;
	unsigned life, fault;
	uint64_t phase_cycle;
	struct region reg[N_REG];
	uint32_t pd;

	/* stream of this life; offsets from iss */
	uint8_t *stream;
	uint32_t iss, len, una, nxt;
	struct fpdu fp[FPDU_MAX];
	unsigned nfp;
	uint64_t cum, written;
	unsigned mss, msgs;
	bool crc, fin, fin_seen, ended;
	uint64_t progress;

	uint32_t send_msn, read_msn;
	uint8_t access, ird;
	unsigned rd_gen, rd_got, rd_free; /* inbound reads: made, handed over, given back */
	unsigned orq_gen, orq_done, orq_want;

	/* receive queue */
	unsigned stride, ahead;
	uint8_t ring[RING * 256];
	struct wqe wq[RING];
	uint16_t rq_post, rq_use, rq_done;
	bool dma_err;
	unsigned inv_err;

	/* wanted */
	struct cqe_want cqe[1024];
	unsigned ncqe, gotcqe;
	struct irq_want irq[512];
	unsigned nirq;
	bool want_ev, got_ev, got_first, got_fin, got_drained;
	uint16_t ev_code;
	unsigned ev_kind, ev_hdr;
	uint32_t ev_off;
};

extern struct qp qps[NQP];
extern uint8_t mem[MEM_BYTES], ref[MEM_BYTES];

/* model.c */
void model_setup(void);
struct region *region_of(uint32_t stag);
unsigned xlate(uint32_t stag, uint64_t to, uint64_t len, uint8_t access, uint32_t pd, uint32_t qpn);
uint32_t phys(const struct region *r, uint64_t to);
void be(uint8_t *p, unsigned n, uint64_t v);
/** Append an FPDU; ulpdu < 0: as long as it is. Returns its offset. */
uint32_t add_fpdu(struct qp *q, const uint8_t *hdr, unsigned hl, const void *pay, unsigned pl, bool bad_crc, int ulpdu);
void tagged(uint8_t h[14], unsigned op, bool last, uint32_t stag, uint64_t to);
void untagged(uint8_t h[18], unsigned op, bool last, uint32_t inv, uint32_t qn, uint32_t msn, uint32_t mo);
void read_req(uint8_t p[28], uint32_t sstag, uint64_t sto, uint32_t len, uint32_t dstag, uint64_t dto);
/** Bytes become part of what memory must hold. */
void place(struct qp *q, const struct region *r, uint64_t to, const uint8_t *d, unsigned n);
struct wqe *post(struct qp *q, uint32_t mincap, bool ring_bell);
void bell(struct qp *q);
unsigned mulpdu(const struct qp *q);
void gen_write(struct qp *q, unsigned len);
void gen_send(struct qp *q, unsigned len);
void gen_read(struct qp *q);
void gen_response(struct qp *q);
void gen_any(struct qp *q);

/* faults.c */
extern const unsigned n_faults;
const char *fault_name(unsigned f);
/** Settings of the life that the fault needs, before it is loaded. */
void fault_prepare(struct qp *q);
/** Append the faulty FPDU and what the engine must answer. */
void fault_inject(struct qp *q);

#endif
