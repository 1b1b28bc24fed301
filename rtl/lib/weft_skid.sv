// SPDX-License-Identifier: BSD-2-Clause

/// Full register slice: both directions of a valid/ready stream are registered. One transfer a
/// cycle, one cycle of latency, two words of storage.
module weft_skid #(
  /// Bits of a word, 1 or more.
  parameter int unsigned W = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         in_valid_i,
  output logic         in_ready_o,   ///< registered
  input  logic [W-1:0] in_data_i,

  output logic         out_valid_o,  ///< registered
  input  logic         out_ready_i,
  output logic [W-1:0] out_data_o    ///< registered
);

  logic [W-1:0] out_q, skid_q;
  logic         out_valid_q, skid_valid_q;

  assign in_ready_o  = !skid_valid_q;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_q  <= 1'b0;
      skid_valid_q <= 1'b0;
    end else if (!out_valid_q || out_ready_i) begin
      out_valid_q  <= skid_valid_q || in_valid_i;
      skid_valid_q <= 1'b0;
    end else if (in_valid_i && in_ready_o) begin
      skid_valid_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!out_valid_q || out_ready_i) out_q <= skid_valid_q ? skid_q : in_data_i;
    if (!skid_valid_q) skid_q <= in_data_i;
  end

`ifdef FORMAL_skid
  `include "skid.svh"
`endif

endmodule
