/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* In front of the table of verbs: what its members are on other kernels than 6.12. */

#ifndef WEFT_HAS_CREATE_CQ_ATTRS
static int weft_compat_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
				 struct ib_udata *udata)
{
	return weft_counted_create_cq(ibcq, attr,
				      udata ? rdma_udata_to_uverbs_attr_bundle(udata) : NULL);
}
#define weft_counted_create_cq weft_compat_create_cq
#endif

#ifdef WEFT_HAS_RESIZE_USER_CQ
static int weft_compat_resize_cq(struct ib_cq *ibcq, unsigned int cqe, struct ib_udata *udata)
{
	return cqe > INT_MAX ? -EINVAL : weft_resize_cq(ibcq, cqe, udata);
}
#define weft_resize_cq weft_compat_resize_cq
#define resize_cq resize_user_cq
#endif

#ifdef WEFT_HAS_DMAH
/* No hints of where in the host memory is used: the card sends none. */
static struct ib_mr *weft_compat_reg_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 virt,
					int access, struct ib_dmah *dmah, struct ib_udata *udata)
{
	return dmah ? ERR_PTR(-EOPNOTSUPP) :
		      weft_counted_reg_mr(ibpd, start, length, virt, access, udata);
}
#define weft_counted_reg_mr weft_compat_reg_mr

static struct ib_mr *weft_compat_reg_dmabuf(struct ib_pd *ibpd, u64 offset, u64 length, u64 virt,
					    int fd, int access, struct ib_dmah *dmah,
					    struct uverbs_attr_bundle *attrs)
{
	return dmah ? ERR_PTR(-EOPNOTSUPP) :
		      weft_counted_reg_dmabuf(ibpd, offset, length, virt, fd, access, attrs);
}
#define weft_counted_reg_dmabuf weft_compat_reg_dmabuf
#elif !defined(WEFT_HAS_DMABUF_ATTRS)
static struct ib_mr *weft_compat_reg_dmabuf(struct ib_pd *ibpd, u64 offset, u64 length, u64 virt,
					    int fd, int access, struct ib_udata *udata)
{
	return weft_counted_reg_dmabuf(ibpd, offset, length, virt, fd, access,
				       rdma_udata_to_uverbs_attr_bundle(udata));
}
#define weft_counted_reg_dmabuf weft_compat_reg_dmabuf
#endif

#ifdef WEFT_HAS_COUNTER_PORT
static int weft_compat_counter_bind(struct rdma_counter *counter, struct ib_qp *ibqp, u32 port)
{
	return weft_counter_bind_qp(counter, ibqp);
}
#define weft_counter_bind_qp weft_compat_counter_bind

static int weft_compat_counter_unbind(struct ib_qp *ibqp, u32 port)
{
	return weft_counter_unbind_qp(ibqp);
}
#define weft_counter_unbind_qp weft_compat_counter_unbind
#endif

#ifdef WEFT_HAS_COUNTER_INIT
/* The driver says how large a counter is, and is called for each: it has nothing of its own in one. */
struct weft_compat_counter {
	struct rdma_counter counter;
};

static void weft_compat_counter_init(struct rdma_counter *counter)
{
}
#define weft_counter_dealloc weft_counter_dealloc, \
	.counter_init = weft_compat_counter_init, \
	INIT_RDMA_OBJ_SIZE(rdma_counter, weft_compat_counter, counter)
#endif

/* rdma res show srq has nothing of a driver's there; the member that stands for it has nothing here */
#ifndef WEFT_HAS_FILL_RES_SRQ
#define weft_fill_res_srq NULL
#define fill_res_srq_entry fill_res_cq_entry_raw
#endif
