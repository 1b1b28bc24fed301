/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/util.h"
#include "proto.h"

enum {
	BODY_MAX = 64 * 1024,       /* of a request; the largest real one is VERSION's text */
	MESSAGE_FDS = 16,           /* descriptors with one message, as told in VERSION: QEMU takes no more */
	OUT_MAX = 16 * 1024,
	ACCESS_MAX = 8,
};

enum waiting { WAIT_NOTHING, WAIT_READ, WAIT_RESET, WAIT_FLR };

struct vfio {
	int listener, fd;
	char *path;
	const struct vfio_ops *ops;
	void *user;
	bool version_done;
	/* The message under construction. */
	struct vu_header header;
	uint8_t body[BODY_MAX];
	size_t have; /* bytes of header and body */
	int fds[MESSAGE_FDS];
	int fd_count;
	/* What the device owes. */
	enum waiting waiting;
	struct vu_region_access access;
	/* Replies that the socket did not take yet. */
	uint8_t out[OUT_MAX];
	size_t out_len;
	struct config config;
	struct dma_space dma;
	int vectors[VFIO_VECTORS_MAX];
	bool told_about_memory;
	struct vfio_stats stats;
};

/* ---- life ---- */

static struct vfio *make(const struct config_identity *id, const struct vfio_ops *ops, void *user)
{
	struct vfio *v = xcalloc(1, sizeof(*v));

	v->listener = v->fd = -1;
	v->ops = ops;
	v->user = user;
	config_init(&v->config, id);
	for (int i = 0; i < VFIO_VECTORS_MAX; i++)
		v->vectors[i] = -1;
	return v;
}

struct vfio *vfio_open(const char *path, const struct config_identity *id,
		       const struct vfio_ops *ops, void *user)
{
	int fd = unix_listen(path);
	struct vfio *v;

	if (fd < 0)
		return NULL;
	v = make(id, ops, user);
	v->listener = fd;
	v->path = xstrdup(path);
	return v;
}

struct vfio *vfio_open_fd(int fd, const struct config_identity *id, const struct vfio_ops *ops,
			  void *user)
{
	struct vfio *v = make(id, ops, user);

	v->fd = fd;
	v->stats.clients++;
	return v;
}

static void close_message_fds(struct vfio *v)
{
	for (int i = 0; i < v->fd_count; i++)
		close(v->fds[i]);
	v->fd_count = 0;
}

static void set_vector(struct vfio *v, unsigned int vector, int fd)
{
	int old = v->vectors[vector];

	v->vectors[vector] = fd;
	if (old >= 0)
		close(old);
	if ((old >= 0) != (fd >= 0))
		v->ops->vector(v->user, vector, fd >= 0);
}

static void drop_client(struct vfio *v, const char *why)
{
	if (v->fd < 0)
		return;
	if (why)
		warn("vfio-user: %s: client dropped", why);
	close(v->fd);
	v->fd = -1;
	close_message_fds(v);
	v->have = v->out_len = 0;
	v->waiting = WAIT_NOTHING;
	v->version_done = false;
	for (unsigned int i = 0; i < VFIO_VECTORS_MAX; i++)
		set_vector(v, i, -1);
	dma_unmap_all(&v->dma);
	v->stats.memory_bytes = 0;
	config_reset(&v->config);
	v->ops->client(v->user, false);
}

void vfio_close(struct vfio *v)
{
	if (!v)
		return;
	drop_client(v, NULL);
	if (v->listener >= 0) {
		close(v->listener);
		unlink(v->path);
	}
	free(v->path);
	free(v);
}

static void accept_client(struct vfio *v)
{
	int fd = accept4(v->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0)
		return;
	if (v->fd >= 0) {
		struct pollfd old = { v->fd, POLLIN, 0 };

		/* What a client that has gone left behind is of no use. */
		if (poll(&old, 1, 0) == 1 && old.revents & POLLHUP)
			drop_client(v, "closed");
	}
	if (v->fd >= 0) {
		warn("vfio-user: a second client was refused");
		close(fd);
		return;
	}
	v->fd = fd;
	v->stats.clients++;
	v->ops->client(v->user, true);
}

/* ---- replies ---- */

static void flush(struct vfio *v)
{
	size_t done = 0;

	while (v->fd >= 0 && done < v->out_len) {
		ssize_t n = send(v->fd, v->out + done, v->out_len - done, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0) {
			if (errno != EAGAIN && errno != EINTR) {
				drop_client(v, "write error");
				return;
			}
			break;
		}
		done += (size_t)n;
	}
	v->out_len -= done;
	memmove(v->out, v->out + done, v->out_len);
}

