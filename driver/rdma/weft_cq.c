// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "weft_rdma.h"

static void weft_cq_put(struct weft_cq *cq)
{
	if (refcount_dec_and_test(&cq->refs))
		complete(&cq->free);
}

static struct weft_cq *weft_cq_lookup(struct weft_dev *dev, u32 cqn)
{
	struct weft_cq *cq;
	unsigned long flags;

	xa_lock_irqsave(&dev->cqs, flags);
	cq = xa_load(&dev->cqs, cqn);
	if (cq && !refcount_inc_not_zero(&cq->refs))
		cq = NULL;
	xa_unlock_irqrestore(&dev->cqs, flags);
	return cq;
}

void weft_cq_event(void *ctx, u32 cqn)
{
	struct weft_cq *cq = weft_cq_lookup(ctx, cqn);

	if (!cq)
		return;
	if (cq->ibcq.comp_handler)
		cq->ibcq.comp_handler(&cq->ibcq, cq->ibcq.cq_context);
	weft_cq_put(cq);
}

void weft_cq_error(struct weft_dev *dev, u32 cqn)
{
	struct weft_cq *cq = weft_cq_lookup(dev, cqn);
	struct ib_event ev = { .device = &dev->ibdev, .event = IB_EVENT_CQ_ERR };

	if (!cq)
		return;
	cq->overflowed = true;
	weft_count(dev, WEFT_COUNT_CQ_ERROR, 0);
	ev.element.cq = &cq->ibcq;
	if (cq->ibcq.event_handler)
		cq->ibcq.event_handler(&ev, cq->ibcq.cq_context);
	weft_cq_put(cq);
}

/*
 * Calls a handler that may not be armed; sleeps. The core sets up a kernel's CQ behind create_cq and takes it
 * down in front of destroy_cq, so it is called only while the CQ has a queue pair, and the last one's leaving waits.
 */
static void weft_cq_kick(struct weft_dev *dev, u32 cqn, unsigned long eqs)
{
	struct weft_cq *cq = weft_cq_lookup(dev, cqn);
	bool any;

	if (!cq)
		return;
	mutex_lock(&cq->wake_lock);
	any = cq->user;
	if (!any && !(cq->ibcq.wc && cq->ibcq.poll_ctx == IB_POLL_DIRECT)) {
		spin_lock_irq(&cq->lock);
		any = !list_empty(&cq->send_qps) || !list_empty(&cq->recv_qps);
		spin_unlock_irq(&cq->lock);
	}
	if (any && cq->ibcq.comp_handler && eqs & BIT(cq->eqn))
		cq->ibcq.comp_handler(&cq->ibcq, cq->ibcq.cq_context);
	mutex_unlock(&cq->wake_lock);
	weft_cq_put(cq);
}

/*
 * Every handler of these event queues, armed or not: events were lost, or the card is dead. A consumer polls and finds
 * out.
 */
void weft_cq_wake_all(struct weft_dev *dev, unsigned long eqs)
{
	unsigned long cqn;
	struct weft_cq *cq;

	xa_for_each(&dev->cqs, cqn, cq)
		weft_cq_kick(dev, cqn, eqs);
}

static void weft_cq_wake(struct work_struct *work)
{
	struct weft_cq *cq = container_of(work, struct weft_cq, wake);

	weft_cq_kick(to_weft_dev(cq->ibcq.device), cq->cqn, ~0ul);
}

/* Where the card finds the ring; what is behind its last piece is 0. */
static void weft_cq_put_ring(struct weft_admin_msg *msg, const struct weft_ring_mem *ring,
			     u32 log2)
{
	const struct weft_piece *piece = ring->pages->piece;

	WEFT_PUT(msg->cmd, ADMIN_QUEUE_LOG2, log2);
	WEFT_PUT(msg->cmd, ADMIN_QUEUE_PIECES, ring->pages->log2);
	WEFT_PUT(msg->cmd, ADMIN_QUEUE_BASE, piece[0].dma);
	WEFT_PUT(msg->cmd, ADMIN_QUEUE_BASE1, piece[1].dma);
	WEFT_PUT(msg->cmd, ADMIN_QUEUE_BASE2, piece[2].dma);
	WEFT_PUT(msg->cmd, ADMIN_QUEUE_BASE3, piece[3].dma);
}

