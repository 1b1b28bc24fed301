// SPDX-License-Identifier: BSD-2-Clause
//
// The guest's end of `./lab exec`: takes commands from a virtio-serial port, runs several at once
// and passes their streams. Statically linked, started by the guest's init before anything else
// that can fail, so that a guest whose card does not come up can still be looked at.
//
// usage: agent [BRING-UP]      BRING-UP is run once; its exit status and /run/weft/state are the
//                              guest's state (FRAME_STATE)
#include <dirent.h>
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
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "frame.h"

#define MAX_CHANNELS 64
#define KILL_AFTER_MS 2000

struct channel {
  bool used;
  uint16_t id;
  pid_t pid;           // also its process group; 0 once it has ended
  int fd[3];           // our ends of stdin, stdout, stderr; -1 when closed
  bool pty;            // fd[0] and fd[1] are one terminal
  struct buffer input; // bounded by STREAM_WINDOW
  bool input_eof;
  uint32_t credit[3];  // bytes of stdout and stderr that may still be sent
  uint32_t status;
  int left[3];         // what was in the pipes when the command ended
  bool closing;        // the client is gone
  int64_t kill_at;
};

static struct channel channels[MAX_CHANNELS];
static struct conn link_;
static pid_t bring_up_pid;

static void die(const char *what) {
  fprintf(stderr, "weft-agent: %s: %s\n", what, strerror(errno));
  exit(1);
}

// The port by its name: /dev/vportNpM has a name file in sysfs.
static int open_port(void) {
  for (int tries = 0; tries < 100; tries++) {
    DIR *d = opendir("/sys/class/virtio-ports");
    struct dirent *e;
    while (d && (e = readdir(d))) {
      char path[512], name[64] = "";
      snprintf(path, sizeof path, "/sys/class/virtio-ports/%s/name", e->d_name);
      FILE *f = fopen(path, "r");
      if (!f) continue;
      bool ours = fgets(name, sizeof name, f) && !strncmp(name, AGENT_PORT_NAME, strlen(AGENT_PORT_NAME));
      fclose(f);
      if (!ours) continue;
      snprintf(path, sizeof path, "/dev/%s", e->d_name);
      closedir(d);
      int fd = open(path, O_RDWR | O_CLOEXEC);
      if (fd < 0) die(path);
      return fd;
    }
    if (d) closedir(d);
    usleep(50000);
  }
  errno = ENODEV;
  die("no virtio port " AGENT_PORT_NAME);
  return -1;
}

static struct channel *find(uint16_t id) {
  for (int i = 0; i < MAX_CHANNELS; i++)
    if (channels[i].used && channels[i].id == id) return &channels[i];
  return NULL;
}

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static void send_exit(uint16_t id, uint32_t status, const char *text) {
  uint8_t payload[512];
  size_t n = strlen(text);
  if (n > sizeof payload - 4) n = sizeof payload - 4;
  set_u32(payload, status);
  memcpy(payload + 4, text, n);
  conn_put(&link_, FRAME_EXIT, 0, id, payload, 4 + n);
}

// In the child: becomes a session of its own with the given streams and runs the command. errno of
// a failed exec goes back through `report`, which a successful one closes.
static void run_child(char **argv, const char *term, int in, int out, int err, bool pty, int report) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
  setsid();
  if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  if (pty) ioctl(0, TIOCSCTTY, 0);
  static char term_variable[128];
  static char *environment[] = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                                "HOME=/root", "USER=root", "SHELL=/bin/bash", "LANG=C.UTF-8",
                                term_variable, NULL};
  snprintf(term_variable, sizeof term_variable, "TERM=%s", term[0] ? term : "dumb");
  environ = environment;
  if (chdir("/root") < 0 && chdir("/") < 0) _exit(126);
  execvp(argv[0], argv);
  int e = errno;
  if (write(report, &e, sizeof e) < 0) _exit(126);
  _exit(127);
}

// Starts argv with the given child ends; 0 or the errno of the exec.
static int start(char **argv, const char *term, const int child[3], bool pty, pid_t *pid) {
  int report[2], error = 0;
  if (pipe2(report, O_CLOEXEC) < 0) return errno;
  *pid = fork();
  if (*pid == 0) run_child(argv, term, child[0], child[1], child[2], pty, report[1]);
  close(report[1]);
  if (*pid < 0) {
    error = errno;
  } else if (read(report[0], &error, sizeof error) != (ssize_t)sizeof error) {
    error = 0;
  }
  close(report[0]);
  return error;
}

