// SPDX-License-Identifier: BSD-2-Clause
/*
 * Regions and the provider's ways of posting and polling, over a connection, every byte compared:
 *
 *   weft-verbs serve PORT              takes connections; on each it does what the client's messages say with the
 *                                      client's memory (Write, Read) and answers with the status of it
 *   weft-verbs regions ADDRESS PORT    regions of every kind, used by the server
 *   weft-verbs provider ADDRESS PORT   ibv_wr_*, extended CQs, domains, fork
 *   weft-verbs resize ADDRESS PORT     a CQ gets larger and smaller rings while completions come
 *   weft-verbs stuck                   rights of a region that do not change, as the card is told not to let go of the old
 *                                      ones; the next time they do
 *   weft-verbs limits                  what the device says of itself, and what it refuses
 *   weft-verbs hold ADDRESS PORT       a connection and regions that stay, for whoever looks at them
 *
 * A line for each case: 'ok NAME' or 'not ok NAME: what was seen'; exit status 1 when one failed, 2 when the scene could
 * not be set.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/verbs.h>
#include <linux/udmabuf.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

enum { BYTES = 1 << 18, PAGE = 4096, HUGE = 2 << 20 };
enum { OP_WRITE = 1, OP_READ, OP_END, OP_IMM, OP_ADD, OP_SWAP };

struct order { uint64_t addr; uint32_t op, rkey, length, seed; };
struct answer { uint32_t status, wrong; };
struct offer { uint64_t addr; uint32_t rkey, zero; };

static int bad;
static struct rdma_cm_id *id;
static struct ibv_pd *pd;
static const char *address, *port;
static uint8_t *work;			/* BYTES, of the server */

static void die(const char *what)
{
	printf("not ok %s: %s\n", what, strerror(errno));
	exit(2);
}

static void verdict(bool good, const char *name, const char *what, long a, long b)
{
	if (good) {
		printf("ok %s\n", name);
	} else {
		printf("not ok %s: %s %ld %ld\n", name, what, a, b);
		bad = 1;
	}
}

static uint8_t byte_of(uint32_t seed, uint64_t at)
{
	uint64_t z = ((uint64_t)seed << 40) + (at >> 3) * 0x9e3779b97f4a7c15ull + 0x1234567;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	return (uint8_t)((z ^ (z >> 27)) >> (at & 7) * 8);
}

static void fill(uint8_t *p, uint32_t seed, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = byte_of(seed, i);
}

static long differ(const uint8_t *p, uint32_t seed, size_t n)
{
	long wrong = 0;

	for (size_t i = 0; i < n; i++)
		wrong += p[i] != byte_of(seed, i);
	return wrong;
}

static void *pages(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (p == MAP_FAILED)
		die("memory");
	return p;
}

static struct rdma_addrinfo *resolve(const char *a, const char *p, bool passive)
{
	struct rdma_addrinfo hints = { .ai_flags = passive ? RAI_PASSIVE : 0, .ai_port_space = RDMA_PS_TCP }, *r;

	if (rdma_getaddrinfo(a, p, &hints, &r))
		die("rdma_getaddrinfo");
	return r;
}

static struct ibv_qp_init_attr attr = { .cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 4, .max_recv_sge = 4,
	.max_inline_data = 64 }, .sq_sig_all = 1, .qp_type = IBV_QPT_RC };

/* ---- the server ---- */
static bool serve_one(struct rdma_cm_id *c)
{
	struct ibv_mr *mr = ibv_reg_mr(c->pd, work, BYTES, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
		IBV_ACCESS_REMOTE_ATOMIC);
	struct offer f = { (uintptr_t)work, mr ? mr->rkey : 0, 0 };
	struct rdma_conn_param p = { .responder_resources = 4, .initiator_depth = 4, .private_data = &f, .private_data_len = sizeof(f) };
	static struct order o;
	static struct answer a;
	struct ibv_mr *in = rdma_reg_msgs(c, &o, sizeof(o)), *out = rdma_reg_msgs(c, &a, sizeof(a));
	bool end = false;
	struct ibv_wc wc;

	if (!mr || !in || !out || rdma_post_recv(c, NULL, &o, sizeof(o), in) || rdma_accept(c, &p))
		die("accept");
	while (!end && rdma_get_recv_comp(c, &wc) > 0 && !wc.status) {
		struct order now = o;

		if (rdma_post_recv(c, NULL, &o, sizeof(o), in))
			break;
		end = now.op == OP_END;
		if (now.op == OP_WRITE) {
			fill(work, now.seed, now.length);
			if (rdma_post_write(c, NULL, work, now.length, mr, 0, now.addr, now.rkey))
				break;
		} else if (now.op == OP_IMM) { /* the seed is the immediate, too */
			struct ibv_sge sge = { (uintptr_t)work, now.length, mr->lkey };
			struct ibv_send_wr wr = { .opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .sg_list = &sge, .num_sge = 1,
				.imm_data = htonl(now.seed), .wr.rdma = { now.addr, now.rkey } }, *bad_wr;

			fill(work, now.seed, now.length);
			if (ibv_post_send(c->qp, &wr, &bad_wr))
				break;
		} else if (now.op == OP_ADD || now.op == OP_SWAP) { /* the length is what is compared */
			struct ibv_sge sge = { (uintptr_t)work + 3, 8, mr->lkey };
			struct ibv_send_wr wr = { .opcode = now.op == OP_ADD ? IBV_WR_ATOMIC_FETCH_AND_ADD : IBV_WR_ATOMIC_CMP_AND_SWP, .sg_list = &sge,
				.num_sge = 1, .wr.atomic = { now.addr, now.op == OP_ADD ? now.seed : now.length, now.seed, now.rkey } }, *bad_wr;

			if (ibv_post_send(c->qp, &wr, &bad_wr))
				break;
		} else if (now.op == OP_READ) {
			memset(work, 0xee, now.length);
			if (rdma_post_read(c, NULL, work, now.length, mr, 0, now.addr, now.rkey))
				break;
		}
		if (!end && (rdma_get_send_comp(c, &wc) <= 0 || wc.status))
			break;
		if (now.op >= OP_ADD && (wc.opcode != (now.op == OP_ADD ? IBV_WC_FETCH_ADD : IBV_WC_COMP_SWAP) || wc.byte_len != 8))
			break;
		a = (struct answer){ 0, now.op == OP_READ ? (uint32_t)differ(work, now.seed, now.length) : 0 };
		if (now.op >= OP_ADD) /* the value before, its low half */
			memcpy(&a.wrong, work + 3, 4);
		if (rdma_post_send(c, NULL, &a, sizeof(a), out, 0) || rdma_get_send_comp(c, &wc) <= 0 || wc.status)
			break;
	}
	rdma_disconnect(c);
	rdma_dereg_mr(in);
	rdma_dereg_mr(out);
	ibv_dereg_mr(mr);
	rdma_destroy_ep(c);
	return end;
}

static void serve(void)
{
	struct rdma_cm_id *l, *c;

	work = pages(BYTES);
	if (rdma_create_ep(&l, resolve(NULL, port, true), NULL, &attr) || rdma_listen(l, 4))
		die("listen");
	do {
		if (rdma_get_request(l, &c))
			die("request");
	} while (!serve_one(c));
	exit(0);
}

/* ---- the client: one connection at a time ---- */
static struct order *order;
static struct answer *answer;
static struct ibv_mr *order_mr, *answer_mr;

static void reconnect(void)
{
	struct rdma_conn_param p = { .responder_resources = 4, .initiator_depth = 4, .retry_count = 7 };
	struct ibv_qp_init_attr mine = attr; /* the CQs are put in */

	if (id) {
		rdma_disconnect(id);
		ibv_dereg_mr(order_mr);
		ibv_dereg_mr(answer_mr);
		rdma_destroy_ep(id);
	}
	if (rdma_create_ep(&id, resolve(address, port, false), NULL, &mine))
		die("endpoint");
	pd = id->pd;
	order = pages(PAGE);
	answer = pages(PAGE);
	order_mr = rdma_reg_msgs(id, order, sizeof(*order));
	answer_mr = rdma_reg_msgs(id, answer, sizeof(*answer));
	if (!order_mr || !answer_mr || rdma_connect(id, &p))
		die("connect");
}

/* What the server met: bytes that differ; -1: the connection is lost. */
static long ask(uint32_t op, uint64_t addr, uint32_t rkey, uint32_t length, uint32_t seed)
{
	struct ibv_wc wc;

	*order = (struct order){ addr, op, rkey, length, seed };
	if (rdma_post_recv(id, NULL, answer, sizeof(*answer), answer_mr) ||
	    rdma_post_send(id, NULL, order, sizeof(*order), order_mr, 0))
		return -1;
	if (rdma_get_send_comp(id, &wc) <= 0 || wc.status || rdma_get_recv_comp(id, &wc) <= 0 || wc.status)
		return -1;
	return answer->wrong;
}

