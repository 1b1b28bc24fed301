// SPDX-License-Identifier: BSD-2-Clause
/* FIFOs, register slice, memory with byte enables, context window, timer wheel: random against models in C. */
#include <stdlib.h>
#include <string.h>

#include "tb.h"

enum { FIFO_IN, FIFO_OUT = 3, COUNTS = 6, MEM_OP, MEM_RD, COMMIT, FETCH, FETCH_RSP, TIMER_OP, TIMER_TAKEN, FIRE, STATE, PORTS };
enum { WORDS = 3000, MEM_OPS = 5000, TIMERS = 24, TICK = 256, ENTRIES = 40 };

/* ---- FIFOs ---- */
static uint32_t sent[3][WORDS];
static unsigned got_words[3], max_count[2];
static uint64_t fifo_end[3];

static void fifo_out(int port, const uint8_t *bits, void *arg)
{
	int f = port - FIFO_OUT;
	uint32_t v;

	memcpy(&v, bits, 4);
	tb_check(got_words[f] < WORDS && v == sent[f][got_words[f]], "FIFO %d: word %u is %#x", f, got_words[f], v);
	got_words[f]++;
	fifo_end[f] = tb_cycle();
}

static void counts(int port, const uint8_t *bits, void *arg)
{
	unsigned c[2] = { (unsigned)tb_bits_get(bits, 0, 4), (unsigned)tb_bits_get(bits, 4, 8) };

	tb_check(c[0] <= 8 && c[1] <= 128, "FIFO counts %u, %u", c[0], c[1]);
	for (int i = 0; i < 2; i++)
		if (c[i] > max_count[i])
			max_count[i] = c[i];
}

/* ---- memory ---- */
static uint32_t mem[16], mem_want[MEM_OPS];
static unsigned mem_wants, mem_gots;

static void mem_make(void)
{
	for (unsigned i = 0; i < 16 + MEM_OPS; i++) {
		uint8_t op[8] = { 0 };
		unsigned we = i < 16 ? 15 : tb_below(16), wa = i < 16 ? i : tb_below(16), ra = tb_chance(30) ? wa : tb_below(16);
		bool re = i >= 16 && tb_chance(70);
		uint32_t d = (uint32_t)tb_rand();

		if (re)
			mem_want[mem_wants++] = mem[ra]; /* old data */
		for (int b = 0; b < 4; b++)
			if (we >> b & 1)
				mem[wa] = (mem[wa] & ~(0xffu << 8 * b)) | (d & 0xffu << 8 * b);
		tb_bits_set(op, 0, 4, ra);
		tb_bits_set(op, 4, 1, re);
		tb_bits_set(op, 5, 32, d);
		tb_bits_set(op, 37, 4, wa);
		tb_bits_set(op, 41, 4, we);
		tb_item_push(MEM_OP, op, 6);
	}
}

static void mem_read(int port, const uint8_t *bits, void *arg)
{
	uint32_t v;

	memcpy(&v, bits, 4);
	tb_check(mem_gots < mem_wants && v == mem_want[mem_gots], "memory read %u is %#x", mem_gots, v);
	mem_gots++;
}

/* ---- context window ---- */
static uint32_t store[ENTRIES][16], staged[16], fetched[16];
static unsigned commits, errors_seen, reads_seen;

static void commit(int port, const uint8_t *bits, void *arg)
{
	unsigned i = (unsigned)tb_bits_get(bits, 0, 16);

	commits++;
	tb_check(i < ENTRIES && !memcmp(bits + 2, store[i], 64), "commit of entry %u differs", i);
}

static void fetch(int port, const uint8_t *bits, void *arg)
{
	unsigned i = (unsigned)tb_bits_get(bits, 0, 16);

	if (i >= ENTRIES) {
		tb_fail("fetch of entry %u", i);
		return;
	}
	tb_item_push(FETCH_RSP, store[i], 64);
}

static void read_ok(uint32_t v, bool err, void *arg)
{
	reads_seen++;
	tb_check(!err && v == (uint32_t)(uintptr_t)arg, "window read %#x instead of %#x", v, (uint32_t)(uintptr_t)arg);
}

static void read_bad(uint32_t v, bool err, void *arg)
{
	errors_seen++;
	tb_check(err, "access beyond the window was not refused");
}

