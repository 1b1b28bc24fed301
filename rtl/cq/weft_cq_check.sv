// SPDX-License-Identifier: BSD-2-Clause

/// Decisions of weft_cq: looks at one context, its consumer index and its arms, and registers what is
/// to be done with the queue and the context to write back. Valid two cycles after `cq_i` or `eq_i`;
/// `entry_i`, `calls_i`, `hold_i` and `due_i` are looked at one cycle after that.
///
/// An arm for the next entry is held back while no more than `hold_i` entries are unread and none of them was solicited or failed (docs/moderation.md).
///
/// Context: {valid, stopped, log2, EQN or vector, base, producer index, extra, first}; extra is the index behind
/// the last solicited entry (CQ), or the events lost (EQ); first is the consumer index until the first
/// doorbell, and of a CQ the index whose entry lies at place 0 with phase 1, which a resize moves (docs/resize.md).
/// Consumer indices are modulo 2^24.
module weft_cq_check #(
  parameter int unsigned N_EQ = 8,
  localparam int unsigned CtxW = 175
) (
  input  logic            clk_i,
  input  logic            cq_i,         ///< look at a CQ
  input  logic            eq_i,         ///< look at an EQ
  input  logic [CtxW-1:0] ctx_i,
  input  logic            seen_i,       ///< ci_i is valid
  input  logic [23:0]     ci_i,         ///< consumer index of the last doorbell
  input  logic            next_i,       ///< armed for the next entry
  input  logic            solicited_i,  ///< armed for the next solicited entry
  input  logic            entry_i,      ///< there is an entry to write (else only arms are looked at)
  input  logic            calls_i,      ///< CQ: the entry is solicited or failed
  input  logic [4:0]      to_log2_i,    ///< CQ: a ring that it may go on in
  input  logic [15:0]     hold_i,       ///< CQ: the arm for the next entry waits for more unread ones than these
  input  logic            due_i,        ///< CQ: but no longer

  output logic [63:0]     addr_o,       ///< bus address of the next entry
  output logic            phase_o,      ///< its phase bit
  output logic [15:0]     aux_o,        ///< EQN or vector
  output logic            to_eq_o,      ///< aux_o is an EQN that exists
  output logic [31:0]     lost_o,       ///< EQ: events lost before
  output logic [CtxW-1:0] ctx_o,        ///< context to write back
  output logic            post_o,       ///< write the entry
  output logic            over_o,       ///< CQ: no room, it stops. EQ: no room, the event is lost
  output logic            report_o,     ///< EQ: write EQ_OVERFLOW first
  output logic            fire_o,       ///< an arm is satisfied
  output logic            hold_o,       ///< CQ: the arm for the next entry would be, and is held back
  output logic            first_o,      ///< CQ: nothing was unread in front of this
  output logic            fits_o        ///< CQ: it lives, and that ring has room for all that is unread by a doorbell
);

  // The memories behind these inputs are slow: registers first.
  logic            cq_q, eq_q, seen_q, next_q, solicited_q;
  logic [23:0]     ci_q;
  logic [CtxW-1:0] ctx_q;

  always_ff @(posedge clk_i) begin
    cq_q        <= cq_i;
    eq_q        <= eq_i;
    ctx_q       <= ctx_i;
    seen_q      <= seen_i;
    ci_q        <= ci_i;
    next_q      <= next_i;
    solicited_q <= solicited_i;
  end

  logic        valid, stopped, full, live, armed, report, post, called, enough, tell;
  logic [4:0]  log2;
  logic [15:0] aux;
  logic [63:0] base;
  logic [31:0] pi, extra, slot;
  logic [23:0] first, ci, ahead, sol_ahead, size, at;

  assign {valid, stopped, log2, aux, base, pi, extra, first} = ctx_q;

  assign ci        = seen_q ? ci_q : first;
  assign ahead     = pi[23:0] - ci;
  assign sol_ahead = extra[23:0] - ci;
  assign size      = 24'd1 << log2;
  assign full      = ahead >= size;
  assign at        = pi[23:0] - (cq_q ? first : 24'd0);
  assign slot      = 32'(at) & (32'(size) - 32'd1);
  assign live      = valid && !stopped;
  assign armed     = next_q || solicited_q;
  // What is unread has an entry that calls; is more than may be held back, with this entry if there is one.
  assign called    = entry_i ? calls_i : sol_ahead != '0 && sol_ahead <= ahead;
  assign enough    = entry_i ? ahead >= 24'(hold_i) : ahead > 24'(hold_i);
  assign tell      = called || enough || due_i;
  assign report    = valid && !full && extra != '0;
  assign post      = valid && !full && extra == '0 && entry_i;

  always_ff @(posedge clk_i) begin
    if (cq_q || eq_q) begin
      aux_o   <= aux;
      to_eq_o <= 32'(aux) < 32'(N_EQ);
      phase_o <= ~at[log2];
      lost_o  <= extra;
    end
    if (cq_q) begin
      addr_o   <= base + {27'd0, slot, 5'd0};
      post_o   <= entry_i && live && !full;
      over_o   <= entry_i && live && full;
      report_o <= 1'b0;
      fits_o   <= live && (seen_q || ahead == '0) && ahead <= (24'd1 << to_log2_i);
      fire_o   <= live && (entry_i ? !full : ahead != '0) && ((next_q && tell) || (solicited_q && called));
      hold_o   <= live && (entry_i ? !full : ahead != '0) && next_q && !tell;
      first_o  <= ahead == '0;
      ctx_o    <= {valid, full, log2, aux, base, full ? pi : pi + 32'd1,
                   (calls_i && !full) ? pi + 32'd1 : extra, first};
    end
    if (eq_q) begin
      addr_o   <= base + {26'd0, slot, 6'd0};
      post_o   <= post;
      over_o   <= valid && full && entry_i;
      report_o <= report;
      hold_o   <= 1'b0;
      fire_o   <= armed && (report || post || (valid && !entry_i && ahead != '0));
      ctx_o    <= {valid, 1'b0, log2, aux, base, (report || post) ? pi + 32'd1 : pi,
                   !full ? 32'd0 : (entry_i && extra != '1) ? extra + 32'd1 : extra, first};
    end
  end

endmodule
