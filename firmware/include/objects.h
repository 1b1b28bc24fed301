/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Objects behind the admin commands: queues, regions, L2 entries. Their state lives in the rooms' contexts; firmware keeps
 * a few bytes per queue pair. A handler gets the command and the response to fill, and returns enum admin_status, or
 * ADMIN_LATER when it kept the tag.
 */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "dp_conf.h"
#include "fw.h"


enum qp_flag { QP_EXISTS = 1, QP_ERR = 2, QP_DYING = 4, QP_SRQ = 8, QP_SRQN_LSB = 8 };
struct qp {
	uint16_t conn, flags; /* the SRQN, if QP_SRQ, from QP_SRQN_LSB on */
};
/** It exists no longer. */
void qp_gone(uint32_t qpn);
struct qp *qp_at(uint32_t qpn); /* as conn_at */
extern uint32_t n_qp;
extern uint16_t if_mtu; /* IP MTU offered to peers that connect to us: of MAC_SET; before one, of the last L2_SET; before that 1500 */

void objects_init(void);
void objects_forget(void);
void objects_timers(uint32_t now);
/** The earlier of t and the deadlines of commands that wait, as ticks from now. */
int32_t objects_deadline(uint32_t now, int32_t t);
/** Event DRAINED of a room. */
void objects_drained(unsigned room, uint32_t id);
/** Commands that wait for drain tokens of rooms, one behind the other. */
bool tokens_room(void);
unsigned wait_for_tokens(unsigned op, unsigned tag, uint32_t id);
bool qp_valid(uint32_t qpn);
/** Status BAD_PARAM with DETAIL. */
unsigned admin_bad(uint32_t *rsp, uint32_t off);
/** Host buffer of a connection command. */
uint64_t admin_buf(unsigned tag);
extern bool eq0_exists;

unsigned eq_create(const uint32_t *c, uint32_t *rsp);
unsigned eq_destroy(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned cq_create(const uint32_t *c, uint32_t *rsp);
unsigned cq_destroy(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned cq_moderate(const uint32_t *c);
unsigned cq_resize(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned qp_create(const uint32_t *c, uint32_t *rsp);
unsigned qp_destroy(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned qp_error(const uint32_t *c, uint32_t *rsp);
unsigned qp_query(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned srq_create(const uint32_t *c, uint32_t *rsp);
unsigned srq_modify(const uint32_t *c, uint32_t *rsp);
unsigned srq_query(const uint32_t *c, uint32_t *rsp);
unsigned srq_destroy(const uint32_t *c, uint32_t *rsp);
bool srq_exists(uint32_t id);
/** A queue pair has it; it has it no longer. */
void srq_use(uint32_t id);
void srq_unuse(uint32_t id);
/** Event SRQ_LIMIT of room RX. */
void srq_limit(uint32_t id);
/** The queue pair is in ERROR, and nothing that it took is under way: event LAST_WQE, if its receive queue is shared. */
void srq_last(uint32_t qpn);
unsigned mr_set(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned l2_set(const uint32_t *c, uint32_t *rsp);
unsigned stats(const uint32_t *c, uint32_t *rsp);
unsigned port(const uint32_t *c, uint32_t *rsp); /* PORT_READ, PORT_WRITE */
unsigned l2_ring(const uint32_t *c, uint32_t *rsp, unsigned tag);
unsigned mac_set(const uint32_t *c, uint32_t *rsp);

#endif
