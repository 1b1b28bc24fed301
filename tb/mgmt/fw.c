// SPDX-License-Identifier: BSD-2-Clause
/*
 * Firmware in rtl/mgmt: loads the image through the registers, then runs the scenarios of firmware/test on it. The scenario
 * is a coroutine; each cycle of the model it may be resumed.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "tb.h"
#include "world.h"

uint8_t host_mem[HOST_BYTES];
bool world_bus_error;
static ucontext_t main_ctx, script_ctx;
static bool done, idle, dl_valid;
static uint64_t deadline, idle_since;
static uint32_t reg_value;
static unsigned reg_answers;
static unsigned latency = 250;

#define MAX_READS 64
static struct { uint64_t addr, due; unsigned len; } reads[MAX_READS];
static unsigned read_head, read_count;

static void cycle(void) { swapcontext(&script_ctx, &main_ctx); }

void fw_idle(int i, int v, uint64_t d)
{
	if (!i) idle_since = tb_cycle();
	idle = i;
	dl_valid = v;
	deadline = d;
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

		if (world_bus_error || a + n > HOST_BYTES) tb_packet_push(3, zero, tb_chance(50) ? n : 0, NULL, 0, true);
		else tb_packet_push(3, host_mem + a, n, NULL, 0, false);
		read_head = (read_head + 1) % MAX_READS;
		read_count--;
	}
}
static void on_write(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	struct tb_pack p;
	uint64_t len, a;

	tb_unpack_begin(&p, side, 80);
	len = tb_get(&p, 16);
	a = tb_get(&p, 64) - HOST_BASE;
	tb_check(len == n, "write header says %llu bytes, packet has %zu", (unsigned long long)len, n);
	if (a + n <= HOST_BYTES) memcpy(host_mem + a, d, n);
	else tb_fail("write to %llx", (unsigned long long)a);
}
static void on_irq_item(int port, const uint8_t *b, void *arg) { on_irq((unsigned)tb_bits_get(b, 0, 11)); }
static void on_eqe(int port, const uint8_t *b, void *arg)
{
	uint32_t e[16];

	memcpy(e, b, 64);
	on_event(b[64], e);
}
static void on_ftx(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg) { on_frame(d, (unsigned)n); }

void hw_frame_send(const void *f, unsigned n) {} /* of net.c, which is here for its parser */

/* ---- world ---- */
uint64_t world_cycle(void) { return tb_cycle(); }
uint32_t world_rand(void) { return (uint32_t)tb_rand(); }
void world_fail(const char *fmt, ...)
{
	char s[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s, sizeof(s), fmt, ap);
	va_end(ap);
	tb_fail("%s", s);
}
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
		    && !(dl_valid && tb_get_now() >= deadline)) return;
		if (tb_cycle() - t0 > 400000) {
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
void world_frame_in(const void *f, unsigned len, unsigned qpn)
{
	uint32_t side = qpn | (uint32_t)(qpn != 0) << 16;

	tb_packet_push(9, f, len, &side, 3, false);
}
void world_event_in(const uint32_t ev[16]) { tb_item_push(tb_chance(50) ? 7 : 8, ev, 64); }

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
static void tiny(uint32_t insn)
{
	static uint8_t img[68];

	memcpy(img, image, 64);
	memcpy(img + 64, &insn, 4);
	img[WEFT_FW_HEADER_CODE_BYTES_OFF] = 4;
	img[13] = img[14] = img[15] = 0;
	insn = tb_crc32c(0, img + 64, 4);
	memcpy(img + WEFT_FW_HEADER_CODE_CRC_OFF, &insn, 4);
	load(img, 68);
}

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
	tb_check(world_reg_read(WEFT_REG_FW_VERSION) == 0x10000, "FW_VERSION");
	{
		uint64_t n = world_reg_read(WEFT_REG_NOW_LO);

		n |= (uint64_t)world_reg_read(WEFT_REG_NOW_HI) << 32;
		tb_check(tb_get_now() - n < 2000, "NOW");
	}
	world_run();
}

static void script(void)
{
	loader();
	scenarios();
	tb_check(world_reg_read(WEFT_REG_HEARTBEAT) > 100 && (world_reg_read(WEFT_REG_STATUS) & 0xff0f) == status(4, 0), "firmware is well at the end");
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
	swapcontext(&main_ctx, &script_ctx);
	return done;
}
void tb_finish(void) { tb_check(done, "the script did not end"); }
