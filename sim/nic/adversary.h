/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text form of what a hostile host does (--adversarial, lockstep): a comma-separated list of
 *   split               completions are cut at random legal points
 *   reorder             reads are answered in any order
 *   delay=MIN:MAX       cycles from a read request to its first completion
 *   stale               memory is read at any time before its completion is sent
 *   late=MIN:MAX        cycles until a posted write of the card takes effect
 *   credits=PH:PD:NPH:CPLH:CPLD  what the card may send ahead, by type (0: no limit); comes back after 20 to 200 cycles
 *   starve=MIN:MAX      now and then no credits of one type for so many cycles
 *   stall=P%            of cycles in which the host takes no TLP of a kind
 *   gap=P%              of cycles without a TLP beat towards the card
 *   eth-stall=P%        of cycles in which the MAC takes no beat
 *   eth-gap=P%          of cycles without a beat from the MAC
 *   ur=P% ca=P% poison=P% lost=P% stray=P%    of reads
 *   torn=P%             of push lines that a guest has written leave in pieces (combine.h)
 *   all                 split,reorder,stale,delay=20:400,stall=20%,gap=20%,eth-stall=10%,eth-gap=10%,torn=20%
 *   cruel               all,late=0:300,credits=16:128:16:8:8,starve=1000:4000. A script that looks into memory when the
 *                       other side knows of a write has to read a register first: the write may be on its way for long
 *   none                friendly again
 * stall, gap, eth-stall, eth-gap and torn are whole percentages up to 95%.
 */
#ifndef WEFT_SIM_NIC_ADVERSARY_H
#define WEFT_SIM_NIC_ADVERSARY_H

#include "ethport.h"

#define ADVERSARY_ALL "split,reorder,stale,delay=20:400,stall=20%,gap=20%,eth-stall=10%,eth-gap=10%,torn=20%"
#define ADVERSARY_CRUEL ADVERSARY_ALL ",late=0:300,credits=16:128:16:8:8,starve=1000:4000"

struct adversary {
	struct weft_rc_cfg rc; /* only the fields of the adversary are used */
	unsigned int eth_gap, eth_stall, torn;
};

/* NULL, or a reason; *a is untouched then. */
const char *adversary_parse(const char *text, struct adversary *a);

/* Takes effect at once; configuration pins stay. */
void adversary_apply(const struct adversary *a, struct weft_rc *rc, struct ethport *eth,
		     uint64_t seed);

#endif
