/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cards with firmware, as a driver uses them: set-up, queue pairs by admin commands, events, connections by handshake. Addresses
 * are 10.0.0.1 and 10.0.0.2. A card may be its own peer.
 */
#ifndef WEFT_TB_CARDS_H
#define WEFT_TB_CARDS_H

#include <stdlib.h>
#include <string.h>

#include "lockstep.h"

#define CARD_ADMIN_LOG2 4
#define CARD_EQ_LOG2 8
#define CARD_L2_ENTRY 3
#define CARD_READS 4 /* IRD and ORD */
#define CARD_PORT 7174

struct card {
	struct lockstep *ls;
	struct ls_host *h;
	struct ls_mem eq, cm;
	uint32_t ci;
	bool own; /* the peer is this card; set before card_start */
};

static inline void card_admin(struct card *e, uint8_t c[64], unsigned int op, uint8_t rsp[64])
{
	unsigned int status;

	LS_SET(c, WEFT_ADMIN_CMD_OP, op);
	status = ls_admin(e->h, c, rsp);
	if (status)
		ls_fail(e->ls, "host %u: admin command %u: status %u, detail %u", ls_index(e->h), op, status,
			(unsigned int)LS_GET(rsp, WEFT_ADMIN_RSP_DETAIL));
}

static inline void card_start(struct card *e, struct lockstep *ls, unsigned int i, unsigned int mtu, uint32_t min_rto_us)
{
	uint8_t c[64] = { 0 }, rsp[64];
	uint64_t mac;

	e->ls = ls;
	e->h = ls_host(ls, i);
	LS_CHECK(ls, ls_load_firmware(e->h, getenv("FW") ? getenv("FW") : "build/firmware/weft-fw.bin") == WEFT_FW_STATE_READY);
	ls_admin_start(e->h, CARD_ADMIN_LOG2);
	e->eq = ls_alloc(e->h, 64u << CARD_EQ_LOG2);
	ls_give(e->h, &e->eq, 0, 64u << CARD_EQ_LOG2, LS_CARD_WRITES, "event queue of firmware");
	e->cm = ls_alloc(e->h, WEFT_ADMIN_CM_BUF_BYTES << CARD_ADMIN_LOG2);
	for (unsigned int k = 0; k < 32; k++)
		c[WEFT_ADMIN_INIT_SEED_OFF + k] = (uint8_t)ls_random(ls);
	LS_SET(c, WEFT_ADMIN_INIT_CM_BUF, e->cm.bus);
	LS_SET(c, WEFT_ADMIN_INIT_MIN_RTO_US, min_rto_us);
	card_admin(e, c, WEFT_ADMIN_OP_INIT, rsp);
	ls_admin_give(e->h, rsp);
	memset(c, 0, 64);
	LS_SET(c, WEFT_ADMIN_QUEUE_BASE, e->eq.bus);
	LS_SET(c, WEFT_ADMIN_QUEUE_LOG2, CARD_EQ_LOG2);
	LS_SET(c, WEFT_ADMIN_QUEUE_VECTOR, 0xffff);
	card_admin(e, c, WEFT_ADMIN_OP_EQ_CREATE, rsp);
	memset(c, 0, 64);
	mac = ls_mac(e->h);
	memcpy(c + WEFT_ADMIN_L2_DMAC_OFF, &mac, 6);
	LS_SET(c, WEFT_ADMIN_L2_MTU, mtu);
	card_admin(e, c, WEFT_ADMIN_OP_MAC_SET, rsp);
	memset(c, 0, 64);
	memcpy(c + WEFT_ADMIN_L2_SMAC_OFF, &mac, 6);
	mac = ls_mac(ls_host(ls, e->own ? i : !i));
	memcpy(c + WEFT_ADMIN_L2_DMAC_OFF, &mac, 6);
	LS_SET(c, WEFT_ADMIN_L2_ID, CARD_L2_ENTRY);
	LS_SET(c, WEFT_ADMIN_L2_MTU, mtu);
	LS_SET(c, WEFT_ADMIN_L2_FLAGS, 1);
	card_admin(e, c, WEFT_ADMIN_OP_L2_SET, rsp);
}

/* The queue pair of the harness, with rings of the usual size, made known to firmware; privileged: as a kernel's. */
static inline void card_qp_as(struct card *e, struct ls_qp *qp, struct ls_cq *cq, uint32_t pd, uint32_t page, uint8_t access, bool privileged)
{
	uint8_t c[64] = { 0 }, rsp[64];

	LS_SET(c, WEFT_ADMIN_QP_QPN, ls_qpn(qp));
	LS_SET(c, WEFT_ADMIN_QP_SQ_BASE, ls_qp_sq(qp).bus);
	LS_SET(c, WEFT_ADMIN_QP_RQ_BASE, ls_qp_rq(qp).bus);
	LS_SET(c, WEFT_ADMIN_QP_SQ_LOG2, 6);
	LS_SET(c, WEFT_ADMIN_QP_RQ_LOG2, 6);
	LS_SET(c, WEFT_ADMIN_QP_SCQN, ls_cq_number(cq));
	LS_SET(c, WEFT_ADMIN_QP_RCQN, ls_cq_number(cq));
	LS_SET(c, WEFT_ADMIN_QP_PD, pd);
	LS_SET(c, WEFT_ADMIN_QP_DB_PAGE, page);
	LS_SET(c, WEFT_ADMIN_QP_ACCESS, access);
	LS_SET(c, WEFT_ADMIN_QP_IRD, CARD_READS);
	LS_SET(c, WEFT_ADMIN_QP_ORD, CARD_READS);
	LS_SET(c, WEFT_ADMIN_QP_FLAGS, privileged);
	card_admin(e, c, WEFT_ADMIN_OP_QP_CREATE, rsp);
}

