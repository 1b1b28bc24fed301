/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Made by abi/gen from abi/weft.abi. Do not edit. */
#ifndef WEFT_ABI_H
#define WEFT_ABI_H
#define WEFT_PCI_VENDOR_ID 0x1e57 /* provisional */
#define WEFT_PCI_DEVICE_ID 0x5746 /* provisional */
#define WEFT_PCI_SUBSYS_ECP5 0x1 /* configuration ecp5 */
#define WEFT_PCI_SUBSYS_ARTIX7 0x2 /* configuration artix7 */
#define WEFT_PCI_SUBSYS_US100 0x3 /* configuration us100 */
#define WEFT_PCI_SUBSYS_SIM 0x4 /* configuration sim */
#define WEFT_MAGIC 0x54464557 /* register ID reads this: WEFT */
#define WEFT_ABI_MAJOR 0x1 /* another major version is refused */
#define WEFT_ABI_MINOR 0x0 /* raised when something is added */
#define WEFT_BAR0_BYTES 0x10000 /* registers, non-prefetchable */
#define WEFT_BAR4_BYTES 0x10000 /* MSI-X table at 0, PBA at MSIX_PBA_OFFSET */
#define WEFT_MSIX_PBA_OFFSET 0x8000 /* byte offset of the PBA in BAR4 */
#define WEFT_DB_PAGE_BYTES 0x1000 /* doorbell page stride reported in this version (a capability, do not assume it) */
#define WEFT_QPN_BITS 0x10 /* bits of a queue pair number */
#define WEFT_CQN_BITS 0x10 /* bits of a completion queue number */
#define WEFT_EQN_BITS 0x8 /* bits of an event queue number */
#define WEFT_SQ_LOG2_MAX 0xe /* largest log2 of send queue entries */
#define WEFT_RQ_LOG2_MAX 0xe /* largest log2 of receive queue entries */
#define WEFT_CQ_LOG2_MAX 0x14 /* largest log2 of completion queue entries */
#define WEFT_WQE_MAX_BYTES 0x100 /* largest work queue entry */
#define WEFT_SQ_MAX_SGE 0xe /* scatter-gather elements of the largest send WQE */
#define WEFT_RQ_MAX_SGE 0xe /* scatter-gather elements of the largest receive WQE (15 fit, 14 are promised) */
#define WEFT_MAX_INLINE 0xe0 /* inline bytes of the largest send WQE */
#define WEFT_MAX_MSG 0x7fffffff /* largest message in bytes that verbs offer */
#define WEFT_FPDU_LEAST 0x88 /* a full FPDU of the card is never smaller, markers not counted: a MULPDU of 130 (RFC 5044 4.5: 128 or more) */
#define WEFT_MARKER_BYTES 0x4 /* a marker of MPA (RFC 5044 4.3); an FPDU of FPDU_LEAST has one at most */
#define WEFT_ADMIN_ENTRY_BYTES 0x40 /* admin command and response */
#define WEFT_MAX_PRIVATE_DATA 0x200 /* MPA private data (RFC 5044 7.1.1); 508 with the RFC 6581 header */
#define WEFT_MIN_PAGE_LOG2 0xc /* smallest page of a memory region */
#define WEFT_MAX_PAGE_LOG2 0x1e /* largest page of a memory region */

/* bar0: 32-bit registers; other widths of aligned read are made of these, a write is 4 or 8 aligned bytes */
#define WEFT_REG_ID 0x000 /* ro: MAGIC */
#define WEFT_REG_VERSION 0x004 /* ro: ABI version */
#define WEFT_REG_VERSION_MAJOR_LSB 16 /* ABI_MAJOR */
#define WEFT_REG_VERSION_MAJOR_MASK 0xffff0000u
#define WEFT_REG_VERSION_MINOR_LSB 0 /* ABI_MINOR */
#define WEFT_REG_VERSION_MINOR_MASK 0x0000ffffu
#define WEFT_REG_FEATURES 0x008 /* ro: enum feature, one bit each; unknown bits are ignored */
#define WEFT_REG_STATUS 0x00c /* ro: state of the card */
#define WEFT_REG_STATUS_FW_STATE_LSB 0 /* enum fw_state */
#define WEFT_REG_STATUS_FW_STATE_MASK 0x0000000fu
#define WEFT_REG_STATUS_LINK_LSB 4 /* the Ethernet link is up */
#define WEFT_REG_STATUS_LINK_MASK 0x00000010u
#define WEFT_REG_STATUS_FW_ERROR_LSB 8 /* enum fw_error of the last image load */
#define WEFT_REG_STATUS_FW_ERROR_MASK 0x0000ff00u
#define WEFT_REG_CONTROL 0x010 /* wo: commands */
#define WEFT_REG_CONTROL_RESET_LSB 0 /* write 1: reset all rooms and the control processor, as a function-level reset does */
#define WEFT_REG_CONTROL_RESET_MASK 0x00000001u
#define WEFT_REG_NOW_LO 0x018 /* ro: now_ns, low half; reading it latches the high half */
#define WEFT_REG_NOW_HI 0x01c /* ro: now_ns, high half as latched */
#define WEFT_REG_FW_ADDR_LO 0x020 /* rw: bus address of the firmware image, 64-byte aligned */
#define WEFT_REG_FW_ADDR_HI 0x024 /* rw:  */
#define WEFT_REG_FW_LEN 0x028 /* rw: bytes of the image, header included; writing it starts the load */
#define WEFT_REG_FW_VERSION 0x02c /* ro: version of the running image: major[31:24] minor[23:16] patch[15:0]; 0 when none runs */
#define WEFT_REG_HEARTBEAT 0x030 /* ro: counts up each time firmware passes its main loop */
#define WEFT_REG_ADMIN_SQ_LO 0x040 /* rw: bus address of the admin submission ring, 64-byte aligned; read by firmware when ADMIN_LOG2 is written */
#define WEFT_REG_ADMIN_SQ_HI 0x044 /* rw:  */
#define WEFT_REG_ADMIN_CQ_LO 0x048 /* rw: bus address of the admin completion ring */
#define WEFT_REG_ADMIN_CQ_HI 0x04c /* rw:  */
#define WEFT_REG_ADMIN_LOG2 0x050 /* rw: log2 of entries of both rings, 1 to 8; writing it (re)starts the admin queue at index 0, phase 1 */
#define WEFT_REG_ADMIN_DB 0x054 /* wo: admin producer index, 16 bits, absolute */
#define WEFT_REG_ADMIN_VECTOR 0x058 /* rw: MSI-X vector of admin completions; 0xffff for none (polling) */
#define WEFT_REG_MAC_LO 0x060 /* ro: permanent MAC address, bytes 0 to 3, byte 0 in bits 7:0 */
#define WEFT_REG_MAC_HI 0x064 /* ro: bytes 4 and 5 */
#define WEFT_REG_CAP_QP 0x080 /* ro: queue pairs, QPN 0 is reserved */
#define WEFT_REG_CAP_CQ 0x084 /* ro: completion queues, CQN 0 is usable */
#define WEFT_REG_CAP_EQ 0x088 /* ro: event queues */
#define WEFT_REG_CAP_STAG 0x08c /* ro: memory regions and windows */
#define WEFT_REG_CAP_L2 0x090 /* ro: L2 entries */
#define WEFT_REG_CAP_DB_STRIDE 0x094 /* ro: bytes from one doorbell page to the next */
#define WEFT_REG_CAP_DB_PAGES 0x098 /* ro: doorbell pages; page 0 belongs to the kernel */
#define WEFT_REG_CAP_DATA_W 0x09c /* ro: width of the data path in bits */
#define WEFT_REG_CAP_MTU 0x0a0 /* ro: largest IP MTU */
#define WEFT_REG_CAP_READS 0x0a4 /* ro: RDMA Read resources per QP */
#define WEFT_REG_CAP_READS_IRD_LSB 0 /* inbound */
#define WEFT_REG_CAP_READS_IRD_MASK 0x0000ffffu
#define WEFT_REG_CAP_READS_ORD_LSB 16 /* outbound */
#define WEFT_REG_CAP_READS_ORD_MASK 0xffff0000u
#define WEFT_REG_CAP_VECTORS 0x0a8 /* ro: MSI-X vectors */
#define WEFT_REG_CAP_L2Q 0x0ac /* ro: pairs of L2 rings */
#define WEFT_REG_CAP_WQE 0x0b0 /* ro: log2 of the largest WQE stride */
#define WEFT_REG_CAP_LISTEN 0x0b4 /* ro: listeners */
#define WEFT_REG_CAP_CONN_SETUP 0x0b8 /* ro: connections in set-up at a time, those excepted whose peer has sent no MPA request yet */
#define WEFT_REG_CAP_SRQ 0x0bc /* ro: shared receive queues; 0 without SRQ in FEATURES */
#define WEFT_REG_FW_CRASH_PC 0x0c0 /* ro: crash record, valid in state FAULT: mepc of a trap; where the processor stood when the watchdog fired */
#define WEFT_REG_FW_CRASH_CAUSE 0x0c4 /* ro: mcause of a trap */
#define WEFT_REG_FW_CRASH_VALUE 0x0c8 /* ro: mtval of a trap */
#define WEFT_REG_FW_CRASH_SP 0x0cc /* ro: stack pointer of a trap */
#define WEFT_REG_FW_LAST_COMMAND 0x0d0 /* ro: last admin command that firmware began */
#define WEFT_REG_FW_LAST_COMMAND_OP_LSB 24 /* enum admin_op */
#define WEFT_REG_FW_LAST_COMMAND_OP_MASK 0xff000000u
#define WEFT_REG_FW_LAST_COMMAND_LAST_EVENT_LSB 16 /* last event of the rooms, enum fw_ev */
#define WEFT_REG_FW_LAST_COMMAND_LAST_EVENT_MASK 0x00ff0000u
#define WEFT_REG_FW_LAST_COMMAND_TAG_LSB 0 /* its tag */
#define WEFT_REG_FW_LAST_COMMAND_TAG_MASK 0x0000ffffu
#define WEFT_REG_FW_STACK_FREE 0x0d4 /* ro: bytes of the firmware's stack that were never used, brought up to date by the command STATS */
#define WEFT_REG_CAP_CQ_RING 0x0d8 /* ro: rings of completion queues; 0: CQ_LOG2_MAX, and one piece */
#define WEFT_REG_CAP_CQ_RING_LOG2_LSB 0 /* largest log2 of entries, at most CQ_LOG2_MAX */
#define WEFT_REG_CAP_CQ_RING_LOG2_MASK 0x000000ffu
#define WEFT_REG_CAP_CQ_RING_PIECES_LSB 8 /* largest log2 of pieces, 0 to 2 */
#define WEFT_REG_CAP_CQ_RING_PIECES_MASK 0x0000ff00u

/* feature: bits of register FEATURES */
#define WEFT_FEATURE_RDMA 0 /* iWARP queue pairs */
#define WEFT_FEATURE_L2 1 /* network device path */
#define WEFT_FEATURE_IPV6 2 /* IPv6 connections in hardware */
#define WEFT_FEATURE_VLAN 3 /* VLAN connections in hardware */
#define WEFT_FEATURE_SRQ 4 /* shared receive queues */
#define WEFT_FEATURE_MW 5 /* memory windows: send WQE BIND_MW, windows in MR_SET */
#define WEFT_FEATURE_ATOMIC 6 /* atomics (RFC 7306 5): send WQEs FETCH_ADD and CMP_SWAP, the right REMOTE_ATOMIC */
#define WEFT_FEATURE_RX_RING 7 /* unaligned and out-of-order bytes are kept in a receive ring, connections in homes (docs/datapath.md) */
#define WEFT_FEATURE_MEM_MGT 8 /* send WQEs LOCAL_INV and FAST_REG, Send with Invalidate, STag 0 for privileged QPs */
#define WEFT_FEATURE_IMM 9 /* Immediate Data (RFC 7306 6): send WQE IMM, completions RECV_IMM */
#define WEFT_FEATURE_L2_OFFLOAD 10 /* rings of the network device: VLAN, TSO and SET of l2_txd, STRIP of l2_rxd, HASH_TYPE */
#define WEFT_FEATURE_PORT 11 /* the MAC's registers and counters can be reached: admin commands PORT_READ and PORT_WRITE */
#define WEFT_FEATURE_PUSH 12 /* push lines at DB_PUSH of each doorbell page */
#define WEFT_FEATURE_CQE_STAMP 13 /* STAMP of a completion */
#define WEFT_FEATURE_CQ_MODERATION 14 /* admin command CQ_MODERATE */
#define WEFT_FEATURE_COUNT 15
#define WEFT_FEATURE_NAMES \
	[0] = "RDMA", \
	[1] = "L2", \
	[2] = "IPV6", \
	[3] = "VLAN", \
	[4] = "SRQ", \
	[5] = "MW", \
	[6] = "ATOMIC", \
	[7] = "RX_RING", \
	[8] = "MEM_MGT", \
	[9] = "IMM", \
	[10] = "L2_OFFLOAD", \
	[11] = "PORT", \
	[12] = "PUSH", \
	[13] = "CQE_STAMP", \
	[14] = "CQ_MODERATION",

/* fw_state: firmware */
#define WEFT_FW_STATE_NONE 0 /* no image; the loader waits */
#define WEFT_FW_STATE_LOADING 1 /* an image is being read and checked */
#define WEFT_FW_STATE_REFUSED 2 /* the image was refused, see FW_ERROR */
#define WEFT_FW_STATE_BOOTING 3 /* the processor runs, firmware has not reported yet */
#define WEFT_FW_STATE_READY 4 /* firmware takes admin commands */
#define WEFT_FW_STATE_FAULT 5 /* firmware stopped (trap or watchdog); only a reset helps */
#define WEFT_FW_STATE_COUNT 6
#define WEFT_FW_STATE_NAMES \
	[0] = "NONE", \
	[1] = "LOADING", \
	[2] = "REFUSED", \
	[3] = "BOOTING", \
	[4] = "READY", \
	[5] = "FAULT",

/* fw_error: why an image was refused or firmware stopped */
#define WEFT_FW_ERROR_OK 0 /*  */
#define WEFT_FW_ERROR_BAD_LENGTH 1 /* length is 0, not a multiple of 4, or beyond 64 KiB plus header */
#define WEFT_FW_ERROR_BAD_MAGIC 2 /* no image header */
#define WEFT_FW_ERROR_BAD_ABI 3 /* made for another ABI major version */
#define WEFT_FW_ERROR_BAD_CRC 4 /* CRC32c over the image does not match */
#define WEFT_FW_ERROR_DMA 5 /* the image could not be read from host memory */
#define WEFT_FW_ERROR_TRAP 6 /* firmware took an unexpected trap */
#define WEFT_FW_ERROR_WATCHDOG 7 /* firmware stopped passing its main loop */
#define WEFT_FW_ERROR_STACK 8 /* the stack of the firmware ran over */
#define WEFT_FW_ERROR_DRAIN 9 /* not raised any more: what does not drain answers TIMEOUT */
#define WEFT_FW_ERROR_COUNT 10
#define WEFT_FW_ERROR_NAMES \
	[0] = "OK", \
	[1] = "BAD_LENGTH", \
	[2] = "BAD_MAGIC", \
	[3] = "BAD_ABI", \
	[4] = "BAD_CRC", \
	[5] = "DMA", \
	[6] = "TRAP", \
	[7] = "WATCHDOG", \
	[8] = "STACK", \
	[9] = "DRAIN",

/* fw_header: header of a firmware image; the code follows and is loaded at address 0 */
#define WEFT_FW_HEADER_BYTES 64
#define WEFT_FW_HEADER_MAGIC_LSB 0 /* bit in the struct: MAGIC */
#define WEFT_FW_HEADER_MAGIC_WIDTH 32
#define WEFT_FW_HEADER_MAGIC_OFF 0 /* byte */
#define WEFT_FW_HEADER_MAGIC_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_FW_HEADER_ABI_MAJOR_LSB 32 /* bit in the struct: ABI_MAJOR */
#define WEFT_FW_HEADER_ABI_MAJOR_WIDTH 16
#define WEFT_FW_HEADER_ABI_MAJOR_OFF 4 /* byte */
#define WEFT_FW_HEADER_ABI_MAJOR_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_FW_HEADER_HEADER_BYTES_LSB 48 /* bit in the struct: 64 */
#define WEFT_FW_HEADER_HEADER_BYTES_WIDTH 16
#define WEFT_FW_HEADER_HEADER_BYTES_OFF 6 /* byte */
#define WEFT_FW_HEADER_HEADER_BYTES_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_FW_HEADER_VERSION_LSB 64 /* bit in the struct: as FW_VERSION */
#define WEFT_FW_HEADER_VERSION_WIDTH 32
#define WEFT_FW_HEADER_VERSION_OFF 8 /* byte */
#define WEFT_FW_HEADER_VERSION_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_FW_HEADER_CODE_BYTES_LSB 96 /* bit in the struct: bytes after the header, a multiple of 4, at most 65536 */
#define WEFT_FW_HEADER_CODE_BYTES_WIDTH 32
#define WEFT_FW_HEADER_CODE_BYTES_OFF 12 /* byte */
#define WEFT_FW_HEADER_CODE_BYTES_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_FW_HEADER_CODE_CRC_LSB 128 /* bit in the struct: CRC32c (RFC 3720) of the bytes after the header */
#define WEFT_FW_HEADER_CODE_CRC_WIDTH 32
#define WEFT_FW_HEADER_CODE_CRC_OFF 16 /* byte */
#define WEFT_FW_HEADER_CODE_CRC_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_FW_HEADER_ENTRY_LSB 160 /* bit in the struct: address of the first instruction */
#define WEFT_FW_HEADER_ENTRY_WIDTH 32
#define WEFT_FW_HEADER_ENTRY_OFF 20 /* byte */
#define WEFT_FW_HEADER_ENTRY_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_FW_HEADER_SIGNATURE_LSB 256 /* bit in the struct: reserved for a signature; zero */
#define WEFT_FW_HEADER_SIGNATURE_WIDTH 256
#define WEFT_FW_HEADER_SIGNATURE_OFF 32 /* byte */
#define WEFT_DB_SQ 0x0 /* struct db_queue: send queue producer index */
#define WEFT_DB_RQ 0x8 /* struct db_queue: receive queue producer index */
#define WEFT_DB_CQ 0x10 /* struct db_cq: consumer index and arm */
#define WEFT_DB_EQ 0x18 /* struct db_cq: event queue consumer index and arm; page 0 only */
#define WEFT_DB_L2_TX 0x20 /* struct db_queue: L2 transmit ring producer index; page 0 only */
#define WEFT_DB_L2_RX 0x28 /* struct db_queue: L2 receive ring producer index; page 0 only */
#define WEFT_DB_SRQ 0x30 /* struct db_queue: shared receive queue producer index, ID the SRQN; one more than 2^n ahead counts as rejected, and nothing is taken before the next one */
#define WEFT_DB_PUSH 0x800 /* push lines, to the end of the page, with FEATURES PUSH: struct push_line */
#define WEFT_PUSH_WQE_BYTES 0x38 /* bytes of the WQE that a push line has: a header and one SGE, or 24 in-line bytes. What is behind counts as zero */

/* db_queue: doorbell of a send, receive or L2 queue */
#define WEFT_DB_QUEUE_BYTES 8
#define WEFT_DB_QUEUE_ID_LSB 0 /* bit in the struct: QPN or ring number */
#define WEFT_DB_QUEUE_ID_WIDTH 23
#define WEFT_DB_QUEUE_ID_OFF 0 /* byte */
#define WEFT_DB_QUEUE_ID_MASK 0x00000000007fffffull /* in its 64-bit word */
#define WEFT_DB_QUEUE_ARM_LSB 23 /* bit in the struct: L2 rings only: one-shot arm of the ring's completion interrupt; INDEX is then the consumer index of that completion ring (the producer index stays); a completion already beyond INDEX fires at once */
#define WEFT_DB_QUEUE_ARM_WIDTH 1
#define WEFT_DB_QUEUE_ARM_OFF 2 /* byte */
#define WEFT_DB_QUEUE_ARM_MASK 0x0000000000800000ull /* in its 64-bit word */
#define WEFT_DB_QUEUE_INDEX_LSB 32 /* bit in the struct: absolute producer index, free running modulo 65536 (ARM: consumer index of the completion ring) */
#define WEFT_DB_QUEUE_INDEX_WIDTH 16
#define WEFT_DB_QUEUE_INDEX_OFF 4 /* byte */
#define WEFT_DB_QUEUE_INDEX_MASK 0x0000ffff00000000ull /* in its 64-bit word */

/* push_line: push line */
#define WEFT_PUSH_LINE_BYTES 64
#define WEFT_PUSH_LINE_ID_LSB 0 /* bit in the struct: QPN */
#define WEFT_PUSH_LINE_ID_WIDTH 23
#define WEFT_PUSH_LINE_ID_OFF 0 /* byte */
#define WEFT_PUSH_LINE_ID_MASK 0x00000000007fffffull /* in its 64-bit word */
#define WEFT_PUSH_LINE_INDEX_LSB 32 /* bit in the struct: absolute producer index */
#define WEFT_PUSH_LINE_INDEX_WIDTH 16
#define WEFT_PUSH_LINE_INDEX_OFF 4 /* byte */
#define WEFT_PUSH_LINE_INDEX_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_PUSH_LINE_WQE_LSB 64 /* bit in the struct: its first 8 bytes, and so on */
#define WEFT_PUSH_LINE_WQE_WIDTH 64
#define WEFT_PUSH_LINE_WQE_OFF 8 /* byte */
#define WEFT_PUSH_LINE_WQE_MASK 0xffffffffffffffffull /* in its 64-bit word */

/* db_cq: doorbell of a completion or event queue */
#define WEFT_DB_CQ_BYTES 8
#define WEFT_DB_CQ_ID_LSB 0 /* bit in the struct: CQN or EQN */
#define WEFT_DB_CQ_ID_WIDTH 24
#define WEFT_DB_CQ_ID_OFF 0 /* byte */
#define WEFT_DB_CQ_ID_MASK 0x0000000000ffffffull /* in its 64-bit word */
#define WEFT_DB_CQ_ARM_LSB 24 /* bit in the struct: enum arm */
#define WEFT_DB_CQ_ARM_WIDTH 2
#define WEFT_DB_CQ_ARM_OFF 3 /* byte */
#define WEFT_DB_CQ_ARM_MASK 0x0000000003000000ull /* in its 64-bit word */
#define WEFT_DB_CQ_INDEX_LSB 32 /* bit in the struct: absolute consumer index, free running modulo 2^24 */
#define WEFT_DB_CQ_INDEX_WIDTH 24
#define WEFT_DB_CQ_INDEX_OFF 4 /* byte */
#define WEFT_DB_CQ_INDEX_MASK 0x00ffffff00000000ull /* in its 64-bit word */

/* arm: one-shot arm of a CQ or EQ; an entry already beyond INDEX fires at once */
#define WEFT_ARM_NONE 0 /* only move the consumer index */
#define WEFT_ARM_NEXT 1 /* fire at the next entry */
#define WEFT_ARM_SOLICITED 2 /* CQ: fire at the next solicited or failed completion */
#define WEFT_ARM_COUNT 3
#define WEFT_ARM_NAMES \
	[0] = "NONE", \
	[1] = "NEXT", \
	[2] = "SOLICITED",

/* sq_opcode: operation of a send WQE */
#define WEFT_SQ_OPCODE_SEND 0 /* RDMAP Send (RFC 5040 5.3) */
#define WEFT_SQ_OPCODE_SEND_INV 1 /* Send with Invalidate */
#define WEFT_SQ_OPCODE_WRITE 2 /* RDMA Write (5.1) */
#define WEFT_SQ_OPCODE_READ 3 /* RDMA Read (5.2): exactly one SGE, the sink */
#define WEFT_SQ_OPCODE_READ_INV 4 /* reserved: Read, then invalidate the sink STag */
#define WEFT_SQ_OPCODE_LOCAL_INV 5 /* invalidate the local STag RSTAG, as if with READ_FENCE; NUM_SGE, INLINE and LENGTH are 0 */
#define WEFT_SQ_OPCODE_FAST_REG 6 /* register the local STag RSTAG, which is INVALID, with first TO RADDR and what struct sqe_reg behind the header says; for QPs that may use STag 0. NUM_SGE, INLINE and LENGTH are 0 */
#define WEFT_SQ_OPCODE_BIND_MW 7 /* bind the window RSTAG, with its new key and first TO RADDR, to the memory that struct sqe_bind behind the header names. Over one that is bound, or CLOSED, with LOCAL_FENCE: what has to be sent again from there resets its connection. NUM_SGE, INLINE and LENGTH are 0 */
#define WEFT_SQ_OPCODE_NOP 8 /* completes in order, sends nothing */
#define WEFT_SQ_OPCODE_IMM 9 /* Immediate Data (RFC 7306 6): a message of 8 bytes, 4 zero and IMM, big endian; takes a receive of the peer as a Send does. NUM_SGE, INLINE and LENGTH are 0 */
#define WEFT_SQ_OPCODE_FETCH_ADD 10 /* FetchAdd (RFC 7306 5.1.1) of 64 bits at RSTAG, RADDR: exactly one SGE of 8 bytes, where the value before goes; what struct sqe_atomic behind that says. Counts as a Read */
#define WEFT_SQ_OPCODE_CMP_SWAP 11 /* CmpSwap (5.1.2), the same */
#define WEFT_SQ_OPCODE_COUNT 12
#define WEFT_SQ_OPCODE_NAMES \
	[0] = "SEND", \
	[1] = "SEND_INV", \
	[2] = "WRITE", \
	[3] = "READ", \
	[4] = "READ_INV", \
	[5] = "LOCAL_INV", \
	[6] = "FAST_REG", \
	[7] = "BIND_MW", \
	[8] = "NOP", \
	[9] = "IMM", \
	[10] = "FETCH_ADD", \
	[11] = "CMP_SWAP",

/* sqe: header of a send WQE */
#define WEFT_SQE_BYTES 32
#define WEFT_SQE_OPCODE_LSB 0 /* bit in the struct: enum sq_opcode */
#define WEFT_SQE_OPCODE_WIDTH 8
#define WEFT_SQE_OPCODE_OFF 0 /* byte */
#define WEFT_SQE_OPCODE_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_SQE_SIGNALED_LSB 8 /* bit in the struct: make a CQE on success (an error always makes one) */
#define WEFT_SQE_SIGNALED_WIDTH 1
#define WEFT_SQE_SIGNALED_OFF 1 /* byte */
#define WEFT_SQE_SIGNALED_MASK 0x0000000000000100ull /* in its 64-bit word */
#define WEFT_SQE_SOLICITED_LSB 9 /* bit in the struct: solicited event at the receiver (Send with SE, Immediate Data with SE) */
#define WEFT_SQE_SOLICITED_WIDTH 1
#define WEFT_SQE_SOLICITED_OFF 1 /* byte */
#define WEFT_SQE_SOLICITED_MASK 0x0000000000000200ull /* in its 64-bit word */
#define WEFT_SQE_INLINE_LSB 10 /* bit in the struct: LENGTH payload bytes follow the header instead of SGEs; not for READ */
#define WEFT_SQE_INLINE_WIDTH 1
#define WEFT_SQE_INLINE_OFF 1 /* byte */
#define WEFT_SQE_INLINE_MASK 0x0000000000000400ull /* in its 64-bit word */
#define WEFT_SQE_READ_FENCE_LSB 11 /* bit in the struct: wait for all earlier Reads of this QP */
#define WEFT_SQE_READ_FENCE_WIDTH 1
#define WEFT_SQE_READ_FENCE_OFF 1 /* byte */
#define WEFT_SQE_READ_FENCE_MASK 0x0000000000000800ull /* in its 64-bit word */
#define WEFT_SQE_LOCAL_FENCE_LSB 12 /* bit in the struct: wait for all earlier work of this QP */
#define WEFT_SQE_LOCAL_FENCE_WIDTH 1
#define WEFT_SQE_LOCAL_FENCE_OFF 1 /* byte */
#define WEFT_SQE_LOCAL_FENCE_MASK 0x0000000000001000ull /* in its 64-bit word */
#define WEFT_SQE_NUM_SGE_LSB 16 /* bit in the struct: SGEs after the header; 0 when INLINE */
#define WEFT_SQE_NUM_SGE_WIDTH 8
#define WEFT_SQE_NUM_SGE_OFF 2 /* byte */
#define WEFT_SQE_NUM_SGE_MASK 0x0000000000ff0000ull /* in its 64-bit word */
#define WEFT_SQE_INDEX_LSB 32 /* bit in the struct: low 16 bits of the index of this entry; a mismatch is a malformed WQE */
#define WEFT_SQE_INDEX_WIDTH 16
#define WEFT_SQE_INDEX_OFF 4 /* byte */
#define WEFT_SQE_INDEX_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_SQE_LENGTH_LSB 64 /* bit in the struct: sum of all SGE lengths, or inline bytes; at most MAX_MSG */
#define WEFT_SQE_LENGTH_WIDTH 32
#define WEFT_SQE_LENGTH_OFF 8 /* byte */
#define WEFT_SQE_LENGTH_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_SQE_RSTAG_LSB 96 /* bit in the struct: peer's STag: Write sink, Read source; STag to invalidate, at the peer for SEND_INV, here for LOCAL_INV; to register for FAST_REG, to bind for BIND_MW, with its new key */
#define WEFT_SQE_RSTAG_WIDTH 32
#define WEFT_SQE_RSTAG_OFF 12 /* byte */
#define WEFT_SQE_RSTAG_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_SQE_RADDR_LSB 128 /* bit in the struct: peer's tagged offset (TO); first TO for FAST_REG, BIND_MW */
#define WEFT_SQE_RADDR_WIDTH 64
#define WEFT_SQE_RADDR_OFF 16 /* byte */
#define WEFT_SQE_RADDR_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_SQE_IMM_LSB 192 /* bit in the struct: IMM: what is sent, as a number */
#define WEFT_SQE_IMM_WIDTH 32
#define WEFT_SQE_IMM_OFF 24 /* byte */
#define WEFT_SQE_IMM_MASK 0x00000000ffffffffull /* in its 64-bit word */

