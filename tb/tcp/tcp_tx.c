// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_tcp_tx against a model written from RFC 5044 (MPA), 5041 (DDP), 5040 (RDMAP), 9293 (TCP), 791 and 8200 (IP).
 *
 * The model builds every frame whole. From the frame under test it takes only the IPv4 identification (any value is
 * legal with DF) and the ACK number, which must be one that receive had committed, not older than the last one sent.
 *
 * Phases: acknowledgement rules one by one; random traffic with errors, several rounds; throughput.
 * +pcap=FILE writes what was sent, every FPDU with CRC, behind a made-up MPA exchange: a dissector can judge it too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { P_SEG, P_SRC, P_INL, P_XQ, P_XS, P_RQ, P_RS, P_COM, P_AR, P_TE, P_FRM, P_CONN, P_L2E, P_RX, P_STATE };
enum { OP_WRITE, OP_READREQ, OP_READRESP, OP_SEND, OP_SENDINV, OP_SENDSE, OP_SENDSEINV, OP_TERM };

#define NQP 16
#define NL2 8
#define MAX_SEGS 4096
#define DELAY_NS 500000

/* ---- the world: connections ---- */
struct conn {
	uint8_t local[16], peer[16];
	uint16_t lport, pport, wnd;
	uint8_t tos, ttl;
	bool v6;
	int l2;
	uint32_t seq;        /* next to hand out */
	uint32_t seq_left;   /* end of what has left */
	uint32_t rcv_nxt;    /* last committed */
	uint32_t acked;      /* last sent */
	bool dead;           /* a segment failed */
	unsigned pure, pure_new;
};
static struct conn conn[NQP];
static struct { uint8_t dmac[6], smac[6]; uint16_t tci; bool vlan, valid; } l2e[NL2];

/* ---- what must come ---- */
struct expect {
	unsigned qp;
	uint32_t seq;
	bool psh;
	size_t len;
	uint8_t *fpdu;
};
static struct expect frames[MAX_SEGS];
static unsigned n_expect, n_got;
static struct { unsigned qp; uint32_t seq; uint16_t wqe; bool is_resp, bus; unsigned err; } errs[MAX_SEGS];
static unsigned n_err, n_err_got;
static unsigned n_ack, n_drop, n_stat_ack, n_stat_drop, n_stat_err, n_stat_seg, n_stat_void, void_left;
static bool idle, dl_valid;
static uint64_t dl, payload_got, last_frame_cycle, max_inflight, inflight;
static FILE *pcap;

/* ---- host memory ---- */
static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x9e3779b97f4a7c15ull;
	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9ull;
	return x ^ x >> 32;
}
static uint8_t mem(uint64_t a) { return (uint8_t)(mix(a >> 3) >> (a & 7) * 8); }
/* Page of a virtual page. STags below 256 are physically contiguous. Odd STags are those of replayed segments. */
static uint64_t phys(uint32_t stag, uint64_t to)
{
	uint64_t odd = (uint64_t)(stag & 1) << 62;

	if (stag < 256)
		return to | odd;
	return odd | (mix(to >> 12 ^ (uint64_t)stag << 40) & 0x7fffffffffull) << 12 | (to & 4095);
}
#define BUS_BAD 0x8000000000000000ull

/* ---- late answers ---- */
struct late {
	struct late *next;
	uint64_t due;
	int port;
	bool err;
	size_t len;
	uint8_t side[64];
	uint8_t data[];
};
static struct late *q_head[2], *q_tail[2];
static unsigned lat_lo = 0, lat_hi = 0;

static void later(int q, int port, const void *data, size_t len, const void *side, size_t side_len, bool err)
{
	struct late *l = calloc(1, sizeof(*l) + len);
	uint64_t due = tb_cycle() + tb_range(lat_lo, lat_hi);

	l->port = port;
	l->len = len;
	l->err = err;
	if (len)
		memcpy(l->data, data, len);
	if (side)
		memcpy(l->side, side, side_len);
	if (q_tail[q] && q_head[q] && q_tail[q]->due > due)
		due = q_tail[q]->due;
	l->due = due;
	if (q_head[q])
		q_tail[q]->next = l;
	else
		q_head[q] = l;
	q_tail[q] = l;
}

static void answers(void)
{
	for (int q = 0; q < 2; q++)
		while (q_head[q] && q_head[q]->due <= tb_cycle()) {
			struct late *l = q_head[q];

			if (l->port == P_XS) {
				tb_item_push(P_XS, l->side, 11);
			} else {
				tb_packet_push(P_RS, l->data, l->len, NULL, 0, l->err);
				inflight--;
			}
			q_head[q] = l->next;
			free(l);
		}
}

static void xl_piece(uint64_t addr, unsigned len, bool last, unsigned err)
{
	struct tb_pack p;

	tb_pack_begin(&p, 85);
	tb_put(&p, 64, addr);
	tb_put(&p, 16, len);
	tb_put(&p, 1, last);
	tb_put(&p, 4, err);
	later(0, P_XS, NULL, 0, p.bits, 11, false);
}

