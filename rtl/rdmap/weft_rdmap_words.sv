// SPDX-License-Identifier: BSD-2-Clause

/// Turns packets into 16-byte words, one a cycle. A packet that is not a multiple of 16 bytes ends
/// with a word that is partly undefined.
module weft_rdmap_words #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,
  input  logic              in_err_i,
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [127:0]      out_data_o,
  output logic              out_last_o,
  output logic              out_err_o   ///< with last
);

  if (DATA_W == 64) begin : gen_narrow

    logic        half_q;
    logic [63:0] low_q;

    assign out_valid_o = in_valid_i && (half_q || in_last_i);
    assign in_ready_o  = out_ready_i || !(half_q || in_last_i);
    assign out_data_o  = half_q ? {in_data_i, low_q} : {64'd0, in_data_i};
    assign out_last_o  = in_last_i;
    assign out_err_o   = in_err_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) half_q <= 1'b0;
      else if (in_valid_i && in_ready_o) half_q <= !half_q && !in_last_i;
    end
    always_ff @(posedge clk_i) if (in_valid_i && in_ready_o) low_q <= in_data_i;

    logic unused;
    assign unused = ^in_cnt_i;

  end else begin : gen_wide

    localparam int unsigned Words = DATA_W / 128;
    localparam int unsigned IdxW = Words > 1 ? $clog2(Words) : 1;

    logic [IdxW-1:0] idx_q;
    logic            final_word;

    assign final_word  = 32'(idx_q) == Words - 1 || 32'(in_cnt_i) <= 32'(idx_q) * 32'd16 + 32'd16;
    assign out_valid_o = in_valid_i;
    assign in_ready_o  = out_ready_i && final_word;
    assign out_data_o  = in_data_i[idx_q*128+:128];
    assign out_last_o  = in_last_i && final_word;
    assign out_err_o   = in_err_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) idx_q <= '0;
      else if (in_valid_i && out_ready_i) idx_q <= final_word ? '0 : idx_q + 1'b1;
    end

  end

endmodule
