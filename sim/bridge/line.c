/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "line.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../common/util.h"

#define BEAT 64u            /* of the root complex's streams; the board's own is narrower */
#define OUT_BYTES 2048u     /* that wait for the device, so that an acknowledgement is not behind more */
#define STILL 8u            /* cycles without a transfer */
#define REOPEN_NS 200000000u
#define READS 16u           /* of a turn: others want to be heard, too */

struct core {
	struct bridge *bridge;
	struct core_in in;
	bool in_reset, told, gone;
	unsigned int still;
	int fd;
	uint64_t reopen_ns;
	uint8_t out[OUT_BYTES + BRIDGE_FRAME_MAX];
	size_t out_n;
};

static struct {
	const char *path;
	unsigned int baud;
	uint64_t retry_ns;
} device;

void line_device(const char *path, unsigned int baud, uint64_t retry_ns)
{
	device.path = path;
	device.baud = baud;
	device.retry_ns = retry_ns;
}

/* A serial device as it is: eight bits, no parity, no control of the flow. */
static int serial(int fd)
{
	struct serial_struct s;
	struct termios2 t;

	/* An adapter on USB that collects bytes for 16 ms makes the card think that nobody answers (ftdi_sio of Linux: 1 ms with this). */
	if (!ioctl(fd, TIOCGSERIAL, &s)) {
		s.flags |= ASYNC_LOW_LATENCY;
		ioctl(fd, TIOCSSERIAL, &s);
		/* Not of a pseudo terminal, which keeps this when its user is gone. */
		ioctl(fd, TIOCEXCL);
	}
	if (ioctl(fd, TCGETS2, &t))
		return -1;
	t.c_iflag = IGNBRK;
	t.c_oflag = 0;
	t.c_lflag = 0;
	t.c_cflag = CS8 | CREAD | CLOCAL | BOTHER;
	t.c_ispeed = t.c_ospeed = device.baud;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	if (ioctl(fd, TCSETSF2, &t))
		return -1;
	/* A rate that a driver cannot make is no error to it. A UART bears two per cent. */
	if (!ioctl(fd, TCGETS2, &t) && (t.c_ospeed < device.baud - device.baud / 50 || t.c_ospeed > device.baud + device.baud / 50))
		warn("%s: has %u bits a second, not %u", device.path, t.c_ospeed, device.baud);
	return 0;
}

static int open_line(void)
{
	struct stat st;
	int fd;

	if (stat(device.path, &st))
		return -1;
	if (S_ISSOCK(st.st_mode))
		return unix_connect(device.path);
	fd = open(device.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && isatty(fd) && serial(fd)) {
		warn("%s: %u bits a second: %s", device.path, device.baud, strerror(errno));
		close(fd);
		fd = -1;
	}
	return fd;
}

struct core *core_new(const char *name)
{
	struct core *c = xcalloc(1, sizeof(*c));
	struct timespec t;
	uint64_t seed;

	/* The number of a session is not the one of the process before. */
	clock_gettime(CLOCK_REALTIME, &t);
	seed = (uint64_t)t.tv_sec * 1000003 + (uint64_t)t.tv_nsec + (uint64_t)getpid() * 7919 + (unsigned char)name[0];
	c->bridge = bridge_new(BEAT, seed);
	bridge_config(c->bridge)->retry_ns = device.retry_ns;
	c->in_reset = true;
	c->fd = open_line();
	return c;
}

void core_free(struct core *c)
{
	if (!c)
		return;
	if (c->fd >= 0)
		close(c->fd);
	bridge_free(c->bridge);
	free(c);
}

unsigned int core_beat_bytes(const struct core *c)
{
	(void)c;
	return BEAT;
}

