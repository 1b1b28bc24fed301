// SPDX-License-Identifier: BSD-2-Clause
//
// The process that a lab is. It is process 1 of a PID namespace of its own, so that the kernel ends
// everything when it ends, however it does. Outside stands one process more, the keeper: it waits
// for the supervisor and removes the folder of sockets. When the keeper is killed, the supervisor is
// told to end and cleans up itself.
#include "lab.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "place.h"

static struct lab lab;

void client_print(struct client *c, unsigned stream, const char *format, ...) {
  char text[4096];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n < 0) return;
  conn_put(&c->conn, FRAME_DATA, stream, 0, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void client_exit(struct client *c, uint32_t status) {
  if (!c->ending) conn_put_u32(&c->conn, FRAME_EXIT, 0, 0, status);
  c->ending = true;
}

void lab_say(struct lab *l, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (int i = 0; i < MAX_CLIENTS; i++) {
    struct client *c = &l->clients[i];
    if (c->used && !c->ending && (c->starter || c->waits_for || c->waits_for_wire)) client_print(c, 1, "lab: %s\n", text);
  }
}

static void client_drop(struct lab *l, struct client *c) {
  if (c->channel && c->host) {
    c->host->channels[c->channel] = CHANNEL_ENDING;
    conn_put(&c->host->agent, FRAME_CLOSE, 0, c->channel, NULL, 0);
  }
  if (c->starter && !l->up) {
    l->stopping = true;
    l->started = now_ms();
  }
  conn_close(&c->conn);
  conn_close(&c->control);
  memset(c, 0, sizeof *c);
}

static struct client *client_add(struct lab *l, int fd) {
  for (int i = 0; i < MAX_CLIENTS; i++) {
    struct client *c = &l->clients[i];
    if (c->used) continue;
    memset(c, 0, sizeof *c);
    c->used = true;
    c->control.fd = -1;
    conn_open(&c->conn, fd);
    return c;
  }
  // It hears why, as far as its socket takes it at once.
  struct conn refused;
  char text[80];
  memset(&refused, 0, sizeof refused);
  conn_open(&refused, fd);
  int n = snprintf(text, sizeof text, "lab: too many requests at once (%d): try again\n", MAX_CLIENTS);
  conn_put(&refused, FRAME_DATA, 2, 0, text, (size_t)n);
  conn_put_u32(&refused, FRAME_EXIT, 0, 0, 125);
  conn_flush(&refused);
  conn_close(&refused);
  return NULL;
}

static void accept_client(struct lab *l) {
  int fd = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd >= 0) client_add(l, fd);
}

static void client_input(struct lab *l, struct client *c) {
  struct frame f;
  int got;
  if (!conn_fill(&c->conn)) {
    client_drop(l, c);
    return;
  }
  while ((got = conn_get(&c->conn, &f)) > 0) request_handle(l, c, &f);
  if (got < 0) client_drop(l, c);
}

static void reap(struct lab *l) {
  struct signalfd_siginfo info;
  pid_t pid;
  int status;
  while (read(l->signals, &info, sizeof info) == sizeof info)
    if (info.ssi_signo != SIGCHLD) lab_end(l);
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) host_child_ended(l, pid, status);
}

#define MAX_POLL (2 + MAX_CLIENTS * 2 + MAX_HOSTS * (3 + MAX_CARDS) + 1)

// What a poll entry belongs to; at most one of the pointers is set.
struct source {
  struct log *log;
  struct host *agent;
  struct client *client, *control;
};

static nfds_t gather(struct lab *l, struct pollfd *p, struct source *s) {
  nfds_t n = 0;
  p[n++] = (struct pollfd){l->listener, POLLIN, 0};
  p[n++] = (struct pollfd){l->signals, POLLIN, 0};
#define SOURCE(number, wanted, ...)                       \
  do {                                                    \
    if ((number) < 0) break;                              \
    s[n] = (struct source){__VA_ARGS__};                  \
    p[n++] = (struct pollfd){(number), (short)(wanted), 0}; \
  } while (0)
  SOURCE(l->wire.log.in, POLLIN, .log = &l->wire.log);
  for (int i = 0; i < l->host_count; i++) {
    struct host *h = &l->hosts[i];
    for (int k = 0; k < h->card_count; k++) SOURCE(h->cards[k].process.log.in, POLLIN, .log = &h->cards[k].process.log);
    SOURCE(h->qemu.log.in, POLLIN, .log = &h->qemu.log);
    SOURCE(h->console.in, POLLIN, .log = &h->console);
    SOURCE(h->agent.fd, POLLIN | (buffer_length(&h->agent.out) ? POLLOUT : 0), .agent = h);
  }
  for (int i = 0; i < MAX_CLIENTS; i++) {
    struct client *c = &l->clients[i];
    if (!c->used) continue;
    SOURCE(c->conn.fd, POLLIN | (buffer_length(&c->conn.out) ? POLLOUT : 0), .client = c);
    SOURCE(c->control.fd, POLLIN | (buffer_length(&c->control.out) ? POLLOUT : 0), .control = c);
  }
#undef SOURCE
  return n;
}

