// SPDX-License-Identifier: BSD-2-Clause
/*
 * A process that means harm, in a guest: it uses Debian's libibverbs and the card's provider, but
 * keeps what they unmap, and writes where it should not. tb/lab/hostile.test runs it.
 *
 *   hostile rings             mappings of destroyed queues never show or change another's pages
 *   hostile memlock           rings that only a mapping holds count for the user, until it goes
 *   hostile gone              mappings while the driver is removed: zeros or SIGBUS
 *   hostile forge SEED        doorbells of others' queues, at random offsets, of random words
 *   hostile states            attributes and states that a QP does not have
 *   hostile requests          bytes behind a request that no driver knows
 *   hostile together ADDR PORT N  N connections at once; says of each that is refused at once why
 *   hostile volley ADDR PORT N    N connections of one process, all begun before it looks at an answer
 *   hostile windows N QPS     N windows and then QPS queue pairs in one domain, until it is killed
 *   hostile regions           makes and ends regions until it is told to stop, says how long one took at most
 *   hostile events SECONDS    prints the device's asynchronous events
 *   hostile steal ADDR        connects the QP of another process
 *   hostile serve PORT N RR   takes N connections with RR responder resources, shows what it is told
 *   hostile call ADDR PORT N  makes N connections, one behind the other
 *   hostile listen PORT       listens, once, and says how long it took
 *   hostile sink PORT         takes connections, and lets them write and read 1 MiB
 *   hostile fill ADDR PORT N  N connections to a sink, whose queues it keeps full until it is killed
 *   hostile drop ADDR PORT N  the same, and as soon as they are full it takes their regions away
 *
 * A line for each case: 'ok NAME' or 'not ok NAME: what was seen'. Exit status 1 when one failed,
 * 2 when the scene could not be set.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/weft-abi.h>
#include <time.h>

#include "weft_abi.h"

#define QUEUES 32
#define PAGE 4096
#define WORDS (PAGE / 8)
#define MAPS 256

static int bad;

static void verdict(bool good, const char *name, const char *format, unsigned long a,
		    unsigned long b)
{
	if (good) {
		printf("ok %s\n", name);
	} else {
		printf("not ok %s: ", name);
		printf(format, a, b);
		printf("\n");
		bad = 1;
	}
	fflush(stdout);
}

static void give_up(const char *what)
{
	printf("not ok %s: %s\n", what, strerror(errno));
	exit(2);
}

/* ---- what the provider maps: it finds these two before libc's ---- */

struct map {
	uint64_t *at;
	size_t bytes;
};

static struct map maps[MAPS];
static int n_maps;
static bool keep;	/* munmap does nothing */
static volatile uint8_t *doorbells;

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	void *p = (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, off);

	/* rings are shared, readable and writable; the doorbell page is writable only */
	if (p != MAP_FAILED && fd >= 0 && flags & MAP_SHARED && flags & MAP_FIXED && n_maps &&
	    (uint8_t *)p == (uint8_t *)maps[n_maps - 1].at + maps[n_maps - 1].bytes)
		maps[n_maps - 1].bytes += len; /* the next piece of a ring */
	else if (p != MAP_FAILED && fd >= 0 && flags & MAP_SHARED &&
	    (prot & (PROT_READ | PROT_WRITE)) == (PROT_READ | PROT_WRITE) && n_maps < MAPS)
		maps[n_maps++] = (struct map){ p, len };
	else if (p != MAP_FAILED && fd >= 0 && flags & MAP_SHARED && prot == PROT_WRITE)
		doorbells = p;
	return p;
}

void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	return mmap(addr, len, prot, flags, fd, off);
}

int munmap(void *addr, size_t len)
{
	return keep ? 0 : syscall(SYS_munmap, addr, len);
}

/* librdmacm asks what the device has, and refuses more before the driver is asked: it is told another truth. */
static bool boast;

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	int (*real)(struct ibv_context *, struct ibv_device_attr *) = dlsym(RTLD_NEXT, "ibv_query_device");
	int rc = real(context, attr);

	if (boast)
		attr->max_qp_rd_atom = 255;
	return rc;
}

/* ---- access that may fault ---- */

static sigjmp_buf fault;

static void on_fault(int sig)
{
	siglongjmp(fault, sig);
}

static size_t total_pages(const struct map *m, int n)
{
	size_t pages = 0;

	for (int i = 0; i < n; i++)
		pages += m[i].bytes / PAGE;
	return pages;
}

static void fill(const struct map *m, int n, uint64_t tag)
{
	for (int i = 0; i < n; i++)
		for (size_t w = 0; w < m[i].bytes / 8; w++)
			((volatile uint64_t *)m[i].at)[w] = tag;
}

/* pages that hold a word which is not tag */
static size_t others(const struct map *m, int n, uint64_t tag)
{
	size_t seen = 0;

	for (int i = 0; i < n; i++)
		for (size_t p = 0; p < m[i].bytes / PAGE; p++)
			for (int w = 0; w < WORDS; w++)
				if (((volatile uint64_t *)m[i].at)[p * WORDS + w] != tag) {
					seen++;
					break;
				}
	return seen;
}

/* ---- queues ---- */

struct queues {
	struct ibv_cq *cq[QUEUES];
	struct ibv_qp *qp[QUEUES];
	struct map maps[MAPS];
	int n_maps;
};

static struct ibv_context *ctx;
static struct ibv_pd *pd;

static void open_device(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);

	if (!list || !list[0])
		give_up("a verbs device");
	ctx = ibv_open_device(list[0]);
	if (!ctx)
		give_up("ibv_open_device");
	pd = ibv_alloc_pd(ctx);
	if (!pd)
		give_up("ibv_alloc_pd");
}

static void make_queues(struct queues *q, int n)
{
	n_maps = 0;
	for (int i = 0; i < n; i++) {
		struct ibv_qp_init_attr attr = {
			.cap = { .max_send_wr = 64, .max_recv_wr = 64, .max_send_sge = 1,
				 .max_recv_sge = 1 },
			.qp_type = IBV_QPT_RC,
		};

		q->cq[i] = ibv_create_cq(ctx, 256, NULL, NULL, 0);
		if (!q->cq[i])
			give_up("ibv_create_cq");
		attr.send_cq = q->cq[i];
		attr.recv_cq = q->cq[i];
		q->qp[i] = ibv_create_qp(pd, &attr);
		if (!q->qp[i])
			give_up("ibv_create_qp");
	}
	memcpy(q->maps, maps, sizeof(maps));
	q->n_maps = n_maps;
	if (n_maps != 3 * n)
		give_up("a mapping for each CQ, send queue and receive queue");
}

