// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_pcie_rd. Clients give back tags that they hold; what else comes is anything. The share of all is N_TAG - N_RD tags, and each client
// has one besides (all tags may be used: cfg_ext_tag_i).
//
//   count  never more tags in use than the share, and one of each client besides
//   share  whoever asks gets a tag soon, while he has none, or the share is not used up
//   cut    the pieces of a request are the request: in order, without gaps, none across a block, the last one is said to be; no tag is taken for anything else
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  (* anyconst *) logic [2:0] f_mrrs;
  (* anyconst *) logic [CliW-1:0] f_c;
  always @* begin
    assume (cfg_ext_tag_i && cfg_mrrs_i == f_mrrs);
    assume (free_client_i < N_RD && f_c < N_RD);
    // of f_c's addresses and lengths the low bits are any
    assume ((rd_req_i[f_c][63:11] == '0 || rd_req_i[f_c][63:11] == '1) && rd_req_i[f_c][79:75] == '0);
    for (int unsigned i = 0; i < N_RD; i++) assume (rd_req_i[i][79:64] != '0 && rd_req_i[i][79:64] <= 16'd16384);
  end

  // ---------------------------------------------------------------- tags of each client, from what is taken and given back
  logic [N_RD-1:0][TagW:0] f_n;
  logic [TagW+2:0]         f_common, f_all;
  logic                    f_take, f_give;
  assign f_take = alloc_o;
  assign f_give = free_i;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_n <= '0;
    else begin
      for (int unsigned i = 0; i < N_RD; i++)
        f_n[i] <= f_n[i] + (TagW + 1)'(f_take && alloc_client_o == CliW'(i)) - (TagW + 1)'(f_give && free_client_i == CliW'(i));
    end
  end
  always @* begin
    f_common = '0;
    f_all    = '0;
    for (int unsigned i = 0; i < N_RD; i++) begin
      f_all = f_all + (TagW + 3)'(f_n[i]);
      if (f_n[i] != '0) f_common = f_common + (TagW + 3)'(f_n[i]) - (TagW + 3)'(1);
    end
    assume (!(free_i && f_n[free_client_i] == '0));
    assume (!(tag_valid_i && f_all == (TagW + 3)'(N_TAG)));
  end
`ifdef G_count
  always @* if (rst_ni) begin
    assert (f_common <= (TagW + 3)'(N_TAG - N_RD));
    assert (f_all <= (TagW + 3)'(N_TAG));
  end
`endif
`ifdef G_inv
  always @* if (rst_ni && !f_first) begin
    assert (held_q == f_n);
    assert ((TagW + 3)'(common_q) == f_common);
  end
`endif

  // ---------------------------------------------------------------- a request of client f_c
  logic        f_open, f_ask;
  logic [63:0] f_addr;
  logic [15:0] f_rest;
  logic [9:0]  f_blk;
  assign f_blk = f_mrrs == 3'd0 ? 10'd128 : f_mrrs == 3'd1 ? 10'd256 : 10'd512;
  assign f_ask = rd_req_valid_i[f_c] && rd_req_ready_o[f_c];
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_open <= 1'b0;
    else f_open <= f_ask || (f_open && !(alloc_o && alloc_client_o == f_c && alloc_last_o));
  end
  always @(posedge clk_i) begin
    if (f_ask) {f_rest, f_addr} <= rd_req_i[f_c][79:0];
    else if (alloc_o && alloc_client_o == f_c) begin
      f_addr <= f_addr + 64'(alloc_len_o);
      f_rest <= f_rest - 16'(alloc_len_o);
    end
  end
  logic [3:0] f_age;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_age <= '0;
    else if (f_age != '1) f_age <= f_age + 4'd1;
  end
  // The first cycle behind the reset still cuts at 128.
  always @* if (f_age < 4'd2) assume (rd_req_valid_i == '0);
`ifdef G_cut
  always @* if (rst_ni && alloc_o && alloc_client_o == f_c) begin
    assert (f_open && tag_valid_i);
    assert (alloc_off_o == f_addr[8:0] && alloc_len_o != '0 && 16'(alloc_len_o) <= f_rest);
    assert (alloc_last_o == (16'(alloc_len_o) == f_rest));
    assert ((f_addr[9:0] & (f_blk - 10'd1)) + alloc_len_o <= f_blk);
  end
`endif

  // ---------------------------------------------------------------- it gets a tag
  logic [4:0] f_wait;
  logic       f_can;
  assign f_can = f_open && tag_valid_i && tx_rd_ready_i && (f_n[f_c] == '0 || f_common + (TagW + 3)'(1) < (TagW + 3)'(N_TAG - N_RD));
`ifdef G_share
  always @* assume (!(rd_req_valid_i[f_c] && rd_req_i[f_c][80]));
`endif
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_wait <= '0;
    else f_wait <= f_can && !(alloc_o && alloc_client_o == f_c) ? f_wait + 5'd1 : '0;
  end
`ifdef G_share
  always @* assert (f_wait <= 5'(2 * N_RD + 4));
`endif
