// SPDX-License-Identifier: BSD-2-Clause
/* verilator lint_off PINCONNECTEMPTY */
/* verilator lint_off UNUSEDPARAM */

/// weft_tcp_rack between models of departure, the conn pipe and the peer. The width of the data path picks the slots.
module tb #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_SLOT = DATA_W == 64 ? 4 : DATA_W == 128 ? 16 : 64,
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function longint tb_now();
  logic [63:0] now;
  always @(posedge clk_i) now <= tb_now();

  logic dv, cv, lv, ov, or_, ready, idle, done, clr_q;
  weft_dp_pkg::departed_t dp;
  logic [219+328+12-1:0] cn;
  logic [11:0] ls;
  logic [SlW-1:0] os;
  weft_tcp_conn_pkg::rack_out_t o;
  logic [3:0] st;
  tb_src_item #(.ID(0), .W(241)) u_dp (.clk_i, .rst_ni, .valid_o(dv), .ready_i(1'b1), .data_o(dp));
  tb_src_item #(.ID(1), .W(559)) u_cn (.clk_i, .rst_ni, .valid_o(cv), .ready_i(1'b1), .data_o(cn));
  tb_src_item #(.ID(2), .W(12)) u_clr (.clk_i, .rst_ni, .valid_o(lv), .ready_i(done && clr_q), .data_o(ls));
  always @(posedge clk_i) clr_q <= lv && !(done && clr_q);
  tb_snk_item #(.ID(3), .W(12 + 221 + 32)) u_out (.clk_i, .rst_ni, .valid_i(ov), .ready_o(or_), .data_i({12'(os), dut.now_q, o}));
  tb_snk_pulse #(.ID(4), .W(12)) u_vis (.clk_i, .rst_ni, .valid_i(32'(dut.state_q) == 14), .data_i(12'(dut.slot_q)));
  tb_snk_pulse #(.ID(5), .W(18)) u_st (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({12'(dut.slot_q), ready, idle, st}));
  tb_snk_pulse #(.ID(6), .W(12)) u_clrd (.clk_i, .rst_ni, .valid_i(lv && done && clr_q), .data_i(ls));
  weft_tcp_rack #(.N_SLOT(N_SLOT)) dut (
    .clk_i, .rst_ni, .ready_o(ready), .now_i(now[41:10]), .departed_valid_i(dv), .departed_i(dp), .conn_valid_i(cv),
    .conn_slot_i(cn[547+:SlW]), .conn_i(cn[328+:219]), .work_i(cn[327:0]), .clr_i(lv && !(done && clr_q)), .clr_slot_i(ls[SlW-1:0]),
    .clr_done_o(done), .out_valid_o(ov), .out_ready_i(or_), .out_slot_o(os), .out_o(o), .idle_o(idle), .stat_lost_o(st[0]),
    .stat_dsack_o(st[1]), .stat_halve_o(st[2]), .stat_forgot_o(st[3])
  );
  logic unused;
  assign unused = ^{now, cn, ls};
endmodule
