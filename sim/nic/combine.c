/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "combine.h"

#include <string.h>

#include "weft_abi.h"

void combine_init(struct combine *c, uint64_t seed, combine_fn write, void *arg)
{
	memset(c, 0, sizeof(*c));
	prng_seed(&c->prng, seed);
	c->write = write;
	c->arg = arg;
}

bool combine_takes(uint64_t offset)
{
	return offset % WEFT_DB_PAGE_BYTES >= WEFT_DB_PUSH;
}

/* Whole quadwords, each cut drawn, in any order. */
static void tear(struct combine *c)
{
	unsigned int from[9], n = 0, left;

	from[n++] = 0;
	for (unsigned int i = 1; i < 8; i++)
		if (!prng_below(&c->prng, 3) || (i == 7 && n == 1))
			from[n++] = i;
	from[n] = 8;
	unsigned int order[8];

	for (unsigned int i = 0; i < n; i++)
		order[i] = i;
	for (left = n; left; left--) {
		unsigned int k = (unsigned int)prng_below(&c->prng, left), i = order[k];

		c->write(c->arg, c->line + 8 * from[i], c->bytes + 8 * from[i], 8 * (from[i + 1] - from[i]));
		order[k] = order[left - 1];
	}
}

void combine_flush(struct combine *c)
{
	if (!c->open)
		return;
	c->open = false;
	if (c->have == UINT64_MAX) {
		c->write(c->arg, c->line, c->bytes, 64);
		c->lines++;
		return;
	}
	c->parts++;
	for (unsigned int i = 0, n; i < 64; i += n) {
		bool set = c->have >> i & 1;

		for (n = 1; i + n < 64 && (c->have >> (i + n) & 1) == set; n++)
			;
		if (set)
			c->write(c->arg, c->line + i, c->bytes + i, n);
	}
}

void combine_store(struct combine *c, uint64_t offset, const uint8_t *bytes, unsigned int len, uint64_t now_ns, unsigned int torn)
{
	while (len) {
		unsigned int at = offset % 64, n = len < 64 - at ? len : 64 - at;
		uint64_t mask = ((1ull << n) - 1) << at;

		if (c->open && (c->line != offset - at || c->have & mask))
			combine_flush(c);
		if (!c->open) {
			c->open = true;
			c->line = offset - at;
			c->have = 0;
			c->since_ns = now_ns;
		}
		memcpy(c->bytes + at, bytes, n);
		c->have |= mask;
		if (c->have == UINT64_MAX && prng_below(&c->prng, 100) < torn) {
			c->open = false;
			c->torn++;
			tear(c);
		} else if (c->have == UINT64_MAX) {
			combine_flush(c);
		}
		offset += n;
		bytes += n;
		len -= n;
	}
}

void combine_drop(struct combine *c)
{
	c->open = false;
}
