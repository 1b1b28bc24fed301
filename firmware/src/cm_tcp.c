// SPDX-License-Identifier: BSD-2-Clause
/* TCP of a connection while firmware has it (RFC 9293, RFC 5961, RFC 7323; RFC 2018 is negotiated for the card): set-up, MPA frames, close. */
#include "cm.h"
#include "objects.h"

#define RTO_SYN_MS 1000
#define RTO_MS 300
#define RTO_MAX_MS 60000
#define SYN_OFFERS 2    /* SYNs with the experimental option: something on the way may let none pass that has it (RFC 6994 3, as RFC 7413 4.1.3.1 does) */
#define SYN_RETRIES 7   /* 4 minutes (R2 of SYN, MUST-23) */
#define DATA_RETRIES 8
#define FIN_RETRIES 6
#define FIN_WAIT2_T TICKS(10000)

/* HalfSipHash-2-4, keyed by the seed of INIT. */
#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define SIP() do { v0 += v1; v1 = ROTL(v1, 5) ^ v0; v0 = ROTL(v0, 16); v2 += v3; v3 = ROTL(v3, 8) ^ v2; \
	v0 += v3; v3 = ROTL(v3, 7) ^ v0; v2 += v1; v1 = ROTL(v1, 13) ^ v2; v2 = ROTL(v2, 16); } while (0)
/* The state behind the first two words is kept: to one listener they are the same for as long as a cookie's unit of time. */
static uint32_t kept[6];
static bool kept_ok;
void tcp_rekey(void) { kept_ok = false; }
FLOOD_PATH __attribute__((noinline)) static uint32_t sip(const uint32_t *m, unsigned n)
{
	uint32_t v0, v1, v2, v3;

	if (!kept_ok || kept[0] != m[0] || kept[1] != m[1]) {
		v0 = (uint32_t)admin_seed(0);
		v1 = (uint32_t)(admin_seed(0) >> 32);
		v2 = v0 ^ 0x6c796765;
		v3 = v1 ^ 0x74656462;
		for (unsigned i = 0; i < 2; i++) {
			v3 ^= m[i];
			SIP();
			SIP();
			v0 ^= m[i];
		}
		kept[0] = m[0];
		kept[1] = m[1];
		kept[2] = v0;
		kept[3] = v1;
		kept[4] = v2;
		kept[5] = v3;
		kept_ok = true;
	}
	v0 = kept[2];
	v1 = kept[3];
	v2 = kept[4];
	v3 = kept[5];
	for (m += 2; n; n--, m++) {
		v3 ^= *m;
		SIP();
		SIP();
		v0 ^= *m;
	}
	v2 ^= 0xff;
	for (n = 0; n < 4; n++) SIP();
	return v1 ^ v3;
}
uint32_t tcp_hash4(uint32_t time, uint32_t local, uint32_t ports, uint32_t peer, uint32_t a)
{
	uint32_t m[5] = { time, local, ports, peer, a };

	return sip(m, 3);
}
uint32_t tcp_hash(const struct path *p)
{
	uint32_t m[10] = { 0x80000000, addr_word(p->local), p->lport | (uint32_t)p->pport << 16, addr_word(p->peer) };

	if (p->ipv6) {
		memcpy(m + 4, p->local + 4, 12);
		memcpy(m + 7, p->peer + 4, 12);
	}
	return sip(m, p->ipv6 ? 8 : 2);
}
/* ISN = clock + F (RFC 6528). */
uint32_t tcp_isn(const struct path *p) { return tcp_hash(p) + (uint32_t)(hw_now() >> 12); }

uint16_t tcp_window(const struct slot *s) { return s->ws_ok ? RCV_WND >> RCV_WSCALE : 65535; }

static void stamp(const struct slot *s, struct tx *x)
{
	if (!s->ts_ok) return;
	x->ts = true;
	x->tsval = tcp_stamp();
	x->tsecr = s->ts_recent;
}

static void send_seg(const struct slot *s, uint32_t seq, unsigned flags, const uint8_t *data, unsigned len)
{
	struct tx x = { .seq = seq, .ack = s->rcv_nxt, .wnd = tcp_window(s), .flags = (uint8_t)flags, .wscale = -1,
		.data = data, .len = (uint16_t)len };

	stamp(s, &x);
	net_send(&s->path, &x);
}
void tcp_ack(const struct slot *s) { send_seg(s, s->snd_nxt, TCP_ACK, NULL, 0); }
void tcp_rst(const struct slot *s) { send_seg(s, s->snd_nxt, TCP_RST | TCP_ACK, NULL, 0); }

