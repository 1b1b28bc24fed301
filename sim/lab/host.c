// SPDX-License-Identifier: BSD-2-Clause
//
// The life of a lab's processes: wire, then cards, then guests, each started when the sockets of
// the one before are there.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab.h"

#define MAX_WORDS 128
// Checks that Debian's kernel has and leaves off: freed and surplus memory of slabs is poisoned and looked at, free pages
// are, and an object every 10 ms gets a page of its own, so that a stray access to it is a fault.
#define STRICT_WORDS " slub_debug=FZPU page_poison=1 kfence.sample_interval=10"

struct client channel_ending;

// A command line under construction; the strings live as long as the process.
struct words {
  char *word[MAX_WORDS];
  int count;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *w, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (w->count + 1 < MAX_WORDS) w->word[w->count++] = strdup(text);
  w->word[w->count] = NULL;
}

static void words_free(struct words *w) {
  for (int i = 0; i < w->count; i++) free(w->word[i]);
}

static bool is_socket(const char *directory, const char *name) {
  char path[128];
  struct stat st;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return stat(path, &st) == 0 && S_ISSOCK(st.st_mode);
}

static void host_fail(struct lab *l, struct host *h, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void host_fail(struct lab *l, struct host *h, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(h->text, sizeof h->text, format, args);
  va_end(args);
  h->state = HOST_FAILED;
  lab_say(l, "%s: %s", h->name, h->text);
}

struct host *host_find(struct lab *l, const char *name) {
  for (int i = 0; i < l->host_count; i++)
    if (!strcmp(l->hosts[i].name, name)) return &l->hosts[i];
  return NULL;
}

struct card *card_find(struct lab *l, const char *name, struct host **host) {
  for (int i = 0; i < l->host_count; i++)
    for (int k = 0; k < l->hosts[i].card_count; k++) {
      *host = &l->hosts[i];
      if (!strcmp((*host)->cards[k].name, name)) return &(*host)->cards[k];
    }
  return NULL;
}

bool host_cards_run(const struct host *h) {
  bool any = false;
  for (int k = 0; k < h->card_count; k++) any = any || h->cards[k].process.pid;
  return any;
}

const char *host_state_text(const struct host *h) {
  static const char *const text[] = {"off", "its card starts", "boots", "brings its card up", "up",
                                     "failed", "gone"};
  return text[h->state];
}

// FILE, FILE-1.SUFFIX, ...: a wire that is started again does not write over the capture of the one before.
static void add_capture(struct words *w, const char *path, int start) {
  const char *name = strrchr(path, '/'), *dot = strrchr(path, '.');
  if (!dot || dot <= name + 1) dot = path + strlen(path);
  add(w, "--pcap");
  if (start) add(w, "%.*s-%d%s", (int)(dot - path), path, start, dot);
  else add(w, "%s", path);
}

static bool start_wire(struct lab *l) {
  struct words w = {.count = 0};
  const struct options *o = &l->options;
  char settings[WIRE_SETTINGS_MAX], path[128];
  impair_in_force(&l->wire_settings, settings, sizeof settings);
  // Who looks for its sockets must not find those of the one before.
  snprintf(path, sizeof path, "%s/wire.control", l->directory);
  unlink(path);
  add(&w, "%s/build/wire/weft-wire", l->top);
  for (int i = 0; i < l->host_count; i++)
    for (int k = 0; k < l->hosts[i].card_count; k++) {
      const char *name = l->hosts[i].cards[k].name;
      add(&w, "--listen");
      add(&w, "%s=%s/wire-%s", name, l->directory, name);
    }
  if (o->port[0]) {
    add(&w, "--listen");
    add(&w, "port=%s", o->port);
  }
  add(&w, "--control");
  add(&w, "%s/wire.control", l->directory);
  if (o->pcap[0]) add_capture(&w, o->pcap, l->wire_starts);
  if (settings[0]) {
    add(&w, "--set");
    add(&w, "%s", settings);
  }
  for (int i = 0; i < l->host_count; i++)
    for (int k = 0; k < l->hosts[i].card_count; k++)
      if (l->hosts[i].cards[k].link_down) add(&w, "--down"), add(&w, "%s", l->hosts[i].cards[k].name);
  l->wire_starts++;
  l->wire_started = now_ms();
  l->wire_again = false;
  bool ok = child_start(&l->wire, w.word, l->logs, "wire", NULL, 0);
  words_free(&w);
  return ok;
}

bool wire_restart(struct lab *l) {
  return start_wire(l);
}

static bool start_card(struct lab *l, struct host *h, struct card *c) {
  struct words w = {.count = 0};
  const struct options *o = &l->options;
  char path[PATH_MAX], name[32];
  // A socket of the card before this one must not look like the new one's.
  snprintf(path, sizeof path, "%s/vfio-%s", l->directory, c->name);
  unlink(path);
  // The program of that card: the one of configuration sim may not have been built.
  const bool sim = !strcmp(o->card, "sim");
  add(&w, "%s/build/nic/weft-nic%s%s", l->top, sim ? "" : "-", sim ? "" : o->card);
  add(&w, "--name"), add(&w, "%s", c->name);
  add(&w, "--vfio"), add(&w, "%s", path);
  add(&w, "--wire"), add(&w, "%s/wire-%s", l->directory, c->name);
  add(&w, "--control"), add(&w, "%s/card-%s.control", l->directory, c->name);
  add(&w, "--config"), add(&w, "%s", o->card);
  add(&w, "--mac"), add(&w, "02:57:45:46:%02x:%02x", (unsigned)(0x54 + (c - h->cards)), h->number);
  // A process of the host, and a board behind a line.
  if (!strcmp(o->card, "bridge")) add(&w, "--board"), add(&w, "%s/build/nic/weft-board", l->top), add(&w, "--retry"), add(&w, "2s");
  if (o->adversarial[0]) add(&w, "--adversarial"), add(&w, "%s", o->adversarial);
  if (o->judge) add(&w, "--judge");
  if (c->link_down) add(&w, "--unplugged");  // the wire loses its frames, whatever card it is
  for (int i = 0; i < 2; i++) {
    const char *directory = i ? o->trace : o->record;
    if (!directory[0]) continue;
    add(&w, "%s", i ? "--trace" : "--record"), add(&w, "%s", directory);
  }
  snprintf(name, sizeof name, "%s.card", c->name);
  c->killed = false;
  bool ok = child_start(&c->process, w.word, l->logs, name, NULL, 0);
  words_free(&w);
  return ok;
}

// The network device of a guest without the RTL's card.
static void add_virtio_nic(struct lab *l, struct host *h, struct words *w) {
  add(w, "-netdev");
  add(w, "stream,id=net0,server=off,addr.type=unix,addr.path=%s/wire-%s,reconnect-ms=200", l->directory, h->name);
  add(w, "-device");
  add(w, "virtio-net-pci,netdev=net0,mac=02:57:45:46:54:%02x,romfile=", h->number);
}

static void qemu_words(struct lab *l, struct host *h, struct words *w, int agent, int console) {
  const struct options *o = &l->options;
  char links[MAX_CARDS * 8] = "";
  // The shadow of KASAN is an eighth of it, its quarantine a quarter.
  const int memory = o->debug_kernel && o->memory < 1024 ? 1024 : o->memory;
  for (int k = 0; k < h->card_count; k++)
    snprintf(links + strlen(links), sizeof links - strlen(links), "%s%s", k ? "," : "", h->has_card && h->cards[k].link_down ? "down" : "up");
  add(w, "/usr/bin/qemu-system-x86_64");
  add(w, "-name"), add(w, "weft-%s", h->name);
  add(w, "-nodefaults"), add(w, "-no-user-config"), add(w, "-no-reboot");
  add(w, "-display"), add(w, "none");
  add(w, "-machine"), add(w, "q35,memory-backend=m0,usb=off,smbus=off,sata=off,hpet=off");
  add(w, "-accel"), add(w, "%s", o->kvm ? "kvm" : "tcg,thread=multi");
  add(w, "-cpu"), add(w, "%s", o->kvm ? "host" : "Nehalem");
  add(w, "-smp"), add(w, "%d", o->cpus);
  add(w, "-m"), add(w, "%dM", memory);
  // The card reaches the guest's memory through this file: it must be shared.
  add(w, "-object"), add(w, "memory-backend-memfd,id=m0,size=%dM,share=on", memory);
  add(w, "-kernel"), add(w, "%s/build/guest%s/vmlinuz", l->top, o->debug_kernel ? "-debug" : "");
  add(w, "-initrd"), add(w, "%s/build/initrd%s/initrd.img", l->top, o->debug_kernel ? "-debug" : o->packages ? "-packages" : "");
  add(w, "-append");
  add(w,
      "console=ttyS0 loglevel=5 panic=-1 no_timer_check tsc=reliable mitigations=off audit=0 "
      "random.trust_cpu=on systemd.hostname=%s systemd.show_status=no "
      "lab.host=%s lab.addr=10.0.0.%d lab.mtu=%d lab.nic=%s lab.init=%s lab.link=%s%s%s",
      h->name, h->name, h->number, o->mtu, h->siw || o->soft ? "siw" : h->has_card ? "rtl" : "virtio",
      o->systemd ? "systemd" : "weft", links,
      h->has_card && o->judge ? " lab.judge=1" : "", o->strict_kernel ? STRICT_WORDS : "");
  add(w, "-chardev"), add(w, "socket,id=console,fd=%d", console);
  add(w, "-serial"), add(w, "chardev:console");
  add(w, "-device"), add(w, "virtio-serial-pci");
  add(w, "-chardev"), add(w, "socket,id=agent,fd=%d", agent);
  add(w, "-device"), add(w, "virtserialport,chardev=agent,name=" AGENT_PORT_NAME);
  add(w, "-device"), add(w, "virtio-rng-pci");
  add(w, "-blockdev");
  add(w, "driver=file,node-name=system,read-only=on,filename=%s/build/guest/root.erofs", l->top);
  add(w, "-device"), add(w, "virtio-blk-pci,drive=system");
  if (!h->has_card) add_virtio_nic(l, h, w);
  for (int k = 0; h->has_card && k < h->card_count; k++) {
    add(w, "-device"), add(w, "pcie-root-port,id=rp%d,chassis=%d", k, k + 1);
    // A reply that comes later than x-msg-timeout (ms) kills the device for good.
    add(w, "-device");
    add(w,
        "{\"driver\":\"vfio-user-pci\",\"bus\":\"rp%d\",\"x-msg-timeout\":600000,"
        "\"socket\":{\"type\":\"unix\",\"path\":\"%s/vfio-%s\"}}",
        k, l->directory, h->cards[k].name);
  }
}

static bool start_qemu(struct lab *l, struct host *h) {
  struct words w = {.count = 0};
  int agent[2] = {-1, -1}, console[2] = {-1, -1};
  char name[32];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, agent) < 0 ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, console) < 0)
    return false;
  qemu_words(l, h, &w, agent[1], console[1]);
  snprintf(name, sizeof name, "%s.qemu", h->name);
  const int keep[2] = {agent[1], console[1]};
  bool ok = child_start(&h->qemu, w.word, l->logs, name, keep, 2);
  close(agent[1]);
  close(console[1]);
  conn_open(&h->agent, agent[0]);
  snprintf(name, sizeof name, "%s.console", h->name);
  log_close(&h->console);
  log_open(&h->console, l->logs, name, console[0]);
  words_free(&w);
  return ok;
}