static void destroy_queues(struct queues *q, int n)
{
	for (int i = 0; i < n; i++) {
		if (ibv_destroy_qp(q->qp[i]))
			give_up("ibv_destroy_qp");
		if (ibv_destroy_cq(q->cq[i]))
			give_up("ibv_destroy_cq");
	}
}

/* ---- rings ---- */

static void step(int fd)
{
	char c = 0;

	if (write(fd, &c, 1) != 1)
		exit(2);
}

static void wait_step(int fd)
{
	char c;

	if (read(fd, &c, 1) != 1)
		exit(2);
}

static int rings(void)
{
	static struct queues old, new, third;
	const uint64_t mine = 0x1111111111111111, childs = 0x3333333333333333;
	int down[2], up[2], status;
	pid_t child;

	open_device();
	make_queues(&old, QUEUES);
	if (pipe(down) || pipe(up))
		give_up("pipe");
	child = fork();
	if (!child) {
		/* it keeps the mappings over the fork, and knows of nothing that comes later */
		close(down[1]);
		wait_step(down[0]);
		step(up[1]);
		wait_step(down[0]); /* its parent has unmapped them, and others were made */
		verdict(!others(old.maps, old.n_maps, mine), "a forked child still has its old pages",
			"%lu of %lu changed", others(old.maps, old.n_maps, mine),
			total_pages(old.maps, old.n_maps));
		fill(old.maps, old.n_maps, childs);
		verdict(!others(old.maps, old.n_maps, childs), "and nobody else writes to them",
			"%lu of %lu changed", others(old.maps, old.n_maps, childs),
			total_pages(old.maps, old.n_maps));
		exit(bad);
	}
	keep = true;
	destroy_queues(&old, QUEUES);
	keep = false;
	make_queues(&new, QUEUES);
	for (int i = 0; i < new.n_maps; i++)
		fill(&new.maps[i], 1, 0x2200000000000000 + i);
	/* Before anything is written through them: what was zero at destroy must be zero. */
	status = others(old.maps, old.n_maps, 0);
	verdict(!status, "old mappings show nothing of the new queues", "%lu of %lu pages do", status,
		total_pages(old.maps, old.n_maps));
	if (status) /* writing there would bring the guest down */
		_exit(1);
	fill(old.maps, old.n_maps, mine);
	status = 0;
	for (int i = 0; i < new.n_maps; i++)
		status += others(&new.maps[i], 1, 0x2200000000000000 + i);
	verdict(!status, "writing through old mappings changes nothing of the new queues",
		"%lu of %lu pages", status, total_pages(new.maps, new.n_maps));
	step(down[1]);
	wait_step(up[0]);
	for (int i = 0; i < old.n_maps; i++)
		munmap(old.maps[i].at, old.maps[i].bytes);
	make_queues(&third, QUEUES / 2);
	fill(third.maps, third.n_maps, 0x4444444444444444);
	step(down[1]);
	if (waitpid(child, &status, 0) != child || status)
		bad = 1;
	status = others(third.maps, third.n_maps, 0x4444444444444444);
	for (int i = 0; i < new.n_maps; i++)
		status += others(&new.maps[i], 1, 0x2200000000000000 + i);
	verdict(!status, "nor does the child", "%lu pages", status, 0);
	fill(new.maps, new.n_maps, 0);
	fill(third.maps, third.n_maps, 0);
	destroy_queues(&third, QUEUES / 2);
	destroy_queues(&new, QUEUES);
	if (ibv_dealloc_pd(pd) || ibv_close_device(ctx))
		give_up("the end");
	return bad;
}

/* pages whose first word is not their number beyond tag */
static size_t misplaced(const struct map *m, uint64_t tag)
{
	size_t seen = 0;

	for (size_t p = 0; p < m->bytes / PAGE; p++)
		seen += ((volatile uint64_t *)m->at)[p * WORDS] != tag + p;
	return seen;
}

static void number(const struct map *m, uint64_t tag)
{
	for (size_t p = 0; p < m->bytes / PAGE; p++)
		((volatile uint64_t *)m->at)[p * WORDS] = tag + p;
}

/* The largest ring, which a kernel has no single piece of memory for: one range for its process, and each page is its own. */
static int pieces(void)
{
	const uint64_t mine = 0x1111111100000000, childs = 0x3333333300000000, next = 0x2222222200000000;
	struct map old, new;
	struct ibv_cq *cq;
	int status = 0;
	pid_t child;

	open_device();
	cq = ibv_create_cq(ctx, 262144, NULL, NULL, 0);
	if (!cq || n_maps != 1)
		give_up("ibv_create_cq of 262,144 entries, one mapping");
	old = maps[0];
	verdict(old.bytes >= 262144 * 32 && !others(&old, 1, 0), "a ring in pieces is mapped whole, and zero", "%lu bytes, %lu pages are not", old.bytes,
		others(&old, 1, 0));
	number(&old, mine);
	verdict(!misplaced(&old, mine), "each page is its own", "%lu of %lu are not", misplaced(&old, mine), old.bytes / PAGE);
	child = fork();
	if (!child) {
		status = misplaced(&old, mine) != 0;
		number(&old, childs);
		_exit(status);
	}
	if (waitpid(child, &status, 0) != child)
		give_up("waitpid");
	verdict(!status && !misplaced(&old, childs), "the same pages for a forked child", "status %lu, %lu pages", status, misplaced(&old, childs));
	keep = true;
	if (ibv_destroy_cq(cq))
		give_up("ibv_destroy_cq");
	keep = false;
	n_maps = 0;
	cq = ibv_create_cq(ctx, 262144, NULL, NULL, 0);
	if (!cq || n_maps != 1)
		give_up("another CQ of 262,144 entries");
	new = maps[0];
	verdict(!others(&new, 1, 0), "the next ring has other pages", "%lu of %lu are not", others(&new, 1, 0), new.bytes / PAGE);
	number(&new, next);
	verdict(!misplaced(&old, childs), "and the mapping of the first one keeps its own", "%lu of %lu changed", misplaced(&old, childs), old.bytes / PAGE);
	munmap(old.at, old.bytes);
	if (misplaced(&new, next) || ibv_destroy_cq(cq))
		give_up("the second ring at its end");
	return bad;
}