/* sqe_atomic: behind the SGE of FETCH_ADD and CMP_SWAP */
#define WEFT_SQE_ATOMIC_BYTES 16
#define WEFT_SQE_ATOMIC_DATA_LSB 0 /* bit in the struct: what is added, or swapped in */
#define WEFT_SQE_ATOMIC_DATA_WIDTH 64
#define WEFT_SQE_ATOMIC_DATA_OFF 0 /* byte */
#define WEFT_SQE_ATOMIC_DATA_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_SQE_ATOMIC_COMPARE_LSB 64 /* bit in the struct: CMP_SWAP: with what is there it is swapped in */
#define WEFT_SQE_ATOMIC_COMPARE_WIDTH 64
#define WEFT_SQE_ATOMIC_COMPARE_OFF 8 /* byte */
#define WEFT_SQE_ATOMIC_COMPARE_MASK 0xffffffffffffffffull /* in its 64-bit word */

/* sqe_reg: behind the header of FAST_REG */
#define WEFT_SQE_REG_BYTES 32
#define WEFT_SQE_REG_PBL_LSB 0 /* bit in the struct: bus address of the page list, as in struct tpt */
#define WEFT_SQE_REG_PBL_WIDTH 64
#define WEFT_SQE_REG_PBL_OFF 0 /* byte */
#define WEFT_SQE_REG_PBL_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_SQE_REG_BYTES_LSB 64 /* bit in the struct: bytes of the region */
#define WEFT_SQE_REG_BYTES_WIDTH 64
#define WEFT_SQE_REG_BYTES_OFF 8 /* byte */
#define WEFT_SQE_REG_BYTES_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_SQE_REG_PBL_COUNT_LSB 128 /* bit in the struct: entries of the page list */
#define WEFT_SQE_REG_PBL_COUNT_WIDTH 32
#define WEFT_SQE_REG_PBL_COUNT_OFF 16 /* byte */
#define WEFT_SQE_REG_PBL_COUNT_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_SQE_REG_FBO_LSB 160 /* bit in the struct: offset of the first byte in the first page */
#define WEFT_SQE_REG_FBO_WIDTH 32
#define WEFT_SQE_REG_FBO_OFF 20 /* byte */
#define WEFT_SQE_REG_FBO_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_SQE_REG_ACCESS_LSB 192 /* bit in the struct: enum access, one bit each */
#define WEFT_SQE_REG_ACCESS_WIDTH 8
#define WEFT_SQE_REG_ACCESS_OFF 24 /* byte */
#define WEFT_SQE_REG_ACCESS_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_SQE_REG_PAGE_LOG2_LSB 200 /* bit in the struct: MIN_PAGE_LOG2 to MAX_PAGE_LOG2 */
#define WEFT_SQE_REG_PAGE_LOG2_WIDTH 8
#define WEFT_SQE_REG_PAGE_LOG2_OFF 25 /* byte */
#define WEFT_SQE_REG_PAGE_LOG2_MASK 0x000000000000ff00ull /* in its 64-bit word */

/* sqe_bind: behind the header of BIND_MW */
#define WEFT_SQE_BIND_BYTES 32
#define WEFT_SQE_BIND_ADDR_LSB 0 /* bit in the struct: first byte: TO in the region */
#define WEFT_SQE_BIND_ADDR_WIDTH 64
#define WEFT_SQE_BIND_ADDR_OFF 0 /* byte */
#define WEFT_SQE_BIND_ADDR_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_SQE_BIND_BYTES_LSB 64 /* bit in the struct: bytes of the window; 0 unbinds one of type 1 */
#define WEFT_SQE_BIND_BYTES_WIDTH 64
#define WEFT_SQE_BIND_BYTES_OFF 8 /* byte */
#define WEFT_SQE_BIND_BYTES_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_SQE_BIND_LKEY_LSB 128 /* bit in the struct: STag of the region, which is VALID, not zero-based, of the QP's domain, and gives MW_BIND */
#define WEFT_SQE_BIND_LKEY_WIDTH 32
#define WEFT_SQE_BIND_LKEY_OFF 16 /* byte */
#define WEFT_SQE_BIND_LKEY_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_SQE_BIND_ACCESS_LSB 192 /* bit in the struct: REMOTE_WRITE and REMOTE_ATOMIC want LOCAL_WRITE of the region, REMOTE_READ its LOCAL_READ; REMOTE_INV; other bits count for nothing */
#define WEFT_SQE_BIND_ACCESS_WIDTH 8
#define WEFT_SQE_BIND_ACCESS_OFF 24 /* byte */
#define WEFT_SQE_BIND_ACCESS_MASK 0x00000000000000ffull /* in its 64-bit word */

/* sge: scatter-gather element */
#define WEFT_SGE_BYTES 16
#define WEFT_SGE_ADDR_LSB 0 /* bit in the struct: virtual address or zero-based offset (TO) in the region */
#define WEFT_SGE_ADDR_WIDTH 64
#define WEFT_SGE_ADDR_OFF 0 /* byte */
#define WEFT_SGE_ADDR_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_SGE_LENGTH_LSB 64 /* bit in the struct: bytes */
#define WEFT_SGE_LENGTH_WIDTH 32
#define WEFT_SGE_LENGTH_OFF 8 /* byte */
#define WEFT_SGE_LENGTH_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_SGE_LKEY_LSB 96 /* bit in the struct: local STag */
#define WEFT_SGE_LKEY_WIDTH 32
#define WEFT_SGE_LKEY_OFF 12 /* byte */
#define WEFT_SGE_LKEY_MASK 0xffffffff00000000ull /* in its 64-bit word */

/* rqe: header of a receive WQE; NUM_SGE SGEs follow. Strides 64, 128, 256 */
#define WEFT_RQE_BYTES 16
#define WEFT_RQE_NUM_SGE_LSB 0 /* bit in the struct: SGEs after the header */
#define WEFT_RQE_NUM_SGE_WIDTH 8
#define WEFT_RQE_NUM_SGE_OFF 0 /* byte */
#define WEFT_RQE_NUM_SGE_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_RQE_INDEX_LSB 32 /* bit in the struct: low 16 bits of the index of this entry */
#define WEFT_RQE_INDEX_WIDTH 16
#define WEFT_RQE_INDEX_OFF 4 /* byte */
#define WEFT_RQE_INDEX_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_RQE_LENGTH_LSB 64 /* bit in the struct: sum of all SGE lengths */
#define WEFT_RQE_LENGTH_WIDTH 32
#define WEFT_RQE_LENGTH_OFF 8 /* byte */
#define WEFT_RQE_LENGTH_MASK 0x00000000ffffffffull /* in its 64-bit word */

/* srq_order: a shared receive queue is 2^n WQEs of one stride and, right behind them, 2^n of these, which say in what order they are taken: WQEs complete in any order, so a free one is posted wherever it lies. Entry i of the free-running producer index lies at i mod 2^n */
#define WEFT_SRQ_ORDER_BYTES 8
#define WEFT_SRQ_ORDER_SLOT_LSB 0 /* bit in the struct: WQE, mod 2^n; its INDEX is this number, not the producer index */
#define WEFT_SRQ_ORDER_SLOT_WIDTH 16
#define WEFT_SRQ_ORDER_SLOT_OFF 0 /* byte */
#define WEFT_SRQ_ORDER_SLOT_MASK 0x000000000000ffffull /* in its 64-bit word */

/* wc_status: status of a completion; values are Weft's own, the provider maps them */
#define WEFT_WC_STATUS_SUCCESS 0 /*  */
#define WEFT_WC_STATUS_LOC_LEN_ERR 1 /* malformed length */
#define WEFT_WC_STATUS_LOC_QP_OP_ERR 2 /* malformed WQE */
#define WEFT_WC_STATUS_LOC_PROT_ERR 3 /* local STag, bounds, rights or PD */
#define WEFT_WC_STATUS_WR_FLUSH_ERR 4 /* flushed: the QP is in ERROR */
#define WEFT_WC_STATUS_REM_INV_REQ_ERR 5 /* peer refused: invalid request */
#define WEFT_WC_STATUS_REM_ACCESS_ERR 6 /* peer refused: STag, bounds or rights */
#define WEFT_WC_STATUS_REM_OP_ERR 7 /* peer could not complete */
#define WEFT_WC_STATUS_RETRY_EXC_ERR 8 /* TCP gave up */
#define WEFT_WC_STATUS_FATAL_ERR 9 /* host bus error */
#define WEFT_WC_STATUS_MW_BIND_ERR 10 /* LOCAL_INV of an STag that is not to be invalidated: 0, a region that no QP owns or that windows are bound to, a window of type 1; FAST_REG of one that is VALID; BIND_MW of what is no window of this domain, or a VALID one of type 2; BIND_MW to a zero-based region */
#define WEFT_WC_STATUS_COUNT 11
#define WEFT_WC_STATUS_NAMES \
	[0] = "SUCCESS", \
	[1] = "LOC_LEN_ERR", \
	[2] = "LOC_QP_OP_ERR", \
	[3] = "LOC_PROT_ERR", \
	[4] = "WR_FLUSH_ERR", \
	[5] = "REM_INV_REQ_ERR", \
	[6] = "REM_ACCESS_ERR", \
	[7] = "REM_OP_ERR", \
	[8] = "RETRY_EXC_ERR", \
	[9] = "FATAL_ERR", \
	[10] = "MW_BIND_ERR",

/* wc_opcode: what completed */
#define WEFT_WC_OPCODE_SEND 0 /*  */
#define WEFT_WC_OPCODE_WRITE 1 /*  */
#define WEFT_WC_OPCODE_READ 2 /*  */
#define WEFT_WC_OPCODE_LOCAL 3 /* NOP */
#define WEFT_WC_OPCODE_LOCAL_INV 4 /*  */
#define WEFT_WC_OPCODE_FAST_REG 5 /*  */
#define WEFT_WC_OPCODE_IMM 6 /*  */
#define WEFT_WC_OPCODE_FETCH_ADD 7 /*  */
#define WEFT_WC_OPCODE_CMP_SWAP 8 /*  */
#define WEFT_WC_OPCODE_BIND_MW 9 /*  */
#define WEFT_WC_OPCODE_RECV 128 /*  */
#define WEFT_WC_OPCODE_RECV_INV 129 /* receive whose Send invalidated INV_STAG */
#define WEFT_WC_OPCODE_RECV_IMM 130 /* receive that Immediate Data took: nothing was placed, BYTES is 0, INV_STAG is the low half of its 8 bytes, as a number */
#define WEFT_WC_OPCODE_COUNT 13
#define WEFT_WC_OPCODE_NAMES \
	[0] = "SEND", \
	[1] = "WRITE", \
	[2] = "READ", \
	[3] = "LOCAL", \
	[4] = "LOCAL_INV", \
	[5] = "FAST_REG", \
	[6] = "IMM", \
	[7] = "FETCH_ADD", \
	[8] = "CMP_SWAP", \
	[9] = "BIND_MW", \
	[128] = "RECV", \
	[129] = "RECV_INV", \
	[130] = "RECV_IMM",

/* cqe: completion queue entry; bit PHASE toggles each time round the ring, first 1; it is written last */
#define WEFT_CQE_BYTES 32
#define WEFT_CQE_QPN_LSB 0 /* bit in the struct: queue pair */
#define WEFT_CQE_QPN_WIDTH 24
#define WEFT_CQE_QPN_OFF 0 /* byte */
#define WEFT_CQE_QPN_MASK 0x0000000000ffffffull /* in its 64-bit word */
#define WEFT_CQE_OPCODE_LSB 24 /* bit in the struct: enum wc_opcode; undefined unless STATUS is SUCCESS, but RECV's bit 7 is always right */
#define WEFT_CQE_OPCODE_WIDTH 8
#define WEFT_CQE_OPCODE_OFF 3 /* byte */
#define WEFT_CQE_OPCODE_MASK 0x00000000ff000000ull /* in its 64-bit word */
#define WEFT_CQE_INDEX_LSB 32 /* bit in the struct: index of the WQE; all earlier ones of that queue are complete too. Of a receive from a shared queue its SLOT, and of no other */
#define WEFT_CQE_INDEX_WIDTH 16
#define WEFT_CQE_INDEX_OFF 4 /* byte */
#define WEFT_CQE_INDEX_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_CQE_STATUS_LSB 48 /* bit in the struct: enum wc_status */
#define WEFT_CQE_STATUS_WIDTH 8
#define WEFT_CQE_STATUS_OFF 6 /* byte */
#define WEFT_CQE_STATUS_MASK 0x00ff000000000000ull /* in its 64-bit word */
#define WEFT_CQE_BYTES_LSB 64 /* bit in the struct: received bytes, or read bytes */
#define WEFT_CQE_BYTES_WIDTH 32
#define WEFT_CQE_BYTES_OFF 8 /* byte */
#define WEFT_CQE_BYTES_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_CQE_INV_STAG_LSB 96 /* bit in the struct: STag that the peer invalidated; immediate data */
#define WEFT_CQE_INV_STAG_WIDTH 32
#define WEFT_CQE_INV_STAG_OFF 12 /* byte */
#define WEFT_CQE_INV_STAG_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_CQE_VENDOR_ERR_LSB 128 /* bit in the struct: detail of an error, for logs */
#define WEFT_CQE_VENDOR_ERR_WIDTH 32
#define WEFT_CQE_VENDOR_ERR_OFF 16 /* byte */
#define WEFT_CQE_VENDOR_ERR_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_CQE_STAMP_LSB 192 /* bit in the struct: with FEATURES CQE_STAMP: now_ns (NOW_LO, NOW_HI) modulo 2^56 when the card made the entry; of the entries of a CQ none is before that of the entry in front of it */
#define WEFT_CQE_STAMP_WIDTH 56
#define WEFT_CQE_STAMP_OFF 24 /* byte */
#define WEFT_CQE_STAMP_MASK 0x00ffffffffffffffull /* in its 64-bit word */
#define WEFT_CQE_SOLICITED_LSB 248 /* bit in the struct: counts for ARM_SOLICITED */
#define WEFT_CQE_SOLICITED_WIDTH 1
#define WEFT_CQE_SOLICITED_OFF 31 /* byte */
#define WEFT_CQE_SOLICITED_MASK 0x0100000000000000ull /* in its 64-bit word */
#define WEFT_CQE_PHASE_LSB 255 /* bit in the struct: written last */
#define WEFT_CQE_PHASE_WIDTH 1
#define WEFT_CQE_PHASE_OFF 31 /* byte */
#define WEFT_CQE_PHASE_MASK 0x8000000000000000ull /* in its 64-bit word */

/* eqe_type: what an event is about */
#define WEFT_EQE_TYPE_CQ_COMPLETION 1 /* ID is the CQN: an armed CQ has a new entry */
#define WEFT_EQE_TYPE_CQ_ERROR 2 /* ID is the CQN: overflow; the CQ stops, its QPs get errors */
#define WEFT_EQE_TYPE_QP_ERROR 3 /* ID is the QPN, CODE enum qp_event */
#define WEFT_EQE_TYPE_EQ_OVERFLOW 4 /* events were lost; ID is the number lost, saturating */
#define WEFT_EQE_TYPE_LINK 5 /* CODE 1: up, 0: down */
#define WEFT_EQE_TYPE_FW_FAULT 6 /* CODE enum fw_error */
#define WEFT_EQE_TYPE_SRQ_LIMIT 7 /* ID is the SRQN: fewer WQEs than its limit are left; the limit is disarmed */
#define WEFT_EQE_TYPE_LAST_WQE 8 /* ID is the QPN, in ERR: it takes nothing more from its shared receive queue, and what it took is complete; once, unless QP_DESTROY is first */
#define WEFT_EQE_TYPE_CM_CONNECT_REQUEST 16 /* ID is the connection handle, HANDLE the listener; private data by QUERY_CONN */
#define WEFT_EQE_TYPE_CM_CONNECT_REPLY 17 /* CODE enum cm_status; ID the connection handle, HANDLE the caller's cookie */
#define WEFT_EQE_TYPE_CM_ESTABLISHED 18 /* passive side: the connection runs */
#define WEFT_EQE_TYPE_CM_DISCONNECT 19 /* the peer closed its half; ID the connection handle */
#define WEFT_EQE_TYPE_CM_CLOSE 20 /* the connection is gone; CODE enum cm_status */
#define WEFT_EQE_TYPE_L2_RING 32 /* ID is the ring: L2 ring progressed and was armed */
#define WEFT_EQE_TYPE_COUNT 14
#define WEFT_EQE_TYPE_NAMES \
	[1] = "CQ_COMPLETION", \
	[2] = "CQ_ERROR", \
	[3] = "QP_ERROR", \
	[4] = "EQ_OVERFLOW", \
	[5] = "LINK", \
	[6] = "FW_FAULT", \
	[7] = "SRQ_LIMIT", \
	[8] = "LAST_WQE", \
	[16] = "CM_CONNECT_REQUEST", \
	[17] = "CM_CONNECT_REPLY", \
	[18] = "CM_ESTABLISHED", \
	[19] = "CM_DISCONNECT", \
	[20] = "CM_CLOSE", \
	[32] = "L2_RING",

/* qp_event: CODE of QP_ERROR */
#define WEFT_QP_EVENT_TERMINATE_RECEIVED 1 /* DATA0 is the Terminate control word, host order */
#define WEFT_QP_EVENT_TERMINATE_SENT 2 /* DATA0 is the Terminate control word, host order */
#define WEFT_QP_EVENT_LLP_RESET 3 /* peer reset, or TCP gave up */
#define WEFT_QP_EVENT_LOCAL_ERROR 4 /* a WQE failed, see its completion */
#define WEFT_QP_EVENT_BAD_CLOSE 5 /* the peer closed with work outstanding */
#define WEFT_QP_EVENT_SLOT_HELD 6 /* reset by the card: others waited for its place on chip, and its peer acknowledged and sent nothing */
#define WEFT_QP_EVENT_COUNT 6
#define WEFT_QP_EVENT_NAMES \
	[1] = "TERMINATE_RECEIVED", \
	[2] = "TERMINATE_SENT", \
	[3] = "LLP_RESET", \
	[4] = "LOCAL_ERROR", \
	[5] = "BAD_CLOSE", \
	[6] = "SLOT_HELD",

/* cm_status: outcome of connection set-up or close */
#define WEFT_CM_STATUS_OK 0 /*  */
#define WEFT_CM_STATUS_REFUSED 1 /* RST in answer to SYN */
#define WEFT_CM_STATUS_TIMED_OUT 2 /* no answer */
#define WEFT_CM_STATUS_RESET 3 /* RST later */
#define WEFT_CM_STATUS_REJECTED 4 /* MPA reply with R=1; private data by QUERY_CONN */
#define WEFT_CM_STATUS_PROTOCOL 5 /* the peer broke MPA, or announced an MSS below FPDU_LEAST, a marker and the timestamps (152 bytes) */
#define WEFT_CM_STATUS_NO_RESOURCE 6 /* the card has no room, that of the connection look-up included */
#define WEFT_CM_STATUS_ABORTED 7 /* by this host */
#define WEFT_CM_STATUS_COUNT 8
#define WEFT_CM_STATUS_NAMES \
	[0] = "OK", \
	[1] = "REFUSED", \
	[2] = "TIMED_OUT", \
	[3] = "RESET", \
	[4] = "REJECTED", \
	[5] = "PROTOCOL", \
	[6] = "NO_RESOURCE", \
	[7] = "ABORTED",

/* eqe: event queue entry; PHASE as in a CQE, written last */
#define WEFT_EQE_BYTES 64
#define WEFT_EQE_KIND_LSB 0 /* bit in the struct: enum eqe_type */
#define WEFT_EQE_KIND_WIDTH 8
#define WEFT_EQE_KIND_OFF 0 /* byte */
#define WEFT_EQE_KIND_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_EQE_CODE_LSB 8 /* bit in the struct:  */
#define WEFT_EQE_CODE_WIDTH 8
#define WEFT_EQE_CODE_OFF 1 /* byte */
#define WEFT_EQE_CODE_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_EQE_ID_LSB 32 /* bit in the struct:  */
#define WEFT_EQE_ID_WIDTH 32
#define WEFT_EQE_ID_OFF 4 /* byte */
#define WEFT_EQE_ID_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_EQE_HANDLE_LSB 64 /* bit in the struct:  */
#define WEFT_EQE_HANDLE_WIDTH 32
#define WEFT_EQE_HANDLE_OFF 8 /* byte */
#define WEFT_EQE_HANDLE_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_EQE_DATA0_LSB 96 /* bit in the struct:  */
#define WEFT_EQE_DATA0_WIDTH 32
#define WEFT_EQE_DATA0_OFF 12 /* byte */
#define WEFT_EQE_DATA0_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_EQE_PEER_ADDR_LSB 128 /* bit in the struct: CM: peer address, network byte order; IPv4 in bytes 0 to 3 */
#define WEFT_EQE_PEER_ADDR_WIDTH 128
#define WEFT_EQE_PEER_ADDR_OFF 16 /* byte */
#define WEFT_EQE_LOCAL_ADDR_LSB 256 /* bit in the struct: CM: local address */
#define WEFT_EQE_LOCAL_ADDR_WIDTH 128
#define WEFT_EQE_LOCAL_ADDR_OFF 32 /* byte */
#define WEFT_EQE_PEER_PORT_LSB 384 /* bit in the struct: CM: host byte order */
#define WEFT_EQE_PEER_PORT_WIDTH 16
#define WEFT_EQE_PEER_PORT_OFF 48 /* byte */
#define WEFT_EQE_PEER_PORT_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_EQE_LOCAL_PORT_LSB 400 /* bit in the struct:  */
#define WEFT_EQE_LOCAL_PORT_WIDTH 16
#define WEFT_EQE_LOCAL_PORT_OFF 50 /* byte */
#define WEFT_EQE_LOCAL_PORT_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_EQE_IRD_LSB 416 /* bit in the struct: CM: peer's IRD */
#define WEFT_EQE_IRD_WIDTH 16
#define WEFT_EQE_IRD_OFF 52 /* byte */
#define WEFT_EQE_IRD_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_EQE_ORD_LSB 432 /* bit in the struct: CM: peer's ORD */
#define WEFT_EQE_ORD_WIDTH 16
#define WEFT_EQE_ORD_OFF 54 /* byte */
#define WEFT_EQE_ORD_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_EQE_PD_BYTES_LSB 448 /* bit in the struct: CM: bytes of private data */
#define WEFT_EQE_PD_BYTES_WIDTH 16
#define WEFT_EQE_PD_BYTES_OFF 56 /* byte */
#define WEFT_EQE_PD_BYTES_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_EQE_FLAGS_LSB 464 /* bit in the struct: CM: bit 0 IPv6, bit 1 MPA revision 2, bit 2 CRC on */
#define WEFT_EQE_FLAGS_WIDTH 8
#define WEFT_EQE_FLAGS_OFF 58 /* byte */
#define WEFT_EQE_FLAGS_MASK 0x0000000000ff0000ull /* in its 64-bit word */
#define WEFT_EQE_PHASE_LSB 511 /* bit in the struct: written last */
#define WEFT_EQE_PHASE_WIDTH 1
#define WEFT_EQE_PHASE_OFF 63 /* byte */
#define WEFT_EQE_PHASE_MASK 0x8000000000000000ull /* in its 64-bit word */

/* tpt: translation and protection entry; slot (STAG >> 8) mod CAP_STAG, all 32 bits of the STag are compared */
#define WEFT_TPT_BYTES 64
#define WEFT_TPT_STAG_LSB 0 /* bit in the struct: index in bits 31:8, key in bits 7:0 */
#define WEFT_TPT_STAG_WIDTH 32
#define WEFT_TPT_STAG_OFF 0 /* byte */
#define WEFT_TPT_STAG_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_TPT_STATE_LSB 32 /* bit in the struct: enum tpt_state */
#define WEFT_TPT_STATE_WIDTH 2
#define WEFT_TPT_STATE_OFF 4 /* byte */
#define WEFT_TPT_STATE_MASK 0x0000000300000000ull /* in its 64-bit word */
#define WEFT_TPT_KIND_LSB 34 /* bit in the struct: enum tpt_type */
#define WEFT_TPT_KIND_WIDTH 2
#define WEFT_TPT_KIND_OFF 4 /* byte */
#define WEFT_TPT_KIND_MASK 0x0000000c00000000ull /* in its 64-bit word */
#define WEFT_TPT_ACCESS_LSB 40 /* bit in the struct: enum access, one bit each */
#define WEFT_TPT_ACCESS_WIDTH 8
#define WEFT_TPT_ACCESS_OFF 5 /* byte */
#define WEFT_TPT_ACCESS_MASK 0x0000ff0000000000ull /* in its 64-bit word */
#define WEFT_TPT_PAGE_LOG2_LSB 48 /* bit in the struct: MIN_PAGE_LOG2 to MAX_PAGE_LOG2 */
#define WEFT_TPT_PAGE_LOG2_WIDTH 8
#define WEFT_TPT_PAGE_LOG2_OFF 6 /* byte */
#define WEFT_TPT_PAGE_LOG2_MASK 0x00ff000000000000ull /* in its 64-bit word */
#define WEFT_TPT_DIRECT_LSB 56 /* bit in the struct: PBL is the bus address of the first byte's page and the range is contiguous */
#define WEFT_TPT_DIRECT_WIDTH 1
#define WEFT_TPT_DIRECT_OFF 7 /* byte */
#define WEFT_TPT_DIRECT_MASK 0x0100000000000000ull /* in its 64-bit word */
#define WEFT_TPT_PD_LSB 64 /* bit in the struct: protection domain */
#define WEFT_TPT_PD_WIDTH 24
#define WEFT_TPT_PD_OFF 8 /* byte */
#define WEFT_TPT_PD_MASK 0x0000000000ffffffull /* in its 64-bit word */
#define WEFT_TPT_QPN_LSB 96 /* bit in the struct: windows of type 2: the only QP that may use it; regions: the QP whose peer may invalidate it (REMOTE_INV), 0: no stream may */
#define WEFT_TPT_QPN_WIDTH 24
#define WEFT_TPT_QPN_OFF 12 /* byte */
#define WEFT_TPT_QPN_MASK 0x00ffffff00000000ull /* in its 64-bit word */
#define WEFT_TPT_BASE_LSB 128 /* bit in the struct: first TO: virtual address, or 0 */
#define WEFT_TPT_BASE_WIDTH 64
#define WEFT_TPT_BASE_OFF 16 /* byte */
#define WEFT_TPT_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_TPT_LENGTH_LSB 192 /* bit in the struct: bytes */
#define WEFT_TPT_LENGTH_WIDTH 64
#define WEFT_TPT_LENGTH_OFF 24 /* byte */
#define WEFT_TPT_LENGTH_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_TPT_FBO_LSB 256 /* bit in the struct: offset of the first byte in the first page; of a window with FBO_HI: from the first page's beginning */
#define WEFT_TPT_FBO_WIDTH 32
#define WEFT_TPT_FBO_OFF 32 /* byte */
#define WEFT_TPT_FBO_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_TPT_FBO_HI_LSB 288 /* bit in the struct: windows: bits 63:32 of that */
#define WEFT_TPT_FBO_HI_WIDTH 32
#define WEFT_TPT_FBO_HI_OFF 36 /* byte */
#define WEFT_TPT_FBO_HI_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_TPT_PBL_LSB 320 /* bit in the struct: bus address of the page list (8 bytes a page, little endian, 64-byte aligned), or of the page itself (DIRECT) */
#define WEFT_TPT_PBL_WIDTH 64
#define WEFT_TPT_PBL_OFF 40 /* byte */
#define WEFT_TPT_PBL_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_TPT_PBL_COUNT_LSB 384 /* bit in the struct: entries of the page list; an access beyond it fails */
#define WEFT_TPT_PBL_COUNT_WIDTH 32
#define WEFT_TPT_PBL_COUNT_OFF 48 /* byte */
#define WEFT_TPT_PBL_COUNT_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_TPT_PARENT_LSB 416 /* bit in the struct: windows: index of the region that it is bound to; of the card alone */
#define WEFT_TPT_PARENT_WIDTH 24
#define WEFT_TPT_PARENT_OFF 52 /* byte */
#define WEFT_TPT_PARENT_MASK 0x00ffffff00000000ull /* in its 64-bit word */
#define WEFT_TPT_WINDOWS_LSB 448 /* bit in the struct: regions: how many windows are bound to it; of the card alone, which takes no commit of an entry in which it is not 0 */
#define WEFT_TPT_WINDOWS_WIDTH 16
#define WEFT_TPT_WINDOWS_OFF 56 /* byte */
#define WEFT_TPT_WINDOWS_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_TPT_REFUSED_LSB 464 /* bit in the struct: of whatever entry is read: the last commit was taken without effect for that; of the card alone */
#define WEFT_TPT_REFUSED_WIDTH 1
#define WEFT_TPT_REFUSED_OFF 58 /* byte */
#define WEFT_TPT_REFUSED_MASK 0x0000000000010000ull /* in its 64-bit word */

/* tpt_state: state of an STag */
#define WEFT_TPT_STATE_FREE 0 /*  */
#define WEFT_TPT_STATE_INVALID 1 /* allocated, not usable for access */
#define WEFT_TPT_STATE_VALID 2 /*  */
#define WEFT_TPT_STATE_CLOSED 3 /* of the card alone: a LOCAL_INV is under way, only what was sent before is sent again from it */
#define WEFT_TPT_STATE_COUNT 4
#define WEFT_TPT_STATE_NAMES \
	[0] = "FREE", \
	[1] = "INVALID", \
	[2] = "VALID", \
	[3] = "CLOSED",

/* tpt_type: kind of an STag */
#define WEFT_TPT_TYPE_MR 0 /* region, any QP of its PD */
#define WEFT_TPT_TYPE_MW 1 /* window of type 2B: one QP */
#define WEFT_TPT_TYPE_MW_1 2 /* window of type 1: any QP of its PD */
#define WEFT_TPT_TYPE_COUNT 3
#define WEFT_TPT_TYPE_NAMES \
	[0] = "MR", \
	[1] = "MW", \
	[2] = "MW_1",

