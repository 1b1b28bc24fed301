/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weft_cage with a QSFP module (SFF-8636: 128 bytes, and pages of 128 that byte 127 selects) behind an I2C switch that has
 * another module, with other bytes, on another channel. A person reads registers and the module's memory at random; seed 1 is
 * calm, 2 has a module that stretches and refuses, 3 one that comes and goes, 4 and on another master and lines that stay low
 * besides.
 */
#include "i2c_bus.h"
#include "weft_abi.h"

#include <string.h>

#define UNIT 12
#define FILTER 4
#define LIMIT 600
#define DEBOUNCE 6
#define READS 60
#define CHANNELS 0x20
#define PAGES 4
#define MODULE 0
#define OTHER 1
#define SWITCH 2

static int mode;

/* ---- the board */
static uint8_t channels;
static bool refuse_page, refused;
static int refuse_at = -1; /* of the bytes behind an address of the module */

static bool reached(struct i2c_slave *s) { return channels & (s == &bus.slave[MODULE] ? CHANNELS : 0x01); }
static bool module_get(struct i2c_slave *s, unsigned at, uint8_t byte)
{
	if (refuse_at >= 0 && (refuse_page ? at == 1 : at == (unsigned)refuse_at)) {
		refused = true;
		return false;
	}
	if (at == 0)
		s->ptr = byte;
	else {
		/* the page is all that is ever written */
		tb_check((s->ptr == 127 && at == 1), "byte %u of a write to %u", at, s->ptr);
		s->page = byte < PAGES ? byte : 0;
		s->ptr++;
	}
	return true;
}
static uint8_t module_at(struct i2c_slave *s, unsigned at) { return at == 127 ? s->page : at < 128 ? s->mem[0][at] : s->mem[s->page][at]; }
static uint8_t module_give(struct i2c_slave *s) { return module_at(s, s->ptr++); }
static bool switch_get(struct i2c_slave *s, unsigned at, uint8_t byte)
{
	s->ptr = byte;
	return at == 0;
}
/* A switch changes its channels with the STOP. */
static void switch_stop(struct i2c_slave *s)
{
	if (s->bytes)
		channels = s->ptr;
}
static uint8_t switch_give(struct i2c_slave *s) { return channels; }

/* ---- pins, as the person moves them */
static int pins = 9; /* absent, fault, los, no interrupt */
static uint64_t pins_at, bounce_until;
static int pins_to = 9;
static unsigned changes, bounces;
static bool absent_seen;   /* for a moment, since the read began */
static uint64_t absent_at; /* and when */
static bool settled_absent = true;
static int bounce;

static int pins_now(void)
{
	/* each level for long enough to be sampled */
	if (bus.cycle < bounce_until) {
		if (bus.cycle % 4 == 0)
			bounce = tb_chance(50) ? pins_to ^ (int)tb_below(16) : pins_to;
		return bounce;
	}
	pins = pins_to;
	return pins;
}
static void pins_move(int to)
{
	pins_to = to;
	bounce = pins;
	pins_at = bus.cycle;
	/* each level for less than what counts, all of them for more now and then */
	bounce_until = (bus.cycle + tb_below((tb_chance(30) ? 3 * DEBOUNCE : 4) * UNIT)) & ~3ull;
	bounces++;
}
static bool pins_settled(void) { return bus.cycle > bounce_until + (DEBOUNCE + 3) * UNIT; }
/* Not while it is open whether they count already. */
static bool pins_may_move(void) { return pins_settled() || (bus.cycle > bounce_until && bus.cycle < bounce_until + (DEBOUNCE - 3) * UNIT); }

/* ---- the person */
static enum { THINK, SOON, ASKED, POLL, DATA, LOOK } doing;
static unsigned reads, oks, by_result[8], other_accesses, refused_writes, pages_read;
static uint32_t ask, ask_was, ctrl;
static uint64_t asked_at, think_until;
static uint16_t count;
static uint8_t want[128], got[128];
static unsigned got_n;
static bool held, stuck, slow, there_at_start, absent_at_start, bad_ask, torn;
static int out_now;

/* the second master has been at work since */
static bool others(void) { return bus.t_other && bus.t_other >= asked_at; }