static inline void card_qp(struct card *e, struct ls_qp *qp, struct ls_cq *cq, uint32_t pd, uint32_t page, uint8_t access)
{
	card_qp_as(e, qp, cq, pd, page, access, false);
}

/* A connection command and its buffer, to be sent next. */
static inline void card_cm(struct card *e, uint8_t c[64], uint32_t id, uint32_t qpn)
{
	uint8_t *b = e->cm.p + (ls_admin_tag(e->h) & ((1u << CARD_ADMIN_LOG2) - 1)) * WEFT_ADMIN_CM_BUF_BYTES;
	unsigned int k = ls_index(e->h);
	const uint8_t mine[4] = { 10, 0, 0, (uint8_t)(1 + k) }, other[4] = { 10, 0, 0, (uint8_t)(2 - k) };

	memset(c, 0, 64);
	memset(b, 0, WEFT_ADMIN_CM_BUF_BYTES);
	LS_SET(c, WEFT_ADMIN_CM_ID, id);
	LS_SET(c, WEFT_ADMIN_CM_QPN, qpn);
	LS_SET(c, WEFT_ADMIN_CM_HANDLE, qpn);
	LS_SET(c, WEFT_ADMIN_CM_L2, CARD_L2_ENTRY);
	LS_SET(c, WEFT_ADMIN_CM_FLAGS, 2 | 4);
	LS_SET(c, WEFT_ADMIN_CM_IRD, CARD_READS);
	LS_SET(c, WEFT_ADMIN_CM_ORD, CARD_READS);
	memcpy(c + WEFT_ADMIN_CM_LOCAL_ADDR_OFF, mine, 4);
	memcpy(b, e->own ? mine : other, 4);
}

static inline bool card_arrived(void *arg)
{
	const struct card *e = arg;

	return LS_GET(e->eq.p + 64 * (e->ci & ((1u << CARD_EQ_LOG2) - 1)), WEFT_EQE_PHASE) != (e->ci >> CARD_EQ_LOG2 & 1);
}

/* The next event: its ID. */
static inline uint32_t card_next(struct card *e, unsigned int *kind, unsigned int *code)
{
	const uint8_t *l = e->eq.p + 64 * (e->ci & ((1u << CARD_EQ_LOG2) - 1));

	if (!ls_run_until(e->ls, card_arrived, e, 600000000)) {
		ls_print_counters(e->ls);
		ls_fail(e->ls, "host %u: no event comes", ls_index(e->h));
	}
	*kind = l[0];
	*code = l[1];
	e->ci++;
	ls_doorbell(e->h, 0, WEFT_DB_EQ, (uint64_t)e->ci << 32);
	return (uint32_t)LS_GET(l, WEFT_EQE_ID);
}

/* The next event, which has to be of this kind; its ID. */
static inline uint32_t card_event(struct card *e, unsigned int want)
{
	unsigned int kind, code;
	uint32_t id = card_next(e, &kind, &code);

	if (kind != want || (code != 0 && kind != WEFT_EQE_TYPE_CM_CLOSE))
		ls_fail(e->ls, "host %u: event %u code %u, not %u", ls_index(e->h), kind, code, want);
	return id;
}

/* An event of each end; of one card in any order. */
static inline void card_events(struct card *const e[2], const unsigned int kinds[2], const uint32_t handle[2])
{
	bool seen[2] = { false };

	for (unsigned int i = 0; i < 2; i++) {
		unsigned int kind, code, k = i;
		uint32_t id = card_next(e[i], &kind, &code);

		if (e[0] == e[1])
			k = id == handle[1];
		if (seen[k] || id != handle[k] || kind != kinds[k] || (code != 0 && kind != WEFT_EQE_TYPE_CM_CLOSE))
			ls_fail(e[i]->ls, "host %u: event %u code %u of %u, not %u of %u", ls_index(e[i]->h), kind, code, id, kinds[k], handle[k]);
		seen[k] = true;
	}
}

static inline void card_listen(struct card *e)
{
	uint8_t c[64], rsp[64];

	card_cm(e, c, 0, 0);
	LS_SET(c, WEFT_ADMIN_CM_LOCAL_PORT, CARD_PORT);
	card_admin(e, c, WEFT_ADMIN_OP_LISTEN, rsp);
}

/* A connection from the first card to the second one, which listens. */
static inline void card_join(struct card *const e[2], const struct ls_qp *q0, const struct ls_qp *q1, uint16_t port, uint32_t handle[2])
{
	uint8_t c[64], rsp[64];

	card_cm(e[0], c, 0, ls_qpn(q0));
	LS_SET(c, WEFT_ADMIN_CM_LOCAL_PORT, port);
	LS_SET(c, WEFT_ADMIN_CM_PEER_PORT, CARD_PORT);
	card_admin(e[0], c, WEFT_ADMIN_OP_CONNECT, rsp);
	handle[0] = (uint32_t)LS_GET(rsp, WEFT_ADMIN_RSP_ID);
	handle[1] = card_event(e[1], WEFT_EQE_TYPE_CM_CONNECT_REQUEST);
	card_cm(e[1], c, handle[1], ls_qpn(q1));
	card_admin(e[1], c, WEFT_ADMIN_OP_ACCEPT, rsp);
	card_events(e, (const unsigned int[]){ WEFT_EQE_TYPE_CM_CONNECT_REPLY, WEFT_EQE_TYPE_CM_ESTABLISHED }, handle);
}

#endif
