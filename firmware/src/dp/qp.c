// SPDX-License-Identifier: BSD-2-Clause
/* Queue pairs of the data path: what QP_CREATE says lies in lines 4 and 7 of the home, in host memory. */
#include "dp_inside.h"

#define MAX_DYING 64
#define MAX_MR 64
#define MAX_QUERY 4
#define DRAIN_T TICKS(2000)

static struct dying { uint16_t tag, qpn; uint32_t until; } dying[MAX_DYING]; /* dying_n of them, the oldest first: all wait as long */
/*
 * Commands that wait for accesses, in order. Room TPT counts the commits of entries that are not VALID, and event DRAINED says up to which one
 * nothing goes by what was there before (docs/datapath.md, "Drains"); so a number that was given up confuses nobody.
 */
static struct { uint16_t tag, seq, until; } mrs[MAX_MR];
static uint16_t closings;
static struct { uint16_t tag, qpn; uint8_t op; } queries[MAX_QUERY];
static unsigned dying_n, mr_head, mr_n;

unsigned dp_qp_create(const uint32_t *c, uint32_t qpn)
{
	uint64_t at = home_at(qpn);
	uint32_t *l = cm_buffer, pd = GET(c, WEFT_ADMIN_QP_PD), ird = GET(c, WEFT_ADMIN_QP_IRD), priv = GET(c, WEFT_ADMIN_QP_FLAGS) & 1;

	if (!at || *st_at(qpn)) return WEFT_ADMIN_STATUS_BAD_STATE;
	/* No connection: what was there of an earlier one is nobody's. It goes while the rest is made. */
	memset(l, 0, 512);
	(void)hw_dma_write_begin(at, l, 256);
	l = home_line(4);
	SET64(l, WEFT_HOME_SQ_SQ_BASE, GET64(c, WEFT_ADMIN_QP_SQ_BASE));
	l[2] = AT(2, WEFT_HOME_SQ_SQ_LOG2, GET(c, WEFT_ADMIN_QP_SQ_LOG2)) | AT(2, WEFT_HOME_SQ_SQ_STRIDE, GET(c, WEFT_ADMIN_QP_SQ_STRIDE))
	       | AT(2, WEFT_HOME_SQ_PRIV, priv) | AT(2, WEFT_HOME_SQ_CQN, GET(c, WEFT_ADMIN_QP_SCQN));
	l[3] = AT(3, WEFT_HOME_SQ_PD, pd);
	l[5] = AT(5, WEFT_HOME_SQ_ORD, GET(c, WEFT_ADMIN_QP_ORD)) | AT(5, WEFT_HOME_SQ_IRD, ird);
	l = home_line(7);
	SET64(l, WEFT_HOME_RDMAP_RQ_BASE, GET64(c, WEFT_ADMIN_QP_RQ_BASE));
	l[2] = AT(2, WEFT_HOME_RDMAP_RQ_LOG2, GET(c, WEFT_ADMIN_QP_RQ_LOG2)) | AT(2, WEFT_HOME_RDMAP_RQ_STRIDE, GET(c, WEFT_ADMIN_QP_RQ_STRIDE))
	       | AT(2, WEFT_HOME_RDMAP_CQN, GET(c, WEFT_ADMIN_QP_RCQN));
	l[3] = AT(3, WEFT_HOME_RDMAP_PD, pd) | AT(3, WEFT_HOME_RDMAP_ACCESS, GET(c, WEFT_ADMIN_QP_ACCESS));
	l[4] = AT(4, WEFT_HOME_RDMAP_IRD, ird);
	l[9] = AT(9, WEFT_HOME_RDMAP_PRIV, priv);
	if (GET(c, WEFT_ADMIN_QP_FLAGS) & 2) {
		l[14] = AT(14, WEFT_HOME_RDMAP_SRQ_PD, GET(c, WEFT_ADMIN_QP_SRQ_PD)) | AT(14, WEFT_HOME_RDMAP_SRQ, 1);
		l[15] = AT(15, WEFT_HOME_RDMAP_SRQN, GET(c, WEFT_ADMIN_QP_SRQN));
	}
	hw_dma_write(at + 256, home_line(4), 256); /* ends behind the other */
	return WEFT_ADMIN_STATUS_OK;
}

bool dp_destroy_room(void) { return dying_n < MAX_DYING; }

unsigned dp_qp_destroy(uint32_t qpn, unsigned tag)
{
	uint16_t *st = st_at(qpn);

	if (!(*st & ST_HOME)) { /* the card knows nothing of it */
		qp_gone(qpn);
		home_never(qpn);
		return WEFT_ADMIN_STATUS_OK;
	}
	dying[dying_n++] = (struct dying){ .tag = (uint16_t)tag, .qpn = (uint16_t)qpn, .until = after(DRAIN_T) };
	home_kill(qpn, ST_GO);
	return ADMIN_LATER;
}