/* As many large rings as one gets. */
static int big_rings(void)
{
	open_device();
	for (int i = 0; i < 64; i++)
		if (!ibv_create_cq(ctx, 65536, NULL, NULL, 0)) {
			printf("ibv_create_cq: %s\n", strerror(errno));
			return 1;
		}
	printf("64 rings of 65536 entries\n");
	return 0;
}

/* ---- what counts against RLIMIT_MEMLOCK ---- */

#define LIMIT (1 << 20)

/* Rings that nothing but their mapping holds, until there is no more: bytes of all, and errno. */
static size_t hoard(int *why)
{
	size_t bytes = 0;

	n_maps = 0;
	for (*why = 0; n_maps < MAPS;) {
		struct ibv_cq *cq = ibv_create_cq(ctx, 256, NULL, NULL, 0);

		if (!cq) {
			*why = errno;
			break;
		}
		bytes += maps[n_maps - 1].bytes;
		keep = true;
		if (ibv_destroy_cq(cq))
			give_up("ibv_destroy_cq");
		keep = false;
	}
	return bytes;
}

static void let_go(void)
{
	for (int i = 0; i < n_maps; i++)
		munmap(maps[i].at, maps[i].bytes);
	n_maps = 0;
}

static bool one_more(void)
{
	struct ibv_cq *cq = ibv_create_cq(ctx, 256, NULL, NULL, 0);

	return cq && !ibv_destroy_cq(cq);
}

/* As a user without rights. */
static int memlock_user(void)
{
	struct ibv_cq *cq;
	size_t first, bytes, was;
	int why, hold[2], n;
	pid_t child;

	first = hoard(&why);
	verdict(why == ENOMEM && first <= LIMIT && first > LIMIT / 2, "rings that only a mapping holds count", "%lu bytes, errno %lu", first, why);
	if (pipe(hold))
		give_up("pipe");
	child = fork();
	if (!child) {
		close(hold[1]);
		read(hold[0], &why, 1);
		_exit(0);
	}
	close(hold[0]);
	let_go();
	verdict(!one_more() && errno == ENOMEM, "while a child has them, too", "errno %lu", errno, 0);
	close(hold[1]);
	if (waitpid(child, &why, 0) != child)
		give_up("waitpid");
	bytes = hoard(&why);
	verdict(bytes == first && why == ENOMEM, "and no longer", "%lu bytes, %lu before", bytes, first);
	let_go();
	/* a resize makes a ring, and its process keeps the old one; they have one size, so only old ones are hoarded */
	cq = ibv_create_cq(ctx, 256, NULL, NULL, 0);
	if (!cq)
		give_up("a CQ to resize");
	keep = true;
	for (n = 0, why = 0; n < MAPS - 2 && !why; n++)
		why = ibv_resize_cq(cq, 256);
	keep = false;
	for (bytes = 0, n = 0; n < n_maps; n++)
		bytes += maps[n].bytes;
	verdict(why == ENOMEM && bytes <= LIMIT && bytes > LIMIT / 2, "so do rings of resizes", "%lu bytes, errno %lu", bytes, why);
	was = n_maps;
	for (n = 0; n + 1 < n_maps; n++) /* the last one is the queue's */
		munmap(maps[n].at, maps[n].bytes);
	why = ibv_resize_cq(cq, 256);
	verdict(was > 1 && !why && !ibv_destroy_cq(cq), "and go with their mappings", "%lu mappings, errno %lu", was, why);
	return bad;
}

static int memlock(void)
{
	struct rlimit l = { LIMIT, LIMIT };
	int status, why;
	size_t bytes;
	pid_t child = fork();

	if (child < 0)
		give_up("fork");
	open_device();
	if (setrlimit(RLIMIT_MEMLOCK, &l))
		give_up("setrlimit");
	if (!child) {
		if (setgid(65534) || setuid(65534))
			give_up("another user");
		exit(memlock_user());
	}
	if (waitpid(child, &status, 0) != child || status)
		bad = 1;
	bytes = hoard(&why);
	verdict(!why && bytes > LIMIT, "who may lock memory has as many as he likes", "%lu bytes, errno %lu", bytes, why);
	let_go();
	return bad;
}

/* ---- gone ---- */

#define AFTER 0x5555555555555555

/* Pages that show something: all of a process's mappings may be one page by now, with what it wrote. */
static size_t shown(const struct map *m, int n)
{
	static volatile size_t seen;
	static volatile int i;

	for (seen = 0, i = 0; i < n; i++)
		if (!sigsetjmp(fault, 1)) {
			for (size_t w = 0; w < m[i].bytes / 8; w += WORDS) {
				uint64_t v = ((volatile uint64_t *)m[i].at)[w];

				seen += v && v != AFTER;
			}
			fill(&m[i], 1, AFTER);
		}
	return seen;
}

static int gone(void)
{
	static struct queues q, dead;
	struct sigaction sa = { .sa_handler = on_fault };
	unsigned long seen;
	int status;
	pid_t child;

	sigaction(SIGBUS, &sa, NULL);
	sigaction(SIGSEGV, &sa, NULL);
	open_device();
	make_queues(&dead, 4);
	keep = true;
	destroy_queues(&dead, 4);
	make_queues(&q, 4);
	fill(dead.maps, dead.n_maps, 0x6666666666666666);
	fill(q.maps, q.n_maps, 0x7777777777777777);
	child = fork();
	printf("ready\n");
	fflush(stdout);
	for (int i = 0; !access("/sys/module/weft_rdma", F_OK) && i < 600; i++)
		usleep(100000);
	if (!access("/sys/module/weft_rdma", F_OK))
		give_up("the driver goes");
	usleep(500000);
	seen = shown(q.maps, q.n_maps);
	verdict(!seen, child ? "a process sees nothing when the driver is gone" :
		"nor does its child", "%lu of %lu pages", seen, total_pages(q.maps, q.n_maps));
	seen = shown(dead.maps, dead.n_maps);
	verdict(!seen, child ? "nor through mappings of destroyed queues" :
		"nor the child through those", "%lu of %lu pages", seen,
		total_pages(dead.maps, dead.n_maps));
	if (child && (waitpid(child, &status, 0) != child || status))
		bad = 1;
	_exit(bad);
}

