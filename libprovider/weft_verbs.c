// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "weft.h"

int weft_query_device(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		      struct ibv_device_attr_ex *attr, size_t attr_size)
{
	struct ib_uverbs_ex_query_device_resp resp;
	size_t resp_size = sizeof(resp);
	uint64_t v;
	int rc;

	rc = ibv_cmd_query_device_any(context, input, attr, attr_size, &resp, &resp_size);
	if (rc)
		return rc;
	/* The kernel's is 1, which is what its own consumers get: the splitting is done here. */
	attr->orig_attr.max_sge_rd = weft_max_sge_rd(context);
	v = resp.base.fw_ver;
	snprintf(attr->orig_attr.fw_ver, sizeof(attr->orig_attr.fw_ver), "%u.%u.%u",
		 (unsigned int)(v >> 24 & 0xff), (unsigned int)(v >> 16 & 0xff),
		 (unsigned int)(v & 0xffff));
	return 0;
}

/*
 * The clock that completions have their time of, modulo the same: the driver reads it, as no process maps the card's
 * registers. As other providers have it, tv_nsec is the whole count.
 */
int weft_query_rt_values(struct ibv_context *context, struct ibv_values_ex *values)
{
	struct weft_query_device_cmd_resp resp = {};
	size_t resp_size = sizeof(resp);
	struct ibv_device_attr_ex attr;
	int rc;

	if (values->comp_mask & ~(uint32_t)IBV_VALUES_MASK_RAW_CLOCK)
		return EINVAL;
	if (!values->comp_mask)
		return 0;
	values->comp_mask = 0;
	if (!weft_has_stamp(context))
		return EOPNOTSUPP;
	rc = ibv_cmd_query_device_any(context, NULL, &attr, sizeof(attr), &resp.ibv_resp, &resp_size);
	if (rc)
		return rc;
	if (!(resp.comp_mask & WEFT_QUERY_DEVICE_CLOCK))
		return EOPNOTSUPP;
	values->raw_clock = (struct timespec){ .tv_nsec = resp.clock };
	values->comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
	return 0;
}

int weft_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr)
{
	struct ibv_query_port cmd = {};

	return ibv_cmd_query_port(context, port, attr, &cmd, sizeof(cmd));
}

/* ---- protection domains ---- */

struct ibv_pd *weft_alloc_pd(struct ibv_context *context)
{
	struct weft_alloc_pd_cmd_resp resp = {};
	struct weft_pd *pd = calloc(1, sizeof(*pd));
	struct ibv_alloc_pd cmd = {};
	int rc;

	if (!pd)
		return NULL;
	rc = ibv_cmd_alloc_pd(context, &pd->ibv_pd, &cmd, sizeof(cmd), &resp.ibv_resp,
			      sizeof(resp));
	if (!rc)
		return &pd->ibv_pd;
	free(pd);
	errno = rc;
	return NULL;
}

int weft_dealloc_pd(struct ibv_pd *ibv_pd)
{
	struct weft_pd *pd = to_weft_pd(ibv_pd);
	int rc;

	if (atomic_load(&pd->users))
		return EBUSY;
	if (pd->of) {
		if (pd->td)
			atomic_fetch_sub(&pd->td->users, 1);
		atomic_fetch_sub(&pd->of->users, 1);
	} else {
		rc = ibv_cmd_dealloc_pd(ibv_pd);
		if (rc)
			return rc;
	}
	free(pd);
	return 0;
}

struct ibv_td *weft_alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr)
{
	struct weft_td *td;

	if (attr->comp_mask) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	td = calloc(1, sizeof(*td));
	if (!td)
		return NULL;
	td->ibv_td.context = context;
	return &td->ibv_td;
}

int weft_dealloc_td(struct ibv_td *ibv_td)
{
	struct weft_td *td = container_of(ibv_td, struct weft_td, ibv_td);

	if (atomic_load(&td->users))
		return EBUSY;
	free(td);
	return 0;
}

/*
 * An allocator gives what the provider remembers of posted entries. Rings are not asked for: they are the driver's memory, which the
 * card wants in one piece.
 */
struct ibv_pd *weft_alloc_parent_domain(struct ibv_context *context,
					struct ibv_parent_domain_init_attr *attr)
{
	bool gives = attr->comp_mask & IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS;
	struct weft_pd *parent, *of;

