// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <ccan/ilog.h>

#include "weft.h"

/* ---- creation ---- */

static int weft_wq_map(struct weft_wq *wq, int fd, uint64_t key, uint32_t bytes, uint32_t entries,
		       uint32_t stride, uint32_t header)
{
	wq->ring_bytes = bytes;
	wq->log2 = ilog32(entries - 1);
	wq->stride = stride;
	wq->max_sge = (stride - header) / WEFT_SGE_BYTES;
	wq->wr_id = calloc(entries, sizeof(*wq->wr_id));
	wq->op = calloc(entries, sizeof(*wq->op));
	if (!wq->wr_id || !wq->op)
		return ENOMEM;
	wq->ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, key);
	if (wq->ring == MAP_FAILED) {
		wq->ring = NULL;
		return errno;
	}
	pthread_spin_init(&wq->lock, PTHREAD_PROCESS_PRIVATE);
	return 0;
}

static void weft_wq_unmap(struct weft_wq *wq)
{
	if (wq->ring) {
		munmap(wq->ring, wq->ring_bytes);
		pthread_spin_destroy(&wq->lock);
	}
	free(wq->wr_id);
	free(wq->op);
}

static int weft_qp_map(struct weft_qp *qp, int fd, const struct weft_create_qp_cmd_resp *resp)
{
	int rc;

	rc = weft_wq_map(&qp->sq, fd, resp->sq_mmap_key, resp->sq_mmap_bytes, resp->sq_entries,
			 resp->sq_stride, WEFT_SQE_BYTES);
	if (rc)
		return rc;
	return weft_wq_map(&qp->rq, fd, resp->rq_mmap_key, resp->rq_mmap_bytes, resp->rq_entries,
			   resp->rq_stride, WEFT_RQE_BYTES);
}

struct ibv_qp *weft_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct weft_context *ctx = to_weft_ctx(pd->context);
	struct weft_create_qp_cmd_resp resp = {};
	struct weft_create_qp_cmd cmd = {};
	struct weft_qp *qp = calloc(1, sizeof(*qp));
	int rc;

	if (!qp)
		return NULL;
	rc = ibv_cmd_create_qp(pd, &qp->vqp.qp, attr, &cmd.ibv_cmd, sizeof(cmd), &resp.ibv_resp,
			       sizeof(resp));
	if (rc)
		goto err_qp;
	qp->sig_all = attr->sq_sig_all;
	qp->max_inline = attr->cap.max_inline_data;
	rc = weft_qp_map(qp, pd->context->cmd_fd, &resp);
	if (rc)
		goto err_kernel;
	rc = weft_qp_insert(ctx, qp);
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
	int rc = ibv_cmd_destroy_qp(ibv_qp);

	if (rc)
		return rc;
	weft_cq_forget_qp(to_weft_cq(ibv_qp->send_cq), ibv_qp->qp_num);
	if (ibv_qp->recv_cq != ibv_qp->send_cq)
		weft_cq_forget_qp(to_weft_cq(ibv_qp->recv_cq), ibv_qp->qp_num);
	weft_qp_remove(ctx, qp);
	weft_wq_unmap(&qp->sq);
	weft_wq_unmap(&qp->rq);
	free(qp);
	return 0;
}

/* ---- work requests ---- */

static __le64 *weft_wqe(const struct weft_wq *wq)
{
	return (__le64 *)(wq->ring + (size_t)(wq->pi & ((1u << wq->log2) - 1)) * wq->stride);
}

static bool weft_wq_full(struct weft_wq *wq)
{
	uint16_t ci = __atomic_load_n(&wq->ci, __ATOMIC_ACQUIRE);

	return (uint16_t)(wq->pi - ci) >= 1u << wq->log2;
}

static void weft_wq_doorbell(struct weft_qp *qp, uint32_t offset, uint16_t index)
{
	__le64 db = 0;

	WEFT_PUT(&db, DB_QUEUE_ID, qp->vqp.qp.qp_num);
	WEFT_PUT(&db, DB_QUEUE_INDEX, index);
	udma_to_device_barrier(); /* the entries before the index */
	weft_doorbell(to_weft_ctx(qp->vqp.qp.context), offset, &db);
}

static uint32_t weft_put_sges(__le64 *words, const struct ibv_sge *sge, int n)
{
	uint32_t total = 0;
	int i;

	for (i = 0; i < n; i++, words += WEFT_WORDS(SGE)) {
		WEFT_PUT(words, SGE_ADDR, sge[i].addr);
		WEFT_PUT(words, SGE_LENGTH, sge[i].length);
		WEFT_PUT(words, SGE_LKEY, sge[i].lkey);
		total += sge[i].length;
	}
	return total;
}

