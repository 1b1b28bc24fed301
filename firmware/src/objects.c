// SPDX-License-Identifier: BSD-2-Clause
/* Queues, regions, L2 entries: checks a command, writes the contexts of the rooms. */
#include "cm.h"
#include "dp.h"
#include "objects.h"

uint32_t n_qp;
uint16_t if_mtu;
bool eq0_exists;
static bool if_mtu_told;
uint32_t ctx_work[16];
#define w ctx_work

/*
 * Commands that wait for drain tokens, in order; the first one's tokens are under way. A room has one token of an object at a
 * time, and its answer carries no number: so a token that was given up is remembered until it is answered, and only then does the
 * next one of that object leave. A late answer thus never completes the command behind. No token leaves that could not be
 * remembered. Time-outs run from each command's arrival: so they end in order too, and nobody pays for those in front.
 */
#define MAX_WAIT 64
#define MAX_OWED 16
#define DRAIN_T 120u /* 2.01 s in units of 16 ticks; at most 127 */
static struct waiter { uint16_t tag, id; uint8_t op, since; } waiters[MAX_WAIT]; /* since: its arrival in units of 16 ticks */
static uint16_t missing, held; /* of the first one, a bit a room: not answered; of those, not sent yet */
static struct owed { uint16_t id, rooms; } owed[MAX_OWED];
static unsigned wait_head, wait_count, owed_n; /* owed_n: places taken */
/*
 * Ring pairs that were disabled: they drain by PCIe alone, so they wait behind nobody. A token that is owed holds the pair: its
 * context keeps addresses, and nothing enables it.
 */
#define MAX_L2Q 16
static uint16_t l2_owed, l2_waits, l2_tag[MAX_L2Q]; /* a bit a pair: token out; a command waits for it */
static uint8_t l2_since[MAX_L2Q];

static uint8_t arrival(void) { return (uint8_t)(ticks() >> 4); }
/* Ticks that are left of a command's time. */
static int32_t left_of(uint8_t since, uint32_t now)
{
	uint8_t gone = (uint8_t)((now >> 4) - since);

	return gone < DRAIN_T ? (int32_t)((DRAIN_T - gone) << 4) : 0;
}

unsigned admin_bad(uint32_t *rsp, uint32_t off)
{
	SET(rsp, WEFT_ADMIN_RSP_DETAIL, off);
	return WEFT_ADMIN_STATUS_BAD_PARAM;
}

void objects_init(void)
{
	dp_boot();
	n_qp = hw_bar0(WEFT_REG_CAP_QP);
	if (n_qp > MAX_QP) n_qp = MAX_QP;
	if_mtu = 1500; /* until the driver tells */
	if_mtu_told = false;
}

/* ---- drain tokens ---- */

static void drain_command(unsigned room, uint32_t id)
{
	/* at the same place in ctx_eq and ctx_l2q */
	hw_cfg_write(room, id * 64 + WEFT_CTX_CQ_CMD_LSB / 32 * 4, WEFT_CTX_CMD_DRAIN << WEFT_CTX_CQ_CMD_LSB % 32);
}

/* Rooms whose tokens a command waits for. */
static unsigned rooms_of(unsigned op)
{
	return op == WEFT_ADMIN_OP_EQ_DESTROY ? 1u << WEFT_ROOM_EQ : 1u << WEFT_ROOM_CQ;
}

static struct owed *owes(uint32_t id)
{
	for (unsigned i = 0; owed_n && i < MAX_OWED; i++)
		if (owed[i].rooms && owed[i].id == id) return &owed[i];
	return NULL;
}

/* What is held of the first command leaves, as far as it is neither owed nor without a place to be remembered. */
static void tokens_send(void)
{
	struct waiter *d = &waiters[wait_head];
	struct owed *o = owes(d->id);
	unsigned send = held & ~(o ? o->rooms : 0u);

	if (!wait_count || (!o && owed_n == MAX_OWED)) return;
	held &= (uint16_t)~send;
	for (unsigned room = 0; send >> room; room++)
		if (send >> room & 1) drain_command(room, d->id);
}

static void tokens_out(void)
{
	missing = held = (uint16_t)rooms_of(waiters[wait_head].op);
	tokens_send();
}

/* The tokens of the first command are given up. */
static void give_up(const struct waiter *d)
{
	struct owed *o = owes(d->id);
	uint16_t out = missing & (uint16_t)~held;

	if (!out) return;
	for (unsigned i = 0; !o; i++) { /* tokens_send saw a place */
		if (owed[i].rooms) continue;
		o = &owed[i];
		owed_n++;
	}
	o->id = d->id;
	o->rooms |= out;
}

/* Asked before anything is changed: a command that would be refused changes nothing. */
bool tokens_room(void) { return wait_count < MAX_WAIT; }
unsigned wait_for_tokens(unsigned op, unsigned tag, uint32_t id)
{
	waiters[(wait_head + wait_count) % MAX_WAIT] = (struct waiter){ .tag = (uint16_t)tag, .id = (uint16_t)id, .op = (uint8_t)op, .since = arrival() };
	if (!wait_count++) tokens_out();
	return ADMIN_LATER;
}
static bool waited_for(unsigned op, uint32_t id)
{
	for (unsigned i = 0; i < wait_count; i++)
		if (waiters[(wait_head + i) % MAX_WAIT].op == op && waiters[(wait_head + i) % MAX_WAIT].id == id) return true;
	return false;
}

