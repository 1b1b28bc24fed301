// SPDX-License-Identifier: BSD-2-Clause
// Made by abi/gen from abi/weft.abi. Do not edit.

// verilator lint_off UNUSEDPARAM
// verilator lint_off SYMRSVDWORD
/// Hardware layouts. A struct's byte 0 is its bits [7:0].
package weft_abi_pkg;
  localparam logic [31:0] PCI_VENDOR_ID = 32'h1e57;  ///< provisional
  localparam logic [31:0] PCI_DEVICE_ID = 32'h5746;  ///< provisional
  localparam logic [31:0] PCI_SUBSYS_ECP5 = 32'h1;  ///< configuration ecp5
  localparam logic [31:0] PCI_SUBSYS_ARTIX7 = 32'h2;  ///< configuration artix7
  localparam logic [31:0] PCI_SUBSYS_US100 = 32'h3;  ///< configuration us100
  localparam logic [31:0] PCI_SUBSYS_SIM = 32'h4;  ///< configuration sim
  localparam logic [31:0] MAGIC = 32'h54464557;  ///< register ID reads this: WEFT
  localparam logic [31:0] ABI_MAJOR = 32'h1;  ///< another major version is refused
  localparam logic [31:0] ABI_MINOR = 32'h0;  ///< raised when something is added
  localparam logic [31:0] BAR0_BYTES = 32'h10000;  ///< registers, non-prefetchable
  localparam logic [31:0] BAR4_BYTES = 32'h10000;  ///< MSI-X table at 0, PBA at MSIX_PBA_OFFSET
  localparam logic [31:0] MSIX_PBA_OFFSET = 32'h8000;  ///< byte offset of the PBA in BAR4
  localparam logic [31:0] DB_PAGE_BYTES = 32'h1000;  ///< doorbell page stride reported in this version (a capability, do not assume it)
  localparam logic [31:0] QPN_BITS = 32'h10;  ///< bits of a queue pair number
  localparam logic [31:0] CQN_BITS = 32'h10;  ///< bits of a completion queue number
  localparam logic [31:0] EQN_BITS = 32'h8;  ///< bits of an event queue number
  localparam logic [31:0] SQ_LOG2_MAX = 32'he;  ///< largest log2 of send queue entries
  localparam logic [31:0] RQ_LOG2_MAX = 32'he;  ///< largest log2 of receive queue entries
  localparam logic [31:0] CQ_LOG2_MAX = 32'h14;  ///< largest log2 of completion queue entries
  localparam logic [31:0] WQE_MAX_BYTES = 32'h100;  ///< largest work queue entry
  localparam logic [31:0] SQ_MAX_SGE = 32'he;  ///< scatter-gather elements of the largest send WQE
  localparam logic [31:0] RQ_MAX_SGE = 32'he;  ///< scatter-gather elements of the largest receive WQE (15 fit, 14 are promised)
  localparam logic [31:0] MAX_INLINE = 32'he0;  ///< inline bytes of the largest send WQE
  localparam logic [31:0] MAX_MSG = 32'h7fffffff;  ///< largest message in bytes that verbs offer
  localparam logic [31:0] FPDU_LEAST = 32'h88;  ///< a full FPDU of the card is never smaller, markers not counted: a MULPDU of 130 (RFC 5044 4.5: 128 or more)
  localparam logic [31:0] MARKER_BYTES = 32'h4;  ///< a marker of MPA (RFC 5044 4.3); an FPDU of FPDU_LEAST has one at most
  localparam logic [31:0] ADMIN_ENTRY_BYTES = 32'h40;  ///< admin command and response
  localparam logic [31:0] MAX_PRIVATE_DATA = 32'h200;  ///< MPA private data (RFC 5044 7.1.1); 508 with the RFC 6581 header
  localparam logic [31:0] MIN_PAGE_LOG2 = 32'hc;  ///< smallest page of a memory region
  localparam logic [31:0] MAX_PAGE_LOG2 = 32'h1e;  ///< largest page of a memory region
  localparam logic [15:0] REG_ID = 16'h000;  ///< MAGIC
  localparam logic [15:0] REG_VERSION = 16'h004;  ///< ABI version
  localparam logic [15:0] REG_FEATURES = 16'h008;  ///< enum feature, one bit each; unknown bits are ignored
  localparam logic [15:0] REG_STATUS = 16'h00c;  ///< state of the card
  localparam logic [15:0] REG_CONTROL = 16'h010;  ///< commands
  localparam logic [15:0] REG_NOW_LO = 16'h018;  ///< now_ns, low half; reading it latches the high half
  localparam logic [15:0] REG_NOW_HI = 16'h01c;  ///< now_ns, high half as latched
  localparam logic [15:0] REG_FW_ADDR_LO = 16'h020;  ///< bus address of the firmware image, 64-byte aligned
  localparam logic [15:0] REG_FW_ADDR_HI = 16'h024;  ///< 
  localparam logic [15:0] REG_FW_LEN = 16'h028;  ///< bytes of the image, header included; writing it starts the load
  localparam logic [15:0] REG_FW_VERSION = 16'h02c;  ///< version of the running image: major[31:24] minor[23:16] patch[15:0]; 0 when none runs
  localparam logic [15:0] REG_HEARTBEAT = 16'h030;  ///< counts up each time firmware passes its main loop
  localparam logic [15:0] REG_ADMIN_SQ_LO = 16'h040;  ///< bus address of the admin submission ring, 64-byte aligned; read by firmware when ADMIN_LOG2 is written
  localparam logic [15:0] REG_ADMIN_SQ_HI = 16'h044;  ///< 
  localparam logic [15:0] REG_ADMIN_CQ_LO = 16'h048;  ///< bus address of the admin completion ring
  localparam logic [15:0] REG_ADMIN_CQ_HI = 16'h04c;  ///< 
  localparam logic [15:0] REG_ADMIN_LOG2 = 16'h050;  ///< log2 of entries of both rings, 1 to 8; writing it (re)starts the admin queue at index 0, phase 1
  localparam logic [15:0] REG_ADMIN_DB = 16'h054;  ///< admin producer index, 16 bits, absolute
  localparam logic [15:0] REG_ADMIN_VECTOR = 16'h058;  ///< MSI-X vector of admin completions; 0xffff for none (polling)
  localparam logic [15:0] REG_MAC_LO = 16'h060;  ///< permanent MAC address, bytes 0 to 3, byte 0 in bits 7:0
  localparam logic [15:0] REG_MAC_HI = 16'h064;  ///< bytes 4 and 5
  localparam logic [15:0] REG_CAP_QP = 16'h080;  ///< queue pairs, QPN 0 is reserved
  localparam logic [15:0] REG_CAP_CQ = 16'h084;  ///< completion queues, CQN 0 is usable
  localparam logic [15:0] REG_CAP_EQ = 16'h088;  ///< event queues
  localparam logic [15:0] REG_CAP_STAG = 16'h08c;  ///< memory regions and windows
  localparam logic [15:0] REG_CAP_L2 = 16'h090;  ///< L2 entries
  localparam logic [15:0] REG_CAP_DB_STRIDE = 16'h094;  ///< bytes from one doorbell page to the next
  localparam logic [15:0] REG_CAP_DB_PAGES = 16'h098;  ///< doorbell pages; page 0 belongs to the kernel
  localparam logic [15:0] REG_CAP_DATA_W = 16'h09c;  ///< width of the data path in bits
  localparam logic [15:0] REG_CAP_MTU = 16'h0a0;  ///< largest IP MTU
  localparam logic [15:0] REG_CAP_READS = 16'h0a4;  ///< RDMA Read resources per QP
  localparam logic [15:0] REG_CAP_VECTORS = 16'h0a8;  ///< MSI-X vectors
  localparam logic [15:0] REG_CAP_L2Q = 16'h0ac;  ///< pairs of L2 rings
  localparam logic [15:0] REG_CAP_WQE = 16'h0b0;  ///< log2 of the largest WQE stride
  localparam logic [15:0] REG_CAP_LISTEN = 16'h0b4;  ///< listeners
  localparam logic [15:0] REG_CAP_CONN_SETUP = 16'h0b8;  ///< connections in set-up at a time, those excepted whose peer has sent no MPA request yet
  localparam logic [15:0] REG_CAP_SRQ = 16'h0bc;  ///< shared receive queues; 0 without SRQ in FEATURES
  localparam logic [15:0] REG_FW_CRASH_PC = 16'h0c0;  ///< crash record, valid in state FAULT: mepc of a trap; where the processor stood when the watchdog fired
  localparam logic [15:0] REG_FW_CRASH_CAUSE = 16'h0c4;  ///< mcause of a trap
  localparam logic [15:0] REG_FW_CRASH_VALUE = 16'h0c8;  ///< mtval of a trap
  localparam logic [15:0] REG_FW_CRASH_SP = 16'h0cc;  ///< stack pointer of a trap
  localparam logic [15:0] REG_FW_LAST_COMMAND = 16'h0d0;  ///< last admin command that firmware began
  localparam logic [15:0] REG_FW_STACK_FREE = 16'h0d4;  ///< bytes of the firmware's stack that were never used, brought up to date by the command STATS
  localparam logic [15:0] REG_CAP_CQ_RING = 16'h0d8;  ///< rings of completion queues; 0: CQ_LOG2_MAX, and one piece

  // feature: bits of register FEATURES
  localparam logic [31:0] FEATURE_RDMA = 32'd0;  ///< iWARP queue pairs
  localparam logic [31:0] FEATURE_L2 = 32'd1;  ///< network device path
  localparam logic [31:0] FEATURE_IPV6 = 32'd2;  ///< IPv6 connections in hardware
  localparam logic [31:0] FEATURE_VLAN = 32'd3;  ///< VLAN connections in hardware
  localparam logic [31:0] FEATURE_SRQ = 32'd4;  ///< shared receive queues
  localparam logic [31:0] FEATURE_MW = 32'd5;  ///< memory windows: send WQE BIND_MW, windows in MR_SET
  localparam logic [31:0] FEATURE_ATOMIC = 32'd6;  ///< atomics (RFC 7306 5): send WQEs FETCH_ADD and CMP_SWAP, the right REMOTE_ATOMIC
  localparam logic [31:0] FEATURE_RX_RING = 32'd7;  ///< unaligned and out-of-order bytes are kept in a receive ring, connections in homes (docs/datapath.md)
  localparam logic [31:0] FEATURE_MEM_MGT = 32'd8;  ///< send WQEs LOCAL_INV and FAST_REG, Send with Invalidate, STag 0 for privileged QPs
  localparam logic [31:0] FEATURE_IMM = 32'd9;  ///< Immediate Data (RFC 7306 6): send WQE IMM, completions RECV_IMM
  localparam logic [31:0] FEATURE_L2_OFFLOAD = 32'd10;  ///< rings of the network device: VLAN, TSO and SET of l2_txd, STRIP of l2_rxd, HASH_TYPE
  localparam logic [31:0] FEATURE_PORT = 32'd11;  ///< the MAC's registers and counters can be reached: admin commands PORT_READ and PORT_WRITE
  localparam logic [31:0] FEATURE_PUSH = 32'd12;  ///< push lines at DB_PUSH of each doorbell page
  localparam logic [31:0] FEATURE_CQE_STAMP = 32'd13;  ///< STAMP of a completion
  localparam logic [31:0] FEATURE_CQ_MODERATION = 32'd14;  ///< admin command CQ_MODERATE
  localparam int unsigned FEATURE_COUNT = 15;

  // fw_state: firmware
  localparam logic [3:0] FW_STATE_NONE = 4'd0;  ///< no image; the loader waits
  localparam logic [3:0] FW_STATE_LOADING = 4'd1;  ///< an image is being read and checked
  localparam logic [3:0] FW_STATE_REFUSED = 4'd2;  ///< the image was refused, see FW_ERROR
  localparam logic [3:0] FW_STATE_BOOTING = 4'd3;  ///< the processor runs, firmware has not reported yet
  localparam logic [3:0] FW_STATE_READY = 4'd4;  ///< firmware takes admin commands
  localparam logic [3:0] FW_STATE_FAULT = 4'd5;  ///< firmware stopped (trap or watchdog); only a reset helps
  localparam int unsigned FW_STATE_COUNT = 6;

  // fw_error: why an image was refused or firmware stopped
  localparam logic [7:0] FW_ERROR_OK = 8'd0;  ///< 
  localparam logic [7:0] FW_ERROR_BAD_LENGTH = 8'd1;  ///< length is 0, not a multiple of 4, or beyond 64 KiB plus header
  localparam logic [7:0] FW_ERROR_BAD_MAGIC = 8'd2;  ///< no image header
  localparam logic [7:0] FW_ERROR_BAD_ABI = 8'd3;  ///< made for another ABI major version
  localparam logic [7:0] FW_ERROR_BAD_CRC = 8'd4;  ///< CRC32c over the image does not match
  localparam logic [7:0] FW_ERROR_DMA = 8'd5;  ///< the image could not be read from host memory
  localparam logic [7:0] FW_ERROR_TRAP = 8'd6;  ///< firmware took an unexpected trap
  localparam logic [7:0] FW_ERROR_WATCHDOG = 8'd7;  ///< firmware stopped passing its main loop
  localparam logic [7:0] FW_ERROR_STACK = 8'd8;  ///< the stack of the firmware ran over
  localparam logic [7:0] FW_ERROR_DRAIN = 8'd9;  ///< not raised any more: what does not drain answers TIMEOUT
  localparam int unsigned FW_ERROR_COUNT = 10;

  /// header of a firmware image; the code follows and is loaded at address 0
  typedef struct packed {
    logic [255:0] signature;  ///< reserved for a signature; zero
    logic [63:0] rsvd0;
    logic [31:0] entry;  ///< address of the first instruction
    logic [31:0] code_crc;  ///< CRC32c (RFC 3720) of the bytes after the header
    logic [31:0] code_bytes;  ///< bytes after the header, a multiple of 4, at most 65536
    logic [31:0] version;  ///< as FW_VERSION
    logic [15:0] header_bytes;  ///< 64
    logic [15:0] abi_major;  ///< ABI_MAJOR
    logic [31:0] magic;  ///< MAGIC
  } fw_header_t;
  localparam int unsigned FW_HEADER_BYTES = 64;
  localparam int unsigned FW_HEADER_MAGIC_LSB = 0;
  localparam int unsigned FW_HEADER_MAGIC_WIDTH = 32;
  localparam int unsigned FW_HEADER_ABI_MAJOR_LSB = 32;
  localparam int unsigned FW_HEADER_ABI_MAJOR_WIDTH = 16;
  localparam int unsigned FW_HEADER_HEADER_BYTES_LSB = 48;
  localparam int unsigned FW_HEADER_HEADER_BYTES_WIDTH = 16;
  localparam int unsigned FW_HEADER_VERSION_LSB = 64;
  localparam int unsigned FW_HEADER_VERSION_WIDTH = 32;
  localparam int unsigned FW_HEADER_CODE_BYTES_LSB = 96;
  localparam int unsigned FW_HEADER_CODE_BYTES_WIDTH = 32;
  localparam int unsigned FW_HEADER_CODE_CRC_LSB = 128;
  localparam int unsigned FW_HEADER_CODE_CRC_WIDTH = 32;
  localparam int unsigned FW_HEADER_ENTRY_LSB = 160;
  localparam int unsigned FW_HEADER_ENTRY_WIDTH = 32;
  localparam int unsigned FW_HEADER_SIGNATURE_LSB = 256;
  localparam int unsigned FW_HEADER_SIGNATURE_WIDTH = 256;
  localparam logic [31:0] DB_SQ = 32'h0;  ///< struct db_queue: send queue producer index
  localparam logic [31:0] DB_RQ = 32'h8;  ///< struct db_queue: receive queue producer index
  localparam logic [31:0] DB_CQ = 32'h10;  ///< struct db_cq: consumer index and arm
  localparam logic [31:0] DB_EQ = 32'h18;  ///< struct db_cq: event queue consumer index and arm; page 0 only
  localparam logic [31:0] DB_L2_TX = 32'h20;  ///< struct db_queue: L2 transmit ring producer index; page 0 only
  localparam logic [31:0] DB_L2_RX = 32'h28;  ///< struct db_queue: L2 receive ring producer index; page 0 only
  localparam logic [31:0] DB_SRQ = 32'h30;  ///< struct db_queue: shared receive queue producer index, ID the SRQN; one more than 2^n ahead counts as rejected, and nothing is taken before the next one
  localparam logic [31:0] DB_PUSH = 32'h800;  ///< push lines, to the end of the page, with FEATURES PUSH: struct push_line
  localparam logic [31:0] PUSH_WQE_BYTES = 32'h38;  ///< bytes of the WQE that a push line has: a header and one SGE, or 24 in-line bytes. What is behind counts as zero

  /// doorbell of a send, receive or L2 queue
  typedef struct packed {
    logic [15:0] rsvd0;
    logic [15:0] index;  ///< absolute producer index, free running modulo 65536 (ARM: consumer index of the completion ring)
    logic [7:0] rsvd1;
    logic [0:0] arm;  ///< L2 rings only: one-shot arm of the ring's completion interrupt; INDEX is then the consumer index of that completion ring (the producer index stays); a completion already beyond INDEX fires at once
    logic [22:0] id;  ///< QPN or ring number
  } db_queue_t;
  localparam int unsigned DB_QUEUE_BYTES = 8;
  localparam int unsigned DB_QUEUE_ID_LSB = 0;
  localparam int unsigned DB_QUEUE_ID_WIDTH = 23;
  localparam int unsigned DB_QUEUE_ARM_LSB = 23;
  localparam int unsigned DB_QUEUE_ARM_WIDTH = 1;
  localparam int unsigned DB_QUEUE_INDEX_LSB = 32;
  localparam int unsigned DB_QUEUE_INDEX_WIDTH = 16;

  /// push line
  typedef struct packed {
    logic [383:0] rsvd0;
    logic [63:0] wqe;  ///< its first 8 bytes, and so on
    logic [15:0] rsvd1;
    logic [15:0] index;  ///< absolute producer index
    logic [8:0] rsvd2;
    logic [22:0] id;  ///< QPN
  } push_line_t;
  localparam int unsigned PUSH_LINE_BYTES = 64;
  localparam int unsigned PUSH_LINE_ID_LSB = 0;
  localparam int unsigned PUSH_LINE_ID_WIDTH = 23;
  localparam int unsigned PUSH_LINE_INDEX_LSB = 32;
  localparam int unsigned PUSH_LINE_INDEX_WIDTH = 16;
  localparam int unsigned PUSH_LINE_WQE_LSB = 64;
  localparam int unsigned PUSH_LINE_WQE_WIDTH = 64;

  /// doorbell of a completion or event queue
  typedef struct packed {
    logic [7:0] rsvd0;
    logic [23:0] index;  ///< absolute consumer index, free running modulo 2^24
    logic [5:0] rsvd1;
    logic [1:0] arm;  ///< enum arm
    logic [23:0] id;  ///< CQN or EQN
  } db_cq_t;
  localparam int unsigned DB_CQ_BYTES = 8;
  localparam int unsigned DB_CQ_ID_LSB = 0;
  localparam int unsigned DB_CQ_ID_WIDTH = 24;
  localparam int unsigned DB_CQ_ARM_LSB = 24;
  localparam int unsigned DB_CQ_ARM_WIDTH = 2;
  localparam int unsigned DB_CQ_INDEX_LSB = 32;
  localparam int unsigned DB_CQ_INDEX_WIDTH = 24;

  // arm: one-shot arm of a CQ or EQ; an entry already beyond INDEX fires at once
  localparam logic [1:0] ARM_NONE = 2'd0;  ///< only move the consumer index
  localparam logic [1:0] ARM_NEXT = 2'd1;  ///< fire at the next entry
  localparam logic [1:0] ARM_SOLICITED = 2'd2;  ///< CQ: fire at the next solicited or failed completion
  localparam int unsigned ARM_COUNT = 3;

  // sq_opcode: operation of a send WQE
  localparam logic [7:0] SQ_OPCODE_SEND = 8'd0;  ///< RDMAP Send (RFC 5040 5.3)
  localparam logic [7:0] SQ_OPCODE_SEND_INV = 8'd1;  ///< Send with Invalidate
  localparam logic [7:0] SQ_OPCODE_WRITE = 8'd2;  ///< RDMA Write (5.1)
  localparam logic [7:0] SQ_OPCODE_READ = 8'd3;  ///< RDMA Read (5.2): exactly one SGE, the sink
  localparam logic [7:0] SQ_OPCODE_READ_INV = 8'd4;  ///< reserved: Read, then invalidate the sink STag
  localparam logic [7:0] SQ_OPCODE_LOCAL_INV = 8'd5;  ///< invalidate the local STag RSTAG, as if with READ_FENCE; NUM_SGE, INLINE and LENGTH are 0
  localparam logic [7:0] SQ_OPCODE_FAST_REG = 8'd6;  ///< register the local STag RSTAG, which is INVALID, with first TO RADDR and what struct sqe_reg behind the header says; for QPs that may use STag 0. NUM_SGE, INLINE and LENGTH are 0
  localparam logic [7:0] SQ_OPCODE_BIND_MW = 8'd7;  ///< bind the window RSTAG, with its new key and first TO RADDR, to the memory that struct sqe_bind behind the header names. Over one that is bound, or CLOSED, with LOCAL_FENCE: what has to be sent again from there resets its connection. NUM_SGE, INLINE and LENGTH are 0
  localparam logic [7:0] SQ_OPCODE_NOP = 8'd8;  ///< completes in order, sends nothing
  localparam logic [7:0] SQ_OPCODE_IMM = 8'd9;  ///< Immediate Data (RFC 7306 6): a message of 8 bytes, 4 zero and IMM, big endian; takes a receive of the peer as a Send does. NUM_SGE, INLINE and LENGTH are 0
  localparam logic [7:0] SQ_OPCODE_FETCH_ADD = 8'd10;  ///< FetchAdd (RFC 7306 5.1.1) of 64 bits at RSTAG, RADDR: exactly one SGE of 8 bytes, where the value before goes; what struct sqe_atomic behind that says. Counts as a Read
  localparam logic [7:0] SQ_OPCODE_CMP_SWAP = 8'd11;  ///< CmpSwap (5.1.2), the same
  localparam int unsigned SQ_OPCODE_COUNT = 12;

  /// header of a send WQE
  typedef struct packed {
    logic [31:0] rsvd0;
    logic [31:0] imm;  ///< IMM: what is sent, as a number
    logic [63:0] raddr;  ///< peer's tagged offset (TO); first TO for FAST_REG, BIND_MW
    logic [31:0] rstag;  ///< peer's STag: Write sink, Read source; STag to invalidate, at the peer for SEND_INV, here for LOCAL_INV; to register for FAST_REG, to bind for BIND_MW, with its new key
    logic [31:0] length;  ///< sum of all SGE lengths, or inline bytes; at most MAX_MSG
    logic [15:0] rsvd1;
    logic [15:0] index;  ///< low 16 bits of the index of this entry; a mismatch is a malformed WQE
    logic [7:0] rsvd2;
    logic [7:0] num_sge;  ///< SGEs after the header; 0 when INLINE
    logic [2:0] rsvd3;
    logic [0:0] local_fence;  ///< wait for all earlier work of this QP
    logic [0:0] read_fence;  ///< wait for all earlier Reads of this QP
    logic [0:0] inline;  ///< LENGTH payload bytes follow the header instead of SGEs; not for READ
    logic [0:0] solicited;  ///< solicited event at the receiver (Send with SE, Immediate Data with SE)
    logic [0:0] signaled;  ///< make a CQE on success (an error always makes one)
    logic [7:0] opcode;  ///< enum sq_opcode
  } sqe_t;
  localparam int unsigned SQE_BYTES = 32;
  localparam int unsigned SQE_OPCODE_LSB = 0;
  localparam int unsigned SQE_OPCODE_WIDTH = 8;
  localparam int unsigned SQE_SIGNALED_LSB = 8;
  localparam int unsigned SQE_SIGNALED_WIDTH = 1;
  localparam int unsigned SQE_SOLICITED_LSB = 9;
  localparam int unsigned SQE_SOLICITED_WIDTH = 1;
  localparam int unsigned SQE_INLINE_LSB = 10;
  localparam int unsigned SQE_INLINE_WIDTH = 1;
  localparam int unsigned SQE_READ_FENCE_LSB = 11;
  localparam int unsigned SQE_READ_FENCE_WIDTH = 1;
  localparam int unsigned SQE_LOCAL_FENCE_LSB = 12;
  localparam int unsigned SQE_LOCAL_FENCE_WIDTH = 1;
  localparam int unsigned SQE_NUM_SGE_LSB = 16;
  localparam int unsigned SQE_NUM_SGE_WIDTH = 8;
  localparam int unsigned SQE_INDEX_LSB = 32;
  localparam int unsigned SQE_INDEX_WIDTH = 16;
  localparam int unsigned SQE_LENGTH_LSB = 64;
  localparam int unsigned SQE_LENGTH_WIDTH = 32;
  localparam int unsigned SQE_RSTAG_LSB = 96;
  localparam int unsigned SQE_RSTAG_WIDTH = 32;
  localparam int unsigned SQE_RADDR_LSB = 128;
  localparam int unsigned SQE_RADDR_WIDTH = 64;
  localparam int unsigned SQE_IMM_LSB = 192;
  localparam int unsigned SQE_IMM_WIDTH = 32;

  /// behind the SGE of FETCH_ADD and CMP_SWAP
  typedef struct packed {
    logic [63:0] compare;  ///< CMP_SWAP: with what is there it is swapped in
    logic [63:0] data;  ///< what is added, or swapped in
  } sqe_atomic_t;
  localparam int unsigned SQE_ATOMIC_BYTES = 16;
  localparam int unsigned SQE_ATOMIC_DATA_LSB = 0;
  localparam int unsigned SQE_ATOMIC_DATA_WIDTH = 64;
  localparam int unsigned SQE_ATOMIC_COMPARE_LSB = 64;
  localparam int unsigned SQE_ATOMIC_COMPARE_WIDTH = 64;

  /// behind the header of FAST_REG
  typedef struct packed {
    logic [47:0] rsvd0;
    logic [7:0] page_log2;  ///< MIN_PAGE_LOG2 to MAX_PAGE_LOG2
    logic [7:0] access;  ///< enum access, one bit each
    logic [31:0] fbo;  ///< offset of the first byte in the first page
    logic [31:0] pbl_count;  ///< entries of the page list
    logic [63:0] bytes;  ///< bytes of the region
    logic [63:0] pbl;  ///< bus address of the page list, as in struct tpt
  } sqe_reg_t;
  localparam int unsigned SQE_REG_BYTES = 32;
  localparam int unsigned SQE_REG_PBL_LSB = 0;
  localparam int unsigned SQE_REG_PBL_WIDTH = 64;
  localparam int unsigned SQE_REG_BYTES_LSB = 64;
  localparam int unsigned SQE_REG_BYTES_WIDTH = 64;
  localparam int unsigned SQE_REG_PBL_COUNT_LSB = 128;
  localparam int unsigned SQE_REG_PBL_COUNT_WIDTH = 32;
  localparam int unsigned SQE_REG_FBO_LSB = 160;
  localparam int unsigned SQE_REG_FBO_WIDTH = 32;
  localparam int unsigned SQE_REG_ACCESS_LSB = 192;
  localparam int unsigned SQE_REG_ACCESS_WIDTH = 8;
  localparam int unsigned SQE_REG_PAGE_LOG2_LSB = 200;
  localparam int unsigned SQE_REG_PAGE_LOG2_WIDTH = 8;

  /// behind the header of BIND_MW
  typedef struct packed {
    logic [55:0] rsvd0;
    logic [7:0] access;  ///< REMOTE_WRITE and REMOTE_ATOMIC want LOCAL_WRITE of the region, REMOTE_READ its LOCAL_READ; REMOTE_INV; other bits count for nothing
    logic [31:0] rsvd1;
    logic [31:0] lkey;  ///< STag of the region, which is VALID, not zero-based, of the QP's domain, and gives MW_BIND
    logic [63:0] bytes;  ///< bytes of the window; 0 unbinds one of type 1
    logic [63:0] addr;  ///< first byte: TO in the region
  } sqe_bind_t;
  localparam int unsigned SQE_BIND_BYTES = 32;
  localparam int unsigned SQE_BIND_ADDR_LSB = 0;
  localparam int unsigned SQE_BIND_ADDR_WIDTH = 64;
  localparam int unsigned SQE_BIND_BYTES_LSB = 64;
  localparam int unsigned SQE_BIND_BYTES_WIDTH = 64;
  localparam int unsigned SQE_BIND_LKEY_LSB = 128;
  localparam int unsigned SQE_BIND_LKEY_WIDTH = 32;
  localparam int unsigned SQE_BIND_ACCESS_LSB = 192;
  localparam int unsigned SQE_BIND_ACCESS_WIDTH = 8;

  /// scatter-gather element
  typedef struct packed {
    logic [31:0] lkey;  ///< local STag
    logic [31:0] length;  ///< bytes
    logic [63:0] addr;  ///< virtual address or zero-based offset (TO) in the region
  } sge_t;
  localparam int unsigned SGE_BYTES = 16;
  localparam int unsigned SGE_ADDR_LSB = 0;
  localparam int unsigned SGE_ADDR_WIDTH = 64;
  localparam int unsigned SGE_LENGTH_LSB = 64;
  localparam int unsigned SGE_LENGTH_WIDTH = 32;
  localparam int unsigned SGE_LKEY_LSB = 96;
  localparam int unsigned SGE_LKEY_WIDTH = 32;

  /// header of a receive WQE; NUM_SGE SGEs follow. Strides 64, 128, 256
  typedef struct packed {
    logic [31:0] rsvd0;
    logic [31:0] length;  ///< sum of all SGE lengths
    logic [15:0] rsvd1;
    logic [15:0] index;  ///< low 16 bits of the index of this entry
    logic [23:0] rsvd2;
    logic [7:0] num_sge;  ///< SGEs after the header
  } rqe_t;
  localparam int unsigned RQE_BYTES = 16;
  localparam int unsigned RQE_NUM_SGE_LSB = 0;
  localparam int unsigned RQE_NUM_SGE_WIDTH = 8;
  localparam int unsigned RQE_INDEX_LSB = 32;
  localparam int unsigned RQE_INDEX_WIDTH = 16;
  localparam int unsigned RQE_LENGTH_LSB = 64;
  localparam int unsigned RQE_LENGTH_WIDTH = 32;

  /// a shared receive queue is 2^n WQEs of one stride and, right behind them, 2^n of these, which say in what order they are taken: WQEs complete in any order, so a free one is posted wherever it lies. Entry i of the free-running producer index lies at i mod 2^n
  typedef struct packed {
    logic [47:0] rsvd0;
    logic [15:0] slot;  ///< WQE, mod 2^n; its INDEX is this number, not the producer index
  } srq_order_t;
  localparam int unsigned SRQ_ORDER_BYTES = 8;
  localparam int unsigned SRQ_ORDER_SLOT_LSB = 0;
  localparam int unsigned SRQ_ORDER_SLOT_WIDTH = 16;

  // wc_status: status of a completion; values are Weft's own, the provider maps them
  localparam logic [7:0] WC_STATUS_SUCCESS = 8'd0;  ///< 
  localparam logic [7:0] WC_STATUS_LOC_LEN_ERR = 8'd1;  ///< malformed length
  localparam logic [7:0] WC_STATUS_LOC_QP_OP_ERR = 8'd2;  ///< malformed WQE
  localparam logic [7:0] WC_STATUS_LOC_PROT_ERR = 8'd3;  ///< local STag, bounds, rights or PD
  localparam logic [7:0] WC_STATUS_WR_FLUSH_ERR = 8'd4;  ///< flushed: the QP is in ERROR
  localparam logic [7:0] WC_STATUS_REM_INV_REQ_ERR = 8'd5;  ///< peer refused: invalid request
  localparam logic [7:0] WC_STATUS_REM_ACCESS_ERR = 8'd6;  ///< peer refused: STag, bounds or rights
  localparam logic [7:0] WC_STATUS_REM_OP_ERR = 8'd7;  ///< peer could not complete
  localparam logic [7:0] WC_STATUS_RETRY_EXC_ERR = 8'd8;  ///< TCP gave up
  localparam logic [7:0] WC_STATUS_FATAL_ERR = 8'd9;  ///< host bus error
  localparam logic [7:0] WC_STATUS_MW_BIND_ERR = 8'd10;  ///< LOCAL_INV of an STag that is not to be invalidated: 0, a region that no QP owns or that windows are bound to, a window of type 1; FAST_REG of one that is VALID; BIND_MW of what is no window of this domain, or a VALID one of type 2; BIND_MW to a zero-based region
  localparam int unsigned WC_STATUS_COUNT = 11;

  // wc_opcode: what completed
  localparam logic [7:0] WC_OPCODE_SEND = 8'd0;  ///< 
  localparam logic [7:0] WC_OPCODE_WRITE = 8'd1;  ///< 
  localparam logic [7:0] WC_OPCODE_READ = 8'd2;  ///< 
  localparam logic [7:0] WC_OPCODE_LOCAL = 8'd3;  ///< NOP
  localparam logic [7:0] WC_OPCODE_LOCAL_INV = 8'd4;  ///< 
  localparam logic [7:0] WC_OPCODE_FAST_REG = 8'd5;  ///< 
  localparam logic [7:0] WC_OPCODE_IMM = 8'd6;  ///< 
  localparam logic [7:0] WC_OPCODE_FETCH_ADD = 8'd7;  ///< 
  localparam logic [7:0] WC_OPCODE_CMP_SWAP = 8'd8;  ///< 
  localparam logic [7:0] WC_OPCODE_BIND_MW = 8'd9;  ///< 
  localparam logic [7:0] WC_OPCODE_RECV = 8'd128;  ///< 
  localparam logic [7:0] WC_OPCODE_RECV_INV = 8'd129;  ///< receive whose Send invalidated INV_STAG
  localparam logic [7:0] WC_OPCODE_RECV_IMM = 8'd130;  ///< receive that Immediate Data took: nothing was placed, BYTES is 0, INV_STAG is the low half of its 8 bytes, as a number
  localparam int unsigned WC_OPCODE_COUNT = 13;

  /// completion queue entry; bit PHASE toggles each time round the ring, first 1; it is written last
  typedef struct packed {
    logic [0:0] phase;  ///< written last
    logic [5:0] rsvd0;
    logic [0:0] solicited;  ///< counts for ARM_SOLICITED
    logic [55:0] stamp;  ///< with FEATURES CQE_STAMP: now_ns (NOW_LO, NOW_HI) modulo 2^56 when the card made the entry; of the entries of a CQ none is before that of the entry in front of it
    logic [31:0] rsvd1;
    logic [31:0] vendor_err;  ///< detail of an error, for logs
    logic [31:0] inv_stag;  ///< STag that the peer invalidated; immediate data
    logic [31:0] bytes;  ///< received bytes, or read bytes
    logic [7:0] rsvd2;
    logic [7:0] status;  ///< enum wc_status
    logic [15:0] index;  ///< index of the WQE; all earlier ones of that queue are complete too. Of a receive from a shared queue its SLOT, and of no other
    logic [7:0] opcode;  ///< enum wc_opcode; undefined unless STATUS is SUCCESS, but RECV's bit 7 is always right
    logic [23:0] qpn;  ///< queue pair
  } cqe_t;
  localparam int unsigned CQE_BYTES = 32;
  localparam int unsigned CQE_QPN_LSB = 0;
  localparam int unsigned CQE_QPN_WIDTH = 24;
  localparam int unsigned CQE_OPCODE_LSB = 24;
  localparam int unsigned CQE_OPCODE_WIDTH = 8;
  localparam int unsigned CQE_INDEX_LSB = 32;
  localparam int unsigned CQE_INDEX_WIDTH = 16;
  localparam int unsigned CQE_STATUS_LSB = 48;
  localparam int unsigned CQE_STATUS_WIDTH = 8;
  localparam int unsigned CQE_BYTES_LSB = 64;
  localparam int unsigned CQE_BYTES_WIDTH = 32;
  localparam int unsigned CQE_INV_STAG_LSB = 96;
  localparam int unsigned CQE_INV_STAG_WIDTH = 32;
  localparam int unsigned CQE_VENDOR_ERR_LSB = 128;
  localparam int unsigned CQE_VENDOR_ERR_WIDTH = 32;
  localparam int unsigned CQE_STAMP_LSB = 192;
  localparam int unsigned CQE_STAMP_WIDTH = 56;
  localparam int unsigned CQE_SOLICITED_LSB = 248;
  localparam int unsigned CQE_SOLICITED_WIDTH = 1;
  localparam int unsigned CQE_PHASE_LSB = 255;
  localparam int unsigned CQE_PHASE_WIDTH = 1;

  // eqe_type: what an event is about
  localparam logic [7:0] EQE_TYPE_CQ_COMPLETION = 8'd1;  ///< ID is the CQN: an armed CQ has a new entry
  localparam logic [7:0] EQE_TYPE_CQ_ERROR = 8'd2;  ///< ID is the CQN: overflow; the CQ stops, its QPs get errors
  localparam logic [7:0] EQE_TYPE_QP_ERROR = 8'd3;  ///< ID is the QPN, CODE enum qp_event
  localparam logic [7:0] EQE_TYPE_EQ_OVERFLOW = 8'd4;  ///< events were lost; ID is the number lost, saturating
  localparam logic [7:0] EQE_TYPE_LINK = 8'd5;  ///< CODE 1: up, 0: down
  localparam logic [7:0] EQE_TYPE_FW_FAULT = 8'd6;  ///< CODE enum fw_error
  localparam logic [7:0] EQE_TYPE_SRQ_LIMIT = 8'd7;  ///< ID is the SRQN: fewer WQEs than its limit are left; the limit is disarmed
  localparam logic [7:0] EQE_TYPE_LAST_WQE = 8'd8;  ///< ID is the QPN, in ERR: it takes nothing more from its shared receive queue, and what it took is complete; once, unless QP_DESTROY is first
  localparam logic [7:0] EQE_TYPE_CM_CONNECT_REQUEST = 8'd16;  ///< ID is the connection handle, HANDLE the listener; private data by QUERY_CONN
  localparam logic [7:0] EQE_TYPE_CM_CONNECT_REPLY = 8'd17;  ///< CODE enum cm_status; ID the connection handle, HANDLE the caller's cookie
  localparam logic [7:0] EQE_TYPE_CM_ESTABLISHED = 8'd18;  ///< passive side: the connection runs
  localparam logic [7:0] EQE_TYPE_CM_DISCONNECT = 8'd19;  ///< the peer closed its half; ID the connection handle
  localparam logic [7:0] EQE_TYPE_CM_CLOSE = 8'd20;  ///< the connection is gone; CODE enum cm_status
  localparam logic [7:0] EQE_TYPE_L2_RING = 8'd32;  ///< ID is the ring: L2 ring progressed and was armed
  localparam int unsigned EQE_TYPE_COUNT = 14;

  // qp_event: CODE of QP_ERROR
  localparam logic [7:0] QP_EVENT_TERMINATE_RECEIVED = 8'd1;  ///< DATA0 is the Terminate control word, host order
  localparam logic [7:0] QP_EVENT_TERMINATE_SENT = 8'd2;  ///< DATA0 is the Terminate control word, host order
  localparam logic [7:0] QP_EVENT_LLP_RESET = 8'd3;  ///< peer reset, or TCP gave up
  localparam logic [7:0] QP_EVENT_LOCAL_ERROR = 8'd4;  ///< a WQE failed, see its completion
  localparam logic [7:0] QP_EVENT_BAD_CLOSE = 8'd5;  ///< the peer closed with work outstanding
  localparam logic [7:0] QP_EVENT_SLOT_HELD = 8'd6;  ///< reset by the card: others waited for its place on chip, and its peer acknowledged and sent nothing
  localparam int unsigned QP_EVENT_COUNT = 6;

  // cm_status: outcome of connection set-up or close
  localparam logic [7:0] CM_STATUS_OK = 8'd0;  ///< 
  localparam logic [7:0] CM_STATUS_REFUSED = 8'd1;  ///< RST in answer to SYN
  localparam logic [7:0] CM_STATUS_TIMED_OUT = 8'd2;  ///< no answer
  localparam logic [7:0] CM_STATUS_RESET = 8'd3;  ///< RST later
  localparam logic [7:0] CM_STATUS_REJECTED = 8'd4;  ///< MPA reply with R=1; private data by QUERY_CONN
  localparam logic [7:0] CM_STATUS_PROTOCOL = 8'd5;  ///< the peer broke MPA, or announced an MSS below FPDU_LEAST, a marker and the timestamps (152 bytes)
  localparam logic [7:0] CM_STATUS_NO_RESOURCE = 8'd6;  ///< the card has no room, that of the connection look-up included
  localparam logic [7:0] CM_STATUS_ABORTED = 8'd7;  ///< by this host
  localparam int unsigned CM_STATUS_COUNT = 8;

  /// event queue entry; PHASE as in a CQE, written last
  typedef struct packed {
    logic [0:0] phase;  ///< written last
    logic [38:0] rsvd0;
    logic [7:0] flags;  ///< CM: bit 0 IPv6, bit 1 MPA revision 2, bit 2 CRC on
    logic [15:0] pd_bytes;  ///< CM: bytes of private data
    logic [15:0] ord;  ///< CM: peer's ORD
    logic [15:0] ird;  ///< CM: peer's IRD
    logic [15:0] local_port;  ///< 
    logic [15:0] peer_port;  ///< CM: host byte order
    logic [127:0] local_addr;  ///< CM: local address
    logic [127:0] peer_addr;  ///< CM: peer address, network byte order; IPv4 in bytes 0 to 3
    logic [31:0] data0;  ///< 
    logic [31:0] handle;  ///< 
    logic [31:0] id;  ///< 
    logic [15:0] rsvd1;
    logic [7:0] code;  ///< 
    logic [7:0] kind;  ///< enum eqe_type
  } eqe_t;
  localparam int unsigned EQE_BYTES = 64;
  localparam int unsigned EQE_KIND_LSB = 0;
  localparam int unsigned EQE_KIND_WIDTH = 8;
  localparam int unsigned EQE_CODE_LSB = 8;
  localparam int unsigned EQE_CODE_WIDTH = 8;
  localparam int unsigned EQE_ID_LSB = 32;
  localparam int unsigned EQE_ID_WIDTH = 32;
  localparam int unsigned EQE_HANDLE_LSB = 64;
  localparam int unsigned EQE_HANDLE_WIDTH = 32;
  localparam int unsigned EQE_DATA0_LSB = 96;
  localparam int unsigned EQE_DATA0_WIDTH = 32;
  localparam int unsigned EQE_PEER_ADDR_LSB = 128;
  localparam int unsigned EQE_PEER_ADDR_WIDTH = 128;
  localparam int unsigned EQE_LOCAL_ADDR_LSB = 256;
  localparam int unsigned EQE_LOCAL_ADDR_WIDTH = 128;
  localparam int unsigned EQE_PEER_PORT_LSB = 384;
  localparam int unsigned EQE_PEER_PORT_WIDTH = 16;
  localparam int unsigned EQE_LOCAL_PORT_LSB = 400;
  localparam int unsigned EQE_LOCAL_PORT_WIDTH = 16;
  localparam int unsigned EQE_IRD_LSB = 416;
  localparam int unsigned EQE_IRD_WIDTH = 16;
  localparam int unsigned EQE_ORD_LSB = 432;
  localparam int unsigned EQE_ORD_WIDTH = 16;
  localparam int unsigned EQE_PD_BYTES_LSB = 448;
  localparam int unsigned EQE_PD_BYTES_WIDTH = 16;
  localparam int unsigned EQE_FLAGS_LSB = 464;
  localparam int unsigned EQE_FLAGS_WIDTH = 8;
  localparam int unsigned EQE_PHASE_LSB = 511;
  localparam int unsigned EQE_PHASE_WIDTH = 1;

  /// translation and protection entry; slot (STAG >> 8) mod CAP_STAG, all 32 bits of the STag are compared
  typedef struct packed {
    logic [46:0] rsvd0;
    logic [0:0] refused;  ///< of whatever entry is read: the last commit was taken without effect for that; of the card alone
    logic [15:0] windows;  ///< regions: how many windows are bound to it; of the card alone, which takes no commit of an entry in which it is not 0
    logic [7:0] rsvd1;
    logic [23:0] parent;  ///< windows: index of the region that it is bound to; of the card alone
    logic [31:0] pbl_count;  ///< entries of the page list; an access beyond it fails
    logic [63:0] pbl;  ///< bus address of the page list (8 bytes a page, little endian, 64-byte aligned), or of the page itself (DIRECT)
    logic [31:0] fbo_hi;  ///< windows: bits 63:32 of that
    logic [31:0] fbo;  ///< offset of the first byte in the first page; of a window with FBO_HI: from the first page's beginning
    logic [63:0] length;  ///< bytes
    logic [63:0] base;  ///< first TO: virtual address, or 0
    logic [7:0] rsvd2;
    logic [23:0] qpn;  ///< windows of type 2: the only QP that may use it; regions: the QP whose peer may invalidate it (REMOTE_INV), 0: no stream may
    logic [7:0] rsvd3;
    logic [23:0] pd;  ///< protection domain
    logic [6:0] rsvd4;
    logic [0:0] direct;  ///< PBL is the bus address of the first byte's page and the range is contiguous
    logic [7:0] page_log2;  ///< MIN_PAGE_LOG2 to MAX_PAGE_LOG2
    logic [7:0] access;  ///< enum access, one bit each
    logic [3:0] rsvd5;
    logic [1:0] kind;  ///< enum tpt_type
    logic [1:0] state;  ///< enum tpt_state
    logic [31:0] stag;  ///< index in bits 31:8, key in bits 7:0
  } tpt_t;
  localparam int unsigned TPT_BYTES = 64;
  localparam int unsigned TPT_STAG_LSB = 0;
  localparam int unsigned TPT_STAG_WIDTH = 32;
  localparam int unsigned TPT_STATE_LSB = 32;
  localparam int unsigned TPT_STATE_WIDTH = 2;
  localparam int unsigned TPT_KIND_LSB = 34;
  localparam int unsigned TPT_KIND_WIDTH = 2;
  localparam int unsigned TPT_ACCESS_LSB = 40;
  localparam int unsigned TPT_ACCESS_WIDTH = 8;
  localparam int unsigned TPT_PAGE_LOG2_LSB = 48;
  localparam int unsigned TPT_PAGE_LOG2_WIDTH = 8;
  localparam int unsigned TPT_DIRECT_LSB = 56;
  localparam int unsigned TPT_DIRECT_WIDTH = 1;
  localparam int unsigned TPT_PD_LSB = 64;
  localparam int unsigned TPT_PD_WIDTH = 24;
  localparam int unsigned TPT_QPN_LSB = 96;
  localparam int unsigned TPT_QPN_WIDTH = 24;
  localparam int unsigned TPT_BASE_LSB = 128;
  localparam int unsigned TPT_BASE_WIDTH = 64;
  localparam int unsigned TPT_LENGTH_LSB = 192;
  localparam int unsigned TPT_LENGTH_WIDTH = 64;
  localparam int unsigned TPT_FBO_LSB = 256;
  localparam int unsigned TPT_FBO_WIDTH = 32;
  localparam int unsigned TPT_FBO_HI_LSB = 288;
  localparam int unsigned TPT_FBO_HI_WIDTH = 32;
  localparam int unsigned TPT_PBL_LSB = 320;
  localparam int unsigned TPT_PBL_WIDTH = 64;
  localparam int unsigned TPT_PBL_COUNT_LSB = 384;
  localparam int unsigned TPT_PBL_COUNT_WIDTH = 32;
  localparam int unsigned TPT_PARENT_LSB = 416;
  localparam int unsigned TPT_PARENT_WIDTH = 24;
  localparam int unsigned TPT_WINDOWS_LSB = 448;
  localparam int unsigned TPT_WINDOWS_WIDTH = 16;
  localparam int unsigned TPT_REFUSED_LSB = 464;
  localparam int unsigned TPT_REFUSED_WIDTH = 1;

  // tpt_state: state of an STag
  localparam logic [1:0] TPT_STATE_FREE = 2'd0;  ///< 
  localparam logic [1:0] TPT_STATE_INVALID = 2'd1;  ///< allocated, not usable for access
  localparam logic [1:0] TPT_STATE_VALID = 2'd2;  ///< 
  localparam logic [1:0] TPT_STATE_CLOSED = 2'd3;  ///< of the card alone: a LOCAL_INV is under way, only what was sent before is sent again from it
  localparam int unsigned TPT_STATE_COUNT = 4;

  // tpt_type: kind of an STag
  localparam logic [1:0] TPT_TYPE_MR = 2'd0;  ///< region, any QP of its PD
  localparam logic [1:0] TPT_TYPE_MW = 2'd1;  ///< window of type 2B: one QP
  localparam logic [1:0] TPT_TYPE_MW_1 = 2'd2;  ///< window of type 1: any QP of its PD
  localparam int unsigned TPT_TYPE_COUNT = 3;

  // access: bits of ACCESS
  localparam logic [7:0] ACCESS_LOCAL_WRITE = 8'd0;  ///< 
  localparam logic [7:0] ACCESS_REMOTE_WRITE = 8'd1;  ///< also what the sink of a Read needs (RFC 5040)
  localparam logic [7:0] ACCESS_REMOTE_READ = 8'd2;  ///< 
  localparam logic [7:0] ACCESS_REMOTE_INV = 8'd3;  ///< Send with Invalidate, by the peer of QPN alone
  localparam logic [7:0] ACCESS_LOCAL_READ = 8'd4;  ///< 
  localparam logic [7:0] ACCESS_REMOTE_ATOMIC = 8'd5;  ///< atomics of the peer (RFC 7306 5); nobody gives it while FEATURES has no ATOMIC
  localparam logic [7:0] ACCESS_MW_BIND = 8'd6;  ///< windows may be bound to it
  localparam int unsigned ACCESS_COUNT = 7;

  /// where a connection's frames go; the driver keeps it current from the neighbour table
  typedef struct packed {
    logic [0:0] valid;  ///< 
    logic [0:0] vlan;  ///< insert VLAN_TCI
    logic [13:0] mtu;  ///< IP MTU, 576 to CAP_MTU
    logic [47:0] smac;  ///< 
    logic [15:0] vlan_tci;  ///< 
    logic [47:0] dmac;  ///< byte 0 in bits 7:0
  } l2e_t;
  localparam int unsigned L2E_BYTES = 16;
  localparam int unsigned L2E_DMAC_LSB = 0;
  localparam int unsigned L2E_DMAC_WIDTH = 48;
  localparam int unsigned L2E_VLAN_TCI_LSB = 48;
  localparam int unsigned L2E_VLAN_TCI_WIDTH = 16;
  localparam int unsigned L2E_SMAC_LSB = 64;
  localparam int unsigned L2E_SMAC_WIDTH = 48;
  localparam int unsigned L2E_MTU_LSB = 112;
  localparam int unsigned L2E_MTU_WIDTH = 14;
  localparam int unsigned L2E_VLAN_LSB = 126;
  localparam int unsigned L2E_VLAN_WIDTH = 1;
  localparam int unsigned L2E_VALID_LSB = 127;
  localparam int unsigned L2E_VALID_WIDTH = 1;

  /// transmit descriptor: one buffer. What is not about the buffer stands in the first descriptor of a frame
  typedef struct packed {
    logic [15:0] vlan_tci;  ///< 
    logic [7:0] csum_offset;  ///< byte offset from CSUM_START
    logic [7:0] csum_start;  ///< byte offset in the frame
    logic [10:0] rsvd0;
    logic [0:0] set;  ///< no frame: struct l2_scaling, exactly, in one buffer or several; it takes effect in its turn
    logic [0:0] tso;  ///< the frame is cut into segments: struct l2_tso
    logic [0:0] vlan;  ///< insert a tag (IEEE 802.1Q, 0x8100 and VLAN_TCI) behind the two addresses; offsets and lengths are those without it; with CSUM, CSUM_START is 14 or more
    logic [0:0] csum;  ///< insert the TCP or UDP checksum: sum from CSUM_START to the end, store at CSUM_START + CSUM_OFFSET
    logic [0:0] last;  ///< last buffer of the frame; at most 32
    logic [15:0] length;  ///< bytes, 1 to 16384
    logic [63:0] addr;  ///< bus address
  } l2_txd_t;
  localparam int unsigned L2_TXD_BYTES = 16;
  localparam int unsigned L2_TXD_ADDR_LSB = 0;
  localparam int unsigned L2_TXD_ADDR_WIDTH = 64;
  localparam int unsigned L2_TXD_LENGTH_LSB = 64;
  localparam int unsigned L2_TXD_LENGTH_WIDTH = 16;
  localparam int unsigned L2_TXD_LAST_LSB = 80;
  localparam int unsigned L2_TXD_LAST_WIDTH = 1;
  localparam int unsigned L2_TXD_CSUM_LSB = 81;
  localparam int unsigned L2_TXD_CSUM_WIDTH = 1;
  localparam int unsigned L2_TXD_VLAN_LSB = 82;
  localparam int unsigned L2_TXD_VLAN_WIDTH = 1;
  localparam int unsigned L2_TXD_TSO_LSB = 83;
  localparam int unsigned L2_TXD_TSO_WIDTH = 1;
  localparam int unsigned L2_TXD_SET_LSB = 84;
  localparam int unsigned L2_TXD_SET_WIDTH = 1;
  localparam int unsigned L2_TXD_CSUM_START_LSB = 96;
  localparam int unsigned L2_TXD_CSUM_START_WIDTH = 8;
  localparam int unsigned L2_TXD_CSUM_OFFSET_LSB = 104;
  localparam int unsigned L2_TXD_CSUM_OFFSET_WIDTH = 8;
  localparam int unsigned L2_TXD_VLAN_TCI_LSB = 112;
  localparam int unsigned L2_TXD_VLAN_TCI_WIDTH = 16;

  /// first descriptor of a frame that is cut (TSO set); a chain that does not keep to the limits is not read and completes with ERROR
  typedef struct packed {
    logic [15:0] vlan_tci;  ///< 
    logic [15:0] mss;  ///< TSO_MSS_MIN bytes or more; with HDR_LEN (and a tag) no more than a frame
    logic [7:0] hdr_len;  ///< bytes in front of the payload, 54 to 118: exactly what the header's own fields say
    logic [7:0] flags;  ///< as in l2_txd; CSUM and SET have no meaning
    logic [15:0] length;  ///< the header may end anywhere in the chain
    logic [63:0] addr;  ///< as in l2_txd, like LENGTH, LAST, VLAN and VLAN_TCI
  } l2_tso_t;
  localparam int unsigned L2_TSO_BYTES = 16;
  localparam int unsigned L2_TSO_ADDR_LSB = 0;
  localparam int unsigned L2_TSO_ADDR_WIDTH = 64;
  localparam int unsigned L2_TSO_LENGTH_LSB = 64;
  localparam int unsigned L2_TSO_LENGTH_WIDTH = 16;
  localparam int unsigned L2_TSO_FLAGS_LSB = 80;
  localparam int unsigned L2_TSO_FLAGS_WIDTH = 8;
  localparam int unsigned L2_TSO_HDR_LEN_LSB = 88;
  localparam int unsigned L2_TSO_HDR_LEN_WIDTH = 8;
  localparam int unsigned L2_TSO_MSS_LSB = 96;
  localparam int unsigned L2_TSO_MSS_WIDTH = 16;
  localparam int unsigned L2_TSO_VLAN_TCI_LSB = 112;
  localparam int unsigned L2_TSO_VLAN_TCI_WIDTH = 16;
  localparam logic [31:0] TSO_MAX = 32'h10000;  ///< header and payload of a frame that is cut
  localparam logic [31:0] TSO_MSS_MIN = 32'h40;  ///< smallest MSS

  /// receive scaling. A failed read of it turns the hash off
  typedef struct packed {
    logic [1023:0] entries;  ///< a byte an entry: the pair for frames whose HASH has these low bits; 0 without a hash
    logic [183:0] rsvd0;
    logic [7:0] types;  ///< bit n: frames of hash type n are hashed; others fall back to addresses alone (IPV4, IPV6), or have none. 0 after reset
    logic [319:0] key;  ///< first byte first, as the Toeplitz hash uses it
  } l2_scaling_t;
  localparam int unsigned L2_SCALING_BYTES = 192;
  localparam int unsigned L2_SCALING_KEY_LSB = 0;
  localparam int unsigned L2_SCALING_KEY_WIDTH = 320;
  localparam int unsigned L2_SCALING_TYPES_LSB = 320;
  localparam int unsigned L2_SCALING_TYPES_WIDTH = 8;
  localparam int unsigned L2_SCALING_ENTRIES_LSB = 512;
  localparam int unsigned L2_SCALING_ENTRIES_WIDTH = 1024;
  localparam logic [31:0] L2_SCALING_N = 32'h80;  ///< entries of ENTRIES

  // l2_hash: what HASH was taken over: addresses and ports, source first, in network order, with the Toeplitz function
  localparam logic [3:0] L2_HASH_NONE = 4'd0;  ///< no hash: no IP, or not in TYPES
  localparam logic [3:0] L2_HASH_IPV4 = 4'd1;  ///< addresses: fragments, other protocols, options, or a broken header behind IP
  localparam logic [3:0] L2_HASH_TCP_IPV4 = 4'd2;  ///< 
  localparam logic [3:0] L2_HASH_UDP_IPV4 = 4'd3;  ///< 
  localparam logic [3:0] L2_HASH_IPV6 = 4'd4;  ///< addresses: extension headers, other protocols
  localparam logic [3:0] L2_HASH_TCP_IPV6 = 4'd5;  ///< 
  localparam logic [3:0] L2_HASH_UDP_IPV6 = 4'd6;  ///< 
  localparam int unsigned L2_HASH_COUNT = 7;

  /// receive descriptor: one buffer
  typedef struct packed {
    logic [46:0] rsvd0;
    logic [0:0] strip;  ///< a VLAN tag is taken out of the frame
    logic [15:0] length;  ///< bytes of the buffer; a frame that does not fit in one buffer (with its tag) is dropped and counted
    logic [63:0] addr;  ///< bus address
  } l2_rxd_t;
  localparam int unsigned L2_RXD_BYTES = 16;
  localparam int unsigned L2_RXD_ADDR_LSB = 0;
  localparam int unsigned L2_RXD_ADDR_WIDTH = 64;
  localparam int unsigned L2_RXD_LENGTH_LSB = 64;
  localparam int unsigned L2_RXD_LENGTH_WIDTH = 16;
  localparam int unsigned L2_RXD_STRIP_LSB = 80;
  localparam int unsigned L2_RXD_STRIP_WIDTH = 1;

  /// completion of a transmit frame or of a received frame
  typedef struct packed {
    logic [0:0] phase;  ///< written last
    logic [30:0] rsvd0;
    logic [31:0] hash;  ///< 0 with HASH_TYPE NONE
    logic [15:0] vlan_tci;  ///< 
    logic [7:0] rsvd1;
    logic [3:0] hash_type;  ///< enum l2_hash
    logic [0:0] stripped;  ///< the tag is not in the frame any more
    logic [0:0] error;  ///< transmit: host bus error or bad chain, the frame was not sent; receive: the descriptor could not be read, LENGTH is 0
    logic [0:0] vlan;  ///< the frame came with a tag, VLAN_TCI
    logic [0:0] csum_ok;  ///< IP header and TCP or UDP checksum were verified
    logic [15:0] length;  ///< received bytes
    logic [15:0] index;  ///< descriptor index (transmit: the last of the frame)
  } l2_cqe_t;
  localparam int unsigned L2_CQE_BYTES = 16;
  localparam int unsigned L2_CQE_INDEX_LSB = 0;
  localparam int unsigned L2_CQE_INDEX_WIDTH = 16;
  localparam int unsigned L2_CQE_LENGTH_LSB = 16;
  localparam int unsigned L2_CQE_LENGTH_WIDTH = 16;
  localparam int unsigned L2_CQE_CSUM_OK_LSB = 32;
  localparam int unsigned L2_CQE_CSUM_OK_WIDTH = 1;
  localparam int unsigned L2_CQE_VLAN_LSB = 33;
  localparam int unsigned L2_CQE_VLAN_WIDTH = 1;
  localparam int unsigned L2_CQE_ERROR_LSB = 34;
  localparam int unsigned L2_CQE_ERROR_WIDTH = 1;
  localparam int unsigned L2_CQE_STRIPPED_LSB = 35;
  localparam int unsigned L2_CQE_STRIPPED_WIDTH = 1;
  localparam int unsigned L2_CQE_HASH_TYPE_LSB = 36;
  localparam int unsigned L2_CQE_HASH_TYPE_WIDTH = 4;
  localparam int unsigned L2_CQE_VLAN_TCI_LSB = 48;
  localparam int unsigned L2_CQE_VLAN_TCI_WIDTH = 16;
  localparam int unsigned L2_CQE_HASH_LSB = 64;
  localparam int unsigned L2_CQE_HASH_WIDTH = 32;
  localparam int unsigned L2_CQE_PHASE_LSB = 127;
  localparam int unsigned L2_CQE_PHASE_WIDTH = 1;

  // admin_op: command
  localparam logic [7:0] ADMIN_OP_NOP = 8'd0;  ///< answers; also the heartbeat
  localparam logic [7:0] ADMIN_OP_INIT = 8'd1;  ///< first command: SEED; response DATA admin_wants; event ring 0 must be created next; BAD_STATE while there are connections
  localparam logic [7:0] ADMIN_OP_EQ_CREATE = 8'd2;  ///< admin_queue
  localparam logic [7:0] ADMIN_OP_EQ_DESTROY = 8'd3;  ///< admin_queue: ID
  localparam logic [7:0] ADMIN_OP_CQ_CREATE = 8'd4;  ///< admin_queue
  localparam logic [7:0] ADMIN_OP_CQ_DESTROY = 8'd5;  ///< admin_queue: ID
  localparam logic [7:0] ADMIN_OP_QP_CREATE = 8'd6;  ///< admin_qp
  localparam logic [7:0] ADMIN_OP_QP_DESTROY = 8'd7;  ///< admin_qp: QPN; answers when the drain token has passed
  localparam logic [7:0] ADMIN_OP_QP_ERROR = 8'd8;  ///< admin_qp: QPN; to ERROR: reset a live connection, flush
  localparam logic [7:0] ADMIN_OP_QP_QUERY = 8'd9;  ///< admin_qp: QPN; response admin_qp_state
  localparam logic [7:0] ADMIN_OP_MR_SET = 8'd10;  ///< admin_mr: write a tpt entry; a FREE entry, an INVALID one over anything but a FREE one, and a VALID one over a VALID one, answers when the drain token has passed. IN_USE: windows are bound to it, and nothing has changed
  localparam logic [7:0] ADMIN_OP_L2_SET = 8'd11;  ///< admin_l2: write an l2e entry
  localparam logic [7:0] ADMIN_OP_LISTEN = 8'd12;  ///< admin_cm: LOCAL_PORT, LOCAL_ADDR, BACKLOG, HANDLE; response ID is the listener
  localparam logic [7:0] ADMIN_OP_UNLISTEN = 8'd13;  ///< admin_cm: ID
  localparam logic [7:0] ADMIN_OP_CONNECT = 8'd14;  ///< admin_cm: active open; the outcome is CM_CONNECT_REPLY
  localparam logic [7:0] ADMIN_OP_ACCEPT = 8'd15;  ///< admin_cm: ID is the connection handle of CM_CONNECT_REQUEST; then CM_ESTABLISHED or CM_CLOSE
  localparam logic [7:0] ADMIN_OP_REJECT = 8'd16;  ///< admin_cm: ID, private data
  localparam logic [7:0] ADMIN_OP_DISCONNECT = 8'd17;  ///< admin_cm: ID, graceful; then CM_CLOSE
  localparam logic [7:0] ADMIN_OP_ABORT = 8'd18;  ///< admin_cm: ID, RST; then CM_CLOSE
  localparam logic [7:0] ADMIN_OP_QUERY_CONN = 8'd19;  ///< admin_cm: ID; private data of the peer is written to the admin_cm_buf of TAG
  localparam logic [7:0] ADMIN_OP_STATS = 8'd20;  ///< admin_buf: 64-bit counters in the order of docs are written to BUF_ADDR
  localparam logic [7:0] ADMIN_OP_L2_RING = 8'd21;  ///< admin_l2ring: create or destroy the rings of the network device; a destroy answers when the card touches their memory no more
  localparam logic [7:0] ADMIN_OP_MAC_SET = 8'd22;  ///< admin_l2: station address filter: DMAC, promiscuous and all-multicast in FLAGS; MTU of the interface, 0: as before
  localparam logic [7:0] ADMIN_OP_LOCAL_ADDR = 8'd23;  ///< admin_cm: LOCAL_ADDR is an address of this host (FLAGS bit 7: no more). From the first on, listeners on any address answer for these only; those of IPv6 (FLAGS bit 0) never for others
  localparam logic [7:0] ADMIN_OP_CM_QUERY = 8'd24;  ///< admin_cm: state of a connection; FLAGS bit 4: by QPN, else by ID; bit 5: of the first connection at or behind ID mod 65536. Response ID is its handle, DATA admin_cm_state; its last event is written to the admin_cm_buf of TAG as a struct eqe
  localparam logic [7:0] ADMIN_OP_CHUNK_SET = 8'd25;  ///< admin_chunk: memory for the homes of queue pairs is given or taken back; BAD_STATE while one of its queue pairs exists
  localparam logic [7:0] ADMIN_OP_RING_PAGES = 8'd26;  ///< admin_pages: gives pages for receive rings, until the card's next reset. Response ID is how many it took; NO_RESOURCE: not all
  localparam logic [7:0] ADMIN_OP_SRQ_CREATE = 8'd27;  ///< admin_srq: response ID is the SRQN. The queue is empty, its limit not armed
  localparam logic [7:0] ADMIN_OP_SRQ_MODIFY = 8'd28;  ///< admin_srq: ID, LIMIT: armed, 0: disarmed; SRQ_LIMIT comes at once when fewer are left already
  localparam logic [7:0] ADMIN_OP_SRQ_DESTROY = 8'd29;  ///< admin_srq: ID; IN_USE while a queue pair has it
  localparam logic [7:0] ADMIN_OP_SRQ_QUERY = 8'd30;  ///< admin_srq: ID; response DETAIL is the limit that is armed; 0: none is, as SRQ_LIMIT has come or is about to
  localparam logic [7:0] ADMIN_OP_PORT_READ = 8'd31;  ///< admin_port: BYTES of room PORT from OFFSET on are written to BUF_ADDR; NOT_FOUND: a register that is not there was among them and reads 0
  localparam logic [7:0] ADMIN_OP_PORT_WRITE = 8'd32;  ///< admin_port: VALUE into the register at OFFSET of room PORT; NOT_FOUND: there is none
  localparam logic [7:0] ADMIN_OP_CQ_RESIZE = 8'd33;  ///< admin_queue: ID, the ring (LOG2, PIECES, BASE to BASE3): a CQ goes on in this ring; response DETAIL is its FIRST
  localparam logic [7:0] ADMIN_OP_QP_COUNTS = 8'd34;  ///< admin_qp: QPN; response admin_qp_counts
  localparam logic [7:0] ADMIN_OP_CQ_MODERATE = 8'd35;  ///< admin_queue: ID, COUNT, PERIOD: when the events of a CQ that is armed with NEXT are told. With FEATURES CQ_MODERATION. NOT_FOUND: no such CQ
  localparam int unsigned ADMIN_OP_COUNT = 36;

  // admin_status: status of a response
  localparam logic [7:0] ADMIN_STATUS_OK = 8'd0;  ///< 
  localparam logic [7:0] ADMIN_STATUS_BAD_OP = 8'd1;  ///< unknown command
  localparam logic [7:0] ADMIN_STATUS_BAD_PARAM = 8'd2;  ///< DETAIL is the byte offset of the field
  localparam logic [7:0] ADMIN_STATUS_BAD_STATE = 8'd3;  ///< not possible in the object's state
  localparam logic [7:0] ADMIN_STATUS_NO_RESOURCE = 8'd4;  ///< 
  localparam logic [7:0] ADMIN_STATUS_IN_USE = 8'd5;  ///< the object or port is taken
  localparam logic [7:0] ADMIN_STATUS_NOT_FOUND = 8'd6;  ///< no such object
  localparam logic [7:0] ADMIN_STATUS_DMA = 8'd7;  ///< host bus error
  localparam logic [7:0] ADMIN_STATUS_TIMEOUT = 8'd8;  ///< the object did not drain within 2 s of the command; it stays taken, ask again
  localparam logic [7:0] ADMIN_STATUS_HARDWARE = 8'd9;  ///< a room did not answer: the card is past help
  localparam int unsigned ADMIN_STATUS_COUNT = 10;

  /// what every command starts with; fields from byte 8 on belong to the command
  typedef struct packed {
    logic [479:0] rsvd0;
    logic [15:0] tag;  ///< returned
    logic [7:0] rsvd1;
    logic [7:0] op;  ///< enum admin_op
  } admin_cmd_t;
  localparam int unsigned ADMIN_CMD_BYTES = 64;
  localparam int unsigned ADMIN_CMD_OP_LSB = 0;
  localparam int unsigned ADMIN_CMD_OP_WIDTH = 8;
  localparam int unsigned ADMIN_CMD_TAG_LSB = 16;
  localparam int unsigned ADMIN_CMD_TAG_WIDTH = 16;

  /// response
  typedef struct packed {
    logic [0:0] phase;  ///< written last
    logic [126:0] rsvd0;
    logic [255:0] data;  ///< of the command
    logic [31:0] rsvd1;
    logic [31:0] detail;  ///< 
    logic [31:0] id;  ///< what was created
    logic [15:0] tag;  ///< 
    logic [7:0] status;  ///< enum admin_status
    logic [7:0] op;  ///< 
  } admin_rsp_t;
  localparam int unsigned ADMIN_RSP_BYTES = 64;
  localparam int unsigned ADMIN_RSP_OP_LSB = 0;
  localparam int unsigned ADMIN_RSP_OP_WIDTH = 8;
  localparam int unsigned ADMIN_RSP_STATUS_LSB = 8;
  localparam int unsigned ADMIN_RSP_STATUS_WIDTH = 8;
  localparam int unsigned ADMIN_RSP_TAG_LSB = 16;
  localparam int unsigned ADMIN_RSP_TAG_WIDTH = 16;
  localparam int unsigned ADMIN_RSP_ID_LSB = 32;
  localparam int unsigned ADMIN_RSP_ID_WIDTH = 32;
  localparam int unsigned ADMIN_RSP_DETAIL_LSB = 64;
  localparam int unsigned ADMIN_RSP_DETAIL_WIDTH = 32;
  localparam int unsigned ADMIN_RSP_DATA_LSB = 128;
  localparam int unsigned ADMIN_RSP_DATA_WIDTH = 256;
  localparam int unsigned ADMIN_RSP_PHASE_LSB = 511;
  localparam int unsigned ADMIN_RSP_PHASE_WIDTH = 1;

  /// INIT
  typedef struct packed {
    logic [63:0] rsvd0;
    logic [63:0] cm_buf;  ///< bus address of an array of admin_cm_buf, one for each admin ring entry
    logic [15:0] rsvd1;
    logic [7:0] ring_shift;  ///< pages for receive rings are to be of 4 KiB << this, or as large as the card can; counts until the first page was given
    logic [7:0] max_retries;  ///< retransmissions before TCP gives up; 0: the default
    logic [31:0] min_rto_us;  ///< smallest retransmission time-out, microseconds; 0: the default
    logic [255:0] seed;  ///< random bytes for initial sequence numbers and the lookup hash
    logic [63:0] rsvd2;
  } admin_init_t;
  localparam int unsigned ADMIN_INIT_BYTES = 64;
  localparam int unsigned ADMIN_INIT_SEED_LSB = 64;
  localparam int unsigned ADMIN_INIT_SEED_WIDTH = 256;
  localparam int unsigned ADMIN_INIT_MIN_RTO_US_LSB = 320;
  localparam int unsigned ADMIN_INIT_MIN_RTO_US_WIDTH = 32;
  localparam int unsigned ADMIN_INIT_MAX_RETRIES_LSB = 352;
  localparam int unsigned ADMIN_INIT_MAX_RETRIES_WIDTH = 8;
  localparam int unsigned ADMIN_INIT_RING_SHIFT_LSB = 360;
  localparam int unsigned ADMIN_INIT_RING_SHIFT_WIDTH = 8;
  localparam int unsigned ADMIN_INIT_CM_BUF_LSB = 384;
  localparam int unsigned ADMIN_INIT_CM_BUF_WIDTH = 64;

  /// DATA of INIT: host memory that the card wants before the first QP_CREATE; zero on a card that wants none
  typedef struct packed {
    logic [151:0] rsvd0;
    logic [7:0] ring_shift;  ///< a page is of 4 KiB << this
    logic [31:0] ring_pages;  ///< pages for receive rings, at most; fewer make fewer rings
    logic [31:0] chunk_qps;  ///< queue pairs whose homes it holds: chunk N those from N times this on
    logic [31:0] chunk_bytes;  ///< bytes and alignment of a chunk
  } admin_wants_t;
  localparam int unsigned ADMIN_WANTS_BYTES = 32;
  localparam int unsigned ADMIN_WANTS_CHUNK_BYTES_LSB = 0;
  localparam int unsigned ADMIN_WANTS_CHUNK_BYTES_WIDTH = 32;
  localparam int unsigned ADMIN_WANTS_CHUNK_QPS_LSB = 32;
  localparam int unsigned ADMIN_WANTS_CHUNK_QPS_WIDTH = 32;
  localparam int unsigned ADMIN_WANTS_RING_PAGES_LSB = 64;
  localparam int unsigned ADMIN_WANTS_RING_PAGES_WIDTH = 32;
  localparam int unsigned ADMIN_WANTS_RING_SHIFT_LSB = 96;
  localparam int unsigned ADMIN_WANTS_RING_SHIFT_WIDTH = 8;

  /// CHUNK_SET
  typedef struct packed {
    logic [375:0] rsvd0;
    logic [7:0] enable;  ///< 1: give, 0: take back
    logic [63:0] base;  ///< bus address, aligned to its size
    logic [31:0] id;  ///< number of the chunk
    logic [31:0] rsvd1;
  } admin_chunk_t;
  localparam int unsigned ADMIN_CHUNK_BYTES = 64;
  localparam int unsigned ADMIN_CHUNK_ID_LSB = 32;
  localparam int unsigned ADMIN_CHUNK_ID_WIDTH = 32;
  localparam int unsigned ADMIN_CHUNK_BASE_LSB = 64;
  localparam int unsigned ADMIN_CHUNK_BASE_WIDTH = 64;
  localparam int unsigned ADMIN_CHUNK_ENABLE_LSB = 128;
  localparam int unsigned ADMIN_CHUNK_ENABLE_WIDTH = 8;

  /// RING_PAGES
  typedef struct packed {
    logic [383:0] rsvd0;
    logic [63:0] base;  ///< bus address of the first, aligned to the size of a page
    logic [31:0] count;  ///< pages, 1 to 1,024, one behind the other
    logic [31:0] rsvd1;
  } admin_pages_t;
  localparam int unsigned ADMIN_PAGES_BYTES = 64;
  localparam int unsigned ADMIN_PAGES_COUNT_LSB = 32;
  localparam int unsigned ADMIN_PAGES_COUNT_WIDTH = 32;
  localparam int unsigned ADMIN_PAGES_BASE_LSB = 64;
  localparam int unsigned ADMIN_PAGES_BASE_WIDTH = 64;

  /// EQ_CREATE, CQ_CREATE, their destroys, CQ_RESIZE, CQ_MODERATE
  typedef struct packed {
    logic [95:0] rsvd0;
    logic [15:0] period;  ///< CQ_MODERATE: microseconds
    logic [15:0] count;  ///< CQ_MODERATE: completions
    logic [63:0] base3;  ///< 
    logic [63:0] base2;  ///< with four pieces
    logic [63:0] base1;  ///< of the second piece. With more than one all are aligned to 4 KiB, whatever their size
    logic [15:0] rsvd1;
    logic [15:0] db_page;  ///< CQ: doorbell page
    logic [15:0] vector;  ///< EQ: MSI-X vector, 0xffff none. CQ: EQN, 0xffff none
    logic [7:0] pieces;  ///< CQ: log2 of pieces, less than LOG2, at most CAP_CQ_RING; EQ: 0
    logic [7:0] log2;  ///< log2 of entries
    logic [63:0] base;  ///< bus address, aligned to the entry size times 2
    logic [31:0] id;  ///< EQN or CQN, chosen by the driver
    logic [31:0] rsvd2;
  } admin_queue_t;
  localparam int unsigned ADMIN_QUEUE_BYTES = 64;
  localparam int unsigned ADMIN_QUEUE_ID_LSB = 32;
  localparam int unsigned ADMIN_QUEUE_ID_WIDTH = 32;
  localparam int unsigned ADMIN_QUEUE_BASE_LSB = 64;
  localparam int unsigned ADMIN_QUEUE_BASE_WIDTH = 64;
  localparam int unsigned ADMIN_QUEUE_LOG2_LSB = 128;
  localparam int unsigned ADMIN_QUEUE_LOG2_WIDTH = 8;
  localparam int unsigned ADMIN_QUEUE_PIECES_LSB = 136;
  localparam int unsigned ADMIN_QUEUE_PIECES_WIDTH = 8;
  localparam int unsigned ADMIN_QUEUE_VECTOR_LSB = 144;
  localparam int unsigned ADMIN_QUEUE_VECTOR_WIDTH = 16;
  localparam int unsigned ADMIN_QUEUE_DB_PAGE_LSB = 160;
  localparam int unsigned ADMIN_QUEUE_DB_PAGE_WIDTH = 16;
  localparam int unsigned ADMIN_QUEUE_BASE1_LSB = 192;
  localparam int unsigned ADMIN_QUEUE_BASE1_WIDTH = 64;
  localparam int unsigned ADMIN_QUEUE_BASE2_LSB = 256;
  localparam int unsigned ADMIN_QUEUE_BASE2_WIDTH = 64;
  localparam int unsigned ADMIN_QUEUE_BASE3_LSB = 320;
  localparam int unsigned ADMIN_QUEUE_BASE3_WIDTH = 64;
  localparam int unsigned ADMIN_QUEUE_COUNT_LSB = 384;
  localparam int unsigned ADMIN_QUEUE_COUNT_WIDTH = 16;
  localparam int unsigned ADMIN_QUEUE_PERIOD_LSB = 400;
  localparam int unsigned ADMIN_QUEUE_PERIOD_WIDTH = 16;

  /// QP_CREATE and the others by QPN
  typedef struct packed {
    logic [127:0] rsvd0;
    logic [31:0] srq_pd;  ///< protection domain of SRQN
    logic [15:0] srqn;  ///< 
    logic [7:0] ord;  ///< 
    logic [7:0] ird;  ///< 
    logic [7:0] flags;  ///< bit 0: privileged (STag 0); bit 1: receives from SRQN, RQ_BASE, RQ_LOG2 and RQ_STRIDE are those of that queue
    logic [7:0] access;  ///< enum access: remote rights of the QP
    logic [15:0] db_page;  ///< 
    logic [31:0] pd;  ///< 
    logic [15:0] rcqn;  ///< 
    logic [15:0] scqn;  ///< 
    logic [7:0] rq_stride;  ///< enum stride
    logic [7:0] sq_stride;  ///< enum stride
    logic [7:0] rq_log2;  ///< 
    logic [7:0] sq_log2;  ///< 
    logic [63:0] rq_base;  ///< 64-byte aligned
    logic [63:0] sq_base;  ///< 64-byte aligned
    logic [31:0] qpn;  ///< chosen by the driver, not 0
    logic [31:0] rsvd1;
  } admin_qp_t;
  localparam int unsigned ADMIN_QP_BYTES = 64;
  localparam int unsigned ADMIN_QP_QPN_LSB = 32;
  localparam int unsigned ADMIN_QP_QPN_WIDTH = 32;
  localparam int unsigned ADMIN_QP_SQ_BASE_LSB = 64;
  localparam int unsigned ADMIN_QP_SQ_BASE_WIDTH = 64;
  localparam int unsigned ADMIN_QP_RQ_BASE_LSB = 128;
  localparam int unsigned ADMIN_QP_RQ_BASE_WIDTH = 64;
  localparam int unsigned ADMIN_QP_SQ_LOG2_LSB = 192;
  localparam int unsigned ADMIN_QP_SQ_LOG2_WIDTH = 8;
  localparam int unsigned ADMIN_QP_RQ_LOG2_LSB = 200;
  localparam int unsigned ADMIN_QP_RQ_LOG2_WIDTH = 8;
  localparam int unsigned ADMIN_QP_SQ_STRIDE_LSB = 208;
  localparam int unsigned ADMIN_QP_SQ_STRIDE_WIDTH = 8;
  localparam int unsigned ADMIN_QP_RQ_STRIDE_LSB = 216;
  localparam int unsigned ADMIN_QP_RQ_STRIDE_WIDTH = 8;
  localparam int unsigned ADMIN_QP_SCQN_LSB = 224;
  localparam int unsigned ADMIN_QP_SCQN_WIDTH = 16;
  localparam int unsigned ADMIN_QP_RCQN_LSB = 240;
  localparam int unsigned ADMIN_QP_RCQN_WIDTH = 16;
  localparam int unsigned ADMIN_QP_PD_LSB = 256;
  localparam int unsigned ADMIN_QP_PD_WIDTH = 32;
  localparam int unsigned ADMIN_QP_DB_PAGE_LSB = 288;
  localparam int unsigned ADMIN_QP_DB_PAGE_WIDTH = 16;
  localparam int unsigned ADMIN_QP_ACCESS_LSB = 304;
  localparam int unsigned ADMIN_QP_ACCESS_WIDTH = 8;
  localparam int unsigned ADMIN_QP_FLAGS_LSB = 312;
  localparam int unsigned ADMIN_QP_FLAGS_WIDTH = 8;
  localparam int unsigned ADMIN_QP_IRD_LSB = 320;
  localparam int unsigned ADMIN_QP_IRD_WIDTH = 8;
  localparam int unsigned ADMIN_QP_ORD_LSB = 328;
  localparam int unsigned ADMIN_QP_ORD_WIDTH = 8;
  localparam int unsigned ADMIN_QP_SRQN_LSB = 336;
  localparam int unsigned ADMIN_QP_SRQN_WIDTH = 16;
  localparam int unsigned ADMIN_QP_SRQ_PD_LSB = 352;
  localparam int unsigned ADMIN_QP_SRQ_PD_WIDTH = 32;

  /// SRQ_CREATE, SRQ_MODIFY, SRQ_DESTROY, SRQ_QUERY
  typedef struct packed {
    logic [399:0] rsvd0;
    logic [15:0] limit;  ///< 
    logic [15:0] db_page;  ///< 
    logic [7:0] rsvd1;
    logic [7:0] log2;  ///< log2 of entries, at most RQ_LOG2_MAX
    logic [31:0] id;  ///< SRQN, chosen by the driver
    logic [31:0] rsvd2;
  } admin_srq_t;
  localparam int unsigned ADMIN_SRQ_BYTES = 64;
  localparam int unsigned ADMIN_SRQ_ID_LSB = 32;
  localparam int unsigned ADMIN_SRQ_ID_WIDTH = 32;
  localparam int unsigned ADMIN_SRQ_LOG2_LSB = 64;
  localparam int unsigned ADMIN_SRQ_LOG2_WIDTH = 8;
  localparam int unsigned ADMIN_SRQ_DB_PAGE_LSB = 80;
  localparam int unsigned ADMIN_SRQ_DB_PAGE_WIDTH = 16;
  localparam int unsigned ADMIN_SRQ_LIMIT_LSB = 96;
  localparam int unsigned ADMIN_SRQ_LIMIT_WIDTH = 16;

  // stride: bytes of a WQE
  localparam logic [1:0] STRIDE_B64 = 2'd0;  ///< 
  localparam logic [1:0] STRIDE_B128 = 2'd1;  ///< 
  localparam logic [1:0] STRIDE_B256 = 2'd2;  ///< 
  localparam int unsigned STRIDE_COUNT = 3;

  /// DATA of QP_QUERY
  typedef struct packed {
    logic [63:0] rsvd0;
    logic [31:0] terminate;  ///< last Terminate control word sent or received
    logic [31:0] rcv_nxt;  ///< 
    logic [31:0] snd_nxt;  ///< 
    logic [31:0] snd_una;  ///< 
    logic [15:0] rsvd1;
    logic [15:0] rq_index;  ///< next receive WQE to complete
    logic [15:0] sq_index;  ///< next send WQE to complete
    logic [7:0] rsvd2;
    logic [7:0] state;  ///< enum qp_state
  } admin_qp_state_t;
  localparam int unsigned ADMIN_QP_STATE_BYTES = 32;
  localparam int unsigned ADMIN_QP_STATE_STATE_LSB = 0;
  localparam int unsigned ADMIN_QP_STATE_STATE_WIDTH = 8;
  localparam int unsigned ADMIN_QP_STATE_SQ_INDEX_LSB = 16;
  localparam int unsigned ADMIN_QP_STATE_SQ_INDEX_WIDTH = 16;
  localparam int unsigned ADMIN_QP_STATE_RQ_INDEX_LSB = 32;
  localparam int unsigned ADMIN_QP_STATE_RQ_INDEX_WIDTH = 16;
  localparam int unsigned ADMIN_QP_STATE_SND_UNA_LSB = 64;
  localparam int unsigned ADMIN_QP_STATE_SND_UNA_WIDTH = 32;
  localparam int unsigned ADMIN_QP_STATE_SND_NXT_LSB = 96;
  localparam int unsigned ADMIN_QP_STATE_SND_NXT_WIDTH = 32;
  localparam int unsigned ADMIN_QP_STATE_RCV_NXT_LSB = 128;
  localparam int unsigned ADMIN_QP_STATE_RCV_NXT_WIDTH = 32;
  localparam int unsigned ADMIN_QP_STATE_TERMINATE_LSB = 160;
  localparam int unsigned ADMIN_QP_STATE_TERMINATE_WIDTH = 32;

  /// DATA of QP_COUNTS: all 0 before there is a connection; as current as what QP_QUERY tells
  typedef struct packed {
    logic [31:0] rx_reads;  ///< Read and Atomic Requests of the peer
    logic [31:0] rx_sends;  ///< Sends and Immediate Data of the peer that are complete
    logic [31:0] tx_reads;  ///< Read and Atomic Requests that were begun
    logic [31:0] tx_sends;  ///< Sends and Immediate Data that were begun; this and what follows mod 2^32
    logic [63:0] rx_bytes;  ///< bytes of the peer's stream that were taken in order
    logic [63:0] tx_bytes;  ///< bytes of the TCP stream that are acknowledged, those of the handshake and of MPA too
  } admin_qp_counts_t;
  localparam int unsigned ADMIN_QP_COUNTS_BYTES = 32;
  localparam int unsigned ADMIN_QP_COUNTS_TX_BYTES_LSB = 0;
  localparam int unsigned ADMIN_QP_COUNTS_TX_BYTES_WIDTH = 64;
  localparam int unsigned ADMIN_QP_COUNTS_RX_BYTES_LSB = 64;
  localparam int unsigned ADMIN_QP_COUNTS_RX_BYTES_WIDTH = 64;
  localparam int unsigned ADMIN_QP_COUNTS_TX_SENDS_LSB = 128;
  localparam int unsigned ADMIN_QP_COUNTS_TX_SENDS_WIDTH = 32;
  localparam int unsigned ADMIN_QP_COUNTS_TX_READS_LSB = 160;
  localparam int unsigned ADMIN_QP_COUNTS_TX_READS_WIDTH = 32;
  localparam int unsigned ADMIN_QP_COUNTS_RX_SENDS_LSB = 192;
  localparam int unsigned ADMIN_QP_COUNTS_RX_SENDS_WIDTH = 32;
  localparam int unsigned ADMIN_QP_COUNTS_RX_READS_LSB = 224;
  localparam int unsigned ADMIN_QP_COUNTS_RX_READS_WIDTH = 32;

  /// MR_SET: the slot is that of STAG
  typedef struct packed {
    logic [55:0] rsvd0;
    logic [7:0] flags;  ///< bit 0: DIRECT; bit 1: only if the entry is VALID or CLOSED and its QPN is not 0 and no queue pair's that is there, else nothing changes
    logic [31:0] fbo;  ///< 
    logic [31:0] pbl_count;  ///< 
    logic [63:0] pbl;  ///< 
    logic [63:0] length;  ///< 
    logic [63:0] base;  ///< 
    logic [31:0] rsvd1;
    logic [31:0] qpn;  ///< 
    logic [31:0] pd;  ///< 
    logic [7:0] page_log2;  ///< 
    logic [7:0] access;  ///< enum access
    logic [7:0] kind;  ///< enum tpt_type
    logic [7:0] state;  ///< enum tpt_state
    logic [31:0] stag;  ///< 
    logic [31:0] rsvd2;
  } admin_mr_t;
  localparam int unsigned ADMIN_MR_BYTES = 64;
  localparam int unsigned ADMIN_MR_STAG_LSB = 32;
  localparam int unsigned ADMIN_MR_STAG_WIDTH = 32;
  localparam int unsigned ADMIN_MR_STATE_LSB = 64;
  localparam int unsigned ADMIN_MR_STATE_WIDTH = 8;
  localparam int unsigned ADMIN_MR_KIND_LSB = 72;
  localparam int unsigned ADMIN_MR_KIND_WIDTH = 8;
  localparam int unsigned ADMIN_MR_ACCESS_LSB = 80;
  localparam int unsigned ADMIN_MR_ACCESS_WIDTH = 8;
  localparam int unsigned ADMIN_MR_PAGE_LOG2_LSB = 88;
  localparam int unsigned ADMIN_MR_PAGE_LOG2_WIDTH = 8;
  localparam int unsigned ADMIN_MR_PD_LSB = 96;
  localparam int unsigned ADMIN_MR_PD_WIDTH = 32;
  localparam int unsigned ADMIN_MR_QPN_LSB = 128;
  localparam int unsigned ADMIN_MR_QPN_WIDTH = 32;
  localparam int unsigned ADMIN_MR_BASE_LSB = 192;
  localparam int unsigned ADMIN_MR_BASE_WIDTH = 64;
  localparam int unsigned ADMIN_MR_LENGTH_LSB = 256;
  localparam int unsigned ADMIN_MR_LENGTH_WIDTH = 64;
  localparam int unsigned ADMIN_MR_PBL_LSB = 320;
  localparam int unsigned ADMIN_MR_PBL_WIDTH = 64;
  localparam int unsigned ADMIN_MR_PBL_COUNT_LSB = 384;
  localparam int unsigned ADMIN_MR_PBL_COUNT_WIDTH = 32;
  localparam int unsigned ADMIN_MR_FBO_LSB = 416;
  localparam int unsigned ADMIN_MR_FBO_WIDTH = 32;
  localparam int unsigned ADMIN_MR_FLAGS_LSB = 448;
  localparam int unsigned ADMIN_MR_FLAGS_WIDTH = 8;

  /// L2_SET, MAC_SET
  typedef struct packed {
    logic [295:0] rsvd0;
    logic [7:0] flags;  ///< L2_SET: bit 0 VALID, bit 1 VLAN. MAC_SET: bit 0 promiscuous, bit 1 all multicast
    logic [15:0] mtu;  ///< 
    logic [15:0] vlan_tci;  ///< 
    logic [47:0] smac;  ///< 
    logic [15:0] rsvd1;
    logic [47:0] dmac;  ///< 
    logic [31:0] id;  ///< index of the entry
    logic [31:0] rsvd2;
  } admin_l2_t;
  localparam int unsigned ADMIN_L2_BYTES = 64;
  localparam int unsigned ADMIN_L2_ID_LSB = 32;
  localparam int unsigned ADMIN_L2_ID_WIDTH = 32;
  localparam int unsigned ADMIN_L2_DMAC_LSB = 64;
  localparam int unsigned ADMIN_L2_DMAC_WIDTH = 48;
  localparam int unsigned ADMIN_L2_SMAC_LSB = 128;
  localparam int unsigned ADMIN_L2_SMAC_WIDTH = 48;
  localparam int unsigned ADMIN_L2_VLAN_TCI_LSB = 176;
  localparam int unsigned ADMIN_L2_VLAN_TCI_WIDTH = 16;
  localparam int unsigned ADMIN_L2_MTU_LSB = 192;
  localparam int unsigned ADMIN_L2_MTU_WIDTH = 16;
  localparam int unsigned ADMIN_L2_FLAGS_LSB = 208;
  localparam int unsigned ADMIN_L2_FLAGS_WIDTH = 8;

  /// L2_RING: one pair of rings
  typedef struct packed {
    logic [127:0] rsvd0;
    logic [15:0] rx_vector;  ///< 
    logic [15:0] tx_vector;  ///< MSI-X vector raised for transmit completions while armed
    logic [7:0] rsvd1;
    logic [7:0] enable;  ///< 1: create, 0: destroy
    logic [7:0] rx_log2;  ///< 
    logic [7:0] tx_log2;  ///< 
    logic [63:0] rx_cq_base;  ///< 
    logic [63:0] tx_cq_base;  ///< completions, as many as descriptors
    logic [63:0] rx_base;  ///< descriptors
    logic [63:0] tx_base;  ///< descriptors
    logic [31:0] id;  ///< pair
    logic [31:0] rsvd2;
  } admin_l2ring_t;
  localparam int unsigned ADMIN_L2RING_BYTES = 64;
  localparam int unsigned ADMIN_L2RING_ID_LSB = 32;
  localparam int unsigned ADMIN_L2RING_ID_WIDTH = 32;
  localparam int unsigned ADMIN_L2RING_TX_BASE_LSB = 64;
  localparam int unsigned ADMIN_L2RING_TX_BASE_WIDTH = 64;
  localparam int unsigned ADMIN_L2RING_RX_BASE_LSB = 128;
  localparam int unsigned ADMIN_L2RING_RX_BASE_WIDTH = 64;
  localparam int unsigned ADMIN_L2RING_TX_CQ_BASE_LSB = 192;
  localparam int unsigned ADMIN_L2RING_TX_CQ_BASE_WIDTH = 64;
  localparam int unsigned ADMIN_L2RING_RX_CQ_BASE_LSB = 256;
  localparam int unsigned ADMIN_L2RING_RX_CQ_BASE_WIDTH = 64;
  localparam int unsigned ADMIN_L2RING_TX_LOG2_LSB = 320;
  localparam int unsigned ADMIN_L2RING_TX_LOG2_WIDTH = 8;
  localparam int unsigned ADMIN_L2RING_RX_LOG2_LSB = 328;
  localparam int unsigned ADMIN_L2RING_RX_LOG2_WIDTH = 8;
  localparam int unsigned ADMIN_L2RING_ENABLE_LSB = 336;
  localparam int unsigned ADMIN_L2RING_ENABLE_WIDTH = 8;
  localparam int unsigned ADMIN_L2RING_TX_VECTOR_LSB = 352;
  localparam int unsigned ADMIN_L2RING_TX_VECTOR_WIDTH = 16;
  localparam int unsigned ADMIN_L2RING_RX_VECTOR_LSB = 368;
  localparam int unsigned ADMIN_L2RING_RX_VECTOR_WIDTH = 16;

  /// LISTEN to QUERY_CONN
  typedef struct packed {
    logic [31:0] rsvd0;
    logic [15:0] pd_bytes;  ///< private data bytes, in the admin_cm_buf of TAG
    logic [7:0] ord;  ///< 
    logic [7:0] ird;  ///< 
    logic [111:0] rsvd1;
    logic [15:0] backlog;  ///< LISTEN: connections that may wait for ACCEPT or REJECT; 0: no limit but the card's
    logic [127:0] local_addr;  ///< network order; IPv4 in bytes 0 to 3; all zero for LISTEN on any
    logic [7:0] tos;  ///< 
    logic [7:0] flags;  ///< bit 0 IPv6, bit 1 MPA revision 2, bit 2 CRC wanted, bit 3 peer-to-peer
    logic [15:0] l2;  ///< index of the l2e entry
    logic [15:0] peer_port;  ///< 
    logic [15:0] local_port;  ///< host order
    logic [31:0] handle;  ///< cookie of the driver, returned in events
    logic [31:0] qpn;  ///< CONNECT, ACCEPT
    logic [31:0] id;  ///< connection handle or listener
    logic [31:0] rsvd2;
  } admin_cm_t;
  localparam int unsigned ADMIN_CM_BYTES = 64;
  localparam int unsigned ADMIN_CM_ID_LSB = 32;
  localparam int unsigned ADMIN_CM_ID_WIDTH = 32;
  localparam int unsigned ADMIN_CM_QPN_LSB = 64;
  localparam int unsigned ADMIN_CM_QPN_WIDTH = 32;
  localparam int unsigned ADMIN_CM_HANDLE_LSB = 96;
  localparam int unsigned ADMIN_CM_HANDLE_WIDTH = 32;
  localparam int unsigned ADMIN_CM_LOCAL_PORT_LSB = 128;
  localparam int unsigned ADMIN_CM_LOCAL_PORT_WIDTH = 16;
  localparam int unsigned ADMIN_CM_PEER_PORT_LSB = 144;
  localparam int unsigned ADMIN_CM_PEER_PORT_WIDTH = 16;
  localparam int unsigned ADMIN_CM_L2_LSB = 160;
  localparam int unsigned ADMIN_CM_L2_WIDTH = 16;
  localparam int unsigned ADMIN_CM_FLAGS_LSB = 176;
  localparam int unsigned ADMIN_CM_FLAGS_WIDTH = 8;
  localparam int unsigned ADMIN_CM_TOS_LSB = 184;
  localparam int unsigned ADMIN_CM_TOS_WIDTH = 8;
  localparam int unsigned ADMIN_CM_LOCAL_ADDR_LSB = 192;
  localparam int unsigned ADMIN_CM_LOCAL_ADDR_WIDTH = 128;
  localparam int unsigned ADMIN_CM_BACKLOG_LSB = 320;
  localparam int unsigned ADMIN_CM_BACKLOG_WIDTH = 16;
  localparam int unsigned ADMIN_CM_IRD_LSB = 448;
  localparam int unsigned ADMIN_CM_IRD_WIDTH = 8;
  localparam int unsigned ADMIN_CM_ORD_LSB = 456;
  localparam int unsigned ADMIN_CM_ORD_WIDTH = 8;
  localparam int unsigned ADMIN_CM_PD_BYTES_LSB = 464;
  localparam int unsigned ADMIN_CM_PD_BYTES_WIDTH = 16;

  /// DATA of CM_QUERY
  typedef struct packed {
    logic [159:0] rsvd0;
    logic [31:0] posted;  ///< events that firmware has posted to event queue 0 since INIT, modulo 2^32
    logic [31:0] qpn;  ///< 0: none yet, or no more
    logic [23:0] rsvd1;
    logic [7:0] state;  ///< enum cm_state
  } admin_cm_state_t;
  localparam int unsigned ADMIN_CM_STATE_BYTES = 32;
  localparam int unsigned ADMIN_CM_STATE_STATE_LSB = 0;
  localparam int unsigned ADMIN_CM_STATE_STATE_WIDTH = 8;
  localparam int unsigned ADMIN_CM_STATE_QPN_LSB = 32;
  localparam int unsigned ADMIN_CM_STATE_QPN_WIDTH = 32;
  localparam int unsigned ADMIN_CM_STATE_POSTED_LSB = 64;
  localparam int unsigned ADMIN_CM_STATE_POSTED_WIDTH = 32;

  // cm_state: state of a connection
  localparam logic [7:0] CM_STATE_CONNECTING = 8'd0;  ///< CONNECT was answered, CM_CONNECT_REPLY has not been posted
  localparam logic [7:0] CM_STATE_REQUESTED = 8'd1;  ///< CM_CONNECT_REQUEST was posted; ACCEPT or REJECT is waited for
  localparam logic [7:0] CM_STATE_OPEN = 8'd2;  ///< CM_CONNECT_REPLY or CM_ESTABLISHED was posted
  localparam logic [7:0] CM_STATE_CLOSING = 8'd3;  ///< CM_CLOSE has not been posted
  localparam logic [7:0] CM_STATE_REJECTED = 8'd4;  ///< CM_CONNECT_REPLY was posted, the private data wait for QUERY_CONN
  localparam int unsigned CM_STATE_COUNT = 5;

  /// host buffer slot of CONNECT, ACCEPT, REJECT and QUERY_CONN: slot TAG mod 2^ADMIN_LOG2 at CM_BUF of INIT
  typedef struct packed {
    logic [3839:0] rsvd0;
    logic [4095:0] private_data;  ///< PD_BYTES of it
    logic [127:0] rsvd1;
    logic [127:0] peer_addr;  ///< network order
  } admin_cm_buf_t;
  localparam int unsigned ADMIN_CM_BUF_BYTES = 1024;
  localparam int unsigned ADMIN_CM_BUF_PEER_ADDR_LSB = 0;
  localparam int unsigned ADMIN_CM_BUF_PEER_ADDR_WIDTH = 128;
  localparam int unsigned ADMIN_CM_BUF_PRIVATE_DATA_LSB = 256;
  localparam int unsigned ADMIN_CM_BUF_PRIVATE_DATA_WIDTH = 4096;

  /// STATS
  typedef struct packed {
    logic [351:0] rsvd0;
    logic [31:0] bytes;  ///< 
    logic [63:0] buf_addr;  ///< bus address
    logic [63:0] rsvd1;
  } admin_buf_t;
  localparam int unsigned ADMIN_BUF_BYTES = 64;
  localparam int unsigned ADMIN_BUF_BUF_ADDR_LSB = 64;
  localparam int unsigned ADMIN_BUF_BUF_ADDR_WIDTH = 64;
  localparam int unsigned ADMIN_BUF_BYTES_LSB = 128;
  localparam int unsigned ADMIN_BUF_BYTES_WIDTH = 32;

  /// PORT_READ, PORT_WRITE
  typedef struct packed {
    logic [287:0] rsvd0;
    logic [31:0] value;  ///< 
    logic [31:0] offset;  ///< a multiple of 4, below 64 KiB with BYTES
    logic [31:0] bytes;  ///< a multiple of 8, at most 4,096
    logic [63:0] buf_addr;  ///< bus address, a multiple of 8
    logic [63:0] rsvd1;
  } admin_port_t;
  localparam int unsigned ADMIN_PORT_BYTES = 64;
  localparam int unsigned ADMIN_PORT_BUF_ADDR_LSB = 64;
  localparam int unsigned ADMIN_PORT_BUF_ADDR_WIDTH = 64;
  localparam int unsigned ADMIN_PORT_BYTES_LSB = 128;
  localparam int unsigned ADMIN_PORT_BYTES_WIDTH = 32;
  localparam int unsigned ADMIN_PORT_OFFSET_LSB = 160;
  localparam int unsigned ADMIN_PORT_OFFSET_WIDTH = 32;
  localparam int unsigned ADMIN_PORT_VALUE_LSB = 192;
  localparam int unsigned ADMIN_PORT_VALUE_WIDTH = 32;

  // room: room number on the configuration bus
  localparam logic [5:0] ROOM_MGMT = 6'd0;  ///< sys: core-wide registers
  localparam logic [5:0] ROOM_DB = 6'd1;  ///< word (kind << 18 | id << 2): doorbell page owner {valid[31], page[15:0]}; kind 0 QP, 1 CQ, 2 SRQ. A QP that gets an owner has both producer indices at 0
  localparam logic [5:0] ROOM_QP_TX = 6'd2;  ///< send half of the data path, in events; it has no registers
  localparam logic [5:0] ROOM_RX = 6'd3;  ///< receive half of the data path, in events; shared receive queues, 8 bytes each at 8 times the SRQN (SRQ_*)
  localparam logic [5:0] ROOM_CONN = 6'd4;  ///< look-up commands (LOOK_*)
  localparam logic [5:0] ROOM_L2T = 6'd5;  ///< context window l2e, by index
  localparam logic [5:0] ROOM_TPT = 6'd6;  ///< context window tpt, by slot
  localparam logic [5:0] ROOM_CQ = 6'd7;  ///< context window ctx_cq, by CQN
  localparam logic [5:0] ROOM_EQ = 6'd8;  ///< context window ctx_eq, by EQN
  localparam logic [5:0] ROOM_STEER = 6'd9;  ///< bit map of local TCP ports that belong to the card: word (port >> 5) << 2; station address at 0x2000
  localparam logic [5:0] ROOM_L2Q = 6'd10;  ///< context window ctx_l2q, by pair
  localparam logic [5:0] ROOM_STATS = 6'd11;  ///< word pairs: 64-bit counters, low word first; reading the low word latches the high one
  localparam logic [5:0] ROOM_CTX = 6'd12;  ///< homes and commands of the data path (CTX_*)
  localparam logic [5:0] ROOM_VALUE = 6'd13;  ///< value slots (Terminates); word w of slot s at s * 64 + w * 4, written only
  localparam logic [5:0] ROOM_RING = 6'd14;  ///< receive rings, and whether it is ready (RING_*)
  localparam logic [5:0] ROOM_PORT = 6'd15;  ///< what stands between the core and its cable: the MAC (PORT_*, enum mac_stat); there with FEATURES PORT
  localparam int unsigned ROOM_COUNT = 16;

  // qp_state: state of a QP's half in hardware
  localparam logic [1:0] QP_STATE_RESET = 2'd0;  ///< does nothing; doorbells are remembered
  localparam logic [1:0] QP_STATE_RTS = 2'd1;  ///< runs
  localparam logic [1:0] QP_STATE_HALT = 2'd2;  ///< stops after what is started; keeps state for firmware
  localparam logic [1:0] QP_STATE_ERR = 2'd3;  ///< flushes every posted WQE, in order
  localparam int unsigned QP_STATE_COUNT = 4;

  // ctx_cmd: what the commit of a context does
  localparam logic [7:0] CTX_CMD_WRITE = 8'd0;  ///< load every field (object must be quiet)
  localparam logic [7:0] CTX_CMD_SET_STATE = 8'd1;  ///< CQ, EQ: change VALID only
  localparam logic [7:0] CTX_CMD_DRAIN = 8'd2;  ///< answer FW event DRAINED when nothing of this object is in flight
  localparam logic [7:0] CTX_CMD_RESIZE = 8'd3;  ///< CQ: the ring (BASE to BASE3, PIECES, LOG2) is loaded, and FIRST is PI, if the queue lives, what is unread fits, and a doorbell has said what is; see RESIZED
  localparam logic [7:0] CTX_CMD_MODERATE = 8'd4;  ///< CQ: HOLD and PERIOD are loaded, and what is held back is told
  localparam int unsigned CTX_CMD_COUNT = 5;

  /// completion queue
  typedef struct packed {
    logic [23:0] rsvd0;
    logic [7:0] cmd;  ///< enum ctx_cmd
    logic [63:0] rsvd1;
    logic [15:0] period;  ///< units of 1,024 ns: and for no longer; at most 64,000
    logic [15:0] hold;  ///< WRITE, MODERATE: the event of arm NEXT is held back while no more are unread; 0: it is not held back
    logic [63:0] base3;  ///< 
    logic [63:0] base2;  ///< 
    logic [63:0] base1;  ///< of the second piece, 4 KiB aligned, as are the next two
    logic [7:0] rsvd2;
    logic [23:0] first;  ///< index of an entry at place 0, of phase 1; of WRITE also the consumer index until the first doorbell
    logic [31:0] pi;  ///< producer index (read back)
    logic [29:0] rsvd3;
    logic [0:0] resized;  ///< read back: the last RESIZE, of whatever CQ, was done
    logic [0:0] valid;  ///< 
    logic [15:0] eqn;  ///< 0xffff: none
    logic [7:0] pieces;  ///< log2 of pieces, less than LOG2; with more than the card can the queue is not valid
    logic [7:0] log2;  ///< 
    logic [63:0] base;  ///< bits 5:0 are 0; of more than one piece bits 11:0
  } ctx_cq_t;
  localparam int unsigned CTX_CQ_BYTES = 64;
  localparam int unsigned CTX_CQ_BASE_LSB = 0;
  localparam int unsigned CTX_CQ_BASE_WIDTH = 64;
  localparam int unsigned CTX_CQ_LOG2_LSB = 64;
  localparam int unsigned CTX_CQ_LOG2_WIDTH = 8;
  localparam int unsigned CTX_CQ_PIECES_LSB = 72;
  localparam int unsigned CTX_CQ_PIECES_WIDTH = 8;
  localparam int unsigned CTX_CQ_EQN_LSB = 80;
  localparam int unsigned CTX_CQ_EQN_WIDTH = 16;
  localparam int unsigned CTX_CQ_VALID_LSB = 96;
  localparam int unsigned CTX_CQ_VALID_WIDTH = 1;
  localparam int unsigned CTX_CQ_RESIZED_LSB = 97;
  localparam int unsigned CTX_CQ_RESIZED_WIDTH = 1;
  localparam int unsigned CTX_CQ_PI_LSB = 128;
  localparam int unsigned CTX_CQ_PI_WIDTH = 32;
  localparam int unsigned CTX_CQ_FIRST_LSB = 160;
  localparam int unsigned CTX_CQ_FIRST_WIDTH = 24;
  localparam int unsigned CTX_CQ_BASE1_LSB = 192;
  localparam int unsigned CTX_CQ_BASE1_WIDTH = 64;
  localparam int unsigned CTX_CQ_BASE2_LSB = 256;
  localparam int unsigned CTX_CQ_BASE2_WIDTH = 64;
  localparam int unsigned CTX_CQ_BASE3_LSB = 320;
  localparam int unsigned CTX_CQ_BASE3_WIDTH = 64;
  localparam int unsigned CTX_CQ_HOLD_LSB = 384;
  localparam int unsigned CTX_CQ_HOLD_WIDTH = 16;
  localparam int unsigned CTX_CQ_PERIOD_LSB = 400;
  localparam int unsigned CTX_CQ_PERIOD_WIDTH = 16;
  localparam int unsigned CTX_CQ_CMD_LSB = 480;
  localparam int unsigned CTX_CQ_CMD_WIDTH = 8;

  /// event queue
  typedef struct packed {
    logic [23:0] rsvd0;
    logic [7:0] cmd;  ///< enum ctx_cmd
    logic [319:0] rsvd1;
    logic [31:0] pi;  ///< 
    logic [30:0] rsvd2;
    logic [0:0] valid;  ///< 
    logic [15:0] vector;  ///< 0xffff: none
    logic [7:0] rsvd3;
    logic [7:0] log2;  ///< 
    logic [63:0] base;  ///< 
  } ctx_eq_t;
  localparam int unsigned CTX_EQ_BYTES = 64;
  localparam int unsigned CTX_EQ_BASE_LSB = 0;
  localparam int unsigned CTX_EQ_BASE_WIDTH = 64;
  localparam int unsigned CTX_EQ_LOG2_LSB = 64;
  localparam int unsigned CTX_EQ_LOG2_WIDTH = 8;
  localparam int unsigned CTX_EQ_VECTOR_LSB = 80;
  localparam int unsigned CTX_EQ_VECTOR_WIDTH = 16;
  localparam int unsigned CTX_EQ_VALID_LSB = 96;
  localparam int unsigned CTX_EQ_VALID_WIDTH = 1;
  localparam int unsigned CTX_EQ_PI_LSB = 128;
  localparam int unsigned CTX_EQ_PI_WIDTH = 32;
  localparam int unsigned CTX_EQ_CMD_LSB = 480;
  localparam int unsigned CTX_EQ_CMD_WIDTH = 8;

  /// a pair of L2 rings
  typedef struct packed {
    logic [23:0] rsvd0;
    logic [7:0] cmd;  ///< enum ctx_cmd
    logic [159:0] rsvd1;
    logic [15:0] rx_vector;  ///< 
    logic [15:0] tx_vector;  ///< 
    logic [13:0] rsvd2;
    logic [0:0] rx_valid;  ///< 
    logic [0:0] tx_valid;  ///< 
    logic [7:0] rx_log2;  ///< 
    logic [7:0] tx_log2;  ///< 
    logic [63:0] rx_cq_base;  ///< 
    logic [63:0] tx_cq_base;  ///< 
    logic [63:0] rx_base;  ///< 
    logic [63:0] tx_base;  ///< 
  } ctx_l2q_t;
  localparam int unsigned CTX_L2Q_BYTES = 64;
  localparam int unsigned CTX_L2Q_TX_BASE_LSB = 0;
  localparam int unsigned CTX_L2Q_TX_BASE_WIDTH = 64;
  localparam int unsigned CTX_L2Q_RX_BASE_LSB = 64;
  localparam int unsigned CTX_L2Q_RX_BASE_WIDTH = 64;
  localparam int unsigned CTX_L2Q_TX_CQ_BASE_LSB = 128;
  localparam int unsigned CTX_L2Q_TX_CQ_BASE_WIDTH = 64;
  localparam int unsigned CTX_L2Q_RX_CQ_BASE_LSB = 192;
  localparam int unsigned CTX_L2Q_RX_CQ_BASE_WIDTH = 64;
  localparam int unsigned CTX_L2Q_TX_LOG2_LSB = 256;
  localparam int unsigned CTX_L2Q_TX_LOG2_WIDTH = 8;
  localparam int unsigned CTX_L2Q_RX_LOG2_LSB = 264;
  localparam int unsigned CTX_L2Q_RX_LOG2_WIDTH = 8;
  localparam int unsigned CTX_L2Q_TX_VALID_LSB = 272;
  localparam int unsigned CTX_L2Q_TX_VALID_WIDTH = 1;
  localparam int unsigned CTX_L2Q_RX_VALID_LSB = 273;
  localparam int unsigned CTX_L2Q_RX_VALID_WIDTH = 1;
  localparam int unsigned CTX_L2Q_TX_VECTOR_LSB = 288;
  localparam int unsigned CTX_L2Q_TX_VECTOR_WIDTH = 16;
  localparam int unsigned CTX_L2Q_RX_VECTOR_LSB = 304;
  localparam int unsigned CTX_L2Q_RX_VECTOR_WIDTH = 16;
  localparam int unsigned CTX_L2Q_CMD_LSB = 480;
  localparam int unsigned CTX_L2Q_CMD_WIDTH = 8;
  localparam logic [31:0] SRQ_CTRL = 32'h0;  ///< room RX, of each queue: struct srq_ctrl, written: the queue is empty, its limit not armed; read: struct srq_index
  localparam logic [31:0] SRQ_LIMIT = 32'h4;  ///< written: event SRQ_LIMIT when fewer WQEs than this are left, once; 0: never. Read: the armed limit

  /// SRQ_CTRL, written
  typedef struct packed {
    logic [0:0] valid;  ///< 
    logic [26:0] rsvd0;
    logic [3:0] log2;  ///< log2 of entries
  } srq_ctrl_t;
  localparam int unsigned SRQ_CTRL_BYTES = 4;
  localparam int unsigned SRQ_CTRL_LOG2_LSB = 0;
  localparam int unsigned SRQ_CTRL_LOG2_WIDTH = 4;
  localparam int unsigned SRQ_CTRL_VALID_LSB = 31;
  localparam int unsigned SRQ_CTRL_VALID_WIDTH = 1;

  /// SRQ_CTRL, read
  typedef struct packed {
    logic [15:0] posted;  ///< producer index
    logic [15:0] taken;  ///< next entry to take
  } srq_index_t;
  localparam int unsigned SRQ_INDEX_BYTES = 4;
  localparam int unsigned SRQ_INDEX_TAKEN_LSB = 0;
  localparam int unsigned SRQ_INDEX_TAKEN_WIDTH = 16;
  localparam int unsigned SRQ_INDEX_POSTED_LSB = 16;
  localparam int unsigned SRQ_INDEX_POSTED_WIDTH = 16;

  // steer_reason: why firmware gets a frame
  localparam logic [3:0] STEER_REASON_PORT = 4'd0;  ///< the local port is in the bit map, and no connection matches; the QPN is 0
  localparam logic [3:0] STEER_REASON_FLAGS = 4'd1;  ///< SYN or RST on a connection that the hardware owns; the QPN comes with it
  localparam int unsigned STEER_REASON_COUNT = 2;

  /// line 0: who the connection is, and its header template
  typedef struct packed {
    logic [115:0] rsvd0;
    logic [11:0] vid;  ///< VLAN
    logic [1:0] rsvd1;
    logic [0:0] vlan;  ///< frames carry a VLAN tag
    logic [0:0] aligned;  ///< the peer promised that none of its segments begins at a multiple of four from its first FPDU but with an FPDU (docs/datapath.md: Who the peer is)
    logic [0:0] ecn;  ///< ECN was agreed on (RFC 3168)
    logic [0:0] sack;  ///< SACK was agreed on (RFC 2018)
    logic [0:0] ts;  ///< timestamps were agreed on (RFC 7323)
    logic [0:0] ipv6;  ///< 
    logic [7:0] blocks;  ///< blocks of 512 bytes behind line 7 that are in use; room ctx
    logic [7:0] fn;  ///< function of the host
    logic [7:0] port;  ///< port of the card
    logic [31:0] flow;  ///< IPv6 flow label
    logic [7:0] ttl;  ///< 
    logic [7:0] tos;  ///< 
    logic [15:0] l2;  ///< index of the l2e entry
    logic [15:0] peer_port;  ///< 
    logic [15:0] local_port;  ///< host order
    logic [127:0] peer_addr;  ///< 
    logic [127:0] local_addr;  ///< network order; IPv4 in bytes 0 to 3, rest zero
  } home_key_t;
  localparam int unsigned HOME_KEY_BYTES = 64;
  localparam int unsigned HOME_KEY_LOCAL_ADDR_LSB = 0;
  localparam int unsigned HOME_KEY_LOCAL_ADDR_WIDTH = 128;
  localparam int unsigned HOME_KEY_PEER_ADDR_LSB = 128;
  localparam int unsigned HOME_KEY_PEER_ADDR_WIDTH = 128;
  localparam int unsigned HOME_KEY_LOCAL_PORT_LSB = 256;
  localparam int unsigned HOME_KEY_LOCAL_PORT_WIDTH = 16;
  localparam int unsigned HOME_KEY_PEER_PORT_LSB = 272;
  localparam int unsigned HOME_KEY_PEER_PORT_WIDTH = 16;
  localparam int unsigned HOME_KEY_L2_LSB = 288;
  localparam int unsigned HOME_KEY_L2_WIDTH = 16;
  localparam int unsigned HOME_KEY_TOS_LSB = 304;
  localparam int unsigned HOME_KEY_TOS_WIDTH = 8;
  localparam int unsigned HOME_KEY_TTL_LSB = 312;
  localparam int unsigned HOME_KEY_TTL_WIDTH = 8;
  localparam int unsigned HOME_KEY_FLOW_LSB = 320;
  localparam int unsigned HOME_KEY_FLOW_WIDTH = 32;
  localparam int unsigned HOME_KEY_PORT_LSB = 352;
  localparam int unsigned HOME_KEY_PORT_WIDTH = 8;
  localparam int unsigned HOME_KEY_FN_LSB = 360;
  localparam int unsigned HOME_KEY_FN_WIDTH = 8;
  localparam int unsigned HOME_KEY_BLOCKS_LSB = 368;
  localparam int unsigned HOME_KEY_BLOCKS_WIDTH = 8;
  localparam int unsigned HOME_KEY_IPV6_LSB = 376;
  localparam int unsigned HOME_KEY_IPV6_WIDTH = 1;
  localparam int unsigned HOME_KEY_TS_LSB = 377;
  localparam int unsigned HOME_KEY_TS_WIDTH = 1;
  localparam int unsigned HOME_KEY_SACK_LSB = 378;
  localparam int unsigned HOME_KEY_SACK_WIDTH = 1;
  localparam int unsigned HOME_KEY_ECN_LSB = 379;
  localparam int unsigned HOME_KEY_ECN_WIDTH = 1;
  localparam int unsigned HOME_KEY_ALIGNED_LSB = 380;
  localparam int unsigned HOME_KEY_ALIGNED_WIDTH = 1;
  localparam int unsigned HOME_KEY_VLAN_LSB = 381;
  localparam int unsigned HOME_KEY_VLAN_WIDTH = 1;
  localparam int unsigned HOME_KEY_VID_LSB = 384;
  localparam int unsigned HOME_KEY_VID_WIDTH = 12;

  /// line 1: TCP, send state
  typedef struct packed {
    logic [31:0] ts_off;  ///< added to the clock in TSval
    logic [2:0] rsvd0;
    logic [3:0] keep_n;  ///< probes without an answer
    logic [0:0] keep;  ///< keep-alive is on
    logic [7:0] events;  ///< events that firmware has not been told of: bits FIN, RST, TIMEOUT, ACKED, HOLD, DRAINED, HOLD_OVER
    logic [3:0] retries;  ///< time-outs in a row
    logic [3:0] backoff;  ///< doublings of the RTO
    logic [3:0] rcv_shift;  ///< shift of ours
    logic [3:0] snd_shift;  ///< shift of the peer's window
    logic [1:0] rsvd1;
    logic [0:0] wscale;  ///< window scaling was agreed on
    logic [0:0] in_cwr;  ///< reacted to ECE up to RECOVER
    logic [0:0] cwr;  ///< the next new segment carries CWR
    logic [0:0] cut;  ///< bytes from SND_MAX on were made and did not fit the window
    logic [1:0] gen;  ///< send generation that may leave
    logic [0:0] fast_rec;  ///< RFC 6582 recovery up to RECOVER
    logic [0:0] rto_rec;  ///< bytes up to RECOVER are being sent again after a time-out
    logic [0:0] fin_acked;  ///< and is acknowledged
    logic [0:0] fin_sent;  ///< FIN has left: it is the last offset before SND_MAX
    logic [0:0] closing;  ///< FIN was asked for
    logic [0:0] hold;  ///< nothing is sent before the first FPDU has come; KEEP_AT is its end
    logic [1:0] state;  ///< enum tcp_state
    logic [15:0] mss;  ///< bytes of a segment, options taken off
    logic [31:0] rtx_nxt;  ///< offset: recovery has asked up to here
    logic [31:0] recover;  ///< offset: recovery ends when it is acknowledged
    logic [31:0] cc_acc;  ///< bytes acknowledged towards the next step of congestion avoidance
    logic [31:0] ssthresh;  ///< bytes; 0 at load: none yet
    logic [31:0] cwnd;  ///< bytes; 0 at load: the initial window of RFC 6928
    logic [31:0] max_wnd;  ///< largest window seen (RFC 5961 5.2)
    logic [31:0] wl2;  ///< its ACK field (SND.WL2)
    logic [31:0] wl1;  ///< sequence number of the segment that gave the window (SND.WL1)
    logic [31:0] wnd_edge;  ///< offset: right edge of the peer's window
    logic [31:0] seq0;  ///< sequence number of offset 0 (ISS + 1)
    logic [31:0] snd_max;  ///< offset behind the last byte that left
    logic [63:0] una;  ///< offset: everything before it is acknowledged; a FIN takes an offset of its own
  } home_snd_t;
  localparam int unsigned HOME_SND_BYTES = 64;
  localparam int unsigned HOME_SND_UNA_LSB = 0;
  localparam int unsigned HOME_SND_UNA_WIDTH = 64;
  localparam int unsigned HOME_SND_SND_MAX_LSB = 64;
  localparam int unsigned HOME_SND_SND_MAX_WIDTH = 32;
  localparam int unsigned HOME_SND_SEQ0_LSB = 96;
  localparam int unsigned HOME_SND_SEQ0_WIDTH = 32;
  localparam int unsigned HOME_SND_WND_EDGE_LSB = 128;
  localparam int unsigned HOME_SND_WND_EDGE_WIDTH = 32;
  localparam int unsigned HOME_SND_WL1_LSB = 160;
  localparam int unsigned HOME_SND_WL1_WIDTH = 32;
  localparam int unsigned HOME_SND_WL2_LSB = 192;
  localparam int unsigned HOME_SND_WL2_WIDTH = 32;
  localparam int unsigned HOME_SND_MAX_WND_LSB = 224;
  localparam int unsigned HOME_SND_MAX_WND_WIDTH = 32;
  localparam int unsigned HOME_SND_CWND_LSB = 256;
  localparam int unsigned HOME_SND_CWND_WIDTH = 32;
  localparam int unsigned HOME_SND_SSTHRESH_LSB = 288;
  localparam int unsigned HOME_SND_SSTHRESH_WIDTH = 32;
  localparam int unsigned HOME_SND_CC_ACC_LSB = 320;
  localparam int unsigned HOME_SND_CC_ACC_WIDTH = 32;
  localparam int unsigned HOME_SND_RECOVER_LSB = 352;
  localparam int unsigned HOME_SND_RECOVER_WIDTH = 32;
  localparam int unsigned HOME_SND_RTX_NXT_LSB = 384;
  localparam int unsigned HOME_SND_RTX_NXT_WIDTH = 32;
  localparam int unsigned HOME_SND_MSS_LSB = 416;
  localparam int unsigned HOME_SND_MSS_WIDTH = 16;
  localparam int unsigned HOME_SND_STATE_LSB = 432;
  localparam int unsigned HOME_SND_STATE_WIDTH = 2;
  localparam int unsigned HOME_SND_HOLD_LSB = 434;
  localparam int unsigned HOME_SND_HOLD_WIDTH = 1;
  localparam int unsigned HOME_SND_CLOSING_LSB = 435;
  localparam int unsigned HOME_SND_CLOSING_WIDTH = 1;
  localparam int unsigned HOME_SND_FIN_SENT_LSB = 436;
  localparam int unsigned HOME_SND_FIN_SENT_WIDTH = 1;
  localparam int unsigned HOME_SND_FIN_ACKED_LSB = 437;
  localparam int unsigned HOME_SND_FIN_ACKED_WIDTH = 1;
  localparam int unsigned HOME_SND_RTO_REC_LSB = 438;
  localparam int unsigned HOME_SND_RTO_REC_WIDTH = 1;
  localparam int unsigned HOME_SND_FAST_REC_LSB = 439;
  localparam int unsigned HOME_SND_FAST_REC_WIDTH = 1;
  localparam int unsigned HOME_SND_GEN_LSB = 440;
  localparam int unsigned HOME_SND_GEN_WIDTH = 2;
  localparam int unsigned HOME_SND_CUT_LSB = 442;
  localparam int unsigned HOME_SND_CUT_WIDTH = 1;
  localparam int unsigned HOME_SND_CWR_LSB = 443;
  localparam int unsigned HOME_SND_CWR_WIDTH = 1;
  localparam int unsigned HOME_SND_IN_CWR_LSB = 444;
  localparam int unsigned HOME_SND_IN_CWR_WIDTH = 1;
  localparam int unsigned HOME_SND_WSCALE_LSB = 445;
  localparam int unsigned HOME_SND_WSCALE_WIDTH = 1;
  localparam int unsigned HOME_SND_SND_SHIFT_LSB = 448;
  localparam int unsigned HOME_SND_SND_SHIFT_WIDTH = 4;
  localparam int unsigned HOME_SND_RCV_SHIFT_LSB = 452;
  localparam int unsigned HOME_SND_RCV_SHIFT_WIDTH = 4;
  localparam int unsigned HOME_SND_BACKOFF_LSB = 456;
  localparam int unsigned HOME_SND_BACKOFF_WIDTH = 4;
  localparam int unsigned HOME_SND_RETRIES_LSB = 460;
  localparam int unsigned HOME_SND_RETRIES_WIDTH = 4;
  localparam int unsigned HOME_SND_EVENTS_LSB = 464;
  localparam int unsigned HOME_SND_EVENTS_WIDTH = 8;
  localparam int unsigned HOME_SND_KEEP_LSB = 472;
  localparam int unsigned HOME_SND_KEEP_WIDTH = 1;
  localparam int unsigned HOME_SND_KEEP_N_LSB = 473;
  localparam int unsigned HOME_SND_KEEP_N_WIDTH = 4;
  localparam int unsigned HOME_SND_TS_OFF_LSB = 480;
  localparam int unsigned HOME_SND_TS_OFF_WIDTH = 32;

  // tcp_state: of a connection that the hardware owns
  localparam logic [1:0] TCP_STATE_STOP = 2'd0;  ///< nothing leaves, nothing is accepted
  localparam logic [1:0] TCP_STATE_OPEN = 2'd1;  ///< 
  localparam logic [1:0] TCP_STATE_DEAD = 2'd2;  ///< reset by the peer, or given up
  localparam int unsigned TCP_STATE_COUNT = 3;

  /// line 2: TCP, receive state
  typedef struct packed {
    logic [175:0] rsvd0;
    logic [0:0] fin_end;  ///< all that lies before the FIN was placed
    logic [0:0] deaf;  ///< the stream has ended: what is accepted in order is acknowledged, and nobody looks at it
    logic [0:0] fin_told;  ///< firmware was told of the FIN
    logic [0:0] weft;  ///< the peer promised to acknowledge within 4 ms
    logic [0:0] ece;  ///< ACKs carry ECE until CWR comes (RFC 3168 6.1.3)
    logic [0:0] need_ack;  ///< an ACK is due
    logic [0:0] fin;  ///< FIN is accepted: it stands at RCV_NXT
    logic [0:0] gen;  ///< generation of pieces, flipped by each unaccept
    logic [2:0] rsvd1;
    logic [0:0] fin_here;  ///< the FIN was next in order: it is acknowledged
    logic [3:0] chal_n;  ///< challenge ACKs in that time
    logic [15:0] chal_at;  ///< now_ns / 2^26 of the last challenge ACK (RFC 5961 7)
    logic [15:0] rmss;  ///< largest payload of a segment so far
    logic [31:0] ts_age;  ///< when it was taken, now_ns / 2^30
    logic [31:0] ts_recent;  ///< RFC 7323
    logic [31:0] adv;  ///< sequence number: right edge that was advertised last
    logic [31:0] last_ack;  ///< ACK field that left last (Last.ACK.sent)
    logic [31:0] seq0;  ///< sequence number of offset 0 (IRS + 1)
    logic [31:0] right;  ///< offset: right edge of the window, never moves back
    logic [31:0] rcv_nxt;  ///< offset: what is accepted in order (RCV.NXT but for a FIN)
    logic [63:0] committed;  ///< offset: everything before it may be acknowledged
  } home_rcv_t;
  localparam int unsigned HOME_RCV_BYTES = 64;
  localparam int unsigned HOME_RCV_COMMITTED_LSB = 0;
  localparam int unsigned HOME_RCV_COMMITTED_WIDTH = 64;
  localparam int unsigned HOME_RCV_RCV_NXT_LSB = 64;
  localparam int unsigned HOME_RCV_RCV_NXT_WIDTH = 32;
  localparam int unsigned HOME_RCV_RIGHT_LSB = 96;
  localparam int unsigned HOME_RCV_RIGHT_WIDTH = 32;
  localparam int unsigned HOME_RCV_SEQ0_LSB = 128;
  localparam int unsigned HOME_RCV_SEQ0_WIDTH = 32;
  localparam int unsigned HOME_RCV_LAST_ACK_LSB = 160;
  localparam int unsigned HOME_RCV_LAST_ACK_WIDTH = 32;
  localparam int unsigned HOME_RCV_ADV_LSB = 192;
  localparam int unsigned HOME_RCV_ADV_WIDTH = 32;
  localparam int unsigned HOME_RCV_TS_RECENT_LSB = 224;
  localparam int unsigned HOME_RCV_TS_RECENT_WIDTH = 32;
  localparam int unsigned HOME_RCV_TS_AGE_LSB = 256;
  localparam int unsigned HOME_RCV_TS_AGE_WIDTH = 32;
  localparam int unsigned HOME_RCV_RMSS_LSB = 288;
  localparam int unsigned HOME_RCV_RMSS_WIDTH = 16;
  localparam int unsigned HOME_RCV_CHAL_AT_LSB = 304;
  localparam int unsigned HOME_RCV_CHAL_AT_WIDTH = 16;
  localparam int unsigned HOME_RCV_CHAL_N_LSB = 320;
  localparam int unsigned HOME_RCV_CHAL_N_WIDTH = 4;
  localparam int unsigned HOME_RCV_FIN_HERE_LSB = 324;
  localparam int unsigned HOME_RCV_FIN_HERE_WIDTH = 1;
  localparam int unsigned HOME_RCV_GEN_LSB = 328;
  localparam int unsigned HOME_RCV_GEN_WIDTH = 1;
  localparam int unsigned HOME_RCV_FIN_LSB = 329;
  localparam int unsigned HOME_RCV_FIN_WIDTH = 1;
  localparam int unsigned HOME_RCV_NEED_ACK_LSB = 330;
  localparam int unsigned HOME_RCV_NEED_ACK_WIDTH = 1;
  localparam int unsigned HOME_RCV_ECE_LSB = 331;
  localparam int unsigned HOME_RCV_ECE_WIDTH = 1;
  localparam int unsigned HOME_RCV_WEFT_LSB = 332;
  localparam int unsigned HOME_RCV_WEFT_WIDTH = 1;
  localparam int unsigned HOME_RCV_FIN_TOLD_LSB = 333;
  localparam int unsigned HOME_RCV_FIN_TOLD_WIDTH = 1;
  localparam int unsigned HOME_RCV_DEAF_LSB = 334;
  localparam int unsigned HOME_RCV_DEAF_WIDTH = 1;
  localparam int unsigned HOME_RCV_FIN_END_LSB = 335;
  localparam int unsigned HOME_RCV_FIN_END_WIDTH = 1;

  /// line 3: TCP, times
  typedef struct packed {
    logic [31:0] tlp_end;  ///< offset behind the probe
    logic [31:0] sack_lo;  ///< offset: end of the hole
    logic [10:0] rsvd0;
    logic [1:0] dups;  ///< duplicate ACKs without a SACK block; 3: none counts before UNA moves
    logic [0:0] tlp;  ///< a tail loss probe is out
    logic [0:0] pto;  ///< RTX_AT is the time of a tail loss probe
    logic [0:0] hole;  ///< bytes from RTX_NXT, at least UNA, to SACK_LO are lost; with SACK a load forgets it
    logic [47:0] reo_at;  ///< when loss detection looks again, ticks, 0: never
    logic [31:0] rtt_at;  ///< when it left, ticks
    logic [31:0] rtt_end;  ///< offset behind the segment that is timed
    logic [31:0] ack_delay;  ///< ticks: largest delay of an ACK that was seen
    logic [31:0] min_rtt;  ///< ticks
    logic [31:0] rttvar;  ///< ticks times 4
    logic [31:0] srtt;  ///< ticks times 8
    logic [15:0] rsvd1;
    logic [47:0] keep_at;  ///< deadline of keep-alive, or of HOLD, 0: none
    logic [15:0] rsvd2;
    logic [47:0] ack_at;  ///< deadline of a delayed ACK, 0: none
    logic [9:0] rsvd3;
    logic [2:0] rtt_n;  ///< ACK delays seen, up to 7
    logic [0:0] rtt_seen;  ///< SRTT is valid
    logic [0:0] rtt_lone;  ///< nothing else was in flight when it left
    logic [0:0] rtt_on;  ///< a segment is timed
    logic [47:0] rtx_at;  ///< deadline in ticks of retransmission or probe, 0: none
  } home_tim_t;
  localparam int unsigned HOME_TIM_BYTES = 64;
  localparam int unsigned HOME_TIM_RTX_AT_LSB = 0;
  localparam int unsigned HOME_TIM_RTX_AT_WIDTH = 48;
  localparam int unsigned HOME_TIM_RTT_ON_LSB = 48;
  localparam int unsigned HOME_TIM_RTT_ON_WIDTH = 1;
  localparam int unsigned HOME_TIM_RTT_LONE_LSB = 49;
  localparam int unsigned HOME_TIM_RTT_LONE_WIDTH = 1;
  localparam int unsigned HOME_TIM_RTT_SEEN_LSB = 50;
  localparam int unsigned HOME_TIM_RTT_SEEN_WIDTH = 1;
  localparam int unsigned HOME_TIM_RTT_N_LSB = 51;
  localparam int unsigned HOME_TIM_RTT_N_WIDTH = 3;
  localparam int unsigned HOME_TIM_ACK_AT_LSB = 64;
  localparam int unsigned HOME_TIM_ACK_AT_WIDTH = 48;
  localparam int unsigned HOME_TIM_KEEP_AT_LSB = 128;
  localparam int unsigned HOME_TIM_KEEP_AT_WIDTH = 48;
  localparam int unsigned HOME_TIM_SRTT_LSB = 192;
  localparam int unsigned HOME_TIM_SRTT_WIDTH = 32;
  localparam int unsigned HOME_TIM_RTTVAR_LSB = 224;
  localparam int unsigned HOME_TIM_RTTVAR_WIDTH = 32;
  localparam int unsigned HOME_TIM_MIN_RTT_LSB = 256;
  localparam int unsigned HOME_TIM_MIN_RTT_WIDTH = 32;
  localparam int unsigned HOME_TIM_ACK_DELAY_LSB = 288;
  localparam int unsigned HOME_TIM_ACK_DELAY_WIDTH = 32;
  localparam int unsigned HOME_TIM_RTT_END_LSB = 320;
  localparam int unsigned HOME_TIM_RTT_END_WIDTH = 32;
  localparam int unsigned HOME_TIM_RTT_AT_LSB = 352;
  localparam int unsigned HOME_TIM_RTT_AT_WIDTH = 32;
  localparam int unsigned HOME_TIM_REO_AT_LSB = 384;
  localparam int unsigned HOME_TIM_REO_AT_WIDTH = 48;
  localparam int unsigned HOME_TIM_HOLE_LSB = 432;
  localparam int unsigned HOME_TIM_HOLE_WIDTH = 1;
  localparam int unsigned HOME_TIM_PTO_LSB = 433;
  localparam int unsigned HOME_TIM_PTO_WIDTH = 1;
  localparam int unsigned HOME_TIM_TLP_LSB = 434;
  localparam int unsigned HOME_TIM_TLP_WIDTH = 1;
  localparam int unsigned HOME_TIM_DUPS_LSB = 435;
  localparam int unsigned HOME_TIM_DUPS_WIDTH = 2;
  localparam int unsigned HOME_TIM_SACK_LO_LSB = 448;
  localparam int unsigned HOME_TIM_SACK_LO_WIDTH = 32;
  localparam int unsigned HOME_TIM_TLP_END_LSB = 480;
  localparam int unsigned HOME_TIM_TLP_END_WIDTH = 32;

  /// line 4: the send queue; offsets count bytes of the stream from ISS + 1. Line 5 is zero
  typedef struct packed {
    logic [15:0] sq_done;  ///< next WQE to complete
    logic [4:0] rsvd0;
    logic [0:0] flushing;  ///< from here on all are flushed
    logic [0:0] err_any;  ///< the oldest open WQE takes ERR_STATUS, if it is of the kind
    logic [0:0] err;  ///< 
    logic [7:0] err_status;  ///< enum wc_status, if ERR or ERR_ANY
    logic [15:0] err_index;  ///< WQE that failed, if ERR; if ERR_ANY: its kind, 0 any, 1 Write, 2 Send, 3 Read
    logic [7:0] fn;  ///< function of the host
    logic [7:0] port;  ///< port of the card
    logic [31:0] read_msn;  ///< MSN of the next Read Request, first 1
    logic [31:0] send_msn;  ///< MSN of the next Send, first 1
    logic [63:0] limit;  ///< FPDUs may end here
    logic [63:0] una;  ///< acknowledged up to
    logic [63:0] off;  ///< offset of the next FPDU
    logic [7:0] ird;  ///< 
    logic [7:0] ord;  ///< 
    logic [15:0] mss;  ///< bytes of a segment, options taken off
    logic [15:0] sq_index;  ///< next WQE to send
    logic [15:0] first;  ///< offset of the first FPDU: phase of the markers
    logic [23:0] pd;  ///< 
    logic [23:0] cqn;  ///< 
    logic [0:0] rsvd1;
    logic [1:0] gen;  ///< send generation
    logic [0:0] stopped;  ///< a work request failed or TCP gave up: nothing but values is sent
    logic [0:0] hold;  ///< send nothing until SET_STATE takes it away (RFC 5044 7.1.2)
    logic [0:0] priv;  ///< STag 0 allowed
    logic [1:0] state;  ///< enum qp_state
    logic [0:0] markers;  ///< MPA markers are sent
    logic [0:0] crc;  ///< MPA CRC is generated
    logic [1:0] sq_stride;  ///< enum stride
    logic [3:0] sq_log2;  ///< 
    logic [63:0] sq_base;  ///< bus address of the ring
  } home_sq_t;
  localparam int unsigned HOME_SQ_BYTES = 64;
  localparam int unsigned HOME_SQ_SQ_BASE_LSB = 0;
  localparam int unsigned HOME_SQ_SQ_BASE_WIDTH = 64;
  localparam int unsigned HOME_SQ_SQ_LOG2_LSB = 64;
  localparam int unsigned HOME_SQ_SQ_LOG2_WIDTH = 4;
  localparam int unsigned HOME_SQ_SQ_STRIDE_LSB = 68;
  localparam int unsigned HOME_SQ_SQ_STRIDE_WIDTH = 2;
  localparam int unsigned HOME_SQ_CRC_LSB = 70;
  localparam int unsigned HOME_SQ_CRC_WIDTH = 1;
  localparam int unsigned HOME_SQ_MARKERS_LSB = 71;
  localparam int unsigned HOME_SQ_MARKERS_WIDTH = 1;
  localparam int unsigned HOME_SQ_STATE_LSB = 72;
  localparam int unsigned HOME_SQ_STATE_WIDTH = 2;
  localparam int unsigned HOME_SQ_PRIV_LSB = 74;
  localparam int unsigned HOME_SQ_PRIV_WIDTH = 1;
  localparam int unsigned HOME_SQ_HOLD_LSB = 75;
  localparam int unsigned HOME_SQ_HOLD_WIDTH = 1;
  localparam int unsigned HOME_SQ_STOPPED_LSB = 76;
  localparam int unsigned HOME_SQ_STOPPED_WIDTH = 1;
  localparam int unsigned HOME_SQ_GEN_LSB = 77;
  localparam int unsigned HOME_SQ_GEN_WIDTH = 2;
  localparam int unsigned HOME_SQ_CQN_LSB = 80;
  localparam int unsigned HOME_SQ_CQN_WIDTH = 24;
  localparam int unsigned HOME_SQ_PD_LSB = 104;
  localparam int unsigned HOME_SQ_PD_WIDTH = 24;
  localparam int unsigned HOME_SQ_FIRST_LSB = 128;
  localparam int unsigned HOME_SQ_FIRST_WIDTH = 16;
  localparam int unsigned HOME_SQ_SQ_INDEX_LSB = 144;
  localparam int unsigned HOME_SQ_SQ_INDEX_WIDTH = 16;
  localparam int unsigned HOME_SQ_MSS_LSB = 160;
  localparam int unsigned HOME_SQ_MSS_WIDTH = 16;
  localparam int unsigned HOME_SQ_ORD_LSB = 176;
  localparam int unsigned HOME_SQ_ORD_WIDTH = 8;
  localparam int unsigned HOME_SQ_IRD_LSB = 184;
  localparam int unsigned HOME_SQ_IRD_WIDTH = 8;
  localparam int unsigned HOME_SQ_OFF_LSB = 192;
  localparam int unsigned HOME_SQ_OFF_WIDTH = 64;
  localparam int unsigned HOME_SQ_UNA_LSB = 256;
  localparam int unsigned HOME_SQ_UNA_WIDTH = 64;
  localparam int unsigned HOME_SQ_LIMIT_LSB = 320;
  localparam int unsigned HOME_SQ_LIMIT_WIDTH = 64;
  localparam int unsigned HOME_SQ_SEND_MSN_LSB = 384;
  localparam int unsigned HOME_SQ_SEND_MSN_WIDTH = 32;
  localparam int unsigned HOME_SQ_READ_MSN_LSB = 416;
  localparam int unsigned HOME_SQ_READ_MSN_WIDTH = 32;
  localparam int unsigned HOME_SQ_PORT_LSB = 448;
  localparam int unsigned HOME_SQ_PORT_WIDTH = 8;
  localparam int unsigned HOME_SQ_FN_LSB = 456;
  localparam int unsigned HOME_SQ_FN_WIDTH = 8;
  localparam int unsigned HOME_SQ_ERR_INDEX_LSB = 464;
  localparam int unsigned HOME_SQ_ERR_INDEX_WIDTH = 16;
  localparam int unsigned HOME_SQ_ERR_STATUS_LSB = 480;
  localparam int unsigned HOME_SQ_ERR_STATUS_WIDTH = 8;
  localparam int unsigned HOME_SQ_ERR_LSB = 488;
  localparam int unsigned HOME_SQ_ERR_WIDTH = 1;
  localparam int unsigned HOME_SQ_ERR_ANY_LSB = 489;
  localparam int unsigned HOME_SQ_ERR_ANY_WIDTH = 1;
  localparam int unsigned HOME_SQ_FLUSHING_LSB = 490;
  localparam int unsigned HOME_SQ_FLUSHING_WIDTH = 1;
  localparam int unsigned HOME_SQ_SQ_DONE_LSB = 496;
  localparam int unsigned HOME_SQ_SQ_DONE_WIDTH = 16;

  /// line 6: where the received stream is cut (RFC 5044)
  typedef struct packed {
    logic [127:0] rsvd0;
    logic [63:0] ring_past;  ///< behind the last byte that was in a ring before this one
    logic [63:0] ring_end;  ///< behind the last byte that is, or was last, in a ring
    logic [63:0] ring_from;  ///< first byte that was put into the ring
    logic [15:0] ring_need;  ///< bytes from NEXT on that the next FPDU needs, as far as is known
    logic [15:0] ring_id;  ///< 
    logic [7:0] rsvd1;
    logic [0:0] fin;  ///< the stream ends at RING_END
    logic [0:0] ring;  ///< bytes from NEXT on, up to RING_END, lie in ring RING_ID
    logic [0:0] dead;  ///< a fault was reported: what comes is let go
    logic [0:0] refused;  ///< rdmap refused an FPDU and has not resumed
    logic [0:0] fresh;  ///< no piece of this generation has come yet
    logic [0:0] gen;  ///< generation of the pieces that are taken
    logic [0:0] markers;  ///< the peer sends markers
    logic [0:0] crc;  ///< the CRC is checked
    logic [15:0] first;  ///< low bits of the offset of the connection's first FPDU: phase of the markers
    logic [63:0] rcv_edge;  ///< right edge that tcp was told last
    logic [63:0] next;  ///< offset of the next FPDU's first byte, or of the marker in front of it
  } home_mpa_t;
  localparam int unsigned HOME_MPA_BYTES = 64;
  localparam int unsigned HOME_MPA_NEXT_LSB = 0;
  localparam int unsigned HOME_MPA_NEXT_WIDTH = 64;
  localparam int unsigned HOME_MPA_RCV_EDGE_LSB = 64;
  localparam int unsigned HOME_MPA_RCV_EDGE_WIDTH = 64;
  localparam int unsigned HOME_MPA_FIRST_LSB = 128;
  localparam int unsigned HOME_MPA_FIRST_WIDTH = 16;
  localparam int unsigned HOME_MPA_CRC_LSB = 144;
  localparam int unsigned HOME_MPA_CRC_WIDTH = 1;
  localparam int unsigned HOME_MPA_MARKERS_LSB = 145;
  localparam int unsigned HOME_MPA_MARKERS_WIDTH = 1;
  localparam int unsigned HOME_MPA_GEN_LSB = 146;
  localparam int unsigned HOME_MPA_GEN_WIDTH = 1;
  localparam int unsigned HOME_MPA_FRESH_LSB = 147;
  localparam int unsigned HOME_MPA_FRESH_WIDTH = 1;
  localparam int unsigned HOME_MPA_REFUSED_LSB = 148;
  localparam int unsigned HOME_MPA_REFUSED_WIDTH = 1;
  localparam int unsigned HOME_MPA_DEAD_LSB = 149;
  localparam int unsigned HOME_MPA_DEAD_WIDTH = 1;
  localparam int unsigned HOME_MPA_RING_LSB = 150;
  localparam int unsigned HOME_MPA_RING_WIDTH = 1;
  localparam int unsigned HOME_MPA_FIN_LSB = 151;
  localparam int unsigned HOME_MPA_FIN_WIDTH = 1;
  localparam int unsigned HOME_MPA_RING_ID_LSB = 160;
  localparam int unsigned HOME_MPA_RING_ID_WIDTH = 16;
  localparam int unsigned HOME_MPA_RING_NEED_LSB = 176;
  localparam int unsigned HOME_MPA_RING_NEED_WIDTH = 16;
  localparam int unsigned HOME_MPA_RING_FROM_LSB = 192;
  localparam int unsigned HOME_MPA_RING_FROM_WIDTH = 64;
  localparam int unsigned HOME_MPA_RING_END_LSB = 256;
  localparam int unsigned HOME_MPA_RING_END_WIDTH = 64;
  localparam int unsigned HOME_MPA_RING_PAST_LSB = 320;
  localparam int unsigned HOME_MPA_RING_PAST_WIDTH = 64;

  /// line 7: receive half of a QP above TCP
  typedef struct packed {
    logic [15:0] atom_hi;  ///< ... high half
    logic [15:0] srqn;  ///< if SRQ
    logic [4:0] rsvd0;
    logic [0:0] srq_wait;  ///< REFUSED because the shared queue was empty
    logic [0:0] srq_have;  ///< WQE RQ_INDEX was taken from it and is not completed
    logic [0:0] srq;  ///< receive WQEs come from a shared queue: RQ_BASE, RQ_LOG2 and RQ_STRIDE are those of that
    logic [23:0] srq_pd;  ///< if SRQ: protection domain of the receive WQEs
    logic [31:0] arsp_msn;  ///< Atomic Responses of the peer: MSN of the last one
    logic [31:0] refused_off;  ///< low half of an offset
    logic [15:0] atom_lo;  ///< Atomic Responses given to qp: MSN of the last one, low half
    logic [15:0] read_tail;  ///< block of the newest one
    logic [15:0] read_head;  ///< block of the oldest one
    logic [7:0] reads;  ///< outstanding reads of this side, in the pool on chip
    logic [7:0] fn;  ///< function of the host
    logic [1:0] rsvd1;
    logic [0:0] refused;  ///< an FPDU was refused; the one at REFUSED_OFF is waited for
    logic [0:0] first;  ///< no FPDU has come yet
    logic [0:0] dead;  ///< a fault or a Terminate: what comes is let go
    logic [0:0] priv;  ///< STag 0 allowed
    logic [1:0] port;  ///< port of the card
    logic [7:0] status;  ///< enum wc_status of the first WQE that is flushed; 0: WR_FLUSH_ERR
    logic [15:0] irq_unacked;  ///< inbound reads whose response is not acknowledged
    logic [31:0] rr_off;  ///< bytes of the current Read Response
    logic [31:0] mo;  ///< bytes of the current Send
    logic [31:0] read_msn;  ///< MSN of the Read Request expected, first 1
    logic [31:0] send_msn;  ///< MSN of the Send expected, first 1
    logic [7:0] irq_unsent;  ///< inbound reads whose response has not left
    logic [7:0] ird;  ///< inbound reads whose response has not left, at most
    logic [15:0] rq_index;  ///< next receive WQE to use
    logic [7:0] access;  ///< enum access: rights of the QP
    logic [23:0] pd;  ///< 
    logic [23:0] cqn;  ///< 
    logic [1:0] state;  ///< enum qp_state; RESET and RTS take FPDUs, ERR flushes
    logic [1:0] rq_stride;  ///< enum stride
    logic [3:0] rq_log2;  ///< log2 of its entries
    logic [63:0] rq_base;  ///< bus address of the receive queue
  } home_rdmap_t;
  localparam int unsigned HOME_RDMAP_BYTES = 64;
  localparam int unsigned HOME_RDMAP_RQ_BASE_LSB = 0;
  localparam int unsigned HOME_RDMAP_RQ_BASE_WIDTH = 64;
  localparam int unsigned HOME_RDMAP_RQ_LOG2_LSB = 64;
  localparam int unsigned HOME_RDMAP_RQ_LOG2_WIDTH = 4;
  localparam int unsigned HOME_RDMAP_RQ_STRIDE_LSB = 68;
  localparam int unsigned HOME_RDMAP_RQ_STRIDE_WIDTH = 2;
  localparam int unsigned HOME_RDMAP_STATE_LSB = 70;
  localparam int unsigned HOME_RDMAP_STATE_WIDTH = 2;
  localparam int unsigned HOME_RDMAP_CQN_LSB = 72;
  localparam int unsigned HOME_RDMAP_CQN_WIDTH = 24;
  localparam int unsigned HOME_RDMAP_PD_LSB = 96;
  localparam int unsigned HOME_RDMAP_PD_WIDTH = 24;
  localparam int unsigned HOME_RDMAP_ACCESS_LSB = 120;
  localparam int unsigned HOME_RDMAP_ACCESS_WIDTH = 8;
  localparam int unsigned HOME_RDMAP_RQ_INDEX_LSB = 128;
  localparam int unsigned HOME_RDMAP_RQ_INDEX_WIDTH = 16;
  localparam int unsigned HOME_RDMAP_IRD_LSB = 144;
  localparam int unsigned HOME_RDMAP_IRD_WIDTH = 8;
  localparam int unsigned HOME_RDMAP_IRQ_UNSENT_LSB = 152;
  localparam int unsigned HOME_RDMAP_IRQ_UNSENT_WIDTH = 8;
  localparam int unsigned HOME_RDMAP_SEND_MSN_LSB = 160;
  localparam int unsigned HOME_RDMAP_SEND_MSN_WIDTH = 32;
  localparam int unsigned HOME_RDMAP_READ_MSN_LSB = 192;
  localparam int unsigned HOME_RDMAP_READ_MSN_WIDTH = 32;
  localparam int unsigned HOME_RDMAP_MO_LSB = 224;
  localparam int unsigned HOME_RDMAP_MO_WIDTH = 32;
  localparam int unsigned HOME_RDMAP_RR_OFF_LSB = 256;
  localparam int unsigned HOME_RDMAP_RR_OFF_WIDTH = 32;
  localparam int unsigned HOME_RDMAP_IRQ_UNACKED_LSB = 288;
  localparam int unsigned HOME_RDMAP_IRQ_UNACKED_WIDTH = 16;
  localparam int unsigned HOME_RDMAP_STATUS_LSB = 304;
  localparam int unsigned HOME_RDMAP_STATUS_WIDTH = 8;
  localparam int unsigned HOME_RDMAP_PORT_LSB = 312;
  localparam int unsigned HOME_RDMAP_PORT_WIDTH = 2;
  localparam int unsigned HOME_RDMAP_PRIV_LSB = 314;
  localparam int unsigned HOME_RDMAP_PRIV_WIDTH = 1;
  localparam int unsigned HOME_RDMAP_DEAD_LSB = 315;
  localparam int unsigned HOME_RDMAP_DEAD_WIDTH = 1;
  localparam int unsigned HOME_RDMAP_FIRST_LSB = 316;
  localparam int unsigned HOME_RDMAP_FIRST_WIDTH = 1;
  localparam int unsigned HOME_RDMAP_REFUSED_LSB = 317;
  localparam int unsigned HOME_RDMAP_REFUSED_WIDTH = 1;
  localparam int unsigned HOME_RDMAP_FN_LSB = 320;
  localparam int unsigned HOME_RDMAP_FN_WIDTH = 8;
  localparam int unsigned HOME_RDMAP_READS_LSB = 328;
  localparam int unsigned HOME_RDMAP_READS_WIDTH = 8;
  localparam int unsigned HOME_RDMAP_READ_HEAD_LSB = 336;
  localparam int unsigned HOME_RDMAP_READ_HEAD_WIDTH = 16;
  localparam int unsigned HOME_RDMAP_READ_TAIL_LSB = 352;
  localparam int unsigned HOME_RDMAP_READ_TAIL_WIDTH = 16;
  localparam int unsigned HOME_RDMAP_ATOM_LO_LSB = 368;
  localparam int unsigned HOME_RDMAP_ATOM_LO_WIDTH = 16;
  localparam int unsigned HOME_RDMAP_REFUSED_OFF_LSB = 384;
  localparam int unsigned HOME_RDMAP_REFUSED_OFF_WIDTH = 32;
  localparam int unsigned HOME_RDMAP_ARSP_MSN_LSB = 416;
  localparam int unsigned HOME_RDMAP_ARSP_MSN_WIDTH = 32;
  localparam int unsigned HOME_RDMAP_SRQN_LSB = 480;
  localparam int unsigned HOME_RDMAP_SRQN_WIDTH = 16;
  localparam int unsigned HOME_RDMAP_SRQ_PD_LSB = 448;
  localparam int unsigned HOME_RDMAP_SRQ_PD_WIDTH = 24;
  localparam int unsigned HOME_RDMAP_SRQ_LSB = 472;
  localparam int unsigned HOME_RDMAP_SRQ_WIDTH = 1;
  localparam int unsigned HOME_RDMAP_SRQ_HAVE_LSB = 473;
  localparam int unsigned HOME_RDMAP_SRQ_HAVE_WIDTH = 1;
  localparam int unsigned HOME_RDMAP_SRQ_WAIT_LSB = 474;
  localparam int unsigned HOME_RDMAP_SRQ_WAIT_WIDTH = 1;
  localparam int unsigned HOME_RDMAP_ATOM_HI_LSB = 496;
  localparam int unsigned HOME_RDMAP_ATOM_HI_WIDTH = 16;
  localparam logic [31:0] CTX_QPN = 32'h0;  ///< QPN of the next command
  localparam logic [31:0] CTX_ARG = 32'h4;  ///< its argument, 16 bits
  localparam logic [31:0] CTX_CMD = 32'h8;  ///< writing it queues the command; an error when there is no place
  localparam logic [31:0] CTX_STATUS = 32'hc;  ///< bits 7:0: free places in the queue
  localparam logic [31:0] CTX_CHUNK_LO = 32'h10;  ///< chunk of 1,024 homes: bus address, 2 MiB aligned
  localparam logic [31:0] CTX_CHUNK_HI = 32'h14;  ///< 
  localparam logic [31:0] CTX_CHUNK_SET = 32'h18;  ///< writing it gives (bit 31) or takes back the chunk with the number in bits 15:0: QPNs 1,024 times it and on

  /// CTX_CMD
  typedef struct packed {
    logic [0:0] home;  ///< the command is on the home of the connection, not for its rooms
    logic [22:0] rsvd0;
    logic [3:0] rooms;  ///< which rooms take it: bit 0 tcp, 1 qp, 2 mpa, 3 rdmap
    logic [3:0] op;  ///< enum ctx_op, or with HOME enum home_op
  } ctx_command_t;
  localparam int unsigned CTX_COMMAND_BYTES = 4;
  localparam int unsigned CTX_COMMAND_OP_LSB = 0;
  localparam int unsigned CTX_COMMAND_OP_WIDTH = 4;
  localparam int unsigned CTX_COMMAND_ROOMS_LSB = 4;
  localparam int unsigned CTX_COMMAND_ROOMS_WIDTH = 4;
  localparam int unsigned CTX_COMMAND_HOME_LSB = 31;
  localparam int unsigned CTX_COMMAND_HOME_WIDTH = 1;

  // ctx_op: commands for rooms
  localparam logic [3:0] CTX_OP_SET_STATE = 4'd2;  ///< ARG as the room says
  localparam logic [3:0] CTX_OP_DRAIN = 4'd3;  ///< event DRAINED when nothing of this connection is under way in the room; ARG is the token
  localparam logic [3:0] CTX_OP_VALUE = 4'd4;  ///< send the bytes of the value slot ARG
  localparam logic [3:0] CTX_OP_SET_L2 = 4'd5;  ///< ARG is the index of the l2e entry
  localparam logic [3:0] CTX_OP_ACK = 4'd6;  ///< send an ACK at once
  localparam logic [3:0] CTX_OP_CLOSE = 4'd7;  ///< FIN behind what is started
  localparam logic [3:0] CTX_OP_RESUME = 4'd8;  ///< room rdmap: look again whether the shared receive queue has a WQE
  localparam int unsigned CTX_OP_COUNT = 7;

  // home_op: commands on homes; each is answered by event HOME_DONE
  localparam logic [2:0] HOME_OP_CREATE = 3'd0;  ///< the home is written: the connection exists
  localparam logic [2:0] HOME_OP_DESTROY = 3'd1;  ///< it is away or held and nobody asks for it any more: it exists no longer
  localparam logic [2:0] HOME_OP_SAVE = 3'd2;  ///< it goes to its home
  localparam logic [2:0] HOME_OP_HOLD = 3'd3;  ///< its frames wait until ...
  localparam logic [2:0] HOME_OP_RELEASE = 3'd4;  ///< ... its home is written
  localparam logic [2:0] HOME_OP_BUSY = 3'd5;  ///< an answer only: a connection that was to be saved is in use, and where it was
  localparam int unsigned HOME_OP_COUNT = 6;
  localparam logic [31:0] STEER_MAC_LO = 32'h2000;  ///< room STEER: station address, bytes 0 to 3
  localparam logic [31:0] STEER_MAC_HI = 32'h2004;  ///< bytes 4 and 5
  localparam logic [31:0] STEER_FLAGS = 32'h2008;  ///< bit 0 promiscuous, bit 1 all multicast
  localparam logic [31:0] STEER_KEY_LO = 32'h2010;  ///< key of the lookup hash, write before the first connection
  localparam logic [31:0] STEER_KEY_HI = 32'h2014;  ///< 
  localparam logic [31:0] LOOK_LOCAL = 32'h0;  ///< look-up of the data path: local address of a command, network order, four words
  localparam logic [31:0] LOOK_PEER = 32'h10;  ///< peer address
  localparam logic [31:0] LOOK_PORTS = 32'h20;  ///< local port in bits 31:16, peer port in 15:0
  localparam logic [31:0] LOOK_QPN = 32'h24;  ///< bits 23:0 QPN, bit 31 IPv6
  localparam logic [31:0] LOOK_CMD = 32'h28;  ///< enum look_cmd: starts the command; an error while one is under way
  localparam logic [31:0] LOOK_STATUS = 32'h2c;  ///< bit 31: a command is under way; else bits 2:0 enum look_status of the last one

  // look_cmd: commands on the look-up table
  localparam logic [1:0] LOOK_CMD_INSERT = 2'd1;  ///< frames of this key are candidates of this QPN
  localparam logic [1:0] LOOK_CMD_REMOVE = 2'd2;  ///< 
  localparam int unsigned LOOK_CMD_COUNT = 2;

  // look_status: result of a look-up command
  localparam logic [2:0] LOOK_STATUS_OK = 3'd0;  ///< 
  localparam logic [2:0] LOOK_STATUS_EXISTS = 3'd1;  ///< INSERT: it was there
  localparam logic [2:0] LOOK_STATUS_FULL = 3'd2;  ///< INSERT: no room in both buckets, behind one displacement, and in the overflow memory
  localparam logic [2:0] LOOK_STATUS_NOT_FOUND = 3'd3;  ///< REMOVE: it was not there
  localparam int unsigned LOOK_STATUS_COUNT = 4;
  localparam logic [31:0] RING_PAGE_LO = 32'h0;  ///< room RING: bus address of a page for receive rings, aligned to its size (RING_SHIFT)
  localparam logic [31:0] RING_PAGE_HI = 32'h4;  ///< writing it gives the page to the card, until its reset; an error when STATUS has not ROOM, and then the page is not taken
  localparam logic [31:0] RING_STATUS = 32'h8;  ///< struct ring_status
  localparam logic [31:0] RING_SIZE = 32'hc;  ///< struct ring_size: the card takes RINGS times PAGES pages; a connection gets a whole ring or none, none before its pages are there
  localparam logic [31:0] RING_WND = 32'h10;  ///< receive window of every connection in bytes, 4,096 to what a ring has (reset value), to be written before the first connection
  localparam logic [31:0] RING_SHIFT = 32'h14;  ///< struct ring_shift; a write of SHIFT, at most MOST and before the first page, sets RING_WND to what a ring has then, any other is an error and changes nothing

  /// RING_STATUS
  typedef struct packed {
    logic [0:0] ready;  ///< tables are cleared; before that, rooms DB, CONN, STEER, L2T, CTX and VALUE take nothing
    logic [0:0] room;  ///< a page can be given
    logic [16:0] rsvd0;
    logic [12:0] free;  ///< rings that no connection has, all their pages given
  } ring_status_t;
  localparam int unsigned RING_STATUS_BYTES = 4;
  localparam int unsigned RING_STATUS_FREE_LSB = 0;
  localparam int unsigned RING_STATUS_FREE_WIDTH = 13;
  localparam int unsigned RING_STATUS_ROOM_LSB = 30;
  localparam int unsigned RING_STATUS_ROOM_WIDTH = 1;
  localparam int unsigned RING_STATUS_READY_LSB = 31;
  localparam int unsigned RING_STATUS_READY_WIDTH = 1;

  /// RING_SIZE
  typedef struct packed {
    logic [15:0] pages;  ///< of a ring
    logic [15:0] rings;  ///< 
  } ring_size_t;
  localparam int unsigned RING_SIZE_BYTES = 4;
  localparam int unsigned RING_SIZE_RINGS_LSB = 0;
  localparam int unsigned RING_SIZE_RINGS_WIDTH = 16;
  localparam int unsigned RING_SIZE_PAGES_LSB = 16;
  localparam int unsigned RING_SIZE_PAGES_WIDTH = 16;

  /// RING_SHIFT
  typedef struct packed {
    logic [21:0] rsvd0;
    logic [1:0] most;  ///< largest SHIFT of this card; of a write it counts for nothing
    logic [5:0] rsvd1;
    logic [1:0] shift;  ///< pages are of 4 KiB << this; 0 behind a reset
  } ring_shift_t;
  localparam int unsigned RING_SHIFT_BYTES = 4;
  localparam int unsigned RING_SHIFT_SHIFT_LSB = 0;
  localparam int unsigned RING_SHIFT_SHIFT_WIDTH = 2;
  localparam int unsigned RING_SHIFT_MOST_LSB = 8;
  localparam int unsigned RING_SHIFT_MOST_WIDTH = 2;

  // fw_ev: events from the rooms to firmware (struct fw_event)
  localparam logic [7:0] FW_EV_RX_FAULT = 8'd1;  ///< a received FPDU broke a rule: CODE is the Terminate layer/type/code; HDR holds the DDP and Read headers; DATA1 bits 15:0: length of the DDP segment
  localparam logic [7:0] FW_EV_RX_TERMINATE = 8'd2;  ///< a Terminate came in: HDR holds its first 46 bytes
  localparam logic [7:0] FW_EV_RX_FIN = 8'd3;  ///< FIN is next in order; everything before it has been placed, or this side closes too, or nobody looks at the stream any more
  localparam logic [7:0] FW_EV_TX_ERROR = 8'd4;  ///< a work request failed: CODE enum wc_status, DATA0 the WQE index; the QP's transmission stopped
  localparam logic [7:0] FW_EV_TX_TIMEOUT = 8'd5;  ///< TCP gave up after MAX_RETRIES
  localparam logic [7:0] FW_EV_DRAINED = 8'd6;  ///< the drain token passed; CODE is the room
  localparam logic [7:0] FW_EV_CQ_OVERFLOW = 8'd7;  ///< ID is the CQN
  localparam logic [7:0] FW_EV_ACKED = 8'd9;  ///< everything sent is acknowledged, after HALT; DATA0 is snd_nxt
  localparam logic [7:0] FW_EV_TCP_RESET = 8'd10;  ///< the peer reset the connection
  localparam logic [7:0] FW_EV_HOLD_OVER = 8'd11;  ///< what the peer sent first has been placed, and HOLD had been told of (TX_TIMEOUT with CODE 1); DATA0, DATA1: what is acknowledged
  localparam logic [7:0] FW_EV_RX_STALLED = 8'd12;  ///< an FPDU stayed incomplete in a receive ring for longer than the card allows, or one that was refused kept a ring while others found none; told once, the connection goes on until firmware ends it
  localparam logic [7:0] FW_EV_SLOT_HELD = 8'd13;  ///< a connection kept its slot while others waited for one, and no byte of it moved for longer than the card allows; it goes on until firmware ends it
  localparam logic [7:0] FW_EV_SRQ_LIMIT = 8'd14;  ///< ID is the SRQN: fewer WQEs than its limit are left
  localparam logic [7:0] FW_EV_SRQ_WAKE = 8'd15;  ///< a queue pair waits, and its shared receive queue has WQEs: RESUME
  localparam logic [7:0] FW_EV_HOME_DONE = 8'd16;  ///< a command of room CTX is over: CODE bits 2:0 enum home_op, or with bit 7 set enum ctx_op of one that found no connection, or with bit 6 too of one that came back, DATA0 its ARG and from bit 16 on its ROOMS; bit 8: done
  localparam int unsigned FW_EV_COUNT = 15;

  /// event of a room to firmware
  typedef struct packed {
    logic [383:0] hdr;  ///< header bytes as on the wire, first byte in bits 7:0
    logic [31:0] data1;  ///< 
    logic [31:0] data0;  ///< 
    logic [31:0] id;  ///< QPN, or as KIND says
    logic [15:0] code;  ///< RX_FAULT: layer[15:12] type[11:8] code[7:0]
    logic [7:0] hdr_bytes;  ///< valid bytes of HDR
    logic [7:0] kind;  ///< enum fw_ev
  } fw_event_t;
  localparam int unsigned FW_EVENT_BYTES = 64;
  localparam int unsigned FW_EVENT_KIND_LSB = 0;
  localparam int unsigned FW_EVENT_KIND_WIDTH = 8;
  localparam int unsigned FW_EVENT_HDR_BYTES_LSB = 8;
  localparam int unsigned FW_EVENT_HDR_BYTES_WIDTH = 8;
  localparam int unsigned FW_EVENT_CODE_LSB = 16;
  localparam int unsigned FW_EVENT_CODE_WIDTH = 16;
  localparam int unsigned FW_EVENT_ID_LSB = 32;
  localparam int unsigned FW_EVENT_ID_WIDTH = 32;
  localparam int unsigned FW_EVENT_DATA0_LSB = 64;
  localparam int unsigned FW_EVENT_DATA0_WIDTH = 32;
  localparam int unsigned FW_EVENT_DATA1_LSB = 96;
  localparam int unsigned FW_EVENT_DATA1_WIDTH = 32;
  localparam int unsigned FW_EVENT_HDR_LSB = 128;
  localparam int unsigned FW_EVENT_HDR_WIDTH = 384;

  // stat: counter
  localparam logic [5:0] STAT_tcp_tx_segments = 6'd0;  ///< data segments that left
  localparam logic [5:0] STAT_tcp_tx_acks = 6'd1;  ///< segments without payload that left
  localparam logic [5:0] STAT_tcp_tx_errors = 6'd2;  ///< segments that could not be built
  localparam logic [5:0] STAT_tcp_retransmits = 6'd3;  ///< segments sent again
  localparam logic [5:0] STAT_tcp_timeouts = 6'd4;  ///< retransmission time-outs
  localparam logic [5:0] STAT_tcp_fast_retransmits = 6'd5;  ///< go-back-N after three duplicate ACKs
  localparam logic [5:0] STAT_tcp_bad_acks = 6'd6;  ///< ACKs outside what was sent
  localparam logic [5:0] STAT_rx_segments = 6'd7;  ///< segments taken in order
  localparam logic [5:0] STAT_rx_duplicates = 6'd8;  ///< segments or parts that had been received before
  localparam logic [5:0] STAT_rx_out_of_order = 6'd9;  ///< segments ahead of order, dropped
  localparam logic [5:0] STAT_rx_ahead = 6'd10;  ///< RDMA Writes that were placed ahead of turn
  localparam logic [5:0] STAT_rx_fpdus = 6'd11;  ///< FPDUs with a good CRC
  localparam logic [5:0] STAT_rx_crc_errors = 6'd12;  ///< FPDUs with a bad CRC
  localparam logic [5:0] STAT_rx_faults = 6'd13;  ///< FPDUs that broke a rule
  localparam logic [5:0] STAT_rx_placed_beats = 6'd14;  ///< beats of payload written to host memory
  localparam logic [5:0] STAT_tx_wqes = 6'd15;  ///< send WQEs started
  localparam logic [5:0] STAT_tx_wqe_errors = 6'd16;  ///< malformed send WQEs
  localparam logic [5:0] STAT_cqes = 6'd17;  ///< completions written
  localparam logic [5:0] STAT_cq_overflows = 6'd18;  ///< 
  localparam logic [5:0] STAT_eqes = 6'd19;  ///< events written
  localparam logic [5:0] STAT_db_rejected = 6'd20;  ///< doorbells through a page that does not own the queue, or malformed
  localparam logic [5:0] STAT_eth_rx_frames = 6'd21;  ///< 
  localparam logic [5:0] STAT_eth_rx_drop_full = 6'd22;  ///< no room for the frame
  localparam logic [5:0] STAT_eth_rx_drop_bad = 6'd23;  ///< FCS error, or too long or short
  localparam logic [5:0] STAT_eth_tx_frames = 6'd24;  ///< to the wire
  localparam logic [5:0] STAT_steer_rdma = 6'd25;  ///< frames to a connection
  localparam logic [5:0] STAT_steer_fw = 6'd26;  ///< frames to firmware
  localparam logic [5:0] STAT_steer_l2 = 6'd27;  ///< frames to the network device
  localparam logic [5:0] STAT_steer_drop_csum = 6'd28;  ///< bad checksum
  localparam logic [5:0] STAT_steer_drop_addr = 6'd29;  ///< not for this station
  localparam logic [5:0] STAT_steer_drop_full = 6'd30;  ///< network device or firmware had no room, or too many frames of a connection waited
  localparam logic [5:0] STAT_l2_tx_frames = 6'd31;  ///< 
  localparam logic [5:0] STAT_l2_tx_errors = 6'd32;  ///< bad descriptors, or host bus errors
  localparam logic [5:0] STAT_l2_rx_frames = 6'd33;  ///< 
  localparam logic [5:0] STAT_l2_rx_drop_nodesc = 6'd34;  ///< no receive descriptor
  localparam logic [5:0] STAT_l2_rx_drop_long = 6'd35;  ///< frame longer than its buffer
  localparam logic [5:0] STAT_pcie_reads = 6'd36;  ///< read requests that left
  localparam logic [5:0] STAT_pcie_writes = 6'd37;  ///< posted writes that left
  localparam logic [5:0] STAT_pcie_errors = 6'd38;  ///< reads that ended with an error, a time-out or an unexpected completion
  localparam logic [5:0] STAT_tpt_misses = 6'd39;  ///< page list lines fetched
  localparam logic [5:0] STAT_tpt_faults = 6'd40;  ///< translations refused
  localparam logic [5:0] STAT_fw_frames_dropped = 6'd41;  ///< frames that firmware had no room for
  localparam logic [5:0] STAT_fw_events = 6'd42;  ///< events to firmware
  localparam logic [5:0] STAT_tcp_cut_fpdus = 6'd43;  ///< FPDUs that were cut to the peer's window
  localparam logic [5:0] STAT_rx_payload_lost = 6'd44;  ///< segments whose payload found no place, or stood outside the window
  localparam logic [5:0] STAT_rx_rings = 6'd45;  ///< receive rings taken by a connection
  localparam logic [5:0] STAT_ctx_hits = 6'd46;  ///< asked for: connections that had a slot
  localparam logic [5:0] STAT_ctx_misses = 6'd47;  ///< asked for: connections that had to come from their homes
  localparam logic [5:0] STAT_ctx_evictions = 6'd48;  ///< connections that went to their homes for want of slots
  localparam logic [5:0] STAT_eth_tx_own = 6'd49;  ///< frames to this station, which turned round inside
  localparam logic [5:0] STAT_ctx_held = 6'd50;  ///< connections that kept their slot without moving while others waited for one
  localparam logic [5:0] STAT_push_lines = 6'd51;  ///< doorbells in a push line of their owner, whole or torn
  localparam logic [5:0] STAT_push_taken = 6'd52;  ///< pushed WQEs that were sent from there; those of the other lines were read from the ring
  localparam int unsigned STAT_COUNT = 53;
  localparam logic [31:0] PORT_STAT = 32'h0;  ///< counters, 8 bytes each, in the order of enum mac_stat
  localparam logic [31:0] PORT_OCTETS = 32'h400;  ///< octets received, of these in good frames, sent: from destination address to FCS, 8 bytes each
  localparam logic [31:0] PORT_CTRL = 32'h800;  ///< enum port_ctrl; 7 after reset
  localparam logic [31:0] PORT_MAX_LEN = 32'h804;  ///< largest frame with FCS; 9,026 after reset
  localparam logic [31:0] PORT_PAUSE = 32'h808;  ///< 15:0 quanta to ask for, 31:16 quanta between refreshes
  localparam logic [31:0] PORT_ADDR_LO = 32'h80c;  ///< station address, the source of PAUSE, bytes 0 to 3 (byte 0 in 7:0)
  localparam logic [31:0] PORT_ADDR_HI = 32'h810;  ///< bytes 4 and 5
  localparam logic [31:0] PORT_STATUS = 32'h814;  ///< read only, enum port_status; 31:16 the line's rate in 100 Mb/s
  localparam logic [31:0] PORT_CAGE = 32'h900;  ///< read only, struct port_cage
  localparam logic [31:0] PORT_CAGE_CTRL = 32'h904;  ///< enum cage_ctrl; 0 after reset
  localparam logic [31:0] PORT_MODULE = 32'h908;  ///< struct port_module: reads
  localparam logic [31:0] PORT_MODULE_STATUS = 32'h90c;  ///< read only, struct module_status
  localparam logic [31:0] PORT_MODULE_DATA = 32'h980;  ///< read only: the bytes that came, byte 0 in 7:0 of the first word; behind LEN of MODULE_STATUS stands anything
  localparam logic [31:0] MODULE_DATA_BYTES = 32'h80;  ///< the most that is read at once

  /// a cage and its pins, debounced
  typedef struct packed {
    logic [15:0] changes;  ///< times that a module came or went, modulo 2^16
    logic [6:0] rsvd0;
    logic [0:0] blind;  ///< the board has no pin that tells of a module: PRESENT is 1, CHANGES says nothing
    logic [0:0] attention;  ///< QSFP: it has something to say
    logic [0:0] los;  ///< SFP: it hears nothing
    logic [0:0] tx_fault;  ///< SFP: the module cannot send
    logic [0:0] present;  ///< a module is in the cage
    logic [3:0] kind;  ///< enum cage_kind
  } port_cage_t;
  localparam int unsigned PORT_CAGE_BYTES = 4;
  localparam int unsigned PORT_CAGE_KIND_LSB = 0;
  localparam int unsigned PORT_CAGE_KIND_WIDTH = 4;
  localparam int unsigned PORT_CAGE_PRESENT_LSB = 4;
  localparam int unsigned PORT_CAGE_PRESENT_WIDTH = 1;
  localparam int unsigned PORT_CAGE_TX_FAULT_LSB = 5;
  localparam int unsigned PORT_CAGE_TX_FAULT_WIDTH = 1;
  localparam int unsigned PORT_CAGE_LOS_LSB = 6;
  localparam int unsigned PORT_CAGE_LOS_WIDTH = 1;
  localparam int unsigned PORT_CAGE_ATTENTION_LSB = 7;
  localparam int unsigned PORT_CAGE_ATTENTION_WIDTH = 1;
  localparam int unsigned PORT_CAGE_BLIND_LSB = 8;
  localparam int unsigned PORT_CAGE_BLIND_WIDTH = 1;
  localparam int unsigned PORT_CAGE_CHANGES_LSB = 16;
  localparam int unsigned PORT_CAGE_CHANGES_WIDTH = 16;

  // cage_kind: 
  localparam logic [3:0] CAGE_KIND_NONE = 4'd0;  ///< no cage, or none that can be read
  localparam logic [3:0] CAGE_KIND_SFP = 4'd1;  ///< SFP, SFP+, SFP28: SFF-8472
  localparam logic [3:0] CAGE_KIND_QSFP = 4'd2;  ///< QSFP+, QSFP28: SFF-8636
  localparam int unsigned CAGE_KIND_COUNT = 3;

  // cage_ctrl: bits of PORT_CAGE_CTRL
  localparam logic [1:0] CAGE_CTRL_TX_DISABLE = 2'd0;  ///< SFP: the module does not send
  localparam logic [1:0] CAGE_CTRL_LOW_POWER = 2'd1;  ///< QSFP: pin LPMode
  localparam logic [1:0] CAGE_CTRL_RESET = 2'd2;  ///< QSFP: pin ResetL is low
  localparam int unsigned CAGE_CTRL_COUNT = 3;

  /// a read of a module's memory
  typedef struct packed {
    logic [0:0] select;  ///< 
    logic [6:0] address;  ///< I2C address, seven bits
    logic [7:0] len;  ///< bytes: 1 to MODULE_DATA_BYTES, and OFFSET + LEN at most 256; else the write fails
    logic [7:0] page;  ///< with SELECT: is written to byte 127 before
    logic [7:0] offset;  ///< first byte
  } port_module_t;
  localparam int unsigned PORT_MODULE_BYTES = 4;
  localparam int unsigned PORT_MODULE_OFFSET_LSB = 0;
  localparam int unsigned PORT_MODULE_OFFSET_WIDTH = 8;
  localparam int unsigned PORT_MODULE_PAGE_LSB = 8;
  localparam int unsigned PORT_MODULE_PAGE_WIDTH = 8;
  localparam int unsigned PORT_MODULE_LEN_LSB = 16;
  localparam int unsigned PORT_MODULE_LEN_WIDTH = 8;
  localparam int unsigned PORT_MODULE_ADDRESS_LSB = 24;
  localparam int unsigned PORT_MODULE_ADDRESS_WIDTH = 7;
  localparam int unsigned PORT_MODULE_SELECT_LSB = 31;
  localparam int unsigned PORT_MODULE_SELECT_WIDTH = 1;

  /// of the last read
  typedef struct packed {
    logic [15:0] count;  ///< reads that were over, modulo 2^16
    logic [7:0] len;  ///< bytes that came
    logic [3:0] result;  ///< enum module_result, when it is over
    logic [2:0] rsvd0;
    logic [0:0] busy;  ///< it is under way
  } module_status_t;
  localparam int unsigned MODULE_STATUS_BYTES = 4;
  localparam int unsigned MODULE_STATUS_BUSY_LSB = 0;
  localparam int unsigned MODULE_STATUS_BUSY_WIDTH = 1;
  localparam int unsigned MODULE_STATUS_RESULT_LSB = 4;
  localparam int unsigned MODULE_STATUS_RESULT_WIDTH = 4;
  localparam int unsigned MODULE_STATUS_LEN_LSB = 8;
  localparam int unsigned MODULE_STATUS_LEN_WIDTH = 8;
  localparam int unsigned MODULE_STATUS_COUNT_LSB = 16;
  localparam int unsigned MODULE_STATUS_COUNT_WIDTH = 16;

  // module_result: 
  localparam logic [3:0] MODULE_RESULT_OK = 4'd0;  ///< all bytes are there
  localparam logic [3:0] MODULE_RESULT_ABSENT = 4'd1;  ///< there is no module
  localparam logic [3:0] MODULE_RESULT_GONE = 4'd2;  ///< it left in the midst
  localparam logic [3:0] MODULE_RESULT_NO_ANSWER = 4'd3;  ///< nobody has that address (no acknowledge)
  localparam logic [3:0] MODULE_RESULT_REFUSED = 4'd4;  ///< a byte that was written was not acknowledged
  localparam logic [3:0] MODULE_RESULT_LOST = 4'd5;  ///< another master has the bus (arbitration), and kept it
  localparam logic [3:0] MODULE_RESULT_SLOW = 4'd6;  ///< the clock was held low for too long
  localparam logic [3:0] MODULE_RESULT_STUCK = 4'd7;  ///< SDA or SCL stay low, nine clocks did not help
  localparam int unsigned MODULE_RESULT_COUNT = 8;

  // port_ctrl: bits of PORT_CTRL
  localparam logic [4:0] PORT_CTRL_RX = 5'd0;  ///< receive
  localparam logic [4:0] PORT_CTRL_TX = 5'd1;  ///< transmit
  localparam logic [4:0] PORT_CTRL_PAUSE_RX = 5'd2;  ///< obey PAUSE
  localparam logic [4:0] PORT_CTRL_PAUSE_TX = 5'd3;  ///< send PAUSE
  localparam logic [4:0] PORT_CTRL_LOOP = 5'd4;  ///< what is sent comes back behind the codecs; the line sees idle
  localparam int unsigned PORT_CTRL_COUNT = 5;

  // port_status: bits of PORT_STATUS
  localparam logic [3:0] PORT_STATUS_LINK = 4'd0;  ///< 
  localparam logic [3:0] PORT_STATUS_LOCAL_FAULT = 4'd1;  ///< 
  localparam logic [3:0] PORT_STATUS_REMOTE_FAULT = 4'd2;  ///< 
  localparam logic [3:0] PORT_STATUS_PAUSED = 4'd3;  ///< a PAUSE of the partner is obeyed
  localparam int unsigned PORT_STATUS_COUNT = 4;

  // mac_stat: counter of a MAC (RFC 2819, RFC 3635; docs/mac.md)
  localparam logic [5:0] MAC_STAT_rx_pkts = 6'd0;  ///< frames, bad ones too
  localparam logic [5:0] MAC_STAT_rx_ok = 6'd1;  ///< good frames
  localparam logic [5:0] MAC_STAT_rx_ucast = 6'd2;  ///< good, to one station
  localparam logic [5:0] MAC_STAT_rx_mcast = 6'd3;  ///< good, to a group
  localparam logic [5:0] MAC_STAT_rx_bcast = 6'd4;  ///< good, to all
  localparam logic [5:0] MAC_STAT_rx_crc_err = 6'd5;  ///< FCS or code error, of a length that is allowed
  localparam logic [5:0] MAC_STAT_rx_code_err = 6'd6;  ///< error from the PHY inside, or no terminate
  localparam logic [5:0] MAC_STAT_rx_undersize = 6'd7;  ///< below 64, FCS good
  localparam logic [5:0] MAC_STAT_rx_fragment = 6'd8;  ///< below 64, FCS bad
  localparam logic [5:0] MAC_STAT_rx_oversize = 6'd9;  ///< above PORT_MAX_LEN, FCS good
  localparam logic [5:0] MAC_STAT_rx_jabber = 6'd10;  ///< above PORT_MAX_LEN, FCS bad
  localparam logic [5:0] MAC_STAT_rx_64 = 6'd11;  ///< by length, bad ones too
  localparam logic [5:0] MAC_STAT_rx_65_127 = 6'd12;  ///< 
  localparam logic [5:0] MAC_STAT_rx_128_255 = 6'd13;  ///< 
  localparam logic [5:0] MAC_STAT_rx_256_511 = 6'd14;  ///< 
  localparam logic [5:0] MAC_STAT_rx_512_1023 = 6'd15;  ///< 
  localparam logic [5:0] MAC_STAT_rx_1024_1518 = 6'd16;  ///< 
  localparam logic [5:0] MAC_STAT_rx_1519_up = 6'd17;  ///< 
  localparam logic [5:0] MAC_STAT_rx_ctrl = 6'd18;  ///< good MAC control
  localparam logic [5:0] MAC_STAT_rx_pause = 6'd19;  ///< PAUSE
  localparam logic [5:0] MAC_STAT_rx_unknown_op = 6'd20;  ///< MAC control that is not PAUSE
  localparam logic [5:0] MAC_STAT_rx_cut = 6'd21;  ///< no room towards the core
  localparam logic [5:0] MAC_STAT_rx_preamble = 6'd22;  ///< start without a delimiter, false carrier
  localparam logic [5:0] MAC_STAT_tx_pkts = 6'd23;  ///< sent, PAUSE included
  localparam logic [5:0] MAC_STAT_tx_ucast = 6'd24;  ///< 
  localparam logic [5:0] MAC_STAT_tx_mcast = 6'd25;  ///< 
  localparam logic [5:0] MAC_STAT_tx_bcast = 6'd26;  ///< 
  localparam logic [5:0] MAC_STAT_tx_64 = 6'd27;  ///< by length
  localparam logic [5:0] MAC_STAT_tx_65_127 = 6'd28;  ///< 
  localparam logic [5:0] MAC_STAT_tx_128_255 = 6'd29;  ///< 
  localparam logic [5:0] MAC_STAT_tx_256_511 = 6'd30;  ///< 
  localparam logic [5:0] MAC_STAT_tx_512_1023 = 6'd31;  ///< 
  localparam logic [5:0] MAC_STAT_tx_1024_1518 = 6'd32;  ///< 
  localparam logic [5:0] MAC_STAT_tx_1519_up = 6'd33;  ///< 
  localparam logic [5:0] MAC_STAT_tx_pause = 6'd34;  ///< 
  localparam logic [5:0] MAC_STAT_tx_link_drop = 6'd35;  ///< lost to a fault, or transmission off
  localparam logic [5:0] MAC_STAT_tx_store_drop = 6'd36;  ///< cut off by a reset, or too long for the store
  localparam logic [5:0] MAC_STAT_tx_reset = 6'd37;  ///< swallowed while the MAC was in reset
  localparam logic [5:0] MAC_STAT_local_fault = 6'd38;  ///< times it began
  localparam logic [5:0] MAC_STAT_remote_fault = 6'd39;  ///< times it began
  localparam logic [5:0] MAC_STAT_rec_lost = 6'd40;  ///< frames that are missing in all of these
  localparam int unsigned MAC_STAT_COUNT = 41;
endpackage
// verilator lint_on SYMRSVDWORD
// verilator lint_on UNUSEDPARAM