/* The server writes to a region with an immediate, which takes the first of two receives; it is there before the completion. */
static void immediate(uint8_t *p)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, p, BYTES, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	long wrong = 0, rounds = 0;
	struct ibv_wc wc;

	for (uint32_t seed = 0x80000001; rounds < 20 && !wrong; rounds++, seed = seed * 2654435761u + 1) {
		uint32_t n = rounds == 3 ? 0 : 1 + seed % BYTES;

		*order = (struct order){ (uintptr_t)p, OP_IMM, mr->rkey, n, seed };
		if (rdma_post_recv(id, (void *)1, answer, rounds & 1 ? 0 : sizeof(*answer), answer_mr) ||
		    rdma_post_recv(id, (void *)2, answer, sizeof(*answer), answer_mr) ||
		    rdma_post_send(id, NULL, order, sizeof(*order), order_mr, 0) || rdma_get_send_comp(id, &wc) <= 0 || wc.status)
			wrong = 1;
		if (wrong || rdma_get_recv_comp(id, &wc) <= 0 || wc.status || wc.wr_id != 1 || wc.opcode != IBV_WC_RECV_RDMA_WITH_IMM ||
		    wc.wc_flags != IBV_WC_WITH_IMM || wc.imm_data != htonl(seed) || wc.byte_len || differ(p, seed, n))
			wrong = 2;
		if (wrong || rdma_get_recv_comp(id, &wc) <= 0 || wc.status || wc.wr_id != 2 || wc.opcode != IBV_WC_RECV || wc.byte_len != sizeof(*answer))
			wrong = wrong ? wrong : 3;
	}
	verdict(!wrong, "Writes with immediate, compared", "where, round:", wrong, rounds);
	ibv_dereg_mr(mr);
}

/* The server writes to a region, and reads it back; @at is where the region's @to is for us. */
static void both_ways(const char *name, uint64_t to, uint32_t rkey, uint8_t *at, uint32_t n, uint32_t seed)
{
	long w = ask(OP_WRITE, to, rkey, n, seed), d = w ? -1 : differ(at, seed, n), r;

	fill(at, seed + 1, n);
	r = d ? -1 : ask(OP_READ, to, rkey, n, seed + 1);
	verdict(!w && !d && !r, name, "write, differing, read:", d, r);
	if (w < 0 || r < 0)
		reconnect();
}

/* The server's access is refused: nothing arrives, and the connection ends. */
static void refused(const char *name, uint32_t op, uint64_t to, uint32_t rkey, uint8_t *at, uint32_t n)
{
	long rc, changed = 0;

	memset(at, 0x55, n);
	rc = ask(op, to, rkey, n, 77);
	for (uint32_t i = 0; i < n; i++)
		changed += at[i] != 0x55;
	verdict(rc == -1 && !changed, name, "answer, bytes changed:", rc, changed);
	reconnect();
}

enum { RW = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ };

static struct ibv_mr *reg(void *p, size_t n, unsigned int access)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, p, n, access);

	if (!mr)
		die("ibv_reg_mr");
	return mr;
}

static void flags(uint8_t *p)
{
	static const unsigned int taken[] = { 0, IBV_ACCESS_LOCAL_WRITE, IBV_ACCESS_REMOTE_READ, RW,
		RW | IBV_ACCESS_REMOTE_ATOMIC, RW | IBV_ACCESS_MW_BIND, RW | IBV_ACCESS_HUGETLB, RW | IBV_ACCESS_ZERO_BASED,
		RW | IBV_ACCESS_RELAXED_ORDERING, RW | 1u << 29 };
	static const struct { unsigned int access; int err; } not[] = { { IBV_ACCESS_REMOTE_WRITE, EINVAL },
		{ IBV_ACCESS_REMOTE_ATOMIC, EINVAL }, { IBV_ACCESS_ON_DEMAND, EOPNOTSUPP },
		{ RW | IBV_ACCESS_FLUSH_GLOBAL, EOPNOTSUPP }, { RW | IBV_ACCESS_FLUSH_PERSISTENT, EOPNOTSUPP } };
	long wrong = -1, seen = 0;

	for (unsigned i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
		struct ibv_mr *mr = ibv_reg_mr(pd, p, PAGE, (int)taken[i]);

		if (!mr || (!mr->rkey != !(taken[i] & (IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE)))) {
			wrong = taken[i];
			seen = mr ? 0 : errno;
		}
		if (mr)
			ibv_dereg_mr(mr);
	}
	verdict(wrong < 0, "flags that programs give", "access, errno:", wrong, seen);
	wrong = -1;
	for (unsigned i = 0; i < sizeof(not) / sizeof(*not); i++) {
		struct ibv_mr *mr = ibv_reg_mr(pd, p, PAGE, (int)not[i].access);

		if (mr || errno != not[i].err) {
			wrong = not[i].access;
			seen = mr ? 0 : errno;
		}
	}
	verdict(wrong < 0, "flags that are refused", "access, errno:", wrong, seen);
}

/* The server adds to and swaps words of ours. */
static void atomics(uint8_t *p)
{
	struct ibv_mr *mr = reg(p + 16, BYTES - 16, RW | IBV_ACCESS_REMOTE_ATOMIC);
	uint64_t *w = (uint64_t *)(p + 4088), model = 0xffffffff00000000ull;
	long wrong = 0, i;

	w[-1] = w[1] = 0x5555555555555555ull;
	*w = model;
	for (i = 1; i < 30 && !wrong; i++) {
		uint32_t before = (uint32_t)model, n = (uint32_t)i * 2654435761u >> 1, compare = i & 1 ? before : before + 1;

		if (i % 3) {
			wrong = ask(OP_ADD, (uintptr_t)w, mr->rkey, 0, n) != before;
			model += n;
		} else {
			/* all 64 bits are compared, so the high half has to be 0 */
			*w = model = before;
			wrong = ask(OP_SWAP, (uintptr_t)w, mr->rkey, compare, n) != before;
			model = compare == before ? n : model;
		}
		wrong = wrong || *(volatile uint64_t *)w != model || w[-1] != w[1] || w[1] != 0x5555555555555555ull;
	}
	verdict(!wrong, "atomics of the peer", "round, word:", i, (long)*w);
	refused("beside a word", OP_ADD, (uintptr_t)p + 4100, mr->rkey, p + 4096, 16);
	ibv_dereg_mr(mr);
	mr = reg(p, BYTES, RW);
	refused("without the right", OP_ADD, (uintptr_t)p + 4096, mr->rkey, p + 4096, 8);
	ibv_dereg_mr(mr);
}

static void rereg(uint8_t *p, uint8_t *q)
{
	struct ibv_mr *mr = reg(p, BYTES, IBV_ACCESS_LOCAL_WRITE);
	struct ibv_pd *other;
	int rc;

	rc = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, RW);
	verdict(!rc && mr->rkey, "rereg: rights are given", "rc, errno:", rc, errno);
	both_ways("and the peer has them", (uintptr_t)p, mr->rkey, p, 5000, 21);
	rc = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, q + 100, 60000, 0);
	verdict(!rc && mr->addr == q + 100 && mr->length == 60000, "rereg: another memory", "rc, errno:", rc, errno);
	memset(p, 0x33, BYTES);
	both_ways("which the peer finds", (uintptr_t)q + 100, mr->rkey, q + 100, 60000, 23);
	verdict(p[0] == 0x33 && !memcmp(p, p + 1, BYTES - 1), "and the old one is left alone", "", 0, 0);
	refused("its end is the new one", OP_WRITE, (uintptr_t)q + 100 + 59000, mr->rkey, q + 100, 1001);
	rc = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	verdict(!rc, "rereg: a right is taken", "rc, errno:", rc, errno);
	refused("and the peer has lost it", OP_WRITE, (uintptr_t)q + 100, mr->rkey, q + 100, 1000);
	other = ibv_alloc_pd(id->verbs);
	rc = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_PD | IBV_REREG_MR_CHANGE_ACCESS, other, NULL, 0, RW);
	verdict(!rc && mr->pd == other, "rereg: another domain", "rc, errno:", rc, errno);
	refused("where this connection is a stranger", OP_READ, (uintptr_t)q + 100, mr->rkey, q + 100, 1000);
	rc = ibv_dealloc_pd(other);
	verdict(rc == EBUSY, "that domain is in use", "rc, errno:", rc, errno);
	rc = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_PD, pd, NULL, 0, 0);
	verdict(!rc, "rereg: back again", "rc, errno:", rc, errno);
	both_ways("and it works", (uintptr_t)q + 100, mr->rkey, q + 100, 1000, 25);
	verdict(!ibv_dealloc_pd(other), "that domain is free", "errno:", errno, 0);
	/* memory that is not writable, and then is to be written */
	rc = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, (void *)(PAGE * 16ul), PAGE, 0);
	verdict(rc && mr->addr == q + 100, "rereg: no memory", "rc, errno:", rc, errno);
	both_ways("and the region is as it was", (uintptr_t)q + 100, mr->rkey, q + 100, 60000, 27);
	rc = ibv_rereg_mr(mr, 0, NULL, NULL, 0, 0) == IBV_REREG_MR_ERR_INPUT || errno == EINVAL ? 0 : -1;
	verdict(!rc, "rereg: of nothing", "rc, errno:", rc, errno);
	verdict(!ibv_dereg_mr(mr), "and it goes", "errno:", errno, 0);
}

