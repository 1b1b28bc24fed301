// SPDX-License-Identifier: BSD-2-Clause
/* Random doorbells on every offset, page and object, against the owners' table. */
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

#define N 20000
#define N_SRQ 16
#define REJECTED 128
enum { QP, CQ, SRQ };
static struct { uint64_t data; unsigned kinds, push; } want[N]; /* push: in a line, with its WQE, in place */
static int sent, got, pushed;
static bool ringing;
static uint16_t qp_page[64], cq_page[32], srq_page[N_SRQ]; /* 0xffff: nobody's */

static void out(int port, const uint8_t *bits, void *arg)
{
	uint64_t data = tb_bits_get(bits, 8, 64);
	unsigned kinds = (unsigned)tb_bits_get(bits, 0, 8);

	tb_check(got < sent && kinds == want[got].kinds, "doorbell %d: kinds %#x, should be %#x", got, kinds, want[got].kinds);
	tb_check(kinds == REJECTED || data == want[got].data, "doorbell %d: %#llx, should be %#llx", got,
		 (unsigned long long)data, (unsigned long long)want[got].data);
	if (kinds == 1)
		tb_check(tb_bits_get(bits, 72, 1) == (want[got].push & 1) && tb_bits_get(bits, 73, 1) == (want[got].push >> 1 & 1) &&
				 (!(want[got].push & 2) || tb_bits_get(bits, 74, 3) == want[got].push >> 2),
			 "doorbell %d: with %#x, should be %#x", got, (unsigned)tb_bits_get(bits, 72, 5), want[got].push);
	pushed += kinds == 1 && want[got].push & 2;
	got++;
}

static void own(unsigned kind, unsigned id, uint16_t page)
{
	tb_cfg_write(WEFT_ROOM_DB << 22 | kind << 18 | id << 2, page == 0xffff ? 0x7fff : 0x80000000u | page);
	(kind == SRQ ? srq_page : kind == CQ ? cq_page : qp_page)[id] = page;
}

static void seen(uint32_t v, bool err, void *arg)
{
	uint16_t page = (uint16_t)(uintptr_t)arg;

	tb_check(!err && (page == 0xffff ? !(v >> 31) : v == (0x80000000u | page)), "owner reads %#x, page %#x", v, page);
}

static void refused(uint32_t v, bool err, void *arg) { tb_check(err, "owner beyond the table was not refused"); }

static void ring(void)
{
	static const uint16_t offs[] = { WEFT_DB_SQ, WEFT_DB_RQ, WEFT_DB_CQ, WEFT_DB_EQ, WEFT_DB_L2_TX, WEFT_DB_L2_RX, WEFT_DB_SRQ, 0x800, 4 };
	unsigned k = tb_below(9), page = tb_chance(70) ? tb_below(4) : tb_below(4096), id = tb_below(tb_chance(90) ? 64 : 1 << 16);
	uint64_t d = tb_rand() << 32 | (tb_rand() & 0xff000000) | id, mask = 0;
	uint8_t item[12];
	bool ok = false;

	if (tb_chance(5))
		d |= 1ull << tb_range(16, 23);
	id = d & 0xffffff;
	switch (k) {
	case 0: case 1: ok = id < 64 && qp_page[id] == page; mask = 0x0000ffff0000ffffull; break;
	case 2: ok = id < 32 && cq_page[id] == page; mask = 0x00ffffff0300ffffull; break;
	case 3: ok = id < 8 && !page; mask = 0x00ffffff0300ffffull; break;
	case 6: ok = id < N_SRQ && srq_page[id] == page; mask = 0x0000ffff0000ffffull; break;
	case 4: case 5: ok = !page; mask = 0x0000ffff00ffffffull; break;
	}
	memcpy(item, &d, 8);
	item[8] = (uint8_t)offs[k];
	item[9] = (uint8_t)(offs[k] >> 8 | page << 4);
	item[10] = (uint8_t)(page >> 4);
	/* weft_pcie_rx_req says so of those of DB_SQ only */
	want[sent].push = k ? 0 : tb_chance(40) ? 1 | tb_below(2) << 1 | tb_below(8) << 2 : 0;
	item[11] = (uint8_t)want[sent].push;
	want[sent].kinds = ok ? 1u << k : REJECTED;
	want[sent].data = d & mask;
	sent++;
	tb_item_push(0, item, sizeof(item));
}

void tb_setup(void)
{
	memset(qp_page, 0xff, sizeof(qp_page));
	memset(cq_page, 0xff, sizeof(cq_page));
	memset(srq_page, 0xff, sizeof(srq_page));
	tb_on_item(1, out, NULL);
	tb_src_rate(0, 90);
}

/* owners change only while no doorbell is under way, so that the model knows which one it meets */
bool tb_step(void)
{
	if (tb_cycle() < 200 || got < sent || tb_cfg_pending())
		return false;
	if (sent + 300 > N)
		return true;
	if (ringing) {
		for (int i = 0; i < 300; i++)
			ring();
		ringing = false;
		return false;
	}
	for (int i = 0; i < 20; i++)
		if (tb_chance(50))
			own(QP, tb_below(64), tb_chance(20) ? 0xffff : tb_chance(20) ? tb_below(4096) : tb_below(4));
		else
			own(CQ, tb_below(32), tb_chance(20) ? 0xffff : tb_below(4));
	for (int i = 0; i < 8; i++)
		own(SRQ, tb_below(N_SRQ), tb_chance(20) ? 0xffff : tb_below(4));
	unsigned id = tb_below(64);
	tb_cfg_read(WEFT_ROOM_DB << 22 | id << 2, seen, (void *)(uintptr_t)qp_page[id]);
	tb_cfg_read(WEFT_ROOM_DB << 22 | 1 << 18 | (id & 31) << 2, seen, (void *)(uintptr_t)cq_page[id & 31]);
	tb_cfg_read(WEFT_ROOM_DB << 22 | SRQ << 18 | (id & 15) << 2, seen, (void *)(uintptr_t)srq_page[id & 15]);
	tb_cfg_read(WEFT_ROOM_DB << 22 | 64 << 2, refused, NULL);
	tb_cfg_read(WEFT_ROOM_DB << 22 | 1 << 18 | 32 << 2, refused, NULL);
	tb_cfg_read(WEFT_ROOM_DB << 22 | SRQ << 18 | N_SRQ << 2, refused, NULL);
	tb_cfg_read(WEFT_ROOM_DB << 22 | 3 << 18, refused, NULL);
	ringing = true;
	return false;
}

void tb_finish(void) { tb_check(got > N / 2 && pushed > 5, "only %d doorbells, %d with a WQE", got, pushed); }
