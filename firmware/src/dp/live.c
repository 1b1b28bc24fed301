// SPDX-License-Identifier: BSD-2-Clause
/*
 * Connections that the data path has: hand-over, their events, and their close. TCP of the card sends our FIN and
 * acknowledges the peer's; firmware says when, and hears when both are through.
 */
#include "dp_inside.h"

#define SWEEP_T TICKS(500)
#define SWEEP_STEP 16
#define SWEEP_LOOK 64
#define WATCHED 32
#define CLOSE_UNITS 10   /* of 2^29 ns: until our FIN is acknowledged */
#define WAIT_UNITS 19    /* ... until the peer's FIN is there */
#define TERM_UNITS 1     /* ... of one that was sent a Terminate: what it has not sent yet, or would have to send again, may be gone by then */
#define HOLD_NS (150 * MS) /* has the reply been received? Then the first FPDU is there, or it is sent again */
#define REPLY_TRIES 6    /* one in SWEEP_T: then the peer has it and says nothing, or is not there */
#define HAND_T TICKS(2000)
#define CREATE_TRIES 63  /* of a home that is refused: some 100,000 cycles */
#define CF_FIN_ACKED CF_PENDING /* on this path */

/* Value slots: four with the RTR, with a CRC (1) or without, with a marker in front (2) or without, for good; the others hold Terminates. */
#define VALUE_RTR 0
#define VALUE_TERM 4
static uint16_t value_owner[MAX_VALUE];
static uint8_t value_len[MAX_VALUE];
static unsigned closing, holding;
static uint32_t sweep;
static unsigned sweep_at; /* 0: none is under way */
/* Who is to be looked at by the sweep; more than have a place here are looked for among all. */
static uint16_t watched[WATCHED];
static unsigned watched_n;
static bool watched_more;

static void finish(struct conn *k, unsigned why, unsigned status);

static unsigned units(void) { return (unsigned)(hw_now() >> 29) & 63; }

static void value_write(unsigned v, const uint8_t *bytes, unsigned n)
{
	uint32_t x[16] = { 0 };

	memcpy(x, bytes, n);
	for (unsigned i = 0; i < (n + 3) / 4; i++) hw_cfg_write(WEFT_ROOM_VALUE, v * 64 + i * 4, x[i]);
}

void live_init(void)
{
	/* A marker, which points to what it stands in front of, so 0 (RFC 5044 4.3), and the whole FPDU: a Write of length 0, STag 1, TO 0. */
	uint8_t f[24] = { 0, 0, 0, 0, 0, 14, 0xc1, 0x40, 0, 0, 0, 1 };

	for (unsigned v = 0; v < 4; v++) {
		unsigned from = v & 2 ? 0 : 4;
		uint32_t crc = v & 1 ? hw_crc32c(f + from, 20 - from) : 0;

		for (unsigned i = 0; i < 4; i++) f[20 + i] = (uint8_t)(crc >> 8 * i);
		value_write(VALUE_RTR + v, f + from, 24 - from);
	}
}

/* ---- hand-over ---- */

bool dp_start(struct slot *s, struct conn *k, bool hold, unsigned tos)
{
	(void)hold; /* a responder's */
	if (!home_kept() || home_look(&s->path, k->qpn, WEFT_LOOK_CMD_INSERT) != WEFT_LOOK_STATUS_OK) return false;
	s->path.tos = (uint8_t)(tos & 0xfc);
	s->state = S_HAND;
	s->retries = 0;
	s->rexmit = 0;
	s->expire = after(HAND_T);
	s->fin = false; /* HOLD was answered */
	*st_at(k->qpn) |= ST_HOME; /* nothing of an earlier connection: such a QP is in ERROR */
	home_op(k->qpn, WEFT_HOME_OP_HOLD);
	return true;
}

void dp_rtr(struct slot *s) { s->peer_p2p = true; }

/* HOLD was answered: what firmware has in its queue is worked off first (dp_serve comes behind it). Refused: the home is made without it. */
void live_held(uint32_t qpn, bool ok)
{
	struct conn *k = conn_by_qp(qpn);
	struct slot *s = k ? slot_of(k) : NULL;

	if (!s || s->state != S_HAND || k->state != C_SETUP) return;
	s->fin = true;
	s->active = ok; /* from here on: it is held */
}