/* One access at a time, for the model follows the answers' order. */
static void window_step(void)
{
	unsigned i = tb_below(ENTRIES), w = tb_below(16);

	if (tb_cfg_pending())
		return;
	switch (tb_below(4)) {
	case 0:
		for (w = 0; w < 16; w++) {
			if (w < 15 && tb_chance(20))
				continue; /* keeps what was staged before */
			staged[w] = (uint32_t)tb_rand();
			tb_cfg_write(i << 6 | w << 2, staged[w]);
		}
		memcpy(store[i], staged, 64);
		break;
	case 1:
		memcpy(fetched, store[i], 64);
		tb_cfg_read(i << 6, read_ok, (void *)(uintptr_t)fetched[0]);
		break;
	case 2:
		if (w)
			tb_cfg_read(i << 6 | w << 2, read_ok, (void *)(uintptr_t)fetched[w]);
		break;
	default:
		if (tb_chance(10))
			tb_cfg_read((ENTRIES + i) << 6 | w << 2, read_bad, NULL);
		break;
	}
}

/* ---- timer ---- */
static struct timer { bool armed; unsigned stale; uint64_t deadline, latest, set_at; } timers[TIMERS];
static unsigned fires, ops_taken, idle_for, freeze;
static bool dl_valid, idle_jumps;
static uint64_t dl;

static uint64_t round_up(uint64_t ns) { return (ns + TICK - 1) / TICK * TICK; }

static void timer_taken(int port, const uint8_t *bits, void *arg)
{
	struct timer *t = &timers[tb_bits_get(bits, 1, 5)];

	ops_taken++;
	/* what is due may be on its way already */
	if (t->armed && t->deadline <= tb_get_now())
		t->stale++;
	t->armed = !tb_bits_get(bits, 0, 1);
	t->deadline = tb_bits_get(bits, 6, 64);
	/* a deadline that has passed already: the next tick */
	t->set_at = tb_get_now();
	t->latest = round_up(t->deadline);
	if (t->latest < tb_get_now() + 2 * TICK)
		t->latest = tb_get_now() + 2 * TICK;
}

static void fire(int port, const uint8_t *bits, void *arg)
{
	struct timer *t = &timers[tb_bits_get(bits, 0, 5)];

	fires++;
	if (t->armed && t->deadline <= tb_get_now()) {
		if (idle_jumps)
			tb_check(tb_get_now() < t->latest + TICK, "timer %d fires at %llu, latest %llu, deadline %llu, set at %llu", (int)(t - timers), (unsigned long long)tb_get_now(), (unsigned long long)t->latest, (unsigned long long)t->deadline,
				 (unsigned long long)t->set_at);
		t->armed = false;
	} else if (t->stale)
		t->stale--;
	else
		tb_fail("timer %d fires: armed %d, %lld ns early", (int)(t - timers), t->armed,
			(long long)(t->deadline - tb_get_now()));
}

static void timer_state(int port, const uint8_t *bits, void *arg)
{
	idle_for = tb_bits_get(bits, 0, 1) ? idle_for + 1 : 0;
	dl_valid = tb_bits_get(bits, 1, 1);
	dl = tb_bits_get(bits, 2, 64);
}

static void timer_op(void)
{
	uint8_t op[9] = { 0 };
	uint64_t d = tb_get_now(), span[] = { 0, 300, 4000, 9000, 40000, 2000000 };

	d += tb_chance(5) ? 1ull << 40 : tb_below((uint32_t)span[tb_below(6)] + 1);
	tb_bits_set(op, 0, 1, tb_chance(15));
	tb_bits_set(op, 1, 5, tb_below(TIMERS));
	tb_bits_set(op, 6, 64, d);
	tb_item_push(TIMER_OP, op, sizeof(op));
}

