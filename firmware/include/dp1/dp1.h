/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the first data path's back end. */
#ifndef DP1_H
#define DP1_H

#include "cm.h"
#include "dp.h"
#include "objects.h"

/** Takes the connection of the slot out of the hardware; the slot is ready to send. Both halves are in ERROR. */
void hw_take(struct slot *s, struct conn *k);
/** Stops sending new work; the room answers with ACKED. With a Terminate (in value slot number value), that is sent last. */
void hw_halt(struct conn *k, unsigned value, const uint8_t *term, unsigned bytes);
uint32_t hw_rcv_nxt(uint32_t qpn);
/** Addresses and ports of a connection that the hardware has. */
void hw_path(struct path *p, uint32_t qpn);
/** Changes the state of both halves (enum qp_state). */
void qp_set_state(uint32_t qpn, unsigned tx_state, unsigned rx_state);

#endif
