// SPDX-License-Identifier: BSD-2-Clause
//
// The supervisor's view of a lab: its processes, hosts and clients. Everything happens in one
// thread around one poll(2); nothing in it blocks.
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "child.h"
#include "frame.h"
#include "options.h"
#include "../wire/impair.h"

#define MAX_CLIENTS 96
#define MAX_GUEST_CHANNELS 64
#define MAX_QUERIES (MAX_HOSTS * MAX_CARDS + 1)
#define START_TIMEOUT_MS 20000   // a process until its sockets are there
#define BOOT_TIMEOUT_MS 300000   // a guest until it is up; generous: the card may be slow
#define WIRE_LIFE_MS 1000        // a wire that lived shorter is not started again by itself
#define QUERY_TIMEOUT_MS 10000
#define END_TIMEOUT_MS 5000      // recordings and captures to be written out

enum host_state { HOST_OFF, HOST_CARD, HOST_BOOT, HOST_AGENT, HOST_UP, HOST_FAILED, HOST_GONE };

// What a host has at the wire. The first is called as its host, the second of host a is a2.
struct card {
  char name[4];
  struct child process;   // of a host with has_card
  bool link_down, killed;
};

struct host {
  char name[4];
  int number;             // last byte of its addresses
  struct card cards[MAX_CARDS];
  int card_count;         // 1 where the guest's own virtio-net joins the wire
  bool siw, has_card;
  enum host_state state;
  struct child qemu;
  struct log console;
  struct conn agent;      // fd -1: none
  struct client *channels[MAX_GUEST_CHANNELS + 1];  // by channel; CHANNEL_ENDING: no client any more
  char text[512];         // what the guest said of itself, or why it failed
  int64_t started, ready_ms, up_ms, deadline;
  bool restart;
};

// A question to a control socket of the wire or a card: a line out, lines back up to a ".".
struct query {
  char title[32];
  char path[128];
  char command[600];
  char settings[WIRE_SETTINGS_MAX];  // of the wire, in force when it says ok; "": none
};

struct client {
  struct conn conn;
  bool used, ending;      // ending: close when its output is out
  bool starter;           // `up`: when it goes before the lab is up, the lab goes
  struct host *host;      // of its command
  unsigned channel;       // 0: none
  struct host *waits_for; // restart
  int waits_for_wire;     // the start of it that is awaited, 0: none
  struct query queries[MAX_QUERIES];
  int query_count, query_at;
  struct conn control;    // fd -1: none
  int64_t query_deadline;
  bool query_failed;
};

struct lab {
  struct options options;
  const char *top, *directory, *logs;
  bool user_mode, up, stopping;
  int supervisor_pid;     // as the host knows it
  int listener, signals;
  int64_t started;
  struct child wire;
  struct impair_settings wire_settings;  // in force
  int wire_starts;
  bool wire_again;        // a new one when this one has ended, however soon
  int64_t wire_started;
  struct host hosts[MAX_HOSTS];
  int host_count;
  struct client clients[MAX_CLIENTS];
};

extern struct client channel_ending;  // an address, never used
#define CHANNEL_ENDING (&channel_ending)

// supervisor.c
int supervise(int argc, char **argv);
void client_print(struct client *c, unsigned stream, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void client_exit(struct client *c, uint32_t status);
// A line to whoever waits for the lab or for this host.
void lab_say(struct lab *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

// host.c
void lab_start(struct lab *l);
// Moves every host on that can move on; called after every event and at least every 50 ms.
void hosts_step(struct lab *l);
void host_restart(struct lab *l, struct host *h);
// A new wire in the place of one that has ended; settings and pulled cables stay. False with errno.
bool wire_restart(struct lab *l);
void host_child_ended(struct lab *l, pid_t pid, int status);
void host_agent_input(struct lab *l, struct host *h);
// The host's agent is gone: its commands end with the lab's own failure.
void host_drop_agent(struct host *h);
struct host *host_find(struct lab *l, const char *name);
struct card *card_find(struct lab *l, const char *name, struct host **host);
bool host_cards_run(const struct host *h);  // any of them
const char *host_state_text(const struct host *h);
// Ends guests, cards and wire, in this order. True when all have ended or the time is over.
bool lab_end(struct lab *l);

// request.c
void request_handle(struct lab *l, struct client *c, const struct frame *f);
void query_step(struct lab *l, struct client *c, short events);

#endif
