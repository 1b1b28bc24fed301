// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Room qp: what is sent next. Send queues, inbound reads, transmit log, windows and RTO, send
/// completions of N_QP queue pairs.
///
/// Five engines work side by side, each on one QP at a time from its own ready set: fetch (WQEs),
/// build (segments), ack (TCP sender), cmpl (completions), irq (inbound reads). Each owns a record
/// per QP and publishes the part that others need; see weft_qp_pkg. Nothing waits for a message to
/// end: a QP that waits for a WQE, its window or a fence is out of every ready set until it is woken.
///
/// The records may be away (weft_ctx_store). What never is: doorbell index, HOLD and ERR of each QP,
/// the ready sets and the timer wheel, so that doorbells are always taken.
module weft_qp_tx #(
  parameter int unsigned DATA_W = 512,     ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 16,        ///< power of two, 2 to 65536
  parameter int unsigned LOG_DEPTH = 64,   ///< messages started and not completed per QP, power of two
  parameter int unsigned IRQ_DEPTH = 32,   ///< inbound reads per QP (largest IRD), power of two, up to 128
  parameter int unsigned N_FETCH = 62,     ///< WQE fetches in flight, up to 63
  parameter int unsigned N_VAL = 16,       ///< value slots, power of two, up to 256
  parameter int unsigned TICK_SHIFT = 17,  ///< tick of the RTO wheel, log2 ns
  parameter int unsigned TIMER_SLOTS = 1024,
  parameter int unsigned TEST_LATENCY = 0, ///< simulation, see weft_ctx_store
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [63:0]           now_ns_i,
  output logic                  deadline_valid_o,
  output logic [63:0]           deadline_ns_o,
  output logic                  idle_o,
  input  logic [31:0]           min_rto_us_i,      ///< smallest RTO in us; 0: 200 ms
  input  logic [7:0]            max_retries_i,     ///< retransmissions before TX_TIMEOUT; 0: 9

  input  logic                  cfg_req_valid_i,
  output logic                  cfg_req_ready_o,
  input  weft_pkg::cfg_req_t    cfg_req_i,
  output logic                  cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t    cfg_rsp_o,
  output logic                  fwev_valid_o,
  input  logic                  fwev_ready_i,
  output weft_pkg::fw_ev_t      fwev_o,

  input  logic                  sq_db_valid_i,     ///< pulse
  input  logic [15:0]           sq_db_qpn_i,
  input  logic [15:0]           sq_db_index_i,
  input  logic                  irq_valid_i,
  output logic                  irq_ready_o,
  input  weft_pkg::irq_t        irq_i,
  input  logic                  ack_valid_i,
  output logic                  ack_ready_o,
  input  weft_pkg::rx_ack_t     ack_i,
  input  logic                  commit_first_valid_i,  ///< pulse
  input  logic [15:0]           commit_first_qpn_i,
  input  logic                  rd_done_valid_i,
  output logic                  rd_done_ready_o,
  input  logic [15:0]           rd_done_qpn_i,
  input  logic                  txerr_valid_i,
  output logic                  txerr_ready_o,
  input  weft_pkg::tx_err_t     txerr_i,

  output logic                  seg_valid_o,
  input  logic                  seg_ready_i,
  output weft_pkg::tx_seg_t     seg_o,
  output logic                  src_valid_o,
  input  logic                  src_ready_i,
  output weft_pkg::tx_src_t     src_o,
  output logic                  inl_valid_o,
  input  logic                  inl_ready_i,
  output logic [DATA_W-1:0]     inl_data_o,
  output logic [CntW-1:0]       inl_cnt_o,
  output logic                  inl_last_o,
  output logic                  orq_valid_o,
  input  logic                  orq_ready_i,
  output weft_pkg::orq_t        orq_o,
  output logic                  irq_free_valid_o,  ///< pulse
  output logic [15:0]           irq_free_qpn_o,
  output logic                  cqe_valid_o,
  input  logic                  cqe_ready_i,
  output weft_pkg::cqe_req_t    cqe_o,

  output logic                  rd_req_valid_o,    ///< DMA read client 1
  input  logic                  rd_req_ready_i,
  output weft_pkg::dma_rd_req_t rd_req_o,
  input  logic                  rd_valid_i,
  output logic                  rd_ready_o,
  input  logic [DATA_W-1:0]     rd_data_i,
  input  logic [CntW-1:0]       rd_cnt_i,
  input  logic                  rd_last_i,
  input  logic                  rd_err_i,

  output logic                  stat_seg_o,        ///< segment
  output logic                  stat_rexmit_o,     ///< segment that was sent before
  output logic                  stat_block_o,      ///< a segment found the window closed
  output logic                  stat_fetch_o,      ///< WQE fetch
  output logic                  stat_bad_wqe_o,    ///< malformed WQE
  output logic                  stat_dup_ack_o,
  output logic                  stat_bad_ack_o,    ///< ACK outside [snd_una, snd_max]
  output logic                  stat_fast_o,       ///< went back after duplicate ACKs
  output logic                  stat_rto_o,        ///< time-out
  output logic                  stat_flush_o       ///< WQE flushed
);

  // ---------------------------------------------------------------- who is home
  localparam int unsigned N_USE = 17;
  logic [N_QP-1:0]           home, open, want_ctx, want_f, want_b, want_a, want_c, want_ak, want_iq, want_rd, want_te,
                             want_tm, parked_ak, parked_iq, parked_rd, parked_te, parked_tm;
  logic [N_USE-1:0]          in_use;
  logic [N_USE-1:0][QpW-1:0] use_qpn;
  logic                      trk_push;
  logic                      ctx_busy, f_busy, sg_busy, bd_use, ak_busy, cm_busy, iq_busy, tm_fire;
  logic [QpW-1:0]            tm_fire_qpn;

  weft_ctx_store #(.N(N_QP), .N_USE(N_USE), .N_HOLD(1), .N_FREE(1), .TEST_LATENCY(TEST_LATENCY)) u_store (
    .clk_i, .rst_ni,
    .want_i(want_ctx | want_f | want_b | want_a | want_c | want_ak | want_iq | want_rd | want_te | want_tm), .home_o(home),
    .use_i(in_use), .use_id_i(use_qpn),
    .hold_i(trk_push), .hold_id_i(v_qpn[0]), .free_i(wqe_done), .free_id_i(wqe_qpn)
  );
  // The ready sets' offers, the engines, the messages on offer, and what is on its way out.
  assign in_use  = {f_valid, b_valid, a_valid, c_valid, f_busy, sg_busy, bd_use, ak_busy, cm_busy, iq_busy, ctx_busy,
                    ak_v, iq_v, rd_v, te_v, tm_fire, em_busy};
  assign use_qpn = {f_qp, b_qp, a_qp, c_qp, v_qpn[0], v_qpn[1], bd_qpn, v_qpn[2], v_qpn[3], irq_qpn, cmd_qpn,
                    ak_qpn, iq_qpn, rd_qpn, te_qpn, tm_fire_qpn, em_seg.qpn[QpW-1:0]};
  // A command goes behind every message that came before it.
  assign open    = home & ~(parked_ak | parked_iq | parked_rd | parked_te | parked_tm);

  // ---------------------------------------------------------------- messages
  logic              ak_v, ak_r, ak_gate_idle, iq_v, iq_r, iq_gate_idle, rd_v, rd_r, rd_gate_idle, rd_none, te_v, te_r, te_gate_idle;
  logic [QpW-1:0]    ak_qpn, iq_qpn, rd_qpn, te_qpn;
  weft_pkg::rx_ack_t ak;
  weft_pkg::irq_t    iq;
  weft_pkg::tx_err_t te;
  weft_ctx_gate #(.W($bits(ack_i)), .N(N_QP), .DEPTH(8)) u_gate_ack (
    .clk_i, .rst_ni, .home_i(home), .in_valid_i(ack_valid_i), .in_ready_o(ack_ready_o), .in_id_i(ack_i.qpn[QpW-1:0]),
    .in_data_i(ack_i), .out_valid_o(ak_v), .out_ready_i(ak_r), .out_id_o(ak_qpn), .out_data_o(ak),
    .want_o(want_ak), .parked_o(parked_ak), .idle_o(ak_gate_idle)
  );
  weft_ctx_gate #(.W($bits(irq_i)), .N(N_QP), .DEPTH(4)) u_gate_irq (
    .clk_i, .rst_ni, .home_i(home), .in_valid_i(irq_valid_i), .in_ready_o(irq_ready_o), .in_id_i(irq_i.qpn[QpW-1:0]),
    .in_data_i(irq_i), .out_valid_o(iq_v), .out_ready_i(iq_r), .out_id_o(iq_qpn), .out_data_o(iq),
    .want_o(want_iq), .parked_o(parked_iq), .idle_o(iq_gate_idle)
  );
  weft_ctx_gate #(.W(1), .N(N_QP), .DEPTH(8)) u_gate_rd_done (
    .clk_i, .rst_ni, .home_i(home), .in_valid_i(rd_done_valid_i), .in_ready_o(rd_done_ready_o),
    .in_id_i(rd_done_qpn_i[QpW-1:0]), .in_data_i(1'b0), .out_valid_o(rd_v), .out_ready_i(rd_r), .out_id_o(rd_qpn),
    .out_data_o(rd_none), .want_o(want_rd), .parked_o(parked_rd), .idle_o(rd_gate_idle)
  );

  // ---------------------------------------------------------------- context
  logic           init;
  logic [QpW-1:0] init_qpn;
  logic [3:0]             v_re;
  logic [3:0][QpW-1:0]    v_qpn;
  weft_qp_pkg::cfg_fetch_t v_fetch;
  weft_qp_pkg::cfg_build_t v_build;
  weft_qp_pkg::cfg_ack_t   v_ack;
  weft_qp_pkg::cfg_cmpl_t  v_cmpl;
  logic [3:0][1:0]        v_state;
  logic                   cmd_valid;
  logic [1:0]             cmd_to;
  logic [3:0]             cmd_ready, cmd_to_v, peek_valid;
  logic [QpW-1:0]         cmd_qpn;
  logic [7:0]             cmd;
  weft_abi_pkg::ctx_tx_t  cmd_ctx;
  weft_qp_pkg::bctx_t     peek_build;
  assign peek_build = st_ctx;
  logic [31:0]            peek_una, peek_wnd, peek_cwnd, peek_srtt;
  logic [15:0]            peek_cmpl;
  logic                   post_valid, hold_we, hold_d, ctx_wake, val_re, ctx_idle, peek;
  logic [1:0]             ctx_state;
  logic [$clog2(N_VAL)+1:0] val_addr;
  logic [127:0]           val_data;

  weft_qp_ctx #(.N_QP(N_QP), .N_VAL(N_VAL)) u_ctx (
    .clk_i, .rst_ni, .init_o(init), .init_qpn_o(init_qpn), .open_i(open), .want_o(want_ctx), .busy_o(ctx_busy),
    .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i, .cfg_rsp_valid_o, .cfg_rsp_o,
    .view_re_i(v_re), .view_qpn_i(v_qpn), .view_fetch_o(v_fetch), .view_build_o(v_build),
    .view_ack_o(v_ack), .view_cmpl_o(v_cmpl), .view_state_o(v_state),
    .cmd_valid_o(cmd_valid), .cmd_to_o(cmd_to), .cmd_ready_i(cmd_ready), .cmd_qpn_o(cmd_qpn),
    .cmd_o(cmd), .cmd_ctx_o(cmd_ctx), .peek_valid_i(peek_valid), .peek_build_i(peek_build),
    .peek_una_i(peek_una), .peek_wnd_i(peek_wnd), .peek_cwnd_i(peek_cwnd), .peek_srtt_i(peek_srtt),
    .peek_cmpl_i(peek_cmpl),
    .post_valid_o(post_valid), .post_ready_i(!sq_db_valid_i), .hold_we_o(hold_we), .hold_o(hold_d),
    .wake_o(ctx_wake), .wake_state_o(ctx_state),
    .val_re_i(val_re), .val_addr_i(val_addr), .val_o(val_data), .idle_o(ctx_idle)
  );
  assign peek          = cmd == 8'hff;
  assign peek_valid[0] = 1'b0;
  always_comb begin
    cmd_to_v         = '0;
    cmd_to_v[cmd_to] = cmd_valid;
  end

  // ---------------------------------------------------------------- doorbells, HOLD, flushing QPs
  logic [QpW-1:0]   db_qpn, first_qpn;
  logic             db_set;
  logic [1:0][15:0] posted;
  logic [N_QP-1:0]  hold_q, err_q;
  assign db_qpn    = sq_db_qpn_i[QpW-1:0];
  assign first_qpn = commit_first_qpn_i[QpW-1:0];
  assign db_set    = sq_db_valid_i && !init;

  weft_qp_mem #(.W(16), .DEPTH(N_QP), .N_RD(2)) u_posted (
    .clk_i, .we_i(init || sq_db_valid_i || post_valid),
    .waddr_i(init ? init_qpn : sq_db_valid_i ? db_qpn : cmd_qpn),
    .wdata_i(init ? 16'd0 : sq_db_valid_i ? sq_db_index_i : cmd_ctx.sq_index),
    .re_i({v_re[3], v_re[0]}), .raddr_i({v_qpn[3], v_qpn[0]}), .rdata_o(posted)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hold_q <= '0;
      err_q  <= '0;
    end else begin
      if (hold_we) hold_q[cmd_qpn] <= hold_d;
      if (commit_first_valid_i) hold_q[first_qpn] <= 1'b0;
      if (ctx_wake) err_q[cmd_qpn] <= ctx_state == weft_abi_pkg::QP_STATE_ERR;
    end
  end

  // ---------------------------------------------------------------- ready sets
  logic           f_valid, f_ready, f_empty, b_valid, b_ready, b_empty, a_valid, a_ready, a_empty, c_valid, c_ready,
                  c_empty;
  logic [QpW-1:0] f_qp, b_qp, a_qp, c_qp;
  logic           st_b, st_a, st_c, wk_self, wk_fetch, wk_cmpl, wk_ack, a_wb, a_wc, c_self, c_wb, wqe_done, irq_wake;
  logic [QpW-1:0] wqe_qpn, irq_qpn;

  weft_qp_sched #(.N_QP(N_QP), .N_SET(4)) u_set_fetch (
    .clk_i, .rst_ni, .set_i({db_set, wk_fetch, wqe_done, ctx_wake}),
    .set_qpn_i({db_qpn, bd_qpn, wqe_qpn, cmd_qpn}), .home_i(home), .want_o(want_f),
    .valid_o(f_valid), .qpn_o(f_qp), .ready_i(f_ready), .empty_o(f_empty)
  );
  weft_qp_sched #(.N_QP(N_QP), .N_SET(7)) u_set_build (
    .clk_i, .rst_ni, .set_i({wk_self, a_wb, c_wb, wqe_done, irq_wake, ctx_wake, commit_first_valid_i}),
    .set_qpn_i({bd_qpn, v_qpn[2], v_qpn[3], wqe_qpn, irq_qpn, cmd_qpn, first_qpn}), .home_i(home), .want_o(want_b),
    .valid_o(b_valid), .qpn_o(b_qp), .ready_i(b_ready), .empty_o(b_empty)
  );
  weft_qp_sched #(.N_QP(N_QP), .N_SET(2)) u_set_ack (
    .clk_i, .rst_ni, .set_i({wk_ack, ctx_wake}), .set_qpn_i({bd_qpn, cmd_qpn}),
    .home_i(home), .want_o(want_a), .valid_o(a_valid), .qpn_o(a_qp), .ready_i(a_ready), .empty_o(a_empty)
  );
  weft_qp_sched #(.N_QP(N_QP), .N_SET(5)) u_set_cmpl (
    .clk_i, .rst_ni, .set_i({wk_cmpl, a_wc, c_self, ctx_wake, db_set && err_q[db_qpn]}),
    .set_qpn_i({bd_qpn, v_qpn[2], v_qpn[3], cmd_qpn, db_qpn}), .home_i(home), .want_o(want_c),
    .valid_o(c_valid), .qpn_o(c_qp), .ready_i(c_ready), .empty_o(c_empty)
  );

  // ---------------------------------------------------------------- WQEs
  weft_qp_pkg::bctx_t    st_ctx, b_ctx, vw_ctx;
  logic                  st_v, a_waits, c_waits;
  logic [7:0]            a_seen, c_seen;
  logic [QpW-1:0]        bd_qpn;
  weft_qp_pkg::b2fetch_t b2f, b2f_in;
  weft_qp_pkg::avail_t   av_in;
  logic [1:0][47:0]      av;  // avail_t, one for each reader
  weft_qp_pkg::trk_t     trk;
  weft_qp_pkg::meta_t    meta, meta_in;
  logic                  trk_valid, trk_ready, slot_we, meta_we, f_idle, w_idle, hdr_re, emit_re;
  logic [QpW+3:0]        slot_wa, emit_ra;
  logic [QpW+1:0]        meta_wa;
  logic [127:0]          slot_wd, slot_rd;
  logic [255:0]          hdr_rd;
  logic [1:0]            hdr_slot;
  logic [1:0]            slot_num;
  logic                  slot_hdr;
  logic [7:0]            hdr_r, fetched;

  weft_qp_fetch #(.N_QP(N_QP), .N_FETCH(N_FETCH)) u_fetch (
    .clk_i, .rst_ni, .init_i(init), .init_qpn_i(init_qpn),
    .qp_valid_i(f_valid), .qp_i(f_qp), .qp_ready_o(f_ready),
    .view_re_o(v_re[0]), .view_qpn_o(v_qpn[0]), .cfg_i(v_fetch), .state_i(v_state[0]), .posted_i(posted[0]),
    .build_i(b2f), .avail_i(av[0]),
    .other_re_i(v_re[1]), .other_qpn_i(v_qpn[1]), .other_cnt_o(fetched),
    .rd_req_valid_o, .rd_req_ready_i, .rd_req_o,
    .trk_valid_o(trk_valid), .trk_ready_i(trk_ready), .trk_o(trk),
    .busy_o(f_busy), .idle_o(f_idle), .stat_fetch_o
  );
  assign trk_push = stat_fetch_o;
  weft_qp_wqe #(.DATA_W(DATA_W), .N_QP(N_QP)) u_wqe (
    .clk_i, .rst_ni, .trk_valid_i(trk_valid), .trk_ready_o(trk_ready), .trk_i(trk),
    .rd_valid_i, .rd_ready_o, .rd_data_i, .rd_cnt_i, .rd_last_i, .rd_err_i,
    .slot_we_o(slot_we), .slot_hdr_o(slot_hdr), .slot_num_o(slot_num), .slot_addr_o(slot_wa), .slot_data_o(slot_wd),
    .meta_we_o(meta_we), .meta_addr_o(meta_wa), .meta_o(meta_in),
    .done_o(wqe_done), .done_qpn_o(wqe_qpn), .avail_o(av_in), .idle_o(w_idle), .stat_bad_o(stat_bad_wqe_o)
  );
  weft_qp_mem #(.W($bits(av_in)), .DEPTH(N_QP), .N_RD(2)) u_avail (
    .clk_i, .we_i(init || wqe_done), .waddr_i(init ? init_qpn : wqe_qpn), .wdata_i(init ? '0 : av_in),
    .re_i(v_re[1:0]), .raddr_i(v_qpn[1:0]), .rdata_o(av)
  );
  weft_ram_1r1w #(.W(128), .DEPTH(16 * N_QP)) u_slot (
    .clk_i, .we_i(slot_we), .waddr_i(slot_wa), .wdata_i(slot_wd),
    .re_i(emit_re), .raddr_i(emit_ra), .rdata_o(slot_rd)
  );
  // The two header words of each slot once more, for the decision.
  for (genvar i = 0; i < 2; i++) begin : gen_hdr
    weft_ram_1r1w #(.W(128), .DEPTH(4 * N_QP)) u_hdr (
      .clk_i, .we_i(slot_hdr && slot_wa[0] == 1'(i)), .waddr_i({slot_wa[QpW+3:4], slot_num}), .wdata_i(slot_wd),
      .re_i(hdr_re), .raddr_i({v_qpn[1], hdr_slot}), .rdata_o(hdr_rd[128*i+:128])
    );
  end
  weft_ram_1r1w #(.W($bits(meta_in)), .DEPTH(4 * N_QP)) u_meta (
    .clk_i, .we_i(meta_we), .waddr_i(meta_wa), .wdata_i(meta_in),
    .re_i(hdr_re), .raddr_i({v_qpn[1], hdr_slot}), .rdata_o(meta)
  );

  // ---------------------------------------------------------------- views between the engines
  weft_qp_pkg::b2ack_t   b2a, b2a_in;
  weft_qp_pkg::b2cmpl_t  b2c, b2c_in;
  weft_qp_pkg::a2build_t a2b, a2b_in;
  weft_qp_pkg::c2build_t c2b, c2b_in;
  logic [31:0]           a2c;

  assign b2a_in.waits     = a_waits;
  assign b2a_in.seen      = a_seen;
  assign b2c_in.waits     = c_waits;
  assign b2c_in.seen      = c_seen;
  assign b2f_in.cur       = vw_ctx.cur;
  assign b2f_in.epoch     = vw_ctx.epoch;
  assign b2f_in.stopped   = vw_ctx.stopped;
  assign b2a_in.snd_max   = vw_ctx.snd_max;
  assign b2a_in.blocked   = vw_ctx.blocked;
  assign b2a_in.stopped   = vw_ctx.stopped;
  assign b2a_in.rtt_on    = vw_ctx.rtt_on;
  assign b2a_in.rtt_gen   = vw_ctx.rtt_gen;
  assign b2a_in.rtt_seq   = vw_ctx.rtt_seq;
  assign b2a_in.rtt_time  = vw_ctx.rtt_time;
  assign b2c_in.sq_done   = vw_ctx.sq_new - 16'(vw_ctx.open == weft_qp_pkg::SelSq);
  assign b2c_in.r_done    = vw_ctx.r_new - 8'(vw_ctx.open == weft_qp_pkg::SelResp);
  assign b2c_in.err       = vw_ctx.err;
  assign b2c_in.err_any   = vw_ctx.err_any;
  assign b2c_in.err_idx   = vw_ctx.err_idx;
  assign b2c_in.err_status = vw_ctx.err_status;

  weft_ram_1r1w #(.W($bits(b2f)), .DEPTH(N_QP)) u_b2f (
    .clk_i, .we_i(init || st_b), .waddr_i(init ? init_qpn : bd_qpn), .wdata_i(init ? '0 : b2f_in),
    .re_i(v_re[0]), .raddr_i(v_qpn[0]), .rdata_o(b2f)
  );
  weft_ram_1r1w #(.W($bits(b2a)), .DEPTH(N_QP)) u_b2a (
    .clk_i, .we_i(init || st_v), .waddr_i(init ? init_qpn : bd_qpn), .wdata_i(init ? '0 : b2a_in),
    .re_i(v_re[2]), .raddr_i(v_qpn[2]), .rdata_o(b2a)
  );
  weft_ram_1r1w #(.W($bits(b2c)), .DEPTH(N_QP)) u_b2c (
    .clk_i, .we_i(init || st_v), .waddr_i(init ? init_qpn : bd_qpn), .wdata_i(init ? '0 : b2c_in),
    .re_i(v_re[3]), .raddr_i(v_qpn[3]), .rdata_o(b2c)
  );
  weft_ram_1r1w #(.W($bits(a2b)), .DEPTH(N_QP)) u_a2b (
    .clk_i, .we_i(init || st_a), .waddr_i(init ? init_qpn : v_qpn[2]), .wdata_i(init ? '0 : a2b_in),
    .re_i(v_re[1]), .raddr_i(v_qpn[1]), .rdata_o(a2b)
  );
  weft_ram_1r1w #(.W(32), .DEPTH(N_QP)) u_a2c (
    .clk_i, .we_i(init || st_a), .waddr_i(init ? init_qpn : v_qpn[2]), .wdata_i(init ? '0 : a2b_in.snd_una),
    .re_i(v_re[3]), .raddr_i(v_qpn[3]), .rdata_o(a2c)
  );
  weft_ram_1r1w #(.W($bits(c2b)), .DEPTH(N_QP)) u_c2b (
    .clk_i, .we_i(init || st_c), .waddr_i(init ? init_qpn : v_qpn[3]), .wdata_i(init ? '0 : c2b_in),
    .re_i(v_re[1]), .raddr_i(v_qpn[1]), .rdata_o(c2b)
  );

  // ---------------------------------------------------------------- log and inbound reads
  logic                log_re, rec_we, fin_we, rrec_we, rend_we, c_re;
  logic [15:0]         log_rd_sq, log_sq, c_sq, hdr_sq;
  logic [7:0]          log_rd_r, log_r, c_r, irq_tail;
  weft_qp_pkg::rec_t   rec, rec_in;
  weft_qp_pkg::fin_t   fin_in, c_fin;
  weft_qp_pkg::rrec_t  rrec, rrec_in;
  logic [31:0]         sq_end, rend, c_rend;
  weft_pkg::irq_t      irq_ent;
  logic                irq_idle;

  weft_qp_log #(.N_QP(N_QP), .LOG_DEPTH(LOG_DEPTH), .IRQ_DEPTH(IRQ_DEPTH)) u_log (
    .clk_i, .b_qpn_i(bd_qpn), .b_sq_i(log_sq), .b_r_i(log_r),
    .rec_we_i(rec_we), .rec_i(rec_in), .fin_we_i(fin_we), .fin_i(fin_in),
    .rrec_we_i(rrec_we), .rrec_i(rrec_in), .rend_we_i(rend_we), .rend_i(fin_in.seq_end),
    .b_re_i(log_re || hdr_re), .b_rd_qpn_i(log_re ? bd_qpn : v_qpn[1]),
    .b_rd_sq_i(log_re ? log_rd_sq : hdr_sq), .b_rd_r_i(log_re ? log_rd_r : hdr_r),
    .b_rec_o(rec), .b_end_o(sq_end), .b_rrec_o(rrec), .b_rend_o(rend),
    .c_re_i(c_re), .c_qpn_i(v_qpn[3]), .c_sq_i(c_sq), .c_r_i(c_r), .c_fin_o(c_fin), .c_rend_o(c_rend)
  );
  weft_qp_irq #(.N_QP(N_QP), .IRQ_DEPTH(IRQ_DEPTH)) u_irq (
    .clk_i, .rst_ni, .init_i(init), .init_qpn_i(init_qpn), .irq_valid_i(iq_v), .irq_ready_o(iq_r), .irq_i(iq),
    .load_valid_i(cmd_to_v[0]), .load_ready_o(cmd_ready[0]), .load_qpn_i(cmd_qpn),
    .wake_o(irq_wake), .wake_qpn_o(irq_qpn),
    .view_re_i(v_re[1]), .view_qpn_i(v_qpn[1]), .view_tail_o(irq_tail),
    .ent_re_i(hdr_re), .ent_idx_i(hdr_r), .ent_o(irq_ent), .busy_o(iq_busy), .idle_o(irq_idle)
  );

  // ---------------------------------------------------------------- segments
  logic                em_start, em_busy, em_done, em_seg_v, em_seg_r, em_src_v, em_src_r, em_inl_v, em_inl_r, em_inl_last;
  weft_qp_pkg::order_t order;
  logic [3:0]          em_sge;
  logic [31:0]         em_sge_off;
  weft_pkg::tx_seg_t   em_seg;
  weft_pkg::tx_src_t   em_src;
  logic [DATA_W-1:0]   em_inl_data;
  logic [CntW-1:0]     em_inl_cnt;
  logic                ev_valid, ev_ready, bd_idle, bd_busy, sg_idle, log_busy, vs_valid, vs_ready;
  weft_qp_pkg::bundle_t vs;
  weft_pkg::fw_ev_t    ev;

  weft_ram_1r1w #(.W($bits(st_ctx)), .DEPTH(N_QP)) u_bctx (
    .clk_i, .we_i(init || st_b), .waddr_i(init ? init_qpn : bd_qpn), .wdata_i(init ? '0 : st_ctx),
    .re_i(v_re[1]), .raddr_i(v_qpn[1]), .rdata_o(b_ctx)
  );
  // Transmit must never wait for build to report an error, because build waits for transmit. A QP has one
  // at most until it is loaded, and transmit holds fewer than 256 segments.
  localparam int unsigned ErrDepth = N_QP < 32 ? 32 : N_QP > 256 ? 256 : N_QP;
  logic              err_valid, err_ready;
  logic [$clog2(ErrDepth):0] n_te;
  weft_pkg::tx_err_t err;
  weft_fifo #(.W($bits(txerr_i)), .DEPTH(ErrDepth)) u_txerr (
    .clk_i, .rst_ni, .in_valid_i(txerr_valid_i), .in_ready_o(txerr_ready_o), .in_data_i(txerr_i),
    .out_valid_o(err_valid), .out_ready_i(err_ready), .out_data_o(err), .count_o(n_te)
  );
  weft_ctx_gate #(.W($bits(txerr_i)), .N(N_QP), .DEPTH(4)) u_gate_err (
    .clk_i, .rst_ni, .home_i(home), .in_valid_i(err_valid), .in_ready_o(err_ready), .in_id_i(err.qpn[QpW-1:0]),
    .in_data_i(err), .out_valid_o(te_v), .out_ready_i(te_r), .out_id_o(te_qpn), .out_data_o(te),
    .want_o(want_te), .parked_o(parked_te), .idle_o(te_gate_idle)
  );
  weft_qp_stage #(.N_QP(N_QP)) u_stage (
    .clk_i, .rst_ni, .init_i(init), .qp_valid_i(b_valid), .qp_ready_o(b_ready), .qp_i(b_qp),
    .cmd_valid_i(cmd_to_v[3]), .cmd_ready_o(cmd_ready[3]), .cmd_qpn_i(cmd_qpn),
    .txerr_valid_i(te_v), .txerr_ready_o(te_r), .txerr_i(te),
    .next_busy_i(bd_busy), .next_qpn_i(bd_qpn), .log_busy_i(log_busy),
    .view_re_o(v_re[1]), .view_qpn_o(v_qpn[1]), .ctx_i(b_ctx), .cfg_i(v_build), .state_i(v_state[1]),
    .hold_i(hold_q[v_qpn[1]]), .ack_i(a2b), .cmpl_i(c2b), .avail_i(av[1]), .fetched_i(fetched), .irq_tail_i(irq_tail),
    .hdr_re_o(hdr_re), .hdr_slot_o(hdr_slot), .hdr_sq_o(hdr_sq), .hdr_r_o(hdr_r),
    .hdr_i(hdr_rd), .meta_i(meta), .irq_i(irq_ent), .rec_i(rec), .rrec_i(rrec),
    .out_valid_o(vs_valid), .out_ready_i(vs_ready), .out_o(vs), .busy_o(sg_busy), .idle_o(sg_idle)
  );
  weft_qp_build #(.N_QP(N_QP), .LOG_DEPTH(LOG_DEPTH)) u_build (
    .clk_i, .rst_ni, .now_us_i(now_ns_i[41:10]),
    .visit_valid_i(vs_valid), .visit_ready_o(vs_ready), .visit_i(vs), .busy_o(bd_busy), .busy_qpn_o(bd_qpn), .use_o(bd_use),
    .cmd_i(cmd), .cmd_ctx_i(cmd_ctx), .cmd_done_o(peek_valid[3]),
    .log_re_o(log_re), .log_rd_sq_o(log_rd_sq), .log_rd_r_o(log_rd_r), .log_busy_o(log_busy),
    .rec_i(rec), .end_i(sq_end), .rrec_i(rrec), .rend_i(rend), .log_sq_o(log_sq), .log_r_o(log_r),
    .rec_we_o(rec_we), .rec_o(rec_in), .fin_we_o(fin_we), .fin_o(fin_in),
    .rrec_we_o(rrec_we), .rrec_o(rrec_in), .rend_we_o(rend_we),
    .emit_start_o(em_start), .emit_o(order), .emit_busy_i(em_busy), .emit_done_i(em_done), .emit_sge_i(em_sge), .emit_sge_off_i(em_sge_off),
    .store_o(st_b), .store_ctx_o(st_ctx), .view_o(st_v), .view_ctx_o(vw_ctx), .ack_waits_o(a_waits), .ack_seen_o(a_seen),
    .cmpl_waits_o(c_waits), .cmpl_seen_o(c_seen), .wake_self_o(wk_self), .wake_fetch_o(wk_fetch),
    .wake_cmpl_o(wk_cmpl), .wake_ack_o(wk_ack),
    .ev_valid_o(ev_valid), .ev_ready_i(ev_ready), .ev_o(ev), .idle_o(bd_idle), .stat_rexmit_o, .stat_block_o
  );
  weft_qp_emit #(.DATA_W(DATA_W), .N_QP(N_QP), .N_VAL(N_VAL)) u_emit (
    .clk_i, .rst_ni, .start_i(em_start), .order_i(order), .busy_o(em_busy), .done_o(em_done), .sge_o(em_sge), .sge_off_o(em_sge_off),
    .slot_re_o(emit_re), .slot_addr_o(emit_ra), .slot_i(slot_rd),
    .val_re_o(val_re), .val_addr_o(val_addr), .val_i(val_data),
    .orq_valid_o, .orq_ready_i, .orq_o,
    .seg_valid_o(em_seg_v), .seg_ready_i(em_seg_r), .seg_o(em_seg),
    .src_valid_o(em_src_v), .src_ready_i(em_src_r), .src_o(em_src),
    .inl_valid_o(em_inl_v), .inl_ready_i(em_inl_r), .inl_data_o(em_inl_data), .inl_cnt_o(em_inl_cnt),
    .inl_last_o(em_inl_last)
  );
  assign stat_seg_o = em_seg_v && em_seg_r;

  logic [2:0] n_seg, n_inl;
  logic [3:0] n_src;
  logic [1:0] n_ev;
  weft_fifo #(.W($bits(em_seg)), .DEPTH(4)) u_seg (
    .clk_i, .rst_ni, .in_valid_i(em_seg_v), .in_ready_o(em_seg_r), .in_data_i(em_seg),
    .out_valid_o(seg_valid_o), .out_ready_i(seg_ready_i), .out_data_o(seg_o), .count_o(n_seg)
  );
  weft_fifo #(.W($bits(em_src)), .DEPTH(8)) u_src (
    .clk_i, .rst_ni, .in_valid_i(em_src_v), .in_ready_o(em_src_r), .in_data_i(em_src),
    .out_valid_o(src_valid_o), .out_ready_i(src_ready_i), .out_data_o(src_o), .count_o(n_src)
  );
  weft_fifo #(.W(DATA_W + CntW + 1), .DEPTH(4)) u_inl (
    .clk_i, .rst_ni, .in_valid_i(em_inl_v), .in_ready_o(em_inl_r),
    .in_data_i({em_inl_last, em_inl_cnt, em_inl_data}),
    .out_valid_o(inl_valid_o), .out_ready_i(inl_ready_i), .out_data_o({inl_last_o, inl_cnt_o, inl_data_o}), .count_o(n_inl)
  );
  weft_fifo #(.W(512), .DEPTH(2)) u_ev (
    .clk_i, .rst_ni, .in_valid_i(ev_valid), .in_ready_o(ev_ready), .in_data_i(ev),
    .out_valid_o(fwev_valid_o), .out_ready_i(fwev_ready_i), .out_data_o(fwev_o), .count_o(n_ev)
  );

  // ---------------------------------------------------------------- ACKs and completions
  logic ak_idle, cm_idle;

  weft_qp_ack #(.N_QP(N_QP), .TICK_SHIFT(TICK_SHIFT), .SLOTS(TIMER_SLOTS)) u_ack (
    .clk_i, .rst_ni, .init_i(init), .init_qpn_i(init_qpn), .now_ns_i, .min_rto_us_i, .max_retries_i,
    .home_i(home), .want_o(want_tm), .parked_o(parked_tm), .fire_valid_o(tm_fire), .fire_qpn_o(tm_fire_qpn), .busy_o(ak_busy),
    .ack_valid_i(ak_v), .ack_ready_o(ak_r), .ack_i(ak), .qp_valid_i(a_valid), .qp_ready_o(a_ready), .qp_i(a_qp),
    .cmd_valid_i(cmd_to_v[2]), .cmd_ready_o(cmd_ready[2]), .cmd_peek_i(peek), .cmd_qpn_i(cmd_qpn), .cmd_ctx_i(cmd_ctx),
    .peek_valid_o(peek_valid[2]), .peek_una_o(peek_una), .peek_wnd_o(peek_wnd), .peek_cwnd_o(peek_cwnd),
    .peek_srtt_o(peek_srtt),
    .view_re_o(v_re[2]), .view_qpn_o(v_qpn[2]), .cfg_i(v_ack), .state_i(v_state[2]), .build_i(b2a),
    .store_o(st_a), .store_view_o(a2b_in), .wake_build_o(a_wb), .wake_cmpl_o(a_wc),
    .deadline_valid_o, .deadline_ns_o, .idle_o(ak_idle),
    .stat_dup_o(stat_dup_ack_o), .stat_bad_o(stat_bad_ack_o), .stat_fast_o, .stat_rto_o
  );
  weft_qp_cmpl #(.N_QP(N_QP)) u_cmpl (
    .clk_i, .rst_ni, .init_i(init), .init_qpn_i(init_qpn),
    .qp_valid_i(c_valid), .qp_ready_o(c_ready), .qp_i(c_qp), .rd_done_valid_i(rd_v), .rd_done_ready_o(rd_r), .rd_done_qpn_i(16'(rd_qpn)),
    .cmd_valid_i(cmd_to_v[1]), .cmd_ready_o(cmd_ready[1]), .cmd_peek_i(peek), .cmd_qpn_i(cmd_qpn),
    .cmd_index_i(cmd_ctx.sq_index), .peek_valid_o(peek_valid[1]), .peek_index_o(peek_cmpl),
    .view_re_o(v_re[3]), .view_qpn_o(v_qpn[3]), .cfg_i(v_cmpl), .state_i(v_state[3]), .posted_i(posted[1]),
    .una_i(a2c), .build_i(b2c),
    .log_re_o(c_re), .log_sq_o(c_sq), .log_r_o(c_r), .fin_i(c_fin), .rend_i(c_rend),
    .irq_free_valid_o, .irq_free_qpn_o, .cqe_valid_o, .cqe_ready_i, .cqe_o,
    .store_o(st_c), .store_view_o(c2b_in), .wake_self_o(c_self), .wake_build_o(c_wb),
    .busy_o(cm_busy), .idle_o(cm_idle), .stat_flush_o
  );

  assign idle_o = !init && ctx_idle && f_empty && b_empty && a_empty && c_empty && f_idle && w_idle && bd_idle && !em_busy && n_te == '0 && !txerr_valid_i && sg_idle
                  && ak_gate_idle && iq_gate_idle && rd_gate_idle && te_gate_idle && ak_idle && cm_idle && irq_idle && !seg_valid_o && !src_valid_o && !inl_valid_o && !fwev_valid_o
                  && !sq_db_valid_i;

  logic unused;
  assign unused = ^{n_seg, n_src, n_inl, n_ev, vw_ctx, sq_db_qpn_i, commit_first_qpn_i, rd_done_qpn_i, rd_none};

`ifndef SYNTHESIS
  initial begin
    if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) $fatal(1, "weft_qp_tx: DATA_W");
    if (N_QP < 2 || N_QP > 65536 || (N_QP & (N_QP - 1)) != 0) $fatal(1, "weft_qp_tx: N_QP is no power of two");
    if (N_FETCH < 1 || N_FETCH > 63) $fatal(1, "weft_qp_tx: N_FETCH must be 1 to 63");
  end
`endif

endmodule