/* ---- doorbells ---- */

static uint64_t rnd_state;

static uint64_t rnd(void)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return rnd_state;
}

static void ring(unsigned int offset, uint64_t id, uint64_t arm, uint64_t index)
{
	*(volatile uint64_t *)(doorbells + offset) = (id << (WEFT_DB_CQ_ID_LSB % 64) & WEFT_DB_CQ_ID_MASK) |
		(arm << (WEFT_DB_CQ_ARM_LSB % 64) & WEFT_DB_CQ_ARM_MASK) |
		(index << (WEFT_DB_CQ_INDEX_LSB % 64) & WEFT_DB_CQ_INDEX_MASK);
}

/* The same with a WQE behind it, of the index in front of its own: a Write of 8 in-line bytes. */
static void push(uint64_t id, uint16_t index)
{
	volatile uint64_t *line = (volatile uint64_t *)(doorbells + WEFT_DB_PUSH + id % 32 * WEFT_PUSH_LINE_BYTES);

	line[0] = id | (uint64_t)index << WEFT_PUSH_LINE_INDEX_LSB;
	line[1] = WEFT_SQ_OPCODE_WRITE | 1ull << WEFT_SQE_INLINE_LSB | (uint64_t)(uint16_t)(index - 1) << WEFT_SQE_INDEX_LSB;
	line[2] = 8 | rnd() << 32;
	for (int i = 3; i < 8; i++)
		line[i] = rnd();
}

/* A doorbell of each queue that this process does not have, then words without sense. */
static int forge(const char *seed)
{
	static const unsigned int at[] = { WEFT_DB_SQ, WEFT_DB_RQ, WEFT_DB_CQ, WEFT_DB_EQ };
	unsigned int n = 0;

	rnd_state = strtoull(seed, NULL, 0) | 1;
	open_device();
	if (!doorbells)
		give_up("a doorbell page");
	for (unsigned int id = 0; id < 1100; id++)
		for (int k = 0; k < 4; k++, n++)
			ring(at[k], id, rnd() & 3, rnd());
	for (unsigned int id = 0; id < 1100; id++, n++)
		push(id, rnd());
	for (int i = 0; i < 4000; i++, n++) {
		uint64_t r = rnd();

		switch (r >> 60 & 3) {
		case 0:
			*(volatile uint64_t *)(doorbells + (r & 0xff8)) = rnd();
			break;
		case 1:
			*(volatile uint32_t *)(doorbells + (r & 0xffc)) = rnd();
			break;
		case 2:
			*(volatile uint8_t *)(doorbells + (r & 0xfff)) = rnd();
			break;
		default:
			ring(at[r & 3], rnd(), rnd(), rnd());
		}
	}
	printf("# %u doorbells, seed %s\n", n, seed);
	verdict(true, "doorbells are forged", "", 0, 0);
	return bad;
}

/* ---- connections ---- */

static struct rdma_event_channel *channel;

static void open_channel(void)
{
	channel = rdma_create_event_channel();
	if (!channel)
		give_up("rdma_create_event_channel");
}

/* the next event; what it says stays in copy, which is not acknowledged twice */
static int next_event(struct rdma_cm_event *copy, uint8_t *pdata)
{
	struct rdma_cm_event *e;

	if (rdma_get_cm_event(channel, &e))
		give_up("rdma_get_cm_event");
	*copy = *e;
	if (pdata && e->param.conn.private_data_len)
		memcpy(pdata, e->param.conn.private_data, e->param.conn.private_data_len);
	rdma_ack_cm_event(e);
	return copy->event;
}

static struct rdma_cm_id *resolved(const char *addr, int port)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct rdma_cm_event e;
	struct rdma_cm_id *id;

	inet_pton(AF_INET, addr, &sin.sin_addr);
	if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) ||
	    rdma_resolve_addr(id, NULL, (struct sockaddr *)&sin, 2000) ||
	    next_event(&e, NULL) != RDMA_CM_EVENT_ADDR_RESOLVED || rdma_resolve_route(id, 2000) ||
	    next_event(&e, NULL) != RDMA_CM_EVENT_ROUTE_RESOLVED)
		give_up("a route");
	return id;
}

static int make_qp(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};

	return rdma_create_qp(id, NULL, &attr);
}

/* Who has only the number of a QP does not connect it. Nobody listens at the port. */
static void stranger(const char *addr, int qpn, const char *what)
{
	struct rdma_conn_param param = { .qp_num = qpn };
	struct rdma_cm_id *id;
	int rc;

	open_channel();
	id = resolved(addr, 7999);
	errno = 0;
	rc = rdma_connect(id, &param);
	verdict(rc && errno == EPERM, what, "%lu, errno %lu", rc, errno);
}

/* The other process: it has neither made the QP nor holds the device's file. */
static int thief(const char *addr, const char *qpn)
{
	stranger(addr, atoi(qpn), "another's QP is not connected");
	return bad;
}

/* It has inherited the device file, and is let in when it has shown that. Nobody listens at the port. */
static int heir(const char *addr, struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT };
	struct rdma_conn_param param = { .qp_num = qp->qp_num };
	struct rdma_cm_event e;
	struct rdma_cm_id *id;
	int rc;

	stranger(addr, qp->qp_num, "nor by a child that only has its number");
	rc = ibv_modify_qp(qp, &attr, IBV_QP_STATE);
	verdict(!rc, "(which can modify it)", "errno %lu", rc, 0);
	id = resolved(addr, 7998);
	rc = rdma_connect(id, &param);
	verdict(!rc, "who can modify it can connect it", "errno %lu", errno, 0);
	if (!rc)
		next_event(&e, NULL);
	return bad;
}