/* The home is in memory; now it is in the card, too, unless that is refused. */
static void begin(uint32_t qpn, unsigned op, unsigned more)
{
	if (more) *more_at(qpn) = (uint16_t)more;
	home_op(qpn, op);
}

/* An RTR goes in front of what was posted, unless the connection is about to end. There is room. */
void live_rtr(uint32_t qpn)
{
	const struct conn *k = conn_by_qp(qpn);
	uint16_t *more = more_at(qpn), was = *more;

	*more &= (uint16_t)~(M_RTR | M_CRC | M_MARK | M_DUE | M_RTS);
	if (!k || k->state != C_HW) return;
	if (was & M_RTR) home_cmd(qpn, R_QP, WEFT_CTX_OP_VALUE, (VALUE_RTR + (was & M_CRC ? 1 : 0) + (was & M_MARK ? 2 : 0)) | (was & M_MARK ? 24 : 20) << 8 | 1 << 15);
	home_cmd(qpn, R_QP, WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_RTS);
}

void live_begun(uint32_t qpn)
{
	uint16_t *more = more_at(qpn);

	if (!(*more & M_RTR)) return;
	*more |= M_DUE;
	home_soon(qpn, 0);
}

static void hand(struct slot *s, struct conn *k)
{
	uint32_t qpn = k->qpn, wnd = s->ws_ok ? RCV_WND : 65535, roff = s->rx_len, off = s->tx_len, seq0 = s->snd_nxt - off, rseq0 = s->rcv_nxt - roff;
	bool hold = !(k->flags & CF_ACTIVE), rtr = !hold && s->peer_p2p, held = s->active;
	uint64_t now = hw_now() >> 10, at = home_at(qpn);
	unsigned read = 0, wrote = 0;
	uint32_t *l;

	s->fin = false;
	s->active = !hold;
	if (wnd > RCV_WND) wnd = RCV_WND;
	if (at) read = hw_dma_begin(home_line(4), at + 256, 256, true); /* what QP_CREATE wrote comes while the rest is made */
	memset(cm_buffer, 0, 256);
	l = home_line(0);
	copy16(BYTES(l, WEFT_HOME_KEY_LOCAL_ADDR), s->path.local);
	copy16(BYTES(l, WEFT_HOME_KEY_PEER_ADDR), s->path.peer);
	l[8] = AT(8, WEFT_HOME_KEY_LOCAL_PORT, s->path.lport) | AT(8, WEFT_HOME_KEY_PEER_PORT, s->path.pport);
	l[9] = AT(9, WEFT_HOME_KEY_L2, s->l2) | AT(9, WEFT_HOME_KEY_TOS, s->path.tos) | AT(9, WEFT_HOME_KEY_TTL, 64);
	l[11] = AT(11, WEFT_HOME_KEY_IPV6, s->path.ipv6) | AT(11, WEFT_HOME_KEY_TS, s->ts_ok) | AT(11, WEFT_HOME_KEY_SACK, s->sack_ok)
		| AT(11, WEFT_HOME_KEY_ALIGNED, !!(s->weft & OPT_WEFT_ALIGNED)) | AT(11, WEFT_HOME_KEY_VLAN, s->path.vlan);
	l[12] = AT(12, WEFT_HOME_KEY_VID, s->path.tci & 0xfff);
	l = home_line(1);
	SET64(l, WEFT_HOME_SND_UNA, off);
	SET(l, WEFT_HOME_SND_SND_MAX, off);
	SET(l, WEFT_HOME_SND_SEQ0, seq0);
	SET(l, WEFT_HOME_SND_WND_EDGE, off + s->snd_wnd);
	SET(l, WEFT_HOME_SND_WL1, s->wl1);
	SET(l, WEFT_HOME_SND_WL2, s->wl2);
	SET(l, WEFT_HOME_SND_MAX_WND, s->max_wnd);
	SET(l, WEFT_HOME_SND_RECOVER, off);
	SET(l, WEFT_HOME_SND_RTX_NXT, off);
	l[13] = AT(13, WEFT_HOME_SND_MSS, s->mss) | AT(13, WEFT_HOME_SND_STATE, WEFT_TCP_STATE_OPEN) | AT(13, WEFT_HOME_SND_HOLD, hold)
		| AT(13, WEFT_HOME_SND_WSCALE, s->ws_ok);
	if (s->ws_ok) l[14] = AT(14, WEFT_HOME_SND_SND_SHIFT, s->snd_ws) | AT(14, WEFT_HOME_SND_RCV_SHIFT, RCV_WSCALE);
	SET(l, WEFT_HOME_SND_TS_OFF, tcp_ts_off());
	l = home_line(2);
	SET64(l, WEFT_HOME_RCV_COMMITTED, roff);
	SET(l, WEFT_HOME_RCV_RCV_NXT, roff);
	SET(l, WEFT_HOME_RCV_RIGHT, roff + wnd);
	SET(l, WEFT_HOME_RCV_SEQ0, rseq0);
	SET(l, WEFT_HOME_RCV_LAST_ACK, s->rcv_nxt);
	SET(l, WEFT_HOME_RCV_ADV, s->rcv_nxt + wnd);
	SET(l, WEFT_HOME_RCV_TS_RECENT, s->ts_recent);
	SET(l, WEFT_HOME_RCV_TS_AGE, (uint32_t)(now >> 20));
	l[10] = AT(10, WEFT_HOME_RCV_WEFT, s->weft & OPT_WEFT_ACKS);
	l = home_line(3);
	if (hold) SET64(l, WEFT_HOME_TIM_KEEP_AT, now + (HOLD_NS >> 10));
	l[1] = AT(1, WEFT_HOME_TIM_RTT_SEEN, s->srtt_us != 0);
	SET(l, WEFT_HOME_TIM_SRTT, s->srtt_us * 8);
	SET(l, WEFT_HOME_TIM_RTTVAR, s->srtt_us * 2);
	SET(l, WEFT_HOME_TIM_MIN_RTT, s->srtt_us);
	if (at) wrote = hw_dma_write_begin(at, cm_buffer, 256);
	if (!at || !hw_dma_end(read) || !home_kept()) {
		if (at) hw_dma_write_end(wrote);
		s->state = S_HAND;
		cm_reset(k, WEFT_CM_STATUS_NO_RESOURCE);
		return;
	}
	l = home_line(4);
	SET(l, WEFT_HOME_SQ_CRC, s->crc);
	SET(l, WEFT_HOME_SQ_MARKERS, s->markers);
	SET(l, WEFT_HOME_SQ_STATE, rtr ? WEFT_QP_STATE_HALT : WEFT_QP_STATE_RTS);
	SET(l, WEFT_HOME_SQ_FIRST, off);
	l[5] = AT(5, WEFT_HOME_SQ_MSS, s->mss) | AT(5, WEFT_HOME_SQ_ORD, s->ord) | AT(5, WEFT_HOME_SQ_IRD, s->ird);
	SET64(l, WEFT_HOME_SQ_OFF, off);
	SET64(l, WEFT_HOME_SQ_UNA, off);
	SET64(l, WEFT_HOME_SQ_LIMIT, off);
	SET(l, WEFT_HOME_SQ_SEND_MSN, 1);
	SET(l, WEFT_HOME_SQ_READ_MSN, 1);
	l = home_line(6);
	SET64(l, WEFT_HOME_MPA_NEXT, roff);
	SET64(l, WEFT_HOME_MPA_RCV_EDGE, roff + wnd);
	SET(l, WEFT_HOME_MPA_FIRST, roff);
	SET(l, WEFT_HOME_MPA_CRC, s->crc);
	SET(l, WEFT_HOME_MPA_FRESH, 1);
	l = home_line(7);
	SET(l, WEFT_HOME_RDMAP_STATE, WEFT_QP_STATE_RTS);
	SET(l, WEFT_HOME_RDMAP_IRD, s->ird);
	SET(l, WEFT_HOME_RDMAP_SEND_MSN, 1);
	SET(l, WEFT_HOME_RDMAP_READ_MSN, 1);
	SET(l, WEFT_HOME_RDMAP_FIRST, 1);
	hw_dma_write_end(wrote);
	wrote = hw_dma_write_begin(at + 256, home_line(4), 256);
	if (hold) {
		cm_buffer[0] = s->tx_len;
		cm_buffer[1] = s->dseq;
		(void)hw_dma_write_begin(at + HOME_REPLY, cm_buffer, 8);
		wrote = hw_dma_write_begin(at + HOME_REPLY + 8, s->buf, (s->tx_len + 3u) & ~3u); /* tx_off is 0 */
	}
	hw_dma_write_end(wrote);
	begin(qpn, held ? WEFT_HOME_OP_RELEASE : WEFT_HOME_OP_CREATE, rtr ? M_RTR | (s->crc ? M_CRC : 0) | (s->markers ? M_MARK : 0) : 0);
	*st_at(qpn) |= ST_LOOK;
	k->word = roff & 0xfffff;
	s->state = S_WAIT_REP;
	cm_handed(s, k);
}

