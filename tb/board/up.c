/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models beside tb_up.sv: a PHY as IEEE 802.3 22.2.4 and 22.3.4 describe its management interface, with the registers of a
 * Marvell 88E1116R that weft_board_phy_marvell uses; a device number that is read bit by bit; clocks that stand, resets that come
 * at any time. One run is many lives of a board.
 */
#include "../cdc/clocks.h"
#include "svdpi.h"

#define LIVES 3
enum { SYS, CORE, TX, RX };
static int sys_ok, core_ok, lives, next_life;
static uint64_t came_up, quiet_at;

/* ---- PHY */
static uint16_t page0[32], page2[32];
static int page, mdc_was, mdio_was, bits, silent, level = 1, since_rise, since_change, period, was_reset = 1;
static uint64_t frame_in;
static int op, phy, reg, out, accesses, delays_at, resets_after_delays;
static uint16_t seed21;
static int where = 1, other;

static void phy_reset(void)
{
	page = 0;
	page0[0] = 0x1140;
	page0[2] = 0x0141;
	page0[17] = 0;
	page2[21] = seed21;
	bits = 0;
	level = 1;
}

static uint16_t phy_read(int r) { return r == 22 ? (uint16_t)page : page == 2 && r == 21 ? page2[21] : page0[r]; }

static void phy_write(int r, uint16_t v)
{
	if (r == 22)
		page = v & 0xff;
	else if (page == 2 && r == 21) {
		tb_check((v & 0xffcf) == (seed21 & 0xffcf), "register 21 of page 2: %x was %x", v, seed21);
		page2[21] = v;
		if ((v & 0x30) == 0x30)
			delays_at = 1;
	} else if (page == 0 && r == 0) {
		tb_check((v & 0x7fff) == page0[0], "control: %x was %x", v, page0[0]);
		if (v & 0x8000 && delays_at)
			resets_after_delays = 1;
	} else
		tb_fail("write of register %d of page %d", r, page);
}

/* A rising edge of MDC: the bit that the other side shows, or that this one does. */
static void phy_bit(int bit)
{
	int at = bits++;

	if (at < 32) {
		/* anything but ones begins the preamble anew */
		if (!bit) {
			tb_fail("a preamble with a zero, bit %d", at);
			bits = 0;
		}
		frame_in = 0;
		return;
	}
	frame_in = frame_in << 1 | (unsigned)bit;
	if (at == 45) {
		op = (int)(frame_in >> 10 & 3);
		phy = (int)(frame_in >> 5 & 31);
		reg = (int)(frame_in & 31);
		tb_check((frame_in >> 12 & 3) == 1, "start is %llx", (unsigned long long)frame_in >> 12 & 3);
		tb_check(op == 1 || op == 2, "operation %d", op);
		tb_check(phy == where || (op == 2 && reg == 2 && phy), "PHY %d, register %d", phy, reg);
		/* others may be there as well */
		out = op == 2 && phy == where && !silent ? phy_read(reg) : op == 2 && other == phy ? 0x2000 : -1;
	}
	if (at == 63) {
		if (op == 1 && phy == where && !silent) {
			tb_check((frame_in >> 16 & 3) == 2, "turnaround of a write");
			phy_write(reg, (uint16_t)frame_in);
		}
		bits = 0;
		accesses++;
	}
}

int up_mdio(int rst, int mdc, int mdio, int oe)
{
	int line = oe ? mdio : level;

	if (!rst || tb_cycle() < 150) {
		phy_reset();
		mdc_was = mdc;
		was_reset = 1;
		return 1;
	}
	if (was_reset) {
		was_reset = 0;
		mdio_was = line;
		/* some time it does not answer at all */
		silent = tb_chance(8);
	}
	since_rise++;
	since_change++;
	if (oe && mdio != mdio_was)
		since_change = 0;
	/* setup and hold of 10 ns; a cycle is 8 ns on a board, and HALF is 8 here and 32 there */
	if (mdc && !mdc_was) {
		tb_check(!period || since_rise >= 16, "a period of MDC of %d cycles", since_rise);
		tb_check(!oe || since_change >= 2, "MDIO changes %d cycles before MDC rises", since_change);
		since_rise = 0;
		period = 1;
		phy_bit(line);
		/* bit 47 is the zero of the turnaround, 48 to 63 are data: shown from the edge before on */
		if (bits == 47)
			level = out < 0;
		else if (bits >= 48 && bits < 64)
			level = out < 0 || (out >> (63 - bits) & 1);
		else
			level = 1;
	}
	if (oe && mdio != mdio_was)
		tb_check(since_rise >= 2, "MDIO changes %d cycles behind a rise of MDC", since_rise);
	if (bits == 47 && op == 2)
		tb_check(!oe, "two drive MDIO");
	mdc_was = mdc;
	mdio_was = mdio;
	return oe ? mdio : level;
}

