// SPDX-License-Identifier: BSD-2-Clause
/*
 * Frames of every kind against a model that parses them again (RFC 791, 8200, 9293, 768, IEEE 802.1Q), while connections come
 * and go between bursts. +flood=1: more than the buffers hold, with the network device standing still.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

#define N_QP 32
#define N_L2 16
#define FRAME_MAX 9022
#define QLEN 65536
#define STORE 65536u /* bytes, weft_eth_rx */

struct conn {
	bool valid, v6, dup;
	uint8_t la[16], pa[16];
	uint16_t lp, pp, l2;
};
static struct conn conns[N_QP];
static struct { bool vlan; uint16_t vid; } l2e[N_L2];
static uint8_t mac[6];
static bool promisc, allmulti, ports[65536];

enum { D_NONE, D_CONN, D_FW, D_L2 };
struct info {
	bool ipv6, ip_ok, l4_ok, tcp, udp, vlan, mcast, bcast;
	uint16_t tci, sport, dport, wnd, flags;
	uint32_t seq, ack;
	unsigned hdr_len, pay_len;
	uint8_t sa[16], da[16];
};

/* ---- what must come out, in order ---- */
struct want {
	uint8_t *d;
	unsigned len, qpn, reason;
	struct info i;
};
enum { W_ACK, W_SEG, W_PAY, W_FW, W_META, W_L2, N_W };
static struct want q[N_W][QLEN];
static unsigned qt[N_W], qh[N_W];
static unsigned rounds, round_, left, conn_seen, l2e_seen, conn_made, l2e_made;
static uint64_t stats[9], expect[9];
static size_t outstanding;
static unsigned sizes[4096], pushed, handled; /* flood: what the frame store may hold */
static size_t stored;
static bool idle, flood, collide;
static unsigned pauses;
static unsigned inserted, refused, due[N_QP];

static unsigned be16(const uint8_t *p) { return (unsigned)(p[0] << 8 | p[1]); }
static uint32_t be32(const uint8_t *p) { return (uint32_t)be16(p) << 16 | be16(p + 2); }

static struct info parse(const uint8_t *f, unsigned n)
{
	struct info i = { 0 };
	unsigned l3 = 14, type, iplen, l4, l4len, proto;
	uint8_t pseudo[4];
	uint32_t sum;
	const uint8_t *p;

	i.bcast = !memcmp(f, "\377\377\377\377\377\377", 6);
	i.mcast = (f[0] & 1) && !i.bcast;
	if (n < 18) {
		i.vlan = n >= 14 && be16(f + 12) == 0x8100;
		return i;
	}
	type = be16(f + 12);
	if (type == 0x8100) {
		i.vlan = true;
		i.tci = (uint16_t)be16(f + 14);
		type = be16(f + 16);
		l3 = 18;
	}
	p = f + l3;
	if (type == 0x0800 && n >= l3 + 20 && p[0] == 0x45) {
		iplen = be16(p + 2);
		if (iplen < 20 || l3 + iplen > n || (be16(p + 6) & 0x3fff))
			return i;
		proto = p[9];
		l4 = l3 + 20;
		l4len = iplen - 20;
		memcpy(i.sa, p + 12, 4);
		memcpy(i.da, p + 16, 4);
		i.ip_ok = tb_csum(0, p, 20) == 0xffff;
		sum = tb_csum(0, p + 12, 8);
	} else if (type == 0x86dd && n >= l3 + 40 && p[0] >> 4 == 6) {
		iplen = be16(p + 4);
		if (l3 + 40 + iplen > n)
			return i;
		i.ipv6 = true;
		proto = p[6];
		l4 = l3 + 40;
		l4len = iplen;
		memcpy(i.sa, p + 8, 16);
		memcpy(i.da, p + 24, 16);
		i.ip_ok = true;
		sum = tb_csum(0, p + 8, 32);
	} else {
		return i;
	}
	p = f + l4;
	pseudo[0] = (uint8_t)(l4len >> 8);
	pseudo[1] = (uint8_t)l4len;
	pseudo[2] = 0;
	pseudo[3] = (uint8_t)proto;
	sum = tb_csum(sum, pseudo, 4);
	if (proto == 6 && l4len >= 20 && p[12] >> 4 >= 5 && (p[12] >> 4) * 4u <= l4len) {
		i.tcp = true;
		i.hdr_len = l4 + (p[12] >> 4) * 4u;
		i.pay_len = l4len - (p[12] >> 4) * 4u;
		i.seq = be32(p + 4);
		i.ack = be32(p + 8);
		i.flags = (p[12] & 1) << 8 | p[13];
		i.wnd = (uint16_t)be16(p + 14);
	} else if (proto == 17 && l4len >= 8) {
		i.udp = true;
	} else {
		return i;
	}
	i.sport = (uint16_t)be16(p);
	i.dport = (uint16_t)be16(p + 2);
	i.l4_ok = i.ip_ok && (tb_csum(sum, p, l4len) == 0xffff || (i.udp && !i.ipv6 && !be16(p + 6)));
	return i;
}

