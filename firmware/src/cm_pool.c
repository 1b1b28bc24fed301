// SPDX-License-Identifier: BSD-2-Clause
/* The pools: half-open connections and SYN cookies, slots to set up and to close in, TIME-WAIT. */
#include "cm.h"
#include "dp.h"
#include "objects.h"

#define SYNACK_RETRIES 5      /* one minute */
#define REQUEST_T TICKS(10000)
#define TIME_WAIT_T TICKS(60000)
#define SHORT_T TICKS(1000)   /* a close may take this long when others wait */

struct slot slots[MAX_SLOT], scratch;
uint32_t slots_used;
struct half halves[MAX_HALF];
static uint32_t half_key[MAX_HALF];      /* of those in use, 0: free; different keys are different peers */
static uint8_t half_n, half_top, half_listen[MAX_LISTEN]; /* in use: all; behind the last that was, since none was; of a listener */
static uint32_t bufs[MAX_SETUP][BUF_BYTES / 4];
static struct tw {
	uint32_t who[2]; /* tw_who */
	uint16_t lport, pport;
	uint32_t snd_nxt, rcv_nxt, ts_recent, expire; /* expire 0: free */
	bool ts, ipv6;
} tws[MAX_TW];
static unsigned tw_n, tw_top; /* in use; behind the last that was, since none was */
static uint32_t tw_first; /* when the oldest of them ends: all last as long */

/* ---- slots ---- */

FAST static struct slot *clear(struct slot *s)
{
	memset(s, 0, sizeof(*s));
	s->conn = NO_CONN;
	s->rto_ms = 1000;
	s->since = ticks();
	return s;
}
struct slot *scratch_clear(void) { return clear(&scratch); }

static struct slot *take(struct slot *s)
{
	unsigned n = (unsigned)(s - slots);

	clear(s);
	if (n < MAX_SETUP) s->buf = (uint8_t *)bufs[n];
	slots_used |= 1u << n;
	return s;
}

bool slot_ours(const struct slot *s) { return s->state != S_FREE && (s->state < S_HAND || s->state > S_HW_HOLD); }

bool slot_slow(const struct slot *s) { return s->state == S_WAIT_REQ && ticks() - s->since > SHORT_T; }

bool slot_guards(const struct slot *s) { return s->passed_on && ticks() - s->since <= PASS_ON_T; }

uint32_t slot_kept(const struct slot *s)
{
	uint32_t t = s->pd_len ? SHORT_T : s->passed_on ? PASS_ON_T : 0;

	return s->state == S_HW_HOLD && t && ticks() - s->since <= t ? (s->since + t + 1) | 1 : 0;
}

struct slot *slot_setup(bool active)
{
	struct slot *best = NULL, *silent = NULL, *none = NULL, *s;
	unsigned same = 0;

	for (unsigned i = MAX_SETUP; i--;) {
		if (!(slots_used >> i & 1)) none = &slots[i];
		else same += slots[i].active == active;
	}
	if (none && same < MAX_SETUP - SETUP_RESERVE) return take(none);
	/* Those that only wait give way: private data nobody fetched for a second, a close that drags on (fin of S_HAND is no FIN); then a peer that does not answer. */
	for (s = slots; s < slots + MAX_SETUP; s++) {
		if (!(slots_used >> (s - slots) & 1) || (same >= MAX_SETUP - SETUP_RESERVE && s->active != active)) continue;
		if (s->state == S_HW_HOLD ? !slot_kept(s) : s->fin && s->state != S_HAND && !best && ticks() - s->since > SHORT_T) best = s;
		if (active && s->state == S_SYN_SENT && s->retries >= SYN_PATIENCE && (!silent || (int32_t)(s->since - silent->since) < 0)) silent = s;
	}
	if (!best) best = silent;
	if (!best) return NULL;
	best->pd_len = 0;
	if (best->state == S_SYN_SENT) tcp_fail(best, WEFT_CM_STATUS_TIMED_OUT, false);
	else if (best->fin) tcp_fail(best, WEFT_CM_STATUS_RESET, true);
	else if (conn_of(best)->flags & CF_REPORTED) slot_end(best);
	else slot_free(best);
	return take(best);
}

struct slot *slot_close(void)
{
	struct slot *best = slots + MAX_SETUP;

