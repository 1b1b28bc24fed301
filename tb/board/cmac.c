/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user interface of a CMAC as PG203 describes it, beside tb_cmac.sv: it takes beats when it likes and never a gap inside a
 * frame, gives beats when it likes and cannot be held up; link, faults and PAUSE change at random. Frames are numbered, so
 * what is lost is known: those that arrive are whole, in order, and as many as were not counted as lost.
 */
#include <stdlib.h>
#include <string.h>
#include "../cdc/clocks.h"
#include "svdpi.h"

#define FRAMES 1500
#define LARGEST 9018
static uint8_t *frames[2][FRAMES];
static size_t lens[2][FRAMES];
static bool bad[FRAMES];
static int sent[2], next[2], got[2], cut, lost[2];
static int aligned, remote, pausing, core_pauses, holds, pauses;
static uint64_t changed, pause_at, slow_until, end_at;

static void send(int dir)
{
	int n = sent[dir]++;
	size_t least = dir ? 60 : 14, len = tb_chance(40) ? least + tb_below(60) : tb_chance(70) ? 64 + tb_below(1500) :
				      LARGEST - tb_below(300);
	uint8_t *f = calloc(1, len < 64 ? 64 : len);

	tb_rand_bytes(f, len);
	f[0] = (uint8_t)n;
	f[1] = (uint8_t)(n >> 8);
	frames[dir][n] = f;
	/* what the core sends short is padded with zeros */
	lens[dir][n] = !dir && len < 60 ? 60 : len;
	if (dir)
		bad[n] = tb_chance(5);
	tb_packet_push(dir ? 2 : 0, f, len, NULL, 0, dir && bad[n]);
}

static void arrived(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	int dir = port == 3, n = len >= 2 ? data[0] | data[1] << 8 : -1;

	if (dir && err && (n < next[1] || n >= sent[1] || !bad[n] || len != lens[1][n])) {
		/* cut: a beginning of a frame, and a byte that means nothing */
		cut++;
		tb_check(n >= next[1] && n < sent[1] && len < lens[1][n] + 1 && !memcmp(data, frames[1][n], len - 1),
			 "what was cut is no beginning of a frame: %d, %zu bytes", n, len);
		next[1] = n + 1;
		return;
	}
	if (n < next[dir] || n >= sent[dir]) {
		tb_fail("port %d: frame %d, the next one would be %d of %d", port, n, next[dir], sent[dir]);
		return;
	}
	tb_check(len == lens[dir][n] && !memcmp(data, frames[dir][n], len), "port %d: frame %d of %zu bytes came as %zu", port, n,
		 lens[dir][n], len);
	tb_check(!dir || err == bad[n], "frame %d: err is %d", n, err);
	tb_check(dir || !err, "err towards the line");
	next[dir] = n + 1;
	got[dir]++;
}

void cmac_fail(const char *what) { tb_fail("%s", what); }
void cmac_lost(int tx) { lost[!tx]++; }
void cmac_rx_status(int *status) { *status = aligned | remote << 1 | pausing << 2; }
int cmac_pause_req(void) { return core_pauses; }

/* In the transmit clock. */
void cmac_ctl(int enable, int rfi, int pause, int held, int link, int valid, int in_frame)
{
	tb_check(enable != rfi, "transmit and remote fault at once, or neither");
	if (tb_cycle() > changed + 1500) {
		tb_check(enable == aligned, "aligned %d, transmit %d", aligned, enable);
		tb_check(link == (aligned && !remote), "aligned %d, remote fault %d, link %d", aligned, remote, link);
		tb_check(pause == (core_pauses ? 0x100 : 0), "the core asks %d, PAUSE %x", core_pauses, pause);
	}
	if (pausing && held) {
		holds++;
		tb_check(!valid, "a frame begins during a pause");
	}
	if (tb_cycle() > pause_at + 40000)
		tb_check(held == pausing, "PAUSE %d, acknowledged %d", pausing, held);
	(void)in_frame;
}

void tb_setup(void)
{
	clocks_random(3);
	for (int i = 0; i < 3; i++) {
		clocks[i].half = 1 + tb_below(1500) * 1e-3;
		clocks[i].jitter = clocks[i].half * tb_below(45) * 0.01;
		clocks[i].reset = true;
	}
	tb_on_packet(1, arrived, NULL);
	tb_on_packet(3, arrived, NULL);
	tb_src_rate(2, 60);
}

bool tb_step(void)
{
	uint64_t now = tb_cycle();

	if (now < 200)
		return false;
	for (int i = 0; i < 3; i++)
		clocks[i].reset = false;
	for (int dir = 0; dir < 2; dir++)
		if (sent[dir] < FRAMES && tb_pending(dir ? 2 : 0) < 4 && tb_chance(10))
			send(dir);
	if (sent[0] < FRAMES || sent[1] < FRAMES) {
		if (now > changed + 3000 && tb_chance(1) && tb_chance(20)) {
			aligned = tb_chance(80);
			remote = tb_chance(20);
			core_pauses = tb_chance(40);
			changed = now;
		}
		if (now > pause_at + 2000 && tb_chance(1) && tb_chance(5)) {
			pausing = !pausing && tb_chance(50);
			pauses += pausing;
			pause_at = now;
		}
		if (now > slow_until) {
			/* sometimes the core takes hardly anything: what comes must be left out */
			tb_snk_rate(3, tb_chance(80) ? 100 : 3);
			tb_snk_rate(1, tb_chance(50) ? 100 : 10 + tb_below(90));
			tb_src_rate(0, tb_chance(50) ? 100 : 10 + tb_below(90));
			slow_until = now + tb_below(8000);
		}
		return false;
	}
	if (!end_at) {
		aligned = 1;
		remote = core_pauses = pausing = 0;
		changed = pause_at = now;
		tb_snk_rate(3, 100);
		tb_snk_rate(1, 100);
		tb_src_rate(0, 100);
		end_at = now;
	}
	if (tb_pending(0) || tb_pending(2))
		end_at = now;
	return now > end_at + 30000;
}

void tb_finish(void)
{
	tb_check(got[0] + lost[0] == FRAMES, "of %d frames %d went out, %d are counted as lost", FRAMES, got[0], lost[0]);
	tb_check(got[1] + lost[1] == FRAMES, "of %d frames %d came in, %d are counted as lost (%d cut)", FRAMES, got[1], lost[1], cut);
	tb_check(got[0] > FRAMES / 3 && got[1] > FRAMES / 3, "only %d and %d arrived", got[0], got[1]);
	tb_check(cut && lost[1] > cut && lost[0] && pauses && holds, "%d cut, %d lost, %d lost, %d pauses, held for %d cycles", cut,
		 lost[1], lost[0], pauses, holds);
	tb_note("out: %d, lost %d; in: %d, lost %d, of them %d cut; %d pauses", got[0], lost[0], got[1], lost[1], cut, pauses);
}