void tcp_challenge(const struct slot *s, uint16_t *last)
{
	/* One in a quarter of a second, counted by connection: another connection's count would tell an attacker of this one. */
	uint16_t t = (uint16_t)(ticks() >> 8) | 1;

	if (*last == t) return;
	*last = t;
	tcp_ack(s);
}

void tcp_syn(const struct slot *s, bool cookie)
{
	struct tx x = { .seq = s->snd_una, .ack = s->rcv_nxt, .wnd = 65535, .flags = TCP_SYN, .wscale = RCV_WSCALE };

	if (s->state == S_SYN_RCVD) {
		x.flags |= TCP_ACK;
		if (!s->ws_ok) x.wscale = -1;
		x.sack = s->sack_ok;
		x.weft = s->weft & OPT_WEFT_HAS;
		stamp(s, &x);
		if (cookie) x.tsval = tcp_cookie_stamp(ticks(), x.sack, s->weft);
	} else {
		x.ack = 0;
		x.sack = x.ts = true;
		x.weft = s->retries < SYN_OFFERS;
		x.tsval = tcp_stamp();
	}
	x.mss = (uint16_t)(if_mtu - (s->path.ipv6 ? 60 : 40));
	if (s->active && tcp_mss(s) < x.mss) x.mss = (uint16_t)tcp_mss(s); /* of the L2 entry */
	net_send(&s->path, &x);
}

static void arm(struct slot *s)
{
	s->rexmit = s->snd_una == s->snd_nxt ? 0 : after(s->rto_ms) /* a tick is about a millisecond */;
}

/* Sends from at on what the peer's window takes; of a closed window one byte when probe is set. */
static void output(struct slot *s, uint32_t at, bool probe)
{
	uint32_t end = s->dseq + s->tx_len, limit = s->snd_una + (s->snd_wnd || !probe ? s->snd_wnd : 1);
	bool fin = s->fin;

	if (s->state == S_SYN_SENT || s->state == S_SYN_RCVD) {
		tcp_syn(s, false);
		arm(s);
		return;
	}
	if (seq_lt(at, s->dseq)) at = s->dseq; /* what came before is not ours to send */
	while (seq_lt(at, end) && seq_lt(at, limit)) {
		unsigned n = end - at, room = s->mss ? s->mss : 536;
		bool last;

		if (n > room) n = room;
		if (n > limit - at) n = limit - at;
		last = at + n == end;
		send_seg(s, at, TCP_ACK | (last ? TCP_PSH : 0) | (last && fin ? TCP_FIN : 0), s->buf + s->tx_off + (at - s->dseq), n);
		at += n;
		if (last && fin) {
			fin = false;
			at++;
		}
	}
	if (fin && at == end) {
		send_seg(s, at, TCP_ACK | TCP_FIN, NULL, 0);
		at++;
	}
	if (seq_lt(s->snd_max, at)) s->snd_max = at;
	arm(s);
}
void tcp_output(struct slot *s) { output(s, s->snd_una, false); }

void tcp_start_active(struct slot *s)
{
	s->state = S_SYN_SENT;
	s->active = true;
	s->mss = (uint16_t)tcp_mss(s); /* the second time */
	s->ts_ok = s->sack_ok = false;
	s->weft = 0;
	s->snd_una = tcp_isn(&s->path);
	s->snd_nxt = s->snd_max = s->dseq = s->snd_una + 1;
	s->rto_ms = RTO_SYN_MS;
	s->retries = 0;
	s->sent_us = (uint32_t)(hw_now() >> 10);
	s->rtt_ok = true;
	s->expire = 0;
	tcp_output(s);
}

void tcp_options(struct slot *s, const struct seg *g)
{
	unsigned mss = g->mss ? g->mss : s->path.ipv6 ? 1220 : 536, ours = if_mtu - (s->path.ipv6 ? 60u : 40u);

	if (s->active && s->mss) ours = s->mss;
	s->mss = (uint16_t)(mss < ours ? mss : ours);
	s->ws_ok = g->wscale >= 0;
	s->sack_ok = g->sack;
	s->ts_ok = g->ts;
	s->weft = g->weft;
	s->ts_recent = g->tsval;
	if (s->ts_ok) s->mss = (uint16_t)(s->mss > TS_BYTES ? s->mss - TS_BYTES : 1);
	s->snd_ws = s->ws_ok ? g->wscale : 0;
	s->snd_wnd = s->max_wnd = g->wnd;
	s->wl1 = g->seq;
	s->wl2 = g->ack;
	s->rcv_nxt = g->seq + 1;
}

