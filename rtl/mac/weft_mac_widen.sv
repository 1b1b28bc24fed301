// SPDX-License-Identifier: BSD-2-Clause

/// Byte stream of IN_W bits to one of DATA_W, without back-pressure: a word leaves when it is full
/// or
/// the frame ends.
module weft_mac_widen #(
  parameter int unsigned DATA_W = 512,
  parameter int unsigned IN_W = 64,    ///< DATA_W or a part of it by a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned InCntW = $clog2(IN_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              in_valid_i,
  input  logic [IN_W-1:0]   in_data_i,
  input  logic [InCntW-1:0] in_cnt_i,
  input  logic              in_last_i,
  input  logic              in_err_i,
  output logic              out_valid_o,  ///< registered, as all outputs
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_err_o
);

  localparam int unsigned Parts = DATA_W / IN_W;
  localparam int unsigned PartW = Parts > 1 ? $clog2(Parts) : 1;
  logic [PartW-1:0] part_q;
  logic             full;
  assign full = part_q == PartW'(Parts - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q      <= '0;
      out_valid_o <= 1'b0;
    end else begin
      out_valid_o <= in_valid_i && (full || in_last_i);
      if (in_valid_i) part_q <= full || in_last_i ? '0 : part_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (in_valid_i) begin
      for (int unsigned i = 0; i < Parts; i++) begin
        if (part_q == PartW'(i)) out_data_o[IN_W*i+:IN_W] <= in_data_i;
      end
      out_cnt_o  <= CntW'(32'(part_q) * (IN_W / 8)) + CntW'(in_cnt_i);
      out_last_o <= in_last_i;
      out_err_o  <= in_err_i;
    end
  end

endmodule
