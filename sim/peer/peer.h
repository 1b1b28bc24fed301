/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A station of our own on the lockstep wire, in the place of card b: a small TCP, MPA of all
 * revisions, DDP and RDMAP, written from the RFCs, able to send any byte at any time. It shares no
 * code with firmware or RTL.
 *
 * A script uses it at three heights: raw segments (peer_raw), a byte stream cut as it likes (pc_write,
 * pc->cut), FPDUs with any header (pc_fpdu and the builders). What comes in is reassembled, acknowledged
 * as the flags of the connection say, and handed out as bytes (pc_read) or as FPDUs (pc_next). With
 * pc_serve, Writes, Reads, Sends and their answers work on the peer's own memory by themselves.
 *
 * peer_until turns the crank of everything. Calls that wait return false, or fail the script, when what
 * they wait for has not come within `patience_ns`.
 *
 * Every frame, both ways, is shown to a judge (sim/judge): strict with the card, blind for the peer.
 */
#ifndef WEFT_PEER_H
#define WEFT_PEER_H

#include "../judge/judge.h"
#include "../lockstep/lockstep.h"

enum { T_FIN = 1, T_SYN = 2, T_RST = 4, T_PSH = 8, T_ACK = 16, T_URG = 32, T_ECE = 64, T_CWR = 128 };
enum { OP_WRITE, OP_READ_REQ, OP_READ_RSP, OP_SEND, OP_SEND_INV, OP_SEND_SE, OP_SEND_SE_INV, OP_TERMINATE,
       OP_IMM, OP_IMM_SE, OP_ATOMIC_REQ, OP_ATOMIC_RSP };

struct peer;
struct pc;

struct peer_options {
	const char *wire;      /* impairments both ways, sim/wire/impair.h; NULL: "delay=1us" */
	const char *pcap;      /* capture file */
	bool ipv6;
	uint64_t patience_ns;  /* 0: 20 s */
};
struct peer *peer_new(struct lockstep *ls, const struct peer_options *o);
void peer_free(struct peer *p);
/* Findings of the judge about the card so far; `first` may be NULL, else the first of them as text. */
uint64_t peer_findings(struct peer *p, const char **first);
/* Findings of one rule that a case provokes on purpose are not counted. */
void peer_forgive(struct peer *p, const char *rule);
const char *peer_wire_set(struct peer *p, const char *settings);
uint64_t peer_lost(const struct peer *p); /* frames that the impairments dropped, damaged or moved */
uint64_t peer_now(const struct peer *p);
struct lockstep *peer_ls(struct peer *p);

/* Turns the crank until `done` says so; false after `ns`. */
bool peer_until(struct peer *p, bool (*done)(void *arg), void *arg, uint64_t ns);
void peer_run(struct peer *p, uint64_t ns);

/* ------------------------------------------------------------------ TCP */

struct tcp_seg {
	uint16_t sport, dport;
	uint32_t seq, ack;
	uint8_t flags;
	uint16_t wnd;
	uint8_t opt[40];
	unsigned int opt_len;
	const uint8_t *data;
	uint32_t len;
	uint8_t ecn;           /* of the IP header */
	bool bad_csum;
};
/* Any segment, as it is; the IP header is right. */
void peer_raw(struct peer *p, const struct tcp_seg *g);
/* Any frame. */
void peer_frame(struct peer *p, const uint8_t *bytes, size_t n);