/* All else of flags stays: the SRQN lies above bit 7. */
static void dying_over(uint32_t qpn) { qp_at(qpn)->flags &= (uint16_t)~QP_DYING; }
static void dying_end(unsigned i, unsigned status)
{
	struct dying d = dying[i];

	for (dying_n--; i < dying_n; i++) dying[i] = dying[i + 1];
	dying_over(d.qpn); /* the driver may try again */
	if (!status) qp_gone(d.qpn);
	admin_response();
	admin_finish(WEFT_ADMIN_OP_QP_DESTROY, d.tag, status);
}

void qp_destroyed(uint32_t qpn, bool ok)
{
	uint16_t *now = st_at(qpn), st = *now;

	if (!(st & ST_GO)) { /* a set-up that was broken off, or HOLD that is lifted; nobody has asked for the end of a home that flushes */
		if (qp_at(qpn)->conn == NO_CONN && ((st & ST_KILL) || !(qp_at(qpn)->flags & QP_ERR))) *now &= (uint16_t)~ST_HOME;
		return;
	}
	if (!ok) { /* it came home meanwhile */
		if (home_room(1)) home_op(qpn, WEFT_HOME_OP_SAVE);
		else home_later(qpn, 0);
		return;
	}
	home_never(qpn);
	for (unsigned i = 0; i < dying_n; i++)
		if (dying[i].qpn == qpn) dying_end(i, WEFT_ADMIN_STATUS_OK);
}

/* One that never had a connection gets a home that flushes. */
void dp_qp_error(uint32_t qpn)
{
	if (*st_at(qpn) & ST_HOME) {
		home_kill(qpn, 0);
	} else {
		srq_last(qpn);
		home_soon(qpn, ST_FLUSH);
	}
}
void qp_flushes(uint32_t qpn)
{
	uint64_t at = home_at(qpn);

	if (!at || !home_read(qpn, 4, 4)) return;
	SET(home_line(4), WEFT_HOME_SQ_STATE, WEFT_QP_STATE_ERR);
	SET(home_line(6), WEFT_HOME_MPA_DEAD, 1);
	SET(home_line(7), WEFT_HOME_RDMAP_STATE, WEFT_QP_STATE_ERR);
	hw_dma_write(at + 256, home_line(4), 256);
	*st_at(qpn) |= ST_HOME;
	home_op(qpn, WEFT_HOME_OP_CREATE);
	home_cmd(qpn, R_QP | R_RDMAP, WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_ERR);
}

/* ---- questions ---- */

static void state(uint32_t qpn, uint32_t *d)
{
	uint32_t *snd = home_line(1), *rcv = home_line(2);

	SET(d, WEFT_ADMIN_QP_STATE_TERMINATE, cm_terminate_word(qpn));
	if (!home_read(qpn, 0, 8)) return;
	SET(d, WEFT_ADMIN_QP_STATE_STATE, GET(home_line(4), WEFT_HOME_SQ_STATE));
	SET(d, WEFT_ADMIN_QP_STATE_SQ_INDEX, GET(home_line(4), WEFT_HOME_SQ_SQ_DONE));
	SET(d, WEFT_ADMIN_QP_STATE_SND_UNA, GET(snd, WEFT_HOME_SND_SEQ0) + snd[WEFT_HOME_SND_UNA_LSB / 32]);
	SET(d, WEFT_ADMIN_QP_STATE_SND_NXT, GET(snd, WEFT_HOME_SND_SEQ0) + GET(snd, WEFT_HOME_SND_SND_MAX));
	SET(d, WEFT_ADMIN_QP_STATE_RQ_INDEX, GET(home_line(7), WEFT_HOME_RDMAP_RQ_INDEX));
	SET(d, WEFT_ADMIN_QP_STATE_RCV_NXT, GET(rcv, WEFT_HOME_RCV_SEQ0) + GET(rcv, WEFT_HOME_RCV_RCV_NXT));
}

