/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weft-wire as a process with nine ports: learning, flooding, the control socket, and clients that
 * send noise, half frames and impossible lengths, vanish, or never read. WEFT_WIRE is built with
 * sanitizers.
 *
 *     test_wire WEFT_WIRE [SECONDS]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../sim/common/prng.h"
#include "../../sim/common/util.h"
#include "check.h"

enum { PORTS = 9 };

static char dir[] = "/tmp/weft-wire.XXXXXX";
static char listen_args[PORTS][160], port_paths[PORTS][160], control_path[160], pcap_path[160];
static pid_t wire;

static void clean_up(void)
{
	char command[160];

	if (wire > 0)
		kill(wire, SIGKILL);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command))
		return;
}

static int connect_to(const char *path)
{
	for (int i = 0; i < 300; i++) {
		int fd = unix_connect(path);

		if (fd >= 0)
			return fd;
		usleep(10000);
	}
	CHECK(0, "nobody listens at %s", path);
	return -1;
}

static bool readable(int fd, int ms)
{
	struct pollfd p = { fd, POLLIN, 0 };

	return poll(&p, 1, ms) == 1;
}

static const char *control(const char *command)
{
	static char text[32768];
	int fd = connect_to(control_path);
	size_t len = 0;
	ssize_t n;

	CHECK(dprintf(fd, "%s\n", command) > 0);
	do {
		CHECK(readable(fd, 10000), "no answer to '%s'", command);
		n = read(fd, text + len, sizeof(text) - 1 - len);
		CHECK(n > 0);
		len += (size_t)n;
		text[len] = 0;
	} while (strncmp(text, "error ", 6) && strcmp(text, "ok\n") &&
		 (len < 4 || strcmp(text + len - 4, "\nok\n")));
	close(fd);
	return text;
}

static unsigned long long counter(const char *name)
{
	const char *text = control("stats"), *at = strstr(text, name);

	CHECK(at, "%s", name);
	return strtoull(at + strlen(name), NULL, 10);
}

/* A frame of 60 to 1,514 bytes between stations that carry a port's number. */
static size_t frame(uint8_t *f, unsigned int to, unsigned int from, size_t len, uint32_t number)
{
	f[0] = f[1] = 0;
	f[2] = (uint8_t)(len >> 8);
	f[3] = (uint8_t)len;
	memset(f + 4, 0, len);
	if (to == 255)
		memset(f + 4, 255, 6);
	else
		f[4] = 2, f[9] = (uint8_t)to;
	f[10] = 2;
	f[15] = (uint8_t)from;
	memcpy(f + 18, &number, 4);
	return 4 + len;
}

/* The number of the next frame, or -1 when none comes soon. */
static long receive(int fd, int ms)
{
	uint8_t f[2048];
	uint32_t number;
	size_t got = 0, want = 4;

	while (got < want) {
		ssize_t n;

		if (!readable(fd, ms))
			return -1;
		n = recv(fd, f + got, want - got, 0);
		if (n <= 0)
			return -2;
		got += (size_t)n;
		if (got == 4)
			want = 4 + ((size_t)f[2] << 8 | f[3]);
		CHECK(want <= sizeof(f) && (got < 4 || (!f[0] && !f[1])));
	}
	memcpy(&number, f + 18, 4);
	return (long)number;
}

static void send_all(int fd, const uint8_t *bytes, size_t len)
{
	while (len) {
		ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EAGAIN) {
			usleep(1000);
			continue;
		}
		if (n < 0)
			return; /* the wire has hung up */
		bytes += n;
		len -= (size_t)n;
	}
}

static void test_bridge(void)
{
	uint8_t f[2048];
	int fd[PORTS];

	for (unsigned int i = 0; i < PORTS; i++)
		fd[i] = connect_to(port_paths[i]);
	usleep(50000);
	/* Broadcast reaches all but the sender, and teaches where the sender is. */
	for (unsigned int from = 0; from < PORTS; from++) {
		send_all(fd[from], f, frame(f, 255, from, 60 + from, from));
		for (unsigned int i = 0; i < PORTS; i++)
			CHECK(i == from || receive(fd[i], 2000) == from);
	}
	for (unsigned int from = 0; from < PORTS; from++) {
		unsigned int to = (from + 4) % PORTS;

		send_all(fd[from], f, frame(f, to, from, 1514, 1000 + from));
		CHECK(receive(fd[to], 2000) == 1000 + from);
	}
	for (unsigned int i = 0; i < PORTS; i++)
		CHECK(receive(fd[i], 0) == -1, "port %u got what was not for it", i);
	/* A second peer on a port is refused, the first stays. */
	int second = connect_to(port_paths[3]);

	CHECK(readable(second, 2000) && recv(second, f, 1, 0) == 0);
	close(second);
	send_all(fd[0], f, frame(f, 3, 0, 60, 7));
	CHECK(receive(fd[3], 2000) == 7);
	/* Loss, in both directions of a link, and its end. */
	CHECK(!strcmp(control("set loss=100%"), "ok\n"));
	send_all(fd[0], f, frame(f, 3, 0, 60, 8));
	CHECK(receive(fd[3], 100) == -1);
	CHECK(!strcmp(control("set loss=0%,delay=200ms"), "ok\n"));
	send_all(fd[0], f, frame(f, 3, 0, 60, 9));
	CHECK(receive(fd[3], 100) == -1 && receive(fd[3], 2000) == 9);
	CHECK(!strcmp(control("set none"), "ok\n"));
	for (unsigned int i = 0; i < PORTS; i++)
		close(fd[i]);
}

