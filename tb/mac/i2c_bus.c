/* SPDX-License-Identifier: BSD-2-Clause */
#include "i2c_bus.h"

#include <string.h>

struct i2c_bus bus;
static bool was_dut_sda;
static int up_scl, up_sda; /* cycles until a line that nobody pulls is high */
static unsigned glitch_left, glitch_gap, glitch_line;

/* ---- the second master: writes a byte or two to a random address, with a clock of its own */
static struct {
	enum { REST, HOLD, LOW, RISE, HIGH, STOP_LOW, STOP_RISE, STOP_HIGH } state;
	bool scl, sda;
	unsigned left, low, high, bit, bytes, n;
	uint8_t data[4];
} om;

static bool om_bit(void) { return om.bit == 8 || (om.data[om.bytes] >> (7 - om.bit) & 1); }

static void om_lose(void)
{
	om.state = REST;
	om.scl = om.sda = false;
	bus.others_lost++;
	bus.other_owns = false;
}

static void om_step(void)
{
	if (om.left)
		om.left--;
	switch (om.state) {
	case REST:
		if (!bus.other_on || bus.in_frame || !bus.scl || !bus.sda || bus.cycle - bus.t_stop < bus.unit * 5 / 2 ||
		    tb_below(1000) >= bus.other_pct)
			return;
		/* slower or faster than the unit under test */
		om.low = bus.unit * 5 / 2 + tb_below(bus.unit * 2);
		om.high = bus.unit * 2 + tb_below(bus.unit * 2);
		om.n = 1 + tb_below(3);
		/* a slave that it writes to loses nothing but its place; what is at 0x74 is left alone */
		om.data[0] = tb_chance(40) ? 0xa0 : (uint8_t)(tb_below(128) << 1);
		if (om.data[0] == 0xa0)
			om.n = om.n > 2 ? 2 : om.n;
		if (om.data[0] == 0xe8)
			om.data[0] = 0xea;
		om.data[1] = (uint8_t)tb_rand();
		om.data[2] = (uint8_t)tb_rand();
		om.bit = om.bytes = 0;
		om.sda = true;
		om.left = om.high;
		om.state = HOLD;
		bus.other_owns = true;
		bus.others++;
		break;
	case HOLD:
		if (om.left && bus.scl)
			return;
		om.scl = true;
		om.left = om.low;
		om.state = LOW;
		break;
	case LOW:
		if (om.left == om.low / 2)
			om.sda = !om_bit();
		if (om.left)
			return;
		om.scl = false;
		om.state = RISE;
		break;
	case RISE:
		if (!bus.scl)
			return;
		om.left = om.high;
		om.state = HIGH;
		if (om.bit < 8 && !om.sda && !bus.sda)
			om_lose();
		break;
	case HIGH:
		if (om.left && bus.scl)
			return;
		om.scl = true;
		om.left = om.low;
		om.state = LOW;
		if (om.bit++ < 8)
			break;
		om.bit = 0;
		/* not acknowledged, or no more */
		if (++om.bytes == om.n || bus.sda)
			om.state = STOP_LOW;
		break;
	case STOP_LOW:
		if (om.left == om.low / 2)
			om.sda = true;
		if (om.left)
			return;
		om.scl = false;
		om.state = STOP_RISE;
		break;
	case STOP_RISE:
		if (!bus.scl)
			return;
		om.left = om.high;
		om.state = STOP_HIGH;
		break;
	case STOP_HIGH:
		if (om.left && bus.scl)
			return;
		om.sda = false;
		om.state = REST;
		bus.other_owns = false;
		break;
	}
}

/* ---- slaves, by the edges of the wire */
static void slave_start(struct i2c_slave *s)
{
	s->mine = true; /* until the address says otherwise */
	s->reading = s->acked = false;
	s->bit = s->bytes = 0;
	s->shift = 0;
	s->out = s->next_out = false;
	s->hold = 0;
}

static void slave_out(struct i2c_slave *s, bool low)
{
	s->next_out = low;
	s->hold = 1 + (int)tb_below(bus.unit / 2);
}

static void slave_rise(struct i2c_slave *s)
{
	if (!s->mine)
		return;
	if (s->bit < 8) {
		if (!s->reading || !s->bytes)
			s->shift = (uint8_t)(s->shift << 1 | bus.sda);
	} else if (s->reading && s->bytes) {
		s->acked = !bus.sda;
		s->done = s->shift;
	}
}

static void slave_fall(struct i2c_slave *s)
{
	if (!s->mine)
		return;
	if (s->bit == 0 && !s->bytes && !s->acked) {
		s->acked = true; /* the fall behind START itself */
		return;
	}
	s->bit++;
	if (s->bit == 8 && !(s->reading && s->bytes)) {
		bool ack;

		if (!s->bytes) {
			ack = s->shift >> 1 == s->addr && (!s->reached || s->reached(s));
			s->reading = s->shift & 1;
			if (!ack)
				s->mine = false;
		} else
			ack = s->get(s, s->bytes - 1, s->shift);
		slave_out(s, ack);
	} else if (s->bit == 8)
		slave_out(s, false); /* the master's acknowledge */
	else if (s->bit == 9) {
		s->bit = 0;
		s->bytes++;
		slave_out(s, false);
		if (s->reading) {
			if (s->bytes > 1 && !s->acked)
				s->mine = false;
			else {
				s->shift = s->give(s);
				slave_out(s, !(s->shift & 0x80));
			}
		}
	} else if (s->reading && s->bytes)
		slave_out(s, !(s->shift >> (7 - s->bit) & 1));
}

