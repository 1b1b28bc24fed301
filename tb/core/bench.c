// SPDX-License-Identifier: BSD-2-Clause
/*
 * Performance in simulated cycles, reproducible: docs/performance.md says what each figure is compared with. Conditions unless
 * a line says otherwise: host read latency 250 cycles, MPS 256, MRRS 512, completions of 64 to 256 bytes, wire round trip 2,500
 * cycles (delay of 5 us each way at 4 ns a cycle).
 *
 * +gate=NAME:MIN ... fails when a figure is below MIN; +only=NAME runs one, +curve=N more and more
 * connections up to N (64, 256, ... 65,535); +counters=1 prints the cards' counters behind each figure.
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
#define READS 16 /* IRD and ORD */

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

static void counters(struct lockstep *ls)
{
	for (int i = 1; i < argc_; i++)
		if (!strcmp(argv_[i], "+counters=1"))
			ls_print_counters(ls);
}

/* Where it stands when it stands. */
static _Noreturn void stalls(struct lockstep *ls, const char *name, uint64_t done)
{
	ls_print_counters(ls);
	ls_fail(ls, "%s stalls after %llu messages", name, (unsigned long long)done);
}

struct pair {
	struct ls_qp *q[2];
	struct ls_cq *cq[2];
	struct ls_mr *mr[2]; /* what is sent at 0, what is received behind it */
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

/* @far: 0, or how many connections share a long way: they begin with a congestion window of 2 MiB in all. */
static void pair_up(struct lockstep *ls, struct pair *p, unsigned int i, size_t bytes, unsigned int mtu, bool direct, unsigned int log2, unsigned int far)
{
	struct ls_link_attr link = { .mtu = mtu, .window = 4u << 20, .cwnd = (2u << 20) / (far ? far : 1), .no_hold = true, .sack = far != 0 };

	for (unsigned int k = 0; k < 2; k++) {
		struct ls_host *h = ls_host(ls, k);
		struct ls_mr_attr mr = { .bytes = 2 * bytes, .pd = (k ? 99 : 7) + i, .access = LR | LW | RW | RR, .direct = direct };
		struct ls_qp_attr qa = { .pd = mr.pd, .page = 1, .sq_log2 = log2, .rq_log2 = log2, .access = RW | RR, .ird = READS, .ord = READS };

		p->cq[k] = ls_cq_create(h, log2 + 2, NULL, 1);
		qa.scq = qa.rcq = p->cq[k];
		p->q[k] = ls_qp_create(h, &qa);
		p->mr[k] = ls_mr_create(h, &mr);
	}
	ls_connect(p->q[0], p->q[1], &link);
}

/* ---- streams of messages over n connections ---- */

struct spec {
	const char *name;
	uint8_t opcode;
	unsigned int n, depth, len, mtu;
	bool page_list, is_inline, both; /* both: directions at once; the figure is of each when in bytes, else the sum */
	uint64_t warm, measured;
	bool bytes;
	const char *limit;
};
struct stream {
	const struct spec *s;
	struct lockstep *ls;
	struct pair *p;
	uint64_t done, target;
};

static void post_one(const struct stream *t, struct pair *p, unsigned int k)
{
	const struct spec *s = t->s;
	struct ls_send wr = { .opcode = s->opcode, .signaled = true };
	static const uint8_t some[64] = "in-line bytes";
	bool read = s->opcode == WEFT_SQ_OPCODE_READ;

	if (s->is_inline) {
		wr.inline_bytes = some;
		wr.inline_length = s->len;
	} else {
		wr.num_sge = 1;
		wr.sge[0] = (struct ls_sge){ .mr = p->mr[k], .offset = read ? s->len : 0, .length = s->len };
	}
	if (s->opcode != WEFT_SQ_OPCODE_SEND) {
		wr.rstag = p->mr[!k]->stag;
		wr.raddr = p->mr[!k]->to + (read ? 0 : s->len);
	}
	ls_post_send(p->q[k], &wr);
}

static void post_receive(const struct stream *t, struct pair *p, unsigned int k)
{
	struct ls_sge sge = { .mr = p->mr[k], .offset = t->s->len, .length = t->s->len };

	ls_post_recv(p->q[k], &sge, 1);
}

static bool pump(void *arg)
{
	struct stream *t = arg;

	for (unsigned int i = 0; i < t->s->n; i++)
		for (unsigned int k = 0; k < 2; k++) {
			struct pair *p = &t->p[i];
			struct ls_wc wc;
			bool sent = false, received = false;

			while (ls_cq_poll(p->cq[k], &wc)) {
				LS_CHECK(t->ls, wc.status == WEFT_WC_STATUS_SUCCESS);
				if (wc.opcode & WEFT_WC_OPCODE_RECV) {
					post_receive(t, p, k);
					received = true;
				} else {
					t->done++;
					post_one(t, p, k);
					sent = true;
				}
			}
			if (received)
				ls_ring_rq(p->q[k]);
			if (sent)
				ls_ring_sq(p->q[k]);
		}
	return t->done >= t->target;
}

/* messages per cycle, after as many to warm up */
static double rate(struct stream *t, bool (*pumps)(void *arg))
{
	const struct spec *s = t->s;
	uint64_t start, before;

	for (unsigned int i = 0; i < s->n; i++)
		for (unsigned int k = 0; k < 2; k++) {
			/* One more than are sent at a time: a receive is posted again when its completion is seen. */
			for (unsigned int j = 0; j < 2 * s->depth && s->opcode == WEFT_SQ_OPCODE_SEND; j++)
				post_receive(t, &t->p[i], k);
			if (s->opcode == WEFT_SQ_OPCODE_SEND)
				ls_ring_rq(t->p[i].q[k]);
		}
	for (unsigned int i = 0; i < s->n; i++)
		for (unsigned int k = 0; k < (s->both ? 2 : 1); k++) {
			for (unsigned int j = 0; j < s->depth; j++)
				post_one(t, &t->p[i], k);
			ls_ring_sq(t->p[i].q[k]);
		}
	t->target = s->warm;
	if (!ls_run_until(t->ls, pumps, t, 20000000))
		stalls(t->ls, s->name, t->done);
	start = ls_cycles(t->ls);
	before = t->done;
	t->target = before + s->measured;
	if (!ls_run_until(t->ls, pumps, t, 20000000))
		stalls(t->ls, s->name, t->done);
	return (double)(t->done - before) / (double)(ls_cycles(t->ls) - start);
}

/* The wire loses nothing, so the cards must not: also when all connections come in at once. */
static void lossless(struct lockstep *ls, const char *name)
{
	static const unsigned int lost[] = { WEFT_STAT_tcp_retransmits, WEFT_STAT_eth_rx_drop_full, WEFT_STAT_steer_drop_full };
	static const char *const names[] = { WEFT_STAT_NAMES };

	for (unsigned int h = 0; h < 2; h++)
		for (unsigned int i = 0; i < sizeof(lost) / sizeof(*lost); i++)
			if (ls_stat(ls_host(ls, h), lost[i])) {
				ls_print_counters(ls);
				ls_fail(ls, "%s: %s of %c is %llu", name, names[lost[i]], 'a' + (int)h, (unsigned long long)ls_stat(ls_host(ls, h), lost[i]));
			}
}

static void bench_stream(const struct spec *s)
{
	struct lockstep *ls = world(HOST, WIRE);
	struct pair *p = calloc(s->n, sizeof(*p));
	struct stream t = { .s = s, .ls = ls, .p = p };
	unsigned int log2 = 6;
	double r;

	while (1u << log2 < 2 * s->depth)
		log2++;
	for (unsigned int i = 0; i < s->n; i++) {
		pair_up(ls, &p[i], i, s->len < 64 ? 64 : s->len, s->mtu, !s->page_list, log2, 0);
		for (unsigned int k = 0; k < 2; k++)
			ls_mr_fill(p[i].mr[k], 0, s->len, 2 * i + k + 1);
	}
	r = rate(&t, pump);
	lossless(ls, s->name);
	for (unsigned int i = 0; i < s->n && !s->is_inline; i++)
		for (unsigned int k = 0; k < (s->both ? 2 : 1); k++) {
			bool read = s->opcode == WEFT_SQ_OPCODE_READ;

			ls_mr_check(p[i].mr[read ? k : !k], s->len, s->len, 2 * i + (read ? !k : k) + 1);
		}
	figure(s->name, s->bytes ? r * s->len / (s->both ? 2 : 1) : r, s->bytes ? s->both ? "B/cycle-each" : "B/cycle" : "msg/cycle", s->limit);
	counters(ls);
	free(p);
	cycles += 2 * ls_cycles(ls);
	ls_free(ls);
}

/* ---- many connections: Writes of 64 bytes, each over one drawn at random ---- */

#define UNDER_WAY 512
struct crowd {
	struct lockstep *ls;
	struct ls_qp **q;
	uint8_t *busy; /* of a connection */
	struct ls_cq *cq;
	struct ls_mr *from, *to;
	unsigned int n;
	uint64_t done, target;
};

static void crowd_post(struct crowd *c)
{
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .num_sge = 1 };
	unsigned int i;