static void hold_over(uint32_t qpn)
{
	if (*st_at(qpn) & ST_HOLD) holding--;
	*st_at(qpn) &= (uint16_t)~ST_HOLD;
}

/* The MPA reply again: nothing has been received since, and nothing sent, so the home is as it was made, wherever the connection is. */
static void reply_again(uint32_t qpn)
{
	struct slot *x = scratch_clear();
	uint32_t *r = home_line(2);

	if (!home_read(qpn, 0, 3)) return;
	home_path(&x->path);
	hw_l2(&x->path, GET(home_line(0), WEFT_HOME_KEY_L2));
	x->mss = (uint16_t)GET(home_line(1), WEFT_HOME_SND_MSS);
	x->ws_ok = GET(home_line(1), WEFT_HOME_SND_WSCALE);
	x->ts_ok = GET(home_line(0), WEFT_HOME_KEY_TS);
	x->ts_recent = GET(r, WEFT_HOME_RCV_TS_RECENT);
	x->rcv_nxt = GET(r, WEFT_HOME_RCV_SEQ0) + GET(r, WEFT_HOME_RCV_RCV_NXT);
	if (!hw_dma_read_after(cm_buffer, home_at(qpn) + HOME_REPLY, 544) || cm_buffer[0] > 536) return;
	x->state = S_WAIT_REP;
	x->buf = (uint8_t *)cm_buffer;
	x->tx_off = 8;
	x->tx_len = (uint16_t)cm_buffer[0];
	x->snd_una = x->dseq = x->snd_max = cm_buffer[1];
	x->snd_nxt = x->dseq + x->tx_len;
	x->snd_wnd = 0xffff;
	tcp_output(x);
}