/* ---- device number and station address */
static uint8_t number[57];
static int dna_at, dna_was, dna_control = -1, dna_still;
static uint64_t want_addr;

int up_dna(int clk, int read, int shift)
{
	if (dna_control != (read << 1 | shift))
		dna_still = 0;
	dna_control = read << 1 | shift;
	dna_still++;
	if (clk && !dna_was && sys_ok) {
		tb_check(dna_still >= 2, "READ or SHIFT change at the edge");
		dna_at = read ? 0 : shift ? dna_at + 1 : dna_at;
	}
	dna_was = clk;
	return dna_at < 57 ? number[dna_at] : 0;
}

static void new_number(void)
{
	uint32_t crc = 0xb704ce;

	for (int i = 0; i < 57; i++) {
		number[i] = (uint8_t)tb_below(2);
		/* RFC 9580 6.1, a bit a turn */
		crc ^= (uint32_t)number[i] << 23;
		crc <<= 1;
		if (crc & 0x1000000)
			crc ^= 0x1864cfb;
	}
	/* 02-57-46, then the remainder, byte 0 lowest */
	want_addr = 0x465702 | (uint64_t)(crc >> 16 & 0xff) << 24 | (uint64_t)(crc >> 8 & 0xff) << 32 | (uint64_t)(crc & 0xff) << 40;
}

static int addr_valid, addr_seen;
void up_addr(int valid, uint64_t addr)
{
	if (valid && !addr_valid && tb_cycle() > 150) {
		tb_check(addr == want_addr, "address %012llx, should be %012llx", (unsigned long long)addr,
			 (unsigned long long)want_addr);
		addr_seen++;
	}
	addr_valid = valid;
}

/* ---- registers of the MAC */
static uint32_t mac_lo, mac_hi, mac_ctrl;
static int own_ctrl, addr_writes, port_writes;
void up_write(int addr, int data)
{
	/* what the core writes has bit 4 */
	if (addr == 0x800 && data & 0x10) {
		tb_check(own_ctrl == 1, "the core's write passes the settings");
		port_writes++;
	} else if (addr == 0x800) {
		tb_check(data == 0xf && addr_writes >= 2, "CTRL is %x after %d of the address", (unsigned int)data, addr_writes);
		own_ctrl++;
	} else
		addr_writes++;
	if (addr == 0x80c)
		mac_lo = (uint32_t)data;
	else if (addr == 0x810)
		mac_hi = (uint32_t)data;
	else if (addr == 0x800)
		mac_ctrl = (uint32_t)data;
	else
		tb_fail("write of register %x", addr);
}
int up_ready(void) { return tb_chance(60); }

/* ---- the core: what it asks of the MAC, and what must come back */
static int port_asked, ports, port_was;
void up_port(int valid, int ready, int answered, int rdata, int addr, int we, int *what, int *value, svBit *forget)
{
	if (valid && ready) {
		port_asked = 1;
		port_was = addr;
	}
	if (answered) {
		tb_check(port_asked, "an answer to nobody");
		tb_check((uint32_t)rdata == (0x50000000u | (uint32_t)port_was), "answer %08x to %07x", (unsigned int)rdata, (unsigned int)port_was);
		port_asked = 0;
		ports++;
	}
	(void)we;
	/* its reset: an access that was not taken is gone, one that was goes on below, and its answer may come at any time */
	*forget = !valid && port_asked && !answered && tb_chance(2);
	if (*forget)
		port_asked = 0;
	*what = tb_chance(10) ? (tb_chance(20) ? 0x10000800 : (int)(0x03c00000 | tb_below(0x1000) << 2)) : -1;
	*value = (int)(0x10 | tb_below(16));
}

/* ---- resets */
static int rst_was, link_want, ups, links, dropped;
static uint64_t changed_at, now_was, links_at, gone_at;
static bool gone_seen;
static int gone;

static void new_life(void)
{
	lives++;
	clocks_random(4);
	for (int i = 0; i < 4; i++) {
		clocks[i].half = 1 + tb_below(1500) * 1e-3;
		clocks[i].jitter = tb_chance(50) ? 0 : clocks[i].half * tb_below(45) * 0.01;
	}
	seed21 = (uint16_t)tb_rand() & 0xffcf;
	where = 1 + (int)tb_below(4);
	other = (int)tb_below(4);
	other += other == where;
	new_number();
	delays_at = resets_after_delays = 0;
	period = 0;
	sys_ok = core_ok = 0;
	mac_lo = mac_hi = mac_ctrl = 0;
	next_life = 0;
	came_up = 0;
	quiet_at = tb_cycle() + 200;
	links_at = 0;
}

