// SPDX-License-Identifier: BSD-2-Clause

/// Tags of DMA reads: which are free, outstanding, done, quarantined; in which order each client
/// gets its slots back; time-outs.
///
/// A read that has no full answer for RD_TIMEOUT_NS to twice that is given up: its slot is marked as
/// failed and its tag quarantined, so that a late completion cannot hit another read. The tag comes
/// back when the late answer is complete, or after one to two more periods.
/// `clr_i` forgets all clients and slots and quarantines what is outstanding.
module weft_pcie_rd_tag #(
  parameter int unsigned N_RD  = 8,
  parameter int unsigned N_TAG = 64,
  parameter logic [63:0] RD_TIMEOUT_NS = 64'd50_000_000,
  localparam int unsigned TagW = $clog2(N_TAG),
  localparam int unsigned CliW = $clog2(N_RD)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              clr_i,
  input  logic              cfg_ext_tag_i,
  input  logic [63:0]       now_ns_i,
  output logic              deadline_valid_o,  ///< a time-out or the end of a quarantine is due
  output logic [63:0]       deadline_ns_o,

  output logic              tag_valid_o,       ///< a free tag
  output logic [TagW-1:0]   tag_o,
  input  logic              alloc_i,           ///< it is taken; fields as in weft_pcie_rd
  input  logic [CliW-1:0]   alloc_client_i,
  input  logic [8:0]        alloc_off_i,
  input  logic [9:0]        alloc_len_i,
  input  logic              alloc_last_i,
  input  logic              alloc_err_i,

  output logic [N_TAG-1:0]  out_o,             ///< outstanding: completions are written to the slot
  output logic [N_TAG-1:0]  quar_o,            ///< quarantined: completions are dropped
  input  logic              fin_i,             ///< the last completion of a tag is in the buffer
  input  logic [TagW-1:0]   fin_tag_i,
  input  logic              fin_err_i,
  input  logic              fin_late_i,        ///< of a read that was given up: it ends a quarantine, and no other read of the tag

  input  logic [N_RD-1:0]   ld_room_i,         ///< the client can take a slot, two cycles ahead
  output logic              ld_valid_o,        ///< next slot of a client is complete
  output logic [CliW-1:0]   ld_client_o,
  output logic [TagW-1:0]   ld_tag_o,
  output logic [8:0]        ld_off_o,
  output logic [9:0]        ld_len_o,
  output logic              ld_last_o,
  output logic              ld_err_o,
  input  logic              free_i,            ///< the slot was read
  input  logic [TagW-1:0]   free_tag_i,

  output logic              idle_o,            ///< no slot in use
  output logic              stat_timeout_o     ///< some reads were given up
);

  logic [N_TAG-1:0] alloc_q, out_q, quar_q, done_q, err_q, old_q, qold_q;
  logic             tick;
  logic [N_TAG-1:0] fin_m, free_m, alloc_m, late, ended;

  // Whole vectors of tags: only in a cycle that changes one, so that a simulator passes them by in the others.
  logic             act;
  assign act = clr_i || tick || alloc_i || free_i || fin_i;
  always_comb begin
    fin_m   = '0;
    free_m  = '0;
    alloc_m = '0;
    late    = '0;
    ended   = '0;
    if (free_i) free_m[free_tag_i] = 1'b1;
    if (alloc_i) alloc_m[tag_o] = 1'b1;
    if (tick) late = out_q & old_q;
    if (fin_i) begin
      fin_m[fin_tag_i] = 1'b1;
      if (!fin_late_i) ended = fin_m & out_q;
    end
  end

  assign out_o  = out_q;
  assign quar_o = quar_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      alloc_q <= '0;
      out_q   <= '0;
      quar_q  <= '0;
      done_q  <= '0;
      err_q   <= '0;
      old_q   <= '0;
      qold_q  <= '0;
    end else if (act) begin
      // clr_i overrides alloc_i, that free_i and fin_i, those the tick.
      alloc_q <= clr_i ? '0 : (alloc_q & ~free_m) | alloc_m;
      out_q   <= clr_i ? '0 : (out_q & ~late & ~ended & ~alloc_m) | (alloc_err_i ? '0 : alloc_m);
      done_q  <= clr_i ? '0 : ((done_q | late | ended) & ~alloc_m) | (alloc_err_i ? alloc_m : '0);
      err_q   <= ((err_q | late) & ~ended & ~alloc_m) | (fin_err_i ? ended & ~alloc_m : '0) | (alloc_err_i ? alloc_m : '0);
      quar_q  <= clr_i ? quar_q | out_q : (quar_q & ~(tick ? qold_q : '0) & ~fin_m) | (late & ~ended);
      old_q   <= (tick ? out_q : old_q) & ~alloc_m;
      qold_q  <= clr_i ? '0 : (tick ? quar_q : qold_q) & ~alloc_m;
    end
  end

  // ------------------------------------------------------------ time
  // One period runs while anything is outstanding or quarantined.
  logic        busy_q, due_q, run_q;
  logic [63:0] end_q;

  assign tick             = run_q && due_q;
  assign deadline_valid_o = run_q;
  assign deadline_ns_o    = end_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q         <= 1'b0;
      due_q          <= 1'b0;
      run_q          <= 1'b0;
      end_q          <= '0;
      stat_timeout_o <= 1'b0;
    end else begin
      busy_q         <= (out_q | quar_q) != '0;
      run_q          <= busy_q;
      due_q          <= run_q && !tick && now_ns_i >= end_q;
      stat_timeout_o <= tick && (out_q & old_q) != '0;
      if (!run_q || tick) end_q <= now_ns_i + RD_TIMEOUT_NS;
    end
  end

  // ------------------------------------------------------------ free tags, in turn
  logic [N_TAG-1:0] free_vec, above, from, pick, usable, turn_q;
  logic [TagW-1:0]  pick_idx;

  for (genvar t = 0; t < N_TAG; t++) begin : gen_usable
    assign usable[t] = t < 32 || cfg_ext_tag_i;
  end
  // Bit b of the index: one of the tags whose number has it.
  logic [TagW-1:0][N_TAG-1:0] has;
  for (genvar b = 0; b < TagW; b++) begin : gen_idx
    for (genvar t = 0; t < N_TAG; t++) begin : gen_has
      assign has[b][t] = t[b];
    end
  end

  always_comb begin
    // Ones from the first on, in doubling steps: no carry chain. Only while none is held, so that a simulator skips it.
    free_vec = 'x;
    above    = 'x;
    from     = '0;
    pick     = '0;
    pick_idx = 'x;
    if (!tag_valid_o) begin
      free_vec = ~(alloc_q | quar_q) & usable;
      above    = free_vec & turn_q;
      from     = (above != '0) ? above : free_vec;
      for (int unsigned s = 1; s < N_TAG; s = 2 * s) from = from | (from << s);
      pick = from & ~(from << 1);
      for (int unsigned b = 0; b < TagW; b++) pick_idx[b] = (pick & has[b]) != '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tag_valid_o <= 1'b0;
      turn_q      <= '0;
    end else if (clr_i || alloc_i) tag_valid_o <= 1'b0;
    else if (!tag_valid_o) begin
      tag_valid_o <= free_vec != '0;
      turn_q      <= from << 1;  // tags above the one picked
    end else if (!usable[tag_o]) tag_valid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) if (!tag_valid_o) tag_o <= pick_idx;

  // ------------------------------------------------------------ order of each client: linked tags
  logic [N_RD-1:0][TagW-1:0] head_q, tail_q;
  logic [N_RD-1:0][TagW:0]   cnt_q;
  logic [N_RD-1:0]           rdy_q, gnt;
  logic                      ld;
  logic [CliW-1:0]           ld_idx;
  logic [TagW-1:0]           ld_tag, next_tag, link_at;
  logic [TagW-1:0]           next_mem [N_TAG];
  logic [19:0]               desc_mem [N_TAG];

  weft_arb_rr #(.N(N_RD)) u_arb (
    .clk_i, .rst_ni, .req_i(rdy_q), .advance_i(1'b1), .valid_o(ld), .gnt_o(gnt), .idx_o(ld_idx)
  );

  assign ld_tag   = head_q[ld_idx];
  assign next_tag = next_mem[ld_tag];
  assign link_at  = tail_q[alloc_client_i];

  always_ff @(posedge clk_i) begin
    if (alloc_i && cnt_q[alloc_client_i] != '0) next_mem[link_at] <= tag_o;
    if (alloc_i) desc_mem[tag_o] <= {alloc_off_i, alloc_len_i, alloc_last_i};
    {ld_off_o, ld_len_o, ld_last_o} <= desc_mem[ld_tag];
    ld_err_o    <= err_q[ld_tag];
    ld_tag_o    <= ld_tag;
    ld_client_o <= ld_idx;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q     <= '0;
      tail_q     <= '0;
      cnt_q      <= '0;
      rdy_q      <= '0;
      ld_valid_o <= 1'b0;
    end else begin
      ld_valid_o <= ld && !clr_i;
      for (int unsigned i = 0; i < N_RD; i++) begin
        if (alloc_i && alloc_client_i == CliW'(i)) tail_q[i] <= tag_o;
        // The list was empty, or becomes so in this cycle: the new tag is its head
        if (alloc_i && alloc_client_i == CliW'(i) && cnt_q[i] == (TagW + 1)'(gnt[i])) head_q[i] <= tag_o;
        else if (gnt[i]) head_q[i] <= next_tag;
        if ((alloc_i && alloc_client_i == CliW'(i)) != gnt[i])
          cnt_q[i] <= gnt[i] ? cnt_q[i] - 1'b1 : cnt_q[i] + 1'b1;
        rdy_q[i] <= cnt_q[i] != '0 && done_q[head_q[i]] && ld_room_i[i] && !gnt[i];
        if (clr_i) begin
          cnt_q[i] <= '0;
          rdy_q[i] <= 1'b0;
        end
      end
    end
  end

  assign idle_o = alloc_q == '0;

`ifdef FORMAL_pcie_tag
  `include "pcie_tag.svh"
`endif

endmodule
