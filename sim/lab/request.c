// SPDX-License-Identifier: BSD-2-Clause
//
// What a client may ask of a running lab.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lab.h"

#define MAX_WORDS 8

static void refuse(struct client *c, const char *text) {
  client_print(c, 2, "lab: %s\n", text);
  client_exit(c, 125);
}

static void print_status(struct lab *l, struct client *c) {
  const struct options *o = &l->options;
  client_print(c, 1, "lab of %s cards: %s, supervisor %d, up for %lld s, logs in %s\n",
               o->rtl ? o->card : "virtio", l->up ? "up" : "starting", l->supervisor_pid,
               (long long)(now_ms() - l->started) / 1000, l->logs);
  char settings[WIRE_SETTINGS_MAX];
  impair_in_force(&l->wire_settings, settings, sizeof settings);
  client_print(c, 1, "wire: %s%s%s\n", l->wire.pid ? "up" : "dead: ./lab restart wire", settings[0] ? ", " : "", settings);
  for (int i = 0; i < l->host_count; i++) {
    struct host *h = &l->hosts[i];
    for (int k = 0; k < h->card_count; k++) {
      const struct card *d = &h->cards[k];
      const char *card = !h->has_card ? "virtio-net" : d->process.pid ? "card runs" : d->killed ? "card killed" : "card dead";
      if (k) client_print(c, 1, "%s: %s; link %s\n", d->name, card, d->link_down ? "down" : "up");
      else client_print(c, 1, "%s: %s; %s; link %s%s%s\n", h->name, host_state_text(h), card, d->link_down ? "down" : "up", h->text[0] ? "; " : "", h->text);
    }
  }
  client_exit(c, 0);
}

static void query_add(struct lab *l, struct client *c, const struct card *card, const char *command) {
  if (c->query_count == MAX_QUERIES) return;
  struct query *q = &c->queries[c->query_count++];
  snprintf(q->title, sizeof q->title, "%s", card ? card->name : "wire");
  if (card) {
    snprintf(q->path, sizeof q->path, "%s/card-%s.control", l->directory, card->name);
  } else {
    snprintf(q->path, sizeof q->path, "%s/wire.control", l->directory);
  }
  snprintf(q->command, sizeof q->command, "%s\n", command);
}

// Asks the next of the client's questions, or ends it behind the last.
static void query_next(struct lab *l, struct client *c) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  (void)l;
  conn_close(&c->control);
  while (c->query_at < c->query_count) {
    struct query *q = &c->queries[c->query_at++];
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", q->path);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
      if (fd >= 0) close(fd);
      client_print(c, 2, "lab: %s does not answer: %s\n", q->title, strerror(errno));
      c->query_failed = true;
      continue;
    }
    conn_open(&c->control, fd);
    buffer_add(&c->control.out, q->command, strlen(q->command));
    c->query_deadline = now_ms() + QUERY_TIMEOUT_MS;
    return;
  }
  client_exit(c, c->query_failed ? 125 : 0);
}

// A line of an answer; true when it is the last.
static bool query_line(struct client *c, const char *line, size_t length) {
  const struct query *q = &c->queries[c->query_at - 1];
  // The last line of an answer is "ok", "error REASON" or, behind either, ".".
  if ((length == 1 && line[0] == '.') || (length == 2 && !strncmp(line, "ok", 2))) return true;
  bool wrong = length >= 5 && !strncmp(line, "error", 5);
  if (wrong) c->query_failed = true;
  client_print(c, wrong ? 2 : 1, "%s%s%.*s\n", c->query_count > 1 || wrong ? q->title : "",
               c->query_count > 1 || wrong ? ": " : "", (int)length, line);
  return wrong;
}

