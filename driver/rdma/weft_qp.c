// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Queue pairs. The card keeps the state that matters; here is what verbs want to see of it. A QP is
 * INIT until its connection runs (RTS), SQD while it closes, then ERR; only a new one can connect.
 */
#include <linux/capability.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/user_namespace.h>

#include "weft_rdma.h"

void weft_qp_get(struct ib_qp *ibqp)
{
	refcount_inc(&to_weft_qp(ibqp)->refs);
}

void weft_qp_put(struct ib_qp *ibqp)
{
	struct weft_qp *qp = to_weft_qp(ibqp);

	if (refcount_dec_and_test(&qp->refs))
		complete(&qp->free);
}

/* no reference: iw_cm takes one under its own lock */
struct ib_qp *weft_qp_find(struct ib_device *ibdev, int qpn)
{
	struct weft_qp *qp = xa_load(&to_weft_dev(ibdev)->qps, qpn);

	return qp ? &qp->ibqp : NULL;
}

struct weft_qp *weft_qp_lookup(struct weft_dev *dev, u32 qpn)
{
	struct weft_qp *qp;
	unsigned long flags;

	xa_lock_irqsave(&dev->qps, flags);
	qp = xa_load(&dev->qps, qpn);
	if (qp && !refcount_inc_not_zero(&qp->refs))
		qp = NULL;
	xa_unlock_irqrestore(&dev->qps, flags);
	return qp;
}

/*
 * May the caller connect this QP? rdma_cm passes on the number that a process names, which may be any, and no file with it.
 * So a QP is his who made it, or who modified it last: the core lets nobody modify it but by the device file in which it was made,
 * which may have been inherited or handed over. librdmacm modifies a QP that it is given, and before each accept; who connects one
 * that it was not given modifies it to INIT, where it is. One of the kernel's is for the kernel.
 */
bool weft_qp_is_callers(struct weft_qp *qp)
{
	const struct pid *caller = task_tgid(current);
	bool is;

	if (!qp->user)
		return current->flags & PF_KTHREAD ||
		       ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
	mutex_lock(&qp->lock);
	is = caller == qp->maker || caller == qp->mover;
	mutex_unlock(&qp->lock);
	return is;
}

/* From a verb that the core has let through. */
static void weft_qp_moved(struct weft_qp *qp)
{
	struct pid *pid = get_pid(task_tgid(current));

	mutex_lock(&qp->lock);
	swap(qp->mover, pid);
	mutex_unlock(&qp->lock);
	put_pid(pid);
}

static void weft_qp_put_pids(struct weft_qp *qp)
{
	put_pid(qp->maker);
	put_pid(qp->mover);
}

/* ---- creation ---- */

static int weft_wq_alloc(struct weft_dev *dev, struct weft_wq *wq, u32 entries, u32 stride,
			 struct weft_ucontext *uc)
{
	int rc;

	spin_lock_init(&wq->lock);
	wq->log2 = max(4, ilog2(roundup_pow_of_two(entries)));
	wq->stride = stride;
	rc = weft_ring_mem_alloc(dev, &wq->ring, (size_t)stride << wq->log2, 0,
				 uc ? &uc->ibuc : NULL);
	if (rc || uc)
		return rc;
	wq->wr_id = kvcalloc(1 << wq->log2, sizeof(*wq->wr_id), GFP_KERNEL);
	wq->op = kvcalloc(1 << wq->log2, sizeof(*wq->op), GFP_KERNEL);
	return wq->wr_id && wq->op ? 0 : -ENOMEM;
}

static void weft_wq_free(struct weft_wq *wq)
{
	weft_ring_mem_free(&wq->ring);
	kvfree(wq->wr_id);
	kvfree(wq->op);
	wq->wr_id = NULL;
	wq->op = NULL;
}

/* More than the device has of something is wrong in a QP of any kind; then, that there is but one kind. */
static int weft_check_qp_attr(const struct weft_dev *dev, const struct ib_qp_init_attr *attr)
{
	const struct ib_qp_cap *cap = &attr->cap;

	if (cap->max_send_wr > WEFT_MAX_WR || cap->max_send_sge > WEFT_MAX_SGE ||
	    cap->max_inline_data > WEFT_INLINE_LIMIT)
		return -EINVAL;
	if (!attr->srq && (cap->max_recv_wr > WEFT_MAX_WR || cap->max_recv_sge > WEFT_MAX_SGE))
		return -EINVAL;
	return attr->qp_type != IB_QPT_RC || attr->create_flags ? -EOPNOTSUPP : 0;
}

