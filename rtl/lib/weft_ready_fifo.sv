// SPDX-License-Identifier: BSD-2-Clause

/// Ready set of N members without a vector over them: a member is inside at most once, and members come
/// out in the order in which they went in. An insert every cycle, never refused; a take every cycle; two
/// cycles from an insert to the output of an empty set.
///
/// Contract: an insert behind the take of its member (a later cycle) enters again. One in the cycle
/// of the take or before it may be merged with what was taken; so who inserts has made the
/// member's news readable by the end of that cycle, and who takes reads them after.
///
/// Member q is inside while A[q] and B[q] differ. A is written by the side that inserts, B by the side that
/// takes, so each is a block RAM with one write port. They are cleared in N cycles behind the reset.
module weft_ready_fifo #(
  parameter int unsigned N = 64,  ///< members, a power of two, 2 to 262,144
  localparam int unsigned IdW = $clog2(N)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  output logic           ready_o,       ///< registered: cleared. Before that nothing may be inserted

  input  logic           ins_valid_i,   ///< no ready: always taken
  input  logic [IdW-1:0] ins_id_i,

  output logic           out_valid_o,   ///< registered
  input  logic           out_ready_i,
  output logic [IdW-1:0] out_id_o,

  output logic [IdW:0]   count_o,       ///< members in the queue; one that came in a cycle ago is not yet
  output logic           idle_o,        ///< nothing inside, nothing offered, and cleared
  output logic           stat_enter_o,  ///< pulse: a member entered
  output logic           stat_merge_o   ///< pulse: a member that was inside was inserted again
);

  // ---------------------------------------------------------------- clearing
  logic           clear_q;
  logic [IdW-1:0] at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      at_q    <= '0;
    end else if (clear_q) begin
      clear_q <= at_q != '1;
      at_q    <= at_q + 1'b1;
    end
  end
  assign ready_o = !clear_q;

  // ---------------------------------------------------------------- insert: read, then decide
  logic           v_q, same_q, fwd_q;
  logic [IdW-1:0] id_q;
  logic           a_ram, a, b, enter, take, out_a;

  // The insert before this one may have written A while it was read. A take in the cycle of the read
  // is not seen, as the contract allows.
  assign a     = same_q ? fwd_q : a_ram;
  assign enter = v_q && a == b;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= 1'b0;
    else v_q <= ins_valid_i && !clear_q;
  end
  always_ff @(posedge clk_i) begin
    if (ins_valid_i) begin
      id_q   <= ins_id_i;
      same_q <= enter && ins_id_i == id_q;
      fwd_q  <= !a;
    end
  end

  weft_ram_1r1w #(.W(1), .DEPTH(N)) u_a (
    .clk_i, .we_i(clear_q || enter), .waddr_i(clear_q ? at_q : id_q), .wdata_i(!clear_q && !a),
    .re_i(ins_valid_i), .raddr_i(ins_id_i), .rdata_o(a_ram)
  );
  weft_ram_1r1w #(.W(1), .DEPTH(N)) u_b (
    .clk_i, .we_i(clear_q || take), .waddr_i(clear_q ? at_q : out_id_o), .wdata_i(!clear_q && out_a),
    .re_i(ins_valid_i), .raddr_i(ins_id_i), .rdata_o(b)
  );

  // ---------------------------------------------------------------- queue: at most N members, so always room
  logic room;
  weft_fifo #(.W(IdW + 1), .DEPTH(N)) u_queue (
    .clk_i, .rst_ni, .in_valid_i(enter), .in_ready_o(room), .in_data_i({id_q, !a}),
    .out_valid_o, .out_ready_i, .out_data_o({out_id_o, out_a}), .count_o
  );
  assign take         = out_valid_o && out_ready_i;
  assign idle_o       = !clear_q && !ins_valid_i && !v_q && count_o == '0;
  assign stat_enter_o = enter;
  assign stat_merge_o = v_q && !enter;

`ifdef FORMAL_ready_fifo
  `include "ready_fifo.svh"
`endif

`ifndef SYNTHESIS
  initial if (N < 2 || (N & (N - 1)) != 0 || N > 262144) $fatal(1, "weft_ready_fifo: N");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(enter && !room)) else $error("%m: a member has no room");
      assert (!(ins_valid_i && clear_q)) else $error("%m: an insert before it is cleared");
    end
  end
`else
  logic unused;
  assign unused = room;
`endif

endmodule