	for (struct slot *s = slots + MAX_SETUP; s < slots + MAX_SLOT; s++) {
		if (!(slots_used >> (s - slots) & 1)) return take(s);
		if ((int32_t)(s->since - best->since) < 0) best = s;
	}
	if (ticks() - best->since <= SHORT_T) return NULL;
	tcp_fail(best, WEFT_CM_STATUS_RESET, true);
	return take(best);
}

struct slot *slot_leave(struct slot *s)
{
	struct slot *c = s->buf ? slot_close() : NULL;
	struct conn *k = conn_of(s);

	if (!c) return s;
	*c = *s;
	c->buf = NULL;
	c->tx_len = c->pd_len = 0;
	c->since = ticks();
	if (k) k->slot = (uint32_t)(c - slots);
	s->state = S_FREE;
	slots_used &= ~(1u << (s - slots));
	return c;
}

void slot_free(struct slot *s)
{
	struct conn *k = conn_of(s);
	uint16_t port = s->path.lport;

	if (k) k->slot = NO_SLOT;
	s->conn = NO_CONN;
	s->state = S_FREE;
	slots_used &= ~(1u << (s - slots));
	if (port) port_release(port);
}

void slot_end(struct slot *s)
{
	struct conn *k = conn_of(s);

	if (k) conn_end(k, k->cause);
	slot_free(s);
}

FAST bool path_same(const struct path *a, const struct path *b)
{
	return a->pport == b->pport && a->lport == b->lport && a->ipv6 == b->ipv6 && same16(a->peer, b->peer) && same16(a->local, b->local);
}
FAST static struct slot *find(const struct path *p, bool ours)
{
	struct slot *s;

	for_slots(s)
		if (slot_ours(s) == ours && path_same(&s->path, p)) return s;
	return NULL;
}
struct slot *slot_by(const struct path *p) { return find(p, true); }
struct slot *slot_handed_over(const struct path *p) { return find(p, false); }

/* ---- TIME-WAIT (RFC 9293 3.10.7.4, RFC 1337) ---- */

/* Both addresses of IPv4. Of IPv6 two keyed hashes of the 4-tuple, each way: nobody can make another one that has the same. */
static void tw_who(uint32_t who[2], const struct path *p)
{
	struct path back;

	who[0] = addr_word(p->local);
	who[1] = addr_word(p->peer);
	if (!p->ipv6) return;
	back = *p;
	copy16(back.local, p->peer);
	copy16(back.peer, p->local);
	who[0] = tcp_hash(p);
	who[1] = tcp_hash(&back);
}
FAST static struct tw *tw_by(const struct path *p)
{
	uint32_t who[2];
	bool known = false;

	for (struct tw *t = tws; t < tws + tw_top; t++) {
		if (t->pport != p->pport || t->lport != p->lport || !t->expire || t->ipv6 != p->ipv6) continue;
		if (!known) tw_who(who, p);
		known = true;
		if (t->who[0] == who[0] && t->who[1] == who[1]) return t;
	}
	return NULL;
}
bool tw_uses(uint16_t port)
{
	for (struct tw *t = tws; t < tws + tw_top; t++)
		if (t->expire && t->lport == port) return true;
	return false;
}
static void tw_end(struct tw *t)
{
	t->expire = 0;
	if (!--tw_n) tw_top = 0;
	port_release(t->lport);
	tw_first = 0;
	for (t = tws; t < tws + tw_top; t++)
		if (t->expire && (!tw_first || (int32_t)(t->expire - tw_first) < 0)) tw_first = t->expire;
}
void tw_drop(const struct path *p)
{
	struct tw *t = tw_by(p);

	if (t) tw_end(t);
}
void tw_add(const struct slot *s)
{
	struct tw *t = tws;

	for (struct tw *o = tws; t->expire && o < tws + MAX_TW; o++)
		if (!o->expire || (int32_t)(o->expire - t->expire) < 0) t = o;
	if (t->expire) tw_end(t);
	tw_n++;
	if (t >= tws + tw_top) tw_top = (unsigned)(t - tws) + 1;
	tw_who(t->who, &s->path);
	t->ipv6 = s->path.ipv6;
	t->lport = s->path.lport;
	t->pport = s->path.pport;
	t->snd_nxt = s->snd_nxt;
	t->rcv_nxt = s->rcv_nxt;
	t->ts = s->ts_ok;
	t->ts_recent = s->ts_recent;
	t->expire = after(TIME_WAIT_T);
	if (!tw_first) tw_first = t->expire;
}
bool tw_input(const struct seg *g)
{
	struct tw *t = tw_by(&g->path);

	if (!t) return false;
	/* A new connection from the same port: by its numbers, or by its time (RFC 6191). */
	if ((g->flags & (TCP_SYN | TCP_ACK | TCP_RST)) == TCP_SYN && !tcp_old(t->ts && g->ts, t->ts_recent, g)
	    && (seq_lt(t->rcv_nxt, g->seq) || (t->ts && g->ts && t->ts_recent != g->tsval))) {
		tw_end(t);
		return false;
	}
	if (!(g->flags & TCP_RST)) {
		struct slot *s = scratch_clear();

		s->path = g->path;
		s->snd_nxt = t->snd_nxt;
		s->rcv_nxt = t->rcv_nxt;
		s->ts_ok = t->ts;
		s->ts_recent = t->ts_recent;
		tcp_ack(s);
	}
	return true;
}

