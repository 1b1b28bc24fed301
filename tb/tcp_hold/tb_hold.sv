// SPDX-License-Identifier: BSD-2-Clause
/* verilator lint_off PINCONNECTEMPTY */

/// weft_tcp_hold between two C models. What is taken at the front is told as it is taken, so both ends have their cycle.
module tb #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_FLOW = DATA_W == 64 ? 2 : DATA_W == 128 ? 4 : 8,
  parameter int unsigned EACH = DATA_W == 64 ? 4 : 8
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function longint tb_now();
  import "DPI-C" function int hold_crowded();
  import "DPI-C" function void tb_sv_fail(input string what);
  logic [63:0] now;
  logic        crowded;
  always @(posedge clk_i) begin
    now     <= tb_now();
    crowded <= hold_crowded() != 0;
  end

  logic iv, ir, ov, orr, opv, idle, held, next, over;
  logic [11:0] ops;
  weft_dp_pkg::rx_seg_t in, out;
  tb_src_item #(.ID(0), .W(815)) u_in (.clk_i, .rst_ni, .valid_o(iv), .ready_i(ir), .data_o(in));
  tb_snk_item #(.ID(1), .W(815)) u_out (.clk_i, .rst_ni, .valid_i(ov), .ready_o(orr), .data_i(out));
  tb_snk_pulse #(.ID(2), .W(32)) u_took (.clk_i, .rst_ni, .valid_i(iv && ir), .data_i(in.ack));
  tb_src_item #(.ID(3), .W(12)) u_open (.clk_i, .rst_ni, .valid_o(opv), .ready_i(1'b1), .data_o(ops));
  tb_snk_pulse #(.ID(4), .W(4)) u_stat (.clk_i, .rst_ni, .valid_i(held || next || over || idle), .data_i({idle, over, next, held}));
  weft_tcp_hold #(.N_FLOW(N_FLOW), .EACH(EACH), .N_TRACK(DATA_W == 64 ? 8 : 16), .BLOCK_LOG2(9), .SHARE(32), .MOST(48), .TICKS(4)) u_dut (
    .clk_i, .rst_ni, .now_ns_i(now), .crowded_i(crowded), .open_valid_i(opv), .open_slot_i(ops), .in_valid_i(iv), .in_ready_o(ir),
    .in_i(in), .out_valid_o(ov), .out_ready_i(orr), .out_o(out), .drain_o(), .idle_o(idle), .stat_held_o(held), .stat_next_o(next), .stat_over_o(over)
  );
  // With nothing held a segment passes in its own cycle, or is the first that is held.
  always @(posedge clk_i) begin
    if (rst_ni && iv && idle && !held && !(ov && ir == orr && out === in)) tb_sv_fail("a segment does not pass an empty hold in its own cycle");
  end
endmodule
