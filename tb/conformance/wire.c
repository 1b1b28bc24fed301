/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases 52 to 69: security, bad wires, IPv6 (the rest of which are cases of IPv4 once more). */
#include "conf.h"

/* 52: a stream of Writes while the region is invalidated: when the command has answered, the memory stands still. */
static void revoke(unsigned int arg)
{
	struct link l = up(NULL);
	static uint8_t b[1000], before[65536];

	(void)arg;
	for (unsigned int i = 0; i < 40; i++) {
		fill(b, sizeof(b), i);
		pc_rdma_write(l.c, l.m->stag, l.m->to + 1500 * i, b, sizeof(b));
		if (i % 4 == 3)
			peer_run(p, 500);
	}
	card_mr_set(k, l.m, WEFT_TPT_STATE_INVALID);
	memcpy(before, l.m->p, 65536);
	peer_run(p, 100 * MS);
	NEED(!memcmp(before, l.m->p, 65536), "the memory changed behind the answer");
}

/* 56: a region that two queue pairs of a PD use: the peer of neither can take it from the other. */
static void shared(unsigned int arg)
{
	struct link l = up(NULL), other = up(NULL);
	struct link both = other;
	uint8_t b[64] = { 0 };

	(void)arg;
	both.m = l.m;
	alive(&l);
	alive(&both);
	card_recv(l.q, l.m, 0, 100);
	pc_send(l.c, OP_SEND_INV, l.m->stag, b, sizeof(b));
	want_terminate(&l, 0x0109, 18);
	alive(&both);
}

/* 55: a window of type 2 is its queue pair's alone, in one PD. arg: the other peer invalidates it */
static void second_qp(unsigned int arg)
{
	struct how h = { .mr_access = CARD_ALL | 1 << WEFT_ACCESS_MW_BIND };
	struct link l = up(&h), other = up(NULL), by = l;
	struct card_mr *w = card_window(k, CARD_PD, WEFT_TPT_TYPE_MW);
	uint8_t b[100], before[200];
	struct card_wc wc;

	fill(b, sizeof(b), 9);
	card_bind(l.q, w, l.m, 100, 65436, 1 << WEFT_ACCESS_REMOTE_WRITE | 1 << WEFT_ACCESS_REMOTE_READ | 1 << WEFT_ACCESS_REMOTE_INV);
	NEED(card_wc(l.q, false, &wc, S) && !wc.status && wc.opcode == WEFT_WC_OPCODE_BIND_MW, "it is not bound");
	by.m = w;
	alive(&by);
	memcpy(before, w->p, sizeof(before));
	if (arg) {
		card_recv(other.q, other.m, 0, 100);
		pc_send(other.c, OP_SEND_INV, w->stag, b, sizeof(b));
	} else {
		pc_rdma_write(other.c, w->stag, w->to + 50, b, sizeof(b));
	}
	want_terminate(&other, arg ? 0x0103 : 0x1102, arg ? 18 : 14);
	NEED(!memcmp(before, w->p, sizeof(before)), "memory was changed");
	alive(&by);
	/* its own peer may */
	card_recv(l.q, l.m, 0, 100);
	pc_send(l.c, OP_SEND_INV, w->stag, b, sizeof(b));
	NEED(card_wc(l.q, true, &wc, S) && !wc.status && wc.opcode == WEFT_WC_OPCODE_RECV_INV && wc.inv == w->stag, "it is not invalidated");
	alive(&l);
}

/* 53: a completion queue that nobody reads overflows; its connection ends, another one does not notice. */
static void cq_overflow(unsigned int arg)
{
	uint32_t cqn;
	struct how h = { .qp = card_qp_deaf(k, CARD_PD, CARD_ALL, 2, &cqn) };
	struct link l = up(&h), other = up(NULL);
	uint8_t b[16] = { 1 }, e[64];

	(void)arg;
	for (unsigned int i = 0; i < 12; i++)
		card_recv(l.q, l.m, 16 * i, 16);
	for (unsigned int i = 0; i < 12 && l.c->state == PC_OPEN; i++) {
		pc_send(l.c, OP_SEND, 0, b, 16);
		peer_run(p, 20000);
	}
	NEED(card_event(k, WEFT_EQE_TYPE_CQ_ERROR, e, 2 * S) && LS_GET(e, WEFT_EQE_ID) == cqn, "no event for the overflow");
	traffic(&other, 2, 3000);
}

