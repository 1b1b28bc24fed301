// SPDX-License-Identifier: BSD-2-Clause
/// weft_eth_tx. Ports: 0 to 2 sources, 3 the wire.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int CntW = $clog2(DATA_W / 8) + 1;
  logic [2:0] v, r, l, e, s;
  logic [2:0][DATA_W-1:0] d;
  logic [2:0][CntW-1:0] c;
  for (genvar i = 0; i < 3; i++) begin : gen_src
    tb_src_stream #(.ID(i), .DATA_W(DATA_W)) u_s (.clk_i, .rst_ni, .valid_o(v[i]), .ready_i(r[i]), .data_o(d[i]),
      .cnt_o(c[i]), .last_o(l[i]), .err_o(e[i]), .side_o(s[i]));
  end
  logic ov, ordy, ol, idle, st;
  logic [DATA_W-1:0] od;
  logic [CntW-1:0] oc;
  weft_eth_tx #(.DATA_W(DATA_W), .N(3)) u_dut (.clk_i, .rst_ni, .in_valid_i(v), .in_ready_o(r), .in_data_i(d),
    .in_cnt_i(c), .in_last_i(l), .eth_tx_valid_o(ov), .eth_tx_ready_i(ordy), .eth_tx_data_o(od), .eth_tx_cnt_o(oc),
    .eth_tx_last_o(ol), .idle_o(idle), .stat_frame_o(st));
  tb_snk_stream #(.ID(3), .DATA_W(DATA_W)) u_o (.clk_i, .rst_ni, .valid_i(ov), .ready_o(ordy), .data_i(od), .cnt_i(oc),
    .last_i(ol), .err_i(1'b0), .side_i(1'b0));
  tb_snk_pulse #(.ID(4), .W(2)) u_i (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({st, idle}));
  logic unused;
  assign unused = ^{e, s};
endmodule
