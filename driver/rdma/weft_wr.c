// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Work requests of kernel consumers. A QP in ERR takes them too: the card flushes them in order, and
 * poll does when the card is dead.
 */
#include "weft_rdma.h"

#define WEFT_REG_ACCESS (IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | \
			 IB_ACCESS_REMOTE_ATOMIC)
#define WEFT_KEY_BITS 8		/* of an STag: the consumer's own */

static __le64 *weft_wqe(const struct weft_wq *wq, u16 index)
{
	return wq->ring.mem + (size_t)(index & ((1 << wq->log2) - 1)) * wq->stride;
}

static bool weft_wq_full(const struct weft_wq *wq, u32 entries)
{
	/* the entry's last user has read it: pairs with weft_fill_wc */
	return (u16)(wq->pi - smp_load_acquire(&wq->ci)) + entries > 1 << wq->log2;
}

/* Writes the elements; false: there are more than @max, or together they are longer than a message may be. */
static bool weft_put_sges(__le64 *words, const struct ib_sge *sge, int n, u32 max, u32 *len)
{
	u64 total = 0;
	int i;

	if (n < 0 || n > max)
		return false;
	for (i = 0; i < n; i++, words += WEFT_WORDS(SGE)) {
		WEFT_PUT(words, SGE_ADDR, sge[i].addr);
		WEFT_PUT(words, SGE_LENGTH, sge[i].length);
		WEFT_PUT(words, SGE_LKEY, sge[i].lkey);
		total += sge[i].length;
	}
	*len = total;
	return total <= WEFT_MAX_MSG;
}

static bool weft_put_inline(const struct weft_qp *qp, u8 *to, const struct ib_send_wr *wr, u32 *len)
{
	u32 total = 0;
	int i;

	if (wr->num_sge < 0 || wr->num_sge > qp->max_send_sge)
		return false;
	for (i = 0; i < wr->num_sge; i++) {
		if (wr->sg_list[i].length > qp->max_inline - total)
			return false;
		memcpy(to + total, (void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
		total += wr->sg_list[i].length;
	}
	*len = total;
	return true;
}

/* What the region is to become: its number with the new key, first TO, and the page list of map_mr_sg. */
static int weft_put_reg(const struct weft_dev *dev, __le64 *wqe, const struct ib_reg_wr *wr)
{
	const struct weft_mr *mr = to_weft_mr(wr->mr);
	__le64 *list = wqe + WEFT_WORDS(SQE);

	if (!mr->max_pages || !mr->pages || (wr->key ^ wr->mr->lkey) >> WEFT_KEY_BITS ||
	    wr->access & ~(WEFT_REG_ACCESS | IB_ACCESS_OPTIONAL) ||
	    (wr->access & IB_ACCESS_REMOTE_ATOMIC && !weft_has_atomic(dev)))
		return -EINVAL;
	WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_FAST_REG);
	WEFT_PUT(wqe, SQE_RSTAG, wr->key);
	WEFT_PUT(wqe, SQE_RADDR, wr->mr->iova);
	WEFT_PUT(list, SQE_REG_PBL, mr->pbl_dma);
	WEFT_PUT(list, SQE_REG_BYTES, wr->mr->length);
	WEFT_PUT(list, SQE_REG_PBL_COUNT, mr->pages);
	WEFT_PUT(list, SQE_REG_FBO, wr->mr->iova & (wr->mr->page_size - 1));
	WEFT_PUT(list, SQE_REG_ACCESS, weft_access(dev, wr->access));
	WEFT_PUT(list, SQE_REG_PAGE_LOG2, ilog2(wr->mr->page_size));
	return 0;
}

static void weft_put_inv(__le64 *wqe, u32 stag)
{
	WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_LOCAL_INV);
	WEFT_PUT(wqe, SQE_RSTAG, stag);
}

/*
 * Its one element takes the value before, so it is of 8 bytes; what it is made of stands behind that. Whether the
 * address is a multiple of 8 is for the peer to say (RFC 7306 5.1): it may count from any byte of its region.
 */
static int weft_put_atomic(__le64 *wqe, const struct ib_send_wr *wr, u8 *wc_op)
{
	__le64 *at = wqe + WEFT_WORDS(SQE) + WEFT_WORDS(SGE);
	const struct ib_atomic_wr *a = atomic_wr(wr);

	if (wr->num_sge != 1 || wr->sg_list[0].length != sizeof(u64) ||
	    wr->send_flags & IB_SEND_INLINE)
		return -EINVAL;
	if (wr->opcode == IB_WR_ATOMIC_CMP_AND_SWP) {
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_CMP_SWAP);
		WEFT_PUT(at, SQE_ATOMIC_DATA, a->swap);
		WEFT_PUT(at, SQE_ATOMIC_COMPARE, a->compare_add);
		*wc_op = IB_WC_COMP_SWAP;
	} else {
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_FETCH_ADD);
		WEFT_PUT(at, SQE_ATOMIC_DATA, a->compare_add);
		*wc_op = IB_WC_FETCH_ADD;
	}
	WEFT_PUT(wqe, SQE_RSTAG, a->rkey);
	WEFT_PUT(wqe, SQE_RADDR, a->remote_addr);
	return 0;
}