static void huge(void)
{
	uint8_t *p = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE, -1, 0);
	struct ibv_mr *mr;
	char line[256];
	FILE *f;
	bool seen = false;

	if (p == MAP_FAILED)
		die("huge pages");
	mr = reg(p + 12345, 2 * HUGE - 20000, RW | IBV_ACCESS_HUGETLB);
	both_ways("a region of pages of 2 MiB, over their boundary", (uintptr_t)p + HUGE - 7777, mr->rkey, p + HUGE - 7777, 20001, 31);
	both_ways("at its beginning", (uintptr_t)p + 12345, mr->rkey, p + 12345, 3, 33);
	refused("not beyond its end", OP_WRITE, (uintptr_t)p + 12345 + 2 * HUGE - 20000 - 5, mr->rkey, p + 12345 + 2 * HUGE - 20000 - 5, 6);
	f = popen("rdma res show mr -dd", "r");
	while (f && fgets(line, sizeof(line), f)) {
		const char *at = strstr(line, "page_size ");

		seen = seen || (at && atol(at + 10) >= HUGE); /* two that lie together may be one */
	}
	if (f)
		pclose(f);
	verdict(seen, "and the card has it so", "no such page_size:", 0, 0);
	ibv_dereg_mr(mr);
	munmap(p, 2 * HUGE);
}

static void dmabuf(void)
{
	struct udmabuf_create c = { .size = BYTES, .flags = UDMABUF_FLAGS_CLOEXEC };
	int mem = memfd_create("weft", MFD_ALLOW_SEALING), dev = open("/dev/udmabuf", O_RDWR), fd;
	struct ibv_mr *mr;
	uint8_t *p;

	if (mem < 0 || ftruncate(mem, BYTES) || fcntl(mem, F_ADD_SEALS, F_SEAL_SHRINK) || dev < 0)
		die("udmabuf");
	c.memfd = (uint32_t)mem;
	fd = ioctl(dev, UDMABUF_CREATE, &c);
	p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, mem, 0);
	if (fd < 0 || p == MAP_FAILED)
		die("udmabuf");
	mr = ibv_reg_dmabuf_mr(pd, 3 * PAGE + 100, 50000, 100, fd, RW);
	verdict(mr, "a region of a dma-buf", "errno:", errno, 0);
	if (!mr)
		return;
	close(fd);
	both_ways("and the peer finds its memory", 100, mr->rkey, p + 3 * PAGE + 100, 50000, 41);
	refused("not more of it", OP_WRITE, 50000, mr->rkey, p + 3 * PAGE + 50000, 200);
	verdict(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, IBV_ACCESS_LOCAL_WRITE) == IBV_REREG_MR_ERR_INPUT,
		"libibverbs takes no rereg of it", "", 0, 0);
	ibv_dereg_mr(mr);
	mr = ibv_reg_dmabuf_mr(pd, 0, PAGE, 0, mem, RW);
	verdict(!mr && errno == EINVAL, "what is no dma-buf is refused", "errno:", errno, 0);
}

/* A process without privilege pins what it may, and no more. */
static void memory_limit(uint8_t *p)
{
	struct rlimit l = { 8 * PAGE, 8 * PAGE };
	pid_t child = fork();
	int status;

	if (!child) {
		struct ibv_context *c = ibv_open_device(id->verbs->device);
		struct ibv_pd *d = c ? ibv_alloc_pd(c) : NULL;
		struct ibv_mr *a;

		if (!d || setrlimit(RLIMIT_MEMLOCK, &l) || setgid(65534) || setuid(65534))
			_exit(10);
		if (ibv_reg_mr(d, p, 9 * PAGE, IBV_ACCESS_LOCAL_WRITE) || errno != ENOMEM)
			_exit(11);
		for (int i = 0; i < 3; i++) {
			a = ibv_reg_mr(d, p, 8 * PAGE, IBV_ACCESS_LOCAL_WRITE);
			if (!a)
				_exit(12);
			if (ibv_reg_mr(d, p + 8 * PAGE, PAGE, IBV_ACCESS_LOCAL_WRITE) || errno != ENOMEM)
				_exit(13);
			if (ibv_dereg_mr(a))
				_exit(14);
		}
		_exit(0);
	}
	waitpid(child, &status, 0);
	verdict(!status, "memory is charged to its process", "status:", status >> 8, status & 255);
}

static bool completes(enum ibv_wc_opcode opcode)
{
	struct ibv_wc wc;

	return rdma_get_send_comp(id, &wc) > 0 && !wc.status && wc.opcode == opcode;
}

