// SPDX-License-Identifier: BSD-2-Clause

/// The clock hand of room ctx: goes over the slots, a slot every cycle in which it may look, and names
/// those that have no pin and were not used since it last came by. What it names may have been taken
/// meanwhile; the directory decides.
///
/// "Was used" is read off the count of pins that were ever taken: it differs from what the hand saw.
module weft_ctx_hand #(
  parameter int unsigned QP_W = 10,      ///< bits of a QPN
  parameter int unsigned N_SLOT = 256,   ///< power of two, 4 to 4096
  parameter int unsigned ROOM = 8,       ///< places of the one who takes, 4 or more
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned RoW = $clog2(ROOM + 1)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            run_i,         ///< it is looked for more
  input  logic            look_i,        ///< the counters' port is the hand's in this cycle
  input  logic [RoW-1:0]  used_i,        ///< places that are taken
  output logic [SlW-1:0]  slot_o,        ///< where it looks
  output logic            step_o,        ///< it looks there in this cycle

  input  logic [QP_W:0]   info_i,        ///< a cycle behind step_o: a connection is in the slot, and which
  input  logic [11:0]     taken_i,       ///< likewise: pins that were ever taken
  input  logic [11:0]     dropped_i,     ///< two cycles behind it: those that were dropped

  output logic            cand_o,        ///< pulse, always taken: ROOM says so
  output logic [QP_W-1:0] cand_qpn_o,
  output logic            at_valid_o,    ///< pulse: what was found at a slot
  output logic [SlW-1:0]  at_slot_o,
  output logic            at_pinned_o,   ///< a connection is in it, with pins
  output logic [QP_W-1:0] at_qpn_o,
  output logic            idle_o
);

  logic [2:0]            v_q;
  logic [2:0][SlW-1:0]   at_q;
  logic [1:0][QP_W:0]    info_q;
  logic [1:0][11:0]      taken_q, seen_q;
  logic [11:0]           seen, sum_q;
  logic [SlW-1:0]        hand_q;

  assign step_o = run_i && look_i
                  && used_i + RoW'(v_q[0]) + RoW'(v_q[1]) + RoW'(v_q[2]) + RoW'(cand_o) < RoW'(ROOM);
  assign slot_o = hand_q;
  weft_ram_1r1w #(.W(12), .DEPTH(N_SLOT)) u_seen (
    .clk_i, .we_i(v_q[2]), .waddr_i(at_q[2]), .wdata_i(taken_q[1]), .re_i(step_o), .raddr_i(hand_q), .rdata_o(seen)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hand_q <= '0;
      v_q    <= '0;
      cand_o <= 1'b0;
    end else begin
      v_q <= {v_q[1:0], step_o};
      if (step_o) hand_q <= hand_q + SlW'(1);
      cand_o <= v_q[2] && info_q[1][QP_W] && taken_q[1] == sum_q && taken_q[1] == seen_q[1];
    end
  end
  always_ff @(posedge clk_i) begin
    at_q       <= {at_q[1:0], hand_q};
    info_q     <= {info_q[0], info_i};
    taken_q    <= {taken_q[0], taken_i};
    seen_q     <= {seen_q[0], seen};
    sum_q      <= dropped_i;
    cand_qpn_o <= info_q[1][QP_W-1:0];
  end
  assign at_valid_o  = v_q[2];
  assign at_slot_o   = at_q[2];
  assign at_pinned_o = info_q[1][QP_W] && taken_q[1] != sum_q;
  assign at_qpn_o    = info_q[1][QP_W-1:0];
  assign idle_o = v_q == '0 && !cand_o;

endmodule
