// SPDX-License-Identifier: BSD-2-Clause
/* Queue pairs of the first data path: contexts of the rooms QP_TX and RX, and their drain tokens. */
#include "dp1.h"

#define w ctx_work

void qp_set_state(uint32_t qpn, unsigned tx, unsigned rx)
{
	ctx_command(WEFT_ROOM_QP_TX, qpn, tx, WEFT_CTX_CMD_SET_STATE);
	ctx_command(WEFT_ROOM_RX, qpn, rx, WEFT_CTX_CMD_SET_STATE);
}

unsigned dp_qp_create(const uint32_t *c, uint32_t qpn)
{
	uint32_t slog = GET(c, WEFT_ADMIN_QP_SQ_LOG2), rlog = GET(c, WEFT_ADMIN_QP_RQ_LOG2);

	memset(w, 0, sizeof(w));
	SET64(w, WEFT_CTX_TX_SQ_BASE, GET64(c, WEFT_ADMIN_QP_SQ_BASE));
	SET(w, WEFT_CTX_TX_SQ_LOG2, slog);
	SET(w, WEFT_CTX_TX_SQ_STRIDE, GET(c, WEFT_ADMIN_QP_SQ_STRIDE));
	SET(w, WEFT_CTX_TX_PRIV, GET(c, WEFT_ADMIN_QP_FLAGS) & 1);
	SET(w, WEFT_CTX_TX_CQN, GET(c, WEFT_ADMIN_QP_SCQN));
	SET(w, WEFT_CTX_TX_PD, GET(c, WEFT_ADMIN_QP_PD));
	SET(w, WEFT_CTX_TX_ORD, GET(c, WEFT_ADMIN_QP_ORD));
	ctx_write(WEFT_ROOM_QP_TX, qpn, w);
	memset(w, 0, sizeof(w));
	SET64(w, WEFT_CTX_RX_RQ_BASE, GET64(c, WEFT_ADMIN_QP_RQ_BASE));
	SET(w, WEFT_CTX_RX_RQ_LOG2, rlog);
	SET(w, WEFT_CTX_RX_RQ_STRIDE, GET(c, WEFT_ADMIN_QP_RQ_STRIDE));
	SET(w, WEFT_CTX_RX_PRIV, GET(c, WEFT_ADMIN_QP_FLAGS) & 1);
	SET(w, WEFT_CTX_RX_CQN, GET(c, WEFT_ADMIN_QP_RCQN));
	SET(w, WEFT_CTX_RX_PD, GET(c, WEFT_ADMIN_QP_PD));
	SET(w, WEFT_CTX_RX_IRD, GET(c, WEFT_ADMIN_QP_IRD));
	SET(w, WEFT_CTX_RX_ACCESS, GET(c, WEFT_ADMIN_QP_ACCESS));
	ctx_write(WEFT_ROOM_RX, qpn, w);
	return WEFT_ADMIN_STATUS_OK;
}

/*
 * RESET, not HALT: HALT sends on what was started, and of a QP that has flushed it looks for that behind what was ever started, a
 * walk of 131,000 cycles in which transmit does nothing else and rooms take no command. So a token got lost, and the card died of it.
 */
unsigned dp_qp_destroy(uint32_t qpn, unsigned tag)
{
	qp_set_state(qpn, WEFT_QP_STATE_RESET, WEFT_QP_STATE_RESET);
	return wait_for_tokens(WEFT_ADMIN_OP_QP_DESTROY, tag, qpn);
}

void dp_qp_gone(uint32_t qpn)
{
	memset(w, 0, sizeof(w));
	ctx_write(WEFT_ROOM_QP_TX, qpn, w);
	ctx_write(WEFT_ROOM_RX, qpn, w);
}

void dp_qp_error(uint32_t qpn) { qp_set_state(qpn, WEFT_QP_STATE_ERR, WEFT_QP_STATE_ERR); }

unsigned dp_qp_query(uint32_t qpn, uint32_t *d, unsigned tag)
{
	(void)tag;
	ctx_read(WEFT_ROOM_QP_TX, qpn, w);
	SET(d, WEFT_ADMIN_QP_STATE_STATE, GET(w, WEFT_CTX_TX_STATE));
	SET(d, WEFT_ADMIN_QP_STATE_SQ_INDEX, GET(w, WEFT_CTX_TX_SQ_CMPL));
	SET(d, WEFT_ADMIN_QP_STATE_SND_UNA, GET(w, WEFT_CTX_TX_SND_UNA));
	SET(d, WEFT_ADMIN_QP_STATE_SND_NXT, GET(w, WEFT_CTX_TX_SND_NXT));
	ctx_read(WEFT_ROOM_RX, qpn, w);
	SET(d, WEFT_ADMIN_QP_STATE_RQ_INDEX, GET(w, WEFT_CTX_RX_RQ_INDEX));
	SET(d, WEFT_ADMIN_QP_STATE_RCV_NXT, GET(w, WEFT_CTX_RX_RCV_NXT));
	return WEFT_ADMIN_STATUS_OK;
}

/* Translations given before are still on their way through transmit and receive: tokens of the reserved QP 0 follow. */
unsigned dp_mr_wait(unsigned tag) { return wait_for_tokens(WEFT_ADMIN_OP_MR_SET, tag, 0); }
