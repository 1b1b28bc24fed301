// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Memory regions and windows. The table slot of an STag is its index modulo the table size; index and key are
 * random, so that an STag cannot be guessed from another (RFC 5042 6.1.1, RFC 5040 8.1.1).
 */
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <rdma/ib_umem.h>
#include <rdma/iter.h>

#include "weft_rdma.h"

static int weft_mr_alloc_slot(struct weft_dev *dev, struct weft_mr *mr)
{
	u32 start = get_random_u32_below(dev->caps->stags);
	int rc;

	rc = xa_alloc(&dev->mrs, &mr->slot, mr, XA_LIMIT(start, dev->caps->stags - 1), GFP_KERNEL);
	if (rc == -EBUSY && start)
		rc = xa_alloc(&dev->mrs, &mr->slot, mr, XA_LIMIT(0, start - 1), GFP_KERNEL);
	return rc == -EBUSY ? -ENOMEM : rc;
}

static u32 weft_mr_make_stag(struct weft_dev *dev, u32 slot)
{
	u32 index;

	do { /* index 0 is never used: STag 0 is the privileged one */
		index = (get_random_u32() & 0xffffff & ~(dev->caps->stags - 1)) | slot;
	} while (!index);
	return index << 8 | get_random_u8();
}

#define WEFT_MR_OF_GONE 2	/* in FLAGS of MR_SET: only what is bound for a QPN that is no queue pair's */

#define WEFT_REMOTE_ACCESS (IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | \
			    IB_ACCESS_REMOTE_ATOMIC)
/*
 * What a region may be given. The rights to windows and to atomics can be given though the card has
 * none, as the device's attributes say: programs ask for them whatever they do. Hints are
 * none of the card's business, and taken.
 */
#define WEFT_MR_ACCESS (IB_ACCESS_LOCAL_WRITE | WEFT_REMOTE_ACCESS | IB_ACCESS_MW_BIND | \
			IB_ACCESS_HUGETLB | IB_ZERO_BASED)

u8 weft_access(const struct weft_dev *dev, int access)
{
	u8 a = BIT(WEFT_ACCESS_LOCAL_READ);

	if (access & IB_ACCESS_LOCAL_WRITE)
		a |= BIT(WEFT_ACCESS_LOCAL_WRITE);
	if (access & IB_ACCESS_REMOTE_WRITE)
		a |= BIT(WEFT_ACCESS_REMOTE_WRITE) | BIT(WEFT_ACCESS_REMOTE_INV);
	if (access & IB_ACCESS_REMOTE_READ)
		a |= BIT(WEFT_ACCESS_REMOTE_READ) | BIT(WEFT_ACCESS_REMOTE_INV);
	if (access & IB_ACCESS_REMOTE_ATOMIC && weft_has_atomic(dev))
		a |= BIT(WEFT_ACCESS_REMOTE_ATOMIC) | BIT(WEFT_ACCESS_REMOTE_INV);
	if (access & IB_ACCESS_MW_BIND && weft_has_mw(dev))
		a |= BIT(WEFT_ACCESS_MW_BIND);
	return a;
}

/* What the card is to be told of it: all, but for whom it is */
static void weft_mr_put(struct weft_dev *dev, struct weft_admin_msg *to, const struct weft_mr *mr,
			u32 pdn, u8 state)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_MR_SET);
	WEFT_PUT(msg.cmd, ADMIN_MR_STAG, mr->ibmr.lkey);
	WEFT_PUT(msg.cmd, ADMIN_MR_STATE, state);
	WEFT_PUT(msg.cmd, ADMIN_MR_KIND, mr->kind);
	WEFT_PUT(msg.cmd, ADMIN_MR_ACCESS, weft_access(dev, mr->access));
	WEFT_PUT(msg.cmd, ADMIN_MR_PD, pdn);
	WEFT_PUT(msg.cmd, ADMIN_MR_PAGE_LOG2, mr->page_log2);
	WEFT_PUT(msg.cmd, ADMIN_MR_BASE, mr->base);
	WEFT_PUT(msg.cmd, ADMIN_MR_LENGTH, mr->length);
	WEFT_PUT(msg.cmd, ADMIN_MR_FBO, mr->fbo);
	WEFT_PUT(msg.cmd, ADMIN_MR_PBL, mr->pbl_dma);
	WEFT_PUT(msg.cmd, ADMIN_MR_PBL_COUNT, mr->pages);
	WEFT_PUT(msg.cmd, ADMIN_MR_FLAGS, !mr->pbl);
	*to = msg;
}

