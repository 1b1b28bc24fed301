// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// TCP transmit room: turns segment descriptions into frames.
///
///   seg, src --> weft_tcp_src --> weft_dma_gather --> weft_tcp_fpdu --> segment buffer --+
///   translation, headers          reads, in order     pad, CRC, sum    store and forward |
///   commit, ackreq --> weft_tcp_ack --> weft_tcp_hdr --> weft_tcp_depart <---------------+--> frm
///
/// A segment leaves whole or not at all: it waits in the buffer until its last byte is good. One
/// that cannot be built raises `txerr` and everything later of that QP is thrown away until its
/// receive context is committed with CMD WRITE or SET_STATE (`rxctx_*`).
/// No timestamps: frames carry no TCP options.
///
/// The records of a QP may be away (weft_ctx_store): what an ACK needs, and the header template. What
/// never is: the bit that throws away, and the queues of ACKs and delays. A segment wants its QP when it
/// comes in; the payload takes longer to read than the records.
module weft_tcp_tx #(
  parameter int unsigned DATA_W = 64,        ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 16,          ///< queue pairs, a power of two, 2 to 65536
  parameter int unsigned N_L2 = 16,          ///< L2 entries, a power of two, 2 to 65536
  parameter bit          IPV6 = 1,           ///< IPv6 connections
  parameter int unsigned SEG_MAX = 9216,     ///< largest FPDU in bytes
  parameter int unsigned SEGBUF_BYTES = 32768,  ///< segment buffer: two SEG_MAX or more
  parameter int unsigned RDBUF_BYTES = 32768,   ///< answers of payload reads in flight
  parameter int unsigned RD_MAX = 4096,      ///< largest payload read
  parameter int unsigned SEGS = 128,         ///< segments being built, a power of two
  parameter int unsigned ACK_DELAY_NS = 500_000,  ///< delayed ACK
  parameter int unsigned TEST_LATENCY = 0,   ///< simulation, see weft_ctx_store
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [63:0]             now_ns_i,

  input  logic                    seg_valid_i,
  output logic                    seg_ready_o,
  input  weft_pkg::tx_seg_t       seg_i,
  input  logic                    src_valid_i,
  output logic                    src_ready_o,
  input  weft_pkg::tx_src_t       src_i,
  input  logic                    inl_valid_i,
  output logic                    inl_ready_o,
  input  logic [DATA_W-1:0]       inl_data_i,
  input  logic [CntW-1:0]         inl_cnt_i,
  input  logic                    inl_last_i,

  output logic                    xl_req_valid_o,
  input  logic                    xl_req_ready_i,
  output weft_pkg::xlate_req_t    xl_req_o,
  input  logic                    xl_rsp_valid_i,
  output logic                    xl_rsp_ready_o,
  input  weft_pkg::xlate_rsp_t    xl_rsp_i,

  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    rd_rsp_valid_i,
  output logic                    rd_rsp_ready_o,
  input  logic [DATA_W-1:0]       rd_rsp_data_i,
  input  logic [CntW-1:0]         rd_rsp_cnt_i,
  input  logic                    rd_rsp_last_i,
  input  logic                    rd_rsp_err_i,

  input  logic                    commit_valid_i,
  output logic                    commit_ready_o,
  input  weft_pkg::rx_commit_t    commit_i,
  input  logic                    ackreq_valid_i,
  output logic                    ackreq_ready_o,
  input  logic [15:0]             ackreq_qpn_i,

  input  logic                    conn_valid_i,
  output logic                    conn_ready_o,
  input  logic [15:0]             conn_qpn_i,
  input  weft_abi_pkg::ctx_conn_t conn_i,
  input  logic                    l2e_we_i,
  input  logic [15:0]             l2e_index_i,
  input  weft_abi_pkg::l2e_t      l2e_i,
  input  logic                    rxctx_valid_i,
  output logic                    rxctx_ready_o,
  input  logic [15:0]             rxctx_qpn_i,
  input  weft_abi_pkg::ctx_rx_t   rxctx_i,

  output logic                    frm_valid_o,
  input  logic                    frm_ready_i,
  output logic [DATA_W-1:0]       frm_data_o,
  output logic [CntW-1:0]         frm_cnt_o,
  output logic                    frm_last_o,

  output logic                    txerr_valid_o,
  input  logic                    txerr_ready_i,
  output weft_pkg::tx_err_t       txerr_o,

  output logic [63:0]             deadline_ns_o,
  output logic                    deadline_valid_o,
  output logic                    idle_o,

  output logic                    stat_seg_o,           ///< data segment sent
  output logic                    stat_ack_o,           ///< pure ACK sent
  output logic                    stat_drop_o,          ///< segment thrown away: error, or behind one
  output logic                    stat_err_o,           ///< txerr raised
  output logic                    stat_void_o,          ///< thrown away: no valid connection or L2 entry
  output logic                    stat_credit_stall_o,  ///< a read waited for room (each cycle)
  output logic                    stat_buf_stall_o      ///< the segment buffer was full (each cycle)
);

  localparam int unsigned QpW = $clog2(N_QP);
  localparam int unsigned L2W = $clog2(N_L2);
  localparam int unsigned MaxPkts = 64;

  // ------------------------------------------------ who is home
  logic [N_QP-1:0]     home, open, want_dep, want_msg, want_now, parked;
  logic                msg_v, msg_r, msg_ack, msg_idle, dep_busy, conn_we, rxctx_we;
  logic [QpW-1:0]      msg_qpn, dep_busy_qpn, conn_qpn, rxctx_qpn;
  weft_pkg::rx_commit_t msg;

  weft_ctx_store #(.N(N_QP), .N_USE(4), .N_HOLD(1), .N_FREE(1), .TEST_LATENCY(TEST_LATENCY)) u_store (
    .clk_i, .rst_ni, .want_i(want_dep | want_msg | want_now), .home_o(home),
    .use_i({msg_v, dep_busy, conn_we, rxctx_we}), .use_id_i({msg_qpn, dep_busy_qpn, conn_qpn, rxctx_qpn}),
    // From the verdict to the departure.
    .hold_i(e_valid && e_ready), .hold_id_i(e_seg.qpn[QpW-1:0]), .free_i(d_valid && d_ready), .free_id_i(d[DescW-1-:QpW])
  );
  assign conn_qpn      = conn_qpn_i[QpW-1:0];
  assign rxctx_qpn     = rxctx_qpn_i[QpW-1:0];
  // What is loaded goes behind every message that came before it.
  assign open          = home & ~parked;
  assign conn_ready_o  = open[conn_qpn];
  assign rxctx_ready_o = open[rxctx_qpn];
  assign conn_we       = conn_valid_i && conn_ready_o;
  assign rxctx_we      = rxctx_valid_i && rxctx_ready_o;
  always_comb begin
    want_now = '0;
    if (seg_valid_i) want_now[seg_i.qpn[QpW-1:0]] = 1'b1;
    if (conn_valid_i) want_now[conn_qpn] = 1'b1;
    if (rxctx_valid_i) want_now[rxctx_qpn] = 1'b1;
  end

  // Commits and requests for an ACK of one QP stay in order.
  localparam int unsigned MsgW = 1 + $bits(commit_i);
  weft_ctx_gate #(.W(MsgW), .N(N_QP), .DEPTH(8)) u_gate (
    .clk_i, .rst_ni, .home_i(home), .in_valid_i(commit_valid_i || ackreq_valid_i), .in_ready_o(msg_in_ready),
    .in_id_i(take_commit ? commit_i.qpn[QpW-1:0] : ackreq_qpn_i[QpW-1:0]), .in_data_i({!take_commit, commit_i}),
    .out_valid_o(msg_v), .out_ready_i(msg_r), .out_id_o(msg_qpn), .out_data_o({msg_ack, msg}),
    .want_o(want_msg), .parked_o(parked), .idle_o(msg_idle)
  );
  logic msg_in_ready, msg_commit_r, msg_ack_r, take_commit, ackreq_stays_q;
  // What is offered to the gate stays.
  assign take_commit    = commit_valid_i && !ackreq_stays_q;
  assign commit_ready_o = msg_in_ready && take_commit;
  assign ackreq_ready_o = msg_in_ready && !take_commit;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ackreq_stays_q <= 1'b0;
    else ackreq_stays_q <= ackreq_valid_i && !take_commit && !msg_in_ready;
  end
  assign msg_r          = msg_ack ? msg_ack_r : msg_commit_r;

  // ------------------------------------------------ pieces
  logic              cmd_valid, cmd_ready, cmd_last, cmd_after_wr;
  logic [1:0]        cmd_kind;
  logic [63:0]       cmd_addr;
  logic [15:0]       cmd_len;
  logic [4:0]        cmd_code;
  logic              hs_valid, hs_ready, hs_last;
  logic [DATA_W-1:0] hs_data;
  logic [CntW-1:0]   hs_cnt;
  logic              meta_valid, meta_ready, src_idle;
  weft_tcp_pkg::seg_info_t meta;

  weft_tcp_src #(.DATA_W(DATA_W), .SEGS(SEGS)) u_src (
    .clk_i, .rst_ni, .seg_valid_i, .seg_ready_o, .seg_i, .src_valid_i, .src_ready_o, .src_i,
    .xl_req_valid_o, .xl_req_ready_i, .xl_req_o, .xl_rsp_valid_i, .xl_rsp_ready_o, .xl_rsp_i,
    .cmd_valid_o(cmd_valid), .cmd_ready_i(cmd_ready), .cmd_kind_o(cmd_kind),
    .cmd_last_o(cmd_last), .cmd_addr_o(cmd_addr), .cmd_len_o(cmd_len),
    .cmd_after_wr_o(cmd_after_wr), .cmd_code_o(cmd_code),
    .hdr_valid_o(hs_valid), .hdr_ready_i(hs_ready), .hdr_data_o(hs_data), .hdr_cnt_o(hs_cnt),
    .hdr_last_o(hs_last), .meta_valid_o(meta_valid), .meta_ready_i(meta_ready), .meta_o(meta),
    .idle_o(src_idle)
  );

  // ------------------------------------------------ in-line bytes wait for their turn here
  logic              i_valid, i_ready, i_last;
  logic [DATA_W-1:0] i_data;
  logic [CntW-1:0]   i_cnt;
  weft_fifo #(.W(DATA_W + CntW + 1), .DEPTH(32)) u_inl (
    .clk_i, .rst_ni, .in_valid_i(inl_valid_i), .in_ready_o(inl_ready_o),
    .in_data_i({inl_last_i, inl_cnt_i, inl_data_i}),
    .out_valid_o(i_valid), .out_ready_i(i_ready), .out_data_o({i_last, i_cnt, i_data}), .count_o()
  );

  // ------------------------------------------------ gather
  logic              g_valid, g_ready, g_last, code_valid, code_ready, gather_idle;
  logic [DATA_W-1:0] g_data;
  logic [CntW-1:0]   g_cnt;
  logic [4:0]        code;
  weft_dma_gather #(
    .DATA_W(DATA_W), .RD_MAX(RD_MAX), .BUF_BYTES(RDBUF_BYTES), .PIECES(2 * SEGS), .CODE_W(5),
    .BUS(5'h10)
  ) u_gather (
    .clk_i, .rst_ni,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_kind_i(cmd_kind), .cmd_last_i(cmd_last),
    .cmd_addr_i(cmd_addr), .cmd_len_i(cmd_len), .cmd_after_wr_i(cmd_after_wr),
    .cmd_code_i(cmd_code),
    .rd_req_valid_o, .rd_req_ready_i, .rd_req_o, .rd_rsp_valid_i, .rd_rsp_ready_o, .rd_rsp_data_i,
    .rd_rsp_cnt_i, .rd_rsp_last_i, .rd_rsp_err_i,
    .s0_valid_i(hs_valid), .s0_ready_o(hs_ready), .s0_data_i(hs_data), .s0_cnt_i(hs_cnt),
    .s0_last_i(hs_last),
    .s1_valid_i(i_valid), .s1_ready_o(i_ready), .s1_data_i(i_data), .s1_cnt_i(i_cnt),
    .s1_last_i(i_last),
    .out_valid_o(g_valid), .out_ready_i(g_ready), .out_data_o(g_data), .out_cnt_o(g_cnt),
    .out_last_o(g_last), .out_err_o(), .code_valid_o(code_valid), .code_ready_i(code_ready),
    .code_o(code), .idle_o(gather_idle), .stat_credit_stall_o
  );

  // ------------------------------------------------ framing
  logic              clear, load;
  logic              f_valid, f_ready, f_last, f_drop, fpdu_idle;
  logic [DATA_W-1:0] f_data;
  logic [CntW-1:0]   f_cnt;
  weft_tcp_pkg::seg_info_t e_seg;
  logic [15:0]       e_bytes, f_sum;
  logic              e_valid, e_ready;

  assign load  = rxctx_we && rxctx_i.cmd == weft_abi_pkg::CTX_CMD_WRITE;
  assign clear = load || (rxctx_we && rxctx_i.cmd == weft_abi_pkg::CTX_CMD_SET_STATE);

  weft_tcp_fpdu #(.DATA_W(DATA_W), .N_QP(N_QP), .SEG_MAX(SEG_MAX)) u_fpdu (
    .clk_i, .rst_ni,
    .in_valid_i(g_valid), .in_ready_o(g_ready), .in_data_i(g_data), .in_cnt_i(g_cnt),
    .in_last_i(g_last), .code_valid_i(code_valid), .code_ready_o(code_ready), .code_i(code),
    .meta_valid_i(meta_valid), .meta_ready_o(meta_ready), .meta_i(meta),
    .out_valid_o(f_valid), .out_ready_i(f_ready), .out_data_o(f_data), .out_cnt_o(f_cnt),
    .out_last_o(f_last), .out_drop_o(f_drop), .out_sum_o(f_sum), .early_valid_o(e_valid),
    .early_ready_i(e_ready), .early_seg_o(e_seg), .early_bytes_o(e_bytes), .txerr_valid_o, .txerr_ready_i, .txerr_o, .clr_i(clear),
    .clr_qpn_i(rxctx_qpn), .idle_o(fpdu_idle), .stat_drop_o, .stat_err_o
  );

  // ------------------------------------------------ segment buffer
  localparam int unsigned DescW = QpW + 32 + 1 + 16;
  logic              b_in_ready, d_in_ready, b_valid, b_ready, b_last, b_empty, commit;
  logic [DATA_W-1:0] b_data;
  logic [CntW-1:0]   b_cnt;
  logic              d_valid, d_ready, s_valid, s_ready;
  logic [15:0]       s_sum;
  logic [DescW-1:0]  d;

  assign f_ready          = b_in_ready && (!f_last || d_in_ready);
  assign commit           = f_valid && f_last && !f_drop && b_in_ready;
  assign stat_buf_stall_o = f_valid && !f_ready;

  weft_pkt_fifo #(
    .DATA_W(DATA_W), .DEPTH(SEGBUF_BYTES * 8 / DATA_W), .META_W(1), .MAX_PKTS(MaxPkts)
  ) u_segbuf (
    .clk_i, .rst_ni, .in_valid_i(f_valid && (!f_last || d_in_ready)), .in_ready_o(b_in_ready),
    .in_data_i(f_data), .in_cnt_i(f_cnt), .in_last_i(f_last), .in_drop_i(f_drop), .in_meta_i(1'b0),
    .out_valid_o(b_valid), .out_ready_i(b_ready), .out_data_o(b_data), .out_cnt_o(b_cnt),
    .out_last_o(b_last), .out_meta_o(), .free_o(), .empty_o(b_empty), .stat_drop_o(),
    .stat_overflow_o()
  );
  weft_fifo #(.W(16), .DEPTH(MaxPkts)) u_sums (
    .clk_i, .rst_ni, .in_valid_i(commit), .in_ready_o(d_in_ready), .in_data_i(f_sum),
    .out_valid_o(s_valid), .out_ready_i(s_ready), .out_data_o(s_sum), .count_o()
  );
  weft_fifo #(.W(DescW), .DEPTH(MaxPkts)) u_desc (
    .clk_i, .rst_ni, .in_valid_i(e_valid), .in_ready_o(e_ready),
    .in_data_i({e_seg.qpn[QpW-1:0], e_seg.seq, e_seg.psh, e_bytes}),
    .out_valid_o(d_valid), .out_ready_i(d_ready), .out_data_o(d), .count_o()
  );

  // ------------------------------------------------ departure
  logic depart_idle;
  weft_tcp_depart #(
    .DATA_W(DATA_W), .N_QP(N_QP), .N_L2(N_L2), .IPV6(IPV6), .ACK_DELAY_NS(ACK_DELAY_NS)
  ) u_depart (
    .clk_i, .rst_ni, .now_ns_i, .home_i(home), .want_o(want_dep), .busy_o(dep_busy), .busy_qpn_o(dep_busy_qpn),
    .seg_valid_i(d_valid), .seg_ready_o(d_ready), .seg_qpn_i(d[DescW-1-:QpW]),
    .seg_seq_i(d[48:17]), .seg_psh_i(d[16]), .seg_bytes_i(d[15:0]), .sum_valid_i(s_valid),
    .sum_ready_o(s_ready), .sum_i(s_sum),
    .pay_valid_i(b_valid), .pay_ready_o(b_ready), .pay_data_i(b_data), .pay_cnt_i(b_cnt),
    .pay_last_i(b_last),
    .commit_valid_i(msg_v && !msg_ack), .commit_ready_o(msg_commit_r), .commit_i(msg),
    .ackreq_valid_i(msg_v && msg_ack), .ackreq_ready_o(msg_ack_r), .ackreq_qpn_i(16'(msg_qpn)),
    .conn_we_i(conn_we), .conn_qpn_i(conn_qpn), .conn_i, .l2e_we_i,
    .l2e_index_i(l2e_index_i[L2W-1:0]), .l2e_i, .load_i(load),
    .load_qpn_i(rxctx_qpn), .load_ctx_i(rxctx_i),
    .frm_valid_o, .frm_ready_i, .frm_data_o, .frm_cnt_o, .frm_last_o,
    .deadline_ns_o, .deadline_valid_o, .idle_o(depart_idle), .stat_seg_o, .stat_ack_o, .stat_void_o
  );

  assign idle_o = msg_idle && !conn_valid_i && !rxctx_valid_i && src_idle && gather_idle && fpdu_idle && depart_idle && !i_valid && !hs_valid &&
                  !g_valid && !f_valid && b_empty && !seg_valid_i && !src_valid_i && !inl_valid_i;

  logic unused;
  assign unused = ^{conn_qpn_i, l2e_index_i, rxctx_qpn_i, ackreq_qpn_i, e_seg};

`ifndef SYNTHESIS
  initial begin
    if (SEGBUF_BYTES < 2 * SEG_MAX) $fatal(1, "weft_tcp_tx: SEGBUF_BYTES");
    if (N_QP < 2 || N_QP > 65536 || N_L2 < 2 || N_L2 > 65536) $fatal(1, "weft_tcp_tx: N_QP, N_L2");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
