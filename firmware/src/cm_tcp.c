// SPDX-License-Identifier: BSD-2-Clause
/* TCP of a connection while firmware has it (RFC 9293, RFC 5961, RFC 7323 window scale): set-up, MPA frames, close. */
#include "cm.h"
#include "objects.h"

#define RTO_SYN_MS 1000
#define RTO_MS 300
#define RTO_MAX_MS 60000
#define SYN_RETRIES 7   /* 4 minutes (R2 of SYN, MUST-23) */
#define DATA_RETRIES 8
#define FIN_RETRIES 6
#define REQUEST_NS (10000 * MS)
#define REPLY_NS (60000 * MS)
#define FIN_WAIT2_NS (10000 * MS)
#define TIME_WAIT_NS (60000 * MS)

/* HalfSipHash-2-4 of the 4-tuple, keyed by the seed of INIT: ISN = clock + F (RFC 6528). */
static void sip(uint32_t v[4])
{
	v[0] += v[1]; v[1] = v[1] << 5 | v[1] >> 27; v[1] ^= v[0]; v[0] = v[0] << 16 | v[0] >> 16;
	v[2] += v[3]; v[3] = v[3] << 8 | v[3] >> 24; v[3] ^= v[2];
	v[0] += v[3]; v[3] = v[3] << 7 | v[3] >> 25; v[3] ^= v[0];
	v[2] += v[1]; v[1] = v[1] << 13 | v[1] >> 19; v[1] ^= v[2]; v[2] = v[2] << 16 | v[2] >> 16;
}
static uint32_t isn(const struct path *p)
{
	uint32_t k0 = (uint32_t)admin_seed(0), k1 = (uint32_t)(admin_seed(0) >> 32), m[9];
	uint32_t v[4] = { k0, k1, k0 ^ 0x6c796765, k1 ^ 0x74656462 };

	memcpy(m, p->local, 16);
	memcpy(m + 4, p->peer, 16);
	m[8] = p->lport | (uint32_t)p->pport << 16;
	for (int i = 0; i < 9; i++) {
		v[3] ^= m[i];
		sip(v); sip(v);
		v[0] ^= m[i];
	}
	v[2] ^= 0xff;
	sip(v); sip(v); sip(v); sip(v);
	return (v[1] ^ v[3]) + (uint32_t)(hw_now() >> 12);
}

uint16_t tcp_window(const struct slot *s) { return s->ws_ok ? RCV_WND >> RCV_WSCALE : 65535; }

static void send_seg(const struct slot *s, uint32_t seq, unsigned flags, const uint8_t *data, unsigned len)
{
	struct tx x = { .seq = seq, .ack = s->rcv_nxt, .wnd = tcp_window(s), .flags = (uint8_t)flags, .wscale = -1,
		.data = data, .len = (uint16_t)len };

	net_send(&s->path, &x);
}
void tcp_ack(const struct slot *s) { send_seg(s, s->snd_nxt, TCP_ACK, NULL, 0); }
void tcp_rst(const struct slot *s) { send_seg(s, s->snd_nxt, TCP_RST | TCP_ACK, NULL, 0); }

static void send_syn(const struct slot *s)
{
	struct tx x = { .seq = s->iss, .ack = s->rcv_nxt, .wnd = 65535, .flags = TCP_SYN, .wscale = RCV_WSCALE };

	if (s->state == S_SYN_RCVD) {
		x.flags |= TCP_ACK;
		if (!s->ws_ok) x.wscale = -1;
	} else {
		x.ack = 0;
	}
	x.mss = (uint16_t)(if_mtu - (s->path.ipv6 ? 60 : 40));
	if (s->active && s->mss < x.mss) x.mss = s->mss; /* of the L2 entry */
	net_send(&s->path, &x);
}

static void arm(struct slot *s)
{
	s->rexmit = s->snd_una == s->snd_nxt ? NEVER : hw_now() + s->rto_ms * MS;
}