/* Two parts, either may be empty. One message is under way at a time, so OUT_MAX holds it. */
static void reply(struct vfio *v, const void *a, size_t a_len, const void *b, size_t b_len)
{
	struct vu_header h = v->header;
	size_t total = sizeof(h) + a_len + b_len;

	if (h.flags & VU_FLAG_NO_REPLY || v->fd < 0 || v->out_len + total > OUT_MAX)
		return;
	h.size = (uint32_t)total;
	h.flags = VU_FLAG_REPLY;
	h.error = 0;
	memcpy(v->out + v->out_len, &h, sizeof(h));
	v->out_len += sizeof(h);
	if (a_len)
		memcpy(v->out + v->out_len, a, a_len);
	v->out_len += a_len;
	if (b_len)
		memcpy(v->out + v->out_len, b, b_len);
	v->out_len += b_len;
	flush(v);
}

static void reply_error(struct vfio *v, int error)
{
	struct vu_header h = v->header;

	v->stats.errors++;
	if (h.flags & VU_FLAG_NO_REPLY || v->fd < 0 || v->out_len + sizeof(h) > OUT_MAX)
		return;
	h.size = sizeof(h);
	h.flags = VU_FLAG_REPLY | VU_FLAG_ERROR;
	h.error = (uint32_t)error;
	memcpy(v->out + v->out_len, &h, sizeof(h));
	v->out_len += sizeof(h);
	flush(v);
}

static void reply_result(struct vfio *v, int error)
{
	if (error)
		reply_error(v, error);
	else
		reply(v, NULL, 0, NULL, 0);
}

/* ---- messages ---- */

/* The fixed part of a message; false when the message is too short for it. */
static bool fixed(const struct vfio *v, void *out, size_t len)
{
	if (v->header.size - sizeof(v->header) < len)
		return false;
	memcpy(out, v->body, len);
	return true;
}

static void on_version(struct vfio *v)
{
	char text[160];
	struct vu_version want, have = { 0, 0 };

	if (v->version_done || !fixed(v, &want, sizeof(want))) {
		reply_error(v, EINVAL);
		return;
	}
	if (want.major != 0) {
		warn("vfio-user: the client wants version %u.%u, this is 0.0", want.major, want.minor);
		reply_error(v, ENOTSUP);
		return;
	}
	v->version_done = true;
	snprintf(text, sizeof(text),
		 "{\"capabilities\":{\"max_msg_fds\":%d,\"max_data_xfer_size\":%d,"
		 "\"pgsizes\":4096,\"max_dma_maps\":%d,\"write_multiple\":false}}",
		 MESSAGE_FDS, 4096, DMA_MAPS_MAX);
	reply(v, &have, sizeof(have), text, strlen(text) + 1);
}

static void on_dma_map(struct vfio *v)
{
	struct vu_dma_map m;
	int fd, error;

	if (!fixed(v, &m, sizeof(m)) || v->fd_count > 1 ||
	    m.flags & ~(uint32_t)(VU_DMA_READ | VU_DMA_WRITE)) {
		reply_error(v, EINVAL);
		return;
	}
	fd = v->fd_count ? v->fds[0] : -1;
	if (fd < 0 && m.address == 0 && m.size >= 1 << 16 && !v->told_about_memory) {
		v->told_about_memory = true;
		warn("vfio-user: guest memory came without a file descriptor (is share=on "
		     "missing?): no DMA");
	}
	error = dma_map(&v->dma, m.address, m.size, fd, m.offset, m.flags & VU_DMA_READ,
			m.flags & VU_DMA_WRITE);
	if (!error && fd >= 0)
		v->stats.memory_bytes += m.size;
	reply_result(v, error);
}

static void on_dma_unmap(struct vfio *v)
{
	struct vu_dma_unmap m;
	int error = 0;

	if (!fixed(v, &m, sizeof(m)) || m.flags & ~(uint32_t)VU_UNMAP_ALL) {
		reply_error(v, EINVAL);
		return;
	}
	if (m.flags & VU_UNMAP_ALL) {
		if (m.address || m.size)
			error = EINVAL;
		else
			dma_unmap_all(&v->dma);
	} else {
		error = dma_unmap(&v->dma, m.address, m.size);
	}
	v->stats.memory_bytes = 0;
	for (int i = 0; i < v->dma.count; i++)
		if (v->dma.maps[i].memory)
			v->stats.memory_bytes += v->dma.maps[i].size;
	if (error)
		reply_error(v, error);
	else
		reply(v, &m, sizeof(m), NULL, 0);
}

