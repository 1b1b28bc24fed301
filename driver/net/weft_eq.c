// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Event queues. Queue 0 carries everything but CQ completions and is handled in a thread, for its
 * events take sleeping locks; the others carry CQ completions and are handled in hard interrupt
 * context, up to a batch at a time. No process can put an entry into queue 0 by a doorbell.
 */
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>

#include "weft.h"

#define WEFT_EQ_BATCH 64
#define WEFT_SETTLE_TIMEOUT (2 * HZ)

static const __le64 *weft_eq_at(const struct weft_eq *eq, u32 ci)
{
	const __le64 *eqe = eq->ring + (ci & ((1 << eq->log2) - 1)) * WEFT_WORDS(EQE);

	return WEFT_GET(eqe, EQE_PHASE) == !(ci & (1 << eq->log2)) ? eqe : NULL;
}

static const __le64 *weft_eq_next(struct weft_eq *eq)
{
	const __le64 *eqe = weft_eq_at(eq, eq->ci);

	if (!eqe)
		return NULL;
	dma_rmb(); /* the body is older than the phase bit */
	return eqe;
}

static void weft_eq_doorbell(struct weft_eq *eq, u32 arm)
{
	__le64 db = 0;

	WEFT_PUT(&db, DB_CQ_ID, eq->eqn);
	WEFT_PUT(&db, DB_CQ_ARM, arm);
	WEFT_PUT(&db, DB_CQ_INDEX, eq->ci);
	weft_core_doorbell(eq->core, WEFT_DB_EQ, &db);
}

/*
 * What was lost is asked for again: the state of the link here, CQs and connections by the client.
 * The queue for events is large enough that only a card gone wild gets here; that of CQ events can
 * be flooded by a process that arms its CQs in a loop, and costs the others of that queue a call too many,
 * now and then.
 */
static void weft_eq_lost(struct weft_eq *eq, const __le64 *eqe)
{
	struct weft_core *core = eq->core;

	atomic64_add(WEFT_GET(eqe, EQE_ID), &core->lost_events);
	dev_warn_ratelimited(&core->pdev->dev, "event queue %u lost %llu events, asking again\n",
			     eq->eqn, WEFT_GET(eqe, EQE_ID));
	weft_client_note(core, WEFT_NOTE_LOST + eq->eqn);
}

/* ---- queue 0 ---- */

static void weft_eq_async(struct weft_eq *eq, const __le64 *eqe)
{
	struct weft_core *core = eq->core;

	switch (WEFT_GET(eqe, EQE_KIND)) {
	case WEFT_EQE_TYPE_LINK:
		weft_netdev_link(core);
		break;
	case WEFT_EQE_TYPE_FW_FAULT:
		weft_core_quiesce(core, "firmware fault");
		return;
	case WEFT_EQE_TYPE_EQ_OVERFLOW:
		weft_eq_lost(eq, eqe);
		return;
	default:
		break;
	}
	weft_client_event(core, eqe);
}

static irqreturn_t weft_eq_async_thread(int irq, void *data)
{
	struct weft_eq *eq = data;
	const __le64 *eqe;

	while ((eqe = weft_eq_next(eq))) {
		weft_eq_async(eq, eqe);
		smp_store_release(&eq->ci, eq->ci + 1); /* it is handled: weft_eq_settled */
		wake_up(&eq->settled);
		weft_eq_doorbell(eq, WEFT_ARM_NONE); /* an event may take long: its room is free */
	}
	weft_eq_doorbell(eq, WEFT_ARM_NEXT); /* fires again at once if something came meanwhile */
	return IRQ_HANDLED;
}

/* All before @to is handled. */
static bool weft_eq_settled(const struct weft_eq *eq, u32 to)
{
	return (s32)(smp_load_acquire(&eq->ci) - to) >= 0; /* pairs with the thread's release */
}

/* Waits for what was posted before the call, however much comes behind it. */
void weft_core_settle(struct weft_core *core)
{
	struct weft_eq *eq = &core->eqs[0];
	u32 from = READ_ONCE(eq->ci);
	u32 to = from;

	/* where the next round begins to overwrite it, the thread is past it */
	while (to - from < 1 << eq->log2 && weft_eq_at(eq, to))
		to++;
	wait_event_timeout(eq->settled, weft_eq_settled(eq, to) || weft_core_dead(core),
			   WEFT_SETTLE_TIMEOUT);
}
EXPORT_SYMBOL_GPL(weft_core_settle);

/* ---- queues for CQs ---- */

