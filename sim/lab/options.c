// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include "../wire/impair.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

struct message {
  char *text;
  size_t size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct message m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(m.text, m.size, format, args);
  va_end(args);
  return false;
}

void options_default(struct options *o) {
  memset(o, 0, sizeof *o);
  strcpy(o->hosts[0], "a");
  strcpy(o->hosts[1], "b");
  o->host_count = 2;
  o->rtl = true;
  o->mtu = 1500;
  o->cards = 1;
  o->cpus = 1;
  o->memory = 512;
  strcpy(o->config, "sim");
  strcpy(o->card, "sim");
}

int host_number(const char *name) {
  if (!strcmp(name, PEER_SIW)) return 9;
  return name[0] >= 'a' && name[0] <= 'h' && name[1] == 0 ? name[0] - 'a' + 1 : 0;
}

int card_host_number(const char *name) {
  char host[2] = {name[0], 0};
  if (name[0] && name[1] >= '2' && name[1] < '1' + MAX_CARDS && name[2] == 0) return host_number(host);
  return host_number(name);
}

// A decimal number, nothing around it.
static bool parse_number(const char *text, long low, long high, long *value) {
  char *end;
  if (text[0] < '0' || text[0] > '9') return false;
  errno = 0;
  *value = strtol(text, &end, 10);
  return errno == 0 && *end == 0 && *value >= low && *value <= high;
}

bool wire_settings_check(const char *settings, char *error, size_t size) {
  struct message m = {error, size};
  struct impair_settings scratch = {.seed = 0};
  const char *why = impair_parse(settings, &scratch);
  // It goes to the wire as one word of a line.
  if (strlen(settings) >= WIRE_SETTINGS_MAX) return refuse(m, "wire: too many settings");
  return why ? refuse(m, "wire: %s (loss, reorder, dup, corrupt, corrupt-past-fcs, delay, rate, seed, none: see docs/lab.md)", why)
             : true;
}