static void weft_put_srq(struct weft_admin_msg *msg, const struct weft_srq *srq, bool privileged)
{
	WEFT_PUT(msg->cmd, ADMIN_QP_FLAGS, privileged | BIT(1));
	WEFT_PUT(msg->cmd, ADMIN_QP_SRQN, srq->srqn);
	WEFT_PUT(msg->cmd, ADMIN_QP_SRQ_PD, to_weft_pd(srq->ibsrq.pd)->pdn);
	WEFT_PUT(msg->cmd, ADMIN_QP_RQ_BASE, srq->ring.dma);
	WEFT_PUT(msg->cmd, ADMIN_QP_RQ_LOG2, srq->log2);
	WEFT_PUT(msg->cmd, ADMIN_QP_RQ_STRIDE, ilog2(srq->stride) - 6);
}

#define WEFT_LOCAL_ACCESS (BIT(WEFT_ACCESS_LOCAL_WRITE) | BIT(WEFT_ACCESS_LOCAL_READ))

/* all that a peer can have, see weft_check_modify */
static int weft_qp_rights(const struct weft_dev *dev)
{
	return IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ |
	       (weft_has_atomic(dev) ? IB_ACCESS_REMOTE_ATOMIC : 0);
}

static int weft_qp_command(struct weft_dev *dev, struct weft_qp *qp, u32 db_page)
{
	const struct ib_qp *ibqp = &qp->ibqp;
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_QP_CREATE);
	WEFT_PUT(msg.cmd, ADMIN_QP_QPN, qp->qpn);
	WEFT_PUT(msg.cmd, ADMIN_QP_SQ_BASE, qp->sq.ring.dma);
	WEFT_PUT(msg.cmd, ADMIN_QP_SQ_LOG2, qp->sq.log2);
	WEFT_PUT(msg.cmd, ADMIN_QP_SQ_STRIDE, ilog2(qp->sq.stride) - 6);
	if (!ibqp->srq) {
		WEFT_PUT(msg.cmd, ADMIN_QP_RQ_BASE, qp->rq.ring.dma);
		WEFT_PUT(msg.cmd, ADMIN_QP_RQ_LOG2, qp->rq.log2);
		WEFT_PUT(msg.cmd, ADMIN_QP_RQ_STRIDE, ilog2(qp->rq.stride) - 6);
	}
	WEFT_PUT(msg.cmd, ADMIN_QP_SCQN, to_weft_cq(ibqp->send_cq)->cqn);
	WEFT_PUT(msg.cmd, ADMIN_QP_RCQN, to_weft_cq(ibqp->recv_cq)->cqn);
	WEFT_PUT(msg.cmd, ADMIN_QP_PD, to_weft_pd(ibqp->pd)->pdn);
	WEFT_PUT(msg.cmd, ADMIN_QP_DB_PAGE, db_page);
	WEFT_PUT(msg.cmd, ADMIN_QP_ACCESS,
		 weft_access(dev, weft_qp_rights(dev)) & ~(u8)WEFT_LOCAL_ACCESS);
	WEFT_PUT(msg.cmd, ADMIN_QP_FLAGS, !qp->user); /* the kernel's may use STag 0 and REG_MR */
	if (ibqp->srq)
		weft_put_srq(&msg, to_weft_srq(ibqp->srq), !qp->user);
	WEFT_PUT(msg.cmd, ADMIN_QP_IRD, dev->caps->ird);
	WEFT_PUT(msg.cmd, ADMIN_QP_ORD, dev->caps->ord);
	return weft_admin_exec(dev->core, &msg);
}

static int weft_qp_answer(struct weft_qp *qp, struct ib_udata *udata)
{
	struct weft_create_qp_resp resp = {
		.qpn = qp->qpn,
		.sq_entries = 1 << qp->sq.log2,
		.sq_stride = qp->sq.stride,
		.sq_mmap_bytes = qp->sq.ring.pages->bytes,
	};

	if (!udata)
		return 0;
	resp.sq_mmap_key = weft_ring_mem_key(&qp->sq.ring, 0);
	if (!qp->ibqp.srq) {
		resp.rq_entries = 1 << qp->rq.log2;
		resp.rq_stride = qp->rq.stride;
		resp.rq_mmap_bytes = qp->rq.ring.pages->bytes;
		resp.rq_mmap_key = weft_ring_mem_key(&qp->rq.ring, 0);
	}
	return ib_copy_to_udata(udata, &resp, min(sizeof(resp), udata->outlen));
}