/* ---- half-open connections ---- */

/* The slot of a half-open connection. */
FAST static struct slot *expand(const struct half *h)
{
	struct slot *s = scratch_clear();

	s->state = h->state;
	s->listener = h->listener;
	s->path = h->path;
	s->mss = h->mss;
	s->ws_ok = h->ws >= 0;
	s->ts_ok = h->ts;
	s->sack_ok = h->sack;
	s->weft = h->weft;
	s->ts_recent = h->ts_recent;
	s->snd_ws = s->ws_ok ? h->ws : 0;
	s->snd_una = h->iss + (h->state != S_SYN_RCVD);
	s->snd_nxt = s->snd_max = s->dseq = h->iss + 1;
	s->rcv_nxt = h->rcv_nxt;
	s->snd_wnd = s->max_wnd = h->wnd;
	s->wl1 = h->rcv_nxt - 1;
	s->wl2 = s->snd_una;
	s->srtt_us = h->srtt_us;
	return s;
}

/*
 * SYN cookies (RFC 4987 3.6): what a half-open connection would remember is in the initial sequence number. Bits 31:8 are a keyed
 * hash of the rest, the 4-tuple, the peer's number and the time; 7:6 the time in units of 34 s, 5:3 MSS, 2:0 window scale. Whether timestamps
 * were agreed on the peer's next segment says, and with them comes back whether SACK was, and what a Weft said of itself (tcp_cookie_stamp): without them
 * SACK is not, and of the peer nothing is known.
 */
static const uint16_t cookie_mss[8] = { MSS_LEAST, 536, 1220, 1400, 1440, 1460, 4056, 8960 };
static const int8_t cookie_ws[8] = { -1, 0, 2, 4, 6, 7, 8, 10 };
/* The low bits are part of what is hashed. */
static uint32_t cookie(const struct path *p, uint32_t irs, unsigned info, uint32_t time)
{
	uint32_t both = p->ipv6 ? tcp_hash(p) : 0;

	return tcp_hash4(time << 8 | info, both ^ addr_word(p->local), p->lport | (uint32_t)p->pport << 16, both ^ addr_word(p->peer), irs) << 8 | info;
}
static uint32_t cookie_time(void) { return (uint32_t)(hw_now() >> 35); }
static uint32_t cookie_sent; /* time of the last one, and 2: who got none has none, and 24 bits are not for guessing; 0: never */
static uint32_t cookie_make(const struct slot *s)
{
	uint32_t time = cookie_time();
	unsigned m = 7, ws = 7;

	while (m && cookie_mss[m] > tcp_mss(s)) m--;
	while (ws && (s->ws_ok ? cookie_ws[ws] > s->snd_ws : true)) ws--;
	cookie_sent = time + 2;
	return cookie(&s->path, s->rcv_nxt - 1, (time & 3) << 6 | m << 3 | ws, time);
}
static struct slot *cookie_open(const struct seg *g)
{
	uint32_t c = g->ack - 1, now = cookie_time(), age = (now - (c >> 6)) & 3;
	struct slot *s;