static int steal(const char *self, const char *addr)
{
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_qp_attr attr;
	char qpn[12];
	pid_t child;
	int status;

	open_device();
	init.send_cq = ibv_create_cq(ctx, 16, NULL, NULL, 0);
	init.recv_cq = init.send_cq;
	struct ibv_qp *qp = ibv_create_qp(pd, &init);

	if (!qp)
		give_up("ibv_create_qp");
	snprintf(qpn, sizeof(qpn), "%u", qp->qp_num);
	if (!fork()) {
		execl(self, self, "thief", addr, qpn, NULL);
		_exit(2);
	}
	wait(&status);
	if (status)
		bad = 1;
	status = ibv_query_qp(qp, &attr, IBV_QP_STATE, &init);
	verdict(!status && attr.qp_state == IBV_QPS_INIT, "and it is as it was", "state %lu", attr.qp_state, 0);
	child = fork();
	if (!child)
		_exit(heir(addr, qp));
	if (waitpid(child, &status, 0) != child || status)
		bad = 1;
	return bad;
}

static void modify(struct ibv_qp *qp, const char *name, struct ibv_qp_attr attr, int mask, int wanted)
{
	int rc = ibv_modify_qp(qp, &attr, mask);

	verdict(rc == wanted, name, "errno %lu, not %lu", rc, wanted);
}

static int states(void)
{
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_INIT };
	struct ibv_qp *qp;

	open_device();
	init.send_cq = ibv_create_cq(ctx, 16, NULL, NULL, 0);
	init.recv_cq = init.send_cq;
	qp = ibv_create_qp(pd, &init);
	if (!qp)
		give_up("ibv_create_qp");
	a.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
	modify(qp, "INIT with the rights that it has", a, IBV_QP_STATE | IBV_QP_ACCESS_FLAGS, 0);
	a.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ;
	modify(qp, "fewer rights are not pretended", a, IBV_QP_STATE | IBV_QP_ACCESS_FLAGS, EOPNOTSUPP);
	modify(qp, "nor a path MTU", a, IBV_QP_PATH_MTU, EOPNOTSUPP);
	a.max_rd_atomic = 255;
	modify(qp, "nor more reads than the card has", a, IBV_QP_MAX_QP_RD_ATOMIC, EINVAL);
	a.max_rd_atomic = 1;
	modify(qp, "fewer are taken", a, IBV_QP_MAX_QP_RD_ATOMIC, 0);
	if (ibv_query_qp(qp, &a, IBV_QP_MAX_QP_RD_ATOMIC, &init))
		give_up("ibv_query_qp");
	verdict(a.max_rd_atomic == 1, "and kept", "%lu", a.max_rd_atomic, 0);
	a.qp_state = IBV_QPS_RTS;
	modify(qp, "no RTS without a connection", a, IBV_QP_STATE, EINVAL);
	a.qp_state = IBV_QPS_SQD;
	modify(qp, "nor SQD", a, IBV_QP_STATE, EINVAL);
	a.qp_state = IBV_QPS_ERR;
	modify(qp, "ERR always", a, IBV_QP_STATE, 0);
	a.qp_state = IBV_QPS_RTS;
	modify(qp, "and no way back", a, IBV_QP_STATE, EINVAL);
	return bad;
}

/* ---- requests as the kernel gets them ---- */

static int uverbs = -1;

/* A command, its own part, a request of `zeros` bytes 0 for the driver, and one byte more, which says `last`. */
static int ask(uint32_t command, void *own, size_t own_bytes, size_t zeros, uint8_t last, void *answer, size_t answer_bytes)
{
	uint8_t buf[512] = { 0 };
	size_t n = sizeof(struct ib_uverbs_cmd_hdr) + own_bytes + zeros + 8;
	struct ib_uverbs_cmd_hdr hdr = { .command = command, .in_words = n / 4, .out_words = answer_bytes / 4 };

	if (answer_bytes) /* each that has an answer begins with where it goes */
		*(uint64_t *)own = (uintptr_t)answer;
	memcpy(buf, &hdr, sizeof(hdr));
	memcpy(buf + sizeof(hdr), own, own_bytes);
	buf[n - 1] = last;
	memset(answer, 0, answer_bytes);
	return write(uverbs, buf, n) == (ssize_t)n ? 0 : errno;
}

/* With zeros it is taken, with anything else it is not: nobody would do what it asks for. */
static void asks(const char *name, uint32_t command, void *own, size_t own_bytes, size_t zeros, void *answer, size_t answer_bytes)
{
	int other = ask(command, own, own_bytes, zeros, 1, answer, answer_bytes);
	int zero = ask(command, own, own_bytes, zeros, 0, answer, answer_bytes);

	verdict(!zero && other == EOPNOTSUPP, name, "errno %lu with zeros, %lu with others", zero, other);
}

/* comp_mask, the key, bytes and offset of the doorbells, the hardware's version: see weft-abi.h */
struct context_answer { struct ib_uverbs_get_context_resp own; uint32_t more[12]; };

/* A context of a file of its own; errno, or 0 and features. */
static int ask_context(uint64_t mask, uint32_t *features)
{
	struct { struct ib_uverbs_get_context own; uint64_t mask; } get = { .mask = mask };
	struct context_answer context;
	int keep_uverbs = uverbs, rc;

	uverbs = open("/dev/infiniband/uverbs0", O_RDWR | O_CLOEXEC);
	if (uverbs < 0)
		give_up("/dev/infiniband/uverbs0");
	rc = ask(IB_USER_VERBS_CMD_GET_CONTEXT, &get, sizeof(get), 0, 0, &context, sizeof(context));
	*features = context.more[7];
	close(uverbs);
	uverbs = keep_uverbs;
	return rc;
}

/* Steps of a resize that are none, or not in their order; each with its errno. */
static void resizes(uint32_t cq)
{
	static const struct { uint32_t step, cqe, mask, reserved; int want; } steps[] = {
		{ 2, 100, 0, 0, EINVAL }, /* there is no ring yet */
		{ 0, 100, 0, 0, EINVAL }, { 3, 100, 0, 0, EINVAL }, { 1, 0, 0, 0, EINVAL }, { 1, 262145, 0, 0, EINVAL }, { 1, ~0u, 0, 0, EINVAL },
		{ 1, 100, 1, 0, EOPNOTSUPP }, { 1, 100, 0, 1, EOPNOTSUPP },
		{ 1, 100, 0, 0, 0 }, { 2, 300, 0, 0, EINVAL }, { 2, 100, 0, 0, 0 }, { 2, 100, 0, 0, EINVAL }, /* it was used */
		{ 1, 16, 0, 0, 0 }, { 1, 3000, 0, 0, 0 }, { 2, 16, 0, 0, EINVAL }, { 2, 3000, 0, 0, 0 }, { 1, 65536, 0, 0, 0 },
	};
	struct { struct ib_uverbs_resize_cq own; uint64_t mask; uint32_t step, reserved; } r;
	struct { uint32_t own[2], more[10]; } answer;
	int rc = 0;
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		r.own = (struct ib_uverbs_resize_cq){ .cq_handle = cq, .cqe = steps[i].cqe };
		r.mask = steps[i].mask;
		r.step = steps[i].step;
		r.reserved = steps[i].reserved;
		rc = ask(IB_USER_VERBS_CMD_RESIZE_CQ, &r, sizeof(r), 0, 0, &answer, sizeof(answer));
		if (rc != steps[i].want)
			break;
	}
	verdict(i == sizeof(steps) / sizeof(*steps), "steps of a resize", "step %lu: errno %lu", i, rc);
}

