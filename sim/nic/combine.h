/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The write-combining buffer of a guest's processor, for the push lines of its doorbell pages: stores to one line of 64 bytes become
 * one write. QEMU gives each store of the guest alone, in order, and says neither what memory type a page has nor when a processor
 * fences. So there is one buffer for all processors, and it lets go of its line
 *   - when the line is full,
 *   - in front of any other access, and of a second store to the same byte,
 *   - when it has held it for COMBINE_NS, as a fence or an interrupt would have let it go by then.
 * A full line may be torn, as interrupts do it: it leaves in pieces of whole quadwords, in any order.
 */
#ifndef WEFT_SIM_NIC_COMBINE_H
#define WEFT_SIM_NIC_COMBINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/prng.h"

#define COMBINE_NS 200000u

typedef void (*combine_fn)(void *arg, uint64_t offset, const uint8_t *bytes, unsigned int len);

struct combine {
	combine_fn write;
	void *arg;
	struct prng prng;
	bool open;
	uint64_t line, have, since_ns; /* have: a bit for each byte */
	uint8_t bytes[64];
	uint64_t lines, torn, parts;   /* let go whole, in pieces, not full */
};

void combine_init(struct combine *c, uint64_t seed, combine_fn write, void *arg);
/* A store to a push line: BAR2 offset, 1 to 8 bytes. torn: whole percent of full lines. */
void combine_store(struct combine *c, uint64_t offset, const uint8_t *bytes, unsigned int len, uint64_t now_ns, unsigned int torn);
void combine_flush(struct combine *c);
/* What was held is forgotten: the card was reset. */
void combine_drop(struct combine *c);
bool combine_takes(uint64_t offset);

#endif
