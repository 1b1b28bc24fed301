// SPDX-License-Identifier: BSD-2-Clause

/// 10 Gb/s Ethernet MAC: the core's frames to and from XGMII of 64 bits at 156.25 MHz (IEEE 802.3
/// clauses
/// 4, 31, 46), for a PCS/PMA of 10GBASE-R. docs/mac.md says what it does and counts.
///
/// Line rate needs DATA_W times the core's clock above 10 Gb/s by the loss of a frame's last word.
module weft_mac_10g #(
  parameter int unsigned DATA_W = 64,          ///< 64, 128, 256 or 512
  /// transmit store: a power of two, above twice the largest frame
  parameter int unsigned STORE_BYTES = 32768,
  parameter logic [47:0] ADDR = 48'h0,         ///< station address after reset, byte 0 in 7:0
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic               clk_i,            ///< of the core
  input  logic               rst_ni,
  input  logic               eth_tx_valid_i,   ///< frames without FCS, from weft_core's eth_tx_*
  output logic               eth_tx_ready_o,
  input  logic [DATA_W-1:0]  eth_tx_data_i,
  input  logic [CntW-1:0]    eth_tx_cnt_i,
  input  logic               eth_tx_last_i,
  output logic               eth_rx_valid_o,   ///< frames without FCS, to weft_core's eth_rx_*
  input  logic               eth_rx_ready_i,
  output logic [DATA_W-1:0]  eth_rx_data_o,
  output logic [CntW-1:0]    eth_rx_cnt_o,
  output logic               eth_rx_last_o,
  output logic               eth_rx_err_o,     ///< with last: drop it
  input  logic               pause_req_i,      ///< weft_core's eth_rx_pause_o
  output logic               link_up_o,
  input  logic               cfg_req_valid_i,  ///< registers and counters (weft_mac_pkg)
  output logic               cfg_req_ready_o,
  input  weft_pkg::cfg_req_t cfg_req_i,
  output logic               cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t cfg_rsp_o,
  output logic [weft_abi_pkg::MAC_STAT_COUNT-1:0] stat_o,   ///< a pulse an event, by counter
  output logic               idle_o,

  input  logic               tx_clk_i,
  input  logic               tx_rst_ni,        ///< released with tx_clk_i (weft_rst_bridge)
  output logic [63:0]        xgmii_txd_o,      ///< lane 0 in 7:0
  output logic [7:0]         xgmii_txc_o,
  input  logic               rx_clk_i,
  input  logic               rx_rst_ni,
  input  logic [63:0]        xgmii_rxd_i,
  input  logic [7:0]         xgmii_rxc_i,
  input  logic               pcs_up_i          ///< level, rx_clk_i: block lock of the PCS
);

  logic        t_valid, t_ready, t_last, loop_t, off, lf_t, rf_t, lf, rf;
  logic [63:0] t_data;
  logic [3:0]  t_cnt;
  logic        r_valid, r_first, r_last, r_err, r_bad, loop_r;
  logic [63:0] r_data;
  logic [3:0]  r_cnt;

  weft_mac_common #(.DATA_W(DATA_W), .QUANTUM_LOG2(3), .STORE_BYTES(STORE_BYTES),
    .ADDR(ADDR), .RATE(16'd100)) u_common ( .clk_i, .rst_ni, .eth_tx_valid_i, .eth_tx_ready_o, .eth_tx_data_i,
    .eth_tx_cnt_i, .eth_tx_last_i, .eth_rx_valid_o, .eth_rx_ready_i, .eth_rx_data_o, .eth_rx_cnt_o,
    .eth_rx_last_o, .eth_rx_err_o, .pause_req_i, .link_i(pcs_up_i), .local_fault_i(lf),
    .remote_fault_i(rf), .link_up_o, .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i,
    .cfg_rsp_valid_o, .cfg_rsp_o, .stat_o, .idle_o, .tx_clk_i, .tx_rst_ni, .tx_valid_o(t_valid),
    .tx_ready_i(t_ready), .tx_data_o(t_data), .tx_cnt_o(t_cnt), .tx_last_o(t_last),
    .tx_loop_o(loop_t), .tx_off_o(off), .tx_local_fault_o(lf_t), .tx_remote_fault_o(rf_t),
    .rx_clk_i, .rx_rst_ni, .rx_valid_i(r_valid), .rx_first_i(r_first), .rx_data_i(r_data),
    .rx_cnt_i(r_cnt), .rx_last_i(r_last), .rx_err_i(r_err), .rx_bad_preamble_i(r_bad),
    .rx_loop_o(loop_r)
  );

  logic [63:0] txd, rxd;
  logic [7:0]  txc, rxc;
  weft_xgmii_tx u_tx (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni), .local_fault_i(lf_t && !loop_t), .remote_fault_i(off
      || (rf_t && !loop_t)),
    .in_valid_i(t_valid), .in_ready_o(t_ready), .in_data_i(t_data), .in_cnt_i(t_cnt),
    .in_last_i(t_last), .xgmii_txd_o(txd), .xgmii_txc_o(txc)
  );
  // While it loops the line sees idle.
  assign xgmii_txd_o = loop_t ? 64'h0707_0707_0707_0707 : txd;
  assign xgmii_txc_o = loop_t ? 8'hff : txc;

  logic        l_valid, l_last;
  logic [71:0] l_data;
  always_comb begin
    l_last = 1'b0;
    for (int unsigned i = 0; i < 8; i++) if (txc[i] && txd[8*i+:8] == 8'hfd) l_last = 1'b1;
  end
  weft_mac_loop #(.W(72)) u_loop (
    .tx_clk_i, .tx_rst_ni, .tx_on_i(loop_t), .tx_busy_i(txc != 8'hff || l_last), .tx_last_i(l_last),
    .tx_data_i({txc, txd}), .rx_clk_i, .rx_rst_ni, .rx_valid_o(l_valid), .rx_data_o(l_data)
  );
  assign rxd = !loop_r ? xgmii_rxd_i : l_valid ? l_data[63:0] : 64'h0707_0707_0707_0707;
  assign rxc = !loop_r ? xgmii_rxc_i : l_valid ? l_data[71:64] : 8'hff;

  weft_xgmii_rx u_rx (
    .clk_i(rx_clk_i), .rst_ni(rx_rst_ni), .xgmii_rxd_i(rxd), .xgmii_rxc_i(rxc),
    .out_valid_o(r_valid), .out_first_o(r_first), .out_data_o(r_data), .out_cnt_o(r_cnt),
    .out_last_o(r_last), .out_err_o(r_err), .bad_preamble_o(r_bad)
  );
  weft_xgmii_fault u_fault (
    .clk_i(rx_clk_i), .rst_ni(rx_rst_ni), .xgmii_rxd_i, .xgmii_rxc_i, .local_fault_o(lf),
    .remote_fault_o(rf)
  );

endmodule
