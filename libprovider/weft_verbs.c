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
	v = resp.base.fw_ver;
	snprintf(attr->orig_attr.fw_ver, sizeof(attr->orig_attr.fw_ver), "%u.%u.%u",
		 (unsigned int)(v >> 24 & 0xff), (unsigned int)(v >> 16 & 0xff),
		 (unsigned int)(v & 0xffff));
	return 0;
}

int weft_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr)
{
	struct ibv_query_port cmd = {};

	return ibv_cmd_query_port(context, port, attr, &cmd, sizeof(cmd));
}

struct ibv_pd *weft_alloc_pd(struct ibv_context *context)
{
	struct weft_alloc_pd_cmd_resp resp = {};
	struct ibv_alloc_pd cmd = {};
	struct ibv_pd *pd = calloc(1, sizeof(*pd));
	int rc;

	if (!pd)
		return NULL;
	rc = ibv_cmd_alloc_pd(context, pd, &cmd, sizeof(cmd), &resp.ibv_resp, sizeof(resp));
	if (!rc)
		return pd;
	free(pd);
	errno = rc;
	return NULL;
}

int weft_dealloc_pd(struct ibv_pd *pd)
{
	int rc = ibv_cmd_dealloc_pd(pd);

	if (!rc)
		free(pd);
	return rc;
}

struct ibv_mr *weft_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t hca_va,
			   int access)
{
	struct ib_uverbs_reg_mr_resp resp;
	struct verbs_mr *vmr = calloc(1, sizeof(*vmr));
	struct ibv_reg_mr cmd;
	int rc;

	if (!vmr)
		return NULL;
	rc = ibv_cmd_reg_mr(pd, addr, length, hca_va, access, vmr, &cmd, sizeof(cmd), &resp,
			    sizeof(resp));
	if (!rc)
		return &vmr->ibv_mr;
	free(vmr);
	errno = rc;
	return NULL;
}

int weft_dereg_mr(struct verbs_mr *vmr)
{
	int rc = ibv_cmd_dereg_mr(vmr);

	if (!rc)
		free(vmr);
	return rc;
}