/* Writes the region to the card, over what it was before: then the answer follows the drain token. */
static int weft_mr_write(struct weft_dev *dev, const struct weft_mr *mr, u32 pdn,
			 u8 state)
{
	struct weft_admin_msg msg;

	weft_mr_put(dev, &msg, mr, pdn, state);
	return weft_admin_exec(dev->core, &msg);
}

static void weft_mr_set_rkey(struct weft_mr *mr)
{
	mr->ibmr.rkey = mr->access & WEFT_REMOTE_ACCESS ? mr->ibmr.lkey : 0;
}

/* Gives it a number and writes it. */
static int weft_mr_register(struct weft_dev *dev, struct weft_mr *mr, u32 pdn,
			    u8 state)
{
	int rc = weft_mr_alloc_slot(dev, mr);

	if (rc)
		return rc;
	mr->ibmr.lkey = weft_mr_make_stag(dev, mr->slot);
	rc = weft_mr_write(dev, mr, pdn, state);
	if (rc)
		xa_erase(&dev->mrs, mr->slot);
	return rc;
}

/* All of memory, for kernel consumers without an IOMMU in the way: bus addresses as they are. */
struct ib_mr *weft_get_dma_mr(struct ib_pd *ibpd, int access)
{
	struct weft_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	int rc;

	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->access = access;
	mr->page_log2 = WEFT_MAX_PAGE_LOG2;
	mr->length = ~0ull;
	rc = weft_mr_register(to_weft_dev(ibpd->device), mr, to_weft_pd(ibpd)->pdn,
			      WEFT_TPT_STATE_VALID);
	if (rc) {
		kfree(mr);
		return ERR_PTR(rc);
	}
	mr->ibmr.rkey = mr->ibmr.lkey;
	return &mr->ibmr;
}

/*
 * The largest pages that the memory is made of. The card adds the offset in the first page by itself,
 * so an address that is not as well aligned as the memory behind it costs nothing.
 */
static int weft_mr_fill_pbl(struct weft_dev *dev, struct weft_mr *mr)
{
	unsigned long page_size = ib_umem_find_best_pgoff(mr->umem, WEFT_PAGE_SIZES, ~0ull);
	struct ib_block_iter iter;
	size_t n, i = 0;

	if (!page_size)
		return -EINVAL;
	n = ib_umem_num_dma_blocks(mr->umem, page_size);
	if (n > U32_MAX)
		return -EINVAL;
	mr->pages = n;
	mr->page_log2 = ilog2(page_size);
	mr->fbo = ib_umem_dma_offset(mr->umem, page_size);
	if (n > 1) {
		mr->pbl_bytes = ALIGN(n * sizeof(*mr->pbl), WEFT_PBL_ALIGN);
		mr->pbl = dma_alloc_coherent(dev->ibdev.dma_device, mr->pbl_bytes, &mr->pbl_dma,
					     GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
		if (!mr->pbl)
			return -ENOMEM;
	}
	rdma_umem_for_each_dma_block(mr->umem, &iter, page_size) {
		dma_addr_t addr = rdma_block_iter_dma_address(&iter);

		if (mr->pbl)
			mr->pbl[i++] = cpu_to_le64(addr);
		else
			mr->pbl_dma = addr; /* no page list to fetch */
	}
	return 0;
}

static void weft_mr_free_mem(struct weft_dev *dev, struct weft_mr *mr)
{
	if (mr->pbl)
		dma_free_coherent(dev->ibdev.dma_device, mr->pbl_bytes, mr->pbl, mr->pbl_dma);
	ib_umem_release(mr->umem);
}

/* A region of @umem, which it takes over, or releases. */
static struct ib_mr *weft_mr_new(struct ib_pd *ibpd, struct ib_umem *umem, u64 virt, int access)
{
	struct weft_dev *dev = to_weft_dev(ibpd->device);
	struct weft_mr *mr;
	int rc;

	if (IS_ERR(umem))
		return ERR_CAST(umem);
	mr = kzalloc(sizeof(*mr), GFP_KERNEL_ACCOUNT);
	if (!mr) {
		ib_umem_release(umem);
		return ERR_PTR(-ENOMEM);
	}
	mr->umem = umem;
	mr->base = access & IB_ZERO_BASED ? 0 : virt;
	mr->length = umem->length;
	mr->access = access;
	rc = weft_mr_fill_pbl(dev, mr);
	if (!rc)
		rc = weft_mr_register(dev, mr, to_weft_pd(ibpd)->pdn, WEFT_TPT_STATE_VALID);
	if (rc) {
		weft_mr_free_mem(dev, mr);
		kfree(mr);
		return ERR_PTR(rc);
	}
	weft_mr_set_rkey(mr);
	mr->ibmr.iova = virt;
	mr->ibmr.length = mr->length;
	return &mr->ibmr;
}

static int weft_mr_check(int access, struct ib_udata *udata)
{
	if (udata && udata->inlen && !ib_is_udata_cleared(udata, 0, udata->inlen))
		return -EOPNOTSUPP;
	return access & ~(WEFT_MR_ACCESS | IB_ACCESS_OPTIONAL) ? -EOPNOTSUPP : 0;
}

struct ib_mr *weft_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 virt, int access,
			       struct ib_udata *udata)
{
	int rc = weft_mr_check(access, udata);

