// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A kernel consumer of the verbs, for tb/lab/hostile.test. What it finds is in the kernel's log, a
 * line for each case: 'kverbs: ok NAME' or 'kverbs: not ok NAME: what was seen'.
 *
 *   insmod kverbs.ko mode=live    what is refused, drain, a CQ that gets other rings
 *   insmod kverbs.ko mode=reuse   completions that nobody polled before their QP was destroyed: takes
 *                                 as many QPs as the card has, until a number comes again
 *   insmod kverbs.ko mode=dead    waits until the card is dead, then drains
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <rdma/ib_verbs.h>

#define WEFT_DRIVER_ID 0x5746
#define RECVS 8

static char *mode = "live";
module_param(mode, charp, 0444);

static struct ib_device *device;
static struct ib_event_handler on_event;
static DECLARE_COMPLETION(fatal);
static struct task_struct *thread;

struct test_wr {
	struct ib_cqe cqe;
	enum ib_wc_status status;
	int done;
};

static struct test_wr wrs[RECVS];
static int order;

static void done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct test_wr *wr = container_of(wc->wr_cqe, struct test_wr, cqe);

	wr->status = wc->status;
	wr->done = ++order;
}

static void verdict(bool good, const char *name, int a, int b)
{
	if (good)
		pr_info("kverbs: ok %s\n", name);
	else
		pr_info("kverbs: not ok %s: %d, %d\n", name, a, b);
}

static struct ib_qp *new_qp(struct ib_pd *pd, struct ib_cq *cq)
{
	struct ib_qp_init_attr attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { .max_send_wr = RECVS * 2, .max_recv_wr = RECVS * 2, .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
	};

	return ib_create_qp(pd, &attr);
}

static int post(struct ib_qp *qp)
{
	int i, rc = 0;

	for (i = 0; i < RECVS && !rc; i++) {
		struct ib_recv_wr wr = { .wr_cqe = &wrs[i].cqe };

		wrs[i] = (struct test_wr){ .cqe.done = done };
		rc = ib_post_recv(qp, &wr, NULL);
	}
	return rc;
}

static int to_error(struct ib_qp *qp)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };

	return ib_modify_qp(qp, &attr, IB_QP_STATE);
}

static bool in_order(void)
{
	int i;

	for (i = 0; i < RECVS; i++)
		if (wrs[i].done != i + 1 || wrs[i].status != IB_WC_WR_FLUSH_ERR)
			return false;
	return true;
}

/* A QP goes with completions in its CQ; another of its number must not get them. */
static void unpolled(struct ib_pd *pd)
{
	struct ib_cq *cq = ib_alloc_cq(device, NULL, 64, 0, IB_POLL_DIRECT);
	struct ib_qp *qp;
	struct ib_wc wc;
	int i, n = 0;
	u32 qpn;

	if (IS_ERR(cq))
		return;
	qp = new_qp(pd, cq);
	if (IS_ERR(qp))
		goto out;
	qpn = qp->qp_num;
	if (post(qp) || to_error(qp))
		pr_info("kverbs: not ok setting the scene\n");
	msleep(1000);
	ib_destroy_qp(qp);
	for (i = 0; i < 5000; i++) {
		qp = new_qp(pd, cq);
		if (IS_ERR(qp))
			break;
		if (qp->qp_num == qpn) {
			while (ib_poll_cq(cq, 1, &wc) > 0)
				n++;
			verdict(!n, "completions go with their QP", n, RECVS);
			ib_destroy_qp(qp);
			break;
		}
		ib_destroy_qp(qp);
	}
out:
	ib_free_cq(cq);
}