enum { PC_WEFT_ACKS = 1, PC_WEFT_ALIGNED = 2, PC_WEFT = 4 };
enum pc_state { PC_CLOSED, PC_SYN_SENT, PC_SYN_RCVD, PC_OPEN, PC_RESET };
struct pc_attr {
	uint16_t mss;          /* announced; 0: 1460 (IPv6 1440) */
	int wscale;            /* -1: not offered */
	bool sack, ts;         /* offered */
	uint8_t weft;          /* PC_WEFT and flags: the experimental option of a Weft is sent (docs/datapath.md); 0: it is not, nor answered */
	uint32_t window;       /* bytes offered; 0: 65535 */
	uint32_t isn;          /* 0: made up */
};
struct pc {
	struct peer *peer;
	struct pc *next;
	struct pc_attr a;
	uint16_t lport, rport;
	enum pc_state state;
	/* What the card said and agreed to. */
	uint16_t peer_mss;
	int peer_ws;
	bool sack, ts, ws, active;
	int peer_weft;         /* flags of its option, -1 without */
	uint32_t iss, irs, ts_recent;
	/* Out: offsets count the stream, its first byte is 0. */
	uint8_t *out;
	uint64_t out_len, una, nxt, out_room;
	bool fin_out, fin_acked, fin_sent;
	uint32_t peer_window;
	uint64_t rto_at, rto_ns;
	unsigned int dupacks, timeouts, rexmits;
	uint64_t recover_at;
	/* In. */
	uint8_t *in, *got;     /* bytes, and a flag for each */
	uint64_t in_len, in_room, in_pos, in_high;
	unsigned int segs_in;  /* segments with bytes, and when the first of them came */
	uint64_t seg_at[8];
	bool fin_in, reset_in;
	uint64_t fin_at;
	uint64_t last_block;
	/* How it behaves; a script changes them at any time. */
	unsigned int cut;      /* bytes of a segment; 0: as many as fit; PC_CUT_RANDOM */
	bool mute;             /* acknowledges nothing, answers nothing */
	bool hold;             /* pc_write only appends */
	bool no_rexmit;        /* what was sent is not sent again by itself */
	uint32_t window;       /* offered beyond what came in, bytes */
	bool ack_all;          /* every segment at once (the usual) */
	bool reorder;          /* segments of one write leave in a drawn order */
	unsigned int dup;      /* each segment leaves 1 + dup times */
	/* MPA. */
	bool tx_markers, rx_markers, crc;
	uint64_t tx_fpdu0, rx_fpdu0;
	uint64_t fpdus_in;
	const char *bad;       /* what was wrong with the FPDU that came in; the stream stops there */
	/* RDMAP numbers of the next message out. */
	uint32_t msn[4];
	void *serve;           /* of pc_serve */
};
#define PC_CUT_RANDOM 0xffffffffu

struct pc_attr pc_defaults(void); /* MSS 1460, window scale 7, SACK, timestamps, 256 KiB */
/* Active open from lport to the card's rport; waits for SYN-ACK. */
struct pc *pc_connect(struct peer *p, uint16_t lport, uint16_t rport, const struct pc_attr *a);
/* Waits for a SYN to `port` and answers it; to be called before or after it comes. */
struct pc *pc_listen(struct peer *p, uint16_t port, const struct pc_attr *a);
bool pc_wait_open(struct pc *c);
void pc_write(struct pc *c, const void *bytes, uint64_t n);
/* Bytes [from, to) of the stream, appended before, as one segment, now. */
void pc_segment(struct pc *c, uint64_t from, uint64_t to, unsigned int flags);
void pc_ack(struct pc *c);
void pc_fin(struct pc *c);
void pc_rst(struct pc *c);
/* The next n bytes in order; false when they do not come. */
bool pc_read(struct pc *c, void *bytes, uint64_t n);
/* Nothing of ours is unacknowledged. */
bool pc_drain(struct pc *c);
/* The card closed or reset; false when it did neither within ns. */
bool pc_wait_close(struct pc *c, uint64_t ns);

/* ------------------------------------------------------------------ MPA, DDP, RDMAP */

