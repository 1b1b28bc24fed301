// SPDX-License-Identifier: BSD-2-Clause
/*
 * Memory that a kernel's queue pair registers and takes back by its send queue, in two whole cards with firmware. A region with a
 * page list is allocated INVALID; then, again and again, FAST_REG gives it a key, a first TO and rights, a Write from it stands right
 * behind, the peer Writes into it and Reads from it, it is the sink of a Read, and LOCAL_INV or the peer's Send with Invalidate
 * ends that. What is done with it afterwards is refused, each time on a connection of its own, and the judge of the harness sees
 * whoever touches it then. STag 0 is all of memory for such a queue pair, for its own work requests alone.
 *
 * +windows: windows of a process's queue pair instead, of both types, bound to a region without rights for the peer. He Writes and Reads by them, at any place of
 * the region, until BIND_MW, LOCAL_INV or his Send with Invalidate ends that; the region cannot be taken back as long as one is bound to it. +lives: nothing
 * that is refused, for bad wires, on which a refused Write may have been acknowledged.
 *
 * fast_reg [+windows [+lives]] +rounds=N [--seed N] [--adversary ...] [--wire ...]; FW: the image
 */
#include <stdio.h>

#include "cards.h"

#define LEN 9000u /* a Write of it is more than a page and more than a segment */
#define LW (1 << WEFT_ACCESS_LOCAL_WRITE)
#define LR (1 << WEFT_ACCESS_LOCAL_READ)
#define RW (1 << WEFT_ACCESS_REMOTE_WRITE)
#define RR (1 << WEFT_ACCESS_REMOTE_READ)
#define RI (1 << WEFT_ACCESS_REMOTE_INV)
#define MB (1 << WEFT_ACCESS_MW_BIND)
#define PD_A 7
#define PD_B 40

static struct lockstep *ls;
static struct card cards[2], *ends[2] = { &cards[0], &cards[1] };
static struct ls_cq *cq[2];
static struct ls_qp *q[2];
static uint32_t handle[2];
static struct ls_mr *fast, *plain, *mem[2]; /* fast: of host 0, what this is about */
static uint16_t port = 40000;
static const char *wire;	/* what it does; NULL: nothing */

static uint32_t below(uint32_t n) { return (uint32_t)(ls_random(ls) >> 20) % n; }

static void post(unsigned int k, unsigned int opcode, bool signaled, struct ls_mr *mine, uint64_t at, const struct ls_mr *other, uint64_t there);
static struct ls_wc done(unsigned int k, unsigned int status, unsigned int opcode);

/* A connection between queue pairs that are new; host 0 has sent first, as MPA wants it. */
static void join(bool privileged)
{
	for (unsigned int k = 0; k < 2; k++) {
		struct ls_qp_attr qa = { .pd = k ? PD_B : PD_A, .page = 1, .access = RW | RR | RI, .ird = CARD_READS, .ord = CARD_READS,
					 .privileged = !k && privileged, .scq = cq[k], .rcq = cq[k] };

		q[k] = ls_qp_create(ends[k]->h, &qa);
		card_qp_as(ends[k], q[k], cq[k], qa.pd, 1, qa.access, qa.privileged);
	}
	card_join(ends, q[0], q[1], port++, handle);
	post(0, WEFT_SQ_OPCODE_WRITE, true, mem[0], 0, mem[1], 0);
	ls_ring_sq(q[0]);
	done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_WRITE);
}

static struct ls_wc done(unsigned int k, unsigned int status, unsigned int opcode)
{
	struct ls_wc wc = ls_cq_wait(cq[k]);

	if (wc.qpn != ls_qpn(q[k]) || wc.status != status || (!status && wc.opcode != opcode))
		ls_fail(ls, "host %u: QP %u opcode %u status %u vendor %#x, wanted opcode %u status %u", k, wc.qpn, wc.opcode, wc.status,
			wc.vendor_err, opcode, status);
	return wc;
}

