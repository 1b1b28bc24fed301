// SPDX-License-Identifier: BSD-2-Clause
/*
 * Two whole cards with firmware, in lockstep: connection set-up by TCP and MPA between the two firmwares, data through the
 * hardware, close, faults, lost frames. Only admin commands, doorbells, rings and events are used, as a driver does.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../firmware/include/fw.h"
#include "lockstep.h"

#define PORT 4420
static struct lockstep *ls;
static struct side {
	struct ls_host *h;
	struct ls_mem eq, cq, sq, rq, buf, cm;
	unsigned eq_ci, cq_ci, sq_pi, rq_pi;
	uint32_t rsp[16];
	uint32_t stag;
} sides[2], *a = &sides[0], *b = &sides[1];

#define LOG2 4
static unsigned admin(struct side *s, uint32_t *c, unsigned op)
{
	SET(c, WEFT_ADMIN_CMD_OP, op);
	return ls_admin(s->h, (const uint8_t *)c, (uint8_t *)s->rsp);
}
#define OK(s, c, op) do { unsigned st_ = admin(s, c, op); if (st_) ls_fail(ls, "%s:%d: command %u: status %u detail %u", __FILE__, __LINE__, op, st_, (s)->rsp[2]); } while (0)


static bool has_event(void *arg)
{
	struct side *s = arg;

	return s->eq.p[(s->eq_ci & 63) * 64 + 63] >> 7 == !(s->eq_ci & 64);
}
static void any_event(struct side *s, uint32_t *e)
{
	if (!ls_run_until(ls, has_event, s, 20000000000ull)) ls_fail(ls, "host %u: no event", (unsigned)(s - sides));
	memcpy(e, s->eq.p + (s->eq_ci++ & 63) * 64, 64);
	ls_doorbell(s->h, 0, WEFT_DB_EQ, (uint64_t)(s->eq_ci & 0xffffff) << 32);
}
static void event(struct side *s, unsigned kind, uint32_t *e)
{
	any_event(s, e);
	if (GET(e, WEFT_EQE_KIND) != kind)
		ls_fail(ls, "host %u: event %u code %u data %x, wanted %u", (unsigned)(s - sides), GET(e, WEFT_EQE_KIND), GET(e, WEFT_EQE_CODE), GET(e, WEFT_EQE_DATA0), kind);
}
static bool has_cqe(void *arg)
{
	struct side *s = arg;

	return s->cq.p[(s->cq_ci & 63) * 32 + 31] >> 7 == !(s->cq_ci & 64);
}
static uint32_t *next_cqe(struct side *s)
{
	static uint32_t e[8];

	if (!ls_run_until(ls, has_cqe, s, 2000000000)) ls_fail(ls, "host %u: no completion", (unsigned)(s - sides));
	memcpy(e, s->cq.p + (s->cq_ci++ & 63) * 32, 32);
	ls_doorbell(s->h, 0, WEFT_DB_CQ, 1 | (uint64_t)(s->cq_ci & 0xffffff) << 32);
	return e;
}
static uint32_t *cqe(struct side *s, unsigned qpn, unsigned status)
{
	uint32_t *e = next_cqe(s);

	if (GET(e, WEFT_CQE_QPN) != qpn || GET(e, WEFT_CQE_STATUS) != status)
		ls_fail(ls, "host %u: completion of QP %u with status %u (opcode %u index %u detail %x), wanted QP %u status %u", (unsigned)(s - sides), GET(e, WEFT_CQE_QPN),
			GET(e, WEFT_CQE_STATUS), GET(e, WEFT_CQE_OPCODE), GET(e, WEFT_CQE_INDEX), GET(e, WEFT_CQE_VENDOR_ERR), qpn, status);
	return e;
}

static void region(struct side *s, uint32_t stag, unsigned state, unsigned qpn)
{
	uint32_t c[16] = { 0 };

	SET(c, WEFT_ADMIN_MR_STAG, stag);
	SET(c, WEFT_ADMIN_MR_STATE, state);
	SET(c, WEFT_ADMIN_MR_ACCESS, 0x1f);
	SET(c, WEFT_ADMIN_MR_PAGE_LOG2, 12);
	SET(c, WEFT_ADMIN_MR_PD, 7);
	SET64(c, WEFT_ADMIN_MR_BASE, 0x1000);
	SET64(c, WEFT_ADMIN_MR_LENGTH, s->buf.bytes);
	SET64(c, WEFT_ADMIN_MR_PBL, s->buf.bus);
	SET(c, WEFT_ADMIN_MR_FLAGS, 1);
	SET(c, WEFT_ADMIN_MR_PBL_COUNT, 4);
	SET(c, WEFT_ADMIN_MR_QPN, qpn);
	OK(s, c, WEFT_ADMIN_OP_MR_SET);
}
static void mr(struct side *s, uint32_t stag, unsigned state)
{
	region(s, stag, state, 0);
	s->stag = stag;
}

static void start(struct side *s, struct ls_host *h)
{
	struct side *peer = s == a ? b : a;
	uint64_t mac;
	uint32_t c[16] = { 0 };

	s->h = h;
	LS_CHECK(ls, ls_load_firmware(h, getenv("FW") ? getenv("FW") : "build/firmware/weft-fw.bin") == WEFT_FW_STATE_READY);
	ls_admin_start(h, LOG2);
	s->eq = ls_alloc(h, 4096);
	s->cq = ls_alloc(h, 4096);
	s->sq = ls_alloc(h, 4096);
	s->rq = ls_alloc(h, 4096);
	s->buf = ls_alloc(h, 16384);
	s->cm = ls_alloc(h, 1024 << LOG2);
	for (unsigned i = 0; i < 32; i++) BYTES(c, WEFT_ADMIN_INIT_SEED)[i] = (uint8_t)ls_random(ls);
	SET64(c, WEFT_ADMIN_INIT_CM_BUF, s->cm.bus);
	OK(s, c, WEFT_ADMIN_OP_INIT);
	ls_admin_give(h, (const uint8_t *)s->rsp);
	memset(c, 0, 64);
	SET64(c, WEFT_ADMIN_QUEUE_BASE, s->eq.bus);
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 6);
	SET(c, WEFT_ADMIN_QUEUE_VECTOR, 0xffff);
	OK(s, c, WEFT_ADMIN_OP_EQ_CREATE);
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_QUEUE_ID, 1);
	SET64(c, WEFT_ADMIN_QUEUE_BASE, s->cq.bus);
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 6);
	SET(c, WEFT_ADMIN_QUEUE_VECTOR, 0xffff);
	OK(s, c, WEFT_ADMIN_OP_CQ_CREATE);
	memset(c, 0, 64);
	mac = ls_mac(h);
	memcpy(BYTES(c, WEFT_ADMIN_L2_DMAC), &mac, 6);
	OK(s, c, WEFT_ADMIN_OP_MAC_SET);
	memcpy(BYTES(c, WEFT_ADMIN_L2_SMAC), &mac, 6);
	mac = ls_mac(ls_host(ls, (unsigned)(peer - sides)));
	memcpy(BYTES(c, WEFT_ADMIN_L2_DMAC), &mac, 6);
	SET(c, WEFT_ADMIN_L2_ID, 3);
	SET(c, WEFT_ADMIN_L2_MTU, 1500);
	SET(c, WEFT_ADMIN_L2_FLAGS, 1);
	OK(s, c, WEFT_ADMIN_OP_L2_SET);
	mr(s, 0x4217, WEFT_TPT_STATE_VALID);
}

static void qp_create(struct side *s, unsigned qpn)
{
	uint32_t c[16] = { 0 };

	SET(c, WEFT_ADMIN_QP_QPN, qpn);
	SET64(c, WEFT_ADMIN_QP_SQ_BASE, s->sq.bus);
	SET64(c, WEFT_ADMIN_QP_RQ_BASE, s->rq.bus);
	SET(c, WEFT_ADMIN_QP_SQ_LOG2, 5);
	SET(c, WEFT_ADMIN_QP_RQ_LOG2, 5);
	SET(c, WEFT_ADMIN_QP_SQ_STRIDE, WEFT_STRIDE_B64);
	SET(c, WEFT_ADMIN_QP_SCQN, 1);
	SET(c, WEFT_ADMIN_QP_RCQN, 1);
	SET(c, WEFT_ADMIN_QP_PD, 7);
	SET(c, WEFT_ADMIN_QP_ACCESS, 0x1f);
	SET(c, WEFT_ADMIN_QP_IRD, 4);
	SET(c, WEFT_ADMIN_QP_ORD, 4);
	OK(s, c, WEFT_ADMIN_OP_QP_CREATE);
	s->sq_pi = s->rq_pi = 0;
}
static void by_qpn(struct side *s, unsigned qpn, unsigned op)
{
	uint32_t c[16] = { 0 };

	SET(c, WEFT_ADMIN_QP_QPN, qpn);
	OK(s, c, op);
}

static void post_send(struct side *s, unsigned qpn, unsigned op, uint32_t off, uint32_t len, uint32_t rstag, uint64_t raddr)
{
	uint32_t *w = (uint32_t *)(s->sq.p + (s->sq_pi & 31) * 64);

	memset(w, 0, 64);
	SET(w, WEFT_SQE_OPCODE, op);
	SET(w, WEFT_SQE_SIGNALED, 1);
	SET(w, WEFT_SQE_NUM_SGE, 1);
	SET(w, WEFT_SQE_INDEX, s->sq_pi);
	SET(w, WEFT_SQE_LENGTH, len);
	SET(w, WEFT_SQE_RSTAG, rstag);
	SET64(w, WEFT_SQE_RADDR, raddr);
	w[8] = 0x1000 + off;
	w[10] = len;
	w[11] = s->stag;
	s->sq_pi++;
	ls_doorbell(s->h, 0, WEFT_DB_SQ, qpn | (uint64_t)(s->sq_pi & 0xffff) << 32);
}
/* A RST is said once. When it is lost the next segment of the other side meets the host's TCP, which says it again; there is none here. */
static void good_wire(void) { LS_CHECK(ls, !ls_wire_set(ls, "loss=0%,reorder=0%:1,dup=0%,corrupt=0%")); }
static void bad_wire(const char *as) { LS_CHECK(ls, !as || !ls_wire_set(ls, as)); }

