// SPDX-License-Identifier: BSD-2-Clause

/// Machine-mode control and status registers of the control processor: mtvec (direct mode), mepc,
/// mcause, mtval, mscratch, mstatus (stored only: there are no interrupts, WFI is polled), misa,
/// mhartid, mcycle, minstret and their user shadows.
///
/// A read is combinational; `known_o` low means that the number does not exist, or that a write
/// goes to a read-only one: the processor raises an illegal instruction. Counters stand still while
/// the processor waits, so nothing here advances in an idle card.
module weft_rv32_csr (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [11:0] num_i,
  input  logic        commit_i,   ///< it does, in this cycle
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  input  logic [11:0] id_num_i,   ///< of the instruction in decode ...
  input  logic        id_write_i, ///< ... which would write
  output logic        known_o,    ///< ... and may
  input  logic        active_i,   ///< not waiting: mcycle counts
  input  logic        retire_i,
  input  logic        trap_i,
  input  logic [3:0]  cause_i,
  input  logic [31:0] pc_i,
  input  logic [31:0] tval_i,
  output logic [31:0] mtvec_o,
  output logic [31:0] mepc_o
);

  logic [31:0] mtvec_q, mepc_q, mtval_q, mscratch_q;
  logic [3:0]  mcause_q;
  logic [63:0] cycle_q, instret_q;

  // Told for the instruction in decode, so that execute has it in a register.
  always_comb begin
    unique case (id_num_i)
      12'h300, 12'h301, 12'h304, 12'h344, 12'hf11, 12'hf12, 12'hf13, 12'hf14, 12'h305, 12'h340,
      12'h341, 12'h342, 12'h343, 12'hb00, 12'hc00, 12'hb80, 12'hc80, 12'hb02, 12'hc02, 12'hb82,
      12'hc82: known_o = !(id_num_i[11:10] == 2'b11 && id_write_i);
      default: known_o = 1'b0;
    endcase
  end

  always_comb begin
    unique case (num_i)
      12'h300: rdata_o = 32'h0000_1800;
      12'h301: rdata_o = 32'h4000_1104;
      12'h305: rdata_o = mtvec_q;
      12'h340: rdata_o = mscratch_q;
      12'h341: rdata_o = mepc_q;
      12'h342: rdata_o = {28'd0, mcause_q};
      12'h343: rdata_o = mtval_q;
      12'hb00, 12'hc00: rdata_o = cycle_q[31:0];
      12'hb80, 12'hc80: rdata_o = cycle_q[63:32];
      12'hb02, 12'hc02: rdata_o = instret_q[31:0];
      12'hb82, 12'hc82: rdata_o = instret_q[63:32];
      default: rdata_o = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mtvec_q <= '0;
      mepc_q <= '0;
      mtval_q <= '0;
      mscratch_q <= '0;
      mcause_q <= '0;
      cycle_q <= '0;
      instret_q <= '0;
    end else begin
      if (active_i) cycle_q <= cycle_q + 64'd1;
      if (retire_i) instret_q <= instret_q + 64'd1;
      if (trap_i) begin
        mepc_q <= pc_i;
        mcause_q <= cause_i;
        mtval_q <= tval_i;
      end else if (commit_i) begin
        unique case (num_i)
          12'h305: mtvec_q <= {wdata_i[31:2], 2'b00};
          12'h340: mscratch_q <= wdata_i;
          12'h341: mepc_q <= {wdata_i[31:1], 1'b0};
          12'h342: mcause_q <= wdata_i[3:0];
          12'h343: mtval_q <= wdata_i;
          default: ;
        endcase
      end
    end
  end

  assign mtvec_o = mtvec_q;
  assign mepc_o = mepc_q;

endmodule
