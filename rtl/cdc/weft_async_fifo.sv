// SPDX-License-Identifier: BSD-2-Clause

/// FIFO between two clocks of any ratio, Gray pointers, one word in and one out a cycle, first word
/// falls through. Exactly DEPTH words fit in the memory, one more in the output register. From
/// write
/// to output: one write cycle, STAGES + 2 read cycles. Up to 32 words make LUT RAM, deeper ones
/// block RAM.
///
/// Reset of one side (its clock's own reset; weft_cdc_clear): the words inside are lost, on both
/// sides,
/// and nothing else: what the reader gets is always a word that was written, whole, once, in order.
/// Until both sides are clear `wr_ready_o` is low and `wr_flush_o`, `rd_flush_o` are high; with a
/// clock
/// that stands or a reset that is held this lasts as long. A word that is offered stays offered
/// when the
/// writer is reset. The first word behind a loss carries `rd_torn_o`; `rd_lost_o` says so before
/// it comes.
module weft_async_fifo #(
  parameter int unsigned W = 8,       ///< bits of a word
  parameter int unsigned DEPTH = 16,  ///< words, a power of two, 4 or more
  parameter int unsigned STAGES = 2,  ///< of the synchronisers; the pointers get one more
  localparam int unsigned AddrW = $clog2(DEPTH)
) (
  input  logic         wr_clk_i,
  /// asserted asynchronously, released with wr_clk_i (weft_rst_bridge)
  input  logic         wr_rst_ni,
  input  logic         wr_valid_i,
  output logic         wr_ready_o,
  input  logic [W-1:0] wr_data_i,
  output logic         wr_flush_o,  ///< a side was reset: words inside are being discarded
  output logic [AddrW:0] wr_count_o,  ///< words in the memory, at most

  input  logic         rd_clk_i,
  input  logic         rd_rst_ni,   ///< asserted asynchronously, released with rd_clk_i
  output logic         rd_valid_o,  ///< registered
  input  logic         rd_ready_i,
  output logic [W-1:0] rd_data_o,   ///< registered
  output logic         rd_torn_o,   ///< with valid: words before this one may have been lost
  output logic         rd_lost_o,   ///< words may have been lost, and no word came since
  output logic         rd_flush_o,
  output logic [AddrW:0] rd_count_o   ///< words in the memory, at least
);

  function automatic logic [AddrW:0] gray(input logic [AddrW:0] b);
    gray = b ^ {1'b0, b[AddrW:1]};
  endfunction

  function automatic logic [AddrW:0] binary(input logic [AddrW:0] g);
    binary[AddrW] = g[AddrW];
    for (int i = AddrW - 1; i >= 0; i--) binary[i] = binary[i+1] ^ g[i];
  endfunction

  logic [W-1:0] mem [DEPTH];

  // ---------------------------------------------------------------- the resets of both sides
  logic wr_need, wr_req, wr_ack, wr_clear, rd_need, rd_req, rd_ack, rd_clear;
  weft_cdc_clear #(.STAGES(STAGES)) u_wr_clear (
    .clk_i(wr_clk_i), .rst_ni(wr_rst_ni), .need_o(wr_need), .req_o(wr_req), .ack_o(wr_ack),
    .other_need_i(rd_need), .other_req_i(rd_req), .other_ack_i(rd_ack), .clear_o(wr_clear)
  );
  weft_cdc_clear #(.STAGES(STAGES)) u_rd_clear (
    .clk_i(rd_clk_i), .rst_ni(rd_rst_ni), .need_o(rd_need), .req_o(rd_req), .ack_o(rd_ack),
    .other_need_i(wr_need), .other_req_i(wr_req), .other_ack_i(wr_ack), .clear_o(rd_clear)
  );
  assign wr_flush_o = wr_clear;
  assign rd_flush_o = rd_clear;

  // ---------------------------------------------------------------- write side
  logic [AddrW:0] wbin_q, wbin_d, wgray_q, rgray_w;
  logic           push;

  // Full: the pointers differ by DEPTH, in Gray code in their two upper bits.
  assign wr_ready_o = !wr_clear && wgray_q != {~rgray_w[AddrW:AddrW-1], rgray_w[AddrW-2:0]};
  assign push       = wr_valid_i && wr_ready_o;
  assign wbin_d     = wbin_q + 1'b1;

  always_ff @(posedge wr_clk_i or negedge wr_rst_ni) begin
    if (!wr_rst_ni) begin
      wbin_q  <= '0;
      wgray_q <= '0;
    end else if (wr_clear) begin
      wbin_q  <= '0;
      wgray_q <= '0;
    end else if (push) begin
      wbin_q  <= wbin_d;
      wgray_q <= gray(wbin_d);
    end
  end

  always_ff @(posedge wr_clk_i) if (push) mem[wbin_q[AddrW-1:0]] <= wr_data_i;

  // ---------------------------------------------------------------- read side
  logic [AddrW:0] rbin_q, rbin_d, rgray_q, wgray_r;
  logic           load, torn_q;

  assign load   = !rd_clear && rgray_q != wgray_r && (!rd_valid_o || rd_ready_i);
  assign rbin_d = rbin_q + 1'b1;

  always_ff @(posedge rd_clk_i or negedge rd_rst_ni) begin
    if (!rd_rst_ni) begin
      rbin_q     <= '0;
      rgray_q    <= '0;
      rd_valid_o <= 1'b0;
      rd_torn_o  <= 1'b0;
      torn_q     <= 1'b1;
    end else begin
      if (rd_clear) begin
        rbin_q  <= '0;
        rgray_q <= '0;
        torn_q  <= 1'b1;
      end else if (load) begin
        rbin_q    <= rbin_d;
        rgray_q   <= gray(rbin_d);
        rd_torn_o <= torn_q;
        torn_q    <= 1'b0;
      end
      if (load) rd_valid_o <= 1'b1;
      else if (rd_ready_i) rd_valid_o <= 1'b0;
    end
  end

  always_ff @(posedge rd_clk_i) if (load) rd_data_o <= mem[rbin_q[AddrW-1:0]];
  assign rd_lost_o  = torn_q;
  assign rd_count_o = rd_clear ? '0 : binary(wgray_r) - rbin_q;
  assign wr_count_o = wr_clear ? '0 : wbin_q - binary(rgray_w);

  weft_sync #(.W(AddrW + 1), .STAGES(STAGES + 1)) u_wptr (
    .clk_i(rd_clk_i), .rst_ni(rd_rst_ni), .d_i(wgray_q), .q_o(wgray_r)
  );
  weft_sync #(.W(AddrW + 1), .STAGES(STAGES + 1)) u_rptr (
    .clk_i(wr_clk_i), .rst_ni(wr_rst_ni), .d_i(rgray_q), .q_o(rgray_w)
  );

