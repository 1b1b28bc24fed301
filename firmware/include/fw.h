/* SPDX-License-Identifier: BSD-2-Clause */
/* Small things that every module uses: fields of ABI structs, byte order. */
#ifndef FW_H
#define FW_H

#include <string.h>

#include "hw.h"

#define FW_VERSION_WORD 0x00010001u /* 0.1.1 */

/* Fields of up to 32 bits that do not cross a 32-bit word; F is the name in weft_abi.h without suffix. */
static inline __attribute__((always_inline)) uint32_t fld_get(const uint32_t *w, unsigned lsb, unsigned width)
{
	return w[lsb / 32] >> lsb % 32 & (width == 32 ? ~0u : (1u << width % 32) - 1);
}
static inline __attribute__((always_inline)) void fld_set(uint32_t *w, unsigned lsb, unsigned width, uint32_t v)
{
	uint32_t m = width == 32 ? ~0u : (1u << width % 32) - 1;

	w[lsb / 32] = (w[lsb / 32] & ~(m << lsb % 32)) | (v & m) << lsb % 32;
}
#define GET(w, F) fld_get(w, F##_LSB, F##_WIDTH)
#define SET(w, F, v) fld_set(w, F##_LSB, F##_WIDTH, v)
#define GET64(w, F) ((uint64_t)(w)[F##_LSB / 32 + 1] << 32 | (w)[F##_LSB / 32])
#define SET64(w, F, v) ((w)[F##_LSB / 32] = (uint32_t)(v), (w)[F##_LSB / 32 + 1] = (uint32_t)((uint64_t)(v) >> 32))
/* A whole word n of fields that fit: w[n] = AT(n, F, v) | AT(n, G, u), shorter and faster than SETs. */
#define AT(n, F, v) ((uint32_t)(v) << F##_LSB % 32 | (uint32_t)(0 * sizeof(struct { _Static_assert(F##_LSB / 32 == (n), "in another word"); char c; })))
/* Byte fields: address, MAC and the like. */
#define BYTES(w, F) ((uint8_t *)(w) + F##_OFF)

static inline uint16_t be16(const void *p) { const uint8_t *b = p; return (uint16_t)(b[0] << 8 | b[1]); }
static inline uint32_t be32(const void *p) { const uint8_t *b = p; return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]; }
static inline void put16(void *p, uint32_t v) { uint8_t *b = p; b[0] = (uint8_t)(v >> 8); b[1] = (uint8_t)v; }
static inline void put32(void *p, uint32_t v) { put16(p, v >> 16); put16((uint8_t *)p + 2, v); }

/** What set-ups spend their time in; the rest is as small as can be. */
#define FAST __attribute__((optimize("O2", "no-tree-loop-distribute-patterns")))

/* Addresses, and contexts or responses, on words: memcpy, memcmp and memset take longer than these. */
void copy16(void *to, const void *from);
void clear64(uint32_t *w);
static inline bool same16(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return !((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]));
}

/* Sequence numbers (RFC 9293 3.4). */
static inline bool seq_lt(uint32_t a, uint32_t b) { return (int32_t)(a - b) < 0; }
static inline bool seq_le(uint32_t a, uint32_t b) { return (int32_t)(a - b) <= 0; }

#define MS 1000000ull
#define NEVER UINT64_MAX

/* ---- context windows ---- */
extern uint32_t ctx_work[16]; /* the context in work: of whoever makes or reads one, until it calls somebody else */
static inline void ctx_read(unsigned room, uint32_t index, uint32_t *w)
{
	for (unsigned i = 0; i < 16; i++) w[i] = hw_cfg_read(room, index * 64 + i * 4);
}

/* One word of a context: the read of word 0 fetches it. */
static inline uint32_t ctx_word(unsigned room, uint32_t index, unsigned word)
{
	uint32_t first = hw_cfg_read(room, index * 64);

	return word ? hw_cfg_read(room, index * 64 + word * 4) : first;
}
#define ctx_get(room, index, F) (ctx_word(room, index, F##_LSB / 32) >> F##_LSB % 32 & (F##_WIDTH == 32 ? ~0u : (1u << F##_WIDTH % 32) - 1))

/* ---- events.c ---- */
/** Posts an event of the card to event queue 0; nothing is posted while that queue does not exist. */
void event_post(const uint32_t eqe[16]);
extern uint32_t events_posted;
/** The same, of one that says no more than this. */
void event_of(unsigned kind, unsigned code, uint32_t id, uint32_t data0);
static inline void event_qp(uint32_t qpn, unsigned code, uint32_t data0) { event_of(WEFT_EQE_TYPE_QP_ERROR, code, qpn, data0); }
/** Takes the events of the rooms. */
void events_run(void);

/* ---- admin.c ---- */
#define ADMIN_LATER 0xff /* the handler keeps the command's tag; admin_finish answers */
void admin_restart(void);
/** Takes commands; true: some may be left. */
bool admin_run(void);
/** Answers a deferred command; fields besides STATUS are put into admin_response() before. */
void admin_finish(unsigned op, unsigned tag, unsigned status);
/** The response to fill for admin_finish, cleared. */
uint32_t *admin_response(void);
uint64_t admin_seed(unsigned i);

#endif
