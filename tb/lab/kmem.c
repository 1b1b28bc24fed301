// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A kernel consumer that registers memory by its send queue, for tb/lab/storage.test: two of them, each on a host of its own.
 * What it finds is in the kernel's log, a line for each case: 'kmem: ok NAME' or 'kmem: not ok NAME: what was seen'.
 *
 *   insmod kmem.ko                         listens
 *   insmod kmem.ko peer=0x0a000002         connects to 10.0.0.2
 *
 * Who connects lends pages that lie apart, registered by a REG_MR in front of the Send that tells of them. Who listens reads them
 * by a Read with Invalidate into pages registered in the same way, compares, writes others there by local_dma_lkey, the last of them
 * with an immediate, which takes a receive of its own, and answers by a Send, or by a Send with Invalidate; after a Send the lender invalidates by LOCAL_INV. In between it adds to and swaps
 * the first 8 bytes. At the end who listens reads once more.
 */
#include <linux/dma-mapping.h>
#include <linux/inet.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_cm.h>

#define PAGES 16
#define ROUNDS 12
#define PORT 7400
#define PATIENCE (60 * HZ)
#define BYTES (PAGES * PAGE_SIZE)

static uint peer;
module_param(peer, uint, 0444);

/* what the lender says: by name, where, and what it has filled it with */
struct note {
	__be64 addr;
	__be32 rkey, seed, invalidate, touch;
};

struct wait {
	struct ib_cqe cqe;
	struct completion done;
	struct ib_wc wc;
	int calls;
};

static struct task_struct *thread;
static struct rdma_cm_id *id, *listener;
static struct completion step;
static int step_event;
static struct ib_cq *cq;
static struct ib_pd *pd;
static struct ib_mr *mr;
static struct note *note;		/* what is sent, behind it what is received, and the value before an atomic */
static dma_addr_t note_dma;
static struct page *pages[PAGES];
static struct scatterlist sg[PAGES];
static struct wait sent, received;
static u32 told;			/* by the last immediate */

static void verdict(bool good, const char *name, int a, int b)
{
	if (good)
		pr_info("kmem: ok %s\n", name);
	else
		pr_info("kmem: not ok %s: %d, %d\n", name, a, b);
}

/* ---- pages ---- */

static u32 word(u32 seed, u32 i)
{
	return (seed + i) * 2654435761u ^ i >> 3;
}

static void fill(u32 seed)
{
	u32 i;

	for (i = 0; i < BYTES / 4; i++)
		((u32 *)page_address(pages[i * 4 / PAGE_SIZE]))[i % (PAGE_SIZE / 4)] = word(seed, i);
}

static bool holds(u32 seed)
{
	u32 i;

	for (i = 0; i < BYTES / 4; i++)
		if (((u32 *)page_address(pages[i * 4 / PAGE_SIZE]))[i % (PAGE_SIZE / 4)] != word(seed, i))
			return false;
	return true;
}

/* Every second page of what is allocated is given back: no two lie together. */
static int make_pages(struct ib_device *dev)
{
	struct page *between[PAGES];
	int i, rc = 0;

	sg_init_table(sg, PAGES);
	for (i = 0; i < PAGES; i++) {
		pages[i] = alloc_page(GFP_KERNEL);
		between[i] = alloc_page(GFP_KERNEL);
		if (!pages[i] || !between[i])
			rc = -ENOMEM;
		sg_set_page(&sg[i], pages[i], PAGE_SIZE, 0);
	}
	for (i = 0; i < PAGES; i++)
		if (between[i])
			__free_page(between[i]);
	return rc ? rc : ib_dma_map_sg(dev, sg, PAGES, DMA_BIDIRECTIONAL) == PAGES ? 0 : -EIO;
}

/* ---- work requests ---- */

static void done(struct ib_cq *c, struct ib_wc *wc)
{
	struct wait *w = container_of(wc->wr_cqe, struct wait, cqe);

	if (!wc->status && wc->opcode == IB_WC_RECV_RDMA_WITH_IMM) {
		told = wc->wc_flags == IB_WC_WITH_IMM ? be32_to_cpu(wc->ex.imm_data) : 0;
		return;
	}
	w->wc = *wc;
	w->calls++;
	complete(&w->done);
}