/* @keys: there is room to tell a process of all pieces; else it is an older one, which knows one. */
static int weft_cq_ring_alloc(struct weft_dev *dev, struct weft_ring_mem *ring, u32 log2,
			      struct ib_ucontext *ibuc, bool keys)
{
	return weft_ring_mem_alloc(dev, ring, (size_t)WEFT_CQE_BYTES << log2,
				   keys ? dev->caps->cq_pieces : 0, ibuc);
}

/* Of the pieces behind the first one. Returns how many pieces there are. */
static u32 weft_cq_put_keys(const struct weft_ring_mem *ring, u64 *keys)
{
	int i;

	BUILD_BUG_ON(1 + WEFT_CQ_MORE_PIECES != WEFT_MAX_PIECES);
	for (i = 0; i < WEFT_CQ_MORE_PIECES; i++)
		keys[i] = weft_ring_mem_key(ring, i + 1);
	return 1 << ring->pages->log2;
}

static int weft_cq_command(struct weft_dev *dev, struct weft_cq *cq, u32 db_page)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_CQ_CREATE);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_ID, cq->cqn);
	weft_cq_put_ring(&msg, &cq->ring, cq->log2);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_VECTOR, cq->eqn);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_DB_PAGE, db_page);
	return weft_admin_exec(dev->core, &msg);
}

static int weft_cq_answer(struct weft_cq *cq, struct ib_udata *udata)
{
	struct weft_create_cq_resp resp = {};

	if (!udata)
		return 0;
	resp.mmap_key = weft_ring_mem_key(&cq->ring, 0);
	resp.mmap_bytes = cq->ring.pages->bytes;
	resp.pieces = weft_cq_put_keys(&cq->ring, resp.more_keys);
	resp.cqn = cq->cqn;
	resp.entries = 1 << cq->log2;
	return ib_copy_to_udata(udata, &resp, min(sizeof(resp), udata->outlen));
}

static int weft_cq_check_req(struct ib_udata *udata)
{
	struct weft_create_cq_req req = {};
	int rc;

	if (!udata)
		return 0;
	rc = weft_copy_req(udata, &req, sizeof(req));
	if (rc)
		return rc;
	return req.comp_mask ? -EOPNOTSUPP : 0;
}

/* A ring of @cqe entries, or more: what the card gets, log2. @promised: what the consumer gets. */
static u32 weft_cq_log2(struct weft_dev *dev, bool user, u32 cqe, int *promised)
{
	u32 log2 = max(4, ilog2(roundup_pow_of_two(cqe)));

	*promised = 1 << log2;
	/* a request of two entries has two bad completions, of which poll tells one */
	return !user || weft_has_imm(dev) ? log2 + 1 : log2;
}

int weft_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
		   struct uverbs_attr_bundle *attrs)
{
	struct ib_udata *udata = attrs ? &attrs->driver_udata : NULL;
	struct weft_ucontext *uc = rdma_udata_to_drv_context(udata, struct weft_ucontext, ibuc);
	struct weft_dev *dev = to_weft_dev(ibcq->device);
	struct weft_cq *cq = to_weft_cq(ibcq);
	int rc;

