// SPDX-License-Identifier: BSD-2-Clause
/* verilator lint_off PINCONNECTEMPTY */
/* verilator lint_off UNUSEDPARAM */

/// weft_tcp_conn between C models of everybody: look-up, mpa and rdmap, departure, qp, wheel, ctx, firmware. Few slots and
/// short times, so that everything comes up. The width of the data path means nothing to this module: it picks the sizes.
module tb #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_SLOT = DATA_W == 64 ? 8 : DATA_W == 128 ? 16 : 64
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function longint tb_now();
  logic [63:0] now;
  always @(posedge clk_i) now <= tb_now();

  logic sv, sr, cv, rv, uv, dv, mv, fv, fr, hv, lv, lr, svv, svr, kv, kr, ready;
  weft_dp_pkg::rx_seg_t seg, fh;
  weft_dp_pkg::commit_t cm;
  weft_dp_pkg::rcv_room_t rm;
  weft_dp_pkg::unaccept_t un;
  weft_dp_pkg::departed_t dp;
  logic [99:0] sm;
  logic [23:0] fq;
  weft_dp_pkg::have_t have;
  weft_dp_pkg::line_t ld, ln;
  weft_dp_pkg::save_t sa;
  weft_dp_pkg::ctx_cmd_t cmd;
  logic fhv, fhr, frv, frr, pv, pr, av, vv, tv, kav, tmv, tmr, nv, nr, drv, lnv, lnr, ev, er, idle;
  logic [11:0] frh, drs;
  logic [3:0] drn;
  weft_dp_pkg::piece_t pc;
  weft_dp_pkg::ackdue_t aw;
  weft_dp_pkg::who_t vw;
  logic ov;
  logic [11:0] os;
  logic [63:0] om;
  weft_dp_pkg::dep_view_t vi;
  weft_dp_pkg::txack_t tx;
  weft_dp_pkg::ask_t as;
  weft_dp_pkg::tmr_t tm;
  weft_dp_pkg::need_t ne;
  weft_dp_pkg::ctx_ev_t e;
  logic [7:0] st;

  tb_src_item #(.ID(0), .W(815)) u_seg (.clk_i, .rst_ni, .valid_o(sv), .ready_i(sr), .data_o(seg));
  tb_src_item #(.ID(1), .W(168)) u_cm (.clk_i, .rst_ni, .valid_o(cv), .ready_i(1'b1), .data_o(cm));
  tb_src_item #(.ID(2), .W(100)) u_rm (.clk_i, .rst_ni, .valid_o(rv), .ready_i(1'b1), .data_o(rm));
  tb_src_item #(.ID(3), .W(101)) u_un (.clk_i, .rst_ni, .valid_o(uv), .ready_i(1'b1), .data_o(un));
  tb_src_item #(.ID(4), .W(241)) u_dp (.clk_i, .rst_ni, .valid_o(dv), .ready_i(1'b1), .data_o(dp));
  tb_src_item #(.ID(5), .W(100)) u_sm (.clk_i, .rst_ni, .valid_o(mv), .ready_i(1'b1), .data_o(sm));
  tb_src_item #(.ID(6), .W(24)) u_fire (.clk_i, .rst_ni, .valid_o(fv), .ready_i(fr), .data_o(fq));
  tb_src_item #(.ID(7), .W(44)) u_have (.clk_i, .rst_ni, .valid_o(hv), .ready_i(1'b1), .data_o(have));
  tb_src_item #(.ID(8), .W(553)) u_load (.clk_i, .rst_ni, .valid_o(lv), .ready_i(lr), .data_o(ld));
  tb_src_item #(.ID(9), .W(38)) u_save (.clk_i, .rst_ni, .valid_o(svv), .ready_i(svr), .data_o(sa));
  tb_src_item #(.ID(10), .W(56)) u_cmd (.clk_i, .rst_ni, .valid_o(kv), .ready_i(kr), .data_o(cmd));
  tb_snk_item #(.ID(11), .W(815)) u_false (.clk_i, .rst_ni, .valid_i(fhv), .ready_o(fhr), .data_i(fh));
  tb_snk_item #(.ID(12), .W(12)) u_free (.clk_i, .rst_ni, .valid_i(frv), .ready_o(frr), .data_i(frh));
  tb_snk_item #(.ID(13), .W(148)) u_piece (.clk_i, .rst_ni, .valid_i(pv), .ready_o(pr), .data_i(pc));
  tb_snk_pulse #(.ID(14), .W(103)) u_due (.clk_i, .rst_ni, .valid_i(av), .data_i(aw));
  tb_snk_pulse #(.ID(34), .W(76)) u_open (.clk_i, .rst_ni, .valid_i(ov), .data_i({os, om}));
  tb_snk_pulse #(.ID(15), .W(480)) u_view (.clk_i, .rst_ni, .valid_i(vv), .data_i({vw, vi}));
  tb_snk_pulse #(.ID(16), .W(229)) u_tx (.clk_i, .rst_ni, .valid_i(tv), .data_i(tx));
  tb_snk_pulse #(.ID(17), .W(169)) u_ask (.clk_i, .rst_ni, .valid_i(kav), .data_i(as));
  tb_snk_item #(.ID(18), .W(89)) u_tmr (.clk_i, .rst_ni, .valid_i(tmv), .ready_o(tmr), .data_i(tm));
  tb_snk_item #(.ID(19), .W(25)) u_need (.clk_i, .rst_ni, .valid_i(nv), .ready_o(nr), .data_i(ne));
  tb_snk_pulse #(.ID(20), .W(16)) u_drop (.clk_i, .rst_ni, .valid_i(drv), .data_i({drs, drn}));
  tb_snk_item #(.ID(21), .W(553)) u_line (.clk_i, .rst_ni, .valid_i(lnv), .ready_o(lnr), .data_i(ln));
  tb_snk_item #(.ID(22), .W(488)) u_ev (.clk_i, .rst_ni, .valid_i(ev), .ready_o(er), .data_i(e));
  // What the model has to know of time: the order of visits, credits as they were, when words came, what was let go.
  tb_snk_pulse #(.ID(23), .W(323)) u_visit (.clk_i, .rst_ni, .valid_i(dut.v_q[1]),
    .data_i({dut.it1_q.kind, 12'(dut.slot_q[1]), dut.it1_q.qpn, dut.it1_q.body[19:0], dut.room1, dut.fh_ok1, dut.ev_ok1, dut.now1_q,
    dut.it1_q.body[196:0]}));
  tb_snk_pulse #(.ID(24), .W(3)) u_state (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({ready, idle, st[1]}));
  tb_snk_pulse #(.ID(25), .W(13)) u_taken (.clk_i, .rst_ni, .valid_i(sv && sr), .data_i({st[1], seg.handle}));
  tb_snk_pulse #(.ID(26), .W(12)) u_head (.clk_i, .rst_ni, .valid_i(dut.head_v && dut.head.kind == 3'd0), .data_i(12'(dut.head_slot)));
  tb_snk_pulse #(.ID(27), .W(168)) u_cmt (.clk_i, .rst_ni, .valid_i(cv), .data_i(cm));
  tb_snk_pulse #(.ID(28), .W(100)) u_rmt (.clk_i, .rst_ni, .valid_i(rv), .data_i(rm));
  tb_snk_pulse #(.ID(29), .W(101)) u_unt (.clk_i, .rst_ni, .valid_i(uv), .data_i(un));
  tb_snk_pulse #(.ID(30), .W(241)) u_dpt (.clk_i, .rst_ni, .valid_i(dv), .data_i(dp));
  tb_snk_pulse #(.ID(31), .W(100)) u_smt (.clk_i, .rst_ni, .valid_i(mv), .data_i(sm));
  tb_snk_pulse #(.ID(32), .W(13)) u_pcv (.clk_i, .rst_ni, .valid_i(pv), .data_i(13'(pc.handle)));
  tb_snk_pulse #(.ID(33), .W(24)) u_ldt (.clk_i, .rst_ni, .valid_i(lv && lr), .data_i({9'd0, ld.line, ld.who.slot}));

  weft_tcp_conn #(.N_SLOT(N_SLOT), .MAX_RETRIES(4), .KEEP_IDLE_NS(50_000_000), .KEEP_INTVL_NS(10_000_000), .KEEP_PROBES(3)) dut (
    .clk_i, .rst_ni, .ready_o(ready), .now_ns_i(now), .patient_i(now[13]), .seg_valid_i(sv), .seg_ready_o(sr), .seg_i(seg),
    .falsehit_valid_o(fhv), .falsehit_ready_i(fhr), .falsehit_o(fh), .free_valid_o(frv), .free_ready_i(frr), .free_handle_o(frh),
    .piece_valid_o(pv), .piece_ready_i(pr), .piece_o(pc), .commit_valid_i(cv), .commit_i(cm), .rcv_room_valid_i(rv),
    .rcv_room_i(rm), .unaccept_valid_i(uv), .unaccept_i(un), .departed_valid_i(dv), .departed_i(dp), .snd_max_valid_i(mv),
    .snd_max_slot_i(sm[75:64]), .snd_max_i(sm[63:0]), .ackdue_valid_o(av), .ackdue_o(aw), .open_valid_o(ov),
    .open_slot_o(os), .open_snd_max_o(om), .view_valid_o(vv),
    .view_who_o(vw), .view_o(vi), .txack_valid_o(tv), .txack_o(tx), .ask_valid_o(kav), .ask_o(as), .tmr_valid_o(tmv),
    .tmr_ready_i(tmr), .tmr_o(tm), .fire_valid_i(fv), .fire_ready_o(fr), .fire_qpn_i(fq), .need_valid_o(nv), .need_ready_i(nr),
    .need_o(ne), .have_valid_i(hv), .have_i(have), .drop_valid_o(drv), .drop_slot_o(drs), .drop_n_o(drn), .load_valid_i(lv),
    .load_ready_o(lr), .load_i(ld), .save_valid_i(svv), .save_ready_o(svr), .save_i(sa), .line_valid_o(lnv), .line_ready_i(lnr),
    .line_o(ln), .cmd_valid_i(kv), .cmd_ready_o(kr), .cmd_i(cmd), .ev_valid_o(ev), .ev_ready_i(er), .ev_o(e), .idle_o(idle),
    .stat_seg_o(st[0]), .stat_over_o(st[1]), .stat_lost_o(st[2]), .stat_bad_o(st[3]), .stat_chal_o(st[4]), .stat_rto_o(st[5]),
    .stat_loss_o(), .stat_dsack_o(), .stat_false_o(st[6]), .stat_touch_o(st[7])
  );
endmodule
