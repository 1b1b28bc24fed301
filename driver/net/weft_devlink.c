// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <net/devlink.h>

#include "weft.h"

static int weft_devlink_info_get(struct devlink *devlink, struct devlink_info_req *req,
				 struct netlink_ext_ack *extack)
{
	struct weft_core *core = devlink_priv(devlink);
	u32 version = weft_core_fw_version(core), abi;
	char text[32];
	int rc;

	if (weft_core_dead(core)) {
		NL_SET_ERR_MSG_MOD(extack, "the card is gone");
		return -EIO;
	}
	snprintf(text, sizeof(text), "%u.%u.%u", version >> 24, version >> 16 & 0xff,
		 version & 0xffff);
	rc = devlink_info_version_running_put(req, DEVLINK_INFO_VERSION_GENERIC_FW, text);
	if (rc)
		return rc;
	abi = weft_rd(core, WEFT_REG_VERSION);
	snprintf(text, sizeof(text), "%u.%u", abi >> 16, abi & 0xffff);
	return devlink_info_version_fixed_put(req, "hw.interface", text);
}

/* ---- parameters, which a reload brings to the card: docs/packages.md ---- */

enum weft_param {
	WEFT_PARAM_RING_SHIFT = DEVLINK_PARAM_GENERIC_ID_MAX + 1,
	WEFT_PARAM_PORT_MAP,
};

static int weft_ring_shift_validate(struct devlink *devlink, u32 id,
				    union devlink_param_value val, struct netlink_ext_ack *extack)
{
	if (val.vu8 <= WEFT_RING_SHIFT_MAX)
		return 0;
	NL_SET_ERR_MSG_MOD(extack, "a receive window is of 256 KiB << 0 to 3");
	return -EINVAL;
}

#include "weft_devlink_ops.h" /* of other kernels; not in the tree */

static const struct devlink_param weft_params[] = {
	DEVLINK_PARAM_DRIVER(WEFT_PARAM_RING_SHIFT, "ring_shift", DEVLINK_PARAM_TYPE_U8,
			     BIT(DEVLINK_PARAM_CMODE_DRIVERINIT), NULL, NULL,
			     weft_ring_shift_validate),
	DEVLINK_PARAM_DRIVER(WEFT_PARAM_PORT_MAP, "port_map", DEVLINK_PARAM_TYPE_BOOL,
			     BIT(DEVLINK_PARAM_CMODE_DRIVERINIT), NULL, NULL, NULL),
};

static void weft_params_register(struct weft_core *core)
{
	struct devlink *devlink = priv_to_devlink(core);
	union devlink_param_value val = {};
	int rc;

	devl_lock(devlink);
	rc = devl_params_register(devlink, weft_params, ARRAY_SIZE(weft_params));
	if (!rc) {
		val.vu8 = core->ring_shift;
		devl_param_driverinit_value_set(devlink, WEFT_PARAM_RING_SHIFT, val);
		val = (union devlink_param_value){ .vbool = core->port_map };
		devl_param_driverinit_value_set(devlink, WEFT_PARAM_PORT_MAP, val);
	}
	devl_unlock(devlink);
	core->has_params = !rc;
	if (rc)
		dev_warn(&core->pdev->dev, "no parameters (%d)\n", rc);
}

static void weft_params_take(struct weft_core *core)
{
	struct devlink *devlink = priv_to_devlink(core);
	union devlink_param_value val;

	if (!devl_param_driverinit_value_get(devlink, WEFT_PARAM_RING_SHIFT, &val))
		core->ring_shift = val.vu8;
	if (!devl_param_driverinit_value_get(devlink, WEFT_PARAM_PORT_MAP, &val))
		core->port_map = val.vbool;
}

/*
 * Who brings the card up, or fails to, without being asked by the reporter tells it: it recovers nothing that it takes for healthy, by
 * itself nothing that it takes for dead, and would reset a card that was brought back while it waited. One that died meanwhile was marked
 * dead before anybody reports it.
 */