/* Returns true when the queue is empty. */
static bool weft_eq_cqs(struct weft_eq *eq)
{
	const struct weft_client *client;
	const __le64 *eqe = NULL;
	int i;

	rcu_read_lock();
	client = rcu_dereference(eq->core->client);
	for (i = 0; i < WEFT_EQ_BATCH && (eqe = weft_eq_next(eq)); i++) {
		u32 kind = WEFT_GET(eqe, EQE_KIND);

		if (client && kind == WEFT_EQE_TYPE_CQ_COMPLETION)
			client->cq_event(eq->core->client_ctx, WEFT_GET(eqe, EQE_ID));
		else if (kind == WEFT_EQE_TYPE_EQ_OVERFLOW)
			weft_eq_lost(eq, eqe);
		eq->ci++; /* CQ_ERROR stands in queue 0 as well, from firmware */
	}
	rcu_read_unlock();
	return !eqe;
}

/* A process that floods its queue takes time of a worker, not of the interrupt. */
static void weft_eq_work(struct work_struct *work)
{
	struct weft_eq *eq = container_of(work, struct weft_eq, work);

	while (!weft_eq_cqs(eq)) {
		weft_eq_doorbell(eq, WEFT_ARM_NONE);
		cond_resched();
	}
	weft_eq_doorbell(eq, WEFT_ARM_NEXT);
}

static irqreturn_t weft_eq_cq_irq(int irq, void *data)
{
	struct weft_eq *eq = data;

	if (weft_eq_cqs(eq)) {
		weft_eq_doorbell(eq, WEFT_ARM_NEXT);
	} else {
		weft_eq_doorbell(eq, WEFT_ARM_NONE); /* not armed: the queue is the work's now */
		queue_work(system_highpri_wq, &eq->work);
	}
	return IRQ_HANDLED;
}

/* ---- creation ---- */

static int weft_eq_command(struct weft_eq *eq)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_EQ_CREATE);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_ID, eq->eqn);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_BASE, eq->dma);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_LOG2, eq->log2);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_VECTOR, WEFT_VEC_EQ0 + eq->eqn);
	return weft_admin_exec(eq->core, &msg);
}

/* Once; a card that dies and comes back uses it again: memory may be short then. */
static int weft_eq_alloc(struct weft_eq *eq, size_t bytes)
{
	struct device *dev = &eq->core->pdev->dev;

	if (eq->ring && eq->bytes != bytes) {
		dmam_free_coherent(dev, eq->bytes, eq->ring, eq->dma);
		eq->ring = NULL;
	}
	if (!eq->ring)
		eq->ring = dmam_alloc_coherent(dev, bytes, &eq->dma, GFP_KERNEL);
	if (!eq->ring)
		return -ENOMEM;
	eq->bytes = bytes;
	memset(eq->ring, 0, bytes); /* phase bits */
	return 0;
}

static int weft_eq_create(struct weft_core *core, u32 eqn)
{
	struct weft_eq *eq = &core->eqs[eqn];
	int rc;

	eq->core = core;
	eq->eqn = eqn;
	eq->log2 = weft_eq_log2(core, eqn);
	eq->ci = 0;
	INIT_WORK(&eq->work, weft_eq_work);
	init_waitqueue_head(&eq->settled);
	rc = weft_eq_alloc(eq, WEFT_EQE_BYTES << eq->log2);
	if (rc)
		return rc;
	eq->irq = pci_irq_vector(core->pdev, WEFT_VEC_EQ0 + eqn);
	snprintf(eq->name, sizeof(eq->name), "weft-eq%u", eqn);
	if (eqn)
		rc = request_irq(eq->irq, weft_eq_cq_irq, 0, eq->name, eq);
	else
		rc = request_threaded_irq(eq->irq, NULL, weft_eq_async_thread, IRQF_ONESHOT,
					  eq->name, eq);
	if (rc)
		return rc;
	rc = weft_eq_command(eq);
	if (rc)
		goto err_irq;
	weft_eq_doorbell(eq, WEFT_ARM_NEXT);
	return 0;

err_irq:
	free_irq(eq->irq, eq);
	return rc;
}

static void weft_eq_destroy(struct weft_core *core, u32 eqn)
{
	struct weft_eq *eq = &core->eqs[eqn];
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_EQ_DESTROY);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_ID, eqn);
	if (weft_admin_exec(core, &msg))
		weft_core_quiesce(core, "an event queue was not destroyed");
	free_irq(eq->irq, eq);
	cancel_work_sync(&eq->work);
}

int weft_eqs_create(struct weft_core *core)
{
	int rc;
	u32 i;

	for (i = 0; i < core->n_eqs; i++) {
		rc = weft_eq_create(core, i);
		if (rc)
			goto err;
	}
	return 0;

err:
	while (i--)
		weft_eq_destroy(core, i);
	return rc;
}

void weft_eqs_destroy(struct weft_core *core)
{
	u32 i = core->n_eqs;

	while (i--)
		weft_eq_destroy(core, i);
}

u32 weft_core_cq_eqs(const struct weft_core *core)
{
	return core->n_eqs - 1;
}
EXPORT_SYMBOL_GPL(weft_core_cq_eqs);

u32 weft_core_cq_eqn(const struct weft_core *core, u32 i)
{
	return 1 + i % (core->n_eqs - 1);
}
EXPORT_SYMBOL_GPL(weft_core_cq_eqn);
