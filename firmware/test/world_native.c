// SPDX-License-Identifier: BSD-2-Clause
/* Firmware compiled for the host: the peripherals of hw.h on plain memory. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "world.h"

void fw_init(void);
bool fw_pass(void);

uint8_t host_mem[HOST_BYTES];
bool world_bus_error;
uint32_t world_features = 7; /* IPv6 is among them */
uint32_t world_cq_ring = WEFT_CQ_LOG2_MAX | 2 << 8;
static uint32_t regs[64];
static uint32_t pend;
static uint64_t now = 1000000, deadline = NEVER;
static struct { uint8_t data[1024]; unsigned len, qpn; } fifo[16];
static unsigned fifo_n;
static uint32_t events[64][16];
static unsigned events_n, state;
static bool cfg_bad;
static uint32_t seed = 1;
int world_failures;

uint32_t world_rand(void) { seed = seed * 1664525u + 1013904223u; return seed >> 8 ^ seed << 13; }
uint64_t world_cycle(void) { return 0; }
const bool world_quick = true;
void world_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
	if (++world_failures > 10) {
		printf("not ok firmware: more than ten failures\n");
		exit(1);
	}
}
void world_case(const char *name)
{
	static int was;

	printf("%s firmware/%s\n", world_failures == was ? "ok" : "not ok", name);
	was = world_failures;
}
void world_note(const char *fmt, ...) { (void)fmt; }

uint64_t hw_now(void) { return now++; }
void hw_timer(uint64_t t) { deadline = t; }
uint32_t hw_pending(void)
{
	return pend | (events_n != 0) << MGMT_PEND_EVENT | (fifo_n != 0) << MGMT_PEND_FRAME | (uint32_t)(now >= deadline) << MGMT_PEND_TIMER;
}
void hw_pend_clear(uint32_t b) { pend &= ~b; }
void hw_wait(void) {}
void hw_heartbeat(void) { room_polls = 0; }
void hw_state(unsigned s) { state = s; }
void hw_fault(unsigned e) { world_fail("firmware fault %u", e); }
void hw_note_command(unsigned op, unsigned tag) { (void)op; (void)tag; }
void hw_note_event(unsigned k) { (void)k; }
void hw_stack_mark(void) {}
bool hw_stack_ok(void) { return true; }
uint32_t hw_bar0(uint32_t off)
{
	switch (off) {
	case WEFT_REG_STATUS: return state | 1 << WEFT_REG_STATUS_LINK_LSB;
	case WEFT_REG_FEATURES: return world_features;
	case WEFT_REG_CAP_QP: return 64;
	case WEFT_REG_CAP_CQ: return 32;
	case WEFT_REG_CAP_CQ_RING: return world_cq_ring;
	case WEFT_REG_CAP_EQ: return 8;
	case WEFT_REG_CAP_STAG: return 256;
	case WEFT_REG_CAP_L2: return 64;
	case WEFT_REG_CAP_SRQ: return 64;
	case WEFT_REG_CAP_L2Q: return 1;
	case WEFT_REG_CAP_DB_PAGES: return 64;
	case WEFT_REG_CAP_MTU: return 9000;
	case WEFT_REG_CAP_READS: return 16 | 16 << 16;
	case WEFT_REG_CAP_VECTORS: return 32;
	default: return regs[off / 4];
	}
}
void (*world_on_index)(void); /* a host that goes on while firmware looks */
uint16_t hw_admin_index(void)
{
	if (world_on_index) world_on_index();
	return (uint16_t)regs[WEFT_REG_ADMIN_DB / 4];
}
void hw_rto(uint32_t us, uint8_t n) { (void)us; (void)n; }
static uint8_t *host(uint64_t a, unsigned n)
{
	uint8_t *p = path_host(a, n);

	if (p) return p;
	if (a < HOST_BASE || a + n > HOST_BASE + HOST_BYTES) return NULL;
	return host_mem + (a - HOST_BASE);
}
bool hw_dma_read(void *to, uint64_t a, unsigned n)
{
	if (world_bus_error || !host(a, n)) return false;
	memcpy(to, host(a, n), n);
	return true;
}
bool hw_dma_read_after(void *to, uint64_t a, unsigned n) { return hw_dma_read(to, a, n); }
/* Done at the end only: what is there before is not what will be. */
static struct { void *to; uint64_t a; unsigned n; } begun[4];
static unsigned begun_n, ended_n;
unsigned hw_dma_begin(void *to, uint64_t a, unsigned n, bool after)
{
	(void)after;
	if (begun_n - ended_n == 4) world_fail("more than four reads of host memory under way");
	begun[begun_n % 4].to = to;
	begun[begun_n % 4].a = a;
	begun[begun_n % 4].n = n;
	memset(to, 0xa5, n);
	return begun_n++;
}
bool hw_dma_end(unsigned i)
{
	if (i != ended_n || begun_n == ended_n) world_fail("read %u of host memory ends, %u is the next", i, ended_n);
	ended_n++;
	return hw_dma_read(begun[i % 4].to, begun[i % 4].a, begun[i % 4].n);
}
/* Here, too, nothing is done before the end. */
static struct { uint64_t a; const void *from; unsigned n; } going[4];
static unsigned going_begun, going_ended;
unsigned hw_dma_write_begin(uint64_t a, const void *from, unsigned n)
{
	if (going_begun - going_ended == 4) world_fail("more than four writes of host memory under way");
	going[going_begun % 4].a = a;
	going[going_begun % 4].from = from;
	going[going_begun % 4].n = n;
	return ++going_begun;
}
void hw_dma_write_end(unsigned number)
{
	for (; (int)(going_ended - number) < 0; going_ended++) {
		uint8_t *to = host(going[going_ended % 4].a, going[going_ended % 4].n);

		if (to) memcpy(to, going[going_ended % 4].from, going[going_ended % 4].n);
	}
}
void hw_dma_write(uint64_t a, const void *from, unsigned n) { hw_dma_write_end(hw_dma_write_begin(a, from, n)); }
void hw_irq(unsigned v) { on_irq(v); }
void hw_post_event(unsigned eqn, const uint32_t e[16]) { on_event(eqn, e); }
uint32_t hw_cfg_read(unsigned room, uint32_t off)
{
	bool err;
	uint32_t v = room_read(room, off, &err);

	if ((int)room == room_dead) { cfg_bad = true; return 0; }
	cfg_bad |= err;
	return v;
}
void hw_cfg_write(unsigned room, uint32_t off, uint32_t v)
{
	bool err = true;

	if ((int)room != room_dead) room_write(room, off, v, &err);
	cfg_bad |= err;
}
void ctx_write(unsigned room, uint32_t index, const uint32_t w[16])
{
	for (unsigned i = 0; i < 16; i++) hw_cfg_write(room, index * 64 + i * 4, w[i]);
}
bool hw_cfg_failed(void) { bool b = cfg_bad; cfg_bad = false; return b; }
bool hw_frame_get(void *buf, unsigned max, unsigned *len, unsigned *qpn)
{
	if (!fifo_n) return false;
	*len = fifo[0].len;
	*qpn = fifo[0].qpn;
	memcpy(buf, fifo[0].data, *len < max ? *len : max);
	memmove(fifo, fifo + 1, --fifo_n * sizeof(fifo[0]));
	return true;
}
void hw_frame_end(void) {}
void hw_frame_begin(const void *f, unsigned len) { hw_frame_send(f, len); }
void hw_frame_send(const void *f, unsigned len)
{
	if (!path_turns(f, len)) on_frame(f, len);
}
bool hw_event_get(uint32_t ev[16])
{
	if (!events_n) return false;
	memcpy(ev, events[0], 64);
	memmove(events, events + 1, --events_n * 64);
	return true;
}
uint32_t hw_crc32c(const void *p, unsigned n)
{
	const uint8_t *b = p;
	uint32_t c = ~0u;

	while (n--) {
		c ^= *b++;
		for (int i = 0; i < 8; i++) c = c >> 1 ^ (c & 1 ? 0x82f63b78u : 0);
	}
	return ~c;
}