void weft_devlink_state(struct weft_core *core, int rc)
{
	/* pairs with weft_devlink_register */
	struct devlink_health_reporter *health = smp_load_acquire(&core->health);

	if (!health)
		return;
	devlink_health_reporter_state_update(health, rc ? DEVLINK_HEALTH_REPORTER_STATE_ERROR :
							  DEVLINK_HEALTH_REPORTER_STATE_HEALTHY);
	if (weft_core_dead(core))
		devlink_health_reporter_state_update(health, DEVLINK_HEALTH_REPORTER_STATE_ERROR);
}

static int weft_reload_down(struct devlink *devlink, bool netns_change,
			    enum devlink_reload_action action, enum devlink_reload_limit limit,
			    struct netlink_ext_ack *extack)
{
	int rc;

	if (netns_change) {
		NL_SET_ERR_MSG_MOD(extack, "the card stays in its network namespace");
		return -EOPNOTSUPP;
	}
	rc = weft_lay_down(devlink_priv(devlink));
	if (rc)
		NL_SET_ERR_MSG_MOD(extack, "the card is held down by the bus");
	return rc;
}

static int weft_reload_up(struct devlink *devlink, enum devlink_reload_action action,
			  enum devlink_reload_limit limit, u32 *actions_performed,
			  struct netlink_ext_ack *extack)
{
	struct weft_core *core = devlink_priv(devlink);
	int rc;

	weft_params_take(core);
	rc = weft_recover(core);
	if (rc)
		NL_SET_ERR_MSG_MOD(extack, "the card does not come up again");
	weft_devlink_state(core, rc);
	*actions_performed = BIT(DEVLINK_RELOAD_ACTION_DRIVER_REINIT);
	return rc;
}

static const struct devlink_ops weft_devlink_ops = {
	.info_get = weft_devlink_info_get,
	.reload_actions = BIT(DEVLINK_RELOAD_ACTION_DRIVER_REINIT),
	.reload_down = weft_reload_down,
	.reload_up = weft_reload_up,
};

/* ---- health ---- */

static int weft_health_recover(struct devlink_health_reporter *reporter, void *context,
			       struct netlink_ext_ack *extack)
{
	int rc = weft_recover(devlink_health_reporter_priv(reporter));

	if (rc && extack)
		NL_SET_ERR_MSG_MOD(extack, "the card does not come up again");
	return rc;
}

static int weft_health_diagnose(struct devlink_health_reporter *reporter, struct devlink_fmsg *fmsg,
				struct netlink_ext_ack *extack)
{
	struct weft_core *core = devlink_health_reporter_priv(reporter);
	const char *why = READ_ONCE(core->died_of);
	bool dead = weft_core_dead(core);

	devlink_fmsg_bool_pair_put(fmsg, "dead", dead);
	devlink_fmsg_u64_pair_put(fmsg, "deaths", core->deaths);
	devlink_fmsg_u64_pair_put(fmsg, "lost events", atomic64_read(&core->lost_events));
	devlink_fmsg_string_pair_put(fmsg, "died of", why ? why : "nothing");
	if (!dead)
		devlink_fmsg_u32_pair_put(fmsg, "heartbeat", weft_rd(core, WEFT_REG_HEARTBEAT));
	return 0;
}

static int weft_health_dump(struct devlink_health_reporter *reporter, struct devlink_fmsg *fmsg,
			    void *context, struct netlink_ext_ack *extack)
{
	static const char * const weft_crash_names[WEFT_CRASH_WORDS] = {
		"pc", "cause", "value", "sp", "last command", "stack free",
	};
	struct weft_core *core = devlink_health_reporter_priv(reporter);
	const struct weft_crash *c = &core->crash;
	int i;

	devlink_fmsg_bool_pair_put(fmsg, "registers answered", c->valid);
	if (!c->valid)
		return 0;
	devlink_fmsg_string_pair_put(fmsg, "firmware", weft_fw_error(c->status));
	devlink_fmsg_u32_pair_put(fmsg, "status", c->status);
	devlink_fmsg_u32_pair_put(fmsg, "heartbeat", c->heartbeat);
	for (i = 0; i < WEFT_CRASH_WORDS; i++)
		devlink_fmsg_u32_pair_put(fmsg, weft_crash_names[i], c->record[i]);
	return 0;
}