	if (!cookie_sent || now + 2 - cookie_sent > 1 || age > 1 || cookie(&g->path, g->seq - 1, c & 0xff, now - age) != c) return NULL;
	s = scratch_clear();
	s->path = g->path;
	s->mss = cookie_mss[c >> 3 & 7];
	if (g->ts) {
		s->ts_ok = true;
		s->sack_ok = g->tsecr & 1;
		s->weft = g->tsecr >> 1 & OPT_WEFT_FLAGS;
		s->ts_recent = g->tsval;
		s->mss = (uint16_t)(s->mss - TS_BYTES);
	}
	s->ws_ok = c & 7;
	s->snd_ws = s->ws_ok ? cookie_ws[c & 7] : 0;
	s->snd_una = s->snd_nxt = s->snd_max = s->dseq = s->wl2 = g->ack;
	s->rcv_nxt = g->seq;
	s->wl1 = g->seq - 1;
	return s;
}

FAST static struct half *half_by(const struct path *p)
{
	for (struct half *h = halves; h < halves + half_top; h++)
		if (h->state && path_same(&h->path, p)) return h;
	return NULL;
}
unsigned half_count(void) { return half_n; }
/* A bit for each key: a peer without one is not there. */
static uint32_t half_bits[8];
static inline unsigned bit_of(uint32_t key) { return (key ^ key >> 16 ^ key >> 24) & 0xff; }
static void half_mark(uint32_t key) { half_bits[bit_of(key) >> 5] |= 1u << (bit_of(key) & 31); }
static inline uint32_t key_of(uint32_t peer, uint32_t pport) { return (peer ^ pport << 16) | 1; }
static void half_free(struct half *h)
{
	h->state = S_FREE;
	half_key[h - halves] = 0;
	memset(half_bits, 0, sizeof(half_bits));
	for (unsigned i = 0; i < MAX_HALF; i++)
		if (half_key[i]) half_mark(half_key[i]);
	if (!--half_n) half_top = 0;
	half_listen[h->listener]--;
}
/* Who counts as one peer: an IPv4 address, or the 64 bits that one network has of IPv6 (who has one address there has them all). */
static bool same_peer(const uint8_t *a, const uint8_t *b, bool ipv6)
{
	return addr_word(a) == addr_word(b) && (!ipv6 || addr_word(a + 4) == addr_word(b + 4));
}
/* Half-open connections of one peer. */
static inline __attribute__((always_inline)) unsigned half_peer(const struct path *p)
{
	uint32_t first = addr_word(p->peer);
	unsigned n = 0;

	for (struct half *h = halves; h < halves + half_top; h++)
		n += addr_word(h->path.peer) == first && h->state && h->path.ipv6 == p->ipv6 && same_peer(h->path.peer, p->peer, p->ipv6);
	return n;
}
static struct half *half_new(const struct path *p, unsigned listener)
{
	struct half *h = halves;

	if (half_n == MAX_HALF || half_listen[listener] >= LISTEN_HALF || half_peer(p) >= PEER_HALF) return NULL;
	while (h->state) h++;
	return h;
}

static void on_syn(const struct seg *g, unsigned listener)
{
	struct half *h;
	struct slot *s;

	if (!cm_backlog_room(listener, false)) return; /* the peer asks again */
	h = half_new(&g->path, listener);
	s = scratch_clear();
	s->state = S_SYN_RCVD;
	s->path = g->path;
	tcp_options(s, g);
	if (tcp_mss(s) < MSS_LEAST) { /* no FPDU would fit its segments: it is told so */
		net_reset(g);
		return;
	}
	if (!h && !s->ts_ok) {
		s->sack_ok = false;
		s->weft = 0;
	}
	s->snd_una = h ? tcp_isn(&s->path) : cookie_make(s);
	tcp_syn(s, !h);
	if (!h) return;
	h->state = S_SYN_RCVD;
	h->listener = (uint8_t)listener;
	half_key[h - halves] = key_of(addr_word(s->path.peer), s->path.pport);
	half_mark(half_key[h - halves]);
	half_n++;
	if (h >= halves + half_top) half_top = (uint8_t)(h - halves + 1);
	half_listen[listener]++;
	h->path = s->path;
	h->iss = s->snd_una;
	h->rcv_nxt = s->rcv_nxt;
	h->mss = s->mss;
	h->wnd = (uint16_t)s->snd_wnd;
	h->ws = s->ws_ok ? s->snd_ws : -1;
	h->ts = s->ts_ok;
	h->sack = s->sack_ok;
	h->weft = s->weft;
	h->ts_recent = s->ts_recent;
	h->retries = 0;
	h->srtt_us = 0;
	h->sent_us = (uint32_t)(hw_now() >> 10);
	h->due = after(TICKS(1000));
}