static void arm(struct wait *w)
{
	w->cqe.done = done;
	w->calls = 0;
	init_completion(&w->done);
}

static int finished(struct wait *w)
{
	if (!wait_for_completion_timeout(&w->done, PATIENCE))
		return -ETIMEDOUT;
	return w->wc.status ? 1000 + w->wc.status : 0;
}

static int post(struct ib_send_wr *wr)
{
	arm(&sent);
	return ib_post_send(id->qp, wr, NULL);
}

static int post_and_wait(struct ib_send_wr *wr)
{
	int rc = post(wr);

	return rc ? rc : finished(&sent);
}

static int post_receive(void)
{
	struct ib_sge sge = { note_dma + sizeof(*note), sizeof(*note), pd->local_dma_lkey };
	struct ib_recv_wr wr = { .wr_cqe = &received.cqe, .sg_list = &sge, .num_sge = 1 };

	arm(&received);
	return ib_post_recv(id->qp, &wr, NULL);
}

/* The list of pages under a new key, to be posted by the caller. */
static int prepare(struct ib_reg_wr *reg)
{
	int n = ib_map_mr_sg(mr, sg, PAGES, NULL, PAGE_SIZE);

	if (n != PAGES)
		return n < 0 ? n : -EIO;
	ib_update_fast_reg_key(mr, ib_inc_rkey(mr->rkey));
	*reg = (struct ib_reg_wr){
		.wr.opcode = IB_WR_REG_MR,
		.mr = mr,
		.key = mr->rkey,
		.access = IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_ATOMIC,
	};
	return 0;
}

/* @first, which may be NULL, and a Send of the note, in one list. */
static int send_note(struct ib_send_wr *first, u32 invalidate)
{
	struct ib_sge sge = { note_dma, sizeof(*note), pd->local_dma_lkey };
	struct ib_send_wr wr = {
		.wr_cqe = &sent.cqe, .sg_list = &sge, .num_sge = 1, .send_flags = IB_SEND_SIGNALED,
		.opcode = invalidate ? IB_WR_SEND_WITH_INV : IB_WR_SEND,
		.ex.invalidate_rkey = invalidate,
	};

	if (!first)
		return post_and_wait(&wr);
	first->next = &wr;
	return post_and_wait(first);
}

/* ---- who lends ---- */

static int lend(u32 seed, bool invalidate, bool touch)
{
	struct ib_reg_wr reg;
	int rc = prepare(&reg);

	if (rc)
		return rc;
	fill(seed);
	*note = (struct note){ cpu_to_be64(mr->iova), cpu_to_be32(mr->rkey), cpu_to_be32(seed),
			       cpu_to_be32(invalidate), cpu_to_be32(touch) };
	rc = post_receive(); /* of the immediate, then of the answer */
	if (!rc)
		rc = post_receive();
	return rc ? rc : send_note(&reg.wr, 0);
}

static int invalidate_here(void)
{
	struct ib_send_wr inv = {
		.wr_cqe = &sent.cqe, .opcode = IB_WR_LOCAL_INV, .send_flags = IB_SEND_SIGNALED,
		.ex.invalidate_rkey = mr->rkey,
	};
	int rc = post_and_wait(&inv);

	return rc ? rc : sent.wc.opcode == IB_WC_LOCAL_INV ? 0 : 2000 + sent.wc.opcode;
}

/* One round: lent, given back changed, taken back. */
static int one_round(u32 seed, bool by_peer)
{
	int rc = lend(seed, by_peer, false);

	if (!rc)
		rc = finished(&received);
	if (rc)
		return rc;
	if (told != seed + 1)
		return 4000;
	if (by_peer != !!(received.wc.wc_flags & IB_WC_WITH_INVALIDATE) ||
	    (by_peer && received.wc.ex.invalidate_rkey != mr->rkey))
		return 3000 + received.wc.wc_flags;
	if (!by_peer) {
		rc = invalidate_here();
		if (rc)
			return rc;
	}
	return holds(seed + 1) ? 0 : -EBADMSG;
}

