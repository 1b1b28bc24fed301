// SPDX-License-Identifier: BSD-2-Clause
/* Connections that the first data path has: their events, and how firmware takes them back to close them. */
#include "dp1.h"

#define SWEEP_T TICKS(500)    /* connections that halt or wait for a slot are looked at */
#define SWEEP_STEP 16 /* resets in one pass */
#define HALT_UNITS 10         /* of 2^29 ns, for what was started to be acknowledged */

static unsigned pending, halting;
static uint32_t sweep; /* tick */
static unsigned sweep_at; /* a sweep in steps: resets take long, and the watchdog waits for none */
static uint16_t value_owner[MAX_VALUE]; /* QPN, 0: free */

static unsigned units(void) { return (unsigned)(hw_now() >> 29) & 63; }

/* Ends CF_HALT and CF_PENDING. */
void dp_forget_conn(struct conn *k)
{
	if (k->flags & CF_PENDING) pending--;
	if (k->flags & CF_HALT) halting--;
	k->flags &= ~(CF_PENDING | CF_HALT);
	for (unsigned i = 0; i < MAX_VALUE; i++)
		if (value_owner[i] == k->qpn) value_owner[i] = 0;
}

/* The hardware stops sending and finishes what it started: ACKED follows. False: there is no value slot for the Terminate. */
static bool halt(struct conn *k, const uint8_t *term, unsigned bytes)
{
	unsigned v = 0;

	for (; term && v < MAX_VALUE && value_owner[v]; v++) {}
	if (v == MAX_VALUE) return false;
	if (term) value_owner[v] = k->qpn;
	if (!(k->flags & CF_HALT)) halting++;
	k->flags |= CF_HALT;
	k->state = C_CLOSING;
	k->when = units();
	if (!sweep) sweep = after(SWEEP_T);
	hw_halt(k, v, term, bytes);
	return true;
}

static void take(struct slot *s, struct conn *k)
{
	dp_forget_conn(k);
	hw_take(s, k);
}

/* A slot for a connection that the hardware has: its own, if it still has one. */
static struct slot *closing_slot(struct conn *k)
{
	struct slot *s = slot_of(k);

	if (s) return slot_leave(s);
	s = slot_close();
	if (s) cm_bind(s, k);
	return s;
}

/* All is acknowledged: our FIN, as soon as there is a slot. */
static void finish_close(struct conn *k)
{
	struct slot *s = closing_slot(k);

	if (!s) { /* nothing runs any more, it only waits */
		if (!(k->flags & CF_PENDING)) pending++;
		k->flags |= CF_PENDING;
		if (!sweep) sweep = after(SWEEP_T);
		return;
	}
	take(s, k);
	if (s->snd_una != s->snd_nxt) { /* not what the event says */
		tcp_fail(s, WEFT_CM_STATUS_RESET, true);
	} else {
		tcp_close(s, k->flags & CF_PEER_FIN);
	}
}

void dp_reset(struct conn *k, struct slot *s, unsigned status)
{
	if (!s) s = scratch_clear();
	take(s, k);
	tcp_rst(s);
	conn_end(k, status);
	if (s != &scratch) slot_free(s);
	else port_release(s->path.lport);
}

/*
 * The Terminate of a fault (RFC 5040 4.8): control word, and if headers came with the event the DDP segment length, the DDP
 * header and, of a Read Request, the RDMAP header. CODE is layer[15:12] type[11:8] code[7:0].
 */
