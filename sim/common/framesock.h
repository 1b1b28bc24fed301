/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ethernet frames on a UNIX stream socket in the framing of QEMU's `-netdev stream`: a 4-byte
 * big-endian length, then the frame without FCS. Non-blocking on both sides, with bounded buffers.
 */
#ifndef WEFT_SIM_FRAMESOCK_H
#define WEFT_SIM_FRAMESOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest frame that is taken: a larger length means the peer lost its framing. */
#define FRAME_MAX 65536u
/* Frames of an Ethernet are at least this long without FCS; a shorter one has no header (14)
 * and is refused, or is padded by who sends it. */
#define FRAME_MIN 60u
#define FRAME_HEADER 14u

struct framesock {
	int fd; /* -1: not connected */
	uint8_t *in, *out;
	size_t in_start, in_len;
	size_t out_start, out_len;
	size_t out_limit; /* a frame that would go beyond is refused */
};

void framesock_init(struct framesock *s, size_t out_limit);
/* Take over a connected, non-blocking descriptor. Buffers start empty. */
void framesock_attach(struct framesock *s, int fd);
void framesock_detach(struct framesock *s);
void framesock_free(struct framesock *s);

/* Read what is there. False: the peer is gone (or misbehaved) and the caller detaches; *why is a
 * constant text. At most one buffer (256 KiB) is read in one call. */
bool framesock_fill(struct framesock *s, const char **why);

/* Next whole frame, or NULL; valid until the next call of fill. *bad is set when the length field
 * cannot be right: the connection is of no more use. */
const uint8_t *framesock_next(struct framesock *s, size_t *len, bool *bad);

/* Queue a frame; false when there is no room (the frame is dropped whole). */
bool framesock_send(struct framesock *s, const uint8_t *frame, size_t len);

/* Write what the socket takes. False: the peer is gone. */
bool framesock_flush(struct framesock *s);

static inline bool framesock_wants_write(const struct framesock *s)
{
	return s->fd >= 0 && s->out_len > 0;
}

#endif
