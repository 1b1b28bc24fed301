/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Connections. Firmware opens and closes them itself, with frames of its own; in between the hardware has them.
 *
 * A connection (struct conn, 16 bytes) lives as long as the driver knows its handle. A slot holds what set-up and close need:
 * addresses, sequence numbers, the bytes of the MPA frame. cm.c: commands, events; cm_tcp.c: the TCP machine of a slot;
 * cm_hw.c: handing a connection to the hardware and taking it back.
 */
#ifndef CM_H
#define CM_H

#include "fw.h"
#include "mpa.h"
#include "net.h"

#define MAX_CONN 1040
#define MAX_SLOT 16
#define MAX_LISTEN 64
#define NO_SLOT 0xff

enum conn_state { C_FREE, C_SETUP, C_HW, C_CLOSING };
enum conn_flag {
	CF_REPORTED = 1, /* the driver knows that it ended: no CM_CLOSE */
	CF_PEER_FIN = 2,
	CF_PENDING = 4,  /* waits for a slot to close in */
	CF_ACTIVE = 8,
	CF_TERM = 16,
};
struct conn {
	uint16_t qpn, gen;
	uint8_t state, slot, flags, cause;
	uint32_t cookie;
	uint32_t word; /* CF_TERM: Terminate control word, sent or received; else where the peer's first FPDU begins */
};

enum slot_state {
	S_FREE, S_SYN_SENT, S_SYN_RCVD, S_WAIT_REQ, S_WAIT_ACCEPT, S_WAIT_REP,
	S_HW_REPLY, /* hardware has it; our last bytes may have to be sent again */
	S_HW_HOLD,  /* hardware has it; the peer's private data wait for QUERY_CONN */
	S_HALT,     /* hardware has it and finishes what it started */
	S_FIN_WAIT1, S_FIN_WAIT2, S_CLOSING, S_LAST_ACK, S_TIME_WAIT,
};
#define TX_OFF 536 /* small FPDUs of firmware, behind the peer's MPA frame */
struct slot {
	uint8_t state, retries, listener;
	bool active, ws_ok, fin, rtt_ok, crc, want_p2p;
	int8_t snd_ws;
	uint16_t conn, l2, mss; /* mss: what we may send */
	struct path path;
	uint32_t iss, snd_una, snd_nxt, rcv_nxt, snd_wnd, srtt_us;
	uint32_t dseq;              /* sequence number of the first byte at buf + tx_off */
	uint16_t tx_off, tx_len, rx_len, pd_off, pd_len;
	uint16_t peer_ird, peer_ord;
	uint8_t rev, ird, ord;
	bool enhanced, peer_p2p, peer_rtr_write, peer_rtr_read;
	uint32_t rto_ms;
	uint64_t sent_at, rexmit, expire; /* ns; NEVER: off */
	uint8_t buf[564];
};

extern struct conn conns[MAX_CONN];
extern struct slot slots[MAX_SLOT];
extern uint32_t slots_used; /* bit per slot that is not S_FREE: kept by slot_new and slot_free */
#define for_slots(s) for (uint32_t used_ = ((s) = slots, slots_used); used_; used_ >>= 1, (s)++) if (used_ & 1)

/* ---- cm.c ---- */
void cm_init(void);
/** Commands that wait are not answered any more: the admin queue started anew. */
void cm_forget(void);
void cm_frames(void);
void cm_timers(uint64_t now);
/** Gives slots that became free to those that wait for one. */
void cm_serve(void);
uint64_t cm_deadline(void);
/** An event of the rooms about a QP (struct fw_event). */
void cm_event(const uint32_t *ev);
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
struct conn *conn_new(void);
/** The connection is over: tells the driver (unless it knows), sets its QP to ERROR, frees handle. The slot may live on. */
void conn_end(struct conn *k, unsigned status);
/** A slot, NULL when all are in use by connections that need theirs. */
struct slot *slot_new(void);
void slot_free(struct slot *s);
/** The slot has served, and with it a connection that still has its handle. */
void slot_end(struct slot *s);
/** The peer's MPA frame is complete. */
void cm_request(struct slot *s, const struct mpa *m);
void cm_reply(struct slot *s, const struct mpa *m);
bool cm_port_listens(uint16_t port);
int cm_find_listener(const struct seg *g);

/* ---- cm_tcp.c ---- */
#define RCV_WSCALE 3
#define RCV_WND 0x40000u
void tcp_start_active(struct slot *s);
void tcp_start_passive(const struct seg *g, int listener);
void tcp_input(struct slot *s, const struct seg *g);
void tcp_timeout(struct slot *s, uint64_t now);
/** Sends what is not acknowledged: SYN, data at buf + tx_off, FIN. */
void tcp_output(struct slot *s);
void tcp_ack(const struct slot *s);
void tcp_rst(const struct slot *s);
/** Puts FIN behind what is to be sent. */
void tcp_close(struct slot *s, bool peer_closed);
uint16_t tcp_window(const struct slot *s);

/* ---- cm_hw.c ---- */
void port_set(uint16_t port);
/** Clears the bit of a port that no listener and no slot has any more. */
void port_release(uint16_t port);
/** Fills MAC addresses and VLAN of a path from the L2 entry; returns its IP MTU, 0 when there is none. */
unsigned hw_l2(struct path *p, uint32_t index);
/** Loads the contexts and starts both halves; snd_una, snd_nxt, rcv_nxt of the slot are what the hardware continues with. */
void hw_start(struct slot *s, uint32_t qpn, bool hold, unsigned tos);
/** Takes the connection of the slot out of the hardware; the slot is ready to send. Both halves are in ERROR. */
void hw_take(struct slot *s, struct conn *k);
/** Stops sending new work; the room answers with ACKED. With a Terminate, that is sent last. */
void hw_halt(struct slot *s, struct conn *k, const uint8_t *term, unsigned bytes);
uint32_t hw_rcv_nxt(uint32_t qpn);

#endif