static void drain(struct ib_pd *pd, bool dead)
{
	struct ib_cq *cq = ib_alloc_cq(device, NULL, 64, 0, IB_POLL_SOFTIRQ);
	struct ib_qp *qp;

	if (IS_ERR(cq))
		return;
	qp = new_qp(pd, cq);
	if (IS_ERR(qp))
		goto out;
	order = 0;
	if (post(qp))
		pr_info("kverbs: not ok setting the scene\n");
	if (dead) {
		pr_info("kverbs: ready\n");
		wait_for_completion(&fatal);
	}
	ib_drain_qp(qp);
	verdict(in_order(), dead ? "drain of a dead card" : "drain", order, RECVS);
	ib_destroy_qp(qp);
out:
	ib_free_cq(cq);
}

/* Completions that wait move from ring to ring, some are polled on the way. */
static void resized(struct ib_pd *pd)
{
	static const int sizes[] = { 200, 16, RECVS, 4000, 40 };
	struct ib_cq *cq = ib_alloc_cq(device, NULL, 64, 0, IB_POLL_DIRECT);
	int i, k, n = 0, got, wrong = 0;
	struct ib_wc wc[3];
	struct ib_qp *qp;

	if (IS_ERR(cq))
		return;
	qp = new_qp(pd, cq);
	if (IS_ERR(qp))
		goto out;
	if (post(qp) || to_error(qp))
		pr_info("kverbs: not ok setting the scene\n");
	for (i = 0; i < 100 && ib_resize_cq(cq, RECVS - 1) != -EINVAL; i++)
		msleep(50); /* until all of them wait */
	verdict(i < 100, "fewer entries than wait are refused", i, 0);
	for (i = 0; i < 60; i++) {
		wrong += ib_resize_cq(cq, sizes[i % ARRAY_SIZE(sizes)]) != 0 ||
			 cq->cqe < sizes[i % ARRAY_SIZE(sizes)];
		got = i % 5 ? 0 : ib_poll_cq(cq, 1 + i % 3, wc);
		for (k = 0; k < got; k++, n++)
			wrong += n >= RECVS || wc[k].wr_cqe != &wrs[n].cqe;
	}
	verdict(!wrong && n == RECVS, "completions that wait go from ring to ring", wrong, n);
	ib_destroy_qp(qp);
out:
	ib_free_cq(cq);
}

/* A page list takes any size of page: nobody cuts memory into pieces for it. */
static void segments(void)
{
	unsigned int max = ib_dma_max_seg_size(device);

	verdict(max >= SZ_1G, "segments as large as pages may be", max, SZ_1G);
}

