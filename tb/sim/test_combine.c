/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lab's write-combining buffer: stores to push lines arrive once each, of a line that was written whole in one write unless it is torn, and in
 * the order of stores to the same byte.
 */
#include <stdint.h>
#include <string.h>

#include "../../sim/nic/combine.h"
#include "check.h"

static uint8_t page[4096], want[4096];
static unsigned int writes, whole, bytes_out;

static void out(void *arg, uint64_t offset, const uint8_t *bytes, unsigned int len)
{
	(void)arg;
	CHECK(len && offset % 4096 >= 0x800 && offset % 64 + len <= 64);
	memcpy(page + offset % 4096, bytes, len);
	writes++;
	whole += len == 64;
	bytes_out += len;
}

static void line(struct combine *c, uint64_t offset, unsigned int torn, struct prng *r)
{
	for (unsigned int i = 0; i < 64; i += 8) {
		uint64_t v = prng_next(r);

		memcpy(want + (offset + i) % 4096, &v, 8);
		combine_store(c, offset + i, (const uint8_t *)&v, 8, 0, torn);
	}
}

int main(void)
{
	struct combine c;
	struct prng r;
	unsigned int before, pieces = 0;

	combine_init(&c, test_seed("combine", 7), out, NULL);
	prng_seed(&r, 3);
	CHECK(!combine_takes(0x1000) && !combine_takes(0x17f8) && combine_takes(0x1800) && combine_takes(0x1fff));
	/* whole lines */
	for (unsigned int i = 0; i < 200; i++)
		line(&c, 0x1800 + 64 * prng_below(&r, 32), 0, &r);
	CHECK(writes == 200 && whole == 200 && !c.open && !memcmp(page + 0x800, want + 0x800, 2048));
	/* torn ones: the same bytes, each once, in pieces of quadwords */
	for (unsigned int i = 0; i < 200; i++) {
		writes = whole = bytes_out = 0;
		line(&c, 0x2800, 100, &r);
		CHECK(!whole && writes >= 2 && bytes_out == 64 && !memcmp(page + 0x800, want + 0x800, 64));
		pieces += writes;
	}
	CHECK(pieces > 500 && c.torn == 200);
	/* another line, a second store to a byte and an access elsewhere let go of what is there */
	writes = whole = 0;
	combine_store(&c, 0x1800, (const uint8_t *)"12345678", 8, 5, 0);
	CHECK(!writes && c.open && c.since_ns == 5);
	combine_store(&c, 0x1840, (const uint8_t *)"abcdefgh", 8, 6, 0);
	CHECK(writes == 1 && !memcmp(page + 0x800, "12345678", 8));
	combine_store(&c, 0x1844, (const uint8_t *)"x", 1, 7, 0);
	CHECK(writes == 2 && !memcmp(page + 0x840, "abcdefgh", 8));
	combine_flush(&c);
	CHECK(writes == 3 && page[0x844] == 'x' && !c.open);
	/* stores to a line that leave a gap: two writes; a reset forgets */
	combine_store(&c, 0x1810, (const uint8_t *)"12345678", 8, 8, 0);
	combine_store(&c, 0x1830, (const uint8_t *)"1234", 4, 8, 0);
	combine_flush(&c);
	CHECK(writes == 5);
	combine_store(&c, 0x1810, (const uint8_t *)"12345678", 8, 8, 0);
	combine_drop(&c);
	combine_flush(&c);
	CHECK(writes == 5);
	/* any stores at all: the page has what was stored last */
	for (before = 0; before < 20000; before++) {
		unsigned int len = 1 + (unsigned int)prng_below(&r, 8), at = 0x800 + (unsigned int)prng_below(&r, prng_below(&r, 2) ? 64 : 2040);
		uint64_t v = prng_next(&r);

		if (len < 8 && prng_below(&r, 2))
			at = 0x800 + 8 * (unsigned int)prng_below(&r, 255), len = 8;
		memcpy(want + at, &v, len);
		combine_store(&c, 0x5000 + at, (const uint8_t *)&v, len, 0, 30);
	}
	combine_flush(&c);
	CHECK(!memcmp(page + 0x840, want + 0x840, 2048 - 0x40));
	printf("combine: passed\n");
	return 0;
}
