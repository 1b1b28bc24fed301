// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Finds where transmission has to go on after snd_una moved or a rewind: the FPDU that holds
/// snd_una. Walks the records that are not acknowledged, takes the one that starts first, and
/// divides by its FPDU size. Bytes in front of every record were sent by firmware (fw_o).
/// Takes 7 cycles, 2 for each record passed, and 24 inside a message of several FPDUs.
module weft_qp_seek (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 start_i,   ///< pulse; the inputs stay until done_o
  input  logic [31:0]          una_i,
  input  weft_qp_pkg::bctx_t   ctx_i,
  input  logic [15:0]          sq_cmpl_i, ///< first record of the send queue
  input  logic [7:0]           irq_head_i,

  output logic                 re_o,      ///< log, data in the next cycle
  output logic [15:0]          sq_o,
  output logic [7:0]           r_o,
  input  weft_qp_pkg::rec_t    rec_i,
  input  logic [31:0]          end_i,
  input  weft_qp_pkg::rrec_t   rrec_i,
  input  logic [31:0]          rend_i,

  output logic                 done_o,    ///< pulse; sq_o and r_o are the new cur and r_cur
  output weft_qp_pkg::sel_e    sel_o,     ///< the message, SelNone when the pointer is between two
  output logic [31:0]          off_o,
  output logic [31:0]          nxt_o,
  output logic                 fw_o       ///< the peer lacks bytes that have no record
);

  typedef enum logic [2:0] {StIdle, StRead, StLook, StPick, StDist, StCheck, StDiv, StDone} state_e;
  state_e      state_q;
  logic [15:0] sq_q;
  logic [7:0]  r_q;
  logic        sq_more, r_more, sq_has, r_has;
  logic [31:0] dist_q, nxt_q, off_q;
  logic [55:0] wire_q;
  logic [47:0] pay_q;
  logic [4:0]  bit_q;
  weft_qp_pkg::sel_e sel_q;
  logic        fw_q, single_q;

  assign re_o   = state_q == StRead;
  assign sq_o   = sq_q;
  assign r_o    = r_q;
  assign done_o = state_q == StDone;
  assign off_o  = off_q;
  assign nxt_o  = nxt_q;
  assign fw_o   = fw_q;
  assign sel_o  = off_q != '0 ? sel_q : weft_qp_pkg::SelNone;

  // A record is there; more: it is whole and all of it acknowledged.
  assign sq_has  = sq_q != ctx_i.sq_new;
  assign r_has   = r_q != ctx_i.r_new;
  assign sq_more = sq_has && !(ctx_i.open == weft_qp_pkg::SelSq && sq_q + 16'd1 == ctx_i.sq_new)
                   && weft_qp_pkg::seq_le(end_i, una_i);
  assign r_more  = r_has && !(ctx_i.open == weft_qp_pkg::SelResp && r_q + 8'd1 == ctx_i.r_new)
                   && weft_qp_pkg::seq_le(rend_i, una_i);

  logic use_sq, use_r, val_has;
  assign val_has = ctx_i.val == weft_qp_pkg::ValSent;
  assign use_sq  = sq_has && (!r_has || weft_qp_pkg::seq_le(rec_i.start, rrec_i.start));
  assign use_r   = r_has && !use_sq;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle: if (start_i) state_q <= StRead;
        StRead: state_q <= StLook;
        StLook: state_q <= (sq_more || r_more) ? StRead : StPick;
        StPick: state_q <= StDist;
        StDist: state_q <= StCheck;
        StCheck: state_q <= (fw_q || single_q || dist_q == '0) ? StDone : StDiv;
        StDiv:  if (bit_q == '0) state_q <= StDone;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        sq_q <= sq_cmpl_i;
        r_q  <= irq_head_i;
      end
      StLook: begin
        if (sq_more) sq_q <= sq_q + 16'd1;
        if (r_more) r_q <= r_q + 8'd1;
      end
      StPick: begin
        off_q    <= '0;
        fw_q     <= 1'b0;
        single_q <= 1'b1;
        nxt_q    <= ctx_i.snd_max;
        sel_q    <= weft_qp_pkg::SelNone;
        if (use_sq) begin
          nxt_q    <= rec_i.start;
          sel_q    <= weft_qp_pkg::SelSq;
          single_q <= rec_i.op == 4'(weft_abi_pkg::SQ_OPCODE_READ) || rec_i.op == 4'(weft_abi_pkg::SQ_OPCODE_NOP);
          wire_q   <= {weft_qp_pkg::fpdu_len(rec_i.op == 4'(weft_abi_pkg::SQ_OPCODE_WRITE), rec_i.pay), 24'd0} >> 1;
          pay_q    <= {8'd0, rec_i.pay, 24'd0} >> 1;
        end else if (use_r) begin
          nxt_q    <= rrec_i.start;
          sel_q    <= weft_qp_pkg::SelResp;
          single_q <= 1'b0;
          wire_q   <= {weft_qp_pkg::fpdu_len(1'b1, rrec_i.pay), 24'd0} >> 1;
          pay_q    <= {8'd0, rrec_i.pay, 24'd0} >> 1;
        end else if (val_has) begin
          if (una_i != ctx_i.snd_max) nxt_q <= ctx_i.val_seq;
        end
        bit_q <= 5'd23;
      end
      StDist: begin
        dist_q <= una_i - nxt_q;
        fw_q   <= weft_qp_pkg::seq_lt(una_i, nxt_q);
      end
      StDiv: begin
        // Restoring division: take 2^bit FPDUs at a time.
        if ({24'd0, dist_q} >= wire_q) begin
          dist_q <= dist_q - wire_q[31:0];
          nxt_q  <= nxt_q + wire_q[31:0];
          off_q  <= off_q + pay_q[31:0];
        end
        wire_q <= wire_q >> 1;
        pay_q  <= pay_q >> 1;
        bit_q  <= bit_q - 5'd1;
      end
      default: ;
    endcase
  end

  logic unused;
  assign unused = ^{ctx_i, rec_i};

endmodule