/* STag's top byte says how it fails: 0xe0 | err: translation error, after half of the access when bit 23 is set. */
static void on_xq(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	uint32_t stag;
	uint64_t to;
	unsigned len, fail;

	tb_unpack_begin(&p, bits, 161);
	stag = (uint32_t)tb_get(&p, 32);
	to = tb_get(&p, 64);
	len = (unsigned)tb_get(&p, 16);
	tb_check(len >= 1 && len <= 16384, "translation of %u bytes", len);
	fail = stag >> 28 == 0xe ? stag >> 24 & 15 : 0;
	if (fail && !(stag & 0x800000)) {
		xl_piece(0, 0, true, fail);
		return;
	}
	while (len) {
		unsigned n = stag < 256 ? len : 4096 - (unsigned)(to & 4095);

		if (n > len)
			n = len;
		len -= n;
		xl_piece(phys(stag, to) | (stag >> 24 == 0xd0 ? BUS_BAD : 0), n, !len && !fail, 0);
		to += n;
	}
	if (fail)
		xl_piece(0, 0, true, fail);
}

static void on_rq(int port, const uint8_t *bits, void *arg)
{
	static uint8_t buf[16384];
	struct tb_pack p;
	uint64_t addr;
	unsigned len;
	bool after;

	tb_unpack_begin(&p, bits, 81);
	after = tb_get(&p, 1);
	len = (unsigned)tb_get(&p, 16);
	addr = tb_get(&p, 64);
	tb_check(len >= 1 && len <= 4096, "read of %u bytes", len);
	tb_check((addr & 4095) + len <= 4096, "read crosses a 4 KiB boundary");
	tb_check(after == (addr >> 62 & 1), "replay %d, read after writes %d", (int)(addr >> 62 & 1), after);
	inflight++;
	if (inflight > max_inflight)
		max_inflight = inflight;
	if (addr & BUS_BAD) {
		len = tb_below(len + 1); /* an error may cut the answer short */
		memset(buf, 0xbd, len);
		later(1, P_RS, buf, len, NULL, 0, true);
		return;
	}
	for (unsigned i = 0; i < len; i++)
		buf[i] = mem(addr + i);
	later(1, P_RS, buf, len, NULL, 0, false);
}

/* ---- model of a frame ---- */
static void be16(uint8_t *p, unsigned v) { p[0] = (uint8_t)(v >> 8); p[1] = (uint8_t)v; }
static void be32(uint8_t *p, uint32_t v) { be16(p, v >> 16); be16(p + 2, v & 0xffff); }

static size_t model_frame(uint8_t *f, unsigned qp, uint32_t seq, uint32_t ack, unsigned flags, unsigned id,
			  const uint8_t *pay, size_t len)
{
	struct conn *c = &conn[qp];
	size_t n = 12, ip, tcp;
	uint32_t sum;

	memcpy(f, l2e[c->l2].dmac, 6);
	memcpy(f + 6, l2e[c->l2].smac, 6);
	if (l2e[c->l2].vlan) {
		be16(f + n, 0x8100);
		be16(f + n + 2, l2e[c->l2].tci);
		n += 4;
	}
	be16(f + n, c->v6 ? 0x86dd : 0x0800);
	ip = n += 2;
	if (c->v6) {
		f[n] = (uint8_t)(0x60 | c->tos >> 4);
		f[n + 1] = (uint8_t)(c->tos << 4);
		be16(f + n + 2, 0);
		be16(f + n + 4, (unsigned)(20 + len));
		f[n + 6] = 6;
		f[n + 7] = c->ttl;
		memcpy(f + n + 8, c->local, 16);
		memcpy(f + n + 24, c->peer, 16);
		n += 40;
	} else {
		f[n] = 0x45;
		f[n + 1] = c->tos;
		be16(f + n + 2, (unsigned)(40 + len));
		be16(f + n + 4, id);
		be16(f + n + 6, 0x4000);
		f[n + 8] = c->ttl;
		f[n + 9] = 6;
		be16(f + n + 10, 0);
		memcpy(f + n + 12, c->local, 4);
		memcpy(f + n + 16, c->peer, 4);
		be16(f + n + 10, (uint16_t)~tb_csum(0, f + n, 20));
		n += 20;
	}
	tcp = n;
	be16(f + n, c->lport);
	be16(f + n + 2, c->pport);
	be32(f + n + 4, seq);
	be32(f + n + 8, ack);
	f[n + 12] = 0x50;
	f[n + 13] = (uint8_t)flags;
	be16(f + n + 14, c->wnd);
	be32(f + n + 16, 0);
	n += 20;
	if (len)
		memcpy(f + n, pay, len);
	n += len;
	sum = tb_csum(0, f + ip + (c->v6 ? 8 : 12), c->v6 ? 32 : 8) + 6 + (uint32_t)(20 + len);
	be16(f + tcp + 16, (uint16_t)~tb_csum(sum, f + tcp, 20 + len));
	return n;
}

static void pcap_write(const uint8_t *d, size_t len)
{
	uint32_t h[4] = { (uint32_t)(tb_get_now() / 1000000000u), (uint32_t)(tb_get_now() / 1000 % 1000000), (uint32_t)len,
			  (uint32_t)len };

	fwrite(h, sizeof(h), 1, pcap);
	fwrite(d, len, 1, pcap);
}

