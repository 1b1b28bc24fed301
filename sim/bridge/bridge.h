/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The host's end of the bridge (docs/bridge.md): between the TLP streams of a root complex (rc/rc.h) and a line of bytes, at whose
 * other end is rtl/bridge with a card. It knows neither clock nor files: bytes come and go by calls that tell the time.
 *
 * Beside the protocol it keeps what the configuration space promises: what the card sent before bus mastering went off, or before a
 * function-level reset, never reaches memory behind it, however late the line brings it. A read of a register (a fence) follows on the line, and
 * until its completion has brought along all that was sent before, requests of the card are thrown away.
 *
 * Not thread safe; any number may live in one process. Out of memory aborts.
 */
#ifndef WEFT_SIM_BRIDGE_H
#define WEFT_SIM_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../rc/rc.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BRIDGE_VERSION 1
#define BRIDGE_PAYLOAD 256u  /* bytes, of one frame */
#define BRIDGE_FRAME_MAX 600u /* bytes on the line at most, escapes and flags included */

struct bridge_cfg {
	uint64_t hello_ns; /* between two HELLOs, or GOs */
	uint64_t retry_ns; /* without an acknowledgement, until all is sent again */
	uint64_t beat_ns;  /* between two ACKs at most, while something is under way and a second after it */
	uint64_t rest_ns;  /* ... when nothing is */
	unsigned int queue; /* requests that wait for credits at most; more are not taken from the root complex */
};

struct bridge_stats {
	uint64_t sessions, lost;          /* begun; ended by the card */
	uint64_t tlps_out, tlps_in;       /* towards the card, from it; each once */
	uint64_t again;                   /* frames sent again */
	uint64_t naks_out, naks_in;
	uint64_t broken;                  /* frames that came damaged */
	uint64_t bad;                     /* frames of the card that are no TLP, or come without a credit */
	uint64_t stale;                   /* requests of the card thrown away: no bus mastering, or behind a fence */
	uint64_t refused;                 /* requests of the host that no frame can hold */
};

struct bridge;

/** beat_bytes: of the root complex's streams. seed: of session numbers. */
struct bridge *bridge_new(unsigned int beat_bytes, uint64_t seed);
void bridge_free(struct bridge *b);
struct bridge_cfg *bridge_config(struct bridge *b);
/** The station address that the card gets; 0: its own. */
void bridge_mac(struct bridge *b, uint64_t mac);

/** A new life: everything is forgotten, the card will be reset. Requests are taken at once, and wait. */
void bridge_open(struct bridge *b);
/** GO was acknowledged: the card's core runs. */
bool bridge_up(const struct bridge *b);
/** The card was reset by itself: nothing goes any more until bridge_open. */
bool bridge_lost(const struct bridge *b);
/** It is up, and nothing is under way, queued, or still to be said. */
bool bridge_idle(const struct bridge *b);

/** A cycle of the root complex's streams: what they see in it, and what they gave in it. Return of bridge_end: something was transferred. */
void bridge_begin(struct bridge *b, const struct weft_rc_in *in, struct weft_rc_out *out);
bool bridge_end(struct bridge *b, const struct weft_rc_in *in);

/** Bytes from the line. */
void bridge_line_in(struct bridge *b, const uint8_t *bytes, size_t n, uint64_t now_ns);
/** The next frame for the line, at most BRIDGE_FRAME_MAX bytes; 0: there is nothing to say now. */
size_t bridge_line_out(struct bridge *b, uint8_t *bytes, uint64_t now_ns);
/** When bridge_line_out will have something to say though nothing happens; 0: it has now. */
uint64_t bridge_due(const struct bridge *b, uint64_t now_ns);

const struct bridge_stats *bridge_stats(const struct bridge *b);

#ifdef __cplusplus
}
#endif
#endif