void up_tick(int resets, int phy_rst, int link, uint64_t now, int *s, int *c)
{
	bool sys = resets >> SYS & 1, core = resets >> CORE & 1, tx = resets >> TX & 1, rx = resets >> RX & 1;
	bool phy_ok = link & 1, linked = link >> 1 & 1;

	/* before that, what has no reset yet is random */
	if (tb_cycle() > 150) {
		tb_check(sys_ok || !(sys || tx || rx), "out of reset without system: %x", resets);
		tb_check(core_ok || !(core || tx || rx), "out of reset without core: %x", resets);
		tb_check(!tx || (sys && core), "transmit before the others: %x", resets);
		tb_check(!(rx && !(rst_was >> RX & 1)) || tx, "receive comes out before transmit");
		tb_check(!(tx && !(rst_was >> TX & 1)) || phy_ok, "transmit comes out before the PHY is set up");
		tb_check(!phy_ok || resets_after_delays, "the PHY counts as set up and is not");
		tb_check(phy_rst || !phy_ok, "ok while the PHY is in reset");
		tb_check(!linked || phy_ok, "link without a PHY");
		tb_check(now == now_was || now == now_was + 8 || !now, "time goes from %llu to %llu", (unsigned long long)now_was,
			 (unsigned long long)now);
	}
	now_was = now;
	rst_was = resets;
	if (!core)
		own_ctrl = addr_writes = 0;

	if (!sys_ok && !core_ok && tb_cycle() > quiet_at) {
		if (tb_chance(50))
			sys_ok = 1;
		else
			core_ok = 1;
		changed_at = tb_cycle();
	} else if ((!sys_ok || !core_ok) && quiet_at && tb_cycle() > changed_at + tb_below(4000)) {
		if (!core_ok && !came_up && tb_cycle() > 150)
			tb_check(!tx, "no core yet");
		sys_ok = core_ok = 1;
		quiet_at = 0;
	}
	if (sys_ok && core_ok && tx && rx && !came_up) {
		tb_check(addr_valid, "all is up and there is no address");
		came_up = tb_cycle();
		ups++;
	}
	if (came_up && !next_life) {
		/* link: only 1000 Mb/s, full duplex, resolved counts */
		if (!links_at) {
			static const uint16_t status[] = { 0xac00, 0x6c00, 0x8c00, 0xa400, 0xa800, 0x0000, 0xac00, 0xac00, 0xac00 };
			uint16_t v = status[tb_below(9)];

			page0[17] = v | (tb_rand() & 0x03ff);
			link_want = v == 0xac00;
			links_at = tb_cycle();
		} else if (tb_cycle() > links_at + 12000) {
			tb_check(linked == link_want, "status %04x: link %d", page0[17], linked);
			tb_check(((uint64_t)mac_hi << 32 | mac_lo) == want_addr && own_ctrl == 1,
				 "MAC: %x %x, control %x, set %d times", mac_hi, mac_lo, mac_ctrl, own_ctrl);
			links += link_want;
			links_at = 0;
			if (tb_chance(30)) {
				next_life = 1;
				quiet_at = 0;
				if (tb_chance(30) && rx) {
					/* one of the two alone: what hangs on it goes at once, also with a clock that stands */
					clocks[RX].stopped = true;
					if (tb_chance(50))
						sys_ok = 0;
					else
						core_ok = 0;
					dropped++;
				}
				changed_at = tb_cycle();
				/* the PHY answers no more */
				if (sys_ok && tb_chance(70)) {
					silent = 1;
					gone_at = changed_at;
					gone_seen = false;
				}
			}
		}
	}
	if (gone_at && !phy_ok && !linked)
		gone_seen = true;
	if (next_life && tb_cycle() > changed_at + (gone_at ? 12000 : 100)) {
		tb_check(!gone_at || gone_seen, "the PHY is gone, and nobody sees it");
		gone += gone_at != 0;
		gone_at = 0;
		for (int i = 0; i < 4; i++)
			clocks[i].stopped = false;
		new_life();
	}
	*s = sys_ok;
	*c = core_ok;
}

void tb_setup(void) { new_life(); }

bool tb_step(void) { return (lives > LIVES && links && dropped && gone && gone) || tb_cycle() > 4000000; }

void tb_finish(void)
{
	tb_check(lives > LIVES, "%d lives", lives);
	tb_check(ups >= LIVES && links && dropped && gone && addr_seen >= LIVES && accesses > 30 && ports > 50 && port_writes > 5, "%d up, %d links, %d addresses, %d accesses, %d and %d by the core", ups, links,
		 addr_seen, accesses, ports, port_writes);
	tb_note("%d lives, %d up, %d links, %d lost alone, %d lost PHYs, %d accesses, %d by the core", lives, ups, links, dropped, gone, accesses, ports);
}