struct mpa_frame {
	bool reply, markers, crc, reject, enhanced;
	uint8_t rev, more_flags;
	uint16_t ird, ord;     /* with A, B and C, D in their upper bits */
	uint8_t pd[600];
	unsigned int pd_len;   /* of the upper layer, without the four bytes of RFC 6581 */
	int length;            /* announced instead of the right one; 0: right */
	const char *key;       /* 16 bytes instead of the right one */
};
unsigned int mpa_bytes(const struct mpa_frame *m, uint8_t *to); /* at most 640 */
void pc_mpa(struct pc *c, const struct mpa_frame *m);
/* Reads a request or reply; false: none, or a broken one. FPDUs of the card begin behind it. */
bool pc_mpa_read(struct pc *c, struct mpa_frame *m);
/* FPDUs begin here, both ways. */
void pc_fpdus(struct pc *c, bool crc, bool tx_markers, bool rx_markers);

struct fpdu_bend {             /* what is wrong on purpose */
	uint32_t crc_xor;
	uint8_t pad;
	int marker_off;        /* added to FPDUPTR of markers inside */
	uint16_t marker_rsvd;
	int length;            /* ULPDU_Length instead of the right one; 0: right */
};
/* Frames a ULPDU at offset `at` of the FPDU stream; returns its bytes. */
size_t fpdu_bytes(uint8_t *to, const uint8_t *ulpdu, size_t n, bool crc, bool markers, uint64_t at, const struct fpdu_bend *b);
void pc_fpdu(struct pc *c, const uint8_t *ulpdu, size_t n, const struct fpdu_bend *b);
#define FPDU_ROOM (65536 + 1024 + 16)

/* Headers; the payload follows at the returned length. */
size_t ddp_tagged(uint8_t *d, unsigned int op, bool last, uint32_t stag, uint64_t to);
size_t ddp_untagged(uint8_t *d, unsigned int op, bool last, uint32_t rsvd, uint32_t qn, uint32_t msn, uint32_t mo);
/* Whole messages, in segments of the MULPDU. */
void pc_rdma_write(struct pc *c, uint32_t stag, uint64_t to, const void *bytes, uint32_t n);
void pc_send(struct pc *c, unsigned int op, uint32_t inv, const void *bytes, uint32_t n);
void pc_read_request(struct pc *c, uint32_t sink, uint64_t sink_to, uint32_t size, uint32_t src, uint64_t src_to);
void pc_read_response(struct pc *c, uint32_t sink, uint64_t sink_to, const void *bytes, uint32_t n);
void pc_terminate(struct pc *c, unsigned int layer, unsigned int type, unsigned int code, const uint8_t *ddp, unsigned int n);

struct fpdu {
	uint8_t ulpdu[65536];
	uint32_t n;
	bool tagged, last;
	unsigned int op, dv, rv;
	uint32_t stag, rsvd, qn, msn, mo;
	uint64_t to;
	const uint8_t *data;
	uint32_t len;
};
/* The next FPDU of the card; false: none within ns, or a broken one (c->bad). */
bool pc_next(struct pc *c, struct fpdu *f, uint64_t ns);

/* ---- the peer's memory ---- */

struct peer_mr {
	uint32_t stag;
	uint64_t to, len;
	uint8_t *p;
	struct peer_mr *next;
};
struct peer_mr *peer_mr(struct peer *p, uint64_t len);
/* From now on: Writes and Read Responses land in regions, Read Requests are answered (while `answer`), Sends are kept. */
struct peer_serve {
	bool stall;            /* Read Requests wait */
	unsigned int sends, reads, writes, responses; /* messages that came in whole */
	unsigned int most_reads;                      /* under way at once */
	struct { uint8_t bytes[70000]; uint32_t n, inv; unsigned int op; } last_send;
	bool terminated;
	uint8_t term[80];
	uint32_t term_n;
	char fault[120];       /* what the card did wrong, "" */
	struct fpdu f;
	struct { uint32_t sink, size, src; uint64_t sink_to, src_to; } queue[256];
	unsigned int queued;
	uint32_t msn[4], mo[4];
};
struct peer_serve *pc_serve(struct pc *c);

#endif
