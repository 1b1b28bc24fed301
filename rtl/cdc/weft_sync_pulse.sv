// SPDX-License-Identifier: BSD-2-Clause

/// Moves pulses to another clock. A pulse that comes while one crosses is remembered, several such
/// become one: events that must be counted go through weft_async_fifo. A reset of one side may
/// lose the
/// pulse under way and makes none.
module weft_sync_pulse #(
  parameter int unsigned STAGES = 2
) (
  input  logic src_clk_i,
  input  logic src_rst_ni,
  input  logic src_pulse_i,
  input  logic dst_clk_i,
  input  logic dst_rst_ni,
  output logic dst_pulse_o
);

  logic want_q, ready, flush;

  always_ff @(posedge src_clk_i or negedge src_rst_ni) begin
    if (!src_rst_ni) want_q <= 1'b0;
    else want_q <= (src_pulse_i || want_q) && !(ready && !src_pulse_i);
  end

  // A pulse in this cycle and one that waits become one.
  logic unused, data;
  weft_sync_bus #(.W(1), .STAGES(STAGES)) u_bus (
    .src_clk_i, .src_rst_ni, .src_valid_i(want_q), .src_ready_o(ready), .src_data_i(1'b1),
    .src_flush_o(flush), .dst_clk_i, .dst_rst_ni, .dst_valid_o(dst_pulse_o), .dst_data_o(data)
  );
  assign unused = ^{flush, data};

endmodule
