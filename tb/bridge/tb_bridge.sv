// SPDX-License-Identifier: BSD-2-Clause
/// weft_bridge between a core and a host that are C (bridge.c, host.c). One rising edge: what was driven and what the unit gives are
/// transferred, then the next inputs are driven. With UART the line is two wires through weft_bridge_uart_*.
module tb #(
  parameter int DATA_W = 64,
  parameter bit UART = 0,
  parameter int HEARTBEAT = 1500,
  parameter int RETRY = 6000
) (
  input logic clk_i,
  input logic rst_ni
);
  // outs: 0 core_ok, 1 up, 2 line valid or wire, 3 request, 4 completion, 5 its last, 6 to 8 ready for read, write, completion, 9 FLR,
  // 10 gap, 11 retry, 12 no credit, 13 bad, 16:14 BAR, 17 last of a request
  // ins: 0 reset of the card (low), 1 line valid or wire, 2 line ready, 3 request ready, 4 completion ready, 5 read, 6 write, 7 its last,
  // 8 completion, 9 FLR done
  import "DPI-C" function void br_cycle(input int outs, input bit [127:0] req_hdr, input bit [63:0] req_data, input bit [127:0] cpl_hdr,
    input bit [63:0] cpl_data, input longint cfg, input int tx_byte, output int ins, output bit [127:0] wr_hdr, output bit [63:0] wr_data,
    output bit [127:0] rd_hdr, output bit [127:0] tcpl_hdr, output bit [63:0] tcpl_data, output int rx_byte);

  logic         card_rst_n, core_ok, up, rx_v, tx_v, tx_r, req_v, req_r, req_l, cpl_v, cpl_r, cpl_l, rd_v, rd_r, wr_v, wr_r, wr_l, tc_v, tc_r;
  logic         bme, rcb, ext, en, mask, flr, flr_done, gap, retry, no_credit, bad, wire_in, wire_out;
  logic [7:0]   rx_d, tx_d;
  logic [2:0]   bar, mps, mrrs;
  logic [15:0]  bdf;
  logic [47:0]  mac;
  logic [127:0] req_h, cpl_h, rd_h, wr_h, tc_h;
  logic [63:0]  req_d, cpl_d, wr_d, tc_d;

  logic       line_v, line_r;
  logic [7:0] line_d;
  weft_bridge #(.HEARTBEAT(HEARTBEAT), .RETRY(RETRY)) u_dut (
    .clk_i, .rst_ni(card_rst_n), .core_ok_o(core_ok), .up_o(up), .line_rx_valid_i(line_v), .line_rx_data_i(line_d),
    .line_tx_valid_o(tx_v), .line_tx_ready_i(line_r), .line_tx_data_o(tx_d), .rx_req_valid_o(req_v), .rx_req_ready_i(req_r),
    .rx_req_hdr_o(req_h), .rx_req_bar_o(bar), .rx_req_data_o(req_d), .rx_req_last_o(req_l), .rx_cpl_valid_o(cpl_v),
    .rx_cpl_ready_i(cpl_r), .rx_cpl_hdr_o(cpl_h), .rx_cpl_data_o(cpl_d), .rx_cpl_last_o(cpl_l), .tx_rd_valid_i(rd_v),
    .tx_rd_ready_o(rd_r), .tx_rd_hdr_i(rd_h), .tx_wr_valid_i(wr_v), .tx_wr_ready_o(wr_r), .tx_wr_hdr_i(wr_h), .tx_wr_data_i(wr_d),
    .tx_wr_last_i(wr_l), .tx_cpl_valid_i(tc_v), .tx_cpl_ready_o(tc_r), .tx_cpl_hdr_i(tc_h), .tx_cpl_data_i(tc_d), .cfg_bdf_o(bdf),
    .cfg_bme_o(bme), .cfg_mps_o(mps), .cfg_mrrs_o(mrrs), .cfg_rcb_o(rcb), .cfg_ext_tag_o(ext), .cfg_msix_en_o(en),
    .cfg_msix_mask_o(mask), .cfg_mac_o(mac), .flr_req_o(flr), .flr_done_i(flr_done), .stat_gap_o(gap), .stat_retry_o(retry),
    .stat_no_credit_o(no_credit), .stat_bad_o(bad)
  );
  if (UART) begin : gen_uart
    weft_bridge_uart_rx u_rx (.clk_i, .rst_ni(card_rst_n), .rx_i(wire_in), .valid_o(line_v), .data_o(line_d));
    weft_bridge_uart_tx u_tx (.clk_i, .rst_ni(card_rst_n), .valid_i(tx_v), .ready_o(line_r), .data_i(tx_d), .tx_o(wire_out));
    logic unused;
    assign unused = ^{rx_v, rx_d, tx_r};
  end else begin : gen_bytes
    assign line_v   = rx_v;
    assign line_d   = rx_d;
    assign line_r   = tx_r;
    assign wire_out = 1'b1;
    logic unused;
    assign unused = wire_in;
  end

  initial card_rst_n = 1'b0;  // random otherwise, and with it all of the unit, before the first edge
  int ins, rx_byte;
  bit [127:0] n_wr_h, n_rd_h, n_tc_h;
  bit [63:0]  n_wr_d, n_tc_d;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      card_rst_n <= 1'b0;
      {rx_v, tx_r, req_r, cpl_r, rd_v, wr_v, wr_l, tc_v, flr_done} <= '0;
      wire_in <= 1'b1;
    end else begin
      br_cycle({14'd0, req_l, bar, bad, no_credit, retry, gap, flr, tc_r, wr_r, rd_r, cpl_l, cpl_v, req_v, UART ? wire_out : tx_v, up, core_ok},
               req_h, req_d, cpl_h, cpl_d, {mac[36:0] ^ 37'(mac[47:37]), bdf, mrrs, mps, mask, en, ext, rcb, bme}, {24'd0, tx_d}, ins, n_wr_h, n_wr_d, n_rd_h,
               n_tc_h, n_tc_d, rx_byte);
      card_rst_n <= ins[0];
      rx_v       <= ins[1];
      wire_in    <= ins[1];
      tx_r       <= ins[2];
      req_r      <= ins[3];
      cpl_r      <= ins[4];
      rd_v       <= ins[5];
      wr_v       <= ins[6];
      wr_l       <= ins[7];
      tc_v       <= ins[8];
      flr_done   <= ins[9];
      rx_d       <= rx_byte[7:0];
      wr_h       <= n_wr_h;
      wr_d       <= n_wr_d;
      rd_h       <= n_rd_h;
      tc_h       <= n_tc_h;
      tc_d       <= n_tc_d;
    end
  end
  logic unused_all;
  assign unused_all = ^DATA_W;
endmodule
