/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MAC side of the core: whole frames to beats and back.
 */
#ifndef WEFT_SIM_NIC_ETHPORT_H
#define WEFT_SIM_NIC_ETHPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core.h"

/* Bytes of frames that wait for the core; a MAC would hold less, the rest is the wire's. */
#define ETHPORT_QUEUE_BYTES (256u * 1024)
#define ETHPORT_FRAME_MAX 65536u

struct ethport_stats {
	uint64_t rx_frames, rx_bytes;  /* into the core */
	uint64_t rx_dropped;           /* no room in front of the core */
	uint64_t tx_frames, tx_bytes;  /* out of the core */
	uint64_t tx_oversize;          /* the core sent more than ETHPORT_FRAME_MAX: cut off, dropped */
};

typedef void (*ethport_frame_fn)(void *user, const uint8_t *frame, size_t len);

struct ethport;

struct ethport *ethport_new(unsigned int beat_bytes, ethport_frame_fn fn, void *user);
void ethport_free(struct ethport *e);
/* Forget everything that waits or is half sent: the core is being reset. */
void ethport_reset(struct ethport *e);

/* A frame for the core; `err` marks one that the MAC found bad. False when there is no room. */
bool ethport_push(struct ethport *e, const uint8_t *frame, size_t len, bool err);
/* Room for at least one more frame of the largest size. */
bool ethport_room(const struct ethport *e);
/* Nothing waits for the core and no frame is half out of it. */
bool ethport_idle(const struct ethport *e);

/* Percent of cycles without a beat, towards the core and from it; seeded. */
void ethport_stall(struct ethport *e, unsigned int rx_gap, unsigned int tx_stall, uint64_t seed);

/* Take no beat from the core, as a MAC that was paused. */
void ethport_pause(struct ethport *e, bool on);

/* Once a cycle each: before core_eval, and between core_eval and core_edge. */
void ethport_drive(struct ethport *e, struct core_in *in);
void ethport_sample(struct ethport *e, const struct core_in *in, const struct core_out *out);

const struct ethport_stats *ethport_stats(const struct ethport *e);

#endif
