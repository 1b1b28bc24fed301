// SPDX-License-Identifier: BSD-2-Clause

/// The 10G MAC between weft_core and the simulated wire: rtl/mac at XGMII, its link partner behind it
/// (weft_sim_phy). The clock of XGMII has 5 edges for 8 of the core's: 156.25 MHz when that is 250 MHz.
/// weft_mac_set writes its settings after reset, as on a board, and passes on what the core asks for (room PORT). The line goes
/// through a cage with a module in it (weft_sim_module), whose bus runs faster than a real one. The module can be taken out and put
/// in again, and can keep SDA or SCL low for ever.
module weft_sim_mac #(
  parameter int unsigned DATA_W = 512,
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [47:0]       mac_addr_i,
  output logic              idle_o,        ///< no frame is in it, no counter moves

  input  logic              eth_tx_valid_i,  ///< weft_core's
  output logic              eth_tx_ready_o,
  input  logic [DATA_W-1:0] eth_tx_data_i,
  input  logic [CntW-1:0]   eth_tx_cnt_i,
  input  logic              eth_tx_last_i,
  output logic              eth_rx_valid_o,
  input  logic              eth_rx_ready_i,
  output logic [DATA_W-1:0] eth_rx_data_o,
  output logic [CntW-1:0]   eth_rx_cnt_o,
  output logic              eth_rx_last_o,
  output logic              eth_rx_err_o,
  input  logic              pause_req_i,
  output logic              link_up_o,

  input  logic              port_req_valid_i,  ///< weft_core's
  output logic              port_req_ready_o,
  input  weft_pkg::cfg_req_t port_req_i,
  output logic              port_rsp_valid_o,
  output weft_pkg::cfg_rsp_t port_rsp_o,

  input  logic              module_out_i,    ///< the cage is empty
  input  logic              sda_stuck_i,     ///< the module keeps the line low
  input  logic              scl_stuck_i,
  input  logic              link_i,          ///< the wire's
  input  logic              wire_rx_valid_i,
  output logic              wire_rx_ready_o,
  input  logic [DATA_W-1:0] wire_rx_data_i,
  input  logic [CntW-1:0]   wire_rx_cnt_i,
  input  logic              wire_rx_last_i,
  input  logic              wire_rx_err_i,
  output logic              wire_pause_o,
  output logic              wire_tx_valid_o,
  input  logic              wire_tx_ready_i,
  output logic [DATA_W-1:0] wire_tx_data_o,
  output logic [CntW-1:0]   wire_tx_cnt_o,
  output logic              wire_tx_last_o
);

  // ---------------------------------------------------------------- the clock of XGMII
  logic [2:0] phase_q;
  logic       en, en_q, clk_x, rst_x_n;
  assign en = phase_q == 3'd0 || phase_q == 3'd2 || phase_q == 3'd4 || phase_q == 3'd5 || phase_q == 3'd7;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= '0;
    else phase_q <= phase_q + 3'd1;
  end
  always_ff @(negedge clk_i) en_q <= en || !rst_ni;
  assign clk_x = clk_i && en_q;
  weft_rst_bridge u_rst (.clk_i(clk_x), .rst_ni, .rst_no(rst_x_n));

  // ---------------------------------------------------------------- settings, then the core's accesses
  logic               cfg_valid, cfg_ready, cfg_rsp_valid, set_idle;
  weft_pkg::cfg_req_t cfg_req;
  weft_pkg::cfg_rsp_t cfg_rsp;
  weft_mac_set u_set (
    .clk_i, .rst_ni, .addr_i(mac_addr_i), .port_req_valid_i, .port_req_ready_o, .port_req_i, .port_rsp_valid_o, .port_rsp_o,
    .cfg_req_valid_o(cfg_valid), .cfg_req_ready_i(cfg_ready), .cfg_req_o(cfg_req), .cfg_rsp_valid_i(cfg_rsp_valid),
    .cfg_rsp_i(cfg_rsp), .idle_o(set_idle)
  );

  // ---------------------------------------------------------------- the cage; a bit of its bus takes some fifty cycles
  logic               mac_cfg_valid, mac_cfg_ready, mac_rsp_valid, cage_idle, scl, sda, scl_oe, sda_oe, module_sda_oe, dark;
  weft_pkg::cfg_rsp_t mac_rsp;
  assign scl = !scl_oe && !(scl_stuck_i && !module_out_i);
  assign sda = !sda_oe && !((module_sda_oe || sda_stuck_i) && !module_out_i);
  /* verilator lint_off PINCONNECTEMPTY */
  weft_cage #(.UNIT(8), .FILTER(2), .LIMIT(2000), .DEBOUNCE(2)) u_cage (
    .clk_i, .rst_ni, .cfg_req_valid_i(cfg_valid), .cfg_req_ready_o(cfg_ready), .cfg_req_i(cfg_req), .cfg_rsp_valid_o(cfg_rsp_valid),
    .cfg_rsp_o(cfg_rsp), .mac_req_valid_o(mac_cfg_valid), .mac_req_ready_i(mac_cfg_ready), .mac_rsp_valid_i(mac_rsp_valid),
    .mac_rsp_i(mac_rsp), .absent_i(module_out_i), .tx_fault_i(1'b0), .los_i(!link_i || module_out_i), .int_ni(1'b1), .tx_disable_o(dark), .low_power_o(),
    .reset_no(), .scl_i(scl), .sda_i(sda), .scl_oe_o(scl_oe), .sda_oe_o(sda_oe), .idle_o(cage_idle)
  );
  /* verilator lint_on PINCONNECTEMPTY */
  weft_sim_module u_module (
    .clk_i, .rst_ni(rst_ni && !module_out_i), .scl_i(scl), .sda_i(sda), .sda_oe_o(module_sda_oe), .link_i, .dark_i(dark)
  );

  // ---------------------------------------------------------------- MAC and link partner
  logic [63:0] txd, rxd;
  logic [7:0]  txc, rxc;
  logic        mac_idle, phy_idle;
  /* verilator lint_off PINCONNECTEMPTY */
  weft_mac_10g #(.DATA_W(DATA_W)) u_mac (
    .clk_i, .rst_ni, .eth_tx_valid_i, .eth_tx_ready_o, .eth_tx_data_i, .eth_tx_cnt_i, .eth_tx_last_i,
    .eth_rx_valid_o, .eth_rx_ready_i, .eth_rx_data_o, .eth_rx_cnt_o, .eth_rx_last_o, .eth_rx_err_o,
    .pause_req_i, .link_up_o, .cfg_req_valid_i(mac_cfg_valid), .cfg_req_ready_o(mac_cfg_ready), .cfg_req_i(cfg_req),
    .cfg_rsp_valid_o(mac_rsp_valid), .cfg_rsp_o(mac_rsp), .stat_o(), .idle_o(mac_idle), .tx_clk_i(clk_x), .tx_rst_ni(rst_x_n),
    .xgmii_txd_o(txd), .xgmii_txc_o(txc), .rx_clk_i(clk_x), .rx_rst_ni(rst_x_n), .xgmii_rxd_i(rxd),
    .xgmii_rxc_i(rxc), .pcs_up_i(link_i)
  );
  /* verilator lint_on PINCONNECTEMPTY */
  weft_sim_phy #(.DATA_W(DATA_W)) u_phy (
    .clk_i, .rst_ni, .en_i(en_q), .link_i, .xgmii_txd_i(txd), .xgmii_txc_i(txc), .xgmii_rxd_o(rxd),
    .xgmii_rxc_o(rxc), .rx_valid_i(wire_rx_valid_i), .rx_ready_o(wire_rx_ready_o), .rx_data_i(wire_rx_data_i),
    .rx_cnt_i(wire_rx_cnt_i), .rx_last_i(wire_rx_last_i), .rx_err_i(wire_rx_err_i), .tx_valid_o(wire_tx_valid_o),
    .tx_ready_i(wire_tx_ready_i), .tx_data_o(wire_tx_data_o), .tx_cnt_o(wire_tx_cnt_o),
    .tx_last_o(wire_tx_last_o), .pause_o(wire_pause_o), .idle_o(phy_idle)
  );

  // ---------------------------------------------------------------- idleness
  // A frame shows at one of these places at least every few cycles while it is under way, so after so many
  // quiet ones there is none. What the transmitter holds back for a PAUSE shows as f_valid.
  logic [7:0] hold_q;
  logic       moves, cage_moves;
  // A bus that is stuck is never at rest; nothing comes of it unless somebody asks.
  assign cage_moves = sda_stuck_i || scl_stuck_i ? u_cage.busy || u_cage.moving : !cage_idle;
  assign moves = eth_tx_valid_i || u_mac.u_common.a_valid || u_mac.u_common.n_valid || u_mac.u_common.f_valid
                 || (txc != 8'hff && link_up_o) || (rxc != 8'hff && link_up_o) || eth_rx_valid_o || pause_req_i
                 || wire_rx_valid_i || wire_tx_valid_o || !mac_idle || !phy_idle || !set_idle || cage_moves
                 || link_up_o != link_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= '1;
    else if (moves) hold_q <= 8'd96;
    else if (hold_q != '0) hold_q <= hold_q - 8'd1;
  end
  assign idle_o = hold_q == '0 && !moves;

endmodule
