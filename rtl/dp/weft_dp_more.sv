// SPDX-License-Identifier: BSD-2-Clause

/// What qp promises of a description (`more`: the next one joins it) goes past mpa, which does not look at it, to departure, which
/// keeps the segment open then: a bit for each description, in order.
module weft_dp_more #(
  parameter int unsigned DEPTH = 256  ///< descriptions between, a power of two
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic in_valid_i,   ///< a description
  output logic in_ready_o,
  input  logic in_more_i,
  output logic out_valid_o,  ///< to mpa
  input  logic out_ready_i,
  input  logic end_i,        ///< pulse: a framed packet ends
  output logic more_o        ///< of the packet that is being taken
);

  logic room, v;
  logic [$clog2(DEPTH):0] n;
  assign out_valid_o = in_valid_i && room;
  assign in_ready_o  = out_ready_i && room;
  weft_fifo #(.W(1), .DEPTH(DEPTH)) u_more (
    .clk_i, .rst_ni, .in_valid_i(in_valid_i && out_ready_i), .in_ready_o(room), .in_data_i(in_more_i),
    .out_valid_o(v), .out_ready_i(end_i), .out_data_o(more_o), .count_o(n)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) assert (!(end_i && !v)) else $error("%m: a packet without its description");
`endif
  logic unused;
  assign unused = ^{v, n};

endmodule
