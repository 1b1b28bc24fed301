/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The judge on trial: connections that are right in every detail, made here byte by byte, must yield nothing; the same
 * with one fault, a fault for every rule, must yield that rule. Recordings of siw must yield nothing; mutated recordings
 * must not harm it (sanitizers).
 *
 *   judge clean            every shape of a right connection
 *   judge caught           a fault for every rule
 *   judge pcapng TO FILE...  the same recordings in the other format yield the same
 *   judge framing          the FPDUs of sim/peer are those made here
 *   judge fuzz FILE...     mutated recordings, for FUZZ seconds
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../sim/common/pcapng.h"
#include "../../sim/common/prng.h"
#include "../../sim/judge/judge.h"

/* ---- one connection ---- */

static struct shape {
	bool ipv6, vlan, ts, sack, no_ws, markers[2], crc, plain, p2p_read, atomic, weft;
	unsigned int rev;
} cfg;
static const char *fault = "";
static bool is(const char *name) { return !strcmp(fault, name); }

static struct judge *j;
static uint64_t now_ns;
static unsigned int frames;
static uint32_t isn[2] = { 0xfffffe00u, 0x7ffffff0u }; /* both wrap early, one past 2^32, one past 2^31 */
static uint64_t nxt[2], stream0[2], last_ack[2];      /* offsets: SYN is 0 */
static uint32_t ts_now[2], ts_echo[2];
static bool on[2];                       /* FPDUs have begun */
enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16 };

static void w16(uint8_t *p, unsigned int v) { p[0] = (uint8_t)(v >> 8); p[1] = (uint8_t)v; }
static void w32(uint8_t *p, uint32_t v) { w16(p, v >> 16); w16(p + 2, v & 0xffff); }
static void w64(uint8_t *p, uint64_t v) { w32(p, (uint32_t)(v >> 32)); w32(p + 4, (uint32_t)v); }

static uint32_t add(const uint8_t *p, size_t n, uint32_t s)
{
	for (size_t i = 0; i < n; i++)
		s += i & 1 ? p[i] : (uint32_t)p[i] << 8;
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return s;
}

struct out {
	unsigned int from, flags, wnd;
	uint64_t seq, ack;
	const uint8_t *data;
	size_t len;
	uint8_t opt[40];
	unsigned int opt_len;
	bool lost, no_ts, raw_opt;
	int32_t ts_shift, echo_shift;
};

static void option(struct out *o, const void *p, unsigned int n)
{
	memcpy(o->opt + o->opt_len, p, n);
	o->opt_len += n;
}

