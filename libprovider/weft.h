/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_H
#define WEFT_H

#include <endian.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ccan/list.h>
#include <infiniband/driver.h>
#include <util/mmio.h>
#include <util/udma_barrier.h>

#include "weft_abi.h"
#include "weft_cmd.h"

/*
 * Layouts of weft_abi.h are arrays of little-endian 64-bit words. The masks say where a field lies, so that no layout
 * depends on compiler or byte order.
 */
static inline void weft_put_word(__le64 *words, unsigned int lsb, uint64_t mask, uint64_t value)
{
	__le64 *w = words + lsb / 64;

	*w = htole64((le64toh(*w) & ~mask) | (value << lsb % 64 & mask));
}

static inline uint64_t weft_get_word(const __le64 *words, unsigned int lsb, uint64_t mask)
{
	return (le64toh(words[lsb / 64]) & mask) >> lsb % 64;
}

#define WEFT_PUT(words, f, value) weft_put_word(words, WEFT_##f##_LSB, WEFT_##f##_MASK, value)
#define WEFT_GET(words, f) weft_get_word(words, WEFT_##f##_LSB, WEFT_##f##_MASK)
#define WEFT_WORDS(s) (WEFT_##s##_BYTES / 8)

#define WEFT_QP_TABLE_BITS 8

struct weft_qp;

/* of the table of queue pairs by number */
struct weft_qp_row {
	struct weft_qp *qp[1 << WEFT_QP_TABLE_BITS];
	bool was[1 << WEFT_QP_TABLE_BITS]; /* one had this number and is gone, see weft_cqs_forget */
};

/* Who promised to be alone (a thread domain, a CQ for one thread) pays for no lock. */
struct weft_lock {
	pthread_spinlock_t spin;
	bool alone;
};

struct weft_context {
	struct verbs_context ibv_ctx;
	void *db_map;
	size_t db_bytes;
	uint8_t *db;			/* this process's doorbell page */
	bool push;			/* it is write combining, and has push lines */
	_Atomic(uint32_t) push_busy;	/* lines that a thread is writing */
	uint32_t max_inline;
	uint32_t features;		/* of the card: enum feature */
	pthread_mutex_t qp_lock;	/* writers of qp_table, whose readers hold their CQ's lock */
	pthread_cond_t qp_gone;		/* an entry of it is free again */
	struct weft_qp_row *qp_table[1 << WEFT_QP_TABLE_BITS];
	pthread_mutex_t cqs_lock;	/* may wait for whoever is between start_poll and end_poll */
	struct list_head cqs;
};

struct weft_td {
	struct ibv_td ibv_td;
	_Atomic(int) users;		/* parent domains */
};

/* a protection domain, or a parent domain: another handle of one */
struct weft_pd {
	struct ibv_pd ibv_pd;
	_Atomic(int) users;		/* parent domains of it; of one of these, what is its allocator's */
	struct weft_pd *of;		/* what a parent domain stands for */
	struct weft_td *td;		/* of a parent domain, or NULL */
	/* of a parent domain whose maker gives memory */
	void *(*alloc)(struct ibv_pd *pd, void *pd_context, size_t size, size_t alignment,
		       uint64_t resource_type);
	void (*free)(struct ibv_pd *pd, void *pd_context, void *ptr, uint64_t resource_type);
	void *pd_context;
};

/* What an allocator is asked for: the low half of its resource_type, the high one is WEFT_RDMA_DRIVER_ID. */
enum weft_res {
	WEFT_RES_SQ = 1,		/* what is remembered of each entry of a send queue, */
	WEFT_RES_RQ,			/* a receive queue, */
	WEFT_RES_SRQ,			/* a shared one */
};

/* memory of the provider's, of whoever gave it */
struct weft_mem {
	void *p;
	struct weft_pd *from;		/* a parent domain's allocator; NULL: the library's */
	enum weft_res what;
};

/* a completion that was taken out of the ring */
struct weft_done {
	const __le64 *cqe;
	uint64_t wr_id;
	enum ibv_wc_status status;
	uint32_t bytes;
	uint8_t opcode;			/* enum ibv_wc_opcode */
	bool inv, imm;
};

struct weft_cq {
	struct verbs_cq vcq;
	struct list_node link;		/* in the context's cqs */
	struct weft_lock lock;		/* all below, and the entries */
	__le64 *ring;
	size_t ring_bytes;
	uint32_t cqn, log2, ci;
	uint32_t first;			/* index of the entry at place 0 of the ring */
	uint32_t told;			/* what the card knows of ci */
	uint32_t lag;			/* how far it may be behind: part of what was not promised */
	struct weft_done done;		/* between start_poll and end_poll */
	pthread_mutex_t resize_lock;	/* over the commands, and QPs that leave; taken behind cqs_lock and in front of lock */
};

