// SPDX-License-Identifier: BSD-2-Clause

/// Lanes of framing, second half: puts header words over the turned payload, makes the pad and the
/// place of the CRC zero, and opens a gap for a marker (RFC 5044 4.3). One beat a cycle, one cycle
/// of latency, never waits.
module weft_mpa_lanes #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  localparam int unsigned K = DATA_W / 32,
  localparam int unsigned KW = $clog2(K)
) (
  input  logic              clk_i,
  input  logic              in_valid_i,
  input  logic [DATA_W-1:0] in_data_i,    ///< payload words, in lanes of a beat without marker
  input  logic [159:0]      in_head_i,    ///< words of the header that are left
  input  logic [2:0]        in_hw_i,      ///< how many
  input  logic [KW:0]       in_dwords_i,  ///< words of header, payload and pad, 0 to K
  input  logic              in_end_i,     ///< the last of them is the FPDU's last
  input  logic [1:0]        in_tail_i,    ///< its bytes modulo 4
  input  logic              in_mark_i,    ///< a marker
  input  logic [KW-1:0]     in_mark_pos_i,
  input  logic [13:0]       in_ptr_i,     ///< FPDUPTR, in words
  output logic [DATA_W-1:0] out_data_o
);

  logic [DATA_W-1:0] dense, data;
  logic [31:0]       marker;

  // 16 bits reserved, then FPDUPTR, high byte first.
  assign marker = {in_ptr_i[5:0], 2'd0, in_ptr_i[13:6], 16'd0};

  always_comb begin
    dense = 'x;
    data  = 'x;
    if (in_valid_i) begin
      for (int unsigned j = 0; j < K; j++) begin
        dense[32*j+:32] = in_data_i[32*j+:32];
        if (j < 5 && 3'(j) < in_hw_i) dense[32*j+:32] = in_head_i[32*(j%5)+:32];
        if ((KW + 1)'(j) >= in_dwords_i) begin
          dense[32*j+:32] = '0;
        end else if (in_end_i && (KW + 1)'(j + 1) == in_dwords_i) begin
          if (in_tail_i == 2'd1) dense[32*j+8+:8] = '0;
          if (in_tail_i == 2'd1 || in_tail_i == 2'd2) dense[32*j+16+:8] = '0;
          if (in_tail_i != 2'd0) dense[32*j+24+:8] = '0;
        end
      end
      data = dense;
      if (in_mark_i) begin
        for (int unsigned j = 0; j < K; j++) begin
          if (KW'(j) == in_mark_pos_i) data[32*j+:32] = marker;
          else if (KW'(j) > in_mark_pos_i) data[32*j+:32] = dense[32*((j+K-1)%K)+:32];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i) out_data_o <= data;
  end

endmodule
