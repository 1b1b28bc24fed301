// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "weft.h"

static void weft_free_context(struct ibv_context *context);

static const struct verbs_context_ops weft_context_ops = {
	.alloc_mw = weft_alloc_mw,
	.alloc_parent_domain = weft_alloc_parent_domain,
	.alloc_pd = weft_alloc_pd,
	.alloc_td = weft_alloc_td,
	.bind_mw = weft_bind_mw,
	.create_cq = weft_create_cq,
	.create_cq_ex = weft_create_cq_ex,
	.create_qp = weft_create_qp,
	.create_qp_ex = weft_create_qp_ex,
	.create_srq = weft_create_srq,
	.dealloc_mw = weft_dealloc_mw,
	.dealloc_pd = weft_dealloc_pd,
	.dealloc_td = weft_dealloc_td,
	.dereg_mr = weft_dereg_mr,
	.destroy_cq = weft_destroy_cq,
	.destroy_qp = weft_destroy_qp,
	.destroy_srq = weft_destroy_srq,
	.free_context = weft_free_context,
	.modify_cq = weft_modify_cq,
	.modify_qp = weft_modify_qp,
	.modify_srq = weft_modify_srq,
	.poll_cq = weft_poll_cq,
	.post_recv = weft_post_recv,
	.post_send = weft_post_send,
	.post_srq_recv = weft_post_srq_recv,
	.query_device_ex = weft_query_device,
	.query_port = weft_query_port,
	.query_qp = weft_query_qp,
	.query_rt_values = weft_query_rt_values,
	.query_srq = weft_query_srq,
	.reg_dmabuf_mr = weft_reg_dmabuf_mr,
	.reg_mr = weft_reg_mr,
	.req_notify_cq = weft_req_notify_cq,
	.rereg_mr = weft_rereg_mr,
	.resize_cq = weft_resize_cq,
};

/* ---- queue pairs by number ---- */

int weft_qp_insert(struct weft_context *ctx, struct weft_qp *qp)
{
	uint32_t qpn = qp->vqp.qp.qp_num, hi = qpn >> WEFT_QP_TABLE_BITS, lo = qpn % (1 << WEFT_QP_TABLE_BITS);
	struct weft_qp_row *row;
	bool was = false;
	int rc = 0;

	if (hi >= 1 << WEFT_QP_TABLE_BITS)
		return EINVAL;
	pthread_mutex_lock(&ctx->qp_lock);
	row = ctx->qp_table[hi];
	if (!row) {
		row = calloc(1, sizeof(*row));
		if (row)
			__atomic_store_n(&ctx->qp_table[hi], row, __ATOMIC_RELEASE);
		else
			rc = ENOMEM;
	}
	if (!rc) {
		/* the kernel has given up the number of one that another thread is still taking out */
		while (row->qp[lo])
			pthread_cond_wait(&ctx->qp_gone, &ctx->qp_lock);
		was = row->was[lo];
		row->was[lo] = false;
	}
	pthread_mutex_unlock(&ctx->qp_lock);
	if (rc)
		return rc;
	if (was)
		weft_cqs_forget(ctx, qpn);
	__atomic_store_n(&row->qp[lo], qp, __ATOMIC_RELEASE); /* nobody else has the number */
	return 0;
}

/* The kernel has given its number up, and its completions are gone: who has the number now may come in. */
void weft_qp_remove(struct weft_context *ctx, uint32_t qpn)
{
	uint32_t lo = qpn % (1 << WEFT_QP_TABLE_BITS);
	struct weft_qp_row *row;

	pthread_mutex_lock(&ctx->qp_lock);
	row = ctx->qp_table[qpn >> WEFT_QP_TABLE_BITS];
	row->was[lo] = true;
	row->qp[lo] = NULL;
	pthread_cond_broadcast(&ctx->qp_gone);
	pthread_mutex_unlock(&ctx->qp_lock);
}

struct weft_qp *weft_qp_find(struct weft_context *ctx, uint32_t qpn)
{
	uint32_t hi = qpn >> WEFT_QP_TABLE_BITS;
	struct weft_qp_row *row;

	if (hi >= 1 << WEFT_QP_TABLE_BITS)
		return NULL;
	row = __atomic_load_n(&ctx->qp_table[hi], __ATOMIC_ACQUIRE);
	return row ? __atomic_load_n(&row->qp[qpn % (1 << WEFT_QP_TABLE_BITS)], __ATOMIC_ACQUIRE) : NULL;
}

