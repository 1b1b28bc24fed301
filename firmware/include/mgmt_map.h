/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory map of the control processor, as rtl/mgmt/weft_mgmt_pkg.sv has it; `make check-map` compares. */
#ifndef MGMT_MAP_H
#define MGMT_MAP_H

#define MGMT_RAM_BYTES 0x00010000
#define MGMT_REG 0x40000000
#define MGMT_EV 0x40010000 /* oldest event of the rooms, 64 bytes */
#define MGMT_FRX 0x40020000 /* oldest received frame */
#define MGMT_EQE 0x40030000 /* event to post, 64 bytes */
#define MGMT_CFG 0x80000000
#define MGMT_R_FW_STATE 0x000 /* rw weft_abi fw_state, as STATUS shows it */
#define MGMT_R_FW_FAULT 0x004 /* wo fw_error: the firmware gives up */
#define MGMT_R_HEARTBEAT 0x008 /* wo counts up, feeds the watchdog */
#define MGMT_R_PENDING 0x00c /* ro wake-up causes, PEND_* */
#define MGMT_R_PEND_CLR 0x010 /* wo clears ADMIN_DB, ADMIN_RESTART, LINK */
#define MGMT_R_WAKE_MASK 0x014 /* rw causes that end WFI */
#define MGMT_R_ADMIN_DB 0x018 /* ro producer index */
#define MGMT_R_NOW_LO 0x020 /* ro latches NOW_HI */
#define MGMT_R_NOW_HI 0x024 /* ro */
#define MGMT_R_DEADLINE_LO 0x028 /* rw */
#define MGMT_R_DEADLINE_HI 0x02c /* rw writing arms the timer */
#define MGMT_R_TIMER_OFF 0x030 /* wo disarms the timer */
#define MGMT_R_DMA_HOST_LO 0x040 /* rw bus address of the next copy */
#define MGMT_R_DMA_HOST_HI 0x044 /* rw */
#define MGMT_R_DMA_RAM 0x048 /* rw RAM byte address, word aligned */
#define MGMT_R_DMA_GO 0x04c /* wo [31] to host, [30] after writes, [15:0] bytes */
#define MGMT_R_DMA_STAT 0x050 /* ro DMA_* */
#define MGMT_R_DMA_ERR 0x054 /* ro [7:0] reads that failed, by number mod 8 */
#define MGMT_R_FTX_RAM 0x058 /* rw RAM byte address of a frame, word aligned */
#define MGMT_R_FTX_GO 0x05c /* wo bytes: send it */
#define MGMT_R_FTX_STAT 0x060 /* ro [7:0] frames taken, [8] room for one more of any length */
#define MGMT_R_FRX_LEN 0x064 /* ro [31] a frame is there, [15:0] its length */
#define MGMT_R_FRX_META 0x068 /* ro [19:16] reason, [15:0] QPN */
#define MGMT_R_FRX_POP 0x06c /* wo drops the oldest frame */
#define MGMT_R_FRX_DROPS 0x070 /* ro frames that found no room */
#define MGMT_R_EV_COUNT 0x074 /* ro events waiting */
#define MGMT_R_EV_POP 0x078 /* wo drops the oldest event */
#define MGMT_R_EQE_GO 0x07c /* wo EQN: posts the event of window EQE */
#define MGMT_R_IRQ_GO 0x080 /* wo vector: raises an interrupt */
#define MGMT_R_POST_BUSY 0x084 /* ro [0] an event, [1] an interrupt is under way */
#define MGMT_R_CFG_ERR 0x088 /* ro [15:0] errors, [31:16] time-outs; waits for the last write */
#define MGMT_R_CRC_STATE 0x08c /* rw CRC32c register, not inverted */
#define MGMT_R_CRC_DATA 0x090 /* wo four more bytes */
#define MGMT_R_MIN_RTO 0x098 /* rw microseconds, output min_rto_us_o; 0: the default of the room */
#define MGMT_R_MAX_RETRIES 0x09c /* rw output max_retries_o; 0: the default */
#define MGMT_R_CRASH_PC 0x0a0 /* rw crash record, BAR0 register FW_CRASH_PC */
#define MGMT_R_CRASH_CAUSE 0x0a4 /* rw */
#define MGMT_R_CRASH_VALUE 0x0a8 /* rw */
#define MGMT_R_CRASH_SP 0x0ac /* rw */
#define MGMT_R_NOTE 0x0b0 /* rw BAR0 register FW_LAST_COMMAND */
#define MGMT_R_STACK_FREE 0x0b4 /* rw BAR0 register FW_STACK_FREE */
#define MGMT_R_BAR0 0x800 /* ro BAR0 register at the same offset, below 0x100 */
#define MGMT_PEND_ADMIN_DB 0
#define MGMT_PEND_ADMIN_RESTART 1
#define MGMT_PEND_LINK 2
#define MGMT_PEND_EVENT 3
#define MGMT_PEND_FRAME 4
#define MGMT_PEND_TIMER 5
#define MGMT_DMA_RD_DONE 0
#define MGMT_DMA_WR_DONE 8
#define MGMT_DMA_RD_ROOM 16
#define MGMT_DMA_WR_ROOM 17
#define MGMT_FTX_FIFO_BYTES 2048
#define MGMT_FTX_MAX_BYTES 704
#define MGMT_FRX_SLOT_BYTES 1024

#endif
