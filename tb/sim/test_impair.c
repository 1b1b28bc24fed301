/* SPDX-License-Identifier: BSD-2-Clause */
/* The impairment engine: parsing, rates, order, determinism, what is flipped where. */
#include <string.h>

#include "../../sim/common/prng.h"
#include "../../sim/common/util.h"
#include "../../sim/wire/impair.h"
#include "check.h"

static struct impair_settings parse(const char *text)
{
	struct impair_settings s = { 0 };
	const char *error = impair_parse(text, &s);

	CHECK(!error, "%s: %s", text, error);
	return s;
}

static void test_parse(void)
{
	static const char *const bad[] = {
		"", ",", "loss", "loss=", "loss=1", "loss=-1%", "loss=101%", "loss=1%%", "loss= 1%",
		"loss=1%,", ",loss=1%", "loss=1%,,dup=1%", "loss=1.%", "loss=.5%", "loss=1e1%",
		"loss=0.00000001%", "reorder=1%", "reorder=1%:", "reorder=1%:0", "reorder=1%:1001",
		"reorder=1%:3x", "reorder=:3", "dup=1%:2", "delay=5", "delay=5m", "delay=-5ms",
		"delay=2000000s", "delay=0.5ns", "rate=1", "rate=1Mbit", "seed=", "seed=x", "seed=-1",
		"seed=18446744073709551616", "corrupt-past-fcs=1%:0", "corrupt-past-fcs=1%:65",
		"Loss=1%", "none=1", "loss=1% dup=1%", "loss=99999999999%",
	};
	struct impair_settings s, before;
	char text[320];

	s = parse("loss=1%,reorder=5%:3,dup=0.5%,corrupt=0.0000001%,corrupt-past-fcs=100%:2,"
		  "delay=1.5ms,rate=2.5gbit,seed=0x10");
	CHECK(s.loss == 10000000 && s.reorder == 50000000 && s.reorder_distance == 3);
	CHECK(s.dup == 5000000 && s.corrupt == 1 && s.flip == RATE_ONE && s.flip_bits == 2);
	CHECK(s.delay_ns == 1500000 && s.rate_bps == 2500000000u && s.seed == 16);
	impair_format(&s, text, sizeof(text));
	before = parse(text);
	CHECK(!memcmp(&s, &before, sizeof(s)), "%s", text);
	before = s;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK(impair_parse(bad[i], &s), "'%s' was taken", bad[i]);
		CHECK(!memcmp(&s, &before, sizeof(s)), "'%s' changed something", bad[i]);
	}
	impair_in_force(&s, text, sizeof(text));
	before = parse(text);
	CHECK(!memcmp(&s, &before, sizeof(s)), "%s", text);
	CHECK(!impair_parse("none", &s) && s.loss == 0 && s.delay_ns == 0 && s.seed == 16);
	impair_format(&s, text, sizeof(text));
	CHECK(!impair_parse(text, &s), "%s", text);
	impair_in_force(&s, text, sizeof(text));
	CHECK(!*text, "%s", text);
	CHECK(!impair_parse("reorder=0%", &s));
	CHECK(!strcmp(impair_parse("reorder=5%:0", &s), "cannot understand 'reorder=5%:0'"));
}

/* A TCP frame over IPv4 or IPv6 with its number in the payload and 6 bytes of padding. */
static size_t make_frame(uint8_t *f, uint32_t number, bool v6, bool tcp, size_t payload)
{
	size_t ip = 14, header = v6 ? 40 : 20, total = header + 20 + payload;

	memset(f, 0, ip + total + 6);
	memcpy(f, "\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01", 12);
	f[12] = v6 ? 0x86 : 0x08;
	f[13] = v6 ? 0xdd : 0x00;
	if (v6) {
		f[ip] = 0x60;
		f[ip + 4] = (uint8_t)((20 + payload) >> 8);
		f[ip + 5] = (uint8_t)(20 + payload);
		f[ip + 6] = tcp ? 6 : 17;
	} else {
		f[ip] = 0x45;
		f[ip + 2] = (uint8_t)(total >> 8);
		f[ip + 3] = (uint8_t)total;
		f[ip + 9] = tcp ? 6 : 17;
	}
	memcpy(f + ip + header + 20, &number, 4);
	return ip + total + 6;
}

