// SPDX-License-Identifier: BSD-2-Clause
// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The card: wiring of weft_dp (docs/datapath.md) with
/// pcie, mgmt, doorbells, tpt, cq and network device, the reset, the sum of idleness and the next deadline, the interrupt
/// arbiter and the list of counters.
///
/// Writes of weft_dp and of cq enter one posted order (weft_pcie), placement in front of the completion that tells of it.
/// Nothing reaches weft_dp before its tables are cleared: rooms of the configuration bus wait, frames are let go.
// lint: -GDATA_W=128 -GN_QP=256 -GN_SLOT=256 -GN_CQ=256
module weft_core #(
  parameter int unsigned DATA_W = 64,     ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 1024,     ///< queue pairs, QPN 0 unused: power of two, 32 to 65,536
  parameter int unsigned N_SLOT = 256,    ///< connections that are on chip at a time: power of two, 16 to 4,096, at most N_QP
  parameter int unsigned N_CQ = 1024,
  parameter int unsigned CQ_PIECES = 4,   ///< pieces of a completion ring, 1, 2 or 4: CAP_CQ_RING
  parameter bit CQ_MODERATION = 1'b1,     ///< events of completion queues may be held back: FEATURES CQ_MODERATION
  parameter int unsigned N_EQ = 16,
  parameter int unsigned N_STAG = 4096,
  parameter int unsigned N_L2 = 256,
  parameter int unsigned N_L2Q = 1,
  parameter int unsigned N_SRQ = N_QP < 64 ? N_QP : 64,  ///< shared receive queues, power of two, at most N_QP
  parameter int unsigned N_VEC = 32,      ///< MSI-X vectors
  parameter int unsigned N_TAG = DATA_W == 512 ? 256 : 64,  ///< PCIe reads in flight: 64, 128 or 256
  parameter int unsigned DB_PAGES = 512,  ///< doorbell pages
  parameter int unsigned MAX_IRD = DATA_W == 512 ? 16 : 8,  ///< inbound reads of a QP, power of two; fewer with more than 256 slots
  parameter int unsigned MAX_ORD = DATA_W == 512 ? 16 : 8,  ///< outbound reads of a QP, likewise
  parameter int unsigned N_RING = 16,     ///< receive rings
  parameter int unsigned RING_PAGES = 64, ///< pages of one
  parameter int unsigned RING_SHIFT = 3,  ///< a page is of 4 KiB << this at most, 0 to 3: the driver says how large it makes them
  parameter bit PUSH = 1'b1,              ///< request TLPs come whole, so WQEs may be pushed: FEATURES PUSH. Not behind rtl/shim, which passes two dwords
  parameter int unsigned N_PUSH = 8,      ///< places for pushed WQEs, power of two, 4 or more
  parameter bit PORT = 1'b0,              ///< a MAC's registers are behind port_* (rtl/mac, weft_mac_set): FEATURES PORT
  parameter bit TEST_CWND = 1'b0,           ///< simulation: no congestion control (weft_tcp_conn_cc)
  parameter int unsigned TEST_LATENCY = 0,  ///< simulation: stores answer after 1 to so many cycles (weft_tpt)
  parameter logic [63:0] RD_TIMEOUT_NS = 64'd50_000_000,  ///< PCIe reads without answer fail after this to twice this
  localparam int unsigned CNT_W = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
