// SPDX-License-Identifier: BSD-2-Clause

/// Length of an FPDU from its first beat (RFC 5044 4.1, 4.3): ULPDU_Length, behind the marker if
/// one stands in front; words
/// with pad and CRC; words in the stream, with the markers inside. Without markers in the same
/// cycle, with
/// markers two cycles later.
// lint: -GDATA_W=128
module weft_mpa_len #(
  parameter int unsigned DATA_W = 64,       ///< 64, 128, 256 or 512
  parameter int unsigned FPDU_MAX = 16384   ///< bytes without markers, at most 16384
) (
  input  logic               clk_i,
  /// a first beat is there; low for a cycle between two of them
  input  logic               head_i,
  input  logic [DATA_W-1:0]  data_i,
  input  logic [15:0]        left_i,     ///< bytes of the piece from it on
  input  logic               markers_i,
  input  logic [8:0]         next_i,     ///< offset of its first byte
  input  logic [8:0]         first_i,    ///< of the connection's first FPDU

  output logic [6:0]         phase_o,    ///< words since the last marker's begin
  output logic               lead_o,     ///< it begins with a marker
  output logic [15:0]        ulpdu_o,
  output logic [14:0]        words_o,
  output logic [14:0]        total_o,    ///< words in the stream, when known
  output logic               known_o,
  /// the piece ends before the length is there: nothing else counts
  output logic               short_o,
  output logic               bad_o,      ///< shorter than a DDP header, or too long
  output logic               part_o      ///< when known: the piece ends before it does
);

  logic [31:0] word0;
  logic [14:0] before_mk, x_q, y, t_q;
  logic [1:0]  calc_q;

  assign phase_o = next_i[8:2] - first_i[8:2];
  assign lead_o  = markers_i && phase_o == '0;
  assign word0   = lead_o ? data_i[63:32] : data_i[31:0];
  assign ulpdu_o = {word0[7:0], word0[15:8]};
  assign words_o = 15'((17'(ulpdu_o) + 17'd9) >> 2);

  // 127 words stand between two markers: ceil((words - before) / 127) of them, in two steps.
  assign before_mk = lead_o ? 15'd0 : 15'd128 - 15'(phase_o);
  assign y         = x_q + 15'd126;
  always_ff @(posedge clk_i) begin
    calc_q <= !head_i ? 2'd0 : calc_q == 2'd2 ? 2'd2 : calc_q + 2'd1;
    if (head_i) begin
      x_q <= before_mk < words_o ? words_o - before_mk : '0;
      t_q <= words_o + ((y + 15'd1 + (y >> 7)) >> 7);
    end
  end
  assign total_o = markers_i ? t_q : words_o;
  assign known_o = !markers_i || calc_q == 2'd2;

  assign short_o = left_i < (lead_o ? 16'd8 : 16'd4);
  assign bad_o   = ulpdu_o < (word0[23] ? 16'd14 : 16'd18) || words_o > 15'(FPDU_MAX / 4);
  assign part_o  = {1'b0, total_o, 2'b00} > {2'b00, left_i};

  logic unused;
  assign unused = ^{word0, next_i, first_i, data_i};

endmodule
