// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Probe and remove, firmware load, heartbeat, and the interface to weft_rdma.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/firmware.h>
#include <linux/idr.h>
#include <linux/iopoll.h>
#include <linux/module.h>

#include "weft.h"

#define WEFT_BAR_REGS 0
#define WEFT_BAR_DB 2
#define WEFT_HEARTBEAT_PERIOD (2 * HZ)
#define WEFT_FW_TIMEOUT_US (20 * USEC_PER_SEC)
#define WEFT_RESET_TIMEOUT_US (5 * USEC_PER_SEC)

static DEFINE_IDA(weft_ida);

/* ---- what weft_rdma uses ---- */

const struct weft_caps *weft_core_caps(const struct weft_core *core)
{
	return &core->caps;
}
EXPORT_SYMBOL_GPL(weft_core_caps);

struct pci_dev *weft_core_pdev(const struct weft_core *core)
{
	return core->pdev;
}
EXPORT_SYMBOL_GPL(weft_core_pdev);

struct net_device *weft_core_netdev(const struct weft_core *core)
{
	return core->netdev;
}
EXPORT_SYMBOL_GPL(weft_core_netdev);

phys_addr_t weft_core_db_phys(const struct weft_core *core, u32 page)
{
	return core->db_phys + (phys_addr_t)page * core->caps.db_stride;
}
EXPORT_SYMBOL_GPL(weft_core_db_phys);

void weft_core_doorbell(struct weft_core *core, u32 offset, const __le64 *db)
{
	/* rings are written before; writeq also orders against them */
	writeq(le64_to_cpu(*db), core->db0 + offset);
}
EXPORT_SYMBOL_GPL(weft_core_doorbell);

bool weft_core_dead(const struct weft_core *core)
{
	return READ_ONCE(core->dead);
}
EXPORT_SYMBOL_GPL(weft_core_dead);

u32 weft_core_fw_version(const struct weft_core *core)
{
	return core->fw_version;
}
EXPORT_SYMBOL_GPL(weft_core_fw_version);

int weft_core_register_client(struct weft_core *core, const struct weft_client *client, void *ctx)
{
	int rc = 0;

	mutex_lock(&core->client_lock);
	if (weft_core_dead(core)) {
		rc = -EIO;
	} else if (rcu_access_pointer(core->client)) {
		rc = -EBUSY;
	} else {
		core->client_ctx = ctx;
		rcu_assign_pointer(core->client, client);
	}
	mutex_unlock(&core->client_lock);
	return rc;
}
EXPORT_SYMBOL_GPL(weft_core_register_client);

