// SPDX-License-Identifier: BSD-2-Clause
/// weft_tcp_tx with a stream end on every port. Port numbers: enum in tcp_tx.c.
module tb #(
  parameter int DATA_W = 64,
  parameter int TEST_LATENCY = 0
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function longint unsigned tb_now();
  localparam int CntW = $clog2(DATA_W / 8) + 1;

  logic [63:0] now_ns;
  always @(posedge clk_i) now_ns <= tb_now();

  logic seg_v, seg_r, src_v, src_r, xq_v, xq_r, xs_v, xs_r, rq_v, rq_r, rs_v, rs_r, rs_l, rs_e;
  logic com_v, com_r, ar_v, ar_r, te_v, te_r, inl_v, inl_r, inl_l, inl_e, f_v, f_r, f_l;
  logic [249:0] seg;
  logic [163:0] src;
  logic [160:0] xq;
  logic [84:0] xs;
  logic [80:0] rq;
  logic [49:0] com;
  logic [15:0] ar;
  logic [69:0] te;
  logic [DATA_W-1:0] rs_d, inl_d, f_d;
  logic [CntW-1:0] rs_c, inl_c, f_c;
  logic conn_v, conn_r, l2e_v, rx_v, rx_r, dl_v, idle;
  logic [527:0] conn, rx;
  logic [143:0] l2e;
  logic [63:0] dl;
  logic st_seg, st_ack, st_drop, st_err, st_void, st_cred, st_buf, unused_side0, unused_side1;

  tb_src_item #(.ID(0), .W(250)) u_seg (.clk_i, .rst_ni, .valid_o(seg_v), .ready_i(seg_r), .data_o(seg));
  tb_src_item #(.ID(1), .W(164)) u_src (.clk_i, .rst_ni, .valid_o(src_v), .ready_i(src_r), .data_o(src));
  tb_src_stream #(.ID(2), .DATA_W(DATA_W)) u_inl (.clk_i, .rst_ni, .valid_o(inl_v), .ready_i(inl_r),
    .data_o(inl_d), .cnt_o(inl_c), .last_o(inl_l), .err_o(inl_e), .side_o(unused_side0));
  tb_snk_item #(.ID(3), .W(161)) u_xq (.clk_i, .rst_ni, .valid_i(xq_v), .ready_o(xq_r), .data_i(xq));
  tb_src_item #(.ID(4), .W(85)) u_xs (.clk_i, .rst_ni, .valid_o(xs_v), .ready_i(xs_r), .data_o(xs));
  tb_snk_item #(.ID(5), .W(81)) u_rq (.clk_i, .rst_ni, .valid_i(rq_v), .ready_o(rq_r), .data_i(rq));
  tb_src_stream #(.ID(6), .DATA_W(DATA_W)) u_rs (.clk_i, .rst_ni, .valid_o(rs_v), .ready_i(rs_r),
    .data_o(rs_d), .cnt_o(rs_c), .last_o(rs_l), .err_o(rs_e), .side_o(unused_side1));
  tb_src_item #(.ID(7), .W(50)) u_com (.clk_i, .rst_ni, .valid_o(com_v), .ready_i(com_r), .data_o(com));
  tb_src_item #(.ID(8), .W(16)) u_ar (.clk_i, .rst_ni, .valid_o(ar_v), .ready_i(ar_r), .data_o(ar));
  tb_snk_item #(.ID(9), .W(70)) u_te (.clk_i, .rst_ni, .valid_i(te_v), .ready_o(te_r), .data_i(te));
  tb_snk_stream #(.ID(10), .DATA_W(DATA_W)) u_frm (.clk_i, .rst_ni, .valid_i(f_v), .ready_o(f_r),
    .data_i(f_d), .cnt_i(f_c), .last_i(f_l), .err_i(1'b0), .side_i(1'b0));
  tb_src_item #(.ID(11), .W(528)) u_conn (.clk_i, .rst_ni, .valid_o(conn_v), .ready_i(conn_r), .data_o(conn));
  tb_src_item #(.ID(12), .W(144)) u_l2e (.clk_i, .rst_ni, .valid_o(l2e_v), .ready_i(1'b1), .data_o(l2e));
  tb_src_item #(.ID(13), .W(528)) u_rx (.clk_i, .rst_ni, .valid_o(rx_v), .ready_i(rx_r), .data_o(rx));
  tb_snk_pulse #(.ID(14), .W(73)) u_state (.clk_i, .rst_ni, .valid_i(1'b1),
    .data_i({st_buf, st_cred, st_void, st_err, st_drop, st_ack, st_seg, idle, dl_v, dl}));

  weft_tcp_tx #(.DATA_W(DATA_W), .N_QP(16), .N_L2(8), .TEST_LATENCY(TEST_LATENCY)) u_dut (
    .clk_i, .rst_ni, .now_ns_i(now_ns),
    .seg_valid_i(seg_v), .seg_ready_o(seg_r), .seg_i(seg),
    .src_valid_i(src_v), .src_ready_o(src_r), .src_i(src),
    .inl_valid_i(inl_v), .inl_ready_o(inl_r), .inl_data_i(inl_d), .inl_cnt_i(inl_c), .inl_last_i(inl_l),
    .xl_req_valid_o(xq_v), .xl_req_ready_i(xq_r), .xl_req_o(xq),
    .xl_rsp_valid_i(xs_v), .xl_rsp_ready_o(xs_r), .xl_rsp_i(xs),
    .rd_req_valid_o(rq_v), .rd_req_ready_i(rq_r), .rd_req_o(rq),
    .rd_rsp_valid_i(rs_v), .rd_rsp_ready_o(rs_r), .rd_rsp_data_i(rs_d), .rd_rsp_cnt_i(rs_c),
    .rd_rsp_last_i(rs_l), .rd_rsp_err_i(rs_e),
    .commit_valid_i(com_v), .commit_ready_o(com_r), .commit_i(com),
    .ackreq_valid_i(ar_v), .ackreq_ready_o(ar_r), .ackreq_qpn_i(ar),
    .conn_valid_i(conn_v), .conn_ready_o(conn_r), .conn_qpn_i(conn[527:512]), .conn_i(conn[511:0]),
    .l2e_we_i(l2e_v), .l2e_index_i(l2e[143:128]), .l2e_i(l2e[127:0]),
    .rxctx_valid_i(rx_v), .rxctx_ready_o(rx_r), .rxctx_qpn_i(rx[527:512]), .rxctx_i(rx[511:0]),
    .frm_valid_o(f_v), .frm_ready_i(f_r), .frm_data_o(f_d), .frm_cnt_o(f_c), .frm_last_o(f_l),
    .txerr_valid_o(te_v), .txerr_ready_i(te_r), .txerr_o(te),
    .deadline_ns_o(dl), .deadline_valid_o(dl_v), .idle_o(idle),
    .stat_seg_o(st_seg), .stat_ack_o(st_ack), .stat_drop_o(st_drop), .stat_err_o(st_err),
    .stat_void_o(st_void), .stat_credit_stall_o(st_cred), .stat_buf_stall_o(st_buf)
  );

  // Payload answers never wait: other clients of the bus would wait with us.
  always @(posedge clk_i) if (rst_ni) assert (!rs_v || rs_r);
endmodule
