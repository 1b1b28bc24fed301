/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_RDMA_H
#define WEFT_RDMA_H

#include <linux/completion.h>
#include <linux/hashtable.h>
#include <linux/refcount.h>
#include <linux/semaphore.h>
#include <linux/xarray.h>
#include <net/ipv6.h>
#include <rdma/ib_verbs.h>
#include <rdma/iw_cm.h>
#include <rdma/rdma_cm.h>
#include <rdma/uverbs_ioctl.h>
#include <rdma/weft-abi.h>

#include "weft_core.h"

/* contiguous ring memory is the limit, not the card */
#define WEFT_MAX_WR 4096
#define WEFT_CQ_PIECE_LOG2 17	/* entries, 4 MiB: what a kernel has in one piece */
#define WEFT_MAX_PIECES 4
#define WEFT_CLOCK_KHZ 1000000 /* of now_ns, the time in completions */
#define WEFT_MAX_SGE WEFT_SQ_MAX_SGE
#define WEFT_PAGE_SIZES GENMASK(WEFT_MAX_PAGE_LOG2, WEFT_MIN_PAGE_LOG2)
/*
 * A page list is one piece of contiguous memory: with the smallest pages, and none that lie together. A region that does not begin
 * with a page has a part of one more.
 */
#define WEFT_MAX_MR_SIZE (((u64)(PAGE_SIZE << MAX_PAGE_ORDER) / 8 - 1) << WEFT_MIN_PAGE_LOG2)
#define WEFT_MAX_FAST_REG_PAGES 4096	/* of alloc_mr: 32 KiB of list */
#define WEFT_PBL_ALIGN 64
#define WEFT_INLINE_LIMIT WEFT_MAX_INLINE
#define WEFT_CM_FLAG_IPV6 BIT(0)	/* FLAGS of admin_cm, of events too */
#define WEFT_PORT_ADDRS 64	/* addresses of the interface that are looked at */
#define WEFT_LOCAL_ADDR_GONE BIT(7)
#define WEFT_MW_PLACES 16	/* of the 64 of the admin queue, see weft_many.c */
#define WEFT_QP_STATS 6		/* counters of a queue pair */
#define WEFT_QUERIES 4		/* QP_QUERY commands at a time: firmware has no room for a fifth, and refuses it */

struct weft_l2t;
struct devlink_fmsg;

/* what is counted here; a verb has its failures behind its calls */
enum weft_count {
	WEFT_COUNT_CREATE_QP,
	WEFT_COUNT_MODIFY_QP = WEFT_COUNT_CREATE_QP + 2,
	WEFT_COUNT_CREATE_CQ = WEFT_COUNT_MODIFY_QP + 2,
	WEFT_COUNT_REG_MR = WEFT_COUNT_CREATE_CQ + 2,
	WEFT_COUNT_REREG_MR = WEFT_COUNT_REG_MR + 2,
	WEFT_COUNT_CONNECT = WEFT_COUNT_REREG_MR + 2,
	WEFT_COUNT_ACCEPT = WEFT_COUNT_CONNECT + 2,
	WEFT_COUNT_LISTEN = WEFT_COUNT_ACCEPT + 2,
	WEFT_COUNT_REJECT = WEFT_COUNT_LISTEN + 2,
	WEFT_COUNT_QP_TERMINATE_RECEIVED = WEFT_COUNT_REJECT + 2,
	WEFT_COUNT_QP_TERMINATE_SENT,
	WEFT_COUNT_QP_RESET,
	WEFT_COUNT_QP_LOCAL_ERROR,
	WEFT_COUNT_QP_BAD_CLOSE,
	WEFT_COUNT_CQ_ERROR,
	WEFT_COUNT_CQ_STRAY,
	WEFT_COUNT_REQUEST_DROPPED,
	WEFT_COUNT_FAIL_PORT,
	WEFT_COUNT_FAIL_PATH,
	WEFT_COUNT_FAIL_NO_ROOM,
	WEFT_COUNT_FAIL_INVALID,
	WEFT_COUNT_FAIL_NOT_OWNER,
	WEFT_COUNT_FAIL_GONE,
	WEFT_COUNT_FAIL_OTHER,
	WEFT_COUNT_END_CLOSED,
	WEFT_COUNT_END_REFUSED,
	WEFT_COUNT_END_TIMED_OUT,
	WEFT_COUNT_END_NO_ROOM,
	WEFT_COUNT_END_PROTOCOL,
	WEFT_COUNT_END_RESET,
	WEFT_COUNT_END_ABORTED,
	WEFT_COUNT_END_DOWN,
	WEFT_COUNT_END_DEAD,
	WEFT_COUNT_END_OTHER,
	WEFT_COUNTS
};