static void host_start(struct lab *l, struct host *h) {
  h->started = now_ms();
  h->ready_ms = h->up_ms = 0;
  h->text[0] = 0;
  h->restart = false;
  if (h->has_card) {
    h->state = HOST_CARD;
    h->deadline = h->started + START_TIMEOUT_MS;
    for (int k = 0; k < h->card_count; k++)
      if (!start_card(l, h, &h->cards[k])) {
        host_fail(l, h, "its card cannot be started: %s", strerror(errno));
        return;
      }
    return;
  }
  h->state = HOST_BOOT;
  h->deadline = h->started + BOOT_TIMEOUT_MS;
  if (!start_qemu(l, h)) host_fail(l, h, "QEMU cannot be started: %s", strerror(errno));
}

void lab_start(struct lab *l) {
  const struct options *o = &l->options;
  l->started = now_ms();
  if (o->wire[0]) impair_parse(o->wire, &l->wire_settings);
  for (int i = 0; i < o->host_count; i++) {
    struct host *h = &l->hosts[l->host_count++];
    strcpy(h->name, o->hosts[i]);
    h->number = host_number(h->name);
    h->siw = !strcmp(h->name, PEER_SIW);
    h->has_card = o->rtl && !h->siw;
    h->agent.fd = -1;
    h->console.in = h->console.file = -1;
    h->qemu.log.in = h->qemu.log.file = -1;
    h->card_count = h->has_card ? o->cards : 1;
    for (int k = 0; k < h->card_count; k++) {
      struct card *c = &h->cards[k];
      strcpy(c->name, o->hosts[i]);
      if (k) c->name[1] = (char)('1' + k);  // a host with several has one letter
      c->process.log.in = c->process.log.file = -1;
    }
  }
  l->wire.log.in = l->wire.log.file = -1;
  if (!start_wire(l)) lab_say(l, "the wire cannot be started: %s", strerror(errno));
}

