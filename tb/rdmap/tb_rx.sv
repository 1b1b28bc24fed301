// SPDX-License-Identifier: BSD-2-Clause
/// weft_rx with the ends of all its streams in C. Port numbers: ports.h.
module tb #(
  parameter int DATA_W = 64,
  parameter int TEST_LATENCY = 0
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int CntW = $clog2(DATA_W / 8) + 1;
  localparam int NQp = 16;

  logic cfg_req_valid, cfg_req_ready, cfg_rsp_valid;
  weft_pkg::cfg_req_t cfg_req;
  weft_pkg::cfg_rsp_t cfg_rsp;
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(cfg_req_valid), .cfg_req_ready_i(cfg_req_ready),
    .cfg_req_o(cfg_req), .cfg_rsp_valid_i(cfg_rsp_valid), .cfg_rsp_i(cfg_rsp));

  logic seg_v, seg_r, pay_v, pay_r, pay_l, pay_e, pay_s;
  weft_pkg::rx_seg_t seg;
  logic [DATA_W-1:0] pay_d;
  logic [CntW-1:0] pay_c;
  tb_src_item #(.ID(0), .W(65)) u_seg (.clk_i, .rst_ni, .valid_o(seg_v), .ready_i(seg_r), .data_o(seg));
  tb_src_stream #(.ID(1), .DATA_W(DATA_W)) u_pay (.clk_i, .rst_ni, .valid_o(pay_v), .ready_i(pay_r),
    .data_o(pay_d), .cnt_o(pay_c), .last_o(pay_l), .err_o(pay_e), .side_o(pay_s));

  logic db_v, orq_v, orq_r, fr_v;
  logic [31:0] db;
  weft_pkg::orq_t orq;
  logic [15:0] fr;
  tb_src_item #(.ID(2), .W(32)) u_db (.clk_i, .rst_ni, .valid_o(db_v), .ready_i(1'b1), .data_o(db));
  tb_src_item #(.ID(3), .W(144)) u_orq (.clk_i, .rst_ni, .valid_o(orq_v), .ready_i(orq_r), .data_o(orq));
  tb_src_item #(.ID(4), .W(16)) u_fr (.clk_i, .rst_ni, .valid_o(fr_v), .ready_i(1'b1), .data_o(fr));

  logic xq_v, xq_r, xr_v, xr_r;
  weft_pkg::xlate_req_t xq;
  weft_pkg::xlate_rsp_t xr;
  tb_snk_item #(.ID(5), .W(161)) u_xq (.clk_i, .rst_ni, .valid_i(xq_v), .ready_o(xq_r), .data_i(xq));
  tb_src_item #(.ID(6), .W(85)) u_xr (.clk_i, .rst_ni, .valid_o(xr_v), .ready_i(xr_r), .data_o(xr));

  logic rq_v, rq_r, rr_v, rr_r, rr_l, rr_e, rr_s;
  weft_pkg::dma_rd_req_t rq;
  logic [DATA_W-1:0] rr_d;
  logic [CntW-1:0] rr_c;
  tb_snk_item #(.ID(7), .W(81)) u_rq (.clk_i, .rst_ni, .valid_i(rq_v), .ready_o(rq_r), .data_i(rq));
  tb_src_stream #(.ID(8), .DATA_W(DATA_W)) u_rr (.clk_i, .rst_ni, .valid_o(rr_v), .ready_i(rr_r),
    .data_o(rr_d), .cnt_o(rr_c), .last_o(rr_l), .err_o(rr_e), .side_o(rr_s));

  logic wr_v, wr_r, wr_l;
  logic [DATA_W-1:0] wr_d;
  logic [CntW-1:0] wr_c;
  weft_pkg::dma_wr_hdr_t wr_h;
  tb_snk_stream #(.ID(9), .DATA_W(DATA_W), .SIDE_W(80)) u_wr (.clk_i, .rst_ni, .valid_i(wr_v),
    .ready_o(wr_r), .data_i(wr_d), .cnt_i(wr_c), .last_i(wr_l), .err_i(1'b0), .side_i(wr_h));

  logic irq_v, irq_r, rd_v, rd_r, cm_v, cm_r, ak_v, ak_r, cq_v, cq_r, ev_v, ev_r, cx_v, cx_r, iv_v, iv_r, ivr_v;
  weft_pkg::irq_t irq;
  logic [15:0] rd, ak, cx_q, iv_q, cf_q;
  logic cf_v;
  weft_pkg::rx_commit_t cm;
  weft_pkg::cqe_req_t cq;
  weft_pkg::fw_ev_t ev;
  weft_abi_pkg::ctx_rx_t cx;
  logic [23:0] iv_pd;
  logic [31:0] iv_st;
  logic [3:0] ivr;
  tb_snk_item #(.ID(10), .W(240)) u_irq (.clk_i, .rst_ni, .valid_i(irq_v), .ready_o(irq_r), .data_i(irq));
  tb_snk_item #(.ID(11), .W(16)) u_rd (.clk_i, .rst_ni, .valid_i(rd_v), .ready_o(rd_r), .data_i(rd));
  tb_snk_item #(.ID(12), .W(50)) u_cm (.clk_i, .rst_ni, .valid_i(cm_v), .ready_o(cm_r), .data_i(cm));
  tb_snk_item #(.ID(13), .W(16)) u_ak (.clk_i, .rst_ni, .valid_i(ak_v), .ready_o(ak_r), .data_i(ak));
  tb_snk_item #(.ID(14), .W(161)) u_cq (.clk_i, .rst_ni, .valid_i(cq_v), .ready_o(cq_r), .data_i(cq));
  tb_snk_item #(.ID(15), .W(512)) u_ev (.clk_i, .rst_ni, .valid_i(ev_v), .ready_o(ev_r), .data_i(ev));
  tb_snk_item #(.ID(16), .W(528)) u_cx (.clk_i, .rst_ni, .valid_i(cx_v), .ready_o(cx_r), .data_i({cx, cx_q}));
  tb_snk_item #(.ID(17), .W(72)) u_iv (.clk_i, .rst_ni, .valid_i(iv_v), .ready_o(iv_r),
    .data_i({iv_st, iv_pd, iv_q}));
  tb_src_item #(.ID(18), .W(4)) u_ivr (.clk_i, .rst_ni, .valid_o(ivr_v), .ready_i(1'b1), .data_o(ivr));
  tb_snk_pulse #(.ID(19), .W(16)) u_cf (.clk_i, .rst_ni, .valid_i(cf_v), .data_i(cf_q));

  logic idle;
  logic [9:0] stat;
  tb_snk_pulse #(.ID(20), .W(10)) u_stat (.clk_i, .rst_ni, .valid_i(|stat[7:0] || stat[9]), .data_i(stat));
  tb_snk_pulse #(.ID(21), .W(1)) u_idle (.clk_i, .rst_ni, .valid_i(1'b1), .data_i(idle));

  weft_rx #(.DATA_W(DATA_W), .N_QP(NQp), .INV_EN(1), .TEST_LATENCY(TEST_LATENCY)) u_dut (
    .clk_i, .rst_ni,
    .cfg_req_valid_i(cfg_req_valid), .cfg_req_ready_o(cfg_req_ready), .cfg_req_i(cfg_req),
    .cfg_rsp_valid_o(cfg_rsp_valid), .cfg_rsp_o(cfg_rsp),
    .seg_valid_i(seg_v), .seg_ready_o(seg_r), .seg_i(seg),
    .pay_valid_i(pay_v), .pay_ready_o(pay_r), .pay_data_i(pay_d), .pay_cnt_i(pay_c), .pay_last_i(pay_l),
    .rq_db_valid_i(db_v), .rq_db_qpn_i(db[31:16]), .rq_db_index_i(db[15:0]),
    .orq_valid_i(orq_v), .orq_ready_o(orq_r), .orq_i(orq),
    .irq_free_valid_i(fr_v), .irq_free_qpn_i(fr),
    .xl_req_valid_o(xq_v), .xl_req_ready_i(xq_r), .xl_req_o(xq),
    .xl_rsp_valid_i(xr_v), .xl_rsp_ready_o(xr_r), .xl_rsp_i(xr),
    .rd_req_valid_o(rq_v), .rd_req_ready_i(rq_r), .rd_req_o(rq),
    .rd_rsp_valid_i(rr_v), .rd_rsp_ready_o(rr_r), .rd_rsp_data_i(rr_d), .rd_rsp_cnt_i(rr_c),
    .rd_rsp_last_i(rr_l), .rd_rsp_err_i(rr_e),
    .wr_valid_o(wr_v), .wr_ready_i(wr_r), .wr_data_o(wr_d), .wr_cnt_o(wr_c), .wr_last_o(wr_l),
    .wr_hdr_o(wr_h),
    .irq_valid_o(irq_v), .irq_ready_i(irq_r), .irq_o(irq),
    .rd_done_valid_o(rd_v), .rd_done_ready_i(rd_r), .rd_done_qpn_o(rd),
    .commit_valid_o(cm_v), .commit_ready_i(cm_r), .commit_o(cm),
    .commit_first_valid_o(cf_v), .commit_first_qpn_o(cf_q),
    .ackreq_valid_o(ak_v), .ackreq_ready_i(ak_r), .ackreq_qpn_o(ak),
    .cqe_valid_o(cq_v), .cqe_ready_i(cq_r), .cqe_o(cq),
    .fwev_valid_o(ev_v), .fwev_ready_i(ev_r), .fwev_o(ev),
    .rxctx_valid_o(cx_v), .rxctx_ready_i(cx_r), .rxctx_qpn_o(cx_q), .rxctx_o(cx),
    .inv_valid_o(iv_v), .inv_ready_i(iv_r), .inv_qpn_o(iv_q), .inv_pd_o(iv_pd), .inv_stag_o(iv_st),
    .inv_rsp_valid_i(ivr_v), .inv_rsp_err_i(ivr),
    .idle_o(idle), .stat_drop_o(stat[0]), .stat_dup_o(stat[1]), .stat_gap_o(stat[2]),
    .stat_part_o(stat[3]), .stat_fpdu_o(stat[4]), .stat_fault_o(stat[5]), .stat_recv_o(stat[6]),
    .stat_flush_o(stat[7]), .stat_wqe_wait_o(stat[8]), .stat_fetch_o(stat[9])
  );

  logic unused;
  assign unused = pay_e ^ pay_s ^ rr_s;
endmodule