static void post_inv(struct side *s, unsigned qpn, uint32_t stag)
{
	uint32_t *w = (uint32_t *)(s->sq.p + (s->sq_pi & 31) * 64);

	memset(w, 0, 64);
	SET(w, WEFT_SQE_OPCODE, WEFT_SQ_OPCODE_LOCAL_INV);
	SET(w, WEFT_SQE_SIGNALED, 1);
	SET(w, WEFT_SQE_INDEX, s->sq_pi);
	SET(w, WEFT_SQE_RSTAG, stag);
	s->sq_pi++;
	ls_doorbell(s->h, 0, WEFT_DB_SQ, qpn | (uint64_t)(s->sq_pi & 0xffff) << 32);
}
static void post_recv(struct side *s, unsigned qpn, uint32_t off, uint32_t len)
{
	uint32_t *w = (uint32_t *)(s->rq.p + (s->rq_pi & 31) * 64);

	memset(w, 0, 64);
	SET(w, WEFT_RQE_NUM_SGE, 1);
	SET(w, WEFT_RQE_INDEX, s->rq_pi);
	SET(w, WEFT_RQE_LENGTH, len);
	w[4] = 0x1000 + off;
	w[6] = len;
	w[7] = s->stag;
	s->rq_pi++;
	ls_doorbell(s->h, 0, WEFT_DB_RQ, qpn | (uint64_t)(s->rq_pi & 0xffff) << 32);
}

