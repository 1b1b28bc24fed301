// SPDX-License-Identifier: BSD-2-Clause
/*
 * Crossings between two clocks of random ratio and jitter, bits that change while they are sampled taken at random:
 * words in order, each once; with +resets=1 either side is reset again and again, for a random time, and what gets
 * through is still in order, never twice, whole, and a loss is announced. Frames keep their ends.
 */
#include <string.h>

#include "clocks.h"
#include "svdpi.h"

#define FRAMES 4096
static uint32_t next_word, seen_word, words, torn_words;
static uint32_t next_frame, last_frame, frames_ok, frames_cut, swallowed;
static size_t frame_len[FRAMES];
static uint64_t next_bus, seen_bus, buses;
static unsigned pulses_in, pulses_out, resets, cfgs;
static uint32_t cfg_now = 0x12345678, cfg_ring[64], copy_now;
static uint64_t cfg_since, pulse_since;
static bool with_resets, ending;
static uint64_t end_at, ended;
static unsigned rsts;
static uint64_t until[2];

static uint8_t frame_byte(uint32_t n, size_t i) { return i < 4 ? (uint8_t)(n >> 8 * i) : (uint8_t)(n * 7 + i * 13 + (i >> 8)); }

static size_t frame_pos, frame_n;
static unsigned frame_rate;

void tb_frame_reset(void) { frame_n = 0; }

int tb_frame_next(int beat, svBitVecVal *data, int *cnt, int *last)
{
	uint8_t *d = (uint8_t *)data;
	size_t n;

	if (!frame_n) {
		if (ending || tb_cycle() < 2000)
			return 0;
		frame_n = tb_chance(50) ? tb_range(4, 80) : tb_range(4, 1600);
		frame_pos = 0;
		frame_len[next_frame % FRAMES] = frame_n;
		next_frame++;
	}
	if (!tb_chance(frame_rate))
		return 0;
	n = frame_n - frame_pos < (size_t)beat ? frame_n - frame_pos : (size_t)beat;
	for (size_t i = 0; i < 64; i++)
		d[i] = i < n ? frame_byte(next_frame - 1, frame_pos + i) : (uint8_t)tb_rand();
	frame_pos += n;
	*cnt = (int)n;
	*last = frame_pos == frame_n;
	if (*last)
		frame_n = 0;
	return 1;
}

static void on_word(int port, const uint8_t *b, void *arg)
{
	uint32_t w = (uint32_t)tb_bits_get(b, 0, 32);
	bool torn = tb_bits_get(b, 32, 1);

	words++;
	torn_words += torn;
	tb_check(w < next_word, "word %u was never written", w);
	if (with_resets)
		tb_check(w >= seen_word && (torn || w == seen_word), "word %u behind %u, torn %d", w, seen_word, torn);
	else
		tb_check(w == seen_word, "word %u, %u was next", w, seen_word);
	seen_word = w + 1;
}

static void on_frame(const uint8_t *d, size_t n, bool err)
{
	uint32_t id;

	if (err) {
		frames_cut++;
		tb_check(with_resets, "a frame was cut without a reset");
		return;
	}
	tb_check(n >= 4, "frame of %zu bytes", n);
	memcpy(&id, d, 4);
	tb_check(id >= last_frame && id < next_frame, "frame %u behind %u", id, last_frame);
	if (!with_resets)
		tb_check(id == last_frame, "frame %u, %u was next", id, last_frame);
	tb_check(n == frame_len[id % FRAMES], "frame %u has %zu bytes, %zu were sent", id, n, frame_len[id % FRAMES]);
	for (size_t i = 0; i < n; i++)
		if (d[i] != frame_byte(id, i)) {
			tb_fail("frame %u differs at %zu", id, i);
			break;
		}
	last_frame = id + 1;
	frames_ok++;
}

static uint8_t sink_buf[65536];
static size_t sink_n, sink_last;
static unsigned sink_rate;

void tb_sink_reset(void) { sink_n = sink_last = 0; }
int tb_sink_ready(void) { return tb_chance(sink_rate); }

void tb_sink_beat(const svBitVecVal *data, int cnt, int last, int err)
{
	tb_check(last || cnt == TB_DATA_W / 8, "beat of %d bytes", cnt);
	tb_check(sink_n + 64 < sizeof(sink_buf), "a frame without end");
	memcpy(sink_buf + sink_n, data, (size_t)cnt);
	sink_n = last ? 0 : sink_n + (size_t)cnt;
	if (last)
		on_frame(sink_buf, (size_t)cnt + sink_last, err);
	sink_last = sink_n;
}

static void on_bus(int port, const uint8_t *b, void *arg)
{
	uint64_t v = tb_bits_get(b, 0, 64), n = v & 0xffffffff;

	buses++;
	tb_check(v >> 32 == (~n & 0xffffffff), "bus word %llx is torn", (unsigned long long)v);
	tb_check(with_resets ? n >= seen_bus : n == seen_bus, "bus word %llu, %llu was next", (unsigned long long)n,
		 (unsigned long long)seen_bus);
	seen_bus = n + 1;
}

static void on_pulse(int port, const uint8_t *b, void *arg)
{
	pulses_out++;
	tb_check(pulses_out <= pulses_in + resets, "%u pulses of %u", pulses_out, pulses_in);
	pulse_since = 0;
}