void tcp_output(struct slot *s)
{
	uint32_t at = s->snd_una, end = s->dseq + s->tx_len;
	bool fin_sent = s->fin;

	if (s->state == S_SYN_SENT || s->state == S_SYN_RCVD) {
		send_syn(s);
		arm(s);
		return;
	}
	if (seq_lt(at, s->dseq)) at = s->dseq; /* what came before is not ours to send */
	while (seq_lt(at, end)) {
		unsigned n = end - at, room = s->mss ? s->mss : 536;
		bool last;

		if (n > room) n = room;
		last = at + n == end;
		send_seg(s, at, TCP_ACK | (last ? TCP_PSH : 0) | (last && fin_sent ? TCP_FIN : 0), s->buf + s->tx_off + (at - s->dseq), n);
		if (last && fin_sent) fin_sent = false;
		at += n;
	}
	if (fin_sent && s->snd_una != s->snd_nxt) send_seg(s, end, TCP_ACK | TCP_FIN, NULL, 0);
	arm(s);
}

void tcp_start_active(struct slot *s)
{
	s->state = S_SYN_SENT;
	s->active = true;
	s->iss = isn(&s->path);
	s->snd_una = s->iss;
	s->snd_nxt = s->iss + 1;
	s->dseq = s->snd_nxt;
	s->rto_ms = RTO_SYN_MS;
	s->sent_at = hw_now();
	s->rtt_ok = true;
	tcp_output(s);
}

static void peer_options(struct slot *s, const struct seg *g)
{
	unsigned mss = g->mss ? g->mss : s->path.ipv6 ? 1220 : 536, ours = if_mtu - (s->path.ipv6 ? 60u : 40u);

	if (s->active && s->mss) ours = s->mss;
	s->mss = (uint16_t)(mss < ours ? mss : ours);
	s->ws_ok = g->wscale >= 0;
	s->snd_ws = s->ws_ok ? g->wscale : 0;
	s->snd_wnd = g->wnd;
	s->rcv_nxt = g->seq + 1;
}

void tcp_start_passive(const struct seg *g, int listener)
{
	struct slot *s = slot_new();

	if (!s) return; /* the peer asks again */
	s->state = S_SYN_RCVD;
	s->listener = (uint8_t)listener;
	s->path = g->path;
	peer_options(s, g);
	s->iss = isn(&s->path);
	s->snd_una = s->iss;
	s->snd_nxt = s->iss + 1;
	s->dseq = s->snd_nxt;
	s->rto_ms = RTO_SYN_MS;
	s->sent_at = hw_now();
	s->rtt_ok = true;
	tcp_output(s);
}

void tcp_close(struct slot *s, bool peer_closed)
{
	s->state = peer_closed ? S_LAST_ACK : S_FIN_WAIT1;
	s->fin = true;
	s->snd_nxt = s->dseq + s->tx_len + 1;
	s->retries = 0;
	s->rto_ms = RTO_MS;
	s->expire = NEVER;
	tcp_output(s);
}

/* Something the peer or time did ended the connection before or while it closed. */
static void fail(struct slot *s, unsigned status, bool rst)
{
	struct conn *k = conn_of(s);

	if (rst) tcp_rst(s);
	if (k) conn_end(k, status);
	slot_free(s);
}

static void time_wait(struct slot *s)
{
	struct conn *k = conn_of(s);

	s->state = S_TIME_WAIT;
	s->rexmit = NEVER;
	s->expire = hw_now() + TIME_WAIT_NS;
	if (k && !(k->flags & CF_REPORTED)) conn_end(k, k->cause);
}

/* Handshake done. */
static void established(struct slot *s)
{
	uint64_t rtt = hw_now() - s->sent_at;

	s->srtt_us = s->rtt_ok && rtt < 4000000 * 1000ull ? (uint32_t)rtt / 1000 : 0;
	s->retries = 0;
	s->rto_ms = RTO_MS;
	s->dseq = s->snd_una;
	if (s->active) {
		s->state = S_WAIT_REP;
		s->snd_nxt = s->dseq + s->tx_len; /* the request was built at CONNECT */
		s->expire = hw_now() + REPLY_NS;
		tcp_output(s);
	} else {
		s->state = S_WAIT_REQ;
		s->expire = hw_now() + REQUEST_NS;
		s->rexmit = NEVER;
	}
}