/* The frame of a SYN to the card's listener in IPv6, from fd00::2 or who it is; its checksum counts all that. */
static size_t syn6(uint8_t *f, const uint8_t src[16], uint16_t sport, bool options, bool good)
{
	static const uint8_t dst[16] = { 0xfd, [15] = 1 };
	uint64_t mac[2] = { ls_mac(ls_host(ls, 0)), ls_mac(ls_host(ls, 1)) };
	uint8_t *t = f + 54;
	uint32_t s = 6 + 20;

	memset(f, 0, 90);
	memcpy(f, &mac[0], 6);
	memcpy(f + 6, &mac[1], 6);
	w16(f + 12, 0x86dd);
	f[14] = 0x60;
	w16(f + 18, options ? 28 : 20);
	f[20] = options ? 60 : 6; /* destination options, RFC 8200 4.6 */
	f[21] = 64;
	memcpy(f + 22, src, 16);
	memcpy(f + 38, dst, 16);
	if (options) {
		memcpy(t, "\6\0\1\4\0\0\0\0", 8);
		t += 8;
	}
	w16(t, sport);
	w16(t + 2, PORT);
	w32(t + 4, 0x1234567);
	w16(t + 12, 5 << 12 | T_SYN);
	w16(t + 14, 65535);
	for (unsigned int i = 0; i < 16; i++)
		s += r16(i < 8 ? src + 2 * i : dst + 2 * (i - 8));
	for (unsigned int i = 0; i < 10; i++)
		s += r16(t + 2 * i);
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	w16(t + 16, (~s & 0xffff) ^ !good);
	return (size_t)(t + 20 - f);
}

/*
 * 69: SYNs over IPv6 that have no answer: a bad checksum, an extension header (it is the host's), a link-local, a mapped or a group's address. One without
 * a fault has one, and the card lives on.
 */
static void strange(unsigned int arg)
{
	static const uint8_t from[][16] = { { 0xfd, [15] = 2 }, { 0xfe, 0x80, [15] = 2 }, { [10] = 0xff, 0xff, 10, 0, 0, 2 }, { 0xff, 2, [15] = 2 }, { [15] = 1 } };
	struct link l = up(NULL);
	uint8_t f[100];

	(void)arg;
	for (unsigned int i = 0; i < 7; i++) {
		uint64_t sent = ls_stat(ls_host(ls, 0), WEFT_STAT_eth_tx_frames), now;

		/* 0: nothing is wrong; 1 bad checksum; 2 options; then the addresses */
		peer_frame(p, f, syn6(f, from[i < 3 ? 0 : i - 2], (uint16_t)(50000 + i), i == 2, i != 1));
		peer_run(p, 500000);
		now = ls_stat(ls_host(ls, 0), WEFT_STAT_eth_tx_frames);
		NEED((now != sent) == !i, "SYN %u: %u frames in answer", i, (unsigned int)(now - sent));
	}
	alive(&l);
}

/* 57 to 62, 66, 67: a bad wire, every byte compared */
static const char *const wires[] = {
	"loss=0.1%,seed=2", "loss=1%,seed=2", "loss=5%,seed=2", "loss=10%,seed=4",           /* 57 */
	"dup=5%,seed=2",                                                                    /* 58 */
	"reorder=5%:1,seed=2", "reorder=5%:3,seed=2", "reorder=2%:100,seed=2",              /* 59 */
	"delay=2ms", "rate=100mbit", "rate=10mbit",                                         /* 60, 62 */
	"corrupt=3%,seed=2", "corrupt-past-fcs=3%,seed=2", "corrupt-past-fcs=2%:6,seed=2",  /* 61 */
};
static void bad_wire(unsigned int arg)
{
	struct pc_attr a = pc_defaults();
	struct how h = { .active = arg & 0x100, .tcp = &a };
	const char *w = wires[arg & 0xff];
	struct link l;

	if (arg & 0x200) /* a box that takes SACK and timestamps away */
		a.sack = a.ts = false;
	l = up(&h);
	NEED(!peer_wire_set(p, w), "wire %s", w);
	traffic(&l, 8, 12000);
	NEED(!strncmp(w, "delay", 5) || !strncmp(w, "rate", 4) || !strncmp(w, "loss=0.1%", 9) || peer_lost(p), "nothing happened to any frame");
	peer_wire_set(p, "none,delay=1us");
	alive(&l);
}

