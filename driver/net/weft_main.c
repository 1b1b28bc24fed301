// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Probe and remove, and what brings the card up and down between them: recovery, suspend, bus errors.
 */
#include <linux/dma-mapping.h>
#include <linux/idr.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/sizes.h>

#include "weft.h"

#define WEFT_BAR_REGS 0
#define WEFT_BAR_DB 2
#define WEFT_MAX_SEGMENT SZ_2G /* a multiple of the largest page of a page list */

static DEFINE_IDA(weft_ida);

/* ---- probe ---- */

static int weft_check_identity(struct weft_core *core)
{
	u32 id = weft_rd(core, WEFT_REG_ID), version = weft_rd(core, WEFT_REG_VERSION);

	if (id != WEFT_MAGIC)
		return dev_err_probe(&core->pdev->dev, -ENODEV, "no card answers (%#x)\n", id);
	if (version >> 16 != WEFT_ABI_MAJOR)
		return dev_err_probe(&core->pdev->dev, -ENODEV,
				     "the card speaks interface version %u, this driver %u\n",
				     version >> 16, WEFT_ABI_MAJOR);
	return 0;
}

static void weft_read_caps(struct weft_core *core)
{
	struct weft_caps *c = &core->caps;
	u32 reads = weft_rd(core, WEFT_REG_CAP_READS);
	u32 cq_ring = weft_rd(core, WEFT_REG_CAP_CQ_RING);

	c->features = weft_rd(core, WEFT_REG_FEATURES);
	c->qps = weft_rd(core, WEFT_REG_CAP_QP);
	c->cqs = weft_rd(core, WEFT_REG_CAP_CQ);
	c->eqs = weft_rd(core, WEFT_REG_CAP_EQ);
	c->stags = weft_rd(core, WEFT_REG_CAP_STAG);
	c->l2_entries = weft_rd(core, WEFT_REG_CAP_L2);
	c->db_stride = weft_rd(core, WEFT_REG_CAP_DB_STRIDE);
	c->db_pages = weft_rd(core, WEFT_REG_CAP_DB_PAGES);
	c->mtu = weft_rd(core, WEFT_REG_CAP_MTU);
	c->ird = reads & 0xffff;
	c->ord = reads >> 16;
	c->vectors = weft_rd(core, WEFT_REG_CAP_VECTORS);
	c->wqe_log2 = weft_rd(core, WEFT_REG_CAP_WQE);
	c->listeners = weft_rd(core, WEFT_REG_CAP_LISTEN);
	c->srqs = c->features & BIT(WEFT_FEATURE_SRQ) ? weft_rd(core, WEFT_REG_CAP_SRQ) : 0;
	c->cq_log2 = cq_ring & 0xff ?: WEFT_CQ_LOG2_MAX;
	c->cq_pieces = cq_ring >> WEFT_REG_CAP_CQ_RING_PIECES_LSB & 0xff;
}

static int weft_check_caps(struct weft_core *core)
{
	const struct weft_caps *c = &core->caps;
	resource_size_t bar = pci_resource_len(core->pdev, WEFT_BAR_DB);

	/* an STag's slot is its index modulo the table's size: weft_mr_make_stag */
	if (!c->qps || !c->cqs || c->eqs < 2 || !is_power_of_2(c->stags) || !c->l2_entries ||
	    !c->db_stride || !c->db_pages || (u64)c->db_stride * c->db_pages > bar ||
	    c->vectors < WEFT_VEC_EQ0 + 2 || c->mtu < ETH_DATA_LEN ||
	    c->cq_log2 < 8 || c->cq_log2 > WEFT_CQ_LOG2_MAX || c->cq_pieces > 2)
		return dev_err_probe(&core->pdev->dev, -ENODEV,
				     "the card reports capabilities that cannot be\n");
	return 0;
}

static int weft_map(struct weft_core *core)
{
	struct pci_dev *pdev = core->pdev;
	int rc;

	rc = pcim_enable_device(pdev);
	if (rc)
		return rc;
	rc = pcim_request_all_regions(pdev, WEFT_DRV_NAME);
	if (rc)
		return rc;
	rc = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (rc)
		return rc;
	/* a page list may have pages of any size; the default would cut memory into pieces of 64 KiB */
	dma_set_max_seg_size(&pdev->dev, WEFT_MAX_SEGMENT);
	core->bar0 = pcim_iomap(pdev, WEFT_BAR_REGS, 0);
	core->db_phys = pci_resource_start(pdev, WEFT_BAR_DB);
	if (!core->bar0)
		return -ENOMEM;
	rc = weft_check_identity(core);
	if (rc)
		return rc;
	weft_read_caps(core);
	rc = weft_check_caps(core);
	if (rc)
		return rc;
	core->db0 = devm_ioremap(&pdev->dev, core->db_phys, core->caps.db_stride);
	return core->db0 ? 0 : -ENOMEM;
}