/*
 * A SYN while there is no room for its half-open connection, in the shortest way: its frame becomes the answer, with a cookie. This is
 * what decides how much of a flood is outlived. False: something about it is special, and nothing was changed.
 */
static inline uint16_t swab16(uint32_t v) { return (uint16_t)((v & 0xff) << 8 | (v >> 8 & 0xff)); }
static inline uint16_t fold16(uint32_t sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~(sum + (sum >> 16));
}
FLOOD_PATH bool half_flood(uint32_t *frame, unsigned len)
{
	uint16_t *h = (uint16_t *)frame, t16, mss = 536, mine, echo[2] = { 0 }, *to;
	uint8_t *b = (uint8_t *)frame, *o;
	struct path p;
	uint64_t now;
	uint32_t ports, peer, irs, c, time, addr, stamp;
	unsigned end, m, ws, n;
	int listener, scale = -1;
	bool sack = false, ts = false;
	unsigned weft = 0;

	/* IPv4 without options, TCP, SYN alone, sent to one station by one */
	if (len < 60 || h[6] != 0x0008 || b[14] != 0x45 || b[23] != 6 || (h[10] & 0xff3f) || b[47] != TCP_SYN || ((b[0] | b[6]) & 1)
	    || b[26] >= 224 || b[26] == 0 || b[26] == 127) return false;
	end = 34 + (b[46] >> 4) * 4u;
	if (end < 54 || 14u + (uint32_t)(b[16] << 8 | b[17]) != end || end > len) return false;
	p.lport = (uint16_t)(b[36] << 8 | b[37]);
	p.pport = (uint16_t)(b[34] << 8 | b[35]);
	p.ipv6 = false;
	peer = h[13] | (uint32_t)h[14] << 16;
	ports = p.lport | (uint32_t)p.pport << 16;
	*(uint32_t *)p.local = h[15] | (uint32_t)h[16] << 16;
	*(uint32_t *)p.peer = peer;
	listener = cm_listener(&p);
	if (listener < 0) return false;
	if (tw_n || !cm_backlog_room((unsigned)listener, false)) return false;
	if (half_listen[listener] < LISTEN_HALF && half_n < MAX_HALF && half_peer(&p) < PEER_HALF) return false;
	n = bit_of(key_of(peer, p.pport));
	if (half_bits[n >> 5] >> (n & 31) & 1) return false;
	for (uint32_t used = slots_used, i = 0; used; used >>= 1, i++)
		if ((used & 1) && slots[i].path.pport == p.pport && addr_word(slots[i].path.peer) == peer) return false;
	for (o = b + 54; o < b + end;) {
		if (*o == 1) {
			o++;
			continue;
		}
		if (!*o) break;
		if (o + 2 > b + end || o[1] < 2 || o + o[1] > b + end) return false;
		if (o[0] == 2 && o[1] == 4) mss = (uint16_t)(o[2] << 8 | o[3]);
		if (o[0] == 3 && o[1] == 3) scale = o[2] > 14 ? 14 : o[2];
		if (o[0] == 4 && o[1] == 2) sack = true;
		if (o[0] == 8 && o[1] == 10) {
			ts = true;
			echo[0] = (uint16_t)(o[2] | o[3] << 8);
			echo[1] = (uint16_t)(o[4] | o[5] << 8);
		}
		if (o[0] == OPT_WEFT_KIND) weft = net_weft(o, false, weft);
		o += o[1];
	}
	if (!ts || (weft & OPT_WEFT_NOT)) weft = 0;
	mine = (uint16_t)(if_mtu - 40);
	if (mss > mine) mss = mine;
	if (mss < MSS_LEAST) return false;
	for (m = 7; m && cookie_mss[m] > mss; m--) {}
	for (ws = scale < 0 ? 0 : 7; ws && cookie_ws[ws] > scale; ws--) {}
	irs = be32(b + 38);
	now = hw_now();
	time = (uint32_t)(now >> 35);
	c = (time & 3) << 6 | m << 3 | ws;
	c |= tcp_hash4(time << 8 | c, *(uint32_t *)p.local, ports, peer, irs) << 8;
	cookie_sent = time + 2;
	/* the answer */
	for (m = 0; m < 3; m++) {
		t16 = h[m];
		h[m] = h[m + 3];
		h[m + 3] = t16;
	}
	n = 24u + (ts ? TS_BYTES : 0) + (ws ? 4 : 0) + (weft ? OPT_WEFT_SPACE : 0); /* of TCP */
	b[15] &= 0xfc;
	h[8] = (uint16_t)((20 + n) << 8);
	h[9] = 0;
	h[10] = 0x0040; /* DF */
	h[11] = 0x0640;
	addr = h[13] + (uint32_t)h[14] + h[15] + h[16];
	h[12] = fold16(addr + h[7] + h[8] + 0x0040 + 0x0640);
	h[13] = h[15];
	h[14] = h[16];
	h[15] = (uint16_t)peer;
	h[16] = (uint16_t)(peer >> 16);
	t16 = h[17];
	h[17] = h[18];
	h[18] = t16;
	h[19] = swab16(c >> 16);
	h[20] = swab16(c);
	h[21] = swab16((irs + 1) >> 16);
	h[22] = swab16(irs + 1);
	h[23] = (uint16_t)(n << 2 | (TCP_SYN | TCP_ACK) << 8);
	h[24] = 0xffff;
	h[26] = 0;
	h[27] = 0x0402;
	h[28] = swab16(mine);
	to = h + 29;
	*to = 0; /* padding of the frame without */
	if (ts) {
		stamp = tcp_cookie_stamp((uint32_t)(now >> 20), sack, weft);
		*to++ = sack ? 0x0204 : 0x0101;
		*to++ = 0x0a08;
		*to++ = swab16(stamp >> 16);
		*to++ = swab16(stamp);
		*to++ = echo[0];
		*to++ = echo[1];
	}
	if (ws) {
		*to++ = 0x0301;
		*to++ = 0x03 | RCV_WSCALE << 8;
	}
	if (weft) {
		*to++ = 1 | OPT_WEFT_KIND << 8;
		*to++ = swab16(OPT_WEFT_BYTES << 8 | OPT_WEFT_EXID >> 24);
		*to++ = swab16(OPT_WEFT_EXID >> 8);
		*to++ = swab16(OPT_WEFT_EXID << 8 | OPT_WEFT_OURS | OPT_WEFT_ANSWER);
	}
	addr += 0x0600 + (n << 8) + h[17] + h[18] + h[19] + h[20] + h[21] + h[22] + h[23] + 0xffff;
	for (uint16_t *at = h + 27; at < to; at++) addr += *at;
	h[25] = fold16(addr);
	hw_frame_send(frame, 34 + n < 60 ? 60 : 34 + n);
	return true;
}

