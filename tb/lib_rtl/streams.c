// SPDX-License-Identifier: BSD-2-Clause
/*
 * Byte-stream tools of rtl/lib: random packets with random valid and ready rates against a model in bytes; the seed 1 run is at
 * full rate and also checks that no cycles are lost.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"

enum {
	PRE_HDR, PRE_IN, PRE_OUT, GAT_IN = 6, GAT_OUT, SPL_CUT, SPL_IN, SPL_OUT, MUX_IN, MUX_OUT = 14, CRC_IN,
	CRC_OUT, SUM_IN, SUM_OUT, PKF_IN, PKF_OUT, PKO_OVER, PKO_IN, PKO_OUT, PORTS
};
enum { BYTES = TB_DATA_W / 8, HDR_MAX = 100, ROUNDS = 400, MAX_LEN = 1200 };

/* What an output must bring next. */
struct want {
	struct want *next;
	size_t len;
	uint64_t side;
	bool err;
	uint8_t data[];
};

/* Index: output port; the mux has one list for each input. */
static struct want *want_head[PORTS + 3], **want_tail[PORTS + 3];
static size_t want_count, done_count;
static uint64_t beats_out[PORTS], end_cycle[PORTS];
static unsigned overflows, pko_pushed, pko_dropped, pko_out;
static bool full_rate;

static void want(int port, const void *data, size_t len, uint64_t side, bool err)
{
	struct want *w = calloc(1, sizeof(*w) + len);

	if (!w)
		exit(2);
	w->len = len;
	w->side = side;
	w->err = err;
	if (len)
		memcpy(w->data, data, len);
	*want_tail[port] = w;
	want_tail[port] = &w->next;
	want_count++;
}

static void count_beats(int port, size_t len)
{
	beats_out[port] += len ? (len + BYTES - 1) / BYTES : 1;
	end_cycle[port] = tb_cycle();
}

static void got(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	unsigned side_bits = (unsigned)(uintptr_t)arg;
	uint64_t s = side_bits ? tb_bits_get(side, 0, side_bits) : 0;
	int list = port == MUX_OUT ? PORTS + (int)tb_bits_get(side, 16, 2) : port;
	struct want *w = want_head[list];

	count_beats(port, len);
	if (!w) {
		tb_fail("port %d: packet of %zu bytes, none expected", port, len);
		return;
	}
	if (len != w->len || memcmp(data, w->data, len))
		tb_fail("port %d: packet of %zu bytes instead of %zu, or other content", port, len, w->len);
	if (err != w->err)
		tb_fail("port %d: err %d instead of %d, length %zu", port, err, w->err, len);
	if (s != w->side)
		tb_fail("port %d: sideband %#llx instead of %#llx, length %zu", port, (unsigned long long)s,
			(unsigned long long)w->side, len);
	want_head[list] = w->next;
	if (!w->next)
		want_tail[list] = &want_head[list];
	free(w);
	done_count++;
}

/* The FIFO that drops when full: what comes out is in order and whole, the rest was counted. */
static void got_pko(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	uint64_t tag = tb_bits_get(side, 0, 16);
	struct want *w;

	while ((w = want_head[PKO_OUT]) && w->side != tag) {
		want_head[PKO_OUT] = w->next;
		free(w);
		done_count++;
		overflows--;
	}
	if (!w) {
		tb_fail("packet FIFO: packet with tag %#llx is unknown or out of order", (unsigned long long)tag);
		return;
	}
	pko_out++;
	got(port, data, len, side, err, arg);
}

static void got_over(int port, const uint8_t *bits, void *arg) { overflows++; }

/* Lengths around beat edges are as likely as all others. */
static size_t rand_len(size_t max)
{
	size_t n = tb_below(3) ? tb_below((uint32_t)max + 1) : tb_below((uint32_t)(max / BYTES) + 1) * BYTES + tb_below(3);

	if (!tb_below(8))
		n = tb_below(4);
	if (n > 0 && !tb_below(4))
		n--;
	return n < max ? n : max;
}