	do
		i = (unsigned int)(ls_random(c->ls) >> 20) % c->n;
	while (c->busy[i] >= 60);
	c->busy[i]++;
	wr.sge[0] = (struct ls_sge){ .mr = c->from, .length = 64 };
	wr.rstag = c->to->stag;
	wr.raddr = c->to->to + 64 * (i % 1024);
	ls_post_send(c->q[i], &wr);
	ls_ring_sq(c->q[i]);
}

static bool crowd_pump(void *arg)
{
	struct crowd *c = arg;
	struct ls_wc wc;

	while (ls_cq_poll(c->cq, &wc)) {
		LS_CHECK(c->ls, wc.status == WEFT_WC_STATUS_SUCCESS);
		c->busy[wc.qpn - 1]--;
		c->done++;
		crowd_post(c);
	}
	return c->done >= c->target;
}

static void bench_crowd(unsigned int n)
{
	struct ls_options o = base;
	struct ls_cq *idle; /* of the peer */
	struct crowd c = { .n = n, .q = calloc(n, sizeof(*c.q)), .busy = calloc(n, 1) };
	struct ls_link_attr link = { .mtu = 9000, .window = 65536, .cwnd = 65536, .no_hold = true };
	uint64_t start, before;
	char name[32];

	snprintf(name, sizeof(name), "write_64_%uqp_random", n);
	o.adversary = HOST;
	o.wire = WIRE;
	o.memory_bytes = (256u << 20) + (size_t)n * 12288;
	c.ls = ls_new(&o);
	for (unsigned int k = 0; k < 2; k++) {
		struct ls_host *h = ls_host(c.ls, k);
		struct ls_mr_attr mr = { .bytes = 65536, .pd = 7, .access = LR | LW | RW, .direct = true };
		struct ls_mr **to = k ? &c.to : &c.from;

		station(h);
		*to = ls_mr_create(h, &mr);
	}
	ls_mr_fill(c.from, 0, 64, 1);
	c.cq = ls_cq_create(ls_host(c.ls, 0), 14, NULL, 1);
	idle = ls_cq_create(ls_host(c.ls, 1), 6, NULL, 1);
	for (unsigned int i = 0; i < n; i++) {
		struct ls_qp_attr qa = { .pd = 7, .page = 1, .access = RW, .scq = c.cq, .rcq = c.cq };
		struct ls_qp *peer;

		c.q[i] = ls_qp_create(ls_host(c.ls, 0), &qa);
		qa.scq = qa.rcq = idle;
		peer = ls_qp_create(ls_host(c.ls, 1), &qa);
		ls_connect(c.q[i], peer, &link);
	}
	for (unsigned int i = 0; i < UNDER_WAY; i++)
		crowd_post(&c);
	c.target = 4000;
	if (!ls_run_until(c.ls, crowd_pump, &c, 20000000))
		stalls(c.ls, name, c.done);
	start = ls_cycles(c.ls);
	before = c.done;
	c.target = before + 8000;
	if (!ls_run_until(c.ls, crowd_pump, &c, 20000000))
		stalls(c.ls, name, c.done);
	figure(name, (double)(c.done - before) / (double)(ls_cycles(c.ls) - start), "msg/cycle", n > 1024 ? "bound 0.098 (homes over PCIe)" : "limit 0.31");
	free(c.q);
	free(c.busy);
	cycles += 2 * ls_cycles(c.ls);
	ls_free(c.ls);
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

	ls_mr_get(a->p->mr[1], 0, got, 8);
	return !memcmp(got, a->want, 8);
}

