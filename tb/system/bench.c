// SPDX-License-Identifier: BSD-2-Clause
/*
 * Performance in simulated cycles, reproducible: docs/performance.md says what each figure is compared with. Conditions unless
 * a line says otherwise: host read latency 250 cycles, MPS 256, MRRS 512, completions of 64 to 256 bytes, wire round trip 2,500
 * cycles (delay of 5 us each way at 4 ns a cycle).
 *
 * +gate=NAME:MIN ... fails when a figure is below MIN; +only=NAME runs one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lockstep.h"

#define HOST "split,delay=250:250"
#define WIRE "delay=5us"
#define LW (1 << WEFT_ACCESS_LOCAL_WRITE)
#define LR (1 << WEFT_ACCESS_LOCAL_READ)
#define RW (1 << WEFT_ACCESS_REMOTE_WRITE)
#define RR (1 << WEFT_ACCESS_REMOTE_READ)

static struct ls_options base;
static int argc_;
static char **argv_;
static bool failed;
static uint64_t cycles; /* of both cards */

static void figure(const char *name, double value, const char *unit, const char *limit)
{
	for (int i = 1; i < argc_; i++) {
		size_t n = strlen(name);

		if (!strncmp(argv_[i], "+gate=", 6) && !strncmp(argv_[i] + 6, name, n) && argv_[i][6 + n] == ':' &&
		    value < atof(argv_[i] + 7 + n)) {
			printf("# %s is %.3f, below %s\n", name, value, argv_[i] + 7 + n);
			failed = true;
		}
	}
	printf("%-28s %10.3f %-14s %s\n", name, value, unit, limit);
}

struct pair {
	struct ls_qp *qa, *qb;
	struct ls_cq *cqa, *cqb;
	struct ls_mr *src, *dst;
};

/* The station address, which firmware sets from MAC_SET. */
static void station(struct ls_host *h)
{
	uint64_t mac = ls_mac(h);

	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_MAC_LO, (uint32_t)mac);
	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_MAC_HI, (uint32_t)(mac >> 32) & 0xffff);
}

static struct lockstep *world(const char *host, const char *wire)
{
	struct ls_options o = base;
	struct lockstep *ls;

	o.adversary = host;
	o.wire = wire;
	o.memory_bytes = 256u << 20;
	ls = ls_new(&o);
	station(ls_host(ls, 0));
	station(ls_host(ls, 1));
	return ls;
}

static void pair_up(struct lockstep *ls, struct pair *p, unsigned int i, size_t bytes, unsigned int mtu, bool direct)
{
	struct ls_host *a = ls_host(ls, 0), *b = ls_host(ls, 1);
	struct ls_mr_attr src = { .bytes = bytes, .pd = 7 + i, .access = LR | LW | RW, .direct = direct };
	struct ls_mr_attr dst = { .bytes = bytes, .pd = 99 + i, .access = LW | LR | RW | RR, .direct = direct };
	struct ls_qp_attr qa = { .pd = src.pd, .page = 1, .sq_log2 = 8, .sq_stride = WEFT_STRIDE_B64, .ord = 8 };
	struct ls_qp_attr qb = { .pd = dst.pd, .page = 1, .access = RW | RR, .ird = 8 };
	struct ls_link_attr link = { .mtu = mtu, .window = 4u << 20, .cwnd = 2u << 20, .no_hold = true };

	p->cqa = ls_cq_create(a, 10, NULL, 1);
	p->cqb = ls_cq_create(b, 10, NULL, 1);
	qa.scq = qa.rcq = p->cqa;
	qb.scq = qb.rcq = p->cqb;
	p->qa = ls_qp_create(a, &qa);
	p->qb = ls_qp_create(b, &qb);
	p->src = ls_mr_create(a, &src);
	p->dst = ls_mr_create(b, &dst);
	ls_connect(p->qa, p->qb, &link);
}

/* ---- streams of Writes or Reads over n connections ---- */

struct stream {
	struct lockstep *ls;
	struct pair *p;
	unsigned int n, depth, len;
	uint8_t opcode;
	uint64_t posted, done, target, first_cycle, first_done;
};