/* What a driver has to refuse before it reaches the card. */
static void refusals(void)
{
	struct ib_sge sge[2] = {};
	struct ib_reg_wr key, rights, sges;
	struct ib_rdma_wr read = { .wr.opcode = IB_WR_RDMA_READ_WITH_INV, .wr.sg_list = sge, .wr.num_sge = 2 };
	struct ib_send_wr inv = { .opcode = IB_WR_LOCAL_INV, .sg_list = sge, .num_sge = 1 };
	struct ib_send_wr imm = { .opcode = IB_WR_SEND_WITH_IMM };
	struct ib_send_wr *bad[] = { &key.wr, &rights.wr, &sges.wr, &read.wr, &inv, &imm };
	int i, rc = prepare(&key);

	rights = key;
	sges = key;
	key.key ^= 1 << 8;
	rights.access |= IB_ZERO_BASED;
	sges.wr.num_sge = 1;
	for (i = 0; i < ARRAY_SIZE(bad) && !rc; i++) {
		int got = ib_post_send(id->qp, bad[i], NULL);

		if (got != -EINVAL)
			rc = got ? got : 1;
	}
	verdict(!rc, "requests that cannot be are refused", i, rc);
	verdict(ib_map_mr_sg(mr, sg, PAGES, NULL, 512) < 0, "pages that the card does not have", 0, 0);
}

static void lender(void)
{
	int i, rc = 0;

	refusals();
	for (i = 0; i < ROUNDS && !rc; i += 2)
		rc = one_round(100 * i, false);
	verdict(!rc, "lent, changed, and taken back by LOCAL_INV", i, rc);
	for (i = 1; i < ROUNDS && !rc; i += 2)
		rc = one_round(100 * i, true);
	verdict(!rc, "and by the peer's Send with Invalidate", i, rc);
	/* registered, invalidated at once, and then told of */
	if (!rc)
		rc = lend(7, false, false);
	if (!rc)
		rc = finished(&received);
	if (!rc)
		rc = invalidate_here();
	if (!rc) {
		*note = (struct note){ cpu_to_be64(mr->iova), cpu_to_be32(mr->rkey), 0, 0, cpu_to_be32(1) };
		rc = post_receive();
	}
	if (!rc)
		rc = send_note(NULL, 0);
	verdict(!rc, "told of what is invalid", 0, rc);
	rc = finished(&received);
	verdict(rc == 1000 + IB_WC_WR_FLUSH_ERR, "whose reader ends the connection", 0, rc);
}

/* ---- who borrows ---- */

static int read_lent(const struct note *n, struct ib_reg_wr *reg, struct ib_rdma_wr *read, struct ib_sge *sge)
{
	int rc = prepare(reg);

	*sge = (struct ib_sge){ mr->iova, BYTES, mr->lkey };
	*read = (struct ib_rdma_wr){
		.wr = { .wr_cqe = &sent.cqe, .sg_list = sge, .num_sge = 1, .send_flags = IB_SEND_SIGNALED,
			.opcode = IB_WR_RDMA_READ_WITH_INV, .ex.invalidate_rkey = mr->lkey },
		.remote_addr = be64_to_cpu(n->addr), .rkey = be32_to_cpu(n->rkey),
	};
	reg->wr.next = &read->wr;
	return rc ? rc : post_and_wait(&reg->wr);
}

/* @swap: NULL: adds @value. 0: what was there is @expect */
static int atomic_lent(const struct note *n, const u64 *swap, u64 value, u64 expect)
{
	struct ib_sge sge = { note_dma + 2 * sizeof(*note), 8, pd->local_dma_lkey };
	struct ib_atomic_wr wr = {
		.wr = { .wr_cqe = &sent.cqe, .sg_list = &sge, .num_sge = 1, .send_flags = IB_SEND_SIGNALED,
			.opcode = swap ? IB_WR_ATOMIC_CMP_AND_SWP : IB_WR_ATOMIC_FETCH_AND_ADD },
		.remote_addr = be64_to_cpu(n->addr), .rkey = be32_to_cpu(n->rkey), .compare_add = value, .swap = swap ? *swap : 0,
	};
	int rc = post_and_wait(&wr.wr);

	if (rc)
		return rc;
	if (sent.wc.opcode != (swap ? IB_WC_COMP_SWAP : IB_WC_FETCH_ADD) || sent.wc.byte_len != 8)
		return 5000 + sent.wc.opcode;
	return *(u64 *)&note[2] == expect ? 0 : -EBADMSG;
}

