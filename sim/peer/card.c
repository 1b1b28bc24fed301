/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "../common/util.h"
#include "card.h"

#define ADMIN_LOG2 4
#define EQ_LOG2 8
#define CQ_LOG2 10
#define Q_LOG2 7
#define L2_ENTRY 3

struct card {
	struct lockstep *ls;
	struct ls_host *h;
	struct peer *peer;
	struct ls_mem eq, cq, cm;
	uint32_t eq_ci, cq_ci, next_qpn, next_cqn;
	uint8_t events[64][64];
	unsigned int n_events;
	struct card_wc done[1024];
	unsigned int n_done;
	uint8_t rsp[64];
	uint32_t next_stag;
	bool ipv6;
};

static unsigned int admin(struct card *k, uint8_t c[64], unsigned int op)
{
	LS_SET(c, WEFT_ADMIN_CMD_OP, op);
	return ls_admin(k->h, c, k->rsp);
}

static void must(struct card *k, uint8_t c[64], unsigned int op)
{
	unsigned int status = admin(k, c, op);

	if (status)
		ls_fail(k->ls, "admin command %u: status %u, detail %u", op, status, (unsigned int)LS_GET(k->rsp, WEFT_ADMIN_RSP_DETAIL));
}

struct ls_host *card_host(struct card *k) { return k->h; }
void card_peer(struct card *k, struct peer *p) { k->peer = p; }
void card_ipv6(struct card *k) { k->ipv6 = true; }

struct card *card_new(struct lockstep *ls, const char *firmware, unsigned int mtu)
{
	struct card *k = xcalloc(1, sizeof(*k));
	uint8_t c[64] = { 0 };
	uint64_t mac;

	k->ls = ls;
	k->h = ls_host(ls, 0);
	k->next_qpn = 1;
	k->next_cqn = 2;
	k->next_stag = 0x101;
	if (ls_load_firmware(k->h, firmware) != WEFT_FW_STATE_READY)
		ls_fail(ls, "%s does not start", firmware);
	ls_admin_start(k->h, ADMIN_LOG2);
	k->eq = ls_alloc(k->h, 64u << EQ_LOG2);
	k->cq = ls_alloc(k->h, 32u << CQ_LOG2);
	k->cm = ls_alloc(k->h, 1024u << ADMIN_LOG2);
	for (unsigned int i = 0; i < 32; i++)
		c[WEFT_ADMIN_INIT_SEED_OFF + i] = (uint8_t)ls_random(ls);
	LS_SET(c, WEFT_ADMIN_INIT_CM_BUF, k->cm.bus);
	must(k, c, WEFT_ADMIN_OP_INIT);
	ls_admin_give(k->h, k->rsp);
	memset(c, 0, 64);
	LS_SET(c, WEFT_ADMIN_QUEUE_BASE, k->eq.bus);
	LS_SET(c, WEFT_ADMIN_QUEUE_LOG2, EQ_LOG2);
	LS_SET(c, WEFT_ADMIN_QUEUE_VECTOR, 0xffff);
	must(k, c, WEFT_ADMIN_OP_EQ_CREATE);
	memset(c, 0, 64);
	LS_SET(c, WEFT_ADMIN_QUEUE_ID, 1);
	LS_SET(c, WEFT_ADMIN_QUEUE_BASE, k->cq.bus);
	LS_SET(c, WEFT_ADMIN_QUEUE_LOG2, CQ_LOG2);
	LS_SET(c, WEFT_ADMIN_QUEUE_VECTOR, 0xffff);
	must(k, c, WEFT_ADMIN_OP_CQ_CREATE);
	memset(c, 0, 64);
	mac = ls_mac(k->h);
	memcpy(c + WEFT_ADMIN_L2_DMAC_OFF, &mac, 6);
	must(k, c, WEFT_ADMIN_OP_MAC_SET);
	memset(c, 0, 64);
	memcpy(c + WEFT_ADMIN_L2_SMAC_OFF, &mac, 6);
	mac = ls_mac(ls_host(ls, 1));
	memcpy(c + WEFT_ADMIN_L2_DMAC_OFF, &mac, 6);
	LS_SET(c, WEFT_ADMIN_L2_ID, L2_ENTRY);
	LS_SET(c, WEFT_ADMIN_L2_MTU, mtu);
	LS_SET(c, WEFT_ADMIN_L2_FLAGS, 1);
	must(k, c, WEFT_ADMIN_OP_L2_SET);
	return k;
}

/* ---- objects ---- */

