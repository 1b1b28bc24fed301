// SPDX-License-Identifier: BSD-2-Clause

/// Puts a header of 0 to HDR_BYTES_MAX bytes in front of each packet. The output is dense and runs
/// at one beat a cycle for any header and packet length (also an empty packet). One header belongs
/// to one packet, in order; it is taken together with the packet's first beat.
module weft_stream_prepend #(
  parameter int unsigned DATA_W = 64,         ///< 64, 128, 256 or 512
  parameter int unsigned HDR_BYTES_MAX = 64,  ///< 1 or more
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1,
  localparam int unsigned LenW = $clog2(HDR_BYTES_MAX + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic                       hdr_valid_i,
  output logic                       hdr_ready_o,  ///< may wait for in_valid_i
  input  logic [HDR_BYTES_MAX*8-1:0] hdr_data_i,   ///< first byte in bits 7:0
  input  logic [LenW-1:0]            hdr_len_i,    ///< bytes, 0 to HDR_BYTES_MAX

  input  logic                       in_valid_i,
  output logic                       in_ready_o,
  input  logic [DATA_W-1:0]          in_data_i,
  input  logic [CntW-1:0]            in_cnt_i,
  input  logic                       in_last_i,
  input  logic                       in_err_i,     ///< with last

  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output logic [DATA_W-1:0]          out_data_o,
  output logic [CntW-1:0]            out_cnt_o,
  output logic                       out_last_o,
  output logic                       out_err_o
);

  localparam int unsigned Beats = (HDR_BYTES_MAX + Bytes - 1) / Bytes;
  localparam int unsigned PadW = Beats * DATA_W;
  localparam int unsigned BeatW = Beats > 1 ? $clog2(Beats) : 1;

  // The header goes out in whole beats but for its last 1 to Bytes bytes, which the packer puts in
  // front of the packet's first beat; so something always follows a whole header beat.
  logic [PadW-1:0]   hdr;
  logic [31:0]       len32, less1;
  logic [BeatW-1:0]  beat_q, whole;
  logic [CntW-1:0]   rest;
  logic [DATA_W-1:0] hdr_beat;
  logic              body_q;    // past the first beat of the packet
  logic              in_hdr;
  logic              pk_valid, pk_ready;

  assign hdr      = PadW'(hdr_data_i);
  assign len32    = 32'(hdr_len_i);
  assign less1    = len32 - 32'd1;
  assign whole    = (hdr_len_i == '0) ? '0 : less1[LaneW+:BeatW];
  assign rest     = (hdr_len_i == '0) ? '0 : {1'b0, less1[LaneW-1:0]} + 1'b1;
  assign hdr_beat = hdr[beat_q*DATA_W+:DATA_W];
  assign in_hdr   = !body_q && beat_q != whole;

  assign pk_valid    = body_q ? in_valid_i : (hdr_valid_i && (in_hdr || in_valid_i));
  assign in_ready_o  = pk_ready && (body_q || (hdr_valid_i && !in_hdr));
  assign hdr_ready_o = pk_ready && !body_q && !in_hdr && in_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      body_q <= 1'b0;
    end else if (pk_valid && pk_ready) begin
      beat_q <= in_hdr ? beat_q + 1'b1 : '0;
      body_q <= !in_hdr && !in_last_i;
    end
  end

  weft_stream_pack #(.DATA_W(DATA_W), .PRE(1'b1)) u_pack (
    .clk_i, .rst_ni,
    .in_valid_i(pk_valid), .in_ready_o(pk_ready),
    .in_data_i(in_hdr ? hdr_beat : in_data_i), .in_off_i('0),
    .in_cnt_i(in_hdr ? CntW'(Bytes) : in_cnt_i),
    .in_sure_i(in_hdr || !in_last_i), .in_final_i(!in_hdr && in_last_i),
    .in_err_i(!in_hdr && in_last_i && in_err_i),
    .in_pre_i(!body_q && !in_hdr), .in_pre_cnt_i(rest), .in_pre_data_i(hdr_beat),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_err_o
  );

  logic unused;
  assign unused = ^less1;

endmodule
