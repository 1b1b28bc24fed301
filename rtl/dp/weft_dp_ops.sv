// SPDX-License-Identifier: BSD-2-Clause

/// Two who ask for operations on STags at the one port of weft_tpt, in turns. Who is offered stays until he is answered.
module weft_dp_ops (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [1:0]                 in_valid_i,   ///< held, with in_i, until in_ready_o
  output logic [1:0]                 in_ready_o,
  input  weft_dp_pkg::stag_op_t      a_i,          ///< of 0
  input  weft_dp_pkg::stag_op_t      b_i,          ///< of 1
  output logic                       op_valid_o,
  input  logic                       op_ready_i,
  output weft_dp_pkg::stag_op_t      op_o
);

  logic turn_q;  // whose turn it is, if he wants
  logic pick, held_q, pick_q;
  assign pick       = held_q ? pick_q : in_valid_i[turn_q] ? turn_q : !turn_q;
  assign op_valid_o = in_valid_i[pick];
  assign op_o       = pick ? b_i : a_i;
  assign in_ready_o = {op_ready_i && pick, op_ready_i && !pick};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      pick_q <= 1'b0;
      turn_q <= 1'b0;
    end else begin
      held_q <= op_valid_o && !op_ready_i;
      pick_q <= pick;
      if (op_valid_o && op_ready_i) turn_q <= !pick;
    end
  end

endmodule