/* Fails beyond `most`. */
static void latency(const char *name, const char *cqe, bool push, unsigned int most, const char *limit)
{
	struct lockstep *ls = world("none", NULL);
	struct pair p;
	uint64_t start = 0, there = 0;
	struct ls_wc wc = { 0 };

	pair_up(ls, &p, 0, 4096, 9000, true, 6, 0);
	for (int i = 0; i < 3; i++) { /* the first ones warm caches */
		struct arrival a = { .p = &p, .want = { 1, 2, 3, 4, 5, 6, 7, (uint8_t)(i + 1) } };
		struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .inline_bytes = a.want, .inline_length = 8,
				      .rstag = p.mr[1]->stag, .raddr = p.mr[1]->to };

		ls_settle(ls, 1000000);
		ls_post_send(p.q[0], &wr);
		start = ls_cycles(ls);
		if (push)
			ls_push_sq(p.q[0], 0);
		else
			ls_ring_sq(p.q[0]);
		LS_CHECK(ls, ls_run_until(ls, arrived, &a, 100000));
		there = ls_cycles(ls);
		wc = ls_cq_wait(p.cq[0]);
		LS_CHECK(ls, wc.status == WEFT_WC_STATUS_SUCCESS);
	}
	LS_CHECK(ls, there - start <= most);
	if (push)
		LS_CHECK(ls, ls_stat(ls_host(ls, 0), WEFT_STAT_push_taken) == 3);
	figure(name, (double)(there - start), "cycles", limit);
	figure(cqe, (double)(wc.cycle - start), "cycles", "doorbell to requester's completion");
	cycles += 2 * ls_cycles(ls);
	ls_free(ls);
}

