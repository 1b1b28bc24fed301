// SPDX-License-Identifier: BSD-2-Clause
#include "net.h"
#include "fw.h"

/* Ones' complement sum of halfwords as they lie in memory; the checksum comes out in wire order by itself. p is even. */
static inline __attribute__((always_inline)) uint32_t sum16(const void *p, unsigned len, uint32_t s)
{
	const uint16_t *h = p;

	for (; len >= 8; len -= 8, h += 4) s += (uint32_t)h[0] + h[1] + h[2] + h[3];
	for (; len >= 2; len -= 2) s += *h++;
	if (len) s += *(const uint8_t *)h;
	return s;
}
static inline __attribute__((always_inline)) uint16_t fold(uint32_t s)
{
	s = (s & 0xffff) + (s >> 16);
	return (uint16_t)(s + (s >> 16));
}
static inline __attribute__((always_inline)) uint32_t swap16(uint32_t v) { return (v >> 8 & 0xff) | (v & 0xff) << 8; }

static void timestamp(const uint8_t *o, struct seg *s)
{
	s->ts = true;
	s->tsval = be32(o + 2);
	s->tsecr = be32(o + 6);
}

/* An answer says so, and what comes twice counts for nothing. */
FAST __attribute__((noinline)) unsigned net_weft(const uint8_t *o, bool ack, unsigned had)
{
	if (o[1] != OPT_WEFT_BYTES || be32(o + 2) != OPT_WEFT_EXID) return had; /* others use the kind as well (RFC 6994 3) */
	return had || !(o[6] & OPT_WEFT_ANSWER) == ack ? OPT_WEFT_NOT : OPT_WEFT_HAS | (o[6] & OPT_WEFT_FLAGS);
}

/* Of an option that comes more than once the last counts; one of another length than its own is let by. */
static inline __attribute__((always_inline)) bool options(const uint8_t *o, unsigned n, struct seg *s)
{
	if (n == TS_BYTES && o[0] == 1 && o[1] == 1 && o[2] == 8 && o[3] == 10) { /* what nearly all look like */
		timestamp(o + 2, s);
		return true;
	}
	while (n) {
		unsigned l;

		if (o[0] == 0) break;
		if (o[0] == 1) { o++; n--; continue; }
		if (n < 2 || o[1] < 2 || o[1] > n) return false; /* illegal length: the segment is dropped (MUST-7) */
		l = o[1];
		if (o[0] == 2 && l == 4) s->mss = be16(o + 2);
		if (o[0] == 3 && l == 3) s->wscale = o[2] > 14 ? 14 : (int8_t)o[2];
		if (o[0] == 4 && l == 2) s->sack = true;
		if (o[0] == 8 && l == 10) timestamp(o, s);
		if (o[0] == OPT_WEFT_KIND) s->weft = (uint8_t)net_weft(o, s->flags & TCP_ACK, s->weft);
		o += l;
		n -= l;
	}
	return true;
}

/* Not an address of one host that a connection may have: multicast, link-local (the host's: it takes a zone to answer), ::, ::1, mapped IPv4. */
static bool strange(const uint8_t *a)
{
	const uint16_t *h = (const uint16_t *)a;

	return a[0] == 0xff || (a[0] == 0xfe && (a[1] & 0xc0) == 0x80) || !(h[0] | h[1] | h[2] | h[3] | h[4]);
}

/* Addresses in a frame lie on halfwords. */
static inline __attribute__((always_inline)) void copy_half(void *to, const void *from, unsigned halfwords)
{
	for (unsigned i = 0; i < halfwords; i++) ((uint16_t *)to)[i] = ((const uint16_t *)from)[i];
}

FAST bool net_parse(const uint8_t *f, unsigned len, unsigned have, struct seg *s)
{
	unsigned at = 14, alen, ip_len, hl, tcp_len;
	const uint8_t *ip, *t, *src, *dst;
	struct path *p = &s->path;
	uint32_t *mac = (uint32_t *)p->dmac; /* and smac behind it */
	const uint32_t *w;

	memset(s, 0, sizeof(*s));
	if (have > len) have = len;
	if (have < 14 || ((f[0] | f[6]) & 1)) return false; /* nobody answers a group */
	w = (const uint32_t *)f; /* those of an answer */
	mac[0] = w[1] >> 16 | w[2] << 16;
	mac[1] = w[2] >> 16 | w[0] << 16;
	mac[2] = w[0] >> 16 | w[1] << 16;
	if (be16(f + 12) == 0x8100) {
		if (have < 18) return false;
		p->vlan = true;
		p->tci = be16(f + 14);
		at = 18;
	}
	ip = f + at;
	if (be16(ip - 2) == 0x0800) {
		if (have < at + 20 || ip[0] >> 4 != 4) return false;
		hl = (ip[0] & 15) * 4u;
		ip_len = be16(ip + 2);
		if (hl < 20 || ip_len < hl || have < at + hl || len < at + ip_len) return false;
		if ((be16(ip + 6) & 0x3fff) || ip[9] != 6) return false;
		src = ip + 12;
		dst = ip + 16;
		alen = 4;
		p->tos = ip[1] & 0xfc;
		if (src[0] >= 224 || dst[0] >= 224 || src[0] == 0 || src[0] == 127 || dst[0] == 0 || dst[0] == 127) return false;
		tcp_len = ip_len - hl;
		t = ip + hl;
	} else if (be16(ip - 2) == 0x86dd) {
		if (have < at + 40 || ip[0] >> 4 != 6 || ip[6] != 6) return false;
		tcp_len = be16(ip + 4);
		if (len < at + 40 + tcp_len) return false;
		src = ip + 8;
		dst = ip + 24;
		alen = 16;
		p->ipv6 = true;
		p->tos = (uint8_t)((ip[0] << 4 | ip[1] >> 4) & 0xfc);
		if (strange(src) || strange(dst)) return false;
		t = ip + 40;
	} else {
		return false;
	}
	have -= (unsigned)(t - f);
	if (tcp_len < 20 || have < 20) return false;
	hl = (t[12] >> 4) * 4u;
	if (hl < 20 || hl > tcp_len || hl > have) return false;
	if (have > tcp_len) have = tcp_len;
	copy_half(p->peer, src, alen / 2);
	copy_half(p->local, dst, alen / 2);
	p->pport = be16(t);
	p->lport = be16(t + 2);
	s->seq = be32(t + 4);
	s->ack = be32(t + 8);
	s->flags = t[13];
	s->wnd = be16(t + 14);
	s->wscale = -1;
	s->data = t + hl;
	s->len = (uint16_t)(tcp_len - hl);
	s->have = (uint16_t)(have - hl);
	return options(t + 20, hl - 20, s);
}