	if (rc)
		return ERR_PTR(rc);
	return weft_mr_new(ibpd, ib_umem_get(ibpd->device, start, length, access), virt, access);
}

/* The exporter keeps the memory where it is: the card cannot be told that it moved. */
struct ib_mr *weft_reg_user_mr_dmabuf(struct ib_pd *ibpd, u64 offset, u64 length, u64 virt, int fd,
				      int access, struct uverbs_attr_bundle *attrs)
{
	struct ib_umem_dmabuf *buf;
	int rc = weft_mr_check(access, NULL);

	if (rc)
		return ERR_PTR(rc);
	buf = ib_umem_dmabuf_get_pinned(ibpd->device, offset, length, fd, access);
	if (IS_ERR(buf))
		return ERR_CAST(buf);
	return weft_mr_new(ibpd, &buf->umem, virt, access);
}

/* of 2 seconds each: as long as what is to be destroyed has, see weft_keep.c */
#define WEFT_MR_TRIES 5

/*
 * Rights and domain change under the number that it has; when this returns 0 nothing goes by the old ones
 * any more. The memory is the same, so nothing is freed, and what a link partner's PAUSE holds is waited
 * for, but not for ever: then the region is again what it was, and may be changed another time. Once a window
 * is bound by the new rights they stay, and nobody waits any more: its owner has shown that he has seen them.
 *
 * Return: 0 or -errno; -EBUSY: what is under way by the old rights does not end, or windows are bound
 */
static int weft_mr_change(struct weft_dev *dev, struct weft_mr *mr, u32 pdn, int access)
{
	u32 old_pdn = to_weft_pd(mr->ibmr.pd)->pdn;
	int was = mr->access;
	int back, rc, i;

	mr->access = access;
	for (i = 0, rc = -ETIMEDOUT; rc == -ETIMEDOUT && i < WEFT_MR_TRIES; i++)
		rc = fatal_signal_pending(current) && i ? -EINTR :
		     weft_mr_write(dev, mr, pdn, WEFT_TPT_STATE_VALID);
	if (!rc || (rc == -EADDRINUSE && i > 1)) {
		weft_mr_set_rkey(mr);
		return 0;
	}
	mr->access = was;
	if (rc != -ETIMEDOUT && rc != -EINTR && i == 1)
		return rc == -EADDRINUSE ? -EBUSY : rc;
	/* the card has the new ones since its first answer, and what it has under way may be of either */
	back = weft_mr_write(dev, mr, old_pdn, WEFT_TPT_STATE_VALID);
	if (back == -EADDRINUSE) {
		mr->access = access;
		weft_mr_set_rkey(mr);
		return 0;
	}
	if (back && back != -ETIMEDOUT)
		weft_core_quiesce(dev->core, "a region did not get its rights back");
	return rc == -ETIMEDOUT ? -EBUSY : rc;
}

