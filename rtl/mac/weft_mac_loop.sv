// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Loopback of words from the transmit to the receive clock, which differ by a few parts in
/// 10,000: an elastic
/// buffer. All words cross; idle is left out when much waits, and a frame's first word waits for a
/// few more
/// behind it, so that the receiver finds the next one in every cycle up to the frame's end.
module weft_mac_loop #(
  parameter int unsigned W = 72
) (
  input  logic         tx_clk_i,
  input  logic         tx_rst_ni,
  input  logic         tx_on_i,     ///< loop
  input  logic         tx_busy_i,   ///< a word of a frame, its end included; else idle
  input  logic         tx_last_i,   ///< the word behind which idle may follow
  input  logic [W-1:0] tx_data_i,
  input  logic         rx_clk_i,
  input  logic         rx_rst_ni,
  output logic         rx_valid_o,
  output logic [W-1:0] rx_data_o
);

  localparam int unsigned Start = 6;   // words in front of the receiver when a frame begins
  localparam int unsigned Enough = 14;

  logic         v, r, last, busy, open_q;
  logic [W-1:0] data;
  logic [5:0]   wr_count, rd_count;
  weft_async_fifo #(.W(W + 2), .DEPTH(32)) u_fifo (
    .wr_clk_i(tx_clk_i), .wr_rst_ni(tx_rst_ni),
    .wr_valid_i(tx_on_i && (tx_busy_i || wr_count < 6'(Enough))), .wr_ready_o(),
    .wr_data_i({tx_busy_i, tx_last_i, tx_data_i}), .wr_flush_o(), .wr_count_o(wr_count),
    .rd_clk_i(rx_clk_i), .rd_rst_ni(rx_rst_ni), .rd_valid_o(v), .rd_ready_i(r),
    .rd_data_o({busy, last, data}), .rd_torn_o(), .rd_lost_o(), .rd_flush_o(), .rd_count_o(rd_count)
  );
  assign r          = v && (open_q || !busy || rd_count >= 6'(Start));
  assign rx_valid_o = r && busy;
  assign rx_data_o  = data;
  always_ff @(posedge rx_clk_i or negedge rx_rst_ni) begin
    if (!rx_rst_ni) open_q <= 1'b0;
    else if (r) open_q <= busy && !last;
  end

endmodule
/* verilator lint_on PINCONNECTEMPTY */
