// SPDX-License-Identifier: BSD-2-Clause

/// Top of the Verilated model: the core with ports of one width for every configuration, so that
/// the C side is compiled once. Data ports are 512 bits, the low DATA_W of them are used. With WEFT_SIM_MAC
/// the 10G MAC is between the core and the wire (weft_sim_mac); with WEFT_SIM_SHIM a PCIe shim is between the core and the host
/// (weft_sim_shim), and TLPs come and go by the pins of a model of the vendor's block, blk_i and blk_o; with WEFT_SIM_BRIDGE rtl/bridge is
/// there, TLPs come and go as bytes by line_*, and the core has what a board of that kind has.
/// The core is rtl/weft_core.sv, or, with WEFT_DOUBLE, the stand-in of tb/sim for tests of the simulation.
module weft_sim_top #(
    /// Width of the data path: 64, 128, 256 or 512.
    parameter int unsigned DATA_W = 64,
    /// Sizes, as in the core.
    parameter int unsigned N_QP = 1024,
    parameter int unsigned N_CQ = 1024,
    parameter int unsigned N_STAG = 4096,
    parameter int unsigned DB_PAGES = 512,
    parameter int unsigned N_SLOT = 256,
    /// Stores answer after 1 to so many random cycles; 0: in the next one.
    parameter int unsigned TEST_LATENCY = 0,
    parameter bit TEST_CWND = 1'b0,
    /// weft_bridge, in cycles. The other end of a simulated line is as quick as the host computer.
    parameter int unsigned HEARTBEAT = 4096,
    parameter int unsigned RETRY = 20000,
    /// A simulated host may be slow: time passes between two of its cycles as fast as the host computer wills.
    parameter logic [63:0] RD_TIMEOUT_NS = 64'd10_000_000_000
) (
`ifdef WEFT_SIM_SHIM
    input  logic [1471:0] blk_i,
    output logic [1407:0] blk_o,
`endif
`ifdef WEFT_SIM_BRIDGE
    /// A byte a cycle at most, in and out.
    input  logic         line_rx_valid_i,
    input  logic [7:0]   line_rx_data_i,
    output logic         line_tx_valid_o,
    input  logic         line_tx_ready_i,
    output logic [7:0]   line_tx_data_o,
`endif
    input  logic         clk_i,
    input  logic         rst_ni,
    /// Clock of the network device's room: has the edges of clk_i in whose cycle l2_run_o is high. Without WEFT_SIM_REST nobody looks at it.
    input  logic         clk_l2_i,
    output logic         l2_run_o,
    input  logic [63:0]  now_ns_i,
    output logic         idle_o,
    output logic [63:0]  next_deadline_ns_o,
    /// Constant: bytes of a beat.
    output logic [7:0]   beat_bytes_o,

    input  logic         rx_req_valid_i,
    output logic         rx_req_ready_o,
    input  logic [127:0] rx_req_hdr_i,
    input  logic [2:0]   rx_req_bar_i,
    input  logic [511:0] rx_req_data_i,
    input  logic         rx_req_last_i,
    input  logic         rx_cpl_valid_i,
    output logic         rx_cpl_ready_o,
    input  logic [127:0] rx_cpl_hdr_i,
    input  logic [511:0] rx_cpl_data_i,
    input  logic         rx_cpl_last_i,
    output logic         tx_rd_valid_o,
    input  logic         tx_rd_ready_i,
    output logic [127:0] tx_rd_hdr_o,
    output logic         tx_wr_valid_o,
    input  logic         tx_wr_ready_i,
    output logic [127:0] tx_wr_hdr_o,
    output logic [511:0] tx_wr_data_o,
    output logic         tx_wr_last_o,
    output logic         tx_cpl_valid_o,
    input  logic         tx_cpl_ready_i,
    output logic [127:0] tx_cpl_hdr_o,
    output logic [63:0]  tx_cpl_data_o,

    input  logic [15:0]  cfg_bdf_i,
    input  logic         cfg_bme_i,
    input  logic [2:0]   cfg_mps_i,
    input  logic [2:0]   cfg_mrrs_i,
    input  logic         cfg_rcb_i,
    input  logic         cfg_ext_tag_i,
    input  logic         cfg_msix_en_i,
    input  logic         cfg_msix_mask_i,
    input  logic         flr_req_i,
    output logic         flr_done_o,

    input  logic [47:0]  mac_addr_i,
    input  logic         link_up_i,
    /// The module in the cage (weft_sim_mac): it is out, or keeps SDA, SCL low.
    input  logic         module_out_i,
    input  logic         sda_stuck_i,
    input  logic         scl_stuck_i,
    input  logic         eth_rx_valid_i,
    output logic         eth_rx_ready_o,
    input  logic [511:0] eth_rx_data_i,
    input  logic [7:0]   eth_rx_cnt_i,
    input  logic         eth_rx_last_i,
    input  logic         eth_rx_err_i,
    output logic         eth_rx_pause_o,
    output logic         eth_tx_valid_o,
    input  logic         eth_tx_ready_i,
    output logic [511:0] eth_tx_data_o,
    output logic [7:0]   eth_tx_cnt_o,
    output logic         eth_tx_last_o,

    input  logic         dbg_cfg_valid_i,
    output logic         dbg_cfg_ready_o,
    input  logic         dbg_cfg_we_i,
    input  logic [27:0]  dbg_cfg_addr_i,
    input  logic [31:0]  dbg_cfg_wdata_i,
    output logic         dbg_cfg_rvalid_o,
    output logic [31:0]  dbg_cfg_rdata_o,
    output logic         dbg_cfg_err_o
);

  localparam int unsigned CNT_W = $clog2(DATA_W / 8) + 1;

  logic [DATA_W-1:0] eth_tx_data;
  logic [CNT_W-1:0]  eth_tx_cnt;

  assign beat_bytes_o  = 8'(DATA_W / 8);
  assign eth_tx_data_o = 512'(eth_tx_data);
  assign eth_tx_cnt_o  = 8'(eth_tx_cnt);

  // ---------------------------------------------------------------- the core's TLPs: the harness's, or a shim's
  logic              rx_req_valid, rx_req_ready, rx_req_last, rx_cpl_valid, rx_cpl_ready, rx_cpl_last, tx_rd_valid, tx_rd_ready,
                     tx_wr_valid, tx_wr_ready, tx_wr_last, tx_cpl_valid, tx_cpl_ready, cfg_bme, cfg_rcb, cfg_ext_tag, cfg_msix_en,
                     cfg_msix_mask, flr_req, flr_done, shim_idle;
  logic [127:0]      rx_req_hdr, rx_cpl_hdr, tx_rd_hdr, tx_wr_hdr, tx_cpl_hdr;
  logic [DATA_W-1:0] rx_req_data, rx_cpl_data, tx_wr_data;
  logic [63:0]       tx_cpl_data;
  logic [15:0]       cfg_bdf;
  logic [2:0]        rx_req_bar, cfg_mps, cfg_mrrs;
  logic              core_rst_n;
  logic [47:0]       mac_addr;

