// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The host side of a board without PCIe: the card (weft_core), the bridge and its UART in the place of a PCIe block and a shim, time. All
/// of it in one clock. The bridge runs while the core is in reset: `core_ok_o` goes to the board's resets, whose core reset comes back
/// as `core_rst_ni`.
// lint: board
module weft_board_host_bridge #(
  parameter int unsigned CLK_HZ = 62_500_000,
  parameter int unsigned BAUD = 6_000_000,
  parameter int unsigned PERIOD_NS = 16,  ///< of clk_i
  parameter int unsigned N_QP = 32,
  parameter int unsigned N_SLOT = 16,
  parameter int unsigned N_CQ = 16,
  parameter int unsigned N_STAG = 256,
  parameter int unsigned DB_PAGES = 16,
  parameter bit PORT = 1'b1,              ///< a MAC of rtl/mac is behind port_*
  parameter logic [47:0] MAC_ADDR = 48'h0100_0046_5702,  ///< until the host gives one; byte 0 in 7:0
  localparam int unsigned DataW = 64,
  localparam int unsigned CntW = $clog2(DataW / 8) + 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,       ///< of the bridge
  input  logic             core_rst_ni,
  output logic             core_ok_o,    ///< registered
  output logic             up_o,         ///< a host has a session
  output logic [47:0]      mac_addr_o,
  input  logic             uart_rx_i,    ///< asynchronous
  output logic             uart_tx_o,

  output logic               port_req_valid_o,
  input  logic               port_req_ready_i,
  output weft_pkg::cfg_req_t port_req_o,
  input  logic               port_rsp_valid_i,
  input  weft_pkg::cfg_rsp_t port_rsp_i,

  input  logic             link_up_i,
  input  logic             eth_rx_valid_i,
  output logic             eth_rx_ready_o,
  input  logic [DataW-1:0] eth_rx_data_i,
  input  logic [CntW-1:0]  eth_rx_cnt_i,
  input  logic             eth_rx_last_i,
  input  logic             eth_rx_err_i,
  output logic             eth_rx_pause_o,
  output logic             eth_tx_valid_o,
  input  logic             eth_tx_ready_i,
  output logic [DataW-1:0] eth_tx_data_o,
  output logic [CntW-1:0]  eth_tx_cnt_o,
  output logic             eth_tx_last_o
);

  logic [63:0]      now_ns, tc_d;
  logic             req_v, req_r, req_l, cpl_v, cpl_r, cpl_l, rd_v, rd_r, wr_v, wr_r, wr_l, tc_v, tc_r;
  logic [127:0]     req_h, cpl_h, rd_h, wr_h, tc_h;
  logic [2:0]       req_bar, mps, mrrs;
  logic [DataW-1:0] req_d, cpl_d, wr_d;
  logic [15:0]      bdf;
  logic [47:0]      mac;
  logic             bme, rcb, ext_tag, msix_en, msix_mask, flr_req, flr_done, lrx_v, ltx_v, ltx_r;
  logic [7:0]       lrx_d, ltx_d;

  assign mac_addr_o = mac == '0 ? MAC_ADDR : mac;
  weft_board_time #(.PERIOD_NS(PERIOD_NS)) u_time (.clk_i, .rst_ni(core_rst_ni), .now_ns_o(now_ns));

  // A host behind a serial line answers reads late: two seconds.
  weft_core #(
    .DATA_W(DataW), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_CQ(N_CQ), .CQ_PIECES(1), .CQ_MODERATION(1'b0), .N_STAG(N_STAG), .DB_PAGES(DB_PAGES), .PUSH(1'b0), .PORT(PORT),
    .RD_TIMEOUT_NS(64'd2_000_000_000)
  ) u_core (
    .clk_i, .rst_ni(core_rst_ni), .now_ns_i(now_ns), .idle_o(), .next_deadline_ns_o(),
    .rx_req_valid_i(req_v), .rx_req_ready_o(req_r), .rx_req_hdr_i(req_h), .rx_req_bar_i(req_bar), .rx_req_data_i(req_d),
    .rx_req_last_i(req_l), .rx_cpl_valid_i(cpl_v), .rx_cpl_ready_o(cpl_r), .rx_cpl_hdr_i(cpl_h), .rx_cpl_data_i(cpl_d),
    .rx_cpl_last_i(cpl_l), .tx_rd_valid_o(rd_v), .tx_rd_ready_i(rd_r), .tx_rd_hdr_o(rd_h), .tx_wr_valid_o(wr_v),
    .tx_wr_ready_i(wr_r), .tx_wr_hdr_o(wr_h), .tx_wr_data_o(wr_d), .tx_wr_last_o(wr_l), .tx_cpl_valid_o(tc_v),
    .tx_cpl_ready_i(tc_r), .tx_cpl_hdr_o(tc_h), .tx_cpl_data_o(tc_d), .cfg_bdf_i(bdf), .cfg_bme_i(bme), .cfg_mps_i(mps),
    .cfg_mrrs_i(mrrs), .cfg_rcb_i(rcb), .cfg_ext_tag_i(ext_tag), .cfg_msix_en_i(msix_en), .cfg_msix_mask_i(msix_mask),
    .flr_req_i(flr_req), .flr_done_o(flr_done), .mac_addr_i(mac_addr_o), .link_up_i, .eth_rx_valid_i, .eth_rx_ready_o,
    .eth_rx_data_i, .eth_rx_cnt_i, .eth_rx_last_i, .eth_rx_err_i, .eth_rx_pause_o, .eth_tx_valid_o, .eth_tx_ready_i,
    .eth_tx_data_o, .eth_tx_cnt_o, .eth_tx_last_o, .port_req_valid_o, .port_req_ready_i, .port_req_o, .port_rsp_valid_i,
    .port_rsp_i, .dbg_cfg_valid_i(1'b0), .dbg_cfg_ready_o(), .dbg_cfg_we_i(1'b0), .dbg_cfg_addr_i('0),
    .dbg_cfg_wdata_i('0), .dbg_cfg_rvalid_o(), .dbg_cfg_rdata_o(), .dbg_cfg_err_o()
  );

  // BARs of 64 KiB, the doorbell pages, 64 KiB (abi/weft.abi).
  weft_bridge #(.BAR0_LOG2(16), .BAR2_LOG2($clog2(DB_PAGES * 4096)), .BAR4_LOG2(16), .RETRY(CLK_HZ / 50)) u_bridge (
    .clk_i, .rst_ni, .core_ok_o, .up_o, .line_rx_valid_i(lrx_v), .line_rx_data_i(lrx_d), .line_tx_valid_o(ltx_v),
    .line_tx_ready_i(ltx_r), .line_tx_data_o(ltx_d), .rx_req_valid_o(req_v), .rx_req_ready_i(req_r), .rx_req_hdr_o(req_h),
    .rx_req_bar_o(req_bar), .rx_req_data_o(req_d), .rx_req_last_o(req_l), .rx_cpl_valid_o(cpl_v), .rx_cpl_ready_i(cpl_r),
    .rx_cpl_hdr_o(cpl_h), .rx_cpl_data_o(cpl_d), .rx_cpl_last_o(cpl_l), .tx_rd_valid_i(rd_v), .tx_rd_ready_o(rd_r),
    .tx_rd_hdr_i(rd_h), .tx_wr_valid_i(wr_v), .tx_wr_ready_o(wr_r), .tx_wr_hdr_i(wr_h), .tx_wr_data_i(wr_d), .tx_wr_last_i(wr_l),
    .tx_cpl_valid_i(tc_v), .tx_cpl_ready_o(tc_r), .tx_cpl_hdr_i(tc_h), .tx_cpl_data_i(tc_d), .cfg_bdf_o(bdf), .cfg_bme_o(bme),
    .cfg_mps_o(mps), .cfg_mrrs_o(mrrs), .cfg_rcb_o(rcb), .cfg_ext_tag_o(ext_tag), .cfg_msix_en_o(msix_en),
    .cfg_msix_mask_o(msix_mask), .cfg_mac_o(mac), .flr_req_o(flr_req), .flr_done_i(flr_done), .stat_gap_o(), .stat_retry_o(),
    .stat_no_credit_o(), .stat_bad_o()
  );
  weft_bridge_uart_rx #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_uart_rx (
    .clk_i, .rst_ni, .rx_i(uart_rx_i), .valid_o(lrx_v), .data_o(lrx_d));
  weft_bridge_uart_tx #(.CLK_HZ(CLK_HZ), .BAUD(BAUD)) u_uart_tx (
    .clk_i, .rst_ni, .valid_i(ltx_v), .ready_o(ltx_r), .data_i(ltx_d), .tx_o(uart_tx_o));

endmodule
