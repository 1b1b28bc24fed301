// SPDX-License-Identifier: BSD-2-Clause

/// RGMII (version 2.0) at 1 Gb/s to and from GMII. The DDR cells of the vendor stay outside: a
/// pair of bits
/// a cycle, `_r` at the rising edge, `_f` at the falling one. TX_CTL is TX_EN, then TX_EN xor
/// TX_ER; data
/// are the low nibble, then the high one. Delays of the clocks are the PHY's or the I/O cells'.
///
/// In-band status, between frames: link, speed and duplex of the PHY. 10 and 100 Mb/s are not
/// supported:
/// `link_o` is low at another speed, or at half duplex.
module weft_rgmii (
  input  logic       tx_clk_i,
  input  logic       tx_rst_ni,
  input  logic [7:0] gmii_txd_i,
  input  logic       gmii_tx_en_i,
  input  logic       gmii_tx_er_i,
  output logic [3:0] rgmii_td_r_o,
  output logic [3:0] rgmii_td_f_o,
  output logic       rgmii_tx_ctl_r_o,
  output logic       rgmii_tx_ctl_f_o,

  input  logic       rx_clk_i,        ///< RXC
  input  logic       rx_rst_ni,
  input  logic [3:0] rgmii_rd_r_i,
  input  logic [3:0] rgmii_rd_f_i,
  input  logic       rgmii_rx_ctl_r_i,
  input  logic       rgmii_rx_ctl_f_i,
  output logic [7:0] gmii_rxd_o,
  output logic       gmii_rx_dv_o,
  output logic       gmii_rx_er_o,
  output logic       status_link_o,   ///< in-band status
  output logic [1:0] status_speed_o,  ///< 0: 10, 1: 100, 2: 1000 Mb/s
  output logic       status_full_o,
  output logic       link_o           ///< link, 1000 Mb/s, full duplex
);

  always_ff @(posedge tx_clk_i or negedge tx_rst_ni) begin
    if (!tx_rst_ni) begin
      rgmii_tx_ctl_r_o <= 1'b0;
      rgmii_tx_ctl_f_o <= 1'b0;
    end else begin
      rgmii_tx_ctl_r_o <= gmii_tx_en_i;
      rgmii_tx_ctl_f_o <= gmii_tx_en_i ^ gmii_tx_er_i;
    end
  end
  always_ff @(posedge tx_clk_i) {rgmii_td_f_o, rgmii_td_r_o} <= gmii_txd_i;

  always_ff @(posedge rx_clk_i or negedge rx_rst_ni) begin
    if (!rx_rst_ni) begin
      gmii_rx_dv_o   <= 1'b0;
      gmii_rx_er_o   <= 1'b0;
      status_link_o  <= 1'b0;
      status_speed_o <= '0;
      status_full_o  <= 1'b0;
    end else begin
      gmii_rx_dv_o <= rgmii_rx_ctl_r_i;
      gmii_rx_er_o <= rgmii_rx_ctl_r_i ^ rgmii_rx_ctl_f_i;
      // Both nibbles carry it while neither DV nor ER is on.
      if (!rgmii_rx_ctl_r_i && !rgmii_rx_ctl_f_i && rgmii_rd_r_i == rgmii_rd_f_i) begin
        {status_full_o, status_speed_o, status_link_o} <= rgmii_rd_r_i;
      end
    end
  end
  always_ff @(posedge rx_clk_i) gmii_rxd_o <= {rgmii_rd_f_i, rgmii_rd_r_i};

  assign link_o = status_link_o && status_speed_o == 2'd2 && status_full_o;

endmodule
