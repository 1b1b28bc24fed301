// SPDX-License-Identifier: BSD-2-Clause
`ifndef WEFT_QP_PKG_SV
`define WEFT_QP_PKG_SV

/// Types inside room qp. Types of other packages are plain vectors here, because Yosys resolves them in
/// modules only. Every record has one writer; the others read a view of it. Views are
/// levels, not messages: a writer stores the record first and wakes the readers' ready set in the
/// same cycle or later, so nothing is ever lost and nobody waits for anybody.
/// Counters of the inbound read queue and of outstanding reads run freely modulo 256.
package weft_qp_pkg;

  // ---------------------------------------------------------------- static fields of ctx_tx
  typedef struct packed {
    logic [63:0] base;
    logic [3:0]  log2;
    logic [1:0]  stride;  ///< weft_abi stride
  } cfg_fetch_t;

  typedef struct packed {
    logic [1:0]  stride;
    logic        crc;
    logic        priv;
    logic [23:0] pd;
    logic [7:0]  ord;
    logic [15:0] mulpdu;
  } cfg_build_t;

  typedef struct packed {
    logic [15:0] mss;
    logic [3:0]  wscale;  ///< 0 to 14
  } cfg_ack_t;

  typedef struct packed {
    logic [15:0] cqn;
    logic [3:0]  log2;
  } cfg_cmpl_t;

  // ---------------------------------------------------------------- build
  typedef enum logic [1:0] {
    SelNone = 2'd0,
    SelSq   = 2'd1,  ///< a WQE
    SelResp = 2'd2,  ///< an inbound read
    SelVal  = 2'd3   ///< the value slot (Terminate)
  } sel_e;

  typedef enum logic [1:0] {
    ValNone = 2'd0,
    ValWait = 2'd1,  ///< asked for, not sent
    ValSent = 2'd2
  } val_e;

  /// The send pointer and all that moves with it. Writer: build.
  typedef struct packed {
    // position: the message under way, and where in it
    sel_e        pos;       ///< SelNone: between messages
    logic [31:0] off;       ///< payload bytes of it that are behind the pointer
    logic [3:0]  sge;       ///< SGE of the next byte ...
    logic [31:0] sge_off;   ///< ... and offset in it; may be beyond its end after a rewind
    logic [31:0] snd_nxt;
    logic [31:0] snd_max;   ///< end of what was ever sent
    // send queue: records exist for [completed, sq_new)
    logic [15:0] cur;       ///< WQE at the pointer
    logic [15:0] sq_new;    ///< first WQE that was never started
    logic [7:0]  epoch;     ///< raised when cur jumps: fetched WQEs of an older epoch do not count
    // inbound reads: records exist for [acknowledged, r_new)
    logic [7:0]  r_cur;
    logic [7:0]  r_new;
    sel_e        open;      ///< the newest record of this kind has no end yet
    logic        last_resp; ///< the last new message was a read response: the send queue is next
    logic [31:0] send_msn;
    logic [31:0] read_msn;
    logic [7:0]  rd_issued; ///< Read Requests sent, free running
    // value slot
    val_e        val;
    logic [7:0]  val_slot;
    logic [6:0]  val_len;
    logic [31:0] val_seq;
    // others
    logic [7:0]  rew_seen;  ///< last rewind of ack that was followed
    logic [31:0] sk_una;    ///< snd_una for which the pointer was last looked up
    logic        probe;     ///< one FPDU may go whatever the window
    logic        blocked;   ///< the window keeps something back
    logic        stopped;   ///< an error; nothing but the value leaves until the QP is loaded
    logic        err;       ///< err_idx failed with err_status
    logic        err_any;   ///< the oldest open WQE takes err_status when the QP is flushed
    logic [15:0] err_idx;
    logic [7:0]  err_status;
    logic        owe;       ///< TX_ERROR with err_idx, err_status is owed
    logic        drain;     ///< DRAINED is owed
    logic        acked;     ///< ACKED was given in this HALT
    logic        rtt_on;    ///< rtt_seq is being timed (RFC 6298, Karn)
    logic [1:0]  rtt_gen;
    logic [31:0] rtt_seq;
    logic [31:0] rtt_time;
  } bctx_t;

  typedef struct packed {
    logic [15:0] cur;
    logic [7:0]  epoch;
    logic        stopped;
  } b2fetch_t;

  typedef struct packed {
    logic        waits;    ///< wake build when gen is not seen any more
    logic [7:0]  seen;
    logic [31:0] snd_max;
    logic        blocked;
    logic        stopped;
    logic        rtt_on;
    logic [1:0]  rtt_gen;
    logic [31:0] rtt_seq;
    logic [31:0] rtt_time;
  } b2ack_t;

  typedef struct packed {
    logic        waits;    ///< wake build when gen is not seen any more
    logic [7:0]  seen;
    logic [15:0] sq_done;  ///< WQEs before it were sent whole
    logic [7:0]  r_done;   ///< the same of inbound reads
    logic        err;
    logic        err_any;
    logic [15:0] err_idx;
    logic [7:0]  err_status;
  } b2cmpl_t;

  // ---------------------------------------------------------------- ack
  typedef struct packed {
    logic [31:0] snd_una;
    logic [31:0] win;       ///< min(cwnd, snd_wnd)
    logic [7:0]  rew_gen;   ///< raised: go back to snd_una
    logic        rew_rto;   ///< the last rewind came from the timer: one FPDU may go
    logic        dead;      ///< TCP gave up
    logic        run;       ///< the timer runs
    logic [7:0]  gen;       ///< raised with every change of the others
  } a2build_t;

  // ---------------------------------------------------------------- cmpl
  typedef struct packed {
    logic [15:0] sq_cmpl;
    logic [7:0]  irq_head;
    logic [7:0]  rd_done;
    logic [7:0]  gen;       ///< raised with every change of the others
  } c2build_t;

  // ---------------------------------------------------------------- WQE fetch
  /// WQEs that are in the slots: [lo, hi) of an epoch; cnt counts finished fetches.
  typedef struct packed {
    logic [7:0]  epoch;
    logic [15:0] lo;
    logic [15:0] hi;
    logic [7:0]  cnt;
  } avail_t;

  /// Verdict on a fetched WQE; sum folds all of its bytes.
  typedef struct packed {
    logic [7:0]  status;  ///< weft_abi wc_status, SUCCESS when well formed
    logic [31:0] sum;
  } meta_t;

  /// A fetch under way.
  typedef struct packed {
    logic [15:0] qpn;
    logic [15:0] index;   ///< first WQE
    logic [2:0]  n;       ///< WQEs, 1 to 4
    logic [1:0]  stride;
    avail_t      avail;   ///< what to publish when it is done
  } trk_t;

  // ---------------------------------------------------------------- log
  /// A started WQE, written with its first segment.
  typedef struct packed {
    logic [31:0] start;   ///< sequence number of its first FPDU
    logic [31:0] len;     ///< payload bytes (Read: the 28 bytes of the request count 0)
    logic [31:0] msn;
    logic [15:0] pay;     ///< payload of a full FPDU, latched at the first transmission
    logic [3:0]  op;      ///< weft_abi sq_opcode
    logic [31:0] sum;     ///< of meta_t: what is fetched again must agree
  } rec_t;

  /// Its end, written with its last segment: what completion needs.
  typedef struct packed {
    logic [31:0] seq_end;
    logic        signaled;
    logic [3:0]  op;
    logic [31:0] len;
  } fin_t;

  typedef struct packed {
    logic [31:0] start;
    logic [15:0] pay;
  } rrec_t;

  // ---------------------------------------------------------------- visits of build
  typedef enum logic [1:0] {
    VkRun = 2'd0,  ///< look for something to send
    VkCmd = 2'd1,  ///< command of the context room
    VkErr = 2'd2   ///< a segment could not be built
  } visit_e;

  /// Everything that build knows of a QP when it decides.
  typedef struct packed {
    visit_e      visit;
    logic [15:0] qpn;
    bctx_t       b;
    cfg_build_t  cfg;
    logic [1:0]  state;    ///< weft_abi qp_state
    logic        hold;
    logic        fetching; ///< a WQE fetch is under way
    a2build_t    a;
    c2build_t    c;
    avail_t      av;
    logic [7:0]  tail;     ///< inbound reads stored
    logic [255:0] h;       ///< slot of WQE cur: its header (weft_abi_pkg::sqe_t) ...
    meta_t       m;        ///< ... and the verdict on it
    rec_t        rec;      ///< record of cur
    rrec_t       rrec;     ///< record of r_cur
    logic [239:0] irq;     ///< inbound read r_cur (weft_pkg::irq_t)
    logic [69:0] err;      ///< weft_pkg::tx_err_t
  } bundle_t;

  /// The segment that is being decided.
  typedef struct packed {
    sel_e        sel;
    logic        first;    ///< the first of a new message
    logic        last;
    logic        tag;      ///< tagged buffer model
    logic        read;     ///< a Read Request
    logic        nop;      ///< nothing leaves
    logic [15:0] pay;      ///< payload of a full FPDU of the message
    logic [15:0] len;      ///< payload of this one
    logic [31:0] seq;
    logic        rexmit;
  } choice_t;

  // ---------------------------------------------------------------- emission
  /// One segment, decided: what emit turns into descriptors and pieces.
  typedef struct packed {
    logic [249:0] seg;       ///< weft_pkg::tx_seg_t
    sel_e        sel;
    logic        read;       ///< a Read Request
    logic        read_new;   ///< its first transmission: receive is told first
    logic        inl;        ///< WQE with in-line data
    logic [3:0]  base;       ///< first word of the WQE in the slots of its QP
    logic [23:0] pd;
    logic        priv;
    logic [3:0]  sge;        ///< position of the first byte
    logic [31:0] sge_off;    ///< read response: offset in the message; in-line: the same
    logic [31:0] stag;       ///< Read Request: RSTAG; read response: source STag
    logic [63:0] to;         ///< the same, TO
    logic [31:0] len;        ///< the same, whole length
    logic [7:0]  val_slot;
  } order_t;

  // ---------------------------------------------------------------- sequence space
  function automatic logic seq_lt(logic [31:0] a, logic [31:0] b);
    seq_lt = 1'((a - b) >> 31);
  endfunction

  function automatic logic seq_le(logic [31:0] a, logic [31:0] b);
    seq_le = !(1'((b - a) >> 31));
  endfunction

  /// Bytes of an FPDU on the wire: length field, DDP/RDMAP header (14 tagged, 18 untagged), payload,
  /// pad, CRC field (RFC 5044 4.1).
  function automatic logic [31:0] fpdu_len(logic is_tagged, logic [15:0] pay);
    fpdu_len = (((32'(pay) + 32'd3) >> 2) << 2) + (is_tagged ? 32'd20 : 32'd24);
  endfunction

endpackage
`endif