/* Windows of both types, to a region of which the server has no right. */
static void windows(uint8_t *p)
{
	struct ibv_mr *mr = reg(p + 100, BYTES - 100, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
	struct ibv_mw *one = ibv_alloc_mw(pd, IBV_MW_TYPE_1), *two = NULL, *more[40];
	int n = 0, kept = 0; /* two is in the midst of them */
	struct ibv_mw_bind b = { .bind_info = { mr, (uintptr_t)p + 5000, 60000, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ } };
	struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW }, *w;
	uint32_t gone;

	for (; n < 40; n++) {
		if (n == 20)
			two = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
		more[n] = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
		if (!more[n])
			break;
	}
	if (!one || !two || n < 40) {
		verdict(false, "windows", "errno:", errno, 0);
		return;
	}
	verdict(!ibv_bind_mw(id->qp, one, &b) && completes(IBV_WC_BIND_MW), "a window of type 1 is bound", "errno:", errno, 0);
	both_ways("a window of type 1", (uintptr_t)p + 5007, one->rkey, p + 5007, 50000, 21);
	b.bind_info.addr = (uintptr_t)p + 100000;
	verdict(!ibv_bind_mw(id->qp, one, &b) && completes(IBV_WC_BIND_MW), "and elsewhere", "errno:", errno, 0);
	both_ways("it is there", (uintptr_t)p + 100000, one->rkey, p + 100000, 60000, 23);
	wr.bind_mw.mw = two;
	wr.bind_mw.rkey = ibv_inc_rkey(two->rkey);
	wr.bind_mw.bind_info = (struct ibv_mw_bind_info){ mr, (uintptr_t)p + 77777, 9000, b.bind_info.mw_access_flags | IBV_ACCESS_ZERO_BASED };
	verdict(!ibv_post_send(id->qp, &wr, &w) && completes(IBV_WC_BIND_MW), "a window of type 2 is bound", "errno:", errno, 0);
	two->rkey = gone = wr.bind_mw.rkey;
	both_ways("a zero-based window of type 2", 11, two->rkey, p + 77777 + 11, 8989, 25);
	verdict(ibv_dereg_mr(mr) == EBUSY, "their region stays", "errno:", errno, 0);
	wr = (struct ibv_send_wr){ .opcode = IBV_WR_LOCAL_INV, .invalidate_rkey = two->rkey };
	verdict(!ibv_post_send(id->qp, &wr, &w) && completes(IBV_WC_LOCAL_INV), "it is invalidated", "errno:", errno, 0);
	b.bind_info.length = 0;
	verdict(!ibv_bind_mw(id->qp, one, &b) && completes(IBV_WC_BIND_MW), "the other one is unbound", "errno:", errno, 0);
	verdict(!ibv_dereg_mr(mr), "their region goes", "errno:", errno, 0);
	/* bound again, and left behind with its queue pair */
	mr = reg(p, BYTES, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
	wr = (struct ibv_send_wr){ .opcode = IBV_WR_BIND_MW };
	wr.bind_mw.mw = two;
	wr.bind_mw.rkey = ibv_inc_rkey(two->rkey);
	wr.bind_mw.bind_info = (struct ibv_mw_bind_info){ mr, (uintptr_t)p, BYTES, IBV_ACCESS_REMOTE_WRITE };
	verdict(!ibv_post_send(id->qp, &wr, &w) && completes(IBV_WC_BIND_MW), "bound anew", "errno:", errno, 0);
	refused("a Write by the key before", OP_WRITE, 11, gone, p + 77777 + 11, 100);
	verdict(!ibv_dereg_mr(mr), "a region whose window went with its queue pair", "errno:", errno, 0);
	while (n)
		kept += !!ibv_dealloc_mw(more[--n]);
	verdict(!ibv_dealloc_mw(one) && !ibv_dealloc_mw(two) && !kept, "and the windows", "errno:", errno, kept);
}

static void regions(void)
{
	uint8_t *p, *q;
	struct ibv_mr *mr;

	reconnect();
	p = pages(BYTES);
	q = pages(BYTES);
	flags(p);
	mr = reg(p + 3, BYTES - 10, RW | IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_RELAXED_ORDERING | IBV_ACCESS_MW_BIND);
	both_ways("a region with all that is asked for", (uintptr_t)p + 3, mr->rkey, p + 3, 100000, 1);
	ibv_dereg_mr(mr);
	mr = reg(p + 777, BYTES - 777, RW | IBV_ACCESS_ZERO_BASED);
	both_ways("a zero-based region", 0, mr->rkey, p + 777, 70000, 3);
	both_ways("a zero-based region, inside", 4001, mr->rkey, p + 777 + 4001, 9000, 5);
	refused("its address is not its offset", OP_WRITE, (uintptr_t)p + 777, mr->rkey, p + 777, 1000);
	refused("its end is its length", OP_WRITE, BYTES - 777 - 99, mr->rkey, p + BYTES - 100, 100);
	ibv_dereg_mr(mr);
	mr = ibv_reg_mr_iova(pd, p, BYTES, 0xfedcba9876540000ull, RW);
	if (!mr)
		die("ibv_reg_mr_iova");
	both_ways("a region at an address of its own", 0xfedcba9876540000ull + 5000, mr->rkey, p + 5000, 30000, 7);
	ibv_dereg_mr(mr);
	atomics(p);
	windows(p);
	rereg(p, q);
	huge();
	dmabuf();
	memory_limit(p);
	ask(OP_END, 0, 0, 0, 0);
}

/* ---- limits ---- */
static struct ibv_context *open_first(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *c = list && list[0] ? ibv_open_device(list[0]) : NULL;

	if (!c)
		die("device");
	return c;
}

/* As many as it says, as large as it says, and none beyond. */
static void srq_limits(struct ibv_pd *in, const struct ibv_device_attr *d)
{
	struct ibv_srq_init_attr a = { .attr = { .max_wr = (uint32_t)d->max_srq_wr, .max_sge = (uint32_t)d->max_srq_sge } };
	struct ibv_srq *s[1024] = { ibv_create_srq(in, &a) };
	int n = 0;

	verdict(s[0] && a.attr.max_wr >= (uint32_t)d->max_srq_wr, "the largest shared receive queue", "errno:", errno, 0);
	if (s[0])
		ibv_destroy_srq(s[0]);
	a.attr.max_wr = (uint32_t)d->max_srq_wr + 1;
	verdict(!ibv_create_srq(in, &a) && errno == EINVAL, "and one more", "errno:", errno, 0);
	a.attr.max_wr = a.attr.max_sge = 1;
	while (n < 1024 && (s[n] = ibv_create_srq(in, &a)))
		n++;
	verdict(n == d->max_srq && errno == ENOMEM, "as many shared receive queues as it says", "errno, queues:", errno, n);
	while (n)
		ibv_destroy_srq(s[--n]);
}

static void limits(void)
{
	struct ibv_context *c = open_first();
	struct ibv_device_attr_ex a;
	struct ibv_device_attr *d = &a.orig_attr;
	struct ibv_qp_init_attr qa = attr;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t *p = pages(BYTES);

	if (ibv_query_device_ex(c, NULL, &a))
		die("ibv_query_device_ex");
	pd = ibv_alloc_pd(c);
	verdict(d->page_size_cap == ((1ull << 31) - 1) - 4095 && d->max_mr_size == (1ull << 31) - 4096, "pages and regions", "caps:",
		(long)d->page_size_cap, (long)d->max_mr_size);
	verdict(d->max_mw == d->max_mr && d->device_cap_flags & IBV_DEVICE_MEM_WINDOW && d->device_cap_flags & IBV_DEVICE_MEM_WINDOW_TYPE_2B &&
		!(d->device_cap_flags & IBV_DEVICE_MEM_WINDOW_TYPE_2A), "windows", "number, flags:", d->max_mw, (long)d->device_cap_flags);
	verdict(d->atomic_cap == IBV_ATOMIC_HCA && !d->max_ah && !d->max_mcast_grp && !a.odp_caps.general_caps,
		"nothing is promised that is not there", "", 0, 0);
	verdict(a.cq_mod_caps.max_cq_count == 65535 && a.cq_mod_caps.max_cq_period == 65535, "events of a CQ may be held back", "",
		a.cq_mod_caps.max_cq_count, a.cq_mod_caps.max_cq_period);
	verdict(a.completion_timestamp_mask == (1ull << 56) - 1 && a.hca_core_clock == 1000000, "the clock of completions: 56 bits, 1 GHz", "",
		(long)a.completion_timestamp_mask, (long)a.hca_core_clock);
	verdict(d->max_sge == 14 && d->max_srq_sge == 14, "elements of a request", "", d->max_sge, d->max_srq_sge);
	verdict(d->max_sge_rd == 2, "a Read has two elements", "", d->max_sge_rd, 0);
	cq = ibv_create_cq(c, d->max_cqe, NULL, NULL, 0);
	verdict(cq && cq->cqe >= d->max_cqe, "the largest CQ", "errno, entries:", errno, cq ? cq->cqe : 0);
	verdict(!ibv_create_cq(c, d->max_cqe + 1, NULL, NULL, 0) && errno == EINVAL, "one more is refused", "errno:", errno, 0);
	verdict(!ibv_create_cq(c, 1, NULL, NULL, c->num_comp_vectors) && errno == EINVAL, "a vector that is not there", "errno:", errno, 0);
	verdict(!ibv_create_cq(c, 0, NULL, NULL, 0) && errno == EINVAL, "a CQ of nothing", "errno:", errno, 0);
	srq_limits(pd, d);
	qa.send_cq = qa.recv_cq = cq;
	qa.cap = (struct ibv_qp_cap){ (uint32_t)d->max_qp_wr, (uint32_t)d->max_qp_wr, (uint32_t)d->max_sge, (uint32_t)d->max_sge, 0 };
	qp = ibv_create_qp(pd, &qa);
	verdict(qp && qa.cap.max_send_wr >= (uint32_t)d->max_qp_wr && qa.cap.max_send_sge >= (uint32_t)d->max_sge, "the largest QP", "errno:", errno, 0);
	if (qp) {
		struct ibv_sge sge[64] = { 0 };
		struct ibv_send_wr wr = { .opcode = IBV_WR_SEND, .sg_list = sge, .num_sge = d->max_sge + 1 }, *w;
		struct ibv_recv_wr rr = { .sg_list = sge, .num_sge = d->max_sge + 1 }, *r;
		int i;

		verdict(ibv_post_send(qp, &wr, &w) == EINVAL && w == &wr, "a send with one element more", "", 0, 0);
		wr.opcode = IBV_WR_RDMA_READ;
		wr.num_sge = d->max_sge_rd + 1;
		verdict(ibv_post_send(qp, &wr, &w) == EINVAL && w == &wr, "a Read with one element more", "", 0, 0);
		verdict(ibv_post_recv(qp, &rr, &r) == EINVAL && r == &rr, "a receive with one element more", "", 0, 0);
		rr.num_sge = 0;
		for (i = 0; i < (int)qa.cap.max_recv_wr && !ibv_post_recv(qp, &rr, &r); i++)
			;
		verdict(i == (int)qa.cap.max_recv_wr && ibv_post_recv(qp, &rr, &r) == ENOMEM, "a full queue", "posted:", i, 0);
		wr.num_sge = 0;
		wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
		verdict(ibv_post_send(qp, &wr, &w) == EINVAL, "an atomic without a place for its value", "", 0, 0);
		verdict(ibv_destroy_cq(cq) == EBUSY, "a CQ in use", "", 0, 0);
		verdict(ibv_dealloc_pd(pd) == EBUSY, "a domain in use", "", 0, 0);
		ibv_destroy_qp(qp);
	}
	qa.cap.max_send_wr = (uint32_t)d->max_qp_wr + 1;
	verdict(!ibv_create_qp(pd, &qa) && errno == EINVAL, "a QP that is too large", "errno:", errno, 0);
	qa.cap.max_send_wr = 1;
	qa.qp_type = IBV_QPT_UD;
	verdict(!ibv_create_qp(pd, &qa) && errno == EOPNOTSUPP, "a datagram QP", "errno:", errno, 0);
	verdict(!ibv_alloc_mw(pd, 3) && errno == EINVAL, "a window of no type", "errno:", errno, 0);
	mr = ibv_reg_mr(pd, p, 0, IBV_ACCESS_LOCAL_WRITE);
	verdict(!mr && errno == EINVAL, "a region of nothing", "errno:", errno, 0);
	mr = ibv_reg_mr(pd, (void *)(PAGE * 16ul), PAGE, IBV_ACCESS_LOCAL_WRITE);
	verdict(!mr && (errno == EFAULT || errno == ENOMEM), "a region of no memory", "errno:", errno, 0);
	if (mprotect(p, PAGE, PROT_READ))
		die("mprotect");
	mr = ibv_reg_mr(pd, p, PAGE, IBV_ACCESS_LOCAL_WRITE);
	verdict(!mr && errno == EFAULT, "a region of memory that may not be written", "errno:", errno, 0);
	mr = ibv_reg_mr(pd, p, PAGE, IBV_ACCESS_REMOTE_READ);
	verdict(mr, "but may be read", "errno:", errno, 0);
	verdict(mr && ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, IBV_ACCESS_LOCAL_WRITE) && errno == EFAULT,
		"which rereg does not change", "errno:", errno, 0);
	verdict(mr && !ibv_dereg_mr(mr), "and it is still there to be taken back", "errno:", errno, 0);
}