static bool wire_ready(struct lab *l) {
  if (!is_socket(l->directory, "wire.control")) return false;
  for (int i = 0; i < l->host_count; i++)
    for (int k = 0; k < l->hosts[i].card_count; k++) {
      char name[16];
      snprintf(name, sizeof name, "wire-%s", l->hosts[i].cards[k].name);
      if (!is_socket(l->directory, name)) return false;
    }
  return true;
}

// Its cards have opened their sockets; one that has not is named in `waits`, one that has ended in `ended`.
static bool cards_ready(const struct lab *l, const struct host *h, const struct card **waits, const struct card **ended) {
  bool all = true;
  *waits = *ended = NULL;
  for (int k = 0; k < h->card_count; k++) {
    const struct card *c = &h->cards[k];
    char name[16];
    snprintf(name, sizeof name, "vfio-%s", c->name);
    if (is_socket(l->directory, name)) continue;
    all = false;
    *waits = c;
    if (!c->process.pid) *ended = c;
  }
  return all;
}

static void host_step(struct lab *l, struct host *h) {
  const struct card *waits, *ended;
  if (h->restart && !host_cards_run(h) && !h->qemu.pid) {
    host_start(l, h);
    return;
  }
  switch (h->state) {
    case HOST_OFF:
      if (wire_ready(l)) {
        host_start(l, h);
      } else if (!l->wire.pid || now_ms() - l->started > START_TIMEOUT_MS) {
        host_fail(l, h, "there is no wire to join (see %s)", l->wire.log.path);
      }
      break;
    case HOST_CARD:
      if (cards_ready(l, h, &waits, &ended)) {
        h->state = HOST_BOOT;
        h->deadline = now_ms() + BOOT_TIMEOUT_MS;
        if (!start_qemu(l, h)) host_fail(l, h, "QEMU cannot be started: %s", strerror(errno));
      } else if (ended) {
        host_fail(l, h, "its card ended at once (see %s)", ended->process.log.path);
      } else if (now_ms() > h->deadline) {
        host_fail(l, h, "its card does not answer (see %s)", waits->process.log.path);
      }
      break;
    case HOST_BOOT:
    case HOST_AGENT:
      if (now_ms() > h->deadline) host_fail(l, h, "not up after %d s (see %s)", BOOT_TIMEOUT_MS / 1000, h->console.path);
      break;
    default:
      break;
  }
}

