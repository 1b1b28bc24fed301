// SPDX-License-Identifier: BSD-2-Clause

/// Frames to GMII at 1 Gb/s (IEEE 802.3 clause 35): preamble, start frame delimiter, bytes, 12
/// bytes of gap.
/// Full duplex: no carrier extension, no bursts.
module weft_gmii_tx (
  input  logic        clk_i,        ///< 125 MHz
  input  logic        rst_ni,
  input  logic        off_i,        ///< frames are taken at the rate of the line and lost
  input  logic        in_valid_i,   ///< must stay high within a frame
  output logic        in_ready_o,
  input  logic [63:0] in_data_i,
  input  logic [3:0]  in_cnt_i,     ///< 1 to 8
  input  logic        in_last_i,
  output logic [7:0]  gmii_txd_o,
  output logic        gmii_tx_en_o,
  output logic        gmii_tx_er_o  ///< never
);

  typedef enum logic [1:0] {StIdle, StPreamble, StData, StGap} state_e;

  state_e     state_q;
  logic [3:0] n_q;        // byte of the preamble, the word or the gap
  logic       end_word;
  logic       blank_q;    // begun while off

  assign end_word   = n_q + 4'd1 == in_cnt_i;
  assign in_ready_o = state_q == StData && end_word;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      n_q          <= '0;
      blank_q      <= 1'b1;
      gmii_txd_o   <= '0;
      gmii_tx_en_o <= 1'b0;
    end else begin
      gmii_tx_en_o <= (state_q == StPreamble || state_q == StData) && !blank_q && !off_i;
      gmii_txd_o   <= state_q == StPreamble ? (n_q == 4'd7 ? 8'hd5 : 8'h55)
                      : state_q == StData ? in_data_i[8*n_q[2:0]+:8] : 8'h00;
      n_q          <= n_q + 4'd1;
      unique case (state_q)
        StIdle: begin
          n_q     <= '0;
          blank_q <= off_i;
          if (in_valid_i) state_q <= StPreamble;
        end
        StPreamble: if (n_q == 4'd7) begin
          n_q     <= '0;
          state_q <= StData;
        end
        StData: if (end_word) begin
          n_q <= '0;
          if (in_last_i) state_q <= StGap;
        end
        default: if (n_q == 4'd10) state_q <= StIdle;  // StIdle is the twelfth byte
      endcase
      if (off_i) blank_q <= 1'b1;
    end
  end

  assign gmii_tx_er_o = 1'b0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni
      && state_q == StData) assert (in_valid_i) else $error("weft_gmii_tx: a gap inside a frame");
  end
`endif

endmodule
