// SPDX-License-Identifier: BSD-2-Clause
/// weft_mac_10g. Clocks: 0 core, 1 transmit, 2 receive. Ports: 0 frames of the core, 1 frames to the core.
/// The PHY is C: a word of XGMII each way a cycle.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function void tb_phy_from_mac(input longint unsigned d, input int c);
  import "DPI-C" function void tb_phy_to_mac(output longint unsigned d, output int c);
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
  logic [63:0] txd, rxd;
  logic [7:0] txc, rxc;
  weft_mac_10g #(.DATA_W(DATA_W)) u_dut (.clk_i(cc), .rst_ni(cr), .eth_tx_valid_i(sv), .eth_tx_ready_o(sr),
    .eth_tx_data_i(sd), .eth_tx_cnt_i(sc), .eth_tx_last_i(sl), .eth_rx_valid_o(qv), .eth_rx_ready_i(qr), .eth_rx_data_o(qd),
    .eth_rx_cnt_o(qc), .eth_rx_last_o(ql), .eth_rx_err_o(qe), .pause_req_i(pause), .link_up_o(link),
    .cfg_req_valid_i(cfg_v), .cfg_req_ready_o(cfg_r), .cfg_req_i(req), .cfg_rsp_valid_o(rsp_v), .cfg_rsp_o(rsp),
    .stat_o(stat), .idle_o(idle), .tx_clk_i(tc), .tx_rst_ni(tr), .xgmii_txd_o(txd), .xgmii_txc_o(txc), .rx_clk_i(rc),
    .rx_rst_ni(rr), .xgmii_rxd_i(rxd), .xgmii_rxc_i(rxc), .pcs_up_i(1'b1));
  longint unsigned d;
  int c;
  always @(posedge tc) if (tr) tb_phy_from_mac(txd, int'(txc));
  always @(posedge rc or negedge rr)
    if (!rr) begin
      rxd <= 64'h0707_0707_0707_0707;
      rxc <= 8'hff;
    end else begin
      tb_phy_to_mac(d, c);
      rxd <= d;
      rxc <= 8'(c);
    end
  always @(posedge cc) begin
    if (cr && stat != '0) tb_stat(64'(stat));
    pause <= cr && tb_pause_req() != 0;
  end
  tb_snk_pulse #(.ID(3), .W(2)) u_l (.clk_i(cc), .rst_ni(cr), .valid_i(1'b1), .data_i({idle, link}));
  logic unused;
  assign unused = ^{se, ss, rst_ni};
endmodule