static int weft_put_op(__le64 *wqe, const struct ib_send_wr *wr, u8 *wc_op)
{
	switch (wr->opcode) {
	case IB_WR_SEND:
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_SEND);
		*wc_op = IB_WC_SEND;
		return 0;
	case IB_WR_SEND_WITH_INV:
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_SEND_INV);
		WEFT_PUT(wqe, SQE_RSTAG, wr->ex.invalidate_rkey);
		*wc_op = IB_WC_SEND;
		return 0;
	case IB_WR_RDMA_WRITE:
	case IB_WR_RDMA_WRITE_WITH_IMM:
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_WRITE);
		*wc_op = IB_WC_RDMA_WRITE;
		break;
	case IB_WR_RDMA_READ:
	case IB_WR_RDMA_READ_WITH_INV:
		if (wr->num_sge != 1 || wr->send_flags & IB_SEND_INLINE)
			return -EINVAL;
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_READ);
		*wc_op = IB_WC_RDMA_READ;
		break;
	case IB_WR_ATOMIC_CMP_AND_SWP:
	case IB_WR_ATOMIC_FETCH_AND_ADD:
		return weft_put_atomic(wqe, wr, wc_op);
	default:
		return -EINVAL;
	}
	WEFT_PUT(wqe, SQE_RSTAG, rdma_wr(wr)->rkey);
	WEFT_PUT(wqe, SQE_RADDR, rdma_wr(wr)->remote_addr);
	return 0;
}

/* Header and payload of what puts bytes into the stream. */
static int weft_put_bytes(struct weft_qp *qp, __le64 *wqe, const struct ib_send_wr *wr, u8 *wc_op)
{
	int rc = weft_put_op(wqe, wr, wc_op);
	u32 len;

	if (rc)
		return rc;
	if (wr->send_flags & IB_SEND_INLINE) {
		if (!weft_put_inline(qp, (u8 *)wqe + WEFT_SQE_BYTES, wr, &len))
			return -EINVAL;
		WEFT_PUT(wqe, SQE_INLINE, 1);
	} else {
		if (!weft_put_sges(wqe + WEFT_WORDS(SQE), wr->sg_list, wr->num_sge,
				   qp->max_send_sge, &len))
			return -EINVAL;
		WEFT_PUT(wqe, SQE_NUM_SGE, wr->num_sge);
	}
	WEFT_PUT(wqe, SQE_LENGTH, len);
	WEFT_PUT(wqe, SQE_SOLICITED, wr->send_flags & IB_SEND_SOLICITED &&
		 wr->opcode != IB_WR_RDMA_WRITE_WITH_IMM);
	return 0;
}

/* What only changes an STag has neither bytes nor elements. */
static int weft_put_stag_op(const struct weft_dev *dev, __le64 *wqe, const struct ib_send_wr *wr,
			    u8 *wc_op)
{
	if (wr->num_sge || wr->send_flags & IB_SEND_INLINE)
		return -EINVAL;
	if (wr->opcode == IB_WR_REG_MR) {
		*wc_op = IB_WC_REG_MR;
		return weft_put_reg(dev, wqe, reg_wr(wr));
	}
	*wc_op = IB_WC_LOCAL_INV;
	weft_put_inv(wqe, wr->ex.invalidate_rkey);
	return 0;
}

/* The entry at the producer index is whole but for its index. */
static void weft_sq_push(struct weft_wq *sq, __le64 *wqe, u64 wr_id, bool signaled)
{
	WEFT_PUT(wqe, SQE_INDEX, sq->pi);
	WEFT_PUT(wqe, SQE_SIGNALED, signaled);
	sq->wr_id[sq->pi & ((1 << sq->log2) - 1)] = wr_id;
	sq->pi++;
}

/*
 * The first of two entries that are one request is whole but for its index, and has no completion. Returns the second one,
 * empty, which completes for both.
 */
