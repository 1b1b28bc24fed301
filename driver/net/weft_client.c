// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What weft_rdma uses of the card, and what it is told.
 */
#include "weft.h"

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

int weft_core_now(struct weft_core *core, u64 *ns)
{
	u32 lo, hi;

	if (weft_core_dead(core))
		return -EIO;
	spin_lock(&core->now_lock);
	lo = weft_rd(core, WEFT_REG_NOW_LO);
	hi = weft_rd(core, WEFT_REG_NOW_HI);
	spin_unlock(&core->now_lock);
	/* what is not there reads ones, which no clock will say within 584 years */
	if (weft_core_dead(core) || (lo & hi) == ~0u)
		return -EIO;
	*ns = (u64)hi << 32 | lo;
	return 0;
}
EXPORT_SYMBOL_GPL(weft_core_now);

bool weft_core_port_map(const struct weft_core *core)
{
	return core->port_map;
}
EXPORT_SYMBOL_GPL(weft_core_port_map);

/* ---- the client ---- */

static const struct weft_client *weft_client_get(struct weft_core *core)
{
	return rcu_dereference_protected(core->client, lockdep_is_held(&core->client_lock));
}

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
	if (!rc)
		weft_client_note(core, WEFT_NOTE_PORT);
	return rc;
}
EXPORT_SYMBOL_GPL(weft_core_register_client);

void weft_core_unregister_client(struct weft_core *core)
{
	mutex_lock(&core->client_lock);
	rcu_assign_pointer(core->client, NULL);
	mutex_unlock(&core->client_lock);
	mutex_lock(&core->dump_lock); /* a dump that has begun ends */
	mutex_unlock(&core->dump_lock);
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(weft_core_unregister_client);

void weft_client_event(struct weft_core *core, const __le64 *eqe)
{
	const struct weft_client *client;

	mutex_lock(&core->client_lock);
	client = weft_client_get(core);
	if (client)
		client->event(core->client_ctx, eqe);
	mutex_unlock(&core->client_lock);
}

void weft_client_dead(struct weft_core *core)
{
	const struct weft_client *client;

	mutex_lock(&core->client_lock);
	client = weft_client_get(core);
	if (client && weft_core_dead(core)) /* else it is of a card that came back */
		client->dead(core->client_ctx);
	mutex_unlock(&core->client_lock);
}

/* Events that were lost may have been about the link as well. */
static void weft_client_lost(struct weft_core *core, unsigned long eqs)
{
	const struct weft_client *client;

	if (eqs & BIT(0))
		weft_netdev_link(core);
	mutex_lock(&core->client_lock);
	client = weft_client_get(core);
	if (client && client->lost)
		client->lost(core->client_ctx, eqs);
	mutex_unlock(&core->client_lock);
}

/* Asks the card for each of its queue pairs: events and a death do not wait for that. */
void weft_client_dump(struct weft_core *core, struct devlink_fmsg *fmsg)
{
	const struct weft_client *client;

	mutex_lock(&core->dump_lock); /* first: who takes the client away waits for it behind that */
	mutex_lock(&core->client_lock);
	client = weft_client_get(core);
	mutex_unlock(&core->client_lock);
	if (client && client->dump)
		client->dump(core->client_ctx, fmsg);
	mutex_unlock(&core->dump_lock);
}

static void weft_client_port(struct weft_core *core)
{
	const struct weft_client *client;
	struct weft_port port = {};

	mutex_lock(&core->client_lock);
	client = weft_client_get(core);
	if (client && client->port) {
		weft_netdev_port(core, &port);
		client->port(core->client_ctx, &port);
	}
	mutex_unlock(&core->client_lock);
}

static void weft_note_work(struct work_struct *work)
{
	struct weft_core *core = container_of(work, struct weft_core, note_work);
	unsigned long eqs = 0;
	u32 i;

	for (i = 0; i < WEFT_MAX_EQS; i++)
		if (test_and_clear_bit(WEFT_NOTE_LOST + i, &core->notes))
			eqs |= BIT(i);
	if (eqs)
		weft_client_lost(core, eqs);
	if (test_and_clear_bit(WEFT_NOTE_PORT, &core->notes))
		weft_client_port(core);
}

/* Tells the client later, whatever locks are held now; several notes of a kind become one. */
void weft_client_note(struct weft_core *core, u32 note)
{
	set_bit(note, &core->notes);
	schedule_work(&core->note_work);
}

void weft_client_init(struct weft_core *core)
{
	BUILD_BUG_ON(WEFT_NOTES > BITS_PER_LONG);
	mutex_init(&core->client_lock);
	mutex_init(&core->dump_lock);
	INIT_WORK(&core->note_work, weft_note_work);
}

void weft_client_fini(struct weft_core *core)
{
	cancel_work_sync(&core->note_work);
}
