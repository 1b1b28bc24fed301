// SPDX-License-Identifier: BSD-2-Clause
/// Clocks of a test bench: clk_i is the unit of time, the C side tells at each whether clock ID rises or
/// falls; resets are asserted at once and released through the bridge under test.
module tb_clock #(
  parameter int ID = 0
) (
  input  logic clk_i,
  output logic clk_o,
  output logic rst_no
);
  import "DPI-C" function int tb_clock_tick(input int id);
  import "DPI-C" function int tb_clock_reset(input int id);
  logic rst_n;
  initial clk_o = 1'b0;
  initial rst_n = 1'b1;
  always @(posedge clk_i) begin
    rst_n <= tb_clock_reset(ID) == 0;
    clk_o <= clk_o ^ (tb_clock_tick(ID) != 0);
  end
  weft_rst_bridge u_rst (.clk_i(clk_o), .rst_ni(rst_n), .rst_no(rst_no));
endmodule
