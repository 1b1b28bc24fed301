// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "peer.h"

static unsigned rd(const uint8_t *p, int n)
{
	unsigned v = 0;

	while (n--) v = v << 8 | *p++;
	return v;
}
static void wr(uint8_t *p, int n, unsigned v)
{
	while (n--) {
		p[n] = (uint8_t)v;
		v >>= 8;
	}
}

/* RFC 1071, byte by byte: even bytes are the high halves. */
static unsigned sum(const uint8_t *p, unsigned n, unsigned long s)
{
	for (unsigned i = 0; i < n; i++) s += i & 1 ? p[i] : (unsigned)p[i] << 8;
	while (s >> 16) s = (s & 0xffff) + (s >> 16);
	return (unsigned)s;
}

const char *pkt_parse(struct pkt *p, const uint8_t *f, unsigned len)
{
	const uint8_t *ip = f + 14, *t;
	unsigned total, ihl, thl, pseudo;

	memset(p, 0, sizeof(*p));
	p->wscale = -1;
	p->weft = -1;
	if (len < 60) return "shorter than a frame may be";
	memcpy(p->dmac, f, 6);
	memcpy(p->smac, f + 6, 6);
	p->ipv6 = rd(f + 12, 2) == 0x86dd;
	if (p->ipv6) { /* RFC 8200 3 */
		ihl = 40;
		total = 40 + rd(ip + 4, 2);
		if (ip[0] >> 4 != 6 || total < 60 || 14 + total > len) return "IPv6 version or length";
		if (len != 14 + total) return "bytes behind the packet";
		if (ip[6] != 6) return "not TCP";
		p->flow = rd(ip, 4) & 0xfffff;
		p->ttl = ip[7];
		memcpy(p->src, ip + 8, 16);
		memcpy(p->dst, ip + 24, 16);
		pseudo = sum(ip + 8, 32, 6 + total - 40);
		goto tcp;
	}
	if (rd(f + 12, 2) != 0x0800) return "not IP";
	ihl = (ip[0] & 15) * 4;
	total = rd(ip + 2, 2);
	if (ip[0] >> 4 != 4 || ihl < 20) return "IP version or header length";
	if (total < ihl + 20 || 14 + total > len) return "IP total length";
	if (len != (14 + total < 60 ? 60 : 14 + total)) return "bytes behind the packet";
	for (unsigned i = 14 + total; i < len; i++)
		if (f[i]) return "padding is not zero";
	if (sum(ip, ihl, 0) != 0xffff) return "IP checksum";
	if (rd(ip + 6, 2) & 0x3fff) return "a fragment";
	if (ip[9] != 6) return "not TCP";
	p->ttl = ip[8];
	memcpy(p->src, ip + 12, 4);
	memcpy(p->dst, ip + 16, 4);
	pseudo = sum(ip + 12, 8, 6 + total - ihl);
tcp:
	t = ip + ihl;
	thl = (unsigned)(t[12] >> 4) * 4;
	if (thl < 20 || ihl + thl > total) return "TCP header length";
	if (sum(t, total - ihl, pseudo) != 0xffff) return "TCP checksum";
	p->sport = (uint16_t)rd(t, 2);
	p->dport = (uint16_t)rd(t + 2, 2);
	p->seq = rd(t + 4, 4);
	p->ack = rd(t + 8, 4);
	p->flags = t[13];
	p->wnd = (uint16_t)rd(t + 14, 2);
	for (unsigned i = 20; i < thl;) {
		unsigned kind = t[i], l = kind < 2 ? 1 : i + 1 < thl ? t[i + 1] : 0;

		if (!kind) break;
		if (!l || i + l > thl) return "TCP option";
		if (kind == 2) {
			if (l != 4) return "MSS option";
			p->mss = (uint16_t)rd(t + i + 2, 2);
		}
		if (kind == 3) {
			if (l != 3) return "window scale option";
			p->wscale = t[i + 2];
		}
		if (kind == 4) {
			if (l != 2) return "SACK-permitted option";
			p->sack = true;
		}
		if (kind == 8) {
			if (l != 10 || p->ts) return "timestamp option";
			p->ts = true;
			p->tsval = rd(t + i + 2, 4);
			p->tsecr = rd(t + i + 6, 4);
		}
		if (kind == 253) { /* RFC 6994: magic number of 32 bits */
			if (l != 7 || memcmp(t + i + 2, "WEFT", 4) || p->weft >= 0) return "experimental option";
			p->weft = t[i + 6];
		}
		i += l;
	}
	if ((p->mss || p->wscale >= 0 || p->sack || p->weft >= 0) && !(p->flags & P_SYN)) return "options of a SYN without one";
	p->len = total - ihl - thl;
	if (p->len > sizeof(p->data)) return "longer than anything firmware sends";
	memcpy(p->data, t + thl, p->len);
	return NULL;
}