	/* the time is in each entry, whether somebody asks or not */
	if (attr->flags & ~(weft_has_stamp(dev) ? IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION : 0))
		return -EOPNOTSUPP;
	if (!attr->cqe || attr->cqe > weft_max_cqe(dev))
		return -EINVAL;
	rc = weft_cq_check_req(udata);
	if (rc)
		return rc;
	cq->user = uc;
	cq->eqn = weft_core_cq_eqn(dev->core, attr->comp_vector);
	INIT_LIST_HEAD(&cq->send_qps);
	INIT_LIST_HEAD(&cq->recv_qps);
	INIT_WORK(&cq->wake, weft_cq_wake);
	cq->log2 = weft_cq_log2(dev, uc, attr->cqe, &ibcq->cqe);
	spin_lock_init(&cq->lock);
	mutex_init(&cq->resize_lock);
	mutex_init(&cq->wake_lock);
	refcount_set(&cq->refs, 1);
	init_completion(&cq->free);
	rc = weft_cq_ring_alloc(dev, &cq->ring, cq->log2, uc ? &uc->ibuc : NULL, !udata ||
				udata->outlen >= sizeof(struct weft_create_cq_resp));
	if (rc)
		return rc;
	/* the number now, the entry when nothing can fail any more: nobody finds half a CQ */
	rc = xa_alloc_cyclic_irq(&dev->cqs, &cq->cqn, NULL, XA_LIMIT(0, dev->caps->cqs - 1),
				 &dev->next_cqn, GFP_KERNEL);
	if (rc < 0) {
		rc = rc == -EBUSY ? -ENOMEM : rc;
		goto err_ring;
	}
	weft_core_settle(dev->core); /* what is said of the number until now is another's */
	cq->hold = weft_hold_new(NULL, cq->cqn);
	rc = cq->hold ? weft_cq_command(dev, cq, uc ? uc->db_page : 0) : -ENOMEM;
	if (rc)
		goto err_hold;
	rc = weft_cq_answer(cq, udata);
	if (rc) {
		weft_destroy_cq(ibcq, udata);
		return rc;
	}
	/* Events find it from here on: who is told of one that fails would have a freed object. */
	xa_store_irq(&dev->cqs, cq->cqn, cq, GFP_KERNEL); /* the place is there: cannot fail */
	return 0;

err_hold:
	kfree(cq->hold);
	xa_erase_irq(&dev->cqs, cq->cqn);
err_ring:
	weft_ring_mem_free(&cq->ring);
	return rc;
}

int weft_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibcq->device);
	struct weft_cq *cq = to_weft_cq(ibcq);
	struct weft_admin_msg msg = {};
	struct weft_kept *kept;

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_CQ_DESTROY);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_ID, cq->cqn);
	kept = weft_take_back(dev, &msg, cq->hold, "a CQ was not destroyed");
	xa_store_irq(&dev->cqs, cq->cqn, NULL, GFP_KERNEL); /* events find it no longer */
	weft_cq_put(cq);
	wait_for_completion(&cq->free);
	cancel_work_sync(&cq->wake);
	weft_ring_mem_free(&cq->next); /* the card was not told of it */
	if (kept) {
		weft_keep_cq(dev, kept, cq);
	} else {
		xa_erase_irq(&dev->cqs, cq->cqn);
		weft_ring_mem_free(&cq->ring);
		weft_hold_put(cq->hold);
	}
	return 0;
}

/* The card tells what it held back until now. More than the ring has can never be unread: all that it has is as much. */
int weft_modify_cq(struct ib_cq *ibcq, u16 count, u16 period)
{
	struct weft_dev *dev = to_weft_dev(ibcq->device);
	struct weft_admin_msg msg = {};

	if (!weft_has_moderation(dev))
		return -EOPNOTSUPP;
	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_CQ_MODERATE);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_ID, to_weft_cq(ibcq)->cqn);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_COUNT, min_t(u32, count, ibcq->cqe));
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_PERIOD, period);
	return weft_admin_exec(dev->core, &msg);
}

/* ---- kernel consumers ---- */

static enum ib_wc_status weft_wc_status(u32 status)
{
	static const enum ib_wc_status map[] = {
		[WEFT_WC_STATUS_SUCCESS] = IB_WC_SUCCESS,
		[WEFT_WC_STATUS_LOC_LEN_ERR] = IB_WC_LOC_LEN_ERR,
		[WEFT_WC_STATUS_LOC_QP_OP_ERR] = IB_WC_LOC_QP_OP_ERR,
		[WEFT_WC_STATUS_LOC_PROT_ERR] = IB_WC_LOC_PROT_ERR,
		[WEFT_WC_STATUS_WR_FLUSH_ERR] = IB_WC_WR_FLUSH_ERR,
		[WEFT_WC_STATUS_REM_INV_REQ_ERR] = IB_WC_REM_INV_REQ_ERR,
		[WEFT_WC_STATUS_REM_ACCESS_ERR] = IB_WC_REM_ACCESS_ERR,
		[WEFT_WC_STATUS_REM_OP_ERR] = IB_WC_REM_OP_ERR,
		[WEFT_WC_STATUS_RETRY_EXC_ERR] = IB_WC_RETRY_EXC_ERR,
		[WEFT_WC_STATUS_FATAL_ERR] = IB_WC_FATAL_ERR,
		[WEFT_WC_STATUS_MW_BIND_ERR] = IB_WC_MW_BIND_ERR,
	};

	return status < ARRAY_SIZE(map) ? map[status] : IB_WC_GENERAL_ERR;
}

