// SPDX-License-Identifier: BSD-2-Clause
/*
 * A shared receive queue of a process, every byte compared:
 *
 *   weft-srq serve PORT QPS EACH [LOST]      a shared receive queue for QPS connections, of each of which EACH and then LAST messages are
 *                                            expected. WQEs are posted when the limit's event says so, then for a while not at all,
 *                                            then one by one
 *   weft-srq send ADDRESS PORT QPS EACH      the connections
 *
 * LOST: so many events of the limit are not told; then it is query_srq that says that nothing is armed.
 *
 * A line for each case: 'ok NAME' or 'not ok NAME: what was seen'; exit status 1 when one failed, 2 when the scene could
 * not be set.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

enum { WRS = 32, LIMIT = 8, ASK_MS = 3000, BYTES = 6000, DEPTH = 8, LAST = 16, MOST = 64, QUIET_MS = 1500, TIMEOUT_MS = 300000 };

struct head { uint32_t from, seq; };

static int bad;

static void die(const char *what)
{
	printf("not ok %s: %s\n", what, strerror(errno));
	exit(2);
}

static void verdict(bool good, const char *name, long a, long b)
{
	if (good)
		printf("ok %s\n", name);
	else
		printf("not ok %s: %ld %ld\n", name, a, b);
	fflush(stdout);
	bad |= !good;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A message: who sent it, which one it is, and bytes that say both. */
static uint32_t size_of(uint32_t from, uint32_t seq)
{
	uint32_t x = (from * 7919 + seq) * 2654435761u;

	return sizeof(struct head) + (x >> 8) % (x & 3 ? 300 : BYTES - sizeof(struct head));
}

static uint8_t byte_of(uint32_t from, uint32_t seq, uint32_t i) { return (uint8_t)(from * 31 + seq * 7 + i * 13 + (i >> 8)); }

static void fill(uint8_t *p, uint32_t from, uint32_t seq)
{
	struct head h = { from, seq };

	memcpy(p, &h, sizeof(h));
	for (uint32_t i = sizeof(h); i < size_of(from, seq); i++)
		p[i] = byte_of(from, seq, i);
}

/* ---- the server ---- */

static struct ibv_srq *srq;
static struct ibv_cq *cq;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static uint8_t *bufs;
static struct rdma_cm_id *ids[MOST];
static uint32_t qpns[MOST], n_qps, free_bufs[WRS], n_free;
static struct { bool known; uint32_t from, next; } peers[MOST];
static long got, wrong;

static void post(uint32_t n)
{
	struct ibv_recv_wr *b;

	for (; n && n_free; n--) {
		uint32_t i = free_bufs[--n_free];
		struct ibv_sge sge = { .addr = (uintptr_t)bufs + i * BYTES, .length = BYTES, .lkey = mr->lkey };
		struct ibv_recv_wr wr = { .wr_id = i, .sg_list = &sge, .num_sge = 1 };

		memset(bufs + i * BYTES, 0xee, BYTES);
		if (ibv_post_srq_recv(srq, &wr, &b))
			die("ibv_post_srq_recv");
	}
}

static void poll_all(void)
{
	struct ibv_wc wc;

	while (ibv_poll_cq(cq, 1, &wc) > 0) {
		const uint8_t *p = bufs + wc.wr_id % WRS * BYTES;
		const struct head *h = (const struct head *)p;
		uint32_t q = 0;

		while (q < n_qps && qpns[q] != wc.qp_num)
			q++;
		if (q == n_qps || wc.status || wc.wr_id >= WRS || wc.byte_len < sizeof(*h) || (peers[q].known && peers[q].from != h->from) ||
		    h->seq != peers[q].next || wc.byte_len != size_of(h->from, h->seq)) {
			if (!wrong++)
				printf("# QP %u: status %u, %u bytes of WQE %lu\n", wc.qp_num, wc.status, wc.byte_len, (unsigned long)wc.wr_id);
			continue;
		}
		for (uint32_t i = sizeof(*h); i < wc.byte_len; i++)
			wrong += p[i] != byte_of(h->from, h->seq, i);
		peers[q].known = true;
		peers[q].from = h->from;
		peers[q].next++;
		free_bufs[n_free++] = wc.wr_id;
		got++;
	}
}

