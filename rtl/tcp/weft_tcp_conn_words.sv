// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// What other rooms tell of a connection: latest value of a slot and one touch. Always taken, one of each kind
/// a cycle. A word that is given in cycle c is seen by a visit whose item is at the head in cycle c + 2 or later, and
/// such a visit comes: a slot is in the set of touches once, and is taken out of it before its words are read.
///
/// How values merge when the reader has not seen the one before:
/// - commit in order: what touches or overlaps is one range (`from` of the first, the latest `to`). One that begins behind the
///   end of the range takes its place: all in front of it was committed before the load;
/// - commit ahead of turn: those that touch are one; else the last one (the other is not reported to the peer);
/// - rcv_room: the last one, it only grows; unaccept of one generation: the lowest offset;
/// - departed: what happened at all, the newest data, the newest ACK field and window.
/// Of ranges ahead, unaccept and departed a visit sees what came since the last one that took them, however much it was.
module weft_tcp_conn_words #(
  parameter int unsigned N_SLOT = 256,  ///< power of two, 4 to 4096
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  output logic                      ready_o,          ///< registered: nothing may be given before

  input  logic                      commit_valid_i,
  input  weft_dp_pkg::commit_t      commit_i,
  input  logic                      room_valid_i,
  input  weft_dp_pkg::rcv_room_t    room_i,
  input  logic                      unaccept_valid_i,
  input  weft_dp_pkg::unaccept_t    unaccept_i,
  input  logic                      departed_valid_i,
  input  weft_dp_pkg::departed_t    departed_i,
  input  logic                      smax_valid_i,
  input  logic [SlW-1:0]            smax_slot_i,
  input  logic [31:0]               smax_i,

  input  logic                      clr_i,            ///< a slot gets another connection: held until done
  input  logic [SlW-1:0]            clr_slot_i,
  output logic                      clr_done_o,

  input  logic                      rd_i,
  input  logic                      rd_take_i,        ///< the visit looks at the words
  input  logic [SlW-1:0]            rd_slot_i,
  output weft_tcp_conn_pkg::words_t rd_o,             ///< a cycle later
  output logic                      rd_smax_v_o,      ///< the slicer has bound a segment since the load
  output logic [31:0]               rd_smax_o,

  output logic                      touch_valid_o,
  input  logic                      touch_ready_i,
  output logic [SlW-1:0]            touch_slot_o,
  input  logic                      touch_wait_i,     ///< not this slot now: it goes behind all others
  output logic                      idle_o,
  output logic                      stat_merge_o      ///< pulse: a touch that was on its way already
);

  localparam int unsigned Commit = 0, Room = 1, Unaccept = 2, Departed = 3;

  // ---------------------------------------------------------------- what came in, beside the words as they were
  weft_dp_pkg::commit_t        cm_q;
  weft_dp_pkg::rcv_room_t      rm_q;
  weft_dp_pkg::unaccept_t      un_q;
  weft_dp_pkg::departed_t      dp_q;
  always_ff @(posedge clk_i) begin
    if (commit_valid_i) cm_q <= commit_i;
    if (room_valid_i) rm_q <= room_i;
    if (unaccept_valid_i) un_q <= unaccept_i;
    if (departed_valid_i) dp_q <= departed_i;
  end

  weft_tcp_conn_pkg::w_commit_t   co, cw;
  weft_tcp_conn_pkg::w_ahead_t    ao, aw;
  weft_tcp_conn_pkg::w_room_t     ro, rw;
  weft_tcp_conn_pkg::w_unaccept_t uo, uw;
  weft_tcp_conn_pkg::w_departed_t po, pw;
  logic                           c_b, a_b, r_b, u_b, d_b;
  logic [SlW-1:0]                 c_s, a_s, r_s, u_s, d_s;
  logic                           joins, data, lower;
  logic [31:0]                    lead, grow, span, fresh, below, a_up, a_dn, a_lo, a_hi;

  assign a_up  = ao.to - cm_q.from[31:0];
  assign a_dn  = cm_q.to[31:0] - ao.from;
  assign a_lo  = ao.from - cm_q.from[31:0];
  assign a_hi  = cm_q.to[31:0] - ao.to;
  assign lead  = co.to - cm_q.from[31:0];
  assign joins = co.v && !lead[31];
  assign grow  = cm_q.to[31:0] - co.to;
  assign span  = cm_q.to[31:0] - co.from;
  assign fresh = cm_q.to[31:0] - co.now;
  always_comb begin
    cw       = co;
    cw.v     = 1'b1;
    cw.first = cm_q.first || (co.v && co.first);
    cw.fin   = cm_q.fin || (co.v && co.fin);
    if (!joins) begin
      cw.from = cm_q.from[31:0];
      cw.to   = cm_q.to[31:0];
      cw.now  = cm_q.now ? cm_q.to[31:0] : cm_q.from[31:0];
    end else begin
      if (!grow[31]) cw.to = cm_q.to[31:0];
      // The reader has seen all but the last window of what has grown for long.
      if (!grow[31] && span[31:30] != '0) cw.from = cm_q.to[31:0] - 32'h4000_0000;
      if (cm_q.now && !fresh[31]) cw.now = cm_q.to[31:0];
      else if (!grow[31] && fresh[31:30] != '0) cw.now = cm_q.to[31:0] - 32'h4000_0000;
    end
    aw.v     = 1'b1;
    aw.from  = cm_q.from[31:0];
    aw.to    = cm_q.to[31:0];
    if (ao.v && !a_up[31] && !a_dn[31]) begin
      if (a_lo[31]) aw.from = ao.from;
      if (a_hi[31]) aw.to = ao.to;
    end
    rw.v     = 1'b1;
    rw.right = rm_q.edge_off[31:0];
  end

  assign below = un_q.off[31:0] - uo.off;
  assign lower = !(uo.v && uo.gen == un_q.gen) || below[31];
  always_comb begin
    uw.v   = 1'b1;
    uw.gen = un_q.gen;
    uw.off = lower ? un_q.off[31:0] : uo.off;
  end

  assign data = !dp_q.ack_only && (dp_q.len != '0 || dp_q.fin);
  always_comb begin
    pw       = po.v ? po : '0;
    pw.v     = 1'b1;
    // Only a segment that left has told the peer something.
    if (!dp_q.unsent && (data || dp_q.ack_only)) begin
      pw.acked = dp_q.acked;
      pw.right = dp_q.edge_seq;
      pw.said  = 1'b1;
    end
    if (dp_q.ack_only || dp_q.fin) pw.ack = 1'b1;
    if (dp_q.ask_done) pw.ask = 1'b1;
    if (data && dp_q.again) pw.again = 1'b1;
    if (dp_q.cwr) pw.cwr = 1'b1;
    if (dp_q.cut && !dp_q.ask_done) pw.cut = 1'b1;
    if (dp_q.cut && !dp_q.ask_done) pw.partly = data && !dp_q.again;
    if (dp_q.cut && dp_q.ask_done) pw.more = 1'b1;
    if (data && dp_q.fin) pw.fin = 1'b1;
    if (data) begin
      pw.start = dp_q.off[31:0];
      pw.stop  = dp_q.off[31:0] + 32'(dp_q.len) + 32'(dp_q.fin);
    end
    if (data && !dp_q.again) begin
      pw.fresh = 1'b1;
      pw.at    = 32'(dp_q.at >> 10);
    end
  end

  // ---------------------------------------------------------------- words
  logic [4:0] done;
  logic       sm_done_q;
  weft_tcp_conn_word #(.N_SLOT(N_SLOT), .W(weft_tcp_conn_pkg::WCommitW)) u_commit (
    .clk_i, .rst_ni, .a_valid_i(commit_valid_i && !commit_i.ahead), .a_slot_i(commit_i.who.slot[SlW-1:0]), .b_valid_o(c_b),
    .b_slot_o(c_s), .b_old_o(co), .b_new_i(cw), .clr_i, .clr_slot_i, .clr_done_o(done[0]), .rd_i, .rd_take_i,
    .rd_slot_i, .rd_o(rd_o.commit)
  );
  weft_tcp_conn_word #(.N_SLOT(N_SLOT), .W(weft_tcp_conn_pkg::WAheadW), .TAKE(1'b1)) u_ahead (
    .clk_i, .rst_ni, .a_valid_i(commit_valid_i && commit_i.ahead), .a_slot_i(commit_i.who.slot[SlW-1:0]), .b_valid_o(a_b),
    .b_slot_o(a_s), .b_old_o(ao), .b_new_i(aw), .clr_i, .clr_slot_i, .clr_done_o(done[1]), .rd_i, .rd_take_i,
    .rd_slot_i, .rd_o(rd_o.ahead)
  );
  weft_tcp_conn_word #(.N_SLOT(N_SLOT), .W(weft_tcp_conn_pkg::WRoomW)) u_room (
    .clk_i, .rst_ni, .a_valid_i(room_valid_i), .a_slot_i(room_i.who.slot[SlW-1:0]), .b_valid_o(r_b),
    .b_slot_o(r_s), .b_old_o(ro), .b_new_i(rw), .clr_i, .clr_slot_i, .clr_done_o(done[2]), .rd_i, .rd_take_i,
    .rd_slot_i, .rd_o(rd_o.room)
  );
  weft_tcp_conn_word #(.N_SLOT(N_SLOT), .W(weft_tcp_conn_pkg::WUnacceptW), .TAKE(1'b1)) u_unaccept (
    .clk_i, .rst_ni, .a_valid_i(unaccept_valid_i), .a_slot_i(unaccept_i.who.slot[SlW-1:0]), .b_valid_o(u_b),
    .b_slot_o(u_s), .b_old_o(uo), .b_new_i(uw), .clr_i, .clr_slot_i, .clr_done_o(done[3]), .rd_i, .rd_take_i,
    .rd_slot_i, .rd_o(rd_o.unaccept)
  );
  weft_tcp_conn_word #(.N_SLOT(N_SLOT), .W(weft_tcp_conn_pkg::WDepartedW), .TAKE(1'b1)) u_departed (
    .clk_i, .rst_ni, .a_valid_i(departed_valid_i), .a_slot_i(departed_i.who.slot[SlW-1:0]), .b_valid_o(d_b),
    .b_slot_o(d_s), .b_old_o(po), .b_new_i(pw), .clr_i, .clr_slot_i, .clr_done_o(done[4]), .rd_i, .rd_take_i,
    .rd_slot_i, .rd_o(rd_o.departed)
  );
  assign clr_done_o = done == '1 && sm_done_q;

  // What the slicer has bound is seen a cycle later, before the segment can leave.
  logic sm_clr;
  assign sm_clr = clr_i && !sm_done_q && !smax_valid_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sm_done_q <= 1'b0;
    else sm_done_q <= clr_i && (sm_done_q || sm_clr);
  end
  weft_ram_1r1w #(.W(33), .DEPTH(N_SLOT)) u_smax (
    .clk_i, .we_i(smax_valid_i || sm_clr), .waddr_i(smax_valid_i ? smax_slot_i : clr_slot_i),
    .wdata_i(smax_valid_i ? {1'b1, smax_i} : '0), .re_i(rd_i), .raddr_i(rd_slot_i), .rdata_o({rd_smax_v_o, rd_smax_o})
  );

  // ---------------------------------------------------------------- touches: a set a source, then one of all
  logic [3:0]          set_iv, set_ready, set_idle;
  logic [4:0]          set_v, set_r, gnt;
  logic [3:0][SlW-1:0] set_is;
  logic [3:0][SlW-1:0] set_s;
  logic                any, all_ready, all_idle, out_v, later, later_q;
  logic [2:0]          idx;
  logic [SlW-1:0]      later_slot_q;
  assign set_iv[Commit]   = c_b || a_b;
  assign set_is[Commit]   = c_b ? c_s : a_s;
  assign set_iv[Room]     = r_b;
  assign set_is[Room]     = r_s;
  assign set_iv[Unaccept] = u_b;
  assign set_is[Unaccept] = u_s;
  assign set_iv[Departed] = d_b;
  assign set_is[Departed] = d_s;
  for (genvar k = 0; k < 4; k++) begin : gen_set
    weft_ready_fifo #(.N(N_SLOT)) u_set (
      .clk_i, .rst_ni, .ready_o(set_ready[k]), .ins_valid_i(set_iv[k]), .ins_id_i(set_is[k]), .out_valid_o(set_v[k]),
      .out_ready_i(set_r[k]), .out_id_o(set_s[k]), .count_o(), .idle_o(set_idle[k]), .stat_enter_o(), .stat_merge_o()
    );
  end
  weft_arb_rr #(.N(5)) u_arb (
    .clk_i, .rst_ni, .req_i(set_v), .advance_i(1'b1), .valid_o(any), .gnt_o(gnt), .idx_o(idx)
  );
  assign set_r = gnt & {5{any}};
  weft_ready_fifo #(.N(N_SLOT)) u_touch (
    .clk_i, .rst_ni, .ready_o(all_ready), .ins_valid_i(any), .ins_id_i(gnt[4] ? later_slot_q : set_s[idx[1:0]]), .out_valid_o(out_v),
    .out_ready_i((touch_valid_o && touch_ready_i) || later), .out_id_o(touch_slot_o), .count_o(), .idle_o(all_idle), .stat_enter_o(),
    .stat_merge_o
  );
  // Who cannot be touched now makes way, and is put in again.
  assign touch_valid_o = out_v && !touch_wait_i;
  assign later         = out_v && touch_wait_i && (!later_q || set_r[4]);
  assign set_v[4]      = later_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) later_q <= 1'b0;
    else later_q <= later || (later_q && !set_r[4]);
  end
  always_ff @(posedge clk_i) if (later) later_slot_q <= touch_slot_o;
  assign ready_o = set_ready == '1 && all_ready;
  assign idle_o  = set_idle == '1 && all_idle && !later_q && !c_b && !a_b && !r_b && !u_b && !d_b && !commit_valid_i && !room_valid_i
                   && !unaccept_valid_i && !departed_valid_i;

  // Upper halves of offsets, QPNs (a pin keeps the slot) and what is counted elsewhere.
  logic unused;
  assign unused = ^{idx[2], cm_q, rm_q, un_q, dp_q, ro, commit_i, room_i, unaccept_i, departed_i, below[30:0], lead[30:0], grow[30:0], span[29:0], fresh[29:0], ao, uo,
                    a_up[30:0], a_dn[30:0], a_lo[30:0], a_hi[30:0]};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
