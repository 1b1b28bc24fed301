// SPDX-License-Identifier: BSD-2-Clause
//
// weft_tpt_check against the rule as it is written down (RFC 5040 7.2, RFC 5041 7.1, abi/weft.abi "tpt"): numbers without end, one
// access at a time, any entry, any stall.
//
//   deny    an access that must not be gets an error, and one that may be gets none (but for a page size that does not exist)
//   cause   the error is the first of the list that applies
//   place   what passes lies where it should: bus address of a contiguous one; page, offset and size of one with a page list
//   order   one answer for each access
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);

  // ---------------------------------------------------------------- the rule
  logic [7:0]  p_gen, p_access, p_log2;
  logic [31:0] p_stag, p_count;
  logic [1:0]  p_state, p_kind;
  logic        p_direct;
  logic [23:0] p_pd, p_qpn;
  logic [63:0] p_base, p_length, p_fbo, p_pbl;
  assign {p_gen, p_stag, p_state, p_kind, p_access, p_log2, p_direct, p_pd, p_qpn, p_base, p_length, p_fbo, p_pbl, p_count} = in_ent_i;
  always @* assume (in_req_i.len != '0);
  logic        p_phys;
  logic [3:0]  p_err;
  logic [66:0] p_first, p_behind, p_low, p_high;
  assign p_first  = {3'd0, in_req_i.to};
  assign p_behind = p_first + {51'd0, in_req_i.len};          // behind its last byte
  assign p_low    = {3'd0, p_base};
  assign p_high   = p_low + {3'd0, p_length};                 // behind the region's last byte
  assign p_phys   = in_req_i.stag == 32'd0 && in_req_i.priv;
  always @* begin
    p_err = 4'd0;
    if (p_phys) begin
      if (p_behind > 67'h1_0000_0000_0000_0000) p_err = 4'd4;
    end else if (in_req_i.stag == 32'd0 || p_stag != in_req_i.stag || !(p_state == 2'd2 || (p_state == 2'd3 && in_req_i.recovery)) || p_kind == 2'd3) p_err = 4'd1;
    else if (p_kind != 2'd1 ? p_pd != in_req_i.pd : p_qpn != {8'd0, in_req_i.qpn}) p_err = 4'd2;
    else if ((in_req_i.access & p_access) != in_req_i.access) p_err = 4'd3;
    else if (p_behind > 67'h1_0000_0000_0000_0000) p_err = 4'd4;
    else if (p_first < p_low || p_behind > p_high) p_err = 4'd5;
    else if (!p_direct && (p_log2 < 8'd12 || p_log2 > 8'd30)) p_err = 4'd6;
  end

  // ---------------------------------------------------------------- one access that may be any
  (* anyseq *) logic f_pick;
  logic        f_live, f_in, f_out, f_flat;
  logic [2:0]  f_n, f_ahead;
  logic [3:0]  f_err;
  logic [63:0] f_addr;
  logic [64:0] f_pos;
  logic [4:0]  f_log2;
  assign f_in  = in_valid_i && in_ready_o;
  assign f_out = out_valid_o && out_ready_i;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_live <= 1'b0; f_n <= '0; f_ahead <= '0;
    end else begin
      f_n <= f_n + 3'(f_in) - 3'(f_out);
      if (f_live) begin
        f_live  <= !(f_out && f_ahead == '0);
        f_ahead <= f_ahead - 3'(f_out);
      end else if (f_in && f_pick) begin
        f_live  <= 1'b1;
        f_ahead <= f_n - 3'(f_out);
      end
    end
  end
  always @(posedge clk_i) begin
    if (f_in && f_pick && !f_live) begin
      f_err  <= p_err;
      f_flat <= p_phys || p_direct;
      f_pos  <= {1'b0, in_req_i.to - p_base} + {1'b0, p_fbo};
      f_addr <= p_phys ? in_req_i.to : p_pbl + (in_req_i.to - p_base + p_fbo);
      f_log2 <= p_log2[4:0];
    end
  end
  logic f_look;
  assign f_look = out_valid_o && f_live && f_ahead == '0;
`ifdef G_deny
  always @* if (f_look) assert ((out_err_o == 4'd0) == (f_err == 4'd0));
`endif
`ifdef G_cause
  always @* if (f_look) assert (out_err_o == f_err);
`endif
`ifdef G_place
  always @* if (f_look && f_err == 4'd0) begin
    assert (out_flat_o == f_flat);
    if (f_flat) assert (out_addr_o == f_addr);
    else assert ({12'd0, out_page_o} == f_pos >> f_log2 && {35'd0, out_off_o} == (f_pos & ~(65'h1_ffff_ffff_ffff_ffff << f_log2)));
  end
`endif
`ifdef G_order
  always @* begin
    assert (f_n <= 3'd4);
    if (out_valid_o) assert (f_n != '0);
  end
`endif
`ifdef F_COVER
  always @* cover (f_look && f_err == 4'd0 && !f_flat && f_ahead == '0);
  always @* cover (f_n == 3'd4 && out_valid_o && out_ready_i && in_valid_i);
  always @* cover (f_look && f_err == 4'd5);
`endif
