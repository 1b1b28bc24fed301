// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Room tcp, edge of the connection pipe: all of a connection's TCP state in one weft_ctx_pipe of eight stages
/// (docs/datapath.md, "tcp conn pipe"). An item a cycle over different connections; a piece is offered six cycles behind its
/// segment; a visit is eight cycles.
///
/// - Segments: key compare (`falsehit` gives back what belongs to another), acceptance, ACK part, text as a piece. Pieces,
///   events and false hits need a place in their queues; without one the payload counts as lost, the event
///   waits in the record, the segment is dropped. Only frees of frames gate the pipe.
/// - Words (commit, rcv_room, unaccept, departed): always taken, latest value of a slot and one touch.
/// - Load and save: the record is lines 1 to 3 as they are, plus what has no place there (SACK ranges, what is under way).
///
/// Offsets: the stream begins at ISS + 1 and IRS + 1, what firmware exchanged before the hand-over included. A FIN takes the
/// offset behind the last byte. Contracts with others stand at the ports.
///
/// Pins: a segment's goes on with its piece, else it is dropped here; a timer's and a command's end here. One is taken for
/// each `ackdue` (departure drops it when it answers), each `ask` (qp drops it when it has answered), and by a segment or timer that gives
/// weft_tcp_rack work: this one is kept until its answer leads to no ask. Words bring none: who gives one drops
/// its own no earlier than with it. So a touch may come when ctx has decided to save: what it makes due is an ACK only,
/// which departure can send until the lines are out, and the save waits for it; its asks wait for a timer, unless that pin is held.
///
/// Not yet: of a peer without SACK the first hole alone is known, a hole a round trip is repaired, and a retransmission that is
/// lost is found by time-out; undoing what a needless retransmission did to the congestion window (RFC 4015);
/// RTT from timestamps, a smaller window after idle times (RFC 5681 4.1), receiver's silly-window avoidance beyond window
/// updates (rcv_room is advertised as it comes).
module weft_tcp_conn #(
  parameter int unsigned N_SLOT = 256,        ///< power of two, 4 to 4096
  parameter int unsigned WAIT = 16,           ///< items that wait
  parameter int unsigned PER_CTX = 4,         ///< segments of a connection among them, 1 to 7
  parameter int unsigned PIECES = 16,         ///< places for pieces, a power of two, 8 or more
  parameter int unsigned MAX_RETRIES = 9,     ///< time-outs in a row before the connection is given up
  parameter int unsigned ACK_DELAY_NS = 500_000,
  parameter bit TEST_CWND = 1'b0,             ///< simulation: no congestion control (weft_tcp_conn_cc)
  parameter longint unsigned KEEP_IDLE_NS = 64'd7_200_000_000_000,
  parameter longint unsigned KEEP_INTVL_NS = 64'd75_000_000_000,
  parameter int unsigned KEEP_PROBES = 9,
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  output logic                      ready_o,          ///< swept after reset; nothing may come before
  input  logic [63:0]               now_ns_i,

  // eth
  input  logic                      seg_valid_i,
  output logic                      seg_ready_o,      ///< bounded: does not wait for any other room
  input  logic                      patient_i,        ///< a segment beyond PER_CTX waits for those before it; else it is dropped
  input  weft_dp_pkg::rx_seg_t      seg_i,            ///< addresses: first byte on the wire in bits 7:0, IPv4 in the low 32
  output logic                      falsehit_valid_o, ///< its key is another's; its pin is dropped
  input  logic                      falsehit_ready_i,
  output weft_dp_pkg::rx_seg_t      falsehit_o,
  output logic                      free_valid_o,     ///< frames that give no piece
  input  logic                      free_ready_i,
  output logic [11:0]               free_handle_o,

  // mpa, rdmap
  output logic                      piece_valid_o,
  input  logic                      piece_ready_i,
  output weft_dp_pkg::piece_t       piece_o,
  /// In order: begins where the latest ended, or in front of that (an FPDU of what was stored before). More than what was
  /// accepted in order means that ranges ahead of turn have come to be next. Ahead: a range for SACK; one that comes
  /// before the last was seen takes its place.
  input  logic                      commit_valid_i,
  input  weft_dp_pkg::commit_t      commit_i,
  input  logic                      rcv_room_valid_i,
  input  weft_dp_pkg::rcv_room_t    rcv_room_i,
  /// The generation of pieces becomes the other one than `gen`; RCV_NXT goes back to `off`, never behind what is committed.
  /// All ranges ahead of turn are forgotten.
  input  logic                      unaccept_valid_i,
  input  weft_dp_pkg::unaccept_t    unaccept_i,

  // departure
  /// Each ackdue is answered by one departed with ack_only or fin, sent or not (`unsent`). FIN is sent by DueFin when all is
  /// acknowledged. `cut`: what was made behind it did not fit `limit`, and is asked for when it does; with `ask_done`: more was made than was asked for.
  input  logic                      departed_valid_i,
  input  weft_dp_pkg::departed_t    departed_i,
  input  logic                      snd_max_valid_i,  ///< a new segment is bound: offset behind it, FIN included; grows
  input  logic [11:0]               snd_max_slot_i,
  input  logic [63:0]               snd_max_i,
  output logic                      ackdue_valid_o,   ///< pulse: into the ACK set; none of the slot is in it
  output weft_dp_pkg::ackdue_t      ackdue_o,
  output logic                      open_valid_o,     ///< pulse: a slot is loaded, with this SND_MAX
  output logic [11:0]               open_slot_o,
  output logic [63:0]               open_snd_max_o,
  output logic                      view_valid_o,     ///< pulse: a write
  output weft_dp_pkg::who_t         view_who_o,
  output weft_dp_pkg::dep_view_t    view_o,

  // qp
  output logic                      txack_valid_o,    ///< pulse: a word per slot
  output weft_dp_pkg::txack_t       txack_o,
  output logic                      ask_valid_o,      ///< pulse; one of a slot is out, until departed says ask_done
  output weft_dp_pkg::ask_t         ask_o,

  // timer wheel (weft_timer, beside this module: it has a timer for each QPN)
  output logic                      tmr_valid_o,
  input  logic                      tmr_ready_i,
  output weft_dp_pkg::tmr_t         tmr_o,
  input  logic                      fire_valid_i,
  output logic                      fire_ready_o,
  input  logic [23:0]               fire_qpn_i,

  // ctx
  output logic                      need_valid_o,
  input  logic                      need_ready_i,
  output weft_dp_pkg::need_t        need_o,
  input  logic                      have_valid_i,
  input  weft_dp_pkg::have_t        have_i,
  output logic                      drop_valid_o,
  output logic [11:0]               drop_slot_o,
  output logic [3:0]                drop_n_o,         ///< two's complement, 1 to -2
  input  logic                      load_valid_i,
  output logic                      load_ready_o,     ///< of line 3 when the record is in its place
  input  weft_dp_pkg::line_t        load_i,
  input  logic                      save_valid_i,
  output logic                      save_ready_o,
  input  weft_dp_pkg::save_t        save_i,
  output logic                      line_valid_o,
  input  logic                      line_ready_i,
  output weft_dp_pkg::line_t        line_o,

  // firmware. A command brings a pin, which is dropped here when it has been done, whatever it is
  input  logic                      cmd_valid_i,
  output logic                      cmd_ready_o,
  /// OpSetState: arg 1:0 enum tcp_state, with bit 4 set 3:2 the send generation, or with bit 5 set: HOLD is over, or with bit 6 set: the stream
  /// has ended (DEAF); and nothing else. OpClose, OpAck, OpSetL2, OpDrain.
  input  weft_dp_pkg::ctx_cmd_t     cmd_i,
  output logic                      ev_valid_o,
  input  logic                      ev_ready_i,
  output weft_dp_pkg::ctx_ev_t      ev_o,

  output logic                      idle_o,
  output logic                      stat_seg_o,       ///< segments looked at
  output logic                      stat_over_o,      ///< dropped: more than PER_CTX wait
  output logic                      stat_lost_o,      ///< payload dropped: no place for the piece, or no body
  output logic                      stat_bad_o,       ///< not acceptable
  output logic                      stat_chal_o,      ///< RFC 5961
  output logic                      stat_rto_o,       ///< time-outs
  output logic                      stat_loss_o,      ///< weft_tcp_rack found one
  output logic                      stat_dsack_o,     ///< the peer got something twice
  output logic                      stat_false_o,
  output logic                      stat_touch_o
);

  localparam int unsigned Stages = 8;
  localparam int unsigned PieceW = 148;
  localparam int unsigned SegAllW = 815;
  localparam int unsigned EvW = 24 + 8 + 16 + 32 + 32 + 8 + 368;
  localparam int unsigned EvRetry = 16;  // ticks until an event is tried again

  // ================================================================ what comes in
  logic [47:0] now;
  assign now = 48'(now_ns_i >> 10);

  logic                          ld_v, ld_r, ld_end, clr, clr_done, sv_v, sv_r, sv_end, sv_again, tm_v, tm_r, to_v, to_r, to_wait;
  weft_dp_pkg::who_t             ld_who, tm_who, sv_who;
  logic [2047:0]                 ld_lines, sv_lines;
  logic [1:0]                    sv_tag;
  weft_dp_pkg::save_t            sv_item;
  logic [SlW-1:0]                to_slot;
  logic                          in_v, in_r, over_v, over_r, over_body, drain_ok;
  logic                          head_v, idle_words, idle_pipe, idle_tmr, idle_home;
  logic [11:0]                   over_handle, clr_slot;
  logic [SlW-1:0]                in_slot, over_slot, head_slot;
  weft_tcp_conn_pkg::item_t      in_item, head;
  logic                          go, ready_words, ready_entry, ready_tmr, tmr_heard;
  assign ready_o = ready_words && ready_entry && ready_tmr && ready_rack;
  assign clr_done = clr_words && clr_rack;

  logic                                       rk_v, rk_r, ready_rack, idle_rack, clr_words, clr_rack;
  logic [SlW-1:0]                             rk_slot;
  weft_tcp_conn_pkg::rack_out_t               rk;
  weft_tcp_conn_entry #(.N_SLOT(N_SLOT), .PER_CTX(PER_CTX)) u_entry (
    .clk_i, .rst_ni, .ready_o(ready_entry), .load_valid_i(ld_v), .load_ready_o(ld_r), .load_who_i(ld_who), .save_valid_i(sv_v),
    .save_ready_o(sv_r), .save_i(sv_item), .cmd_valid_i, .cmd_ready_o, .cmd_i, .drain_ok_i(drain_ok), .tmr_valid_i(tm_v),
    .tmr_ready_o(tm_r), .tmr_who_i(tm_who), .rack_valid_i(rk_v), .rack_ready_o(rk_r), .rack_slot_i(rk_slot), .rack_i(rk),
    .touch_valid_i(to_v), .touch_ready_o(to_r), .touch_slot_i(to_slot), .touch_wait_o(to_wait),
    .patient_i, .seg_valid_i, .seg_ready_o, .seg_i, .in_valid_o(in_v), .in_ready_i(in_r), .in_slot_o(in_slot), .in_item_o(in_item),
    .head_seg_i(head_v && head.kind == weft_tcp_conn_pkg::ItSeg),
    .head_touch_i(head_v && head.kind == weft_tcp_conn_pkg::ItTouch), .head_slot_i(head_slot), .over_valid_o(over_v),
    .over_ready_i(over_r), .over_body_o(over_body), .over_handle_o(over_handle), .over_slot_o(over_slot), .stat_over_o
  );
  weft_ctx_pipe #(.SLOT_W(SlW), .ITEM_W(weft_tcp_conn_pkg::ItemW), .STAGES(Stages), .WAIT(WAIT), .RUN_MAX(1)) u_pipe (
    .clk_i, .rst_ni, .in_valid_i(in_v), .in_ready_o(in_r), .in_slot_i(in_slot), .in_item_i(in_item), .go_i(go),
    .st_valid_o(head_v), .st_slot_o(head_slot), .st_item_o(head), .st_cont_o(), .st2_last_o(), .rel_valid_o(), .rel_slot_o(),
    .busy_slot_i('0), .busy_o(), .idle_o(idle_pipe), .stat_item_o(), .stat_visit_o(), .stat_wait_o(), .stat_stall_o()
  );

  weft_tcp_conn_pkg::words_t w1;
  logic                      smax_v;
  logic [31:0]               smax_w;
  logic                      takes;  // as words1: a slot that is not live gets no word before its load
  assign takes = head.kind == weft_tcp_conn_pkg::ItTouch || head.kind == weft_tcp_conn_pkg::ItCmd
                 || head.kind == weft_tcp_conn_pkg::ItSave;
  weft_tcp_conn_words #(.N_SLOT(N_SLOT)) u_words (
    .clk_i, .rst_ni, .ready_o(ready_words), .commit_valid_i, .commit_i, .room_valid_i(rcv_room_valid_i), .room_i(rcv_room_i),
    .unaccept_valid_i, .unaccept_i, .departed_valid_i, .departed_i, .smax_valid_i(snd_max_valid_i),
    .smax_slot_i(snd_max_slot_i[SlW-1:0]), .smax_i(snd_max_i[31:0]), .clr_i(clr), .clr_slot_i(clr_slot[SlW-1:0]),
    .clr_done_o(clr_words), .rd_i(head_v), .rd_take_i(takes), .rd_slot_i(head_slot), .rd_o(w1), .rd_smax_v_o(smax_v), .rd_smax_o(smax_w),
    .touch_valid_o(to_v), .touch_ready_i(to_r), .touch_slot_o(to_slot), .touch_wait_i(to_wait), .idle_o(idle_words), .stat_merge_o()
  );
  weft_tcp_conn_home u_home (
    .clk_i, .rst_ni, .load_valid_i, .load_ready_o, .load_i, .clr_o(clr), .clr_slot_o(clr_slot), .clr_done_i(clr_done), .item_valid_o(ld_v),
    .item_ready_i(ld_r), .item_who_o(ld_who), .lines_o(ld_lines), .load_end_i(ld_end), .save_valid_i, .save_ready_o, .save_i,
    .sv_valid_o(sv_v), .sv_ready_i(sv_r), .sv_o(sv_item), .save_again_i(sv_again), .save_end_i(sv_end), .save_who_i(sv_who),
    .save_tag_i(sv_tag),
    .save_lines_i(sv_lines), .tmr_heard_i(tmr_heard), .line_valid_o, .line_ready_i, .line_o, .idle_o(idle_home)
  );

  // ================================================================ stages
  logic [8:1]                                 v_q;
  logic [8:1][SlW-1:0]                        slot_q;
  weft_tcp_conn_pkg::item_t                   it1_q, it2_q, it3_q, it4_q;
  weft_tcp_conn_pkg::act_t                    act1, act2_q, act3_q, act4_q, act5_q, act6_q, act7_q;
  logic [63:0]                                now1_q, now2_q, now3_q, now4_q;
  logic [47:0]                                now5_q, now6_q, now7_q;
  weft_tcp_conn_pkg::rec_t                    ram1, rec1, rec2_q, rec3_q, rec4_q, rec5_q, rec6_q, rec7_q, rec7_w;
  weft_abi_pkg::home_key_t                    kram1, key1, key_wr_q, key_save_q;
  logic                                       key_we_q;
  logic [4:0]                                 kf1, kf2_q, kf3_q, kf4_q, kf5_q, kf6_q, kf7_q;  // aligned ecn sack ts ipv6
  logic                                       words1, words2_q, words3_q, words4_q;
  logic [31:0]                                smax1, smax2_q, smax3_q, smax4_q;
  weft_tcp_conn_pkg::w_departed_t             dep2_q, dep3_q, dep4_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= '0;
    else v_q <= {v_q[7:1], head_v};
  end
  always_ff @(posedge clk_i) slot_q <= {slot_q[7:1], head_slot};

  // ---------------------------------------------------------------- record and key
  weft_ram_1r1w #(.W(weft_tcp_conn_pkg::RecW), .DEPTH(N_SLOT)) u_rec (
    .clk_i, .we_i(v_q[7]), .waddr_i(slot_q[7]), .wdata_i(rec7_w), .re_i(head_v), .raddr_i(head_slot), .rdata_o(ram1)
  );
  weft_ram_1r1w #(.W(512), .DEPTH(N_SLOT)) u_key (
    .clk_i, .we_i(key_we_q), .waddr_i(slot_q[2]), .wdata_i(key_wr_q), .re_i(head_v), .raddr_i(head_slot), .rdata_o(kram1)
  );

  // ---------------------------------------------------------------- stage 1
  weft_abi_pkg::home_snd_t s1;
  weft_abi_pkg::home_rcv_t r1;
  weft_abi_pkg::home_tim_t t1;
  weft_tcp_conn_pkg::here_t h1;
  weft_dp_pkg::rx_seg_t    seg1;
  logic                    load1, live1, room1, fh_ok1, ev_ok1;
  logic [3:0]              op1;
  assign load1 = it1_q.kind == weft_tcp_conn_pkg::ItLoad;
  assign op1   = it1_q.body[19:16];
  assign seg1  = {it1_q.qpn, 12'(slot_q[1]), it1_q.body};
  always_comb begin
    rec1 = ram1;
    key1 = kram1;
    if (load1) begin
      rec1.qpn    = it1_q.qpn;
      rec1.h      = '0;
      rec1.s      = ld_lines[1023:512];
      rec1.r      = ld_lines[1535:1024];
      rec1.t      = ld_lines[2047:1536];
      key1        = ld_lines[511:0];
    end
    h1      = rec1.h;
    h1.live = h1.live || load1;
    s1      = rec1.s;
    if (!h1.live) s1.state = weft_abi_pkg::TCP_STATE_STOP;
    r1      = rec1.r;
    t1      = rec1.t;
    live1   = h1.live;
    act1           = '0;
    act1.load      = load1;
    act1.save      = it1_q.kind == weft_tcp_conn_pkg::ItSave;
    act1.timer     = it1_q.kind == weft_tcp_conn_pkg::ItTimer;
    act1.touch     = it1_q.kind == weft_tcp_conn_pkg::ItTouch;
    act1.seg       = it1_q.kind == weft_tcp_conn_pkg::ItSeg;
    act1.cmd       = it1_q.kind == weft_tcp_conn_pkg::ItCmd;
    // It may have come too late.
    act1.rack      = it1_q.kind == weft_tcp_conn_pkg::ItRack;
    act1.rack_ok   = act1.rack && live1 && it1_q.qpn == rec1.qpn && key1.sack;
    if (act1.cmd) begin
      act1.drain     = op1 == weft_dp_pkg::OpDrain;
      act1.set_state = op1 == weft_dp_pkg::OpSetState && !it1_q.body[6] && live1;
      act1.deaf      = op1 == weft_dp_pkg::OpSetState && it1_q.body[6] && live1;
      act1.close     = op1 == weft_dp_pkg::OpClose && live1;
      act1.ack       = op1 == weft_dp_pkg::OpAck && live1;
      act1.set_l2    = op1 == weft_dp_pkg::OpSetL2 && live1;
    end
  end
  // What segments and timers decide rests on the record as it was: news waits for its touch.
  assign words1 = v_q[1] && live1 && (act1.touch || act1.cmd || act1.save);
  assign smax1  = smax_v ? smax_w : s1.snd_max;
  assign kf1    = {key1.aligned, key1.ecn, key1.sack, key1.ts, key1.ipv6};

  always_ff @(posedge clk_i) begin
    if (head_v) begin
      it1_q  <= head;
      now1_q <= now_ns_i;
    end
    key_we_q <= v_q[1] && (act1.load || act1.set_l2);
    words2_q <= words1;
    words3_q <= words2_q;
    words4_q <= words3_q;
    if (v_q[1]) begin
      it2_q      <= it1_q;
      act2_q     <= act1;
      now2_q     <= now1_q;
      rec2_q     <= {rec1.qpn, h1, t1, r1, s1};
      kf2_q      <= kf1;
      smax2_q    <= smax1;
      dep2_q     <= w1.departed;
      key_wr_q   <= key1;
      if (act1.set_l2) key_wr_q.l2 <= it1_q.body[15:0];
      if (act1.save) key_save_q <= key1;
    end
    if (v_q[2]) begin
      it3_q      <= it2_q;
      act3_q     <= act2_q;
      now3_q     <= now2_q;
      rec3_q     <= rec2_q;
      kf3_q      <= kf2_q;
      smax3_q    <= smax2_q;
      dep3_q     <= dep2_q;
    end
    if (v_q[3]) begin
      it4_q      <= it3_q;
      act4_q     <= act3_q;
      now4_q     <= now3_q;
      rec4_q     <= rec3_q;
      kf4_q      <= kf3_q;
      smax4_q    <= smax3_q;
      dep4_q     <= dep3_q;
    end
  end

  // ---------------------------------------------------------------- acceptance, queues of its results
  weft_tcp_conn_pkg::seg_dec_t dec4;
  weft_dp_pkg::rx_seg_t        seg4;
  weft_dp_pkg::piece_t         piece;
  logic                        piece_push, fh_push, fr_push, fr_v, fr_r, fh2_q, fh3_q, fh4_q;
  logic                        ev2_q, ev3_q, ev4_q, ev5_q, ev6_q, ev7_q;
  logic [$clog2(PIECES):0]     piece_n;
  logic [3:0]                  fh_n;
  logic [5:0]                  fr_n, ev_n;
  logic [11:0]                 fr_h;
  logic [63:0]                 nxt4_q;
  weft_tcp_conn_accept u_accept (
    .clk_i, .valid_i(v_q[1] && act1.seg), .seg_i(seg1), .key_i(key1), .s_i(s1), .r_i(r1), .smax_i(smax1),
    .now_i(now1_q[63:30]), .room_i(room1), .dec_o(dec4)
  );
  // Up to four items behind this one's look may push before it does.
  assign room1  = 32'(piece_n) + 6 <= PIECES;
  assign fh_ok1 = fh_n <= 4'd3;
  assign ev_ok1 = ev_n <= 6'd20;
  assign seg4   = {it4_q.qpn, 12'(slot_q[4]), it4_q.body};

  weft_abi_pkg::home_rcv_t r3;
  weft_abi_pkg::home_snd_t s3;
  weft_abi_pkg::home_tim_t t3;
  assign r3 = rec3_q.r;
  assign s3 = rec3_q.s;
  assign t3 = rec3_q.t;
  logic [31:0] ahead3;  // accepted and not committed
  assign ahead3 = r3.rcv_nxt - r3.committed[31:0];
  always_ff @(posedge clk_i) begin
    if (v_q[1]) {fh2_q, ev2_q} <= {fh_ok1, ev_ok1};
    if (v_q[2]) {fh3_q, ev3_q} <= {fh2_q, ev2_q};
    if (v_q[3]) {fh4_q, ev4_q} <= {fh3_q, ev3_q};
    if (v_q[3]) nxt4_q <= r3.committed + 64'(ahead3);
    {ev5_q, ev6_q, ev7_q} <= {ev4_q, ev5_q, ev6_q};
  end
  assign piece_push = v_q[4] && dec4.vd == weft_tcp_conn_pkg::VdTake && dec4.piece;
  assign fh_push    = v_q[4] && dec4.vd == weft_tcp_conn_pkg::VdFalse && fh4_q;
  assign fr_push    = v_q[4] && act4_q.seg && seg4.body && !piece_push && !fh_push;
  weft_abi_pkg::home_rcv_t r4;
  assign r4 = rec4_q.r;
  always_comb begin
    piece.who     = {rec4_q.qpn, 12'(slot_q[4])};
    piece.gen     = r4.gen;
    piece.off     = nxt4_q + 64'(dec4.pos);
    piece.len     = dec4.plen;
    piece.handle  = seg4.handle;
    piece.start   = dec4.start;
    piece.ahead   = dec4.ahead;
    piece.aligned = kf4_q[4];
    piece.fin     = dec4.fin;
  end
  weft_fifo #(.W(PieceW), .DEPTH(PIECES)) u_pieces (
    .clk_i, .rst_ni, .in_valid_i(piece_push), .in_ready_o(), .in_data_i(piece), .out_valid_o(piece_valid_o),
    .out_ready_i(piece_ready_i), .out_data_o(piece_o), .count_o(piece_n)
  );
  weft_fifo #(.W(SegAllW), .DEPTH(8)) u_false (
    .clk_i, .rst_ni, .in_valid_i(fh_push), .in_ready_o(), .in_data_i(seg4), .out_valid_o(falsehit_valid_o),
    .out_ready_i(falsehit_ready_i), .out_data_o(falsehit_o), .count_o(fh_n)
  );
  // Frames: of the pipe, or of a segment that did not get in.
  assign over_r = !fr_push && !drop_pipe && go;
  assign fr_v   = fr_push || (over_v && over_r && over_body);
  assign fr_h   = fr_push ? seg4.handle : over_handle;
  weft_fifo #(.W(12), .DEPTH(32)) u_free (
    .clk_i, .rst_ni, .in_valid_i(fr_v), .in_ready_o(fr_r), .in_data_i(fr_h), .out_valid_o(free_valid_o),
    .out_ready_i(free_ready_i), .out_data_o(free_handle_o), .count_o(fr_n)
  );
  assign go = fr_n <= 6'd16;

  // ---------------------------------------------------------------- stages 4 to 6
  weft_abi_pkg::home_snd_t     s4, s4_n, s5, s6, s6_n, s7;
  weft_abi_pkg::home_rcv_t     r4_n, r5, r6, r7;
  weft_abi_pkg::home_tim_t     t4, t4_s, t4_n, t5, t6, t7;
  weft_tcp_conn_pkg::here_t    h4, h4_n, h6, h6_n, h6_s, h7;
  weft_tcp_conn_pkg::rack_out_t  rk4;
  weft_tcp_conn_pkg::rack_work_t wk4, wk5_q, wk6_q, wk7_q;
  weft_tcp_conn_pkg::cc_in_t   cc4;
  weft_tcp_conn_pkg::cc_state_t cs4, cs5;
  weft_tcp_conn_pkg::ackdue_t  due6, due7_q;
  logic        tlp4, tlp5_q, tlp6_q, pto_n6, alone5;
  logic [31:0] pto6, flight5;
  logic        sample4, lone4, restart4, probe4, force4, keep4, tell4, first4, here5, fin5, need6, ack_out6, ask_out6, ask6, txack6;
  logic        asked6;
  logic        pin4, pin5_q, pin6_q, pin7_q, pend6, pend7_q;
  logic        restart5_q, probe5_q, force5_q, keep5_q, tell5_q, ret5_q, piece5_q;
  logic        restart6_q, probe6_q, force6_q, keep6_q, tell6_q;
  logic        ret6_q, piece6_q, piece7_q, ask7_q, txack7_q;
  logic [31:0] rto6, leave_n6, leave_n7_q;
  logic [47:0] ack_at6, rtx_at6;
  logic [2:0]  n_sack6;
  logic [255:0] sack6;
  logic [49:0] ds6;
  logic        opened6;
  logic [15:0] arg4_q, arg5_q, arg6_q, arg7_q;
  logic [1:0]  tag7_q;
  weft_dp_pkg::ask_t   askit6, ask7d_q;
  weft_dp_pkg::txack_t txit6, tx7d_q;
  assign s4 = rec4_q.s;
  assign t4 = rec4_q.t;
  assign h4 = rec4_q.h;
  assign rk4 = {it4_q.qpn, it4_q.body[weft_tcp_conn_pkg::RackOutW-25:0]};
  assign arg4_q = it4_q.body[15:0];

  weft_tcp_conn_rcv #(.ACK_DELAY(ACK_DELAY_NS >> 10)) u_rcv (
    .clk_i, .v1_i(v_q[1]), .words_i(words1), .w_i(w1), .r1_i(r1), .h1_i(h1), .v2_i(v_q[2]), .v3_i(v_q[3]), .v4_i(v_q[4]), .now4_i(now4_q),
    .dec_i(dec4), .ce_i(kf4_q[3] && seg4.ecn == 2'd3), .cwr_i(kf4_q[3] && seg4.flags[7]), .ts_val_i(seg4.ts_val), .seq_i(seg4.seq),
    .sack_i(kf4_q[2]), .ask_ack_i(act4_q.ack), .deaf_i(act4_q.deaf), .timer_i(act4_q.timer), .ack_at4_i(t4.ack_at), .dep4_i(dep4_q),
    .words4_i(words4_q), .r4_i(r4), .h4_i(h4), .r4_o(r4_n), .first4_o(first4), .closing5_i(rec5_q.s[weft_abi_pkg::HOME_SND_CLOSING_LSB]), .here5_o(here5), .fin5_o(fin5), .v5_i(v_q[5]),
    .open6_i(s6.state == weft_abi_pkg::TCP_STATE_OPEN), .keep6_i(keep6_q), .fin6_i(fin6), .save6_i(act6_q.save), .now6_i(now6_q),
    .ack_at6_i(t6.ack_at), .r6_i(r6), .h6_i(h6), .need6_o(need6), .ack_out6_o(ack_out6), .ack_at6_o(ack_at6),
    .n_sack6_o(n_sack6), .sack6_o(sack6), .ds6_o(ds6), .opened6_o(opened6), .due6_o(due6)
  );
  weft_tcp_conn_snd #(.MAX_RETRIES(MAX_RETRIES), .KEEP_IDLE(48'(KEEP_IDLE_NS >> 10)), .KEEP_INTVL(48'(KEEP_INTVL_NS >> 10)),
    .KEEP_PROBES(KEEP_PROBES)) u_snd (
    .clk_i, .v3_i(v_q[3]), .s3_i(s3), .t3_i(t3), .smax3_i(smax3_q), .now3_i(now3_q[57:10]), .v4_i(v_q[4]), .act4_i(act4_q),
    .arg4_i(arg4_q), .dec4_i(dec4), .seq4_i(seg4.seq), .ack4_i(seg4.ack), .ece4_i(kf4_q[3] && seg4.flags[6]), .sack4_i(kf4_q[2]),
    .words4_i(words4_q), .dep4_i(dep4_q), .first4_i(first4), .now4_i(now4_q[57:10]), .smax4_i(smax4_q), .h4_i(h4), .s4_i(s4),
    .t4_i(t4), .rk4_i(rk4), .sacks4_i({seg4.n_sack, seg4.sack}), .s4_o(s4_n), .t4_o(t4_s), .h4_o(h4_n), .work4_o(wk4), .pin4_o(pin4), .cc4_o(cc4), .sample4_o(sample4), .lone4_o(lone4), .restart4_o(restart4),
    .probe4_o(probe4), .force4_o(force4), .tlp4_o(tlp4), .keep4_o(keep4), .tell4_o(tell4), .restart6_i(restart6_q),
    .probe6_i(probe6_q),
    .force6_i(force6_q), .tlp6_i(tlp6_q), .tell6_i(tell6_q), .save6_i(act6_q.save), .bare6_i(act6_q.save || ((act6_q.touch || act6_q.rack) && !h6.pin)),
    .sack6_i(kf6_q[2]), .h6_o(h6_s), .asked6_o(asked6),
    .returned6_i(ret6_q), .rto6_i(rto6), .pto6_i(pto6), .now6_i(now6_q),
    .qpn6_i(rec6_q.qpn), .slot6_i(12'(slot_q[6])), .h6_i(h6), .s6_i(s6), .t6_i(t6), .s6_o(s6_n), .rtx_at6_o(rtx_at6),
    .pto6_o(pto_n6),
    .ask_out6_o(ask_out6), .ask6_o(ask6), .fin6_o(fin6), .later6_o(later6), .ask_item6_o(askit6), .txack6_o(txack6), .txack_item6_o(txit6),
    .leave6_o(leave_n6)
  );
  weft_tcp_conn_rtt u_rtt (
    .clk_i, .v1_i(v_q[1]), .t1_i(t1), .now1_i(now1_q[41:10]), .v2_i(v_q[2]), .v3_i(v_q[3]), .v4_i(v_q[4]),
    .sample4_i(sample4), .lone4_i(lone4), .t4_i(t4_s), .t4_o(t4_n), .v5_i(v_q[5]), .weft5_i(r5.weft), .t5_i(t5),
    .alone5_i(alone5), .backoff6_i(s6.backoff), .rto6_o(rto6), .pto6_o(pto6)
  );
  assign cs4 = {s4.cwnd, s4.ssthresh, s4.cc_acc};
  weft_tcp_conn_cc #(.TEST_CWND(TEST_CWND)) u_cc (.clk_i, .valid_i(v_q[4]), .in_i(cc4), .state_i(cs4), .state_o(cs5));

  always_comb begin
    s5 = rec5_q.s;
    if (fin5) s5.events[weft_tcp_conn_pkg::EvFin] = 1'b1;
    s5.cwnd     = cs5.cwnd;
    s5.ssthresh = cs5.ssthresh;
    s5.cc_acc   = cs5.acc;
    r5 = rec5_q.r;
    if (here5) r5.fin_here = 1'b1;
    if (fin5) r5.fin_told = 1'b1;
    t5 = rec5_q.t;
  end
  assign flight5 = s5.snd_max - s5.una[31:0];
  assign alone5  = flight5 <= 32'(s5.mss) && !(s5.fast_rec && rec5_q.h.sacked != '0);
  assign s6 = rec6_q.s;
  assign r6 = rec6_q.r;
  assign t6 = rec6_q.t;
  assign h6 = rec6_q.h;
  weft_abi_pkg::home_rcv_t r6_n;
  weft_abi_pkg::home_tim_t t6_n;
  logic fin6, leave6, leave7_q, later6, later7_q;
  assign leave6 = act6_q.save && !ack_out6 && !ask_out6 && !h6.pin;
  assign pend6  = act6_q.rack_ok && h6.pin && !ask_out6;  // nothing more will be asked for
  always_comb begin
    r6_n          = r6;
    r6_n.need_ack = need6;
    t6_n          = t6;
    t6_n.ack_at   = ack_at6;
    t6_n.rtx_at   = rtx_at6;
    t6_n.pto      = pto_n6;
    if (s6.state != weft_abi_pkg::TCP_STATE_OPEN) begin
      t6_n.keep_at = '0;
      t6_n.reo_at  = '0;
    end
    h6_n          = h6_s;
    h6_n.ack_out  = ack_out6;
    h6_n.ask_out  = ask_out6;
    if (pend6) h6_n.pin = 1'b0;
    h6_n.n_sack   = n_sack6;
    h6_n.sack     = sack6;
    h6_n.opened   = opened6;
    {h6_n.ds, h6_n.ds_due, h6_n.ds_seq, h6_n.ds_len} = ds6;
    if (leave6) h6_n.live = 1'b0;
    if (txack6) h6_n.limit = txit6.limit[31:0];
  end

  always_ff @(posedge clk_i) begin
    if (v_q[4]) begin
      rec5_q     <= {rec4_q.qpn, h4_n, t4_n, r4_n, s4_n};
      wk5_q      <= wk4;
      pin5_q     <= pin4;
      act5_q     <= act4_q;
      now5_q     <= now4_q[57:10];
      kf5_q      <= kf4_q;
      restart5_q <= restart4;
      probe5_q   <= probe4;
      force5_q   <= force4;
      tlp5_q     <= tlp4;
      keep5_q    <= keep4;
      tell5_q    <= tell4;
      ret5_q     <= words4_q && dep4_q.v && dep4_q.ask;
      piece5_q   <= piece_push;
      arg5_q     <= arg4_q;
    end
    if (v_q[5]) begin
      rec6_q     <= {rec5_q.qpn, rec5_q.h, t5, r5, s5};
      act6_q     <= act5_q;
      wk6_q      <= wk5_q;
      pin6_q     <= pin5_q;
      now6_q     <= now5_q;
      kf6_q      <= kf5_q;
      restart6_q <= restart5_q;
      probe6_q   <= probe5_q;
      force6_q   <= force5_q;
      tlp6_q     <= tlp5_q;
      keep6_q    <= keep5_q;
      tell6_q    <= tell5_q;
      ret6_q     <= ret5_q;
      piece6_q   <= piece5_q;
      arg6_q     <= arg5_q;
    end
    if (v_q[6]) begin
      rec7_q   <= {rec6_q.qpn, h6_n, t6_n, r6_n, s6_n};
      act7_q   <= act6_q;
      wk7_q    <= wk6_q;
      if (asked6) begin
        wk7_q.v     <= 1'b1;
        wk7_q.asked <= 1'b1;
        wk7_q.from  <= askit6.from[31:0];
        wk7_q.to    <= askit6.to[31:0];
      end
      pin7_q   <= pin6_q;
      pend7_q  <= pend6;
      now7_q   <= now6_q;
      kf7_q    <= kf6_q;
      due7_q   <= due6;
      leave7_q <= leave6;
      later7_q <= later6;
      ask7_q   <= ask6;
      ask7d_q  <= askit6;
      txack7_q <= txack6;
      tx7d_q   <= txit6;
      leave_n7_q <= leave_n6;
      piece7_q <= piece6_q;
      arg7_q   <= arg6_q;
    end
  end

  // ---------------------------------------------------------------- stage 7: what leaves
  logic              live7, ev_push, ev_any, drain7;
  logic [3:0]        ev_sel;
  logic [7:0]        ev_one;
  weft_dp_pkg::who_t who7;
  assign s7     = rec7_q.s;
  assign r7     = rec7_q.r;
  assign t7     = rec7_q.t;
  assign h7     = rec7_q.h;
  assign live7  = v_q[7] && (h7.live || leave7_q);
  assign sv_again = v_q[7] && act7_q.save && !leave7_q;
  assign who7   = {rec7_q.qpn, 12'(slot_q[7])};
  assign drain7 = v_q[7] && act7_q.drain;
  assign ev_any = live7 && !act7_q.save && s7.events != '0 && ev7_q && !drain7;
  assign ev_one = s7.events & (~s7.events + 8'd1);
  assign ev_push = drain7 || ev_any;
  weft_abi_pkg::home_snd_t s7_n;
  always_comb begin
    s7_n        = s7;
    if (ev_any) s7_n.events = s7.events & ~ev_one;
    rec7_w      = rec7_q;
    rec7_w.s    = s7_n;
  end

  weft_dp_pkg::ctx_ev_t ev;
  always_comb begin
    ev       = '0;
    ev.qpn   = rec7_q.qpn;
    ev.kind  = weft_abi_pkg::FW_EV_TX_TIMEOUT;
    ev.data0 = s7.una[31:0];
    ev.data1 = s7.una[63:32];
    ev_sel   = ev_one[3:0];
    if (drain7) begin
      ev.kind  = weft_abi_pkg::FW_EV_DRAINED;
      ev.code  = 16'd1;
      ev.data0 = 32'(arg7_q);
      ev.data1 = '0;
    end else if (ev_sel[weft_tcp_conn_pkg::EvFin]) begin
      ev.kind  = weft_abi_pkg::FW_EV_RX_FIN;
      ev.data0 = r7.committed[31:0];
      ev.data1 = r7.committed[63:32];
    end else if (ev_sel[weft_tcp_conn_pkg::EvReset]) ev.kind = weft_abi_pkg::FW_EV_TCP_RESET;
    else if (ev_sel[weft_tcp_conn_pkg::EvTimeout]) ev.code = '0;
    else if (ev_sel[weft_tcp_conn_pkg::EvAcked]) ev.kind = weft_abi_pkg::FW_EV_ACKED;
    else if (ev_one[weft_tcp_conn_pkg::EvHoldOver]) ev.kind = weft_abi_pkg::FW_EV_HOLD_OVER;
    else ev.code = 16'd1;
  end
  weft_fifo #(.W(EvW), .DEPTH(32)) u_events (
    .clk_i, .rst_ni, .in_valid_i(ev_push), .in_ready_o(), .in_data_i(ev), .out_valid_o(ev_valid_o), .out_ready_i(ev_ready_i),
    .out_data_o(ev_o), .count_o(ev_n)
  );
  logic draining_q;
  assign drain_ok = !draining_q && ev_n <= 6'd20;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) draining_q <= 1'b0;
    else draining_q <= (cmd_valid_i && cmd_ready_o && cmd_i.op == weft_dp_pkg::OpDrain) || (draining_q && !drain7);
  end

  assign txack_valid_o  = live7 && txack7_q;
  assign txack_o        = tx7d_q;
  assign ask_valid_o    = live7 && ask7_q;
  assign ask_o          = ask7d_q;
  assign ackdue_valid_o = live7 && due7_q.due;
  always_comb begin
    ackdue_o.who  = who7;
    ackdue_o.kind = due7_q.fin ? weft_dp_pkg::DueFin : due7_q.keep ? weft_dp_pkg::DueProbe
                    : due7_q.plain ? weft_dp_pkg::DuePure : weft_dp_pkg::DueAck;
    ackdue_o.off  = due7_q.fin ? s7.una : due7_q.keep ? s7.una - 64'd1 : '0;
  end
  logic [31:0] flight7;
  assign flight7        = s7.snd_max - s7.una[31:0];
  assign open_valid_o   = v_q[7] && act7_q.load;
  assign open_slot_o    = 12'(slot_q[7]);
  assign open_snd_max_o = s7.una + 64'(flight7);
  assign view_valid_o   = live7;
  assign view_who_o     = who7;
  always_comb begin
    view_o           = '0;
    view_o.open      = s7.state == weft_abi_pkg::TCP_STATE_OPEN && !leave7_q;
    view_o.seq0      = s7.seq0;
    view_o.rcv_nxt   = r7.seq0 + r7.committed[31:0] + 32'(r7.fin && r7.committed[31:0] == r7.rcv_nxt);
    view_o.edge_seq  = r7.seq0 + r7.right;
    view_o.wscale    = s7.wscale ? r7_shift : '0;
    view_o.limit     = s7.una + 64'(leave_n7_q);
    view_o.mss       = s7.mss;
    view_o.gen       = s7.gen;
    view_o.ts        = kf7_q[1];
    view_o.ts_off    = s7.ts_off;
    view_o.ts_recent = r7.ts_recent;
    view_o.ece       = r7.ece;
    view_o.cwr       = s7.cwr;
    n7               = told7 + 3'(h7.ds);
    view_o.n_sack    = !kf7_q[2] ? 2'd0 : n7 > 3'd3 ? 2'd3 : n7[1:0];
    for (int unsigned i = 0; i < 3; i++) begin
      if (3'(i) < told7 && kf7_q[2]) begin
        view_o.sack[64*i+:64] = {r7.seq0 + sack7[64*i+:32], r7.seq0 + sack7[64*i+32+:32]};
      end
    end
    if (h7.ds && kf7_q[2]) view_o.sack = {view_o.sack[127:0], h7.ds_seq, h7.ds_seq + 32'(h7.ds_len)};
  end
  // A range that is next will be acknowledged in a moment. Told of behind an ACK that ends where it begins, a sender takes it for reneging
  // (RFC 2018 8). There is one such at most, so each block that is told is one of two.
  logic [3:0]   next7;
  logic [191:0] sack7;
  logic [2:0]   told7;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) next7[i] = 3'(i) < h7.n_sack && !(32'(h7.sack[64*i+:32] - r7.committed[31:0]) - 32'd1 < 32'h7fff_ffff);
    told7 = h7.n_sack - 3'(|next7);
    for (int unsigned i = 0; i < 3; i++) sack7[64*i+:64] = |(next7 & 4'((5'd2 << i) - 5'd1)) ? h7.sack[64*(i+1)+:64] : h7.sack[64*i+:64];
  end
  logic [3:0] r7_shift;
  logic [2:0] n7;
  assign r7_shift = s7.rcv_shift;

  // Pins: those of a segment, a timer, a command end, those of an ACK and an ask begin.
  logic       drop_pipe;
  logic [3:0] drop_n;
  assign drop_n       = 4'((act7_q.seg && !piece7_q) || act7_q.timer || act7_q.cmd) + 4'(live7 && pend7_q) - 4'(live7 && pin7_q)
                        - 4'(live7 && due7_q.due)
                        - 4'(live7 && ask7_q);
  assign drop_pipe    = v_q[7] && drop_n != '0;
  assign drop_valid_o = drop_pipe || (over_v && over_r);
  assign drop_slot_o  = drop_pipe ? 12'(slot_q[7]) : 12'(over_slot);
  assign drop_n_o     = drop_pipe ? drop_n : 4'd1;

  // ---------------------------------------------------------------- loss detection
  weft_tcp_conn_pkg::rack_conn_t rc7;
  weft_tcp_conn_pkg::rack_work_t wk7;
  always_comb begin
    rc7.qpn     = rec7_q.qpn;
    rc7.seq     = h7.seq;
    rc7.rto_rec = s7.rto_rec;
    rc7.una     = s7.una[31:0];
    rc7.smax    = s7.snd_max;
    rc7.seq0    = s7.seq0;
    rc7.recover = s7.recover;
    rc7.srtt    = t7.srtt;
    rc7.min_rtt = t7.min_rtt;
    wk7         = wk7_q;
    wk7.v       = wk7_q.v && !leave7_q;
  end
  weft_tcp_rack #(.N_SLOT(N_SLOT)) u_rack (
    .clk_i, .rst_ni, .ready_o(ready_rack), .now_i(now[31:0]), .departed_valid_i, .departed_i, .conn_valid_i(live7),
    .conn_slot_i(slot_q[7]), .conn_i(rc7), .work_i(wk7), .clr_i(clr), .clr_slot_i(clr_slot[SlW-1:0]), .clr_done_o(clr_rack),
    .out_valid_o(rk_v), .out_ready_i(rk_r), .out_slot_o(rk_slot), .out_o(rk), .idle_o(idle_rack), .stat_lost_o(stat_loss_o), .stat_dsack_o,
    .stat_halve_o(), .stat_forgot_o()
  );

  // ---------------------------------------------------------------- behind it: the earliest deadline, lines
  logic        save8_q, set8_q;
  logic [23:0] qpn8_q;
  logic [47:0] early8_q, keep8_q, keep7, at8;
  assign keep7 = later7_q ? now7_q : s7_n.events != '0 ? now7_q + 48'(EvRetry) : t7.keep_at;
  logic [2047:0] lines8_q;
  weft_dp_pkg::who_t who8_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) set8_q <= 1'b0;
    else set8_q <= live7;
  end
  always_ff @(posedge clk_i) begin
    if (v_q[6]) tag7_q <= arg6_q[1:0];
    if (live7) begin
      save8_q  <= leave7_q;
      qpn8_q   <= rec7_q.qpn;
      early8_q <= t7.rtx_at == '0 || (t7.ack_at != '0 && t7.ack_at < t7.rtx_at) ? t7.ack_at : t7.rtx_at;
      keep8_q  <= keep7 == '0 || (t7.reo_at != '0 && t7.reo_at < keep7) ? t7.reo_at : keep7;
      who8_q   <= who7;
      if (leave7_q) lines8_q <= {t7, r7, s7_n, key_save_q};
    end
  end
  assign at8     = early8_q == '0 || (keep8_q != '0 && keep8_q < early8_q) ? keep8_q : early8_q;
  assign sv_end  = set8_q && save8_q;
  assign sv_who  = who8_q;
  assign sv_lines = lines8_q;
  logic [1:0] tag8_q;
  always_ff @(posedge clk_i) tag8_q <= tag7_q;
  assign sv_tag = tag8_q;
  assign ld_end = v_q[7] && act7_q.load;

  weft_tcp_conn_timer #(.N_SLOT(N_SLOT)) u_timer (
    .clk_i, .rst_ni, .ready_o(ready_tmr), .now_i(now), .set_valid_i(set8_q), .set_save_i(save8_q), .set_slot_i(slot_q[8]),
    .set_qpn_i(qpn8_q), .set_at_i(at8), .save_heard_o(tmr_heard), .tmr_valid_o, .tmr_ready_i, .tmr_o, .fire_valid_i,
    .fire_ready_o, .fire_qpn_i, .need_valid_o, .need_ready_i, .need_o, .have_valid_i, .have_i, .item_valid_o(tm_v),
    .item_ready_i(tm_r), .item_who_o(tm_who), .idle_o(idle_tmr)
  );

  assign idle_o = ready_o && idle_words && idle_pipe && idle_tmr && idle_home && idle_rack && v_q == '0 && !piece_valid_o && !falsehit_valid_o
                  && !free_valid_o && !ev_valid_o && !over_v && !seg_valid_i && !cmd_valid_i;

  assign stat_seg_o   = v_q[4] && act4_q.seg;
  assign stat_lost_o  = v_q[4] && dec4.lost;
  assign stat_bad_o   = v_q[4] && dec4.vd == weft_tcp_conn_pkg::VdAck;
  assign stat_chal_o  = v_q[4] && dec4.vd == weft_tcp_conn_pkg::VdChal;
  assign stat_false_o = fh_push;
  assign stat_rto_o   = v_q[4] && act4_q.timer && restart4;
  assign stat_touch_o = v_q[4] && act4_q.touch;

`ifndef SYNTHESIS
  initial if (N_SLOT < 4 || N_SLOT > 4096 || (N_SLOT & (N_SLOT - 1)) != 0) $fatal(1, "weft_tcp_conn: N_SLOT");
  initial if (PIECES < 8) $fatal(1, "weft_tcp_conn: PIECES");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(fr_v && !fr_r)) else $error("%m: a frame is not freed");
      assert (!(ev_push && ev_n[5])) else $error("%m: an event is lost");
      assert (!(piece_push && 32'(piece_n) == PIECES)) else $error("%m: a piece is lost");
    end
  end
`endif
  // Upper halves, tags and reserved bits.
  logic unused;
  assign unused = ^{clr_slot, fr_r, it4_q, act7_q, seg4, now4_q, snd_max_i, snd_max_slot_i,
                    r4, ev4_q, kf7_q, h7, w1, s3, r3, t3, head, s7, r7, t7};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
