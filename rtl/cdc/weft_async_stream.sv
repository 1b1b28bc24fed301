// SPDX-License-Identifier: BSD-2-Clause

/// Byte stream of frames to another clock, through weft_async_fifo. A reset of one side costs
/// frames,
/// never a frame's boundary: the reader sees a frame that was cut off end with `err`, the writer's
/// rest
/// of a cut frame is swallowed. While the reader's side is in reset the writer is not held up: its
/// frames
/// are swallowed and counted (a MAC in reset must not stop the core).
module weft_async_stream #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned DEPTH = 16,  ///< beats, a power of two, 4 or more
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic              wr_clk_i,
  input  logic              wr_rst_ni,
  input  logic              wr_valid_i,
  output logic              wr_ready_o,
  input  logic [DATA_W-1:0] wr_data_i,
  input  logic [CntW-1:0]   wr_cnt_i,
  input  logic              wr_last_i,
  input  logic              wr_err_i,
  /// pulse, wr_clk_i: a frame, or the rest of one, was swallowed
  output logic              stat_drop_o,

  input  logic              rd_clk_i,
  input  logic              rd_rst_ni,
  output logic              rd_valid_o,
  input  logic              rd_ready_i,
  output logic [DATA_W-1:0] rd_data_o,
  output logic [CntW-1:0]   rd_cnt_o,
  output logic              rd_last_o,
  output logic              rd_err_o      ///< with last
);

  localparam int unsigned WordW = DATA_W + CntW + 2;

  // ---------------------------------------------------------------- write side
  logic open_q, skip_q, flush, fifo_ready, take, swallow;

  assign swallow     = skip_q || flush;
  assign wr_ready_o  = swallow || fifo_ready;
  assign take        = wr_valid_i && wr_ready_o;

  always_ff @(posedge wr_clk_i or negedge wr_rst_ni) begin
    if (!wr_rst_ni) begin
      open_q      <= 1'b0;
      skip_q      <= 1'b0;
      stat_drop_o <= 1'b0;
    end else begin
      stat_drop_o <= take && wr_last_i && swallow;
      if (take) begin
        open_q <= !wr_last_i && !swallow;
        skip_q <= !wr_last_i && swallow;
      end else if (flush && open_q) begin
        open_q <= 1'b0;
        skip_q <= 1'b1;
      end
    end
  end

  // ---------------------------------------------------------------- read side
  logic             v, r, torn, lost, inject, in_frame_q, out_free, last;
  logic [WordW-1:0] word;
  /* verilator lint_off PINCONNECTEMPTY */
  weft_async_fifo #(.W(WordW), .DEPTH(DEPTH)) u_fifo (
    .wr_clk_i, .wr_rst_ni, .wr_valid_i(wr_valid_i && !swallow), .wr_ready_o(fifo_ready),
    .wr_data_i({wr_err_i, wr_last_i, wr_cnt_i, wr_data_i}), .wr_flush_o(flush), .rd_clk_i,
    .rd_rst_ni, .rd_valid_o(v), .rd_ready_i(r), .rd_data_o(word), .rd_torn_o(torn),
    .rd_lost_o(lost), .rd_flush_o(), .wr_count_o(), .rd_count_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  assign last   = word[WordW-2];
  assign inject = in_frame_q && (v ? torn : lost);
  assign r      = out_free && !inject;

  always_ff @(posedge rd_clk_i or negedge rd_rst_ni) begin
    if (!rd_rst_ni) in_frame_q <= 1'b0;
    else if (out_free && inject) in_frame_q <= 1'b0;
    else if (v && r) in_frame_q <= !last;
  end

  weft_skid #(.W(WordW)) u_out (
    .clk_i(rd_clk_i), .rst_ni(rd_rst_ni), .in_valid_i(v || inject), .in_ready_o(out_free),
    .in_data_i(inject ? {2'b11, CntW'(1), {DATA_W{1'b0}}} : word), .out_valid_o(rd_valid_o),
    .out_ready_i(rd_ready_i), .out_data_o({rd_err_o, rd_last_o, rd_cnt_o, rd_data_o})
  );

endmodule
