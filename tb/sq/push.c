// SPDX-License-Identifier: BSD-2-Clause
/*
 * Places for pushed WQEs against what they are said to be good for: four queue pairs and few indices, so that each rule is met often. A place counts
 * from its doorbell on, and for nobody when something else was written there, when WQEs of its queue pair were asked for, or when that one has another
 * owner or index. What happens in one cycle is one item.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { OPS, STATE, OUT };
enum { WE = 1, DB = 2, PUSH = 4, FRESH = 8, SET = 16, LOOK = 32, DROP = 64, TAKE = 128, TOLD = 256 };
#define PLACES 8
static struct { bool valid; unsigned qpn, index; uint32_t wqe; } place[PLACES];
static bool hit, busy, told, may, looked;
static unsigned asked, asked_index, next_place;
static uint32_t found;
static struct { uint32_t wqe; unsigned index, lane_buf; } want;
static unsigned ops, hits, takes, outs, twice, beside, lost;
static bool card_hit, card_idle;
static uint64_t done_at;

static void on_state(int port, const uint8_t *bits, void *arg)
{
	card_hit = bits[0] & 1;
	card_idle = bits[0] >> 1 & 1;
}

static void on_out(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	tb_check(busy && told, "a WQE that nobody has taken, or before its lane knows of it");
	tb_check(len == 64 && tb_bits_get(side, 8, 16) == want.index && side[0] == want.lane_buf, "%zu bytes of WQE %u for lane and buffer %#x, should be %u, %#x", len,
		 (unsigned)tb_bits_get(side, 8, 16), side[0], want.index, want.lane_buf);
	for (unsigned w = 0; w < 8; w++)
		tb_check(tb_bits_get(data, 64 * w, 64) == (w < 7 ? (uint64_t)w << 32 | want.wqe : 0), "word %u of the WQE", w);
	busy = told = false;
	done_at = tb_cycle();
	outs++;
}

static void item(unsigned pulses, unsigned qpn, unsigned index, unsigned at, uint32_t wqe)
{
	uint8_t d[8] = { 0 };
	unsigned here = 0, one = 0;

	tb_bits_set(d, 0, 32, wqe);
	tb_bits_set(d, 32, 3, at);
	tb_bits_set(d, 35, 16, index);
	tb_bits_set(d, 51, 2, qpn);
	tb_bits_set(d, 53, 9, pulses);
	tb_item_push(OPS, d, sizeof(d));
	ops++;

	for (unsigned p = 0; p < PLACES; p++)
		if (place[p].valid && place[p].qpn == qpn && place[p].index == index) {
			beside += (pulses & LOOK) && (pulses & WE) && at == p;
			if ((pulses & WE) && at == p)
				continue;
			here++;
			one = p;
		}
	for (unsigned p = 0; p < PLACES; p++) {
		bool was = place[p].valid;

		if ((pulses & PUSH) && at == p)
			place[p].valid = true;
		else if (((pulses & WE) && at == p) || ((pulses & DROP) && place[p].qpn == asked) || ((pulses & (FRESH | SET)) && place[p].qpn == qpn))
			place[p].valid = false;
		lost += was && !place[p].valid;
	}
	looked |= pulses & LOOK;
	if (pulses & LOOK) {
		hit = may = here == 1 && !busy;
		twice += here > 1;
		hits += hit;
		found = place[one].wqe;
		asked = qpn;
		asked_index = index;
	}
	if (pulses & PUSH) {
		place[at].qpn = qpn;
		place[at].index = (index - 1) & 0xffff;
	}
	if (pulses & WE)
		place[at].wqe = wqe;
	if (pulses & TAKE) {
		busy = true;
		may = false;
		want.wqe = found;
		want.index = asked_index;
		want.lane_buf = wqe & 0xff;
		takes++;
	}
	if (pulses & TOLD)
		told = true;
}

void tb_setup(void)
{
	tb_on_item(STATE, on_state, NULL);
	tb_on_packet(OUT, on_out, NULL);
	tb_src_rate(OPS, 100);
}

static bool reached(void) { return hits > 50 && takes > 20 && twice > 3 && beside > 3 && lost > 100; }

bool tb_step(void)
{
	unsigned q = tb_below(4), i = (tb_below(4) - 1) & 0xffff, k = tb_below(100), with = 0;

	if (tb_cycle() < 50)
		return false;
	if (tb_pending(OPS)) {
		done_at = tb_cycle();
		return false;
	}
	/* what the last item did is to be seen now */
	if (tb_cycle() < done_at + 3)
		return false;
	tb_check(card_hit == hit, "it says %s, WQE %u of %u", card_hit ? "here" : "not here", asked_index, asked);
	tb_check(card_idle == !busy, "idle %d, busy %d", card_idle, busy);
	if (tb_cycle() % 500 < 3)
		tb_snk_rate(OUT, tb_chance(50) ? 100 : tb_range(5, 60));
	if (told)
		return false;
	/* Until everything was seen; what was taken last comes out yet. */
	if ((ops > 4000 && reached()) || ops > 40000) {
		if (busy)
			item(TOLD, q, i, tb_below(PLACES), tb_rand());
		return !busy;
	}
	/* something is written beside half of what happens */
	if (tb_chance(30))
		with = WE;
	if (k < 15 || next_place < PLACES)
		item(WE, q, i, next_place++ % PLACES, tb_rand());
	else if (k < 45) /* mostly of the place that was written last; its index is the next one */
		item(DB | PUSH | (may && tb_chance(30) ? DROP : 0), q, (i + 1) & 0xffff, tb_chance(70) ? (next_place - 1) % PLACES : tb_below(PLACES), tb_rand());
	else if (k < 55)
		item(DB | with, q, i, tb_below(PLACES), tb_rand());
	else if (k < 60)
		item((tb_chance(50) ? DB | FRESH : SET) | with, q, i, tb_below(PLACES), tb_rand());
	else if (k < 80)
		item(LOOK | with, q, i, tb_below(PLACES), tb_rand());
	else if (k < 90 && may)
		item(TAKE | DROP, q, i, tb_below(PLACES), tb_rand());
	else if (k < 95 && looked)
		item(DROP, q, i, tb_below(PLACES), tb_rand());
	else if (busy)
		item(TOLD | with, q, i, tb_below(PLACES), tb_rand());
	return tb_cycle() > 200000;
}

void tb_finish(void)
{
	tb_check(ops > 4000 && reached() && outs == takes,
		 "%u items, %u hits, %u taken, %u came, %u twice the same, %u written while looked at, %u lost", ops, hits, takes, outs, twice, beside, lost);
	tb_note("%u items, %u hits, %u taken, %u twice the same, %u written while looked at, %u lost", ops, hits, takes, twice, beside, lost);
}