`ifndef SYNTHESIS
  initial begin
    if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) $fatal(1,
      "weft_async_fifo: DEPTH is no power of two");
  end
  // What crosses changes in one bit at a time, as long as nobody clears.
  logic [AddrW:0] wgray_p_q, rgray_p_q, wdiff, rdiff;
  logic           wlive_q, rlive_q;
  assign wdiff = wgray_q ^ wgray_p_q;
  assign rdiff = rgray_q ^ rgray_p_q;
  always_ff @(posedge wr_clk_i or negedge wr_rst_ni) begin
    if (!wr_rst_ni) wlive_q <= 1'b0;
    else wlive_q <= !wr_clear;
  end
  always_ff @(posedge rd_clk_i or negedge rd_rst_ni) begin
    if (!rd_rst_ni) rlive_q <= 1'b0;
    else rlive_q <= !rd_clear;
  end
  always_ff @(posedge wr_clk_i) begin
    wgray_p_q <= wgray_q;
    if (wr_rst_ni && wlive_q && !wr_clear) assert ((wdiff & (wdiff - 1'b1)) == '0);
  end
  always_ff @(posedge rd_clk_i) begin
    rgray_p_q <= rgray_q;
    if (rd_rst_ni && rlive_q && !rd_clear) assert ((rdiff & (rdiff - 1'b1)) == '0);
  end
`endif

endmodule
