// SPDX-License-Identifier: BSD-2-Clause
/* Handing a connection to the hardware and taking it back: contexts of the rooms QP_TX, RX, CONN, L2T, STEER. */
#include "cm.h"
#include "objects.h"

#define w ctx_work

void port_set(uint16_t port)
{
	uint32_t at = (port >> 5) << 2;

	hw_cfg_write(WEFT_ROOM_STEER, at, hw_cfg_read(WEFT_ROOM_STEER, at) | 1u << (port & 31));
}

void port_release(uint16_t port)
{
	uint32_t at = (port >> 5) << 2;
	struct slot *s;

	if (cm_port_listens(port) || tw_uses(port)) return;
	for_slots(s)
		if (s->path.lport == port) return;
	hw_cfg_write(WEFT_ROOM_STEER, at, hw_cfg_read(WEFT_ROOM_STEER, at) & ~(1u << (port & 31)));
}

unsigned hw_l2(struct path *p, uint32_t index)
{
	uint32_t e[4];

	for (unsigned i = 0; i < 4; i++) e[i] = hw_cfg_read(WEFT_ROOM_L2T, index * 64 + i * 4);
	if (!GET(e, WEFT_L2E_VALID)) return 0;
	memcpy(p->dmac, BYTES(e, WEFT_L2E_DMAC), 6);
	memcpy(p->smac, BYTES(e, WEFT_L2E_SMAC), 6);
	p->vlan = GET(e, WEFT_L2E_VLAN);
	p->tci = (uint16_t)GET(e, WEFT_L2E_VLAN_TCI);
	return GET(e, WEFT_L2E_MTU);
}

bool hw_start(struct slot *s, uint32_t qpn, bool hold, unsigned tos)
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
	qps[qpn].flags |= QP_ERR;
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