/*
 * Frames of one who had this QPN before are still to be let go: in a moment CREATE is taken. Nothing has moved in the home since. What else was asked
 * of the connection meanwhile has found nobody, so then it ends. So does one that is refused again and again (`when` counts; nothing else counts there
 * before a connection exists).
 */
void live_refused(uint32_t qpn)
{
	struct conn *k = conn_by_qp(qpn);
	uint16_t *st = st_at(qpn);

	if ((*st & (ST_HOME | ST_KILL)) != ST_HOME || (*st & ST_TODO)) return;
	if (k && k->state == C_HW && k->when < CREATE_TRIES && home_kept()) {
		k->when++;
		home_op(qpn, WEFT_HOME_OP_CREATE);
	} else if (k && k->state >= C_HW) {
		cm_reset(k, WEFT_CM_STATUS_NO_RESOURCE);
	} else if (!k && home_room_now(1)) { /* it is to flush: is there one already, or is an earlier one let go still? */
		*st |= ST_FLUSH;
		home_op(qpn, WEFT_HOME_OP_SAVE);
	} else if (!k) {
		*st &= (uint16_t)~ST_HOME;
		home_later(qpn, ST_FLUSH);
	}
}

/* Its home could not be read. */
bool live_lost(uint32_t qpn)
{
	struct conn *k = conn_by_qp(qpn);

	if (!k || k->state < C_HW) return k;
	event_qp(qpn, WEFT_QP_EVENT_LLP_RESET, 0);
	finish(k, 0, WEFT_CM_STATUS_ABORTED);
	return true;
}