unsigned pkt_build(uint8_t *f, const struct pkt *p)
{
	uint8_t *ip = f + 14, *t = ip + (p->ipv6 ? 40 : 20);
	unsigned thl = 20 + (p->mss ? 4 : 0) + p->opt_len + (p->wscale >= 0 ? 4 : 0), n = thl + p->len;

	memset(f, 0, 60);
	memcpy(f, p->dmac, 6);
	memcpy(f + 6, p->smac, 6);
	if (p->ipv6) {
		wr(f + 12, 2, 0x86dd);
		ip[0] = 0x60;
		wr(ip + 1, 3, p->flow);
		wr(ip + 4, 2, n);
		ip[6] = 6;
		ip[7] = 64;
		memcpy(ip + 8, p->src, 16);
		memcpy(ip + 24, p->dst, 16);
		goto tcp;
	}
	wr(f + 12, 2, 0x0800);
	ip[0] = 0x45;
	wr(ip + 2, 2, 20 + n);
	ip[8] = 64;
	ip[9] = 6;
	memcpy(ip + 12, p->src, 4);
	memcpy(ip + 16, p->dst, 4);
	wr(ip + 10, 2, ~sum(ip, 20, 0));
tcp:
	memset(t, 0, thl);
	wr(t, 2, p->sport);
	wr(t + 2, 2, p->dport);
	wr(t + 4, 4, p->seq);
	wr(t + 8, 4, p->ack);
	t[12] = (uint8_t)(thl / 4 << 4);
	t[13] = p->flags;
	wr(t + 14, 2, p->wnd);
	if (p->mss) wr(t + 20, 4, 0x02040000 | p->mss);
	memcpy(t + 20 + (p->mss ? 4 : 0), p->opt, p->opt_len);
	if (p->wscale >= 0) wr(t + thl - 4, 4, 0x01030300u | (unsigned)p->wscale);
	memcpy(t + thl, p->data, p->len);
	wr(t + 16, 2, ~sum(t, n, p->ipv6 ? sum(ip + 8, 32, 6 + n) : sum(ip + 12, 8, 6 + n)));
	n += (unsigned)(t - f);
	return n < 60 ? 60 : n;
}

/* RFC 5044 7.1.1: key, M C R (and S, RFC 6581) in byte 16, revision, length; RFC 6581 9: IRD with A B, ORD with C D. */
unsigned mpa_frame_parse(const uint8_t *p, unsigned len, bool reply, struct mpa_frame *m)
{
	unsigned n;

	memset(m, 0, sizeof(*m));
	if (len < 20 || memcmp(p, reply ? "MPA ID Rep Frame" : "MPA ID Req Frame", 16)) return 0;
	m->reply = reply;
	m->markers = p[16] >> 7 & 1;
	m->crc = p[16] >> 6 & 1;
	m->reject = p[16] >> 5 & 1;
	m->enhanced = p[16] >> 4 & 1;
	m->rev = p[17];
	n = rd(p + 18, 2);
	if (p[16] & 15 || n > 512 || 20 + n > len || m->rev < 1 || m->rev > 2 || (m->enhanced && (m->rev < 2 || n < 4))) return 0;
	m->pd = p + 20;
	m->pd_len = n;
	if (m->enhanced) {
		m->p2p = p[20] >> 7;
		m->rtr_send = p[20] >> 6 & 1;
		m->ird = rd(p + 20, 2) & 0x3fff;
		m->rtr_write = p[22] >> 7;
		m->rtr_read = p[22] >> 6 & 1;
		m->ord = rd(p + 22, 2) & 0x3fff;
		m->pd += 4;
		m->pd_len -= 4;
	}
	return 20 + n;
}

unsigned mpa_frame_build(uint8_t *p, const struct mpa_frame *m)
{
	unsigned n = m->pd_len + (m->enhanced ? 4 : 0);

	memcpy(p, m->reply ? "MPA ID Rep Frame" : "MPA ID Req Frame", 16);
	p[16] = (uint8_t)(m->markers << 7 | m->crc << 6 | m->reject << 5 | m->enhanced << 4);
	p[17] = (uint8_t)m->rev;
	wr(p + 18, 2, n);
	if (m->enhanced) {
		wr(p + 20, 2, (unsigned)m->p2p << 15 | (unsigned)m->rtr_send << 14 | m->ird);
		wr(p + 22, 2, (unsigned)m->rtr_write << 15 | (unsigned)m->rtr_read << 14 | m->ord);
	}
	if (m->pd_len) memmove(p + 20 + (m->enhanced ? 4 : 0), m->pd, m->pd_len);
	return 20 + n;
}