struct weft_dev {
	struct ib_device ibdev;
	struct weft_core *core;
	const struct weft_caps *caps;
	struct net_device *netdev;
	struct xarray qps, cqs, srqs;	/* by number; events look up under the lock */
	struct xarray mrs;		/* by slot of the STag: regions, and windows */
	struct semaphore mw_places;	/* for weft_mws_of_gone in the admin queue */
	struct mutex gone_lock;		/* gone */
	struct list_head gone;		/* numbers of queue pairs that are not free yet: weft_mr.c */
	struct work_struct gone_work;
	struct ida pds, db_pages, counters;
	u32 next_qpn, next_cqn, next_srqn;
	bool flushing;			/* the card is dead and quiet: kernel queues are flushed here */
	struct weft_l2t *l2t;
	struct mutex cm_lock;		/* what follows, and the order of commands and their events */
	u8 cm_buf[WEFT_ADMIN_CM_BUF_BYTES]; /* private data of the event that is handled */
	struct xarray eps;		/* by connection handle of the card */
	DECLARE_HASHTABLE(ids, 10);	/* those of them that have an iw_cm_id, by that */
	struct xarray requests;		/* those that iw_cm knows by number: not decided yet */
	unsigned long last_request;
	struct semaphore connect_slots;	/* of CONNECT commands, before any lock */
	struct list_head connects;	/* CONNECT commands under way */
	struct list_head early;		/* events of connections that these may have made */
	u64 cm_clock;			/* counts both */
	u32 resyncs;			/* looks at all connections so far */
	struct xarray listeners;	/* by our cookie */
	struct notifier_block addr_nb, addr6_nb, net_nb;
	struct work_struct net_work;
	struct work_struct addr_work;	/* alone has the next three */
	struct in6_addr addrs[WEFT_PORT_ADDRS];	/* as the card knows them; IPv4 mapped */
	struct in6_addr addrs_now[WEFT_PORT_ADDRS]; /* as the interface has them */
	u32 n_addrs;
	struct mutex port_state_lock;	/* the three below */
	struct weft_port port, port_told; /* as it is, and as the core knows it */
	bool registered;
	struct workqueue_struct *wq;	/* neighbour updates, flushes */
	struct delayed_work wake_work;	/* for CQ events that were lost */
	atomic_long_t wake_eqs;		/* of these event queues */
	unsigned long woken;		/* jiffies */
	struct semaphore queries;	/* of QP_QUERY and QP_COUNTS commands, whoever gives them */
	struct delayed_work ask_work;	/* asks the card for the state of QPs when events were lost */
	u32 asks, ask_tries;		/* times that they were lost; tries since */
	struct mutex kept_lock;		/* kept */
	struct list_head kept;		/* what the card has not let go of: weft_keep.c */
	struct delayed_work kept_work;
	atomic64_t counts[WEFT_COUNTS];
	struct semaphore kept_slots;	/* of the admin queue */
	atomic_t n_kept;
};

struct weft_piece {
	struct page *page;		/* that a process may map; NULL: coherent memory at @mem */
	void *mem;
	dma_addr_t dma;
};

/*
 * Memory of a ring: held by the ring, by its mappings, or by weft_keep.c. Contiguous, but that of a CQ may lie in
 * 2^@log2 pieces of one size, whole pages each.
 */
struct weft_pages {
	refcount_t refs;
	struct device *dev;
	struct weft_piece piece[WEFT_MAX_PIECES];
	u32 log2;
	size_t bytes;			/* of all pieces */
	const struct cred *payer;	/* whose user they are charged to, until the last reference goes; NULL: nobody */
};

struct weft_mmap_entry {
	struct rdma_user_mmap_entry rdma;
	struct weft_pages *pages;	/* that it is a piece of; NULL: a doorbell page */
	phys_addr_t phys;
	size_t bytes;			/* whole pages */
	bool combine;			/* a doorbell page with push lines: write combining */
};

