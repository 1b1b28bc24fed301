// SPDX-License-Identifier: BSD-2-Clause
/*
 * What arrives is what was sent, in a guest:
 *
 *   weft-fields tcp-server PORT BYTES             takes a stream over a socket and compares every byte
 *   weft-fields tcp-client ADDRESS PORT BYTES     sends it
 *   weft-fields fence-server PORT ROUNDS          exposes a buffer for Reads; each round fills it anew and wants it
 *                                                 back in a Send
 *   weft-fields fence-client ADDRESS PORT ROUNDS  a Read of it, and behind it, with a fence, the Send
 *
 * The server prints one line, 'ok ...' or 'not ok ...'; the exit status is 1 when a byte differs or a call failed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

enum { SIZE = 65536, TAIL = 4096 };

static void die(const char *what)
{
	printf("not ok %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint8_t byte_of(uint64_t round, uint64_t at)
{
	uint64_t z = (round << 40) + (at >> 3) * 0x9e3779b97f4a7c15ull + 0x1234567;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	return (uint8_t)((z ^ (z >> 27)) >> (at & 7) * 8);
}

/* ---- sockets ---- */
static void tcp_server(const char *port, uint64_t bytes)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)) };
	int l = socket(AF_INET, SOCK_STREAM, 0), one = 1, s;
	static uint8_t b[65536];
	uint64_t at = 0, wrong = 0, first = 0;

	setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (l < 0 || bind(l, (struct sockaddr *)&a, sizeof(a)) || listen(l, 1))
		die("listen");
	s = accept(l, NULL, NULL);
	if (s < 0)
		die("accept");
	while (at < bytes) {
		ssize_t n = read(s, b, sizeof(b));

		if (n <= 0)
			break;
		for (ssize_t i = 0; i < n; i++)
			if (b[i] != byte_of(1, at + (uint64_t)i) && !wrong++)
				first = at + (uint64_t)i;
		at += (uint64_t)n;
	}
	printf("%s tcp: %llu of %llu bytes, %llu wrong (the first at %llu)\n", wrong || at != bytes ? "not ok" : "ok", (unsigned long long)at,
	       (unsigned long long)bytes, (unsigned long long)wrong, (unsigned long long)first);
	exit(wrong || at != bytes);
}

static void tcp_client(const char *address, const char *port, uint64_t bytes)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)) };
	int s = socket(AF_INET, SOCK_STREAM, 0);
	static uint8_t b[65536];

	if (s < 0 || inet_pton(AF_INET, address, &a.sin_addr) != 1 || connect(s, (struct sockaddr *)&a, sizeof(a)))
		die("connect");
	for (uint64_t at = 0; at < bytes;) {
		size_t n = bytes - at < sizeof(b) ? (size_t)(bytes - at) : sizeof(b);

		for (size_t i = 0; i < n; i++)
			b[i] = byte_of(1, at + i);
		for (size_t done = 0; done < n;) {
			ssize_t k = write(s, b + done, n - done);

			if (k <= 0)
				die("write");
			done += (size_t)k;
		}
		at += n;
	}
	shutdown(s, SHUT_WR);
	while (read(s, b, sizeof(b)) > 0)
		;
}

/* ---- verbs ---- */
struct offer { uint64_t addr; uint32_t rkey, zero; };
static uint8_t buf[SIZE], got[SIZE];

static struct rdma_addrinfo *resolve(const char *address, const char *port, bool passive)
{
	struct rdma_addrinfo hints = { .ai_flags = passive ? RAI_PASSIVE : 0, .ai_port_space = RDMA_PS_TCP }, *r;

	if (rdma_getaddrinfo(address, port, &hints, &r))
		die("rdma_getaddrinfo");
	return r;
}

static struct ibv_qp_init_attr attr = {
	.cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1 }, .sq_sig_all = 1, .qp_type = IBV_QPT_RC };

static void completion(struct rdma_cm_id *id, bool send, const char *what)
{
	struct ibv_wc wc;

	if ((send ? rdma_get_send_comp(id, &wc) : rdma_get_recv_comp(id, &wc)) <= 0)
		die(what);
	if (wc.status) {
		printf("not ok fence: %s: %s\n", what, ibv_wc_status_str(wc.status));
		exit(1);
	}
}

