// SPDX-License-Identifier: BSD-2-Clause

/// GMII at 1 Gb/s to frames as words of 8 bytes, FCS included, preamble not (any number of
/// preamble bytes
/// in front of the start frame delimiter). Every frame has a last word, of 0 to 8 bytes.
/// RX_ER inside a frame is an error of it; outside it, with 0E on the data, false carrier
/// (35.2.2.7).
module weft_gmii_rx (
  input  logic        clk_i,           ///< 125 MHz, of the PHY
  input  logic        rst_ni,
  input  logic [7:0]  gmii_rxd_i,
  input  logic        gmii_rx_dv_i,
  input  logic        gmii_rx_er_i,
  output logic        out_valid_o,
  output logic        out_first_o,
  output logic [63:0] out_data_o,
  output logic [3:0]  out_cnt_o,
  output logic        out_last_o,
  output logic        out_err_o,       ///< with last
  /// pulse: a start without a start frame delimiter, or false carrier
  output logic        bad_preamble_o
);

  typedef enum logic [1:0] {StIdle, StPreamble, StData, StSkip} state_e;

  state_e     state_q;
  logic [7:0] d_q;
  logic       dv_q, er_q, false_q, false_now, err_q, first_q, flush;
  logic [3:0] n_q;

  assign false_now = !dv_q && er_q && d_q == 8'h0e;
  // A word leaves when a byte comes behind it, or the frame ends: the last word is known by then.
  assign flush     = state_q == StData && (n_q == 4'd8 || !dv_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= StIdle;
      dv_q           <= 1'b0;
      er_q           <= 1'b0;
      false_q        <= 1'b0;
      n_q            <= '0;
      out_valid_o    <= 1'b0;
      bad_preamble_o <= 1'b0;
    end else begin
      dv_q           <= gmii_rx_dv_i;
      er_q           <= gmii_rx_er_i;
      false_q        <= false_now;
      bad_preamble_o <= false_now && !false_q;
      out_valid_o    <= flush;
      unique case (state_q)
        StIdle:     if (dv_q) state_q <= d_q == 8'hd5 ? StData : d_q == 8'h55 && !er_q
          ? StPreamble : StSkip;
        StPreamble: state_q <= !dv_q ? StIdle : d_q == 8'hd5 && !er_q ? StData : d_q == 8'h55
          && !er_q ? StPreamble : StSkip;
        StData:     if (!dv_q) state_q <= StIdle;
        default:    if (!dv_q) state_q <= StIdle;
      endcase
      if ((state_q == StIdle && dv_q && d_q != 8'hd5 && (d_q != 8'h55 || er_q))
          || (state_q == StPreamble && (!dv_q || er_q || (d_q != 8'hd5
            && d_q != 8'h55)))) bad_preamble_o <= 1'b1;
      if (state_q != StData) n_q <= '0;
      else if (dv_q) n_q <= flush ? 4'd1 : n_q + 4'd1;
    end
  end

  logic [63:0] word_q;
  logic [2:0]  at;
  assign at = flush ? 3'd0 : n_q[2:0];
  always_ff @(posedge clk_i) begin
    d_q <= gmii_rxd_i;
    if (state_q == StData && dv_q) word_q[8*at+:8] <= d_q;
    err_q   <= state_q == StData && (err_q || (dv_q && er_q));
    first_q <= state_q != StData || (first_q && !flush);
    out_first_o <= first_q;
    out_data_o  <= word_q;
    out_cnt_o   <= n_q;
    out_last_o  <= !dv_q;
    out_err_o   <= err_q;
  end

endmodule
