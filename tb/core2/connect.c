// SPDX-License-Identifier: BSD-2-Clause
/*
 * Two cards with firmware: queue pairs by admin commands, connections by handshake, every kind of message over them and every byte
 * compared, then a close.
 *
 * connect +pairs=N +ops=N +first=QPN [--seed N] [--adversary ...] [--wire ...]; FW: the image
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep.h"

#define MAX_PAIRS 16
#define LEN 9000u
#define PORT 7174
#define ADMIN_LOG2 4
#define EQ_LOG2 8
#define L2_ENTRY 3
#define LW (1 << WEFT_ACCESS_LOCAL_WRITE)
#define LR (1 << WEFT_ACCESS_LOCAL_READ)
#define RW (1 << WEFT_ACCESS_REMOTE_WRITE)
#define RR (1 << WEFT_ACCESS_REMOTE_READ)

static struct lockstep *ls;
static unsigned int pairs = 1, ops = 8, first; /* first: QPN of the first pair, those behind it follow */
static struct end {
	struct ls_host *h;
	struct ls_mem eq, cm;
	uint32_t ci;
} ends[2];
static struct pair {
	struct ls_qp *q[2];
	struct ls_cq *cq[2];
	struct ls_mr *mr[2]; /* sent from 0 on, received from LEN on */
	uint32_t handle[2];
} all[MAX_PAIRS];

static void admin(struct end *e, uint8_t c[64], unsigned int op, uint8_t rsp[64])
{
	unsigned int status;

	LS_SET(c, WEFT_ADMIN_CMD_OP, op);
	status = ls_admin(e->h, c, rsp);
	if (status)
		ls_fail(ls, "host %u: admin command %u: status %u, detail %u", ls_index(e->h), op, status,
			(unsigned int)LS_GET(rsp, WEFT_ADMIN_RSP_DETAIL));
}

static void start(struct end *e, unsigned int i)
{
	uint8_t c[64] = { 0 }, rsp[64];
	uint64_t mac;

	e->h = ls_host(ls, i);
	LS_CHECK(ls, ls_load_firmware(e->h, getenv("FW") ? getenv("FW") : "build/firmware/weft-fw.bin") == WEFT_FW_STATE_READY);
	ls_admin_start(e->h, ADMIN_LOG2);
	e->eq = ls_alloc(e->h, 64u << EQ_LOG2);
	e->cm = ls_alloc(e->h, WEFT_ADMIN_CM_BUF_BYTES << ADMIN_LOG2);
	for (unsigned int k = 0; k < 32; k++)
		c[WEFT_ADMIN_INIT_SEED_OFF + k] = (uint8_t)ls_random(ls);
	LS_SET(c, WEFT_ADMIN_INIT_CM_BUF, e->cm.bus);
	admin(e, c, WEFT_ADMIN_OP_INIT, rsp);
	ls_admin_give(e->h, rsp);
	memset(c, 0, 64);
	LS_SET(c, WEFT_ADMIN_QUEUE_BASE, e->eq.bus);
	LS_SET(c, WEFT_ADMIN_QUEUE_LOG2, EQ_LOG2);
	LS_SET(c, WEFT_ADMIN_QUEUE_VECTOR, 0xffff);
	admin(e, c, WEFT_ADMIN_OP_EQ_CREATE, rsp);
	memset(c, 0, 64);
	mac = ls_mac(e->h);
	memcpy(c + WEFT_ADMIN_L2_DMAC_OFF, &mac, 6);
	admin(e, c, WEFT_ADMIN_OP_MAC_SET, rsp);
	memset(c, 0, 64);
	memcpy(c + WEFT_ADMIN_L2_SMAC_OFF, &mac, 6);
	mac = ls_mac(ls_host(ls, !i));
	memcpy(c + WEFT_ADMIN_L2_DMAC_OFF, &mac, 6);
	LS_SET(c, WEFT_ADMIN_L2_ID, L2_ENTRY);
	LS_SET(c, WEFT_ADMIN_L2_MTU, 1500);
	LS_SET(c, WEFT_ADMIN_L2_FLAGS, 1);
	admin(e, c, WEFT_ADMIN_OP_L2_SET, rsp);
}

