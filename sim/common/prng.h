/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random numbers of the simulation. Everything is a function of a seed: the same seed gives the
 * same run. `mix64` is a finalizer over 64 bits (every input bit reaches every output bit);
 * `struct prng` is a counter run through it, so a stream can be entered at any position.
 */
#ifndef WEFT_SIM_PRNG_H
#define WEFT_SIM_PRNG_H

#include <stdint.h>

static inline uint64_t mix64(uint64_t x)
{
	x ^= x >> 32;
	x *= 0x9fb21c651e98df25u;
	x ^= x >> 29;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	return x;
}

struct prng {
	uint64_t counter;
};

static inline void prng_seed(struct prng *p, uint64_t seed)
{
	p->counter = mix64(seed + 0x632be59bd9b4e019u);
}

static inline uint64_t prng_next(struct prng *p)
{
	p->counter += 0x9e3779b97f4a7c15u;
	return mix64(p->counter);
}

/* A number from 0 to n - 1; n at least 1. */
static inline uint64_t prng_below(struct prng *p, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)prng_next(p) * n) >> 64);
}

#endif