static int find(const struct info *i)
{
	for (int k = 0; k < N_QP; k++) {
		struct conn *c = &conns[k];

		if (c->valid && c->v6 == i->ipv6 && !memcmp(c->la, i->da, 16) && !memcmp(c->pa, i->sa, 16) && c->lp == i->dport &&
		    c->pp == i->sport) {
			/* the VLAN is that of the L2 entry; priority tags (VID 0) count as none */
			unsigned vid = i->vlan ? i->tci & 0xfff : 0, cvid = l2e[c->l2].vlan ? l2e[c->l2].vid : 0;

			return vid == cvid ? k : -1;
		}
	}
	return -1;
}

static void put(unsigned w, const uint8_t *d, unsigned n, unsigned qpn, unsigned reason, const struct info *i)
{
	struct want *e = &q[w][qt[w]++ % QLEN];

	free(e->d);
	e->d = malloc(n + 1);
	memcpy(e->d, d, n);
	e->len = n;
	e->qpn = qpn;
	e->reason = reason;
	e->i = *i;
}

static void expect_frame(const uint8_t *f, unsigned n, bool err)
{
	struct info i;
	bool us;
	int k;

	if (err || n < 14 || n > FRAME_MAX) {
		expect[2]++;
		return;
	}
	expect[0]++;
	i = parse(f, n);
	us = !memcmp(f, mac, 6);
	if (!us && !i.bcast && !promisc && !(i.mcast && allmulti)) {
		expect[7]++;
		return;
	}
	k = us && i.tcp ? find(&i) : -1;
	if (us && i.tcp && (k >= 0 || ports[i.dport])) {
		if (!i.ip_ok || !i.l4_ok) {
			expect[6]++;
			return;
		}
		if (k >= 0 && !(i.flags & 6)) {
			expect[3]++;
			if (i.flags & 0x10)
				put(W_ACK, f, 0, (unsigned)k, 0, &i);
			put(W_SEG, f, i.pay_len, (unsigned)k, 0, &i);
			if (i.pay_len)
				put(W_PAY, f + i.hdr_len, i.pay_len, (unsigned)k, 0, &i);
		} else {
			expect[4]++;
			put(W_FW, f, n, k >= 0 ? (unsigned)k : 0, k >= 0, &i);
		}
		return;
	}
	expect[5]++;
	put(W_META, f, n, 0, 0, &i);
	put(W_L2, f, n, 0, 0, &i);
}

static struct want *next(unsigned w, const char *what)
{
	static struct want none;

	if (qh[w] == qt[w]) {
		tb_fail("%s too many", what);
		return &none;
	}
	return &q[w][qh[w]++ % QLEN];
}