void hosts_step(struct lab *l) {
  const struct options *o = &l->options;
  bool all = true, all_settled = true;
  if (l->stopping) return;
  for (int k = 0; k < MAX_CLIENTS; k++) {
    struct client *c = &l->clients[k];
    if (!c->used || !c->waits_for_wire || l->wire_starts < c->waits_for_wire) continue;
    if (l->wire.pid && !wire_ready(l) && now_ms() - l->wire_started < START_TIMEOUT_MS) continue;
    c->waits_for_wire = 0;
    client_exit(c, l->wire.pid && wire_ready(l) ? 0 : 125);
  }
  for (int i = 0; i < l->host_count; i++) {
    struct host *h = &l->hosts[i];
    host_step(l, h);
    bool settled = (h->state == HOST_UP || h->state == HOST_FAILED || h->state == HOST_GONE) && !h->restart;
    all = all && h->state == HOST_UP;
    all_settled = all_settled && settled;
    for (int k = 0; settled && k < MAX_CLIENTS; k++) {
      struct client *c = &l->clients[k];
      if (!c->used || c->waits_for != h) continue;
      c->waits_for = NULL;
      client_exit(c, h->state == HOST_UP ? 0 : 125);
    }
    if (!l->up && !o->keep && settled && h->state != HOST_UP)
      for (int k = 0; k < MAX_CLIENTS; k++)
        if (l->clients[k].used && l->clients[k].starter && !l->clients[k].ending) client_exit(&l->clients[k], 125);
  }
  if ((all || (o->keep && all_settled)) && !l->up) {
    l->up = true;
    for (int k = 0; k < MAX_CLIENTS; k++)
      if (l->clients[k].used && l->clients[k].starter) client_exit(&l->clients[k], all ? 0 : 125);
  }
}