FAST void net_send(const struct path *p, const struct tx *x)
{
	static uint32_t buf[(18 + 40 + 20 + TS_BYTES + 600 + 7) / 4];
	/* Shifted by two bytes the IP header would be aligned; the frame must start on a word instead. */
	uint8_t *f = (uint8_t *)buf, *ip, *t;
	unsigned at = 12, opt = 0, alen = p->ipv6 ? 16 : 4, tcp_len, total;
	const uint32_t *mac = (const uint32_t *)p->dmac; /* both, one behind the other */
	uint32_t addr = sum16(p->local, alen, sum16(p->peer, alen, 0));
	uint16_t c;

	hw_frame_end(); /* the one before */
	buf[0] = mac[0];
	buf[1] = mac[1];
	buf[2] = mac[2];
	buf[13] = buf[14] = 0; /* of the shortest, 54 bytes */
	if (p->vlan) {
		put16(f + 12, 0x8100);
		put16(f + 14, p->tci);
		at = 16;
	}
	put16(f + at, p->ipv6 ? 0x86dd : 0x0800);
	ip = f + at + 2;
	t = ip + (p->ipv6 ? 40 : 20);
	if (x->ts) { /* SACK-permitted in the place of two NOPs */
		put32(t + 20, (x->flags & TCP_SYN) && x->sack ? 0x0402080au : 0x0101080au);
		put32(t + 24, x->tsval);
		put32(t + 28, x->tsecr);
		opt = TS_BYTES;
	}
	if (x->flags & TCP_SYN) {
		if (x->sack && !x->ts) {
			put32(t + 20, 0x01010402u);
			opt = 4;
		}
		if (x->mss) {
			put32(t + 20 + opt, 0x02040000u | x->mss);
			opt += 4;
		}
		if (x->wscale >= 0) {
			put32(t + 20 + opt, 0x01030300u | (uint32_t)x->wscale);
			opt += 4;
		}
		if (x->weft) {
			put32(t + 20 + opt, 1u << 24 | OPT_WEFT_KIND << 16 | OPT_WEFT_BYTES << 8 | OPT_WEFT_EXID >> 24);
			put32(t + 24 + opt, OPT_WEFT_EXID << 8 | OPT_WEFT_OURS | (x->flags & TCP_ACK ? OPT_WEFT_ANSWER : 0));
			opt += OPT_WEFT_SPACE;
		}
	}
	tcp_len = 20 + opt + x->len;
	put16(t, p->lport);
	put16(t + 2, p->pport);
	put32(t + 4, x->seq);
	put32(t + 8, x->ack);
	t[12] = (uint8_t)((20 + opt) / 4 << 4);
	t[13] = x->flags;
	put16(t + 14, x->wnd);
	put32(t + 16, 0);
	if (x->len) memcpy(t + 20 + opt, x->data, x->len);
	if (p->ipv6) {
		put32(ip, 0x60000000u | (uint32_t)p->tos << 20);
		put16(ip + 4, tcp_len);
		ip[6] = 6;
		ip[7] = 64;
		copy_half(ip + 8, p->local, 8);
		copy_half(ip + 24, p->peer, 8);
	} else {
		put16(ip, 0x4500u | p->tos);
		put16(ip + 2, 20 + tcp_len);
		put32(ip + 4, 0x00004000u); /* DF */
		put32(ip + 8, 0x40060000u);
		copy_half(ip + 12, p->local, 2);
		copy_half(ip + 16, p->peer, 2);
		c = (uint16_t)~fold(addr + swap16(0x4500u | p->tos) + swap16(20 + tcp_len) + swap16(0x4000) + swap16(0x4006));
		*(uint16_t *)(ip + 10) = c;
	}
	c = (uint16_t)~fold(sum16(t, tcp_len, addr + swap16(6) + swap16(tcp_len)));
	*(uint16_t *)(t + 16) = c;
	total = (unsigned)(t - f) + tcp_len;
	hw_frame_begin(buf, total < 60 ? 60 : total);
}

void net_reset(const struct seg *s)
{
	struct tx x = { .flags = TCP_RST, .wscale = -1 };

	if (s->flags & TCP_RST) return;
	if (s->flags & TCP_ACK) {
		x.seq = s->ack;
	} else {
		x.flags = TCP_RST | TCP_ACK;
		x.ack = s->seq + s->len + !!(s->flags & TCP_SYN) + !!(s->flags & TCP_FIN);
	}
	net_send(&s->path, &x);
}