/* What each of these is refused with; all of them would be taken by a driver that does not look. */
static void refusals(struct ib_pd *pd)
{
	static const struct { const char *what; enum ib_wr_opcode op; int flags, n; u32 length; } bad[] = {
		{ "too many elements", IB_WR_SEND, 0, 7, 1 },
		{ "fewer than none", IB_WR_SEND, 0, -1, 1 },
		{ "longer than a message", IB_WR_SEND, 0, 2, 0x7fffffff },
		{ "inline, too long", IB_WR_SEND, IB_SEND_INLINE, 1, 4096 },
		{ "inline, long around 32 bits", IB_WR_SEND, IB_SEND_INLINE, 2, 0xfffffff8 },
		{ "a Read of two elements", IB_WR_RDMA_READ, 0, 2, 1 },
		{ "an inline Read", IB_WR_RDMA_READ, IB_SEND_INLINE, 1, 1 },
		{ "a checksum", IB_WR_SEND, IB_SEND_IP_CSUM, 1, 1 },
		{ "a flag of nobody", IB_WR_SEND, 1 << 20, 1, 1 },
		{ "an atomic of two elements", IB_WR_ATOMIC_CMP_AND_SWP, 0, 2, 4 },
		{ "one of 4 bytes", IB_WR_ATOMIC_FETCH_AND_ADD, 0, 1, 4 },
		{ "one without an element", IB_WR_ATOMIC_FETCH_AND_ADD, 0, 0, 8 },
		{ "one in line", IB_WR_ATOMIC_CMP_AND_SWP, IB_SEND_INLINE, 1, 8 },
		{ "one with masks", IB_WR_MASKED_ATOMIC_FETCH_AND_ADD, 0, 1, 8 },
		{ "a registration with integrity", IB_WR_REG_MR_INTEGRITY, 0, 0, 0 },
	};
	static u8 bytes[8];
	struct ib_cq *cq = ib_alloc_cq(device, NULL, 64, 0, IB_POLL_DIRECT);
	int i, rc, wrong = -1, seen = 0;
	struct ib_qp *qp;

	if (IS_ERR(cq))
		return;
	qp = new_qp(pd, cq);
	if (IS_ERR(qp))
		goto out;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct ib_sge sge[8] = {};
		struct ib_atomic_wr good = { .wr.opcode = IB_WR_SEND }, wr = {
			.wr.opcode = bad[i].op, .wr.send_flags = bad[i].flags, .wr.sg_list = sge,
			.wr.num_sge = bad[i].n,
		};
		const struct ib_send_wr *at = NULL;
		int k;

		for (k = 0; k < ARRAY_SIZE(sge); k++)
			sge[k] = (struct ib_sge){ .addr = (uintptr_t)bytes, .length = bad[i].length };
		if (i == 4) /* the first one fits */
			sge[0].length = 8;
		good.wr.next = &wr.wr;
		rc = ib_post_send(qp, &good.wr, &at);
		if (rc != -EINVAL || at != &wr.wr) {
			pr_info("kverbs: %s: %d\n", bad[i].what, rc);
			wrong = i;
			seen = rc;
		}
	}
	verdict(wrong < 0, "requests that cannot be are refused", wrong, seen);
	for (i = 0, rc = -EINVAL; i < 3 && rc == -EINVAL; i++) {
		struct ib_sge sge[8] = { { .length = 0x7fffffff }, { .length = 1 } };
		struct ib_recv_wr wr = { .sg_list = sge, .num_sge = ((int[]){ 2, 7, -1 })[i] };
		const struct ib_recv_wr *at = NULL;

		rc = ib_post_recv(qp, &wr, &at);
		if (at != &wr)
			rc = 1;
	}
	verdict(rc == -EINVAL, "and receives", i, rc);
	ib_destroy_qp(qp);
out:
	ib_free_cq(cq);
}

static int run(void *arg)
{
	struct ib_pd *pd = ib_alloc_pd(device, 0);

	if (!IS_ERR(pd)) {
		if (!strcmp(mode, "dead")) {
			drain(pd, true);
		} else if (!strcmp(mode, "reuse")) {
			unpolled(pd);
		} else {
			segments();
			refusals(pd);
			drain(pd, false);
			resized(pd);
		}
		ib_dealloc_pd(pd);
	}
	pr_info("kverbs: done\n");
	while (!kthread_should_stop())
		msleep(50);
	return 0;
}

static void event(struct ib_event_handler *h, struct ib_event *e)
{
	if (e->event == IB_EVENT_DEVICE_FATAL)
		complete_all(&fatal);
}

static int add(struct ib_device *dev)
{
	if (dev->ops.driver_id != WEFT_DRIVER_ID || device)
		return -EOPNOTSUPP;
	device = dev;
	INIT_IB_EVENT_HANDLER(&on_event, dev, event);
	ib_register_event_handler(&on_event);
	thread = kthread_run(run, NULL, "kverbs");
	return 0;
}

static void gone(struct ib_device *dev, void *data)
{
	complete_all(&fatal);
	if (!IS_ERR_OR_NULL(thread))
		kthread_stop(thread);
	thread = NULL;
	ib_unregister_event_handler(&on_event);
	device = NULL;
}

static struct ib_client client = { .name = "kverbs", .add = add, .remove = gone };

static int __init kverbs_init(void)
{
	return ib_register_client(&client);
}

static void __exit kverbs_exit(void)
{
	ib_unregister_client(&client);
}

module_init(kverbs_init);
module_exit(kverbs_exit);
MODULE_DESCRIPTION("Test of weft_rdma by a kernel consumer");
MODULE_LICENSE("Dual BSD/GPL");