static uint8_t *cm(struct side *s, uint32_t *c, uint32_t id, unsigned qpn)
{
	uint8_t *p = s->cm.p + (ls_admin_tag(s->h) & ((1 << LOG2) - 1)) * 1024;

	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_CM_ID, id);
	SET(c, WEFT_ADMIN_CM_QPN, qpn);
	SET(c, WEFT_ADMIN_CM_HANDLE, 0x1234);
	SET(c, WEFT_ADMIN_CM_L2, 3);
	SET(c, WEFT_ADMIN_CM_IRD, 4);
	SET(c, WEFT_ADMIN_CM_ORD, 4);
	SET(c, WEFT_ADMIN_CM_FLAGS, 2 | 4);
	memcpy(BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR), s == a ? "\12\0\0\1" : "\12\0\0\2", 4);
	memset(p, 0, 1024);
	memcpy(p, s == a ? "\12\0\0\2" : "\12\0\0\1", 4);
	return p;
}

static uint32_t ha, hb;
static bool no_recv;
static uint16_t aport = 40000;
static void connect_qps(unsigned qa, unsigned qb)
{
	uint32_t c[16], e[16];
	uint64_t t0 = ls_cycles(ls);
	uint8_t *p;

	p = cm(a, c, 0, qa);
	SET(c, WEFT_ADMIN_CM_LOCAL_PORT, ++aport);
	SET(c, WEFT_ADMIN_CM_PEER_PORT, PORT);
	SET(c, WEFT_ADMIN_CM_PD_BYTES, 5);
	memcpy(p + 32, "hello", 5);
	OK(a, c, WEFT_ADMIN_OP_CONNECT);
	ha = GET(a->rsp, WEFT_ADMIN_RSP_ID);
	event(b, WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e);
	hb = GET(e, WEFT_EQE_ID);
	LS_CHECK(ls, GET(e, WEFT_EQE_PD_BYTES) == 5 && GET(e, WEFT_EQE_IRD) == 4 && GET(e, WEFT_EQE_PEER_PORT) == aport);
	p = cm(b, c, hb, 0);
	OK(b, c, WEFT_ADMIN_OP_QUERY_CONN);
	LS_CHECK(ls, !memcmp(p + 32, "hello", 5));
	p = cm(b, c, hb, qb);
	SET(c, WEFT_ADMIN_CM_PD_BYTES, 3);
	memcpy(p + 32, "yes", 3);
	OK(b, c, WEFT_ADMIN_OP_ACCEPT);
	event(b, WEFT_EQE_TYPE_CM_ESTABLISHED, e);
	event(a, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK && GET(e, WEFT_EQE_ID) == ha && GET(e, WEFT_EQE_PD_BYTES) == 3);
	printf("# connected in %llu cycles\n", (unsigned long long)(ls_cycles(ls) - t0));
}
static void close_both(unsigned qa, unsigned qb)
{
	uint32_t c[16], e[16];

	cm(a, c, ha, 0);
	OK(a, c, WEFT_ADMIN_OP_DISCONNECT);
	event(b, WEFT_EQE_TYPE_CM_DISCONNECT, e);
	event(b, WEFT_EQE_TYPE_CM_CLOSE, e);
	LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK);
	event(a, WEFT_EQE_TYPE_CM_CLOSE, e);
	LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK && GET(e, WEFT_EQE_ID) == ha);
	by_qpn(a, qa, WEFT_ADMIN_OP_QP_DESTROY);
	by_qpn(b, qb, WEFT_ADMIN_OP_QP_DESTROY);
}