static void on_mac(uint32_t v, bool err, void *arg)
{
	tb_check(!err && v == (0x50000000u | (uint32_t)(uintptr_t)arg), "the MAC's %x: %x, %d", (unsigned)(uintptr_t)arg, v, err);
	other_accesses++;
}
static void on_error(uint32_t v, bool err, void *arg)
{
	tb_check(err, "%s is no error", (const char *)arg);
	refused_writes++;
}
static void on_cage(uint32_t v, bool err, void *arg)
{
	/* debounced, as it stands for long enough */
	if (!pins_settled())
		return;
	tb_check(!err && v == ((uint32_t)(uint16_t)changes << 16 | (uint32_t)!(pins & 1) << 7 | (pins >> 1 & 1) << 6 | (pins >> 2 & 1) << 5 | !(pins & 8) << 4 |
			       WEFT_CAGE_KIND_QSFP),
		 "PORT_CAGE %08x, pins %x, %u changes", v, (unsigned)pins, changes);
}
static void on_ctrl(uint32_t v, bool err, void *arg)
{
	tb_check(!err && v == ctrl, "PORT_CAGE_CTRL %x, was set to %x", v, ctrl);
	tb_check((out_now & 7) == (int)(ctrl ^ 4), "pins out %x, control %x", (unsigned)out_now, ctrl);
}
static void on_ask(uint32_t v, bool err, void *arg) { tb_check(!err && v == ask, "PORT_MODULE %x, asked %x", v, ask); }

static void think(void)
{
	doing = THINK;
	think_until = bus.cycle + (bus.scl_held > 0 ? (uint64_t)bus.scl_held : 0) + 3 * UNIT + (tb_chance(60) ? 0 : tb_below(60 * UNIT));
	bus.sda_stuck = bus.scl_stuck = false;
	refuse_at = -1;
	held = false;
	bus.stretch_for = 0;
}

static void on_data(uint32_t v, bool err, void *arg)
{
	unsigned at = (unsigned)(uintptr_t)arg;

	tb_check(!err, "data word %u", at);
	memcpy(got + at, &v, 4);
	if (at + 4 < got_n)
		return;
	for (unsigned i = 0; i < got_n; i++)
		tb_check(got[i] == want[i], "byte %u of %08x: %02x, the module has %02x", i, ask, got[i], want[i]);
	think();
}

static void on_status(uint32_t v, bool err, void *arg)
{
	unsigned result = v >> 4 & 15, len = v >> 8 & 255, asked = ask >> 16 & 255;
	uint8_t addr = ask >> 24 & 127;

	tb_check(!err, "PORT_MODULE_STATUS");
	if (v & 1) {
		tb_check(bus.cycle - asked_at < 40 * LIMIT * UNIT, "a read has no end");
		doing = POLL;
		return;
	}
	count++;
	tb_check(v >> 16 == count, "%u reads over, should be %u", v >> 16, count);
	by_result[result & 7]++;
	reads++;
	got_n = 0;
	switch (result) {
	case WEFT_MODULE_RESULT_OK:
		tb_check(len == asked, "%u of %u bytes and OK", len, asked);
		tb_check(!absent_at_start && !(absent_seen && absent_at + 10 * UNIT < bus.t_stop && !others()) && !(refused && !others()) && !slow && !(stuck && !others()),
			 "OK: absent %d, gone %d, refused %d, slow %d, stuck %d", absent_at_start, absent_seen, refused, slow, stuck);
		tb_check(addr == 0x50, "nobody has %x", addr);
		for (unsigned i = 0; i < len; i++)
			want[i] = module_at(&bus.slave[MODULE], (ask & 255) + i);
		if (ask >> 31) {
			uint8_t page = ask >> 8 & 255;

			tb_check(bus.slave[MODULE].page == (page < PAGES ? page : 0), "page %u", bus.slave[MODULE].page);
			pages_read++;
		}
		got_n = len;
		oks++;
		break;
	case WEFT_MODULE_RESULT_ABSENT:
		tb_check(!there_at_start || absent_seen, "absent, and it is there");
		break;
	case WEFT_MODULE_RESULT_GONE:
		tb_check(absent_seen, "gone, and it is there");
		break;
	case WEFT_MODULE_RESULT_NO_ANSWER:
		tb_check(addr != 0x50 || absent_seen || !bus.slave[MODULE].there || others(), "no answer of %x", addr);
		break;
	case WEFT_MODULE_RESULT_REFUSED:
		tb_check(refused || absent_seen || others(), "nothing was refused");
		break;
	case WEFT_MODULE_RESULT_LOST:
		tb_check(others() || absent_seen || torn, "lost to nobody");
		break;
	case WEFT_MODULE_RESULT_SLOW:
		tb_check(slow, "nobody held the clock");
		break;
	case WEFT_MODULE_RESULT_STUCK:
		tb_check(stuck || torn, "nothing is stuck");
		break;
	default:
		tb_fail("result %u", result);
	}
	if (got_n) {
		doing = DATA;
		for (unsigned i = 0; i < got_n; i += 4)
			tb_cfg_read(WEFT_PORT_MODULE_DATA + i, on_data, (void *)(uintptr_t)i);
	} else
		think();
}

