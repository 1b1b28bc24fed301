// SPDX-License-Identifier: BSD-2-Clause
//
// The short-lived end of a request: `./lab exec` and its like.
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "frame.h"

#define PATIENCE_MS 4000  // for a command that was sent a signal

struct session {
  struct conn conn;
  const struct talk *talk;
  int signals;
  struct buffer out[3];   // 1, 2: not yet written; bounded by the window
  uint32_t credit;        // of stdin
  bool input_open, ended, failed;
  uint32_t status;
  int signal;             // sent last
  int64_t deadline;
};

static struct termios saved_terminal;
static bool terminal_raw;

static void restore_terminal(void) {
  if (terminal_raw) tcsetattr(0, TCSADRAIN, &saved_terminal);
  terminal_raw = false;
}

static void raw_terminal(void) {
  struct termios t;
  if (tcgetattr(0, &saved_terminal) < 0) return;
  t = saved_terminal;
  cfmakeraw(&t);
  atexit(restore_terminal);
  terminal_raw = tcsetattr(0, TCSADRAIN, &t) == 0;
}

static void put_words(struct buffer *b, const char *const *words) {
  for (; *words; words++) buffer_add(b, *words, strlen(*words) + 1);
}

static bool send_request(struct session *s) {
  const struct talk *t = s->talk;
  struct buffer b = {0};
  put_words(&b, t->request);
  conn_put(&s->conn, FRAME_REQUEST, 0, 0, b.data, buffer_length(&b));
  buffer_free(&b);
  if (!t->command) return true;
  uint8_t h[sizeof(struct open_header)] = {0};
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  const char *term = getenv("TERM");
  if (t->pty) ioctl(0, TIOCGWINSZ, &size);
  set_u32(h, t->open_flags);
  set_u16(h + 4, size.ws_row);
  set_u16(h + 6, size.ws_col);
  buffer_add(&b, h, sizeof h);
  if (!term) term = "dumb";
  buffer_add(&b, term, strlen(term) + 1);
  put_words(&b, t->command);
  bool fits = buffer_length(&b) <= FRAME_MAX;
  if (fits) conn_put(&s->conn, FRAME_OPEN, 0, 0, b.data, buffer_length(&b));
  buffer_free(&b);
  return fits;
}

static void handle(struct session *s, const struct frame *f) {
  switch (f->type) {
    case FRAME_DATA:
      if (f->stream) buffer_add(&s->out[f->stream], f->data, f->length);
      break;
    case FRAME_CREDIT:
      if (f->length == 4 && f->stream == 0) s->credit += get_u32(f->data);
      break;
    case FRAME_EXIT:
      s->ended = true;
      s->status = f->length >= 4 ? get_u32(f->data) : LAB_FAILED;
      if (f->length > 4) {
        buffer_add(&s->out[2], "lab: ", 5);
        buffer_add(&s->out[2], f->data + 4, f->length - 4);
        buffer_add(&s->out[2], "\n", 1);
      }
      break;
    default:
      break;
  }
}

static void on_signal(struct session *s) {
  struct signalfd_siginfo info;
  if (read(s->signals, &info, sizeof info) != sizeof info) return;
  if (info.ssi_signo == SIGWINCH) {
    struct winsize size;
    uint8_t v[4];
    if (!s->talk->pty || ioctl(0, TIOCGWINSZ, &size) < 0) return;
    set_u16(v, size.ws_row);
    set_u16(v + 2, size.ws_col);
    conn_put(&s->conn, FRAME_RESIZE, 0, 0, v, sizeof v);
    return;
  }
  s->signal = (int)info.ssi_signo;
  if (s->talk->command) {
    conn_put_u32(&s->conn, FRAME_SIGNAL, 0, 0, info.ssi_signo);
    if (!s->deadline) s->deadline = now_ms() + PATIENCE_MS;
  } else {
    s->deadline = now_ms();
  }
}

static void read_input(struct session *s) {
  uint8_t data[32768];
  size_t most = s->credit < sizeof data ? s->credit : sizeof data;
  ssize_t n = read(s->talk->input, data, most);
  if (n > 0) {
    conn_put(&s->conn, FRAME_DATA, 0, 0, data, (size_t)n);
    s->credit -= (uint32_t)n;
  } else if (n == 0 || errno != EINTR) {
    conn_put(&s->conn, FRAME_EOF, 0, 0, NULL, 0);
    s->input_open = false;
  }
}

// At most PIPE_BUF bytes, so that a full pipe does not block us. False when nobody reads any more.
static bool write_output(struct session *s, unsigned stream) {
  struct buffer *b = &s->out[stream];
  size_t n = buffer_length(b) < 4096 ? buffer_length(b) : 4096;
  ssize_t w = write(stream == 1 ? s->talk->output : 2, b->data + b->start, n);
  if (w < 0 && errno != EINTR && errno != EAGAIN) {
    if (errno != EPIPE) fprintf(stderr, "lab: writing the output: %s\n", strerror(errno));
    s->status = errno == EPIPE ? 128 + SIGPIPE : LAB_FAILED;
    return false;
  }
  if (w > 0) {
    buffer_take(b, (size_t)w);
    if (!s->ended) conn_put_u32(&s->conn, FRAME_CREDIT, stream, 0, (uint32_t)w);
  }
  return true;
}

