/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Connections. Firmware opens and closes them itself, with frames of its own; in between the hardware has them.
 *
 * A connection (struct conn) lives as long as the driver knows its handle. What set-up and close need besides lies in
 * four pools, so that none starves another:
 *
 *   half   passive, until the first byte of the MPA request is there; beyond the pool SYN cookies, which need nothing (RFC 4987)
 *   setup  slots 0 to MAX_SETUP - 1, each with a buffer for an MPA frame; SETUP_RESERVE of them are kept for either side of opening;
 *          when a connect finds none, the oldest whose peer has been silent for SYN_PATIENCE time-outs gives way
 *   close  the slots behind, without a buffer; when they are short the oldest gives way, with a reset
 *   tw     TIME-WAIT: numbers only; the oldest gives way
 *
 * cm.c: commands; cm_pool.c: the pools; cm_tcp.c: the TCP machine of a slot; dp.h: the connections that the data path has.
 */
#ifndef CM_H
#define CM_H

#include "dp_conf.h" /* MAX_QP, MAX_CLOSE, RCV_WND */
#include "fw.h"
#include "mpa.h"
#include "net.h"

#define MAX_SETUP 10
#define MAX_SLOT (MAX_SETUP + MAX_CLOSE)
#define SETUP_RESERVE 3
#define SYN_PATIENCE 2 /* three seconds */
#define PEER_SETUP 5   /* passive slots of one peer */
#define PEER_WAIT 2    /* of them, without a whole MPA request */
#define MAX_HALF 12
#define PEER_HALF 5    /* of one peer */
#define LISTEN_HALF 9 /* of one listener */
#define MAX_TW 16
#define MAX_LISTEN 64
#define MAX_LOCAL 32
#define MAX_LOCAL6 16 /* IPv6: of this host, or of a listener */
#define MAX_VALUE 16   /* value slots of the room QP_TX */
#define NO_SLOT 31

enum conn_state { C_FREE, C_SETUP, C_HW, C_CLOSING };
enum conn_flag {
	CF_REPORTED = 1, /* the driver knows that it ended: no CM_CLOSE */
	CF_PEER_FIN = 2,
	CF_PENDING = 4,  /* all is acknowledged, a slot to close in is missing */
	CF_ACTIVE = 8,
	CF_TERM = 16,
	CF_HALT = 32,    /* hardware finishes what it started */
};
struct conn {
	uint32_t cookie;
	uint32_t qpn : QPN_BITS, slot : 5, state : 2, cause : 3, flags : 6;
	uint32_t when : 6;  /* CF_HALT: since, in units of 2^29 ns; C_HW: tries of CREATE, then of a reply under ST_HOLD */
	uint32_t word : 20; /* CF_TERM: bits 31:13 of the last Terminate control word; else low bits of where the first FPDU begins */
	uint32_t gen : 12;
};

enum slot_state {
	S_FREE, S_SYN_SENT, S_SYN_RCVD, S_WAIT_REQ, S_WAIT_ACCEPT, S_WAIT_REP,
	S_HAND,     /* on its way to the hardware, and in its look-up */
	S_HW_HOLD,  /* hardware has it; the peer's private data wait for QUERY_CONN */
	S_FIN_WAIT1, S_FIN_WAIT2, S_CLOSING, S_LAST_ACK,
};
#define HOLD_T TICKS(5000)    /* the driver fetches private data meanwhile */
#define PASS_ON_T TICKS(20)   /* until no frame that was passed on comes back any more */
#define POLL_T TICKS(200)     /* has the reply been acknowledged? */
#define REPLY_T TICKS(60000)  /* for a reply; a request waits for a place as long */
#define TX_OFF 532 /* a Terminate of firmware, behind the peer's MPA frame: a marker, length, 22 bytes, CRC */
#define BUF_BYTES 564
_Static_assert(TX_OFF >= MPA_FRAME_MAX && TX_OFF % 4 == 0 && TX_OFF + 4 + 2 + 22 + 4 <= BUF_BYTES, "they do not overlap, nor the next slot's");
struct slot {
	uint8_t state, retries, listener, rev, ird, ord, passed_on, weft; /* weft: of the peer, enum opt_weft */
	int8_t snd_ws;
	bool active, ws_ok, ts_ok, sack_ok, fin, rtt_ok, crc, markers /* towards the peer */, want_p2p, enhanced, peer_p2p, peer_rtr_write, peer_rtr_read;
	uint16_t conn, l2, mss, rto_ms; /* mss: what we may send, without options */
	uint16_t tx_off, tx_len, rx_len, pd_off, pd_len, peer_ird, peer_ord, challenge;
	struct path path;
	uint32_t snd_una, snd_nxt, snd_max, rcv_nxt; /* snd_nxt: behind all that is to be sent; snd_max: behind what was */
	uint32_t snd_wnd, max_wnd, wl1, wl2, srtt_us;
	uint32_t dseq;                   /* sequence number of the first byte at buf + tx_off */
	uint32_t sent_us;                /* of the SYN, in units of 2^10 ns */
	uint32_t ts_recent;              /* RFC 7323 */
	uint32_t rexmit, expire, since;  /* ticks; 0: off */
	uint8_t *buf;                    /* NULL: a slot to close in */
};
struct half {
	struct path path;
	uint32_t iss, rcv_nxt, sent_us, due, ts_recent;
	uint16_t mss, wnd;
	uint8_t state, retries, listener; /* state: S_FREE, S_SYN_RCVD, S_WAIT_REQ */
	int8_t ws;                        /* -1: the peer does not scale */
	uint16_t srtt_us, challenge;
	bool ts, sack;
	uint8_t weft;
};