/* Set-up ended between HOLD and RELEASE. */
static void undo(const struct slot *s, uint32_t qpn)
{
	(void)home_look(&s->path, qpn, WEFT_LOOK_CMD_REMOVE);
	if (home_kept()) home_op(qpn, WEFT_HOME_OP_DESTROY);
	else home_later(qpn, ST_UNDO);
}

void live_serve(void)
{
	struct slot *s;

	for_slots(s)
		if (s->state == S_HAND && s->fin) hand(s, conn_of(s));
}

/* ---- close ---- */

void dp_forget_conn(struct conn *k)
{
	if (k->flags & CF_HALT) closing--;
	if (k->qpn) hold_over(k->qpn);
	k->flags &= ~(CF_FIN_ACKED | CF_HALT);
	for (unsigned i = VALUE_TERM; i < MAX_VALUE; i++)
		if (value_owner[i] == k->qpn) value_owner[i] = 0;
}

void dp_conn_end(struct conn *k)
{
	struct slot *s = slot_of(k);

	if (k->state == C_SETUP) {
		if (s && s->state == S_HAND) undo(s, k->qpn);
		return;
	}
	if (!(qp_at(k->qpn)->flags & QP_ERR)) home_kill(k->qpn, 0);
	qp_at(k->qpn)->flags |= QP_ERR;
}

/* The end of a connection that the card has: why is ST_RST, ST_TW, or 0. */
static void finish(struct conn *k, unsigned why, unsigned status)
{
	struct slot *s = slot_of(k);

	home_kill(k->qpn, why);
	qp_at(k->qpn)->flags |= QP_ERR;
	conn_end(k, status);
	if (s) slot_free(s);
}

void dp_reset(struct conn *k, struct slot *s, unsigned status)
{
	(void)s;
	finish(k, ST_RST, status);
}

/* Something of it may last too long. */
static void watch(const struct conn *k)
{
	uint32_t at = conn_index(k);
	unsigned i = 0;

	if (!sweep) sweep = after(SWEEP_T);
	while (i < watched_n && watched[i] != at) i++;
	if (i < watched_n) return;
	if (watched_n < WATCHED) watched[watched_n++] = (uint16_t)at;
	else watched_more = true;
}

static void close_begins(struct conn *k)
{
	if (!(k->flags & CF_HALT)) closing++;
	k->flags |= CF_HALT;
	k->state = C_CLOSING;
	k->when = units();
	watch(k);
}

/*
 * No new work; when qp has nothing under way any more, FIN (event DRAINED). With a Terminate, that goes in front of it; behind a Terminate of the peer
 * qp is in ERR. When the commands find no place they wait for one, as long as a close may last (look_at).
 */
static inline __attribute__((always_inline)) void ask(const struct conn *k, bool term, bool ours)
{
	uint32_t qpn = k->qpn;
	unsigned v = VALUE_TERM;

	/* Of a responder whose first FPDU is at fault, or has not come: FIN does not wait for it. */
	home_cmd(qpn, R_TCP, WEFT_CTX_OP_SET_STATE, HOLD_ENDS);
	if (ours || !(k->flags & CF_TERM)) home_cmd(qpn, R_QP, WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_HALT); /* else it flushes */
	if (term) {
		while (v < MAX_VALUE - 1 && value_owner[v] != qpn) v++;
		home_cmd(qpn, R_QP, WEFT_CTX_OP_VALUE, v | (value_len[v] & 63u) << 8);
	}
	home_cmd(qpn, R_QP, WEFT_CTX_OP_DRAIN, ours ? 2 : 1);
}
static void halt(struct conn *k, bool term)
{
	close_begins(k);
	if (!home_todo && home_room_now(4)) {
		ask(k, term, term); /* one that was asked for before has begun a close then */
		return;
	}
	*more_at(k->qpn) |= term ? M_HALT | M_TERM : M_HALT;
	home_later(k->qpn, 0);
}

void live_halt(uint32_t qpn, bool term)
{
	const struct conn *k = conn_by_qp(qpn);
	unsigned st = *st_at(qpn);

	if (k && k->state == C_CLOSING && !(st & ST_CLOSE)) ask(k, term, st & ST_TERM);
}