static void on_device_info(struct vfio *v)
{
	struct vu_device_info m;

	if (!fixed(v, &m, sizeof(m)) || m.argsz < sizeof(m)) {
		reply_error(v, EINVAL);
		return;
	}
	m = (struct vu_device_info){ sizeof(m), VU_DEVICE_RESETS | VU_DEVICE_PCI, VU_REGIONS, VU_IRQS };
	reply(v, &m, sizeof(m), NULL, 0);
}

static uint64_t region_bytes(const struct vfio *v, uint32_t index)
{
	if (index < CONFIG_BARS)
		return v->config.id.bar_bytes[index];
	return index == VU_REGION_CONFIG ? CONFIG_BYTES : 0;
}

static void on_region_info(struct vfio *v)
{
	struct vu_region_info m;

	if (!fixed(v, &m, sizeof(m)) || m.argsz < sizeof(m) || m.index >= VU_REGIONS) {
		reply_error(v, EINVAL);
		return;
	}
	m = (struct vu_region_info){ .argsz = sizeof(m), .index = m.index };
	m.size = region_bytes(v, m.index);
	if (m.size)
		m.flags = VU_REGION_READS | VU_REGION_WRITES;
	reply(v, &m, sizeof(m), NULL, 0);
}

static void on_irq_info(struct vfio *v)
{
	struct vu_irq_info m;

	if (!fixed(v, &m, sizeof(m)) || m.argsz < sizeof(m) || m.index >= VU_IRQS) {
		reply_error(v, EINVAL);
		return;
	}
	m = (struct vu_irq_info){ sizeof(m), 0, m.index, 0 };
	if (m.index == VU_IRQ_MSIX) {
		m.flags = VU_IRQ_EVENTFD | VU_IRQ_NORESIZE;
		m.count = v->config.id.vectors;
	}
	reply(v, &m, sizeof(m), NULL, 0);
}

/* An eventfd write must not block, whatever descriptor the client gave. */
static bool make_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_NONBLOCK || !fcntl(fd, F_SETFL, flags | O_NONBLOCK));
}

static int set_eventfds(struct vfio *v, const struct vu_set_irqs *m)
{
	/* With no descriptors at all the vectors are taken away. */
	if (v->fd_count && (uint32_t)v->fd_count != m->count)
		return EINVAL;
	for (int i = 0; i < v->fd_count; i++)
		if (!make_nonblocking(v->fds[i]))
			return EINVAL;
	for (uint32_t i = 0; i < m->count; i++)
		set_vector(v, m->start + i, v->fd_count ? v->fds[i] : -1);
	v->fd_count = 0; /* they are the vectors' now */
	return 0;
}

static int set_irqs(struct vfio *v, const struct vu_set_irqs *m)
{
	uint32_t data = m->flags & (VU_SET_DATA_NONE | VU_SET_DATA_BOOL | VU_SET_DATA_EVENTFD);
	size_t rest = v->header.size - sizeof(v->header) - sizeof(*m);

	if (m->index != VU_IRQ_MSIX || m->flags >> 6 || (m->flags & ~data) != VU_SET_TRIGGER)
		return EINVAL;
	if (m->start > v->config.id.vectors || m->count > v->config.id.vectors - m->start)
		return EINVAL;
	if (v->fd_count && data != VU_SET_DATA_EVENTFD)
		return EINVAL;
	switch (data) {
	case VU_SET_DATA_EVENTFD:
		return m->count ? set_eventfds(v, m) : EINVAL;
	case VU_SET_DATA_NONE:
		for (uint32_t i = 0; m->count && i < m->count; i++)
			vfio_interrupt(v, m->start + i);
		if (!m->count)
			for (uint32_t i = 0; i < v->config.id.vectors; i++)
				set_vector(v, i, -1);
		return 0;
	case VU_SET_DATA_BOOL:
		if (rest < m->count)
			return EINVAL;
		for (uint32_t i = 0; i < m->count; i++)
			if (v->body[sizeof(*m) + i])
				vfio_interrupt(v, m->start + i);
		return 0;
	default:
		return EINVAL;
	}
}