void host_restart(struct lab *l, struct host *h) {
  (void)l;
  h->restart = true;
  host_drop_agent(h);
  if (h->qemu.pid) kill(h->qemu.pid, SIGKILL);
  for (int k = 0; k < h->card_count; k++)
    if (h->cards[k].process.pid) kill(h->cards[k].process.pid, SIGTERM);
}

void host_drop_agent(struct host *h) {
  for (unsigned i = 1; i <= MAX_GUEST_CHANNELS; i++) {
    struct client *c = h->channels[i];
    h->channels[i] = NULL;
    if (!c || c == CHANNEL_ENDING) continue;
    c->channel = 0;
    client_print(c, 2, "lab: host %s is gone\n", h->name);
    client_exit(c, 125);
  }
  conn_close(&h->agent);
}

void host_child_ended(struct lab *l, pid_t pid, int status) {
  if (pid == l->wire.pid) {
    l->wire.pid = 0;
    l->wire.status = status;
    if (l->stopping) return;
    // One that ends as soon as it is started would do so for ever.
    bool again = l->wire_again || now_ms() - l->wire_started > WIRE_LIFE_MS;
    lab_say(l, "the wire has ended (see %s)%s", l->wire.log.path, again ? ": a new one is started" : "");
    if (again && !wire_restart(l)) lab_say(l, "the wire cannot be started: %s", strerror(errno));
    return;
  }
  for (int i = 0; i < l->host_count; i++) {
    struct host *h = &l->hosts[i];
    for (int k = 0; k < h->card_count; k++) {
      struct card *c = &h->cards[k];
      if (pid != c->process.pid) continue;
      c->process.pid = 0;
      c->process.status = status;
      if (!c->killed && !h->restart && !l->stopping)
        lab_say(l, "%s: its card has ended (see %s)", c->name, c->process.log.path);
      return;
    }
    if (pid == h->qemu.pid) {
      h->qemu.pid = 0;
      h->qemu.status = status;
      host_drop_agent(h);
      if (h->restart || l->stopping) continue;
      bool started = h->state == HOST_UP;
      host_fail(l, h, "its QEMU has ended (see %s and %s)", h->qemu.log.path, h->console.path);
      if (started) h->state = HOST_GONE;
    }
  }
}

