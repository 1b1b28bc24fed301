/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What firmware asks of the data path (src/dp: homes, docs/datapath.md): queue pairs, and the connections that it has. The
 * set-up of connections, listeners, pools, TCP of firmware and all other objects do not know how it works.
 */
#ifndef DP_H
#define DP_H

#include "cm.h"
#include "objects.h"

/* ---- connections ---- */
/**
 * Hands the connection of the slot over, with snd_una, snd_nxt, rcv_nxt, windows; cm_handed follows, now or later (meanwhile the slot
 * is in S_HAND). False: the look-up has no room; the QP is as before. hold: nothing is sent before the first FPDU has come.
 */
bool dp_start(struct slot *s, struct conn *k, bool hold, unsigned tos);
/** The initiator's zero-length Write (RFC 6581 9) is to be the first FPDU. */
void dp_rtr(struct slot *s);
/** Is done with what it sends, then closes; cm_end follows in time. */
void dp_disconnect(struct conn *k);
/** Ends the connection at once, with a reset; s: its slot, if it still has one. */
void dp_reset(struct conn *k, struct slot *s, unsigned status);
/** Set-up failed or was broken off while the slot was in S_HAND. */
void dp_undo(struct slot *s);
/** The connection is over for the driver: its QP goes to ERROR, if it ran. */
void dp_conn_end(struct conn *k);
/** Nothing of it is remembered. */
void dp_forget_conn(struct conn *k);
/** An event of the rooms about a QP (struct fw_event); false: it is none of the data path's. */
bool dp_event(const uint32_t *ev);
/** A SYN or RST of a connection that the hardware has (RFC 5961). */
void dp_frame(uint32_t qpn, const struct seg *g);
/** A slot in S_HW_HOLD. */
void dp_poll(struct slot *s, uint32_t now);
/** Addresses, ORD (peer_ird) and IRD (peer_ord) of a connection, into a cleared slot. */
void dp_describe(struct slot *s, const struct conn *k);
/** At the end of every pass. */
void dp_serve(void);
void dp_timers(uint32_t now);
int32_t dp_deadline(uint32_t now, int32_t t);

/* ---- queue pairs: everything is checked ---- */
unsigned dp_qp_create(const uint32_t *c, uint32_t qpn);
/** Doorbells come no more, and there is no connection any more. The answer: admin_finish. */
unsigned dp_qp_destroy(uint32_t qpn, unsigned tag);
/** To ERROR: what is posted is flushed. */
void dp_qp_error(uint32_t qpn);
/** What of an admin_qp_state, or admin_qp_counts (@op), a home has, in the answer; ADMIN_LATER: it comes. */
unsigned dp_qp_query(unsigned op, uint32_t qpn, uint32_t *d, unsigned tag);
/** An entry that was in use is invalid: the answer comes when nothing goes by it any more. */
unsigned dp_mr_wait(unsigned tag);

#include "dp_path.h"

#endif
