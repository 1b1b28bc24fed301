// SPDX-License-Identifier: BSD-2-Clause
/*
 * Preloaded in front of librspreload (LD_PRELOAD="polled.so librspreload.so"): two faults of rdma-core 56.1 that stop iperf3.
 *
 * A program's select() becomes poll(). librspreload has both, and translates descriptors for both; but its select() takes the first
 * descriptor whose translation is the one that has something, and a descriptor that it does not know translates into itself. A socket
 * that was accepted when its connection had already come has a higher number than the rsocket behind it, so select() names the
 * rsocket's own descriptor, which the program never heard of, and the program's stays silent for ever.
 *
 * A poll() with a limit asks again and again without one. rpoll() that comes to its limit behind rs_poll_enter() returns without
 * rs_poll_exit(), and from then on takes somebody else of the process to be waiting: whoever polls turns in a circle.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <time.h>

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int poll(struct pollfd *p, nfds_t n, int limit)
{
	static int (*next)(struct pollfd *, nfds_t, int);
	const struct timespec ms = { .tv_nsec = 1000000 };
	long end;
	int rc;

	if (!next)
		next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
	if (limit <= 0)
		return next(p, n, limit);
	for (end = now_ms() + limit; !(rc = next(p, n, 0)) && now_ms() < end;)
		if (nanosleep(&ms, NULL))
			return -1; /* a signal */
	return rc;
}

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
