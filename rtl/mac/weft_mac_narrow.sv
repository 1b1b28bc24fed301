// SPDX-License-Identifier: BSD-2-Clause

/// Byte stream of DATA_W bits to one of OUT_W: a word becomes up to DATA_W/OUT_W beats. No cycle
/// is lost.
module weft_mac_narrow #(
  parameter int unsigned DATA_W = 512,
  parameter int unsigned OUT_W = 64,   ///< DATA_W or a part of it by a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned OutCntW = $clog2(OUT_W / 8) + 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               in_valid_i,
  output logic               in_ready_o,
  input  logic [DATA_W-1:0]  in_data_i,
  input  logic [CntW-1:0]    in_cnt_i,
  input  logic               in_last_i,
  input  logic               in_err_i,
  output logic               out_valid_o,
  input  logic               out_ready_i,
  output logic [OUT_W-1:0]   out_data_o,
  output logic [OutCntW-1:0] out_cnt_o,
  output logic               out_last_o,
  output logic               out_err_o
);

  if (DATA_W == OUT_W) begin : gen_same
    assign out_valid_o = in_valid_i;
    assign in_ready_o  = out_ready_i;
    assign out_data_o  = in_data_i;
    assign out_cnt_o   = in_cnt_i;
    assign out_last_o  = in_last_i;
    assign out_err_o   = in_err_i;
    logic unused;
    assign unused = ^{clk_i, rst_ni};
  end else begin : gen_cut
    localparam int unsigned Parts = DATA_W / OUT_W;
    localparam int unsigned PartW = $clog2(Parts);
    localparam int unsigned OutBytes = OUT_W / 8;
    logic [PartW-1:0] part_q;
    logic [CntW-1:0]  left;
    logic             end_part;
    // Bytes from this part on.
    assign left        = in_cnt_i - CntW'({part_q, {(OutCntW - 1){1'b0}}});
    assign end_part    = part_q == PartW'(Parts - 1) || left <= CntW'(OutBytes);
    assign out_valid_o = in_valid_i;
    assign out_data_o  = in_data_i[OUT_W*part_q+:OUT_W];
    assign out_cnt_o   = left > CntW'(OutBytes) ? OutCntW'(OutBytes) : left[OutCntW-1:0];
    assign out_last_o  = in_last_i && end_part;
    assign out_err_o   = in_err_i;
    assign in_ready_o  = out_ready_i && end_part;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) part_q <= '0;
      else if (in_valid_i && out_ready_i) part_q <= end_part ? '0 : part_q + 1'b1;
    end
  end

endmodule