/* access: bits of ACCESS */
#define WEFT_ACCESS_LOCAL_WRITE 0 /*  */
#define WEFT_ACCESS_REMOTE_WRITE 1 /* also what the sink of a Read needs (RFC 5040) */
#define WEFT_ACCESS_REMOTE_READ 2 /*  */
#define WEFT_ACCESS_REMOTE_INV 3 /* Send with Invalidate, by the peer of QPN alone */
#define WEFT_ACCESS_LOCAL_READ 4 /*  */
#define WEFT_ACCESS_REMOTE_ATOMIC 5 /* atomics of the peer (RFC 7306 5); nobody gives it while FEATURES has no ATOMIC */
#define WEFT_ACCESS_MW_BIND 6 /* windows may be bound to it */
#define WEFT_ACCESS_COUNT 7
#define WEFT_ACCESS_NAMES \
	[0] = "LOCAL_WRITE", \
	[1] = "REMOTE_WRITE", \
	[2] = "REMOTE_READ", \
	[3] = "REMOTE_INV", \
	[4] = "LOCAL_READ", \
	[5] = "REMOTE_ATOMIC", \
	[6] = "MW_BIND",

/* l2e: where a connection's frames go; the driver keeps it current from the neighbour table */
#define WEFT_L2E_BYTES 16
#define WEFT_L2E_DMAC_LSB 0 /* bit in the struct: byte 0 in bits 7:0 */
#define WEFT_L2E_DMAC_WIDTH 48
#define WEFT_L2E_DMAC_OFF 0 /* byte */
#define WEFT_L2E_DMAC_MASK 0x0000ffffffffffffull /* in its 64-bit word */
#define WEFT_L2E_VLAN_TCI_LSB 48 /* bit in the struct:  */
#define WEFT_L2E_VLAN_TCI_WIDTH 16
#define WEFT_L2E_VLAN_TCI_OFF 6 /* byte */
#define WEFT_L2E_VLAN_TCI_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_L2E_SMAC_LSB 64 /* bit in the struct:  */
#define WEFT_L2E_SMAC_WIDTH 48
#define WEFT_L2E_SMAC_OFF 8 /* byte */
#define WEFT_L2E_SMAC_MASK 0x0000ffffffffffffull /* in its 64-bit word */
#define WEFT_L2E_MTU_LSB 112 /* bit in the struct: IP MTU, 576 to CAP_MTU */
#define WEFT_L2E_MTU_WIDTH 14
#define WEFT_L2E_MTU_OFF 14 /* byte */
#define WEFT_L2E_MTU_MASK 0x3fff000000000000ull /* in its 64-bit word */
#define WEFT_L2E_VLAN_LSB 126 /* bit in the struct: insert VLAN_TCI */
#define WEFT_L2E_VLAN_WIDTH 1
#define WEFT_L2E_VLAN_OFF 15 /* byte */
#define WEFT_L2E_VLAN_MASK 0x4000000000000000ull /* in its 64-bit word */
#define WEFT_L2E_VALID_LSB 127 /* bit in the struct:  */
#define WEFT_L2E_VALID_WIDTH 1
#define WEFT_L2E_VALID_OFF 15 /* byte */
#define WEFT_L2E_VALID_MASK 0x8000000000000000ull /* in its 64-bit word */

/* l2_txd: transmit descriptor: one buffer. What is not about the buffer stands in the first descriptor of a frame */
#define WEFT_L2_TXD_BYTES 16
#define WEFT_L2_TXD_ADDR_LSB 0 /* bit in the struct: bus address */
#define WEFT_L2_TXD_ADDR_WIDTH 64
#define WEFT_L2_TXD_ADDR_OFF 0 /* byte */
#define WEFT_L2_TXD_ADDR_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_L2_TXD_LENGTH_LSB 64 /* bit in the struct: bytes, 1 to 16384 */
#define WEFT_L2_TXD_LENGTH_WIDTH 16
#define WEFT_L2_TXD_LENGTH_OFF 8 /* byte */
#define WEFT_L2_TXD_LENGTH_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_L2_TXD_LAST_LSB 80 /* bit in the struct: last buffer of the frame; at most 32 */
#define WEFT_L2_TXD_LAST_WIDTH 1
#define WEFT_L2_TXD_LAST_OFF 10 /* byte */
#define WEFT_L2_TXD_LAST_MASK 0x0000000000010000ull /* in its 64-bit word */
#define WEFT_L2_TXD_CSUM_LSB 81 /* bit in the struct: insert the TCP or UDP checksum: sum from CSUM_START to the end, store at CSUM_START + CSUM_OFFSET */
#define WEFT_L2_TXD_CSUM_WIDTH 1
#define WEFT_L2_TXD_CSUM_OFF 10 /* byte */
#define WEFT_L2_TXD_CSUM_MASK 0x0000000000020000ull /* in its 64-bit word */
#define WEFT_L2_TXD_VLAN_LSB 82 /* bit in the struct: insert a tag (IEEE 802.1Q, 0x8100 and VLAN_TCI) behind the two addresses; offsets and lengths are those without it; with CSUM, CSUM_START is 14 or more */
#define WEFT_L2_TXD_VLAN_WIDTH 1
#define WEFT_L2_TXD_VLAN_OFF 10 /* byte */
#define WEFT_L2_TXD_VLAN_MASK 0x0000000000040000ull /* in its 64-bit word */
#define WEFT_L2_TXD_TSO_LSB 83 /* bit in the struct: the frame is cut into segments: struct l2_tso */
#define WEFT_L2_TXD_TSO_WIDTH 1
#define WEFT_L2_TXD_TSO_OFF 10 /* byte */
#define WEFT_L2_TXD_TSO_MASK 0x0000000000080000ull /* in its 64-bit word */
#define WEFT_L2_TXD_SET_LSB 84 /* bit in the struct: no frame: struct l2_scaling, exactly, in one buffer or several; it takes effect in its turn */
#define WEFT_L2_TXD_SET_WIDTH 1
#define WEFT_L2_TXD_SET_OFF 10 /* byte */
#define WEFT_L2_TXD_SET_MASK 0x0000000000100000ull /* in its 64-bit word */
#define WEFT_L2_TXD_CSUM_START_LSB 96 /* bit in the struct: byte offset in the frame */
#define WEFT_L2_TXD_CSUM_START_WIDTH 8
#define WEFT_L2_TXD_CSUM_START_OFF 12 /* byte */
#define WEFT_L2_TXD_CSUM_START_MASK 0x000000ff00000000ull /* in its 64-bit word */
#define WEFT_L2_TXD_CSUM_OFFSET_LSB 104 /* bit in the struct: byte offset from CSUM_START */
#define WEFT_L2_TXD_CSUM_OFFSET_WIDTH 8
#define WEFT_L2_TXD_CSUM_OFFSET_OFF 13 /* byte */
#define WEFT_L2_TXD_CSUM_OFFSET_MASK 0x0000ff0000000000ull /* in its 64-bit word */
#define WEFT_L2_TXD_VLAN_TCI_LSB 112 /* bit in the struct:  */
#define WEFT_L2_TXD_VLAN_TCI_WIDTH 16
#define WEFT_L2_TXD_VLAN_TCI_OFF 14 /* byte */
#define WEFT_L2_TXD_VLAN_TCI_MASK 0xffff000000000000ull /* in its 64-bit word */

/* l2_tso: first descriptor of a frame that is cut (TSO set); a chain that does not keep to the limits is not read and completes with ERROR */
#define WEFT_L2_TSO_BYTES 16
#define WEFT_L2_TSO_ADDR_LSB 0 /* bit in the struct: as in l2_txd, like LENGTH, LAST, VLAN and VLAN_TCI */
#define WEFT_L2_TSO_ADDR_WIDTH 64
#define WEFT_L2_TSO_ADDR_OFF 0 /* byte */
#define WEFT_L2_TSO_ADDR_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_L2_TSO_LENGTH_LSB 64 /* bit in the struct: the header may end anywhere in the chain */
#define WEFT_L2_TSO_LENGTH_WIDTH 16
#define WEFT_L2_TSO_LENGTH_OFF 8 /* byte */
#define WEFT_L2_TSO_LENGTH_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_L2_TSO_FLAGS_LSB 80 /* bit in the struct: as in l2_txd; CSUM and SET have no meaning */
#define WEFT_L2_TSO_FLAGS_WIDTH 8
#define WEFT_L2_TSO_FLAGS_OFF 10 /* byte */
#define WEFT_L2_TSO_FLAGS_MASK 0x0000000000ff0000ull /* in its 64-bit word */
#define WEFT_L2_TSO_HDR_LEN_LSB 88 /* bit in the struct: bytes in front of the payload, 54 to 118: exactly what the header's own fields say */
#define WEFT_L2_TSO_HDR_LEN_WIDTH 8
#define WEFT_L2_TSO_HDR_LEN_OFF 11 /* byte */
#define WEFT_L2_TSO_HDR_LEN_MASK 0x00000000ff000000ull /* in its 64-bit word */
#define WEFT_L2_TSO_MSS_LSB 96 /* bit in the struct: TSO_MSS_MIN bytes or more; with HDR_LEN (and a tag) no more than a frame */
#define WEFT_L2_TSO_MSS_WIDTH 16
#define WEFT_L2_TSO_MSS_OFF 12 /* byte */
#define WEFT_L2_TSO_MSS_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_L2_TSO_VLAN_TCI_LSB 112 /* bit in the struct:  */
#define WEFT_L2_TSO_VLAN_TCI_WIDTH 16
#define WEFT_L2_TSO_VLAN_TCI_OFF 14 /* byte */
#define WEFT_L2_TSO_VLAN_TCI_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_TSO_MAX 0x10000 /* header and payload of a frame that is cut */
#define WEFT_TSO_MSS_MIN 0x40 /* smallest MSS */

/* l2_scaling: receive scaling. A failed read of it turns the hash off */
#define WEFT_L2_SCALING_BYTES 192
#define WEFT_L2_SCALING_KEY_LSB 0 /* bit in the struct: first byte first, as the Toeplitz hash uses it */
#define WEFT_L2_SCALING_KEY_WIDTH 320
#define WEFT_L2_SCALING_KEY_OFF 0 /* byte */
#define WEFT_L2_SCALING_TYPES_LSB 320 /* bit in the struct: bit n: frames of hash type n are hashed; others fall back to addresses alone (IPV4, IPV6), or have none. 0 after reset */
#define WEFT_L2_SCALING_TYPES_WIDTH 8
#define WEFT_L2_SCALING_TYPES_OFF 40 /* byte */
#define WEFT_L2_SCALING_TYPES_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_L2_SCALING_ENTRIES_LSB 512 /* bit in the struct: a byte an entry: the pair for frames whose HASH has these low bits; 0 without a hash */
#define WEFT_L2_SCALING_ENTRIES_WIDTH 1024
#define WEFT_L2_SCALING_ENTRIES_OFF 64 /* byte */
#define WEFT_L2_SCALING_N 0x80 /* entries of ENTRIES */

/* l2_hash: what HASH was taken over: addresses and ports, source first, in network order, with the Toeplitz function */
#define WEFT_L2_HASH_NONE 0 /* no hash: no IP, or not in TYPES */
#define WEFT_L2_HASH_IPV4 1 /* addresses: fragments, other protocols, options, or a broken header behind IP */
#define WEFT_L2_HASH_TCP_IPV4 2 /*  */
#define WEFT_L2_HASH_UDP_IPV4 3 /*  */
#define WEFT_L2_HASH_IPV6 4 /* addresses: extension headers, other protocols */
#define WEFT_L2_HASH_TCP_IPV6 5 /*  */
#define WEFT_L2_HASH_UDP_IPV6 6 /*  */
#define WEFT_L2_HASH_COUNT 7
#define WEFT_L2_HASH_NAMES \
	[0] = "NONE", \
	[1] = "IPV4", \
	[2] = "TCP_IPV4", \
	[3] = "UDP_IPV4", \
	[4] = "IPV6", \
	[5] = "TCP_IPV6", \
	[6] = "UDP_IPV6",

/* l2_rxd: receive descriptor: one buffer */
#define WEFT_L2_RXD_BYTES 16
#define WEFT_L2_RXD_ADDR_LSB 0 /* bit in the struct: bus address */
#define WEFT_L2_RXD_ADDR_WIDTH 64
#define WEFT_L2_RXD_ADDR_OFF 0 /* byte */
#define WEFT_L2_RXD_ADDR_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_L2_RXD_LENGTH_LSB 64 /* bit in the struct: bytes of the buffer; a frame that does not fit in one buffer (with its tag) is dropped and counted */
#define WEFT_L2_RXD_LENGTH_WIDTH 16
#define WEFT_L2_RXD_LENGTH_OFF 8 /* byte */
#define WEFT_L2_RXD_LENGTH_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_L2_RXD_STRIP_LSB 80 /* bit in the struct: a VLAN tag is taken out of the frame */
#define WEFT_L2_RXD_STRIP_WIDTH 1
#define WEFT_L2_RXD_STRIP_OFF 10 /* byte */
#define WEFT_L2_RXD_STRIP_MASK 0x0000000000010000ull /* in its 64-bit word */

/* l2_cqe: completion of a transmit frame or of a received frame */
#define WEFT_L2_CQE_BYTES 16
#define WEFT_L2_CQE_INDEX_LSB 0 /* bit in the struct: descriptor index (transmit: the last of the frame) */
#define WEFT_L2_CQE_INDEX_WIDTH 16
#define WEFT_L2_CQE_INDEX_OFF 0 /* byte */
#define WEFT_L2_CQE_INDEX_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_L2_CQE_LENGTH_LSB 16 /* bit in the struct: received bytes */
#define WEFT_L2_CQE_LENGTH_WIDTH 16
#define WEFT_L2_CQE_LENGTH_OFF 2 /* byte */
#define WEFT_L2_CQE_LENGTH_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_L2_CQE_CSUM_OK_LSB 32 /* bit in the struct: IP header and TCP or UDP checksum were verified */
#define WEFT_L2_CQE_CSUM_OK_WIDTH 1
#define WEFT_L2_CQE_CSUM_OK_OFF 4 /* byte */
#define WEFT_L2_CQE_CSUM_OK_MASK 0x0000000100000000ull /* in its 64-bit word */
#define WEFT_L2_CQE_VLAN_LSB 33 /* bit in the struct: the frame came with a tag, VLAN_TCI */
#define WEFT_L2_CQE_VLAN_WIDTH 1
#define WEFT_L2_CQE_VLAN_OFF 4 /* byte */
#define WEFT_L2_CQE_VLAN_MASK 0x0000000200000000ull /* in its 64-bit word */
#define WEFT_L2_CQE_ERROR_LSB 34 /* bit in the struct: transmit: host bus error or bad chain, the frame was not sent; receive: the descriptor could not be read, LENGTH is 0 */
#define WEFT_L2_CQE_ERROR_WIDTH 1
#define WEFT_L2_CQE_ERROR_OFF 4 /* byte */
#define WEFT_L2_CQE_ERROR_MASK 0x0000000400000000ull /* in its 64-bit word */
#define WEFT_L2_CQE_STRIPPED_LSB 35 /* bit in the struct: the tag is not in the frame any more */
#define WEFT_L2_CQE_STRIPPED_WIDTH 1
#define WEFT_L2_CQE_STRIPPED_OFF 4 /* byte */
#define WEFT_L2_CQE_STRIPPED_MASK 0x0000000800000000ull /* in its 64-bit word */
#define WEFT_L2_CQE_HASH_TYPE_LSB 36 /* bit in the struct: enum l2_hash */
#define WEFT_L2_CQE_HASH_TYPE_WIDTH 4
#define WEFT_L2_CQE_HASH_TYPE_OFF 4 /* byte */
#define WEFT_L2_CQE_HASH_TYPE_MASK 0x000000f000000000ull /* in its 64-bit word */
#define WEFT_L2_CQE_VLAN_TCI_LSB 48 /* bit in the struct:  */
#define WEFT_L2_CQE_VLAN_TCI_WIDTH 16
#define WEFT_L2_CQE_VLAN_TCI_OFF 6 /* byte */
#define WEFT_L2_CQE_VLAN_TCI_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_L2_CQE_HASH_LSB 64 /* bit in the struct: 0 with HASH_TYPE NONE */
#define WEFT_L2_CQE_HASH_WIDTH 32
#define WEFT_L2_CQE_HASH_OFF 8 /* byte */
#define WEFT_L2_CQE_HASH_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_L2_CQE_PHASE_LSB 127 /* bit in the struct: written last */
#define WEFT_L2_CQE_PHASE_WIDTH 1
#define WEFT_L2_CQE_PHASE_OFF 15 /* byte */
#define WEFT_L2_CQE_PHASE_MASK 0x8000000000000000ull /* in its 64-bit word */

/* admin_op: command */
#define WEFT_ADMIN_OP_NOP 0 /* answers; also the heartbeat */
#define WEFT_ADMIN_OP_INIT 1 /* first command: SEED; response DATA admin_wants; event ring 0 must be created next; BAD_STATE while there are connections */
#define WEFT_ADMIN_OP_EQ_CREATE 2 /* admin_queue */
#define WEFT_ADMIN_OP_EQ_DESTROY 3 /* admin_queue: ID */
#define WEFT_ADMIN_OP_CQ_CREATE 4 /* admin_queue */
#define WEFT_ADMIN_OP_CQ_DESTROY 5 /* admin_queue: ID */
#define WEFT_ADMIN_OP_QP_CREATE 6 /* admin_qp */
#define WEFT_ADMIN_OP_QP_DESTROY 7 /* admin_qp: QPN; answers when the drain token has passed */
#define WEFT_ADMIN_OP_QP_ERROR 8 /* admin_qp: QPN; to ERROR: reset a live connection, flush */
#define WEFT_ADMIN_OP_QP_QUERY 9 /* admin_qp: QPN; response admin_qp_state */
#define WEFT_ADMIN_OP_MR_SET 10 /* admin_mr: write a tpt entry; a FREE entry, an INVALID one over anything but a FREE one, and a VALID one over a VALID one, answers when the drain token has passed. IN_USE: windows are bound to it, and nothing has changed */
#define WEFT_ADMIN_OP_L2_SET 11 /* admin_l2: write an l2e entry */
#define WEFT_ADMIN_OP_LISTEN 12 /* admin_cm: LOCAL_PORT, LOCAL_ADDR, BACKLOG, HANDLE; response ID is the listener */
#define WEFT_ADMIN_OP_UNLISTEN 13 /* admin_cm: ID */
#define WEFT_ADMIN_OP_CONNECT 14 /* admin_cm: active open; the outcome is CM_CONNECT_REPLY */
#define WEFT_ADMIN_OP_ACCEPT 15 /* admin_cm: ID is the connection handle of CM_CONNECT_REQUEST; then CM_ESTABLISHED or CM_CLOSE */
#define WEFT_ADMIN_OP_REJECT 16 /* admin_cm: ID, private data */
#define WEFT_ADMIN_OP_DISCONNECT 17 /* admin_cm: ID, graceful; then CM_CLOSE */
#define WEFT_ADMIN_OP_ABORT 18 /* admin_cm: ID, RST; then CM_CLOSE */
#define WEFT_ADMIN_OP_QUERY_CONN 19 /* admin_cm: ID; private data of the peer is written to the admin_cm_buf of TAG */
#define WEFT_ADMIN_OP_STATS 20 /* admin_buf: 64-bit counters in the order of docs are written to BUF_ADDR */
#define WEFT_ADMIN_OP_L2_RING 21 /* admin_l2ring: create or destroy the rings of the network device; a destroy answers when the card touches their memory no more */
#define WEFT_ADMIN_OP_MAC_SET 22 /* admin_l2: station address filter: DMAC, promiscuous and all-multicast in FLAGS; MTU of the interface, 0: as before */
#define WEFT_ADMIN_OP_LOCAL_ADDR 23 /* admin_cm: LOCAL_ADDR is an address of this host (FLAGS bit 7: no more). From the first on, listeners on any address answer for these only; those of IPv6 (FLAGS bit 0) never for others */
#define WEFT_ADMIN_OP_CM_QUERY 24 /* admin_cm: state of a connection; FLAGS bit 4: by QPN, else by ID; bit 5: of the first connection at or behind ID mod 65536. Response ID is its handle, DATA admin_cm_state; its last event is written to the admin_cm_buf of TAG as a struct eqe */
#define WEFT_ADMIN_OP_CHUNK_SET 25 /* admin_chunk: memory for the homes of queue pairs is given or taken back; BAD_STATE while one of its queue pairs exists */
#define WEFT_ADMIN_OP_RING_PAGES 26 /* admin_pages: gives pages for receive rings, until the card's next reset. Response ID is how many it took; NO_RESOURCE: not all */
#define WEFT_ADMIN_OP_SRQ_CREATE 27 /* admin_srq: response ID is the SRQN. The queue is empty, its limit not armed */
#define WEFT_ADMIN_OP_SRQ_MODIFY 28 /* admin_srq: ID, LIMIT: armed, 0: disarmed; SRQ_LIMIT comes at once when fewer are left already */
#define WEFT_ADMIN_OP_SRQ_DESTROY 29 /* admin_srq: ID; IN_USE while a queue pair has it */
#define WEFT_ADMIN_OP_SRQ_QUERY 30 /* admin_srq: ID; response DETAIL is the limit that is armed; 0: none is, as SRQ_LIMIT has come or is about to */
#define WEFT_ADMIN_OP_PORT_READ 31 /* admin_port: BYTES of room PORT from OFFSET on are written to BUF_ADDR; NOT_FOUND: a register that is not there was among them and reads 0 */
#define WEFT_ADMIN_OP_PORT_WRITE 32 /* admin_port: VALUE into the register at OFFSET of room PORT; NOT_FOUND: there is none */
#define WEFT_ADMIN_OP_CQ_RESIZE 33 /* admin_queue: ID, the ring (LOG2, PIECES, BASE to BASE3): a CQ goes on in this ring; response DETAIL is its FIRST */
#define WEFT_ADMIN_OP_QP_COUNTS 34 /* admin_qp: QPN; response admin_qp_counts */
#define WEFT_ADMIN_OP_CQ_MODERATE 35 /* admin_queue: ID, COUNT, PERIOD: when the events of a CQ that is armed with NEXT are told. With FEATURES CQ_MODERATION. NOT_FOUND: no such CQ */
#define WEFT_ADMIN_OP_COUNT 36
#define WEFT_ADMIN_OP_NAMES \
	[0] = "NOP", \
	[1] = "INIT", \
	[2] = "EQ_CREATE", \
	[3] = "EQ_DESTROY", \
	[4] = "CQ_CREATE", \
	[5] = "CQ_DESTROY", \
	[6] = "QP_CREATE", \
	[7] = "QP_DESTROY", \
	[8] = "QP_ERROR", \
	[9] = "QP_QUERY", \
	[10] = "MR_SET", \
	[11] = "L2_SET", \
	[12] = "LISTEN", \
	[13] = "UNLISTEN", \
	[14] = "CONNECT", \
	[15] = "ACCEPT", \
	[16] = "REJECT", \
	[17] = "DISCONNECT", \
	[18] = "ABORT", \
	[19] = "QUERY_CONN", \
	[20] = "STATS", \
	[21] = "L2_RING", \
	[22] = "MAC_SET", \
	[23] = "LOCAL_ADDR", \
	[24] = "CM_QUERY", \
	[25] = "CHUNK_SET", \
	[26] = "RING_PAGES", \
	[27] = "SRQ_CREATE", \
	[28] = "SRQ_MODIFY", \
	[29] = "SRQ_DESTROY", \
	[30] = "SRQ_QUERY", \
	[31] = "PORT_READ", \
	[32] = "PORT_WRITE", \
	[33] = "CQ_RESIZE", \
	[34] = "QP_COUNTS", \
	[35] = "CQ_MODERATE",

/* admin_status: status of a response */
#define WEFT_ADMIN_STATUS_OK 0 /*  */
#define WEFT_ADMIN_STATUS_BAD_OP 1 /* unknown command */
#define WEFT_ADMIN_STATUS_BAD_PARAM 2 /* DETAIL is the byte offset of the field */
#define WEFT_ADMIN_STATUS_BAD_STATE 3 /* not possible in the object's state */
#define WEFT_ADMIN_STATUS_NO_RESOURCE 4 /*  */
#define WEFT_ADMIN_STATUS_IN_USE 5 /* the object or port is taken */
#define WEFT_ADMIN_STATUS_NOT_FOUND 6 /* no such object */
#define WEFT_ADMIN_STATUS_DMA 7 /* host bus error */
#define WEFT_ADMIN_STATUS_TIMEOUT 8 /* the object did not drain within 2 s of the command; it stays taken, ask again */
#define WEFT_ADMIN_STATUS_HARDWARE 9 /* a room did not answer: the card is past help */
#define WEFT_ADMIN_STATUS_COUNT 10
#define WEFT_ADMIN_STATUS_NAMES \
	[0] = "OK", \
	[1] = "BAD_OP", \
	[2] = "BAD_PARAM", \
	[3] = "BAD_STATE", \
	[4] = "NO_RESOURCE", \
	[5] = "IN_USE", \
	[6] = "NOT_FOUND", \
	[7] = "DMA", \
	[8] = "TIMEOUT", \
	[9] = "HARDWARE",

/* admin_cmd: what every command starts with; fields from byte 8 on belong to the command */
#define WEFT_ADMIN_CMD_BYTES 64
#define WEFT_ADMIN_CMD_OP_LSB 0 /* bit in the struct: enum admin_op */
#define WEFT_ADMIN_CMD_OP_WIDTH 8
#define WEFT_ADMIN_CMD_OP_OFF 0 /* byte */
#define WEFT_ADMIN_CMD_OP_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_CMD_TAG_LSB 16 /* bit in the struct: returned */
#define WEFT_ADMIN_CMD_TAG_WIDTH 16
#define WEFT_ADMIN_CMD_TAG_OFF 2 /* byte */
#define WEFT_ADMIN_CMD_TAG_MASK 0x00000000ffff0000ull /* in its 64-bit word */

/* admin_rsp: response */
#define WEFT_ADMIN_RSP_BYTES 64
#define WEFT_ADMIN_RSP_OP_LSB 0 /* bit in the struct:  */
#define WEFT_ADMIN_RSP_OP_WIDTH 8
#define WEFT_ADMIN_RSP_OP_OFF 0 /* byte */
#define WEFT_ADMIN_RSP_OP_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_RSP_STATUS_LSB 8 /* bit in the struct: enum admin_status */
#define WEFT_ADMIN_RSP_STATUS_WIDTH 8
#define WEFT_ADMIN_RSP_STATUS_OFF 1 /* byte */
#define WEFT_ADMIN_RSP_STATUS_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_ADMIN_RSP_TAG_LSB 16 /* bit in the struct:  */
#define WEFT_ADMIN_RSP_TAG_WIDTH 16
#define WEFT_ADMIN_RSP_TAG_OFF 2 /* byte */
#define WEFT_ADMIN_RSP_TAG_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_ADMIN_RSP_ID_LSB 32 /* bit in the struct: what was created */
#define WEFT_ADMIN_RSP_ID_WIDTH 32
#define WEFT_ADMIN_RSP_ID_OFF 4 /* byte */
#define WEFT_ADMIN_RSP_ID_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_RSP_DETAIL_LSB 64 /* bit in the struct:  */
#define WEFT_ADMIN_RSP_DETAIL_WIDTH 32
#define WEFT_ADMIN_RSP_DETAIL_OFF 8 /* byte */
#define WEFT_ADMIN_RSP_DETAIL_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_RSP_DATA_LSB 128 /* bit in the struct: of the command */
#define WEFT_ADMIN_RSP_DATA_WIDTH 256
#define WEFT_ADMIN_RSP_DATA_OFF 16 /* byte */
#define WEFT_ADMIN_RSP_PHASE_LSB 511 /* bit in the struct: written last */
#define WEFT_ADMIN_RSP_PHASE_WIDTH 1
#define WEFT_ADMIN_RSP_PHASE_OFF 63 /* byte */
#define WEFT_ADMIN_RSP_PHASE_MASK 0x8000000000000000ull /* in its 64-bit word */

/* admin_init: INIT */
#define WEFT_ADMIN_INIT_BYTES 64
#define WEFT_ADMIN_INIT_SEED_LSB 64 /* bit in the struct: random bytes for initial sequence numbers and the lookup hash */
#define WEFT_ADMIN_INIT_SEED_WIDTH 256
#define WEFT_ADMIN_INIT_SEED_OFF 8 /* byte */
#define WEFT_ADMIN_INIT_MIN_RTO_US_LSB 320 /* bit in the struct: smallest retransmission time-out, microseconds; 0: the default */
#define WEFT_ADMIN_INIT_MIN_RTO_US_WIDTH 32
#define WEFT_ADMIN_INIT_MIN_RTO_US_OFF 40 /* byte */
#define WEFT_ADMIN_INIT_MIN_RTO_US_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_INIT_MAX_RETRIES_LSB 352 /* bit in the struct: retransmissions before TCP gives up; 0: the default */
#define WEFT_ADMIN_INIT_MAX_RETRIES_WIDTH 8
#define WEFT_ADMIN_INIT_MAX_RETRIES_OFF 44 /* byte */
#define WEFT_ADMIN_INIT_MAX_RETRIES_MASK 0x000000ff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_INIT_RING_SHIFT_LSB 360 /* bit in the struct: pages for receive rings are to be of 4 KiB << this, or as large as the card can; counts until the first page was given */
#define WEFT_ADMIN_INIT_RING_SHIFT_WIDTH 8
#define WEFT_ADMIN_INIT_RING_SHIFT_OFF 45 /* byte */
#define WEFT_ADMIN_INIT_RING_SHIFT_MASK 0x0000ff0000000000ull /* in its 64-bit word */
#define WEFT_ADMIN_INIT_CM_BUF_LSB 384 /* bit in the struct: bus address of an array of admin_cm_buf, one for each admin ring entry */
#define WEFT_ADMIN_INIT_CM_BUF_WIDTH 64
#define WEFT_ADMIN_INIT_CM_BUF_OFF 48 /* byte */
#define WEFT_ADMIN_INIT_CM_BUF_MASK 0xffffffffffffffffull /* in its 64-bit word */

