/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a case is written in. A case is a function that ends when it has passed, or calls NEED with what is not as it should
 * be. Each runs in a process of its own, forked from one in which the card has booted, so no case sees another's traces. A finding of the
 * judge about the card fails a case too.
 */
#ifndef WEFT_CONFORMANCE_H
#define WEFT_CONFORMANCE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/peer/card.h"

#define MS 1000000ull
#define S 1000000000ull
#define PORT 4420
#define IPV6 "69."

extern struct lockstep *ls;
extern struct peer *p;
extern struct card *k;

_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define NEED(condition, ...) do { if (!(condition)) fail(__VA_ARGS__); } while (0)

struct test {
	const char *id;       /* number of the case, a dot, the part; those of IPV6 are over IPv6, and its listener is there, too */
	const char *ids;      /* requirements */
	void (*run)(unsigned int arg);
	unsigned int arg;
	bool quick;           /* part of `make test` */
};
extern const struct test mpa_tests[], ddp_tests[], rdmap_tests[], wire_tests[];

/* A connection from the peer, or from the card (`active`), as far as RDMA mode. */
struct link {
	struct pc *c;
	struct card_qp *q;
	struct card_mr *m;     /* 64 KiB, all rights */
	struct mpa_frame req, rep;
	uint8_t event[64];     /* CM_CONNECT_REQUEST or CM_CONNECT_REPLY */
};
struct how {
	bool active, no_crc_card, no_crc_peer, markers, no_first, p2p_card;
	unsigned int rev;      /* 0: 2 */
	uint8_t ird, ord;      /* of the card; 0: 4 */
	const struct pc_attr *tcp;
	uint8_t access;        /* of the QP; 0: all */
	uint8_t mr_access;     /* 0: all */
	struct card_qp *qp;    /* instead of a new one */
};
struct link up(const struct how *h);
/* From here on the peer's memory answers. */
struct peer_serve *serve(struct link *l);

/* The card sends a Terminate with this code and headers (0, 14, 18, 46 bytes), then closes; the event says so. */
void want_terminate(struct link *l, unsigned int code, unsigned int header);
/* The card is alive: a Write to it lands, from this connection. */
void alive(struct link *l);
void fill(uint8_t *b, size_t n, unsigned int seed);
bool same(const uint8_t *b, size_t n, unsigned int seed);
void w16(uint8_t *b, uint32_t v);
void w32(uint8_t *b, uint32_t v);
void w64(uint8_t *b, uint64_t v);
uint32_t r16(const uint8_t *b);
uint32_t r32(const uint8_t *b);
uint64_t r64(const uint8_t *b);
/* Writes, Sends and Reads both ways, everything compared. */
void traffic(struct link *l, unsigned int rounds, uint32_t most);
/* A Terminate's code 0xLTCC from its bytes. */
unsigned int term_code(const uint8_t *t);

#endif
