/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef WEFT_JUDGE_INTERNAL_H
#define WEFT_JUDGE_INTERNAL_H

#include "judge.h"

#define W (1u << JUDGE_WEFT)
#define S (1u << JUDGE_SIW)
#define U (1u << JUDGE_UNKNOWN)
#define ALL (W | S | U)

/* X(id, name, profiles, source) */
#define JUDGE_RULES(X) \
	X(ETH_SHORT, "eth/short", ALL, "a header that the frame does not hold") \
	X(ETH_PAD, "eth/pad", W, "Ethernet padding is zero (nothing leaks)") \
	X(IP4_HEADER, "ip4/header", ALL, "RFC 791 3.1: version, header length, total length") \
	X(IP4_CSUM, "ip4/checksum", ALL, "RFC 791 3.1") \
	X(IP4_FRAGMENT, "ip4/fragment", W | S, "TCP with path MTU is never fragmented") \
	X(IP6_HEADER, "ip6/header", ALL, "RFC 8200 3") \
	X(TCP_HEADER, "tcp/header", ALL, "RFC 9293 3.1: data offset") \
	X(TCP_RESERVED, "tcp/reserved", W, "RFC 9293 3.1: reserved bits are zero") \
	X(TCP_CSUM, "tcp/checksum", ALL, "RFC 9293 MUST-2") \
	X(TCP_FLAGS, "tcp/flags", ALL, "RFC 9293 3.1: combination of control bits") \
	X(TCP_OPTIONS, "tcp/options", ALL, "RFC 9293 3.2: lengths, zero padding (MUST-68, 69)") \
	X(TCP_OPTION_PLACE, "tcp/option-place", ALL, "MSS, window scale, SACK-permitted only with SYN (RFC 9293, 7323 2.2, 2018 2)") \
	X(TCP_WSCALE, "tcp/wscale", ALL, "RFC 7323 2.2, 2.3: shift at most 14, answered only when offered") \
	X(TCP_SACK_PERMITTED, "tcp/sack-permitted", ALL, "RFC 2018 2: answered only when offered") \
	X(TCP_TS_OFFER, "tcp/timestamp-offer", ALL, "RFC 7323 3.2: answered only when offered, used only when agreed") \
	X(TCP_TS_MISSING, "tcp/timestamp-missing", W | S, "RFC 7323 3.2: in every segment but RST") \
	X(TCP_TS_BACK, "tcp/timestamp-back", ALL, "RFC 7323 5.4: TSval never goes back") \
	X(TCP_TS_ECHO, "tcp/timestamp-echo", ALL, "RFC 7323 4.3: TSecr is a TSval of a segment at or below the last ACK") \
	X(TCP_WEFT, "tcp/weft-option", ALL, "docs/datapath.md: kind 253 with ExID WEFT (RFC 6994): once, 7 bytes, only with SYN, no reserved flag, answered as an answer and only when offered") \
	X(TCP_ALIGNED, "tcp/aligned", ALL, "docs/datapath.md: who promised it begins a segment at a multiple of four from its first FPDU only with an FPDU") \
	X(TCP_NO_ACK, "tcp/no-ack", ALL, "RFC 9293 3.10.7.4: every segment of a synchronised connection has ACK") \
	X(TCP_ACK_BEYOND, "tcp/ack-beyond", ALL, "acknowledges what nobody sent") \
	X(TCP_ACK_BACK, "tcp/ack-back", ALL, "RCV.NXT never goes back") \
	X(TCP_SHRINK, "tcp/shrink", W | S, "RFC 9293 3.8.6: the window's right edge does not move left") \
	X(TCP_WINDOW, "tcp/window", ALL, "RFC 9293 3.8: nothing beyond the offered window but a probe of one byte") \
	X(TCP_SEQ, "tcp/seq", ALL, "sequence number beyond SND.NXT, or below ISS") \
	X(TCP_MSS, "tcp/mss", W | U, "RFC 9293 3.7.1: segment larger than the peer's MSS") \
	X(TCP_AGAIN, "tcp/again", ALL, "bytes sent again are the bytes sent before") \
	X(TCP_FIN, "tcp/fin", ALL, "RFC 9293 3.10.4: no data behind FIN, FIN stays where it is") \
	X(TCP_SYN_AGAIN, "tcp/syn-again", ALL, "a SYN that is repeated keeps its number and its options") \
	X(TCP_AFTER_RST, "tcp/after-rst", W | S, "a connection that was reset by its sender is silent") \
	X(TCP_RST_SEQ, "tcp/rst-seq", W | S, "RFC 9293 3.5.2, RFC 5961 3: a number that the receiver can accept") \
	X(SACK_UNASKED, "sack/unasked", ALL, "RFC 2018 3: only when permitted") \
	X(SACK_FORM, "sack/form", ALL, "RFC 2018 3: one to four blocks of nonzero length, with ACK") \
	X(SACK_BELOW, "sack/below", ALL, "RFC 2018 3, 2883: no block below ACK but a first, duplicate one") \
	X(SACK_BEYOND, "sack/beyond", ALL, "RFC 2018 3: never what was not received") \
	X(SACK_OVERLAP, "sack/overlap", ALL, "RFC 2018 3: blocks are apart from each other and from ACK") \
	X(SACK_FIRST, "sack/first", W | S, "RFC 2018 4: what is new is in the first block") \
	X(CWND, "tcp/cwnd", W | S, "RFC 5681 3.1, 6928, 9438: more under way than any congestion window allows") \
	X(RTO, "tcp/rto", W | S, "RFC 6298 5.5, 2.4: time-outs double, none below the floor (of Weft: 4 ms towards who promised to acknowledge by then, or has answered seven times; 200 ms before)") \
	X(RTO_SYN, "tcp/rto-syn", W, "RFC 6298 2.1, 5.5: SYN at first after a second, then doubling") \
	X(MPA_KEY, "mpa/key", ALL, "RFC 5044 7.1.1: key of the frame") \
	X(MPA_REV, "mpa/revision", ALL, "RFC 5044 7.1.1, 6581 10: revision; a reply answers in kind") \
	X(MPA_FLAGS, "mpa/flags", W | S, "RFC 5044 7.1.1: reserved bits, R in a request") \
	X(MPA_PD, "mpa/private-data", ALL, "RFC 5044 7.1.1: at most 512 bytes; RFC 6581 6: at least 4 when S is set") \
	X(MPA_IRD, "mpa/ird-ord", W | S, "RFC 6581 9.1: responder's ORD within initiator's IRD; 0x3fff answered in kind") \
	X(MPA_RTR_BITS, "mpa/rtr-bits", W | S, "RFC 6581 9.2: A, B, C, D") \
	X(MPA_EARLY, "mpa/early", W, "RFC 5044 7.1.2: no FPDU of the responder before one of the initiator, none before the reply") \
	X(MPA_REJECTED, "mpa/rejected", ALL, "RFC 5044 7.1.2: no FPDU after a reply with R") \
	X(MPA_RTR, "mpa/rtr", W | S, "RFC 6581 5: the first FPDU is the RTR that was agreed") \
	X(MPA_LENGTH, "mpa/length", ALL, "RFC 5044 3: ULPDU of a DDP header to 64768 bytes") \
	X(MPA_SIZE, "mpa/size", W, "RFC 5044 4.5: FPDU fits the segment size") \
	X(MPA_PADDING, "mpa/pad", W, "RFC 5044 4.1: pad is zero") \
	X(MPA_CRC, "mpa/crc", ALL, "RFC 5044 4.4") \
	X(MPA_MARKER, "mpa/marker", ALL, "RFC 5044 4.3: reserved bits and FPDUPTR") \
	X(MPA_CUT, "mpa/cut", W, "FIN inside an FPDU") \
	X(DDP_VERSION, "ddp/version", ALL, "RFC 5041 4.1: DV is 1") \
	X(DDP_RESERVED, "ddp/reserved", ALL, "RFC 5041 4.1: reserved bits are zero") \
	X(DDP_QN, "ddp/queue", ALL, "RFC 5040 4.2: queue of the opcode") \
	X(DDP_MSN, "ddp/msn", ALL, "RFC 5041 4.3: MSN 1, 2, 3 ... for each queue") \
	X(DDP_MO, "ddp/mo", ALL, "RFC 5041 4.3: MO goes on where the message stopped") \
	X(DDP_TO, "ddp/to", ALL, "RFC 5041 5.2: segments of a tagged message are one range of one STag") \
	X(DDP_MIXED, "ddp/mixed", ALL, "a message ends before the next of its kind begins") \
	X(RDMAP_VERSION, "rdmap/version", ALL, "RFC 5040 4.1: RV is 1") \
	X(RDMAP_RESERVED, "rdmap/reserved", ALL, "RFC 5040 4.1: reserved bits; Invalidate STag where unused") \
	X(RDMAP_OPCODE, "rdmap/opcode", ALL, "RFC 5040 4.2, RFC 7306 4: opcode and T bit") \
	X(RDMAP_READ, "rdmap/read-request", ALL, "RFC 5040 4.4: one segment of 28 bytes") \
	X(RDMAP_ORD, "rdmap/ord", ALL, "RFC 5040 6.1: Reads under way within the peer's IRD") \
	X(RDMAP_RESPONSE, "rdmap/read-response", ALL, "RFC 5040 5.2: STag, TO, length and order of the request") \
	X(RDMAP_ATOMIC, "rdmap/atomic", ALL, "RFC 7306 5.2, 6.3: sizes of atomics and immediate data") \
	X(TERM_FORM, "terminate/form", W, "RFC 5040 4.8: lengths, M, D, R, reserved bits") \
	X(TERM_CODE, "terminate/code", W, "RFC 5040 4.8, 5044 8, 6581 8: layer, type, code") \
	X(TERM_HEADER, "terminate/header", W, "RFC 5040 4.8: the headers are those of an FPDU that came in") \
	X(TERM_AFTER, "terminate/after", ALL, "RFC 5040 5.4: nothing behind a Terminate") \
	X(TERM_ANSWER, "terminate/answer", W | S, "RFC 5040 5.4: a Terminate is not answered with one") \
	X(TERM_OPEN, "terminate/open", W, "RFC 5040 6.2.1: a Terminate is followed by a close")

