// SPDX-License-Identifier: BSD-2-Clause

/// Frames for firmware: slots of FRX_SLOT_BYTES, oldest first. The stream is always taken; a frame
/// that finds no slot is dropped and counted, a longer frame keeps its first FRX_SLOT_BYTES.
/// The last SYN_RESERVE slots are for what is surely no new connection (untagged IPv4 without options,
/// TCP with ACK or without SYN): a flood of SYN does not keep out what connections in set-up wait for.
/// Sideband (`qpn`, `reason`) is read with the last beat. An empty or erroneous packet is dropped.
///
/// `rd_word_i` addresses the oldest frame; `rd_data_o` follows one cycle later.
module weft_mgmt_frx #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned SLOTS = 8,
  parameter int unsigned SYN_RESERVE = 3,  ///< slots that frames which may be a SYN leave free
  localparam int unsigned CNT_W = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CNT_W-1:0]  in_cnt_i,
  input  logic              in_last_i,
  input  logic              in_err_i,
  input  logic [15:0]       in_qpn_i,
  input  logic [3:0]        in_reason_i,
  output logic              avail_o,
  output logic [15:0]       len_o,
  output logic [15:0]       qpn_o,
  output logic [3:0]        reason_o,
  input  logic              pop_i,
  input  logic [7:0]        rd_word_i,
  output logic [31:0]       rd_data_o,
  output logic              stat_rx_o,
  output logic              stat_drop_o
);

  localparam int unsigned BEATS = weft_mgmt_pkg::FRX_SLOT_BYTES * 8 / DATA_W;  // per slot
  localparam int unsigned BW = $clog2(BEATS);
  localparam int unsigned SW = $clog2(SLOTS);
  localparam int unsigned WORDS = DATA_W / 32;
  localparam int unsigned WW = $clog2(WORDS);

  logic [DATA_W-1:0] mem_q [SLOTS*BEATS];
  logic [35:0]       info_q [SLOTS];
  logic [SW:0]       wp_q, rp_q;
  logic [BW:0]       beat_q;
  logic [15:0]       len_q;
  logic              full;
  logic              mid_drop_q;
  assign full = mid_drop_q || (wp_q - rp_q) == (SW+1)'(SLOTS);
  assign in_ready_o = 1'b1;

  logic [15:0] len;
  logic        keep;
  assign len = len_q + 16'(in_cnt_i);

  // What decides lies in bytes 12 to 14 and 47.
  localparam int unsigned Bytes = DATA_W / 8;
  logic [3:0][7:0] look, look_q;
  logic            later;  // no new connection
  always_comb begin
    look = look_q;
    if (32'(beat_q) == 12 / Bytes) begin
      for (int unsigned i = 0; i < 3; i++) look[i] = in_data_i[8*((12 + i) % Bytes)+:8];
    end
    if (32'(beat_q) == 47 / Bytes) look[3] = in_data_i[8*(47 % Bytes)+:8];
  end
  always_ff @(posedge clk_i) begin
    if (in_valid_i) look_q <= look;
  end
  assign later = look[0] == 8'h08 && look[1] == 8'h00 && look[2] == 8'h45 && len >= 16'd54
                 && (look[3][4] || !look[3][1]);

  assign keep = in_valid_i && in_last_i && !full && len != 0 && !in_err_i
                && (later || (wp_q - rp_q) < (SW+1)'(SLOTS - SYN_RESERVE));

  always_ff @(posedge clk_i) begin
    if (in_valid_i && !full && !beat_q[BW]) mem_q[{wp_q[SW-1:0], beat_q[BW-1:0]}] <= in_data_i;
    if (keep) info_q[wp_q[SW-1:0]] <= {in_reason_i, in_qpn_i, len};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wp_q <= '0;
      rp_q <= '0;
      beat_q <= '0;
      len_q <= '0;
      stat_rx_o <= 1'b0;
      stat_drop_o <= 1'b0;
    end else begin
      stat_rx_o <= keep;
      stat_drop_o <= in_valid_i && in_last_i && !keep;
      if (in_valid_i) begin
        len_q <= in_last_i ? '0 : len;
        if (in_last_i) beat_q <= '0;
        else if (!beat_q[BW]) beat_q <= beat_q + 1'b1;
      end
      if (keep) wp_q <= wp_q + 1'b1;
      if (pop_i && avail_o) rp_q <= rp_q + 1'b1;
    end
  end

  // A slot that frees in the middle of a frame must not take the frame's tail as a frame.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mid_drop_q <= 1'b0;
    else if (in_valid_i) mid_drop_q <= !in_last_i && full;
  end

  logic [DATA_W-1:0] rd_beat_q;
  logic [WW-1:0]     rd_lane_q;
  always_ff @(posedge clk_i) begin
    rd_beat_q <= mem_q[{rp_q[SW-1:0], rd_word_i[7:WW]}];
    rd_lane_q <= rd_word_i[WW-1:0];
  end
  assign rd_data_o = rd_beat_q[32*rd_lane_q+:32];

  assign avail_o = wp_q != rp_q;
  assign {reason_o, qpn_o, len_o} = info_q[rp_q[SW-1:0]];

endmodule
