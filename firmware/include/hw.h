/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What firmware asks of the hardware. src/hw_rv32.c does it on the card, test/mock_hw.c in native unit tests.
 */
#ifndef HW_H
#define HW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mgmt_map.h"
#include "weft_abi.h"

/** Time in ns. */
uint64_t hw_now(void);
/** Wake up at that time; UINT64_MAX: never. */
void hw_timer(uint64_t deadline_ns);
/** MGMT_PEND_* bits that are set. */
uint32_t hw_pending(void);
void hw_pend_clear(uint32_t bits);
/** Sleep until something is pending. */
void hw_wait(void);
void hw_heartbeat(void);
void hw_state(unsigned fw_state);
/** The firmware gives up: enum fw_error. */
void hw_fault(unsigned fw_error);
/** For the crash record: command and tag, and the last event of the rooms. */
void hw_note_command(unsigned op, unsigned tag);
void hw_note_event(unsigned kind);
/** Brings the register FW_STACK_FREE up to date. */
void hw_stack_mark(void);
/** The words below the stack are as they were at the start. */
bool hw_stack_ok(void);

/** BAR0 register as the host sees it, offset below 0x100. */
uint32_t hw_bar0(uint32_t off);
/** Producer index of the admin ring. */
uint16_t hw_admin_index(void);
void hw_rto(uint32_t min_rto_us, uint8_t max_retries);

/** Copies host memory to RAM (word aligned) and waits; false after a host bus error. 1 to 2048 bytes. */
bool hw_dma_read(void *to, uint64_t host, unsigned bytes);
/** The same, behind everything that the card has written. */
bool hw_dma_read_after(void *to, uint64_t host, unsigned bytes);
/**
 * The same in two steps, with work in between: hw_dma_begin gives the number that hw_dma_end takes. Who begins one ends it. Reads end in the order in
 * which they began; others may be done meanwhile.
 */
unsigned hw_dma_begin(void *to, uint64_t host, unsigned bytes, bool after);
bool hw_dma_end(unsigned number);
/** Copies RAM (word aligned) to host memory; returns when it is on its ordered way. */
void hw_dma_write(uint64_t host, const void *from, unsigned bytes);
/** The same in two steps: until the end, or that of one that was begun later, the RAM must not be changed. At most four are under way. */
unsigned hw_dma_write_begin(uint64_t host, const void *from, unsigned bytes);
void hw_dma_write_end(unsigned number);
/** MSI-X vector, ordered behind all that was written. */
void hw_irq(unsigned vector);
/** Posts a 64-byte event (struct eqe without PHASE) to an event queue. */
void hw_post_event(unsigned eqn, const uint32_t eqe[16]);

/** Configuration bus. A failed read gives 0; hw_cfg_failed() says whether any access failed since it was asked. */
uint32_t hw_cfg_read(unsigned room, uint32_t off);
void hw_cfg_write(unsigned room, uint32_t off, uint32_t value);
bool hw_cfg_failed(void);
/** The words of a context; the last one commits it. */
void ctx_write(unsigned room, uint32_t index, const uint32_t w[16]);

/** Oldest received frame: its first bytes (at most max) are copied, *len is its whole length. false: none. */
bool hw_frame_get(void *buf, unsigned max, unsigned *len, unsigned *qpn);
/** Sends a frame (word aligned, at most MGMT_FTX_MAX_BYTES); the buffer is free when it returns. Dropped while too many wait. */
void hw_frame_send(const void *frame, unsigned len);
/** The same in two steps: between them the buffer must not be changed. */
void hw_frame_begin(const void *frame, unsigned len);
void hw_frame_end(void);

/** Oldest event of the rooms (struct fw_event). false: none. */
bool hw_event_get(uint32_t ev[16]);

/** CRC32c (RFC 3720). */
uint32_t hw_crc32c(const void *p, unsigned len);

#endif