	if (attr->comp_mask & ~(IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS |
				IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if (!attr->pd || to_weft_pd(attr->pd)->of || (gives && (!attr->alloc || !attr->free))) {
		errno = EINVAL;
		return NULL;
	}
	parent = calloc(1, sizeof(*parent));
	if (!parent)
		return NULL;
	of = to_weft_pd(attr->pd);
	ibv_initialize_parent_domain(&parent->ibv_pd, attr->pd);
	parent->of = of;
	if (gives) {
		parent->alloc = attr->alloc;
		parent->free = attr->free;
	}
	if (attr->comp_mask & IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT)
		parent->pd_context = attr->pd_context;
	atomic_fetch_add(&of->users, 1);
	if (attr->td) {
		parent->td = container_of(attr->td, struct weft_td, ibv_td);
		atomic_fetch_add(&parent->td->users, 1);
	}
	return &parent->ibv_pd;
}

/* Whoever makes something in it uses that from one thread at a time. */
bool weft_pd_alone(struct ibv_pd *pd)
{
	return to_weft_pd(pd)->td;
}

#define WEFT_MEM_ALIGN 64

static uint64_t weft_res_type(enum weft_res what)
{
	return (uint64_t)WEFT_RDMA_DRIVER_ID << 32 | what;
}

/* Who made @pd gives it, if he wants to; its content is nobody's. The domain stays as long as it. */
void *weft_mem_alloc(struct weft_mem *mem, struct ibv_pd *ibv_pd, size_t bytes, enum weft_res what)
{
	struct weft_pd *pd = to_weft_pd(ibv_pd);

	*mem = (struct weft_mem){ .what = what };
	if (pd->alloc)
		mem->p = pd->alloc(ibv_pd, pd->pd_context, bytes, WEFT_MEM_ALIGN, weft_res_type(what));
	if (!pd->alloc || mem->p == IBV_ALLOCATOR_USE_DEFAULT) {
		mem->p = calloc(1, bytes);
	} else if (mem->p) {
		mem->from = pd;
		atomic_fetch_add(&pd->users, 1);
	}
	return mem->p;
}

void weft_mem_free(struct weft_mem *mem)
{
	struct weft_pd *pd = mem->from;

	if (!pd) {
		free(mem->p);
	} else {
		pd->free(&pd->ibv_pd, pd->pd_context, mem->p, weft_res_type(mem->what));
		atomic_fetch_sub(&pd->users, 1);
	}
	*mem = (struct weft_mem){};
}

/* ---- memory regions ---- */

static struct ibv_mr *weft_new_mr(struct verbs_mr *vmr, int rc)
{
	if (!rc)
		return &vmr->ibv_mr;
	free(vmr);
	errno = rc;
	return NULL;
}

struct ibv_mr *weft_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t hca_va,
			   int access)
{
	struct verbs_mr *vmr = calloc(1, sizeof(*vmr));
	struct ib_uverbs_reg_mr_resp resp;
	struct ibv_reg_mr cmd;

	if (!vmr)
		return NULL;
	return weft_new_mr(vmr, ibv_cmd_reg_mr(pd, addr, length, hca_va, access, vmr, &cmd,
					       sizeof(cmd), &resp, sizeof(resp)));
}

struct ibv_mr *weft_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova,
				  int fd, int access)
{
	struct verbs_mr *vmr = calloc(1, sizeof(*vmr));

	if (!vmr)
		return NULL;
	return weft_new_mr(vmr, ibv_cmd_reg_dmabuf_mr(pd, offset, length, iova, fd, access, vmr,
						      NULL));
}

int weft_rereg_mr(struct verbs_mr *vmr, int flags, struct ibv_pd *pd, void *addr, size_t length,
		  int access)
{
	struct ib_uverbs_rereg_mr_resp resp;
	struct ibv_rereg_mr cmd = {};

	return ibv_cmd_rereg_mr(vmr, flags, addr, length, (uintptr_t)addr, access, pd, &cmd,
				sizeof(cmd), &resp, sizeof(resp));
}

/* EBUSY: a window is bound to it. */
int weft_dereg_mr(struct verbs_mr *vmr)
{
	int rc = ibv_cmd_dereg_mr(vmr);

	if (!rc)
		free(vmr);
	return rc;
}

/* ---- memory windows: bound by work requests, weft_wr.c ---- */

struct ibv_mw *weft_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	struct ib_uverbs_alloc_mw_resp resp;
	struct ibv_alloc_mw cmd = {};
	struct ibv_mw *mw;
	int rc;

	if (!weft_has_mw(pd->context)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	mw = calloc(1, sizeof(*mw));
	if (!mw)
		return NULL;
	rc = ibv_cmd_alloc_mw(pd, type, mw, &cmd, sizeof(cmd), &resp, sizeof(resp));
	if (!rc)
		return mw;
	free(mw);
	errno = rc;
	return NULL;
}

int weft_dealloc_mw(struct ibv_mw *mw)
{
	int rc = ibv_cmd_dealloc_mw(mw);

	if (!rc)
		free(mw);
	return rc;
}
