// SPDX-License-Identifier: BSD-2-Clause
/*
 * Preloaded in front of librspreload (LD_PRELOAD="polled.so librspreload.so"): a program's select() becomes poll().
 *
 * librspreload of rdma-core 56.1 has both, and translates descriptors for both; but its select() takes the first descriptor whose
 * translation is the one that has something, and a descriptor that it does not know translates into itself. A socket that was
 * accepted when its connection had already come has a higher number than the rsocket behind it, so select() names the rsocket's own
 * descriptor, which the program never heard of, and the program's stays silent for ever.
 */
#include <errno.h>
#include <poll.h>
#include <sys/select.h>

static nfds_t ask(struct pollfd *p, int n, const fd_set *in, const fd_set *out, const fd_set *except)
{
	nfds_t count = 0;

	for (int fd = 0; fd < n; fd++) {
		short events = (in && FD_ISSET(fd, in) ? POLLIN : 0) | (out && FD_ISSET(fd, out) ? POLLOUT : 0) |
			       (except && FD_ISSET(fd, except) ? POLLPRI : 0);

		if (events)
			p[count++] = (struct pollfd){ .fd = fd, .events = events };
	}
	return count;
}

/* As select(2) has it: what hangs up is readable, what has failed is both. */
static int tell(const struct pollfd *p, short asked, short means, fd_set *set)
{
	if (!set || !(p->events & asked) || !(p->revents & means))
		return 0;
	FD_SET(p->fd, set);
	return 1;
}

int select(int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *limit)
{
	struct pollfd p[FD_SETSIZE];
	nfds_t count;
	int rc, set = 0;

	if (n < 0 || n > FD_SETSIZE) {
		errno = EINVAL;
		return -1;
	}
	count = ask(p, n, in, out, except);
	/* up to the next millisecond, so that a wait never ends before its time */
	rc = poll(p, count, limit ? (int)(limit->tv_sec * 1000 + (limit->tv_usec + 999) / 1000) : -1);
	if (rc < 0)
		return rc;
	if (in)
		FD_ZERO(in);
	if (out)
		FD_ZERO(out);
	if (except)
		FD_ZERO(except);
	for (nfds_t i = 0; i < count; i++) {
		set += tell(&p[i], POLLIN, POLLIN | POLLHUP | POLLERR, in);
		set += tell(&p[i], POLLOUT, POLLOUT | POLLERR, out);
		set += tell(&p[i], POLLPRI, POLLPRI, except);
	}
	return set;
}