static bool parse_hosts(struct options *o, const char *list, struct message m) {
  char copy[64], *save = NULL;
  if (strlen(list) >= sizeof copy || list[0] == 0 || strstr(list, ",,") || list[0] == ',' ||
      list[strlen(list) - 1] == ',')
    return refuse(m, "--hosts needs names as in a,b, not '%s'", list);
  strcpy(copy, list);
  o->host_count = 0;
  for (char *w = strtok_r(copy, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
    if (host_number(w) < 1 || !strcmp(w, PEER_SIW))
      return refuse(m, "--hosts: '%s' is no host's name: they are a to h (and --peer siw)", w);
    for (int i = 0; i < o->host_count; i++)
      if (!strcmp(o->hosts[i], w)) return refuse(m, "--hosts: '%s' stands there twice", w);
    strcpy(o->hosts[o->host_count++], w);
  }
  return true;
}

// The tool root is told of folders by a list that ':' parts (tools/in-root).
static bool bindable(const char *option, const char *folder, struct message m) {
  return !strchr(folder, ':') || refuse(m, "%s: a folder with ':' in its path cannot be seen in the tool root: %s", option, folder);
}

// A path as the supervisor sees it; its folder must exist.
static bool parse_path(char *to, size_t size, const char *option, const char *value, bool make,
                       struct message m) {
  char directory[PATH_MAX], real[PATH_MAX];
  const char *name = strrchr(value, '/');
  if (value[0] == 0) return refuse(m, "%s needs a path", option);
  if (make) {
    if (mkdir(value, 0777) < 0 && errno != EEXIST)
      return refuse(m, "%s: cannot make the folder %s: %s", option, value, strerror(errno));
    if (!realpath(value, real)) return refuse(m, "%s %s: %s", option, value, strerror(errno));
    struct stat st;
    if (stat(real, &st) < 0 || !S_ISDIR(st.st_mode)) return refuse(m, "%s: %s is no folder", option, value);
    if (strlen(real) >= size) return refuse(m, "%s: the path is too long", option);
    strcpy(to, real);
    return bindable(option, real, m);
  }
  if (!name) {
    strcpy(directory, ".");
    name = value;
  } else {
    if ((size_t)(name - value) >= sizeof directory) return refuse(m, "%s: the path is too long", option);
    memcpy(directory, value, (size_t)(name - value));
    directory[name - value] = 0;
    if (name == value) strcpy(directory, "/");
    name++;
  }
  if (name[0] == 0) return refuse(m, "%s needs the name of a file, not of a folder: %s", option, value);
  if (!realpath(directory, real)) return refuse(m, "%s: no folder %s", option, directory);
  if ((size_t)snprintf(to, size, "%s/%s", strcmp(real, "/") ? real : "", name) >= size)
    return refuse(m, "%s: the path is too long", option);
  return bindable(option, real, m);
}

static bool parse_port(struct options *o, const char *option, const char *value, struct message m) {
  const struct sockaddr_un *a = NULL;
  if (!parse_path(o->port, sizeof o->port, option, value, false, m)) return false;
  if (strlen(o->port) < sizeof a->sun_path) return true;
  return refuse(m, "%s: the path of a socket has %zu bytes at most, this one has %zu: %s", option, sizeof a->sun_path - 1, strlen(o->port), o->port);
}

static bool one_of(const char *option, const char *value, const char *const *all, struct message m) {
  char list[256] = "";
  for (; *all; all++) {
    if (!strcmp(value, *all)) return true;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", list[0] ? ", " : "", *all);
  }
  return refuse(m, "%s is one of: %s; not '%s'", option, list, value);
}

static bool parse_option(struct options *o, const char *option, const char *value, struct message m) {
  static const char *const peers[] = {PEER_SIW, NULL};
  static const char *const configs[] = {"sim", "ecp5", "artix7", "us100", "bridge", NULL};
  static const char *const macs[] = {"none", "10g", NULL};
  static const char *const inits[] = {"weft", "systemd", NULL};
  static const char *const nics[] = {"rtl", "virtio", "siw", NULL};
  static const char *const kernels[] = {"stock", "strict", "debug", NULL};
  static const char *const accelerators[] = {"tcg", "kvm", NULL};
  long n;
  if (!strcmp(option, "--hosts")) return parse_hosts(o, value, m);
  if (!strcmp(option, "--peer")) return o->siw = one_of(option, value, peers, m);
  if (!strcmp(option, "--wire")) {
    snprintf(o->wire, sizeof o->wire, "%s", value);
    return wire_settings_check(value, m.text, m.size);
  }
  if (!strcmp(option, "--config")) {
    if (!one_of(option, value, configs, m)) return false;
    strcpy(o->config, value);
    return true;
  }
  if (!strcmp(option, "--mac")) {
    if (!one_of(option, value, macs, m)) return false;
    strcpy(o->mac, strcmp(value, "none") ? value : "");
    return true;
  }
  if (!strcmp(option, "--init")) {
    o->systemd = !strcmp(value, "systemd");
    return one_of(option, value, inits, m);
  }
  if (!strcmp(option, "--nic")) {
    o->rtl = !strcmp(value, "rtl");
    o->soft = !strcmp(value, "siw");
    return one_of(option, value, nics, m);
  }
  if (!strcmp(option, "--kernel")) {
    o->debug_kernel = !strcmp(value, "debug");
    o->strict_kernel = !strcmp(value, "strict");
    return one_of(option, value, kernels, m);
  }
  if (!strcmp(option, "--accel")) {
    o->kvm = !strcmp(value, "kvm");
    return one_of(option, value, accelerators, m);
  }
  if (!strcmp(option, "--mtu")) {
    if (!parse_number(value, MTU_MIN, MTU_MAX, &n))
      return refuse(m, "--mtu is %d to %d, not '%s'", MTU_MIN, MTU_MAX, value);
    o->mtu = (int)n;
    return true;
  }
  if (!strcmp(option, "--cards")) {
    if (!parse_number(value, 1, MAX_CARDS, &n)) return refuse(m, "--cards is 1 or %d, not '%s'", MAX_CARDS, value);
    o->cards = (int)n;
    return true;
  }
  if (!strcmp(option, "--cpus")) {
    if (!parse_number(value, 1, 8, &n)) return refuse(m, "--cpus is 1 to 8, not '%s'", value);
    o->cpus = (int)n;
    return true;
  }
  if (!strcmp(option, "--memory")) {
    if (!parse_number(value, 256, 16384, &n))
      return refuse(m, "--memory is 256 to 16384 (MiB per guest), not '%s'", value);
    o->memory = (int)n;
    return true;
  }
  if (!strcmp(option, "--adversarial")) {
    if (!value[0] || strlen(value) >= sizeof o->adversarial ||
        strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789:,.%=-") != strlen(value))
      return refuse(m, "--adversarial needs options as in split,reorder,delay=10:500, not '%s'", value);
    strcpy(o->adversarial, value);
    return true;
  }
  if (!strcmp(option, "--pcap")) return parse_path(o->pcap, sizeof o->pcap, option, value, false, m);
  if (!strcmp(option, "--port")) return parse_port(o, option, value, m);
  if (!strcmp(option, "--trace")) return parse_path(o->trace, sizeof o->trace, option, value, true, m);
  if (!strcmp(option, "--record")) return parse_path(o->record, sizeof o->record, option, value, true, m);
  return refuse(m, "up has no option '%s' (see docs/lab.md)", option);
}

bool options_parse(struct options *o, int count, char **words, char *error, size_t size) {
  struct message m = {error, size};
  for (int i = 0; i < count; i++) {
    char option[64];
    const char *value = strchr(words[i], '=');
    if (!strcmp(words[i], "--keep")) {
      o->keep = true;
      continue;
    }
    if (!strcmp(words[i], "--packages")) {
      o->packages = true;
      continue;
    }
    if (!strcmp(words[i], "--judge")) {
      o->judge = true;
      continue;
    }
    if (strncmp(words[i], "--", 2)) return refuse(m, "up takes options only, not '%s'", words[i]);
    // --name=value and --name value are the same.
    size_t length = value ? (size_t)(value - words[i]) : strlen(words[i]);
    if (length >= sizeof option) return refuse(m, "up has no option '%s'", words[i]);
    memcpy(option, words[i], length);
    option[length] = 0;
    if (value) {
      value++;
    } else if (i + 1 < count) {
      value = words[++i];
    } else {
      return refuse(m, "%s needs a value", option);
    }
    if (!parse_option(o, option, value, m)) return false;
  }
  if (o->siw) strcpy(o->hosts[o->host_count++], PEER_SIW);
  if (o->packages && (!o->rtl || o->siw || o->debug_kernel || o->judge))
    return refuse(m, "--packages needs the RTL's card and the stock kernel, and has no siw and no judge");
  if (o->judge && (!o->rtl || o->systemd))
    return refuse(m, "--judge needs the RTL's card and the lab's own init");
  if (!o->rtl && (o->trace[0] || o->record[0]))
    return refuse(m, "--trace and --record need the RTL's card, there is none with this --nic");
  if (!o->rtl && o->mac[0]) return refuse(m, "--mac needs the RTL's card, there is none with this --nic");
  if (o->cards > 1 && (!o->rtl || o->judge || o->packages))
    return refuse(m, "--cards 2 needs the RTL's card, and goes neither with --judge nor with --packages");
  if (!strcmp(o->config, "bridge") && (o->mac[0] || o->judge || o->trace[0] || o->record[0] || o->adversarial[0]))
    return refuse(m, "--config bridge has the pins of its card in another process: no --mac, --judge, --trace, --record, --adversarial");
  snprintf(o->card, sizeof o->card, "%s%s%s", o->config, o->mac[0] ? "-" : "", o->mac);
  return true;
}

static void word(char **words, int most, int *n, const char *option, const char *format, ...) {
  char value[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(value, sizeof value, format, args);
  va_end(args);
  if (value[0] == 0 || *n + 2 > most) return;
  words[(*n)++] = strdup(option);
  words[(*n)++] = strdup(value);
}

int options_words(const struct options *o, char **words, int most) {
  char hosts[64] = "";
  int n = 0;
  for (int i = 0; i < o->host_count; i++) {
    if (!strcmp(o->hosts[i], PEER_SIW)) continue;
    strcat(hosts, hosts[0] ? "," : "");
    strcat(hosts, o->hosts[i]);
  }
  word(words, most, &n, "--hosts", "%s", hosts);
  word(words, most, &n, "--peer", "%s", o->siw ? PEER_SIW : "");
  word(words, most, &n, "--nic", "%s", o->rtl ? "rtl" : o->soft ? "siw" : "virtio");
  word(words, most, &n, "--accel", "%s", o->kvm ? "kvm" : "tcg");
  word(words, most, &n, "--kernel", "%s", o->debug_kernel ? "debug" : o->strict_kernel ? "strict" : "stock");
  word(words, most, &n, "--init", "%s", o->systemd ? "systemd" : "weft");
  word(words, most, &n, "--mtu", "%d", o->mtu);
  word(words, most, &n, "--cards", "%d", o->cards);
  word(words, most, &n, "--cpus", "%d", o->cpus);
  word(words, most, &n, "--memory", "%d", o->memory);
  word(words, most, &n, "--config", "%s", o->config);
  word(words, most, &n, "--mac", "%s", o->mac);
  word(words, most, &n, "--adversarial", "%s", o->adversarial);
  word(words, most, &n, "--wire", "%s", o->wire);
  word(words, most, &n, "--pcap", "%s", o->pcap);
  word(words, most, &n, "--trace", "%s", o->trace);
  word(words, most, &n, "--record", "%s", o->record);
  word(words, most, &n, "--port", "%s", o->port);
  if (o->packages && n < most) words[n++] = strdup("--packages");
  if (o->judge && n < most) words[n++] = strdup("--judge");
  if (o->keep && n < most) words[n++] = strdup("--keep");
  return n;
}
