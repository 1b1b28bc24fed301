/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lockstep harness: two cards, the wire between them and a scripted host on each side, in one
 * process, driven cycle by cycle. The same options and calls give the same trace, bit by bit.
 *
 * The script is straight C. Calls that need the cards to do something (read a register, run an
 * admin command, wait for a completion) turn the crank of everything until it has happened; all
 * others take no time. A call that cannot end (no answer within LS_PATIENCE cycles) or that finds
 * a broken rule calls ls_fail, which prints where the simulation stands and ends the process.
 *
 * README.md has a tour.
 */
#ifndef WEFT_LOCKSTEP_H
#define WEFT_LOCKSTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../nic/adversary.h"
#include "../nic/node.h"
#include "../wire/impair.h"
#include "bits.h"

/* Clocked cycles that a blocking call waits before it fails (and 10,000 times as many of simulated
 * time, for time-outs of TCP); ls_patience changes it. */
#define LS_PATIENCE 2000000u

struct lockstep;
struct ls_host;

/* ------------------------------------------------------------------ the whole */

struct ls_options {
	uint64_t seed;             /* of hosts, wire, data and everything random */
	uint32_t clock_ps;         /* clock period in picoseconds; 0: 4000 (250 MHz) */
	const char *wire;          /* impairment settings of both directions; NULL: none */
	const char *adversary;     /* of both hosts; NULL: friendly and fast */
	const char *pcap;          /* capture file, times are simulated; NULL: none */
	const char *record;        /* directory for recordings a.rec, b.rec; NULL: none */
	const char *trace;         /* directory for waves a.fst, b.fst; NULL: none */
	size_t memory_bytes;       /* of each host; 0: 64 MiB */
	uint8_t ring_shift;        /* pages of receive rings are of 4 KiB << this: of connections without firmware */
	uint8_t mps, mrrs;         /* encoded, 128 << n; ls_defaults: 1 (256), 2 (512) */
	bool no_fast_forward;      /* clock idle cores too, instead of jumping to the next deadline */
};

/* seed 1, MPS 256, MRRS 512, extended tags, then what the command line says:
 * --seed N --wire S --adversary S --pcap FILE --record DIR --trace DIR; unknown options fail. */
struct ls_options ls_defaults(int argc, char **argv);

/* Both cards out of reset, bus mastering and MSI-X on, links up. */
struct lockstep *ls_new(const struct ls_options *o);
void ls_free(struct lockstep *ls);

/* Host 0 ("a") or 1 ("b"). */
struct ls_host *ls_host(struct lockstep *ls, unsigned int index);

uint64_t ls_cycles(const struct lockstep *ls); /* cycles run since the start */
uint64_t ls_now_ns(const struct lockstep *ls); /* simulated time */
uint64_t ls_random(struct lockstep *ls);       /* for scripts; seeded */
/* Hash over every beat that the cards gave out so far, with its cycle. */
uint64_t ls_trace_hash(const struct lockstep *ls);
void ls_patience(struct lockstep *ls, uint64_t cycles);

void ls_run(struct lockstep *ls, uint64_t cycles);
/* Until `done` says so (asked after every cycle); false when `cycles` have passed before. */
bool ls_run_until(struct lockstep *ls, bool (*done)(void *arg), void *arg, uint64_t cycles);
/* Called after every cycle from now on, whatever call it is that lasts; NULL: no more. It may make calls that take no time. */
void ls_watch(struct lockstep *ls, void (*fn)(void *arg), void *arg);
/* Until neither card has anything to do now; timers may be waiting. False as above. */
bool ls_settle(struct lockstep *ls, uint64_t cycles);

