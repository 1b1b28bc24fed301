// SPDX-License-Identifier: BSD-2-Clause

/// A requester of the data path at a port of weft_tpt, which speaks types of its own. Wires only.
/// Not yet: slot and `kind` of a request are not looked at.
module weft_dp_tpt (
  input  weft_dp_pkg::tpt_req_t req_i,
  output weft_pkg::xlate_req_t  req_o,
  input  weft_pkg::xlate_rsp_t  rsp_i,
  input  logic [1:0]            epoch_i = '0,  ///< of the answer (weft_tpt with EPOCHS)
  output weft_dp_pkg::tpt_rsp_t rsp_o
);

  always_comb begin
    req_o        = '0;
    req_o.stag   = req_i.stag;
    req_o.to     = req_i.to;
    req_o.len    = req_i.len;
    req_o.access = req_i.access;
    req_o.pd     = req_i.pd;
    req_o.qpn    = req_i.who.qpn[15:0];
    req_o.priv   = req_i.priv;
    req_o.recovery = req_i.recovery;
    rsp_o        = '0;
    rsp_o.addr   = rsp_i.addr;
    rsp_o.len    = rsp_i.len;
    rsp_o.last   = rsp_i.last;
    rsp_o.err    = rsp_i.err;
    rsp_o.epoch  = epoch_i;
  end
  logic unused;
  assign unused = ^req_i;

endmodule