static void on_frame(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	static uint8_t want[16384];
	unsigned qp, off = 14, id, flags;
	uint32_t ack, seq;
	size_t n, ip;
	bool v6;

	last_frame_cycle = tb_cycle();
	if (pcap)
		pcap_write(d, len);
	if (len < 54) {
		tb_fail("frame of %zu bytes", len);
		return;
	}
	if (d[12] == 0x81)
		off += 4;
	v6 = d[off - 2] == 0x86;
	ip = off;
	off += v6 ? 40 : 20;
	if (off + 20 > len) {
		tb_fail("frame of %zu bytes is cut short", len);
		return;
	}
	qp = (unsigned)(d[off] << 8 | d[off + 1]) - 1000; /* local port names the QP */
	if (qp >= NQP) {
		tb_fail("frame of port %u", qp + 1000);
		return;
	}
	ack = (uint32_t)d[off + 8] << 24 | (uint32_t)d[off + 9] << 16 | (uint32_t)d[off + 10] << 8 | d[off + 11];
	id = (unsigned)(d[ip + 4] << 8 | d[ip + 5]);
	if ((int32_t)(ack - conn[qp].acked) < 0 || (int32_t)(conn[qp].rcv_nxt - ack) < 0)
		tb_fail("QP %u: ACK %#x, last sent %#x, committed %#x", qp, ack, conn[qp].acked, conn[qp].rcv_nxt);
	if (off + 20 == len) { /* pure ACK */
		seq = conn[qp].seq_left;
		n = model_frame(want, qp, seq, ack, 0x10, id, NULL, 0);
		conn[qp].pure++;
		conn[qp].pure_new += ack != conn[qp].acked;
		n_ack++;
	} else {
		struct expect *e = &frames[n_got];

		if (n_got >= n_expect) {
			tb_fail("data frame that nobody asked for");
			return;
		}
		n_got++;
		if (e->qp != qp)
			tb_fail("data frame of QP %u where QP %u is next", qp, e->qp);
		flags = e->psh ? 0x18 : 0x10;
		n = model_frame(want, e->qp, e->seq, ack, flags, id, e->fpdu, e->len);
		payload_got += e->len;
		if ((int32_t)(e->seq + (uint32_t)e->len - conn[qp].seq_left) > 0)
			conn[qp].seq_left = e->seq + (uint32_t)e->len;
		free(e->fpdu);
		e->fpdu = NULL;
	}
	conn[qp].acked = ack;
	if (n != len)
		tb_fail("QP %u: frame of %zu bytes, model %zu", qp, len, n);
	for (size_t i = 0; i < n && i < len; i++)
		if (d[i] != want[i]) {
			tb_fail("QP %u: frame %u of %zu bytes differs at byte %zu: %02x, model %02x", qp, n_got - 1, len, i, d[i],
				want[i]);
			break;
		}
}

static void on_err(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack p;
	uint64_t qpn, seq, wqe, resp, bus, err;

	tb_unpack_begin(&p, bits, 70);
	qpn = tb_get(&p, 16);
	seq = tb_get(&p, 32);
	wqe = tb_get(&p, 16);
	resp = tb_get(&p, 1);
	bus = tb_get(&p, 1);
	err = tb_get(&p, 4);
	if (n_err_got >= n_err) {
		tb_fail("txerr that nobody asked for");
		return;
	}
	tb_check(errs[n_err_got].qp == qpn && errs[n_err_got].seq == seq && errs[n_err_got].wqe == wqe &&
			 errs[n_err_got].is_resp == resp && errs[n_err_got].bus == bus && errs[n_err_got].err == err,
		 "txerr %u differs: qp %u bus %u err %u", n_err_got, (unsigned)qpn, (unsigned)bus, (unsigned)err);
	n_err_got++;
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	dl = tb_bits_get(bits, 0, 64);
	dl_valid = tb_bits_get(bits, 64, 1);
	idle = tb_bits_get(bits, 65, 1);
	n_stat_seg += (unsigned)tb_bits_get(bits, 66, 1);
	n_stat_ack += (unsigned)tb_bits_get(bits, 67, 1);
	n_stat_drop += (unsigned)tb_bits_get(bits, 68, 1);
	n_stat_err += (unsigned)tb_bits_get(bits, 69, 1);
	n_stat_void += (unsigned)tb_bits_get(bits, 70, 1);
}

/* MPA Request and Reply (RFC 5044 7.1) in front of a connection in the capture, so that a reader knows what follows. */
static void pcap_mpa(unsigned qp)
{
	uint8_t f[128], m[20] = { 0 };
	struct conn *c = &conn[qp], keep = *c;

	memcpy(m, "MPA ID Req Frame", 16);
	m[16] = 0x40;
	m[17] = 1;
	memcpy(c->local, keep.peer, 16);
	memcpy(c->peer, keep.local, 16);
	c->lport = keep.pport;
	c->pport = keep.lport;
	pcap_write(f, model_frame(f, qp, c->rcv_nxt - 20, c->seq - 20, 0x18, 0, m, 20));
	*c = keep;
	memcpy(m, "MPA ID Rep Frame", 16);
	pcap_write(f, model_frame(f, qp, c->seq - 20, c->rcv_nxt, 0x18, 0, m, 20));
}