/* ---- device ---- */

/*
 * Not who would rather have uncached doorbells. Nor who has no store of 64 bits: a line that is torn between the two halves
 * of its doorbell rings for nobody.
 */
static bool weft_wants_push(void)
{
	return sizeof(uintptr_t) == 8 && !getenv("WEFT_NO_PUSH");
}

static struct verbs_context *weft_alloc_context(struct ibv_device *device, int cmd_fd,
						void *private_data)
{
	struct weft_alloc_context_cmd_resp resp = {};
	struct weft_alloc_context_cmd cmd = { .comp_mask = weft_wants_push() ? WEFT_ALLOC_UCONTEXT_PUSH : 0 };
	struct weft_context *ctx;
	int rc;

	ctx = verbs_init_and_alloc_context(device, cmd_fd, ctx, ibv_ctx,
					   (enum rdma_driver_id)WEFT_RDMA_DRIVER_ID);
	if (!ctx)
		return NULL;
	rc = ibv_cmd_get_context(&ctx->ibv_ctx, &cmd.ibv_cmd, sizeof(cmd), &resp.ibv_resp, sizeof(resp));
	if (rc == EOPNOTSUPP && cmd.comp_mask) {
		cmd.comp_mask = 0; /* a driver that does not know it */
		rc = ibv_cmd_get_context(&ctx->ibv_ctx, &cmd.ibv_cmd, sizeof(cmd), &resp.ibv_resp, sizeof(resp));
	}
	if (rc)
		goto err;
	if (resp.hw_abi >> 16 != WEFT_ABI_MAJOR) {
		verbs_err(&ctx->ibv_ctx, "the card speaks interface version %u, this provider %u\n",
			  resp.hw_abi >> 16, WEFT_ABI_MAJOR);
		errno = EPROTONOSUPPORT;
		goto err;
	}
	ctx->db_bytes = resp.db_mmap_bytes;
	ctx->max_inline = resp.max_inline;
	ctx->features = resp.features;
	ctx->push = cmd.comp_mask && resp.features & 1u << WEFT_FEATURE_PUSH;
	ctx->db_map = mmap(NULL, ctx->db_bytes, PROT_WRITE, MAP_SHARED, cmd_fd, resp.db_mmap_key);
	if (ctx->db_map == MAP_FAILED)
		goto err;
	ctx->db = (uint8_t *)ctx->db_map + resp.db_offset;
	pthread_mutex_init(&ctx->qp_lock, NULL);
	pthread_cond_init(&ctx->qp_gone, NULL);
	pthread_mutex_init(&ctx->cqs_lock, NULL);
	list_head_init(&ctx->cqs);
	verbs_set_ops(&ctx->ibv_ctx, &weft_context_ops);
	return &ctx->ibv_ctx;

err:
	verbs_uninit_context(&ctx->ibv_ctx);
	free(ctx);
	return NULL;
}

static void weft_free_context(struct ibv_context *context)
{
	struct weft_context *ctx = to_weft_ctx(context);
	int i;

	munmap(ctx->db_map, ctx->db_bytes);
	for (i = 0; i < 1 << WEFT_QP_TABLE_BITS; i++)
		free(ctx->qp_table[i]);
	pthread_cond_destroy(&ctx->qp_gone);
	pthread_mutex_destroy(&ctx->qp_lock);
	pthread_mutex_destroy(&ctx->cqs_lock);
	verbs_uninit_context(&ctx->ibv_ctx);
	free(ctx);
}

static struct verbs_device *weft_device_alloc(struct verbs_sysfs_dev *sysfs_dev)
{
	return calloc(1, sizeof(struct verbs_device));
}

static void weft_device_uninit(struct verbs_device *dev)
{
	free(dev);
}

static const struct verbs_match_ent match_table[] = {
	VERBS_DRIVER_ID(WEFT_RDMA_DRIVER_ID),
	{},
};

static const struct verbs_device_ops weft_dev_ops = {
	.name = "weft",
	.match_min_abi_version = WEFT_UVERBS_ABI_VERSION,
	.match_max_abi_version = WEFT_UVERBS_ABI_VERSION,
	.match_table = match_table,
	.alloc_device = weft_device_alloc,
	.uninit_device = weft_device_uninit,
	.alloc_context = weft_alloc_context,
};
PROVIDER_DRIVER(weft, weft_dev_ops);