static void terminate(struct conn *k, const uint32_t *ev)
{
	uint32_t code = GET(ev, WEFT_FW_EVENT_CODE), n = GET(ev, WEFT_FW_EVENT_HDR_BYTES);
	uint32_t w = code << 16, len = 4;
	/* The DDP header is for firmware's own FPDU; the hardware makes it itself. Untagged, QN 2, MSN 1. */
	uint8_t u[18 + 64] = { 0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1 }, *t = u + 18;
	struct slot *s;
	bool held;

	if (n > 48) n = 48;
	if (n >= 14) {
		w |= 6u << 13; /* M, D */
		if (n > 18) w |= 1u << 13; /* R */
		put16(t + 4, GET(ev, WEFT_FW_EVENT_DATA1));
		memcpy(t + 6, BYTES(ev, WEFT_FW_EVENT_HDR), n);
		len = 6 + n;
	}
	put32(t, w);
	/* HOLD can not be read back: a responder that has received nothing good yet still has it. */
	held = !(k->flags & (CF_ACTIVE | CF_TERM)) && ((hw_rcv_nxt(k->qpn) ^ k->word) & 0xfffff) == 0;
	k->flags |= CF_TERM;
	k->word = w >> 13;
	k->cause = WEFT_CM_STATUS_ABORTED;
	event_qp(k->qpn, WEFT_QP_EVENT_TERMINATE_SENT, w);
	if (held) { /* the fault was in the very first FPDU: the hardware may not send yet */
		s = slot_of(k);
		if (!s) { /* one with a buffer */
			s = slot_setup(false);
			if (s) cm_bind(s, k);
		}
		if (s) {
			take(s, k);
			s->pd_len = 0;
			cm_fpdu(s, 0, u, 18 + len);
			tcp_close(s, false);
			return;
		}
	} else if (halt(k, t, len)) {
		return;
	}
	cm_reset(k, WEFT_CM_STATUS_ABORTED); /* no room, no Terminate: the peer sees a reset */
}

bool dp_event(const uint32_t *ev)
{
	uint32_t qpn = GET(ev, WEFT_FW_EVENT_ID), data0 = GET(ev, WEFT_FW_EVENT_DATA0), word;
	struct conn *k = conn_by_qp(qpn);
	struct slot *s = k ? slot_of(k) : NULL;

	if (!k || k->state < C_HW || (s && slot_ours(s))) return false; /* of a connection that is gone */
	switch (GET(ev, WEFT_FW_EVENT_KIND)) {
	case WEFT_FW_EV_RX_FAULT:
		terminate(k, ev);
		break;
	case WEFT_FW_EV_RX_TERMINATE:
		k->flags |= CF_TERM;
		k->word = (word = be32(BYTES(ev, WEFT_FW_EVENT_HDR) + 18)) >> 13;
		event_qp(qpn, WEFT_QP_EVENT_TERMINATE_RECEIVED, word);
		k->cause = WEFT_CM_STATUS_RESET;
		s = closing_slot(k);
		if (!s) {
			cm_reset(k, WEFT_CM_STATUS_RESET);
			break;
		}
		take(s, k);
		if (s->snd_una != s->snd_nxt) tcp_fail(s, WEFT_CM_STATUS_RESET, true); /* bytes nobody can send again */
		else tcp_close(s, false);
		break;
	case WEFT_FW_EV_RX_FIN:
		if (k->flags & CF_PEER_FIN) break;
		k->flags |= CF_PEER_FIN;
		cm_post(WEFT_EQE_TYPE_CM_DISCONNECT, 0, k, s);
		if (k->state == C_HW) (void)halt(k, NULL, 0);
		break;
	case WEFT_FW_EV_TX_ERROR:
		/* Transmission stopped in the middle of a message: no Terminate can follow it. */
		event_qp(qpn, WEFT_QP_EVENT_LOCAL_ERROR, data0);
		cm_reset(k, WEFT_CM_STATUS_ABORTED);
		break;
	case WEFT_FW_EV_TX_TIMEOUT:
		event_qp(qpn, WEFT_QP_EVENT_LLP_RESET, 0);
		cm_reset(k, WEFT_CM_STATUS_TIMED_OUT);
		break;
	case WEFT_FW_EV_FW_REXMIT:
		if (!s || !s->tx_len || !seq_le(s->dseq, data0) || !seq_lt(data0, s->dseq + s->tx_len)) break;
		s->snd_una = data0;
		s->rcv_nxt = hw_rcv_nxt(qpn);
		tcp_output(s);
		s->rexmit = 0;
		break;
	case WEFT_FW_EV_ACKED:
		if ((k->flags & (CF_HALT | CF_PENDING)) == CF_HALT) finish_close(k);
		break;
	default:
		return false;
	}
	return true;
}