static void make_prepend(void)
{
	uint8_t buf[HDR_MAX + MAX_LEN], item[HDR_MAX + 1] = { 0 };
	size_t h = rand_len(HDR_MAX), n = rand_len(full_rate ? 4 * BYTES : MAX_LEN);
	bool err = tb_chance(20);

	tb_rand_bytes(buf, h + n);
	item[0] = (uint8_t)h;
	for (size_t i = 0; i < h; i++)
		tb_bits_set(item, 7 + 8 * (unsigned)i, 8, buf[i]);
	tb_item_push(PRE_HDR, item, sizeof(item));
	tb_packet_push(PRE_IN, buf + h, n, NULL, 0, err);
	want(PRE_OUT, buf, h + n, 0, err);
}

static void make_gather(void)
{
	uint8_t buf[8 * MAX_LEN];
	size_t at = 0;
	bool any = false;

	for (unsigned k = tb_range(1, 6); k; k--) {
		size_t n = rand_len(tb_chance(50) ? 3 * BYTES : MAX_LEN);
		bool err = tb_chance(10);
		uint8_t final = k == 1;

		tb_rand_bytes(buf + at, n);
		tb_packet_push(GAT_IN, buf + at, n, &final, 1, err);
		at += n;
		any |= err;
	}
	want(GAT_OUT, buf, at, 0, any);
}

static void make_split(void)
{
	uint8_t buf[MAX_LEN];
	size_t n = rand_len(MAX_LEN), at = 0;
	bool err = tb_chance(20);

	tb_rand_bytes(buf, n);
	tb_packet_push(SPL_IN, buf, n, NULL, 0, err);
	for (unsigned k = tb_range(1, 6); k; k--) {
		size_t len = rand_len(n - at + (tb_chance(5) ? 70 : 0)), have = len < n - at ? len : n - at;
		size_t last = n ? (n - 1) / BYTES : 0;
		bool ends_here = k == 1 && ((at + have == 0 ? 0 : (at + have - 1) / BYTES) == last || (have == 0 && at / BYTES >= last));
		uint32_t cut = (uint32_t)len | (k == 1 ? 1u << 16 : 0);
		bool e;

		tb_item_push(SPL_CUT, &cut, 3);
		/* err belongs to pieces that reach the end of the packet, and to the last one if it sees the last beat */
		e = have < len || (err && at + have == n && (at + have > last * BYTES || k == 1 || n == 0)) ||
		    (err && k == 1 && ends_here && (have > 0 ? at + have > last * BYTES : at >= last * BYTES));
		if (err && have > 0 && at + have == n && have == len && k != 1)
			e = true;
		want(SPL_OUT, buf + at, have, 0, e);
		at += have;
	}
}

static void make_mux(void)
{
	for (int i = 0; i < 3; i++) {
		uint8_t buf[MAX_LEN];
		size_t n = rand_len(200);
		bool err = tb_chance(20);
		uint32_t side = (uint32_t)tb_below(0x10000);

		tb_rand_bytes(buf, n);
		tb_packet_push(MUX_IN + i, buf, n, &side, 4, err);
		want(PORTS + i, buf, n, side | (uint32_t)i << 16, err);
	}
}

static void make_sums(void)
{
	uint8_t buf[MAX_LEN];
	size_t n = rand_len(MAX_LEN);
	bool err = tb_chance(20);

	tb_rand_bytes(buf, n);
	if (tb_chance(5))
		memset(buf, 0xff, n);
	tb_packet_push(CRC_IN, buf, n, NULL, 0, err);
	want(CRC_OUT, buf, n, tb_crc32c(0, buf, n), err);
	tb_packet_push(SUM_IN, buf, n, NULL, 0, err);
	want(SUM_OUT, buf, n, tb_csum(0, buf, n), err);
}

static void make_pkt_fifo(unsigned tag)
{
	uint8_t buf[80 * BYTES];
	/* now and then longer than the 64 beats of the FIFO */
	bool huge = tb_chance(3), drop = !huge && tb_chance(20);
	size_t n = huge ? 64 * BYTES + 1 + tb_below(8 * BYTES) : rand_len(tb_chance(20) ? 64 * BYTES : 6 * BYTES);

	tb_rand_bytes(buf, n);
	tb_packet_push(PKF_IN, buf, n, &tag, 4, drop);
	if (!huge && !drop)
		want(PKF_OUT, buf, n, tag, false);
	tb_packet_push(PKO_IN, buf, n, &tag, 4, drop);
	if (drop) {
		pko_dropped++; /* finds no room, or is dropped at its end */
	} else {
		pko_pushed++;
		want(PKO_OUT, buf, n, tag, false);
	}
}

