// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Decides what a QP sends next, from its state alone (combinational). Order: the message under
/// way; then what was sent before and is sent again, in sequence order; then the value (Terminate);
/// then a new message, send queue and read responses in turn.
module weft_qp_pick #(
  parameter int unsigned LOG_DEPTH = 64
) (
  input  weft_qp_pkg::bctx_t    b_i,
  input  weft_qp_pkg::a2build_t a_i,
  input  weft_qp_pkg::c2build_t c_i,
  input  weft_qp_pkg::avail_t   av_i,
  input  logic [1:0]            state_i,
  input  logic [7:0]            ord_i,
  input  logic [7:0]            irq_tail_i,
  input  weft_abi_pkg::sqe_t    h_i,        ///< WQE at cur
  input  weft_qp_pkg::meta_t    meta_i,
  input  weft_qp_pkg::rec_t     rec_i,      ///< record at cur
  input  weft_qp_pkg::rrec_t    rrec_i,     ///< record at r_cur

  output weft_qp_pkg::sel_e     sel_o,      ///< SelNone: nothing can be sent now
  output logic                  first_o,    ///< a message that was never started
  output logic                  fail_o,     ///< the WQE at cur is refused ...
  output logic [7:0]            status_o,   ///< ... with this status
  output logic                  quiet_o     ///< nothing is started and not acknowledged
);

  localparam logic [7:0] OpRead = weft_abi_pkg::SQ_OPCODE_READ;

  logic sq_here, sq_old, r_old, inert, agree, sq_new_ok, sq_new_bad, r_new_ok, replay;

  // The WQE at cur is in its slot.
  assign sq_here = av_i.epoch == b_i.epoch && (b_i.cur - av_i.lo) < (av_i.hi - av_i.lo);
  assign sq_old  = b_i.cur != b_i.sq_new;
  assign r_old   = b_i.r_cur != b_i.r_new;
  assign inert   = b_i.stopped || state_i == weft_abi_pkg::QP_STATE_ERR;
  assign replay  = b_i.snd_nxt != b_i.snd_max;
  assign agree   = meta_i.status == weft_abi_pkg::WC_STATUS_SUCCESS && meta_i.sum == rec_i.sum
                   && h_i.length == rec_i.len && h_i.opcode == 8'(rec_i.op);

  logic [7:0] reads;
  assign reads      = b_i.rd_issued - c_i.rd_done;
  assign sq_new_bad = meta_i.status != weft_abi_pkg::WC_STATUS_SUCCESS || (h_i.opcode == OpRead && ord_i == '0);
  assign sq_new_ok  = sq_here && (sq_new_bad || (
                        (b_i.sq_new - c_i.sq_cmpl) < 16'(LOG_DEPTH)
                        && !(h_i.read_fence && reads != '0)
                        && !(h_i.local_fence && c_i.sq_cmpl != b_i.cur)
                        && !(h_i.opcode == OpRead && reads >= ord_i)));
  assign r_new_ok   = b_i.r_cur != irq_tail_i;

  assign quiet_o = b_i.pos == weft_qp_pkg::SelNone && !sq_old && !r_old && !replay
                   && b_i.val != weft_qp_pkg::ValWait && a_i.snd_una == b_i.snd_max;

  always_comb begin
    sel_o    = weft_qp_pkg::SelNone;
    first_o  = 1'b0;
    fail_o   = 1'b0;
    status_o = meta_i.status != weft_abi_pkg::WC_STATUS_SUCCESS ? meta_i.status
                                                                : weft_abi_pkg::WC_STATUS_LOC_QP_OP_ERR;
    if (inert) begin
      first_o = 1'b1;
      if (b_i.val == weft_qp_pkg::ValWait) sel_o = weft_qp_pkg::SelVal;
    end else if (b_i.pos == weft_qp_pkg::SelSq
                 || (b_i.pos == weft_qp_pkg::SelNone && sq_old && rec_i.start == b_i.snd_nxt)) begin
      if (sq_here) begin
        sel_o  = weft_qp_pkg::SelSq;
        fail_o = !agree;
      end
    end else if (b_i.pos == weft_qp_pkg::SelResp || (r_old && rrec_i.start == b_i.snd_nxt)) begin
      sel_o = weft_qp_pkg::SelResp;
    end else if (replay) begin
      // Only the value is left; anything else cannot be.
      sel_o = weft_qp_pkg::SelVal;
    end else if (b_i.val == weft_qp_pkg::ValWait) begin
      sel_o   = weft_qp_pkg::SelVal;
      first_o = 1'b1;
    end else if (state_i == weft_abi_pkg::QP_STATE_RTS && b_i.val == weft_qp_pkg::ValNone) begin
      first_o = 1'b1;
      if (sq_new_ok && (b_i.last_resp || !r_new_ok)) begin
        sel_o  = weft_qp_pkg::SelSq;
        fail_o = sq_new_bad;
      end else if (r_new_ok) begin
        sel_o = weft_qp_pkg::SelResp;
      end
    end
  end

  logic unused;
  assign unused = ^{h_i, rec_i, rrec_i, a_i, c_i.irq_head, b_i};

endmodule
