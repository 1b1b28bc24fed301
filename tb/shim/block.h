/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the models of integrated blocks have in common: whole TLPs between the user interface and the root complex model
 * (sim/rc), which sees the block in the place of the card.
 */
#ifndef BLOCK_H
#define BLOCK_H

#include "rc.h"
#include "tb.h"

struct tlp {
	struct tlp *next;
	uint32_t hdr[4];
	unsigned bar, len; /* bytes of data */
	uint64_t stamp;    /* order of arrival, cycle of birth */
	unsigned seq;
	bool poisoned;
	uint8_t data[4096 + 64];
};
struct tlps {
	struct tlp *head, *last;
	unsigned n;
};

extern struct weft_rc *rc;
extern struct weft_rc_in rc_in; /* what the root complex drives in this cycle */

struct tlp *tlp_new(void);
void tlp_push(struct tlps *q, struct tlp *t);
struct tlp *tlp_pop(struct tlps *q);
static inline bool tlp_has_data(const struct tlp *t) { return t->hdr[0] >> 30 & 1; }
static inline unsigned tlp_dwords(const struct tlp *t) { return t->hdr[0] & 0x3ff ? t->hdr[0] & 0x3ff : 1024; }

/* From the root complex, in order of arrival: posted and non-posted requests, completions. */
extern struct tlps host_posted, host_np, host_cpl;
/* To the root complex: requests in order; completions, which go past them whenever they can. */
extern struct tlps card_req, card_cpl;
/* A write has gone where no completion can pass it, or a read. */
void block_gone(struct tlp *t);

/* One cycle of the root complex: what it drives; and then what the block gave it. `flr_done`: in this cycle. */
void block_drive(void);
void block_sample(bool flr_done);
/* The next request for the user: posted ones go past non-posted ones that may not go, and at random. */
struct tlp *block_request(bool np_allowed);
/* The next completion for the user: none goes past a posted request that came before it. */
struct tlp *block_completion(void);
#endif