/* Of a queue pair without a connection, which has no MSS: nothing. MSNs begin with 1. */
static void counts(uint32_t qpn, uint32_t *d)
{
	uint32_t *sq = home_line(4), *rx = home_line(7);

	if (!home_read(qpn, 4, 4) || !GET(sq, WEFT_HOME_SQ_MSS)) return;
	SET64(d, WEFT_ADMIN_QP_COUNTS_TX_BYTES, GET64(sq, WEFT_HOME_SQ_UNA));
	SET64(d, WEFT_ADMIN_QP_COUNTS_RX_BYTES, GET64(home_line(6), WEFT_HOME_MPA_NEXT));
	SET(d, WEFT_ADMIN_QP_COUNTS_TX_SENDS, GET(sq, WEFT_HOME_SQ_SEND_MSN) - 1);
	SET(d, WEFT_ADMIN_QP_COUNTS_TX_READS, GET(sq, WEFT_HOME_SQ_READ_MSN) - 1);
	SET(d, WEFT_ADMIN_QP_COUNTS_RX_SENDS, GET(rx, WEFT_HOME_RDMAP_SEND_MSN) - 1);
	SET(d, WEFT_ADMIN_QP_COUNTS_RX_READS, GET(rx, WEFT_HOME_RDMAP_READ_MSN) - 1);
}

static void answer(unsigned op, uint32_t qpn, uint32_t *d)
{
	if (op == WEFT_ADMIN_OP_QP_COUNTS) counts(qpn, d);
	else state(qpn, d);
}

__attribute__((noinline)) unsigned dp_qp_query(unsigned op, uint32_t qpn, uint32_t *d, unsigned tag)
{
	uint16_t st = *st_at(qpn);

	if (!(st & ST_HOME) || (st & ST_KILL)) { /* it is there, or will be in a moment */
		answer(op, qpn, d);
		return WEFT_ADMIN_STATUS_OK;
	}
	for (unsigned i = 0; i < MAX_QUERY; i++) {
		if (queries[i].qpn) continue;
		if (!(st & ST_QUERY) && !home_room(1)) break;
		queries[i].qpn = (uint16_t)qpn;
		queries[i].tag = (uint16_t)tag;
		queries[i].op = (uint8_t)op;
		*st_at(qpn) |= ST_QUERY;
		/* One save answers all that ask: a second one would be taken for that of ST_KILL, which asks last. */
		if (!(st & ST_QUERY)) home_op(qpn, WEFT_HOME_OP_SAVE);
		return ADMIN_LATER;
	}
	return WEFT_ADMIN_STATUS_NO_RESOURCE;
}

void qp_saved(uint32_t qpn, bool ok)
{
	*st_at(qpn) &= (uint16_t)~ST_QUERY;
	for (unsigned i = 0; i < MAX_QUERY; i++) {
		uint32_t *d;

		if (queries[i].qpn != qpn) continue;
		queries[i].qpn = 0;
		d = admin_response() + WEFT_ADMIN_RSP_DATA_OFF / 4;
		if (ok) answer(queries[i].op, qpn, d);
		admin_finish(queries[i].op, queries[i].tag, ok ? WEFT_ADMIN_STATUS_OK : WEFT_ADMIN_STATUS_NOT_FOUND);
	}
}

/* ---- regions ---- */

bool dp_mr_room(void) { return mr_n < MAX_MR; }
bool dp_mr_waits(void) { return mr_n; }
void dp_mr_closed(void) { closings++; }
unsigned dp_mr_wait(unsigned tag)
{
	unsigned at = (mr_head + mr_n++) % MAX_MR;

	mrs[at].tag = (uint16_t)tag;
	mrs[at].seq = closings;
	mrs[at].until = (uint16_t)after(DRAIN_T);
	return ADMIN_LATER;
}
static void mr_end(unsigned status)
{
	unsigned tag = mrs[mr_head].tag;

	mr_head = (mr_head + 1) % MAX_MR;
	mr_n--;
	admin_response();
	admin_finish(WEFT_ADMIN_OP_MR_SET, tag, status);
}
void mr_drained(uint32_t upto)
{
	while (mr_n && (int16_t)((uint16_t)upto - mrs[mr_head].seq) >= 0) mr_end(WEFT_ADMIN_STATUS_OK);
}

void dp_forget(void)
{
	for (unsigned i = 0; i < dying_n; i++) dying_over(dying[i].qpn);
	for (unsigned i = 0; i < MAX_QUERY; i++) queries[i].qpn = 0;
	dying_n = mr_n = 0;
}

void qp_timers(uint32_t now)
{
	while (mr_n && (int16_t)((uint16_t)now - mrs[mr_head].until) >= 0) mr_end(WEFT_ADMIN_STATUS_TIMEOUT);
	while (dying_n && is_due(now, dying[0].until)) dying_end(0, WEFT_ADMIN_STATUS_TIMEOUT);
}

int32_t qp_deadline(uint32_t now, int32_t t)
{
	if (mr_n && (int16_t)(mrs[mr_head].until - (uint16_t)now) < t) t = (int16_t)(mrs[mr_head].until - (uint16_t)now);
	if (dying_n && (int32_t)(dying[0].until - now) < t) t = (int32_t)(dying[0].until - now);
	return t;
}
