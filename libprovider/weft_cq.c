// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <ccan/array_size.h>
#include <ccan/ilog.h>
#include <ccan/minmax.h>

#include "weft.h"

static void weft_set_poll_ops(struct ibv_cq_ex *cq, uint64_t wc_flags);

/*
 * The card is told what was polled only now and then: it has to know in time that there is room, and
 * the ring has entries beyond those that were promised. So a few more are asked for.
 *
 * The kernel's ring has twice as many as it was asked for: a request of two entries has two bad completions, of
 * which the program is told one. Nothing of these is promised.
 */
#define WEFT_CQ_SPARE(cqe) max_t(uint32_t, (cqe) / 8, 4)
#define WEFT_CQ_SPARE_UP_TO (1u << 15)
#define WEFT_CQ_LEAST 16 /* entries of the kernel's smallest */

/* What the kernel is asked for, when the program wants @cqe entries. */
static uint32_t weft_cq_asked(uint32_t cqe)
{
	return cqe <= WEFT_CQ_SPARE_UP_TO ? cqe + WEFT_CQ_SPARE(cqe) : cqe;
}

/* Of what it gives then: how far the card may be behind, and what is promised. */
static uint32_t weft_cq_lag(uint32_t cqe, int *promised)
{
	uint32_t room = max_t(uint32_t, WEFT_CQ_LEAST, 1u << ilog32(weft_cq_asked(cqe) - 1));
	uint32_t lag = min_t(uint32_t, room - cqe, room / 4);

	*promised = room - lag;
	return lag;
}

/*
 * Each piece of a ring is a mapping of its own; they lie side by side, where nothing else is mapped meanwhile. NULL: errno says why,
 * and nothing is mapped.
 */
static __le64 *weft_ring_map(int fd, size_t bytes, uint32_t pieces, uint64_t key,
			     const __u64 *more_keys)
{
	int prot = PROT_READ | PROT_WRITE, place = MAP_SHARED, rc;
	uint8_t *ring = NULL;
	size_t step;
	uint32_t i;

	pieces = max_t(uint32_t, pieces, 1); /* 0 from an older driver */
	if (pieces > WEFT_CQ_MORE_PIECES + 1) {
		errno = EPROTO;
		return NULL;
	}
	step = bytes / pieces;
	if (pieces > 1) {
		ring = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (ring == MAP_FAILED)
			return NULL;
		place |= MAP_FIXED;
	}
	for (i = 0; i < pieces; i++) {
		void *at = mmap(ring ? ring + i * step : NULL, step, prot, place, fd, i ? more_keys[i - 1] : key);

		if (at == MAP_FAILED)
			break;
		if (!i)
			ring = at;
	}
	if (i == pieces)
		return (__le64 *)ring;
	rc = errno;
	if (i) /* but for the place that was to be replaced, which may be another's by now */
		munmap(ring, i * step);
	if (i + 1 < pieces)
		munmap(ring + (i + 1) * step, (pieces - i - 1) * step);
	errno = rc;
	return NULL;
}

