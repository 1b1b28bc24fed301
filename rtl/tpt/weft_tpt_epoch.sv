// SPDX-License-Identifier: BSD-2-Clause

/// Epochs of translated accesses (docs/datapath.md, "Drains"). One of four epochs is open: accesses that enter belong to it.
/// `close_i` says that an entry is gone, for all that enters in a later cycle; the open epoch is closed then and the next one is
/// opened. When all accesses of the closed epochs up to it have left, `done_*` says so.
///
/// Closings are numbered from 1 on (16 bits, they wrap) and always taken: while three epochs are closed and not empty, what is closed
/// waits and shares the next one. `done_seq_o` answers all closings up to it; only the latest answer is kept while nobody takes one.
/// Closings that operations on STags ask for have numbers of their own: who counts the others does not see them.
/// An access leaves by naming its epoch, once, in any order.
module weft_tpt_epoch #(
  parameter int unsigned N_IN = 2,      ///< accesses that may enter in a cycle, 1 to 4
  parameter int unsigned N_LEAVE = 3,   ///< leaves in a cycle, 1 to 8
  parameter int unsigned CNT_W = 12     ///< bits of the number of accesses of an epoch, 4 to 24
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  output logic [1:0]           epoch_o,        ///< of what enters in this cycle
  output logic                 room_o,         ///< registered; without it nothing may enter
  input  logic [N_IN-1:0]      enter_i,
  input  logic [N_LEAVE-1:0]   leave_i,
  input  logic [2*N_LEAVE-1:0] leave_epoch_i,  ///< bits 1:0 of the first

  input  logic                 close_i,        ///< pulse
  output logic [15:0]          asked_o,        ///< closings so far
  output logic                 done_valid_o,
  input  logic                 done_ready_i,
  output logic [15:0]          done_seq_o,

  input  logic                 op_close_i,     ///< pulse: as close_i, of an operation
  output logic [15:0]          op_asked_o,     ///< closings of operations so far
  output logic [15:0]          op_done_o,      ///< those up to it are done; a level

  output logic                 idle_o          ///< no access is inside, no closing waits
);

  logic [3:0][CNT_W-1:0] cnt_q;
  logic [3:0][15:0]      upto_q, op_upto_q;  // closings that the end of this epoch answers
  logic [1:0]            cur_q, old_q, cur_next;
  logic [15:0]           asked_q, cut_q, done_q, told_q, op_asked_q, op_cut_q, op_done_q;
  logic                  shut, retire;
  logic [2:0]            n_in;
  logic [3:0][3:0]       n_out;

  assign cur_next = cur_q + 2'd1;
  assign shut     = (asked_q != cut_q || op_asked_q != op_cut_q) && cur_next != old_q;
  assign retire   = old_q != cur_q && cnt_q[old_q] == '0;

  always_comb begin
    n_in  = '0;
    n_out = '0;
    for (int unsigned k = 0; k < N_IN; k++) n_in = n_in + 3'(enter_i[k]);
    for (int unsigned e = 0; e < 4; e++)
      for (int unsigned k = 0; k < N_LEAVE; k++)
        n_out[e] = n_out[e] + 4'(leave_i[k] && leave_epoch_i[2*k+:2] == 2'(e));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cnt_q        <= '0;
      cur_q        <= '0;
      old_q        <= '0;
      upto_q       <= '0;
      op_upto_q    <= '0;
      op_asked_q   <= '0;
      op_cut_q     <= '0;
      op_done_q    <= '0;
      asked_q      <= '0;
      cut_q        <= '0;
      done_q       <= '0;
      told_q       <= '0;
      done_valid_o <= 1'b0;
      room_o       <= 1'b0;
    end else begin
      for (int unsigned e = 0; e < 4; e++)
        cnt_q[e] <= cnt_q[e] + (cur_q == 2'(e) ? CNT_W'(n_in) : '0) - CNT_W'(n_out[e]);
      // Registered: two cycles' worth may still come.
      room_o  <= cnt_q[cur_q] < CNT_W'((1 << CNT_W) - 1 - 2 * N_IN);
      asked_q <= asked_q + 16'(close_i);
      op_asked_q <= op_asked_q + 16'(op_close_i);
      if (shut) begin
        cur_q         <= cur_next;
        cut_q         <= asked_q;
        upto_q[cur_q] <= asked_q;
        op_cut_q         <= op_asked_q;
        op_upto_q[cur_q] <= op_asked_q;
      end
      if (retire) begin
        old_q  <= old_q + 2'd1;
        done_q <= upto_q[old_q];
        op_done_q <= op_upto_q[old_q];
      end
      if (!done_valid_o || done_ready_i) begin
        done_valid_o <= done_q != told_q;
        told_q       <= done_q;
      end
    end
  end

  assign epoch_o    = cur_q;
  assign asked_o    = asked_q;
  assign done_seq_o = told_q;
  assign op_asked_o = op_asked_q;
  assign op_done_o  = op_done_q;
  assign idle_o     = cnt_q == '0 && asked_q == done_q && told_q == done_q && !done_valid_o && !close_i &&
                      op_asked_q == op_done_q && !op_close_i && enter_i == '0;

`ifndef SYNTHESIS
  initial begin
    if (N_IN < 1 || N_IN > 4 || N_LEAVE < 1 || N_LEAVE > 8) $fatal(1, "weft_tpt_epoch: N_IN, N_LEAVE");
    if (CNT_W < 4 || CNT_W > 24) $fatal(1, "weft_tpt_epoch: CNT_W");
  end
  logic [3:0] over;
  always_comb for (int unsigned e = 0; e < 4; e++) over[e] = 32'(n_out[e]) > 32'(cnt_q[e]);
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (over == '0) else $error("%m: more accesses leave an epoch than are inside");
      assert (!(enter_i != '0 && cnt_q[cur_q] > CNT_W'((1 << CNT_W) - 1 - N_IN))) else $error("%m: an access without room");
      // Of a closed epoch and of none: nothing enters, and a free one is empty.
      assert (cnt_q[cur_next] == '0 || old_q != cur_q) else $error("%m: a free epoch has accesses");
    end
  end
`endif
`ifdef FORMAL_tpt_epoch
  `include "tpt_epoch.svh"
`endif

endmodule