/* admin_wants: DATA of INIT: host memory that the card wants before the first QP_CREATE; zero on a card that wants none */
#define WEFT_ADMIN_WANTS_BYTES 32
#define WEFT_ADMIN_WANTS_CHUNK_BYTES_LSB 0 /* bit in the struct: bytes and alignment of a chunk */
#define WEFT_ADMIN_WANTS_CHUNK_BYTES_WIDTH 32
#define WEFT_ADMIN_WANTS_CHUNK_BYTES_OFF 0 /* byte */
#define WEFT_ADMIN_WANTS_CHUNK_BYTES_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_WANTS_CHUNK_QPS_LSB 32 /* bit in the struct: queue pairs whose homes it holds: chunk N those from N times this on */
#define WEFT_ADMIN_WANTS_CHUNK_QPS_WIDTH 32
#define WEFT_ADMIN_WANTS_CHUNK_QPS_OFF 4 /* byte */
#define WEFT_ADMIN_WANTS_CHUNK_QPS_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_WANTS_RING_PAGES_LSB 64 /* bit in the struct: pages for receive rings, at most; fewer make fewer rings */
#define WEFT_ADMIN_WANTS_RING_PAGES_WIDTH 32
#define WEFT_ADMIN_WANTS_RING_PAGES_OFF 8 /* byte */
#define WEFT_ADMIN_WANTS_RING_PAGES_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_WANTS_RING_SHIFT_LSB 96 /* bit in the struct: a page is of 4 KiB << this */
#define WEFT_ADMIN_WANTS_RING_SHIFT_WIDTH 8
#define WEFT_ADMIN_WANTS_RING_SHIFT_OFF 12 /* byte */
#define WEFT_ADMIN_WANTS_RING_SHIFT_MASK 0x000000ff00000000ull /* in its 64-bit word */

/* admin_chunk: CHUNK_SET */
#define WEFT_ADMIN_CHUNK_BYTES 64
#define WEFT_ADMIN_CHUNK_ID_LSB 32 /* bit in the struct: number of the chunk */
#define WEFT_ADMIN_CHUNK_ID_WIDTH 32
#define WEFT_ADMIN_CHUNK_ID_OFF 4 /* byte */
#define WEFT_ADMIN_CHUNK_ID_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_CHUNK_BASE_LSB 64 /* bit in the struct: bus address, aligned to its size */
#define WEFT_ADMIN_CHUNK_BASE_WIDTH 64
#define WEFT_ADMIN_CHUNK_BASE_OFF 8 /* byte */
#define WEFT_ADMIN_CHUNK_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_CHUNK_ENABLE_LSB 128 /* bit in the struct: 1: give, 0: take back */
#define WEFT_ADMIN_CHUNK_ENABLE_WIDTH 8
#define WEFT_ADMIN_CHUNK_ENABLE_OFF 16 /* byte */
#define WEFT_ADMIN_CHUNK_ENABLE_MASK 0x00000000000000ffull /* in its 64-bit word */

/* admin_pages: RING_PAGES */
#define WEFT_ADMIN_PAGES_BYTES 64
#define WEFT_ADMIN_PAGES_COUNT_LSB 32 /* bit in the struct: pages, 1 to 1,024, one behind the other */
#define WEFT_ADMIN_PAGES_COUNT_WIDTH 32
#define WEFT_ADMIN_PAGES_COUNT_OFF 4 /* byte */
#define WEFT_ADMIN_PAGES_COUNT_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_PAGES_BASE_LSB 64 /* bit in the struct: bus address of the first, aligned to the size of a page */
#define WEFT_ADMIN_PAGES_BASE_WIDTH 64
#define WEFT_ADMIN_PAGES_BASE_OFF 8 /* byte */
#define WEFT_ADMIN_PAGES_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */

/* admin_queue: EQ_CREATE, CQ_CREATE, their destroys, CQ_RESIZE, CQ_MODERATE */
#define WEFT_ADMIN_QUEUE_BYTES 64
#define WEFT_ADMIN_QUEUE_ID_LSB 32 /* bit in the struct: EQN or CQN, chosen by the driver */
#define WEFT_ADMIN_QUEUE_ID_WIDTH 32
#define WEFT_ADMIN_QUEUE_ID_OFF 4 /* byte */
#define WEFT_ADMIN_QUEUE_ID_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_BASE_LSB 64 /* bit in the struct: bus address, aligned to the entry size times 2 */
#define WEFT_ADMIN_QUEUE_BASE_WIDTH 64
#define WEFT_ADMIN_QUEUE_BASE_OFF 8 /* byte */
#define WEFT_ADMIN_QUEUE_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_LOG2_LSB 128 /* bit in the struct: log2 of entries */
#define WEFT_ADMIN_QUEUE_LOG2_WIDTH 8
#define WEFT_ADMIN_QUEUE_LOG2_OFF 16 /* byte */
#define WEFT_ADMIN_QUEUE_LOG2_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_PIECES_LSB 136 /* bit in the struct: CQ: log2 of pieces, less than LOG2, at most CAP_CQ_RING; EQ: 0 */
#define WEFT_ADMIN_QUEUE_PIECES_WIDTH 8
#define WEFT_ADMIN_QUEUE_PIECES_OFF 17 /* byte */
#define WEFT_ADMIN_QUEUE_PIECES_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_VECTOR_LSB 144 /* bit in the struct: EQ: MSI-X vector, 0xffff none. CQ: EQN, 0xffff none */
#define WEFT_ADMIN_QUEUE_VECTOR_WIDTH 16
#define WEFT_ADMIN_QUEUE_VECTOR_OFF 18 /* byte */
#define WEFT_ADMIN_QUEUE_VECTOR_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_DB_PAGE_LSB 160 /* bit in the struct: CQ: doorbell page */
#define WEFT_ADMIN_QUEUE_DB_PAGE_WIDTH 16
#define WEFT_ADMIN_QUEUE_DB_PAGE_OFF 20 /* byte */
#define WEFT_ADMIN_QUEUE_DB_PAGE_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_BASE1_LSB 192 /* bit in the struct: of the second piece. With more than one all are aligned to 4 KiB, whatever their size */
#define WEFT_ADMIN_QUEUE_BASE1_WIDTH 64
#define WEFT_ADMIN_QUEUE_BASE1_OFF 24 /* byte */
#define WEFT_ADMIN_QUEUE_BASE1_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_BASE2_LSB 256 /* bit in the struct: with four pieces */
#define WEFT_ADMIN_QUEUE_BASE2_WIDTH 64
#define WEFT_ADMIN_QUEUE_BASE2_OFF 32 /* byte */
#define WEFT_ADMIN_QUEUE_BASE2_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_BASE3_LSB 320 /* bit in the struct:  */
#define WEFT_ADMIN_QUEUE_BASE3_WIDTH 64
#define WEFT_ADMIN_QUEUE_BASE3_OFF 40 /* byte */
#define WEFT_ADMIN_QUEUE_BASE3_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_COUNT_LSB 384 /* bit in the struct: CQ_MODERATE: completions */
#define WEFT_ADMIN_QUEUE_COUNT_WIDTH 16
#define WEFT_ADMIN_QUEUE_COUNT_OFF 48 /* byte */
#define WEFT_ADMIN_QUEUE_COUNT_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_ADMIN_QUEUE_PERIOD_LSB 400 /* bit in the struct: CQ_MODERATE: microseconds */
#define WEFT_ADMIN_QUEUE_PERIOD_WIDTH 16
#define WEFT_ADMIN_QUEUE_PERIOD_OFF 50 /* byte */
#define WEFT_ADMIN_QUEUE_PERIOD_MASK 0x00000000ffff0000ull /* in its 64-bit word */

/* admin_qp: QP_CREATE and the others by QPN */
#define WEFT_ADMIN_QP_BYTES 64
#define WEFT_ADMIN_QP_QPN_LSB 32 /* bit in the struct: chosen by the driver, not 0 */
#define WEFT_ADMIN_QP_QPN_WIDTH 32
#define WEFT_ADMIN_QP_QPN_OFF 4 /* byte */
#define WEFT_ADMIN_QP_QPN_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_SQ_BASE_LSB 64 /* bit in the struct: 64-byte aligned */
#define WEFT_ADMIN_QP_SQ_BASE_WIDTH 64
#define WEFT_ADMIN_QP_SQ_BASE_OFF 8 /* byte */
#define WEFT_ADMIN_QP_SQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_RQ_BASE_LSB 128 /* bit in the struct: 64-byte aligned */
#define WEFT_ADMIN_QP_RQ_BASE_WIDTH 64
#define WEFT_ADMIN_QP_RQ_BASE_OFF 16 /* byte */
#define WEFT_ADMIN_QP_RQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_SQ_LOG2_LSB 192 /* bit in the struct:  */
#define WEFT_ADMIN_QP_SQ_LOG2_WIDTH 8
#define WEFT_ADMIN_QP_SQ_LOG2_OFF 24 /* byte */
#define WEFT_ADMIN_QP_SQ_LOG2_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_RQ_LOG2_LSB 200 /* bit in the struct:  */
#define WEFT_ADMIN_QP_RQ_LOG2_WIDTH 8
#define WEFT_ADMIN_QP_RQ_LOG2_OFF 25 /* byte */
#define WEFT_ADMIN_QP_RQ_LOG2_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_SQ_STRIDE_LSB 208 /* bit in the struct: enum stride */
#define WEFT_ADMIN_QP_SQ_STRIDE_WIDTH 8
#define WEFT_ADMIN_QP_SQ_STRIDE_OFF 26 /* byte */
#define WEFT_ADMIN_QP_SQ_STRIDE_MASK 0x0000000000ff0000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_RQ_STRIDE_LSB 216 /* bit in the struct: enum stride */
#define WEFT_ADMIN_QP_RQ_STRIDE_WIDTH 8
#define WEFT_ADMIN_QP_RQ_STRIDE_OFF 27 /* byte */
#define WEFT_ADMIN_QP_RQ_STRIDE_MASK 0x00000000ff000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_SCQN_LSB 224 /* bit in the struct:  */
#define WEFT_ADMIN_QP_SCQN_WIDTH 16
#define WEFT_ADMIN_QP_SCQN_OFF 28 /* byte */
#define WEFT_ADMIN_QP_SCQN_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_RCQN_LSB 240 /* bit in the struct:  */
#define WEFT_ADMIN_QP_RCQN_WIDTH 16
#define WEFT_ADMIN_QP_RCQN_OFF 30 /* byte */
#define WEFT_ADMIN_QP_RCQN_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_PD_LSB 256 /* bit in the struct:  */
#define WEFT_ADMIN_QP_PD_WIDTH 32
#define WEFT_ADMIN_QP_PD_OFF 32 /* byte */
#define WEFT_ADMIN_QP_PD_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_DB_PAGE_LSB 288 /* bit in the struct:  */
#define WEFT_ADMIN_QP_DB_PAGE_WIDTH 16
#define WEFT_ADMIN_QP_DB_PAGE_OFF 36 /* byte */
#define WEFT_ADMIN_QP_DB_PAGE_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_ACCESS_LSB 304 /* bit in the struct: enum access: remote rights of the QP */
#define WEFT_ADMIN_QP_ACCESS_WIDTH 8
#define WEFT_ADMIN_QP_ACCESS_OFF 38 /* byte */
#define WEFT_ADMIN_QP_ACCESS_MASK 0x00ff000000000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_FLAGS_LSB 312 /* bit in the struct: bit 0: privileged (STag 0); bit 1: receives from SRQN, RQ_BASE, RQ_LOG2 and RQ_STRIDE are those of that queue */
#define WEFT_ADMIN_QP_FLAGS_WIDTH 8
#define WEFT_ADMIN_QP_FLAGS_OFF 39 /* byte */
#define WEFT_ADMIN_QP_FLAGS_MASK 0xff00000000000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_IRD_LSB 320 /* bit in the struct:  */
#define WEFT_ADMIN_QP_IRD_WIDTH 8
#define WEFT_ADMIN_QP_IRD_OFF 40 /* byte */
#define WEFT_ADMIN_QP_IRD_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_ORD_LSB 328 /* bit in the struct:  */
#define WEFT_ADMIN_QP_ORD_WIDTH 8
#define WEFT_ADMIN_QP_ORD_OFF 41 /* byte */
#define WEFT_ADMIN_QP_ORD_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_SRQN_LSB 336 /* bit in the struct:  */
#define WEFT_ADMIN_QP_SRQN_WIDTH 16
#define WEFT_ADMIN_QP_SRQN_OFF 42 /* byte */
#define WEFT_ADMIN_QP_SRQN_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_SRQ_PD_LSB 352 /* bit in the struct: protection domain of SRQN */
#define WEFT_ADMIN_QP_SRQ_PD_WIDTH 32
#define WEFT_ADMIN_QP_SRQ_PD_OFF 44 /* byte */
#define WEFT_ADMIN_QP_SRQ_PD_MASK 0xffffffff00000000ull /* in its 64-bit word */

/* admin_srq: SRQ_CREATE, SRQ_MODIFY, SRQ_DESTROY, SRQ_QUERY */
#define WEFT_ADMIN_SRQ_BYTES 64
#define WEFT_ADMIN_SRQ_ID_LSB 32 /* bit in the struct: SRQN, chosen by the driver */
#define WEFT_ADMIN_SRQ_ID_WIDTH 32
#define WEFT_ADMIN_SRQ_ID_OFF 4 /* byte */
#define WEFT_ADMIN_SRQ_ID_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_SRQ_LOG2_LSB 64 /* bit in the struct: log2 of entries, at most RQ_LOG2_MAX */
#define WEFT_ADMIN_SRQ_LOG2_WIDTH 8
#define WEFT_ADMIN_SRQ_LOG2_OFF 8 /* byte */
#define WEFT_ADMIN_SRQ_LOG2_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_SRQ_DB_PAGE_LSB 80 /* bit in the struct:  */
#define WEFT_ADMIN_SRQ_DB_PAGE_WIDTH 16
#define WEFT_ADMIN_SRQ_DB_PAGE_OFF 10 /* byte */
#define WEFT_ADMIN_SRQ_DB_PAGE_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_ADMIN_SRQ_LIMIT_LSB 96 /* bit in the struct:  */
#define WEFT_ADMIN_SRQ_LIMIT_WIDTH 16
#define WEFT_ADMIN_SRQ_LIMIT_OFF 12 /* byte */
#define WEFT_ADMIN_SRQ_LIMIT_MASK 0x0000ffff00000000ull /* in its 64-bit word */

/* stride: bytes of a WQE */
#define WEFT_STRIDE_B64 0 /*  */
#define WEFT_STRIDE_B128 1 /*  */
#define WEFT_STRIDE_B256 2 /*  */
#define WEFT_STRIDE_COUNT 3
#define WEFT_STRIDE_NAMES \
	[0] = "B64", \
	[1] = "B128", \
	[2] = "B256",

/* admin_qp_state: DATA of QP_QUERY */
#define WEFT_ADMIN_QP_STATE_BYTES 32
#define WEFT_ADMIN_QP_STATE_STATE_LSB 0 /* bit in the struct: enum qp_state */
#define WEFT_ADMIN_QP_STATE_STATE_WIDTH 8
#define WEFT_ADMIN_QP_STATE_STATE_OFF 0 /* byte */
#define WEFT_ADMIN_QP_STATE_STATE_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_STATE_SQ_INDEX_LSB 16 /* bit in the struct: next send WQE to complete */
#define WEFT_ADMIN_QP_STATE_SQ_INDEX_WIDTH 16
#define WEFT_ADMIN_QP_STATE_SQ_INDEX_OFF 2 /* byte */
#define WEFT_ADMIN_QP_STATE_SQ_INDEX_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_STATE_RQ_INDEX_LSB 32 /* bit in the struct: next receive WQE to complete */
#define WEFT_ADMIN_QP_STATE_RQ_INDEX_WIDTH 16
#define WEFT_ADMIN_QP_STATE_RQ_INDEX_OFF 4 /* byte */
#define WEFT_ADMIN_QP_STATE_RQ_INDEX_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_STATE_SND_UNA_LSB 64 /* bit in the struct:  */
#define WEFT_ADMIN_QP_STATE_SND_UNA_WIDTH 32
#define WEFT_ADMIN_QP_STATE_SND_UNA_OFF 8 /* byte */
#define WEFT_ADMIN_QP_STATE_SND_UNA_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_STATE_SND_NXT_LSB 96 /* bit in the struct:  */
#define WEFT_ADMIN_QP_STATE_SND_NXT_WIDTH 32
#define WEFT_ADMIN_QP_STATE_SND_NXT_OFF 12 /* byte */
#define WEFT_ADMIN_QP_STATE_SND_NXT_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_STATE_RCV_NXT_LSB 128 /* bit in the struct:  */
#define WEFT_ADMIN_QP_STATE_RCV_NXT_WIDTH 32
#define WEFT_ADMIN_QP_STATE_RCV_NXT_OFF 16 /* byte */
#define WEFT_ADMIN_QP_STATE_RCV_NXT_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_STATE_TERMINATE_LSB 160 /* bit in the struct: last Terminate control word sent or received */
#define WEFT_ADMIN_QP_STATE_TERMINATE_WIDTH 32
#define WEFT_ADMIN_QP_STATE_TERMINATE_OFF 20 /* byte */
#define WEFT_ADMIN_QP_STATE_TERMINATE_MASK 0xffffffff00000000ull /* in its 64-bit word */

/* admin_qp_counts: DATA of QP_COUNTS: all 0 before there is a connection; as current as what QP_QUERY tells */
#define WEFT_ADMIN_QP_COUNTS_BYTES 32
#define WEFT_ADMIN_QP_COUNTS_TX_BYTES_LSB 0 /* bit in the struct: bytes of the TCP stream that are acknowledged, those of the handshake and of MPA too */
#define WEFT_ADMIN_QP_COUNTS_TX_BYTES_WIDTH 64
#define WEFT_ADMIN_QP_COUNTS_TX_BYTES_OFF 0 /* byte */
#define WEFT_ADMIN_QP_COUNTS_TX_BYTES_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_COUNTS_RX_BYTES_LSB 64 /* bit in the struct: bytes of the peer's stream that were taken in order */
#define WEFT_ADMIN_QP_COUNTS_RX_BYTES_WIDTH 64
#define WEFT_ADMIN_QP_COUNTS_RX_BYTES_OFF 8 /* byte */
#define WEFT_ADMIN_QP_COUNTS_RX_BYTES_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_COUNTS_TX_SENDS_LSB 128 /* bit in the struct: Sends and Immediate Data that were begun; this and what follows mod 2^32 */
#define WEFT_ADMIN_QP_COUNTS_TX_SENDS_WIDTH 32
#define WEFT_ADMIN_QP_COUNTS_TX_SENDS_OFF 16 /* byte */
#define WEFT_ADMIN_QP_COUNTS_TX_SENDS_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_COUNTS_TX_READS_LSB 160 /* bit in the struct: Read and Atomic Requests that were begun */
#define WEFT_ADMIN_QP_COUNTS_TX_READS_WIDTH 32
#define WEFT_ADMIN_QP_COUNTS_TX_READS_OFF 20 /* byte */
#define WEFT_ADMIN_QP_COUNTS_TX_READS_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_QP_COUNTS_RX_SENDS_LSB 192 /* bit in the struct: Sends and Immediate Data of the peer that are complete */
#define WEFT_ADMIN_QP_COUNTS_RX_SENDS_WIDTH 32
#define WEFT_ADMIN_QP_COUNTS_RX_SENDS_OFF 24 /* byte */
#define WEFT_ADMIN_QP_COUNTS_RX_SENDS_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_QP_COUNTS_RX_READS_LSB 224 /* bit in the struct: Read and Atomic Requests of the peer */
#define WEFT_ADMIN_QP_COUNTS_RX_READS_WIDTH 32
#define WEFT_ADMIN_QP_COUNTS_RX_READS_OFF 28 /* byte */
#define WEFT_ADMIN_QP_COUNTS_RX_READS_MASK 0xffffffff00000000ull /* in its 64-bit word */

/* admin_mr: MR_SET: the slot is that of STAG */
#define WEFT_ADMIN_MR_BYTES 64
#define WEFT_ADMIN_MR_STAG_LSB 32 /* bit in the struct:  */
#define WEFT_ADMIN_MR_STAG_WIDTH 32
#define WEFT_ADMIN_MR_STAG_OFF 4 /* byte */
#define WEFT_ADMIN_MR_STAG_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_MR_STATE_LSB 64 /* bit in the struct: enum tpt_state */
#define WEFT_ADMIN_MR_STATE_WIDTH 8
#define WEFT_ADMIN_MR_STATE_OFF 8 /* byte */
#define WEFT_ADMIN_MR_STATE_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_MR_KIND_LSB 72 /* bit in the struct: enum tpt_type */
#define WEFT_ADMIN_MR_KIND_WIDTH 8
#define WEFT_ADMIN_MR_KIND_OFF 9 /* byte */
#define WEFT_ADMIN_MR_KIND_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_ADMIN_MR_ACCESS_LSB 80 /* bit in the struct: enum access */
#define WEFT_ADMIN_MR_ACCESS_WIDTH 8
#define WEFT_ADMIN_MR_ACCESS_OFF 10 /* byte */
#define WEFT_ADMIN_MR_ACCESS_MASK 0x0000000000ff0000ull /* in its 64-bit word */
#define WEFT_ADMIN_MR_PAGE_LOG2_LSB 88 /* bit in the struct:  */
#define WEFT_ADMIN_MR_PAGE_LOG2_WIDTH 8
#define WEFT_ADMIN_MR_PAGE_LOG2_OFF 11 /* byte */
#define WEFT_ADMIN_MR_PAGE_LOG2_MASK 0x00000000ff000000ull /* in its 64-bit word */
#define WEFT_ADMIN_MR_PD_LSB 96 /* bit in the struct:  */
#define WEFT_ADMIN_MR_PD_WIDTH 32
#define WEFT_ADMIN_MR_PD_OFF 12 /* byte */
#define WEFT_ADMIN_MR_PD_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_MR_QPN_LSB 128 /* bit in the struct:  */
#define WEFT_ADMIN_MR_QPN_WIDTH 32
#define WEFT_ADMIN_MR_QPN_OFF 16 /* byte */
#define WEFT_ADMIN_MR_QPN_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_MR_BASE_LSB 192 /* bit in the struct:  */
#define WEFT_ADMIN_MR_BASE_WIDTH 64
#define WEFT_ADMIN_MR_BASE_OFF 24 /* byte */
#define WEFT_ADMIN_MR_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_MR_LENGTH_LSB 256 /* bit in the struct:  */
#define WEFT_ADMIN_MR_LENGTH_WIDTH 64
#define WEFT_ADMIN_MR_LENGTH_OFF 32 /* byte */
#define WEFT_ADMIN_MR_LENGTH_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_MR_PBL_LSB 320 /* bit in the struct:  */
#define WEFT_ADMIN_MR_PBL_WIDTH 64
#define WEFT_ADMIN_MR_PBL_OFF 40 /* byte */
#define WEFT_ADMIN_MR_PBL_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_MR_PBL_COUNT_LSB 384 /* bit in the struct:  */
#define WEFT_ADMIN_MR_PBL_COUNT_WIDTH 32
#define WEFT_ADMIN_MR_PBL_COUNT_OFF 48 /* byte */
#define WEFT_ADMIN_MR_PBL_COUNT_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_MR_FBO_LSB 416 /* bit in the struct:  */
#define WEFT_ADMIN_MR_FBO_WIDTH 32
#define WEFT_ADMIN_MR_FBO_OFF 52 /* byte */
#define WEFT_ADMIN_MR_FBO_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_MR_FLAGS_LSB 448 /* bit in the struct: bit 0: DIRECT; bit 1: only if the entry is VALID or CLOSED and its QPN is not 0 and no queue pair's that is there, else nothing changes */
#define WEFT_ADMIN_MR_FLAGS_WIDTH 8
#define WEFT_ADMIN_MR_FLAGS_OFF 56 /* byte */
#define WEFT_ADMIN_MR_FLAGS_MASK 0x00000000000000ffull /* in its 64-bit word */

/* admin_l2: L2_SET, MAC_SET */
#define WEFT_ADMIN_L2_BYTES 64
#define WEFT_ADMIN_L2_ID_LSB 32 /* bit in the struct: index of the entry */
#define WEFT_ADMIN_L2_ID_WIDTH 32
#define WEFT_ADMIN_L2_ID_OFF 4 /* byte */
#define WEFT_ADMIN_L2_ID_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_L2_DMAC_LSB 64 /* bit in the struct:  */
#define WEFT_ADMIN_L2_DMAC_WIDTH 48
#define WEFT_ADMIN_L2_DMAC_OFF 8 /* byte */
#define WEFT_ADMIN_L2_DMAC_MASK 0x0000ffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_L2_SMAC_LSB 128 /* bit in the struct:  */
#define WEFT_ADMIN_L2_SMAC_WIDTH 48
#define WEFT_ADMIN_L2_SMAC_OFF 16 /* byte */
#define WEFT_ADMIN_L2_SMAC_MASK 0x0000ffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_L2_VLAN_TCI_LSB 176 /* bit in the struct:  */
#define WEFT_ADMIN_L2_VLAN_TCI_WIDTH 16
#define WEFT_ADMIN_L2_VLAN_TCI_OFF 22 /* byte */
#define WEFT_ADMIN_L2_VLAN_TCI_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_ADMIN_L2_MTU_LSB 192 /* bit in the struct:  */
#define WEFT_ADMIN_L2_MTU_WIDTH 16
#define WEFT_ADMIN_L2_MTU_OFF 24 /* byte */
#define WEFT_ADMIN_L2_MTU_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_ADMIN_L2_FLAGS_LSB 208 /* bit in the struct: L2_SET: bit 0 VALID, bit 1 VLAN. MAC_SET: bit 0 promiscuous, bit 1 all multicast */
#define WEFT_ADMIN_L2_FLAGS_WIDTH 8
#define WEFT_ADMIN_L2_FLAGS_OFF 26 /* byte */
#define WEFT_ADMIN_L2_FLAGS_MASK 0x0000000000ff0000ull /* in its 64-bit word */

/* admin_l2ring: L2_RING: one pair of rings */
#define WEFT_ADMIN_L2RING_BYTES 64
#define WEFT_ADMIN_L2RING_ID_LSB 32 /* bit in the struct: pair */
#define WEFT_ADMIN_L2RING_ID_WIDTH 32
#define WEFT_ADMIN_L2RING_ID_OFF 4 /* byte */
#define WEFT_ADMIN_L2RING_ID_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_L2RING_TX_BASE_LSB 64 /* bit in the struct: descriptors */
#define WEFT_ADMIN_L2RING_TX_BASE_WIDTH 64
#define WEFT_ADMIN_L2RING_TX_BASE_OFF 8 /* byte */
#define WEFT_ADMIN_L2RING_TX_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_L2RING_RX_BASE_LSB 128 /* bit in the struct: descriptors */
#define WEFT_ADMIN_L2RING_RX_BASE_WIDTH 64
#define WEFT_ADMIN_L2RING_RX_BASE_OFF 16 /* byte */
#define WEFT_ADMIN_L2RING_RX_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_L2RING_TX_CQ_BASE_LSB 192 /* bit in the struct: completions, as many as descriptors */
#define WEFT_ADMIN_L2RING_TX_CQ_BASE_WIDTH 64
#define WEFT_ADMIN_L2RING_TX_CQ_BASE_OFF 24 /* byte */
#define WEFT_ADMIN_L2RING_TX_CQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_L2RING_RX_CQ_BASE_LSB 256 /* bit in the struct:  */
#define WEFT_ADMIN_L2RING_RX_CQ_BASE_WIDTH 64
#define WEFT_ADMIN_L2RING_RX_CQ_BASE_OFF 32 /* byte */
#define WEFT_ADMIN_L2RING_RX_CQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_L2RING_TX_LOG2_LSB 320 /* bit in the struct:  */
#define WEFT_ADMIN_L2RING_TX_LOG2_WIDTH 8
#define WEFT_ADMIN_L2RING_TX_LOG2_OFF 40 /* byte */
#define WEFT_ADMIN_L2RING_TX_LOG2_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_L2RING_RX_LOG2_LSB 328 /* bit in the struct:  */
#define WEFT_ADMIN_L2RING_RX_LOG2_WIDTH 8
#define WEFT_ADMIN_L2RING_RX_LOG2_OFF 41 /* byte */
#define WEFT_ADMIN_L2RING_RX_LOG2_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_ADMIN_L2RING_ENABLE_LSB 336 /* bit in the struct: 1: create, 0: destroy */
#define WEFT_ADMIN_L2RING_ENABLE_WIDTH 8
#define WEFT_ADMIN_L2RING_ENABLE_OFF 42 /* byte */
#define WEFT_ADMIN_L2RING_ENABLE_MASK 0x0000000000ff0000ull /* in its 64-bit word */
#define WEFT_ADMIN_L2RING_TX_VECTOR_LSB 352 /* bit in the struct: MSI-X vector raised for transmit completions while armed */
#define WEFT_ADMIN_L2RING_TX_VECTOR_WIDTH 16
#define WEFT_ADMIN_L2RING_TX_VECTOR_OFF 44 /* byte */
#define WEFT_ADMIN_L2RING_TX_VECTOR_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_L2RING_RX_VECTOR_LSB 368 /* bit in the struct:  */
#define WEFT_ADMIN_L2RING_RX_VECTOR_WIDTH 16
#define WEFT_ADMIN_L2RING_RX_VECTOR_OFF 46 /* byte */
#define WEFT_ADMIN_L2RING_RX_VECTOR_MASK 0xffff000000000000ull /* in its 64-bit word */

