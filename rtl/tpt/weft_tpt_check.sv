// SPDX-License-Identifier: BSD-2-Clause

/// Checks one access against its TPT entry and works out where its first byte lies. Four stages, one
/// access a cycle.
///
/// The first fault of weft_pkg::xl_err_e in its order wins (RFC 5040 7.2, RFC 5041 7.1): all 32 bits
/// of the STag and state VALID (or CLOSED, when the access is recovery); the PD, of a window of type 2 its QP; every right asked for; TO + length - 1
/// within 64 bits; every byte within [BASE, BASE + LENGTH). STag 0 is physical memory for privileged
/// accesses, which only the wrap can stop, and unknown for others.
module weft_tpt_check #(
  parameter int unsigned SLOT_W = 8,
  localparam int unsigned EntW = 397
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 in_valid_i,
  output logic                 in_ready_o,
  input  weft_pkg::xlate_req_t in_req_i,
  input  logic [EntW-1:0]      in_ent_i,     ///< as weft_tpt_store gives it

  output logic                 out_valid_o,
  input  logic                 out_ready_i,
  output weft_pkg::xl_err_e    out_err_o,
  output logic                 out_flat_o,   ///< out_addr_o is the bus address of all of it
  output logic [63:0]          out_addr_o,
  output logic [15:0]          out_len_o,
  output logic [52:0]          out_page_o,   ///< page number in the list
  output logic [29:0]          out_off_o,    ///< offset in that page
  output logic [4:0]           out_log2_o,   ///< log2 of the page size, 12 to 30
  output logic [63:0]          out_pbl_o,    ///< bus address of the page list
  output logic [31:0]          out_count_o,  ///< its entries
  output logic [SLOT_W-1:0]    out_slot_o,
  output logic [7:0]           out_gen_o     ///< generation of the entry
);

  logic        v1_q, v2_q, v3_q, v4_q, go;

  // One enable for all stages: an access waits only when the walk behind waits.
  assign go          = !v4_q || out_ready_i;
  assign in_ready_o  = go;
  assign out_valid_o = v4_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {v1_q, v2_q, v3_q, v4_q} <= '0;
    else if (go) {v1_q, v2_q, v3_q, v4_q} <= {in_valid_i, v1_q, v2_q, v3_q};
  end

  // ------------------------------------------------ 1: compare
  weft_pkg::xlate_req_t r;
  assign r = in_req_i;

  logic [7:0]  e_gen, e_access, e_log2;
  logic [31:0] e_stag, e_count;
  logic [1:0]  e_state, e_kind;
  logic        e_direct;
  logic [23:0] e_pd, e_qpn;
  logic [63:0] e_base, e_length, e_fbo, e_pbl;
  assign {e_gen, e_stag, e_state, e_kind, e_access, e_log2, e_direct, e_pd, e_qpn, e_base, e_length, e_fbo,
          e_pbl, e_count} = in_ent_i;

  logic        no_stag, no_pd, no_right, is_mr, is_mw, is_mw_1, phys, open;
  logic [64:0] last_byte;
  assign phys      = r.stag == '0 && r.priv;
  assign is_mr     = e_kind == weft_abi_pkg::TPT_TYPE_MR;
  assign is_mw     = e_kind == weft_abi_pkg::TPT_TYPE_MW;
  assign is_mw_1   = e_kind == weft_abi_pkg::TPT_TYPE_MW_1;
  assign open      = e_state == weft_abi_pkg::TPT_STATE_VALID || (e_state == weft_abi_pkg::TPT_STATE_CLOSED && r.recovery);
  assign no_stag   = r.stag == '0 || e_stag != r.stag || !open || !(is_mr || is_mw || is_mw_1);
  assign no_pd     = is_mw ? e_qpn != {8'd0, r.qpn} : e_pd != r.pd;
  assign no_right  = (r.access & ~e_access) != '0;
  assign last_byte = {1'b0, r.to} + 65'(r.len - 16'd1);

  logic        no_stag1_q, no_pd1_q, no_right1_q, wrap1_q, below1_q, phys1_q, direct1_q, log2bad1_q;
  logic [63:0] off1_q, length1_q, fbo1_q, pbl1_q, to1_q;
  logic [31:0] count1_q;
  logic [15:0] len1_q;
  logic [4:0]  log21_q;
  logic [7:0]  gen1_q;
  logic [SLOT_W-1:0] slot1_q;

  // ------------------------------------------------ 2: end of the access, position in the page list
  logic              pre2_q, phys2_q, direct2_q, log2bad2_q, below2_q;
  weft_pkg::xl_err_e err2_q;
  logic [64:0]       end2_q, pos2_q;
  logic [63:0]       length2_q, pbl2_q, to2_q;
  logic [31:0]       count2_q;
  logic [15:0]       len2_q;
  logic [4:0]        log22_q;
  logic [7:0]        gen2_q;
  logic [SLOT_W-1:0] slot2_q;

  // ------------------------------------------------ 3: bounds
  weft_pkg::xl_err_e err3_q;
  logic              flat3_q, phys3_q;
  logic [64:0]       pos3_q;
  logic [63:0]       pbl3_q, to3_q;
  logic [31:0]       count3_q;
  logic [15:0]       len3_q;
  logic [4:0]        log23_q;
  logic [7:0]        gen3_q;
  logic [SLOT_W-1:0] slot3_q;

  // ------------------------------------------------ 4: page and offset
  logic [64:0] page4;
  logic [29:0] mask4;
  assign page4 = pos3_q >> log23_q;
  assign mask4 = ~(30'h3fff_ffff << log23_q);

  always_ff @(posedge clk_i) begin
    if (go) begin
      no_stag1_q  <= no_stag;
      no_pd1_q    <= no_pd;
      no_right1_q <= no_right;
      wrap1_q     <= last_byte[64];
      below1_q    <= r.to < e_base;
      phys1_q     <= phys;
      direct1_q   <= e_direct;
      log2bad1_q  <= e_log2 < 8'd12 || e_log2 > 8'd30;
      off1_q      <= r.to - e_base;
      length1_q   <= e_length;
      pbl1_q      <= e_pbl;
      to1_q       <= r.to;
      fbo1_q      <= e_fbo;
      count1_q    <= e_count;
      len1_q      <= r.len;
      log21_q     <= e_log2[4:0];
      gen1_q      <= e_gen;
      slot1_q     <= r.stag[8+:SLOT_W];

      pre2_q      <= wrap1_q || (!phys1_q && (no_stag1_q || no_pd1_q || no_right1_q));
      if (phys1_q) err2_q <= weft_pkg::XlWrap;
      else if (no_stag1_q) err2_q <= weft_pkg::XlStag;
      else if (no_pd1_q) err2_q <= weft_pkg::XlPd;
      else if (no_right1_q) err2_q <= weft_pkg::XlAccess;
      else err2_q <= weft_pkg::XlWrap;
      below2_q    <= below1_q;
      end2_q      <= {1'b0, off1_q} + 65'(len1_q);
      pos2_q      <= {1'b0, off1_q} + 65'(fbo1_q);
      phys2_q     <= phys1_q;
      direct2_q   <= direct1_q;
      log2bad2_q  <= log2bad1_q;
      length2_q   <= length1_q;
      pbl2_q      <= pbl1_q;
      to2_q       <= to1_q;
      count2_q    <= count1_q;
      len2_q      <= len1_q;
      log22_q     <= log21_q;
      gen2_q      <= gen1_q;
      slot2_q     <= slot1_q;

      if (pre2_q) err3_q <= err2_q;
      else if (phys2_q) err3_q <= weft_pkg::XlOk;
      else if (below2_q || end2_q > {1'b0, length2_q}) err3_q <= weft_pkg::XlBounds;
      else if (!direct2_q && log2bad2_q) err3_q <= weft_pkg::XlBus;
      else err3_q <= weft_pkg::XlOk;
      flat3_q     <= phys2_q || direct2_q;
      phys3_q     <= phys2_q;
      pos3_q      <= pos2_q;
      pbl3_q      <= pbl2_q;
      to3_q       <= to2_q;
      count3_q    <= count2_q;
      len3_q      <= len2_q;
      log23_q     <= log22_q;
      gen3_q      <= gen2_q;
      slot3_q     <= slot2_q;

      out_err_o   <= err3_q;
      out_flat_o  <= flat3_q;
      out_addr_o  <= phys3_q ? to3_q : pbl3_q + pos3_q[63:0];
      out_len_o   <= len3_q;
      out_page_o  <= page4[52:0];
      out_off_o   <= pos3_q[29:0] & mask4;
      out_log2_o  <= log23_q;
      out_pbl_o   <= pbl3_q;
      out_count_o <= count3_q;
      out_slot_o  <= slot3_q;
      out_gen_o   <= gen3_q;
    end
  end

  logic unused;
  assign unused = ^{page4[64:53], last_byte[63:0]};

`ifdef FORMAL_tpt_check
  `include "tpt_check.svh"
`endif

endmodule