static struct weft_cq *weft_cq_new(struct ibv_context *context,
				   const struct ibv_cq_init_attr_ex *want, bool alone)
{
	struct weft_create_cq_cmd_resp resp = {};
	struct ibv_cq_init_attr_ex attr = *want;
	struct weft_create_cq_cmd cmd = {};
	struct weft_context *ctx;
	struct weft_cq *cq;
	int rc;

	if (want->cqe < 1) {
		errno = EINVAL;
		return NULL;
	}
	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return NULL;
	attr.comp_mask = 0; /* the kernel has no part in it */
	attr.cqe = weft_cq_asked(want->cqe);
	rc = ibv_cmd_create_cq_ex(context, &attr, &cq->vcq, &cmd.ibv_cmd, sizeof(cmd),
				  &resp.ibv_resp, sizeof(resp), 0);
	if (rc)
		goto err_cq;
	rc = EPROTO;
	if (!weft_ring_fits(context, resp.entries, WEFT_CQE_BYTES, resp.mmap_bytes))
		goto err_kernel;
	cq->cqn = resp.cqn;
	cq->log2 = ilog32(resp.entries - 1);
	cq->lag = weft_cq_lag(want->cqe, &cq->vcq.cq.cqe);
	cq->ring_bytes = resp.mmap_bytes;
	cq->ring = weft_ring_map(context->cmd_fd, cq->ring_bytes, resp.pieces, resp.mmap_key,
				 resp.more_keys);
	if (!cq->ring) {
		rc = errno;
		goto err_kernel;
	}
	weft_lock_init(&cq->lock, alone);
	pthread_mutex_init(&cq->resize_lock, NULL);
	ctx = to_weft_ctx(context);
	pthread_mutex_lock(&ctx->cqs_lock);
	list_add_tail(&ctx->cqs, &cq->link);
	pthread_mutex_unlock(&ctx->cqs_lock);
	return cq;

err_kernel:
	ibv_cmd_destroy_cq(&cq->vcq.cq);
err_cq:
	free(cq);
	errno = rc;
	return NULL;
}

struct ibv_cq *weft_create_cq(struct ibv_context *context, int cqe,
			      struct ibv_comp_channel *channel, int comp_vector)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = cqe,
		.channel = channel,
		.comp_vector = comp_vector,
	};
	struct weft_cq *cq;

	if (cqe < 1) { /* the extended one has no sign */
		errno = EINVAL;
		return NULL;
	}
	cq = weft_cq_new(context, &attr, false);
	return cq ? &cq->vcq.cq : NULL;
}

#define WEFT_CQ_MASK (IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD)

/*
 * The time in completions is the card's, since its reset: it knows no wall clock. What no RNIC has (VLAN, flow tag, tags) is not there
 * either. Of the standard fields those of a datagram's source are zero, as in ibv_poll_cq().
 */
struct ibv_cq_ex *weft_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	uint32_t flags = attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS ? attr->flags : 0;
	bool alone = flags & IBV_CREATE_CQ_ATTR_SINGLE_THREADED;
	uint64_t can = IBV_WC_STANDARD_FLAGS;
	struct weft_cq *cq;

	if (weft_has_stamp(context))
		can |= IBV_WC_EX_WITH_COMPLETION_TIMESTAMP;
	if (attr->comp_mask & ~WEFT_CQ_MASK || attr->wc_flags & ~can ||
	    flags & ~IBV_CREATE_CQ_ATTR_SINGLE_THREADED) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if (attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_PD) {
		if (!attr->parent_domain || !to_weft_pd(attr->parent_domain)->of) {
			errno = EINVAL;
			return NULL;
		}
		alone = alone || weft_pd_alone(attr->parent_domain);
	}
	cq = weft_cq_new(context, attr, alone);
	if (!cq)
		return NULL;
	weft_set_poll_ops(&cq->vcq.cq_ex, attr->wc_flags);
	return &cq->vcq.cq_ex;
}

int weft_destroy_cq(struct ibv_cq *ibv_cq)
{
	struct weft_context *ctx = to_weft_ctx(ibv_cq->context);
	struct weft_cq *cq = to_weft_cq(ibv_cq);
	int rc = ibv_cmd_destroy_cq(ibv_cq);

	if (rc)
		return rc;
	pthread_mutex_lock(&ctx->cqs_lock);
	list_del(&cq->link);
	pthread_mutex_unlock(&ctx->cqs_lock);
	munmap(cq->ring, cq->ring_bytes);
	pthread_spin_destroy(&cq->lock.spin);
	pthread_mutex_destroy(&cq->resize_lock);
	free(cq);
	return 0;
}

/* Who cannot is the driver's to say. */
int weft_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	struct ibv_modify_cq cmd = {};

	return ibv_cmd_modify_cq(cq, attr, &cmd, sizeof(cmd));
}