static int requests(void)
{
	struct context_answer context;
	struct { uint32_t own[12], more[16]; } answer;
	struct ib_uverbs_get_context get = { 0 };
	struct ib_uverbs_alloc_pd alloc = { 0 };
	struct ib_uverbs_create_cq cq = { .cqe = 16, .comp_channel = -1 };
	struct ib_uverbs_create_srq srq = { .max_wr = 16, .max_sge = 1 };
	struct ib_uverbs_create_qp qp = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1,
					  .qp_type = IBV_QPT_RC };
	struct ib_uverbs_modify_srq modify = { .attr_mask = IBV_SRQ_LIMIT };
	const uint32_t known = 1u << WEFT_FEATURE_RDMA | 1u << WEFT_FEATURE_SRQ | 1u << WEFT_FEATURE_ATOMIC |
			       1u << WEFT_FEATURE_MEM_MGT | 1u << WEFT_FEATURE_IMM | 1u << WEFT_FEATURE_MW |
			       1u << WEFT_FEATURE_CQE_STAMP;
	uint32_t pushes = 0, other;
	int rc;

	uverbs = open("/dev/infiniband/uverbs0", O_RDWR | O_CLOEXEC);
	if (uverbs < 0)
		give_up("/dev/infiniband/uverbs0");
	asks("a context", IB_USER_VERBS_CMD_GET_CONTEXT, &get, sizeof(get), 8, &context, sizeof(context));
	verdict(context.more[7] & 1u << WEFT_FEATURE_RDMA && !(context.more[7] & ~known), "features are those that a process may use",
		"%#lx", context.more[7], 0);
	rc = ask_context(WEFT_ALLOC_UCONTEXT_PUSH, &pushes);
	verdict(!rc && pushes == (context.more[7] | 1u << WEFT_FEATURE_PUSH), "push lines are for who asks", "errno %lu, features %#lx", rc, pushes);
	rc = ask_context(WEFT_ALLOC_UCONTEXT_PUSH << 1, &other);
	verdict(rc == EOPNOTSUPP, "and nobody gets what no driver knows", "errno %lu", rc, 0);
	asks("a protection domain", IB_USER_VERBS_CMD_ALLOC_PD, &alloc, sizeof(alloc), 0, &answer, 4 + 8);
	srq.pd_handle = qp.pd_handle = answer.own[0];
	asks("a completion queue", IB_USER_VERBS_CMD_CREATE_CQ, &cq, sizeof(cq), 8, &answer, 8 + 32);
	qp.send_cq_handle = qp.recv_cq_handle = answer.own[0];
	resizes(qp.send_cq_handle); /* with a ring that nobody uses at the end */
	asks("a shared receive queue", IB_USER_VERBS_CMD_CREATE_SRQ, &srq, sizeof(srq), 8, &answer, 16 + 32);
	modify.srq_handle = answer.own[0];
	asks("its limit", IB_USER_VERBS_CMD_MODIFY_SRQ, &modify, sizeof(modify), 0, &answer, 0);
	asks("a queue pair", IB_USER_VERBS_CMD_CREATE_QP, &qp, sizeof(qp), 8, &answer, 32 + 56);
	return bad;
}

static void on_alarm(int sig)
{
	(void)sig;
	_exit(0);
}

static int events(int seconds)
{
	struct ibv_async_event e;

	open_device();
	signal(SIGALRM, on_alarm);
	alarm(seconds);
	printf("ready\n");
	fflush(stdout);
	while (!ibv_get_async_event(ctx, &e)) {
		printf("event: %s\n", ibv_event_type_str(e.event_type));
		ibv_ack_async_event(&e);
		fflush(stdout);
		if (e.event_type == IBV_EVENT_PORT_ACTIVE)
			break;
	}
	return 0;
}

#define SERVER_SAYS "from the server"

static struct rdma_cm_id *listener(int port, int backlog)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct rdma_cm_id *id;

	if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) ||
	    rdma_bind_addr(id, (struct sockaddr *)&sin) || rdma_listen(id, backlog)) {
		printf("listen: errno %d\n", errno);
		exit(3);
	}
	return id;
}

/* what was agreed on, as the queue pair has it */
static void agreed(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (ibv_query_qp(id->qp, &attr, IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC, &init))
		give_up("ibv_query_qp");
	printf("queue pair: %u Reads out, %u in\n", attr.max_rd_atomic, attr.max_dest_rd_atomic);
}

static int serve(int port, int n, int resources)
{
	uint8_t pdata[256] = { 0 };

	boast = resources > 100;
	open_channel();
	listener(port, n > 4 ? n : 4);
	printf("ready\n");
	fflush(stdout);
	while (n) {
		struct rdma_conn_param param = { .responder_resources = resources, .initiator_depth = 1,
						 .private_data = SERVER_SAYS, .private_data_len = sizeof(SERVER_SAYS) };
		struct rdma_cm_event e;

		switch (next_event(&e, pdata)) {
		case RDMA_CM_EVENT_CONNECT_REQUEST:
			printf("request depth %u resources %u data '%s'\n", e.param.conn.initiator_depth,
			       e.param.conn.responder_resources, pdata);
			if (make_qp(e.id))
				give_up("rdma_create_qp");
			if (rdma_accept(e.id, &param)) {
				printf("accept: errno %d\n", errno);
				rdma_destroy_qp(e.id);
				rdma_destroy_id(e.id);
				n--;
			}
			break;
		case RDMA_CM_EVENT_ESTABLISHED:
			printf("established depth %u resources %u\n", e.param.conn.initiator_depth,
			       e.param.conn.responder_resources);
			agreed(e.id);
			break;
		case RDMA_CM_EVENT_DISCONNECTED:
			rdma_destroy_qp(e.id);
			rdma_destroy_id(e.id);
			n--;
		}
		fflush(stdout);
	}
	return 0;
}