/* A peer that never reads loses its own frames only. */
static void test_deaf(void)
{
	int deaf = connect_to(port_paths[1]), a = connect_to(port_paths[0]), b = connect_to(port_paths[2]);
	uint8_t f[2048];

	usleep(50000);
	for (unsigned int i = 0; i < 4000; i++) {
		send_all(a, f, frame(f, 255, 0, 1514, i));
		CHECK(receive(b, 5000) == (long)i);
	}
	CHECK(counter("p1.tx_dropped ") > 0);
	close(deaf);
	close(a);
	close(b);
}

static void test_control(void)
{
	static const char *const bad[] = {
		"set", "set loss=1", "set loss=1% dup=1%", "link", "link p0", "link p0 sideways",
		"link nobody up", "stats nobody", "what", "set reorder=5%", "quit now",
		"a b c d e f g h i j k l m n o p q r s t",
	};
	char line[3000];
	int fd;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!strncmp(control(bad[i]), "error ", 6), "'%s' was taken", bad[i]);
	CHECK(strstr(control("show"), "loss=0%,"));
	fd = connect_to(control_path); /* a line without an end */
	memset(line, 'x', sizeof(line));
	send_all(fd, (uint8_t *)line, sizeof(line));
	CHECK(readable(fd, 2000) && recv(fd, line, sizeof(line), 0) > 0 && !strncmp(line, "error ", 6));
	close(fd);
	for (int i = 0; i < 30; i++) { /* more clients than it serves, all vanish */
		int many[12];

		for (int j = 0; j < 12; j++)
			many[j] = connect_to(control_path);
		for (int j = 0; j < 12; j++)
			close(many[j]);
	}
	CHECK(!strcmp(control("flush"), "ok\n"));
}

static void test_fuzz(unsigned long seed, unsigned int seconds)
{
	time_t end = time(NULL) + (time_t)seconds;
	unsigned long bytes = 0, peers = 0;
	struct prng r;

	prng_seed(&r, seed);
	CHECK(!strcmp(control("set loss=5%,reorder=10%:3,dup=5%,corrupt=3%,corrupt-past-fcs=20%:3,"
			      "delay=100us,rate=1gbit"), "ok\n"));
	while (time(NULL) < end) {
		int fd = connect_to(port_paths[prng_below(&r, PORTS)]);

		peers++;
		for (uint64_t i = prng_below(&r, 40); i; i--) {
			uint8_t f[70000];
			size_t len = prng_below(&r, 8) ? 14 + prng_below(&r, 1500) : prng_below(&r, 65000);

			for (size_t j = 0; j < len; j += 8) {
				uint64_t value = prng_next(&r);

				memcpy(f + 4 + j, &value, 8);
			}
			if (prng_below(&r, 2)) { /* looks like TCP, with lengths that lie */
				static const uint8_t v4[] = { 0x08, 0x00, 0x45 }, v6[] = { 0x86, 0xdd, 0x60 };

				memcpy(f + 16, prng_below(&r, 2) ? v4 : v6, 3);
				f[20] &= 3;
				f[24] = 0;
				f[27] = f[24 + 1] = 6;
			}
			f[0] = f[1] = 0;
			f[2] = (uint8_t)(len >> 8);
			f[3] = (uint8_t)len;
			if (!prng_below(&r, 100))
				f[prng_below(&r, 4)] = (uint8_t)prng_next(&r);
			if (!prng_below(&r, 10))
				len = prng_below(&r, len + 1);
			send_all(fd, f, 4 + len);
			bytes += 4 + len;
			if (!prng_below(&r, 3))
				while (recv(fd, f, sizeof(f), MSG_DONTWAIT) > 0)
					;
		}
		close(fd);
	}
	CHECK(strstr(control("stats p0"), "ok"));
	/* What is under way is gone when the cable is pulled. */
	for (unsigned int i = 0; i < PORTS; i++) {
		char line[32];

		snprintf(line, sizeof(line), "link p%u down", i);
		CHECK(!strcmp(control(line), "ok\n"));
		snprintf(line, sizeof(line), "link p%u up", i);
		CHECK(!strcmp(control(line), "ok\n"));
	}
	CHECK(!strcmp(control("set none"), "ok\n"));
	printf("wire: fuzzer: %lu peers, %lu bytes\n", peers, bytes);
}

int main(int argc, char **argv)
{
	unsigned long seed = test_seed("wire", 11);
	char *args[2 * PORTS + 8];
	int n = 0, status;

	CHECK(argc >= 2 && mkdtemp(dir));
	signal(SIGPIPE, SIG_IGN);
	atexit(clean_up);
	args[n++] = argv[1];
	for (int i = 0; i < PORTS; i++) {
		snprintf(port_paths[i], sizeof(port_paths[i]), "%s/p%d", dir, i);
		snprintf(listen_args[i], sizeof(listen_args[i]), "p%d=%s/p%d", i, dir, i);
		args[n++] = "--listen";
		args[n++] = listen_args[i];
	}
	snprintf(control_path, sizeof(control_path), "%s/control", dir);
	snprintf(pcap_path, sizeof(pcap_path), "%s/x.pcapng", dir);
	args[n++] = "--control";
	args[n++] = control_path;
	args[n++] = "--pcap";
	args[n++] = pcap_path;
	args[n] = NULL;
	wire = fork();
	if (wire == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(126);
		execv(args[0], args);
		_exit(127);
	}
	test_bridge();
	test_control();
	test_deaf();
	test_fuzz(seed, argc > 2 ? (unsigned int)atoi(argv[2]) : 5);
	test_bridge();
	kill(wire, SIGTERM);
	CHECK(waitpid(wire, &status, 0) == wire && WIFEXITED(status) && !WEXITSTATUS(status),
	      "the wire ended with %x", (unsigned int)status);
	wire = 0;
	printf("wire: passed\n");
	return 0;
}
