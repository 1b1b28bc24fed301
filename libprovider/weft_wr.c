// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Work requests: in lists, and one by one (ibv_wr_*). Both write the same entries, and the card hears
 * of them by one doorbell.
 */
#include <errno.h>
#include <string.h>


#include "weft.h"

static __le64 *weft_wqe(const struct weft_wq *wq, uint16_t index)
{
	return (__le64 *)(wq->ring + (size_t)(index & ((1u << wq->log2) - 1)) * wq->stride);
}

static bool weft_wq_full(struct weft_wq *wq, uint16_t pi, uint32_t entries)
{
	uint16_t ci = __atomic_load_n(&wq->ci, __ATOMIC_ACQUIRE);

	return (uint16_t)(pi - ci) + entries > 1u << wq->log2;
}

static void weft_wq_doorbell(struct weft_qp *qp, uint32_t offset, uint16_t index)
{
	__le64 db = 0;

	WEFT_PUT(&db, DB_QUEUE_ID, qp->vqp.qp.qp_num);
	WEFT_PUT(&db, DB_QUEUE_INDEX, index);
	weft_doorbell(to_weft_ctx(qp->vqp.qp.context), offset, &db); /* behind the entries */
}

/* What a push line holds: a header and one element, or as many in-line bytes. */
static bool weft_fits_line(const __le64 *wqe)
{
	uint8_t op = WEFT_GET(wqe, SQE_OPCODE);

	if (op > WEFT_SQ_OPCODE_READ && op != WEFT_SQ_OPCODE_NOP && op != WEFT_SQ_OPCODE_IMM)
		return false;
	return WEFT_GET(wqe, SQE_INLINE) ? WEFT_GET(wqe, SQE_LENGTH) <= WEFT_PUSH_WQE_BYTES - WEFT_SQE_BYTES :
					   WEFT_GET(wqe, SQE_NUM_SGE) <= 1;
}

/* The entry in front of @index with its doorbell. False: somebody else is at the line. */
static bool weft_push(struct weft_context *ctx, struct weft_qp *qp, uint16_t index)
{
	uint32_t n = qp->vqp.qp.qp_num % ((WEFT_DB_PAGE_BYTES - WEFT_DB_PUSH) / WEFT_PUSH_LINE_BYTES);
	__le64 line[WEFT_PUSH_LINE_BYTES / 8] = {};

	/* two in one line at a time would be torn at best */
	if (atomic_fetch_or(&ctx->push_busy, 1u << n) & 1u << n)
		return false;
	WEFT_PUT(line, PUSH_LINE_ID, qp->vqp.qp.qp_num);
	WEFT_PUT(line, PUSH_LINE_INDEX, index);
	memcpy(line + WEFT_PUSH_LINE_WQE_OFF / 8, weft_wqe(&qp->sq, index - 1), WEFT_PUSH_WQE_BYTES);
	mmio_wc_start(); /* the entry is in the ring, too */
	mmio_memcpy_x64(ctx->db + WEFT_DB_PUSH + n * WEFT_PUSH_LINE_BYTES, line, sizeof(line));
	mmio_flush_writes();
	atomic_fetch_and(&ctx->push_busy, ~(1u << n));
	return true;
}

/* The card hears of what was posted since @before: of one short entry on an empty queue at once with it. */
static void weft_ring_sq(struct weft_qp *qp, uint16_t before)
{
	struct weft_context *ctx = to_weft_ctx(qp->vqp.qp.context);
	struct weft_wq *sq = &qp->sq;

	if (ctx->push && (uint16_t)(sq->pi - before) == 1 && before == __atomic_load_n(&sq->ci, __ATOMIC_RELAXED) &&
	    weft_fits_line(weft_wqe(sq, before)) && weft_push(ctx, qp, sq->pi))
		return;
	weft_wq_doorbell(qp, WEFT_DB_SQ, sq->pi);
}

/* ---- what an entry is made of ---- */

/* Writes the elements; false: together they are longer than a message may be. */
static bool weft_put_sges(__le64 *words, const struct ibv_sge *sge, size_t n, uint32_t *len)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < n; i++, words += WEFT_WORDS(SGE)) {
		WEFT_PUT(words, SGE_ADDR, sge[i].addr);
		WEFT_PUT(words, SGE_LENGTH, sge[i].length);
		WEFT_PUT(words, SGE_LKEY, sge[i].lkey);
		total += sge[i].length;
	}
	*len = total;
	return total <= WEFT_MAX_MSG;
}

