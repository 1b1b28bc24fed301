/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of this path: queue pairs and connections are as many as the card has, in host memory (src/dp/rec.c), slots to close in
 * (set-ups that fail; connections close in the card), the receive window that is offered, what the rooms are told (room RING), and its scale.
 */
#ifndef DP_CONF_H
#define DP_CONF_H

#include <stdint.h>

#define MAX_QP 65536
#define MAX_CONN MAX_QP
#define QPN_BITS 16
#define NO_CONN 0 /* index 0 is nobody's */
#define CONN_FIRST 1
#define CONN_END n_qp
#define CONN_TRIES 256
#define MAX_CLOSE 6
extern uint32_t dp_wnd;
extern uint8_t dp_wscale;
#define RCV_WND dp_wnd
#define RCV_WSCALE dp_wscale

#endif