static int weft_qp_check_req(struct ib_udata *udata)
{
	struct weft_create_qp_req req = {};
	int rc;

	if (!udata)
		return 0;
	rc = weft_copy_req(udata, &req, sizeof(req));
	if (rc)
		return rc;
	return req.comp_mask ? -EOPNOTSUPP : 0;
}

/* A request of the kernel's may take two entries, see weft_put_read_inv and weft_put_imm; a process's only the latter. */
static u32 weft_wr_entries(const struct weft_qp *qp)
{
	return qp->user && !weft_has_imm(to_weft_dev(qp->ibqp.device)) ? 1 : 2;
}

static int weft_qp_alloc_rings(struct weft_dev *dev, struct weft_qp *qp,
			       const struct ib_qp_cap *cap, struct weft_ucontext *uc)
{
	u32 payload = max(max_t(u32, cap->max_send_sge, 1) * WEFT_SGE_BYTES, cap->max_inline_data);
	int rc;

	rc = weft_wq_alloc(dev, &qp->sq, max(cap->max_send_wr, 1u) * weft_wr_entries(qp),
			   weft_stride(WEFT_SQE_BYTES, payload), uc);
	if (rc)
		return rc;
	if (qp->ibqp.srq) {
		spin_lock_init(&qp->rq.lock);
		return 0;
	}
	return weft_wq_alloc(dev, &qp->rq, max(cap->max_recv_wr, 1u),
			     weft_stride(WEFT_RQE_BYTES,
					 max_t(u32, cap->max_recv_sge, 1) * WEFT_SGE_BYTES), uc);
}

static void weft_qp_report_cap(struct weft_qp *qp, struct ib_qp_cap *cap)
{
	cap->max_send_wr = (1 << qp->sq.log2) / weft_wr_entries(qp);
	cap->max_recv_wr = qp->ibqp.srq ? 0 : 1 << qp->rq.log2;
	cap->max_send_sge = min_t(u32, WEFT_MAX_SGE, (qp->sq.stride - WEFT_SQE_BYTES) /
				  WEFT_SGE_BYTES);
	cap->max_recv_sge = qp->ibqp.srq ? 0 :
			    min_t(u32, WEFT_MAX_SGE, (qp->rq.stride - WEFT_RQE_BYTES) /
				  WEFT_SGE_BYTES);
	cap->max_inline_data = min_t(u32, WEFT_INLINE_LIMIT, qp->sq.stride - WEFT_SQE_BYTES);
	qp->max_send_wr = cap->max_send_wr;
	qp->max_send_sge = cap->max_send_sge;
	qp->max_recv_sge = cap->max_recv_sge;
	qp->max_inline = cap->max_inline_data;
}

/* The number now, the entry when nothing can fail any more: nobody finds half a QP. */
static int weft_qpn_alloc(struct weft_dev *dev, u32 *qpn)
{
	return xa_alloc_cyclic_irq(&dev->qps, qpn, NULL, XA_LIMIT(1, dev->caps->qps - 1),
				   &dev->next_qpn, GFP_KERNEL);
}