struct weft_ucontext {
	struct ib_ucontext ibuc;
	struct rdma_user_mmap_entry *db_entry;
	u32 db_page;
};

/*
 * A number of the card's that a kept queue pair uses (weft_keep.c), or one whose number is not free yet (weft_mr.c): its owner, who is
 * gone for its consumer, and each of these hold it.
 */
struct weft_hold {
	refcount_t refs;
	struct ida *ida;		/* that the number goes back to; NULL: see weft_hold_busy */
	u32 number;
	struct mutex mw_lock;		/* mws; held over commands */
	struct list_head mws;		/* of a domain: its windows of type 2, as long as the card has them */
};

struct weft_pd {
	struct ib_pd ibpd;
	u32 pdn;
	struct weft_hold *hold;
};

/* also the number of a window, which has no memory of its own */
struct weft_mr {
	struct ib_mr ibmr;
	u8 kind;			/* enum tpt_type */
	struct ib_umem *umem;
	__le64 *pbl;			/* NULL: one page, or all of memory */
	dma_addr_t pbl_dma;		/* of the list; without one, of the page */
	size_t pbl_bytes;
	u64 base, length;
	u32 slot, pages, fbo;
	u32 max_pages;			/* of alloc_mr; 0: another's */
	u8 page_log2;
	int access;			/* enum ib_access_flags */
	struct weft_hold *hold;		/* of a window of type 2: its domain's, referenced */
	struct list_head link;		/* there */
};

struct weft_mw {
	struct ib_mw ibmw;
	struct weft_mr *mr;
};

/* a ring: a process maps each piece through its entry, a kernel consumer has none */
struct weft_ring_mem {
	struct weft_pages *pages;
	void *mem;			/* of its first piece, as @dma */
	dma_addr_t dma;
	struct rdma_user_mmap_entry *entry[WEFT_MAX_PIECES];
};

struct weft_cq {
	struct ib_cq ibcq;
	struct weft_ring_mem ring;
	u32 cqn, log2, eqn;
	u32 first;			/* index of the entry at place 0 of the ring */
	struct mutex resize_lock;	/* over the command, and QPs that leave; and for what follows */
	struct weft_ring_mem next;	/* made for a process, not used yet */
	u32 next_log2;
	struct weft_hold *hold;
	refcount_t refs;
	struct completion free;
	bool user, overflowed;
	/* kernel consumers */
	spinlock_t lock;		/* ci, the ring and its entries, both lists */
	u32 ci;
	struct list_head send_qps, recv_qps;
	struct work_struct wake;	/* calls the handler when something was flushed */
	struct mutex wake_lock;		/* a handler that is called unarmed, and QPs that leave */
};

/* one direction of a kernel consumer's work queue */
struct weft_wq {
	struct weft_ring_mem ring;
	u64 *wr_id;
	u8 *op;				/* send queue: enum ib_wc_opcode of each entry, or with WEFT_OP_TWO */
	u32 log2, stride;
	u16 pi;				/* next to post */
	u16 ci;				/* next to complete; released by poll, acquired by post */
	spinlock_t lock;		/* pi; taken under a CQ's */
};

/*
 * In weft_wq.op: the first of two entries that are one request (Read with Invalidate, Write with immediate). It has no completion
 * but a bad one, and when that was told the second one has none, whose op then is WEFT_OP_TOLD.
 */
#define WEFT_OP_TWO BIT(7)
#define WEFT_OP_TOLD 0xff

struct weft_srq {
	struct ib_srq ibsrq;
	struct weft_ring_mem ring;	/* WQEs, and behind them their order */
	u32 srqn, log2, stride, max_sge;
	u32 limit;			/* that was armed last, 0: none; whether it still is the card knows */
	struct mutex limit_lock;	/* it, and the order of commands */
	bool user;
	struct weft_hold *hold;
	refcount_t refs;
	struct completion free;
	/* kernel consumers */
	spinlock_t lock;		/* all below; taken under a CQ's */
	u16 pi;
	u64 *wr_id;
	u16 *slots;			/* the first n_free are WQEs that are free */
	u32 n_free;
};

struct weft_ep;