/*
 * Another memory, or rights that it was not pinned for, are another region with another number. The core
 * puts it in the place of this one, and then gives this one back: until then both are good.
 */
struct ib_mr *weft_rereg_user_mr(struct ib_mr *ibmr, int flags, u64 start, u64 length, u64 virt,
				 int access, struct ib_pd *ibpd, struct ib_udata *udata)
{
	struct weft_mr *mr = to_weft_mr(ibmr);
	int rc;

	if (!(flags & IB_MR_REREG_ACCESS))
		access = mr->access;
	rc = weft_mr_check(access, udata);
	if (rc)
		return ERR_PTR(rc);
	if (!(flags & IB_MR_REREG_TRANS)) {
		if (!((access ^ mr->access) & IB_ZERO_BASED) &&
		    (mr->umem->writable || !ib_access_writable(access)))
			return ERR_PTR(weft_mr_change(to_weft_dev(ibmr->device), mr,
						      to_weft_pd(ibpd)->pdn, access));
		if (mr->umem->is_dmabuf)
			return ERR_PTR(-EOPNOTSUPP);
		start = mr->umem->address;
		length = mr->length;
		virt = ibmr->iova;
	}
	return weft_mr_new(ibpd, ib_umem_get(ibmr->device, start, length, access), virt, access);
}

/* ---- fast registration ---- */

/*
 * A number and a page list without memory: INVALID until a REG_MR of some queue pair of the domain says
 * what it is. The card reads the list where it lies, so it stays until the number is given back.
 */
struct ib_mr *weft_alloc_mr(struct ib_pd *ibpd, enum ib_mr_type type, u32 max_pages)
{
	struct weft_dev *dev = to_weft_dev(ibpd->device);
	struct weft_mr *mr;
	int rc;

	if (type != IB_MR_TYPE_MEM_REG)
		return ERR_PTR(-EOPNOTSUPP);
	if (!max_pages || max_pages > WEFT_MAX_FAST_REG_PAGES)
		return ERR_PTR(-EINVAL);
	mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->page_log2 = WEFT_MIN_PAGE_LOG2;
	mr->max_pages = max_pages;
	mr->pbl_bytes = ALIGN(max_pages * sizeof(*mr->pbl), WEFT_PBL_ALIGN);
	mr->pbl = dma_alloc_coherent(dev->ibdev.dma_device, mr->pbl_bytes, &mr->pbl_dma,
				     GFP_KERNEL | __GFP_NOWARN);
	rc = mr->pbl ? weft_mr_register(dev, mr, to_weft_pd(ibpd)->pdn, WEFT_TPT_STATE_INVALID) :
		       -ENOMEM;
	if (rc) {
		weft_mr_free_mem(dev, mr);
		kfree(mr);
		return ERR_PTR(rc);
	}
	mr->ibmr.rkey = mr->ibmr.lkey;
	return &mr->ibmr;
}

static int weft_set_page(struct ib_mr *ibmr, u64 addr)
{
	struct weft_mr *mr = to_weft_mr(ibmr);

	if (mr->pages == mr->max_pages)
		return -ENOMEM;
	mr->pbl[mr->pages++] = cpu_to_le64(addr);
	return 0;
}

/* Until the REG_MR behind it is posted and after its invalidation is complete, the list is the consumer's. */
int weft_map_mr_sg(struct ib_mr *ibmr, struct scatterlist *sg, int n, unsigned int *offset)
{
	struct weft_mr *mr = to_weft_mr(ibmr);

	mr->pages = 0; /* whatever follows: the core has set another page size, and a REG_MR would go by it */
	if (!mr->max_pages || !is_power_of_2(ibmr->page_size) ||
	    !(ibmr->page_size & WEFT_PAGE_SIZES))
		return -EINVAL;
	return ib_sg_to_pages(ibmr, sg, n, offset, weft_set_page);
}