static int weft_alloc_vectors(struct weft_core *core)
{
	u32 want = min3(core->caps.vectors, WEFT_VEC_EQ0 + WEFT_MAX_EQS,
			WEFT_VEC_EQ0 + 1 + num_online_cpus());
	int got = pci_alloc_irq_vectors(core->pdev, WEFT_VEC_EQ0 + 2, want, PCI_IRQ_MSIX);

	if (got < 0)
		return got;
	core->n_eqs = min_t(u32, got - WEFT_VEC_EQ0, core->caps.eqs);
	return 0;
}

/*
 * Entries of an event queue, log2. Queue 0 has room for all that can be said of every object at once: an error, a
 * disconnect, a close and the last WQE of a QP, an overflow of a CQ, the limit of an SRQ; and for a connection request
 * beside each QP; as far as one piece of memory goes, which is not for a card of more than some ten thousand QPs. What
 * finds no room is asked for again: weft_eq_lost. Not beside its caller, so that a test can make it answer less.
 */
u32 weft_eq_log2(const struct weft_core *core, u32 eqn)
{
	u64 events = 5ULL * core->caps.qps + core->caps.cqs + core->caps.srqs;

	if (eqn)
		return WEFT_EQ_LOG2;
	return clamp_t(u32, order_base_2(events), WEFT_EQ_LOG2, WEFT_EQ0_LOG2_MAX);
}

static void weft_adev_release(struct device *dev)
{
	struct weft_adev *adev = container_of(dev, struct weft_adev, adev.dev);

	ida_free(&weft_ida, adev->adev.id);
	kfree(adev);
}

static int weft_adev_add(struct weft_core *core)
{
	struct weft_adev *adev;
	int rc, id;

	lockdep_assert_held(&core->state_lock);
	if (core->adev || !(core->caps.features & BIT(WEFT_FEATURE_RDMA)))
		return 0;
	adev = kzalloc(sizeof(*adev), GFP_KERNEL);
	if (!adev)
		return -ENOMEM;
	id = ida_alloc(&weft_ida, GFP_KERNEL);
	if (id < 0) {
		kfree(adev);
		return id;
	}
	adev->core = core;
	adev->adev.id = id;
	adev->adev.name = WEFT_ADEV_NAME;
	adev->adev.dev.parent = &core->pdev->dev;
	adev->adev.dev.release = weft_adev_release;
	rc = auxiliary_device_init(&adev->adev);
	if (rc) {
		ida_free(&weft_ida, id);
		kfree(adev);
		return rc;
	}
	rc = auxiliary_device_add(&adev->adev);
	if (rc) {
		auxiliary_device_uninit(&adev->adev); /* frees it */
		return rc;
	}
	core->adev = adev;
	return 0;
}

static void weft_adev_del(struct weft_core *core)
{
	lockdep_assert_held(&core->state_lock);
	if (!core->adev)
		return;
	auxiliary_device_delete(&core->adev->adev);
	auxiliary_device_uninit(&core->adev->adev);
	core->adev = NULL;
}

/* ---- up and down ---- */

/* The card from reset to its event queues; on failure it is quiet again. */
static int weft_start(struct weft_core *core)
{
	__le64 wants[WEFT_WORDS(ADMIN_WANTS)];
	int rc;

	if (weft_rd(core, WEFT_REG_ID) != WEFT_MAGIC && pci_device_is_present(core->pdev))
		pci_restore_state(core->pdev); /* a reset of the bus after which nobody did */
	rc = weft_reset(core);
	if (rc)
		return dev_err_probe(&core->pdev->dev, rc, "the card does not come out of reset\n");
	rc = weft_set_alive(core);
	if (rc)
		return rc;
	rc = weft_load_firmware(core);
	if (rc)
		goto err_quiet;
	rc = weft_alloc_vectors(core);
	if (rc)
		goto err_quiet;
	rc = weft_admin_init(core);
	if (rc)
		goto err_vectors;
	rc = weft_admin_hello(core, wants);
	if (rc)
		goto err_admin;
	rc = weft_chunk_give(core, wants);
	if (rc)
		goto err_admin;
	rc = weft_eqs_create(core);
	if (rc)
		goto err_admin;
	weft_heartbeat_start(core);
	return 0;

err_admin:
	weft_set_quiet(core);
	weft_admin_fini(core);
err_vectors:
	pci_free_irq_vectors(core->pdev);
err_quiet:
	weft_set_quiet(core);
	return rc;
}

