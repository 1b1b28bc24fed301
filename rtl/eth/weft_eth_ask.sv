// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Asks ctx for the candidates of frames, and sends each frame where the answer says:
///
///   home: a segment for tcp, with the pin.
///   coming: parked behind its miss (weft_eth_park), whose list has an end. What is parked holds PARK_MAX records and BLOCK_MAX blocks of the store
///     at most.
///   none: what stands behind the candidate in the table is tried, else steering (firmware, network
///     device). Where there is no place to wait for that, or to be parked, the frame is let go: it must
///     not be taken for one without a connection.
///   busy, or there is no room to park: asked again. Until all of those have been answered no newer frame asks, so order is kept; a
///     fill ends by itself (PCIe), and letting a frame go would cost its connection a retransmission
///     time. Frames that were parked go on asking meanwhile, because the fills that others wait for may
///     wait for them.
///
/// How long others stand behind such frames is bounded: every cycle costs one of PATIENCE, a list of parked frames that came to its
/// connection gives PER_LIST back, and every TRICKLE cycles without a wait give one. When there is none left (nothing comes any more: peers keep the
/// slots), a frame that would wait is let go. So a peer must not stop what is not its own, and a cold start loses nothing.
///
/// A connection is asked for again only when the answer before is there, so an answer that differs from the one before
/// cannot turn frames round.
module weft_eth_ask #(
  parameter int unsigned N_REC = 256,    ///< header records, power of two, 32 to 4096
  parameter int unsigned PARK_MAX = 96,  ///< frames that may be parked, at most N_REC / 2
  parameter int unsigned BLOCK_MAX = 48, ///< blocks that they may hold; a frame that is alone may have more
  parameter int unsigned PATIENCE = 16384, ///< power of two, above PER_LIST
  parameter int unsigned PER_LIST = 1024,
  parameter int unsigned TRICKLE = 16,   ///< power of two
  parameter int unsigned N_MISS = 64,    ///< of ctx
  parameter int unsigned FW_BLOCKS = 32, ///< blocks that firmware's frames may hold
  parameter int unsigned L2_BLOCKS = 64, ///< blocks that the network device's frames may hold
  localparam int unsigned IdW = $clog2(N_REC)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  tok_valid_i,    ///< frames of the wire, in order; always taken
  input  weft_eth_pkg::tok_t    tok_i,
  input  logic                  res_valid_i,    ///< their look-ups, in order; always taken
  input  logic                  res_hit_i,
  input  logic [3:0]            res_cand_i,
  input  logic [23:0]           res_qpn_i,
  input  logic                  inj_valid_i,    ///< look-ups of candidates behind others; at most 16 here
  output logic                  inj_gone_o,     ///< pulse: one left
  input  weft_eth_pkg::tok_t    inj_tok_i,
  input  logic                  inj_hit_i,
  input  logic [3:0]            inj_cand_i,
  input  logic [23:0]           inj_qpn_i,

  input  logic                  resume_valid_i, ///< a frame that was parked
  output logic                  resume_ready_o,
  input  logic [23:0]           resume_qpn_i,
  input  logic [IdW-1:0]        resume_id_i,
  input  logic [3:0]            resume_cand_i,
  input  logic                  hold_i,         ///< nobody but those asks
  output logic                  quiet_o,        ///< no look-up is under way

  output logic                  need_valid_o,
  input  logic                  need_ready_i,
  output weft_dp_pkg::need_t    need_o,
  input  logic                  have_valid_i,   ///< exactly two cycles behind the look-up
  input  weft_dp_pkg::have_t    have_i,

  output logic                  rec_re_o,       ///< a record is read, a cycle later
  output logic [IdW-1:0]        rec_id_o,
  input  weft_eth_pkg::rec_t    rec_i,

  output logic                  seg_valid_o,
  input  logic                  seg_ready_i,
  output weft_dp_pkg::rx_seg_t  seg_o,
  output logic                  gone_valid_o,   ///< pulse: this record is free
  output logic [IdW-1:0]        gone_id_o,
  output logic                  park_valid_o,   ///< pulse
  output logic [5:0]            park_miss_o,
  output logic [IdW-1:0]        park_id_o,
  output logic [3:0]            park_cand_o,
  input  logic [IdW:0]          parked_i,
  input  logic [N_MISS-1:0]     park_full_i,
  input  logic                  park_over_i,    ///< pulse: the frames of a list have come to their connection
  output logic                  again_valid_o,  ///< pulse, only while again_ready_i: look up behind this candidate
  input  logic                  again_ready_i,
  output weft_eth_pkg::tok_t    again_tok_o,
  output weft_eth_pkg::key_t    again_key_o,
  output logic [3:0]            again_cand_o,
  output logic                  put_valid_o,    ///< pulse: to firmware, network device, or nowhere
  output weft_eth_pkg::tok_t    put_o,
  input  logic                  fw_done_i,      ///< pulse: a frame was delivered
  input  logic                  l2_done_i,
  input  logic [7:0]            done_blocks_i,

  output logic                  idle_o,
  output logic                  stat_home_o,
  output logic                  stat_park_o,
  output logic                  stat_busy_o,
  output logic                  stat_none_o
);

  localparam int unsigned SegW = 815;
  typedef struct packed {
    logic            resume;
    logic            retry;   // it was asked for before
    logic [23:0]     qpn;
    logic [IdW-1:0]  id;
    logic [3:0]      cand;
  } ask_t;
  typedef struct packed {
    logic [23:0]     qpn;
    logic [IdW-1:0]  id;
    logic [3:0]      cand;
  } wait_t;
  localparam int unsigned WaitW = 28 + IdW;

  // ---------------------------------------------------------------- what came
  logic               t_v, r_v, r_hit, i_v, i_hit, t_room, r_room, i_room, wire_take, inj_take;
  logic [3:0]         r_cand, i_cand;
  logic [23:0]        r_qpn, i_qpn;
  weft_eth_pkg::tok_t t, it;
  weft_fifo #(.W(weft_eth_pkg::TokW), .DEPTH(N_REC)) u_tok (
    .clk_i, .rst_ni, .in_valid_i(tok_valid_i), .in_ready_o(t_room), .in_data_i(tok_i),
    .out_valid_o(t_v), .out_ready_i(wire_take), .out_data_o(t), .count_o()
  );
  weft_fifo #(.W(29), .DEPTH(N_REC)) u_res (
    .clk_i, .rst_ni, .in_valid_i(res_valid_i), .in_ready_o(r_room), .in_data_i({res_hit_i, res_cand_i, res_qpn_i}),
    .out_valid_o(r_v), .out_ready_i(wire_take), .out_data_o({r_hit, r_cand, r_qpn}), .count_o()
  );
  weft_fifo #(.W(29 + weft_eth_pkg::TokW), .DEPTH(16)) u_inj (
    .clk_i, .rst_ni, .in_valid_i(inj_valid_i), .in_ready_o(i_room),
    .in_data_i({inj_hit_i, inj_cand_i, inj_qpn_i, inj_tok_i}),
    .out_valid_o(i_v), .out_ready_i(inj_take), .out_data_o({i_hit, i_cand, i_qpn, it}), .count_o()
  );
  assign inj_gone_o = inj_take;

  // ---------------------------------------------------------------- who asks next
  // n: asks; f1: was heard a cycle ago, its record is read; f2: its answer stands there.
  logic        n_v, f1_v_q, f2_v_q, can, room, rt_v, rt_take, rt_in_v, rt_room, other_q;
  logic        w_need, w_rest, i_need, i_rest;
  ask_t        n_q, f1_q, f2_q, next;
  wait_t       rt;
  logic [3:0]  seg_count;
  logic [1:0]  wait_q;
  function automatic logic differs(input logic [23:0] q, input logic v, input logic [23:0] of);
    differs = !v || q != of;
  endfunction
  // f2 needs no look: a busy answer stops all newer frames in its own cycle, any other one settles the order.
  logic res_alone, rt_alone, i_alone, w_alone;
  assign res_alone = differs(resume_qpn_i, n_v, n_q.qpn) && differs(resume_qpn_i, f1_v_q, f1_q.qpn);
  assign rt_alone  = differs(rt.qpn, n_v, n_q.qpn) && differs(rt.qpn, f1_v_q, f1_q.qpn);
  assign i_alone   = differs(i_qpn, n_v, n_q.qpn) && differs(i_qpn, f1_v_q, f1_q.qpn);
  assign w_alone   = differs(r_qpn, n_v, n_q.qpn) && differs(r_qpn, f1_v_q, f1_q.qpn);

  assign room   = seg_count <= 4'd4;
  assign can    = room && (!n_v || need_ready_i);
  assign w_need = t_v && r_v && t.to == weft_eth_pkg::ToLook && t.csum_ok && r_hit;
  assign w_rest = t_v && r_v && !w_need;
  assign i_need = i_v && i_hit;
  assign i_rest = i_v && !i_hit;
  logic go_res, go_rt, go_inj, go_wire, fresh;
  assign fresh   = can && !hold_i && !rt_v && !rt_in_v;
  assign go_res  = can && resume_valid_i && res_alone;
  assign go_rt   = can && !hold_i && !go_res && rt_v && wait_q == '0 && rt_alone;
  assign go_inj  = fresh && !go_res && i_need && i_alone && !(other_q && w_need && w_alone);
  assign go_wire = fresh && !go_res && !go_inj && w_need && w_alone;
  assign resume_ready_o = go_res;
  assign rt_take        = go_rt;
  always_comb begin
    next = {2'b00, r_qpn, t.id[IdW-1:0], r_cand};
    if (go_res) next = {2'b10, resume_qpn_i, resume_id_i, resume_cand_i};
    else if (go_rt) next = {2'b01, rt.qpn, rt.id, rt.cand};
    else if (go_inj) next = {2'b00, i_qpn, it.id[IdW-1:0], i_cand};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      n_v     <= 1'b0;
      f1_v_q  <= 1'b0;
      f2_v_q  <= 1'b0;
      other_q <= 1'b0;
      wait_q  <= '0;
    end else begin
      if (go_res || go_rt || go_inj || go_wire) n_v <= 1'b1;
      else if (need_ready_i) n_v <= 1'b0;
      f1_v_q <= n_v && need_ready_i;
      f2_v_q <= f1_v_q;
      if (go_inj || go_wire) other_q <= go_inj;
      wait_q <= rt_in_v ? 2'd3 : wait_q - 2'(wait_q != '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (go_res || go_rt || go_inj || go_wire) n_q <= next;
    if (n_v) f1_q <= n_q;
    if (f1_v_q) f2_q <= f1_q;
  end
  assign need_valid_o  = n_v;
  assign need_o.resume = n_q.resume;
  assign need_o.qpn    = n_q.qpn;
  assign rec_re_o      = f1_v_q;
  assign rec_id_o      = f1_q.id;
  assign quiet_o       = !n_v && !f1_v_q && !f2_v_q;

  weft_fifo #(.W(WaitW), .DEPTH(4)) u_retry (
    .clk_i, .rst_ni, .in_valid_i(rt_in_v), .in_ready_o(rt_room), .in_data_i({f2_q.qpn, f2_q.id, f2_q.cand}),
    .out_valid_o(rt_v), .out_ready_i(rt_take), .out_data_o({rt.qpn, rt.id, rt.cand}), .count_o()
  );

  // ---------------------------------------------------------------- answers
  logic               home, coming, busy, none, full, over, wait_more, no_place, have_put;
  weft_eth_pkg::tok_t have_tok;
  /* verilator lint_off UNUSEDSIGNAL */  // what only L2 wants to know
  weft_pkg::rx_meta_t rm;
  /* verilator lint_on UNUSEDSIGNAL */
  assign rm     = rec_i.meta;
  assign home   = have_valid_i && have_i.state == weft_dp_pkg::HaveHome;
  assign coming = have_valid_i && have_i.state == weft_dp_pkg::HaveComing;
  assign busy   = have_valid_i && have_i.state == weft_dp_pkg::HaveBusy;
  assign none   = have_valid_i && have_i.state == weft_dp_pkg::HaveNone;
  assign full   = coming && park_full_i[have_i.miss[$clog2(N_MISS)-1:0]];
  // One that was parked goes back to where it was, if its list has room.
  assign over   = coming && !f2_q.resume && (parked_i >= (IdW + 1)'(PARK_MAX)
                                             || (blk_q != '0 && blk_q + 13'(f2_blocks) > 13'(BLOCK_MAX)));
  assign wait_more     = (busy || over || full) && !f2_q.resume;
  assign rt_in_v       = wait_more && patience_q != '0;
  assign again_valid_o = none && again_ready_i;
  assign no_place    = none && !again_ready_i;
  assign have_put      = no_place || ((busy || full) && f2_q.resume) || (wait_more && patience_q == '0);
  always_comb begin
    have_tok     = 'x;
    again_key_o  = 'x;
    again_cand_o = 'x;
    if (have_valid_i) begin
      have_tok.id      = 12'(f2_q.id);
      have_tok.handle  = rec_i.handle;
      have_tok.body    = rec_i.body;
      have_tok.ours    = rec_i.ours;
      have_tok.csum_ok = 1'b1;
      have_tok.blocks  = rec_i.blocks;
      have_tok.to      = weft_eth_pkg::ToDrop;
      have_tok.why     = weft_eth_pkg::WhyPark;
      again_key_o  = {rm.ipv6, rm.daddr, rm.saddr, rm.dport, rm.sport};
      again_cand_o = f2_q.cand;
    end
  end
  assign again_tok_o  = have_tok;
  assign park_valid_o = coming && !over && !full;
  assign park_miss_o  = have_i.miss;
  assign park_id_o    = f2_q.id;
  assign park_cand_o  = f2_q.cand;
  assign gone_valid_o = home;
  assign gone_id_o    = f2_q.id;

  weft_dp_pkg::rx_seg_t seg;
  logic                 seg_room;
  always_comb begin
    seg = 'x;
    if (home) begin
      seg.who.qpn   = have_i.qpn;
      seg.who.slot  = have_i.slot;
      seg.cand      = f2_q.cand;
      seg.handle    = rec_i.handle;
      seg.start     = rm.hdr_len;
      seg.len       = rm.payload_len;
      seg.seq       = rm.seq;
      seg.ack       = rm.ack;
      seg.wnd       = rm.wnd;
      seg.flags     = rm.flags;
      seg.ecn       = rec_i.ecn;
      seg.ts        = rec_i.ts;
      seg.ts_val    = rec_i.ts_val;
      seg.ts_ecr    = rec_i.ts_ecr;
      seg.n_sack    = rec_i.n_sack;
      seg.sack      = rec_i.sack;
      seg.ipv6      = rm.ipv6;
      seg.vlan      = rm.vlan;
      seg.vid       = rm.vlan_tci[11:0];
      seg.saddr     = rm.saddr;
      seg.daddr     = rm.daddr;
      seg.sport     = rm.sport;
      seg.dport     = rm.dport;
      seg.body      = rec_i.body;
      seg.ours      = rec_i.ours;
      seg.pri       = rm.vlan_tci[15:12];
      seg.frame_len = rm.frame_len;
    end
  end
  weft_fifo #(.W(SegW), .DEPTH(8)) u_seg (
    .clk_i, .rst_ni, .in_valid_i(home), .in_ready_o(seg_room), .in_data_i(seg),
    .out_valid_o(seg_valid_o), .out_ready_i(seg_ready_i), .out_data_o(seg_o), .count_o(seg_count)
  );

  // ---------------------------------------------------------------- frames that ask nobody
  logic               s_v, s_room, s_take, s_over;
  weft_eth_pkg::tok_t s_in, s, w_tok, i_tok, put;
  always_comb begin
    w_tok = t;
    if (t.to == weft_eth_pkg::ToLook) begin
      w_tok.to = !t.csum_ok && (r_hit || t.ours) ? weft_eth_pkg::ToDrop
                 : !t.body ? weft_eth_pkg::ToDrop : t.ours ? weft_eth_pkg::ToFw : weft_eth_pkg::ToL2;
      w_tok.why = !t.csum_ok && (r_hit || t.ours) ? weft_eth_pkg::WhyCsum : weft_eth_pkg::WhyFull;
    end
    i_tok     = it;
    i_tok.to  = !it.body ? weft_eth_pkg::ToDrop : it.ours ? weft_eth_pkg::ToFw : weft_eth_pkg::ToL2;
    i_tok.why = weft_eth_pkg::WhyFull;
  end
  assign s_in      = i_rest ? i_tok : w_tok;
  assign inj_take  = i_rest ? s_room : go_inj;
  assign wire_take = w_rest ? s_room && !i_rest : go_wire;
  weft_fifo #(.W(weft_eth_pkg::TokW), .DEPTH(8)) u_side (
    .clk_i, .rst_ni, .in_valid_i(i_rest || w_rest), .in_ready_o(s_room), .in_data_i(s_in),
    .out_valid_o(s_v), .out_ready_i(s_take), .out_data_o(s), .count_o()
  );

  // ---------------------------------------------------------------- how long others stand behind one that waits
  localparam int unsigned PatW = $clog2(PATIENCE);
  logic [PatW-1:0]            patience_q;
  logic [PatW:0]              patience_d;
  logic [$clog2(TRICKLE)-1:0] trickle_q;
  logic                       waits;
  assign waits      = rt_v || (n_v && n_q.retry) || (f1_v_q && f1_q.retry) || (f2_v_q && f2_q.retry);
  assign patience_d = {1'b0, patience_q} + (park_over_i ? (PatW + 1)'(PER_LIST) : '0)
                      + (PatW + 1)'(!waits && trickle_q == '1) - (PatW + 1)'(waits && patience_q != '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      patience_q <= '1;
      trickle_q  <= '0;
    end else begin
      patience_q <= patience_d[PatW] ? '1 : patience_d[PatW-1:0];
      if (!waits) trickle_q <= trickle_q + 1'b1;
    end
  end

  // ---------------------------------------------------------------- shares of the store
  // blk_q: of those that are parked. Each of them asks once more when it comes out.
  logic [12:0] blk_q;
  logic [7:0]  f2_blocks;
  assign f2_blocks = rec_i.body ? rec_i.blocks : '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) blk_q <= '0;
    else blk_q <= blk_q + (park_valid_o ? 13'(f2_blocks) : '0) - (have_valid_i && f2_q.resume ? 13'(f2_blocks) : '0);
  end
  logic [12:0] fw_q, l2_q;
  logic        put_v_q;
  weft_eth_pkg::tok_t put_q;
  assign s_take = !have_put;
  assign put    = have_put ? have_tok : s;
  assign s_over = (put_q.to == weft_eth_pkg::ToFw && fw_q + 13'(put_q.blocks) > 13'(FW_BLOCKS))
                  || (put_q.to == weft_eth_pkg::ToL2 && l2_q + 13'(put_q.blocks) > 13'(L2_BLOCKS));
  always_comb begin
    put_o = put_q;
    if (s_over) begin
      put_o.to  = weft_eth_pkg::ToDrop;
      put_o.why = weft_eth_pkg::WhyFull;
    end
  end
  assign put_valid_o = put_v_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_v_q <= 1'b0;
      fw_q    <= '0;
      l2_q    <= '0;
    end else begin
      put_v_q <= have_put || s_v;
      fw_q    <= fw_q + (put_v_q && put_o.to == weft_eth_pkg::ToFw ? 13'(put_q.blocks) : '0)
                 - (fw_done_i ? 13'(done_blocks_i) : '0);
      l2_q    <= l2_q + (put_v_q && put_o.to == weft_eth_pkg::ToL2 ? 13'(put_q.blocks) : '0)
                 - (l2_done_i ? 13'(done_blocks_i) : '0);
    end
  end
  always_ff @(posedge clk_i) if (have_put || s_v) put_q <= put;

  assign idle_o = !t_v && !r_v && !i_v && quiet_o && !rt_v && !seg_valid_o && !s_v && !put_v_q && !resume_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stat_home_o <= 1'b0;
      stat_park_o <= 1'b0;
      stat_busy_o <= 1'b0;
      stat_none_o <= 1'b0;
    end else begin
      stat_home_o <= home;
      stat_park_o <= park_valid_o;
      stat_busy_o <= busy;
      stat_none_o <= none;
    end
  end

`ifndef SYNTHESIS
  initial if (PARK_MAX > N_REC / 2 || (PATIENCE & (PATIENCE - 1)) != 0 || PER_LIST >= PATIENCE) $fatal(1, "weft_eth_ask: PARK_MAX, PATIENCE");
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert (have_valid_i == f2_v_q) else $error("%m: an answer is not two cycles behind its look-up");
    assert (!have_valid_i || have_i.qpn == f2_q.qpn);
    assert ((!tok_valid_i || t_room) && (!res_valid_i || r_room) && (!inj_valid_i || i_room)) else $error("%m: no room");
    assert ((!home || seg_room) && (!rt_in_v || rt_room)) else $error("%m: an answer has no room");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
