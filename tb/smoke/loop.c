// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "tb.h"

#define PACKETS 200
static uint8_t sent[PACKETS][300];
static size_t len[PACKETS];
static uint64_t items[PACKETS];
static int got, got_items;

static void packet(int port, const uint8_t *data, size_t n, const uint8_t *side, bool err, void *arg)
{
	tb_check(got < PACKETS && n == len[got] && !memcmp(data, sent[got], n), "packet %d differs", got);
	tb_check(tb_bits_get(side, 0, 32) == (uint32_t)got && err == (got & 1), "side band of packet %d differs", got);
	got++;
}

static void item(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;

	tb_unpack_begin(&p, bits, 131);
	tb_check(tb_get(&p, 3) == 5 && tb_get(&p, 64) == items[got_items] && tb_get(&p, 64) == ~items[got_items],
		 "item %d differs", got_items);
	got_items++;
}

void tb_setup(void)
{
	for (int i = 0; i < PACKETS; i++) {
		uint32_t side = (uint32_t)i;
		struct tb_pack p;

		len[i] = tb_below(300);
		tb_rand_bytes(sent[i], len[i]);
		tb_packet_push(0, sent[i], len[i], &side, 4, i & 1);
		items[i] = tb_rand();
		tb_pack_begin(&p, 131);
		tb_put(&p, 3, 5);
		tb_put(&p, 64, items[i]);
		tb_put(&p, 64, ~items[i]);
		tb_item_push(2, p.bits, 17);
	}
	for (int i = 0; i < 4; i++) {
		tb_src_rate(i, 70);
		tb_snk_rate(i, 60);
	}
	tb_on_packet(1, packet, NULL);
	tb_on_item(3, item, NULL);
}

bool tb_step(void) { return got == PACKETS && got_items == PACKETS; }

void tb_finish(void)
{
	static const uint8_t fpdu[] = "123456789";

	tb_check(got == PACKETS, "%d of %d packets", got, PACKETS);
	tb_check(tb_crc32c(0, fpdu, 9) == 0xe3069283u, "CRC32c check value");
}
