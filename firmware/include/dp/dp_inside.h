/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inside the data path's back end (docs/datapath.md, "Home", "Hand-over").
 *
 * A queue pair's attributes lie in its home, from QP_CREATE on; there is none in the card until a connection is handed over (or
 * until the queue pair goes to ERROR without one). Firmware commands room CTX and is told by events; nothing waits for a command.
 */
#ifndef DP_INSIDE_H
#define DP_INSIDE_H

#include "cm.h"
#include "dp.h"
#include "objects.h"

/* Rooms of a command (struct ctx_command). */
enum { R_TCP = 1, R_QP = 2, R_MPA = 4, R_RDMAP = 8 };

enum home_state {
	ST_HOME = 1,    /* it exists in room CTX, or will when what is queued is done */
	ST_LOOK = 2,    /* it has an entry in the look-up */
	ST_KILL = 4,    /* it is stopped, flushed and saved; when that is done: */
	ST_RST = 8,     /* ... the peer gets a reset */
	ST_TW = 16,     /* ... TIME-WAIT begins */
	ST_GO = 32,     /* ... it is destroyed; ST_KILL is set until then */
	ST_TODO = 64,   /* commands have found no place in the queue, or came back: those of ST_KILL, or of ST_UNDO, ST_DEAF, ST_FIN, ST_FLUSH, M_DUE, M_STOP, M_WAKE, M_HALT */
	ST_DEAF = 128,  /* tcp lets go what comes */
	ST_QUERY = 256, /* it is saved for QP_QUERY */
	ST_FLUSH = 512, /* ERROR, so that it flushes; without ST_HOME a home that does is made. Without ST_TODO: that was refused, and is asked for */
	ST_CLOSE = 1024, /* FIN was asked for */
	ST_TERM = 2048, /* a Terminate goes in front of it; there is one at most */
	ST_LAST = 4096, /* the peer closed first */
	ST_HOLD = 8192, /* its MPA reply may be lost: HOLD lasts */
	ST_UNDO = 16384, /* DESTROY of a home that firmware holds */
	ST_FIN = 32768, /* CLOSE */
};
enum home_more {
	M_RTR = 1,  /* the RTR, and RTS, when CREATE or RELEASE is done */
	M_CRC = 2,  /* ... with a CRC */
	M_DUE = 4,  /* ... that is done */
	M_STOP = 8, /* tcp is to stop: TIME-WAIT is firmware's */
	M_BLAME = 0x3f0, /* ST_FLUSH: status and kind of the WQE that the peer refused, in the bits of qp's SET_STATE */
	M_WAKE = 0x400, /* RESUME: its shared receive queue has something */
	M_HALT = 0x800, /* it closes: what halt() asks for */
	M_TERM = 0x1000, /* ... with its Terminate, which no room has yet */
	M_RTS = 0x2000, /* RTS, of one with an RTR */
	M_AGAIN = 0x4000, /* ST_KILL: a command came back, all of them once more behind the answer of SAVE */
	M_MARK = 0x8000, /* M_RTR: with a marker in front */
};
uint16_t *st_at(uint32_t qpn); /* as conn_at; enum home_more stands behind it */
static inline uint16_t *more_at(uint32_t qpn) { return st_at(qpn) + 1; }
/** After INIT. */
void rec_init(void);
/** Copies of these are forgotten: their chunk goes. */
void rec_drop(uint32_t from, uint32_t to);
#define HOME_BYTES 2048u
#define STREAM_ENDS 64 /* SET_STATE of tcp */
#define HOLD_ENDS 32
#define VALUE_ENDS 1024 /* ERR of qp: a Terminate that waits is given up */
/*
 * While HOLD lasts nothing but lines 0 to 7 is in use by the card: the responder's MPA reply waits here for being sent again: length, sequence
 * number, bytes.
 */
#define HOME_REPLY 1024u

/** Bus address of a home; 0: its chunk was not given. */
uint64_t home_at(uint32_t qpn);
/** Reads lines of a home into cm_buffer, at their place. False: a bus error. */
bool home_read(uint32_t qpn, unsigned line, unsigned lines);
static inline uint32_t *home_line(unsigned line) { return cm_buffer + line * 16; }
/*
 * Who keeps a connection away from the card fills the queue with commands that bring it in. HOME_KEPT places are for those that bring nothing in
 * (HOLD, CREATE, RELEASE, DESTROY): nobody's set-up waits for somebody else's close.
 */
#define HOME_KEPT 4u
/** The queue of commands has that many places, and the kept ones, within a bounded time (some milliseconds); or now. */
bool home_room(unsigned n);
bool home_room_now(unsigned n);
/** ... one of the kept ones, for a command that brings nothing in. */
bool home_kept(void);
/** A command for rooms, and one on a home (enum home_op). There is room. */
void home_cmd(uint32_t qpn, unsigned rooms, unsigned op, unsigned arg);
void home_op(uint32_t qpn, unsigned op);
/** Looks up commands: enum look_cmd, enum look_status. */
unsigned home_look(const struct path *p, uint32_t qpn, unsigned cmd);
/** Addresses and ports, TOS and L2 index, from line 0 in cm_buffer. */
void home_path(struct path *p);
/** Takes the connection out of the look-up, if it is there. */
void home_unlook(uint32_t qpn);
/** Stops, flushes, saves a queue pair; why: ST_RST, ST_TW, ST_GO. */
void home_kill(uint32_t qpn, unsigned why);
extern unsigned home_todo; /* queue pairs with ST_TODO */
/** When there is room: what these bits say, or the commands of ST_KILL once more (0). */
void home_later(uint32_t qpn, unsigned what);
/** ... at once if there is room now and nothing waits: one of ST_DEAF, ST_FIN, ST_FLUSH; M_DUE, M_STOP, M_WAKE and M_HALT as well (0). */
void home_soon(uint32_t qpn, unsigned what);
/** Nothing of it is left to do. */
void home_never(uint32_t qpn);
/** Makes a home that flushes, of what QP_CREATE wrote or the card wrote last. There is room for two commands. */
void qp_flushes(uint32_t qpn);
/** CREATE was refused; CREATE or RELEASE is done. */
void live_refused(uint32_t qpn);
void live_begun(uint32_t qpn);
void live_rtr(uint32_t qpn);
/** What a close begins with; term: with the Terminate of the connection. There is room for four commands. */
void live_halt(uint32_t qpn, bool term);
/** SAVE found none. False: there is no connection either. */
bool live_lost(uint32_t qpn);
/** A home is saved, for QP_QUERY; held. */
void qp_saved(uint32_t qpn, bool ok);
void live_held(uint32_t qpn, bool ok);
void qp_destroyed(uint32_t qpn, bool ok);
void live_serve(void);
void live_init(void);
int32_t live_deadline(uint32_t now, int32_t t);
bool home_event(const uint32_t *ev);
/** No access goes by an entry any more that was taken back by this commit, or an earlier one. */
void mr_drained(uint32_t upto);
void qp_timers(uint32_t now);
int32_t qp_deadline(uint32_t now, int32_t t);

#endif
