// SPDX-License-Identifier: BSD-2-Clause
/*
 * Room eth of the data path, receive. Frames of every kind, parsed again here (RFC 791, 8200, 9293, 7323, 2018, 3168, 802.1Q); the
 * hash and who is a candidate are computed from the contracts of weft_eth_hash and weft_eth_table; ctx answers home, coming,
 * busy or none and lets connections arrive after 1 to 500 cycles, or never; tcp gives back what is not its connection's. Firmware
 * changes the table meanwhile. Each frame must come out once, with every field, in the order of its connection, or be counted.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { RX, ARRIVE, RESUMED, SEG, FALSE_, RD, DATA, FREE0, FREE1, FW, META, L2, STATE, PARKED };
enum { S_FRAME, S_RDMA, S_FW, S_L2, S_NOBODY, S_LOST, S_BAD, S_ADDR, S_CSUM, S_FULL, S_PARK, S_FALSE, S_PARKED, S_BUSY, S_SLOW, S_MOVE, S_SKIP, N_STAT };
#ifndef N_QP
#define N_QP 64
#endif
#ifndef SIG_W
#define SIG_W 3
#endif
#define SLOTS 24
#define MISSES 8
#define FRAME_MAX 9022
#define MAXF 30000
#define HALF (N_QP * 5 / 32)
#define SEG_BITS 815
#define SEG_BYTES 102

/* ---------------------------------------------------------------- frames */
enum cls { C_BAD, C_ADDR, C_TCP, C_OTHER };
struct info {
	bool ip, ipv6, ip_ok, l4_ok, tcp, udp, vlan, mcast, bcast, ts;
	uint16_t tci, sport, dport, wnd, flags;
	uint32_t seq, ack, ts_val, ts_ecr, sack[8];
	unsigned hdr_len, pay_len, ecn, n_sack;
	uint8_t sa[16], da[16];
};
struct frame {
	uint8_t *d;
	unsigned len;
	struct info i;
	enum cls cls;
	bool done, last_no_body, skipped, besieger;
	uint64_t pushed, ended;
	unsigned n_tried, tried[24], handle, backs;
	uint32_t sig, at;
};
static struct frame fr[MAXF];
static unsigned n_fr, oldest, total, outstanding, others; /* others: of those, not a besieger's */

static uint8_t mac[6];
static bool promisc, allmulti, ports[65536];
static uint32_t hkey[2];

