// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// ECPIX-5 (LFE5UM5G-85F-8BG554): the card of configuration ecp5, 64 bits at 62.5 MHz; in the place of PCIe the bridge over the board's
/// USB UART (docs/bridge.md); 1 Gb/s Ethernet by RGMII.
/// Clocks: `core_clk`, 62.5 MHz, for bridge and card up to the MAC; `sys_clk`, 125 MHz, for the PHY's set-up and the MAC's transmit
/// side; `rgmii_rxc`, the PHY's. Resets: weft_board_rst; the core's is the bridge's `core_ok_o`. There is no button: docs/boards.md.
// lint: board
module weft_ecpix5 (
  input  logic       clk100,
  input  logic       uart_rx,
  output logic       uart_tx,

  output logic       phy_rst_n,
  output logic       phy_mdc,
  inout  wire        phy_mdio,
  output logic       rgmii_txc,
  output logic       rgmii_tx_ctl,
  output logic [3:0] rgmii_td,
  input  logic       rgmii_rxc,
  input  logic       rgmii_rx_ctl,
  input  logic [3:0] rgmii_rd,

  output logic [3:0] led_r,        ///< low: on. Off
  output logic [3:0] led_g,        ///< low: on. 0 a host is there, 1 PHY set up, 2 Ethernet link, 3 frames received
  output logic [3:0] led_b
);

  localparam int unsigned DataW = 64;
  localparam int unsigned CntW = $clog2(DataW / 8) + 1;

  // ---------------------------------------------------------------- clocks and resets
  logic sys_clk, core_clk, locked, sys_ok_q, core_ok, phy_ok, sys_rst_n, core_rst_n, tx_rst_n, rx_rst_n, bridge_rst_n;
  // 100 MHz / 4 x 5 x 5 = 625 MHz; by 5: 125 MHz, by 10: 62.5 MHz.
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8" *)
  EHXPLLL #(
    .CLKI_DIV(4), .CLKFB_DIV(5), .FEEDBK_PATH("CLKOP"), .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(5), .CLKOP_CPHASE(4), .CLKOP_FPHASE(0),
    .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(10), .CLKOS_CPHASE(9), .CLKOS_FPHASE(0), .CLKOS2_ENABLE("DISABLED"),
    .CLKOS3_ENABLE("DISABLED"), .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"),
    .OUTDIVIDER_MUXD("DIVD"), .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"),
    .DPHASE_SOURCE("DISABLED")
  ) u_pll (
    .CLKI(clk100), .CLKFB(sys_clk), .PHASESEL1(1'b0), .PHASESEL0(1'b0), .PHASEDIR(1'b0), .PHASESTEP(1'b0), .PHASELOADREG(1'b0),
    .STDBY(1'b0), .PLLWAKESYNC(1'b0), .RST(1'b0), .ENCLKOP(1'b0), .ENCLKOS(1'b0), .ENCLKOS2(1'b0), .ENCLKOS3(1'b0), .CLKOP(sys_clk),
    .CLKOS(core_clk), .CLKOS2(), .CLKOS3(), .LOCK(locked), .INTLOCK(), .REFCLK(), .CLKINTFB()
  );

  // A flip-flop in front of the bridges: no glitch of the lock reaches a reset.
  always_ff @(posedge sys_clk or negedge locked) begin
    if (!locked) sys_ok_q <= 1'b0;
    else sys_ok_q <= 1'b1;
  end
  weft_board_rst u_rst (
    .sys_clk_i(sys_clk), .sys_ok_i(sys_ok_q), .core_clk_i(core_clk), .core_ok_i(core_ok), .phy_ok_i(phy_ok),
    .tx_clk_i(sys_clk), .rx_clk_i(rgmii_rxc), .sys_rst_no(sys_rst_n), .core_rst_no(core_rst_n), .tx_rst_no(tx_rst_n),
    .rx_rst_no(rx_rst_n)
  );
  weft_rst_bridge u_bridge_rst (.clk_i(core_clk), .rst_ni(sys_ok_q), .rst_no(bridge_rst_n));

  // ---------------------------------------------------------------- PHY
  logic phy_link, mdio_out, mdio_oe, mdio_in;
  weft_board_phy_std u_phy (
    .clk_i(sys_clk), .rst_ni(sys_rst_n), .phy_rst_no(phy_rst_n), .ok_o(phy_ok), .link_o(phy_link), .mdc_o(phy_mdc),
    .mdio_o(mdio_out), .mdio_oe_o(mdio_oe), .mdio_i(mdio_in)
  );
  BB u_mdio (.I(mdio_out), .T(!mdio_oe), .O(mdio_in), .B(phy_mdio));

  // ---------------------------------------------------------------- host side
  logic               host_up, rx_v, rx_r, rx_l, rx_e, tx_v, tx_r, tx_l, rx_pause, link_up;
  logic [DataW-1:0]   rx_d, tx_d;
  logic [CntW-1:0]    rx_c, tx_c;
  logic [47:0]        addr;
  logic               port_v, port_r, port_rsp_v;  // the MAC's registers, for the core
  weft_pkg::cfg_req_t port_req;
  weft_pkg::cfg_rsp_t port_rsp;
  weft_board_host_bridge #(
    .CLK_HZ(62_500_000), .BAUD(6_000_000), .PERIOD_NS(16), .N_QP(32), .N_SLOT(16), .N_CQ(16), .N_STAG(256), .DB_PAGES(16)
  ) u_host (
    .clk_i(core_clk), .rst_ni(bridge_rst_n), .core_rst_ni(core_rst_n), .core_ok_o(core_ok), .up_o(host_up), .mac_addr_o(addr),
    .uart_rx_i(uart_rx), .uart_tx_o(uart_tx), .port_req_valid_o(port_v), .port_req_ready_i(port_r), .port_req_o(port_req),
    .port_rsp_valid_i(port_rsp_v), .port_rsp_i(port_rsp), .link_up_i(link_up), .eth_rx_valid_i(rx_v), .eth_rx_ready_o(rx_r),
    .eth_rx_data_i(rx_d), .eth_rx_cnt_i(rx_c), .eth_rx_last_i(rx_l), .eth_rx_err_i(rx_e), .eth_rx_pause_o(rx_pause),
    .eth_tx_valid_o(tx_v), .eth_tx_ready_i(tx_r), .eth_tx_data_o(tx_d), .eth_tx_cnt_o(tx_c), .eth_tx_last_o(tx_l)
  );

  // ---------------------------------------------------------------- network side
  logic               set_v, set_r, set_rsp_v, tx_en, tx_er, dv, er, tx_ctl_r, tx_ctl_f, rx_ctl_r, rx_ctl_f, link_rx;
  weft_pkg::cfg_req_t set_req;
  weft_pkg::cfg_rsp_t set_rsp;
  logic [7:0]         txd, rxd;
  logic [3:0]         td_r, td_f, rd_r, rd_f;

  weft_mac_set u_set (
    .clk_i(core_clk), .rst_ni(core_rst_n), .addr_i(addr), .port_req_valid_i(port_v), .port_req_ready_o(port_r),
    .port_req_i(port_req), .port_rsp_valid_o(port_rsp_v), .port_rsp_o(port_rsp), .cfg_req_valid_o(set_v), .cfg_req_ready_i(set_r),
    .cfg_req_o(set_req), .cfg_rsp_valid_i(set_rsp_v), .cfg_rsp_i(set_rsp), .idle_o()
  );
  weft_sync u_link (.clk_i(rgmii_rxc), .rst_ni(rx_rst_n), .d_i(phy_link), .q_o(link_rx));
  weft_mac_1g #(.DATA_W(DataW)) u_mac (
    .clk_i(core_clk), .rst_ni(core_rst_n), .eth_tx_valid_i(tx_v), .eth_tx_ready_o(tx_r), .eth_tx_data_i(tx_d),
    .eth_tx_cnt_i(tx_c), .eth_tx_last_i(tx_l), .eth_rx_valid_o(rx_v), .eth_rx_ready_i(rx_r), .eth_rx_data_o(rx_d),
    .eth_rx_cnt_o(rx_c), .eth_rx_last_o(rx_l), .eth_rx_err_o(rx_e), .pause_req_i(rx_pause), .link_up_o(link_up),
    .cfg_req_valid_i(set_v), .cfg_req_ready_o(set_r), .cfg_req_i(set_req), .cfg_rsp_valid_o(set_rsp_v), .cfg_rsp_o(set_rsp),
    .stat_o(), .idle_o(), .tx_clk_i(sys_clk), .tx_rst_ni(tx_rst_n), .gmii_txd_o(txd), .gmii_tx_en_o(tx_en),
    .gmii_tx_er_o(tx_er), .rx_clk_i(rgmii_rxc), .rx_rst_ni(rx_rst_n), .gmii_rxd_i(rxd), .gmii_rx_dv_i(dv), .gmii_rx_er_i(er),
    .phy_up_i(link_rx)
  );
  // Link and speed come by MDIO, as on the other board with RGMII.
  weft_rgmii u_rgmii (
    .tx_clk_i(sys_clk), .tx_rst_ni(tx_rst_n), .gmii_txd_i(txd), .gmii_tx_en_i(tx_en), .gmii_tx_er_i(tx_er),
    .rgmii_td_r_o(td_r), .rgmii_td_f_o(td_f), .rgmii_tx_ctl_r_o(tx_ctl_r), .rgmii_tx_ctl_f_o(tx_ctl_f), .rx_clk_i(rgmii_rxc),
    .rx_rst_ni(rx_rst_n), .rgmii_rd_r_i(rd_r), .rgmii_rd_f_i(rd_f), .rgmii_rx_ctl_r_i(rx_ctl_r),
    .rgmii_rx_ctl_f_i(rx_ctl_f), .gmii_rxd_o(rxd), .gmii_rx_dv_o(dv), .gmii_rx_er_o(er), .status_link_o(),
    .status_speed_o(), .status_full_o(), .link_o()
  );
  // The clock goes out 2 ns (80 taps of 25 ps) behind its data. The one that comes is delayed by the PHY. Both as LiteX-Boards has
  // this board's Ethernet (litex_boards/targets/lambdaconcept_ecpix5.py, rx_delay 0 and the default tx_delay).
  logic       txc_q, tx_ctl_q, rx_ctl_pin;
  logic [3:0] td_q, rd_pin;
  ODDRX1F u_txc (.D0(1'b1), .D1(1'b0), .SCLK(sys_clk), .RST(1'b0), .Q(txc_q));
  DELAYG #(.DEL_MODE("USER_DEFINED"), .DEL_VALUE(80)) u_txc_delay (.A(txc_q), .Z(rgmii_txc));
  ODDRX1F u_tx_ctl (.D0(tx_ctl_r), .D1(tx_ctl_f), .SCLK(sys_clk), .RST(1'b0), .Q(tx_ctl_q));
  DELAYG #(.DEL_MODE("USER_DEFINED"), .DEL_VALUE(0)) u_tx_ctl_delay (.A(tx_ctl_q), .Z(rgmii_tx_ctl));
  DELAYG #(.DEL_MODE("USER_DEFINED"), .DEL_VALUE(0)) u_rx_ctl_delay (.A(rgmii_rx_ctl), .Z(rx_ctl_pin));
  IDDRX1F u_rx_ctl (.D(rx_ctl_pin), .SCLK(rgmii_rxc), .RST(1'b0), .Q0(rx_ctl_r), .Q1(rx_ctl_f));
  for (genvar i = 0; i < 4; i++) begin : gen_bit
    ODDRX1F u_td (.D0(td_r[i]), .D1(td_f[i]), .SCLK(sys_clk), .RST(1'b0), .Q(td_q[i]));
    DELAYG #(.DEL_MODE("USER_DEFINED"), .DEL_VALUE(0)) u_td_delay (.A(td_q[i]), .Z(rgmii_td[i]));
    DELAYG #(.DEL_MODE("USER_DEFINED"), .DEL_VALUE(0)) u_rd_delay (.A(rgmii_rd[i]), .Z(rd_pin[i]));
    IDDRX1F u_rd (.D(rd_pin[i]), .SCLK(rgmii_rxc), .RST(1'b0), .Q0(rd_r[i]), .Q1(rd_f[i]));
  end

  // ---------------------------------------------------------------- LEDs
  logic seen_q;
  always_ff @(posedge core_clk or negedge core_rst_n) begin
    if (!core_rst_n) seen_q <= 1'b0;
    else if (rx_v && rx_r && rx_l) seen_q <= !seen_q;
  end
  assign led_r = '1;
  assign led_g = ~{seen_q, link_up, phy_ok, host_up};
  assign led_b = '1;

endmodule