void weft_core_unregister_client(struct weft_core *core)
{
	mutex_lock(&core->client_lock);
	rcu_assign_pointer(core->client, NULL);
	mutex_unlock(&core->client_lock);
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(weft_core_unregister_client);

/* ---- death ---- */

static u32 weft_fw_state(struct weft_core *core)
{
	return weft_rd(core, WEFT_REG_STATUS) & WEFT_REG_STATUS_FW_STATE_MASK;
}

/* A previous driver, or a crash kernel's predecessor, may have left rings behind. */
static int weft_reset(struct weft_core *core)
{
	u32 id;

	weft_wr(core, WEFT_REG_CONTROL, WEFT_REG_CONTROL_RESET_MASK);
	return read_poll_timeout(readl, id, PCI_POSSIBLE_ERROR(id) || (id == WEFT_MAGIC &&
				 weft_fw_state(core) == WEFT_FW_STATE_NONE),
				 1000, WEFT_RESET_TIMEOUT_US, true, core->bar0 + WEFT_REG_ID) ?:
	       PCI_POSSIBLE_ERROR(id) ? -ENODEV : 0;
}

/* What is wrong with the card as its registers show it; NULL: nothing. */
const char *weft_core_trouble(struct weft_core *core)
{
	if (pci_channel_offline(core->pdev) || weft_rd(core, WEFT_REG_ID) != WEFT_MAGIC)
		return "registers do not answer";
	if (weft_fw_state(core) != WEFT_FW_STATE_READY)
		return "its firmware runs no more";
	return NULL;
}

/*
 * The reset lets a TLP under way end and forgets the rest; the registers answer when it is done,
 * and their answer pushes the card's last posted writes in front of it. With bus-mastering off even
 * a card whose reset is broken issues nothing; what it has asked for is awaited.
 */
static void weft_halt(struct weft_core *core)
{
	struct pci_dev *pdev = core->pdev;
	int rc;

	if (!pci_channel_offline(pdev)) {
		rc = weft_reset(core);
		if (rc)
			dev_err(&pdev->dev, "the card does not come out of reset (%d)\n", rc);
	}
	pci_clear_master(pdev);
	if (!pci_wait_for_pending_transaction(pdev))
		dev_err(&pdev->dev, "the card still waits for reads\n");
}

void weft_core_quiesce(struct weft_core *core, const char *why)
{
	bool first = !xchg(&core->dead, true);

	if (first)
		dev_err(&core->pdev->dev, "the card is gone (%s): carrier off, commands fail\n", why);
	mutex_lock(&core->quiesce_lock);
	if (!core->quiet)
		weft_halt(core);
	core->quiet = true;
	mutex_unlock(&core->quiesce_lock);
	if (!first)
		return;
	/* only now: whoever is told may free what the card had */
	weft_admin_abort_all(core);
	schedule_work(&core->dead_work);
}
EXPORT_SYMBOL_GPL(weft_core_quiesce);

static void weft_dead_work(struct work_struct *work)
{
	struct weft_core *core = container_of(work, struct weft_core, dead_work);
	const struct weft_client *client;

	weft_netdev_dead(core);
	mutex_lock(&core->client_lock);
	client = rcu_dereference_protected(core->client, lockdep_is_held(&core->client_lock));
	if (client)
		client->dead(core->client_ctx);
	mutex_unlock(&core->client_lock);
}

/* The firmware's main loop must pass between two looks: a NOP makes sure that it has a reason. */
static void weft_heartbeat(struct work_struct *work)
{
	struct weft_core *core = container_of(work, struct weft_core, heartbeat.work);
	const char *why = weft_core_trouble(core);

	if (why)
		weft_core_quiesce(core, why);
	else if (!weft_admin_ping(core))
		schedule_delayed_work(&core->heartbeat, WEFT_HEARTBEAT_PERIOD);
}

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
}

static int weft_check_caps(struct weft_core *core)
{
	const struct weft_caps *c = &core->caps;
	resource_size_t bar = pci_resource_len(core->pdev, WEFT_BAR_DB);

	if (!c->qps || !c->cqs || c->eqs < 2 || !c->stags || !c->l2_entries || !c->db_stride ||
	    !c->db_pages || c->vectors < WEFT_VEC_EQ0 + 2 || c->mtu < ETH_DATA_LEN ||
	    (u64)c->db_stride * c->db_pages > bar)
		return dev_err_probe(&core->pdev->dev, -ENODEV,
				     "the card reports capabilities that cannot be\n");
	return 0;
}

static const char *weft_fw_error(u32 error)
{
	static const char * const text[] = {
		[WEFT_FW_ERROR_OK] = "no error",
		[WEFT_FW_ERROR_BAD_LENGTH] = "bad length",
		[WEFT_FW_ERROR_BAD_MAGIC] = "no firmware header",
		[WEFT_FW_ERROR_BAD_ABI] = "made for another interface version",
		[WEFT_FW_ERROR_BAD_CRC] = "checksum mismatch",
		[WEFT_FW_ERROR_DMA] = "host memory could not be read",
		[WEFT_FW_ERROR_TRAP] = "the firmware trapped",
		[WEFT_FW_ERROR_WATCHDOG] = "the firmware hangs",
	};

	return error < ARRAY_SIZE(text) && text[error] ? text[error] : "unknown error";
}

static int weft_fw_start(struct weft_core *core, dma_addr_t dma, size_t len)
{
	struct device *dev = &core->pdev->dev;
	u32 state;
	int rc;

	weft_wr(core, WEFT_REG_FW_ADDR_LO, lower_32_bits(dma));
	weft_wr(core, WEFT_REG_FW_ADDR_HI, upper_32_bits(dma));
	weft_wr(core, WEFT_REG_FW_LEN, len);
	rc = read_poll_timeout(weft_fw_state, state,
			       state == WEFT_FW_STATE_READY || state == WEFT_FW_STATE_REFUSED ||
			       state == WEFT_FW_STATE_FAULT || state > WEFT_FW_STATE_FAULT,
			       1000, WEFT_FW_TIMEOUT_US, false, core);
	if (rc)
		return dev_err_probe(dev, -EIO, "firmware did not start\n");
	if (state != WEFT_FW_STATE_READY)
		return dev_err_probe(dev, -EIO, "firmware was refused: %s\n",
				     weft_fw_error(FIELD_GET(WEFT_REG_STATUS_FW_ERROR_MASK,
							     weft_rd(core, WEFT_REG_STATUS))));
	core->fw_version = weft_rd(core, WEFT_REG_FW_VERSION);
	return 0;
}