static void weft_stop(struct weft_core *core)
{
	weft_heartbeat_stop(core);
	weft_eqs_destroy(core);
	weft_set_quiet(core);
	weft_admin_fini(core);
	pci_free_irq_vectors(core->pdev);
}

/* Both under state_lock. The RDMA device is added by the caller, where it may be probed. */
static int weft_up(struct weft_core *core)
{
	int rc;

	rc = weft_start(core);
	if (rc)
		return rc;
	rc = weft_netdev_up(core);
	if (rc) {
		weft_netdev_down(core);
		weft_stop(core);
		return rc;
	}
	core->up = true;
	pci_save_state(core->pdev); /* for weft_slot_reset */
	return 0;
}

static void weft_down(struct weft_core *core)
{
	lockdep_assert_held(&core->state_lock);
	if (!core->up)
		return;
	core->up = false;
	if (!pci_device_is_present(core->pdev))
		weft_core_quiesce(core, "it was removed");
	weft_adev_del(core);
	weft_netdev_down(core);
	weft_stop(core);
}

/*
 * Programs learn of a death by their device going away, at once and whether or not the card comes
 * back; then a new device is there.
 */
void weft_bury(struct weft_core *core)
{
	mutex_lock(&core->state_lock);
	if (core->up && weft_core_dead(core)) /* it may have come back since */
		weft_adev_del(core);
	mutex_unlock(&core->state_lock);
}

/* For a reload: weft_recover() follows. */
int weft_lay_down(struct weft_core *core)
{
	int rc = -EBUSY;

	mutex_lock(&core->state_lock);
	if (!core->removed && !core->held) {
		weft_down(core);
		rc = 0;
	}
	mutex_unlock(&core->state_lock);
	return rc;
}

/* A dead card, or one that the administrator wants anew. */
int weft_recover(struct weft_core *core)
{
	int rc = -EBUSY;

	mutex_lock(&core->state_lock);
	if (!core->removed && !core->held) {
		weft_down(core);
		rc = weft_up(core);
		if (!rc)
			rc = weft_adev_add(core);
	}
	mutex_unlock(&core->state_lock);
	if (!rc)
		dev_info(&core->pdev->dev, "the card is back\n");
	return rc;
}

/* ---- probe ---- */

/* Nothing of the card is touched. It ends with weft_free. */
static struct weft_core *weft_new(struct pci_dev *pdev)
{
	struct weft_core *core = weft_devlink_alloc(pdev);

	if (!core)
		return NULL;
	core->pdev = pdev;
	mutex_init(&core->state_lock);
	spin_lock_init(&core->now_lock);
	mutex_init(&core->netdev_lock);
	weft_health_init(core);
	weft_client_init(core);
	weft_admin_prepare(core);
	pci_set_drvdata(pdev, core);
	return core;
}

/* The card is quiet, and nobody comes back: works that are under way are waited for. */
static void weft_free(struct weft_core *core)
{
	weft_health_fini(core);
	weft_client_fini(core);
	weft_devlink_free(core);
}

/* The card and the devices that are made of it, for the first time; on failure none of them is left. Under state_lock. */
static int weft_make(struct weft_core *core)
{
	int rc;

	rc = weft_start(core);
	if (rc)
		return rc;
	rc = weft_netdev_register(core);
	if (rc)
		goto err_stop;
	rc = weft_adev_add(core);
	if (rc)
		goto err_netdev;
	core->up = true;
	pci_save_state(core->pdev); /* for weft_slot_reset */
	return 0;

err_netdev:
	weft_netdev_unregister(core);
err_stop:
	weft_stop(core);
	return rc;
}

static int weft_first_up(struct weft_core *core)
{
	int rc;

	mutex_lock(&core->state_lock);
	rc = weft_make(core);
	if (rc)
		core->removed = true;
	mutex_unlock(&core->state_lock);
	return rc;
}

/* For good. The network device stays until weft_netdev_unregister. */
static void weft_last_down(struct weft_core *core)
{
	mutex_lock(&core->state_lock);
	core->removed = true;
	weft_down(core);
	mutex_unlock(&core->state_lock);
}

static void weft_introduce(const struct weft_core *core)
{
	u32 v = core->fw_version;

	dev_info(&core->pdev->dev, "firmware %u.%u.%u, %u QPs, %u-bit data path\n", v >> 24,
		 v >> 16 & 0xff, v & 0xffff, core->caps.qps, weft_rd(core, WEFT_REG_CAP_DATA_W));
}

static int weft_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct weft_core *core = weft_new(pdev);
	int rc;

	if (!core)
		return -ENOMEM;
	rc = weft_map(core);
	if (rc)
		goto err_free;
	rc = weft_first_up(core);
	if (rc)
		goto err_free;
	weft_devlink_register(core);
	if (weft_core_dead(core)) /* it may have had nobody to report to */
		schedule_work(&core->dead_work);
	weft_introduce(core);
	return 0;