_Noreturn void ls_fail(struct lockstep *ls, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
#define LS_CHECK(ls, condition)                                                      \
	do {                                                                         \
		if (!(condition))                                                    \
			ls_fail(ls, "%s:%d: %s", __FILE__, __LINE__, #condition);    \
	} while (0)

/* ------------------------------------------------------------------ the wire */

const char *ls_wire_set(struct lockstep *ls, const char *settings); /* NULL or a reason */
const struct impair_stats *ls_wire_stats(const struct lockstep *ls, unsigned int from);
/* PAUSE: the MAC of this host takes nothing from its card, until it is taken back. */
void ls_pause(struct ls_host *h, bool on);
/* Called for every frame that host `from` sends, before the impairments; may change its bytes.
 * False drops it. */
typedef bool (*ls_wire_fn)(void *arg, unsigned int from, uint8_t *frame, size_t len);
void ls_wire_hook(struct lockstep *ls, ls_wire_fn fn, void *arg);
/* A frame out of nowhere, to one card; it takes no impairments. `bad`: the MAC found it bad. */
void ls_wire_inject(struct lockstep *ls, unsigned int to, const uint8_t *frame, size_t len, bool bad);

/* ------------------------------------------------------------------ a host */

struct ls_host_stats {
	uint64_t interrupts;       /* all vectors */
	uint64_t bad_reads;        /* DMA where there is no memory: answered UR, */
	uint64_t bad_writes;       /* or dropped */
	uint64_t judged, verdicts; /* DMA accesses, those that were not the card's to make (ls_judge) */
	uint64_t faults;           /* rules of PCIe that the card broke: the first ends the run */
};

struct lockstep *ls_of(struct ls_host *h);
unsigned int ls_index(const struct ls_host *h);
struct node *ls_node(struct ls_host *h);
struct weft_rc *ls_rc(struct ls_host *h);
const struct ls_host_stats *ls_host_stats(const struct ls_host *h);
uint64_t ls_interrupts(const struct ls_host *h, unsigned int vector);
uint64_t ls_mac(const struct ls_host *h);
void ls_link(struct ls_host *h, bool up);
void ls_flr(struct ls_host *h);

/* Host memory, whole 4-KiB pages, zeroed, at a random place below or above 4 GiB with unmapped
 * pages around it. `p` is the memory itself; the card sees a store at once. */
struct ls_mem {
	uint64_t bus;
	uint8_t *p;
	size_t bytes;
};
struct ls_mem ls_alloc(struct ls_host *h, size_t bytes);
struct ls_mem ls_alloc_aligned(struct ls_host *h, size_t bytes, uint64_t align);
void ls_release(struct ls_host *h, struct ls_mem *m);
/* Memory behind a bus address, NULL when any of it is not allocated or not contiguous. */
uint8_t *ls_memory(struct ls_host *h, uint64_t bus, size_t bytes);

/*
 * Whose memory it is. Each access of the card is judged in the cycle in which it touches memory: its bytes must be the card's,
 * for reading or for writing. Anything else ends the run with a message that says what, where, and whose it was.
 *
 * Queues, page lists and regions of the calls below are given byte by byte and direction by direction, and taken back when they
 * are destroyed. What comes from ls_alloc is the card's for both until it is released or the script gives parts of it.
 * What the card wrote before it was taken back counts by the moment at which it reached memory.
 */
enum { LS_CARD_READS = 1, LS_CARD_WRITES = 2 };
/* Bytes [from, from + bytes) of m are the card's now, `format` names them. The first one of a piece ends what ls_alloc gave. */
void ls_give(struct ls_host *h, const struct ls_mem *m, size_t from, size_t bytes, unsigned int rights, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
/* They are the host's again, and so is the whole of every grant that they touch; `format` says why. */
void ls_take_back(struct ls_host *h, const struct ls_mem *m, size_t from, size_t bytes, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Nothing is the card's any more. */
void ls_take_back_all(struct ls_host *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct ls_verdict {
	struct ls_host *host;
	uint64_t cycle, address, taken; /* taken: the cycle in which it was taken back, 0: it was not */
	uint32_t bytes;
	bool write;
	char owner[64];                 /* name of the grant that it was or is part of; "": none */
	char text[512];
};
/* True: expected, the run goes on, and the access is done if there is memory. NULL: none is expected. */
typedef bool (*ls_verdict_fn)(void *arg, const struct ls_verdict *v);
void ls_judge(struct lockstep *ls, ls_verdict_fn fn, void *arg);

/* Registers of BAR0, doorbells of BAR2. Writes are posted: they take no time. */
uint32_t ls_reg_read(struct ls_host *h, uint32_t offset);
void ls_reg_write(struct ls_host *h, uint32_t offset, uint32_t value);
void ls_doorbell(struct ls_host *h, uint32_t page, uint32_t offset, uint64_t value);
/* A write of up to 64 bytes to BAR2, one TLP. */
void ls_doorbell_bytes(struct ls_host *h, uint32_t page, uint32_t offset, const void *bytes, uint32_t length);

/* Configuration bus of the card through its debug port. `room` is a WEFT_ROOM_*. */
void ls_cfg_write(struct ls_host *h, unsigned int room, uint32_t offset, uint32_t value);
uint32_t ls_cfg_read(struct ls_host *h, unsigned int room, uint32_t offset);
/* False when the bus answers with an error. */
bool ls_cfg_try(struct ls_host *h, bool we, unsigned int room, uint32_t offset, uint32_t *value);
/* A whole 64-byte entry of a context window. */
void ls_ctx_write(struct ls_host *h, unsigned int room, uint32_t index, const uint8_t entry[64]);
void ls_ctx_read(struct ls_host *h, unsigned int room, uint32_t index, uint8_t entry[64]);
uint64_t ls_stat(struct ls_host *h, unsigned int counter);
/* Prints every counter of both cards that is not 0: where it stands when it stands. */
void ls_print_counters(struct lockstep *ls);

/* Firmware image file (header and code); returns the state that the card reports in the end,
 * WEFT_FW_STATE_*. */
unsigned int ls_load_firmware(struct ls_host *h, const char *path);
/* Admin queue of 2^log2 entries; INIT is not sent. */
void ls_admin_start(struct ls_host *h, unsigned int log2);
/* One command (OP and the rest filled in, TAG is set here), its response into `rsp`. Returns
 * WEFT_ADMIN_STATUS_*. */
unsigned int ls_admin(struct ls_host *h, const uint8_t cmd[64], uint8_t rsp[64]);
/* TAG of the next command. */
uint16_t ls_admin_tag(const struct ls_host *h);
/* What the response to INIT asks for: memory for the homes of the first chunk of queue pairs, and pages for receive rings. */
void ls_admin_give(struct ls_host *h, const uint8_t init_rsp[64]);

/* ------------------------------------------------------------------ verbs
 * These write the card's contexts directly through the debug port: no firmware is needed. Objects
 * are owned by doorbell page `page` of their attributes.
 */

struct ls_mr_attr {
	uint64_t bytes;
	uint32_t stag;        /* 0: one is made up */
	uint8_t access;       /* 1 << WEFT_ACCESS_* */
	uint32_t pd;
	unsigned int page_log2; /* 0: 12 */
	uint32_t fbo;         /* first byte's offset in the first page */
	bool zero_based;      /* TO starts at 0, else at a made-up virtual address */
	bool direct;          /* one contiguous range, no page list */
	bool invalid;         /* leave it in state INVALID */
	uint32_t qpn;         /* the QP that owns it: LOCAL_INV and the peer's Send with Invalidate are allowed; 0: none */
};
struct ls_mr {
	struct ls_host *host;
	uint32_t stag;
	uint64_t to, bytes;
	struct ls_mr_attr attr;
	struct ls_mem list, *pages;
	unsigned int page_count;
};
struct ls_mr *ls_mr_create(struct ls_host *h, const struct ls_mr_attr *attr);
/* State of the entry, WEFT_TPT_STATE_*. The memory stays the card's: nobody says here when the card has done with it. */
void ls_mr_state(struct ls_mr *mr, unsigned int state);
void ls_mr_destroy(struct ls_mr *mr);
/* The card has said that it is done with it: region and page list are the host's again. `why` is for messages. */
void ls_mr_take_back(struct ls_mr *mr, const char *why);
/* Bytes [offset, offset + len) of the region. */
void ls_mr_put(struct ls_mr *mr, uint64_t offset, const void *bytes, size_t len);
void ls_mr_get(struct ls_mr *mr, uint64_t offset, void *bytes, size_t len);
/* A pattern that depends on seed and offset; ls_mr_check fails at the first byte that differs. */
void ls_mr_fill(struct ls_mr *mr, uint64_t offset, uint64_t len, uint64_t seed);
void ls_mr_check(struct ls_mr *mr, uint64_t offset, uint64_t len, uint64_t seed);
bool ls_mr_same(struct ls_mr *mr, uint64_t offset, uint64_t len, uint64_t seed);

struct ls_eq;
struct ls_eq *ls_eq_create(struct ls_host *h, unsigned int log2, uint16_t vector);
uint8_t ls_eq_number(const struct ls_eq *eq);
/* Next event into `eqe`; false when there is none now. */
bool ls_eq_poll(struct ls_eq *eq, uint8_t eqe[64]);
/* Write the consumer index and arm (WEFT_ARM_*). */
void ls_eq_arm(struct ls_eq *eq, unsigned int arm);

struct ls_wc {
	uint32_t qpn;
	uint8_t opcode, status; /* WEFT_WC_OPCODE_*, WEFT_WC_STATUS_* */
	uint16_t index;
	uint32_t bytes, inv_stag /* RECV_IMM: the immediate */, vendor_err;
	bool solicited;
	uint64_t cycle;         /* when the poll found it */
};
struct ls_cq;
struct ls_cq *ls_cq_create(struct ls_host *h, unsigned int log2, struct ls_eq *eq, uint32_t page);
uint16_t ls_cq_number(const struct ls_cq *cq);
bool ls_cq_poll(struct ls_cq *cq, struct ls_wc *wc);
/* Waits for the next completion. */
struct ls_wc ls_cq_wait(struct ls_cq *cq);
void ls_cq_arm(struct ls_cq *cq, unsigned int arm);
struct ls_mem ls_cq_memory(const struct ls_cq *cq);
void ls_cq_take_back(struct ls_cq *cq, const char *why);

struct ls_qp_attr {
	unsigned int sq_log2, rq_log2;     /* 0: 6 */
	unsigned int sq_stride, rq_stride; /* WEFT_STRIDE_*; 0 is 64 bytes */
	struct ls_cq *scq, *rcq;
	uint32_t qpn;                      /* 0: the next free one */
	uint32_t pd, page;
	uint8_t access;                    /* remote rights of the QP */
	uint8_t ird, ord;                  /* 0: 8, or what the card has */
	bool privileged;
};
struct ls_qp;
struct ls_qp *ls_qp_create(struct ls_host *h, const struct ls_qp_attr *attr);
uint32_t ls_qpn(const struct ls_qp *qp);
/* Rings, for admin commands. */
struct ls_mem ls_qp_sq(const struct ls_qp *qp), ls_qp_rq(const struct ls_qp *qp);
void ls_qp_take_back(struct ls_qp *qp, const char *why);

struct ls_link_attr {
	unsigned int mtu;          /* IP MTU; 0: 1500 */
	bool ipv6, vlan, no_crc;
	bool sack;                 /* SACK was agreed on */
	bool no_hold;              /* b may send before a's first FPDU came in */
	uint32_t window;           /* receive window, bytes; 0: 256 KiB */
	uint32_t cwnd;             /* bytes; 0: the initial window */
	unsigned int mss;          /* 0: from the MTU */
	uint32_t a_isn, b_isn;     /* next sequence number of each side; 0: made up */
};
/* Both QPs to RTS, as if a had connected to b; NULL: defaults. Homes are written, and the connections are
 * away. The card acknowledges bytes when they are stored in a receive ring, so an acknowledged Write may still be on its way to memory. */
void ls_connect(struct ls_qp *a, struct ls_qp *b, const struct ls_link_attr *attr);
/* Both halves to a state, WEFT_QP_STATE_*. */
void ls_qp_state(struct ls_qp *qp, unsigned int state);

struct ls_sge {
	const struct ls_mr *mr; /* or lkey and addr as they are */
	uint64_t offset;        /* in the region; without mr: the address */
	uint32_t length;
	uint32_t lkey;
};
struct ls_send {
	uint8_t opcode; /* WEFT_SQ_OPCODE_* */
	bool signaled, solicited, read_fence, local_fence;
	const void *inline_bytes; /* not NULL: LENGTH bytes of it, no SGEs */
	uint32_t inline_length;
	unsigned int num_sge;
	struct ls_sge sge[14];
	uint32_t rstag; /* remote */
	uint64_t raddr;
	uint32_t imm;
};
/* Write a WQE; returns its index. The doorbell rings with ls_ring_*, once for many. Fails when the
 * queue is full (by completions that ls_cq_poll has seen). */
uint16_t ls_post_send(struct ls_qp *qp, const struct ls_send *wr);
uint16_t ls_post_recv(struct ls_qp *qp, const struct ls_sge *sge, unsigned int num_sge);
void ls_ring_sq(struct ls_qp *qp);
/* Rings with the last WQE, in a push line; it comes in two pieces when torn is not 0, the first of so many bytes (8, 16, ... 56). */
void ls_push_sq(struct ls_qp *qp, uint32_t torn);
void ls_ring_rq(struct ls_qp *qp);
/* Both in one write, as a processor may combine them; with FEATURES PUSH only. */
void ls_ring_both(struct ls_qp *qp);
/* The slot of a WQE, to break it before the doorbell rings. */
uint8_t *ls_sq_slot(struct ls_qp *qp, uint16_t index);
uint8_t *ls_rq_slot(struct ls_qp *qp, uint16_t index);

/* Post one, ring, and wait for its completion on the send CQ, which must be the next there. */
struct ls_wc ls_write(struct ls_qp *qp, struct ls_mr *from, uint64_t from_offset, struct ls_mr *to,
		      uint64_t to_offset, uint32_t length);
struct ls_wc ls_read(struct ls_qp *qp, struct ls_mr *into, uint64_t into_offset, struct ls_mr *from,
		     uint64_t from_offset, uint32_t length);

#endif