static unsigned be16(const uint8_t *p) { return (unsigned)(p[0] << 8 | p[1]); }
static uint32_t be32(const uint8_t *p) { return (uint32_t)be16(p) << 16 | be16(p + 2); }
static uint32_t rol(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

static void options(struct info *i, const uint8_t *o, unsigned n)
{
	unsigned p = 0;

	for (unsigned step = 0; p < n && step < 8; step++) {
		if (o[p] == 0)
			return;
		if (o[p] == 1) {
			for (unsigned k = 0; k < 4 && p < n && o[p] == 1; k++)
				p++;
			continue;
		}
		if (n - p < 2 || o[p + 1] < 2 || o[p + 1] > n - p)
			return;
		if (o[p] == 8 && o[p + 1] == 10 && !i->ts) {
			i->ts = true;
			i->ts_val = be32(o + p + 2);
			i->ts_ecr = be32(o + p + 6);
		}
		if (o[p] == 5 && o[p + 1] >= 10 && o[p + 1] <= 34 && (o[p + 1] - 2) % 8 == 0 && !i->n_sack) {
			i->n_sack = (o[p + 1] - 2) / 8;
			for (unsigned k = 0; k < 2 * i->n_sack; k++)
				i->sack[k] = be32(o + p + 2 + 4 * k);
		}
		p += o[p + 1];
	}
}

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
	/* what receive scaling goes by: any whole IPv4 packet, with options or a fragment too (RFC 791 3.1) */
	if (type == 0x0800 && n >= l3 + 20 && p[0] >> 4 == 4 && (p[0] & 15) >= 5 && be16(p + 2) >= (p[0] & 15) * 4u && l3 + be16(p + 2) <= n) {
		i.ip = true;
		memcpy(i.sa, p + 12, 4);
		memcpy(i.da, p + 16, 4);
	}
	if (type == 0x0800 && n >= l3 + 20 && p[0] == 0x45) {
		iplen = be16(p + 2);
		if (iplen < 20 || l3 + iplen > n || (be16(p + 6) & 0x3fff))
			return i;
		proto = p[9];
		l4 = l3 + 20;
		l4len = iplen - 20;
		i.ip_ok = tb_csum(0, p, 20) == 0xffff;
		i.ecn = p[1] & 3;
		sum = tb_csum(0, p + 12, 8);
	} else if (type == 0x86dd && n >= l3 + 40 && p[0] >> 4 == 6) {
		iplen = be16(p + 4);
		if (l3 + 40 + iplen > n)
			return i;
		i.ipv6 = i.ip = true;
		proto = p[6];
		l4 = l3 + 40;
		l4len = iplen;
		memcpy(i.sa, p + 8, 16);
		memcpy(i.da, p + 24, 16);
		i.ip_ok = true;
		i.ecn = be32(p) >> 20 & 3;
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
		options(&i, p + 20, (p[12] >> 4) * 4u - 20);
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

/* ---------------------------------------------------------------- hash, table: weft_eth_hash, weft_eth_table */
static void sip_round(uint32_t *v)
{
	v[0] += v[1], v[1] = rol(v[1], 5) ^ v[0], v[0] = rol(v[0], 16);
	v[2] += v[3], v[3] = rol(v[3], 8) ^ v[2];
	v[0] += v[3], v[3] = rol(v[3], 7) ^ v[0];
	v[2] += v[1], v[1] = rol(v[1], 13) ^ v[2], v[2] = rol(v[2], 16);
}

static void absorb(uint32_t *v, uint32_t w)
{
	v[3] ^= w;
	sip_round(v);
	v[0] ^= w;
}

static void hash(bool v6, const uint8_t *la, const uint8_t *pa, unsigned lp, unsigned pp, uint32_t *sig, uint32_t *at)
{
	uint32_t k0 = hkey[0], k1 = hkey[1], w;
	uint32_t l[4] = { k0, k1, 0x6c796765 ^ k0, 0x74656462 ^ k1 }, p[4] = { k1, k0, 0x6c796765 ^ k1 ^ 0xdd, 0x74656462 ^ k0 };
	uint64_t h;

	for (unsigned i = 0; i < 4; i++) {
		memcpy(&w, la + 4 * i, 4);
		absorb(l, w);
		memcpy(&w, pa + 4 * i, 4);
		absorb(p, w);
	}
	for (unsigned i = 0; i < 4; i++)
		l[i] ^= p[i];
	l[1] ^= v6;
	absorb(l, lp << 16 | pp);
	l[2] ^= 0xff;
	for (unsigned i = 0; i < 3; i++)
		sip_round(l);
	h = (uint64_t)(l[1] ^ l[3]) << 32 | (l[0] ^ l[2]);
	*at = (uint32_t)((h & 0xffffff) * HALF >> 24);
	*sig = h >> 24 & ((1u << SIG_W) - 1);
}

/* An entry: perhaps there from..till, surely there sure..until. */
struct entry { unsigned q; uint32_t sig, at; uint64_t from, sure, until, till; };
static struct entry en[8192];
static unsigned n_en;
#define NEVER UINT64_MAX

/* ---------------------------------------------------------------- connections, ctx */
enum { NONE, AWAY, COMING, HOME, RESUMING };
static struct conn {
	bool v6, in_table;
	uint8_t la[16], pa[16];
	uint16_t lp, pp;
	struct entry *e;
	int state;
	unsigned slot, miss, pins, parked;
	uint64_t none_at, none_till; /* when it was last `none` */
	unsigned next; /* frames come in order */
} conn[N_QP];
static struct { bool used, arrived, lost, frames; unsigned q; uint64_t at; } miss[MISSES];
static bool slot_used[SLOTS];
static unsigned slot_next;
static struct have { unsigned q, slot; } haves[MAXF * 4];
static unsigned hv_t, hv_h, homes, comings, busies, nones, resumes;
static uint64_t stats[N_STAT];
static bool flood, fill, speed, idle, ready, pause_, always_home;
/* A siege: connections with even numbers are away and cannot be fetched, those with odd ones are home. */
static bool siege, relief;
static unsigned pause_run, pause_longest, park_most;
#define PARK_EACH 16 /* of weft_eth_in; one more may slip in, and eight are on their way out */
static uint64_t besieged_at;
#define PATIENCE 16384 /* of weft_eth_ask */
static unsigned need_rate = 100, pauses, in_order, fw_n, l2_n, seg_n, false_n, nobody_n, skipped;
static uint64_t rx_last_at, seg_at;
static unsigned idle_for;
static uint64_t moved_at; /* an entry was displaced */

static void take_slot(unsigned q)
{
	for (;; slot_next = (slot_next + 1) % SLOTS)
		if (!slot_used[slot_next])
			break;
	slot_used[slot_next] = true;
	conn[q].slot = slot_next;
	slot_next = (slot_next + 1) % SLOTS;
}

static unsigned free_slots(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < SLOTS; i++)
		n += !slot_used[i];
	return n;
}

int ctx_ready(void) { return tb_chance(need_rate); }

static void be_none(unsigned q)
{
	conn[q].state = NONE;
	conn[q].none_at = tb_cycle();
	conn[q].none_till = NEVER;
}

static bool fetch(unsigned q, bool frames)
{
	for (unsigned m = 0; m < MISSES; m++)
		if (!miss[m].used) {
			miss[m] = (typeof(miss[m])){ .used = true, .frames = frames, .q = q, .at = tb_cycle() + tb_range(1, 500), .lost = !siege && tb_chance(4) };
			if (siege && !relief)
				miss[m].at = UINT64_MAX;
			if (flood && q < 2 && tb_chance(40)) /* firmware holds it */
				miss[m].at += tb_range(2000, 6000);
			conn[q].state = COMING;
			conn[q].miss = m;
			return true;
		}
	return false;
}

unsigned long long ctx_need(int resume, int q)
{
	struct tb_pack b;
	struct conn *c;
	unsigned st = 0, s = 0, m = 0;
	unsigned long long r = 0;

	if (q < 0 || q >= N_QP) {
		tb_fail("look-up of QPN %d", q);
		return 0;
	}
	c = &conn[q];
	if (resume) {
		resumes++;
		tb_check(c->parked, "QPN %d: resumed, but nobody waits", q);
		c->parked -= c->parked > 0;
	}
	if (always_home || (siege && q & 1)) {
		st = 2;
		s = (unsigned)q % SLOTS;
		c->pins++;
	} else {
		switch (c->state) {
		case NONE: nones++; break;
		case AWAY:
			st = fetch((unsigned)q, true) ? 1 : 3;
			busies += st == 3;
			tb_check(!resume, "QPN %d is away, and resumed", q);
			break;
		case COMING:
			miss[c->miss].frames = true;
			st = 1;
			break;
		case HOME: st = 2; break;
		default: st = resume ? 2 : 1;
		}
		if (st == 1) {
			m = c->miss;
			comings++;
		}
		if (st == 2) {
			s = c->slot;
			c->pins++;
		}
	}
	if (st == 2) {
		homes++;
		haves[hv_t % (MAXF * 4)] = (struct have){ (unsigned)q, s };
		hv_t++;
	}
	tb_pack_begin(&b, 44);
	tb_put(&b, 2, st);
	tb_put(&b, 24, (unsigned)q);
	tb_put(&b, 12, s);
	tb_put(&b, 6, m);
	memcpy(&r, b.bits, 6);
	return r;
}

static void on_parked(int port, const uint8_t *bits, void *arg)
{
	unsigned m = (unsigned)tb_bits_get(bits, 0, 6);

	tb_check(m < MISSES && miss[m].used && miss[m].frames, "a frame is parked behind miss %u, which nobody has", m);
	if (m >= MISSES)
		return;
	tb_check(++conn[miss[m].q].parked <= PARK_EACH + 9, "%u frames are parked behind miss %u", conn[miss[m].q].parked, m);
	if (conn[miss[m].q].parked > park_most)
		park_most = conn[miss[m].q].parked;
}

static void on_resumed(int port, const uint8_t *bits, void *arg)
{
	unsigned q = (unsigned)tb_bits_get(bits, 6, 24), m = (unsigned)tb_bits_get(bits, 0, 6);

	tb_check(m < MISSES && miss[m].used && miss[m].arrived && miss[m].frames && miss[m].q == q, "resumed QPN %u miss %u", q, m);
	if (m >= MISSES || q >= N_QP)
		return;
	tb_check(conn[q].parked == 0, "QPN %u is resumed, and %u frames wait", q, conn[q].parked);
	conn[q].parked = 0;
	if (conn[q].state == RESUMING)
		conn[q].state = HOME;
	miss[m].used = false;
}

static void arrive(unsigned m, bool ok)
{
	struct tb_pack b;

	tb_pack_begin(&b, 44);
	tb_put(&b, 24, miss[m].q);
	tb_put(&b, 12, conn[miss[m].q].slot);
	tb_put(&b, 6, m);
	tb_put(&b, 1, miss[m].frames);
	tb_put(&b, 1, ok);
	tb_item_push(ARRIVE, b.bits, 6);
}

static void ctx_step(void)
{
	for (unsigned m = 0; m < MISSES; m++) {
		if (!miss[m].used || miss[m].arrived || tb_cycle() < miss[m].at || (!miss[m].lost && !free_slots()))
			continue;
		unsigned q = miss[m].q;

		if (miss[m].lost) {
			be_none(q);
		} else {
			take_slot(q);
			conn[q].state = miss[m].frames ? RESUMING : HOME;
		}
		arrive(m, !miss[m].lost);
		miss[m].arrived = true;
		if (!miss[m].frames)
			miss[m].used = false;
	}
	/* somebody goes, somebody is fetched for others, somebody is made or destroyed */
	for (unsigned k = 0; k < 2; k++) {
		unsigned q = siege ? tb_below(N_QP / 2) * 2 : tb_below(N_QP);
		struct conn *c = &conn[q];

		if (c->state == HOME && !c->pins && tb_chance(free_slots() < 4 ? 60 : 3)) {
			slot_used[c->slot] = false;
			c->state = AWAY;
		} else if (siege) {
			continue;
		} else if (c->state == AWAY && tb_chance(1)) {
			fetch(q, false);
		} else if (c->state == AWAY && tb_chance(1)) {
			be_none(q);
		} else if (c->state == NONE && tb_chance(2) && !c->parked) {
			c->state = AWAY;
			c->none_till = tb_cycle() + 4;
		}
	}
}

/* ---------------------------------------------------------------- firmware changes the table */
static struct { int state; unsigned q; bool remove; struct entry *e; } fwc;
static unsigned ins_ok, ins_full, rem_ok;
#define LOOK(x) (WEFT_ROOM_CONN << 22 | (x))

static void on_status(uint32_t v, bool err, void *arg)
{
	struct conn *c = &conn[fwc.q];

	tb_check(!err, "status cannot be read");
	if (v >> 31) {
		fwc.state = 1;
		return;
	}
	fwc.state = 0;
	if (fwc.remove) {
		tb_check(v == WEFT_LOOK_STATUS_OK, "remove of QPN %u: %u", fwc.q, v);
		fwc.e->till = tb_cycle();
		c->e = NULL;
		rem_ok++;
	} else {
		tb_check(v == WEFT_LOOK_STATUS_OK || v == WEFT_LOOK_STATUS_FULL, "insert of QPN %u: %u", fwc.q, v);
		if (v == WEFT_LOOK_STATUS_OK) {
			fwc.e->sure = tb_cycle();
			ins_ok++;
		} else {
			fwc.e->from = fwc.e->till = 0;
			c->e = NULL;
			ins_full++;
		}
	}
}

static void on_refuse(uint32_t v, bool err, void *arg) { tb_check(err, "an access that makes no sense is answered"); }

static void change(unsigned q)
{
	struct conn *c = &conn[q];
	uint32_t w;

	fwc.q = q;
	fwc.remove = c->e != NULL;
	if (!fwc.remove) {
		if (tb_chance(60) || !c->lp) { /* another key */
			struct conn *o = &conn[tb_below(N_QP)];

			memset(c->la, 0, 32);
			c->v6 = tb_chance(40);
			tb_rand_bytes(c->la, c->v6 ? 16 : 4);
			tb_rand_bytes(c->pa, c->v6 ? 16 : 4);
			if (tb_chance(60) && o->lp) {
				c->v6 = o->v6;
				memcpy(c->la, o->la, 32);
			}
			c->lp = (uint16_t)(5000 + q % 64);
			c->pp = (uint16_t)(q + (tb_below(60) << 10)); /* no two connections have the same key */
		}
		fwc.e = &en[n_en++];
		*fwc.e = (struct entry){ .q = q, .from = tb_cycle(), .sure = NEVER, .until = NEVER, .till = NEVER };
		hash(c->v6, c->la, c->pa, c->lp, c->pp, &fwc.e->sig, &fwc.e->at);
		c->e = fwc.e;
	} else {
		fwc.e = c->e;
		fwc.e->until = tb_cycle();
	}
	for (unsigned i = 0; i < 4; i++) {
		memcpy(&w, c->la + 4 * i, 4);
		tb_cfg_write(LOOK(WEFT_LOOK_LOCAL + 4 * i), w);
		memcpy(&w, c->pa + 4 * i, 4);
		tb_cfg_write(LOOK(WEFT_LOOK_PEER + 4 * i), w);
	}
	tb_cfg_write(LOOK(WEFT_LOOK_PORTS), (uint32_t)c->lp << 16 | c->pp);
	tb_cfg_write(LOOK(WEFT_LOOK_QPN), (uint32_t)c->v6 << 31 | q);
	if (tb_chance(5))
		tb_cfg_read(LOOK(0x100), on_refuse, NULL);
	tb_cfg_write(LOOK(WEFT_LOOK_CMD), fwc.remove ? WEFT_LOOK_CMD_REMOVE : WEFT_LOOK_CMD_INSERT);
	fwc.state = 1;
}

static void fw_step(unsigned pct)
{
	if (fwc.state == 1) {
		fwc.state = 2;
		tb_cfg_read(LOOK(WEFT_LOOK_STATUS), on_status, NULL);
	} else if (!fwc.state && pct && tb_below(1000) < pct) {
		unsigned q = tb_below(N_QP);

		if (n_en < sizeof(en) / sizeof(*en) && (conn[q].e ? tb_chance(20) : true))
			change(q);
	}
}

/* ---------------------------------------------------------------- frames go in */
static void csum_at(uint8_t *p, uint32_t sum) { p[0] = (uint8_t)(~sum >> 8), p[1] = (uint8_t)~sum; }
static void put32(uint8_t *p, uint32_t v) { p[0] = (uint8_t)(v >> 24), p[1] = (uint8_t)(v >> 16), p[2] = (uint8_t)(v >> 8), p[3] = (uint8_t)v; }

/* Options as hosts send them, in other orders, and such as none would. */
static unsigned make_options(uint8_t *o)
{
	unsigned n = 0, k = tb_below(10), s;

	tb_rand_bytes(o, 40);
	switch (k) {
	case 0: case 1: return 0;
	case 2: case 3: memcpy(o, "\1\1\10\12", 4); return 12;
	case 4: memcpy(o, "\1\1\5", 3); s = tb_range(1, 4); o[3] = (uint8_t)(2 + 8 * s); return 4 + 8 * s;
	case 5: memcpy(o, "\1\1\10\12", 4); memcpy(o + 12, "\1\1\5", 3); s = tb_range(1, 3); o[15] = (uint8_t)(2 + 8 * s); return 16 + 8 * s;
	case 6: return 4 * tb_below(11);
	default: break;
	}
	unsigned limit = 4 * tb_range(1, 10);
	while (n < limit) {
		switch (tb_below(8)) {
		case 0: case 1: o[n++] = 1; break;
		case 2: o[n] = 8, o[n + 1] = 10; n += 10; break;
		case 3: o[n] = 5, o[n + 1] = (uint8_t)(2 + 8 * tb_below(5)); n += o[n + 1]; break;
		case 4: o[n] = 2, o[n + 1] = 4; n += 4; break;
		case 5: o[n] = 3, o[n + 1] = 3; n += 3; break;
		case 6: if (tb_chance(80)) break; o[n++] = 0; break;
		default: if (tb_chance(70)) break; o[n] = (uint8_t)tb_below(256), o[n + 1] = (uint8_t)tb_below(14); n += o[n + 1] + !o[n + 1]; break;
		}
		if (n > 36)
			break;
	}
	return limit;
}

/* A frame of connection q (or near it), its sequence number and source address say which frame it is. */
static unsigned build(uint8_t *f, unsigned idx, bool *err, int only, unsigned optlen, const uint8_t *opt, unsigned pl)
{
	unsigned q = only >= 0 ? (unsigned)only : flood && tb_chance(20) ? tb_below(2) : tb_chance(60) ? tb_below(12) : tb_below(N_QP), l3 = 14, l4, n, l4len, proto = 6, doff;
	struct conn *c = &conn[q], other;
	bool udp = false, plain = only >= 0;
	uint32_t sum;

	*err = !plain && tb_chance(1);
	if (!plain && tb_chance(5)) { /* anything */
		n = tb_chance(30) ? tb_below(80) : tb_range(14, 1600);
		tb_rand_bytes(f, n + 20);
		if (tb_chance(80))
			memcpy(f, mac, 6);
		put32(f + 6, idx);
		if (tb_chance(30))
			memcpy(f + 12, tb_chance(50) ? "\x08\x00\x45" : "\x86\xdd\x60", 3);
		return n ? n : 1;
	}
	if (!plain && tb_chance(25)) {
		other = *c;
		c = &other;
		switch (tb_below(6)) {
		case 0: c->pp++; break;
		case 1: c->pa[tb_below(c->v6 ? 16 : 4)] ^= 1 << tb_below(8); break;
		case 2: c->la[tb_below(c->v6 ? 16 : 4)] ^= 1 << tb_below(8); break;
		case 3: c->lp ^= 1 << tb_below(16); break;
		case 4: udp = true; break;
		default: c->lp = (uint16_t)(5000 + tb_below(64)); break;
		}
	}
	doff = 5 + optlen / 4;
	if (udp)
		proto = 17;
	memcpy(f, mac, 6);
	tb_rand_bytes(f + 6, 6);
	put32(f + 6, idx);
	if (!plain)
		switch (tb_below(40)) {
		case 0: memset(f, 0xff, 6); break;
		case 1: tb_rand_bytes(f, 6); break;
		case 2: f[0] |= 1; break;
		}
	if (!plain && tb_chance(20)) {
		f[12] = 0x81;
		f[13] = 0;
		f[14] = (uint8_t)tb_below(256);
		f[15] = (uint8_t)tb_below(256);
		l3 = 18;
	}
	f[l3 - 2] = c->v6 ? 0x86 : 8;
	f[l3 - 1] = c->v6 ? 0xdd : 0;
	l4 = l3 + (c->v6 ? 40 : 20);
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
		f[l3 + 6] = !plain && tb_chance(1) ? 44 : (uint8_t)proto;
		memcpy(f + l3 + 8, c->pa, 16);
		memcpy(f + l3 + 24, c->la, 16);
		sum = tb_csum(0, f + l3 + 8, 32);
	} else {
		f[l3] = plain ? 0x45 : tb_chance(1) ? 0x46 : tb_chance(1) ? 0x55 : 0x45;
		f[l3 + 2] = (uint8_t)((20 + l4len) >> 8);
		f[l3 + 3] = (uint8_t)(20 + l4len);
		f[l3 + 6] = !plain && tb_chance(2) ? (uint8_t)(1 << tb_below(6)) : 0x40;
		f[l3 + 7] = !plain && tb_chance(1);
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
		put32(f + l4 + 4, idx);
		f[l4 + 12] = (uint8_t)(doff << 4 | (f[l4 + 12] & 15));
		f[l4 + 13] = plain || tb_chance(80) ? 0x10 : (uint8_t)tb_below(256);
		f[l4 + 16] = f[l4 + 17] = 0;
		memcpy(f + l4 + 20, opt, optlen);
	}
	sum += l4len + proto;
	sum = tb_csum(sum, f + l4, l4len);
	if (!udp || tb_chance(70))
		csum_at(f + l4 + (udp ? 6 : 16), sum);
	if (!plain) { /* faults */
		if (tb_chance(3))
			f[tb_chance(50) ? tb_range(l3, l4) : tb_range(l4 + 8, n - 1)] ^= (uint8_t)(1 << tb_below(8));
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
	} else if (n < 60) {
		memset(f + n, 0, 60 - n);
		n = 60;
	}
	return n;
}