static void on_ack(int port, const uint8_t *b, void *arg)
{
	struct want *e = next(W_ACK, "ACK part");

	tb_check(tb_bits_get(b, 49, 16) == e->qpn && tb_bits_get(b, 17, 32) == e->i.ack && tb_bits_get(b, 1, 16) == e->i.wnd &&
			 tb_bits_get(b, 0, 1) == (!e->i.pay_len && !(e->i.flags & 1)),
		 "ACK part of QP %u", e->qpn);
}

static void on_seg(int port, const uint8_t *b, void *arg)
{
	struct want *e = next(W_SEG, "segment");

	tb_check(tb_bits_get(b, 49, 16) == e->qpn && tb_bits_get(b, 17, 32) == e->i.seq && tb_bits_get(b, 1, 16) == e->i.pay_len &&
			 tb_bits_get(b, 0, 1) == (e->i.flags & 1),
		 "segment of QP %u, seq %#x/%#x len %u/%u", e->qpn, (unsigned)tb_bits_get(b, 17, 32), e->i.seq,
		 (unsigned)tb_bits_get(b, 1, 16), e->i.pay_len);
	/* the ACK part goes first */
	tb_check(flood || qt[W_ACK] - qh[W_ACK] <= qt[W_SEG] - qh[W_SEG] + 1, "segment before its ACK part");
	outstanding -= e->i.hdr_len;
	if (!e->i.pay_len)
		outstanding -= e->len;
}

static void on_pay(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	struct want *e = next(W_PAY, "payload");

	tb_check(n == e->len && !memcmp(d, e->d, n), "payload of QP %u: %zu bytes of %u", e->qpn, n, e->len);
	outstanding -= n;
}

static void on_fw(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	struct want *e = next(W_FW, "frame for firmware");

	tb_check(n == e->len && !memcmp(d, e->d, n), "frame for firmware: %zu bytes of %u", n, e->len);
	tb_check(tb_bits_get(side, 16, 4) == (e->reason ? WEFT_STEER_REASON_FLAGS : WEFT_STEER_REASON_PORT) &&
			 tb_bits_get(side, 0, 16) == e->qpn,
		 "frame for firmware: reason %llu, QPN %llu, want QPN %u", (unsigned long long)tb_bits_get(side, 16, 4),
		 (unsigned long long)tb_bits_get(side, 0, 16), e->qpn);
}

/* Every field that the frame has: addresses of a good IP header, ports of TCP and UDP, the rest of TCP. */
static void on_meta(int port, const uint8_t *b, void *arg)
{
	static const char *const names[] = { "ipv6", "ip_ok", "l4_ok", "tcp", "udp", "vlan", "vlan_tci", "mcast", "bcast", "dmac", "saddr 127:64",
					     "saddr 63:0", "daddr 127:64", "daddr 63:0", "sport", "dport", "seq", "ack", "flags", "wnd",
					     "hdr_len", "payload_len", "frame_len" };
	static const uint8_t widths[] = { 1, 1, 1, 1, 1, 1, 16, 1, 1, 48, 64, 64, 64, 64, 16, 16, 32, 32, 9, 16, 8, 16, 16 };
	struct want *e = next(W_META, "L2 meta");
	const struct info *i = &e->i;
	struct tb_pack p;
	uint64_t a[5] = { 0 };

	if (flood || !e->d)
		return;
	memcpy(&a[0], e->d, 6);
	memcpy(&a[1], i->sa, 16);
	memcpy(&a[3], i->da, 16);
	{
		uint64_t want[] = { i->ipv6, i->ip_ok, i->l4_ok, i->tcp, i->udp, i->vlan, i->tci, i->mcast, i->bcast, a[0], a[2], a[1], a[4],
				    a[3], i->sport, i->dport, i->seq, i->ack, i->flags, i->wnd, i->hdr_len, i->pay_len, e->len };

		tb_unpack_begin(&p, b, 489);
		for (unsigned k = 0; k < sizeof(widths); k++) {
			uint64_t v = tb_get(&p, widths[k]);

			if ((k == 6 && (!i->vlan || e->len < 18)) || ((k == 0 || (k >= 10 && k <= 13)) && !i->ip_ok) ||
			    ((k == 14 || k == 15) && !i->tcp && !i->udp) || (k >= 16 && k <= 21 && !i->tcp))
				continue;
			if (v != want[k])
				tb_fail("L2 meta: %s is %#llx, not %#llx (ip_ok %d tcp %d udp %d, %u bytes)", names[k], (unsigned long long)v,
					(unsigned long long)want[k], i->ip_ok, i->tcp, i->udp, e->len);
		}
	}
}