/* 61: several flipped bits that the TCP checksum does not see: the MPA CRC has to. */
static void crc_catches(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t d[300], wire[400];
	size_t h = ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to), n;

	(void)arg;
	memset(l.m->p, 0, 300);
	memset(d + h, 0x55, 200);
	n = fpdu_bytes(wire, d, h + 200, true, false, l.c->out_len - l.c->tx_fpdu0, NULL);
	/* The same change in two words of opposite sign: the sum stays. */
	wire[100] ^= 0x10;
	wire[140] ^= 0x10;
	wire[100] = 0x65;
	wire[140] = 0x45;
	pc_write(l.c, wire, n);
	want_terminate(&l, 0x2002, 0);
	NEED(!l.m->p[0], "placed all the same");
}

/* 63: no frame passes for a while */
static void flap(unsigned int arg)
{
	struct link l = up(NULL);

	traffic(&l, 1, 3000);
	for (unsigned int i = 0; i < 3; i++) {
		struct peer_mr *r = peer_mr(p, 4096);
		struct card_wc wc;

		peer_wire_set(p, "loss=100%");
		ls_link(card_host(k), !arg);
		card_send(l.q, WEFT_SQ_OPCODE_WRITE, l.m, 0, 3000, r->stag, r->to, false);
		peer_run(p, 300 * MS);
		ls_link(card_host(k), true);
		peer_wire_set(p, "none,delay=1us");
		NEED(card_wc(l.q, false, &wc, 20 * S) && !wc.status, "flap %u: status %u", i, wc.status);
		traffic(&l, 1, 3000);
	}
}

static bool four(void *arg)
{
	return ((const struct pc *)arg)->segs_in >= 4;
}

/*
 * 70: who is silent. Towards a Weft, which promises in its SYN, or in its answer to one, to acknowledge within 4 ms, there is a probe and two
 * time-outs within some times that; towards anybody else nothing comes again before 200 ms.
 */
static void silent(unsigned int arg)
{
	struct pc_attr a = pc_defaults();
	struct how h = { .active = arg & 0x100, .tcp = &a };
	bool offers = arg & PC_WEFT, soon = arg & PC_WEFT_ACKS;
	struct peer_mr *r;
	struct card_wc wc;
	struct link l;
	uint64_t second, fourth;

	a.weft = arg & 7;
	l = up(&h);
	NEED(l.c->peer_weft == (h.active ? 3 : offers ? 0x83 : -1), "the card says of itself %d", l.c->peer_weft);
	r = peer_mr(p, 4096);
	l.c->mute = true;
	l.c->segs_in = 0;
	card_send(l.q, WEFT_SQ_OPCODE_WRITE, l.m, 0, 400, r->stag, r->to, false);
	NEED(peer_until(p, four, l.c, 5 * S), "%u segments in 5 s", l.c->segs_in);
	second = l.c->seg_at[1] - l.c->seg_at[0];
	fourth = l.c->seg_at[3] - l.c->seg_at[0];
	NEED(soon ? second >= 4 * MS && fourth < 60 * MS : second >= 200 * MS, "sent again after %u us, for the third time after %u us", (unsigned int)(second / 1000),
	     (unsigned int)(fourth / 1000));
	l.c->mute = false;
	pc_ack(l.c);
	NEED(card_wc(l.q, false, &wc, 20 * S) && !wc.status, "status %u", wc.status);
	traffic(&l, 2, 3000);
}

/* 64: MSS as small as a path may make it; its change while connected needs ICMP and the driver */
static void small_path(unsigned int arg)
{
	struct pc_attr a = pc_defaults();
	struct how h = { .tcp = &a };
	struct link l;

	a.mss = (uint16_t)arg;
	l = up(&h);
	traffic(&l, 3, 20000);
}

static bool more(void *arg)
{
	const uint64_t *a = arg;

	return ((const struct pc *)(uintptr_t)a[0])->in_len > a[1];
}