static void test_rates(unsigned long seed)
{
	const unsigned int n = 20000;
	struct impair_settings s = parse("loss=10%,dup=5%,corrupt=2%,corrupt-past-fcs=20%");
	struct impair *im;
	const struct impair_stats *st;
	uint64_t out = 0;
	uint8_t f[256];
	size_t len;

	s.seed = seed;
	im = impair_new(&s, 1);
	for (unsigned int i = 0; i < n; i++) {
		len = make_frame(f, i, i & 1, true, 64);
		impair_push(im, i * 1000, f, len);
		while (impair_pop(im, i * 1000, &len))
			out++;
	}
	st = impair_stats(im);
	CHECK(st->frames == n && out == st->delivered);
	CHECK(st->delivered == n - st->lost - st->corrupted + st->duplicated);
	CHECK(st->lost > n * 9 / 100 && st->lost < n * 11 / 100, "%llu", (unsigned long long)st->lost);
	CHECK(st->corrupted > n * 1 / 100 && st->corrupted < n * 3 / 100);
	CHECK(st->duplicated > n * 3 / 100 && st->duplicated < n * 6 / 100);
	CHECK(st->flipped > n * 15 / 100 && st->flipped < n * 21 / 100);
	CHECK(impair_next_ns(im) == UINT64_MAX);
	impair_free(im);
}

/* Exactly the wanted number of bits, inside the IP packet, TCP only. */
static void test_flip(unsigned long seed)
{
	for (unsigned int bits = 1; bits <= 64; bits += 21) {
		struct impair_settings s = { .flip = RATE_ONE, .flip_bits = bits, .seed = seed };
		struct impair *im = impair_new(&s, 0);

		for (unsigned int i = 0; i < 2000; i++) {
			bool v6 = i & 1, tcp = i % 5;
			uint8_t f[256], diff;
			const uint8_t *g;
			size_t len = make_frame(f, i, v6, tcp, i % 100), got;
			unsigned int changed = 0;

			impair_push(im, i, f, len);
			g = impair_pop(im, i, &got);
			CHECK(g && got == len);
			for (size_t b = 0; b < len; b++) {
				diff = f[b] ^ g[b];
				changed += (unsigned int)__builtin_popcount(diff);
				CHECK(!diff || (b >= (v6 ? 22u : 14u) && b < len - 6), "byte %zu", b);
			}
			CHECK(changed == (tcp ? bits : 0), "%u bits, wanted %u", changed, bits);
		}
		impair_free(im);
	}
}

/* One frame in 50 is held: exactly DIST later ones come first, the rest keeps its order. */
static void test_reorder(unsigned long seed)
{
	struct impair_settings s = parse("reorder=2%:3,delay=10us");
	uint32_t order[4000], count = 0, late = 0;
	struct impair *im;
	uint8_t f[256];
	uint64_t now = 0;

	s.seed = seed;
	im = impair_new(&s, 7);
	for (uint32_t i = 0; i < 4000; i++, now += 5000) {
		const uint8_t *g;
		size_t len = make_frame(f, i, false, true, 16);

		impair_push(im, now, f, len);
		while ((g = impair_pop(im, now, &len)))
			memcpy(&order[count++], g + 54, 4);
	}
	/* The end: nothing follows, the last ones come when the hold time is over. */
	now += 10000;
	while (impair_next_ns(im) != UINT64_MAX) {
		const uint8_t *g;
		size_t len;

		CHECK(impair_next_ns(im) <= now + IMPAIR_HOLD_NS);
		if (impair_next_ns(im) > now)
			now = impair_next_ns(im);
		while ((g = impair_pop(im, now, &len)))
			memcpy(&order[count++], g + 54, 4);
	}
	CHECK(count == 4000, "%u", count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t overtook = 0;

		for (uint32_t j = i > 50 ? i - 50 : 0; j < i; j++)
			overtook += order[j] > order[i];
		late += overtook > 0;
		/* Of the three that overtake it one may be held itself and come later. */
		CHECK(overtook <= 6, "frame %u was overtaken by %u", order[i], overtook);
	}
	CHECK(late >= 40 && late <= 130, "%u late", late);
	CHECK(impair_stats(im)->reordered >= late);
	impair_free(im);
}

