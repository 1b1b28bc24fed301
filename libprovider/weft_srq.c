// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Shared receive queues. An entry lies wherever one is free, for they complete in any order; behind the entries is
 * their order, which the card goes by. libibverbs makes the basic ones that are asked for by ibv_create_srq_ex() with
 * the same function, and the card has no others.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <ccan/ilog.h>

#include "weft.h"

static int weft_srq_map(struct weft_srq *srq, struct ibv_pd *pd,
			const struct weft_create_srq_cmd_resp *resp)
{
	uint32_t i;

	if (!weft_ring_fits(pd->context, resp->entries,
			    resp->stride ? resp->stride + WEFT_SRQ_ORDER_BYTES : 0,
			    resp->mmap_bytes))
		return EPROTO;
	srq->srqn = resp->srqn;
	srq->log2 = ilog32(resp->entries - 1);
	srq->stride = resp->stride;
	srq->ring_bytes = resp->mmap_bytes;
	srq->wr_id = weft_mem_alloc(&srq->mem, pd,
				    resp->entries * (sizeof(*srq->wr_id) + sizeof(*srq->slots)),
				    WEFT_RES_SRQ);
	if (!srq->wr_id)
		return ENOMEM;
	srq->slots = (uint16_t *)(srq->wr_id + resp->entries);
	srq->ring = mmap(NULL, srq->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			 pd->context->cmd_fd, resp->mmap_key);
	if (srq->ring == MAP_FAILED) {
		srq->ring = NULL;
		return errno;
	}
	for (i = 0; i < resp->entries; i++)
		srq->slots[i] = i;
	srq->n_free = resp->entries;
	return 0;
}

static void weft_srq_free(struct weft_srq *srq)
{
	if (srq->ring)
		munmap(srq->ring, srq->ring_bytes);
	pthread_spin_destroy(&srq->lock);
	weft_mem_free(&srq->mem);
	free(srq);
}

struct ibv_srq *weft_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	struct weft_create_srq_cmd_resp resp = {};
	struct weft_create_srq_cmd cmd = {};
	struct weft_srq *srq;
	int rc;

	srq = calloc(1, sizeof(*srq));
	if (!srq)
		return NULL;
	/* never alone: whoever polls a CQ of one of its queue pairs gives entries back */
	pthread_spin_init(&srq->lock, PTHREAD_PROCESS_PRIVATE);
	rc = ibv_cmd_create_srq(pd, &srq->ibv_srq, attr, &cmd.ibv_cmd, sizeof(cmd), &resp.ibv_resp,
				sizeof(resp));
	if (rc)
		goto err_srq;
	rc = weft_srq_map(srq, pd, &resp);
	if (rc)
		goto err_kernel;
	srq->max_sge = attr->attr.max_sge;
	return &srq->ibv_srq;

err_kernel:
	ibv_cmd_destroy_srq(&srq->ibv_srq);
err_srq:
	weft_srq_free(srq);
	errno = rc;
	return NULL;
}

int weft_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	struct ibv_modify_srq cmd = {};

	return ibv_cmd_modify_srq(srq, attr, mask, &cmd, sizeof(cmd));
}

int weft_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	struct ibv_query_srq cmd = {};

	return ibv_cmd_query_srq(srq, attr, &cmd, sizeof(cmd));
}

int weft_destroy_srq(struct ibv_srq *srq)
{
	int rc = ibv_cmd_destroy_srq(srq);

	if (!rc)
		weft_srq_free(to_weft_srq(srq));
	return rc;
}

/* Entry @slot has completed, or its completion is nobody's: it is free. Its wr_id. */
uint64_t weft_srq_done(struct weft_srq *srq, uint32_t slot)
{
	uint64_t wr_id;

	slot &= (1u << srq->log2) - 1;
	pthread_spin_lock(&srq->lock);
	wr_id = srq->wr_id[slot];
	if (srq->n_free < 1u << srq->log2)
		srq->slots[srq->n_free++] = slot;
	pthread_spin_unlock(&srq->lock);
	return wr_id;
}

static int weft_put_srq_recv(struct weft_srq *srq, const struct ibv_recv_wr *wr)
{
	uint8_t *orders = srq->ring + ((size_t)srq->stride << srq->log2);
	uint32_t at = srq->pi & ((1u << srq->log2) - 1);
	uint16_t slot;
	int rc;

	if (!srq->n_free)
		return ENOMEM;
	slot = srq->slots[srq->n_free - 1];
	rc = weft_put_rqe((__le64 *)(srq->ring + (size_t)slot * srq->stride), wr, srq->max_sge,
			  slot);
	if (rc)
		return rc;
	WEFT_PUT((__le64 *)(orders + (size_t)at * WEFT_SRQ_ORDER_BYTES), SRQ_ORDER_SLOT, slot);
	srq->wr_id[slot] = wr->wr_id;
	srq->n_free--;
	srq->pi++;
	return 0;
}

int weft_post_srq_recv(struct ibv_srq *ibv_srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct weft_srq *srq = to_weft_srq(ibv_srq);
	__le64 db = 0;
	uint16_t before;
	int rc = 0;

	pthread_spin_lock(&srq->lock);
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
		weft_doorbell(to_weft_ctx(ibv_srq->context), WEFT_DB_SRQ, &db); /* behind entries and order */
	}
	pthread_spin_unlock(&srq->lock);
	return rc;
}
