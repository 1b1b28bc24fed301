// SPDX-License-Identifier: BSD-2-Clause
/* Handing a connection to the first data path and taking it back: contexts of the rooms QP_TX, RX, CONN. */
#include "dp1.h"

#define w ctx_work

static bool hw_start(const struct slot *s, uint32_t qpn, bool hold, unsigned tos)
{
	unsigned mulpdu = s->mss - 6u - s->mss % 4u;

	ctx_read(WEFT_ROOM_RX, qpn, w);
	SET(w, WEFT_CTX_RX_STATE, WEFT_QP_STATE_RTS);
	SET(w, WEFT_CTX_RX_CRC, s->crc);
	SET(w, WEFT_CTX_RX_IRD, s->ird);
	SET(w, WEFT_CTX_RX_RCV_NXT, s->rcv_nxt);
	SET(w, WEFT_CTX_RX_RCV_WND, s->ws_ok ? RCV_WND : 65535);
	SET(w, WEFT_CTX_RX_RCV_WSCALE, s->ws_ok ? RCV_WSCALE : 0);
	SET(w, WEFT_CTX_RX_SEND_MSN, 1);
	SET(w, WEFT_CTX_RX_READ_MSN, 1);
	SET(w, WEFT_CTX_RX_SND_NXT, s->snd_nxt);
	SET(w, WEFT_CTX_RX_CMD, WEFT_CTX_CMD_WRITE);
	ctx_write(WEFT_ROOM_RX, qpn, w);

	ctx_read(WEFT_ROOM_QP_TX, qpn, w);
	SET(w, WEFT_CTX_TX_STATE, WEFT_QP_STATE_RTS);
	SET(w, WEFT_CTX_TX_CRC, s->crc);
	SET(w, WEFT_CTX_TX_HOLD, hold);
	SET(w, WEFT_CTX_TX_ORD, s->ord);
	SET(w, WEFT_CTX_TX_MULPDU, mulpdu);
	SET(w, WEFT_CTX_TX_MSS, s->mss);
	SET(w, WEFT_CTX_TX_SND_WSCALE, s->snd_ws);
	SET(w, WEFT_CTX_TX_SND_UNA, s->snd_una);
	SET(w, WEFT_CTX_TX_SND_NXT, s->snd_nxt);
	SET(w, WEFT_CTX_TX_SND_WND, s->snd_wnd);
	SET(w, WEFT_CTX_TX_CWND, 0);
	SET(w, WEFT_CTX_TX_SEND_MSN, 1);
	SET(w, WEFT_CTX_TX_READ_MSN, 1);
	SET(w, WEFT_CTX_TX_SQ_CMPL, GET(w, WEFT_CTX_TX_SQ_INDEX));
	SET(w, WEFT_CTX_TX_SRTT_US, s->srtt_us);
	SET(w, WEFT_CTX_TX_CMD, WEFT_CTX_CMD_WRITE);
	ctx_write(WEFT_ROOM_QP_TX, qpn, w);

	memset(w, 0, sizeof(w));
	memcpy(BYTES(w, WEFT_CTX_CONN_LOCAL_ADDR), s->path.local, 16);
	memcpy(BYTES(w, WEFT_CTX_CONN_PEER_ADDR), s->path.peer, 16);
	SET(w, WEFT_CTX_CONN_LOCAL_PORT, s->path.lport);
	SET(w, WEFT_CTX_CONN_PEER_PORT, s->path.pport);
	SET(w, WEFT_CTX_CONN_L2, s->l2);
	SET(w, WEFT_CTX_CONN_TOS, tos);
	SET(w, WEFT_CTX_CONN_TTL, 64);
	SET(w, WEFT_CTX_CONN_IPV6, s->path.ipv6);
	SET(w, WEFT_CTX_CONN_VALID, 1);
	SET(w, WEFT_CTX_CONN_CMD, WEFT_CTX_CMD_WRITE);
	ctx_write(WEFT_ROOM_CONN, qpn, w);
	/* The room stores VALID clear when neither bucket nor overflow memory had room. */
	if (ctx_get(WEFT_ROOM_CONN, qpn, WEFT_CTX_CONN_VALID)) return true;
	ctx_read(WEFT_ROOM_RX, qpn, w);
	SET(w, WEFT_CTX_RX_STATE, WEFT_QP_STATE_RESET);
	SET(w, WEFT_CTX_RX_CMD, WEFT_CTX_CMD_WRITE);
	ctx_write(WEFT_ROOM_RX, qpn, w);
	ctx_read(WEFT_ROOM_QP_TX, qpn, w);
	SET(w, WEFT_CTX_TX_STATE, WEFT_QP_STATE_RESET);
	SET(w, WEFT_CTX_TX_CMD, WEFT_CTX_CMD_WRITE);
	ctx_write(WEFT_ROOM_QP_TX, qpn, w);
	return false;
}

