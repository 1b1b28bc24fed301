// SPDX-License-Identifier: BSD-2-Clause

/// Doorbells of N queues: takes one a cycle, always, and keeps per queue the consumer index, the arm
/// request and the wish to be looked at. A queue waits at most once in the list of those to look at,
/// so nothing overflows however fast doorbells come. One that is not home (weft_ctx_store) goes to the
/// end of the list when it is its turn.
module weft_cq_db #(
  parameter int unsigned N = 16,          ///< queues, a power of two, 2 or more
  parameter bit          LOOK_ALWAYS = 0, ///< look at a queue after each doorbell, not only after arms
  localparam int unsigned IdW = $clog2(N)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [N-1:0]   home_i,
  output logic [N-1:0]   want_o,       ///< those in the list

  input  logic           db_valid_i,
  input  logic [IdW-1:0] db_id_i,
  input  logic [23:0]    db_index_i,
  input  logic [1:0]     db_arm_i,     ///< enum arm

  output logic           look_valid_o, ///< a queue to look at
  input  logic           look_ready_i,
  output logic [IdW-1:0] look_id_o,

  input  logic           re_i,         ///< read the state of a queue; it is valid from the next cycle
  input  logic [IdW-1:0] rid_i,
  output logic [23:0]    ci_o,         ///< consumer index
  output logic           seen_o,       ///< ci_o is valid: there was a doorbell since the reset of the queue
  output logic           next_o,       ///< armed for the next entry
  output logic           solicited_o,  ///< armed for the next solicited entry

  input  logic           clear_arm_i,  ///< the queue has fired; a doorbell of the same cycle wins
  input  logic           reset_i,      ///< the queue begins anew
  input  logic [IdW-1:0] wid_i,        ///< queue of clear_arm_i and reset_i
  output logic           busy_o        ///< a doorbell or a queue to look at is inside
);

  logic [N-1:0]   next_q, sol_q, seen_q, listed_q;
  logic           v1_q, list, look_pop, head_valid, turn;
  logic [IdW-1:0] id1_q;
  logic [1:0]     arm1_q;
  logic [23:0]    index1_q;
  logic [IdW:0]   listed;
  logic           list_room;

  // One register in front of the per-queue bits.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v1_q <= 1'b0;
    else v1_q <= db_valid_i;
  end
  always_ff @(posedge clk_i) begin
    id1_q    <= db_id_i;
    arm1_q   <= db_arm_i;
    index1_q <= db_index_i;
  end

  weft_ram_1r1w #(.W(24), .DEPTH(N)) u_ci (
    .clk_i, .we_i(v1_q), .waddr_i(id1_q), .wdata_i(index1_q), .re_i, .raddr_i(rid_i), .rdata_o(ci_o)
  );

  assign list     = v1_q && !listed_q[id1_q] && (LOOK_ALWAYS || arm1_q != weft_abi_pkg::ARM_NONE);
  assign want_o       = listed_q;
  assign look_valid_o = head_valid && home_i[look_id_o];
  assign look_pop     = look_valid_o && look_ready_i;
  assign turn         = head_valid && !home_i[look_id_o] && !list && list_room;

  weft_fifo #(.W(IdW), .DEPTH(N)) u_list (
    .clk_i, .rst_ni, .in_valid_i(list || turn), .in_ready_o(list_room), .in_data_i(turn ? look_id_o : id1_q),
    .out_valid_o(head_valid), .out_ready_i(look_pop || turn), .out_data_o(look_id_o), .count_o(listed)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q   <= '0;
      sol_q    <= '0;
      seen_q   <= '0;
      listed_q <= '0;
    end else begin
      if (clear_arm_i || reset_i) begin
        next_q[wid_i] <= 1'b0;
        sol_q[wid_i]  <= 1'b0;
      end
      if (reset_i) seen_q[wid_i] <= 1'b0;
      if (look_pop) listed_q[look_id_o] <= 1'b0;
      if (v1_q) begin
        seen_q[id1_q] <= 1'b1;
        if (arm1_q == weft_abi_pkg::ARM_NEXT) next_q[id1_q] <= 1'b1;
        if (arm1_q == weft_abi_pkg::ARM_SOLICITED) sol_q[id1_q] <= 1'b1;
        if (list) listed_q[id1_q] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (re_i) begin
      seen_o      <= seen_q[rid_i];
      next_o      <= next_q[rid_i];
      solicited_o <= sol_q[rid_i];
    end
  end

  assign busy_o = v1_q || listed != '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && list) assert (list_room);
  end
`endif

endmodule