/* Vectors of RFC 3720 B.4, and the check value that catalogues of CRCs give. */
static void make_golden(void)
{
	static const uint8_t digits[] = "123456789";
	static const uint32_t rfc3720[4] = { 0x8a9136aa, 0x62a8ab43, 0x46dd794e, 0x113fdb5c };
	uint8_t b[4][32];

	tb_packet_push(CRC_IN, digits, 9, NULL, 0, false);
	want(CRC_OUT, digits, 9, 0xe3069283, false);
	for (int i = 0; i < 32; i++) {
		b[0][i] = 0;
		b[1][i] = 0xff;
		b[2][i] = (uint8_t)i;
		b[3][i] = (uint8_t)(31 - i);
	}
	for (int v = 0; v < 4; v++) {
		tb_packet_push(CRC_IN, b[v], 32, NULL, 0, false);
		want(CRC_OUT, b[v], 32, rfc3720[v], false);
	}
}

void tb_setup(void)
{
	static const struct { int port; unsigned side; } outs[] = {
		{ PRE_OUT, 0 }, { GAT_OUT, 0 }, { SPL_OUT, 0 }, { MUX_OUT, 18 }, { CRC_OUT, 32 }, { SUM_OUT, 16 },
		{ PKF_OUT, 16 },
	};

	full_rate = tb_opt("seed", 1) == 1;
	for (int i = 0; i < PORTS + 3; i++)
		want_tail[i] = &want_head[i];
	for (size_t i = 0; i < sizeof(outs) / sizeof(outs[0]); i++)
		tb_on_packet(outs[i].port, got, (void *)(uintptr_t)outs[i].side);
	tb_on_packet(PKO_OUT, got_pko, (void *)16);
	tb_on_item(PKO_OVER, got_over, NULL);
	make_golden();
	for (unsigned r = 0; r < ROUNDS; r++) {
		make_prepend();
		make_gather();
		make_split();
		make_mux();
		make_sums();
		make_pkt_fifo(r);
	}
}

bool tb_step(void)
{
	bool pending = false;

	if (!full_rate && tb_cycle() % 256 == 0)
		for (int i = 0; i < PORTS; i++) {
			tb_src_rate(i, tb_chance(30) ? 100 : tb_range(5, 95));
			tb_snk_rate(i, tb_chance(30) ? 100 : tb_range(5, 95));
		}
	if (tb_cycle() % 64)
		return false;
	for (int i = 0; i < PORTS; i++)
		pending |= tb_pending(i) != 0;
	for (int i = 0; i < PORTS + 3; i++)
		pending |= i != PKO_OUT && want_head[i];
	if (pending)
		return false;
	/* what the dropping FIFO still holds */
	for (struct want *w = want_head[PKO_OUT]; w; w = w->next)
		pending |= overflows == 0;
	static unsigned quiet;
	return !pending && ++quiet > 20;
}

void tb_finish(void)
{
	unsigned left = 0;

	for (struct want *w = want_head[PKO_OUT]; w; w = w->next)
		left++;
	tb_check(left <= overflows && overflows <= left + pko_dropped, "packet FIFO: %u packets are missing, %u overflows were reported", left, overflows);
	tb_check(pko_out > 50, "packet FIFO: only %u of %u packets came out", pko_out, pko_pushed);
	if (full_rate) {
		static const int at_once[] = { PRE_OUT, MUX_OUT, CRC_OUT, SUM_OUT };

		for (size_t i = 0; i < sizeof(at_once) / sizeof(at_once[0]); i++) {
			int p = at_once[i];

			tb_check(end_cycle[p] < beats_out[p] + 40, "port %d: %llu beats took %llu cycles", p,
				 (unsigned long long)beats_out[p], (unsigned long long)end_cycle[p]);
		}
	}
}