static struct card_qp *make_qp(struct card *k, uint32_t pd, uint8_t access, uint8_t ird, uint8_t ord, uint32_t cqn)
{
	struct card_qp *q = xcalloc(1, sizeof(*q));
	uint8_t c[64] = { 0 };

	q->card = k;
	q->qpn = k->next_qpn++;
	q->ird = ird;
	q->ord = ord;
	q->sq = ls_alloc(k->h, 64u << Q_LOG2);
	q->rq = ls_alloc(k->h, 64u << Q_LOG2);
	LS_SET(c, WEFT_ADMIN_QP_QPN, q->qpn);
	LS_SET(c, WEFT_ADMIN_QP_SQ_BASE, q->sq.bus);
	LS_SET(c, WEFT_ADMIN_QP_RQ_BASE, q->rq.bus);
	LS_SET(c, WEFT_ADMIN_QP_SQ_LOG2, Q_LOG2);
	LS_SET(c, WEFT_ADMIN_QP_RQ_LOG2, Q_LOG2);
	LS_SET(c, WEFT_ADMIN_QP_SCQN, cqn);
	LS_SET(c, WEFT_ADMIN_QP_RCQN, cqn);
	LS_SET(c, WEFT_ADMIN_QP_PD, pd);
	LS_SET(c, WEFT_ADMIN_QP_ACCESS, access);
	LS_SET(c, WEFT_ADMIN_QP_IRD, ird);
	LS_SET(c, WEFT_ADMIN_QP_ORD, ord);
	must(k, c, WEFT_ADMIN_OP_QP_CREATE);
	return q;
}

struct card_qp *card_qp(struct card *k, uint32_t pd, uint8_t access, uint8_t ird, uint8_t ord)
{
	return make_qp(k, pd, access, ird, ord, 1);
}

struct card_qp *card_qp_deaf(struct card *k, uint32_t pd, uint8_t access, unsigned int entries_log2, uint32_t *cqn)
{
	struct ls_mem ring = ls_alloc(k->h, 32u << entries_log2);
	uint8_t c[64] = { 0 };

	*cqn = k->next_cqn++;
	LS_SET(c, WEFT_ADMIN_QUEUE_ID, *cqn);
	LS_SET(c, WEFT_ADMIN_QUEUE_BASE, ring.bus);
	LS_SET(c, WEFT_ADMIN_QUEUE_LOG2, entries_log2);
	LS_SET(c, WEFT_ADMIN_QUEUE_VECTOR, 0xffff);
	must(k, c, WEFT_ADMIN_OP_CQ_CREATE);
	return make_qp(k, pd, access, 4, 4, *cqn);
}

static void by_qpn(struct card_qp *q, unsigned int op)
{
	uint8_t c[64] = { 0 };

	LS_SET(c, WEFT_ADMIN_QP_QPN, q->qpn);
	must(q->card, c, op);
}
void card_qp_destroy(struct card_qp *q) { by_qpn(q, WEFT_ADMIN_OP_QP_DESTROY); }
void card_qp_error(struct card_qp *q) { by_qpn(q, WEFT_ADMIN_OP_QP_ERROR); }

void card_mr_set(struct card *k, struct card_mr *m, unsigned int state)
{
	uint8_t c[64] = { 0 };

	LS_SET(c, WEFT_ADMIN_MR_STAG, m->stag);
	LS_SET(c, WEFT_ADMIN_MR_STATE, state);
	LS_SET(c, WEFT_ADMIN_MR_KIND, m->kind);
	LS_SET(c, WEFT_ADMIN_MR_ACCESS, m->access);
	LS_SET(c, WEFT_ADMIN_MR_PAGE_LOG2, 12);
	LS_SET(c, WEFT_ADMIN_MR_PD, m->pd);
	LS_SET(c, WEFT_ADMIN_MR_QPN, m->qpn);
	LS_SET(c, WEFT_ADMIN_MR_BASE, m->to);
	LS_SET(c, WEFT_ADMIN_MR_LENGTH, m->bytes);
	LS_SET(c, WEFT_ADMIN_MR_PBL, m->mem.bus);
	LS_SET(c, WEFT_ADMIN_MR_FLAGS, 1);
	must(k, c, WEFT_ADMIN_OP_MR_SET);
}

struct card_mr *card_mr(struct card *k, uint64_t bytes, uint32_t pd, uint8_t access)
{
	struct card_mr *m = xcalloc(1, sizeof(*m));

	m->mem = ls_alloc(k->h, bytes);
	m->p = m->mem.p;
	m->bytes = bytes;
	m->pd = pd;
	m->access = access;
	m->stag = k->next_stag << 8 | (uint32_t)(ls_random(k->ls) & 0xff);
	k->next_stag += 7;
	m->to = 0x700000001000u + (ls_random(k->ls) & 0xfffff000u);
	card_mr_set(k, m, WEFT_TPT_STATE_VALID);
	return m;
}

