// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_tpt_epoch: any access that enters, and the first closing in its cycle or behind it, of either kind.
//
//   never   that closing is not answered before the access has left
//   ends    when nothing is inside and nothing comes, all closings are answered inside within eight cycles, and are offered
//   free    what enters belongs to no epoch that is closed
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  (* anyseq *) logic f_pick, f_out;
  logic        f_seen, f_in, f_asked, f_goes, f_op_asked;
  logic [1:0]  f_epoch;
  logic [15:0] f_num, f_op_num;
  logic [3:0]  f_quiet;
  // The access leaves through the first port; whatever else leaves has entered.
  assign f_goes = f_in && f_out && leave_i[0] && leave_epoch_i[1:0] == f_epoch;
  always @* begin
    if (!room_o) assume (enter_i == '0);
    for (int e = 0; e < 4; e++)
      assume (32'(n_out[e]) + (f_in && f_epoch == 2'(e) && !f_goes ? 32'd1 : 32'd0) <= 32'(cnt_q[e]));
    // Numbers do not wrap in a proof.
    assume (asked_q < 16'hf000 && op_asked_q < 16'hf000);
  end
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_seen  <= 1'b0;
      f_in    <= 1'b0;
      f_asked <= 1'b0;
      f_epoch <= '0;
      f_num   <= '0;
      f_op_asked <= 1'b0;
      f_op_num   <= '0;
      f_quiet <= '0;
    end else begin
      if (!f_seen && f_pick && enter_i[0]) begin
        f_seen  <= 1'b1;
        f_in    <= 1'b1;
        f_epoch <= epoch_o;
      end
      if (f_goes) f_in <= 1'b0;
      if (close_i && !f_asked && (f_in || (!f_seen && f_pick && enter_i[0]))) begin
        f_asked <= 1'b1;
        f_num   <= asked_q + 16'd1;
      end
      if (op_close_i && !f_op_asked && (f_in || (!f_seen && f_pick && enter_i[0]))) begin
        f_op_asked <= 1'b1;
        f_op_num   <= op_asked_q + 16'd1;
      end
      f_quiet <= cnt_q != '0 || enter_i != '0 || close_i || op_close_i ? '0 : f_quiet == '1 ? f_quiet : f_quiet + 4'd1;
    end
  end
`ifdef G_never
  always @* if (rst_ni && f_in && f_asked) begin
    assert (done_q < f_num);
    assert (!done_valid_o || done_seq_o < f_num);
  end
  always @* if (rst_ni && f_in && f_op_asked) assert (op_done_o < f_op_num);
`endif
`ifdef G_ends
  always @* if (rst_ni && f_quiet >= 4'd8) assert (op_done_q == op_asked_q && done_q == asked_q && (told_q == done_q || done_valid_o));
`endif
`ifdef G_free
  logic [1:0] f_ahead;
  assign f_ahead = cur_q - old_q;
  always @* if (rst_ni && f_seen && f_in) assert (2'(f_epoch - old_q) <= f_ahead);
`endif
`ifdef F_COVER
  logic f_three;
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) f_three <= 1'b0;
    else if (2'(cur_q - old_q) == 2'd3) f_three <= 1'b1;
  always @* cover (f_three && old_q == cur_q && done_valid_o && done_seq_o >= 16'd3);
`endif
