// SPDX-License-Identifier: BSD-2-Clause
/// weft_eth_hairpin. Ports: 0 what leaves, 1 the MAC's frames, 2 the station's address (48 bits), 3 to the MAC, 4 what comes in,
/// 5 {turned round, idle} in every cycle.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int CntW = $clog2(DATA_W / 8) + 1;
  logic tv, tr, tl, te, ts, rv, rr, rl, re, rs, mv, ov, ordy, ol, iv, irdy, il, ie, idle, own;
  logic [DATA_W-1:0] td, rd, od, id;
  logic [CntW-1:0] tc, rc, oc, ic;
  logic [47:0] mac, mac_q;
  tb_src_stream #(.ID(0), .DATA_W(DATA_W)) u_t (.clk_i, .rst_ni, .valid_o(tv), .ready_i(tr), .data_o(td), .cnt_o(tc), .last_o(tl),
    .err_o(te), .side_o(ts));
  tb_src_stream #(.ID(1), .DATA_W(DATA_W)) u_r (.clk_i, .rst_ni, .valid_o(rv), .ready_i(rr), .data_o(rd), .cnt_o(rc), .last_o(rl),
    .err_o(re), .side_o(rs));
  tb_src_item #(.ID(2), .W(48)) u_m (.clk_i, .rst_ni, .valid_o(mv), .ready_i(1'b1), .data_o(mac));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mac_q <= '0;
    else if (mv) mac_q <= mac;
  end
  weft_eth_hairpin #(.DATA_W(DATA_W), .BYTES(4096)) u_dut (.clk_i, .rst_ni, .mac_i(mac_q),
    .tx_valid_i(tv), .tx_ready_o(tr), .tx_data_i(td), .tx_cnt_i(tc), .tx_last_i(tl),
    .eth_tx_valid_o(ov), .eth_tx_ready_i(ordy), .eth_tx_data_o(od), .eth_tx_cnt_o(oc), .eth_tx_last_o(ol),
    .eth_rx_valid_i(rv), .eth_rx_ready_o(rr), .eth_rx_data_i(rd), .eth_rx_cnt_i(rc), .eth_rx_last_i(rl), .eth_rx_err_i(re),
    .rx_valid_o(iv), .rx_data_o(id), .rx_cnt_o(ic), .rx_last_o(il), .rx_err_o(ie), .idle_o(idle), .stat_own_o(own));
  tb_snk_stream #(.ID(3), .DATA_W(DATA_W)) u_o (.clk_i, .rst_ni, .valid_i(ov), .ready_o(ordy), .data_i(od), .cnt_i(oc), .last_i(ol),
    .err_i(1'b0), .side_i(1'b0));
  tb_snk_stream #(.ID(4), .DATA_W(DATA_W)) u_i (.clk_i, .rst_ni, .valid_i(iv), .ready_o(irdy), .data_i(id), .cnt_i(ic), .last_i(il),
    .err_i(ie), .side_i(1'b0));
  tb_snk_pulse #(.ID(5), .W(2)) u_s (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({own, idle}));
  always_ff @(posedge clk_i) if (rst_ni) assert (irdy || !iv) else $error("the receive side always takes");
  logic unused;
  assign unused = ^{te, ts, rs};
endmodule
