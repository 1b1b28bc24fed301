/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weft-board: a simulated board without PCIe as a process: the Verilated core with rtl/bridge in front, its line on a listening UNIX socket
 * in the place of a serial device, its cable to weft-wire. Who connects to the socket is the host's process (weft-nic-bridge); another one who comes
 * later finds the board as the one before left it.
 *
 * Time is CLOCK_MONOTONIC as in weft-nic. A byte of the line takes a cycle, and one to the host two. Nothing is held up: what the socket does not
 * take is lost, as on a line.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../common/framesock.h"
#include "../common/util.h"
#include "core.h"
#include "ethport.h"

enum {
	BATCH_CYCLES = 64,
	WIRE_OUT_BYTES = 2 << 20,
	RESET_CYCLES = 16,
	LINE_BYTES = 65536,
	AWAKE_CYCLES = 6000, /* behind the last byte: more than a heartbeat, which repairs what was lost */
};
#define STEP_NS 1000000u
#define RECONNECT_NS 200000000u

struct board {
	const char *wire_path;
	struct core *core;
	struct core_in in;
	struct core_out out;
	struct ethport *eth;
	struct framesock wire;
	int listener, line;
	uint8_t rx[LINE_BYTES], tx[LINE_BYTES];
	size_t rx_at, rx_n, tx_n;
	uint64_t cycles, awake_until, now_ns, reconnect_ns;
};

static volatile sig_atomic_t stop_signal, reset_signal, unplugged;

static void on_signal(int number)
{
	if (number == SIGHUP)
		reset_signal = 1;
	else if (number == SIGUSR1 || number == SIGUSR2)
		unplugged = number == SIGUSR2;
	else
		stop_signal = number;
}

static void frame_out(void *user, const uint8_t *frame, size_t len)
{
	struct board *b = user;

	if (b->in.link_up)
		framesock_send(&b->wire, frame, len);
}

static void cycle(struct board *b)
{
	struct core_in *in = &b->in;

	in->now_ns = b->now_ns;
	in->line_tx_ready = true;
	in->line_rx_valid = in->rst_n && b->rx_at < b->rx_n;
	if (in->line_rx_valid)
		in->line_rx_data = b->rx[b->rx_at++];
	if (in->rst_n)
		ethport_drive(b->eth, in);
	else
		in->eth_rx_valid = in->eth_tx_ready = false;
	core_eval(b->core, in, &b->out);
	if (in->rst_n)
		ethport_sample(b->eth, in, &b->out);
	if (in->rst_n && b->out.line_tx_valid && b->line >= 0 && b->tx_n < LINE_BYTES)
		b->tx[b->tx_n++] = b->out.line_tx_data;
	core_edge(b->core);
	b->cycles++;
	if (in->line_rx_valid || !b->out.idle || !ethport_idle(b->eth))
		b->awake_until = b->cycles + AWAKE_CYCLES;
}

static void reset(struct board *b)
{
	ethport_reset(b->eth);
	b->in.rst_n = false;
	for (int i = 0; i < RESET_CYCLES; i++)
		cycle(b);
	b->in.rst_n = true;
	b->awake_until = b->cycles + AWAKE_CYCLES;
}

static void hang_up(struct board *b)
{
	close(b->line);
	b->line = -1;
	b->tx_n = 0;
}

