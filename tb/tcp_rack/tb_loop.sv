// SPDX-License-Identifier: BSD-2-Clause
/* verilator lint_off PINCONNECTEMPTY */
/* verilator lint_off UNUSEDPARAM */

/// weft_tcp_conn, with loss detection in it, in a closed loop: models of qp, departure and wire, of a receiver with SACK, of ctx and of the timer
/// wheel (a tick of 16,384 ns, as in the card).
module tb #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_SLOT = 8
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function longint tb_now();
  logic [63:0] now;
  always @(posedge clk_i) now <= tb_now();

  logic sv, sr, dv, mv, fv, fr, hv, lv, lr, svv, svr, ready, idle, rto, loss;
  weft_dp_pkg::rx_seg_t seg;
  weft_dp_pkg::departed_t dp;
  logic [99:0] sm;
  logic [23:0] fq;
  weft_dp_pkg::have_t have;
  weft_dp_pkg::line_t ld, ln;
  weft_dp_pkg::save_t sa;
  logic vv, tv, kav, tmv, tmr, nv, nr, drv, lnv, lnr;
  logic [11:0] drs;
  logic [3:0] drn;
  weft_dp_pkg::who_t vw;
  weft_dp_pkg::dep_view_t vi;
  weft_dp_pkg::txack_t tx;
  weft_dp_pkg::ask_t as;
  weft_dp_pkg::tmr_t tm;
  weft_dp_pkg::need_t ne;

  tb_src_item #(.ID(0), .W(815)) u_seg (.clk_i, .rst_ni, .valid_o(sv), .ready_i(sr), .data_o(seg));
  tb_src_item #(.ID(1), .W(241)) u_dp (.clk_i, .rst_ni, .valid_o(dv), .ready_i(1'b1), .data_o(dp));
  tb_src_item #(.ID(2), .W(100)) u_sm (.clk_i, .rst_ni, .valid_o(mv), .ready_i(1'b1), .data_o(sm));
  tb_src_item #(.ID(3), .W(24)) u_fire (.clk_i, .rst_ni, .valid_o(fv), .ready_i(fr), .data_o(fq));
  tb_src_item #(.ID(4), .W(44)) u_have (.clk_i, .rst_ni, .valid_o(hv), .ready_i(1'b1), .data_o(have));
  tb_src_item #(.ID(5), .W(553)) u_load (.clk_i, .rst_ni, .valid_o(lv), .ready_i(lr), .data_o(ld));
  tb_src_item #(.ID(6), .W(38)) u_save (.clk_i, .rst_ni, .valid_o(svv), .ready_i(svr), .data_o(sa));
  tb_snk_pulse #(.ID(7), .W(100)) u_view (.clk_i, .rst_ni, .valid_i(vv), .data_i({vw, vi.limit}));
  tb_snk_pulse #(.ID(8), .W(229)) u_tx (.clk_i, .rst_ni, .valid_i(tv), .data_i(tx));
  tb_snk_pulse #(.ID(9), .W(169)) u_ask (.clk_i, .rst_ni, .valid_i(kav), .data_i(as));
  tb_snk_item #(.ID(10), .W(89)) u_tmr (.clk_i, .rst_ni, .valid_i(tmv), .ready_o(tmr), .data_i(tm));
  tb_snk_item #(.ID(11), .W(25)) u_need (.clk_i, .rst_ni, .valid_i(nv), .ready_o(nr), .data_i(ne));
  tb_snk_pulse #(.ID(12), .W(16)) u_drop (.clk_i, .rst_ni, .valid_i(drv), .data_i({drs, drn}));
  tb_snk_item #(.ID(13), .W(553)) u_line (.clk_i, .rst_ni, .valid_i(lnv), .ready_o(lnr), .data_i(ln));
  tb_snk_pulse #(.ID(14), .W(12)) u_rto (.clk_i, .rst_ni, .valid_i(rto), .data_i(12'(dut.slot_q[4])));
  tb_snk_pulse #(.ID(15), .W(1)) u_ready (.clk_i, .rst_ni, .valid_i(ready), .data_i(loss));
  tb_snk_pulse #(.ID(16), .W(12)) u_ldt (.clk_i, .rst_ni, .valid_i(lv && lr && ld.line == 3'd3), .data_i(ld.who.slot));
  tb_snk_pulse #(.ID(17), .W(12)) u_segt (.clk_i, .rst_ni, .valid_i(sv && sr), .data_i(seg.who.slot));
  weft_tcp_conn #(.N_SLOT(N_SLOT)) dut (
    .clk_i, .rst_ni, .ready_o(ready), .now_ns_i(now), .patient_i(1'b1), .seg_valid_i(sv), .seg_ready_o(sr), .seg_i(seg),
    .falsehit_valid_o(), .falsehit_ready_i(1'b1), .falsehit_o(), .free_valid_o(), .free_ready_i(1'b1), .free_handle_o(),
    .piece_valid_o(), .piece_ready_i(1'b1), .piece_o(), .commit_valid_i(1'b0), .commit_i('0), .rcv_room_valid_i(1'b0),
    .rcv_room_i('0), .unaccept_valid_i(1'b0), .unaccept_i('0), .departed_valid_i(dv), .departed_i(dp), .snd_max_valid_i(mv),
    .snd_max_slot_i(sm[75:64]), .snd_max_i(sm[63:0]), .ackdue_valid_o(), .ackdue_o(), .open_valid_o(),
    .open_slot_o(), .open_snd_max_o(), .view_valid_o(vv), .view_who_o(vw), .view_o(vi), .txack_valid_o(tv), .txack_o(tx),
    .ask_valid_o(kav), .ask_o(as), .tmr_valid_o(tmv), .tmr_ready_i(tmr), .tmr_o(tm), .fire_valid_i(fv), .fire_ready_o(fr),
    .fire_qpn_i(fq), .need_valid_o(nv), .need_ready_i(nr), .need_o(ne), .have_valid_i(hv), .have_i(have), .drop_valid_o(drv),
    .drop_slot_o(drs), .drop_n_o(drn), .load_valid_i(lv), .load_ready_o(lr), .load_i(ld), .save_valid_i(svv), .save_ready_o(svr),
    .save_i(sa), .line_valid_o(lnv), .line_ready_i(lnr), .line_o(ln), .cmd_valid_i(1'b0), .cmd_ready_o(), .cmd_i('0),
    .ev_valid_o(), .ev_ready_i(1'b1), .ev_o(), .idle_o(idle), .stat_seg_o(), .stat_over_o(), .stat_lost_o(), .stat_bad_o(),
    .stat_chal_o(), .stat_rto_o(), .stat_loss_o(loss), .stat_dsack_o(), .stat_false_o(), .stat_touch_o()
  );
  assign rto = dut.v_q[4] && dut.u_snd.rto;
  logic unused;
  assign unused = ^{idle, sm, vi};
endmodule