static int call(const char *addr, int port, int n)
{
	int up = 0;

	open_channel();
	for (int i = 0; i < n; i++) {
		struct rdma_conn_param param = { .responder_resources = 2, .initiator_depth = 3,
						 .private_data = "from the caller", .private_data_len = 16 };
		struct rdma_cm_id *id = resolved(addr, port);
		struct rdma_cm_event e;

		if (make_qp(id) || rdma_connect(id, &param))
			give_up("rdma_connect");
		if (next_event(&e, NULL) == RDMA_CM_EVENT_ESTABLISHED) {
			up++;
			printf("established depth %u resources %u\n", e.param.conn.initiator_depth,
			       e.param.conn.responder_resources);
			agreed(id);
			rdma_disconnect(id);
			next_event(&e, NULL);
		} else {
			printf("event %d status %d\n", e.event, e.status);
		}
		rdma_destroy_qp(id);
		rdma_destroy_id(id);
	}
	printf("%d of %d connected\n", up, n);
	return up != n;
}

/* A connect is under way until it is answered; its process waits with it, so each has one of its own. */
static int together(const char *addr, int port, int n)
{
	for (int i = 0; i < n; i++)
		if (!fork())
			return call(addr, port, 1);
	while (wait(NULL) > 0)
		;
	return 0;
}

/* More than the card sets up at a time: some wait there while the first are answered. */
static int volley(const char *addr, int port, int n)
{
	struct rdma_cm_id *id[64];
	struct rdma_cm_event e;
	int up = 0, told = 0;

	open_channel();
	if (n > 64)
		return 2;
	for (int i = 0; i < n; i++) {
		id[i] = resolved(addr, port);
		if (make_qp(id[i]))
			give_up("rdma_create_qp");
	}
	for (int i = 0; i < n; i++) {
		struct rdma_conn_param param = { .responder_resources = 2, .initiator_depth = 3,
						 .private_data = "from the caller", .private_data_len = 16 };

		if (rdma_connect(id[i], &param))
			give_up("rdma_connect");
	}
	for (int i = 0; i < n; i++) {
		uint8_t pdata[512] = { 0 };

		if (next_event(&e, pdata) == RDMA_CM_EVENT_ESTABLISHED) {
			up++;
			told += !memcmp(pdata, SERVER_SAYS, sizeof(SERVER_SAYS));
		} else {
			printf("event %d status %d\n", e.event, e.status);
		}
	}
	printf("%d of %d connected, %d were told\n", up, n, told);
	for (int i = 0; i < n; i++) {
		rdma_disconnect(id[i]);
		rdma_destroy_qp(id[i]);
		rdma_destroy_id(id[i]);
	}
	return told != n;
}

static int listen_once(int port)
{
	struct timespec a, b;

	open_channel();
	clock_gettime(CLOCK_MONOTONIC, &a);
	listener(port, 4);
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("listens after %ld ms\n", (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000);
	return 0;
}

/* ---- queues that are full when their process ends ---- */

#define SINK_BYTES (1 << 20)
#define FILL_DEPTH 64
#define FILL_BYTES (64 << 10)
#define FILL_REGIONS 8

struct target {
	uint64_t addr;
	uint32_t rkey;
};

static int deep_qp(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_cq *cq)
{
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = FILL_DEPTH, .max_recv_wr = FILL_DEPTH, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC, .send_cq = cq, .recv_cq = cq,
	};

	return rdma_create_qp(id, pd, &attr);
}

