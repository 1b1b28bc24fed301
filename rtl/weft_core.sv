// SPDX-License-Identifier: BSD-2-Clause
// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The card without PCIe hard block and MAC: wiring of the rooms, nothing else but the reset, the
/// sum of idleness and the next deadline, the interrupt arbiter and the list of counters.
/// See docs/architecture.md for rooms and ports.
module weft_core #(
  parameter int unsigned DATA_W = 64,     ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 1024,     ///< queue pairs, QPN 0 unused
  parameter int unsigned N_CQ = 1024,
  parameter int unsigned N_EQ = 16,
  parameter int unsigned N_STAG = 4096,
  parameter int unsigned N_L2 = 256,
  parameter int unsigned N_L2Q = 1,
  parameter int unsigned N_VEC = 32,      ///< MSI-X vectors
  parameter int unsigned N_TAG = 64,      ///< PCIe reads in flight
  parameter int unsigned DB_PAGES = 512,  ///< doorbell pages
  parameter int unsigned MAX_IRD = 16,    ///< inbound reads of a QP
  parameter int unsigned MAX_ORD = 16,    ///< outbound reads of a QP
  parameter int unsigned LOG_DEPTH = 64,  ///< messages of a QP that wait for their ACK
  parameter int unsigned TEST_LATENCY = 0,  ///< simulation: stores answer after 1 to so many cycles (weft_ctx_store)
  parameter logic [63:0] RD_TIMEOUT_NS = 64'd50_000_000,  ///< PCIe reads without answer fail after this to twice this
  localparam int unsigned CNT_W = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [63:0]       now_ns_i,
  output logic              idle_o,
  output logic [63:0]       next_deadline_ns_o,  ///< all ones: none

  input  logic              rx_req_valid_i,
  output logic              rx_req_ready_o,
  input  logic [127:0]      rx_req_hdr_i,
  input  logic [2:0]        rx_req_bar_i,
  input  logic [DATA_W-1:0] rx_req_data_i,
  input  logic              rx_req_last_i,
  input  logic              rx_cpl_valid_i,
  output logic              rx_cpl_ready_o,
  input  logic [127:0]      rx_cpl_hdr_i,
  input  logic [DATA_W-1:0] rx_cpl_data_i,
  input  logic              rx_cpl_last_i,
  output logic              tx_rd_valid_o,
  input  logic              tx_rd_ready_i,
  output logic [127:0]      tx_rd_hdr_o,
  output logic              tx_wr_valid_o,
  input  logic              tx_wr_ready_i,
  output logic [127:0]      tx_wr_hdr_o,
  output logic [DATA_W-1:0] tx_wr_data_o,
  output logic              tx_wr_last_o,
  output logic              tx_cpl_valid_o,
  input  logic              tx_cpl_ready_i,
  output logic [127:0]      tx_cpl_hdr_o,
  output logic [63:0]       tx_cpl_data_o,

  input  logic [15:0]       cfg_bdf_i,
  input  logic              cfg_bme_i,
  input  logic [2:0]        cfg_mps_i,
  input  logic [2:0]        cfg_mrrs_i,
  input  logic              cfg_rcb_i,
  input  logic              cfg_ext_tag_i,
  input  logic              cfg_msix_en_i,
  input  logic              cfg_msix_mask_i,
  input  logic              flr_req_i,
  output logic              flr_done_o,

  input  logic [47:0]       mac_addr_i,  ///< byte 0 in bits 7:0
  input  logic              link_up_i,
  input  logic              eth_rx_valid_i,
  output logic              eth_rx_ready_o,
  input  logic [DATA_W-1:0] eth_rx_data_i,
  input  logic [CNT_W-1:0]  eth_rx_cnt_i,
  input  logic              eth_rx_last_i,
  input  logic              eth_rx_err_i,
  output logic              eth_rx_pause_o,  ///< the frame store is half full
  output logic              eth_tx_valid_o,
  input  logic              eth_tx_ready_i,
  output logic [DATA_W-1:0] eth_tx_data_o,
  output logic [CNT_W-1:0]  eth_tx_cnt_o,
  output logic              eth_tx_last_o,

  /// Second master of the configuration bus, for the lockstep harness; tie valid low elsewhere.
  input  logic              dbg_cfg_valid_i,
  output logic              dbg_cfg_ready_o,
  input  logic              dbg_cfg_we_i,
  input  logic [27:0]       dbg_cfg_addr_i,
  input  logic [31:0]       dbg_cfg_wdata_i,
  output logic              dbg_cfg_rvalid_o,
  output logic [31:0]       dbg_cfg_rdata_o,
  output logic              dbg_cfg_err_o
);

  localparam int unsigned N_Rd = 8;
  localparam int unsigned N_Wr = 5;
  localparam int unsigned N_Room = 16;
  localparam int unsigned N_Fwev = 5;
  localparam int unsigned RdPay = 0, RdSq = 1, RdRq = 2, RdPblTx = 3, RdMgmt = 5, RdDesc = 6, RdL2 = 7;
  localparam int unsigned WrPlace = 0, WrCq = 1, WrMgmt = 2, WrL2 = 3, WrL2Cpl = 4;
  // Bits of the structs of weft_pkg that rooms share in one bundle of wires: such a bundle is a plain
  // vector, as Yosys ignores dimensions behind a type name.
  localparam int unsigned RdReqW = 81, WrHdrW = 80, CfgRspW = 33, FwEvW = 512;   // dma_rd_req_t, ...
  localparam int unsigned CqeReqW = 161, XlReqW = 161, XlRspW = 85;

  // ---------------------------------------------------------------- reset
  // The TLP engine resets the other rooms when its own streams have come to rest: for a
  // function-level reset, and for CONTROL.RESET, which is the same without the host's handshake.
  logic core_rst_req, soft_req, soft_q, flr_req_q, flr_done, rst_core_n;
  assign flr_done_o = flr_done && flr_req_i && !soft_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      soft_q     <= 1'b0;
      flr_req_q  <= 1'b0;
      rst_core_n <= 1'b0;
    end else begin
      if (soft_req) soft_q <= 1'b1;
      else if (flr_done) soft_q <= 1'b0;
      flr_req_q  <= (flr_req_i || soft_q || soft_req) && !(flr_done && soft_q);
      rst_core_n <= !core_rst_req;
    end
  end

  // ---------------------------------------------------------------- pcie
  logic                        reg_v, reg_r, reg_we, regr_v, regr_err, db_v;
  logic [15:0]                 reg_addr;
  logic [31:0]                 reg_wdata, regr_rdata;
  logic [3:0]                  reg_be;
  logic [11:0]                 db_page, db_off;
  logic [63:0]                 db_data;
  logic [N_Rd-1:0]             rq_v, rq_r, rs_v, rs_r, rs_last, rs_err;
  logic [N_Rd-1:0][RdReqW-1:0] rq;
  logic [N_Rd-1:0][DATA_W-1:0] rs_data;
  logic [N_Rd-1:0][CNT_W-1:0]  rs_cnt;
  logic [N_Wr-1:0]             wr_v, wr_r, wr_last;
  logic [N_Wr-1:0][WrHdrW-1:0] wr_hdr;
  logic [N_Wr-1:0][DATA_W-1:0] wr_data;
  logic [N_Wr-1:0][CNT_W-1:0]  wr_cnt;
  logic                        irq_v, irq_r;
  logic [10:0]                 irq_vec;
  logic                        pcie_idle, pcie_dl_v;
  logic [63:0]                 pcie_dl;
  logic st_db_ign, st_rd, st_rd_to, st_cpl_err, st_cpl_bad, st_wr;

  weft_pcie #(.DATA_W(DATA_W), .N_RD(N_Rd), .N_WR(N_Wr), .N_TAG(N_TAG), .N_VEC(N_VEC),
              .RD_TIMEOUT_NS(RD_TIMEOUT_NS)) u_pcie (
    .clk_i, .rst_ni, .now_ns_i,
    .rx_req_valid_i, .rx_req_ready_o, .rx_req_hdr_i, .rx_req_bar_i, .rx_req_data_i, .rx_req_last_i,
    .rx_cpl_valid_i, .rx_cpl_ready_o, .rx_cpl_hdr_i, .rx_cpl_data_i, .rx_cpl_last_i,
    .tx_rd_valid_o, .tx_rd_ready_i, .tx_rd_hdr_o,
    .tx_wr_valid_o, .tx_wr_ready_i, .tx_wr_hdr_o, .tx_wr_data_o, .tx_wr_last_o,
    .tx_cpl_valid_o, .tx_cpl_ready_i, .tx_cpl_hdr_o, .tx_cpl_data_o,
    .cfg_bdf_i, .cfg_bme_i, .cfg_mps_i, .cfg_mrrs_i, .cfg_rcb_i, .cfg_ext_tag_i,
    .cfg_msix_en_i, .cfg_msix_mask_i,
    .flr_req_i(flr_req_q), .flr_keep_i(soft_q && !flr_req_i), .flr_done_o(flr_done), .core_rst_req_o(core_rst_req),
    .reg_req_valid_o(reg_v), .reg_req_ready_i(reg_r), .reg_req_we_o(reg_we),
    .reg_req_addr_o(reg_addr), .reg_req_wdata_o(reg_wdata), .reg_req_be_o(reg_be),
    .reg_rsp_valid_i(regr_v), .reg_rsp_rdata_i(regr_rdata), .reg_rsp_err_i(regr_err),
    .db_valid_o(db_v), .db_page_o(db_page), .db_off_o(db_off), .db_data_o(db_data),
    .rd_req_valid_i(rq_v), .rd_req_ready_o(rq_r), .rd_req_i(rq),
    .rd_rsp_valid_o(rs_v), .rd_rsp_ready_i(rs_r), .rd_rsp_data_o(rs_data), .rd_rsp_cnt_o(rs_cnt),
    .rd_rsp_last_o(rs_last), .rd_rsp_err_o(rs_err),
    .wr_valid_i(wr_v), .wr_ready_o(wr_r), .wr_hdr_i(wr_hdr), .wr_data_i(wr_data),
    .wr_cnt_i(wr_cnt), .wr_last_i(wr_last),
    .irq_valid_i(irq_v), .irq_ready_o(irq_r), .irq_vector_i(irq_vec),
    .idle_o(pcie_idle), .deadline_valid_o(pcie_dl_v), .deadline_ns_o(pcie_dl),
    .stat_db_ignored_o(st_db_ign), .stat_req_dropped_o(), .stat_req_ur_o(), .stat_rd_tlp_o(st_rd),
    .stat_rd_no_tag_o(), .stat_rd_timeout_o(st_rd_to), .stat_cpl_err_o(st_cpl_err),
    .stat_cpl_bad_o(st_cpl_bad), .stat_wr_tlp_o(st_wr), .stat_wr_dropped_o(), .stat_irq_o(),
    .stat_irq_bad_o()
  );

  // interrupts of three rooms: completions and events, management, network device
  logic [2:0]       iv, ir, ig;
  logic [2:0][10:0] ivec;
  logic [1:0]       ii;
  weft_arb_rr #(.N(3)) u_irq_arb (
    .clk_i, .rst_ni(rst_core_n), .req_i(iv), .advance_i(irq_v && irq_r), .valid_o(irq_v),
    .gnt_o(ig), .idx_o(ii)
  );
  assign ir      = irq_r ? ig : '0;
  assign irq_vec = ivec[ii];

  // ---------------------------------------------------------------- configuration bus
  logic [N_Room-1:0]               mv, mr, mrv, sv, room_r, room_rv;
  weft_pkg::cfg_req_t              mreq, sreq, dreq;
  logic [N_Room-1:0][CfgRspW-1:0]  mrsp, room_rsp;
  weft_pkg::cfg_rsp_t              drsp;
  logic                            join_idle;
  assign dreq.we         = dbg_cfg_we_i;
  assign dreq.addr       = dbg_cfg_addr_i;
  assign dreq.wdata      = dbg_cfg_wdata_i;
  assign dbg_cfg_rdata_o = drsp.rdata;
  assign dbg_cfg_err_o   = drsp.err;
  weft_cfg_join #(.N(N_Room)) u_join (
    .clk_i, .rst_ni(rst_core_n),
    .m_req_valid_i(mv), .m_req_ready_o(mr), .m_req_i(mreq), .m_rsp_valid_o(mrv), .m_rsp_o(mrsp),
    .d_req_valid_i(dbg_cfg_valid_i), .d_req_ready_o(dbg_cfg_ready_o), .d_req_i(dreq),
    .d_rsp_valid_o(dbg_cfg_rvalid_o), .d_rsp_o(drsp),
    .s_req_valid_o(sv), .s_req_ready_i(room_r), .s_req_o(sreq), .s_rsp_valid_i(room_rv),
    .s_rsp_i(room_rsp), .idle_o(join_idle)
  );
  // rooms that are not there take what they are asked and answer with an error at once
  localparam logic [N_Room-1:0] Absent = 16'b1111_0000_0000_0001;
  weft_pkg::cfg_rsp_t no_room;
  assign no_room.err   = 1'b1;
  assign no_room.rdata = '0;
  for (genvar i = 0; i < N_Room; i++) begin : gen_absent
    if (Absent[i]) begin : gen_no_room
      assign room_r[i]   = sv[i];
      assign room_rv[i]  = 1'b1;
      assign room_rsp[i] = no_room;
    end
  end

  // ---------------------------------------------------------------- mgmt
  logic [N_Fwev-1:0]                ev_v, ev_r;
  logic [N_Fwev-1:0][FwEvW-1:0]     ev;
  logic                             eqe_v, eqe_r, fr_v, fr_r, fr_last, ft_v, ft_r, ft_last;
  weft_pkg::eqe_req_t               eqe;
  logic [DATA_W-1:0]                fr_data, ft_data;
  logic [CNT_W-1:0]                 fr_cnt, ft_cnt;
  logic [15:0]                      fr_qpn;
  logic [3:0]                       fr_reason;
  logic [31:0]                      min_rto_us;
  logic [7:0]                       max_retries;
  logic                             mgmt_idle, mgmt_dl_v, st_frx_drop;
  logic [63:0]                      mgmt_dl;
  weft_mgmt #(
    .DATA_W(DATA_W), .N_FWEV(N_Fwev), .N_QP(N_QP), .N_CQ(N_CQ), .N_EQ(N_EQ), .N_STAG(N_STAG),
    .N_L2(N_L2), .N_L2Q(N_L2Q), .DB_PAGES(DB_PAGES), .MAX_IRD(MAX_IRD), .MAX_ORD(MAX_ORD),
    .N_VECTORS(N_VEC)
  ) u_mgmt (
    .clk_i, .rst_ni(rst_core_n), .core_rst_req_o(soft_req), .now_ns_i,
    .deadline_valid_o(mgmt_dl_v), .deadline_ns_o(mgmt_dl), .idle_o(mgmt_idle),
    .mac_i(mac_addr_i), .link_up_i,
    .reg_req_valid_i(reg_v), .reg_req_ready_o(reg_r), .reg_req_we_i(reg_we),
    .reg_req_addr_i(reg_addr), .reg_req_wdata_i(reg_wdata), .reg_req_be_i(reg_be),
    .reg_rsp_valid_o(regr_v), .reg_rsp_rdata_o(regr_rdata), .reg_rsp_err_o(regr_err),
    .rd_req_valid_o(rq_v[RdMgmt]), .rd_req_ready_i(rq_r[RdMgmt]), .rd_req_o(rq[RdMgmt]),
    .rd_rsp_valid_i(rs_v[RdMgmt]), .rd_rsp_ready_o(rs_r[RdMgmt]), .rd_rsp_data_i(rs_data[RdMgmt]),
    .rd_rsp_cnt_i(rs_cnt[RdMgmt]), .rd_rsp_last_i(rs_last[RdMgmt]), .rd_rsp_err_i(rs_err[RdMgmt]),
    .wr_valid_o(wr_v[WrMgmt]), .wr_ready_i(wr_r[WrMgmt]), .wr_data_o(wr_data[WrMgmt]),
    .wr_cnt_o(wr_cnt[WrMgmt]), .wr_last_o(wr_last[WrMgmt]), .wr_hdr_o(wr_hdr[WrMgmt]),
    .irq_valid_o(iv[1]), .irq_ready_i(ir[1]), .irq_vector_o(ivec[1]),
    .cfg_req_valid_o(mv), .cfg_req_ready_i(mr), .cfg_req_o(mreq), .cfg_rsp_valid_i(mrv),
    .cfg_rsp_i(mrsp),
    .fwev_valid_i(ev_v), .fwev_ready_o(ev_r), .fwev_i(ev),
    .eqe_valid_o(eqe_v), .eqe_ready_i(eqe_r), .eqe_o(eqe),
    .frx_valid_i(fr_v), .frx_ready_o(fr_r), .frx_data_i(fr_data), .frx_cnt_i(fr_cnt),
    .frx_last_i(fr_last), .frx_err_i(1'b0), .frx_qpn_i(fr_qpn), .frx_reason_i(fr_reason),
    .ftx_valid_o(ft_v), .ftx_ready_i(ft_r), .ftx_data_o(ft_data), .ftx_cnt_o(ft_cnt),
    .ftx_last_o(ft_last),
    .min_rto_us_o(min_rto_us), .max_retries_o(max_retries),
    .stat_frx_o(), .stat_frx_drop_o(st_frx_drop), .stat_ftx_o(), .stat_cfg_err_o(),
    .stat_bad_write_o()
  );

  // ---------------------------------------------------------------- doorbells
  logic        sqdb_v, rqdb_v, cqdb_v, eqdb_v, ltdb_v, lrdb_v, db_idle, st_db_rej;
  logic [15:0] sqdb_qpn, sqdb_idx, rqdb_qpn, rqdb_idx, cqdb_cqn, eqdb_eqn, ltdb_idx, lrdb_idx;
  logic [23:0] cqdb_idx, eqdb_idx, ltdb_id, lrdb_id;
  logic [1:0]  cqdb_arm, eqdb_arm;
  weft_doorbell #(.N_QP(N_QP), .N_CQ(N_CQ), .N_EQ(N_EQ)) u_db (
    .clk_i, .rst_ni(rst_core_n),
    .cfg_req_valid_i(sv[1]), .cfg_req_ready_o(room_r[1]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[1]), .cfg_rsp_o(room_rsp[1]),
    .db_valid_i(db_v), .db_page_i(db_page), .db_off_i(db_off), .db_data_i(db_data),
    .sq_db_valid_o(sqdb_v), .sq_db_qpn_o(sqdb_qpn), .sq_db_index_o(sqdb_idx),
    .rq_db_valid_o(rqdb_v), .rq_db_qpn_o(rqdb_qpn), .rq_db_index_o(rqdb_idx),
    .cq_db_valid_o(cqdb_v), .cq_db_cqn_o(cqdb_cqn), .cq_db_index_o(cqdb_idx), .cq_db_arm_o(cqdb_arm),
    .eq_db_valid_o(eqdb_v), .eq_db_eqn_o(eqdb_eqn), .eq_db_index_o(eqdb_idx), .eq_db_arm_o(eqdb_arm),
    .l2_tx_db_valid_o(ltdb_v), .l2_tx_db_id_o(ltdb_id), .l2_tx_db_index_o(ltdb_idx),
    .l2_rx_db_valid_o(lrdb_v), .l2_rx_db_id_o(lrdb_id), .l2_rx_db_index_o(lrdb_idx),
    .idle_o(db_idle), .stat_reject_o(st_db_rej)
  );

  // ---------------------------------------------------------------- qp
  logic                sg_v, sg_r, sc_v, sc_r, in_v, in_r, in_last, oq_v, oq_r, if_v, iq_v, iq_r;
  logic                ak_v, ak_r, cf_v, rdn_v, rdn_r, te_v, te_r, qp_idle, qp_dl_v;
  weft_pkg::tx_seg_t   sg;
  weft_pkg::tx_src_t   sc;
  weft_pkg::orq_t      oq;
  weft_pkg::irq_t      iq;
  weft_pkg::rx_ack_t   ak;
  weft_pkg::tx_err_t   te;
  logic [DATA_W-1:0]   in_data;
  logic [CNT_W-1:0]    in_cnt;
  logic [15:0]         if_qpn, cf_qpn, rdn_qpn;
  logic [1:0]          cqe_v, cqe_r;
  logic [1:0][CqeReqW-1:0] cqe;
  logic [63:0]         qp_dl;
  logic st_rex, st_fetch, st_badwqe, st_badack, st_fast, st_rto;
  weft_qp_tx #(
    .DATA_W(DATA_W), .N_QP(N_QP), .LOG_DEPTH(LOG_DEPTH), .IRQ_DEPTH(2 * MAX_IRD), .TEST_LATENCY(TEST_LATENCY)
  ) u_qp (
    .clk_i, .rst_ni(rst_core_n), .now_ns_i, .deadline_valid_o(qp_dl_v), .deadline_ns_o(qp_dl),
    .idle_o(qp_idle), .min_rto_us_i(min_rto_us), .max_retries_i(max_retries),
    .cfg_req_valid_i(sv[2]), .cfg_req_ready_o(room_r[2]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[2]), .cfg_rsp_o(room_rsp[2]),
    .fwev_valid_o(ev_v[0]), .fwev_ready_i(ev_r[0]), .fwev_o(ev[0]),
    .sq_db_valid_i(sqdb_v), .sq_db_qpn_i(sqdb_qpn), .sq_db_index_i(sqdb_idx),
    .irq_valid_i(iq_v), .irq_ready_o(iq_r), .irq_i(iq),
    .ack_valid_i(ak_v), .ack_ready_o(ak_r), .ack_i(ak),
    .commit_first_valid_i(cf_v), .commit_first_qpn_i(cf_qpn),
    .rd_done_valid_i(rdn_v), .rd_done_ready_o(rdn_r), .rd_done_qpn_i(rdn_qpn),
    .txerr_valid_i(te_v), .txerr_ready_o(te_r), .txerr_i(te),
    .seg_valid_o(sg_v), .seg_ready_i(sg_r), .seg_o(sg),
    .src_valid_o(sc_v), .src_ready_i(sc_r), .src_o(sc),
    .inl_valid_o(in_v), .inl_ready_i(in_r), .inl_data_o(in_data), .inl_cnt_o(in_cnt),
    .inl_last_o(in_last),
    .orq_valid_o(oq_v), .orq_ready_i(oq_r), .orq_o(oq),
    .irq_free_valid_o(if_v), .irq_free_qpn_o(if_qpn),
    .cqe_valid_o(cqe_v[0]), .cqe_ready_i(cqe_r[0]), .cqe_o(cqe[0]),
    .rd_req_valid_o(rq_v[RdSq]), .rd_req_ready_i(rq_r[RdSq]), .rd_req_o(rq[RdSq]),
    .rd_valid_i(rs_v[RdSq]), .rd_ready_o(rs_r[RdSq]), .rd_data_i(rs_data[RdSq]),
    .rd_cnt_i(rs_cnt[RdSq]), .rd_last_i(rs_last[RdSq]), .rd_err_i(rs_err[RdSq]),
    .stat_seg_o(), .stat_rexmit_o(st_rex), .stat_block_o(), .stat_fetch_o(st_fetch),
    .stat_bad_wqe_o(st_badwqe), .stat_dup_ack_o(), .stat_bad_ack_o(st_badack),
    .stat_fast_o(st_fast), .stat_rto_o(st_rto), .stat_flush_o()
  );

  // ---------------------------------------------------------------- tpt
  logic [1:0]                 xq_v, xq_r, xs_v, xs_r, st_miss, st_terr;
  logic [1:0][XlReqW-1:0]     xq;
  logic [1:0][XlRspW-1:0]     xs;
  logic                       tpt_idle;
  weft_tpt #(.DATA_W(DATA_W), .N_STAG(N_STAG), .TEST_LATENCY(TEST_LATENCY)) u_tpt (
    .clk_i, .rst_ni(rst_core_n),
    .xl_req_valid_i(xq_v), .xl_req_ready_o(xq_r), .xl_req_i(xq),
    .xl_rsp_valid_o(xs_v), .xl_rsp_ready_i(xs_r), .xl_rsp_o(xs), .xl_rsp_epoch_o(), .leave_i('0), .leave_epoch_i('0),
    .drain_valid_o(), .drain_ready_i(1'b1), .drain_seq_o(),
    .rd_req_valid_o(rq_v[RdPblTx+1:RdPblTx]), .rd_req_ready_i(rq_r[RdPblTx+1:RdPblTx]),
    .rd_req_o(rq[RdPblTx+1:RdPblTx]),
    .rd_rsp_valid_i(rs_v[RdPblTx+1:RdPblTx]), .rd_rsp_ready_o(rs_r[RdPblTx+1:RdPblTx]),
    .rd_rsp_data_i(rs_data[RdPblTx+1:RdPblTx]), .rd_rsp_cnt_i(rs_cnt[RdPblTx+1:RdPblTx]),
    .rd_rsp_last_i(rs_last[RdPblTx+1:RdPblTx]), .rd_rsp_err_i(rs_err[RdPblTx+1:RdPblTx]),
    .cfg_req_valid_i(sv[6]), .cfg_req_ready_o(room_r[6]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[6]), .cfg_rsp_o(room_rsp[6]),
    .idle_o(tpt_idle), .stat_hit_o(), .stat_miss_o(st_miss), .stat_err_o(st_terr)
  );

  // ---------------------------------------------------------------- tcp
  logic                    cm_v, cm_r, ar_v, ar_r, cn_v, cn_r, l2e_we, rxc_v, rxc_r, tf_v, tf_r, tf_last;
  weft_pkg::rx_commit_t    cm;
  logic [15:0]             ar_qpn, cn_qpn, l2e_idx, rxc_qpn;
  weft_abi_pkg::ctx_conn_t cn;
  weft_abi_pkg::l2e_t      l2e;
  weft_abi_pkg::ctx_rx_t   rxc;
  logic [DATA_W-1:0]       tf_data;
  logic [CNT_W-1:0]        tf_cnt;
  logic                    tcp_idle, tcp_dl_v, st_seg, st_ack, st_txerr;
  logic [63:0]             tcp_dl;
  weft_tcp_tx #(.DATA_W(DATA_W), .N_QP(N_QP), .N_L2(N_L2), .TEST_LATENCY(TEST_LATENCY)) u_tcp (
    .clk_i, .rst_ni(rst_core_n), .now_ns_i,
    .seg_valid_i(sg_v), .seg_ready_o(sg_r), .seg_i(sg),
    .src_valid_i(sc_v), .src_ready_o(sc_r), .src_i(sc),
    .inl_valid_i(in_v), .inl_ready_o(in_r), .inl_data_i(in_data), .inl_cnt_i(in_cnt),
    .inl_last_i(in_last),
    .xl_req_valid_o(xq_v[0]), .xl_req_ready_i(xq_r[0]), .xl_req_o(xq[0]),
    .xl_rsp_valid_i(xs_v[0]), .xl_rsp_ready_o(xs_r[0]), .xl_rsp_i(xs[0]),
    .rd_req_valid_o(rq_v[RdPay]), .rd_req_ready_i(rq_r[RdPay]), .rd_req_o(rq[RdPay]),
    .rd_rsp_valid_i(rs_v[RdPay]), .rd_rsp_ready_o(rs_r[RdPay]), .rd_rsp_data_i(rs_data[RdPay]),
    .rd_rsp_cnt_i(rs_cnt[RdPay]), .rd_rsp_last_i(rs_last[RdPay]), .rd_rsp_err_i(rs_err[RdPay]),
    .commit_valid_i(cm_v), .commit_ready_o(cm_r), .commit_i(cm),
    .ackreq_valid_i(ar_v), .ackreq_ready_o(ar_r), .ackreq_qpn_i(ar_qpn),
    .conn_valid_i(cn_v), .conn_ready_o(cn_r), .conn_qpn_i(cn_qpn), .conn_i(cn),
    .l2e_we_i(l2e_we), .l2e_index_i(l2e_idx), .l2e_i(l2e),
    .rxctx_valid_i(rxc_v), .rxctx_ready_o(rxc_r), .rxctx_qpn_i(rxc_qpn), .rxctx_i(rxc),
    .frm_valid_o(tf_v), .frm_ready_i(tf_r), .frm_data_o(tf_data), .frm_cnt_o(tf_cnt),
    .frm_last_o(tf_last),
    .txerr_valid_o(te_v), .txerr_ready_i(te_r), .txerr_o(te),
    .deadline_ns_o(tcp_dl), .deadline_valid_o(tcp_dl_v), .idle_o(tcp_idle),
    .stat_seg_o(st_seg), .stat_ack_o(st_ack), .stat_drop_o(), .stat_err_o(st_txerr),
    .stat_void_o(), .stat_credit_stall_o(), .stat_buf_stall_o()
  );

  // ---------------------------------------------------------------- rdmap
  logic              rg_v, rg_r, py_v, py_r, py_last, rx_idle;
  weft_pkg::rx_seg_t rg;
  logic [DATA_W-1:0] py_data;
  logic [CNT_W-1:0]  py_cnt;
  logic st_dup, st_gap, st_part, st_fpdu, st_fault, st_place;
  weft_rx #(.DATA_W(DATA_W), .N_QP(N_QP), .ORD_MAX(MAX_ORD), .TEST_LATENCY(TEST_LATENCY)) u_rx (
    .clk_i, .rst_ni(rst_core_n),
    .cfg_req_valid_i(sv[3]), .cfg_req_ready_o(room_r[3]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[3]), .cfg_rsp_o(room_rsp[3]),
    .seg_valid_i(rg_v), .seg_ready_o(rg_r), .seg_i(rg),
    .pay_valid_i(py_v), .pay_ready_o(py_r), .pay_data_i(py_data), .pay_cnt_i(py_cnt),
    .pay_last_i(py_last),
    .rq_db_valid_i(rqdb_v), .rq_db_qpn_i(rqdb_qpn), .rq_db_index_i(rqdb_idx),
    .orq_valid_i(oq_v), .orq_ready_o(oq_r), .orq_i(oq),
    .irq_free_valid_i(if_v), .irq_free_qpn_i(if_qpn),
    .xl_req_valid_o(xq_v[1]), .xl_req_ready_i(xq_r[1]), .xl_req_o(xq[1]),
    .xl_rsp_valid_i(xs_v[1]), .xl_rsp_ready_o(xs_r[1]), .xl_rsp_i(xs[1]),
    .rd_req_valid_o(rq_v[RdRq]), .rd_req_ready_i(rq_r[RdRq]), .rd_req_o(rq[RdRq]),
    .rd_rsp_valid_i(rs_v[RdRq]), .rd_rsp_ready_o(rs_r[RdRq]), .rd_rsp_data_i(rs_data[RdRq]),
    .rd_rsp_cnt_i(rs_cnt[RdRq]), .rd_rsp_last_i(rs_last[RdRq]), .rd_rsp_err_i(rs_err[RdRq]),
    .wr_valid_o(wr_v[WrPlace]), .wr_ready_i(wr_r[WrPlace]), .wr_data_o(wr_data[WrPlace]),
    .wr_cnt_o(wr_cnt[WrPlace]), .wr_last_o(wr_last[WrPlace]), .wr_hdr_o(wr_hdr[WrPlace]),
    .irq_valid_o(iq_v), .irq_ready_i(iq_r), .irq_o(iq),
    .rd_done_valid_o(rdn_v), .rd_done_ready_i(rdn_r), .rd_done_qpn_o(rdn_qpn),
    .commit_valid_o(cm_v), .commit_ready_i(cm_r), .commit_o(cm),
    .commit_first_valid_o(cf_v), .commit_first_qpn_o(cf_qpn),
    .ackreq_valid_o(ar_v), .ackreq_ready_i(ar_r), .ackreq_qpn_o(ar_qpn),
    .cqe_valid_o(cqe_v[1]), .cqe_ready_i(cqe_r[1]), .cqe_o(cqe[1]),
    .fwev_valid_o(ev_v[1]), .fwev_ready_i(ev_r[1]), .fwev_o(ev[1]),
    .rxctx_valid_o(rxc_v), .rxctx_ready_i(rxc_r), .rxctx_qpn_o(rxc_qpn), .rxctx_o(rxc),
    .inv_valid_o(), .inv_ready_i(1'b0), .inv_qpn_o(), .inv_pd_o(), .inv_stag_o(),
    .inv_rsp_valid_i(1'b0), .inv_rsp_err_i(4'd0),
    .idle_o(rx_idle), .stat_drop_o(), .stat_dup_o(st_dup), .stat_gap_o(st_gap),
    .stat_part_o(st_part), .stat_fpdu_o(st_fpdu), .stat_fault_o(st_fault), .stat_recv_o(),
    .stat_flush_o(), .stat_wqe_wait_o(), .stat_fetch_o()
  );
  assign st_place = wr_v[WrPlace] && wr_r[WrPlace];

  // ---------------------------------------------------------------- cq
  logic cq_idle, st_cqe, st_cqov, st_eqe;
  weft_cq #(.DATA_W(DATA_W), .N_CQ(N_CQ), .N_EQ(N_EQ), .N_PORTS(2)) u_cq (
    .clk_i, .rst_ni(rst_core_n),
    .cfg_req_valid_i(sv[8:7]), .cfg_req_ready_o(room_r[8:7]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[8:7]), .cfg_rsp_o(room_rsp[8:7]),
    .cqe_valid_i(cqe_v), .cqe_ready_o(cqe_r), .cqe_i(cqe),
    .eqe_valid_i(eqe_v), .eqe_ready_o(eqe_r), .eqe_i(eqe),
    .cq_db_valid_i(cqdb_v), .cq_db_cqn_i(cqdb_cqn), .cq_db_index_i(cqdb_idx), .cq_db_arm_i(cqdb_arm),
    .eq_db_valid_i(eqdb_v), .eq_db_eqn_i(eqdb_eqn), .eq_db_index_i(eqdb_idx), .eq_db_arm_i(eqdb_arm),
    .wr_valid_o(wr_v[WrCq]), .wr_ready_i(wr_r[WrCq]), .wr_hdr_o(wr_hdr[WrCq]),
    .wr_data_o(wr_data[WrCq]), .wr_cnt_o(wr_cnt[WrCq]), .wr_last_o(wr_last[WrCq]),
    .irq_valid_o(iv[0]), .irq_ready_i(ir[0]), .irq_vector_o(ivec[0]),
    .fwev_valid_o(ev_v[2]), .fwev_ready_i(ev_r[2]), .fwev_o(ev[2]),
    .idle_o(cq_idle), .stat_cqe_o(st_cqe), .stat_overflow_o(st_cqov), .stat_eqe_o(st_eqe)
  );

  // ---------------------------------------------------------------- l2
  logic               lm_v, lm_r, lr_v, lr_r, lr_last, lt_v, lt_r, lt_last, l2_idle;
  weft_pkg::rx_meta_t lm;
  logic [DATA_W-1:0]  lr_data, lt_data;
  logic [CNT_W-1:0]   lr_cnt, lt_cnt;
  logic st_l2tx, st_l2txe, st_l2rx, st_l2nod, st_l2long;
  weft_l2 #(.DATA_W(DATA_W), .N_L2Q(N_L2Q)) u_l2 (
    .clk_i, .rst_ni(rst_core_n),
    .cfg_req_valid_i(sv[10]), .cfg_req_ready_o(room_r[10]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[10]), .cfg_rsp_o(room_rsp[10]),
    .l2_tx_db_valid_i(ltdb_v), .l2_tx_db_id_i(ltdb_id), .l2_tx_db_index_i(ltdb_idx),
    .l2_rx_db_valid_i(lrdb_v), .l2_rx_db_id_i(lrdb_id), .l2_rx_db_index_i(lrdb_idx),
    .desc_rd_req_valid_o(rq_v[RdDesc]), .desc_rd_req_ready_i(rq_r[RdDesc]), .desc_rd_req_o(rq[RdDesc]),
    .desc_rd_rsp_valid_i(rs_v[RdDesc]), .desc_rd_rsp_ready_o(rs_r[RdDesc]),
    .desc_rd_rsp_data_i(rs_data[RdDesc]), .desc_rd_rsp_cnt_i(rs_cnt[RdDesc]),
    .desc_rd_rsp_last_i(rs_last[RdDesc]), .desc_rd_rsp_err_i(rs_err[RdDesc]),
    .pay_rd_req_valid_o(rq_v[RdL2]), .pay_rd_req_ready_i(rq_r[RdL2]), .pay_rd_req_o(rq[RdL2]),
    .pay_rd_rsp_valid_i(rs_v[RdL2]), .pay_rd_rsp_ready_o(rs_r[RdL2]),
    .pay_rd_rsp_data_i(rs_data[RdL2]), .pay_rd_rsp_cnt_i(rs_cnt[RdL2]),
    .pay_rd_rsp_last_i(rs_last[RdL2]), .pay_rd_rsp_err_i(rs_err[RdL2]),
    .pay_wr_valid_o(wr_v[WrL2]), .pay_wr_ready_i(wr_r[WrL2]), .pay_wr_hdr_o(wr_hdr[WrL2]),
    .pay_wr_data_o(wr_data[WrL2]), .pay_wr_cnt_o(wr_cnt[WrL2]), .pay_wr_last_o(wr_last[WrL2]),
    .cpl_wr_valid_o(wr_v[WrL2Cpl]), .cpl_wr_ready_i(wr_r[WrL2Cpl]), .cpl_wr_hdr_o(wr_hdr[WrL2Cpl]),
    .cpl_wr_data_o(wr_data[WrL2Cpl]), .cpl_wr_cnt_o(wr_cnt[WrL2Cpl]), .cpl_wr_last_o(wr_last[WrL2Cpl]),
    .irq_valid_o(iv[2]), .irq_ready_i(ir[2]), .irq_vector_o(ivec[2]),
    .rx_meta_valid_i(lm_v), .rx_meta_ready_o(lm_r), .rx_meta_i(lm),
    .rx_valid_i(lr_v), .rx_ready_o(lr_r), .rx_data_i(lr_data), .rx_cnt_i(lr_cnt), .rx_last_i(lr_last),
    .tx_valid_o(lt_v), .tx_ready_i(lt_r), .tx_data_o(lt_data), .tx_cnt_o(lt_cnt), .tx_last_o(lt_last),
    .fwev_valid_o(ev_v[3]), .fwev_ready_i(ev_r[3]), .fwev_o(ev[3]),
    .idle_o(l2_idle), .stat_tx_frame_o(st_l2tx), .stat_tx_err_o(st_l2txe), .stat_rx_frame_o(st_l2rx),
    .stat_rx_drop_empty_o(st_l2nod), .stat_rx_drop_long_o(st_l2long), .stat_rx_desc_err_o()
  );

  // ---------------------------------------------------------------- eth
  logic               mt_v, mt_r, rf_v, rf_r, rf_last, erx_idle, etx_idle, steer_idle;
  weft_pkg::rx_meta_t mt;
  logic [DATA_W-1:0]  rf_data;
  logic [CNT_W-1:0]   rf_cnt;
  logic st_erx, st_efull, st_ebad, st_etx, st_srd, st_sfw, st_sl2, st_scs, st_sad, st_sfu;
  weft_eth_rx #(.DATA_W(DATA_W)) u_eth_rx (
    .clk_i, .rst_ni(rst_core_n),
    .eth_rx_valid_i, .eth_rx_ready_o, .eth_rx_data_i, .eth_rx_cnt_i, .eth_rx_last_i, .eth_rx_err_i, .eth_rx_pause_o,
    .meta_valid_o(mt_v), .meta_ready_i(mt_r), .meta_o(mt),
    .frm_valid_o(rf_v), .frm_ready_i(rf_r), .frm_data_o(rf_data), .frm_cnt_o(rf_cnt),
    .frm_last_o(rf_last),
    .idle_o(erx_idle), .stat_frame_o(st_erx), .stat_drop_full_o(st_efull), .stat_drop_bad_o(st_ebad)
  );
  weft_steer #(.DATA_W(DATA_W), .N_QP(N_QP), .N_L2(N_L2), .TEST_LATENCY(TEST_LATENCY)) u_steer (
    .clk_i, .rst_ni(rst_core_n),
    .cfg_req_valid_i({sv[9], sv[5:4]}), .cfg_req_ready_o({room_r[9], room_r[5:4]}), .cfg_req_i(sreq),
    .cfg_rsp_valid_o({room_rv[9], room_rv[5:4]}), .cfg_rsp_o({room_rsp[9], room_rsp[5:4]}),
    .meta_valid_i(mt_v), .meta_ready_o(mt_r), .meta_i(mt),
    .frm_valid_i(rf_v), .frm_ready_o(rf_r), .frm_data_i(rf_data), .frm_cnt_i(rf_cnt),
    .frm_last_i(rf_last),
    .ack_valid_o(ak_v), .ack_ready_i(ak_r), .ack_o(ak),
    .seg_valid_o(rg_v), .seg_ready_i(rg_r), .seg_o(rg),
    .pay_valid_o(py_v), .pay_ready_i(py_r), .pay_data_o(py_data), .pay_cnt_o(py_cnt),
    .pay_last_o(py_last),
    .fw_valid_o(fr_v), .fw_ready_i(fr_r), .fw_data_o(fr_data), .fw_cnt_o(fr_cnt), .fw_last_o(fr_last),
    .fw_qpn_o(fr_qpn), .fw_reason_o(fr_reason),
    .l2_meta_valid_o(lm_v), .l2_meta_ready_i(lm_r), .l2_meta_o(lm),
    .l2_valid_o(lr_v), .l2_ready_i(lr_r), .l2_data_o(lr_data), .l2_cnt_o(lr_cnt), .l2_last_o(lr_last),
    .conn_valid_o(cn_v), .conn_ready_i(cn_r), .conn_qpn_o(cn_qpn), .conn_o(cn),
    .l2e_we_o(l2e_we), .l2e_index_o(l2e_idx), .l2e_o(l2e),
    .idle_o(steer_idle), .stat_rdma_o(st_srd), .stat_fw_o(st_sfw), .stat_l2_o(st_sl2),
    .stat_drop_csum_o(st_scs), .stat_drop_addr_o(st_sad), .stat_drop_full_o(st_sfu)
  );
  weft_eth_tx #(.DATA_W(DATA_W), .N(3)) u_eth_tx (
    .clk_i, .rst_ni(rst_core_n),
    .in_valid_i({tf_v, ft_v, lt_v}), .in_ready_o({tf_r, ft_r, lt_r}),
    .in_data_i({tf_data, ft_data, lt_data}), .in_cnt_i({tf_cnt, ft_cnt, lt_cnt}),
    .in_last_i({tf_last, ft_last, lt_last}),
    .eth_tx_valid_o, .eth_tx_ready_i, .eth_tx_data_o, .eth_tx_cnt_o, .eth_tx_last_o,
    .idle_o(etx_idle), .stat_frame_o(st_etx)
  );

  // ---------------------------------------------------------------- counters, in the order of enum stat
  localparam int unsigned N_Stat = weft_abi_pkg::STAT_COUNT;
  logic [N_Stat-1:0] pulse;
  logic              stats_idle;
  always_comb begin
    pulse = '0;
    pulse[weft_abi_pkg::STAT_tcp_tx_segments]      = st_seg;
    pulse[weft_abi_pkg::STAT_tcp_tx_acks]          = st_ack;
    pulse[weft_abi_pkg::STAT_tcp_tx_errors]        = st_txerr;
    pulse[weft_abi_pkg::STAT_tcp_retransmits]      = st_rex;
    pulse[weft_abi_pkg::STAT_tcp_timeouts]         = st_rto;
    pulse[weft_abi_pkg::STAT_tcp_fast_retransmits] = st_fast;
    pulse[weft_abi_pkg::STAT_tcp_bad_acks]         = st_badack;
    pulse[weft_abi_pkg::STAT_rx_segments]          = rg_v && rg_r;
    pulse[weft_abi_pkg::STAT_rx_duplicates]        = st_dup;
    pulse[weft_abi_pkg::STAT_rx_out_of_order]      = st_gap;
    pulse[weft_abi_pkg::STAT_rx_unaligned]         = st_part;
    pulse[weft_abi_pkg::STAT_rx_fpdus]             = st_fpdu;
    pulse[weft_abi_pkg::STAT_rx_faults]            = st_fault;
    pulse[weft_abi_pkg::STAT_rx_placed_beats]      = st_place;
    pulse[weft_abi_pkg::STAT_tx_wqes]              = st_fetch;
    pulse[weft_abi_pkg::STAT_tx_wqe_errors]        = st_badwqe;
    pulse[weft_abi_pkg::STAT_cqes]                 = st_cqe;
    pulse[weft_abi_pkg::STAT_cq_overflows]         = st_cqov;
    pulse[weft_abi_pkg::STAT_eqes]                 = st_eqe;
    pulse[weft_abi_pkg::STAT_db_rejected]          = st_db_rej || st_db_ign;
    pulse[weft_abi_pkg::STAT_eth_rx_frames]        = st_erx;
    pulse[weft_abi_pkg::STAT_eth_rx_drop_full]     = st_efull;
    pulse[weft_abi_pkg::STAT_eth_rx_drop_bad]      = st_ebad;
    pulse[weft_abi_pkg::STAT_eth_tx_frames]        = st_etx;
    pulse[weft_abi_pkg::STAT_steer_rdma]           = st_srd;
    pulse[weft_abi_pkg::STAT_steer_fw]             = st_sfw;
    pulse[weft_abi_pkg::STAT_steer_l2]             = st_sl2;
    pulse[weft_abi_pkg::STAT_steer_drop_csum]      = st_scs;
    pulse[weft_abi_pkg::STAT_steer_drop_addr]      = st_sad;
    pulse[weft_abi_pkg::STAT_steer_drop_full]      = st_sfu;
    pulse[weft_abi_pkg::STAT_l2_tx_frames]         = st_l2tx;
    pulse[weft_abi_pkg::STAT_l2_tx_errors]         = st_l2txe;
    pulse[weft_abi_pkg::STAT_l2_rx_frames]         = st_l2rx;
    pulse[weft_abi_pkg::STAT_l2_rx_drop_nodesc]    = st_l2nod;
    pulse[weft_abi_pkg::STAT_l2_rx_drop_long]      = st_l2long;
    pulse[weft_abi_pkg::STAT_pcie_reads]           = st_rd;
    pulse[weft_abi_pkg::STAT_pcie_writes]          = st_wr;
    pulse[weft_abi_pkg::STAT_pcie_errors]          = st_rd_to || st_cpl_err || st_cpl_bad;
    pulse[weft_abi_pkg::STAT_tpt_misses]           = |st_miss;
    pulse[weft_abi_pkg::STAT_tpt_faults]           = |st_terr;
    pulse[weft_abi_pkg::STAT_fw_frames_dropped]    = st_frx_drop;
    pulse[weft_abi_pkg::STAT_fw_events]            = |(ev_v & ev_r);
  end
  weft_stats #(.N(N_Stat)) u_stats (
    .clk_i, .rst_ni(rst_core_n), .pulse_i(pulse),
    .cfg_req_valid_i(sv[11]), .cfg_req_ready_o(room_r[11]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[11]), .cfg_rsp_o(room_rsp[11]), .idle_o(stats_idle)
  );
  assign ev_v[4] = 1'b0;
  assign ev[4]   = '0;

  // ---------------------------------------------------------------- idleness and time
  // An input of this cycle wakes the room that takes it in the next one; idle_o is registered, so
  // the inputs count too.
  logic        quiet;
  logic [63:0] dl_a_q, dl_b_q;
  function automatic logic [63:0] sooner(input logic av, input logic [63:0] a,
                                         input logic bv, input logic [63:0] b);
    if (av && (!bv || a < b)) sooner = a;
    else if (bv) sooner = b;
    else sooner = '1;
  endfunction
  assign quiet = rst_core_n && !core_rst_req && !soft_req && !soft_q && pcie_idle && mgmt_idle
                 && db_idle && qp_idle && tpt_idle && tcp_idle && rx_idle && cq_idle && l2_idle
                 && erx_idle && etx_idle && steer_idle && stats_idle && join_idle
                 && !rx_req_valid_i && !rx_cpl_valid_i && !eth_rx_valid_i && !dbg_cfg_valid_i
                 && flr_req_i == flr_req_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      idle_o             <= 1'b0;
      dl_a_q             <= '1;
      dl_b_q             <= '1;
      next_deadline_ns_o <= '1;
    end else begin
      idle_o             <= quiet;
      dl_a_q             <= sooner(pcie_dl_v, pcie_dl, mgmt_dl_v, mgmt_dl);
      dl_b_q             <= sooner(qp_dl_v, qp_dl, tcp_dl_v, tcp_dl);
      next_deadline_ns_o <= dl_a_q < dl_b_q ? dl_a_q : dl_b_q;
    end
  end

endmodule
