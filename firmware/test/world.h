/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The world around the management room, as scenarios see it. Two of them exist: world_native.c (firmware compiled for the
 * host, peripherals mocked) and tb/mgmt/fw.c (firmware on its processor in rtl/mgmt). Same scenarios, same outcome.
 */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "fw.h"

#define HOST_BYTES 0x40000
#define HOST_BASE 0x123400000ull
extern uint8_t host_mem[HOST_BYTES];
extern bool world_bus_error; /* host reads fail */

/* Rooms: 64-byte contexts of QP_TX (value slots from 0x8000 on are kept apart), RX, CONN, L2T, TPT, CQ, EQ, L2Q; words of DB, STEER. */
#define ROOM_CTX 64
extern uint32_t room_ctx[16][ROOM_CTX][16];
extern uint32_t room_steer[0x2020 / 4], room_db[3][ROOM_CTX], path_srq[64][2]; /* SRQ_CTRL, SRQ_LIMIT as written last */
extern unsigned path_resumes[ROOM_CTX];
extern int room_dead;         /* a room that does not answer, -1 none */
extern unsigned room_commits; /* commits so far */
extern bool room_hold;        /* DRAINED waits for room_release() */
extern bool room_cq_full;     /* what is unread of a CQ does not fit in another ring */
extern bool room_unbinds;     /* the last window goes when a commit of its region was refused */
extern bool room_conn_full;   /* the look-up has no room for a connection */
void room_release(void);
extern unsigned room_polls;   /* bus reads since the last heartbeat (native) */
extern unsigned room_drains[16];

uint32_t world_reg_read(uint32_t off);
void world_reg_write(uint32_t off, uint32_t value);
extern void (*world_on_index)(void); /* called when firmware looks how far the admin queue goes (native) */
/** Runs until the firmware sleeps with nothing to do. */
void world_run(void);
/** Lets time pass, then runs. */
void world_advance(uint64_t ns);
/** Goes on by a cycle, or if all is quiet to the next deadline, but not past until. */
void world_step(uint64_t until);
uint64_t world_now(void);
void world_frame_in(const void *frame, unsigned len, unsigned qpn);
void world_event_in(const uint32_t ev[16]);
/** Cycles in which the processor did not sleep; 0 in the native world. */
extern uint32_t room_port_ctrl; /* room PORT */
extern uint32_t world_features;  /* register FEATURES (native) */
extern uint32_t world_cq_ring;   /* register CAP_CQ_RING (native) */
extern const bool world_quick; /* a thousand commands take no time */
uint64_t world_cycle(void);
void world_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void world_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
uint32_t world_rand(void);
/** A group of checks has ended: says whether it passed. */
void world_case(const char *name);

/* path.c: the rooms of the data path, and how a scenario sees them. */
#define HOMES_BASE 0x4000000000ull /* a chunk: host memory of its own */
extern bool path_events_invented; /* events come that no room has reason for */
extern unsigned path_refuse;  /* so many of the next HOLD and CREATE are refused */
extern bool path_full;        /* the queue of commands stands still, and is full */
extern unsigned path_away;      /* one command in that many, of those for a connection that is away, comes back; 0: none */
extern unsigned path_backs;     /* ... so many did */
extern bool path_stuck;        /* commands that bring a connection in stay in the queue */
extern bool path_mute;        /* DRAIN and SAVE are done and not answered */
extern unsigned path_records; /* firmware's records that were read */
extern unsigned path_errs;    /* qp was sent to ERROR */
/** It goes to its home, if it is not there. */
void path_leave(unsigned qpn);
/** The connection is lost, as when its home cannot be read; with the event, or without. */
void path_lose(unsigned qpn, bool told);
extern unsigned path_pinned; /* one save in that many finds its connection in use; 0: none */
/** Not one of this path's registers: false. */
bool path_read(unsigned room, uint32_t off, uint32_t *v, bool *err);
bool path_write(unsigned room, uint32_t off, uint32_t v, bool *err);
/** A frame comes in: true if a connection of the hardware takes it. */
bool path_frame(const uint8_t *f, unsigned len);
/** A frame of firmware: true if it is to the own address; it comes in, then, and counts. */
bool path_turns(const uint8_t *f, unsigned len);
extern unsigned path_turned;
extern unsigned path_late; /* so many of the next frames were looked up before there was a connection: firmware gets them */
/** The rooms go on; false: they are at rest. */
bool path_tick(void);
/** Host memory of the path, NULL: not there. */
uint8_t *path_host(uint64_t at, unsigned n);
/** States of both halves (enum qp_state). */
unsigned path_tx(unsigned qpn), path_markers(unsigned qpn), path_rx(unsigned qpn);
void path_set_tx(unsigned qpn, unsigned state);
/** State of tcp (enum tcp_state). */
unsigned path_tcp(unsigned qpn);
/** The look-up has an entry of it. */
bool path_look(unsigned qpn);
/** The card has a connection of this number. */
bool path_there(unsigned qpn);
/** QP_CREATE was taken: its home is that, and nothing else. Failures are told. */
void path_made(const uint32_t *cmd);
/** What firmware has handed over; snd, rcv: sequence numbers of the next byte either way. All lines of the home. Failures are told. */
struct path_want {
	unsigned qpn, lport, pport, tos, ord, ird;
	uint32_t snd, rcv, wnd; /* wnd: of the peer, in bytes */
	bool hold, crc, markers, ts, sack, ipv6;
	unsigned weft; /* what the peer promised: bit 0 to acknowledge soon, bit 1 that it is aligned */
	const uint8_t *local, *peer; /* 16 bytes */
};
void path_expect(const struct path_want *w);
/** Line 7 says that it receives from that shared queue. */
bool path_srq_of(unsigned qpn, unsigned srqn, uint32_t pd);
/** The peer has everything up to seq. */
void path_una(unsigned qpn, uint32_t seq);
/** ... and that is all that the halted connection had to send. */
void path_acked(unsigned qpn);
/** Something good of that many bytes has come. */
void path_got(unsigned qpn, unsigned bytes);
/** What a connection has done: bytes acknowledged and taken; Sends and requests to read, of this side and of the peer. */
void path_counts(unsigned qpn, const uint64_t n[6]);
/** After a Terminate was asked for: its bytes. */
const uint8_t *path_terminate(unsigned qpn);
/** The driver's part before the first queue pair; cmd runs an admin command. */
void path_start(unsigned (*cmd)(uint32_t *c, unsigned op), uint32_t *rsp);

/* Called by the world. */
void on_frame(const uint8_t *frame, unsigned len);
void on_event(unsigned eqn, const uint32_t eqe[16]);
void on_irq(unsigned vector);

/* rooms.c */
uint32_t room_read(unsigned room, uint32_t off, bool *err);
void room_write(unsigned room, uint32_t off, uint32_t value, bool *err);

/** All scenarios, from a card whose firmware is READY. */
void scenarios(void);
/** rate SYN a second from anywhere, and a connection each way in the middle of them: up within two seconds. */
void scenario_flood(unsigned rate);
/** Rings for a NOP and returns. */
void scenario_post_nop(void);
unsigned scenario_stats(void);
/** Name and mean cycles of the i-th thing that was done; NULL: not done, "": there are no more. */
const char *scenario_cost(unsigned i, unsigned *cycles);

#endif