bool dp_start(struct slot *s, struct conn *k, bool hold, unsigned tos)
{
	if (!hw_start(s, k->qpn, hold, tos)) return false;
	k->word = s->rcv_nxt & 0xfffff;
	cm_handed(s, k);
	return true;
}

void dp_rtr(struct slot *s)
{
	static const uint8_t rtr[14] = { 0xc1, 0x40, 0, 0, 0, 1 }; /* Write of length 0, STag 1, TO 0 */

	cm_fpdu(s, TX_OFF, rtr, sizeof(rtr));
}

bool dp_acked(const struct slot *s)
{
	return !seq_lt(ctx_get(WEFT_ROOM_QP_TX, conn_of(s)->qpn, WEFT_CTX_TX_SND_UNA), s->dseq + s->tx_len);
}

void dp_describe(struct slot *s, const struct conn *k)
{
	s->peer_ird = (uint16_t)ctx_get(WEFT_ROOM_QP_TX, k->qpn, WEFT_CTX_TX_ORD);
	s->peer_ord = (uint16_t)ctx_get(WEFT_ROOM_RX, k->qpn, WEFT_CTX_RX_IRD);
	hw_path(&s->path, k->qpn);
}

void dp_conn_end(struct conn *k)
{
	if ((qp_at(k->qpn)->flags & QP_ERR) || k->state == C_SETUP) return;
	dp_qp_error(k->qpn);
	qp_at(k->qpn)->flags |= QP_ERR;
}

uint32_t hw_rcv_nxt(uint32_t qpn)
{
	return ctx_get(WEFT_ROOM_RX, qpn, WEFT_CTX_RX_RCV_NXT);
}

void hw_path(struct path *p, uint32_t qpn)
{
	ctx_read(WEFT_ROOM_CONN, qpn, w);
	memcpy(p->local, BYTES(w, WEFT_CTX_CONN_LOCAL_ADDR), 16);
	memcpy(p->peer, BYTES(w, WEFT_CTX_CONN_PEER_ADDR), 16);
	p->lport = (uint16_t)GET(w, WEFT_CTX_CONN_LOCAL_PORT);
	p->pport = (uint16_t)GET(w, WEFT_CTX_CONN_PEER_PORT);
	p->ipv6 = GET(w, WEFT_CTX_CONN_IPV6);
}

void hw_take(struct slot *s, struct conn *k)
{
	uint32_t qpn = k->qpn;

	hw_path(&s->path, qpn);
	s->path.tos = (uint8_t)GET(w, WEFT_CTX_CONN_TOS);
	s->l2 = (uint16_t)GET(w, WEFT_CTX_CONN_L2);
	hw_l2(&s->path, s->l2);
	port_set(s->path.lport);
	SET(w, WEFT_CTX_CONN_VALID, 0);
	ctx_write(WEFT_ROOM_CONN, qpn, w);
	qp_set_state(qpn, WEFT_QP_STATE_ERR, WEFT_QP_STATE_ERR);
	qp_at(qpn)->flags |= QP_ERR;
	ctx_read(WEFT_ROOM_QP_TX, qpn, w);
	s->snd_una = GET(w, WEFT_CTX_TX_SND_UNA);
	s->snd_nxt = GET(w, WEFT_CTX_TX_SND_NXT);
	s->snd_max = s->snd_nxt;
	s->snd_wnd = s->max_wnd = GET(w, WEFT_CTX_TX_SND_WND);
	s->snd_ws = (int8_t)GET(w, WEFT_CTX_TX_SND_WSCALE);
	s->mss = (uint16_t)GET(w, WEFT_CTX_TX_MSS);
	s->crc = GET(w, WEFT_CTX_TX_CRC);
	ctx_read(WEFT_ROOM_RX, qpn, w);
	s->rcv_nxt = GET(w, WEFT_CTX_RX_RCV_NXT) + !!(k->flags & CF_PEER_FIN);
	s->ws_ok = GET(w, WEFT_CTX_RX_RCV_WSCALE) != 0;
	s->wl1 = s->rcv_nxt;
	s->wl2 = s->snd_una;
	s->tx_len = 0;
	s->dseq = s->snd_nxt;
	k->state = C_CLOSING;
}

void hw_halt(struct conn *k, unsigned value, const uint8_t *term, unsigned bytes)
{
	qp_set_state(k->qpn, WEFT_QP_STATE_HALT, term ? WEFT_QP_STATE_HALT : WEFT_QP_STATE_RTS);
	if (!term) return;
	memset(w, 0, sizeof(w));
	memcpy(w, term, bytes);
	ctx_write(WEFT_ROOM_QP_TX, 0x8000 + value, w);
	memset(w, 0, sizeof(w));
	SET(w, WEFT_CTX_TX_SQ_INDEX, value);
	SET(w, WEFT_CTX_TX_MULPDU, bytes);
	SET(w, WEFT_CTX_TX_CMD, WEFT_CTX_CMD_SEND_VALUE);
	ctx_write(WEFT_ROOM_QP_TX, k->qpn, w);
}