/* ---- times, of standard mode for a unit of 2 us */
static void at_least(const char *what, uint64_t since, unsigned tenths_us)
{
	uint64_t t = bus.cycle - since, want = (uint64_t)bus.unit * tenths_us / 20;

	tb_check(t >= want, "%s: %llu cycles, at least %llu (a unit has %u)", what, (unsigned long long)t, (unsigned long long)want, bus.unit);
}

void i2c_bus_reset(unsigned unit, unsigned filter)
{
	memset(&bus, 0, sizeof(bus));
	memset(&om, 0, sizeof(om));
	bus.unit = unit;
	bus.filter = filter;
	bus.rise = unit / 2;
	bus.scl = bus.sda = true;
}

bool i2c_bus_free(void) { return !bus.in_frame && bus.scl && bus.sda && om.state == REST; }

static bool wire(bool pulled, bool was, int *up)
{
	if (pulled) {
		*up = (int)tb_below(bus.rise + 1);
		return false;
	}
	if (was)
		return true;
	return (*up)-- <= 0;
}

/* Not longer than the filter takes out, also when the synchroniser adds a cycle; with a pause. */
static void glitches(int *scl, int *sda)
{
	if (glitch_left) {
		glitch_left--;
		if (glitch_line)
			*sda = !*sda;
		else
			*scl = !*scl;
		glitch_gap = 3 * bus.filter;
	} else if (glitch_gap)
		glitch_gap--;
	else if (bus.filter > 2 && tb_below(1000) < bus.glitch_pct && bus.cycle - bus.t_scl > 2 * bus.filter && bus.cycle - bus.t_sda > 2 * bus.filter) {
		glitch_left = 1 + tb_below(bus.filter - 2);
		glitch_line = tb_below(2);
		bus.glitches++;
	}
}

void i2c_bus_step(bool dut_scl, bool dut_sda, int *scl_out, int *sda_out)
{
	bool scl_low = dut_scl || om.scl || bus.scl_held > 0 || bus.scl_stuck, sda_low = dut_sda || om.sda || bus.sda_stuck || bus.sda_clocks > 0;
	bool scl, sda, slave_sda = false;
	int i;

	bus.cycle++;
	if (bus.scl_held > 0)
		bus.scl_held--;
	for (i = 0; i < I2C_SLAVES; i++) {
		struct i2c_slave *s = &bus.slave[i];

		if (!s->there) {
			if (s->out)
				bus.t_torn = bus.cycle;
			s->mine = s->out = s->next_out = false;
		}
		if (s->hold && !--s->hold)
			s->out = s->next_out;
		slave_sda |= s->out;
	}
	scl = wire(scl_low, bus.scl, &up_scl);
	sda = wire(sda_low || slave_sda, bus.sda, &up_sda);

	/* one alone: its times count */
	bool alone = !bus.other_owns && (!bus.t_torn || bus.cycle - bus.t_torn > 8 * bus.unit);

	if (scl != bus.scl && sda != bus.sda && scl) {
		/* both rise in one cycle: SDA is taken to have been first */
		bus.sda = sda;
		bus.t_sda = bus.cycle;
	}
	if (sda != bus.sda && bus.scl && scl) {
		if (!sda) {
			bool dut = dut_sda;

			bus.starts++;
			if (dut)
				bus.t_start = bus.cycle;
			if (dut && alone) {
				if (bus.in_frame)
					at_least("set-up of a repeated START", bus.t_scl, 47);
				else
					at_least("bus free", bus.t_stop, 47);
			}
			if (bus.sda_clocks <= 0 && !bus.sda_stuck) {
				bus.in_frame = true;
				for (i = 0; i < I2C_SLAVES; i++)
					if (bus.slave[i].there)
						slave_start(&bus.slave[i]);
			}
		} else {
			bus.stops++;
			if (was_dut_sda && alone)
				at_least("set-up of STOP", bus.t_scl, 40);
			bus.in_frame = false;
			bus.t_stop = bus.cycle;
			for (i = 0; i < I2C_SLAVES; i++) {
				struct i2c_slave *s = &bus.slave[i];

				tb_check(!s->out, "a STOP while a slave holds SDA");
				tb_check(!(was_dut_sda && alone && s->mine && s->there && s->reading && s->bytes > 1), "a STOP behind a byte that was acknowledged");
				if (s->mine && s->there && s->stop)
					s->stop(s);
				s->mine = false;
			}
		}
	}
	if (sda != bus.sda)
		bus.t_sda = bus.cycle;
	bus.sda = sda;
	if (scl != bus.scl) {
		if (scl) {
			bus.clocks++;
			if (alone && bus.dut_low)
				at_least("low", bus.t_scl, 47);
			if (alone)
				at_least("set-up of data", bus.t_sda, 2);
			if (bus.sda_clocks > 0)
				bus.sda_clocks--;
			for (i = 0; i < I2C_SLAVES; i++)
				slave_rise(&bus.slave[i]);
		} else {
			if (dut_scl && alone) {
				if (bus.t_start <= bus.t_scl)
					at_least("high", bus.t_scl, 40);
				if (bus.t_start > bus.t_scl)
					at_least("hold of START", bus.t_start, 40);
			}
			bus.dut_low = dut_scl;
			for (i = 0; i < I2C_SLAVES; i++)
				slave_fall(&bus.slave[i]);
			if (bus.stretch_for) {
				bus.scl_held = bus.stretch_for;
				bus.stretch_for = 0;
			} else if (tb_below(100) < bus.stretch_pct) {
				bus.scl_held = 1 + tb_below(bus.unit * 6);
				bus.stretches++;
			}
		}
		bus.t_scl = bus.cycle;
	}
	bus.scl = scl;
	om_step();
	if (om.state != REST)
		bus.t_other = bus.cycle;
	was_dut_sda = dut_sda;
	*scl_out = scl;
	*sda_out = sda;
	glitches(scl_out, sda_out);
}
