/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A core (nic/core.h) that is at the other end of a line: a board on a serial device, or what listens on a UNIX socket. Its frames are on a
 * cable of its own, so the Ethernet side is not there. line.c has it in the place of a Verilated model: weft-nic-bridge.
 *
 * The clock of such a core is not the board's. Cycles cost nothing and pass as quickly as they are asked for; line_waits says when none of them would
 * move anything before the line does.
 */
#ifndef WEFT_SIM_LINE_H
#define WEFT_SIM_LINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "../nic/core.h"
#include "bridge.h"

/* Of the next core_new: a device or a socket's path; bits a second; how long a frame may be without an acknowledgement. */
void line_device(const char *path, unsigned int baud, uint64_t retry_ns);

int line_fd(const struct core *c); /* -1: nothing is there */
short line_events(const struct core *c);
/* Writes what is due, reads what is there, opens the device again when it went. True when bytes came. */
bool line_turn(struct core *c, uint64_t now_ns);
/* When the next line_turn is due though nothing comes. */
uint64_t line_due(const struct core *c, uint64_t now_ns);
/* The last cycles moved nothing. */
bool line_waits(const struct core *c);
/* The board was reset, or went away and came back: the card has to be reset too. */
bool line_lost(const struct core *c);
/* Sleep until the line has something, at most 100 ms, with this mask of signals. */
void line_sleep(struct core *c, const sigset_t *mask, uint64_t now_ns);
const struct bridge *line_bridge(const struct core *c);

#endif
