// SPDX-License-Identifier: BSD-2-Clause

/// Drops of pins, some cycles later: whoever was told something in the cycle of the drop takes a pin of its own meanwhile.
/// What takes pins on (n negative) must not be delayed and has a port of its own.
module weft_dp_late #(
  parameter int unsigned LAG = 6  ///< cycles, 1 or more
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        drop_valid_i,
  input  logic [11:0] drop_slot_i,
  input  logic [3:0]  drop_n_i,       ///< two's complement
  output logic        take_valid_o,   ///< n negative: at once
  output logic [11:0] take_slot_o,
  output logic [3:0]  take_n_o,
  output logic        drop_valid_o,   ///< n positive: LAG cycles later
  output logic [11:0] drop_slot_o,
  output logic [3:0]  drop_n_o,
  output logic        idle_o
);

  logic [LAG-1:0]       v_q;
  logic [LAG-1:0][15:0] d_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= '0;
    else v_q <= LAG'({v_q, drop_valid_i && !drop_n_i[3]});
  end
  always_ff @(posedge clk_i) begin
    d_q[0] <= {drop_slot_i, drop_n_i};
    for (int unsigned i = 1; i < LAG; i++) d_q[i] <= d_q[i-1];
  end
  assign take_valid_o = drop_valid_i && drop_n_i[3];
  assign take_slot_o  = drop_slot_i;
  assign take_n_o     = drop_n_i;
  assign drop_valid_o = v_q[LAG-1];
  assign {drop_slot_o, drop_n_o} = d_q[LAG-1];
  assign idle_o       = v_q == '0 && !drop_valid_i;

endmodule
