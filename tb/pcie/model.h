/* SPDX-License-Identifier: BSD-2-Clause */
/* What the clients and the host of weft_pcie expect: shared by the phases of the test. */
#ifndef MODEL_H
#define MODEL_H

#include "rc.h"
#include "tb.h"

#define N_RD 8
#define N_WR 5
#define N_VEC 32
#define P_RD 0
#define P_RSP 8
#define P_WR 16
#define P_IRQ 24
#define P_REG 25
#define P_REG_RSP 26
#define P_DB 27
#define P_STAT 28
#define USED_VEC 16      /* vectors 0..15 are programmed, the others' table entries are scratch */
#define REG_ERR 0xf000   /* registers from here to +0x100 answer with an error */

enum { ST_DB_IGNORED, ST_DROPPED, ST_UR, ST_RD_TLP, ST_NO_TAG, ST_TIMEOUT, ST_CPL_ERR, ST_CPL_BAD, ST_WR_TLP,
       ST_WR_DROPPED, ST_IRQ, ST_IRQ_BAD, ST_N };

extern struct weft_rc *rc;
extern struct weft_rc_cfg *cfg;
extern uint64_t stat_count[ST_N];
extern uint64_t rd_pushed, rd_answered, rd_errors, wr_pushed, wr_accepted, wr_left, host_open, rsp_bytes, wr_bytes;
extern uint64_t want_ignored, want_dropped, want_ur, injected;
extern bool any_err_ok;   /* reads may fail without a reason known here */
extern bool dropping;     /* bus mastering is off: nothing may be written */
extern bool flushing;   /* a reset threw away what was asked for: nothing is checked */
extern bool idle, deadline;
extern uint64_t last_progress;

void model_start(void);
/** A read of a client at a fresh address; len 1..16384. align: log2 of the address alignment. */
void push_read(int client, uint32_t len, bool after_wr, int align);
void push_write(int client, uint32_t len, int align);
void push_irq(unsigned vector);
size_t reads_open(int client);
size_t writes_open(int client);
/** One doorbell; a register write and a read behind it; doorbells that have not come out. */
void host_doorbell(void);
void host_push(void);
/** One write of several doorbells. */
void host_combined(void);
void pushes_seen(void);
void host_register(uint32_t off);
size_t doorbells_open(void);
/** One random access of the host: registers, doorbells, table, nonsense. */
void host_access(void);
/** Fewer register and table writes are under way than the card has to hold. */
bool may_access(void);
void made_accesses(unsigned n);
void mask_vector(unsigned v, bool mask);
bool vector_masked(unsigned v);
/** Interrupts: after the last accepted one of each vector a message came, behind the writes accepted before it. */
bool irqs_served(void);
void check_irqs(void);
/** Forget what clients and host wait for (after a reset). */
void model_forget(void);
/** Read one BAR4 dword; the value lands in *value, *done is set. */
void peek(unsigned bar, uint64_t off, uint32_t *value, bool *done);
uint64_t mem_word(uint64_t addr);

#endif
