// SPDX-License-Identifier: BSD-2-Clause
/// weft_ctx_pipe under an engine of the plainest kind, to show how one is made: a context of two words
/// in block RAM (sum, items), read at the head, written in the stage before the release; within a
/// visit the state comes from a loop of two registers, as the RAM is not written yet.
/// Ports: 0 items in (slot in bits 11:0, value in 43:12), 1 what leaves (slot, value, cont, sum, count),
/// 2 pulses: bits 11:0 slot and 12 release, 13 busy answer, 25:14 the slot asked, 26 idle, 27 last,
/// 28 stall, 29 head, 3 questions.
module tb #(
  parameter int DATA_W = 64,
  parameter int SLOT_W = 4,
  parameter int STAGES = 8,
  parameter int WAIT = 8,
  parameter int RUN_MAX = 8
) (
  input logic clk_i,
  input logic rst_ni
);
  logic              iv, ir, go, st_valid, st_cont, st2_last, rel_valid, busy, idle;
  logic [43:0]       in;
  logic [SLOT_W-1:0] st_slot, rel_slot, ask, ask_q;
  logic [31:0]       st_item;
  logic              stat_item, stat_visit, stat_wait, stat_stall;

  tb_src_item #(.ID(0), .W(44)) u_src (.clk_i, .rst_ni, .valid_o(iv), .ready_i(ir), .data_o(in));
  weft_ctx_pipe #(.SLOT_W(SLOT_W), .ITEM_W(32), .STAGES(STAGES), .WAIT(WAIT), .RUN_MAX(RUN_MAX)) u_pipe (
    .clk_i, .rst_ni, .in_valid_i(iv), .in_ready_o(ir), .in_slot_i(in[SLOT_W-1:0]), .in_item_i(in[43:12]),
    .go_i(go), .st_valid_o(st_valid), .st_slot_o(st_slot), .st_item_o(st_item), .st_cont_o(st_cont),
    .st2_last_o(st2_last), .rel_valid_o(rel_valid), .rel_slot_o(rel_slot),
    .busy_slot_i(ask), .busy_o(busy), .idle_o(idle),
    .stat_item_o(stat_item), .stat_visit_o(stat_visit), .stat_wait_o(stat_wait), .stat_stall_o(stat_stall)
  );

  // ---------------------------------------------------------------- the engine
  // Stage 1: the context is there, from the RAM or from the item two before. Stage 2: the new one.
  logic [STAGES-1:1]             v_q;
  logic [STAGES-1:1][SLOT_W-1:0] slot_q;
  logic [31:0]                   item1_q;
  logic                          cont1_q;
  logic [63:0]                   read1, now1;
  logic [STAGES-1:2][63:0]       ctx_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= '0;
    else v_q <= (STAGES - 1)'({v_q, st_valid});
  end
  always_ff @(posedge clk_i) begin
    slot_q  <= ((STAGES - 1) * SLOT_W)'({slot_q, st_slot});
    item1_q <= st_item;
    cont1_q <= st_cont;
    ctx_q   <= ((STAGES - 2) * 64)'({ctx_q, now1[63:32] * 32'd31 + item1_q, now1[31:0] + 32'd1});
    loop_q  <= ctx_q[2];
  end
  // Stage 1 of an item that goes on is stage 3 of the one before it.
  logic [63:0] loop_q;
  assign now1 = cont1_q ? loop_q : read1;
  weft_ram_1r1w #(.W(64), .DEPTH(1 << SLOT_W)) u_ctx (
    .clk_i, .we_i(clear_q || v_q[STAGES-1]), .waddr_i(clear_q ? at_q : slot_q[STAGES-1]),
    .wdata_i(clear_q ? 64'd0 : ctx_q[STAGES-1]), .re_i(st_valid), .raddr_i(st_slot), .rdata_o(read1)
  );
  // Sweep behind the reset; nobody enters before.
  logic              clear_q;
  logic [SLOT_W-1:0] at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      at_q    <= '0;
    end else if (clear_q) begin
      at_q    <= at_q + 1'b1;
      clear_q <= at_q != '1;
    end
  end
  logic [31:0] item2_q;
  logic        cont2_q;
  always_ff @(posedge clk_i) begin
    item2_q <= item1_q;
    cont2_q <= cont1_q;
  end
  tb_snk_pulse #(.ID(1), .W(12 + 32 + 1 + 64)) u_out (
    .clk_i, .rst_ni, .valid_i(v_q[2]),
    .data_i({ctx_q[2], cont2_q, item2_q, 12'(slot_q[2])})
  );

  // ---------------------------------------------------------------- go, questions, pulses
  import "DPI-C" function int pipe_go();
  import "DPI-C" function int pipe_ask();
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      go  <= 1'b0;
      ask <= '0;
    end else begin
      go  <= pipe_go() != 0 && !clear_q;
      ask <= SLOT_W'(pipe_ask());
    end
    ask_q <= ask;
  end
  tb_snk_pulse #(.ID(2), .W(48)) u_pulse (
    .clk_i, .rst_ni, .valid_i(1'b1),
    .data_i({stat_wait, stat_visit, stat_item, go, 12'(in[SLOT_W-1:0]), iv && ir, iv, st_valid, stat_stall, st2_last, idle,
             12'(ask_q), busy, rel_valid, 12'(rel_slot)})
  );
  logic unused;
  assign unused = DATA_W != 0;
endmodule
