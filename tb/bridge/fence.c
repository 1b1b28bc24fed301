/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The host's end of the bridge (sim/bridge/bridge.c) and the root complex model, with a card at the line that is this test: what the card sent
 * before bus mastering went off has no effect behind it, wherever it is by then, and what the card sends afterwards has. And what a card does that keeps
 * to nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/bridge/bridge.h"
#include "../../sim/rc/rc.h"

#define CHECK(x) do { if (!(x)) { printf("not ok bridge/fence line %d: " #x "\n", __LINE__); exit(1); } } while (0)
enum { BEAT = 64, HELLO = 1, GO, DOWN, WELCOME, ACK = 0x10, POSTED = 0x20, NONPOSTED, COMPLETION, SETTINGS };
#define FENCE_ID 0xffffu
#define CARD 0x0100u

static struct bridge *b;
static struct weft_rc *rc;
static uint64_t now_ns;
static unsigned stalled; /* the root complex takes no write of the card */
/* the card */
static uint16_t session;
static uint8_t seq, expect, limit[3];
static bool deaf; /* it grants no completions */
static unsigned fences, refusals, settings;
/* what reached the host */
static unsigned writes, reads, irqs, faults;
static uint64_t last_write;

static uint32_t crc32(const uint8_t *p, size_t n)
{
	uint32_t c = ~0u;

	for (; n--; p++)
		for (int i = 0; i < 8; i++)
			c = c >> 1 ^ ((c ^ *p >> i) & 1 ? 0xedb88320 : 0);
	return ~c;
}

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void say(uint8_t kind, uint8_t number, const void *body, size_t n)
{
	uint8_t f[400] = { kind, number, (uint8_t)session, (uint8_t)(session >> 8), (uint8_t)n, (uint8_t)(n >> 8) }, line[802] = { 0x7e };
	size_t k = 1;

	memcpy(f + 6, body, n);
	n += 6;
	put32(f + n, crc32(f, n));
	for (size_t i = 0; i < n + 4; i++) {
		if (f[i] == 0x7e || f[i] == 0x7d) {
			line[k++] = 0x7d;
			line[k++] = f[i] ^ 0x20;
		} else {
			line[k++] = f[i];
		}
	}
	line[k++] = 0x7e;
	bridge_line_in(b, line, k, now_ns);
}

static void acknowledge(void)
{
	const uint8_t body[4] = { limit[0], limit[1], limit[2], 0 };

	say(ACK, expect, body, sizeof(body));
}

static void tlp(uint8_t kind, uint32_t dw0, uint32_t dw1, uint32_t dw2)
{
	uint8_t body[17 + 256] = { 0 };

	put32(body + 1, dw0);
	put32(body + 5, dw1);
	put32(body + 9, dw2);
	say(kind, seq++, body, 17 + (dw0 >> 30 & 1 ? 4 * (dw0 & 0x3ff) : 0));
}

static void card_write(uint32_t address, unsigned bytes)
{
	tlp(POSTED, 0x40000000u | bytes / 4, CARD << 16 | 0xff, address);
}

static void card_read(uint32_t address)
{
	tlp(NONPOSTED, 2, CARD << 16 | 0xff, address);
}

static void fence_back(void)
{
	tlp(COMPLETION, 0x4a000001, CARD << 16 | 4, FENCE_ID << 16);
}

static void heard(const uint8_t *f)
{
	const uint8_t welcome[5] = { BRIDGE_VERSION, limit[0], limit[1], limit[2], 64 };
	uint8_t cls;

	if (f[0] == HELLO) {
		session = (uint16_t)(f[2] | f[3] << 8);
		say(WELCOME, 0, welcome, sizeof(welcome));
	} else if (f[0] == GO) {
		acknowledge();
	} else if (f[0] >= POSTED) {
		CHECK(f[1] == expect);
		expect++;
		cls = f[0] == SETTINGS ? 0 : f[0] & 3;
		limit[cls] += !(deaf && f[0] == COMPLETION);
		settings += f[0] == SETTINGS;
		fences += f[0] == NONPOSTED && get32(f + 11) >> 16 == FENCE_ID;
		refusals += f[0] == COMPLETION && get32(f + 7) >> 24 == 0x0a && (get32(f + 11) >> 13 & 7) == 1;
		acknowledge();
	}
}

