// SPDX-License-Identifier: BSD-2-Clause
#ifndef LAB_CLIENT_H
#define LAB_CLIENT_H

#include <stdint.h>

#include "place.h"

// The lab's own failure, as opposed to a command's exit status.
#define LAB_FAILED 125

struct talk {
  int input;          // read for the command's stdin, -1: none
  int output;         // written with its stdout
  int pty;            // it has a terminal, and so have we
  const char *const *request;  // words for the supervisor, NULL at the end
  const char *const *command;  // words for the guest, or NULL
  uint32_t open_flags;
};

// Sends a request, passes streams and signals until it has ended, returns the exit status. `fd` is a
// connection to the supervisor, closed at the end.
int client_talk(int fd, const struct talk *t);
// The same on a new connection; says so when no lab runs.
int client_request(const struct place *p, const struct talk *t);
int client_push(const struct place *p, const char *host, const char *file, const char *destination);
int client_pull(const struct place *p, const char *host, const char *file, const char *destination);

#endif