static void syn_sent(struct slot *s, const struct seg *g)
{
	if ((g->flags & TCP_ACK) && g->ack != s->snd_nxt) {
		net_reset(g);
		return;
	}
	if (g->flags & TCP_RST) {
		if (g->flags & TCP_ACK) fail(s, WEFT_CM_STATUS_REFUSED, false);
		return;
	}
	if (!(g->flags & TCP_SYN)) return;
	peer_options(s, g);
	if (g->flags & TCP_ACK) {
		s->snd_una = g->ack;
		established(s);
	} else { /* simultaneous open (MUST-10) */
		s->state = S_SYN_RCVD;
		tcp_output(s);
	}
}

/* Payload that is next in order, of a state that takes some. Returns the bytes it took; the slot may be gone: *gone. */
static unsigned take_data(struct slot *s, const uint8_t *p, unsigned n, bool *gone)
{
	bool reply = s->state == S_WAIT_REP;
	struct mpa m;
	unsigned before = s->rx_len;
	int r;

	if (reply && s->snd_una != s->snd_nxt) return 0; /* an answer before the request was received */
	if (reply && s->tx_len) { /* the buffer changes sides */
		s->dseq = s->snd_nxt;
		s->tx_len = 0;
	}
	if (n > MPA_FRAME_MAX - before) n = MPA_FRAME_MAX - before;
	memcpy(s->buf + before, p, n);
	s->rx_len = (uint16_t)(before + n);
	r = mpa_parse(s->buf, s->rx_len, reply, &m);
	if (r < 0) {
		*gone = true;
		s->rcv_nxt += n;
		fail(s, WEFT_CM_STATUS_PROTOCOL, true);
		return 0;
	}
	if (!r) return n;
	/* What came behind the frame can not be handed to the hardware: it is not acknowledged, so it comes again. */
	n = (unsigned)r - before;
	s->rcv_nxt += n;
	s->rx_len = (uint16_t)r;
	*gone = true; /* in other hands now: acknowledged there */
	if (reply) cm_reply(s, &m);
	else cm_request(s, &m);
	return 0;
}

static void acked(struct slot *s, uint32_t ack, uint16_t wnd)
{
	s->snd_wnd = (uint32_t)wnd << s->snd_ws;
	if (s->snd_una == ack) return;
	s->snd_una = ack;
	s->retries = 0;
	s->rto_ms = RTO_MS;
	arm(s);
}

static void in_fin(struct slot *s)
{
	bool done = s->snd_una == s->snd_nxt;

	s->rcv_nxt++;
	switch (s->state) {
	case S_FIN_WAIT1:
		tcp_ack(s);
		if (done) time_wait(s);
		else s->state = S_CLOSING;
		return;
	case S_FIN_WAIT2:
		tcp_ack(s);
		time_wait(s);
		return;
	default: /* it gave up during set-up */
		fail(s, WEFT_CM_STATUS_RESET, true);
	}
}

