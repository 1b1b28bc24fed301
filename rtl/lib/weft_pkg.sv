// SPDX-License-Identifier: BSD-2-Clause

/// Types that cross room boundaries inside the core. Hardware layouts that host software sees are
/// in weft_abi_pkg (generated from abi/weft.abi). All numbers are host order unless said otherwise.
///
/// Byte streams (every `*_data/_cnt/_last` port group): byte 0 of the packet in bits [7:0]
/// (lane 0); `cnt` is the number of valid bytes of the beat, DATA_W/8 on every beat but the last;
/// an empty packet is one beat with cnt 0 and last 1; `err`, where present, is valid with last.
package weft_pkg;

  // ---------------------------------------------------------------- PCIe, inside the TLP engine

  /// DMA read request of one client. Data comes back on the same client's response stream, in
  /// request order, as one lane-0-aligned packet per request.
  typedef struct packed {
    logic        after_wr;  ///< leave only after all writes accepted so far
    logic [15:0] len;       ///< bytes, 1 to 16384
    logic [63:0] addr;      ///< bus address, any alignment
  } dma_rd_req_t;

  /// DMA write header, stable with every beat of its packet.
  typedef struct packed {
    logic [15:0] len;   ///< bytes, 1 to 16384: the length of the packet
    logic [63:0] addr;  ///< bus address, any alignment
  } dma_wr_hdr_t;

  // ---------------------------------------------------------------- Configuration bus

  typedef struct packed {
    logic        we;
    logic [27:0] addr;   ///< byte address, word aligned: room << 22 | offset
    logic [31:0] wdata;
  } cfg_req_t;

  typedef struct packed {
    logic        err;    ///< no such register
    logic [31:0] rdata;
  } cfg_rsp_t;

  // ---------------------------------------------------------------- Translation

  /// Access that a translation asks for; bit numbers of weft_abi access.
  typedef struct packed {
    logic [31:0] stag;
    logic [63:0] to;
    logic [15:0] len;      ///< 1 to 16384; zero-length accesses are never translated
    logic [7:0]  access;   ///< all of these rights are needed
    logic [23:0] pd;
    logic [15:0] qpn;
    logic        priv;     ///< STag 0 (physical addresses) allowed
    logic        recovery; ///< of what was sent before: an STag that is CLOSED serves it
  } xlate_req_t;

  /// Why a translation failed; first that applies, in this order.
  typedef enum logic [3:0] {
    XlOk     = 4'd0,
    XlStag   = 4'd1,  ///< unknown, key mismatch, not valid
    XlPd     = 4'd2,  ///< other PD or other QP
    XlAccess = 4'd3,  ///< right missing
    XlWrap   = 4'd4,  ///< TO + length wraps 64 bits
    XlBounds = 4'd5,
    XlBus    = 4'd6,  ///< page list not readable or too short
    XlInv    = 4'd7   ///< operations only: this STag cannot be invalidated
  } xl_err_e;

  /// One physically contiguous piece of a translated access; pieces in order, `last` on the final
  /// one. An error piece has len 0 and is the last.
  typedef struct packed {
    logic [63:0] addr;
    logic [15:0] len;
    logic        last;
    xl_err_e     err;
  } xlate_rsp_t;

  // ---------------------------------------------------------------- Transmit

  /// RDMAP opcodes (RFC 5040 Fig 4, RFC 7306 4).
  typedef enum logic [3:0] {
    RdWrite     = 4'd0,
    RdReadReq   = 4'd1,
    RdReadResp  = 4'd2,
    RdSend      = 4'd3,
    RdSendInv   = 4'd4,
    RdSendSe    = 4'd5,
    RdSendSeInv = 4'd6,
    RdTerminate = 4'd7,
    RdImm       = 4'd8,
    RdImmSe     = 4'd9,
    RdAtomReq   = 4'd10,
    RdAtomResp  = 4'd11
  } rdmap_op_e;

  // ---------------------------------------------------------------- Receive

  /// What the parser knows of a frame; sent once the whole frame has arrived.
  typedef struct packed {
    logic         ipv6;
    logic         ip_ok;       ///< IP header well formed, header checksum good, not a fragment
    logic         l4_ok;       ///< TCP or UDP checksum good
    logic         tcp;
    logic         udp;
    logic         vlan;
    logic [15:0]  vlan_tci;
    logic         mcast;
    logic         bcast;
    logic [47:0]  dmac;        ///< byte 0 in bits 7:0
    logic [127:0] saddr;       ///< network order: first byte on the wire in bits 7:0
    logic [127:0] daddr;
    logic [15:0]  sport;
    logic [15:0]  dport;
    logic [31:0]  seq;
    logic [31:0]  ack;
    logic [8:0]   flags;       ///< TCP: NS CWR ECE URG ACK PSH RST SYN FIN, FIN in bit 0
    logic [15:0]  wnd;         ///< as on the wire
    logic [7:0]   hdr_len;     ///< bytes before the TCP payload
    logic [15:0]  payload_len; ///< TCP payload by the IP length, frame padding left out
    logic [15:0]  frame_len;
    logic         ip;          ///< the frame holds a whole IPv4 packet with 20 bytes of header or more, or IPv6 one; fragments and options too
  } rx_meta_t;

  // ---------------------------------------------------------------- Completions and events

  typedef struct packed {
    logic [15:0] cqn;
    logic [15:0] qpn;
    logic [7:0]  opcode;    ///< weft_abi wc_opcode
    logic [7:0]  status;    ///< weft_abi wc_status
    logic [15:0] index;
    logic [31:0] bytes;
    logic [31:0] inv_stag;
    logic [31:0] vendor_err;
    logic        solicited;
  } cqe_req_t;

  /// Event for host software: a whole EQE without its phase bit.
  typedef struct packed {
    logic [7:0]   eqn;
    logic [511:0] eqe;
  } eqe_req_t;

  /// Event for firmware: weft_abi fw_event.
  typedef logic [511:0] fw_ev_t;

endpackage
