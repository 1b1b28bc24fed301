// SPDX-License-Identifier: BSD-2-Clause
//
// A process of the lab and its log. What it writes to stdout and stderr is read by the supervisor
// and kept up to a limit: the newest LOG_LIMIT to 2 LOG_LIMIT bytes, so that a QEMU which complains
// about every access to a dead card does not fill the disk.
#ifndef LAB_CHILD_H
#define LAB_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#define LOG_LIMIT (2L * 1024 * 1024)

struct log {
  char path[PATH_MAX + 96];
  int in;       // what is written to it, -1 when nobody does
  int file;
  long size;
};

struct child {
  pid_t pid;  // 0 when it does not run
  int status; // of wait(2), when it has ended
  struct log log;
};

void log_open(struct log *l, const char *directory, const char *name, int in);
// Reads what is there into the log; closes `in` at its end.
void log_pump(struct log *l);
void log_close(struct log *l);
// The last lines of a log, at most `size` - 1 bytes of them.
void log_tail(const struct log *l, char *text, size_t size);

// Starts argv[0] with stdin empty and stdout, stderr in a log; `keep` (when not -1) stays open in it
// under its number. False with errno when it cannot be started.
bool child_start(struct child *c, char *const *argv, const char *log_directory, const char *name,
                 const int *keep, int keep_count);

#endif
