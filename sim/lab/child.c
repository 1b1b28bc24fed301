// SPDX-License-Identifier: BSD-2-Clause
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame.h"

void log_open(struct log *l, const char *directory, const char *name, int in) {
  // What the process before this one wrote last.
  for (int i = 0; i < 64 && l->in >= 0; i++) log_pump(l);
  log_close(l);
  snprintf(l->path, sizeof l->path, "%s/%s.log", directory, name);
  // What the lab before this one wrote is kept once.
  char before[sizeof l->path + 16];
  snprintf(before, sizeof before, "%s.before", l->path);
  rename(l->path, before);
  l->in = in;
  if (in >= 0) set_nonblocking(in);
  l->file = open(l->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  l->size = 0;
}

void log_close(struct log *l) {
  if (l->in >= 0) close(l->in);
  if (l->file >= 0) close(l->file);
  l->in = l->file = -1;
}

void log_pump(struct log *l) {
  char data[16384], old[sizeof l->path + 4];
  ssize_t n = read(l->in, data, sizeof data);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    close(l->in);
    l->in = -1;
    return;
  }
  if (l->size + n > LOG_LIMIT) {
    snprintf(old, sizeof old, "%s.1", l->path);
    rename(l->path, old);
    if (l->file >= 0) close(l->file);
    l->file = open(l->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    l->size = 0;
  }
  // A full disk costs the log, not the lab.
  if (l->file >= 0 && write(l->file, data, (size_t)n) == n) l->size += n;
}

void log_tail(const struct log *l, char *text, size_t size) {
  text[0] = 0;
  int fd = open(l->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  off_t end = lseek(fd, 0, SEEK_END);
  off_t from = end > (off_t)size - 1 ? end - (off_t)size + 1 : 0;
  ssize_t n = pread(fd, text, size - 1, from);
  close(fd);
  text[n > 0 ? n : 0] = 0;
}

static void run(char *const *argv, int out, const int *keep, int keep_count) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
  for (int i = 0; i < keep_count; i++) fcntl(keep[i], F_SETFD, 0);
  execv(argv[0], argv);
  fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

bool child_start(struct child *c, char *const *argv, const char *log_directory, const char *name,
                 const int *keep, int keep_count) {
  int p[2];
  if (pipe2(p, O_CLOEXEC) < 0) return false;
  fflush(NULL);
  c->pid = fork();
  if (c->pid == 0) run(argv, p[1], keep, keep_count);
  int e = errno;
  close(p[1]);
  if (c->pid < 0) {
    c->pid = 0;
    close(p[0]);
    errno = e;
    return false;
  }
  log_open(&c->log, log_directory, name, p[0]);
  return true;
}
