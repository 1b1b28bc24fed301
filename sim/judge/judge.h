/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judge of the wire: reads frames in the order in which a capture holds them and says which rule of
 * Ethernet, IP, TCP, MPA, DDP or RDMAP a sender broke. Written from the RFCs; it shares no code with
 * what it judges.
 *
 * Where it listens. A rule about a sender asks what that sender could have known at most, so it holds
 * wherever the capture was made: an ACK counts from the moment its own sender put it on the wire.
 * `gaps` false says that every frame of every sender is here, as it left (lockstep and weft-wire
 * captures): then a hole in a stream, an ACK that goes back or acknowledges what nobody sent are
 * findings. With `gaps` frames may be missing or out of order (a capture at one side of a lossy wire):
 * those rules sleep, and a stream with bytes that were acknowledged but never seen is no longer parsed
 * (counted in `holes`).
 *
 * A connection whose SYN is not in the capture is judged by the rules that do not need it.
 */
#ifndef WEFT_JUDGE_H
#define WEFT_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How strict with a sender. SIW: what Linux's software iWARP is known for is let pass (Terminate with
 * swapped nibbles, FPDUs larger than a segment, pad that is not zero, a responder that sends first). UNKNOWN: only what no peer may do.
 * OFF: its frames are followed, never reported. */
enum judge_profile { JUDGE_WEFT, JUDGE_SIW, JUDGE_UNKNOWN, JUDGE_OFF };

struct judge_finding {
	uint64_t frame, ns;   /* frame number, counted from 1; time */
	const char *rule;     /* name of the rule, as in judge_rules */
	char who[100];        /* sender and receiver */
	char text[200];
};
typedef void (*judge_fn)(void *arg, const struct judge_finding *f);

struct judge_options {
	judge_fn report;      /* NULL: count only */
	void *arg;
	enum judge_profile profile; /* of who has none of its own */
	bool gaps;
	/* A connection without SYN was loaded whole (ls_connect of the lockstep harness): both streams begin with an FPDU, MSNs with 1;
	 * windows and segment sizes are not known. Without this such a connection is judged by little. */
	bool loaded;
	uint64_t min_rto_ns;  /* floor of the second and later time-outs of a byte; 0: 1 ms */
};

struct judge_stats {
	uint64_t frames, segments, connections, mpa, fpdus, terminates;
	uint64_t again;       /* payload bytes sent again and compared */
	uint64_t holes;       /* streams given up */
	uint64_t findings;
};

struct judge;
struct judge *judge_new(const struct judge_options *o);
void judge_free(struct judge *j);
/* Address of a sender, dotted or with colons. False: not an address. */
bool judge_set_profile(struct judge *j, const char *ip, enum judge_profile p);
/* The next frame, without FCS, `len` bytes of it, at `ns`. `lost`: it is known that nobody received it. */
void judge_frame(struct judge *j, uint64_t ns, const uint8_t *frame, size_t len, bool lost);
/* Everything has been seen. */
void judge_end(struct judge *j);
const struct judge_stats *judge_stats(const struct judge *j);

/* All rules: name and source; returns their number. */
struct judge_rule {
	const char *name, *source;
	unsigned int profiles; /* bit per enum judge_profile in which it is reported */
};
unsigned int judge_rules(const struct judge_rule **rules);

/* ---- captures ---- */

/* pcap (any byte order, micro- and nanoseconds) or pcapng in memory: calls `frame` for each Ethernet
 * frame, in order. `comment` is "" without. Returns NULL, or what is wrong with the file (frames before it were given out). */
struct judge_capture {
	void (*frame)(void *arg, uint64_t ns, const uint8_t *frame, size_t len, const char *comment);
	void *arg;
	char application[64]; /* of a pcapng section, filled in before the first frame */
};
const char *judge_read(struct judge_capture *c, const uint8_t *file, size_t bytes);
/* Judges a whole file: `gaps` of the options is set by it unless the capture is one of weft's own. */
const char *judge_file(struct judge_options *o, const uint8_t *file, size_t bytes, int gaps,
		       void (*prepare)(void *arg, struct judge *j), void *arg, struct judge_stats *stats);

uint32_t judge_crc32c(uint32_t crc, const uint8_t *p, size_t n);

#endif