static int change_lent(const struct note *n)
{
	u32 seed = be32_to_cpu(n->seed);
	u64 first = word(seed, 0) | (u64)word(seed, 1) << 32, other = ~first;
	int rc = atomic_lent(n, NULL, 0x123456789ull, first);

	if (!rc) /* not equal: nothing changes */
		rc = atomic_lent(n, &other, first, first + 0x123456789ull);
	if (!rc)
		rc = atomic_lent(n, &other, first + 0x123456789ull, first + 0x123456789ull);
	return rc ? rc : atomic_lent(n, NULL, 0, other);
}

static int write_lent(const struct note *n)
{
	struct ib_rdma_wr wr[PAGES] = {};
	struct ib_sge sge[PAGES];
	int i;

	for (i = 0; i < PAGES; i++) {
		sge[i] = (struct ib_sge){ sg_dma_address(&sg[i]), PAGE_SIZE, pd->local_dma_lkey };
		wr[i].wr.opcode = IB_WR_RDMA_WRITE;
		wr[i].wr.sg_list = &sge[i];
		wr[i].wr.num_sge = 1;
		wr[i].rkey = be32_to_cpu(n->rkey);
		wr[i].remote_addr = be64_to_cpu(n->addr) + i * PAGE_SIZE;
		wr[i].wr.next = i < PAGES - 1 ? &wr[i + 1].wr : NULL;
	}
	wr[PAGES - 1].wr.send_flags = IB_SEND_SIGNALED;
	wr[PAGES - 1].wr.wr_cqe = &sent.cqe;
	wr[PAGES - 1].wr.opcode = IB_WR_RDMA_WRITE_WITH_IMM;
	wr[PAGES - 1].wr.ex.imm_data = cpu_to_be32(be32_to_cpu(n->seed) + 1);
	i = post_and_wait(&wr[0].wr);
	return i ? i : sent.wc.opcode == IB_WC_RDMA_WRITE ? 0 : 2000 + sent.wc.opcode;
}

static void borrower(void)
{
	struct ib_rdma_wr read;
	struct ib_reg_wr reg;
	struct ib_sge sge;
	struct note n = {};
	int i = 0, rc;

	for (;; i++) {
		rc = finished(&received);
		if (rc)
			break;
		n = note[1];
		if (n.touch)
			break;
		rc = post_receive();
		if (!rc)
			rc = read_lent(&n, &reg, &read, &sge);
		if (!rc && (sent.wc.opcode != IB_WC_RDMA_READ || !holds(be32_to_cpu(n.seed))))
			rc = -EBADMSG;
		fill(be32_to_cpu(n.seed) + 1);
		if (!rc)
			rc = change_lent(&n);
		if (!rc)
			rc = write_lent(&n);
		if (!rc)
			rc = send_note(NULL, n.invalidate ? be32_to_cpu(n.rkey) : 0);
		if (rc)
			break;
	}
	verdict(!rc && i == ROUNDS + 1, "Read with Invalidate, compared, added to and swapped, and written back", i, rc);
	fill(1);
	rc = read_lent(&n, &reg, &read, &sge);
	verdict(rc > 1000, "what is invalid is not read", i, rc);
	ib_drain_qp(id->qp);
	verdict(sent.calls == 1 && holds(1), "and its request completes once", sent.calls, 0);
}

/* ---- connection ---- */

