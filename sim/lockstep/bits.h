/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields of the layouts of weft_abi.h: LS_SET(bytes, WEFT_SQE_LENGTH, n), LS_GET(bytes, ...).
 * Fields are little endian and at most 64 bits; a wider one is bytes at its _OFF.
 */
#ifndef WEFT_LOCKSTEP_BITS_H
#define WEFT_LOCKSTEP_BITS_H

#include <stdint.h>

#include "weft_abi.h"

static inline void ls_put(void *bytes, unsigned int lsb, unsigned int width, uint64_t value)
{
	uint8_t *p = bytes;

	for (unsigned int i = 0; i < width; i++) {
		unsigned int bit = lsb + i;
		uint8_t mask = (uint8_t)(1u << (bit % 8));

		p[bit / 8] = (uint8_t)((p[bit / 8] & ~mask) | (value >> i & 1 ? mask : 0));
	}
}

static inline uint64_t ls_take(const void *bytes, unsigned int lsb, unsigned int width)
{
	const uint8_t *p = bytes;
	uint64_t value = 0;

	for (unsigned int i = 0; i < width; i++)
		value |= (uint64_t)(p[(lsb + i) / 8] >> ((lsb + i) % 8) & 1) << i;
	return value;
}

#define LS_SET(bytes, field, value) ls_put(bytes, field##_LSB, field##_WIDTH, value)
#define LS_GET(bytes, field) ls_take(bytes, field##_LSB, field##_WIDTH)

#endif
