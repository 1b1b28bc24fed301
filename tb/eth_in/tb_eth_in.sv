// SPDX-License-Identifier: BSD-2-Clause

/// weft_eth_in between the MAC, ctx, tcp, mpa, firmware and the network device. Port numbers as in eth_in.c.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_QP = 64,
  parameter int unsigned N_MISS = 8,
  parameter int unsigned SIG_W = 3,
  parameter int unsigned STORE_BYTES = 65536
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function int ctx_ready();
  import "DPI-C" function longint unsigned ctx_need(input int resume, input int qpn);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;
  localparam int unsigned HndW = $clog2(STORE_BYTES / (DATA_W == 64 ? 256 : 512));

  // configuration: STEER is room 9, look-up commands are at room 4
  logic cv, cr;
  logic [1:0] crq, crv;
  logic [65:0] crsp;
  weft_pkg::cfg_req_t creq;
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(cv), .cfg_req_ready_i(cr), .cfg_req_o(creq), .cfg_rsp_valid_i(crv != '0),
    .cfg_rsp_i(crv[1] ? crsp[65:33] : crsp[32:0]));
  assign cr = creq.addr[27:22] == 6'd4 ? crq[1] : crq[0];

  // the wire
  logic xv, xl, xe, pause;
  logic [DATA_W-1:0] xd;
  logic [CntW-1:0] xc;
  tb_src_stream #(.ID(0), .DATA_W(DATA_W)) u_rx (.clk_i, .rst_ni, .valid_o(xv), .ready_i(ready), .data_o(xd), .cnt_o(xc),
    .last_o(xl), .err_o(xe), .side_o());

  // ctx answers two cycles behind
  logic nv, nr, h0v, hv, av, sv, sr;
  weft_dp_pkg::need_t need;
  logic [43:0] h0, h;
  weft_dp_pkg::arrive_t arrive;
  logic [29:0] resumed;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      nr  <= 1'b0;
      h0v <= 1'b0;
      hv  <= 1'b0;
    end else begin
      if (nv && nr) h0 <= 44'(ctx_need(int'(need.resume), int'(need.qpn)));
      h0v <= nv && nr;
      h   <= h0;
      hv  <= h0v;
      nr  <= ctx_ready() != 0;
    end
  end
  tb_src_item #(.ID(1), .W(44)) u_arrive (.clk_i, .rst_ni, .valid_o(av), .ready_i(1'b1), .data_o(arrive));
  tb_snk_item #(.ID(2), .W(30)) u_resumed (.clk_i, .rst_ni, .valid_i(sv), .ready_o(sr), .data_i(resumed));

  // tcp, mpa
  logic gv, gr, fv, fr, rv, rr, dv, dr, dl;
  weft_dp_pkg::rx_seg_t seg, fal;
  logic [43:0] rd;
  logic [DATA_W-1:0] dd;
  logic [CntW-1:0] dc;
  logic [1:0] ev, er;
  logic [1:0][11:0] eh;
  tb_snk_item #(.ID(3), .W(815)) u_seg (.clk_i, .rst_ni, .valid_i(gv), .ready_o(gr), .data_i(seg));
  tb_src_item #(.ID(4), .W(815)) u_false (.clk_i, .rst_ni, .valid_o(fv), .ready_i(fr), .data_o(fal));
  tb_src_item #(.ID(5), .W(44)) u_rd (.clk_i, .rst_ni, .valid_o(rv), .ready_i(rr), .data_o(rd));
  tb_snk_stream #(.ID(6), .DATA_W(DATA_W)) u_data (.clk_i, .rst_ni, .valid_i(dv), .ready_o(dr), .data_i(dd), .cnt_i(dc),
    .last_i(dl), .err_i(1'b0), .side_i(1'b0));
  tb_src_item #(.ID(7), .W(12)) u_free0 (.clk_i, .rst_ni, .valid_o(ev[0]), .ready_i(er[0]), .data_o(eh[0]));
  tb_src_item #(.ID(8), .W(12)) u_free1 (.clk_i, .rst_ni, .valid_o(ev[1]), .ready_i(er[1]), .data_o(eh[1]));

  // firmware, network device
  logic wv, wr, wl, mv, mr, lv, lr, ll;
  logic [DATA_W-1:0] wd, ld;
  logic [CntW-1:0] wc, lc;
  logic [23:0] wq;
  logic [3:0] wn;
  weft_pkg::rx_meta_t meta;
  tb_snk_stream #(.ID(9), .DATA_W(DATA_W), .SIDE_W(28)) u_fw (.clk_i, .rst_ni, .valid_i(wv), .ready_o(wr), .data_i(wd), .cnt_i(wc),
    .last_i(wl), .err_i(1'b0), .side_i({wn, wq}));
  tb_snk_item #(.ID(10), .W(490)) u_meta (.clk_i, .rst_ni, .valid_i(mv), .ready_o(mr), .data_i(meta));
  tb_snk_stream #(.ID(11), .DATA_W(DATA_W)) u_l2 (.clk_i, .rst_ni, .valid_i(lv), .ready_o(lr), .data_i(ld), .cnt_i(lc),
    .last_i(ll), .err_i(1'b0), .side_i(1'b0));

  logic ready, idle;
  logic [16:0] st;
  tb_snk_pulse #(.ID(12), .W(22)) u_state (.clk_i, .rst_ni, .valid_i(1'b1),
    .data_i({gv, xv && xl, pause, ready, idle, st}));

  weft_eth_in #(.DATA_W(DATA_W), .N_QP(N_QP), .N_MISS(N_MISS), .STORE_BYTES(STORE_BYTES), .SIG_W(SIG_W)) dut (
    .clk_i, .rst_ni, .ready_o(ready), .crowded_o(),
    .cfg_req_valid_i({cv && creq.addr[27:22] == 6'd4, cv && creq.addr[27:22] == 6'd9}), .cfg_req_ready_o(crq), .cfg_req_i(creq),
    .cfg_rsp_valid_o(crv), .cfg_rsp_o(crsp),
    .eth_rx_valid_i(xv && ready), .eth_rx_data_i(xd), .eth_rx_cnt_i(xc), .eth_rx_last_i(xl), .eth_rx_err_i(xe),
    .eth_rx_pause_o(pause), .station_o(),
    .need_valid_o(nv), .need_ready_i(nr), .need_o(need), .have_valid_i(hv), .have_i(h), .arrive_valid_i(av),
    .arrive_i(arrive), .resumed_valid_o(sv), .resumed_ready_i(sr), .resumed_qpn_o(resumed[29:6]),
    .resumed_miss_o(resumed[5:0]),
    .seg_valid_o(gv), .seg_ready_i(gr), .seg_o(seg), .falsehit_valid_i(fv), .falsehit_ready_o(fr), .falsehit_i(fal),
    .rd_valid_i(rv), .rd_ready_o(rr), .rd_handle_i(rd[32+:HndW]), .rd_off_i(rd[31:16]), .rd_len_i(rd[15:0]),
    .rd_data_valid_o(dv), .rd_data_ready_i(dr), .rd_data_o(dd), .rd_cnt_o(dc), .rd_last_o(dl),
    .free_valid_i(ev), .free_ready_o(er), .free_handle_i({eh[1][HndW-1:0], eh[0][HndW-1:0]}),
    .fw_valid_o(wv), .fw_ready_i(wr), .fw_data_o(wd), .fw_cnt_o(wc), .fw_last_o(wl), .fw_qpn_o(wq), .fw_reason_o(wn),
    .l2_meta_valid_o(mv), .l2_meta_ready_i(mr), .l2_meta_o(meta), .l2_valid_o(lv), .l2_ready_i(lr), .l2_data_o(ld),
    .l2_cnt_o(lc), .l2_last_o(ll), .idle_o(idle),
    .stat_frame_o(st[0]), .stat_rdma_o(st[1]), .stat_fw_o(st[2]), .stat_l2_o(st[3]), .stat_nobody_o(st[4]),
    .stat_drop_lost_o(st[5]), .stat_drop_bad_o(st[6]), .stat_drop_addr_o(st[7]), .stat_drop_csum_o(st[8]),
    .stat_drop_full_o(st[9]), .stat_drop_park_o(st[10]), .stat_drop_false_o(st[11]), .stat_park_o(st[12]),
    .stat_busy_o(st[13]), .stat_slow_o(st[14]), .stat_move_o(st[15]), .stat_skip_o(st[16])
  );
  // Which list a frame is parked in.
  tb_snk_pulse #(.ID(13), .W(6)) u_parked (.clk_i, .rst_ni, .valid_i(dut.park_v), .data_i(dut.park_miss));
  logic unused;
  assign unused = ^{rd, eh};
endmodule