/*
 * What the consumer is told of entry @i, whose completion is bad when it is the first of two; false: nothing,
 * it was told of the first one.
 */
static bool weft_op_told(struct weft_wq *wq, u32 i, struct ib_wc *wc)
{
	if (wq->op[i] == WEFT_OP_TOLD)
		return false;
	wc->opcode = wq->op[i] & ~WEFT_OP_TWO;
	if (wq->op[i] & WEFT_OP_TWO)
		wq->op[(i + 1) & ((1 << wq->log2) - 1)] = WEFT_OP_TOLD;
	return true;
}

/* false: @cqe is nothing that the consumer is told */
static bool weft_fill_wc(struct weft_qp *qp, const __le64 *cqe, struct ib_wc *wc)
{
	u32 opcode = WEFT_GET(cqe, CQE_OPCODE);
	u16 index = WEFT_GET(cqe, CQE_INDEX);
	struct weft_wq *wq = opcode & 0x80 ? &qp->rq : &qp->sq;
	u32 i = index & ((1 << wq->log2) - 1);
	bool shared = wq == &qp->rq && qp->ibqp.srq;
	bool told = true;

	memset(wc, 0, sizeof(*wc));
	wc->qp = &qp->ibqp;
	wc->wr_id = shared ? weft_srq_done(to_weft_srq(qp->ibqp.srq), index) : wq->wr_id[i];
	wc->status = weft_wc_status(WEFT_GET(cqe, CQE_STATUS));
	wc->vendor_err = WEFT_GET(cqe, CQE_VENDOR_ERR);
	wc->byte_len = WEFT_GET(cqe, CQE_BYTES);
	wc->opcode = IB_WC_RECV;
	if (wq == &qp->sq)
		told = weft_op_told(wq, i, wc);
	if (opcode == WEFT_WC_OPCODE_RECV_INV && wc->status == IB_WC_SUCCESS) {
		wc->wc_flags = IB_WC_WITH_INVALIDATE;
		wc->ex.invalidate_rkey = WEFT_GET(cqe, CQE_INV_STAG);
	} else if (opcode == WEFT_WC_OPCODE_RECV_IMM && wc->status == IB_WC_SUCCESS) {
		wc->opcode = IB_WC_RECV_RDMA_WITH_IMM;
		wc->wc_flags = IB_WC_WITH_IMM;
		wc->ex.imm_data = cpu_to_be32(WEFT_GET(cqe, CQE_INV_STAG));
	}
	if (shared)
		return told;
	/* earlier unsignaled ones are complete too; reused from here on: pairs with weft_wq_full */
	smp_store_release(&wq->ci, (u16)(index + 1));
	return told;
}

/* Where entry @i lies in a ring, and the phase bit that it has there. */
static __le64 *weft_cqe_place(const struct weft_ring_mem *ring, u32 log2, u32 first, u32 i,
			      u32 *phase)
{
	u32 at = i - first, span = log2 - ring->pages->log2;
	u32 place = at & ((1 << log2) - 1);
	__le64 *piece = ring->pages->piece[place >> span].mem;

	*phase = !(at >> log2 & 1);
	return piece + (size_t)(place & ((1 << span) - 1)) * WEFT_WORDS(CQE);
}

/* Entry @i, or NULL when it is not there yet. */
static __le64 *weft_cqe(const struct weft_cq *cq, u32 i)
{
	u32 phase;
	__le64 *cqe = weft_cqe_place(&cq->ring, cq->log2, cq->first, i, &phase);

	if (WEFT_GET(cqe, CQE_PHASE) != phase)
		return NULL;
	dma_rmb(); /* the body is older than the phase bit */
	return cqe;
}

static const __le64 *weft_cqe_next(const struct weft_cq *cq)
{
	return weft_cqe(cq, cq->ci);
}

static void weft_cq_doorbell(struct weft_dev *dev, struct weft_cq *cq, u32 arm)
{
	__le64 db = 0;

	WEFT_PUT(&db, DB_CQ_ID, cq->cqn);
	WEFT_PUT(&db, DB_CQ_ARM, arm);
	WEFT_PUT(&db, DB_CQ_INDEX, cq->ci);
	weft_core_doorbell(dev->core, WEFT_DB_CQ, &db);
}

