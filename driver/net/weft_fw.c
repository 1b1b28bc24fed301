// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Firmware load.
 */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/firmware.h>
#include <linux/iopoll.h>

#include "weft.h"

#define WEFT_FW_TIMEOUT_US (20 * USEC_PER_SEC)
/* 0.1.1, as FW_VERSION (QP_COUNTS, CQ_MODERATE); raised with the first command or flag of the driver that earlier firmware does not know */
#define WEFT_FW_LEAST 0x00010001

/* why the last image was refused, or firmware stopped, by register STATUS */
const char *weft_fw_error(u32 status)
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
	u32 error = FIELD_GET(WEFT_REG_STATUS_FW_ERROR_MASK, status);

	return error < ARRAY_SIZE(text) && text[error] ? text[error] : "unknown error";
}

/* Why the firmware that runs does not do for this driver: it serves drivers of before, and not those of later. NULL: it does. */
static const char *weft_fw_unfit(u32 version)
{
	return version < WEFT_FW_LEAST ? "it is older than the driver needs" : NULL;
}

static int weft_fw_refused(struct weft_core *core, const char *why)
{
	WRITE_ONCE(core->died_of, why); /* for devlink: who asks for a new start does not read the log */
	return dev_err_probe(&core->pdev->dev, -EIO, "firmware was refused: %s\n", why);
}

static int weft_fw_start(struct weft_core *core, dma_addr_t dma, size_t len)
{
	struct device *dev = &core->pdev->dev;
	const char *why;
	u32 state;
	int rc;

	weft_wr(core, WEFT_REG_FW_ADDR_LO, lower_32_bits(dma));
	weft_wr(core, WEFT_REG_FW_ADDR_HI, upper_32_bits(dma));
	weft_wr(core, WEFT_REG_FW_LEN, len);
	rc = read_poll_timeout(weft_fw_state, state,
			       state == WEFT_FW_STATE_READY || state == WEFT_FW_STATE_REFUSED ||
			       state == WEFT_FW_STATE_FAULT || state > WEFT_FW_STATE_FAULT,
			       1000, WEFT_FW_TIMEOUT_US, false, core);
	if (rc) {
		WRITE_ONCE(core->died_of, "firmware did not start");
		return dev_err_probe(dev, -EIO, "firmware did not start\n");
	}
	if (state != WEFT_FW_STATE_READY)
		return weft_fw_refused(core, weft_fw_error(weft_rd(core, WEFT_REG_STATUS)));
	core->fw_version = weft_rd(core, WEFT_REG_FW_VERSION);
	why = weft_fw_unfit(core->fw_version);
	return why ? weft_fw_refused(core, why) : 0;
}

int weft_load_firmware(struct weft_core *core)
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
		weft_set_quiet(core);
	dma_free_coherent(dev, fw->size, image, dma);
out:
	release_firmware(fw);
	return rc;
}