static void on_set_irqs(struct vfio *v)
{
	struct vu_set_irqs m;

	reply_result(v, fixed(v, &m, sizeof(m)) ? set_irqs(v, &m) : EINVAL);
}

/* Is the access inside its region, and can it be one TLP? */
static bool access_ok(const struct vfio *v, const struct vu_region_access *m)
{
	uint64_t bytes;

	if (m->region >= VU_REGIONS)
		return false;
	bytes = region_bytes(v, m->region);
	if (!m->count || m->offset >= bytes || m->count > bytes - m->offset)
		return false;
	if (m->region == VU_REGION_CONFIG)
		return m->count <= CONFIG_BYTES;
	return m->count <= ACCESS_MAX && m->offset % 4096 + m->count <= 4096;
}

static void on_read(struct vfio *v)
{
	static const uint8_t ones[ACCESS_MAX] = { 255, 255, 255, 255, 255, 255, 255, 255 };
	struct vu_region_access m;

	if (!fixed(v, &m, sizeof(m)) || !access_ok(v, &m)) {
		reply_error(v, EINVAL);
		return;
	}
	v->stats.reads++;
	if (m.region == VU_REGION_CONFIG) {
		reply(v, &m, sizeof(m), v->config.space + m.offset, m.count);
	} else if (!config_state(&v->config).memory_enable) {
		reply(v, &m, sizeof(m), ones, m.count);
	} else {
		v->access = m;
		v->waiting = WAIT_READ;
		v->ops->bar_read(v->user, m.region, m.offset, m.count);
	}
}

void vfio_read_done(struct vfio *v, const uint8_t *bytes)
{
	if (v->waiting != WAIT_READ)
		return;
	v->waiting = WAIT_NOTHING;
	reply(v, &v->access, sizeof(v->access), bytes, v->access.count);
}

static void on_write(struct vfio *v)
{
	struct vu_region_access m;
	const uint8_t *bytes = v->body + sizeof(m);

	if (!fixed(v, &m, sizeof(m)) || !access_ok(v, &m) ||
	    v->header.size - sizeof(v->header) - sizeof(m) != m.count) {
		reply_error(v, EINVAL);
		return;
	}
	v->stats.writes++;
	if (m.region == VU_REGION_CONFIG) {
		bool flr = config_write(&v->config, (uint32_t)m.offset, bytes, m.count);
		struct config_state state = config_state(&v->config);

		v->ops->config(v->user, &state);
		if (flr) {
			v->access = m;
			v->waiting = WAIT_FLR;
			v->ops->reset(v->user, true);
			return;
		}
	} else if (config_state(&v->config).memory_enable) {
		v->ops->bar_write(v->user, m.region, m.offset, bytes, m.count);
	}
	reply(v, &m, sizeof(m), NULL, 0);
}

static void on_reset(struct vfio *v)
{
	v->waiting = WAIT_RESET;
	v->ops->reset(v->user, false);
}

void vfio_reset_done(struct vfio *v)
{
	enum waiting was = v->waiting;
	struct config_state state;

	if (was != WAIT_RESET && was != WAIT_FLR)
		return;
	v->waiting = WAIT_NOTHING;
	config_reset(&v->config);
	state = config_state(&v->config);
	v->ops->config(v->user, &state);
	if (was == WAIT_FLR)
		reply(v, &v->access, sizeof(v->access), NULL, 0);
	else
		reply(v, NULL, 0, NULL, 0);
}

static void on_message(struct vfio *v)
{
	v->stats.messages++;
	if (!v->version_done && v->header.command != VU_VERSION) {
		reply_error(v, EINVAL);
		drop_client(v, "a message before VERSION");
		return;
	}
	switch (v->header.command) {
	case VU_VERSION:
		on_version(v);
		break;
	case VU_DMA_MAP:
		on_dma_map(v);
		break;
	case VU_DMA_UNMAP:
		on_dma_unmap(v);
		break;
	case VU_DEVICE_GET_INFO:
		on_device_info(v);
		break;
	case VU_DEVICE_GET_REGION_INFO:
		on_region_info(v);
		break;
	case VU_DEVICE_GET_IRQ_INFO:
		on_irq_info(v);
		break;
	case VU_DEVICE_SET_IRQS:
		on_set_irqs(v);
		break;
	case VU_REGION_READ:
		on_read(v);
		break;
	case VU_REGION_WRITE:
		on_write(v);
		break;
	case VU_DEVICE_RESET:
		on_reset(v);
		break;
	default:
		reply_error(v, ENOTSUP);
		break;
	}
	close_message_fds(v);
}