struct look {
	struct ls_mr *mr;
	uint64_t at, seed;
};
static bool same(void *arg)
{
	const struct look *l = arg;

	return ls_mr_same(l->mr, l->at, LEN, l->seed);
}
/* What was acknowledged may still lie in the peer's receive ring. */
static void landed(struct ls_mr *mr, uint64_t at, uint64_t seed)
{
	struct look l = { mr, at, seed };

	if (!ls_run_until(ls, same, &l, 2000000))
		ls_mr_check(mr, at, LEN, seed);
}

static void post_reg(uint8_t access)
{
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_FAST_REG, .signaled = true, .rstag = fast->stag, .raddr = fast->to };
	uint8_t *list = ls_sq_slot(q[0], ls_post_send(q[0], &wr)) + WEFT_SQE_BYTES;

	LS_SET(list, WEFT_SQE_REG_PBL, fast->list.bus);
	LS_SET(list, WEFT_SQE_REG_BYTES, fast->bytes);
	LS_SET(list, WEFT_SQE_REG_PBL_COUNT, fast->page_count);
	LS_SET(list, WEFT_SQE_REG_FBO, fast->attr.fbo);
	LS_SET(list, WEFT_SQE_REG_ACCESS, access);
	LS_SET(list, WEFT_SQE_REG_PAGE_LOG2, fast->attr.page_log2);
}
static void post_inv(void)
{
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_LOCAL_INV, .signaled = true, .rstag = fast->stag };

	ls_post_send(q[0], &wr);
}
/* Bytes from or, of a Read, to `at` of mine; to or from `there` of other. */
static void post(unsigned int k, unsigned int opcode, bool signaled, struct ls_mr *mine, uint64_t at, const struct ls_mr *other, uint64_t there)
{
	struct ls_send wr = { .opcode = (uint8_t)opcode, .signaled = signaled, .num_sge = 1,
			      .sge[0] = { .mr = mine, .offset = at, .length = LEN } };

	if (other) {
		wr.rstag = other->stag;
		wr.raddr = opcode == WEFT_SQ_OPCODE_SEND_INV ? 0 : other->to + there;
	}
	ls_post_send(q[k], &wr);
}
static void post_recv(unsigned int k)
{
	struct ls_sge into = { .mr = mem[k], .offset = LEN, .length = LEN };

	ls_post_recv(q[k], &into, 1);
	ls_ring_rq(q[k]);
}

/* Its next key and first TO; nobody has another's. */
static void renew(void)
{
	uint64_t page = UINT64_C(1) << fast->attr.page_log2;

	fast->stag = (fast->stag & ~0xffu) | ((fast->stag + 1 + below(255)) & 0xff);
	fast->to = (ls_random(ls) >> 17 & ~(page - 1)) + fast->attr.fbo;
}

/* One life of the region. */
static void life(unsigned int n)
{
	uint64_t seed = ls_random(ls);
	bool by_peer = n & 1;

	renew();
	ls_mr_fill(fast, 0, LEN, seed);
	post_reg(LR | LW | RW | RR | RI);
	post(0, WEFT_SQ_OPCODE_WRITE, true, fast, 0, mem[1], LEN);
	ls_ring_sq(q[0]);
	done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_FAST_REG);
	done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_WRITE);
	landed(mem[1], LEN, seed);

	ls_mr_fill(mem[1], 0, LEN, ++seed);
	post(1, WEFT_SQ_OPCODE_WRITE, true, mem[1], 0, fast, LEN);
	ls_ring_sq(q[1]);
	done(1, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_WRITE);
	landed(fast, LEN, seed);
	post(1, WEFT_SQ_OPCODE_READ, true, mem[1], LEN, fast, LEN);
	ls_ring_sq(q[1]);
	done(1, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_READ);
	ls_mr_check(mem[1], LEN, LEN, seed);

	/* a Read that completes by the invalidation of its sink, as a Read with Invalidate does */
	ls_mr_fill(mem[1], 0, LEN, ++seed);
	post(0, WEFT_SQ_OPCODE_READ, by_peer, fast, 0, mem[1], 0);
	if (!by_peer)
		post_inv();
	ls_ring_sq(q[0]);
	done(0, WEFT_WC_STATUS_SUCCESS, by_peer ? WEFT_WC_OPCODE_READ : WEFT_WC_OPCODE_LOCAL_INV);
	ls_mr_check(fast, 0, LEN, seed);
	if (by_peer) {
		post_recv(0);
		post(1, WEFT_SQ_OPCODE_SEND_INV, true, mem[1], 0, fast, 0);
		ls_ring_sq(q[1]);
		LS_CHECK(ls, done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_RECV_INV).inv_stag == fast->stag);
		done(1, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_SEND);
		ls_mr_check(mem[0], LEN, LEN, seed);
	}
}

