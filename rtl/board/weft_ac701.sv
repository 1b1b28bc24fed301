// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// AC701 (xc7a200tfbg676-2): PCIe x4 Gen2 at 128 bits and 125 MHz, 1 Gb/s Ethernet by RGMII to the board's 88E1116R.
/// Clocks: `core_clk`, the PCIe block's user clock, for everything up to the MAC; `sys_clk`, 125 MHz made of the board's 200 MHz,
/// for the PHY's set-up and the MAC's transmit side; `rx_clk`, the PHY's. Resets: weft_board_rst. docs/boards.md.
// lint: board
module weft_ac701 (
  input  logic       sysclk_p,    ///< 200 MHz
  input  logic       sysclk_n,
  input  logic       cpu_reset,   ///< button, high when pressed

  input  logic       pcie_perst_n,
  input  logic       pcie_clk_p,  ///< 100 MHz
  input  logic       pcie_clk_n,
  input  logic [3:0] pcie_rx_p,
  input  logic [3:0] pcie_rx_n,
  output logic [3:0] pcie_tx_p,
  output logic [3:0] pcie_tx_n,

  output logic       phy_rst_n,
  output logic       phy_mdc,
  inout  wire        phy_mdio,
  output logic       rgmii_txc,
  output logic       rgmii_tx_ctl,
  output logic [3:0] rgmii_td,
  input  logic       rgmii_rxc,
  input  logic       rgmii_rx_ctl,
  input  logic [3:0] rgmii_rd,

  output logic [3:0] led          ///< 0 PCIe link, 1 PHY set up, 2 Ethernet link, 3 frames received
);

  localparam int unsigned DataW = 128;
  localparam int unsigned CntW = $clog2(DataW / 8) + 1;

  // ---------------------------------------------------------------- clocks and resets
  logic sysclk_200, clk_fb, clk_125, sys_clk, sys_ok_q, locked, reset_pin, rx_pin, rx_io_clk, rx_clk;
  logic core_clk, user_reset, core_ok_q, pcie_up, sys_rst_n, core_rst_n, tx_rst_n, rx_rst_n, phy_ok;
  IBUFDS u_sysclk (.I(sysclk_p), .IB(sysclk_n), .O(sysclk_200));
  IBUF u_reset (.I(cpu_reset), .O(reset_pin));
  // 200 MHz times 5, by 8.
  MMCME2_BASE #(.CLKIN1_PERIOD(5.0), .CLKFBOUT_MULT_F(5.0), .CLKOUT0_DIVIDE_F(8.0)) u_mmcm (
    .CLKIN1(sysclk_200), .CLKFBIN(clk_fb), .CLKFBOUT(clk_fb), .CLKFBOUTB(), .CLKOUT0(clk_125), .CLKOUT0B(), .CLKOUT1(),
    .CLKOUT1B(), .CLKOUT2(), .CLKOUT2B(), .CLKOUT3(), .CLKOUT3B(), .CLKOUT4(), .CLKOUT5(), .CLKOUT6(), .LOCKED(locked),
    .PWRDWN(1'b0), .RST(reset_pin)
  );
  BUFG u_sys_clk (.I(clk_125), .O(sys_clk));
  IBUF u_rxc (.I(rgmii_rxc), .O(rx_pin));
  BUFIO u_rx_io_clk (.I(rx_pin), .O(rx_io_clk));
  BUFR #(.BUFR_DIVIDE("BYPASS")) u_rx_clk (.I(rx_pin), .O(rx_clk), .CE(1'b1), .CLR(1'b0));

  // Flip-flops in front of the bridges: no glitch of the lock or of an inverter reaches a reset.
  always_ff @(posedge sys_clk or negedge locked) begin
    if (!locked) sys_ok_q <= 1'b0;
    else sys_ok_q <= 1'b1;
  end
  always_ff @(posedge core_clk or posedge user_reset) begin
    if (user_reset) core_ok_q <= 1'b0;
    else core_ok_q <= pcie_up;
  end
  weft_board_rst u_rst (
    .sys_clk_i(sys_clk), .sys_ok_i(sys_ok_q), .core_clk_i(core_clk), .core_ok_i(core_ok_q), .phy_ok_i(phy_ok),
    .tx_clk_i(sys_clk), .rx_clk_i(rx_clk), .sys_rst_no(sys_rst_n), .core_rst_no(core_rst_n), .tx_rst_no(tx_rst_n),
    .rx_rst_no(rx_rst_n)
  );

  // ---------------------------------------------------------------- station address
  logic        dna_clk, dna_read, dna_shift, dna_out, addr_valid;
  logic [47:0] addr_sys, addr;
  DNA_PORT u_dna (.CLK(dna_clk), .READ(dna_read), .SHIFT(dna_shift), .DIN(1'b0), .DOUT(dna_out));
  weft_board_addr #(.BITS(57)) u_addr (
    .clk_i(sys_clk), .rst_ni(sys_rst_n), .dna_clk_o(dna_clk), .dna_read_o(dna_read), .dna_shift_o(dna_shift),
    .dna_i(dna_out), .valid_o(addr_valid), .addr_o(addr_sys)
  );
  weft_sync_cfg #(.W(48)) u_addr_sync (
    .src_clk_i(sys_clk), .src_rst_ni(sys_rst_n), .src_i(addr_valid ? addr_sys : 48'h0), .dst_clk_i(core_clk),
    .dst_rst_ni(core_rst_n), .dst_o(addr)
  );

  // ---------------------------------------------------------------- PHY
  logic phy_link, mdio_out, mdio_oe, mdio_in;
  weft_board_phy_marvell u_phy (
    .clk_i(sys_clk), .rst_ni(sys_rst_n), .phy_rst_no(phy_rst_n), .ok_o(phy_ok), .link_o(phy_link), .mdc_o(phy_mdc),
    .mdio_o(mdio_out), .mdio_oe_o(mdio_oe), .mdio_i(mdio_in)
  );
  IOBUF u_mdio (.I(mdio_out), .O(mdio_in), .T(!mdio_oe), .IO(phy_mdio));

  // ---------------------------------------------------------------- host side
  logic             ptx_v, ptx_r, ptx_l, prx_v, prx_r, prx_l, np_ok, msix_en, msix_fm;
  logic [DataW-1:0] ptx_d, prx_d;
  logic [15:0]      ptx_k, prx_k, command, dcommand, lcommand;
  logic [3:0]       ptx_u;
  logic [21:0]      prx_u;
  logic [7:0]       fc_nph, bus;
  logic [4:0]       dev;
  logic [2:0]       fn;
  logic             pcie_clk, perst_n;
  logic             rx_v, rx_r, rx_l, rx_e, tx_v, tx_r, tx_l, rx_pause, link_up;
  logic [DataW-1:0] rx_d, tx_d;
  logic [CntW-1:0]  rx_c, tx_c;

  IBUFDS_GTE2 u_pcie_clk (.I(pcie_clk_p), .IB(pcie_clk_n), .CEB(1'b0), .O(pcie_clk), .ODIV2());
  IBUF u_perst (.I(pcie_perst_n), .O(perst_n));
  // Vivado's pcie_7x as constraints/ac701.tcl configures it.
  weft_ip_pcie_7x u_pcie (
    .pci_exp_txp(pcie_tx_p), .pci_exp_txn(pcie_tx_n), .pci_exp_rxp(pcie_rx_p), .pci_exp_rxn(pcie_rx_n),
    .sys_clk(pcie_clk), .sys_rst_n(perst_n), .user_clk_out(core_clk), .user_reset_out(user_reset), .user_lnk_up(pcie_up),
    .user_app_rdy(), .int_pclk_sel_slave(4'h0),
    .tx_buf_av(), .tx_cfg_req(), .tx_err_drop(), .tx_cfg_gnt(1'b1), .s_axis_tx_tready(ptx_r), .s_axis_tx_tdata(ptx_d),
    .s_axis_tx_tkeep(ptx_k), .s_axis_tx_tlast(ptx_l), .s_axis_tx_tvalid(ptx_v), .s_axis_tx_tuser(ptx_u),
    .m_axis_rx_tdata(prx_d), .m_axis_rx_tkeep(prx_k), .m_axis_rx_tlast(prx_l), .m_axis_rx_tvalid(prx_v),
    .m_axis_rx_tready(prx_r), .m_axis_rx_tuser(prx_u), .rx_np_ok(np_ok), .rx_np_req(1'b1),
    .fc_cpld(), .fc_cplh(), .fc_npd(), .fc_nph(fc_nph), .fc_pd(), .fc_ph(), .fc_sel(3'b100),
    .cfg_status(), .cfg_command(command), .cfg_dstatus(), .cfg_dcommand(dcommand), .cfg_lstatus(), .cfg_lcommand(lcommand),
    .cfg_dcommand2(), .cfg_pcie_link_state(), .cfg_bus_number(bus), .cfg_device_number(dev), .cfg_function_number(fn),
    .cfg_trn_pending(1'b0), .cfg_pm_halt_aspm_l0s(1'b0), .cfg_pm_halt_aspm_l1(1'b0), .cfg_pm_force_state_en(1'b0),
    .cfg_pm_force_state(2'd0), .cfg_dsn({16'h0, addr}), .cfg_turnoff_ok(1'b1), .cfg_to_turnoff(), .cfg_pm_wake(1'b0),
    .cfg_pm_send_pme_to(1'b0), .cfg_ds_bus_number(8'd0), .cfg_ds_device_number(5'd0), .cfg_ds_function_number(3'd0),
    .cfg_interrupt(1'b0), .cfg_interrupt_rdy(), .cfg_interrupt_assert(1'b0), .cfg_interrupt_di(8'd0), .cfg_interrupt_do(),
    .cfg_interrupt_mmenable(), .cfg_interrupt_msienable(), .cfg_interrupt_msixenable(msix_en),
    .cfg_interrupt_msixfm(msix_fm), .cfg_interrupt_stat(1'b0), .cfg_pciecap_interrupt_msgnum(5'd0)
  );
  logic               port_v, port_r, port_rsp_v;  // the MAC's registers, for the core
  weft_pkg::cfg_req_t port_req;
  weft_pkg::cfg_rsp_t port_rsp;
  weft_board_host_s7 #(.DATA_W(DataW), .PERIOD_NS(8)) u_host (
    .clk_i(core_clk), .rst_ni(core_rst_n), .mac_addr_i(addr),
    .s_axis_tx_tvalid_o(ptx_v), .s_axis_tx_tready_i(ptx_r), .s_axis_tx_tdata_o(ptx_d), .s_axis_tx_tkeep_o(ptx_k),
    .s_axis_tx_tlast_o(ptx_l), .s_axis_tx_tuser_o(ptx_u), .m_axis_rx_tvalid_i(prx_v), .m_axis_rx_tready_o(prx_r),
    .m_axis_rx_tdata_i(prx_d), .m_axis_rx_tkeep_i(prx_k), .m_axis_rx_tlast_i(prx_l), .m_axis_rx_tuser_i(prx_u),
    .rx_np_ok_o(np_ok), .fc_nph_i(fc_nph), .cfg_bus_number_i(bus), .cfg_device_number_i(dev), .cfg_function_number_i(fn),
    .cfg_command_i(command), .cfg_dcommand_i(dcommand), .cfg_lcommand_i(lcommand), .cfg_interrupt_msixenable_i(msix_en),
    .cfg_interrupt_msixfm_i(msix_fm), .port_req_valid_o(port_v), .port_req_ready_i(port_r),
    .port_req_o(port_req), .port_rsp_valid_i(port_rsp_v), .port_rsp_i(port_rsp), .link_up_i(link_up), .eth_rx_valid_i(rx_v), .eth_rx_ready_o(rx_r),
    .eth_rx_data_i(rx_d), .eth_rx_cnt_i(rx_c), .eth_rx_last_i(rx_l), .eth_rx_err_i(rx_e), .eth_rx_pause_o(rx_pause),
    .eth_tx_valid_o(tx_v), .eth_tx_ready_i(tx_r), .eth_tx_data_o(tx_d), .eth_tx_cnt_o(tx_c), .eth_tx_last_o(tx_l)
  );

  // ---------------------------------------------------------------- network side
  logic               set_v, set_r, set_rsp_v, tx_en, tx_er, dv, er, tx_ctl_r, tx_ctl_f, rx_ctl_r, rx_ctl_f, link_rx;
  weft_pkg::cfg_req_t set_req;
  weft_pkg::cfg_rsp_t set_rsp;
  logic [7:0]         txd, rxd;
  logic [3:0]         td_r, td_f, rd_r, rd_f, rd_pin;
  logic               rx_ctl_pin;

  weft_mac_set u_set (
    .clk_i(core_clk), .rst_ni(core_rst_n), .addr_i(addr), .port_req_valid_i(port_v), .port_req_ready_o(port_r),
    .port_req_i(port_req), .port_rsp_valid_o(port_rsp_v), .port_rsp_o(port_rsp), .cfg_req_valid_o(set_v), .cfg_req_ready_i(set_r),
    .cfg_req_o(set_req), .cfg_rsp_valid_i(set_rsp_v), .cfg_rsp_i(set_rsp), .idle_o()
  );
  weft_sync u_link (.clk_i(rx_clk), .rst_ni(rx_rst_n), .d_i(phy_link), .q_o(link_rx));
  weft_mac_1g #(.DATA_W(DataW)) u_mac (
    .clk_i(core_clk), .rst_ni(core_rst_n), .eth_tx_valid_i(tx_v), .eth_tx_ready_o(tx_r), .eth_tx_data_i(tx_d),
    .eth_tx_cnt_i(tx_c), .eth_tx_last_i(tx_l), .eth_rx_valid_o(rx_v), .eth_rx_ready_i(rx_r), .eth_rx_data_o(rx_d),
    .eth_rx_cnt_o(rx_c), .eth_rx_last_o(rx_l), .eth_rx_err_o(rx_e), .pause_req_i(rx_pause), .link_up_o(link_up),
    .cfg_req_valid_i(set_v), .cfg_req_ready_o(set_r), .cfg_req_i(set_req), .cfg_rsp_valid_o(set_rsp_v), .cfg_rsp_o(set_rsp),
    .stat_o(), .idle_o(), .tx_clk_i(sys_clk), .tx_rst_ni(tx_rst_n), .gmii_txd_o(txd), .gmii_tx_en_o(tx_en),
    .gmii_tx_er_o(tx_er), .rx_clk_i(rx_clk), .rx_rst_ni(rx_rst_n), .gmii_rxd_i(rxd), .gmii_rx_dv_i(dv), .gmii_rx_er_i(er),
    .phy_up_i(link_rx)
  );
  // Link and speed come by MDIO: whether this PHY sends in-band status is not documented where this was written.
  weft_rgmii u_rgmii (
    .tx_clk_i(sys_clk), .tx_rst_ni(tx_rst_n), .gmii_txd_i(txd), .gmii_tx_en_i(tx_en), .gmii_tx_er_i(tx_er),
    .rgmii_td_r_o(td_r), .rgmii_td_f_o(td_f), .rgmii_tx_ctl_r_o(tx_ctl_r), .rgmii_tx_ctl_f_o(tx_ctl_f), .rx_clk_i(rx_clk),
    .rx_rst_ni(rx_rst_n), .rgmii_rd_r_i(rd_r), .rgmii_rd_f_i(rd_f), .rgmii_rx_ctl_r_i(rx_ctl_r),
    .rgmii_rx_ctl_f_i(rx_ctl_f), .gmii_rxd_o(rxd), .gmii_rx_dv_o(dv), .gmii_rx_er_o(er), .status_link_o(),
    .status_speed_o(), .status_full_o(), .link_o()
  );
  // The clock goes out with its data: the PHY delays it, both ways.
  ODDR #(.DDR_CLK_EDGE("SAME_EDGE")) u_txc (
    .C(sys_clk), .CE(1'b1), .D1(1'b1), .D2(1'b0), .R(1'b0), .S(1'b0), .Q(rgmii_txc));
  ODDR #(.DDR_CLK_EDGE("SAME_EDGE")) u_tx_ctl (
    .C(sys_clk), .CE(1'b1), .D1(tx_ctl_r), .D2(tx_ctl_f), .R(1'b0), .S(1'b0), .Q(rgmii_tx_ctl));
  IBUF u_rx_ctl_pin (.I(rgmii_rx_ctl), .O(rx_ctl_pin));
  IDDR #(.DDR_CLK_EDGE("SAME_EDGE_PIPELINED")) u_rx_ctl (
    .C(rx_io_clk), .CE(1'b1), .D(rx_ctl_pin), .R(1'b0), .S(1'b0), .Q1(rx_ctl_r), .Q2(rx_ctl_f));
  for (genvar i = 0; i < 4; i++) begin : gen_bit
    ODDR #(.DDR_CLK_EDGE("SAME_EDGE")) u_td (
      .C(sys_clk), .CE(1'b1), .D1(td_r[i]), .D2(td_f[i]), .R(1'b0), .S(1'b0), .Q(rgmii_td[i]));
    IBUF u_rd_pin (.I(rgmii_rd[i]), .O(rd_pin[i]));
    IDDR #(.DDR_CLK_EDGE("SAME_EDGE_PIPELINED")) u_rd (
      .C(rx_io_clk), .CE(1'b1), .D(rd_pin[i]), .R(1'b0), .S(1'b0), .Q1(rd_r[i]), .Q2(rd_f[i]));
  end

  // ---------------------------------------------------------------- LEDs
  logic seen_q;
  always_ff @(posedge core_clk or negedge core_rst_n) begin
    if (!core_rst_n) seen_q <= 1'b0;
    else if (rx_v && rx_r && rx_l) seen_q <= !seen_q;
  end
  assign led = {seen_q, link_up, phy_ok, pcie_up};

endmodule
