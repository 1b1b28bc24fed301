// SPDX-License-Identifier: BSD-2-Clause
//
// weft-lab: the words of `./lab`. A static program, so that it runs on the host as it is; only the
// supervisor enters the tool root.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../nic/record.h"
#include "client.h"
#include "frame.h"
#include "lab.h"
#include "options.h"
#include "place.h"

static struct place place;

static int usage(void) {
  fputs(
      "usage: ./lab up [--hosts a,b] [--peer siw] [--config sim] [--mac 10g] [--mtu N]\n"
      "                [--wire SETTINGS] [--pcap FILE] [--trace DIR] [--record DIR] [--port PATH]\n"
      "                [--init systemd] [--nic rtl|virtio|siw] [--cards N] [--cpus N] [--memory MIB]\n"
      "                [--accel tcg|kvm] [--kernel stock|strict|debug] [--adversarial OPTIONS] [--judge]\n"
      "                [--packages] [--keep]\n"
      "       ./lab exec [-d] HOST -- COMMAND ...\n"
      "       ./lab push HOST FILE DEST | pull HOST FILE DEST\n"
      "       ./lab console HOST\n"
      "       ./lab wire SETTINGS | link CARD up|down | nic CARD kill|reset\n"
      "       ./lab module CARD in|out|sda|scl|free|show\n"
      "       ./lab reload HOST driver|firmware | restart HOST|wire\n"
      "       ./lab status | stats [CARD] | judge [HOST] | logs CARD\n"
      "       ./lab replay DIR\n"
      "       ./lab down\n"
      "Hosts are a to h and siw, so is the first card of each; the second is a2 to h2. LAB=NAME ./lab ... is another lab beside the first. See docs/lab.md.\n",
      stderr);
  return 2;
}

