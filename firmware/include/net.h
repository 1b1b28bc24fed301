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

/**
 * The experimental option by which two Weft cards know each other (docs/datapath.md, "Who the peer is"): RFC 6994 with an ExID of 32 bits, which
 * is not registered with IANA. Kind, length, ExID, flags. In a SYN, and in the answer to one that had it.
 */
#define OPT_WEFT_KIND 253u
#define OPT_WEFT_BYTES 7u
#define OPT_WEFT_SPACE 8u       /* with a NOP in front */
#define OPT_WEFT_EXID 0x57454654u
#define OPT_WEFT_ANSWER 0x80    /* of a SYN with ACK; so what is only sent back is no answer */
/* The flags, and what came of it: it is there, or it is and counts for nothing. */
enum opt_weft { OPT_WEFT_ACKS = 1, OPT_WEFT_ALIGNED = 2, OPT_WEFT_FLAGS = 3, OPT_WEFT_HAS = 4, OPT_WEFT_NOT = 8 };
#define OPT_WEFT_OURS (OPT_WEFT_ACKS | OPT_WEFT_ALIGNED) /* what rtl/tcp keeps */

/** A received segment. */
struct seg {
	struct path path; /* ours is local, the sender is peer; MAC addresses are those of an answer */
	uint32_t seq, ack;
	uint16_t wnd;
	uint8_t flags;
	uint16_t mss;     /* option, 0 without */
	int8_t wscale;    /* option, -1 without */
	bool sack, ts;    /* options: SACK-permitted, timestamp */
	uint8_t weft;     /* option: OPT_WEFT_HAS and the sender's flags, else 0 or OPT_WEFT_NOT */
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
	uint16_t wnd, mss; /* mss, wscale, sack, weft only with SYN; mss 0 and wscale -1 leave the option out */
	int8_t wscale;
	uint8_t flags;
	bool sack, ts, weft;
	uint32_t tsval, tsecr; /* with ts */
	const uint8_t *data;
	uint16_t len;
};
/** Sends one segment, at most 600 bytes of data. */
void net_send(const struct path *p, const struct tx *t);
/** What an option of OPT_WEFT_KIND says, of at least four bytes or of a length that is not its own, in a segment with or without ACK; had: so far. */
unsigned net_weft(const uint8_t *option, bool ack, unsigned had);
/** Answers a segment for which there is no connection (RFC 9293 3.10.7.1). */
void net_reset(const struct seg *s);

#endif