static void post(struct stream *s, struct pair *p)
{
	struct ls_send wr = { .opcode = s->opcode, .signaled = true, .num_sge = 1 };
	bool read = s->opcode == WEFT_SQ_OPCODE_READ;

	wr.sge[0] = (struct ls_sge){ .mr = p->src, .length = s->len };
	wr.rstag = p->dst->stag;
	wr.raddr = p->dst->to;
	(void)read;
	ls_post_send(p->qa, &wr);
	s->posted++;
}

static bool pump(void *arg)
{
	struct stream *s = arg;

	for (unsigned int i = 0; i < s->n; i++) {
		struct ls_wc wc;
		bool ring = false;

		while (ls_cq_poll(s->p[i].cqa, &wc)) {
			LS_CHECK(s->ls, wc.status == WEFT_WC_STATUS_SUCCESS);
			s->done++;
			post(s, &s->p[i]);
			ring = true;
		}
		if (ring)
			ls_ring_sq(s->p[i].qa);
	}
	return s->done >= s->target;
}

/* messages per cycle, after as many to warm up */
static double rate(struct stream *s, uint64_t warm, uint64_t measured)
{
	uint64_t start;

	for (unsigned int i = 0; i < s->n; i++) {
		for (unsigned int j = 0; j < s->depth; j++)
			post(s, &s->p[i]);
		ls_ring_sq(s->p[i].qa);
	}
	s->target = warm;
	if (!ls_run_until(s->ls, pump, s, 20000000))
		ls_fail(s->ls, "stream stalls after %llu messages", (unsigned long long)s->done);
	start = ls_cycles(s->ls);
	warm = s->done;
	s->target = warm + measured;
	if (!ls_run_until(s->ls, pump, s, 20000000))
		ls_fail(s->ls, "stream stalls after %llu messages", (unsigned long long)s->done);
	return (double)(s->done - warm) / (double)(ls_cycles(s->ls) - start);
}

static void bench_stream(const char *name, uint8_t opcode, unsigned int n, unsigned int depth, unsigned int len, unsigned int mtu,
			 bool direct, uint64_t warm, uint64_t measured, bool bytes, const char *limit)
{
	struct lockstep *ls = world(HOST, WIRE);
	struct pair *p = calloc(n, sizeof(*p));
	struct stream s = { .ls = ls, .p = p, .n = n, .depth = depth, .len = len, .opcode = opcode };
	double r;

	for (unsigned int i = 0; i < n; i++) {
		pair_up(ls, &p[i], i, len, mtu, direct);
		ls_mr_fill(opcode == WEFT_SQ_OPCODE_READ ? p[i].dst : p[i].src, 0, len, i + 1);
	}
	r = rate(&s, warm, measured);
	for (unsigned int i = 0; i < n; i++)
		ls_mr_check(opcode == WEFT_SQ_OPCODE_READ ? p[i].src : p[i].dst, 0, len, i + 1);
	figure(name, bytes ? r * len : r, bytes ? "B/cycle" : "msg/cycle", limit);
	free(p);
	cycles += 2 * ls_cycles(ls);
	ls_free(ls);
}

/* ---- latency ---- */

struct arrival {
	struct pair *p;
	uint8_t want[8];
};

static bool arrived(void *arg)
{
	struct arrival *a = arg;
	uint8_t got[8];

	ls_mr_get(a->p->dst, 0, got, 8);
	return !memcmp(got, a->want, 8);
}

