// SPDX-License-Identifier: BSD-2-Clause

/// Verdict on an operation on an STag, and what its entry becomes. Combinational, a compare deep. Invalidations, fast registration, and of
/// a bind what is about the window (weft_tpt_bind has the region); any other operation is refused.
///
/// The first fault of weft_pkg::xl_err_e in this order wins (RFC 5040 7.2 and 8.1.1, RFC 5042 6.4.5):
///
///   XlInv     STag 0
///   XlStag    the STag is unknown, its key differs, or it is not VALID (a local invalidate takes INVALID and CLOSED too)
///   XlPd      a region of another PD; a window, or a region that a stream owns, that is another QP's (regions: of a remote invalidate only)
///   XlAccess  a remote invalidate without the right REMOTE_INV
///   XlInv     a VALID region that no stream owns (QPN 0): each stream of its PD may use it, so it is the driver's. A window of type 1, which
///             a bind alone changes. A region that windows are bound to (RFC 5040 8.1.1 has no code of its own)
///
/// A remote invalidate makes VALID INVALID. A local one makes VALID CLOSED at its beginning (StagInv): what was sent before is sent again from
/// it, nothing else. Its end (StagInvEnd) has no fault: what is CLOSED with that STag becomes INVALID, anything else is left alone.
/// An entry that is invalidated keeps everything but its state.
///
/// A registration (StagReg) has these faults, in this order: XlInv for STag 0; XlStag when the entry is FREE or has another index or is no region;
/// XlPd for another PD; XlInv when it is VALID; XlBounds for a page size that does not exist, an offset that is none in a page, or a list that
/// is not aligned. It writes all of `op_i.entry` but what is not for it to say: the entry becomes VALID with the key of the STag, the PD stays, and its
/// QPN is that of who asks.
///
/// A bind (StagBind, its length not 0) or unbind (length 0) has one fault, XlInv: STag 0; an entry that is FREE, has another index, is no window or
/// is of another PD; one of type 2 that is VALID, or CLOSED by another QP, or is to be unbound. One of type 1 may be bound, and loses what it
/// was bound to.
module weft_tpt_op (
  input  weft_dp_pkg::stag_op_t op_i,
  input  weft_abi_pkg::tpt_t    ent_i,
  output weft_pkg::xl_err_e     err_o,
  output weft_abi_pkg::tpt_t    ent_o
);

  logic remote, local_inv, inv_end, reg_mr, bind_mw, is_mr, is_mw, is_mw_1, valid, closed, same, state_ok, other, no_right, shared, bad_list, no_window;
  weft_abi_pkg::tpt_t e;
  assign e         = op_i.entry;
  assign reg_mr    = op_i.op == weft_dp_pkg::StagReg;
  assign bad_list  = e.page_log2 < 8'd12 || e.page_log2 > 8'd30 || e.pbl[5:0] != '0 || (e.fbo >> e.page_log2[4:0]) != '0;
  assign remote    = op_i.op == weft_dp_pkg::StagRemInv;
  assign local_inv = op_i.op == weft_dp_pkg::StagInv;
  assign inv_end   = op_i.op == weft_dp_pkg::StagInvEnd;
  assign bind_mw   = op_i.op == weft_dp_pkg::StagBind;
  assign is_mr     = ent_i.kind == weft_abi_pkg::TPT_TYPE_MR;
  assign is_mw     = ent_i.kind == weft_abi_pkg::TPT_TYPE_MW;
  assign is_mw_1   = ent_i.kind == weft_abi_pkg::TPT_TYPE_MW_1;
  assign valid     = ent_i.state == weft_abi_pkg::TPT_STATE_VALID;
  assign closed    = ent_i.state == weft_abi_pkg::TPT_STATE_CLOSED;
  assign same      = ent_i.stag == op_i.stag && op_i.stag != '0;
  assign state_ok  = valid || (local_inv && ent_i.state != weft_abi_pkg::TPT_STATE_FREE);
  assign other     = (!is_mw && ent_i.pd != op_i.pd) ||
                     ((is_mw || (is_mr && remote && ent_i.qpn != '0)) && ent_i.qpn != op_i.who.qpn);
  assign no_right  = remote && !ent_i.access[3'(weft_abi_pkg::ACCESS_REMOTE_INV)];
  assign shared    = is_mw_1 || (is_mr && ((ent_i.qpn == '0 && valid) || ent_i.windows != '0));
  assign no_window = ent_i.stag[31:8] != op_i.stag[31:8] || !(is_mw || is_mw_1) || ent_i.state == weft_abi_pkg::TPT_STATE_FREE || ent_i.pd != op_i.pd
                     || (is_mw && (valid || (closed && ent_i.qpn != op_i.who.qpn) || e.length == '0));

  always_comb begin
    if (inv_end) err_o = weft_pkg::XlOk;
    else if (!(remote || local_inv || reg_mr || bind_mw) || op_i.stag == '0) err_o = weft_pkg::XlInv;
    else if (reg_mr) begin
      if (ent_i.stag[31:8] != op_i.stag[31:8] || !is_mr || ent_i.state == weft_abi_pkg::TPT_STATE_FREE) err_o = weft_pkg::XlStag;
      else if (other) err_o = weft_pkg::XlPd;
      else if (valid) err_o = weft_pkg::XlInv;
      else if (bad_list) err_o = weft_pkg::XlBounds;
      else err_o = weft_pkg::XlOk;
    end
    else if (bind_mw) err_o = no_window ? weft_pkg::XlInv : weft_pkg::XlOk;
    else if (!same || !state_ok || !(is_mr || is_mw || is_mw_1)) err_o = weft_pkg::XlStag;
    else if (other) err_o = weft_pkg::XlPd;
    else if (no_right) err_o = weft_pkg::XlAccess;
    else if (shared) err_o = weft_pkg::XlInv;
    else err_o = weft_pkg::XlOk;
    ent_o = ent_i;
    if (remote || bind_mw || (inv_end && closed && same)) ent_o.state = weft_abi_pkg::TPT_STATE_INVALID;
    if (local_inv && valid) ent_o.state = weft_abi_pkg::TPT_STATE_CLOSED;
    if (reg_mr) begin
      ent_o        = e;
      ent_o.stag   = op_i.stag;
      ent_o.state  = weft_abi_pkg::TPT_STATE_VALID;
      ent_o.kind   = weft_abi_pkg::TPT_TYPE_MR;
      ent_o.direct = 1'b0;
      ent_o.pd     = ent_i.pd;
      ent_o.qpn    = op_i.who.qpn;
    end
  end

  logic unused;
  assign unused = ^{op_i, e};

endmodule