/* ---- the provider ---- */
static struct ibv_cq_ex *cq_ex;
static struct ibv_comp_channel *channel; /* of cq_ex */
static struct ibv_qp_ex *qp_ex;
static struct offer offer;
static unsigned sges_ex, inline_ex; /* of a request */
static uint64_t stamp_last;	    /* time of the completion in front */
static long stamps, stamps_back;    /* completions, and those whose time is before that */

/* What the card's clock says now. */
static uint64_t card_clock(void)
{
	struct ibv_values_ex v = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };

	if (ibv_query_rt_values_ex(id->verbs, &v) || v.comp_mask != IBV_VALUES_MASK_RAW_CLOCK)
		die("ibv_query_rt_values_ex");
	return (uint64_t)v.raw_clock.tv_nsec;
}

/* A connection whose QP and CQ are extended ones; alone: of one thread, and with the largest requests. */
static void connect_ex(struct ibv_pd *in, bool alone)
{
	struct rdma_conn_param p = { .responder_resources = 4, .initiator_depth = 4, .retry_count = 7 };
	struct ibv_cq_init_attr_ex c = { .cqe = 16, .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP };
	struct ibv_qp_init_attr_ex q = { .qp_type = IBV_QPT_RC, .cap = attr.cap, .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = in, .sq_sig_all = 1, .send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_READ |
			IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP };

	sges_ex = alone ? 14 : 3;
	inline_ex = alone ? 224 : 64;
	q.cap.max_send_sge = sges_ex;
	q.cap.max_inline_data = inline_ex;
	if (alone) {
		c.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD;
		c.flags = IBV_CREATE_CQ_ATTR_SINGLE_THREADED;
		c.parent_domain = in;
	}
	channel = c.channel = ibv_create_comp_channel(id->verbs);
	cq_ex = channel ? ibv_create_cq_ex(id->verbs, &c) : NULL;
	if (!cq_ex)
		die("ibv_create_cq_ex");
	q.send_cq = q.recv_cq = ibv_cq_ex_to_cq(cq_ex);
	if (rdma_create_qp_ex(id, &q))
		die("rdma_create_qp_ex");
	qp_ex = ibv_qp_to_qp_ex(id->qp);
	if (!qp_ex || q.cap.max_send_sge < sges_ex || q.cap.max_inline_data < inline_ex)
		die("ibv_qp_to_qp_ex");
	if (rdma_connect(id, &p))
		die("connect");
	if (!id->event || id->event->param.conn.private_data_len < sizeof(offer))
		die("private data");
	memcpy(&offer, id->event->param.conn.private_data, sizeof(offer));
}

static void begin_ex(void)
{
	if (rdma_create_id(NULL, &id, NULL, RDMA_PS_TCP) || rdma_resolve_addr(id, NULL, resolve(address, port, false)->ai_dst_addr, 5000) ||
	    rdma_resolve_route(id, 5000))
		die("route");
	pd = id->pd;
	order = pages(PAGE);
	answer = pages(PAGE);
	order_mr = reg(order, PAGE, IBV_ACCESS_LOCAL_WRITE);
	answer_mr = reg(answer, PAGE, IBV_ACCESS_LOCAL_WRITE);
}

/* n completions of @opcode with rising wr_id from @first; 0: all were right */
static int completions(int n, uint64_t first, enum ibv_wc_opcode opcode)
{
	struct ibv_poll_cq_attr a = { 0 };
	int got = 0;

	for (long tries = 0; got < n && tries < 5000000; tries++) {
		if (ibv_start_poll(cq_ex, &a))
			continue;
		do {
			if (cq_ex->status || cq_ex->wr_id != first + (uint64_t)got || ibv_wc_read_opcode(cq_ex) != opcode ||
			    ibv_wc_read_qp_num(cq_ex) != id->qp->qp_num || ibv_wc_read_wc_flags(cq_ex)) {
				ibv_end_poll(cq_ex);
				return cq_ex->status ? (int)cq_ex->status : 100;
			}
			got++;
			stamps++;
			stamps_back += ibv_wc_read_completion_ts(cq_ex) < stamp_last;
			stamp_last = ibv_wc_read_completion_ts(cq_ex);
		} while (got < n && !ibv_next_poll(cq_ex));
		ibv_end_poll(cq_ex);
	}
	return got == n ? 0 : 101;
}

/* Writes and reads of the server's memory, a batch behind one doorbell each. */
static void batches(const char *name, int rounds)
{
	uint8_t *p = pages(BYTES), small[224];
	struct ibv_mr *mr = reg(p, BYTES, RW);
	uint64_t wr = 0;
	int rc = 0;
	long wrong = 0;

	for (int r = 0; r < rounds && !rc && !wrong; r++) {
		uint32_t n = 1 + (uint32_t)r * 977 % 9000, all = 0;
		struct ibv_data_buf bufs[2] = { { small, 10 }, { small + 10, inline_ex - 10 } };
		struct ibv_sge list[14];

		for (unsigned i = 0; i < sges_ex; i++, all += list[i - 1].length)
			list[i] = (struct ibv_sge){ (uintptr_t)p + all, !i ? n : i == sges_ex - 1 ? 100 : i, mr->lkey };
		fill(p, (uint32_t)r, all);
		fill(small, (uint32_t)r + 1000, sizeof(small));
		ibv_wr_start(qp_ex);
		qp_ex->wr_flags = 0;
		qp_ex->wr_id = wr++;
		ibv_wr_rdma_write(qp_ex, offer.rkey, offer.addr);
		ibv_wr_set_sge_list(qp_ex, sges_ex, list);
		qp_ex->wr_id = wr++;
		ibv_wr_rdma_write(qp_ex, offer.rkey, offer.addr + 20000);
		ibv_wr_set_inline_data_list(qp_ex, 2, bufs);
		qp_ex->wr_id = wr++;
		ibv_wr_rdma_write(qp_ex, offer.rkey, offer.addr + 30000);
		ibv_wr_set_inline_data(qp_ex, small, 1);
		rc = ibv_wr_complete(qp_ex);
		if (!rc)
			rc = completions(3, wr - 3, IBV_WC_RDMA_WRITE);
		memset(p, 0xee, BYTES);
		ibv_wr_start(qp_ex);
		qp_ex->wr_id = wr++;
		ibv_wr_rdma_read(qp_ex, offer.rkey, offer.addr);
		uint32_t part = r & 1 ? (uint32_t)r * 331 % (all + 1) : all; /* every other one is into two elements */
		struct ibv_sge two[2] = { { (uintptr_t)p + 50000, part, mr->lkey }, { (uintptr_t)p + 70000, all - part, mr->lkey } };

		ibv_wr_set_sge_list(qp_ex, 1 + (r & 1), two);
		qp_ex->wr_id = wr++;
		ibv_wr_rdma_read(qp_ex, offer.rkey, offer.addr + 20000);
		ibv_wr_set_sge(qp_ex, mr->lkey, (uintptr_t)p + 90000, inline_ex);
		if (!rc)
			rc = ibv_wr_complete(qp_ex);
		else
			ibv_wr_abort(qp_ex);
		if (!rc)
			rc = completions(2, wr - 2, IBV_WC_RDMA_READ);
		wrong = p[50000 + part] != 0xee; /* nothing is behind it */
		memcpy(p + 50000 + part, p + 70000, all - part);
		wrong += differ(p + 50000, (uint32_t)r, all) + differ(p + 90000, (uint32_t)r + 1000, inline_ex);
	}
	verdict(!rc && !wrong, name, "rc, bytes:", rc, wrong);
	ibv_dereg_mr(mr);
}

