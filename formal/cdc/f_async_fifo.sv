// SPDX-License-Identifier: BSD-2-Clause

/// weft_async_fifo between two clocks that tick as they like. RESETS: each side may be reset at any time.
/// The writer numbers its words; the reader must get them in order, each once, and all of them unless a
/// loss was announced. Bits that change while they are sampled are taken either way (weft_sync).
module f_async_fifo #(
  parameter bit RESETS = 0,
  parameter int unsigned HOLD = 4  ///< a reset lasts as many edges of each clock at least
);
  localparam int unsigned W = RESETS ? 5 : 3;

  // ---------------------------------------------------------------- clocks and resets
  (* anyseq *) logic wr_tick, rd_tick, wr_hit, rd_hit, wr_valid, rd_ready;
  logic wr_clk = 1'b0, rd_clk = 1'b0;
  logic [2:0] wr_seen_w = '0, wr_seen_r = '0, rd_seen_w = '0, rd_seen_r = '0;
  logic wr_rst_n = !RESETS, rd_rst_n = !RESETS;
  always_ff @($global_clock) begin
    wr_clk <= wr_clk ^ wr_tick;
    rd_clk <= rd_clk ^ rd_tick;
    if (RESETS) begin
      // asserted at any time, released behind an edge of the side's clock
      if (!wr_rst_n) begin
        if (wr_tick && !wr_clk && wr_seen_w != '1) wr_seen_w <= wr_seen_w + 1'b1;
        if (rd_tick && !rd_clk && wr_seen_r != '1) wr_seen_r <= wr_seen_r + 1'b1;
      end
      if (!rd_rst_n) begin
        if (wr_tick && !wr_clk && rd_seen_w != '1) rd_seen_w <= rd_seen_w + 1'b1;
        if (rd_tick && !rd_clk && rd_seen_r != '1) rd_seen_r <= rd_seen_r + 1'b1;
      end
      if (wr_rst_n && wr_hit) begin
        wr_rst_n  <= 1'b0;
        wr_seen_w <= '0;
        wr_seen_r <= '0;
      end else if (wr_tick && !wr_clk && 32'(wr_seen_w) >= HOLD && 32'(wr_seen_r) >= HOLD) wr_rst_n <= 1'b1;
      if (rd_rst_n && rd_hit) begin
        rd_rst_n  <= 1'b0;
        rd_seen_w <= '0;
        rd_seen_r <= '0;
      end else if (rd_tick && !rd_clk && 32'(rd_seen_w) >= HOLD && 32'(rd_seen_r) >= HOLD) rd_rst_n <= 1'b1;
    end
  end

  // ---------------------------------------------------------------- the unit
  logic wr_ready, rd_valid, torn, lost, wr_flush, rd_flush;
  logic [W-1:0] next_q = '0, got;
  logic [2:0] wr_count, rd_count;
  weft_async_fifo #(.W(W), .DEPTH(4)) u_dut (
    .wr_clk_i(wr_clk), .wr_rst_ni(wr_rst_n), .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_data_i(next_q),
    .wr_flush_o(wr_flush), .rd_clk_i(rd_clk), .rd_rst_ni(rd_rst_n), .rd_valid_o(rd_valid), .rd_ready_i(rd_ready),
    .rd_data_o(got), .rd_torn_o(torn), .rd_lost_o(lost), .rd_flush_o(rd_flush), .wr_count_o(wr_count), .rd_count_o(rd_count)
  );

  // The number of a word is not reset: it is the word's name.
  always_ff @(posedge wr_clk) if (wr_rst_n && wr_valid && wr_ready) next_q <= next_q + 1'b1;

  // The reader's inputs change with its clock, as those of a synchronous circuit do.
  logic ready_q = 1'b0, valid_q = 1'b0, rd_clk_q = 1'b0, wr_clk_q = 1'b0;
  always_ff @($global_clock) begin
    ready_q  <= rd_ready;
    valid_q  <= wr_valid;
    rd_clk_q <= rd_clk;
    wr_clk_q <= wr_clk;
    if (!(rd_clk && !rd_clk_q)) assume (rd_ready == ready_q);
    if (!(wr_clk && !wr_clk_q)) assume (wr_valid == valid_q);
  end

  // ---------------------------------------------------------------- what must hold
  logic [W-1:0] expect_q = '0;
  logic wrapped_q = 1'b0;  // eight words came
  always_ff @(posedge rd_clk) begin
    if (rd_rst_n && rd_valid && rd_ready) begin
      if (got == 3'd7) wrapped_q <= 1'b1;
      expect_q <= got + 1'b1;
      if (RESETS) begin
        // in order, never twice, only what was written; a gap is announced
        assert (got >= expect_q && got < next_q);
        assert (torn || got == expect_q);
      end else begin
        assert (got == expect_q);
      end
    end
    // Reached is what breaks the contrary: words behind a wrap of both pointers, or behind two losses.
`ifdef F_COVER
    if (!RESETS) assert (!(rd_valid && rd_ready && got == 3'd1 && wrapped_q));
    else assert (!(rd_rst_n && rd_valid && rd_ready && torn && expect_q != '0 && got > expect_q));
`endif
  end
  // Names of words must not repeat within the depth that is looked at.
  always_comb if (RESETS) assume (next_q != '1);

endmodule
