// SPDX-License-Identifier: BSD-2-Clause

/// Receive engine: from TCP segment to host memory.
///
///   segments -> accept -> FPDUs -> header checks -> translation, placement -> completion, commit
///
/// Each arrow is a FIFO; translations, WQE fetches and writes of several FPDUs are under way at a
/// time. Payload waits on chip until its CRC is good. Nothing is committed (so acknowledged) before
/// the posted stream has accepted its last beat, nothing faulty is placed or committed.
///
/// `pay_*` carries one packet for each segment whose `len` is not zero, of exactly that length, in
/// order; it may come before or after its `seg_*`.
///
/// The records of a QP may be away (weft_ctx_store). What never is: the doorbell index, the count of
/// inbound reads that were given back, and the sets of QPs with something to fetch or to flush, so that
/// doorbells are always taken. A segment wants its QP when it comes in; segments are looked at in
/// order.
///
/// Remote invalidation needs a port of the translation room that answers with an error as
/// weft_pkg::xl_err_e (others: cannot be invalidated). With INV_EN 0 tie inv_ready_i,
/// inv_rsp_valid_i, inv_rsp_err_i to 0: the STag is reported in the completion and nothing more.
module weft_rx #(
  parameter int unsigned DATA_W = 64,            ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 16,              ///< queue pairs, a power of two, 2 or more
  parameter int unsigned ORD_MAX = 16,           ///< RDMA Reads outstanding a QP
  parameter int unsigned PAY_BYTES = 32768,      ///< payload buffer, a power of two, > largest segment
  parameter int unsigned RQ_AREA_BYTES = 512,    ///< receive WQEs on chip a QP, see weft_rx_rq
  parameter int unsigned EV_DEPTH = 2 * N_QP < 64 ? 64 : 2 * N_QP,  ///< see weft_rx_cmpl
  parameter bit          INV_EN = 0,
  parameter int unsigned TEST_LATENCY = 0,       ///< simulation, see weft_ctx_store
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1,
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned WordW = $clog2(RQ_AREA_BYTES / 16),
  localparam int unsigned OrdW = $clog2(ORD_MAX)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   cfg_req_valid_i,
  output logic                   cfg_req_ready_o,
  input  weft_pkg::cfg_req_t     cfg_req_i,
  output logic                   cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t     cfg_rsp_o,

  input  logic                   seg_valid_i,
  output logic                   seg_ready_o,
  input  weft_pkg::rx_seg_t      seg_i,
  input  logic                   pay_valid_i,
  output logic                   pay_ready_o,
  input  logic [DATA_W-1:0]      pay_data_i,
  input  logic [CntW-1:0]        pay_cnt_i,
  input  logic                   pay_last_i,

  input  logic                   rq_db_valid_i,
  input  logic [15:0]            rq_db_qpn_i,
  input  logic [15:0]            rq_db_index_i,
  input  logic                   orq_valid_i,
  output logic                   orq_ready_o,
  input  weft_pkg::orq_t         orq_i,
  input  logic                   irq_free_valid_i,
  input  logic [15:0]            irq_free_qpn_i,

  output logic                   xl_req_valid_o,
  input  logic                   xl_req_ready_i,
  output weft_pkg::xlate_req_t   xl_req_o,
  input  logic                   xl_rsp_valid_i,
  output logic                   xl_rsp_ready_o,
  input  weft_pkg::xlate_rsp_t   xl_rsp_i,

  output logic                   rd_req_valid_o,   ///< DMA read client: receive WQEs
  input  logic                   rd_req_ready_i,
  output weft_pkg::dma_rd_req_t  rd_req_o,
  input  logic                   rd_rsp_valid_i,
  output logic                   rd_rsp_ready_o,
  input  logic [DATA_W-1:0]      rd_rsp_data_i,
  input  logic [CntW-1:0]        rd_rsp_cnt_i,
  input  logic                   rd_rsp_last_i,
  input  logic                   rd_rsp_err_i,

  output logic                   wr_valid_o,       ///< DMA write client: placement
  input  logic                   wr_ready_i,
  output logic [DATA_W-1:0]      wr_data_o,
  output logic [CntW-1:0]        wr_cnt_o,
  output logic                   wr_last_o,
  output weft_pkg::dma_wr_hdr_t  wr_hdr_o,

  output logic                   irq_valid_o,
  input  logic                   irq_ready_i,
  output weft_pkg::irq_t         irq_o,
  output logic                   rd_done_valid_o,
  input  logic                   rd_done_ready_i,
  output logic [15:0]            rd_done_qpn_o,
  output logic                   commit_valid_o,
  input  logic                   commit_ready_i,
  output weft_pkg::rx_commit_t   commit_o,
  output logic                   commit_first_valid_o,  ///< pulse with a commit that has `first`
  output logic [15:0]            commit_first_qpn_o,
  output logic                   ackreq_valid_o,
  input  logic                   ackreq_ready_i,
  output logic [15:0]            ackreq_qpn_o,
  output logic                   cqe_valid_o,
  input  logic                   cqe_ready_i,
  output weft_pkg::cqe_req_t     cqe_o,
  output logic                   fwev_valid_o,
  input  logic                   fwev_ready_i,
  output weft_pkg::fw_ev_t       fwev_o,
  output logic                   rxctx_valid_o,    ///< this context was loaded
  input  logic                   rxctx_ready_i,
  output logic [15:0]            rxctx_qpn_o,
  output weft_abi_pkg::ctx_rx_t  rxctx_o,

  output logic                   inv_valid_o,
  input  logic                   inv_ready_i,
  output logic [15:0]            inv_qpn_o,
  output logic [23:0]            inv_pd_o,
  output logic [31:0]            inv_stag_o,
  input  logic                   inv_rsp_valid_i,
  input  logic [3:0]             inv_rsp_err_i,

  output logic                   idle_o,
  output logic                   stat_drop_o,      ///< pulses: a segment's payload was thrown away
  output logic                   stat_dup_o,       ///< ... a duplicate
  output logic                   stat_gap_o,       ///< ... out of order
  output logic                   stat_part_o,      ///< an FPDU did not end in its segment
  output logic                   stat_fpdu_o,
  output logic                   stat_fault_o,
  output logic                   stat_recv_o,      ///< receive completion
  output logic                   stat_flush_o,     ///< flush completion
  output logic                   stat_wqe_wait_o,  ///< level: a Send waits for its WQE
  output logic                   stat_fetch_o      ///< a WQE was asked for
);

  // ------------------------------------------------ who is home
  localparam int unsigned N_USE = 6;
  logic [N_QP-1:0]           home, open, want_ctx, want_rq, want_cmpl, want_orq, parked_orq;
  logic [N_USE-1:0]          in_use;
  logic [N_USE-1:0][QpW-1:0] use_qpn;
  logic [1:0]                ctx_busy;
  logic [1:0][QpW-1:0]       ctx_busy_qpn;
  logic                      acc_busy, acc_left, rq_busy, rq_asked, rq_came, cmpl_busy, o_valid, o_ready, o_idle, enter;
  logic [QpW-1:0]            acc_qpn, rq_qpn, rq_came_qpn, cmpl_qpn, o_qpn, enter_qpn;
  weft_pkg::orq_t            o;

  weft_ctx_store #(.N(N_QP), .N_USE(N_USE), .N_HOLD(3), .N_FREE(4), .TEST_LATENCY(TEST_LATENCY)) u_store (
    .clk_i, .rst_ni, .want_i(want_ctx | want_rq | want_cmpl | want_orq), .home_o(home),
    .use_i(in_use), .use_id_i(use_qpn),
    // Segments from the door on, what becomes of them, receive WQEs on their way.
    .hold_i({seg_valid_i && seg_ready_o, enter, rq_asked}), .hold_id_i({seg_i.qpn[QpW-1:0], enter_qpn, rq_qpn}),
    .free_i({acc_left, ddp_skip, taken, rq_came}),
    .free_id_i({acc_qpn, msn_qpn, d_item.qpn[QpW-1:0], rq_came_qpn})
  );
  assign in_use  = {ctx_busy, acc_busy, rq_busy, cmpl_busy, o_valid};
  assign use_qpn = {ctx_busy_qpn, acc_qpn, rq_qpn, cmpl_qpn, o_qpn};
  // An outstanding Read is known before its response is looked at.
  assign open    = home & ~parked_orq;

  weft_ctx_gate #(.W($bits(orq_i)), .N(N_QP), .DEPTH(4)) u_gate_orq (
    .clk_i, .rst_ni, .home_i(home), .in_valid_i(orq_valid_i), .in_ready_o(orq_ready_o), .in_id_i(orq_i.qpn[QpW-1:0]),
    .in_data_i(orq_i), .out_valid_o(o_valid), .out_ready_i(o_ready), .out_id_o(o_qpn), .out_data_o(o),
    .want_o(want_orq), .parked_o(parked_orq), .idle_o(o_idle)
  );

  // ------------------------------------------------ context commands
  logic                  tok_valid, tok_ready, tok_done, ctx_idle;
  weft_rx_pkg::kind_e    tok_kind;
  logic [15:0]           tok_qpn;
  weft_abi_pkg::ctx_rx_t tok_ctx;
  logic                  msn_we, look_re;
  logic [QpW-1:0]        msn_qpn, look_qpn;
  logic [31:0]           msn_send, msn_read, look_nxt;
  logic [15:0]           look_rq;

  weft_rx_ctx #(.N_QP(N_QP)) u_ctx (
    .clk_i, .rst_ni, .open_i(open), .want_o(want_ctx), .busy_o(ctx_busy), .busy_qpn_o(ctx_busy_qpn),
    .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i, .cfg_rsp_valid_o, .cfg_rsp_o,
    .tok_valid_o(tok_valid), .tok_ready_i(tok_ready), .tok_kind_o(tok_kind), .tok_qpn_o(tok_qpn),
    .tok_ctx_o(tok_ctx), .tok_done_i(tok_done), .rxctx_valid_o, .rxctx_ready_i, .rxctx_qpn_o,
    .rxctx_o, .msn_we_i(msn_we), .msn_qpn_i(msn_qpn), .msn_send_i(msn_send), .msn_read_i(msn_read),
    .look_re_o(look_re), .look_qpn_o(look_qpn), .look_nxt_i(look_nxt), .look_rq_i(look_rq),
    .idle_o(ctx_idle)
  );

  // ------------------------------------------------ acceptance and delineation
  logic               sq_valid, sq_ready;
  weft_pkg::rx_seg_t  sq;
  logic [3:0]         sq_count;
  logic               run_valid, run_ready, run_drop, run_crc, done_valid, done_part, done_fault;
  logic [15:0]        run_qpn, run_trim, run_len;
  logic [31:0]        run_seq, done_nxt;
  logic               a_pre_valid, f_pre_valid, pre_in_ready, acc_idle, fpdu_idle;
  weft_rx_pkg::pre_t  a_pre, f_pre;

  weft_fifo #(.W(65), .DEPTH(8)) u_segs (
    .clk_i, .rst_ni, .in_valid_i(seg_valid_i), .in_ready_o(seg_ready_o), .in_data_i(seg_i),
    .out_valid_o(sq_valid), .out_ready_i(sq_ready), .out_data_o(sq), .count_o(sq_count)
  );

  weft_rx_accept #(.N_QP(N_QP)) u_accept (
    .clk_i, .rst_ni, .seg_valid_i(sq_valid), .seg_ready_o(sq_ready), .seg_i(sq), .seg_may_i(open[sq.qpn[QpW-1:0]]),
    .busy_o(acc_busy), .busy_qpn_o(acc_qpn), .left_o(acc_left),
    .tok_valid_i(tok_valid), .tok_ready_o(tok_ready), .tok_kind_i(tok_kind), .tok_qpn_i(tok_qpn),
    .tok_rcv_nxt_i(tok_ctx.rcv_nxt), .tok_state_i(tok_ctx.state), .tok_crc_i(tok_ctx.crc),
    .run_valid_o(run_valid), .run_ready_i(run_ready), .run_drop_o(run_drop), .run_qpn_o(run_qpn),
    .run_seq_o(run_seq), .run_trim_o(run_trim), .run_len_o(run_len), .run_crc_o(run_crc),
    .done_valid_i(done_valid), .done_nxt_i(done_nxt), .done_part_i(done_part),
    .done_fault_i(done_fault),
    .pre_valid_o(a_pre_valid), .pre_ready_i(pre_in_ready && !f_pre_valid), .pre_o(a_pre),
    .idle_o(acc_idle), .stat_drop_o, .stat_dup_o, .stat_gap_o, .stat_part_o
  );

  logic              hin_valid, hin_ready, hin_ok;
  logic [367:0]      hin;
  logic              p_valid, p_ready, p_last;
  logic [DATA_W-1:0] p_data;
  logic [CntW-1:0]   p_cnt;

  weft_rx_fpdu #(.DATA_W(DATA_W)) u_fpdu (
    .clk_i, .rst_ni, .run_valid_i(run_valid), .run_ready_o(run_ready), .run_drop_i(run_drop),
    .run_qpn_i(run_qpn), .run_seq_i(run_seq), .run_trim_i(run_trim), .run_len_i(run_len),
    .run_crc_i(run_crc), .done_valid_o(done_valid), .done_nxt_o(done_nxt), .done_part_o(done_part),
    .done_fault_o(done_fault),
    .seg_valid_i(pay_valid_i), .seg_ready_o(pay_ready_o), .seg_data_i(pay_data_i),
    .seg_last_i(pay_last_i),
    .pre_valid_o(f_pre_valid), .pre_ready_i(pre_in_ready), .pre_o(f_pre),
    .hdr_valid_o(hin_valid), .hdr_ready_i(hin_ready), .hdr_o(hin), .crc_ok_o(hin_ok),
    .pay_valid_o(p_valid), .pay_ready_i(p_ready), .pay_data_o(p_data), .pay_cnt_o(p_cnt),
    .pay_last_o(p_last), .idle_o(fpdu_idle), .stat_fpdu_o
  );

  // ------------------------------------------------ what waits for its checks
  logic              pre_valid, pre_ready, hdr_valid, hdr_ready, crc_ok;
  weft_rx_pkg::pre_t pre;
  logic [367:0]      hdr;
  logic [4:0]        pre_count, hdr_count;
  weft_fifo #(.W(weft_rx_pkg::PRE_W), .DEPTH(16)) u_pre (
    .clk_i, .rst_ni, .in_valid_i(f_pre_valid || a_pre_valid), .in_ready_o(pre_in_ready),
    .in_data_i(f_pre_valid ? f_pre : a_pre), .out_valid_o(pre_valid), .out_ready_i(pre_ready),
    .out_data_o(pre), .count_o(pre_count)
  );
  weft_fifo #(.W(369), .DEPTH(16)) u_hdr (
    .clk_i, .rst_ni, .in_valid_i(hin_valid), .in_ready_o(hin_ready), .in_data_i({hin_ok, hin}),
    .out_valid_o(hdr_valid), .out_ready_i(hdr_ready), .out_data_o({crc_ok, hdr}),
    .count_o(hdr_count)
  );

  localparam int unsigned PayDepth = PAY_BYTES / Bytes;
  logic                     b_valid, b_ready, b_last;
  logic [DATA_W-1:0]        b_data;
  logic [CntW-1:0]          b_cnt;
  logic [$clog2(PayDepth):0] b_count;
  weft_fifo #(.W(DATA_W + CntW + 1), .DEPTH(PayDepth)) u_buf (
    .clk_i, .rst_ni, .in_valid_i(p_valid), .in_ready_o(p_ready),
    .in_data_i({p_last, p_cnt, p_data}), .out_valid_o(b_valid), .out_ready_i(b_ready),
    .out_data_o({b_last, b_cnt, b_data}), .count_o(b_count)
  );

  // ------------------------------------------------ checks, receive queue, reads
  logic           load_valid, load_ready, load_all, load_state, use_valid, use_ready;
  logic [15:0]    use_next, idx_db, idx_here;
  logic           q_re, word_re, ent_re;
  logic [QpW-1:0] q_qpn;
  logic [QpW+WordW-1:0] word_addr;
  logic [QpW+OrdW-1:0]  ent_addr;
  logic [127:0]   word;
  logic [7:0]     cnt_orq, cnt_free;
  weft_pkg::orq_t ent;
  logic           it_valid, it_ready, x_valid, x_ready, x_last, ddp_idle, ddp_skip, rq_idle;
  weft_rx_pkg::item_t   it;
  weft_pkg::xlate_req_t x;

  weft_rx_ddp #(.N_QP(N_QP), .AREA_BYTES(RQ_AREA_BYTES), .ORD_MAX(ORD_MAX)) u_ddp (
    .clk_i, .rst_ni, .pre_valid_i(pre_valid), .pre_ready_o(pre_ready), .pre_i(pre),
    .hdr_valid_i(hdr_valid), .hdr_ready_o(hdr_ready), .hdr_i(hdr), .crc_ok_i(crc_ok),
    .tok_ctx_i(tok_ctx), .load_valid_o(load_valid), .load_ready_i(load_ready),
    .load_all_o(load_all), .load_state_o(load_state), .use_valid_o(use_valid),
    .use_ready_i(use_ready), .use_next_o(use_next), .look_re_o(q_re), .look_qpn_o(q_qpn),
    .idx_db_i(idx_db), .idx_here_i(idx_here), .word_re_o(word_re), .word_addr_o(word_addr),
    .word_i(word), .cnt_orq_i(cnt_orq), .cnt_free_i(cnt_free), .ent_re_o(ent_re),
    .ent_addr_o(ent_addr), .ent_i(ent), .item_valid_o(it_valid), .item_ready_i(it_ready),
    .item_o(it), .xl_valid_o(x_valid), .xl_ready_i(x_ready), .xl_o(x), .xl_last_o(x_last),
    .msn_we_o(msn_we), .msn_qpn_o(msn_qpn), .msn_send_o(msn_send), .msn_read_o(msn_read),
    .idle_o(ddp_idle), .skip_o(ddp_skip), .stat_wait_o(stat_wqe_wait_o)
  );

  weft_rx_rq #(.DATA_W(DATA_W), .N_QP(N_QP), .AREA_BYTES(RQ_AREA_BYTES)) u_rq (
    .clk_i, .rst_ni, .home_i(home), .want_o(want_rq), .busy_o(rq_busy), .busy_qpn_o(rq_qpn), .asked_o(rq_asked),
    .came_o(rq_came), .came_qpn_o(rq_came_qpn), .rq_db_valid_i, .rq_db_qpn_i, .rq_db_index_i,
    .load_valid_i(load_valid), .load_ready_o(load_ready), .load_all_i(load_all),
    .load_state_i(load_state), .load_qpn_i(msn_qpn), .load_ctx_i(tok_ctx),
    .use_valid_i(use_valid), .use_ready_o(use_ready), .use_qpn_i(msn_qpn), .use_next_i(use_next),
    .idx_re_i(q_re), .idx_qpn_i(q_qpn), .idx_db_o(idx_db), .idx_here_o(idx_here),
    .word_re_i(word_re), .word_addr_i(word_addr), .word_o(word),
    .rd_req_valid_o, .rd_req_ready_i, .rd_req_o, .rd_rsp_valid_i, .rd_rsp_ready_o, .rd_rsp_data_i,
    .rd_rsp_cnt_i, .rd_rsp_last_i, .rd_rsp_err_i, .idle_o(rq_idle), .stat_fetch_o
  );

  logic reads_init;
  weft_rx_reads #(.N_QP(N_QP), .ORD_MAX(ORD_MAX)) u_reads (
    .clk_i, .rst_ni, .orq_valid_i(o_valid), .orq_ready_o(o_ready), .orq_i(o), .irq_free_valid_i, .irq_free_qpn_i,
    .cnt_re_i(q_re), .cnt_qpn_i(q_qpn), .cnt_orq_o(cnt_orq), .cnt_free_o(cnt_free),
    .ent_re_i(ent_re), .ent_addr_i(ent_addr), .ent_o(ent), .init_o(reads_init)
  );

  // ------------------------------------------------ translation and placement
  logic [4:0] it_count, job_count, xq_count, done_count;
  logic       i_valid, i_ready, job_in_ready, job_valid, job_ready, job_last, xq_ready;
  weft_rx_pkg::item_t i_item;
  weft_fifo #(.W(weft_rx_pkg::ITEM_W), .DEPTH(16)) u_items (
    .clk_i, .rst_ni, .in_valid_i(it_valid), .in_ready_o(it_ready), .in_data_i(it),
    .out_valid_o(i_valid), .out_ready_i(i_ready), .out_data_o(i_item), .count_o(it_count)
  );
  localparam int unsigned XlW = 32 + 64 + 16 + 8 + 24 + 16 + 1;
  weft_fifo #(.W(XlW), .DEPTH(16)) u_xlq (
    .clk_i, .rst_ni, .in_valid_i(x_valid && job_in_ready), .in_ready_o(xq_ready), .in_data_i(x),
    .out_valid_o(xl_req_valid_o), .out_ready_i(xl_req_ready_i), .out_data_o(xl_req_o),
    .count_o(xq_count)
  );
  logic [6:0] job_fill;
  weft_fifo #(.W(1), .DEPTH(64)) u_jobs (
    .clk_i, .rst_ni, .in_valid_i(x_valid && xq_ready), .in_ready_o(job_in_ready),
    .in_data_i(x_last), .out_valid_o(job_valid), .out_ready_i(job_ready), .out_data_o(job_last),
    .count_o(job_fill)
  );
  assign job_count = job_fill[4:0];
  assign x_ready   = xq_ready && job_in_ready;

  logic               pl_valid, pl_ready, pl_credit, placed, place_idle;
  weft_rx_pkg::item_t pl_item;
  weft_rx_place #(.DATA_W(DATA_W), .N_QP(N_QP)) u_place (
    .clk_i, .rst_ni, .item_valid_i(i_valid), .item_ready_o(i_ready), .item_i(i_item),
    .job_valid_i(job_valid), .job_ready_o(job_ready), .job_last_i(job_last),
    .xl_valid_i(xl_rsp_valid_i), .xl_ready_o(xl_rsp_ready_o), .xl_i(xl_rsp_i),
    .pay_valid_i(b_valid), .pay_ready_o(b_ready), .pay_data_i(b_data), .pay_cnt_i(b_cnt),
    .pay_last_i(b_last),
    .wr_valid_o, .wr_ready_i, .wr_data_o, .wr_cnt_o, .wr_last_o, .wr_hdr_o,
    .item_valid_o(pl_valid), .item_ready_i(pl_ready), .item_o(pl_item), .item_credit_o(pl_credit),
    .placed_o(placed), .idle_o(place_idle)
  );

  logic               d_valid, d_ready, d_credit, cmpl_idle, taken;
  weft_rx_pkg::item_t d_item;
  weft_fifo #(.W(weft_rx_pkg::ITEM_W + 1), .DEPTH(16)) u_done (
    .clk_i, .rst_ni, .in_valid_i(pl_valid), .in_ready_o(pl_ready), .in_data_i({pl_credit, pl_item}),
    .out_valid_o(d_valid), .out_ready_i(d_ready), .out_data_o({d_credit, d_item}),
    .count_o(done_count)
  );

  weft_rx_cmpl #(.N_QP(N_QP), .EV_DEPTH(EV_DEPTH), .INV_EN(INV_EN)) u_cmpl (
    .clk_i, .rst_ni, .home_i(home), .want_o(want_cmpl), .busy_o(cmpl_busy), .busy_qpn_o(cmpl_qpn),
    .item_valid_i(d_valid), .item_ready_o(d_ready), .item_i(d_item),
    .item_credit_i(d_credit), .placed_i(placed), .tok_ctx_i(tok_ctx), .tok_done_o(tok_done),
    .rq_db_valid_i, .rq_db_qpn_i, .rq_db_index_i,
    .irq_valid_o, .irq_ready_i, .irq_o, .rd_done_valid_o, .rd_done_ready_i, .rd_done_qpn_o,
    .commit_valid_o, .commit_ready_i, .commit_o, .ackreq_valid_o, .ackreq_ready_i, .ackreq_qpn_o,
    .cqe_valid_o, .cqe_ready_i, .cqe_o, .fwev_valid_o, .fwev_ready_i, .fwev_o,
    .inv_valid_o, .inv_ready_i, .inv_qpn_o, .inv_pd_o, .inv_stag_o, .inv_rsp_valid_i,
    .inv_rsp_err_i, .look_re_i(look_re), .look_qpn_i(look_qpn), .look_nxt_o(look_nxt),
    .look_rq_o(look_rq), .idle_o(cmpl_idle), .taken_o(taken), .stat_fault_o, .stat_recv_o,
    .stat_flush_o
  );

  assign commit_first_valid_o = commit_valid_o && commit_ready_i && commit_o.first;
  assign commit_first_qpn_o   = commit_o.qpn;

  // ------------------------------------------------ items in the pipeline
  logic [6:0] flight_q;
  assign enter     = (f_pre_valid || a_pre_valid) && pre_in_ready;
  assign enter_qpn = f_pre_valid ? f_pre.qpn[QpW-1:0] : a_pre.qpn[QpW-1:0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flight_q <= '0;
    else flight_q <= flight_q + 7'(enter) - 7'(ddp_skip) - 7'(taken);
  end
  assign idle_o = !reads_init && flight_q == '0 && sq_count == '0 && !pay_valid_i && !seg_valid_i && acc_idle &&
                  fpdu_idle && ddp_idle && rq_idle && place_idle && cmpl_idle && ctx_idle &&
                  o_idle && !rq_db_valid_i && !irq_free_valid_i;

  logic unused;
  assign unused = ^{pay_cnt_i, pre_count, hdr_count, b_count, it_count, job_count, job_fill, xq_count,
                    done_count};

`ifndef SYNTHESIS
  initial begin
    if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512)
      $fatal(1, "weft_rx: DATA_W is not 64, 128, 256 or 512");
    if (PAY_BYTES < 16384) $fatal(1, "weft_rx: PAY_BYTES does not hold the largest segment");
    if (N_QP < 2 || (N_QP & (N_QP - 1)) != 0) $fatal(1, "weft_rx: N_QP is no power of two");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (weft_rx_pkg::ITEM_W == $bits(it)) else $error("ITEM_W");
      assert (weft_rx_pkg::PRE_W == $bits(pre)) else $error("PRE_W");
    end
  end
`endif

endmodule
