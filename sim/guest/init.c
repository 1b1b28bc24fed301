// SPDX-License-Identifier: BSD-2-Clause
//
// The guests' init, static, in two lives:
//
//   /init of the initramfs     loads the few modules that the disk needs, puts a writable layer
//                              over the read-only image that all guests share, with what the
//                              project builds (driver, provider, firmware, agent) as a layer
//                              between, and goes there
//   /usr/lib/weft/init         process 1 of the running guest: mounts, udevd, the agent; then reaps.
//                              With lab.init=systemd the guest's own /sbin/init takes this place.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define DISK "/dev/vda"
#define INIT2 "/usr/lib/weft/init"

static void say(const char *what) {
  FILE *f = fopen("/dev/kmsg", "w");
  if (!f) return;
  fprintf(f, "weft-init: %s\n", what);
  fclose(f);
}

static void fail(const char *what) {
  char text[256];
  snprintf(text, sizeof text, "%s: %s", what, strerror(errno));
  say(text);
  sync();
  reboot(RB_POWER_OFF);
  for (;;) pause();
}

static void must_mount(const char *source, const char *target, const char *type,
                       unsigned long flags, const char *options) {
  mkdir(target, 0755);
  if (mount(source, target, type, flags, options) < 0 && errno != EBUSY) fail(target);
}

// The value of NAME=... on the kernel's command line, or "".
static const char *argument(const char *name) {
  static char line[4096];
  char *save = NULL;
  FILE *f = fopen("/proc/cmdline", "r");
  if (!f || !fgets(line, sizeof line, f)) return "";
  fclose(f);
  line[strcspn(line, "\n")] = 0;
  for (char *w = strtok_r(line, " ", &save); w; w = strtok_r(NULL, " ", &save))
    if (!strncmp(w, name, strlen(name)) && w[strlen(name)] == '=') return w + strlen(name) + 1;
  return "";
}

static void load_modules(void) {
  char path[512];
  FILE *f = fopen("/boot-modules/list", "r");
  if (!f) fail("/boot-modules/list");
  while (fgets(path, sizeof path, f)) {
    path[strcspn(path, "\n")] = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) < 0 && errno != EEXIST)) fail(path);
    close(fd);
  }
  fclose(f);
}

static void enter_root(void) {
  for (int i = 0; access(DISK, R_OK) < 0; i++) {
    if (i == 500) fail("no disk " DISK);
    usleep(10000);
  }
  must_mount(DISK, "/lower", "erofs", MS_RDONLY, "");
  must_mount("tmpfs", "/upper", "tmpfs", 0, "mode=755");
  mkdir("/upper/data", 0755);
  mkdir("/upper/work", 0755);
  must_mount("overlay", "/system", "overlay", 0,
             "lowerdir=/payload:/lower,upperdir=/upper/data,workdir=/upper/work");
  if (mount("/dev", "/system/dev", NULL, MS_MOVE, NULL) < 0 ||
      mount("/proc", "/system/proc", NULL, MS_MOVE, NULL) < 0 ||
      mount("/sys", "/system/sys", NULL, MS_MOVE, NULL) < 0)
    fail("moving /dev, /proc and /sys");
  if (chdir("/system") < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0 ||
      chdir("/") < 0)
    fail("entering the system");
}

static void initramfs(void) {
  must_mount("devtmpfs", "/dev", "devtmpfs", 0, "mode=755");
  must_mount("proc", "/proc", "proc", 0, "");
  must_mount("sysfs", "/sys", "sysfs", 0, "");
  load_modules();
  const char *init = strcmp(argument("lab.init"), "systemd") ? INIT2 : "/sbin/init";
  enter_root();
  execl(init, init, (char *)NULL);
  fail(init);
}

static pid_t spawn(const char *const *argv) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setsid();
  execv(argv[0], (char *const *)(uintptr_t)argv);
  _exit(127);
}

static void setup_system(void) {
  static const char *const udevd[] = {"/lib/systemd/systemd-udevd", "--daemon", NULL};
  static const char *const agent[] = {"/usr/lib/weft/agent", "/usr/lib/weft/bring-up", NULL};
  int console = open("/dev/console", O_RDWR | O_NOCTTY);
  for (int fd = 0; console >= 0 && fd < 3; fd++) dup2(console, fd);
  if (console > 2) close(console);
  must_mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "mode=620,ptmxmode=666,gid=5");
  must_mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
  must_mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755");
  must_mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
  must_mount("cgroup2", "/sys/fs/cgroup", "cgroup2", MS_NOSUID | MS_NOEXEC | MS_NODEV, "");
  mkdir("/run/weft", 0755);
  mkdir("/run/lock", 01777);
  setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
  setenv("HOME", "/root", 1);
  setenv("LANG", "C.UTF-8", 1);
  // The agent needs no udev: /dev/vport* is devtmpfs's. It runs the bring-up script.
  pid_t pid = spawn(udevd);
  if (pid > 0) waitpid(pid, NULL, 0);
  spawn(agent);
}

static void power_off(int signal_number) { reboot(signal_number == SIGINT ? RB_AUTOBOOT : RB_POWER_OFF); }

int main(int argc, char **argv) {
  (void)argc;
  if (getpid() != 1) {
    fprintf(stderr, "%s: this is process 1 of a guest, nothing else\n", argv[0]);
    return 2;
  }
  if (!strcmp(argv[0], "/init")) initramfs();
  // poweroff, halt and reboot of a guest's shell signal process 1.
  signal(SIGTERM, power_off);
  signal(SIGUSR1, power_off);
  signal(SIGUSR2, power_off);
  signal(SIGINT, power_off);
  setup_system();
  for (;;) {
    if (waitpid(-1, NULL, 0) < 0) sleep(1);
  }
}
