// SPDX-License-Identifier: BSD-2-Clause

/// weft_tpt between two clients and two page list readers. Ports as in tpt.c.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned TEST_LATENCY = 0
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;

  logic [1:0] rq_v, rq_r, rs_v, rs_r, dq_v, dq_r, dr_v, dr_r, dr_l, dr_e, hit, miss, err;
  weft_pkg::xlate_req_t [1:0] rq;
  weft_pkg::xlate_rsp_t [1:0] rs;
  weft_pkg::dma_rd_req_t [1:0] dq;
  logic [1:0][DATA_W-1:0] dr_d;
  logic [1:0][CntW-1:0] dr_c;
  logic [1:0] dr_s;
  logic cq_v, cq_r, cr_v, idle;
  weft_pkg::cfg_req_t cq;
  weft_pkg::cfg_rsp_t cr;

  for (genvar p = 0; p < 2; p++) begin : gen_port
    tb_src_item #(.ID(p), .W(162)) u_rq (
      .clk_i, .rst_ni, .valid_o(rq_v[p]), .ready_i(rq_r[p]), .data_o(rq[p])
    );
    tb_snk_item #(.ID(2 + p), .W(87)) u_rs (
      .clk_i, .rst_ni, .valid_i(rs_v[p]), .ready_o(rs_r[p]), .data_i({rs_e[p], rs[p]})
    );
    tb_snk_pulse #(.ID(11 + p), .W(1)) u_take (.clk_i, .rst_ni, .valid_i(rq_v[p] && rq_r[p]), .data_i(1'b0));
    tb_snk_item #(.ID(4 + p), .W(81)) u_dq (
      .clk_i, .rst_ni, .valid_i(dq_v[p]), .ready_o(dq_r[p]), .data_i(dq[p])
    );
    tb_src_stream #(.ID(6 + p), .DATA_W(DATA_W), .SIDE_W(1)) u_dr (
      .clk_i, .rst_ni, .valid_o(dr_v[p]), .ready_i(dr_r[p]), .data_o(dr_d[p]), .cnt_o(dr_c[p]),
      .last_o(dr_l[p]), .err_o(dr_e[p]), .side_o(dr_s[p])
    );
  end

  // Leaves: up to three in a cycle. When an entry goes is seen inside.
  logic lv_v, dn_v, dn_r, gone;
  logic [8:0] lv;
  logic [15:0] dn;
  logic [1:0][1:0] rs_e;
  tb_src_item #(.ID(9), .W(9)) u_lv (.clk_i, .rst_ni, .valid_o(lv_v), .ready_i(1'b1), .data_o(lv));
  tb_snk_item #(.ID(10), .W(16)) u_dn (.clk_i, .rst_ni, .valid_i(dn_v), .ready_o(dn_r), .data_i(dn));
  assign gone = u_tpt.commit_valid && u_tpt.commit_ready && !u_tpt.commit_refused
                && u_tpt.commit_data[weft_abi_pkg::TPT_STATE_LSB +: 2] != weft_abi_pkg::TPT_STATE_VALID;
  tb_snk_pulse #(.ID(13), .W(1)) u_gone (.clk_i, .rst_ni, .valid_i(gone), .data_i(1'b0));

  // Operations: what an stag_op_t of them says, and the answer in its cycle.
  logic op_v, op_r;
  logic [594:0] opb;
  logic [15:0] op_seq, op_done;
  weft_dp_pkg::stag_op_t op;
  weft_pkg::xl_err_e op_err;
  tb_src_item #(.ID(14), .W(595)) u_op (.clk_i, .rst_ni, .valid_o(op_v), .ready_i(op_r), .data_o(opb));
  tb_snk_pulse #(.ID(15), .W(20)) u_opa (.clk_i, .rst_ni, .valid_i(op_r), .data_i({op_seq, op_err}));
  always_comb begin
    op = '0;
    {op.who.qpn, op.op, op.stag, op.pd, op.entry} = opb;
  end

  tb_cfg u_cfg (
    .clk_i, .rst_ni, .cfg_req_valid_o(cq_v), .cfg_req_ready_i(cq_r), .cfg_req_o(cq), .cfg_rsp_valid_i(cr_v),
    .cfg_rsp_i(cr)
  );

  weft_tpt #(.DATA_W(DATA_W), .N_STAG(64), .LINES(32), .TEST_LATENCY(TEST_LATENCY), .EPOCHS(1'b1)) u_tpt (
    .clk_i, .rst_ni,
    .xl_req_valid_i(rq_v), .xl_req_ready_o(rq_r), .xl_req_i(rq),
    .xl_rsp_valid_o(rs_v), .xl_rsp_ready_i(rs_r), .xl_rsp_o(rs), .xl_rsp_epoch_o(rs_e),
    .leave_i(lv_v ? lv[8:6] : 3'd0), .leave_epoch_i(lv[5:0]),
    .drain_valid_o(dn_v), .drain_ready_i(dn_r), .drain_seq_o(dn),
    .op_valid_i(op_v), .op_ready_o(op_r), .op_i(op), .op_err_o(op_err), .op_seq_o(op_seq), .op_done_o(op_done),
    .rd_req_valid_o(dq_v), .rd_req_ready_i(dq_r), .rd_req_o(dq),
    .rd_rsp_valid_i(dr_v), .rd_rsp_ready_o(dr_r), .rd_rsp_data_i(dr_d), .rd_rsp_cnt_i(dr_c),
    .rd_rsp_last_i(dr_l), .rd_rsp_err_i(dr_e),
    .cfg_req_valid_i(cq_v), .cfg_req_ready_o(cq_r), .cfg_req_i(cq), .cfg_rsp_valid_o(cr_v), .cfg_rsp_o(cr),
    .idle_o(idle), .stat_hit_o(hit), .stat_miss_o(miss), .stat_err_o(err)
  );

  tb_snk_pulse #(.ID(8), .W(23)) u_state (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({op_done, err, miss, hit, idle}));

endmodule
