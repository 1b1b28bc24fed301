// SPDX-License-Identifier: BSD-2-Clause
/// weft_mac_1g, behind weft_rgmii if RGMII. Clocks: 0 core, 1 transmit, 2 receive. Ports as in tb_10g.sv.
/// The PHY is C: a byte with its controls each way a cycle.
module tb #(
  parameter int DATA_W = 64,
  parameter bit RGMII = 0
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function void tb_phy_from_mac(input int d, input int en, input int er);
  import "DPI-C" function void tb_phy_to_mac(output int d, output int dv, output int er);
  import "DPI-C" function void tb_stat(input longint unsigned pulses);
  import "DPI-C" function int tb_pause_req();
  localparam int CntW = $clog2(DATA_W / 8) + 1;
  logic cc, cr, tc, tr, rc, rr;
  tb_clock #(.ID(0)) u_cc (.clk_i, .clk_o(cc), .rst_no(cr));
  tb_clock #(.ID(1)) u_tc (.clk_i, .clk_o(tc), .rst_no(tr));
  tb_clock #(.ID(2)) u_rc (.clk_i, .clk_o(rc), .rst_no(rr));

  logic sv, sr, sl, se, ss, qv, qr, ql, qe, pause;
  logic [DATA_W-1:0] sd, qd;
  logic [CntW-1:0] sc, qc;
  tb_src_stream #(.ID(0), .DATA_W(DATA_W)) u_s (.clk_i(cc), .rst_ni(cr), .valid_o(sv), .ready_i(sr), .data_o(sd),
    .cnt_o(sc), .last_o(sl), .err_o(se), .side_o(ss));
  tb_snk_stream #(.ID(1), .DATA_W(DATA_W)) u_q (.clk_i(cc), .rst_ni(cr), .valid_i(qv), .ready_o(qr), .data_i(qd),
    .cnt_i(qc), .last_i(ql), .err_i(qe), .side_i(1'b0));
  logic cfg_v, cfg_r, rsp_v, link, idle;
  weft_pkg::cfg_req_t req;
  weft_pkg::cfg_rsp_t rsp;
  tb_cfg u_cfg (.clk_i(cc), .rst_ni(cr), .cfg_req_valid_o(cfg_v), .cfg_req_ready_i(cfg_r), .cfg_req_o(req),
    .cfg_rsp_valid_i(rsp_v), .cfg_rsp_i(rsp));
  logic [weft_abi_pkg::MAC_STAT_COUNT-1:0] stat;
  logic [7:0] txd, rxd;
  logic en, er, dv, rer, up;
  weft_mac_1g #(.DATA_W(DATA_W)) u_dut (.clk_i(cc), .rst_ni(cr), .eth_tx_valid_i(sv), .eth_tx_ready_o(sr),
    .eth_tx_data_i(sd), .eth_tx_cnt_i(sc), .eth_tx_last_i(sl), .eth_rx_valid_o(qv), .eth_rx_ready_i(qr), .eth_rx_data_o(qd),
    .eth_rx_cnt_o(qc), .eth_rx_last_o(ql), .eth_rx_err_o(qe), .pause_req_i(pause), .link_up_o(link),
    .cfg_req_valid_i(cfg_v), .cfg_req_ready_o(cfg_r), .cfg_req_i(req), .cfg_rsp_valid_o(rsp_v), .cfg_rsp_o(rsp),
    .stat_o(stat), .idle_o(idle), .tx_clk_i(tc), .tx_rst_ni(tr), .gmii_txd_o(txd), .gmii_tx_en_o(en), .gmii_tx_er_o(er),
    .rx_clk_i(rc), .rx_rst_ni(rr), .gmii_rxd_i(rxd), .gmii_rx_dv_i(dv), .gmii_rx_er_i(rer), .phy_up_i(up));
  // what the PHY gives and gets, a byte a cycle
  logic [7:0] pd;
  logic pdv, per;
  int d, v, e;
  always @(posedge rc or negedge rr)
    if (!rr) begin
      pd  <= 8'h00;
      pdv <= 1'b0;
      per <= 1'b0;
    end else begin
      tb_phy_to_mac(d, v, e);
      pd  <= 8'(d);
      pdv <= v != 0;
      per <= e != 0;
    end
  if (RGMII) begin : gen_rgmii
    // The PHY's DDR cells; between frames the nibbles tell link, 1000 Mb/s, full duplex.
    logic [3:0] td_r, td_f;
    logic ctl_r, ctl_f, sl_o, sf_o;
    logic [1:0] sp_o;
    logic quiet;
    assign quiet = !pdv && !per;
    weft_rgmii u_rgmii (.tx_clk_i(tc), .tx_rst_ni(tr), .gmii_txd_i(txd), .gmii_tx_en_i(en), .gmii_tx_er_i(er),
      .rgmii_td_r_o(td_r), .rgmii_td_f_o(td_f), .rgmii_tx_ctl_r_o(ctl_r), .rgmii_tx_ctl_f_o(ctl_f), .rx_clk_i(rc),
      .rx_rst_ni(rr), .rgmii_rd_r_i(quiet ? 4'b1101 : pd[3:0]), .rgmii_rd_f_i(quiet ? 4'b1101 : pd[7:4]),
      .rgmii_rx_ctl_r_i(pdv), .rgmii_rx_ctl_f_i(pdv ^ per), .gmii_rxd_o(rxd), .gmii_rx_dv_o(dv), .gmii_rx_er_o(rer),
      .status_link_o(sl_o), .status_speed_o(sp_o), .status_full_o(sf_o), .link_o(up));
    always @(posedge tc) if (tr) tb_phy_from_mac(int'({td_f, td_r}), int'(ctl_r), int'(ctl_r ^ ctl_f));
    logic unused_s;
    assign unused_s = ^{sl_o, sp_o, sf_o};
  end else begin : gen_gmii
    assign {rxd, dv, rer} = {pd, pdv, per};
    assign up = 1'b1;
    always @(posedge tc) if (tr) tb_phy_from_mac(int'(txd), int'(en), int'(er));
  end
  always @(posedge cc) begin
    if (cr && stat != '0) tb_stat(64'(stat));
    pause <= cr && tb_pause_req() != 0;
  end
  tb_snk_pulse #(.ID(3), .W(2)) u_l (.clk_i(cc), .rst_ni(cr), .valid_i(1'b1), .data_i({idle, link}));
  logic unused;
  assign unused = ^{se, ss, rst_ni};
endmodule
