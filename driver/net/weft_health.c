// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Life and death of the card: reset, heartbeat, quiesce, and what follows.
 */
#include <linux/iopoll.h>

#include "weft.h"

#define WEFT_HEARTBEAT_PERIOD (2 * HZ)
#define WEFT_RESET_TIMEOUT_US (5 * USEC_PER_SEC)

u32 weft_fw_state(const struct weft_core *core)
{
	return weft_rd(core, WEFT_REG_STATUS) & WEFT_REG_STATUS_FW_STATE_MASK;
}

/* A previous driver, or a crash kernel's predecessor, may have left rings behind. */
int weft_reset(struct weft_core *core)
{
	u32 id;
	int rc;

	weft_wr(core, WEFT_REG_CONTROL, WEFT_REG_CONTROL_RESET_MASK);
	rc = read_poll_timeout(readl, id, PCI_POSSIBLE_ERROR(id) ||
			       (id == WEFT_MAGIC && weft_fw_state(core) == WEFT_FW_STATE_NONE),
			       1000, WEFT_RESET_TIMEOUT_US, true, core->bar0 + WEFT_REG_ID);
	return PCI_POSSIBLE_ERROR(id) ? -ENODEV : rc;
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

/* Before the reset: afterwards nothing of it is left. */
static void weft_record(struct weft_core *core)
{
	struct weft_crash *c = &core->crash;

	memset(c, 0, sizeof(*c));
	if (pci_channel_offline(core->pdev) || weft_rd(core, WEFT_REG_ID) != WEFT_MAGIC)
		return;
	c->valid = true;
	c->status = weft_rd(core, WEFT_REG_STATUS);
	c->heartbeat = weft_rd(core, WEFT_REG_HEARTBEAT);
	for (int i = 0; i < WEFT_CRASH_WORDS; i++)
		c->record[i] = weft_rd(core, WEFT_REG_FW_CRASH_PC + 4 * i);
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
	if (pci_device_is_present(pdev) && !pci_wait_for_pending_transaction(pdev))
		dev_err(&pdev->dev, "the card still waits for reads\n");
}

/* The same for a card that nobody has declared dead: an orderly end. */
void weft_set_quiet(struct weft_core *core)
{
	WRITE_ONCE(core->dead, true);
	mutex_lock(&core->quiesce_lock);
	if (!core->quiet)
		weft_halt(core);
	core->quiet = true;
	mutex_unlock(&core->quiesce_lock);
	weft_admin_abort_all(core);
}

void weft_core_quiesce(struct weft_core *core, const char *why)
{
	bool first = !xchg(&core->dead, true);

	if (first) {
		WRITE_ONCE(core->died_of, why);
		weft_record(core);
		dev_err(&core->pdev->dev, "the card is gone (%s; firmware: %s): carrier off, commands fail\n",
			why, core->crash.valid ? weft_fw_error(core->crash.status) : "no answer");
	}
	weft_set_quiet(core); /* or waits for whoever has begun with it */
	if (first) /* only now: whoever is told may free what the card had */
		schedule_work(&core->dead_work);
}
EXPORT_SYMBOL_GPL(weft_core_quiesce);

/* After a reset, before the first command: the card may master the bus again. */
void weft_set_alive(struct weft_core *core)
{
	mutex_lock(&core->quiesce_lock);
	core->quiet = false;
	WRITE_ONCE(core->dead, false);
	mutex_unlock(&core->quiesce_lock);
	pci_set_master(core->pdev);
}

static void weft_dead_work(struct work_struct *work)
{
	struct weft_core *core = container_of(work, struct weft_core, dead_work);

	weft_netdev_dead(core);
	weft_client_dead(core);
	weft_bury(core);
	if (weft_core_dead(core))
		weft_devlink_died(core);
}

/* The firmware's main loop must pass between two looks: a NOP makes sure that it has a reason. */
static void weft_heartbeat(struct work_struct *work)
{
	struct weft_core *core = container_of(work, struct weft_core, heartbeat.work);
	const char *why;

	if (weft_core_dead(core))
		return;
	why = weft_core_trouble(core);
	if (why)
		weft_core_quiesce(core, why);
	else if (!weft_admin_ping(core))
		schedule_delayed_work(&core->heartbeat, WEFT_HEARTBEAT_PERIOD);
}

void weft_heartbeat_start(struct weft_core *core)
{
	schedule_delayed_work(&core->heartbeat, WEFT_HEARTBEAT_PERIOD);
}

void weft_heartbeat_stop(struct weft_core *core)
{
	cancel_delayed_work_sync(&core->heartbeat);
}

/* Until it has come up the card counts as dead. */
void weft_health_init(struct weft_core *core)
{
	mutex_init(&core->quiesce_lock);
	INIT_WORK(&core->dead_work, weft_dead_work);
	INIT_DELAYED_WORK(&core->heartbeat, weft_heartbeat);
	core->dead = true;
	core->quiet = true;
}

void weft_health_fini(struct weft_core *core)
{
	cancel_work_sync(&core->dead_work);
}
