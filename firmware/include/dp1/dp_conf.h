/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of this path: queue pairs that firmware can keep, slots to close in, the receive window that is offered. */
#ifndef DP_CONF_H
#define DP_CONF_H

#define MAX_QP 1024
#define MAX_CLOSE 12
#define RCV_WND 0x40000u

#endif
