// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_pcie_rd_tag, of a tag and a client that may be any. A tag is taken while one is offered; its slot is given back once, behind the cycle in
// which it was told (ld_*); a last completion comes for what is outstanding or quarantined, or was when it began. Time is anything.
//
//   once   what is offered is in nobody's hands, and no answer of it can still come: it is over, or its quarantine is
//   order  a client is told its slots as they were taken, each once, none before it is done, with what became of it
//   back   while a tag is free one is offered, and each in its turn
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  (* anyconst *) logic [TagW-1:0] f_t;
  (* anyconst *) logic [CliW-1:0] f_c;
  always @* begin
    assume (cfg_ext_tag_i);
    assume (!(alloc_i && !tag_valid_o));
    assume (alloc_client_i < N_RD && f_c < N_RD);
    // One that came in a quarantine may end behind it.
    assume (!(fin_i && !fin_late_i && !out_o[fin_tag_i] && !quar_o[fin_tag_i]));
    // A read for which no TLP leaves is never answered.
    if (clr_i) assume (!alloc_i && !free_i);
  end

  // ---------------------------------------------------------------- tag f_t
  logic [N_TAG-1:0] f_told;     // told to its client, and not given back
  logic             f_use, f_owed, f_alloc, f_free, f_fin, f_was_quar;
  assign f_alloc = alloc_i && tag_o == f_t;
  assign f_free  = free_i && free_tag_i == f_t;
  assign f_fin   = fin_i && fin_tag_i == f_t;
  always @* assume (!(free_i && !f_told[free_tag_i]));
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_told <= '0; f_use <= 1'b0; f_owed <= 1'b0; f_was_quar <= 1'b0;
    end else begin
      f_told <= clr_i ? '0 : (f_told & ~(free_i ? N_TAG'(1) << free_tag_i : '0)) | (ld_valid_o ? N_TAG'(1) << ld_tag_o : '0);
      f_use  <= f_alloc || (f_use && !f_free && !clr_i);
      f_was_quar <= quar_o[f_t];
      // An answer may come: until it did, or a quarantine is over.
      f_owed <= f_alloc ? !alloc_err_i : f_owed && !(f_fin && (!fin_late_i || quar_o[f_t])) && !(f_was_quar && !quar_o[f_t]);
    end
  end
`ifdef G_once
  always @* if (rst_ni && tag_valid_o && tag_o == f_t) begin
    assert (!f_use);
    assert (!quar_o[f_t] && !out_o[f_t]);
    // its end is seen a cycle later
    assert (!f_owed || (f_was_quar && !quar_o[f_t]));
  end
`endif

  // ---------------------------------------------------------------- a slot of client f_c
  (* anyseq *) logic f_pick;
  logic            f_live, f_done, f_err, f_was_out, f_last;
  logic [TagW:0]   f_n, f_ahead;  // slots that are not told; those in front of it
  logic [TagW-1:0] f_tag;
  logic [8:0]      f_off;
  logic [9:0]      f_len;
  logic            f_mine, f_tell;
  assign f_mine = alloc_i && alloc_client_i == f_c;
  assign f_tell = ld_valid_o && ld_client_o == f_c;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_live <= 1'b0; f_n <= '0; f_ahead <= '0; f_done <= 1'b0; f_was_out <= 1'b0;
    end else if (clr_i) begin
      f_live <= 1'b0; f_n <= '0;
    end else begin
      f_n <= f_n + (TagW + 1)'(f_mine) - (TagW + 1)'(f_tell);
      f_was_out <= f_live && out_o[f_tag];
      if (f_live) begin
        if (f_tell && f_ahead == '0) f_live <= 1'b0;
        f_ahead <= f_ahead - (TagW + 1)'(f_tell);
        if (!f_done && fin_i && !fin_late_i && fin_tag_i == f_tag && out_o[f_tag]) begin
          f_done <= 1'b1; f_err <= fin_err_i;
        end else if (!f_done && f_was_out && !out_o[f_tag]) begin
          f_done <= 1'b1; f_err <= 1'b1;
        end
      end else if (f_mine && f_pick) begin
        f_live <= 1'b1;
        f_ahead <= f_n - (TagW + 1)'(f_tell);
        {f_tag, f_off, f_len, f_last} <= {tag_o, alloc_off_i, alloc_len_i, alloc_last_i};
        f_done <= alloc_err_i;
        f_err  <= alloc_err_i;
      end
    end
  end
`ifdef G_order
  always @* if (rst_ni && f_tell && !clr_i) begin
    assert (f_n != '0);
    if (f_live && f_ahead == '0) begin
      assert ({ld_tag_o, ld_off_o, ld_len_o, ld_last_o} == {f_tag, f_off, f_len, f_last});
      assert (f_done && ld_err_o == f_err);
    end
  end
`endif

  // ---------------------------------------------------------------- it comes back
  logic [1:0]      f_idle;
  logic [TagW+1:0] f_skip;
  logic            f_free_now;
  assign f_free_now = !f_use && !quar_o[f_t] && !clr_i;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_idle <= '0; f_skip <= '0;
    end else begin
      f_idle <= f_free_now && !alloc_i ? f_idle + 2'(f_idle != '1) : '0;
      f_skip <= f_free_now && !f_alloc ? f_skip + (TagW + 2)'(alloc_i) : '0;
    end
  end
`ifdef G_back
  always @* if (rst_ni) begin
    if (f_idle >= 2'd2 && f_free_now) assert (tag_valid_o);
    assert (f_skip <= (TagW + 2)'(N_TAG));
  end
`endif
