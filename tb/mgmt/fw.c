// SPDX-License-Identifier: BSD-2-Clause
/*
 * Firmware in rtl/mgmt: loads the image through the registers, then runs the scenarios of firmware/test on it. The scenario
 * is a coroutine; each cycle of the model it may be resumed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "tb.h"
#include "world.h"

uint8_t host_mem[HOST_BYTES];
bool world_bus_error;
static ucontext_t script_ctx;
static jmp_buf main_at, script_at;
static bool done, idle, dl_valid;
static uint64_t deadline, idle_since;
static uint32_t reg_value;
static unsigned reg_answers;
static unsigned latency = 250;

#define MAX_READS 64
static struct { uint64_t addr, due; unsigned len; } reads[MAX_READS];
static unsigned read_head, read_count;

/* swapcontext would ask the kernel for the mask of signals, twice a cycle. */
static void cycle(void)
{
	if (!_setjmp(script_at)) _longjmp(main_at, 1);
}
static void resume(void)
{
	static bool begun;

	if (_setjmp(main_at)) return;
	if (begun) _longjmp(script_at, 1);
	begun = true;
	setcontext(&script_ctx);
}

void fw_idle(int i, int v, uint64_t d)
{
	if (!i) idle_since = tb_cycle();
	idle = i;
	dl_valid = v;
	deadline = d;
}
void fw_bad(const char *what) { tb_fail("%s", what); }
static uint64_t mcycle; /* cycles in which the processor did not sleep */
static uint32_t profile[16384]; /* busy cycles by word that is fetched: +profile=FILE */
void fw_cycles(unsigned long long m, int pc)
{
	if (m != mcycle) profile[pc >> 2 & 16383]++;
	mcycle = m;
}
int fw_room(int we, int addr, int wdata, int *rdata, int *delay)
{
	unsigned room = (unsigned)addr >> 22 & 63;
	bool err = false;

	*rdata = 0;
	*delay = (int)room == room_dead ? 400 : (int)tb_below(6); /* dead: past the time-out of 300 cycles */
	if ((int)room == room_dead) return 0;
	if (we) room_write(room, (unsigned)addr & 0x3fffff, (uint32_t)wdata, &err);
	else *rdata = (int)room_read(room, (unsigned)addr & 0x3fffff, &err);
	return err;
}

/* ---- host ---- */
static void on_rsp(int port, const uint8_t *b, void *arg)
{
	reg_value = (uint32_t)tb_bits_get(b, 0, 32);
	reg_answers++;
}
static uint32_t reg(bool we, uint32_t off, uint32_t v, unsigned be)
{
	struct tb_pack p;
	unsigned was = reg_answers;

	tb_pack_begin(&p, 53);
	tb_put(&p, 1, we);
	tb_put(&p, 16, off);
	tb_put(&p, 32, v);
	tb_put(&p, 4, be);
	tb_item_push(0, p.bits, 7);
	while (reg_answers == was) cycle();
	return reg_value;
}
uint32_t world_reg_read(uint32_t off) { return reg(false, off, 0, 15); }
void world_reg_write(uint32_t off, uint32_t v) { reg(true, off, v, 15); }