int weft_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	struct weft_ucontext *uc = rdma_udata_to_drv_context(udata, struct weft_ucontext, ibuc);
	struct weft_dev *dev = to_weft_dev(ibqp->device);
	struct weft_qp *qp = to_weft_qp(ibqp);
	int rc;

	rc = weft_check_qp_attr(dev, attr);
	if (rc)
		return rc;
	rc = weft_qp_check_req(udata);
	if (rc)
		return rc;
	qp->user = uc;
	qp->maker = uc ? get_pid(task_tgid(current)) : NULL;
	qp->sig_all = attr->sq_sig_type == IB_SIGNAL_ALL_WR;
	qp->state = IB_QPS_INIT;
	qp->ird = dev->caps->ird;
	qp->ord = dev->caps->ord;
	qp->asked = READ_ONCE(dev->asks);
	/* ib_core sets these later, and the command needs them */
	ibqp->send_cq = attr->send_cq;
	ibqp->recv_cq = attr->recv_cq;
	ibqp->srq = attr->srq;
	mutex_init(&qp->lock);
	mutex_init(&qp->err_lock);
	refcount_set(&qp->refs, 1);
	init_completion(&qp->free);
	rc = weft_qp_alloc_rings(dev, qp, &attr->cap, uc);
	if (rc)
		goto err_rings;
	rc = weft_qpn_alloc(dev, &qp->qpn);
	if (rc == -EBUSY) {
		weft_qpn_settle(dev);
		rc = weft_qpn_alloc(dev, &qp->qpn);
	}
	if (rc < 0) {
		rc = rc == -EBUSY ? -ENOMEM : rc;
		goto err_rings;
	}
	ibqp->qp_num = qp->qpn;
	weft_core_settle(dev->core); /* what is said of the number until now is another's */
	rc = weft_qp_command(dev, qp, uc ? uc->db_page : 0);
	if (rc)
		goto err_number;
	weft_qp_report_cap(qp, &attr->cap);
	if (!qp->user)
		weft_cq_add_qp(qp);
	rc = weft_qp_answer(qp, udata);
	if (rc) {
		weft_destroy_qp(ibqp, udata);
		return rc;
	}
	/* Events find it from here on: who is told of one that fails would have a freed object. */
	xa_store_irq(&dev->qps, qp->qpn, qp, GFP_KERNEL); /* the place is there: cannot fail */
	return 0;

err_number:
	xa_erase_irq(&dev->qps, qp->qpn);
err_rings:
	weft_wq_free(&qp->sq);
	weft_wq_free(&qp->rq);
	weft_qp_put_pids(qp);
	return rc;
}

/* ---- states ---- */

static int weft_qp_simple_command(struct weft_dev *dev, struct weft_qp *qp, u32 op,
				  struct weft_admin_msg *msg)
{
	WEFT_PUT(msg->cmd, ADMIN_CMD_OP, op);
	WEFT_PUT(msg->cmd, ADMIN_QP_QPN, qp->qpn);
	return weft_admin_exec(dev->core, msg);
}

static void weft_qp_tell(struct weft_dev *dev, struct weft_qp *qp, enum ib_event_type type)
{
	struct ib_event ev = { .device = &dev->ibdev, .event = type, .element.qp = &qp->ibqp };

	if (qp->ibqp.event_handler)
		qp->ibqp.event_handler(&ev, qp->ibqp.qp_context);
}

/*
 * It takes nothing more from its shared receive queue, and what it took is complete: said once. With such
 * a queue no work request of its own can mark the end, so ib_drain_qp waits for this.
 */
static void weft_qp_last_wqe(struct weft_dev *dev, struct weft_qp *qp)
{
	if (qp->ibqp.srq && !test_and_set_bit(0, &qp->last_wqe_told))
		weft_qp_tell(dev, qp, IB_EVENT_QP_LAST_WQE_REACHED);
}

/* To ERROR: a live connection is reset, everything posted is flushed. */
int weft_qp_to_error(struct weft_dev *dev, struct weft_qp *qp)
{
	struct weft_admin_msg msg = {};
	int rc = 0;

	mutex_lock(&qp->lock);
	qp->state = IB_QPS_ERR;
	mutex_unlock(&qp->lock);
	/*
	 * The state may have come from an event of a connection that never ran: only the answer says
	 * that the card flushes. Whoever comes second waits for it.
	 */
	mutex_lock(&qp->err_lock);
	if (!qp->hw_err) {
		rc = weft_qp_simple_command(dev, qp, WEFT_ADMIN_OP_QP_ERROR, &msg);
		if (rc == -EIO) /* it is dead: see weft_flush_cq */
			rc = 0;
		qp->hw_err = !rc;
	}
	mutex_unlock(&qp->err_lock);
	return rc;
}

static int weft_qp_to_sqd(struct weft_dev *dev, struct weft_qp *qp)
{
	enum ib_qp_state was;

	mutex_lock(&qp->lock);
	was = qp->state;
	if (was == IB_QPS_RTS)
		qp->state = IB_QPS_SQD;
	mutex_unlock(&qp->lock);
	if (was == IB_QPS_INIT)
		return -EINVAL; /* it never ran */
	return was == IB_QPS_RTS ? weft_ep_disconnect(dev, qp) : 0; /* else it closes already */
}

#define WEFT_QP_ATTRS (IB_QP_STATE | IB_QP_CUR_STATE | IB_QP_ACCESS_FLAGS | IB_QP_PORT | \
		       IB_QP_PKEY_INDEX | IB_QP_MAX_QP_RD_ATOMIC | IB_QP_MAX_DEST_RD_ATOMIC)