static void agent_state(struct lab *l, struct host *h, const struct frame *f) {
  size_t n = f->length - 4 < sizeof h->text - 1 ? f->length - 4 : sizeof h->text - 1;
  memcpy(h->text, f->data + 4, n);
  h->text[n] = 0;
  // It is a guest that speaks: one printable line and no more.
  for (char *p = h->text; *p; p++)
    if (*p == '\n') *p = 0;
    else if (*p < 32 || *p > 126) *p = '?';
  if (get_u32(f->data) != 0) {
    char text[sizeof h->text];
    strcpy(text, h->text);
    host_fail(l, h, "%s", text[0] ? text : "its bring-up ended without a word");
    return;
  }
  h->state = HOST_UP;
  h->up_ms = now_ms() - h->started;
  lab_say(l, "%s: up after %.1f s: %s", h->name, (double)h->up_ms / 1000, h->text);
}

static void agent_frame(struct lab *l, struct host *h, const struct frame *f) {
  if (f->type == FRAME_HELLO) {
    h->ready_ms = now_ms() - h->started;
    h->state = HOST_AGENT;
    lab_say(l, "%s: booted after %.1f s", h->name, (double)h->ready_ms / 1000);
    return;
  }
  if (f->type == FRAME_STATE && f->length >= 4) {
    agent_state(l, h, f);
    return;
  }
  if (f->channel == 0 || f->channel > MAX_GUEST_CHANNELS) return;
  struct client *c = h->channels[f->channel];
  if (f->type == FRAME_EXIT) h->channels[f->channel] = NULL;
  if (!c || c == CHANNEL_ENDING) return;
  // A guest that sends past its credit would fill the supervisor.
  if (buffer_length(&c->conn.out) > 4 * STREAM_WINDOW) return;
  conn_put(&c->conn, f->type, f->stream, 0, f->data, f->length);
  if (f->type == FRAME_EXIT) {
    c->channel = 0;
    c->ending = true;
  }
}

void host_agent_input(struct lab *l, struct host *h) {
  struct frame f;
  int got;
  if (!conn_fill(&h->agent)) {
    host_drop_agent(h);
    return;
  }
  while (h->agent.fd >= 0 && (got = conn_get(&h->agent, &f)) != 0) {
    if (got < 0) {
      lab_say(l, "%s: its agent speaks nonsense: cut off (./lab restart %s)", h->name, h->name);
      host_drop_agent(h);
      return;
    }
    agent_frame(l, h, &f);
  }
}

bool lab_end(struct lab *l) {
  bool guests = false, cards = false;
  if (!l->stopping) {
    l->stopping = true;
    l->started = now_ms();
  }
  bool late = now_ms() - l->started > END_TIMEOUT_MS;
  for (int i = 0; i < l->host_count; i++) {
    struct host *h = &l->hosts[i];
    if (h->qemu.pid) kill(h->qemu.pid, SIGKILL);
    guests = guests || h->qemu.pid;
  }
  for (int i = 0; i < l->host_count && !guests; i++) {
    struct host *h = &l->hosts[i];
    for (int k = 0; k < h->card_count; k++)
      if (h->cards[k].process.pid) kill(h->cards[k].process.pid, SIGTERM);
    cards = cards || host_cards_run(h);
  }
  if (!guests && !cards && l->wire.pid) kill(l->wire.pid, SIGTERM);
  return late || (!guests && !cards && !l->wire.pid);
}
