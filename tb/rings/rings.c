// SPDX-License-Identifier: BSD-2-Clause
/*
 * Room RING as abi/weft.abi has it: every register written and read, with values that may and may not be, before pages are given and
 * until all are. What is refused changes nothing; a page goes on once, as it was written, in the size that was said.
 */
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

#define PAGES 16
#define MOST 2
#define ROOM (WEFT_ROOM_RING << 22)
static uint32_t lo, wnd = 8 * 4096, shift;
static uint64_t page[PAGES + 1];
static unsigned given, taken, issued_taken, refused, ops, sizes, windows;
static uint32_t data;
static bool busy, known; /* known: LO was written */

static void on_page(int port, const uint8_t *bits, void *arg)
{
	/* the answer to the write that gave it may not have been seen yet */
	tb_check(taken <= given && tb_bits_get(bits, 0, 64) == page[taken], "page %u is %#llx, should be %#llx", taken, (unsigned long long)tb_bits_get(bits, 0, 64),
		 (unsigned long long)page[taken]);
	tb_check(tb_bits_get(bits, 64, 2) == shift, "pages of 4 KiB << %llu, should be %u", (unsigned long long)tb_bits_get(bits, 64, 2), shift);
	taken++;
}

static void answered(uint32_t v, bool err, void *arg)
{
	uint32_t at = (uint32_t)(uintptr_t)arg & 0xff, want = 0;
	bool we = (uintptr_t)arg >> 8, ok = true;

	busy = false;
	switch (at) {
	case WEFT_RING_PAGE_LO:
		want = known ? lo : v;
		if (we && (ok = !(data & ((4096u << shift) - 1)))) {
			lo = data;
			known = true;
		}
		break;
	case WEFT_RING_PAGE_HI:
		if (!we) {
			tb_check(!err, "PAGE_HI cannot be read");
			return;
		}
		tb_check(err || given < PAGES, "a page more than there are");
		tb_check(!err || given == PAGES || issued_taken < given, "page %u was refused", given);
		if (!err)
			given++;
		refused += err;
		return;
	case WEFT_RING_STATUS:
		ok = !we;
		want = (uint32_t)tb_bits_get((const uint8_t *)&v, WEFT_RING_STATUS_ROOM_LSB, 1) << WEFT_RING_STATUS_ROOM_LSB | 1u << WEFT_RING_STATUS_READY_LSB | 0x1234;
		tb_check(we || !(want >> WEFT_RING_STATUS_ROOM_LSB & 1) || given < PAGES, "room for more pages than there are");
		break;
	case WEFT_RING_SIZE:
		ok = !we;
		want = 2 | 8 << 16;
		break;
	case WEFT_RING_WND:
		want = wnd;
		if (we && (ok = data >= 4096 && data <= 8 * 4096u << shift)) {
			wnd = data;
			windows++;
		}
		break;
	case WEFT_RING_SHIFT:
		want = shift | MOST << WEFT_RING_SHIFT_MOST_LSB;
		if (we && (ok = !given && (data & 3) <= MOST)) {
			shift = data & 3;
			wnd = 8 * 4096 << shift;
			sizes++;
		}
		break;
	default:
		ok = false;
	}
	tb_check(err == !ok, "register %#x, %s %#x: %s", at, we ? "written" : "read", data, err ? "refused" : "taken");
	tb_check(we || !ok || v == want, "register %#x reads %#x, should be %#x", at, v, want);
	refused += err;
}

void tb_setup(void)
{
	uint8_t one = 1;

	tb_on_item(1, on_page, NULL);
	tb_item_push(0, &one, 1);
}

bool tb_step(void)
{
	static const uint8_t regs[] = { WEFT_RING_PAGE_LO, WEFT_RING_PAGE_HI, WEFT_RING_STATUS, WEFT_RING_SIZE, WEFT_RING_WND, WEFT_RING_SHIFT, 0x18, 0xfc };
	uint32_t at = regs[tb_below(sizeof(regs))];
	bool we = tb_chance(60);

	if (tb_cycle() < 20 || busy)
		return false;
	if (ops++ > 4000)
		return taken == given;
	tb_snk_rate(1, tb_chance(50) ? 100 : tb_range(5, 60));
	if (at == WEFT_RING_PAGE_HI && we && ops < 1500)
		we = false; /* first without a page */
	data = tb_rand();
	if (at == WEFT_RING_PAGE_LO && tb_chance(80))
		data &= ~(tb_chance(80) ? (4096u << shift) - 1 : 4095);
	else if (at == WEFT_RING_WND)
		data = tb_chance(30) ? tb_range(4094, 4098) : tb_chance(50) ? (8 * 4096u << tb_below(4)) + tb_below(3) - 1 : tb_below(8 * 4096u << 3);
	else if (at == WEFT_RING_SHIFT)
		data = tb_below(4) | (tb_chance(50) ? tb_rand() & 0x300 : 0);
	issued_taken = taken;
	page[given] = at == WEFT_RING_PAGE_HI && we ? (uint64_t)data << 32 | lo : page[given];
	busy = true;
	if (we)
		tb_cfg_write_fn(ROOM | at, data, answered, (void *)(uintptr_t)(at | 0x100));
	else
		tb_cfg_read(ROOM | at, answered, (void *)(uintptr_t)at);
	return false;
}

void tb_finish(void)
{
	tb_check(given == PAGES && taken == PAGES && refused > 200 && sizes > 20 && windows > 20, "%u pages given, %u taken; %u refused, %u sizes, %u windows", given, taken, refused,
		 sizes, windows);
	tb_note("%u accesses, %u refused; %u sizes of pages, %u windows", ops, refused, sizes, windows);
}