static void step(struct session *s) {
  struct pollfd p[5];
  bool pending = buffer_length(&s->out[1]) || buffer_length(&s->out[2]);
  int out[3] = {-1, s->talk->output, 2};
  p[0] = (struct pollfd){s->ended ? -1 : s->conn.fd,
                         (short)(POLLIN | (buffer_length(&s->conn.out) ? POLLOUT : 0)), 0};
  p[1] = (struct pollfd){s->signals, POLLIN, 0};
  p[2] = (struct pollfd){s->input_open && s->credit && !s->ended ? s->talk->input : -1, POLLIN, 0};
  for (unsigned i = 1; i < 3; i++)
    p[2 + i] = (struct pollfd){buffer_length(&s->out[i]) ? out[i] : -1, POLLOUT, 0};
  poll(p, 5, s->deadline ? 100 : -1);
  if (p[1].revents) on_signal(s);
  if (p[0].revents & (POLLIN | POLLHUP | POLLERR)) {
    struct frame f;
    int got;
    bool alive = conn_fill(&s->conn);
    while ((got = conn_get(&s->conn, &f)) > 0) handle(s, &f);
    if (got < 0 || (!alive && !s->ended)) s->failed = true;
  }
  if (p[2].revents) read_input(s);
  for (unsigned i = 1; i < 3; i++)
    if (p[2 + i].revents && !write_output(s, i)) s->ended = true, buffer_free(&s->out[1]), buffer_free(&s->out[2]);
  if (!s->ended && !conn_flush(&s->conn)) s->failed = s->failed || !pending;
  if (s->deadline && now_ms() >= s->deadline && !s->ended) {
    s->status = 128u + (uint32_t)s->signal;
    s->ended = true;
  }
}

int client_talk(int fd, const struct talk *t) {
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH};
  struct session s = {.talk = t, .credit = STREAM_WINDOW, .input_open = t->input >= 0 && t->command};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) sigaddset(&set, caught[i]);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
  s.signals = signalfd(-1, &set, SFD_CLOEXEC);
  conn_open(&s.conn, fd);
  if (!send_request(&s)) {
    fprintf(stderr, "lab: the command is too long (%u bytes)\n", FRAME_MAX);
    conn_close(&s.conn);
    return LAB_FAILED;
  }
  if (t->command && t->input < 0) conn_put(&s.conn, FRAME_EOF, 0, 0, NULL, 0);
  if (t->pty) raw_terminal();
  while (!s.failed && !(s.ended && !buffer_length(&s.out[1]) && !buffer_length(&s.out[2]))) step(&s);
  restore_terminal();
  if (s.failed) {
    fprintf(stderr, "lab: the supervisor has ended\n");
    s.status = LAB_FAILED;
  }
  conn_close(&s.conn);
  close(s.signals);
  for (int i = 1; i < 3; i++) buffer_free(&s.out[i]);
  return (int)s.status;
}

int client_request(const struct place *p, const struct talk *t) {
  int fd = place_connect(p);
  if (fd < 0) {
    fprintf(stderr, "lab: no lab runs here (LAB=%s): ./lab up starts one\n", p->name);
    return LAB_FAILED;
  }
  return client_talk(fd, t);
}

int client_push(const struct place *p, const char *host, const char *file, const char *destination) {
  // Written beside its place and renamed when whole: a client that is killed leaves no half a file.
  static const char script[] =
      "[ ! -d \"$1\" ] || set -- \"$1/$2\" \"$2\" \"$3\" \"$4\"\n"
      "t=$1.part.$$; trap 'rm -f \"$t\"; exit 1' HUP TERM INT\n"
      "cat > \"$t\" && [ \"$4\" = \"$(stat -c %s \"$t\")\" ] && chmod \"$3\" \"$t\" && mv -f \"$t\" \"$1\" ||\n"
      "{ rm -f \"$t\"; exit 1; }";
  char mode[16], size[32];
  struct stat st;
  const char *name = strrchr(file, '/');
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
    fprintf(stderr, "lab: %s: %s\n", file, fd < 0 ? strerror(errno) : "not a plain file");
    return 1;
  }
  snprintf(mode, sizeof mode, "%o", st.st_mode & 0777u);
  snprintf(size, sizeof size, "%lld", (long long)st.st_size);
  const char *const request[] = {"exec", host, NULL};
  const char *const command[] = {"/bin/sh", "-c", script, "push", destination,
                                 name ? name + 1 : file, mode, size, NULL};
  const struct talk t = {.input = fd, .output = 1, .request = request, .command = command};
  int status = client_request(p, &t);
  close(fd);
  return status;
}

int client_pull(const struct place *p, const char *host, const char *file, const char *destination) {
  char target[PATH_MAX], part[PATH_MAX + 32];
  struct stat st;
  const char *name = strrchr(file, '/');
  bool folder = stat(destination, &st) == 0 && S_ISDIR(st.st_mode);
  snprintf(target, sizeof target, "%s%s%s", destination, folder ? "/" : "", folder ? (name ? name + 1 : file) : "");
  snprintf(part, sizeof part, "%s.part.%d", target, (int)getpid());
  int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    fprintf(stderr, "lab: %s: %s\n", target, strerror(errno));
    return 1;
  }
  const char *const request[] = {"exec", host, NULL};
  const char *const command[] = {"cat", "--", file, NULL};
  const struct talk t = {.input = -1, .output = fd, .request = request, .command = command};
  int status = client_request(p, &t);
  if (close(fd) < 0 || (status == 0 && rename(part, target) < 0)) {
    fprintf(stderr, "lab: %s: %s\n", target, strerror(errno));
    status = 1;
  }
  if (status) unlink(part);
  return status;
}
