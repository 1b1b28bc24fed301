/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of a vfio-user client, for the tests. */
#ifndef WEFT_TB_SIM_VFIO_CLIENT_H
#define WEFT_TB_SIM_VFIO_CLIENT_H

#include <errno.h>
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

#endif
