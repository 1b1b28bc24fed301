// SPDX-License-Identifier: BSD-2-Clause

/// Verdict on the region that a window is to be bound to, and what the window becomes. Combinational; the sums are taken before. The window
/// itself was judged by weft_tpt_op.
///
/// The first fault in this order wins:
///
///   XlStag    the region's STag is 0 or unknown, its key differs, it is no region, or it is not VALID
///   XlPd      it is of another PD, or owned by another stream
///   XlAccess  it has no right MW_BIND; a window for Writes or atomics, and no LOCAL_WRITE; one for Reads, and no LOCAL_READ
///   XlBounds  a byte of the window is not in it
///   XlInv     it is zero-based
///
/// The window gets the region's page list, and how far it begins behind the first page's first byte (FBO, 64 bits): an access costs what one
/// of the region does. Rights to use it as a local STag, or to bind others to it, it does not get.
module weft_tpt_bind (
  input  weft_dp_pkg::stag_op_t op_i,
  input  weft_abi_pkg::tpt_t    region_i,
  input  logic [63:0]           off_i,     ///< first byte - BASE
  input  logic                  below_i,   ///< first byte < BASE
  input  logic [64:0]           end_i,     ///< off_i + bytes
  input  logic                  mw_1_i,    ///< the window is of type 1
  output weft_pkg::xl_err_e     err_o,
  output weft_abi_pkg::tpt_t    ent_o
);

  localparam logic [7:0] Writes = 8'(1 << weft_abi_pkg::ACCESS_REMOTE_WRITE | 1 << weft_abi_pkg::ACCESS_REMOTE_ATOMIC);
  localparam logic [7:0] Given  = Writes | 8'(1 << weft_abi_pkg::ACCESS_REMOTE_READ | 1 << weft_abi_pkg::ACCESS_REMOTE_INV);

  weft_abi_pkg::tpt_t a;  // what is asked for: PBL the first byte, LENGTH, PBL_COUNT the region's STag, BASE the first TO, ACCESS
  logic               no_stag, no_pd, no_right;
  assign a        = op_i.entry;
  assign no_stag  = a.pbl_count == '0 || region_i.stag != a.pbl_count || region_i.kind != weft_abi_pkg::TPT_TYPE_MR
                    || region_i.state != weft_abi_pkg::TPT_STATE_VALID;
  assign no_pd    = region_i.pd != op_i.pd || (region_i.qpn != '0 && region_i.qpn != op_i.who.qpn);
  assign no_right = !region_i.access[3'(weft_abi_pkg::ACCESS_MW_BIND)]
                    || ((a.access & Writes) != '0 && !region_i.access[3'(weft_abi_pkg::ACCESS_LOCAL_WRITE)])
                    || (a.access[3'(weft_abi_pkg::ACCESS_REMOTE_READ)] && !region_i.access[3'(weft_abi_pkg::ACCESS_LOCAL_READ)]);

  always_comb begin
    if (no_stag) err_o = weft_pkg::XlStag;
    else if (no_pd) err_o = weft_pkg::XlPd;
    else if (no_right) err_o = weft_pkg::XlAccess;
    else if (below_i || end_i > {1'b0, region_i.length}) err_o = weft_pkg::XlBounds;
    else if (region_i.base == '0) err_o = weft_pkg::XlInv;
    else err_o = weft_pkg::XlOk;
    ent_o         = region_i;
    ent_o.stag    = op_i.stag;
    ent_o.kind    = mw_1_i ? weft_abi_pkg::TPT_TYPE_MW_1 : weft_abi_pkg::TPT_TYPE_MW;
    ent_o.access  = a.access & Given;
    ent_o.qpn     = mw_1_i ? 24'd0 : op_i.who.qpn;
    ent_o.base    = a.base;
    ent_o.length  = a.length;
    {ent_o.fbo_hi, ent_o.fbo} = {32'd0, region_i.fbo} + off_i;
    ent_o.parent  = region_i.stag[31:8];
    ent_o.windows = '0;
  end

  logic unused;
  assign unused = ^{op_i, a};

endmodule
