/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of this path: queue pairs that firmware can keep (16 bytes of RAM for each: connection 12, home_st 2, qps 2), slots to close in
 * (set-ups that fail; connections close in the card), the receive window that is offered: what the rooms are told (room RING).
 */
#ifndef DP_CONF_H
#define DP_CONF_H

#include <stdint.h>

#define MAX_QP 512
#define MAX_CLOSE 6
extern uint32_t dp_wnd;
#define RCV_WND dp_wnd

#endif
