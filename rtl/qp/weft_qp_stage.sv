// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// First half of a visit of build: takes a command, a transmit error or a woken QP, reads the QP's
/// record, the views of the other engines' records, then what they point to (WQE header, verdict,
/// log records, inbound read), and hands all of it on. Works on the next QP while the second half
/// is busy with another; a QP that is there right now waits until its record is stored.
module weft_qp_stage #(
  parameter int unsigned N_QP = 16,
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   init_i,

  input  logic                   qp_valid_i,    ///< ready set
  output logic                   qp_ready_o,
  input  logic [QpW-1:0]         qp_i,
  input  logic                   cmd_valid_i,   ///< command
  output logic                   cmd_ready_o,
  input  logic [QpW-1:0]         cmd_qpn_i,
  input  logic                   txerr_valid_i,
  output logic                   txerr_ready_o,
  input  weft_pkg::tx_err_t      txerr_i,

  input  logic                   next_busy_i,   ///< second half: at work on next_qpn_i
  input  logic [QpW-1:0]         next_qpn_i,
  input  logic                   log_busy_i,    ///< second half uses the log's read port

  output logic                   view_re_o,     ///< record and views, one cycle later
  output logic [QpW-1:0]         view_qpn_o,
  input  weft_qp_pkg::bctx_t     ctx_i,
  input  weft_qp_pkg::cfg_build_t cfg_i,
  input  logic [1:0]             state_i,
  input  logic                   hold_i,
  input  weft_qp_pkg::a2build_t  ack_i,
  input  weft_qp_pkg::c2build_t  cmpl_i,
  input  weft_qp_pkg::avail_t    avail_i,
  input  logic [7:0]             fetched_i,     ///< fetches issued, as avail.cnt
  input  logic [7:0]             irq_tail_i,

  output logic                   hdr_re_o,      ///< header word, verdict, inbound read, log records
  output logic [1:0]             hdr_slot_o,
  output logic [15:0]            hdr_sq_o,      ///< cur
  output logic [7:0]             hdr_r_o,       ///< r_cur
  input  logic [255:0]           hdr_i,
  input  weft_qp_pkg::meta_t     meta_i,
  input  weft_pkg::irq_t         irq_i,
  input  weft_qp_pkg::rec_t      rec_i,
  input  weft_qp_pkg::rrec_t     rrec_i,

  output logic                   out_valid_o,
  input  logic                   out_ready_i,
  output weft_qp_pkg::bundle_t   out_o,
  output logic                   busy_o,        ///< at work on view_qpn_o
  output logic                   idle_o
);

  typedef enum logic [2:0] {StIdle, StRead, StLatch, StHdr, StHdr0, StOut} state_e;

  state_e               state_q;
  weft_qp_pkg::bundle_t o_q;
  weft_qp_pkg::visit_e  pick;
  logic [QpW-1:0]       pick_qpn;
  logic                 any, go;

  always_comb begin
    pick     = weft_qp_pkg::VkRun;
    pick_qpn = qp_i;
    if (cmd_valid_i) begin
      pick     = weft_qp_pkg::VkCmd;
      pick_qpn = cmd_qpn_i;
    end else if (txerr_valid_i) begin
      pick     = weft_qp_pkg::VkErr;
      pick_qpn = txerr_i.qpn[QpW-1:0];
    end
  end
  assign any = cmd_valid_i || txerr_valid_i || qp_valid_i;
  // Not while its record is about to change: in the second half, or just handed to it.
  assign go  = !init_i && any && !(next_busy_i && next_qpn_i == pick_qpn)
               && (state_q == StIdle || (state_q == StOut && out_ready_i && o_q.qpn[QpW-1:0] != pick_qpn));

  assign cmd_ready_o   = go && pick == weft_qp_pkg::VkCmd;
  assign txerr_ready_o = go && pick == weft_qp_pkg::VkErr;
  assign qp_ready_o    = go && pick == weft_qp_pkg::VkRun;

  assign view_re_o  = state_q == StRead;
  assign view_qpn_o = o_q.qpn[QpW-1:0];
  assign hdr_re_o   = state_q == StHdr && !log_busy_i;
  assign hdr_slot_o = o_q.b.cur[1:0] & (2'b11 >> o_q.cfg.stride);
  assign hdr_sq_o   = o_q.b.cur;
  assign hdr_r_o    = o_q.b.r_cur;

  assign out_valid_o = state_q == StOut;
  assign out_o       = o_q;
  assign busy_o      = state_q != StIdle;
  assign idle_o      = !busy_o && !any;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:  if (go) state_q <= StRead;
        StRead:  state_q <= StLatch;
        StLatch: state_q <= StHdr;
        StHdr:   if (!log_busy_i) state_q <= StHdr0;
        StHdr0:  state_q <= StOut;
        default: if (out_ready_i) state_q <= go ? StRead : StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle, StOut: if (go) begin
        o_q.visit <= pick;
        o_q.qpn   <= 16'(pick_qpn);
        o_q.err   <= txerr_i;
      end
      StLatch: begin
        o_q.b        <= ctx_i;
        o_q.cfg      <= cfg_i;
        o_q.state    <= state_i;
        o_q.hold     <= hold_i;
        o_q.fetching <= fetched_i != avail_i.cnt;
        o_q.a        <= ack_i;
        o_q.c        <= cmpl_i;
        o_q.av       <= avail_i;
        o_q.tail     <= irq_tail_i;
      end
      StHdr0: begin
        o_q.h        <= hdr_i;
        o_q.m        <= meta_i;
        o_q.irq      <= irq_i;
        o_q.rec      <= rec_i;
        o_q.rrec     <= rrec_i;
      end
      default: ;
    endcase
  end

endmodule