static void on_read(int port, const uint8_t *b, void *arg)
{
	struct tb_pack p;
	unsigned at = (read_head + read_count) % MAX_READS;

	tb_unpack_begin(&p, b, 81);
	tb_get(&p, 1);
	reads[at].len = (unsigned)tb_get(&p, 16);
	reads[at].addr = tb_get(&p, 64);
	reads[at].due = tb_cycle() + latency + tb_below(20);
	tb_check(read_count < MAX_READS && reads[at].len >= 1 && reads[at].len <= 16384, "read of %u bytes", reads[at].len);
	read_count++;
}
static void serve_reads(void)
{
	static uint8_t zero[16384];

	while (read_count && reads[read_head].due <= tb_cycle()) {
		uint64_t a = reads[read_head].addr - HOST_BASE;
		unsigned n = reads[read_head].len;
		const uint8_t *h = path_host(reads[read_head].addr, n);

		if (h && !world_bus_error) tb_packet_push(3, h, n, NULL, 0, false);
		else if (world_bus_error || a + n > HOST_BYTES) tb_packet_push(3, zero, tb_chance(50) ? n : 0, NULL, 0, true);
		else tb_packet_push(3, host_mem + a, n, NULL, 0, false);
		read_head = (read_head + 1) % MAX_READS;
		read_count--;
	}
}
static void on_write(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	struct tb_pack p;
	uint64_t len, a;
	uint8_t *h;

	tb_unpack_begin(&p, side, 80);
	len = tb_get(&p, 16);
	a = tb_get(&p, 64) - HOST_BASE;
	tb_check(len == n, "write header says %llu bytes, packet has %zu", (unsigned long long)len, n);
	h = path_host(a + HOST_BASE, (unsigned)n);
	if (h) memcpy(h, d, n);
	else if (a + n <= HOST_BYTES) memcpy(host_mem + a, d, n);
	else tb_fail("write to %llx", (unsigned long long)a);
}
static void on_irq_item(int port, const uint8_t *b, void *arg) { on_irq((unsigned)tb_bits_get(b, 0, 11)); }
static uint32_t fault_event[16]; /* the last FW_FAULT */
static unsigned fault_events;
static void on_eqe(int port, const uint8_t *b, void *arg)
{
	uint32_t e[16];

	memcpy(e, b, 64);
	if (GET(e, WEFT_EQE_KIND) == WEFT_EQE_TYPE_FW_FAULT) {
		memcpy(fault_event, e, 64);
		fault_events++;
		return;
	}
	on_event(b[64], e);
}
static void on_ftx(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	if (!path_turns(d, (unsigned)n)) on_frame(d, (unsigned)n);
}

/* ---- world ---- */
uint64_t world_cycle(void) { return mcycle; }
const bool world_quick = false;
void (*world_on_index)(void); /* native */
uint32_t world_features, world_cq_ring; /* the card's are parameters */
uint32_t world_rand(void) { return (uint32_t)tb_rand(); }
static void state_of_firmware(void)
{
	static bool told;

	if (told) return;
	told = true;
	tb_note("status %x, crash pc %x cause %x value %x sp %x, last command %x", world_reg_read(WEFT_REG_STATUS), world_reg_read(WEFT_REG_FW_CRASH_PC),
		world_reg_read(WEFT_REG_FW_CRASH_CAUSE), world_reg_read(WEFT_REG_FW_CRASH_VALUE), world_reg_read(WEFT_REG_FW_CRASH_SP),
		world_reg_read(WEFT_REG_FW_LAST_COMMAND));
}
void world_fail(const char *fmt, ...)
{
	char s[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s, sizeof(s), fmt, ap);
	va_end(ap);
	tb_fail("%s", s);
	state_of_firmware();
}
void world_case(const char *name) { tb_note("%s", name); }
void world_note(const char *fmt, ...)
{
	char s[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s, sizeof(s), fmt, ap);
	va_end(ap);
	tb_note("%s", s);
}
void world_run(void)
{
	uint64_t t0 = tb_cycle();

	for (;;) {
		cycle();
		if (idle && tb_cycle() - idle_since > 12 && !read_count && !tb_pending(3) && !tb_pending(7) && !tb_pending(8) && !tb_pending(9)
		    && !(dl_valid && tb_get_now() >= deadline) && !path_tick()) return;
		if (tb_cycle() % 64 == 0) path_tick();
		if (tb_cycle() - t0 > 2000000) { /* a full queue of commands is waited for by each of them */
			tb_fail("does not come to rest");
			return;
		}
	}
}
void world_advance(uint64_t ns)
{
	uint64_t end = tb_get_now() + ns;

	while (dl_valid && deadline < end) {
		if (deadline > tb_get_now()) tb_set_now(deadline);
		world_run();
	}
	if (tb_get_now() < end) tb_set_now(end);
	world_run();
}
uint64_t world_now(void) { return tb_get_now(); }
void world_step(uint64_t until)
{
	if (idle && tb_cycle() - idle_since > 12 && !read_count && !tb_pending(3) && !tb_pending(7) && !tb_pending(8) && !tb_pending(9)) {
		if (dl_valid && deadline < until) until = deadline;
		if (!path_tick() && tb_get_now() < until) tb_set_now(until);
	}
	if (tb_cycle() % 64 == 0) path_tick();
	cycle();
}
void world_frame_in(const void *f, unsigned len, unsigned qpn)
{
	uint32_t side = qpn | (uint32_t)(qpn != 0) << 16;

	if (path_frame(f, len)) return;
	tb_packet_push(9, f, len, &side, 3, false);
}
/* The data path's events come in one stream. */
void world_event_in(const uint32_t ev[16]) { tb_item_push(7, ev, 64); }