static void on_start(uint32_t v, bool err, void *arg)
{
	tb_check(err == bad_ask, "PORT_MODULE %08x: error %d", ask, err);
	if (bad_ask) {
		ask = (uint32_t)(uintptr_t)arg; /* it keeps what it had */
		refused_writes++;
		think();
		return;
	}
	doing = POLL;
	/* a second one has to wait; the first is under way for some time, if there is a module */
	if (there_at_start && !absent_seen && tb_chance(30))
		tb_cfg_write_fn(WEFT_PORT_MODULE, ask ^ 1, on_error, "a second read");
}

static void begin(void)
{
	uint32_t old = ask, off = tb_below(256), n = 1 + (tb_chance(30) ? tb_below(128) : tb_below(12));
	bool select = tb_chance(50);

	if (off + n > 256 && tb_chance(90))
		n = 256 - off > 128 ? 128 : 256 - off;
	if (tb_chance(5))
		n = tb_chance(50) ? 0 : 129 + tb_below(127);
	ask = off | tb_below(PAGES + 1) << 8 | n << 16 | (tb_chance(92) ? 0x50u : tb_below(128)) << 24 | (uint32_t)select << 31;
	bad_ask = !n || n > 128 || off + n > 256;
	/* what is at 0x74 is the board's own */
	if ((ask >> 24 & 127) == 0x74)
		ask ^= 1u << 24;
	slow = stuck = refused = absent_seen = false;
	torn = false;
	there_at_start = pins_settled() && !(pins & 8);
	absent_at_start = pins_settled() && (pins & 8);
	bus.stretch_pct = mode > 1 ? tb_below(3) * 10 : 0;
	bus.glitch_pct = tb_below(2) * 10;
	bus.other_on = mode > 3 && tb_chance(50);
	bus.other_pct = 3;
	if (mode > 1 && tb_chance(15)) {
		refuse_page = select && tb_chance(50);
		refuse_at = 0;
	}
	if (mode > 3 && i2c_bus_free() && !bus.other_on && tb_chance(30)) {
		unsigned what = tb_below(4);

		if (what == 0)
			bus.sda_clocks = 1 + (int)tb_below(9);
		else if (what == 1)
			bus.sda_stuck = stuck = true;
		else if (what == 2)
			bus.scl_stuck = stuck = true;
		else
			held = true;
	}
	/* the switch is not ours alone */
	if (i2c_bus_free() && tb_chance(30))
		channels = 0x01;
	asked_at = bus.cycle;
	ask_was = old;
	/* what is low should have been so for a moment */
	doing = stuck || bus.sda_clocks > 0 ? SOON : ASKED;
	if (doing == ASKED)
		tb_cfg_write_fn(WEFT_PORT_MODULE, ask, on_start, (void *)(uintptr_t)old);
}

void cage_wire(int scl_oe, int sda_oe, int out, int *scl, int *sda, int *pin)
{
	i2c_bus_step(scl_oe, sda_oe, scl, sda);
	out_now = out;
	*pin = pins_now();
	/* the module's contacts go with its pin, or a moment before or behind */
	bus.slave[MODULE].there = !(pins_to & 8);
	torn |= pins_to & 8;
	if (*pin & 8 && !absent_seen) {
		absent_seen = true;
		absent_at = bus.cycle;
	}
	if (pins_settled() && settled_absent != !!(pins & 8)) {
		settled_absent = pins & 8;
		changes++;
	}
	tb_check(!(out & 8) || (!scl_oe && !sda_oe), "idle, and it pulls a line");
	if (held && doing == POLL && tb_below(60 * UNIT) == 0) {
		bus.stretch_for = (LIMIT + 20) * UNIT;
		held = false;
	}
	if (bus.scl_held > LIMIT * UNIT)
		slow = true;
}

