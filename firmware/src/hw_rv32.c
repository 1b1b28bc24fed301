// SPDX-License-Identifier: BSD-2-Clause
/* The peripherals of rtl/mgmt. */
#include "fw.h"

#define REG(off) (*(volatile uint32_t *)(MGMT_REG + (off)))
#define CFG(room, off) (*(volatile uint32_t *)(MGMT_CFG + ((uint32_t)(room) << 22) + (off)))

/* A row of loads and stores: a loop would take twice as long, the bus hardly does. */
#define ROW __attribute__((optimize("O2"), noinline))

uint64_t hw_now(void)
{
	uint32_t lo = REG(MGMT_R_NOW_LO);

	return (uint64_t)REG(MGMT_R_NOW_HI) << 32 | lo;
}

void hw_timer(uint64_t t)
{
	if (t == NEVER) {
		REG(MGMT_R_TIMER_OFF) = 0;
		return;
	}
	REG(MGMT_R_DEADLINE_LO) = (uint32_t)t;
	REG(MGMT_R_DEADLINE_HI) = (uint32_t)(t >> 32);
}

uint32_t hw_pending(void) { return REG(MGMT_R_PENDING); }
void hw_pend_clear(uint32_t bits) { REG(MGMT_R_PEND_CLR) = bits; }
void hw_wait(void)
{
	REG(MGMT_R_WAKE_MASK) = 0x3f;
	__asm__ volatile("wfi" ::: "memory");
}
void hw_heartbeat(void) { REG(MGMT_R_HEARTBEAT) = 0; }
void hw_state(unsigned s) { REG(MGMT_R_FW_STATE) = s; }
void hw_fault(unsigned e)
{
	REG(MGMT_R_FW_FAULT) = e;
	REG(MGMT_R_WAKE_MASK) = 0;
	for (;;) __asm__ volatile("wfi" ::: "memory");
}

static uint32_t noted;
void hw_note_command(unsigned op, unsigned tag)
{
	noted = op << 24 | (noted & 0xff0000) | (tag & 0xffff);
	REG(MGMT_R_NOTE) = noted;
}
void hw_note_event(unsigned kind)
{
	noted = (noted & ~0xff0000u) | (kind & 0xff) << 16;
	REG(MGMT_R_NOTE) = noted;
}

#define STACK_FILL 0x5aa5f00du /* as start.S writes it */
extern uint32_t __bss_end[], __stack_top[];
bool hw_stack_ok(void) { return __bss_end[0] == STACK_FILL && __bss_end[1] == STACK_FILL; }
void hw_stack_mark(void)
{
	uint32_t *p = __bss_end;

	while (p < __stack_top && *p == STACK_FILL) p++;
	REG(MGMT_R_STACK_FREE) = (uint32_t)((char *)p - (char *)__bss_end);
}

uint32_t hw_bar0(uint32_t off) { return REG(MGMT_R_BAR0 + off); }
uint16_t hw_admin_index(void) { return (uint16_t)REG(MGMT_R_ADMIN_DB); }
void hw_rto(uint32_t us, uint8_t n)
{
	REG(MGMT_R_MIN_RTO) = us;
	REG(MGMT_R_MAX_RETRIES) = n;
}

static void dma_go(uint64_t host, const void *ram, uint32_t go)
{
	REG(MGMT_R_DMA_HOST_LO) = (uint32_t)host;
	REG(MGMT_R_DMA_HOST_HI) = (uint32_t)(host >> 32);
	REG(MGMT_R_DMA_RAM) = (uint32_t)ram;
	__asm__ volatile("" ::: "memory");
	REG(MGMT_R_DMA_GO) = go;
}

/* What was begun since the reset; DMA_STAT counts what is done. */
static uint8_t reads, writes;
unsigned hw_dma_begin(void *to, uint64_t host, unsigned bytes, bool after)
{
	dma_go(host, to, (uint32_t)after << 30 | bytes);
	return ++reads;
}
bool hw_dma_end(unsigned n)
{
	while ((int8_t)(REG(MGMT_R_DMA_STAT) - n) < 0) {}
	__asm__ volatile("" ::: "memory");
	return !(REG(MGMT_R_DMA_ERR) >> ((n - 1) & 7) & 1);
}
bool hw_dma_read(void *to, uint64_t host, unsigned bytes) { return hw_dma_end(hw_dma_begin(to, host, bytes, false)); }
bool hw_dma_read_after(void *to, uint64_t host, unsigned bytes) { return hw_dma_end(hw_dma_begin(to, host, bytes, true)); }