/* ---- image ---- */
static uint8_t image[70000];
static unsigned image_len;
static void read_image(void)
{
	FILE *f = fopen(tb_optstr("image", "../../build/firmware/weft-fw.bin"), "rb");

	if (!f) {
		tb_fail("no firmware image: make -C firmware");
		return;
	}
	image_len = (unsigned)fread(image, 1, sizeof(image), f);
	fclose(f);
}
static unsigned load(const uint8_t *img, unsigned len)
{
	uint64_t at = HOST_BASE + 0x20000;
	unsigned s;

	memcpy(host_mem + 0x20000, img, len < 70000 ? len : 70000);
	world_reg_write(WEFT_REG_FW_ADDR_LO, (uint32_t)at);
	world_reg_write(WEFT_REG_FW_ADDR_HI, (uint32_t)(at >> 32));
	world_reg_write(WEFT_REG_FW_LEN, len);
	for (int i = 0; i < 200000; i++) {
		s = world_reg_read(WEFT_REG_STATUS) & 0xff0f;
		if ((s & 15) != WEFT_FW_STATE_LOADING && (s & 15) != WEFT_FW_STATE_BOOTING) return s;
		for (int j = 0; j < 50; j++) cycle();
	}
	tb_fail("load hangs");
	return 0;
}
static unsigned status(unsigned state, unsigned error) { return state | error << 8; }
static void soft_reset(void)
{
	world_reg_write(WEFT_REG_CONTROL, 1);
	for (int i = 0; i < 40; i++) cycle();
	tb_check((world_reg_read(WEFT_REG_STATUS) & 15) == WEFT_FW_STATE_NONE, "state after reset");
}
static void code(const uint32_t *insn, unsigned n)
{
	static uint8_t img[64 + 256];
	uint32_t v;

	memset(img, 0, sizeof(img));
	memcpy(img, image, 64);
	memcpy(img + 64, insn, n * 4);
	v = n * 4;
	memcpy(img + WEFT_FW_HEADER_CODE_BYTES_OFF, &v, 4);
	v = 0;
	memcpy(img + WEFT_FW_HEADER_ENTRY_OFF, &v, 4);
	v = tb_crc32c(0, img + 64, n * 4);
	memcpy(img + WEFT_FW_HEADER_CODE_CRC_OFF, &v, 4);
	load(img, 64 + n * 4);
}
static void tiny(uint32_t insn) { code(&insn, 1); }