/* Both ends hear that the connection is gone, and before that how it failed: enum qp_event and, of a Terminate, its layer, type and code. */
static void ended(unsigned int event0, unsigned int event1, unsigned int terminate)
{
	for (unsigned int k = 0; k < 2; k++) {
		unsigned int kind = 0, code = 0, want = k ? event1 : event0;
		bool told = false;

		while (kind != WEFT_EQE_TYPE_CM_CLOSE) {
			uint32_t id = card_next(ends[k], &kind, &code);
			const uint8_t *l = ends[k]->eq.p + 64 * ((ends[k]->ci - 1) & ((1u << CARD_EQ_LOG2) - 1));
			unsigned int word = (unsigned int)LS_GET(l, WEFT_EQE_DATA0) >> 16;

			if (kind != WEFT_EQE_TYPE_QP_ERROR)
				continue;
			told = true;
			if (id != ls_qpn(q[k]) || code != want || word != terminate)
				ls_fail(ls, "host %u: QP %u event %u Terminate %04x, wanted QP %u event %u Terminate %04x", k, id, code, word,
					ls_qpn(q[k]), want, terminate);
		}
		LS_CHECK(ls, told);
	}
}

/*
 * A work request of host 0 that ends its connection. By a reset, which nobody sends again: who does not hear it hears the next one when he sends something,
 * from the system of host 0, which is not here. So the wire is a good one until then.
 */
static void refused(const char *what, unsigned int status)
{
	LS_CHECK(ls, !ls_wire_set(ls, "none"));
	ls_ring_sq(q[0]);
	done(0, status, 0);
	ended(WEFT_QP_EVENT_LOCAL_ERROR, WEFT_QP_EVENT_LLP_RESET, 0);
	LS_CHECK(ls, !wire || !ls_wire_set(ls, wire));
	printf("# refused: %s\n", what);
}

/* One of the peer's, which was never acknowledged: the Terminate acknowledges what lies in front of it. */
static void refused_peer(const char *what, unsigned int terminate)
{
	ls_ring_sq(q[1]);
	ended(WEFT_QP_EVENT_TERMINATE_SENT, WEFT_QP_EVENT_TERMINATE_RECEIVED, terminate);
	done(1, WEFT_WC_STATUS_REM_ACCESS_ERR, 0);
	printf("# refused: %s\n", what);
}

static void refusals(void)
{
	join(true);
	post(1, WEFT_SQ_OPCODE_WRITE, true, mem[1], 0, fast, 0);
	refused_peer("the peer's Write", 0x1100);
	join(true);
	post(1, WEFT_SQ_OPCODE_READ, true, mem[1], LEN, fast, 0);
	refused_peer("the peer's Read", 0x0100);
	join(true);
	post(0, WEFT_SQ_OPCODE_WRITE, true, fast, 0, mem[1], 0);
	refused("a Write from it", WEFT_WC_STATUS_LOC_PROT_ERR);
	join(false);
	post_reg(LR);
	refused("FAST_REG of a queue pair that is a process's", WEFT_WC_STATUS_LOC_QP_OP_ERR);
	join(true);
	renew();
	post_reg(LR);
	post_reg(LR);
	ls_ring_sq(q[0]);
	done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_FAST_REG);
	refused("FAST_REG of what is VALID", WEFT_WC_STATUS_MW_BIND_ERR);
	join(true);
	post(1, WEFT_SQ_OPCODE_WRITE, true, mem[1], 0, fast, 0);
	refused_peer("a Write into what is for reading", 0x0102);
}

/* The first element of the entry at the producer index is physical memory. */
static void physical(uint8_t *sge, const struct ls_mr *mr)
{
	LS_SET(sge, WEFT_SGE_ADDR, mr->pages[0].bus);
	LS_SET(sge, WEFT_SGE_LKEY, 0);
}

