// SPDX-License-Identifier: BSD-2-Clause

/// A FIFO of words that are told only when the posted writes accepted in front of them have left (weft_pcie_wr): whoever is told may ask the host for
/// what those wrote, and no read passes a posted write once that has left. Words come out in order, so one that waits stops those behind it. It waits
/// for PCIe alone, which takes posted writes whatever else stands still.
module weft_fifo_after #(
  parameter int unsigned W = 8,      ///< bits of a word
  parameter int unsigned DEPTH = 8,  ///< words, a power of two, 2 to 32
  localparam int unsigned AddrW = $clog2(DEPTH)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [7:0]     wr_acc_i,     ///< write packets accepted, modulo 256; 255 at most have not left
  input  logic [7:0]     wr_left_i,    ///< write packets that have left: one more a cycle at most

  input  logic           in_valid_i,
  output logic           in_ready_o,   ///< registered: there is room
  input  logic [W-1:0]   in_data_i,

  output logic           out_valid_o,
  input  logic           out_ready_i,
  output logic [W-1:0]   out_data_o,

  output logic [AddrW:0] count_o       ///< words inside, 0 to DEPTH
);
  logic             valid, push, pop;
  logic [DEPTH-1:0] wait_q;         // not all of `mark_q` has left
  logic [7:0]       mark_q [DEPTH];
  logic [AddrW-1:0] wptr_q, rptr_q;

  weft_fifo #(.W(W), .DEPTH(DEPTH)) u_words (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i, .out_valid_o(valid), .out_ready_i(pop), .out_data_o, .count_o
  );
  assign push        = in_valid_i && in_ready_o;
  assign out_valid_o = valid && !wait_q[rptr_q];
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q <= '0;
      rptr_q <= '0;
      wait_q <= '0;
    end else begin
      if (push) wptr_q <= wptr_q + 1'b1;
      if (pop) rptr_q <= rptr_q + 1'b1;
      // Each count is met, as they pass one by one. Nothing under way: the count may have begun anew.
      for (int unsigned i = 0; i < DEPTH; i++) if (mark_q[i] == wr_left_i || wr_acc_i == wr_left_i) wait_q[i] <= 1'b0;
      if (push) wait_q[wptr_q] <= wr_acc_i != wr_left_i;
    end
  end
  always_ff @(posedge clk_i) if (push) mark_q[wptr_q] <= wr_acc_i;

endmodule
