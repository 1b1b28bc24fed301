// SPDX-License-Identifier: BSD-2-Clause
#include "place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static void fail(const char *what) {
  fprintf(stderr, "lab: %s: %s\n", what, strerror(errno));
  exit(125);
}

// FNV-1a.
static uint64_t hash(uint64_t h, const char *text) {
  do h = (h ^ (uint8_t)*text) * 0x100000001b3ull;
  while (*text++);
  return h;
}

void place_find(struct place *p) {
  static const char self[] = "/build/lab/weft-lab";
  const char *name = getenv("LAB");
  ssize_t n = readlink("/proc/self/exe", p->top, sizeof p->top - 1);
  if (n < 0) fail("/proc/self/exe");
  p->top[n] = 0;
  size_t tail = strlen(self);
  if ((size_t)n <= tail || strcmp(p->top + n - tail, self)) {
    fprintf(stderr, "lab: %s does not lie in a checkout's build folder\n", p->top);
    exit(125);
  }
  p->top[n - (ssize_t)tail] = 0;
  if (!name || !name[0]) name = "default";
  if (strlen(name) > 32 || strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != strlen(name) ||
      name[0] == '.') {
    fprintf(stderr, "lab: LAB is a name of up to 32 letters, digits, '-', '_' and '.', not '%s'\n", name);
    exit(2);
  }
  strcpy(p->name, name);
  uint64_t h = hash(hash(0xcbf29ce484222325ull, p->top), p->name);
  snprintf(p->directory, sizeof p->directory, "/tmp/weft-%u-%012llx", (unsigned)getuid(),
           (unsigned long long)(h & 0xffffffffffffull));
  snprintf(p->socket, sizeof p->socket, "%s/lab", p->directory);
  snprintf(p->logs, sizeof p->logs, "%s/build/labs/%s", p->top, p->name);
}

// A folder in /tmp is trusted only when it is ours and nobody else can write into it.
static void check_owner(const char *directory) {
  struct stat st;
  if (lstat(directory, &st) < 0) fail(directory);
  if (!S_ISDIR(st.st_mode) || st.st_uid != getuid() || (st.st_mode & 077)) {
    fprintf(stderr, "lab: %s belongs to somebody else: remove it\n", directory);
    exit(125);
  }
}

static bool empty(const char *directory, const char *keep) {
  bool any = false;
  DIR *d = opendir(directory);
  struct dirent *e;
  while (d && (e = readdir(d))) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !strcmp(e->d_name, keep)) continue;
    any = true;
    unlinkat(dirfd(d), e->d_name, 0);
  }
  if (d) closedir(d);
  return any;
}

int place_lock(const struct place *p, bool *stale) {
  char path[96];
  struct stat held, there;
  snprintf(path, sizeof path, "%s/lock", p->directory);
  for (int tries = 0; tries < 100; tries++) {
    if (mkdir(p->directory, 0700) < 0 && errno != EEXIST) fail(p->directory);
    check_owner(p->directory);
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
    if (fd < 0 && errno == ENOENT) continue;  // a lab that ends took the folder with it
    if (fd < 0) fail(path);
    if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
      close(fd);
      return -1;
    }
    if (stat(path, &there) == 0 && fstat(fd, &held) == 0 && there.st_ino == held.st_ino) {
      *stale = empty(p->directory, "lock");
      return fd;
    }
    close(fd);
  }
  fail(path);
  return -1;
}

int place_connect(const struct place *p) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct ucred peer;
  socklen_t length = sizeof peer;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail("socket");
  strcpy(address.sun_path, p->socket);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0 ||
      getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0 || peer.uid != getuid()) {
    close(fd);
    return -1;
  }
  return fd;
}

void place_remove(const char *directory) {
  char path[96];
  empty(directory, "lock");
  snprintf(path, sizeof path, "%s/lock", directory);
  unlink(path);
  rmdir(directory);
}
