// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The build pipe: decides FPDUs. A context of it is read at the head, decided in two stages, and written in the fourth; a run
/// takes its context from the item two before. An item of the send queue or of an inbound read makes one FPDU of the message
/// under way, or begins the next one, if its end is within the limit; else a bit in the context says who is to be woken.
/// Every message gets a log record in the same cycle, before anything of it can leave.
///
/// A LOCAL_INV has a record and an order without bytes. It waits for earlier Reads; what is behind it waits, as a bit in the context, until its STag
/// is closed (ItInv). A FAST_REG or BIND_MW is the same without Reads to wait for. One that is refused stops the send queue at its place.
///
/// An atomic waits until the Reads in front of it are answered. The peer would not execute it before that (RFC 7306 5.2 to 5.4), and whoever waits for that
/// with the request in his receive buffer may wait for ever: the responses are then behind what this side sends, which waits for room in the peer's.
///
/// A drain is a bit of the context: it is answered by the item after which it holds, so neither commands nor a lane wait for it.
///
/// Nothing here waits: records are reserved (LOG_OWN for every slot, a quarter of what else is free for who has more), items are admitted
/// by credit of the queue behind (`go_o`). The last of LOG_OWN is for responses and values alone: with it no WQE keeps an answer from the peer
/// that this side's own Reads may wait for (docs/datapath.md, "Who waits for a record").
// lint: -GN_SLOT=256 -GN_LOG=2048 -GLOG_OWN=4
module weft_sq_build #(
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_LOG = 2048,   ///< records, power of two, more than N_SLOT * (LOG_OWN + 1) + 16, up to 8,192
  parameter int unsigned LOG_OWN = 4,    ///< records that every slot can have
  parameter int unsigned QUANTUM = 16384, ///< bytes of a turn
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned LgW = $clog2(N_LOG)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // items, the first one first
  input  logic                  feed_valid_i,
  output logic                  feed_ready_o,
  input  logic [SlW-1:0]        feed_slot_i,
  input  weft_sq_pkg::item_t    feed_i,
  output logic                  go_o,           ///< another item of a batch may be offered
  input  logic                  ctl_valid_i,    ///< load, beside it command or save: one of each at a time, of different slots
  output logic                  ctl_ready_o,
  input  logic [SlW-1:0]        ctl_slot_i,
  input  weft_sq_pkg::item_t    ctl_i,
  input  logic [23:0]           load_qpn_i,     ///< of a load, stable until its ctl_done_o
  input  logic [511:0]          load_i,         ///< weft_abi home_sq
  output logic                  ctl_done_o,     ///< pulse: the item of ctl is through
  output logic [SlW-1:0]        ctl_done_slot_o,
  output weft_sq_pkg::bctx_t    ctl_b_o,        ///< with it: the context
  output weft_sq_pkg::bcfg_t    ctl_cfg_o,
  output logic [63:0]           ctl_una_o,
  input  logic                  err_valid_i,
  output logic                  err_ready_o,    ///< taken
  input  weft_dp_pkg::txerr_t   err_i,
  input  logic                  inv_valid_i,
  output logic                  inv_ready_o,    ///< taken
  input  logic [SlW-1:0]        inv_slot_i,
  input  logic [15:0]           inv_wqe_i,
  input  logic [3:0]            inv_status_i,   ///< weft_abi wc_status; 0: the STag is closed
  input  logic                  touch_valid_i,
  output logic                  touch_ready_o,
  input  logic [SlW-1:0]        touch_slot_i,

  input  logic                  look_re_i,      ///< constants of a slot, a cycle later
  input  logic [SlW-1:0]        look_slot_i,
  output weft_sq_pkg::bcfg_t    look_o,

  input  logic                  word_we_i,      ///< what tcp says
  input  logic [SlW-1:0]        word_slot_i,
  input  weft_sq_pkg::word_t    word_i,
  input  logic                  cv_we_i,        ///< what cmpl says
  input  logic [SlW-1:0]        cv_slot_i,
  input  weft_sq_pkg::cview_t   cv_i,
  output logic                  view_we_o,      ///< what build says
  output logic [SlW-1:0]        view_slot_o,
  output weft_sq_pkg::bview_t   view_o,

  output logic                  rec_we_o,       ///< log
  output logic [LgW-1:0]        rec_addr_o,
  output weft_sq_pkg::rec_t     rec_o,
  output logic                  fin_we_o,
  output logic [LgW-1:0]        fin_addr_o,
  output weft_sq_pkg::fin_t     fin_o,
  input  logic                  free_valid_i,   ///< a record is free again
  input  logic [LgW-1:0]        free_i,
  input  logic                  free_common_i,

  output logic                  ord_valid_o,
  input  logic                  ord_ready_i,
  output weft_sq_pkg::order_t   ord_o,

  output logic                  wake_valid_o,   ///< the send queue may have work again
  input  logic                  wake_ready_i,
  output logic [23:0]           wake_qpn_o,
  output logic                  rwake_o,        ///< pulse: inbound reads may go on
  output logic [SlW-1:0]        rwake_slot_o,
  output logic                  nudge_valid_o,  ///< cmpl may have work; a pin comes with it
  input  logic                  nudge_ready_i,
  output logic [SlW-1:0]        nudge_slot_o,
  output logic                  again_valid_o,  ///< touch once more
  input  logic                  again_ready_i,
  output logic [SlW-1:0]        again_slot_o,
  output logic                  set_valid_o,    ///< the producer index begins anew
  input  logic                  set_ready_i,
  output logic [23:0]           set_qpn_o,
  output logic [15:0]           set_index_o,
  output logic                  ev_valid_o,
  input  logic                  ev_ready_i,
  output weft_dp_pkg::ctx_ev_t  ev_o,
  output logic                  drained_valid_o,
  input  logic                  drained_ready_i,
  output logic [23:0]           drained_qpn_o,
  output logic [15:0]           drained_arg_o,
  output logic                  drained_room_o, ///< a command may be given: whatever it ends has a place
  output logic                  drop_o,         ///< pins: taken on by FPDUs and records, given up by what is through
  output logic [SlW-1:0]        drop_slot_o,
  output logic [3:0]            drop_n_o,
  output logic [SlW:0]          own_o,          ///< slots with WQEs that are begun and not completed
  output logic                  idle_o,
  output logic                  stat_fpdu_o,
  output logic                  stat_block_o,
  output logic                  stat_join_o,
  output logic                  put_o,          ///< pulse: an order enters the queue, in the cycle of view_we_o
  output logic                  fpdu_o          ///< with it: one that becomes a description
);

  localparam int unsigned ItemW = $bits(feed_i);

  // ---------------------------------------------------------------- what comes in
  logic                in_valid, in_ready, feed_go, ctl_go, err_go, inv_go, touch_go, err_busy_q;
  logic [SlW-1:0]      in_slot;
  weft_sq_pkg::item_t  in_item;
  logic                calm, ev_room;
  weft_dp_pkg::txerr_t err_q;
  assign feed_go  = feed_valid_i;
  assign ctl_go   = !feed_go && ctl_valid_i;
  assign err_go   = !feed_go && !ctl_go && err_valid_i && !err_busy_q && ev_room;
  assign inv_go   = !feed_go && !ctl_go && !err_go && inv_valid_i && calm && ev_room;
  assign touch_go = !feed_go && !ctl_go && !err_go && !inv_go && touch_valid_i && calm;
  assign in_valid = feed_go || ctl_go || err_go || inv_go || touch_go;
  assign feed_ready_o  = in_ready;
  assign ctl_ready_o   = in_ready && ctl_go;
  assign err_ready_o   = in_ready && err_go;
  assign inv_ready_o   = in_ready && inv_go;
  assign touch_ready_o = in_ready && touch_go;
  always_comb begin
    in_slot = feed_slot_i;
    in_item = feed_i;
    if (ctl_go) begin
      in_slot = ctl_slot_i;
      in_item = ctl_i;
    end else if (err_go) begin
      in_slot      = err_i.who.slot[SlW-1:0];
      in_item      = '0;
      in_item.kind = weft_sq_pkg::ItErr;
    end else if (inv_go) begin
      in_slot          = inv_slot_i;
      in_item          = '0;
      in_item.kind     = weft_sq_pkg::ItInv;
      in_item.index    = inv_wqe_i;
      in_item.d.status = inv_status_i;
    end else if (touch_go) begin
      in_slot      = touch_slot_i;
      in_item      = '0;
      in_item.kind = weft_sq_pkg::ItTouch;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) err_busy_q <= 1'b0;
    else if (err_ready_o) err_busy_q <= 1'b1;
    else if (v3_q && it3_q.kind == weft_sq_pkg::ItErr) err_busy_q <= 1'b0;
  end
  always_ff @(posedge clk_i) if (err_ready_o) err_q <= err_i;

  logic           st_valid, st_cont, pipe_idle;
  logic [SlW-1:0] st_slot;
  logic [ItemW-1:0] st_bits;
  weft_ctx_pipe #(.SLOT_W(SlW), .ITEM_W(ItemW), .STAGES(4), .WAIT(8), .RUN_MAX(32)) u_pipe (
    .clk_i, .rst_ni, .in_valid_i(in_valid), .in_ready_o(in_ready), .in_slot_i(in_slot), .in_item_i(in_item),
    .go_i(1'b1), .st_valid_o(st_valid), .st_slot_o(st_slot), .st_item_o(st_bits), .st_cont_o(st_cont),
    .st2_last_o(), .rel_valid_o(), .rel_slot_o(), .busy_slot_i(st_slot), .busy_o(), .idle_o(pipe_idle),
    .stat_item_o(), .stat_visit_o(), .stat_wait_o(), .stat_stall_o()
  );

  // ---------------------------------------------------------------- stage 1: records
  logic                v1_q, cont1_q;
  logic [SlW-1:0]      slot1_q;
  weft_sq_pkg::item_t  it1_q;
  weft_sq_pkg::bctx_t  b_ram, b1, b3_q, b_n;
  weft_sq_pkg::bcfg_t  cfg1, cfg_load;
  weft_sq_pkg::word_t  w1;
  weft_sq_pkg::cview_t cv1;
  weft_abi_pkg::home_sq_t h;
  assign h = load_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v1_q <= 1'b0;
    else v1_q <= st_valid;
  end
  always_ff @(posedge clk_i) begin
    if (st_valid) begin
      cont1_q <= st_cont;
      slot1_q <= st_slot;
      it1_q   <= st_bits;
    end
  end
  weft_ram_1r1w #(.W($bits(b1)), .DEPTH(N_SLOT)) u_ctx (
    .clk_i, .we_i(v3_q), .waddr_i(slot3_q), .wdata_i(b3_q), .re_i(st_valid), .raddr_i(st_slot), .rdata_o(b_ram)
  );
  weft_ram_1r1w #(.W($bits(cfg1)), .DEPTH(N_SLOT)) u_cfg (
    .clk_i, .we_i(v3_q && it3_q.kind == weft_sq_pkg::ItLoad), .waddr_i(slot3_q), .wdata_i(cfg_load),
    .re_i(st_valid), .raddr_i(st_slot), .rdata_o(cfg1)
  );
  weft_ram_1r1w #(.W($bits(cfg1)), .DEPTH(N_SLOT)) u_cfg_look (
    .clk_i, .we_i(v3_q && it3_q.kind == weft_sq_pkg::ItLoad), .waddr_i(slot3_q), .wdata_i(cfg_load),
    .re_i(look_re_i), .raddr_i(look_slot_i), .rdata_o(look_o)
  );
  weft_ram_1r1w #(.W($bits(w1)), .DEPTH(N_SLOT)) u_word (
    .clk_i, .we_i(word_we_i), .waddr_i(word_slot_i), .wdata_i(word_i), .re_i(st_valid), .raddr_i(st_slot), .rdata_o(w1)
  );
  weft_ram_1r1w #(.W($bits(cv1)), .DEPTH(N_SLOT)) u_cview (
    .clk_i, .we_i(cv_we_i), .waddr_i(cv_slot_i), .wdata_i(cv_i), .re_i(st_valid), .raddr_i(st_slot), .rdata_o(cv1)
  );
  assign b1 = cont1_q ? b3_q : b_ram;
  always_comb begin
    cfg_load         = '0;
    cfg_load.qpn     = load_qpn_i;
    cfg_load.port    = h.port[1:0];
    cfg_load.fn      = h.fn;
    cfg_load.crc     = h.crc;
    cfg_load.markers = h.markers;
    cfg_load.priv    = h.priv;
    cfg_load.pd      = h.pd;
    cfg_load.first   = h.first;
    cfg_load.ord     = h.ord;
  end

  typedef struct packed {
    logic        act;     // it is this message's turn
    logic        fresh;   // its first FPDU
    logic        waits;   // not now, whatever the limit
    logic        bad;
    logic        nop;     // without an FPDU
    logic        inv;     // LOCAL_INV, FAST_REG, BIND_MW
    logic        tag;
    logic        last;
    logic        raw;
    logic [15:0] len;     // payload of this FPDU
    logic [15:0] pay;
    logic [31:0] msn;
    logic [2:0]  sel;
    logic [3:0]  op;      // RDMAP opcode
    logic [1:0]  qn;
    logic        send;    // counts as a Send
    logic        read;
    logic        atom;    // ... an atomic
    logic [7:0]  rd_last;
    logic        common;  // its record is not one of its own
    logic        rsv;     // it is the own one that no WQE may have
    logic        news;    // the limit is to be taken
    logic [63:0] room;    // limit - off
    logic [15:0] mulpdu;
    logic [6:0]  phase;
    logic        val;     // a value is tried
    logic [15:0] val_arg;
    logic        even;    // all that was described is acknowledged
    logic [15:0] sq;
  } s2_t;

  // A message is under way, and comes to its end if the peer lets it.
  function automatic logic goes_on(input logic begun_any, input logic stopped, input logic hold, input logic [1:0] state);
    goes_on = begun_any && !stopped && !hold && (state == weft_abi_pkg::QP_STATE_RTS || state == weft_abi_pkg::QP_STATE_HALT);
  endfunction

  logic [15:0] cnt1, share_q;
  logic [7:0]  rdout1;
  logic [7:0]  behind1;
  logic        after1;
  logic        own1, logok1, rsv1, live1, sq1, resp1, touch1, val1, inv1, reg1, bind1, atom1;
  logic [31:0] rest1, mlen1;
  logic [15:0] mss1;
  s2_t         s1;
  assign sq1    = it1_q.kind == weft_sq_pkg::ItWqe;
  assign resp1  = it1_q.kind == weft_sq_pkg::ItResp;
  assign touch1 = it1_q.kind == weft_sq_pkg::ItTouch;
  assign val1   = (it1_q.kind == weft_sq_pkg::ItCmd && it1_q.d.len[19:16] == weft_dp_pkg::OpValue) || (touch1 && b1.val);
  assign inv1   = it1_q.d.op == 4'(weft_abi_pkg::SQ_OPCODE_LOCAL_INV);
  assign reg1   = it1_q.d.op == 4'(weft_abi_pkg::SQ_OPCODE_FAST_REG);
  assign bind1  = it1_q.d.op == 4'(weft_abi_pkg::SQ_OPCODE_BIND_MW);
  assign atom1  = it1_q.d.op == 4'(weft_pkg::RdAtomResp);
  assign cnt1   = b1.log_new - cv1.log_done;
  assign rdout1 = b1.rd_issued - cv1.rd_done;
  // The newest Read is not answered. Who has atomics only takes its number along, so that it never seems to be one of those that are outstanding.
  assign behind1 = b1.rd_last - cv1.rd_done;
  assign after1  = behind1 != '0 && behind1 <= rdout1;
  assign own1   = cnt1 < 16'(LOG_OWN - 1);
  assign logok1 = own1 || cnt1 < share_q;
  assign rsv1   = !own1 && !sq1 && b1.rsv == cv1.rsv;
  assign live1  = !b1.stopped && !b1.hold && !b1.over;
  assign mlen1  = it1_q.d.len;
  assign rest1  = mlen1 - b1.mo;
  assign mss1   = it1_q.kind == weft_sq_pkg::ItLoad ? h.mss : w1.mss;

  always_comb begin
    s1 = '0;
    if (v1_q) begin
      s1.common  = !own1 && !rsv1;
      s1.rsv     = rsv1;
      s1.sq      = cv1.sq;
      s1.val_arg = touch1 ? b1.val_arg : it1_q.d.len[15:0];
      s1.val     = val1;
      s1.news    = touch1 || it1_q.kind == weft_sq_pkg::ItLoad || it1_q.kind == weft_sq_pkg::ItErr;
      s1.mulpdu  = weft_sq_pkg::mulpdu_of(mss1, it1_q.kind == weft_sq_pkg::ItLoad ? h.markers : cfg1.markers);
      s1.room    = it1_q.kind == weft_sq_pkg::ItLoad ? h.limit - h.off
                   : w1.limit - (it1_q.kind == weft_sq_pkg::ItErr ? err_q.off : b1.off);
      s1.even    = w1.una == (it1_q.kind == weft_sq_pkg::ItErr ? err_q.off : b1.off);
      s1.phase   = 7'((9'(b1.off) - cfg1.first[8:0]) >> 2);
      if (sq1) begin
        s1.act   = live1 && it1_q.index == b1.cur && (b1.state == weft_abi_pkg::QP_STATE_RTS || (b1.state == weft_abi_pkg::QP_STATE_HALT && b1.mid));
        s1.fresh = !b1.mid;
        s1.read  = weft_sq_pkg::is_asked(it1_q.d.op);
        s1.atom  = s1.read && it1_q.d.op != 4'(weft_abi_pkg::SQ_OPCODE_READ);
        s1.inv   = inv1 || reg1 || bind1;
        s1.nop   = it1_q.d.op == 4'(weft_abi_pkg::SQ_OPCODE_NOP) || s1.inv;
        s1.tag   = it1_q.d.op == 4'(weft_abi_pkg::SQ_OPCODE_WRITE);
        s1.send  = !s1.read && !s1.nop && !s1.tag;
        // What is read again in the midst of a message is memory of a user, who may have changed it: a message goes on as what it began.
        // Its SGEs are only where its bytes come from: each is checked against the rights of the QP, and their sum is its length.
        s1.bad   = it1_q.d.status != '0 || (reg1 && !cfg1.priv)
                   || (!s1.fresh && {it1_q.d.op, it1_q.d.solicited, mlen1} != {b1.mop, b1.msol, b1.mlen});
        s1.waits = b1.rmid || b1.inv || (s1.fresh && (b1.val || !logok1 || ((it1_q.d.rfence || inv1) && rdout1 != '0) || (it1_q.d.lfence && cnt1 != '0)
                                            || (s1.read && rdout1 >= cfg1.ord) || (s1.atom && after1)));
        s1.rd_last = s1.atom ? cv1.rd_done : b1.rd_issued + 8'd1;
        s1.pay   = s1.fresh ? b1.mulpdu - (s1.tag ? 16'd14 : 16'd18) : b1.pay;
        // In-line bytes are cut where emit can go on: at lines of the WQE.
        if (s1.fresh && it1_q.d.inl) s1.pay[5:0] = '0;
        s1.last  = s1.read || s1.nop || rest1 <= 32'(s1.pay);
        s1.len   = s1.nop ? 16'd0 : s1.read ? weft_sq_pkg::asked_len(it1_q.d.op) : s1.last ? rest1[15:0] : s1.pay;
        s1.msn   = s1.tag ? 32'd0 : !s1.fresh ? b1.msn : s1.read ? b1.read_msn : b1.send_msn;
        s1.qn    = s1.read ? 2'd1 : 2'd0;
        s1.sel   = s1.read ? weft_sq_pkg::SelRead : (s1.len == '0) ? weft_sq_pkg::SelNone
                   : it1_q.d.inl ? weft_sq_pkg::SelInl : weft_sq_pkg::SelSge;
        if (s1.inv) s1.sel = weft_sq_pkg::SelInv;
        // Behind an operation on an STag it is looked at when that is answered, which may be refused.
        if (b1.inv) s1.bad = 1'b0;
        unique case (it1_q.d.op)
          4'(weft_abi_pkg::SQ_OPCODE_SEND):     s1.op = it1_q.d.solicited ? 4'(weft_pkg::RdSendSe) : 4'(weft_pkg::RdSend);
          4'(weft_abi_pkg::SQ_OPCODE_SEND_INV): s1.op = it1_q.d.solicited ? 4'(weft_pkg::RdSendSeInv) : 4'(weft_pkg::RdSendInv);
          4'(weft_abi_pkg::SQ_OPCODE_READ):     s1.op = 4'(weft_pkg::RdReadReq);
          4'(weft_abi_pkg::SQ_OPCODE_FETCH_ADD), 4'(weft_abi_pkg::SQ_OPCODE_CMP_SWAP): s1.op = 4'(weft_pkg::RdAtomReq);
          4'(weft_abi_pkg::SQ_OPCODE_IMM):      s1.op = it1_q.d.solicited ? 4'(weft_pkg::RdImmSe) : 4'(weft_pkg::RdImm);
          default:                              s1.op = s1.inv ? it1_q.d.op : 4'(weft_pkg::RdWrite);
        endcase
      end else if (resp1) begin
        s1.act   = live1 && it1_q.index == b1.rcur && (b1.state == weft_abi_pkg::QP_STATE_RTS || (b1.state == weft_abi_pkg::QP_STATE_HALT && b1.rmid));
        s1.fresh = !b1.rmid;
        s1.waits = b1.mid || (s1.fresh && (b1.val || !(logok1 || rsv1)));
        s1.tag   = !atom1;
        s1.pay   = s1.fresh ? b1.mulpdu - (atom1 ? 16'd18 : 16'd14) : b1.pay;
        s1.last  = rest1 <= 32'(s1.pay);
        s1.len   = s1.last ? rest1[15:0] : s1.pay;
        s1.sel   = atom1 ? weft_sq_pkg::SelAtom : s1.len == '0 ? weft_sq_pkg::SelNone : weft_sq_pkg::SelResp;
        s1.op    = atom1 ? 4'(weft_pkg::RdAtomResp) : 4'(weft_pkg::RdReadResp);
        s1.qn    = atom1 ? 2'd3 : 2'd0;
      end else if (val1) begin
        // A value goes whatever the state is: it is how a connection that stopped says why. But not into a message that goes on.
        s1.act   = 1'b1;
        s1.fresh = 1'b1;
        s1.waits = !(logok1 || rsv1) || !val_room || goes_on(b1.mid || b1.rmid, b1.stopped, b1.hold, b1.state);
        s1.raw   = s1.val_arg[15];
        s1.len   = s1.val_arg[13:8] == '0 ? 16'd64 : 16'(s1.val_arg[13:8]);
        s1.last  = 1'b1;
        s1.sel   = weft_sq_pkg::SelVal;
        s1.op    = 4'(weft_pkg::RdTerminate);
        s1.qn    = 2'd2;
        s1.msn   = 32'd1;
      end
    end
  end

  // ---------------------------------------------------------------- stage 2: decide
  logic                v2_q;
  logic [SlW-1:0]      slot2_q;
  weft_sq_pkg::item_t  it2_q;
  weft_sq_pkg::bctx_t  b2_q;
  weft_sq_pkg::bcfg_t  cfg2_q;
  weft_sq_pkg::word_t  w2_q;
  s2_t                 s_q;
  logic                cont2_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v2_q <= 1'b0;
    else v2_q <= v1_q;
  end
  always_ff @(posedge clk_i) begin
    if (v1_q) begin
      slot2_q <= slot1_q;
      it2_q   <= it1_q;
      b2_q    <= b1;
      cfg2_q  <= cfg1;
      w2_q    <= w1;
      s_q     <= s1;
      cont2_q <= cont1_q;
    end
  end

  logic [15:0]         wire_n;
  logic [31:0]         room_n;
  logic                take, ord, fits, joins, wake, rwake, nudge, again, ev, set, alloc, stop_now, app, drained;
  logic [15:0]         seg_n, seg_b, begun;
  weft_sq_pkg::order_t o_n;
  weft_sq_pkg::rec_t   r_n;
  weft_sq_pkg::fin_t   f_n;
  logic [LgW-1:0]      fb;

  assign wire_n = s_q.nop ? 16'd0 : s_q.raw ? s_q.len : weft_sq_pkg::wire_of(s_q.tag, s_q.len, cfg2_q.markers, s_q.phase);
  assign room_n = !s_q.news ? b2_q.room : s_q.room[63] ? 32'd0 : (s_q.room[62:32] != '0) ? 32'hffffffff : s_q.room[31:0];
  assign fits   = s_q.nop || 32'(wire_n) <= room_n;
  assign take   = v2_q && s_q.act && !s_q.waits && !s_q.bad && fits;
  assign ord    = take && (!s_q.nop || s_q.inv);
  // Bytes of the segment that the FPDU before it in this run is in; 0: there was none.
  assign seg_b  = cont2_q ? b2_q.seg : 16'd0;
  assign seg_n  = seg_b + wire_n;
  assign joins  = seg_b != '0 && seg_n <= b2_q.mss && !s_q.raw && !s_q.nop;
  assign app    = take && s_q.fresh;
  assign alloc  = app || (v2_q && it2_q.kind == weft_sq_pkg::ItLoad);
  assign stop_now = it2_q.kind == weft_sq_pkg::ItErr && !b2_q.stopped && err_q.off >= w2_q.una;

  always_comb begin
    b_n   = b2_q;
    wake  = 1'b0;
    rwake = 1'b0;
    nudge = 1'b0;
    again = 1'b0;
    ev    = 1'b0;
    set   = 1'b0;
    begun = '0;
    drained = 1'b0;
    if (v2_q) begin
      b_n.room = room_n;
      b_n.seg  = seg_b;
      if (it2_q.sob) begin
        b_n.over = 1'b0;
        b_n.turn = '0;
      end
      if (take) begin
        b_n.off  = b2_q.off + 64'(wire_n);
        b_n.room = room_n - 32'(wire_n);
        if (ord && !s_q.nop) b_n.seg = joins ? seg_n : wire_n;
        if (s_q.inv) b_n.inv = 1'b1;
        b_n.turn = b_n.turn + wire_n;
        b_n.over = 32'(b_n.turn) >= QUANTUM;
        if (s_q.fresh) begin
          b_n.log_new = b2_q.log_new + 16'd1;
          b_n.log_nxt = 13'(fb);
          b_n.rsv     = b2_q.rsv ^ s_q.rsv;
          if (!s_q.val) begin
            b_n.log_blk = b2_q.log_nxt;
            b_n.pay     = s_q.pay;
            b_n.msn     = s_q.msn;
            b_n.mop     = it2_q.d.op;
            b_n.msol    = it2_q.d.solicited;
            b_n.mlen    = it2_q.d.len;
          end
          if (s_q.send) b_n.send_msn = b2_q.send_msn + 32'd1;
          if (s_q.read) begin
            b_n.read_msn  = b2_q.read_msn + 32'd1;
            b_n.rd_issued = b2_q.rd_issued + 8'd1;
            b_n.rd_last   = s_q.rd_last;
          end
        end
        if (s_q.val) begin
          b_n.val = 1'b0;
          // In the middle of a message that does not go on: nothing of it may follow.
          if ((b2_q.mid || b2_q.rmid) && !b2_q.stopped) begin
            b_n.stopped = 1'b1;
            b_n.cut     = b2_q.off;
          end
        end else begin
          b_n.mo = s_q.last ? 32'd0 : b2_q.mo + 32'(s_q.len);
          if (it2_q.kind == weft_sq_pkg::ItWqe) begin
            b_n.mid = !s_q.last;
            if (s_q.last) b_n.cur = b2_q.cur + 16'd1;
          end else begin
            b_n.rmid = !s_q.last;
            if (s_q.last) b_n.rcur = b2_q.rcur + 16'd1;
          end
          // Who waited for the end of this message.
          if (s_q.last) begin
            wake  = b2_q.swait && it2_q.kind == weft_sq_pkg::ItResp && !b2_q.inv;
            rwake = b2_q.rwait && it2_q.kind == weft_sq_pkg::ItWqe;
            if (wake) b_n.swait = 1'b0;
            if (rwake) b_n.rwait = 1'b0;
          end
        end
        nudge = s_q.nop;
      end
      unique case (it2_q.kind)
        weft_sq_pkg::ItWqe, weft_sq_pkg::ItResp: begin
          if (s_q.act && s_q.bad) begin
            b_n.stopped    = 1'b1;
            b_n.cut        = b2_q.off;
            b_n.err        = 1'b1;
            b_n.err_idx    = it2_q.index;
            b_n.err_status = it2_q.d.status != '0 ? it2_q.d.status : 4'(weft_abi_pkg::WC_STATUS_LOC_QP_OP_ERR);
            b_n.mid        = 1'b0;
            nudge          = 1'b1;
            ev             = 1'b1;
          end else if (s_q.act && !take) begin
            if (it2_q.kind == weft_sq_pkg::ItWqe) b_n.swait = 1'b1;
            else b_n.rwait = 1'b1;
            b_n.need = s_q.waits ? 32'd0 : 32'(wire_n);
            b_n.over = 1'b1;
          end
        end
        weft_sq_pkg::ItTouch: begin
          b_n.mss    = w2_q.mss;
          b_n.mulpdu = s_q.mulpdu;
          if (b_n.room >= b2_q.need || !b2_q.rwait || !b2_q.swait) begin
            // Two who wait have one number: then both are woken, which costs a look.
            wake      = b2_q.swait && (b_n.room >= b2_q.need) && !b2_q.inv;
            rwake     = b2_q.rwait && (b_n.room >= b2_q.need);
            b_n.swait = b2_q.swait && !wake;
            b_n.rwait = b2_q.rwait && !rwake;
          end
          again = s_q.val && s_q.waits && !val_room;
          if (w2_q.dead && !b2_q.stopped) begin
            b_n.stopped    = 1'b1;
            b_n.cut        = b_n.off;
            b_n.err_any    = 1'b1;
            nudge          = 1'b1;
            if (!b2_q.err_any) begin
              b_n.any_kind   = weft_sq_pkg::PeerAny;
              b_n.any_status = 4'(weft_abi_pkg::WC_STATUS_RETRY_EXC_ERR);
            end
          end
        end
        weft_sq_pkg::ItInv: begin
          b_n.inv = 1'b0;
          nudge   = 1'b1;
          if (!b2_q.stopped) begin
            wake      = b2_q.swait;
            b_n.swait = 1'b0;
          end
          // One that is refused fails, too, when something that is not in front of it has stopped the queue meanwhile. It and what the peer
          // refused have a status each.
          if (it2_q.d.status != '0 && !b2_q.err) begin
            wake           = 1'b0;
            b_n.stopped    = 1'b1;
            b_n.err        = 1'b1;
            b_n.err_idx    = it2_q.index;
            b_n.err_status = it2_q.d.status;
            if (!b2_q.stopped) begin
              b_n.cut = b2_q.off;
              ev      = 1'b1;
            end
          end
        end
        weft_sq_pkg::ItErr: begin
          if (stop_now) begin
            b_n.stopped    = 1'b1;
            b_n.gen        = b2_q.gen + 2'd1;
            b_n.off        = err_q.off;
            b_n.cut        = err_q.off;
            b_n.mid        = 1'b0;
            b_n.rmid       = 1'b0;
            b_n.err        = !err_q.resp;
            b_n.err_idx    = err_q.wqe;
            b_n.err_status = err_q.err == 4'(weft_pkg::XlBus) ? 4'(weft_abi_pkg::WC_STATUS_FATAL_ERR)
                             : 4'(weft_abi_pkg::WC_STATUS_LOC_PROT_ERR);
            nudge          = 1'b1;
            ev             = 1'b1;
          end else begin
            b_n.room = b2_q.room;
          end
        end
        weft_sq_pkg::ItCmd: begin
          if (it2_q.d.len[19:16] == weft_dp_pkg::OpSetState) begin
            b_n.state = it2_q.d.len[1:0];
            b_n.hold  = it2_q.d.len[2];
            b_n.swait = 1'b0;
            b_n.rwait = 1'b0;
            // In HALT the message under way goes on to its end.
            wake      = it2_q.d.len[1:0] == weft_abi_pkg::QP_STATE_RTS || (it2_q.d.len[1:0] == weft_abi_pkg::QP_STATE_HALT && b2_q.mid);
            rwake     = it2_q.d.len[1:0] == weft_abi_pkg::QP_STATE_RTS || (it2_q.d.len[1:0] == weft_abi_pkg::QP_STATE_HALT && b2_q.rmid);
            nudge     = it2_q.d.len[1:0] == weft_abi_pkg::QP_STATE_ERR;
            set       = it2_q.d.len[1:0] == weft_abi_pkg::QP_STATE_RESET;
            // Nothing leaves any more: a value that waits would keep its pin, and the connection its slot, for ever.
            if (it2_q.d.len[10]) b_n.val = 1'b0;
            // What the peer refused; what failed here before counts.
            if (nudge && it2_q.d.len[7:4] != '0 && !b2_q.err && !b2_q.err_any) begin
              b_n.err_any    = 1'b1;
              b_n.any_kind   = it2_q.d.len[9:8];
              b_n.any_status = it2_q.d.len[7:4];
            end
          end else if (it2_q.d.len[19:16] == weft_dp_pkg::OpDrain) begin
            b_n.drain     = 1'b1;
            b_n.drain_arg = it2_q.d.len[15:0];
          end else if (s_q.val && !take) begin
            b_n.val     = 1'b1;
            b_n.val_arg = s_q.val_arg;
            again       = !val_room;
          end
        end
        weft_sq_pkg::ItLoad: begin
          b_n            = '0;
          b_n.off        = h.off;
          b_n.room       = room_n;
          b_n.cur        = h.sq_index;
          b_n.mss        = h.mss;
          b_n.mulpdu     = s_q.mulpdu;
          b_n.send_msn   = h.send_msn;
          b_n.read_msn   = h.read_msn;
          b_n.log_nxt    = 13'(fb);
          b_n.state      = h.state;
          b_n.hold       = h.hold;
          b_n.stopped    = h.stopped;
          b_n.cut        = h.off;
          b_n.gen        = h.gen;
          b_n.err        = h.err;
          b_n.err_any    = h.err_any;
          b_n.err_idx    = h.err_index;
          b_n.err_status = h.err_status[3:0];
          b_n.any_kind   = h.err_index[1:0];
          b_n.any_status = h.err_status[3:0];
        end
        default: ;
      endcase
      // An inbound read that came behind ERR: cmpl has looked already, and does so again.
      if (it2_q.kind == weft_sq_pkg::ItResp && it2_q.eob && b2_q.state == weft_abi_pkg::QP_STATE_ERR) nudge = 1'b1;
      // The message in front of a value is over.
      if (b_n.val && goes_on(b2_q.mid || b2_q.rmid, b2_q.stopped, b2_q.hold, b2_q.state) && !goes_on(b_n.mid || b_n.rmid, b_n.stopped, b_n.hold, b_n.state)) again = 1'b1;
      // A drain: every byte of what was begun, and a value that waits, is acknowledged. What ended for another reason is not waited for.
      drained = b_n.drain && (b_n.state == weft_abi_pkg::QP_STATE_ERR || w2_q.dead
                              || (s_q.even && !ord && !b_n.val && (it2_q.kind != weft_sq_pkg::ItErr || stop_now)
                                  && (b_n.stopped || !(b_n.mid || b_n.rmid))));
      if (drained) b_n.drain = 1'b0;
      // What was flushed behind the last one that was begun does not count.
      begun   = b_n.cur - s_q.sq;
      b_n.own = it2_q.kind != weft_sq_pkg::ItLoad && it2_q.kind != weft_sq_pkg::ItSave && ((begun != '0 && !begun[15]) || b_n.mid);
    end
  end

  always_comb begin
    o_n = '0;
    r_n = '0;
    f_n = '0;
    if (v2_q) begin
      o_n.tok       = it2_q.eob;
      o_n.tresp     = it2_q.kind == weft_sq_pkg::ItResp;
      o_n.lane      = it2_q.lane;
      o_n.tcur      = o_n.tresp ? b_n.rcur : b_n.cur;
      o_n.tblk      = b_n.stopped || b_n.hold || (o_n.tresp ? b_n.rwait : b_n.swait)
                      || !(b_n.state == weft_abi_pkg::QP_STATE_RTS || (b_n.state == weft_abi_pkg::QP_STATE_HALT && (o_n.tresp ? b_n.rmid : b_n.mid)));
      o_n.ord       = ord;
      o_n.sel       = s_q.sel;
      o_n.ref_no    = s_q.val ? 13'(s_q.val_arg[7:0]) : it2_q.ref_no;
      o_n.num_sge   = it2_q.d.num_sge;
      o_n.slot      = 12'(slot2_q);
      o_n.qpn       = cfg2_q.qpn;
      o_n.link      = {cfg2_q.port, cfg2_q.fn};
      o_n.off       = b2_q.off;
      o_n.bytes     = wire_n;
      o_n.len       = s_q.len;
      o_n.op        = s_q.op;
      o_n.last      = s_q.last;
      o_n.is_tagged = s_q.tag;
      o_n.qn        = s_q.qn;
      o_n.msn       = s_q.msn;
      o_n.mo        = s_q.val ? 32'd0 : s_q.inv ? it2_q.d.len : b2_q.mo;
      o_n.raw       = s_q.raw;
      o_n.joins     = joins;
      o_n.gen       = b2_q.gen;
      o_n.crc       = cfg2_q.crc;
      o_n.markers   = cfg2_q.markers;
      o_n.first     = cfg2_q.first;
      o_n.wqe       = s_q.val ? 16'(s_q.val_arg[7:0]) : it2_q.index;
      o_n.edt       = w2_q.edt;
      o_n.pd        = cfg2_q.pd;
      o_n.priv      = cfg2_q.priv;
      r_n.next      = 13'(fb);
      r_n.kind      = s_q.val ? weft_sq_pkg::KindVal : o_n.tresp ? weft_sq_pkg::KindResp : weft_sq_pkg::KindSq;
      r_n.op        = it2_q.d.op;
      r_n.common    = s_q.common;
      r_n.rsv       = s_q.rsv;
      r_n.signaled  = it2_q.d.signaled;
      r_n.index     = s_q.val ? s_q.val_arg : it2_q.index;
      r_n.ref_no    = it2_q.ref_no;
      r_n.len       = s_q.val ? 32'(s_q.len) : it2_q.d.len;
      r_n.msn       = s_q.msn;
      r_n.pay       = s_q.pay;
      r_n.start     = b2_q.off;
      f_n.done      = s_q.last;
      f_n.stop      = b2_q.off + 64'(wire_n);
    end
  end

  // ---------------------------------------------------------------- stage 3: write
  logic                v3_q, ord3_q, app3_q, take3_q, wake3_q, rwake3_q, nudge3_q, again3_q, ev3_q, set3_q, join3_q, drained3_q;
  logic [SlW-1:0]      slot3_q;
  weft_sq_pkg::item_t  it3_q;
  weft_sq_pkg::order_t o3_q;
  weft_sq_pkg::rec_t   r3_q;
  weft_sq_pkg::fin_t   f3_q;
  weft_sq_pkg::bcfg_t  cfg3_q;
  logic [12:0]         blk3_q;
  logic [63:0]         una3_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v3_q     <= 1'b0;
      ord3_q   <= 1'b0;
      app3_q   <= 1'b0;
      take3_q  <= 1'b0;
      wake3_q  <= 1'b0;
      rwake3_q <= 1'b0;
      nudge3_q <= 1'b0;
      again3_q <= 1'b0;
      ev3_q    <= 1'b0;
      set3_q   <= 1'b0;
      drained3_q <= 1'b0;
    end else begin
      v3_q     <= v2_q;
      ord3_q   <= ord;
      app3_q   <= app;
      take3_q  <= take;
      wake3_q  <= wake;
      rwake3_q <= rwake;
      nudge3_q <= nudge;
      again3_q <= again;
      ev3_q    <= ev;
      set3_q   <= set;
      drained3_q <= drained;
    end
  end
  always_ff @(posedge clk_i) begin
    if (v2_q) begin
      slot3_q <= slot2_q;
      it3_q   <= it2_q;
      b3_q    <= b_n;
      o3_q    <= o_n;
      r3_q    <= r_n;
      f3_q    <= f_n;
      cfg3_q  <= cfg2_q;
      blk3_q  <= s_q.fresh ? b2_q.log_nxt : b2_q.log_blk;
      join3_q <= joins;
      una3_q  <= w2_q.una;
      val3_q   <= b_n.val && !b2_q.val && it2_q.kind != weft_sq_pkg::ItLoad;
      unval3_q <= !b_n.val && b2_q.val && it2_q.kind != weft_sq_pkg::ItLoad;
    end
  end
  assign rec_we_o   = app3_q;
  assign rec_addr_o = blk3_q[LgW-1:0];
  assign rec_o      = r3_q;
  assign fin_we_o   = take3_q;
  assign fin_addr_o = blk3_q[LgW-1:0];
  assign fin_o      = f3_q;
  assign view_we_o   = v3_q;
  assign view_slot_o = slot3_q;
  always_comb begin
    view_o            = '0;
    view_o.cur        = b3_q.cur;
    view_o.log_new    = b3_q.log_new;
    view_o.log_nxt    = b3_q.log_nxt;
    view_o.state      = b3_q.state;
    view_o.swait      = b3_q.swait;
    view_o.stopped    = b3_q.stopped;
    view_o.err        = b3_q.err;
    view_o.err_any    = b3_q.err_any;
    view_o.err_idx    = b3_q.err_idx;
    view_o.err_status = b3_q.err_status;
    view_o.any_kind   = b3_q.any_kind;
    view_o.any_status = b3_q.any_status;
    view_o.cut        = b3_q.cut;
    view_o.gen        = b3_q.gen;
    view_o.mid        = b3_q.mid;
    view_o.inv        = b3_q.inv;
  end
  assign ctl_done_o      = v3_q && (it3_q.kind == weft_sq_pkg::ItCmd || it3_q.kind == weft_sq_pkg::ItLoad || it3_q.kind == weft_sq_pkg::ItSave);
  assign ctl_done_slot_o = slot3_q;
  assign ctl_b_o         = b3_q;
  assign ctl_cfg_o       = cfg3_q;
  assign ctl_una_o       = una3_q;
  assign rwake_o         = rwake3_q;
  assign rwake_slot_o    = slot3_q;
  assign stat_fpdu_o     = ord3_q && o3_q.sel != weft_sq_pkg::SelInv;
  assign stat_block_o    = v2_q && s_q.act && !take && !s_q.bad;
  assign stat_join_o     = ord3_q && join3_q;

  // Pins: one for each order, record, value that waits, and nudge; a touch, a command, an error and what became of a LOCAL_INV give up the
  // one they came with.
  logic leaves, val3_q, unval3_q;
  assign leaves      = it3_q.kind == weft_sq_pkg::ItTouch || it3_q.kind == weft_sq_pkg::ItErr || it3_q.kind == weft_sq_pkg::ItInv
                       || it3_q.kind == weft_sq_pkg::ItCmd;
  assign drop_n_o    = 4'(leaves) - 4'(ord3_q) - 4'(app3_q) + 4'(unval3_q) - 4'(val3_q) - 4'(nudge3_q);
  assign drop_o      = v3_q && drop_n_o != '0;
  assign drop_slot_o = slot3_q;

  // ---------------------------------------------------------------- free records
  localparam int unsigned Own = N_SLOT * (LOG_OWN + 1) + 16;
  logic [LgW:0]   fresh_q, common_q, fb_n;
  logic           fb_v, fb_in_r;
  logic [LgW-1:0] fb_old;
  assign fb = fresh_q[LgW] ? fb_old : fresh_q[LgW-1:0];
  weft_fifo #(.W(LgW), .DEPTH(N_LOG)) u_log_free (
    .clk_i, .rst_ni, .in_valid_i(free_valid_i), .in_ready_o(fb_in_r), .in_data_i(free_i),
    .out_valid_o(fb_v), .out_ready_i(alloc && fresh_q[LgW]), .out_data_o(fb_old), .count_o(fb_n)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q  <= '0;
      common_q <= (LgW + 1)'(N_LOG - Own);
      share_q  <= '0;
    end else begin
      if (alloc && !fresh_q[LgW]) fresh_q <= fresh_q + (LgW + 1)'(1);
      common_q <= common_q - (LgW + 1)'(app && s_q.common) + (LgW + 1)'(free_valid_i && free_common_i);
      // What is in the pipe is not counted yet.
      share_q <= common_q <= (LgW + 1)'(16) ? 16'd0 : (16'(common_q) - 16'd16) >> 2;
    end
  end

  // A record is looked at again when a WQE of it has completed, so the count comes down. A load begins without.
  logic [SlW:0] own_q;
  logic         was_own;
  assign was_own = b2_q.own && it2_q.kind != weft_sq_pkg::ItLoad;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) own_q <= '0;
    else if (v2_q) own_q <= own_q + (SlW + 1)'(b_n.own && !was_own) - (SlW + 1)'(!b_n.own && was_own);
  end
  assign own_o = own_q;

  // ---------------------------------------------------------------- orders, by credit
  logic [5:0] cred_q, of_n;
  logic [2:0] vals_q;
  logic       push, pop, from_batch3, val_room, o_in_r;
  assign from_batch3 = it3_q.kind == weft_sq_pkg::ItWqe || it3_q.kind == weft_sq_pkg::ItResp;
  assign push        = v3_q && (ord3_q || (from_batch3 && o3_q.tok));
  assign pop         = ord_valid_o && ord_ready_i;
  assign put_o       = push;
  assign fpdu_o      = v3_q && ord3_q && o3_q.sel != weft_sq_pkg::SelInv;
  assign go_o        = cred_q != '0 && ev_room && calm;
  assign val_room    = vals_q < 3'd2;  // two more may be in the pipe
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cred_q <= 6'd27;
      vals_q <= '0;
    end else begin
      cred_q <= cred_q - 6'(feed_valid_i && feed_ready_o) + 6'(v3_q && from_batch3 && !push)
                + 6'(pop && ord_o.sel != weft_sq_pkg::SelVal);
      vals_q <= vals_q + 3'(take && s_q.val) - 3'(pop && ord_o.sel == weft_sq_pkg::SelVal);
    end
  end
  // An FPDU of another connection in between: then it joins nothing. An operation on an STag is no FPDU.
  logic [11:0]         prev_q;
  weft_sq_pkg::order_t o_in;
  always_ff @(posedge clk_i) if (push && ord3_q && o3_q.sel != weft_sq_pkg::SelInv) prev_q <= o3_q.slot;
  always_comb begin
    o_in       = o3_q;
    o_in.joins = o3_q.joins && o3_q.slot == prev_q;
  end
  weft_fifo #(.W($bits(ord_o)), .DEPTH(32)) u_orders (
    .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(o_in_r), .in_data_i(o_in),
    .out_valid_o(ord_valid_o), .out_ready_i(ord_ready_i), .out_data_o(ord_o), .count_o(of_n)
  );

  // ---------------------------------------------------------------- who is told
  logic [3:0] full;
  logic [5:0] wk_n, nu_n, ag_n;
  logic [4:0] ev_n;
  logic [4:0] se_n;
  weft_dp_pkg::ctx_ev_t ev_in;
  weft_fifo #(.W(24), .DEPTH(32)) u_wake (
    .clk_i, .rst_ni, .in_valid_i(wake3_q), .in_ready_o(full[0]), .in_data_i(cfg3_q.qpn),
    .out_valid_o(wake_valid_o), .out_ready_i(wake_ready_i), .out_data_o(wake_qpn_o), .count_o(wk_n)
  );
  weft_fifo #(.W(SlW), .DEPTH(32)) u_nudge (
    .clk_i, .rst_ni, .in_valid_i(nudge3_q), .in_ready_o(full[1]), .in_data_i(slot3_q),
    .out_valid_o(nudge_valid_o), .out_ready_i(nudge_ready_i), .out_data_o(nudge_slot_o), .count_o(nu_n)
  );
  weft_fifo #(.W(SlW), .DEPTH(32)) u_again (
    .clk_i, .rst_ni, .in_valid_i(again3_q), .in_ready_o(full[2]), .in_data_i(slot3_q),
    .out_valid_o(again_valid_o), .out_ready_i(again_ready_i), .out_data_o(again_slot_o), .count_o(ag_n)
  );
  weft_fifo #(.W(40), .DEPTH(16)) u_set (
    .clk_i, .rst_ni, .in_valid_i(set3_q), .in_ready_o(full[3]), .in_data_i({cfg3_q.qpn, b3_q.cur}),
    .out_valid_o(set_valid_o), .out_ready_i(set_ready_i), .out_data_o({set_qpn_o, set_index_o}), .count_o(se_n)
  );
  always_comb begin
    ev_in       = '0;
    ev_in.qpn   = cfg3_q.qpn;
    ev_in.kind  = weft_abi_pkg::FW_EV_TX_ERROR;
    ev_in.code  = 16'(b3_q.err_status);
    ev_in.data0 = 32'(it3_q.kind == weft_sq_pkg::ItErr ? err_q.wqe : b3_q.err_idx);
    ev_in.data1 = b3_q.off[31:0];
  end
  logic ev_in_r;
  weft_fifo #(.W(136), .DEPTH(16)) u_ev (
    .clk_i, .rst_ni, .in_valid_i(ev3_q), .in_ready_o(ev_in_r),
    .in_data_i({ev_in.qpn, ev_in.kind, ev_in.code, ev_in.data0, ev_in.data1, 24'd0}),
    .out_valid_o(ev_valid_o), .out_ready_i(ev_ready_i), .out_data_o(ev_bits), .count_o(ev_n)
  );
  logic [135:0] ev_bits;
  assign ev_o    = {ev_bits[135:24], 8'd0, 368'd0};
  assign ev_room = ev_n < 5'd8;
  // An item ends one drain at most. Commands, which nothing else holds up, leave the other half to what is in the pipe.
  logic [5:0] dr_n;
  logic       dr_in_r;
  weft_fifo #(.W(40), .DEPTH(32)) u_drained (
    .clk_i, .rst_ni, .in_valid_i(drained3_q), .in_ready_o(dr_in_r), .in_data_i({cfg3_q.qpn, b3_q.drain_arg}),
    .out_valid_o(drained_valid_o), .out_ready_i(drained_ready_i), .out_data_o({drained_qpn_o, drained_arg_o}), .count_o(dr_n)
  );
  assign drained_room_o = dr_n < 6'd16;
  assign calm    = wk_n < 6'd20 && nu_n < 6'd20 && ag_n < 6'd20 && drained_room_o;
  assign idle_o  = pipe_idle && !v1_q && !v2_q && !v3_q && !ord_valid_o && !wake_valid_o && !nudge_valid_o && !again_valid_o
                   && !set_valid_o && !ev_valid_o && !err_busy_q && !drained_valid_o;