struct card_mr *card_window(struct card *k, uint32_t pd, unsigned int kind)
{
	struct card_mr *m = xcalloc(1, sizeof(*m));

	m->pd = pd;
	m->kind = kind;
	m->stag = k->next_stag << 8 | (uint32_t)(ls_random(k->ls) & 0xff);
	k->next_stag += 7;
	card_mr_set(k, m, WEFT_TPT_STATE_INVALID);
	return m;
}

/* ---- connections ---- */

/* Of the card, of the peer. */
static const uint8_t addresses[2][2][16] = { { { 10, 0, 0, 1 }, { 10, 0, 0, 2 } }, { { 0xfd, [15] = 1 }, { 0xfd, [15] = 2 } } };
/* Bytes 0 to 31 of the buffer are addresses, then private data. */
static uint8_t *cm(struct card *k, uint8_t c[64], uint32_t id, uint32_t qpn, const struct card_cm *a)
{
	uint8_t *b = k->cm.p + (ls_admin_tag(k->h) & ((1u << ADMIN_LOG2) - 1)) * 1024;

	memset(c, 0, 64);
	memset(b, 0, 1024);
	LS_SET(c, WEFT_ADMIN_CM_ID, id);
	LS_SET(c, WEFT_ADMIN_CM_QPN, qpn);
	LS_SET(c, WEFT_ADMIN_CM_HANDLE, qpn);
	LS_SET(c, WEFT_ADMIN_CM_L2, L2_ENTRY);
	LS_SET(c, WEFT_ADMIN_CM_FLAGS, k->ipv6 | (!a || a->rev != 1 ? 2 : 0) | (a && a->no_crc ? 0 : 4) | (a && a->p2p ? 8 : 0));
	memcpy(c + WEFT_ADMIN_CM_LOCAL_ADDR_OFF, addresses[k->ipv6][0], 16);
	memcpy(b, addresses[k->ipv6][1], 16);
	if (a && a->pd_len) {
		LS_SET(c, WEFT_ADMIN_CM_PD_BYTES, a->pd_len);
		memcpy(b + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF, a->pd, a->pd_len);
	}
	return b;
}

void card_listen(struct card *k, uint16_t port)
{
	uint8_t c[64];

	cm(k, c, 0, 0, NULL);
	LS_SET(c, WEFT_ADMIN_CM_LOCAL_PORT, port);
	must(k, c, WEFT_ADMIN_OP_LISTEN);
}

static void reads(struct card_qp *q, uint8_t c[64], const struct card_cm *a)
{
	LS_SET(c, WEFT_ADMIN_CM_IRD, a && a->ird ? a->ird : q->ird);
	LS_SET(c, WEFT_ADMIN_CM_ORD, a && a->ord ? a->ord : q->ord);
}

void card_connect(struct card_qp *q, uint16_t lport, uint16_t rport, const struct card_cm *a)
{
	uint8_t c[64];

	cm(q->card, c, 0, q->qpn, a);
	LS_SET(c, WEFT_ADMIN_CM_LOCAL_PORT, lport);
	LS_SET(c, WEFT_ADMIN_CM_PEER_PORT, rport);
	reads(q, c, a);
	must(q->card, c, WEFT_ADMIN_OP_CONNECT);
	q->handle = (uint32_t)LS_GET(q->card->rsp, WEFT_ADMIN_RSP_ID);
}

unsigned int card_accept(struct card_qp *q, uint32_t handle, const struct card_cm *a)
{
	uint8_t c[64];

	cm(q->card, c, handle, q->qpn, a);
	reads(q, c, a);
	q->handle = handle;
	return admin(q->card, c, WEFT_ADMIN_OP_ACCEPT);
}

unsigned int card_reject(struct card *k, uint32_t handle, const void *pd, unsigned int n)
{
	struct card_cm a = { .pd = pd, .pd_len = n };
	uint8_t c[64];

	cm(k, c, handle, 0, &a);
	return admin(k, c, WEFT_ADMIN_OP_REJECT);
}

unsigned int card_query(struct card *k, uint32_t handle, uint8_t *pd)
{
	uint8_t c[64], *b = cm(k, c, handle, 0, NULL);
	unsigned int status = admin(k, c, WEFT_ADMIN_OP_QUERY_CONN);

	memcpy(pd, b + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF, 512);
	return status;
}

