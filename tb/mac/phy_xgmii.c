// SPDX-License-Identifier: BSD-2-Clause
/* XGMII of 64 bits, IEEE 802.3 clause 46, as the PCS sees it: lane by lane. */
#include <string.h>

#include "mac.h"

const uint32_t phy_rate = 100;

uint64_t phy_cycle;
unsigned phy_quantum = 8, phy_bytes = 8, phy_min_gap = 5;

enum { IDLE = 0x07, SEQ = 0x9c, START = 0xfb, TERM = 0xfd, ERROR_CH = 0xfe };

void phy_setup(void) {}

/* ---- from the MAC ---- */
static uint8_t rx_buf[65536];
static size_t rx_n;
static bool in_frame;
static unsigned gap = 1000, dic, since_seq = 1000;
static uint64_t began;

void tb_phy_from_mac(uint64_t d, int c)
{
	phy_cycle++;
	for (unsigned lane = 0; lane < 8; lane++) {
		uint8_t b = (uint8_t)(d >> 8 * lane);
		bool ctrl = c >> lane & 1;

		if (since_seq < 1000)
			since_seq++;
		if (lane % 4 == 0 && ctrl && b == SEQ) {
			uint32_t col = (uint32_t)(d >> 8 * lane);

			tb_check((c >> lane & 15) == 1 && col == 0x0200009c, "ordered set %08x, controls %x", col, c >> lane & 15);
			mac_fault_seen(2);
			if (in_frame)
				tb_check(mac_may_cut, "fault signalled inside a frame");
			in_frame = false;
			since_seq = 0;
			gap = 1000;
			lane += 3;
			continue;
		}
		if (!in_frame) {
			if (ctrl && b == IDLE) {
				gap++;
				if (since_seq > 8)
					mac_fault_seen(0);
			} else if (ctrl && b == START) {
				tb_check(lane % 4 == 0, "start in lane %u", lane);
				in_frame = true;
				rx_n = 0;
				began = phy_cycle;
			} else {
				tb_fail("%s %02x in lane %u between frames", ctrl ? "control" : "data", b, lane);
			}
			continue;
		}
		if (ctrl) {
			if (b == TERM) {
				tb_check(rx_n >= 7, "a frame ends in its preamble");
				for (unsigned i = 0; i < 7; i++)
					tb_check(rx_buf[i] == (i == 6 ? 0xd5 : 0x55), "preamble byte %u is %02x", i, rx_buf[i]);
				/* 46.3.1.4: 12 on average; what is left out is made up for, never more than 3 bytes */
				if (gap < 1000) {
					tb_check(gap >= 9, "a gap of %u bytes", gap);
					if (gap < 12)
						dic += 12 - gap;
					else
						dic -= gap - 12 < dic ? gap - 12 : dic;
					tb_check(dic <= 3, "deficit idle count %u", dic);
				} else {
					dic = 0;
				}
				mac_frame_from(rx_buf + 7, rx_n - 7, began, gap);
				gap = 1;
			} else {
				tb_check(mac_may_cut, "control %02x inside a frame of %zu bytes so far", b, rx_n);
				gap = 1000;
			}
			in_frame = false;
		} else if (rx_n < sizeof(rx_buf)) {
			rx_buf[rx_n++] = b;
		}
	}
}

/* ---- to the MAC ---- */
static const struct wire *cur;
static long pos;	 /* -8: start; 0: first byte; n: terminate */
static unsigned idle_run = 100;

static void symbol(unsigned lane, uint8_t *b, bool *ctrl)
{
	*b = IDLE;
	*ctrl = true;
	if (!cur && !mac_fault) {
		cur = mac_wire_next();
		pos = -8;
	}
	if (cur && pos == -8 && (idle_run < cur->gap || lane % 4)) {
		idle_run++;
		return;
	}
	if (!cur) {
		idle_run++;
		return;
	}
	if (pos == -8) {
		*b = START;
	} else if (pos < 0) {
		*ctrl = false;
		*b = pos == -1 && !cur->no_sfd ? 0xd5 : 0x55;
	} else if ((size_t)pos < cur->n) {
		*ctrl = pos == cur->code_at;
		*b = *ctrl ? ERROR_CH : cur->d[pos];
	} else {
		*b = cur->no_term ? IDLE : TERM;
		idle_run = 1;
		mac_wire_done();
		cur = NULL;
		return;
	}
	pos++;
}

void tb_phy_to_mac(uint64_t *d, int *c)
{
	static unsigned seq_run;

	if (!mac_fault)
		seq_run = 0;
	*d = 0;
	*c = 0;
	for (unsigned lane = 0; lane < 8; lane++) {
		uint8_t b;
		bool ctrl;

		if (mac_fault && !cur && lane % 4 == 0) {
			*d |= (uint64_t)(mac_fault << 24 | SEQ) << 8 * lane;
			*c |= 1 << lane;
			lane += 3;
			idle_run += 4;
			if (++seq_run == 4)
				mac_fault_sent();
			continue;
		}
		symbol(lane, &b, &ctrl);
		*d |= (uint64_t)b << 8 * lane;
		*c |= (int)ctrl << lane;
	}
}