static void on_l2(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	struct want *e;

	if (flood) { /* some were dropped, the others are whole and in order */
		for (;;) {
			e = next(W_L2, "L2 frame");
			if (!e->d || (e->len == n && !memcmp(e->d, d, n)))
				return;
		}
	}
	e = next(W_L2, "L2 frame");
	tb_check(n == e->len && !memcmp(d, e->d, n), "L2 frame: %zu bytes of %u", n, e->len);
	outstanding -= n;
}

static void on_conn(int port, const uint8_t *b, void *arg)
{
	unsigned k = (unsigned)tb_bits_get(b, 0, 16) % N_QP;

	conn_seen++;
	if (--due[k]) /* an older commit */
		return;
	if (conns[k].valid && !tb_bits_get(b, 16 + WEFT_CTX_CONN_VALID_LSB, 1)) {
		conns[k].valid = false;
		refused++;
	}
	tb_check(tb_bits_get(b, 16 + WEFT_CTX_CONN_LOCAL_PORT_LSB, 16) == conns[k].lp &&
			 tb_bits_get(b, 16 + WEFT_CTX_CONN_L2_LSB, 16) == conns[k].l2,
		 "context of QP %u given out", k);
}

static void on_l2e(int port, const uint8_t *b, void *arg) { l2e_seen++; }
static void on_stats(int port, const uint8_t *b, void *arg)
{
	for (unsigned i = 0; i < 9; i++) {
		if (tb_bits_get(b, i, 1)) {
			stats[i]++;
			if (i >= 2 && i < 8)
				stored -= sizes[handled++ % 4096];
		}
	}
}
/* The MAC is asked for a pause while the frame store is half full, and not when it is nearly empty. */
static void on_idle(int port, const uint8_t *b, void *arg)
{
	static unsigned idle_for;
	bool pause = b[0] >> 1 & 1;

	idle = b[0] & 1;
	idle_for = idle ? idle_for + 1 : 0;
	pauses += pause;
	tb_check(!pause || idle_for < 8, "an idle card asks for a pause");
}

/* ---- frames ---- */
static void csum_at(uint8_t *p, uint32_t sum) { p[0] = (uint8_t)(~sum >> 8), p[1] = (uint8_t)~sum; }