#define PHYS_LEN 4096u
static void stag_zero(void)
{
	struct ls_sge one = { .mr = plain, .length = PHYS_LEN };
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_SEND, .signaled = true, .num_sge = 1, .sge[0] = one };
	struct ls_sge at_peer = { .mr = mem[1], .length = PHYS_LEN };
	struct ls_mr all = { .stag = 0, .to = plain->pages[0].bus };
	uint64_t seed = ls_random(ls);

	join(true);
	ls_mr_fill(plain, 0, PHYS_LEN, seed);
	ls_post_recv(q[1], &at_peer, 1);
	ls_ring_rq(q[1]);
	physical(ls_sq_slot(q[0], ls_post_send(q[0], &wr)) + WEFT_SQE_BYTES, plain);
	ls_ring_sq(q[0]);
	done(1, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_RECV);
	done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_SEND);
	ls_mr_check(mem[1], 0, PHYS_LEN, seed);

	ls_mr_fill(mem[1], 0, PHYS_LEN, ++seed);
	physical(ls_rq_slot(q[0], ls_post_recv(q[0], &one, 1)) + WEFT_RQE_BYTES, plain);
	ls_ring_rq(q[0]);
	wr.sge[0] = at_peer;
	ls_post_send(q[1], &wr);
	ls_ring_sq(q[1]);
	done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_RECV);
	done(1, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_SEND);
	ls_mr_check(plain, 0, PHYS_LEN, seed);
	post(1, WEFT_SQ_OPCODE_WRITE, true, mem[1], LEN, &all, 0);
	refused_peer("the peer's Write by STag 0", 0x1100);
	ls_mr_check(plain, 0, PHYS_LEN, seed);

	join(false);
	wr.sge[0] = one;
	physical(ls_sq_slot(q[0], ls_post_send(q[0], &wr)) + WEFT_SQE_BYTES, plain);
	refused("STag 0 of a process", WEFT_WC_STATUS_LOC_PROT_ERR);
}

/* ---- windows ---- */

static struct ls_mr *land;    /* of host 0, what windows are bound to */
static struct window {
	struct ls_mr by;      /* its STag and first TO, for the peer's requests */
	unsigned int kind;
	uint64_t at;          /* first byte in the region */
} type1, type2;

static unsigned int mr_set(uint32_t stag, unsigned int state, unsigned int kind, unsigned int flags, uint32_t qpn)
{
	uint8_t c[64] = { 0 }, rsp[64];

	LS_SET(c, WEFT_ADMIN_CMD_OP, WEFT_ADMIN_OP_MR_SET);
	LS_SET(c, WEFT_ADMIN_MR_STAG, stag);
	LS_SET(c, WEFT_ADMIN_MR_STATE, state);
	LS_SET(c, WEFT_ADMIN_MR_KIND, kind);
	LS_SET(c, WEFT_ADMIN_MR_PD, PD_A);
	LS_SET(c, WEFT_ADMIN_MR_PAGE_LOG2, 12);
	LS_SET(c, WEFT_ADMIN_MR_FLAGS, flags);
	LS_SET(c, WEFT_ADMIN_MR_QPN, qpn);
	return ls_admin(ends[0]->h, c, rsp);
}

/* The number is one that the harness gave to nothing. */
static struct window window_new(unsigned int kind)
{
	struct ls_mr_attr a = { .bytes = 64, .pd = PD_A, .invalid = true };
	struct window w = { .by = { .stag = ls_mr_create(ends[0]->h, &a)->stag }, .kind = kind };

	LS_CHECK(ls, !mr_set(w.by.stag, WEFT_TPT_STATE_INVALID, kind, 0, 0));
	return w;
}

