/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Commands to the kernel driver: the user ABI wrapped for libibverbs. */
#ifndef WEFT_CMD_H
#define WEFT_CMD_H

#include <infiniband/kern-abi.h>
#include <rdma/weft-abi.h>
#include <kernel-abi/weft-abi.h>

DECLARE_DRV_CMD(weft_alloc_context_cmd, IB_USER_VERBS_CMD_GET_CONTEXT, weft_alloc_ucontext_req,
		weft_alloc_ucontext_resp);
DECLARE_DRV_CMD(weft_query_device_cmd, IB_USER_VERBS_EX_CMD_QUERY_DEVICE, empty,
		weft_query_device_resp);
DECLARE_DRV_CMD(weft_alloc_pd_cmd, IB_USER_VERBS_CMD_ALLOC_PD, empty, weft_alloc_pd_resp);
DECLARE_DRV_CMD(weft_create_cq_cmd, IB_USER_VERBS_EX_CMD_CREATE_CQ, weft_create_cq_req,
		weft_create_cq_resp);
DECLARE_DRV_CMD(weft_resize_cq_cmd, IB_USER_VERBS_CMD_RESIZE_CQ, weft_resize_cq_req,
		weft_resize_cq_resp);
DECLARE_DRV_CMD(weft_create_srq_cmd, IB_USER_VERBS_CMD_CREATE_SRQ, weft_create_srq_req,
		weft_create_srq_resp);
DECLARE_DRV_CMD(weft_create_qp_cmd, IB_USER_VERBS_CMD_CREATE_QP, weft_create_qp_req,
		weft_create_qp_resp);

#endif
