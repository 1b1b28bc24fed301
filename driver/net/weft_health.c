// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Life and death of the card: reset, heartbeat, quiesce, and what follows.
 */
#include <linux/delay.h>
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

/* dead was set before, so that commands fail while others hold the lock; but weft_set_alive may have come between. */
static void weft_end(struct weft_core *core)
{
	lockdep_assert_held(&core->quiesce_lock);
	WRITE_ONCE(core->dead, true);
	if (!core->quiet)
		weft_halt(core);
	core->quiet = true;
}

/* An orderly end, of which nobody is told. */
void weft_set_quiet(struct weft_core *core)
{
	WRITE_ONCE(core->dead, true);
	mutex_lock(&core->quiesce_lock);
	weft_end(core);
	mutex_unlock(&core->quiesce_lock);
	weft_admin_abort_all(core);
}

void weft_core_quiesce(struct weft_core *core, const char *why)
{
	bool first;

	WRITE_ONCE(core->dead, true);
	mutex_lock(&core->quiesce_lock); /* or waits for whoever has begun with it */
	first = !core->quiet;
	if (first) {
		WRITE_ONCE(core->died_of, why);
		weft_record(core);
		dev_err(&core->pdev->dev, "the card is gone (%s; firmware: %s): carrier off, commands fail\n",
			why, core->crash.valid ? weft_fw_error(core->crash.status) : "no answer");
	}
	weft_end(core);
	mutex_unlock(&core->quiesce_lock);
	weft_admin_abort_all(core);
	if (first) /* only now: whoever is told may free what the card had */
		schedule_work(&core->dead_work);
}
EXPORT_SYMBOL_GPL(weft_core_quiesce);

/*
 * For who finds the card dead: it is quiet when this returns, or was so and lives again. It does not end the card itself, for the
 * one that he found dead may be another by now, nor takes the lock from who does: he has to tell of it.
 */
void weft_await_quiet(struct weft_core *core)
{
	bool quiet = false;

	while (!quiet && weft_core_dead(core)) {
		mutex_lock(&core->quiesce_lock);
		quiet = core->quiet;
		mutex_unlock(&core->quiesce_lock);
		if (!quiet) /* who has set dead is on his way to the lock */
			usleep_range(100, 200);
	}
}

/*
 * After a reset, before the first command: the card may master the bus again. Under state_lock, and the card is quiet, so nobody
 * has a command of it under way: whoever calls weft_core_quiesce() meanwhile has seen something of the card that is to live now.
 * If he gets the lock first, it is quiet yet, and nothing of his call would be left: that is an error of the bus alone, which has
 * set held. If he gets it second, he ends what has begun here.
 *
 * Return: 0, or -EIO when the bus has an error of which it has not said that it is over
 */
int weft_set_alive(struct weft_core *core)
{
	int rc = 0;

	lockdep_assert_held(&core->state_lock);
	mutex_lock(&core->quiesce_lock);
	if (READ_ONCE(core->held)) {
		rc = -EIO;
	} else {
		core->quiet = false;
		WRITE_ONCE(core->dead, false);
		pci_set_master(core->pdev); /* in the lock: an end clears it behind that */
	}
	mutex_unlock(&core->quiesce_lock);
	return rc;
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