/*
 * Reads into two elements, in a list: some are good; of the next one the first or the second half is of what the server has not offered; the
 * others are flushed. Each has one completion. The connection is over then.
 */
static void split_reads(bool first)
{
	enum { N = 8, BAD = 3, PART = 700, LEN = 1000 };
	uint8_t *p = pages(BYTES), *ref = pages(BYTES);
	struct ibv_mr *mr = reg(p, BYTES, RW), *mr2 = reg(ref, BYTES, RW);
	struct ibv_wc wc[2 * N + 1];
	struct ibv_send_wr wr[N], *w;
	struct ibv_sge sge[N][2], one = { (uintptr_t)ref, LEN, mr2->lkey };
	int n = 0, rc;
	long wrong = 0;

	fill(ref, 5, LEN);
	ibv_wr_start(qp_ex);
	qp_ex->wr_id = 99;
	ibv_wr_rdma_write(qp_ex, offer.rkey, offer.addr);
	ibv_wr_set_sge_list(qp_ex, 1, &one);
	rc = ibv_wr_complete(qp_ex);
	if (!rc)
		rc = completions(1, 99, IBV_WC_RDMA_WRITE);
	for (int i = 0; i < N; i++) {
		sge[i][0] = (struct ibv_sge){ (uintptr_t)p + (uint64_t)i * 4096, PART, mr->lkey };
		sge[i][1] = (struct ibv_sge){ (uintptr_t)p + (uint64_t)i * 4096 + 2048, LEN - PART, mr->lkey };
		wr[i] = (struct ibv_send_wr){ .wr_id = (uint64_t)i, .opcode = IBV_WR_RDMA_READ, .sg_list = sge[i], .num_sge = 2,
			.next = i + 1 < N ? &wr[i + 1] : NULL, .wr.rdma = { offer.addr, offer.rkey } };
	}
	wr[BAD].wr.rdma.remote_addr = first ? offer.addr - PART : offer.addr + BYTES - PART;
	if (!rc)
		rc = ibv_post_send(id->qp, wr, &w);
	for (long tries = 0; !rc && n < N && tries < 5000000; tries++)
		n += ibv_poll_cq(ibv_cq_ex_to_cq(cq_ex), N + 1 - n, wc + n);
	usleep(200000); /* what is too much has come then */
	n += rc ? 0 : ibv_poll_cq(ibv_cq_ex_to_cq(cq_ex), N, wc + n);
	for (int i = 0; i < n && !wrong; i++) {
		if (i < BAD) {
			memcpy(p + i * 4096 + PART, p + i * 4096 + 2048, LEN - PART);
			wrong += differ(p + i * 4096, 5, LEN) || wc[i].status || wc[i].byte_len != LEN;
		} else {
			wrong += i == BAD ? !wc[i].status || wc[i].status == IBV_WC_WR_FLUSH_ERR : wc[i].status != IBV_WC_WR_FLUSH_ERR;
		}
		wrong += wc[i].wr_id != (uint64_t)i || wc[i].opcode != IBV_WC_RDMA_READ;
		if (wrong)
			printf("# completion %d: wr_id %ld, status %d, %u bytes\n", i, (long)wc[i].wr_id, wc[i].status, wc[i].byte_len);
	}
	verdict(!rc && n == N && !wrong, first ? "a Read whose first half is refused is told of once" : "a Read whose second half is refused is told of once",
		"rc, completions:", rc, n);
	ibv_dereg_mr(mr);
	ibv_dereg_mr(mr2);
}

/* On a word of the server's: a Write, an addition, a swap and one that compares unequal, and the word, each at a time of one doorbell. */
static void atomics_ex(void)
{
	uint64_t *p = pages(PAGE), first = 0xfedcba9876543210ull;
	struct ibv_mr *mr = reg(p, PAGE, RW);
	long wrong = 0;
	int rc = 0, r;

	for (r = 0; r < 20 && !rc && !wrong; r++) {
		uint64_t add = 0x0123456789abcdefull * (uint64_t)(r + 1), swap = ~first * 3;

		p[0] = first;
		ibv_wr_start(qp_ex);
		qp_ex->wr_flags = 0;
		qp_ex->wr_id = 0;
		ibv_wr_rdma_write(qp_ex, offer.rkey, offer.addr + 64);
		ibv_wr_set_sge(qp_ex, mr->lkey, (uintptr_t)p, 8);
		rc = ibv_wr_complete(qp_ex);
		if (!rc)
			rc = completions(1, 0, IBV_WC_RDMA_WRITE);
		ibv_wr_start(qp_ex);
		qp_ex->wr_id = 1;
		ibv_wr_atomic_fetch_add(qp_ex, offer.rkey, offer.addr + 64, add);
		ibv_wr_set_sge(qp_ex, mr->lkey, (uintptr_t)(p + 1), 8);
		rc = rc ? rc : ibv_wr_complete(qp_ex);
		if (!rc)
			rc = completions(1, 1, IBV_WC_FETCH_ADD);
		ibv_wr_start(qp_ex);
		for (unsigned i = 0; i < 2; i++) { /* the second one finds what the first one made */
			qp_ex->wr_id = 2 + i;
			ibv_wr_atomic_cmp_swp(qp_ex, offer.rkey, offer.addr + 64, first + add, swap + i);
			ibv_wr_set_sge(qp_ex, mr->lkey, (uintptr_t)(p + 2 + i), 8);
		}
		rc = rc ? rc : ibv_wr_complete(qp_ex);
		if (!rc)
			rc = completions(2, 2, IBV_WC_COMP_SWAP);
		ibv_wr_start(qp_ex);
		qp_ex->wr_id = 4;
		ibv_wr_rdma_read(qp_ex, offer.rkey, offer.addr + 64);
		ibv_wr_set_sge(qp_ex, mr->lkey, (uintptr_t)(p + 4), 8);
		rc = rc ? rc : ibv_wr_complete(qp_ex);
		if (!rc)
			rc = completions(1, 4, IBV_WC_RDMA_READ);
		wrong = p[1] != first || p[2] != first + add || p[3] != swap || p[4] != swap;
		first = swap;
	}
	verdict(!rc && !wrong, "ibv_wr_atomic_*, compared", "rc, round:", rc, r);
	ibv_wr_start(qp_ex);
	ibv_wr_atomic_fetch_add(qp_ex, offer.rkey, offer.addr, 1);
	ibv_wr_set_inline_data(qp_ex, p, 8);
	rc = ibv_wr_complete(qp_ex);
	ibv_wr_start(qp_ex);
	ibv_wr_atomic_fetch_add(qp_ex, offer.rkey, offer.addr, 1);
	ibv_wr_set_sge(qp_ex, mr->lkey, (uintptr_t)p, 16);
	verdict(rc == EINVAL && ibv_wr_complete(qp_ex) == EINVAL, "an atomic's value is in 8 bytes of memory", "rc:", rc, 0);
	ibv_dereg_mr(mr);
}

