// SPDX-License-Identifier: BSD-2-Clause

/// Joins consecutive packets, each lane-0 aligned, of any length, possibly empty, into one packet
/// without gaps. Takes one beat a cycle; the output loses at most one beat a piece.
module weft_stream_gather #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned LaneW = $clog2(DATA_W / 8),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,
  input  logic              in_err_i,    ///< with last
  input  logic              in_final_i,  ///< with last: this piece ends the output packet

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_err_o    ///< with last: OR over the pieces
);

  weft_stream_pack #(.DATA_W(DATA_W), .PRE(1'b0)) u_pack (
    .clk_i, .rst_ni,
    .in_valid_i, .in_ready_o, .in_data_i, .in_off_i('0), .in_cnt_i,
    .in_sure_i(!in_last_i), .in_final_i(in_last_i && in_final_i),
    .in_err_i(in_last_i && in_err_i),
    .in_pre_i(1'b0), .in_pre_cnt_i('0), .in_pre_data_i('0),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_err_o
  );

endmodule