static int open_terminal(const struct open_header *h, int *master, int *slave) {
  struct winsize size = {.ws_row = h->rows, .ws_col = h->columns};
  *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*master < 0 || grantpt(*master) < 0 || unlockpt(*master) < 0) return -1;
  *slave = open(ptsname(*master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*slave < 0) return -1;
  ioctl(*slave, TIOCSWINSZ, &size);
  return 0;
}

// Our ends and the child's ends of the three streams; -1 with errno when there are none to be had.
static int open_streams(struct channel *c, const struct open_header *h, int child[3]) {
  if (h->flags & OPEN_DETACH) {
    child[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    mkdir("/run/weft", 0755);
    child[1] = open("/run/weft/detached.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    child[2] = child[1];
    return child[0] < 0 || child[1] < 0 ? -1 : 0;
  }
  if (h->flags & OPEN_PTY) {
    c->pty = true;
    if (open_terminal(h, &c->fd[1], &child[0]) < 0) return -1;
    c->fd[0] = dup(c->fd[1]);
    fcntl(c->fd[0], F_SETFD, FD_CLOEXEC);
    child[1] = child[2] = child[0];
    return 0;
  }
  for (int s = 0; s < 3; s++) {
    int p[2];
    if (pipe2(p, O_CLOEXEC) < 0) return -1;
    c->fd[s] = s == 0 ? p[1] : p[0];
    child[s] = s == 0 ? p[0] : p[1];
  }
  return 0;
}

static void release(struct channel *c) {
  for (int s = 0; s < 3; s++) close_fd(&c->fd[s]);
  buffer_free(&c->input);
  c->used = false;
}

// Splits the strings of an OPEN; false when they are not whole.
static bool split(const uint8_t *data, size_t length, char **words, size_t most) {
  size_t n = 0;
  if (length == 0 || data[length - 1] != 0) return false;
  for (size_t at = 0; at < length; at += strlen((const char *)data + at) + 1) {
    if (n + 1 >= most) return false;
    words[n++] = (char *)(uintptr_t)(data + at);
  }
  words[n] = NULL;
  return n >= 2;
}

static void open_channel(const struct frame *f) {
  static char *words[4096];
  struct open_header h;
  struct channel *c = NULL;
  if (f->length < sizeof h || find(f->channel) || f->channel == 0) {
    send_exit(f->channel, 125, "malformed request");
    return;
  }
  h.flags = get_u32(f->data);
  h.rows = get_u16(f->data + 4);
  h.columns = get_u16(f->data + 6);
  if (!split(f->data + sizeof h, f->length - sizeof h, words, sizeof words / sizeof *words)) {
    send_exit(f->channel, 125, "too many words in the command");
    return;
  }
  for (int i = 0; i < MAX_CHANNELS && !c; i++)
    if (!channels[i].used) c = &channels[i];
  if (!c) {
    send_exit(f->channel, 125, "too many commands run in this guest at once (64)");
    return;
  }
  memset(c, 0, sizeof *c);
  c->used = true;
  c->id = f->channel;
  c->fd[0] = c->fd[1] = c->fd[2] = -1;
  c->credit[1] = c->credit[2] = STREAM_WINDOW;
  int child[3] = {-1, -1, -1};
  int error = open_streams(c, &h, child) < 0 ? errno : 0;
  bool streams = error == 0;
  if (streams) error = start(words + 1, words[0], child, c->pty, &c->pid);
  for (int s = 0; s < 3; s++) {
    bool again = (s > 0 && child[s] == child[s - 1]) || (s > 1 && child[s] == child[0]);
    if (!again) close_fd(&child[s]);
  }
  if (error) {
    char text[256];
    snprintf(text, sizeof text, "%s: %s", words[1], strerror(error));
    send_exit(c->id, !streams ? 125 : error == ENOENT ? 127 : 126, text);
    release(c);
    return;
  }
  for (int s = 0; s < 3; s++)
    if (c->fd[s] >= 0) set_nonblocking(c->fd[s]);
  if (h.flags & OPEN_DETACH) {
    char text[32];
    snprintf(text, sizeof text, "%d\n", (int)c->pid);
    conn_put(&link_, FRAME_DATA, 1, c->id, text, strlen(text));
    send_exit(c->id, 0, "");
    release(c);
  }
}

static void end_channel(struct channel *c) {
  c->closing = true;
  close_fd(&c->fd[0]);
  if (c->pid > 0) {
    kill(-c->pid, SIGHUP);
    kill(-c->pid, SIGTERM);
    c->kill_at = now_ms() + KILL_AFTER_MS;
  }
}

static void handle(const struct frame *f) {
  struct channel *c = f->type == FRAME_OPEN ? NULL : find(f->channel);
  if (f->type == FRAME_OPEN) {
    open_channel(f);
    return;
  }
  if (!c) return;  // it ended while this was on the way
  switch (f->type) {
    case FRAME_DATA:
      if (c->fd[0] < 0) {
        conn_put_u32(&link_, FRAME_CREDIT, 0, c->id, f->length);  // nobody reads: let the client go on
      } else if (buffer_length(&c->input) + f->length <= STREAM_WINDOW) {
        buffer_add(&c->input, f->data, f->length);
      }
      break;
    case FRAME_EOF:
      c->input_eof = true;
      break;
    case FRAME_SIGNAL:
      if (f->length == 4 && c->pid > 0 && get_u32(f->data) < NSIG) kill(-c->pid, (int)get_u32(f->data));
      break;
    case FRAME_CREDIT:
      if (f->length == 4 && f->stream > 0 && get_u32(f->data) <= STREAM_WINDOW - c->credit[f->stream])
        c->credit[f->stream] += get_u32(f->data);
      break;
    case FRAME_RESIZE:
      if (f->length == 4 && c->pty && c->fd[1] >= 0) {
        struct winsize size = {.ws_row = get_u16(f->data), .ws_col = get_u16(f->data + 2)};
        ioctl(c->fd[1], TIOCSWINSZ, &size);
      }
      break;
    case FRAME_CLOSE:
      end_channel(c);
      break;
    default:
      break;
  }
}

// Passes input on to the command.
static void pump_input(struct channel *c) {
  size_t n = buffer_length(&c->input);
  if (n > 0 && c->fd[0] >= 0) {
    ssize_t w = write(c->fd[0], c->input.data + c->input.start, n);
    if (w > 0) {
      buffer_take(&c->input, (size_t)w);
      conn_put_u32(&link_, FRAME_CREDIT, 0, c->id, (uint32_t)w);
    } else if (errno != EAGAIN && errno != EINTR) {
      conn_put_u32(&link_, FRAME_CREDIT, 0, c->id, (uint32_t)n);
      buffer_take(&c->input, n);
      close_fd(&c->fd[0]);
    }
  }
  if (c->input_eof && c->fd[0] >= 0 && buffer_length(&c->input) == 0) {
    if (c->pty) {
      static const char end = 4;  // ^D
      if (write(c->fd[0], &end, 1) < 0) errno = 0;
    }
    close_fd(&c->fd[0]);
  }
}

// Passes output on. False when there is nothing more now.
static bool pump_output(struct channel *c, int s) {
  static uint8_t data[FRAME_MAX / 2];
  size_t most = c->closing ? sizeof data : c->credit[s];
  if (c->pid == 0 && most > (size_t)c->left[s]) most = (size_t)c->left[s];
  if (c->fd[s] < 0 || most == 0) return false;
  ssize_t n = read(c->fd[s], data, most < sizeof data ? most : sizeof data);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n <= 0) {  // a terminal without a process gives EIO
    close_fd(&c->fd[s]);
    return false;
  }
  if (!c->closing) {
    conn_put(&link_, FRAME_DATA, (unsigned)s, c->id, data, (size_t)n);
    c->credit[s] -= (uint32_t)n;
  }
  c->left[s] -= c->pid == 0 ? (int)n : 0;
  return true;
}

// A command that has ended is reported behind all that it wrote. What a child that it left behind
// writes later is neither waited for nor passed on.
static void finish(struct channel *c) {
  for (int s = 1; s < 3; s++) {
    while (pump_output(c, s)) {}
    if (c->fd[s] >= 0 && c->left[s] > 0 && c->credit[s] == 0 && !c->closing) return;  // go on when the client has read
  }
  send_exit(c->id, c->status, "");
  release(c);
}

static void report_bring_up(int wait_status) {
  uint8_t payload[4 + 2048];
  size_t n = 0;
  int fd = open("/run/weft/state", O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    ssize_t r = read(fd, payload + 4, sizeof payload - 4);
    if (r > 0) n = (size_t)r;
    close(fd);
  }
  set_u32(payload, WIFEXITED(wait_status) ? (uint32_t)WEXITSTATUS(wait_status) : 255);
  conn_put(&link_, FRAME_STATE, 0, 0, payload, 4 + n);
}

static void reap(void) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    if (pid == bring_up_pid) report_bring_up(status);
    for (int i = 0; i < MAX_CHANNELS; i++) {
      struct channel *c = &channels[i];
      if (!c->used || c->pid != pid) continue;
      c->status = WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status) : 128u + (uint32_t)WTERMSIG(status);
      c->pid = 0;
      for (int s = 1; s < 3; s++)
        if (c->fd[s] >= 0) ioctl(c->fd[s], FIONREAD, &c->left[s]);
      close_fd(&c->fd[0]);
    }
  }
}

