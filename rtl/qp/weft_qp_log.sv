// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// The transmit log: what was sent, by message, until it is acknowledged. A started WQE has a record
/// at its index mod LOG_DEPTH, a started read response one at its place in the inbound read queue.
/// A message is contiguous in sequence space, so start and end are enough to find any byte.
/// Build writes the start with a message's first segment and the end with its last.
module weft_qp_log #(
  parameter int unsigned N_QP = 16,
  parameter int unsigned LOG_DEPTH = 64,  ///< WQEs started and not completed per QP, power of two
  parameter int unsigned IRQ_DEPTH = 32,  ///< inbound reads per QP, power of two, at most 128
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned LogW = $clog2(LOG_DEPTH),
  localparam int unsigned IrqW = $clog2(IRQ_DEPTH)
) (
  input  logic                 clk_i,

  // Build writes the record of b_sq_i, b_r_i ...
  input  logic [QpW-1:0]       b_qpn_i,
  input  logic [15:0]          b_sq_i,
  input  logic [7:0]           b_r_i,
  input  logic                 rec_we_i,
  input  weft_qp_pkg::rec_t    rec_i,
  input  logic                 fin_we_i,
  input  weft_qp_pkg::fin_t    fin_i,
  input  logic                 rrec_we_i,
  input  weft_qp_pkg::rrec_t   rrec_i,
  input  logic                 rend_we_i,
  input  logic [31:0]          rend_i,
  // ... and reads, one cycle later.
  input  logic [QpW-1:0]       b_rd_qpn_i,
  input  logic                 b_re_i,
  input  logic [15:0]          b_rd_sq_i,
  input  logic [7:0]           b_rd_r_i,
  output weft_qp_pkg::rec_t    b_rec_o,
  output logic [31:0]          b_end_o,
  output weft_qp_pkg::rrec_t   b_rrec_o,
  output logic [31:0]          b_rend_o,

  input  logic                 c_re_i,     ///< completion
  input  logic [QpW-1:0]       c_qpn_i,
  input  logic [15:0]          c_sq_i,
  input  logic [7:0]           c_r_i,
  output weft_qp_pkg::fin_t    c_fin_o,
  output logic [31:0]          c_rend_o
);

  logic [QpW+LogW-1:0] w_sq, r_sq, rc_sq;
  logic [QpW+IrqW-1:0] w_r, r_r, rc_r;
  assign w_sq  = {b_qpn_i, b_sq_i[LogW-1:0]};
  assign r_sq  = {b_rd_qpn_i, b_rd_sq_i[LogW-1:0]};
  assign rc_sq = {c_qpn_i, c_sq_i[LogW-1:0]};
  assign w_r   = {b_qpn_i, b_r_i[IrqW-1:0]};
  assign r_r   = {b_rd_qpn_i, b_rd_r_i[IrqW-1:0]};
  assign rc_r  = {c_qpn_i, c_r_i[IrqW-1:0]};

  weft_ram_1r1w #(.W($bits(rec_i)), .DEPTH(N_QP * LOG_DEPTH)) u_rec (
    .clk_i, .we_i(rec_we_i), .waddr_i(w_sq), .wdata_i(rec_i), .re_i(b_re_i), .raddr_i(r_sq), .rdata_o(b_rec_o)
  );
  weft_ram_1r1w #(.W(32), .DEPTH(N_QP * LOG_DEPTH)) u_end (
    .clk_i, .we_i(fin_we_i), .waddr_i(w_sq), .wdata_i(fin_i.seq_end),
    .re_i(b_re_i), .raddr_i(r_sq), .rdata_o(b_end_o)
  );
  weft_ram_1r1w #(.W($bits(fin_i)), .DEPTH(N_QP * LOG_DEPTH)) u_fin (
    .clk_i, .we_i(fin_we_i), .waddr_i(w_sq), .wdata_i(fin_i), .re_i(c_re_i), .raddr_i(rc_sq), .rdata_o(c_fin_o)
  );
  weft_ram_1r1w #(.W($bits(rrec_i)), .DEPTH(N_QP * IRQ_DEPTH)) u_rrec (
    .clk_i, .we_i(rrec_we_i), .waddr_i(w_r), .wdata_i(rrec_i), .re_i(b_re_i), .raddr_i(r_r), .rdata_o(b_rrec_o)
  );
  weft_qp_mem #(.W(32), .DEPTH(N_QP * IRQ_DEPTH), .N_RD(2)) u_rend (
    .clk_i, .we_i(rend_we_i), .waddr_i(w_r), .wdata_i(rend_i),
    .re_i({c_re_i, b_re_i}), .raddr_i({rc_r, r_r}), .rdata_o({c_rend_o, b_rend_o})
  );

  logic unused;
  assign unused = ^{b_sq_i, b_rd_sq_i, c_sq_i, b_r_i, b_rd_r_i, c_r_i};

`ifndef SYNTHESIS
  initial begin
    if (LOG_DEPTH < 2 || (LOG_DEPTH & (LOG_DEPTH - 1)) != 0) $fatal(1, "weft_qp_log: LOG_DEPTH is no power of two");
    if (IRQ_DEPTH < 2 || IRQ_DEPTH > 128 || (IRQ_DEPTH & (IRQ_DEPTH - 1)) != 0) begin
      $fatal(1, "weft_qp_log: IRQ_DEPTH must be a power of two, 2 to 128");
    end
  end
`endif

endmodule
