// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Device, port, user contexts, memory that user space maps, protection domains, counters.
 */
#include <linux/capability.h>
#include <linux/cc_platform.h>
#include <linux/cred.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/pci.h>
#include <linux/sched/signal.h>

#include "weft_rdma.h"

/* The clock that completions have their time of: a process maps no register of the card's. */
static int weft_answer_clock(struct weft_dev *dev, struct ib_udata *udata)
{
	struct weft_query_device_resp resp = {};
	u64 now;
	int rc;

	if (!udata->outlen)
		return 0;
	if (weft_has_stamp(dev) && udata->outlen >= sizeof(resp)) {
		rc = weft_core_now(dev->core, &now);
		if (rc)
			return rc;
		resp.comp_mask = WEFT_QUERY_DEVICE_CLOCK;
		resp.clock = now & WEFT_CQE_STAMP_MASK;
	}
	return ib_copy_to_udata(udata, &resp, min(sizeof(resp), udata->outlen));
}

int weft_query_device(struct ib_device *ibdev, struct ib_device_attr *attr,
		      struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibdev);
	const struct weft_caps *caps = dev->caps;
	struct pci_dev *pdev = weft_core_pdev(dev->core);
	int rc = weft_copy_req(udata, NULL, 0);

	if (rc)
		return rc;
	memset(attr, 0, sizeof(*attr));
	attr->fw_ver = weft_core_fw_version(dev->core);
	attr->sys_image_guid = ibdev->node_guid;
	attr->vendor_id = pdev->vendor;
	attr->vendor_part_id = pdev->device;
	attr->hw_ver = pdev->revision;
	attr->max_mr_size = WEFT_MAX_MR_SIZE; /* of whatever memory; what is of larger pages may be more */
	attr->page_size_cap = WEFT_PAGE_SIZES;
	attr->max_qp = caps->qps - 1;
	attr->max_qp_wr = WEFT_MAX_WR;
	attr->max_send_sge = WEFT_MAX_SGE;
	attr->max_recv_sge = WEFT_MAX_SGE;
	attr->max_sge_rd = 1;
	attr->max_cq = caps->cqs;
	if (caps->srqs) {
		attr->max_srq = caps->srqs;
		attr->max_srq_wr = WEFT_MAX_WR;
		attr->max_srq_sge = WEFT_MAX_SGE;
	}
	attr->max_cqe = weft_max_cqe(dev);
	attr->max_mr = caps->stags;
	attr->max_pd = (1 << WEFT_TPT_PD_WIDTH) - 1;
	attr->max_qp_rd_atom = caps->ird;
	attr->max_qp_init_rd_atom = caps->ord;
	attr->max_res_rd_atom = caps->ird * (caps->qps - 1);
	/* against each other on this card, not against the host's processors */
	attr->atomic_cap = weft_has_atomic(dev) ? IB_ATOMIC_HCA : IB_ATOMIC_NONE;
	attr->kernel_cap_flags = 0;
	if (weft_mem_mgt(dev)) {
		attr->device_cap_flags |= IB_DEVICE_MEM_MGT_EXTENSIONS;
		attr->max_fast_reg_page_list_len = WEFT_MAX_FAST_REG_PAGES;
		/* STag 0, which only queue pairs of the kernel may use */
		attr->kernel_cap_flags |= IBK_LOCAL_DMA_LKEY;
	}
	if (weft_has_mw(dev)) {
		attr->device_cap_flags |= IB_DEVICE_MEM_WINDOW | IB_DEVICE_MEM_WINDOW_TYPE_2B;
		attr->max_mw = caps->stags;
	}
	if (weft_has_moderation(dev)) {
		attr->cq_caps.max_cq_moderation_count = U16_MAX;
		attr->cq_caps.max_cq_moderation_period = U16_MAX;
	}
	if (weft_has_stamp(dev)) {
		BUILD_BUG_ON(WEFT_CQE_STAMP_MASK & (WEFT_CQE_STAMP_MASK + 1)); /* its low end is that of its word */
		attr->timestamp_mask = WEFT_CQE_STAMP_MASK;
		attr->hca_core_clock = WEFT_CLOCK_KHZ;
	}
	return weft_answer_clock(dev, udata);
}