static void send(const uint8_t *d, unsigned n, bool err)
{
	struct frame *f = &fr[n_fr++];
	bool us;

	f->d = malloc(n + 1);
	memcpy(f->d, d, n);
	f->len = n;
	f->pushed = tb_cycle();
	f->handle = ~0u;
	f->i = parse(d, n);
	us = !memcmp(d, mac, 6);
	f->cls = err || n < 14 || n > FRAME_MAX ? C_BAD : !us && !f->i.bcast && !promisc && !(f->i.mcast && allmulti) ? C_ADDR
		 : us && f->i.tcp ? C_TCP : C_OTHER;
	if (f->cls == C_TCP)
		hash(f->i.ipv6, f->i.da, f->i.sa, f->i.dport, f->i.sport, &f->sig, &f->at);
	tb_packet_push(RX, d, n, NULL, 0, err);
	outstanding++;
	others++;
}

static void send_one(void)
{
	static uint8_t d[20000];
	uint8_t o[64];
	bool err;
	unsigned on = make_options(o);
	unsigned pl = tb_chance(30) ? 0 : tb_chance(50) ? tb_below(100) : tb_chance(85) ? tb_below(1500) : tb_below(9000);
	unsigned n = build(d, n_fr, &err, -1, on, o, pl);

	send(d, n, err);
}

