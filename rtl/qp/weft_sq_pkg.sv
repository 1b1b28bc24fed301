// SPDX-License-Identifier: BSD-2-Clause

/// Types inside the send queue of the data path (weft_sq). Slots, lanes, buffers and log
/// records have their widest form here; modules cut them to their parameters.
package weft_sq_pkg;

  /// What intake finds out about a WQE.
  typedef struct packed {
    logic [3:0]  status;     ///< weft_abi wc_status: 0 when well formed
    logic [3:0]  op;         ///< weft_abi sq_opcode
    logic        signaled;
    logic        solicited;
    logic        inl;
    logic        rfence;
    logic        lfence;
    logic [3:0]  num_sge;
    logic [31:0] len;        ///< operations on STags: the STag
  } digest_t;

  /// What a message is made of.
  localparam logic [2:0] SelNone = 3'd0;  ///< no payload
  localparam logic [2:0] SelSge  = 3'd1;  ///< SGEs of a WQE
  localparam logic [2:0] SelInl  = 3'd2;  ///< in-line bytes of a WQE
  localparam logic [2:0] SelRead = 3'd3;  ///< Read Request or Atomic Request of a WQE
  localparam logic [2:0] SelResp = 3'd4;  ///< inbound read
  localparam logic [2:0] SelVal  = 3'd5;  ///< value slot
  localparam logic [2:0] SelInv  = 3'd6;  ///< no FPDU: an operation on an STag (mo); op: weft_abi sq_opcode
  localparam logic [2:0] SelAtom = 3'd7;  ///< inbound atomic: its result

  /// Payload of an Atomic Response (RFC 7306 5.2.2): identifier of the request, value before.
  localparam int unsigned AtomBytes = 12;

  /// Payload of a Read Request (RFC 5040 4.4) and of an Atomic Request (RFC 7306 5.2.1): both one segment.
  localparam int unsigned ReadReqBytes = 28;
  localparam int unsigned AtomReqBytes = 52;
  localparam int unsigned AtomLen = 8;  ///< what an atomic answers (RFC 7306 5.1): LENGTH of its WQE

  /// Operations of an Atomic Request (RFC 7306 5.2.1).
  localparam logic [3:0] AtomFetchAdd = 4'd0;
  localparam logic [3:0] AtomCmpSwap  = 4'd2;

  /// A WQE that is answered: a Read or an atomic; op: weft_abi sq_opcode.
  function automatic logic is_atomic(input logic [3:0] op);
    is_atomic = op == 4'(weft_abi_pkg::SQ_OPCODE_FETCH_ADD) || op == 4'(weft_abi_pkg::SQ_OPCODE_CMP_SWAP);
  endfunction
  function automatic logic is_asked(input logic [3:0] op);
    is_asked = op == 4'(weft_abi_pkg::SQ_OPCODE_READ) || is_atomic(op);
  endfunction
  /// Bytes of its request.
  function automatic logic [15:0] asked_len(input logic [3:0] op);
    asked_len = is_atomic(op) ? 16'(AtomReqBytes) : 16'(ReadReqBytes);
  endfunction

  /// Payload of Immediate Data (RFC 7306 6.3): 4 zero bytes and what the WQE says, big endian.
  localparam int unsigned ImmBytes = 8;

  /// Kind of a log record.
  localparam logic [1:0] KindSq   = 2'd0;
  localparam logic [1:0] KindResp = 2'd1;
  localparam logic [1:0] KindVal  = 2'd2;

  // ---------------------------------------------------------------- items of the build pipe
  localparam logic [2:0] ItWqe   = 3'd0;  ///< digest of a WQE: an FPDU of it, if it is next
  localparam logic [2:0] ItResp  = 3'd1;  ///< an inbound read: an FPDU of its response
  localparam logic [2:0] ItTouch = 3'd2;  ///< tcp or cmpl has news
  localparam logic [2:0] ItCmd   = 3'd3;  ///< arg: ctx_op_e in bits 19:16, its argument below
  localparam logic [2:0] ItErr   = 3'd4;  ///< an FPDU could not be made: data in the side register
  localparam logic [2:0] ItLoad  = 3'd5;  ///< line 4 is in the side register
  localparam logic [2:0] ItSave  = 3'd6;
  localparam logic [2:0] ItInv   = 3'd7;  ///< an operation on an STag is answered (d.status): the WQE is in index

  typedef struct packed {
    logic [2:0]  kind;
    logic        sob;        ///< first item of a batch
    logic        eob;        ///< last one: it carries the token back
    logic [6:0]  lane;       ///< ItWqe
    logic [12:0] ref_no;     ///< ItWqe: line of the WQE buffers; ItResp: entry
    logic [15:0] index;      ///< ItWqe: index of the WQE; ItResp: low bits of its number
    digest_t     d;          ///< ItWqe; ItResp: len, and RdAtomResp in op if it is one; ItCmd: argument in len
  } item_t;

  // ---------------------------------------------------------------- records
  /// Fields of line 4 that never change while a connection is home.
  typedef struct packed {
    logic [23:0] qpn;
    logic [1:0]  port;
    logic [7:0]  fn;
    logic        crc;
    logic        markers;
    logic        priv;
    logic [23:0] pd;
    logic [15:0] first;
    logic [7:0]  ord;
  } bcfg_t;

  /// Where the ring lies.
  typedef struct packed {
    logic [63:0] base;
    logic [3:0]  log2;
    logic [1:0]  stride;
    logic [7:0]  ird;
  } fcfg_t;

  typedef struct packed {
    logic [23:0] qpn;
    logic [1:0]  port;
    logic [7:0]  fn;
    logic [23:0] cqn;
    logic [3:0]  log2;
  } ccfg_t;

  /// What tcp said last.
  typedef struct packed {
    logic [63:0] una;
    logic [63:0] limit;
    logic [15:0] mss;
    logic [47:0] edt;
    logic        dead;
  } word_t;

  /// Build: everything that moves with the send offset.
  typedef struct packed {
    logic [63:0] off;        ///< next FPDU
    logic [31:0] room;       ///< bytes up to the limit
    logic [31:0] need;       ///< room that was missing; 0: something else was
    logic [15:0] cur;        ///< next WQE, or the one under way
    logic [15:0] rcur;       ///< number of the next inbound read, or of the one under way
    logic        mid;        ///< a message of the send queue is under way
    logic        rmid;       ///< a read response is
    logic [31:0] mo;         ///< payload of it that was described
    logic [3:0]  mop;        ///< of the send queue: weft_abi sq_opcode,
    logic        msol;       ///< whether it is solicited,
    logic [31:0] mlen;       ///< and its length, as they were when it began
    logic [15:0] pay;        ///< payload of its full FPDUs
    logic [31:0] msn;        ///< its MSN
    logic [15:0] mulpdu;
    logic [15:0] mss;
    logic [31:0] send_msn;
    logic [31:0] read_msn;
    logic [15:0] log_new;    ///< records written, free running
    logic [12:0] log_blk;    ///< record of the message under way
    logic [12:0] log_nxt;    ///< record of the next message, already ours
    logic [7:0]  rd_issued;  ///< Read Requests described, free running
    logic [7:0]  rd_last;    ///< ... when the newest Read was, of this count; atomics alone behind it: how many were answered then
    logic [1:0]  state;
    logic        hold;
    logic        stopped;
    logic [1:0]  gen;
    logic        swait;      ///< the send queue waits for news
    logic        rwait;      ///< inbound reads do
    logic        over;       ///< the turn of this batch is used up
    logic [15:0] turn;       ///< bytes of this batch
    logic [15:0] seg;        ///< bytes of the segment that the last FPDU would be in
    logic        val;        ///< a value is to be sent
    logic [15:0] val_arg;
    logic        err;        ///< err_idx failed
    logic        err_any;    ///< the oldest open WQE takes any_status, if it is of any_kind
    logic [15:0] err_idx;
    logic [3:0]  err_status; ///< of err_idx
    logic [1:0]  any_kind;
    logic [3:0]  any_status;
    logic [63:0] cut;        ///< stopped: offset at which it stopped
    logic        own;        ///< WQEs of it are begun and not completed
    logic        drain;      ///< DRAINED is to be said
    logic [15:0] drain_arg;
    logic        inv;        ///< the newest WQE is an operation on an STag that is not answered
    logic        rsv;        ///< changes when the record is used that no WQE may have; the same in cmpl: it is free
  } bctx_t;

  // any_kind: what kind of WQE it is.
  localparam logic [1:0] PeerAny   = 2'd0;
  localparam logic [1:0] PeerWrite = 2'd1;
  localparam logic [1:0] PeerSend  = 2'd2;
  localparam logic [1:0] PeerRead  = 2'd3;

  /// What the others see of build.
  typedef struct packed {
    logic [15:0] cur;
    logic [15:0] log_new;
    logic [12:0] log_nxt;
    logic [1:0]  state;
    logic        swait;
    logic        stopped;
    logic        err;
    logic        err_any;
    logic [15:0] err_idx;
    logic [3:0]  err_status;
    logic [1:0]  any_kind;
    logic [3:0]  any_status;
    logic [63:0] cut;        ///< stopped: what ends behind it was not sent
    logic [1:0]  gen;
    logic        mid;        ///< in the middle of a message of the send queue
    logic        inv;        ///< WQE cur - 1 is an operation on an STag that is not answered
  } bview_t;

  /// What build sees of cmpl.
  typedef struct packed {
    logic [15:0] log_done;
    logic [7:0]  rd_done;
    logic [15:0] sq;         ///< next WQE to complete
    logic        rsv;        ///< as in build: changes when that record is given back
  } cview_t;

  // ---------------------------------------------------------------- log
  typedef struct packed {
    logic [12:0] next;       ///< record of the message behind it, when there is one
    logic [1:0]  kind;
    logic [3:0]  op;         ///< weft_abi sq_opcode; KindResp: RdAtomResp, or 0
    logic        common;     ///< beyond its connection's own records
    logic        rsv;        ///< the own one that no WQE may have
    logic        signaled;
    logic [15:0] index;      ///< WQE, number of the inbound read, value
    logic [12:0] ref_no;     ///< KindResp: entry
    logic [31:0] len;        ///< operations on STags: the STag
    logic [31:0] msn;
    logic [15:0] pay;
    logic [63:0] start;
  } rec_t;

  typedef struct packed {
    logic        done;
    logic [63:0] stop;       ///< offset behind the message, if done
  } fin_t;

  // ---------------------------------------------------------------- operations on STags
  /// An STag that a connection registers or binds, or closes behind all descriptions up to number `behind`.
  typedef struct packed {
    logic [11:0] slot;
    logic [23:0] qpn;
    logic [23:0] pd;
    logic [31:0] stag;
    logic [15:0] wqe;
    logic [15:0] behind;
    logic         reg_mr;    ///< this,
    logic         bind_mw;   ///< or this: the following count
    logic [63:0]  base;
    logic [255:0] list;      ///< weft_abi sqe_reg, sqe_bind
  } inv_t;

  /// One that is acknowledged: nobody needs the STag any more.
  typedef struct packed {
    logic [11:0] slot;
    logic [23:0] qpn;
    logic [31:0] stag;
    logic        mark;       ///< comes back
  } inv_end_t;

  // ---------------------------------------------------------------- build to emit
  typedef struct packed {
    logic        tok;        ///< a batch ends here
    logic        tresp;      ///< of inbound reads
    logic [6:0]  lane;
    logic [15:0] tcur;       ///< next WQE (inbound read) after it
    logic        tblk;       ///< it has to wait: give up the turn
    logic        ord;        ///< there is an FPDU
    logic [2:0]  sel;
    logic [12:0] ref_no;
    logic [3:0]  num_sge;
    logic [11:0] slot;
    logic [23:0] qpn;
    logic [9:0]  link;
    logic [63:0] off;
    logic [15:0] bytes;
    logic [15:0] len;
    logic [3:0]  op;
    logic        last;
    logic        is_tagged;
    logic [1:0]  qn;
    logic [31:0] msn;
    logic [31:0] mo;
    logic        raw;
    logic        joins;
    logic [1:0]  gen;
    logic        crc;
    logic        markers;
    logic [15:0] first;
    logic [15:0] wqe;
    logic [47:0] edt;
    logic [23:0] pd;
    logic        priv;
    logic        again;      ///< replay; the following count
    logic [3:0]  ask_id;
    logic [63:0] from;
    logic [63:0] to;
  } order_t;

  /// FPDUs of one message: 2^32 - 1 bytes, 116 in a tagged FPDU of the least size.
  localparam int unsigned FpdusW = 26;

  /// Payload of a full FPDU comes from this: MULPDU of a segment (RFC 5044 4.5, 5.1; 14 or 18 bytes of it are
  /// header). It never comes below that of FPDU_LEAST; a segment that is smaller still holds parts of one (firmware makes no such connection).
  function automatic logic [15:0] mulpdu_of(logic [15:0] mss, logic markers);
    logic [15:0] m, least;
    least = 16'(weft_abi_pkg::FPDU_LEAST);
    m = {mss[15:2], 2'b00} - (markers ? 16'(8'((17'(mss) + 17'd511) >> 9)) << 2 : 16'd0);
    mulpdu_of = (mss < least + 16'(weft_abi_pkg::MARKER_BYTES)) ? least - 16'd6 : (m > 16'd16384) ? 16'd16378 : m - 16'd6;
  endfunction

  /// Bytes of an FPDU on the wire: length field, DDP header (14 tagged, 18 untagged), payload, pad, CRC, and markers:
  /// one wherever the stream, counted from the first FPDU, is at a multiple of 512 (RFC 5044 4.1, 4.3).
  /// phase: (offset - first) / 4 mod 128. Good up to 16,384 bytes.
  function automatic logic [15:0] wire_of(logic is_tagged, logic [15:0] len, logic markers, logic [6:0] phase);
    logic [13:0] words, ahead, x;
    logic [6:0]  to_go;
    words = 14'(((17'(len) + 17'd3) >> 2) + (is_tagged ? 17'd5 : 17'd6));
    to_go = 7'd0 - phase;
    ahead = {7'd0, to_go};
    x     = words - ahead - 14'd1;
    // floor(x / 127) for x < 16,256
    wire_of = {words, 2'b00};
    if (markers && words > ahead) wire_of = wire_of + {7'd0, 7'((x + (x >> 7) + 14'd1) >> 7) + 7'd1, 2'b00};
  endfunction

endpackage