/* ---- stimulus ---- */
static void put_item(int port, unsigned index, const uint8_t *entry, unsigned bytes)
{
	uint8_t b[66];

	memcpy(b, entry, bytes);
	b[bytes] = (uint8_t)index;
	b[bytes + 1] = 0;
	tb_item_push(port, b, bytes + 2);
}

static void load_rx(unsigned qp)
{
	struct conn *c = &conn[qp];
	uint8_t e[64];
	unsigned scale = tb_below(15);

	tb_rand_bytes(e, 64);
	tb_bits_set(e, WEFT_CTX_RX_RCV_NXT_LSB, 32, c->rcv_nxt);
	tb_bits_set(e, WEFT_CTX_RX_SND_NXT_LSB, 32, c->seq);
	tb_bits_set(e, WEFT_CTX_RX_RCV_WND_LSB, 32, tb_chance(20) ? 0xffffffffu : (uint32_t)c->wnd << scale);
	if (tb_bits_get(e, WEFT_CTX_RX_RCV_WND_LSB, 32) == 0xffffffffu) {
		scale = tb_below(15);
		c->wnd = 0xffff;
	}
	tb_bits_set(e, WEFT_CTX_RX_RCV_WSCALE_LSB, 8, scale);
	tb_bits_set(e, WEFT_CTX_RX_CMD_LSB, 8, WEFT_CTX_CMD_WRITE);
	put_item(P_RX, qp, e, 64);
	c->seq_left = c->seq;
	c->acked = c->rcv_nxt;
	c->dead = false;
}

static void load_conn(unsigned qp, unsigned cmd, bool valid)
{
	struct conn *c = &conn[qp];
	uint8_t e[64];

	tb_rand_bytes(e, 64);
	memcpy(e, c->local, 16);
	memcpy(e + 16, c->peer, 16);
	if (cmd != WEFT_CTX_CMD_WRITE)
		tb_rand_bytes(e, 32); /* not looked at */
	tb_bits_set(e, WEFT_CTX_CONN_LOCAL_PORT_LSB, 16, c->lport);
	tb_bits_set(e, WEFT_CTX_CONN_PEER_PORT_LSB, 16, c->pport);
	tb_bits_set(e, WEFT_CTX_CONN_L2_LSB, 16, (uint64_t)c->l2);
	tb_bits_set(e, WEFT_CTX_CONN_TOS_LSB, 8, c->tos);
	tb_bits_set(e, WEFT_CTX_CONN_TTL_LSB, 8, c->ttl);
	tb_bits_set(e, WEFT_CTX_CONN_IPV6_LSB, 1, c->v6);
	tb_bits_set(e, WEFT_CTX_CONN_VALID_LSB, 1, valid);
	tb_bits_set(e, WEFT_CTX_CONN_CMD_LSB, 8, cmd);
	put_item(P_CONN, qp, e, 64);
}

static void load_l2e(unsigned i)
{
	uint8_t e[16] = { 0 };

	memcpy(e, l2e[i].dmac, 6);
	memcpy(e + 8, l2e[i].smac, 6);
	tb_bits_set(e, WEFT_L2E_VLAN_TCI_LSB, 16, l2e[i].tci);
	tb_bits_set(e, WEFT_L2E_MTU_LSB, 14, 9000);
	tb_bits_set(e, WEFT_L2E_VLAN_LSB, 1, l2e[i].vlan);
	tb_bits_set(e, WEFT_L2E_VALID_LSB, 1, l2e[i].valid);
	put_item(P_L2E, i, e, 16);
}

static void world(void)
{
	for (unsigned i = 0; i < NL2; i++) {
		tb_rand_bytes(l2e[i].dmac, 6);
		tb_rand_bytes(l2e[i].smac, 6);
		l2e[i].tci = (uint16_t)tb_rand();
		l2e[i].vlan = i & 1;
		l2e[i].valid = true;
		load_l2e(i);
	}
	for (unsigned i = 0; i < NQP; i++) {
		struct conn *c = &conn[i];

		c->v6 = i % 4 == 3;
		tb_rand_bytes(c->local, c->v6 ? 16 : 4);
		tb_rand_bytes(c->peer, c->v6 ? 16 : 4);
		c->lport = (uint16_t)(1000 + i);
		c->pport = (uint16_t)tb_rand();
		c->tos = (uint8_t)tb_rand();
		c->ttl = (uint8_t)tb_rand();
		c->l2 = (int)tb_below(NL2);
		c->seq = (uint32_t)tb_rand();
		c->rcv_nxt = (uint32_t)tb_rand();
		c->wnd = (uint16_t)tb_rand();
		load_conn(i, WEFT_CTX_CMD_WRITE, true);
		load_rx(i);
		if (pcap)
			pcap_mpa(i);
	}
}

struct piece {
	unsigned kind; /* tx_src_e */
	unsigned len;
	uint32_t stag;
	uint64_t to;
};

