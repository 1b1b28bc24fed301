// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Internet checksum (RFC 1071) partial sum over all bytes of each packet; the stream passes through.
/// One beat a cycle at every width; a beat that is not last is delayed by one cycle, the last one by
/// five.
///
/// `out_sum_o` is valid with `out_last_o`: the 16-bit one's complement sum, not inverted, of the
/// packet as big-endian words (byte 0 is the high half), an odd byte at the end padded with zero.
/// It is 0 only for a packet of zeros.
module weft_csum #(
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
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_err_o,
  output logic [15:0]       out_sum_o    ///< with last
);

  localparam int unsigned Groups = DATA_W / 64;
  localparam int unsigned WordW = DATA_W + CntW + 2;

  logic q_valid, sum_valid;

  weft_fifo #(.W(WordW), .DEPTH(16)) u_data (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o,
    .in_data_i({in_err_i, in_last_i, in_cnt_i, in_data_i}),
    .out_valid_o(q_valid), .out_ready_i(out_ready_i && (!out_last_o || sum_valid)),
    .out_data_o({out_err_o, out_last_o, out_cnt_o, out_data_o}), .count_o()
  );

  logic [DATA_W-1:0]       masked;
  logic [Groups-1:0][17:0] part_q;   // sums of four words
  logic [20:0]             beat_q;
  logic [31:0]             acc_q, acc;
  logic [16:0]             fold_q;
  logic [20:0]             total;
  logic                    v1_q, v2_q, v3_q, v4_q, l1_q, l2_q, fresh_q;

  // Wide logic stands under its valid, so that a simulator passes it by while nothing is there.
  always_comb begin
    masked = 'x;
    if (in_valid_i) begin
      masked = '0;
      for (int unsigned i = 0; i < Bytes; i++) begin
        if (CntW'(i) < in_cnt_i) masked[8*i+:8] = in_data_i[8*i+:8];
      end
    end
    total = '0;
    for (int unsigned g = 0; g < Groups; g++) total = total + 21'(part_q[g]);
  end

  // 2^16 words of a packet fit: longer ones do not exist.
  assign acc = (fresh_q ? 32'd0 : acc_q) + 32'(beat_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {v1_q, v2_q, v3_q, v4_q} <= '0;
      fresh_q <= 1'b1;
    end else begin
      v1_q <= in_valid_i && in_ready_o;
      v2_q <= v1_q;
      v3_q <= v2_q && l2_q;
      v4_q <= v3_q;
      if (v2_q) fresh_q <= l2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i) begin
      for (int unsigned g = 0; g < Groups; g++) begin
        part_q[g] <= (18'({masked[64*g+:8], masked[64*g+8+:8]}) +
                      18'({masked[64*g+16+:8], masked[64*g+24+:8]})) +
                     (18'({masked[64*g+32+:8], masked[64*g+40+:8]}) +
                      18'({masked[64*g+48+:8], masked[64*g+56+:8]}));
      end
    end
    l1_q   <= in_last_i;
    l2_q   <= l1_q;
    beat_q <= total;
    if (v2_q) acc_q <= acc;
    fold_q <= 17'(acc_q[31:16]) + 17'(acc_q[15:0]);
  end

  // Never full: each sum belongs to a last beat in u_data.
  weft_fifo #(.W(16), .DEPTH(16)) u_sum (
    .clk_i, .rst_ni, .in_valid_i(v4_q), .in_ready_o(),
    .in_data_i(fold_q[15:0] + 16'(fold_q[16])),
    .out_valid_o(sum_valid), .out_ready_i(q_valid && out_last_o && out_ready_i),
    .out_data_o(out_sum_o), .count_o()
  );

  assign out_valid_o = q_valid && (!out_last_o || sum_valid);

endmodule
/* verilator lint_on PINCONNECTEMPTY */