static bool limit_reached(void)
{
	struct pollfd p = { .fd = srq->context->async_fd, .events = POLLIN };
	struct ibv_async_event ev;
	bool ours;

	if (poll(&p, 1, 0) != 1)
		return false;
	if (ibv_get_async_event(srq->context, &ev))
		die("ibv_get_async_event");
	ours = ev.event_type == IBV_EVENT_SRQ_LIMIT_REACHED && ev.element.srq == srq;
	if (!ours)
		printf("# event %d\n", ev.event_type);
	ibv_ack_async_event(&ev);
	return ours;
}

static int arm(uint32_t limit)
{
	struct ibv_srq_attr a = { .srq_limit = limit };

	return ibv_modify_srq(srq, &a, IBV_SRQ_LIMIT);
}

static void make_srq(struct ibv_context *v)
{
	struct ibv_srq_init_attr a = { .attr = { .max_wr = WRS, .max_sge = 1 } };
	struct ibv_srq_attr q;

	pd = ibv_alloc_pd(v);
	cq = ibv_create_cq(v, WRS * 2 + MOST, NULL, NULL, 0);
	bufs = calloc(WRS, BYTES);
	mr = pd ? ibv_reg_mr(pd, bufs, WRS * BYTES, IBV_ACCESS_LOCAL_WRITE) : NULL;
	srq = pd ? ibv_create_srq(pd, &a) : NULL;
	if (!cq || !mr || !srq)
		die("a shared receive queue");
	for (n_free = 0; n_free < WRS; n_free++)
		free_bufs[n_free] = n_free;
	verdict(!ibv_query_srq(srq, &q) && q.max_wr >= WRS && q.max_wr == a.attr.max_wr && q.max_sge >= 1 && !q.srq_limit, "query_srq", q.max_wr, q.srq_limit);
	a.attr.max_wr = 1u << 30;
	errno = 0;
	verdict(!ibv_create_srq(pd, &a) && errno == EINVAL, "more than the device has", errno, 0);
	verdict(arm(q.max_wr + 1) == EINVAL, "a limit beyond the queue", 0, 0);
}

static void refuses(struct ibv_qp *qp)
{
	struct ibv_recv_wr wr = { 0 }, *b = NULL;
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr a;

	verdict(ibv_post_recv(qp, &wr, &b) == EINVAL && b == &wr, "post_recv where the queue is shared", 0, 0);
	verdict(!ibv_query_qp(qp, &a, IBV_QP_CAP, &init) && init.srq == srq && !a.cap.max_recv_wr, "query_qp", a.cap.max_recv_wr, 0);
	verdict(ibv_destroy_srq(srq) == EBUSY, "a queue that is in use is not destroyed", 0, 0);
}

static void take(struct rdma_event_channel *channel, uint32_t most)
{
	while (n_qps < most) {
		struct ibv_qp_init_attr a = { .qp_type = IBV_QPT_RC, .cap = { .max_send_wr = 4, .max_send_sge = 1 } };
		struct rdma_conn_param param = { .initiator_depth = 1, .responder_resources = 1 };
		struct rdma_cm_event *ev;

		if (rdma_get_cm_event(channel, &ev))
			die("rdma_get_cm_event");
		if (ev->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
			struct rdma_cm_id *c = ev->id;

			if (!srq)
				make_srq(c->verbs);
			a.srq = srq;
			a.send_cq = a.recv_cq = cq;
			if (rdma_create_qp(c, pd, &a) || rdma_accept(c, &param))
				die("rdma_accept");
			qpns[n_qps] = c->qp->qp_num;
			ids[n_qps++] = c;
		}
		rdma_ack_cm_event(ev);
	}
}

