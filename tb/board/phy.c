// SPDX-License-Identifier: BSD-2-Clause
/*
 * A PHY at a random address of the management interface (IEEE 802.3 22.2.4, 22.3.4) that weft_board_phy_std has to find, to set up, and
 * to watch: links of all kinds, a PHY that stops answering, none at all.
 */
#include "svdpi.h"
#include "tb.h"

static uint16_t regs[32];
static int where, bits, mdc_was, rst_was, set, silent;
static uint64_t frame, changed, lives, links, no_links, silences;
static int op, reg, out, level = 1, want;

static void reset(void)
{
	for (int i = 0; i < 32; i++)
		regs[i] = 0;
	regs[0] = 0x1140;
	regs[1] = 0x7949;
	regs[2] = (uint16_t)tb_range(1, 0xfffe);
	regs[4] = 0x01e1;
	regs[9] = 0x0300;
	set = 0;
	bits = 0;
	level = 1;
}

/* What the other end is: with a link at 1000 Mb/s, full duplex; with none; with one that is not negotiated; with a partner that has half duplex. */
static void partner(void)
{
	static const uint16_t status[] = { 0x796d, 0x7949, 0x794d, 0x796d }, ability[] = { 0x0800, 0x0800, 0x0800, 0x0400 };
	int i = (int)tb_below(4);

	regs[1] = status[i];
	regs[10] = ability[i];
	want = i == 0;
	changed = tb_cycle();
}

static void bit(int b)
{
	int at = bits++;

	if (at < 32) {
		if (!b)
			bits = 0;
		return;
	}
	frame = frame << 1 | (unsigned)b;
	if (at == 45) {
		op = (int)(frame >> 10 & 3);
		reg = (int)(frame & 31);
		out = op == 2 && (int)(frame >> 5 & 31) == where && !silent ? regs[reg] : -1;
	}
	if (at == 63) {
		if (op == 1 && (int)(frame >> 23 & 31) == where && !silent) {
			uint16_t v = (uint16_t)frame;

			reg = (int)(frame >> 18 & 31);
			tb_check((reg == 4 && v == 0x0401) || (reg == 9 && v == 0x0200) || (reg == 0 && v == 0x1340), "register %d is set to %04x", reg, v);
			/* negotiation begins with what is advertised by then */
			if (reg == 0)
				tb_check(regs[4] == 0x0401 && regs[9] == 0x0200, "negotiation before the advertisement: %04x %04x", regs[4], regs[9]);
			regs[reg] = v;
			set |= 1 << reg;
		}
		bits = 0;
	}
}

int phy_cycle(int phy_rst_n, int mdc, int mdio, int oe, int ok, int link)
{
	static int running;

	if (!phy_rst_n) {
		if (rst_was || !running) {
			reset();
			where = (int)tb_below(32);
			silent = tb_chance(20) && lives;
			silences += silent;
			partner();
			lives++;
		}
		running = 1;
		rst_was = 0;
		mdc_was = mdc;
		tb_check(!ok && !link, "set up while the PHY is in reset");
		return 1;
	}
	rst_was = 1;
	if (mdc && !mdc_was) {
		bit(oe ? mdio : level);
		if (bits == 47)
			level = out < 0;
		else if (bits >= 48 && bits < 64)
			level = out < 0 || (out >> (63 - bits) & 1);
		else
			level = 1;
	}
	mdc_was = mdc;
	tb_check(!ok || set == (1 << 4 | 1 << 9 | 1 << 0), "it counts as set up: %x", set);
	tb_check(!link || ok, "a link of a PHY that is not set up");
	if (!ok)
		changed = tb_cycle(); /* the search for its address may be long */
	if (ok && !silent && tb_cycle() > changed + 12000) {
		tb_check(link == want, "status %04x, partner %04x: link %d", regs[1], regs[10], link);
		links += (unsigned)want;
		no_links += !want;
		partner();
		/* gone: found by the next poll, and all begins anew */
		if (tb_chance(20))
			silent = 1;
	}
	return oe ? mdio : level;
}

void tb_setup(void) { reset(); }
bool tb_step(void) { return (lives > 6 && links > 3 && no_links > 3 && silences) || tb_cycle() > 3000000; }
void tb_finish(void)
{
	tb_check(lives > 6 && links > 3 && no_links > 3 && silences, "%d lives, %d links, %d without, %d silent", (int)lives, (int)links, (int)no_links,
		 (int)silences);
	tb_note("%d lives, %d links, %d without, %d silent", (int)lives, (int)links, (int)no_links, (int)silences);
}