/* admin_cm: LISTEN to QUERY_CONN */
#define WEFT_ADMIN_CM_BYTES 64
#define WEFT_ADMIN_CM_ID_LSB 32 /* bit in the struct: connection handle or listener */
#define WEFT_ADMIN_CM_ID_WIDTH 32
#define WEFT_ADMIN_CM_ID_OFF 4 /* byte */
#define WEFT_ADMIN_CM_ID_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_CM_QPN_LSB 64 /* bit in the struct: CONNECT, ACCEPT */
#define WEFT_ADMIN_CM_QPN_WIDTH 32
#define WEFT_ADMIN_CM_QPN_OFF 8 /* byte */
#define WEFT_ADMIN_CM_QPN_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_CM_HANDLE_LSB 96 /* bit in the struct: cookie of the driver, returned in events */
#define WEFT_ADMIN_CM_HANDLE_WIDTH 32
#define WEFT_ADMIN_CM_HANDLE_OFF 12 /* byte */
#define WEFT_ADMIN_CM_HANDLE_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_CM_LOCAL_PORT_LSB 128 /* bit in the struct: host order */
#define WEFT_ADMIN_CM_LOCAL_PORT_WIDTH 16
#define WEFT_ADMIN_CM_LOCAL_PORT_OFF 16 /* byte */
#define WEFT_ADMIN_CM_LOCAL_PORT_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_ADMIN_CM_PEER_PORT_LSB 144 /* bit in the struct:  */
#define WEFT_ADMIN_CM_PEER_PORT_WIDTH 16
#define WEFT_ADMIN_CM_PEER_PORT_OFF 18 /* byte */
#define WEFT_ADMIN_CM_PEER_PORT_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_ADMIN_CM_L2_LSB 160 /* bit in the struct: index of the l2e entry */
#define WEFT_ADMIN_CM_L2_WIDTH 16
#define WEFT_ADMIN_CM_L2_OFF 20 /* byte */
#define WEFT_ADMIN_CM_L2_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_CM_FLAGS_LSB 176 /* bit in the struct: bit 0 IPv6, bit 1 MPA revision 2, bit 2 CRC wanted, bit 3 peer-to-peer */
#define WEFT_ADMIN_CM_FLAGS_WIDTH 8
#define WEFT_ADMIN_CM_FLAGS_OFF 22 /* byte */
#define WEFT_ADMIN_CM_FLAGS_MASK 0x00ff000000000000ull /* in its 64-bit word */
#define WEFT_ADMIN_CM_TOS_LSB 184 /* bit in the struct:  */
#define WEFT_ADMIN_CM_TOS_WIDTH 8
#define WEFT_ADMIN_CM_TOS_OFF 23 /* byte */
#define WEFT_ADMIN_CM_TOS_MASK 0xff00000000000000ull /* in its 64-bit word */
#define WEFT_ADMIN_CM_LOCAL_ADDR_LSB 192 /* bit in the struct: network order; IPv4 in bytes 0 to 3; all zero for LISTEN on any */
#define WEFT_ADMIN_CM_LOCAL_ADDR_WIDTH 128
#define WEFT_ADMIN_CM_LOCAL_ADDR_OFF 24 /* byte */
#define WEFT_ADMIN_CM_BACKLOG_LSB 320 /* bit in the struct: LISTEN: connections that may wait for ACCEPT or REJECT; 0: no limit but the card's */
#define WEFT_ADMIN_CM_BACKLOG_WIDTH 16
#define WEFT_ADMIN_CM_BACKLOG_OFF 40 /* byte */
#define WEFT_ADMIN_CM_BACKLOG_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_ADMIN_CM_IRD_LSB 448 /* bit in the struct:  */
#define WEFT_ADMIN_CM_IRD_WIDTH 8
#define WEFT_ADMIN_CM_IRD_OFF 56 /* byte */
#define WEFT_ADMIN_CM_IRD_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_CM_ORD_LSB 456 /* bit in the struct:  */
#define WEFT_ADMIN_CM_ORD_WIDTH 8
#define WEFT_ADMIN_CM_ORD_OFF 57 /* byte */
#define WEFT_ADMIN_CM_ORD_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_ADMIN_CM_PD_BYTES_LSB 464 /* bit in the struct: private data bytes, in the admin_cm_buf of TAG */
#define WEFT_ADMIN_CM_PD_BYTES_WIDTH 16
#define WEFT_ADMIN_CM_PD_BYTES_OFF 58 /* byte */
#define WEFT_ADMIN_CM_PD_BYTES_MASK 0x00000000ffff0000ull /* in its 64-bit word */

/* admin_cm_state: DATA of CM_QUERY */
#define WEFT_ADMIN_CM_STATE_BYTES 32
#define WEFT_ADMIN_CM_STATE_STATE_LSB 0 /* bit in the struct: enum cm_state */
#define WEFT_ADMIN_CM_STATE_STATE_WIDTH 8
#define WEFT_ADMIN_CM_STATE_STATE_OFF 0 /* byte */
#define WEFT_ADMIN_CM_STATE_STATE_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_ADMIN_CM_STATE_QPN_LSB 32 /* bit in the struct: 0: none yet, or no more */
#define WEFT_ADMIN_CM_STATE_QPN_WIDTH 32
#define WEFT_ADMIN_CM_STATE_QPN_OFF 4 /* byte */
#define WEFT_ADMIN_CM_STATE_QPN_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_CM_STATE_POSTED_LSB 64 /* bit in the struct: events that firmware has posted to event queue 0 since INIT, modulo 2^32 */
#define WEFT_ADMIN_CM_STATE_POSTED_WIDTH 32
#define WEFT_ADMIN_CM_STATE_POSTED_OFF 8 /* byte */
#define WEFT_ADMIN_CM_STATE_POSTED_MASK 0x00000000ffffffffull /* in its 64-bit word */

/* cm_state: state of a connection */
#define WEFT_CM_STATE_CONNECTING 0 /* CONNECT was answered, CM_CONNECT_REPLY has not been posted */
#define WEFT_CM_STATE_REQUESTED 1 /* CM_CONNECT_REQUEST was posted; ACCEPT or REJECT is waited for */
#define WEFT_CM_STATE_OPEN 2 /* CM_CONNECT_REPLY or CM_ESTABLISHED was posted */
#define WEFT_CM_STATE_CLOSING 3 /* CM_CLOSE has not been posted */
#define WEFT_CM_STATE_REJECTED 4 /* CM_CONNECT_REPLY was posted, the private data wait for QUERY_CONN */
#define WEFT_CM_STATE_COUNT 5
#define WEFT_CM_STATE_NAMES \
	[0] = "CONNECTING", \
	[1] = "REQUESTED", \
	[2] = "OPEN", \
	[3] = "CLOSING", \
	[4] = "REJECTED",

/* admin_cm_buf: host buffer slot of CONNECT, ACCEPT, REJECT and QUERY_CONN: slot TAG mod 2^ADMIN_LOG2 at CM_BUF of INIT */
#define WEFT_ADMIN_CM_BUF_BYTES 1024
#define WEFT_ADMIN_CM_BUF_PEER_ADDR_LSB 0 /* bit in the struct: network order */
#define WEFT_ADMIN_CM_BUF_PEER_ADDR_WIDTH 128
#define WEFT_ADMIN_CM_BUF_PEER_ADDR_OFF 0 /* byte */
#define WEFT_ADMIN_CM_BUF_PRIVATE_DATA_LSB 256 /* bit in the struct: PD_BYTES of it */
#define WEFT_ADMIN_CM_BUF_PRIVATE_DATA_WIDTH 4096
#define WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF 32 /* byte */

/* admin_buf: STATS */
#define WEFT_ADMIN_BUF_BYTES 64
#define WEFT_ADMIN_BUF_BUF_ADDR_LSB 64 /* bit in the struct: bus address */
#define WEFT_ADMIN_BUF_BUF_ADDR_WIDTH 64
#define WEFT_ADMIN_BUF_BUF_ADDR_OFF 8 /* byte */
#define WEFT_ADMIN_BUF_BUF_ADDR_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_BUF_BYTES_LSB 128 /* bit in the struct:  */
#define WEFT_ADMIN_BUF_BYTES_WIDTH 32
#define WEFT_ADMIN_BUF_BYTES_OFF 16 /* byte */
#define WEFT_ADMIN_BUF_BYTES_MASK 0x00000000ffffffffull /* in its 64-bit word */

/* admin_port: PORT_READ, PORT_WRITE */
#define WEFT_ADMIN_PORT_BYTES 64
#define WEFT_ADMIN_PORT_BUF_ADDR_LSB 64 /* bit in the struct: bus address, a multiple of 8 */
#define WEFT_ADMIN_PORT_BUF_ADDR_WIDTH 64
#define WEFT_ADMIN_PORT_BUF_ADDR_OFF 8 /* byte */
#define WEFT_ADMIN_PORT_BUF_ADDR_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_PORT_BYTES_LSB 128 /* bit in the struct: a multiple of 8, at most 4,096 */
#define WEFT_ADMIN_PORT_BYTES_WIDTH 32
#define WEFT_ADMIN_PORT_BYTES_OFF 16 /* byte */
#define WEFT_ADMIN_PORT_BYTES_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_ADMIN_PORT_OFFSET_LSB 160 /* bit in the struct: a multiple of 4, below 64 KiB with BYTES */
#define WEFT_ADMIN_PORT_OFFSET_WIDTH 32
#define WEFT_ADMIN_PORT_OFFSET_OFF 20 /* byte */
#define WEFT_ADMIN_PORT_OFFSET_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_ADMIN_PORT_VALUE_LSB 192 /* bit in the struct:  */
#define WEFT_ADMIN_PORT_VALUE_WIDTH 32
#define WEFT_ADMIN_PORT_VALUE_OFF 24 /* byte */
#define WEFT_ADMIN_PORT_VALUE_MASK 0x00000000ffffffffull /* in its 64-bit word */

/* room: room number on the configuration bus */
#define WEFT_ROOM_MGMT 0 /* sys: core-wide registers */
#define WEFT_ROOM_DB 1 /* word (kind << 18 | id << 2): doorbell page owner {valid[31], page[15:0]}; kind 0 QP, 1 CQ, 2 SRQ. A QP that gets an owner has both producer indices at 0 */
#define WEFT_ROOM_QP_TX 2 /* send half of the data path, in events; it has no registers */
#define WEFT_ROOM_RX 3 /* receive half of the data path, in events; shared receive queues, 8 bytes each at 8 times the SRQN (SRQ_*) */
#define WEFT_ROOM_CONN 4 /* look-up commands (LOOK_*) */
#define WEFT_ROOM_L2T 5 /* context window l2e, by index */
#define WEFT_ROOM_TPT 6 /* context window tpt, by slot */
#define WEFT_ROOM_CQ 7 /* context window ctx_cq, by CQN */
#define WEFT_ROOM_EQ 8 /* context window ctx_eq, by EQN */
#define WEFT_ROOM_STEER 9 /* bit map of local TCP ports that belong to the card: word (port >> 5) << 2; station address at 0x2000 */
#define WEFT_ROOM_L2Q 10 /* context window ctx_l2q, by pair */
#define WEFT_ROOM_STATS 11 /* word pairs: 64-bit counters, low word first; reading the low word latches the high one */
#define WEFT_ROOM_CTX 12 /* homes and commands of the data path (CTX_*) */
#define WEFT_ROOM_VALUE 13 /* value slots (Terminates); word w of slot s at s * 64 + w * 4, written only */
#define WEFT_ROOM_RING 14 /* receive rings, and whether it is ready (RING_*) */
#define WEFT_ROOM_PORT 15 /* what stands between the core and its cable: the MAC (PORT_*, enum mac_stat); there with FEATURES PORT */
#define WEFT_ROOM_COUNT 16
#define WEFT_ROOM_NAMES \
	[0] = "MGMT", \
	[1] = "DB", \
	[2] = "QP_TX", \
	[3] = "RX", \
	[4] = "CONN", \
	[5] = "L2T", \
	[6] = "TPT", \
	[7] = "CQ", \
	[8] = "EQ", \
	[9] = "STEER", \
	[10] = "L2Q", \
	[11] = "STATS", \
	[12] = "CTX", \
	[13] = "VALUE", \
	[14] = "RING", \
	[15] = "PORT",

/* qp_state: state of a QP's half in hardware */
#define WEFT_QP_STATE_RESET 0 /* does nothing; doorbells are remembered */
#define WEFT_QP_STATE_RTS 1 /* runs */
#define WEFT_QP_STATE_HALT 2 /* stops after what is started; keeps state for firmware */
#define WEFT_QP_STATE_ERR 3 /* flushes every posted WQE, in order */
#define WEFT_QP_STATE_COUNT 4
#define WEFT_QP_STATE_NAMES \
	[0] = "RESET", \
	[1] = "RTS", \
	[2] = "HALT", \
	[3] = "ERR",

/* ctx_cmd: what the commit of a context does */
#define WEFT_CTX_CMD_WRITE 0 /* load every field (object must be quiet) */
#define WEFT_CTX_CMD_SET_STATE 1 /* CQ, EQ: change VALID only */
#define WEFT_CTX_CMD_DRAIN 2 /* answer FW event DRAINED when nothing of this object is in flight */
#define WEFT_CTX_CMD_RESIZE 3 /* CQ: the ring (BASE to BASE3, PIECES, LOG2) is loaded, and FIRST is PI, if the queue lives, what is unread fits, and a doorbell has said what is; see RESIZED */
#define WEFT_CTX_CMD_MODERATE 4 /* CQ: HOLD and PERIOD are loaded, and what is held back is told */
#define WEFT_CTX_CMD_COUNT 5
#define WEFT_CTX_CMD_NAMES \
	[0] = "WRITE", \
	[1] = "SET_STATE", \
	[2] = "DRAIN", \
	[3] = "RESIZE", \
	[4] = "MODERATE",

/* ctx_cq: completion queue */
#define WEFT_CTX_CQ_BYTES 64
#define WEFT_CTX_CQ_BASE_LSB 0 /* bit in the struct: bits 5:0 are 0; of more than one piece bits 11:0 */
#define WEFT_CTX_CQ_BASE_WIDTH 64
#define WEFT_CTX_CQ_BASE_OFF 0 /* byte */
#define WEFT_CTX_CQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_CTX_CQ_LOG2_LSB 64 /* bit in the struct:  */
#define WEFT_CTX_CQ_LOG2_WIDTH 8
#define WEFT_CTX_CQ_LOG2_OFF 8 /* byte */
#define WEFT_CTX_CQ_LOG2_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_CTX_CQ_PIECES_LSB 72 /* bit in the struct: log2 of pieces, less than LOG2; with more than the card can the queue is not valid */
#define WEFT_CTX_CQ_PIECES_WIDTH 8
#define WEFT_CTX_CQ_PIECES_OFF 9 /* byte */
#define WEFT_CTX_CQ_PIECES_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_CTX_CQ_EQN_LSB 80 /* bit in the struct: 0xffff: none */
#define WEFT_CTX_CQ_EQN_WIDTH 16
#define WEFT_CTX_CQ_EQN_OFF 10 /* byte */
#define WEFT_CTX_CQ_EQN_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_CTX_CQ_VALID_LSB 96 /* bit in the struct:  */
#define WEFT_CTX_CQ_VALID_WIDTH 1
#define WEFT_CTX_CQ_VALID_OFF 12 /* byte */
#define WEFT_CTX_CQ_VALID_MASK 0x0000000100000000ull /* in its 64-bit word */
#define WEFT_CTX_CQ_RESIZED_LSB 97 /* bit in the struct: read back: the last RESIZE, of whatever CQ, was done */
#define WEFT_CTX_CQ_RESIZED_WIDTH 1
#define WEFT_CTX_CQ_RESIZED_OFF 12 /* byte */
#define WEFT_CTX_CQ_RESIZED_MASK 0x0000000200000000ull /* in its 64-bit word */
#define WEFT_CTX_CQ_PI_LSB 128 /* bit in the struct: producer index (read back) */
#define WEFT_CTX_CQ_PI_WIDTH 32
#define WEFT_CTX_CQ_PI_OFF 16 /* byte */
#define WEFT_CTX_CQ_PI_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_CTX_CQ_FIRST_LSB 160 /* bit in the struct: index of an entry at place 0, of phase 1; of WRITE also the consumer index until the first doorbell */
#define WEFT_CTX_CQ_FIRST_WIDTH 24
#define WEFT_CTX_CQ_FIRST_OFF 20 /* byte */
#define WEFT_CTX_CQ_FIRST_MASK 0x00ffffff00000000ull /* in its 64-bit word */
#define WEFT_CTX_CQ_BASE1_LSB 192 /* bit in the struct: of the second piece, 4 KiB aligned, as are the next two */
#define WEFT_CTX_CQ_BASE1_WIDTH 64
#define WEFT_CTX_CQ_BASE1_OFF 24 /* byte */
#define WEFT_CTX_CQ_BASE1_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_CTX_CQ_BASE2_LSB 256 /* bit in the struct:  */
#define WEFT_CTX_CQ_BASE2_WIDTH 64
#define WEFT_CTX_CQ_BASE2_OFF 32 /* byte */
#define WEFT_CTX_CQ_BASE2_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_CTX_CQ_BASE3_LSB 320 /* bit in the struct:  */
#define WEFT_CTX_CQ_BASE3_WIDTH 64
#define WEFT_CTX_CQ_BASE3_OFF 40 /* byte */
#define WEFT_CTX_CQ_BASE3_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_CTX_CQ_HOLD_LSB 384 /* bit in the struct: WRITE, MODERATE: the event of arm NEXT is held back while no more are unread; 0: it is not held back */
#define WEFT_CTX_CQ_HOLD_WIDTH 16
#define WEFT_CTX_CQ_HOLD_OFF 48 /* byte */
#define WEFT_CTX_CQ_HOLD_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_CTX_CQ_PERIOD_LSB 400 /* bit in the struct: units of 1,024 ns: and for no longer; at most 64,000 */
#define WEFT_CTX_CQ_PERIOD_WIDTH 16
#define WEFT_CTX_CQ_PERIOD_OFF 50 /* byte */
#define WEFT_CTX_CQ_PERIOD_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_CTX_CQ_CMD_LSB 480 /* bit in the struct: enum ctx_cmd */
#define WEFT_CTX_CQ_CMD_WIDTH 8
#define WEFT_CTX_CQ_CMD_OFF 60 /* byte */
#define WEFT_CTX_CQ_CMD_MASK 0x000000ff00000000ull /* in its 64-bit word */

/* ctx_eq: event queue */
#define WEFT_CTX_EQ_BYTES 64
#define WEFT_CTX_EQ_BASE_LSB 0 /* bit in the struct:  */
#define WEFT_CTX_EQ_BASE_WIDTH 64
#define WEFT_CTX_EQ_BASE_OFF 0 /* byte */
#define WEFT_CTX_EQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_CTX_EQ_LOG2_LSB 64 /* bit in the struct:  */
#define WEFT_CTX_EQ_LOG2_WIDTH 8
#define WEFT_CTX_EQ_LOG2_OFF 8 /* byte */
#define WEFT_CTX_EQ_LOG2_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_CTX_EQ_VECTOR_LSB 80 /* bit in the struct: 0xffff: none */
#define WEFT_CTX_EQ_VECTOR_WIDTH 16
#define WEFT_CTX_EQ_VECTOR_OFF 10 /* byte */
#define WEFT_CTX_EQ_VECTOR_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_CTX_EQ_VALID_LSB 96 /* bit in the struct:  */
#define WEFT_CTX_EQ_VALID_WIDTH 1
#define WEFT_CTX_EQ_VALID_OFF 12 /* byte */
#define WEFT_CTX_EQ_VALID_MASK 0x0000000100000000ull /* in its 64-bit word */
#define WEFT_CTX_EQ_PI_LSB 128 /* bit in the struct:  */
#define WEFT_CTX_EQ_PI_WIDTH 32
#define WEFT_CTX_EQ_PI_OFF 16 /* byte */
#define WEFT_CTX_EQ_PI_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_CTX_EQ_CMD_LSB 480 /* bit in the struct: enum ctx_cmd */
#define WEFT_CTX_EQ_CMD_WIDTH 8
#define WEFT_CTX_EQ_CMD_OFF 60 /* byte */
#define WEFT_CTX_EQ_CMD_MASK 0x000000ff00000000ull /* in its 64-bit word */

/* ctx_l2q: a pair of L2 rings */
#define WEFT_CTX_L2Q_BYTES 64
#define WEFT_CTX_L2Q_TX_BASE_LSB 0 /* bit in the struct:  */
#define WEFT_CTX_L2Q_TX_BASE_WIDTH 64
#define WEFT_CTX_L2Q_TX_BASE_OFF 0 /* byte */
#define WEFT_CTX_L2Q_TX_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_CTX_L2Q_RX_BASE_LSB 64 /* bit in the struct:  */
#define WEFT_CTX_L2Q_RX_BASE_WIDTH 64
#define WEFT_CTX_L2Q_RX_BASE_OFF 8 /* byte */
#define WEFT_CTX_L2Q_RX_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_CTX_L2Q_TX_CQ_BASE_LSB 128 /* bit in the struct:  */
#define WEFT_CTX_L2Q_TX_CQ_BASE_WIDTH 64
#define WEFT_CTX_L2Q_TX_CQ_BASE_OFF 16 /* byte */
#define WEFT_CTX_L2Q_TX_CQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_CTX_L2Q_RX_CQ_BASE_LSB 192 /* bit in the struct:  */
#define WEFT_CTX_L2Q_RX_CQ_BASE_WIDTH 64
#define WEFT_CTX_L2Q_RX_CQ_BASE_OFF 24 /* byte */
#define WEFT_CTX_L2Q_RX_CQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_CTX_L2Q_TX_LOG2_LSB 256 /* bit in the struct:  */
#define WEFT_CTX_L2Q_TX_LOG2_WIDTH 8
#define WEFT_CTX_L2Q_TX_LOG2_OFF 32 /* byte */
#define WEFT_CTX_L2Q_TX_LOG2_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_CTX_L2Q_RX_LOG2_LSB 264 /* bit in the struct:  */
#define WEFT_CTX_L2Q_RX_LOG2_WIDTH 8
#define WEFT_CTX_L2Q_RX_LOG2_OFF 33 /* byte */
#define WEFT_CTX_L2Q_RX_LOG2_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_CTX_L2Q_TX_VALID_LSB 272 /* bit in the struct:  */
#define WEFT_CTX_L2Q_TX_VALID_WIDTH 1
#define WEFT_CTX_L2Q_TX_VALID_OFF 34 /* byte */
#define WEFT_CTX_L2Q_TX_VALID_MASK 0x0000000000010000ull /* in its 64-bit word */
#define WEFT_CTX_L2Q_RX_VALID_LSB 273 /* bit in the struct:  */
#define WEFT_CTX_L2Q_RX_VALID_WIDTH 1
#define WEFT_CTX_L2Q_RX_VALID_OFF 34 /* byte */
#define WEFT_CTX_L2Q_RX_VALID_MASK 0x0000000000020000ull /* in its 64-bit word */
#define WEFT_CTX_L2Q_TX_VECTOR_LSB 288 /* bit in the struct:  */
#define WEFT_CTX_L2Q_TX_VECTOR_WIDTH 16
#define WEFT_CTX_L2Q_TX_VECTOR_OFF 36 /* byte */
#define WEFT_CTX_L2Q_TX_VECTOR_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_CTX_L2Q_RX_VECTOR_LSB 304 /* bit in the struct:  */
#define WEFT_CTX_L2Q_RX_VECTOR_WIDTH 16
#define WEFT_CTX_L2Q_RX_VECTOR_OFF 38 /* byte */
#define WEFT_CTX_L2Q_RX_VECTOR_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_CTX_L2Q_CMD_LSB 480 /* bit in the struct: enum ctx_cmd */
#define WEFT_CTX_L2Q_CMD_WIDTH 8
#define WEFT_CTX_L2Q_CMD_OFF 60 /* byte */
#define WEFT_CTX_L2Q_CMD_MASK 0x000000ff00000000ull /* in its 64-bit word */
#define WEFT_SRQ_CTRL 0x0 /* room RX, of each queue: struct srq_ctrl, written: the queue is empty, its limit not armed; read: struct srq_index */
#define WEFT_SRQ_LIMIT 0x4 /* written: event SRQ_LIMIT when fewer WQEs than this are left, once; 0: never. Read: the armed limit */

/* srq_ctrl: SRQ_CTRL, written */
#define WEFT_SRQ_CTRL_BYTES 4
#define WEFT_SRQ_CTRL_LOG2_LSB 0 /* bit in the struct: log2 of entries */
#define WEFT_SRQ_CTRL_LOG2_WIDTH 4
#define WEFT_SRQ_CTRL_LOG2_OFF 0 /* byte */
#define WEFT_SRQ_CTRL_LOG2_MASK 0x000000000000000full /* in its 64-bit word */
#define WEFT_SRQ_CTRL_VALID_LSB 31 /* bit in the struct:  */
#define WEFT_SRQ_CTRL_VALID_WIDTH 1
#define WEFT_SRQ_CTRL_VALID_OFF 3 /* byte */
#define WEFT_SRQ_CTRL_VALID_MASK 0x0000000080000000ull /* in its 64-bit word */

/* srq_index: SRQ_CTRL, read */
#define WEFT_SRQ_INDEX_BYTES 4
#define WEFT_SRQ_INDEX_TAKEN_LSB 0 /* bit in the struct: next entry to take */
#define WEFT_SRQ_INDEX_TAKEN_WIDTH 16
#define WEFT_SRQ_INDEX_TAKEN_OFF 0 /* byte */
#define WEFT_SRQ_INDEX_TAKEN_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_SRQ_INDEX_POSTED_LSB 16 /* bit in the struct: producer index */
#define WEFT_SRQ_INDEX_POSTED_WIDTH 16
#define WEFT_SRQ_INDEX_POSTED_OFF 2 /* byte */
#define WEFT_SRQ_INDEX_POSTED_MASK 0x00000000ffff0000ull /* in its 64-bit word */

/* steer_reason: why firmware gets a frame */
#define WEFT_STEER_REASON_PORT 0 /* the local port is in the bit map, and no connection matches; the QPN is 0 */
#define WEFT_STEER_REASON_FLAGS 1 /* SYN or RST on a connection that the hardware owns; the QPN comes with it */
#define WEFT_STEER_REASON_COUNT 2
#define WEFT_STEER_REASON_NAMES \
	[0] = "PORT", \
	[1] = "FLAGS",

/* home_key: line 0: who the connection is, and its header template */
#define WEFT_HOME_KEY_BYTES 64
#define WEFT_HOME_KEY_LOCAL_ADDR_LSB 0 /* bit in the struct: network order; IPv4 in bytes 0 to 3, rest zero */
#define WEFT_HOME_KEY_LOCAL_ADDR_WIDTH 128
#define WEFT_HOME_KEY_LOCAL_ADDR_OFF 0 /* byte */
#define WEFT_HOME_KEY_PEER_ADDR_LSB 128 /* bit in the struct:  */
#define WEFT_HOME_KEY_PEER_ADDR_WIDTH 128
#define WEFT_HOME_KEY_PEER_ADDR_OFF 16 /* byte */
#define WEFT_HOME_KEY_LOCAL_PORT_LSB 256 /* bit in the struct: host order */
#define WEFT_HOME_KEY_LOCAL_PORT_WIDTH 16
#define WEFT_HOME_KEY_LOCAL_PORT_OFF 32 /* byte */
#define WEFT_HOME_KEY_LOCAL_PORT_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_HOME_KEY_PEER_PORT_LSB 272 /* bit in the struct:  */
#define WEFT_HOME_KEY_PEER_PORT_WIDTH 16
#define WEFT_HOME_KEY_PEER_PORT_OFF 34 /* byte */
#define WEFT_HOME_KEY_PEER_PORT_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_L2_LSB 288 /* bit in the struct: index of the l2e entry */
#define WEFT_HOME_KEY_L2_WIDTH 16
#define WEFT_HOME_KEY_L2_OFF 36 /* byte */
#define WEFT_HOME_KEY_L2_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_TOS_LSB 304 /* bit in the struct:  */
#define WEFT_HOME_KEY_TOS_WIDTH 8
#define WEFT_HOME_KEY_TOS_OFF 38 /* byte */
#define WEFT_HOME_KEY_TOS_MASK 0x00ff000000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_TTL_LSB 312 /* bit in the struct:  */
#define WEFT_HOME_KEY_TTL_WIDTH 8
#define WEFT_HOME_KEY_TTL_OFF 39 /* byte */
#define WEFT_HOME_KEY_TTL_MASK 0xff00000000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_FLOW_LSB 320 /* bit in the struct: IPv6 flow label */
#define WEFT_HOME_KEY_FLOW_WIDTH 32
#define WEFT_HOME_KEY_FLOW_OFF 40 /* byte */
#define WEFT_HOME_KEY_FLOW_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_KEY_PORT_LSB 352 /* bit in the struct: port of the card */
#define WEFT_HOME_KEY_PORT_WIDTH 8
#define WEFT_HOME_KEY_PORT_OFF 44 /* byte */
#define WEFT_HOME_KEY_PORT_MASK 0x000000ff00000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_FN_LSB 360 /* bit in the struct: function of the host */
#define WEFT_HOME_KEY_FN_WIDTH 8
#define WEFT_HOME_KEY_FN_OFF 45 /* byte */
#define WEFT_HOME_KEY_FN_MASK 0x0000ff0000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_BLOCKS_LSB 368 /* bit in the struct: blocks of 512 bytes behind line 7 that are in use; room ctx */
#define WEFT_HOME_KEY_BLOCKS_WIDTH 8
#define WEFT_HOME_KEY_BLOCKS_OFF 46 /* byte */
#define WEFT_HOME_KEY_BLOCKS_MASK 0x00ff000000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_IPV6_LSB 376 /* bit in the struct:  */
#define WEFT_HOME_KEY_IPV6_WIDTH 1
#define WEFT_HOME_KEY_IPV6_OFF 47 /* byte */
#define WEFT_HOME_KEY_IPV6_MASK 0x0100000000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_TS_LSB 377 /* bit in the struct: timestamps were agreed on (RFC 7323) */
#define WEFT_HOME_KEY_TS_WIDTH 1
#define WEFT_HOME_KEY_TS_OFF 47 /* byte */
#define WEFT_HOME_KEY_TS_MASK 0x0200000000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_SACK_LSB 378 /* bit in the struct: SACK was agreed on (RFC 2018) */
#define WEFT_HOME_KEY_SACK_WIDTH 1
#define WEFT_HOME_KEY_SACK_OFF 47 /* byte */
#define WEFT_HOME_KEY_SACK_MASK 0x0400000000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_ECN_LSB 379 /* bit in the struct: ECN was agreed on (RFC 3168) */
#define WEFT_HOME_KEY_ECN_WIDTH 1
#define WEFT_HOME_KEY_ECN_OFF 47 /* byte */
#define WEFT_HOME_KEY_ECN_MASK 0x0800000000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_ALIGNED_LSB 380 /* bit in the struct: the peer promised that none of its segments begins at a multiple of four from its first FPDU but with an FPDU (docs/datapath.md: Who the peer is) */
#define WEFT_HOME_KEY_ALIGNED_WIDTH 1
#define WEFT_HOME_KEY_ALIGNED_OFF 47 /* byte */
#define WEFT_HOME_KEY_ALIGNED_MASK 0x1000000000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_VLAN_LSB 381 /* bit in the struct: frames carry a VLAN tag */
#define WEFT_HOME_KEY_VLAN_WIDTH 1
#define WEFT_HOME_KEY_VLAN_OFF 47 /* byte */
#define WEFT_HOME_KEY_VLAN_MASK 0x2000000000000000ull /* in its 64-bit word */
#define WEFT_HOME_KEY_VID_LSB 384 /* bit in the struct: VLAN */
#define WEFT_HOME_KEY_VID_WIDTH 12
#define WEFT_HOME_KEY_VID_OFF 48 /* byte */
#define WEFT_HOME_KEY_VID_MASK 0x0000000000000fffull /* in its 64-bit word */

