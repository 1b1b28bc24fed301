// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Doorbells of N queues: takes one a cycle, always, and keeps for each queue the consumer index and its
/// arms in RAM; who is to be looked at waits in a set, once. So nothing overflows however fast doorbells come.
///
/// An arm is set while its bit on this side differs from the bit that the owner of the queue's context has
/// given back (`b_*`); so each side writes memories of its own. A doorbell that arms while the owner
/// fires may be taken as answered by that, whose event leaves later. `gen` is the owner's, too: when a queue
/// begins anew it takes the one that was not rung last, and an index counts only if it was rung in the queue's.
module weft_cq_db #(
  parameter int unsigned N = 16,          ///< queues, a power of two, 2 or more
  parameter bit          LOOK_ALWAYS = 0, ///< look at a queue after each doorbell, not only after arms
  localparam int unsigned IdW = $clog2(N)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  output logic           ready_o,      ///< cleared; doorbells before that are let go

  input  logic           db_valid_i,
  input  logic [IdW-1:0] db_id_i,
  input  logic [23:0]    db_index_i,
  input  logic [1:0]     db_arm_i,     ///< enum arm

  output logic           look_valid_o, ///< a queue to look at
  input  logic           look_ready_i,
  output logic [IdW-1:0] look_id_o,

  input  logic           re_i,         ///< read what was rung for a queue; it is there in the next cycle
  input  logic [IdW-1:0] rid_i,
  output logic [23:0]    ci_o,         ///< consumer index
  output logic           gen_o,        ///< it was rung in this generation
  output logic           next_o,       ///< this side's bit of the arm for the next entry
  output logic           solicited_o,  ///< ... and for the next solicited entry

  input  logic           b_we_i,       ///< the owner's bits of a queue
  input  logic [IdW-1:0] b_id_i,
  input  logic           b_gen_i,
  input  logic           b_next_i,
  input  logic           b_sol_i,
  output logic           busy_o        ///< a doorbell or a queue to look at is inside
);

  // ---------------------------------------------------------------- clearing
  logic           clear_q, set_ready;
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
  assign ready_o = !clear_q && set_ready;

  // ---------------------------------------------------------------- 1: both sides' bits are read; 2: this side's are written
  logic           v1_q, v2_q, b_gen, b_next, b_sol, a_next, a_sol, fwd_q;
  logic [IdW-1:0] id1_q, id2_q;
  logic [23:0]    index1_q, index2_q;
  logic [1:0]     arm1_q, arm2_q;
  logic [1:0]     a_ram, a2, new3_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {v1_q, v2_q} <= '0;
    else {v1_q, v2_q} <= {db_valid_i && ready_o, v1_q};
  end
  always_ff @(posedge clk_i) begin
    id1_q    <= db_id_i;
    index1_q <= db_index_i;
    arm1_q   <= db_arm_i;
    id2_q    <= id1_q;
    index2_q <= index1_q;
    arm2_q   <= arm1_q;
    new3_q   <= a2;
    fwd_q    <= v2_q && id2_q == id1_q;
  end
  // The doorbell before this one is written while this one reads.
  assign {a_next, a_sol} = fwd_q ? new3_q : a_ram;
  assign a2[1]           = arm2_q == weft_abi_pkg::ARM_NEXT ? !b_next : a_next;
  assign a2[0]           = arm2_q == weft_abi_pkg::ARM_SOLICITED ? !b_sol : a_sol;

  weft_ram_1r1w #(.W(2), .DEPTH(N)) u_mine (
    .clk_i, .we_i(clear_q || v2_q), .waddr_i(clear_q ? at_q : id2_q), .wdata_i(clear_q ? 2'b00 : a2),
    .re_i(v1_q), .raddr_i(id1_q), .rdata_o(a_ram)
  );
  weft_ram_1r1w #(.W(3), .DEPTH(N)) u_theirs (
    .clk_i, .we_i(clear_q || b_we_i), .waddr_i(clear_q ? at_q : b_id_i), .wdata_i(clear_q ? 3'b000 : {b_gen_i, b_next_i, b_sol_i}),
    .re_i(v1_q), .raddr_i(id1_q), .rdata_o({b_gen, b_next, b_sol})
  );
  weft_ram_1r1w #(.W(27), .DEPTH(N)) u_rung (
    .clk_i, .we_i(clear_q || v2_q), .waddr_i(clear_q ? at_q : id2_q), .wdata_i(clear_q ? 27'd0 : {b_gen, a2, index2_q}),
    .re_i, .raddr_i(rid_i), .rdata_o({gen_o, next_o, solicited_o, ci_o})
  );

  // ---------------------------------------------------------------- who is to be looked at
  logic set_idle;
  weft_ready_fifo #(.N(N)) u_set (
    .clk_i, .rst_ni, .ready_o(set_ready),
    .ins_valid_i(v2_q && (LOOK_ALWAYS || arm2_q != weft_abi_pkg::ARM_NONE)), .ins_id_i(id2_q),
    .out_valid_o(look_valid_o), .out_ready_i(look_ready_i), .out_id_o(look_id_o),
    .count_o(), .idle_o(set_idle), .stat_enter_o(), .stat_merge_o()
  );
  assign busy_o = v1_q || v2_q || !set_idle;

`ifdef FORMAL_cq_db
  `include "cq_db.svh"
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
