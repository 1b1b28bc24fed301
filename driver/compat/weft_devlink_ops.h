/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* In front of what is given to devlink: what it takes on other kernels than 6.12. */

/* Before 6.3 they take no lock, and want none. */
#ifndef WEFT_HAS_DEVL_PARAMS
#define devl_params_register devlink_params_register
#define devl_param_driverinit_value_get devlink_param_driverinit_value_get
#define devl_param_driverinit_value_set devlink_param_driverinit_value_set
#endif

/* There a device says by itself that it can be loaded anew. */
#ifdef WEFT_HAS_SET_FEATURES
static void weft_compat_register(struct devlink *devlink)
{
	devlink_set_features(devlink, DEVLINK_F_RELOAD);
	devlink_register(devlink);
}
#define devlink_register weft_compat_register
#endif

#ifdef WEFT_HAS_PARAM_POINTER
static int weft_compat_validate(struct devlink *devlink, u32 id, union devlink_param_value *val,
				struct netlink_ext_ack *extack)
{
	return weft_ring_shift_validate(devlink, id, *val, extack);
}
#define weft_ring_shift_validate weft_compat_validate
#define devl_param_driverinit_value_set(devlink, id, val) \
	devl_param_driverinit_value_set(devlink, id, &(val))
#endif

/* The time that a reporter waits between two recoveries is of its operations; one without recovery has none. */
#ifdef WEFT_HAS_OPS_GRACE
#define diagnose default_graceful_period = WEFT_HEALTH_GRACE_MS, .diagnose
#define devlink_health_reporter_create(devlink, ops, grace, priv) \
	((void)(grace), devlink_health_reporter_create(devlink, ops, priv))
#endif