/* Short ones with a bad FCS: the store takes two cycles for each, the wire one at 512 bits; a long one comes behind. */
static void send_bad(void)
{
	static uint8_t d[4000];
	unsigned n = tb_chance(90) ? tb_range(1, 64) : tb_range(65, 4000);

	tb_rand_bytes(d, n);
	send(d, n, n <= 64 || tb_chance(50));
}

/* ---------------------------------------------------------------- frames come out */
static bool candidate(const struct frame *f, unsigned q, bool surely)
{
	for (unsigned k = 0; k < n_en; k++) {
		const struct entry *e = &en[k];

		if (e->sig != f->sig || e->at != f->at || (q != ~0u && e->q != q))
			continue;
		if (surely ? e->sure <= f->pushed && e->until >= tb_cycle() : e->from <= tb_cycle() && e->till >= f->pushed)
			return true;
	}
	return false;
}

/* Everybody who surely was a candidate has been tried, or was none. */
static void all_tried(unsigned idx, const char *what)
{
	struct frame *f = &fr[idx];

	for (unsigned k = 0; k < n_en; k++) {
		const struct entry *e = &en[k];
		bool t = false;

		if (e->sig != f->sig || e->at != f->at || e->sure > f->pushed || e->until < tb_cycle())
			continue;
		for (unsigned j = 0; j < f->n_tried; j++)
			t |= f->tried[j] == e->q;
		t |= moved_at >= f->pushed; /* displaced to a way that had been looked at */
		t |= conn[e->q].none_at != NEVER && conn[e->q].none_till >= f->pushed;
		tb_check(t, "frame %u goes to %s, but QPN %u was not tried", idx, what, e->q);
	}
}

static bool key_is(const struct conn *c, const struct info *i)
{
	return c->v6 == i->ipv6 && !memcmp(c->la, i->da, 16) && !memcmp(c->pa, i->sa, 16) && c->lp == i->dport && c->pp == i->sport;
}

static void finish(unsigned idx)
{
	tb_check(!fr[idx].done, "frame %u comes out twice", idx);
	fr[idx].done = true;
	fr[idx].ended = tb_cycle();
	outstanding--;
	others -= !fr[idx].besieger;
}

struct hold { struct hold *next; unsigned idx, handle, q, off, len; uint64_t at; };
static struct hold *holds, *reading, **reading_tail = &reading;
static unsigned held, max_hold = 300;

static void release(struct hold *h)
{
	struct tb_pack b;

	tb_pack_begin(&b, 12);
	tb_put(&b, 12, h->handle);
	tb_item_push(tb_chance(50) ? FREE0 : FREE1, b.bits, 2);
	conn[h->q].pins--;
	held--;
	free(h);
}

