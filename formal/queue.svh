// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of whatever takes words and gives them back in their order: ports in_valid_i, in_ready_o, in_data_i, out_*. Read by
// the .svh of such a module, which says how much fits (F_FITS) and after how many cycles a word is offered (F_LATENCY).
//
//   order   any word comes out unchanged behind those that came before it, and nothing else comes out
//   hold    what is offered stays until it is taken
//   count   never more than F_FITS inside; with fewer it is taken; with one inside it is offered F_LATENCY cycles later
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);

  (* anyseq *) logic f_pick;
  logic         f_push, f_pop, f_live, f_held;
  logic [W-1:0] f_word, f_out;
  logic [7:0]   f_n, f_ahead, f_since;
  assign f_push = in_valid_i && in_ready_o;
  assign f_pop  = out_valid_o && out_ready_i;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_live <= 1'b0; f_n <= '0; f_ahead <= '0; f_since <= '0; f_held <= 1'b0;
    end else begin
      f_n     <= f_n + 8'(f_push) - 8'(f_pop);
      f_since <= (f_n == '0 || f_pop) ? '0 : f_since + 8'd1;
      f_held  <= out_valid_o && !out_ready_i;
      if (f_live) begin
        f_live <= !(f_pop && f_ahead == '0);
        f_ahead <= f_ahead - 8'(f_pop);
      end else if (f_push && f_pick) begin
        f_live  <= 1'b1;
        f_ahead <= f_n - 8'(f_pop);
      end
    end
  end
  always @(posedge clk_i) begin
    if (f_push && f_pick && !f_live) f_word <= in_data_i;
    f_out <= out_data_o;
  end
`ifdef G_order
  always @* begin
    if (out_valid_o) assert (f_n != '0);
    if (out_valid_o && f_live && f_ahead == '0) assert (out_data_o == f_word);
  end
`endif
`ifdef G_hold
  always @* if (f_held && rst_ni) assert (out_valid_o && out_data_o == f_out);
`endif
`ifdef G_count
  always @* if (rst_ni && !f_first) begin
    assert (f_n <= F_FITS);
    if (f_n < F_FITS) assert (in_ready_o);
    assert (f_n == '0 || f_since < F_LATENCY || out_valid_o);
  end
`endif
`ifdef F_COVER
  logic [7:0] f_row;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_row <= '0;
    else f_row <= f_push && f_pop ? f_row + 8'd1 : '0;
  end
  always @* cover (f_row == 8'd10);
  logic f_full;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_full <= 1'b0;
    else if (f_n == F_FITS) f_full <= 1'b1;
  end
  always @* cover (f_full && f_n == '0);
`endif
