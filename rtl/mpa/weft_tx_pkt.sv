// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Packets of a local stream (in-line data, values) until their FPDU is framed: a packet is shown
/// when it is whole, with its length. Of a packet longer than BYTES the rest is thrown away, and
/// its length says `len_over_o`. A packet without bytes has no beats. A beat is visible in the next
/// cycle.
module weft_tx_pkt #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  parameter int unsigned BYTES = 1024,  ///< largest packet, and room of all, a power of two
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1,
  localparam int unsigned Beats = BYTES / Bytes,
  localparam int unsigned BeatW = $clog2(Beats) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,

  output logic              len_valid_o,
  input  logic              len_ready_i,  ///< the packet is done with
  output logic [15:0]       len_o,
  output logic              len_over_o,
  output logic [11:0]       len_beats_o,  ///< that are stored
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o
);

  logic [BeatW-1:0] beats_q, beats;  // of this packet, before and behind the beat
  logic             full, store, data_ready, len_ready, room;

  assign full       = beats_q == BeatW'(Beats);
  assign store      = !full && in_cnt_i != '0;
  assign beats      = beats_q + BeatW'(store);
  assign room       = data_ready || !store;
  assign in_ready_o = room && len_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beats_q <= '0;
    else if (in_valid_i && in_ready_o) beats_q <= in_last_i ? '0 : beats;
  end

  weft_fifo #(.W(DATA_W), .DEPTH(Beats)) u_data (
    .clk_i, .rst_ni, .in_valid_i(in_valid_i && len_ready && store), .in_ready_o(data_ready),
    .in_data_i, .out_valid_o, .out_ready_i, .out_data_o, .count_o()
  );
  weft_fifo #(.W(29), .DEPTH(16)) u_len (
    .clk_i, .rst_ni, .in_valid_i(in_valid_i && room && in_last_i), .in_ready_o(len_ready),
    .in_data_i({full && in_cnt_i != '0, 12'(beats), (16'(beats_q) << LaneW) + 16'(in_cnt_i)}),
    .out_valid_o(len_valid_o), .out_ready_i(len_ready_i),
    .out_data_o({len_over_o, len_beats_o, len_o}), .count_o()
  );

`ifndef SYNTHESIS
  initial begin
    if ((BYTES & (BYTES - 1)) != 0 || Beats < 2 || BYTES > 32768) $fatal(1, "weft_tx_pkt: BYTES");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