static void on_seg(int port, const uint8_t *bits, void *arg)
{
	static const char *const names[] = { "handle", "start", "len", "seq", "ack", "wnd", "flags", "ecn", "ts", "ts_val", "ts_ecr", "n_sack" };
	struct tb_pack b;
	uint64_t sack[8], v[12], saddr[2], daddr[2], ipv6, vlan, vid, sport, dport;
	static const uint8_t w[12] = { 12, 8, 16, 32, 32, 16, 9, 2, 1, 32, 32, 3 };

	seg_n++;
	tb_unpack_begin(&b, bits, SEG_BITS);
	unsigned q = (unsigned)tb_get(&b, 24), slot = (unsigned)tb_get(&b, 12);
	tb_get(&b, 4);
	for (unsigned k = 0; k < 12; k++)
		v[k] = tb_get(&b, w[k]);
	for (int k = 3; k >= 0; k--) {
		sack[2 * k] = tb_get(&b, 32);
		sack[2 * k + 1] = tb_get(&b, 32);
	}
	ipv6 = tb_get(&b, 1), vlan = tb_get(&b, 1), vid = tb_get(&b, 12);
	saddr[1] = tb_get(&b, 64), saddr[0] = tb_get(&b, 64), daddr[1] = tb_get(&b, 64), daddr[0] = tb_get(&b, 64);
	sport = tb_get(&b, 16), dport = tb_get(&b, 16);
	bool body = tb_get(&b, 1), ours = tb_get(&b, 1);
	unsigned pri = (unsigned)tb_get(&b, 4), flen = (unsigned)tb_get(&b, 16), idx = (unsigned)v[3];

	tb_check(hv_h < hv_t, "a segment without a pin");
	struct have *h = &haves[hv_h++ % (MAXF * 4)];
	tb_check(h->q == q && h->slot == slot, "segment of QPN %u slot %u, have said QPN %u slot %u", q, slot, h->q, h->slot);
	if (idx >= n_fr || q >= N_QP) {
		tb_fail("segment of frame %u, QPN %u", idx, q);
		return;
	}
	struct frame *f = &fr[idx];
	struct info *i = &f->i;

	tb_check(f->cls == C_TCP && i->ip_ok && i->l4_ok && !f->done, "frame %u (class %d, csum %d, done %d) goes to tcp", idx, f->cls, i->l4_ok, f->done);
	uint64_t want[12] = { v[0], i->hdr_len, i->pay_len, i->seq, i->ack, i->wnd, i->flags, i->ecn, i->ts, i->ts_val, i->ts_ecr, i->n_sack };
	/* options in an order of their own are not looked at while frames pile up */
	if (!v[8] && !v[11] && (i->ts || i->n_sack) && (f->skipped || skipped < stats[S_SKIP])) {
		skipped += !f->skipped;
		f->skipped = true;
		i->ts = false;
		i->n_sack = 0;
		want[8] = want[11] = 0;
	}
	for (unsigned k = 1; k < 12; k++)
		if (!((k == 9 || k == 10) && !i->ts))
			tb_check(v[k] == want[k], "frame %u: %s is %#llx, not %#llx", idx, names[k], (unsigned long long)v[k], (unsigned long long)want[k]);
	for (unsigned k = 0; k < 2 * i->n_sack; k++)
		tb_check(sack[k] == i->sack[k], "frame %u: SACK word %u is %#llx, not %#x", idx, k, (unsigned long long)sack[k], i->sack[k]);
	tb_check(ipv6 == i->ipv6 && vlan == i->vlan && (!vlan || (vid == (i->tci & 0xfff) && pri == i->tci >> 12)), "frame %u: family, VLAN", idx);
	tb_check(!memcmp(saddr, i->sa, 16) && !memcmp(daddr, i->da, 16) && sport == i->sport && dport == i->dport, "frame %u: key", idx);
	tb_check(flen == f->len && ours == ports[i->dport], "frame %u: length %u, ours %d", idx, flen, ours);
	tb_check(f->backs == 0 || body == !f->last_no_body, "frame %u: body %d after it was given back", idx, body);
	tb_check(!body || f->handle == ~0u || f->handle == v[0], "frame %u: another handle", idx);
	tb_check(candidate(f, q, false), "frame %u: QPN %u is no candidate", idx, q);
	for (unsigned k = 0; k < f->n_tried; k++)
		tb_check(f->tried[k] != q || stats[S_MOVE] || rem_ok, "frame %u: QPN %u a second time", idx, q);
	if (f->n_tried < 24)
		f->tried[f->n_tried++] = q;
	f->handle = (unsigned)v[0];
	f->last_no_body = !body;
	if (!key_is(&conn[q], i)) {
		uint8_t back[SEG_BYTES];

		memcpy(back, bits, SEG_BYTES);
		tb_bits_set(back, SEG_BITS - 36, 36, tb_rand());
		false_n++;
		f->backs++;
		tb_item_push(FALSE_, back, SEG_BYTES);
		conn[q].pins--;
		return;
	}
	/* In the order of the wire, unless what stands before it in the table changed meanwhile. */
	if (idx < conn[q].next) {
		bool changed = moved_at >= f->pushed;

		for (unsigned k = 0; k < n_en; k++)
			changed |= en[k].sig == f->sig && en[k].at == f->at && en[k].q != q &&
				   ((en[k].till >= f->pushed && en[k].till != NEVER) || conn[en[k].q].none_till >= f->pushed || en[k].from >= f->pushed);
		tb_check(changed, "QPN %u: frame %u behind frame %u", q, idx, conn[q].next - 1);
	} else {
		conn[q].next = idx + 1;
		in_order++;
	}
	finish(idx);
	nobody_n += !body;
	if (!body) {
		conn[q].pins--;
		return;
	}
	struct hold *o = calloc(1, sizeof(*o));
	o->idx = idx;
	o->handle = (unsigned)v[0];
	o->q = q;
	o->at = tb_cycle() + (max_hold ? tb_below(max_hold) : 0);
	o->off = tb_chance(30) ? 0 : i->hdr_len;
	o->len = tb_chance(30) ? f->len - o->off : tb_chance(50) ? i->pay_len : tb_below(f->len - o->off + 1);
	if (!max_hold)
		o->len = 0;
	if (o->off + o->len > f->len)
		o->len = f->len - o->off;
	o->next = holds;
	holds = o;
	held++;
}

static void tcp_step(void)
{
	for (struct hold **p = &holds, *h; (h = *p);) {
		struct tb_pack b;

		if (h->at > tb_cycle()) {
			p = &h->next;
			continue;
		}
		*p = h->next;
		h->next = NULL;
		if (!h->len) {
			release(h);
			continue;
		}
		tb_pack_begin(&b, 44);
		tb_put(&b, 12, h->handle);
		tb_put(&b, 16, h->off);
		tb_put(&b, 16, h->len);
		tb_item_push(RD, b.bits, 6);
		*reading_tail = h;
		reading_tail = &h->next;
	}
}

static void on_data(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	struct hold *h = reading;

	tb_check(h != NULL, "bytes nobody asked for");
	if (!h)
		return;
	if (!(reading = h->next))
		reading_tail = &reading;
	tb_check(n == h->len && !memcmp(d, fr[h->idx].d + h->off, n), "frame %u: bytes %u to %u", h->idx, h->off, h->off + h->len);
	release(h);
}