/* Renders and judges one frame. */
static void put(struct out *o)
{
	static uint8_t f[12000];
	uint8_t *ip, *t;
	size_t at = 12, tcp_len, n;
	unsigned int b = o->from;
	uint32_t s;

	frames++;
	now_ns += 20000;
	ts_now[b] += 1;
	if (cfg.ts && !o->no_ts && !(o->flags & RST) && !o->raw_opt) {
		uint8_t ts[12] = { 1, 1, 8, 10 };

		w32(ts + 4, ts_now[b] + (uint32_t)o->ts_shift);
		w32(ts + 8, o->flags & ACK ? ts_echo[b] + (uint32_t)o->echo_shift : 0);
		option(o, ts, 12);
	}
	while (o->opt_len % 4)
		o->opt[o->opt_len++] = is("tcp/options") && frames == 9 ? 7 : 0;
	if (is("tcp/options") && frames == 9 && !o->raw_opt) {
		uint8_t bad[4] = { 9, 40, 0, 0 };

		option(o, bad, 4);
	}
	memset(f, 0, 200);
	memcpy(f, b ? "\2\0\0\0\0\1\2\0\0\0\0\2" : "\2\0\0\0\0\2\2\0\0\0\0\1", 12);
	if (cfg.vlan) {
		w32(f + 12, 0x81002064u);
		at = 16;
	}
	w16(f + at, cfg.ipv6 ? 0x86dd : 0x0800);
	ip = f + at + 2;
	t = ip + (cfg.ipv6 ? 40 : 20);
	tcp_len = 20 + o->opt_len + o->len;
	w16(t, b ? 4420 : 40000);
	w16(t + 2, b ? 40000 : 4420);
	w32(t + 4, isn[b] + (uint32_t)o->seq);
	w32(t + 8, o->flags & ACK ? isn[!b] + (uint32_t)o->ack : 0);
	w16(t + 12, (unsigned int)(20 + o->opt_len) / 4 << 12 | o->flags);
	w16(t + 14, o->wnd);
	w32(t + 16, 0);
	memcpy(t + 20, o->opt, o->opt_len);
	if (o->len)
		memcpy(t + 20 + o->opt_len, o->data, o->len);
	if (is("tcp/reserved") && frames == 9)
		t[12] |= 4;
	if (is("tcp/header") && frames == 9)
		t[12] = 0x40;
	if (cfg.ipv6) {
		w32(ip, 0x60000000u);
		w16(ip + 4, (unsigned int)tcp_len);
		ip[6] = 6;
		ip[7] = 64;
		memcpy(ip + 8, "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 15);
		ip[23] = (uint8_t)(b + 1);
		memcpy(ip + 24, ip + 8, 15);
		ip[39] = (uint8_t)(2 - b);
		s = add(ip + 8, 32, 6 + (uint32_t)tcp_len);
	} else {
		w16(ip, 0x4500);
		w16(ip + 2, (unsigned int)(20 + tcp_len));
		w32(ip + 4, frames << 16 | (is("ip4/fragment") && frames == 9 ? 0x2000 : 0x4000));
		w32(ip + 8, 0x40060000u);
		w32(ip + 12, 0x0a000001u + b);
		w32(ip + 16, 0x0a000002u - b);
		w16(ip + 10, ~add(ip, 20, 0) & 0xffff);
		s = add(ip + 12, 8, 6 + (uint32_t)tcp_len);
	}
	w16(t + 16, ~add(t, tcp_len, s) & 0xffff);
	n = (size_t)(t - f) + tcp_len;
	if (n < 60) {
		memset(f + n, 0, 60 - n);
		if (is("eth/pad"))
			f[59] = 1;
		n = 60;
	}
	if (frames == 9) {
		if (is("ip4/checksum"))
			ip[10] ^= 1;
		if (is("ip4/header") || is("ip6/header"))
			ip[0] = 0x34;
		if (is("tcp/checksum"))
			t[16] ^= 1;
		if (is("eth/short"))
			n = at + 10;
	}
	judge_frame(j, now_ns, f, n, o->lost);
	/* RFC 7323 4.3: what is echoed is the first segment's that is not acknowledged yet. */
	if (o->flags & ACK)
		last_ack[b] = o->ack;
	if (!o->lost && (o->seq <= last_ack[!b] || o->flags & SYN))
		ts_echo[!b] = ts_now[b];
}

/* A segment of the usual kind: new data, everything acknowledged. */
static struct out seg(unsigned int from, unsigned int flags, const uint8_t *data, size_t len)
{
	return (struct out){ .from = from, .flags = flags, .wnd = cfg.no_ws ? 64000 : 2000, .seq = nxt[from], .ack = nxt[!from], .data = data, .len = len };
}
static void sent(struct out *o)
{
	put(o);
	if (o->seq + o->len + !!(o->flags & (SYN | FIN)) > nxt[o->from])
		nxt[o->from] = o->seq + o->len + !!(o->flags & (SYN | FIN));
}
static void send(unsigned int from, unsigned int flags, const uint8_t *data, size_t len)
{
	struct out o = seg(from, flags, data, len);

	sent(&o);
}
static void ack(unsigned int from) { send(from, ACK, NULL, 0); }

/* ---- FPDUs ---- */

/* A ULPDU framed at the sender's place in the stream; returns its length. */
static size_t frame(unsigned int from, uint8_t *to, const uint8_t *d, size_t n)
{
	uint8_t body[2200];
	size_t len = 2 + n, at = 0, length_at = 0;
	uint64_t place = nxt[from] - stream0[from];
	uint32_t crc;

	w16(body, (unsigned int)n);
	memcpy(body + 2, d, n);
	while (len % 4)
		body[len++] = is("mpa/pad") && n != 14 ? 1 : 0;
	for (size_t i = 0; i < len + 4; i++) {
		if (cfg.markers[from] && (place + at) % 512 == 0) {
			w32(to + at, i ? (uint32_t)(at - length_at) : 0);
			if (is("mpa/marker") && i)
				to[at + 3] += 4;
			at += 4;
		}
		if (!i)
			length_at = at;
		if (i == len) {
			crc = judge_crc32c(0, to, at);
			if (is("mpa/crc") && n > 60)
				crc ^= 0x100;
			for (unsigned int k = 0; k < 4; k++)
				to[at++] = cfg.crc ? (uint8_t)(crc >> 8 * k) : 0;
			break;
		}
		to[at++] = body[i];
	}
	return at;
}

static void fpdu(unsigned int from, const uint8_t *d, size_t n)
{
	uint8_t wire[2400];

	if (!on[from]) {
		on[from] = true;
		stream0[from] = nxt[from];
	}
	send(from, ACK | PSH, wire, frame(from, wire, d, n));
}

static size_t tagged(uint8_t *d, unsigned int op, bool last, uint32_t stag, uint64_t to, size_t len)
{
	d[0] = (uint8_t)(0x81 | (last ? 0x40 : 0));
	d[1] = (uint8_t)(0x40 | op);
	if (is("ddp/version") && op == 0 && len)
		d[0] ^= 2;
	if (is("ddp/reserved") && op == 0 && len)
		d[0] |= 4;
	if (is("rdmap/version") && op == 0 && len)
		d[1] ^= 0xc0;
	if (is("rdmap/opcode") && op == 0 && len)
		d[1] |= 15;
	w32(d + 2, stag);
	w64(d + 6, to);
	for (size_t i = 0; i < len; i++)
		d[14 + i] = (uint8_t)(i * 7 + op + to);
	return 14 + len;
}
static size_t untagged(uint8_t *d, unsigned int op, bool last, unsigned int qn, uint32_t msn, uint32_t mo, size_t len)
{
	d[0] = (uint8_t)(0x01 | (last ? 0x40 : 0));
	d[1] = (uint8_t)(0x40 | op);
	w32(d + 2, is("rdmap/reserved") && op == 3 ? 5 : 0);
	w32(d + 6, qn);
	w32(d + 10, msn);
	w32(d + 14, mo);
	for (size_t i = 0; i < len; i++)
		d[18 + i] = (uint8_t)(i * 3 + msn);
	return 18 + len;
}

static void syn_options(struct out *o, unsigned int from)
{
	bool first = from == 0;

	option(o, "\2\4\5\xb4", 4);
	if (!cfg.no_ws || (is("tcp/wscale") && !first))
		option(o, is("tcp/wscale") && first && !cfg.no_ws ? "\3\3\17\1" : "\3\3\5\1", 4);
	if (cfg.sack || (is("tcp/sack-permitted") && !first))
		option(o, "\4\2\1\1", 4);
	if ((cfg.weft && !(first && frames == 2)) || (is("tcp/weft-option") && !first)) /* the third SYN goes without it */
		option(o, first ? "\1\375\7WEFT\3" : "\1\375\7WEFT\203", 8);
	if (is("tcp/timestamp-offer") && !first)
		option(o, "\1\1\10\12\0\0\0\1\0\0\0\0", 12);
}

static void read_request(uint8_t *d, uint32_t msn, uint32_t stag, uint64_t to, uint32_t size)
{
	untagged(d, 1, !is("rdmap/read-request"), 1, msn, 0, 28);
	w32(d + 18, stag);
	w64(d + 22, to);
	w32(d + 30, size);
	w32(d + 34, 0x9900);
	w64(d + 38, 0);
}

static void mpa(void)
{
	uint8_t f[600] = "MPA ID Req Frame";
	bool enhanced = cfg.rev == 2;
	size_t n = 20 + (enhanced ? 4 : 0) + 5;

	f[16] = (uint8_t)((cfg.markers[1] ? 0x80 : 0) | (cfg.crc ? 0x40 : 0) | (enhanced ? 0x10 : 0) | (is("mpa/flags") ? 1 : 0));
	f[17] = (uint8_t)(is("mpa/revision") ? 3 : cfg.rev);
	w16(f + 18, is("mpa/private-data") ? 600 : (unsigned int)n - 20);
	if (enhanced) {
		w16(f + 20, 0x8000 | 4);                          /* IRD 4, peer-to-peer */
		w16(f + 22, (cfg.p2p_read ? 0x4000 : 0x8000) | 4); /* ORD 4 */
		if (is("mpa/rtr-bits"))
			w16(f + 20, 4);
	}
	if (is("mpa/early")) {
		uint8_t d[64], w[80];

		send(0, ACK | PSH, f, n);
		on[0] = true;
		stream0[0] = nxt[0];
		send(0, ACK | PSH, w, frame(0, w, d, tagged(d, 0, true, 0, 0, 0)));
	} else {
		/* In two pieces, the first of them in the middle of the key. */
		send(0, ACK, f, 7);
		send(0, ACK | PSH, f + 7, n - 7);
	}
	ack(1);
	memcpy(f, is("mpa/key") ? "MPA ID Ref Frame" : "MPA ID Rep Frame", 16);
	f[16] = (uint8_t)((cfg.markers[0] ? 0x80 : 0) | (cfg.crc ? 0x40 : 0) | (enhanced ? 0x10 : 0) | (is("mpa/rejected") ? 0x20 : 0));
	if (enhanced) {
		w16(f + 20, 0x8000 | (is("rdmap/ord") ? 1 : 2));
		w16(f + 22, (cfg.p2p_read ? 0x4000 : 0x8000) | (is("mpa/ird-ord") ? 9 : 4));
	}
	send(1, ACK | PSH, f, n);
	ack(0);
}

static void sack_of(struct out *o, const uint64_t (*r)[2], unsigned int n)
{
	uint8_t b[36] = { 1, 1, 5, (uint8_t)(2 + 8 * n) };

	for (unsigned int i = 0; i < n; i++) {
		w32(b + 4 + 8 * i, isn[!o->from] + (uint32_t)r[i][0]);
		w32(b + 8 + 8 * i, isn[!o->from] + (uint32_t)r[i][1]);
	}
	option(o, b, 4 + 8 * n);
}

static void life(void)
{
	uint8_t d[2200], wire[8][2400], big[1460];
	size_t n, len[8];
	uint64_t at[8], end;
	struct out o;

	frames = 0;
	nxt[0] = nxt[1] = last_ack[0] = last_ack[1] = 0;
	on[0] = on[1] = false;
	ts_now[0] = 0xfffffff0u;
	ts_now[1] = 1000;
	now_ns = 1000000000;

	/* SYN, lost twice */
	for (unsigned int i = 0; i < 3; i++) {
		nxt[0] = 0;
		o = seg(0, SYN, NULL, 0);
		o.wnd = 64000;
		syn_options(&o, 0);
		if (is("tcp/syn-again") && i == 1)
			o.opt[3] ^= 1;
		o.lost = i < 2;
		sent(&o);
		now_ns += is("tcp/rto-syn") ? 1000000000u : i ? 2000000000u : 1000000000u;
	}
	o = seg(1, SYN | ACK, NULL, 0);
	o.wnd = 64000;
	syn_options(&o, 1);
	sent(&o);
	ack(0);
	if (is("tcp/flags")) {
		o = seg(0, ACK | SYN | FIN, NULL, 0);
		put(&o);
	}
	if (cfg.plain) { /* no MPA at all */
		memset(d, 'x', 700);
		send(0, ACK, d, 700);
		ack(1);
		goto close;
	}
	mpa();

	/* The initiator's first FPDU, then traffic of every kind. */
	if (cfg.p2p_read && cfg.rev == 2) {
		read_request(d, 1, 0, 0, 0);
		fpdu(0, d, is("mpa/rtr") ? untagged(d, 3, true, 0, 1, 0, 0) : 46);
		fpdu(1, d, tagged(d, 2, true, 0, 0, 0));
	} else {
		fpdu(0, d, tagged(d, 0, true, 0, 0, is("mpa/rtr") ? 4 : 0));
	}
	ack(1);
	if (cfg.weft || is("tcp/aligned")) { /* one that is cut in two */
		unsigned int cut = is("tcp/aligned") ? 8 : 7;

		n = frame(0, wire[0], d, tagged(d, 0, true, 0x4321, 0, 100));
		at[0] = nxt[0];
		send(0, ACK, wire[0], cut);
		send(0, ACK, wire[0] + cut, n - cut);
		ack(1);
		o = seg(0, ACK, wire[0] + 16, n - 16);
		o.seq = at[0] + 16;
		if (is("back"))
			put(&o);
	}
	if (is("soon")) {
		n = frame(0, wire[0], d, tagged(d, 0, true, 0x4321, 0, 100));
		at[0] = nxt[0];
		o = seg(0, ACK | PSH, wire[0], n);
		o.lost = true;
		sent(&o);
		for (unsigned int i = 0; i < 4; i++) {
			now_ns += i == 0 ? 1000000u : 5000000u << i;
			o = seg(0, ACK | PSH, wire[0], n);
			o.seq = at[0];
			o.lost = i < 3;
			put(&o);
		}
		ack(1);
	}
	for (unsigned int i = 0; i < 3; i++) {
		fpdu(1, d, tagged(d, 0, true, 0x1234, 0x5000 + i, 61 + i));
		if (is("tcp/no-ack") && i == 1) {
			o = seg(0, PSH | FIN, NULL, 0);
			put(&o);
		}
		if (is("tcp/option-place") && i == 1) {
			o = seg(0, ACK, NULL, 0);
			option(&o, "\3\3\1\1", 4);
			put(&o);
		}
		ack(0);
	}
	/* A Send of two segments, another one. */
	fpdu(0, d, untagged(d, 3, false, is("ddp/queue") ? 1 : 0, is("ddp/msn") ? 2 : 1, 0, 500));
	if (is("ddp/mixed"))
		fpdu(0, d, untagged(d, 5, true, 0, 1, 500, 3));
	else
		fpdu(0, d, untagged(d, 3, true, 0, 1, is("ddp/mo") ? 499 : 500, 77));
	fpdu(0, d, untagged(d, 5, true, 0, 2, 0, 0));
	ack(1);
	/* Reads: two at once (the peer's IRD is 2), one more, an atomic. */
	n = cfg.p2p_read && cfg.rev == 2 ? 2 : 1;
	for (unsigned int i = 0; i < 2; i++) {
		read_request(d, (uint32_t)n++, 0x7700 + i, 0x100 * i, 40);
		fpdu(0, d, 46);
	}
	fpdu(1, d, tagged(d, 2, false, 0x7700, 0, 16));
	fpdu(1, d, tagged(d, 2, true, 0x7700, is("ddp/to") ? 17 : 16, is("rdmap/read-response") ? 23 : 24));
	fpdu(1, d, tagged(d, 2, true, 0x7701, 0x100, 40));
	fpdu(0, d, untagged(d, 10, true, 1, (uint32_t)n, 0, 52));
	untagged(d, 11, true, 3, 1, 0, 12);
	{
		uint8_t q[80];

		untagged(q, 10, true, 1, 0, 0, 52);
		(void)q;
		for (unsigned int i = 0; i < 4; i++) /* request id: bytes 4 to 7 of the request */
			d[18 + i] = (uint8_t)((4 + i) * 3 + n);
	}
	fpdu(1, d, is("rdmap/atomic") ? 31 : 30);
	fpdu(1, d, untagged(d, 8, true, 0, 1, 0, 8));
	ack(0);
	if (is("mpa/length"))
		fpdu(0, d, 10);
	if (is("tcp/mss") || is("mpa/size")) {
		n = frame(0, wire[0], d, tagged(d, 0, true, 1, 0, 1500));
		send(0, ACK, wire[0], is("tcp/mss") ? n : 1400);
		if (n > 1400 && is("mpa/size"))
			send(0, ACK, wire[0] + 1400, n - 1400);
		ack(1);
	}

	/* A Write of five segments: the second and the fourth are lost. */
	for (unsigned int i = 0; i < 5; i++) {
		at[i] = nxt[0];
		len[i] = frame(0, wire[i], d, tagged(d, 0, i == 4, 0x4321, 0x9000 + 800 * i, 800));
		o = seg(0, ACK | (i == 4 ? PSH : 0), wire[i], len[i]);
		o.lost = i == 1 || i == 3;
		sent(&o);
		if (is("tcp/seq") && i == 2)
			nxt[0] += 4;
	}
	end = nxt[0];
	/* Two SACKs: of the third, then of the fifth with the third behind it, and in front of them that the first came twice (RFC 2883 4). */
	if (cfg.sack || is("sack/unasked")) {
		uint64_t r[3][2] = { { at[2], at[3] }, { 0, 0 }, { 0, 0 } };

		if (is("sack/first")) {
			r[1][0] = at[4];
			r[1][1] = end;
		}
		if (is("sack/beyond"))
			r[0][1] = end + 100;
		if (is("sack/form"))
			r[0][1] = r[0][0];
		if (is("sack/below"))
			r[0][0] = at[0] - 4, r[0][1] = at[0], r[1][0] = at[0] - 8, r[1][1] = at[0] - 4;
		o = seg(1, ACK, NULL, 0);
		o.ack = at[1];
		sack_of(&o, r, is("sack/first") || is("sack/below") ? 2 : 1);
		o.seq = nxt[1];
		put(&o);
		r[2][0] = is("sack/overlap") ? at[2] + 4 : at[2];
		r[2][1] = at[3];
		r[1][0] = is("sack/overlap") ? at[2] : at[4];
		r[1][1] = is("sack/overlap") ? at[3] - 4 : end;
		r[0][0] = at[0];
		r[0][1] = at[1];
		o = seg(1, ACK, NULL, 0);
		o.ack = at[1];
		sack_of(&o, r, 3);
		put(&o);
	} else {
		for (unsigned int i = 0; i < 3; i++) {
			o = seg(1, ACK, NULL, 0);
			o.ack = at[1];
			put(&o);
		}
	}
	/* Both again, the first of them cut elsewhere. */
	if (is("tcp/again"))
		wire[1][100] ^= 1;
	o = seg(0, ACK, wire[1], 301);
	o.seq = at[1];
	put(&o);
	o = seg(0, ACK, wire[1] + 301, len[1] - 301);
	o.seq = at[1] + 301;
	put(&o);
	o = seg(0, ACK, wire[3], len[3]);
	o.seq = at[3];
	put(&o);
	o = seg(1, ACK, NULL, 0);
	o.echo_shift = is("tcp/timestamp-echo") ? -50 : 0;
	sent(&o);
	if (is("tcp/ack-beyond")) {
		o = seg(1, ACK, NULL, 0);
		o.ack += 50;
		put(&o);
	}
	if (is("tcp/ack-back")) {
		o = seg(1, ACK, NULL, 0);
		o.ack -= 50;
		put(&o);
	}
	if (is("tcp/timestamp-missing") || is("tcp/timestamp-back")) {
		o = seg(1, ACK, NULL, 0);
		o.no_ts = is("tcp/timestamp-missing");
		o.ts_shift = is("tcp/timestamp-back") ? -50 : 0;
		put(&o);
	}
	if (is("tcp/shrink")) {
		o = seg(1, ACK, NULL, 0);
		o.wnd = 10;
		put(&o);
	}

	/* One FPDU, and nobody answers for a while: a tail probe, then time-outs of 200, 400, 800 ms. */
	n = frame(0, wire[0], d, untagged(d, 3, true, 0, 3, 0, 100));
	at[0] = nxt[0];
	o = seg(0, ACK | PSH, wire[0], n);
	o.lost = true;
	sent(&o);
	for (unsigned int i = 0; i < 4; i++) {
		now_ns += i == 0 ? 1000000u : is("tcp/rto") ? 200000000u : 100000000u << i;
		o = seg(0, ACK | PSH, wire[0], n);
		o.seq = at[0];
		o.lost = i < 3;
		put(&o);
	}
	ack(1);

	/* Congestion window: doubles with each round, no faster. */
	if (!cfg.no_ws) {
		unsigned int rounds = 4, now = 2; /* what losses have left of it */

		for (unsigned int r = 0; r < rounds; r++, now *= 2) {
			if (is("tcp/cwnd"))
				now = 40;
			for (unsigned int i = 0; i < now; i++) {
				n = frame(0, big, d, tagged(d, 0, true, 0x4321, 0, 1360));
				send(0, ACK, big, n);
			}
			ack(1);
		}
	}
	/* Zero window: a probe of one byte is right. */
	o = seg(1, ACK, NULL, 0);
	o.wnd = 0;
	{
		/* The window closes as it fills, without moving its edge. */
		uint64_t edge = nxt[0] + 64000;
		unsigned int unit = cfg.no_ws ? 1 : 32;

		while (edge - nxt[0] >= 1400 + unit) {
			n = frame(0, big, d, tagged(d, 0, true, 0x4321, 0, 1360));
			send(0, ACK, big, n);
			o = seg(1, ACK, NULL, 0);
			o.wnd = (unsigned int)((edge - nxt[0]) / unit);
			put(&o);
		}
		n = frame(0, big, d, tagged(d, 0, true, 0x4321, 0, 1360));
		at[0] = nxt[0];
		len[0] = (size_t)(edge - nxt[0]) / unit * unit;
		if (cfg.weft)
			len[0] -= 2; /* then neither what probes nor the rest begins at a multiple of four */
		if (is("tcp/window"))
			len[0] += 100;
		send(0, ACK, big, len[0] < n ? len[0] : n);
		o = seg(1, ACK, NULL, 0);
		o.wnd = nxt[0] < edge ? (unsigned int)(edge - nxt[0]) / unit : 0;
		put(&o);
		if (nxt[0] < at[0] + n)
			send(0, ACK, big + (nxt[0] - at[0]), 1);
		ack(1);
		if (nxt[0] < at[0] + n)
			send(0, ACK, big + (nxt[0] - at[0]), n - (size_t)(nxt[0] - at[0]));
		ack(1);
	}

	/*
	 * A Write that the initiator refuses: Terminate 1/1/00 with the header, close. Or an Atomic Request, 0/1/02: with its DDP header, and
	 * without the Read Request's that only a Read Request has (RFC 7306 8.1).
	 */
	n = cfg.atomic ? untagged(d, 10, true, 1, 1, 0, 52) : tagged(d, 0, true, 0xbad, 0, 20);
	fpdu(1, d, n);
	ack(0);
	{
		uint8_t t[120];
		size_t h = cfg.atomic ? 18 : 14, l = 4 + 2 + h;

		memset(t, 0, sizeof(t));
		untagged(t, 7, true, 2, 1, 0, 0);
		t[18] = cfg.atomic ? 0x01 : 0x11;
		t[19] = is("terminate/code") ? 9 : cfg.atomic ? 2 : 0;
		t[20] = !is("terminate/form") ? 0xc0 : cfg.atomic ? 0xe0 : 0x80;
		if (is("terminate/form") && cfg.atomic)
			l += 28;
		w16(t + 22, (unsigned int)n);
		memcpy(t + 24, d, l - 6);
		if (is("terminate/header"))
			t[28]++;
		fpdu(0, t, 18 + l);
		if (is("terminate/answer")) {
			ack(1);
			fpdu(1, t, 18 + l);
		}
		if (is("terminate/after"))
			fpdu(0, d, tagged(d, 0, true, 1, 0, 4));
	}
	ack(1);
	if (is("terminate/open"))
		return;
close:
	if (is("tcp/after-rst") || is("tcp/rst-seq")) {
		o = seg(0, RST | ACK, NULL, 0);
		if (is("tcp/rst-seq"))
			o.seq -= 333;
		put(&o);
		o = seg(0, ACK, NULL, 0);
		put(&o);
		return;
	}
	if (is("mpa/cut"))
		send(0, ACK, (const uint8_t *)"\0\50abc", 5);
	send(0, FIN | ACK, NULL, 0);
	if (is("tcp/fin"))
		send(0, ACK, d, 20);
	ack(1);
	send(1, FIN | ACK, NULL, 0);
	ack(0);
}

/* ---- verdicts ---- */

static const char *wanted;
static unsigned int hits, others;
static struct judge_finding first;

static void note(void *arg, const struct judge_finding *f)
{
	(void)arg;
	if (wanted && !strcmp(f->rule, wanted)) {
		hits++;
		return;
	}
	if (!others++)
		first = *f;
}

static void run(const struct shape *c)
{
	struct judge_options o = { .report = note };

	cfg = *c;
	hits = others = 0;
	j = judge_new(&o);
	life();
	judge_end(j);
	judge_free(j);
}

static const struct shape usual = { .ts = true, .sack = true, .crc = true, .rev = 2 };

static int clean(void)
{
	int bad = 0;
	unsigned int shapes = 0;
	struct shape c_atomic;

	for (unsigned int bits = 0; bits < 2048; bits++) {
		struct shape c = { .ipv6 = bits & 1, .vlan = bits & 2, .ts = bits & 4, .sack = bits & 8, .no_ws = bits & 16,
				   .markers = { bits & 32, bits & 64 }, .crc = bits & 128, .rev = bits & 256 ? 2 : 1, .p2p_read = bits & 512, .weft = bits & 1024 };

		run(&c);
		shapes++;
		if (others && bad++ < 3)
			printf("# shape 0x%x: frame %llu %s %s: %s\n", bits, (unsigned long long)first.frame, first.rule, first.who, first.text);
	}
	run(&(struct shape){ .plain = true });
	if (others && bad++ < 3)
		printf("# plain TCP: frame %llu %s %s: %s\n", (unsigned long long)first.frame, first.rule, first.who, first.text);
	c_atomic = usual;
	c_atomic.atomic = true;
	run(&c_atomic);
	if (others && bad++ < 3)
		printf("# an atomic that is refused: frame %llu %s %s: %s\n", (unsigned long long)first.frame, first.rule, first.who, first.text);
	shapes++;
	printf("%s judge/clean %u right connections%s\n", bad ? "not ok" : "ok", shapes + 1, bad ? ": some were found at fault" : "");
	return bad != 0;
}

static int caught(void)
{
	const struct judge_rule *rules;
	int bad = 0;

	for (unsigned int i = 0, n = judge_rules(&rules); i < n; i++) {
		struct shape c = usual;

		fault = wanted = rules[i].name;
		if (is("ip6/header"))
			c.ipv6 = true;
		if (is("eth/pad"))
			c.ts = false;
		if (is("sack/unasked") || is("tcp/sack-permitted"))
			c.sack = false;
		if (is("tcp/timestamp-offer"))
			c.ts = false;
		if (is("mpa/marker"))
			c.markers[0] = true;
		if (is("tcp/aligned"))
			c.weft = true;
		run(&c);
		if (hits) {
			printf("ok judge/%s caught\n", fault);
		} else {
			printf("not ok judge/%s: not caught%s%s\n", fault, others ? ", but " : "", others ? first.rule : "");
			bad = 1;
		}
	}
	/* A shift offered only by the responder, beside one that is too large. */
	fault = wanted = "tcp/wscale";
	cfg = usual;
	{
		struct shape c = usual;

		c.no_ws = true;
		run(&c);
	}
	printf("%s judge/tcp/wscale unasked caught\n", hits ? "ok" : "not ok");
	bad |= !hits;
	/* A segment that goes back to the middle of what is known to be an FPDU, and time-outs between 4 and 200 ms towards who promised nothing. */
	fault = "back";
	wanted = "tcp/aligned";
	{
		struct shape c = usual;

		c.weft = true;
		run(&c);
	}
	printf("%s judge/tcp/aligned again caught\n", hits ? "ok" : "not ok");
	bad |= !hits;
	for (unsigned int i = 0; i < 2; i++) {
		struct shape c = usual;

		fault = "soon";
		wanted = "tcp/rto";
		c.weft = i;
		run(&c);
		printf("%s judge/tcp/rto towards %s\n", !hits == (i != 0) && !others ? "ok" : "not ok", i ? "a Weft let pass" : "a stranger caught");
		bad |= !hits != (i != 0) || others;
	}
	/* A Terminate of an Atomic Request with R, and 28 bytes of it. */
	fault = wanted = "terminate/form";
	{
		struct shape c = usual;

		c.atomic = true;
		run(&c);
	}
	printf("%s judge/terminate/form atomic caught\n", hits ? "ok" : "not ok");
	fault = "";
	wanted = NULL;
	return bad || !hits;
}

/* ---- recordings ---- */

static uint8_t *load(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	static uint8_t buf[4 << 20];

	if (!f || !(*n = fread(buf, 1, sizeof(buf), f)))
		{
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(2);
	}
	fclose(f);
	return buf;
}

/* ---- the peer of sim/peer ---- */

struct fpdu_bend;
size_t fpdu_bytes(uint8_t *to, const uint8_t *ulpdu, size_t n, bool crc, bool markers, uint64_t at, const struct fpdu_bend *b);

/* Two programs that were written apart, and the judge's reading of one of them, agree on every byte. */
static int framing(void)
{
	static uint8_t a[4000], b[4000], d[2100];
	unsigned int bad = 0, count = 0;
	struct prng r;

	prng_seed(&r, 9);
	for (unsigned int i = 0; i < 40000; i++, count++) {
		size_t n = 14 + prng_below(&r, i & 1 ? 600 : 2000), x, y;

		cfg = (struct shape){ .markers = { i & 2 }, .crc = i & 4 };
		for (size_t k = 0; k < n; k++)
			d[k] = (uint8_t)prng_next(&r);
		stream0[0] = 1;
		nxt[0] = 1 + 4 * prng_below(&r, 5000);
		x = frame(0, a, d, n);
		y = fpdu_bytes(b, d, n, cfg.crc, cfg.markers[0], nxt[0] - 1, NULL);
		bad += x != y || memcmp(a, b, x);
	}
	printf("%s judge/framing %u FPDUs with and without markers\n", bad ? "not ok" : "ok", count);
	/* RFC 5044 figures 5 and 6: Sends of 24 zeros, at the start of the stream and behind 492 octets. */
	for (unsigned int i = 0; i < 2; i++) {
		static const char sums[2][5] = { "\x52\x23\x99\x83", "\x84\x92\x58\x98" };
		size_t x, y;

		cfg = (struct shape){ .markers = { true }, .crc = true };
		memset(d, 0, 64);
		w16(d, 0x4143);
		d[13] = (uint8_t)(i + 1);
		stream0[0] = 0;
		nxt[0] = i ? 492 : 0;
		x = frame(0, a, d, 42);
		y = fpdu_bytes(b, d, 42, true, true, nxt[0], NULL);
		if (x != 52 || y != 52 || memcmp(a + 48, sums[i], 4) || memcmp(b + 48, sums[i], 4))
			bad = printf("not ok judge/figure %u of RFC 5044\n", 5 + i) > 0;
		else
			printf("ok judge/figure %u of RFC 5044\n", 5 + i);
	}
	return bad != 0;
}

static void copy_frame(void *arg, uint64_t ns, const uint8_t *f, size_t len, const char *comment)
{
	(void)comment;
	pcapng_frame(arg, 0, ns, f, len, "a comment");
}

static int pcapng(const char *to, char **files, int count)
{
	int bad = 0;

	for (int i = 0; i < count; i++) {
		struct judge_options o = { .report = note };
		struct judge_capture c = { .frame = copy_frame };
		struct judge_stats a, b;
		const char *error = NULL;
		size_t n;
		uint8_t *p = load(files[i], &n);

		judge_file(&o, p, n, 1, NULL, NULL, &a);
		c.arg = pcapng_open(to, "somebody");
		if (!c.arg)
			return 2;
		pcapng_interface(c.arg, "x");
		error = judge_read(&c, p, n);
		pcapng_close(c.arg);
		p = load(to, &n);
		if (!error)
			error = judge_file(&o, p, n, -1, NULL, NULL, &b);
		if (error || memcmp(&a, &b, sizeof(a)) || !a.findings || !a.fpdus)
			bad = printf("# %s: %s\n", files[i], error ? error : "another result");
	}
	printf("%s judge/pcapng %d recordings in the other format%s\n", bad ? "not ok" : "ok", count, bad ? ": other results" : "");
	return bad != 0;
}

static int fuzz(char **files, int count)
{
	double seconds = getenv("FUZZ") ? atof(getenv("FUZZ")) : 5;
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : (uint64_t)time(NULL), runs = 0, found = 0;
	struct timespec t0, t;
	struct prng r;

	printf("# seed %llu\n", (unsigned long long)seed);
	fflush(stdout);
	prng_seed(&r, seed);
	clock_gettime(CLOCK_MONOTONIC, &t0);
	do {
		size_t n;
		const uint8_t *orig = load(files[prng_below(&r, (uint64_t)count)], &n);
		uint8_t *copy = malloc(n); /* of just this size: reading past it is seen */
		struct judge_options o = { .report = note, .profile = (enum judge_profile)prng_below(&r, 4) };
		struct judge_stats s;
		unsigned int edits = 1 + (unsigned int)prng_below(&r, 200);
		bool quiet = prng_below(&r, 2);

		memcpy(copy, orig, n);
		for (unsigned int i = 0; i < edits; i++) {
			size_t at = prng_below(&r, n), len = 1 + prng_below(&r, 64);

			if (quiet && at < 60)
				continue;
			switch (prng_below(&r, 4)) {
			case 0: copy[at] ^= (uint8_t)(1u << prng_below(&r, 8)); break;
			case 1: copy[at] = (uint8_t)prng_next(&r); break;
			case 2:
				if (at + len <= n && len < n)
					memmove(copy + at, copy + prng_below(&r, n - len), len);
				break;
			default: copy[at] = prng_below(&r, 2) ? 0xff : 0; break;
			}
		}
		if (prng_below(&r, 4) == 0)
			n = 1 + prng_below(&r, n);
		copy = realloc(copy, n);
		judge_file(&o, copy, n, (int)prng_below(&r, 3) - 1, NULL, NULL, &s);
		found += s.findings;
		free(copy);
		runs++;
		clock_gettime(CLOCK_MONOTONIC, &t);
	} while ((double)(t.tv_sec - t0.tv_sec) + (double)(t.tv_nsec - t0.tv_nsec) / 1e9 < seconds);
	printf("ok judge/fuzz %llu mutated recordings, %llu findings\n", (unsigned long long)runs, (unsigned long long)found);
	return found == 0;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1 && !strcmp(argv[1], "clean"))
		return clean();
	if (argc > 1 && !strcmp(argv[1], "caught"))
		return caught();
	if (argc > 2 && !strcmp(argv[1], "fuzz"))
		return fuzz(argv + 2, argc - 2);
	if (argc > 1 && !strcmp(argv[1], "framing"))
		return framing();
	if (argc > 3 && !strcmp(argv[1], "pcapng"))
		return pcapng(argv[2], argv + 3, argc - 3);
	fprintf(stderr, "judge clean | caught | fuzz FILE...\n");
	return 2;
}