void core_eval(struct core *c, const struct core_in *in, struct core_out *out)
{
	memset(out, 0, sizeof(*out));
	out->idle = true;
	out->next_deadline_ns = UINT64_MAX;
	/* nothing of the board's inside can be asked for */
	out->dbg_cfg_ready = out->dbg_cfg_rvalid = out->dbg_cfg_err = true;
	if (in->rst_n && c->in_reset) {
		bridge_open(c->bridge);
		c->out_n = 0;
		c->gone = false;
	}
	c->in_reset = !in->rst_n;
	c->in = *in;
	bridge_mac(c->bridge, in->mac);
	if (c->in_reset)
		return;
	bridge_begin(c->bridge, &in->pcie, &out->pcie);
	out->idle = !out->pcie.tx_rd_valid && !out->pcie.tx_wr_valid && !out->pcie.tx_cpl_valid;
}

void core_edge(struct core *c)
{
	if (c->in_reset || bridge_end(c->bridge, &c->in.pcie))
		c->still = 0;
	else if (c->still < STILL)
		c->still++;
}

bool core_trace(struct core *c, const char *path)
{
	(void)c;
	return !path;
}

void core_trace_flush(struct core *c)
{
	(void)c;
}

/* ---- the line ---- */

int line_fd(const struct core *c) { return c->fd; }
short line_events(const struct core *c) { return (short)(POLLIN | (c->out_n ? POLLOUT : 0)); }
bool line_waits(const struct core *c) { return c->still >= STILL; }
bool line_lost(const struct core *c) { return c->gone || bridge_lost(c->bridge); }
const struct bridge *line_bridge(const struct core *c) { return c->bridge; }

static void hang_up(struct core *c, const char *why, uint64_t now_ns)
{
	warn("%s: %s", device.path, why);
	close(c->fd);
	c->fd = -1;
	c->out_n = 0;
	c->reopen_ns = now_ns + REOPEN_NS;
	/* The session may still be there when the line is, but nobody knows what was lost meanwhile, nor how long it will be. */
	c->gone = true;
}

bool line_turn(struct core *c, uint64_t now_ns)
{
	uint8_t bytes[4096];
	bool any = false;
	ssize_t n;
	size_t more;

	if (c->fd < 0 && now_ns >= c->reopen_ns) {
		c->reopen_ns = now_ns + REOPEN_NS;
		c->fd = open_line();
		if (c->fd < 0 && !c->told)
			warn("%s: %s; it is tried again", device.path, strerror(errno));
		c->told = c->fd < 0;
	}
	if (c->fd < 0)
		return false;
	for (unsigned int i = 0; i < READS; i++) {
		n = read(c->fd, bytes, sizeof(bytes));
		if (n <= 0)
			break;
		any = true;
		bridge_line_in(c->bridge, bytes, (size_t)n, now_ns);
	}
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		hang_up(c, n ? strerror(errno) : "closed", now_ns);
		return any;
	}
	do {
		while (c->out_n < OUT_BYTES && (more = bridge_line_out(c->bridge, c->out + c->out_n, now_ns)))
			c->out_n += more;
		n = c->out_n ? write(c->fd, c->out, c->out_n) : 0;
		if (n < 0 && errno != EAGAIN && errno != EINTR) {
			hang_up(c, strerror(errno), now_ns);
			return any;
		}
		if (n > 0) {
			c->out_n -= (size_t)n;
			memmove(c->out, c->out + n, c->out_n);
		}
	} while (n > 0);
	return any;
}

uint64_t line_due(const struct core *c, uint64_t now_ns)
{
	if (c->fd < 0)
		return c->reopen_ns;
	/* A full device is waited for by its descriptor. */
	return c->out_n >= OUT_BYTES ? UINT64_MAX : bridge_due(c->bridge, now_ns);
}

void line_sleep(struct core *c, const sigset_t *mask, uint64_t now_ns)
{
	struct pollfd p = { .fd = c->fd, .events = line_events(c) };
	uint64_t due = line_due(c, now_ns), wait = due > now_ns ? due - now_ns : 0;
	struct timespec t = { 0, (long)(wait < 100000000 ? wait : 100000000) };

	ppoll(&p, 1, &t, mask);
}
