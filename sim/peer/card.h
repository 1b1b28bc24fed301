/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The host of the card under test (host 0 of the lockstep harness): admin commands, rings, doorbells, events, as a driver
 * and a provider use them. Nothing of the card's inside is touched. What has to come and does not ends the script (ls_fail).
 */
#ifndef WEFT_PEER_CARD_H
#define WEFT_PEER_CARD_H

#include "peer.h"

#define CARD_ALL 0x3f /* every right, WEFT_ACCESS_* */
#define CARD_PD 7

struct card;
struct card_qp {
	struct card *card;
	uint32_t qpn, handle;
	struct ls_mem sq, rq;
	uint16_t sq_pi, rq_pi;
	uint8_t ird, ord;
};
struct card_mr {
	uint32_t stag;
	uint64_t to, bytes;
	uint8_t *p;
	struct ls_mem mem;
	uint8_t access;
	unsigned int kind; /* enum tpt_type */
	uint32_t pd, qpn; /* qpn: the queue pair whose stream may invalidate it; card_mr_set tells the card */
};
struct card_wc { uint32_t qpn; uint8_t opcode, status; uint16_t index; uint32_t bytes, inv /* RECV_IMM: the immediate */; bool solicited, recv; };

/* Firmware loaded, admin queue, event queue 0, a completion queue, an L2 entry towards the peer with IP MTU `mtu`. */
struct card *card_new(struct lockstep *ls, const char *firmware, unsigned int mtu);
/* The peer may come later (a script boots once and goes on from there). */
void card_peer(struct card *k, struct peer *p);
/* From here on listeners and connections are of IPv6: fd00::1 and fd00::2, as the peer has them. */
void card_ipv6(struct card *k);
struct card_qp *card_qp(struct card *k, uint32_t pd, uint8_t access, uint8_t ird, uint8_t ord);
/* One on another completion queue, which nobody reads: `entries_log2` entries. For overflows. */
struct card_qp *card_qp_deaf(struct card *k, uint32_t pd, uint8_t access, unsigned int entries_log2, uint32_t *cqn);
void card_qp_destroy(struct card_qp *q);
void card_qp_error(struct card_qp *q);
struct card_mr *card_mr(struct card *k, uint64_t bytes, uint32_t pd, uint8_t access);
void card_mr_set(struct card *k, struct card_mr *m, unsigned int state);
/* A window that is not bound, WEFT_TPT_TYPE_MW or _MW_1. */
struct card_mr *card_window(struct card *k, uint32_t pd, unsigned int kind);

struct card_cm {
	unsigned int rev;      /* 0: 2 */
	bool no_crc, p2p;
	const void *pd;
	unsigned int pd_len;
	uint8_t ird, ord;      /* 0: of the QP */
};
void card_listen(struct card *k, uint16_t port);
void card_connect(struct card_qp *q, uint16_t lport, uint16_t rport, const struct card_cm *a);
/* An event; false: none of that kind within ns. Others stay for later. */
bool card_event(struct card *k, unsigned int kind, uint8_t eqe[64], uint64_t ns);
/* CM_CONNECT_REQUEST: its handle, 0 when none comes. */
uint32_t card_request(struct card *k, uint8_t eqe[64], uint64_t ns);
/* Private data of the peer, at most 512 bytes; returns the status of the command. */
unsigned int card_query(struct card *k, uint32_t handle, uint8_t *pd);
unsigned int card_accept(struct card_qp *q, uint32_t handle, const struct card_cm *a);
unsigned int card_reject(struct card *k, uint32_t handle, const void *pd, unsigned int n);
void card_disconnect(struct card_qp *q);
void card_abort(struct card_qp *q);

/* Work; every WQE is signalled. The doorbell rings at once. */
/* Immediate Data of this number. */
uint16_t card_imm(struct card_qp *q, uint32_t imm, bool solicited);
/* FETCH_ADD, CMP_SWAP at the peer's rstag, raddr; the value before goes to m + off. */
uint16_t card_atomic(struct card_qp *q, unsigned int opcode, struct card_mr *m, uint64_t off, uint32_t rstag, uint64_t raddr, uint64_t data,
		     uint64_t compare);
uint16_t card_send(struct card_qp *q, unsigned int opcode, struct card_mr *m, uint64_t off, uint32_t n, uint32_t rstag, uint64_t raddr,
		   bool solicited);
/* Binds it, with another key and the TOs of the region, to bytes of m. */
uint16_t card_bind(struct card_qp *q, struct card_mr *window, struct card_mr *m, uint64_t off, uint64_t n, uint8_t access);
uint16_t card_recv(struct card_qp *q, struct card_mr *m, uint64_t off, uint32_t n);
/* The next completion of this QP's send or receive queue; false: none within ns. */
bool card_wc(struct card_qp *q, bool recv, struct card_wc *wc, uint64_t ns);
struct ls_host *card_host(struct card *k);

#endif