/* Bytes 0: unbound. A new key each time. What was bound before is acknowledged by then, or its peer's Reads could not be sent again. */
static void post_bind(struct window *w, const struct ls_mr *to, uint64_t at, uint64_t bytes, uint8_t access)
{
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_BIND_MW, .signaled = true, .local_fence = true };
	uint8_t *b;

	w->by.stag = (w->by.stag & ~0xffu) | ((w->by.stag + 1 + below(255)) & 0xff);
	w->by.to = below(3) ? to->to + at : below(2) ? 0 : ls_random(ls) >> 1;
	w->at = at;
	wr.rstag = w->by.stag;
	wr.raddr = w->by.to;
	b = ls_sq_slot(q[0], ls_post_send(q[0], &wr)) + WEFT_SQE_BYTES;
	LS_SET(b, WEFT_SQE_BIND_ADDR, to->to + at);
	LS_SET(b, WEFT_SQE_BIND_BYTES, bytes);
	LS_SET(b, WEFT_SQE_BIND_LKEY, to->stag);
	LS_SET(b, WEFT_SQE_BIND_ACCESS, access);
}
static void bound(void)
{
	ls_ring_sq(q[0]);
	done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_BIND_MW);
}

static void use(const struct window *w)
{
	uint64_t seed = ls_random(ls);

	/* what join() wrote into the first half may be on its way yet */
	ls_mr_fill(mem[1], LEN, LEN, seed);
	post(1, WEFT_SQ_OPCODE_WRITE, true, mem[1], LEN, &w->by, 0);
	ls_ring_sq(q[1]);
	done(1, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_WRITE);
	landed(land, w->at, seed);
	ls_mr_fill(land, w->at, LEN, ++seed);
	post(1, WEFT_SQ_OPCODE_READ, true, mem[1], LEN, &w->by, 0);
	ls_ring_sq(q[1]);
	done(1, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_READ);
	ls_mr_check(mem[1], LEN, LEN, seed);
}

static uint64_t place(void) { return below((uint32_t)(land->bytes - LEN)); }

static void bound_land(void)
{
	LS_CHECK(ls, mr_set(land->stag, WEFT_TPT_STATE_FREE, WEFT_TPT_TYPE_MR, 0, 0) == WEFT_ADMIN_STATUS_IN_USE);
}

static void window_life(unsigned int n)
{
	struct ls_send inv = { .opcode = WEFT_SQ_OPCODE_LOCAL_INV, .signaled = true };
	bool by_peer = n & 1;

	post_bind(&type2, land, place(), LEN, RW | RR | RI);
	bound();
	bound_land();
	use(&type2);
	/* while another one comes, moves, and goes */
	post_bind(&type1, land, place(), LEN, RW | RR);
	bound();
	use(&type1);
	post_bind(&type1, land, place(), LEN, RW | RR);
	bound();
	use(&type1);
	use(&type2);
	if (by_peer) {
		post_recv(0);
		post(1, WEFT_SQ_OPCODE_SEND_INV, true, mem[1], 0, &type2.by, 0);
		ls_ring_sq(q[1]);
		LS_CHECK(ls, done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_RECV_INV).inv_stag == type2.by.stag);
		done(1, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_SEND);
	} else {
		inv.rstag = type2.by.stag;
		ls_post_send(q[0], &inv);
		if (n & 2) /* bound anew right behind that, over what is CLOSED yet */
			post_bind(&type2, land, place(), LEN, RW | RR | RI);
		ls_ring_sq(q[0]);
		done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_LOCAL_INV);
		if (n & 2) {
			done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_BIND_MW);
			use(&type2);
			inv.rstag = type2.by.stag;
			ls_post_send(q[0], &inv);
			ls_ring_sq(q[0]);
			done(0, WEFT_WC_STATUS_SUCCESS, WEFT_WC_OPCODE_LOCAL_INV);
		}
	}
	use(&type1);
	bound_land();
	post_bind(&type1, land, 0, 0, 0);
	bound();
}

static void type2_bound(uint8_t access)
{
	join(false);
	post_bind(&type2, land, place(), LEN, access);
	bound();
}
/* The queue pair that it was bound for is in ERROR, which takes nothing from it: its number is its own until it is destroyed. */
static void type2_gone(void)
{
	uint8_t c[64] = { 0 }, rsp[64];

	LS_CHECK(ls, !mr_set(type2.by.stag, WEFT_TPT_STATE_INVALID, WEFT_TPT_TYPE_MW, 2, 0));
	bound_land();
	LS_SET(c, WEFT_ADMIN_QP_QPN, ls_qpn(q[0]));
	card_admin(ends[0], c, WEFT_ADMIN_OP_QP_DESTROY, rsp);
	ls_qp_take_back(q[0], "destroyed");
	LS_CHECK(ls, !mr_set(type2.by.stag, WEFT_TPT_STATE_INVALID, WEFT_TPT_TYPE_MW, 2, 0));
}

