// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// What weft_tcp_rack is told: words per slot, always taken, and the set of slots that have news. A slot that comes out
/// of the set is read a cycle behind its take; what it is told later puts it there again.
///
/// How values merge that were not looked at: of segments that left, end and time of the newest new data and its span, and one
/// range with all that was sent again and the latest time; of what was asked for one range with all of it; of the peer's SACK blocks the newest (each is said several
/// times, RFC 2018 4); why to look: all of it.
// lint: -GN_SLOT=256
module weft_tcp_rack_in #(
  parameter int unsigned N_SLOT = 256,
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  output logic                            ready_o,

  input  logic                            departed_valid_i,
  input  weft_dp_pkg::departed_t          departed_i,
  input  logic                            conn_valid_i,
  input  logic [SlW-1:0]                  conn_slot_i,
  input  weft_tcp_conn_pkg::rack_conn_t   conn_i,
  input  weft_tcp_conn_pkg::rack_work_t   work_i,
  input  logic                            clr_i,
  input  logic [SlW-1:0]                  clr_slot_i,
  output logic                            clr_done_o,

  output logic                            valid_o,
  input  logic                            ready_i,    ///< pulse: it is taken
  output logic [SlW-1:0]                  slot_o,
  input  logic                            rd_i,       ///< the cycle behind it, or later
  input  logic [SlW-1:0]                  rd_slot_i,
  output weft_tcp_conn_pkg::rack_conn_t   conn_o,     ///< a cycle behind rd_i
  output weft_tcp_conn_pkg::rack_work_t   work_o,
  output weft_tcp_conn_pkg::rack_left_t   left_o,
  output logic                            idle_o
);

  weft_dp_pkg::departed_t        dp_q;
  weft_tcp_conn_pkg::rack_conn_t cn_q;
  weft_tcp_conn_pkg::rack_work_t wk_q, wo, ww;
  weft_tcp_conn_pkg::rack_left_t lo, lw;
  logic                          data, d_b, w_b, cn_v_q;
  logic [1:0]                    done;
  logic [SlW-1:0]                d_s, w_s, cn_s_q;
  logic [31:0]                   off, stop, tick, lead, behind, later, a_lead, a_behind;
  assign data = departed_valid_i && !departed_i.ack_only && (departed_i.len != '0 || departed_i.fin);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cn_v_q <= 1'b0;
    else cn_v_q <= conn_valid_i;
  end
  always_ff @(posedge clk_i) begin
    dp_q   <= departed_i;
    cn_q   <= conn_i;
    cn_s_q <= conn_slot_i;
    wk_q   <= work_i;
  end

  assign off    = dp_q.off[31:0];
  assign stop   = off + 32'(dp_q.len) + 32'(dp_q.fin);
  assign tick   = 32'(dp_q.at >> 10);
  assign lead   = off - lo.from;
  assign a_lead   = wk_q.from - wo.from;
  assign a_behind = wk_q.to - wo.to;
  assign behind = stop - lo.to;
  assign later  = tick - lo.fresh_at;
  always_comb begin
    lw   = lo.v ? lo : '0;
    lw.v = 1'b1;
    if (dp_q.again) begin
      lw.again = 1'b1;
      lw.at    = tick;
      if (!(lo.v && lo.again) || lead[31]) lw.from = off;
      if (!(lo.v && lo.again) || !behind[31]) lw.to = stop;
    end else begin
      lw.fresh    = 1'b1;
      lw.stop     = stop;
      lw.fresh_at = tick;
      lw.span     = lo.v && lo.fresh ? weft_tcp_conn_pkg::span_add(lo.span, later) : '0;
    end
    ww   = wo.v ? wo : '0;
    ww.v = 1'b1;
    if (wk_q.n_sack != '0) begin
      ww.n_sack = wk_q.n_sack;
      ww.sack   = wk_q.sack;
    end
    // What was said before a load or a time-out is void.
    if (wk_q.load || wk_q.rto) ww.n_sack = '0;
    if (wk_q.load || wk_q.rto) ww.asked = 1'b0;
    if (wk_q.asked) begin
      if (!ww.asked || a_lead[31]) ww.from = wk_q.from;
      if (!ww.asked || !a_behind[31]) ww.to = wk_q.to;
      ww.asked = 1'b1;
    end
    ww.load  = wk_q.load || (wo.v && wo.load);
    ww.rto   = wk_q.rto || (wo.v && wo.rto);
    ww.leave = wk_q.leave || (wo.v && wo.leave);
  end

  weft_tcp_conn_word #(.N_SLOT(N_SLOT), .W(weft_tcp_conn_pkg::RackLeftW), .TAKE(1'b1)) u_left (
    .clk_i, .rst_ni, .a_valid_i(data), .a_slot_i(departed_i.who.slot[SlW-1:0]), .b_valid_o(d_b), .b_slot_o(d_s), .b_old_o(lo),
    .b_new_i(lw), .clr_i, .clr_slot_i, .clr_done_o(done[0]), .rd_i, .rd_take_i(1'b1), .rd_slot_i, .rd_o(left_o)
  );
  weft_tcp_conn_word #(.N_SLOT(N_SLOT), .W(weft_tcp_conn_pkg::RackWorkW), .TAKE(1'b1)) u_work (
    .clk_i, .rst_ni, .a_valid_i(conn_valid_i && work_i.v), .a_slot_i(conn_slot_i), .b_valid_o(w_b), .b_slot_o(w_s),
    .b_old_o(wo), .b_new_i(ww), .clr_i, .clr_slot_i, .clr_done_o(done[1]), .rd_i, .rd_take_i(1'b1), .rd_slot_i,
    .rd_o(work_o)
  );
  assign clr_done_o = done == '1;
  // Written with the word of the same visit, so that both are seen or none.
  weft_ram_1r1w #(.W(weft_tcp_conn_pkg::RackConnW), .DEPTH(N_SLOT)) u_conn (
    .clk_i, .we_i(cn_v_q), .waddr_i(cn_s_q), .wdata_i(cn_q), .re_i(rd_i), .raddr_i(rd_slot_i), .rdata_o(conn_o)
  );

  logic [1:0]          set_ready, set_v, set_r, set_idle;
  logic [1:0][SlW-1:0] set_s;
  logic                turn_q;
  weft_ready_fifo #(.N(N_SLOT)) u_set_left (
    .clk_i, .rst_ni, .ready_o(set_ready[0]), .ins_valid_i(d_b), .ins_id_i(d_s), .out_valid_o(set_v[0]),
    .out_ready_i(set_r[0]), .out_id_o(set_s[0]), .count_o(), .idle_o(set_idle[0]), .stat_enter_o(), .stat_merge_o()
  );
  weft_ready_fifo #(.N(N_SLOT)) u_set_work (
    .clk_i, .rst_ni, .ready_o(set_ready[1]), .ins_valid_i(w_b), .ins_id_i(w_s), .out_valid_o(set_v[1]),
    .out_ready_i(set_r[1]), .out_id_o(set_s[1]), .count_o(), .idle_o(set_idle[1]), .stat_enter_o(), .stat_merge_o()
  );
  logic one;
  assign one     = set_v[1] && (turn_q || !set_v[0]);
  assign valid_o = set_v != '0;
  assign slot_o  = one ? set_s[1] : set_s[0];
  assign set_r   = {ready_i && one, ready_i && !one};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else if (ready_i) turn_q <= !one;
  end
  assign ready_o = set_ready == '1;
  assign idle_o  = set_idle == '1 && !d_b && !w_b && !data && !conn_valid_i && !cn_v_q;

  logic unused;
  assign unused = ^{dp_q, departed_i, lead[30:0], behind[30:0], a_lead[30:0], a_behind[30:0], wk_q.v};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
