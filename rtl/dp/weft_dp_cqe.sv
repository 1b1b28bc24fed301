// SPDX-License-Identifier: BSD-2-Clause

/// A completion of the data path for weft_cq, which speaks a type of its own. Wires only.
/// Immediate data takes the place of the STag that was invalidated: a completion has one of them.
/// Not yet: port and function, numbers of more than 16 bits.
module weft_dp_cqe (
  input  weft_dp_pkg::cqe_t  cqe_i,
  output weft_pkg::cqe_req_t cqe_o
);

  always_comb begin
    cqe_o            = '0;
    cqe_o.cqn        = cqe_i.cqn[15:0];
    cqe_o.qpn        = cqe_i.qpn[15:0];
    cqe_o.opcode     = cqe_i.opcode;
    cqe_o.status     = cqe_i.status;
    cqe_o.index      = cqe_i.index;
    cqe_o.bytes      = cqe_i.bytes;
    cqe_o.inv_stag   = cqe_i.has_imm ? cqe_i.imm : cqe_i.inv_stag;
    cqe_o.vendor_err = cqe_i.vendor_err;
    cqe_o.solicited  = cqe_i.solicited;
  end
  logic unused;
  assign unused = ^cqe_i;

endmodule
