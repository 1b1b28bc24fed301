// SPDX-License-Identifier: BSD-2-Clause

/// Received frames to the core's clock and width. The core takes a word a cycle, always, so the
/// FIFO
/// is enough as long as DATA_W times the core's clock is above the line rate; else, and while the
/// core
/// is in reset, a frame that finds no room is cut off with `err` (or left out, if none of it went)
/// and counted.
module weft_mac_rx_out #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned IN_W = 64,
  parameter int unsigned DEPTH = 32,  ///< words of DATA_W, a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned InCntW = $clog2(IN_W / 8) + 1
) (
  input  logic              clk_i,      ///< of the line
  input  logic              rst_ni,
  input  logic              in_valid_i,
  input  logic [IN_W-1:0]   in_data_i,
  input  logic [InCntW-1:0] in_cnt_i,
  input  logic              in_last_i,
  input  logic              in_err_i,
  output logic              stat_cut_o, ///< pulse, clk_i

  input  logic              core_clk_i,
  input  logic              core_rst_ni,
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_err_o
);

  logic              v, last, err, ready, push;
  logic [DATA_W-1:0] data;
  logic [CntW-1:0]   cnt;
  weft_mac_widen #(.DATA_W(DATA_W), .IN_W(IN_W)) u_widen (
    .clk_i, .rst_ni, .in_valid_i, .in_data_i, .in_cnt_i, .in_last_i, .in_err_i, .out_valid_o(v),
    .out_data_o(data), .out_cnt_o(cnt), .out_last_o(last), .out_err_o(err)
  );

  // open_q: part of a frame is in the FIFO. skip_q: the rest of this frame is dropped. close_q: an
  // end
  // with err is still to be written for the frame that was cut.
  logic open_q, skip_q, close_q, lose, pass;
  logic unused;
  assign pass = v && !skip_q && !close_q;
  assign lose = v && !skip_q && (close_q || !ready);
  assign push = close_q || pass;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q     <= 1'b0;
      skip_q     <= 1'b0;
      close_q    <= 1'b0;
      stat_cut_o <= 1'b0;
    end else begin
      stat_cut_o <= lose;
      if (v) skip_q <= !last && (skip_q || lose);
      if (pass && ready) open_q <= !last;
      if (lose && open_q) begin
        open_q  <= 1'b0;
        close_q <= 1'b1;
      end else if (ready) begin
        close_q <= 1'b0;
      end
    end
  end

  weft_async_stream #(.DATA_W(DATA_W), .DEPTH(DEPTH)) u_fifo (
    .wr_clk_i(clk_i), .wr_rst_ni(rst_ni), .wr_valid_i(push), .wr_ready_o(ready), .wr_data_i(data),
    .wr_cnt_i(close_q ? CntW'(1) : cnt), .wr_last_i(close_q || last), .wr_err_i(close_q || err),
    .stat_drop_o(unused), .rd_clk_i(core_clk_i), .rd_rst_ni(core_rst_ni), .rd_valid_o(out_valid_o),
    .rd_ready_i(out_ready_i), .rd_data_o(out_data_o), .rd_cnt_o(out_cnt_o), .rd_last_o(out_last_o),
    .rd_err_o(out_err_o)
  );

endmodule
