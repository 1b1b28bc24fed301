// SPDX-License-Identifier: BSD-2-Clause
/// weft_l2 with two pairs of rings and a stream end on every port. Port numbers: enum in l2.c.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int CntW = $clog2(DATA_W / 8) + 1;

  logic cq_v, cq_r, cs_v, tdb_v, rdb_v, fw_v, fw_r, iq_v, iq_r, idle;
  weft_pkg::cfg_req_t cq;
  weft_pkg::cfg_rsp_t cs;
  logic [39:0] tdb, rdb;
  logic dq_v, dq_r, ds_v, ds_r, ds_l, ds_e, pq_v, pq_r, ps_v, ps_r, ps_l, ps_e;
  logic [80:0] dq, pq;
  logic pw_v, pw_r, pw_l, cw_v, cw_r, cw_l, m_v, m_r, rx_v, rx_r, rx_l, rx_e, tx_v, tx_r, tx_l;
  logic [79:0] pw_h, cw_h;
  logic [489:0] m;
  logic [DATA_W-1:0] ds_d, ps_d, pw_d, cw_d, rx_d, tx_d;
  logic [CntW-1:0] ds_c, ps_c, pw_c, cw_c, rx_c, tx_c;
  logic [10:0] iq;
  logic [511:0] fw;
  logic s_tx, s_txe, s_rx, s_de, s_dl, s_dd;
  logic [2:0] unused_side;

  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(cq_v), .cfg_req_ready_i(cq_r), .cfg_req_o(cq),
    .cfg_rsp_valid_i(cs_v), .cfg_rsp_i(cs));
  tb_src_item #(.ID(1), .W(40)) u_tdb (.clk_i, .rst_ni, .valid_o(tdb_v), .ready_i(1'b1), .data_o(tdb));
  tb_src_item #(.ID(2), .W(40)) u_rdb (.clk_i, .rst_ni, .valid_o(rdb_v), .ready_i(1'b1), .data_o(rdb));
  tb_snk_item #(.ID(3), .W(81)) u_dq (.clk_i, .rst_ni, .valid_i(dq_v), .ready_o(dq_r), .data_i(dq));
  tb_src_stream #(.ID(4), .DATA_W(DATA_W)) u_ds (.clk_i, .rst_ni, .valid_o(ds_v), .ready_i(ds_r),
    .data_o(ds_d), .cnt_o(ds_c), .last_o(ds_l), .err_o(ds_e), .side_o(unused_side[0]));
  tb_snk_item #(.ID(5), .W(81)) u_pq (.clk_i, .rst_ni, .valid_i(pq_v), .ready_o(pq_r), .data_i(pq));
  tb_src_stream #(.ID(6), .DATA_W(DATA_W)) u_ps (.clk_i, .rst_ni, .valid_o(ps_v), .ready_i(ps_r),
    .data_o(ps_d), .cnt_o(ps_c), .last_o(ps_l), .err_o(ps_e), .side_o(unused_side[1]));
  tb_snk_stream #(.ID(7), .DATA_W(DATA_W), .SIDE_W(80)) u_pw (.clk_i, .rst_ni, .valid_i(pw_v), .ready_o(pw_r),
    .data_i(pw_d), .cnt_i(pw_c), .last_i(pw_l), .err_i(1'b0), .side_i(pw_h));
  tb_snk_stream #(.ID(8), .DATA_W(DATA_W), .SIDE_W(80)) u_cw (.clk_i, .rst_ni, .valid_i(cw_v), .ready_o(cw_r),
    .data_i(cw_d), .cnt_i(cw_c), .last_i(cw_l), .err_i(1'b0), .side_i(cw_h));
  tb_snk_item #(.ID(9), .W(11)) u_iq (.clk_i, .rst_ni, .valid_i(iq_v), .ready_o(iq_r), .data_i(iq));
  tb_src_item #(.ID(10), .W(490)) u_m (.clk_i, .rst_ni, .valid_o(m_v), .ready_i(m_r), .data_o(m));
  tb_src_stream #(.ID(11), .DATA_W(DATA_W)) u_rx (.clk_i, .rst_ni, .valid_o(rx_v), .ready_i(rx_r),
    .data_o(rx_d), .cnt_o(rx_c), .last_o(rx_l), .err_o(rx_e), .side_o(unused_side[2]));
  tb_snk_stream #(.ID(12), .DATA_W(DATA_W)) u_tx (.clk_i, .rst_ni, .valid_i(tx_v), .ready_o(tx_r),
    .data_i(tx_d), .cnt_i(tx_c), .last_i(tx_l), .err_i(1'b0), .side_i(1'b0));
  tb_snk_item #(.ID(13), .W(512)) u_fw (.clk_i, .rst_ni, .valid_i(fw_v), .ready_o(fw_r), .data_i(fw));
  tb_snk_pulse #(.ID(14), .W(7)) u_state (.clk_i, .rst_ni, .valid_i(1'b1),
    .data_i({s_dd, s_dl, s_de, s_rx, s_txe, s_tx, idle}));

  weft_l2 #(.DATA_W(DATA_W), .N_L2Q(2)) u_dut (
    .clk_i, .rst_ni,
    .cfg_req_valid_i(cq_v), .cfg_req_ready_o(cq_r), .cfg_req_i(cq), .cfg_rsp_valid_o(cs_v), .cfg_rsp_o(cs),
    .l2_tx_db_valid_i(tdb_v), .l2_tx_db_id_i(tdb[23:0]), .l2_tx_db_index_i(tdb[39:24]),
    .l2_rx_db_valid_i(rdb_v), .l2_rx_db_id_i(rdb[23:0]), .l2_rx_db_index_i(rdb[39:24]),
    .desc_rd_req_valid_o(dq_v), .desc_rd_req_ready_i(dq_r), .desc_rd_req_o(dq),
    .desc_rd_rsp_valid_i(ds_v), .desc_rd_rsp_ready_o(ds_r), .desc_rd_rsp_data_i(ds_d),
    .desc_rd_rsp_cnt_i(ds_c), .desc_rd_rsp_last_i(ds_l), .desc_rd_rsp_err_i(ds_e),
    .pay_rd_req_valid_o(pq_v), .pay_rd_req_ready_i(pq_r), .pay_rd_req_o(pq),
    .pay_rd_rsp_valid_i(ps_v), .pay_rd_rsp_ready_o(ps_r), .pay_rd_rsp_data_i(ps_d),
    .pay_rd_rsp_cnt_i(ps_c), .pay_rd_rsp_last_i(ps_l), .pay_rd_rsp_err_i(ps_e),
    .pay_wr_valid_o(pw_v), .pay_wr_ready_i(pw_r), .pay_wr_hdr_o(pw_h), .pay_wr_data_o(pw_d),
    .pay_wr_cnt_o(pw_c), .pay_wr_last_o(pw_l),
    .cpl_wr_valid_o(cw_v), .cpl_wr_ready_i(cw_r), .cpl_wr_hdr_o(cw_h), .cpl_wr_data_o(cw_d),
    .cpl_wr_cnt_o(cw_c), .cpl_wr_last_o(cw_l),
    .irq_valid_o(iq_v), .irq_ready_i(iq_r), .irq_vector_o(iq),
    .rx_meta_valid_i(m_v), .rx_meta_ready_o(m_r), .rx_meta_i(m),
    .rx_valid_i(rx_v), .rx_ready_o(rx_r), .rx_data_i(rx_d), .rx_cnt_i(rx_c), .rx_last_i(rx_l),
    .tx_valid_o(tx_v), .tx_ready_i(tx_r), .tx_data_o(tx_d), .tx_cnt_o(tx_c), .tx_last_o(tx_l),
    .fwev_valid_o(fw_v), .fwev_ready_i(fw_r), .fwev_o(fw), .idle_o(idle),
    .stat_tx_frame_o(s_tx), .stat_tx_err_o(s_txe), .stat_rx_frame_o(s_rx),
    .stat_rx_drop_empty_o(s_de), .stat_rx_drop_long_o(s_dl), .stat_rx_desc_err_o(s_dd)
  );

  // Answers to payload reads never wait: other clients of the bus would wait with us.
  always @(posedge clk_i) if (rst_ni) assert (!ps_v || ps_r);
endmodule
