// SPDX-License-Identifier: BSD-2-Clause

/// weft_sync_bus without resets: the reader gets the words that were taken, whole, in order, each once.
module f_sync_bus;
  localparam int unsigned W = 2;
  (* anyseq *) logic src_tick, dst_tick, valid;
  logic src_clk = 1'b0, dst_clk = 1'b0, src_clk_q = 1'b0, valid_q = 1'b0;
  always_ff @($global_clock) begin
    src_clk   <= src_clk ^ src_tick;
    dst_clk   <= dst_clk ^ dst_tick;
    src_clk_q <= src_clk;
    valid_q   <= valid;
    if (!(src_clk && !src_clk_q)) assume (valid == valid_q);
  end
  logic ready, flush, got;
  logic [W-1:0] next_q = '0, data, expect_q = '0;
  weft_sync_bus #(.W(W)) u_dut (
    .src_clk_i(src_clk), .src_rst_ni(1'b1), .src_valid_i(valid), .src_ready_o(ready), .src_data_i(next_q),
    .src_flush_o(flush), .dst_clk_i(dst_clk), .dst_rst_ni(1'b1), .dst_valid_o(got), .dst_data_o(data)
  );
  always_ff @(posedge src_clk) if (valid && ready) next_q <= next_q + 1'b1;
  always_ff @(posedge dst_clk) begin
    if (got) begin
      expect_q <= expect_q + 1'b1;
      assert (data == expect_q);
    end
`ifdef F_COVER
    assert (!(got && data == 2'd1));
`endif
  end
endmodule