/* 65: the peer's window closes, opens a little, opens */
static void window(unsigned int arg)
{
	struct pc_attr a = pc_defaults();
	struct how h = { .tcp = &a };
	struct link l;
	struct peer_mr *r;
	struct peer_serve *s;
	struct card_wc wc;

	a.window = arg;
	a.wscale = arg < 65536 ? -1 : 7;
	l = up(&h);
	s = serve(&l);
	r = peer_mr(p, 65536);
	fill(l.m->p, 30000, 8);
	/* No window at all: one byte a time by probes until it opens. */
	l.c->window = 0;
	pc_ack(l.c);
	peer_run(p, MS);
	card_send(l.q, WEFT_SQ_OPCODE_WRITE, l.m, 0, 30000, r->stag, r->to, false);
	peer_run(p, 3 * S);
	NEED(l.c->state == PC_OPEN, "the connection did not survive a closed window");
	if (arg == 1000) {
		uint64_t w[2] = { (uint64_t)(uintptr_t)l.c, l.c->in_len };

		l.c->window = 500;
		pc_ack(l.c);
		NEED(peer_until(p, more, w, 10 * S), "500 bytes of window are not used");
	}
	l.c->window = arg;
	pc_ack(l.c);
	NEED(card_wc(l.q, false, &wc, 120 * S) && !wc.status, "the Write does not complete: status %u", wc.status);
	NEED(!s->fault[0] && same(r->p, 30000, 8), "other bytes %s", s->fault);
}

/* 67: marked by the network although not ECT, then with ECE of the peer: nothing breaks */
static void ecn(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t b[200], d[300];
	size_t h = ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to);

	(void)arg;
	for (unsigned int i = 0; i < 10; i++) {
		struct tcp_seg g = { .sport = l.c->lport, .dport = l.c->rport, .flags = T_ACK | (i & 1 ? T_ECE : T_CWR), .wnd = 2000, .ecn = 3 };
		uint64_t from = l.c->out_len;

		fill(b, 200, i);
		memcpy(d + h, b, 200);
		l.c->hold = true;
		pc_fpdu(l.c, d, h + 200, NULL);
		g.seq = l.c->iss + 1 + (uint32_t)from;
		g.ack = l.c->irs + 1 + (uint32_t)l.c->in_len;
		g.data = l.c->out + from;
		g.len = (uint32_t)(l.c->out_len - from);
		if (l.c->ts) {
			memcpy(g.opt, "\1\1\10\12", 4);
			w32(g.opt + 4, (uint32_t)(peer_now(p) / 1000));
			w32(g.opt + 8, l.c->ts_recent);
			g.opt_len = 12;
		}
		peer_raw(p, &g);
		l.c->nxt = l.c->out_len;
		l.c->hold = false;
		NEED(pc_drain(l.c), "segment %u is not acknowledged", i);
		NEED(same(l.m->p, 200, i), "segment %u has other bytes", i);
	}
	traffic(&l, 1, 3000);
}

/* 68: a segment of an earlier time (RFC 7323 5.3), one without the timestamp that was agreed on (3.2), then the same bytes as they should be. */
static void paws(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t b[200], d[300];
	size_t h = ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to);
	struct tcp_seg g = { .sport = l.c->lport, .dport = l.c->rport, .flags = T_ACK, .wnd = 2000 };
	uint64_t from = l.c->out_len;

	(void)arg;
	NEED(l.c->ts && l.c->sack, "timestamps %d, SACK %d", l.c->ts, l.c->sack);
	memset(l.m->p, 0, 200);
	fill(b, 200, 9);
	memcpy(d + h, b, 200);
	l.c->hold = l.c->no_rexmit = true;
	pc_fpdu(l.c, d, h + 200, NULL);
	l.c->nxt = l.c->out_len;
	g.seq = l.c->iss + 1 + (uint32_t)from;
	g.ack = l.c->irs + 1 + (uint32_t)l.c->in_len;
	g.data = l.c->out + from;
	g.len = (uint32_t)(l.c->out_len - from);
	for (unsigned int i = 0; i < 3; i++) {
		memcpy(g.opt, "\1\1\10\12", 4);
		w32(g.opt + 4, (uint32_t)(peer_now(p) / 1000) - (i ? 0 : 0x1000000));
		w32(g.opt + 8, l.c->ts_recent);
		g.opt_len = i == 1 ? 0 : 12;
		peer_raw(p, &g);
		if (i == 2)
			break;
		peer_run(p, 10 * MS);
		NEED(l.c->una == from && !l.m->p[0], "%s is taken", i ? "a segment without its timestamp" : "an old segment");
	}
	NEED(pc_drain(l.c), "the segment is not acknowledged");
	NEED(same(l.m->p, 200, 9), "other bytes");
	l.c->hold = l.c->no_rexmit = false;
	traffic(&l, 1, 3000);
}

