// SPDX-License-Identifier: BSD-2-Clause

/// Memory map of the control processor. firmware/include/mgmt_map.h has the same names and numbers;
/// `make -C firmware check-map` compares the two.
///
/// RAM at 0; peripheral registers, 32 bits each, at REG; read windows at EV, FRX; write window
/// at EQE; the configuration bus at CFG (address bits 27:0 are the bus address).
// verilator lint_off UNUSEDPARAM
// The map is the processor's: most of its names are used by firmware only.
package weft_mgmt_pkg;

  localparam logic [31:0] RAM_BYTES = 32'h0001_0000;
  localparam logic [31:0] REG       = 32'h4000_0000;
  localparam logic [31:0] EV        = 32'h4001_0000;  ///< oldest event of the rooms, 64 bytes
  localparam logic [31:0] FRX       = 32'h4002_0000;  ///< oldest received frame
  localparam logic [31:0] EQE       = 32'h4003_0000;  ///< event to post, 64 bytes
  localparam logic [31:0] CFG       = 32'h8000_0000;

  // Registers, offset from REG.
  localparam logic [11:0] R_FW_STATE    = 12'h000;  ///< rw weft_abi fw_state, as STATUS shows it
  localparam logic [11:0] R_FW_FAULT    = 12'h004;  ///< wo fw_error: the firmware gives up
  localparam logic [11:0] R_HEARTBEAT   = 12'h008;  ///< wo counts up, feeds the watchdog
  localparam logic [11:0] R_PENDING     = 12'h00c;  ///< ro wake-up causes, PEND_*
  localparam logic [11:0] R_PEND_CLR    = 12'h010;  ///< wo clears ADMIN_DB, ADMIN_RESTART, LINK
  localparam logic [11:0] R_WAKE_MASK   = 12'h014;  ///< rw causes that end WFI
  localparam logic [11:0] R_ADMIN_DB    = 12'h018;  ///< ro producer index
  localparam logic [11:0] R_NOW_LO      = 12'h020;  ///< ro latches NOW_HI
  localparam logic [11:0] R_NOW_HI      = 12'h024;  ///< ro
  localparam logic [11:0] R_DEADLINE_LO = 12'h028;  ///< rw
  localparam logic [11:0] R_DEADLINE_HI = 12'h02c;  ///< rw writing arms the timer
  localparam logic [11:0] R_TIMER_OFF   = 12'h030;  ///< wo disarms the timer
  localparam logic [11:0] R_DMA_HOST_LO = 12'h040;  ///< rw bus address of the next copy
  localparam logic [11:0] R_DMA_HOST_HI = 12'h044;  ///< rw
  localparam logic [11:0] R_DMA_RAM     = 12'h048;  ///< rw RAM byte address, word aligned
  localparam logic [11:0] R_DMA_GO      = 12'h04c;  ///< wo [31] to host, [30] after writes, [15:0] bytes
  localparam logic [11:0] R_DMA_STAT    = 12'h050;  ///< ro DMA_*
  localparam logic [11:0] R_DMA_ERR     = 12'h054;  ///< ro [7:0] reads that failed, by number mod 8
  localparam logic [11:0] R_FTX_RAM     = 12'h058;  ///< rw RAM byte address of a frame, word aligned
  localparam logic [11:0] R_FTX_GO      = 12'h05c;  ///< wo bytes: send it
  localparam logic [11:0] R_FTX_STAT    = 12'h060;  ///< ro [7:0] frames taken, [8] room for one more of any length
  localparam logic [11:0] R_FRX_LEN     = 12'h064;  ///< ro [31] a frame is there, [15:0] its length
  localparam logic [11:0] R_FRX_META    = 12'h068;  ///< ro [19:16] reason, [15:0] QPN
  localparam logic [11:0] R_FRX_POP     = 12'h06c;  ///< wo drops the oldest frame
  localparam logic [11:0] R_FRX_DROPS   = 12'h070;  ///< ro frames that found no room
  localparam logic [11:0] R_EV_COUNT    = 12'h074;  ///< ro events waiting
  localparam logic [11:0] R_EV_POP      = 12'h078;  ///< wo drops the oldest event
  localparam logic [11:0] R_EQE_GO      = 12'h07c;  ///< wo EQN: posts the event of window EQE
  localparam logic [11:0] R_IRQ_GO      = 12'h080;  ///< wo vector: raises an interrupt
  localparam logic [11:0] R_POST_BUSY   = 12'h084;  ///< ro [0] an event, [1] an interrupt is under way
  localparam logic [11:0] R_CFG_ERR     = 12'h088;  ///< ro [15:0] errors, [31:16] time-outs; waits for the last write
  localparam logic [11:0] R_CRC_STATE   = 12'h08c;  ///< rw CRC32c register, not inverted
  localparam logic [11:0] R_CRC_DATA    = 12'h090;  ///< wo four more bytes
  localparam logic [11:0] R_MIN_RTO     = 12'h098;  ///< rw microseconds, output min_rto_us_o; 0: the default of the room
  localparam logic [11:0] R_MAX_RETRIES = 12'h09c;  ///< rw output max_retries_o; 0: the default
  localparam logic [11:0] R_CRASH_PC    = 12'h0a0;  ///< rw crash record, BAR0 register FW_CRASH_PC
  localparam logic [11:0] R_CRASH_CAUSE = 12'h0a4;  ///< rw
  localparam logic [11:0] R_CRASH_VALUE = 12'h0a8;  ///< rw
  localparam logic [11:0] R_CRASH_SP    = 12'h0ac;  ///< rw
  localparam logic [11:0] R_NOTE        = 12'h0b0;  ///< rw BAR0 register FW_LAST_COMMAND
  localparam logic [11:0] R_STACK_FREE  = 12'h0b4;  ///< rw BAR0 register FW_STACK_FREE
  localparam logic [11:0] R_BAR0        = 12'h800;  ///< ro BAR0 register at the same offset, below 0x100

  // Bits of PENDING.
  localparam int unsigned PEND_ADMIN_DB      = 0;
  localparam int unsigned PEND_ADMIN_RESTART = 1;
  localparam int unsigned PEND_LINK          = 2;
  localparam int unsigned PEND_EVENT         = 3;
  localparam int unsigned PEND_FRAME         = 4;
  localparam int unsigned PEND_TIMER         = 5;

  // Fields of DMA_STAT: copies done modulo 256, room for one more.
  localparam int unsigned DMA_RD_DONE = 0;
  localparam int unsigned DMA_WR_DONE = 8;
  localparam int unsigned DMA_RD_ROOM = 16;
  localparam int unsigned DMA_WR_ROOM = 17;

  localparam int unsigned FTX_FIFO_BYTES = 2048;  ///< frames of firmware that wait for the wire
  localparam int unsigned FTX_MAX_BYTES  = 704;   ///< the longest of them
  localparam int unsigned FRX_SLOT_BYTES = 1024;  ///< kept of a frame; LEN says how long it was

  /// CRC32c (reflected) of four bytes, byte 0 in bits 7:0, first.
  // As a product with a constant matrix and a tree of XORs: 32 steps in a row would be as many levels
  // of logic. What bit i turns into is one step more than what bit i + 1 does.
  function automatic logic [31:0] crc32c_word(input logic [31:0] crc, input logic [31:0] data);
    logic [31:0]   c, col;
    logic [1023:0] t;
    logic [511:0]  t1;
    logic [255:0]  t2;
    logic [127:0]  t3;
    logic [63:0]   t4;
    c   = crc ^ data;
    col = 32'h82f6_3b78;
    for (int unsigned i = 0; i < 32; i++) begin
      t[32*i+:32] = col & {32{c[31-i]}};
      col = {1'b0, col[31:1]} ^ (col[0] ? 32'h82f6_3b78 : 32'h0);
    end
    t1 = t[1023:512] ^ t[511:0];
    t2 = t1[511:256] ^ t1[255:0];
    t3 = t2[255:128] ^ t2[127:0];
    t4 = t3[127:64] ^ t3[63:0];
    crc32c_word = t4[63:32] ^ t4[31:0];
  endfunction

endpackage
// verilator lint_on UNUSEDPARAM
