/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weft_i2c by transfers of random length: START, address, bytes, sometimes a repeated START and the other direction, STOP. Seed 1
 * is calm (also: how long a transfer takes), 2 has slaves that stretch and refuse, 3 another master, 4 and on all of it, with
 * lines that stay low for a while or for ever, and a clock that is held for too long.
 */
#include "i2c_bus.h"

#define UNIT 16
#define FILTER 4
#define LIMIT 60
#define TRANSFERS 250
enum { START, WRITE, READ, STOP };
enum { DONE, NACK, LOST, SLOW, STUCK };

static int mode;
static unsigned transfers, bytes, nacks, losts, slows, stucks, recovered, calm_bits;
static uint64_t calm_cycles, began;

/* ---- a slave: takes and gives bytes, refuses at random */
static uint8_t got;
static bool got_any, refuse;
static unsigned refuse_pct;

static bool get(struct i2c_slave *s, unsigned at, uint8_t byte)
{
	got = byte;
	got_any = true;
	refuse = tb_below(100) < refuse_pct;
	return !refuse;
}
static uint8_t give(struct i2c_slave *s) { return (uint8_t)tb_rand(); }

/* ---- the transfer under way */
static int step, want_bytes, left;
static bool reading, fresh, waiting, over = true, fault_slow, fault_stuck, again_left, nacked, sent_last, freed;
static uint8_t addr, data;
static int cmd;
static uint64_t pause_until, sent_at;

static void begin(void)
{
	transfers++;
	step = 0;
	addr = tb_chance(85) ? 0x50 + (uint8_t)tb_below(2) : (uint8_t)tb_below(128);
	reading = tb_chance(50);
	left = (int)tb_below(5);
	want_bytes = left;
	again_left = tb_chance(40);
	over = nacked = fault_slow = fault_stuck = freed = false;
	bus.stretch_pct = mode == 2 || mode > 3 ? tb_below(4) * 10 : 0;
	bus.glitch_pct = mode > 1 ? tb_below(3) * 10 : 0;
	refuse_pct = mode > 1 ? tb_below(2) * 15 : 0;
	bus.other_on = mode >= 3 && tb_chance(70);
	bus.other_pct = tb_chance(50) ? 30 : 2;
	if (mode > 3 && i2c_bus_free()) {
		unsigned what = tb_below(20);

		bus.other_on = bus.other_on && what > 4;
		if (what == 0)
			bus.sda_clocks = 1 + (int)tb_below(9), freed = true; /* a slave that was left in the midst of a byte */
		else if (what == 1)
			bus.sda_stuck = fault_stuck = true;
		else if (what == 2)
			bus.scl_stuck = fault_stuck = true;
		else if (what == 3)
			fault_slow = true;
	}
	/* what is low should have been so for a moment: at a START it would be another one's */
	pause_until = fault_stuck || freed ? tb_cycle() + 5 * UNIT : 0;
	fresh = true;
	began = bus.cycle;
}

/* the second master has been at work since */
static bool others(void) { return bus.t_other >= began && bus.t_other; }

/* The next command, or 0. */
int i2c_next(int *c, int *d, int *l)
{
	*c = *d = *l = 0;
	if (waiting || tb_cycle() < pause_until || (over && transfers >= TRANSFERS))
		return 0;
	if (over) {
		begin();
		if (pause_until)
			return 0;
	}
	if (fresh) {
		cmd = START;
		fresh = false;
	} else if (step == 0) {
		cmd = WRITE;
		data = (uint8_t)(addr << 1 | reading);
	} else if (left && !nacked) {
		cmd = reading ? READ : WRITE;
		data = (uint8_t)tb_rand();
		sent_last = left == 1;
	} else if (again_left && !nacked && (!reading || want_bytes)) {
		cmd = START;
	} else if (!nacked && reading && !want_bytes) {
		/* a slave that was told to send has SDA: a byte has to be taken */
		cmd = READ;
		want_bytes = 1;
		sent_last = true;
		left = 1;
	} else
		cmd = STOP;
	if (fault_slow && cmd != START && cmd != STOP && tb_chance(50))
		bus.stretch_for = (LIMIT + 20) * UNIT;
	got_any = false;
	waiting = true;
	sent_at = bus.cycle;
	*c = cmd;
	*d = data;
	*l = sent_last;
	return 1;
}

