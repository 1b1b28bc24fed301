// SPDX-License-Identifier: BSD-2-Clause

/// Set of QPs that have something to do, served round robin. A QP leaves the set when it is handed
/// out; whoever finds it more work puts it back. Putting one in that is in already changes nothing,
/// and a QP put in during the cycle in which it is handed out stays in.
/// One QP a cycle at most, one cycle more for each move to another group of 32. A QP that is not home
/// (weft_ctx_store) stays in the set while others are handed out.
module weft_qp_sched #(
  parameter int unsigned N_QP = 16,  ///< power of two, 2 or more
  parameter int unsigned N_SET = 1,  ///< ports that put QPs in
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [N_SET-1:0]           set_i,
  input  logic [N_SET-1:0][QpW-1:0]  set_qpn_i,
  input  logic [N_QP-1:0]            home_i,
  output logic [N_QP-1:0]            want_o,    ///< the set
  output logic                       valid_o,   ///< registered
  output logic [QpW-1:0]             qpn_o,
  input  logic                       ready_i,
  output logic                       empty_o    ///< nothing in the set, nothing offered
);

  localparam int unsigned GrpN = N_QP < 32 ? N_QP : 32;
  localparam int unsigned Grps = N_QP / GrpN;
  localparam int unsigned InW = $clog2(GrpN);

  logic [N_QP-1:0] set_q, set_d, can;
  logic [Grps-1:0] any;
  logic [QpW-1:0]  last_q;   // handed out last
  logic            moved_q;  // last_q is where a move of group landed: every member of it comes next
  logic [GrpN-1:0] here, later, from;
  logic [InW-1:0]  in_idx;
  logic [QpW-1:0]  grp_idx, pick_qpn;
  logic            take, pick_in, pick_grp;

  assign can    = set_q & home_i;
  assign want_o = set_q;
  always_comb begin
    for (int unsigned g = 0; g < Grps; g++) any[g] = can[g*GrpN+:GrpN] != '0;
  end

  if (Grps > 1) begin : gen_grp
    localparam int unsigned GW = $clog2(Grps);
    logic [GW-1:0]   grp, gsel;
    logic [Grps-1:0] above, from_g;
    assign grp  = last_q[QpW-1:InW];
    always_comb begin
      here = '0;
      for (int unsigned g = 0; g < Grps; g++) here = here | (can[g*GrpN+:GrpN] & {GrpN{GW'(g) == grp}});
      for (int unsigned g = 0; g < Grps; g++) above[g] = any[g] && GW'(g) > grp;
      from_g = above != '0 ? above : any;
      for (int unsigned n = 1; n < Grps; n = 2 * n) from_g = from_g | (from_g << n);
      from_g = from_g & ~(from_g << 1);
      gsel = '0;
      for (int unsigned g = 0; g < Grps; g++) if (from_g[g]) gsel = gsel | GW'(g);
    end
    assign grp_idx  = {gsel, {InW{1'b1}}};
    assign pick_qpn = {grp, in_idx};
  end else begin : gen_one
    assign here     = can;
    assign grp_idx  = '1;
    assign pick_qpn = in_idx;
  end

  always_comb begin
    for (int unsigned i = 0; i < GrpN; i++) later[i] = here[i] && (moved_q || InW'(i) > last_q[InW-1:0]);
    // Ones from the first on, in doubling steps; where they begin is the first.
    from = later;
    for (int unsigned n = 1; n < GrpN; n = 2 * n) from = from | (from << n);
    from = from & ~(from << 1);
    in_idx = '0;
    for (int unsigned i = 0; i < GrpN; i++) if (from[i]) in_idx = in_idx | InW'(i);
  end

  assign take     = !valid_o || ready_i;
  assign pick_in  = later != '0;
  assign pick_grp = !pick_in && any != '0;

  always_comb begin
    set_d = set_q;
    if (take && pick_in) set_d[pick_qpn] = 1'b0;
    for (int unsigned i = 0; i < N_SET; i++) if (set_i[i]) set_d[set_qpn_i[i]] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      set_q   <= '0;
      last_q  <= '0;
      moved_q <= 1'b1;
      valid_o <= 1'b0;
      qpn_o   <= '0;
    end else begin
      set_q <= set_d;
      if (take) begin
        valid_o <= pick_in;
        if (pick_in) begin
          qpn_o   <= pick_qpn;
          last_q  <= pick_qpn;
          moved_q <= 1'b0;
        end else if (pick_grp) begin
          last_q  <= grp_idx;
          moved_q <= 1'b1;
        end
      end
    end
  end

  assign empty_o = set_q == '0 && !valid_o;

endmodule
