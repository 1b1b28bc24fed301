// SPDX-License-Identifier: BSD-2-Clause

/// Keeps a copy of slowly changing settings in another clock: the copy is always a value that the
/// source had, whole; it is sent when it changes, and again after a reset of either side. A value
/// that
/// stands for less than a crossing may be skipped, the last one never is.
module weft_sync_cfg #(
  parameter int unsigned  W = 8,
  parameter logic [W-1:0] RST = '0,  ///< the copy until the first value arrives
  parameter int unsigned  STAGES = 2
) (
  input  logic         src_clk_i,
  input  logic         src_rst_ni,
  input  logic [W-1:0] src_i,
  input  logic         dst_clk_i,
  input  logic         dst_rst_ni,
  output logic [W-1:0] dst_o
);

  logic         sent_q, ready, flush, valid, send;
  logic [W-1:0] last_q, data;

  assign send = !sent_q || last_q != src_i;

  always_ff @(posedge src_clk_i or negedge src_rst_ni) begin
    if (!src_rst_ni) sent_q <= 1'b0;
    else if (flush) sent_q <= 1'b0;
    else if (ready) sent_q <= 1'b1;
  end
  always_ff @(posedge src_clk_i) if (send && ready) last_q <= src_i;

  weft_sync_bus #(.W(W), .STAGES(STAGES)) u_bus (
    .src_clk_i, .src_rst_ni, .src_valid_i(send), .src_ready_o(ready), .src_data_i(src_i),
    .src_flush_o(flush), .dst_clk_i, .dst_rst_ni, .dst_valid_o(valid), .dst_data_o(data)
  );

  always_ff @(posedge dst_clk_i or negedge dst_rst_ni) begin
    if (!dst_rst_ni) dst_o <= RST;
    else if (valid) dst_o <= data;
  end

endmodule
