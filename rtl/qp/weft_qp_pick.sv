// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Decides what a QP sends next, from its state alone (combinational). Order: the message under
/// way; then what was sent before and is sent again, in sequence order; then the value (Terminate);
/// then a new message, send queue and read responses in turn.
module weft_qp_pick #(
  parameter int unsigned LOG_DEPTH = 64
) (
  input  weft_qp_pkg::bundle_t  v_i,

  output weft_qp_pkg::sel_e     sel_o,      ///< SelNone: nothing can be sent now
  output logic                  first_o,    ///< a message that was never started
  output logic                  fail_o,     ///< the WQE at cur is refused ...
  output logic [7:0]            status_o,   ///< ... with this status
  output logic                  held_o,     ///< the next WQE waits for a completion
  output logic                  more_o,     ///< something is there behind the WQE at cur
  output logic                  next_o,     ///< the WQE behind cur is in its slot
  output logic                  quiet_o     ///< nothing is started and not acknowledged
);

  weft_qp_pkg::bctx_t    b;
  weft_qp_pkg::c2build_t c;
  weft_qp_pkg::avail_t   av;
  weft_abi_pkg::sqe_t    h;
  weft_qp_pkg::meta_t    m;
  weft_qp_pkg::rec_t     rec;
  logic [1:0]            state;
  assign b     = v_i.b;
  assign c     = v_i.c;
  assign av    = v_i.av;
  assign h     = v_i.h;
  assign m  = v_i.m;
  assign rec   = v_i.rec;
  assign state = v_i.state;

  localparam logic [7:0] OpRead = weft_abi_pkg::SQ_OPCODE_READ;

  logic sq_here, sq_old, r_old, inert, agree, sq_new_ok, sq_new_bad, r_new_ok, replay;

  // The WQE at cur is in its slot.
  assign sq_here = av.epoch == b.epoch && (b.cur - av.lo) < (av.hi - av.lo);
  assign sq_old  = b.cur != b.sq_new;
  assign r_old   = b.r_cur != b.r_new;
  assign inert   = b.stopped || state == weft_abi_pkg::QP_STATE_ERR;
  assign replay  = b.snd_nxt != b.snd_max;
  assign agree   = m.status == weft_abi_pkg::WC_STATUS_SUCCESS && m.sum == rec.sum
                   && h.length == rec.len && h.opcode == 8'(rec.op);

  logic [7:0] reads;
  assign reads      = b.rd_issued - c.rd_done;
  assign sq_new_bad = m.status != weft_abi_pkg::WC_STATUS_SUCCESS || (h.opcode == OpRead && v_i.cfg.ord == '0);
  assign sq_new_ok  = sq_here && (sq_new_bad || (
                        (b.sq_new - c.sq_cmpl) < 16'(LOG_DEPTH)
                        && !(h.read_fence && reads != '0)
                        && !(h.local_fence && c.sq_cmpl != b.cur)
                        && !(h.opcode == OpRead && reads >= v_i.cfg.ord)));
  assign held_o     = sq_here && !sq_old && !sq_new_ok;
  assign r_new_ok   = b.r_cur != v_i.tail;

  assign next_o  = av.epoch == b.epoch && (b.cur + 16'd1 - av.lo) < (av.hi - av.lo);
  assign more_o  = next_o || r_new_ok || replay || b.val == weft_qp_pkg::ValWait || b.drain;
  assign quiet_o = b.pos == weft_qp_pkg::SelNone && !sq_old && !r_old && !replay
                   && b.val != weft_qp_pkg::ValWait && v_i.a.snd_una == b.snd_max;

  always_comb begin
    sel_o    = weft_qp_pkg::SelNone;
    first_o  = 1'b0;
    fail_o   = 1'b0;
    status_o = m.status != weft_abi_pkg::WC_STATUS_SUCCESS ? m.status
                                                                : weft_abi_pkg::WC_STATUS_LOC_QP_OP_ERR;
    if (inert) begin
      first_o = 1'b1;
      if (b.val == weft_qp_pkg::ValWait) sel_o = weft_qp_pkg::SelVal;
    end else if (b.pos == weft_qp_pkg::SelSq
                 || (b.pos == weft_qp_pkg::SelNone && sq_old && rec.start == b.snd_nxt)) begin
      if (sq_here) begin
        sel_o  = weft_qp_pkg::SelSq;
        fail_o = !agree;
      end
    end else if (b.pos == weft_qp_pkg::SelResp || (r_old && v_i.rrec.start == b.snd_nxt)) begin
      sel_o = weft_qp_pkg::SelResp;
    end else if (replay) begin
      // Only the value is left; anything else cannot be.
      sel_o = weft_qp_pkg::SelVal;
    end else if (b.val == weft_qp_pkg::ValWait) begin
      sel_o   = weft_qp_pkg::SelVal;
      first_o = 1'b1;
    end else if (state == weft_abi_pkg::QP_STATE_RTS && b.val == weft_qp_pkg::ValNone) begin
      first_o = 1'b1;
      if (sq_new_ok && (b.last_resp || !r_new_ok)) begin
        sel_o  = weft_qp_pkg::SelSq;
        fail_o = sq_new_bad;
      end else if (r_new_ok) begin
        sel_o = weft_qp_pkg::SelResp;
      end
    end
  end

  logic unused;
  assign unused = ^{v_i, b, h, rec, av, c};

endmodule