struct weft_qp {
	struct ib_qp ibqp;
	struct weft_wq sq, rq;
	u32 qpn, max_send_wr, max_send_sge, max_recv_sge, max_inline;
	bool user, sig_all;
	struct pid *maker, *mover;	/* processes: who made it, who modified it last; NULL: nobody, the kernel */
	refcount_t refs;
	struct completion free;
	struct mutex lock;		/* state, ep, event, terminate, mover */
	enum ib_qp_state state;
	u8 event;			/* enum qp_event: the first that the card told; 0: none */
	u32 terminate;			/* its control word */
	struct weft_ep *ep;
	struct mutex err_lock;		/* hw_err; held over the command */
	bool hw_err;			/* the card has said that it is in ERR */
	unsigned long last_wqe_told;	/* bit 0 */
	u32 asked;			/* what weft_dev.asks was when the card was asked for it, and has answered */
	struct list_head send_link, recv_link; /* in the CQs, kernel consumers */
	u8 ird, ord;			/* what may be asked for; once it runs, what was agreed on */
	u64 counted[WEFT_QP_STATS];	/* as the card said last: under the lock of ibqp.counter */
};

static inline struct weft_dev *to_weft_dev(struct ib_device *ibdev)
{
	return container_of(ibdev, struct weft_dev, ibdev);
}

static inline struct weft_qp *to_weft_qp(struct ib_qp *ibqp)
{
	return container_of(ibqp, struct weft_qp, ibqp);
}

static inline struct weft_cq *to_weft_cq(struct ib_cq *ibcq)
{
	return container_of(ibcq, struct weft_cq, ibcq);
}

static inline struct weft_srq *to_weft_srq(struct ib_srq *ibsrq)
{
	return container_of(ibsrq, struct weft_srq, ibsrq);
}

/* of a WQE */
static inline u32 weft_stride(u32 header, u32 payload)
{
	return max(64, roundup_pow_of_two(header + payload));
}

static inline struct weft_pd *to_weft_pd(struct ib_pd *ibpd)
{
	return container_of(ibpd, struct weft_pd, ibpd);
}

static inline struct weft_mr *to_weft_mr(struct ib_mr *ibmr)
{
	return container_of(ibmr, struct weft_mr, ibmr);
}

static inline struct weft_mw *to_weft_mw(struct ib_mw *ibmw)
{
	return container_of(ibmw, struct weft_mw, ibmw);
}

static inline struct weft_ucontext *to_weft_uc(struct ib_ucontext *ibuc)
{
	return container_of(ibuc, struct weft_ucontext, ibuc);
}

static inline bool weft_mem_mgt(const struct weft_dev *dev)
{
	return dev->caps->features & BIT(WEFT_FEATURE_MEM_MGT);
}

/* Write with immediate, so requests of two entries, for processes too */
static inline bool weft_has_imm(const struct weft_dev *dev)
{
	return dev->caps->features & BIT(WEFT_FEATURE_IMM);
}

/* FetchAdd and CmpSwap, so the right REMOTE_ATOMIC */
static inline bool weft_has_atomic(const struct weft_dev *dev)
{
	return dev->caps->features & BIT(WEFT_FEATURE_ATOMIC);
}

/* The card's clock in each completion */
static inline bool weft_has_stamp(const struct weft_dev *dev)
{
	return dev->caps->features & BIT(WEFT_FEATURE_CQE_STAMP);
}

/* Events of a CQ that are held back for a number, or a time */
static inline bool weft_has_moderation(const struct weft_dev *dev)
{
	return dev->caps->features & BIT(WEFT_FEATURE_CQ_MODERATION);
}

/* Memory windows of types 1 and 2B, so the right MW_BIND; LOCAL_INV for processes */
static inline bool weft_has_mw(const struct weft_dev *dev)
{
	return dev->caps->features & BIT(WEFT_FEATURE_MW);
}

/* The card is dead and quiet: work requests are flushed by software. */
static inline bool weft_flushing(const struct weft_dev *dev)
{
	/* who sees it sees the card's last entries: pairs with weft_dead */
	return smp_load_acquire(&dev->flushing);
}

/* weft_keep.c */
struct weft_kept;
struct weft_hold *weft_hold_new(struct ida *ida, u32 number);
void weft_hold_put(struct weft_hold *h);
struct weft_kept *weft_take_back(struct weft_dev *dev, struct weft_admin_msg *msg,
				 const struct weft_hold *hold, const char *why);