void card_disconnect(struct card_qp *q)
{
	uint8_t c[64];

	cm(q->card, c, q->handle, 0, NULL);
	must(q->card, c, WEFT_ADMIN_OP_DISCONNECT);
}

void card_abort(struct card_qp *q)
{
	uint8_t c[64];

	cm(q->card, c, q->handle, 0, NULL);
	must(q->card, c, WEFT_ADMIN_OP_ABORT);
}

/* ---- events and completions ---- */

static void ring(struct card *k, uint32_t offset, uint32_t id, uint32_t index)
{
	ls_doorbell(k->h, 0, offset, id | (uint64_t)index << 32);
}

static void gather(struct card *k)
{
	const uint8_t *e;

	while (e = k->eq.p + 64 * (k->eq_ci & ((1u << EQ_LOG2) - 1)), e[63] >> 7 != (k->eq_ci >> EQ_LOG2 & 1)) {
		if (k->n_events == 64)
			ls_fail(k->ls, "64 events that nobody takes");
		memcpy(k->events[k->n_events++], e, 64);
		k->eq_ci++;
		ring(k, WEFT_DB_EQ, 0, k->eq_ci & 0xffffff);
	}
	while (e = k->cq.p + 32 * (k->cq_ci & ((1u << CQ_LOG2) - 1)), e[31] >> 7 != (k->cq_ci >> CQ_LOG2 & 1)) {
		struct card_wc *w = &k->done[k->n_done];

		if (k->n_done == 1024)
			ls_fail(k->ls, "1024 completions that nobody takes");
		k->n_done++;
		w->qpn = (uint32_t)LS_GET(e, WEFT_CQE_QPN);
		w->opcode = (uint8_t)LS_GET(e, WEFT_CQE_OPCODE);
		w->status = (uint8_t)LS_GET(e, WEFT_CQE_STATUS);
		w->index = (uint16_t)LS_GET(e, WEFT_CQE_INDEX);
		w->bytes = (uint32_t)LS_GET(e, WEFT_CQE_BYTES);
		w->inv = (uint32_t)LS_GET(e, WEFT_CQE_INV_STAG);
		w->solicited = LS_GET(e, WEFT_CQE_SOLICITED);
		w->recv = w->opcode & 0x80;
		k->cq_ci++;
		ring(k, WEFT_DB_CQ, 1, k->cq_ci & 0xffffff);
	}
}

struct find { struct card *k; unsigned int kind; uint32_t qpn; bool recv; int at; };

static bool find_event(void *arg)
{
	struct find *f = arg;

	gather(f->k);
	for (unsigned int i = 0; i < f->k->n_events; i++)
		if (f->k->events[i][0] == f->kind) {
			f->at = (int)i;
			return true;
		}
	return false;
}

bool card_event(struct card *k, unsigned int kind, uint8_t eqe[64], uint64_t ns)
{
	struct find f = { .k = k, .kind = kind };

	if (!peer_until(k->peer, find_event, &f, ns))
		return false;
	memcpy(eqe, k->events[f.at], 64);
	memmove(k->events[f.at], k->events[f.at + 1], (--k->n_events - (unsigned int)f.at) * 64);
	return true;
}

uint32_t card_request(struct card *k, uint8_t eqe[64], uint64_t ns)
{
	return card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REQUEST, eqe, ns) ? (uint32_t)LS_GET(eqe, WEFT_EQE_ID) : 0;
}

static bool find_wc(void *arg)
{
	struct find *f = arg;

	gather(f->k);
	for (unsigned int i = 0; i < f->k->n_done; i++)
		if (f->k->done[i].qpn == f->qpn && f->k->done[i].recv == f->recv) {
			f->at = (int)i;
			return true;
		}
	return false;
}

bool card_wc(struct card_qp *q, bool recv, struct card_wc *wc, uint64_t ns)
{
	struct card *k = q->card;
	struct find f = { .k = k, .qpn = q->qpn, .recv = recv };

	if (!peer_until(k->peer, find_wc, &f, ns))
		return false;
	*wc = k->done[f.at];
	memmove(&k->done[f.at], &k->done[f.at + 1], (--k->n_done - (unsigned int)f.at) * sizeof(k->done[0]));
	return true;
}

/* ---- work ---- */

/* The entry at the producer index, but for what its operation needs. */
static uint8_t *entry(const struct card_qp *q, unsigned int opcode, bool solicited)
{
	uint8_t *w = q->sq.p + 64 * (q->sq_pi & ((1u << Q_LOG2) - 1));

	memset(w, 0, 64);
	LS_SET(w, WEFT_SQE_OPCODE, opcode);
	LS_SET(w, WEFT_SQE_SIGNALED, 1);
	LS_SET(w, WEFT_SQE_SOLICITED, solicited);
	LS_SET(w, WEFT_SQE_INDEX, q->sq_pi);
	return w;
}
static uint16_t post(struct card_qp *q)
{
	uint16_t index = q->sq_pi++;

	ring(q->card, WEFT_DB_SQ, q->qpn, q->sq_pi);
	return index;
}

