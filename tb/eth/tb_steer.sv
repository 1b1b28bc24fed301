// SPDX-License-Identifier: BSD-2-Clause
/// weft_eth_rx and weft_steer behind it. Ports: 0 wire, 1 ack, 2 seg, 3 payload, 4 firmware, 5 L2 meta, 6 L2 frame,
/// 7 ctx_conn given out, 8 l2e given out, 9 counters, 10 idle.
module tb #(
  parameter int DATA_W = 64,
  parameter int TEST_LATENCY = 0
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int CntW = $clog2(DATA_W / 8) + 1;

  // one bus master, three rooms
  logic q_v, q_r, s_v;
  weft_pkg::cfg_req_t q;
  weft_pkg::cfg_rsp_t s;
  weft_pkg::cfg_rsp_t [2:0] rsp;
  logic [2:0] rv, rr, rsv;
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(q_v), .cfg_req_ready_i(q_r), .cfg_req_o(q),
    .cfg_rsp_valid_i(s_v), .cfg_rsp_i(s));
  assign rv  = {q_v && q.addr[27:22] == weft_abi_pkg::ROOM_STEER, q_v && q.addr[27:22] == weft_abi_pkg::ROOM_L2T,
                q_v && q.addr[27:22] == weft_abi_pkg::ROOM_CONN};
  assign q_r = |(rv & rr);
  assign s_v = |rsv;
  assign s   = rsv[0] ? rsp[0] : rsv[1] ? rsp[1] : rsp[2];

  logic w_v, w_r, w_l, w_e, w_s;
  logic [DATA_W-1:0] w_d;
  logic [CntW-1:0] w_c;
  tb_src_stream #(.ID(0), .DATA_W(DATA_W)) u_w (.clk_i, .rst_ni, .valid_o(w_v), .ready_i(w_r), .data_o(w_d),
    .cnt_o(w_c), .last_o(w_l), .err_o(w_e), .side_o(w_s));

  logic m_v, m_r, f_v, f_r, f_l, rx_idle, st_idle;
  weft_pkg::rx_meta_t m;
  logic [DATA_W-1:0] f_d;
  logic [CntW-1:0] f_c;
  logic [8:0] st;
  logic pause;
  weft_eth_rx #(.DATA_W(DATA_W)) u_rx (.clk_i, .rst_ni,
    .eth_rx_valid_i(w_v), .eth_rx_ready_o(w_r), .eth_rx_data_i(w_d), .eth_rx_cnt_i(w_c), .eth_rx_last_i(w_l),
    .eth_rx_err_i(w_e), .eth_rx_pause_o(pause), .meta_valid_o(m_v), .meta_ready_i(m_r), .meta_o(m), .frm_valid_o(f_v), .frm_ready_i(f_r),
    .frm_data_o(f_d), .frm_cnt_o(f_c), .frm_last_o(f_l), .idle_o(rx_idle), .stat_frame_o(st[0]),
    .stat_drop_full_o(st[1]), .stat_drop_bad_o(st[2]));

  logic a_v, a_r, g_v, g_r, p_v, p_r, p_l, k_v, k_r, k_l, lm_v, lm_r, l_v, l_r, l_l, c_v, c_r, e_v;
  weft_pkg::rx_ack_t a;
  weft_pkg::rx_seg_t g;
  weft_pkg::rx_meta_t lm;
  weft_abi_pkg::ctx_conn_t c;
  weft_abi_pkg::l2e_t e;
  logic [DATA_W-1:0] p_d, k_d, l_d;
  logic [CntW-1:0] p_c, k_c, l_c;
  logic [15:0] k_q, c_q, e_i;
  logic [3:0] k_n;
  weft_steer #(.DATA_W(DATA_W), .N_QP(32), .N_L2(16), .TEST_LATENCY(TEST_LATENCY)) u_steer (.clk_i, .rst_ni,
    .cfg_req_valid_i(rv), .cfg_req_ready_o(rr), .cfg_req_i(q), .cfg_rsp_valid_o(rsv), .cfg_rsp_o(rsp),
    .meta_valid_i(m_v), .meta_ready_o(m_r), .meta_i(m), .frm_valid_i(f_v), .frm_ready_o(f_r), .frm_data_i(f_d),
    .frm_cnt_i(f_c), .frm_last_i(f_l),
    .ack_valid_o(a_v), .ack_ready_i(a_r), .ack_o(a), .seg_valid_o(g_v), .seg_ready_i(g_r), .seg_o(g),
    .pay_valid_o(p_v), .pay_ready_i(p_r), .pay_data_o(p_d), .pay_cnt_o(p_c), .pay_last_o(p_l),
    .fw_valid_o(k_v), .fw_ready_i(k_r), .fw_data_o(k_d), .fw_cnt_o(k_c), .fw_last_o(k_l), .fw_qpn_o(k_q),
    .fw_reason_o(k_n),
    .l2_meta_valid_o(lm_v), .l2_meta_ready_i(lm_r), .l2_meta_o(lm), .l2_valid_o(l_v), .l2_ready_i(l_r),
    .l2_data_o(l_d), .l2_cnt_o(l_c), .l2_last_o(l_l),
    .conn_valid_o(c_v), .conn_ready_i(c_r), .conn_qpn_o(c_q), .conn_o(c), .l2e_we_o(e_v), .l2e_index_o(e_i), .l2e_o(e),
    .idle_o(st_idle), .stat_rdma_o(st[3]), .stat_fw_o(st[4]), .stat_l2_o(st[5]), .stat_drop_csum_o(st[6]),
    .stat_drop_addr_o(st[7]), .stat_drop_full_o(st[8]));

  tb_snk_item #(.ID(1), .W(65)) u_a (.clk_i, .rst_ni, .valid_i(a_v), .ready_o(a_r), .data_i(a));
  tb_snk_item #(.ID(2), .W(65)) u_g (.clk_i, .rst_ni, .valid_i(g_v), .ready_o(g_r), .data_i(g));
  tb_snk_stream #(.ID(3), .DATA_W(DATA_W)) u_p (.clk_i, .rst_ni, .valid_i(p_v), .ready_o(p_r), .data_i(p_d),
    .cnt_i(p_c), .last_i(p_l), .err_i(1'b0), .side_i(1'b0));
  tb_snk_stream #(.ID(4), .DATA_W(DATA_W), .SIDE_W(20)) u_k (.clk_i, .rst_ni, .valid_i(k_v), .ready_o(k_r),
    .data_i(k_d), .cnt_i(k_c), .last_i(k_l), .err_i(1'b0), .side_i({k_n, k_q}));
  tb_snk_item #(.ID(5), .W(489)) u_lm (.clk_i, .rst_ni, .valid_i(lm_v), .ready_o(lm_r), .data_i(lm));
  tb_snk_stream #(.ID(6), .DATA_W(DATA_W)) u_l (.clk_i, .rst_ni, .valid_i(l_v), .ready_o(l_r), .data_i(l_d),
    .cnt_i(l_c), .last_i(l_l), .err_i(1'b0), .side_i(1'b0));
  tb_snk_item #(.ID(7), .W(528)) u_c (.clk_i, .rst_ni, .valid_i(c_v), .ready_o(c_r), .data_i({c, c_q}));
  tb_snk_pulse #(.ID(8), .W(144)) u_e (.clk_i, .rst_ni, .valid_i(e_v), .data_i({e, e_i}));
  tb_snk_pulse #(.ID(9), .W(9)) u_st (.clk_i, .rst_ni, .valid_i(|st), .data_i(st));
  tb_snk_pulse #(.ID(10), .W(2)) u_i (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({pause, rx_idle && st_idle}));

  logic unused;
  assign unused = w_s;
endmodule
