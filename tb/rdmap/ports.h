/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RDMAP_PORTS_H
#define RDMAP_PORTS_H
enum {
	P_SEG, P_PAY, P_DB, P_ORQ, P_FREE, P_XQ, P_XR, P_RQ, P_RR, P_WR, P_IRQ, P_RDDONE, P_COMMIT, P_ACKREQ, P_CQE,
	P_EV, P_CTX, P_INV, P_INVR, P_FIRST, P_STAT, P_IDLE, P_COUNT
};
#endif
