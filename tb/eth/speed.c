// SPDX-License-Identifier: BSD-2-Clause
/* Throughput of receive and steering: full frames of one connection, and small frames back to back. */
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

#define BEAT (TB_DATA_W / 8)
static unsigned run, sent, got, bytes, conns_seen;
static uint64_t start;
static const uint8_t mac[6] = { 2, 0, 0, 0, 0, 1 };

static unsigned frame(uint8_t *f, unsigned pl)
{
	uint32_t sum;

	memset(f, 0, 54);
	memcpy(f, mac, 6);
	f[12] = 8;
	f[14] = 0x45;
	f[16] = (uint8_t)((40 + pl) >> 8);
	f[17] = (uint8_t)(40 + pl);
	f[23] = 6;
	f[26] = 10, f[29] = 2;
	f[30] = 10, f[33] = 1;
	sum = tb_csum(0, f + 14, 20);
	f[24] = (uint8_t)(~sum >> 8);
	f[25] = (uint8_t)~sum;
	f[35] = 7;
	f[37] = 9;
	f[46] = 0x50;
	f[47] = 0x10;
	tb_rand_bytes(f + 54, pl);
	sum = tb_csum(tb_csum(0, f + 26, 8) + 6 + 20 + pl, f + 34, 20 + pl);
	f[50] = (uint8_t)(~sum >> 8);
	f[51] = (uint8_t)~sum;
	return 54 + pl;
}

static void on_pay(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	got++;
	bytes += (unsigned)n;
}
static void on_conn(int port, const uint8_t *b, void *arg) { conns_seen++; }

void tb_setup(void)
{
	uint8_t x[64] = { 10, 0, 0, 1 };

	tb_on_packet(3, on_pay, NULL);
	tb_on_item(7, on_conn, NULL);
	tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_MAC_LO, 2);
	tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_MAC_HI, 0x100);
	x[16] = 10, x[19] = 2;
	tb_bits_set(x, WEFT_CTX_CONN_LOCAL_PORT_LSB, 16, 9);
	tb_bits_set(x, WEFT_CTX_CONN_PEER_PORT_LSB, 16, 7);
	tb_bits_set(x, WEFT_CTX_CONN_VALID_LSB, 1, 1);
	tb_cfg_ctx(WEFT_ROOM_CONN, 5, x);
}

bool tb_step(void)
{
	unsigned pl = run ? 84 : 8948, n = run ? 500 : 100;
	uint8_t f[9100];

	if (!conns_seen || tb_cfg_pending())
		return false;
	if (!start) {
		start = tb_cycle();
		sent = got = bytes = 0;
	}
	/* no more than the buffer holds: the wire does not wait */
	for (; sent < n && tb_pending(0) < 2 && sent < got + (run ? 100 : 5); sent++)
		tb_packet_push(0, f, frame(f, pl), NULL, 0, false);
	if (got == n) {
		uint64_t t = tb_cycle() - start;

		tb_note("%d bits, %u bytes of payload: %.1f bytes a cycle, %.1f cycles a frame", TB_DATA_W, pl, (double)bytes / (double)t,
			(double)t / n);
		if (!run)
			tb_check((double)bytes / (double)t > 0.9 * BEAT, "too slow");
		else
			tb_check((double)t / n < (BEAT == 64 ? 12 : BEAT == 16 ? 14 : 22), "too slow");
		start = 0;
		run++;
	}
	return run == 2;
}

void tb_finish(void) { tb_check(run == 2, "not all came out"); }
