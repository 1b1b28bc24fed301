// SPDX-License-Identifier: BSD-2-Clause
/* Copies and clears by words: the library's go byte by byte, which is most of a set-up's time. */
#include "fw.h"

FAST __attribute__((noinline)) void copy16(void *to, const void *from)
{
	const uint32_t *f = from;
	uint32_t *t = to, a = f[0], b = f[1], c = f[2], d = f[3];

	t[0] = a;
	t[1] = b;
	t[2] = c;
	t[3] = d;
}

FAST __attribute__((noinline)) void clear64(uint32_t *w)
{
	uint32_t z = 0;

	__asm__("" : "+r"(z)); /* in a register, its stores are short */
#pragma GCC unroll 16
	for (unsigned i = 0; i < 16; i++) w[i] = z;
}

#ifndef FW_NATIVE
#define PLAIN __attribute__((used, optimize("O2", "no-tree-loop-distribute-patterns")))

PLAIN void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	if ((((uintptr_t)t ^ (uintptr_t)f) & 3) == 0) {
		for (; n && ((uintptr_t)t & 3); n--) *t++ = *f++;
		for (; n >= 16; n -= 16, t += 16, f += 16) {
			uint32_t a = ((const uint32_t *)f)[0], b = ((const uint32_t *)f)[1], c = ((const uint32_t *)f)[2], d = ((const uint32_t *)f)[3];

			((uint32_t *)t)[0] = a;
			((uint32_t *)t)[1] = b;
			((uint32_t *)t)[2] = c;
			((uint32_t *)t)[3] = d;
		}
		for (; n >= 4; n -= 4, t += 4, f += 4) *(uint32_t *)t = *(const uint32_t *)f;
	} else if ((((uintptr_t)t ^ (uintptr_t)f) & 1) == 0) { /* payload behind an Ethernet header */
		if (n && ((uintptr_t)t & 1)) {
			*t++ = *f++;
			n--;
		}
		for (; n >= 8; n -= 8, t += 8, f += 8) {
			uint16_t a = ((const uint16_t *)f)[0], b = ((const uint16_t *)f)[1], c = ((const uint16_t *)f)[2], d = ((const uint16_t *)f)[3];

			((uint16_t *)t)[0] = a;
			((uint16_t *)t)[1] = b;
			((uint16_t *)t)[2] = c;
			((uint16_t *)t)[3] = d;
		}
	}
	while (n--) *t++ = *f++;
	return to;
}

/* To a lower address only, by bytes: rarely used. */
PLAIN void *memmove(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++) ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
	return to;
}

PLAIN int memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;

	if ((((uintptr_t)x | (uintptr_t)y) & 3) == 0)
		for (; n >= 4 && *(const uint32_t *)x == *(const uint32_t *)y; n -= 4, x += 4, y += 4) {}
	for (; n; n--, x++, y++)
		if (*x != *y) return *x - *y;
	return 0;
}

/* Nearly always with 0, on words. */
PLAIN void *memset(void *to, int v, size_t n)
{
	uint8_t *t = to, *end = t + n;

	if (!v && n >= 8) {
		uint32_t z = 0, *w, *last, *last8;

		for (; (uintptr_t)t & 3; t++) *t = 0;
		w = (uint32_t *)t;
		last = (uint32_t *)((uintptr_t)end & ~3u);
		last8 = (uint32_t *)(t + ((end - t) & ~31));
		__asm__("" : "+r"(z));
		for (; w != last8; w += 8)
#pragma GCC unroll 8
			for (unsigned i = 0; i < 8; i++) w[i] = z;
		while (w != last) *w++ = z;
		t = (uint8_t *)w;
	}
	while (t != end) *t++ = (uint8_t)v;
	return to;
}
#endif