/* ---- entries ---- */

/* Where an entry lies in a ring of 2^@log2, and the phase bit that it has there. */
static __le64 *weft_cqe_place(__le64 *ring, uint32_t log2, uint32_t first, uint32_t index,
			      uint32_t *phase)
{
	uint32_t at = index - first;

	*phase = !(at >> log2 & 1);
	return ring + (size_t)(at & ((1u << log2) - 1)) * WEFT_WORDS(CQE);
}

static __le64 *weft_cqe(const struct weft_cq *cq, uint32_t index)
{
	uint32_t phase;
	__le64 *cqe = weft_cqe_place(cq->ring, cq->log2, cq->first, index, &phase);

	return WEFT_GET(cqe, CQE_PHASE) == phase ? cqe : NULL;
}

static enum ibv_wc_status weft_wc_status(uint32_t status)
{
	static const enum ibv_wc_status map[] = {
		[WEFT_WC_STATUS_SUCCESS] = IBV_WC_SUCCESS,
		[WEFT_WC_STATUS_LOC_LEN_ERR] = IBV_WC_LOC_LEN_ERR,
		[WEFT_WC_STATUS_LOC_QP_OP_ERR] = IBV_WC_LOC_QP_OP_ERR,
		[WEFT_WC_STATUS_LOC_PROT_ERR] = IBV_WC_LOC_PROT_ERR,
		[WEFT_WC_STATUS_WR_FLUSH_ERR] = IBV_WC_WR_FLUSH_ERR,
		[WEFT_WC_STATUS_REM_INV_REQ_ERR] = IBV_WC_REM_INV_REQ_ERR,
		[WEFT_WC_STATUS_REM_ACCESS_ERR] = IBV_WC_REM_ACCESS_ERR,
		[WEFT_WC_STATUS_REM_OP_ERR] = IBV_WC_REM_OP_ERR,
		[WEFT_WC_STATUS_RETRY_EXC_ERR] = IBV_WC_RETRY_EXC_ERR,
		[WEFT_WC_STATUS_FATAL_ERR] = IBV_WC_FATAL_ERR,
		[WEFT_WC_STATUS_MW_BIND_ERR] = IBV_WC_MW_BIND_ERR,
	};

	return status < ARRAY_SIZE(map) ? map[status] : IBV_WC_GENERAL_ERR;
}

/*
 * What the program is told of entry @i, whose completion is bad when it is the first of two; false: nothing, it was
 * told of the first one.
 */
static bool weft_op_told(struct weft_wq *sq, uint32_t i, struct weft_done *d)
{
	uint32_t mask = (1u << sq->log2) - 1;

	if (sq->op[i] == WEFT_OP_TOLD)
		return false;
	d->opcode = sq->op[i] & ~(WEFT_OP_TWO | WEFT_OP_SUM);
	if (sq->op[i] & WEFT_OP_TWO)
		sq->op[(i + 1) & mask] = WEFT_OP_TOLD;
	if (sq->op[i] & WEFT_OP_SUM) { /* the entry in front of it is in its place until this one is done */
		const __le64 *first = (const __le64 *)(sq->ring + (size_t)((i - 1) & mask) * sq->stride);

		d->bytes += WEFT_GET(first, SQE_LENGTH);
	}
	return true;
}

