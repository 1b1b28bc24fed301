// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Inbound read queue: stores the Read Requests that receive has accepted, per QP in order, until
/// their responses are acknowledged. Receive grants at most IRD of them, IRD <= IRQ_DEPTH.
module weft_qp_irq #(
  parameter int unsigned N_QP = 16,
  parameter int unsigned IRQ_DEPTH = 32,
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned IrqW = $clog2(IRQ_DEPTH)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               init_i,
  input  logic [QpW-1:0]     init_qpn_i,

  input  logic               irq_valid_i,
  output logic               irq_ready_o,
  input  weft_pkg::irq_t     irq_i,

  input  logic               load_valid_i,  ///< empty the queue of load_qpn_i
  output logic               load_ready_o,
  input  logic [QpW-1:0]     load_qpn_i,

  output logic               wake_o,        ///< an entry was added
  output logic [QpW-1:0]     wake_qpn_o,

  input  logic               view_re_i,     ///< build: entries in the queue, free running
  input  logic [QpW-1:0]     view_qpn_i,
  output logic [7:0]         view_tail_o,
  input  logic               ent_re_i,      ///< build: one entry
  input  logic [7:0]         ent_idx_i,
  output weft_pkg::irq_t     ent_o,
  output logic               busy_o,        ///< at work on wake_qpn_o
  output logic               idle_o
);

  typedef enum logic [1:0] {StIdle, StRead, StWrite} state_e;
  state_e         state_q;
  weft_pkg::irq_t irq_q;
  logic           load_q;
  logic [7:0]     tail, tail_d;
  logic [QpW-1:0] qpn_q;
  logic           we;

  assign load_ready_o = state_q == StIdle && !init_i;
  assign irq_ready_o  = state_q == StIdle && !init_i && !load_valid_i;
  assign we           = state_q == StWrite;
  assign tail_d       = load_q ? 8'd0 : tail + 8'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:  if (!init_i && (load_valid_i || irq_valid_i)) state_q <= StRead;
        StRead:  state_q <= StWrite;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      irq_q  <= irq_i;
      load_q <= load_valid_i;
      qpn_q  <= load_valid_i ? load_qpn_i : irq_i.qpn[QpW-1:0];
    end
  end

  weft_qp_mem #(.W(8), .DEPTH(N_QP), .N_RD(2)) u_tail (
    .clk_i, .we_i(we || init_i), .waddr_i(init_i ? init_qpn_i : qpn_q), .wdata_i(init_i ? 8'd0 : tail_d),
    .re_i({view_re_i, state_q == StRead}), .raddr_i({view_qpn_i, qpn_q}), .rdata_o({view_tail_o, tail})
  );

  weft_ram_1r1w #(.W($bits(irq_i)), .DEPTH(N_QP * IRQ_DEPTH)) u_ent (
    .clk_i, .we_i(we && !load_q), .waddr_i({qpn_q, tail[IrqW-1:0]}), .wdata_i(irq_q),
    .re_i(ent_re_i), .raddr_i({view_qpn_i, ent_idx_i[IrqW-1:0]}), .rdata_o(ent_o)
  );

  assign wake_o     = we && !load_q;
  assign wake_qpn_o = qpn_q;
  assign busy_o     = state_q != StIdle;
  assign idle_o     = !busy_o && !irq_valid_i;

  logic unused;
  assign unused = ^ent_idx_i;

endmodule
