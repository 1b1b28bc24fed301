/* SPDX-License-Identifier: BSD-2-Clause */
/* A failed check tells where and ends the test. */
#ifndef WEFT_TB_SIM_CHECK_H
#define WEFT_TB_SIM_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition, ...)                                                    \
	do {                                                                     \
		if (!(condition)) {                                              \
			fprintf(stdout, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
			fprintf(stdout, " " __VA_ARGS__);                        \
			fputc('\n', stdout);                                     \
			exit(1);                                                 \
		}                                                                \
	} while (0)

/* Seed of a random test: WEFT_SEED, or the given one; printed, so that a failure can be repeated. */
static inline unsigned long test_seed(const char *name, unsigned long seed)
{
	const char *text = getenv("WEFT_SEED");

	if (text)
		seed = strtoul(text, NULL, 0);
	printf("%s: seed %lu\n", name, seed);
	fflush(stdout);
	return seed;
}

#endif