enum rule {
#define X(id, name, profiles, source) R_##id,
	JUDGE_RULES(X)
#undef X
	RULES
};

/* Sorted, disjoint, non-touching ranges of stream offsets. */
struct ranges {
	struct range { uint64_t lo, hi; } *r;
	unsigned int n, room;
};
void ranges_add(struct ranges *s, uint64_t lo, uint64_t hi);
bool ranges_hold(const struct ranges *s, uint64_t lo, uint64_t hi); /* all of it */
uint64_t ranges_count(const struct ranges *s, uint64_t lo, uint64_t hi); /* bytes of it */
void ranges_cut(struct ranges *s, uint64_t below);

struct message {           /* DDP message under way on a queue */
	bool open;
	uint8_t opcode;
	uint32_t msn, stag;
	uint64_t next;      /* MO or TO */
	uint64_t sum;
};
struct read_request {
	uint32_t stag, size;
	uint64_t to;
	bool atomic;
	uint32_t id;
};
struct header { uint16_t len, bytes; uint8_t b[46]; };
#define HEADERS 512
#define STARTS 4096
#define STAMPS 256
#define ACKS 64

/* One sender of a connection. Offsets count its stream: SYN is 0, the first byte 1. */
struct side {
	uint8_t addr[16];
	uint16_t port;
	enum judge_profile profile;
	bool syn, fin, rst, mid;
	uint32_t isn;
	uint64_t max;       /* SND.NXT as far as seen */
	uint64_t fin_at;
	uint64_t una;       /* highest ACK of the peer */
	/* What it said about the peer's stream. */
	uint64_t ack, edge, zero_edge; /* offsets in the peer's stream; edge: highest right edge */
	bool acked;
	uint32_t acks[ACKS];   /* the last numbers it acknowledged */
	unsigned int n_acks;
	uint32_t mss;
	int ws;             /* -1: none offered */
	bool sackp, ts;
	bool weft, offered, weft_acks, aligned; /* the option was in its last SYN, in any; and these promises */
	unsigned int news;  /* times that the peer acknowledged something new */
	uint8_t syn_options[40];
	unsigned int syn_options_len;
	uint32_t tsval;
	bool tsval_seen;
	struct { uint32_t val; uint64_t off; } stamp[STAMPS];
	unsigned int stamps;
	struct ranges sacked;  /* of the peer's stream, by this side's blocks */
	struct ranges lost;    /* of its own stream: nobody received them */
	/* Stream. */
	uint8_t *buf;
	uint64_t base, room;
	struct ranges have;
	bool dead;             /* holes: no longer parsed */
	/* Congestion window, as an upper bound. */
	uint64_t cwnd, flight_at_loss, recover;
	unsigned int dupacks;
	uint64_t segs;         /* since the last ACK that was new */
	bool in_recovery;
	bool probe;            /* ... of the last segment alone: nobody knows before more is acknowledged (RFC 8985 7.4.2) */
	uint64_t wnd_last;
	/* Time-outs. */
	uint64_t again_at, again_ns, again_gap;
	unsigned int again_count;
	uint64_t syn_ns, syn_gap;
	/* MPA. */
	enum { P_FRAME, P_FPDU, P_OFF } phase;
	uint64_t pos, fpdu0;
	bool req, mpa_seen;
	uint8_t m_flags, m_rev;
	uint16_t m_ird, m_ord;   /* with A to D */
	bool m_enhanced;
	uint64_t fpdus;
	uint64_t starts[STARTS];         /* where the last FPDUs began, `fpdus` of them in all */
	uint64_t ahead[64];              /* where segments began that were not parsed yet */
	unsigned int n_ahead;
	/* DDP, RDMAP. */
	struct message queue[4], write, response;
	struct read_request *reads; /* requests of this side that have no answer yet */
	unsigned int n_reads, reads_room;
	struct header headers[HEADERS];
	unsigned int n_headers;
	bool terminated, told_early, told_cut;
	uint64_t term_end, term_frame; /* where it ended, the frame it came in */
	uint64_t term_acked;           /* frame in which this side acknowledged the peer's Terminate */
};

