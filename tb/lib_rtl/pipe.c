// SPDX-License-Identifier: BSD-2-Clause
/*
 * Random items through weft_ctx_pipe and an engine on it. The model is the contract: of each context the
 * order, its state after every item; visits, releases and rates by the clock. +stages, +run, +slots: the unit's parameters.
 */
#include <stdlib.h>

#include "tb.h"

enum { IN, OUT, PULSE, MAX_SLOT = 4096, TOTAL = 60000, HIST = 64 };

static unsigned stages, run_max, slots;
static unsigned sent, in_count, entered, left, released, visits, busy_yes, busy_no;
static struct item { unsigned slot; uint32_t value; } items[TOTAL];
static unsigned *queue[MAX_SLOT], q_in[MAX_SLOT], q_out[MAX_SLOT]; /* of a slot: what is sent, how many left */
static uint32_t sum[MAX_SLOT], count[MAX_SLOT];
static unsigned taken[MAX_SLOT]; /* accepted of a slot */
static bool head[HIST];	  /* an item was at the head, by cycle */
static uint64_t now, full_rate, best_rate, stalls, waits, cont_seen, lasts;
static unsigned go_pct = 100, mode;
static bool was_go, was_idle;
static bool idle_offer; /* an item was offered to an idle pipe, with go */

int pipe_go(void) { return tb_chance(go_pct); }
int pipe_ask(void) { return (int)tb_below(slots); }

/* Two cycles behind the head: what the engine made of the item. */
static void out(int port, const uint8_t *bits, void *arg)
{
	unsigned slot = (unsigned)tb_bits_get(bits, 0, 12);
	uint32_t value = (uint32_t)tb_bits_get(bits, 12, 32), n = (uint32_t)tb_bits_get(bits, 45, 32),
		 s = (uint32_t)tb_bits_get(bits, 77, 32);

	if (slot >= slots || q_out[slot] == q_in[slot]) {
		tb_fail("slot %u: an item that was not sent", slot);
		return;
	}
	const struct item *it = &items[queue[slot][q_out[slot]++]];

	tb_check(it->value == value, "slot %u: item %08x, not %08x", slot, value, it->value);
	sum[slot] = sum[slot] * 31 + it->value;
	count[slot]++;
	tb_check(s == sum[slot] && n == count[slot], "slot %u: state %08x/%u, not %08x/%u", slot, s, n, sum[slot], count[slot]);
	left++;
}

/* Every cycle, in order, the ports as they are. */
static void pulse(int port, const uint8_t *bits, void *arg)
{
	unsigned rel_slot = (unsigned)tb_bits_get(bits, 0, 12), asked = (unsigned)tb_bits_get(bits, 14, 12),
		 in_slot = (unsigned)tb_bits_get(bits, 32, 12);
	bool rel = tb_bits_get(bits, 12, 1), busy = tb_bits_get(bits, 13, 1), idle = tb_bits_get(bits, 26, 1),
	     last = tb_bits_get(bits, 27, 1), stall = tb_bits_get(bits, 28, 1), st = tb_bits_get(bits, 29, 1),
	     iv = tb_bits_get(bits, 30, 1), acc = tb_bits_get(bits, 31, 1), go = tb_bits_get(bits, 44, 1),
	     st_item = tb_bits_get(bits, 45, 1), visit = tb_bits_get(bits, 46, 1), waited = tb_bits_get(bits, 47, 1);

	now++;
	tb_check(st == st_item, "stat_item");
	tb_check(!visit || st, "stat_visit");
	head[now % HIST] = st;
	if (st) {
		entered++;
		visits += visit;
		cont_seen += !visit;
		full_rate++;
		tb_check(was_go, "an item entered without go");
	} else
		full_rate = 0;
	if (full_rate > best_rate)
		best_rate = full_rate;
	waits += waited;
	stalls += stall;
	released += rel;
	tb_check(!rel || rel_slot < slots, "release of slot %u", rel_slot);
	/* last: of an item two before; one release for it, STAGES - 2 cycles later */
	tb_check(last == (head[(now - 2) % HIST] && (!st || visit)), "last is %d", last);
	tb_check(rel == ((lasts >> (stages - 3)) & 1), "release is %d", rel);
	lasts = lasts << 1 | last;
	/* the first of an idle pipe is at the head in the next cycle */
	if (idle_offer)
		tb_check(st, "an item waited before an idle pipe");
	idle_offer = was_idle && acc && go;
	was_idle = idle;
	was_go = go;
	/* neither waiting nor in the pipe when it was asked, a cycle ago */
	if (busy)
		busy_yes++;
	else
		busy_no++;
	if (!busy && asked < slots)
		tb_check(q_out[asked] == taken[asked], "slot %u is not busy, and %u of its items are inside", asked,
			 taken[asked] - q_out[asked]);
	if (acc && in_slot < slots)
		taken[in_slot]++;
	in_count += acc;
	if (idle)
		tb_check(!iv && in_count == entered, "idle with %u items inside", in_count - entered);
}

void tb_setup(void)
{
	stages = (unsigned)tb_opt("stages", 8);
	run_max = (unsigned)tb_opt("run", 8);
	slots = (unsigned)tb_opt("slots", 16);
	for (unsigned i = 0; i < slots; i++)
		queue[i] = calloc(TOTAL, sizeof(unsigned));
	tb_on_item(OUT, out, NULL);
	tb_on_item(PULSE, pulse, NULL);
}

bool tb_step(void)
{
	/* what is sent: any, few slots, one, two, distinct ones in turn */
	if (tb_cycle() % 2000 == 0) {
		mode = tb_below(5);
		go_pct = tb_chance(50) ? 100 : tb_range(10, 100);
		tb_src_rate(IN, tb_chance(60) ? 100 : tb_range(2, 100));
		if (tb_cycle() < 2000)
			mode = 4, go_pct = 100, tb_src_rate(IN, 100);
	}
	while (sent < TOTAL && tb_pending(IN) < 4) {
		unsigned s = mode == 0 ? tb_below(slots) : mode == 1 ? tb_below(3) % slots : mode == 2 ? 1 % slots :
			     mode == 3 ? (tb_chance(50) ? 0 : tb_below(slots)) : sent % slots;
		uint8_t b[8] = { 0 };

		items[sent].slot = s;
		items[sent].value = (uint32_t)tb_rand();
		tb_bits_set(b, 0, 12, s);
		tb_bits_set(b, 12, 32, items[sent].value);
		queue[s][q_in[s]++] = sent++;
		tb_item_push(IN, b, 6);
	}
	return left == TOTAL && was_idle && tb_cycle() > 100;
}

void tb_finish(void)
{
	tb_check(left == TOTAL && entered == TOTAL && in_count == TOTAL, "%u in, %u entered, %u left of %u", in_count, entered,
		 left, (unsigned)TOTAL);
	tb_check(released == visits, "%u visits, %u releases", visits, released);
	tb_check(run_max == 1 ? cont_seen == 0 : cont_seen > TOTAL / 50, "%llu items in runs", (unsigned long long)cont_seen);
	if (slots >= stages)
		tb_check(best_rate > 1000, "no more than %llu items in consecutive cycles", (unsigned long long)best_rate);
	tb_check(stalls && waits, "it never filled");
	tb_check(busy_yes > 100 && busy_no > 100, "busy %u, not %u", busy_yes, busy_no);
	tb_note("%u items, %u visits, %llu cycles, %llu in a row, %llu waited", TOTAL, visits, (unsigned long long)tb_cycle(),
		(unsigned long long)best_rate, (unsigned long long)waits);
}
