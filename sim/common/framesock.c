/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "framesock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util.h"

enum { IN_ROOM = 256 * 1024 };

void framesock_init(struct framesock *s, size_t out_limit)
{
	memset(s, 0, sizeof(*s));
	s->fd = -1;
	s->out_limit = out_limit;
	s->in = xcalloc(1, IN_ROOM);
	s->out = xcalloc(1, out_limit);
}

void framesock_attach(struct framesock *s, int fd)
{
	framesock_detach(s);
	s->fd = fd;
}

void framesock_detach(struct framesock *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	s->in_start = s->in_len = 0;
	s->out_start = s->out_len = 0;
}

void framesock_free(struct framesock *s)
{
	framesock_detach(s);
	free(s->in);
	free(s->out);
	s->in = s->out = NULL;
}

bool framesock_fill(struct framesock *s, const char **why)
{
	ssize_t n;

	if (s->in_start) {
		memmove(s->in, s->in + s->in_start, s->in_len);
		s->in_start = 0;
	}
	if (s->in_len == IN_ROOM)
		return true;
	n = recv(s->fd, s->in + s->in_len, IN_ROOM - s->in_len, MSG_DONTWAIT);
	if (n > 0) {
		s->in_len += (size_t)n;
		return true;
	}
	if (n == 0) {
		*why = s->in_len ? "closed in the middle of a frame" : "closed";
		return false;
	}
	if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
		return true;
	*why = "read error";
	return false;
}

const uint8_t *framesock_next(struct framesock *s, size_t *len, bool *bad)
{
	const uint8_t *p = s->in + s->in_start;
	size_t n;

	*bad = false;
	if (s->in_len < 4)
		return NULL;
	n = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
	if (n > FRAME_MAX) {
		*bad = true;
		return NULL;
	}
	if (s->in_len < 4 + n)
		return NULL;
	s->in_start += 4 + n;
	s->in_len -= 4 + n;
	*len = n;
	return p + 4;
}

bool framesock_send(struct framesock *s, const uint8_t *frame, size_t len)
{
	uint8_t *p;

	if (s->fd < 0 || s->out_len + 4 + len > s->out_limit)
		return false;
	if (s->out_start + s->out_len + 4 + len > s->out_limit) {
		memmove(s->out, s->out + s->out_start, s->out_len);
		s->out_start = 0;
	}
	p = s->out + s->out_start + s->out_len;
	p[0] = (uint8_t)(len >> 24);
	p[1] = (uint8_t)(len >> 16);
	p[2] = (uint8_t)(len >> 8);
	p[3] = (uint8_t)len;
	memcpy(p + 4, frame, len);
	s->out_len += 4 + len;
	return true;
}

bool framesock_flush(struct framesock *s)
{
	while (s->fd >= 0 && s->out_len) {
		ssize_t n = send(s->fd, s->out + s->out_start, s->out_len, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0)
			return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
		s->out_start += (size_t)n;
		s->out_len -= (size_t)n;
		if (!s->out_len)
			s->out_start = 0;
	}
	return true;
}