static unsigned which(const uint8_t *d, size_t n, const char *what)
{
	unsigned idx = n >= 12 ? be32(d + 6) : ~0u;

	if (idx < n_fr && fr[idx].len == n && !memcmp(d, fr[idx].d, n))
		return idx;
	for (idx = oldest; idx < n_fr; idx++) /* its number may have been hurt */
		if (!fr[idx].done && fr[idx].len == n && !memcmp(d, fr[idx].d, n))
			return idx;
	tb_fail("%s: a frame of %zu bytes that was not sent", what, n);
	return ~0u;
}

static void on_fw(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	unsigned idx = which(d, n, "firmware");

	fw_n++;
	if (idx == ~0u)
		return;
	struct frame *f = &fr[idx];
	tb_check(f->cls == C_TCP && f->i.ip_ok && f->i.l4_ok && ports[f->i.dport], "frame %u goes to firmware", idx);
	tb_check(tb_bits_get(side, 0, 24) == 0 && tb_bits_get(side, 24, 4) == WEFT_STEER_REASON_PORT, "frame %u: QPN, reason", idx);
	all_tried(idx, "firmware");
	finish(idx);
}

static unsigned plain_ip; /* of fragments, with options, with a broken checksum */
static uint8_t metas[4][64];
static unsigned m_t, m_h;
static void on_meta(int port, const uint8_t *b, void *arg)
{
	memcpy(metas[m_t++ % 4], b, 62);
	tb_check(m_t - m_h == 1, "meta, but no frame behind the one before");
}

static void on_l2(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	static const char *const names[] = { "ipv6", "ip_ok", "l4_ok", "tcp", "udp", "vlan", "vlan_tci", "mcast", "bcast", "dmac", "saddr 127:64",
					     "saddr 63:0", "daddr 127:64", "daddr 63:0", "sport", "dport", "seq", "ack", "flags", "wnd",
					     "hdr_len", "payload_len", "frame_len", "ip" };
	static const uint8_t widths[] = { 1, 1, 1, 1, 1, 1, 16, 1, 1, 48, 64, 64, 64, 64, 16, 16, 32, 32, 9, 16, 8, 16, 16, 1 };
	unsigned idx = which(d, n, "network device");
	struct tb_pack p;
	uint64_t a[5] = { 0 };

	l2_n++;
	tb_check(m_t - m_h == 1, "a frame without meta");
	m_h++;
	if (idx == ~0u)
		return;
	struct frame *f = &fr[idx];
	struct info *i = &f->i;
	bool csum = i->ip_ok && i->l4_ok;

	tb_check(f->cls == C_OTHER || (f->cls == C_TCP && !ports[i->dport]), "frame %u (class %d) goes to the network device", idx, f->cls);
	if (f->cls == C_TCP && csum)
		all_tried(idx, "the network device");
	else if (f->cls == C_TCP)
		tb_check(!candidate(f, ~0u, true), "frame %u: of a connection, with a bad checksum, goes to the network device", idx);
	memcpy(&a[0], f->d, 6);
	memcpy(&a[1], i->sa, 16);
	memcpy(&a[3], i->da, 16);
	plain_ip += i->ip && !i->ip_ok;
	uint64_t want[] = { i->ipv6, i->ip_ok, i->l4_ok, i->tcp, i->udp, i->vlan, i->tci, i->mcast, i->bcast, a[0], a[2], a[1], a[4],
			    a[3], i->sport, i->dport, i->seq, i->ack, i->flags, i->wnd, i->hdr_len, i->pay_len, f->len, i->ip };
	tb_unpack_begin(&p, metas[(m_h - 1) % 4], 490);
	for (unsigned k = 0; k < sizeof(widths); k++) {
		uint64_t v = tb_get(&p, widths[k]);

		if ((k == 6 && (!i->vlan || f->len < 18)) || ((k == 0 || (k >= 10 && k <= 13)) && !i->ip) ||
		    ((k == 14 || k == 15) && !i->tcp && !i->udp) || (k >= 16 && k <= 21 && !i->tcp))
			continue;
		tb_check(v == want[k], "frame %u: meta %s is %#llx, not %#llx", idx, names[k], (unsigned long long)v, (unsigned long long)want[k]);
	}
	finish(idx);
}

static void on_state(int port, const uint8_t *b, void *arg)
{
	for (unsigned k = 0; k < N_STAT; k++)
		stats[k] += tb_bits_get(b, k, 1);
	if (tb_bits_get(b, S_MOVE, 1))
		moved_at = tb_cycle();
	idle = tb_bits_get(b, 17, 1);
	ready = tb_bits_get(b, 18, 1);
	pause_ = tb_bits_get(b, 19, 1);
	pauses += pause_;
	pause_run = pause_ ? pause_run + 1 : 0;
	pause_longest = pause_run > pause_longest ? pause_run : pause_longest;
	idle_for = idle ? idle_for + 1 : 0;
	tb_check(!pause_ || idle_for < 4 || held, "an idle card asks for a pause");
	if (tb_bits_get(b, 20, 1))
		rx_last_at = tb_cycle();
	if (tb_bits_get(b, 21, 1) && !seg_at)
		seg_at = tb_cycle();
}

/* ---------------------------------------------------------------- run */
void tb_setup(void)
{
	uint32_t w = 0;

	fill = tb_opt("fill", 0);
	siege = tb_opt("siege", 0);
	speed = !fill && !siege;
	always_home = fill || speed;
	total = (unsigned)tb_opt("frames", fill ? 1500 : 2000);
	tb_on_item(RESUMED, on_resumed, NULL);
	tb_on_item(PARKED, on_parked, NULL);
	tb_on_item(SEG, on_seg, NULL);
	tb_on_packet(DATA, on_data, NULL);
	tb_on_packet(FW, on_fw, NULL);
	tb_on_item(META, on_meta, NULL);
	tb_on_packet(L2, on_l2, NULL);
	tb_on_item(STATE, on_state, NULL);
	tb_rand_bytes(mac, 6);
	mac[0] &= 0xfe;
	allmulti = tb_chance(50);
	promisc = tb_chance(20);
	tb_rand_bytes(hkey, 8);
	tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_MAC_LO, be32((uint8_t[]){ mac[3], mac[2], mac[1], mac[0] }));
	tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_MAC_HI, (uint32_t)(mac[4] | mac[5] << 8));
	tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_FLAGS, (uint32_t)(promisc | allmulti << 1));
	tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_KEY_LO, hkey[0]);
	tb_cfg_write(WEFT_ROOM_STEER << 22 | WEFT_STEER_KEY_HI, hkey[1]);
	for (unsigned p = 4992; p < 5088; p++) {
		ports[p] = p % 7 != 3;
		w |= (uint32_t)ports[p] << (p & 31);
		if ((p & 31) == 31) {
			tb_cfg_write(WEFT_ROOM_STEER << 22 | (p >> 5) << 2, w);
			w = 0;
		}
	}
	for (unsigned q = 0; q < N_QP; q++) {
		conn[q].none_at = NEVER;
		conn[q].state = AWAY;
	}
}

