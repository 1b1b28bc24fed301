// SPDX-License-Identifier: BSD-2-Clause
/*
 * Frames to the station's own address turn round, others go to the MAC; the MAC's frames come in. None is lost or changed, each way keeps
 * its order, nobody waits for more than one frame of the other. The address changes while nothing is under way; 0 and a group's turn nothing
 * round, and neither does one that differs in a bit.
 */
#include <string.h>

#include "tb.h"

#define PHASES 6
#define PER 120
#define N (PHASES * PER)
enum { LEAVES, WIRE_IN, ADDRESS, WIRE_OUT, IN, STATE };
static struct frame {
	uint8_t d[3000];
	size_t len;
	bool own, err;
} out[N], in[N];
static const uint8_t macs[PHASES][8] = { { 2, 1, 2, 3, 4, 5 }, { 0 }, { 3, 1, 2, 3, 4, 5 }, { 2, 9, 8, 7, 6, 5 }, { 0, 0, 0, 0, 0, 1 }, { 2, 1, 2, 3, 4, 5 } };
static unsigned pushed_out, pushed_in, to_wire, turned, from_wire, counted, phase, settle, run_own, run_wire, owns;
static bool idle, stale;

/* The next frame from at on that (own) turned round or did not. */
static unsigned next_of(unsigned at, bool own)
{
	while (at < N && out[at].own != own) at++;
	return at;
}

static void wire_out(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	unsigned i = next_of(to_wire, false);

	tb_check(i < pushed_out && n == out[i].len && !memcmp(d, out[i].d, n), "frame %u to the wire: %zu bytes", i, n);
	to_wire = i + 1;
}

static void comes_in(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	bool own = d[13] == 0xee; /* who sent it says the last byte of its type */
	unsigned i;

	if (own) {
		i = next_of(turned, true);
		tb_check(i < pushed_out && n == out[i].len && !memcmp(d, out[i].d, n) && !err, "frame %u turned round: %zu bytes", i, n);
		turned = i + 1;
		owns++;
	} else {
		i = from_wire++;
		tb_check(i < pushed_in && n == in[i].len && !memcmp(d, in[i].d, n) && err == in[i].err, "frame %u of the wire: %zu bytes", i, n);
	}
	run_own = own ? run_own + 1 : 0;
	run_wire = own ? 0 : run_wire + 1;
	/* The wire never pauses (100 % offered, phase 5): a frame of our own is never followed by another one. */
	if (phase == 5 && tb_pending(WIRE_IN) > 1) tb_check(run_own < 2, "%u of our own in a row", run_own);
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	idle = bits[0] & 1;
	counted += bits[0] >> 1 & 1;
}

static void make(struct frame *f, const uint8_t *to, uint8_t who)
{
	f->len = tb_chance(50) ? tb_range(60, 80) : tb_range(60, 3000);
	tb_rand_bytes(f->d, f->len);
	memcpy(f->d, to, 6);
	f->d[13] = who;
}

void tb_setup(void)
{
	for (unsigned i = 0; i < N; i++) {
		const uint8_t *mac = macs[i / PER];
		bool can = !(mac[0] & 1) && memcmp(mac, macs[1], 6);
		uint8_t to[6];

		memcpy(to, mac, 6);
		out[i].own = tb_chance(60);
		if (!out[i].own) { /* another: often by one bit */
			if (tb_chance(50)) to[tb_below(6)] ^= (uint8_t)(1u << tb_below(8));
			else to[5] ^= 0x55;
		}
		out[i].own = out[i].own && can;
		make(&out[i], to, 0xee);
		make(&in[i], mac, 0);
		in[i].err = tb_chance(10);
	}
	tb_on_packet(WIRE_OUT, wire_out, NULL);
	tb_on_packet(IN, comes_in, NULL);
	tb_on_item(STATE, on_state, NULL);
	tb_snk_rate(IN, 100);
	stale = true;
}

bool tb_step(void)
{
	unsigned end = (phase + 1) * PER;

	if (stale) { /* a new address, at rest */
		stale = false;
		settle = 5;
		tb_item_push(ADDRESS, macs[phase], 6);
		tb_src_rate(LEAVES, tb_chance(50) ? 100 : 60);
		tb_src_rate(WIRE_IN, phase == 5 || tb_chance(50) ? 100 : 40);
		tb_snk_rate(WIRE_OUT, phase == 5 || tb_chance(50) ? 100 : 50);
	}
	if (settle && settle--) return false;
	while (pushed_out < end && tb_pending(LEAVES) < 2) {
		tb_packet_push(LEAVES, out[pushed_out].d, out[pushed_out].len, NULL, 0, false);
		pushed_out++;
	}
	while (pushed_in < end && tb_pending(WIRE_IN) < 3) {
		tb_packet_push(WIRE_IN, in[pushed_in].d, in[pushed_in].len, NULL, 0, in[pushed_in].err);
		pushed_in++;
	}
	if (pushed_out < end || pushed_in < end || next_of(to_wire, false) < end || next_of(turned, true) < end || from_wire < end || !idle)
		return false;
	if (++phase == PHASES) return true;
	stale = true;
	return false;
}

void tb_finish(void)
{
	tb_check(counted == owns && owns > 2 * PER, "%u frames counted, %u turned round", counted, owns);
}