int weft_query_port(struct ib_device *ibdev, u32 port, struct ib_port_attr *attr)
{
	struct weft_dev *dev = to_weft_dev(ibdev);
	bool up = netif_running(dev->netdev) && netif_carrier_ok(dev->netdev);

	attr->gid_tbl_len = 1;
	attr->max_msg_sz = WEFT_MAX_MSG;
	attr->port_cap_flags = IB_PORT_CM_SUP;
	attr->max_mtu = ib_mtu_int_to_enum(dev->netdev->max_mtu);
	attr->active_mtu = ib_mtu_int_to_enum(dev->netdev->mtu);
	attr->state = up ? IB_PORT_ACTIVE : IB_PORT_DOWN;
	attr->phys_state = up ? IB_PORT_PHYS_STATE_LINK_UP : IB_PORT_PHYS_STATE_DISABLED;
	return ib_get_eth_speed(ibdev, port, &attr->active_speed, &attr->active_width);
}

int weft_get_port_immutable(struct ib_device *ibdev, u32 port, struct ib_port_immutable *imm)
{
	struct ib_port_attr attr = {};
	int rc = ib_query_port(ibdev, port, &attr);

	if (rc)
		return rc;
	imm->gid_tbl_len = attr.gid_tbl_len;
	imm->core_cap_flags = RDMA_CORE_PORT_IWARP;
	return 0;
}

/* rdma_cm finds an iWARP device by the MAC in its only GID */
int weft_query_gid(struct ib_device *ibdev, u32 port, int index, union ib_gid *gid)
{
	memset(gid, 0, sizeof(*gid));
	ether_addr_copy(gid->raw, to_weft_dev(ibdev)->netdev->dev_addr);
	return 0;
}

void weft_get_fw_str(struct ib_device *ibdev, char *str)
{
	u32 version = weft_core_fw_version(to_weft_dev(ibdev)->core);

	snprintf(str, IB_FW_VERSION_NAME_MAX, "%u.%u.%u", version >> 24, version >> 16 & 0xff,
		 version & 0xffff);
}

/* ---- what a process asks for beside the verb's own ---- */

/*
 * The request of an older provider is shorter, one of a newer may be longer: what this driver does not know is to be
 * 0, for it would not be done.
 */
int weft_copy_req(struct ib_udata *udata, void *req, size_t bytes)
{
	if (udata->inlen > bytes && !ib_is_udata_cleared(udata, bytes, udata->inlen - bytes))
		return -EOPNOTSUPP;
	return ib_copy_from_udata(req, udata, min(bytes, udata->inlen));
}

/* ---- memory that user space maps ---- */

static struct weft_mmap_entry *to_weft_entry(struct rdma_user_mmap_entry *e)
{
	return container_of(e, struct weft_mmap_entry, rdma);
}

static size_t weft_piece_bytes(const struct weft_pages *p)
{
	return p->bytes >> p->log2;
}

static bool weft_piece_alloc(const struct weft_pages *p, struct weft_piece *piece, bool user,
			     gfp_t more)
{
	size_t bytes = weft_piece_bytes(p);

	if (user) {
		piece->page = dma_alloc_pages(p->dev, bytes, &piece->dma, DMA_BIDIRECTIONAL,
					      GFP_KERNEL_ACCOUNT | __GFP_NOWARN | more);
		piece->mem = piece->page ? page_address(piece->page) : NULL;
	} else {
		piece->mem = dma_alloc_coherent(p->dev, bytes, &piece->dma,
						GFP_KERNEL | __GFP_NOWARN | more);
	}
	return piece->mem;
}

static void weft_pieces_free(struct weft_pages *p)
{
	size_t bytes = weft_piece_bytes(p);
	int i;

	for (i = 0; i < WEFT_MAX_PIECES && p->piece[i].mem; i++) {
		struct weft_piece *piece = &p->piece[i];

		if (piece->page)
			dma_free_pages(p->dev, bytes, piece->page, piece->dma, DMA_BIDIRECTIONAL);
		else
			dma_free_coherent(p->dev, bytes, piece->mem, piece->dma);
		*piece = (struct weft_piece){};
	}
}

static bool weft_pieces_alloc(struct weft_pages *p, bool user, gfp_t more)
{
	int i;

	for (i = 0; i < 1 << p->log2; i++) {
		if (!weft_piece_alloc(p, &p->piece[i], user, more)) {
			weft_pieces_free(p);
			return false;
		}
	}
	return true;
}