void weft_keep_mr(struct weft_dev *dev, struct weft_kept *k, struct weft_mr *mr);
void weft_keep_qp(struct weft_dev *dev, struct weft_kept *k, struct weft_qp *qp);
void weft_keep_cq(struct weft_dev *dev, struct weft_kept *k, struct weft_cq *cq);
void weft_keep_srq(struct weft_dev *dev, struct weft_kept *k, struct weft_srq *srq);
void weft_keep_dead(struct weft_dev *dev);
void weft_keep_init(struct weft_dev *dev);
void weft_keep_fini(struct weft_dev *dev);
void weft_mr_release(struct weft_dev *dev, struct weft_mr *mr);

/* weft_many.c */

/**
 * struct weft_many - commands of one kind
 * @places: of such commands in the admin queue; for all who give them
 * @most: that are under way at a time
 * @next: fills in the next command, which is all 0, and returns what it is about, or NULL: there is none
 * @done: its answer, and as weft_admin_end() returns it
 * @ctx: for both
 */
struct weft_many {
	struct semaphore *places;
	u32 most;
	void *(*next)(void *ctx, struct weft_admin_msg *msg);
	void (*done)(void *ctx, void *of, const struct weft_admin_msg *msg, int rc);
	void *ctx;
};

void weft_many(struct weft_dev *dev, const struct weft_many *m);

/* weft_verbs.c */
int weft_ring_mem_alloc(struct weft_dev *dev, struct weft_ring_mem *r, size_t bytes,
			u32 most_log2, struct ib_ucontext *ibuc);
u32 weft_max_cqe(const struct weft_dev *dev);
void weft_ring_mem_free(struct weft_ring_mem *r);
struct weft_pages *weft_ring_mem_detach(struct weft_ring_mem *r);
void weft_pages_put(struct weft_pages *p);
u64 weft_ring_mem_key(const struct weft_ring_mem *r, u32 i);
int weft_copy_req(struct ib_udata *udata, void *req, size_t bytes);
void weft_get_fw_str(struct ib_device *ibdev, char *str);
int weft_query_device(struct ib_device *ibdev, struct ib_device_attr *attr,
		      struct ib_udata *udata);
int weft_query_port(struct ib_device *ibdev, u32 port, struct ib_port_attr *attr);
int weft_get_port_immutable(struct ib_device *ibdev, u32 port, struct ib_port_immutable *imm);
int weft_query_gid(struct ib_device *ibdev, u32 port, int index, union ib_gid *gid);
int weft_alloc_ucontext(struct ib_ucontext *ibuc, struct ib_udata *udata);
void weft_dealloc_ucontext(struct ib_ucontext *ibuc);
void weft_disassociate_ucontext(struct ib_ucontext *ibuc);
int weft_mmap(struct ib_ucontext *ibuc, struct vm_area_struct *vma);
void weft_mmap_free(struct rdma_user_mmap_entry *entry);
int weft_alloc_pd(struct ib_pd *ibpd, struct ib_udata *udata);
int weft_dealloc_pd(struct ib_pd *ibpd, struct ib_udata *udata);

/* weft_mr.c */
struct ib_mr *weft_get_dma_mr(struct ib_pd *ibpd, int access);
struct ib_mr *weft_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 virt, int access,
			       struct ib_udata *udata);
struct ib_mr *weft_reg_user_mr_dmabuf(struct ib_pd *ibpd, u64 offset, u64 length, u64 virt, int fd,
				      int access, struct uverbs_attr_bundle *attrs);
struct ib_mr *weft_rereg_user_mr(struct ib_mr *ibmr, int flags, u64 start, u64 length, u64 virt,
				 int access, struct ib_pd *ibpd, struct ib_udata *udata);
int weft_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata);
struct ib_mr *weft_alloc_mr(struct ib_pd *ibpd, enum ib_mr_type type, u32 max_pages);
int weft_alloc_mw(struct ib_mw *ibmw, struct ib_udata *udata);
int weft_dealloc_mw(struct ib_mw *ibmw);
void weft_qpn_free(struct weft_dev *dev, u32 qpn, struct weft_hold *pd);
void weft_qpn_settle(struct weft_dev *dev);
void weft_qpn_init(struct weft_dev *dev);
int weft_map_mr_sg(struct ib_mr *ibmr, struct scatterlist *sg, int n, unsigned int *offset);
/* rights of the card's for rights of the core's */
u8 weft_access(const struct weft_dev *dev, int access);

