// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Memory regions. The table slot of an STag is its index modulo the table size; index and key are
 * random, so that an STag cannot be guessed from another (RFC 5042 6.1.1, RFC 5040 8.1.1).
 */
#include <linux/random.h>
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

static u8 weft_access(int access)
{
	u8 a = BIT(WEFT_ACCESS_LOCAL_READ);

	if (access & IB_ACCESS_LOCAL_WRITE)
		a |= BIT(WEFT_ACCESS_LOCAL_WRITE);
	if (access & IB_ACCESS_REMOTE_WRITE)
		a |= BIT(WEFT_ACCESS_REMOTE_WRITE) | BIT(WEFT_ACCESS_REMOTE_INV);
	if (access & IB_ACCESS_REMOTE_READ)
		a |= BIT(WEFT_ACCESS_REMOTE_READ) | BIT(WEFT_ACCESS_REMOTE_INV);
	return a;
}

static void weft_mr_start_cmd(struct weft_admin_msg *msg, struct weft_mr *mr, u32 pdn, int access)
{
	WEFT_PUT(msg->cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_MR_SET);
	WEFT_PUT(msg->cmd, ADMIN_MR_STAG, mr->ibmr.lkey);
	WEFT_PUT(msg->cmd, ADMIN_MR_STATE, WEFT_TPT_STATE_VALID);
	WEFT_PUT(msg->cmd, ADMIN_MR_KIND, WEFT_TPT_TYPE_MR);
	WEFT_PUT(msg->cmd, ADMIN_MR_ACCESS, weft_access(access));
	WEFT_PUT(msg->cmd, ADMIN_MR_PD, pdn);
}

/* All of memory, for kernel consumers without an IOMMU in the way: bus addresses as they are. */
struct ib_mr *weft_get_dma_mr(struct ib_pd *ibpd, int access)
{
	struct weft_dev *dev = to_weft_dev(ibpd->device);
	struct weft_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	struct weft_admin_msg msg = {};
	int rc;

	if (!mr)
		return ERR_PTR(-ENOMEM);
	rc = weft_mr_alloc_slot(dev, mr);
	if (rc)
		goto err_mr;
	mr->ibmr.lkey = weft_mr_make_stag(dev, mr->slot);
	mr->ibmr.rkey = mr->ibmr.lkey;
	weft_mr_start_cmd(&msg, mr, to_weft_pd(ibpd)->pdn, access);
	WEFT_PUT(msg.cmd, ADMIN_MR_PAGE_LOG2, WEFT_MAX_PAGE_LOG2);
	WEFT_PUT(msg.cmd, ADMIN_MR_LENGTH, ~0ull);
	WEFT_PUT(msg.cmd, ADMIN_MR_FLAGS, 1);
	rc = weft_admin_exec(dev->core, &msg);
	if (rc)
		goto err_slot;
	return &mr->ibmr;

err_slot:
	xa_erase(&dev->mrs, mr->slot);
err_mr:
	kfree(mr);
	return ERR_PTR(rc);
}

static int weft_mr_fill_pbl(struct weft_dev *dev, struct weft_mr *mr, unsigned long page_size)
{
	struct ib_block_iter iter;
	size_t n = ib_umem_num_dma_blocks(mr->umem, page_size);
	size_t i = 0;
	__le64 *p;

	if (n > U32_MAX)
		return -EINVAL;
	mr->pbl_bytes = ALIGN(n * sizeof(*mr->pbl), 64);
	mr->pbl = dma_alloc_coherent(dev->ibdev.dma_device, mr->pbl_bytes, &mr->pbl_dma,
				     GFP_KERNEL | __GFP_NOWARN);
	if (!mr->pbl)
		return -ENOMEM;
	p = mr->pbl;
	rdma_umem_for_each_dma_block(mr->umem, &iter, page_size)
		p[i++] = cpu_to_le64(rdma_block_iter_dma_address(&iter));
	return 0;
}

static void weft_mr_free_mem(struct weft_dev *dev, struct weft_mr *mr)
{
	if (mr->pbl)
		dma_free_coherent(dev->ibdev.dma_device, mr->pbl_bytes, mr->pbl, mr->pbl_dma);
	ib_umem_release(mr->umem);
}

