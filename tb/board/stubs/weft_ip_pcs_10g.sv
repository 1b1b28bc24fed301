// SPDX-License-Identifier: BSD-2-Clause
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNDRIVEN */
/* verilator lint_off MULTITOP */

// Vivado's xxv_ethernet as constraints/kcu116.tcl configures it (10GBASE-R PCS/PMA, XGMII of 64 bits, transceiver inside), without
// an inside: ports that the top uses or has to drive, as in AMD PG210. Further outputs are left out.
(* blackbox *)
module weft_ip_pcs_10g (
  input logic gt_rxp_in_0,
  input logic gt_rxn_in_0,
  output logic gt_txp_out_0,
  output logic gt_txn_out_0,
  input logic gt_refclk_p,
  input logic gt_refclk_n,
  input logic dclk,
  input logic sys_reset,
  output logic gt_refclk_out,
  output logic gtpowergood_out_0,
  output logic tx_mii_clk_0,
  output logic rx_clk_out_0,
  output logic rxrecclkout_0,
  output logic user_tx_reset_0,
  output logic user_rx_reset_0,
  input logic rx_core_clk_0,
  input logic tx_reset_0,
  input logic rx_reset_0,
  input logic qpllreset_in_0,
  input logic gtwiz_reset_tx_datapath_0,
  input logic gtwiz_reset_rx_datapath_0,
  input logic [2:0] txoutclksel_in_0,
  input logic [2:0] rxoutclksel_in_0,
  input logic [2:0] gt_loopback_in_0,
  input logic [63:0] tx_mii_d_0,
  input logic [7:0] tx_mii_c_0,
  output logic [63:0] rx_mii_d_0,
  output logic [7:0] rx_mii_c_0,
  input logic ctl_rx_test_pattern_0,
  input logic ctl_rx_data_pattern_select_0,
  input logic ctl_rx_test_pattern_enable_0,
  input logic ctl_rx_prbs31_test_pattern_enable_0,
  input logic ctl_tx_test_pattern_0,
  input logic ctl_tx_test_pattern_enable_0,
  input logic ctl_tx_test_pattern_select_0,
  input logic ctl_tx_data_pattern_select_0,
  input logic [57:0] ctl_tx_test_pattern_seed_a_0,
  input logic [57:0] ctl_tx_test_pattern_seed_b_0,
  input logic ctl_tx_prbs31_test_pattern_enable_0,
  output logic stat_rx_block_lock_0,
  output logic stat_rx_status_0,
  output logic stat_rx_hi_ber_0
);
endmodule
