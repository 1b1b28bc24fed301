/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of this path: queue pairs that firmware can keep, slots to close in, the receive window that is offered. */
#ifndef DP_CONF_H
#define DP_CONF_H

#define DP_TABLES 1 /* a table each of queue pairs and connections in RAM */
#define MAX_QP 1024
#define MAX_CONN (MAX_QP + 16)
#define QPN_BITS 10
#define NO_CONN 0x1fff
#define CONN_FIRST 0
#define CONN_END MAX_CONN
#define CONN_TRIES MAX_CONN
#define MAX_CLOSE 12
#define RCV_WND 0x40000u

#endif