static void loader(void)
{
	static uint8_t bad[70000];
	uint64_t t0;

	tb_check(world_reg_read(WEFT_REG_ID) == WEFT_MAGIC && world_reg_read(WEFT_REG_VERSION) >> 16 == WEFT_ABI_MAJOR, "ID");
	tb_check(world_reg_read(WEFT_REG_MAC_LO) == 0x04030201 && world_reg_read(WEFT_REG_MAC_HI) == 0x0605, "MAC");
	tb_check(world_reg_read(WEFT_REG_CAP_STAG) == 256 && world_reg_read(WEFT_REG_CAP_DATA_W) == TB_DATA_W, "capabilities");
	tb_check(world_reg_read(0x3f0) == 0 && world_reg_read(0x7c) == 0, "unknown registers read 0");
	reg(true, WEFT_REG_FW_ADDR_LO, 0x1000, 3);
	tb_check(world_reg_read(WEFT_REG_FW_ADDR_LO) == 0, "narrow write is ignored");
	tb_check((world_reg_read(WEFT_REG_STATUS) & 15) == WEFT_FW_STATE_NONE, "no image at first");

	tb_check(load(image, 0) == status(2, WEFT_FW_ERROR_BAD_LENGTH), "length 0");
	tb_check(load(image, image_len + 2) == status(2, WEFT_FW_ERROR_BAD_LENGTH), "odd length");
	tb_check(load(image, 65536 + 68) == status(2, WEFT_FW_ERROR_BAD_LENGTH), "too long");
	tb_check(load(image, image_len - 4) == status(2, WEFT_FW_ERROR_BAD_LENGTH), "length differs from the header");
	memcpy(bad, image, image_len);
	bad[0]++;
	tb_check(load(bad, image_len) == status(2, WEFT_FW_ERROR_BAD_MAGIC), "magic");
	bad[0]--;
	bad[4]++;
	tb_check(load(bad, image_len) == status(2, WEFT_FW_ERROR_BAD_ABI), "ABI");
	bad[4]--;
	bad[64 + tb_below(image_len - 64)] ^= (uint8_t)(1u << tb_below(8));
	tb_check(load(bad, image_len) == status(2, WEFT_FW_ERROR_BAD_CRC), "CRC");
	world_bus_error = true;
	tb_check(load(image, image_len) == status(2, WEFT_FW_ERROR_DMA), "host bus error");
	world_bus_error = false;

	tiny(0xffffffff); /* illegal */
	tb_check((world_reg_read(WEFT_REG_STATUS) & 0xff0f) == status(5, WEFT_FW_ERROR_TRAP), "trap");
	load(image, image_len);
	tb_check((world_reg_read(WEFT_REG_STATUS) & 15) == 5, "only a reset helps");
	soft_reset();
	tiny(0x0000006f); /* jumps to itself */
	for (int i = 0; i < 140000; i++) cycle();
	tb_check((world_reg_read(WEFT_REG_STATUS) & 0xff0f) == status(5, WEFT_FW_ERROR_WATCHDOG), "watchdog");
	soft_reset();

	t0 = tb_cycle();
	tb_check(load(image, image_len) == status(4, 0), "image");
	tb_note("%u bytes loaded and ready in %llu cycles", image_len, (unsigned long long)(tb_cycle() - t0));
	tb_check(world_reg_read(WEFT_REG_FW_VERSION) == (image[8] | image[9] << 8 | image[10] << 16 | (uint32_t)image[11] << 24), "FW_VERSION: %08x", world_reg_read(WEFT_REG_FW_VERSION));
	{
		uint64_t n = world_reg_read(WEFT_REG_NOW_LO);

		n |= (uint64_t)world_reg_read(WEFT_REG_NOW_HI) << 32;
		tb_check(tb_get_now() - n < 2000, "NOW");
	}
	world_run();
}

/* A host that answers later than the watchdog waits, and then with an error, is no fault of the firmware. */
static void slow_host(void)
{
	latency = 300000; /* the watchdog: 2^17 cycles */
	world_bus_error = true;
	scenario_post_nop();
	for (int i = 0; i < 400000; i++) cycle();
	tb_check((world_reg_read(WEFT_REG_STATUS) & 0xff0f) == status(4, 0), "a read that timed out is a fault of the firmware");
	world_bus_error = false;
	latency = 250;
	world_run();
	tb_check(scenario_stats() == 0, "STATS");
}

/* Whoever stops says so: a record in registers, and an event. */
static void crash(void)
{
	static const uint32_t stores[] = { /* mtvec = 24; sp = 0x1000; load */
		0x01800293, 0x30529073, 0x00001137, 0x123450b7, 0x0000a183, 0x0000006f,
		/* trap: as start.S */
		0x400002b7, 0x34102373, 0x0a62a023, 0x34202373, 0x0a62a223, 0x34302373, 0x0a62a423, 0x0a22a623, 0x0000006f };

	soft_reset();
	fault_events = 0;
	code(stores, sizeof(stores) / 4);
	for (int i = 0; i < 2000; i++) cycle();
	tb_check((world_reg_read(WEFT_REG_STATUS) & 0xff0f) == status(5, WEFT_FW_ERROR_TRAP), "trap");
	tb_check(world_reg_read(WEFT_REG_FW_CRASH_PC) == 0x10 && world_reg_read(WEFT_REG_FW_CRASH_CAUSE) == 5
		 && world_reg_read(WEFT_REG_FW_CRASH_SP) == 0x1000,
		 "crash record: pc %x cause %u value %x sp %x", world_reg_read(WEFT_REG_FW_CRASH_PC), world_reg_read(WEFT_REG_FW_CRASH_CAUSE),
		 world_reg_read(WEFT_REG_FW_CRASH_VALUE), world_reg_read(WEFT_REG_FW_CRASH_SP));
	tb_check(fault_events == 1 && GET(fault_event, WEFT_EQE_CODE) == WEFT_FW_ERROR_TRAP, "%u FW_FAULT events", fault_events);
	soft_reset();
	fault_events = 0;
	tiny(0x0000006f);
	for (int i = 0; i < 140000; i++) cycle();
	tb_check((world_reg_read(WEFT_REG_STATUS) & 0xff0f) == status(5, WEFT_FW_ERROR_WATCHDOG) && world_reg_read(WEFT_REG_FW_CRASH_PC) < 16,
		 "watchdog: pc %x", world_reg_read(WEFT_REG_FW_CRASH_PC));
	tb_check(fault_events == 1 && GET(fault_event, WEFT_EQE_CODE) == WEFT_FW_ERROR_WATCHDOG, "%u FW_FAULT events", fault_events);
}