/* Pages that are had for it: whole powers of two, in one piece or more. */
static long weft_pages_had(const struct weft_pages *p)
{
	return 1L << get_order(p->bytes);
}

static bool weft_pieces_last(const struct weft_pages *p, u32 most_log2)
{
	return p->log2 == most_log2 || !PAGE_ALIGNED(weft_piece_bytes(p) / 2);
}

/*
 * Rings of processes are never swapped, so they count against RLIMIT_MEMLOCK, whether an object of the card's is left that uses
 * them or only a mapping. They count for the user, as io_uring's do, and not for an address space, which a mapping may outlive (fork).
 * Who may lock what he likes is not counted.
 */
static bool weft_pages_charge(struct weft_pages *p)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	struct user_struct *user = current_user();
	long n = weft_pages_had(p), was;

	if (capable(CAP_IPC_LOCK))
		return true;
	was = atomic_long_read(&user->locked_vm);
	do {
		if (was + n > limit)
			return false;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, &was, was + n));
	p->payer = get_current_cred();
	return true;
}

static void weft_pages_uncharge(struct weft_pages *p)
{
	if (!p->payer)
		return;
	atomic_long_sub(weft_pages_had(p), &p->payer->user->locked_vm);
	put_cred(p->payer);
}

/*
 * In as few pieces as there is memory for, 2^@most_log2 at most. Nobody else's memory is turned over for fewer than there may
 * be.
 */
static struct weft_pages *weft_pages_alloc(struct device *dev, size_t bytes, u32 most_log2,
					   bool user)
{
	struct weft_pages *p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);

	if (!p)
		return NULL;
	refcount_set(&p->refs, 1);
	p->dev = dev;
	p->bytes = PAGE_ALIGN(bytes);
	if (user && !weft_pages_charge(p))
		goto err;
	for (; !weft_pieces_last(p, most_log2); p->log2++)
		if (weft_pieces_alloc(p, user, __GFP_NORETRY))
			return p;
	if (weft_pieces_alloc(p, user, 0))
		return p;
	weft_pages_uncharge(p);
err:
	kfree(p);
	return NULL;
}

void weft_pages_put(struct weft_pages *p)
{
	if (!p || !refcount_dec_and_test(&p->refs))
		return;
	weft_pieces_free(p);
	weft_pages_uncharge(p);
	kfree(p);
}

/* Maps @bytes at the page frame of @phys: a doorbell page, or a piece of @pages, which the mapping holds. */
static struct rdma_user_mmap_entry *weft_mmap_insert(struct ib_ucontext *ibuc,
						     struct weft_pages *pages, phys_addr_t phys,
						     size_t bytes, bool combine)
{
	struct weft_mmap_entry *e = kzalloc(sizeof(*e), GFP_KERNEL_ACCOUNT);
	int rc;

	if (!e)
		return ERR_PTR(-ENOMEM);
	e->phys = phys;
	e->bytes = bytes;
	e->combine = combine;
	e->pages = pages; /* now: a process may map a key that it guesses */
	rc = rdma_user_mmap_entry_insert(ibuc, &e->rdma, bytes);
	if (rc) {
		kfree(e);
		return ERR_PTR(rc);
	}
	if (pages) /* the caller's reference is there until then */
		refcount_inc(&pages->refs);
	return &e->rdma;
}

/* The driver has removed the entry, and the last mapping of it is gone or was zapped. */
void weft_mmap_free(struct rdma_user_mmap_entry *rdma_entry)
{
	struct weft_mmap_entry *e = to_weft_entry(rdma_entry);

	weft_pages_put(e->pages);
	kfree(e);
}

/*
 * Doorbell page and rings go through the same door: the VMA that rdma_user_mmap_io() makes holds a
 * reference on the entry, each copy of it by fork takes one more, and disassociate zaps them all. So
 * a process that keeps a mapping of a ring keeps its pages, and never sees those of somebody else. What the core maps is one
 * range of page frames, so each piece of a ring has an entry, and the process puts their mappings side by side.
 */
int weft_mmap(struct ib_ucontext *ibuc, struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *rdma_entry = rdma_user_mmap_entry_get(ibuc, vma);
	struct weft_mmap_entry *e;
	pgprot_t prot;
	int rc = -EINVAL;

	if (!rdma_entry)
		return -EINVAL;
	e = to_weft_entry(rdma_entry);
	prot = e->pages ? vma->vm_page_prot :
	       e->combine ? pgprot_writecombine(vma->vm_page_prot) :
			    pgprot_noncached(vma->vm_page_prot);
	if (vma->vm_flags & VM_SHARED && !(vma->vm_flags & VM_EXEC))
		rc = rdma_user_mmap_io(ibuc, vma, PHYS_PFN(e->phys), e->bytes, prot, rdma_entry);
	rdma_user_mmap_entry_put(rdma_entry);
	return rc;
}

