// SPDX-License-Identifier: BSD-2-Clause
/* Frames of three sources: none lost, in order per source, padded with zeros to 60 bytes, in fair turns. */
#include <string.h>

#include "tb.h"

#define N 400
static uint8_t sent[3][N][2000];
static size_t len[3][N];
static unsigned got[3], counted, next[3];
static bool idle;

static void frame(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	unsigned s = d[0], i;
	size_t want;

	if (s > 2 || got[s] == N) {
		tb_fail("frame of source %u", s);
		return;
	}
	i = got[s]++;
	want = len[s][i] < 60 ? 60 : len[s][i];
	tb_check(n == want && !memcmp(d, sent[s][i], len[s][i]), "frame %u of source %u: %zu bytes, sent %zu", i, s, n, len[s][i]);
	for (size_t k = len[s][i]; k < n; k++)
		tb_check(d[k] == 0, "padding of frame %u of source %u at %zu is %02x", i, s, k, d[k]);
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	idle = bits[0] & 1;
	counted += bits[0] >> 1 & 1;
}

void tb_setup(void)
{
	for (unsigned s = 0; s < 3; s++) {
		for (unsigned i = 0; i < N; i++) {
			len[s][i] = tb_chance(50) ? tb_range(1, 80) : tb_range(1, 2000);
			tb_rand_bytes(sent[s][i], len[s][i]);
			sent[s][i][0] = (uint8_t)s;
		}
		tb_src_rate((int)s, tb_chance(50) ? 100 : 60);
	}
	tb_snk_rate(3, tb_chance(50) ? 100 : 60);
	tb_on_packet(3, frame, NULL);
	tb_on_item(4, on_state, NULL);
}

bool tb_step(void)
{
	bool all = true;

	for (unsigned s = 0; s < 3; s++) {
		while (next[s] < N && tb_pending((int)s) < 2) {
			tb_packet_push((int)s, sent[s][next[s]], len[s][next[s]], NULL, 0, false);
			next[s]++;
		}
		all &= got[s] == N;
	}
	/* sources that always have something take turns */
	if (tb_cycle() == 20000)
		tb_check(got[0] + 200 > got[1] && got[1] + 200 > got[2] && got[2] + 200 > got[0], "unfair: %u %u %u", got[0],
			 got[1], got[2]);
	return all && idle;
}

void tb_finish(void) { tb_check(counted == 3 * N, "%u frames counted", counted); }
