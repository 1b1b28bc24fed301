// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Room mpa, receiving side: pieces of streams in, whole FPDUs out (docs/datapath.md, "Receive";
/// RFC 5044).
///
/// A piece's bytes are asked for in the cycle in which it comes, and everything that concerns a
/// connection (pieces,
/// loads, saves, commands, refusals) goes through one queue in the order of the bytes; so the
/// record of a slot is in one hand,
/// and nothing that was decided for a piece can be overtaken. What waits here waits for the FPDU
/// store's blocks or
/// for rdmap.
///
/// What of a piece makes no whole FPDU, what follows it, and what rdmap refused goes to a ring of
/// the connection in host
/// memory, counts as stored, and comes back as if it were a piece when its FPDU is whole; when the
/// ring is empty, pieces
/// go direct again. Without a free ring such bytes are dropped by `unacc`: bytes are lost, never
/// connections. A ring that a
/// connection has is given back when it is empty and rdmap is done with what came out of it (so that it can be refused), or when
/// the connection is dead (OpSetState before a destroy). An FPDU that stays incomplete in a ring is told by event RX_STALLED, once
/// (weft_mpa_watch), and so is one that was refused and keeps a ring while others find none; its connection goes on until firmware ends it.
/// A quarter of the rings is never taken for what was refused. What came direct and was refused goes through a ring when it comes again.
///
/// Pieces ahead of turn are kept in the ring too, told as stored ahead, and next when the bytes before them have come. One that is a whole RDMA Write, of a
/// peer that promises ALIGNED, goes to the FPDU store at once (rx_i `ahead`): when rdmap has placed it (`placed`) it is told and next in the same way,
/// and nothing of it is in the ring. It is let go in silence when its CRC is wrong, or when rdmap does not answer.
///
/// Not yet: aligned pieces held while
/// the ring runs empty; FPDUs beyond
/// FPDU_MAX (a fault, MpaLength); shares of rings for each function; pages taken back by the driver.
// lint: -GDATA_W=128 -GN_SLOT=256 -GBLOCKS=64 -GBEATS=32
module weft_mpa_in #(
  parameter int unsigned DATA_W = 64,       ///< 64, 128, 256 or 512
  parameter int unsigned N_SLOT = 16,       ///< power of two, 2 to 4096
  /// bytes of the largest FPDU that is taken, markers not counted, 64 to 16384
  parameter int unsigned FPDU_MAX = 16384,
  parameter int unsigned BLOCKS = 64,       ///< of the FPDU store, power of two
  parameter int unsigned BEATS = 64,        ///< of a block, power of two
  parameter int unsigned ROOM_STEP = 4096,  ///< bytes that the right edge moves by at least
  /// connections that may have a ring, power of two, 2 to 4096
  parameter int unsigned N_RING = 16,
  parameter int unsigned PAGES = 16,        ///< pages of a ring, power of two, 8 to 64
  parameter int unsigned STALL_SHIFT = 33,  ///< log2 of a quarter, in ns, of the time that an FPDU may stay incomplete in a ring
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned HndW = $clog2(BLOCKS)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  /// receive window: bytes beyond the next FPDU's first one, at most those of a ring
  input  logic [31:0]             cfg_wnd_i,
  input  logic [1:0]              cfg_shift_i,   ///< pages of rings are of 4 KiB << cfg_shift_i
  input  logic [63:0]             now_ns_i,

  /// One pin comes with a piece, and goes on with its FPDUs or is dropped here. The frame is freed
  /// here.
  input  logic                    piece_valid_i,
  output logic                    piece_ready_o,
  input  weft_dp_pkg::piece_t     piece_i,

  // frame store
  output logic                    fs_rd_valid_o,
  input  logic                    fs_rd_ready_i,
  output logic [11:0]             fs_rd_handle_o,
  output logic [15:0]             fs_rd_off_o,
  output logic [15:0]             fs_rd_len_o,
  /// a lane-0-aligned packet for each request, in order
  input  logic                    fs_valid_i,
  output logic                    fs_ready_o,
  input  logic [DATA_W-1:0]       fs_data_i,
  input  logic [CntW-1:0]         fs_cnt_i,
  input  logic                    fs_last_i,
  output logic                    fs_free_valid_o,
  input  logic                    fs_free_ready_i,
  output logic [11:0]             fs_free_handle_o,

  /// FPDUs of a connection in the order of its stream, each with a pin. In the store: ULPDU_Length
  /// in bytes 0 and 1, the
  /// ULPDU from byte 2 on (payload from 16 or 20), pad, CRC; no markers. With a fault there is no
  /// place in the
  /// store and nothing of the connection follows until OpSetState. MpaFin is no fault: the stream
  /// ends at `off` in good order,
  /// or, when `ulpdu` is not 0, that many bytes into an FPDU. `head` bytes beyond the ULPDU are
  /// undefined.
  output logic                    rx_valid_o,
  input  logic                    rx_ready_i,
  output weft_dp_pkg::rx_fpdu_t   rx_o,
  /// bytes in the stream from `off` on: length, markers, pad and CRC too
  output logic [15:0]             rx_len_o,
  /// Bytes that lie in the ring, with a pin. Offered when all FPDUs before them were taken, and
  /// before those behind. The FPDUs
  /// that come out of the ring commit the same bytes again. With `ahead`: a range ahead of turn, which may be forgotten.
  output logic                    stored_valid_o,
  input  logic                    stored_ready_i,
  output weft_dp_pkg::commit_t    stored_o,
  output logic                    stored_placed_o,  ///< all of it was placed before: no FPDU of it comes behind
  input  logic                    rd_valid_i,     ///< FPDU store
  output logic                    rd_ready_o,
  input  logic [11:0]             rd_handle_i,
  input  logic [15:0]             rd_off_i,
  input  logic [15:0]             rd_len_i,
  output logic                    out_valid_o,
  input  logic                    out_ready_i,
  output logic [DATA_W-1:0]       out_data_o,
  output logic [CntW-1:0]         out_cnt_o,
  output logic                    out_last_o,
  input  logic                    free_valid_i,
  output logic                    free_ready_o,
  input  logic [11:0]             free_handle_i,

  /// rdmap refused the FPDU at `off`. It frees all later FPDUs of the connection itself, until the
  /// one at `off` comes again, which
  /// is not before `resume`. One refusal is open for a connection; both carry a pin that is dropped
  /// here. Always taken.
  input  logic                    refuse_valid_i,
  output logic                    refuse_ready_o,
  input  weft_dp_pkg::refuse_t    refuse_i,
  input  logic                    resume_valid_i,
  output logic                    resume_ready_o,
  input  weft_dp_pkg::who_t       resume_i,
  /// An FPDU that went ahead of turn is in memory; with its pin. May wait.
  input  logic                    placed_valid_i,
  output logic                    placed_ready_o,
  input  weft_dp_pkg::commit_t    placed_i,

  /// Words of a slot: the latest value counts. unacc: tcp sets its generation to the other one than
  /// `gen`, and moves rcv_nxt
  /// back to `off` if it is beyond; said again before a piece of the new generation has come it has
  /// the same gen and a lower off.
  output logic                    room_valid_o,
  output weft_dp_pkg::rcv_room_t  room_o,
  output logic                    unacc_valid_o,
  output weft_dp_pkg::unaccept_t  unacc_o,

  // rings: pages from the driver, then DMA
  input  logic                    page_valid_i,
  output logic                    page_ready_o,
  input  logic [63:0]             page_addr_i,    ///< 4 KiB aligned
  /// Pulse: rdmap is done with this FPDU (its end counts): it is not refused any more.
  input  logic                    through_valid_i,
  input  weft_dp_pkg::commit_t    through_i,
  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    dma_valid_i,
  output logic                    dma_ready_o,
  input  logic [DATA_W-1:0]       dma_data_i,
  input  logic [CntW-1:0]         dma_cnt_i,
  input  logic                    dma_last_i,
  input  logic                    dma_err_i,
  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  input  logic                    load_valid_i,   ///< line 6 only
  output logic                    load_ready_o,
  input  weft_dp_pkg::line_t      load_i,
  input  logic                    save_valid_i,
  output logic                    save_ready_o,
  input  weft_dp_pkg::save_t      save_i,
  output logic                    line_valid_o,
  input  logic                    line_ready_i,
  output weft_dp_pkg::line_t      line_o,
  /// OpSetState: bit 0 of arg sets or clears *dead*. OpDrain: an event when all before it has left.
  /// Others do nothing. A pin comes
  /// with a command and is dropped here.
  input  logic                    cmd_valid_i,
  output logic                    cmd_ready_o,
  input  weft_dp_pkg::ctx_cmd_t   cmd_i,
  output logic                    ev_valid_o,
  input  logic                    ev_ready_i,
  output weft_dp_pkg::ctx_ev_t    ev_o,
  output logic                    drop_valid_o,
  output logic [11:0]             drop_slot_o,
  output logic [3:0]              drop_n_o,

  output logic                    idle_o,         ///< nothing inside; FPDUs may lie in the store
  output logic                    stat_piece_o,   ///< pulses, as in the modules below
  output logic                    stat_fpdu_o,
  output logic                    stat_fault_o,
  output logic                    stat_gone_o,
  output logic                    stat_stale_o,
  output logic                    stat_ahead_o,
  output logic                    stat_tail_o,
  output logic                    stat_full_o,
  output logic                    stat_drop_o,
  output logic                    stat_ring_o,
  output logic                    stat_spill_o,
  output logic [12:0]             rings_free_o    ///< register: rings that can be had
);

  localparam int unsigned BlkBytes = BEATS * DATA_W / 8;
  localparam int unsigned Limit    = BLOCKS - 1 - BLOCKS / 8;

  // ---------------------------------------------------------- one queue for all; rare things first
  logic                  rf_valid, rf_ready, rs_valid, rs_ready, loading_q, load_take, c_in,
    c_room, c_valid, c_ready;
  logic                  rare, got_valid, got_ready, got_err, sel_poll, poll_v, held;
  weft_mpa_in_pkg::job_t got;
  weft_dp_pkg::refuse_t  rf;
  weft_dp_pkg::who_t     rs;
  weft_mpa_in_pkg::cmd_t c_new, c;
  logic                  turn_q, sel_rf, sel_rs, sel_pl, sel_got, sel_load, sel_save, sel_cmd, sel_piece;

  weft_fifo #(.W(36 + 64 + 2), .DEPTH(N_SLOT)) u_refuse (
    .clk_i, .rst_ni, .in_valid_i(refuse_valid_i), .in_ready_o(refuse_ready_o), .in_data_i(refuse_i),
    .out_valid_o(rf_valid), .out_ready_i(rf_ready), .out_data_o(rf), .count_o()
  );
  weft_fifo #(.W(36), .DEPTH(N_SLOT)) u_resume (
    .clk_i, .rst_ni, .in_valid_i(resume_valid_i), .in_ready_o(resume_ready_o), .in_data_i(resume_i),
    .out_valid_o(rs_valid), .out_ready_i(rs_ready), .out_data_o(rs), .count_o()
  );

  // A piece whose read was offered keeps its turn.
  assign sel_rf       = rf_valid && !turn_q;
  assign sel_rs       = rs_valid && !turn_q && !rf_valid;
  assign sel_pl       = placed_valid_i && !turn_q && !rf_valid && !rs_valid;
  assign rare         = turn_q || rf_valid || rs_valid || placed_valid_i;
  assign sel_load     = load_valid_i && !loading_q && !rare;
  assign sel_save     = save_valid_i && !rare && !sel_load;
  assign sel_cmd      = cmd_valid_i && !rare && !sel_load && !save_valid_i;
  assign sel_got      = got_valid && !rare && !sel_load && !save_valid_i && !cmd_valid_i;
  assign sel_piece    = turn_q || (piece_valid_i && !rare && !sel_load && !save_valid_i &&
      !cmd_valid_i && !got_valid);
  // A ring that is empty and not given back is asked about now and then.
  localparam int unsigned SlW = $clog2(N_SLOT);
  logic [SlW-1:0] poll_slot;
  logic [11:0]    held_slot;
  logic [4:0]     rest_q;
  assign sel_poll     = poll_v && rest_q == '0 && !rare && !sel_load && !save_valid_i && !cmd_valid_i && !got_valid && !piece_valid_i;
  weft_ready_fifo #(.N(N_SLOT)) u_poll (
    .clk_i, .rst_ni, .ready_o(poll_ready), .ins_valid_i(held && poll_ready), .ins_id_i(held_slot[SlW-1:0]), .out_valid_o(poll_v),
    .out_ready_i(sel_poll && c_room), .out_id_o(poll_slot), .count_o(), .idle_o(), .stat_enter_o(), .stat_merge_o()
  );
  logic poll_ready;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rest_q <= '0;
    else if (sel_poll && c_room) rest_q <= '1;
    else if (poll_v && rest_q != '0) rest_q <= rest_q - 5'd1;
  end
  assign got_ready    = sel_got && c_room;
  assign rf_ready     = sel_rf && c_room;
  assign rs_ready     = sel_rs && c_room;
  assign placed_ready_o = sel_pl && c_room;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else turn_q <= fs_rd_valid_o && !fs_rd_ready_i;
  end
  assign save_ready_o = sel_save && c_room;
  assign cmd_ready_o  = sel_cmd && c_room;
  assign load_ready_o = load_take;

  logic bytes;
  assign bytes          = piece_i.len != '0;
  assign fs_rd_valid_o  = sel_piece && c_room && bytes;
  assign piece_ready_o  = sel_piece && c_room && (!bytes || fs_rd_ready_i);
  assign fs_rd_handle_o = piece_i.handle;
  assign fs_rd_off_o    = piece_i.start;
  assign fs_rd_len_o    = piece_i.len;
  assign c_in = sel_poll || sel_rf || sel_rs || sel_pl || sel_load || sel_save || sel_cmd || sel_got || (sel_piece &&
      (!bytes || fs_rd_ready_i));

  always_comb begin
    c_new        = '0;
    c_new.kind   = weft_mpa_in_pkg::CmdPiece;
    {c_new.qpn, c_new.slot} = piece_i.who;
    c_new.gen    = piece_i.gen;
    c_new.ahead  = piece_i.ahead;
    c_new.aligned = piece_i.aligned;
    c_new.fin    = piece_i.fin;
    c_new.off    = sel_rf ? rf.off : piece_i.off;
    c_new.len    = sel_cmd ? cmd_i.arg : piece_i.len;
    c_new.handle = piece_i.handle;
    if (sel_rf) begin
      c_new.kind = weft_mpa_in_pkg::CmdRefuse;
      {c_new.qpn, c_new.slot} = rf.who;
    end else if (sel_rs) begin
      c_new.kind = weft_mpa_in_pkg::CmdResume;
      {c_new.qpn, c_new.slot} = rs;
    end else if (sel_pl) begin
      c_new.kind = weft_mpa_in_pkg::CmdPlaced;
      {c_new.qpn, c_new.slot} = placed_i.who;
      c_new.off  = placed_i.from;
      c_new.len  = placed_i.to[15:0] - placed_i.from[15:0];
    end else if (sel_load) begin
      c_new.kind = weft_mpa_in_pkg::CmdLoad;
      {c_new.qpn, c_new.slot} = load_i.who;
    end else if (sel_save) begin
      c_new.kind   = weft_mpa_in_pkg::CmdSave;
      {c_new.qpn, c_new.slot} = save_i.who;
      c_new.handle = 12'(save_i.tag);
    end else if (sel_cmd) begin
      c_new.kind   = weft_mpa_in_pkg::CmdCtx;
      {c_new.qpn, c_new.slot} = cmd_i.who;
      c_new.handle = 12'(cmd_i.op);
    end else if (sel_got) begin
      c_new.kind = weft_mpa_in_pkg::CmdRing;
      {c_new.qpn, c_new.slot} = {got.qpn, got.slot};
      c_new.gen  = got_err;
      c_new.off  = got.off;
      c_new.len  = got.len;
    end else if (sel_poll) begin
      c_new.kind = weft_mpa_in_pkg::CmdPoll;
      c_new.qpn  = '0;
      c_new.slot = 12'(poll_slot);
    end
  end
  // A load is a word in the queue; its line waits outside.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) loading_q <= 1'b0;
    else loading_q <= (sel_load && c_room) || (loading_q && !load_take);
  end
  weft_fifo #(.W(weft_mpa_in_pkg::CmdW), .DEPTH(16)) u_cmd (
    .clk_i, .rst_ni, .in_valid_i(c_in), .in_ready_o(c_room), .in_data_i(c_new),
    .out_valid_o(c_valid), .out_ready_i(c_ready), .out_data_o(c), .count_o()
  );

  // ---------------------------------------------------------------- cut
  logic                    s_valid, s_ready, j_valid, j_ready, save_done, dead, put_valid, put_ok,
    cut_idle, check_idle, join_idle;
  logic [DATA_W-1:0]       s_data;
  weft_mpa_in_pkg::beat_t  s;
  weft_mpa_in_pkg::join_t  j;
  weft_mpa_in_pkg::rec_t   save_rec;
  logic [11:0]             dead_slot;
  logic [HndW-1:0]         put_handle;
  logic [15:0]             blocks, freed;
  logic                    healed, d_ring, d_more, d_ready, r_valid, r_last, rid_valid, rid_some, rid_many, rid_take, rid_give,
    job_valid, job_ready, ring_idle;
  logic                    sp_valid, sp_ready, sp_last;
  logic [DATA_W-1:0]       r_data, sp_data;
  logic [CntW-1:0]         sp_cnt;
  logic [11:0]             rid, rid_back;
  weft_mpa_in_pkg::job_t   job;
  weft_mpa_cut #(.DATA_W(DATA_W), .N_SLOT(N_SLOT), .FPDU_MAX(FPDU_MAX), .BLK_BYTES(BlkBytes),
    .BLOCKS(Limit), .ROOM_STEP(ROOM_STEP), .RING_BYTES(4096 * PAGES)) u_cut (
    .clk_i, .rst_ni, .wnd_i(cfg_wnd_i), .shift_i(cfg_shift_i), .cmd_valid_i(c_valid), .cmd_ready_o(c_ready), .cmd_i(c),
    .load_i(load_i.data),
    .d_valid_i(d_ring ? r_valid : fs_valid_i), .d_ready_o(d_ready), .d_ring_o(d_ring), .d_more_o(d_more),
    .d_data_i(d_ring ? r_data : fs_data_i),
    .d_last_i(d_ring ? r_last : fs_last_i),
    .rid_valid_i(rid_valid), .rid_some_i(rid_some), .rid_many_i(rid_many), .rid_take_o(rid_take), .rid_i(rid), .rid_give_o(rid_give),
    .rid_o(rid_back), .through_valid_i, .through_slot_i(through_i.who.slot), .through_to_i(through_i.to), .held_o(held), .held_slot_o(held_slot),
    .watch_o(watch), .watch_wait_o(watch_wait), .watch_kept_o(watch_kept), .scarce_o(scarce),
    .job_valid_o(job_valid), .job_ready_i(job_ready), .job_o(job),
    .sp_valid_o(sp_valid), .sp_ready_i(sp_ready), .sp_data_o(sp_data), .sp_cnt_o(sp_cnt),
    .sp_last_o(sp_last),
    .free_valid_o(fs_free_valid_o), .free_ready_i(fs_free_ready_i),
    .free_handle_o(fs_free_handle_o),
    .s_valid_o(s_valid), .s_ready_i(s_ready), .s_data_o(s_data), .s_o(s), .j_valid_o(j_valid),
    .j_ready_i(j_ready), .j_o(j),
    .save_rec_o(save_rec), .save_done_i(save_done), .healed_i(healed), .dead_slot_o(dead_slot), .dead_i(dead),
    .blocks_o(blocks), .freed_i(freed),
    .room_valid_o, .room_o, .unacc_valid_o, .unacc_o,
    .idle_o(cut_idle), .stat_stale_o, .stat_ahead_o, .stat_tail_o, .stat_drop_o, .stat_ring_o,
    .stat_spill_o, .stat_full_o
  );
  assign fs_ready_o = d_ready && !d_ring;
  logic        watch, watch_wait, watch_kept, scarce, late_v, late_r, join_ev;
  logic [23:0] late_qpn;
  weft_mpa_watch #(.N_RING(N_RING), .SHIFT(STALL_SHIFT)) u_watch (
    .clk_i, .rst_ni, .now_ns_i, .set_i(watch), .set_rid_i(rid_back[$clog2(N_RING)-1:0]), .set_wait_i(watch_wait),
    .set_kept_i(watch_kept), .scarce_i(scarce), .set_qpn_i(unacc_o.who.qpn), .late_valid_o(late_v), .late_ready_i(late_r), .late_qpn_o(late_qpn)
  );


  // ---------------------------------------------------------------- rings
  weft_mpa_ring #(.DATA_W(DATA_W), .N_RING(N_RING), .PAGES(PAGES)) u_ring (
    .clk_i, .rst_ni, .shift_i(cfg_shift_i), .page_valid_i, .page_ready_o, .page_addr_i,
    .rid_valid_o(rid_valid), .rid_some_o(rid_some), .rid_many_o(rid_many), .rid_take_i(rid_take), .rid_o(rid), .rid_give_i(rid_give),
    .rid_i(rid_back),
    .job_valid_i(job_valid), .job_ready_o(job_ready), .job_i(job),
    .sp_valid_i(sp_valid), .sp_ready_o(sp_ready), .sp_data_i(sp_data), .sp_cnt_i(sp_cnt),
    .sp_last_i(sp_last),
    .got_valid_o(got_valid), .got_ready_i(got_ready), .got_o(got), .got_err_o(got_err),
    .d_valid_o(r_valid), .d_ready_i(d_ready && d_ring), .d_data_o(r_data), .d_last_o(r_last), .d_more_i(d_more),
    .rd_req_valid_o, .rd_req_ready_i, .rd_req_o, .rd_valid_i(dma_valid_i),
    .rd_ready_o(dma_ready_o), .rd_data_i(dma_data_i),
    .rd_cnt_i(dma_cnt_i), .rd_last_i(dma_last_i), .rd_err_i(dma_err_i),
    .wr_valid_o, .wr_ready_i, .wr_hdr_o, .wr_data_o, .wr_cnt_o, .wr_last_o,
    .free_o(rings_free_o), .idle_o(ring_idle)
  );

  // ---------------------------------------------------------------- check, store, join
  logic              p_valid, p_ready, p_last, h_valid, v_valid, v_crc, v_mk, f_valid, f_ready,
    jf_valid;
  logic [DATA_W-1:0] p_data;
  logic [CntW-1:0]   p_cnt;
  logic [383:0]      head;
  logic [HndW-1:0]   jf_handle;
  weft_mpa_check #(.DATA_W(DATA_W)) u_check (
    .clk_i, .rst_ni, .s_valid_i(s_valid), .s_ready_o(s_ready), .s_data_i(s_data), .s_i(s),
    .out_valid_o(p_valid), .out_ready_i(p_ready), .out_data_o(p_data), .out_cnt_o(p_cnt),
    .out_last_o(p_last),
    .head_valid_o(h_valid), .head_o(head), .ver_valid_o(v_valid), .ver_crc_o(v_crc),
    .ver_mk_o(v_mk), .idle_o(check_idle)
  );
  weft_pkt_store #(.DATA_W(DATA_W), .BLOCKS(BLOCKS), .BEATS(BEATS), .MAX_BYTES(FPDU_MAX),
    .N_RD(1)) u_store (
    .clk_i, .rst_ni, .in_valid_i(p_valid), .in_ready_o(p_ready), .in_data_i(p_data),
    .in_cnt_i(p_cnt), .in_last_i(p_last),
    .in_err_i(1'b0), .put_valid_o(put_valid), .put_ready_i(1'b1), .put_ok_o(put_ok),
    .put_handle_o(put_handle),
    .put_len_o(), .rd_valid_i, .rd_ready_o, .rd_handle_i(rd_handle_i[HndW-1:0]), .rd_off_i,
    .rd_len_i,
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o,
    .free_valid_i(f_valid), .free_ready_o(f_ready),
    .free_handle_i(jf_valid ? jf_handle : free_handle_i[HndW-1:0]),
    .used_o(), .idle_o(), .stat_put_o(), .stat_full_o()
  );
  assign f_valid      = jf_valid || free_valid_i;
  assign free_ready_o = f_ready && !jf_valid;
  weft_mpa_join #(.N_SLOT(N_SLOT), .HND_W(HndW)) u_join (
    .clk_i, .rst_ni, .j_valid_i(j_valid), .j_ready_o(j_ready), .j_i(j), .save_rec_i(save_rec),
    .save_done_o(save_done),
    .load_done_o(load_take), .healed_o(healed),
    .dead_slot_i(dead_slot), .dead_o(dead), .put_valid_i(put_valid), .put_handle_i(put_handle),
    .head_valid_i(h_valid), .head_i(head), .ver_valid_i(v_valid), .ver_crc_i(v_crc),
    .ver_mk_i(v_mk),
    .free_valid_o(jf_valid), .free_ready_i(f_ready), .free_handle_o(jf_handle),
    .rx_valid_o, .rx_ready_i, .rx_o, .rx_len_o, .stored_valid_o, .stored_ready_i, .stored_o, .stored_placed_o,
    .drop_valid_o, .drop_slot_o, .drop_n_o,
    .line_valid_o, .line_ready_i, .line_o, .ev_valid_o(join_ev), .ev_ready_i(ev_ready_i && !late_sel), .ev_o(join_e),
    .idle_o(join_idle), .stat_fpdu_o, .stat_fault_o, .stat_gone_o
  );

  // An event stands until it is taken.
  logic                 late_sel, late_q;
  weft_dp_pkg::ctx_ev_t join_e;
  assign late_sel   = late_q || (late_v && !join_ev);
  assign late_r     = late_sel && ev_ready_i;
  assign ev_valid_o = join_ev || late_sel;
  always_comb begin
    ev_o = join_e;
    if (late_sel) begin
      ev_o      = '0;
      ev_o.qpn  = late_qpn;
      ev_o.kind = weft_abi_pkg::FW_EV_RX_STALLED;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) late_q <= 1'b0;
    else late_q <= late_sel && !ev_ready_i;
  end

  // Blocks that were set aside, by handle, until they are free.
  localparam int unsigned BlkW = $clog2(FPDU_MAX / BlkBytes + 2);
  logic            freed_q, b_valid;
  logic [BlkW-1:0] b_n, freed_n;
  weft_fifo #(.W(BlkW), .DEPTH(16)) u_blocks (
    .clk_i, .rst_ni, .in_valid_i(j_valid && j.kind == weft_mpa_in_pkg::JoinFpdu), .in_ready_o(),
    .in_data_i(BlkW'(blocks)),
    .out_valid_o(b_valid), .out_ready_i(put_valid), .out_data_o(b_n), .count_o()
  );
  weft_ram_1r1w #(.W(BlkW), .DEPTH(BLOCKS)) u_held (
    .clk_i, .we_i(put_valid), .waddr_i(put_handle), .wdata_i(b_n),
    .re_i(f_valid && f_ready), .raddr_i(jf_valid ? jf_handle : free_handle_i[HndW-1:0]),
    .rdata_o(freed_n)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) freed_q <= 1'b0;
    else freed_q <= f_valid && f_ready;
  end
  assign freed = freed_q ? 16'(freed_n) : '0;

  assign idle_o       = !c_in && !c_valid && cut_idle && check_idle && join_idle && ring_idle;
  assign stat_piece_o = piece_valid_i && piece_ready_o;

  logic unused;
  assign unused = ^{fs_cnt_i, put_ok, b_valid, blocks, load_i, rd_handle_i, free_handle_i,
      rf.cause, placed_i, got, through_i, held_slot};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(put_valid && !put_ok)) else $error("%m: an FPDU found no block");
      assert (!(refuse_valid_i && !refuse_ready_o) && !(resume_valid_i &&
          !resume_ready_o)) else $error("%m: more than a refusal a slot");
    end
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