static void bench_latency(void)
{
	struct lockstep *ls = world("none", NULL);
	struct pair p;
	uint64_t start = 0, there = 0;
	struct ls_wc wc = { 0 };

	pair_up(ls, &p, 0, 4096, 9000, true);
	for (int i = 0; i < 3; i++) { /* the first ones warm caches */
		struct arrival a = { .p = &p, .want = { 1, 2, 3, 4, 5, 6, 7, (uint8_t)(i + 1) } };
		struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .inline_bytes = a.want, .inline_length = 8,
				      .rstag = p.dst->stag, .raddr = p.dst->to };

		ls_settle(ls, 1000000);
		ls_post_send(p.qa, &wr);
		start = ls_cycles(ls);
		ls_ring_sq(p.qa);
		LS_CHECK(ls, ls_run_until(ls, arrived, &a, 100000));
		there = ls_cycles(ls);
		wc = ls_cq_wait(p.cqa);
		LS_CHECK(ls, wc.status == WEFT_WC_STATUS_SUCCESS);
	}
	figure("latency_write_8", (double)(there - start), "cycles", "limit 154, target 180; doorbell to peer memory, host and wire 0");
	figure("latency_write_8_cqe", (double)(wc.cycle - start), "cycles", "doorbell to requester's completion");
	cycles += 2 * ls_cycles(ls);
	ls_free(ls);
}

/* ---- L2 path ---- */

#define RING 8 /* log2 */
struct l2 {
	struct ls_host *h;
	struct ls_mem txd, rxd, txc, rxc, buf;
	uint16_t tx_pi, rx_pi, tx_ci, rx_ci;
	uint64_t received;
	struct ls_host *peer;
};

static void l2_bell(struct l2 *l, uint32_t offset, uint16_t index)
{
	uint8_t db[8] = { 0 };
	uint64_t v;

	LS_SET(db, WEFT_DB_QUEUE_INDEX, index);
	memcpy(&v, db, 8);
	ls_doorbell(l->h, 0, offset, v);
}

static void l2_tx(struct l2 *l, unsigned int len)
{
	unsigned int i = l->tx_pi & ((1 << RING) - 1);
	uint8_t *d = l->txd.p + 16 * i, *f = l->buf.p + 2048 * i;
	uint64_t mac = ls_mac(l->peer);

	memcpy(f, &mac, 6);
	memset(d, 0, 16);
	LS_SET(d, WEFT_L2_TXD_ADDR, l->buf.bus + 2048 * i);
	LS_SET(d, WEFT_L2_TXD_LENGTH, len);
	LS_SET(d, WEFT_L2_TXD_LAST, 1);
	l->tx_pi++;
}

static void l2_rx(struct l2 *l)
{
	unsigned int i = l->rx_pi & ((1 << RING) - 1);
	uint8_t *d = l->rxd.p + 16 * i;

	memset(d, 0, 16);
	LS_SET(d, WEFT_L2_RXD_ADDR, l->buf.bus + (2048 << RING) + 2048 * i);
	LS_SET(d, WEFT_L2_RXD_LENGTH, 2048);
	l->rx_pi++;
}

static void l2_open(struct lockstep *ls, struct l2 *l, unsigned int host)
{
	uint8_t e[64] = { 0 };

	l->h = ls_host(ls, host);
	l->peer = ls_host(ls, !host);
	l->txd = ls_alloc(l->h, 16 << RING);
	l->rxd = ls_alloc(l->h, 16 << RING);
	l->txc = ls_alloc(l->h, 16 << RING);
	l->rxc = ls_alloc(l->h, 16 << RING);
	l->buf = ls_alloc(l->h, 4096 << RING);
	LS_SET(e, WEFT_CTX_L2Q_TX_BASE, l->txd.bus);
	LS_SET(e, WEFT_CTX_L2Q_RX_BASE, l->rxd.bus);
	LS_SET(e, WEFT_CTX_L2Q_TX_CQ_BASE, l->txc.bus);
	LS_SET(e, WEFT_CTX_L2Q_RX_CQ_BASE, l->rxc.bus);
	LS_SET(e, WEFT_CTX_L2Q_TX_LOG2, RING);
	LS_SET(e, WEFT_CTX_L2Q_RX_LOG2, RING);
	LS_SET(e, WEFT_CTX_L2Q_TX_VALID, 1);
	LS_SET(e, WEFT_CTX_L2Q_RX_VALID, 1);
	LS_SET(e, WEFT_CTX_L2Q_TX_VECTOR, 1);
	LS_SET(e, WEFT_CTX_L2Q_RX_VECTOR, 1);
	ls_ctx_write(l->h, WEFT_ROOM_L2Q, 0, e);
	for (int i = 0; i < 1 << RING; i++)
		l2_rx(l);
	l2_bell(l, WEFT_DB_L2_RX, l->rx_pi);
}

