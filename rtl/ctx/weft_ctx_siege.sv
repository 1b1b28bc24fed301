// SPDX-License-Identifier: BSD-2-Clause

/// Who keeps a slot that others wait for. What is acknowledged is the peer's to say, so a connection with log records may keep its pins for as
/// long as its peer likes; with enough of them nobody else comes home, or begins to send. While others wait (wait_i) the clock hand says of
/// each slot whether it is pinned. When somebody has waited in each of LIMIT windows of 2^SHIFT ns in a row, who was pinned all that
/// time, had no byte acknowledged and delivered none is named: firmware ends it, and says why. One at a time, REST cycles apart, as what
/// is freed may be enough. Nobody is named while nobody waits, nor who moved.
///
/// Windows are numbered with 8 bits, so somebody who stood still for 256 of them may look as if he had moved, for LIMIT windows.
module weft_ctx_siege #(
  parameter int unsigned QP_W = 10,      ///< bits of a QPN
  parameter int unsigned N_SLOT = 256,   ///< power of two, 4 to 4096
  parameter int unsigned SHIFT = 27,     ///< log2 of a window in ns, up to 55
  parameter int unsigned LIMIT = 64,     ///< windows, 2 to 128
  parameter int unsigned REST = 65535,   ///< cycles, up to 65,535
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [63:0]     now_ns_i,
  input  logic            wait_i,        ///< somebody waits for a slot in this cycle, or for one who keeps it
  output logic            look_o,        ///< the hand is to go round

  input  logic            at_valid_i,    ///< pulse: the hand was at a slot
  input  logic [SlW-1:0]  at_slot_i,
  input  logic            at_pinned_i,   ///< a connection is in it, and pinned
  input  logic [QP_W-1:0] at_qpn_i,
  input  logic            set_i,         ///< pulse: a connection came into a slot
  input  logic [SlW-1:0]  set_slot_i,
  input  logic            ack_i,         ///< pulse: what is acknowledged of a slot's stream
  input  logic [SlW-1:0]  ack_slot_i,
  input  logic [31:0]     ack_una_i,
  input  logic            move_i,        ///< pulse: bytes were delivered
  input  logic [SlW-1:0]  move_slot_i,

  output logic            held_valid_o,
  input  logic            held_ready_i,
  output logic [QP_W-1:0] held_qpn_o,
  output logic            stat_held_o    ///< pulse: one was named
);

  // ---------------------------------------------------------------- for how long somebody has waited
  localparam int unsigned CntW = $clog2(LIMIT + 1);
  logic [7:0]      win, win_q;
  logic [CntW-1:0] row_q;       // windows in a row in which somebody waited
  logic            seen_q, turn;
  assign win    = now_ns_i[SHIFT+:8];
  assign turn   = win != win_q;
  assign look_o = row_q != '0 || seen_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      win_q  <= '0;
      row_q  <= '0;
      seen_q <= 1'b0;
    end else begin
      win_q  <= win;
      seen_q <= wait_i || (seen_q && !turn);
      if (turn) row_q <= !seen_q ? '0 : row_q == CntW'(LIMIT) ? row_q : row_q + CntW'(1);
    end
  end

  // ---------------------------------------------------------------- when a slot moved
  // Three who write, so three memories: free or fresh, acknowledged, delivered.
  logic           ack_q, ack_new;
  logic [SlW-1:0] ack_slot_q, clr_q;
  logic [31:0]    una_q, una_was;
  logic           clear_q, fresh_we;
  logic [7:0]     fresh, acked, moved;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ack_q   <= 1'b0;
      clear_q <= 1'b1;
      clr_q   <= '0;
    end else begin
      ack_q   <= ack_i;
      clear_q <= clear_q && clr_q != '1;
      clr_q   <= clr_q + SlW'(1);
    end
  end
  always_ff @(posedge clk_i) begin
    ack_slot_q <= ack_slot_i;
    una_q      <= ack_una_i;
  end
  assign ack_new  = ack_q && una_q != una_was;
  assign fresh_we = clear_q || set_i || (at_valid_i && !at_pinned_i) || tell;
  weft_ram_1r1w #(.W(32), .DEPTH(N_SLOT)) u_una (
    .clk_i, .we_i(ack_q), .waddr_i(ack_slot_q), .wdata_i(una_q), .re_i(ack_i), .raddr_i(ack_slot_i), .rdata_o(una_was)
  );
  weft_ram_1r1w #(.W(8), .DEPTH(N_SLOT)) u_acked (
    .clk_i, .we_i(ack_new), .waddr_i(ack_slot_q), .wdata_i(win), .re_i(at_valid_i), .raddr_i(at_slot_i), .rdata_o(acked)
  );
  weft_ram_1r1w #(.W(8), .DEPTH(N_SLOT)) u_moved (
    .clk_i, .we_i(move_i), .waddr_i(move_slot_i), .wdata_i(win), .re_i(at_valid_i), .raddr_i(at_slot_i), .rdata_o(moved)
  );
  weft_ram_1r1w #(.W(8), .DEPTH(N_SLOT)) u_fresh (
    .clk_i, .we_i(fresh_we), .waddr_i(clear_q ? clr_q : set_i ? set_slot_i : tell ? slot_q : at_slot_i), .wdata_i(win),
    .re_i(at_valid_i), .raddr_i(at_slot_i), .rdata_o(fresh)
  );

  // ---------------------------------------------------------------- who is named
  logic            v_q, old, tell, held_q;
  logic [SlW-1:0]  slot_q;
  logic [QP_W-1:0] qpn_q, held_qpn_q;
  logic [15:0]     rest_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= 1'b0;
    else v_q <= at_valid_i && at_pinned_i;
  end
  always_ff @(posedge clk_i) begin
    slot_q <= at_slot_i;
    qpn_q  <= at_qpn_i;
  end
  function automatic logic stood(input logic [7:0] since, input logic [7:0] now);
    logic [7:0] age;
    age   = now - since;
    stood = age >= 8'(LIMIT);
  endfunction
  assign old  = stood(fresh, win) && stood(acked, win) && stood(moved, win);
  // What moves or comes in this very cycle is looked at in the next round.
  assign tell = v_q && old && row_q == CntW'(LIMIT) && !held_q && rest_q == '0 && !set_i && !ack_new && !move_i
                && !(at_valid_i && !at_pinned_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      rest_q <= '0;
    end else begin
      held_q <= tell || (held_q && !held_ready_i);
      if (tell) rest_q <= 16'(REST);
      else if (rest_q != '0 && !held_q) rest_q <= rest_q - 16'd1;
    end
  end
  always_ff @(posedge clk_i) if (tell) held_qpn_q <= qpn_q;
  assign held_valid_o = held_q;
  assign held_qpn_o   = held_qpn_q;
  assign stat_held_o  = tell;

  logic unused;
  assign unused = ^now_ns_i;

`ifndef SYNTHESIS
  initial begin
    if (LIMIT < 2 || LIMIT > 128) $fatal(1, "weft_ctx_siege: LIMIT");
    if (SHIFT > 55 || REST > 65535) $fatal(1, "weft_ctx_siege: SHIFT");
  end
`endif

endmodule