/* weft_cq.c */
int weft_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
		   struct uverbs_attr_bundle *attrs);
int weft_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata);
int weft_modify_cq(struct ib_cq *ibcq, u16 count, u16 period);
int weft_resize_cq(struct ib_cq *ibcq, int cqe, struct ib_udata *udata);
int weft_poll_cq(struct ib_cq *ibcq, int n, struct ib_wc *wc);
int weft_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags);
void weft_cq_event(void *ctx, u32 cqn);
void weft_cq_error(struct weft_dev *dev, u32 cqn);
void weft_cq_add_qp(struct weft_qp *qp);
void weft_cq_forget_qp(struct weft_qp *qp);
void weft_cq_forget_kept(struct weft_dev *dev, u32 cqn, u32 qpn);
void weft_cq_wake_all(struct weft_dev *dev, unsigned long eqs);

/* weft_qp.c */
int weft_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *attr, struct ib_udata *udata);
int weft_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);
int weft_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		  struct ib_qp_init_attr *init);
int weft_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata);
void weft_qp_get(struct ib_qp *ibqp);
void weft_qp_put(struct ib_qp *ibqp);
struct ib_qp *weft_qp_find(struct ib_device *ibdev, int qpn);
struct weft_qp *weft_qp_lookup(struct weft_dev *dev, u32 qpn);
bool weft_qp_is_callers(struct weft_qp *qp);
void weft_qp_event(struct weft_dev *dev, const __le64 *eqe);
int weft_qp_to_error(struct weft_dev *dev, struct weft_qp *qp);
void weft_qp_put_query(struct weft_admin_msg *msg, const struct weft_qp *qp);
void weft_qp_resync(struct weft_dev *dev);
void weft_qp_init(struct weft_dev *dev);
void weft_qp_fini(struct weft_dev *dev);
void weft_qp_last_wqe_event(struct weft_dev *dev, u32 qpn);
void weft_qp_dead(struct weft_dev *dev);

/* weft_wr.c */
int weft_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr,
		   const struct ib_send_wr **bad);
int weft_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr,
		   const struct ib_recv_wr **bad);

int weft_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
		       const struct ib_recv_wr **bad);

/* weft_srq.c */
int weft_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *attr, struct ib_udata *udata);
int weft_modify_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		    struct ib_udata *udata);
int weft_query_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr);
int weft_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata);
void weft_srq_event(struct weft_dev *dev, u32 srqn);
void weft_srq_resync(struct weft_dev *dev);
u64 weft_srq_done(struct weft_srq *srq, u32 slot);

/* weft_cm.c */
int weft_iw_connect(struct iw_cm_id *cm_id, struct iw_cm_conn_param *param);
int weft_iw_accept(struct iw_cm_id *cm_id, struct iw_cm_conn_param *param);
int weft_iw_reject(struct iw_cm_id *cm_id, const void *pdata, u8 pdata_len);
int weft_iw_create_listen(struct iw_cm_id *cm_id, int backlog);
int weft_iw_destroy_listen(struct iw_cm_id *cm_id);
void weft_cm_event(struct weft_dev *dev, const __le64 *eqe);
int weft_ep_disconnect(struct weft_dev *dev, struct weft_qp *qp);
void weft_ep_kill(struct weft_dev *dev, struct weft_qp *qp);
void weft_cm_resync(struct weft_dev *dev);
void weft_cm_dead(struct weft_dev *dev);
void weft_cm_down(struct weft_dev *dev);
void weft_cm_strays(struct weft_dev *dev);
void weft_cm_moved(struct weft_dev *dev);
void weft_cm_init(struct weft_dev *dev);
void weft_cm_fini(struct weft_dev *dev);

/* a connection or a listener as the card has it */
struct weft_cm_look {
	const char *state;
	u32 handle, l2, qpn;
};

bool weft_cm_look(struct weft_dev *dev, const struct iw_cm_id *cm_id, struct weft_cm_look *look);

