/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "weft_abi.h"

enum {
	COMMAND = 0x04,
	COMMAND_MEMORY = 1 << 1,
	COMMAND_MASTER = 1 << 2,
	COMMAND_RW = 0x0546, /* memory, master, parity response, SERR, INTx disable */
	BAR0 = 0x10,
	/* Capabilities. */
	POWER = 0x40,
	EXPRESS = 0x50,
	MSIX = 0x90,
	SERIAL = 0x100,
	/* PCI Express capability. */
	DEVICE_CONTROL = EXPRESS + 8,
	DEVICE_CONTROL_FLR = 1 << 15,
	LINK_CONTROL = EXPRESS + 0x10,
};

static void set(struct config *c, uint32_t at, uint32_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		c->space[at + i] = (uint8_t)(value >> (8 * i));
}

static void allow(struct config *c, uint32_t at, uint32_t mask, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		c->writable[at + i] = (uint8_t)(mask >> (8 * i));
}

static uint32_t get16(const struct config *c, uint32_t at)
{
	return (uint32_t)c->space[at] | (uint32_t)c->space[at + 1] << 8;
}

static void init_bars(struct config *c)
{
	for (int i = 0; i < CONFIG_BARS; i++) {
		uint64_t mask = ~(c->id.bar_bytes[i] - 1);
		uint32_t at = (uint32_t)(BAR0 + 4 * i);

		if (!c->id.bar_bytes[i])
			continue;
		set(c, at, c->id.bar_type[i], 4);
		allow(c, at, (uint32_t)mask & ~0xfu, 4);
		if (c->id.bar_type[i] & BAR_MEM64)
			allow(c, at + 4, (uint32_t)(mask >> 32), 4);
	}
}

static void init_express(struct config *c)
{
	set(c, EXPRESS, 0x10 | MSIX << 8, 2);
	set(c, EXPRESS + 2, 0x0002, 2); /* version 2, endpoint */
	/* Device capabilities: MPS 512, extended tags, no latency limits, role-based errors, FLR. */
	set(c, EXPRESS + 4, 2 | 1 << 5 | 7 << 6 | 7 << 9 | 1 << 15 | 1 << 28, 4);
	set(c, DEVICE_CONTROL, 2 << 12 | 1 << 4, 2); /* MRRS 512 */
	allow(c, DEVICE_CONTROL, 0x79ff, 2);
	c->write1clear[EXPRESS + 10] = 0x0f;
	/* Link: 8 GT/s, 4 lanes, up. */
	set(c, EXPRESS + 0x0c, 3 | 4 << 4, 4);
	allow(c, LINK_CONTROL, 0x00cb, 2);
	set(c, EXPRESS + 0x12, 3 | 4 << 4, 2);
	set(c, EXPRESS + 0x24, 1 << 4, 4); /* completion time-out can be disabled */
	allow(c, EXPRESS + 0x28, 0x001f, 2);
	set(c, EXPRESS + 0x2c, 7 << 1, 4); /* 2.5, 5 and 8 GT/s */
	set(c, EXPRESS + 0x30, 3, 2);
	allow(c, EXPRESS + 0x30, 0x000f, 2);
}

static void init_serial(struct config *c)
{
	uint64_t mac = c->id.mac;
	uint8_t eui[8];

	/* EUI-64 from the MAC address, most significant byte last. */
	for (int i = 0; i < 3; i++) {
		eui[7 - i] = (uint8_t)(mac >> (8 * i));
		eui[2 - i] = (uint8_t)(mac >> (8 * (i + 3)));
	}
	eui[3] = 0xfe;
	eui[4] = 0xff;
	set(c, SERIAL, 0x00010003, 4); /* last in the list */
	memcpy(c->space + SERIAL + 4, eui, 8);
}

void config_reset(struct config *c)
{
	memset(c->space, 0, sizeof(c->space));
	memset(c->writable, 0, sizeof(c->writable));
	memset(c->write1clear, 0, sizeof(c->write1clear));
	set(c, 0x00, WEFT_PCI_VENDOR_ID, 2);
	set(c, 0x02, WEFT_PCI_DEVICE_ID, 2);
	allow(c, COMMAND, COMMAND_RW, 2);
	set(c, 0x06, 1 << 4, 2); /* capabilities list */
	c->write1clear[0x07] = 0xf9;
	set(c, 0x08, 0x02000000 | WEFT_ABI_MAJOR, 4); /* Ethernet controller; revision */
	allow(c, 0x0c, 0xff, 1);
	init_bars(c);
	set(c, 0x2c, WEFT_PCI_VENDOR_ID, 2);
	set(c, 0x2e, c->id.subsystem, 2);
	set(c, 0x34, POWER, 1);
	allow(c, 0x3c, 0xff, 1);
	/* Power management, version 3; no soft reset on the way from D3hot to D0. */
	set(c, POWER, 0x01 | EXPRESS << 8, 2);
	set(c, POWER + 2, 3, 2);
	set(c, POWER + 4, 1 << 3, 2);
	allow(c, POWER + 4, 3, 2);
	init_express(c);
	set(c, MSIX, 0x11, 2);
	set(c, MSIX + 2, c->id.vectors - 1, 2);
	allow(c, MSIX + 2, 0xc000, 2);
	set(c, MSIX + 4, 4, 4); /* table: BAR 4, offset 0 */
	set(c, MSIX + 8, WEFT_MSIX_PBA_OFFSET | 4, 4);
	init_serial(c);
	c->express = EXPRESS;
	c->msix = MSIX;
	c->power = POWER;
}

void config_init(struct config *c, const struct config_identity *id)
{
	c->id = *id;
	config_reset(c);
}

void config_read(const struct config *c, uint32_t offset, void *bytes, uint32_t len)
{
	memcpy(bytes, c->space + offset, len);
}

bool config_write(struct config *c, uint32_t offset, const void *bytes, uint32_t len)
{
	const uint8_t *in = bytes;
	bool flr = false;

	for (uint32_t i = 0; i < len; i++) {
		uint32_t at = offset + i;
		uint8_t mask = c->writable[at];

		c->space[at] = (uint8_t)((c->space[at] & ~mask) | (in[i] & mask));
		c->space[at] &= (uint8_t) ~(in[i] & c->write1clear[at]);
		/* Initiate FLR reads as zero. */
		if (at == DEVICE_CONTROL + 1 && in[i] & DEVICE_CONTROL_FLR >> 8)
			flr = true;
	}
	return flr;
}

struct config_state config_state(const struct config *c)
{
	uint32_t command = get16(c, COMMAND), device = get16(c, DEVICE_CONTROL);
	uint32_t msix = get16(c, MSIX + 2);
	struct config_state s = {
		.memory_enable = command & COMMAND_MEMORY,
		.bus_master = command & COMMAND_MASTER,
		.ext_tag = device & 1 << 8,
		.rcb128 = get16(c, LINK_CONTROL) & 1 << 3,
		.msix_enable = msix & 1 << 15,
		.msix_mask = msix & 1 << 14,
		.mps = (uint8_t)(device >> 5 & 7),
		.mrrs = (uint8_t)(device >> 12 & 7),
	};

	/* Encodings 6 and 7 are reserved; more MPS than the card has is as much as it has. */
	if (s.mps > 2)
		s.mps = 2;
	if (s.mrrs > 5)
		s.mrrs = 5;
	return s;
}