/* home_snd: line 1: TCP, send state */
#define WEFT_HOME_SND_BYTES 64
#define WEFT_HOME_SND_UNA_LSB 0 /* bit in the struct: offset: everything before it is acknowledged; a FIN takes an offset of its own */
#define WEFT_HOME_SND_UNA_WIDTH 64
#define WEFT_HOME_SND_UNA_OFF 0 /* byte */
#define WEFT_HOME_SND_UNA_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_SND_SND_MAX_LSB 64 /* bit in the struct: offset behind the last byte that left */
#define WEFT_HOME_SND_SND_MAX_WIDTH 32
#define WEFT_HOME_SND_SND_MAX_OFF 8 /* byte */
#define WEFT_HOME_SND_SND_MAX_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_SND_SEQ0_LSB 96 /* bit in the struct: sequence number of offset 0 (ISS + 1) */
#define WEFT_HOME_SND_SEQ0_WIDTH 32
#define WEFT_HOME_SND_SEQ0_OFF 12 /* byte */
#define WEFT_HOME_SND_SEQ0_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_WND_EDGE_LSB 128 /* bit in the struct: offset: right edge of the peer's window */
#define WEFT_HOME_SND_WND_EDGE_WIDTH 32
#define WEFT_HOME_SND_WND_EDGE_OFF 16 /* byte */
#define WEFT_HOME_SND_WND_EDGE_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_SND_WL1_LSB 160 /* bit in the struct: sequence number of the segment that gave the window (SND.WL1) */
#define WEFT_HOME_SND_WL1_WIDTH 32
#define WEFT_HOME_SND_WL1_OFF 20 /* byte */
#define WEFT_HOME_SND_WL1_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_WL2_LSB 192 /* bit in the struct: its ACK field (SND.WL2) */
#define WEFT_HOME_SND_WL2_WIDTH 32
#define WEFT_HOME_SND_WL2_OFF 24 /* byte */
#define WEFT_HOME_SND_WL2_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_SND_MAX_WND_LSB 224 /* bit in the struct: largest window seen (RFC 5961 5.2) */
#define WEFT_HOME_SND_MAX_WND_WIDTH 32
#define WEFT_HOME_SND_MAX_WND_OFF 28 /* byte */
#define WEFT_HOME_SND_MAX_WND_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_CWND_LSB 256 /* bit in the struct: bytes; 0 at load: the initial window of RFC 6928 */
#define WEFT_HOME_SND_CWND_WIDTH 32
#define WEFT_HOME_SND_CWND_OFF 32 /* byte */
#define WEFT_HOME_SND_CWND_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_SND_SSTHRESH_LSB 288 /* bit in the struct: bytes; 0 at load: none yet */
#define WEFT_HOME_SND_SSTHRESH_WIDTH 32
#define WEFT_HOME_SND_SSTHRESH_OFF 36 /* byte */
#define WEFT_HOME_SND_SSTHRESH_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_CC_ACC_LSB 320 /* bit in the struct: bytes acknowledged towards the next step of congestion avoidance */
#define WEFT_HOME_SND_CC_ACC_WIDTH 32
#define WEFT_HOME_SND_CC_ACC_OFF 40 /* byte */
#define WEFT_HOME_SND_CC_ACC_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_SND_RECOVER_LSB 352 /* bit in the struct: offset: recovery ends when it is acknowledged */
#define WEFT_HOME_SND_RECOVER_WIDTH 32
#define WEFT_HOME_SND_RECOVER_OFF 44 /* byte */
#define WEFT_HOME_SND_RECOVER_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_RTX_NXT_LSB 384 /* bit in the struct: offset: recovery has asked up to here */
#define WEFT_HOME_SND_RTX_NXT_WIDTH 32
#define WEFT_HOME_SND_RTX_NXT_OFF 48 /* byte */
#define WEFT_HOME_SND_RTX_NXT_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_SND_MSS_LSB 416 /* bit in the struct: bytes of a segment, options taken off */
#define WEFT_HOME_SND_MSS_WIDTH 16
#define WEFT_HOME_SND_MSS_OFF 52 /* byte */
#define WEFT_HOME_SND_MSS_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_STATE_LSB 432 /* bit in the struct: enum tcp_state */
#define WEFT_HOME_SND_STATE_WIDTH 2
#define WEFT_HOME_SND_STATE_OFF 54 /* byte */
#define WEFT_HOME_SND_STATE_MASK 0x0003000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_HOLD_LSB 434 /* bit in the struct: nothing is sent before the first FPDU has come; KEEP_AT is its end */
#define WEFT_HOME_SND_HOLD_WIDTH 1
#define WEFT_HOME_SND_HOLD_OFF 54 /* byte */
#define WEFT_HOME_SND_HOLD_MASK 0x0004000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_CLOSING_LSB 435 /* bit in the struct: FIN was asked for */
#define WEFT_HOME_SND_CLOSING_WIDTH 1
#define WEFT_HOME_SND_CLOSING_OFF 54 /* byte */
#define WEFT_HOME_SND_CLOSING_MASK 0x0008000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_FIN_SENT_LSB 436 /* bit in the struct: FIN has left: it is the last offset before SND_MAX */
#define WEFT_HOME_SND_FIN_SENT_WIDTH 1
#define WEFT_HOME_SND_FIN_SENT_OFF 54 /* byte */
#define WEFT_HOME_SND_FIN_SENT_MASK 0x0010000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_FIN_ACKED_LSB 437 /* bit in the struct: and is acknowledged */
#define WEFT_HOME_SND_FIN_ACKED_WIDTH 1
#define WEFT_HOME_SND_FIN_ACKED_OFF 54 /* byte */
#define WEFT_HOME_SND_FIN_ACKED_MASK 0x0020000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_RTO_REC_LSB 438 /* bit in the struct: bytes up to RECOVER are being sent again after a time-out */
#define WEFT_HOME_SND_RTO_REC_WIDTH 1
#define WEFT_HOME_SND_RTO_REC_OFF 54 /* byte */
#define WEFT_HOME_SND_RTO_REC_MASK 0x0040000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_FAST_REC_LSB 439 /* bit in the struct: RFC 6582 recovery up to RECOVER */
#define WEFT_HOME_SND_FAST_REC_WIDTH 1
#define WEFT_HOME_SND_FAST_REC_OFF 54 /* byte */
#define WEFT_HOME_SND_FAST_REC_MASK 0x0080000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_GEN_LSB 440 /* bit in the struct: send generation that may leave */
#define WEFT_HOME_SND_GEN_WIDTH 2
#define WEFT_HOME_SND_GEN_OFF 55 /* byte */
#define WEFT_HOME_SND_GEN_MASK 0x0300000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_CUT_LSB 442 /* bit in the struct: bytes from SND_MAX on were made and did not fit the window */
#define WEFT_HOME_SND_CUT_WIDTH 1
#define WEFT_HOME_SND_CUT_OFF 55 /* byte */
#define WEFT_HOME_SND_CUT_MASK 0x0400000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_CWR_LSB 443 /* bit in the struct: the next new segment carries CWR */
#define WEFT_HOME_SND_CWR_WIDTH 1
#define WEFT_HOME_SND_CWR_OFF 55 /* byte */
#define WEFT_HOME_SND_CWR_MASK 0x0800000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_IN_CWR_LSB 444 /* bit in the struct: reacted to ECE up to RECOVER */
#define WEFT_HOME_SND_IN_CWR_WIDTH 1
#define WEFT_HOME_SND_IN_CWR_OFF 55 /* byte */
#define WEFT_HOME_SND_IN_CWR_MASK 0x1000000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_WSCALE_LSB 445 /* bit in the struct: window scaling was agreed on */
#define WEFT_HOME_SND_WSCALE_WIDTH 1
#define WEFT_HOME_SND_WSCALE_OFF 55 /* byte */
#define WEFT_HOME_SND_WSCALE_MASK 0x2000000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_SND_SHIFT_LSB 448 /* bit in the struct: shift of the peer's window */
#define WEFT_HOME_SND_SND_SHIFT_WIDTH 4
#define WEFT_HOME_SND_SND_SHIFT_OFF 56 /* byte */
#define WEFT_HOME_SND_SND_SHIFT_MASK 0x000000000000000full /* in its 64-bit word */
#define WEFT_HOME_SND_RCV_SHIFT_LSB 452 /* bit in the struct: shift of ours */
#define WEFT_HOME_SND_RCV_SHIFT_WIDTH 4
#define WEFT_HOME_SND_RCV_SHIFT_OFF 56 /* byte */
#define WEFT_HOME_SND_RCV_SHIFT_MASK 0x00000000000000f0ull /* in its 64-bit word */
#define WEFT_HOME_SND_BACKOFF_LSB 456 /* bit in the struct: doublings of the RTO */
#define WEFT_HOME_SND_BACKOFF_WIDTH 4
#define WEFT_HOME_SND_BACKOFF_OFF 57 /* byte */
#define WEFT_HOME_SND_BACKOFF_MASK 0x0000000000000f00ull /* in its 64-bit word */
#define WEFT_HOME_SND_RETRIES_LSB 460 /* bit in the struct: time-outs in a row */
#define WEFT_HOME_SND_RETRIES_WIDTH 4
#define WEFT_HOME_SND_RETRIES_OFF 57 /* byte */
#define WEFT_HOME_SND_RETRIES_MASK 0x000000000000f000ull /* in its 64-bit word */
#define WEFT_HOME_SND_EVENTS_LSB 464 /* bit in the struct: events that firmware has not been told of: bits FIN, RST, TIMEOUT, ACKED, HOLD, DRAINED, HOLD_OVER */
#define WEFT_HOME_SND_EVENTS_WIDTH 8
#define WEFT_HOME_SND_EVENTS_OFF 58 /* byte */
#define WEFT_HOME_SND_EVENTS_MASK 0x0000000000ff0000ull /* in its 64-bit word */
#define WEFT_HOME_SND_KEEP_LSB 472 /* bit in the struct: keep-alive is on */
#define WEFT_HOME_SND_KEEP_WIDTH 1
#define WEFT_HOME_SND_KEEP_OFF 59 /* byte */
#define WEFT_HOME_SND_KEEP_MASK 0x0000000001000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_KEEP_N_LSB 473 /* bit in the struct: probes without an answer */
#define WEFT_HOME_SND_KEEP_N_WIDTH 4
#define WEFT_HOME_SND_KEEP_N_OFF 59 /* byte */
#define WEFT_HOME_SND_KEEP_N_MASK 0x000000001e000000ull /* in its 64-bit word */
#define WEFT_HOME_SND_TS_OFF_LSB 480 /* bit in the struct: added to the clock in TSval */
#define WEFT_HOME_SND_TS_OFF_WIDTH 32
#define WEFT_HOME_SND_TS_OFF_OFF 60 /* byte */
#define WEFT_HOME_SND_TS_OFF_MASK 0xffffffff00000000ull /* in its 64-bit word */

/* tcp_state: of a connection that the hardware owns */
#define WEFT_TCP_STATE_STOP 0 /* nothing leaves, nothing is accepted */
#define WEFT_TCP_STATE_OPEN 1 /*  */
#define WEFT_TCP_STATE_DEAD 2 /* reset by the peer, or given up */
#define WEFT_TCP_STATE_COUNT 3
#define WEFT_TCP_STATE_NAMES \
	[0] = "STOP", \
	[1] = "OPEN", \
	[2] = "DEAD",

/* home_rcv: line 2: TCP, receive state */
#define WEFT_HOME_RCV_BYTES 64
#define WEFT_HOME_RCV_COMMITTED_LSB 0 /* bit in the struct: offset: everything before it may be acknowledged */
#define WEFT_HOME_RCV_COMMITTED_WIDTH 64
#define WEFT_HOME_RCV_COMMITTED_OFF 0 /* byte */
#define WEFT_HOME_RCV_COMMITTED_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_RCV_RCV_NXT_LSB 64 /* bit in the struct: offset: what is accepted in order (RCV.NXT but for a FIN) */
#define WEFT_HOME_RCV_RCV_NXT_WIDTH 32
#define WEFT_HOME_RCV_RCV_NXT_OFF 8 /* byte */
#define WEFT_HOME_RCV_RCV_NXT_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_RCV_RIGHT_LSB 96 /* bit in the struct: offset: right edge of the window, never moves back */
#define WEFT_HOME_RCV_RIGHT_WIDTH 32
#define WEFT_HOME_RCV_RIGHT_OFF 12 /* byte */
#define WEFT_HOME_RCV_RIGHT_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RCV_SEQ0_LSB 128 /* bit in the struct: sequence number of offset 0 (IRS + 1) */
#define WEFT_HOME_RCV_SEQ0_WIDTH 32
#define WEFT_HOME_RCV_SEQ0_OFF 16 /* byte */
#define WEFT_HOME_RCV_SEQ0_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_RCV_LAST_ACK_LSB 160 /* bit in the struct: ACK field that left last (Last.ACK.sent) */
#define WEFT_HOME_RCV_LAST_ACK_WIDTH 32
#define WEFT_HOME_RCV_LAST_ACK_OFF 20 /* byte */
#define WEFT_HOME_RCV_LAST_ACK_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RCV_ADV_LSB 192 /* bit in the struct: sequence number: right edge that was advertised last */
#define WEFT_HOME_RCV_ADV_WIDTH 32
#define WEFT_HOME_RCV_ADV_OFF 24 /* byte */
#define WEFT_HOME_RCV_ADV_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_RCV_TS_RECENT_LSB 224 /* bit in the struct: RFC 7323 */
#define WEFT_HOME_RCV_TS_RECENT_WIDTH 32
#define WEFT_HOME_RCV_TS_RECENT_OFF 28 /* byte */
#define WEFT_HOME_RCV_TS_RECENT_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RCV_TS_AGE_LSB 256 /* bit in the struct: when it was taken, now_ns / 2^30 */
#define WEFT_HOME_RCV_TS_AGE_WIDTH 32
#define WEFT_HOME_RCV_TS_AGE_OFF 32 /* byte */
#define WEFT_HOME_RCV_TS_AGE_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_RCV_RMSS_LSB 288 /* bit in the struct: largest payload of a segment so far */
#define WEFT_HOME_RCV_RMSS_WIDTH 16
#define WEFT_HOME_RCV_RMSS_OFF 36 /* byte */
#define WEFT_HOME_RCV_RMSS_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RCV_CHAL_AT_LSB 304 /* bit in the struct: now_ns / 2^26 of the last challenge ACK (RFC 5961 7) */
#define WEFT_HOME_RCV_CHAL_AT_WIDTH 16
#define WEFT_HOME_RCV_CHAL_AT_OFF 38 /* byte */
#define WEFT_HOME_RCV_CHAL_AT_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_HOME_RCV_CHAL_N_LSB 320 /* bit in the struct: challenge ACKs in that time */
#define WEFT_HOME_RCV_CHAL_N_WIDTH 4
#define WEFT_HOME_RCV_CHAL_N_OFF 40 /* byte */
#define WEFT_HOME_RCV_CHAL_N_MASK 0x000000000000000full /* in its 64-bit word */
#define WEFT_HOME_RCV_FIN_HERE_LSB 324 /* bit in the struct: the FIN was next in order: it is acknowledged */
#define WEFT_HOME_RCV_FIN_HERE_WIDTH 1
#define WEFT_HOME_RCV_FIN_HERE_OFF 40 /* byte */
#define WEFT_HOME_RCV_FIN_HERE_MASK 0x0000000000000010ull /* in its 64-bit word */
#define WEFT_HOME_RCV_GEN_LSB 328 /* bit in the struct: generation of pieces, flipped by each unaccept */
#define WEFT_HOME_RCV_GEN_WIDTH 1
#define WEFT_HOME_RCV_GEN_OFF 41 /* byte */
#define WEFT_HOME_RCV_GEN_MASK 0x0000000000000100ull /* in its 64-bit word */
#define WEFT_HOME_RCV_FIN_LSB 329 /* bit in the struct: FIN is accepted: it stands at RCV_NXT */
#define WEFT_HOME_RCV_FIN_WIDTH 1
#define WEFT_HOME_RCV_FIN_OFF 41 /* byte */
#define WEFT_HOME_RCV_FIN_MASK 0x0000000000000200ull /* in its 64-bit word */
#define WEFT_HOME_RCV_NEED_ACK_LSB 330 /* bit in the struct: an ACK is due */
#define WEFT_HOME_RCV_NEED_ACK_WIDTH 1
#define WEFT_HOME_RCV_NEED_ACK_OFF 41 /* byte */
#define WEFT_HOME_RCV_NEED_ACK_MASK 0x0000000000000400ull /* in its 64-bit word */
#define WEFT_HOME_RCV_ECE_LSB 331 /* bit in the struct: ACKs carry ECE until CWR comes (RFC 3168 6.1.3) */
#define WEFT_HOME_RCV_ECE_WIDTH 1
#define WEFT_HOME_RCV_ECE_OFF 41 /* byte */
#define WEFT_HOME_RCV_ECE_MASK 0x0000000000000800ull /* in its 64-bit word */
#define WEFT_HOME_RCV_WEFT_LSB 332 /* bit in the struct: the peer promised to acknowledge within 4 ms */
#define WEFT_HOME_RCV_WEFT_WIDTH 1
#define WEFT_HOME_RCV_WEFT_OFF 41 /* byte */
#define WEFT_HOME_RCV_WEFT_MASK 0x0000000000001000ull /* in its 64-bit word */
#define WEFT_HOME_RCV_FIN_TOLD_LSB 333 /* bit in the struct: firmware was told of the FIN */
#define WEFT_HOME_RCV_FIN_TOLD_WIDTH 1
#define WEFT_HOME_RCV_FIN_TOLD_OFF 41 /* byte */
#define WEFT_HOME_RCV_FIN_TOLD_MASK 0x0000000000002000ull /* in its 64-bit word */
#define WEFT_HOME_RCV_DEAF_LSB 334 /* bit in the struct: the stream has ended: what is accepted in order is acknowledged, and nobody looks at it */
#define WEFT_HOME_RCV_DEAF_WIDTH 1
#define WEFT_HOME_RCV_DEAF_OFF 41 /* byte */
#define WEFT_HOME_RCV_DEAF_MASK 0x0000000000004000ull /* in its 64-bit word */
#define WEFT_HOME_RCV_FIN_END_LSB 335 /* bit in the struct: all that lies before the FIN was placed */
#define WEFT_HOME_RCV_FIN_END_WIDTH 1
#define WEFT_HOME_RCV_FIN_END_OFF 41 /* byte */
#define WEFT_HOME_RCV_FIN_END_MASK 0x0000000000008000ull /* in its 64-bit word */

/* home_tim: line 3: TCP, times */
#define WEFT_HOME_TIM_BYTES 64
#define WEFT_HOME_TIM_RTX_AT_LSB 0 /* bit in the struct: deadline in ticks of retransmission or probe, 0: none */
#define WEFT_HOME_TIM_RTX_AT_WIDTH 48
#define WEFT_HOME_TIM_RTX_AT_OFF 0 /* byte */
#define WEFT_HOME_TIM_RTX_AT_MASK 0x0000ffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_TIM_RTT_ON_LSB 48 /* bit in the struct: a segment is timed */
#define WEFT_HOME_TIM_RTT_ON_WIDTH 1
#define WEFT_HOME_TIM_RTT_ON_OFF 6 /* byte */
#define WEFT_HOME_TIM_RTT_ON_MASK 0x0001000000000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_RTT_LONE_LSB 49 /* bit in the struct: nothing else was in flight when it left */
#define WEFT_HOME_TIM_RTT_LONE_WIDTH 1
#define WEFT_HOME_TIM_RTT_LONE_OFF 6 /* byte */
#define WEFT_HOME_TIM_RTT_LONE_MASK 0x0002000000000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_RTT_SEEN_LSB 50 /* bit in the struct: SRTT is valid */
#define WEFT_HOME_TIM_RTT_SEEN_WIDTH 1
#define WEFT_HOME_TIM_RTT_SEEN_OFF 6 /* byte */
#define WEFT_HOME_TIM_RTT_SEEN_MASK 0x0004000000000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_RTT_N_LSB 51 /* bit in the struct: ACK delays seen, up to 7 */
#define WEFT_HOME_TIM_RTT_N_WIDTH 3
#define WEFT_HOME_TIM_RTT_N_OFF 6 /* byte */
#define WEFT_HOME_TIM_RTT_N_MASK 0x0038000000000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_ACK_AT_LSB 64 /* bit in the struct: deadline of a delayed ACK, 0: none */
#define WEFT_HOME_TIM_ACK_AT_WIDTH 48
#define WEFT_HOME_TIM_ACK_AT_OFF 8 /* byte */
#define WEFT_HOME_TIM_ACK_AT_MASK 0x0000ffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_TIM_KEEP_AT_LSB 128 /* bit in the struct: deadline of keep-alive, or of HOLD, 0: none */
#define WEFT_HOME_TIM_KEEP_AT_WIDTH 48
#define WEFT_HOME_TIM_KEEP_AT_OFF 16 /* byte */
#define WEFT_HOME_TIM_KEEP_AT_MASK 0x0000ffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_TIM_SRTT_LSB 192 /* bit in the struct: ticks times 8 */
#define WEFT_HOME_TIM_SRTT_WIDTH 32
#define WEFT_HOME_TIM_SRTT_OFF 24 /* byte */
#define WEFT_HOME_TIM_SRTT_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_TIM_RTTVAR_LSB 224 /* bit in the struct: ticks times 4 */
#define WEFT_HOME_TIM_RTTVAR_WIDTH 32
#define WEFT_HOME_TIM_RTTVAR_OFF 28 /* byte */
#define WEFT_HOME_TIM_RTTVAR_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_MIN_RTT_LSB 256 /* bit in the struct: ticks */
#define WEFT_HOME_TIM_MIN_RTT_WIDTH 32
#define WEFT_HOME_TIM_MIN_RTT_OFF 32 /* byte */
#define WEFT_HOME_TIM_MIN_RTT_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_TIM_ACK_DELAY_LSB 288 /* bit in the struct: ticks: largest delay of an ACK that was seen */
#define WEFT_HOME_TIM_ACK_DELAY_WIDTH 32
#define WEFT_HOME_TIM_ACK_DELAY_OFF 36 /* byte */
#define WEFT_HOME_TIM_ACK_DELAY_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_RTT_END_LSB 320 /* bit in the struct: offset behind the segment that is timed */
#define WEFT_HOME_TIM_RTT_END_WIDTH 32
#define WEFT_HOME_TIM_RTT_END_OFF 40 /* byte */
#define WEFT_HOME_TIM_RTT_END_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_TIM_RTT_AT_LSB 352 /* bit in the struct: when it left, ticks */
#define WEFT_HOME_TIM_RTT_AT_WIDTH 32
#define WEFT_HOME_TIM_RTT_AT_OFF 44 /* byte */
#define WEFT_HOME_TIM_RTT_AT_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_REO_AT_LSB 384 /* bit in the struct: when loss detection looks again, ticks, 0: never */
#define WEFT_HOME_TIM_REO_AT_WIDTH 48
#define WEFT_HOME_TIM_REO_AT_OFF 48 /* byte */
#define WEFT_HOME_TIM_REO_AT_MASK 0x0000ffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_TIM_HOLE_LSB 432 /* bit in the struct: bytes from RTX_NXT, at least UNA, to SACK_LO are lost; with SACK a load forgets it */
#define WEFT_HOME_TIM_HOLE_WIDTH 1
#define WEFT_HOME_TIM_HOLE_OFF 54 /* byte */
#define WEFT_HOME_TIM_HOLE_MASK 0x0001000000000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_PTO_LSB 433 /* bit in the struct: RTX_AT is the time of a tail loss probe */
#define WEFT_HOME_TIM_PTO_WIDTH 1
#define WEFT_HOME_TIM_PTO_OFF 54 /* byte */
#define WEFT_HOME_TIM_PTO_MASK 0x0002000000000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_TLP_LSB 434 /* bit in the struct: a tail loss probe is out */
#define WEFT_HOME_TIM_TLP_WIDTH 1
#define WEFT_HOME_TIM_TLP_OFF 54 /* byte */
#define WEFT_HOME_TIM_TLP_MASK 0x0004000000000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_DUPS_LSB 435 /* bit in the struct: duplicate ACKs without a SACK block; 3: none counts before UNA moves */
#define WEFT_HOME_TIM_DUPS_WIDTH 2
#define WEFT_HOME_TIM_DUPS_OFF 54 /* byte */
#define WEFT_HOME_TIM_DUPS_MASK 0x0018000000000000ull /* in its 64-bit word */
#define WEFT_HOME_TIM_SACK_LO_LSB 448 /* bit in the struct: offset: end of the hole */
#define WEFT_HOME_TIM_SACK_LO_WIDTH 32
#define WEFT_HOME_TIM_SACK_LO_OFF 56 /* byte */
#define WEFT_HOME_TIM_SACK_LO_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_TIM_TLP_END_LSB 480 /* bit in the struct: offset behind the probe */
#define WEFT_HOME_TIM_TLP_END_WIDTH 32
#define WEFT_HOME_TIM_TLP_END_OFF 60 /* byte */
#define WEFT_HOME_TIM_TLP_END_MASK 0xffffffff00000000ull /* in its 64-bit word */