static bool quiet(void)
{
	return idle && !holds && !reading && !tb_pending(RX) && !tb_pending(FALSE_) && !tb_pending(FREE0) && !tb_pending(FREE1) && !tb_pending(RD) &&
	       !tb_pending(ARRIVE);
}

static void rates(unsigned lo)
{
	static const int sinks[] = { RESUMED, SEG, DATA, FW, META, L2 };

	for (unsigned k = 0; k < sizeof(sinks) / sizeof(*sinks); k++)
		tb_snk_rate(sinks[k], tb_chance(50) ? 100 : tb_range(lo, 100));
	tb_src_rate(RX, tb_chance(40) ? 100 : tb_range(20, 100));
	tb_src_rate(FREE0, tb_range(30, 100));
	tb_src_rate(FALSE_, tb_range(30, 100));
	need_rate = tb_chance(50) ? 100 : tb_range(30, 100);
}

static bool unique(unsigned q)
{
	unsigned n = 0;

	for (unsigned k = 0; k < n_en; k++)
		n += conn[q].e && en[k].till == NEVER && en[k].sig == conn[q].e->sig && en[k].at == conn[q].e->at;
	return n == 1;
}

/* Speed: phases of frames of one kind; everybody is home. */
static bool speed_step(void)
{
	static unsigned phase, sent, count, at0, seg0, beats, turn, one = ~0u;
	static uint64_t first_seg;
	/* cycles: at least so many a frame, else the wire's; latency */
	static const struct { const char *name; unsigned opts; bool one, lone; double cycles; } ph[] = {
		{ "60 bytes, many connections", 0, false, false, 1 },
		{ "60 bytes, one connection", 0, true, false, 3 },
		{ "timestamp and three SACK blocks", 1, false, false, 1 },
		{ "options in odd order", 2, false, false, 1.6 },
		{ "latency, 60 bytes", 0, false, true, 18 },
		{ "latency, timestamp", 3, false, true, 18 },
	};
	uint8_t d[2000], o[40];
	bool err;

	if (phase == sizeof(ph) / sizeof(*ph))
		return true;
	if (!sent) {
		at0 = 0;
		seg0 = seg_n;
		count = ph[phase].lone ? 20 : 1000;
		max_hold = 0;
	}
	if (ph[phase].lone) {
		if (sent < count && quiet() && (!sent || seg_at)) {
			if (sent) {
				unsigned lat = (unsigned)(seg_at - rx_last_at);

				at0 = lat > at0 ? lat : at0;
			}
			seg_at = 0;
			memcpy(o, "\1\1\10\12________", 12);
			do
				turn = tb_below(N_QP);
			while (!unique(turn));
			send(d, build(d, n_fr, &err, (int)turn, ph[phase].opts ? 12 : 0, o, 0), false);
			sent++;
		} else if (sent == count && quiet()) {
			tb_note("%s: %u cycles from the last beat to seg", ph[phase].name, at0);
			tb_check(at0 <= ph[phase].cycles, "%s: %u cycles", ph[phase].name, at0);
			sent = 0;
			phase++;
		}
		return false;
	}
	if (!sent) {
		first_seg = 0;
		beats = 0;
	}
	for (; sent < count && sent - (seg_n - seg0) < 64; sent++) {
		unsigned on = 0, n, q;

		tb_rand_bytes(o, 40);
		if (ph[phase].opts == 1) {
			memcpy(o, "\1\1\10\12", 4);
			memcpy(o + 12, "\1\1\5\32", 4);
			on = 40;
		} else if (ph[phase].opts == 2) {
			memcpy(o, "\10\12________\1\3\3\7\1\1", 16);
			on = 16;
		}
		do { /* IPv4: one beat at 512 bits */
			turn = (turn + 1) % N_QP;
			if (!conn[turn].v6 && unique(turn) && one == ~0u)
				one = turn;
		} while (conn[turn].v6 || !unique(turn) || (ph[phase].one && turn != one));
		q = turn;
		n = build(d, n_fr, &err, (int)q, on, o, 0);
		beats += (n + TB_DATA_W / 8 - 1) / (TB_DATA_W / 8);
		send(d, n, false);
	}
	if (seg_n != seg0 && !first_seg)
		first_seg = tb_cycle();
	if (seg_n - seg0 == count && quiet()) {
		sent = 0;
		phase++;
	} else if (seg_n - seg0 == count && !at0) {
		double per = (double)(tb_cycle() - first_seg) / (count - 1), wire = (double)beats / count;

		at0 = 1;
		tb_note("%s: a frame every %.2f cycles (wire: %.2f)", ph[phase].name, per, wire);
		tb_check(per <= 1.05 * (wire > ph[phase].cycles ? wire : ph[phase].cycles), "%s: a frame every %.2f cycles", ph[phase].name, per);
	}
	return false;
}

/* Besiegers' frames, many of them long, between those of connections that are home, of firmware and of the network device. */
static void siege_send(void)
{
	static uint8_t d[20000];
	unsigned kind = tb_below(10), q = tb_below(N_QP / 2) * 2, n = tb_range(60, 400);
	struct conn *c = &conn[q + 1];
	bool err = false;

	if (kind < 5) {
		n = build(d, n_fr, &err, (int)q, 0, d, tb_chance(30) ? tb_range(8000, 8900) : tb_below(300));
	} else if (kind == 5) { /* nobody's: the network device's */
		tb_rand_bytes(d, n);
		memset(d, 0xff, 6);
		put32(d + 6, n_fr);
		memcpy(d + 12, "\x08\x06", 2);
	} else if (kind == 6 && ports[c->lp]) { /* no connection, port of the card: firmware's */
		c->pp ^= 63 << 10;
		n = build(d, n_fr, &err, (int)q + 1, 0, d, tb_below(300));
		c->pp ^= 63 << 10;
	} else {
		n = build(d, n_fr, &err, (int)q + 1, 0, d, tb_below(300));
	}
	send(d, n, err);
	fr[n_fr - 1].besieger = kind < 5;
	others -= kind < 5;
}

static bool quiet(void);

/* While it lasts, nobody else may wait or lose anything; when it is relieved, those who waited come in order. */
static bool siege_step(void)
{
	static bool told;

	if (!besieged_at)
		besieged_at = tb_cycle();
	if (n_fr < total) {
		if (others < 8 && tb_pending(RX) < 3)
			siege_send();
		return false;
	}
	if (!told && !others && !tb_pending(RX)) {
		tb_check(!stats[S_LOST] && !stats[S_FULL] && !nobody_n, "besieged, %llu frames were lost, %llu over a share, %u without body",
			 (unsigned long long)stats[S_LOST], (unsigned long long)stats[S_FULL], nobody_n);
		tb_check(pause_longest < PATIENCE + 2000, "besieged, a pause of %u cycles", pause_longest);
		tb_check(pauses < PATIENCE + (tb_cycle() - besieged_at) / 4, "besieged, %u of %llu cycles were pauses", pauses,
			 (unsigned long long)(tb_cycle() - besieged_at));
		tb_check(!stats[S_RDMA] || outstanding > MISSES, "nobody waits");
		told = relief = true;
		for (unsigned m = 0; m < MISSES; m++)
			miss[m].at = tb_cycle();
	}
	return told && idle && quiet();
}

