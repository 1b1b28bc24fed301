// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Shared receive queues. A WQE lies wherever one is free, for they complete in any order; behind the WQEs
 * is their order, which the card goes by. What queue pairs have not taken is nobody's when the queue goes: it is
 * not flushed.
 */
#include "weft_rdma.h"

static void weft_srq_put(struct weft_srq *srq)
{
	if (refcount_dec_and_test(&srq->refs))
		complete(&srq->free);
}

static struct weft_srq *weft_srq_lookup(struct weft_dev *dev, u32 srqn)
{
	struct weft_srq *srq;
	unsigned long flags;

	xa_lock_irqsave(&dev->srqs, flags);
	srq = xa_load(&dev->srqs, srqn);
	if (srq && !refcount_inc_not_zero(&srq->refs))
		srq = NULL;
	xa_unlock_irqrestore(&dev->srqs, flags);
	return srq;
}

/*
 * The card has told it once, and does not again before it is armed anew; which may have been since: what is armed
 * the card knows.
 */
void weft_srq_event(struct weft_dev *dev, u32 srqn)
{
	struct weft_srq *srq = weft_srq_lookup(dev, srqn);
	struct ib_event ev = { .device = &dev->ibdev, .event = IB_EVENT_SRQ_LIMIT_REACHED };

	if (!srq)
		return;
	ev.element.srq = &srq->ibsrq;
	if (srq->ibsrq.event_handler)
		srq->ibsrq.event_handler(&ev, srq->ibsrq.srq_context);
	weft_srq_put(srq);
}

/* 0, of a query what was asked for, or -errno */
static int weft_srq_command(struct weft_dev *dev, struct weft_srq *srq, u32 op, u32 limit,
			    u32 db_page)
{
	struct weft_admin_msg msg = {};
	int rc;

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, op);
	WEFT_PUT(msg.cmd, ADMIN_SRQ_ID, srq->srqn);
	WEFT_PUT(msg.cmd, ADMIN_SRQ_LOG2, srq->log2);
	WEFT_PUT(msg.cmd, ADMIN_SRQ_DB_PAGE, db_page);
	WEFT_PUT(msg.cmd, ADMIN_SRQ_LIMIT, limit);
	rc = weft_admin_exec(dev->core, &msg);
	if (rc || op != WEFT_ADMIN_OP_SRQ_QUERY)
		return rc;
	return WEFT_GET(msg.rsp, ADMIN_RSP_DETAIL);
}

/* The limit that is armed. */
static int weft_srq_armed(struct weft_dev *dev, struct weft_srq *srq)
{
	return weft_srq_command(dev, srq, WEFT_ADMIN_OP_SRQ_QUERY, 0, 0);
}

/*
 * Events were lost: whoever has armed a limit that is armed no more is told, perhaps once more, looks, and arms
 * again. So is he when the card refuses to say.
 */
void weft_srq_resync(struct weft_dev *dev)
{
	struct weft_srq *srq;
	unsigned long srqn;

	xa_for_each(&dev->srqs, srqn, srq) {
		srq = weft_srq_lookup(dev, srqn);
		if (!srq)
			continue;
		if (READ_ONCE(srq->limit) && weft_srq_armed(dev, srq) <= 0)
			weft_srq_event(dev, srqn);
		weft_srq_put(srq);
	}
}

static void weft_srq_free(struct weft_srq *srq)
{
	weft_ring_mem_free(&srq->ring);
	kvfree(srq->wr_id);
	kvfree(srq->slots);
}

static int weft_srq_alloc(struct weft_dev *dev, struct weft_srq *srq,
			  const struct ib_srq_attr *attr, struct weft_ucontext *uc)
{
	u32 i;
	int rc;

	srq->log2 = max(4, ilog2(roundup_pow_of_two(attr->max_wr)));
	srq->stride = weft_stride(WEFT_RQE_BYTES, max(attr->max_sge, 1u) * WEFT_SGE_BYTES);
	srq->max_sge = min_t(u32, WEFT_MAX_SGE, (srq->stride - WEFT_RQE_BYTES) / WEFT_SGE_BYTES);
	rc = weft_ring_mem_alloc(dev, &srq->ring,
				 (size_t)(srq->stride + WEFT_SRQ_ORDER_BYTES) << srq->log2, 0,
				 uc ? &uc->ibuc : NULL);
	if (rc || uc)
		return rc;
	srq->wr_id = kvcalloc(1 << srq->log2, sizeof(*srq->wr_id), GFP_KERNEL);
	srq->slots = kvcalloc(1 << srq->log2, sizeof(*srq->slots), GFP_KERNEL);
	if (!srq->wr_id || !srq->slots)
		return -ENOMEM;
	for (i = 0; i < 1 << srq->log2; i++)
		srq->slots[i] = i;
	srq->n_free = 1 << srq->log2;
	return 0;
}

static int weft_srq_check(struct weft_dev *dev, const struct ib_srq_init_attr *attr,
			  struct ib_udata *udata)
{
	struct weft_create_srq_req req = {};
	int rc;

	if (!dev->caps->srqs || attr->srq_type != IB_SRQT_BASIC)
		return -EOPNOTSUPP;
	if (!attr->attr.max_wr || attr->attr.max_wr > WEFT_MAX_WR ||
	    attr->attr.max_sge > WEFT_MAX_SGE)
		return -EINVAL; /* srq_limit says nothing at creation */
	if (!udata)
		return 0;
	rc = weft_copy_req(udata, &req, sizeof(req));
	if (rc)
		return rc;
	return req.comp_mask ? -EOPNOTSUPP : 0;
}

