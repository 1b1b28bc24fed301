// SPDX-License-Identifier: BSD-2-Clause
/*
 * Messages to contexts that may be away: none is lost, those of one context stay in order, others pass by. +late=1: the
 * store takes its time, so messages must overtake; else nothing may.
 */
#include "tb.h"

enum { IN, OUT, IDLE, N = 16, TOTAL = 20000 };

static unsigned sent, got, overtaken, next_out[N];
static unsigned order[TOTAL], next_order; /* contexts in the order of sending */
static bool here[TOTAL], idle, late;

static void out(int port, const uint8_t *bits, void *arg)
{
	unsigned id = (unsigned)tb_bits_get(bits, 0, 4), number = (unsigned)tb_bits_get(bits, 4, 28);

	if (number >= sent || order[number] != id) {
		tb_fail("message %u of context %u", number, id);
		return;
	}
	tb_check(number >= next_out[id], "context %u: message %u behind %u", id, number, next_out[id]);
	next_out[id] = number + 1;
	tb_check(!here[number], "message %u twice", number);
	here[number] = true;
	if (number != next_order)
		overtaken++;
	while (next_order < sent && here[next_order])
		next_order++;
	got++;
}

static void on_idle(int port, const uint8_t *bits, void *arg) { idle = bits[0] & 1; }

void tb_setup(void)
{
	late = tb_opt("late", 0);
	tb_on_item(OUT, out, NULL);
	tb_on_item(IDLE, on_idle, NULL);
}

bool tb_step(void)
{
	if (tb_cycle() % 1000 == 0) {
		tb_src_rate(IN, tb_chance(50) ? 100 : tb_range(5, 100));
		tb_snk_rate(OUT, tb_chance(50) ? 100 : tb_range(5, 100));
	}
	while (sent < TOTAL && tb_pending(IN) < 4) {
		/* bursts to a few contexts now, to all then */
		unsigned id = (tb_cycle() / 4096) & 1 ? tb_below(3) : tb_below(N);
		uint8_t b[4] = { 0 };

		order[sent] = id;
		tb_bits_set(b, 0, 4, id);
		tb_bits_set(b, 4, 28, sent++);
		tb_item_push(IN, b, 4);
	}
	return got == TOTAL && idle;
}

void tb_finish(void)
{
	tb_check(got == TOTAL, "%u of %u messages came", got, (unsigned)TOTAL);
	tb_check(late ? overtaken > TOTAL / 20 : !overtaken, "%u messages overtook others", overtaken);
	tb_note("%u messages in %llu cycles, %u overtook others", got, (unsigned long long)tb_cycle(), overtaken);
}
