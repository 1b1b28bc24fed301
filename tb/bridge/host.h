/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's end of the bridge, from docs/bridge.md; and TLPs, as lists of lives. */
#ifndef WEFT_TB_BRIDGE_H
#define WEFT_TB_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tlp {
	uint8_t cls; /* 0 posted, 1 non-posted, 2 completion, 3 settings */
	uint8_t bar;
	bool bad; /* to be thrown away by the card */
	bool flr;
	uint16_t len; /* of the payload */
	uint8_t hdr[16];
	uint8_t data[264];
};

/* All that one side gave to the bridge between two of its resets, in order. */
struct life {
	struct tlp *t;
	unsigned n, room;
};
struct tlp *life_add(struct life *l);

enum { HOST_HELLO, HOST_GO, HOST_UP };
struct host {
	int state;
	uint16_t session;
	struct life *life;              /* what it gives; the number of a TLP is its place, modulo 256 */
	unsigned una, snd, expect;      /* una, snd: places */
	uint8_t limit[3], used[3];      /* of the card's grants */
	uint8_t given[3], taken[3];     /* of its own */
	unsigned waiting[3];            /* taken and not given back */
	bool ack_due, nak_due, nak_quiet, fresh;
	uint64_t heard, said, asked, progress, up_at; /* cycles */
	unsigned flr_count;
	const struct life *card;        /* whose TLPs came in this session */
};
/* What a host of this moment is like. */
struct temper {
	unsigned new_pct[4], consume_pct[3], depth[3], settings_pct, bad_pct, retry, beat, hello, window;
	bool rude;                      /* takes no notice of credits */
};
extern struct temper temper;
extern struct host host;
extern unsigned n_sessions, n_downs, n_naks, n_host_retries, n_bad, n_flr, n_settings, n_resets;

/** A process begins: nothing is known of before; it takes the number of before, or another one. */
void host_start(bool same);
/** A byte from the line; `card` is the life of the card that sent it. */
void host_byte(uint8_t b, const struct life *card);
/** Makes requests, gives credits back. */
void host_cycle(bool quiet);
/** The next frame to send, with its flags; 0: none. */
size_t host_frame(uint8_t *out);
/** Everything has been taken by the card, and everything of the card's list. */
bool host_done(void);

#endif