void dp_disconnect(struct conn *k) { halt(k, false); }

static void drained(struct conn *k, uint32_t token)
{
	uint16_t *st = st_at(k->qpn);

	if (k->state != C_CLOSING || (*st & (ST_CLOSE | ST_KILL)) || ((*st & ST_TERM) && token != 2)) return;
	*st |= ST_CLOSE;
	/* What lies behind a fault is acknowledged, and let go, when our Terminate was: so the peer's FIN is heard (RFC 5040 4.8). */
	home_soon(k->qpn, *st & ST_TERM ? ST_DEAF | ST_FIN : ST_FIN);
}

static void maybe_over(struct conn *k)
{
	if ((k->flags & (CF_FIN_ACKED | CF_PEER_FIN)) != (CF_FIN_ACKED | CF_PEER_FIN)) return;
	finish(k, *st_at(k->qpn) & ST_LAST ? 0 : ST_TW, k->cause);
}

/* ---- events ---- */

/*
 * The Terminate of a fault (RFC 5040 4.8): control word, and if headers came with the event the segment's length (M), the DDP header (D) and, of a
 * Read Request, the RDMAP header (R). CODE is layer[15:12] type[11:8] code[7:0]. It acknowledges what lies in front of the FPDU at fault, so the peer
 * has not completed that when it hears of it; the rest is acknowledged when it has heard.
 */
static void terminate(struct conn *k, const uint32_t *ev)
{
	uint32_t code = GET(ev, WEFT_FW_EVENT_CODE), n = GET(ev, WEFT_FW_EVENT_HDR_BYTES), w = code << 16, len = 4;
	uint16_t *st = st_at(k->qpn);
	uint8_t t[64] = { 0 };
	unsigned v = VALUE_TERM;

	if (*st & ST_TERM) return; /* the first counts: a second value would take its place while it waits for the window */
	if (n > 46) n = 46;
	if (n >= 14) {
		w |= 6u << 13; /* M, D */
		if (n > 18) w |= 1u << 13; /* R */
		put16(t + 4, GET(ev, WEFT_FW_EVENT_DATA1) & 0xffff);
		memcpy(t + 6, BYTES(ev, WEFT_FW_EVENT_HDR), n);
		len = 6 + n;
	}
	put32(t, w);
	k->flags |= CF_TERM;
	k->word = w >> 13;
	k->cause = WEFT_CM_STATUS_ABORTED;
	event_qp(k->qpn, WEFT_QP_EVENT_TERMINATE_SENT, w);
	while (v < MAX_VALUE && value_owner[v]) v++;
	if (v == MAX_VALUE || (*st & ST_CLOSE)) { /* no room, or behind FIN: the peer sees a reset */
		cm_reset(k, WEFT_CM_STATUS_ABORTED);
		return;
	}
	value_owner[v] = k->qpn;
	value_len[v] = (uint8_t)len;
	value_write(v, t, len);
	*st |= ST_TERM;
	halt(k, true);
}

/*
 * What the Terminate of a peer says of a work request of ours (RFC 5040 4.8, RFC 5041 8.2): status and kind (1 Write, 2 Send, 3 Read) for qp, 0 when it
 * has no header, or is of something else.
 */
static unsigned blame(const uint32_t *ev, uint32_t word)
{
	const uint8_t *h = BYTES(ev, WEFT_FW_EVENT_HDR) + 24; /* behind control word and length */
	unsigned at = word >> 24, op = h[1] & 15, kind = op == 0 ? 1 : op == 1 || op == 10 ? 3 : (op >= 3 && op <= 6) || op == 8 || op == 9 ? 2 : 0, status;

	if ((word & 6u << 13) != 6u << 13 || GET(ev, WEFT_FW_EVENT_HDR_BYTES) < 26 || !kind) return 0;
	switch (at) {
	case 0x01: /* RDMAP, remote protection */
	case 0x11: /* DDP, tagged buffer */
		status = WEFT_WC_STATUS_REM_ACCESS_ERR;
		break;
	case 0x02: /* RDMAP, remote operation */
		status = WEFT_WC_STATUS_REM_OP_ERR;
		break;
	case 0x12: /* DDP, untagged buffer */
		status = WEFT_WC_STATUS_REM_INV_REQ_ERR;
		break;
	default:
		return 0;
	}
	return status << 4 | kind << 8;
}