`ifdef WEFT_SIM_SHIM
`define WEFT_SIM_PINS
  assign core_rst_n = rst_ni;
  assign mac_addr = mac_addr_i;
  weft_sim_shim #(.DATA_W(DATA_W)) u_shim (
      .clk_i,
      .rst_ni,
      .idle_o(shim_idle),
      .blk_i,
      .blk_o,
      .rx_req_valid_o(rx_req_valid),
      .rx_req_ready_i(rx_req_ready),
      .rx_req_hdr_o(rx_req_hdr),
      .rx_req_bar_o(rx_req_bar),
      .rx_req_data_o(rx_req_data),
      .rx_req_last_o(rx_req_last),
      .rx_cpl_valid_o(rx_cpl_valid),
      .rx_cpl_ready_i(rx_cpl_ready),
      .rx_cpl_hdr_o(rx_cpl_hdr),
      .rx_cpl_data_o(rx_cpl_data),
      .rx_cpl_last_o(rx_cpl_last),
      .tx_rd_valid_i(tx_rd_valid),
      .tx_rd_ready_o(tx_rd_ready),
      .tx_rd_hdr_i(tx_rd_hdr),
      .tx_wr_valid_i(tx_wr_valid),
      .tx_wr_ready_o(tx_wr_ready),
      .tx_wr_hdr_i(tx_wr_hdr),
      .tx_wr_data_i(tx_wr_data),
      .tx_wr_last_i(tx_wr_last),
      .tx_cpl_valid_i(tx_cpl_valid),
      .tx_cpl_ready_o(tx_cpl_ready),
      .tx_cpl_hdr_i(tx_cpl_hdr),
      .tx_cpl_data_i(tx_cpl_data),
      .cfg_bdf_o(cfg_bdf),
      .cfg_bme_o(cfg_bme),
      .cfg_mps_o(cfg_mps),
      .cfg_mrrs_o(cfg_mrrs),
      .cfg_rcb_o(cfg_rcb),
      .cfg_ext_tag_o(cfg_ext_tag),
      .cfg_msix_en_o(cfg_msix_en),
      .cfg_msix_mask_o(cfg_msix_mask),
      .flr_req_o(flr_req),
      .flr_done_i(flr_done)
  );
