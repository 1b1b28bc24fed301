/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Connections without firmware: what firmware would do (docs/datapath.md, "Home") is done here, over the
 * debug port and in host memory. Homes are written, chunks and pages for receive rings given, look-up entries made, and
 * connections created away from the card: their first doorbell or frame brings them home.
 */
#include <string.h>

#include "internal.h"

enum { CHUNK_LOG2 = 21, HOMES = 1024, START = 20 }; /* START: offset behind the MPA frames of a handshake */

/* Waits until the data path takes configuration. */
void ls_direct_start(struct ls_host *h)
{
	uint8_t status[4];
	uint64_t end = ls_cycles(h->ls) + h->ls->patience;

	do {
		uint32_t word = ls_cfg_read(h, WEFT_ROOM_RING, WEFT_RING_STATUS);

		memcpy(status, &word, 4);
		if (ls_cycles(h->ls) > end)
			ls_fail(h->ls, "host %u: the data path does not get ready", h->index);
	} while (!LS_GET(status, WEFT_RING_STATUS_READY));
	h->commands = ls_cfg_read(h, WEFT_ROOM_CTX, WEFT_CTX_STATUS) & 0xff;
	if (h->ls->o.ring_shift)
		ls_cfg_write(h, WEFT_ROOM_RING, WEFT_RING_SHIFT, h->ls->o.ring_shift);
	h->window = ls_cfg_read(h, WEFT_ROOM_RING, WEFT_RING_WND);
	memset(h->look, 0xff, sizeof(h->look)); /* nothing is known to be written */
}

/* Pages for receive rings, as many as the card takes: once. */
static void give_pages(struct ls_host *h)
{
	uint32_t word = ls_cfg_read(h, WEFT_ROOM_RING, WEFT_RING_SIZE), count;
	uint8_t size[4];
	uint64_t page;
	struct ls_mem m;

	if (h->pages_given)
		return;
	h->pages_given = true;
	memcpy(size, &word, 4);
	count = (uint32_t)(LS_GET(size, WEFT_RING_SIZE_RINGS) * LS_GET(size, WEFT_RING_SIZE_PAGES));
	page = (uint64_t)4096 << h->ls->o.ring_shift;
	m = ls_alloc_aligned(h, count * page, page);
	for (uint32_t i = 0; i < count; i++) {
		/* not in the order of their addresses */
		uint64_t bus = m.bus + page * ((i * 5 + 3) % count);

		ls_cfg_write(h, WEFT_ROOM_RING, WEFT_RING_PAGE_LO, (uint32_t)bus);
		ls_cfg_write(h, WEFT_ROOM_RING, WEFT_RING_PAGE_HI, (uint32_t)(bus >> 32));
	}
}

static uint8_t *home_of(struct ls_host *h, uint32_t qpn)
{
	uint32_t chunk = qpn / HOMES;
	struct ls_mem *m = &h->chunks[chunk];

	if (!m->p) {
		*m = ls_alloc_aligned(h, (size_t)1 << CHUNK_LOG2, (uint64_t)1 << CHUNK_LOG2);
		ls_cfg_write(h, WEFT_ROOM_CTX, WEFT_CTX_CHUNK_LO, (uint32_t)m->bus);
		ls_cfg_write(h, WEFT_ROOM_CTX, WEFT_CTX_CHUNK_HI, (uint32_t)(m->bus >> 32));
		ls_cfg_write(h, WEFT_ROOM_CTX, WEFT_CTX_CHUNK_SET, 1u << 31 | chunk);
	}
	return m->p + 2048 * (qpn % HOMES);
}

static uint32_t offered(const struct ls_side *s, const struct ls_link_attr *a)
{
	return a->window < s->qp->host->window ? a->window : s->qp->host->window;
}