/* The card has let go of it. A window is in its domain's list until here: see weft_mws_of_gone. */
void weft_mr_release(struct weft_dev *dev, struct weft_mr *mr)
{
	if (mr->hold) {
		mutex_lock(&mr->hold->mw_lock);
		list_del(&mr->link);
		mutex_unlock(&mr->hold->mw_lock);
		weft_hold_put(mr->hold);
	}
	xa_erase(&dev->mrs, mr->slot);
	weft_mr_free_mem(dev, mr);
	kfree(mr);
}

/* The response follows the drain token: nothing in flight touches the memory any more. */
static int weft_mr_take_back(struct weft_dev *dev, struct weft_mr *mr)
{
	struct weft_admin_msg msg = {};
	struct weft_kept *kept;

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_MR_SET);
	WEFT_PUT(msg.cmd, ADMIN_MR_STAG, mr->ibmr.lkey);
	WEFT_PUT(msg.cmd, ADMIN_MR_STATE, WEFT_TPT_STATE_FREE);
	WEFT_PUT(msg.cmd, ADMIN_MR_PAGE_LOG2, WEFT_MIN_PAGE_LOG2);
	kept = weft_take_back(dev, &msg, NULL, "a region was not taken back");
	if (IS_ERR(kept))
		return PTR_ERR(kept);
	if (kept)
		weft_keep_mr(dev, kept, mr);
	else
		weft_mr_release(dev, mr);
	return 0;
}

/* -EBUSY: windows are bound to it. A process that ends gives them back first, or the core asks again. */
int weft_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata)
{
	return weft_mr_take_back(to_weft_dev(ibmr->device), to_weft_mr(ibmr));
}

/* ---- memory windows ---- */

/* A number that is INVALID until a work request of its process binds it, of which nobody hears here. */
int weft_alloc_mw(struct ib_mw *ibmw, struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibmw->device);
	struct weft_mw *mw = to_weft_mw(ibmw);
	struct weft_mr *mr;
	int rc;

	if (!weft_has_mw(dev) ||
	    (udata && udata->inlen && !ib_is_udata_cleared(udata, 0, udata->inlen)))
		return -EOPNOTSUPP;
	mr = kzalloc(sizeof(*mr), GFP_KERNEL_ACCOUNT);
	if (!mr)
		return -ENOMEM;
	mr->kind = ibmw->type == IB_MW_TYPE_1 ? WEFT_TPT_TYPE_MW_1 : WEFT_TPT_TYPE_MW;
	mr->page_log2 = WEFT_MIN_PAGE_LOG2;
	rc = weft_mr_register(dev, mr, to_weft_pd(ibmw->pd)->pdn, WEFT_TPT_STATE_INVALID);
	if (rc) {
		kfree(mr);
		return rc;
	}
	mw->mr = mr;
	ibmw->rkey = mr->ibmr.lkey;
	if (mr->kind == WEFT_TPT_TYPE_MW) {
		mr->hold = to_weft_pd(ibmw->pd)->hold;
		refcount_inc(&mr->hold->refs);
		mutex_lock(&mr->hold->mw_lock);
		list_add(&mr->link, &mr->hold->mws);
		mutex_unlock(&mr->hold->mw_lock);
	}
	return 0;
}

/* Bound or not: its region counts it no longer. */
int weft_dealloc_mw(struct ib_mw *ibmw)
{
	return weft_mr_take_back(to_weft_dev(ibmw->device), to_weft_mw(ibmw)->mr);
}

/* The number of a queue pair that is gone: nobody's until no window is bound for it. */
struct weft_gone {
	struct list_head link;
	struct weft_hold *pd;		/* referenced */
	u32 qpn;
};

struct weft_mws {
	struct weft_dev *dev;
	struct weft_hold *pd;
	struct weft_mr *last;		/* NULL: none yet */
};

static void *weft_mws_next(void *ctx, struct weft_admin_msg *msg)
{
	struct weft_mws *m = ctx;

	m->last = m->last ? list_next_entry(m->last, link) :
			    list_first_entry(&m->pd->mws, struct weft_mr, link);
	if (list_entry_is_head(m->last, &m->pd->mws, link) || weft_core_dead(m->dev->core))
		return NULL;
	weft_mr_put(m->dev, msg, m->last, m->pd->number, WEFT_TPT_STATE_INVALID);
	WEFT_PUT(msg->cmd, ADMIN_MR_FLAGS, WEFT_MR_OF_GONE);
	return m->last;
}