static int weft_load_firmware(struct weft_core *core)
{
	struct device *dev = &core->pdev->dev;
	const struct firmware *fw;
	dma_addr_t dma;
	void *image;
	int rc;

	rc = request_firmware(&fw, WEFT_FW_NAME, dev);
	if (rc)
		return dev_err_probe(dev, rc, "no firmware image %s\n", WEFT_FW_NAME);
	image = dma_alloc_coherent(dev, fw->size, &dma, GFP_KERNEL);
	if (!image) {
		rc = -ENOMEM;
		goto out;
	}
	memcpy(image, fw->data, fw->size);
	rc = weft_fw_start(core, dma, fw->size);
	if (rc) /* it may still be reading */
		weft_core_quiesce(core, "no firmware");
	dma_free_coherent(dev, fw->size, image, dma);
out:
	release_firmware(fw);
	return rc;
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

	if (!(core->caps.features & BIT(WEFT_FEATURE_RDMA)))
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
	if (!core->adev)
		return;
	auxiliary_device_delete(&core->adev->adev);
	auxiliary_device_uninit(&core->adev->adev);
	core->adev = NULL;
}

static int weft_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct weft_core *core = weft_devlink_alloc(pdev);
	int rc;

	if (!core)
		return -ENOMEM;
	core->pdev = pdev;
	mutex_init(&core->client_lock);
	mutex_init(&core->quiesce_lock);
	mutex_init(&core->netdev_lock);
	INIT_WORK(&core->dead_work, weft_dead_work);
	INIT_DELAYED_WORK(&core->heartbeat, weft_heartbeat);
	pci_set_drvdata(pdev, core);

	rc = weft_map(core);
	if (rc)
		goto err_devlink;
	rc = weft_reset(core);
	if (rc) {
		dev_err(&pdev->dev, "the card does not come out of reset\n");
		goto err_devlink;
	}
	pci_set_master(pdev);
	rc = weft_load_firmware(core);
	if (rc)
		goto err_master;
	rc = weft_alloc_vectors(core);
	if (rc)
		goto err_master;
	rc = weft_admin_init(core);
	if (rc)
		goto err_vectors;
	rc = weft_admin_hello(core);
	if (rc)
		goto err_admin;
	rc = weft_eqs_create(core);
	if (rc)
		goto err_admin;
	rc = weft_netdev_register(core);
	if (rc)
		goto err_eqs;
	rc = weft_adev_add(core);
	if (rc)
		goto err_netdev;
	weft_devlink_register(core);
	schedule_delayed_work(&core->heartbeat, WEFT_HEARTBEAT_PERIOD);
	dev_info(&pdev->dev, "firmware %u.%u.%u, %u QPs, %u-bit data path\n",
		 core->fw_version >> 24, core->fw_version >> 16 & 0xff, core->fw_version & 0xffff,
		 core->caps.qps, weft_rd(core, WEFT_REG_CAP_DATA_W));
	return 0;

err_netdev:
	weft_netdev_unregister(core);
err_eqs:
	weft_eqs_destroy(core);
err_admin:
	weft_admin_fini(core);
err_vectors:
	pci_free_irq_vectors(pdev);
err_master:
	weft_halt(core);
	cancel_work_sync(&core->dead_work);
err_devlink:
	weft_devlink_free(core);
	return rc;
}

static void weft_remove(struct pci_dev *pdev)
{
	struct weft_core *core = pci_get_drvdata(pdev);

	weft_devlink_unregister(core);
	cancel_delayed_work_sync(&core->heartbeat);
	weft_adev_del(core);
	weft_netdev_unregister(core);
	weft_eqs_destroy(core);
	weft_admin_fini(core);
	pci_free_irq_vectors(pdev);
	weft_halt(core);
	cancel_work_sync(&core->dead_work);
	weft_devlink_free(core);
}

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
	.shutdown = weft_remove,
};
module_pci_driver(weft_driver);

MODULE_DESCRIPTION("Weft open RDMA network card");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_FIRMWARE(WEFT_FW_NAME);
