// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Departure: what waits in the segment buffer and the pure ACKs that are due, turn and turn about,
/// become frames. The ACK number and window are bound when a frame's header is asked for; that is
/// done for at most JOBS frames ahead, and only while little payload is ahead of it, so an ACK is
/// never older than about one frame.
module weft_tcp_depart #(
  parameter int unsigned DATA_W = 64,   ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 16,     ///< queue pairs, a power of two
  parameter int unsigned N_L2 = 16,     ///< L2 entries, a power of two
  parameter bit          IPV6 = 1,      ///< IPv6 connections
  parameter int unsigned ACK_DELAY_NS = 500_000,  ///< delayed ACK
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned L2W = $clog2(N_L2)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [63:0]             now_ns_i,

  input  logic [N_QP-1:0]         home_i,        ///< of weft_ctx_store, see weft_tcp_ack
  output logic [N_QP-1:0]         want_o,
  output logic                    busy_o,        ///< at work on busy_qpn_o
  output logic [QpW-1:0]          busy_qpn_o,

  /// Descriptions of the segments that are in the buffer or certain to come, in order, and their bytes.
  input  logic                    seg_valid_i,
  output logic                    seg_ready_o,
  input  logic [QpW-1:0]          seg_qpn_i,
  input  logic [31:0]             seg_seq_i,
  input  logic                    seg_psh_i,
  input  logic [15:0]             seg_bytes_i,
  input  logic                    sum_valid_i,   ///< sums of their bytes, later
  output logic                    sum_ready_o,
  input  logic [15:0]             sum_i,
  input  logic                    pay_valid_i,
  output logic                    pay_ready_o,
  input  logic [DATA_W-1:0]       pay_data_i,
  input  logic [CntW-1:0]         pay_cnt_i,
  input  logic                    pay_last_i,

  input  logic                    commit_valid_i,
  output logic                    commit_ready_o,
  input  weft_pkg::rx_commit_t    commit_i,
  input  logic                    ackreq_valid_i,
  output logic                    ackreq_ready_o,
  input  logic [15:0]             ackreq_qpn_i,

  input  logic                    conn_we_i,
  input  logic [QpW-1:0]          conn_qpn_i,
  input  weft_abi_pkg::ctx_conn_t conn_i,
  input  logic                    l2e_we_i,
  input  logic [L2W-1:0]          l2e_index_i,
  input  weft_abi_pkg::l2e_t      l2e_i,
  input  logic                    load_i,       ///< receive context written: initial values
  input  logic [QpW-1:0]          load_qpn_i,
  input  weft_abi_pkg::ctx_rx_t   load_ctx_i,

  output logic                    frm_valid_o,
  input  logic                    frm_ready_i,
  output logic [DATA_W-1:0]       frm_data_o,
  output logic [CntW-1:0]         frm_cnt_o,
  output logic                    frm_last_o,

  output logic [63:0]             deadline_ns_o,
  output logic                    deadline_valid_o,
  output logic                    idle_o,
  output logic                    stat_seg_o,   ///< a data segment's header was bound
  output logic                    stat_ack_o,   ///< a pure ACK's header was bound
  output logic                    stat_void_o   ///< thrown away: connection or L2 entry not valid
);

  localparam int unsigned JOBS = 4;
  localparam int unsigned LaneW = CntW - 1;

  // ------------------------------------------------ admission
  logic           ackq_valid, seg_here, dep_valid, dep_ready, dep_ack, admit, last_ack_q;
  logic [QpW-1:0] ackq_qpn, dep_qpn;
  logic [2:0]     jobs_q;
  logic [15:0]    ahead_q, seg_beats;
  logic           res_valid, res_send, kill, job_done, pay_fire;
  logic [31:0]    res_rcv_nxt, res_snd_nxt;

  assign admit     = jobs_q == '0 || (jobs_q < 3'(JOBS) && ahead_q < 16'd16);
  assign seg_here  = seg_valid_i && home_i[seg_qpn_i];
  assign dep_ack   = ackq_valid && (!seg_here || !last_ack_q);
  assign dep_valid = admit && (ackq_valid || seg_here);
  assign dep_qpn   = dep_ack ? ackq_qpn : seg_qpn_i;
  assign seg_ready_o = admit && dep_ready && !dep_ack && home_i[seg_qpn_i];
  assign seg_beats = (seg_bytes_i + 16'(DATA_W / 8 - 1)) >> LaneW;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_ack_q <= 1'b0;
      jobs_q     <= '0;
      ahead_q    <= '0;
    end else begin
      if (dep_valid && dep_ready) last_ack_q <= dep_ack;
      jobs_q  <= jobs_q + 3'(dep_valid && dep_ready) - 3'(kill) - 3'(job_done);
      ahead_q <= ahead_q + ((seg_valid_i && seg_ready_o) ? seg_beats : '0) - 16'(pay_fire);
    end
  end

  logic ack_idle;
  weft_tcp_ack #(.N_QP(N_QP), .DELAY_NS(ACK_DELAY_NS)) u_ack (
    .clk_i, .rst_ni, .now_ns_i, .home_i, .want_o, .busy_o, .busy_qpn_o,
    .load_i, .load_qpn_i, .load_rcv_nxt_i(load_ctx_i.rcv_nxt), .load_snd_nxt_i(load_ctx_i.snd_nxt),
    .commit_valid_i, .commit_ready_o, .commit_i, .ackreq_valid_i, .ackreq_ready_o, .ackreq_qpn_i,
    .ackq_valid_o(ackq_valid), .ackq_qpn_o(ackq_qpn),
    .dep_valid_i(dep_valid), .dep_ready_o(dep_ready), .dep_ack_i(dep_ack), .dep_qpn_i(dep_qpn),
    .dep_end_i(seg_seq_i + 32'(seg_bytes_i)),
    .res_valid_o(res_valid), .res_send_o(res_send), .res_rcv_nxt_o(res_rcv_nxt),
    .res_snd_nxt_o(res_snd_nxt), .deadline_ns_o, .deadline_valid_o, .idle_o(ack_idle)
  );

  // ------------------------------------------------ header
  logic        j_ack_q, j_psh_q;
  logic [31:0] j_seq_q;
  logic [15:0] j_bytes_q;

  always_ff @(posedge clk_i) begin
    j_ack_q   <= dep_ack;
    j_psh_q   <= seg_psh_i && !dep_ack;
    j_seq_q   <= seg_seq_i;
    j_bytes_q <= seg_bytes_i;
  end
  assign kill = res_valid && !res_send;

  // The window offer is constant (in this version): what firmware wrote, scaled.
  logic [31:0] wnd_shifted;
  logic [15:0] wnd;
  assign wnd_shifted = load_ctx_i.rcv_wnd >> load_ctx_i.rcv_wscale[3:0];
  assign wnd         = wnd_shifted[31:16] != '0 ? 16'hffff : wnd_shifted[15:0];

  logic            h_valid, h_ack, h_void, m_idle;
  logic [6:0]      h_len;
  logic [78*8-1:0] h_data;
  weft_tcp_hdr #(.N_QP(N_QP), .N_L2(N_L2), .IPV6(IPV6), .QUEUE(JOBS)) u_hdr (
    .clk_i, .rst_ni, .conn_we_i, .conn_qpn_i, .conn_i, .l2e_we_i, .l2e_index_i, .l2e_i,
    .wnd_we_i(load_i), .wnd_qpn_i(load_qpn_i), .wnd_i(wnd),
    .req_valid_i(dep_valid && dep_ready), .req_qpn_i(dep_qpn),
    .arg_kill_i(kill), .arg_ack_i(j_ack_q), .arg_psh_i(j_psh_q),
    .arg_seq_i(j_ack_q ? res_snd_nxt : j_seq_q), .arg_ack_seq_i(res_rcv_nxt),
    .arg_bytes_i(j_bytes_q), .sum_valid_i, .sum_ready_o, .sum_i,
    .hdr_valid_o(h_valid), .hdr_ready_i(job_done), .hdr_ack_o(h_ack), .hdr_void_o(h_void),
    .hdr_len_o(h_len), .hdr_data_o(h_data), .idle_o(m_idle)
  );

  // ------------------------------------------------ frame: header, then payload if there is any
  logic p_hdr_ready, p_valid, p_ready, p_last, body_q, first_ok;

  // A void frame's payload is swallowed. A header is used up with the last beat of its payload.
  assign first_ok    = h_valid && (h_ack || pay_valid_i);
  assign p_valid     = !h_void && first_ok;
  assign p_last      = h_ack || pay_last_i;
  assign pay_ready_o = h_valid && !h_ack && (h_void || p_ready);
  assign pay_fire    = pay_valid_i && pay_ready_o;
  assign job_done    = first_ok && p_last && (h_void || p_ready);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) body_q <= 1'b0;
    else if (p_valid && p_ready) body_q <= !p_last;
  end

  weft_stream_prepend #(.DATA_W(DATA_W), .HDR_BYTES_MAX(78)) u_frame (
    .clk_i, .rst_ni,
    .hdr_valid_i(h_valid && !h_void && !body_q), .hdr_ready_o(p_hdr_ready), .hdr_data_i(h_data),
    .hdr_len_i(h_len),
    .in_valid_i(p_valid), .in_ready_o(p_ready), .in_data_i(pay_data_i),
    .in_cnt_i(h_ack ? '0 : pay_cnt_i), .in_last_i(p_last), .in_err_i(1'b0),
    .out_valid_o(frm_valid_o), .out_ready_i(frm_ready_i), .out_data_o(frm_data_o),
    .out_cnt_o(frm_cnt_o), .out_last_o(frm_last_o), .out_err_o()
  );

  assign stat_seg_o  = res_valid && !j_ack_q;
  assign stat_ack_o  = res_valid && j_ack_q && res_send;
  assign stat_void_o = job_done && h_void;

  // The frame's last beats are in u_frame for a few cycles after its header is used up.
  logic [3:0] tail_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tail_q <= '0;
    else if (job_done || frm_valid_o) tail_q <= 4'd8;
    else if (tail_q != '0) tail_q <= tail_q - 1'b1;
  end
  assign idle_o = ack_idle && jobs_q == '0 && m_idle && !seg_valid_i && !pay_valid_i &&
                  tail_q == '0 && !frm_valid_o && !commit_valid_i && !ackreq_valid_i;

  logic unused;
  assign unused = ^{load_ctx_i, p_hdr_ready};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
