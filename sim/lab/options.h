// SPDX-License-Identifier: BSD-2-Clause
//
// What `./lab up` is asked for. Every word is checked here, before anything is started.
#ifndef LAB_OPTIONS_H
#define LAB_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_HOSTS 9        // a..h and siw
#define PEER_SIW "siw"
#define MAX_CARDS 2        // of a host
#define MTU_MIN 576
#define MTU_MAX 9000
#define WIRE_SETTINGS_MAX 512

struct options {
  char hosts[MAX_HOSTS][4];  // names, in order; the siw peer is the last
  int host_count;
  bool siw;
  bool rtl;                  // the card is the RTL's; else the guests' virtio-net joins the wire
  bool soft;                 // ... with siw over it, for comparison
  bool kvm;
  bool systemd;
  bool debug_kernel;         // the kernel of tools/setup debug-kernel
  bool strict_kernel;        // the stock one with what it has of checks switched on
  bool packages;             // what the project builds comes as Debian packages, not as a layer
  bool judge;                // the guests' kernels tell the cards' root complex what memory is theirs
  bool keep;                 // a lab whose hosts do not all come up stays, to be looked at
  int mtu;
  int cards;                 // the RTL's, of each host
  int cpus;
  int memory;                // MiB per guest
  char config[32];
  char mac[8];               // a MAC of rtl/mac between core and wire: "10g", or ""
  char card[48];             // which program the card is: config, or config-mac
  char adversarial[256];     // of the cards' root complex; checked by the card
  char wire[WIRE_SETTINGS_MAX];            // settings as given, checked
  char pcap[512], trace[512], record[512], port[512];  // absolute paths, or ""
};

void options_default(struct options *o);
// Parses the words behind `up`. On a mistake writes one line into `error` and returns false.
bool options_parse(struct options *o, int count, char **words, char *error, size_t size);
// The words that options_parse would make the same of.
int options_words(const struct options *o, char **words, int most);
// Checks settings of the wire, as impair_parse takes them; one line into `error` when false.
bool wire_settings_check(const char *settings, char *error, size_t size);
// Number of a host, as in 10.0.0.N: a 1, b 2, ..., siw 9; 0 when it is no name of a host.
int host_number(const char *name);
// As host_number of the host that a card is of; the second card of host a is a2.
int card_host_number(const char *name);

#endif