static unsigned int window_refusals(void)
{
	struct window region = { .by = *land }, old;
	struct ls_mr local;
	unsigned int n = 0;

	join(false);
	post_bind(&type2, mem[0], 0, LEN, RW);
	n++, refused("a bind to a region without MW_BIND", WEFT_WC_STATUS_LOC_PROT_ERR);
	join(false);
	post_bind(&type2, land, land->bytes - LEN + 1, LEN, RW);
	n++, refused("a bind of a byte behind the region", WEFT_WC_STATUS_LOC_PROT_ERR);
	join(false);
	post_bind(&region, land, 0, LEN, RW);
	n++, refused("a bind of a region", WEFT_WC_STATUS_MW_BIND_ERR);
	LS_CHECK(ls, !mr_set(land->stag, WEFT_TPT_STATE_INVALID, WEFT_TPT_TYPE_MR, 2, 99)); /* it has no QPN */
	type2_bound(RW);
	post_bind(&type2, land, 0, LEN, RW);
	n++, refused("a bind of a window of type 2 that is bound", WEFT_WC_STATUS_MW_BIND_ERR);
	type2_gone();
	type2_bound(RW | RR);
	local = type2.by;
	local.bytes = LEN;
	post(0, WEFT_SQ_OPCODE_WRITE, true, &local, 0, mem[1], 0);
	n++, refused("a Write from a window", WEFT_WC_STATUS_LOC_PROT_ERR);
	type2_gone();
	type2_bound(RW);
	post(1, WEFT_SQ_OPCODE_READ, true, mem[1], LEN, &type2.by, 0);
	n++, refused_peer("a Read from what is for Writes", 0x0102);
	/* its owner is in ERROR; the region, the PD are right */
	join(false);
	post(1, WEFT_SQ_OPCODE_WRITE, true, mem[1], 0, &type2.by, 0);
	n++, refused_peer("a Write into another queue pair's window", 0x1102);
	LS_CHECK(ls, !mr_set(type2.by.stag, WEFT_TPT_STATE_FREE, WEFT_TPT_TYPE_MW, 0, 0));
	LS_CHECK(ls, !mr_set(type2.by.stag, WEFT_TPT_STATE_INVALID, WEFT_TPT_TYPE_MW, 0, 0));
	type2_bound(RW);
	local = type2.by;
	local.to++;
	post(1, WEFT_SQ_OPCODE_WRITE, true, mem[1], 0, &local, 0);
	n++, refused_peer("a Write that ends behind the window", 0x1101);
	type2_gone();
	join(false);
	post(1, WEFT_SQ_OPCODE_WRITE, true, mem[1], 0, &type2.by, 0);
	n++, refused_peer("a Write into a window that is unbound", 0x1100);
	join(false);
	post_bind(&type1, land, place(), LEN, RW | RR);
	bound();
	old = type1;
	post_bind(&type1, land, place(), LEN, RW | RR | RI);
	bound();
	post(1, WEFT_SQ_OPCODE_WRITE, true, mem[1], 0, &old.by, 0);
	n++, refused_peer("a Write by the key before", 0x1100);
	join(false);
	use(&type1); /* any queue pair's of the domain */
	post_recv(0);
	post(1, WEFT_SQ_OPCODE_SEND_INV, true, mem[1], 0, &type1.by, 0);
	ls_ring_sq(q[1]);
	ended(WEFT_QP_EVENT_TERMINATE_SENT, WEFT_QP_EVENT_TERMINATE_RECEIVED, 0x0109);
	done(0, WEFT_WC_STATUS_WR_FLUSH_ERR, 0);
	done(1, WEFT_WC_STATUS_REM_ACCESS_ERR, 0);
	n++, printf("# refused: the peer's invalidation of a window of type 1\n");
	join(false);
	struct ls_send inv = { .opcode = WEFT_SQ_OPCODE_LOCAL_INV, .signaled = true, .rstag = type1.by.stag };
	ls_post_send(q[0], &inv);
	n++, refused("LOCAL_INV of a window of type 1", WEFT_WC_STATUS_MW_BIND_ERR);
	bound_land();
	LS_CHECK(ls, !mr_set(type1.by.stag, WEFT_TPT_STATE_FREE, WEFT_TPT_TYPE_MW_1, 0, 0));
	return n;
}

