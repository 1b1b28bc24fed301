// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// KCU116 (xcku5p-ffvb676-2-e): PCIe x8 at 512 bits and 250 MHz, 10 Gb/s Ethernet by the first SFP28 cage.
/// Clocks: `core_clk`, the PCIe block's user clock, for everything up to the MAC; `sys_clk`, 100 MHz made of the board's 300 MHz, for
/// resets and the transceiver's set-up; `tx_clk`, 156.25 MHz of the PCS; `rx_clk`, the one that it recovers. Resets:
/// weft_board_rst. docs/boards.md.
///
/// The cages' two-wire buses hang behind an I2C switch on the board's main bus, together with other devices and other masters.
/// Its address and the channel of the first cage are in AMD's UG1239, and in no file that was at hand: SFP_SWITCH and SFP_CHANNELS
/// are for whoever builds this. Until they are set the card says that it has no cage.
// lint: board
module weft_kcu116 #(
  parameter logic [6:0] SFP_SWITCH = 7'd0,    ///< I2C address of the switch; 0: not known
  parameter logic [7:0] SFP_CHANNELS = 8'd0   ///< what is written to it for the first cage
) (
  input  logic       sysclk_p,     ///< 300 MHz
  input  logic       sysclk_n,
  input  logic       cpu_reset,    ///< button, high when pressed

  input  logic       pcie_perst_n,
  input  logic       pcie_clk_p,   ///< 100 MHz
  input  logic       pcie_clk_n,
  input  logic [7:0] pcie_rx_p,
  input  logic [7:0] pcie_rx_n,
  output logic [7:0] pcie_tx_p,
  output logic [7:0] pcie_tx_n,

  input  logic       sfp_clk_p,    ///< 156.25 MHz, the board's Si570
  input  logic       sfp_clk_n,
  input  logic       sfp_rx_p,
  input  logic       sfp_rx_n,
  output logic       sfp_tx_p,
  output logic       sfp_tx_n,
  output logic       sfp_tx_disable_n,
  inout  wire        i2c_scl,      ///< the board's main bus
  inout  wire        i2c_sda,

  output logic [3:0] led           ///< 0 PCIe link, 1 transceiver ready, 2 Ethernet link, 3 frames received
);

  // ---------------------------------------------------------------- clocks and resets
  logic sysclk_300, clk_fb, clk_100, sys_clk, locked, reset_pin, sys_ok_q, core_clk, user_reset, core_ok_q, pcie_up;
  logic tx_clk, rx_clk, pcs_reset_tx, pcs_reset_rx, pcs_tx_ok_q, pcs_rx_ok_q, pcs_ok_q;
  logic [1:0] pcs_ok;
  logic sys_rst_n, core_rst_n, tx_rst_n, rx_rst_n;
  IBUFDS u_sysclk (.I(sysclk_p), .IB(sysclk_n), .O(sysclk_300));
  IBUF u_reset (.I(cpu_reset), .O(reset_pin));
  // 300 MHz times 4, by 12.
  MMCME4_BASE #(.CLKIN1_PERIOD(3.333), .CLKFBOUT_MULT_F(4.0), .CLKOUT0_DIVIDE_F(12.0), .DIVCLK_DIVIDE(1)) u_mmcm (
    .CLKIN1(sysclk_300), .CLKFBIN(clk_fb), .CLKFBOUT(clk_fb), .CLKFBOUTB(), .CLKOUT0(clk_100), .CLKOUT0B(), .CLKOUT1(),
    .CLKOUT1B(), .CLKOUT2(), .CLKOUT2B(), .CLKOUT3(), .CLKOUT3B(), .CLKOUT4(), .CLKOUT5(), .CLKOUT6(), .LOCKED(locked),
    .PWRDWN(1'b0), .RST(reset_pin)
  );
  BUFG u_sys_clk (.I(clk_100), .O(sys_clk));
  always_ff @(posedge sys_clk or negedge locked) begin
    if (!locked) sys_ok_q <= 1'b0;
    else sys_ok_q <= 1'b1;
  end
  always_ff @(posedge core_clk or posedge user_reset) begin
    if (user_reset) core_ok_q <= 1'b0;
    else core_ok_q <= pcie_up;
  end
  // The PCS' resets have gone, each in its clock.
  always_ff @(posedge tx_clk) pcs_tx_ok_q <= !pcs_reset_tx;
  always_ff @(posedge rx_clk) pcs_rx_ok_q <= !pcs_reset_rx;
  weft_sync #(.W(2)) u_pcs_ok (.clk_i(sys_clk), .rst_ni(sys_rst_n), .d_i({pcs_rx_ok_q, pcs_tx_ok_q}), .q_o(pcs_ok));
  always_ff @(posedge sys_clk or negedge sys_rst_n) begin
    if (!sys_rst_n) pcs_ok_q <= 1'b0;
    else pcs_ok_q <= &pcs_ok;
  end
  weft_board_rst u_rst (
    .sys_clk_i(sys_clk), .sys_ok_i(sys_ok_q), .core_clk_i(core_clk), .core_ok_i(core_ok_q), .phy_ok_i(pcs_ok_q),
    .tx_clk_i(tx_clk), .rx_clk_i(rx_clk), .sys_rst_no(sys_rst_n), .core_rst_no(core_rst_n), .tx_rst_no(tx_rst_n),
    .rx_rst_no(rx_rst_n)
  );

  // ---------------------------------------------------------------- station address
  logic        dna_clk, dna_read, dna_shift, dna_out, addr_valid;
  logic [47:0] addr_sys, addr;
  DNA_PORTE2 u_dna (.CLK(dna_clk), .READ(dna_read), .SHIFT(dna_shift), .DIN(1'b0), .DOUT(dna_out));
  weft_board_addr #(.BITS(96)) u_addr (
    .clk_i(sys_clk), .rst_ni(sys_rst_n), .dna_clk_o(dna_clk), .dna_read_o(dna_read), .dna_shift_o(dna_shift),
    .dna_i(dna_out), .valid_o(addr_valid), .addr_o(addr_sys)
  );
  weft_sync_cfg #(.W(48)) u_addr_sync (
    .src_clk_i(sys_clk), .src_rst_ni(sys_rst_n), .src_i(addr_valid ? addr_sys : 48'h0), .dst_clk_i(core_clk),
    .dst_rst_ni(core_rst_n), .dst_o(addr)
  );

  // ---------------------------------------------------------------- host side
  logic         rq_v, rq_r, rq_l, rc_v, rc_r, cq_v, cq_r, cc_v, cc_r, cc_l, sv0, sv1, flr_done;
  logic         pcie_sys_clk, pcie_gt_clk, perst_n;
  logic [511:0] rq_d, rc_d, cq_d, cc_d;
  logic [15:0]  rq_k, cc_k, fn_status;
  logic [136:0] rq_u;
  logic [160:0] rc_u;
  logic [182:0] cq_u;
  logic [80:0]  cc_u;
  logic [1:0]   np_req, mps;
  logic [3:0]   nph_av, rcb, msix_en, msix_mask, flr;
  logic [5:0]   sn0, sn1;
  logic [7:0]   bus;
  logic [2:0]   mrrs;
  logic         rx_v, rx_r, rx_l, rx_e, tx_v, tx_r, tx_l, rx_pause, link_up;
  logic [511:0] rx_d, tx_d;
  logic [6:0]   rx_c, tx_c;

  IBUFDS_GTE4 u_pcie_clk (.I(pcie_clk_p), .IB(pcie_clk_n), .CEB(1'b0), .O(pcie_gt_clk), .ODIV2(pcie_sys_clk));
  IBUF u_perst (.I(pcie_perst_n), .O(perst_n));
  // Vivado's block as constraints/kcu116.tcl configures it.
  weft_ip_pcie4_x8 u_pcie (
    .pci_exp_txn(pcie_tx_n), .pci_exp_txp(pcie_tx_p), .pci_exp_rxn(pcie_rx_n), .pci_exp_rxp(pcie_rx_p),
    .sys_clk(pcie_sys_clk), .sys_clk_gt(pcie_gt_clk), .sys_reset(perst_n), .user_clk(core_clk), .user_reset(user_reset),
    .user_lnk_up(pcie_up), .phy_rdy_out(), .s_axis_rq_tdata(rq_d), .s_axis_rq_tkeep(rq_k), .s_axis_rq_tlast(rq_l),
    .s_axis_rq_tuser(rq_u), .s_axis_rq_tvalid(rq_v), .s_axis_rq_tready(rq_r), .m_axis_rc_tdata(rc_d), .m_axis_rc_tkeep(),
    .m_axis_rc_tlast(), .m_axis_rc_tuser(rc_u), .m_axis_rc_tvalid(rc_v), .m_axis_rc_tready(rc_r), .m_axis_cq_tdata(cq_d),
    .m_axis_cq_tkeep(), .m_axis_cq_tlast(), .m_axis_cq_tuser(cq_u), .m_axis_cq_tvalid(cq_v), .m_axis_cq_tready(cq_r),
    .s_axis_cc_tdata(cc_d), .s_axis_cc_tkeep(cc_k), .s_axis_cc_tlast(cc_l), .s_axis_cc_tuser(cc_u), .s_axis_cc_tvalid(cc_v),
    .s_axis_cc_tready(cc_r), .pcie_rq_seq_num0(sn0), .pcie_rq_seq_num_vld0(sv0), .pcie_rq_seq_num1(sn1),
    .pcie_rq_seq_num_vld1(sv1), .pcie_tfc_nph_av(nph_av), .pcie_tfc_npd_av(), .pcie_cq_np_req(np_req),
    .pcie_cq_np_req_count(), .cfg_phy_link_down(), .cfg_negotiated_width(), .cfg_current_speed(), .cfg_max_payload(mps),
    .cfg_max_read_req(mrrs), .cfg_function_status(fn_status), .cfg_rcb_status(rcb), .cfg_bus_number(bus),
    .cfg_mgmt_addr(10'd0), .cfg_mgmt_function_number(8'd0), .cfg_mgmt_write(1'b0), .cfg_mgmt_write_data(32'd0),
    .cfg_mgmt_byte_enable(4'd0), .cfg_mgmt_read(1'b0), .cfg_mgmt_debug_access(1'b0), .cfg_mgmt_read_data(),
    .cfg_mgmt_read_write_done(), .cfg_msg_transmit(1'b0), .cfg_msg_transmit_type(3'd0), .cfg_msg_transmit_data(32'd0),
    .cfg_fc_sel(3'd0), .cfg_dsn({16'h0, addr}), .cfg_power_state_change_ack(1'b1), .cfg_power_state_change_interrupt(),
    .cfg_err_cor_in(1'b0), .cfg_err_uncor_in(1'b0), .cfg_flr_in_process(flr), .cfg_flr_done({3'd0, flr_done}),
    .cfg_vf_flr_func_num(8'd0), .cfg_vf_flr_done(1'b0), .cfg_link_training_enable(1'b1), .cfg_interrupt_int(4'd0),
    .cfg_interrupt_pending(4'd0), .cfg_interrupt_sent(), .cfg_interrupt_msix_enable(msix_en),
    .cfg_interrupt_msix_mask(msix_mask), .cfg_interrupt_msix_address(64'd0), .cfg_interrupt_msix_data(32'd0),
    .cfg_interrupt_msix_int(1'b0), .cfg_interrupt_msix_vec_pending(2'd0), .cfg_interrupt_msi_function_number(8'd0),
    .cfg_pm_aspm_l1_entry_reject(1'b0), .cfg_pm_aspm_tx_l0s_entry_disable(1'b0), .cfg_config_space_enable(1'b1),
    .cfg_req_pm_transition_l23_ready(1'b0), .cfg_hot_reset_in(1'b0), .cfg_ds_port_number(8'd0), .cfg_ds_bus_number(8'd0),
    .cfg_ds_device_number(5'd0), .cfg_hot_reset_out()
  );
  logic               port_v, port_r, port_rsp_v;  // the MAC's registers, for the core
  weft_pkg::cfg_req_t port_req;
  weft_pkg::cfg_rsp_t port_rsp;
  weft_board_host_us #(.PERIOD_NS(4)) u_host (
    .clk_i(core_clk), .rst_ni(core_rst_n), .mac_addr_i(addr), .s_axis_rq_tvalid_o(rq_v), .s_axis_rq_tready_i(rq_r),
    .s_axis_rq_tdata_o(rq_d), .s_axis_rq_tkeep_o(rq_k), .s_axis_rq_tlast_o(rq_l), .s_axis_rq_tuser_o(rq_u),
    .m_axis_rc_tvalid_i(rc_v), .m_axis_rc_tready_o(rc_r), .m_axis_rc_tdata_i(rc_d), .m_axis_rc_tuser_i(rc_u),
    .m_axis_cq_tvalid_i(cq_v), .m_axis_cq_tready_o(cq_r), .m_axis_cq_tdata_i(cq_d), .m_axis_cq_tuser_i(cq_u),
    .s_axis_cc_tvalid_o(cc_v), .s_axis_cc_tready_i(cc_r), .s_axis_cc_tdata_o(cc_d), .s_axis_cc_tkeep_o(cc_k),
    .s_axis_cc_tlast_o(cc_l), .s_axis_cc_tuser_o(cc_u), .pcie_cq_np_req_o(np_req), .pcie_tfc_nph_av_i(nph_av),
    .pcie_rq_seq_num_vld0_i(sv0), .pcie_rq_seq_num0_i(sn0), .pcie_rq_seq_num_vld1_i(sv1), .pcie_rq_seq_num1_i(sn1),
    .cfg_bus_number_i(bus), .cfg_function_status_i(fn_status[3:0]), .cfg_max_payload_i(mps), .cfg_max_read_req_i(mrrs),
    .cfg_rcb_status_i(rcb[0]), .cfg_interrupt_msix_enable_i(msix_en[0]), .cfg_interrupt_msix_mask_i(msix_mask[0]),
    .cfg_flr_in_process_i(flr[0]), .cfg_flr_done_o(flr_done), .port_req_valid_o(port_v), .port_req_ready_i(port_r),
    .port_req_o(port_req), .port_rsp_valid_i(port_rsp_v), .port_rsp_i(port_rsp), .link_up_i(link_up), .eth_rx_valid_i(rx_v),
    .eth_rx_ready_o(rx_r), .eth_rx_data_i(rx_d), .eth_rx_cnt_i(rx_c), .eth_rx_last_i(rx_l), .eth_rx_err_i(rx_e),
    .eth_rx_pause_o(rx_pause), .eth_tx_valid_o(tx_v), .eth_tx_ready_i(tx_r), .eth_tx_data_o(tx_d), .eth_tx_cnt_o(tx_c),
    .eth_tx_last_o(tx_l)
  );

  // ---------------------------------------------------------------- network side
  logic               set_v, set_r, set_rsp_v, pcs_up;
  weft_pkg::cfg_req_t set_req;
  weft_pkg::cfg_rsp_t set_rsp;
  logic [63:0]        txd, rxd;
  logic [7:0]         txc, rxc;
  weft_mac_set u_set (
    .clk_i(core_clk), .rst_ni(core_rst_n), .addr_i(addr), .port_req_valid_i(port_v), .port_req_ready_o(port_r),
    .port_req_i(port_req), .port_rsp_valid_o(port_rsp_v), .port_rsp_o(port_rsp), .cfg_req_valid_o(set_v), .cfg_req_ready_i(set_r),
    .cfg_req_o(set_req), .cfg_rsp_valid_i(set_rsp_v), .cfg_rsp_i(set_rsp), .idle_o()
  );
  // The cage: of its pins only TX_DISABLE and the bus come to the device. 250 MHz: a unit of the bus is 2 us.
  logic               mac_v, mac_r, mac_rsp_v, tx_disable, scl, sda, scl_oe, sda_oe;
  weft_pkg::cfg_rsp_t mac_rsp;
  weft_cage #(
    .KIND(SFP_SWITCH == '0 ? weft_abi_pkg::CAGE_KIND_NONE : weft_abi_pkg::CAGE_KIND_SFP), .HAS_PRESENT(1'b0), .SWITCH(SFP_SWITCH),
    .CHANNELS(SFP_CHANNELS)
  ) u_cage (
    .clk_i(core_clk), .rst_ni(core_rst_n), .cfg_req_valid_i(set_v), .cfg_req_ready_o(set_r), .cfg_req_i(set_req),
    .cfg_rsp_valid_o(set_rsp_v), .cfg_rsp_o(set_rsp), .mac_req_valid_o(mac_v), .mac_req_ready_i(mac_r),
    .mac_rsp_valid_i(mac_rsp_v), .mac_rsp_i(mac_rsp), .absent_i(1'b0), .tx_fault_i(1'b0), .los_i(1'b0), .int_ni(1'b1),
    .tx_disable_o(tx_disable), .low_power_o(), .reset_no(), .scl_i(scl), .sda_i(sda), .scl_oe_o(scl_oe), .sda_oe_o(sda_oe),
    .idle_o()
  );
  IOBUF u_scl (.I(1'b0), .O(scl), .T(!scl_oe), .IO(i2c_scl));
  IOBUF u_sda (.I(1'b0), .O(sda), .T(!sda_oe), .IO(i2c_sda));
  weft_mac_10g #(.DATA_W(512)) u_mac (
    .clk_i(core_clk), .rst_ni(core_rst_n), .eth_tx_valid_i(tx_v), .eth_tx_ready_o(tx_r), .eth_tx_data_i(tx_d),
    .eth_tx_cnt_i(tx_c), .eth_tx_last_i(tx_l), .eth_rx_valid_o(rx_v), .eth_rx_ready_i(rx_r), .eth_rx_data_o(rx_d),
    .eth_rx_cnt_o(rx_c), .eth_rx_last_o(rx_l), .eth_rx_err_o(rx_e), .pause_req_i(rx_pause), .link_up_o(link_up),
    .cfg_req_valid_i(mac_v), .cfg_req_ready_o(mac_r), .cfg_req_i(set_req), .cfg_rsp_valid_o(mac_rsp_v), .cfg_rsp_o(mac_rsp),
    .stat_o(), .idle_o(), .tx_clk_i(tx_clk), .tx_rst_ni(tx_rst_n), .xgmii_txd_o(txd), .xgmii_txc_o(txc), .rx_clk_i(rx_clk),
    .rx_rst_ni(rx_rst_n), .xgmii_rxd_i(rxd), .xgmii_rxc_i(rxc), .pcs_up_i(pcs_up)
  );
  // Block lock: which clock it belongs to is not taken for granted.
  logic block_lock;
  weft_sync u_lock (.clk_i(rx_clk), .rst_ni(rx_rst_n), .d_i(block_lock), .q_o(pcs_up));
  // Vivado's xxv_ethernet as constraints/kcu116.tcl configures it: 10GBASE-R, transceiver inside; user clocks by 3'd5 (the
  // programmable divider).
  weft_ip_pcs_10g u_pcs (
    .gt_rxp_in_0(sfp_rx_p), .gt_rxn_in_0(sfp_rx_n), .gt_txp_out_0(sfp_tx_p), .gt_txn_out_0(sfp_tx_n), .gt_refclk_p(sfp_clk_p),
    .gt_refclk_n(sfp_clk_n), .dclk(sys_clk), .sys_reset(!sys_rst_n), .gt_refclk_out(), .gtpowergood_out_0(),
    .tx_mii_clk_0(tx_clk), .rx_clk_out_0(rx_clk), .rxrecclkout_0(), .user_tx_reset_0(pcs_reset_tx),
    .user_rx_reset_0(pcs_reset_rx), .rx_core_clk_0(rx_clk), .tx_reset_0(1'b0), .rx_reset_0(1'b0), .qpllreset_in_0(1'b0),
    .gtwiz_reset_tx_datapath_0(1'b0), .gtwiz_reset_rx_datapath_0(1'b0), .txoutclksel_in_0(3'd5), .rxoutclksel_in_0(3'd5),
    .gt_loopback_in_0(3'd0), .tx_mii_d_0(txd), .tx_mii_c_0(txc), .rx_mii_d_0(rxd), .rx_mii_c_0(rxc),
    .ctl_rx_test_pattern_0(1'b0), .ctl_rx_data_pattern_select_0(1'b0), .ctl_rx_test_pattern_enable_0(1'b0),
    .ctl_rx_prbs31_test_pattern_enable_0(1'b0), .ctl_tx_test_pattern_0(1'b0), .ctl_tx_test_pattern_enable_0(1'b0),
    .ctl_tx_test_pattern_select_0(1'b0), .ctl_tx_data_pattern_select_0(1'b0), .ctl_tx_test_pattern_seed_a_0(58'd0),
    .ctl_tx_test_pattern_seed_b_0(58'd0), .ctl_tx_prbs31_test_pattern_enable_0(1'b0), .stat_rx_block_lock_0(block_lock),
    .stat_rx_status_0(), .stat_rx_hi_ber_0()
  );
  // Inverted on the board, by its name there: high lets the module send.
  assign sfp_tx_disable_n = !tx_disable;

  // ---------------------------------------------------------------- LEDs
  logic seen_q, unused;
  always_ff @(posedge core_clk or negedge core_rst_n) begin
    if (!core_rst_n) seen_q <= 1'b0;
    else if (rx_v && rx_r && rx_l) seen_q <= !seen_q;
  end
  assign led    = {seen_q, link_up, pcs_ok_q, pcie_up};
  assign unused = ^{fn_status, rcb, msix_en, msix_mask, flr};

endmodule
