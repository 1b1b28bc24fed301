// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Loopback of words from the transmit to the receive clock, which differ by a few parts in 10,000: words
/// of a frame cross through a FIFO, idle is made anew. The first word of a frame waits for a few more
/// behind it, so that the receiver finds the next one in every cycle up to the frame's end.
module weft_mac_loop #(
  parameter int unsigned W = 72
) (
  input  logic         tx_clk_i,
  input  logic         tx_rst_ni,
  input  logic         tx_valid_i,  ///< a word of a frame, its end included
  input  logic         tx_last_i,   ///< the word behind which idle follows
  input  logic [W-1:0] tx_data_i,
  input  logic         rx_clk_i,
  input  logic         rx_rst_ni,
  output logic         rx_valid_o,
  output logic [W-1:0] rx_data_o
);

  logic         v, r, last, open_q;
  logic [W-1:0] data;
  logic [2:0]   wait_q;
  weft_async_fifo #(.W(W + 1), .DEPTH(32)) u_fifo (
    .wr_clk_i(tx_clk_i), .wr_rst_ni(tx_rst_ni), .wr_valid_i(tx_valid_i), .wr_ready_o(), .wr_data_i({tx_last_i, tx_data_i}),
    .wr_flush_o(), .rd_clk_i(rx_clk_i), .rd_rst_ni(rx_rst_ni), .rd_valid_o(v), .rd_ready_i(r), .rd_data_o({last, data}),
    .rd_torn_o(), .rd_lost_o(), .rd_flush_o()
  );
  assign r          = v && (open_q || wait_q == 3'd6);
  assign rx_valid_o = r;
  assign rx_data_o  = data;
  always_ff @(posedge rx_clk_i or negedge rx_rst_ni) begin
    if (!rx_rst_ni) begin
      open_q <= 1'b0;
      wait_q <= '0;
    end else begin
      open_q <= r ? !last : open_q && v;
      wait_q <= r || !v ? 3'd0 : wait_q == 3'd6 ? 3'd6 : wait_q + 3'd1;
    end
  end

endmodule
/* verilator lint_on PINCONNECTEMPTY */