#define WEFT_QP_RIGHTS (IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ)

/*
 * What a QP of an RNIC does not have (addresses, sequence numbers, time-outs, a path MTU) and what the
 * card does not change after creation is refused, not ignored. The rights of the QP are all that a
 * peer can have: who wants fewer gives them to the regions. rdma_cm asks for none, which means that it
 * does not know yet, or for Writes and Reads alone, whatever the program is going to do; so atomics may be
 * left out and asked for, and query_qp says what there is.
 */
static int weft_check_modify(struct weft_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	const struct weft_caps *caps = to_weft_dev(qp->ibqp.device)->caps;
	int rights = attr->qp_access_flags & ~(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_ATOMIC);

	if (mask & ~WEFT_QP_ATTRS)
		return -EOPNOTSUPP;
	if (mask & IB_QP_ACCESS_FLAGS && rights && rights != WEFT_QP_RIGHTS)
		return -EOPNOTSUPP;
	if ((mask & IB_QP_CUR_STATE && attr->cur_qp_state != qp->state) ||
	    (mask & IB_QP_PKEY_INDEX && attr->pkey_index) ||
	    (mask & IB_QP_MAX_QP_RD_ATOMIC && attr->max_rd_atomic > caps->ord) ||
	    (mask & IB_QP_MAX_DEST_RD_ATOMIC && attr->max_dest_rd_atomic > caps->ird))
		return -EINVAL;
	if (mask & (IB_QP_MAX_QP_RD_ATOMIC | IB_QP_MAX_DEST_RD_ATOMIC) && qp->state != IB_QPS_INIT)
		return -EINVAL; /* agreed on when the connection was made */
	return 0;
}

static int weft_apply_modify(struct weft_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	int rc;

	mutex_lock(&qp->lock);
	rc = weft_check_modify(qp, attr, mask);
	if (!rc && mask & IB_QP_MAX_QP_RD_ATOMIC)
		qp->ord = attr->max_rd_atomic;
	if (!rc && mask & IB_QP_MAX_DEST_RD_ATOMIC)
		qp->ird = attr->max_dest_rd_atomic;
	mutex_unlock(&qp->lock);
	return rc;
}

int weft_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibqp->device);
	struct weft_qp *qp = to_weft_qp(ibqp);
	int rc = udata ? weft_copy_req(udata, NULL, 0) : 0; /* it has no request */

	if (rc)
		return rc;
	if (udata && qp->user)
		weft_qp_moved(qp);
	rc = weft_apply_modify(qp, attr, mask);
	if (rc || !(mask & IB_QP_STATE))
		return rc;
	switch (attr->qp_state) {
	case IB_QPS_INIT:
	case IB_QPS_RTR: /* an RNIC has none, but rdma_cm asks for it before every connect and accept */
		return READ_ONCE(qp->state) == IB_QPS_INIT ? 0 : -EINVAL;
	case IB_QPS_RTS: /* comes with the connection, and only with it */
		return READ_ONCE(qp->state) == IB_QPS_RTS ? 0 : -EINVAL;
	case IB_QPS_SQD:
		return weft_qp_to_sqd(dev, qp);
	case IB_QPS_ERR:
		rc = weft_qp_to_error(dev, qp);
		/* the card says when; one that died behind the order: weft_qp_dead */
		if (!rc && weft_core_dead(dev->core))
			weft_qp_last_wqe(dev, qp);
		return rc;
	default:
		return -EINVAL;
	}
}

int weft_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		  struct ib_qp_init_attr *init)
{
	struct weft_dev *dev = to_weft_dev(ibqp->device);
	struct weft_qp *qp = to_weft_qp(ibqp);

	/* What is not said here is copied to the user as well. */
	memset(attr, 0, sizeof(*attr));
	memset(init, 0, sizeof(*init));
	attr->port_num = 1;
	attr->qp_state = qp->state;
	attr->cur_qp_state = qp->state;
	attr->cap.max_send_wr = qp->max_send_wr;
	attr->cap.max_recv_wr = ibqp->srq ? 0 : 1 << qp->rq.log2;
	attr->cap.max_send_sge = qp->max_send_sge;
	attr->cap.max_recv_sge = qp->max_recv_sge;
	attr->cap.max_inline_data = qp->max_inline;
	attr->path_mtu = ib_mtu_int_to_enum(dev->netdev->mtu);
	attr->max_rd_atomic = qp->ord;
	attr->max_dest_rd_atomic = qp->ird;
	attr->qp_access_flags = weft_qp_rights(dev);
	init->qp_type = IB_QPT_RC;
	init->send_cq = ibqp->send_cq;
	init->recv_cq = ibqp->recv_cq;
	init->srq = ibqp->srq;
	init->sq_sig_type = qp->sig_all ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR;
	init->cap = attr->cap;
	return 0;
}