/* Connections by index (of their handle), and the index. The answer is good until some 30 others were asked for. */
extern uint32_t conn_top; /* behind the highest index that was ever used */
struct conn *conn_at(uint32_t index);
uint32_t conn_index(const struct conn *k);
extern struct slot slots[MAX_SLOT];
extern uint32_t slots_used; /* bit per slot that is not S_FREE */
extern struct half halves[MAX_HALF];
extern struct slot scratch; /* a slot for as long as a function runs */
/** What answers a flood. */
#define FLOOD_PATH FAST
/** Time in ticks of 2^20 ns, modulo 2^32. */
static inline uint32_t ticks(void) { return (uint32_t)(hw_now() >> 20); }
#define TICKS(ms) ((uint32_t)((ms) * 1000000ull >> 20) + 1)
static inline uint32_t after(uint32_t t) { return (ticks() + t) | 1; } /* a deadline is never 0 */
static inline bool is_due(uint32_t now, uint32_t t) { return t && (int32_t)(now - t) >= 0; }

static inline uint32_t addr_word(const void *a) { return *(const uint32_t *)a; } /* IPv4, as it lies in memory */

#define for_slots(s) for (uint32_t used_ = ((s) = slots, slots_used); used_; used_ >>= 1, (s)++) if (used_ & 1)