/* one work queue: sq or rq */
struct weft_wq {
	struct weft_lock lock;		/* pi and the entries */
	uint8_t *ring;
	size_t ring_bytes;
	struct weft_mem mem;		/* both of these */
	uint64_t *wr_id;
	uint8_t *op;			/* sq: enum ibv_wc_opcode of each entry, or with WEFT_OP_TWO or WEFT_OP_SUM */
	uint32_t log2, stride, max_sge;
	uint16_t pi;			/* next to post */
	uint16_t ci;			/* next to complete; moved by poll_cq */
};

/*
 * In weft_wq.op: the first of two entries that are one request (Write with immediate, a Read into two elements). It has no
 * completion but a bad one, and when that was told the second one has none, whose op then is WEFT_OP_TOLD. WEFT_OP_SUM: the
 * second one, whose completion counts the bytes of both.
 */
#define WEFT_OP_TWO 0x80
#define WEFT_OP_SUM 0x40
#define WEFT_OP_TOLD 0xff

struct weft_srq {
	struct ibv_srq ibv_srq;
	uint8_t *ring;			/* entries, and behind them their order */
	size_t ring_bytes;
	uint32_t srqn, log2, stride, max_sge;
	pthread_spinlock_t lock;	/* all below, and the entries; taken under a CQ's */
	struct weft_mem mem;		/* both of these */
	uint64_t *wr_id;
	uint16_t *slots;		/* the first n_free are entries that are free */
	uint32_t n_free;
	uint16_t pi;			/* next to post */
};

struct weft_qp {
	struct verbs_qp vqp;
	struct weft_wq sq, rq;
	struct weft_srq *srq;		/* it receives from there; then rq has no ring */
	uint32_t max_inline;
	bool sig_all;
	uint16_t last_inv;		/* behind the last LOCAL_INV, while inv_out */
	bool inv_out;			/* there was one, and nobody has seen yet that it is over */
	/* between wr_start and wr_complete */
	uint16_t wr_pi;			/* behind the last entry that was begun */
	uint16_t wr_last;		/* of that request: the entry that its data belongs to */
	unsigned int wr_flags;		/* and its flags */
	int wr_err;			/* the first error: nothing is posted */
};

static inline struct weft_context *to_weft_ctx(struct ibv_context *ctx)
{
	return container_of(ctx, struct weft_context, ibv_ctx.context);
}

static inline struct weft_cq *to_weft_cq(struct ibv_cq *cq)
{
	return container_of(cq, struct weft_cq, vcq.cq);
}

static inline struct weft_pd *to_weft_pd(struct ibv_pd *pd)
{
	return container_of(pd, struct weft_pd, ibv_pd);
}

static inline struct weft_qp *to_weft_qp(struct ibv_qp *qp)
{
	return container_of(qp, struct weft_qp, vqp.qp);
}

static inline struct weft_srq *to_weft_srq(struct ibv_srq *srq)
{
	return container_of(srq, struct weft_srq, ibv_srq);
}

/*
 * Whether a ring can be as the driver has told. The answer of an older driver may end in front of a field, which is 0 then, and what is
 * done by such a size writes beyond the mapping.
 */
static inline bool weft_ring_fits(struct ibv_context *ctx, uint32_t entries, uint32_t stride,
				  uint32_t bytes)
{
	if (entries && !(entries & (entries - 1)) && stride && bytes / entries >= stride)
		return true;
	verbs_err(&to_weft_ctx(ctx)->ibv_ctx, "a ring of %u entries of %u bytes in %u: is the driver of another version?\n",
		  entries, stride, bytes);
	return false;
}

static inline bool weft_has_imm(struct ibv_context *ctx)
{
	return to_weft_ctx(ctx)->features >> WEFT_FEATURE_IMM & 1;
}

/*
 * What a Read may be into. The kernel makes a send queue for two entries a request, and a CQ for two bad completions of each, where
 * there is Write with immediate; no more than that can be kept with as many requests as were promised.
 */
static inline uint32_t weft_max_sge_rd(struct ibv_context *ctx)
{
	return weft_has_imm(ctx) ? 2 : 1;
}

static inline bool weft_has_atomic(struct ibv_context *ctx)
{
	return to_weft_ctx(ctx)->features >> WEFT_FEATURE_ATOMIC & 1;
}