/* home_sq: line 4: the send queue; offsets count bytes of the stream from ISS + 1. Line 5 is zero */
#define WEFT_HOME_SQ_BYTES 64
#define WEFT_HOME_SQ_SQ_BASE_LSB 0 /* bit in the struct: bus address of the ring */
#define WEFT_HOME_SQ_SQ_BASE_WIDTH 64
#define WEFT_HOME_SQ_SQ_BASE_OFF 0 /* byte */
#define WEFT_HOME_SQ_SQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_SQ_SQ_LOG2_LSB 64 /* bit in the struct:  */
#define WEFT_HOME_SQ_SQ_LOG2_WIDTH 4
#define WEFT_HOME_SQ_SQ_LOG2_OFF 8 /* byte */
#define WEFT_HOME_SQ_SQ_LOG2_MASK 0x000000000000000full /* in its 64-bit word */
#define WEFT_HOME_SQ_SQ_STRIDE_LSB 68 /* bit in the struct: enum stride */
#define WEFT_HOME_SQ_SQ_STRIDE_WIDTH 2
#define WEFT_HOME_SQ_SQ_STRIDE_OFF 8 /* byte */
#define WEFT_HOME_SQ_SQ_STRIDE_MASK 0x0000000000000030ull /* in its 64-bit word */
#define WEFT_HOME_SQ_CRC_LSB 70 /* bit in the struct: MPA CRC is generated */
#define WEFT_HOME_SQ_CRC_WIDTH 1
#define WEFT_HOME_SQ_CRC_OFF 8 /* byte */
#define WEFT_HOME_SQ_CRC_MASK 0x0000000000000040ull /* in its 64-bit word */
#define WEFT_HOME_SQ_MARKERS_LSB 71 /* bit in the struct: MPA markers are sent */
#define WEFT_HOME_SQ_MARKERS_WIDTH 1
#define WEFT_HOME_SQ_MARKERS_OFF 8 /* byte */
#define WEFT_HOME_SQ_MARKERS_MASK 0x0000000000000080ull /* in its 64-bit word */
#define WEFT_HOME_SQ_STATE_LSB 72 /* bit in the struct: enum qp_state */
#define WEFT_HOME_SQ_STATE_WIDTH 2
#define WEFT_HOME_SQ_STATE_OFF 9 /* byte */
#define WEFT_HOME_SQ_STATE_MASK 0x0000000000000300ull /* in its 64-bit word */
#define WEFT_HOME_SQ_PRIV_LSB 74 /* bit in the struct: STag 0 allowed */
#define WEFT_HOME_SQ_PRIV_WIDTH 1
#define WEFT_HOME_SQ_PRIV_OFF 9 /* byte */
#define WEFT_HOME_SQ_PRIV_MASK 0x0000000000000400ull /* in its 64-bit word */
#define WEFT_HOME_SQ_HOLD_LSB 75 /* bit in the struct: send nothing until SET_STATE takes it away (RFC 5044 7.1.2) */
#define WEFT_HOME_SQ_HOLD_WIDTH 1
#define WEFT_HOME_SQ_HOLD_OFF 9 /* byte */
#define WEFT_HOME_SQ_HOLD_MASK 0x0000000000000800ull /* in its 64-bit word */
#define WEFT_HOME_SQ_STOPPED_LSB 76 /* bit in the struct: a work request failed or TCP gave up: nothing but values is sent */
#define WEFT_HOME_SQ_STOPPED_WIDTH 1
#define WEFT_HOME_SQ_STOPPED_OFF 9 /* byte */
#define WEFT_HOME_SQ_STOPPED_MASK 0x0000000000001000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_GEN_LSB 77 /* bit in the struct: send generation */
#define WEFT_HOME_SQ_GEN_WIDTH 2
#define WEFT_HOME_SQ_GEN_OFF 9 /* byte */
#define WEFT_HOME_SQ_GEN_MASK 0x0000000000006000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_CQN_LSB 80 /* bit in the struct:  */
#define WEFT_HOME_SQ_CQN_WIDTH 24
#define WEFT_HOME_SQ_CQN_OFF 10 /* byte */
#define WEFT_HOME_SQ_CQN_MASK 0x000000ffffff0000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_PD_LSB 104 /* bit in the struct:  */
#define WEFT_HOME_SQ_PD_WIDTH 24
#define WEFT_HOME_SQ_PD_OFF 13 /* byte */
#define WEFT_HOME_SQ_PD_MASK 0xffffff0000000000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_FIRST_LSB 128 /* bit in the struct: offset of the first FPDU: phase of the markers */
#define WEFT_HOME_SQ_FIRST_WIDTH 16
#define WEFT_HOME_SQ_FIRST_OFF 16 /* byte */
#define WEFT_HOME_SQ_FIRST_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_HOME_SQ_SQ_INDEX_LSB 144 /* bit in the struct: next WQE to send */
#define WEFT_HOME_SQ_SQ_INDEX_WIDTH 16
#define WEFT_HOME_SQ_SQ_INDEX_OFF 18 /* byte */
#define WEFT_HOME_SQ_SQ_INDEX_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_MSS_LSB 160 /* bit in the struct: bytes of a segment, options taken off */
#define WEFT_HOME_SQ_MSS_WIDTH 16
#define WEFT_HOME_SQ_MSS_OFF 20 /* byte */
#define WEFT_HOME_SQ_MSS_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_ORD_LSB 176 /* bit in the struct:  */
#define WEFT_HOME_SQ_ORD_WIDTH 8
#define WEFT_HOME_SQ_ORD_OFF 22 /* byte */
#define WEFT_HOME_SQ_ORD_MASK 0x00ff000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_IRD_LSB 184 /* bit in the struct:  */
#define WEFT_HOME_SQ_IRD_WIDTH 8
#define WEFT_HOME_SQ_IRD_OFF 23 /* byte */
#define WEFT_HOME_SQ_IRD_MASK 0xff00000000000000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_OFF_LSB 192 /* bit in the struct: offset of the next FPDU */
#define WEFT_HOME_SQ_OFF_WIDTH 64
#define WEFT_HOME_SQ_OFF_OFF 24 /* byte */
#define WEFT_HOME_SQ_OFF_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_SQ_UNA_LSB 256 /* bit in the struct: acknowledged up to */
#define WEFT_HOME_SQ_UNA_WIDTH 64
#define WEFT_HOME_SQ_UNA_OFF 32 /* byte */
#define WEFT_HOME_SQ_UNA_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_SQ_LIMIT_LSB 320 /* bit in the struct: FPDUs may end here */
#define WEFT_HOME_SQ_LIMIT_WIDTH 64
#define WEFT_HOME_SQ_LIMIT_OFF 40 /* byte */
#define WEFT_HOME_SQ_LIMIT_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_SQ_SEND_MSN_LSB 384 /* bit in the struct: MSN of the next Send, first 1 */
#define WEFT_HOME_SQ_SEND_MSN_WIDTH 32
#define WEFT_HOME_SQ_SEND_MSN_OFF 48 /* byte */
#define WEFT_HOME_SQ_SEND_MSN_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_SQ_READ_MSN_LSB 416 /* bit in the struct: MSN of the next Read Request, first 1 */
#define WEFT_HOME_SQ_READ_MSN_WIDTH 32
#define WEFT_HOME_SQ_READ_MSN_OFF 52 /* byte */
#define WEFT_HOME_SQ_READ_MSN_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_PORT_LSB 448 /* bit in the struct: port of the card */
#define WEFT_HOME_SQ_PORT_WIDTH 8
#define WEFT_HOME_SQ_PORT_OFF 56 /* byte */
#define WEFT_HOME_SQ_PORT_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_HOME_SQ_FN_LSB 456 /* bit in the struct: function of the host */
#define WEFT_HOME_SQ_FN_WIDTH 8
#define WEFT_HOME_SQ_FN_OFF 57 /* byte */
#define WEFT_HOME_SQ_FN_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_HOME_SQ_ERR_INDEX_LSB 464 /* bit in the struct: WQE that failed, if ERR; if ERR_ANY: its kind, 0 any, 1 Write, 2 Send, 3 Read */
#define WEFT_HOME_SQ_ERR_INDEX_WIDTH 16
#define WEFT_HOME_SQ_ERR_INDEX_OFF 58 /* byte */
#define WEFT_HOME_SQ_ERR_INDEX_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_ERR_STATUS_LSB 480 /* bit in the struct: enum wc_status, if ERR or ERR_ANY */
#define WEFT_HOME_SQ_ERR_STATUS_WIDTH 8
#define WEFT_HOME_SQ_ERR_STATUS_OFF 60 /* byte */
#define WEFT_HOME_SQ_ERR_STATUS_MASK 0x000000ff00000000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_ERR_LSB 488 /* bit in the struct:  */
#define WEFT_HOME_SQ_ERR_WIDTH 1
#define WEFT_HOME_SQ_ERR_OFF 61 /* byte */
#define WEFT_HOME_SQ_ERR_MASK 0x0000010000000000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_ERR_ANY_LSB 489 /* bit in the struct: the oldest open WQE takes ERR_STATUS, if it is of the kind */
#define WEFT_HOME_SQ_ERR_ANY_WIDTH 1
#define WEFT_HOME_SQ_ERR_ANY_OFF 61 /* byte */
#define WEFT_HOME_SQ_ERR_ANY_MASK 0x0000020000000000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_FLUSHING_LSB 490 /* bit in the struct: from here on all are flushed */
#define WEFT_HOME_SQ_FLUSHING_WIDTH 1
#define WEFT_HOME_SQ_FLUSHING_OFF 61 /* byte */
#define WEFT_HOME_SQ_FLUSHING_MASK 0x0000040000000000ull /* in its 64-bit word */
#define WEFT_HOME_SQ_SQ_DONE_LSB 496 /* bit in the struct: next WQE to complete */
#define WEFT_HOME_SQ_SQ_DONE_WIDTH 16
#define WEFT_HOME_SQ_SQ_DONE_OFF 62 /* byte */
#define WEFT_HOME_SQ_SQ_DONE_MASK 0xffff000000000000ull /* in its 64-bit word */

/* home_mpa: line 6: where the received stream is cut (RFC 5044) */
#define WEFT_HOME_MPA_BYTES 64
#define WEFT_HOME_MPA_NEXT_LSB 0 /* bit in the struct: offset of the next FPDU's first byte, or of the marker in front of it */
#define WEFT_HOME_MPA_NEXT_WIDTH 64
#define WEFT_HOME_MPA_NEXT_OFF 0 /* byte */
#define WEFT_HOME_MPA_NEXT_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_MPA_RCV_EDGE_LSB 64 /* bit in the struct: right edge that tcp was told last */
#define WEFT_HOME_MPA_RCV_EDGE_WIDTH 64
#define WEFT_HOME_MPA_RCV_EDGE_OFF 8 /* byte */
#define WEFT_HOME_MPA_RCV_EDGE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_MPA_FIRST_LSB 128 /* bit in the struct: low bits of the offset of the connection's first FPDU: phase of the markers */
#define WEFT_HOME_MPA_FIRST_WIDTH 16
#define WEFT_HOME_MPA_FIRST_OFF 16 /* byte */
#define WEFT_HOME_MPA_FIRST_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_HOME_MPA_CRC_LSB 144 /* bit in the struct: the CRC is checked */
#define WEFT_HOME_MPA_CRC_WIDTH 1
#define WEFT_HOME_MPA_CRC_OFF 18 /* byte */
#define WEFT_HOME_MPA_CRC_MASK 0x0000000000010000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_MARKERS_LSB 145 /* bit in the struct: the peer sends markers */
#define WEFT_HOME_MPA_MARKERS_WIDTH 1
#define WEFT_HOME_MPA_MARKERS_OFF 18 /* byte */
#define WEFT_HOME_MPA_MARKERS_MASK 0x0000000000020000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_GEN_LSB 146 /* bit in the struct: generation of the pieces that are taken */
#define WEFT_HOME_MPA_GEN_WIDTH 1
#define WEFT_HOME_MPA_GEN_OFF 18 /* byte */
#define WEFT_HOME_MPA_GEN_MASK 0x0000000000040000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_FRESH_LSB 147 /* bit in the struct: no piece of this generation has come yet */
#define WEFT_HOME_MPA_FRESH_WIDTH 1
#define WEFT_HOME_MPA_FRESH_OFF 18 /* byte */
#define WEFT_HOME_MPA_FRESH_MASK 0x0000000000080000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_REFUSED_LSB 148 /* bit in the struct: rdmap refused an FPDU and has not resumed */
#define WEFT_HOME_MPA_REFUSED_WIDTH 1
#define WEFT_HOME_MPA_REFUSED_OFF 18 /* byte */
#define WEFT_HOME_MPA_REFUSED_MASK 0x0000000000100000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_DEAD_LSB 149 /* bit in the struct: a fault was reported: what comes is let go */
#define WEFT_HOME_MPA_DEAD_WIDTH 1
#define WEFT_HOME_MPA_DEAD_OFF 18 /* byte */
#define WEFT_HOME_MPA_DEAD_MASK 0x0000000000200000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_RING_LSB 150 /* bit in the struct: bytes from NEXT on, up to RING_END, lie in ring RING_ID */
#define WEFT_HOME_MPA_RING_WIDTH 1
#define WEFT_HOME_MPA_RING_OFF 18 /* byte */
#define WEFT_HOME_MPA_RING_MASK 0x0000000000400000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_FIN_LSB 151 /* bit in the struct: the stream ends at RING_END */
#define WEFT_HOME_MPA_FIN_WIDTH 1
#define WEFT_HOME_MPA_FIN_OFF 18 /* byte */
#define WEFT_HOME_MPA_FIN_MASK 0x0000000000800000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_RING_ID_LSB 160 /* bit in the struct:  */
#define WEFT_HOME_MPA_RING_ID_WIDTH 16
#define WEFT_HOME_MPA_RING_ID_OFF 20 /* byte */
#define WEFT_HOME_MPA_RING_ID_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_RING_NEED_LSB 176 /* bit in the struct: bytes from NEXT on that the next FPDU needs, as far as is known */
#define WEFT_HOME_MPA_RING_NEED_WIDTH 16
#define WEFT_HOME_MPA_RING_NEED_OFF 22 /* byte */
#define WEFT_HOME_MPA_RING_NEED_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_HOME_MPA_RING_FROM_LSB 192 /* bit in the struct: first byte that was put into the ring */
#define WEFT_HOME_MPA_RING_FROM_WIDTH 64
#define WEFT_HOME_MPA_RING_FROM_OFF 24 /* byte */
#define WEFT_HOME_MPA_RING_FROM_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_MPA_RING_END_LSB 256 /* bit in the struct: behind the last byte that is, or was last, in a ring */
#define WEFT_HOME_MPA_RING_END_WIDTH 64
#define WEFT_HOME_MPA_RING_END_OFF 32 /* byte */
#define WEFT_HOME_MPA_RING_END_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_MPA_RING_PAST_LSB 320 /* bit in the struct: behind the last byte that was in a ring before this one */
#define WEFT_HOME_MPA_RING_PAST_WIDTH 64
#define WEFT_HOME_MPA_RING_PAST_OFF 40 /* byte */
#define WEFT_HOME_MPA_RING_PAST_MASK 0xffffffffffffffffull /* in its 64-bit word */

/* home_rdmap: line 7: receive half of a QP above TCP */
#define WEFT_HOME_RDMAP_BYTES 64
#define WEFT_HOME_RDMAP_RQ_BASE_LSB 0 /* bit in the struct: bus address of the receive queue */
#define WEFT_HOME_RDMAP_RQ_BASE_WIDTH 64
#define WEFT_HOME_RDMAP_RQ_BASE_OFF 0 /* byte */
#define WEFT_HOME_RDMAP_RQ_BASE_MASK 0xffffffffffffffffull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_RQ_LOG2_LSB 64 /* bit in the struct: log2 of its entries */
#define WEFT_HOME_RDMAP_RQ_LOG2_WIDTH 4
#define WEFT_HOME_RDMAP_RQ_LOG2_OFF 8 /* byte */
#define WEFT_HOME_RDMAP_RQ_LOG2_MASK 0x000000000000000full /* in its 64-bit word */
#define WEFT_HOME_RDMAP_RQ_STRIDE_LSB 68 /* bit in the struct: enum stride */
#define WEFT_HOME_RDMAP_RQ_STRIDE_WIDTH 2
#define WEFT_HOME_RDMAP_RQ_STRIDE_OFF 8 /* byte */
#define WEFT_HOME_RDMAP_RQ_STRIDE_MASK 0x0000000000000030ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_STATE_LSB 70 /* bit in the struct: enum qp_state; RESET and RTS take FPDUs, ERR flushes */
#define WEFT_HOME_RDMAP_STATE_WIDTH 2
#define WEFT_HOME_RDMAP_STATE_OFF 8 /* byte */
#define WEFT_HOME_RDMAP_STATE_MASK 0x00000000000000c0ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_CQN_LSB 72 /* bit in the struct:  */
#define WEFT_HOME_RDMAP_CQN_WIDTH 24
#define WEFT_HOME_RDMAP_CQN_OFF 9 /* byte */
#define WEFT_HOME_RDMAP_CQN_MASK 0x00000000ffffff00ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_PD_LSB 96 /* bit in the struct:  */
#define WEFT_HOME_RDMAP_PD_WIDTH 24
#define WEFT_HOME_RDMAP_PD_OFF 12 /* byte */
#define WEFT_HOME_RDMAP_PD_MASK 0x00ffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_ACCESS_LSB 120 /* bit in the struct: enum access: rights of the QP */
#define WEFT_HOME_RDMAP_ACCESS_WIDTH 8
#define WEFT_HOME_RDMAP_ACCESS_OFF 15 /* byte */
#define WEFT_HOME_RDMAP_ACCESS_MASK 0xff00000000000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_RQ_INDEX_LSB 128 /* bit in the struct: next receive WQE to use */
#define WEFT_HOME_RDMAP_RQ_INDEX_WIDTH 16
#define WEFT_HOME_RDMAP_RQ_INDEX_OFF 16 /* byte */
#define WEFT_HOME_RDMAP_RQ_INDEX_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_IRD_LSB 144 /* bit in the struct: inbound reads whose response has not left, at most */
#define WEFT_HOME_RDMAP_IRD_WIDTH 8
#define WEFT_HOME_RDMAP_IRD_OFF 18 /* byte */
#define WEFT_HOME_RDMAP_IRD_MASK 0x0000000000ff0000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_IRQ_UNSENT_LSB 152 /* bit in the struct: inbound reads whose response has not left */
#define WEFT_HOME_RDMAP_IRQ_UNSENT_WIDTH 8
#define WEFT_HOME_RDMAP_IRQ_UNSENT_OFF 19 /* byte */
#define WEFT_HOME_RDMAP_IRQ_UNSENT_MASK 0x00000000ff000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_SEND_MSN_LSB 160 /* bit in the struct: MSN of the Send expected, first 1 */
#define WEFT_HOME_RDMAP_SEND_MSN_WIDTH 32
#define WEFT_HOME_RDMAP_SEND_MSN_OFF 20 /* byte */
#define WEFT_HOME_RDMAP_SEND_MSN_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_READ_MSN_LSB 192 /* bit in the struct: MSN of the Read Request expected, first 1 */
#define WEFT_HOME_RDMAP_READ_MSN_WIDTH 32
#define WEFT_HOME_RDMAP_READ_MSN_OFF 24 /* byte */
#define WEFT_HOME_RDMAP_READ_MSN_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_MO_LSB 224 /* bit in the struct: bytes of the current Send */
#define WEFT_HOME_RDMAP_MO_WIDTH 32
#define WEFT_HOME_RDMAP_MO_OFF 28 /* byte */
#define WEFT_HOME_RDMAP_MO_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_RR_OFF_LSB 256 /* bit in the struct: bytes of the current Read Response */
#define WEFT_HOME_RDMAP_RR_OFF_WIDTH 32
#define WEFT_HOME_RDMAP_RR_OFF_OFF 32 /* byte */
#define WEFT_HOME_RDMAP_RR_OFF_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_IRQ_UNACKED_LSB 288 /* bit in the struct: inbound reads whose response is not acknowledged */
#define WEFT_HOME_RDMAP_IRQ_UNACKED_WIDTH 16
#define WEFT_HOME_RDMAP_IRQ_UNACKED_OFF 36 /* byte */
#define WEFT_HOME_RDMAP_IRQ_UNACKED_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_STATUS_LSB 304 /* bit in the struct: enum wc_status of the first WQE that is flushed; 0: WR_FLUSH_ERR */
#define WEFT_HOME_RDMAP_STATUS_WIDTH 8
#define WEFT_HOME_RDMAP_STATUS_OFF 38 /* byte */
#define WEFT_HOME_RDMAP_STATUS_MASK 0x00ff000000000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_PORT_LSB 312 /* bit in the struct: port of the card */
#define WEFT_HOME_RDMAP_PORT_WIDTH 2
#define WEFT_HOME_RDMAP_PORT_OFF 39 /* byte */
#define WEFT_HOME_RDMAP_PORT_MASK 0x0300000000000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_PRIV_LSB 314 /* bit in the struct: STag 0 allowed */
#define WEFT_HOME_RDMAP_PRIV_WIDTH 1
#define WEFT_HOME_RDMAP_PRIV_OFF 39 /* byte */
#define WEFT_HOME_RDMAP_PRIV_MASK 0x0400000000000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_DEAD_LSB 315 /* bit in the struct: a fault or a Terminate: what comes is let go */
#define WEFT_HOME_RDMAP_DEAD_WIDTH 1
#define WEFT_HOME_RDMAP_DEAD_OFF 39 /* byte */
#define WEFT_HOME_RDMAP_DEAD_MASK 0x0800000000000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_FIRST_LSB 316 /* bit in the struct: no FPDU has come yet */
#define WEFT_HOME_RDMAP_FIRST_WIDTH 1
#define WEFT_HOME_RDMAP_FIRST_OFF 39 /* byte */
#define WEFT_HOME_RDMAP_FIRST_MASK 0x1000000000000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_REFUSED_LSB 317 /* bit in the struct: an FPDU was refused; the one at REFUSED_OFF is waited for */
#define WEFT_HOME_RDMAP_REFUSED_WIDTH 1
#define WEFT_HOME_RDMAP_REFUSED_OFF 39 /* byte */
#define WEFT_HOME_RDMAP_REFUSED_MASK 0x2000000000000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_FN_LSB 320 /* bit in the struct: function of the host */
#define WEFT_HOME_RDMAP_FN_WIDTH 8
#define WEFT_HOME_RDMAP_FN_OFF 40 /* byte */
#define WEFT_HOME_RDMAP_FN_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_READS_LSB 328 /* bit in the struct: outstanding reads of this side, in the pool on chip */
#define WEFT_HOME_RDMAP_READS_WIDTH 8
#define WEFT_HOME_RDMAP_READS_OFF 41 /* byte */
#define WEFT_HOME_RDMAP_READS_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_READ_HEAD_LSB 336 /* bit in the struct: block of the oldest one */
#define WEFT_HOME_RDMAP_READ_HEAD_WIDTH 16
#define WEFT_HOME_RDMAP_READ_HEAD_OFF 42 /* byte */
#define WEFT_HOME_RDMAP_READ_HEAD_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_READ_TAIL_LSB 352 /* bit in the struct: block of the newest one */
#define WEFT_HOME_RDMAP_READ_TAIL_WIDTH 16
#define WEFT_HOME_RDMAP_READ_TAIL_OFF 44 /* byte */
#define WEFT_HOME_RDMAP_READ_TAIL_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_ATOM_LO_LSB 368 /* bit in the struct: Atomic Responses given to qp: MSN of the last one, low half */
#define WEFT_HOME_RDMAP_ATOM_LO_WIDTH 16
#define WEFT_HOME_RDMAP_ATOM_LO_OFF 46 /* byte */
#define WEFT_HOME_RDMAP_ATOM_LO_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_REFUSED_OFF_LSB 384 /* bit in the struct: low half of an offset */
#define WEFT_HOME_RDMAP_REFUSED_OFF_WIDTH 32
#define WEFT_HOME_RDMAP_REFUSED_OFF_OFF 48 /* byte */
#define WEFT_HOME_RDMAP_REFUSED_OFF_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_ARSP_MSN_LSB 416 /* bit in the struct: Atomic Responses of the peer: MSN of the last one */
#define WEFT_HOME_RDMAP_ARSP_MSN_WIDTH 32
#define WEFT_HOME_RDMAP_ARSP_MSN_OFF 52 /* byte */
#define WEFT_HOME_RDMAP_ARSP_MSN_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_SRQN_LSB 480 /* bit in the struct: if SRQ */
#define WEFT_HOME_RDMAP_SRQN_WIDTH 16
#define WEFT_HOME_RDMAP_SRQN_OFF 60 /* byte */
#define WEFT_HOME_RDMAP_SRQN_MASK 0x0000ffff00000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_SRQ_PD_LSB 448 /* bit in the struct: if SRQ: protection domain of the receive WQEs */
#define WEFT_HOME_RDMAP_SRQ_PD_WIDTH 24
#define WEFT_HOME_RDMAP_SRQ_PD_OFF 56 /* byte */
#define WEFT_HOME_RDMAP_SRQ_PD_MASK 0x0000000000ffffffull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_SRQ_LSB 472 /* bit in the struct: receive WQEs come from a shared queue: RQ_BASE, RQ_LOG2 and RQ_STRIDE are those of that */
#define WEFT_HOME_RDMAP_SRQ_WIDTH 1
#define WEFT_HOME_RDMAP_SRQ_OFF 59 /* byte */
#define WEFT_HOME_RDMAP_SRQ_MASK 0x0000000001000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_SRQ_HAVE_LSB 473 /* bit in the struct: WQE RQ_INDEX was taken from it and is not completed */
#define WEFT_HOME_RDMAP_SRQ_HAVE_WIDTH 1
#define WEFT_HOME_RDMAP_SRQ_HAVE_OFF 59 /* byte */
#define WEFT_HOME_RDMAP_SRQ_HAVE_MASK 0x0000000002000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_SRQ_WAIT_LSB 474 /* bit in the struct: REFUSED because the shared queue was empty */
#define WEFT_HOME_RDMAP_SRQ_WAIT_WIDTH 1
#define WEFT_HOME_RDMAP_SRQ_WAIT_OFF 59 /* byte */
#define WEFT_HOME_RDMAP_SRQ_WAIT_MASK 0x0000000004000000ull /* in its 64-bit word */
#define WEFT_HOME_RDMAP_ATOM_HI_LSB 496 /* bit in the struct: ... high half */
#define WEFT_HOME_RDMAP_ATOM_HI_WIDTH 16
#define WEFT_HOME_RDMAP_ATOM_HI_OFF 62 /* byte */
#define WEFT_HOME_RDMAP_ATOM_HI_MASK 0xffff000000000000ull /* in its 64-bit word */
#define WEFT_CTX_QPN 0x0 /* QPN of the next command */
#define WEFT_CTX_ARG 0x4 /* its argument, 16 bits */
#define WEFT_CTX_CMD 0x8 /* writing it queues the command; an error when there is no place */
#define WEFT_CTX_STATUS 0xc /* bits 7:0: free places in the queue */
#define WEFT_CTX_CHUNK_LO 0x10 /* chunk of 1,024 homes: bus address, 2 MiB aligned */
#define WEFT_CTX_CHUNK_HI 0x14 /*  */
#define WEFT_CTX_CHUNK_SET 0x18 /* writing it gives (bit 31) or takes back the chunk with the number in bits 15:0: QPNs 1,024 times it and on */

/* ctx_command: CTX_CMD */
#define WEFT_CTX_COMMAND_BYTES 4
#define WEFT_CTX_COMMAND_OP_LSB 0 /* bit in the struct: enum ctx_op, or with HOME enum home_op */
#define WEFT_CTX_COMMAND_OP_WIDTH 4
#define WEFT_CTX_COMMAND_OP_OFF 0 /* byte */
#define WEFT_CTX_COMMAND_OP_MASK 0x000000000000000full /* in its 64-bit word */
#define WEFT_CTX_COMMAND_ROOMS_LSB 4 /* bit in the struct: which rooms take it: bit 0 tcp, 1 qp, 2 mpa, 3 rdmap */
#define WEFT_CTX_COMMAND_ROOMS_WIDTH 4
#define WEFT_CTX_COMMAND_ROOMS_OFF 0 /* byte */
#define WEFT_CTX_COMMAND_ROOMS_MASK 0x00000000000000f0ull /* in its 64-bit word */
#define WEFT_CTX_COMMAND_HOME_LSB 31 /* bit in the struct: the command is on the home of the connection, not for its rooms */
#define WEFT_CTX_COMMAND_HOME_WIDTH 1
#define WEFT_CTX_COMMAND_HOME_OFF 3 /* byte */
#define WEFT_CTX_COMMAND_HOME_MASK 0x0000000080000000ull /* in its 64-bit word */

/* ctx_op: commands for rooms */
#define WEFT_CTX_OP_SET_STATE 2 /* ARG as the room says */
#define WEFT_CTX_OP_DRAIN 3 /* event DRAINED when nothing of this connection is under way in the room; ARG is the token */
#define WEFT_CTX_OP_VALUE 4 /* send the bytes of the value slot ARG */
#define WEFT_CTX_OP_SET_L2 5 /* ARG is the index of the l2e entry */
#define WEFT_CTX_OP_ACK 6 /* send an ACK at once */
#define WEFT_CTX_OP_CLOSE 7 /* FIN behind what is started */
#define WEFT_CTX_OP_RESUME 8 /* room rdmap: look again whether the shared receive queue has a WQE */
#define WEFT_CTX_OP_COUNT 7
#define WEFT_CTX_OP_NAMES \
	[2] = "SET_STATE", \
	[3] = "DRAIN", \
	[4] = "VALUE", \
	[5] = "SET_L2", \
	[6] = "ACK", \
	[7] = "CLOSE", \
	[8] = "RESUME",

/* home_op: commands on homes; each is answered by event HOME_DONE */
#define WEFT_HOME_OP_CREATE 0 /* the home is written: the connection exists */
#define WEFT_HOME_OP_DESTROY 1 /* it is away or held and nobody asks for it any more: it exists no longer */
#define WEFT_HOME_OP_SAVE 2 /* it goes to its home */
#define WEFT_HOME_OP_HOLD 3 /* its frames wait until ... */
#define WEFT_HOME_OP_RELEASE 4 /* ... its home is written */
#define WEFT_HOME_OP_BUSY 5 /* an answer only: a connection that was to be saved is in use, and where it was */
#define WEFT_HOME_OP_COUNT 6
#define WEFT_HOME_OP_NAMES \
	[0] = "CREATE", \
	[1] = "DESTROY", \
	[2] = "SAVE", \
	[3] = "HOLD", \
	[4] = "RELEASE", \
	[5] = "BUSY",
#define WEFT_STEER_MAC_LO 0x2000 /* room STEER: station address, bytes 0 to 3 */
#define WEFT_STEER_MAC_HI 0x2004 /* bytes 4 and 5 */
#define WEFT_STEER_FLAGS 0x2008 /* bit 0 promiscuous, bit 1 all multicast */
#define WEFT_STEER_KEY_LO 0x2010 /* key of the lookup hash, write before the first connection */
#define WEFT_STEER_KEY_HI 0x2014 /*  */
#define WEFT_LOOK_LOCAL 0x0 /* look-up of the data path: local address of a command, network order, four words */
#define WEFT_LOOK_PEER 0x10 /* peer address */
#define WEFT_LOOK_PORTS 0x20 /* local port in bits 31:16, peer port in 15:0 */
#define WEFT_LOOK_QPN 0x24 /* bits 23:0 QPN, bit 31 IPv6 */
#define WEFT_LOOK_CMD 0x28 /* enum look_cmd: starts the command; an error while one is under way */
#define WEFT_LOOK_STATUS 0x2c /* bit 31: a command is under way; else bits 2:0 enum look_status of the last one */

/* look_cmd: commands on the look-up table */
#define WEFT_LOOK_CMD_INSERT 1 /* frames of this key are candidates of this QPN */
#define WEFT_LOOK_CMD_REMOVE 2 /*  */
#define WEFT_LOOK_CMD_COUNT 2
#define WEFT_LOOK_CMD_NAMES \
	[1] = "INSERT", \
	[2] = "REMOVE",

/* look_status: result of a look-up command */
#define WEFT_LOOK_STATUS_OK 0 /*  */
#define WEFT_LOOK_STATUS_EXISTS 1 /* INSERT: it was there */
#define WEFT_LOOK_STATUS_FULL 2 /* INSERT: no room in both buckets, behind one displacement, and in the overflow memory */
#define WEFT_LOOK_STATUS_NOT_FOUND 3 /* REMOVE: it was not there */
#define WEFT_LOOK_STATUS_COUNT 4
#define WEFT_LOOK_STATUS_NAMES \
	[0] = "OK", \
	[1] = "EXISTS", \
	[2] = "FULL", \
	[3] = "NOT_FOUND",
#define WEFT_RING_PAGE_LO 0x0 /* room RING: bus address of a page for receive rings, aligned to its size (RING_SHIFT) */
#define WEFT_RING_PAGE_HI 0x4 /* writing it gives the page to the card, until its reset; an error when STATUS has not ROOM, and then the page is not taken */
#define WEFT_RING_STATUS 0x8 /* struct ring_status */
#define WEFT_RING_SIZE 0xc /* struct ring_size: the card takes RINGS times PAGES pages; a connection gets a whole ring or none, none before its pages are there */
#define WEFT_RING_WND 0x10 /* receive window of every connection in bytes, 4,096 to what a ring has (reset value), to be written before the first connection */
#define WEFT_RING_SHIFT 0x14 /* struct ring_shift; a write of SHIFT, at most MOST and before the first page, sets RING_WND to what a ring has then, any other is an error and changes nothing */

/* ring_status: RING_STATUS */
#define WEFT_RING_STATUS_BYTES 4
#define WEFT_RING_STATUS_FREE_LSB 0 /* bit in the struct: rings that no connection has, all their pages given */
#define WEFT_RING_STATUS_FREE_WIDTH 13
#define WEFT_RING_STATUS_FREE_OFF 0 /* byte */
#define WEFT_RING_STATUS_FREE_MASK 0x0000000000001fffull /* in its 64-bit word */
#define WEFT_RING_STATUS_ROOM_LSB 30 /* bit in the struct: a page can be given */
#define WEFT_RING_STATUS_ROOM_WIDTH 1
#define WEFT_RING_STATUS_ROOM_OFF 3 /* byte */
#define WEFT_RING_STATUS_ROOM_MASK 0x0000000040000000ull /* in its 64-bit word */
#define WEFT_RING_STATUS_READY_LSB 31 /* bit in the struct: tables are cleared; before that, rooms DB, CONN, STEER, L2T, CTX and VALUE take nothing */
#define WEFT_RING_STATUS_READY_WIDTH 1
#define WEFT_RING_STATUS_READY_OFF 3 /* byte */
#define WEFT_RING_STATUS_READY_MASK 0x0000000080000000ull /* in its 64-bit word */