static int set_up(struct rdma_cm_id *cm)
{
	struct ib_qp_init_attr attr = {
		.cap = { .max_send_wr = PAGES + 8, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
	};
	int rc;

	id = cm;
	pd = ib_alloc_pd(cm->device, 0);
	cq = ib_alloc_cq(cm->device, NULL, 64, 0, IB_POLL_WORKQUEUE);
	note = dma_alloc_coherent(cm->device->dma_device, 3 * sizeof(*note), &note_dma, GFP_KERNEL);
	if (IS_ERR(pd) || IS_ERR(cq) || !note)
		return -ENOMEM;
	attr.send_cq = cq;
	attr.recv_cq = cq;
	mr = ib_alloc_mr(pd, IB_MR_TYPE_MEM_REG, PAGES);
	if (IS_ERR(mr))
		return PTR_ERR(mr);
	rc = make_pages(cm->device);
	if (!rc)
		rc = rdma_create_qp(cm, pd, &attr);
	return rc ? rc : post_receive();
}

static void tear_down(void)
{
	struct ib_device *dev = id->device;
	int i;

	if (id->qp)
		rdma_destroy_qp(id);
	if (!IS_ERR_OR_NULL(mr))
		verdict(!ib_dereg_mr(mr), "given back", 0, 0);
	ib_dma_unmap_sg(dev, sg, PAGES, DMA_BIDIRECTIONAL);
	for (i = 0; i < PAGES; i++)
		if (pages[i])
			__free_page(pages[i]);
	dma_free_coherent(dev->dma_device, 3 * sizeof(*note), note, note_dma);
	ib_free_cq(cq);
	ib_dealloc_pd(pd);
}

static int on_event(struct rdma_cm_id *cm, struct rdma_cm_event *e)
{
	struct rdma_conn_param param = { .responder_resources = 4, .initiator_depth = 4 };
	int rc;

	if (e->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
		rc = id ? -EBUSY : set_up(cm);
		return rc ? rc : rdma_accept(cm, &param);
	}
	step_event = e->event;
	complete(&step);
	return 0;
}

static bool comes(int event)
{
	return wait_for_completion_timeout(&step, PATIENCE) && step_event == event;
}

static bool connects(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(peer) };
	struct rdma_conn_param param = { .responder_resources = 4, .initiator_depth = 4 };
	struct rdma_cm_id *cm = rdma_create_id(&init_net, on_event, NULL, RDMA_PS_TCP, IB_QPT_RC);

	if (IS_ERR(cm))
		return false;
	listener = cm; /* to be destroyed whatever comes */
	return !rdma_resolve_addr(cm, NULL, (struct sockaddr *)&to, 5000) && comes(RDMA_CM_EVENT_ADDR_RESOLVED) &&
	       !rdma_resolve_route(cm, 5000) && comes(RDMA_CM_EVENT_ROUTE_RESOLVED) && !set_up(cm) &&
	       !rdma_connect(cm, &param) && comes(RDMA_CM_EVENT_ESTABLISHED);
}

static bool is_connected(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(PORT) };

	listener = rdma_create_id(&init_net, on_event, NULL, RDMA_PS_TCP, IB_QPT_RC);
	return !IS_ERR(listener) && !rdma_bind_addr(listener, (struct sockaddr *)&at) && !rdma_listen(listener, 1) &&
	       comes(RDMA_CM_EVENT_ESTABLISHED);
}

static int run(void *arg)
{
	bool up = peer ? connects() : is_connected();

	verdict(up, "connection", step_event, 0);
	if (up && peer)
		lender();
	else if (up)
		borrower();
	if (id) {
		rdma_disconnect(id);
		tear_down();
		if (id != listener)
			rdma_destroy_id(id);
	}
	if (!IS_ERR_OR_NULL(listener))
		rdma_destroy_id(listener);
	pr_info("kmem: done\n");
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	return 0;
}

static int __init kmem_init(void)
{
	init_completion(&step);
	thread = kthread_run(run, NULL, "kmem");
	return PTR_ERR_OR_ZERO(thread);
}

static void __exit kmem_exit(void)
{
	kthread_stop(thread);
}

module_init(kmem_init);
module_exit(kmem_exit);
MODULE_DESCRIPTION("Test of weft_rdma by a kernel consumer that registers memory");
MODULE_LICENSE("Dual BSD/GPL");