/* ---- cm.c ---- */
/** Commands that wait are not answered any more: the admin queue started anew. */
void cm_forget(void);
void cm_frames(void);
/** The frame in work goes to the data path, which has the connection of the slot (at least in its look-up). */
void cm_pass_on(struct slot *s);
void cm_timers(void);
/** Gives slots that became free to those that wait for one. */
void cm_serve(void);
/** The next deadline of anything: firmware sleeps until then. */
uint64_t cm_deadline(void);
/** 704 bytes that nobody uses while a command is in work, but who works on it. */
extern uint32_t *const cm_buffer;
/** The QP goes to ERROR or away: a connection of it is reset. */
void cm_qp_gone(uint32_t qpn);
uint32_t cm_terminate_word(uint32_t qpn);
unsigned cm_listen(const uint32_t *c, uint32_t *rsp);
unsigned cm_unlisten(const uint32_t *c, uint32_t *rsp);
unsigned cm_connect(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned cm_accept(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned cm_reject(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned cm_disconnect(const uint32_t *c, uint32_t *rsp);
unsigned cm_abort(const uint32_t *c, uint32_t *rsp);
unsigned cm_query(const uint32_t *c, uint32_t *rsp, unsigned tag);

/** Event of a connection for the driver; s gives the addresses and may be NULL. */
void cm_post(unsigned type, unsigned code, const struct conn *k, const struct slot *s);
struct conn *conn_of(const struct slot *s);
struct slot *slot_of(const struct conn *k);
struct conn *conn_by_qp(uint32_t qpn);
void cm_bind(struct slot *s, struct conn *k);
/** The data path has the connection of the slot: what is to be said to the peer lies in its buffer. */
void cm_handed(struct slot *s, struct conn *k);
/** Ends a connection, with a reset of the peer. */
void cm_reset(struct conn *k, unsigned status);
/** The connection is over: tells the driver (unless it knows), sets its QP to ERROR, frees handle. The slot may live on. */
void conn_end(struct conn *k, unsigned status);
/** The peer's MPA frame is complete. */
void cm_request(struct slot *s, const struct mpa *m);
void cm_reply(struct slot *s, const struct mpa *m);
bool cm_port_listens(uint16_t port);
/** Less than the backlog wait for the driver, or (all) for their request; others of these do not count when they are old. */
bool cm_backlog_room(unsigned listener, bool all);
/** The listener for a segment, -1: none. */
int cm_listener(const struct path *p);
unsigned cm_local_addr(const uint32_t *c, uint32_t *rsp);
unsigned cm_state(const uint32_t *c, uint32_t *rsp, unsigned tag);
/** Connections or set-ups exist. */
bool cm_busy(void);

/* ---- cm_pool.c ---- */
struct slot *scratch_clear(void);
/** A slot with a buffer, NULL when there is none to be had. */
struct slot *slot_setup(bool active);
/** A slot to close in; NULL when all were taken within the last second. */
struct slot *slot_close(void);
void slot_free(struct slot *s);
/** The slot has served, and with it a connection that still has its handle. */
void slot_end(struct slot *s);
/** Moves a slot that needs its buffer no more to the close pool, if there is room; returns where it is. */
struct slot *slot_leave(struct slot *s);
bool slot_ours(const struct slot *s);
/** In S_HW_HOLD: frames of it may still come back, and would be answered with a reset if the slot were not there. */
bool slot_guards(const struct slot *s);
/** In S_HW_HOLD: when it gives way, 0: it does. The driver has a moment to fetch what it was told of, and what slot_guards says holds too. */
uint32_t slot_kept(const struct slot *s);
/** Has begun its request, and not gone on for a second: the place is anybody's. */
bool slot_slow(const struct slot *s);
struct slot *slot_by(const struct path *p);
/** The hardware has this connection since a moment ago. */
struct slot *slot_handed_over(const struct path *p);
bool path_same(const struct path *a, const struct path *b);
bool tw_uses(uint16_t port);
void tw_add(const struct slot *s);
/** Ends the TIME-WAIT of a 4-tuple. */
void tw_drop(const struct path *p);
/** A segment of a 4-tuple in TIME-WAIT; false: there is none, or a new connection may begin. */
bool tw_input(const struct seg *g);
/** Answers a frame that is a SYN nothing can be kept of; false: it is something else. */
bool half_flood(uint32_t *frame, unsigned len);
/** A segment to a listener: SYN, the rest of a handshake, or the first bytes. False: nothing of ours; listener: whose it is, or -1. */
bool half_input(const struct seg *g, int *listener);
void half_unlisten(unsigned listener);
unsigned half_count(void);
void pool_timers(uint32_t now);
/** The earliest of t and the deadlines of the pools, as ticks from now. */
int32_t pool_deadline(uint32_t now, int32_t t);

/* ---- cm_tcp.c ---- */
#define MSS_LEAST (WEFT_FPDU_LEAST + WEFT_MARKER_BYTES + TS_BYTES) /* else a full FPDU of the card does not fit a segment (RFC 5044 4.5) */
void tcp_start_active(struct slot *s);
/** What a SYN says of the peer. */
void tcp_options(struct slot *s, const struct seg *g);
/** SYN, or SYN-ACK in S_SYN_RCVD; cookie: nothing is kept of this one. */
void tcp_syn(const struct slot *s, bool cookie);
/** Keyed hash (HalfSipHash-2-4) of a 4-tuple; and of an IPv4 one (ports: local in bits 15:0) with a time and a number: of an IPv6 one its hash stands for both addresses. */
uint32_t tcp_hash(const struct path *p);
uint32_t tcp_hash4(uint32_t time, uint32_t local, uint32_t ports, uint32_t peer, uint32_t a);
/** The seed has changed. */
void tcp_rekey(void);
/** Added to the clock in TSval, of all connections the same; and TSval, which the card makes in the same way. */
static inline uint32_t tcp_ts_off(void) { return (uint32_t)admin_seed(2); }
static inline uint32_t tcp_stamp(void) { return tcp_ts_off() + ticks(); }
/** TSval of an answer with a cookie: what that has no bits for is in bits 2:0, which come back in TSecr: SACK, and the peer's OPT_WEFT_FLAGS. Never ahead of the clock. */
static inline uint32_t tcp_cookie_stamp(uint32_t now, bool sack, unsigned weft)
{
	uint32_t v = tcp_ts_off() + now;

	return v - ((v - (sack | (weft & OPT_WEFT_FLAGS) << 1)) & 7);
}
/** The MSS that was agreed on, options not taken off. */
static inline unsigned tcp_mss(const struct slot *s) { return s->mss + (s->ts_ok ? TS_BYTES : 0); }
/** The segment is older than what came before (PAWS, RFC 7323 5.3). */
static inline bool tcp_old(bool ts_ok, uint32_t recent, const struct seg *g) { return ts_ok && seq_lt(g->tsval, recent); }
uint32_t tcp_isn(const struct path *p);
/** Sends a challenge ACK, unless the last of this connection is too recent (RFC 5961 7): *last is kept by the caller. */
void tcp_challenge(const struct slot *s, uint16_t *last);
void tcp_input(struct slot *s, const struct seg *g);
void tcp_timeout(struct slot *s, uint32_t now);
/** Ends a slot and its connection. */
void tcp_fail(struct slot *s, unsigned status, bool rst);
/** Sends what is not acknowledged: SYN, data at buf + tx_off, FIN. */
void tcp_output(struct slot *s);
void tcp_ack(const struct slot *s);
void tcp_rst(const struct slot *s);
/** Puts FIN behind what is to be sent. */
void tcp_close(struct slot *s, bool peer_closed);
uint16_t tcp_window(const struct slot *s);

/* ---- ports, L2 entries: cm.c ---- */
void port_set(uint16_t port);
/** Clears the bit of a port that no listener and no slot has any more. */
void port_release(uint16_t port);
/** Fills MAC addresses and VLAN of a path from the L2 entry; returns its IP MTU, 0 when there is none. */
unsigned hw_l2(struct path *p, uint32_t index);

#endif