static unsigned lie; /* the next segment says this many bytes too many */

/* Hands one segment to the unit and its frame, if one must come, to the model. */
static void segment(unsigned qp, unsigned op, const struct piece *given, unsigned n, bool crc)
{
	struct piece pc[8];
	bool replay = tb_chance(10);

	crc |= pcap != NULL;
	struct conn *c = &conn[qp];
	unsigned len = 0, hdr, err = 0, bus = 0, fail = 0;
	uint32_t stag = (uint32_t)tb_rand(), msn = (uint32_t)tb_rand(), mo = (uint32_t)tb_rand(), k;
	uint64_t to = tb_rand();
	bool last = tb_chance(50), psh = tb_chance(50), resp = tb_chance(20), is_tagged = op == OP_WRITE || op == OP_READRESP;
	uint16_t wqe = (uint16_t)tb_rand();
	uint8_t *f = calloc(1, 16384), *b;
	struct tb_pack p;
	size_t flen;

	hdr = is_tagged ? 16 : 20;
	for (unsigned i = 0; i < n; i++) {
		pc[i] = given[i];
		pc[i].stag = (pc[i].stag & ~1u) | replay;
	}
	b = f + hdr;
	for (unsigned i = 0; i < n; i++) {
		tb_pack_begin(&p, 164);
		tb_put(&p, 2, pc[i].kind);
		tb_put(&p, 1, i == n - 1);
		tb_put(&p, 32, pc[i].stag);
		tb_put(&p, 64, pc[i].to);
		tb_put(&p, 16, pc[i].kind == 1 ? pc[i].len : tb_below(2) * 77);
		tb_put(&p, 8, 16);
		tb_put(&p, 24, 5);
		tb_put(&p, 16, qp);
		tb_put(&p, 1, 0);
		tb_item_push(P_SRC, p.bits, 21);
		if (pc[i].kind == 1) {
			for (unsigned j = 0; j < pc[i].len; j++)
				b[len + j] = mem(phys(pc[i].stag, pc[i].to + j));
			if (pc[i].stag >> 28 == 0xe && !fail) {
				fail = 1;
				/* a bus error before it in this segment comes first */
				err = pc[i].stag >> 24 & 15;
			}
			if (pc[i].stag >> 24 == 0xd0 && !fail) {
				fail = 1;
				bus = 1;
			}
			len += pc[i].len;
		} else if (pc[i].kind == 2) {
			tb_rand_bytes(b + len, pc[i].len);
			tb_packet_push(P_INL, b + len, pc[i].len, NULL, 0, false);
			len += pc[i].len;
		}
	}
	flen = hdr + len + ((0u - len) & 3);
	be16(f, hdr - 2 + len);
	f[2] = (uint8_t)((is_tagged ? 0x80 : 0) | (last ? 0x40 : 0) | 1);
	f[3] = (uint8_t)(0x40 | op);
	if (is_tagged) {
		be32(f + 4, stag);
		be32(f + 8, (uint32_t)(to >> 32));
		be32(f + 12, (uint32_t)to);
	} else {
		be32(f + 4, op == OP_SENDINV || op == OP_SENDSEINV ? stag : 0);
		be32(f + 8, op == OP_READREQ ? 1 : op == OP_TERM ? 2 : 0);
		be32(f + 12, msn);
		be32(f + 16, mo);
	}
	k = crc ? tb_crc32c(0, f, flen) : 0;
	for (int i = 0; i < 4; i++)
		f[flen + (size_t)i] = (uint8_t)(k >> 8 * i);
	flen += 4;

	tb_pack_begin(&p, 250);
	tb_put(&p, 16, qp);
	tb_put(&p, 32, c->seq);
	tb_put(&p, 4, op);
	tb_put(&p, 1, last);
	tb_put(&p, 32, stag);
	tb_put(&p, 64, to);
	tb_put(&p, 32, msn);
	tb_put(&p, 32, mo);
	tb_put(&p, 16, len + lie);
	tb_put(&p, 1, crc);
	tb_put(&p, 1, psh);
	tb_put(&p, 1, tb_chance(10));
	tb_put(&p, 1, replay);
	tb_put(&p, 16, wqe);
	tb_put(&p, 1, resp);
	tb_item_push(P_SEG, p.bits, 32);

	if ((lie || len > 9216 - 24) && !fail) { /* length that does not agree, or beyond SEG_MAX */
		fail = 1;
		err = 5;
	}
	lie = 0;
	if (fail && !c->dead) {
		c->dead = true;
		errs[n_err].qp = qp;
		errs[n_err].seq = c->seq;
		errs[n_err].wqe = wqe;
		errs[n_err].is_resp = resp;
		errs[n_err].bus = bus;
		errs[n_err++].err = err;
	}
	if (c->dead) {
		n_drop++;
		free(f);
		return;
	}
	frames[n_expect].qp = qp;
	frames[n_expect].seq = c->seq;
	frames[n_expect].psh = psh;
	frames[n_expect].len = flen;
	frames[n_expect++].fpdu = f;
	c->seq += (uint32_t)flen;
}