/*
 * The answer to QP_DESTROY follows the drain token: nothing of this QP moves any more. Its number is
 * free when no completion holds it.
 */
int weft_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibqp->device);
	struct weft_qp *qp = to_weft_qp(ibqp);
	struct weft_admin_msg msg = {};
	struct weft_kept *kept;

	set_bit(0, &qp->last_wqe_told); /* one whose creation failed has nobody to be told */
	weft_qp_to_error(dev, qp);
	weft_ep_kill(dev, qp);
	xa_store_irq(&dev->qps, qp->qpn, NULL, GFP_KERNEL); /* events find it no longer */
	/*
	 * iw_cm found it without a reference, under its spinlock: it has one now. The core frees the object, so somebody waits
	 * here, and who ends has many queue pairs.
	 */
	synchronize_rcu_expedited();
	weft_qp_put(ibqp);
	wait_for_completion(&qp->free);
	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_QP_DESTROY);
	WEFT_PUT(msg.cmd, ADMIN_QP_QPN, qp->qpn);
	kept = weft_take_back(dev, &msg, NULL, "a QP was not destroyed");
	if (!qp->user)
		weft_cq_forget_qp(qp);
	if (kept)
		weft_keep_qp(dev, kept, qp);
	else
		weft_qpn_free(dev, qp->qpn, to_weft_pd(ibqp->pd)->hold);
	weft_wq_free(&qp->sq);
	weft_wq_free(&qp->rq);
	weft_qp_put_pids(qp);
	return 0;
}

/* ---- events ---- */

static void weft_qp_failed(struct weft_dev *dev, struct weft_qp *qp, enum ib_event_type type)
{
	mutex_lock(&qp->lock);
	qp->state = IB_QPS_ERR;
	mutex_unlock(&qp->lock);
	weft_qp_tell(dev, qp, type);
}

/* Event LAST_WQE. */
void weft_qp_last_wqe_event(struct weft_dev *dev, u32 qpn)
{
	struct weft_qp *qp = weft_qp_lookup(dev, qpn);

	if (!qp)
		return;
	weft_qp_last_wqe(dev, qp);
	weft_qp_put(&qp->ibqp);
}

/* A dead card takes nothing, and tells nothing. Who goes to ERROR later is told by modify_qp. */
void weft_qp_dead(struct weft_dev *dev)
{
	unsigned long qpn;
	struct weft_qp *qp;

	xa_for_each(&dev->qps, qpn, qp) {
		qp = weft_qp_lookup(dev, qpn);
		if (!qp)
			continue;
		if (READ_ONCE(qp->state) == IB_QPS_ERR)
			weft_qp_last_wqe(dev, qp);
		weft_qp_put(&qp->ibqp);
	}
}

void weft_qp_event(struct weft_dev *dev, const __le64 *eqe)
{
	struct weft_qp *qp = weft_qp_lookup(dev, WEFT_GET(eqe, EQE_ID));
	enum ib_event_type type;

	if (!qp)
		return;
	switch (WEFT_GET(eqe, EQE_CODE)) {
	case WEFT_QP_EVENT_TERMINATE_RECEIVED:
	case WEFT_QP_EVENT_TERMINATE_SENT:
		type = IB_EVENT_QP_ACCESS_ERR;
		break;
	case WEFT_QP_EVENT_LOCAL_ERROR:
		type = IB_EVENT_QP_REQ_ERR;
		break;
	default:
		type = IB_EVENT_QP_FATAL;
	}
	mutex_lock(&qp->lock);
	weft_qp_note_event(dev, qp, eqe);
	mutex_unlock(&qp->lock);
	weft_qp_failed(dev, qp, type);
	weft_qp_put(&qp->ibqp);
}

/* ---- events that were lost ---- */

#define WEFT_ASK_PERIOD (HZ / 10)
#define WEFT_ASK_TRIES 50

