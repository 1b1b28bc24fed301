// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_ready_fifo, of two members that may be any.
//
//   once    a member comes out only if it was inserted since it last came out; there is always room
//   kept    what was inserted after its last take comes out after at most N + 1 more takes' time
//   order   a member that was inside before another was inserted comes out before it
  (* anyconst *) logic [IdW-1:0] f_s;
  (* anyconst *) logic [IdW-1:0] f_r;
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  always @* assume (f_s != f_r);
  always @* if (clear_q) assume (!ins_valid_i);

  logic f_ins, f_ins_r, f_take, f_take_r;
  assign f_ins    = ins_valid_i && ins_id_i == f_s;
  assign f_ins_r  = ins_valid_i && ins_id_i == f_r;
  assign f_take   = out_valid_o && out_ready_i && out_id_o == f_s;
  assign f_take_r = out_valid_o && out_ready_i && out_id_o == f_r;
  logic f_may, f_must;      // inserted since the last take: in its cycle or later, later
  logic f_may_r, f_after;   // likewise for f_r; f_s must come, and no f_r was inside when it was inserted
  logic [7:0] f_waited;     // cycles of a taker that is always ready
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_may <= 1'b0; f_must <= 1'b0; f_may_r <= 1'b0; f_after <= 1'b0; f_waited <= '0;
    end else begin
      if (f_take || f_ins) f_may <= f_ins;
      if (f_take) f_must <= 1'b0; else if (f_ins) f_must <= 1'b1;
      if (f_take_r || f_ins_r) f_may_r <= f_ins_r;
      if (f_take) f_after <= 1'b0;
      else if (f_ins && !f_must && !f_may_r && !f_ins_r) f_after <= 1'b1;
      f_waited <= (f_must && !f_take && out_ready_i) ? f_waited + 1'b1 : '0;
    end
  end
`ifdef G_once
  always @* begin
    if (out_valid_o && out_id_o == f_s) assert (f_may);
    if (enter) assert (room);
  end
`endif
`ifdef G_kept
  always @* begin
    if (f_must) assert (!idle_o);
    assert (f_waited <= N + 2);
  end
`endif
`ifdef G_order
  always @* if (out_valid_o && out_id_o == f_r) assert (!f_after);
`endif
`ifdef F_COVER
  logic [7:0] f_row;        // cycles with an entry and a take, of other members than the cycle before
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_row <= '0;
    else f_row <= (enter && out_valid_o && out_ready_i) ? f_row + 1'b1 : '0;
  end
  always @* cover (f_row == 2 * N + 2);
  always @* cover (count_o == N);
  always @* cover (stat_merge_o && f_take);
  logic f_two;
  always @(posedge clk_i) f_two <= f_ins && !f_first && idle_o == 1'b0 && count_o == '0 && !v_q;
  logic f_three;
  always @(posedge clk_i) f_three <= f_two && !f_first;
  always @* cover (f_three && out_valid_o && out_id_o == f_s);
`endif
