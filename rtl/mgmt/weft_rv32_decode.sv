// SPDX-License-Identifier: BSD-2-Clause

/// Instruction decoder of the control processor (compressed ones come expanded): RV32IM, Zicsr, FENCE(.I), MRET, WFI, ECALL,
/// EBREAK. Combinational.
module weft_rv32_decode (
  input  logic [31:0] insn_i,
  output logic [31:0] imm_o,
  output logic [3:0]  alu_op_o,     ///< {alternative, funct3} of OP and OP-IMM
  output logic        use_imm_o,    ///< second operand is the immediate
  output logic        is_lui_o,
  output logic        is_auipc_o,
  output logic        is_jal_o,
  output logic        is_jalr_o,
  output logic        is_branch_o,
  output logic        is_load_o,
  output logic        is_store_o,
  output logic        is_muldiv_o,
  output logic        is_csr_o,
  output logic        is_fencei_o,
  output logic        is_ecall_o,
  output logic        is_ebreak_o,
  output logic        is_mret_o,
  output logic        is_wfi_o,
  output logic        writes_rd_o,
  output logic        illegal_o
);

  logic [6:0] op, funct7;
  logic [2:0] funct3;
  assign op = insn_i[6:0];
  assign funct3 = insn_i[14:12];
  assign funct7 = insn_i[31:25];

  logic is_op, is_opimm, is_fence, is_sys0;
  assign is_op = op == 7'h33 && funct7 != 7'h01;
  assign is_opimm = op == 7'h13;
  assign is_lui_o = op == 7'h37;
  assign is_auipc_o = op == 7'h17;
  assign is_jal_o = op == 7'h6f;
  assign is_jalr_o = op == 7'h67 && funct3 == 0;
  assign is_branch_o = op == 7'h63 && funct3[2:1] != 2'b01;
  assign is_load_o = op == 7'h03 && funct3 != 3'd3 && funct3 != 3'd6 && funct3 != 3'd7;
  assign is_store_o = op == 7'h23 && funct3 < 3'd3;
  assign is_muldiv_o = op == 7'h33 && funct7 == 7'h01;
  assign is_csr_o = op == 7'h73 && funct3[1:0] != 0;
  assign is_fence = op == 7'h0f && funct3 == 0;
  assign is_fencei_o = op == 7'h0f && funct3 == 3'd1;
  assign is_sys0 = op == 7'h73 && funct3 == 0 && insn_i[11:7] == 0 && insn_i[19:15] == 0;
  assign is_ecall_o = is_sys0 && insn_i[31:20] == 12'h000;
  assign is_ebreak_o = is_sys0 && insn_i[31:20] == 12'h001;
  assign is_mret_o = is_sys0 && insn_i[31:20] == 12'h302;
  assign is_wfi_o = is_sys0 && insn_i[31:20] == 12'h105;

  // OP: funct7 is 0, or 0x20 for SUB and SRA; OP-IMM: only the shifts look at it.
  logic op_ok, opimm_ok;
  assign op_ok = funct7 == 0 || (funct7 == 7'h20 && (funct3 == 3'd0 || funct3 == 3'd5));
  assign opimm_ok = (funct3 != 3'd1 && funct3 != 3'd5) || funct7 == 0
                    || (funct7 == 7'h20 && funct3 == 3'd5);

  assign alu_op_o = {funct7[5] && (op == 7'h33 || funct3 == 3'd5), funct3};
  assign use_imm_o = !is_op;
  assign writes_rd_o = op == 7'h33 || is_opimm || is_lui_o || is_auipc_o || is_jal_o || is_jalr_o
                       || is_load_o || is_csr_o;

  always_comb begin
    unique case (op)
      7'h37, 7'h17: imm_o = {insn_i[31:12], 12'd0};
      7'h6f: imm_o = {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21], 1'b0};
      7'h63: imm_o = {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8], 1'b0};
      7'h23: imm_o = {{21{insn_i[31]}}, insn_i[30:25], insn_i[11:7]};
      default: imm_o = {{21{insn_i[31]}}, insn_i[30:20]};
    endcase
  end

  assign illegal_o = !((is_op && op_ok) || (is_opimm && opimm_ok) || is_lui_o || is_auipc_o
                       || is_jal_o || is_jalr_o || is_branch_o || is_load_o || is_store_o
                       || is_muldiv_o || is_csr_o || is_fence || is_fencei_o || is_ecall_o
                       || is_ebreak_o || is_mret_o || is_wfi_o);

endmodule
