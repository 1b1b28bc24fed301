/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Control sockets: a line of text in, lines of text out, the last one "ok" or "error REASON".
 * Several clients at once; a line is at most 1,023 characters.
 */
#ifndef WEFT_SIM_CONTROL_H
#define WEFT_SIM_CONTROL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#define CONTROL_CLIENTS 8
#define CONTROL_FDS (CONTROL_CLIENTS + 1)

struct control;

/* Answer of the command under way; lines need their newline. */
void control_print(struct control *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Handles one line, cut in words (argc at least 1, at most 16). Returns NULL for "ok" or the
 * reason of the error (a text that lives until the next command).
 */
typedef const char *(*control_handler)(void *user, struct control *c, int argc, char **argv);

/* NULL with errno when the path cannot be served. */
struct control *control_open(const char *path, control_handler handler, void *user);
void control_close(struct control *c);

/* Fills up to CONTROL_FDS entries, returns their number; then, after poll, control_serve with the
 * same entries. */
int control_poll(struct control *c, struct pollfd *fds);
void control_serve(struct control *c, const struct pollfd *fds, int count);

#endif