static unsigned build(uint8_t *f, bool *err)
{
	struct conn *c = &conns[tb_below(N_QP)], other;
	unsigned l3 = 14, l4, n, pl, l4len, proto = 6, doff = 5 + (tb_chance(50) ? 3 : tb_below(11)), vid;
	bool udp = false, on_conn = tb_chance(75);
	uint32_t sum;

	*err = tb_chance(1);
	if (tb_chance(5)) { /* anything */
		n = tb_chance(30) ? tb_below(80) : tb_range(14, 1600);
		tb_rand_bytes(f, n + 20);
		if (tb_chance(80))
			memcpy(f, mac, 6);
		if (tb_chance(30))
			memcpy(f + 12, tb_chance(50) ? "\x08\x00\x45" : "\x86\xdd\x60", 3);
		return n ? n : 1;
	}
	if (!on_conn) {
		other = *c;
		c = &other;
		switch (tb_below(6)) {
		case 0: c->pp++; break;
		case 1: c->pa[tb_below(c->v6 ? 16 : 4)] ^= 1 << tb_below(8); break;
		case 2: c->la[tb_below(c->v6 ? 16 : 4)] ^= 1 << tb_below(8); break;
		case 3: c->lp ^= 1 << tb_below(16); break;
		case 4: udp = true; break;
		default: c->lp = (uint16_t)(7000 + tb_below(64)); break;
		}
	}
	if (udp)
		proto = 17;
	memcpy(f, mac, 6);
	tb_rand_bytes(f + 6, 6);
	switch (tb_below(30)) {
	case 0: memset(f, 0xff, 6); break;
	case 1: tb_rand_bytes(f, 6); break;
	case 2: f[0] |= 1; break;
	}
	vid = l2e[c->l2].vlan ? l2e[c->l2].vid : 0;
	if (tb_chance(5))
		vid = tb_below(4096);
	if (vid || tb_chance(5)) {
		f[12] = 0x81;
		f[13] = 0;
		f[14] = (uint8_t)(tb_below(16) << 4 | vid >> 8);
		f[15] = (uint8_t)vid;
		l3 = 18;
	}
	f[l3 - 2] = c->v6 ? 0x86 : 8;
	f[l3 - 1] = c->v6 ? 0xdd : 0;
	l4 = l3 + (c->v6 ? 40 : 20);
	pl = tb_chance(30) ? 0 : tb_chance(50) ? tb_below(100) : tb_chance(80) ? tb_below(1500) : tb_below(9000);
	if (udp)
		doff = 2;
	if (l4 + 4 * doff + pl > FRAME_MAX && tb_chance(90))
		pl = FRAME_MAX - l4 - 4 * doff;
	l4len = 4 * doff + pl;
	n = l4 + l4len;
	tb_rand_bytes(f + l3, n - l3);
	if (c->v6) {
		f[l3] = (uint8_t)(0x60 | (f[l3] & 15));
		f[l3 + 4] = (uint8_t)(l4len >> 8);
		f[l3 + 5] = (uint8_t)l4len;
		f[l3 + 6] = tb_chance(1) ? 44 : (uint8_t)proto;
		memcpy(f + l3 + 8, c->pa, 16);
		memcpy(f + l3 + 24, c->la, 16);
		sum = tb_csum(0, f + l3 + 8, 32);
	} else {
		f[l3] = tb_chance(1) ? 0x46 : tb_chance(1) ? 0x55 : 0x45;
		f[l3 + 2] = (uint8_t)((20 + l4len) >> 8);
		f[l3 + 3] = (uint8_t)(20 + l4len);
		f[l3 + 6] = tb_chance(2) ? (uint8_t)(1 << tb_below(6)) : 0x40;
		f[l3 + 7] = tb_chance(1);
		f[l3 + 9] = (uint8_t)proto;
		f[l3 + 10] = f[l3 + 11] = 0;
		memcpy(f + l3 + 12, c->pa, 4);
		memcpy(f + l3 + 16, c->la, 4);
		csum_at(f + l3 + 10, tb_csum(0, f + l3, 20));
		sum = tb_csum(0, f + l3 + 12, 8);
	}
	f[l4] = (uint8_t)(c->pp >> 8);
	f[l4 + 1] = (uint8_t)c->pp;
	f[l4 + 2] = (uint8_t)(c->lp >> 8);
	f[l4 + 3] = (uint8_t)c->lp;
	if (udp) {
		f[l4 + 4] = (uint8_t)(l4len >> 8);
		f[l4 + 5] = (uint8_t)l4len;
		f[l4 + 6] = f[l4 + 7] = 0;
	} else {
		f[l4 + 12] = (uint8_t)(doff << 4 | (f[l4 + 12] & 15));
		f[l4 + 13] = tb_chance(80) ? 0x10 : (uint8_t)tb_below(256);
		f[l4 + 16] = f[l4 + 17] = 0;
	}
	sum += l4len + proto;
	sum = tb_csum(sum, f + l4, l4len);
	if (!udp || tb_chance(70))
		csum_at(f + l4 + (udp ? 6 : 16), sum);
	/* faults */
	if (tb_chance(2))
		f[tb_range(l3, n - 1)] ^= (uint8_t)(1 << tb_below(8));
	if (tb_chance(1))
		n = tb_range(10, n);
	if (tb_chance(1) && !udp)
		f[l4 + 12] = (uint8_t)(tb_below(16) << 4);
	if (n < 60 && tb_chance(90)) { /* the wire pads */
		tb_rand_bytes(f + n, 60 - n);
		n = 60;
	} else if (tb_chance(3)) {
		unsigned k = tb_below(100);

		tb_rand_bytes(f + n, k);
		n += k;
	}
	return n;
}