void query_step(struct lab *l, struct client *c, short events) {
  const char *why = NULL;
  if (c->control.fd < 0) return;
  if (events & POLLOUT && !conn_flush(&c->control)) why = strerror(errno);
  if (events & (POLLIN | POLLHUP | POLLERR) && !conn_fill(&c->control))
    why = errno ? strerror(errno) : "it hung up";
  struct buffer *b = &c->control.in;
  uint8_t *end;
  while (buffer_length(b) > 0 && (end = memchr(b->data + b->start, '\n', buffer_length(b)))) {
    const char *line = (const char *)b->data + b->start;
    size_t length = (size_t)(end - (b->data + b->start));
    bool last = query_line(c, line, length);
    const struct query *q = &c->queries[c->query_at - 1];
    if (last && length == 2 && q->settings[0]) impair_parse(q->settings, &l->wire_settings);
    buffer_take(b, length + 1);
    if (!last) continue;
    query_next(l, c);
    return;
  }
  if (!why && (now_ms() > c->query_deadline || buffer_length(b) > FRAME_MAX)) why = "no answer in time";
  if (!why) return;
  client_print(c, 2, "lab: %s does not answer: %s\n", c->queries[c->query_at - 1].title, why);
  c->query_failed = true;
  query_next(l, c);
}

static struct host *need_host(struct lab *l, struct client *c, const char *name) {
  struct host *h = host_find(l, name);
  if (h) return h;
  client_print(c, 2, "lab: there is no host '%s' in this lab\n", name);
  client_exit(c, 125);
  return NULL;
}

static void start_command(struct lab *l, struct client *c, const struct frame *f) {
  if (c->channel || !c->host) return;
  struct host *h = c->host;
  (void)l;
  if (h->agent.fd < 0 || h->state == HOST_OFF || h->state == HOST_CARD || h->state == HOST_BOOT) {
    client_print(c, 2, "lab: host %s: %s\n", h->name, h->agent.fd < 0 ? host_state_text(h) : "not booted yet");
    client_exit(c, 125);
    return;
  }
  for (unsigned i = 1; i <= MAX_GUEST_CHANNELS; i++) {
    if (h->channels[i]) continue;
    h->channels[i] = c;
    c->channel = i;
    conn_put(&h->agent, FRAME_OPEN, 0, i, f->data, f->length);
    return;
  }
  refuse(c, "too many commands run in this guest at once (64)");
}

static struct card *need_card(struct lab *l, struct client *c, const char *name, struct host **h) {
  struct card *card = card_find(l, name, h);
  if (card) return card;
  client_print(c, 2, "lab: there is no %s '%s' in this lab\n", host_number(name) ? "host" : "card", name);
  client_exit(c, 125);
  return NULL;
}

static void nic_request(struct lab *l, struct client *c, const struct host *h, struct card *card, const char *what) {
  if (!h->has_card) {
    refuse(c, "this host has no card of the RTL's");
  } else if (!strcmp(what, "kill")) {
    card->killed = true;
    if (card->process.pid) kill(card->process.pid, SIGKILL);
    client_exit(c, 0);
  } else {
    query_add(l, c, card, "reset");
    query_next(l, c);
  }
}

// The module in the card's cage; the card knows the words.
static void module_request(struct lab *l, struct client *c, const struct host *h, struct card *card, const char *what) {
  char command[32];
  if (!h->has_card) {
    refuse(c, "this host has no card of the RTL's");
    return;
  }
  snprintf(command, sizeof command, "module %.16s", what);
  query_add(l, c, card, command);
  query_next(l, c);
}

static void link_request(struct lab *l, struct client *c, const struct host *h, struct card *card, const char *state) {
  char command[32];
  card->link_down = !strcmp(state, "down");
  // The wire loses the frames, the card sees the carrier go.
  snprintf(command, sizeof command, "link %s %s", card->name, state);
  query_add(l, c, NULL, command);
  snprintf(command, sizeof command, "link %s", state);
  if (h->has_card && card->process.pid) query_add(l, c, card, command);
  query_next(l, c);
}

static void wire_request(struct lab *l, struct client *c, const char *command, const char *settings) {
  query_add(l, c, NULL, command);
  if (settings) snprintf(c->queries[c->query_count - 1].settings, WIRE_SETTINGS_MAX, "%s", settings);
  query_next(l, c);
}

