// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_arb_rr.
//
//   one    at most one grant, to one who asks; one if anybody asks; its number is right
//   fair   who asks and goes on asking is granted before the N-th use of the grant
//   still  while the grant is not used and the one who has it asks, nobody else gets it, if nobody before him begins to ask
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  (* anyconst *) logic [IdxW-1:0] f_r;
  always @* assume (32'(f_r) < N);
  logic [7:0]   f_used;
  logic [N-1:0] f_req, f_gnt;
  logic         f_kept;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_used <= '0; f_kept <= 1'b0;
    end else begin
      f_used <= !req_i[f_r] || (gnt_o[f_r] && advance_i) ? '0 : f_used + 8'(advance_i);
      f_kept <= !advance_i;
    end
  end
  always @(posedge clk_i) begin
    f_req <= req_i;
    f_gnt <= gnt_o;
  end
`ifdef G_one
  always @* begin
    assert ((gnt_o & (gnt_o - 1'b1)) == '0);
    assert ((gnt_o & ~req_i) == '0);
    assert (valid_o == (req_i != '0) && valid_o == (gnt_o != '0));
    if (gnt_o[f_r]) assert (idx_o == f_r);
  end
`endif
`ifdef G_fair
  always @* assert (f_used < N);
`endif
`ifdef G_still
  always @* if (rst_ni && f_kept && f_req == req_i) assert (gnt_o == f_gnt);
`endif
`ifdef F_COVER
  logic [7:0] f_all;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_all <= '0;
    else f_all <= req_i == '1 && advance_i ? f_all + 8'd1 : '0;
  end
  always @* cover (f_all == 2 * N);
`endif
