// SPDX-License-Identifier: BSD-2-Clause
//
// Where a lab lives: a short folder of sockets named by user and a hash of checkout and LAB, so that
// several labs run beside each other, and a lock in it that is held as long as any process of the
// lab lives.
#ifndef LAB_PLACE_H
#define LAB_PLACE_H

#include <limits.h>
#include <stdbool.h>

struct place {
  char top[PATH_MAX];       // the checkout
  char name[40];            // LAB=..., or "default"
  char directory[64];       // sockets
  char socket[96];          // the supervisor's
  char logs[PATH_MAX + 64]; // of this lab's processes; they outlive it
};

// From the program's own path and the environment. Exits with 125 (2 when LAB is malformed).
void place_find(struct place *p);
// The locked folder, emptied of what a killed lab left (*stale). -1 when a lab runs there; exits
// with 125 when the folder cannot be had.
int place_lock(const struct place *p, bool *stale);
// Connects to the supervisor, -1 when there is none.
int place_connect(const struct place *p);
// Removes the folder and everything in it.
void place_remove(const char *directory);

#endif