/* What is promised at most: the ring has twice as many entries, see weft_cq_log2. */
u32 weft_max_cqe(const struct weft_dev *dev)
{
	return 1 << (min(WEFT_CQ_PIECE_LOG2 + dev->caps->cq_pieces, dev->caps->cq_log2) - 1);
}

/* Each piece is where its frames are, so that the user's side needs no sync functions. */
static bool weft_pages_mappable(const struct weft_pages *p)
{
	int i;

	for (i = 0; i < 1 << p->log2; i++)
		if (dma_need_sync(p->dev, p->piece[i].dma))
			return false;
	/* rdma_user_mmap_io() maps without the key of encrypted memory */
	return !cc_platform_has(CC_ATTR_HOST_MEM_ENCRYPT);
}

static void weft_ring_mem_unmap(struct weft_ring_mem *r)
{
	int i;

	for (i = 0; i < WEFT_MAX_PIECES; i++) {
		rdma_user_mmap_entry_remove(r->entry[i]);
		r->entry[i] = NULL;
	}
}

static int weft_ring_mem_map(struct weft_ring_mem *r, struct ib_ucontext *ibuc,
			     struct weft_pages *p)
{
	struct rdma_user_mmap_entry *e;
	int i;

	if (!weft_pages_mappable(p))
		return -EOPNOTSUPP;
	for (i = 0; i < 1 << p->log2; i++) {
		e = weft_mmap_insert(ibuc, p, page_to_phys(p->piece[i].page),
				     weft_piece_bytes(p), false);
		if (IS_ERR(e)) {
			weft_ring_mem_unmap(r);
			return PTR_ERR(e);
		}
		r->entry[i] = e;
	}
	return 0;
}

/*
 * The card wants a ring in one piece, or few, so a process's ring is the driver's memory, not its own. It
 * must be pages whose frames are known (coherent memory has none on some platforms), charged to the
 * process, and coherent, for nobody would call the sync functions for the user's side.
 */
int weft_ring_mem_alloc(struct weft_dev *dev, struct weft_ring_mem *r, size_t bytes,
			u32 most_log2, struct ib_ucontext *ibuc)
{
	struct weft_pages *p = weft_pages_alloc(dev->ibdev.dma_device, bytes, most_log2, ibuc);
	int rc;

	*r = (struct weft_ring_mem){};
	if (!p)
		return -ENOMEM;
	rc = ibuc ? weft_ring_mem_map(r, ibuc, p) : 0;
	if (rc) {
		weft_pages_put(p);
		return rc;
	}
	r->pages = p;
	r->mem = p->piece[0].mem;
	r->dma = p->piece[0].dma;
	return 0;
}

/* Takes the ring from its process; who gets its pages gives them back when the card has let go. */
struct weft_pages *weft_ring_mem_detach(struct weft_ring_mem *r)
{
	struct weft_pages *p = r->pages;

	weft_ring_mem_unmap(r);
	r->pages = NULL;
	r->mem = NULL;
	return p;
}

/* The card has let go of the ring. A process may still look at it: see weft_mmap_free. */
void weft_ring_mem_free(struct weft_ring_mem *r)
{
	weft_pages_put(weft_ring_mem_detach(r));
}

/* Of piece @i; 0: there is none. */
u64 weft_ring_mem_key(const struct weft_ring_mem *r, u32 i)
{
	return r->entry[i] ? rdma_user_mmap_get_offset(r->entry[i]) : 0;
}

/* ---- user contexts ---- */

/*
 * What of the card's a process may use through this driver, a line each. What the card can do besides is not told: the
 * provider would offer what nobody serves.
 */
#define WEFT_USER_FEATURES (BIT(WEFT_FEATURE_RDMA) | \
			    BIT(WEFT_FEATURE_SRQ) | \
			    BIT(WEFT_FEATURE_ATOMIC) | \
			    BIT(WEFT_FEATURE_MEM_MGT) | \
			    BIT(WEFT_FEATURE_IMM) | \
			    BIT(WEFT_FEATURE_CQE_STAMP) | \
			    BIT(WEFT_FEATURE_MW))

