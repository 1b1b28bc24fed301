// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Room ctx: which connections are home. N_QP connections have their homes in host memory, N_SLOT of them
/// are on chip; the rooms ask (`need`), hold pins, and drop them. See docs/datapath.md, "ctx".
///
/// The rooms' lines of a home pass through here and are not looked at. A fill gives every line to its
/// room (ROOM_OF) before anybody hears of the arrival; a write-back asks the rooms only when no pin is
/// out, so nothing of the connection is in any pipe or queue then.
module weft_ctx #(
  parameter int unsigned DATA_W = 128,   ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 1024,    ///< connections, power of two, 4 to 262144
  parameter int unsigned N_SLOT = 256,   ///< slots, power of two, 4 to 4096, at most N_QP
  parameter int unsigned N_MISS = 64,    ///< fills under way, power of two, 4 to 64
  parameter int unsigned N_NEED = 4,     ///< clients that ask; number 0 is the look-up of frames
  parameter int unsigned N_DROP = 4,     ///< who drop pins
  parameter int unsigned N_ROOM = 4,     ///< who keep lines, 2 to 8
  parameter int unsigned FREE_LOW = 8,   ///< slots that are kept free ahead of need
  parameter logic [23:0] ROOM_OF = 24'o32110000,  ///< room of each line, line 0 in bits 2:0
  parameter int unsigned SIEGE_SHIFT = 27,   ///< weft_ctx_siege
  parameter int unsigned SIEGE_LIMIT = 64,
  parameter int unsigned SIEGE_REST = 65535,
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned ChW = N_QP > 2048 ? $clog2(N_QP) - 10 : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  output logic                    ready_o,         ///< the sweep after reset is over

  // firmware
  input  logic                    chunk_we_i,      ///< homes of QPNs 1024 * idx to 1024 * idx + 1023
  input  logic [ChW-1:0]          chunk_idx_i,
  input  logic                    chunk_valid_i,
  input  logic [63:0]             chunk_addr_i,    ///< 2 MiB aligned
  input  logic                    cmd_valid_i,
  output logic                    cmd_ready_o,     ///< taken; several of different connections may be under way
  input  logic [2:0]              cmd_i,           ///< weft_ctx_pkg, "Commands"
  input  logic [23:0]             cmd_qpn_i,
  output logic                    ans_valid_o,     ///< pulse: the answer to one of them. Saves take their time
  output logic [2:0]              ans_o,           ///< which command
  output logic [23:0]             ans_qpn_o,
  output logic                    ans_ok_o,        ///< done; else the connection was not in a state that allows it

  input  logic [N_NEED-1:0]       need_valid_i,
  output logic [N_NEED-1:0]       need_ready_o,
  input  logic [N_NEED*25-1:0]    need_i,          ///< weft_dp_pkg::need_t each
  output logic [N_NEED-1:0]       have_valid_o,    ///< pulse, two cycles later
  output weft_dp_pkg::have_t      have_o,
  output logic                    arrive_valid_o,  ///< pulse, to all
  output weft_dp_pkg::arrive_t    arrive_o,
  /// The frames that waited for this miss were sent on (`resume` in their look-ups), in order. Said
  /// while no look-up of client 0 is under way, so that none is told `coming` behind it.
  input  logic                    resumed_valid_i,
  output logic                    resumed_ready_o,
  input  logic [23:0]             resumed_qpn_i,
  input  logic [5:0]              resumed_miss_i,
  input  logic [N_DROP-1:0]       drop_valid_i,    ///< pulse: pins are dropped (or, n negative, taken on)
  input  logic [N_DROP*12-1:0]    drop_slot_i,
  input  logic [N_DROP*4-1:0]     drop_n_i,        ///< two's complement

  // siege
  input  logic [63:0]             now_ns_i,
  input  logic                    gate_i,          ///< somebody is kept from sending by those that are in slots
  input  logic                    ack_valid_i,     ///< pulse: what is acknowledged to us
  input  logic [11:0]             ack_slot_i,
  input  logic [31:0]             ack_una_i,
  input  logic                    move_valid_i,    ///< pulse: bytes of the peer were delivered
  input  logic [11:0]             move_slot_i,
  output logic                    held_valid_o,    ///< it keeps its slot without moving, and others have waited
  input  logic                    held_ready_i,
  output logic [23:0]             held_qpn_o,

  output logic [N_ROOM-1:0]       load_valid_o,
  input  logic [N_ROOM-1:0]       load_ready_i,
  output logic [N_ROOM*553-1:0]   load_o,          ///< weft_dp_pkg::line_t each: lines of a home, one room behind the other
  output logic [N_ROOM-1:0]       save_valid_o,
  input  logic [N_ROOM-1:0]       save_ready_i,
  output logic [N_ROOM*38-1:0]    save_o,          ///< weft_dp_pkg::save_t each
  input  logic [N_ROOM-1:0]       line_valid_i,    ///< lines of a save, in any order
  output logic [N_ROOM-1:0]       line_ready_o,
  input  logic [N_ROOM*553-1:0]   line_i,          ///< weft_dp_pkg::line_t each

  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    rd_valid_i,
  output logic                    rd_ready_o,
  input  logic [DATA_W-1:0]       rd_data_i,
  input  logic                    rd_last_i,
  input  logic                    rd_err_i,
  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  output logic                    idle_o,
  output logic                    stat_hit_o,
  output logic                    stat_miss_o,
  output logic                    stat_busy_o,
  output logic                    stat_evict_o,
  output logic                    stat_wait_o,     ///< a connection that goes still had pins
  output logic                    stat_held_o      ///< one that keeps its slot was named
);

  localparam int unsigned QpW = $clog2(N_QP);
  localparam int unsigned SlW = $clog2(N_SLOT);
  localparam int unsigned MiW = $clog2(N_MISS);

  // ---------------------------------------------------------------- sweep of the counters and chunks
  logic           clr_q, dir_ready;
  logic [SlW-1:0] clr_idx_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clr_q     <= 1'b1;
      clr_idx_q <= '0;
    end else if (clr_q) begin
      clr_idx_q <= clr_idx_q + SlW'(1);
      clr_q     <= clr_idx_q != '1;
    end
  end
  assign ready_o = dir_ready && !clr_q;

  // ---------------------------------------------------------------- operations on the directory
  localparam int unsigned Fill = 0, Evict = 1, Resume = 2, Cmd = 3;
  logic [3:0]          op_req, op_gnt;
  logic [3:0][3:0]     op_kind;
  logic [3:0][QpW-1:0] op_qpn;
  logic [3:0][SlW-1:0] op_slot;
  logic [3:0][MiW-1:0] op_miss;
  logic [1:0]          op_idx;
  logic                op_any, op_ready, done, done_frames, done_ok, take, fill, fill_wait, miss_free;
  logic [3:0]          done_op;
  logic [2:0]          done_was;
  logic [QpW-1:0]      done_qpn, fill_qpn;
  logic [SlW-1:0]      done_slot, done_at, take_slot;
  logic [MiW-1:0]      done_miss, fill_miss, miss_free_idx;
  logic [1:0]          fill_class;
  logic                promo, for_fw;
  logic                dir_idle;
  weft_arb_rr #(.N(4)) u_ops (
    .clk_i, .rst_ni, .req_i(op_req), .advance_i(op_ready), .valid_o(op_any), .gnt_o(op_gnt), .idx_o(op_idx)
  );
  weft_ctx_dir #(.N_QP(N_QP), .N_SLOT(N_SLOT), .N_MISS(N_MISS), .N_NEED(N_NEED)) u_dir (
    .clk_i, .rst_ni, .ready_o(dir_ready),
    .need_valid_i(need_valid_i & {N_NEED{!clr_q}}), .need_ready_o(need_rdy), .need_i, .have_valid_o, .have_o,
    .op_valid_i(op_any), .op_ready_o(op_ready), .op_i(op_kind[op_idx]), .op_qpn_i(op_qpn[op_idx]),
    .op_slot_i(op_slot[op_idx]), .op_miss_i(op_miss[op_idx]),
    .done_valid_o(done), .done_op_o(done_op), .done_qpn_o(done_qpn), .done_slot_o(done_slot), .done_at_o(done_at),
    .done_was_o(done_was), .done_frames_o(done_frames), .done_miss_o(done_miss), .done_ok_o(done_ok),
    .take_o(take), .take_slot_o(take_slot), .fill_o(fill), .fill_wait_o(fill_wait), .fill_miss_o(fill_miss),
    .fill_qpn_o(fill_qpn), .fill_class_o(fill_class), .promo_o(promo), .miss_free_i(miss_free), .miss_free_idx_i(miss_free_idx),
    .idle_o(dir_idle), .stat_hit_o, .stat_miss_o, .stat_busy_o
  );
  logic [N_NEED-1:0] need_rdy;
  assign need_ready_o = need_rdy & {N_NEED{!clr_q}};

  assign op_req[Resume]  = resumed_valid_i;
  assign resumed_ready_o = op_ready && op_gnt[Resume];
  assign op_kind[Resume] = weft_ctx_pkg::OpResumed;
  assign op_qpn[Resume]  = resumed_qpn_i[QpW-1:0];
  assign op_slot[Resume] = '0;
  assign op_miss[Resume] = resumed_miss_i[MiW-1:0];
  assign op_miss[Evict]  = '0;

  // The miss that an operation named, beside its end.
  logic [1:0][MiW-1:0] named_q;
  always_ff @(posedge clk_i) named_q <= {named_q[0], op_miss[op_idx]};

  // ---------------------------------------------------------------- arrivals
  // A held connection that is destroyed takes its frames with it.
  logic came, came_not;
  assign came_not = done_op == weft_ctx_pkg::OpLost
                    || (done_op == weft_ctx_pkg::OpDestroy && done_was == weft_ctx_pkg::StHeld);
  assign came     = done && (done_op == weft_ctx_pkg::OpArrive || came_not
                             || (done_op == weft_ctx_pkg::OpBack && done_was == weft_ctx_pkg::StComing));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) arrive_valid_o <= 1'b0;
    else arrive_valid_o <= came;
  end
  always_ff @(posedge clk_i) begin
    arrive_o          <= '0;
    arrive_o.who.qpn  <= 24'(done_qpn);
    arrive_o.who.slot <= 12'(done_slot);
    arrive_o.miss     <= 6'(done_miss);
    arrive_o.frames   <= done_frames;
    arrive_o.ok       <= !came_not;
  end
  assign miss_free     = (came && !done_frames) || (done && done_op == weft_ctx_pkg::OpResumed);
  assign miss_free_idx = done_op == weft_ctx_pkg::OpResumed ? named_q[1] : done_miss;

  // ---------------------------------------------------------------- pins
  logic [SlW-1:0]         look;
  logic [11:0]            taken;
  logic [N_DROP-1:0][11:0] dropped;
  logic [11:0]            drop_sum, drop_sum_q;
  weft_ctx_count #(.N(N_SLOT), .W(12), .ADD_W(4)) u_taken (
    .clk_i, .rst_ni, .clear_i(clr_q), .clear_idx_i(clr_idx_q), .add_i(take), .add_idx_i(take_slot), .add_n_i(4'd1),
    .look_idx_i(look), .look_o(taken)
  );
  for (genvar k = 0; k < N_DROP; k++) begin : gen_drop
    weft_ctx_count #(.N(N_SLOT), .W(12), .ADD_W(4)) u_dropped (
      .clk_i, .rst_ni, .clear_i(clr_q), .clear_idx_i(clr_idx_q), .add_i(drop_valid_i[k]),
      .add_idx_i(drop_slot_i[12*k+:SlW]), .add_n_i(drop_n_i[4*k+:4]), .look_idx_i(look), .look_o(dropped[k])
    );
  end
  always_comb begin
    drop_sum = '0;
    for (int unsigned k = 0; k < N_DROP; k++) drop_sum = drop_sum + dropped[k];
  end
  always_ff @(posedge clk_i) drop_sum_q <= drop_sum;

  // ---------------------------------------------------------------- homes
  localparam int unsigned HomeW = 64 - 21 + 1;
  logic [1:0]           h_re, h_ok;
  logic [1:0][QpW-1:0]  h_qpn, h_qpn_q;
  logic [1:0][63:0]     h_addr;
  logic [1:0][ChW-1:0]  h_idx;
  for (genvar r = 0; r < 2; r++) begin : gen_home
    logic [HomeW-1:0] ent;
    if (N_QP > 2048) begin : gen_many
      assign h_idx[r] = h_qpn[r][QpW-1:10];
    end else begin : gen_few
      assign h_idx[r] = ChW'(32'(h_qpn[r]) >> 10);
    end
    weft_ram_1r1w #(.W(HomeW), .DEPTH(1 << ChW)) u_chunk (
      .clk_i, .we_i(!dir_ready || chunk_we_i), .waddr_i(!dir_ready ? sweep_q : chunk_idx_i),
      .wdata_i(!dir_ready ? '0 : {chunk_valid_i, chunk_addr_i[63:21]}), .re_i(h_re[r]), .raddr_i(h_idx[r]), .rdata_o(ent)
    );
    always_ff @(posedge clk_i) if (h_re[r]) h_qpn_q[r] <= h_qpn[r];
    assign h_ok[r]   = ent[HomeW-1];
    assign h_addr[r] = {ent[HomeW-2:0], 10'(h_qpn_q[r]), 11'd0};
  end
  // The directory's sweep takes longer than this one.
  logic [ChW-1:0] sweep_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sweep_q <= '0;
    else sweep_q <= sweep_q + ChW'(1);
  end

  // ---------------------------------------------------------------- free slots
  logic [SlW:0]   fresh_q, free_q;
  logic           fs_iv, fs_v, slot_v, slot_r, lost, lost_q, gone;
  logic [SlW-1:0] fs_in, fs, slot, lost_slot, lost_slot_q, gone_slot;
  assign fs_iv  = gone || lost_q;
  assign fs_in  = gone ? gone_slot : lost_slot_q;
  assign slot_v = ready_o && (!fresh_q[SlW] || fs_v);
  assign slot   = !fresh_q[SlW] ? fresh_q[SlW-1:0] : fs;
  weft_fifo #(.W(SlW), .DEPTH(N_SLOT)) u_slots (
    .clk_i, .rst_ni, .in_valid_i(fs_iv), .in_ready_o(), .in_data_i(fs_in),
    .out_valid_o(fs_v), .out_ready_i(slot_r && fresh_q[SlW]), .out_data_o(fs), .count_o()
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= '0;
      free_q  <= (SlW + 1)'(N_SLOT);
      lost_q  <= 1'b0;
    end else begin
      if (slot_r && !fresh_q[SlW]) fresh_q <= fresh_q + (SlW + 1)'(1);
      free_q <= free_q + (SlW + 1)'(fs_iv) - (SlW + 1)'(slot_r);
      lost_q <= lost || (lost_q && gone);
    end
  end
  always_ff @(posedge clk_i) if (lost) lost_slot_q <= lost_slot;

  // ---------------------------------------------------------------- fill, evict
  logic         fill_idle, evict_idle;
  logic [MiW:0] want;
  weft_ctx_fill #(.DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_MISS(N_MISS), .N_ROOM(N_ROOM), .ROOM_OF(ROOM_OF)) u_fill (
    .clk_i, .rst_ni, .fill_i(fill), .fill_wait_i(fill_wait), .fill_miss_i(fill_miss), .fill_qpn_i(fill_qpn),
    .fill_class_i(fill_class), .promo_i(promo),
    .go_i(done && ((done_op == weft_ctx_pkg::OpGone && done_was == weft_ctx_pkg::StComing)
                   || (done_op == weft_ctx_pkg::OpRelease && done_ok))), .go_miss_i(done_miss),
    .want_o(want), .short_o(short), .slot_last_i(free_q <= (SlW + 1)'(1)), .slot_valid_i(slot_v), .slot_ready_o(slot_r), .slot_i(slot), .slot_free_o(lost),
    .slot_free_idx_o(lost_slot),
    .home_re_o(h_re[0]), .home_qpn_o(h_qpn[0]), .home_ok_i(h_ok[0]), .home_addr_i(h_addr[0]),
    .rd_req_valid_o, .rd_req_ready_i, .rd_req_o, .rd_valid_i, .rd_ready_o, .rd_data_i, .rd_last_i, .rd_err_i,
    .line_valid_o(load_valid_o), .line_ready_i(load_ready_i), .line_o(load_o),
    .op_valid_o(op_req[Fill]), .op_ready_i(op_ready && op_gnt[Fill]), .op_o(op_kind[Fill]), .op_qpn_o(op_qpn[Fill]),
    .op_slot_o(op_slot[Fill]), .op_miss_o(op_miss[Fill]), .came_miss_i(done_miss), .for_fw_o(for_fw), .idle_o(fill_idle)
  );
  logic           save_v, save_r, saved, saved_ok, saved_busy;
  logic [QpW-1:0] saved_qpn;
  weft_ctx_evict #(
    .DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_MISS(N_MISS), .N_ROOM(N_ROOM), .FREE_LOW(FREE_LOW)
  ) u_evict (
    .clk_i, .rst_ni, .ready_i(ready_o), .free_i(free_q), .want_i(want), .look_i(look_round), .at_valid_o(at_v), .at_slot_o(at_slot),
    .at_pinned_o(at_pinned), .at_qpn_o(at_qpn),
    .save_valid_i(save_v), .save_ready_o(save_r), .save_qpn_i(cmd_qpn_i[QpW-1:0]),
    .saved_valid_o(saved), .saved_qpn_o(saved_qpn), .saved_ok_o(saved_ok),
    .saved_busy_o(saved_busy),
    .look_slot_o(look), .taken_i(taken), .dropped_i(drop_sum_q),
    .set_i(done && done_op == weft_ctx_pkg::OpArrive), .set_slot_i(done_slot), .set_qpn_i(done_qpn),
    .keep_i(came && !came_not && for_fw), .use_i(take), .use_slot_i(take_slot),
    .op_valid_o(op_req[Evict]), .op_ready_i(op_ready && op_gnt[Evict]), .op_o(op_kind[Evict]), .op_qpn_o(op_qpn[Evict]),
    .op_slot_o(op_slot[Evict]), .done_valid_i(done), .done_op_i(done_op), .done_was_i(done_was), .done_at_i(done_at),
    .out_valid_o(save_valid_o), .out_ready_i(save_ready_i), .out_o(save_o), .line_valid_i, .line_ready_o, .line_i,
    .home_re_o(h_re[1]), .home_qpn_o(h_qpn[1]), .home_ok_i(h_ok[1]), .home_addr_i(h_addr[1]),
    .wr_valid_o, .wr_ready_i, .wr_hdr_o, .wr_data_o, .wr_cnt_o, .wr_last_o,
    .free_o(gone), .free_slot_o(gone_slot), .idle_o(evict_idle), .stat_evict_o, .stat_wait_o
  );

  // ---------------------------------------------------------------- who keeps a slot that others wait for
  logic           short, look_round, at_v, at_pinned;
  logic [SlW-1:0] at_slot;
  logic [QpW-1:0] at_qpn, held_qpn;
  weft_ctx_siege #(.QP_W(QpW), .N_SLOT(N_SLOT), .SHIFT(SIEGE_SHIFT), .LIMIT(SIEGE_LIMIT), .REST(SIEGE_REST)) u_siege (
    .clk_i, .rst_ni, .now_ns_i, .wait_i(short || gate_i), .look_o(look_round), .at_valid_i(at_v), .at_slot_i(at_slot),
    .at_pinned_i(at_pinned), .at_qpn_i(at_qpn), .set_i(done && done_op == weft_ctx_pkg::OpArrive), .set_slot_i(done_slot),
    .ack_i(ack_valid_i), .ack_slot_i(ack_slot_i[SlW-1:0]), .ack_una_i, .move_i(move_valid_i), .move_slot_i(move_slot_i[SlW-1:0]),
    .held_valid_o, .held_ready_i, .held_qpn_o(held_qpn), .stat_held_o
  );
  assign held_qpn_o = 24'(held_qpn);

  // ---------------------------------------------------------------- firmware
  // Saves wait in u_evict, the others pass the directory. Its answers come a cycle apart from a save's, as both are
  // ends of operations of the directory.
  logic       cmd_save, cmd_dir, cmd_done;
  logic [3:0] cmd_op;
  assign cmd_save = cmd_i == weft_ctx_pkg::CmdSave;
  assign cmd_dir  = cmd_i == weft_ctx_pkg::CmdCreate || cmd_i == weft_ctx_pkg::CmdDestroy || cmd_i == weft_ctx_pkg::CmdHold
                    || cmd_i == weft_ctx_pkg::CmdRelease;
  assign op_req[Cmd]  = cmd_valid_i && cmd_dir && ready_o;
  assign op_qpn[Cmd]  = cmd_qpn_i[QpW-1:0];
  assign op_slot[Cmd] = '0;
  assign op_miss[Cmd] = '0;
  assign op_kind[Cmd] = cmd_op;
  always_comb begin
    unique case (cmd_i)
      weft_ctx_pkg::CmdCreate:  cmd_op = weft_ctx_pkg::OpCreate;
      weft_ctx_pkg::CmdHold:    cmd_op = weft_ctx_pkg::OpHold;
      weft_ctx_pkg::CmdRelease: cmd_op = weft_ctx_pkg::OpRelease;
      default:                  cmd_op = weft_ctx_pkg::OpDestroy;
    endcase
  end
  assign save_v      = cmd_valid_i && cmd_save && ready_o;
  assign cmd_ready_o = ready_o && (cmd_save ? save_r : cmd_dir ? op_ready && op_gnt[Cmd] : 1'b1);
  assign cmd_done    = done && (done_op == weft_ctx_pkg::OpCreate || done_op == weft_ctx_pkg::OpDestroy
                                || done_op == weft_ctx_pkg::OpHold || done_op == weft_ctx_pkg::OpRelease);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ans_valid_o <= 1'b0;
    else ans_valid_o <= cmd_done || saved;
  end
  always_ff @(posedge clk_i) begin
    ans_qpn_o <= cmd_done ? 24'(done_qpn) : 24'(saved_qpn);
    ans_ok_o  <= cmd_done ? done_ok : saved_ok;
    unique case (done_op)
      weft_ctx_pkg::OpCreate:  ans_o <= weft_ctx_pkg::CmdCreate;
      weft_ctx_pkg::OpHold:    ans_o <= weft_ctx_pkg::CmdHold;
      weft_ctx_pkg::OpRelease: ans_o <= weft_ctx_pkg::CmdRelease;
      weft_ctx_pkg::OpDestroy: ans_o <= weft_ctx_pkg::CmdDestroy;
      default:                 ans_o <= saved_busy ? weft_ctx_pkg::CmdBusy : weft_ctx_pkg::CmdSave;
    endcase
  end

  assign idle_o = ready_o && dir_idle && fill_idle && evict_idle && !op_any && !arrive_valid_o && !ans_valid_o && !cmd_valid_i
                  && drop_valid_i == '0;

`ifndef SYNTHESIS
  initial begin
    if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) $fatal(1, "weft_ctx: DATA_W");
    if (N_SLOT > N_QP) $fatal(1, "weft_ctx: N_SLOT");
    if (N_ROOM < 2 || N_ROOM > 8) $fatal(1, "weft_ctx: N_ROOM");
    if (FREE_LOW < 1 || FREE_LOW > N_SLOT / 2) $fatal(1, "weft_ctx: FREE_LOW");
  end
`endif
  // Upper bits of numbers that are narrower here.
  logic unused;
  assign unused = ^{ack_slot_i, move_slot_i, cmd_qpn_i, resumed_qpn_i, resumed_miss_i, chunk_addr_i[20:0], drop_slot_i, named_q};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
