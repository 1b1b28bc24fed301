// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_ctx_pipe, read inside the module (FORMAL). Rules speak of ports alone, by one
// slot that may be any; invariants tie the module's state to them, for induction (formal/README.md).
//
//   once    a context is in the pipe once, but for a run: items exactly two apart, flagged, at most RUN_MAX
//   order   items of a context come in the order of arrival, none lost, none twice, none changed
//   visit   a run goes on when it can and only then; last; one release a visit, STAGES after its last
//   rate    an item that may enter does, in the next cycle; what is offered to an idle pipe is at the head
//           a cycle later; without go nobody enters
//   fair    nobody overtakes an older item that may enter; the oldest waits a bounded time
//   query   busy, idle, ready say what is so

  // ---------------------------------------------------------------- reset, the slot that is watched
  (* anyconst *) logic [SLOT_W-1:0] f_s;
  (* anyseq *)   logic              f_mark;   // this accepted item is the one that `fair` watches
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);

  logic f_acc, f_acc_s, f_head_s, f_was_acc;
  logic [ITEM_W-1:0] f_in, f_out;             // accepted and entered of slot f_s
  logic [7:0] f_all;                          // inside the station, of all
  logic [STAGES:0] f_h;                       // [k]: f_s was at the head k cycles ago
  logic [STAGES:0] f_a;                       // likewise, any
  logic [STAGES:0] f_c;                       // likewise, it was a continuation
  logic [STAGES:2] f_l;                       // likewise, the last of its visit
  logic [STAGES:1] f_hr, f_ar, f_cr;
  logic [STAGES:3] f_lr;
  logic f_go_q;

  assign f_acc    = in_valid_i && in_ready_o;
  assign f_acc_s  = f_acc && in_slot_i == f_s;
  assign f_head_s = st_valid_o && st_slot_o == f_s;
  assign f_h = {f_hr, f_head_s};
  assign f_a = {f_ar, st_valid_o};
  assign f_c = {f_cr, st_valid_o && st_cont_o};
  assign f_l = (STAGES - 1)'({f_lr, st2_last_o});
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_in <= '0; f_out <= '0; f_all <= '0; f_hr <= '0; f_ar <= '0; f_cr <= '0; f_lr <= '0;
      f_go_q <= 1'b0;
    end else begin
      f_in  <= f_in + ITEM_W'(f_acc_s);
      f_out <= f_out + ITEM_W'(f_head_s);
      f_all <= f_all + 8'(f_acc) - 8'(st_valid_o);
      f_hr  <= STAGES'(f_h);
      f_ar  <= STAGES'(f_a);
      f_cr  <= STAGES'(f_c);
      f_lr  <= (STAGES - 2)'(f_l);
      f_go_q <= go_i;
    end
  end

  // The item that `fair` watches: f_mark chooses one of slot f_s. Items after it carry a 1 in their top bit.
  logic f_watch, f_done;                      // it was chosen; it has entered
  logic [ITEM_W-1:0] f_number;                // its number among those of f_s
  logic [7:0] f_before;                       // items before it that are not in yet, when it is in the station
  logic [9:0] f_waited;                       // cycles with go, since nobody older is left
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_watch <= 1'b0; f_done <= 1'b0; f_number <= '0; f_before <= '0; f_waited <= '0;
    end else begin
      if (!f_watch && f_mark && f_acc_s) begin
        f_watch  <= 1'b1;
        f_number <= f_in;
        f_before <= f_all - 8'(st_valid_o);
      end else if (f_watch && !f_done && st_valid_o) begin
        if (f_head_s && f_out == f_number) f_done <= 1'b1;
        else if (!st_item_o[ITEM_W-1]) f_before <= f_before - 8'd1;
      end
      f_waited <= (f_watch && !f_done && go_i && f_before == '0) ? f_waited + 1'b1 : '0;
    end
  end

  // What the items carry: nothing in the module looks at them.
  always @* if (in_valid_i) begin
    assume (in_item_i[ITEM_W-1] == f_watch);
    if (in_slot_i == f_s) assume (in_item_i[ITEM_W-2:0] == f_in[ITEM_W-2:0]);
  end

  // f_s may be at the head in the next cycle as a new visit.
  logic f_waits_s, f_clear_s;
  assign f_waits_s = f_in != f_out + ITEM_W'(f_head_s);
  assign f_clear_s = f_h[STAGES-2:0] == '0;

  // Items in the visit of f_s, at the head and a cycle ago.
  logic [RunW:0] f_run, f_run1;
  logic [RunW:0] f_run2;
  assign f_run = f_c[0] ? f_run2 + 1'b1 : 1;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin f_run1 <= '0; f_run2 <= '0; end
    else begin f_run1 <= f_run; f_run2 <= f_run1; end
  end
  // It should go on: accepted up to the cycle in which the one before was at the head.
  logic f_more0, f_more1, f_more2;
  assign f_more0 = f_head_s && f_run < RUN_MAX && (f_waits_s || f_acc_s);
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin f_more1 <= 1'b0; f_more2 <= 1'b0; end
    else begin f_more1 <= f_more0; f_more2 <= f_more1; end
  end

`ifdef G_once
  always @* if (f_head_s) begin
    assert (!f_h[1]);
    if (st_cont_o) begin
      assert (f_h[2]);
      assert (f_run <= RUN_MAX);
    end else assert (f_h[STAGES-1:1] == '0);
  end
`endif

`ifdef G_order
  always @* if (f_head_s) begin
    assert (f_in != f_out);
    assert (st_item_o[ITEM_W-2:0] == f_out[ITEM_W-2:0]);
  end
`endif

`ifdef G_visit
  always @* begin
    // It goes on when it can, and only then.
    if (f_h[2]) assert ((f_head_s && st_cont_o) == (f_more2 && f_go_q));
    if (st_cont_o) assert (st_valid_o && f_a[2]);
    if (f_h[2]) assert (st2_last_o == !(f_head_s && st_cont_o));
    if (!f_a[2]) assert (!st2_last_o);
    // One release, STAGES after the last.
    assert (rel_valid_o == f_l[STAGES]);
    if (f_h[STAGES]) assert (rel_slot_o == f_s);
  end
`endif

`ifdef G_rate
  logic f_must, f_byp;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin f_must <= 1'b0; f_byp <= 1'b0; end
    else begin
      f_must <= go_i && f_clear_s && (f_waits_s || f_acc_s);
      f_byp  <= go_i && f_clear_s && f_acc_s && f_all == 8'(st_valid_o);
    end
  end
  always @* begin
    if (f_must) assert (st_valid_o);
    if (f_byp) assert (f_head_s);
    if (!f_go_q) assert (!st_valid_o);
  end
`endif

`ifdef G_fair
  // The watched one is the first of its context and may enter.
  logic f_may;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_may <= 1'b0;
    else f_may <= f_watch && !f_done && f_clear_s && f_out == f_number && !f_head_s;
  end
  always @* begin
    if (f_may && st_valid_o && !st_cont_o) assert (!st_item_o[ITEM_W-1]);
    assert (f_waited <= STAGES + 2 * RUN_MAX);
  end
`endif

`ifdef G_query
  logic f_busy;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_busy <= 1'b1;
    else f_busy <= (in_valid_i && in_slot_i == f_s) || f_in != f_out || f_h[STAGES-1:0] != '0;
  end
  logic f_asked;
  always @(posedge clk_i) f_asked <= rst_ni && busy_slot_i == f_s;
  always @* begin
    if (f_asked && !f_first) assert (busy_o == f_busy);
    assert (idle_o == (!in_valid_i && f_all == '0 && f_a[STAGES-1:0] == '0));
    assert (f_all <= WAIT + 8'(st_valid_o));
    if (!in_ready_o) assert (f_all >= WAIT);
  end
`endif

`ifdef F_COVER
  logic [7:0] f_row;
  logic [STAGES:1][SLOT_W-1:0] f_slots;
  logic f_distinct;
  logic [2*RUN_MAX:0] f_hh, f_aa, f_cc;
  always @* begin
    f_distinct = st_valid_o && !st_cont_o;
    for (int k = 1; k <= STAGES; k++) if (f_a[k] && f_slots[k] == st_slot_o) f_distinct = 1'b0;
  end
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin f_row <= '0; f_hh <= '0; f_aa <= '0; f_cc <= '0; end
    else begin
      f_row <= f_distinct ? f_row + 1'b1 : '0;
      f_hh <= (2 * RUN_MAX + 1)'({f_hh, f_head_s});
      f_aa <= (2 * RUN_MAX + 1)'({f_aa, st_valid_o});
      f_cc <= (2 * RUN_MAX + 1)'({f_cc, st_valid_o && st_cont_o});
    end
  end
  always @(posedge clk_i) f_slots <= (STAGES * SLOT_W)'({f_slots, st_slot_o});
  logic f_off;
  always @(posedge clk_i) f_off <= !f_first && idle_o;
  logic f_idle_acc;
  always @(posedge clk_i) f_idle_acc <= f_off && f_acc_s;
  // STAGES + 4 different contexts in consecutive cycles
  always @* cover (f_row == STAGES + 4);
  // a run of RUN_MAX with others in every cycle between
  logic f_full_run;
  always @* begin
    f_full_run = 1'b1;
    for (int k = 0; k < 2 * RUN_MAX - 1; k++) begin
      if (!f_aa[k]) f_full_run = 1'b0;
      if (f_hh[k] != (k % 2 == 0)) f_full_run = 1'b0;
    end
  end
  always @* cover (f_full_run && !f_cc[2*RUN_MAX-2]);
  // two runs interleaved
  always @* cover (RUN_MAX < 3 || f_cc[3:0] == 4'hf);
  // what is offered to an idle pipe is at the head in the next cycle
  always @* cover (f_idle_acc && f_head_s);
  // full, and it empties again
  logic f_was_full;
  always @(posedge clk_i or negedge rst_ni) if (!rst_ni) f_was_full <= 1'b0; else if (stat_stall_o) f_was_full <= 1'b1;
  always @* cover (f_was_full && idle_o);
`endif

`ifdef F_INV
  `ifdef G_inv
    `define INV(x) assert (x)
  `else
    `define INV(x) assume (x)
  `endif
  `ifdef G_inv
    `define NUM(x)
  `elsif G_num
    `define NUM(x) assert (x)
  `else
    `define NUM(x) assume (x)
  `endif
  logic [STAGES-1:0][SLOT_W-1:0] f_ps;
  assign f_ps = {pslot_q[STAGES-1:1], st_slot_o};
  always @* begin
    `INV((head_q & (head_q - 1'b1)) == '0);
    `INV((next_q & (next_q - 1'b1)) == '0);
    `INV((alloc_q & (alloc_q - 1'b1)) == '0);
    `INV((alloc_q & valid_q) == '0 && (head_q & valid_q) == '0);
    `INV(room_q == (alloc_q != '0));
    `INV(cont_q == (next_q != '0));
    `INV(pv_q[0] == (head_q != '0));
    `INV(act_q || (head_q == '0 && valid_q == '0));
    `INV(f_a[STAGES-1:0] == pv_q);
    `INV(!st_cont_q || pv_q[0]);
    for (int i = 0; i < WAIT; i++) begin
      if (head_q[i]) `INV(idx_q == i && mem[i][ITEM_W+:SLOT_W] == slot_q[i]);
      if (valid_q[i]) begin
        `INV(mem[i][ITEM_W+:SLOT_W] == slot_q[i]);
        `INV(!elder_q[i][i] && !behind_q[i][i]);
        for (int j = 0; j < WAIT; j++) if (j != i) begin
          `INV(behind_q[i][j] == (slot_q[i] == slot_q[j] && (head_q[j] || (valid_q[j] && elder_q[i][j]))));
          if (valid_q[j]) `INV(elder_q[i][j] != elder_q[j][i]);
          for (int k = 0; k < WAIT; k++) if (k != i && k != j && valid_q[j] && valid_q[k])
            `INV(!(elder_q[i][j] && elder_q[j][k]) || elder_q[i][k]);
        end
        for (int k = 1; k <= STAGES - 2; k++)
          `INV(hit_q[i][k] == (pv_q[k] && pslot_q[k] == slot_q[i]));
      end
      `INV(ready_q[i] == (valid_q[i] && behind_q[i] == '0 && hit_q[i] == '0));
      `INV(next_q[i] == (valid_q[i] && pv_q[1] && pslot_q[1] == slot_q[i] && behind_q[i] == '0
           && run_q[1] < RUN_MAX));
    end
    if (pv_q[0]) `INV(run_q[0] >= 1 && run_q[0] <= RUN_MAX);
    if (pv_q[1]) `INV(run_q[1] >= 1 && run_q[1] <= RUN_MAX);
    // the pipe: a context twice only as a run
    for (int k = 0; k < STAGES; k++) begin
      if (f_c[k]) `INV(f_a[k] && (k + 2 > STAGES || f_a[k+2 > STAGES ? 0 : k+2]));
      if (k + 2 < STAGES && f_c[k]) `INV(f_ps[k] == f_ps[k+2 < STAGES ? k+2 : k]);
      for (int l = k + 1; l < STAGES; l++) if (pv_q[k] && pv_q[l] && f_ps[k] == f_ps[l]) begin
        `INV(l != k + 1 && f_c[k]);
        if (l > k + 2) `INV(f_ps[k+2 < STAGES ? k+2 : k] == f_ps[l]);
      end
      if (k >= 2) `INV(f_l[k] == (f_a[k] && !f_c[k-2]));
      if (k >= 2) `INV(f_l[k] == last_q[k]);
    end
    `INV(last_q[STAGES] == f_l[STAGES]);
    // the slot that is watched: its items are numbered by what stands before them
    for (int k = 0; k < STAGES; k++) `INV(f_h[k] == (pv_q[k] && f_ps[k] == f_s));
    if (f_h[STAGES]) `INV(f_a[STAGES] && pslot_q[STAGES] == f_s);
    `NUM(f_inside == f_count_s);
    `NUM(f_all == f_count);
    for (int i = 0; i < WAIT; i++) if (slot_q[i] == f_s) begin
      if (head_q[i]) `NUM(mem[i][ITEM_W-2:0] == f_out[ITEM_W-2:0]);
      if (valid_q[i]) `NUM(mem[i][ITEM_W-2:0] == f_expect[i]);
    end
    if (!room_q) `NUM(f_count >= WAIT);
    if (f_h[0]) `INV(f_run == (RunW + 1)'(run_q[0]));
    if (f_h[1]) `INV(f_run1 == (RunW + 1)'(run_q[1]));
    if (f_h[1]) `NUM(f_more1 == cont_q);
  end
  logic [ITEM_W-1:0] f_inside;
  assign f_inside = f_in - f_out;
  logic [7:0] f_count, f_count_s;
  logic [WAIT-1:0][7:0] f_rank;
  logic [WAIT-1:0][ITEM_W-2:0] f_expect;
  always @* begin
    f_count   = 8'(pv_q[0]);
    f_count_s = 8'(f_head_s);
    for (int i = 0; i < WAIT; i++) begin
      f_count = f_count + 8'(valid_q[i]);
      f_count_s = f_count_s + 8'(valid_q[i] && slot_q[i] == f_s);
      f_rank[i] = '0;
      for (int j = 0; j < WAIT; j++) f_rank[i] = f_rank[i] + 8'(behind_q[i][j]);
      f_expect[i] = f_out[ITEM_W-2:0] + f_rank[i];
    end
  end

`ifdef G_fair
  // The place of the one that is watched, and how long it has been ready.
  logic [IdxW-1:0] f_place;
  logic [7:0] f_elder;
  logic [ITEM_W-1:0] f_ahead;
  assign f_ahead = f_number - f_out;
  logic [9:0] f_r;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin f_place <= '0; f_r <= '0; end
    else begin
      if (!f_watch) f_place <= alloc_idx;
      f_r <= (f_watch && !f_done && go_i && f_before == '0 && ready_q[f_place]) ? f_r + 1'b1 : '0;
    end
  end
  always @* begin
    f_elder = '0;
    for (int j = 0; j < WAIT; j++)
      if ((valid_q[j] || head_q[j]) && j != f_place && !mem[j][ITEM_W-1]) f_elder = f_elder + 1'b1;
    if (!f_watch) assert (!f_done);
    for (int j = 0; j < WAIT; j++) if (!f_watch && (valid_q[j] || head_q[j])) assert (!mem[j][ITEM_W-1]);
    if (f_watch && !f_done) begin
      assert (valid_q[f_place] || head_q[f_place]);
      assert (slot_q[f_place] == f_s && !mem[f_place][ITEM_W-1]);
      assert (f_number[ITEM_W-2:0] == (head_q[f_place] ? f_out[ITEM_W-2:0] : f_expect[f_place]));
      assert (f_ahead < f_inside);
      assert (f_before == f_elder);
      for (int j = 0; j < WAIT; j++)
        if (valid_q[j] && valid_q[f_place] && j != f_place) assert (mem[j][ITEM_W-1] == elder_q[j][f_place]);
      if (head_q[f_place]) assert (f_waited <= STAGES + 2 * RUN_MAX - 1);
      // Nothing of its context enters before it, so what is in the pipe moves on.
      if (valid_q[f_place] && f_before == '0) begin
        assert (!f_head_s || f_waited == '0);
        for (int k = 1; k < STAGES - 1; k++) if (f_h[k] && !ready_q[f_place]) assert (f_waited <= k + 1);
        assert (f_waited <= STAGES + f_r);
        if (!ready_q[f_place]) assert (f_waited <= STAGES && f_r == '0);
      end
    end
    // Ready and oldest: all that enter are runs, and they grow.
    if (f_r != '0 && f_watch && !f_done && valid_q[f_place]) begin
      assert (st_cont_q && run_q[0] >= 1 + ((f_r + 1) >> 1));
      if (f_r >= 2) assert (pv_q[1] && run_q[1] >= 1 + (f_r >> 1));
      assert (f_r <= 2 * (RUN_MAX - 1));
    end
  end
`endif
`endif
