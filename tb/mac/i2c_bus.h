/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A two-wire bus with slaves and a second master, written from NXP UM10204 (the I2C specification), and a monitor of the times
 * that it asks for. A cycle is a call; lines are wired AND and rise late.
 */
#ifndef WEFT_TB_I2C_BUS_H
#define WEFT_TB_I2C_BUS_H
#include "tb.h"

#define I2C_SLAVES 4

/* What a slave is asked: a byte that came (index from the one behind the address on; is it acknowledged?), the next byte to give. */
struct i2c_slave {
	bool there;	    /* else it holds no line */
	uint8_t addr;
	bool (*get)(struct i2c_slave *s, unsigned at, uint8_t byte);
	uint8_t (*give)(struct i2c_slave *s);
	bool (*reached)(struct i2c_slave *s); /* NULL: always */
	void (*stop)(struct i2c_slave *s);
	uint8_t mem[8][256], ptr, page;
	/* of the bus side */
	bool mine, reading, acked, out; /* out: SDA is pulled */
	int hold;			/* cycles until SDA changes */
	bool next_out;
	uint8_t shift, done; /* done: the byte that was given last, once the master has acknowledged it or not */
	unsigned bit, bytes;
};

struct i2c_bus {
	unsigned unit, filter; /* cycles, as the unit under test has them */
	unsigned rise;	       /* the most that a line takes */
	struct i2c_slave slave[I2C_SLAVES];
	/* faults */
	unsigned stretch_pct;	/* of the low halves, up to 6 units */
	unsigned glitch_pct;	/* in thousandths of the cycles, too short to count */
	long stretch_for;	/* the next low half is held for so many cycles; then 0 */
	long scl_held;		/* cycles that SCL is still held down */
	bool sda_stuck, scl_stuck; /* for ever */
	int sda_clocks;		/* SDA is held until so many clocks have come */
	bool other_on;		/* there is a second master */
	unsigned other_pct;	/* in thousandths of the cycles that it begins in when the bus is free */
	/* what was seen */
	bool scl, sda;		/* the wire */
	unsigned starts, stops, glitches, stretches, others, others_lost, clocks;
	uint64_t t_scl, t_sda, t_stop; /* cycles of the last changes, and of the last STOP */
	uint64_t t_start, t_other, t_torn; /* of a START by the unit under test, of the second master at work, of a slave that went */
	uint64_t cycle;
	bool in_frame;		/* between START and STOP */
	bool dut_low;		/* the unit under test pulled SCL down */
	bool other_owns;	/* the second master is at work */
};
extern struct i2c_bus bus;
void i2c_bus_reset(unsigned unit, unsigned filter);
void i2c_bus_step(bool dut_scl, bool dut_sda, int *scl, int *sda);
bool i2c_bus_free(void);
#endif
