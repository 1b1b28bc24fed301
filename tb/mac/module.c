/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the module of the lab's card in pieces of random size: sums as SFF-8472 has them, names, and what follows its pins. */
#include "tb.h"
#include "weft_abi.h"

#include <string.h>

static uint8_t mem[2][256];
static unsigned at, len, which, reads, idles;
static uint64_t done_at;
static bool busy, dark, over, refused;
static enum { ALL, DARK, REFUSED, DONE } doing;

static void on_word(uint32_t v, bool err, void *arg)
{
	unsigned i = (unsigned)(uintptr_t)arg;

	tb_check(!err, "data");
	for (unsigned k = 0; k < 4 && i + k < len; k++)
		mem[which][at + i + k] = (uint8_t)(v >> 8 * k);
	if (i + 4 < len)
		return;
	busy = false;
	at += len;
	if (at == 256) {
		at = 0;
		which++;
	}
}

static void on_status(uint32_t v, bool err, void *arg)
{
	if (v & 1) {
		tb_cfg_read(WEFT_PORT_MODULE_STATUS, on_status, NULL);
		return;
	}
	reads++;
	if (doing == REFUSED) { /* the last one */
		tb_check((v >> 4 & 15) == WEFT_MODULE_RESULT_NO_ANSWER, "an address that is nobody's: %08x", v);
		refused = true;
		busy = false;
		return;
	}
	tb_check(v == (reads << 16 | len << 8), "status %08x of %u bytes at %u of %u", v, len, at, which);
	for (unsigned i = 0; i < len; i += 4)
		tb_cfg_read(WEFT_PORT_MODULE_DATA + i, on_word, (void *)(uintptr_t)i);
}

static void read_at(uint8_t addr, unsigned off, unsigned n, bool page)
{
	busy = true;
	at = off;
	len = n;
	tb_cfg_write(WEFT_PORT_MODULE, off | n << 16 | (uint32_t)addr << 24 | (page ? 0x80000000u : 0));
	tb_cfg_read(WEFT_PORT_MODULE_STATUS, on_status, NULL);
}

static void idle(int port, const uint8_t *bits, void *arg) { idles += bits[0] & 1; }

static void sum(unsigned from, unsigned to, uint8_t want, const uint8_t *d)
{
	uint8_t s = 0;

	for (unsigned i = from; i < to; i++)
		s += d[i];
	tb_check(s == want, "sum of %u to %u: %02x, %02x stands there", from, to, s, want);
}

void tb_setup(void) { tb_on_item(3, idle, NULL); }

bool tb_step(void)
{
	if (busy || tb_cycle() < 200)
		return false;
	switch (doing) {
	case ALL:
		if (which < 2) {
			unsigned n = tb_range(1, 128);

			read_at((uint8_t)(0x50 + which), at, n > 256 - at ? 256 - at : n, which == 1 && at >= 128);
			return false;
		}
		sum(0, 63, mem[0][63], mem[0]);
		sum(64, 95, mem[0][95], mem[0]);
		sum(0, 95, mem[1][95], mem[1]);
		tb_check(mem[0][0] == 3 && mem[0][3] == 0x10, "an SFP for 10GBASE-SR");
		tb_check(!memcmp(mem[0] + 20, "Weft simulation ", 16) && !memcmp(mem[0] + 40, "WSIM-10G-SR     ", 16), "names");
		tb_check(mem[1][96] == 0x23 && mem[1][102] == 0x13 && !mem[1][110], "temperature, light");
		doing = DARK;
		which = 1;
		dark = true;
		tb_cfg_write(WEFT_PORT_CAGE_CTRL, 1u << WEFT_CAGE_CTRL_TX_DISABLE);
		read_at(0x51, 96, 16, false);
		return false;
	case DARK:
		tb_check(!mem[1][102] && !mem[1][103] && mem[1][110] == 0x80, "it sends still");
		doing = REFUSED;
		read_at(0x33, 0, 4, false);
		return false;
	case REFUSED:
		doing = DONE;
		done_at = tb_cycle();
		return false;
	default:
		/* then it comes to rest */
		over = true;
		return tb_cycle() > done_at + 1000;
	}
}

void tb_finish(void)
{
	tb_check(over && refused && dark && reads > 6 && idles, "%u reads, idle in %u cycles", reads, idles);
	tb_note("%u reads", reads);
}