void tcp_input(struct slot *s, const struct seg *g)
{
	uint32_t wnd = s->ws_ok ? RCV_WND : 65535, off, n;
	unsigned taken, seg_len = g->len + !!(g->flags & TCP_SYN) + !!(g->flags & TCP_FIN);
	bool gone = false;

	if (s->state == S_SYN_SENT) {
		syn_sent(s, g);
		return;
	}
	if (g->flags & TCP_RST) {
		if (g->seq == s->rcv_nxt) fail(s, WEFT_CM_STATUS_RESET, false);
		else if (g->seq - s->rcv_nxt < wnd) tcp_ack(s);
		return;
	}
	if (g->flags & TCP_SYN) {
		if (s->state == S_SYN_RCVD && g->seq + 1 == s->rcv_nxt && !(g->flags & TCP_ACK)) tcp_output(s);
		else if (!(s->state == S_SYN_RCVD && s->active && (g->flags & TCP_ACK))) { tcp_ack(s); return; }
		if (!(g->flags & TCP_ACK)) return;
	}
	if (!(g->flags & TCP_ACK)) return;
	off = s->rcv_nxt - g->seq; /* bytes that came before */
	if ((int32_t)off > 0 && off >= seg_len) { /* all of it is old */
		tcp_ack(s);
		return;
	}
	if ((int32_t)off < 0) { /* a gap: nothing is kept */
		if (g->seq - s->rcv_nxt < wnd && seq_le(s->snd_una, g->ack) && seq_le(g->ack, s->snd_nxt)) acked(s, g->ack, g->wnd);
		if (s->state != S_SYN_RCVD) tcp_ack(s);
		return;
	}
	if (!seq_le(s->snd_una, g->ack) || !seq_le(g->ack, s->snd_nxt)) {
		if (s->state == S_SYN_RCVD) net_reset(g);
		else if (seq_lt(s->snd_nxt, g->ack)) tcp_ack(s);
		if (s->state == S_SYN_RCVD || seq_lt(s->snd_nxt, g->ack)) return;
	} else {
		if (s->state == S_SYN_RCVD) {
			if (g->ack != s->snd_nxt) return;
			s->snd_una = g->ack;
			s->snd_wnd = (uint32_t)g->wnd << s->snd_ws;
			established(s);
		} else {
			acked(s, g->ack, g->wnd);
		}
	}
	if (s->snd_una == s->snd_nxt && s->fin) {
		if (s->state == S_FIN_WAIT1) {
			s->state = S_FIN_WAIT2;
			s->expire = hw_now() + FIN_WAIT2_NS;
		} else if (s->state == S_CLOSING) {
			time_wait(s);
			return;
		} else if (s->state == S_LAST_ACK) {
			slot_end(s);
			return;
		}
	}
	if (off > g->len) off = g->len;
	n = g->have > off ? g->have - off : 0;
	if (g->len > off) {
		switch (s->state) {
		case S_WAIT_REQ: case S_WAIT_REP:
			taken = take_data(s, g->data + off, n, &gone);
			if (gone) return;
			s->rcv_nxt += taken;
			if (taken != g->len - off || !(g->flags & TCP_FIN)) {
				tcp_ack(s);
				return;
			}
			break;
		case S_WAIT_ACCEPT:
			return; /* early FPDUs of a broken peer: not acknowledged */
		default: /* data after close (RFC 5041 6.2.1) */
			fail(s, WEFT_CM_STATUS_RESET, true);
			return;
		}
	}
	if (g->flags & TCP_FIN) {
		if (g->seq + g->len == s->rcv_nxt) in_fin(s);
		else tcp_ack(s);
	}
}

void tcp_timeout(struct slot *s, uint64_t now)
{
	if (now >= s->expire) {
		switch (s->state) {
		case S_TIME_WAIT:
			slot_end(s);
			return;
		case S_FIN_WAIT2: {
			struct conn *k = conn_of(s);

			fail(s, k ? k->cause : 0, true);
			return;
		}
		default:
			fail(s, WEFT_CM_STATUS_TIMED_OUT, s->state != S_SYN_SENT);
			return;
		}
	}
	if (now < s->rexmit) return;
	if (++s->retries > (s->state == S_SYN_SENT || s->state == S_SYN_RCVD ? SYN_RETRIES : s->fin ? FIN_RETRIES : DATA_RETRIES)) {
		fail(s, WEFT_CM_STATUS_TIMED_OUT, s->state != S_SYN_SENT);
		return;
	}
	s->rtt_ok = false;
	s->rto_ms = s->rto_ms * 2 > RTO_MAX_MS ? RTO_MAX_MS : s->rto_ms * 2;
	tcp_output(s);
}
