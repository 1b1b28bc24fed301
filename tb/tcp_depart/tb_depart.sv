// SPDX-License-Identifier: BSD-2-Clause

/// Departure between mpa out, the conn pipe, ctx, firmware and the wire. Port numbers as in depart.c. What is always
/// taken, and what begins, is told to the model in the cycle in which the unit sees it.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_SLOT = 16,
  parameter int unsigned N_L2 = 8,
  parameter int unsigned TS_SHIFT = 6
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function longint unsigned tb_now();
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;

  logic iv, ir, il, ie, av, vv, ov, lv, lr, cv, cr, ev, fv, fr, fl, dv, sv, ready, idle, mid;
  logic [313:0] side;
  logic [DATA_W-1:0] id, fd;
  logic [CntW-1:0] ic, fc;
  weft_dp_pkg::framed_t framed;
  weft_dp_pkg::ackdue_t due;
  logic [455:0] view;
  logic [75:0] open;
  weft_dp_pkg::line_t line;
  weft_dp_pkg::ctx_cmd_t cmd;
  logic [143:0] l2e;
  weft_dp_pkg::link_t link;
  weft_dp_pkg::departed_t departed;
  logic [11:0] sslot;
  logic [63:0] smax, now;
  logic [1:0] pv;
  logic [23:0] ps;
  logic [7:0] pn;
  logic [6:0] st;
  logic fmid;

  always @(posedge clk_i) now <= tb_now();

  tb_src_stream #(.ID(0), .DATA_W(DATA_W), .SIDE_W(314)) u_in (.clk_i, .rst_ni, .valid_o(iv), .ready_i(ir && ready), .data_o(id), .cnt_o(ic),
    .last_o(il), .err_o(ie), .side_o(side));
  tb_src_item #(.ID(1), .W(456)) u_view (.clk_i, .rst_ni, .valid_o(vv), .ready_i(ready), .data_o(view));
  tb_src_item #(.ID(2), .W(103)) u_due (.clk_i, .rst_ni, .valid_o(av), .ready_i(ready), .data_o(due));
  tb_src_item #(.ID(3), .W(76)) u_open (.clk_i, .rst_ni, .valid_o(ov), .ready_i(ready), .data_o(open));
  tb_src_item #(.ID(4), .W(553)) u_load (.clk_i, .rst_ni, .valid_o(lv), .ready_i(lr && ready), .data_o(line));
  tb_src_item #(.ID(5), .W(56)) u_cmd (.clk_i, .rst_ni, .valid_o(cv), .ready_i(cr && ready), .data_o(cmd));
  tb_src_item #(.ID(6), .W(144)) u_l2e (.clk_i, .rst_ni, .valid_o(ev), .ready_i(ready), .data_o(l2e));
  tb_snk_stream #(.ID(7), .DATA_W(DATA_W), .SIDE_W(10)) u_frm (.clk_i, .rst_ni, .valid_i(fv), .ready_o(fr), .data_i(fd), .cnt_i(fc),
    .last_i(fl), .err_i(1'b0), .side_i(link));
  tb_snk_pulse #(.ID(8), .W($bits(departed))) u_dep (.clk_i, .rst_ni, .valid_i(dv), .data_i(departed));
  tb_snk_pulse #(.ID(9), .W(76)) u_max (.clk_i, .rst_ni, .valid_i(sv), .data_i({sslot, smax}));
  tb_snk_pulse #(.ID(10), .W(34)) u_drop (.clk_i, .rst_ni, .valid_i(pv != '0), .data_i({pv, ps, pn}));
  tb_snk_pulse #(.ID(11), .W(76)) u_begin (.clk_i, .rst_ni, .valid_i(iv && ir && ready && !mid), .data_i({framed.who.slot, framed.off}));
  tb_snk_pulse #(.ID(12), .W(456)) u_vseen (.clk_i, .rst_ni, .valid_i(vv && ready), .data_i(view));
  tb_snk_pulse #(.ID(13), .W(103)) u_dseen (.clk_i, .rst_ni, .valid_i(av && ready), .data_i(due));
  tb_snk_pulse #(.ID(14), .W(144)) u_eseen (.clk_i, .rst_ni, .valid_i(ev && ready), .data_i(l2e));
  tb_snk_pulse #(.ID(15), .W(28)) u_cseen (.clk_i, .rst_ni, .valid_i(cv && cr && ready), .data_i({cmd.who.slot, cmd.arg}));
  tb_snk_pulse #(.ID(16), .W(72)) u_state (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({st, idle, now}));
  tb_snk_pulse #(.ID(17), .W(1)) u_frame (.clk_i, .rst_ni, .valid_i(fv && !fmid), .data_i(fr));
  tb_snk_pulse #(.ID(18), .W(1)) u_end (.clk_i, .rst_ni, .valid_i(iv && ir && ready && il), .data_i(1'b1));

  assign framed = side[312:0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mid  <= 1'b0;
      fmid <= 1'b0;
    end else begin
      if (iv && ir && ready) mid <= !il;
      if (fv && fr) fmid <= !fl;
      else if (fv) fmid <= 1'b1;
    end
  end

  weft_tcp_departure #(.DATA_W(DATA_W), .N_SLOT(N_SLOT), .N_L2(N_L2), .TS_SHIFT(TS_SHIFT)) dut (
    .clk_i, .rst_ni, .now_ns_i(now), .ready_o(ready), .in_valid_i(iv && ready), .in_ready_o(ir), .in_i(framed), .in_data_i(id),
    .in_cnt_i(ic), .in_last_i(il), .in_err_i(ie && il), .in_more_i(side[313] && il),
    .ackdue_valid_i(av && ready), .ackdue_i(due), .view_valid_i(vv && ready), .view_slot_i(view[455:444]), .view_i(view[443:0]),
    .open_valid_i(ov && ready), .open_slot_i(open[75:64]), .open_snd_max_i(open[63:0]),
    .load_valid_i(lv && ready), .load_ready_o(lr), .load_i(line), .cmd_valid_i(cv && ready), .cmd_ready_o(cr), .cmd_i(cmd),
    .l2e_we_i(ev && ready), .l2e_index_i(l2e[128+:$clog2(N_L2)]), .l2e_i(l2e[127:0]),
    .frm_valid_o(fv), .frm_ready_i(fr), .frm_data_o(fd), .frm_cnt_o(fc), .frm_last_o(fl), .frm_link_o(link),
    .departed_valid_o(dv), .departed_o(departed), .snd_max_valid_o(sv), .snd_max_slot_o(sslot), .snd_max_o(smax),
    .drop_valid_o(pv), .drop_slot_o(ps), .drop_n_o(pn), .idle_o(idle),
    .stat_seg_o(st[0]), .stat_ack_o(st[1]), .stat_rode_o(st[2]), .stat_joined_o(st[3]), .stat_cut_o(st[4]), .stat_fpdu_void_o(st[5]),
    .stat_void_o(st[6])
  );
  logic unused;
  assign unused = ^l2e;
endmodule