__attribute__((format(printf, 1, 2))) static int wrong(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("lab: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return 2;
}

static bool check_host(const char *name) {
  if (host_number(name)) return true;
  wrong("'%s' is no host's name: they are a to h and siw", name);
  return false;
}

static bool check_card(const char *name) {
  if (card_host_number(name)) return true;
  wrong("'%s' is no card's name: they are a to h and siw as their hosts, the second of a host a2 to h2", name);
  return false;
}

static int simple(const char *const *words) {
  const struct talk t = {.input = -1, .output = 1, .request = words};
  return client_request(&place, &t);
}

// True when no process of the lab lives any more.
static bool wait_gone(int ms) {
  for (int64_t end = now_ms() + ms; now_ms() < end; usleep(10000)) {
    bool stale;
    int fd = place_lock(&place, &stale);
    if (fd < 0) continue;
    place_remove(place.directory);
    close(fd);
    return true;
  }
  return false;
}

// The pieces that a lab is made of; names the first that is missing.
static bool check_pieces(const struct options *o) {
  static const char *const always[] = {"build/guest/root.erofs", "build/guest/vmlinuz",
                                       "build/initrd/initrd.img", "build/wire/weft-wire", NULL};
  static char nic[96];
  static const char *const card[] = {nic, "build/driver/weft.ko", "build/firmware/weft-fw.bin", NULL};
  static const char *const siw[] = {"build/siw/siw.ko", NULL};
  static const char *const debug[] = {"build/guest-debug/vmlinuz", "build/initrd-debug/initrd.img", NULL};
  static const char *const packages[] = {"build/initrd-packages/initrd.img", NULL};
  const char *const *sets[] = {always, o->rtl ? card : NULL, o->siw || o->soft ? siw : NULL, o->debug_kernel ? debug : NULL, o->packages ? packages : NULL};
  char path[PATH_MAX + 64];
  bool sim = !strcmp(o->card, "sim");
  snprintf(nic, sizeof nic, "build/nic/weft-nic%s%s", sim ? "" : "-", sim ? "" : o->card);
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    for (const char *const *p = sets[i]; p && *p; p++) {
      snprintf(path, sizeof path, "%s/%s", place.top, *p);
      if (access(path, R_OK) == 0) continue;
      fprintf(stderr, "lab: %s is missing: run make (or ./lab up, which does)%s\n", *p,
              i == 1 ? "; --nic virtio starts guests without the RTL's card" : "");
      if (!(o->keep && i == 1 && p > card)) return false;
    }
  return true;
}

// Replaces the process: into the tool root, there the keeper and the supervisor.
static void become_supervisor(const struct options *o, int up_fd, int lock_fd) {
  static char program[PATH_MAX + 32], wrapper[PATH_MAX + 32], bind[8192], log[PATH_MAX + 96];
  static char up_number[16], lock_number[16];
  char *words[64] = {wrapper, program, (char *)(uintptr_t)"supervise", place.directory, place.logs,
                     place.top, up_number, lock_number};
  const char *const paths[] = {o->pcap, o->port, o->trace, o->record};
  snprintf(program, sizeof program, "%s/build/lab/weft-lab", place.top);
  snprintf(wrapper, sizeof wrapper, "%s/tools/in-root", place.top);
  snprintf(up_number, sizeof up_number, "%d", up_fd);
  snprintf(lock_number, sizeof lock_number, "%d", lock_fd);
  for (int i = 0; i < 4; i++) {
    if (!paths[i][0]) continue;
    size_t n = strlen(bind);
    snprintf(bind + n, sizeof bind - n, "%s%s", n ? ":" : "", paths[i]);
    if (i < 2) *strrchr(bind + n, '/') = 0;  // a file: its folder
  }
  setenv("WEFT_BIND", bind, 1);
  int count = 8 + options_words(o, words + 8, 64 - 9);
  words[count] = NULL;
  setsid();
  snprintf(log, sizeof log, "%s/supervisor.log", place.logs);
  int null = open("/dev/null", O_RDONLY), out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (null < 0 || out < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(125);
  if (chdir(place.top) < 0) _exit(125);
  execv(wrapper, words);
  fprintf(stderr, "lab: %s: %s\n", wrapper, strerror(errno));
  _exit(125);
}

static void make_folders(void) {
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/build/labs", place.top);
  mkdir(path, 0777);
  mkdir(place.logs, 0777);
}

static int up(int count, char **words) {
  struct options o;
  char error[256];
  bool stale = false;
  int pair[2];
  options_default(&o);
  if (!options_parse(&o, count, words, error, sizeof error)) return wrong("%s", error);
  int lock = place_lock(&place, &stale);
  if (lock < 0) {
    static const char *const status[] = {"status", NULL};
    fprintf(stderr, "lab: a lab runs here already (./lab down ends it, LAB=NAME ./lab up starts another beside it):\n");
    simple(status);
    return 1;
  }
  if (stale) fprintf(stderr, "lab: cleared what a lab that was killed had left\n");
  if (!check_pieces(&o)) {
    place_remove(place.directory);
    return LAB_FAILED;
  }
  make_folders();
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) return LAB_FAILED;
  pid_t pid = fork();
  if (pid == 0) {
    close(pair[0]);
    become_supervisor(&o, pair[1], lock);
  }
  close(pair[1]);
  close(lock);
  fcntl(pair[0], F_SETFD, FD_CLOEXEC);
  static const char *const request[] = {"starting", NULL};
  const struct talk t = {.input = -1, .output = 1, .request = request};
  int status = pid < 0 ? LAB_FAILED : client_talk(pair[0], &t);
  if (status == 0) return 0;
  if (status > 128) fprintf(stderr, "lab: stopping\n");
  if (status == LAB_FAILED && o.keep && access(place.socket, F_OK) == 0) {
    fprintf(stderr, "lab: not all hosts are up; kept (./lab status, ./lab logs HOST)\n");
    return status;
  }
  if (!wait_gone(15000)) fprintf(stderr, "lab: it does not end: ./lab down\n");
  if (status <= 128) fprintf(stderr, "lab: not started; logs are in %s\n", place.logs);
  return status;
}

static int down(void) {
  static const char *const request[] = {"down", NULL};
  const struct talk t = {.input = -1, .output = 1, .request = request};
  char path[96], text[32] = "";
  int fd = place_connect(&place);
  if (fd >= 0) {
    client_talk(fd, &t);
  } else if (access(place.directory, F_OK) < 0) {
    printf("lab: no lab runs here (LAB=%s)\n", place.name);
    return 0;
  }
  if (wait_gone(fd >= 0 ? 15000 : 500)) return 0;
  // It does not listen and lives: the lock names it.
  snprintf(path, sizeof path, "%s/lock", place.directory);
  int lock = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = lock >= 0 ? read(lock, text, sizeof text - 1) : 0;
  if (n > 0 && atoi(text) > 1) kill(atoi(text), SIGKILL);
  if (lock >= 0) close(lock);
  if (wait_gone(5000)) return 0;
  fprintf(stderr, "lab: the lab does not end; its processes are those that hold %s\n", path);
  return LAB_FAILED;
}

static int exec_command(int count, char **words) {
  bool detach = count > 0 && !strcmp(words[0], "-d");
  if (detach) count--, words++;
  if (count < 3 || strcmp(words[1], "--")) return wrong("exec is: ./lab exec [-d] HOST -- COMMAND ...");
  if (!check_host(words[0])) return 2;
  const char *const request[] = {"exec", words[0], NULL};
  const struct talk t = {.input = detach ? -1 : 0,
                         .output = 1,
                         .request = request,
                         .command = (const char *const *)(words + 2),
                         .open_flags = detach ? OPEN_DETACH : 0};
  return client_request(&place, &t);
}

static int console(const char *host) {
  static const char *const shell[] = {"/bin/bash", "-l", NULL};
  const char *const request[] = {"exec", host, NULL};
  if (!isatty(0)) return wrong("console needs a terminal; ./lab exec %s -- bash reads from a pipe", host);
  const struct talk t = {.input = 0, .output = 1, .pty = 1, .request = request, .command = shell, .open_flags = OPEN_PTY};
  fprintf(stderr, "lab: a shell in %s; exit or ^D leaves it\n", host);
  return client_request(&place, &t);
}

static int logs(const char *host) {
  static const char *const kinds[] = {".card", ".qemu", ".console", ""};
  char path[PATH_MAX + 160], data[16384];
  bool any = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (int old = 1; old >= 0; old--) {
      ssize_t n;
      snprintf(path, sizeof path, "%s/%s%s.log%s", place.logs, host, kinds[i], old ? ".1" : "");
      int fd = open(path, O_RDONLY | O_CLOEXEC);
      if (fd < 0) continue;
      any = true;
      printf("==> %s%s%s\n", host, kinds[i], old ? " (earlier)" : "");
      while ((n = read(fd, data, sizeof data)) > 0) fwrite(data, 1, (size_t)n, stdout);
      close(fd);
    }
  if (any) return 0;
  fprintf(stderr, "lab: no logs of '%s' in %s\n", host, place.logs);
  return LAB_FAILED;
}

static int word3(const char *what, int count, char **words, const char *first, const char *second) {
  if (count != 2 || (strcmp(words[1], first) && strcmp(words[1], second)))
    return wrong("%s is: ./lab %s CARD %s|%s", what, what, first, second);
  if (!check_card(words[0])) return 2;
  const char *const request[] = {what, words[0], words[1], NULL};
  return simple(request);
}

static int wire(int count, char **words) {
  char error[256];
  if (count != 1) return wrong("wire is: ./lab wire SETTINGS, as in loss=1%%,seed=7");
  if (!wire_settings_check(words[0], error, sizeof error)) return wrong("%s", error);
  const char *const request[] = {"wire", words[0], NULL};
  return simple(request);
}

// For ./lab replay, before it builds anything: the configuration of the card that made a recording.
static int recording(const char *path) {
  struct record_header h;
  FILE *file = fopen(path, "rb");
  bool ok = file && fread(&h, sizeof h, 1, file) == 1 && !memcmp(h.magic, RECORD_MAGIC, sizeof h.magic);
  if (file) fclose(file);
  if (ok) h.config[sizeof h.config - 1] = 0;
  if (!ok || strspn(h.config, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(h.config)) {
    fprintf(stderr, "lab: %s is no recording of this version\n", path);
    return LAB_FAILED;
  }
  puts(h.config[0] ? h.config : "sim");
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return usage();
  const char *word = argv[1];
  int n = argc - 2;
  char **w = argv + 2;
  if (!strcmp(word, "supervise")) return supervise(n, w);
  if (!strcmp(word, "recording") && n == 1) return recording(w[0]);
  place_find(&place);
  if (!strcmp(word, "up")) return up(n, w);
  if (!strcmp(word, "check-up")) {  // for ./lab, before it builds anything
    struct options o;
    char error[256];
    options_default(&o);
    if (!options_parse(&o, n, w, error, sizeof error)) return wrong("%s", error);
    printf("%s%s %s\n", o.rtl ? "rtl" : "virtio", o.debug_kernel ? "-debug" : o.packages ? "-packages" : "", o.card);
    return 0;
  }
  if (!strcmp(word, "down")) return n ? wrong("down takes no words") : down();
  if (!strcmp(word, "exec")) return exec_command(n, w);
  if (!strcmp(word, "wire")) return wire(n, w);
  if (!strcmp(word, "link")) return word3("link", n, w, "up", "down");
  if (!strcmp(word, "module")) {
    if (n != 2) return wrong("module is: ./lab module CARD in|out|sda|scl|free|show");
    const char *const request[] = {word, w[0], w[1], NULL};
    return check_card(w[0]) ? simple(request) : 2;
  }
  if (!strcmp(word, "nic")) return word3("nic", n, w, "kill", "reset");
  if (!strcmp(word, "push") || !strcmp(word, "pull")) {
    if (n != 3) return wrong("%s is: ./lab %s HOST FILE DEST", word, word);
    if (!check_host(w[0])) return 2;
    return !strcmp(word, "push") ? client_push(&place, w[0], w[1], w[2]) : client_pull(&place, w[0], w[1], w[2]);
  }
  if (!strcmp(word, "console") || !strcmp(word, "logs") || !strcmp(word, "restart")) {
    if (n != 1) return wrong("%s is: ./lab %s %s", word, word, !strcmp(word, "logs") ? "CARD" : "HOST");
    bool part = (!strcmp(word, "logs") && !strcmp(w[0], "supervisor")) || (strcmp(word, "console") && !strcmp(w[0], "wire"));
    if (!part && !(!strcmp(word, "logs") ? check_card : check_host)(w[0])) return 2;
    const char *const request[] = {word, w[0], NULL};
    return !strcmp(word, "console") ? console(w[0]) : !strcmp(word, "logs") ? logs(w[0]) : simple(request);
  }
  if (!strcmp(word, "status")) {
    static const char *const request[] = {"status", NULL};
    return n ? wrong("status takes no words") : simple(request);
  }
  if (!strcmp(word, "stats") || !strcmp(word, "judge")) {
    const char *const request[] = {word, n ? w[0] : NULL, NULL};
    if (n > 1) return wrong("%s is: ./lab %s [%s]", word, word, !strcmp(word, "judge") ? "HOST" : "CARD");
    return n && !check_card(w[0]) ? 2 : simple(request);
  }
  if (!strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h")) {
    usage();
    return 0;
  }
  wrong("there is no './lab %s'", word);
  return usage();
}