`ifdef WEFT_SIM_REST
  /// Simulation: the clock of the network device's room, and whether it needs the next edge (below, "l2").
  input  logic              clk_l2_i,
  output logic              l2_run_o,
`endif
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

  /// Configuration bus, room PORT: what stands between the core and its cable. Without PORT never asked.
  output logic              port_req_valid_o,
  input  logic              port_req_ready_i,
  output weft_pkg::cfg_req_t port_req_o,
  input  logic              port_rsp_valid_i,
  input  weft_pkg::cfg_rsp_t port_rsp_i,

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

  localparam int unsigned N_Rd = 11;
  localparam int unsigned N_Wr = 7;
  localparam int unsigned N_Room = 16;
  localparam int unsigned N_Fwev = 3;
  localparam int unsigned RdPbl = 6, RdMgmt = 8, RdDesc = 9, RdL2 = 10;  // 0 to 5: weft_dp
  localparam int unsigned WrPlace = 0, WrCq = 3, WrMgmt = 4, WrL2 = 5, WrL2Cpl = 6;  // 0 to 2: weft_dp
  // Bits of the structs of weft_pkg that rooms share in one bundle of wires: such a bundle is a plain
  // vector, as Yosys ignores dimensions behind a type name.
  localparam int unsigned RdReqW = 81, WrHdrW = 80, CfgRspW = 33, FwEvW = 512;   // dma_rd_req_t, ...
  localparam int unsigned CqeReqW = 161, XlReqW = 162, XlRspW = 85;
  // Sizes of cards with the memory for them, and of the others.
  localparam bit Large = DATA_W == 512 && N_SLOT >= 256;
  // Pools of all connections hold as many reads as the slots can ask for, so many slots make few reads each.
  localparam int unsigned N_InMax = Large ? 8192 : 4096;
  localparam int unsigned Ird = N_SLOT * MAX_IRD * 2 <= N_InMax ? MAX_IRD : N_InMax / 2 / N_SLOT;
  localparam int unsigned Ord = N_SLOT * MAX_ORD <= 4096 ? MAX_ORD : 4096 / N_SLOT;
  localparam int unsigned N_In  = 2 * N_SLOT * Ird;
  localparam int unsigned N_Out = N_SLOT * Ord;
  // One connection has a fifth of the records that no slot owns: 500 of them are under way at a message in ten cycles.
  localparam int unsigned N_Log = Large || N_SLOT * 8 >= 8192 ? 8192 : N_SLOT * 8 < 2048 ? 2048 : N_SLOT * 8;
  localparam int unsigned N_Lane = N_SLOT < 64 ? N_SLOT / 2 : Large ? 128 : 32;
  localparam int unsigned N_Rqb = Large ? 256 : 32;
  localparam int unsigned Places = Large ? 128 : 64;
  localparam int unsigned Free_Low = N_SLOT < 16 ? N_SLOT / 2 : 8;

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
  localparam int unsigned PuW = $clog2(N_PUSH);
  logic                        db_line, db_push, push_we;
  logic [PuW-1:0]              db_buf, push_buf;
  logic [447:0]                push_wqe;
  logic [N_Rd-1:0]             rq_v, rq_r, rs_v, rs_r, rs_last, rs_err;
  logic [N_Rd-1:0][RdReqW-1:0] rq;
  logic [N_Rd-1:0][DATA_W-1:0] rs_data;
  logic [N_Rd-1:0][CNT_W-1:0]  rs_cnt;
  logic [N_Wr-1:0]             wr_v, wr_r, wr_last;
  logic [7:0]                  wr_acc, wr_left;
  logic [N_Wr-1:0][WrHdrW-1:0] wr_hdr;
  logic [N_Wr-1:0][DATA_W-1:0] wr_data;
  logic [N_Wr-1:0][CNT_W-1:0]  wr_cnt;
  logic                        irq_v, irq_r;
  logic [10:0]                 irq_vec;
  logic                        pcie_idle, pcie_dl_v;
  logic [63:0]                 pcie_dl;
  logic st_db_ign, st_rd, st_rd_to, st_cpl_err, st_cpl_bad, st_wr;

  weft_pcie #(.DATA_W(DATA_W), .N_RD(N_Rd), .N_WR(N_Wr), .N_TAG(N_TAG), .N_VEC(N_VEC), .PUSH(PUSH), .N_PUSH(N_PUSH),
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
    .db_line_o(db_line), .db_push_o(db_push), .db_buf_o(db_buf), .push_we_o(push_we), .push_buf_o(push_buf), .push_wqe_o(push_wqe),
    .rd_req_valid_i(rq_v), .rd_req_ready_o(rq_r), .rd_req_i(rq),
    .rd_rsp_valid_o(rs_v), .rd_rsp_ready_i(rs_r), .rd_rsp_data_o(rs_data), .rd_rsp_cnt_o(rs_cnt),
    .rd_rsp_last_o(rs_last), .rd_rsp_err_o(rs_err),
    .wr_valid_i(wr_v), .wr_ready_o(wr_r), .wr_hdr_i(wr_hdr), .wr_data_i(wr_data),
    .wr_cnt_i(wr_cnt), .wr_last_i(wr_last), .wr_acc_o(wr_acc), .wr_left_o(wr_left),
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
  localparam logic [N_Room-1:0] Absent = {!PORT, 15'b000_0000_0000_0101};
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

  assign port_req_valid_o = PORT && sv[15];
  assign port_req_o       = sreq;
  if (PORT) begin : gen_port
    assign room_r[15]   = port_req_ready_i;
    assign room_rv[15]  = port_rsp_valid_i;
    assign room_rsp[15] = port_rsp_i;
  end else begin : gen_no_port
    logic unused_port;
    assign unused_port = ^{port_req_ready_i, port_rsp_valid_i, port_rsp_i};
  end

  // ---------------------------------------------------------------- mgmt
  logic [N_Fwev-1:0]                ev_v, ev_r;
  logic [N_Fwev-1:0][FwEvW-1:0]     ev;
  logic                             eqe_v, eqe_r, fr_v, fr_r, fr_last, ft_v, ft_r, ft_last;
  weft_pkg::eqe_req_t               eqe;
  logic [DATA_W-1:0]                fr_data, ft_data;
  logic [CNT_W-1:0]                 fr_cnt, ft_cnt;
  logic [23:0]                      fr_qpn;
  logic [3:0]                       fr_reason;
  logic                             mgmt_idle, mgmt_dl_v, st_frx_drop;
  logic [63:0]                      mgmt_dl;
  weft_mgmt #(
    .DATA_W(DATA_W), .N_FWEV(N_Fwev), .FEATURES(32'(1 << weft_abi_pkg::FEATURE_RDMA | 1 << weft_abi_pkg::FEATURE_L2
      | 1 << weft_abi_pkg::FEATURE_RX_RING | 1 << weft_abi_pkg::FEATURE_MEM_MGT | 1 << weft_abi_pkg::FEATURE_IMM | 1 << weft_abi_pkg::FEATURE_ATOMIC | 1 << weft_abi_pkg::FEATURE_MW
      | 1 << weft_abi_pkg::FEATURE_SRQ | 1 << weft_abi_pkg::FEATURE_L2_OFFLOAD | 1 << weft_abi_pkg::FEATURE_IPV6 | 1 << weft_abi_pkg::FEATURE_CQE_STAMP
      | 32'(CQ_MODERATION) << weft_abi_pkg::FEATURE_CQ_MODERATION | 32'(PUSH) << weft_abi_pkg::FEATURE_PUSH | 32'(PORT) << weft_abi_pkg::FEATURE_PORT)), .N_QP(N_QP), .N_CQ(N_CQ),
      .N_EQ(N_EQ), .N_STAG(N_STAG),
    .N_L2(N_L2), .N_L2Q(N_L2Q), .N_SRQ(N_SRQ), .CQ_PIECES(CQ_PIECES), .DB_PAGES(DB_PAGES), .MAX_IRD(Ird), .MAX_ORD(Ord),
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
    .frx_last_i(fr_last), .frx_err_i(1'b0), .frx_qpn_i(fr_qpn[15:0]), .frx_reason_i(fr_reason),
    .ftx_valid_o(ft_v), .ftx_ready_i(ft_r), .ftx_data_o(ft_data), .ftx_cnt_o(ft_cnt),
    .ftx_last_o(ft_last),
    .min_rto_us_o(), .max_retries_o(),
    .stat_frx_o(), .stat_frx_drop_o(st_frx_drop), .stat_ftx_o(), .stat_cfg_err_o(),
    .stat_bad_write_o()
  );

  // ---------------------------------------------------------------- doorbells
  logic        sqdb_v, rqdb_v, cqdb_v, eqdb_v, ltdb_v, lrdb_v, db_idle, st_db_rej, st_line, sqdb_push, sqb_new;
  logic [PuW-1:0] sqdb_buf;
  logic        shdb_v, st_srq_bad;
  logic [15:0] shdb_srqn, shdb_idx;
  logic [15:0] sqdb_qpn, sqdb_idx, rqdb_qpn, rqdb_idx, cqdb_cqn, eqdb_eqn, ltdb_idx, lrdb_idx;
  logic [23:0] cqdb_idx, eqdb_idx, ltdb_id, lrdb_id;
  logic [1:0]  cqdb_arm, eqdb_arm;
  weft_doorbell #(.N_QP(N_QP), .N_CQ(N_CQ), .N_EQ(N_EQ), .N_SRQ(N_SRQ), .N_PUSH(N_PUSH)) u_db (
    .clk_i, .rst_ni(rst_core_n),
    .cfg_req_valid_i(sv[1] && dp_ready), .cfg_req_ready_o(room_r[1]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[1]), .cfg_rsp_o(room_rsp[1]),
    .db_valid_i(db_v), .db_page_i(db_page), .db_off_i(db_off), .db_data_i(db_data), .db_line_i(db_line), .db_push_i(db_push),
    .db_buf_i(db_buf), .sq_db_push_o(sqdb_push), .sq_db_buf_o(sqdb_buf),
    .sq_db_valid_o(sqdb_v), .sq_db_qpn_o(sqdb_qpn), .sq_db_index_o(sqdb_idx),
    .rq_db_valid_o(rqdb_v), .rq_db_qpn_o(rqdb_qpn), .rq_db_index_o(rqdb_idx),
    .srq_db_valid_o(shdb_v), .srq_db_srqn_o(shdb_srqn), .srq_db_index_o(shdb_idx),
    .cq_db_valid_o(cqdb_v), .cq_db_cqn_o(cqdb_cqn), .cq_db_index_o(cqdb_idx), .cq_db_arm_o(cqdb_arm),
    .eq_db_valid_o(eqdb_v), .eq_db_eqn_o(eqdb_eqn), .eq_db_index_o(eqdb_idx), .eq_db_arm_o(eqdb_arm),
    .l2_tx_db_valid_o(ltdb_v), .l2_tx_db_id_o(ltdb_id), .l2_tx_db_index_o(ltdb_idx),
    .l2_rx_db_valid_o(lrdb_v), .l2_rx_db_id_o(lrdb_id), .l2_rx_db_index_o(lrdb_idx),
    .idle_o(db_idle), .stat_reject_o(st_db_rej), .stat_line_o(st_line)
  );

  // ---------------------------------------------------------------- data path
  localparam int unsigned N_Dp = 6;
  logic [N_Dp-1:0]              dp_v, dp_r, dp_rv;
  logic [N_Dp-1:0][CfgRspW-1:0] dp_rsp;
  logic [1:0]                   xq_v, xq_r, xs_v, xs_r, cqe_v, cqe_r, oth_r;
  logic [1:0][XlReqW-1:0]       xq;
  logic [1:0][XlRspW-1:0]       xs;
  logic [1:0][1:0]              xs_epoch;
  logic [2:0]                   leave;
  logic [5:0]                   leave_epoch;
  logic                         drain_v, drain_r;
  logic [15:0]                  drain_seq, op_seq, op_done;
  logic                         op_v, op_r;
  weft_dp_pkg::stag_op_t        op;
  weft_pkg::xl_err_e            op_err;
  logic [1:0][CqeReqW-1:0]      cqe;
  logic                         dp_ready, dp_idle, dp_dl_v, pg_v, pg_r, rings_idle, rx_go, rx_r, rx_mid_q, rx_skip_q;
  logic                         sqb_v, rqb_v, owner_idle;
  logic [23:0]                  sqb_qpn, rqb_qpn;
  logic [15:0]                  sqb_idx, rqb_idx;
  logic [63:0]                  dp_dl, pg_addr;
  logic [31:0]                  wnd;
  logic [1:0]                   ring_shift;
  logic [12:0]                  rings_free;
  weft_pkg::rx_meta_t           lm;
  logic                         lm_v, lm_r, lr_v, lr_r, lr_last, lt_v, lt_r, lt_last, l2_idle;
  logic [DATA_W-1:0]            lr_data, lt_data;
  logic [CNT_W-1:0]             lr_cnt, lt_cnt;
  logic                         st_rx, st_rdma, st_over, st_again, st_seg, st_lost, st_bad, st_rto, st_txseg, st_txack, st_cut, st_own, st_void;
  logic                         st_fpdu, st_fault, st_ring, st_ahead, st_fetch, st_badwqe, st_hit, st_cmiss, st_evict, st_held, st_push;
  logic [6:0]                   st_drop;
  weft_pkg::fw_ev_t             dp_ev, cq_ev, l2_ev;
  // rooms STEER, look-up, CTX, L2T, value slots, RX
  assign dp_v       = {sv[3], sv[13], sv[5], sv[12], sv[4], sv[9]} & {N_Dp{dp_ready}};
  assign {room_r[3], room_r[13], room_r[5], room_r[12], room_r[4], room_r[9]}           = dp_r & {N_Dp{dp_ready}};
  assign {room_rv[3], room_rv[13], room_rv[5], room_rv[12], room_rv[4], room_rv[9]}      = dp_rv;
  assign {room_rsp[3], room_rsp[13], room_rsp[5], room_rsp[12], room_rsp[4], room_rsp[9]} = dp_rsp;
  assign ev = {l2_ev, cq_ev, dp_ev};

  // A frame that has begun before the tables are cleared, or in a reset, is let go whole.
  assign rx_go          = rx_mid_q ? !rx_skip_q && dp_ready : dp_ready;
  assign eth_rx_ready_o = rx_r || !rx_go;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rx_mid_q  <= 1'b0;
      rx_skip_q <= 1'b0;
    end else if (eth_rx_valid_i && eth_rx_ready_o) begin
      rx_mid_q  <= !eth_rx_last_i;
      rx_skip_q <= !rx_go;
    end else begin
      rx_skip_q <= rx_skip_q || !dp_ready;
    end
  end

  weft_dp #(
    .DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .FREE_LOW(Free_Low), .N_LANE(N_Lane), .N_LOG(N_Log), .N_RD(N_In), .N_READ(N_Out),
    .IRD_MORE(Ird), .MAX_IRD(Ird), .MAX_ORD(Ord), .N_L2(N_L2), .N_SRQ(N_SRQ), .N_RQB(N_Rqb), .PLACES(Places), .N_FPDU(Large ? 256 : 128),
    .FRAME_BYTES(DATA_W == 512 ? 131072 : 65536), .N_RING(N_RING), .RING_PAGES(RING_PAGES), .N_PUSH(N_PUSH), .TEST_CWND(TEST_CWND)
  ) u_dp (
    .clk_i, .rst_ni(rst_core_n), .now_ns_i, .ready_o(dp_ready), .cfg_wnd_i(wnd), .cfg_shift_i(ring_shift),
    .cfg_req_valid_i(dp_v), .cfg_req_ready_o(dp_r), .cfg_req_i(sreq), .cfg_rsp_valid_o(dp_rv), .cfg_rsp_o(dp_rsp),
    .sq_db_valid_i(sqb_v && dp_ready), .sq_db_qpn_i(sqb_qpn), .sq_db_index_i(sqb_idx), .sq_db_push_i(sqdb_push && !sqb_new),
    .sq_db_buf_i(sqdb_buf), .sq_db_new_i(sqb_new), .push_we_i(push_we), .push_buf_i(push_buf), .push_wqe_i(push_wqe),
    .rq_db_valid_i(rqb_v && dp_ready), .rq_db_qpn_i(rqb_qpn), .rq_db_index_i(rqb_idx),
    .srq_db_valid_i(shdb_v && dp_ready), .srq_db_srqn_i(shdb_srqn), .srq_db_index_i(shdb_idx),
    .page_valid_i(pg_v), .page_ready_o(pg_r), .page_addr_i(pg_addr),
    .xl_req_valid_o(xq_v), .xl_req_ready_i(xq_r), .xl_req_o(xq), .xl_rsp_valid_i(xs_v), .xl_rsp_ready_o(xs_r), .xl_rsp_i(xs),
    .xl_rsp_epoch_i(xs_epoch), .leave_o(leave), .leave_epoch_o(leave_epoch), .drain_valid_i(drain_v), .drain_ready_o(drain_r), .drain_seq_i(drain_seq),
    .stag_op_valid_o(op_v), .stag_op_ready_i(op_r), .stag_op_o(op), .stag_op_err_i(op_err), .stag_op_seq_i(op_seq), .stag_op_done_i(op_done),
    .rd_req_valid_o(rq_v[5:0]), .rd_req_ready_i(rq_r[5:0]), .rd_req_o(rq[5:0]), .rd_valid_i(rs_v[5:0]), .rd_ready_o(rs_r[5:0]),
    .rd_data_i(rs_data[5:0]), .rd_cnt_i(rs_cnt[5:0]), .rd_last_i(rs_last[5:0]), .rd_err_i(rs_err[5:0]),
    .wr_valid_o(wr_v[2:0]), .wr_ready_i(wr_r[2:0]), .wr_hdr_o(wr_hdr[2:0]), .wr_data_o(wr_data[2:0]), .wr_cnt_o(wr_cnt[2:0]),
    .wr_last_o(wr_last[2:0]), .wr_acc_i(wr_acc), .wr_left_i(wr_left), .cqe_valid_o(cqe_v), .cqe_ready_i(cqe_r), .cqe_o(cqe), .ev_valid_o(ev_v[0]), .ev_ready_i(ev_r[0]),
    .ev_o(dp_ev), .eth_rx_valid_i(eth_rx_valid_i && rx_go), .eth_rx_ready_o(rx_r), .eth_rx_data_i, .eth_rx_cnt_i, .eth_rx_last_i, .eth_rx_err_i, .eth_rx_pause_o,
    .eth_tx_valid_o, .eth_tx_ready_i, .eth_tx_data_o, .eth_tx_cnt_o, .eth_tx_last_o,
    .oth_valid_i({lt_v, ft_v}), .oth_ready_o(oth_r), .oth_data_i({lt_data, ft_data}), .oth_cnt_i({lt_cnt, ft_cnt}),
    .oth_last_i({lt_last, ft_last}), .fw_valid_o(fr_v), .fw_ready_i(fr_r), .fw_data_o(fr_data), .fw_cnt_o(fr_cnt), .fw_last_o(fr_last),
    .fw_qpn_o(fr_qpn), .fw_reason_o(fr_reason), .l2_meta_valid_o(lm_v), .l2_meta_ready_i(lm_r), .l2_meta_o(lm), .l2_valid_o(lr_v),
    .l2_ready_i(lr_r), .l2_data_o(lr_data), .l2_cnt_o(lr_cnt), .l2_last_o(lr_last),
    .idle_o(dp_idle), .deadline_valid_o(dp_dl_v), .deadline_ns_o(dp_dl), .rings_free_o(rings_free),
    .stat_rx_frame_o(st_rx), .stat_rx_rdma_o(st_rdma), .stat_rx_drop_o(), .stat_rx_drops_o(st_drop), .stat_seg_o(st_seg), .stat_seg_lost_o(st_lost), .stat_seg_over_o(st_over),
    .stat_seg_bad_o(st_bad), .stat_rto_o(st_rto), .stat_tx_seg_o(st_txseg), .stat_tx_ack_o(st_txack), .stat_tx_again_o(st_again), .stat_tx_cut_o(st_cut), .stat_tx_own_o(st_own),
    .stat_tx_fpdu_o(), .stat_tx_void_o(st_void), .stat_rx_fpdu_o(st_fpdu), .stat_rx_fault_o(st_fault), .stat_rx_ring_o(st_ring), .stat_rx_ahead_o(st_ahead),
    .stat_fetch_o(st_fetch), .stat_push_o(st_push), .stat_bad_wqe_o(st_badwqe), .stat_hit_o(st_hit), .stat_miss_o(st_cmiss), .stat_evict_o(st_evict), .stat_held_o(st_held), .stat_srq_bad_o(st_srq_bad)
  );
  assign ft_r = oth_r[0];
  assign lt_r = oth_r[1];
  weft_dp_owner #(.N_QP(N_QP)) u_owner (
    .clk_i, .rst_ni(rst_core_n), .own_valid_i(sv[1] && dp_ready && room_r[1]), .own_i(sreq), .sq_valid_i(sqdb_v), .sq_qpn_i(sqdb_qpn),
    .sq_index_i(sqdb_idx), .rq_valid_i(rqdb_v), .rq_qpn_i(rqdb_qpn), .rq_index_i(rqdb_idx), .sq_valid_o(sqb_v), .sq_qpn_o(sqb_qpn),
    .sq_index_o(sqb_idx), .sq_new_o(sqb_new), .rq_valid_o(rqb_v), .rq_qpn_o(rqb_qpn), .rq_index_o(rqb_idx), .idle_o(owner_idle)
  );
  weft_dp_rings #(.N_RING(N_RING), .RING_PAGES(RING_PAGES), .RING_SHIFT(RING_SHIFT)) u_rings (
    .clk_i, .rst_ni(rst_core_n), .cfg_req_valid_i(sv[14]), .cfg_req_ready_o(room_r[14]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[14]), .cfg_rsp_o(room_rsp[14]), .dp_ready_i(dp_ready), .rings_free_i(rings_free),
    .page_valid_o(pg_v), .page_ready_i(pg_r && dp_ready), .page_addr_o(pg_addr), .wnd_o(wnd), .shift_o(ring_shift), .idle_o(rings_idle)
  );

  // ---------------------------------------------------------------- tpt
  logic [1:0] st_tmiss, st_terr;
  logic       tpt_idle;
  weft_tpt #(.DATA_W(DATA_W), .N_STAG(N_STAG), .TEST_LATENCY(TEST_LATENCY), .EPOCHS(1'b1)) u_tpt (
    .clk_i, .rst_ni(rst_core_n),
    .xl_req_valid_i(xq_v), .xl_req_ready_o(xq_r), .xl_req_i(xq), .xl_rsp_valid_o(xs_v), .xl_rsp_ready_i(xs_r), .xl_rsp_o(xs),
    .rd_req_valid_o(rq_v[RdPbl+1:RdPbl]), .rd_req_ready_i(rq_r[RdPbl+1:RdPbl]), .rd_req_o(rq[RdPbl+1:RdPbl]),
    .rd_rsp_valid_i(rs_v[RdPbl+1:RdPbl]), .rd_rsp_ready_o(rs_r[RdPbl+1:RdPbl]), .rd_rsp_data_i(rs_data[RdPbl+1:RdPbl]),
    .rd_rsp_cnt_i(rs_cnt[RdPbl+1:RdPbl]), .rd_rsp_last_i(rs_last[RdPbl+1:RdPbl]), .rd_rsp_err_i(rs_err[RdPbl+1:RdPbl]),
    .cfg_req_valid_i(sv[6]), .cfg_req_ready_o(room_r[6]), .cfg_req_i(sreq), .cfg_rsp_valid_o(room_rv[6]), .cfg_rsp_o(room_rsp[6]),
    .xl_rsp_epoch_o(xs_epoch), .leave_i(leave), .leave_epoch_i(leave_epoch), .drain_valid_o(drain_v), .drain_ready_i(drain_r), .drain_seq_o(drain_seq),
    .op_valid_i(op_v), .op_ready_o(op_r), .op_i(op), .op_err_o(op_err), .op_seq_o(op_seq), .op_done_o(op_done),
    .idle_o(tpt_idle), .stat_hit_o(), .stat_miss_o(st_tmiss), .stat_err_o(st_terr)
  );

  // ---------------------------------------------------------------- cq
  logic cq_idle, cq_dl_v, st_cqe, st_cqov, st_eqe;
  logic [63:0] cq_dl;
  weft_cq #(.DATA_W(DATA_W), .N_CQ(N_CQ), .N_EQ(N_EQ), .N_PORTS(2), .PIECES(CQ_PIECES), .MODERATION(CQ_MODERATION)) u_cq (
    .clk_i, .rst_ni(rst_core_n), .now_ns_i,
    .cfg_req_valid_i(sv[8:7]), .cfg_req_ready_o(room_r[8:7]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[8:7]), .cfg_rsp_o(room_rsp[8:7]),
    .cqe_valid_i(cqe_v), .cqe_ready_o(cqe_r), .cqe_i(cqe),
    .eqe_valid_i(eqe_v), .eqe_ready_o(eqe_r), .eqe_i(eqe),
    .cq_db_valid_i(cqdb_v), .cq_db_cqn_i(cqdb_cqn), .cq_db_index_i(cqdb_idx), .cq_db_arm_i(cqdb_arm),
    .eq_db_valid_i(eqdb_v), .eq_db_eqn_i(eqdb_eqn), .eq_db_index_i(eqdb_idx), .eq_db_arm_i(eqdb_arm),
    .wr_valid_o(wr_v[WrCq]), .wr_ready_i(wr_r[WrCq]), .wr_hdr_o(wr_hdr[WrCq]),
    .wr_data_o(wr_data[WrCq]), .wr_cnt_o(wr_cnt[WrCq]), .wr_last_o(wr_last[WrCq]),
    .irq_valid_o(iv[0]), .irq_ready_i(ir[0]), .irq_vector_o(ivec[0]),
    .fwev_valid_o(ev_v[1]), .fwev_ready_i(ev_r[1]), .fwev_o(cq_ev),
    .deadline_valid_o(cq_dl_v), .deadline_ns_o(cq_dl), .idle_o(cq_idle), .stat_cqe_o(st_cqe), .stat_overflow_o(st_cqov), .stat_eqe_o(st_eqe)
  );

  // ---------------------------------------------------------------- l2
  logic st_l2tx, st_l2txe, st_l2rx, st_l2nod, st_l2long, clk_l2;
