/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef WEFT_PEER_INTERNAL_H
#define WEFT_PEER_INTERNAL_H

#include "../wire/impair.h"
#include "peer.h"

struct peer {
	struct lockstep *ls;
	struct judge *judge;
	struct pcapng *pcap;
	struct impair *wire[2]; /* from the card, to the card */
	struct impair_settings settings;
	struct pc *conns;
	struct peer_mr *mrs;
	uint8_t addr[2][16];
	bool ipv6, ended, big;
	uint16_t ip_id;
	unsigned int last_ecn, forgiven;
	const char *forgive[16];
	uint64_t patience, findings, strays;
	char first[300];
};

bool pc_ready(struct pc *c, uint64_t n, uint64_t ns);
void peer_serve_run(struct pc *c);

#endif