#define A 0x100
#define NOSACK 0x200
const struct test wire_tests[] = {
	{ "52.revoke", "SEC-04", revoke, 0, true },
	{ "53.cq-overflow", "SEC-08", cq_overflow, 0, false },
	{ "54.stag-entropy", "SEC-07", NULL, 0, false },
	{ "55.window-second-qp", "SEC-02 D-13", second_qp, 0, true },
	{ "55.window-invalidated", "SEC-02 R-13", second_qp, 1, false },
	{ "56.invalidate-shared", "SEC-06", shared, 0, false },
	{ "57.loss-0.1", "T-25", bad_wire, 0, false },
	{ "57.loss-1", "T-25", bad_wire, 1, true },
	{ "57.loss-1-active", "T-25", bad_wire, 1 | A, false },
	{ "57.loss-5", "T-25", bad_wire, 2, false },
	{ "57.loss-10", "T-25", bad_wire, 3, false },
	{ "58.duplicates", "D-08", bad_wire, 4, false },
	{ "59.reorder-1", "T-25", bad_wire, 5, false },
	{ "59.reorder-3", "T-25", bad_wire, 6, true },
	{ "59.reorder-100", "T-25", bad_wire, 7, false },
	{ "60.delay", "T-22", bad_wire, 8, false },
	{ "61.bad-fcs", "T-01", bad_wire, 11, false },
	{ "61.one-bit", "T-01", bad_wire, 12, false },
	{ "61.six-bits", "T-01 M-12", bad_wire, 13, false },
	{ "61.good-checksum", "M-12", crc_catches, 0, true },
	{ "62.100-mbit", "T-21", bad_wire, 9, false },
	{ "62.10-mbit", "T-21", bad_wire, 10, false },
	{ "63.silence", "T-09", flap, 0, false },
	{ "63.link-down", "T-09", flap, 1, false },
	{ "64.mss-536", "T-03", small_path, 536, false },
	{ "64.mss-216", "T-03", small_path, 216, false },
	{ "64.change", "M-10 T-28", NULL, 0, false },
	{ "65.window-1000", "T-12 T-13", window, 1000, false },
	{ "65.window-10000", "T-12", window, 10000, false },
	{ "65.window-200000", "T-12", window, 200000, true },
	{ "66.no-sack", "T-23", bad_wire, 1 | NOSACK, false },
	{ "66.no-sack-reorder", "T-23", bad_wire, 6 | NOSACK, false },
	{ "67.ecn", "T-27", ecn, 0, false },
	{ "68.paws", "T-20", paws, 0, true },
	{ "69.loss", "T-25", bad_wire, 1, true },
	{ "69.loss-active", "T-25", bad_wire, 1 | A, false },
	{ "69.reorder", "T-25", bad_wire, 6, false },
	{ "69.six-bits", "T-01 M-12", bad_wire, 13, false },
	{ "69.window", "T-12", window, 10000, false },
	{ "69.paws", "T-20", paws, 0, false },
	{ "69.strange", "T-01 T-16", strange, 0, true },
	{ "70.stranger", "T-22 T-29", silent, 0, true },
	{ "70.stranger-active", "T-22 T-29", silent, A, false },
	{ "70.weft", "T-22 T-29", silent, PC_WEFT | PC_WEFT_ACKS | PC_WEFT_ALIGNED, true },
	{ "70.weft-active", "T-22 T-29", silent, PC_WEFT | PC_WEFT_ACKS | PC_WEFT_ALIGNED | A, true },
	{ "70.no-promise", "T-22 T-29", silent, PC_WEFT, false },
	{ "70.aligned-only", "T-22 T-29", silent, PC_WEFT | PC_WEFT_ALIGNED | A, false },
	{ 0 },
};
