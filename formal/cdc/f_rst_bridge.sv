// SPDX-License-Identifier: BSD-2-Clause

/// weft_rst_bridge: in reset whenever its input is, clock or no clock; out of it only behind an edge of the
/// clock, and not before STAGES edges without reset.
module f_rst_bridge;
  (* anyseq *) logic tick, rst_n;
  logic clk = 1'b0, out, clk_q = 1'b0, out_q = 1'b0, up;
  logic [1:0] edges = '0;
  always_ff @($global_clock) clk <= clk ^ tick;
  weft_rst_bridge u_dut (.clk_i(clk), .rst_ni(rst_n), .rst_no(out));
  assign up = clk && !clk_q;
  always_ff @($global_clock) begin
    clk_q <= clk;
    out_q <= out;
    edges <= !rst_n ? 2'd0 : up && edges != 2'd3 ? edges + 2'd1 : edges;
    if (!rst_n) assert (!out);
    if (out && !out_q) assert (up);
    if (out && !out_q) assert (edges >= 2'd1);
`ifdef F_COVER
    assert (!(out));
`endif
  end
endmodule