/* The oldest that is slow with its request gives way: of a listener, else of anybody. */
static void give_way(int listener)
{
	struct slot *s, *best = NULL;

	for_slots(s)
		if (slot_slow(s) && (listener < 0 || s->listener == listener) && (!best || (int32_t)(s->since - best->since) < 0)) best = s;
	if (!best) return;
	tcp_rst(best);
	slot_free(best);
}

/* The first bytes are there: a slot, if this peer and this listener may have one more. */
static struct slot *promote(const struct slot *from, unsigned listener)
{
	struct slot *s;
	uint8_t *buf;
	unsigned peer = 0, wait = 0;

	for_slots(s) {
		if (s->active || !slot_ours(s) || !s->buf || s->path.ipv6 != from->path.ipv6 || !same_peer(s->path.peer, from->path.peer, from->path.ipv6)) continue;
		peer++;
		wait += s->state == S_WAIT_REQ;
	}
	if (peer >= PEER_SETUP || wait >= PEER_WAIT || !cm_backlog_room(listener, false)) return NULL;
	if (!cm_backlog_room(listener, true)) give_way((int)listener);
	s = slot_setup(false);
	if (!s) {
		give_way(-1);
		s = slot_setup(false);
	}
	if (!s) return NULL;
	buf = s->buf;
	*s = *from;
	s->buf = buf;
	s->listener = (uint8_t)listener;
	s->state = S_WAIT_REQ;
	s->expire = after(REQUEST_T);
	return s;
}