/* A card that dies again within a minute stays dead until the administrator recovers it. */
#define WEFT_HEALTH_GRACE_MS (60 * MSEC_PER_SEC)

static const struct devlink_health_reporter_ops weft_health_ops = {
	.name = "card",
	.recover = weft_health_recover,
	.dump = weft_health_dump,
	.diagnose = weft_health_diagnose,
};

/* A card that lives can say more than one that died: every queue pair. */
static int weft_queues_dump(struct devlink_health_reporter *reporter, struct devlink_fmsg *fmsg,
			    void *context, struct netlink_ext_ack *extack)
{
	struct weft_core *core = devlink_health_reporter_priv(reporter);

	devlink_fmsg_bool_pair_put(fmsg, "dead", weft_core_dead(core));
	if (!weft_core_dead(core))
		weft_client_dump(core, fmsg);
	return 0;
}

static const struct devlink_health_reporter_ops weft_queues_ops = {
	.name = "queues",
	.dump = weft_queues_dump,
};

/*
 * From dead_work, which ends before the reporter does, and comes once more when there was none yet. Recovers the card, unless
 * told not to.
 */
void weft_devlink_died(struct weft_core *core)
{
	/* whole, and registered: pairs with weft_devlink_register */
	struct devlink_health_reporter *health = smp_load_acquire(&core->health);

	if (!health)
		return;
	core->deaths++;
	if (!READ_ONCE(core->removed) && !READ_ONCE(core->held))
		devlink_health_report(health, core->died_of, core);
}

struct weft_core *weft_devlink_alloc(struct pci_dev *pdev)
{
	struct devlink *devlink = devlink_alloc(&weft_devlink_ops, sizeof(struct weft_core),
						&pdev->dev);

	return devlink ? devlink_priv(devlink) : NULL;
}

void weft_devlink_free(struct weft_core *core)
{
	devlink_free(priv_to_devlink(core));
}

static struct devlink_health_reporter *
weft_reporter(struct weft_core *core, const struct devlink_health_reporter_ops *ops, u64 grace)
{
	struct devlink_health_reporter *r;

	r = devlink_health_reporter_create(priv_to_devlink(core), ops, grace, core);
	if (!IS_ERR(r))
		return r;
	dev_warn(&core->pdev->dev, "no health reporter %s (%ld)\n", ops->name, PTR_ERR(r));
	return NULL;
}

void weft_devlink_register(struct weft_core *core)
{
	struct devlink *devlink = priv_to_devlink(core);
	struct devlink_health_reporter *health;

	health = weft_reporter(core, &weft_health_ops, WEFT_HEALTH_GRACE_MS);
	core->queues = weft_reporter(core, &weft_queues_ops, 0);
	weft_params_register(core);
	devlink_register(devlink);
	/* only now: devlink warns of a report to one that nobody can see. Pairs with weft_devlink_died */
	smp_store_release(&core->health, health);
}

void weft_devlink_unregister(struct weft_core *core)
{
	struct devlink *devlink = priv_to_devlink(core);

	devlink_unregister(devlink);
	if (core->has_params)
		devlink_params_unregister(devlink, weft_params, ARRAY_SIZE(weft_params));
	if (core->queues)
		devlink_health_reporter_destroy(core->queues);
	core->queues = NULL;
	if (core->health)
		devlink_health_reporter_destroy(core->health);
	core->health = NULL;
}