static void __attribute__((noreturn)) sink(int port)
{
	static char memory[SINK_BYTES];
	struct ibv_pd *pd = NULL; /* the library's goes with the last connection, and the region would be nobody's */
	struct ibv_mr *mr = NULL;
	struct target target;

	open_channel();
	listener(port, 4);
	printf("ready\n");
	for (;;) {
		struct rdma_conn_param param = { .responder_resources = 4, .private_data = &target,
						 .private_data_len = sizeof(target) };
		struct rdma_cm_event e;

		switch (next_event(&e, NULL)) {
		case RDMA_CM_EVENT_CONNECT_REQUEST:
			if (!pd)
				pd = ibv_alloc_pd(e.id->verbs);
			if (!pd)
				give_up("ibv_alloc_pd");
			if (deep_qp(e.id, pd, NULL)) {
				rdma_reject(e.id, NULL, 0);
				rdma_destroy_id(e.id);
				break;
			}
			if (!mr)
				mr = ibv_reg_mr(pd, memory, SINK_BYTES,
						IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
			if (!mr)
				give_up("ibv_reg_mr");
			target = (struct target){ (uintptr_t)memory, mr->rkey };
			if (rdma_accept(e.id, &param)) {
				rdma_destroy_qp(e.id);
				rdma_destroy_id(e.id);
			}
			break;
		case RDMA_CM_EVENT_DISCONNECTED:
		case RDMA_CM_EVENT_CONNECT_ERROR:
			rdma_destroy_qp(e.id);
			rdma_destroy_id(e.id);
		}
	}
}

/* @drop: as soon as they are full the regions go, one behind the other, while the card reads from them and writes to them */
static int fill_up(const char *addr, int port, int n, bool drop)
{
	static char memory[FILL_REGIONS][FILL_BYTES];
	struct ibv_mr *mr[FILL_REGIONS] = { 0 };
	struct target target[QUEUES];
	struct rdma_cm_id *id[QUEUES];
	unsigned posted[QUEUES] = { 0 };
	uint64_t full = 0, all = (1ull << n) - 1;
	struct ibv_cq *cq = NULL;
	struct ibv_wc wc;

	if (n > QUEUES)
		return 2;
	open_channel();
	for (int i = 0; i < n; i++) {
		struct rdma_conn_param param = { .initiator_depth = 4 };
		struct rdma_cm_event *e;

		id[i] = resolved(addr, port);
		if (!i) /* of the context that the library has opened */
			cq = ibv_create_cq(id[0]->verbs, QUEUES * FILL_DEPTH, NULL, NULL, 0);
		if (!cq || deep_qp(id[i], NULL, cq) || rdma_connect(id[i], &param) || rdma_get_cm_event(channel, &e))
			give_up("a connection");
		if (e->event != RDMA_CM_EVENT_ESTABLISHED || e->param.conn.private_data_len < sizeof(target[i])) {
			printf("event %d status %d, %u bytes\n", e->event, e->status, e->param.conn.private_data_len);
			return 1;
		}
		memcpy(&target[i], e->param.conn.private_data, sizeof(target[i]));
		rdma_ack_cm_event(e);
	}
	for (int i = 0; i < FILL_REGIONS; i++) {
		/* what a Read brings is written by the peer (RFC 5040 5.2.1): without the right the connection would end */
		mr[i] = ibv_reg_mr(id[0]->pd, memory[i], FILL_BYTES, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
		if (!mr[i])
			give_up("ibv_reg_mr");
	}
	for (unsigned k = 0;; k++) {
		for (int i = 0; i < n; i++) {
			struct ibv_mr *m = mr[k % FILL_REGIONS];
			struct ibv_sge sge = { (uintptr_t)m->addr, FILL_BYTES, m->lkey };
			struct ibv_send_wr *bad_wr, wr = {
				.sg_list = &sge, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED, .wr_id = i,
				.opcode = k % 4 ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ,
				.wr.rdma = { target[i].addr, target[i].rkey },
			};

			if (posted[i] == FILL_DEPTH || ibv_post_send(id[i]->qp, &wr, &bad_wr))
				continue;
			if (++posted[i] == FILL_DEPTH && full != all && (full |= 1ull << i) == all)
				printf("full\n");
		}
		if (drop && full == all) {
			for (int i = 0; i < FILL_REGIONS; i++)
				if (ibv_dereg_mr(mr[i]))
					give_up("ibv_dereg_mr");
			printf("dropped\n");
			sleep(2);
			return 0;
		}
		while (ibv_poll_cq(cq, 1, &wc) > 0) {
			if (wc.status) {
				printf("status %d\n", wc.status);
				return 1;
			}
			posted[wc.wr_id]--;
		}
	}
}

/* ---- windows of a process that ends ---- */

static void __attribute__((noreturn)) windows(int n, int qps)
{
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};

	open_device();
	attr.send_cq = ibv_create_cq(ctx, 256, NULL, NULL, 0);
	attr.recv_cq = attr.send_cq;
	/* What was made last is taken away first: all windows are there when the queue pairs go. */
	for (int i = 0; i < n; i++)
		if (!ibv_alloc_mw(pd, IBV_MW_TYPE_2))
			give_up("ibv_alloc_mw");
	for (int i = 0; i < qps; i++)
		if (!ibv_create_qp(pd, &attr))
			give_up("ibv_create_qp");
	printf("ready\n");
	for (;;)
		pause();
}

static volatile sig_atomic_t stop;

static void on_stop(int sig)
{
	(void)sig;
	stop = 1;
}

static long ms_since(const struct timespec *a)
{
	struct timespec b;

	clock_gettime(CLOCK_MONOTONIC, &b);
	return (b.tv_sec - a->tv_sec) * 1000 + (b.tv_nsec - a->tv_nsec) / 1000000;
}

static int regions(void)
{
	static uint8_t mem[PAGE] __attribute__((aligned(PAGE)));
	struct sigaction sa = { .sa_handler = on_stop };
	long worst = 0, n = 0;

	sigaction(SIGTERM, &sa, NULL);
	open_device();
	printf("ready\n");
	for (; !stop; n++) {
		struct timespec a;
		struct ibv_mr *mr;
		long ms;

		clock_gettime(CLOCK_MONOTONIC, &a);
		mr = ibv_reg_mr(pd, mem, PAGE, IBV_ACCESS_LOCAL_WRITE);
		ms = ms_since(&a);
		if (!mr || ibv_dereg_mr(mr))
			give_up("a region");
		if (ms > worst)
			worst = ms;
	}
	printf("%ld regions, one took %ld ms at most\n", n, worst);
	return 0;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 3 && !strcmp(argv[1], "forge"))
		return forge(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "states"))
		return states();
	if (argc == 2 && !strcmp(argv[1], "requests"))
		return requests();
	if (argc == 5 && !strcmp(argv[1], "together"))
		return together(argv[2], atoi(argv[3]), atoi(argv[4]));
	if (argc == 5 && !strcmp(argv[1], "volley"))
		return volley(argv[2], atoi(argv[3]), atoi(argv[4]));
	if (argc == 4 && !strcmp(argv[1], "windows"))
		windows(atoi(argv[2]), atoi(argv[3]));
	if (argc == 2 && !strcmp(argv[1], "regions"))
		return regions();
	if (argc == 3 && !strcmp(argv[1], "events"))
		return events(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "steal"))
		return steal(argv[0], argv[2]);
	if (argc == 4 && !strcmp(argv[1], "thief"))
		return thief(argv[2], argv[3]);
	if (argc == 5 && !strcmp(argv[1], "serve"))
		return serve(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
	if (argc == 5 && !strcmp(argv[1], "call"))
		return call(argv[2], atoi(argv[3]), atoi(argv[4]));
	if (argc == 3 && !strcmp(argv[1], "sink"))
		sink(atoi(argv[2]));
	if (argc == 5 && (!strcmp(argv[1], "fill") || !strcmp(argv[1], "drop")))
		return fill_up(argv[2], atoi(argv[3]), atoi(argv[4]), argv[1][0] == 'd');
	if (argc == 3 && !strcmp(argv[1], "listen"))
		return listen_once(atoi(argv[2]));
	if (argc == 2 && !strcmp(argv[1], "rings"))
		return rings();
	if (argc == 2 && !strcmp(argv[1], "pieces"))
		return pieces();
	if (argc == 3 && !strcmp(argv[1], "rings"))
		return big_rings();
	if (argc == 2 && !strcmp(argv[1], "memlock"))
		return memlock();
	if (argc == 2 && !strcmp(argv[1], "gone"))
		return gone();
	fprintf(stderr, "usage: see the top of hostile.c\n");
	return 2;
}
