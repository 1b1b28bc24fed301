// SPDX-License-Identifier: BSD-2-Clause
/*
 * Throughput of the receive engine when nothing else is in the way: large segments of one QP, and small messages, one in
 * each segment. Figures in cycles; the limits are what docs/architecture.md promises.
 */
#include <string.h>

#include "ports.h"
#include "tb.h"
#include "weft_abi.h"

#define BEAT (TB_DATA_W / 8)
enum { LARGE, SMALL, SENDS, N_RUNS };
static const char *const names[] = { "Writes, MTU 9000", "64-byte Writes", "64-byte Sends" };
static const unsigned segs[] = { 200, 1000, 1000 };
static unsigned run, sent, placed, total;
static uint64_t start, due[4096], last_commit;
static uint8_t resp[4096][11];
static unsigned rh, rt;
static uint32_t seq = 1000, msn = 1;
static uint64_t t0, t_write, t_commit, t_req;
static uint16_t posted, completed;

static void segment(unsigned kind)
{
	unsigned pl = kind == LARGE ? 8920 : 64, hl = kind == SENDS ? 18 : 14, n = 2 + hl + pl;
	static uint8_t f[9000];
	struct tb_pack p;

	memset(f, 0, sizeof(f));
	f[0] = (uint8_t)((hl + pl) >> 8);
	f[1] = (uint8_t)(hl + pl);
	f[2] = kind == SENDS ? 0x41 : 0xc1;
	f[3] = kind == SENDS ? 0x43 : 0x40;
	if (kind == SENDS) {
		for (unsigned i = 0; i < 4; i++)
			f[12 + i] = (uint8_t)(msn >> (24 - 8 * i));
		msn++;
	}
	n = (n + 3) / 4 * 4;
	tb_pack_begin(&p, 65);
	tb_put(&p, 16, 1);
	tb_put(&p, 32, seq);
	tb_put(&p, 16, n + 4);
	tb_put(&p, 1, 0);
	tb_item_push(P_SEG, p.bits, 9);
	tb_packet_push(P_PAY, f, n + 4, NULL, 0, false);
	seq += n + 4;
	total += pl;
}

static void on_xlate(int port, const uint8_t *bits, void *arg)
{
	if (t0 && !t_req)
		t_req = tb_cycle();
	unsigned len = (unsigned)tb_bits_get(bits, 49, 16);
	uint64_t to = tb_bits_get(bits, 65, 64);

	do { /* pages of 4 KiB */
		unsigned n = 4096 - to % 4096;
		struct tb_pack r;

		if (n > len)
			n = len;
		len -= n;
		tb_pack_begin(&r, 85);
		tb_put(&r, 64, to);
		tb_put(&r, 16, n);
		tb_put(&r, 1, len == 0);
		tb_put(&r, 4, 0);
		to += n;
		due[rt % 4096] = tb_cycle() + 20;
		memcpy(resp[rt++ % 4096], r.bits, 11);
	} while (len);
}

static void on_rd_req(int port, const uint8_t *bits, void *arg)
{
	uint64_t addr = tb_bits_get(bits, 0, 64);
	uint8_t w[64] = { 1 };
	uint32_t len = 64;

	/* answered at once: what is measured is the engine */
	w[WEFT_RQE_INDEX_OFF] = (uint8_t)(addr / 64);
	w[WEFT_RQE_INDEX_OFF + 1] = (uint8_t)(addr / 64 >> 8);
	memcpy(w + WEFT_RQE_LENGTH_OFF, &len, 4);
	memcpy(w + 24, &len, 4);
	tb_packet_push(P_RR, w, 64, NULL, 0, false);
}

static void on_write(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	if (t0 && !t_write)
		t_write = tb_cycle();
	placed += (unsigned)n;
}

static void on_commit(int port, const uint8_t *bits, void *arg)
{
	if (t0 && !t_commit)
		t_commit = tb_cycle();
	last_commit = tb_cycle();
	tb_check(tb_bits_get(bits, 2, 32) <= seq, "commit");
}