uint32_t world_reg_read(uint32_t off) { return hw_bar0(off); }
void world_reg_write(uint32_t off, uint32_t v)
{
	regs[off / 4] = v;
	if (off == WEFT_REG_ADMIN_DB) pend |= 1u << MGMT_PEND_ADMIN_DB;
	if (off == WEFT_REG_ADMIN_LOG2) {
		regs[WEFT_REG_ADMIN_DB / 4] = 0;
		pend |= 1u << MGMT_PEND_ADMIN_RESTART;
	}
}
void world_run(void)
{
	for (int i = 0; fw_pass() | path_tick(); i++)
		if (i > 10000) { world_fail("firmware does not come to rest"); return; }
}
void world_advance(uint64_t ns)
{
	uint64_t end = now + ns;

	while (deadline < end) {
		if (deadline > now) now = deadline;
		world_run();
	}
	if (now < end) now = end;
	world_run();
}
uint64_t world_now(void) { return now; }
void world_step(uint64_t until)
{
	if (fw_pass() | path_tick()) return;
	if (deadline < until) until = deadline;
	if (now < until) now = until;
}
void world_frame_in(const void *f, unsigned len, unsigned qpn)
{
	if (fifo_n == 16 || path_frame(f, len)) return;
	memcpy(fifo[fifo_n].data, f, len < 1024 ? len : 1024);
	fifo[fifo_n].len = len;
	fifo[fifo_n++].qpn = qpn;
}
void world_event_in(const uint32_t ev[16])
{
	if (events_n < 64) memcpy(events[events_n++], ev, 64);
}
