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

static const struct devlink_ops weft_devlink_ops = {
	.info_get = weft_devlink_info_get,
};

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

void weft_devlink_register(struct weft_core *core)
{
	devlink_register(priv_to_devlink(core));
}

void weft_devlink_unregister(struct weft_core *core)
{
	devlink_unregister(priv_to_devlink(core));
}