static void commit(unsigned qp, uint32_t bytes, bool now)
{
	struct tb_pack p;

	conn[qp].rcv_nxt += bytes;
	tb_pack_begin(&p, 50);
	tb_put(&p, 16, qp);
	tb_put(&p, 32, conn[qp].rcv_nxt);
	tb_put(&p, 1, now);
	tb_put(&p, 1, 0);
	tb_item_push(P_COM, p.bits, 7);
}

static void ackreq(unsigned qp)
{
	uint16_t q = (uint16_t)qp;

	tb_item_push(P_AR, &q, 2);
}

static void random_segment(unsigned fail_pct)
{
	static const unsigned sizes[] = { 0, 1, 2, 3, 4, 7, 8, 12, 31, 40, 44, 48, 60, 64, 100, 108, 112, 127, 500, 1400, 4000, 8900 };
	struct piece pc[8];
	unsigned n = 1 + (tb_chance(50) ? tb_below(5) : 0), total = 0;
	unsigned op = tb_below(8);

	for (unsigned i = 0; i < n; i++) {
		unsigned s = tb_chance(70) ? sizes[tb_below(sizeof(sizes) / sizeof(*sizes))] : tb_below(3000);

		pc[i].kind = tb_chance(70) ? 1 : tb_chance(80) ? 2 : 0;
		if (total + s > 8900)
			s = 8900 - total;
		if (pc[i].kind == 2 && s > 224)
			s %= 225;
		if (pc[i].kind == 0)
			s = 0;
		pc[i].len = s;
		pc[i].to = tb_rand() >> 4;
		if (tb_chance(30)) { /* shortly before a carry into any bit, 4 GiB among them */
			unsigned b = tb_chance(40) ? 32 : tb_range(13, 59);

			pc[i].to = ((pc[i].to >> b << b) - tb_range(1, 4096)) & (~0ull >> 4);
		}
		pc[i].stag = tb_chance(30) ? tb_below(256) : 256 + tb_below(100000);
		if (pc[i].kind == 1 && s && tb_chance(fail_pct))
			pc[i].stag = tb_chance(50) ? 0xd0000000u + tb_below(1000) :
						     0xe0000000u | (1 + tb_below(6)) << 24 | tb_below(2) << 23 | 1000;
		total += s;
	}
	lie = tb_chance(fail_pct / 3) ? tb_range(1, 1000) : 0;
	if (!lie && fail_pct && tb_chance(1)) {
		n = 1;
		pc[0] = (struct piece){ 1, tb_range(9193, 12000), 300, tb_rand() >> 4 };
	}
	segment(tb_below(NQP), op, pc, n, tb_chance(80));
}

/* ---- phases ---- */
static unsigned phase, step, wait_left;
static uint64_t mark, t0, got0, base_acks[NQP];
static unsigned sent, rounds;
static bool started, late;

static void rates(unsigned lo)
{
	static const int src[] = { P_SEG, P_SRC, P_INL, P_XS, P_RS, P_COM, P_AR };
	static const int snk[] = { P_XQ, P_RQ, P_TE, P_FRM };

	for (unsigned i = 0; i < sizeof(src) / sizeof(*src); i++)
		tb_src_rate(src[i], tb_range(lo, 100));
	for (unsigned i = 0; i < sizeof(snk) / sizeof(*snk); i++)
		tb_snk_rate(snk[i], tb_range(lo, 100));
	for (int i = P_CONN; i <= P_RX; i++)
		tb_src_rate(i, 100);
}

static bool quiet(void)
{
	for (int i = 0; i <= P_RX; i++)
		if (i != P_XQ && i != P_RQ && i != P_TE && i != P_FRM && tb_pending(i))
			return false;
	return idle && !q_head[0] && !q_head[1] && n_got == n_expect && n_err_got == n_err;
}

static unsigned pure_since(unsigned qp) { return conn[qp].pure - (unsigned)base_acks[qp]; }
static void snapshot(void)
{
	for (unsigned i = 0; i < NQP; i++)
		base_acks[i] = conn[i].pure;
	mark = tb_cycle();
}