static void make(struct pair *p, unsigned int k, unsigned int pd)
{
	struct end *e = &ends[k];
	struct ls_qp_attr qa = { .pd = pd, .page = 1, .access = RW | RR, .ird = 4, .ord = 4 };
	struct ls_mr_attr mr = { .bytes = 2 * LEN, .pd = pd, .access = LR | LW | RW | RR, .fbo = 64 * (pd % 40) };
	uint8_t c[64] = { 0 }, rsp[64];

	qa.qpn = first ? first + (unsigned int)(p - all) : 0;
	p->cq[k] = ls_cq_create(e->h, 8, NULL, 1);
	qa.scq = qa.rcq = p->cq[k];
	p->q[k] = ls_qp_create(e->h, &qa);
	p->mr[k] = ls_mr_create(e->h, &mr);
	LS_SET(c, WEFT_ADMIN_QP_QPN, ls_qpn(p->q[k]));
	LS_SET(c, WEFT_ADMIN_QP_SQ_BASE, ls_qp_sq(p->q[k]).bus);
	LS_SET(c, WEFT_ADMIN_QP_RQ_BASE, ls_qp_rq(p->q[k]).bus);
	LS_SET(c, WEFT_ADMIN_QP_SQ_LOG2, 6);
	LS_SET(c, WEFT_ADMIN_QP_RQ_LOG2, 6);
	LS_SET(c, WEFT_ADMIN_QP_SCQN, ls_cq_number(p->cq[k]));
	LS_SET(c, WEFT_ADMIN_QP_RCQN, ls_cq_number(p->cq[k]));
	LS_SET(c, WEFT_ADMIN_QP_PD, pd);
	LS_SET(c, WEFT_ADMIN_QP_DB_PAGE, 1);
	LS_SET(c, WEFT_ADMIN_QP_ACCESS, RW | RR);
	LS_SET(c, WEFT_ADMIN_QP_IRD, 4);
	LS_SET(c, WEFT_ADMIN_QP_ORD, 4);
	admin(e, c, WEFT_ADMIN_OP_QP_CREATE, rsp);
}

/* ---- connections ---- */

static void cm_command(unsigned int k, uint8_t c[64], uint32_t id, uint32_t qpn)
{
	uint8_t *b = ends[k].cm.p + (ls_admin_tag(ends[k].h) & ((1u << ADMIN_LOG2) - 1)) * WEFT_ADMIN_CM_BUF_BYTES;
	const uint8_t mine[4] = { 10, 0, 0, (uint8_t)(1 + k) }, other[4] = { 10, 0, 0, (uint8_t)(2 - k) };

	memset(c, 0, 64);
	memset(b, 0, WEFT_ADMIN_CM_BUF_BYTES);
	LS_SET(c, WEFT_ADMIN_CM_ID, id);
	LS_SET(c, WEFT_ADMIN_CM_QPN, qpn);
	LS_SET(c, WEFT_ADMIN_CM_HANDLE, qpn);
	LS_SET(c, WEFT_ADMIN_CM_L2, L2_ENTRY);
	LS_SET(c, WEFT_ADMIN_CM_FLAGS, 2 | 4);
	LS_SET(c, WEFT_ADMIN_CM_IRD, 4);
	LS_SET(c, WEFT_ADMIN_CM_ORD, 4);
	memcpy(c + WEFT_ADMIN_CM_LOCAL_ADDR_OFF, mine, 4);
	memcpy(b, other, 4);
}

static bool arrived(void *arg)
{
	const struct end *e = arg;

	return LS_GET(e->eq.p + 64 * (e->ci & ((1u << EQ_LOG2) - 1)), WEFT_EQE_PHASE) != (e->ci >> EQ_LOG2 & 1);
}

/* The next event, which has to be of this kind. */
static uint32_t event(unsigned int k, unsigned int kind)
{
	struct end *e = &ends[k];
	const uint8_t *l = e->eq.p + 64 * (e->ci & ((1u << EQ_LOG2) - 1));

	if (!ls_run_until(ls, arrived, e, 600000000)) {
		ls_print_counters(ls);
		ls_fail(ls, "host %u: event %u does not come", k, kind);
	}
	if (l[0] != kind || (l[1] != 0 && kind != WEFT_EQE_TYPE_CM_CLOSE))
		ls_fail(ls, "host %u: event %u code %u, not %u", k, l[0], l[1], kind);
	e->ci++;
	ls_doorbell(e->h, 0, WEFT_DB_EQ, (uint64_t)e->ci << 32);
	return (uint32_t)LS_GET(l, WEFT_EQE_ID);
}

static void join(struct pair *p, unsigned int i)
{
	uint8_t c[64], rsp[64];

	cm_command(0, c, 0, ls_qpn(p->q[0]));
	LS_SET(c, WEFT_ADMIN_CM_LOCAL_PORT, 40000 + i);
	LS_SET(c, WEFT_ADMIN_CM_PEER_PORT, PORT);
	admin(&ends[0], c, WEFT_ADMIN_OP_CONNECT, rsp);
	p->handle[0] = (uint32_t)LS_GET(rsp, WEFT_ADMIN_RSP_ID);
	p->handle[1] = event(1, WEFT_EQE_TYPE_CM_CONNECT_REQUEST);
	cm_command(1, c, p->handle[1], ls_qpn(p->q[1]));
	admin(&ends[1], c, WEFT_ADMIN_OP_ACCEPT, rsp);
	LS_CHECK(ls, event(0, WEFT_EQE_TYPE_CM_CONNECT_REPLY) == p->handle[0]);
}

/* ---- messages ---- */

struct look {
	struct ls_mr *mr;
	uint64_t at, seed;
	uint32_t len;
};
static bool same(void *arg)
{
	const struct look *l = arg;

	return ls_mr_same(l->mr, l->at, l->len, l->seed);
}