static int armed(void)
{
	struct ibv_srq_attr a;

	if (ibv_query_srq(srq, &a))
		die("ibv_query_srq");
	return (int)a.srq_limit;
}

/* WQEs are posted when the limit says so, and only then. */
static void by_limit(long total, long lost)
{
	long events = 0, since = now_ms(), quiet = since, asked = 0;

	post(WRS);
	if (arm(LIMIT))
		die("ibv_modify_srq");
	while (got < total && now_ms() - since < TIMEOUT_MS && !wrong) {
		poll_all();
		if (limit_reached()) {
			events++;
		} else {
			if (now_ms() - quiet < ASK_MS)
				continue;
			quiet = now_ms();
			if (armed())
				continue;
			asked++;
		}
		quiet = now_ms();
		poll_all();
		post(WRS);
		if (arm(LIMIT))
			die("ibv_modify_srq");
	}
	verdict(got >= total && !wrong, "messages of all connections", got, wrong);
	verdict(events + asked >= total / WRS - 2, "WQEs behind events of the limit", events, total);
	if (lost)
		verdict(asked == lost, "a limit that is not armed any more, by query_srq", asked, lost);
	arm(0);
	verdict(!armed(), "nor one that was taken back", armed(), 0);
}

static void empty(long total)
{
	struct timespec ms = { .tv_nsec = 1000000 };
	long since = now_ms(), had;

	while (n_free < WRS && now_ms() - since < TIMEOUT_MS && !wrong) /* all that were posted are used up */
		poll_all();
	had = got;
	for (since = now_ms(); now_ms() - since < QUIET_MS; nanosleep(&ms, NULL))
		poll_all();
	verdict(got == had && n_free == WRS && got < total && !wrong, "a queue that is empty", got - had, n_free);
	for (since = now_ms(); got < total && now_ms() - since < TIMEOUT_MS && !wrong;) {
		post(1);
		poll_all();
	}
	verdict(got == total && !wrong, "who waited goes on", got, total);
	printf("# the last %ld in %ld ms\n", total - had, now_ms() - since);
}

/* Connections that ended take nothing more, and each of their queue pairs says so, once. */
static void last_wqes(struct ibv_context *v, uint32_t n)
{
	struct pollfd p = { .fd = v->async_fd, .events = POLLIN };
	bool told[MOST] = { false };
	uint32_t all = 0, odd = 0;

	while (all < n && poll(&p, 1, TIMEOUT_MS) == 1) {
		struct ibv_async_event ev;
		uint32_t k = 0;

		if (ibv_get_async_event(v, &ev))
			die("ibv_get_async_event");
		while (k < n && ev.element.qp != ids[k]->qp)
			k++;
		if (ev.event_type == IBV_EVENT_QP_LAST_WQE_REACHED) {
			odd += k == n || told[k];
			all += k < n && !told[k];
			if (k < n)
				told[k] = true;
		} else {
			printf("# event %d\n", ev.event_type);
		}
		ibv_ack_async_event(&ev);
	}
	verdict(all == n && !odd, "the last WQE of each that ended", all, odd);
}

