// SPDX-License-Identifier: BSD-2-Clause
/* Admin queue: fetches commands, checks and runs them, answers. Layouts: weft_abi.h, admin_*. */
#include "cm.h"
#include "dp.h"
#include "fw.h"
#include "objects.h"

#define BATCH 4
#define ROUNDS 4 /* batches, then it is the turn of events, frames and timers: who asks as fast as he is answered stops nobody */

static struct {
	uint64_t sq, cq;
	uint32_t mask;
	uint16_t head, tail; /* next command to take, next response to write */
	bool on;
} aq;
static uint32_t seed[8];
static uint32_t cmds[BATCH][16], rsp[16];
uint64_t admin_cm_buf;

uint64_t admin_seed(unsigned i) { return (uint64_t)seed[2 * i + 1] << 32 | seed[2 * i]; }

void admin_restart(void)
{
	uint32_t log2 = hw_bar0(WEFT_REG_ADMIN_LOG2);

	aq.on = log2 >= 1 && log2 <= 8;
	aq.sq = (uint64_t)hw_bar0(WEFT_REG_ADMIN_SQ_HI) << 32 | hw_bar0(WEFT_REG_ADMIN_SQ_LO);
	aq.cq = (uint64_t)hw_bar0(WEFT_REG_ADMIN_CQ_HI) << 32 | hw_bar0(WEFT_REG_ADMIN_CQ_LO);
	aq.mask = aq.on ? (1u << log2) - 1 : 0;
	aq.head = aq.tail = 0;
	objects_forget();
	cm_forget();
}

static void respond(unsigned op, unsigned tag, unsigned status)
{
	uint32_t vector = hw_bar0(WEFT_REG_ADMIN_VECTOR);

	if (!aq.on) return;
	rsp[0] = AT(0, WEFT_ADMIN_RSP_OP, op) | AT(0, WEFT_ADMIN_RSP_STATUS, status) | AT(0, WEFT_ADMIN_RSP_TAG, tag);
	rsp[15] = AT(15, WEFT_ADMIN_RSP_PHASE, !(aq.tail & (aq.mask + 1)));
	hw_dma_write(aq.cq + (aq.tail & aq.mask) * 64, rsp, 64);
	aq.tail++;
	if (vector != 0xffff) hw_irq(vector);
}

uint32_t *admin_response(void)
{
	clear64(rsp);
	return rsp;
}

void admin_finish(unsigned op, unsigned tag, unsigned status) { respond(op, tag, status); }

static unsigned init(const uint32_t *c)
{
	/* Seed and key are those of the connections that are open. */
	if (cm_busy()) return WEFT_ADMIN_STATUS_BAD_STATE;
	if (GET64(c, WEFT_ADMIN_INIT_CM_BUF) & 63) return admin_bad(rsp, WEFT_ADMIN_INIT_CM_BUF_OFF);
	events_posted = 0;
	tcp_rekey();
	memcpy(seed, BYTES(c, WEFT_ADMIN_INIT_SEED), sizeof(seed));
	admin_cm_buf = GET64(c, WEFT_ADMIN_INIT_CM_BUF);
	hw_rto(GET(c, WEFT_ADMIN_INIT_MIN_RTO_US), (uint8_t)GET(c, WEFT_ADMIN_INIT_MAX_RETRIES));
	dp_init(c, rsp);
	hw_cfg_write(WEFT_ROOM_STEER, WEFT_STEER_KEY_LO, seed[6]);
	hw_cfg_write(WEFT_ROOM_STEER, WEFT_STEER_KEY_HI, seed[7]);
	return WEFT_ADMIN_STATUS_OK;
}

uint64_t admin_buf(unsigned tag) { return admin_cm_buf + (tag & aq.mask) * WEFT_ADMIN_CM_BUF_BYTES; }