/* What commands and set-ups cost, against the file of limits, which says what they cost when it was last looked at. */
static void costs(void)
{
	const char *file = tb_optstr("gates", ""), *name;
	char line[100], n[60];
	unsigned v, limit;
	FILE *f;

	for (unsigned i = 0; !(name = scenario_cost(i, &v)) || *name; i++) {
		if (!name) continue;
		tb_note("bench fw_%s %u cycles", name, v);
		if (!*file) continue;
		f = fopen(file, "r");
		limit = 0;
		while (f && fgets(line, sizeof(line), f))
			if (sscanf(line, "%59s %u", n, &v) == 2 && !strcmp(n, name)) limit = v;
		if (f) fclose(f);
		(void)scenario_cost(i, &v);
		tb_check(v <= limit, "fw_%s takes %u cycles, the limit is %u (%s)", name, v, limit, file);
	}
}

static void script(void)
{
	loader();
	if (tb_opt("flood", 0)) {
		tb_ns_per_cycle = 8; /* 125 MHz */
		scenario_flood((unsigned)tb_opt("flood", 0));
		tb_check((world_reg_read(WEFT_REG_STATUS) & 0xff0f) == status(4, 0), "firmware is well after the flood");
		done = true;
		for (;;) cycle();
	}
	scenarios();
	costs();
	slow_host();
	tb_check(world_reg_read(WEFT_REG_HEARTBEAT) > 100 && (world_reg_read(WEFT_REG_STATUS) & 0xff0f) == status(4, 0), "firmware is well at the end");
	tb_check(world_reg_read(WEFT_REG_FW_STACK_FREE) > 256, "%u bytes of stack are left", world_reg_read(WEFT_REG_FW_STACK_FREE));
	tb_note("bench fw_stack_free %u bytes", world_reg_read(WEFT_REG_FW_STACK_FREE));
	crash();
	done = true;
	for (;;) cycle();
}

void tb_setup(void)
{
	static char stack[1 << 20];
	static const int snk[] = { 2, 4, 5, 6, 10 }, src[] = { 0, 3, 7, 8, 9 };

	read_image();
	tb_set_now(0x2fffff000ull);
	tb_on_item(1, on_rsp, NULL);
	tb_on_item(2, on_read, NULL);
	tb_on_packet(4, on_write, NULL);
	tb_on_item(5, on_irq_item, NULL);
	tb_on_item(6, on_eqe, NULL);
	tb_on_packet(10, on_ftx, NULL);
	if (!tb_opt("smooth", 0))
		for (int i = 0; i < 5; i++) {
			tb_snk_rate(snk[i], 60);
			tb_src_rate(src[i], 70);
		}
	getcontext(&script_ctx);
	script_ctx.uc_stack.ss_sp = stack;
	script_ctx.uc_stack.ss_size = sizeof(stack);
	makecontext(&script_ctx, script, 0);
}
bool tb_step(void)
{
	if (!image_len) return true;
	serve_reads();
	resume();
	return done;
}
void tb_finish(void)
{
	FILE *f = *tb_optstr("profile", "") ? fopen(tb_optstr("profile", ""), "w") : NULL;

	for (unsigned i = 0; f && i < 16384; i++)
		if (profile[i]) fprintf(f, "%04x %u\n", i * 4, profile[i]);
	if (f) fclose(f);
	tb_check(done, "the script did not end");
}