`elsif WEFT_SIM_BRIDGE
`define WEFT_SIM_PINS
  logic        core_ok, core_rst, line_idle;
  logic [7:0]  line_rest_q;
  logic [47:0] cfg_mac;
  weft_rst_bridge u_core_rst (.clk_i, .rst_ni(rst_ni && core_ok), .rst_no(core_rst));
  // Registers wake with random contents, those of the bridge of the reset too.
  assign core_rst_n = core_rst && rst_ni;
  assign mac_addr = cfg_mac != '0 ? cfg_mac : mac_addr_i;
  /* verilator lint_off PINCONNECTEMPTY */
  weft_bridge #(.BAR0_LOG2(16), .BAR2_LOG2($clog2(DB_PAGES * 4096)), .BAR4_LOG2(16), .HEARTBEAT(HEARTBEAT), .RETRY(RETRY)) u_bridge (
      .clk_i,
      .rst_ni,
      .core_ok_o(core_ok),
      .up_o(),
      .line_rx_valid_i,
      .line_rx_data_i,
      .line_tx_valid_o,
      .line_tx_ready_i,
      .line_tx_data_o,
      .rx_req_valid_o(rx_req_valid),
      .rx_req_ready_i(rx_req_ready),
      .rx_req_hdr_o(rx_req_hdr),
      .rx_req_bar_o(rx_req_bar),
      .rx_req_data_o(rx_req_data),
      .rx_req_last_o(rx_req_last),
      .rx_cpl_valid_o(rx_cpl_valid),
      .rx_cpl_ready_i(rx_cpl_ready),
      .rx_cpl_hdr_o(rx_cpl_hdr),
      .rx_cpl_data_o(rx_cpl_data),
      .rx_cpl_last_o(rx_cpl_last),
      .tx_rd_valid_i(tx_rd_valid),
      .tx_rd_ready_o(tx_rd_ready),
      .tx_rd_hdr_i(tx_rd_hdr),
      .tx_wr_valid_i(tx_wr_valid),
      .tx_wr_ready_o(tx_wr_ready),
      .tx_wr_hdr_i(tx_wr_hdr),
      .tx_wr_data_i(tx_wr_data),
      .tx_wr_last_i(tx_wr_last),
      .tx_cpl_valid_i(tx_cpl_valid),
      .tx_cpl_ready_o(tx_cpl_ready),
      .tx_cpl_hdr_i(tx_cpl_hdr),
      .tx_cpl_data_i(tx_cpl_data),
      .cfg_bdf_o(cfg_bdf),
      .cfg_bme_o(cfg_bme),
      .cfg_mps_o(cfg_mps),
      .cfg_mrrs_o(cfg_mrrs),
      .cfg_rcb_o(cfg_rcb),
      .cfg_ext_tag_o(cfg_ext_tag),
      .cfg_msix_en_o(cfg_msix_en),
      .cfg_msix_mask_o(cfg_msix_mask),
      .cfg_mac_o(cfg_mac),
      .flr_req_o(flr_req),
      .flr_done_i(flr_done),
      .stat_gap_o(),
      .stat_retry_o(),
      .stat_no_credit_o(),
      .stat_bad_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */
  // At rest: no byte of the host for a while, and it has acknowledged everything. What goes out besides (heartbeats, credits) can wait.
  assign line_idle = u_bridge.una == u_bridge.nxt && !line_rx_valid_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) line_rest_q <= '1;
    else if (!line_idle) line_rest_q <= '1;
    else if (line_rest_q != '0) line_rest_q <= line_rest_q - 8'd1;
  end
  assign shim_idle = line_idle && line_rest_q == '0;
`endif
`ifdef WEFT_SIM_PINS
  // The harness's own streams are not used.
  assign {rx_req_ready_o, rx_cpl_ready_o, tx_rd_valid_o, tx_rd_hdr_o, tx_wr_valid_o, tx_wr_hdr_o, tx_wr_data_o, tx_wr_last_o,
          tx_cpl_valid_o, tx_cpl_hdr_o, tx_cpl_data_o, flr_done_o} = '0;
  logic unused_host;
  assign unused_host = ^{rx_req_valid_i, rx_req_hdr_i, rx_req_bar_i, rx_req_last_i, rx_cpl_valid_i, rx_cpl_hdr_i, rx_cpl_last_i,
                         tx_rd_ready_i, tx_wr_ready_i, tx_cpl_ready_i, cfg_bdf_i, cfg_bme_i, cfg_mps_i, cfg_mrrs_i, cfg_rcb_i,
                         cfg_ext_tag_i, cfg_msix_en_i, cfg_msix_mask_i, flr_req_i};
`else
  assign shim_idle = 1'b1;
  assign core_rst_n = rst_ni;
  assign mac_addr = mac_addr_i;
  assign rx_req_valid = rx_req_valid_i;
  assign rx_req_ready_o = rx_req_ready;
  assign rx_req_hdr = rx_req_hdr_i;
  assign rx_req_bar = rx_req_bar_i;
  assign rx_req_data = rx_req_data_i[DATA_W-1:0];
  assign rx_req_last = rx_req_last_i;
  assign rx_cpl_valid = rx_cpl_valid_i;
  assign rx_cpl_ready_o = rx_cpl_ready;
  assign rx_cpl_hdr = rx_cpl_hdr_i;
  assign rx_cpl_data = rx_cpl_data_i[DATA_W-1:0];
  assign rx_cpl_last = rx_cpl_last_i;
  assign tx_rd_valid_o = tx_rd_valid;
  assign tx_rd_ready = tx_rd_ready_i;
  assign tx_rd_hdr_o = tx_rd_hdr;
  assign tx_wr_valid_o = tx_wr_valid;
  assign tx_wr_ready = tx_wr_ready_i;
  assign tx_wr_hdr_o = tx_wr_hdr;
  assign tx_wr_data_o = 512'(tx_wr_data);
  assign tx_wr_last_o = tx_wr_last;
  assign tx_cpl_valid_o = tx_cpl_valid;
  assign tx_cpl_ready = tx_cpl_ready_i;
  assign tx_cpl_hdr_o = tx_cpl_hdr;
  assign tx_cpl_data_o = tx_cpl_data;
  assign cfg_bdf = cfg_bdf_i;
  assign cfg_bme = cfg_bme_i;
  assign cfg_mps = cfg_mps_i;
  assign cfg_mrrs = cfg_mrrs_i;
  assign cfg_rcb = cfg_rcb_i;
  assign cfg_ext_tag = cfg_ext_tag_i;
  assign cfg_msix_en = cfg_msix_en_i;
  assign cfg_msix_mask = cfg_msix_mask_i;
  assign flr_req = flr_req_i;
  assign flr_done_o = flr_done;
`endif

  // ---------------------------------------------------------------- the core's frames: the wire's, or a MAC's
  logic              core_idle, link_up, rx_valid, rx_ready, rx_last, rx_err, rx_pause, tx_valid, tx_ready, tx_last;
  logic [DATA_W-1:0] rx_data, tx_data;
  logic [CNT_W-1:0]  rx_cnt, tx_cnt;

  logic               port_req_valid, port_req_ready, port_rsp_valid;
  weft_pkg::cfg_req_t port_req;
  weft_pkg::cfg_rsp_t port_rsp;

`ifdef WEFT_SIM_MAC
  localparam bit Port = 1'b1;
  logic mac_idle;
  assign idle_o = core_idle && shim_idle && mac_idle;
  weft_sim_mac #(.DATA_W(DATA_W)) u_mac (
      .clk_i,
      .rst_ni,
      .mac_addr_i,
      .idle_o(mac_idle),
      .eth_tx_valid_i(tx_valid),
      .eth_tx_ready_o(tx_ready),
      .eth_tx_data_i(tx_data),
      .eth_tx_cnt_i(tx_cnt),
      .eth_tx_last_i(tx_last),
      .eth_rx_valid_o(rx_valid),
      .eth_rx_ready_i(rx_ready),
      .eth_rx_data_o(rx_data),
      .eth_rx_cnt_o(rx_cnt),
      .eth_rx_last_o(rx_last),
      .eth_rx_err_o(rx_err),
      .pause_req_i(rx_pause),
      .link_up_o(link_up),
      .port_req_valid_i(port_req_valid),
      .port_req_ready_o(port_req_ready),
      .port_req_i(port_req),
      .port_rsp_valid_o(port_rsp_valid),
      .port_rsp_o(port_rsp),
      .module_out_i,
      .sda_stuck_i,
      .scl_stuck_i,
      .link_i(link_up_i),
      .wire_rx_valid_i(eth_rx_valid_i),
      .wire_rx_ready_o(eth_rx_ready_o),
      .wire_rx_data_i(eth_rx_data_i[DATA_W-1:0]),
      .wire_rx_cnt_i(eth_rx_cnt_i[CNT_W-1:0]),
      .wire_rx_last_i(eth_rx_last_i),
      .wire_rx_err_i(eth_rx_err_i),
      .wire_pause_o(eth_rx_pause_o),
      .wire_tx_valid_o(eth_tx_valid_o),
      .wire_tx_ready_i(eth_tx_ready_i),
      .wire_tx_data_o(eth_tx_data),
      .wire_tx_cnt_o(eth_tx_cnt),
      .wire_tx_last_o(eth_tx_last_o)
  );
`else
  localparam bit Port = 1'b0;
  assign port_req_ready = 1'b0;
  assign port_rsp_valid = 1'b0;
  assign port_rsp       = '0;
  logic unused_port;
  assign unused_port = ^{port_req_valid, port_req, module_out_i, sda_stuck_i, scl_stuck_i};
  assign idle_o         = core_idle && shim_idle;
  assign link_up        = link_up_i;
  assign rx_valid       = eth_rx_valid_i;
  assign eth_rx_ready_o = rx_ready;
  assign rx_data        = eth_rx_data_i[DATA_W-1:0];
  assign rx_cnt         = eth_rx_cnt_i[CNT_W-1:0];
  assign rx_last        = eth_rx_last_i;
  assign rx_err         = eth_rx_err_i;
  assign eth_rx_pause_o = rx_pause;
  assign eth_tx_valid_o = tx_valid;
  assign tx_ready       = eth_tx_ready_i;
  assign eth_tx_data    = tx_data;
  assign eth_tx_cnt     = tx_cnt;
  assign eth_tx_last_o  = tx_last;
`endif

`ifndef WEFT_SIM_REST
  assign l2_run_o = 1'b1;
  logic unused_rest;
  assign unused_rest = clk_l2_i;
`endif
  // The harness always drives whole words; a narrow core leaves the upper ones unread.
  logic unused;
  assign unused = ^{1'b0, rx_req_data_i, rx_cpl_data_i, eth_rx_data_i, eth_rx_cnt_i};

  weft_core #(
      .DATA_W(DATA_W),
      .N_QP(N_QP),
      .N_CQ(N_CQ),
      .N_STAG(N_STAG),
      .DB_PAGES(DB_PAGES),
      .N_SLOT(N_SLOT),
`ifdef WEFT_SIM_PINS
      .PUSH(1'b0),
`endif
`ifdef WEFT_SIM_BRIDGE
      .CQ_PIECES(1),
      .CQ_MODERATION(1'b0),
`endif
      .PORT(Port),
      .TEST_LATENCY(TEST_LATENCY),
      .TEST_CWND(TEST_CWND),
      .RD_TIMEOUT_NS(RD_TIMEOUT_NS)
  ) u_core (
      .clk_i,
      .rst_ni(core_rst_n),
`ifdef WEFT_SIM_REST
      .clk_l2_i,
      .l2_run_o,
`endif
      .now_ns_i,
      .idle_o(core_idle),
      .next_deadline_ns_o,
      .rx_req_valid_i(rx_req_valid),
      .rx_req_ready_o(rx_req_ready),
      .rx_req_hdr_i(rx_req_hdr),
      .rx_req_bar_i(rx_req_bar),
      .rx_req_data_i(rx_req_data),
      .rx_req_last_i(rx_req_last),
      .rx_cpl_valid_i(rx_cpl_valid),
      .rx_cpl_ready_o(rx_cpl_ready),
      .rx_cpl_hdr_i(rx_cpl_hdr),
      .rx_cpl_data_i(rx_cpl_data),
      .rx_cpl_last_i(rx_cpl_last),
      .tx_rd_valid_o(tx_rd_valid),
      .tx_rd_ready_i(tx_rd_ready),
      .tx_rd_hdr_o(tx_rd_hdr),
      .tx_wr_valid_o(tx_wr_valid),
      .tx_wr_ready_i(tx_wr_ready),
      .tx_wr_hdr_o(tx_wr_hdr),
      .tx_wr_data_o(tx_wr_data),
      .tx_wr_last_o(tx_wr_last),
      .tx_cpl_valid_o(tx_cpl_valid),
      .tx_cpl_ready_i(tx_cpl_ready),
      .tx_cpl_hdr_o(tx_cpl_hdr),
      .tx_cpl_data_o(tx_cpl_data),
      .cfg_bdf_i(cfg_bdf),
      .cfg_bme_i(cfg_bme),
      .cfg_mps_i(cfg_mps),
      .cfg_mrrs_i(cfg_mrrs),
      .cfg_rcb_i(cfg_rcb),
      .cfg_ext_tag_i(cfg_ext_tag),
      .cfg_msix_en_i(cfg_msix_en),
      .cfg_msix_mask_i(cfg_msix_mask),
      .flr_req_i(flr_req),
      .flr_done_o(flr_done),
      .mac_addr_i(mac_addr),
      .link_up_i(link_up),
      .eth_rx_valid_i(rx_valid),
      .eth_rx_ready_o(rx_ready),
      .eth_rx_data_i(rx_data),
      .eth_rx_cnt_i(rx_cnt),
      .eth_rx_last_i(rx_last),
      .eth_rx_err_i(rx_err),
      .eth_rx_pause_o(rx_pause),
      .eth_tx_valid_o(tx_valid),
      .eth_tx_ready_i(tx_ready),
      .eth_tx_data_o(tx_data),
      .eth_tx_cnt_o(tx_cnt),
      .eth_tx_last_o(tx_last),
      .port_req_valid_o(port_req_valid),
      .port_req_ready_i(port_req_ready),
      .port_req_o(port_req),
      .port_rsp_valid_i(port_rsp_valid),
      .port_rsp_i(port_rsp),
      .dbg_cfg_valid_i,
      .dbg_cfg_ready_o,
      .dbg_cfg_we_i,
      .dbg_cfg_addr_i,
      .dbg_cfg_wdata_i,
      .dbg_cfg_rvalid_o,
      .dbg_cfg_rdata_o,
      .dbg_cfg_err_o
  );

`ifndef WEFT_DOUBLE
  // Without firmware nobody hears what a room has to say: it is printed.
  weft_abi_pkg::fw_event_t ev;
  assign ev = u_core.ev[0];
  always @(posedge clk_i) begin
    if (u_core.ev_v[0] && u_core.ev_r[0] && u_core.u_mgmt.fw_state == 4'd0 && ev.kind != 8'(weft_abi_pkg::FW_EV_HOME_DONE))
      $display("# %m at %0d ns: event %0d of QP %0d, code %h, data %h %h, %0d header bytes %h", now_ns_i, ev.kind, ev.id, ev.code,
               ev.data0, ev.data1, ev.hdr_bytes, ev.hdr);
  end
`endif

endmodule