int weft_alloc_ucontext(struct ib_ucontext *ibuc, struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibuc->device);
	struct weft_ucontext *uc = to_weft_uc(ibuc);
	struct weft_alloc_ucontext_resp resp = {};
	struct weft_alloc_ucontext_req req = {};
	phys_addr_t phys;
	int page, rc;
	bool push;

	rc = weft_copy_req(udata, &req, sizeof(req));
	if (rc)
		return rc;
	if (req.comp_mask & ~WEFT_ALLOC_UCONTEXT_PUSH)
		return -EOPNOTSUPP;
	/*
	 * Who does not ask rings without fences. All of the page is write combining then: one frame has one memory
	 * type (a second mapping gets that of the first from x86's PAT, and is a mismatch on Arm).
	 */
	push = req.comp_mask & WEFT_ALLOC_UCONTEXT_PUSH &&
	       dev->caps->features & BIT(WEFT_FEATURE_PUSH) && arch_can_pci_mmap_wc();
	page = ida_alloc_range(&dev->db_pages, 1, dev->caps->db_pages - 1, GFP_KERNEL);
	if (page < 0)
		return page == -ENOSPC ? -ENOMEM : page;
	uc->db_page = page;
	phys = weft_core_db_phys(dev->core, page);
	/* two processes must not meet in one page of memory */
	if (dev->caps->db_stride % PAGE_SIZE || !PAGE_ALIGNED(phys)) {
		rc = -EOPNOTSUPP;
		goto err;
	}
	uc->db_entry = weft_mmap_insert(ibuc, NULL, phys, PAGE_SIZE, push);
	if (IS_ERR(uc->db_entry)) {
		rc = PTR_ERR(uc->db_entry);
		goto err;
	}
	resp.db_mmap_key = rdma_user_mmap_get_offset(uc->db_entry);
	resp.db_mmap_bytes = PAGE_SIZE;
	resp.hw_abi = WEFT_ABI_MAJOR << 16 | WEFT_ABI_MINOR;
	resp.features = dev->caps->features & WEFT_USER_FEATURES;
	if (push)
		resp.features |= BIT(WEFT_FEATURE_PUSH);
	resp.max_sq_stride = 1u << dev->caps->wqe_log2;
	resp.max_inline = WEFT_INLINE_LIMIT;
	rc = ib_copy_to_udata(udata, &resp, min(sizeof(resp), udata->outlen));
	if (!rc)
		return 0;
	rdma_user_mmap_entry_remove(uc->db_entry);
err:
	ida_free(&dev->db_pages, page);
	return rc;
}

void weft_dealloc_ucontext(struct ib_ucontext *ibuc)
{
	struct weft_ucontext *uc = to_weft_uc(ibuc);

	rdma_user_mmap_entry_remove(uc->db_entry);
	ida_free(&to_weft_dev(ibuc->device)->db_pages, uc->db_page);
}

/* the core has zapped the mappings; nothing else points into the process */
void weft_disassociate_ucontext(struct ib_ucontext *ibuc)
{
}

/* ---- protection domains ---- */

int weft_alloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibpd->device);
	struct weft_alloc_pd_resp resp = {};
	struct weft_pd *pd = to_weft_pd(ibpd);
	int pdn, rc;

	if (udata) { /* it has no request */
		rc = weft_copy_req(udata, NULL, 0);
		if (rc)
			return rc;
	}
	pdn = ida_alloc_range(&dev->pds, 1, (1 << WEFT_TPT_PD_WIDTH) - 1, GFP_KERNEL);
	if (pdn < 0)
		return pdn == -ENOSPC ? -ENOMEM : pdn;
	pd->pdn = pdn;
	pd->hold = weft_hold_new(&dev->pds, pdn);
	if (!pd->hold) {
		ida_free(&dev->pds, pdn);
		return -ENOMEM;
	}
	if (!udata)
		return 0;
	resp.pdn = pdn;
	rc = ib_copy_to_udata(udata, &resp, min(sizeof(resp), udata->outlen));
	if (rc)
		weft_hold_put(pd->hold);
	return rc;
}

int weft_dealloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	weft_hold_put(to_weft_pd(ibpd)->hold); /* a kept queue pair may hold it */
	return 0;
}