bool tb_step(void)
{
	if (!tb_cfg_pending()) {
		switch (doing) {
		case THINK:
			if (bus.cycle < think_until)
				break;
			if (reads >= READS)
				return true;
			switch (tb_below(8)) {
			case 0:
				tb_cfg_read(WEFT_PORT_CAGE, on_cage, NULL);
				break;
			case 1:
				ctrl = tb_below(8);
				tb_cfg_write(WEFT_PORT_CAGE_CTRL, ctrl);
				tb_cfg_read(WEFT_PORT_CAGE_CTRL, on_ctrl, NULL);
				break;
			case 2: {
				uint32_t a = (uint32_t)tb_below(0x240) << 2;

				tb_cfg_read(a, on_mac, (void *)(uintptr_t)a);
				break;
			}
			case 3:
				tb_cfg_read(WEFT_PORT_MODULE, on_ask, NULL);
				tb_cfg_write_fn(WEFT_PORT_CAGE, 0, on_error, "a write of PORT_CAGE");
				tb_cfg_write_fn(WEFT_PORT_MODULE_DATA + 4 * tb_below(32), 0, on_error, "a write of data");
				tb_cfg_read(WEFT_PORT_CAGE + 0x10 + 4 * tb_below(28), on_error, "a register that is not there");
				break;
			default:
				if (!(pins & 8) || tb_chance(10))
					begin();
			}
			break;
		case SOON:
			if (bus.cycle < asked_at + 5 * UNIT)
				break;
			doing = ASKED;
			tb_cfg_write_fn(WEFT_PORT_MODULE, ask, on_start, (void *)(uintptr_t)ask_was);
			break;
		case POLL:
			/* meanwhile nobody else begins one, and everything else goes on */
			if (tb_chance(3))
				tb_cfg_read(0x800, on_mac, (void *)(uintptr_t)0x800);
			tb_cfg_read(WEFT_PORT_MODULE_STATUS, on_status, NULL);
			break;
		default:
			break;
		}
	}
	/* it comes, and in some runs goes again */
	if (bus.cycle > 100 && pins_may_move() && (pins_to & 8 ? tb_below(80 * UNIT) == 0 : mode > 2 && tb_below(6000 * UNIT) == 0))
		pins_move(pins_to ^ 8);
	else if (pins_settled() && tb_below(2000 * UNIT) == 0)
		pins_move((pins_to & 8) | (int)tb_below(8));
	return false;
}

void tb_setup(void)
{
	i2c_bus_reset(UNIT, FILTER);
	mode = (int)tb_opt("mode", tb_opt("seed", 1) > 4 ? 4 : tb_opt("seed", 1));
	for (int i = 0; i < 2; i++) {
		bus.slave[i] = (struct i2c_slave){ .there = i == OTHER, .addr = 0x50, .get = module_get, .give = module_give, .reached = reached };
		tb_rand_bytes(bus.slave[i].mem, sizeof(bus.slave[i].mem));
	}
	bus.slave[SWITCH] = (struct i2c_slave){ .there = true, .addr = 0x74, .get = switch_get, .give = switch_give, .stop = switch_stop };
	channels = 0x01;
}

void tb_finish(void)
{
	tb_check(reads >= READS && oks > READS / 10 && pages_read, "%u reads, %u of them good, %u of pages", reads, oks, pages_read);
	tb_check(other_accesses && refused_writes, "%u accesses of the MAC, %u refused", other_accesses, refused_writes);
	tb_check(mode != 2 || (by_result[WEFT_MODULE_RESULT_REFUSED] && bus.stretches), "none refused");
	tb_check(mode != 3 || (by_result[WEFT_MODULE_RESULT_ABSENT] && by_result[WEFT_MODULE_RESULT_GONE]), "%u absent, %u gone",
		 by_result[WEFT_MODULE_RESULT_ABSENT], by_result[WEFT_MODULE_RESULT_GONE]);
	tb_check(mode != 4 || by_result[WEFT_MODULE_RESULT_STUCK] || by_result[WEFT_MODULE_RESULT_SLOW], "nothing stuck");
	tb_note("%u reads: %u good, %u absent, %u gone, %u no answer, %u refused, %u lost, %u slow, %u stuck; %u changes", reads, by_result[0], by_result[1],
		by_result[2], by_result[3], by_result[4], by_result[5], by_result[6], by_result[7], changes);
}
