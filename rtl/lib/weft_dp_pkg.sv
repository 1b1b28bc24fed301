// SPDX-License-Identifier: BSD-2-Clause

/// Types of every crossing of the data path (docs/datapath.md). One struct a crossing; a port
/// is `x_valid`, `x_ready` and one of these. Numbers are host order. Stream offsets count bytes from
/// the first byte after the SYN (ISS + 1) and never wrap.
package weft_dp_pkg;

  localparam int unsigned QpnW  = 24;  ///< QPN, as in abi/
  localparam int unsigned CqnW  = 24;
  localparam int unsigned SlotW = 12;  ///< slot number, up to 4,096 slots
  localparam int unsigned MissW = 6;   ///< fills under way
  localparam int unsigned HndW  = 12;  ///< first block of a packet in a weft_pkt_store
  localparam int unsigned LenW  = 16;  ///< bytes of a frame, segment, FPDU or read

  // ---------------------------------------------------------------- who

  /// A connection that is home: what everything in flight carries, with a pin on its slot.
  typedef struct packed {
    logic [23:0] qpn;
    logic [11:0] slot;
  } who_t;

  /// Port of the card and function of the host that a thing belongs to.
  typedef struct packed {
    logic [1:0] port;
    logic [7:0] fn;
  } link_t;

  // ---------------------------------------------------------------- ctx

  typedef enum logic [1:0] {
    NeedFrame = 2'd0,
    NeedSend  = 2'd1,  ///< doorbell, inbound read, more of the same
    NeedTimer = 2'd2,
    NeedFw    = 2'd3
  } need_e;

  typedef enum logic [1:0] {
    HaveNone   = 2'd0,  ///< no such connection
    HaveComing = 2'd1,  ///< wait for `arrive` of this miss
    HaveHome   = 2'd2,  ///< a pin is taken
    HaveBusy   = 2'd3   ///< all misses are taken: ask again later, or let it go
  } have_e;

  typedef struct packed {
    logic        resume;  ///< frames only: one that was parked for this connection's miss
    logic [23:0] qpn;
  } need_t;

  typedef struct packed {
    have_e       state;
    logic [23:0] qpn;
    logic [11:0] slot;  ///< HaveHome
    logic [5:0]  miss;  ///< HaveComing
  } have_t;

  /// Broadcast when all rooms have taken the lines of a fill.
  typedef struct packed {
    who_t       who;
    logic [5:0] miss;
    logic       frames;  ///< frames wait for it: the look-up answers `resumed` when it has sent them on
    logic       ok;      ///< 0: the home could not be read; the connection is gone
  } arrive_t;

  /// Gives a connection's lines back to its home; nothing of it is under way.
  typedef struct packed {
    who_t       who;
    logic [1:0] tag;     ///< comes back with the lines
  } save_t;

  /// A line on its way between ctx and a room, one beat of 512 bits.
  typedef struct packed {
    who_t         who;
    logic [1:0]   tag;   ///< of the save; 0 in a fill
    logic [2:0]   line;  ///< 0 to 7: bytes 64 * line of the home
    logic [511:0] data;
  } line_t;

  /// Commands on a context: items in the order of everything else that concerns it.
  typedef enum logic [3:0] {
    OpLoad     = 4'd0,  ///< lines follow
    OpSave     = 4'd1,  ///< give the lines out, forget the slot
    OpSetState = 4'd2,
    OpDrain    = 4'd3,  ///< answer when nothing of this connection is under way in the room
    OpValue    = 4'd4,  ///< send the bytes of the value slot (Terminate, MPA reply)
    OpSetL2    = 4'd5,
    OpAck      = 4'd6,  ///< send an ACK at once
    OpClose    = 4'd7,  ///< FIN behind what is started, sent again like data
    OpResume   = 4'd8   ///< rdmap: look at the shared receive queue again
  } ctx_op_e;

  typedef struct packed {
    who_t        who;
    ctx_op_e     op;
    logic [15:0] arg;   ///< state, value slot, L2 index; OpDrain: token
  } ctx_cmd_t;

  /// What a room tells firmware of a connection; mgmt makes a weft_abi fw_event of it.
  typedef struct packed {
    logic [23:0]  qpn;
    logic [7:0]   kind;       ///< weft_abi fw_ev
    logic [15:0]  code;
    logic [31:0]  data0;
    logic [31:0]  data1;
    logic [7:0]   hdr_bytes;  ///< valid bytes of hdr
    logic [367:0] hdr;        ///< first byte in bits 7:0
  } ctx_ev_t;

  /// The earliest deadline of a connection, or that it has none.
  typedef struct packed {
    logic [23:0] qpn;
    logic        on;
    logic [63:0] at;          ///< ns
  } tmr_t;

  // ---------------------------------------------------------------- eth to tcp

  typedef struct packed {
    logic [31:0] left;   ///< sequence number of the first byte
    logic [31:0] right;  ///< behind the last byte
  } sack_t;

  /// A received segment with its place in the frame store; checksums are good.
  typedef struct packed {
    who_t         who;
    logic [3:0]   cand;      ///< which candidate of the look-up this is; falsehit gives it back
    logic [11:0]  handle;
    logic [7:0]   start;     ///< bytes before the TCP payload
    logic [15:0]  len;       ///< payload bytes
    logic [31:0]  seq;
    logic [31:0]  ack;
    logic [15:0]  wnd;       ///< as on the wire
    logic [8:0]   flags;     ///< NS CWR ECE URG ACK PSH RST SYN FIN
    logic [1:0]   ecn;       ///< of the IP header
    logic         ts;        ///< a timestamp option was there
    logic [31:0]  ts_val;
    logic [31:0]  ts_ecr;
    logic [2:0]   n_sack;    ///< 0 to 4
    logic [255:0] sack;      ///< sack_t each, first block in bits 63:0
    logic         ipv6;
    logic         vlan;
    logic [11:0]  vid;
    logic [127:0] saddr;
    logic [127:0] daddr;
    logic [15:0]  sport;
    logic [15:0]  dport;
    logic         body;      ///< 0: the frame store was full; there is no handle, and the payload counts as lost
    logic         ours;      ///< the local port is the card's; falsehit gives these back
    logic [3:0]   pri;       ///< PCP and DEI of the VLAN tag
    logic [15:0]  frame_len;
  } rx_seg_t;

  // ---------------------------------------------------------------- tcp, mpa: receive

  /// Bytes of the stream: a piece of a segment in the frame store.
  typedef struct packed {
    who_t        who;
    logic        gen;      ///< of unaccept; pieces of the other one are let go
    logic [63:0] off;
    logic [15:0] len;      ///< 0 only with fin
    logic [11:0] handle;
    logic [15:0] start;    ///< first byte in the frame, plus what was cut in front
    logic        ahead;    ///< not next in order
    logic        aligned;  ///< the peer promises ALIGNED: what begins at a multiple of four bytes from the first FPDU is an FPDU
    logic        fin;      ///< the stream ends behind it
  } piece_t;

  /// Bytes [from, to) are placed or stored. Of one connection they come in the order of the stream, but for
  /// those ahead of turn. Latest value of a slot wins: rdmap's ticket list merges what touches.
  typedef struct packed {
    who_t        who;
    logic [63:0] from;
    logic [63:0] to;
    logic        ahead;    ///< a range for SACK: it may not be acknowledged yet
    logic        now;      ///< it ends a message: acknowledge at once
    logic        first;    ///< first FPDU of the connection: ends HOLD
    logic        fin;      ///< the stream ends at `to`, and all of it was placed
  } commit_t;

  /// Pages of receive rings are of 4 KiB << shift, up to this one: 64 of them are 2 MiB.
  localparam int unsigned RingShiftMax = 3;

  /// Right edge of what may be received, monotone: the only source of the window that is advertised.
  typedef struct packed {
    who_t        who;
    logic [63:0] edge_off;
  } rcv_room_t;

  /// rdmap cannot take an FPDU now (no receive buffer in an SRQ, no block for an inbound read): mpa lets it and all behind it
  /// go, and the connection receives through its ring until `resume`.
  typedef struct packed {
    who_t        who;
    logic [63:0] off;
    logic [1:0]  cause;
  } refuse_t;

  /// Bytes from `off` on, those ahead of turn included, were dropped though they were accepted: forget them, flip gen.
  typedef struct packed {
    who_t        who;
    logic        gen;      ///< of the pieces that were dropped
    logic [63:0] off;
  } unaccept_t;

  /// A whole FPDU whose length, markers and CRC are good, in the FPDU store.
  typedef struct packed {
    who_t         who;
    logic [63:0]  off;     ///< of its first byte
    logic [11:0]  handle;
    logic [15:0]  ulpdu;   ///< ULPDU_Length
    logic         ahead;   ///< only a Write may be placed; nothing is delivered
    logic         pinned;  ///< carries the pin of its piece
    logic         kept;    ///< it is out of the receive ring: refused, it and what is behind it stay there
    logic [3:0]   fault;   ///< mpa_fault_e; else 0
    logic [367:0] head;    ///< first 46 bytes of the ULPDU, first byte in bits 7:0
  } rx_fpdu_t;

  typedef enum logic [3:0] {
    MpaOk      = 4'd0,
    MpaCrc     = 4'd1,
    MpaMarker  = 4'd2,
    MpaLength  = 4'd3,  ///< shorter than a DDP header, or longer than allowed
    MpaRing    = 4'd5,  ///< bytes of the receive ring cannot be had again
    MpaFin     = 4'd4   ///< no fault: the stream ends at `off`, `ulpdu` bytes into an FPDU (0: in good order)
  } mpa_fault_e;

  // ---------------------------------------------------------------- qp and tcp: send

  /// What tcp tells qp: two offsets and what they allow.
  typedef struct packed {
    who_t        who;
    logic [63:0] una;      ///< all before it is acknowledged
    logic [63:0] limit;    ///< FPDUs may end here; with nothing in flight it allows one FPDU at least
    logic [15:0] mss;      ///< bytes of a segment, options taken off
    logic [47:0] edt;      ///< earliest departure, ns; 0: none
    logic        dead;     ///< TCP gave up, or was reset
  } txack_t;

  /// Bytes that are wanted again (or for the first time, when they did not leave): [from, to).
  typedef struct packed {
    who_t        who;
    logic [63:0] from;
    logic [63:0] to;
    logic [3:0]  id;       ///< returned in the description
    logic        probe;    ///< tail loss or window probe
  } ask_t;

  typedef enum logic [2:0] {
    SrcNone   = 3'd0,
    SrcMem    = 3'd1,  ///< translated host memory
    SrcInline = 3'd2,  ///< next packet of the in-line stream
    SrcValue  = 3'd3   ///< logged by value: MPA, RTR, Terminate, atomic results
  } src_e;

  /// One FPDU to make. Its payload pieces follow on the source port.
  typedef struct packed {
    who_t        who;
    link_t       link;
    logic [63:0] off;      ///< stream offset of its first byte
    logic [15:0] len;      ///< payload bytes of the DDP segment
    logic [63:0] from;     ///< what of it is wanted: all, or a part
    logic [63:0] to;
    logic [3:0]  op;       ///< RDMAP opcode (RFC 5040 Fig 4, RFC 7306)
    logic        last;     ///< DDP L
    logic        is_tagged;
    logic [31:0] stag;     ///< tagged: STag; Send with Invalidate: the STag to invalidate
    logic [63:0] to_addr;  ///< tagged: TO
    logic [1:0]  qn;       ///< untagged: queue number
    logic [31:0] msn;
    logic [31:0] mo;
    logic        raw;      ///< no FPDU: bytes of the value slot as they are (MPA reply)
    logic        joins;     ///< may share the segment of the FPDU before it
    logic        psh;
    logic        again;    ///< retransmission, or an ask
    logic [3:0]  ask_id;
    logic        fresh;    ///< read the source after all writes accepted so far
    logic        resp;     ///< read response: a part of it leaves from a scratch page only
    logic [1:0]  gen;      ///< send generation: raised when an FPDU could not be made; older ones are let go
    logic        crc;
    logic        markers;
    logic [63:0] first;    ///< offset of the connection's first FPDU: marker phase
    logic [15:0] wqe;      ///< index, returned in errors
    logic [47:0] edt;
  } tx_fpdu_t;

  /// A piece of an FPDU's payload.
  typedef struct packed {
    src_e        kind;
    logic        last;
    logic [31:0] stag;
    logic [63:0] to;
    logic [15:0] len;
    logic [7:0]  access;
    logic [23:0] pd;
    logic        priv;
  } tx_src_t;

  /// All that departure reads of a slot: written by the conn pipe in its last stage.
  typedef struct packed {
    logic         open;      ///< segments may leave; 0: what comes for this slot is let go
    logic [31:0]  seq0;      ///< sequence number of offset 0 (ISS + 1)
    logic [31:0]  rcv_nxt;   ///< ACK field: everything before it is placed or stored
    logic [31:0]  edge_seq;  ///< right edge of the window, never moves back
    logic [3:0]   wscale;    ///< of the window that is advertised
    logic [63:0]  limit;     ///< nothing beyond it leaves, but for a probe
    logic [15:0]  mss;       ///< bytes of a segment, options taken off
    logic [1:0]   gen;       ///< send generation that may leave
    logic         ts;        ///< timestamps are on
    logic [31:0]  ts_off;    ///< added to the clock in TSval
    logic [31:0]  ts_recent;
    logic         ece;
    logic         cwr;
    logic [1:0]   n_sack;    ///< 0 to 3
    logic [191:0] sack;      ///< sack_t each, newest in bits 63:0
  } dep_view_t;

  /// Framed bytes on their way to the slicer: beside the byte stream, with its first beat.
  typedef struct packed {
    who_t        who;
    link_t       link;
    logic [63:0] off;
    logic [15:0] bytes;    ///< of the framed FPDU; fixed before the payload has come
    logic [63:0] from;
    logic [63:0] to;
    logic        joins;
    logic        psh;
    logic        again;
    logic [3:0]  ask_id;
    logic        resp;
    logic        void_fpdu;  ///< no bytes: it could not be made; nothing of this generation leaves from off on
    logic [1:0]  gen;
    logic [47:0] edt;
  } framed_t;

  /// A segment left.
  typedef struct packed {
    who_t        who;
    logic [63:0] off;
    logic [15:0] len;
    logic        again;    ///< some of it had left before
    logic [3:0]  ask_id;
    logic        ask_done;  ///< all of the ask has left
    logic        ack_only;
    logic        fin;
    logic        cut;      ///< what was built behind off + len did not leave: ask for it
    logic        cwr;      ///< it carried CWR
    logic        unsent;   ///< nothing left (an ACK rides, rode, or may not leave; no bytes): acked, edge_seq say nothing
    logic [1:0]  gen;
    logic [31:0] acked;     ///< ACK field that it carried
    logic [31:0] edge_seq;  ///< right edge of the window that it advertised
    logic [47:0] at;        ///< when, ns
  } departed_t;

  /// What tcp wants sent without bytes. DueAck may ride on a segment with bytes that leaves first. The rest goes by itself.
  typedef enum logic [2:0] {
    DueAck   = 3'd0,
    DuePure  = 3'd1,  ///< an ACK that must have no bytes: a duplicate ACK (RFC 5681), a challenge ACK (RFC 5961)
    DueFin   = 3'd2,  ///< FIN at off, the end of the stream; it counts as the byte at off
    DueRst   = 3'd3,  ///< RST at off, also when the view is not open
    DueProbe = 3'd4   ///< ACK with sequence number off: keep-alive and window probe without bytes say una - 1
  } due_e;

  typedef struct packed {
    who_t        who;
    due_e        kind;
    logic [63:0] off;      ///< DueFin, DueRst, DueProbe
  } ackdue_t;

  /// An FPDU that could not be made.
  typedef struct packed {
    who_t        who;
    logic [63:0] off;       ///< the first byte of it that was wanted
    logic [15:0] wqe;
    logic        resp;
    logic [3:0]  err;       ///< weft_pkg::xl_err_e, 15: a WQE that does not agree with its log record
  } txerr_t;

  // ---------------------------------------------------------------- rdmap and qp

  /// An inbound Read Request or Atomic Request that passed all checks.
  typedef struct packed {
    who_t        who;
    logic [31:0] sink_stag; ///< atomic: identifier of the request
    logic [63:0] sink_to;
    logic [31:0] len;
    logic [31:0] src_stag;  ///< atomic: MSN of its response
    logic [63:0] src_to;
    logic        atomic;    ///< executed; of the rest the identifier, the MSN and the result count
    logic [63:0] result;    ///< atomic: the value before
  } rx_read_t;

  /// A Read or atomic of this side that left for the first time.
  typedef struct packed {
    who_t        who;
    logic [31:0] sink_stag;
    logic [63:0] sink_to;
    logic [31:0] len;       ///< atomic: identifier of the request
    logic [15:0] wqe;
    logic        inv;       ///< invalidate the sink when the response is placed
    logic        atomic;
  } tx_read_t;

  /// The oldest Read of a connection has its response; or no response of it is written to the host any more.
  typedef struct packed {
    who_t        who;
    logic [7:0]  status;    ///< weft_abi wc_status
    logic [31:0] bytes;
    logic        quiet;     ///< the state ERR was given, and what was under way before has retired; `status` and `bytes` do not count
  } read_done_t;

  // ---------------------------------------------------------------- tpt

  /// An access, or a part of one, to be translated.
  typedef struct packed {
    who_t        who;
    logic [31:0] stag;
    logic [63:0] to;
    logic [15:0] len;       ///< 1 to 16384; zero-length accesses are never translated
    logic [7:0]  access;
    logic [23:0] pd;
    logic        priv;
    logic        recovery;  ///< sent before: an STag that is closed to new work still serves it
    logic        fresh;     ///< read after all writes accepted so far
    logic [1:0]  kind;      ///< class of its epoch: access, fill and write-back, ring, completion
  } tpt_req_t;

  typedef struct packed {
    logic [63:0] addr;
    logic [15:0] len;
    logic        last;
    logic [3:0]  err;       ///< weft_pkg::xl_err_e
    logic [1:0]  epoch;
  } tpt_rsp_t;

  typedef enum logic [2:0] {
    StagInv     = 3'd0,  ///< local invalidate begins
    StagRemInv  = 3'd1,  ///< Send with Invalidate
    StagReg     = 3'd2,  ///< fast register
    StagBind    = 3'd3,  ///< bind a window, or, length 0, unbind it: PBL is its first byte, PBL_COUNT the STag of the region, BASE the first TO
    StagInvEnd  = 3'd5   ///< what a local invalidate closed is over: earlier work is acknowledged
  } stag_op_e;

  /// Operation on an STag in the order of the stream that asks.
  typedef struct packed {
    who_t         who;
    stag_op_e     op;
    logic [31:0]  stag;
    logic [23:0]  pd;
    logic [15:0]  wqe;
    logic [511:0] entry;   ///< StagReg, StagBind: what it becomes
  } stag_op_t;

  // ---------------------------------------------------------------- cq

  typedef struct packed {
    link_t       link;
    logic [23:0] cqn;
    logic [23:0] qpn;
    logic [7:0]  opcode;     ///< weft_abi wc_opcode
    logic [7:0]  status;     ///< weft_abi wc_status
    logic [15:0] index;
    logic [31:0] bytes;
    logic [31:0] inv_stag;
    logic [31:0] imm;        ///< 0 without has_imm
    logic        has_imm;
    logic [31:0] vendor_err;
    logic        solicited;
  } cqe_t;

endpackage
