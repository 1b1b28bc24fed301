// SPDX-License-Identifier: BSD-2-Clause
#include "svdpi.h"
#include "tb.h"

#define N 43
static uint64_t want[N];
static uint32_t low[N];
static int idle_since, phase, answered;
static bool quiet = true;

void stats_pulses(svBitVecVal *pulses, int idle)
{
	uint64_t p = 0;

	if (!quiet)
		for (int i = 0; i < N; i++)
			if (i == 7 || tb_chance(i == 5 ? 99 : 10)) {
				p |= 1ull << i;
				want[i]++;
			}
	pulses[0] = (uint32_t)p;
	pulses[1] = (uint32_t)(p >> 32);
	idle_since = idle ? idle_since + 1 : 0;
}

static void got(uint32_t v, bool err, void *arg)
{
	long i = (long)arg / 2;

	tb_check(!err, "counter %ld: error", i);
	if ((long)arg & 1)
		tb_check(((uint64_t)v << 32 | low[i]) == want[i], "counter %ld is %llu, should be %llu", i,
			 (unsigned long long)((uint64_t)v << 32 | low[i]), (unsigned long long)want[i]);
	else
		low[i] = v;
	answered++;
}

static void refused(uint32_t v, bool err, void *arg)
{
	tb_check(err, "access %ld beyond the end was not refused", (long)arg);
	answered++;
}

void tb_setup(void) {}

bool tb_step(void)
{
	if (phase == 0 && tb_cycle() == 200) {
		quiet = false;
		phase = 1;
	}
	if (phase == 1 && tb_cycle() == 20000) {
		quiet = true;
		phase = 2;
	}
	if (phase == 2 && idle_since > 100) {
		for (long i = 0; i < 2 * N; i++)
			tb_cfg_read(11u << 22 | (uint32_t)i << 2, got, (void *)i);
		tb_cfg_read(11u << 22 | N << 3, refused, (void *)0);
		tb_cfg_read(17u << 22, refused, (void *)1);
		phase = 3;
	}
	return phase == 3 && !tb_cfg_pending();
}

void tb_finish(void) { tb_check(answered == 2 * N + 2, "%d answers", answered); }