/* n Writes of a byte behind one doorbell, whose completions one event tells; -1: it does not come. How many are there with it is the machine's. */
static int event_of(unsigned n)
{
	struct ibv_poll_cq_attr a = { 0 };
	struct pollfd p = { .fd = channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *context;
	int got = 0;

	if (ibv_req_notify_cq(ibv_cq_ex_to_cq(cq_ex), 0))
		return -2;
	ibv_wr_start(qp_ex);
	qp_ex->wr_flags = 0;
	for (unsigned i = 0; i < n; i++) {
		qp_ex->wr_id = i;
		ibv_wr_rdma_write(qp_ex, offer.rkey, offer.addr);
		ibv_wr_set_inline_data(qp_ex, order, 1);
	}
	if (ibv_wr_complete(qp_ex))
		return -3;
	if (poll(&p, 1, 100000) != 1 || ibv_get_cq_event(channel, &cq, &context))
		return -1;
	ibv_ack_cq_events(cq, 1);
	for (long tries = 0; got < (int)n && tries < 5000000; tries++) {
		if (ibv_start_poll(cq_ex, &a))
			continue;
		do
			got++;
		while (!ibv_next_poll(cq_ex));
		ibv_end_poll(cq_ex);
	}
	return got;
}

/* When events are told: not before so many completions, or a time. That of the simulated card is not measured here. */
static void moderation(void)
{
	struct ibv_modify_cq_attr a = { .attr_mask = IBV_CQ_ATTR_MODERATE, .moderate = { .cq_count = 8, .cq_period = 65535 } };
	struct ibv_cq *cq = ibv_cq_ex_to_cq(cq_ex);
	int rc = ibv_modify_cq(cq, &a), got = 8, r;

	for (r = 0; r < 20 && !rc && got == 8; r++)
		got = event_of(8);
	verdict(!rc && got == 8, "an event for eight completions", "rc, completions:", rc, got);
	a.moderate.cq_count = 65535;
	a.moderate.cq_period = 1000;
	rc = ibv_modify_cq(cq, &a);
	for (r = 0, got = 1; r < 5 && !rc && got == 1; r++)
		got = event_of(1);
	verdict(!rc && got == 1, "an event behind a millisecond", "rc, completions:", rc, got);
	a.moderate.cq_count = a.moderate.cq_period = 0;
	rc = ibv_modify_cq(cq, &a);
	for (r = 0, got = 1; r < 5 && !rc && got == 1; r++)
		got = event_of(1);
	verdict(!rc && got == 1, "an event at once", "rc, completions:", rc, got);
	a.attr_mask = 0;
	verdict(ibv_modify_cq(cq, &a) == EINVAL, "nothing to change", "", 0, 0);
}

/* An allocator of a parent domain: how much of it is out. */
static int lent, lent_ever;

static void *lend(struct ibv_pd *d, void *context, size_t size, size_t align, uint64_t type)
{
	void *p;

	(void)d, (void)type;
	if (context != &lent || posix_memalign(&p, align, size))
		return NULL;
	memset(p, 0, size);
	lent++;
	lent_ever++;
	return p;
}

static void take_back(struct ibv_pd *d, void *context, void *p, uint64_t type)
{
	(void)d, (void)context, (void)type;
	free(p);
	lent--;
}

static void refusals_ex(void)
{
	struct ibv_cq_init_attr_ex c = { .cqe = 16 };
	struct ibv_qp_init_attr_ex q = { .qp_type = IBV_QPT_RC, .cap = attr.cap, .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = pd, .send_cq = ibv_cq_ex_to_cq(cq_ex), .recv_cq = ibv_cq_ex_to_cq(cq_ex) };
	struct ibv_parent_domain_init_attr pa = { .pd = pd, .comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS };
	struct ibv_poll_cq_attr a = { .comp_mask = 1 };
	struct ibv_td_init_attr ta = { 0 };

	c.wc_flags = IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK;
	verdict(!ibv_create_cq_ex(id->verbs, &c) && errno == EOPNOTSUPP, "a CQ with times of a wall clock", "errno:", errno, 0);
	c.wc_flags = 0;
	c.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS;
	c.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
	verdict(!ibv_create_cq_ex(id->verbs, &c) && errno == EOPNOTSUPP, "a CQ that runs over", "errno:", errno, 0);
	q.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_ATOMIC_WRITE;
	verdict(!ibv_create_qp_ex(id->verbs, &q) && errno == EOPNOTSUPP, "a QP with atomic Writes", "errno:", errno, 0);
	verdict(!ibv_alloc_parent_domain(id->verbs, &pa) && errno == EINVAL, "a domain with an allocator that is none", "errno:", errno, 0);
	q.send_ops_flags = IBV_QP_EX_WITH_SEND;
	q.qp_type = IBV_QPT_UD;
	verdict(!ibv_create_qp_ex(id->verbs, &q) && errno == EOPNOTSUPP, "a QP of datagrams", "errno:", errno, 0);
	q.cap.max_recv_sge = 0xffff;
	verdict(!ibv_create_qp_ex(id->verbs, &q) && errno == EINVAL, "and one that is too large is that first", "errno:", errno, 0);
	verdict(ibv_start_poll(cq_ex, &a) == EINVAL, "a poll of what nobody knows", "", 0, 0);
	a.comp_mask = 0;
	verdict(ibv_start_poll(cq_ex, &a) == ENOENT, "a poll of nothing", "", 0, 0);
	ibv_wr_start(qp_ex);
	qp_ex->wr_flags = IBV_SEND_SIGNALED;
	for (int i = 0; i < 17; i++) { /* of those that take most */
		ibv_wr_rdma_write_imm(qp_ex, offer.rkey, offer.addr, htonl(i));
		ibv_wr_set_inline_data(qp_ex, order, 8);
	}
	verdict(ibv_wr_complete(qp_ex) == ENOMEM, "more than the queue holds", "", 0, 0);
	ibv_wr_start(qp_ex);
	ibv_wr_send(qp_ex);
	ibv_wr_set_inline_data(qp_ex, order, 2000);
	verdict(ibv_wr_complete(qp_ex) == EINVAL, "more than goes inline", "", 0, 0);
	ibv_wr_start(qp_ex);
	ibv_wr_send(qp_ex);
	ibv_wr_abort(qp_ex);
	verdict(ibv_start_poll(cq_ex, &a) == ENOENT, "and nothing of all that was posted", "", 0, 0);
	verdict(!ibv_query_qp_data_in_order(id->qp, IBV_WR_RDMA_WRITE, 0), "bytes are not promised in order", "", 0, 0);
	pa.comp_mask = 0;
	pa.td = ibv_alloc_td(id->verbs, &ta);
	if (pa.td) {
		struct ibv_pd *parent;

		pa.pd = ibv_alloc_pd(id->verbs);
		parent = ibv_alloc_parent_domain(id->verbs, &pa);
		verdict(parent && ibv_dealloc_pd(pa.pd) == EBUSY && ibv_dealloc_td(pa.td) == EBUSY, "domains in use", "errno:", errno, 0);
		verdict(parent && !ibv_dealloc_pd(parent) && !ibv_dealloc_pd(pa.pd) && !ibv_dealloc_td(pa.td), "and they go", "", 0, 0);
	}
}

static void provider(void)
{
	struct ibv_parent_domain_init_attr pa = { 0 };
	struct ibv_td_init_attr ta = { 0 };
	uint8_t *p;
	int status;
	pid_t child;
	uint64_t begin;

	if (ibv_fork_init())
		die("ibv_fork_init");
	begin_ex();
	connect_ex(pd, false);
	refusals_ex();
	stamp_last = begin = card_clock();
	batches("ibv_wr_* and ibv_start_poll, compared", 40);
	atomics_ex();
	verdict(stamps > 200 && !stamps_back && stamp_last > begin && stamp_last <= card_clock(), "the times of completions rise, between two looks at the clock",
		"completions, those that go back:", stamps, stamps_back);
	moderation();
	child = fork();
	if (!child)
		_exit(0);
	waitpid(child, &status, 0);
	batches("behind a fork", 5);
	split_reads(false);
	rdma_disconnect(id);
	rdma_destroy_qp(id);
	verdict(!ibv_destroy_cq(ibv_cq_ex_to_cq(cq_ex)), "the CQ goes", "errno:", errno, 0);
	verdict(!ibv_destroy_comp_channel(channel), "and its channel", "errno:", errno, 0);
	begin_ex();
	pa.pd = pd;
	pa.td = ibv_alloc_td(id->verbs, &ta);
	if (!pa.td)
		die("ibv_alloc_td");
	pa.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS | IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT;
	pa.alloc = lend;
	pa.free = take_back;
	pa.pd_context = &lent;
	pa.pd = ibv_alloc_parent_domain(id->verbs, &pa);
	if (!pa.pd)
		die("ibv_alloc_parent_domain");
	connect_ex(pa.pd, true);
	batches("in a domain of one thread, with memory of the program's, 14 elements and 224 bytes inline", 20);
	split_reads(true);
	rdma_disconnect(id);
	rdma_destroy_qp(id);
	verdict(lent_ever == 2 && !lent, "which has it back", "still out:", lent, lent_ever);
	/* lists, and a child that writes to what is registered */
	id = NULL;
	reconnect();
	p = pages(BYTES);
	immediate(p);
	{
		struct ibv_mr *mr = reg(p, BYTES, RW);

		child = fork();
		if (!child) {
			memset(p, 0x77, BYTES);
			sleep(1);
			_exit(p[0] != 0x77 || memcmp(p, p + 1, BYTES - 1));
		}
		usleep(200000);
		both_ways("memory that a child writes to is the parent's", (uintptr_t)p, mr->rkey, p, 100000, 51);
		waitpid(child, &status, 0);
		verdict(!status || WIFSIGNALED(status), "and the child's is the child's", "status:", status, 0);
	}
	ask(OP_END, 0, 0, 0, 0);
}

/* ---- another ring for a CQ ---- */

enum { DEPTH = 15 };			/* outstanding at a time; attr asks for 16 */
static struct ibv_mr *resize_mr;
static uint64_t resize_posted, resize_seen;

static int resize_post(void)
{
	ibv_wr_start(qp_ex);
	qp_ex->wr_flags = 0;
	qp_ex->wr_id = resize_posted;
	ibv_wr_rdma_write(qp_ex, offer.rkey, offer.addr);
	ibv_wr_set_sge(qp_ex, resize_mr->lkey, (uintptr_t)resize_mr->addr, 64);
	if (ibv_wr_complete(qp_ex))
		return 1;
	resize_posted++;
	return 0;
}

/* Each completion once and in order, by either way; -1: one was not. */
static int resize_poll(int most)
{
	struct ibv_poll_cq_attr a = { 0 };
	struct ibv_wc wc[16];
	int n = 0, wrong = 0;

	if (random() & 1) {
		n = ibv_poll_cq(ibv_cq_ex_to_cq(cq_ex), most > 16 ? 16 : most, wc);
		for (int i = 0; i < n; i++)
			wrong += wc[i].status || wc[i].wr_id != resize_seen++;
	} else if (!ibv_start_poll(cq_ex, &a)) {
		do
			wrong += cq_ex->status || cq_ex->wr_id != resize_seen++;
		while (++n < most && !ibv_next_poll(cq_ex));
		ibv_end_poll(cq_ex);
	}
	return wrong || n < 0 ? -1 : n;
}

static bool resize_stop;
static long resize_count, resize_failed;

static void *resizer(void *cq)
{
	unsigned int seed = 7;

	while (!__atomic_load_n(&resize_stop, __ATOMIC_ACQUIRE)) {
		int want = DEPTH + rand_r(&seed) % (rand_r(&seed) & 1 ? 10 : 3000);

		if (ibv_resize_cq(cq, want) || ((struct ibv_cq *)cq)->cqe < want)
			__atomic_fetch_add(&resize_failed, 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&resize_count, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void resize(void)
{
	struct ibv_device_attr d;
	pthread_t t;
	struct ibv_cq *cq;
	int rc = 0, wrong = 0, was;

	begin_ex();
	resize_mr = reg(pages(PAGE), PAGE, IBV_ACCESS_LOCAL_WRITE);
	connect_ex(pd, false);
	cq = ibv_cq_ex_to_cq(cq_ex);
	if (ibv_query_device(id->verbs, &d))
		die("ibv_query_device");
	/* by the thread that polls, with and without entries that wait */
	for (int i = 0; i < 300 && !rc && !wrong; i++) {
		int want = DEPTH + (int)(random() % (i & 1 ? 10 : 3000));

		while (!rc && resize_posted - resize_seen < DEPTH)
			rc = resize_post();
		if (random() & 1)
			wrong += resize_poll(1 + (int)(random() % DEPTH)) < 0;
		rc = rc ? rc : ibv_resize_cq(cq, want);
		wrong += cq->cqe < want;
		wrong += resize_poll(1 + (int)(random() % DEPTH)) < 0;
	}
	while (!rc && !wrong && resize_seen != resize_posted)
		wrong += resize_poll(16) < 0;
	verdict(!rc && !wrong && resize_seen > 300, "larger and smaller rings while completions come", "rc, seen:", rc, (long)resize_seen);
	/* by another thread */
	if (pthread_create(&t, NULL, resizer, cq))
		die("pthread_create");
	while (!rc && !wrong && __atomic_load_n(&resize_count, __ATOMIC_ACQUIRE) < 300) {
		while (!rc && resize_posted - resize_seen < DEPTH)
			rc = resize_post();
		wrong += resize_poll(1 + (int)(random() % DEPTH)) < 0;
	}
	__atomic_store_n(&resize_stop, true, __ATOMIC_RELEASE);
	pthread_join(t, NULL);
	while (!rc && !wrong && resize_seen != resize_posted)
		wrong += resize_poll(16) < 0;
	verdict(!rc && !wrong && !resize_failed, "by a thread of its own", "resizes failed, seen:", resize_failed, (long)resize_seen);
	/* fewer than wait: refused as soon as two have come, and nothing is lost */
	while (!rc && resize_posted - resize_seen < DEPTH)
		rc = resize_post();
	do {
		was = cq->cqe;
		rc = rc ? rc : ibv_resize_cq(cq, 1);
	} while (!rc);
	verdict(rc == EINVAL && cq->cqe == was, "fewer than what waits", "rc, entries:", rc, cq->cqe);
	while (!wrong && resize_seen != resize_posted)
		wrong += resize_poll(16) < 0;
	verdict(!wrong && !resize_poll(16), "which is all there", "seen, posted:", (long)resize_seen, (long)resize_posted);
	verdict(!ibv_resize_cq(cq, d.max_cqe) && cq->cqe >= d.max_cqe, "the largest CQ", "entries:", cq->cqe, 0);
	was = cq->cqe;
	verdict(ibv_resize_cq(cq, d.max_cqe + 1) == EINVAL && ibv_resize_cq(cq, 0) == EINVAL && ibv_resize_cq(cq, -1) == EINVAL && cq->cqe == was,
		"sizes that are refused", "entries:", cq->cqe, was);
	rc = resize_post();
	while (!rc && !wrong && resize_seen != resize_posted)
		wrong += resize_poll(16) < 0;
	verdict(!rc && !wrong, "and it still works", "rc:", rc, 0);
	rdma_disconnect(id);
	rdma_destroy_qp(id);
	verdict(!ibv_destroy_cq(cq), "it goes", "errno:", errno, 0);
	id = NULL;
	reconnect();
	ask(OP_END, 0, 0, 0, 0);
}

static void nothing(int signal)
{
	(void)signal;
}

/* On SIGUSR1 the server writes 60,000 bytes and reads them, ten times: 20 Sends either way. */
static void hold(void)
{
	struct sigaction act = { .sa_handler = nothing };
	struct ibv_mr *mr;
	uint8_t *p;

	sigaction(SIGUSR1, &act, NULL);
	reconnect();
	p = pages(BYTES);
	mr = reg(p + 5, 70000, RW);
	ask(OP_WRITE, 0, 0, 0, 0);
	printf("held\n");
	fflush(stdout);
	while (sleep(600)) {
		long wrong = 0;

		for (uint32_t i = 0; i < 10; i++)
			wrong += ask(OP_WRITE, (uintptr_t)p + 5, mr->rkey, 60000, i) || differ(p + 5, i, 60000) ||
				 ask(OP_READ, (uintptr_t)p + 5, mr->rkey, 60000, i);
		printf("moved %ld\n", wrong);
		fflush(stdout);
	}
}

/* The first change does not come about (verbs.test sees to that), the second one does. */
static void stuck(void)
{
	struct ibv_context *c = open_first();
	struct ibv_pd *other;
	struct ibv_mr *mr;
	uint32_t key;
	int rc;

	pd = ibv_alloc_pd(c);
	other = ibv_alloc_pd(c);
	mr = reg(pages(BYTES), BYTES, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	key = mr->rkey;
	rc = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS | IBV_REREG_MR_CHANGE_PD, other, NULL, 0, RW);
	verdict(rc == IBV_REREG_MR_ERR_CMD && errno == EBUSY, "rereg of what does not let go ends", "rc, errno:", rc, errno);
	verdict(mr->pd == pd && mr->rkey == key, "and the region is what it was", "key:", (long)mr->rkey, 0);
	verdict(!ibv_dealloc_pd(other), "in the domain that it had", "errno:", errno, 0);
	rc = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, RW);
	verdict(!rc && mr->rkey == key, "another time it changes", "rc, errno:", rc, errno);
	verdict(!ibv_dereg_mr(mr) && !ibv_dealloc_pd(pd), "and goes", "errno:", errno, 0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 4) {
		address = argv[2];
		port = argv[3];
	} else if (argc == 3) {
		port = argv[2];
	}
	if (!strcmp(what, "serve") && argc == 3)
		serve();
	else if (!strcmp(what, "regions") && argc == 4)
		regions();
	else if (!strcmp(what, "provider") && argc == 4)
		provider();
	else if (!strcmp(what, "resize") && argc == 4)
		resize();
	else if (!strcmp(what, "hold") && argc == 4)
		hold();
	else if (!strcmp(what, "limits") && argc == 2)
		limits();
	else if (!strcmp(what, "stuck") && argc == 2)
		stuck();
	else
		return 2;
	return bad;
}