static void end(void)
{
	over = true;
	/* a line that has been low for so long is stuck at once, so it has time to rise */
	pause_until = tb_cycle() + (bus.sda_stuck || bus.scl_stuck || bus.scl_held > 0 ? 3 * UNIT + (unsigned)bus.scl_held : 0) +
		      (tb_chance(50) ? 0 : tb_below(80 * UNIT));
	bus.sda_stuck = bus.scl_stuck = false;
	bus.stretch_for = 0;
}

void i2c_answer(int rsp, int d)
{
	bool there = addr == 0x50 || addr == 0x51;
	uint8_t given;

	tb_check(waiting, "an answer to nobody");
	waiting = false;
	if (rsp >= LOST) {
		switch (rsp) {
		case LOST:
			/* nobody lets go of what nobody else has */
			tb_check(others(), "lost to nobody, command %d", cmd);
			losts++;
			break;
		case SLOW:
			tb_check(fault_slow, "nobody held the clock");
			slows++;
			break;
		default:
			tb_check(fault_stuck, "stuck: nothing is, command %d", cmd);
			stucks++;
		}
		end();
		return;
	}
	tb_check(!fault_stuck || others(), "done on a bus that is stuck");
	switch (cmd) {
	case START:
		tb_check(rsp == DONE && bus.in_frame, "START: %d, START on the wire %d", rsp, bus.in_frame);
		if (freed) {
			tb_check(bus.sda_clocks <= 0, "START while SDA is held");
			recovered++;
		}
		if (!over && step) {
			again_left = false;
			reading = !reading;
			left = want_bytes = 1 + (int)tb_below(3);
		}
		step = 0;
		break;
	case WRITE:
		if (step == 0) {
			tb_check((rsp == DONE) == there || others(), "address %02x: %d", addr, rsp);
			step = 1;
		} else {
			tb_check((got_any && got == data && (rsp == NACK) == refuse) || others(), "byte %02x: the slave has %02x, refused %d, answer %d", data, got,
				 refuse, rsp);
			left--;
		}
		nacked = rsp == NACK;
		nacks += nacked;
		bytes++;
		break;
	case READ:
		given = bus.slave[addr & 1].done;
		tb_check(rsp == DONE && ((uint8_t)d == given || others()), "read %02x, the slave gave %02x (%d)", d, given, rsp);
		left--;
		bytes++;
		break;
	default:
		tb_check(rsp == DONE, "STOP: %d", rsp);
		tb_check(!bus.in_frame || others(), "STOP, and none on the wire");
		if (mode == 1) {
			calm_cycles += bus.cycle - began;
			calm_bits++;
		}
		end();
	}
}

void i2c_wire(int scl_oe, int sda_oe, int idle, int *scl, int *sda)
{
	i2c_bus_step(scl_oe, sda_oe, scl, sda);
	/* what is held for ever is no wait for ever */
	tb_check(!waiting || bus.cycle - sent_at < 12 * LIMIT * UNIT, "command %d has no answer after %llu cycles", cmd,
		 (unsigned long long)(bus.cycle - sent_at));
	tb_check(!idle || !waiting, "idle in the midst of a command");
	tb_check(!idle || (!scl_oe && !sda_oe), "idle, and it pulls a line");
}

void tb_setup(void)
{
	i2c_bus_reset(UNIT, FILTER);
	mode = (int)tb_opt("mode", tb_opt("seed", 1) > 4 ? 4 : tb_opt("seed", 1));
	for (int i = 0; i < 2; i++)
		bus.slave[i] = (struct i2c_slave){ .there = true, .addr = (uint8_t)(0x50 + i), .get = get, .give = give };
}

bool tb_step(void) { return transfers >= TRANSFERS && over; }

void tb_finish(void)
{
	tb_check(transfers >= TRANSFERS && bytes > TRANSFERS, "%u transfers, %u bytes", transfers, bytes);
	tb_check(mode == 1 || bus.glitches, "no glitch");
	tb_check(mode != 3 || (losts && bus.others_lost), "%u arbitrations lost, %u won", losts, bus.others_lost);
	tb_check(mode != 4 || (losts && slows && stucks && recovered && nacks), "%u lost, %u slow, %u stuck, %u freed, %u refused", losts, slows, stucks, recovered,
		 nacks);
	tb_note("%u transfers, %u bytes, %u refused, %u lost, %u won, %u slow, %u stuck, %u freed, %u stretched, %u glitches", transfers, bytes, nacks, losts,
		bus.others_lost, slows, stucks, recovered, bus.stretches, bus.glitches);
}