uint16_t card_send(struct card_qp *q, unsigned int opcode, struct card_mr *m, uint64_t off, uint32_t n, uint32_t rstag, uint64_t raddr,
		   bool solicited)
{
	uint8_t *w = entry(q, opcode, solicited);

	LS_SET(w, WEFT_SQE_RSTAG, rstag);
	LS_SET(w, WEFT_SQE_RADDR, raddr);
	LS_SET(w, WEFT_SQE_LENGTH, n);
	if (m) {
		LS_SET(w, WEFT_SQE_NUM_SGE, 1);
		LS_SET(w + WEFT_SQE_BYTES, WEFT_SGE_ADDR, m->to + off);
		LS_SET(w + WEFT_SQE_BYTES, WEFT_SGE_LENGTH, n);
		LS_SET(w + WEFT_SQE_BYTES, WEFT_SGE_LKEY, m->stag);
	}
	return post(q);
}

uint16_t card_atomic(struct card_qp *q, unsigned int opcode, struct card_mr *m, uint64_t off, uint32_t rstag, uint64_t raddr, uint64_t data,
		     uint64_t compare)
{
	uint8_t *w = entry(q, opcode, false), *at = w + WEFT_SQE_BYTES + WEFT_SGE_BYTES;

	LS_SET(w, WEFT_SQE_RSTAG, rstag);
	LS_SET(w, WEFT_SQE_RADDR, raddr);
	LS_SET(w, WEFT_SQE_LENGTH, 8);
	LS_SET(w, WEFT_SQE_NUM_SGE, 1);
	LS_SET(w + WEFT_SQE_BYTES, WEFT_SGE_ADDR, m->to + off);
	LS_SET(w + WEFT_SQE_BYTES, WEFT_SGE_LENGTH, 8);
	LS_SET(w + WEFT_SQE_BYTES, WEFT_SGE_LKEY, m->stag);
	LS_SET(at, WEFT_SQE_ATOMIC_DATA, data);
	LS_SET(at, WEFT_SQE_ATOMIC_COMPARE, compare);
	return post(q);
}

uint16_t card_bind(struct card_qp *q, struct card_mr *window, struct card_mr *m, uint64_t off, uint64_t n, uint8_t access)
{
	uint8_t *w = entry(q, WEFT_SQ_OPCODE_BIND_MW, false), *at = w + WEFT_SQE_BYTES;

	window->stag = (window->stag & ~0xffu) | ((window->stag + 1) & 0xff);
	window->to = m->to + off;
	window->bytes = n;
	window->p = m->p + off;
	LS_SET(w, WEFT_SQE_RSTAG, window->stag);
	LS_SET(w, WEFT_SQE_RADDR, window->to);
	LS_SET(at, WEFT_SQE_BIND_ADDR, m->to + off);
	LS_SET(at, WEFT_SQE_BIND_BYTES, n);
	LS_SET(at, WEFT_SQE_BIND_LKEY, m->stag);
	LS_SET(at, WEFT_SQE_BIND_ACCESS, access);
	return post(q);
}

uint16_t card_imm(struct card_qp *q, uint32_t imm, bool solicited)
{
	uint8_t *w = entry(q, WEFT_SQ_OPCODE_IMM, solicited);

	LS_SET(w, WEFT_SQE_IMM, imm);
	return post(q);
}

uint16_t card_recv(struct card_qp *q, struct card_mr *m, uint64_t off, uint32_t n)
{
	uint16_t index = q->rq_pi++;
	uint8_t *w = q->rq.p + 64 * (index & ((1u << Q_LOG2) - 1));

	memset(w, 0, 64);
	LS_SET(w, WEFT_RQE_NUM_SGE, 1);
	LS_SET(w, WEFT_RQE_INDEX, index);
	LS_SET(w, WEFT_RQE_LENGTH, n);
	LS_SET(w + WEFT_RQE_BYTES, WEFT_SGE_ADDR, m->to + off);
	LS_SET(w + WEFT_RQE_BYTES, WEFT_SGE_LENGTH, n);
	LS_SET(w + WEFT_RQE_BYTES, WEFT_SGE_LKEY, m->stag);
	ring(q->card, WEFT_DB_RQ, q->qpn, q->rq_pi);
	return index;
}