static __le64 *weft_sq_push_first(struct weft_wq *sq, __le64 *wqe, u64 wr_id)
{
	u32 mask = (1 << sq->log2) - 1;
	u8 op = sq->op[sq->pi & mask];

	sq->op[sq->pi & mask] |= WEFT_OP_TWO;
	weft_sq_push(sq, wqe, wr_id, false);
	sq->op[sq->pi & mask] = op;
	wqe = weft_wqe(sq, sq->pi);
	memset(wqe, 0, WEFT_SQE_BYTES);
	return wqe;
}

/*
 * Read with Invalidate, which RDMAP has no message for, is the Read, and behind it a LOCAL_INV of its sink, which
 * waits for it. The sink is named by its element: rdma_rw gives invalidate_rkey before it renews the key.
 */
static void weft_put_read_inv(struct weft_wq *sq, __le64 *wqe, const struct ib_send_wr *wr,
			      bool signaled)
{
	wqe = weft_sq_push_first(sq, wqe, wr->wr_id);
	weft_put_inv(wqe, wr->sg_list[0].lkey);
	weft_sq_push(sq, wqe, wr->wr_id, signaled);
}

/* Write with immediate is two messages (RFC 7306 6): the Write, and behind it the immediate. */
static void weft_put_imm(struct weft_wq *sq, __le64 *wqe, const struct ib_send_wr *wr,
			 bool signaled)
{
	wqe = weft_sq_push_first(sq, wqe, wr->wr_id);
	WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_IMM);
	WEFT_PUT(wqe, SQE_SOLICITED, !!(wr->send_flags & IB_SEND_SOLICITED));
	WEFT_PUT(wqe, SQE_IMM, be32_to_cpu(wr->ex.imm_data));
	weft_sq_push(sq, wqe, wr->wr_id, signaled);
}

#define WEFT_SEND_FLAGS (IB_SEND_FENCE | IB_SEND_SIGNALED | IB_SEND_SOLICITED | IB_SEND_INLINE)

static bool weft_can(const struct weft_dev *dev, enum ib_wr_opcode op)
{
	switch (op) {
	case IB_WR_REG_MR:
	case IB_WR_LOCAL_INV:
	case IB_WR_RDMA_READ_WITH_INV:
		return weft_mem_mgt(dev);
	case IB_WR_RDMA_WRITE_WITH_IMM:
		return weft_has_imm(dev);
	case IB_WR_ATOMIC_CMP_AND_SWP:
	case IB_WR_ATOMIC_FETCH_AND_ADD:
		return weft_has_atomic(dev);
	default:
		return true;
	}
}

static u32 weft_entries(enum ib_wr_opcode op)
{
	return op == IB_WR_RDMA_READ_WITH_INV || op == IB_WR_RDMA_WRITE_WITH_IMM ? 2 : 1;
}

/* A request that the card could not do as it is meant is refused here, and not posted. */
static int weft_put_send(struct weft_qp *qp, const struct ib_send_wr *wr)
{
	bool signaled = qp->sig_all || wr->send_flags & IB_SEND_SIGNALED;
	const struct weft_dev *dev = to_weft_dev(qp->ibqp.device);
	struct weft_wq *sq = &qp->sq;
	u8 *op = &sq->op[sq->pi & ((1 << sq->log2) - 1)];
	__le64 *wqe = weft_wqe(sq, sq->pi);
	int rc;

	if (wr->send_flags & ~WEFT_SEND_FLAGS || !weft_can(dev, wr->opcode))
		return -EINVAL;
	if (weft_wq_full(sq, weft_entries(wr->opcode)))
		return -ENOMEM;
	memset(wqe, 0, WEFT_SQE_BYTES + WEFT_SQE_REG_BYTES);
	if (wr->opcode == IB_WR_REG_MR || wr->opcode == IB_WR_LOCAL_INV)
		rc = weft_put_stag_op(dev, wqe, wr, op);
	else
		rc = weft_put_bytes(qp, wqe, wr, op);
	if (rc)
		return rc;
	WEFT_PUT(wqe, SQE_READ_FENCE, !!(wr->send_flags & IB_SEND_FENCE));
	if (wr->opcode == IB_WR_RDMA_READ_WITH_INV)
		weft_put_read_inv(sq, wqe, wr, signaled);
	else if (wr->opcode == IB_WR_RDMA_WRITE_WITH_IMM)
		weft_put_imm(sq, wqe, wr, signaled);
	else
		weft_sq_push(sq, wqe, wr->wr_id, signaled);
	return 0;
}

/*
 * Under the queue's lock, which weft_flush_wq takes: either it sees what was posted, or this sees that
 * it has been, and calls it again.
 */