static void on_cqe(int port, const uint8_t *bits, void *arg)
{
	completed++;
	tb_check(tb_bits_get(bits, 113, 8) == WEFT_WC_STATUS_SUCCESS, "completion with an error");
}
static void on_ackreq(int port, const uint8_t *bits, void *arg) { tb_fail("a duplicate ACK was asked for"); }
static void on_event(int port, const uint8_t *bits, void *arg) { tb_fail("event of kind %u code %04x", bits[0], bits[3] << 8 | bits[2]); }

void tb_setup(void)
{
	uint8_t c[64] = { 0 };

	tb_on_item(P_XQ, on_xlate, NULL);
	tb_on_item(P_RQ, on_rd_req, NULL);
	tb_on_packet(P_WR, on_write, NULL);
	tb_on_item(P_COMMIT, on_commit, NULL);
	tb_on_item(P_CQE, on_cqe, NULL);
	tb_on_item(P_ACKREQ, on_ackreq, NULL);
	tb_on_item(P_EV, on_event, NULL);
	tb_bits_set(c, WEFT_CTX_RX_RQ_LOG2_LSB, 4, 14);
	tb_bits_set(c, WEFT_CTX_RX_STATE_LSB, 2, WEFT_QP_STATE_RTS);
	tb_bits_set(c, WEFT_CTX_RX_RCV_NXT_LSB, 32, seq);
	tb_bits_set(c, WEFT_CTX_RX_ACCESS_LSB, 8, 0xff);
	tb_bits_set(c, WEFT_CTX_RX_SEND_MSN_LSB, 32, 1);
	tb_bits_set(c, WEFT_CTX_RX_READ_MSN_LSB, 32, 1);
	tb_cfg_ctx(WEFT_ROOM_RX, 1, c);
}

bool tb_step(void)
{
	if (tb_cfg_pending() || tb_cycle() < 200)
		return false;
	while (rh != rt && due[rh % 4096] <= tb_cycle())
		tb_item_push(P_XR, resp[rh++ % 4096], 11);
	if (run == N_RUNS) { /* one small Write on an idle engine; translation 20 cycles */
		if (!t0) {
			t0 = tb_cycle();
			segment(SMALL);
		} else if (t_commit) {
			tb_note("%d bits, one 64-byte Write: translation asked after %u cycles, written after %u, committed after %u",
				TB_DATA_W, (unsigned)(t_req - t0), (unsigned)(t_write - t0), (unsigned)(t_commit - t0));
			tb_check(t_write - t0 <= (TB_DATA_W == 64 ? 90 : 80), "too slow");
			return true;
		}
		return false;
	}
	if (!sent && !start) {
		start = tb_cycle();
		placed = total = 0;
	}
	if (run == SENDS && (uint16_t)(posted - completed) < 200) {
		uint32_t v = 1u << 16 | (uint16_t)(posted += 100);

		tb_item_push(P_DB, &v, 4);
	}
	for (; sent < segs[run] && tb_pending(P_PAY) < 4; sent++)
		segment(run);
	if (sent == segs[run] && placed == total && (run != SENDS || completed == segs[run])) {
		uint64_t t = tb_cycle() - start;
		double b = (double)placed / (double)t, m = (double)t / segs[run];

		tb_note("%d bits, %s: %.1f bytes a cycle, %.1f cycles a message", TB_DATA_W, names[run], b, m);
		if (run == LARGE)
			tb_check(b >= 50.0 / 64 * BEAT, "too slow");
		else
			tb_check(m <= (BEAT == 64 ? 12 : BEAT == 16 ? 18 : 28), "too slow");
		run++;
		sent = 0;
		start = 0;
	}
	tb_check(tb_cycle() < 400000, "does not end");
	return tb_cycle() >= 400000;
}

void tb_finish(void) {}