static void start_bring_up(const char *path) {
  static char *argv[2];
  static const char no_term[] = "";
  int console[3];
  argv[0] = (char *)(uintptr_t)path;
  console[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
  console[1] = console[2] = open("/dev/console", O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (start(argv, no_term, console, false, &bring_up_pid)) {
    bring_up_pid = 0;
    report_bring_up(255 << 8);
  }
  close(console[0]);
  close(console[1]);
}

static void loop(int signals) {
  for (;;) {
    struct pollfd p[2 + 3 * MAX_CHANNELS];
    struct channel *of[2 + 3 * MAX_CHANNELS];
    int stream[2 + 3 * MAX_CHANNELS];
    nfds_t n = 0;
    int timeout = -1;
    p[n++] = (struct pollfd){link_.fd, (short)(POLLIN | (buffer_length(&link_.out) ? POLLOUT : 0)), 0};
    p[n++] = (struct pollfd){signals, POLLIN, 0};
    for (int i = 0; i < MAX_CHANNELS; i++) {
      struct channel *c = &channels[i];
      if (!c->used) continue;
      if (c->kill_at) timeout = 200;
      for (int s = 0; s < 3; s++) {
        bool wanted = s == 0 ? buffer_length(&c->input) > 0 : c->credit[s] > 0 || c->closing;
        if (c->fd[s] < 0 || !wanted) continue;
        of[n] = c;
        stream[n] = s;
        p[n++] = (struct pollfd){c->fd[s], s == 0 ? POLLOUT : POLLIN, 0};
      }
    }
    if (poll(p, n, timeout) < 0 && errno != EINTR) die("poll");
    if (p[0].revents & POLLIN) {
      struct frame f;
      int got;
      if (!conn_fill(&link_)) usleep(100000);  // no supervisor at the other end: wait for one
      while ((got = conn_get(&link_, &f)) > 0) handle(&f);
      if (got < 0) {
        errno = EPROTO;
        die("the lab's side of the port");
      }
    } else if (p[0].revents & POLLHUP) {
      usleep(100000);
    }
    if (p[1].revents & POLLIN) {
      struct signalfd_siginfo info;
      if (read(signals, &info, sizeof info) > 0) reap();
    }
    for (nfds_t i = 2; i < n; i++)
      if (p[i].revents && stream[i] > 0 && of[i]->used) pump_output(of[i], stream[i]);
    for (int i = 0; i < MAX_CHANNELS; i++) {
      struct channel *c = &channels[i];
      if (!c->used) continue;
      pump_input(c);
      if (c->kill_at && c->pid > 0 && now_ms() > c->kill_at) kill(-c->pid, SIGKILL);
      if (c->pid == 0) finish(c);
    }
    conn_flush(&link_);
  }
}

int main(int argc, char **argv) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
  int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  conn_open(&link_, open_port());
  conn_put(&link_, FRAME_HELLO, 0, 0, AGENT_VERSION, strlen(AGENT_VERSION));
  conn_flush(&link_);
  if (argc > 1) start_bring_up(argv[1]);
  loop(signals);
  return 0;
}