void objects_forget(void)
{
	/* The driver that asked is gone; what it began ends all the same. */
	if (wait_count) give_up(&waiters[wait_head]);
	wait_count = 0;
	l2_waits = 0;
	dp_forget();
}

static void waited(unsigned status)
{
	struct waiter d = waiters[wait_head];
	uint32_t *rsp;

	if (status) give_up(&d);
	wait_head = (wait_head + 1) % MAX_WAIT;
	wait_count--;
	if (wait_count) tokens_out();
	rsp = admin_response();
	/* of the ring that it is in now: another RESIZE of it would have been refused */
	if (d.op == WEFT_ADMIN_OP_CQ_RESIZE && !status) SET(rsp, WEFT_ADMIN_RSP_DETAIL, ctx_get(WEFT_ROOM_CQ, d.id, WEFT_CTX_CQ_FIRST));
	admin_finish(d.op, d.tag, status);
}

static void l2_answer(unsigned id, unsigned status)
{
	l2_waits &= (uint16_t)~(1u << id);
	SET(admin_response(), WEFT_ADMIN_RSP_ID, id);
	admin_finish(WEFT_ADMIN_OP_L2_RING, l2_tag[id], status);
}

static void l2_drained(uint32_t id)
{
	if (id >= MAX_L2Q || !(l2_owed >> id & 1)) return;
	l2_owed &= (uint16_t)~(1u << id);
	clear64(w);
	ctx_write(WEFT_ROOM_L2Q, id, w);
	if (l2_waits >> id & 1) l2_answer(id, WEFT_ADMIN_STATUS_OK);
}

void objects_drained(unsigned room, uint32_t id)
{
	struct waiter *d = &waiters[wait_head];
	struct owed *o = owes(id);

	if (room > 15) return;
	if (room == WEFT_ROOM_L2Q) {
		l2_drained(id);
		return;
	}
	if (o && o->rooms >> room & 1) { /* late: of a command that was given up */
		o->rooms &= (uint16_t)~(1u << room);
		if (!o->rooms) owed_n--;
		tokens_send();
		return;
	}
	if (!wait_count || d->id != id || !((missing & ~held) >> room & 1)) return;
	missing &= (uint16_t)~(1u << room);
	if (!missing) waited(WEFT_ADMIN_STATUS_OK);
}

int32_t objects_deadline(uint32_t now, int32_t t)
{
	int32_t left;

	if (!wait_count && !l2_waits) return t;
	if (wait_count && (left = left_of(waiters[wait_head].since, now)) < t) t = left;
	for (unsigned i = 0; l2_waits >> i; i++)
		if ((l2_waits >> i & 1) && (left = left_of(l2_since[i], now)) < t) t = left;
	return t;
}
void objects_timers(uint32_t now)
{
	while (wait_count && !left_of(waiters[wait_head].since, now)) waited(WEFT_ADMIN_STATUS_TIMEOUT);
	for (unsigned i = 0; l2_waits >> i; i++)
		if ((l2_waits >> i & 1) && !left_of(l2_since[i], now)) l2_answer(i, WEFT_ADMIN_STATUS_TIMEOUT);
}

/* ---- queues ---- */

/* VALID is at the same place in ctx_cq and ctx_eq. One whose token is owed is not free yet, answered or not. */
static bool queue_lives(unsigned room, uint32_t id)
{
	unsigned op = room == WEFT_ROOM_EQ ? WEFT_ADMIN_OP_EQ_DESTROY : WEFT_ADMIN_OP_CQ_DESTROY;
	struct owed *o;

	return ctx_get(room, id, WEFT_CTX_CQ_VALID) || (wait_count && waited_for(op, id)) || (owed_n && (o = owes(id)) && o->rooms >> room & 1);
}

unsigned eq_create(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_QUEUE_ID), log2 = GET(c, WEFT_ADMIN_QUEUE_LOG2);
	uint32_t vector = GET(c, WEFT_ADMIN_QUEUE_VECTOR);

	if (id >= hw_bar0(WEFT_REG_CAP_EQ)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_ID_OFF);
	if (GET64(c, WEFT_ADMIN_QUEUE_BASE) & 127) return admin_bad(rsp, WEFT_ADMIN_QUEUE_BASE_OFF);
	if (log2 < 1 || log2 > WEFT_CQ_LOG2_MAX) return admin_bad(rsp, WEFT_ADMIN_QUEUE_LOG2_OFF);
	if (GET(c, WEFT_ADMIN_QUEUE_PIECES)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_PIECES_OFF);
	if (vector != 0xffff && vector >= hw_bar0(WEFT_REG_CAP_VECTORS)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_VECTOR_OFF);
	if (queue_lives(WEFT_ROOM_EQ, id)) return WEFT_ADMIN_STATUS_IN_USE;
	clear64(w);
	SET64(w, WEFT_CTX_EQ_BASE, GET64(c, WEFT_ADMIN_QUEUE_BASE));
	SET(w, WEFT_CTX_EQ_LOG2, log2);
	SET(w, WEFT_CTX_EQ_VECTOR, vector);
	SET(w, WEFT_CTX_EQ_VALID, 1);
	ctx_write(WEFT_ROOM_EQ, id, w);
	if (!id) eq0_exists = true;
	SET(rsp, WEFT_ADMIN_RSP_ID, id);
	return WEFT_ADMIN_STATUS_OK;
}