static void on_half(struct half *h, const struct seg *g)
{
	struct slot *s;

	if (g->flags & TCP_RST) {
		if (g->seq == h->rcv_nxt) half_free(h);
		else if (g->seq - h->rcv_nxt < 65535) tcp_challenge(expand(h), &h->challenge);
		return;
	}
	if (g->flags & TCP_SYN) {
		if (h->state == S_SYN_RCVD && g->seq + 1 == h->rcv_nxt && !(g->flags & TCP_ACK)) {
			if (g->ts && !tcp_old(h->ts, h->ts_recent, g)) h->ts_recent = g->tsval;
			h->weft &= g->weft; /* the answer is one to this SYN */
			tcp_syn(expand(h), false);
		} else {
			tcp_challenge(expand(h), &h->challenge);
		}
		return;
	}
	if (!(g->flags & TCP_ACK) || (h->ts && !g->ts)) return;
	if (tcp_old(h->ts, h->ts_recent, g)) {
		tcp_challenge(expand(h), &h->challenge);
		return;
	}
	if (g->ack != h->iss + 1) {
		if (h->state == S_SYN_RCVD) net_reset(g);
		else tcp_challenge(expand(h), &h->challenge);
		return;
	}
	if (h->state == S_SYN_RCVD) {
		uint32_t rtt = (uint32_t)(hw_now() >> 10) - h->sent_us;

		h->srtt_us = h->retries ? 0 : rtt > 65535 ? 65535 : (uint16_t)rtt;
		h->state = S_WAIT_REQ;
		h->due = after(REQUEST_T);
	}
	h->wnd = g->wnd;
	if (g->seq == h->rcv_nxt) h->ts_recent = g->tsval;
	if (g->seq != h->rcv_nxt || !(g->len || (g->flags & TCP_FIN))) return;
	if (!g->len) { /* it gave up */
		tcp_rst(expand(h));
		half_free(h);
		return;
	}
	s = promote(expand(h), h->listener);
	if (!s) { /* it comes again; for as long as one waits for its reply, none is reset, which would be taken for revision 1's answer */
		h->due = after(REPLY_T);
		return;
	}
	half_free(h);
	tcp_input(s, g);
}

bool half_input(const struct seg *g, int *at)
{
	struct half *h = half_by(&g->path);
	struct slot *s;
	int listener;

	if (h) {
		on_half(h, g);
		return true;
	}
	*at = listener = cm_listener(&g->path);
	if (listener < 0) return false;
	if ((g->flags & (TCP_SYN | TCP_ACK | TCP_RST | TCP_FIN)) == TCP_SYN) {
		on_syn(g, (unsigned)listener);
		return true;
	}
	if ((g->flags & (TCP_SYN | TCP_ACK | TCP_RST)) != TCP_ACK || !(s = cookie_open(g))) return false;
	/* Good cookie. An ACK alone makes nothing: the request follows, and is sent again until it is received. */
	if (!g->len || !(s = promote(s, (unsigned)listener))) return true;
	tcp_input(s, g);
	return true;
}

void half_unlisten(unsigned listener)
{
	for (struct half *h = halves; half_listen[listener] && h < halves + half_top; h++)
		if (h->state && h->listener == listener) {
			tcp_rst(expand(h));
			half_free(h);
		}
}

/* ---- time ---- */

void pool_timers(uint32_t now)
{
	for (struct half *h = halves; h < halves + half_top; h++) {
		if (!h->state || !is_due(now, h->due)) continue;
		if (h->state == S_SYN_RCVD && h->retries < SYNACK_RETRIES) {
			tcp_syn(expand(h), false);
			h->due = after(TICKS(1000) << ++h->retries);
			continue;
		}
		if (h->state != S_SYN_RCVD) tcp_rst(expand(h));
		half_free(h);
	}
	for (struct tw *t = tws; tw_n && is_due(now, tw_first) && t < tws + MAX_TW; t++)
		if (is_due(now, t->expire)) tw_end(t);
}

FAST int32_t pool_deadline(uint32_t now, int32_t t)
{
	for (struct half *h = halves; h < halves + half_top; h++)
		if (h->state && (int32_t)(h->due - now) < t) t = (int32_t)(h->due - now);
	if (tw_n && (int32_t)(tw_first - now) < t) t = (int32_t)(tw_first - now);
	return t;
}