static void serve(struct lab *l, const struct pollfd *p, const struct source *s) {
  if (!p->revents) return;
  if (s->log) {
    if (s->log->in == p->fd) log_pump(s->log);
  } else if (s->agent) {
    if (s->agent->agent.fd != p->fd) return;
    if (p->revents & POLLOUT) conn_flush(&s->agent->agent);
    if (p->revents & (POLLIN | POLLHUP | POLLERR)) host_agent_input(l, s->agent);
  } else if (s->client) {
    if (!s->client->used || s->client->conn.fd != p->fd) return;
    if (p->revents & POLLOUT && !conn_flush(&s->client->conn)) {
      client_drop(l, s->client);
    } else if (p->revents & (POLLIN | POLLHUP | POLLERR)) {
      client_input(l, s->client);
    }
  } else if (s->control && s->control->used && s->control->control.fd == p->fd) {
    query_step(l, s->control, p->revents);
  }
}

static void loop(struct lab *l) {
  static struct pollfd p[MAX_POLL];
  static struct source s[MAX_POLL];
  for (;;) {
    nfds_t n = gather(l, p, s);
    poll(p, n, l->up && !l->stopping ? 500 : 20);
    if (p[1].revents) reap(l);
    for (nfds_t i = 2; i < n; i++) serve(l, &p[i], &s[i]);
    if (p[0].revents) accept_client(l);
    hosts_step(l);
    for (int i = 0; i < MAX_CLIENTS; i++) {
      struct client *c = &l->clients[i];
      if (!c->used) continue;
      query_step(l, c, 0);
      if (!conn_flush(&c->conn) || (c->ending && buffer_length(&c->conn.out) == 0)) client_drop(l, c);
    }
    for (int i = 0; i < l->host_count; i++)
      if (l->hosts[i].agent.fd >= 0) conn_flush(&l->hosts[i].agent);
    if (l->stopping && lab_end(l)) return;
  }
}

static int listen_at(const char *directory) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "%s/lab", directory);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 64) < 0) {
    fprintf(stderr, "lab: %s: %s\n", address.sun_path, strerror(errno));
    exit(125);
  }
  return fd;
}

// Process 1 of the new namespace. `up_fd` is the connection of `./lab up`.
static void run(struct lab *l, int up_fd) {
  sigset_t set;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  prctl(PR_SET_NAME, "weft-lab");
  // Before /proc is that of the new namespace, it still says who the host thinks we are.
  char self[32] = "";
  if (readlink("/proc/self", self, sizeof self - 1) > 0) l->supervisor_pid = atoi(self);
  if (unshare(CLONE_NEWNS) == 0) mount("proc", "/proc", "proc", MS_NOSUID | MS_NOEXEC | MS_NODEV, NULL);
  signal(SIGPIPE, SIG_IGN);
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  sigprocmask(SIG_BLOCK, &set, NULL);
  l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  l->listener = listen_at(l->directory);
  client_add(l, up_fd)->starter = true;
  lab_start(l);
  loop(l);
  place_remove(l->directory);
  _exit(0);
}

// supervise DIRECTORY LOGS TOP UP-FD LOCK-FD OPTIONS...; inside the tool root.
int supervise(int argc, char **argv) {
  char error[256];
  if (argc < 5) return 125;
  struct lab *l = &lab;
  l->directory = argv[0];
  l->logs = argv[1];
  l->top = argv[2];
  int up_fd = atoi(argv[3]), lock_fd = atoi(argv[4]);
  fcntl(up_fd, F_SETFD, FD_CLOEXEC);
  fcntl(lock_fd, F_SETFD, FD_CLOEXEC);
  options_default(&l->options);
  if (!options_parse(&l->options, argc - 5, argv + 5, error, sizeof error)) {
    fprintf(stderr, "lab: %s\n", error);
    return 125;
  }
  if (unshare(CLONE_NEWPID) < 0) {
    fprintf(stderr, "lab: no PID namespace: %s\n", strerror(errno));
    place_remove(l->directory);
    return 125;
  }
  pid_t pid = fork();
  if (pid == 0) run(l, up_fd);
  close(up_fd);
  dprintf(lock_fd, "%d\n", (int)pid);
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
  place_remove(l->directory);
  return 0;
}
