/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DP_PATH_H
#define DP_PATH_H

/** An entry of room TPT that is not VALID was written. */
void dp_mr_closed(void);
bool dp_conn_room(uint32_t at);
bool dp_destroy_room(void);
bool dp_mr_room(void);
/** An entry that was taken back has not been answered yet. */
bool dp_mr_waits(void);
void dp_forget(void);
unsigned dp_admin(const uint32_t *c, uint32_t *rsp);
/** Waits until the rooms are ready. */
void dp_boot(void);
/** INIT: what is to be there before the first connection; response DATA. */
void dp_init(const uint32_t *c, uint32_t *rsp);

#endif
