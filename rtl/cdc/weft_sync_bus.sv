// SPDX-License-Identifier: BSD-2-Clause

/// Moves words to another clock by a handshake: the word stands still while its request crosses. A
/// word takes STAGES + 3 cycles of the reader, the next one is taken a round trip later (2 STAGES
/// + 4
/// cycles of each clock, about): for configuration and rare events, not for data.
///
/// A reset of one side loses the word under way and nothing else (weft_cdc_clear); `src_flush_o`
/// tells
/// the source, which can send again.
module weft_sync_bus #(
  parameter int unsigned W = 8,
  parameter int unsigned STAGES = 2
) (
  input  logic         src_clk_i,
  input  logic         src_rst_ni,
  input  logic         src_valid_i,
  output logic         src_ready_o,
  input  logic [W-1:0] src_data_i,
  output logic         src_flush_o,  ///< a side was reset; a word under way is lost

  input  logic         dst_clk_i,
  input  logic         dst_rst_ni,
  output logic         dst_valid_o,  ///< pulse
  output logic [W-1:0] dst_data_o    ///< with valid, and until the next word
);

  logic src_need, src_creq, src_cack, src_clear, dst_need, dst_creq, dst_cack, dst_clear;
  weft_cdc_clear #(.STAGES(STAGES)) u_src_clear (
    .clk_i(src_clk_i), .rst_ni(src_rst_ni), .need_o(src_need), .req_o(src_creq), .ack_o(src_cack),
    .other_need_i(dst_need), .other_req_i(dst_creq), .other_ack_i(dst_cack), .clear_o(src_clear)
  );
  weft_cdc_clear #(.STAGES(STAGES)) u_dst_clear (
    .clk_i(dst_clk_i), .rst_ni(dst_rst_ni), .need_o(dst_need), .req_o(dst_creq), .ack_o(dst_cack),
    .other_need_i(src_need), .other_req_i(src_creq), .other_ack_i(src_cack), .clear_o(dst_clear)
  );
  assign src_flush_o = src_clear;

  logic         req_q, ack_q, req, ack;
  logic [W-1:0] data_q;

  weft_sync #(.W(1), .STAGES(STAGES + 1)) u_req (
    .clk_i(dst_clk_i), .rst_ni(dst_rst_ni), .d_i(req_q), .q_o(req)
  );
  weft_sync #(.W(1), .STAGES(STAGES + 1)) u_ack (
    .clk_i(src_clk_i), .rst_ni(src_rst_ni), .d_i(ack_q), .q_o(ack)
  );

  assign src_ready_o = !src_clear && !req_q && !ack;

  always_ff @(posedge src_clk_i or negedge src_rst_ni) begin
    if (!src_rst_ni) req_q <= 1'b0;
    else if (src_clear) req_q <= 1'b0;
    else if (src_valid_i && src_ready_o) req_q <= 1'b1;
    else if (ack) req_q <= 1'b0;
  end
  always_ff @(posedge src_clk_i) if (src_valid_i && src_ready_o) data_q <= src_data_i;

  always_ff @(posedge dst_clk_i or negedge dst_rst_ni) begin
    if (!dst_rst_ni) begin
      ack_q       <= 1'b0;
      dst_valid_o <= 1'b0;
    end else begin
      ack_q       <= req && !dst_clear;
      dst_valid_o <= req && !ack_q && !dst_clear;
    end
  end
  always_ff @(posedge dst_clk_i) if (req && !ack_q && !dst_clear) dst_data_o <= data_q;

endmodule