/* SYN or RST on a connection that the hardware has (RFC 5961). */
void dp_frame(uint32_t qpn, const struct seg *g)
{
	struct conn *k = conn_by_qp(qpn);
	struct slot *s = k ? slot_of(k) : NULL;
	struct tx x = { .wnd = 65535, .flags = TCP_ACK, .wscale = -1 };
	uint32_t w[16];

	if (!k || k->state < C_HW || (s && slot_ours(s))) {
		s = slot_by(&g->path);
		if (s) tcp_input(s, g);
		return;
	}
	if (g->flags & TCP_RST) {
		uint32_t off = g->seq - hw_rcv_nxt(qpn);

		if (!off) {
			event_qp(qpn, WEFT_QP_EVENT_LLP_RESET, 0);
			if (!s) s = scratch_clear();
			take(s, k);
			conn_end(k, WEFT_CM_STATUS_RESET);
			if (s != &scratch) slot_free(s);
			else port_release(s->path.lport);
			return;
		}
		if (off >= RCV_WND) return;
	}
	/*
	 * Challenge ACK (RFC 5961 7): one in half a second, counted by connection, for what is counted together tells an attacker of
	 * other connections. While one closes there is none.
	 */
	if ((k->flags & CF_HALT) || k->when == units()) return;
	k->when = units();
	ctx_read(WEFT_ROOM_RX, qpn, w);
	x.ack = GET(w, WEFT_CTX_RX_RCV_NXT);
	x.wnd = (uint16_t)(GET(w, WEFT_CTX_RX_RCV_WND) >> GET(w, WEFT_CTX_RX_RCV_WSCALE));
	x.seq = ctx_get(WEFT_ROOM_QP_TX, qpn, WEFT_CTX_TX_SND_NXT);
	net_send(&g->path, &x);
}

void dp_poll(struct slot *s, uint32_t now)
{
	if (!is_due(now, s->expire)) return;
	if (s->state == S_HW_REPLY && !dp_acked(s)) {
		s->expire = after(POLL_T * 4);
	} else if (s->state == S_HW_REPLY && s->pd_len) {
		s->state = S_HW_HOLD;
		s->expire = after(HOLD_T);
	} else if (conn_of(s)->flags & CF_REPORTED) {
		slot_end(s);
	} else {
		slot_free(s);
	}
}

void dp_disconnect(struct conn *k) { (void)halt(k, NULL, 0); }

void dp_serve(void)
{
	for (unsigned i = 0; pending && i < MAX_CONN; i++)
		if (conn_at(i)->state == C_CLOSING && (conn_at(i)->flags & CF_PENDING)) {
			finish_close(conn_at(i));
			if (conn_at(i)->flags & CF_PENDING) break;
		}
}

void dp_timers(uint32_t now)
{
	if (!is_due(now, sweep)) return;
	for (unsigned n = 0; halting && sweep_at < MAX_CONN; sweep_at++) { /* what did not get through in time */
		struct conn *k = conn_at(sweep_at);

		if (k->state != C_CLOSING || (k->flags & (CF_HALT | CF_PENDING)) != CF_HALT || ((units() - k->when) & 63) <= HALT_UNITS) continue;
		if (n++ == SWEEP_STEP) {
			sweep = after(0);
			return;
		}
		cm_reset(k, WEFT_CM_STATUS_RESET);
	}
	sweep_at = 0;
	sweep = halting || pending ? after(SWEEP_T) : 0;
}

int32_t dp_deadline(uint32_t now, int32_t t) { return sweep && (int32_t)(sweep - now) < t ? (int32_t)(sweep - now) : t; }
