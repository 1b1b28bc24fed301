// SPDX-License-Identifier: BSD-2-Clause

/// weft_ctx_fw between the configuration bus, ctx and four rooms. Port numbers as in fw.c.
module tb #(
  parameter int unsigned DATA_W = 128
) (
  input logic clk_i,
  input logic rst_ni
);
  logic q_v, q_r, r_v, chv, chw, hv, hr, av, nv, nr, hav, arv, dv, ev, er, idle, hev, her;
  weft_pkg::cfg_req_t q;
  weft_pkg::cfg_rsp_t r;
  logic [1:0] chi;
  logic [63:0] cha;
  logic [2:0] hk;
  logic [23:0] hq, heq;
  logic [27:0] ans;
  weft_dp_pkg::need_t need;
  weft_dp_pkg::have_t have;
  weft_dp_pkg::arrive_t arrive;
  logic [11:0] ds;
  logic [3:0] dn, cv, cr;
  weft_dp_pkg::ctx_cmd_t cmd;
  weft_dp_pkg::ctx_ev_t e;

  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(q_v), .cfg_req_ready_i(q_r), .cfg_req_o(q), .cfg_rsp_valid_i(r_v),
    .cfg_rsp_i(r));
  tb_snk_pulse #(.ID(0), .W(67)) u_chunk (.clk_i, .rst_ni, .valid_i(chw), .data_i({chv, chi, cha}));
  tb_snk_item #(.ID(1), .W(27)) u_home (.clk_i, .rst_ni, .valid_i(hv), .ready_o(hr), .data_i({hk, hq}));
  tb_src_item #(.ID(2), .W(28)) u_ans (.clk_i, .rst_ni, .valid_o(av), .ready_i(1'b1), .data_o(ans));
  tb_snk_item #(.ID(3), .W(25)) u_need (.clk_i, .rst_ni, .valid_i(nv), .ready_o(nr), .data_i(need));
  tb_src_item #(.ID(4), .W(44)) u_have (.clk_i, .rst_ni, .valid_o(hav), .ready_i(1'b1), .data_o(have));
  tb_src_item #(.ID(5), .W(44)) u_arrive (.clk_i, .rst_ni, .valid_o(arv), .ready_i(1'b1), .data_o(arrive));
  tb_snk_pulse #(.ID(6), .W(16)) u_drop (.clk_i, .rst_ni, .valid_i(dv), .data_i({ds, dn}));
  for (genvar i = 0; i < 4; i++) begin : gen_room
    tb_snk_item #(.ID(7 + i), .W(56)) u_cmd (.clk_i, .rst_ni, .valid_i(cv[i]), .ready_o(cr[i]), .data_i(cmd));
  end
  tb_snk_item #(.ID(11), .W(488)) u_ev (.clk_i, .rst_ni, .valid_i(ev), .ready_o(er), .data_i(e));
  tb_src_item #(.ID(13), .W(24)) u_held (.clk_i, .rst_ni, .valid_o(hev), .ready_i(her), .data_o(heq));
  tb_snk_pulse #(.ID(12), .W(1)) u_state (.clk_i, .rst_ni, .valid_i(1'b1), .data_i(idle));

  weft_ctx_fw #(.N_QP(4096), .DEPTH(8), .TRIES(63)) dut (
    .clk_i, .rst_ni, .cfg_req_valid_i(q_v && q.addr[27:22] == weft_abi_pkg::ROOM_CTX), .cfg_req_ready_o(q_r), .cfg_req_i(q),
    .cfg_rsp_valid_o(r_v), .cfg_rsp_o(r), .chunk_we_o(chw), .chunk_idx_o(chi), .chunk_valid_o(chv), .chunk_addr_o(cha),
    .home_valid_o(hv), .home_ready_i(hr), .home_o(hk), .home_qpn_o(hq),
    .ans_valid_i(av), .ans_i(ans[27:25]), .ans_qpn_i(ans[24:1]), .ans_ok_i(ans[0]),
    .need_valid_o(nv), .need_ready_i(nr), .need_o(need), .have_valid_i(hav), .have_i(have),
    .arrive_valid_i(arv), .arrive_i(arrive), .drop_valid_o(dv), .drop_slot_o(ds), .drop_n_o(dn),
    .held_valid_i(hev), .held_ready_o(her), .held_qpn_i(heq),
    .cmd_valid_o(cv), .cmd_ready_i(cr), .cmd_o(cmd), .ev_valid_o(ev), .ev_ready_i(er), .ev_o(e), .idle_o(idle)
  );
  initial if ($bits(weft_dp_pkg::ctx_ev_t) != 488) $fatal(1, "tb: ctx_ev_t has %0d bits", $bits(weft_dp_pkg::ctx_ev_t));
endmodule
