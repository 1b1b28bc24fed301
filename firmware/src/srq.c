// SPDX-License-Identifier: BSD-2-Clause
/* Shared receive queues: which exist, and how many queue pairs have each; all else is in room RX. */
#include "dp.h"
#include "fw.h"
#include "objects.h"

#define MAX_SRQ 64
#define KIND_SRQ 2u /* of owners in room DB */

static uint32_t users[MAX_SRQ]; /* 0: there is none; else one more than the queue pairs that have it */
_Static_assert(MAX_QP < 1ull << 8 * sizeof(users[0]), "all queue pairs may have the same one");

static uint32_t n_srq(void)
{
	uint32_t n = hw_bar0(WEFT_REG_CAP_SRQ);

	return n < MAX_SRQ ? n : MAX_SRQ;
}

static void reg(uint32_t id, uint32_t at, uint32_t value) { hw_cfg_write(WEFT_ROOM_RX, id << 3 | at, value); }
static void owner(uint32_t id, uint32_t value) { hw_cfg_write(WEFT_ROOM_DB, KIND_SRQ << 18 | id << 2, value); }

unsigned srq_create(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_SRQ_ID), log2 = GET(c, WEFT_ADMIN_SRQ_LOG2), page = GET(c, WEFT_ADMIN_SRQ_DB_PAGE);

	if (id >= n_srq()) return admin_bad(rsp, WEFT_ADMIN_SRQ_ID_OFF);
	if (log2 > WEFT_RQ_LOG2_MAX) return admin_bad(rsp, WEFT_ADMIN_SRQ_LOG2_OFF);
	if (page >= hw_bar0(WEFT_REG_CAP_DB_PAGES)) return admin_bad(rsp, WEFT_ADMIN_SRQ_DB_PAGE_OFF);
	if (users[id]) return WEFT_ADMIN_STATUS_IN_USE;
	users[id] = 1;
	reg(id, WEFT_SRQ_CTRL, 1u << WEFT_SRQ_CTRL_VALID_LSB | log2 << WEFT_SRQ_CTRL_LOG2_LSB);
	owner(id, 1u << 31 | page);
	SET(rsp, WEFT_ADMIN_RSP_ID, id);
	return WEFT_ADMIN_STATUS_OK;
}

unsigned srq_modify(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_SRQ_ID);

	if (id >= n_srq()) return admin_bad(rsp, WEFT_ADMIN_SRQ_ID_OFF);
	if (!users[id]) return WEFT_ADMIN_STATUS_NOT_FOUND;
	reg(id, WEFT_SRQ_LIMIT, GET(c, WEFT_ADMIN_SRQ_LIMIT));
	return WEFT_ADMIN_STATUS_OK;
}

unsigned srq_query(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_SRQ_ID);

	if (id >= n_srq()) return admin_bad(rsp, WEFT_ADMIN_SRQ_ID_OFF);
	if (!users[id]) return WEFT_ADMIN_STATUS_NOT_FOUND;
	SET(rsp, WEFT_ADMIN_RSP_DETAIL, hw_cfg_read(WEFT_ROOM_RX, id << 3 | WEFT_SRQ_LIMIT));
	return WEFT_ADMIN_STATUS_OK;
}

unsigned srq_destroy(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_SRQ_ID);

	if (id >= n_srq()) return admin_bad(rsp, WEFT_ADMIN_SRQ_ID_OFF);
	if (!users[id]) return WEFT_ADMIN_STATUS_NOT_FOUND;
	if (users[id] > 1) return WEFT_ADMIN_STATUS_IN_USE;
	users[id] = 0;
	owner(id, 0);
	reg(id, WEFT_SRQ_CTRL, 0);
	return WEFT_ADMIN_STATUS_OK;
}

bool srq_exists(uint32_t id) { return id < n_srq() && users[id]; }
void srq_use(uint32_t id) { users[id]++; }
void srq_unuse(uint32_t id) { users[id]--; }

void srq_limit(uint32_t id)
{
	if (srq_exists(id)) event_of(WEFT_EQE_TYPE_SRQ_LIMIT, 0, id, 0); /* else it went meanwhile */
}

void srq_last(uint32_t qpn)
{
	if (qp_at(qpn)->flags & QP_SRQ) event_of(WEFT_EQE_TYPE_LAST_WQE, 0, qpn, 0);
}
