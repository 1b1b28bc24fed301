/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Impairments of one direction of an Ethernet link: loss, reordering, duplication, corruption,
 * delay and rate. Deterministic: what happens to frame number n depends on the settings, the seed,
 * the stream number and n alone, so changing one rate does not move the others' victims.
 *
 * The settings text (`--set`, `set`, lockstep) is a comma-separated list:
 *   loss=P%                 the frame vanishes
 *   reorder=P%:DIST         the frame is overtaken by the next DIST frames (1 to 1000), or waits
 *                           IMPAIR_HOLD_NS when fewer follow
 *   dup=P%                  the frame arrives twice
 *   corrupt=P%              bits are wrong and the FCS shows it: the frame is dropped and counted
 *   corrupt-past-fcs=P%     one bit of the IP packet is wrong and the FCS does not show it; TCP
 *   corrupt-past-fcs=P%:N   frames only; N bits (1 to 64), which a TCP checksum may miss: only
 *                           where the MPA CRC is on
 *   delay=TIME              every frame comes TIME later (ns, us, ms, s)
 *   rate=BITRATE            serialisation at BITRATE (kbit, mbit, gbit), 0: none
 *   seed=N
 *   none                    every rate and delay back to zero, the seed stays
 * P is a percentage with its sign, up to seven decimals.
 */
#ifndef WEFT_SIM_IMPAIR_H
#define WEFT_SIM_IMPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMPAIR_HOLD_NS 20000000u
/* Bytes a direction holds back at most; further frames are dropped and counted. */
#define IMPAIR_QUEUE_BYTES (64u << 20)

struct impair_settings {
	uint32_t loss, reorder, dup, corrupt, flip; /* parts per billion */
	uint32_t reorder_distance;
	uint32_t flip_bits;
	uint64_t delay_ns;
	uint64_t rate_bps; /* 0: no limit */
	uint64_t seed;
};

struct impair_stats {
	uint64_t frames, bytes;   /* came in */
	uint64_t delivered;       /* went out, duplicates included */
	uint64_t lost, corrupted; /* dropped: loss, FCS */
	uint64_t flipped, duplicated, reordered;
	uint64_t overflow;        /* dropped: more than IMPAIR_QUEUE_BYTES under way */
};

/* What was done to a frame (for captures). */
enum impair_fate {
	IMPAIR_LOST = 1,
	IMPAIR_CORRUPTED = 2,
	IMPAIR_FLIPPED = 4,
	IMPAIR_DUPLICATED = 8,
	IMPAIR_REORDERED = 16,
	IMPAIR_OVERFLOW = 32,
};

struct impair;

/*
 * Applies a settings text to *s. NULL when all of it was understood; else a reason (constant text,
 * or in a buffer that lives until the next call), and *s is untouched.
 */
const char *impair_parse(const char *text, struct impair_settings *s);

/* The settings as a text that impair_parse takes. */
void impair_format(const struct impair_settings *s, char *text, size_t room);
/* Only those that do something, and the seed if there are any; "" when frames pass as they are. */
void impair_in_force(const struct impair_settings *s, char *text, size_t room);

/* `stream` separates directions with the same seed. */
struct impair *impair_new(const struct impair_settings *s, uint64_t stream);
void impair_free(struct impair *im);

/* New settings; frames under way keep what was decided. A new seed restarts the frame count. */
void impair_set(struct impair *im, const struct impair_settings *s);

/* A frame (1 to FRAME_MAX bytes, no FCS) enters at `now_ns`, which never goes back. Returns its
 * fate, a set of enum impair_fate. */
unsigned int impair_push(struct impair *im, uint64_t now_ns, const uint8_t *frame, size_t len);

/* Next frame that has arrived by `now_ns`, or NULL. The frame is valid until the next call. */
const uint8_t *impair_pop(struct impair *im, uint64_t now_ns, size_t *len);

/* When the next frame arrives; all ones when nothing is under way. */
uint64_t impair_next_ns(const struct impair *im);

/* Forget all frames under way. */
void impair_clear(struct impair *im);

const struct impair_stats *impair_stats(const struct impair *im);

#endif