/* What was posted to @wq and never completed, in order; under the CQ's lock. */
static int weft_flush_wq(struct weft_qp *qp, struct weft_wq *wq, int n, struct ib_wc *wc)
{
	int got = 0;

	spin_lock(&wq->lock);
	while (got < n && wq->ci != wq->pi) {
		u32 i = wq->ci & ((1 << wq->log2) - 1);

		wc[got] = (struct ib_wc){
			.wr_id = wq->wr_id[i],
			.status = IB_WC_WR_FLUSH_ERR,
			.opcode = IB_WC_RECV,
			.qp = &qp->ibqp,
		};
		if (wq != &qp->sq || weft_op_told(wq, i, &wc[got]))
			got++;
		/* its wr_id and op have been read: pairs with weft_wq_full */
		smp_store_release(&wq->ci, (u16)(wq->ci + 1));
	}
	spin_unlock(&wq->lock);
	return got;
}

/* The card is dead: what it did not complete is flushed here, behind what it did. */
static int weft_flush_cq(struct weft_cq *cq, int n, struct ib_wc *wc)
{
	struct weft_qp *qp;
	int got = 0;

	lockdep_assert_held(&cq->lock);
	list_for_each_entry(qp, &cq->send_qps, send_link)
		got += weft_flush_wq(qp, &qp->sq, n - got, wc + got);
	list_for_each_entry(qp, &cq->recv_qps, recv_link)
		got += weft_flush_wq(qp, &qp->rq, n - got, wc + got);
	return got;
}

static bool weft_cq_to_flush(const struct weft_cq *cq)
{
	struct weft_qp *qp;

	list_for_each_entry(qp, &cq->send_qps, send_link)
		if (qp->sq.ci != READ_ONCE(qp->sq.pi))
			return true;
	list_for_each_entry(qp, &cq->recv_qps, recv_link)
		if (qp->rq.ci != READ_ONCE(qp->rq.pi))
			return true;
	return false;
}

void weft_cq_add_qp(struct weft_qp *qp)
{
	struct weft_cq *s = to_weft_cq(qp->ibqp.send_cq), *r = to_weft_cq(qp->ibqp.recv_cq);

	spin_lock_irq(&s->lock);
	list_add_tail(&qp->send_link, &s->send_qps);
	spin_unlock_irq(&s->lock);
	spin_lock_irq(&r->lock);
	list_add_tail(&qp->recv_link, &r->recv_qps);
	spin_unlock_irq(&r->lock);
}

/*
 * Of a ring that may be long a part is looked at, and then others get the lock: poll, which may pass @i. The ring stays, by
 * resize_lock, and so do the entries from the consumer index on.
 */
#define WEFT_CQ_AT_ONCE 1024

static void weft_cq_breathe(struct weft_cq *cq, u32 *i, u32 start)
	__must_hold(&cq->lock)
{
	lockdep_assert_held(&cq->resize_lock);
	if (*i == start || (*i - start) % WEFT_CQ_AT_ONCE)
		return;
	spin_unlock_irq(&cq->lock);
	cond_resched();
	spin_lock_irq(&cq->lock);
	if ((s32)(cq->ci - *i) > 0)
		*i = cq->ci;
}

/*
 * No completion after destroy: entries that wait lose their number, and poll passes them over. What they were of
 * a shared queue is free. The card writes none any more (or it is kept, see weft_cq_forget_kept), so all are in the ring as it is
 * now, however far poll gets meanwhile.
 */
static void weft_cq_pass_over(struct weft_cq *cq, u32 qpn, struct ib_srq *ibsrq)
	__must_hold(&cq->lock)
{
	u32 i, start = cq->ci;
	__le64 *cqe;

	lockdep_assert_held(&cq->lock);
	lockdep_assert_held(&cq->resize_lock); /* or they may lie in another ring, too */
	for (i = start; i - start < 1u << cq->log2; i++) {
		weft_cq_breathe(cq, &i, start);
		cqe = weft_cqe(cq, i);
		if (!cqe)
			return;
		if (WEFT_GET(cqe, CQE_QPN) != qpn)
			continue;
		if (ibsrq && WEFT_GET(cqe, CQE_OPCODE) & 0x80)
			weft_srq_done(to_weft_srq(ibsrq), WEFT_GET(cqe, CQE_INDEX));
		WEFT_PUT(cqe, CQE_QPN, 0);
	}
}

