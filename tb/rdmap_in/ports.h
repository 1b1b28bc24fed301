/* SPDX-License-Identifier: BSD-2-Clause */
/* Ports of tb_rdmap_in.sv */
enum { STORE, PUT, FPDU, STORED, RQDB, TXREAD, IRQFREE, LOAD, SAVE, LINE, CMD, EV, DROP, XLREQ, XLRSP, XLDONE, RQRD, RQDATA, WR, COMMIT, CQE,
       RXREAD, RDDONE, REFUSE, RESUME, STATE, HAND, OP, OPRSP, OPDONE, TERM, N_PORTS };
#ifndef N_SLOT
#define N_SLOT 16
#endif
#define N_QP 64
