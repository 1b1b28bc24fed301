/* SPDX-License-Identifier: BSD-2-Clause */
/* MPA start-up frames (RFC 5044 7.1, RFC 6581 6 and 9). Pure functions on bytes. */
#ifndef MPA_H
#define MPA_H

#include <stdbool.h>
#include <stdint.h>

#define MPA_HDR 20
#define MPA_FRAME_MAX (MPA_HDR + 512)
#define MPA_NO_NEGOTIATION 0x3fff

struct mpa {
	bool reply, markers, crc, reject, enhanced; /* M C R S */
	uint8_t rev;
	bool p2p, rtr_send, rtr_write, rtr_read; /* A B C D */
	uint16_t ird, ord;                       /* raw 14 bits of the sender of the frame */
	const uint8_t *pd;                       /* private data of the upper layer */
	uint16_t pd_len;
};

/**
 * Parses what has arrived. Returns the length of the frame once it is complete, 0 when more bytes are needed, -1 when it can
 * not become a proper frame (wrong key, revision, length). m->pd points into p.
 */
int mpa_parse(const uint8_t *p, unsigned len, bool reply, struct mpa *m);
/** Builds a frame; m->pd must not overlap it. Returns its length, at most MPA_FRAME_MAX, 0 when the data do not fit. */
unsigned mpa_build(uint8_t *p, const struct mpa *m);

#endif
