/* SPDX-License-Identifier: BSD-2-Clause */
/* What the models of integrated blocks have in common: whole TLPs between the user interface and the root complex model. */
#ifndef WEFT_SIM_BLOCK_INT_H
#define WEFT_SIM_BLOCK_INT_H

#include "../common/prng.h"
#include "block.h"

struct tlp {
	struct tlp *next;
	uint32_t hdr[4];
	unsigned bar, len; /* bytes of data */
	uint64_t stamp;    /* order of arrival, cycle of birth */
	unsigned seq;
	uint8_t data[4096 + 64];
};
struct tlps {
	struct tlp *head, *last;
	unsigned n;
};

struct block {
	struct block_cfg cfg;
	unsigned beat;
	uint64_t cycle;
	struct prng random;
	void (*fault)(void *ctx, const char *what);
	void *ctx;
	struct weft_rc_in in;   /* what the root complex drives in this cycle */
	struct weft_rc_out out; /* what it is given */
	/* From the root complex, in order of arrival: posted and non-posted requests, completions. */
	struct tlps host_posted, host_np, host_cpl;
	/* To the root complex: requests in order; completions, which go past them whenever they can. */
	struct tlps card_req, card_cpl;
	struct tlp *req_in, *cpl_in;
	uint32_t req_pos, cpl_pos, wr_pos, out_pos;
	uint64_t stamp;
	uint64_t shared[2];     /* beats with more than one start or end: RC, CQ */
	struct model *model;
};

struct tlp *tlp_new(void);
void tlp_push(struct tlps *q, struct tlp *t);
struct tlp *tlp_pop(struct tlps *q);
void tlp_drop(struct tlps *q);
static inline bool tlp_has_data(const struct tlp *t) { return t->hdr[0] >> 30 & 1; }
static inline unsigned tlp_dwords(const struct tlp *t) { return t->hdr[0] & 0x3ff ? t->hdr[0] & 0x3ff : 1024; }

static inline uint64_t block_rand(struct block *b) { return prng_next(&b->random); }
static inline uint32_t block_below(struct block *b, uint32_t n) { return (uint32_t)prng_below(&b->random, n); }
static inline bool block_chance(struct block *b, unsigned pct) { return pct && block_below(b, 100) < pct; }
void block_rand_bytes(struct block *b, uint8_t *p, unsigned n);
uint64_t bits_get(const uint8_t *p, unsigned lsb, unsigned n);
void bits_set(uint8_t *p, unsigned lsb, unsigned n, uint64_t v);

void block_fault(struct block *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#define block_check(b, cond, ...) ((cond) ? (void)0 : block_fault(b, __VA_ARGS__))

/* The next request for the user: posted ones go past non-posted ones that may not go, and at random. */
struct tlp *block_request(struct block *b, bool np_allowed);
/* The next completion for the user: none goes past a posted request that came before it. */
struct tlp *block_completion(struct block *b);

/* Of us_block.c or s7_block.c */
void model_reset(struct block *b); /* makes b->model when there is none */
void model_free(struct block *b);
void model_drive(struct block *b, uint32_t pins[BLOCK_IN_WORDS]);
void model_sample(struct block *b, const uint32_t pins[BLOCK_OUT_WORDS]);
bool model_idle(const struct block *b);
/* A write has gone where no completion can pass it, or a read. */
void model_gone(struct block *b, struct tlp *t);
#endif