void tcp_close(struct slot *s, bool peer_closed)
{
	s->state = peer_closed ? S_LAST_ACK : S_FIN_WAIT1;
	s->fin = true;
	s->snd_nxt = s->dseq + s->tx_len + 1;
	s->retries = 0;
	s->rto_ms = RTO_MS;
	s->expire = 0;
	s->since = ticks();
	tcp_output(s);
}

/* Something the peer or time did ended the connection before or while it closed. */
void tcp_fail(struct slot *s, unsigned status, bool rst)
{
	struct conn *k = conn_of(s);

	if (rst) tcp_rst(s);
	if (k && (k->flags & CF_REPORTED) && s->pd_len) { /* rejected: the driver fetches the private data */
		uint16_t port = s->path.lport;

		s->state = S_HW_HOLD;
		s->fin = false;
		s->rexmit = 0;
		s->expire = after(TICKS(5000));
		s->path.lport = 0;
		port_release(port);
		return;
	}
	if (k) conn_end(k, status);
	slot_free(s);
}

static void time_wait(struct slot *s)
{
	struct conn *k = conn_of(s);

	tw_add(s);
	tcp_fail(s, k ? k->cause : 0, false);
}

/*
 * A peer of revision 1 alone closes when it sees a request of revision 2 (RFC 5044 7.1.1, RFC 6581 9): the same request in
 * revision 1, over a new connection. Only before the first byte of a reply, for that takes the request's place.
 */
static bool again_rev1(struct slot *s, bool rst)
{
	unsigned n;

	if (s->state != S_WAIT_REP || s->rev != 2 || s->rx_len || !s->tx_len) return false;
	if (rst) tcp_rst(s);
	n = s->tx_len - MPA_HDR - 4u;
	memmove(s->buf + MPA_HDR, s->buf + MPA_HDR + 4, n);
	s->buf[16] &= (uint8_t)~0x10;
	s->buf[17] = s->rev = 1;
	put16(s->buf + 18, n);
	s->tx_len = (uint16_t)(MPA_HDR + n);
	s->enhanced = s->want_p2p = false;
	tcp_start_active(s);
	return true;
}

/* Handshake of an active open done. */
static void established(struct slot *s)
{
	uint32_t rtt = (uint32_t)(hw_now() >> 10) - s->sent_us;

	s->srtt_us = s->rtt_ok && rtt < 4000000 ? rtt : 0;
	s->retries = 0;
	s->rto_ms = RTO_MS;
	s->dseq = s->snd_una;
	s->state = S_WAIT_REP;
	s->snd_nxt = s->dseq + s->tx_len; /* the request was built at CONNECT */
	s->expire = after(REPLY_T);
	tcp_output(s);
}

/* One that comes again without the option takes its promises back. */
__attribute__((noinline)) static void syn_again(struct slot *s, const struct seg *g)
{
	s->weft &= g->weft;
	tcp_output(s);
}

static void syn_sent(struct slot *s, const struct seg *g)
{
	if ((g->flags & TCP_ACK) && g->ack != s->snd_nxt) {
		net_reset(g);
		return;
	}
	if (g->flags & TCP_RST) {
		if (g->flags & TCP_ACK) tcp_fail(s, WEFT_CM_STATUS_REFUSED, false);
		return;
	}
	if (!(g->flags & TCP_SYN)) return;
	tcp_options(s, g);
	if (tcp_mss(s) < MSS_LEAST) { /* else the request would leave byte by byte */
		tcp_fail(s, WEFT_CM_STATUS_PROTOCOL, true);
		return;
	}
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
	bool more;
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
		tcp_fail(s, WEFT_CM_STATUS_PROTOCOL, true);
		return 0;
	}
	if (!r) return n;
	more = (unsigned)r < s->rx_len;
	n = (unsigned)r - before;
	s->rcv_nxt += n;
	s->rx_len = (uint16_t)r;
	*gone = true; /* in other hands now: acknowledged there */
	if (!reply) {
		cm_request(s, &m); /* more: not acknowledged, it comes again */
		return 0;
	}
	cm_reply(s, &m);
	if (more && s->state == S_HAND) cm_pass_on(s);
	return 0;
}

