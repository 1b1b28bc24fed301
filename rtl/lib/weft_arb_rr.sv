// SPDX-License-Identifier: BSD-2-Clause

/// Round-robin arbiter. The grant is combinational from `req_i`; after a cycle with `advance_i` the
/// requester behind the granted one comes first. Hold `req_i` of the granted one until then, or the
/// grant moves.
module weft_arb_rr #(
  parameter int unsigned N = 2,  ///< requesters, 1 or more
  localparam int unsigned IdxW = N > 1 ? $clog2(N) : 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [N-1:0]    req_i,
  input  logic            advance_i,  ///< the grant was used
  output logic            valid_o,    ///< somebody asks
  output logic [N-1:0]    gnt_o,      ///< one-hot, or zero
  output logic [IdxW-1:0] idx_o       ///< number of the granted, 0 when none
);

  // Requesters from the mask on come first: lower numbers were served since.
  logic [N-1:0] mask_q, masked, pick, from;

  assign masked  = req_i & mask_q;
  assign pick    = (masked != '0) ? masked : req_i;
  assign gnt_o   = from & ~(from << 1);
  assign valid_o = req_i != '0;

  always_comb begin
    // Ones from the first of pick on, in doubling steps: no carry chain.
    from = pick;
    for (int unsigned s = 1; s < N; s = 2 * s) from = from | (from << s);
    idx_o = '0;
    for (int unsigned i = 0; i < N; i++) if (gnt_o[i]) idx_o = idx_o | IdxW'(i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mask_q <= '0;
    else if (advance_i && valid_o) mask_q <= from << 1;
  end

`ifdef FORMAL_arb_rr
  `include "arb_rr.svh"
`endif

endmodule