static void line_io(struct board *b)
{
	ssize_t n;

	if (b->line < 0) {
		b->line = accept4(b->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (b->line < 0)
			return;
	}
	memmove(b->rx, b->rx + b->rx_at, b->rx_n - b->rx_at);
	b->rx_n -= b->rx_at;
	b->rx_at = 0;
	n = b->rx_n < LINE_BYTES ? read(b->line, b->rx + b->rx_n, LINE_BYTES - b->rx_n) : -1;
	if (n > 0) {
		b->rx_n += (size_t)n;
	} else if (n == 0 || (b->rx_n < LINE_BYTES && errno != EAGAIN && errno != EINTR)) {
		hang_up(b);
		return;
	}
	n = b->tx_n ? send(b->line, b->tx, b->tx_n, MSG_NOSIGNAL) : 0;
	if (n > 0) {
		b->tx_n -= (size_t)n;
		memmove(b->tx, b->tx + n, b->tx_n);
	}
}

static void update_link(struct board *b)
{
	bool up = b->wire.fd >= 0 && !unplugged;

	if (up != b->in.link_up)
		b->awake_until = b->cycles + AWAKE_CYCLES;
	b->in.link_up = up;
}

static void wire_lost(struct board *b)
{
	framesock_detach(&b->wire);
	update_link(b);
}

static void wire_io(struct board *b, uint64_t mono)
{
	const char *why = NULL;
	const uint8_t *frame;
	bool bad = false;
	size_t len;
	int fd;

	if (!b->wire_path)
		return;
	if (b->wire.fd < 0) {
		if (mono < b->reconnect_ns)
			return;
		b->reconnect_ns = mono + RECONNECT_NS;
		fd = unix_connect(b->wire_path);
		if (fd < 0)
			return;
		framesock_attach(&b->wire, fd);
	}
	update_link(b);
	if (!framesock_fill(&b->wire, &why))
		bad = true;
	while (ethport_room(b->eth) && (frame = framesock_next(&b->wire, &len, &bad)))
		if (len >= FRAME_HEADER && b->in.link_up)
			ethport_push(b->eth, frame, len, false);
	if (bad || !framesock_flush(&b->wire))
		wire_lost(b);
}

static bool awake(const struct board *b)
{
	return b->cycles < b->awake_until || b->rx_at < b->rx_n;
}

static void rest(struct board *b, const sigset_t *mask)
{
	uint64_t mono = clock_monotonic_ns(), until = b->out.next_deadline_ns, wait = 0;
	struct pollfd fds[2] = {
		{ .fd = b->line >= 0 ? b->line : b->listener, .events = (short)(POLLIN | (b->tx_n ? POLLOUT : 0)) },
		{ .fd = b->wire.fd, .events = (short)((ethport_room(b->eth) ? POLLIN : 0) | (framesock_wants_write(&b->wire) ? POLLOUT : 0)) },
	};
	struct timespec t;

	if (!awake(b)) {
		if (b->wire_path && b->wire.fd < 0 && b->reconnect_ns < until)
			until = b->reconnect_ns;
		wait = until > mono ? until - mono : 0;
		if (wait > 1000000000)
			wait = 1000000000;
	}
	t = (struct timespec){ (time_t)(wait / 1000000000u), (long)(wait % 1000000000u) };
	ppoll(fds, 2, &t, mask);
}

static void run(struct board *b)
{
	uint64_t mono = clock_monotonic_ns();

	/* While it runs its time goes on by a step a batch at most; while it rests it goes on as it will. */
	if (awake(b) && mono > b->now_ns + STEP_NS)
		mono = b->now_ns + STEP_NS;
	else if (!awake(b) && mono > b->out.next_deadline_ns && b->out.next_deadline_ns > b->now_ns)
		mono = b->out.next_deadline_ns;
	if (mono > b->now_ns)
		b->now_ns = mono;
	if (!awake(b) && b->out.next_deadline_ns <= b->now_ns)
		b->awake_until = b->cycles + 2 * BATCH_CYCLES;
	for (int i = 0; i < BATCH_CYCLES && awake(b); i++)
		cycle(b);
	if (!awake(b) && !ethport_idle(b->eth))
		cycle(b);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "line", required_argument, NULL, 'l' }, { "wire", required_argument, NULL, 'w' },
		{ "name", required_argument, NULL, 'n' }, { "mac", required_argument, NULL, 'm' },
		{ "unplugged", no_argument, NULL, 'u' },
		{ NULL, 0, NULL, 0 },
	};
	static struct board b = { .line = -1 };
	const char *line = NULL, *name = "board";
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t mask, blocked;
	int option;
	bool bad = false;

	util_name("weft-board");
	b.in.mac = 0x010000465702;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'l')
			line = optarg;
		else if (option == 'w')
			b.wire_path = optarg;
		else if (option == 'n')
			name = optarg;
		else if (option == 'u')
			unplugged = 1;
		else if (option != 'm' || !parse_mac(optarg, &b.in.mac))
			bad = true;
	}
	if (bad || optind != argc || !line) {
		fputs("usage: weft-board --line SOCKET [--wire SOCKET] [--name NAME] [--mac MAC] [--unplugged]\n"
		      "SIGHUP resets the board, as its button would; SIGUSR2 pulls its cable, SIGUSR1 puts it back.\n", stderr);
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	b.listener = unix_listen(line);
	if (b.listener < 0)
		die("%s: %s", line, strerror(errno));
	sigprocmask(SIG_SETMASK, NULL, &mask);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGHUP);
	sigaddset(&blocked, SIGUSR1);
	sigaddset(&blocked, SIGUSR2);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	b.core = core_new(name);
	b.eth = ethport_new(core_beat_bytes(b.core), frame_out, &b);
	framesock_init(&b.wire, WIRE_OUT_BYTES);
	b.now_ns = clock_monotonic_ns();
	reset(&b);
	while (!stop_signal) {
		rest(&b, &mask);
		if (reset_signal) {
			reset_signal = 0;
			reset(&b);
		}
		line_io(&b);
		wire_io(&b, clock_monotonic_ns());
		run(&b);
	}
	if (b.line >= 0)
		close(b.line);
	/* The socket's name may be another board's by now: it stays. */
	close(b.listener);
	framesock_free(&b.wire);
	ethport_free(b.eth);
	core_free(b.core);
	return 0;
}