/* What timed out is INVALID all the same. */
static void weft_mws_done(void *ctx, void *of, const struct weft_admin_msg *msg, int rc)
{
	struct weft_mws *m = ctx;

	if (rc && rc != -ETIMEDOUT)
		weft_core_quiesce(m->dev->core, "a window was not taken from its QP");
}

/*
 * Takes all windows of a domain from queue pairs that are gone. The card looks whether one was bound by such a one, so all are asked
 * about. One that is being given back is among them until the card has let go of it: then it is FREE, and nothing is done to it; and
 * its slot is not another's before it has left the list.
 */
static void weft_mws_of_gone(struct weft_dev *dev, struct weft_hold *pd)
{
	struct weft_mws ctx = { .dev = dev, .pd = pd };
	const struct weft_many many = {
		.places = &dev->mw_places,
		.most = WEFT_MW_PLACES,
		.next = weft_mws_next,
		.done = weft_mws_done,
		.ctx = &ctx,
	};

	mutex_lock(&pd->mw_lock);
	if (!list_empty(&pd->mws))
		weft_many(dev, &many);
	mutex_unlock(&pd->mw_lock);
}

/* One look at a domain's windows serves all of its queue pairs that were gone when it began. */
static void weft_gone_work(struct work_struct *work)
{
	struct weft_dev *dev = container_of(work, struct weft_dev, gone_work);
	struct weft_gone *g, *next;
	LIST_HEAD(todo);

	mutex_lock(&dev->gone_lock);
	list_splice_init(&dev->gone, &todo);
	mutex_unlock(&dev->gone_lock);
	while (!list_empty(&todo)) {
		struct weft_hold *pd = list_first_entry(&todo, struct weft_gone, link)->pd;

		refcount_inc(&pd->refs);
		weft_mws_of_gone(dev, pd);
		list_for_each_entry_safe(g, next, &todo, link) {
			if (g->pd != pd)
				continue;
			list_del(&g->link);
			xa_erase_irq(&dev->qps, g->qpn);
			weft_hold_put(g->pd);
			kfree(g);
		}
		weft_hold_put(pd);
		cond_resched();
	}
}

/* Who destroys a queue pair and goes on may bind its windows anew, or give back their regions: it waits. */
static bool weft_goes_on(struct weft_dev *dev)
{
	return !(current->flags & (PF_EXITING | PF_KTHREAD)) && !fatal_signal_pending(current) &&
	       READ_ONCE(dev->registered);
}

/*
 * A queue pair is gone, and its number is free when nobody who gets it would own windows that were bound by it. That takes a command
 * for each window of the domain. A process that ends does not wait for them: with many of both it would, for each of its queue pairs.
 */
void weft_qpn_free(struct weft_dev *dev, u32 qpn, struct weft_hold *pd)
{
	struct weft_gone *g;
	bool now = weft_goes_on(dev);

	/* what it has bound is there by now, and stays until it is given back */
	if (now)
		weft_mws_of_gone(dev, pd);
	if (now || list_empty(&pd->mws)) {
		xa_erase_irq(&dev->qps, qpn);
		return;
	}
	g = kzalloc(sizeof(*g), GFP_KERNEL | __GFP_NOFAIL);
	g->pd = pd;
	g->qpn = qpn;
	refcount_inc(&pd->refs);
	mutex_lock(&dev->gone_lock);
	list_add_tail(&g->link, &dev->gone);
	mutex_unlock(&dev->gone_lock);
	queue_work(dev->wq, &dev->gone_work);
}

/* All numbers of queue pairs that are gone by now are free behind it. */
void weft_qpn_settle(struct weft_dev *dev)
{
	flush_work(&dev->gone_work);
}

void weft_qpn_init(struct weft_dev *dev)
{
	mutex_init(&dev->gone_lock);
	INIT_LIST_HEAD(&dev->gone);
	INIT_WORK(&dev->gone_work, weft_gone_work);
}