static unsigned run(const uint32_t *c, unsigned tag)
{
	switch (GET(c, WEFT_ADMIN_CMD_OP)) {
	case WEFT_ADMIN_OP_NOP: return WEFT_ADMIN_STATUS_OK;
	case WEFT_ADMIN_OP_INIT: return init(c);
	case WEFT_ADMIN_OP_EQ_CREATE: return eq_create(c, rsp);
	case WEFT_ADMIN_OP_EQ_DESTROY: return eq_destroy(c, rsp, tag);
	case WEFT_ADMIN_OP_CQ_CREATE: return cq_create(c, rsp);
	case WEFT_ADMIN_OP_CQ_DESTROY: return cq_destroy(c, rsp, tag);
	case WEFT_ADMIN_OP_CQ_RESIZE: return cq_resize(c, rsp, tag);
	case WEFT_ADMIN_OP_CQ_MODERATE: return cq_moderate(c);
	case WEFT_ADMIN_OP_QP_CREATE: return qp_create(c, rsp);
	case WEFT_ADMIN_OP_QP_DESTROY: return qp_destroy(c, rsp, tag);
	case WEFT_ADMIN_OP_QP_ERROR: return qp_error(c, rsp);
	case WEFT_ADMIN_OP_QP_QUERY:
	case WEFT_ADMIN_OP_QP_COUNTS: return qp_query(c, rsp, tag);
	case WEFT_ADMIN_OP_SRQ_CREATE: return srq_create(c, rsp);
	case WEFT_ADMIN_OP_SRQ_MODIFY: return srq_modify(c, rsp);
	case WEFT_ADMIN_OP_SRQ_DESTROY: return srq_destroy(c, rsp);
	case WEFT_ADMIN_OP_SRQ_QUERY: return srq_query(c, rsp);
	case WEFT_ADMIN_OP_MR_SET: return mr_set(c, rsp, tag);
	case WEFT_ADMIN_OP_L2_SET: return l2_set(c, rsp);
	case WEFT_ADMIN_OP_STATS: return stats(c, rsp);
	case WEFT_ADMIN_OP_PORT_READ:
	case WEFT_ADMIN_OP_PORT_WRITE: return port(c, rsp);
	case WEFT_ADMIN_OP_L2_RING: return l2_ring(c, rsp, tag);
	case WEFT_ADMIN_OP_MAC_SET: return mac_set(c, rsp);
	case WEFT_ADMIN_OP_LISTEN: return cm_listen(c, rsp);
	case WEFT_ADMIN_OP_UNLISTEN: return cm_unlisten(c, rsp);
	case WEFT_ADMIN_OP_CONNECT: return cm_connect(c, rsp, tag);
	case WEFT_ADMIN_OP_ACCEPT: return cm_accept(c, rsp, tag);
	case WEFT_ADMIN_OP_REJECT: return cm_reject(c, rsp, tag);
	case WEFT_ADMIN_OP_DISCONNECT: return cm_disconnect(c, rsp);
	case WEFT_ADMIN_OP_ABORT: return cm_abort(c, rsp);
	case WEFT_ADMIN_OP_LOCAL_ADDR: return cm_local_addr(c, rsp);
	case WEFT_ADMIN_OP_CM_QUERY: return cm_state(c, rsp, tag);
	case WEFT_ADMIN_OP_QUERY_CONN: return cm_query(c, rsp, tag);
	default: return dp_admin(c, rsp);
	}
}

bool admin_run(void)
{
	if (!aq.on) return false;
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint16_t n = (uint16_t)(hw_admin_index() - aq.head);
		unsigned at = aq.head & aq.mask, got = n, number;

		hw_heartbeat(); /* commands may come as fast as they are answered */
		/* An index further ahead than the ring is long is nonsense of the driver: take what is there. */
		if (got > aq.mask + 1) got = aq.mask + 1;
		if (!got) return false;
		if (got > BATCH) got = BATCH;
		if (got > aq.mask + 1 - at) got = aq.mask + 1 - at;
		number = hw_dma_begin(cmds, aq.sq + at * 64, got * 64, false);
		admin_response(); /* of the first command, while it comes */
		if (!hw_dma_end(number)) {
			/* Nothing is known of these commands, not even their tags. */
			for (unsigned i = 0; i < got; i++) {
				admin_response();
				admin_finish(0xff, 0xffff, WEFT_ADMIN_STATUS_DMA);
			}
			aq.head = (uint16_t)(aq.head + got);
			continue;
		}
		aq.head = (uint16_t)(aq.head + got);
		for (unsigned i = 0; i < got; i++) {
			unsigned tag = GET(cmds[i], WEFT_ADMIN_CMD_TAG), status;

			if (i) admin_response();
			hw_note_command(GET(cmds[i], WEFT_ADMIN_CMD_OP), tag);
			(void)hw_cfg_failed(); /* what went wrong before is not this command's */
			status = run(cmds[i], tag);
			if (status == ADMIN_LATER) continue;
			if (hw_cfg_failed() && status == WEFT_ADMIN_STATUS_OK) status = WEFT_ADMIN_STATUS_HARDWARE;
			respond(GET(cmds[i], WEFT_ADMIN_CMD_OP), tag, status);
		}
	}
	return true;
}