/* The hash of the look-up, to aim at two buckets: HalfSipHash rounds, one a word, three more. */
static uint32_t key[2];
static uint32_t rol(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

static uint32_t bucket_hash(const struct conn *c)
{
	uint32_t v[4] = { key[0], key[1], 0x6c796765 ^ key[0] ^ c->v6, 0x74656462 ^ key[1] }, w;

	for (int i = c->v6 ? 9 : 3; i > -3; i--) {
		const uint8_t *a = i & 1 ? c->pa : c->la;

		if (i == 1)
			w = (uint32_t)c->lp << 16 | c->pp;
		else if (i > 1)
			memcpy(&w, a + (i - 2) / 2 * 4, 4);
		else
			w = 0;
		v[3] ^= w;
		v[0] += v[1], v[1] = rol(v[1], 5) ^ v[0], v[0] = rol(v[0], 16);
		v[2] += v[3], v[3] = rol(v[3], 8) ^ v[2];
		v[0] += v[3], v[3] = rol(v[3], 7) ^ v[0];
		v[2] += v[1], v[1] = rol(v[1], 13) ^ v[2], v[2] = rol(v[2], 16);
		v[0] ^= w;
		if (i == 1)
			v[2] ^= 0xff;
	}
	return v[0] ^ v[2];
}

static void set_conn(unsigned k)
{
	struct conn *c = &conns[k];
	uint8_t x[64] = { 0 };

	if (c->valid && tb_chance(40)) {
		c->valid = false;
	} else {
		memset(c, 0, sizeof(*c));
		c->valid = true;
		c->v6 = tb_chance(40);
		tb_rand_bytes(c->la, c->v6 ? 16 : 4);
		tb_rand_bytes(c->pa, c->v6 ? 16 : 4);
		if (tb_chance(70)) { /* near another one */
			struct conn *o = &conns[tb_below(N_QP)];

			if (o->valid && o != c) {
				c->v6 = o->v6;
				memcpy(c->la, o->la, 16);
				memcpy(c->pa, o->pa, 16);
			}
		}
		c->lp = (uint16_t)(7000 + k);
		do
			c->pp = (uint16_t)tb_below(65536);
		while (collide && (bucket_hash(c) & 0xf000f) != 0x30009);
		c->l2 = (uint16_t)tb_below(N_L2);
		inserted++;
	}
	memcpy(x, c->la, 16);
	memcpy(x + 16, c->pa, 16);
	tb_bits_set(x, WEFT_CTX_CONN_LOCAL_PORT_LSB, 16, c->lp);
	tb_bits_set(x, WEFT_CTX_CONN_PEER_PORT_LSB, 16, c->pp);
	tb_bits_set(x, WEFT_CTX_CONN_L2_LSB, 16, c->l2);
	tb_bits_set(x, WEFT_CTX_CONN_IPV6_LSB, 1, c->v6);
	tb_bits_set(x, WEFT_CTX_CONN_VALID_LSB, 1, c->valid);
	tb_cfg_ctx(WEFT_ROOM_CONN, k, x);
	due[k]++;
	conn_made++;
}

static void new_l2(struct conn *c)
{
	uint8_t x[64] = { 0 };

	c->l2 = (uint16_t)tb_below(N_L2);
	tb_rand_bytes(x, 40); /* only the link field counts */
	tb_bits_set(x, WEFT_CTX_CONN_L2_LSB, 16, c->l2);
	tb_bits_set(x, WEFT_CTX_CONN_CMD_LSB, 8, WEFT_CTX_CMD_SET_L2);
	tb_cfg_ctx(WEFT_ROOM_CONN, (unsigned)(c - conns), x);
	due[c - conns]++;
	conn_made++;
}

static void read_word(uint32_t data, bool err, void *arg)
{
	tb_check(data == (uint32_t)(uintptr_t)arg && !err, "register read %#x, want %#x", data, (uint32_t)(uintptr_t)arg);
}

static void configure(void)
{
	uint32_t lo, hi = 0;

	if (!round_) {
		key[0] = (uint32_t)tb_rand();
		key[1] = (uint32_t)tb_rand();
		tb_rand_bytes(mac, 6);
		mac[0] &= ~1;
		memcpy(&lo, mac, 4);
		memcpy(&hi, mac + 4, 2);
		tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_MAC_LO, lo);
		tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_MAC_HI, hi);
		tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_KEY_LO, key[0]);
		tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_KEY_HI, key[1]);
		tb_cfg_read(WEFT_ROOM_STEER << 22 | WEFT_STEER_MAC_LO, read_word, (void *)(uintptr_t)lo);
		tb_cfg_read(WEFT_ROOM_STEER << 22 | WEFT_STEER_KEY_LO, read_word, NULL);
		for (unsigned w = 7000 / 32; w <= 7064 / 32; w++) {
			uint32_t v = (uint32_t)tb_rand();

			for (unsigned b = 0; b < 32; b++)
				ports[w * 32 + b] = v >> b & 1;
			tb_cfg_write(WEFT_ROOM_STEER << 22 | w * 4, v);
			tb_cfg_read(WEFT_ROOM_STEER << 22 | w * 4, read_word, (void *)(uintptr_t)v);
		}
		for (unsigned i = 0; i < N_L2; i++) {
			uint8_t x[64] = { 0 };

			l2e[i].vlan = tb_chance(50);
			l2e[i].vid = (uint16_t)tb_range(1, 4094);
			tb_bits_set(x, WEFT_L2E_VLAN_TCI_LSB, 16, l2e[i].vid | tb_below(16) << 12);
			tb_bits_set(x, WEFT_L2E_VLAN_LSB, 1, l2e[i].vlan);
			tb_bits_set(x, WEFT_L2E_VALID_LSB, 1, 1);
			tb_cfg_ctx(WEFT_ROOM_L2T, i, x);
			l2e_made++;
		}
	}
	promisc = tb_chance(20);
	allmulti = tb_chance(50);
	tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_FLAGS, promisc | allmulti << 1);
	for (unsigned i = 0; i < (round_ ? 12 : N_QP); i++)
		set_conn(round_ ? tb_below(N_QP) : i);
	for (unsigned i = 0; i < N_QP; i++)
		if (conns[i].valid && tb_chance(10))
			new_l2(&conns[i]);
}