static void cards_request(struct lab *l, struct client *c, const char *name, const char *command) {
  struct host *h;
  struct card *only = name ? need_card(l, c, name, &h) : NULL;
  if (name && !only) return;
  if (only && !h->has_card) {
    refuse(c, "this host has no card of the RTL's: there is nothing to count");
    return;
  }
  for (int i = 0; i < l->host_count; i++)
    for (int k = 0; k < l->hosts[i].card_count; k++)
      if (l->hosts[i].has_card && (!only || only == &l->hosts[i].cards[k])) query_add(l, c, &l->hosts[i].cards[k], command);
  if (!only && !strcmp(command, "stats")) query_add(l, c, NULL, "stats");
  query_next(l, c);
}

static void words_request(struct lab *l, struct client *c, char **word, int n) {
  char command[600];
  struct host *h = NULL;
  struct card *card = NULL;
  if (!strcmp(word[0], "starting")) {
    return;  // `up`: answered when every host is up
  } else if (!strcmp(word[0], "status") && n == 1) {
    print_status(l, c);
  } else if (!strcmp(word[0], "down") && n == 1) {
    l->stopping = true;
    l->started = now_ms();
    client_exit(c, 0);
  } else if (!strcmp(word[0], "wire") && n == 2) {
    char error[256];
    if (!wire_settings_check(word[1], error, sizeof error)) {
      refuse(c, error);
      return;
    }
    snprintf(command, sizeof command, "set %s", word[1]);
    wire_request(l, c, command, word[1]);
  } else if (!strcmp(word[0], "stats") && n <= 2) {
    cards_request(l, c, n == 2 ? word[1] : NULL, "stats");
  } else if (!strcmp(word[0], "judge") && n <= 2) {
    cards_request(l, c, n == 2 ? word[1] : NULL, "judge");
  } else if (!strcmp(word[0], "restart") && n == 2 && !strcmp(word[1], "wire")) {
    c->waits_for_wire = l->wire_starts + 1;
    l->wire_again = true;
    if (l->wire.pid) kill(l->wire.pid, SIGTERM);
    else if (!wire_restart(l)) refuse(c, "the wire cannot be started");
  } else if (n == 3 && (!strcmp(word[0], "link") || !strcmp(word[0], "nic") || !strcmp(word[0], "module"))) {
    if (!(card = need_card(l, c, word[1], &h))) return;
    if (word[0][0] == 'l') link_request(l, c, h, card, word[2]);
    else if (word[0][0] == 'm') module_request(l, c, h, card, word[2]);
    else nic_request(l, c, h, card, word[2]);
  } else if (n < 2 || !(h = need_host(l, c, word[1]))) {
    if (n < 2) refuse(c, "the supervisor does not know this request");
  } else if (!strcmp(word[0], "exec") && n == 2) {
    c->host = h;
  } else if (!strcmp(word[0], "restart") && n == 2) {
    c->waits_for = h;
    host_restart(l, h);
  } else {
    refuse(c, "the supervisor does not know this request");
  }
}

void request_handle(struct lab *l, struct client *c, const struct frame *f) {
  if (c->ending) return;
  if (f->type == FRAME_REQUEST) {
    char text[1024], *word[MAX_WORDS];
    int n = 0;
    if (f->length == 0 || f->length > sizeof text || f->data[f->length - 1] != 0 || c->host) return;
    memcpy(text, f->data, f->length);
    for (size_t at = 0; at < f->length && n < MAX_WORDS; at += strlen(text + at) + 1) word[n++] = text + at;
    words_request(l, c, word, n);
    return;
  }
  if (f->type == FRAME_OPEN) {
    start_command(l, c, f);
    return;
  }
  bool passes = f->type == FRAME_DATA || f->type == FRAME_EOF || f->type == FRAME_SIGNAL ||
                f->type == FRAME_CREDIT || f->type == FRAME_RESIZE;
  if (passes && c->channel && c->host)
    conn_put(&c->host->agent, f->type, f->stream, c->channel, f->data, f->length);
}
