// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Makes frames ready to be sent: zero padding to 60 bytes (IEEE 802.3 4.2.3.3), FCS behind them,
/// and
/// a store that shows a frame only when all of it is there, so that its words then come without a
/// gap.
/// A frame with `err` (cut off by a reset), or one that the store can never hold, is dropped and
/// counted.
module weft_mac_tx_frame #(
  parameter int unsigned STORE_BYTES = 32768  ///< a power of two, above twice the largest frame
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  logic [63:0] in_data_i,
  input  logic [3:0]  in_cnt_i,
  input  logic        in_last_i,
  input  logic        in_err_i,
  output logic        out_valid_o,  ///< stays high up to the last word of a frame
  input  logic        out_ready_i,
  output logic [63:0] out_data_o,
  output logic [3:0]  out_cnt_o,
  output logic        out_last_o,
  output logic        stat_drop_o
);

  // ---------------------------------------------------------------- padding
  // beat_q: words of this frame so far, up to 8
  logic [3:0]  beat_q;
  logic        pad_q, p_valid, p_ready, p_last, p_err, at_min, past;
  logic [3:0]  p_cnt;
  logic [63:0] p_data;

  assign at_min  = beat_q == 4'd7;
  assign past    = beat_q[3];
  assign p_valid = pad_q || in_valid_i;
  assign p_last  = (pad_q || in_last_i) && (at_min || past);
  always_comb begin
    p_cnt = in_cnt_i;
    if (pad_q || in_last_i) begin
      if (at_min && (pad_q || in_cnt_i < 4'd4)) p_cnt = 4'd4;
      else if (!at_min && !past) p_cnt = 4'd8;
    end
    for (int unsigned i = 0; i < 8; i++) p_data[8*i+:8] = !pad_q && 4'(i) < in_cnt_i
      ? in_data_i[8*i+:8] : 8'h00;
  end
  logic err_q;
  assign p_err      = pad_q ? err_q : in_err_i;
  assign in_ready_o = p_ready && !pad_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      pad_q  <= 1'b0;
    end else if (p_valid && p_ready) begin
      beat_q <= p_last ? 4'd0 : past ? 4'd8 : beat_q + 4'd1;
      pad_q  <= !p_last && (pad_q || in_last_i);
    end
  end
  always_ff @(posedge clk_i) if (in_valid_i && in_ready_o) err_q <= in_err_i;

  // ---------------------------------------------------------------- FCS, and one word more where
  // it needs one
  logic        c_valid, c_ready, c_last, c_err, s_ready, more_q, over, s_last;
  logic [63:0] c_data, s_data, rest_q;
  logic [3:0]  c_cnt, s_cnt, rest_cnt_q;
  logic [31:0] crc;
  logic [95:0] placed;
  logic        rest_err_q;

  weft_crc32c #(.DATA_W(64), .POLY(32'hedb8_8320)) u_crc (
    .clk_i, .rst_ni, .in_valid_i(p_valid), .in_ready_o(p_ready), .in_data_i(p_data),
    .in_cnt_i(p_cnt), .in_last_i(p_last), .in_err_i(p_err), .out_valid_o(c_valid),
    .out_ready_i(c_ready), .out_data_o(c_data), .out_cnt_o(c_cnt), .out_last_o(c_last),
    .out_err_o(c_err), .out_crc_o(crc)
  );

  always_comb begin
    placed = {32'd0, c_data};
    for (int unsigned i = 1; i < 9; i++) if (c_cnt == 4'(i)) placed[8*i+:32] = crc;
  end
  assign over    = c_cnt > 4'd4;
  assign s_data  = more_q ? rest_q : c_last ? placed[63:0] : c_data;
  assign s_cnt   = more_q ? rest_cnt_q : c_last && !over ? c_cnt + 4'd4 : 4'd8;
  assign s_last  = more_q || (c_last && !over);
  assign c_ready = s_ready && !more_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) more_q <= 1'b0;
    else if (s_ready && (more_q || c_valid)) more_q <= !more_q && c_last && over;
  end
  always_ff @(posedge clk_i) begin
    if (!more_q) begin
      rest_q     <= {32'd0, placed[95:64]};
      rest_cnt_q <= c_cnt - 4'd4;
      rest_err_q <= c_err;
    end
  end

  logic drop, overflow;
  weft_pkt_fifo #(.DATA_W(64), .DEPTH(STORE_BYTES / 8), .MAX_PKTS(STORE_BYTES / 64)) u_store (
    .clk_i, .rst_ni, .in_valid_i(more_q || c_valid), .in_ready_o(s_ready), .in_data_i(s_data),
    .in_cnt_i(s_cnt), .in_last_i(s_last), .in_drop_i(more_q ? rest_err_q : c_err), .in_meta_i(1'b0),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_meta_o(), .free_o(),
    .empty_o(), .stat_drop_o(drop), .stat_overflow_o(overflow)
  );
  assign stat_drop_o = drop || overflow;

`ifndef SYNTHESIS
  logic inside_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inside_q <= 1'b0;
    else begin
      assert (out_valid_o || !inside_q) else $error("weft_mac_tx_frame: a gap inside a frame");
      if (out_valid_o && out_ready_i) inside_q <= !out_last_o;
    end
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
