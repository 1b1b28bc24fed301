// SPDX-License-Identifier: BSD-2-Clause

/// The control processor: RV32IMC, machine mode only, three stages (fetch, decode, execute), in
/// order. Most instructions take one cycle, a load from RAM and a taken branch two (three to an
/// instruction that lies in two words), a peripheral access four or more.
///
/// Memory: `if_*` is a synchronous read port into the RAM (data one cycle after `if_en_o`, held
/// while it is low). `ram_*` is the data port into the same RAM, always granted; read data come one
/// cycle later; any load or store claims it, one of a peripheral without effect. Every other address goes out on `bus_*`: the request is held until `bus_done_i`,
/// which carries read data and error. RAM is at address 0, 2^RAM_AW words.
///
/// Traps: illegal instruction, fetch outside of RAM, misaligned load or store, bus error, ECALL,
/// EBREAK. They set mepc, mcause, mtval and go to mtvec; with mtvec 0 the processor halts until reset.
/// There are no interrupts: WFI waits for `wake_i`.
///
/// `start_i` (one cycle, while stopped) begins execution at `entry_i`.
module weft_rv32 #(
  parameter int unsigned RAM_AW = 14  ///< log2 of the words of RAM
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              start_i,
  input  logic [31:0]       entry_i,
  input  logic              stop_i,     ///< halts for good (watchdog)
  input  logic              wake_i,
  output logic              wfi_o,      ///< waiting in WFI
  output logic              running_o,
  output logic              trap_o,     ///< pulse: an exception other than ECALL and EBREAK
  output logic              halted_o,   ///< exception without handler, or stopped

  output logic              if_en_o,
  output logic [RAM_AW-1:0] if_addr_o,
  input  logic [31:0]       if_data_i,

  output logic              ram_en_o,
  output logic [3:0]        ram_we_o,
  output logic [RAM_AW-1:0] ram_addr_o,
  output logic [31:0]       ram_wdata_o,
  input  logic [31:0]       ram_rdata_i,

  output logic              bus_req_o,
  output logic              bus_we_o,
  output logic [31:0]       bus_addr_o,
  output logic [31:0]       bus_wdata_o,
  output logic [3:0]        bus_be_o,
  input  logic              bus_done_i,
  input  logic [31:0]       bus_rdata_i,
  input  logic              bus_err_i
);

  typedef enum logic [2:0] { StOff, StRun, StLoad, StBus, StMul, StWfi, StHalt } state_e;
  state_e state_q;

  // ------------------------------------------------------------------ fetch
  // An instruction begins in hold_q (the upper half of the word before that of if_data_i), if that is
  // valid, else in if_data_i. hold_q is valid only for one that does not begin on a word.
  logic [31:0] id_pc_q;
  logic        id_valid_q, hold_valid_q;
  logic [15:0] hold_q;
  logic [RAM_AW-1:0] word_q;  // behind the word that was read last
  logic        redirect, ex_ready;
  logic [31:0] target;
  logic [31:0] id_next;
  logic [31:0] insn, insn_long;
  logic [31:0] insn_short;
  logic [15:0] first;
  logic        is_short, half;

  assign first     = hold_valid_q ? hold_q : id_pc_q[1] ? if_data_i[31:16] : if_data_i[15:0];
  assign insn_long = {id_pc_q[1] ? if_data_i[15:0] : if_data_i[31:16], first};
  assign is_short  = first[1:0] != 2'b11;
  assign half      = id_pc_q[1] && !hold_valid_q && !is_short;  // the rest is in the next word
  assign insn      = is_short ? insn_short : insn_long;
  weft_rv32_expand u_expand (.insn_i(first), .insn_o(insn_short));

  assign id_next   = id_pc_q + (is_short ? 32'd2 : 32'd4);
  assign if_en_o   = redirect || half || (ex_ready && !(is_short && hold_valid_q));
  assign if_addr_o = redirect ? target[RAM_AW+1:2] : word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      id_pc_q <= '0;
      id_valid_q <= 1'b0;
      hold_valid_q <= 1'b0;
    end else if (redirect) begin
      id_pc_q <= target;
      id_valid_q <= 1'b1;
      hold_valid_q <= 1'b0;
    end else if (half) begin
      hold_valid_q <= 1'b1;
    end else if (ex_ready) begin
      id_pc_q <= id_next;
      hold_valid_q <= id_pc_q[1] ^ is_short;
    end
  end
  always_ff @(posedge clk_i) begin
    if (if_en_o) begin
      word_q <= if_addr_o + RAM_AW'(1);
      hold_q <= if_data_i[31:16];
    end
  end

  // ------------------------------------------------------------------ decode
  logic [31:0] imm;
  logic [3:0]  alu_op;
  logic use_imm, is_lui, is_auipc, is_jal, is_jalr, is_branch, is_load, is_store, is_muldiv, is_csr;
  logic is_fencei, is_ecall, is_ebreak, is_mret, is_wfi, writes_rd, illegal, csr_known;

  weft_rv32_decode u_decode (
    .insn_i(insn), .imm_o(imm), .alu_op_o(alu_op), .use_imm_o(use_imm), .is_lui_o(is_lui),
    .is_auipc_o(is_auipc), .is_jal_o(is_jal), .is_jalr_o(is_jalr), .is_branch_o(is_branch),
    .is_load_o(is_load), .is_store_o(is_store), .is_muldiv_o(is_muldiv), .is_csr_o(is_csr),
    .is_fencei_o(is_fencei), .is_ecall_o(is_ecall), .is_ebreak_o(is_ebreak), .is_mret_o(is_mret),
    .is_wfi_o(is_wfi), .writes_rd_o(writes_rd), .illegal_o(illegal)
  );

  logic [31:0] rf_q [32];
  logic        wb_en;
  logic [31:0] wb_data;
  logic [31:0] rs1, rs2;
  logic        ex_writes_q;
  logic [4:0]  ex_rd_q;

  always_ff @(posedge clk_i) begin
    if (wb_en) rf_q[ex_rd_q] <= wb_data;
  end

  always_comb begin
    rs1 = rf_q[insn[19:15]];
    rs2 = rf_q[insn[24:20]];
    if (wb_en && ex_rd_q == insn[19:15]) rs1 = wb_data;
    if (wb_en && ex_rd_q == insn[24:20]) rs2 = wb_data;
    if (insn[19:15] == 0) rs1 = '0;
    if (insn[24:20] == 0) rs2 = '0;
  end

  // ------------------------------------------------------------------ execute: registers
  logic        ex_valid_q;
  logic [31:0] ex_pc_q, ex_next_q, ex_pcimm_q, ex_a_q, ex_b_q, ex_rs2_q, ex_insn_q;
  logic [31:0] ex_imm_q;
  logic [3:0]  ex_alu_q;
  logic ex_lui_q, ex_auipc_q, ex_jal_q, ex_jalr_q, ex_branch_q, ex_load_q, ex_store_q, ex_mul_q;
  logic ex_csr_q, ex_fencei_q, ex_ecall_q, ex_ebreak_q, ex_mret_q, ex_wfi_q, ex_illegal_q;
  logic ex_fault_q, ex_alu_en_q, ex_left_q, ex_sra_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ex_valid_q <= 1'b0;
    end else if (redirect) begin
      ex_valid_q <= 1'b0;
    end else if (ex_ready) begin
      ex_valid_q <= id_valid_q && !half;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ex_ready) begin
      ex_pc_q <= id_pc_q;
      ex_next_q <= id_next;
      ex_pcimm_q <= id_pc_q + imm;
      ex_a_q <= rs1;
      ex_b_q <= use_imm ? imm : rs2;
      ex_rs2_q <= rs2;
      ex_insn_q <= insn;
      ex_imm_q <= imm;
      ex_alu_q <= alu_op;
      ex_left_q <= alu_op[2:0] == 3'd1;
      ex_sra_q <= alu_op == 4'b1101;
      ex_lui_q <= is_lui;
      ex_auipc_q <= is_auipc;
      ex_jal_q <= is_jal;
      ex_jalr_q <= is_jalr;
      ex_branch_q <= is_branch;
      ex_load_q <= is_load;
      ex_store_q <= is_store;
      ex_mul_q <= is_muldiv;
      ex_csr_q <= is_csr;
      ex_fencei_q <= is_fencei;
      ex_ecall_q <= is_ecall;
      ex_ebreak_q <= is_ebreak;
      ex_mret_q <= is_mret;
      ex_wfi_q <= is_wfi;
      ex_illegal_q <= illegal || (is_csr && !csr_known);
      ex_fault_q <= |id_pc_q[31:RAM_AW+2];
      ex_alu_en_q <= !(is_lui || is_auipc || is_jal || is_jalr || is_csr);
      ex_writes_q <= writes_rd && insn[11:7] != 0;
      ex_rd_q <= insn[11:7];
    end
  end

  // ------------------------------------------------------------------ execute: arithmetic
  logic [31:0] alu;
  logic [31:0] sum;
  logic        lt, ltu, eq, taken;
  assign sum = ex_a_q + ex_b_q;
  assign eq = ex_a_q == ex_rs2_q;

  logic [31:0] cmp_b;
  assign cmp_b = ex_branch_q ? ex_rs2_q : ex_b_q;
  assign ltu = ex_a_q < cmp_b;
  assign lt = (ex_a_q[31] ^ cmp_b[31]) ? ex_a_q[31] : ltu;

  // One shifter to the right, mirrored for the left.
  logic [31:0] sh0, sh1, sh2, sh4, sh8, sh16, mirrored, shifted;
  logic        sh_fill;
  always_comb begin
    for (int unsigned i = 0; i < 32; i++) mirrored[i] = ex_a_q[31-i];
    sh_fill = ex_sra_q && ex_a_q[31];
    sh0     = ex_left_q ? mirrored : ex_a_q;
    sh1     = ex_b_q[0] ? {sh_fill, sh0[31:1]} : sh0;
    sh2     = ex_b_q[1] ? {{2{sh_fill}}, sh1[31:2]} : sh1;
    sh4     = ex_b_q[2] ? {{4{sh_fill}}, sh2[31:4]} : sh2;
    sh8     = ex_b_q[3] ? {{8{sh_fill}}, sh4[31:8]} : sh4;
    sh16    = ex_b_q[4] ? {{16{sh_fill}}, sh8[31:16]} : sh8;
    for (int unsigned i = 0; i < 32; i++) shifted[i] = ex_left_q ? sh16[31-i] : sh16[i];
  end

  always_comb begin
    unique case (ex_alu_q[2:0])
      3'd0: alu = ex_alu_q[3] ? ex_a_q - ex_b_q : sum;
      3'd1, 3'd5: alu = shifted;
      3'd2: alu = {31'd0, lt};
      3'd3: alu = {31'd0, ltu};
      3'd4: alu = ex_a_q ^ ex_b_q;
      3'd6: alu = ex_a_q | ex_b_q;
      default: alu = ex_a_q & ex_b_q;
    endcase
    unique case (ex_alu_q[2:0])
      3'd0: taken = eq;
      3'd1: taken = !eq;
      3'd4: taken = lt;
      3'd5: taken = !lt;
      3'd6: taken = ltu;
      default: taken = !ltu;
    endcase
  end

  logic        mul_done, mul_start;
  logic [31:0] mul_result;
  logic        unused_mul_busy;
  weft_rv32_muldiv u_muldiv (
    .clk_i, .rst_ni, .start_i(mul_start), .funct3_i(ex_alu_q[2:0]), .a_i(ex_a_q), .b_i(ex_rs2_q),
    .busy_o(unused_mul_busy), .done_o(mul_done), .result_o(mul_result)
  );

  // ------------------------------------------------------------------ execute: memory
  logic is_ram, misaligned;
  logic [3:0]  be;
  logic [31:0] store_data;
  assign is_ram = !(|sum[31:RAM_AW+2]);
  always_comb begin
    unique case (ex_alu_q[1:0])
      2'd0: begin
        be = 4'b0001 << sum[1:0];
        store_data = {4{ex_rs2_q[7:0]}};
        misaligned = 1'b0;
      end
      2'd1: begin
        be = sum[1] ? 4'b1100 : 4'b0011;
        store_data = {2{ex_rs2_q[15:0]}};
        misaligned = sum[0];
      end
      default: begin
        be = 4'b1111;
        store_data = ex_rs2_q;
        misaligned = sum[1:0] != 0;
      end
    endcase
  end

  logic [1:0]  ld_off_q;
  logic [31:0] ld_raw, ld_shift, ld_data;
  assign ld_raw = state_q == StBus ? bus_rdata_i : ram_rdata_i;
  always_comb begin
    ld_shift = ld_raw >> {ld_off_q, 3'd0};
    unique case (ex_alu_q[2:0])
      3'd0: ld_data = {{24{ld_shift[7]}}, ld_shift[7:0]};
      3'd1: ld_data = {{16{ld_shift[15]}}, ld_shift[15:0]};
      3'd4: ld_data = {24'd0, ld_shift[7:0]};
      3'd5: ld_data = {16'd0, ld_shift[15:0]};
      default: ld_data = ld_shift;
    endcase
  end

  // ------------------------------------------------------------------ execute: CSR
  logic [31:0] csr_src, csr_rdata, csr_wdata, mtvec, mepc;
  logic        csr_write, csr_commit;
  assign csr_src = ex_alu_q[2] ? {27'd0, ex_insn_q[19:15]} : ex_a_q;
  assign csr_write = ex_alu_q[1:0] == 2'd1 || ex_insn_q[19:15] != 0;
  always_comb begin
    unique case (ex_alu_q[1:0])
      2'd1: csr_wdata = csr_src;
      2'd2: csr_wdata = csr_rdata | csr_src;
      default: csr_wdata = csr_rdata & ~csr_src;
    endcase
  end

  // ------------------------------------------------------------------ execute: traps, next state
  logic        run, exc;
  logic [3:0]  cause;
  logic [31:0] tval;
  logic        retire;
  logic [31:0] jump_target;

  assign run = state_q == StRun && ex_valid_q;
  always_comb begin
    jump_target = ex_pcimm_q;
    if (ex_jalr_q) jump_target = {sum[31:1], 1'b0};
    if (ex_mret_q) jump_target = mepc;
    if (ex_fencei_q) jump_target = ex_next_q;
  end

  // A branch's comparison is known last, and no exception depends on it.
  logic exc_mem, exc_now, mtvec_set, jump_other;
  assign mtvec_set  = |mtvec;
  assign jump_other = ex_jal_q || ex_jalr_q || ex_mret_q || ex_fencei_q;
  assign exc_now    = run && (ex_fault_q || ex_illegal_q || ex_ecall_q || ex_ebreak_q);
  assign exc_mem    = run && (ex_load_q || ex_store_q) && misaligned;
  assign exc        = (state_q == StBus && bus_done_i && bus_err_i) || exc_now || exc_mem;

  always_comb begin
    cause = 4'd0;
    tval = sum;
    if (state_q == StBus) begin
      cause = ex_store_q ? 4'd7 : 4'd5;
      tval = bus_addr_o;
    end else if (run) begin
      if (ex_fault_q) begin
        cause = 4'd1;
        tval = ex_pc_q;
      end else if (ex_illegal_q) begin
        cause = 4'd2;
        tval = ex_insn_q;
      end else if (ex_ecall_q || ex_ebreak_q) begin
        cause = ex_ecall_q ? 4'd11 : 4'd3;
        tval = '0;
      end else begin
        cause = ex_store_q ? 4'd6 : 4'd4;
      end
    end
  end

  assign mul_start = run && !exc_now && ex_mul_q;
  assign csr_commit = run && !exc_now && ex_csr_q && csr_write;
  assign redirect = start_i || (exc && mtvec_set)
                    || (run && !exc && (jump_other || (ex_branch_q && taken)));
  // Used with redirect only.
  assign target = start_i ? entry_i : exc ? mtvec : jump_target;

  // The instruction in execute leaves it in this cycle (or there is none).
  logic single;
  assign single = !(ex_mul_q || ex_wfi_q || (ex_load_q) || (ex_store_q && !is_ram));
  always_comb begin
    unique case (state_q)
      StRun: ex_ready = !ex_valid_q || (single && !exc);
      StLoad: ex_ready = 1'b1;
      StBus: ex_ready = bus_done_i && !bus_err_i;
      StMul: ex_ready = mul_done;
      StWfi: ex_ready = wake_i;
      default: ex_ready = 1'b0;
    endcase
  end
  assign retire = ex_ready && ex_valid_q && !exc;

  assign wb_en = ex_writes_q && ex_valid_q
                 && ((state_q == StRun && single && !exc_now) || state_q == StLoad
                     || (state_q == StBus && bus_done_i && !bus_err_i) || (state_q == StMul && mul_done));
  always_comb begin
    wb_data = alu;
    if (state_q == StLoad || state_q == StBus) wb_data = ld_data;
    else if (state_q == StMul) wb_data = mul_result;
    else if (!ex_alu_en_q) begin
      wb_data = ex_next_q;
      if (ex_lui_q) wb_data = ex_imm_q;
      if (ex_auipc_q) wb_data = ex_pcimm_q;
      if (ex_csr_q) wb_data = csr_rdata;
    end
  end

  weft_rv32_csr u_csr (
    .clk_i, .rst_ni, .num_i(ex_insn_q[31:20]), .commit_i(csr_commit), .id_num_i(insn[31:20]),
    .id_write_i(insn[13:12] == 2'd1 || insn[19:15] != 0),
    .wdata_i(csr_wdata), .rdata_o(csr_rdata), .known_o(csr_known),
    .active_i(running_o && !wfi_o), .retire_i(retire), .trap_i(exc), .cause_i(cause),
    .pc_i(ex_pc_q), .tval_i(tval), .mtvec_o(mtvec), .mepc_o(mepc)
  );

  // Early, for the copy engines wait for it: a peripheral access claims the port for a cycle, too.
  assign ram_en_o = run && (ex_load_q || ex_store_q);
  assign ram_we_o = (ex_store_q && is_ram && !exc_now && !misaligned) ? be : 4'd0;
  assign ram_addr_o = sum[RAM_AW+1:2];
  assign ram_wdata_o = store_data;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StOff;
      bus_req_o <= 1'b0;
      bus_we_o <= 1'b0;
      bus_addr_o <= '0;
      bus_wdata_o <= '0;
      bus_be_o <= '0;
      ld_off_q <= '0;
    end else begin
      // Used in the states that follow only.
      if (state_q == StRun) begin
        ld_off_q <= sum[1:0];
        bus_we_o <= ex_store_q;
        bus_addr_o <= sum;
        bus_wdata_o <= store_data;
        bus_be_o <= be;
      end
      unique case (state_q)
        StOff: if (start_i) state_q <= StRun;
        StRun: if (run) begin
          if (exc) begin
            if (mtvec == 0) state_q <= StHalt;
          end else if (ex_mul_q) begin
            state_q <= StMul;
          end else if (ex_wfi_q) begin
            state_q <= StWfi;
          end else if (ex_load_q || ex_store_q) begin
            if (is_ram) begin
              if (ex_load_q) state_q <= StLoad;
            end else begin
              state_q <= StBus;
              bus_req_o <= 1'b1;
            end
          end
        end
        StLoad: state_q <= StRun;
        StBus: if (bus_done_i) begin
          bus_req_o <= 1'b0;
          state_q <= (exc && mtvec == 0) ? StHalt : StRun;
        end
        StMul: if (mul_done) state_q <= StRun;
        StWfi: if (wake_i) state_q <= StRun;
        default: ;
      endcase
      if (stop_i) begin
        state_q <= StHalt;
        bus_req_o <= 1'b0;
      end
    end
  end

  assign wfi_o = state_q == StWfi;
  assign running_o = state_q != StOff && state_q != StHalt;
  assign halted_o = state_q == StHalt;
  assign trap_o = exc && cause != 4'd11 && cause != 4'd3;

endmodule