static void weft_wq_doorbell(struct weft_qp *qp, u32 offset, u16 index, struct ib_cq *ibcq)
{
	struct weft_dev *dev = to_weft_dev(qp->ibqp.device);
	__le64 db = 0;

	if (weft_flushing(dev)) {
		queue_work(dev->wq, &to_weft_cq(ibcq)->wake);
		return;
	}
	WEFT_PUT(&db, DB_QUEUE_ID, qp->qpn);
	WEFT_PUT(&db, DB_QUEUE_INDEX, index);
	weft_core_doorbell(dev->core, offset, &db);
}

int weft_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	struct weft_qp *qp = to_weft_qp(ibqp);
	unsigned long flags;
	u16 before;
	int rc = 0;

	spin_lock_irqsave(&qp->sq.lock, flags);
	before = qp->sq.pi;
	for (; wr; wr = wr->next) {
		rc = weft_put_send(qp, wr);
		if (rc) {
			*bad = wr;
			break;
		}
	}
	if (qp->sq.pi != before)
		weft_wq_doorbell(qp, WEFT_DB_SQ, qp->sq.pi, ibqp->send_cq);
	spin_unlock_irqrestore(&qp->sq.lock, flags);
	return rc;
}

/* @index: what the entry says of where it stands */
static int weft_put_rqe(__le64 *wqe, const struct ib_recv_wr *wr, u32 max_sge, u16 index)
{
	u32 len;

	memset(wqe, 0, WEFT_RQE_BYTES);
	if (!weft_put_sges(wqe + WEFT_WORDS(RQE), wr->sg_list, wr->num_sge, max_sge, &len))
		return -EINVAL;
	WEFT_PUT(wqe, RQE_NUM_SGE, wr->num_sge);
	WEFT_PUT(wqe, RQE_LENGTH, len);
	WEFT_PUT(wqe, RQE_INDEX, index);
	return 0;
}

static int weft_put_recv(struct weft_qp *qp, const struct ib_recv_wr *wr)
{
	struct weft_wq *rq = &qp->rq;
	int rc = weft_put_rqe(weft_wqe(rq, rq->pi), wr, qp->max_recv_sge, rq->pi);

	if (rc)
		return rc;
	rq->wr_id[rq->pi & ((1 << rq->log2) - 1)] = wr->wr_id;
	rq->pi++;
	return 0;
}

int weft_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct weft_qp *qp = to_weft_qp(ibqp);
	unsigned long flags;
	u16 before;
	int rc = 0;

	if (ibqp->srq) {
		*bad = wr;
		return -EINVAL;
	}
	spin_lock_irqsave(&qp->rq.lock, flags);
	before = qp->rq.pi;
	for (; wr; wr = wr->next) {
		rc = weft_wq_full(&qp->rq, 1) ? -ENOMEM : weft_put_recv(qp, wr);
		if (rc) {
			*bad = wr;
			break;
		}
	}
	if (qp->rq.pi != before)
		weft_wq_doorbell(qp, WEFT_DB_RQ, qp->rq.pi, ibqp->recv_cq);
	spin_unlock_irqrestore(&qp->rq.lock, flags);
	return rc;
}

static int weft_put_srq_recv(struct weft_srq *srq, const struct ib_recv_wr *wr)
{
	u32 mask = (1 << srq->log2) - 1;
	__le64 *order;
	u16 slot;
	int rc;

	if (!srq->n_free)
		return -ENOMEM;
	slot = srq->slots[srq->n_free - 1];
	rc = weft_put_rqe(srq->ring.mem + (size_t)slot * srq->stride, wr, srq->max_sge, slot);
	if (rc)
		return rc;
	order = srq->ring.mem + ((size_t)srq->stride << srq->log2) +
		(size_t)(srq->pi & mask) * WEFT_SRQ_ORDER_BYTES;
	WEFT_PUT(order, SRQ_ORDER_SLOT, slot);
	srq->wr_id[slot] = wr->wr_id;
	srq->n_free--;
	srq->pi++;
	return 0;
}

int weft_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
		       const struct ib_recv_wr **bad)
{
	struct weft_srq *srq = to_weft_srq(ibsrq);
	unsigned long flags;
	__le64 db = 0;
	u16 before;
	int rc = 0;

	spin_lock_irqsave(&srq->lock, flags);
	before = srq->pi;
	for (; wr; wr = wr->next) {
		rc = weft_put_srq_recv(srq, wr);
		if (rc) {
			*bad = wr;
			break;
		}
	}
	if (srq->pi != before) {
		WEFT_PUT(&db, DB_QUEUE_ID, srq->srqn);
		WEFT_PUT(&db, DB_QUEUE_INDEX, srq->pi);
		weft_core_doorbell(to_weft_dev(ibsrq->device)->core, WEFT_DB_SRQ, &db);
	}
	spin_unlock_irqrestore(&srq->lock, flags);
	return rc;
}
