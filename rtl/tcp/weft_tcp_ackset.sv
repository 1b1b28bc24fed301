// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Slots that have something to send without bytes: an ACK, or one control segment (weft_dp_pkg::due_e).
/// A slot stands in the set once, whatever was asked; of control segments the last one that was asked for counts.
///
/// Whether what was asked has been answered is told by counts of 3 bits, kept by who asks (`ask`) and copied by
/// who answers (`ans`) at the time at which it reads the slot's view: equal, it is answered. A count that is
/// raised steps over its copy, and the copy is never ahead. So a segment with bytes that leaves answers an ACK, and an
/// ACK that is asked for meanwhile stays due.
///
/// Contract: asks of one slot are 4 cycles apart at least (the conn pipe's are 8). What is asked is readable, and
/// in the set, three cycles later.
// lint: -GN_SLOT=256
module weft_tcp_ackset #(
  parameter int unsigned N_SLOT = 256,  ///< slots, a power of two, 2 to 4,096
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  output logic                      ready_o,      ///< cleared, N_SLOT cycles behind the reset

  input  logic                      due_valid_i,  ///< always taken
  input  weft_dp_pkg::ackdue_t      due_i,
  output logic                      merge_valid_o, ///< pulse: the slot was in the set; one pin too many
  output logic [11:0]               merge_slot_o,

  output logic                      out_valid_o,
  input  logic                      out_ready_i,
  output logic [SlW-1:0]            out_slot_o,

  input  logic                      rd_re_i,
  input  logic [SlW-1:0]            rd_slot_i,
  /// A cycle later: what is due, and the control segment.
  output logic                      rd_ack_o,     ///< an ACK
  output logic                      rd_pure_o,    ///< an ACK without bytes
  output logic                      rd_ctl_o,     ///< a control segment
  output weft_dp_pkg::due_e         rd_kind_o,
  output logic [63:0]               rd_off_o,
  /// In the cycle of the answer of that read: what was due then is answered: all, or only the ACK that may ride.
  input  logic                      ans_all_i,
  input  logic                      ans_ack_i,

  output logic                      idle_o
);

  // ---------------------------------------------------------------- clearing
  logic           clear_q, set_ready;
  logic [SlW-1:0] at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      at_q    <= '0;
    end else if (clear_q) begin
      clear_q <= at_q != '1;
      at_q    <= at_q + 1'b1;
    end
  end
  assign ready_o = set_ready && !clear_q;

  // ---------------------------------------------------------------- asking
  logic                 v_q, v2_q, ctl_q, pure_q;
  logic [SlW-1:0]       slot_q, slot2_q, an_slot_q;
  logic [8:0]           ask, ask_rd, ask_d, ans, ans_rd, ans_d;  // control, pure, ACK: 3 bits each
  weft_dp_pkg::due_e    kind_q;
  logic [63:0]          off_q;

  function automatic logic [2:0] step(input logic [2:0] a, input logic [2:0] b);
    logic [2:0] n;
    n    = a + 3'd1;
    step = n == b ? a + 3'd2 : n;
  endfunction

  assign ask_d[2:0] = step(ask[2:0], ans[2:0]);
  assign ask_d[5:3] = pure_q ? step(ask[5:3], ans[5:3]) : ask[5:3];
  assign ask_d[8:6] = ctl_q ? step(ask[8:6], ans[8:6]) : ask[8:6];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v_q  <= 1'b0;
      v2_q <= 1'b0;
    end else begin
      v_q  <= due_valid_i;
      v2_q <= v_q;
    end
  end
  always_ff @(posedge clk_i) begin
    slot2_q <= slot_q;
    if (due_valid_i) begin
      slot_q <= due_i.who.slot[SlW-1:0];
      ctl_q  <= due_i.kind != weft_dp_pkg::DueAck && due_i.kind != weft_dp_pkg::DuePure;
      pure_q <= due_i.kind == weft_dp_pkg::DuePure;
      kind_q <= due_i.kind;
      off_q  <= due_i.off;
    end
  end

  logic set_idle;
  // Each word has one writer and two readers.
  weft_ram_1r1w #(.W(9), .DEPTH(N_SLOT)) u_ask_a (
    .clk_i, .we_i(clear_q || v_q), .waddr_i(clear_q ? at_q : slot_q), .wdata_i(clear_q ? 9'd0 : ask_d),
    .re_i(due_valid_i), .raddr_i(due_i.who.slot[SlW-1:0]), .rdata_o(ask)
  );
  weft_ram_1r1w #(.W(9), .DEPTH(N_SLOT)) u_ask_b (
    .clk_i, .we_i(clear_q || v_q), .waddr_i(clear_q ? at_q : slot_q), .wdata_i(clear_q ? 9'd0 : ask_d),
    .re_i(rd_re_i), .raddr_i(rd_slot_i), .rdata_o(ask_rd)
  );
  weft_ram_1r1w #(.W(9), .DEPTH(N_SLOT)) u_ans_a (
    .clk_i, .we_i(clear_q || ans_all_i || ans_ack_i), .waddr_i(clear_q ? at_q : an_slot_q), .wdata_i(clear_q ? 9'd0 : ans_d),
    .re_i(due_valid_i), .raddr_i(due_i.who.slot[SlW-1:0]), .rdata_o(ans)
  );
  weft_ram_1r1w #(.W(9), .DEPTH(N_SLOT)) u_ans_b (
    .clk_i, .we_i(clear_q || ans_all_i || ans_ack_i), .waddr_i(clear_q ? at_q : an_slot_q), .wdata_i(clear_q ? 9'd0 : ans_d),
    .re_i(rd_re_i), .raddr_i(rd_slot_i), .rdata_o(ans_rd)
  );
  weft_ram_1r1w #(.W(67), .DEPTH(N_SLOT)) u_ctl (
    .clk_i, .we_i(v_q && ctl_q), .waddr_i(slot_q), .wdata_i({kind_q, off_q}),
    .re_i(rd_re_i), .raddr_i(rd_slot_i), .rdata_o({rd_kind_o, rd_off_o})
  );

  // Who takes a slot reads its words in that cycle; so they are written a cycle before it is inserted.
  weft_ready_fifo #(.N(N_SLOT)) u_set (
    .clk_i, .rst_ni, .ready_o(set_ready), .ins_valid_i(v2_q), .ins_id_i(slot2_q),
    .out_valid_o, .out_ready_i, .out_id_o(out_slot_o), .count_o(), .idle_o(set_idle), .stat_enter_o(), .stat_merge_o(merge_valid_o)
  );
  logic [SlW-1:0] merge_q;
  always_ff @(posedge clk_i) begin
    if (v2_q) merge_q <= slot2_q;
  end
  assign merge_slot_o = 12'(merge_q);
  assign idle_o       = set_idle && !due_valid_i && !v_q && !v2_q;

  // ---------------------------------------------------------------- answering
  always_ff @(posedge clk_i) if (rd_re_i) an_slot_q <= rd_slot_i;
  assign rd_ack_o  = ask_rd[2:0] != ans_rd[2:0];
  assign rd_pure_o = ask_rd[5:3] != ans_rd[5:3];
  assign rd_ctl_o  = ask_rd[8:6] != ans_rd[8:6];
  assign ans_d     = ans_all_i ? ask_rd : {ans_rd[8:3], ask_rd[2:0]};

  logic unused;
  assign unused = ^due_i;

`ifndef SYNTHESIS
  logic           was2_q;
  logic [SlW-1:0] was2_slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      was2_q <= 1'b0;
    end else begin
      was2_q <= v2_q;
    end
  end
  always_ff @(posedge clk_i) begin
    was2_slot_q <= slot2_q;
    if (rst_ni && due_valid_i) begin
      assert (ready_o) else $error("%m: asked before it is cleared");
      assert (!(v_q && slot_q == due_i.who.slot[SlW-1:0]) && !(v2_q && slot2_q == due_i.who.slot[SlW-1:0]) &&
              !(was2_q && was2_slot_q == due_i.who.slot[SlW-1:0])) else $error("%m: asks of one slot too close");
    end
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
