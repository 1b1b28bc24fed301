// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <ccan/ilog.h>

#include "weft.h"

/* ---- creation ---- */

static int weft_wq_map(struct weft_wq *wq, struct ibv_pd *pd, enum weft_res what, uint64_t key,
		       uint32_t bytes, uint32_t entries, uint32_t stride)
{
	if (!weft_ring_fits(pd->context, entries, stride, bytes))
		return EPROTO;
	wq->ring_bytes = bytes;
	wq->log2 = ilog32(entries - 1);
	wq->stride = stride;
	wq->wr_id = weft_mem_alloc(&wq->mem, pd, entries * (sizeof(*wq->wr_id) + sizeof(*wq->op)),
				   what);
	if (!wq->wr_id)
		return ENOMEM;
	wq->op = (uint8_t *)(wq->wr_id + entries);
	wq->ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, pd->context->cmd_fd, key);
	if (wq->ring == MAP_FAILED) {
		wq->ring = NULL;
		return errno;
	}
	weft_lock_init(&wq->lock, weft_pd_alone(pd));
	return 0;
}

static void weft_wq_unmap(struct weft_wq *wq)
{
	if (wq->ring) {
		munmap(wq->ring, wq->ring_bytes);
		pthread_spin_destroy(&wq->lock.spin);
	}
	weft_mem_free(&wq->mem);
}

static int weft_qp_map(struct weft_qp *qp, struct ibv_pd *pd,
		       const struct weft_create_qp_cmd_resp *resp)
{
	int rc;

	rc = weft_wq_map(&qp->sq, pd, WEFT_RES_SQ, resp->sq_mmap_key, resp->sq_mmap_bytes,
			 resp->sq_entries, resp->sq_stride);
	if (rc || qp->srq)
		return rc;
	return weft_wq_map(&qp->rq, pd, WEFT_RES_RQ, resp->rq_mmap_key, resp->rq_mmap_bytes,
			   resp->rq_entries, resp->rq_stride);
}

/*
 * There are RC's alone, and the kernel says so of the others that may stand here: behind what it says of their sizes, so that too
 * many of something is EINVAL whatever the kind.
 */
static bool weft_kernel_refuses(enum ibv_qp_type type)
{
	return type == IBV_QPT_UC || type == IBV_QPT_UD || type == IBV_QPT_RAW_PACKET;
}

static int weft_check_qp_attr(struct ibv_context *context,
			      const struct ibv_qp_init_attr_ex *attr)
{
	uint64_t ops = WEFT_WR_OPS;

	if (!weft_has_imm(context))
		ops &= ~(uint64_t)IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM;
	if (!weft_has_atomic(context))
		ops &= ~(uint64_t)(IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD);
	if (!weft_has_mw(context))
		ops &= ~(uint64_t)(IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_LOCAL_INV);
	if (!(attr->comp_mask & IBV_QP_INIT_ATTR_PD) || !attr->pd)
		return EINVAL;
	if (attr->comp_mask & ~(IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS |
				IBV_QP_INIT_ATTR_CREATE_FLAGS) ||
	    (attr->qp_type != IBV_QPT_RC && !weft_kernel_refuses(attr->qp_type)))
		return EOPNOTSUPP;
	if (attr->comp_mask & IBV_QP_INIT_ATTR_CREATE_FLAGS && attr->create_flags)
		return EOPNOTSUPP;
	if (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS && attr->send_ops_flags & ~ops)
		return EOPNOTSUPP;
	return attr->send_cq && attr->recv_cq ? 0 : EINVAL;
}

struct ibv_qp *weft_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct weft_create_qp_cmd_resp resp = {};
	struct ibv_qp_init_attr_ex known = *attr;
	struct weft_create_qp_cmd cmd = {};
	struct weft_qp *qp;
	int rc = weft_check_qp_attr(context, attr);

	if (rc) {
		errno = rc;
		return NULL;
	}
	qp = calloc(1, sizeof(*qp));
	if (!qp)
		return NULL;
	/* No flag is set, so the command of libibverbs that does not know them will do. */
	known.comp_mask &= ~IBV_QP_INIT_ATTR_CREATE_FLAGS;
	rc = ibv_cmd_create_qp_ex(context, &qp->vqp, &known, &cmd.ibv_cmd, sizeof(cmd),
				  &resp.ibv_resp, sizeof(resp));
	if (rc)
		goto err_qp;
	attr->cap = known.cap;
	qp->sig_all = attr->sq_sig_all;
	qp->srq = attr->srq ? to_weft_srq(attr->srq) : NULL;
	qp->max_inline = attr->cap.max_inline_data;
	if (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
		weft_set_wr_ops(qp, attr->send_ops_flags);
	rc = weft_qp_map(qp, attr->pd, &resp);
	if (rc)
		goto err_kernel;
	/* what was promised, also where the entry has room for more */
	qp->sq.max_sge = attr->cap.max_send_sge;
	qp->rq.max_sge = attr->cap.max_recv_sge;
	rc = weft_qp_insert(to_weft_ctx(context), qp);
	if (rc)
		goto err_kernel;
	return &qp->vqp.qp;

err_kernel:
	ibv_cmd_destroy_qp(&qp->vqp.qp);
	weft_wq_unmap(&qp->sq);
	weft_wq_unmap(&qp->rq);
err_qp:
	free(qp);
	errno = rc;
	return NULL;
}

struct ibv_qp *weft_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp_init_attr_ex ex = {};
	struct ibv_qp *qp;

	memcpy(&ex, attr, sizeof(*attr)); /* it begins with the same fields, and padding behind them */
	ex.comp_mask = IBV_QP_INIT_ATTR_PD;
	ex.pd = pd;
	qp = weft_create_qp_ex(pd->context, &ex);
	if (qp)
		attr->cap = ex.cap;
	return qp;
}

int weft_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	struct ibv_modify_qp cmd = {};

	return ibv_cmd_modify_qp(qp, attr, mask, &cmd, sizeof(cmd));
}

int weft_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		  struct ibv_qp_init_attr *init)
{
	struct ibv_query_qp cmd = {};

	return ibv_cmd_query_qp(qp, attr, mask, init, &cmd, sizeof(cmd));
}

int weft_destroy_qp(struct ibv_qp *ibv_qp)
{
	struct weft_context *ctx = to_weft_ctx(ibv_qp->context);
	struct weft_qp *qp = to_weft_qp(ibv_qp);
	int rc;

	/*
	 * Behind the command, for which nobody waits, the number is free; whoever gets it does not come into
	 * the table, nor have completions, before this one has left both.
	 */
	rc = ibv_cmd_destroy_qp(ibv_qp);
	if (rc)
		return rc;
	weft_cq_forget_qp(to_weft_cq(ibv_qp->send_cq), qp);
	if (ibv_qp->recv_cq != ibv_qp->send_cq)
		weft_cq_forget_qp(to_weft_cq(ibv_qp->recv_cq), qp);
	weft_qp_remove(ctx, ibv_qp->qp_num);
	weft_wq_unmap(&qp->sq);
	weft_wq_unmap(&qp->rq);
	free(qp);
	return 0;
}