err_free:
	weft_free(core);
	return rc;
}

static void weft_take_down(struct weft_core *core)
{
	mutex_lock(&core->state_lock);
	core->held = true;
	weft_down(core);
	mutex_unlock(&core->state_lock);
}

/* The mirror of weft_probe, but that the reporters go when nothing is under way that reports. */
static void weft_remove(struct pci_dev *pdev)
{
	struct weft_core *core = pci_get_drvdata(pdev);

	weft_last_down(core);
	weft_health_fini(core); /* from here on nobody comes back */
	weft_devlink_unregister(core);
	weft_netdev_unregister(core);
	weft_free(core);
}

static void weft_shutdown(struct pci_dev *pdev)
{
	weft_take_down(pci_get_drvdata(pdev));
}

/* ---- suspend: everything is made anew, RDMA consumers see the device go and come ---- */

static int weft_suspend(struct device *dev)
{
	weft_take_down(dev_get_drvdata(dev));
	return 0;
}

static int weft_bring_up(struct weft_core *core)
{
	int rc = 0;

	mutex_lock(&core->state_lock);
	core->held = false;
	if (!core->up && !core->removed)
		rc = weft_up(core);
	mutex_unlock(&core->state_lock);
	if (rc)
		dev_err(&core->pdev->dev, "the card does not come up again (%d)\n", rc);
	weft_devlink_state(core, rc);
	return rc;
}

static int weft_resume(struct device *dev)
{
	return weft_bring_up(dev_get_drvdata(dev));
}

static void weft_add_rdma(struct weft_core *core)
{
	mutex_lock(&core->state_lock);
	if (core->up && weft_adev_add(core))
		dev_err(&core->pdev->dev, "no RDMA device\n");
	mutex_unlock(&core->state_lock);
}

/* not in resume: no device may be added to one that still sleeps */
static void weft_complete(struct device *dev)
{
	weft_add_rdma(dev_get_drvdata(dev));
}

static const struct dev_pm_ops weft_pm_ops = {
	SYSTEM_SLEEP_PM_OPS(weft_suspend, weft_resume)
	.complete = pm_sleep_ptr(weft_complete),
};

/* ---- errors of the bus ---- */

/* After any uncorrectable error nobody knows which transaction was lost: start anew. */
static pci_ers_result_t weft_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct weft_core *core = pci_get_drvdata(pdev);

	WRITE_ONCE(core->held, true); /* who sees the death leaves the rest to the bus */
	weft_core_quiesce(core, "error on the bus");
	weft_take_down(core);
	return state == pci_channel_io_perm_failure ? PCI_ERS_RESULT_DISCONNECT :
						      PCI_ERS_RESULT_NEED_RESET;
}

static pci_ers_result_t weft_slot_reset(struct pci_dev *pdev)
{
	struct weft_core *core = pci_get_drvdata(pdev);

	pci_restore_state(pdev);
	return weft_rd(core, WEFT_REG_ID) == WEFT_MAGIC ? PCI_ERS_RESULT_RECOVERED :
							  PCI_ERS_RESULT_DISCONNECT;
}

static void weft_error_resume(struct pci_dev *pdev)
{
	struct weft_core *core = pci_get_drvdata(pdev);

	if (!weft_bring_up(core))
		weft_add_rdma(core);
}

/* function-level reset on request of the administrator */
static void weft_reset_prepare(struct pci_dev *pdev)
{
	weft_take_down(pci_get_drvdata(pdev));
}

static const struct pci_error_handlers weft_error_handlers = {
	.error_detected = weft_error_detected,
	.slot_reset = weft_slot_reset,
	.resume = weft_error_resume,
	.reset_prepare = weft_reset_prepare,
	.reset_done = weft_error_resume,
};

static const struct pci_device_id weft_ids[] = {
	{ PCI_DEVICE(WEFT_PCI_VENDOR_ID, WEFT_PCI_DEVICE_ID) },
	{}
};
MODULE_DEVICE_TABLE(pci, weft_ids);

static struct pci_driver weft_driver = {
	.name = WEFT_DRV_NAME,
	.id_table = weft_ids,
	.probe = weft_probe,
	.remove = weft_remove,
	.shutdown = weft_shutdown,
	.err_handler = &weft_error_handlers,
	.driver.pm = pm_sleep_ptr(&weft_pm_ops),
};
module_pci_driver(weft_driver);

MODULE_DESCRIPTION("Weft open RDMA network card");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_FIRMWARE(WEFT_FW_NAME);