bool tb_step(void)
{
	static unsigned setup, emptying;
	static uint64_t quiet_since, still, skip_base;
	static unsigned was, base, burst;

	if (!ready || (setup == 0 && tb_cfg_pending()))
		return false;
	tcp_step();
	if (!always_home)
		ctx_step();
	if (seg_n + fw_n + l2_n + homes != was || idle)
		still = tb_cycle();
	was = seg_n + fw_n + l2_n + homes;
	if (tb_cycle() - still > 30000) {
		tb_fail("nothing moves: %u frames are out", outstanding);
		return true;
	}
	/* first the table: all in a speed or fill test, else most */
	if (setup < N_QP) {
		fw_step(0);
		if (!fwc.state) {
			if (always_home || siege || tb_chance(75))
				change(setup);
			setup++;
		}
		return false;
	}
	if (setup == N_QP && fwc.state) {
		fw_step(0);
		return false;
	}
	setup = N_QP + 1;
	if (siege)
		return siege_step();
	if (speed) {
		speed = !speed_step();
		if (!speed) {
			always_home = false;
			base = n_fr;
			skip_base = stats[S_SKIP];
			max_hold = 300;
		}
		return false;
	}
	if (!flood && !fill && n_fr >= base + total && quiet()) { /* at leisure nothing is lost */
		tb_check(!stats[S_FALSE] && !stats[S_PARK], "at leisure frames were let go");
		tb_check(!stats[S_LOST] && stats[S_SKIP] == skip_base && !nobody_n, "at leisure %llu frames were lost, %u without body",
			 (unsigned long long)stats[S_LOST], nobody_n);
		tb_check(stats[S_FULL] <= total / 50, "at leisure %llu frames were over a share", (unsigned long long)stats[S_FULL]);
		flood = true;
		base = n_fr;
		total *= 2;
	}
	if (tb_cycle() % 400 == 0 && !flood)
		rates(20);
	if (flood && tb_cycle() % 2000 == 0) { /* nobody takes anything, then everybody */
		bool stop = tb_cycle() % 8000 < 4000;

		rates(50);
		tb_src_rate(RX, 100);
		if (stop) {
			tb_snk_rate(SEG, tb_chance(50) ? 0 : 1);
			tb_snk_rate(tb_chance(50) ? FW : L2, 0);
		}
	}
	fw_step(fill ? 0 : 10);
	if (n_fr < base + total && (flood ? tb_pending(RX) < 20 : outstanding < 20 && tb_pending(RX) < 4))
		burst ? send_bad(), burst-- : send_one();
	if (flood && !burst && tb_below(4000) == 0)
		burst = 60;
	while (oldest < n_fr && fr[oldest].done)
		oldest++;
	if (n_fr == base + total && flood)
		for (int p = 0; p < STATE; p++)
			tb_snk_rate(p, 100);
	/* what was dropped never ends: frames that are out too long are let go when the card is idle */
	if (idle && quiet())
		outstanding = 0;
	if (n_fr == base + total && quiet() && !fwc.state) {
		if (!quiet_since)
			quiet_since = tb_cycle();
		/* take all out again: the table ends empty */
		if (tb_cycle() - quiet_since > 1000 && emptying < N_QP) {
			if (conn[emptying].e)
				change(emptying);
			else
				emptying++;
			return false;
		}
		return emptying == N_QP && idle;
	}
	if (fwc.state)
		fw_step(0);
	return false;
}

void tb_finish(void)
{
	unsigned n[4] = { 0 }, gone[4] = { 0 }, csum_gone = 0, good_gone = 0;
	uint64_t drops = stats[S_LOST] + stats[S_FULL] + stats[S_PARK] + stats[S_FALSE];

	for (unsigned k = 0; k < n_fr; k++) {
		struct frame *f = &fr[k];

		n[f->cls]++;
		if (f->done)
			continue;
		gone[f->cls]++;
		if (f->cls == C_TCP && !(f->i.ip_ok && f->i.l4_ok))
			csum_gone++;
		else if (f->cls == C_TCP || f->cls == C_OTHER)
			good_gone++;
	}
	tb_check(fill || siege || plain_ip, "no frame to the network device is a fragment, or has options or a bad checksum");
	tb_check(n[C_BAD] == gone[C_BAD] && n[C_ADDR] == gone[C_ADDR], "a frame came out that should not");
	tb_check(stats[S_BAD] <= n[C_BAD] && n[C_BAD] - stats[S_BAD] <= drops, "%u bad frames, counted %llu", n[C_BAD], (unsigned long long)stats[S_BAD]);
	tb_check(stats[S_ADDR] <= n[C_ADDR] && n[C_ADDR] - stats[S_ADDR] <= drops, "%u frames of others, counted %llu", n[C_ADDR],
		 (unsigned long long)stats[S_ADDR]);
	tb_check(stats[S_CSUM] <= csum_gone && csum_gone - stats[S_CSUM] <= drops, "%u bad checksums, counted %llu", csum_gone,
		 (unsigned long long)stats[S_CSUM]);
	tb_check(stats[S_FRAME] + stats[S_LOST] == n_fr, "%u frames, %llu came in, %llu were lost", n_fr, (unsigned long long)stats[S_FRAME],
		 (unsigned long long)stats[S_LOST]);
	tb_check((n[C_BAD] - stats[S_BAD]) + (n[C_ADDR] - stats[S_ADDR]) + (csum_gone - stats[S_CSUM]) + good_gone == drops,
		 "%u good frames did not come out, %llu drops", good_gone, (unsigned long long)drops);
	tb_check(stats[S_RDMA] == seg_n && stats[S_FW] == fw_n && stats[S_L2] == l2_n && stats[S_BUSY] == busies, "counters: %llu segments, seen %u",
		 (unsigned long long)stats[S_RDMA], seg_n);
	tb_check(!flood || TB_DATA_W != 512 || park_most >= PARK_EACH, "no list of parked frames was full: %u", park_most);
	tb_check(!flood || (pauses && nobody_n && stats[S_FULL]), "a flood: pause %u, without body %u, full %llu", pauses, nobody_n,
		 (unsigned long long)stats[S_FULL]);
	tb_check(!siege || (stats[S_PARK] && busies && comings && resumes && fw_n && l2_n), "a siege without besiegers");
	tb_check(fill || siege || (false_n && busies && comings && nones && resumes && stats[S_SLOW] && rem_ok), "something did not occur");
	tb_check(!fill || !ins_full, "%u inserts found no room below 80 %%", ins_full);
	tb_note("%u frames: %u segments (%u given back, %u without body), %u firmware, %u network device; drops: bad %llu address %llu "
			"checksum %llu full %llu park %llu false %llu lost %llu", n_fr, seg_n, false_n, nobody_n, fw_n, l2_n,
			(unsigned long long)stats[S_BAD], (unsigned long long)stats[S_ADDR], (unsigned long long)stats[S_CSUM],
			(unsigned long long)stats[S_FULL], (unsigned long long)stats[S_PARK], (unsigned long long)stats[S_FALSE],
			(unsigned long long)stats[S_LOST]);
		tb_note("ctx: %u home, %u coming, %u busy, %u none, %u resumed; table: %u in, %u full, %u out, %llu displaced", homes, comings, busies,
			nones, resumes, ins_ok, ins_full, rem_ok, (unsigned long long)stats[S_MOVE]);
}
