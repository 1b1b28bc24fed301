// SPDX-License-Identifier: BSD-2-Clause

/// Head of a context pipeline: lets items into an engine of fixed stages so that a context is in it
/// once. The engine reads the context when its item is at the head, and writes it before the release;
/// so nothing is ever forwarded, and a new context can enter every cycle.
///
/// An item is at the head (stage 0) in one cycle, at stage k in the k-th cycle after; nothing stalls
/// inside. In a cycle the head goes to, the first that applies:
///   1. the next item of the visit whose last item was at the head two cycles before, if that item was
///      accepted no later than the cycle in which its predecessor was at the head, and the visit is
///      shorter than RUN_MAX (`st_cont_o`; the narrow state comes from the engine's own loop);
///   2. the oldest waiting item whose context is not in the pipe, and of whose context none older waits;
///   3. the item that is offered, if its context is neither in the pipe nor waiting: it is at the
///      head in the next cycle. Through the station it takes a cycle more.
/// Items of one context keep their order. The two phases, odd and even cycles, are apart: a run takes
/// every other cycle and leaves the rest to others.
///
/// A visit begins with an item that is no continuation and ends when none follows. Its context is
/// in the pipe from stage 0 of its first item up to stage STAGES - 1 of its last one: what the engine
/// writes in that stage, at the latest, the next visit reads at the head. With `go_i` held, the oldest
/// item that waits is at the head after at most STAGES + 2 * RUN_MAX cycles.
// lint: -GSLOT_W=12 -GITEM_W=128 -GSTAGES=8 -GWAIT=8 -GRUN_MAX=16
module weft_ctx_pipe #(
  parameter int unsigned SLOT_W = 8,   ///< bits of a slot number, 1 or more
  parameter int unsigned ITEM_W = 32,  ///< bits of an item, 1 or more
  parameter int unsigned STAGES = 8,   ///< cycles from the head to the release, 3 to 16
  parameter int unsigned WAIT = 8,     ///< items that wait, 2 to 32
  parameter int unsigned RUN_MAX = 8,  ///< items of a visit, 1 (no runs) to 255
  localparam int unsigned IdxW = $clog2(WAIT),
  localparam int unsigned RunW = $clog2(RUN_MAX + 1),
  // Stages that keep a context from being chosen in the next cycle; the one past them leaves by then.
  localparam logic [STAGES-2:0] Soon = (STAGES - 1)'((1 << (STAGES - 2)) - 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,
  output logic              in_ready_o,   ///< registered: there is a place
  input  logic [SLOT_W-1:0] in_slot_i,
  input  logic [ITEM_W-1:0] in_item_i,

  /// An item may be at the head in the next cycle: the engine has room for all that it can make. May
  /// be low in any cycle; a visit that would have gone on then ends. Does not wait for items.
  input  logic              go_i,

  output logic              st_valid_o,   ///< registered: an item is at the head
  output logic [SLOT_W-1:0] st_slot_o,    ///< read from LUT RAM in this cycle
  output logic [ITEM_W-1:0] st_item_o,    ///< likewise
  output logic              st_cont_o,    ///< registered: it goes on with the visit of two cycles before
  output logic              st2_last_o,   ///< registered: the item at stage 2 is the last of its visit

  output logic              rel_valid_o,  ///< registered: a visit ended STAGES cycles ago; its context is free
  output logic [SLOT_W-1:0] rel_slot_o,

  /// Asks for a slot; the answer is there a cycle later. In the cycle of the question an item of it
  /// was offered, waited, or was in the pipe.
  input  logic [SLOT_W-1:0] busy_slot_i,
  output logic              busy_o,       ///< registered
  output logic              idle_o,       ///< nothing offered, waiting, or in the pipe

  output logic              stat_item_o,  ///< pulse: an item entered
  output logic              stat_visit_o, ///< pulse: it began a visit
  output logic              stat_wait_o,  ///< pulse: an item had to wait
  output logic              stat_stall_o  ///< an item is offered and finds no place
);

  // ---------------------------------------------------------------- state
  // Every item is written to a place of the station, also one that enters at once: the head is read
  // from there. What depends on a slot number is found out once, when an item comes in.
  logic [WAIT-1:0]                    valid_q;   // an item waits here
  logic [WAIT-1:0][SLOT_W-1:0]        slot_q;
  logic [WAIT-1:0][WAIT-1:0]          elder_q;   // [i][j]: of two that wait, j came before i
  logic [WAIT-1:0][WAIT-1:0]          behind_q;  // [i][j]: j waits or is at the head, same context, came before i
  logic [WAIT-1:0][STAGES-2:1]        hit_q;     // [i][k]: the item at stage k has the context of i
  logic [WAIT-1:0]                    ready_q;   // waits, nothing of its context before it
  logic [WAIT-1:0]                    next_q;    // goes on with the visit whose item is at stage 1; one or none
  logic                               cont_q;    // there is such a one
  logic [WAIT-1:0]                    head_q;    // the place whose item is at the head; one or none
  logic [IdxW-1:0]                    idx_q;     // its number
  logic [WAIT-1:0]                    alloc_q;   // the place for the item that comes next; one or none
  logic                               room_q;    // there is one
  logic                               act_q;     // something waits or is at the head, or did a cycle ago
  logic [STAGES-1:0]                  pv_q;      // an item is at stage k
  logic [STAGES:1][SLOT_W-1:0]        pslot_q;
  logic [STAGES:2]                    last_q;    // it was the last of its visit
  logic                               st_cont_q;
  logic [1:0][RunW-1:0]               run_q;     // items of the visit so far, at stages 0 and 1

  // ---------------------------------------------------------------- what comes in meets what is there
  logic                               acc, byp, put, none, free, more, in_next;
  logic [WAIT-1:0]                    same;      // the same context as the one that comes in
  logic [STAGES-2:0]                  in_hit;    // likewise, at stage k
  logic                               in_behind;

  assign acc = in_valid_i && room_q;
  always_comb begin
    for (int unsigned j = 0; j < WAIT; j++) same[j] = slot_q[j] == in_slot_i;
    in_hit[0] = (same & head_q) != '0;
    for (int unsigned k = 1; k <= STAGES - 2; k++) in_hit[k] = pv_q[k] && pslot_q[k] == in_slot_i;
  end
  assign in_behind = (same & valid_q) != '0;
  assign free      = !in_behind && in_hit == '0;
  assign none      = !cont_q && ready_q == '0;
  assign byp       = acc && none && free && go_i;
  assign put       = acc && !byp;
  assign more      = run_q[0] != RunW'(RUN_MAX);
  assign in_next   = acc && in_hit[0] && !in_behind;

  // ---------------------------------------------------------------- who is next
  logic [WAIT-1:0] sel, follows;
  logic [IdxW-1:0] idx_d, alloc_idx;

  always_comb begin
    idx_d     = '0;
    alloc_idx = '0;
    for (int unsigned i = 0; i < WAIT; i++) begin
      sel[i] = go_i && (next_q[i] || (!cont_q && ready_q[i] && (ready_q & elder_q[i]) == '0));
      // Waits behind the one at the head and nobody else.
      follows[i] = valid_q[i] && (behind_q[i] & head_q) != '0 && (behind_q[i] & ~head_q) == '0;
      if (sel[i] || (none && alloc_q[i])) idx_d = idx_d | IdxW'(i);
      if (alloc_q[i]) alloc_idx = alloc_idx | IdxW'(i);
    end
  end

  // A place for the next one, when this one's is used.
  logic [WAIT-1:0] vacant, from;
  logic            keep;
  always_comb begin
    vacant = ~(valid_q | alloc_q);
    from   = vacant;
    for (int unsigned s = 1; s < WAIT; s = 2 * s) from = from | (from << s);
  end
  assign keep = room_q && !put;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      ready_q <= '0;
      next_q  <= '0;
      cont_q  <= 1'b0;
      head_q  <= '0;
      alloc_q <= WAIT'(1);
      room_q  <= 1'b1;
      act_q   <= 1'b0;
    end else begin
      act_q <= in_valid_i || valid_q != '0 || head_q != '0;
      if (in_valid_i || act_q) begin
        head_q  <= sel | (byp ? alloc_q : '0);
        valid_q <= (valid_q & ~sel) | (put ? alloc_q : '0);
        cont_q  <= more && (in_next || follows != '0);
        for (int unsigned i = 0; i < WAIT; i++) begin
          next_q[i]  <= more && (follows[i] || (in_next && alloc_q[i]));
          ready_q[i] <= alloc_q[i]
            ? acc && !in_behind && (in_hit & Soon) == '0 && !byp
            : valid_q[i] && !sel[i] && behind_q[i] == '0
              && (hit_q[i] & Soon[STAGES-2:1]) == '0;
        end
        alloc_q <= keep ? alloc_q : (from & ~(from << 1));
        room_q  <= keep || vacant != '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i || act_q) begin
      idx_q <= idx_d;
      for (int unsigned i = 0; i < WAIT; i++) begin
        // A place that is given out takes what is offered, whether it comes in or not.
        if (alloc_q[i]) slot_q[i] <= in_slot_i;
        elder_q[i]  <= (alloc_q[i] ? '1 : elder_q[i]) & ~alloc_q;
        behind_q[i] <= alloc_q[i] ? same & valid_q : behind_q[i] & ~head_q;
        hit_q[i]    <= (STAGES - 2)'(alloc_q[i] ? in_hit : {hit_q[i], (behind_q[i] & head_q) != '0});
      end
    end
  end

  logic [SLOT_W+ITEM_W-1:0] mem [WAIT];
  always_ff @(posedge clk_i) begin
    if (acc) mem[alloc_idx] <= {in_slot_i, in_item_i};
  end

  // ---------------------------------------------------------------- the pipe
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pv_q      <= '0;
      last_q    <= '0;
      st_cont_q <= 1'b0;
    end else begin
      pv_q      <= STAGES'({pv_q, go_i && (!none || (acc && free))});
      last_q    <= (STAGES - 1)'({last_q, pv_q[1] && !(cont_q && go_i)});
      st_cont_q <= cont_q && go_i;
    end
  end
  always_ff @(posedge clk_i) begin
    pslot_q  <= (STAGES * SLOT_W)'({pslot_q, st_slot_o});
    run_q[1] <= run_q[0];
    run_q[0] <= cont_q ? run_q[1] + 1'b1 : RunW'(1);
  end

  assign in_ready_o             = room_q;
  assign st_valid_o             = pv_q[0];
  assign {st_slot_o, st_item_o} = mem[idx_q];
  assign st_cont_o              = st_cont_q;
  assign st2_last_o             = last_q[2];
  assign rel_valid_o            = last_q[STAGES];
  assign rel_slot_o             = pslot_q[STAGES];

  // ---------------------------------------------------------------- who asks
  logic busy_d, busy_q, wait_q;
  always_comb begin
    busy_d = in_valid_i && in_slot_i == busy_slot_i;
    for (int unsigned i = 0; i < WAIT; i++) begin
      if ((valid_q[i] || head_q[i]) && slot_q[i] == busy_slot_i) busy_d = 1'b1;
    end
    for (int unsigned k = 1; k < STAGES; k++) if (pv_q[k] && pslot_q[k] == busy_slot_i) busy_d = 1'b1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b1;
      wait_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      wait_q <= put;
    end
  end
  assign busy_o       = busy_q;
  assign idle_o       = !in_valid_i && valid_q == '0 && pv_q == '0;
  assign stat_item_o  = st_valid_o;
  assign stat_visit_o = st_valid_o && !st_cont_o;
  assign stat_wait_o  = wait_q;
  assign stat_stall_o = in_valid_i && !in_ready_o;

`ifdef FORMAL_ctx_pipe
  `include "ctx_pipe.svh"
`endif

`ifndef SYNTHESIS
  initial begin
    if (SLOT_W < 1 || ITEM_W < 1) $fatal(1, "weft_ctx_pipe: SLOT_W, ITEM_W");
    if (STAGES < 3 || STAGES > 16) $fatal(1, "weft_ctx_pipe: STAGES");
    if (WAIT < 2 || WAIT > 32) $fatal(1, "weft_ctx_pipe: WAIT");
    if (RUN_MAX < 1 || RUN_MAX > 255) $fatal(1, "weft_ctx_pipe: RUN_MAX");
  end
`endif

endmodule