static uint64_t run_hash(const char *settings, uint64_t stream, unsigned int frames)
{
	struct impair_settings s = parse(settings);
	struct impair *im = impair_new(&s, stream);
	uint64_t hash = 0;
	uint8_t f[256];

	for (unsigned int i = 0; i < frames; i++) {
		const uint8_t *g;
		size_t len = make_frame(f, i, false, true, 32);

		impair_push(im, i * 700, f, len);
		while ((g = impair_pop(im, i * 700, &len)))
			for (size_t b = 0; b < len; b++)
				hash = mix64(hash ^ g[b]);
	}
	impair_free(im);
	return hash;
}

static void test_determinism(void)
{
	const char *a = "loss=3%,reorder=4%:2,dup=2%,corrupt-past-fcs=5%,delay=3us,seed=11";
	struct impair_settings s = parse("loss=10%,seed=5"), t = parse("loss=10%,dup=50%,seed=5");
	struct impair *x = impair_new(&s, 0), *y = impair_new(&t, 0);
	uint8_t f[256];
	size_t len = make_frame(f, 0, false, true, 32);

	CHECK(run_hash(a, 0, 3000) == run_hash(a, 0, 3000));
	CHECK(run_hash(a, 0, 3000) != run_hash(a, 1, 3000));
	CHECK(run_hash(a, 0, 3000) !=
	      run_hash("loss=3%,reorder=4%:2,dup=2%,corrupt-past-fcs=5%,delay=3us,seed=12", 0, 3000));
	/* Another rate moves nobody else's victims. */
	for (unsigned int i = 0; i < 1000; i++) {
		bool a_lost = impair_push(x, 0, f, len) == IMPAIR_LOST;
		bool b_lost = impair_push(y, 0, f, len) == IMPAIR_LOST;

		CHECK(a_lost == b_lost);
	}
	impair_free(x);
	impair_free(y);
}

static void test_delay_and_rate(void)
{
	struct impair_settings s = parse("delay=1us,rate=1gbit");
	struct impair *im = impair_new(&s, 0);
	uint8_t f[1500] = { 0 };
	size_t len;

	/* 226 + 24 bytes at 1 Gbit/s are 2 us; the second waits for the first. */
	impair_push(im, 0, f, 226);
	impair_push(im, 0, f, 226);
	CHECK(impair_next_ns(im) == 3000);
	CHECK(!impair_pop(im, 2999, &len));
	CHECK(impair_pop(im, 3000, &len) && len == 226);
	CHECK(impair_next_ns(im) == 5000);
	/* A shorter delay does not let a later frame overtake. */
	s = parse("delay=0ns");
	impair_set(im, &s);
	impair_push(im, 3000, f, 60);
	CHECK(!impair_pop(im, 4999, &len));
	CHECK(impair_pop(im, 5000, &len) && len == 226);
	CHECK(impair_pop(im, 5000, &len) && len == 60);
	/* Bounded. */
	s = parse("delay=1s");
	impair_set(im, &s);
	for (unsigned int i = 0; i < 50000; i++)
		impair_push(im, 6000, f, 1500);
	CHECK(impair_stats(im)->overflow > 0);
	impair_free(im);
}

int main(void)
{
	unsigned long seed = test_seed("impair", 42);

	test_parse();
	test_rates(seed);
	test_flip(seed);
	test_reorder(seed);
	test_determinism();
	test_delay_and_rate();
	printf("impair: passed\n");
	return 0;
}