/* The list is the last: until then poll frees what it passes over of a shared queue, by that. */
static void weft_cq_forget(struct weft_cq *cq, struct list_head *link, struct weft_qp *qp)
{
	mutex_lock(&cq->resize_lock);
	mutex_lock(&cq->wake_lock);
	spin_lock_irq(&cq->lock);
	weft_cq_pass_over(cq, qp->qpn, qp->ibqp.srq);
	list_del(link);
	spin_unlock_irq(&cq->lock);
	mutex_unlock(&cq->wake_lock);
	mutex_unlock(&cq->resize_lock);
}

/*
 * The card writes no completion of a QP that was kept any more; nobody has its number yet. What waits in a process's ring its
 * provider passes over, for it has no queue pair of the number, and sees to when it gets one that has.
 */
void weft_cq_forget_kept(struct weft_dev *dev, u32 cqn, u32 qpn)
{
	struct weft_cq *cq = weft_cq_lookup(dev, cqn);

	if (!cq)
		return;
	if (!cq->user) {
		mutex_lock(&cq->resize_lock);
		spin_lock_irq(&cq->lock);
		weft_cq_pass_over(cq, qpn, NULL); /* a kept QP's WQEs are lost to its SRQ */
		spin_unlock_irq(&cq->lock);
		mutex_unlock(&cq->resize_lock);
	}
	weft_cq_put(cq);
}

/* The card writes no completion of @qp any more, or it is kept; its number is not free yet. */
void weft_cq_forget_qp(struct weft_qp *qp)
{
	weft_cq_forget(to_weft_cq(qp->ibqp.send_cq), &qp->send_link, qp);
	weft_cq_forget(to_weft_cq(qp->ibqp.recv_cq), &qp->recv_link, qp);
}

/* Of a queue pair that is being destroyed: nobody's completion, but what it was of a shared queue is free. */
static void weft_cq_pass(struct weft_cq *cq, const __le64 *cqe)
{
	struct weft_qp *qp;

	lockdep_assert_held(&cq->lock);
	if (!(WEFT_GET(cqe, CQE_OPCODE) & 0x80))
		return;
	list_for_each_entry(qp, &cq->recv_qps, recv_link) {
		if (qp->qpn != WEFT_GET(cqe, CQE_QPN))
			continue;
		if (qp->ibqp.srq)
			weft_srq_done(to_weft_srq(qp->ibqp.srq), WEFT_GET(cqe, CQE_INDEX));
		return;
	}
}

/*
 * Is @cqe of a queue that completes here? A card that is whole writes no other. A process's, which has no wr_id here, is
 * none: it has CQs of the process's.
 */
static bool weft_cq_serves(const struct weft_cq *cq, const struct weft_qp *qp, const __le64 *cqe)
{
	return &cq->ibcq == (WEFT_GET(cqe, CQE_OPCODE) & 0x80 ? qp->ibqp.recv_cq :
								qp->ibqp.send_cq);
}

int weft_poll_cq(struct ib_cq *ibcq, int n, struct ib_wc *wc)
{
	struct weft_dev *dev = to_weft_dev(ibcq->device);
	struct weft_cq *cq = to_weft_cq(ibcq);
	unsigned long flags;
	const __le64 *cqe;
	bool flushing;
	int got = 0;
	u32 before;

	spin_lock_irqsave(&cq->lock, flags);
	/*
	 * Before the ring: what is seen to be empty behind it stays so. Asked behind it, a request whose
	 * entry came between would be flushed here, and complete once more from the ring.
	 */
	flushing = weft_flushing(dev);
	before = cq->ci;
	while (got < n && (cqe = weft_cqe_next(cq))) {
		struct weft_qp *qp;

		xa_lock(&dev->qps);
		qp = xa_load(&dev->qps, WEFT_GET(cqe, CQE_QPN));
		if (!qp)
			weft_cq_pass(cq, cqe);
		else if (!weft_cq_serves(cq, qp, cqe))
			weft_count(dev, WEFT_COUNT_CQ_STRAY, 0);
		else if (weft_fill_wc(qp, cqe, &wc[got])) /* else its completions go with it */
			got++;
		xa_unlock(&dev->qps);
		cq->ci++;
	}
	if (got < n && flushing)
		got += weft_flush_cq(cq, n - got, wc + got);
	else if (cq->ci != before)
		weft_cq_doorbell(dev, cq, WEFT_ARM_NONE);
	spin_unlock_irqrestore(&cq->lock, flags);
	return got;
}

