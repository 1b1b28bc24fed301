// SPDX-License-Identifier: BSD-2-Clause
/// Room qp between ports of the test: every stream with random back-pressure.
module tb #(
  parameter int DATA_W = 64,
  parameter int N_QP = 64,
  parameter int TEST_LATENCY = 0
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function longint unsigned tb_now();
  import "DPI-C" function void qp_state(input int idle, input int dl_valid, input longint unsigned dl);
  import "DPI-C" function void qp_stat(input int bits);

  localparam int CntW = $clog2(DATA_W / 8) + 1;
  logic [63:0] now;
  always @(posedge clk_i) now <= tb_now();

  logic irq_v, irq_r, ack_v, ack_r, rdd_v, rdd_r, te_v, te_r, seg_v, seg_r, src_v, src_r, inl_v, inl_r, inl_l;
  logic orq_v, orq_r, cqe_v, cqe_r, ev_v, ev_r, rq_v, rq_r, rd_v, rd_r, rd_l, rd_e, db_v, cf_v, fr_v, dl_v, idle;
  logic cfg_v, cfg_r, cfg_rv;
  weft_pkg::cfg_req_t cfg_q;
  weft_pkg::cfg_rsp_t cfg_a;
  weft_pkg::irq_t irq;
  weft_pkg::rx_ack_t ack;
  weft_pkg::tx_err_t te;
  weft_pkg::tx_seg_t seg;
  weft_pkg::tx_src_t src;
  weft_pkg::orq_t orq;
  weft_pkg::cqe_req_t cqe;
  weft_pkg::fw_ev_t ev;
  weft_pkg::dma_rd_req_t rq;
  logic [15:0] rdd, cf, fr;
  logic [31:0] db;
  logic [63:0] dl;
  logic [DATA_W-1:0] inl_d, rd_d;
  logic [CntW-1:0] inl_c, rd_c;
  logic [9:0] st;

  tb_src_item #(.ID(0), .W($bits(irq))) u_irq (.clk_i, .rst_ni, .valid_o(irq_v), .ready_i(irq_r), .data_o(irq));
  tb_src_item #(.ID(1), .W($bits(ack))) u_ack (.clk_i, .rst_ni, .valid_o(ack_v), .ready_i(ack_r), .data_o(ack));
  tb_src_item #(.ID(2), .W(16)) u_rdd (.clk_i, .rst_ni, .valid_o(rdd_v), .ready_i(rdd_r), .data_o(rdd));
  tb_src_item #(.ID(3), .W($bits(te))) u_te (.clk_i, .rst_ni, .valid_o(te_v), .ready_i(te_r), .data_o(te));
  tb_snk_item #(.ID(4), .W($bits(seg))) u_seg (.clk_i, .rst_ni, .valid_i(seg_v), .ready_o(seg_r), .data_i(seg));
  tb_snk_item #(.ID(5), .W($bits(src))) u_src (.clk_i, .rst_ni, .valid_i(src_v), .ready_o(src_r), .data_i(src));
  tb_snk_stream #(.ID(6), .DATA_W(DATA_W)) u_inl (.clk_i, .rst_ni, .valid_i(inl_v), .ready_o(inl_r), .data_i(inl_d),
    .cnt_i(inl_c), .last_i(inl_l), .err_i(1'b0), .side_i(1'b0));
  tb_snk_item #(.ID(7), .W($bits(orq))) u_orq (.clk_i, .rst_ni, .valid_i(orq_v), .ready_o(orq_r), .data_i(orq));
  tb_snk_item #(.ID(8), .W($bits(cqe))) u_cqe (.clk_i, .rst_ni, .valid_i(cqe_v), .ready_o(cqe_r), .data_i(cqe));
  tb_snk_item #(.ID(9), .W(512)) u_ev (.clk_i, .rst_ni, .valid_i(ev_v), .ready_o(ev_r), .data_i(ev));
  tb_snk_item #(.ID(10), .W($bits(rq))) u_rq (.clk_i, .rst_ni, .valid_i(rq_v), .ready_o(rq_r), .data_i(rq));
  tb_src_stream #(.ID(11), .DATA_W(DATA_W)) u_rd (.clk_i, .rst_ni, .valid_o(rd_v), .ready_i(rd_r), .data_o(rd_d),
    .cnt_o(rd_c), .last_o(rd_l), .err_o(rd_e), .side_o());
  tb_snk_pulse #(.ID(12), .W(16)) u_fr (.clk_i, .rst_ni, .valid_i(fr_v), .data_i(fr));
  tb_src_item #(.ID(13), .W(32)) u_db (.clk_i, .rst_ni, .valid_o(db_v), .ready_i(1'b1), .data_o(db));
  tb_src_item #(.ID(14), .W(16)) u_cf (.clk_i, .rst_ni, .valid_o(cf_v), .ready_i(1'b1), .data_o(cf));
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(cfg_v), .cfg_req_ready_i(cfg_r), .cfg_req_o(cfg_q),
    .cfg_rsp_valid_i(cfg_rv), .cfg_rsp_i(cfg_a));

  weft_qp_tx #(.DATA_W(DATA_W), .N_QP(N_QP), .LOG_DEPTH(16), .IRQ_DEPTH(8), .TICK_SHIFT(10), .TIMER_SLOTS(64),
    .TEST_LATENCY(TEST_LATENCY)) u_dut (
    .clk_i, .rst_ni, .now_ns_i(now), .deadline_valid_o(dl_v), .deadline_ns_o(dl), .idle_o(idle),
    .min_rto_us_i(32'd30), .max_retries_i(8'd9),
    .cfg_req_valid_i(cfg_v), .cfg_req_ready_o(cfg_r), .cfg_req_i(cfg_q), .cfg_rsp_valid_o(cfg_rv), .cfg_rsp_o(cfg_a),
    .fwev_valid_o(ev_v), .fwev_ready_i(ev_r), .fwev_o(ev),
    .sq_db_valid_i(db_v), .sq_db_qpn_i(db[15:0]), .sq_db_index_i(db[31:16]),
    .irq_valid_i(irq_v), .irq_ready_o(irq_r), .irq_i(irq),
    .ack_valid_i(ack_v), .ack_ready_o(ack_r), .ack_i(ack),
    .commit_first_valid_i(cf_v), .commit_first_qpn_i(cf),
    .rd_done_valid_i(rdd_v), .rd_done_ready_o(rdd_r), .rd_done_qpn_i(rdd),
    .txerr_valid_i(te_v), .txerr_ready_o(te_r), .txerr_i(te),
    .seg_valid_o(seg_v), .seg_ready_i(seg_r), .seg_o(seg), .src_valid_o(src_v), .src_ready_i(src_r), .src_o(src),
    .inl_valid_o(inl_v), .inl_ready_i(inl_r), .inl_data_o(inl_d), .inl_cnt_o(inl_c), .inl_last_o(inl_l),
    .orq_valid_o(orq_v), .orq_ready_i(orq_r), .orq_o(orq),
    .irq_free_valid_o(fr_v), .irq_free_qpn_o(fr), .cqe_valid_o(cqe_v), .cqe_ready_i(cqe_r), .cqe_o(cqe),
    .rd_req_valid_o(rq_v), .rd_req_ready_i(rq_r), .rd_req_o(rq),
    .rd_valid_i(rd_v), .rd_ready_o(rd_r), .rd_data_i(rd_d), .rd_cnt_i(rd_c), .rd_last_i(rd_l), .rd_err_i(rd_e),
    .stat_seg_o(st[0]), .stat_rexmit_o(st[1]), .stat_block_o(st[2]), .stat_fetch_o(st[3]), .stat_bad_wqe_o(st[4]),
    .stat_dup_ack_o(st[5]), .stat_bad_ack_o(st[6]), .stat_fast_o(st[7]), .stat_rto_o(st[8]), .stat_flush_o(st[9])
  );

  always @(posedge clk_i) begin
    if (rst_ni) begin
      qp_state(int'(idle), int'(dl_v), dl);
      if (st != '0) qp_stat(int'(st));
    end
  end
endmodule