static void timer_step(void)
{
	if (freeze) {
		/* time stands still: in the end nothing that is due may be left */
		tb_snk_rate(FIRE, 100);
		tb_ns_per_cycle = 0;
		if (--freeze == 0) {
			tb_check(idle_for > 10, "timer is not idle while time stands still");
			for (int i = 0; i < TIMERS; i++) {
				struct timer *t = &timers[i];

				tb_check(!t->armed || round_up(t->deadline) > tb_get_now(), "timer %d was lost", i);
				tb_check(!t->armed || (dl_valid && dl <= round_up(t->deadline)), "deadline_o is later than timer %d", i);
				if (t->latest < tb_get_now())
					t->stale = 0; /* whatever was under way is out */
			}
			idle_jumps = tb_chance(50);
			tb_ns_per_cycle = tb_chance(50) ? 4 : 70;
			tb_snk_rate(FIRE, idle_jumps || tb_chance(50) ? 100 : 10);
		}
		return;
	}
	if (tb_cycle() % 4096 == 4095) {
		freeze = 1200;
		idle_jumps = false;
		return;
	}
	if (idle_jumps) {
		tb_ns_per_cycle = 0;
		if (idle_for > 8 && !tb_pending(TIMER_OP)) {
			if (dl_valid && dl < tb_get_now() + (1ull << 39))
				tb_set_now(dl > tb_get_now() ? dl : tb_get_now());
			if (tb_chance(50))
				timer_op();
			idle_for = 0;
		}
		return;
	}
	if (tb_chance(10) && tb_pending(TIMER_OP) < 3)
		timer_op();
	if (tb_below(2000) == 0)
		tb_set_now(tb_get_now() + (tb_chance(50) ? tb_below(20000) : (uint64_t)tb_below(1u << 30) << tb_below(10)));
}

void tb_setup(void)
{
	/* memories start with anything: define the staged words and the fetched ones */
	for (unsigned w = 0; w < 16; w++) {
		staged[w] = (uint32_t)tb_rand();
		tb_cfg_write(w << 2, staged[w]);
	}
	memcpy(store[0], staged, 64);
	memcpy(fetched, store[0], 64);
	tb_cfg_read(0, read_ok, (void *)(uintptr_t)fetched[0]);
	for (int f = 0; f < 3; f++) {
		for (int i = 0; i < WORDS; i++) {
			sent[f][i] = (uint32_t)tb_rand();
			tb_item_push(FIFO_IN + f, &sent[f][i], 4);
		}
		tb_on_item(FIFO_OUT + f, fifo_out, NULL);
	}
	mem_make();
	tb_on_item(COUNTS, counts, NULL);
	tb_on_item(MEM_RD, mem_read, NULL);
	tb_on_item(COMMIT, commit, NULL);
	tb_on_item(FETCH, fetch, NULL);
	tb_on_item(TIMER_TAKEN, timer_taken, NULL);
	tb_on_item(FIRE, fire, NULL);
	tb_on_item(STATE, timer_state, NULL);
	tb_snk_rate(COMMIT, 30);
	tb_snk_rate(FETCH, 30);
	tb_src_rate(FETCH_RSP, 20);
	tb_set_now(123456789);
}

bool tb_step(void)
{
	if (tb_opt("seed", 1) != 1 && tb_cycle() % 512 == 0)
		for (int f = 0; f < 3; f++) {
			tb_src_rate(FIFO_IN + f, tb_chance(30) ? 100 : tb_range(5, 95));
			tb_snk_rate(FIFO_OUT + f, tb_chance(30) ? 100 : tb_range(5, 95));
		}
	window_step();
	timer_step();
	return tb_cycle() > 60000 && !freeze;
}

void tb_finish(void)
{
	for (int f = 0; f < 3; f++) {
		tb_check(got_words[f] == WORDS, "FIFO %d: %u words came out", f, got_words[f]);
		tb_check(tb_opt("seed", 1) != 1 || fifo_end[f] < WORDS + 10, "FIFO %d loses cycles: %llu", f,
			 (unsigned long long)fifo_end[f]);
	}
	tb_check(tb_opt("seed", 1) != 2 || (max_count[0] == 8 && max_count[1] == 128), "FIFOs never were full: %u, %u", max_count[0],
		 max_count[1]);
	tb_check(mem_gots == mem_wants && mem_gots > 1000, "memory: %u of %u reads", mem_gots, mem_wants);
	tb_check(commits > 100 && reads_seen > 300 && errors_seen > 10, "window: %u commits, %u reads, %u errors", commits, reads_seen,
		 errors_seen);
	tb_check(fires > 300, "timer: only %u fires of %u operations", fires, ops_taken);
}