static bool l2_done(const struct ls_mem *ring, uint16_t *ci)
{
	const uint8_t *c = ring->p + 16 * (*ci & ((1 << RING) - 1));

	if (LS_GET(c, WEFT_L2_CQE_PHASE) == (*ci >> RING & 1))
		return false;
	++*ci;
	return true;
}

static uint64_t l2_target;

static bool l2_pump(void *arg)
{
	struct l2 *l = arg;

	for (int i = 0; i < 2; i++) {
		uint16_t tx = l[i].tx_pi, rx = l[i].rx_pi;

		while (l2_done(&l[i].txc, &l[i].tx_ci))
			l2_tx(&l[i], 1514);
		while (l2_done(&l[i].rxc, &l[i].rx_ci)) {
			l[i].received++;
			l2_rx(&l[i]);
		}
		if (tx != l[i].tx_pi)
			l2_bell(&l[i], WEFT_DB_L2_TX, l[i].tx_pi);
		if (rx != l[i].rx_pi)
			l2_bell(&l[i], WEFT_DB_L2_RX, l[i].rx_pi);
	}
	return l[0].received >= l2_target && l[1].received >= l2_target;
}

static void bench_l2(void)
{
	struct lockstep *ls = world(HOST, WIRE);
	struct l2 l[2] = { 0 };
	uint64_t start, before;

	for (unsigned int i = 0; i < 2; i++)
		l2_open(ls, &l[i], i);
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 128; j++)
			l2_tx(&l[i], 1514);
		l2_bell(&l[i], WEFT_DB_L2_TX, l[i].tx_pi);
	}
	l2_target = 400;
	LS_CHECK(ls, ls_run_until(ls, l2_pump, l, 3000000));
	start = ls_cycles(ls);
	before = l[0].received + l[1].received;
	l2_target += 800;
	LS_CHECK(ls, ls_run_until(ls, l2_pump, l, 3000000));
	figure("l2_1500_each_way", (double)(l[0].received + l[1].received - before) / 2 * 1514 / (double)(ls_cycles(ls) - start),
	       "B/cycle", "both directions at once");
	cycles += 2 * ls_cycles(ls);
	ls_free(ls);
}

static bool wanted(const char *name)
{
	for (int i = 1; i < argc_; i++)
		if (!strncmp(argv_[i], "+only=", 6))
			return !strcmp(argv_[i] + 6, name);
	return true;
}

int main(int argc, char **argv)
{
	char *rest[64] = { argv[0] };
	int keep = 1;

	argc_ = argc;
	argv_ = argv;
	for (int i = 1; i < argc && keep < 64; i++)
		if (argv[i][0] != '+')
			rest[keep++] = argv[i];
	setvbuf(stdout, NULL, _IOLBF, 0);
	base = ls_defaults(keep, rest);
	if (wanted("latency"))
		bench_latency();
	if (wanted("write64k"))
		bench_stream("write_64k_1qp", WEFT_SQ_OPCODE_WRITE, 1, 32, 65536, 9000, false, 24, 48, true, "limit 63 (512 bits)");
	if (wanted("read64k"))
		bench_stream("read_64k_1qp", WEFT_SQ_OPCODE_READ, 1, 8, 65536, 9000, false, 24, 48, true, "limit 63 (512 bits)");
	if (wanted("write64"))
		bench_stream("write_64_64qp", WEFT_SQ_OPCODE_WRITE, 64, 32, 64, 9000, true, 2000, 4000, false, "limit 0.31 (512 bits)");
	if (wanted("l2"))
		bench_l2();
	figure("simulator_alone", (double)cycles / 1000 / ((double)clock() / CLOCKS_PER_SEC), "kcycles/s", "of a card; two cards on a core, wall clock");
	return failed;
}