unsigned eq_destroy(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t id = GET(c, WEFT_ADMIN_QUEUE_ID);

	if (id >= hw_bar0(WEFT_REG_CAP_EQ)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_ID_OFF);
	if (!tokens_room()) return WEFT_ADMIN_STATUS_NO_RESOURCE;
	if (!id) eq0_exists = false;
	clear64(w);
	ctx_write(WEFT_ROOM_EQ, id, w);
	return wait_for_tokens(WEFT_ADMIN_OP_EQ_DESTROY, tag, id);
}

static void owner(unsigned kind, uint32_t id, uint32_t value)
{
	hw_cfg_write(WEFT_ROOM_DB, kind << 18 | id << 2, value);
}

/* What is wrong with the ring of a CQ, as a response's status; then it is in the context @w. */
_Static_assert(WEFT_CTX_CQ_LOG2_LSB % 32 == WEFT_ADMIN_QUEUE_LOG2_LSB % 32 && WEFT_CTX_CQ_PIECES_LSB % 32 == WEFT_ADMIN_QUEUE_PIECES_LSB % 32
	       && WEFT_ADMIN_QUEUE_BASE2_OFF == WEFT_ADMIN_QUEUE_BASE1_OFF + 8 && WEFT_CTX_CQ_BASE2_OFF == WEFT_CTX_CQ_BASE1_OFF + 8
	       && WEFT_ADMIN_QUEUE_BASE3_OFF == WEFT_ADMIN_QUEUE_BASE1_OFF + 16 && WEFT_CTX_CQ_BASE3_OFF == WEFT_CTX_CQ_BASE1_OFF + 16,
	       "the ring of a command is laid out as that of a context");
