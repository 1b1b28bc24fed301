// SPDX-License-Identifier: BSD-2-Clause

/// Timer wheel: one timer for each of N objects, driven by `now_ns_i` alone. Slots of a tick
/// (2^TICK_SHIFT ns) hold doubly linked lists; a bitmap of occupied slots replaces scanning, so a
/// wheel without due timers does nothing, and time may jump by any amount.
///
/// A timer fires at the first tick boundary not before its deadline: never early, late by less than a
/// tick plus the time to handle what fires before it. One that is set when its deadline has passed
/// already fires at the next tick. Deadlines beyond the wheel wait in its last
/// slot and are put in again; moving a deadline later is only noted (lazy re-arm), so setting the
/// timer of a running object again costs three cycles.
///
/// After a cancel was taken, a fire of that timer that is already on its way may still come out. Set
/// and cancel are taken while `fire_ready_i` is low.
module weft_timer #(
  parameter int unsigned N = 16,           ///< timers, 2 or more
  parameter int unsigned TICK_SHIFT = 16,  ///< log2 of a tick in ns, 1 to 32
  parameter int unsigned SLOTS = 64,       ///< a power of two, 16 to 1024
  localparam int unsigned IdW = $clog2(N)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [63:0]    now_ns_i,           ///< never goes back

  input  logic           set_valid_i,
  output logic           set_ready_o,
  input  logic           set_cancel_i,       ///< stop instead of set
  input  logic [IdW-1:0] set_id_i,
  input  logic [63:0]    set_deadline_ns_i,  ///< replaces an earlier deadline of this timer

  output logic           fire_valid_o,       ///< the timer has run out and is stopped
  input  logic           fire_ready_i,
  output logic [IdW-1:0] fire_id_o,

  output logic           deadline_valid_o,
  output logic [63:0]    deadline_ns_o,      ///< nothing fires before; there may be nothing then
  output logic           idle_o              ///< nothing due and nothing under way
);

  localparam int unsigned SlotW = $clog2(SLOTS);
  localparam int unsigned TickW = 64 - TICK_SHIFT;
  localparam int unsigned Groups = SLOTS / 16;
  localparam int unsigned GroupW = Groups > 1 ? $clog2(Groups) : 1;

  typedef enum logic [4:0] {
    StInit, StIdle, StSetRead, StSetCompare, StUnlink, StInsSlot, StInsHead, StInsert, StInsBack,
    StPopHead, StPopRead, StPop, StFind, StFindAny, StFindGroup, StFindBits, StFindBit, StFindSlot
  } state_e;

  state_e           state_q;
  logic [TickW-1:0] now_q;        // current tick
  logic [TickW-1:0] cur_q;        // every timer lies in a slot of (cur, cur + SLOTS]
  logic [TickW-1:0] next_q;       // tick of the first occupied slot
  logic [SLOTS-1:0] occ_q;
  logic             any_q, due;
  logic [IdW-1:0]   id_q, sweep_q;
  logic             cancel_q, insert_q;
  logic [TickW-1:0] want_tick_q;  // tick of the deadline, rounded up
  logic [SlotW-1:0] want_q;       // distance of the slot from cur, 1 to SLOTS - 1
  logic [TickW-1:0] before_q;     // next_q - 1, a cycle later
  logic [SLOTS-1:0] vec_q;
  logic             wrapped_q;    // vec_q is all of the wheel
  logic [Groups-1:0] some_q;      // groups of 16 slots of vec_q with an occupied one
  logic [15:0]      bits_q;
  logic [GroupW-1:0] group_q;
  logic [3:0]       bit_q;

  assign due              = any_q && next_q <= now_q;
  assign deadline_valid_o = any_q;
  assign deadline_ns_o    = {next_q, {TICK_SHIFT{1'b0}}};

  // Deadline to tick, rounded up, saturating.
  logic [64:0] round_up;
  assign round_up = {1'b0, set_deadline_ns_i} + ((65'd1 << TICK_SHIFT) - 65'd1);

  // ------------------------------------------------ memories
  logic             rec_we, q_we, nx_we, pv_we, hd_we, item_re, hd_re;
  logic [IdW-1:0]   rec_wa, nx_wa, pv_wa, item_ra;
  logic [TickW:0]   rec_wd, rec;     // armed, tick
  logic [SlotW:0]   q_wd, q;         // in a list, slot
  logic [IdW-1:0]   nx_wd, nx, pv_wd, pv, hd_wd, hd;  // next of the last and prev of the first: itself
  logic [SlotW-1:0] hd_wa, hd_ra;

  weft_ram_1r1w #(.W(TickW + 1), .DEPTH(N)) u_rec (
    .clk_i, .we_i(rec_we), .waddr_i(rec_wa), .wdata_i(rec_wd), .re_i(item_re), .raddr_i(item_ra),
    .rdata_o(rec)
  );
  weft_ram_1r1w #(.W(SlotW + 1), .DEPTH(N)) u_queued (
    .clk_i, .we_i(q_we), .waddr_i(rec_wa), .wdata_i(q_wd), .re_i(item_re), .raddr_i(item_ra),
    .rdata_o(q)
  );
  weft_ram_1r1w #(.W(IdW), .DEPTH(N)) u_next (
    .clk_i, .we_i(nx_we), .waddr_i(nx_wa), .wdata_i(nx_wd), .re_i(item_re), .raddr_i(item_ra),
    .rdata_o(nx)
  );
  weft_ram_1r1w #(.W(IdW), .DEPTH(N)) u_prev (
    .clk_i, .we_i(pv_we), .waddr_i(pv_wa), .wdata_i(pv_wd), .re_i(item_re), .raddr_i(item_ra),
    .rdata_o(pv)
  );
  weft_ram_1r1w #(.W(IdW), .DEPTH(SLOTS)) u_head (
    .clk_i, .we_i(hd_we), .waddr_i(hd_wa), .wdata_i(hd_wd), .re_i(hd_re), .raddr_i(hd_ra),
    .rdata_o(hd)
  );

  // ------------------------------------------------ what the item read says
  logic             armed, queued, is_head, is_tail, pop_fire, far, room;
  logic [TickW-1:0] item_tick, base, delta, goal;
  logic [SlotW-1:0] item_slot, item_dist, ins_slot_q, next_slot;
  logic             ins_occ_q;       // that slot is occupied: as it was a cycle ago

  assign {armed, item_tick}  = rec;
  assign {queued, item_slot} = q;
  assign is_tail   = nx == id_q;
  assign is_head   = pv == id_q;
  assign next_slot = next_q[SlotW-1:0];
  assign item_dist = item_slot - cur_q[SlotW-1:0];  // 0 stands for SLOTS
  assign pop_fire  = item_tick <= now_q;
  // The wheel has been overtaken by more than two turns: everything in it is due. Two, so that
  // catching up to one turn behind is not overtaken again at once.
  assign far       = (now_q - cur_q) > TickW'(2 * SLOTS);

  // Distance of a deadline from cur, as it is when the insert happens.
  assign base  = (state_q == StPop) ? before_q : cur_q;
  assign goal  = (state_q == StPop) ? item_tick : want_tick_q;
  assign delta = goal - base;

  logic [SlotW-1:0] clamped;
  always_comb begin
    if (goal <= base) clamped = SlotW'(1);
    else if (delta >= TickW'(SLOTS - 1)) clamped = SlotW'(SLOTS - 1);
    else clamped = delta[SlotW-1:0];
  end

  // First occupied slot behind cur, or of all, in small steps: a wheel has many slots, and they are
  // looked through only when the first one has become empty.
  logic [SLOTS-1:0]  behind;
  logic [Groups-1:0] some, group_from;
  logic [15:0]       bit_from;
  logic [GroupW-1:0] first_group;
  logic [3:0]        first_bit;
  logic [SlotW-1:0]  found, found_dist;

  always_comb begin
    behind = ~(SLOTS'(1)) << cur_q[SlotW-1:0];
    for (int unsigned g = 0; g < Groups; g++) some[g] = vec_q[16*g+:16] != '0;
    // Ones from the first on, in doubling steps; where they begin is the first.
    group_from = some_q;
    for (int unsigned n = 1; n < Groups; n = 2 * n) group_from = group_from | (group_from << n);
    group_from = group_from & ~(group_from << 1);
    first_group = '0;
    for (int unsigned g = 0; g < Groups; g++) if (group_from[g]) first_group = first_group | GroupW'(g);
    bit_from = bits_q;
    for (int unsigned n = 1; n < 16; n = 2 * n) bit_from = bit_from | (bit_from << n);
    bit_from = bit_from & ~(bit_from << 1);
    first_bit = '0;
    for (int unsigned i = 0; i < 16; i++) if (bit_from[i]) first_bit = first_bit | 4'(i);
  end
  assign found      = SlotW'({group_q, bit_q});
  assign found_dist = found - cur_q[SlotW-1:0];     // 0 stands for SLOTS

  // ------------------------------------------------ memory ports
  always_comb begin
    item_re = state_q == StIdle || state_q == StPopRead;
    item_ra = (state_q == StIdle) ? set_id_i : hd;
    hd_re   = state_q == StIdle || state_q == StInsHead;
    hd_ra   = (state_q == StIdle) ? next_slot : ins_slot_q;

    rec_we = 1'b0;
    rec_wa = id_q;
    rec_wd = {1'b0, want_tick_q};
    q_we   = 1'b0;
    q_wd   = '0;
    nx_we  = 1'b0;
    nx_wa  = id_q;
    nx_wd  = id_q;
    pv_we  = 1'b0;
    pv_wa  = id_q;
    pv_wd  = id_q;
    hd_we  = 1'b0;
    hd_wa  = ins_slot_q;
    hd_wd  = id_q;

    unique case (state_q)
      StInit: begin
        rec_we = 1'b1;
        rec_wa = sweep_q;
        q_we   = 1'b1;
      end
      StSetCompare: begin
        rec_we = 1'b1;
        rec_wd = {!cancel_q, want_tick_q};
      end
      StUnlink: begin
        nx_we = !is_head;
        nx_wa = pv;
        nx_wd = is_tail ? pv : nx;
        pv_we = !is_tail;
        pv_wa = nx;
        pv_wd = is_head ? nx : pv;
        hd_we = is_head && !is_tail;
        hd_wa = item_slot;
        hd_wd = nx;
      end
      StInsert: begin
        nx_we = 1'b1;
        nx_wd = ins_occ_q ? hd : id_q;
        pv_we = 1'b1;
        hd_we = 1'b1;
        q_we  = 1'b1;
        q_wd  = {1'b1, ins_slot_q};
      end
      StInsBack: begin
        pv_we = 1'b1;
        pv_wa = hd;
      end
      StPop: begin
        pv_we = !is_tail;
        pv_wa = nx;
        pv_wd = nx;
        hd_we = !is_tail;
        hd_wa = next_slot;
        hd_wd = nx;
        q_we  = 1'b1;
        rec_we = armed && pop_fire;
      end
      default: ;
    endcase
  end

  // ------------------------------------------------ control
  logic take_set;
  assign set_ready_o = state_q == StIdle;
  assign take_set    = set_valid_i && set_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StInit;
      sweep_q  <= '0;
      occ_q    <= '0;
      any_q    <= 1'b0;
      insert_q <= 1'b0;
      cur_q    <= '0;
      next_q   <= '0;
      now_q    <= '0;
    end else begin
      now_q <= now_ns_i[63:TICK_SHIFT];
      unique case (state_q)
        StInit: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == IdW'(N - 1)) state_q <= StIdle;
        end

        StIdle: begin
          if (take_set) begin
            if (!due) cur_q <= now_q;
            state_q <= StSetRead;
          end else if (due && far) begin
            cur_q   <= now_q - TickW'(SLOTS);
            state_q <= StFind;
          end else if (due && room) begin
            state_q <= StPopHead;
          end
        end

        StSetRead: state_q <= StSetCompare;
        StSetCompare: begin
          if (cancel_q) state_q <= StIdle;
          else if (!queued) state_q <= StInsHead;
          else if (item_dist != '0 && item_dist <= want_q) state_q <= StIdle;
          else state_q <= StUnlink;
        end
        StUnlink: begin
          // If this empties the first slot, the insert that follows makes an earlier one.
          if (is_head && is_tail) occ_q[item_slot] <= 1'b0;
          state_q <= StInsHead;
        end

        StInsSlot: state_q <= StInsHead;
        StInsHead: state_q <= StInsert;
        StInsert: begin
          occ_q[ins_slot_q] <= 1'b1;
          any_q           <= 1'b1;
          if (!any_q || cur_q + TickW'(want_q) < next_q) next_q <= cur_q + TickW'(want_q);
          insert_q <= 1'b0;
          state_q  <= ins_occ_q ? StInsBack : StIdle;
        end
        StInsBack: state_q <= StIdle;

        StPopHead: state_q <= StPopRead;
        StPopRead: state_q <= StPop;
        StPop: begin
          cur_q    <= before_q;
          insert_q <= armed && !pop_fire;
          if (is_tail) occ_q[next_slot] <= 1'b0;
          if (is_tail) state_q <= StFind;
          else state_q <= (armed && !pop_fire) ? StInsSlot : StIdle;
        end

        StFind:      state_q <= StFindAny;
        StFindAny:   state_q <= StFindGroup;
        StFindGroup: state_q <= (some_q == '0 && !wrapped_q) ? StFindAny : StFindBits;
        StFindBits:  state_q <= StFindBit;
        StFindBit:   state_q <= StFindSlot;
        default: begin  // StFindSlot
          any_q   <= some_q != '0;
          next_q  <= cur_q + ((found_dist == '0) ? TickW'(SLOTS) : TickW'(found_dist));
          state_q <= insert_q ? StInsHead : StIdle;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_set) begin
      id_q        <= set_id_i;
      cancel_q    <= set_cancel_i;
      want_tick_q <= round_up[64] ? '1 : round_up[63:TICK_SHIFT];
    end
    if (state_q == StPopRead) id_q <= hd;
    // Behind cur and want by a cycle, and by another: every way to StInsHead takes as long.
    ins_slot_q <= cur_q[SlotW-1:0] + want_q;
    ins_occ_q  <= occ_q[ins_slot_q];
    if (state_q == StSetRead || state_q == StPop) want_q <= clamped;
    before_q <= next_q - 1'b1;
    if (state_q == StFind) begin
      vec_q     <= occ_q & behind;
      wrapped_q <= 1'b0;
    end
    some_q <= some;
    if (state_q == StFindGroup) begin
      group_q <= first_group;
      if (some_q == '0) begin
        vec_q     <= occ_q;
        wrapped_q <= 1'b1;
      end
    end
    bits_q <= vec_q[16*group_q+:16];
    bit_q  <= first_bit;
  end

  // ------------------------------------------------ what fires
  logic [2:0] fires;
  weft_fifo #(.W(IdW), .DEPTH(4)) u_fire (
    .clk_i, .rst_ni,
    .in_valid_i(state_q == StPop && armed && pop_fire), .in_ready_o(room), .in_data_i(id_q),
    .out_valid_o(fire_valid_o), .out_ready_i(fire_ready_i), .out_data_o(fire_id_o), .count_o(fires)
  );

  assign idle_o = state_q == StIdle && !due && fires == '0 && !set_valid_i;

  logic unused;
  assign unused = ^{round_up[TICK_SHIFT-1:0], now_ns_i[TICK_SHIFT-1:0]};

`ifndef SYNTHESIS
  initial begin
    if (SLOTS < 16 || SLOTS > 1024 || (SLOTS & (SLOTS - 1)) != 0) $fatal(1, "weft_timer: SLOTS");
    if (TICK_SHIFT < 1 || TICK_SHIFT > 32) $fatal(1, "weft_timer: TICK_SHIFT");
    if (N < 2) $fatal(1, "weft_timer: N");
  end
`endif

endmodule
