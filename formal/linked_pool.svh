// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_linked_pool, of one list and one block that may be any.
//
//   owner   a block is in one list at a time: appended only while free, popped only by its list
//   lists   what a list holds: POP gives its blocks in the order of APPEND, counts and ends are right
//   promise an APPEND that was reserved finds a block; no block is lost
  (* anyconst *) logic [ListW-1:0] f_l;
  (* anyconst *) logic [BlkW-1:0]  f_b;
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  logic [BlkW:0] f_res;               // reservations out
  logic f_append;
  assign f_append = op_valid_i && op_i == 2'd1;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_res <= '0;
    else f_res <= f_res + res_take_i - (BlkW + 1)'(f_append) - (BlkW + 1)'(res_give_i);
  end
  always @* begin
    if (clear_q) assume (!op_valid_i);
    assume (res_take_i <= avail_o);
    assume ((BlkW + 1)'(f_append) + (BlkW + 1)'(res_give_i) <= f_res);
  end

  // The operation that is answered.
  logic [2:0][1:0]       f_op;
  logic [2:0][ListW-1:0] f_list;
  always @(posedge clk_i) begin
    f_op   <= 6'({f_op, op_i});
    f_list <= (3 * ListW)'({f_list, op_list_i});
  end
  logic f_mine, f_do_app, f_do_pop, f_do_drop;
  assign f_mine    = f_list[2] == f_l;
  assign f_do_app  = rsp_valid_o && f_op[2] == 2'd1;
  assign f_do_pop  = rsp_valid_o && f_op[2] == 2'd2 && rsp_count_o != '0;
  assign f_do_drop = rsp_valid_o && f_op[2] == 2'd3;

  // Model of the list: the oldest at 0.
  logic [BLOCKS-1:0][BlkW-1:0] f_q;
  logic [BlkW:0]               f_n, f_owned;
  logic [BlkW-1:0]             f_at;
  assign f_at = BlkW'(f_n - 1'b1);
  // Of the block.
  logic                        f_in;
  logic [ListW-1:0]            f_of;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_n <= '0; f_q <= '0; f_in <= 1'b0; f_of <= '0; f_owned <= '0;
    end else begin
      if (f_mine && f_do_app) begin
        f_q[f_n[BlkW-1:0]] <= rsp_block_o;
        f_n                <= f_n + 1'b1;
      end
      if (f_mine && f_do_pop) begin
        f_q <= f_q >> BlkW;
        f_n <= f_n - 1'b1;
      end
      if (f_mine && f_do_drop) f_n <= '0;
      if (f_do_app && rsp_block_o == f_b) begin
        f_in <= 1'b1;
        f_of <= f_list[2];
      end
      if ((f_do_pop && rsp_block_o == f_b) || (f_do_drop && f_of == f_list[2])) f_in <= 1'b0;
      f_owned <= f_owned + (BlkW + 1)'(f_do_app) - (BlkW + 1)'(f_do_pop) - (f_do_drop ? rsp_count_o : '0);
    end
  end
`ifdef G_owner
  always @* begin
    if (f_do_app && rsp_block_o == f_b) assert (!f_in);
    if (f_do_pop && rsp_block_o == f_b) assert (f_in && f_of == f_list[2]);
  end
`endif
`ifdef G_lists
  always @* if (rsp_valid_o && f_mine) begin
    assert (rsp_count_o == f_n);
    if (f_n != '0 && !f_do_app && !f_do_drop) assert (rsp_block_o == f_q[0]);
    if (f_do_app) assert (rsp_last_o == rsp_block_o && rsp_first_o == (f_n == '0 ? rsp_block_o : f_q[0]));
    if (f_do_app && f_n != '0) assert (rsp_prev_o == f_q[f_at]);
    if (f_do_pop && f_n > 1) assert (rsp_first_o == f_q[1] && rsp_last_o == f_q[f_at]);
  end
`endif
`ifdef G_promise
  always @* begin
    if (append2) assert (fresh_left || free_valid);
    if (idle_o && !rsp_valid_o) assert (avail_o + f_res + f_owned == BLOCKS);
    assert (avail_o <= BLOCKS);
  end
`endif
`ifdef F_COVER
  logic [4:0] f_row, f_pops;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin f_row <= '0; f_pops <= '0; end
    else begin
      f_row  <= f_do_app && f_mine ? f_row + 1'b1 : '0;
      f_pops <= f_do_pop && f_mine ? f_pops + 1'b1 : '0;
    end
  end
  // in consecutive cycles into one list, and out of it
  always @* cover (f_row == BLOCKS);
  always @* cover (f_pops == BLOCKS - 1);
  // a list that was dropped comes back
  logic f_dropped;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_dropped <= 1'b0;
    else if (f_do_drop && rsp_count_o == 2) f_dropped <= 1'b1;
  end
  always @* cover (f_dropped && avail_o == BLOCKS);
`endif