`ifndef SYNTHESIS
  initial begin
    if (LOG_OWN < 2) $fatal(1, "weft_sq_build: LOG_OWN");
    if (N_LOG > 8192 || (N_LOG & (N_LOG - 1)) != 0 || N_LOG <= Own) $fatal(1, "weft_sq_build: N_LOG");
    if (QUANTUM > 49152) $fatal(1, "weft_sq_build: QUANTUM");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(push && !o_in_r)) else $error("%m: an order is lost");
      assert (!(alloc && fresh_q[LgW] && !fb_v)) else $error("%m: no record");
      assert (!(free_valid_i && !fb_in_r)) else $error("%m: a record is freed twice");
      assert (!(wake3_q && !full[0]) && !(nudge3_q && !full[1]) && !(again3_q && !full[2]) && !(set3_q && !full[3])
              && !(ev3_q && !ev_in_r) && !(drained3_q && !dr_in_r)) else $error("%m: a message is lost");
      if (v2_q && it2_q.kind == weft_sq_pkg::ItSave) assert (!b2_q.drain) else $error("%m: a drain goes home");
    end
  end
`endif
  logic unused;
  assign unused = ^{h, err_q, w2_q, fb_n, fb_in_r, fb_v, of_n, o_in_r, full, se_n, ev_in_r, dr_in_r, cfg3_q, err_i, s_q, blk3_q, it3_q, ev_in, ev_bits};

`ifdef FORMAL_sq_build
  `include "sq_build.svh"
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
