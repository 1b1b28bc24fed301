// SPDX-License-Identifier: BSD-2-Clause

/// Multiplier and divider of the control processor (RV32M), sequential: a multiplication takes 6
/// cycles on one 16x16 multiplier, a division 34. Works on magnitudes, the sign is put on last.
///
/// `start_i` is taken only while `busy_o` is low; operands need to be valid in that cycle only.
/// `done_o` is one cycle long, with the result.
module weft_rv32_muldiv (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic [2:0]  funct3_i,  ///< MUL MULH MULHSU MULHU DIV DIVU REM REMU
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic        busy_o,
  output logic        done_o,
  output logic [31:0] result_o
);

  typedef enum logic [1:0] { StIdle, StMul, StDiv, StSign } state_e;
  state_e state_q;

  logic [31:0] a_q, b_q;
  logic [63:0] acc_q;      ///< product, or {remainder, quotient}
  logic [31:0] part_q;     ///< 16x16 product of the last cycle
  logic [5:0]  step_q;
  logic [2:0]  f3_q;
  logic        neg_q, neg_rem_q;

  logic a_signed, b_signed, a_neg, b_neg;
  always_comb begin
    a_signed = funct3_i[2] ? !funct3_i[0] : (funct3_i[1:0] != 2'd3);
    b_signed = funct3_i[2] ? !funct3_i[0] : !funct3_i[1];
    a_neg = a_signed && a_i[31];
    b_neg = b_signed && b_i[31];
  end

  // One step of a restoring division.
  logic [32:0] rem_shift;
  logic [31:0] rem_sub;
  logic        rem_neg;
  always_comb begin
    rem_shift = {acc_q[63:32], acc_q[31]};
    {rem_neg, rem_sub} = rem_shift - {1'b0, b_q};
    // the remainder before the shift is below the divisor: one bit more than 32 is enough
    if (rem_shift[32]) rem_neg = 1'b0;
  end

  logic [15:0] mul_a, mul_b;
  assign mul_a = step_q[0] ? a_q[31:16] : a_q[15:0];
  assign mul_b = step_q[1] ? b_q[31:16] : b_q[15:0];

  logic [63:0] part_shifted;
  always_comb begin
    unique case (step_q[2:0])
      3'd1:       part_shifted = {32'd0, part_q};
      3'd2, 3'd3: part_shifted = {16'd0, part_q, 16'd0};
      default:    part_shifted = {part_q, 32'd0};
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      a_q <= '0;
      b_q <= '0;
      acc_q <= '0;
      part_q <= '0;
      step_q <= '0;
      f3_q <= '0;
      neg_q <= 1'b0;
      neg_rem_q <= 1'b0;
    end else begin
      unique case (state_q)
        StIdle: if (start_i) begin
          f3_q <= funct3_i;
          a_q <= a_neg ? -a_i : a_i;
          b_q <= b_neg ? -b_i : b_i;
          step_q <= '0;
          // x / 0 is all ones whatever the signs, x rem 0 is x: the quotient keeps its sign then.
          neg_q <= (a_neg ^ b_neg) && !(funct3_i[2] && b_i == 0);
          neg_rem_q <= a_neg;
          acc_q <= funct3_i[2] ? {32'd0, a_neg ? -a_i : a_i} : 64'd0;
          state_q <= funct3_i[2] ? StDiv : StMul;
        end
        StMul: begin
          part_q <= mul_a * mul_b;
          if (step_q != 0) acc_q <= acc_q + part_shifted;
          step_q <= step_q + 6'd1;
          if (step_q == 6'd4) state_q <= StSign;
        end
        StDiv: begin
          if (rem_neg) acc_q <= {rem_shift[31:0], acc_q[30:0], 1'b0};
          else acc_q <= {rem_sub, acc_q[30:0], 1'b1};
          step_q <= step_q + 6'd1;
          if (step_q == 6'd31) state_q <= StSign;
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  logic [63:0] product;
  assign product = neg_q ? -acc_q : acc_q;

  always_comb begin
    unique case (f3_q)
      3'd0:             result_o = product[31:0];
      3'd1, 3'd2, 3'd3: result_o = product[63:32];
      3'd4, 3'd5:       result_o = neg_q ? -acc_q[31:0] : acc_q[31:0];
      default:          result_o = neg_rem_q ? -acc_q[63:32] : acc_q[63:32];
    endcase
  end

  assign busy_o = state_q != StIdle;
  assign done_o = state_q == StSign;

endmodule