static void acked(struct slot *s, const struct seg *g)
{
	bool more = seq_lt(s->snd_una, g->ack);

	if (more) {
		s->snd_una = g->ack;
		s->retries = 0;
		s->rto_ms = RTO_MS;
	}
	/* RFC 9293 3.10.7.4: a window counts only if it is newer than the last. */
	if (seq_lt(s->wl1, g->seq) || (s->wl1 == g->seq && seq_le(s->wl2, g->ack))) {
		s->snd_wnd = (uint32_t)g->wnd << s->snd_ws;
		if (s->snd_wnd > s->max_wnd) s->max_wnd = s->snd_wnd;
		s->wl1 = g->seq;
		s->wl2 = g->ack;
	}
	if (seq_lt(s->snd_max, s->snd_nxt)) output(s, s->snd_max, false);
	else if (more) arm(s);
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
		if (!again_rev1(s, true)) tcp_fail(s, WEFT_CM_STATUS_RESET, true);
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
		if (g->seq != s->rcv_nxt) {
			if (g->seq - s->rcv_nxt < wnd) tcp_challenge(s, &s->challenge);
		} else if (!again_rev1(s, false)) {
			tcp_fail(s, WEFT_CM_STATUS_RESET, false);
		}
		return;
	}
	if (g->flags & TCP_SYN) {
		if (s->state == S_SYN_RCVD && g->seq + 1 == s->rcv_nxt && !(g->flags & TCP_ACK)) {
			syn_again(s, g);
		}
		else if (!(s->state == S_SYN_RCVD && (g->flags & TCP_ACK))) { tcp_challenge(s, &s->challenge); return; }
	}
	if (!(g->flags & TCP_ACK)) return;
	if (s->ts_ok && !g->ts) return; /* RFC 7323 3.2 */
	if (tcp_old(s->ts_ok, s->ts_recent, g)) {
		tcp_challenge(s, &s->challenge);
		return;
	}
	off = s->rcv_nxt - g->seq; /* bytes that came before */
	/* RFC 5961 5.2: not older than the largest window ever seen, not newer than what was sent. */
	if (!seq_le(s->snd_una - s->max_wnd, g->ack) || !seq_le(g->ack, s->snd_max)) {
		if (s->state == S_SYN_RCVD) net_reset(g);
		else tcp_challenge(s, &s->challenge);
		return;
	}
	if ((int32_t)off > 0 && off >= seg_len) { /* all of it is old */
		tcp_ack(s);
		return;
	}
	if ((int32_t)off < 0) { /* a gap: nothing is kept */
		if (s->state == S_SYN_RCVD) return;
		/* Not of our FIN: what follows from that wants a segment in order, and a timer until then. */
		if (g->seq - s->rcv_nxt < wnd && seq_le(s->snd_una, g->ack) && !(s->fin && g->ack == s->snd_nxt)) acked(s, g);
		tcp_ack(s);
		return;
	}
	s->ts_recent = g->tsval; /* it begins at or before what is next */
	if (s->state == S_SYN_RCVD) {
		if (g->ack != s->snd_nxt) return;
		s->snd_una = g->ack;
		s->snd_wnd = (uint32_t)g->wnd << s->snd_ws;
		if (s->snd_wnd > s->max_wnd) s->max_wnd = s->snd_wnd;
		established(s);
	} else if (seq_le(s->snd_una, g->ack)) {
		acked(s, g);
	}
	if (s->snd_una == s->snd_nxt && s->fin) {
		if (s->state == S_FIN_WAIT1) {
			s->state = S_FIN_WAIT2;
			s->expire = after(FIN_WAIT2_T);
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
			tcp_fail(s, WEFT_CM_STATUS_RESET, true);
			return;
		}
	}
	if (g->flags & TCP_FIN) {
		if (g->seq + g->len == s->rcv_nxt) in_fin(s);
		else tcp_ack(s);
	}
}

void tcp_timeout(struct slot *s, uint32_t now)
{
	if (is_due(now, s->expire)) {
		struct conn *k = conn_of(s);

		if (s->state == S_FIN_WAIT2) tcp_fail(s, k ? k->cause : 0, true);
		else tcp_fail(s, WEFT_CM_STATUS_TIMED_OUT, s->state != S_SYN_SENT);
		return;
	}
	if (!is_due(now, s->rexmit)) return;
	if (++s->retries > (s->state == S_SYN_SENT || s->state == S_SYN_RCVD ? SYN_RETRIES : s->fin ? FIN_RETRIES : DATA_RETRIES)) {
		tcp_fail(s, WEFT_CM_STATUS_TIMED_OUT, s->state != S_SYN_SENT);
		return;
	}
	s->rtt_ok = false;
	s->rto_ms = s->rto_ms * 2 > RTO_MAX_MS ? RTO_MAX_MS : (uint16_t)(s->rto_ms * 2);
	output(s, s->snd_una, true);
}
