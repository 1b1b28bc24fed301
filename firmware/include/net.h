/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP segments in Ethernet frames, IPv4 and IPv6, with or without a VLAN tag. */
#ifndef NET_H
#define NET_H

#include <stdbool.h>
#include <stdint.h>

enum tcp_flag { TCP_FIN = 1, TCP_SYN = 2, TCP_RST = 4, TCP_PSH = 8, TCP_ACK = 16 };

/** Where frames of a connection go; addresses in network order, IPv4 in bytes 0 to 3 and the rest zero. */
struct __attribute__((aligned(4))) path {
	uint8_t local[16], peer[16];
	uint16_t lport, pport;
	uint8_t dmac[6] __attribute__((aligned(4))), smac[6];
	uint16_t tci;
	bool vlan, ipv6;
	uint8_t tos;
};

/** A received segment. */
struct seg {
	struct path path; /* ours is local, the sender is peer; MAC addresses are those of an answer */
	uint32_t seq, ack;
	uint16_t wnd;
	uint8_t flags;
	uint16_t mss;     /* option, 0 without */
	int8_t wscale;    /* option, -1 without */
	bool sack, ts;    /* options: SACK-permitted, timestamp */
	uint32_t tsval, tsecr;
	const uint8_t *data;
	uint16_t len;     /* bytes of payload by the IP length */
	uint16_t have;    /* of them at data */
};

/**
 * Parses a frame: len bytes on the wire, have of them here. False: not a TCP segment for one host (bad length, fragment,
 * multicast). Checksums are not looked at: the parser in hardware drops what has a bad one.
 */
bool net_parse(const uint8_t *f, unsigned len, unsigned have, struct seg *s);

#define TS_BYTES 12u /* of the timestamp in a segment (RFC 7323 A) */
struct tx {
	uint32_t seq, ack;
	uint16_t wnd, mss; /* mss, wscale, sack only with SYN; mss 0 and wscale -1 leave the option out */
	int8_t wscale;
	uint8_t flags;
	bool sack, ts;
	uint32_t tsval, tsecr; /* with ts */
	const uint8_t *data;
	uint16_t len;
};
/** Sends one segment, at most 600 bytes of data. */
void net_send(const struct path *p, const struct tx *t);
/** Answers a segment for which there is no connection (RFC 9293 3.10.7.1). */
void net_reset(const struct seg *s);

#endif
