/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DP_PATH_H
#define DP_PATH_H

static inline void dp_qp_gone(uint32_t qpn) { (void)qpn; }
#define DP_KEEPS_REPLY 0 /* the home has them */
/** An entry of room TPT that is not VALID was written. */
void dp_mr_closed(void);
bool dp_conn_room(uint32_t at);
#define DP_EPOCHS 1 /* the room counts entries that are not VALID, so one in use is emptied before it is written anew */
#define DP_ROOMS 0u /* answers come from src/dp2/qp.c */
bool dp_destroy_room(void);
bool dp_mr_room(void);
void dp_forget(void);
unsigned dp_admin(const uint32_t *c, uint32_t *rsp);
/** Waits until the rooms are ready. */
void dp_boot(void);
/** INIT: what is to be there before the first connection; response DATA. */
void dp_init(uint32_t *rsp);

#endif