`ifdef WEFT_SIM_REST
  // A simulator pays for each cycle of a room, and this one rests while others are busy: its clock stands still when nothing has been offered to it
  // and it was idle for 63 cycles.
  logic       l2_busy;
  logic [5:0] l2_rest_q;
  assign l2_busy  = !rst_core_n || !l2_idle || sv[10] || ltdb_v || lrdb_v || rs_v[RdDesc] || rs_v[RdL2] || lm_v || lr_v;
  assign l2_run_o = l2_busy || l2_rest_q != '0;
  assign clk_l2   = clk_l2_i;
  always_ff @(posedge clk_i or negedge rst_core_n) begin
    if (!rst_core_n) l2_rest_q <= '1;
    else if (l2_busy) l2_rest_q <= '1;
    else if (l2_rest_q != '0) l2_rest_q <= l2_rest_q - 1'b1;
  end
`else
  assign clk_l2 = clk_i;
`endif
  weft_l2 #(.DATA_W(DATA_W), .N_L2Q(N_L2Q)) u_l2 (
    .clk_i(clk_l2), .rst_ni(rst_core_n),
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
    .fwev_valid_o(ev_v[2]), .fwev_ready_i(ev_r[2]), .fwev_o(l2_ev),
    .idle_o(l2_idle), .stat_tx_frame_o(st_l2tx), .stat_tx_err_o(st_l2txe), .stat_rx_frame_o(st_l2rx),
    .stat_rx_drop_empty_o(st_l2nod), .stat_rx_drop_long_o(st_l2long), .stat_rx_desc_err_o()
  );

  // ---------------------------------------------------------------- counters, in the order of enum stat
  localparam int unsigned N_Stat = weft_abi_pkg::STAT_COUNT;
  logic [N_Stat-1:0] pulse;
  logic              stats_idle;
  always_comb begin
    pulse = '0;
    pulse[weft_abi_pkg::STAT_tcp_tx_segments] = st_txseg;
    pulse[weft_abi_pkg::STAT_tcp_tx_acks] = st_txack;
    pulse[weft_abi_pkg::STAT_tcp_tx_errors] = st_void;
    pulse[weft_abi_pkg::STAT_tcp_timeouts] = st_rto;
    pulse[weft_abi_pkg::STAT_tcp_bad_acks] = st_bad;
    pulse[weft_abi_pkg::STAT_rx_segments] = st_seg;
    pulse[weft_abi_pkg::STAT_rx_fpdus] = st_fpdu;
    pulse[weft_abi_pkg::STAT_rx_faults] = st_fault;
    pulse[weft_abi_pkg::STAT_rx_placed_beats] = wr_v[WrPlace] && wr_r[WrPlace];
    pulse[weft_abi_pkg::STAT_tx_wqes] = st_fetch;
    pulse[weft_abi_pkg::STAT_tx_wqe_errors] = st_badwqe;
    pulse[weft_abi_pkg::STAT_cqes] = st_cqe;
    pulse[weft_abi_pkg::STAT_cq_overflows] = st_cqov;
    pulse[weft_abi_pkg::STAT_eqes] = st_eqe;
    pulse[weft_abi_pkg::STAT_db_rejected] = st_db_rej || st_db_ign || st_srq_bad;
    pulse[weft_abi_pkg::STAT_eth_rx_frames] = st_rx;
    pulse[weft_abi_pkg::STAT_eth_rx_drop_full] = st_drop[0] || st_drop[4];
    pulse[weft_abi_pkg::STAT_eth_rx_drop_bad] = st_drop[1];
    pulse[weft_abi_pkg::STAT_steer_drop_addr] = st_drop[2];
    pulse[weft_abi_pkg::STAT_steer_drop_csum] = st_drop[3];
    pulse[weft_abi_pkg::STAT_steer_drop_full] = st_drop[5] || st_drop[6] || st_over;
    pulse[weft_abi_pkg::STAT_tcp_retransmits] = st_again;
    pulse[weft_abi_pkg::STAT_eth_tx_own] = st_own;
    pulse[weft_abi_pkg::STAT_eth_tx_frames] = eth_tx_valid_o && eth_tx_ready_i && eth_tx_last_o;
    pulse[weft_abi_pkg::STAT_steer_rdma] = st_rdma;
    pulse[weft_abi_pkg::STAT_steer_fw] = fr_v && fr_r && fr_last;
    pulse[weft_abi_pkg::STAT_steer_l2] = lm_v && lm_r;
    pulse[weft_abi_pkg::STAT_l2_tx_frames] = st_l2tx;
    pulse[weft_abi_pkg::STAT_l2_tx_errors] = st_l2txe;
    pulse[weft_abi_pkg::STAT_l2_rx_frames] = st_l2rx;
    pulse[weft_abi_pkg::STAT_l2_rx_drop_nodesc] = st_l2nod;
    pulse[weft_abi_pkg::STAT_l2_rx_drop_long] = st_l2long;
    pulse[weft_abi_pkg::STAT_pcie_reads] = st_rd;
    pulse[weft_abi_pkg::STAT_pcie_writes] = st_wr;
    pulse[weft_abi_pkg::STAT_pcie_errors] = st_rd_to || st_cpl_err || st_cpl_bad;
    pulse[weft_abi_pkg::STAT_tpt_misses] = |st_tmiss;
    pulse[weft_abi_pkg::STAT_tpt_faults] = |st_terr;
    pulse[weft_abi_pkg::STAT_fw_frames_dropped] = st_frx_drop;
    pulse[weft_abi_pkg::STAT_fw_events] = |(ev_v & ev_r);
    pulse[weft_abi_pkg::STAT_tcp_cut_fpdus] = st_cut;
    pulse[weft_abi_pkg::STAT_rx_payload_lost] = st_lost;
    pulse[weft_abi_pkg::STAT_rx_rings] = st_ring;
    pulse[weft_abi_pkg::STAT_rx_ahead] = st_ahead;
    pulse[weft_abi_pkg::STAT_ctx_hits] = st_hit;
    pulse[weft_abi_pkg::STAT_ctx_misses] = st_cmiss;
    pulse[weft_abi_pkg::STAT_ctx_evictions] = st_evict;
    pulse[weft_abi_pkg::STAT_ctx_held] = st_held;
    pulse[weft_abi_pkg::STAT_push_lines] = st_line;
    pulse[weft_abi_pkg::STAT_push_taken] = st_push;
  end
  weft_stats #(.N(N_Stat)) u_stats (
    .clk_i, .rst_ni(rst_core_n), .pulse_i(pulse),
    .cfg_req_valid_i(sv[11]), .cfg_req_ready_o(room_r[11]), .cfg_req_i(sreq),
    .cfg_rsp_valid_o(room_rv[11]), .cfg_rsp_o(room_rsp[11]), .idle_o(stats_idle)
  );

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
                 && db_idle && dp_idle && rings_idle && owner_idle && tpt_idle && cq_idle && l2_idle && stats_idle && join_idle
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
      dl_b_q             <= sooner(dp_dl_v, dp_dl, cq_dl_v, cq_dl);
      next_deadline_ns_o <= dl_a_q < dl_b_q ? dl_a_q : dl_b_q;
    end
  end

  logic unused;
  assign unused = ^{fr_qpn, wr_last};

endmodule
