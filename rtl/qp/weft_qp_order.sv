// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Writes out a decided segment (combinational): the order for weft_qp_emit with all header fields
/// (RFC 5040 4, RFC 5041 4), and the log records of its message.
module weft_qp_order (
  input  weft_qp_pkg::bundle_t v_i,      ///< the visit
  input  weft_qp_pkg::choice_t k_i,      ///< the segment
  input  logic [31:0]          seq_end_i,
  output weft_qp_pkg::order_t  order_o,
  output weft_qp_pkg::rec_t    rec_o,
  output weft_qp_pkg::fin_t    fin_o,
  output weft_qp_pkg::rrec_t   rrec_o
);

  weft_abi_pkg::sqe_t  h;
  weft_pkg::irq_t      irq;
  weft_pkg::tx_seg_t   seg;
  logic                inv, resp;
  logic [1:0]          slot;
  weft_pkg::rdmap_op_e op;

  assign h    = v_i.h;
  assign irq  = v_i.irq;
  assign inv  = h.opcode == weft_abi_pkg::SQ_OPCODE_SEND_INV;
  assign resp = k_i.sel == weft_qp_pkg::SelResp;
  assign slot = v_i.b.cur[1:0] & (2'b11 >> v_i.cfg.stride);

  assign rec_o.start    = k_i.seq;
  assign rec_o.len      = h.length;
  assign rec_o.msn      = k_i.read ? v_i.b.read_msn : v_i.b.send_msn;
  assign rec_o.pay      = k_i.pay;
  assign rec_o.op       = h.opcode[3:0];
  assign rec_o.sum      = v_i.m.sum;
  assign fin_o.seq_end  = seq_end_i;
  assign fin_o.signaled = h.signaled;
  assign fin_o.op       = h.opcode[3:0];
  assign fin_o.len      = h.length;
  assign rrec_o.start   = k_i.seq;
  assign rrec_o.pay     = k_i.pay;

  always_comb begin
    op = inv ? (h.solicited ? weft_pkg::RdSendSeInv : weft_pkg::RdSendInv)
             : (h.solicited ? weft_pkg::RdSendSe : weft_pkg::RdSend);
    if (h.opcode == weft_abi_pkg::SQ_OPCODE_WRITE) op = weft_pkg::RdWrite;
    if (k_i.read) op = weft_pkg::RdReadReq;
    if (resp) op = weft_pkg::RdReadResp;
    if (k_i.sel == weft_qp_pkg::SelVal) op = weft_pkg::RdTerminate;

    seg         = '0;
    order_o     = '0;
    seg.qpn     = v_i.qpn;
    seg.seq     = k_i.seq;
    seg.op      = op;
    seg.last    = k_i.last;
    seg.len     = k_i.len;
    seg.crc     = v_i.cfg.crc;
    seg.psh     = k_i.last;
    seg.rexmit  = k_i.rexmit;
    seg.replay  = k_i.rexmit || resp;
    seg.wqe     = resp ? 16'(v_i.b.r_cur) : v_i.b.cur;
    seg.is_resp = resp;
    order_o.sel         = k_i.sel;
    order_o.read        = k_i.read;
    order_o.read_new    = k_i.read && k_i.first;
    order_o.inl         = h.inline;
    order_o.base        = 4'(4'(slot) << (2'd2 + v_i.cfg.stride));
    order_o.pd          = v_i.cfg.pd;
    order_o.priv        = v_i.cfg.priv;
    order_o.sge         = v_i.b.sge;
    order_o.sge_off     = h.inline ? v_i.b.off : v_i.b.sge_off;
    order_o.stag        = h.rstag;
    order_o.to          = h.raddr;
    order_o.len         = h.length;
    order_o.val_slot    = v_i.b.val_slot;
    unique case (k_i.sel)
      weft_qp_pkg::SelResp: begin
        seg.stag = irq.sink_stag;
        seg.to   = irq.sink_to + 64'(v_i.b.off);
        order_o.sge_off  = v_i.b.off;
        order_o.stag     = irq.src_stag;
        order_o.to       = irq.src_to;
        order_o.len      = irq.len;
        order_o.inl      = 1'b0;
      end
      // The Terminate queue has one message (RFC 5040 5.4).
      weft_qp_pkg::SelVal: seg.msn = 32'd1;
      default: begin
        if (k_i.tag) begin
          seg.stag = h.rstag;
          seg.to   = h.raddr + 64'(v_i.b.off);
        end else begin
          seg.stag = (inv && !k_i.read) ? h.rstag : 32'd0;
          seg.msn  = k_i.first ? rec_o.msn : v_i.rec.msn;
          seg.mo   = k_i.read ? 32'd0 : v_i.b.off;
        end
      end
    endcase
    order_o.seg = seg;
  end

  logic unused;
  assign unused = ^{v_i, k_i, h, irq};

endmodule
