// SPDX-License-Identifier: BSD-2-Clause

/// Types inside the receiving side of RDMAP on the data path (weft_rdmap_in).
package weft_rdmap_pkg;

  localparam int unsigned BufW = 8;  ///< number of a buffer of receive WQEs, up to 256
  localparam int unsigned BlkW = 12; ///< number of an outstanding read in the pool
  localparam int unsigned Burst = 4;  ///< items of a context's list that come back at once
  localparam int unsigned BurstW = $clog2(Burst + 1);

  /// Items of the check pipe. All concern one slot and keep their order in it.
  typedef enum logic [3:0] {
    KFpdu    = 4'd0,
    KStored  = 4'd1,   ///< a range of the stream is in the receive ring
    KState   = 4'd2,   ///< OpSetState
    KDrain   = 4'd3,   ///< OpDrain
    KLoad    = 4'd4,
    KSave    = 4'd5,
    KTxRead  = 4'd6,   ///< a Read of this side left
    KFree    = 4'd7,   ///< inbound reads: responses left, were acknowledged
    KCame    = 4'd8,   ///< a read of receive WQEs is in
    KLook    = 4'd9,   ///< look at the doorbell: fetch or flush; brings a free buffer
    KReclaim = 4'd10,  ///< give buffers back that nobody waits for
    KDead    = 4'd11,  ///< a placement failed; brings a pin
    KFlush   = 4'd12,  ///< all that came before the state ERR has retired
    KOther   = 4'd13,  ///< a command that this room does not know: nothing but its pin
    KLate    = 4'd14   ///< an atomic has waited long enough in its context's list
  } kind_e;

  typedef struct packed {
    kind_e        kind;
    logic [23:0]  qpn;
    logic         unpark;  ///< it comes from the context's list, of which it is the first when its turn comes
    logic [511:0] d;
  } item_t;
  localparam int unsigned ItemW = 4 + 24 + 1 + 512;

  typedef struct packed {
    logic [63:0]  off;
    logic [15:0]  len;      ///< on the wire
    logic [11:0]  handle;
    logic [15:0]  ulpdu;
    logic         ahead;
    logic         pinned;
    logic         kept;     ///< out of the receive ring
    logic [3:0]   fault;
    logic [367:0] head;
  } fpdu_t;
  localparam int unsigned FpduW = 64 + 16 + 12 + 16 + 3 + 4 + 368;

  typedef struct packed {
    logic [15:0]     here;   ///< all before it have arrived
    logic            none;   ///< the shared queue has none, or its order could not be read: `here` does not count
    logic [BufW-1:0] bufn;
  } came_t;
  localparam int unsigned CameW = 16 + 1 + BufW;

  typedef struct packed {
    logic [15:0] rq;
    logic [7:0]  status;
  } dead_t;
  localparam int unsigned DeadW = 16 + 8;

  typedef struct packed {
    logic [23:0] qpn;
    logic [11:0] slot;
  } who_t;

  /// Outstanding read or atomic of this side.
  typedef struct packed {
    logic        atomic;
    logic [31:0] stag;
    logic [63:0] to;
    logic [31:0] len;   ///< atomic: identifier of the request
  } read_t;
  localparam int unsigned ReadW = 129;

  /// A read of receive WQEs: entries from `here` on, up to `limit`, into one buffer.
  typedef struct packed {
    logic [11:0]     slot;
    logic [23:0]     qpn;
    logic [63:0]     base;
    logic [3:0]      log2;
    logic [1:0]      stride;
    logic [15:0]     here;
    logic [15:0]     limit;
    logic            pop;    ///< the next one that this shared queue has, instead of `here`
    logic [15:0]     srqn;
    logic [BufW-1:0] bufn;
  } fetch_t;
  localparam int unsigned FetchW = 12 + 24 + 64 + 4 + 2 + 16 + 16 + 1 + 16 + BufW;

  /// What is known of a receive WQE.
  typedef struct packed {
    logic [7:0]  status;  ///< weft_abi wc_status
    logic [31:0] len;
  } digest_t;

  typedef enum logic [2:0] {
    WkNone  = 3'd0,
    WkTag   = 3'd1,  ///< one access: STag and TO
    WkSend  = 3'd2,  ///< SGEs of a receive WQE
    WkProbe = 3'd3,  ///< first and last byte of an inbound read's source
    WkAtom  = 3'd4   ///< an atomic: 8 bytes that are read and written, with what the packet says
  } walk_e;

  /// To placement, in the order of the check pipe; one for each ret_t.
  typedef struct packed {
    who_t            who;
    logic            fresh;   ///< first one of this stay in the slot: forget what it held before
    walk_e           kind;
    logic            has;     ///< a packet of the FPDU store to read and to free
    logic [11:0]     handle;
    logic [7:0]      start;
    logic [15:0]     len;
    logic            front;   ///< ahead of turn: that it fails is nothing, it is judged in its turn
    logic            swap;    ///< the payload is a number, big endian on the wire and little endian in memory (WkTag, 8 bytes)
    logic            inv;     ///< behind its accesses: invalidate `stag`
    logic [31:0]     stag;
    logic [63:0]     to;
    logic [31:0]     size;    ///< WkProbe: bytes; WkSend: bytes of the message before these
    logic [7:0]      access;
    logic [23:0]     pd;
    logic [23:0]     inv_pd;  ///< of the QP, whose peer invalidates; `pd` may be that of a shared receive queue
    logic            priv;
    logic [BufW+5:0] wqe;     ///< word of the WQE's header
    logic [3:0]        free;  ///< buffers of receive WQEs to give back behind this
    logic [4*BufW-1:0] frees;
  } walk_t;
  localparam int unsigned WalkW =
      36 + 1 + 3 + 1 + 12 + 8 + 16 + 1 + 1 + 1 + 32 + 64 + 32 + 8 + 24 + 24 + 1 + BufW + 6 + 4 + 4 * BufW;

  typedef enum logic [3:0] {
    RGone    = 4'd0,  ///< nothing but a pin and a credit
    RFpdu    = 4'd1,
    RStored  = 4'd2,
    RFault   = 4'd3,
    RRefuse  = 4'd4,
    RResume  = 4'd5,
    RDrain   = 4'd6,
    RFlush   = 4'd7,  ///< completion of a receive that is flushed
    RBarrier = 4'd8,  ///< comes back as KFlush
    RFin     = 4'd9,  ///< the stream ends in good order
    RAhead   = 4'd10  ///< a Write ahead of turn: mpa hears of it when it is placed, nobody else
  } ret_e;

  /// Waits for its turn to retire.
  typedef struct packed {
    who_t         who;
    ret_e         kind;
    logic         pinned;
    logic [63:0]  from;
    logic [63:0]  to;
    logic         now;
    logic         first;
    logic [3:0]   op;
    logic         done;     ///< a message ends; RStored: it was placed before
    logic [15:0]  code;
    logic [1:0]   hdrs;     ///< headers of the Terminate: 0 none, 1 DDP, 2 DDP and Read Request
    logic [15:0]  ulpdu;
    logic [15:0]  index;    ///< receive WQE in front; RDrain: token
    logic         srq;      ///< it was taken from a shared queue: nobody flushes it but who retires it
    logic [31:0]  bytes;    ///< of a message; Atomic Request: MSN of its response
    logic [7:0]   status;
    logic [23:0]  cqn;
    logic [1:0]   port;
    logic [7:0]   fn;
    logic [367:0] head;
  } ret_t;
  localparam int unsigned RetW =
      36 + 4 + 1 + 64 + 64 + 2 + 4 + 1 + 16 + 2 + 16 + 16 + 1 + 32 + 8 + 24 + 2 + 8 + 368;

  /// Outcome of a placement.
  typedef struct packed {
    logic        dead;   ///< one of the slot failed before
    logic        waits;  ///< for the last beat to be accepted
    logic [3:0]  err;    ///< weft_pkg::xl_err_e, ErrAlign
    logic        inv;    ///< an invalidation ended it: err is of that
    logic [15:0] seq;    ///< inv without err: its closing, as in weft_tpt
    logic [63:0] old;    ///< of an atomic without err: the value before
  } result_t;
  localparam int unsigned ResultW = 1 + 1 + 4 + 1 + 16 + 64;
  localparam logic [3:0] ErrAlign = 4'd15;  ///< an atomic whose 8 bytes are not aligned; no weft_pkg::xl_err_e

  /// Terminate codes (RFC 5040 4.8, RFC 5041 7, RFC 5044 8): layer 4, error type 4, error code 8.
  localparam logic [15:0] TermLocal      = 16'h0000;
  localparam logic [15:0] TermPlacement  = 16'h1000;  ///< DDP: local catastrophic error
  localparam logic [15:0] TermShort      = 16'h1000;  ///< ULPDU shorter than its DDP header: no RFC code
  localparam logic [15:0] TermMpaLost    = 16'h2001;  ///< the stream ended inside an FPDU: no Terminate can say it
  localparam logic [15:0] TermMpaCrc     = 16'h2002;
  localparam logic [15:0] TermMpaMarker  = 16'h2003;
  localparam logic [15:0] TermTagStag    = 16'h1100;
  localparam logic [15:0] TermTagBounds  = 16'h1101;
  localparam logic [15:0] TermTagPd      = 16'h1102;
  localparam logic [15:0] TermTagWrap    = 16'h1103;
  localparam logic [15:0] TermTagVersion = 16'h1104;
  localparam logic [15:0] TermQn         = 16'h1201;
  localparam logic [15:0] TermNoBuffer   = 16'h1202;
  localparam logic [15:0] TermMsn        = 16'h1203;
  localparam logic [15:0] TermMo         = 16'h1204;
  localparam logic [15:0] TermTooLong    = 16'h1205;
  localparam logic [15:0] TermUntVersion = 16'h1206;
  localparam logic [15:0] TermRdStag     = 16'h0100;
  localparam logic [15:0] TermRdBounds   = 16'h0101;
  localparam logic [15:0] TermRdAccess   = 16'h0102;
  localparam logic [15:0] TermRdPd       = 16'h0103;
  localparam logic [15:0] TermRdWrap     = 16'h0104;
  localparam logic [15:0] TermInv        = 16'h0109;  ///< this STag cannot be invalidated
  localparam logic [15:0] TermRdVersion  = 16'h0205;
  localparam logic [15:0] TermOpcode     = 16'h0206;
  localparam logic [15:0] TermStream     = 16'h0207;

  localparam int unsigned ImmBytes = 8;  ///< payload of Immediate Data (RFC 7306 6.3)

  localparam int unsigned AtomBytes = 8;      ///< what an atomic reads and writes (RFC 7306 5.1)
  localparam int unsigned AtomHdrBytes = 52;  ///< Atomic Request (RFC 7306 5.2.1): all its payload
  localparam int unsigned AtomRspStart = 24;  ///< of the value in a packet: ULPDU_Length, DDP header, identifier
  localparam int unsigned AtomRspBytes = 12;  ///< Atomic Response (RFC 7306 5.2.2): identifier, value before
  localparam int unsigned ReadHdrBytes = 28;  ///< Read Request (RFC 5040 4.4), the same
  localparam int unsigned UntHdrBytes = 18;   ///< untagged DDP header in front of both

  /// Operations of an Atomic Request (RFC 7306 5.2.1).
  localparam logic [3:0] AtomFetchAdd = 4'd0;
  localparam logic [3:0] AtomCmpSwap  = 4'd2;

  localparam logic [1:0] HdrNone = 2'd0;
  localparam logic [1:0] HdrDdp  = 2'd1;
  localparam logic [1:0] HdrRead = 2'd2;

  /// Network order fields of a header: byte 0 in bits 7:0 becomes the most significant.
  function automatic logic [31:0] be32(input logic [31:0] x);
    be32 = {x[7:0], x[15:8], x[23:16], x[31:24]};
  endfunction
  function automatic logic [63:0] be64(input logic [63:0] x);
    be64 = {be32(x[31:0]), be32(x[63:32])};
  endfunction

endpackage