struct conn {
	struct conn *next;
	struct side side[2];
	bool is_mpa, crc, crc_unknown, ipv6;
	bool loaded; /* see judge_options */
};

struct judge {
	struct judge_options o;
	struct judge_stats stats;
	uint64_t now, frame;
	struct conn *table[4096], **all;
	size_t n_all, room_all;
	struct { uint8_t addr[16]; enum judge_profile p; } profiles[64];
	unsigned int n_profiles;
};

__attribute__((format(printf, 5, 6)))
void judge_find(struct judge *j, const struct conn *c, unsigned int from, enum rule rule, const char *format, ...);
/* The streams of both sides grew: parse what is there. */
void judge_stream(struct judge *j, struct conn *c, unsigned int from);
/* A segment with bytes begins at `at`; an FPDU was parsed, up to `end`. Where somebody promised to be aligned. */
void judge_begins(struct judge *j, struct conn *c, unsigned int from, uint64_t at);
void judge_parsed(struct judge *j, struct conn *c, unsigned int from, uint64_t end);
const uint8_t *side_bytes(const struct side *s, uint64_t at);

static inline uint32_t jbe16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }
static inline uint32_t jbe32(const uint8_t *p) { return jbe16(p) << 16 | jbe16(p + 2); }
static inline uint64_t jbe64(const uint8_t *p) { return (uint64_t)jbe32(p) << 32 | jbe32(p + 4); }

#endif