/* An acknowledged Write may still lie in the receive ring of the peer. */
#define PLACED_CYCLES 2000000
static struct { const uint8_t *to, *from; uint32_t len; } look;
static bool same(void *arg)
{
	(void)arg;
	return !memcmp(look.to, look.from, look.len);
}
static void placed(const uint8_t *to, const uint8_t *from, uint32_t len)
{
	look.to = to;
	look.from = from;
	look.len = len;
	LS_CHECK(ls, ls_run_until(ls, same, NULL, PLACED_CYCLES));
}

static void data(unsigned qa, unsigned qb, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		uint32_t len = 1 + (uint32_t)(ls_random(ls) % 4000), off = (uint32_t)(ls_random(ls) % 100);

		for (unsigned k = 0; k < 16384; k++) a->buf.p[k] = (uint8_t)ls_random(ls);
		post_send(a, qa, WEFT_SQ_OPCODE_WRITE, off, len, b->stag, 0x1000 + 8192 + off);
		cqe(a, qa, WEFT_WC_STATUS_SUCCESS);
		placed(b->buf.p + 8192 + off, a->buf.p + off, len);
		post_send(b, qb, WEFT_SQ_OPCODE_WRITE, 8192 + off, len, a->stag, 0x1000 + 12000);
		cqe(b, qb, WEFT_WC_STATUS_SUCCESS);
		placed(a->buf.p + 12000, b->buf.p + 8192 + off, len);
		post_send(a, qa, WEFT_SQ_OPCODE_READ, 12000, len, b->stag, 0x1000 + 8192 + off);
		cqe(a, qa, WEFT_WC_STATUS_SUCCESS);
		LS_CHECK(ls, !memcmp(a->buf.p + 12000, b->buf.p + 8192 + off, len));
		if (no_recv) continue;
		/* Write to b, Send to b, Send back, Read from b */
		post_send(a, qa, WEFT_SQ_OPCODE_WRITE, off, len, b->stag, 0x1000 + 8192 + off);
		post_recv(b, qb, 4096, 4096);
		post_send(a, qa, WEFT_SQ_OPCODE_SEND, off + 1, len, 0, 0);
		cqe(b, qb, WEFT_WC_STATUS_SUCCESS);
		LS_CHECK(ls, !memcmp(b->buf.p + 8192 + off, a->buf.p + off, len));
		LS_CHECK(ls, !memcmp(b->buf.p + 4096, a->buf.p + off + 1, len));
		cqe(a, qa, WEFT_WC_STATUS_SUCCESS);
		cqe(a, qa, WEFT_WC_STATUS_SUCCESS);
		post_recv(a, qa, 12000, 4200);
		post_send(b, qb, WEFT_SQ_OPCODE_SEND, 8192, len, 0, 0);
		cqe(a, qa, WEFT_WC_STATUS_SUCCESS);
		LS_CHECK(ls, !memcmp(a->buf.p + 12000, b->buf.p + 8192, len));
		cqe(b, qb, WEFT_WC_STATUS_SUCCESS);
		post_send(a, qa, WEFT_SQ_OPCODE_READ, 12000, len, b->stag, 0x1000 + 4096);
		cqe(a, qa, WEFT_WC_STATUS_SUCCESS);
		LS_CHECK(ls, !memcmp(a->buf.p + 12000, b->buf.p + 4096, len));
	}
}