/* Takes the next entry whose QP is there; one that was destroyed took its completions with it. */
static bool weft_take(struct weft_cq *cq, struct weft_done *d)
{
	struct weft_context *ctx = to_weft_ctx(cq->vcq.cq.context);
	const __le64 *cqe;

	while ((cqe = weft_cqe(cq, cq->ci))) {
		struct weft_qp *qp;
		struct weft_wq *wq;
		uint32_t qpn, opcode, i;
		uint16_t index;
		bool told = true, shared;

		udma_from_device_barrier(); /* the body is older than the phase bit */
		cq->ci++;
		qpn = WEFT_GET(cqe, CQE_QPN);
		qp = weft_qp_find(ctx, qpn);
		/* who finds a QP that has the number anew sees too that the entry was taken from it: weft_cqs_forget */
		if (!qp || WEFT_GET(cqe, CQE_QPN) != qpn)
			continue;
		opcode = WEFT_GET(cqe, CQE_OPCODE);
		index = WEFT_GET(cqe, CQE_INDEX);
		wq = opcode & 0x80 ? &qp->rq : &qp->sq;
		shared = wq == &qp->rq && qp->srq;
		i = index & ((1u << wq->log2) - 1);
		d->cqe = cqe;
		d->wr_id = shared ? weft_srq_done(qp->srq, index) : wq->wr_id[i];
		d->bytes = WEFT_GET(cqe, CQE_BYTES);
		d->status = weft_wc_status(WEFT_GET(cqe, CQE_STATUS));
		d->inv = opcode == WEFT_WC_OPCODE_RECV_INV && d->status == IBV_WC_SUCCESS;
		d->imm = opcode == WEFT_WC_OPCODE_RECV_IMM && d->status == IBV_WC_SUCCESS;
		d->opcode = d->imm ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;
		if (shared)
			return true;
		if (wq == &qp->sq)
			told = weft_op_told(wq, i, d);
		/* unsignaled ones before it are complete too; the entry may be reused from here on */
		__atomic_store_n(&wq->ci, (uint16_t)(index + 1), __ATOMIC_RELEASE);
		if (told)
			return true;
	}
	return false;
}

static void weft_cq_doorbell(struct weft_cq *cq, uint32_t arm)
{
	__le64 db = 0;

	WEFT_PUT(&db, DB_CQ_ID, cq->cqn);
	WEFT_PUT(&db, DB_CQ_ARM, arm);
	WEFT_PUT(&db, DB_CQ_INDEX, cq->ci);
	weft_doorbell(to_weft_ctx(cq->vcq.cq.context), WEFT_DB_CQ, &db);
	cq->told = cq->ci;
}

/* Behind what was taken, before the lock is given back. */
static void weft_cq_tell(struct weft_cq *cq)
{
	if (cq->ci - cq->told > cq->lag)
		weft_cq_doorbell(cq, WEFT_ARM_NONE);
}

int weft_poll_cq(struct ibv_cq *ibv_cq, int n, struct ibv_wc *wc)
{
	struct weft_cq *cq = to_weft_cq(ibv_cq);
	struct weft_done d;
	int got;

	weft_lock(&cq->lock);
	for (got = 0; got < n && weft_take(cq, &d); got++) {
		wc[got] = (struct ibv_wc){
			.wr_id = d.wr_id,
			.status = d.status,
			.opcode = d.opcode,
			.vendor_err = WEFT_GET(d.cqe, CQE_VENDOR_ERR),
			.byte_len = d.bytes,
			.qp_num = WEFT_GET(d.cqe, CQE_QPN),
		};
		if (d.inv) {
			wc[got].wc_flags = IBV_WC_WITH_INV;
			wc[got].invalidated_rkey = WEFT_GET(d.cqe, CQE_INV_STAG);
		} else if (d.imm) {
			wc[got].wc_flags = IBV_WC_WITH_IMM;
			wc[got].imm_data = htobe32(WEFT_GET(d.cqe, CQE_INV_STAG));
		}
	}
	weft_cq_tell(cq);
	weft_unlock(&cq->lock);
	return got;
}

int weft_req_notify_cq(struct ibv_cq *ibv_cq, int solicited_only)
{
	struct weft_cq *cq = to_weft_cq(ibv_cq);

	weft_lock(&cq->lock);
	weft_cq_doorbell(cq, solicited_only ? WEFT_ARM_SOLICITED : WEFT_ARM_NEXT);
	weft_unlock(&cq->lock);
	return 0;
}