/* A new entry at @index, with nothing in it yet; it may be given up by not posting it. */
static __le64 *weft_begin(struct weft_qp *qp, uint16_t index, uint64_t wr_id, unsigned int flags)
{
	struct weft_wq *sq = &qp->sq;
	__le64 *wqe = weft_wqe(sq, index);

	memset(wqe, 0, WEFT_SQE_BYTES);
	WEFT_PUT(wqe, SQE_INDEX, index);
	WEFT_PUT(wqe, SQE_SIGNALED, qp->sig_all || flags & IBV_SEND_SIGNALED);
	WEFT_PUT(wqe, SQE_SOLICITED, !!(flags & IBV_SEND_SOLICITED));
	WEFT_PUT(wqe, SQE_READ_FENCE, !!(flags & IBV_SEND_FENCE));
	sq->wr_id[index & ((1u << sq->log2) - 1)] = wr_id;
	return wqe;
}

static void weft_set_op(struct weft_qp *qp, uint16_t index, uint32_t opcode, uint8_t wc_op)
{
	struct weft_wq *sq = &qp->sq;

	WEFT_PUT(weft_wqe(sq, index), SQE_OPCODE, opcode);
	sq->op[index & ((1u << sq->log2) - 1)] = wc_op;
}

static void weft_put_remote(__le64 *wqe, uint32_t rkey, uint64_t addr)
{
	WEFT_PUT(wqe, SQE_RSTAG, rkey);
	WEFT_PUT(wqe, SQE_RADDR, addr);
}

/* What an atomic is made of: behind its one element of 8 bytes, which is set apart. */
static void weft_put_operands(__le64 *wqe, uint64_t data, uint64_t compare)
{
	__le64 *at = wqe + WEFT_WORDS(SQE) + WEFT_WORDS(SGE);

	WEFT_PUT(at, SQE_ATOMIC_DATA, data);
	WEFT_PUT(at, SQE_ATOMIC_COMPARE, compare);
}

/* Changes an STag, and has neither elements nor data. */
static bool weft_is_stag_op(uint32_t opcode)
{
	return opcode == WEFT_SQ_OPCODE_BIND_MW || opcode == WEFT_SQ_OPCODE_LOCAL_INV;
}

/* An atomic takes exactly one element, of 8 bytes. For a Read see weft_put_read. */
static bool weft_sge_fits(uint32_t opcode, const struct ibv_sge *sge, size_t n)
{
	if (weft_is_stag_op(opcode))
		return !n;
	if (opcode != WEFT_SQ_OPCODE_FETCH_ADD && opcode != WEFT_SQ_OPCODE_CMP_SWAP)
		return true;
	return n == 1 && sge[0].length == sizeof(uint64_t);
}

static bool weft_takes_inline(uint32_t opcode)
{
	return opcode != WEFT_SQ_OPCODE_READ && opcode != WEFT_SQ_OPCODE_FETCH_ADD && opcode != WEFT_SQ_OPCODE_CMP_SWAP &&
	       !weft_is_stag_op(opcode);
}

/* The local right is given by programs, and says nothing of a window. */
#define WEFT_MW_ACCESS (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC | \
			IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE)

static void weft_put_inv(struct weft_qp *qp, uint16_t index, uint32_t rkey)
{
	WEFT_PUT(weft_wqe(&qp->sq, index), SQE_RSTAG, rkey);
	qp->last_inv = index + 1;
	qp->inv_out = true;
}

/* Polled, and acknowledged by the peer. Indices are of 16 bits: one that was long ago must not be compared with. */
static bool weft_inv_is_over(struct weft_qp *qp)
{
	if (qp->inv_out && (int16_t)(__atomic_load_n(&qp->sq.ci, __ATOMIC_ACQUIRE) - qp->last_inv) >= 0)
		qp->inv_out = false;
	return !qp->inv_out;
}

/*
 * The window gets the 8 bits of @rkey that are its owner's; without bytes one of type 1 is unbound. The rest is for the card
 * to judge. What the peer has read by a binding before may have to be sent again until it is acknowledged, so one that may end
 * such a binding waits for that (LOCAL_FENCE).
 */
