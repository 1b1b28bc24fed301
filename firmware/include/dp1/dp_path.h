/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DP_PATH_H
#define DP_PATH_H

void dp_qp_gone(uint32_t qpn);
#define DP_KEEPS_REPLY 1 /* the slot, until the peer has its bytes */
#define DP_EPOCHS 0
static inline void dp_mr_closed(void) {}
static inline bool dp_conn_room(uint32_t at) { (void)at; return true; }
#define DP_ROOMS (1u << WEFT_ROOM_QP_TX | 1u << WEFT_ROOM_RX)
static inline bool dp_destroy_room(void) { return tokens_room(); }
static inline bool dp_mr_room(void) { return tokens_room(); }
static inline void dp_forget(void) {}
static inline void dp_boot(void) {}
static inline void dp_init(uint32_t *rsp) { (void)rsp; }

static inline unsigned dp_admin(const uint32_t *c, uint32_t *rsp) { (void)c; (void)rsp; return WEFT_ADMIN_STATUS_BAD_OP; }

#endif