static void serve(const char *port, uint32_t n, long each, long lost)
{
	struct rdma_addrinfo hints = { .ai_flags = RAI_PASSIVE, .ai_port_space = RDMA_PS_TCP }, *res;
	struct rdma_event_channel *channel = rdma_create_event_channel();
	struct rdma_cm_event *ev;
	struct rdma_cm_id *listener;

	if (!channel || rdma_getaddrinfo(NULL, port, &hints, &res) || rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP) ||
	    rdma_bind_addr(listener, res->ai_src_addr) || rdma_listen(listener, (int)n))
		die("listen");
	take(channel, n);
	refuses(ids[0]->qp);
	by_limit(each * n, lost);
	empty((each + LAST) * n);
	for (uint32_t k = 0; k < n; k++) { /* the clients end when they have heard that all is here */
		struct ibv_sge sge = { .addr = (uintptr_t)bufs, .length = 4, .lkey = mr->lkey };
		struct ibv_send_wr wr = { .wr_id = WRS, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND }, *b;

		if (ibv_post_send(ids[k]->qp, &wr, &b))
			die("ibv_post_send");
	}
	for (uint32_t gone = 0; gone < n;) {
		if (rdma_get_cm_event(channel, &ev))
			die("rdma_get_cm_event");
		gone += ev->event == RDMA_CM_EVENT_DISCONNECTED;
		rdma_ack_cm_event(ev);
	}
	poll_all();
	last_wqes(ids[0]->verbs, n);
	for (uint32_t k = 0; k < n; k++) {
		rdma_destroy_qp(ids[k]);
		rdma_destroy_id(ids[k]);
	}
	verdict(!ibv_destroy_srq(srq), "and is destroyed behind its queue pairs", errno, 0);
}

/* ---- the clients ---- */

static void send_all(const char *address, const char *port, uint32_t n, long each)
{
	struct rdma_addrinfo hints = { .ai_port_space = RDMA_PS_TCP }, *res;
	struct ibv_mr *mrs[MOST];
	uint8_t *p[MOST];
	long posted[MOST] = { 0 }, done[MOST] = { 0 }, all = 0, total = (each + LAST) * n, since = now_ms();

	if (rdma_getaddrinfo(address, port, &hints, &res))
		die("rdma_getaddrinfo");
	for (uint32_t k = 0; k < n; k++) {
		struct ibv_qp_init_attr a = { .qp_type = IBV_QPT_RC, .sq_sig_all = 1,
			.cap = { .max_send_wr = DEPTH, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 } };

		p[k] = calloc(DEPTH + 1, BYTES);
		if (rdma_create_ep(&ids[k], res, NULL, &a) || !(mrs[k] = rdma_reg_msgs(ids[k], p[k], (DEPTH + 1) * BYTES)))
			die("rdma_connect");
		if (rdma_post_recv(ids[k], NULL, p[k] + DEPTH * BYTES, 4, mrs[k]))
			die("rdma_post_recv");
		if (rdma_connect(ids[k], NULL))
			die("rdma_connect");
	}
	while (all < total && now_ms() - since < 2 * TIMEOUT_MS && !bad) {
		for (uint32_t k = 0; k < n; k++) {
			struct ibv_wc wc;

			if (posted[k] < each + LAST && posted[k] - done[k] < DEPTH) {
				uint8_t *at = p[k] + posted[k] % DEPTH * BYTES;

				fill(at, k, posted[k]);
				if (rdma_post_send(ids[k], NULL, at, size_of(k, posted[k]), mrs[k], 0))
					die("rdma_post_send");
				posted[k]++;
			}
			while (ibv_poll_cq(ids[k]->send_cq, 1, &wc) > 0) {
				if (wc.status)
					verdict(false, "a Send", wc.status, done[k]);
				done[k]++;
				all++;
			}
		}
	}
	verdict(all == total && !bad, "Sends", all, total);
	for (uint32_t k = 0; k < n; k++) {
		struct ibv_wc wc = { 0 };

		if (rdma_get_recv_comp(ids[k], &wc) != 1 || wc.status)
			verdict(false, "the server's last word", wc.status, k);
	}
	for (uint32_t k = 0; k < n; k++)
		rdma_disconnect(ids[k]);
}

int main(int argc, char **argv)
{
	if ((argc == 5 || argc == 6) && !strcmp(argv[1], "serve"))
		serve(argv[2], (uint32_t)atoi(argv[3]) % (MOST + 1), atol(argv[4]), argc == 6 ? atol(argv[5]) : 0);
	else if (argc == 6 && !strcmp(argv[1], "send"))
		send_all(argv[2], argv[3], (uint32_t)atoi(argv[4]) % (MOST + 1), atol(argv[5]));
	else
		return 2;
	return bad;
}