static int weft_put_bind(struct weft_qp *qp, __le64 *wqe, const struct ibv_mw *mw, uint32_t rkey,
			 const struct ibv_mw_bind_info *info)
{
	struct ibv_context *ctx = qp->vqp.qp.context;
	__le64 *bind = wqe + WEFT_WORDS(SQE);
	uint32_t access = 0;

	if (!mw || (info->length && !info->mr) || info->mw_access_flags & ~WEFT_MW_ACCESS)
		return EINVAL;
	if (info->mw_access_flags & IBV_ACCESS_REMOTE_WRITE)
		access |= 1u << WEFT_ACCESS_REMOTE_WRITE;
	if (info->mw_access_flags & IBV_ACCESS_REMOTE_READ)
		access |= 1u << WEFT_ACCESS_REMOTE_READ;
	if (info->mw_access_flags & IBV_ACCESS_REMOTE_ATOMIC && weft_has_atomic(ctx))
		access |= 1u << WEFT_ACCESS_REMOTE_ATOMIC;
	if (mw->type == IBV_MW_TYPE_2)
		access |= 1u << WEFT_ACCESS_REMOTE_INV;
	weft_put_remote(wqe, rkey, info->mw_access_flags & IBV_ACCESS_ZERO_BASED ? 0 : info->addr);
	memset(bind, 0, WEFT_SQE_BIND_BYTES);
	WEFT_PUT(wqe, SQE_LOCAL_FENCE, mw->type == IBV_MW_TYPE_1 || !weft_inv_is_over(qp));
	WEFT_PUT(bind, SQE_BIND_ADDR, info->addr);
	WEFT_PUT(bind, SQE_BIND_BYTES, info->length);
	WEFT_PUT(bind, SQE_BIND_LKEY, info->length ? info->mr->lkey : 0);
	WEFT_PUT(bind, SQE_BIND_ACCESS, access);
	return 0;
}

/*
 * Write with immediate is two messages (RFC 7306 6), so two entries: the Write at @index, which has no completion,
 * and behind it the immediate, which completes for both.
 */
static void weft_add_imm(struct weft_qp *qp, uint16_t index, unsigned int flags, __be32 imm)
{
	struct weft_wq *sq = &qp->sq;
	uint32_t i = index & ((1u << sq->log2) - 1);
	__le64 *wqe = weft_wqe(sq, index);

	WEFT_PUT(wqe, SQE_SIGNALED, 0);
	WEFT_PUT(wqe, SQE_SOLICITED, 0);
	sq->op[i] |= WEFT_OP_TWO;
	wqe = weft_begin(qp, index + 1, sq->wr_id[i], flags & ~IBV_SEND_FENCE);
	weft_set_op(qp, index + 1, WEFT_SQ_OPCODE_IMM, IBV_WC_RDMA_WRITE);
	WEFT_PUT(wqe, SQE_IMM, be32toh(imm));
}

static bool weft_read_fits(struct weft_qp *qp, size_t n)
{
	return n <= qp->sq.max_sge && n <= weft_max_sge_rd(qp->vqp.qp.context);
}

/* One entry of a Read: a Read Request names one sink (RFC 5040 4.4), so there is one element always, also when nobody gives one. */
static uint32_t weft_put_sink(__le64 *wqe, const struct ibv_sge *sge, size_t n)
{
	uint32_t len = 0;

	memset(wqe + WEFT_WORDS(SQE), 0, WEFT_SGE_BYTES);
	weft_put_sges(wqe + WEFT_WORDS(SQE), sge, n, &len);
	WEFT_PUT(wqe, SQE_NUM_SGE, 1);
	WEFT_PUT(wqe, SQE_LENGTH, len);
	return len;
}

/*
 * What the Read at @index, whose source stands there, is into: two elements take a second entry, which waits for no more than the
 * first one (FENCE) and completes for both, as completions come in the order of the queue. May be done anew.
 */
static int weft_put_read(struct weft_qp *qp, uint16_t index, unsigned int flags, const struct ibv_sge *sge, size_t n)
{
	bool two = n > 1, signaled = qp->sig_all || flags & IBV_SEND_SIGNALED;
	struct weft_wq *sq = &qp->sq;
	uint32_t i = index & ((1u << sq->log2) - 1), len;
	__le64 *wqe = weft_wqe(sq, index), *second;

	if (n && sge[0].length + (two ? (uint64_t)sge[1].length : 0) > WEFT_MAX_MSG)
		return EINVAL;
	len = weft_put_sink(wqe, sge, n ? 1 : 0);
	WEFT_PUT(wqe, SQE_SIGNALED, !two && signaled);
	WEFT_PUT(wqe, SQE_SOLICITED, !two && flags & IBV_SEND_SOLICITED);
	sq->op[i] = IBV_WC_RDMA_READ | (two ? WEFT_OP_TWO : 0);
	if (!two)
		return 0;
	second = weft_begin(qp, index + 1, sq->wr_id[i], flags & ~IBV_SEND_FENCE);
	weft_set_op(qp, index + 1, WEFT_SQ_OPCODE_READ, IBV_WC_RDMA_READ | WEFT_OP_SUM);
	weft_put_remote(second, WEFT_GET(wqe, SQE_RSTAG), WEFT_GET(wqe, SQE_RADDR) + len);
	weft_put_sink(second, sge + 1, 1);
	return 0;
}