/* The rules of acknowledgement, one after another on quiet connections; true at the end. */
static bool ack_rules(void)
{
	unsigned q = 5;
	struct piece pc = { 2, 100, 0, 0 };

	if (!quiet() || tb_cycle() < mark + 60)
		return false;
	switch (step++) {
	case 0:
		snapshot();
		commit(q, 100, true);
		return false;
	case 1:
		tb_check(pure_since(q) == 1 && conn[q].acked == conn[q].rcv_nxt, "commit with now: %u ACKs", pure_since(q));
		snapshot();
		commit(q, 100, false);
		return false;
	case 2:
		tb_check(pure_since(q) == 0, "first of two segments is acknowledged at once");
		tb_check(dl_valid && dl > tb_get_now() && dl <= tb_get_now() + DELAY_NS, "no deadline of the delayed ACK");
		snapshot();
		commit(q, 100, false);
		return false;
	case 3:
		tb_check(pure_since(q) == 1 && conn[q].acked == conn[q].rcv_nxt, "second segment: %u ACKs", pure_since(q));
		snapshot();
		tb_set_now(dl + 100);
		return false;
	case 4:
		tb_check(pure_since(q) == 0 && !dl_valid, "delay of an ACK that was sent: %u ACKs", pure_since(q));
		snapshot();
		commit(q, 100, false);
		return false;
	case 5:
		tb_check(pure_since(q) == 0 && dl_valid, "delay");
		tb_set_now(dl - 100);
		mark = tb_cycle();
		return false;
	case 6:
		tb_check(pure_since(q) == 1 && conn[q].acked == conn[q].rcv_nxt && !dl_valid, "delayed ACK: %u ACKs",
			 pure_since(q));
		snapshot();
		for (int i = 0; i < 5; i++)
			ackreq(q);
		return false;
	case 7:
		tb_check(pure_since(q) == 5, "5 duplicate ACKs asked for, %u sent", pure_since(q));
		snapshot();
		commit(q, 64, false);
		return false;
	case 8:
		segment(q, OP_SEND, &pc, 1, true);
		mark = tb_cycle();
		return false;
	case 9:
		tb_check(pure_since(q) == 0 && conn[q].acked == conn[q].rcv_nxt, "data segment carries the ACK");
		tb_set_now(dl + 100);
		mark = tb_cycle();
		return false;
	case 10:
		tb_check(pure_since(q) == 0, "ACK again after a data segment carried it");
		snapshot();
		commit(q, 64, true);
		for (int i = 0; i < 2; i++)
			ackreq(q);
		commit(q + 1, 64, true);
		commit(q + 2, 64, true);
		return false;
	case 11:
		tb_check(pure_since(q) >= 3 && pure_since(q) <= 3 && pure_since(q + 1) == 1 && pure_since(q + 2) == 1,
			 "ACK and two duplicates: %u; others %u %u", pure_since(q), pure_since(q + 1), pure_since(q + 2));
		/* a connection that is no longer valid sends nothing; one whose link moved sends there */
		snapshot();
		load_conn(q, WEFT_CTX_CMD_WRITE, false);
		void_left = 1;
		return false;
	case 12:
		ackreq(q);
		mark = tb_cycle();
		return false;
	case 13:
		tb_check(pure_since(q) == 0 && n_stat_void == 1, "ACK of a connection that is not valid");
		conn[q].l2 = (conn[q].l2 + 1) % NL2;
		load_conn(q, WEFT_CTX_CMD_WRITE, true);
		conn[q].l2 = (conn[q].l2 + 1) % NL2;
		load_conn(q, WEFT_CTX_CMD_SET_L2, false);
		mark = tb_cycle();
		return false;
	case 14:
		ackreq(q);
		segment(q, OP_WRITE, &pc, 1, true);
		mark = tb_cycle();
		return false;
	default:
		tb_check(pure_since(q) == 1, "after SET_L2: %u ACKs", pure_since(q));
		return true;
	}
}

static void check_dead(void)
{
	/* Dead QPs live again with new contexts; their first segment starts where firmware says. */
	for (unsigned i = 0; i < NQP; i++)
		if (conn[i].dead) {
			conn[i].seq += tb_below(100000);
			conn[i].rcv_nxt += tb_below(1000);
			load_rx(i);
		}
}

struct perf {
	const char *name;
	unsigned segs, len, lat, qps;
	double min_bpc, max_interval; /* at 512 bits */
};
static uint64_t lat_mark;

/* One small in-line segment through an idle unit: cycles from the offer to the last byte of the frame. */
static bool latency(void)
{
	if (!lat_mark) {
		struct piece pc = { 2, 8, 0, 0 };

		if (!quiet())
			return false;
		rates(100);
		n_expect = n_got = 0;
		segment(2, OP_WRITE, &pc, 1, true);
		lat_mark = tb_cycle();
		return false;
	}
	if (!quiet())
		return false;
	tb_note("8-byte in-line Write, idle unit: %llu cycles to the end of the frame", (unsigned long long)(last_frame_cycle - lat_mark));
	tb_check(late || last_frame_cycle - lat_mark <= 60, "latency");
	return true;
}

static const struct perf perfs[] = {
	{ "64 KiB Writes as 8936-byte segments, instant host", 200, 8936, 1, 1, 50, 0 },
	{ "64 KiB Writes as 8936-byte segments, 250 cycles", 200, 8936, 250, 4, 50, 0 },
	{ "1408-byte segments, 250 cycles", 400, 1408, 250, 4, 40, 0 },
	{ "64-byte Writes, instant host", 500, 64, 1, 16, 0, 8 },
	{ "64-byte Writes, 250 cycles", 1000, 64, 250, 16, 0, 8 },
};

