/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lab's memory judge: what the guest's kernel gave to its card for DMA (told through the debug port, judge_port.h), and each
 * access of the card against it.
 */
#ifndef WEFT_SIM_NIC_JUDGE_H
#define WEFT_SIM_NIC_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "judge_port.h"

struct judge;

struct judge *judge_new(void);
void judge_free(struct judge *j);
/* A write to the port. */
void judge_write(struct judge *j, uint64_t offset, const void *bytes, unsigned int len, uint64_t cycle);
uint32_t judge_read(const struct judge *j, uint64_t offset);
/* An access of the card, not across 4 KiB. False when it was not the card's to make: told on stderr (the first 100), counted. */
bool judge_access(struct judge *j, bool write, uint64_t address, uint32_t len, uint64_t cycle);
/* Anything else that may not be (bus mastering is off). */
void judge_blame(struct judge *j, const char *what, uint64_t cycle);

struct judge_figures {
	bool armed;
	uint64_t accesses, verdicts;
	uint64_t given, taken, bytes; /* gifts so far, those that are over, bytes given now */
	uint64_t strange;             /* takes of what was never given */
	char first[256];              /* the first verdict */
};
const struct judge_figures *judge_figures(const struct judge *j);

#endif