static void write_home(const struct ls_side *s, const struct ls_link_attr *a)
{
	const struct ls_qp *qp = s->qp;
	struct ls_side other = { .qp = s->peer };
	uint32_t wnd = offered(s, a), peer = offered(&other, a);
	uint8_t *h = home_of(qp->host, qp->qpn), *l = h;

	memset(h, 0, 2048);
	ls_put_address(l + WEFT_HOME_KEY_LOCAL_ADDR_OFF, qp->host->index, a->ipv6);
	ls_put_address(l + WEFT_HOME_KEY_PEER_ADDR_OFF, s->peer->host->index, a->ipv6);
	LS_SET(l, WEFT_HOME_KEY_LOCAL_PORT, s->port);
	LS_SET(l, WEFT_HOME_KEY_PEER_PORT, s->peer_port);
	LS_SET(l, WEFT_HOME_KEY_L2, qp->l2);
	LS_SET(l, WEFT_HOME_KEY_TTL, 64);
	LS_SET(l, WEFT_HOME_KEY_IPV6, a->ipv6);
	LS_SET(l, WEFT_HOME_KEY_ALIGNED, 1);
	LS_SET(l, WEFT_HOME_KEY_SACK, a->sack);
	LS_SET(l, WEFT_HOME_KEY_VLAN, a->vlan);
	LS_SET(l, WEFT_HOME_KEY_VID, a->vlan ? LS_VLAN_TCI & 0xfff : 0);
	l = h + 64;
	LS_SET(l, WEFT_HOME_SND_UNA, START);
	LS_SET(l, WEFT_HOME_SND_SND_MAX, START);
	LS_SET(l, WEFT_HOME_SND_SEQ0, s->snd_nxt - START);
	LS_SET(l, WEFT_HOME_SND_WND_EDGE, START + peer);
	LS_SET(l, WEFT_HOME_SND_WL1, s->rcv_nxt);
	LS_SET(l, WEFT_HOME_SND_WL2, s->snd_nxt);
	LS_SET(l, WEFT_HOME_SND_MAX_WND, peer);
	LS_SET(l, WEFT_HOME_SND_CWND, a->cwnd);
	LS_SET(l, WEFT_HOME_SND_RECOVER, START);
	LS_SET(l, WEFT_HOME_SND_RTX_NXT, START);
	LS_SET(l, WEFT_HOME_SND_MSS, a->mss);
	LS_SET(l, WEFT_HOME_SND_STATE, WEFT_TCP_STATE_OPEN);
	LS_SET(l, WEFT_HOME_SND_HOLD, s->hold);
	LS_SET(l, WEFT_HOME_SND_WSCALE, 1);
	LS_SET(l, WEFT_HOME_SND_SND_SHIFT, ls_window_scale(peer));
	LS_SET(l, WEFT_HOME_SND_RCV_SHIFT, ls_window_scale(wnd));
	l = h + 128;
	LS_SET(l, WEFT_HOME_RCV_COMMITTED, START);
	LS_SET(l, WEFT_HOME_RCV_RCV_NXT, START);
	LS_SET(l, WEFT_HOME_RCV_RIGHT, START + wnd);
	LS_SET(l, WEFT_HOME_RCV_SEQ0, s->rcv_nxt - START);
	LS_SET(l, WEFT_HOME_RCV_LAST_ACK, s->rcv_nxt);
	LS_SET(l, WEFT_HOME_RCV_ADV, s->rcv_nxt + wnd);
	LS_SET(l, WEFT_HOME_RCV_WEFT, 1);
	l = h + 256;
	LS_SET(l, WEFT_HOME_SQ_SQ_BASE, qp->sq.bus);
	LS_SET(l, WEFT_HOME_SQ_SQ_LOG2, qp->attr.sq_log2);
	LS_SET(l, WEFT_HOME_SQ_SQ_STRIDE, qp->attr.sq_stride);
	LS_SET(l, WEFT_HOME_SQ_CRC, !a->no_crc);
	LS_SET(l, WEFT_HOME_SQ_STATE, WEFT_QP_STATE_RTS);
	LS_SET(l, WEFT_HOME_SQ_PRIV, qp->attr.privileged);
	LS_SET(l, WEFT_HOME_SQ_CQN, ls_cq_number(qp->attr.scq));
	LS_SET(l, WEFT_HOME_SQ_PD, qp->attr.pd);
	LS_SET(l, WEFT_HOME_SQ_FIRST, START);
	LS_SET(l, WEFT_HOME_SQ_SQ_INDEX, qp->sq_ci);
	LS_SET(l, WEFT_HOME_SQ_SQ_DONE, qp->sq_ci);
	LS_SET(l, WEFT_HOME_SQ_MSS, a->mss);
	LS_SET(l, WEFT_HOME_SQ_ORD, qp->attr.ord);
	LS_SET(l, WEFT_HOME_SQ_IRD, qp->attr.ird);
	LS_SET(l, WEFT_HOME_SQ_OFF, START);
	LS_SET(l, WEFT_HOME_SQ_UNA, START);
	LS_SET(l, WEFT_HOME_SQ_LIMIT, START);
	LS_SET(l, WEFT_HOME_SQ_SEND_MSN, 1);
	LS_SET(l, WEFT_HOME_SQ_READ_MSN, 1);
	l = h + 384;
	LS_SET(l, WEFT_HOME_MPA_NEXT, START);
	LS_SET(l, WEFT_HOME_MPA_RCV_EDGE, START + wnd);
	LS_SET(l, WEFT_HOME_MPA_FIRST, START);
	LS_SET(l, WEFT_HOME_MPA_CRC, !a->no_crc);
	LS_SET(l, WEFT_HOME_MPA_FRESH, 1);
	l = h + 448;
	LS_SET(l, WEFT_HOME_RDMAP_RQ_BASE, qp->rq.bus);
	LS_SET(l, WEFT_HOME_RDMAP_RQ_LOG2, qp->attr.rq_log2);
	LS_SET(l, WEFT_HOME_RDMAP_RQ_STRIDE, qp->attr.rq_stride);
	LS_SET(l, WEFT_HOME_RDMAP_STATE, WEFT_QP_STATE_RTS);
	LS_SET(l, WEFT_HOME_RDMAP_CQN, ls_cq_number(qp->attr.rcq));
	LS_SET(l, WEFT_HOME_RDMAP_PD, qp->attr.pd);
	LS_SET(l, WEFT_HOME_RDMAP_PRIV, qp->attr.privileged);
	LS_SET(l, WEFT_HOME_RDMAP_ACCESS, qp->attr.access);
	LS_SET(l, WEFT_HOME_RDMAP_IRD, qp->attr.ird);
	LS_SET(l, WEFT_HOME_RDMAP_RQ_INDEX, qp->rq_ci);
	LS_SET(l, WEFT_HOME_RDMAP_SEND_MSN, 1);
	LS_SET(l, WEFT_HOME_RDMAP_READ_MSN, 1);
	LS_SET(l, WEFT_HOME_RDMAP_FIRST, 1);
}

