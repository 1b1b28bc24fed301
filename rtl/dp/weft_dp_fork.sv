// SPDX-License-Identifier: BSD-2-Clause

/// One offer for N takers: each takes it once, in any order and in any cycle; it is over when the last one has. No path
/// from a ready to a valid.
module weft_dp_fork #(
  parameter int unsigned N = 2  ///< takers
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         in_valid_i,
  output logic         in_ready_o,
  output logic [N-1:0] out_valid_o,
  input  logic [N-1:0] out_ready_i
);

  logic [N-1:0] done_q, done;
  assign out_valid_o = in_valid_i ? ~done_q : '0;
  assign done        = done_q | (out_valid_o & out_ready_i);
  assign in_ready_o  = in_valid_i && done == '1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= '0;
    else done_q <= in_ready_o ? '0 : done;
  end

endmodule