int weft_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags)
{
	struct weft_cq *cq = to_weft_cq(ibcq);
	unsigned long irq;
	int rc;

	spin_lock_irqsave(&cq->lock, irq);
	weft_cq_doorbell(to_weft_dev(ibcq->device), cq,
			 (flags & IB_CQ_SOLICITED_MASK) == IB_CQ_SOLICITED ? WEFT_ARM_SOLICITED :
			 WEFT_ARM_NEXT);
	rc = flags & IB_CQ_REPORT_MISSED_EVENTS &&
	     (weft_cqe_next(cq) || (weft_flushing(to_weft_dev(ibcq->device)) &&
				    weft_cq_to_flush(cq)));
	spin_unlock_irqrestore(&cq->lock, irq);
	return rc;
}

/* ---- another ring: docs/resize.md ---- */

#define WEFT_CQ_INDEX GENMASK(WEFT_DB_CQ_INDEX_WIDTH - 1, 0)

/*
 * The card goes on in @ring, from entry @first on, and does not touch the old one any more. On failure @ring is the caller's:
 * nothing has changed, or the card is quiet.
 */
static int weft_cq_switch(struct weft_dev *dev, struct weft_cq *cq,
			  const struct weft_ring_mem *ring, u32 log2, u32 *first)
{
	struct weft_admin_msg msg = {};
	int rc;

	lockdep_assert_held(&cq->resize_lock);
	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_CQ_RESIZE);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_ID, cq->cqn);
	weft_cq_put_ring(&msg, ring, log2);
	rc = weft_admin_exec(dev->core, &msg);
	switch (rc) {
	case 0:
		*first = WEFT_GET(msg.rsp, ADMIN_RSP_DETAIL) & WEFT_CQ_INDEX;
		return 0;
	case -EINVAL: /* what is unread does not fit, or entries were lost */
	case -ENOMEM:
	case -EOPNOTSUPP:
		return rc;
	default: /* one of both rings, nobody knows which */
		weft_core_quiesce(dev->core, "a CQ was not resized");
		return -EIO;
	}
}

/* The ring is @with from here on; @with becomes the old one, which is free. */
static void weft_cq_swap(struct weft_cq *cq, struct weft_ring_mem *with, u32 log2, u32 first,
			 int promised)
{
	swap(cq->ring, *with);
	cq->log2 = log2;
	cq->first = first;
	cq->ibcq.cqe = promised;
}

/*
 * A kernel consumer's: its entries in front of @first that are not read yet move, too. One that poll has read meanwhile is of
 * no round that comes in the new ring, as the card's next entry there has the other phase.
 */
static void weft_cq_move(struct weft_cq *cq, struct weft_ring_mem *to, u32 log2, u32 first)
	__must_hold(&cq->lock)
{
	u32 start = cq->ci, n = (first - start) & WEFT_CQ_INDEX, i, phase;
	const __le64 *was;
	__le64 *cqe;

	lockdep_assert_held(&cq->lock);
	n = min3(n, 1u << cq->log2, 1u << log2);
	for (i = start; i - start < n; i++) {
		weft_cq_breathe(cq, &i, start);
		if (i - start >= n)
			return;
		was = weft_cqe_place(&cq->ring, cq->log2, cq->first, i, &phase);
		cqe = weft_cqe_place(to, log2, first, i, &phase);
		memcpy(cqe, was, WEFT_CQE_BYTES);
		WEFT_PUT(cqe, CQE_PHASE, phase);
	}
}

/* Are there more than @cqe unread ones? Poll makes them fewer meanwhile; those that come meanwhile the card looks at, too. */
static bool weft_cq_exceeds(struct weft_cq *cq, u32 cqe)
	__must_hold(&cq->lock)
{
	u32 i, start = cq->ci;

	lockdep_assert_held(&cq->lock);
	for (i = start; i - cq->ci <= cqe && i - start < 1u << cq->log2; i++) {
		weft_cq_breathe(cq, &i, start);
		if (!weft_cqe(cq, i))
			return false;
	}
	return i - cq->ci > cqe;
}