static unsigned cq_ring(const uint32_t *c, uint32_t *rsp)
{
	uint32_t log2 = GET(c, WEFT_ADMIN_QUEUE_LOG2), pieces = GET(c, WEFT_ADMIN_QUEUE_PIECES), can = hw_bar0(WEFT_REG_CAP_CQ_RING);
	uint32_t most = can & 0xff ? can & 0xff : WEFT_CQ_LOG2_MAX, low = pieces ? 4095 : 63;

	if (log2 < 1 || log2 > most) return admin_bad(rsp, WEFT_ADMIN_QUEUE_LOG2_OFF);
	if (pieces > (can >> 8 & 0xff) || pieces > 2 || pieces >= log2) return admin_bad(rsp, WEFT_ADMIN_QUEUE_PIECES_OFF);
	if (GET64(c, WEFT_ADMIN_QUEUE_BASE) & low) return admin_bad(rsp, WEFT_ADMIN_QUEUE_BASE_OFF);
	clear64(w);
	SET64(w, WEFT_CTX_CQ_BASE, GET64(c, WEFT_ADMIN_QUEUE_BASE));
	w[WEFT_CTX_CQ_LOG2_LSB / 32] = c[WEFT_ADMIN_QUEUE_LOG2_LSB / 32] & 0xffff;
	for (unsigned i = 1, at = 0; i >> pieces == 0; i++, at += 8) {
		const uint32_t *base = (const uint32_t *)BYTES(c, WEFT_ADMIN_QUEUE_BASE1) + at / 4;
		uint32_t *to = (uint32_t *)BYTES(w, WEFT_CTX_CQ_BASE1) + at / 4;

		if (base[0] & low) return admin_bad(rsp, WEFT_ADMIN_QUEUE_BASE1_OFF + at);
		to[0] = base[0];
		to[1] = base[1];
	}
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cq_create(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_QUEUE_ID), eqn = GET(c, WEFT_ADMIN_QUEUE_VECTOR), page = GET(c, WEFT_ADMIN_QUEUE_DB_PAGE);
	unsigned status;

	if (id >= hw_bar0(WEFT_REG_CAP_CQ)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_ID_OFF);
	if (eqn != 0xffff && eqn >= hw_bar0(WEFT_REG_CAP_EQ)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_VECTOR_OFF);
	if (page >= hw_bar0(WEFT_REG_CAP_DB_PAGES)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_DB_PAGE_OFF);
	if (queue_lives(WEFT_ROOM_CQ, id)) return WEFT_ADMIN_STATUS_IN_USE;
	if ((status = cq_ring(c, rsp))) return status;
	SET(w, WEFT_CTX_CQ_EQN, eqn);
	SET(w, WEFT_CTX_CQ_VALID, 1);
	ctx_write(WEFT_ROOM_CQ, id, w);
	owner(1, id, 1u << 31 | page);
	SET(rsp, WEFT_ADMIN_RSP_ID, id);
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cq_destroy(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t id = GET(c, WEFT_ADMIN_QUEUE_ID);

	if (id >= hw_bar0(WEFT_REG_CAP_CQ)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_ID_OFF);
	if (!tokens_room()) return WEFT_ADMIN_STATUS_NO_RESOURCE;
	owner(1, id, 0);
	clear64(w);
	ctx_write(WEFT_ROOM_CQ, id, w);
	return wait_for_tokens(WEFT_ADMIN_OP_CQ_DESTROY, tag, id);
}

/* Nothing else of the context is looked at; what is held back by then is told. A unit of the room is 1,024 ns: us * 1000 / 1024, rounded up. */
__attribute__((noinline)) unsigned cq_moderate(const uint32_t *c)
{
	uint32_t id = GET(c, WEFT_ADMIN_QUEUE_ID), hold = GET(c, WEFT_ADMIN_QUEUE_COUNT), period = GET(c, WEFT_ADMIN_QUEUE_PERIOD);

	if (!(hw_bar0(WEFT_REG_FEATURES) & 1u << WEFT_FEATURE_CQ_MODERATION)) return WEFT_ADMIN_STATUS_BAD_OP;
	if (id >= hw_bar0(WEFT_REG_CAP_CQ) || !ctx_get(WEFT_ROOM_CQ, id, WEFT_CTX_CQ_VALID)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	if (hold) hold = period ? hold - 1 : 0;
	_Static_assert(WEFT_CTX_CQ_HOLD_LSB / 32 == WEFT_CTX_CQ_PERIOD_LSB / 32, "one word");
	hw_cfg_write(WEFT_ROOM_CQ, id * 64 + WEFT_CTX_CQ_HOLD_LSB / 32 * 4,
		     hold << WEFT_CTX_CQ_HOLD_LSB % 32 | (period - period * 24 / 1024) << WEFT_CTX_CQ_PERIOD_LSB % 32);
	hw_cfg_write(WEFT_ROOM_CQ, id * 64 + WEFT_CTX_CQ_CMD_LSB / 32 * 4, WEFT_CTX_CMD_MODERATE << WEFT_CTX_CQ_CMD_LSB % 32);
	return WEFT_ADMIN_STATUS_OK;
}

/* The room decides, between two entries. What went to the old ring may still be on its way: the token is behind that. */
unsigned cq_resize(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t id = GET(c, WEFT_ADMIN_QUEUE_ID);
	unsigned status;

	if (id >= hw_bar0(WEFT_REG_CAP_CQ)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_ID_OFF);
	if (!ctx_get(WEFT_ROOM_CQ, id, WEFT_CTX_CQ_VALID)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	if (waited_for(WEFT_ADMIN_OP_CQ_RESIZE, id)) return WEFT_ADMIN_STATUS_BAD_STATE;
	if (!tokens_room()) return WEFT_ADMIN_STATUS_NO_RESOURCE;
	if ((status = cq_ring(c, rsp))) return status;
	SET(w, WEFT_CTX_CQ_CMD, WEFT_CTX_CMD_RESIZE);
	ctx_write(WEFT_ROOM_CQ, id, w);
	if (!ctx_get(WEFT_ROOM_CQ, id, WEFT_CTX_CQ_RESIZED)) return admin_bad(rsp, WEFT_ADMIN_QUEUE_LOG2_OFF);
	return wait_for_tokens(WEFT_ADMIN_OP_CQ_RESIZE, tag, id);
}

/* ---- queue pairs ---- */

bool qp_valid(uint32_t qpn) { return qpn && qpn < n_qp && (qp_at(qpn)->flags & (QP_EXISTS | QP_DYING)) == QP_EXISTS; }

unsigned qp_create(const uint32_t *c, uint32_t *rsp)
{
	uint32_t qpn = GET(c, WEFT_ADMIN_QP_QPN), page = GET(c, WEFT_ADMIN_QP_DB_PAGE);
	uint32_t slog = GET(c, WEFT_ADMIN_QP_SQ_LOG2), rlog = GET(c, WEFT_ADMIN_QP_RQ_LOG2);
	uint32_t reads = hw_bar0(WEFT_REG_CAP_READS), n_cq = hw_bar0(WEFT_REG_CAP_CQ);
	uint32_t srqn = GET(c, WEFT_ADMIN_QP_SRQN);
	bool shared = GET(c, WEFT_ADMIN_QP_FLAGS) & 2;
	unsigned status;

	if (!qpn || qpn >= n_qp) return admin_bad(rsp, WEFT_ADMIN_QP_QPN_OFF);
	if (qp_at(qpn)->flags & QP_EXISTS) return WEFT_ADMIN_STATUS_IN_USE;
	if (GET64(c, WEFT_ADMIN_QP_SQ_BASE) & 63) return admin_bad(rsp, WEFT_ADMIN_QP_SQ_BASE_OFF);
	if (GET64(c, WEFT_ADMIN_QP_RQ_BASE) & 63) return admin_bad(rsp, WEFT_ADMIN_QP_RQ_BASE_OFF);
	if (slog > WEFT_SQ_LOG2_MAX) return admin_bad(rsp, WEFT_ADMIN_QP_SQ_LOG2_OFF);
	if (rlog > WEFT_RQ_LOG2_MAX) return admin_bad(rsp, WEFT_ADMIN_QP_RQ_LOG2_OFF);
	if (GET(c, WEFT_ADMIN_QP_SQ_STRIDE) >= WEFT_STRIDE_COUNT) return admin_bad(rsp, WEFT_ADMIN_QP_SQ_STRIDE_OFF);
	if (GET(c, WEFT_ADMIN_QP_RQ_STRIDE) >= WEFT_STRIDE_COUNT) return admin_bad(rsp, WEFT_ADMIN_QP_RQ_STRIDE_OFF);
	if (GET(c, WEFT_ADMIN_QP_SCQN) >= n_cq) return admin_bad(rsp, WEFT_ADMIN_QP_SCQN_OFF);
	if (GET(c, WEFT_ADMIN_QP_RCQN) >= n_cq) return admin_bad(rsp, WEFT_ADMIN_QP_RCQN_OFF);
	if (GET(c, WEFT_ADMIN_QP_PD) >> 24) return admin_bad(rsp, WEFT_ADMIN_QP_PD_OFF);
	if (page >= hw_bar0(WEFT_REG_CAP_DB_PAGES)) return admin_bad(rsp, WEFT_ADMIN_QP_DB_PAGE_OFF);
	if (GET(c, WEFT_ADMIN_QP_IRD) > (reads & 0xffff)) return admin_bad(rsp, WEFT_ADMIN_QP_IRD_OFF);
	if (GET(c, WEFT_ADMIN_QP_ORD) > reads >> 16) return admin_bad(rsp, WEFT_ADMIN_QP_ORD_OFF);

	if (shared && !srq_exists(srqn)) return admin_bad(rsp, WEFT_ADMIN_QP_SRQN_OFF);
	if (shared && GET(c, WEFT_ADMIN_QP_SRQ_PD) >> 24) return admin_bad(rsp, WEFT_ADMIN_QP_SRQ_PD_OFF);

	status = dp_qp_create(c, qpn);
	if (status) return status;
	owner(0, qpn, 1u << 31 | page);
	*qp_at(qpn) = (struct qp){ .conn = NO_CONN, .flags = (uint16_t)(shared ? QP_EXISTS | QP_SRQ | srqn << QP_SRQN_LSB : QP_EXISTS) };
	if (shared) srq_use(srqn);
	SET(rsp, WEFT_ADMIN_RSP_ID, qpn);
	return WEFT_ADMIN_STATUS_OK;
}

void qp_gone(uint32_t qpn)
{
	struct qp *q = qp_at(qpn);

	if (q->flags & QP_SRQ) srq_unuse(q->flags >> QP_SRQN_LSB);
	*q = (struct qp){ .conn = NO_CONN };
}

static unsigned find_qp(const uint32_t *c, uint32_t *rsp, uint32_t *qpn)
{
	unsigned flags;

	*qpn = GET(c, WEFT_ADMIN_QP_QPN);
	if (!*qpn || *qpn >= n_qp) return admin_bad(rsp, WEFT_ADMIN_QP_QPN_OFF);
	flags = qp_at(*qpn)->flags;
	if (!(flags & QP_EXISTS)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	return flags & QP_DYING ? WEFT_ADMIN_STATUS_BAD_STATE : WEFT_ADMIN_STATUS_OK;
}

unsigned qp_destroy(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t qpn;
	unsigned status = find_qp(c, rsp, &qpn);

	if (status) return status;
	if (!dp_destroy_room()) return WEFT_ADMIN_STATUS_NO_RESOURCE;
	cm_qp_gone(qpn);
	owner(0, qpn, 0);
	qp_at(qpn)->flags |= QP_DYING;
	return dp_qp_destroy(qpn, tag);
}

unsigned qp_error(const uint32_t *c, uint32_t *rsp)
{
	uint32_t qpn;
	unsigned status = find_qp(c, rsp, &qpn);

	if (status) return status;
	cm_qp_gone(qpn);
	if (!(qp_at(qpn)->flags & QP_ERR)) dp_qp_error(qpn);
	qp_at(qpn)->flags |= QP_ERR;
	return WEFT_ADMIN_STATUS_OK;
}

unsigned qp_query(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t qpn;
	unsigned status = find_qp(c, rsp, &qpn);

	return status ? status : dp_qp_query(GET(c, WEFT_ADMIN_CMD_OP), qpn, rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, tag);
}

/* ---- regions ---- */

/*
 * Commits w, an entry that is not VALID. Windows are bound and ended by the card alone, at any time: it takes no commit of a region that has
 * some, and says so; how many there are by now says nothing.
 */
static bool mr_close(uint32_t at)
{
	ctx_write(WEFT_ROOM_TPT, at, w);
	if (ctx_get(WEFT_ROOM_TPT, at, WEFT_TPT_REFUSED)) return false;
	dp_mr_closed();
	return true;
}

/* One command asks for all that went: the driver frees their numbers behind it. */
static bool of_the_gone(uint32_t qpn) { return qpn && (qpn >= n_qp || !(qp_at(qpn)->flags & QP_EXISTS)); }

unsigned mr_set(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t stag = GET(c, WEFT_ADMIN_MR_STAG), state = GET(c, WEFT_ADMIN_MR_STATE);
	uint32_t page = GET(c, WEFT_ADMIN_MR_PAGE_LOG2), at = (stag >> 8) & (hw_bar0(WEFT_REG_CAP_STAG) - 1);
	uint64_t len = GET64(c, WEFT_ADMIN_MR_LENGTH), base = GET64(c, WEFT_ADMIN_MR_BASE);
	uint32_t was;
	bool direct = GET(c, WEFT_ADMIN_MR_FLAGS) & 1, drain;

	if (!(stag >> 8)) return admin_bad(rsp, WEFT_ADMIN_MR_STAG_OFF);
	if (state > WEFT_TPT_STATE_VALID) return admin_bad(rsp, WEFT_ADMIN_MR_STATE_OFF);
	if (GET(c, WEFT_ADMIN_MR_KIND) > WEFT_TPT_TYPE_MW_1) return admin_bad(rsp, WEFT_ADMIN_MR_KIND_OFF);
	if (state == WEFT_TPT_STATE_VALID) {
		if (page < WEFT_MIN_PAGE_LOG2 || page > WEFT_MAX_PAGE_LOG2) return admin_bad(rsp, WEFT_ADMIN_MR_PAGE_LOG2_OFF);
		/* base + len = 2^64 is the last byte; all of memory is base 0, length 2^64 - 1 */
		if (len && base + (len - 1) < base) return admin_bad(rsp, WEFT_ADMIN_MR_LENGTH_OFF);
		if (GET64(c, WEFT_ADMIN_MR_PBL) & (direct ? 4095 : 63)) return admin_bad(rsp, WEFT_ADMIN_MR_PBL_OFF);
		if (GET(c, WEFT_ADMIN_MR_FBO) >> page) return admin_bad(rsp, WEFT_ADMIN_MR_FBO_OFF);
	}
	if (GET(c, WEFT_ADMIN_MR_PD) >> 24) return admin_bad(rsp, WEFT_ADMIN_MR_PD_OFF);
	if (GET(c, WEFT_ADMIN_MR_QPN) >> 24) return admin_bad(rsp, WEFT_ADMIN_MR_QPN_OFF);
	/*
	 * What was translated by the entry may still be on its way, unless it was FREE, which is answered behind that. One that is INVALID
	 * may be made VALID at once: who made it INVALID has waited.
	 */
	was = ctx_get(WEFT_ROOM_TPT, at, WEFT_TPT_STATE);
	if ((GET(c, WEFT_ADMIN_MR_FLAGS) & 2) && (was < WEFT_TPT_STATE_VALID || !of_the_gone(ctx_get(WEFT_ROOM_TPT, at, WEFT_TPT_QPN)))) return WEFT_ADMIN_STATUS_OK;
	drain = state == WEFT_TPT_STATE_FREE || was >= state || (state == WEFT_TPT_STATE_INVALID && dp_mr_waits());
	if (drain && !dp_mr_room()) return WEFT_ADMIN_STATUS_NO_RESOURCE;
	clear64(w);
	if (drain && state == WEFT_TPT_STATE_VALID) {
		if (!mr_close(at)) return WEFT_ADMIN_STATUS_IN_USE;
	}
	SET(w, WEFT_TPT_STAG, stag);
	SET(w, WEFT_TPT_STATE, state);
	SET(w, WEFT_TPT_KIND, GET(c, WEFT_ADMIN_MR_KIND));
	SET(w, WEFT_TPT_ACCESS, GET(c, WEFT_ADMIN_MR_ACCESS));
	SET(w, WEFT_TPT_PAGE_LOG2, page);
	SET(w, WEFT_TPT_DIRECT, direct);
	SET(w, WEFT_TPT_PD, GET(c, WEFT_ADMIN_MR_PD));
	SET(w, WEFT_TPT_QPN, GET(c, WEFT_ADMIN_MR_QPN));
	SET64(w, WEFT_TPT_BASE, base);
	SET64(w, WEFT_TPT_LENGTH, len);
	SET(w, WEFT_TPT_FBO, GET(c, WEFT_ADMIN_MR_FBO));
	SET64(w, WEFT_TPT_PBL, GET64(c, WEFT_ADMIN_MR_PBL));
	SET(w, WEFT_TPT_PBL_COUNT, GET(c, WEFT_ADMIN_MR_PBL_COUNT));
	if (state == WEFT_TPT_STATE_VALID) ctx_write(WEFT_ROOM_TPT, at, w);
	else if (!mr_close(at)) return WEFT_ADMIN_STATUS_IN_USE;
	SET(rsp, WEFT_ADMIN_RSP_ID, stag);
	if (!drain) return WEFT_ADMIN_STATUS_OK;
	return dp_mr_wait(tag);
}

/* ---- network device ---- */

unsigned l2_set(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_L2_ID), mtu = GET(c, WEFT_ADMIN_L2_MTU), flags = GET(c, WEFT_ADMIN_L2_FLAGS);

	if (id >= hw_bar0(WEFT_REG_CAP_L2)) return admin_bad(rsp, WEFT_ADMIN_L2_ID_OFF);
	if ((flags & 1) && (mtu < 576 || mtu > hw_bar0(WEFT_REG_CAP_MTU))) return admin_bad(rsp, WEFT_ADMIN_L2_MTU_OFF);
	clear64(w);
	memcpy(BYTES(w, WEFT_L2E_DMAC), BYTES(c, WEFT_ADMIN_L2_DMAC), 6);
	memcpy(BYTES(w, WEFT_L2E_SMAC), BYTES(c, WEFT_ADMIN_L2_SMAC), 6);
	SET(w, WEFT_L2E_VLAN_TCI, GET(c, WEFT_ADMIN_L2_VLAN_TCI));
	SET(w, WEFT_L2E_MTU, mtu);
	SET(w, WEFT_L2E_VLAN, flags >> 1 & 1);
	SET(w, WEFT_L2E_VALID, flags & 1);
	ctx_write(WEFT_ROOM_L2T, id, w);
	if ((flags & 1) && !if_mtu_told) if_mtu = (uint16_t)mtu; /* the best guess for peers that connect to us */
	return WEFT_ADMIN_STATUS_OK;
}

unsigned mac_set(const uint32_t *c, uint32_t *rsp)
{
	const uint8_t *m = BYTES(c, WEFT_ADMIN_L2_DMAC);
	uint32_t mtu = GET(c, WEFT_ADMIN_L2_MTU);

	if (m[0] & 1) return admin_bad(rsp, WEFT_ADMIN_L2_DMAC_OFF);
	if (mtu && (mtu < 576 || mtu > hw_bar0(WEFT_REG_CAP_MTU))) return admin_bad(rsp, WEFT_ADMIN_L2_MTU_OFF);
	if (mtu) {
		if_mtu = (uint16_t)mtu;
		if_mtu_told = true;
	}
	hw_cfg_write(WEFT_ROOM_STEER, WEFT_STEER_MAC_LO, m[0] | (uint32_t)m[1] << 8 | (uint32_t)m[2] << 16 | (uint32_t)m[3] << 24);
	hw_cfg_write(WEFT_ROOM_STEER, WEFT_STEER_MAC_HI, m[4] | (uint32_t)m[5] << 8);
	hw_cfg_write(WEFT_ROOM_STEER, WEFT_STEER_FLAGS, GET(c, WEFT_ADMIN_L2_FLAGS) & 3);
	return WEFT_ADMIN_STATUS_OK;
}

/* Nothing of the pair's memory is touched behind the answer. */
static unsigned l2_disable(uint32_t id, unsigned tag)
{
	uint16_t bit = (uint16_t)(1u << id);

	if (l2_waits & bit) return WEFT_ADMIN_STATUS_BAD_STATE;
	if (!(l2_owed & bit)) {
		ctx_read(WEFT_ROOM_L2Q, id, w);
		if (!GET(w, WEFT_CTX_L2Q_TX_VALID) && !GET(w, WEFT_CTX_L2Q_RX_VALID)) return WEFT_ADMIN_STATUS_OK;
		SET(w, WEFT_CTX_L2Q_TX_VALID, 0);
		SET(w, WEFT_CTX_L2Q_RX_VALID, 0);
		ctx_write(WEFT_ROOM_L2Q, id, w);
		drain_command(WEFT_ROOM_L2Q, id);
		l2_owed |= bit;
	}
	l2_waits |= bit;
	l2_tag[id] = (uint16_t)tag;
	l2_since[id] = arrival();
	return ADMIN_LATER;
}

_Static_assert(WEFT_CTX_L2Q_RX_BASE_OFF == WEFT_CTX_L2Q_TX_BASE_OFF + 8 && WEFT_ADMIN_L2RING_RX_BASE_OFF == WEFT_ADMIN_L2RING_TX_BASE_OFF + 8
	       && WEFT_CTX_L2Q_RX_CQ_BASE_OFF == WEFT_CTX_L2Q_TX_CQ_BASE_OFF + 8
	       && WEFT_ADMIN_L2RING_RX_CQ_BASE_OFF == WEFT_ADMIN_L2RING_TX_CQ_BASE_OFF + 8, "bases lie by two");
unsigned l2_ring(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t id = GET(c, WEFT_ADMIN_L2RING_ID), on = GET(c, WEFT_ADMIN_L2RING_ENABLE), nv = hw_bar0(WEFT_REG_CAP_VECTORS);
	uint32_t tl = GET(c, WEFT_ADMIN_L2RING_TX_LOG2), rl = GET(c, WEFT_ADMIN_L2RING_RX_LOG2);
	uint32_t tv = GET(c, WEFT_ADMIN_L2RING_TX_VECTOR), rv = GET(c, WEFT_ADMIN_L2RING_RX_VECTOR);

	if (id >= hw_bar0(WEFT_REG_CAP_L2Q) || id >= MAX_L2Q) return admin_bad(rsp, WEFT_ADMIN_L2RING_ID_OFF);
	if (on > 1) return admin_bad(rsp, WEFT_ADMIN_L2RING_ENABLE_OFF);
	if (!on) return l2_disable(id, tag);
	if (tl < 1 || tl > 15) return admin_bad(rsp, WEFT_ADMIN_L2RING_TX_LOG2_OFF);
	if (rl < 1 || rl > 15) return admin_bad(rsp, WEFT_ADMIN_L2RING_RX_LOG2_OFF);
	if (tv != 0xffff && tv >= nv) return admin_bad(rsp, WEFT_ADMIN_L2RING_TX_VECTOR_OFF);
	if (rv != 0xffff && rv >= nv) return admin_bad(rsp, WEFT_ADMIN_L2RING_RX_VECTOR_OFF);
	if ((c[WEFT_ADMIN_L2RING_TX_BASE_OFF / 4] | c[WEFT_ADMIN_L2RING_RX_BASE_OFF / 4]
	     | c[WEFT_ADMIN_L2RING_TX_CQ_BASE_OFF / 4] | c[WEFT_ADMIN_L2RING_RX_CQ_BASE_OFF / 4]) & 15)
		return admin_bad(rsp, WEFT_ADMIN_L2RING_TX_BASE_OFF);
	if (l2_owed >> id & 1) return WEFT_ADMIN_STATUS_BAD_STATE;
	if (ctx_get(WEFT_ROOM_L2Q, id, WEFT_CTX_L2Q_TX_VALID)) return WEFT_ADMIN_STATUS_IN_USE;
	clear64(w);
	copy16(BYTES(w, WEFT_CTX_L2Q_TX_BASE), BYTES(c, WEFT_ADMIN_L2RING_TX_BASE));
	copy16(BYTES(w, WEFT_CTX_L2Q_TX_CQ_BASE), BYTES(c, WEFT_ADMIN_L2RING_TX_CQ_BASE));
	SET(w, WEFT_CTX_L2Q_TX_LOG2, tl);
	SET(w, WEFT_CTX_L2Q_RX_LOG2, rl);
	SET(w, WEFT_CTX_L2Q_TX_VALID, 1);
	SET(w, WEFT_CTX_L2Q_RX_VALID, 1);
	SET(w, WEFT_CTX_L2Q_TX_VECTOR, tv);
	SET(w, WEFT_CTX_L2Q_RX_VECTOR, rv);
	ctx_write(WEFT_ROOM_L2Q, id, w);
	return WEFT_ADMIN_STATUS_OK;
}

/* STATS and PORT_READ: words of a room to host memory; a register that is not there reads 0. */
_Static_assert(WEFT_ADMIN_BUF_BUF_ADDR_LSB == WEFT_ADMIN_PORT_BUF_ADDR_LSB && WEFT_ADMIN_BUF_BYTES_LSB == WEFT_ADMIN_PORT_BYTES_LSB,
	       "one reader for both");
static unsigned words_out(const uint32_t *c, uint32_t *rsp, unsigned room, uint32_t off)
{
	uint32_t *chunk = cm_buffer;
	uint64_t to = GET64(c, WEFT_ADMIN_BUF_BUF_ADDR);
	uint32_t words = GET(c, WEFT_ADMIN_BUF_BYTES) / 4;

	if (to & 7) return admin_bad(rsp, WEFT_ADMIN_BUF_BUF_ADDR_OFF);
	if (words > 1024 || (words & 1)) return admin_bad(rsp, WEFT_ADMIN_BUF_BYTES_OFF);
	for (uint32_t at = 0; at < words; at += 32) {
		uint32_t n = words - at < 32 ? words - at : 32;

		for (uint32_t i = 0; i < n; i++) chunk[i] = hw_cfg_read(room, off + (at + i) * 4);
		hw_dma_write(to + at * 4, chunk, n * 4);
	}
	return hw_cfg_failed() ? WEFT_ADMIN_STATUS_NOT_FOUND : WEFT_ADMIN_STATUS_OK;
}

unsigned stats(const uint32_t *c, uint32_t *rsp)
{
	unsigned rc = words_out(c, rsp, WEFT_ROOM_STATS, 0);

	hw_stack_mark();
	return rc == WEFT_ADMIN_STATUS_NOT_FOUND ? WEFT_ADMIN_STATUS_OK : rc; /* counters that do not exist read 0 */
}

unsigned port(const uint32_t *c, uint32_t *rsp)
{
	uint32_t off = GET(c, WEFT_ADMIN_PORT_OFFSET);

	if (!(hw_bar0(WEFT_REG_FEATURES) & 1u << WEFT_FEATURE_PORT)) return WEFT_ADMIN_STATUS_BAD_OP;
	if (off > 0xf000 || (off & 3)) return admin_bad(rsp, WEFT_ADMIN_PORT_OFFSET_OFF);
	if (GET(c, WEFT_ADMIN_CMD_OP) == WEFT_ADMIN_OP_PORT_READ) return words_out(c, rsp, WEFT_ROOM_PORT, off);
	hw_cfg_write(WEFT_ROOM_PORT, off, GET(c, WEFT_ADMIN_PORT_VALUE));
	(void)hw_cfg_read(WEFT_ROOM_PORT, off); /* the write is over then, and known to have failed */
	return hw_cfg_failed() ? WEFT_ADMIN_STATUS_NOT_FOUND : WEFT_ADMIN_STATUS_OK;
}
