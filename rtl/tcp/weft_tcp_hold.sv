// SPDX-License-Identifier: BSD-2-Clause

/// Between look-up and weft_tcp_conn: a segment that has overtaken others of its connection waits here, its frame in the frame store,
/// until what it has overtaken has come, or a time that is short beside the reordering window of a sender (RFC 8985 6.2) has
/// passed. So a frame that is late on the wire costs no duplicate ACK, no SACK block and no place in a ring. Nothing is
/// judged here: segments go on unchanged, each once, and all of RFC 9293 comes behind.
///
/// - Of the connections that were heard last it is known where the furthest segment ended that went on (NXT). One with text that begins behind NXT
///   has overtaken something. It is held; those of one connection that are held are a *flow*, sorted by sequence number.
/// - A segment that begins at NXT or in front of it goes on at once, and those of its flow that are next behind it.
/// - All of a flow goes on, in the order of its sequence numbers, when its first one has waited for TICKS, when there is no place for one more, when the frame
///   store fills, and in front of a SYN, FIN or RST and of what is far away. So what was lost keeps nobody for long, and nobody can make
///   another connection wait: who finds no flow goes on as if there were no hold, and each flow has a share.
/// - In front of one that would go before what is held and has a newer timestamp, the flow goes first: TS.Recent would be ahead of it (PAWS,
///   RFC 7323 5.3). What was overtaken on the wire has an older one or the same. So does it in front of one that would be held behind a newer timestamp (it was
///   overtaken by what was sent again): in the order of sequence numbers, which is not that in which they came, timestamps never fall.
/// - A segment without text, or without a body, goes on at once, whatever its place: only its ACK counts. But nothing goes in front of a
///   flow whose time is over, or of any while the frame store fills: who fills the wire with such segments lengthens nobody's wait.
///
/// An ACK that goes in front of held text may make that text's own ACK an old one. That is as good as any within MAX.SND.WND of SND_UNA (RFC 5961
/// 5.2); further than that, so that the text is challenged and comes again, SND_UNA moves within the wait only when more than the largest window that
/// the peer ever had is sent, and acknowledged, in 3 to 4 us: at 100 Gb/s a window below 50 KB and a round trip below the wait. So that order is kept simple.
///
/// A held segment keeps its pin, so its slot stays. When its connection has ended, weft_tcp_conn lets it go like any other and frees its
/// frame. With nothing held a segment passes in its own cycle.
module weft_tcp_hold #(
  parameter int unsigned N_FLOW = 4,      ///< connections of which something is held, power of two
  parameter int unsigned EACH = 8,        ///< segments of one, power of two
  parameter int unsigned N_TRACK = 64,    ///< connections that are known, power of two, 8 or more
  parameter int unsigned BLOCK_LOG2 = 9,  ///< log2 of the bytes of a block of the frame store
  parameter int unsigned SHARE = 32,      ///< blocks that a flow may keep
  parameter int unsigned MOST = 48,       ///< and all of them
  parameter int unsigned TICKS = 4        ///< of 1,024 ns; one of them is the one that has begun
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [63:0]           now_ns_i,
  input  logic                  crowded_i,     ///< the frame store fills: nothing is held
  input  logic                  open_valid_i,  ///< pulse: a slot has another connection
  input  logic [11:0]           open_slot_i,

  input  logic                  in_valid_i,
  output logic                  in_ready_o,
  input  weft_dp_pkg::rx_seg_t  in_i,
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output weft_dp_pkg::rx_seg_t  out_o,
  output logic                  drain_o,       ///< what is offered was held: EACH of a connection may follow each other, and none is to be let go

  output logic                  idle_o,        ///< nothing is held
  output logic                  stat_held_o,   ///< pulse: a segment is held
  output logic                  stat_next_o,   ///< one that was held goes on because it is next
  output logic                  stat_over_o    ///< a flow goes on because its time is over
);

  localparam int unsigned SegW = 815;
  localparam int unsigned FlW = $clog2(N_FLOW);
  localparam int unsigned PlW = $clog2(EACH);
  localparam int unsigned TrW = $clog2(N_TRACK);
  localparam int unsigned OneW = 32 + PlW;        // of a list: sequence number, place
  localparam int unsigned ListW = EACH * OneW;
  localparam int unsigned KnownW = 12 + 24 + 16 + 32;
  localparam int unsigned FarLog2 = 22;           // no window is as large

  function automatic logic [10:0] blocks(input logic [15:0] len);
    logic [16:0] up;
    up     = {1'b0, len} + 17'((1 << BLOCK_LOG2) - 1);
    blocks = 11'(up >> BLOCK_LOG2);
  endfunction

  // ---------------------------------------------------------------- state
  logic [KnownW-1:0]             known [N_TRACK];   // slot, QPN, tag of the peer, NXT
  logic [N_TRACK-1:0]            known_q;
  logic [ListW-1:0]              list [N_FLOW];     // lowest first
  logic [SegW-1:0]               held [N_FLOW * EACH];
  logic [N_FLOW-1:0]             fl_v_q;
  logic [N_FLOW-1:0][11:0]       fl_slot_q;
  logic [N_FLOW-1:0][PlW:0]      fl_n_q;
  logic [N_FLOW-1:0][EACH-1:0]   fl_use_q;
  logic [N_FLOW-1:0][10:0]       fl_blk_q;
  logic [N_FLOW-1:0][31:0]       fl_ts_q, fl_new_q; // oldest timestamp, newest
  logic [N_FLOW-1:0]             fl_ts_v_q;         // there is one
  logic [N_FLOW-1:0][31:0]       fl_top_q;          // highest sequence number
  logic [N_FLOW-1:0][7:0]        fl_at_q;           // since when
  logic [11:0]                   blk_q;             // of all
  logic                          drain_q, all_q, wait_q, due_q;
  logic [FlW-1:0]                dr_q, look_q;

  // ---------------------------------------------------------------- whose it is
  logic [TrW-1:0] at;
  logic [11:0]    k_slot;
  logic [23:0]    k_qpn;
  logic [15:0]    k_tag, tag;
  logic [31:0]    k_nxt, fold, stop, d, de;
  logic           mine, kept, fhit, free_v;
  logic [FlW-1:0] fi, free_f;
  assign at   = drain_q ? fl_slot_q[dr_q][TrW-1:0] : in_i.who.slot[TrW-1:0];
  assign {k_slot, k_qpn, k_tag, k_nxt} = known[at];
  assign fold = in_i.saddr[31:0] ^ in_i.saddr[63:32] ^ in_i.saddr[95:64] ^ in_i.saddr[127:96];
  // One that the look-up has taken for another's has another peer, or another port of it.
  assign tag  = fold[31:16] ^ fold[15:0] ^ in_i.sport ^ {in_i.dport[7:0], in_i.dport[15:8]};
  assign mine = known_q[at] && k_slot == in_i.who.slot && k_qpn == in_i.who.qpn && k_tag == tag;
  always_comb begin
    kept   = 1'b0;
    fhit   = 1'b0;
    fi     = '0;
    free_v = 1'b0;
    free_f = '0;
    for (int unsigned f = 0; f < N_FLOW; f++) begin
      if (fl_v_q[f] && fl_slot_q[f][TrW-1:0] == at) kept = 1'b1;
      if (fl_v_q[f] && fl_slot_q[f] == in_i.who.slot) begin
        fhit = 1'b1;
        fi   = FlW'(f);
      end
      if (!fl_v_q[N_FLOW-1-f]) begin
        free_v = 1'b1;
        free_f = FlW'(N_FLOW - 1 - f);
      end
    end
  end

  // ---------------------------------------------------------------- what becomes of it
  logic        special, far, behind, text, ahead, place, newer, elder, late, hold, flush, pass, go;
  logic [10:0] in_blk, out_blk;
  logic [EACH-1:0] over;  // those of the list that are not behind it
  logic [31:0] ts_d, new_d, top_d;
  assign special = in_i.flags[0] || in_i.flags[1] || in_i.flags[2];
  assign stop    = in_i.seq + 32'(in_i.len) + 32'(in_i.flags[0]);
  assign d       = in_i.seq - k_nxt;
  assign far     = d[31:FarLog2] != '0 && d[31:FarLog2] != '1;
  assign behind  = d[31] || d == '0;
  assign text    = in_i.len != '0 && in_i.body;
  assign in_blk  = blocks(in_i.frame_len);
  assign ahead   = mine && !far && !behind && text && !special;
  assign place   = (fhit ? fl_n_q[fi] != (PlW + 1)'(EACH) && 32'(fl_blk_q[fi]) + 32'(in_blk) <= SHARE : free_v && 32'(in_blk) <= SHARE)
                   && 32'(blk_q) + 32'(in_blk) <= MOST;
  assign ts_d    = in_i.ts_val - fl_ts_q[fi];
  assign new_d   = in_i.ts_val - fl_new_q[fi];
  assign top_d   = in_i.seq - fl_top_q[fi];
  assign newer   = in_i.ts && fl_ts_v_q[fi] && !ts_d[31] && ts_d != '0 && (behind || (text && top_d[31]));
  assign elder   = in_i.ts && fl_ts_v_q[fi] && new_d[31] && over[0];
  // What is due goes in front of what comes, or who fills every cycle would keep all from being looked at. What is offered stays so.
  assign late    = due_q && !drain_q && !wait_q;
  assign hold    = in_valid_i && !drain_q && !wait_q && !late && ahead && place && !crowded_i && !(fhit && (newer || elder));
  assign flush   = in_valid_i && !drain_q && !wait_q && !late && mine && fhit && !hold && (ahead || special || far || newer);
  assign pass    = in_valid_i && !drain_q && !late && !hold && !flush;

  // ---------------------------------------------------------------- lists
  logic [FlW-1:0]              lf, hf;
  logic [ListW-1:0]            lst, lst_in, lst_out;
  logic [EACH-1:0]             use_in;
  logic [PlW-1:0]              pl;
  logic [31:0]                 h_seq, h_d;
  logic                        can_go, pop;
  logic [EACH-1:0][31:0]       od;
  assign hf  = fhit ? fi : free_f;
  assign lf  = drain_q ? dr_q : hf;
  assign lst = list[lf];
  assign use_in = fhit ? fl_use_q[fi] : '0;
  always_comb begin
    pl = '0;
    for (int unsigned k = 0; k < EACH; k++) if (!use_in[EACH-1-k]) pl = PlW'(EACH - 1 - k);
    for (int unsigned k = 0; k < EACH; k++) begin
      od[k]   = in_i.seq - lst[OneW*k+PlW+:32];
      over[k] = fhit && (PlW + 1)'(k) < fl_n_q[fi] && !od[k][31];
    end
    lst_in  = lst;
    lst_out = lst;
    for (int unsigned k = 0; k < EACH; k++) begin
      if (!over[k]) lst_in[OneW*k+:OneW] = k == 0 || over[(k+EACH-1)%EACH] ? {in_i.seq, pl} : lst[OneW*((k+EACH-1)%EACH)+:OneW];
      lst_out[OneW*k+:OneW] = lst[OneW*((k+1)%EACH)+:OneW];
    end
  end
  assign h_seq  = lst[PlW+:32];
  assign h_d    = h_seq - k_nxt;
  assign can_go = fl_v_q[dr_q] && (all_q || h_d[31] || h_d == '0);
  assign pop    = drain_q && can_go && out_ready_i;

  assign out_o       = drain_q ? held[{dr_q, lst[PlW-1:0]}] : in_i;
  assign out_valid_o = drain_q ? can_go : pass;
  assign in_ready_o  = hold || (pass && out_ready_i);
  assign out_blk     = blocks(out_o.frame_len);
  assign go          = out_valid_o && out_ready_i;
  assign drain_o     = drain_q;

  // ---------------------------------------------------------------- NXT
  logic [31:0] o_stop;
  logic        nxt_we;
  assign o_stop = drain_q ? out_o.seq + 32'(out_o.len) : stop;
  assign de     = o_stop - k_nxt;
  // One that goes on without its text has passed nothing on.
  assign nxt_we = pop ? !de[31] : go && !in_i.flags[1] && !in_i.flags[2] && (mine ? far || (!de[31] && (behind || text || in_i.flags[0])) : !kept);
  always_ff @(posedge clk_i) begin
    if (nxt_we) known[at] <= drain_q ? {k_slot, k_qpn, k_tag, o_stop} : {in_i.who.slot, in_i.who.qpn, tag, o_stop};
    if (hold || pop) list[lf] <= pop ? lst_out : lst_in;
    if (hold) held[{hf, pl}] <= in_i;
  end
  // A slot of another connection: what is known of the last one is nothing. One of which something is held has a pin.
  logic clear;
  always_comb begin
    clear = open_valid_i;
    for (int unsigned f = 0; f < N_FLOW; f++) if (fl_v_q[f] && fl_slot_q[f][TrW-1:0] == open_slot_i[TrW-1:0]) clear = 1'b0;
    if (hold && at == open_slot_i[TrW-1:0]) clear = 1'b0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= '0;
    else begin
      if (clear) known_q[open_slot_i[TrW-1:0]] <= 1'b0;
      if (nxt_we && !drain_q) known_q[at] <= 1'b1;
    end
  end

  // ---------------------------------------------------------------- flows
  logic [7:0] age;
  logic       due, stays;
  assign age   = now_ns_i[17:10] - fl_at_q[look_q];
  assign due   = fl_v_q[look_q] && (age >= 8'(TICKS) || crowded_i);
  assign stays = out_valid_o && !out_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fl_v_q  <= '0;
      fl_n_q  <= '0;
      blk_q   <= '0;
      drain_q <= 1'b0;
      wait_q  <= 1'b0;
      due_q   <= 1'b0;
      look_q  <= '0;
    end else begin
      wait_q <= pass && !out_ready_i;
      blk_q  <= blk_q + (hold ? 12'(in_blk) : '0) - (pop ? 12'(out_blk) : '0);
      if (hold) begin
        fl_v_q[hf] <= 1'b1;
        fl_n_q[hf] <= (fhit ? fl_n_q[hf] : '0) + (PlW + 1)'(1);
      end
      if (pop) begin
        fl_v_q[dr_q] <= fl_n_q[dr_q] != (PlW + 1)'(1);
        fl_n_q[dr_q] <= fl_n_q[dr_q] - (PlW + 1)'(1);
      end
      // The time of one flow is looked at in a cycle; what is due stays there until it has gone on, also while another one goes on.
      // A drain takes a cycle behind its last segment, so none begins by what was due before.
      due_q <= due;
      if (!due) look_q <= look_q + FlW'(1);
      if (drain_q) drain_q <= can_go;
      else drain_q <= flush || (go && mine && fhit) || (due_q && !stays);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!drain_q) begin
      // What it is that goes on, in the order of `drain_q` above.
      dr_q  <= flush || (go && mine && fhit) ? fi : look_q;
      all_q <= flush || !(go && mine && fhit);
    end
    if (hold) begin
      fl_slot_q[hf] <= in_i.who.slot;
      fl_use_q[hf]  <= use_in | (EACH)'(1) << pl;
      fl_blk_q[hf]  <= (fhit ? fl_blk_q[hf] : '0) + in_blk;
      if (!fhit) fl_at_q[hf] <= now_ns_i[17:10];
      if (!fhit || in_i.ts) fl_ts_v_q[hf] <= in_i.ts;
      if (in_i.ts && (!fhit || !fl_ts_v_q[hf] || ts_d[31])) fl_ts_q[hf] <= in_i.ts_val;
      if (in_i.ts && (!fhit || !fl_ts_v_q[hf] || !new_d[31])) fl_new_q[hf] <= in_i.ts_val;
      if (!fhit || !top_d[31]) fl_top_q[hf] <= in_i.seq;
    end
    if (pop) begin
      fl_use_q[dr_q] <= fl_use_q[dr_q] & ~((EACH)'(1) << lst[PlW-1:0]);
      fl_blk_q[dr_q] <= fl_blk_q[dr_q] - out_blk;
    end
  end

  assign idle_o      = fl_v_q == '0 && !drain_q;
  assign stat_held_o = hold;
  assign stat_next_o = pop && !all_q;
  assign stat_over_o = !drain_q && !flush && !(go && mine && fhit) && due_q && !stays;

  logic unused;
  assign unused = ^{now_ns_i, open_slot_i, de, new_d, top_d};

`ifndef SYNTHESIS
  initial begin
    if ((N_FLOW & (N_FLOW - 1)) != 0 || (EACH & (EACH - 1)) != 0 || (N_TRACK & (N_TRACK - 1)) != 0 || N_TRACK < 8) $fatal(1, "weft_tcp_hold: sizes");
    if (TICKS > 128 || MOST > 2047) $fatal(1, "weft_tcp_hold: TICKS, MOST");
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert (!late || fl_v_q[look_q]) else $error("%m: nothing is late");
    assert (!(hold && fhit) || mine) else $error("%m: held beside another's");
    assert (!(drain_q && can_go) || (known_q[at] && k_slot == fl_slot_q[dr_q])) else $error("%m: a flow is not known");
  end
`endif

endmodule