/* ---- the socket ---- */

/* Descriptors of one recvmsg; false when they are too many. */
static bool take_fds(struct vfio *v, struct msghdr *msg)
{
	bool ok = !(msg->msg_flags & MSG_CTRUNC);

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		size_t count;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < count; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
			if (v->fd_count < MESSAGE_FDS) {
				v->fds[v->fd_count++] = fd;
			} else {
				close(fd);
				ok = false;
			}
		}
	}
	return ok;
}

/* Read towards `want` bytes of the message; false when nothing more can be done now. */
static bool receive(struct vfio *v, size_t want)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(MESSAGE_FDS * sizeof(int))];
	} ancillary;
	uint8_t *base = v->have < sizeof(v->header) ? (uint8_t *)&v->header + v->have :
						      v->body + (v->have - sizeof(v->header));
	struct iovec iov = { base, want - v->have };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = ancillary.bytes,
		.msg_controllen = sizeof(ancillary.bytes),
	};
	ssize_t n = recvmsg(v->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (n < 0) {
		if (errno != EAGAIN && errno != EINTR)
			drop_client(v, "read error");
		return false;
	}
	if (!take_fds(v, &msg)) {
		drop_client(v, "too many file descriptors");
		return false;
	}
	if (n == 0) {
		drop_client(v, v->have ? "closed inside a message" : "closed");
		return false;
	}
	v->have += (size_t)n;
	return v->have == want;
}

/* One step: a whole message handled, or false. */
static bool step(struct vfio *v)
{
	if (v->have < sizeof(v->header)) {
		if (!receive(v, sizeof(v->header)))
			return false;
		if (v->header.size < sizeof(v->header) || v->header.size > sizeof(v->header) + BODY_MAX) {
			drop_client(v, "a message of a length that cannot be");
			return false;
		}
		if (v->header.flags & VU_FLAG_TYPE) {
			drop_client(v, "a reply to nothing");
			return false;
		}
	}
	if (v->have < v->header.size && !receive(v, v->header.size))
		return false;
	v->have = 0;
	on_message(v);
	return v->fd >= 0;
}

int vfio_poll(struct vfio *v, struct pollfd *fds)
{
	short events = 0;

	if (v->out_len)
		events |= POLLOUT;
	else if (v->waiting == WAIT_NOTHING && v->ops->ready(v->user))
		events |= POLLIN;
	fds[0] = (struct pollfd){ .fd = v->listener, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = v->fd, .events = events };
	return VFIO_FDS;
}

void vfio_serve(struct vfio *v, const struct pollfd *fds)
{
	enum { BURST = 256 };

	if (v->fd >= 0 && fds[1].fd == v->fd && fds[1].revents) {
		if (v->out_len)
			flush(v);
		for (int i = 0; i < BURST; i++) {
			if (v->fd < 0 || v->out_len || v->waiting != WAIT_NOTHING || !v->ops->ready(v->user))
				break;
			if (!step(v))
				break;
		}
		/* A client that is gone while the device works on its message. */
		if (v->fd >= 0 && v->waiting != WAIT_NOTHING && fds[1].revents & (POLLHUP | POLLERR))
			drop_client(v, "closed while a message was under way");
	}
	if (fds[0].revents)
		accept_client(v);
}

bool vfio_connected(const struct vfio *v)
{
	return v->fd >= 0;
}

bool vfio_waiting(const struct vfio *v)
{
	return v->waiting != WAIT_NOTHING;
}

void vfio_interrupt(struct vfio *v, unsigned int vector)
{
	const uint64_t one = 1;

	if (vector >= VFIO_VECTORS_MAX || v->vectors[vector] < 0)
		return;
	v->stats.interrupts++;
	/* EAGAIN: the counter is full, the interrupt is pending anyway. */
	if (write(v->vectors[vector], &one, sizeof(one)) < 0 && errno != EAGAIN)
		warn("vfio-user: vector %u: %s", vector, strerror(errno));
}

bool vfio_vector_connected(const struct vfio *v, unsigned int vector)
{
	return vector < VFIO_VECTORS_MAX && v->vectors[vector] >= 0;
}

struct dma_space *vfio_dma(struct vfio *v)
{
	return &v->dma;
}

struct config_state vfio_config(const struct vfio *v)
{
	return config_state(&v->config);
}

const struct vfio_stats *vfio_stats(const struct vfio *v)
{
	return &v->stats;
}
