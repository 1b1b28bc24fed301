// SPDX-License-Identifier: BSD-2-Clause
/* memcpy and memset by words where both ends are aligned: the library's go byte by byte, which is most of a set-up's time. */
#ifndef FW_NATIVE
#include <stddef.h>
#include <stdint.h>

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

/* The library's has compressed instructions, which the processor does not know. Backwards in memory only, bytes: rarely used. */
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

PLAIN void *memset(void *to, int v, size_t n)
{
	uint8_t *t = to;
	uint32_t w = (uint8_t)v * 0x01010101u;

	for (; n && ((uintptr_t)t & 3); n--) *t++ = (uint8_t)v;
	for (; n >= 16; n -= 16, t += 16) {
		((uint32_t *)t)[0] = w;
		((uint32_t *)t)[1] = w;
		((uint32_t *)t)[2] = w;
		((uint32_t *)t)[3] = w;
	}
	for (; n >= 4; n -= 4, t += 4) *(uint32_t *)t = w;
	while (n--) *t++ = (uint8_t)v;
	return to;
}
#else
typedef int fw_native; /* the host's library has them */
#endif