/* The n-th data frame of firmware from host `from` is lost. */
static unsigned drop_from, drop_at, seen_frames;
static bool drop_one(void *arg, unsigned from, uint8_t *f, size_t len)
{
	(void)arg; (void)f; (void)len;
	return !(from == drop_from && seen_frames++ == drop_at);
}

int main(int argc, char **argv)
{
	struct ls_options o = ls_defaults(argc, argv);
	uint32_t c[16], e[16];

	setvbuf(stdout, NULL, _IOLBF, 0);
	no_recv = getenv("NO_RECV");
	ls = ls_new(&o);
	ls_patience(ls, 2000000000);
	start(a, ls_host(ls, 0));
	start(b, ls_host(ls, 1));
	cm(b, c, 0, 0);
	SET(c, WEFT_ADMIN_CM_LOCAL_PORT, PORT);
	OK(b, c, WEFT_ADMIN_OP_LISTEN);

	qp_create(a, 1);
	qp_create(b, 2);
	connect_qps(1, 2);
	data(1, 2, 3);
	close_both(1, 2);
	printf("ok core/two-cards connect, data, close\n");

	/* every frame of the set-up lost once, from either side */
	for (unsigned k = 0; !getenv("SHORT") && k < 7; k++) {
		qp_create(a, 1);
		qp_create(b, 2);
		drop_from = k & 1;
		drop_at = k / 2;
		seen_frames = 0;
		ls_wire_hook(ls, drop_one, NULL);
		connect_qps(1, 2);
		data(1, 2, 1);
		ls_wire_hook(ls, NULL, NULL);
		close_both(1, 2);
	}
	if (!getenv("SHORT")) printf("ok core/two-cards lost frames\n");

	/* no data at all, closed by the responder; then closed by both at once */
	qp_create(a, 6);
	qp_create(b, 6);
	connect_qps(6, 6);
	cm(b, c, hb, 0);
	OK(b, c, WEFT_ADMIN_OP_DISCONNECT);
	event(a, WEFT_EQE_TYPE_CM_DISCONNECT, e);
	event(a, WEFT_EQE_TYPE_CM_CLOSE, e);
	event(b, WEFT_EQE_TYPE_CM_CLOSE, e);
	LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK);
	by_qpn(a, 6, WEFT_ADMIN_OP_QP_DESTROY);
	by_qpn(b, 6, WEFT_ADMIN_OP_QP_DESTROY);
	qp_create(a, 7);
	qp_create(b, 7);
	connect_qps(7, 7);
	data(7, 7, 1);
	cm(a, c, ha, 0);
	OK(a, c, WEFT_ADMIN_OP_DISCONNECT);
	cm(b, c, hb, 0);
	OK(b, c, WEFT_ADMIN_OP_DISCONNECT);
	for (int i = 0; i < 2; i++) {
		do {
			any_event(&sides[i], e);
		} while (GET(e, WEFT_EQE_KIND) == WEFT_EQE_TYPE_CM_DISCONNECT);
		LS_CHECK(ls, GET(e, WEFT_EQE_KIND) == WEFT_EQE_TYPE_CM_CLOSE && GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK);
		by_qpn(&sides[i], 7, WEFT_ADMIN_OP_QP_DESTROY);
	}
	printf("ok core/two-cards close by the responder, by both\n");

	/* a fault: Write to an STag that is not there; Terminate there and back */
	qp_create(a, 3);
	qp_create(b, 3);
	connect_qps(3, 3);
	post_recv(b, 3, 0, 100);
	post_send(a, 3, WEFT_SQ_OPCODE_WRITE, 0, 100, b->stag, 0x1000);
	post_send(a, 3, WEFT_SQ_OPCODE_WRITE, 0, 3000, b->stag, 0x1000);
	post_send(a, 3, WEFT_SQ_OPCODE_WRITE, 0, 100, 0x99999, 0x1000);
	post_send(a, 3, WEFT_SQ_OPCODE_WRITE, 0, 3000, b->stag, 0x1000);
	post_send(a, 3, WEFT_SQ_OPCODE_WRITE, 0, 100, b->stag, 0x1000);
	event(b, WEFT_EQE_TYPE_QP_ERROR, e);
	LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_TERMINATE_SENT && GET(e, WEFT_EQE_DATA0) >> 16 == 0x1100);
	event(a, WEFT_EQE_TYPE_QP_ERROR, e);
	LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_TERMINATE_RECEIVED && GET(e, WEFT_EQE_DATA0) >> 16 == 0x1100);
	event(a, WEFT_EQE_TYPE_CM_CLOSE, e);
	event(b, WEFT_EQE_TYPE_CM_CLOSE, e);
	cqe(b, 3, WEFT_WC_STATUS_WR_FLUSH_ERR);
	/* The Terminate acknowledges what lies in front of it; what came ahead of turn was acknowledged when it was stored. */
	for (unsigned i = 0, flushed = 0; i < 5; i++) {
		unsigned status = GET(next_cqe(a), WEFT_CQE_STATUS);

		LS_CHECK(ls, status == (flushed ? WEFT_WC_STATUS_WR_FLUSH_ERR : i < 2 || (o.wire && !status) ? WEFT_WC_STATUS_SUCCESS : WEFT_WC_STATUS_REM_ACCESS_ERR));
		flushed |= status;
	}
	by_qpn(a, 3, WEFT_ADMIN_OP_QP_DESTROY);
	by_qpn(b, 3, WEFT_ADMIN_OP_QP_DESTROY);
	printf("ok core/two-cards fault and Terminate\n");

	/*
	 * A local invalidate behind a Write from the region; what follows goes on with another region, then is refused. Then one of a region that
	 * no queue pair owns. Both end their connection, and nobody else hears of it.
	 */
	for (unsigned k = 0; k < 2; k++) {
		uint32_t own = 0x4318 + k, all = a->stag;

		qp_create(a, 8);
		qp_create(b, 8);
		connect_qps(8, 8);
		region(a, own, WEFT_TPT_STATE_VALID, 8);
		for (unsigned i = 0; i < 16384; i++) a->buf.p[i] = (uint8_t)ls_random(ls);
		a->stag = own;
		post_send(a, 8, WEFT_SQ_OPCODE_WRITE, 0, 6000, b->stag, 0x1000);
		if (k) { /* what is unacknowledged when it is refused is flushed */
			cqe(a, 8, WEFT_WC_STATUS_SUCCESS);
			placed(b->buf.p, a->buf.p, 6000);
			good_wire();
		}
		post_inv(a, 8, k ? all : own);
		a->stag = all;
		post_send(a, 8, WEFT_SQ_OPCODE_WRITE, 8192, 4000, b->stag, 0x1000 + 8192);
		if (!k) {
			cqe(a, 8, WEFT_WC_STATUS_SUCCESS);
			placed(b->buf.p, a->buf.p, 6000);
			LS_CHECK(ls, GET(cqe(a, 8, WEFT_WC_STATUS_SUCCESS), WEFT_CQE_OPCODE) == WEFT_WC_OPCODE_LOCAL_INV);
			cqe(a, 8, WEFT_WC_STATUS_SUCCESS);
			placed(b->buf.p + 8192, a->buf.p + 8192, 4000);
			a->stag = own;
			good_wire();
			post_send(a, 8, WEFT_SQ_OPCODE_WRITE, 0, 100, b->stag, 0x1000);
			a->stag = all;
		}
		cqe(a, 8, k ? WEFT_WC_STATUS_MW_BIND_ERR : WEFT_WC_STATUS_LOC_PROT_ERR);
		event(a, WEFT_EQE_TYPE_QP_ERROR, e);
		LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_LOCAL_ERROR);
		event(a, WEFT_EQE_TYPE_CM_CLOSE, e);
		event(b, WEFT_EQE_TYPE_QP_ERROR, e);
		event(b, WEFT_EQE_TYPE_CM_CLOSE, e);
		if (k) cqe(a, 8, WEFT_WC_STATUS_WR_FLUSH_ERR);
		bad_wire(o.wire);
		by_qpn(a, 8, WEFT_ADMIN_OP_QP_DESTROY);
		by_qpn(b, 8, WEFT_ADMIN_OP_QP_DESTROY);
		region(a, own, WEFT_TPT_STATE_FREE, 0);
		qp_create(a, 9);
		qp_create(b, 9);
		connect_qps(9, 9);
		data(9, 9, 1);
		close_both(9, 9);
	}
	printf("ok core/two-cards local invalidate\n");

	/* abort: RST kills the other side */
	qp_create(a, 4);
	qp_create(b, 4);
	connect_qps(4, 4);
	good_wire();
	cm(a, c, ha, 0);
	OK(a, c, WEFT_ADMIN_OP_ABORT);
	event(a, WEFT_EQE_TYPE_CM_CLOSE, e);
	LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_ABORTED);
	event(b, WEFT_EQE_TYPE_QP_ERROR, e);
	event(b, WEFT_EQE_TYPE_CM_CLOSE, e);
	LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_RESET);
	post_recv(b, 4, 0, 10); /* a QP in ERROR flushes what is posted */
	cqe(b, 4, WEFT_WC_STATUS_WR_FLUSH_ERR);
	by_qpn(a, 4, WEFT_ADMIN_OP_QP_DESTROY);
	by_qpn(b, 4, WEFT_ADMIN_OP_QP_DESTROY);
	bad_wire(o.wire);
	mr(a, 0x4217, WEFT_TPT_STATE_FREE);
	mr(b, 0x4217, WEFT_TPT_STATE_FREE);
	/* refused: nobody listens there */
	qp_create(a, 5);
	cm(a, c, 0, 5);
	SET(c, WEFT_ADMIN_CM_LOCAL_PORT, 777);
	SET(c, WEFT_ADMIN_CM_PEER_PORT, PORT);
	OK(a, c, WEFT_ADMIN_OP_CONNECT);
	event(b, WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e);
	cm(b, c, GET(e, WEFT_EQE_ID), 0);
	SET(c, WEFT_ADMIN_CM_PD_BYTES, 2);
	OK(b, c, WEFT_ADMIN_OP_REJECT);
	event(a, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	LS_CHECK(ls, GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_REJECTED && GET(e, WEFT_EQE_PD_BYTES) == 2);
	by_qpn(a, 5, WEFT_ADMIN_OP_QP_DESTROY);
	for (int i = 0; i < 2; i++) LS_CHECK(ls, !ls_host_stats(ls_host(ls, (unsigned)i))->bad_reads && !ls_host_stats(ls_host(ls, (unsigned)i))->bad_writes);
	printf("ok core/two-cards abort, reject\n");
	ls_free(ls);
	return 0;
}
