// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Edge of mpa's sending side: descriptions of FPDUs become framed bytes (docs/datapath.md,
/// "Send").
///
///   tx_fpdu, tx_src -> weft_tx_src: room, plan --> tpt --> weft_tx_read: reads --> weft_tx_ring
///   in-line, values -> weft_tx_pkt ------------------------------------------------+  | rows
///   plans ------------------------> weft_mpa_frame <-------------------------------+--+
///                                     header, payload, pad, markers --> weft_mpa_crc --> framed
///
/// Everything leaves in the order of the descriptions. An FPDU is framed when all of its payload is
/// there and good, so it leaves whole and a beat a cycle, or void: one beat without bytes,
/// `void_fpdu`, `bytes` 0; and a `txerr`, whose `off` is the first byte of it that was wanted, so
/// that it counts however much of what is made again is acknowledged. The same description gives
/// the same bytes whenever it comes again.
///
/// Crossings. An FPDU has one piece or more: any number of SrcMem (those of length 0 are nothing)
/// whose lengths sum up to its own; or one SrcNone, length 0; or one SrcInline or SrcValue, whose
/// packet has the FPDU's length. All else is void with error 15. A piece's packet may come before
/// or behind its description, but must not wait for a later description or piece to be taken;
/// likewise a description must not wait for more than one of its pieces. `off - first` of a
/// connection with markers is a multiple of four, as every FPDU is. `from` is not in front of
/// `off`; it, `to` and what else tcp needs are passed on untouched. Room in the ring is taken before
/// translations are asked for, nothing waits behind them but for PCIe.
module weft_mpa_out #(
  parameter int unsigned DATA_W = 128,       ///< 64, 128, 256 or 512
  parameter int unsigned BUF_BYTES = 32768,  ///< payload ring, a power of two, LEN_MAX or more
  parameter int unsigned LEN_MAX = 16384,    ///< largest payload of an FPDU; a longer one is void
  parameter int unsigned XL_MAX = 4096,      ///< largest access that is translated, a power of two
  parameter int unsigned RD_MAX = 4096,      ///< largest read, a power of two
  parameter int unsigned FPDUS = 128,        ///< FPDUs in the room, a power of two, 16 or more
  parameter int unsigned ACCESSES = 128,     ///< translated accesses in flight, a power of two
  parameter int unsigned READS = 128,        ///< reads in flight, a power of two
  parameter int unsigned INL_BYTES = 1024,   ///< in-line packets; the largest one too
  parameter int unsigned VAL_BYTES = 1024,   ///< values likewise
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // qp
  input  logic                    fpdu_valid_i,
  output logic                    fpdu_ready_o,
  input  weft_dp_pkg::tx_fpdu_t   fpdu_i,
  input  logic                    src_valid_i,
  output logic                    src_ready_o,
  input  weft_dp_pkg::tx_src_t    src_i,
  input  logic                    inl_valid_i,
  output logic                    inl_ready_o,
  input  logic [DATA_W-1:0]       inl_data_i,
  input  logic [CntW-1:0]         inl_cnt_i,
  input  logic                    inl_last_i,
  input  logic                    val_valid_i,
  output logic                    val_ready_o,
  input  logic [DATA_W-1:0]       val_data_i,
  input  logic [CntW-1:0]         val_cnt_i,
  input  logic                    val_last_i,
  output logic                    txerr_valid_o,
  input  logic                    txerr_ready_i,
  output weft_dp_pkg::txerr_t     txerr_o,

  // tpt, and its epochs: a pulse for each translation that was asked for
  output logic                    tpt_req_valid_o,
  input  logic                    tpt_req_ready_i,
  output weft_dp_pkg::tpt_req_t   tpt_req_o,
  input  logic                    tpt_rsp_valid_i,
  output logic                    tpt_rsp_ready_o,
  input  weft_dp_pkg::tpt_rsp_t   tpt_rsp_i,
  output logic                    leave_valid_o,
  output logic [1:0]              leave_epoch_o,

  // payload
  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    rd_rsp_valid_i,
  output logic                    rd_rsp_ready_o,  ///< always high
  input  logic [DATA_W-1:0]       rd_rsp_data_i,
  input  logic [CntW-1:0]         rd_rsp_cnt_i,
  input  logic                    rd_rsp_last_i,
  input  logic                    rd_rsp_err_i,

  // tcp: packets, framed_o is one for all beats of a packet
  output logic                    frm_valid_o,
  input  logic                    frm_ready_i,
  output logic [DATA_W-1:0]       frm_data_o,
  output logic [CntW-1:0]         frm_cnt_o,
  output logic                    frm_last_o,
  output weft_dp_pkg::framed_t    framed_o,

  output logic                    idle_o,
  output logic                    stat_fpdu_o,     ///< an FPDU left whole
  output logic                    stat_void_o,     ///< a void one
  output logic                    stat_read_o,     ///< a payload read was given out
  output logic                    stat_room_o,     ///< an FPDU waits for room in the ring
  output logic                    stat_record_o    ///< a read waits for a record
);

  localparam int unsigned K = DATA_W / 32;
  localparam int unsigned KW = $clog2(K);
  localparam int unsigned RowW = $clog2(BUF_BYTES / Bytes);
  localparam int unsigned FpW = $clog2(FPDUS);

  // ------------------------------------------------ descriptions, translations
  logic                      acc_valid, acc_room, plan_valid, plan_room_q, freed, src_idle;
  weft_mpa_out_pkg::access_t acc;
  weft_mpa_out_pkg::plan_t   plan;
  weft_dp_pkg::framed_t      meta;
  logic [15:0]               wqe;

  weft_tx_src #(
    .DATA_W(DATA_W), .BUF_BYTES(BUF_BYTES), .LEN_MAX(LEN_MAX), .XL_MAX(XL_MAX)
  ) u_src (
    .clk_i, .rst_ni, .fpdu_valid_i, .fpdu_ready_o, .fpdu_i, .src_valid_i, .src_ready_o, .src_i,
    .tpt_req_valid_o, .tpt_req_ready_i, .tpt_req_o, .acc_valid_o(acc_valid), .acc_room_i(acc_room),
    .acc_o(acc), .plan_valid_o(plan_valid), .plan_room_i(plan_room_q), .plan_o(plan), .meta_o(meta),
    .wqe_o(wqe), .freed_i(freed), .idle_o(src_idle), .stat_wait_o(stat_room_o)
  );

  // ------------------------------------------------ reads, ring
  logic              wr_valid, commit_valid, status_valid, status_pop, read_idle;
  logic [RowW-1:0]   wr_row;
  logic [LaneW-1:0]  wr_lane;
  logic [CntW-1:0]   wr_cnt;
  logic [DATA_W-1:0] wr_data;
  logic [11:0]       commit_rows;
  logic [3:0]        status;

  weft_tx_read #(
    .DATA_W(DATA_W), .BUF_BYTES(BUF_BYTES), .RD_MAX(RD_MAX), .ACCESSES(ACCESSES), .READS(READS),
    .FPDUS(FPDUS)
  ) u_read (
    .clk_i, .rst_ni, .acc_valid_i(acc_valid), .acc_room_o(acc_room), .acc_i(acc),
    .tpt_rsp_valid_i, .tpt_rsp_ready_o, .tpt_rsp_i, .rd_req_valid_o, .rd_req_ready_i, .rd_req_o,
    .rd_rsp_valid_i, .rd_rsp_ready_o, .rd_rsp_data_i, .rd_rsp_cnt_i, .rd_rsp_last_i, .rd_rsp_err_i,
    .wr_valid_o(wr_valid), .wr_row_o(wr_row), .wr_lane_o(wr_lane), .wr_cnt_o(wr_cnt),
    .wr_data_o(wr_data), .commit_valid_o(commit_valid), .commit_rows_o(commit_rows),
    .status_valid_o(status_valid), .status_ready_i(status_pop), .status_o(status),
    .leave_valid_o, .leave_epoch_o, .idle_o(read_idle), .stat_read_o, .stat_wait_o(stat_record_o)
  );

  logic [2:0]          row_valid, row_pop;
  logic [3*DATA_W-1:0] row_data;
  weft_tx_ring #(.DATA_W(DATA_W), .BUF_BYTES(BUF_BYTES)) u_ring (
    .clk_i, .rst_ni, .wr_valid_i(wr_valid), .wr_row_i(wr_row), .wr_lane_i(wr_lane),
    .wr_cnt_i(wr_cnt), .wr_data_i(wr_data), .commit_valid_i(commit_valid),
    .commit_rows_i(commit_rows), .row_valid_o(row_valid[0]), .row_ready_i(row_pop[0]),
    .row_data_o(row_data[DATA_W-1:0]), .freed_o(freed)
  );

  // ------------------------------------------------ in-line data, values
  logic [1:0]  pkt_valid, pkt_pop;
  logic [57:0] pkt;
  weft_tx_pkt #(.DATA_W(DATA_W), .BYTES(INL_BYTES)) u_inl (
    .clk_i, .rst_ni, .in_valid_i(inl_valid_i), .in_ready_o(inl_ready_o), .in_data_i(inl_data_i),
    .in_cnt_i(inl_cnt_i), .in_last_i(inl_last_i), .len_valid_o(pkt_valid[0]),
    .len_ready_i(pkt_pop[0]), .len_o(pkt[15:0]), .len_beats_o(pkt[27:16]), .len_over_o(pkt[28]),
    .out_valid_o(row_valid[1]), .out_ready_i(row_pop[1]), .out_data_o(row_data[2*DATA_W-1:DATA_W])
  );
  weft_tx_pkt #(.DATA_W(DATA_W), .BYTES(VAL_BYTES)) u_val (
    .clk_i, .rst_ni, .in_valid_i(val_valid_i), .in_ready_o(val_ready_o), .in_data_i(val_data_i),
    .in_cnt_i(val_cnt_i), .in_last_i(val_last_i), .len_valid_o(pkt_valid[1]),
    .len_ready_i(pkt_pop[1]), .len_o(pkt[44:29]), .len_beats_o(pkt[56:45]), .len_over_o(pkt[57]),
    .out_valid_o(row_valid[2]), .out_ready_i(row_pop[2]), .out_data_o(row_data[3*DATA_W-1:2*DATA_W])
  );

  // ------------------------------------------------ plans, and what departure will ask
  logic                    p_valid, p_pop, m_valid, m_pop;
  weft_mpa_out_pkg::plan_t p;
  weft_dp_pkg::framed_t    m;
  logic [15:0]             m_wqe;
  logic [FpW:0]            p_count, m_count;

  weft_fifo #(.W(232), .DEPTH(FPDUS)) u_plan (
    .clk_i, .rst_ni, .in_valid_i(plan_valid), .in_ready_o(), .in_data_i(plan),
    .out_valid_o(p_valid), .out_ready_i(p_pop), .out_data_o(p), .count_o(p_count)
  );
  weft_fifo #(.W(329), .DEPTH(FPDUS)) u_meta (
    .clk_i, .rst_ni, .in_valid_i(plan_valid && !plan.drop), .in_ready_o(), .in_data_i({meta, wqe}),
    .out_valid_o(m_valid), .out_ready_i(m_pop), .out_data_o({m, m_wqe}), .count_o(m_count)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) plan_room_q <= 1'b0;
    else plan_room_q <= p_count < (FpW + 1)'(FPDUS - 4) && m_count < (FpW + 1)'(FPDUS - 4);
  end

  // ------------------------------------------------ framing, CRC
  logic              f_begin, f_valid, f_first, f_last, f_void, f_crc, cv, cl, crc_now, frame_idle;
  logic [DATA_W-1:0] f_data;
  logic [CntW-1:0]   f_cnt;
  logic [3:0]        f_err;
  logic [KW-1:0]     gap;
  logic [31:0]       crc_new;
  logic [4:0]        credit_q;
  logic              q_pop;

  weft_mpa_frame #(.DATA_W(DATA_W)) u_frame (
    .clk_i, .rst_ni, .plan_valid_i(p_valid), .plan_ready_o(p_pop), .plan_i(p),
    .status_valid_i(status_valid), .status_ready_o(status_pop), .status_i(status),
    .row_valid_i(row_valid), .row_ready_o(row_pop), .row_data_i(row_data),
    .pkt_valid_i(pkt_valid), .pkt_ready_o(pkt_pop), .pkt_i(pkt),
    .credit_i(credit_q != '0), .begin_o(f_begin), .out_valid_o(f_valid), .out_data_o(f_data),
    .out_cnt_o(f_cnt), .out_first_o(f_first), .out_last_o(f_last), .out_void_o(f_void),
    .out_err_o(f_err), .out_crc_o(f_crc), .crc_valid_o(cv), .crc_last_o(cl), .crc_gap_o(gap),
    .idle_o(frame_idle)
  );
  weft_mpa_crc #(.DATA_W(DATA_W)) u_crc (
    .clk_i, .rst_ni, .in_valid_i(cv), .in_data_i(f_data), .in_first_i(f_first), .in_last_i(cl),
    .in_gap_i(gap), .crc_valid_o(crc_now), .crc_o(crc_new)
  );

  // Beats wait for the CRC of their FPDU; at most as many as there are credits.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) credit_q <= 5'd16;
    else credit_q <= credit_q - 5'(f_begin) + 5'(q_pop);
  end

  logic              q_valid, q_last, q_void, q_crc, c_valid, c_pop;
  logic [DATA_W-1:0] q_data;
  logic [CntW-1:0]   q_cnt;
  logic [3:0]        q_err;
  logic [31:0]       c_crc, crc;

  weft_fifo #(.W(DATA_W + CntW + 7), .DEPTH(16)) u_beats (
    .clk_i, .rst_ni, .in_valid_i(f_valid), .in_ready_o(),
    .in_data_i({f_last, f_void, f_crc, f_err, f_cnt, f_data}),
    .out_valid_o(q_valid), .out_ready_i(q_pop),
    .out_data_o({q_last, q_void, q_crc, q_err, q_cnt, q_data}), .count_o()
  );
  // A CRC that is awaited does not go through the queue.
  weft_fifo #(.W(32), .DEPTH(16)) u_crcs (
    .clk_i, .rst_ni, .in_valid_i(crc_now && !(c_pop && !c_valid)), .in_ready_o(),
    .in_data_i(crc_new), .out_valid_o(c_valid), .out_ready_i(c_pop), .out_data_o(c_crc), .count_o()
  );

  // ------------------------------------------------ out
  logic                 out_room, err_room, wait_crc;
  logic [DATA_W-1:0]    o_data;
  logic [KW:0]          crc_lane;
  weft_dp_pkg::framed_t o_meta;
  weft_dp_pkg::txerr_t  err;

  assign wait_crc = q_last && q_crc;
  assign q_pop    = q_valid && m_valid && out_room && (!wait_crc || c_valid || crc_now) &&
                    (!q_void || err_room);
  assign c_pop    = q_pop && wait_crc;
  assign m_pop    = q_pop && q_last;
  assign crc      = c_valid ? c_crc : crc_new;
  assign crc_lane = q_cnt[CntW-1:2] - 1'b1;

  always_comb begin
    o_data = 'x;
    if (q_valid) begin
      o_data = q_data;
      for (int unsigned i = 0; i < K; i++) begin
        if (wait_crc && crc_lane == (KW + 1)'(i)) o_data[32*i+:32] = crc;
      end
    end
  end

  always_comb begin
    o_meta           = m;
    o_meta.void_fpdu = q_void;
    if (q_void) o_meta.bytes = '0;
    err.who  = m.who;
    // Not `off`: of what is made again UNA may lie behind that, and qp stops for nothing in front of
    // UNA, so tcp would ask for the rest for ever.
    err.off  = m.from;
    err.wqe  = m_wqe;
    err.resp = m.resp;
    err.err  = q_err;
  end

  weft_skid #(.W(DATA_W + CntW + 314)) u_out (
    .clk_i, .rst_ni, .in_valid_i(q_pop), .in_ready_o(out_room),
    .in_data_i({o_meta, q_last, q_cnt, o_data}), .out_valid_o(frm_valid_o),
    .out_ready_i(frm_ready_i), .out_data_o({framed_o, frm_last_o, frm_cnt_o, frm_data_o})
  );
  weft_fifo #(.W(121), .DEPTH(8)) u_err (
    .clk_i, .rst_ni, .in_valid_i(q_pop && q_void), .in_ready_o(err_room), .in_data_i(err),
    .out_valid_o(txerr_valid_o), .out_ready_i(txerr_ready_i), .out_data_o(txerr_o), .count_o()
  );

  assign stat_fpdu_o = q_pop && q_last && !q_void;
  assign stat_void_o = q_pop && q_void;
  assign idle_o      = src_idle && read_idle && frame_idle && pkt_valid == '0 && !m_valid &&
                       !frm_valid_o && !txerr_valid_o;

`ifndef SYNTHESIS
  initial begin
    if (FPDUS < 16) $fatal(1, "weft_mpa_out: FPDUS");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && plan_valid) assert (32'(p_count) < FPDUS && 32'(m_count) < FPDUS);
    if (rst_ni && q_pop && q_void) assert (m.from >= m.off);
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
