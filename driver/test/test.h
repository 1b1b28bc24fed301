/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tests of cut-out functions share: numbers that are drawn, and the end of one that failed. */
#ifndef WEFT_DRIVER_TEST_H
#define WEFT_DRIVER_TEST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long seed;

/* Below n; 0 of 0. */
static inline uint32_t draw(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return n ? (uint32_t)(seed >> 33) % n : 0;
}

static inline void fail(const char *what, long a, long b)
{
	printf("not ok %s: %ld, %ld\n", what, a, b);
	exit(1);
}

#endif
