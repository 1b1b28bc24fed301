// SPDX-License-Identifier: BSD-2-Clause

/// Room ctx between its clients, rooms and host. Port numbers as in ctx.c.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_QP = 256,
  parameter int unsigned N_SLOT = 16,
  parameter int unsigned N_MISS = 8,
  parameter int unsigned FREE_LOW = 4
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;
  localparam int unsigned ChW = N_QP > 2048 ? $clog2(N_QP) - 10 : 1;

  logic ready, cv, cr, chv, idle, ansv, ok;
  logic [26:0] cmd;
  logic [2:0] ans;
  logic [23:0] ansq;
  logic [107:0] chunk;
  logic [3:0] nv, nr, hv, dv;
  logic [99:0] need;
  logic [3:0][15:0] drop;
  weft_dp_pkg::have_t have;
  weft_dp_pkg::arrive_t arrive;
  logic av, rv, rr;
  logic [29:0] res;
  logic [3:0] lv, lr, sv, sr, bv, br;
  logic [4*553-1:0] load;
  logic [4*38-1:0] save;
  logic [4*553-1:0] back;
  logic qv, qr, dvv, drr, dl, de, wv, wr, wl, hit, miss, busy, ev, un;
  weft_pkg::dma_rd_req_t rq;
  weft_pkg::dma_wr_hdr_t wh;
  logic [DATA_W-1:0] dd, wd;
  logic [CntW-1:0] dc, wc;
  logic [47:0] dslot;
  logic [15:0] dn;

  for (genvar c = 0; c < 4; c++) begin : gen_client
    tb_src_item #(.ID(c), .W(25)) u_need (.clk_i, .rst_ni, .valid_o(nv[c]), .ready_i(nr[c]), .data_o(need[25*c+:25]));
    tb_snk_pulse #(.ID(4 + c), .W(44)) u_have (.clk_i, .rst_ni, .valid_i(hv[c]), .data_i(have));
    tb_src_item #(.ID(8 + c), .W(16)) u_drop (.clk_i, .rst_ni, .valid_o(dv[c]), .ready_i(1'b1), .data_o(drop[c]));
    tb_snk_item #(.ID(12 + c), .W(553)) u_load (.clk_i, .rst_ni, .valid_i(lv[c]), .ready_o(lr[c]), .data_i(load[553*c+:553]));
    tb_snk_item #(.ID(16 + c), .W(38)) u_save (.clk_i, .rst_ni, .valid_i(sv[c]), .ready_o(sr[c]), .data_i(save[38*c+:38]));
    tb_src_item #(.ID(20 + c), .W(553)) u_back (.clk_i, .rst_ni, .valid_o(bv[c]), .ready_i(br[c]), .data_o(back[553*c+:553]));
    assign dslot[12*c+:12] = drop[c][15:4];
    assign dn[4*c+:4]      = drop[c][3:0];
  end
  tb_snk_pulse #(.ID(24), .W(44)) u_arrive (.clk_i, .rst_ni, .valid_i(av), .data_i(arrive));
  tb_src_item #(.ID(25), .W(30)) u_resumed (.clk_i, .rst_ni, .valid_o(rv), .ready_i(rr), .data_o(res));
  tb_src_item #(.ID(26), .W(27)) u_cmd (.clk_i, .rst_ni, .valid_o(cv), .ready_i(cr), .data_o(cmd));
  tb_snk_pulse #(.ID(27), .W(28)) u_ans (.clk_i, .rst_ni, .valid_i(ansv), .data_i({ans, ansq, ok}));
  tb_src_item #(.ID(28), .W(108)) u_chunk (.clk_i, .rst_ni, .valid_o(chv), .ready_i(ready), .data_o(chunk));
  tb_snk_item #(.ID(29), .W(81)) u_rdreq (.clk_i, .rst_ni, .valid_i(qv), .ready_o(qr), .data_i(rq));
  tb_src_stream #(.ID(30), .DATA_W(DATA_W)) u_rd (.clk_i, .rst_ni, .valid_o(dvv), .ready_i(drr), .data_o(dd), .cnt_o(dc),
    .last_o(dl), .err_o(de), .side_o());
  tb_snk_stream #(.ID(31), .DATA_W(DATA_W), .SIDE_W(80)) u_wr (.clk_i, .rst_ni, .valid_i(wv), .ready_o(wr), .data_i(wd),
    .cnt_i(wc), .last_i(wl), .err_i(1'b0), .side_i(wh));
  // A window of weft_ctx_siege is 256 cycles.
  logic        mvv, akv, hev;
  logic [11:0] mv;
  logic [43:0] ak;
  logic [23:0] heq;
  logic [63:0] now_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= '0;
    else now_q <= now_q + 64'd1;
  end
  tb_src_item #(.ID(33), .W(12)) u_move (.clk_i, .rst_ni, .valid_o(mvv), .ready_i(1'b1), .data_o(mv));
  tb_src_item #(.ID(34), .W(44)) u_ack (.clk_i, .rst_ni, .valid_o(akv), .ready_i(1'b1), .data_o(ak));
  tb_snk_item #(.ID(35), .W(24)) u_held (.clk_i, .rst_ni, .valid_i(hev), .ready_o(her), .data_i(heq));
  logic her;
  tb_snk_pulse #(.ID(32), .W(7)) u_state (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({un, ev, busy, miss, hit, ready, idle}));

  weft_ctx #(.DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_MISS(N_MISS), .FREE_LOW(FREE_LOW), .SIEGE_SHIFT(8),
    .SIEGE_LIMIT(16), .SIEGE_REST(500)) dut (
    .clk_i, .rst_ni, .ready_o(ready),
    .chunk_we_i(chv && ready), .chunk_idx_i(chunk[65+:ChW]), .chunk_valid_i(chunk[64]), .chunk_addr_i(chunk[63:0]),
    .cmd_valid_i(cv), .cmd_ready_o(cr), .cmd_i(cmd[26:24]), .cmd_qpn_i(cmd[23:0]),
    .ans_valid_o(ansv), .ans_o(ans), .ans_qpn_o(ansq), .ans_ok_o(ok),
    .need_valid_i(nv), .need_ready_o(nr), .need_i(need), .have_valid_o(hv), .have_o(have),
    .arrive_valid_o(av), .arrive_o(arrive), .resumed_valid_i(rv), .resumed_ready_o(rr), .resumed_qpn_i(res[29:6]),
    .resumed_miss_i(res[5:0]), .drop_valid_i(dv), .drop_slot_i(dslot), .drop_n_i(dn),
    .load_valid_o(lv), .load_ready_i(lr), .load_o(load), .save_valid_o(sv), .save_ready_i(sr), .save_o(save),
    .line_valid_i(bv), .line_ready_o(br), .line_i(back),
    .rd_req_valid_o(qv), .rd_req_ready_i(qr), .rd_req_o(rq), .rd_valid_i(dvv), .rd_ready_o(drr), .rd_data_i(dd),
    .rd_last_i(dl), .rd_err_i(de), .wr_valid_o(wv), .wr_ready_i(wr), .wr_hdr_o(wh), .wr_data_o(wd), .wr_cnt_o(wc),
    .wr_last_o(wl), .idle_o(idle), .stat_hit_o(hit), .stat_miss_o(miss), .stat_busy_o(busy), .stat_evict_o(ev), .stat_wait_o(un),
    .now_ns_i(now_q), .gate_i(1'b0), .ack_valid_i(akv), .ack_slot_i(ak[43:32]), .ack_una_i(ak[31:0]), .move_valid_i(mvv), .move_slot_i(mv),
    .held_valid_o(hev), .held_ready_i(her), .held_qpn_o(heq), .stat_held_o()
  );
  logic unused;
  assign unused = ^{dc, chunk};
endmodule