unsigned hw_dma_write_begin(uint64_t host, const void *from, unsigned bytes)
{
	dma_go(host, from, 1u << 31 | bytes);
	return ++writes;
}
void hw_dma_write_end(unsigned n)
{
	while ((int8_t)((REG(MGMT_R_DMA_STAT) >> MGMT_DMA_WR_DONE) - n) < 0) {}
	__asm__ volatile("" ::: "memory");
}
void hw_dma_write(uint64_t host, const void *from, unsigned bytes) { hw_dma_write_end(hw_dma_write_begin(host, from, bytes)); }

void hw_irq(unsigned vector)
{
	while (REG(MGMT_R_POST_BUSY)) {}
	REG(MGMT_R_IRQ_GO) = vector;
}

ROW void hw_post_event(unsigned eqn, const uint32_t eqe[16])
{
	volatile uint32_t *w = (volatile uint32_t *)MGMT_EQE;

	while (REG(MGMT_R_POST_BUSY) & 1) {}
#pragma GCC unroll 16
	for (unsigned i = 0; i < 16; i++) w[i] = eqe[i];
	REG(MGMT_R_EQE_GO) = eqn;
}

uint32_t hw_cfg_read(unsigned room, uint32_t off) { return CFG(room, off); }
void hw_cfg_write(unsigned room, uint32_t off, uint32_t v) { CFG(room, off) = v; }
ROW void ctx_write(unsigned room, uint32_t index, const uint32_t w[16])
{
	volatile uint32_t *to = &CFG(room, index * 64);

#pragma GCC unroll 16
	for (unsigned i = 0; i < 16; i++) to[i] = w[i];
}
bool hw_cfg_failed(void)
{
	static uint32_t seen;
	uint32_t n = REG(MGMT_R_CFG_ERR), was = seen;

	seen = n;
	return n != was;
}

__attribute__((optimize("O2"), noinline)) bool hw_frame_get(void *buf, unsigned max, unsigned *len, unsigned *qpn)
{
	const volatile uint32_t *w = (const volatile uint32_t *)MGMT_FRX;
	uint32_t *to = buf, l = REG(MGMT_R_FRX_LEN), n;

	if (!(l >> 31)) return false;
	*len = n = l & 0xffff;
	*qpn = REG(MGMT_R_FRX_META) & 0xffff;
	if (n > max) n = max;
	for (n = (n + 15) / 16; n; n--, w += 4, to += 4) { /* buffers are a multiple of 16 bytes */
		uint32_t a = w[0], b = w[1], c = w[2], d = w[3];

		__asm__("" : "+r"(w), "+r"(to)); /* pointers, not indices */
		to[0] = a;
		to[1] = b;
		to[2] = c;
		to[3] = d;
	}
	REG(MGMT_R_FRX_POP) = 0;
	return true;
}

static uint8_t frames; /* given to the hardware since the reset */
void hw_frame_end(void)
{
	while ((uint8_t)REG(MGMT_R_FTX_STAT) != frames) {}
}
void hw_frame_begin(const void *frame, unsigned len)
{
	/* A wire that is paused must not hold firmware up: the frame is lost, and TCP sends it again. */
	if (!(REG(MGMT_R_FTX_STAT) >> 8)) return;
	REG(MGMT_R_FTX_RAM) = (uint32_t)frame;
	__asm__ volatile("" ::: "memory");
	REG(MGMT_R_FTX_GO) = len;
	frames++;
}
void hw_frame_send(const void *frame, unsigned len)
{
	hw_frame_begin(frame, len);
	hw_frame_end();
}

bool hw_event_get(uint32_t ev[16])
{
	const volatile uint32_t *w = (const volatile uint32_t *)MGMT_EV;

	if (!REG(MGMT_R_EV_COUNT)) return false;
	for (unsigned i = 0, n = 4; i < n; i++) {
		ev[i] = w[i];
		if (!i && GET(ev, WEFT_FW_EVENT_KIND) <= WEFT_FW_EV_RX_TERMINATE) n = 16; /* the others have no header */
	}
	REG(MGMT_R_EV_POP) = 0;
	return true;
}

uint32_t hw_crc32c(const void *p, unsigned len)
{
	const uint8_t *b = p;

	REG(MGMT_R_CRC_STATE) = ~0u;
	for (; len >= 4; len -= 4, b += 4)
		REG(MGMT_R_CRC_DATA) = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	uint32_t c = REG(MGMT_R_CRC_STATE);
	while (len--) {
		c ^= *b++;
		for (int i = 0; i < 8; i++) c = c >> 1 ^ (c & 1 ? 0x82f63b78u : 0);
	}
	return ~c;
}