static void timed_out(struct conn *k, uint32_t qpn)
{
	event_qp(qpn, WEFT_QP_EVENT_LLP_RESET, 0);
	cm_reset(k, WEFT_CM_STATUS_TIMED_OUT);
}

bool dp_event(const uint32_t *ev)
{
	uint32_t qpn = GET(ev, WEFT_FW_EVENT_ID), data0 = GET(ev, WEFT_FW_EVENT_DATA0), code = GET(ev, WEFT_FW_EVENT_CODE), kind = GET(ev, WEFT_FW_EVENT_KIND);
	struct conn *k;
	struct slot *s;

	if (home_event(ev)) return true;
	if (kind == WEFT_FW_EV_DRAINED && code == WEFT_ROOM_TPT) {
		mr_drained(data0);
		return true;
	}
	if (kind == WEFT_FW_EV_CQ_OVERFLOW || (kind == WEFT_FW_EV_DRAINED && code != WEFT_ROOM_QP_TX)) return false;
	if (kind == WEFT_FW_EV_SRQ_LIMIT) {
		srq_limit(qpn);
		return true;
	}
	k = conn_by_qp(qpn);
	if (!k || k->state < C_HW || (*st_at(qpn) & ST_KILL)) return true; /* of a connection that is gone */
	s = slot_of(k);
	switch (kind) {
	case WEFT_FW_EV_DRAINED:
		drained(k, data0);
		break;
	case WEFT_FW_EV_RX_FAULT:
		terminate(k, ev);
		break;
	case WEFT_FW_EV_RX_TERMINATE:
		k->flags |= CF_TERM;
		data0 = be32(BYTES(ev, WEFT_FW_EVENT_HDR) + 18);
		*more_at(qpn) |= (uint16_t)blame(ev, data0);
		/* Nothing more is taken from its stream. What was not acknowledged was not taken, though it will be acknowledged. */
		home_soon(qpn, ST_DEAF | ST_FLUSH);
		k->word = data0 >> 13;
		event_qp(qpn, WEFT_QP_EVENT_TERMINATE_RECEIVED, data0);
		k->cause = WEFT_CM_STATUS_RESET;
		if (k->state == C_HW) halt(k, false);
		break;
	case WEFT_FW_EV_RX_FIN:
		if (k->flags & CF_PEER_FIN) break;
		k->flags |= CF_PEER_FIN;
		/* Behind our FIN, or a Terminate of either side, it is the end. */
		if (!(*st_at(qpn) & ST_CLOSE) && !(k->flags & CF_TERM)) cm_post(WEFT_EQE_TYPE_CM_DISCONNECT, 0, k, s);
		if (k->state == C_HW) {
			*st_at(qpn) |= ST_LAST;
			halt(k, false);
		} else {
			maybe_over(k);
		}
		break;
	case WEFT_FW_EV_ACKED:
		if (k->flags & CF_FIN_ACKED) break;
		k->flags |= CF_FIN_ACKED;
		k->when = units();
		/* The peer has all that it will get. What still waits for an answer gets none, whenever its FIN comes. */
		if (k->flags & CF_TERM) home_soon(qpn, ST_FLUSH);
		maybe_over(k);
		break;
	case WEFT_FW_EV_TX_ERROR:
		event_qp(qpn, WEFT_QP_EVENT_LOCAL_ERROR, data0);
		cm_reset(k, WEFT_CM_STATUS_ABORTED);
		break;
	case WEFT_FW_EV_TX_TIMEOUT:
		if (code) { /* HOLD: the reply, or the first FPDU, was lost; or the peer has nothing to say */
			if (k->state != C_HW || (*st_at(qpn) & ST_HOLD)) break;
			*st_at(qpn) |= ST_HOLD;
			holding++;
			k->when = 0;
			watch(k);
			reply_again(qpn);
			break;
		}
		timed_out(k, qpn);
		break;
	case WEFT_FW_EV_RX_STALLED: /* the rest of an FPDU does not come; one that is ending gives its ring back by itself */
		if (k->state == C_HW) timed_out(k, qpn);
		break;
	case WEFT_FW_EV_SLOT_HELD: /* others wait for its slot; one that is ending has a deadline of its own */
		if (k->state != C_HW) break;
		event_qp(qpn, WEFT_QP_EVENT_SLOT_HELD, 0);
		cm_reset(k, WEFT_CM_STATUS_TIMED_OUT);
		break;
	case WEFT_FW_EV_SRQ_WAKE:
		*more_at(qpn) |= M_WAKE;
		home_soon(qpn, 0);
		break;
	case WEFT_FW_EV_HOLD_OVER:
		hold_over(qpn);
		break;
	case WEFT_FW_EV_TCP_RESET:
		/* Behind a Terminate it is the end that was announced (RFC 5040 4.8). */
		if (!(k->flags & CF_TERM)) event_qp(qpn, WEFT_QP_EVENT_LLP_RESET, 0);
		finish(k, 0, k->flags & CF_TERM ? k->cause : WEFT_CM_STATUS_RESET);
		break;
	default:
		break;
	}
	return true;
}

