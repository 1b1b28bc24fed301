/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of a vfio-user client, for the tests. */
#ifndef WEFT_TB_SIM_VFIO_CLIENT_H
#define WEFT_TB_SIM_VFIO_CLIENT_H

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "../../sim/vfio/proto.h"
#include "check.h"

static inline void send_bytes(int fd, const void *bytes, size_t len, const int *fds, int count)
{
	char control[CMSG_SPACE(300 * sizeof(int))];
	struct iovec iov = { (void *)bytes, len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (count) {
		struct cmsghdr *c;

		memset(control, 0, sizeof(control));
		msg.msg_control = control;
		msg.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
		memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
	}
	CHECK(sendmsg(fd, &msg, MSG_NOSIGNAL) == (ssize_t)len || errno == EPIPE);
}

struct message {
	struct vu_header h;
	uint8_t body[8192];
};

static uint16_t next_id;
static int vu_reply_ms = 20000; /* a reply takes no longer */

static inline size_t build(struct message *m, unsigned int command, const void *a, size_t a_len,
		    const void *b, size_t b_len)
{
	memset(&m->h, 0, sizeof(m->h));
	m->h.id = next_id++;
	m->h.command = (uint16_t)command;
	m->h.size = (uint32_t)(sizeof(m->h) + a_len + b_len);
	if (a_len)
		memcpy(m->body, a, a_len);
	if (b_len)
		memcpy(m->body + a_len, b, b_len);
	return m->h.size;
}

/* Sends a message of len bytes and waits for its reply, which takes its place: the error in it, 0 if there is none. */
static inline int vu_call(int fd, struct message *m, size_t len, const int *fds, int count)
{
	uint16_t id = m->h.id;
	struct pollfd p = { fd, POLLIN, 0 };
	ssize_t n;

	send_bytes(fd, m, len, fds, count);
	CHECK(poll(&p, 1, vu_reply_ms) == 1, "no reply");
	n = recv(fd, m, sizeof(*m), 0);
	CHECK(n >= (ssize_t)sizeof(m->h) && (size_t)n == m->h.size && m->h.id == id);
	return (int)m->h.error;
}

/* A register of BAR0. The write is posted. */
static inline void vu_bar_write(int fd, uint32_t offset, uint32_t value)
{
	struct vu_region_access a = { offset, 0, 4 };
	struct message m;
	size_t len = build(&m, VU_REGION_WRITE, &a, sizeof(a), &value, 4);

	m.h.flags = VU_FLAG_NO_REPLY;
	send_bytes(fd, &m, len, NULL, 0);
}

/* 1 to 4 bytes of a region. */
static inline uint32_t vu_region_read(int fd, uint32_t index, uint32_t offset, uint32_t bytes)
{
	struct vu_region_access a = { offset, index, bytes };
	struct message m;
	uint32_t value = 0;

	CHECK(!vu_call(fd, &m, build(&m, VU_REGION_READ, &a, sizeof(a), NULL, 0), NULL, 0));
	memcpy(&value, m.body + sizeof(a), bytes);
	return value;
}

static inline uint32_t vu_bar_read(int fd, uint32_t offset)
{
	return vu_region_read(fd, 0, offset, 4);
}

#endif
