// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The cmpl pipe: completes work in the order of the stream. The oldest log record of a slot is done when tcp says that its
/// last byte is acknowledged (a Read: when its response is placed, too; a LOCAL_INV: when its STag is told to be out of use, which is asked for
/// then); it makes a CQE if SIGNALED. The WQE that failed
/// completes with its status when its turn comes; in state ERR all that is posted is flushed, in order; the first of it with the status of what the peer
/// refused, when that is of its kind. A Read (or atomic) that was begun and does not complete well waits until rdmap is quiet: what it let pass of a response before it got
/// ERR, too, may be on its way to the sink, which the host has back with the CQE. For the same reason nothing that was begun fails or is flushed while
/// descriptions of its connection are not framed, and nothing completes while some of those are not that were asked for again: what they read is the host's
/// behind the CQE. A CQE that finds
/// no place in the queue to cq leaves a bit (the slot waits in a set of its own).
///
/// While the oldest record is a Read that waits for its response, the second look of a visit is at the records behind it: of a response that is acknowledged
/// its inbound read is done then, and its record is taken out of the list and given back. Else two sides that read from each other could wait for ever: one's
/// next Read Request for a place, the other's response behind that request, or for a record.
module weft_sq_cmpl #(
  parameter int unsigned N_QP = 1024,
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_LOG = 2048,
  parameter int unsigned INV_ENDS = 16,  ///< invalidates that may be ended at a time
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned LgW = $clog2(N_LOG)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  output logic                    ready_o,

  input  logic                    set_valid_i,   ///< a slot with news
  output logic                    set_ready_o,
  input  logic [SlW-1:0]          set_slot_i,
  input  logic                    ctl_valid_i,   ///< load or save, one of each at a time
  output logic                    ctl_ready_o,
  input  logic                    ctl_save_i,
  input  logic [SlW-1:0]          ctl_slot_i,
  input  logic [23:0]             load_qpn_i,
  input  logic [511:0]            load_i,
  output logic                    ctl_done_o,    ///< pulse
  output logic                    ctl_done_save_o, ///< with it: the save
  output logic [15:0]             ctl_sq_o,      ///< with it: next WQE to complete
  output logic                    ctl_flush_o,
  output logic [23:0]             ctl_cqn_o,

  input  logic                    word_we_i,
  input  logic [SlW-1:0]          word_slot_i,
  input  weft_sq_pkg::word_t      word_i,
  input  logic                    view_we_i,     ///< what build says
  input  logic [SlW-1:0]          view_slot_i,
  input  weft_sq_pkg::bview_t     view_i,
  output logic                    cv_we_o,       ///< what build shall know
  output logic [SlW-1:0]          cv_slot_o,
  output weft_sq_pkg::cview_t     cv_o,

  input  logic                    rec_we_i,      ///< log
  input  logic [LgW-1:0]          rec_addr_i,
  input  weft_sq_pkg::rec_t       rec_i,
  input  logic                    fin_we_i,
  input  logic [LgW-1:0]          fin_addr_i,
  input  weft_sq_pkg::fin_t       fin_i,
  output logic                    free_valid_o,
  output logic [LgW-1:0]          free_o,
  output logic                    free_common_o,
  input  logic                    hold_valid_i,  ///< nothing of this slot is completed now: it is being sent again
  input  logic [SlW-1:0]          hold_slot_i,
  output logic                    late_re_o,     ///< weft_sq_framed: has this slot descriptions that are not framed, a cycle later
  output logic [SlW-1:0]          late_slot_o,
  input  logic                    late_new_i,
  input  logic                    late_again_i,
  input  logic                    head_re_i,     ///< oldest record of a slot that may be sent again, and how many are before it, a cycle later
  input  logic [SlW-1:0]          head_slot_i,
  output logic [12:0]             head_o,
  output logic [15:0]             head_done_o,

  input  logic                    rd_valid_i,    ///< a Read of this side has its response; or (`quiet`) none is written any more: not taken before the slot has its pin
  output logic                    rd_ready_o,
  input  weft_dp_pkg::read_done_t rd_i,
  input  logic                    term_valid_i,  ///< pulse: a Terminate came in: what is acknowledged from now on does not complete
  input  logic [SlW-1:0]          term_slot_i,
  input  logic                    rd_clear_i,    ///< with rd_clear_slot_i: nothing is outstanding (load)
  input  logic [SlW-1:0]          rd_clear_slot_i,

  output logic                    inv_valid_o,   ///< pulse: this STag is needed no more
  output weft_sq_pkg::inv_end_t   inv_o,
  input  logic                    inv_done_i,    ///< pulse: so it is
  input  logic [SlW-1:0]          inv_done_slot_i,
  input  logic                    inv_done_mark_i,

  output logic                    prod_re_o,
  output logic [QpW-1:0]          prod_qpn_o,
  input  logic [15:0]             prod_i,

  output logic                    cqe_valid_o,
  input  logic                    cqe_ready_i,
  output weft_dp_pkg::cqe_t       cqe_o,
  output logic                    resp_done_o,   ///< pulse: the oldest inbound read of this slot is acknowledged
  output logic                    resp_purge_o,  ///< all of them
  output logic                    resp_whole_o,  ///< its response was described to its end
  output logic [SlW-1:0]          resp_slot_o,
  input  logic                    resp_room_i,
  output logic                    nudge_valid_o, ///< build may have room
  input  logic                    nudge_ready_i,
  output logic [SlW-1:0]          nudge_slot_o,
  output logic [2:0]              again_valid_o, ///< look once more: more to do; a Read is answered; there is room for CQEs
  input  logic [2:0]              again_ready_i,
  output logic [3*SlW-1:0]        again_slot_o,
  output logic                    drop_o,        ///< pins of visits; that of a record goes on with `nudge`, of a visit with `again` 0
  output logic [SlW-1:0]          drop_slot_o,
  output logic [3:0]              drop_n_o,
  output logic                    wait_o,        ///< a pin is taken on: the slot waits for room for a CQE
  output logic [SlW-1:0]          wait_slot_o,
  output logic                    idle_o,
  output logic                    stat_flush_o
);

  typedef struct packed {
    logic        live;
    logic [15:0] log_done;
    logic [12:0] head;
    logic [15:0] sq;
    logic [7:0]  rd_used;
    logic        flushing;
    logic        err_done;
    logic        inv;        // the oldest record is a LOCAL_INV that is being ended
    logic        mark;       // of the last one that was; the same in u_inv: it is over
    logic        blocked;    // the oldest record is a Read that waits for its response only
    logic [15:0] ahead;      // records from it on that were looked at: acknowledged, and none is a response
    logic [12:0] peek;       // the next one of these, when there are any,
    logic [12:0] prev;       // and the last of them
    logic        rsv;        // changes when a record with `rsv` is given back
  } cctx_t;
  typedef struct packed {
    logic [7:0] cnt;
    logic       bad;
    logic [7:0] seq;
    logic [7:0] status;
    logic       quiet;   // in ERR: nothing is written for Reads any more. Such a connection stays so until it is loaded again
  } rdw_t;
  localparam int unsigned RdwW = 26;
  // Items: 0 look, 1 look and last of its visit, 2 load, 3 save.

  logic           sweep_q, clean_q;
  logic [SlW-1:0] at_q;
  logic [LgW-1:0] clean_at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sweep_q <= 1'b1;
      at_q    <= '0;
    end else if (sweep_q) begin
      sweep_q <= at_q != '1;
      at_q    <= at_q + SlW'(1);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clean_q    <= 1'b1;
      clean_at_q <= '0;
    end else if (clean_q) begin
      clean_q    <= clean_at_q != '1;
      clean_at_q <= clean_at_q + LgW'(1);
    end
  end
  assign ready_o = !sweep_q && !clean_q && w_set_ready;

  // ---------------------------------------------------------------- in
  logic           in_valid, in_ready, second_q, calm;
  logic [SlW-1:0] in_slot, second_slot_q;
  logic [1:0]     in_item;
  assign in_valid    = second_q || ctl_valid_i || (set_valid_i && calm);
  assign in_slot     = second_q ? second_slot_q : ctl_valid_i ? ctl_slot_i : set_slot_i;
  assign in_item     = second_q ? 2'd1 : ctl_valid_i ? {1'b1, ctl_save_i} : 2'd0;
  assign ctl_ready_o = in_ready && !second_q;
  assign set_ready_o = in_ready && !second_q && !ctl_valid_i && calm;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) second_q <= 1'b0;
    else if (in_ready) second_q <= !second_q && !ctl_valid_i && set_valid_i && calm;
  end
  always_ff @(posedge clk_i) if (!second_q) second_slot_q <= set_slot_i;

  logic           st_valid, st_cont, pipe_idle;
  logic [SlW-1:0] st_slot;
  logic [1:0]     st_item;
  weft_ctx_pipe #(.SLOT_W(SlW), .ITEM_W(2), .STAGES(4), .WAIT(8), .RUN_MAX(8)) u_pipe (
    .clk_i, .rst_ni, .in_valid_i(in_valid), .in_ready_o(in_ready), .in_slot_i(in_slot), .in_item_i(in_item),
    .go_i(1'b1), .st_valid_o(st_valid), .st_slot_o(st_slot), .st_item_o(st_item), .st_cont_o(st_cont),
    .st2_last_o(), .rel_valid_o(), .rel_slot_o(), .busy_slot_i(st_slot), .busy_o(), .idle_o(pipe_idle),
    .stat_item_o(), .stat_visit_o(), .stat_wait_o(), .stat_stall_o()
  );

  assign late_re_o   = st_valid;
  assign late_slot_o = st_slot;

  // ---------------------------------------------------------------- stage 1
  logic                v1_q, cont1_q;
  logic [SlW-1:0]      slot1_q;
  logic [1:0]          it1_q;
  cctx_t               c_ram, c1, c3_q, c_n, c_head;
  weft_sq_pkg::ccfg_t  cfg1, cfg_load;
  weft_sq_pkg::word_t  w1;
  weft_sq_pkg::bview_t bv1;
  rdw_t                rd1;
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
      it1_q   <= st_item;
    end
  end
  weft_ram_1r1w #(.W($bits(c1)), .DEPTH(N_SLOT)) u_ctx (
    .clk_i, .we_i(sweep_q || v3_q), .waddr_i(sweep_q ? at_q : slot3_q), .wdata_i(sweep_q ? '0 : c3_q),
    .re_i(st_valid), .raddr_i(st_slot), .rdata_o(c_ram)
  );
  weft_ram_1r1w #(.W($bits(c1)), .DEPTH(N_SLOT)) u_head (
    .clk_i, .we_i(v3_q), .waddr_i(slot3_q), .wdata_i(c3_q), .re_i(head_re_i), .raddr_i(head_slot_i), .rdata_o(c_head)
  );
  // What was looked at behind a Read that waits is acknowledged, and inbound reads of it are gone: nothing of it is sent again.
  assign head_o      = c_head.ahead != '0 ? c_head.peek : c_head.head;
  assign head_done_o = c_head.log_done + c_head.ahead;
  weft_ram_1r1w #(.W($bits(cfg1)), .DEPTH(N_SLOT)) u_cfg (
    .clk_i, .we_i(v3_q && it3_q == 2'd2), .waddr_i(slot3_q), .wdata_i(cfg_load), .re_i(st_valid), .raddr_i(st_slot), .rdata_o(cfg1)
  );
  weft_ram_1r1w #(.W($bits(w1)), .DEPTH(N_SLOT)) u_word (
    .clk_i, .we_i(word_we_i), .waddr_i(word_slot_i), .wdata_i(word_i), .re_i(st_valid), .raddr_i(st_slot), .rdata_o(w1)
  );
  weft_ram_1r1w #(.W($bits(bv1)), .DEPTH(N_SLOT)) u_view (
    .clk_i, .we_i(view_we_i), .waddr_i(view_slot_i), .wdata_i(view_i), .re_i(st_valid), .raddr_i(st_slot), .rdata_o(bv1)
  );
  assign c1 = cont1_q ? c3_q : c_ram;
  always_comb begin
    cfg_load      = '0;
    cfg_load.qpn  = load_qpn_i;
    cfg_load.port = h.port[1:0];
    cfg_load.fn   = h.fn;
    cfg_load.cqn  = h.cqn;
    cfg_load.log2 = h.sq_log2;
  end

  logic mark1;
  weft_ram_1r1w #(.W(1), .DEPTH(N_SLOT)) u_inv (
    .clk_i, .we_i(rd_clear_i || inv_done_i), .waddr_i(rd_clear_i ? rd_clear_slot_i : inv_done_slot_i), .wdata_i(!rd_clear_i && inv_done_mark_i),
    .re_i(st_valid), .raddr_i(st_slot), .rdata_o(mark1)
  );
  logic        ended1, ended_idle;
  logic [63:0] ended_una1, una2_q;
  weft_sq_ended #(.N_SLOT(N_SLOT)) u_ended (
    .clk_i, .rst_ni, .una_we_i(word_we_i), .una_slot_i(word_slot_i), .una_i(word_i.una), .clear_i(rd_clear_i), .clear_slot_i(rd_clear_slot_i),
    .term_valid_i, .term_slot_i, .re_i(st_valid), .slot_i(st_slot), .ended_o(ended1), .una_o(ended_una1), .idle_o(ended_idle)
  );
  // The oldest record, and the producer index.
  weft_sq_pkg::rec_t rec;
  weft_sq_pkg::fin_t fin;
  logic              peek1, peek2_q;
  logic [LgW-1:0]    at1;
  assign peek1 = it1_q == 2'd1 && c1.blocked;
  assign at1   = peek1 && c1.ahead != '0 ? c1.peek[LgW-1:0] : c1.head[LgW-1:0];
  weft_ram_1r1w #(.W($bits(rec)), .DEPTH(N_LOG)) u_rec (
    .clk_i, .we_i(rec_we_i), .waddr_i(rec_addr_i), .wdata_i(rec_i), .re_i(v1_q), .raddr_i(at1), .rdata_o(rec)
  );
  weft_ram_1r1w #(.W($bits(fin)), .DEPTH(N_LOG)) u_fin (
    .clk_i, .we_i(fin_we_i), .waddr_i(fin_addr_i), .wdata_i(fin_i), .re_i(v1_q), .raddr_i(at1), .rdata_o(fin)
  );
  // Which one is next to a record whose neighbour was taken out of the list. Only who is looked at a second time is asked for this, and
  // nobody replays what stands in front of `peek`.
  logic        link_we, link_met_q;
  logic [13:0] link, link_rd, link_wd, link_wd_q;
  logic [LgW-1:0] link_wa;
  logic [12:0] next;
  weft_ram_1r1w #(.W(14), .DEPTH(N_LOG)) u_link (
    .clk_i, .we_i(clean_q || link_we), .waddr_i(clean_q ? clean_at_q : link_wa), .wdata_i(clean_q ? '0 : link_wd), .re_i(v1_q), .raddr_i(at1),
    .rdata_o(link_rd)
  );
  always_ff @(posedge clk_i) begin
    link_met_q <= link_we && link_wa == at1;
    link_wd_q  <= link_wd;
  end
  assign link = link_met_q ? link_wd_q : link_rd;
  assign next = link[13] ? link[12:0] : rec.next;
  assign prod_re_o  = v1_q;
  assign prod_qpn_o = cfg1.qpn[QpW-1:0];

  // ---------------------------------------------------------------- stage 2: decide
  logic                v2_q;
  logic [SlW-1:0]      slot2_q;
  logic [1:0]          it2_q;
  logic [12:0]         at2_q;
  cctx_t               c2_q;
  weft_sq_pkg::ccfg_t  cfg2_q;
  weft_sq_pkg::bview_t bv2_q;
  rdw_t                rd2_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v2_q <= 1'b0;
    else v2_q <= v1_q;
  end
  always_ff @(posedge clk_i) begin
    if (v1_q) begin
      slot2_q <= slot1_q;
      it2_q   <= it1_q;
      at2_q   <= 13'(at1);
      c2_q    <= c1;
      cfg2_q  <= cfg1;
      una2_q  <= ended1 ? ended_una1 : w1.una;
      bv2_q   <= bv1;
      rd2_q   <= rd1;
      mark2_q <= mark1;
      peek2_q <= peek1;
      late2_q <= late_new_i;
      late_again2_q <= late_again_i;
    end
  end

  logic        local_inv, sets, stag_op, inv_wait, inv_over, inv_end, mark2_q;
  logic        late2_q, late_again2_q;
  logic        look, has, sq, read, acked, fail, busy, dead, done, flush, act, cqe, nocred, held, posted, rd_bad, pop_rec, purge;
  logic        ask, blamed, seen, pass, blocked, unlink;
  logic [15:0] count;
  logic [1:0]  kind;
  logic [15:0] open;
  logic [5:0]  cred_q, icred_q;
  weft_dp_pkg::cqe_t q_n;
  assign seen   = v2_q && !it2_q[1] && c2_q.live;
  assign look   = seen && !peek2_q;
  assign pass   = seen && peek2_q && !held && acked;
  assign unlink = pass && rec.kind != weft_sq_pkg::KindSq;
  assign count  = c2_q.log_done + (peek2_q ? c2_q.ahead : '0);
  assign held   = late_again2_q || (hold_valid_i && hold_slot_i == slot2_q);
  assign has    = bv2_q.log_new != count;
  assign sq     = has ? rec.kind == weft_sq_pkg::KindSq : 1'b1;
  assign read   = has && sq && weft_sq_pkg::is_asked(rec.op);
  assign local_inv = has && sq && rec.op == 4'(weft_abi_pkg::SQ_OPCODE_LOCAL_INV);
  // The operation is not answered, or its STag is not out of use: neither done nor flushed.
  assign sets      = has && sq && (rec.op == 4'(weft_abi_pkg::SQ_OPCODE_FAST_REG) || rec.op == 4'(weft_abi_pkg::SQ_OPCODE_BIND_MW));
  assign stag_op   = local_inv || sets || rec.op == 4'(weft_abi_pkg::SQ_OPCODE_NOP);
  assign inv_over  = c2_q.inv && mark2_q == c2_q.mark;
  assign inv_wait  = ((local_inv || sets) && bv2_q.inv && rec.index == bv2_q.cur - 16'd1) || (local_inv && c2_q.inv && !inv_over);
  assign inv_end   = local_inv && acked && !fail && !c2_q.flushing && !inv_wait && !c2_q.inv;
  // A doorbell further ahead than the ring is long is not to be believed.
  assign open   = prod_i - c2_q.sq;
  assign posted = open != '0 && open <= (16'd1 << cfg2_q.log2);
  assign acked  = has && fin.done && fin.stop <= una2_q && !(bv2_q.stopped && fin.stop > bv2_q.cut);
  assign rd_bad = read && rd2_q.bad && rd2_q.seq == c2_q.rd_used;
  assign fail   = bv2_q.err && !c2_q.err_done && sq && (has ? rec.index : c2_q.sq) == bv2_q.err_idx && (has || posted);
  // Of what the peer refused, the oldest that was begun and is of the kind that it names.
  assign kind   = rec.op == 4'(weft_abi_pkg::SQ_OPCODE_WRITE) ? weft_sq_pkg::PeerWrite : read ? weft_sq_pkg::PeerRead
                  : stag_op ? weft_sq_pkg::PeerAny : weft_sq_pkg::PeerSend;
  assign blamed = !fail && bv2_q.err_any && !c2_q.err_done && !c2_q.flushing
                  && (bv2_q.any_kind == weft_sq_pkg::PeerAny || (has && kind == bv2_q.any_kind));
  assign done   = acked && (!read || rd2_q.cnt != c2_q.rd_used) && (!local_inv || inv_over) && !inv_wait && !fail && !c2_q.flushing;
  assign dead   = bv2_q.state == weft_abi_pkg::QP_STATE_ERR;
  // Its response may be written still, or its bytes be read. Who fails is set to ERR, too.
  assign busy   = has && !done && ((read && !rd2_q.quiet) || late2_q);
  assign flush  = !done && !fail && dead && (has || posted) && !inv_wait && !inv_end;
  assign act    = look && !held && (done || fail || flush) && !busy && !nocred;
  assign cqe    = sq && (fail || flush || (done && (rec.signaled || rd_bad)));
  assign nocred = inv_end ? icred_q == '0 : cqe && cred_q == '0;
  assign pop_rec = act && has;
  assign blocked = look && !act && !held && read && acked && !fail && !dead && !c2_q.flushing && rd2_q.cnt == c2_q.rd_used;
  assign ask     = look && !held && inv_end && icred_q != '0;
  // Nothing is left that was begun: neither are responses that were not.
  assign purge   = look && it2_q[0] && dead && !has;

  always_comb begin
    c_n = c2_q;
    q_n = '0;
    if (v2_q) begin
      q_n.link.port = cfg2_q.port;
      q_n.link.fn   = cfg2_q.fn;
      q_n.cqn       = cfg2_q.cqn;
      q_n.qpn       = cfg2_q.qpn;
      q_n.index     = c2_q.sq;
      if (done) begin
        unique case (rec.op)
          4'(weft_abi_pkg::SQ_OPCODE_WRITE): q_n.opcode = weft_abi_pkg::WC_OPCODE_WRITE;
          4'(weft_abi_pkg::SQ_OPCODE_READ):  q_n.opcode = weft_abi_pkg::WC_OPCODE_READ;
          4'(weft_abi_pkg::SQ_OPCODE_FETCH_ADD): q_n.opcode = weft_abi_pkg::WC_OPCODE_FETCH_ADD;
          4'(weft_abi_pkg::SQ_OPCODE_CMP_SWAP):  q_n.opcode = weft_abi_pkg::WC_OPCODE_CMP_SWAP;
          4'(weft_abi_pkg::SQ_OPCODE_NOP):   q_n.opcode = weft_abi_pkg::WC_OPCODE_LOCAL;
          4'(weft_abi_pkg::SQ_OPCODE_LOCAL_INV): q_n.opcode = weft_abi_pkg::WC_OPCODE_LOCAL_INV;
          4'(weft_abi_pkg::SQ_OPCODE_FAST_REG):  q_n.opcode = weft_abi_pkg::WC_OPCODE_FAST_REG;
          4'(weft_abi_pkg::SQ_OPCODE_BIND_MW):   q_n.opcode = weft_abi_pkg::WC_OPCODE_BIND_MW;
          4'(weft_abi_pkg::SQ_OPCODE_IMM):   q_n.opcode = weft_abi_pkg::WC_OPCODE_IMM;
          default:                           q_n.opcode = weft_abi_pkg::WC_OPCODE_SEND;
        endcase
        if (read) q_n.bytes = rec.len;
        if (rd_bad) begin
          q_n.status    = rd2_q.status;
          q_n.solicited = 1'b1;
        end
      end else begin
        q_n.solicited = 1'b1;
        q_n.status    = fail ? 8'(bv2_q.err_status) : blamed ? 8'(bv2_q.any_status) : weft_abi_pkg::WC_STATUS_WR_FLUSH_ERR;
      end
      if (act) begin
        if (has) begin
          c_n.log_done = c2_q.log_done + 16'd1;
          c_n.head     = next;
          c_n.ahead    = c2_q.ahead - 16'(c2_q.ahead != '0);
        end
        if (sq) c_n.sq = c2_q.sq + 16'd1;
        if (read) c_n.rd_used = c2_q.rd_used + 8'd1;
        c_n.inv = 1'b0;
        if (sq && !done) begin
          c_n.flushing = 1'b1;
          c_n.err_done = c2_q.err_done || fail || blamed;
        end
      end
      if (ask) begin
        c_n.inv  = 1'b1;
        c_n.mark = !c2_q.mark;
      end
      if (look) c_n.blocked = blocked;
      if (pass) begin
        c_n.peek = next;
        if (unlink) begin
          c_n.log_done = c2_q.log_done + 16'd1;
        end else begin
          c_n.ahead = c2_q.ahead + 16'd1;
          c_n.prev  = at2_q;
        end
      end
      c_n.rsv = c2_q.rsv ^ ((pop_rec || unlink) && rec.rsv);
      if (it2_q == 2'd2) begin
        c_n          = '0;
        c_n.live     = 1'b1;
        c_n.head     = bv2_q.log_nxt;
        c_n.sq       = h.sq_done;
        c_n.flushing = h.flushing;
        c_n.err_done = h.flushing;
      end
      if (it2_q == 2'd3) c_n.live = 1'b0;
    end
  end

  // ---------------------------------------------------------------- stage 3
  logic              ask3_q;
  logic              v3_q, act3_q, cqe3_q, pop3_q, unlink3_q, common3_q, resp3_q, whole3_q, purge3_q, again3_q, wait3_q;
  logic [SlW-1:0]    slot3_q;
  logic [1:0]        it3_q;
  logic [12:0]       blk3_q, prev3_q, next3_q;
  weft_dp_pkg::cqe_t q3_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v3_q     <= 1'b0;
      act3_q   <= 1'b0;
      cqe3_q   <= 1'b0;
      pop3_q   <= 1'b0;
      resp3_q  <= 1'b0;
      purge3_q <= 1'b0;
      again3_q <= 1'b0;
      wait3_q  <= 1'b0;
      ask3_q   <= 1'b0;
      icred_q  <= 6'(INV_ENDS);
      cred_q   <= 6'd32;
    end else begin
      v3_q     <= v2_q;
      act3_q   <= act;
      cqe3_q   <= act && cqe;
      pop3_q   <= pop_rec || unlink;
      resp3_q  <= (((pop_rec && c2_q.ahead == '0) || pass) && rec.kind == weft_sq_pkg::KindResp) || purge;
      purge3_q <= purge;
      again3_q <= (act || pass || blocked) && it2_q[0];
      wait3_q  <= look && !held && (done || fail || flush || inv_end) && !busy && nocred && it2_q[0];
      ask3_q   <= ask;
      icred_q  <= icred_q - 6'(ask) + 6'(inv_done_i);
      cred_q   <= cred_q - 6'(act && cqe) + 6'(cqe_valid_o && cqe_ready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (v2_q) begin
      slot3_q   <= slot2_q;
      it3_q     <= it2_q;
      c3_q      <= c_n;
      q3_q      <= q_n;
      blk3_q    <= at2_q;
      unlink3_q <= unlink;
      prev3_q   <= c2_q.prev;
      next3_q   <= next;
      common3_q <= rec.common;
      whole3_q  <= fin.done && !purge;
      cqn3_q    <= cfg2_q.cqn;
      inv_o     <= {12'(slot2_q), cfg2_q.qpn, rec.len, !c2_q.mark};
    end
  end
  logic [23:0] cqn3_q;
  assign inv_valid_o   = ask3_q;
  assign free_valid_o  = pop3_q || (v3_q && it3_q == 2'd3);
  assign free_o        = blk3_q[LgW-1:0];
  assign free_common_o = pop3_q && common3_q;
  assign cv_we_o       = v3_q;
  assign cv_slot_o     = slot3_q;
  assign cv_o.log_done = c3_q.log_done;
  assign cv_o.rd_done  = c3_q.rd_used;
  assign cv_o.sq       = c3_q.sq;
  assign cv_o.rsv      = c3_q.rsv;
  assign link_we       = pop3_q;
  assign link_wa       = unlink3_q ? prev3_q[LgW-1:0] : blk3_q[LgW-1:0];
  assign link_wd       = unlink3_q ? {1'b1, next3_q} : 14'd0;
  assign ctl_done_o    = v3_q && it3_q[1];
  assign ctl_done_save_o = it3_q[0];
  assign ctl_sq_o      = c3_q.sq;
  assign ctl_flush_o   = c3_q.flushing;
  assign ctl_cqn_o     = cqn3_q;
  assign resp_done_o   = resp3_q;
  assign resp_purge_o  = purge3_q;
  assign resp_whole_o  = whole3_q;
  assign resp_slot_o   = slot3_q;
  // The pin of a record goes on with the nudge, that of a visit with its repetition; else it goes when that of a wait for a CQE is there.
  logic [1:0]     gone_q;
  logic [SlW-1:0] gone4_q, gone5_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gone_q <= '0;
    else gone_q <= {gone_q[0], v3_q && it3_q == 2'd1 && !again3_q};
  end
  always_ff @(posedge clk_i) begin
    gone4_q <= slot3_q;
    gone5_q <= gone4_q;
  end
  assign drop_n_o      = 4'(gone_q[1]);
  assign drop_o        = gone_q[1];
  assign drop_slot_o   = gone5_q;
  assign stat_flush_o  = act && flush;

  // ---------------------------------------------------------------- out
  logic q_in_r;
  logic [5:0] q_n_cnt, nu_n, ag_n;
  logic [1:0] full;
  weft_fifo #(.W($bits(cqe_o)), .DEPTH(32)) u_cqe (
    .clk_i, .rst_ni, .in_valid_i(cqe3_q), .in_ready_o(q_in_r), .in_data_i(q3_q),
    .out_valid_o(cqe_valid_o), .out_ready_i(cqe_ready_i), .out_data_o(cqe_o), .count_o(q_n_cnt)
  );
  weft_fifo #(.W(SlW), .DEPTH(32)) u_nudge (
    .clk_i, .rst_ni, .in_valid_i(pop3_q), .in_ready_o(full[0]), .in_data_i(slot3_q),
    .out_valid_o(nudge_valid_o), .out_ready_i(nudge_ready_i), .out_data_o(nudge_slot_o), .count_o(nu_n)
  );
  weft_fifo #(.W(SlW), .DEPTH(32)) u_again (
    .clk_i, .rst_ni, .in_valid_i(again3_q), .in_ready_o(full[1]), .in_data_i(slot3_q),
    .out_valid_o(again_valid_o[0]), .out_ready_i(again_ready_i[0]), .out_data_o(again_slot_o[0+:SlW]), .count_o(ag_n)
  );
  assign calm = nu_n < 6'd20 && ag_n < 6'd20 && resp_room_i && ready_o;

  // Slots that wait for room for a CQE or an end of a LOCAL_INV, with a pin.
  logic [SlW-1:0] wslot_q;
  always_ff @(posedge clk_i) wslot_q <= slot3_q;
  assign wait_o      = w_enter;
  assign wait_slot_o = wslot_q;
  logic           w_go, w_set_ready, w_valid, w_idle, w_merge, w_enter;
  logic [SlW-1:0] w_slot;
  logic [SlW:0]   w_count;
  weft_ready_fifo #(.N(N_SLOT)) u_wait (
    .clk_i, .rst_ni, .ready_o(w_set_ready), .ins_valid_i(wait3_q), .ins_id_i(slot3_q), .out_valid_o(w_valid),
    .out_ready_i(again_ready_i[2] && w_go), .out_id_o(w_slot), .count_o(w_count), .idle_o(w_idle),
    .stat_enter_o(w_enter), .stat_merge_o(w_merge)
  );
  assign w_go                      = cred_q > 6'd8 && icred_q > 6'd1;
  assign again_valid_o[2]          = w_valid && w_go;
  assign again_slot_o[2*SlW+:SlW] = w_slot;

  // ---------------------------------------------------------------- Reads that are answered
  // A word that says `quiet` may find a slot without any record, thus without a pin but its own: it is taken when the set that was told has one.
  typedef enum logic [2:0] {StIdle, StAdd, StTell, StPin, StOver} state_e;
  state_e         state_q;
  rdw_t           rd_old, rd_new;
  logic [SlW-1:0] rslot_q;
  logic [7:0]     rstat_q;
  logic           rd_we, rquiet_q;
  assign rd_ready_o = rd_i.quiet ? state_q == StOver : state_q == StIdle;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:  if (rd_valid_i) state_q <= StAdd;
        StAdd:   if (!rd_clear_i) state_q <= StTell;
        StTell:  if (again_ready_i[1]) state_q <= rquiet_q ? StPin : StIdle;
        StPin:   state_q <= StOver;
        default: state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      rslot_q  <= rd_i.who.slot[SlW-1:0];
      rstat_q  <= rd_i.status;
      rquiet_q <= rd_i.quiet;
    end
  end
  always_comb begin
    rd_new     = rd_old;
    if (rquiet_q) begin
      rd_new.quiet = 1'b1;
    end else begin
      rd_new.cnt = rd_old.cnt + 8'd1;
    end
    if (!rquiet_q && rstat_q != '0 && !rd_old.bad) begin
      rd_new.bad    = 1'b1;
      rd_new.seq    = rd_old.cnt;
      rd_new.status = rstat_q;
    end
  end
  assign rd_we = rd_clear_i || state_q == StAdd;
  weft_ram_1r1w #(.W(RdwW), .DEPTH(N_SLOT)) u_rd_look (
    .clk_i, .we_i(rd_we), .waddr_i(rd_clear_i ? rd_clear_slot_i : rslot_q), .wdata_i(rd_clear_i ? '0 : rd_new),
    .re_i(st_valid), .raddr_i(st_slot), .rdata_o(rd1)
  );
  weft_ram_1r1w #(.W(RdwW), .DEPTH(N_SLOT)) u_rd_add (
    .clk_i, .we_i(rd_we), .waddr_i(rd_clear_i ? rd_clear_slot_i : rslot_q), .wdata_i(rd_clear_i ? '0 : rd_new),
    .re_i(state_q == StIdle), .raddr_i(rd_i.who.slot[SlW-1:0]), .rdata_o(rd_old)
  );
  assign again_valid_o[1]        = state_q == StTell;
  assign again_slot_o[SlW+:SlW]  = rslot_q;

  assign idle_o = pipe_idle && !second_q && !v1_q && !v2_q && !v3_q && gone_q == '0 && !cqe_valid_o && again_valid_o == '0 && !nudge_valid_o
                  && !w_valid && state_q == StIdle && ended_idle;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(cqe3_q && !q_in_r)) else $error("%m: a CQE is lost");
      assert (!(pop3_q && !full[0]) && !(again3_q && !full[1])) else $error("%m: a message is lost");
      if (act && has && sq) assert (rec.index == c2_q.sq) else $error("%m: WQE %0d completes, %0d is next", rec.index, c2_q.sq);
      if (v3_q && it3_q == 2'd3) assert (act3_q == 1'b0);
      if (unlink) assert (c2_q.ahead != '0) else $error("%m: a response in front of a Read is taken out of the list");
    end
  end
`endif
  logic unused;
  assign unused = ^{h, w1, bv2_q, rec, rd_i, c_head, q_in_r, full, q_n_cnt, w_count, w_idle, w_merge, act3_q, blk3_q, prev3_q, cfg2_q};

`ifdef FORMAL_sq_cmpl
  `include "sq_cmpl.svh"
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