/* Segments of a connection go to the card's TCP, whatever their flags. */
void dp_frame(uint32_t qpn, const struct seg *g) { (void)qpn; (void)g; }

/* ---- slots, time ---- */


void dp_describe(struct slot *s, const struct conn *k)
{
	if (!home_read(k->qpn, 0, 8)) return;
	home_path(&s->path);
	s->peer_ird = (uint16_t)GET(home_line(4), WEFT_HOME_SQ_ORD);
	s->peer_ord = (uint16_t)GET(home_line(7), WEFT_HOME_RDMAP_IRD);
}

void dp_poll(struct slot *s, uint32_t now)
{
	struct conn *k = conn_of(s);

	if (!is_due(now, s->expire)) return;
	if (s->state == S_HAND) {
		cm_reset(k, WEFT_CM_STATUS_NO_RESOURCE);
	} else if (k && (k->flags & CF_REPORTED)) {
		slot_end(s);
	} else {
		slot_free(s);
	}
}

/* What did not get through in time. False: it need not be looked at again. */
static bool look_at(struct conn *k)
{
	uint16_t st;

	if (k->state < C_HW) return false;
	st = *st_at(k->qpn);
	if (k->state == C_HW && (st & (ST_HOLD | ST_KILL)) == ST_HOLD) {
		if (k->when++ < REPLY_TRIES) reply_again(k->qpn);
		else hold_over(k->qpn);
	}
	if (k->state != C_CLOSING || !(k->flags & CF_HALT)) return k->state == C_HW && (*st_at(k->qpn) & ST_HOLD);
	if (((units() - k->when) & 63) <= (!(k->flags & CF_FIN_ACKED) ? CLOSE_UNITS : st & ST_TERM ? TERM_UNITS : WAIT_UNITS)) return true;
	cm_reset(k, k->flags & CF_FIN_ACKED ? k->cause : WEFT_CM_STATUS_RESET);
	return false;
}

void dp_timers(uint32_t now)
{
	unsigned had = closing;

	qp_timers(now);
	if (!is_due(now, sweep)) return;
	sweep = after(0); /* the rest in the next pass */
	if (sweep_at || watched_more) { /* all records; who is found is watched again, if there is a place */
		if (!sweep_at) {
			sweep_at = 1;
			watched_n = 0;
			watched_more = false;
		}
		for (unsigned m = 0; (closing || holding) && sweep_at < conn_top; sweep_at++) {
			struct conn *k;

			if (m++ == SWEEP_LOOK || had >= closing + SWEEP_STEP) return;
			k = conn_at(sweep_at);
			if (look_at(k)) watch(k);
		}
		sweep_at = 0;
	} else {
		for (unsigned i = 0; i < watched_n;) {
			if (had >= closing + SWEEP_STEP) return;
			if (look_at(conn_at(watched[i]))) i++;
			else watched[i] = watched[--watched_n];
		}
	}
	sweep = closing || holding ? after(SWEEP_T) : 0;
}

int32_t live_deadline(uint32_t now, int32_t t) { return sweep && (int32_t)(sweep - now) < t ? (int32_t)(sweep - now) : t; }