static int weft_resize_kernel_cq(struct weft_dev *dev, struct weft_cq *cq, u32 cqe)
{
	struct weft_ring_mem ring;
	u32 log2, first;
	int promised, rc;

	log2 = weft_cq_log2(dev, false, cqe, &promised);
	spin_lock_irq(&cq->lock);
	rc = weft_cq_exceeds(cq, cqe) ? -EINVAL : 0;
	weft_cq_doorbell(dev, cq, WEFT_ARM_NONE); /* the card wants one in front of a resize */
	spin_unlock_irq(&cq->lock);
	if (rc)
		return rc;
	rc = weft_cq_ring_alloc(dev, &ring, log2, NULL, true);
	if (rc)
		return rc;
	rc = weft_cq_switch(dev, cq, &ring, log2, &first);
	if (!rc) {
		spin_lock_irq(&cq->lock);
		weft_cq_move(cq, &ring, log2, first);
		/* perhaps it was flushed: what is in the new ring would complete once more */
		if (weft_flushing(dev))
			rc = -EIO;
		else
			weft_cq_swap(cq, &ring, log2, first, promised);
		spin_unlock_irq(&cq->lock);
	}
	weft_ring_mem_free(&ring);
	return rc;
}

/* The new ring, for the process to map: when the card has switched nothing can fail any more. */
static int weft_resize_prepare(struct weft_dev *dev, struct weft_cq *cq, u32 log2,
			       struct weft_ucontext *uc, struct ib_udata *udata)
{
	struct weft_resize_cq_resp resp = {};
	int rc;

	weft_ring_mem_free(&cq->next);
	rc = weft_cq_ring_alloc(dev, &cq->next, log2, &uc->ibuc, udata->outlen >= sizeof(resp));
	if (rc)
		return rc;
	cq->next_log2 = log2;
	resp.mmap_key = weft_ring_mem_key(&cq->next, 0);
	resp.pieces = weft_cq_put_keys(&cq->next, resp.more_keys);
	resp.mmap_bytes = cq->next.pages->bytes;
	resp.entries = 1 << log2;
	rc = ib_copy_to_udata(udata, &resp, min(sizeof(resp), udata->outlen));
	if (rc)
		weft_ring_mem_free(&cq->next);
	return rc;
}

static int weft_resize_switch(struct weft_dev *dev, struct weft_cq *cq, u32 log2, int promised,
			      struct ib_udata *udata)
{
	struct weft_resize_cq_resp resp = {};
	int rc;

	if (!cq->next.pages || log2 != cq->next_log2)
		return -EINVAL;
	rc = weft_cq_switch(dev, cq, &cq->next, log2, &resp.first);
	if (!rc)
		weft_cq_swap(cq, &cq->next, log2, resp.first, promised);
	weft_ring_mem_free(&cq->next);
	return rc ?: ib_copy_to_udata(udata, &resp, min(sizeof(resp), udata->outlen));
}

static int weft_resize_user_cq(struct weft_dev *dev, struct weft_cq *cq, u32 cqe,
			       struct ib_udata *udata)
{
	struct weft_ucontext *uc = rdma_udata_to_drv_context(udata, struct weft_ucontext, ibuc);
	struct weft_resize_cq_req req = {};
	int promised, rc;
	u32 log2;

	rc = weft_copy_req(udata, &req, sizeof(req));
	if (rc)
		return rc;
	if (req.comp_mask || req.reserved)
		return -EOPNOTSUPP;
	log2 = weft_cq_log2(dev, true, cqe, &promised);
	switch (req.step) {
	case WEFT_RESIZE_CQ_PREPARE:
		return weft_resize_prepare(dev, cq, log2, uc, udata);
	case WEFT_RESIZE_CQ_SWITCH:
		return weft_resize_switch(dev, cq, log2, promised, udata);
	default:
		return -EINVAL;
	}
}

int weft_resize_cq(struct ib_cq *ibcq, int cqe, struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibcq->device);
	struct weft_cq *cq = to_weft_cq(ibcq);
	int rc;

	if (cqe < 1 || cqe > weft_max_cqe(dev))
		return -EINVAL;
	mutex_lock(&cq->resize_lock);
	rc = cq->user ? weft_resize_user_cq(dev, cq, cqe, udata) :
	     weft_resize_kernel_cq(dev, cq, cqe);
	mutex_unlock(&cq->resize_lock);
	return rc;
}