static void message(struct pair *p, unsigned int k, unsigned int n)
{
	static const uint8_t kinds[] = { WEFT_SQ_OPCODE_WRITE, WEFT_SQ_OPCODE_SEND, WEFT_SQ_OPCODE_READ };
	uint8_t kind = kinds[n % 3];
	struct look l = { .len = 1 + (uint32_t)(ls_random(ls) >> 20) % (LEN - 1), .seed = ls_random(ls), .at = LEN };
	bool read = kind == WEFT_SQ_OPCODE_READ;
	struct ls_send wr = { .opcode = kind, .signaled = true, .num_sge = 1 };
	struct ls_wc wc;

	l.mr = p->mr[read ? k : !k];
	ls_mr_fill(p->mr[read ? !k : k], 0, l.len, l.seed);
	wr.sge[0] = (struct ls_sge){ .mr = p->mr[k], .offset = read ? LEN : 0, .length = l.len };
	if (kind == WEFT_SQ_OPCODE_SEND) {
		struct ls_sge into = { .mr = p->mr[!k], .offset = LEN, .length = LEN };

		ls_post_recv(p->q[!k], &into, 1);
		ls_ring_rq(p->q[!k]);
	} else {
		wr.rstag = p->mr[!k]->stag;
		wr.raddr = p->mr[!k]->to + (read ? 0 : LEN);
	}
	ls_post_send(p->q[k], &wr);
	ls_ring_sq(p->q[k]);
	wc = ls_cq_wait(p->cq[k]);
	if (wc.status || wc.qpn != ls_qpn(p->q[k]))
		ls_fail(ls, "host %u: QP %u opcode %u: status %u vendor %#x", k, wc.qpn, kind, wc.status, wc.vendor_err);
	if (kind == WEFT_SQ_OPCODE_SEND) {
		wc = ls_cq_wait(p->cq[!k]);
		LS_CHECK(ls, !wc.status && wc.opcode == WEFT_WC_OPCODE_RECV && wc.bytes == l.len);
	}
	if (!ls_run_until(ls, same, &l, 200000))
		ls_mr_check(l.mr, l.at, l.len, l.seed);
}

static void part(struct pair *p)
{
	uint8_t c[64], rsp[64];

	cm_command(0, c, p->handle[0], 0);
	admin(&ends[0], c, WEFT_ADMIN_OP_DISCONNECT, rsp);
	LS_CHECK(ls, event(1, WEFT_EQE_TYPE_CM_DISCONNECT) == p->handle[1]);
	cm_command(1, c, p->handle[1], 0);
	admin(&ends[1], c, WEFT_ADMIN_OP_DISCONNECT, rsp);
	LS_CHECK(ls, event(0, WEFT_EQE_TYPE_CM_CLOSE) == p->handle[0]);
	LS_CHECK(ls, event(1, WEFT_EQE_TYPE_CM_CLOSE) == p->handle[1]);
}

int main(int argc, char **argv)
{
	struct ls_options o;
	uint8_t c[64], rsp[64];
	bool close = true;
	int keep = 1;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "+pairs=", 7))
			pairs = (unsigned int)atoi(argv[i] + 7);
		else if (!strncmp(argv[i], "+ops=", 5))
			ops = (unsigned int)atoi(argv[i] + 5);
		else if (!strncmp(argv[i], "+first=", 7))
			first = (unsigned int)atoi(argv[i] + 7);
		else if (!strcmp(argv[i], "+open"))
			close = false;
		else
			argv[keep++] = argv[i];
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!pairs || pairs > MAX_PAIRS)
		return 2;
	o = ls_defaults(keep, argv);
	ls = ls_new(&o);
	ls_patience(ls, 4000000);
	for (unsigned int k = 0; k < 2; k++)
		start(&ends[k], k);
	cm_command(1, c, 0, 0);
	LS_SET(c, WEFT_ADMIN_CM_LOCAL_PORT, PORT);
	admin(&ends[1], c, WEFT_ADMIN_OP_LISTEN, rsp);
	for (unsigned int i = 0; i < pairs; i++) {
		make(&all[i], 0, 7 + i);
		make(&all[i], 1, 40 + i);
		join(&all[i], i);
		printf("# connection %u: cycle %llu\n", i, (unsigned long long)ls_cycles(ls));
		/* the responder speaks when the initiator has spoken */
		message(&all[i], 0, 0);
		LS_CHECK(ls, event(1, WEFT_EQE_TYPE_CM_ESTABLISHED) == all[i].handle[1]);
		printf("# a Write over it: cycle %llu\n", (unsigned long long)ls_cycles(ls));
	}
	for (unsigned int n = 0; n < ops; n++)
		for (unsigned int i = 0; i < pairs; i++)
			message(&all[i], n & 1, n / 2);
	printf("# messages: cycle %llu\n", (unsigned long long)ls_cycles(ls));
	for (unsigned int i = 0; i < pairs && close; i++)
		part(&all[i]);
	printf("# %u connections, %u messages each, %llu cycles\n", pairs, ops + 1, (unsigned long long)ls_cycles(ls));
	ls_free(ls);
	return 0;
}
