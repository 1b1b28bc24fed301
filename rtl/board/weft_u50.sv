// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Alveo U50 (xcu50-fsvh2104-2-e): PCIe x16 Gen3 at 512 bits and 250 MHz, 100 Gb/s Ethernet by the CMAC and the QSFP28 cage.
/// Clocks: `core_clk`, the PCIe block's user clock, for everything up to the MAC glue; `sys_clk`, the board's 100 MHz, for resets and the
/// transceivers' set-up; `mac_clk`, 322.27 MHz of the CMAC's transmit side, for both of its directions. Resets: weft_board_rst.
/// docs/boards.md.
// lint: board
module weft_u50 (
  input  logic        sysclk_p,     ///< 100 MHz
  input  logic        sysclk_n,

  input  logic        pcie_perst_n,
  input  logic        pcie_clk_p,   ///< 100 MHz
  input  logic        pcie_clk_n,
  input  logic [15:0] pcie_rx_p,
  input  logic [15:0] pcie_rx_n,
  output logic [15:0] pcie_tx_p,
  output logic [15:0] pcie_tx_n,

  input  logic        qsfp_clk_p,   ///< 161.1328125 MHz
  input  logic        qsfp_clk_n,
  input  logic [3:0]  qsfp_rx_p,
  input  logic [3:0]  qsfp_rx_n,
  output logic [3:0]  qsfp_tx_p,
  output logic [3:0]  qsfp_tx_n,

  output logic        led_act,      ///< toggles with frames that are received
  output logic        led_green,    ///< link
  output logic        led_yellow,   ///< PCIe link
  output logic        hbm_cattrip   ///< to the board's controller: low, the HBM is not used
);

  // ---------------------------------------------------------------- clocks and resets
  logic sysclk_pin, sys_clk, core_clk, user_reset, core_ok_q, pcie_up, mac_clk;
  logic gt_reset_tx, gt_reset_rx, gt_ok_q, gt_ok, gt_ok_s_q;
  logic perst_n, sys_rst_n, core_rst_n, tx_rst_n, rx_rst_n;
  IBUF u_perst (.I(pcie_perst_n), .O(perst_n));
  IBUFDS u_sysclk (.I(sysclk_p), .IB(sysclk_n), .O(sysclk_pin));
  BUFG u_sys_clk (.I(sysclk_pin), .O(sys_clk));
  always_ff @(posedge core_clk or posedge user_reset) begin
    if (user_reset) core_ok_q <= 1'b0;
    else core_ok_q <= pcie_up;
  end
  // The transceivers' resets have gone.
  always_ff @(posedge mac_clk) gt_ok_q <= !gt_reset_tx && !gt_reset_rx;
  weft_sync u_gt_ok (.clk_i(sys_clk), .rst_ni(sys_rst_n), .d_i(gt_ok_q), .q_o(gt_ok));
  always_ff @(posedge sys_clk or negedge sys_rst_n) begin
    if (!sys_rst_n) gt_ok_s_q <= 1'b0;
    else gt_ok_s_q <= gt_ok;
  end
  // The board's clock needs no manager: PERST# is the system's reset.
  weft_board_rst u_rst (
    .sys_clk_i(sys_clk), .sys_ok_i(perst_n), .core_clk_i(core_clk), .core_ok_i(core_ok_q), .phy_ok_i(gt_ok_s_q),
    .tx_clk_i(mac_clk), .rx_clk_i(mac_clk), .sys_rst_no(sys_rst_n), .core_rst_no(core_rst_n), .tx_rst_no(tx_rst_n),
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
  logic         pcie_sys_clk, pcie_gt_clk;
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
  // Vivado's block as constraints/u50.tcl configures it.
  weft_ip_pcie4c_x16 u_pcie (
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
  weft_board_host_us #(.PERIOD_NS(4), .PORT(1'b0)) u_host (
    .clk_i(core_clk), .rst_ni(core_rst_n), .mac_addr_i(addr), .s_axis_rq_tvalid_o(rq_v), .s_axis_rq_tready_i(rq_r),
    .s_axis_rq_tdata_o(rq_d), .s_axis_rq_tkeep_o(rq_k), .s_axis_rq_tlast_o(rq_l), .s_axis_rq_tuser_o(rq_u),
    .m_axis_rc_tvalid_i(rc_v), .m_axis_rc_tready_o(rc_r), .m_axis_rc_tdata_i(rc_d), .m_axis_rc_tuser_i(rc_u),
    .m_axis_cq_tvalid_i(cq_v), .m_axis_cq_tready_o(cq_r), .m_axis_cq_tdata_i(cq_d), .m_axis_cq_tuser_i(cq_u),
    .s_axis_cc_tvalid_o(cc_v), .s_axis_cc_tready_i(cc_r), .s_axis_cc_tdata_o(cc_d), .s_axis_cc_tkeep_o(cc_k),
    .s_axis_cc_tlast_o(cc_l), .s_axis_cc_tuser_o(cc_u), .pcie_cq_np_req_o(np_req), .pcie_tfc_nph_av_i(nph_av),
    .pcie_rq_seq_num_vld0_i(sv0), .pcie_rq_seq_num0_i(sn0), .pcie_rq_seq_num_vld1_i(sv1), .pcie_rq_seq_num1_i(sn1),
    .cfg_bus_number_i(bus), .cfg_function_status_i(fn_status[3:0]), .cfg_max_payload_i(mps), .cfg_max_read_req_i(mrrs),
    .cfg_rcb_status_i(rcb[0]), .cfg_interrupt_msix_enable_i(msix_en[0]), .cfg_interrupt_msix_mask_i(msix_mask[0]),
    .cfg_flr_in_process_i(flr[0]), .cfg_flr_done_o(flr_done), .port_req_valid_o(), .port_req_ready_i(1'b0), .port_req_o(),
    .port_rsp_valid_i(1'b0), .port_rsp_i('0), .link_up_i(link_up), .eth_rx_valid_i(rx_v),
    .eth_rx_ready_o(rx_r), .eth_rx_data_i(rx_d), .eth_rx_cnt_i(rx_c), .eth_rx_last_i(rx_l), .eth_rx_err_i(rx_e),
    .eth_rx_pause_o(rx_pause), .eth_tx_valid_o(tx_v), .eth_tx_ready_i(tx_r), .eth_tx_data_o(tx_d), .eth_tx_cnt_o(tx_c),
    .eth_tx_last_o(tx_l)
  );

  // ---------------------------------------------------------------- network side
  logic         ax_v, ax_r, ax_l, ax_u, ar_v, ar_l, ar_u, tx_en, rfi, rx_en, aligned, remote, fault;
  logic [511:0] ax_d, ar_d;
  logic [63:0]  ax_k, ar_k;
  logic [8:0]   pause_req, pause_ack, pause_asked;
  weft_mac_cmac u_mac (
    .clk_i(core_clk), .rst_ni(core_rst_n), .eth_tx_valid_i(tx_v), .eth_tx_ready_o(tx_r), .eth_tx_data_i(tx_d),
    .eth_tx_cnt_i(tx_c), .eth_tx_last_i(tx_l), .eth_rx_valid_o(rx_v), .eth_rx_ready_i(rx_r), .eth_rx_data_o(rx_d),
    .eth_rx_cnt_o(rx_c), .eth_rx_last_o(rx_l), .eth_rx_err_o(rx_e), .pause_req_i(rx_pause), .link_up_o(link_up),
    .stat_tx_lost_o(), .stat_rx_lost_o(), .stat_tx_reset_o(), .stat_rx_reset_o(), .tx_clk_i(mac_clk), .tx_rst_ni(tx_rst_n),
    .tx_axis_tvalid_o(ax_v), .tx_axis_tready_i(ax_r), .tx_axis_tdata_o(ax_d), .tx_axis_tkeep_o(ax_k), .tx_axis_tlast_o(ax_l),
    .tx_axis_tuser_o(ax_u), .ctl_tx_enable_o(tx_en), .ctl_tx_send_rfi_o(rfi), .ctl_tx_pause_req_o(pause_req),
    .rx_clk_i(mac_clk), .rx_rst_ni(rx_rst_n), .rx_axis_tvalid_i(ar_v), .rx_axis_tdata_i(ar_d), .rx_axis_tkeep_i(ar_k),
    .rx_axis_tlast_i(ar_l), .rx_axis_tuser_i(ar_u), .ctl_rx_enable_o(rx_en), .ctl_rx_pause_ack_o(pause_ack),
    .stat_rx_aligned_i(aligned), .stat_rx_remote_fault_i(remote), .stat_rx_local_fault_i(fault),
    .stat_rx_pause_req_i(pause_asked)
  );
  // Vivado's cmac_usplus as constraints/u50.tcl configures it: transceivers inside, RS-FEC (clause 91) on.
  weft_ip_cmac u_cmac (
    .gt_rxp_in(qsfp_rx_p), .gt_rxn_in(qsfp_rx_n), .gt_txp_out(qsfp_tx_p), .gt_txn_out(qsfp_tx_n), .gt_txusrclk2(mac_clk),
    .gt_rxusrclk2(), .gt_powergoodout(), .gt_loopback_in(12'h0), .gt_ref_clk_p(qsfp_clk_p), .gt_ref_clk_n(qsfp_clk_n),
    .init_clk(sys_clk), .sys_reset(!sys_rst_n), .gtwiz_reset_tx_datapath(1'b0), .gtwiz_reset_rx_datapath(1'b0),
    .usr_tx_reset(gt_reset_tx), .usr_rx_reset(gt_reset_rx), .core_tx_reset(1'b0), .core_rx_reset(1'b0),
    .core_drp_reset(1'b0), .rx_clk(mac_clk), .drp_clk(sys_clk), .drp_addr(10'd0), .drp_di(16'd0), .drp_en(1'b0),
    .drp_we(1'b0), .drp_do(), .drp_rdy(), .rx_axis_tvalid(ar_v), .rx_axis_tdata(ar_d), .rx_axis_tlast(ar_l),
    .rx_axis_tkeep(ar_k), .rx_axis_tuser(ar_u), .tx_axis_tready(ax_r), .tx_axis_tvalid(ax_v), .tx_axis_tdata(ax_d),
    .tx_axis_tlast(ax_l), .tx_axis_tkeep(ax_k), .tx_axis_tuser(ax_u), .tx_preamblein(56'd0), .tx_ovfout(), .tx_unfout(),
    .ctl_tx_enable(tx_en), .ctl_tx_test_pattern(1'b0), .ctl_tx_rsfec_enable(1'b1), .ctl_tx_send_idle(1'b0),
    .ctl_tx_send_rfi(rfi), .ctl_tx_send_lfi(1'b0), .ctl_tx_pause_enable(9'h100), .ctl_tx_pause_req(pause_req),
    .ctl_tx_resend_pause(1'b0),
    .ctl_tx_pause_quanta0(16'h0000), .ctl_tx_pause_refresh_timer0(16'h0000),
    .ctl_tx_pause_quanta1(16'h0000), .ctl_tx_pause_refresh_timer1(16'h0000),
    .ctl_tx_pause_quanta2(16'h0000), .ctl_tx_pause_refresh_timer2(16'h0000),
    .ctl_tx_pause_quanta3(16'h0000), .ctl_tx_pause_refresh_timer3(16'h0000),
    .ctl_tx_pause_quanta4(16'h0000), .ctl_tx_pause_refresh_timer4(16'h0000),
    .ctl_tx_pause_quanta5(16'h0000), .ctl_tx_pause_refresh_timer5(16'h0000),
    .ctl_tx_pause_quanta6(16'h0000), .ctl_tx_pause_refresh_timer6(16'h0000),
    .ctl_tx_pause_quanta7(16'h0000), .ctl_tx_pause_refresh_timer7(16'h0000),
    .ctl_tx_pause_quanta8(16'hffff), .ctl_tx_pause_refresh_timer8(16'h7fff),
    .ctl_rx_enable(rx_en), .ctl_rx_force_resync(1'b0), .ctl_rx_test_pattern(1'b0),
    .ctl_rsfec_ieee_error_indication_mode(1'b0), .ctl_rx_rsfec_enable(1'b1), .ctl_rx_rsfec_enable_correction(1'b1),
    .ctl_rx_rsfec_enable_indication(1'b1), .ctl_rx_enable_gcp(1'b1), .ctl_rx_enable_gpp(1'b1), .ctl_rx_enable_pcp(1'b0),
    .ctl_rx_enable_ppp(1'b0), .ctl_rx_pause_ack(pause_ack), .ctl_rx_pause_enable(9'h100),
    .ctl_rx_check_etype_gcp(1'b1), .ctl_rx_check_etype_gpp(1'b1), .ctl_rx_check_etype_pcp(1'b0), .ctl_rx_check_etype_ppp(1'b0),
    .ctl_rx_check_mcast_gcp(1'b1), .ctl_rx_check_mcast_gpp(1'b1), .ctl_rx_check_mcast_pcp(1'b0), .ctl_rx_check_mcast_ppp(1'b0),
    .ctl_rx_check_opcode_gcp(1'b1), .ctl_rx_check_opcode_gpp(1'b1), .ctl_rx_check_opcode_pcp(1'b0),
    .ctl_rx_check_opcode_ppp(1'b0),
    .ctl_rx_check_sa_gcp(1'b0), .ctl_rx_check_sa_gpp(1'b0), .ctl_rx_check_sa_pcp(1'b0), .ctl_rx_check_sa_ppp(1'b0),
    .ctl_rx_check_ucast_gcp(1'b0), .ctl_rx_check_ucast_gpp(1'b0), .ctl_rx_check_ucast_pcp(1'b0), .ctl_rx_check_ucast_ppp(1'b0),
    .stat_rx_aligned(aligned), .stat_rx_remote_fault(remote), .stat_rx_local_fault(fault), .stat_rx_pause_req(pause_asked)
  );

  // ---------------------------------------------------------------- LEDs
  logic seen_q, unused;
  always_ff @(posedge core_clk or negedge core_rst_n) begin
    if (!core_rst_n) seen_q <= 1'b0;
    else if (rx_v && rx_r && rx_l) seen_q <= !seen_q;
  end
  assign led_act     = seen_q;
  assign led_green   = link_up;
  assign led_yellow  = pcie_up;
  assign hbm_cattrip = 1'b0;
  assign unused      = ^{fn_status, rcb, msix_en, msix_mask, flr};

endmodule
