// SPDX-License-Identifier: BSD-2-Clause
/// The test framework itself: a stream and an item through wires must come back the same.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int CntW = $clog2(DATA_W / 8) + 1;
  logic v, r, l, e, iv, ir;
  logic [DATA_W-1:0] d;
  logic [CntW-1:0] c;
  logic [31:0] s;
  logic [130:0] it;
  tb_src_stream #(.ID(0), .DATA_W(DATA_W), .SIDE_W(32)) u_src (.clk_i, .rst_ni, .valid_o(v), .ready_i(r),
    .data_o(d), .cnt_o(c), .last_o(l), .err_o(e), .side_o(s));
  tb_snk_stream #(.ID(1), .DATA_W(DATA_W), .SIDE_W(32)) u_snk (.clk_i, .rst_ni, .valid_i(v), .ready_o(r),
    .data_i(d), .cnt_i(c), .last_i(l), .err_i(e), .side_i(s));
  tb_src_item #(.ID(2), .W(131)) u_isrc (.clk_i, .rst_ni, .valid_o(iv), .ready_i(ir), .data_o(it));
  tb_snk_item #(.ID(3), .W(131)) u_isnk (.clk_i, .rst_ni, .valid_i(iv), .ready_o(ir), .data_i(it));
endmodule