static void on_copy(int port, const uint8_t *b, void *arg)
{
	uint32_t v = (uint32_t)tb_bits_get(b, 0, 32);
	bool known = v == 0x12345678;

	if (v == copy_now)
		return;
	copy_now = v;
	cfgs++;
	for (unsigned i = 0; i < 64; i++)
		known |= cfg_ring[i] == v;
	tb_check(known, "settings %08x were never set", v);
}

static void on_drop(int port, const uint8_t *b, void *arg) { swallowed++; }
static void on_rst(int port, const uint8_t *b, void *arg) { rsts = b[0] & 3; }

int tb_pulse_in(void)
{
	if (ending || !tb_chance(3))
		return 0;
	pulses_in++;
	pulse_since = tb_cycle();
	return 1;
}

int tb_cfg_in(void)
{
	static unsigned n;

	if (!ending && tb_chance(2)) {
		cfg_now = (uint32_t)tb_rand();
		cfg_ring[n++ % 64] = cfg_now;
		cfg_since = tb_cycle();
	}
	return (int)cfg_now;
}

void tb_setup(void)
{
	with_resets = tb_opt("resets", 0);
	clocks_random(2);
	for (unsigned s = 0; s < 2; s++) {
		clocks[s].reset = true;
		until[s] = tb_range(50, 500);
	}
	cfg_ring[63] = cfg_now;
	tb_src_rate(0, tb_chance(50) ? 100 : tb_range(5, 90));
	tb_snk_rate(1, tb_chance(50) ? 100 : tb_range(5, 90));
	frame_rate = tb_chance(50) ? 100 : tb_range(5, 90);
	sink_rate = tb_chance(50) ? 100 : tb_range(5, 90);
	tb_on_item(1, on_word, NULL);
	tb_on_item(5, on_bus, NULL);
	tb_on_item(6, on_pulse, NULL);
	tb_on_item(7, on_copy, NULL);
	tb_on_item(8, on_drop, NULL);
	tb_on_item(9, on_rst, NULL);
	end_at = (uint64_t)tb_opt("units", 400000);
	/* as many cycles of the slower clock whatever its ratio: short resets meet each other's answers */
	if (with_resets)
		end_at += end_at * (uint64_t)(clocks[0].half > clocks[1].half ? clocks[0].half : clocks[1].half) / 4;
}

bool tb_step(void)
{
	/* a stream swallows what comes before both sides are up: nothing is sent before */
	bool begun = tb_cycle() > 2000;

	while (begun && !ending && tb_pending(0) < 3) {
		tb_item_push(0, &next_word, 4);
		next_word++;
	}
	while (begun && !ending && tb_pending(4) < 2) {
		uint64_t v = (~next_bus & 0xffffffff) << 32 | next_bus;

		tb_item_push(4, &v, 8);
		next_bus++;
	}
	for (unsigned s = 0; s < 2; s++) {
		if (clocks[s].reset && tb_cycle() >= until[s])
			clocks[s].reset = clocks[s].stopped = false;
		/* now and then; short ones are shorter than any clock period; a clock may stand meanwhile */
		if (with_resets && !ending && !clocks[s].reset && tb_below(1500) == 0) {
			clocks[s].reset = true;
			clocks[s].stopped = tb_chance(20);
			until[s] = tb_cycle() + (tb_chance(50) ? 1 : tb_range(2, 400));
			resets++;
		}
	}
	if (!ending && tb_cycle() >= end_at) {
		ending = true;
		ended = tb_cycle();
		frame_rate = sink_rate = 100;
		for (int p = 0; p < 4; p++) {
			tb_src_rate(p, 100);
			tb_snk_rate(p, 100);
		}
	}
	if (!ending)
		return false;
	/* all that waits goes through now */
	return tb_cycle() > ended + 30000;
}

void tb_finish(void)
{
	tb_note("half periods %.2f and %.2f (jitter %.2f, %.2f), %u resets: %u words (%u torn), %u frames, %u cut, %u swallowed, "
		"%llu bus words, %u of %u pulses, %u settings", clocks[0].half, clocks[1].half, clocks[0].jitter, clocks[1].jitter,
		resets, words, torn_words, frames_ok, frames_cut, swallowed, (unsigned long long)buses, pulses_out, pulses_in, cfgs);
	tb_check(words > (with_resets ? 500 : 1000) && frames_ok > 20 && buses > 100 && pulses_out > 20 && cfgs > 20, "too little came through");
	tb_check(tb_pending(0) == 0 && !frame_n && tb_pending(4) == 0, "something is stuck");
	tb_check(copy_now == cfg_now, "settings %08x, the copy has %08x", cfg_now, copy_now);
	if (!with_resets) {
		tb_check(words == next_word && buses == next_bus, "%u of %u words, %llu of %llu bus words", words, next_word,
			 (unsigned long long)buses, (unsigned long long)next_bus);
		tb_check(frames_ok == next_frame && !swallowed, "%u frames of %u", frames_ok, next_frame);
	} else {
		tb_check(resets > 20 && torn_words > 5 && frames_cut > 0, "%u resets, %u torn words, %u cut frames", resets, torn_words,
			 frames_cut);
	}
}