/* A word of the look-up command, if it is not what was written last. */
static void look(struct ls_host *h, uint32_t offset, uint32_t value)
{
	if (h->look[offset / 4] == value && offset != WEFT_LOOK_PORTS)
		return;
	h->look[offset / 4] = value;
	ls_cfg_write(h, WEFT_ROOM_CONN, offset, value);
}

static void insert(const struct ls_side *s, const struct ls_link_attr *a)
{
	struct ls_host *h = s->qp->host;
	uint8_t key[32] = { 0 };
	uint32_t status;

	ls_put_address(key, h->index, a->ipv6);
	ls_put_address(key + 16, s->peer->host->index, a->ipv6);
	for (uint32_t i = 0; i < 32; i += 4) {
		uint32_t word;

		memcpy(&word, key + i, 4);
		look(h, WEFT_LOOK_LOCAL + i, word);
	}
	look(h, WEFT_LOOK_PORTS, (uint32_t)s->port << 16 | s->peer_port);
	look(h, WEFT_LOOK_QPN, (a->ipv6 ? 1u << 31 : 0) | s->qp->qpn);
	ls_cfg_write(h, WEFT_ROOM_CONN, WEFT_LOOK_CMD, WEFT_LOOK_CMD_INSERT);
	do
		status = ls_cfg_read(h, WEFT_ROOM_CONN, WEFT_LOOK_STATUS);
	while (status >> 31);
	if ((status & 7) != WEFT_LOOK_STATUS_OK)
		ls_fail(h->ls, "host %u: look-up entry of QP %u: status %u", h->index, s->qp->qpn, status & 7);
}

void ls_direct_command(struct ls_host *h, uint32_t qpn, uint16_t arg, uint32_t command)
{
	if ((ls_cfg_read(h, WEFT_ROOM_CTX, WEFT_CTX_STATUS) & 0xff) == 0)
		ls_fail(h->ls, "host %u: no place for a command", h->index);
	ls_cfg_write(h, WEFT_ROOM_CTX, WEFT_CTX_QPN, qpn);
	ls_cfg_write(h, WEFT_ROOM_CTX, WEFT_CTX_ARG, arg);
	ls_cfg_write(h, WEFT_ROOM_CTX, WEFT_CTX_CMD, command);
}

static bool taken(void *arg)
{
	struct ls_host *h = arg;

	return (ls_cfg_read(h, WEFT_ROOM_CTX, WEFT_CTX_STATUS) & 0xff) == h->commands;
}

void ls_direct_connect(const struct ls_side *s, const struct ls_link_attr *a)
{
	struct ls_host *h = s->qp->host;

	give_pages(h);
	write_home(s, a);
	insert(s, a);
	ls_direct_command(h, s->qp->qpn, 0, 1u << 31 | WEFT_HOME_OP_CREATE);
	for (unsigned int i = 0; !taken(h); i++)
		if (i > 1000)
			ls_fail(h->ls, "host %u: the creation of QP %u is not taken", h->index, s->qp->qpn);
}

/* Both halves to a state; each room has an encoding of its own, so each is told by itself. */
void ls_direct_state(struct ls_qp *qp, unsigned int state)
{
	enum { QP = 1 << 5, RDMAP = 1 << 7 }; /* bits of ROOMS */

	ls_direct_command(qp->host, qp->qpn, (uint16_t)state, QP | WEFT_CTX_OP_SET_STATE);
	ls_direct_command(qp->host, qp->qpn, (uint16_t)state, RDMAP | WEFT_CTX_OP_SET_STATE);
}
