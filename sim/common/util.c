/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "util.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const char *program_name = "weft";

void util_name(const char *program)
{
	program_name = program;
}

static void message(const char *format, va_list args)
{
	char text[512];

	vsnprintf(text, sizeof(text), format, args);
	fprintf(stderr, "%s: %s\n", program_name, text);
}

void warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(format, args);
	va_end(args);
}

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(format, args);
	va_end(args);
	exit(1);
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p)
		die("out of memory");
	return p;
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size);

	if (!p && size)
		die("out of memory");
	return p;
}

char *xstrdup(const char *text)
{
	char *p = strdup(text);

	if (!p)
		die("out of memory");
	return p;
}

bool parse_u64(const char *text, uint64_t max, uint64_t *out)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	unsigned long long value;
	char *end;

	if (hex ? !isxdigit((unsigned char)*digits) : !isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	value = strtoull(digits, &end, hex ? 16 : 10);
	if (errno || *end || value > max)
		return false;
	*out = value;
	return true;
}

/*
 * Decimal number with up to `places` decimals, scaled by 10^places; *end is what follows.
 * Whole parts up to 10^9.
 */
static bool decimal(const char *text, unsigned int places, uint64_t *out, const char **end)
{
	uint64_t value = 0;
	unsigned int digits = 0, decimals = 0;

	for (; isdigit((unsigned char)*text); text++, digits++) {
		if (digits == 10)
			return false;
		value = value * 10 + (uint64_t)(*text - '0');
	}
	if (!digits)
		return false;
	if (*text == '.') {
		text++;
		if (!isdigit((unsigned char)*text))
			return false;
		for (; isdigit((unsigned char)*text); text++, decimals++) {
			if (decimals == places)
				return false;
			value = value * 10 + (uint64_t)(*text - '0');
		}
	}
	for (; decimals < places; decimals++)
		value *= 10;
	*out = value;
	*end = text;
	return true;
}

bool parse_percent(const char *text, uint32_t *out)
{
	const char *end;
	uint64_t value;

	/* One percent is 10^7 parts per billion. */
	if (!decimal(text, 7, &value, &end) || strcmp(end, "%") || value > RATE_ONE)
		return false;
	*out = (uint32_t)value;
	return true;
}

bool parse_time(const char *text, uint64_t *out)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	const uint64_t hour = 3600 * UINT64_C(1000000000);
	const char *end;
	uint64_t value;

	if (!decimal(text, 9, &value, &end))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit))
			continue;
		unsigned __int128 ns = (unsigned __int128)value * units[i].ns;

		if (ns % 1000000000u || ns / 1000000000u > hour)
			return false;
		*out = (uint64_t)(ns / 1000000000u);
		return true;
	}
	return false;
}

bool parse_bitrate(const char *text, uint64_t *out)
{
	static const struct {
		const char *unit;
		uint64_t bits;
	} units[] = { { "bit", 1 }, { "kbit", 1000 }, { "mbit", 1000000 }, { "gbit", 1000000000 } };
	const char *end;
	uint64_t value;

	if (!strcmp(text, "0")) {
		*out = 0;
		return true;
	}
	if (!decimal(text, 3, &value, &end))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit))
			continue;
		unsigned __int128 bits = (unsigned __int128)value * units[i].bits / 1000u;

		if (bits == 0 || bits > 1000000000000u)
			return false;
		*out = (uint64_t)bits;
		return true;
	}
	return false;
}

bool parse_mac(const char *text, uint64_t *out)
{
	uint64_t value = 0;

	for (int i = 0; i < 6; i++) {
		char pair[3] = { text[0], text[0] ? text[1] : 0, 0 };

		if (!isxdigit((unsigned char)pair[0]) || !isxdigit((unsigned char)pair[1]))
			return false;
		if (text[2] != (i < 5 ? ':' : 0))
			return false;
		value |= (uint64_t)strtoul(pair, NULL, 16) << (8 * i);
		text += 3;
	}
	if (value & 1)
		return false;
	*out = value;
	return true;
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

uint64_t clock_realtime_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

static int unix_socket(const char *path, struct sockaddr_un *address)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	if (strlen(path) >= sizeof(address->sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(address->sun_path, path);
	return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int close_keep_errno(int fd)
{
	int saved = errno;

	close(fd);
	errno = saved;
	return -1;
}

int unix_connect(const char *path)
{
	struct sockaddr_un address;
	int fd = unix_socket(path, &address);

	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return close_keep_errno(fd);
	return fd;
}

int unix_listen(const char *path)
{
	struct sockaddr_un address;
	int fd = unix_socket(path, &address);

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		int probe;

		if (errno != EADDRINUSE)
			return close_keep_errno(fd);
		/* A socket whose server died refuses; a live one, or a file, is not ours to remove. */
		probe = unix_connect(path);
		if (probe >= 0) {
			close(probe);
			errno = EADDRINUSE;
			return close_keep_errno(fd);
		}
		if (errno != ECONNREFUSED) {
			errno = EADDRINUSE;
			return close_keep_errno(fd);
		}
		if (unlink(path) || bind(fd, (struct sockaddr *)&address, sizeof(address)))
			return close_keep_errno(fd);
	}
	if (listen(fd, 16))
		return close_keep_errno(fd);
	return fd;
}
