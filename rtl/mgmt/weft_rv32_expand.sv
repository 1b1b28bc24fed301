// SPDX-License-Identifier: BSD-2-Clause

/// The 32-bit instruction that a compressed one (RV32C, without floating point) stands for. One that
/// does not exist comes out as it is: no 32-bit instruction begins with its low two bits, so the
/// decoder refuses it. Combinational.
module weft_rv32_expand (
  input  logic [15:0] insn_i,
  output logic [31:0] insn_o
);

  localparam logic [6:0] OpImm = 7'h13, Op = 7'h33, Lui = 7'h37, Load = 7'h03, Store = 7'h23;
  localparam logic [6:0] Jal = 7'h6f, Jalr = 7'h67, Branch = 7'h63;

  logic [4:0]  rd, rs2, rd_s, rs1_s;
  logic [11:0] imm, imm_lw, imm_4spn, imm_16sp, imm_lwsp, imm_swsp;
  logic [11:1] imm_j;  // of a jump's offset
  logic [7:1]  imm_b;  // of a branch's
  logic        sign;
  assign sign     = insn_i[12];
  assign rd       = insn_i[11:7];
  assign rs2      = insn_i[6:2];
  assign rd_s     = {2'b01, insn_i[4:2]};
  assign rs1_s    = {2'b01, insn_i[9:7]};
  assign imm      = {{7{sign}}, insn_i[6:2]};
  assign imm_lw   = {5'd0, insn_i[5], insn_i[12:10], insn_i[6], 2'd0};
  assign imm_4spn = {2'd0, insn_i[10:7], insn_i[12:11], insn_i[5], insn_i[6], 2'd0};
  assign imm_16sp = {{3{sign}}, insn_i[4:3], insn_i[5], insn_i[2], insn_i[6], 4'd0};
  assign imm_lwsp = {4'd0, insn_i[3:2], insn_i[12], insn_i[6:4], 2'd0};
  assign imm_swsp = {4'd0, insn_i[8:7], insn_i[12:9], 2'd0};
  assign imm_j    = {sign, insn_i[8], insn_i[10:9], insn_i[6], insn_i[7], insn_i[2], insn_i[11],
                     insn_i[5:3]};
  assign imm_b    = {insn_i[6:5], insn_i[2], insn_i[11:10], insn_i[4:3]};

  logic [2:0] arith_f3;
  always_comb begin
    unique case (insn_i[6:5])
      2'd0: arith_f3 = 3'd0;  // SUB
      2'd1: arith_f3 = 3'd4;
      2'd2: arith_f3 = 3'd6;
      default: arith_f3 = 3'd7;
    endcase
  end

  always_comb begin
    insn_o = {16'd0, insn_i};
    unique case ({insn_i[1:0], insn_i[15:13]})
      // C.ADDI4SPN, C.LW, C.SW
      5'b00_000: if (insn_i[12:5] != 0) insn_o = {imm_4spn, 5'd2, 3'd0, rd_s, OpImm};
      5'b00_010: insn_o = {imm_lw, rs1_s, 3'd2, rd_s, Load};
      5'b00_110: insn_o = {imm_lw[11:5], rd_s, rs1_s, 3'd2, imm_lw[4:0], Store};

      // C.ADDI, C.JAL, C.LI
      5'b01_000: insn_o = {imm, rd, 3'd0, rd, OpImm};
      5'b01_001, 5'b01_101:  // the latter: C.J
        insn_o = {sign, imm_j[10:1], imm_j[11], {8{sign}}, 4'd0, !insn_i[15], Jal};
      5'b01_010: insn_o = {imm, 5'd0, 3'd0, rd, OpImm};
      5'b01_011: begin  // C.ADDI16SP, C.LUI
        if ({sign, insn_i[6:2]} != 0) begin
          if (rd == 5'd2) insn_o = {imm_16sp, 5'd2, 3'd0, 5'd2, OpImm};
          else insn_o = {{15{sign}}, insn_i[6:2], rd, Lui};
        end
      end
      5'b01_100: begin
        unique case (insn_i[11:10])
          2'd0, 2'd1:  // C.SRLI, C.SRAI
            if (!sign) insn_o = {1'b0, insn_i[10], 5'd0, rs2, rs1_s, 3'd5, rs1_s, OpImm};
          2'd2: insn_o = {imm, rs1_s, 3'd7, rs1_s, OpImm};
          default:  // C.SUB, C.XOR, C.OR, C.AND
            if (!sign) insn_o = {1'b0, insn_i[6:5] == 2'd0, 5'd0, rd_s, rs1_s, arith_f3, rs1_s, Op};
        endcase
      end
      5'b01_110, 5'b01_111:  // C.BEQZ, C.BNEZ
        insn_o = {{4{sign}}, imm_b[7:5], 5'd0, rs1_s, 2'd0, insn_i[13], imm_b[4:1], sign, Branch};

      // C.SLLI, C.LWSP
      5'b10_000: if (!sign) insn_o = {7'd0, rs2, rd, 3'd1, rd, OpImm};
      5'b10_010: if (rd != 0) insn_o = {imm_lwsp, 5'd2, 3'd2, rd, Load};
      5'b10_100: begin
        if (rs2 != 0) insn_o = {7'd0, rs2, sign ? rd : 5'd0, 3'd0, rd, Op};  // C.ADD, C.MV
        else if (rd != 0) insn_o = {12'd0, rd, 3'd0, 4'd0, sign, Jalr};        // C.JALR, C.JR
        else if (sign) insn_o = 32'h0010_0073;                               // C.EBREAK
      end
      5'b10_110: insn_o = {imm_swsp[11:5], rs2, 5'd2, 3'd2, imm_swsp[4:0], Store};
      default: ;
    endcase
  end

endmodule