static void fence_server(const char *port, unsigned rounds)
{
	struct rdma_cm_id *l, *id;
	struct ibv_mr *mr, *in;
	struct offer o = { 0 };
	struct rdma_conn_param p = { .responder_resources = 1, .initiator_depth = 1, .private_data = &o, .private_data_len = sizeof(o) };
	unsigned wrong = 0, first = 0;

	if (rdma_create_ep(&l, resolve(NULL, port, true), NULL, &attr) || rdma_listen(l, 1) || rdma_get_request(l, &id))
		die("listen");
	mr = ibv_reg_mr(id->pd, buf, SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	in = rdma_reg_msgs(id, got, SIZE);
	if (!mr || !in)
		die("memory");
	o.addr = (uintptr_t)buf;
	o.rkey = mr->rkey;
	for (unsigned i = 0; i < SIZE; i++)
		buf[i] = byte_of(1, i);
	if (rdma_post_recv(id, NULL, got, SIZE, in) || rdma_accept(id, &p))
		die("accept");
	for (unsigned r = 1; r <= rounds; r++) {
		completion(id, false, "receive");
		for (unsigned i = 0; i < TAIL; i++)
			if (got[i] != byte_of(r, SIZE - TAIL + i) && !wrong++)
				first = r;
		for (unsigned i = 0; i < SIZE; i++)
			buf[i] = byte_of(r + 1, i);
		/* the next round */
		if (rdma_post_recv(id, NULL, got, SIZE, in) || rdma_post_send(id, NULL, buf, 16, mr, 0))
			die("post");
		completion(id, true, "send");
	}
	printf("%s fence: %u rounds, %u bytes wrong (the first in round %u)\n", wrong ? "not ok" : "ok", rounds, wrong, first);
	fflush(stdout);
	sleep(1);
	exit(wrong != 0);
}

static void fence_client(const char *address, const char *port, unsigned rounds)
{
	struct rdma_cm_id *id;
	struct ibv_mr *mr, *in;
	struct offer o;
	struct rdma_conn_param p = { .responder_resources = 1, .initiator_depth = 1, .retry_count = 7 };

	if (rdma_create_ep(&id, resolve(address, port, false), NULL, &attr))
		die("endpoint");
	/* iWARP's Read Response is a remote write (RFC 5040 5.1) */
	mr = ibv_reg_mr(id->pd, buf, SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	in = rdma_reg_msgs(id, got, SIZE);
	if (!mr || !in || rdma_post_recv(id, NULL, got, SIZE, in))
		die("memory");
	if (rdma_connect(id, &p))
		die("connect");
	if (!id->event || id->event->param.conn.private_data_len < sizeof(o)) {
		errno = EPROTO;
		die("private data");
	}
	memcpy(&o, id->event->param.conn.private_data, sizeof(o));
	for (unsigned r = 1; r <= rounds; r++) {
		struct ibv_sge whole = { (uintptr_t)buf, SIZE, mr->lkey }, tail = { (uintptr_t)buf + SIZE - TAIL, TAIL, mr->lkey };
		struct ibv_send_wr send = { .opcode = IBV_WR_SEND, .sg_list = &tail, .num_sge = 1, .send_flags = IBV_SEND_FENCE | IBV_SEND_SIGNALED };
		struct ibv_send_wr read = { .opcode = IBV_WR_RDMA_READ, .sg_list = &whole, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED, .next = &send,
					    .wr.rdma = { o.addr, o.rkey } }, *bad;

		memset(buf, 0xee, SIZE);
		if (ibv_post_send(id->qp, &read, &bad))
			die("post");
		completion(id, true, "read");
		completion(id, true, "fenced send");
		completion(id, false, "receive");
		if (rdma_post_recv(id, NULL, got, SIZE, in))
			die("post");
	}
	rdma_disconnect(id);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(what, "tcp-server") && argc == 4)
		tcp_server(argv[2], strtoull(argv[3], NULL, 0));
	else if (!strcmp(what, "tcp-client") && argc == 5)
		tcp_client(argv[2], argv[3], strtoull(argv[4], NULL, 0));
	else if (!strcmp(what, "fence-server") && argc == 4)
		fence_server(argv[2], (unsigned)atoi(argv[3]));
	else if (!strcmp(what, "fence-client") && argc == 5)
		fence_client(argv[2], argv[3], (unsigned)atoi(argv[4]));
	else
		return 2;
	return 0;
}