static void windows(unsigned int rounds, bool lives_alone)
{
	struct ls_mr_attr a = { .bytes = 70000, .pd = PD_A, .access = LR | LW | MB, .page_log2 = 12 + below(3), .fbo = below(4096) };
	unsigned int n;

	for (unsigned int k = 0; k < 2; k++)
		LS_CHECK(ls, ls_reg_read(ends[k]->h, WEFT_REG_FEATURES) >> WEFT_FEATURE_MW & 1);
	land = ls_mr_create(ends[0]->h, &a);
	type1 = window_new(WEFT_TPT_TYPE_MW_1);
	type2 = window_new(WEFT_TPT_TYPE_MW);
	join(false);
	for (n = 0; n < rounds; n++)
		window_life(n);
	printf("# %u lives: cycle %llu\n", rounds, (unsigned long long)ls_cycles(ls));
	n = lives_alone ? 0 : window_refusals();
	if (lives_alone)
		LS_CHECK(ls, !mr_set(type1.by.stag, WEFT_TPT_STATE_FREE, WEFT_TPT_TYPE_MW_1, 0, 0));
	LS_CHECK(ls, !mr_set(land->stag, WEFT_TPT_STATE_FREE, WEFT_TPT_TYPE_MR, 0, 0));
	ls_mr_take_back(land, "it is taken back");
	printf("# %u lives of two windows, %u refusals, %llu cycles\n", rounds, n, (unsigned long long)ls_cycles(ls));
}

int main(int argc, char **argv)
{
	struct ls_mr_attr fa, own = { .bytes = 2 * LEN, .access = LR | LW | RW | RR, .fbo = 192 };
	unsigned int rounds = 6;
	bool only_windows = false, lives_alone = false;
	struct ls_options o;
	int keep = 1;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "+rounds=", 8))
			rounds = (unsigned int)atoi(argv[i] + 8);
		else if (!strcmp(argv[i], "+windows"))
			only_windows = true;
		else if (!strcmp(argv[i], "+lives"))
			lives_alone = true;
		else
			argv[keep++] = argv[i];
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	o = ls_defaults(keep, argv);
	wire = o.wire;
	ls = ls_new(&o);
	ls_patience(ls, 4000000);
	for (unsigned int k = 0; k < 2; k++) {
		card_start(ends[k], ls, k, 1500, 0);
		LS_CHECK(ls, ls_reg_read(ends[k]->h, WEFT_REG_FEATURES) >> WEFT_FEATURE_MEM_MGT & 1);
		cq[k] = ls_cq_create(ends[k]->h, 8, NULL, 1);
		own.pd = k ? PD_B : PD_A;
		mem[k] = ls_mr_create(ends[k]->h, &own);
	}
	card_listen(ends[1]);
	if (only_windows) {
		windows(rounds, lives_alone);
		ls_free(ls);
		return 0;
	}
	fa = (struct ls_mr_attr){ .bytes = 2 * LEN, .pd = PD_A, .access = LR | LW | RW | RR, .page_log2 = 12 + below(3), .fbo = below(4096), .invalid = true };
	fast = ls_mr_create(ends[0]->h, &fa);
	own.pd = PD_A;
	own.fbo = 0;
	plain = ls_mr_create(ends[0]->h, &own);
	join(true);
	for (unsigned int n = 0; n < rounds; n++)
		life(n);
	ls_mr_take_back(fast, "it is invalidated");
	printf("# %u lives: cycle %llu\n", rounds, (unsigned long long)ls_cycles(ls));
	refusals();
	stag_zero();
	printf("# %u lives of a region, 8 refusals, %llu cycles\n", rounds, (unsigned long long)ls_cycles(ls));
	ls_free(ls);
	return 0;
}