/* weft_res.c */
int weft_count(struct weft_dev *dev, enum weft_count verb, int rc);
int weft_count_cm(struct weft_dev *dev, enum weft_count verb, int rc);
struct rdma_hw_stats *weft_alloc_hw_stats(struct ib_device *ibdev, u32 port);
int weft_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 port, int index);
struct rdma_hw_stats *weft_counter_alloc_stats(struct rdma_counter *counter);
int weft_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *ibqp);
int weft_counter_unbind_qp(struct ib_qp *ibqp);
int weft_counter_update_stats(struct rdma_counter *counter);
int weft_counter_dealloc(struct rdma_counter *counter);
void weft_conn_ended(struct weft_dev *dev, const struct iw_cm_id *cm_id, const struct weft_qp *qp,
		     int status);
void weft_qp_note_event(struct weft_dev *dev, struct weft_qp *qp, const __le64 *eqe);
int weft_fill_res_qp(struct sk_buff *msg, struct ib_qp *ibqp);
int weft_fill_res_qp_raw(struct sk_buff *msg, struct ib_qp *ibqp);
int weft_fill_res_cq(struct sk_buff *msg, struct ib_cq *ibcq);
int weft_fill_res_mr(struct sk_buff *msg, struct ib_mr *ibmr);
int weft_fill_res_mr_raw(struct sk_buff *msg, struct ib_mr *ibmr);
int weft_fill_res_srq(struct sk_buff *msg, struct ib_srq *ibsrq);
int weft_fill_res_cm_id(struct sk_buff *msg, struct rdma_cm_id *id);
void weft_dump(void *ctx, struct devlink_fmsg *fmsg);

/* weft_port.c */
struct weft_port_hold;
int weft_ports_start(void);
void weft_ports_stop(void);
int weft_ports_init(struct weft_dev *dev);
void weft_ports_fini(struct weft_dev *dev);
void weft_addrs_changed(struct weft_dev *dev);
struct weft_port_hold *weft_port_get(struct weft_dev *dev, bool any, u16 port, bool mapped);
bool weft_port_is_drawn(struct weft_dev *dev, u16 port);
bool weft_port_is_here(struct weft_dev *dev, const struct weft_port_hold *h);
u16 weft_port_number(const struct weft_port_hold *h);
struct weft_port_hold *weft_port_share(struct weft_port_hold *h);
void weft_port_put(struct weft_port_hold *h, bool linger);

/* IPv4 as a mapped address: what is looked at is one of the two */
static inline void weft_in6(struct in6_addr *to, const struct sockaddr_storage *from)
{
	if (from->ss_family == AF_INET6)
		*to = ((const struct sockaddr_in6 *)from)->sin6_addr;
	else
		ipv6_addr_set_v4mapped(((const struct sockaddr_in *)from)->sin_addr.s_addr, to);
}

static inline u16 weft_sock_port(const struct sockaddr_storage *from)
{
	return ntohs(from->ss_family == AF_INET6 ?
		     ((const struct sockaddr_in6 *)from)->sin6_port :
		     ((const struct sockaddr_in *)from)->sin_port);
}

static inline void weft_sock_set_port(struct sockaddr_storage *to, u16 port)
{
	if (to->ss_family == AF_INET6)
		((struct sockaddr_in6 *)to)->sin6_port = htons(port);
	else
		((struct sockaddr_in *)to)->sin_port = htons(port);
}

/* As the card has addresses; returns its flag */
static inline u32 weft_put_addr(void *to, const struct in6_addr *from)
{
	if (ipv6_addr_v4mapped(from)) {
		memcpy(to, &from->s6_addr32[3], sizeof(from->s6_addr32[3]));
		return 0;
	}
	memcpy(to, from, sizeof(*from));
	return WEFT_CM_FLAG_IPV6;
}

static inline bool weft_has_ipv6(const struct weft_dev *dev)
{
	return dev->caps->features & BIT(WEFT_FEATURE_IPV6);
}

/* weft_l2t.c */
int weft_l2t_init(struct weft_dev *dev);
void weft_l2t_fini(struct weft_dev *dev);
/* L2 entry for a route; sleeps until the neighbour is resolved. Returns its index or -errno. */
int weft_l2t_get(struct weft_dev *dev, const struct sockaddr_storage *local,
		 const struct sockaddr_storage *remote, u8 tos);
void weft_l2t_put(struct weft_dev *dev, int index);
bool weft_l2t_strays(struct weft_dev *dev, int index, const struct sockaddr_storage *local,
		     const struct sockaddr_storage *remote, u8 tos);
/* something of the interface has changed: look at all entries soon */
void weft_l2t_changed(struct weft_dev *dev);

#endif