/*
 * No completion after destroy_qp: entries that wait lose their QP number, and poll passes them over. What they were of
 * a shared queue is free.
 */
void weft_cq_forget_qp(struct weft_cq *cq, const struct weft_qp *qp)
{
	uint32_t i;
	__le64 *cqe;

	pthread_mutex_lock(&cq->resize_lock); /* or they may lie in another ring, too */
	weft_lock(&cq->lock);
	for (i = cq->ci; i - cq->ci < 1u << cq->log2 && (cqe = weft_cqe(cq, i)); i++) {
		udma_from_device_barrier(); /* the body is older than the phase bit */
		if (WEFT_GET(cqe, CQE_QPN) != qp->vqp.qp.qp_num)
			continue;
		if (qp->srq && WEFT_GET(cqe, CQE_OPCODE) & 0x80)
			weft_srq_done(qp->srq, WEFT_GET(cqe, CQE_INDEX));
		WEFT_PUT(cqe, CQE_QPN, 0);
	}
	weft_unlock(&cq->lock);
	pthread_mutex_unlock(&cq->resize_lock);
}

/* In front of poll, of whoever may be there: only the number goes, and only where nobody has written meanwhile. */
static void weft_cq_forget_number(struct weft_cq *cq, uint32_t qpn)
{
	size_t at;

	pthread_mutex_lock(&cq->resize_lock); /* or some may be on their way to another ring */
	for (at = 0; at < cq->ring_bytes / sizeof(__le64); at += WEFT_WORDS(CQE)) {
		__le64 was = __atomic_load_n(cq->ring + at, __ATOMIC_RELAXED), now = was;

		static_assert(WEFT_CQE_QPN_LSB < 64, "the first word has the number");
		if (WEFT_GET(&was, CQE_QPN) != qpn)
			continue;
		WEFT_PUT(&now, CQE_QPN, 0);
		__atomic_compare_exchange_n(cq->ring + at, &was, now, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&cq->resize_lock);
}

/*
 * A number comes again. A queue pair that had it may have been one that the card held on to when it was destroyed, so completions of it
 * may have come behind weft_cq_forget_qp(). Nobody had the number meanwhile, so poll passed them over; those that wait yet are to be
 * nobody's. The card writes no more of them, nor has the new one any yet. All of each ring is looked at, whether it waits or not: a CQ
 * may be one for a thread alone, which may be in the midst of it.
 */
void weft_cqs_forget(struct weft_context *ctx, uint32_t qpn)
{
	struct weft_cq *cq;

	pthread_mutex_lock(&ctx->cqs_lock);
	list_for_each(&ctx->cqs, cq, link)
		weft_cq_forget_number(cq, qpn);
	pthread_mutex_unlock(&ctx->cqs_lock);
}

/* ---- another ring: docs/resize.md ---- */

#define WEFT_CQ_INDEX ((1u << WEFT_DB_CQ_INDEX_WIDTH) - 1)

static int weft_resize_step(struct weft_cq *cq, uint32_t cqe, enum weft_resize_cq_step step,
			    struct weft_resize_cq_cmd_resp *resp)
{
	/* the library tells what the kernel has given: not the program */
	struct ibv_cq told = { .context = cq->vcq.cq.context, .handle = cq->vcq.cq.handle };
	struct weft_resize_cq_cmd cmd = { .step = step };

	return ibv_cmd_resize_cq(&told, cqe, &cmd.ibv_cmd, sizeof(cmd), &resp->ibv_resp,
				 sizeof(*resp));
}

/*
 * The card has gone on in @ring with entry @first, and the old one is complete: what is not read yet of it comes along. The card
 * does not write to where that lies before it is told of it. @ring becomes the old one.
 */
static void weft_cq_move(struct weft_cq *cq, __le64 **ring, uint32_t log2, uint32_t first)
{
	uint32_t most = 1u << min_t(uint32_t, cq->log2, log2), i, phase;
	uint32_t n = min_t(uint32_t, (first - cq->ci) & WEFT_CQ_INDEX, most);
	__le64 *from, *to, *was = cq->ring;

	udma_from_device_barrier();
	for (i = cq->ci; i != cq->ci + n; i++) {
		from = weft_cqe_place(was, cq->log2, cq->first, i, &phase);
		to = weft_cqe_place(*ring, log2, first, i, &phase);
		memcpy(to, from, WEFT_CQE_BYTES);
		WEFT_PUT(to, CQE_PHASE, phase);
	}
	cq->ring = *ring;
	cq->log2 = log2;
	cq->first = first;
	*ring = was;
}

static int weft_resize(struct weft_cq *cq, uint32_t cqe)
{
	struct weft_resize_cq_cmd_resp resp = {};
	uint32_t log2, lag, lag_was, i;
	size_t bytes;
	__le64 *ring;
	int promised, rc;

	rc = weft_resize_step(cq, weft_cq_asked(cqe), WEFT_RESIZE_CQ_PREPARE, &resp);
	if (rc)
		return rc;
	bytes = resp.mmap_bytes;
	if (!weft_ring_fits(cq->vcq.cq.context, resp.entries, WEFT_CQE_BYTES, bytes))
		return EPROTO;
	log2 = ilog32(resp.entries - 1);
	ring = weft_ring_map(cq->vcq.cq.context->cmd_fd, bytes, resp.pieces, resp.mmap_key,
			     resp.more_keys);
	if (!ring)
		return errno; /* the next resize, or the end of the CQ, takes what the kernel has made */
	lag = weft_cq_lag(cqe, &promised);
	weft_lock(&cq->lock);
	lag_was = cq->lag;
	for (i = cq->ci; i - cq->ci <= cqe && weft_cqe(cq, i); i++)
		;
	if (i - cq->ci > cqe) {
		rc = EINVAL;
	} else { /* the card takes what it knows to be unread for what has to fit */
		cq->lag = min_t(uint32_t, lag, lag_was);
		weft_cq_doorbell(cq, WEFT_ARM_NONE);
	}
	weft_unlock(&cq->lock);
	if (!rc)
		rc = weft_resize_step(cq, weft_cq_asked(cqe), WEFT_RESIZE_CQ_SWITCH, &resp);
	weft_lock(&cq->lock);
	if (rc) {
		cq->lag = lag_was;
	} else {
		weft_cq_move(cq, &ring, log2, resp.first);
		cq->lag = lag;
		cq->vcq.cq.cqe = promised;
	}
	weft_unlock(&cq->lock);
	munmap(ring, rc ? bytes : cq->ring_bytes);
	if (!rc)
		cq->ring_bytes = bytes;
	return rc;
}

int weft_resize_cq(struct ibv_cq *ibv_cq, int cqe)
{
	struct weft_cq *cq = to_weft_cq(ibv_cq);
	int rc;

	if (cqe < 1)
		return EINVAL;
	pthread_mutex_lock(&cq->resize_lock);
	rc = weft_resize(cq, cqe);
	pthread_mutex_unlock(&cq->resize_lock);
	return rc;
}

/* ---- one by one ---- */

static struct weft_cq *from_ex(struct ibv_cq_ex *cq_ex)
{
	return container_of(cq_ex, struct weft_cq, vcq.cq_ex);
}

static int weft_next_poll(struct ibv_cq_ex *cq_ex)
{
	struct weft_cq *cq = from_ex(cq_ex);

	if (!weft_take(cq, &cq->done))
		return ENOENT;
	cq_ex->wr_id = cq->done.wr_id;
	cq_ex->status = cq->done.status;
	return 0;
}

static void weft_end_poll(struct ibv_cq_ex *cq_ex)
{
	weft_cq_tell(from_ex(cq_ex));
	weft_unlock(&from_ex(cq_ex)->lock);
}

/* The lock is kept until end_poll, which is called only when there was something. */
static int weft_start_poll(struct ibv_cq_ex *cq_ex, struct ibv_poll_cq_attr *attr)
{
	int rc;

	if (attr->comp_mask)
		return EINVAL;
	weft_lock(&from_ex(cq_ex)->lock);
	rc = weft_next_poll(cq_ex);
	if (rc)
		weft_end_poll(cq_ex);
	return rc;
}

static enum ibv_wc_opcode weft_read_opcode(struct ibv_cq_ex *cq_ex)
{
	return from_ex(cq_ex)->done.opcode;
}

static uint32_t weft_read_vendor_err(struct ibv_cq_ex *cq_ex)
{
	return WEFT_GET(from_ex(cq_ex)->done.cqe, CQE_VENDOR_ERR);
}

static unsigned int weft_read_wc_flags(struct ibv_cq_ex *cq_ex)
{
	const struct weft_done *d = &from_ex(cq_ex)->done;

	return d->inv ? IBV_WC_WITH_INV : d->imm ? IBV_WC_WITH_IMM : 0;
}

static uint32_t weft_read_byte_len(struct ibv_cq_ex *cq_ex)
{
	return from_ex(cq_ex)->done.bytes;
}

/* ibv_wc_read_invalidated_rkey() asks for it here, in the order of the host */
static __be32 weft_read_imm_data(struct ibv_cq_ex *cq_ex)
{
	const struct weft_done *d = &from_ex(cq_ex)->done;

	if (d->imm)
		return htobe32(WEFT_GET(d->cqe, CQE_INV_STAG));
	return (__force __be32)(uint32_t)(d->inv ? WEFT_GET(d->cqe, CQE_INV_STAG) : 0);
}

static uint32_t weft_read_qp_num(struct ibv_cq_ex *cq_ex)
{
	return WEFT_GET(from_ex(cq_ex)->done.cqe, CQE_QPN);
}

static uint64_t weft_read_completion_ts(struct ibv_cq_ex *cq_ex)
{
	return WEFT_GET(from_ex(cq_ex)->done.cqe, CQE_STAMP);
}

static uint32_t weft_read_zero32(struct ibv_cq_ex *cq_ex)
{
	return 0;
}

static uint8_t weft_read_zero8(struct ibv_cq_ex *cq_ex)
{
	return 0;
}

static void weft_set_poll_ops(struct ibv_cq_ex *cq, uint64_t wc_flags)
{
	cq->start_poll = weft_start_poll;
	cq->next_poll = weft_next_poll;
	cq->end_poll = weft_end_poll;
	cq->read_opcode = weft_read_opcode;
	cq->read_vendor_err = weft_read_vendor_err;
	cq->read_wc_flags = weft_read_wc_flags;
	if (wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP)
		cq->read_completion_ts = weft_read_completion_ts;
	if (wc_flags & IBV_WC_EX_WITH_BYTE_LEN)
		cq->read_byte_len = weft_read_byte_len;
	if (wc_flags & IBV_WC_EX_WITH_IMM)
		cq->read_imm_data = weft_read_imm_data;
	if (wc_flags & IBV_WC_EX_WITH_QP_NUM)
		cq->read_qp_num = weft_read_qp_num;
	if (wc_flags & IBV_WC_EX_WITH_SRC_QP)
		cq->read_src_qp = weft_read_zero32;
	if (wc_flags & IBV_WC_EX_WITH_SLID)
		cq->read_slid = weft_read_zero32;
	if (wc_flags & IBV_WC_EX_WITH_SL)
		cq->read_sl = weft_read_zero8;
	if (wc_flags & IBV_WC_EX_WITH_DLID_PATH_BITS)
		cq->read_dlid_path_bits = weft_read_zero8;
}
