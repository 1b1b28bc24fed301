// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// The QP's record after a segment was taken (combinational): the pointer moves over it, a new
/// message gets its numbers, the newest message its end. The SGE position within a message that goes
/// on comes later, from weft_qp_emit.
module weft_qp_advance (
  input  weft_qp_pkg::bctx_t   b_i,
  input  weft_qp_pkg::choice_t k_i,
  input  logic [31:0]          una_i,
  input  logic [31:0]          now_us_i,
  input  logic [31:0]          seq_end_i,
  output weft_qp_pkg::bctx_t   b_o,
  output logic                 ends_o      ///< the newest message has its end now
);

  logic sq, resp;
  assign sq     = k_i.sel == weft_qp_pkg::SelSq;
  assign resp   = k_i.sel == weft_qp_pkg::SelResp;
  assign ends_o = k_i.last && (sq || resp)
                  && (k_i.first || (b_i.open == k_i.sel && (sq ? b_i.cur + 16'd1 == b_i.sq_new
                                                               : b_i.r_cur + 8'd1 == b_i.r_new)));

  always_comb begin
    b_o         = b_i;
    b_o.snd_nxt = seq_end_i;
    b_o.pos     = k_i.last ? weft_qp_pkg::SelNone : k_i.sel;
    b_o.off     = k_i.last ? 32'd0 : b_i.off + 32'(k_i.len);
    if (k_i.last) begin
      b_o.sge     = '0;
      b_o.sge_off = '0;
    end
    if (!k_i.nop) b_o.probe = 1'b0;
    if (!k_i.rexmit) begin
      b_o.snd_max = seq_end_i;
      // One segment at a time is timed, never one that was sent twice (RFC 6298 3).
      if (!k_i.nop && (!b_i.rtt_on || weft_qp_pkg::seq_le(b_i.rtt_seq, una_i))) begin
        b_o.rtt_on   = 1'b1;
        b_o.rtt_gen  = b_i.rtt_gen + 2'd1;
        b_o.rtt_seq  = seq_end_i;
        b_o.rtt_time = now_us_i;
      end
    end
    if (sq || resp) begin
      if (ends_o) b_o.open = weft_qp_pkg::SelNone;
      else if (k_i.first) b_o.open = k_i.sel;
      if (k_i.first) b_o.last_resp = resp;
    end
    unique case (k_i.sel)
      weft_qp_pkg::SelSq: begin
        if (k_i.last) b_o.cur = b_i.cur + 16'd1;
        if (k_i.first) begin
          b_o.sq_new = b_i.sq_new + 16'd1;
          if (k_i.read) begin
            b_o.read_msn  = b_i.read_msn + 32'd1;
            b_o.rd_issued = b_i.rd_issued + 8'd1;
          end else if (!k_i.tag && !k_i.nop) begin
            b_o.send_msn = b_i.send_msn + 32'd1;
          end
        end
      end
      weft_qp_pkg::SelResp: begin
        if (k_i.last) b_o.r_cur = b_i.r_cur + 8'd1;
        if (k_i.first) b_o.r_new = b_i.r_new + 8'd1;
      end
      default: begin
        b_o.val     = weft_qp_pkg::ValSent;
        b_o.val_seq = k_i.seq;
      end
    endcase
  end

  logic unused;
  assign unused = ^k_i;

endmodule