static int weft_put_inline(uint8_t *to, uint32_t room, const struct ibv_send_wr *wr, uint32_t *len)
{
	uint32_t total = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		if (wr->sg_list[i].length > room - total)
			return ENOMEM;
		memcpy(to + total, (void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
		total += wr->sg_list[i].length;
	}
	*len = total;
	return 0;
}

static int weft_put_op(__le64 *wqe, const struct ibv_send_wr *wr, uint8_t *wc_op)
{
	switch (wr->opcode) {
	case IBV_WR_SEND:
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_SEND);
		*wc_op = IBV_WC_SEND;
		return 0;
	case IBV_WR_SEND_WITH_INV:
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_SEND_INV);
		WEFT_PUT(wqe, SQE_RSTAG, wr->invalidate_rkey);
		*wc_op = IBV_WC_SEND;
		return 0;
	case IBV_WR_RDMA_WRITE:
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_WRITE);
		*wc_op = IBV_WC_RDMA_WRITE;
		break;
	case IBV_WR_RDMA_READ:
		if (wr->num_sge != 1 || wr->send_flags & IBV_SEND_INLINE)
			return EINVAL;
		WEFT_PUT(wqe, SQE_OPCODE, WEFT_SQ_OPCODE_READ);
		*wc_op = IBV_WC_RDMA_READ;
		break;
	default:
		return EOPNOTSUPP;
	}
	WEFT_PUT(wqe, SQE_RSTAG, wr->wr.rdma.rkey);
	WEFT_PUT(wqe, SQE_RADDR, wr->wr.rdma.remote_addr);
	return 0;
}

static int weft_put_send(struct weft_qp *qp, const struct ibv_send_wr *wr)
{
	struct weft_wq *sq = &qp->sq;
	uint32_t i = sq->pi & ((1u << sq->log2) - 1), len;
	__le64 *wqe = weft_wqe(sq);
	int rc;

	if (wr->num_sge < 0 || (uint32_t)wr->num_sge > sq->max_sge)
		return EINVAL;
	memset(wqe, 0, WEFT_SQE_BYTES);
	rc = weft_put_op(wqe, wr, &sq->op[i]);
	if (rc)
		return rc;
	if (wr->send_flags & IBV_SEND_INLINE) {
		rc = weft_put_inline((uint8_t *)wqe + WEFT_SQE_BYTES, qp->max_inline, wr, &len);
		if (rc)
			return rc;
		WEFT_PUT(wqe, SQE_INLINE, 1);
	} else {
		len = weft_put_sges(wqe + WEFT_WORDS(SQE), wr->sg_list, wr->num_sge);
		WEFT_PUT(wqe, SQE_NUM_SGE, wr->num_sge);
	}
	WEFT_PUT(wqe, SQE_LENGTH, len);
	WEFT_PUT(wqe, SQE_INDEX, sq->pi);
	WEFT_PUT(wqe, SQE_SIGNALED, qp->sig_all || wr->send_flags & IBV_SEND_SIGNALED);
	WEFT_PUT(wqe, SQE_SOLICITED, !!(wr->send_flags & IBV_SEND_SOLICITED));
	WEFT_PUT(wqe, SQE_READ_FENCE, !!(wr->send_flags & IBV_SEND_FENCE));
	sq->wr_id[i] = wr->wr_id;
	sq->pi++;
	return 0;
}

int weft_post_send(struct ibv_qp *ibv_qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct weft_qp *qp = to_weft_qp(ibv_qp);
	uint16_t before;
	int rc = 0;

	pthread_spin_lock(&qp->sq.lock);
	before = qp->sq.pi;
	for (; wr; wr = wr->next) {
		rc = weft_wq_full(&qp->sq) ? ENOMEM : weft_put_send(qp, wr);
		if (rc) {
			*bad = wr;
			break;
		}
	}
	if (qp->sq.pi != before)
		weft_wq_doorbell(qp, WEFT_DB_SQ, qp->sq.pi);
	pthread_spin_unlock(&qp->sq.lock);
	return rc;
}

static int weft_put_recv(struct weft_qp *qp, const struct ibv_recv_wr *wr)
{
	struct weft_wq *rq = &qp->rq;
	__le64 *wqe = weft_wqe(rq);
	uint32_t len;

	if (wr->num_sge < 0 || (uint32_t)wr->num_sge > rq->max_sge)
		return EINVAL;
	memset(wqe, 0, WEFT_RQE_BYTES);
	len = weft_put_sges(wqe + WEFT_WORDS(RQE), wr->sg_list, wr->num_sge);
	WEFT_PUT(wqe, RQE_NUM_SGE, wr->num_sge);
	WEFT_PUT(wqe, RQE_LENGTH, len);
	WEFT_PUT(wqe, RQE_INDEX, rq->pi);
	rq->wr_id[rq->pi & ((1u << rq->log2) - 1)] = wr->wr_id;
	rq->pi++;
	return 0;
}

int weft_post_recv(struct ibv_qp *ibv_qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct weft_qp *qp = to_weft_qp(ibv_qp);
	uint16_t before;
	int rc = 0;

	pthread_spin_lock(&qp->rq.lock);
	before = qp->rq.pi;
	for (; wr; wr = wr->next) {
		rc = weft_wq_full(&qp->rq) ? ENOMEM : weft_put_recv(qp, wr);
		if (rc) {
			*bad = wr;
			break;
		}
	}
	if (qp->rq.pi != before)
		weft_wq_doorbell(qp, WEFT_DB_RQ, qp->rq.pi);
	pthread_spin_unlock(&qp->rq.lock);
	return rc;
}
