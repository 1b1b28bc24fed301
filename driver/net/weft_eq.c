// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Event queues. Queue 0 carries everything but CQ completions and is handled in a thread, for its
 * events take sleeping locks; the others carry CQ completions and are handled in hard interrupt
 * context.
 */
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>

#include "weft.h"

static const __le64 *weft_eq_next(struct weft_eq *eq)
{
	const __le64 *eqe = eq->ring + (eq->ci & ((1 << WEFT_EQ_LOG2) - 1)) * WEFT_WORDS(EQE);

	if (WEFT_GET(eqe, EQE_PHASE) != !(eq->ci & (1 << WEFT_EQ_LOG2)))
		return NULL;
	dma_rmb(); /* the body is older than the phase bit */
	return eqe;
}

static void weft_eq_arm(struct weft_eq *eq)
{
	__le64 db = 0;

	WEFT_PUT(&db, DB_CQ_ID, eq->eqn);
	WEFT_PUT(&db, DB_CQ_ARM, WEFT_ARM_NEXT);
	WEFT_PUT(&db, DB_CQ_INDEX, eq->ci);
	weft_core_doorbell(eq->core, WEFT_DB_EQ, &db);
}

static void weft_eq_async(struct weft_core *core, const __le64 *eqe)
{
	const struct weft_client *client;

	switch (WEFT_GET(eqe, EQE_KIND)) {
	case WEFT_EQE_TYPE_LINK:
		weft_netdev_link(core, WEFT_GET(eqe, EQE_CODE));
		break;
	case WEFT_EQE_TYPE_FW_FAULT:
		weft_core_quiesce(core, "firmware fault");
		return;
	case WEFT_EQE_TYPE_EQ_OVERFLOW:
		dev_err_ratelimited(&core->pdev->dev, "%llu events were lost\n",
				    WEFT_GET(eqe, EQE_ID));
		break;
	default:
		break;
	}
	mutex_lock(&core->client_lock);
	client = rcu_dereference_protected(core->client, lockdep_is_held(&core->client_lock));
	if (client)
		client->event(core->client_ctx, eqe);
	mutex_unlock(&core->client_lock);
}

static irqreturn_t weft_eq_async_thread(int irq, void *data)
{
	struct weft_eq *eq = data;
	const __le64 *eqe;

	while ((eqe = weft_eq_next(eq))) {
		weft_eq_async(eq->core, eqe);
		eq->ci++;
	}
	weft_eq_arm(eq); /* fires again at once if something came meanwhile */
	return IRQ_HANDLED;
}

static irqreturn_t weft_eq_cq_irq(int irq, void *data)
{
	struct weft_eq *eq = data;
	const struct weft_client *client;
	const __le64 *eqe;

	rcu_read_lock();
	client = rcu_dereference(eq->core->client);
	while ((eqe = weft_eq_next(eq))) {
		if (client && WEFT_GET(eqe, EQE_KIND) == WEFT_EQE_TYPE_CQ_COMPLETION)
			client->cq_event(eq->core->client_ctx, WEFT_GET(eqe, EQE_ID));
		eq->ci++;
	}
	rcu_read_unlock();
	weft_eq_arm(eq);
	return IRQ_HANDLED;
}

static int weft_eq_create(struct weft_core *core, u32 eqn)
{
	struct weft_eq *eq = &core->eqs[eqn];
	struct weft_admin_msg msg = {};
	int rc;

	eq->core = core;
	eq->eqn = eqn;
	eq->ring = dma_alloc_coherent(&core->pdev->dev, WEFT_EQE_BYTES << WEFT_EQ_LOG2, &eq->dma,
				      GFP_KERNEL);
	if (!eq->ring)
		return -ENOMEM;
	eq->irq = pci_irq_vector(core->pdev, WEFT_VEC_EQ0 + eqn);
	snprintf(eq->name, sizeof(eq->name), "weft-eq%u", eqn);
	if (eqn)
		rc = request_irq(eq->irq, weft_eq_cq_irq, 0, eq->name, eq);
	else
		rc = request_threaded_irq(eq->irq, NULL, weft_eq_async_thread, IRQF_ONESHOT,
					  eq->name, eq);
	if (rc)
		goto err_ring;
	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_EQ_CREATE);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_ID, eqn);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_BASE, eq->dma);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_LOG2, WEFT_EQ_LOG2);
	WEFT_PUT(msg.cmd, ADMIN_QUEUE_VECTOR, WEFT_VEC_EQ0 + eqn);
	rc = weft_admin_exec(core, &msg);
	if (rc)
		goto err_irq;
	weft_eq_arm(eq);
	return 0;

err_irq:
	free_irq(eq->irq, eq);
err_ring:
	dma_free_coherent(&core->pdev->dev, WEFT_EQE_BYTES << WEFT_EQ_LOG2, eq->ring, eq->dma);
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
	dma_free_coherent(&core->pdev->dev, WEFT_EQE_BYTES << WEFT_EQ_LOG2, eq->ring, eq->dma);
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