/* ring_size: RING_SIZE */
#define WEFT_RING_SIZE_BYTES 4
#define WEFT_RING_SIZE_RINGS_LSB 0 /* bit in the struct:  */
#define WEFT_RING_SIZE_RINGS_WIDTH 16
#define WEFT_RING_SIZE_RINGS_OFF 0 /* byte */
#define WEFT_RING_SIZE_RINGS_MASK 0x000000000000ffffull /* in its 64-bit word */
#define WEFT_RING_SIZE_PAGES_LSB 16 /* bit in the struct: of a ring */
#define WEFT_RING_SIZE_PAGES_WIDTH 16
#define WEFT_RING_SIZE_PAGES_OFF 2 /* byte */
#define WEFT_RING_SIZE_PAGES_MASK 0x00000000ffff0000ull /* in its 64-bit word */

/* ring_shift: RING_SHIFT */
#define WEFT_RING_SHIFT_BYTES 4
#define WEFT_RING_SHIFT_SHIFT_LSB 0 /* bit in the struct: pages are of 4 KiB << this; 0 behind a reset */
#define WEFT_RING_SHIFT_SHIFT_WIDTH 2
#define WEFT_RING_SHIFT_SHIFT_OFF 0 /* byte */
#define WEFT_RING_SHIFT_SHIFT_MASK 0x0000000000000003ull /* in its 64-bit word */
#define WEFT_RING_SHIFT_MOST_LSB 8 /* bit in the struct: largest SHIFT of this card; of a write it counts for nothing */
#define WEFT_RING_SHIFT_MOST_WIDTH 2
#define WEFT_RING_SHIFT_MOST_OFF 1 /* byte */
#define WEFT_RING_SHIFT_MOST_MASK 0x0000000000000300ull /* in its 64-bit word */

/* fw_ev: events from the rooms to firmware (struct fw_event) */
#define WEFT_FW_EV_RX_FAULT 1 /* a received FPDU broke a rule: CODE is the Terminate layer/type/code; HDR holds the DDP and Read headers; DATA1 bits 15:0: length of the DDP segment */
#define WEFT_FW_EV_RX_TERMINATE 2 /* a Terminate came in: HDR holds its first 46 bytes */
#define WEFT_FW_EV_RX_FIN 3 /* FIN is next in order; everything before it has been placed, or this side closes too, or nobody looks at the stream any more */
#define WEFT_FW_EV_TX_ERROR 4 /* a work request failed: CODE enum wc_status, DATA0 the WQE index; the QP's transmission stopped */
#define WEFT_FW_EV_TX_TIMEOUT 5 /* TCP gave up after MAX_RETRIES */
#define WEFT_FW_EV_DRAINED 6 /* the drain token passed; CODE is the room */
#define WEFT_FW_EV_CQ_OVERFLOW 7 /* ID is the CQN */
#define WEFT_FW_EV_ACKED 9 /* everything sent is acknowledged, after HALT; DATA0 is snd_nxt */
#define WEFT_FW_EV_TCP_RESET 10 /* the peer reset the connection */
#define WEFT_FW_EV_HOLD_OVER 11 /* what the peer sent first has been placed, and HOLD had been told of (TX_TIMEOUT with CODE 1); DATA0, DATA1: what is acknowledged */
#define WEFT_FW_EV_RX_STALLED 12 /* an FPDU stayed incomplete in a receive ring for longer than the card allows, or one that was refused kept a ring while others found none; told once, the connection goes on until firmware ends it */
#define WEFT_FW_EV_SLOT_HELD 13 /* a connection kept its slot while others waited for one, and no byte of it moved for longer than the card allows; it goes on until firmware ends it */
#define WEFT_FW_EV_SRQ_LIMIT 14 /* ID is the SRQN: fewer WQEs than its limit are left */
#define WEFT_FW_EV_SRQ_WAKE 15 /* a queue pair waits, and its shared receive queue has WQEs: RESUME */
#define WEFT_FW_EV_HOME_DONE 16 /* a command of room CTX is over: CODE bits 2:0 enum home_op, or with bit 7 set enum ctx_op of one that found no connection, or with bit 6 too of one that came back, DATA0 its ARG and from bit 16 on its ROOMS; bit 8: done */
#define WEFT_FW_EV_COUNT 15
#define WEFT_FW_EV_NAMES \
	[1] = "RX_FAULT", \
	[2] = "RX_TERMINATE", \
	[3] = "RX_FIN", \
	[4] = "TX_ERROR", \
	[5] = "TX_TIMEOUT", \
	[6] = "DRAINED", \
	[7] = "CQ_OVERFLOW", \
	[9] = "ACKED", \
	[10] = "TCP_RESET", \
	[11] = "HOLD_OVER", \
	[12] = "RX_STALLED", \
	[13] = "SLOT_HELD", \
	[14] = "SRQ_LIMIT", \
	[15] = "SRQ_WAKE", \
	[16] = "HOME_DONE",

/* fw_event: event of a room to firmware */
#define WEFT_FW_EVENT_BYTES 64
#define WEFT_FW_EVENT_KIND_LSB 0 /* bit in the struct: enum fw_ev */
#define WEFT_FW_EVENT_KIND_WIDTH 8
#define WEFT_FW_EVENT_KIND_OFF 0 /* byte */
#define WEFT_FW_EVENT_KIND_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_FW_EVENT_HDR_BYTES_LSB 8 /* bit in the struct: valid bytes of HDR */
#define WEFT_FW_EVENT_HDR_BYTES_WIDTH 8
#define WEFT_FW_EVENT_HDR_BYTES_OFF 1 /* byte */
#define WEFT_FW_EVENT_HDR_BYTES_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_FW_EVENT_CODE_LSB 16 /* bit in the struct: RX_FAULT: layer[15:12] type[11:8] code[7:0] */
#define WEFT_FW_EVENT_CODE_WIDTH 16
#define WEFT_FW_EVENT_CODE_OFF 2 /* byte */
#define WEFT_FW_EVENT_CODE_MASK 0x00000000ffff0000ull /* in its 64-bit word */
#define WEFT_FW_EVENT_ID_LSB 32 /* bit in the struct: QPN, or as KIND says */
#define WEFT_FW_EVENT_ID_WIDTH 32
#define WEFT_FW_EVENT_ID_OFF 4 /* byte */
#define WEFT_FW_EVENT_ID_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_FW_EVENT_DATA0_LSB 64 /* bit in the struct:  */
#define WEFT_FW_EVENT_DATA0_WIDTH 32
#define WEFT_FW_EVENT_DATA0_OFF 8 /* byte */
#define WEFT_FW_EVENT_DATA0_MASK 0x00000000ffffffffull /* in its 64-bit word */
#define WEFT_FW_EVENT_DATA1_LSB 96 /* bit in the struct:  */
#define WEFT_FW_EVENT_DATA1_WIDTH 32
#define WEFT_FW_EVENT_DATA1_OFF 12 /* byte */
#define WEFT_FW_EVENT_DATA1_MASK 0xffffffff00000000ull /* in its 64-bit word */
#define WEFT_FW_EVENT_HDR_LSB 128 /* bit in the struct: header bytes as on the wire, first byte in bits 7:0 */
#define WEFT_FW_EVENT_HDR_WIDTH 384
#define WEFT_FW_EVENT_HDR_OFF 16 /* byte */

/* stat: counter */
#define WEFT_STAT_tcp_tx_segments 0 /* data segments that left */
#define WEFT_STAT_tcp_tx_acks 1 /* segments without payload that left */
#define WEFT_STAT_tcp_tx_errors 2 /* segments that could not be built */
#define WEFT_STAT_tcp_retransmits 3 /* segments sent again */
#define WEFT_STAT_tcp_timeouts 4 /* retransmission time-outs */
#define WEFT_STAT_tcp_fast_retransmits 5 /* go-back-N after three duplicate ACKs */
#define WEFT_STAT_tcp_bad_acks 6 /* ACKs outside what was sent */
#define WEFT_STAT_rx_segments 7 /* segments taken in order */
#define WEFT_STAT_rx_duplicates 8 /* segments or parts that had been received before */
#define WEFT_STAT_rx_out_of_order 9 /* segments ahead of order, dropped */
#define WEFT_STAT_rx_ahead 10 /* RDMA Writes that were placed ahead of turn */
#define WEFT_STAT_rx_fpdus 11 /* FPDUs with a good CRC */
#define WEFT_STAT_rx_crc_errors 12 /* FPDUs with a bad CRC */
#define WEFT_STAT_rx_faults 13 /* FPDUs that broke a rule */
#define WEFT_STAT_rx_placed_beats 14 /* beats of payload written to host memory */
#define WEFT_STAT_tx_wqes 15 /* send WQEs started */
#define WEFT_STAT_tx_wqe_errors 16 /* malformed send WQEs */
#define WEFT_STAT_cqes 17 /* completions written */
#define WEFT_STAT_cq_overflows 18 /*  */
#define WEFT_STAT_eqes 19 /* events written */
#define WEFT_STAT_db_rejected 20 /* doorbells through a page that does not own the queue, or malformed */
#define WEFT_STAT_eth_rx_frames 21 /*  */
#define WEFT_STAT_eth_rx_drop_full 22 /* no room for the frame */
#define WEFT_STAT_eth_rx_drop_bad 23 /* FCS error, or too long or short */
#define WEFT_STAT_eth_tx_frames 24 /* to the wire */
#define WEFT_STAT_steer_rdma 25 /* frames to a connection */
#define WEFT_STAT_steer_fw 26 /* frames to firmware */
#define WEFT_STAT_steer_l2 27 /* frames to the network device */
#define WEFT_STAT_steer_drop_csum 28 /* bad checksum */
#define WEFT_STAT_steer_drop_addr 29 /* not for this station */
#define WEFT_STAT_steer_drop_full 30 /* network device or firmware had no room, or too many frames of a connection waited */
#define WEFT_STAT_l2_tx_frames 31 /*  */
#define WEFT_STAT_l2_tx_errors 32 /* bad descriptors, or host bus errors */
#define WEFT_STAT_l2_rx_frames 33 /*  */
#define WEFT_STAT_l2_rx_drop_nodesc 34 /* no receive descriptor */
#define WEFT_STAT_l2_rx_drop_long 35 /* frame longer than its buffer */
#define WEFT_STAT_pcie_reads 36 /* read requests that left */
#define WEFT_STAT_pcie_writes 37 /* posted writes that left */
#define WEFT_STAT_pcie_errors 38 /* reads that ended with an error, a time-out or an unexpected completion */
#define WEFT_STAT_tpt_misses 39 /* page list lines fetched */
#define WEFT_STAT_tpt_faults 40 /* translations refused */
#define WEFT_STAT_fw_frames_dropped 41 /* frames that firmware had no room for */
#define WEFT_STAT_fw_events 42 /* events to firmware */
#define WEFT_STAT_tcp_cut_fpdus 43 /* FPDUs that were cut to the peer's window */
#define WEFT_STAT_rx_payload_lost 44 /* segments whose payload found no place, or stood outside the window */
#define WEFT_STAT_rx_rings 45 /* receive rings taken by a connection */
#define WEFT_STAT_ctx_hits 46 /* asked for: connections that had a slot */
#define WEFT_STAT_ctx_misses 47 /* asked for: connections that had to come from their homes */
#define WEFT_STAT_ctx_evictions 48 /* connections that went to their homes for want of slots */
#define WEFT_STAT_eth_tx_own 49 /* frames to this station, which turned round inside */
#define WEFT_STAT_ctx_held 50 /* connections that kept their slot without moving while others waited for one */
#define WEFT_STAT_push_lines 51 /* doorbells in a push line of their owner, whole or torn */
#define WEFT_STAT_push_taken 52 /* pushed WQEs that were sent from there; those of the other lines were read from the ring */
#define WEFT_STAT_COUNT 53
#define WEFT_STAT_NAMES \
	[0] = "tcp_tx_segments", \
	[1] = "tcp_tx_acks", \
	[2] = "tcp_tx_errors", \
	[3] = "tcp_retransmits", \
	[4] = "tcp_timeouts", \
	[5] = "tcp_fast_retransmits", \
	[6] = "tcp_bad_acks", \
	[7] = "rx_segments", \
	[8] = "rx_duplicates", \
	[9] = "rx_out_of_order", \
	[10] = "rx_ahead", \
	[11] = "rx_fpdus", \
	[12] = "rx_crc_errors", \
	[13] = "rx_faults", \
	[14] = "rx_placed_beats", \
	[15] = "tx_wqes", \
	[16] = "tx_wqe_errors", \
	[17] = "cqes", \
	[18] = "cq_overflows", \
	[19] = "eqes", \
	[20] = "db_rejected", \
	[21] = "eth_rx_frames", \
	[22] = "eth_rx_drop_full", \
	[23] = "eth_rx_drop_bad", \
	[24] = "eth_tx_frames", \
	[25] = "steer_rdma", \
	[26] = "steer_fw", \
	[27] = "steer_l2", \
	[28] = "steer_drop_csum", \
	[29] = "steer_drop_addr", \
	[30] = "steer_drop_full", \
	[31] = "l2_tx_frames", \
	[32] = "l2_tx_errors", \
	[33] = "l2_rx_frames", \
	[34] = "l2_rx_drop_nodesc", \
	[35] = "l2_rx_drop_long", \
	[36] = "pcie_reads", \
	[37] = "pcie_writes", \
	[38] = "pcie_errors", \
	[39] = "tpt_misses", \
	[40] = "tpt_faults", \
	[41] = "fw_frames_dropped", \
	[42] = "fw_events", \
	[43] = "tcp_cut_fpdus", \
	[44] = "rx_payload_lost", \
	[45] = "rx_rings", \
	[46] = "ctx_hits", \
	[47] = "ctx_misses", \
	[48] = "ctx_evictions", \
	[49] = "eth_tx_own", \
	[50] = "ctx_held", \
	[51] = "push_lines", \
	[52] = "push_taken",
#define WEFT_PORT_STAT 0x0 /* counters, 8 bytes each, in the order of enum mac_stat */
#define WEFT_PORT_OCTETS 0x400 /* octets received, of these in good frames, sent: from destination address to FCS, 8 bytes each */
#define WEFT_PORT_CTRL 0x800 /* enum port_ctrl; 7 after reset */
#define WEFT_PORT_MAX_LEN 0x804 /* largest frame with FCS; 9,026 after reset */
#define WEFT_PORT_PAUSE 0x808 /* 15:0 quanta to ask for, 31:16 quanta between refreshes */
#define WEFT_PORT_ADDR_LO 0x80c /* station address, the source of PAUSE, bytes 0 to 3 (byte 0 in 7:0) */
#define WEFT_PORT_ADDR_HI 0x810 /* bytes 4 and 5 */
#define WEFT_PORT_STATUS 0x814 /* read only, enum port_status; 31:16 the line's rate in 100 Mb/s */
#define WEFT_PORT_CAGE 0x900 /* read only, struct port_cage */
#define WEFT_PORT_CAGE_CTRL 0x904 /* enum cage_ctrl; 0 after reset */
#define WEFT_PORT_MODULE 0x908 /* struct port_module: reads */
#define WEFT_PORT_MODULE_STATUS 0x90c /* read only, struct module_status */
#define WEFT_PORT_MODULE_DATA 0x980 /* read only: the bytes that came, byte 0 in 7:0 of the first word; behind LEN of MODULE_STATUS stands anything */
#define WEFT_MODULE_DATA_BYTES 0x80 /* the most that is read at once */

/* port_cage: a cage and its pins, debounced */
#define WEFT_PORT_CAGE_BYTES 4
#define WEFT_PORT_CAGE_KIND_LSB 0 /* bit in the struct: enum cage_kind */
#define WEFT_PORT_CAGE_KIND_WIDTH 4
#define WEFT_PORT_CAGE_KIND_OFF 0 /* byte */
#define WEFT_PORT_CAGE_KIND_MASK 0x000000000000000full /* in its 64-bit word */
#define WEFT_PORT_CAGE_PRESENT_LSB 4 /* bit in the struct: a module is in the cage */
#define WEFT_PORT_CAGE_PRESENT_WIDTH 1
#define WEFT_PORT_CAGE_PRESENT_OFF 0 /* byte */
#define WEFT_PORT_CAGE_PRESENT_MASK 0x0000000000000010ull /* in its 64-bit word */
#define WEFT_PORT_CAGE_TX_FAULT_LSB 5 /* bit in the struct: SFP: the module cannot send */
#define WEFT_PORT_CAGE_TX_FAULT_WIDTH 1
#define WEFT_PORT_CAGE_TX_FAULT_OFF 0 /* byte */
#define WEFT_PORT_CAGE_TX_FAULT_MASK 0x0000000000000020ull /* in its 64-bit word */
#define WEFT_PORT_CAGE_LOS_LSB 6 /* bit in the struct: SFP: it hears nothing */
#define WEFT_PORT_CAGE_LOS_WIDTH 1
#define WEFT_PORT_CAGE_LOS_OFF 0 /* byte */
#define WEFT_PORT_CAGE_LOS_MASK 0x0000000000000040ull /* in its 64-bit word */
#define WEFT_PORT_CAGE_ATTENTION_LSB 7 /* bit in the struct: QSFP: it has something to say */
#define WEFT_PORT_CAGE_ATTENTION_WIDTH 1
#define WEFT_PORT_CAGE_ATTENTION_OFF 0 /* byte */
#define WEFT_PORT_CAGE_ATTENTION_MASK 0x0000000000000080ull /* in its 64-bit word */
#define WEFT_PORT_CAGE_BLIND_LSB 8 /* bit in the struct: the board has no pin that tells of a module: PRESENT is 1, CHANGES says nothing */
#define WEFT_PORT_CAGE_BLIND_WIDTH 1
#define WEFT_PORT_CAGE_BLIND_OFF 1 /* byte */
#define WEFT_PORT_CAGE_BLIND_MASK 0x0000000000000100ull /* in its 64-bit word */
#define WEFT_PORT_CAGE_CHANGES_LSB 16 /* bit in the struct: times that a module came or went, modulo 2^16 */
#define WEFT_PORT_CAGE_CHANGES_WIDTH 16
#define WEFT_PORT_CAGE_CHANGES_OFF 2 /* byte */
#define WEFT_PORT_CAGE_CHANGES_MASK 0x00000000ffff0000ull /* in its 64-bit word */

/* cage_kind:  */
#define WEFT_CAGE_KIND_NONE 0 /* no cage, or none that can be read */
#define WEFT_CAGE_KIND_SFP 1 /* SFP, SFP+, SFP28: SFF-8472 */
#define WEFT_CAGE_KIND_QSFP 2 /* QSFP+, QSFP28: SFF-8636 */
#define WEFT_CAGE_KIND_COUNT 3
#define WEFT_CAGE_KIND_NAMES \
	[0] = "NONE", \
	[1] = "SFP", \
	[2] = "QSFP",

/* cage_ctrl: bits of PORT_CAGE_CTRL */
#define WEFT_CAGE_CTRL_TX_DISABLE 0 /* SFP: the module does not send */
#define WEFT_CAGE_CTRL_LOW_POWER 1 /* QSFP: pin LPMode */
#define WEFT_CAGE_CTRL_RESET 2 /* QSFP: pin ResetL is low */
#define WEFT_CAGE_CTRL_COUNT 3
#define WEFT_CAGE_CTRL_NAMES \
	[0] = "TX_DISABLE", \
	[1] = "LOW_POWER", \
	[2] = "RESET",

/* port_module: a read of a module's memory */
#define WEFT_PORT_MODULE_BYTES 4
#define WEFT_PORT_MODULE_OFFSET_LSB 0 /* bit in the struct: first byte */
#define WEFT_PORT_MODULE_OFFSET_WIDTH 8
#define WEFT_PORT_MODULE_OFFSET_OFF 0 /* byte */
#define WEFT_PORT_MODULE_OFFSET_MASK 0x00000000000000ffull /* in its 64-bit word */
#define WEFT_PORT_MODULE_PAGE_LSB 8 /* bit in the struct: with SELECT: is written to byte 127 before */
#define WEFT_PORT_MODULE_PAGE_WIDTH 8
#define WEFT_PORT_MODULE_PAGE_OFF 1 /* byte */
#define WEFT_PORT_MODULE_PAGE_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_PORT_MODULE_LEN_LSB 16 /* bit in the struct: bytes: 1 to MODULE_DATA_BYTES, and OFFSET + LEN at most 256; else the write fails */
#define WEFT_PORT_MODULE_LEN_WIDTH 8
#define WEFT_PORT_MODULE_LEN_OFF 2 /* byte */
#define WEFT_PORT_MODULE_LEN_MASK 0x0000000000ff0000ull /* in its 64-bit word */
#define WEFT_PORT_MODULE_ADDRESS_LSB 24 /* bit in the struct: I2C address, seven bits */
#define WEFT_PORT_MODULE_ADDRESS_WIDTH 7
#define WEFT_PORT_MODULE_ADDRESS_OFF 3 /* byte */
#define WEFT_PORT_MODULE_ADDRESS_MASK 0x000000007f000000ull /* in its 64-bit word */
#define WEFT_PORT_MODULE_SELECT_LSB 31 /* bit in the struct:  */
#define WEFT_PORT_MODULE_SELECT_WIDTH 1
#define WEFT_PORT_MODULE_SELECT_OFF 3 /* byte */
#define WEFT_PORT_MODULE_SELECT_MASK 0x0000000080000000ull /* in its 64-bit word */

/* module_status: of the last read */
#define WEFT_MODULE_STATUS_BYTES 4
#define WEFT_MODULE_STATUS_BUSY_LSB 0 /* bit in the struct: it is under way */
#define WEFT_MODULE_STATUS_BUSY_WIDTH 1
#define WEFT_MODULE_STATUS_BUSY_OFF 0 /* byte */
#define WEFT_MODULE_STATUS_BUSY_MASK 0x0000000000000001ull /* in its 64-bit word */
#define WEFT_MODULE_STATUS_RESULT_LSB 4 /* bit in the struct: enum module_result, when it is over */
#define WEFT_MODULE_STATUS_RESULT_WIDTH 4
#define WEFT_MODULE_STATUS_RESULT_OFF 0 /* byte */
#define WEFT_MODULE_STATUS_RESULT_MASK 0x00000000000000f0ull /* in its 64-bit word */
#define WEFT_MODULE_STATUS_LEN_LSB 8 /* bit in the struct: bytes that came */
#define WEFT_MODULE_STATUS_LEN_WIDTH 8
#define WEFT_MODULE_STATUS_LEN_OFF 1 /* byte */
#define WEFT_MODULE_STATUS_LEN_MASK 0x000000000000ff00ull /* in its 64-bit word */
#define WEFT_MODULE_STATUS_COUNT_LSB 16 /* bit in the struct: reads that were over, modulo 2^16 */
#define WEFT_MODULE_STATUS_COUNT_WIDTH 16
#define WEFT_MODULE_STATUS_COUNT_OFF 2 /* byte */
#define WEFT_MODULE_STATUS_COUNT_MASK 0x00000000ffff0000ull /* in its 64-bit word */

/* module_result:  */
#define WEFT_MODULE_RESULT_OK 0 /* all bytes are there */
#define WEFT_MODULE_RESULT_ABSENT 1 /* there is no module */
#define WEFT_MODULE_RESULT_GONE 2 /* it left in the midst */
#define WEFT_MODULE_RESULT_NO_ANSWER 3 /* nobody has that address (no acknowledge) */
#define WEFT_MODULE_RESULT_REFUSED 4 /* a byte that was written was not acknowledged */
#define WEFT_MODULE_RESULT_LOST 5 /* another master has the bus (arbitration), and kept it */
#define WEFT_MODULE_RESULT_SLOW 6 /* the clock was held low for too long */
#define WEFT_MODULE_RESULT_STUCK 7 /* SDA or SCL stay low, nine clocks did not help */
#define WEFT_MODULE_RESULT_COUNT 8
#define WEFT_MODULE_RESULT_NAMES \
	[0] = "OK", \
	[1] = "ABSENT", \
	[2] = "GONE", \
	[3] = "NO_ANSWER", \
	[4] = "REFUSED", \
	[5] = "LOST", \
	[6] = "SLOW", \
	[7] = "STUCK",

/* port_ctrl: bits of PORT_CTRL */
#define WEFT_PORT_CTRL_RX 0 /* receive */
#define WEFT_PORT_CTRL_TX 1 /* transmit */
#define WEFT_PORT_CTRL_PAUSE_RX 2 /* obey PAUSE */
#define WEFT_PORT_CTRL_PAUSE_TX 3 /* send PAUSE */
#define WEFT_PORT_CTRL_LOOP 4 /* what is sent comes back behind the codecs; the line sees idle */
#define WEFT_PORT_CTRL_COUNT 5
#define WEFT_PORT_CTRL_NAMES \
	[0] = "RX", \
	[1] = "TX", \
	[2] = "PAUSE_RX", \
	[3] = "PAUSE_TX", \
	[4] = "LOOP",

/* port_status: bits of PORT_STATUS */
#define WEFT_PORT_STATUS_LINK 0 /*  */
#define WEFT_PORT_STATUS_LOCAL_FAULT 1 /*  */
#define WEFT_PORT_STATUS_REMOTE_FAULT 2 /*  */
#define WEFT_PORT_STATUS_PAUSED 3 /* a PAUSE of the partner is obeyed */
#define WEFT_PORT_STATUS_COUNT 4
#define WEFT_PORT_STATUS_NAMES \
	[0] = "LINK", \
	[1] = "LOCAL_FAULT", \
	[2] = "REMOTE_FAULT", \
	[3] = "PAUSED",

/* mac_stat: counter of a MAC (RFC 2819, RFC 3635; docs/mac.md) */
#define WEFT_MAC_STAT_rx_pkts 0 /* frames, bad ones too */
#define WEFT_MAC_STAT_rx_ok 1 /* good frames */
#define WEFT_MAC_STAT_rx_ucast 2 /* good, to one station */
#define WEFT_MAC_STAT_rx_mcast 3 /* good, to a group */
#define WEFT_MAC_STAT_rx_bcast 4 /* good, to all */
#define WEFT_MAC_STAT_rx_crc_err 5 /* FCS or code error, of a length that is allowed */
#define WEFT_MAC_STAT_rx_code_err 6 /* error from the PHY inside, or no terminate */
#define WEFT_MAC_STAT_rx_undersize 7 /* below 64, FCS good */
#define WEFT_MAC_STAT_rx_fragment 8 /* below 64, FCS bad */
#define WEFT_MAC_STAT_rx_oversize 9 /* above PORT_MAX_LEN, FCS good */
#define WEFT_MAC_STAT_rx_jabber 10 /* above PORT_MAX_LEN, FCS bad */
#define WEFT_MAC_STAT_rx_64 11 /* by length, bad ones too */
#define WEFT_MAC_STAT_rx_65_127 12 /*  */
#define WEFT_MAC_STAT_rx_128_255 13 /*  */
#define WEFT_MAC_STAT_rx_256_511 14 /*  */
#define WEFT_MAC_STAT_rx_512_1023 15 /*  */
#define WEFT_MAC_STAT_rx_1024_1518 16 /*  */
#define WEFT_MAC_STAT_rx_1519_up 17 /*  */
#define WEFT_MAC_STAT_rx_ctrl 18 /* good MAC control */
#define WEFT_MAC_STAT_rx_pause 19 /* PAUSE */
#define WEFT_MAC_STAT_rx_unknown_op 20 /* MAC control that is not PAUSE */
#define WEFT_MAC_STAT_rx_cut 21 /* no room towards the core */
#define WEFT_MAC_STAT_rx_preamble 22 /* start without a delimiter, false carrier */
#define WEFT_MAC_STAT_tx_pkts 23 /* sent, PAUSE included */
#define WEFT_MAC_STAT_tx_ucast 24 /*  */
#define WEFT_MAC_STAT_tx_mcast 25 /*  */
#define WEFT_MAC_STAT_tx_bcast 26 /*  */
#define WEFT_MAC_STAT_tx_64 27 /* by length */
#define WEFT_MAC_STAT_tx_65_127 28 /*  */
#define WEFT_MAC_STAT_tx_128_255 29 /*  */
#define WEFT_MAC_STAT_tx_256_511 30 /*  */
#define WEFT_MAC_STAT_tx_512_1023 31 /*  */
#define WEFT_MAC_STAT_tx_1024_1518 32 /*  */
#define WEFT_MAC_STAT_tx_1519_up 33 /*  */
#define WEFT_MAC_STAT_tx_pause 34 /*  */
#define WEFT_MAC_STAT_tx_link_drop 35 /* lost to a fault, or transmission off */
#define WEFT_MAC_STAT_tx_store_drop 36 /* cut off by a reset, or too long for the store */
#define WEFT_MAC_STAT_tx_reset 37 /* swallowed while the MAC was in reset */
#define WEFT_MAC_STAT_local_fault 38 /* times it began */
#define WEFT_MAC_STAT_remote_fault 39 /* times it began */
#define WEFT_MAC_STAT_rec_lost 40 /* frames that are missing in all of these */
#define WEFT_MAC_STAT_COUNT 41
#define WEFT_MAC_STAT_NAMES \
	[0] = "rx_pkts", \
	[1] = "rx_ok", \
	[2] = "rx_ucast", \
	[3] = "rx_mcast", \
	[4] = "rx_bcast", \
	[5] = "rx_crc_err", \
	[6] = "rx_code_err", \
	[7] = "rx_undersize", \
	[8] = "rx_fragment", \
	[9] = "rx_oversize", \
	[10] = "rx_jabber", \
	[11] = "rx_64", \
	[12] = "rx_65_127", \
	[13] = "rx_128_255", \
	[14] = "rx_256_511", \
	[15] = "rx_512_1023", \
	[16] = "rx_1024_1518", \
	[17] = "rx_1519_up", \
	[18] = "rx_ctrl", \
	[19] = "rx_pause", \
	[20] = "rx_unknown_op", \
	[21] = "rx_cut", \
	[22] = "rx_preamble", \
	[23] = "tx_pkts", \
	[24] = "tx_ucast", \
	[25] = "tx_mcast", \
	[26] = "tx_bcast", \
	[27] = "tx_64", \
	[28] = "tx_65_127", \
	[29] = "tx_128_255", \
	[30] = "tx_256_511", \
	[31] = "tx_512_1023", \
	[32] = "tx_1024_1518", \
	[33] = "tx_1519_up", \
	[34] = "tx_pause", \
	[35] = "tx_link_drop", \
	[36] = "tx_store_drop", \
	[37] = "tx_reset", \
	[38] = "local_fault", \
	[39] = "remote_fault", \
	[40] = "rec_lost",

#endif
