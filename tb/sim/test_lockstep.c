/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lockstep harness on the test double: registers, DMA, interrupts, the wire, time, and that
 * the same seed gives the same trace.
 */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "lockstep.h"

/* Commands of the test double (weft_core.sv). */
enum { IRQ = 0xf04, DMA_LO = 0xf08, DMA_HI = 0xf0c, DMA_WRITE = 0xf10, DMA_READ = 0xf14,
       DMA_RESULT = 0xf18, TIMER = 0xf20, TIMER_COUNT = 0xf24 };

static void dma_address(struct ls_host *h, uint64_t bus)
{
	ls_reg_write(h, DMA_LO, (uint32_t)bus);
	ls_reg_write(h, DMA_HI, (uint32_t)(bus >> 32));
}

static void test_host(struct ls_host *h)
{
	struct lockstep *ls = ls_of(h);
	struct ls_mem m = ls_alloc(h, 10000);
	uint32_t value = 0x600df00d, got;
	uint64_t before;

	LS_CHECK(ls, ls_reg_read(h, WEFT_REG_ID) == WEFT_MAGIC);
	LS_CHECK(ls, m.bytes == 12288 && ls_memory(h, m.bus + 12287, 1) == m.p + 12287);
	LS_CHECK(ls, !ls_memory(h, m.bus + 12287, 2) && !ls_memory(h, m.bus - 1, 1));
	dma_address(h, m.bus + 4096);
	ls_reg_write(h, DMA_WRITE, 0xdecade);
	LS_CHECK(ls, ls_settle(ls, 10000));
	memcpy(&got, m.p + 4096, 4);
	LS_CHECK(ls, got == 0xdecade && ls_interrupts(h, 0) == 1);
	memcpy(m.p + 8188, &value, 4);
	dma_address(h, m.bus + 8188);
	ls_reg_write(h, DMA_READ, 1);
	LS_CHECK(ls, ls_settle(ls, 10000));
	LS_CHECK(ls, ls_reg_read(h, DMA_RESULT) == value && ls_interrupts(h, 0) == 2);
	/* Outside of what is allocated. */
	LS_CHECK(ls, ls_host_stats(h)->bad_reads == 0 && ls_host_stats(h)->bad_writes == 0);
	dma_address(h, m.bus + 12288);
	ls_reg_write(h, DMA_READ, 1);
	LS_CHECK(ls, ls_settle(ls, 10000));
	LS_CHECK(ls, ls_reg_read(h, DMA_RESULT) == 0xdead0000 && ls_host_stats(h)->bad_reads == 1);
	ls_reg_write(h, DMA_WRITE, 1);
	LS_CHECK(ls, ls_settle(ls, 10000) && ls_host_stats(h)->bad_writes == 1);
	/* The debug master; a timer far away costs no cycles of the model. */
	ls_cfg_write(h, WEFT_ROOM_TPT, 0, 0x12345678);
	LS_CHECK(ls, ls_cfg_read(h, WEFT_ROOM_TPT, 0) == 0x12345678);
	before = ls_node(h)->cycles;
	ls_reg_write(h, TIMER, 2000000000);
	LS_CHECK(ls, ls_settle(ls, 10000) && ls_interrupts(h, 1) == 0);
	ls_run(ls, 499000000);
	LS_CHECK(ls, ls_interrupts(h, 1) == 0);
	ls_run(ls, 2000000);
	LS_CHECK(ls, ls_interrupts(h, 1) == 1 && ls_reg_read(h, TIMER_COUNT) == 1);
	LS_CHECK(ls, ls_node(h)->cycles - before < 1000);
	ls_release(h, &m);
	LS_CHECK(ls, !ls_memory(h, m.bus, 1) && ls_host_stats(h)->faults == 0);
}

struct seen {
	unsigned int frames[2], bad;
};

static bool watch(void *arg, unsigned int from, uint8_t *frame, size_t len)
{
	struct seen *s = arg;

	s->frames[from]++;
	for (size_t i = 14; i < len; i++)
		s->bad += frame[i] != (uint8_t)(i * 3 + len);
	return true;
}

/* The doubles play ping-pong with a frame until the wire loses it. */
static uint64_t test_wire(unsigned int seed, const char *adversary)
{
	struct ls_options o = ls_defaults(0, NULL);
	struct seen seen = { { 0, 0 }, 0 };
	struct lockstep *ls;
	uint8_t frame[1514];
	uint64_t hash;

	o.seed = seed;
	o.wire = "loss=1%,dup=0.5%,delay=2us";
	o.adversary = adversary;
	ls = ls_new(&o);
	ls_wire_hook(ls, watch, &seen);
	for (size_t len = 60; len < sizeof(frame); len += 97) {
		memset(frame, 2, 14);
		for (size_t i = 14; i < len; i++)
			frame[i] = (uint8_t)(i * 3 + len);
		ls_wire_inject(ls, (unsigned int)len & 1, frame, len, false);
	}
	ls_run(ls, 200000);
	LS_CHECK(ls, seen.frames[0] > 100 && seen.frames[1] > 100 && !seen.bad);
	LS_CHECK(ls, ls_wire_stats(ls, 0)->lost > 0 && ls_wire_stats(ls, 0)->frames == seen.frames[0]);
	hash = ls_trace_hash(ls);
	ls_free(ls);
	return hash;
}

static void test_record(void)
{
	char dir[] = "/tmp/weft-lockstep.XXXXXX", path[64];
	struct ls_options o = ls_defaults(0, NULL);
	struct lockstep *ls;

	CHECK(mkdtemp(dir));
	o.record = dir;
	o.adversary = "all";
	ls = ls_new(&o);
	test_host(ls_host(ls, 0));
	ls_wire_inject(ls, 1, (const uint8_t *)"A frame of sixty bytes at least, with something else inside it.",
		       60, false);
	ls_run(ls, 3000);
	ls_free(ls);
	for (unsigned int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%c.rec", dir, 'a' + (int)i);
		CHECK(record_replay(path, NULL) == 0);
		/* One bit of what went in or came out: found. */
		if (i == 0) {
			FILE *f = fopen(path, "r+b");
			long at;
			int c;

			fseek(f, -200, SEEK_END);
			at = ftell(f);
			c = getc(f);
			fseek(f, at, SEEK_SET);
			putc(c ^ 4, f);
			fclose(f);
			CHECK(record_replay(path, NULL) != 0);
		}
		unlink(path);
	}
	rmdir(dir);
}

int main(void)
{
	struct ls_options o = ls_defaults(0, NULL);
	struct lockstep *ls = ls_new(&o);
	uint64_t hash;

	test_host(ls_host(ls, 0));
	test_host(ls_host(ls, 1));
	ls_free(ls);
	hash = test_wire(5, NULL);
	CHECK(test_wire(5, NULL) == hash);
	CHECK(test_wire(6, NULL) != hash);
	hash = test_wire(5, "all");
	CHECK(test_wire(5, "all") == hash);
	test_record();
	printf("lockstep: passed\n");
	return 0;
}
