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

struct expected {
	struct ls_verdict last;
	unsigned int count;
};

static bool expect(void *arg, const struct ls_verdict *v)
{
	struct expected *e = arg;

	e->last = *v;
	e->count++;
	return true;
}

/* The judge of the host's memory, access by access: what was given, which way, when, and whose it was. */
static void test_judge(struct ls_host *h)
{
	struct lockstep *ls = ls_of(h);
	struct ls_mem m = ls_alloc(h, 8192);
	struct expected e = { .count = 0 };
	static const struct {
		const char *what, *text;
		size_t at;
		bool write, good;
	} cases[] = {
		{ "read of what is to be read", NULL, 96, false, true },
		{ "write of what is to be read", "queue 7 (byte 0) is only to be read", 96, true, false },
		{ "write of what is to be written", NULL, 4096, true, true },
		{ "read of what is to be written", "answers (byte 4) is only to be written", 4100, false, false },
		{ "read across the end", "byte 198 of 8192 was never given", 196, false, false },
		{ "read below", "byte 92 of 8192 was never given; beside it is queue 7", 92, false, false },
		{ "read across two grants", NULL, 124, false, true },
		{ "write where no memory is", "no memory is there; 0 bytes below ends answers", 8192, true, false },
	};

	ls_judge(ls, expect, &e);
	ls_give(h, &m, 96, 30, LS_CARD_READS, "queue %u", 7);
	ls_give(h, &m, 126, 72, LS_CARD_READS, "more");
	ls_give(h, &m, 4096, 4096, LS_CARD_WRITES, "answers");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		e.count = 0;
		dma_address(h, m.bus + cases[i].at);
		ls_reg_write(h, cases[i].write ? DMA_WRITE : DMA_READ, 1);
		LS_CHECK(ls, ls_settle(ls, 10000));
		if (cases[i].good ? e.count : e.count != 1 || !strstr(e.last.text, cases[i].text))
			ls_fail(ls, "%s: %u verdicts, %s", cases[i].what, e.count, e.last.text);
	}
	/* Taken back while a read is under way: it is judged by when memory is read. */
	e.count = 0;
	weft_rc_config(ls_rc(h))->delay_min = weft_rc_config(ls_rc(h))->delay_max = 500;
	dma_address(h, m.bus + 96);
	ls_reg_write(h, DMA_READ, 1);
	ls_run(ls, 300);
	ls_take_back(h, &m, 100, 1, "for a test");
	LS_CHECK(ls, ls_settle(ls, 10000) && e.count == 1 && e.last.taken && !e.last.write && e.last.address == m.bus + 96);
	LS_CHECK(ls, !strcmp(e.last.owner, "queue 7") && strstr(e.last.text, "(for a test)"));
	weft_rc_config(ls_rc(h))->delay_min = weft_rc_config(ls_rc(h))->delay_max = 0;
	e.count = 0;
	ls_release(h, &m);
	dma_address(h, m.bus + 4096);
	ls_reg_write(h, DMA_WRITE, 1);
	LS_CHECK(ls, ls_settle(ls, 10000) && e.count == 1 && strstr(e.last.text, "it was answers (byte 0)") && strstr(e.last.text, "(released)"));
	ls_judge(ls, NULL, NULL);
}

static void test_host(struct ls_host *h)
{
	struct lockstep *ls = ls_of(h);
	struct ls_mem m = ls_alloc(h, 10000);
	uint32_t value = 0x600df00d, got;
	struct expected e = { .count = 0 };
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
	LS_CHECK(ls, ls_host_stats(h)->judged >= 2 && !ls_host_stats(h)->verdicts);
	ls_judge(ls, expect, &e);
	dma_address(h, m.bus + 12288);
	ls_reg_write(h, DMA_READ, 1);
	LS_CHECK(ls, ls_settle(ls, 10000));
	LS_CHECK(ls, ls_reg_read(h, DMA_RESULT) == 0xdead0000 && ls_host_stats(h)->bad_reads == 1);
	ls_reg_write(h, DMA_WRITE, 1);
	LS_CHECK(ls, ls_settle(ls, 10000) && ls_host_stats(h)->bad_writes == 1 && e.count == 2);
	ls_judge(ls, NULL, NULL);
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
		/* One bit of what went in or came out: found, unless it is in a lane that means nothing. */
		if (i == 0) {
			unsigned int found = 0;

			for (long k = 1; k <= 16; k++) {
				FILE *f = fopen(path, "r+b");
				long at;
				int c;

				fseek(f, 0, SEEK_END);
				at = ftell(f) * k / 17;
				fseek(f, at, SEEK_SET);
				c = getc(f);
				fseek(f, at, SEEK_SET);
				putc(c ^ 4, f);
				fflush(f);
				found += record_replay(path, NULL) != 0;
				fseek(f, at, SEEK_SET);
				putc(c, f);
				fclose(f);
			}
			CHECK(found >= 4, "%u of 16 changes were found", found);
			CHECK(record_replay(path, NULL) == 0);
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
	test_judge(ls_host(ls, 0));
	ls_free(ls);
	printf("ok sim/lockstep judge\n");
	hash = test_wire(5, NULL);
	CHECK(test_wire(5, NULL) == hash);
	CHECK(test_wire(6, NULL) != hash);
	hash = test_wire(5, "all");
	CHECK(test_wire(5, "all") == hash);
	test_record();
	printf("lockstep: passed\n");
	return 0;
}
