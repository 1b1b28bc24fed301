/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The peer's view of frames and MPA start-up frames, for the tests: written from RFC 791, 8200, 9293, 7323, 5044 and 6581, and sharing
 * nothing with the firmware, so that a mistake of the firmware's own parser does not hide one of its builder.
 */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stdint.h>

enum { P_FIN = 1, P_SYN = 2, P_RST = 4, P_PSH = 8, P_ACK = 16 };

struct pkt {
	uint8_t dmac[6], smac[6], src[16], dst[16]; /* IPv4: bytes 0 to 3 */
	bool ipv6;
	uint32_t flow;                   /* IPv6: flow label */
	uint16_t sport, dport, wnd, mss; /* mss 0: no option */
	uint32_t seq, ack;
	uint8_t flags, ttl;
	int wscale;                      /* -1: no option */
	bool sack, ts;                   /* parsed: SACK-permitted, timestamp */
	int weft;                        /* parsed: flags of the experimental option of a Weft (docs/datapath.md); -1: it is not there */
	uint32_t tsval, tsecr;
	uint8_t opt[40];                 /* built: behind MSS, in front of window scale; a multiple of 4 */
	unsigned opt_len;
	unsigned len;
	uint8_t data[2048];
};
/** Parses an Ethernet frame without FCS that holds a TCP segment in IPv4 or IPv6; checks lengths and both checksums. Returns NULL or what is wrong. */
const char *pkt_parse(struct pkt *p, const uint8_t *f, unsigned len);
/** Builds one into f (at least 60 bytes of room behind the data); options follow from mss, wscale and opt. Returns its length. */
unsigned pkt_build(uint8_t *f, const struct pkt *p);

struct mpa_frame {
	bool reply, markers, crc, reject, enhanced;
	bool p2p, rtr_send, rtr_write, rtr_read;
	unsigned rev, ird, ord, pd_len;
	const uint8_t *pd;
};
/** Length of the frame at p, 0 when it is not a whole and proper one. */
unsigned mpa_frame_parse(const uint8_t *p, unsigned len, bool reply, struct mpa_frame *m);
unsigned mpa_frame_build(uint8_t *p, const struct mpa_frame *m);

#endif