static bool perf_phase(void)
{
	const struct perf *f = &perfs[step];
	uint64_t cycles;

	if (sent == 0) {
		if (!quiet())
			return false;
		rates(100);
		lat_lo = lat_hi = f->lat;
		max_inflight = 0;
		n_expect = n_got = 0;
		got0 = payload_got;
		t0 = tb_cycle();
	}
	for (; sent < f->segs && tb_pending(P_SEG) < 20; sent++) {
		struct piece pc = { 1, f->len, 7, 0x100000u + sent * (uint64_t)f->len };

		segment(sent % f->qps, OP_WRITE, &pc, 1, true);
		if (sent % 4 == 3)
			commit(sent % f->qps, 1000, true);
	}
	if (sent < f->segs || !quiet())
		return false;
	cycles = last_frame_cycle - t0 - f->lat * 2;
	{
		double bpc = (double)f->segs * f->len / (double)cycles, iv = (double)cycles / f->segs;

		tb_note("%s: %.1f B/cycle, a segment every %.2f cycles, %llu reads in flight", f->name, bpc, iv,
			(unsigned long long)max_inflight);
		if (late) {
			/* a store that answers late has no gate of speed */
		} else if (TB_DATA_W == 512) {
			tb_check(bpc >= f->min_bpc, "%s: %.1f B/cycle", f->name, bpc);
			tb_check(!f->max_interval || iv <= f->max_interval, "%s: %.2f cycles a segment", f->name, iv);
		} else if (f->len > 1000) {
			tb_check(bpc >= TB_DATA_W / 8 * 0.85, "%s: %.1f B/cycle", f->name, bpc);
		}
	}
	sent = 0;
	return ++step == sizeof(perfs) / sizeof(*perfs);
}

void tb_setup(void)
{
	const char *name = tb_optstr("pcap", NULL);

	if (name && (pcap = fopen(name, "wb"))) {
		uint32_t h[6] = { 0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, 1 };

		fwrite(h, sizeof(h), 1, pcap);
	}
	late = tb_opt("late", 0);
	tb_on_item(P_XQ, on_xq, NULL);
	tb_on_item(P_RQ, on_rq, NULL);
	tb_on_item(P_TE, on_err, NULL);
	tb_on_item(P_STATE, on_state, NULL);
	tb_on_packet(P_FRM, on_frame, NULL);
	tb_set_now(1000000);
	rates(60);
}

bool tb_step(void)
{
	unsigned segs = (unsigned)tb_opt("segs", 250);

	answers();
	switch (phase) {
	case 0:
		if (!started) { /* contexts may be written while the sweep after reset runs */
			world();
			started = true;
		}
		if (tb_cycle() < 100)
			return false;
		if (!ack_rules())
			return false;
		phase = 1;
		sent = 0;
		break;
	case 1: /* random traffic; errors from the second round on */
		/* what was loaded has to be taken: firmware, too, waits for its commits */
		if (sent == 0 && (tb_pending(P_CONN) || tb_pending(P_RX)))
			return false;
		if (sent == 0 && tb_cycle()) {
			rates(rounds == 0 ? 100 : 20);
			lat_lo = tb_below(50);
			lat_hi = lat_lo + tb_below(400);
			if (rounds == 2) { /* a fast host and a slow wire: everything fills up */
				rates(100);
				tb_snk_rate(P_FRM, TB_DATA_W == 512 ? 5 : TB_DATA_W == 128 ? 15 : 25);
				lat_lo = 0;
				lat_hi = 10;
			}
			n_expect = n_got = n_err = n_err_got = 0;
		}
		while (sent < segs && tb_pending(P_SEG) < 8) {
			random_segment(rounds == 0 ? 0 : 3);
			sent++;
			if (tb_chance(40))
				commit(tb_below(NQP), tb_below(3000), tb_chance(50));
			if (tb_chance(10))
				ackreq(tb_below(NQP));
		}
		if (sent < segs || !quiet())
			return false;
		/* what is still owed comes with the delay */
		if (!wait_left) {
			tb_set_now(tb_get_now() + DELAY_NS);
			wait_left = late ? 2000 : 200;
			return false;
		}
		if (--wait_left > 1 || !quiet()) {
			if (!wait_left)
				wait_left = 1;
			return false;
		}
		wait_left = 0;
		for (unsigned i = 0; i < NQP; i++)
			tb_check(conn[i].acked == conn[i].rcv_nxt, "QP %u: %#x committed, %#x acknowledged", i, conn[i].rcv_nxt,
				 conn[i].acked);
		check_dead();
		sent = 0;
		if (++rounds == 4) {
			tb_check(n_stat_drop == n_drop, "%u segments dropped, model %u", n_stat_drop, n_drop);
			tb_check(segs < 200 || (n_drop > 10 && n_stat_err > 3), "only %u drops, %u errors", n_drop, n_stat_err);
			phase = 2;
			step = 0;
		}
		break;
	case 2:
		if (latency())
			phase = 3;
		break;
	default:
		if (perf_phase()) {
			tb_check(n_stat_ack - void_left == n_ack, "stat_ack %u, %u ACKs", n_stat_ack, n_ack);
			return true;
		}
		break;
	}
	return false;
}

void tb_finish(void)
{
	if (pcap)
		fclose(pcap);
	tb_note("%u pure ACKs, %u segments dropped, %u errors", n_ack, n_drop, n_stat_err);
	tb_check(n_got == n_expect && n_err_got == n_err, "%u of %u frames, %u of %u errors", n_got, n_expect, n_err_got, n_err);
	tb_check(phase == 3, "ended in phase %u step %u", phase, step);
}