void weft_qp_put_query(struct weft_admin_msg *msg, const struct weft_qp *qp)
{
	WEFT_PUT(msg->cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_QP_QUERY);
	WEFT_PUT(msg->cmd, ADMIN_QP_QPN, qp->qpn);
}

struct weft_ask {
	struct weft_dev *dev;
	unsigned long qpn;		/* the next to look at */
	u32 round, refused;
};

/* It may have failed, or taken the last from its shared queue, without a word. */
static bool weft_qp_to_ask(struct weft_qp *qp, u32 round)
{
	enum ib_qp_state state = READ_ONCE(qp->state);

	return qp->asked != round && (state == IB_QPS_RTS || (state == IB_QPS_ERR && qp->ibqp.srq &&
							      !test_bit(0, &qp->last_wqe_told)));
}

static void *weft_ask_next(void *ctx, struct weft_admin_msg *msg)
{
	struct weft_ask *a = ctx;
	struct weft_qp *qp;

	for (; xa_find(&a->dev->qps, &a->qpn, ULONG_MAX, XA_PRESENT); a->qpn++) {
		qp = weft_qp_lookup(a->dev, a->qpn);
		if (!qp)
			continue;
		if (weft_qp_to_ask(qp, a->round) && !weft_core_dead(a->dev->core)) {
			weft_qp_put_query(msg, qp);
			a->qpn++;
			return qp;
		}
		weft_qp_put(&qp->ibqp);
	}
	return NULL;
}

/* In ERR for the card. An event that says why may be on its way, so that is handled first. */
static void weft_qp_found_err(struct weft_dev *dev, struct weft_qp *qp)
{
	bool failed;

	weft_core_settle(dev->core);
	mutex_lock(&qp->lock);
	failed = qp->state == IB_QPS_RTS;
	if (failed)
		qp->state = IB_QPS_ERR;
	mutex_unlock(&qp->lock);
	if (failed)
		weft_qp_tell(dev, qp, IB_EVENT_QP_FATAL);
	weft_qp_last_wqe(dev, qp);
}

/* A query that is refused says nothing of its QP, which is asked for again; the others have answered. */
static void weft_ask_done(void *ctx, void *of, const struct weft_admin_msg *msg, int rc)
{
	struct weft_ask *a = ctx;
	struct weft_qp *qp = of;

	if (rc) {
		a->refused++;
	} else {
		qp->asked = a->round;
		if (WEFT_GET(msg->rsp + WEFT_ADMIN_RSP_DATA_OFF / 8, ADMIN_QP_STATE_STATE) ==
		    WEFT_QP_STATE_ERR)
			weft_qp_found_err(a->dev, qp);
	}
	weft_qp_put(&qp->ibqp);
}

static void weft_ask_work(struct work_struct *work)
{
	struct weft_dev *dev = container_of(work, struct weft_dev, ask_work.work);
	struct weft_ask ctx = { .dev = dev, .round = READ_ONCE(dev->asks) };
	const struct weft_many many = {
		.places = &dev->queries,
		.most = WEFT_QUERIES,
		.next = weft_ask_next,
		.done = weft_ask_done,
		.ctx = &ctx,
	};

	weft_many(dev, &many);
	if (!ctx.refused || weft_core_dead(dev->core))
		return;
	if (++dev->ask_tries < WEFT_ASK_TRIES)
		queue_delayed_work(dev->wq, &dev->ask_work, WEFT_ASK_PERIOD);
	else
		ibdev_warn(&dev->ibdev, "the state of %u queue pairs is not known\n", ctx.refused);
}

/*
 * Events were lost: a QP that is in ERR for the card, and not here, failed. There may be many, and events go on meanwhile:
 * one that was lost behind this asks for all of them again.
 */
void weft_qp_resync(struct weft_dev *dev)
{
	WRITE_ONCE(dev->ask_tries, 0);
	WRITE_ONCE(dev->asks, dev->asks + 1); /* the client's callbacks alone count it */
	mod_delayed_work(dev->wq, &dev->ask_work, 0);
}

void weft_qp_init(struct weft_dev *dev)
{
	sema_init(&dev->queries, WEFT_QUERIES);
	INIT_DELAYED_WORK(&dev->ask_work, weft_ask_work);
}

/* No event comes any more. */
void weft_qp_fini(struct weft_dev *dev)
{
	cancel_delayed_work_sync(&dev->ask_work);
}