static int weft_srq_answer(struct weft_srq *srq, struct ib_udata *udata)
{
	struct weft_create_srq_resp resp = {};

	if (!udata)
		return 0;
	resp.mmap_key = weft_ring_mem_key(&srq->ring, 0);
	resp.mmap_bytes = srq->ring.pages->bytes;
	resp.srqn = srq->srqn;
	resp.entries = 1 << srq->log2;
	resp.stride = srq->stride;
	return ib_copy_to_udata(udata, &resp, min(sizeof(resp), udata->outlen));
}

int weft_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *attr, struct ib_udata *udata)
{
	struct weft_ucontext *uc = rdma_udata_to_drv_context(udata, struct weft_ucontext, ibuc);
	struct weft_dev *dev = to_weft_dev(ibsrq->device);
	struct weft_srq *srq = to_weft_srq(ibsrq);
	int rc;

	rc = weft_srq_check(dev, attr, udata);
	if (rc)
		return rc;
	srq->user = uc;
	spin_lock_init(&srq->lock);
	mutex_init(&srq->limit_lock);
	refcount_set(&srq->refs, 1);
	init_completion(&srq->free);
	rc = weft_srq_alloc(dev, srq, &attr->attr, uc);
	if (rc)
		goto err_ring;
	/* the number now, the entry when nothing can fail any more: nobody finds half a queue */
	rc = xa_alloc_cyclic_irq(&dev->srqs, &srq->srqn, NULL, XA_LIMIT(0, dev->caps->srqs - 1),
				 &dev->next_srqn, GFP_KERNEL);
	if (rc < 0) {
		rc = rc == -EBUSY ? -ENOMEM : rc;
		goto err_ring;
	}
	weft_core_settle(dev->core); /* what is said of the number until now is another's */
	srq->hold = weft_hold_new(NULL, srq->srqn);
	rc = srq->hold ? weft_srq_command(dev, srq, WEFT_ADMIN_OP_SRQ_CREATE, 0,
					  uc ? uc->db_page : 0) : -ENOMEM;
	if (rc)
		goto err_hold;
	attr->attr.max_wr = 1 << srq->log2;
	attr->attr.max_sge = srq->max_sge;
	rc = weft_srq_answer(srq, udata);
	if (rc) {
		weft_destroy_srq(ibsrq, udata);
		return rc;
	}
	/* Events find it from here on: who is told of one that fails would have a freed object. */
	xa_store_irq(&dev->srqs, srq->srqn, srq, GFP_KERNEL); /* the place is there: cannot fail */
	return 0;

err_hold:
	kfree(srq->hold);
	xa_erase_irq(&dev->srqs, srq->srqn);
err_ring:
	weft_srq_free(srq);
	return rc;
}

/* The limit is armed, or with 0 disarmed. The ring stays as it is: the card's queue pairs have its address. */
int weft_modify_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		    struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibsrq->device);
	struct weft_srq *srq = to_weft_srq(ibsrq);
	int rc = udata ? weft_copy_req(udata, NULL, 0) : 0; /* it has no request */
	u32 was;

	if (rc)
		return rc;
	if (mask & ~IB_SRQ_LIMIT)
		return -EOPNOTSUPP;
	if (!(mask & IB_SRQ_LIMIT))
		return 0;
	if (attr->srq_limit > 1 << srq->log2)
		return -EINVAL;
	mutex_lock(&srq->limit_lock);
	was = srq->limit;
	WRITE_ONCE(srq->limit, attr->srq_limit); /* before the card has it: for a resync meanwhile */
	rc = weft_srq_command(dev, srq, WEFT_ADMIN_OP_SRQ_MODIFY, attr->srq_limit, 0);
	if (rc)
		WRITE_ONCE(srq->limit, was);
	mutex_unlock(&srq->limit_lock);
	return rc;
}

int weft_query_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr)
{
	struct weft_srq *srq = to_weft_srq(ibsrq);
	int limit = weft_srq_armed(to_weft_dev(ibsrq->device), srq);

	if (limit < 0)
		return limit;
	attr->max_wr = 1 << srq->log2;
	attr->max_sge = srq->max_sge;
	attr->srq_limit = limit;
	return 0;
}

int weft_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibsrq->device);
	struct weft_srq *srq = to_weft_srq(ibsrq);
	struct weft_admin_msg msg = {};
	struct weft_kept *kept;

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_SRQ_DESTROY);
	WEFT_PUT(msg.cmd, ADMIN_SRQ_ID, srq->srqn);
	kept = weft_take_back(dev, &msg, srq->hold, "a shared receive queue was not destroyed");
	xa_store_irq(&dev->srqs, srq->srqn, NULL, GFP_KERNEL); /* events find it no longer */
	weft_srq_put(srq);
	wait_for_completion(&srq->free);
	if (kept) {
		weft_keep_srq(dev, kept, srq);
	} else {
		xa_erase_irq(&dev->srqs, srq->srqn);
		weft_hold_put(srq->hold);
	}
	weft_srq_free(srq);
	return 0;
}

/* WQE @slot has completed, or its completion is nobody's: it is free. Its wr_id. */
u64 weft_srq_done(struct weft_srq *srq, u32 slot)
{
	unsigned long flags;
	u64 wr_id;

	slot &= (1 << srq->log2) - 1;
	spin_lock_irqsave(&srq->lock, flags);
	wr_id = srq->wr_id[slot];
	if (srq->n_free < 1 << srq->log2)
		srq->slots[srq->n_free++] = slot;
	spin_unlock_irqrestore(&srq->lock, flags);
	return wr_id;
}