static void bench_latency(void)
{
	latency("latency_write_8", "latency_write_8_cqe", false, 160, "limit 154, target 160; doorbell to peer memory, host and wire 0");
	latency("latency_push_8", "latency_push_8_cqe", true, 135, "target 135; the WQE comes with its doorbell");
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

/*
 * ---- one connection, or sixteen (+qps=N: N), over a long way that loses frames: Writes of 64 KiB, a round trip of 40 us, a window of 2 MiB. +fixed=1 names the rows of a model
 * whose congestion window stays at 2 MiB (TEST_CWND): what recovery alone costs.
 */

#define FAR "delay=20us"
#define TRIP 10000 /* cycles */
struct far {
	const char *name, *wire;
	double lost;             /* of all frames; 0: none */
	unsigned int measured;   /* messages: ten losses or more */
	unsigned int qps, seeds;
};

/* What Reno's formula gives in bytes a cycle: 1.22 MSS / (RTT sqrt p), RTT that of the wire: what the cards add is left out. */
static double reno(double p)
{
	double r = p;

	for (int i = 0; i < 40; i++) /* its root */
		r = (r + p / r) / 2;
	return 1.22 * 8960 / (TRIP * r);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static unsigned int option(const char *name, unsigned int otherwise)
{
	size_t n = strlen(name);

	for (int i = 1; i < argc_; i++)
		if (argv_[i][0] == '+' && !strncmp(argv_[i] + 1, name, n) && argv_[i][n + 1] == '=')
			return (unsigned int)atoi(argv_[i] + n + 2);
	return otherwise;
}

/* +trips=CYCLES (1: a round trip): how much leaves in so many, what is sent again included: the congestion window as the wire sees it. */
static bool far_pump(void *arg)
{
	static struct lockstep *of;
	static uint64_t next, bytes, lost;
	struct stream *t = arg;
	uint64_t trip = option("trips", 0) > 1 ? option("trips", 0) : TRIP;

	if (of != t->ls || ls_cycles(t->ls) >= next) {
		const struct impair_stats *w = ls_wire_stats(t->ls, 0);

		if (of == t->ls)
			printf("# trip %llu: %llu B, %llu lost, %llu messages\n", (unsigned long long)next / trip, (unsigned long long)(w->bytes - bytes), (unsigned long long)(w->lost - lost),
			       (unsigned long long)t->done);
		of = t->ls;
		next = ls_cycles(t->ls) / trip * trip + trip;
		bytes = w->bytes;
		lost = w->lost;
	}
	return pump(t);
}

static void bench_far(const struct far *f)
{
	static const struct spec s = { "", WEFT_SQ_OPCODE_WRITE, 1, 64, 65536, 9000, true, false, false, 0, 0, true, "" };
	enum { SEEDS = 5 };
	double r[SEEDS];
	char limit[160], name[48];
	int seeds = f->seeds > 1 ? (int)option("seeds", f->seeds) : 1;
	bool fixed = option("fixed", 0);
	unsigned long long lost = 0, again = 0;

	if (seeds < 1 || seeds > SEEDS)
		seeds = SEEDS;

	for (int i = 0; i < seeds; i++) {
		struct spec each = s;
		struct lockstep *ls;
		struct pair *p;
		struct stream t = { .s = &each };
		const struct impair_stats *w;
		struct ls_options was = base;

		each.name = f->name;
		each.warm = f->qps > 1 ? 64 * f->qps : 128; /* what the window of all holds, twice */
		each.measured = option("measured", f->measured);
		base.seed = was.seed + (uint64_t)i;
		base.ring_shift = option("shift", 3);
		ls = t.ls = world(HOST, f->wire);
		base = was;
		each.n = option("qps", f->qps);
		t.p = p = calloc(each.n, sizeof(*p));
		for (unsigned int k = 0; k < each.n; k++) {
			pair_up(ls, &p[k], k, each.len, each.mtu, false, 7, each.n);
			ls_mr_fill(p[k].mr[0], 0, each.len, k + 1);
		}
		r[i] = rate(&t, option("trips", 0) ? far_pump : pump) * each.len;
		for (unsigned int k = 0; k < each.n; k++)
			ls_mr_check(p[k].mr[1], each.len, each.len, k + 1);
		free(p);
		w = ls_wire_stats(ls, 0);
		printf("# %s seed %llu: %.1f B/cycle, %llu frames lost, %llu late; %llu sent again, %llu time-outs, %llu placed ahead of turn\n", f->name, (unsigned long long)was.seed + (unsigned)i, r[i],
		       (unsigned long long)w->lost, (unsigned long long)w->reordered, (unsigned long long)ls_stat(ls_host(ls, 0), WEFT_STAT_tcp_retransmits),
		       (unsigned long long)ls_stat(ls_host(ls, 0), WEFT_STAT_tcp_timeouts), (unsigned long long)ls_stat(ls_host(ls, 1), WEFT_STAT_rx_ahead));
		lost += w->lost;
		again += ls_stat(ls_host(ls, 0), WEFT_STAT_tcp_retransmits);
		counters(ls);
		cycles += 2 * ls_cycles(ls);
		ls_free(ls);
	}
	qsort(r, (size_t)seeds, sizeof(*r), by_value);
	if (f->lost == 0)
		snprintf(limit, sizeof(limit), "%d seeds, %.1f to %.1f; clean 61", seeds, r[0], r[seeds - 1]);
	else
		snprintf(limit, sizeof(limit), "%d seeds, %.1f to %.1f; %s%.1f; sent again %.2f for each that was lost", seeds, r[0], r[seeds - 1], fixed || f->qps > 1 ? "clean " : "Reno's formula ",
			 fixed || f->qps > 1 ? 61.0 : reno(f->lost), lost ? (double)again / (double)lost : 0);
	snprintf(name, sizeof(name), "%s%s", f->name, fixed ? "_fixed" : "");
	figure(name, r[seeds / 2], "B/cycle", limit);
}

/* Ten losses, and five seeds where that does not take half an hour. Of one connection, then of sixteen. */
static const struct far fars[] = {
	{ "far_clean", FAR, 0, 256, 1, 1 },
	{ "far_loss_0.01", FAR ",loss=0.01%", 0.0001, 16000, 1, 1 },
	{ "far_loss_0.1", FAR ",loss=0.1%", 0.001, 1600, 1, 5 },
	{ "far_loss_1", FAR ",loss=1%", 0.01, 200, 1, 5 },
	{ "far_loss_5", FAR ",loss=5%", 0.05, 100, 1, 5 },
	{ "far_late_1", FAR ",reorder=1%:3", 0, 200, 1, 5 },
	{ "far_late_5", FAR ",reorder=5%:3", 0, 200, 1, 5 },
	{ "far_clean_16qp", FAR, 0, 2048, 16, 1 },
	{ "far_loss_0.01_16qp", FAR ",loss=0.01%", 0.0001, 16000, 16, 1 },
	{ "far_loss_0.1_16qp", FAR ",loss=0.1%", 0.001, 2048, 16, 3 },
	{ "far_loss_1_16qp", FAR ",loss=1%", 0.01, 2048, 16, 3 },
	{ "far_loss_5_16qp", FAR ",loss=5%", 0.05, 1024, 16, 3 },
	{ "far_late_1_16qp", FAR ",reorder=1%:3", 0, 2048, 16, 3 },
};

static const struct spec specs[] = {
	{ "write_64k_1qp", WEFT_SQ_OPCODE_WRITE, 1, 32, 65536, 9000, true, false, false, 24, 48, true, "limit 63 (512 bits)" },
	{ "write_64k_each_way", WEFT_SQ_OPCODE_WRITE, 1, 32, 65536, 9000, true, false, true, 48, 96, true, "limit 63, target 56" },
	{ "read_64k_1qp", WEFT_SQ_OPCODE_READ, 1, 8, 65536, 9000, true, false, false, 24, 48, true, "limit 63 (512 bits)" },
	{ "write_64k_mtu1500", WEFT_SQ_OPCODE_WRITE, 1, 32, 65536, 1500, true, false, false, 24, 48, true, "limit 57, target 52" },
	{ "write_64k_mtu1500_each_way", WEFT_SQ_OPCODE_WRITE, 1, 32, 65536, 1500, true, false, true, 48, 96, true, "limit 57, target 48" },
	{ "write_64_64qp", WEFT_SQ_OPCODE_WRITE, 64, 32, 64, 9000, false, false, false, 2000, 4000, false, "limit 0.31 unpacked, target 0.25" },
	{ "write_64_64qp_each_way", WEFT_SQ_OPCODE_WRITE, 64, 32, 64, 9000, false, false, true, 2000, 4000, false, "sum of both, target 0.4" },
	{ "write_64_64qp_page_list", WEFT_SQ_OPCODE_WRITE, 64, 32, 64, 9000, true, false, false, 2000, 4000, false, "target 0.25" },
	{ "write_64_1qp", WEFT_SQ_OPCODE_WRITE, 1, 512, 64, 9000, false, false, false, 2000, 4000, false, "target 0.1" },
	{ "write_8_1qp", WEFT_SQ_OPCODE_WRITE, 1, 512, 8, 9000, false, true, false, 2000, 4000, false, "in-line, target 0.1" },
	{ "send_64_1qp", WEFT_SQ_OPCODE_SEND, 1, 512, 64, 9000, false, false, false, 2000, 4000, false, "target 0.1" },
	{ "send_64_64qp", WEFT_SQ_OPCODE_SEND, 64, 32, 64, 9000, false, false, false, 2000, 4000, false, "limit 0.31 unpacked" },
	{ "read_64_64qp", WEFT_SQ_OPCODE_READ, 64, 16, 64, 9000, false, false, false, 2000, 4000, false, "target 0.2" },
};

/* What +only names, else what +gate names, else everything. */
static bool wanted(const char *name)
{
	bool some = false;
	size_t n = strlen(name);

	for (int i = 1; i < argc_; i++)
		if (!strncmp(argv_[i], "+only=", 6))
			return !strcmp(argv_[i] + 6, name);
	for (int i = 1; i < argc_; i++)
		if (!strncmp(argv_[i], "+gate=", 6)) {
			some = true;
			if (!strncmp(argv_[i] + 6, name, n) && argv_[i][6 + n] == ':')
				return true;
		}
	return !some;
}

int main(int argc, char **argv)
{
	char *rest[64] = { argv[0] };
	unsigned int most = 0; /* connections of the curve */
	int keep = 1;

	argc_ = argc;
	argv_ = argv;
	for (int i = 1; i < argc && keep < 64; i++)
		if (!strncmp(argv[i], "+curve=", 7))
			most = (unsigned int)atoi(argv[i] + 7);
		else if (argv[i][0] != '+')
			rest[keep++] = argv[i];
	setvbuf(stdout, NULL, _IOLBF, 0);
	base = ls_defaults(keep, rest);
	if (wanted("latency"))
		bench_latency();
	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++)
		if (wanted(specs[i].name))
			bench_stream(&specs[i]);
	for (unsigned int n = 64; n <= most; n *= 4)
		if (wanted("crowd"))
			bench_crowd(n < 65536 ? n : 65535); /* QPN 0 is nobody's */
	for (size_t i = 0; i < sizeof(fars) / sizeof(*fars); i++)
		if (wanted(fars[i].name))
			bench_far(&fars[i]);
	if (wanted("l2_1500_each_way"))
		bench_l2();
	figure("simulator_alone", (double)cycles / 1000 / ((double)clock() / CLOCKS_PER_SEC), "kcycles/s", "of a card; two cards on a core, wall clock");
	return failed;
}
