/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * User ABI of weft_rdma. Sizes are multiples of eight bytes and the same on 32 and 64 bits;
 * a new field goes to the end and gets a bit in comp_mask.
 */
#ifndef WEFT_ABI_USER_H
#define WEFT_ABI_USER_H

#include <linux/types.h>

#define WEFT_UVERBS_ABI_VERSION 1

/* kernel driver_id; private, not one of enum rdma_driver_id */
#define WEFT_RDMA_DRIVER_ID 0x5746

/*
 * comp_mask of weft_alloc_ucontext_req. PUSH: the doorbell page may be write combining, so that push lines leave
 * whole. It is when features has PUSH then, and all its doorbells want a fence in front and a flush behind.
 */
#define WEFT_ALLOC_UCONTEXT_PUSH 0x1ull

struct weft_alloc_ucontext_req {
	__aligned_u64 comp_mask;
};

struct weft_alloc_ucontext_resp {
	__aligned_u64 comp_mask;
	__aligned_u64 db_mmap_key;	/* one page, write only */
	__u32 db_mmap_bytes;
	__u32 db_offset;		/* of the doorbell page in the mapping */
	__u32 hw_abi;			/* ABI_MAJOR << 16 | ABI_MINOR */
	__u32 features;			/* enum feature of the hardware layouts */
	__u32 max_sq_stride;		/* bytes of the largest WQE */
	__u32 max_inline;
};

/*
 * ibv_query_device_ex() with room for this: the card's clock now, in nanoseconds modulo 2^56, as completions have it. Without the
 * bit in comp_mask they have no time.
 */
#define WEFT_QUERY_DEVICE_CLOCK 0x1ull

struct weft_query_device_resp {
	__aligned_u64 comp_mask;
	__aligned_u64 clock;
};

struct weft_alloc_pd_resp {
	__u32 pdn;
	__u32 reserved;
};

struct weft_create_cq_req {
	__aligned_u64 comp_mask;
};

/*
 * The ring of a CQ lies in 1, 2 or 4 pieces of one size, and each is a mapping of its own. Who maps it puts them side by side, in
 * this order. Who has no room for more_keys gets one piece.
 */
#define WEFT_CQ_MORE_PIECES 3

struct weft_create_cq_resp {
	__aligned_u64 comp_mask;
	__aligned_u64 mmap_key;		/* of the first piece */
	__u32 mmap_bytes;		/* of all */
	__u32 cqn;
	__u32 entries;			/* power of two */
	__u32 pieces;			/* 0, of older drivers: one */
	__aligned_u64 more_keys[WEFT_CQ_MORE_PIECES];
};

/*
 * A resize is two calls: the new ring is made, and mapped by the process; then the card goes on in it. Of each
 * call what the other one says is 0.
 */
enum weft_resize_cq_step {
	WEFT_RESIZE_CQ_PREPARE = 1,	/* one that was made before and not used is gone */
	WEFT_RESIZE_CQ_SWITCH,		/* the same number of entries as it was made for */
};

struct weft_resize_cq_req {
	__aligned_u64 comp_mask;
	__u32 step;			/* enum weft_resize_cq_step */
	__u32 reserved;			/* 0 */
};

struct weft_resize_cq_resp {
	__aligned_u64 comp_mask;
	__aligned_u64 mmap_key;		/* PREPARE; this and the next as in weft_create_cq_resp */
	__u32 mmap_bytes;		/* PREPARE */
	__u32 entries;			/* PREPARE: power of two */
	__u32 first;			/* SWITCH: index of the first entry that the card writes there */
	__u32 pieces;			/* PREPARE */
	__aligned_u64 more_keys[WEFT_CQ_MORE_PIECES]; /* PREPARE */
};

struct weft_create_srq_req {
	__aligned_u64 comp_mask;
};

struct weft_create_srq_resp {
	__aligned_u64 comp_mask;
	__aligned_u64 mmap_key;
	__u32 mmap_bytes;
	__u32 srqn;
	__u32 entries;			/* power of two: WQEs, and behind them their order */
	__u32 stride;			/* bytes of a WQE */
};

struct weft_create_qp_req {
	__aligned_u64 comp_mask;
};

struct weft_create_qp_resp {
	__aligned_u64 comp_mask;
	__aligned_u64 sq_mmap_key;
	__aligned_u64 rq_mmap_key;
	__u32 sq_mmap_bytes;
	__u32 rq_mmap_bytes;
	__u32 qpn;
	__u32 sq_entries;		/* powers of two */
	__u32 rq_entries;		/* 0: it receives from a shared queue, and has no ring of its own */
	__u32 sq_stride;		/* bytes */
	__u32 rq_stride;
	__u32 reserved;
};

/* A region in rdma -r res show mr, which is the administrator's (RDMA_NLDEV_ATTR_RES_RAW); in the host's order. */
struct weft_res_mr_raw {
	__aligned_u64 base;		/* address of its first byte, as work requests have it */
	__u32 slot;			/* STag >> 8 */
	__u32 first_byte;		/* in its first page */
};

#endif
