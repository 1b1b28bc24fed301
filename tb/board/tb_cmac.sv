// SPDX-License-Identifier: BSD-2-Clause
/// weft_mac_cmac and the user interface of a CMAC in C. Clocks: 0 core, 1 transmit, 2 receive. Ports: 0 frames from the core, 1 what
/// the block gets, 2 frames of the block, 3 what the core gets.
module tb #(
  parameter int DATA_W = 512
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function void cmac_rx_status(output int status);
  import "DPI-C" function void cmac_ctl(input int enable, input int rfi, input int pause, input int held, input int link,
    input int valid, input int in_frame);
  import "DPI-C" function int cmac_pause_req();
  import "DPI-C" function void cmac_fail(input string what);
  import "DPI-C" function void cmac_lost(input int tx);
  logic [2:0] clk, rst;
  for (genvar i = 0; i < 3; i++) begin : gen_clk
    tb_clock #(.ID(i)) u_clk (.clk_i, .clk_o(clk[i]), .rst_no(rst[i]));
  end
  logic unused;
  assign unused = rst_ni;

  logic sv, sr, sl, se, ss, tv, tr, tl, tu, rv, rl, re, rs, qv, qr, ql, qe, pause, link, en, rfi, rx_en, lost_t, lost_r, gone_t, gone_r;
  logic [511:0] sd, td, rd, qd;
  logic [6:0] sc, rc, qc, tc;
  logic [63:0] tk, rk;
  logic [8:0] tx_pause, ack;
  logic [8:0] rx_pause;
  logic aligned, remote, alarm;
  int status;
  tb_src_stream #(.ID(0), .DATA_W(512)) u_s (.clk_i(clk[0]), .rst_ni(rst[0]), .valid_o(sv), .ready_i(sr), .data_o(sd),
    .cnt_o(sc), .last_o(sl), .err_o(se), .side_o(ss));
  tb_snk_stream #(.ID(1), .DATA_W(512)) u_t (.clk_i(clk[1]), .rst_ni(rst[1]), .valid_i(tv), .ready_o(tr), .data_i(td),
    .cnt_i(tc), .last_i(tl), .err_i(tu), .side_i(1'b0));
  tb_src_stream #(.ID(2), .DATA_W(512)) u_r (.clk_i(clk[2]), .rst_ni(rst[2]), .valid_o(rv), .ready_i(1'b1), .data_o(rd),
    .cnt_o(rc), .last_o(rl), .err_o(re), .side_o(rs));
  tb_snk_stream #(.ID(3), .DATA_W(512)) u_q (.clk_i(clk[0]), .rst_ni(rst[0]), .valid_i(qv), .ready_o(qr), .data_i(qd),
    .cnt_i(qc), .last_i(ql), .err_i(qe), .side_i(1'b0));
  // keep and count: all ones from lane 0
  always_comb begin
    tc = '0;
    for (int i = 0; i < 64; i++) begin
      rk[i] = 7'(i) < rc;
      if (tk[i]) tc = 7'(i) + 7'd1;
    end
  end
  logic in_frame;
  always @(posedge clk[1] or negedge rst[1]) begin
    if (!rst[1]) in_frame <= 1'b0;
    else begin
      if (tv && tk != (64'hffff_ffff_ffff_ffff >> (7'd64 - tc))) cmac_fail("keep has a hole");
      if (tv && !tl && tc != 7'd64) cmac_fail("a beat in the middle is not full");
      if (in_frame && !tv) cmac_fail("a gap in a frame");
      if (tv && tr) in_frame <= !tl;
      if (lost_t) cmac_lost(1);
      cmac_ctl(int'(en), int'(rfi), int'(tx_pause), int'(ack[8]), int'(link), int'(tv), int'(in_frame));
      pause <= cmac_pause_req() != 0;
    end
  end
  always @(posedge clk[2] or negedge rst[2]) begin
    if (!rst[2]) {rx_pause, remote, aligned, alarm} <= '0;
    else begin
      cmac_rx_status(status);
      aligned     <= status[0] && rx_en;
      remote      <= status[1];
      rx_pause[8] <= status[2];
      alarm       <= 1'b0;
      if (lost_r) cmac_lost(0);
      if (gone_r) cmac_lost(0);
    end
  end
  always @(posedge clk[0]) if (rst[0] && gone_t) cmac_lost(1);
  weft_mac_cmac #(.STORE(512)) u_dut (
    .clk_i(clk[0]), .rst_ni(rst[0]), .eth_tx_valid_i(sv), .eth_tx_ready_o(sr), .eth_tx_data_i(sd), .eth_tx_cnt_i(sc),
    .eth_tx_last_i(sl), .eth_rx_valid_o(qv), .eth_rx_ready_i(qr), .eth_rx_data_o(qd), .eth_rx_cnt_o(qc),
    .eth_rx_last_o(ql), .eth_rx_err_o(qe), .pause_req_i(pause), .link_up_o(link), .stat_tx_lost_o(lost_t),
    .stat_rx_lost_o(lost_r), .stat_tx_reset_o(gone_t), .stat_rx_reset_o(gone_r), .tx_clk_i(clk[1]), .tx_rst_ni(rst[1]), .tx_axis_tvalid_o(tv), .tx_axis_tready_i(tr),
    .tx_axis_tdata_o(td), .tx_axis_tkeep_o(tk), .tx_axis_tlast_o(tl), .tx_axis_tuser_o(tu), .ctl_tx_enable_o(en),
    .ctl_tx_send_rfi_o(rfi), .ctl_tx_pause_req_o(tx_pause), .rx_clk_i(clk[2]), .rx_rst_ni(rst[2]), .rx_axis_tvalid_i(rv),
    .rx_axis_tdata_i(rd), .rx_axis_tkeep_i(rk), .rx_axis_tlast_i(rl), .rx_axis_tuser_i(re && rl), .ctl_rx_enable_o(rx_en),
    .ctl_rx_pause_ack_o(ack), .stat_rx_aligned_i(aligned), .stat_rx_remote_fault_i(remote), .stat_rx_local_fault_i(alarm),
    .stat_rx_pause_req_i(rx_pause)
  );
endmodule