static inline bool weft_has_stamp(struct ibv_context *ctx)
{
	return to_weft_ctx(ctx)->features >> WEFT_FEATURE_CQE_STAMP & 1;
}

static inline bool weft_has_mw(struct ibv_context *ctx)
{
	return to_weft_ctx(ctx)->features >> WEFT_FEATURE_MW & 1;
}

static inline void weft_lock_init(struct weft_lock *l, bool alone)
{
	pthread_spin_init(&l->spin, PTHREAD_PROCESS_PRIVATE);
	l->alone = alone;
}

static inline void weft_lock(struct weft_lock *l)
{
	if (!l->alone)
		pthread_spin_lock(&l->spin);
}

static inline void weft_unlock(struct weft_lock *l)
{
	if (!l->alone)
		pthread_spin_unlock(&l->spin);
}

/*
 * Behind all that the caller has written. From a page that is write combining it leaves at once, and in front of whatever is
 * written there next: two doorbells that leave in one write count for nothing.
 */
static inline void weft_doorbell(struct weft_context *ctx, uint32_t offset, const __le64 *db)
{
	if (ctx->push)
		mmio_wc_start();
	else
		udma_to_device_barrier();
	mmio_write64_le(ctx->db + offset, *db);
	if (ctx->push)
		mmio_flush_writes();
}

/* weft.c */
int weft_qp_insert(struct weft_context *ctx, struct weft_qp *qp);
void weft_qp_remove(struct weft_context *ctx, uint32_t qpn);
struct weft_qp *weft_qp_find(struct weft_context *ctx, uint32_t qpn);

/* weft_verbs.c */
int weft_query_device(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		      struct ibv_device_attr_ex *attr, size_t attr_size);
int weft_query_rt_values(struct ibv_context *context, struct ibv_values_ex *values);
int weft_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr);
struct ibv_pd *weft_alloc_pd(struct ibv_context *context);
int weft_dealloc_pd(struct ibv_pd *pd);
struct ibv_td *weft_alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr);
int weft_dealloc_td(struct ibv_td *td);
struct ibv_pd *weft_alloc_parent_domain(struct ibv_context *context,
					struct ibv_parent_domain_init_attr *attr);
bool weft_pd_alone(struct ibv_pd *pd);
void *weft_mem_alloc(struct weft_mem *mem, struct ibv_pd *pd, size_t bytes, enum weft_res what);
void weft_mem_free(struct weft_mem *mem);
struct ibv_mr *weft_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t hca_va,
			   int access);
struct ibv_mr *weft_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova,
				  int fd, int access);
int weft_rereg_mr(struct verbs_mr *vmr, int flags, struct ibv_pd *pd, void *addr, size_t length,
		  int access);
int weft_dereg_mr(struct verbs_mr *vmr);
struct ibv_mw *weft_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type);
int weft_dealloc_mw(struct ibv_mw *mw);

/* weft_cq.c */
struct ibv_cq *weft_create_cq(struct ibv_context *context, int cqe,
			      struct ibv_comp_channel *channel, int comp_vector);
struct ibv_cq_ex *weft_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr);
int weft_destroy_cq(struct ibv_cq *cq);
int weft_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
int weft_resize_cq(struct ibv_cq *cq, int cqe);
int weft_poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc);
int weft_req_notify_cq(struct ibv_cq *cq, int solicited_only);
void weft_cq_forget_qp(struct weft_cq *cq, const struct weft_qp *qp);
void weft_cqs_forget(struct weft_context *ctx, uint32_t qpn);

/* weft_qp.c */
struct ibv_qp *weft_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
struct ibv_qp *weft_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr);
int weft_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int weft_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		  struct ibv_qp_init_attr *init);
int weft_destroy_qp(struct ibv_qp *qp);

/* weft_srq.c */
struct ibv_srq *weft_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr);
int weft_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask);
int weft_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr);
int weft_destroy_srq(struct ibv_srq *srq);
int weft_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
uint64_t weft_srq_done(struct weft_srq *srq, uint32_t slot);

/* weft_wr.c */
#define WEFT_WR_OPS ((uint64_t)IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_INV | \
		     IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_READ | \
		     IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | \
		     IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD | IBV_QP_EX_WITH_BIND_MW | \
		     IBV_QP_EX_WITH_LOCAL_INV)
int weft_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);
int weft_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
int weft_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int weft_put_rqe(__le64 *wqe, const struct ibv_recv_wr *wr, uint32_t max_sge, uint16_t index);
void weft_set_wr_ops(struct weft_qp *qp, uint64_t ops);

#endif