/* ---- lists ---- */

static int weft_put_inline(struct weft_qp *qp, __le64 *wqe, const struct ibv_send_wr *wr)
{
	uint8_t *to = (uint8_t *)wqe + WEFT_SQE_BYTES;
	uint32_t total = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		if (wr->sg_list[i].length > qp->max_inline - total)
			return EINVAL;
		memcpy(to + total, (void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
		total += wr->sg_list[i].length;
	}
	WEFT_PUT(wqe, SQE_INLINE, 1);
	WEFT_PUT(wqe, SQE_LENGTH, total);
	return 0;
}

static int weft_put_atomic(struct weft_qp *qp, __le64 *wqe, const struct ibv_send_wr *wr)
{
	bool swap = wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP;
	uint32_t opcode = swap ? WEFT_SQ_OPCODE_CMP_SWAP : WEFT_SQ_OPCODE_FETCH_ADD;

	if (!weft_has_atomic(qp->vqp.qp.context))
		return EOPNOTSUPP;
	if (!weft_sge_fits(opcode, wr->sg_list, wr->num_sge) || wr->send_flags & IBV_SEND_INLINE)
		return EINVAL;
	weft_set_op(qp, qp->sq.pi, opcode, swap ? IBV_WC_COMP_SWAP : IBV_WC_FETCH_ADD);
	weft_put_remote(wqe, wr->wr.atomic.rkey, wr->wr.atomic.remote_addr);
	weft_put_operands(wqe, swap ? wr->wr.atomic.swap : wr->wr.atomic.compare_add, swap ? wr->wr.atomic.compare_add : 0);
	return 0;
}

static int weft_put_op(struct weft_qp *qp, __le64 *wqe, const struct ibv_send_wr *wr)
{
	uint16_t index = qp->sq.pi;

	switch (wr->opcode) {
	case IBV_WR_SEND:
		weft_set_op(qp, index, WEFT_SQ_OPCODE_SEND, IBV_WC_SEND);
		return 0;
	case IBV_WR_SEND_WITH_INV:
		weft_set_op(qp, index, WEFT_SQ_OPCODE_SEND_INV, IBV_WC_SEND);
		WEFT_PUT(wqe, SQE_RSTAG, wr->invalidate_rkey);
		return 0;
	case IBV_WR_RDMA_WRITE:
		weft_set_op(qp, index, WEFT_SQ_OPCODE_WRITE, IBV_WC_RDMA_WRITE);
		weft_put_remote(wqe, wr->wr.rdma.rkey, wr->wr.rdma.remote_addr);
		return 0;
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		if (!weft_has_imm(qp->vqp.qp.context))
			return EOPNOTSUPP;
		weft_set_op(qp, index, WEFT_SQ_OPCODE_WRITE, IBV_WC_RDMA_WRITE);
		weft_put_remote(wqe, wr->wr.rdma.rkey, wr->wr.rdma.remote_addr);
		weft_add_imm(qp, index, wr->send_flags, wr->imm_data);
		return 0;
	case IBV_WR_RDMA_READ:
		if (!weft_read_fits(qp, wr->num_sge) || wr->send_flags & IBV_SEND_INLINE)
			return EINVAL;
		weft_set_op(qp, index, WEFT_SQ_OPCODE_READ, IBV_WC_RDMA_READ);
		weft_put_remote(wqe, wr->wr.rdma.rkey, wr->wr.rdma.remote_addr);
		return 0;
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		return weft_put_atomic(qp, wqe, wr);
	default:
		return EOPNOTSUPP;
	}
}

/* What a window of type 2 takes; those of type 1 have ibv_bind_mw. */
static int weft_put_stag_op(struct weft_qp *qp, __le64 *wqe, const struct ibv_send_wr *wr)
{
	if (!weft_has_mw(qp->vqp.qp.context))
		return EOPNOTSUPP;
	if (wr->opcode == IBV_WR_LOCAL_INV) {
		weft_set_op(qp, qp->sq.pi, WEFT_SQ_OPCODE_LOCAL_INV, IBV_WC_LOCAL_INV);
		weft_put_inv(qp, qp->sq.pi, wr->invalidate_rkey);
		return 0;
	}
	if (!wr->bind_mw.mw || wr->bind_mw.mw->type != IBV_MW_TYPE_2)
		return EINVAL;
	weft_set_op(qp, qp->sq.pi, WEFT_SQ_OPCODE_BIND_MW, IBV_WC_BIND_MW);
	return weft_put_bind(qp, wqe, wr->bind_mw.mw, wr->bind_mw.rkey, &wr->bind_mw.bind_info);
}

/* What is not going to be posted is refused for its own reason, not for want of room. */
static uint32_t weft_entries(struct weft_qp *qp, const struct ibv_send_wr *wr)
{
	if (wr->opcode == IBV_WR_RDMA_WRITE_WITH_IMM)
		return 2;
	return wr->opcode == IBV_WR_RDMA_READ && wr->num_sge == 2 && weft_read_fits(qp, 2) &&
	       !(wr->send_flags & IBV_SEND_INLINE) ? 2 : 1;
}

static int weft_put_send(struct weft_qp *qp, const struct ibv_send_wr *wr)
{
	uint32_t entries = weft_entries(qp, wr), len;
	struct weft_wq *sq = &qp->sq;
	__le64 *wqe;
	int rc;

	if (weft_wq_full(sq, sq->pi, entries))
		return ENOMEM;
	if (wr->num_sge < 0 || (uint32_t)wr->num_sge > sq->max_sge)
		return EINVAL;
	if (wr->send_flags & IBV_SEND_IP_CSUM)
		return EOPNOTSUPP;
	wqe = weft_begin(qp, sq->pi, wr->wr_id, wr->send_flags);
	if (wr->opcode == IBV_WR_BIND_MW || wr->opcode == IBV_WR_LOCAL_INV) {
		rc = weft_put_stag_op(qp, wqe, wr);
		sq->pi += !rc;
		return rc;
	}
	rc = weft_put_op(qp, wqe, wr);
	if (rc)
		return rc;
	if (wr->send_flags & IBV_SEND_INLINE) {
		rc = weft_put_inline(qp, wqe, wr);
		if (rc)
			return rc;
	} else if (wr->opcode == IBV_WR_RDMA_READ) {
		rc = weft_put_read(qp, sq->pi, wr->send_flags, wr->sg_list, wr->num_sge);
		if (rc)
			return rc;
	} else {
		if (!weft_put_sges(wqe + WEFT_WORDS(SQE), wr->sg_list, wr->num_sge, &len))
			return EINVAL;
		WEFT_PUT(wqe, SQE_NUM_SGE, wr->num_sge);
		WEFT_PUT(wqe, SQE_LENGTH, len);
	}
	sq->pi += entries;
	return 0;
}

int weft_post_send(struct ibv_qp *ibv_qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct weft_qp *qp = to_weft_qp(ibv_qp);
	uint16_t before;
	int rc = 0;

	weft_lock(&qp->sq.lock);
	before = qp->sq.pi;
	for (; wr; wr = wr->next) {
		rc = weft_put_send(qp, wr);
		if (rc) {
			*bad = wr;
			break;
		}
	}
	if (qp->sq.pi != before)
		weft_ring_sq(qp, before);
	weft_unlock(&qp->sq.lock);
	return rc;
}

/* One of type 1: it has its new key at once, of which the peer should not hear before the completion. */
int weft_bind_mw(struct ibv_qp *ibv_qp, struct ibv_mw *mw, struct ibv_mw_bind *bind)
{
	struct weft_qp *qp = to_weft_qp(ibv_qp);
	uint32_t rkey = ibv_inc_rkey(mw->rkey);
	struct weft_wq *sq = &qp->sq;
	__le64 *wqe;
	int rc;

	if (bind->send_flags & (IBV_SEND_INLINE | IBV_SEND_IP_CSUM))
		return EINVAL;
	weft_lock(&sq->lock);
	if (weft_wq_full(sq, sq->pi, 1)) {
		rc = ENOMEM;
	} else {
		wqe = weft_begin(qp, sq->pi, bind->wr_id, bind->send_flags);
		weft_set_op(qp, sq->pi, WEFT_SQ_OPCODE_BIND_MW, IBV_WC_BIND_MW);
		rc = weft_put_bind(qp, wqe, mw, rkey, &bind->bind_info);
	}
	if (!rc) {
		mw->rkey = rkey;
		sq->pi++;
		weft_wq_doorbell(qp, WEFT_DB_SQ, sq->pi);
	}
	weft_unlock(&sq->lock);
	return rc;
}

/* @index: what the entry says of where it stands */
int weft_put_rqe(__le64 *wqe, const struct ibv_recv_wr *wr, uint32_t max_sge, uint16_t index)
{
	uint32_t len;

	if (wr->num_sge < 0 || (uint32_t)wr->num_sge > max_sge)
		return EINVAL;
	memset(wqe, 0, WEFT_RQE_BYTES);
	if (!weft_put_sges(wqe + WEFT_WORDS(RQE), wr->sg_list, wr->num_sge, &len))
		return EINVAL;
	WEFT_PUT(wqe, RQE_NUM_SGE, wr->num_sge);
	WEFT_PUT(wqe, RQE_LENGTH, len);
	WEFT_PUT(wqe, RQE_INDEX, index);
	return 0;
}

static int weft_put_recv(struct weft_qp *qp, const struct ibv_recv_wr *wr)
{
	struct weft_wq *rq = &qp->rq;
	int rc;

	if (weft_wq_full(rq, rq->pi, 1))
		return ENOMEM;
	rc = weft_put_rqe(weft_wqe(rq, rq->pi), wr, rq->max_sge, rq->pi);
	if (rc)
		return rc;
	rq->wr_id[rq->pi & ((1u << rq->log2) - 1)] = wr->wr_id;
	rq->pi++;
	return 0;
}

int weft_post_recv(struct ibv_qp *ibv_qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct weft_qp *qp = to_weft_qp(ibv_qp);
	uint16_t before;
	int rc = 0;

	if (qp->srq) {
		*bad = wr;
		return EINVAL;
	}
	weft_lock(&qp->rq.lock);
	before = qp->rq.pi;
	for (; wr; wr = wr->next) {
		rc = weft_put_recv(qp, wr);
		if (rc) {
			*bad = wr;
			break;
		}
	}
	if (qp->rq.pi != before)
		weft_wq_doorbell(qp, WEFT_DB_RQ, qp->rq.pi);
	weft_unlock(&qp->rq.lock);
	return rc;
}

/* ---- one by one ---- */

static struct weft_qp *from_ex(struct ibv_qp_ex *qp_ex)
{
	return container_of(qp_ex, struct weft_qp, vqp.qp_ex);
}

static void weft_wr_start(struct ibv_qp_ex *qp_ex)
{
	struct weft_qp *qp = from_ex(qp_ex);

	weft_lock(&qp->sq.lock);
	qp->wr_pi = qp->sq.pi;
	qp->wr_err = 0;
}

/* All or nothing: after an error nothing was posted. */
static int weft_wr_complete(struct ibv_qp_ex *qp_ex)
{
	struct weft_qp *qp = from_ex(qp_ex);
	int rc = qp->wr_err;

	if (!rc && qp->wr_pi != qp->sq.pi) {
		uint16_t before = qp->sq.pi;

		qp->sq.pi = qp->wr_pi;
		weft_ring_sq(qp, before);
	}
	weft_unlock(&qp->sq.lock);
	return rc;
}

static void weft_wr_abort(struct ibv_qp_ex *qp_ex)
{
	weft_unlock(&from_ex(qp_ex)->sq.lock);
}

/* NULL: there was an error, and nothing is written any more. */
static __le64 *weft_wr_entries(struct weft_qp *qp, uint32_t opcode, uint8_t wc_op, uint32_t entries)
{
	const struct ibv_qp_ex *ex = &qp->vqp.qp_ex;
	__le64 *wqe;

	if (!qp->wr_err && weft_wq_full(&qp->sq, qp->wr_pi, entries))
		qp->wr_err = ENOMEM;
	if (!qp->wr_err && ex->wr_flags & IBV_SEND_IP_CSUM)
		qp->wr_err = EOPNOTSUPP;
	if (qp->wr_err)
		return NULL;
	wqe = weft_begin(qp, qp->wr_pi, ex->wr_id, ex->wr_flags);
	weft_set_op(qp, qp->wr_pi, opcode, wc_op);
	qp->wr_last = qp->wr_pi;
	qp->wr_flags = ex->wr_flags;
	qp->wr_pi += entries;
	return wqe;
}

static __le64 *weft_wr_begin(struct weft_qp *qp, uint32_t opcode, uint8_t wc_op)
{
	return weft_wr_entries(qp, opcode, wc_op, 1);
}

static void weft_wr_send(struct ibv_qp_ex *qp_ex)
{
	weft_wr_begin(from_ex(qp_ex), WEFT_SQ_OPCODE_SEND, IBV_WC_SEND);
}

static void weft_wr_send_inv(struct ibv_qp_ex *qp_ex, uint32_t rkey)
{
	__le64 *wqe = weft_wr_begin(from_ex(qp_ex), WEFT_SQ_OPCODE_SEND_INV, IBV_WC_SEND);

	if (wqe)
		WEFT_PUT(wqe, SQE_RSTAG, rkey);
}

static void weft_wr_rdma_write(struct ibv_qp_ex *qp_ex, uint32_t rkey, uint64_t addr)
{
	__le64 *wqe = weft_wr_begin(from_ex(qp_ex), WEFT_SQ_OPCODE_WRITE, IBV_WC_RDMA_WRITE);

	if (wqe)
		weft_put_remote(wqe, rkey, addr);
}

static void weft_wr_rdma_write_imm(struct ibv_qp_ex *qp_ex, uint32_t rkey, uint64_t addr,
				   __be32 imm)
{
	struct weft_qp *qp = from_ex(qp_ex);
	__le64 *wqe = weft_wr_entries(qp, WEFT_SQ_OPCODE_WRITE, IBV_WC_RDMA_WRITE, 2);

	if (!wqe)
		return;
	weft_put_remote(wqe, rkey, addr);
	weft_add_imm(qp, qp->wr_last, qp_ex->wr_flags, imm);
}

static void weft_wr_rdma_read(struct ibv_qp_ex *qp_ex, uint32_t rkey, uint64_t addr)
{
	struct weft_qp *qp = from_ex(qp_ex);
	__le64 *wqe = weft_wr_begin(qp, WEFT_SQ_OPCODE_READ, IBV_WC_RDMA_READ);

	if (!wqe)
		return;
	weft_put_remote(wqe, rkey, addr);
	weft_put_read(qp, qp->wr_last, qp->wr_flags, NULL, 0);
}

static void weft_wr_atomic(struct ibv_qp_ex *qp_ex, uint32_t opcode, uint8_t wc_op, uint32_t rkey,
			   uint64_t addr, uint64_t data, uint64_t compare)
{
	__le64 *wqe = weft_wr_begin(from_ex(qp_ex), opcode, wc_op);

	if (!wqe)
		return;
	weft_put_remote(wqe, rkey, addr);
	weft_put_operands(wqe, data, compare);
	memset(wqe + WEFT_WORDS(SQE), 0, WEFT_SGE_BYTES);
	WEFT_PUT(wqe, SQE_NUM_SGE, 1);
}

static void weft_wr_atomic_fetch_add(struct ibv_qp_ex *qp_ex, uint32_t rkey, uint64_t addr,
				     uint64_t add)
{
	weft_wr_atomic(qp_ex, WEFT_SQ_OPCODE_FETCH_ADD, IBV_WC_FETCH_ADD, rkey, addr, add, 0);
}

static void weft_wr_atomic_cmp_swp(struct ibv_qp_ex *qp_ex, uint32_t rkey, uint64_t addr,
				   uint64_t compare, uint64_t swap)
{
	weft_wr_atomic(qp_ex, WEFT_SQ_OPCODE_CMP_SWAP, IBV_WC_COMP_SWAP, rkey, addr, swap, compare);
}

static void weft_wr_bind_mw(struct ibv_qp_ex *qp_ex, struct ibv_mw *mw, uint32_t rkey,
			    const struct ibv_mw_bind_info *info)
{
	struct weft_qp *qp = from_ex(qp_ex);
	__le64 *wqe = weft_wr_begin(qp, WEFT_SQ_OPCODE_BIND_MW, IBV_WC_BIND_MW);

	if (wqe)
		qp->wr_err = mw->type == IBV_MW_TYPE_2 ? weft_put_bind(qp, wqe, mw, rkey, info) : EINVAL;
}

static void weft_wr_local_inv(struct ibv_qp_ex *qp_ex, uint32_t rkey)
{
	struct weft_qp *qp = from_ex(qp_ex);

	if (weft_wr_begin(qp, WEFT_SQ_OPCODE_LOCAL_INV, IBV_WC_LOCAL_INV))
		weft_put_inv(qp, qp->wr_last, rkey);
}

/* The entry that data belongs to, of the request that was begun last; NULL: there is none, or there was an error. */
static __le64 *weft_wr_last(struct weft_qp *qp)
{
	if (!qp->wr_err && qp->wr_pi == qp->sq.pi)
		qp->wr_err = EINVAL;
	return qp->wr_err ? NULL : weft_wqe(&qp->sq, qp->wr_last);
}

/* Of the request that was begun last: it may become one of two entries, or of one again. */
static int weft_wr_set_read(struct weft_qp *qp, size_t n, const struct ibv_sge *sge)
{
	uint32_t entries = n > 1 ? 2 : 1;

	if (!weft_read_fits(qp, n))
		return EINVAL;
	if (weft_wq_full(&qp->sq, qp->wr_last, entries))
		return ENOMEM;
	qp->wr_pi = qp->wr_last + entries;
	return weft_put_read(qp, qp->wr_last, qp->wr_flags, sge, n);
}

static void weft_wr_set_sge_list(struct ibv_qp_ex *qp_ex, size_t n, const struct ibv_sge *sge)
{
	struct weft_qp *qp = from_ex(qp_ex);
	__le64 *wqe = weft_wr_last(qp);
	uint32_t len;

	if (!wqe)
		return;
	if (WEFT_GET(wqe, SQE_OPCODE) == WEFT_SQ_OPCODE_READ) {
		qp->wr_err = weft_wr_set_read(qp, n, sge);
		return;
	}
	if (n > qp->sq.max_sge || !weft_sge_fits(WEFT_GET(wqe, SQE_OPCODE), sge, n)) {
		qp->wr_err = EINVAL;
		return;
	}
	if (!weft_put_sges(wqe + WEFT_WORDS(SQE), sge, n, &len)) {
		qp->wr_err = EINVAL;
		return;
	}
	WEFT_PUT(wqe, SQE_INLINE, 0);
	WEFT_PUT(wqe, SQE_NUM_SGE, n);
	WEFT_PUT(wqe, SQE_LENGTH, len);
}

static void weft_wr_set_sge(struct ibv_qp_ex *qp_ex, uint32_t lkey, uint64_t addr, uint32_t length)
{
	struct ibv_sge sge = { .addr = addr, .length = length, .lkey = lkey };

	weft_wr_set_sge_list(qp_ex, 1, &sge);
}

static void weft_wr_set_inline_data_list(struct ibv_qp_ex *qp_ex, size_t n,
					 const struct ibv_data_buf *buf)
{
	struct weft_qp *qp = from_ex(qp_ex);
	__le64 *wqe = weft_wr_last(qp);
	uint32_t total = 0;
	size_t i;

	if (!wqe)
		return;
	if (!weft_takes_inline(WEFT_GET(wqe, SQE_OPCODE)))
		qp->wr_err = EINVAL;
	for (i = 0; i < n && !qp->wr_err; i++) {
		if (buf[i].length > qp->max_inline - total) {
			qp->wr_err = EINVAL;
			break;
		}
		memcpy((uint8_t *)wqe + WEFT_SQE_BYTES + total, buf[i].addr, buf[i].length);
		total += buf[i].length;
	}
	WEFT_PUT(wqe, SQE_INLINE, 1);
	WEFT_PUT(wqe, SQE_NUM_SGE, 0);
	WEFT_PUT(wqe, SQE_LENGTH, total);
}

static void weft_wr_set_inline_data(struct ibv_qp_ex *qp_ex, void *addr, size_t length)
{
	struct ibv_data_buf buf = { .addr = addr, .length = length };

	weft_wr_set_inline_data_list(qp_ex, 1, &buf);
}

void weft_set_wr_ops(struct weft_qp *qp, uint64_t ops)
{
	struct ibv_qp_ex *ex = &qp->vqp.qp_ex;

	qp->vqp.comp_mask |= VERBS_QP_EX;
	ex->wr_start = weft_wr_start;
	ex->wr_complete = weft_wr_complete;
	ex->wr_abort = weft_wr_abort;
	ex->wr_set_sge = weft_wr_set_sge;
	ex->wr_set_sge_list = weft_wr_set_sge_list;
	ex->wr_set_inline_data = weft_wr_set_inline_data;
	ex->wr_set_inline_data_list = weft_wr_set_inline_data_list;
	if (ops & IBV_QP_EX_WITH_SEND)
		ex->wr_send = weft_wr_send;
	if (ops & IBV_QP_EX_WITH_SEND_WITH_INV)
		ex->wr_send_inv = weft_wr_send_inv;
	if (ops & IBV_QP_EX_WITH_RDMA_WRITE)
		ex->wr_rdma_write = weft_wr_rdma_write;
	if (ops & IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM)
		ex->wr_rdma_write_imm = weft_wr_rdma_write_imm;
	if (ops & IBV_QP_EX_WITH_RDMA_READ)
		ex->wr_rdma_read = weft_wr_rdma_read;
	if (ops & IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD)
		ex->wr_atomic_fetch_add = weft_wr_atomic_fetch_add;
	if (ops & IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP)
		ex->wr_atomic_cmp_swp = weft_wr_atomic_cmp_swp;
	if (ops & IBV_QP_EX_WITH_BIND_MW)
		ex->wr_bind_mw = weft_wr_bind_mw;
	if (ops & IBV_QP_EX_WITH_LOCAL_INV)
		ex->wr_local_inv = weft_wr_local_inv;
}
