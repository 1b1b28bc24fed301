// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Transmit side of the Ethernet port: whole frames of N sources in turn, zero-padded to the 60
/// bytes of the shortest frame (IEEE 802.3 4.2.3.3, without FCS). Frames must not be empty.
module weft_eth_tx #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N = 3,
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  logic [N-1:0]             in_valid_i,
  output logic [N-1:0]             in_ready_o,
  input  logic [N-1:0][DATA_W-1:0] in_data_i,
  input  logic [N-1:0][CntW-1:0]   in_cnt_i,
  input  logic [N-1:0]             in_last_i,

  output logic                     eth_tx_valid_o,
  input  logic                     eth_tx_ready_i,
  output logic [DATA_W-1:0]        eth_tx_data_o,
  output logic [CntW-1:0]          eth_tx_cnt_o,
  output logic                     eth_tx_last_o,

  output logic                     idle_o,
  output logic                     stat_frame_o
);

  localparam int unsigned MinBeats = (60 + Bytes - 1) / Bytes;
  localparam int unsigned MinLast = 60 - (MinBeats - 1) * Bytes;  // bytes of a minimal frame's end
  localparam int unsigned BeatW = $clog2(MinBeats) + 1;

  logic              v, r, last;
  logic [DATA_W-1:0] data, clean;
  logic [CntW-1:0]   cnt;

  weft_stream_mux #(.DATA_W(DATA_W), .N(N), .SIDE_W(1)) u_mux (
    .clk_i, .rst_ni,
    .in_valid_i, .in_ready_o, .in_data_i, .in_cnt_i, .in_last_i, .in_side_i('0),
    .out_valid_o(v), .out_ready_i(r), .out_data_o(data), .out_cnt_o(cnt), .out_last_o(last),
    .out_side_o(), .out_idx_o()
  );

  // beat_q counts the frame's beats up to the last of a minimal frame and stays there
  logic [BeatW-1:0] beat_q;
  logic             pad_q, short_end, at_min, take, ov, ordy;
  logic [CntW-1:0]  ocnt;
  logic             olast;

  always_comb begin
    for (int unsigned i = 0; i < Bytes; i++)
      clean[i*8 +: 8] = (CntW'(i) < cnt && !pad_q) ? data[i*8 +: 8] : 8'h00;
  end
  assign at_min    = beat_q == BeatW'(MinBeats - 1);
  assign short_end = pad_q || (last && (!at_min || cnt < CntW'(MinLast)));
  assign ov        = pad_q || v;
  // a frame that ends early is carried on with zero beats until the minimum is there
  assign olast     = (pad_q || last) && (at_min || beat_q >= BeatW'(MinBeats));
  assign ocnt      = !short_end || beat_q >= BeatW'(MinBeats) ? cnt
                     : at_min ? CntW'(MinLast) : CntW'(Bytes);
  assign take      = ov && ordy;
  assign r         = ordy && !pad_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q       <= '0;
      pad_q        <= 1'b0;
      stat_frame_o <= 1'b0;
    end else begin
      stat_frame_o <= eth_tx_valid_o && eth_tx_ready_i && eth_tx_last_o;
      if (take) begin
        if (olast) beat_q <= '0;
        else if (beat_q < BeatW'(MinBeats)) beat_q <= beat_q + 1'b1;
        pad_q <= !olast && (pad_q || last);
      end
    end
  end

  weft_skid #(.W(DATA_W + CntW + 1)) u_out (
    .clk_i, .rst_ni,
    .in_valid_i(ov), .in_ready_o(ordy), .in_data_i({clean, ocnt, olast}),
    .out_valid_o(eth_tx_valid_o), .out_ready_i(eth_tx_ready_i),
    .out_data_o({eth_tx_data_o, eth_tx_cnt_o, eth_tx_last_o})
  );

  assign idle_o = !(|in_valid_i) && !v && !pad_q && !eth_tx_valid_o;

endmodule
