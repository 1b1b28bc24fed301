// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <ccan/array_size.h>
#include <ccan/ilog.h>

#include "weft.h"

struct ibv_cq *weft_create_cq(struct ibv_context *context, int cqe,
			      struct ibv_comp_channel *channel, int comp_vector)
{
	struct weft_create_cq_cmd_resp resp = {};
	struct weft_create_cq_cmd cmd = {};
	struct weft_cq *cq;
	int rc;

	if (cqe < 1) {
		errno = EINVAL;
		return NULL;
	}
	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return NULL;
	rc = ibv_cmd_create_cq(context, cqe, channel, comp_vector, &cq->ibv_cq, &cmd.ibv_cmd,
			       sizeof(cmd), &resp.ibv_resp, sizeof(resp));
	if (rc)
		goto err_cq;
	cq->cqn = resp.cqn;
	cq->log2 = ilog32(resp.entries - 1);
	cq->ring_bytes = resp.mmap_bytes;
	cq->ring = mmap(NULL, cq->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, context->cmd_fd,
			resp.mmap_key);
	if (cq->ring == MAP_FAILED) {
		rc = errno;
		goto err_kernel;
	}
	pthread_spin_init(&cq->lock, PTHREAD_PROCESS_PRIVATE);
	return &cq->ibv_cq;

err_kernel:
	ibv_cmd_destroy_cq(&cq->ibv_cq);
err_cq:
	free(cq);
	errno = rc;
	return NULL;
}

int weft_destroy_cq(struct ibv_cq *ibv_cq)
{
	struct weft_cq *cq = to_weft_cq(ibv_cq);
	int rc = ibv_cmd_destroy_cq(ibv_cq);

	if (rc)
		return rc;
	munmap(cq->ring, cq->ring_bytes);
	pthread_spin_destroy(&cq->lock);
	free(cq);
	return 0;
}

static __le64 *weft_cqe(const struct weft_cq *cq, uint32_t index)
{
	__le64 *cqe = cq->ring + (size_t)(index & ((1u << cq->log2) - 1)) * WEFT_WORDS(CQE);

	return WEFT_GET(cqe, CQE_PHASE) == !(index >> cq->log2 & 1) ? cqe : NULL;
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
	};

	return status < ARRAY_SIZE(map) ? map[status] : IBV_WC_GENERAL_ERR;
}

static void weft_fill_wc(struct weft_qp *qp, const __le64 *cqe, struct ibv_wc *wc)
{
	uint32_t opcode = WEFT_GET(cqe, CQE_OPCODE);
	uint16_t index = WEFT_GET(cqe, CQE_INDEX);
	bool recv = opcode & 0x80;
	struct weft_wq *wq = recv ? &qp->rq : &qp->sq;
	uint32_t i = index & ((1u << wq->log2) - 1);

	memset(wc, 0, sizeof(*wc));
	wc->wr_id = wq->wr_id[i];
	wc->status = weft_wc_status(WEFT_GET(cqe, CQE_STATUS));
	wc->opcode = recv ? IBV_WC_RECV : wq->op[i];
	wc->vendor_err = WEFT_GET(cqe, CQE_VENDOR_ERR);
	wc->byte_len = WEFT_GET(cqe, CQE_BYTES);
	wc->qp_num = WEFT_GET(cqe, CQE_QPN);
	if (opcode == WEFT_WC_OPCODE_RECV_INV && wc->status == IBV_WC_SUCCESS) {
		wc->wc_flags = IBV_WC_WITH_INV;
		wc->invalidated_rkey = WEFT_GET(cqe, CQE_INV_STAG);
	}
	/* unsignaled ones before it are complete too; the entry may be reused from here on */
	__atomic_store_n(&wq->ci, (uint16_t)(index + 1), __ATOMIC_RELEASE);
}

static void weft_cq_doorbell(struct weft_cq *cq, uint32_t arm)
{
	__le64 db = 0;

	WEFT_PUT(&db, DB_CQ_ID, cq->cqn);
	WEFT_PUT(&db, DB_CQ_ARM, arm);
	WEFT_PUT(&db, DB_CQ_INDEX, cq->ci);
	weft_doorbell(to_weft_ctx(cq->ibv_cq.context), WEFT_DB_CQ, &db);
}

int weft_poll_cq(struct ibv_cq *ibv_cq, int n, struct ibv_wc *wc)
{
	struct weft_context *ctx = to_weft_ctx(ibv_cq->context);
	struct weft_cq *cq = to_weft_cq(ibv_cq);
	const __le64 *cqe;
	uint32_t before;
	int got = 0;

	pthread_spin_lock(&cq->lock);
	before = cq->ci;
	while (got < n && (cqe = weft_cqe(cq, cq->ci))) {
		struct weft_qp *qp;

		udma_from_device_barrier(); /* the body is older than the phase bit */
		qp = weft_qp_find(ctx, WEFT_GET(cqe, CQE_QPN));
		if (qp) /* else destroyed: its completions went with it */
			weft_fill_wc(qp, cqe, &wc[got++]);
		cq->ci++;
	}
	if (cq->ci != before)
		weft_cq_doorbell(cq, WEFT_ARM_NONE);
	pthread_spin_unlock(&cq->lock);
	return got;
}

int weft_req_notify_cq(struct ibv_cq *ibv_cq, int solicited_only)
{
	struct weft_cq *cq = to_weft_cq(ibv_cq);

	pthread_spin_lock(&cq->lock);
	weft_cq_doorbell(cq, solicited_only ? WEFT_ARM_SOLICITED : WEFT_ARM_NEXT);
	pthread_spin_unlock(&cq->lock);
	return 0;
}

/* No completion after destroy_qp: entries that wait lose their QP number, and poll passes them over. */
void weft_cq_forget_qp(struct weft_cq *cq, uint32_t qpn)
{
	uint32_t i;
	__le64 *cqe;

	pthread_spin_lock(&cq->lock);
	for (i = cq->ci; i - cq->ci < 1u << cq->log2 && (cqe = weft_cqe(cq, i)); i++)
		if (WEFT_GET(cqe, CQE_QPN) == qpn)
			WEFT_PUT(cqe, CQE_QPN, 0);
	pthread_spin_unlock(&cq->lock);
}
