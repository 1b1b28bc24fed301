/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "control.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util.h"

enum { LINE = 1024, WORDS = 16, ANSWER_LIMIT = 1 << 20 };

struct client {
	int fd;
	char line[LINE];
	size_t len;
	char *answer;
	size_t answer_len, answer_room, answer_sent;
};

struct control {
	int listener;
	char *path;
	control_handler handler;
	void *user;
	struct client clients[CONTROL_CLIENTS];
	struct client *current;
};

struct control *control_open(const char *path, control_handler handler, void *user)
{
	int fd = unix_listen(path);
	struct control *c;

	if (fd < 0)
		return NULL;
	c = xcalloc(1, sizeof(*c));
	c->listener = fd;
	c->path = xstrdup(path);
	c->handler = handler;
	c->user = user;
	for (int i = 0; i < CONTROL_CLIENTS; i++)
		c->clients[i].fd = -1;
	return c;
}

static void drop(struct client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	free(client->answer);
	memset(client, 0, sizeof(*client));
	client->fd = -1;
}

void control_close(struct control *c)
{
	if (!c)
		return;
	for (int i = 0; i < CONTROL_CLIENTS; i++)
		drop(&c->clients[i]);
	close(c->listener);
	unlink(c->path);
	free(c->path);
	free(c);
}

void control_print(struct control *c, const char *format, ...)
{
	struct client *client = c->current;
	va_list args;
	int need;

	if (!client)
		return;
	va_start(args, format);
	need = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (need < 0)
		return;
	if (client->answer_len + (size_t)need + 1 > client->answer_room) {
		client->answer_room = (client->answer_len + (size_t)need + 1) * 2;
		client->answer = xrealloc(client->answer, client->answer_room);
	}
	va_start(args, format);
	vsnprintf(client->answer + client->answer_len, (size_t)need + 1, format, args);
	va_end(args);
	client->answer_len += (size_t)need;
}

static void flush(struct client *client)
{
	while (client->answer_sent < client->answer_len) {
		ssize_t n = send(client->fd, client->answer + client->answer_sent,
				 client->answer_len - client->answer_sent, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0) {
			if (errno != EAGAIN && errno != EINTR)
				drop(client);
			return;
		}
		client->answer_sent += (size_t)n;
	}
	client->answer_sent = client->answer_len = 0;
}

static void run_line(struct control *c, struct client *client, char *line)
{
	char *argv[WORDS + 1], *save = NULL;
	const char *error = NULL;
	int argc = 0;

	for (char *w = strtok_r(line, " \t\r", &save); w; w = strtok_r(NULL, " \t\r", &save)) {
		if (argc == WORDS) {
			error = "too many words";
			break;
		}
		argv[argc++] = w;
	}
	argv[argc] = NULL;
	if (!argc)
		return;
	c->current = client;
	if (!error)
		error = c->handler(c->user, c, argc, argv);
	if (error)
		control_print(c, "error %s\n", error);
	else
		control_print(c, "ok\n");
	c->current = NULL;
}

static void receive(struct control *c, struct client *client)
{
	ssize_t n = recv(client->fd, client->line + client->len, LINE - client->len, MSG_DONTWAIT);
	char *start = client->line, *newline;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		drop(client);
		return;
	}
	client->len += (size_t)n;
	while ((newline = memchr(start, '\n', client->len - (size_t)(start - client->line)))) {
		*newline = 0;
		/* A NUL inside would hide the rest of the line. */
		if (strlen(start) != (size_t)(newline - start))
			*start = 0;
		run_line(c, client, start);
		start = newline + 1;
		if (client->answer_len > ANSWER_LIMIT) {
			drop(client);
			return;
		}
	}
	client->len -= (size_t)(start - client->line);
	memmove(client->line, start, client->len);
	if (client->len == LINE) {
		client->len = 0;
		c->current = client;
		control_print(c, "error line too long\n");
		c->current = NULL;
		flush(client);
		drop(client);
		return;
	}
	flush(client);
}

int control_poll(struct control *c, struct pollfd *fds)
{
	fds[0] = (struct pollfd){ .fd = c->listener, .events = POLLIN };
	for (int i = 0; i < CONTROL_CLIENTS; i++) {
		struct client *client = &c->clients[i];
		short events = client->answer_len ? POLLOUT : POLLIN;

		fds[i + 1] = (struct pollfd){ .fd = client->fd, .events = events };
	}
	return CONTROL_FDS;
}

void control_serve(struct control *c, const struct pollfd *fds, int count)
{
	for (int i = 0; i < CONTROL_CLIENTS && i + 1 < count; i++) {
		struct client *client = &c->clients[i];

		if (client->fd < 0 || fds[i + 1].fd != client->fd || !fds[i + 1].revents)
			continue;
		if (client->answer_len)
			flush(client);
		else
			receive(c, client);
	}
	if (count > 0 && fds[0].revents) {
		int fd = accept4(c->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0)
			return;
		for (int i = 0; i < CONTROL_CLIENTS; i++) {
			if (c->clients[i].fd < 0) {
				c->clients[i].fd = fd;
				return;
			}
		}
		close(fd);
	}
}