static void cycles(unsigned n)
{
	uint8_t line[BRIDGE_FRAME_MAX], f[BRIDGE_FRAME_MAX];
	struct weft_rc_out out;
	struct weft_rc_in in;
	size_t k, len;

	while (n--) {
		now_ns += 1000;
		weft_rc_config(rc)->stall_wr = stalled ? 100 : 0;
		weft_rc_drive(rc, &in);
		bridge_begin(b, &in, &out);
		weft_rc_sample(rc, &out);
		bridge_end(b, &in);
		while ((len = bridge_line_out(b, line, now_ns))) {
			k = 0;
			for (size_t i = 0; i < len; i++) {
				if (line[i] == 0x7d)
					f[k++] = line[++i] ^ 0x20;
				else if (line[i] != 0x7e)
					f[k++] = line[i];
			}
			CHECK(crc32(f, k - 4) == get32(f + k - 4));
			heard(f);
		}
	}
}

static int write_memory(void *user, uint64_t address, uint32_t len, const void *bytes)
{
	(void)user, (void)len, (void)bytes;
	writes++;
	last_write = address;
	return 0;
}

static int read_memory(void *user, uint64_t address, uint32_t len, void *bytes)
{
	(void)user, (void)address;
	memset(bytes, 0, len);
	reads++;
	return 0;
}

static void interrupt(void *user, unsigned vector)
{
	(void)user, (void)vector;
	irqs++;
}

static void fault(void *user, const char *what)
{
	(void)user;
	printf("# %s\n", what);
	faults++;
}

static void mastering(bool on)
{
	weft_rc_config(rc)->bme = on;
}

int main(void)
{
	static const uint8_t middle[] = { 0x12, 0x7d, 0x34, 0x56, 0x7e };
	const struct weft_rc_ops ops = { .read_mem = read_memory, .write_mem = write_memory, .irq = interrupt, .fault = fault };

	setvbuf(stdout, NULL, _IOLBF, 0);
	limit[0] = 16, limit[1] = 8, limit[2] = 12;
	b = bridge_new(BEAT, 1);
	rc = weft_rc_new(BEAT, 1, &ops);
	weft_rc_config(rc)->bdf = CARD;
	weft_rc_config(rc)->off_drops = true;
	weft_rc_config(rc)->mps = 1;
	mastering(true);

	/* the end of a frame of before is none that is broken */
	bridge_line_in(b, middle, sizeof(middle), now_ns);
	cycles(4);
	CHECK(bridge_up(b) && settings == 1 && !bridge_stats(b)->broken);
	card_write(0x1000, 256);
	card_read(0x1000);
	cycles(10);
	CHECK(writes == 1 && reads == 1 && !fences);

	/* It has come, and was not taken yet. */
	stalled = 1;
	card_write(0x2000, 8);
	cycles(4);
	mastering(false);
	cycles(4);
	mastering(true);
	stalled = 0;
	cycles(4);
	CHECK(writes == 1 && fences == 1);
	/* It is behind on the line, before the answer of the fence. */
	card_write(0x3000, 8);
	card_read(0x3000);
	cycles(10);
	CHECK(writes == 1 && reads == 1 && refusals == 1);
	CHECK(bridge_stats(b)->stale == 3);
	fence_back();
	card_write(0x4000, 8);
	card_read(0x4000);
	cycles(10);
	CHECK(writes == 2 && last_write == 0x4000 && reads == 2 && refusals == 1);

	/* In the midst of its beats: all of them are taken, none has an effect. */
	card_write(0x5000, 256);
	cycles(2);
	mastering(false);
	cycles(8);
	CHECK(writes == 2 && fences == 2);
	CHECK(weft_rc_idle(rc) && bridge_stats(b)->stale == 3);
	card_write(0x6000, 8);
	cycles(4);
	mastering(true);
	fence_back();
	cycles(4);
	CHECK(writes == 2);
	card_write(0x7000, 8);
	cycles(4);
	CHECK(writes == 3 && last_write == 0x7000);

	/* A card that answers a fence twice has one answer too many, and goes on. */
	mastering(false);
	cycles(4);
	mastering(true);
	cycles(4);
	CHECK(fences == 3);
	fence_back();
	fence_back();
	card_write(0x8000, 8);
	cycles(4);
	CHECK(writes == 4 && last_write == 0x8000);
	fence_back();
	card_write(0x9000, 8);
	cycles(4);
	CHECK(writes == 5 && bridge_stats(b)->bad == 1);

	/* One that takes no answers of its reads: so many are kept, and no more. */
	mastering(false);
	cycles(4);
	refusals = 0;
	deaf = true;
	for (int i = 0; i < 200; i++) {
		card_read(0x1000);
		cycles(2);
	}
	deaf = false;
	limit[COMPLETION & 3] += 100;
	acknowledge();
	cycles(200);
	CHECK(refusals > 64 && refusals < 100 && reads == 2);
	CHECK(!faults && !irqs);
	bridge_free(b);
	weft_rc_free(rc);
	printf("ok bridge/fence bus mastering off and on, at every place of a write\n");
	return 0;
}