static int weft_mr_register(struct weft_dev *dev, struct weft_mr *mr, u32 pdn, u64 virt, u64 length,
			    int access, unsigned long page_size)
{
	struct weft_admin_msg msg = {};
	size_t pages = ib_umem_num_dma_blocks(mr->umem, page_size);

	weft_mr_start_cmd(&msg, mr, pdn, access);
	WEFT_PUT(msg.cmd, ADMIN_MR_PAGE_LOG2, ilog2(page_size));
	WEFT_PUT(msg.cmd, ADMIN_MR_BASE, virt);
	WEFT_PUT(msg.cmd, ADMIN_MR_LENGTH, length);
	WEFT_PUT(msg.cmd, ADMIN_MR_FBO, virt & (page_size - 1));
	WEFT_PUT(msg.cmd, ADMIN_MR_PBL_COUNT, pages);
	if (pages == 1) { /* no page list to fetch */
		WEFT_PUT(msg.cmd, ADMIN_MR_FLAGS, 1);
		WEFT_PUT(msg.cmd, ADMIN_MR_PBL, le64_to_cpu(mr->pbl[0]));
	} else {
		WEFT_PUT(msg.cmd, ADMIN_MR_PBL, mr->pbl_dma);
	}
	return weft_admin_exec(dev->core, &msg);
}

struct ib_mr *weft_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 virt, int access,
			       struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibpd->device);
	unsigned long page_size;
	struct weft_mr *mr;
	int rc;

	if (udata->inlen && !ib_is_udata_cleared(udata, 0, udata->inlen))
		return ERR_PTR(-EOPNOTSUPP);
	access &= ~IB_ACCESS_OPTIONAL;
	if (access & ~(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ))
		return ERR_PTR(-EOPNOTSUPP);
	mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->umem = ib_umem_get(ibpd->device, start, length, access);
	if (IS_ERR(mr->umem)) {
		rc = PTR_ERR(mr->umem);
		kfree(mr);
		return ERR_PTR(rc);
	}
	rc = -EINVAL;
	page_size = ib_umem_find_best_pgsz(mr->umem,
					   GENMASK(WEFT_MAX_PAGE_LOG2, WEFT_MIN_PAGE_LOG2), virt);
	if (!page_size)
		goto err_mem;
	rc = weft_mr_fill_pbl(dev, mr, page_size);
	if (rc)
		goto err_mem;
	rc = weft_mr_alloc_slot(dev, mr);
	if (rc)
		goto err_mem;
	mr->ibmr.lkey = weft_mr_make_stag(dev, mr->slot);
	mr->ibmr.rkey = access & (IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ) ?
			mr->ibmr.lkey : 0;
	rc = weft_mr_register(dev, mr, to_weft_pd(ibpd)->pdn, virt, length, access, page_size);
	if (rc)
		goto err_slot;
	return &mr->ibmr;

err_slot:
	xa_erase(&dev->mrs, mr->slot);
err_mem:
	weft_mr_free_mem(dev, mr);
	kfree(mr);
	return ERR_PTR(rc);
}

/* The card has let go of it. */
void weft_mr_release(struct weft_dev *dev, struct weft_mr *mr)
{
	xa_erase(&dev->mrs, mr->slot);
	weft_mr_free_mem(dev, mr);
	kfree(mr);
}

/* The response follows the drain token: nothing in flight touches the memory any more. */
int weft_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata)
{
	struct weft_dev *dev = to_weft_dev(ibmr->device);
	struct weft_mr *mr = to_weft_mr(ibmr);
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_MR_SET);
	WEFT_PUT(msg.cmd, ADMIN_MR_STAG, ibmr->lkey);
	WEFT_PUT(msg.cmd, ADMIN_MR_STATE, WEFT_TPT_STATE_FREE);
	WEFT_PUT(msg.cmd, ADMIN_MR_PAGE_LOG2, WEFT_MIN_PAGE_LOG2);
	if (weft_take_back(dev, &msg, "a region was not taken back"))
		weft_keep_mr(dev, &msg, mr);
	else
		weft_mr_release(dev, mr);
	return 0;
}
