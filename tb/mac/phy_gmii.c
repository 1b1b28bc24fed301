// SPDX-License-Identifier: BSD-2-Clause
/* GMII, IEEE 802.3 clause 35, at 1 Gb/s and full duplex, as the PHY sees it. */
#include "mac.h"

const uint32_t phy_rate = 10;

uint64_t phy_cycle;
unsigned phy_quantum = 64, phy_bytes = 1, phy_min_gap = 8;

static uint8_t rx_buf[65536];
static size_t rx_n;
static unsigned gap = 1000;
static uint64_t began;

void phy_setup(void) {}

void tb_phy_from_mac(int d, int en, int er)
{
	phy_cycle++;
	tb_check(!er, "TX_ER");
	if (en) {
		if (!rx_n)
			began = phy_cycle;
		if (rx_n < sizeof(rx_buf))
			rx_buf[rx_n++] = (uint8_t)d;
		return;
	}
	if (!rx_n) {
		if (gap < 1000)
			gap++;
		return;
	}
	for (unsigned i = 0; i < 8; i++)
		tb_check(rx_n >= 8 && rx_buf[i] == (i == 7 ? 0xd5 : 0x55), "preamble byte %u is %02x", i, rx_buf[i]);
	tb_check(gap >= 12, "a gap of %u bytes", gap);
	mac_frame_from(rx_buf + 8, rx_n - 8, began, gap);
	rx_n = 0;
	gap = 1;
}

static const struct wire *cur;
static long pos;
static unsigned idle_run = 100;

void tb_phy_to_mac(int *d, int *dv, int *er)
{
	*d = *dv = *er = 0;
	if (!cur) {
		cur = mac_wire_next();
		/* a PHY may swallow bytes of the preamble */
		pos = cur && cur->gap > phy_min_gap && mac_mode != 1 ? -(long)tb_range(1, 8) : -8;
	}
	if (!cur || (pos <= -1 && idle_run < cur->gap)) {
		idle_run++;
		return;
	}
	if (pos >= (long)cur->n) {
		idle_run = 1;
		mac_wire_done();
		cur = NULL;
		return;
	}
	*dv = 1;
	if (pos < 0) {
		*d = pos == -1 && !cur->no_sfd ? 0xd5 : 0x55;
	} else {
		*d = cur->d[pos];
		*er = pos == cur->code_at;
		/* without its delimiter a frame is no frame, whatever is in it */
		if (cur->no_sfd && *d == 0xd5)
			*d = 0x54;
	}
	idle_run = 1u << 30; /* no gap inside */
	pos++;
}