void tb_setup(void)
{
	static const unsigned rates[] = { 100, 70, 40 };

	flood = tb_opt("flood", 0);
	collide = tb_opt("collide", 0);
	rounds = (unsigned)tb_opt("rounds", flood ? 1 : 12);
	tb_src_rate(0, flood ? 100 : rates[tb_below(3)]);
	for (int i = 1; i < 7; i++)
		tb_snk_rate(i, i == 4 ? 100 : rates[tb_below(3)]);
	if (flood) {
		tb_snk_rate(5, 0);
		tb_snk_rate(6, 0);
		for (int i = 1; i < 5; i++)
			tb_snk_rate(i, 0); /* until the frame store is more than half full */
	}
	tb_on_item(1, on_ack, NULL);
	tb_on_item(2, on_seg, NULL);
	tb_on_packet(3, on_pay, NULL);
	tb_on_packet(4, on_fw, NULL);
	tb_on_item(5, on_meta, NULL);
	tb_on_packet(6, on_l2, NULL);
	tb_on_item(7, on_conn, NULL);
	tb_on_item(8, on_l2e, NULL);
	tb_on_item(9, on_stats, NULL);
	tb_on_item(10, on_idle, NULL);
}

bool tb_step(void)
{
	static enum { CONF, SETTLE, SEND, END } st;
	static uint64_t since;
	static bool filled, filled_once;
	uint8_t f[10000];
	size_t before[N_W];
	unsigned n;
	bool err;

	switch (st) {
	case CONF:
		if (tb_cycle() < 3000)
			break;
		configure();
		st = SETTLE;
		break;
	case SETTLE:
		if (!tb_cfg_pending() && conn_seen == conn_made && l2e_seen == l2e_made) {
			st = SEND;
			left = flood ? 600 : 150;
		}
		break;
	case SEND:
		if (flood && !filled && stored >= 40000 && !tb_pending(0)) {
			filled = true;
			since = tb_cycle();
		}
		if (filled && tb_cycle() == since + 20) {
			tb_check(pauses > 0, "%zu of %u bytes are stored and no pause was asked for", stored, STORE);
			for (int i = 1; i < 5; i++)
				tb_snk_rate(i, 100);
			filled_once = true;
		}
		if (flood && !filled_once && filled)
			break;
		while (left && tb_pending(0) < 4 && (flood ? stored < 40000 && pushed - handled < 200 : outstanding < 20000)) {
			left--;
			n = build(f, &err);
			for (unsigned i = 0; i < N_W; i++)
				before[i] = qt[i];
			expect_frame(f, n, err);
			if (qt[W_SEG] != before[W_SEG])
				outstanding += q[W_SEG][(qt[W_SEG] - 1) % QLEN].len + q[W_SEG][(qt[W_SEG] - 1) % QLEN].i.hdr_len;
			if (qt[W_L2] != before[W_L2])
				outstanding += n;
			stored += sizes[pushed++ % 4096] = n;
			tb_packet_push(0, f, n, NULL, 0, err);
		}
		if (!left && !tb_pending(0) && (idle || (flood && tb_cycle() - since > 3000 + 8 * STORE / TB_DATA_W))) {
			if (flood) {
				tb_check(qh[W_PAY] == qt[W_PAY] && qh[W_SEG] == qt[W_SEG], "the network device held up a connection");
				tb_snk_rate(5, 100);
				tb_snk_rate(6, 100);
			}
			since = tb_cycle();
			st = END;
		}
		if (left || tb_pending(0))
			since = tb_cycle();
		break;
	case END:
		if (!idle || tb_cycle() - since < 20)
			break;
		for (unsigned i = 0; i < N_W && !flood; i++)
			tb_check(qh[i] == qt[i], "round %u: %u of output %u missing", round_, qt[i] - qh[i], i);
		if (++round_ == rounds)
			return true;
		st = CONF;
		break;
	}
	return false;
}

void tb_finish(void)
{
	static const char *const names[9] = { "stored", "full", "bad", "connection", "firmware", "l2", "checksum", "address", "l2 full" };

	for (unsigned i = 0; i < 9; i++)
		tb_check(stats[i] == expect[i] || (i == 8 && flood), "counter %s: %llu, want %llu", names[i],
			 (unsigned long long)stats[i], (unsigned long long)expect[i]);
	tb_check(!collide || refused, "no bucket overflowed");
	if (flood)
		tb_check(stats[8] && stats[8] + qh[W_META] == expect[5], "L2 frames: %llu dropped, %u seen, %llu sent",
			 (unsigned long long)stats[8], qh[W_META], (unsigned long long)expect[5]);
	tb_note("%u connections made, %u found no room; frames: %llu connection, %llu firmware, %llu l2, %llu bad checksum, %llu other address, %llu bad",
		inserted, refused, (unsigned long long)stats[3], (unsigned long long)stats[4], (unsigned long long)stats[5],
		(unsigned long long)stats[6], (unsigned long long)stats[7], (unsigned long long)stats[2]);
}
