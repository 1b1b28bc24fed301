// SPDX-License-Identifier: BSD-2-Clause
/// Doorbells come as pulses, at most one a cycle; what comes out is told to C with its kind.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  logic v, r, rv, dv, idle;
  weft_pkg::cfg_req_t req;
  weft_pkg::cfg_rsp_t rsp;
  logic [92:0] db;
  logic        line, push;
  logic [2:0]  place;
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(v), .cfg_req_ready_i(r), .cfg_req_o(req),
    .cfg_rsp_valid_i(rv), .cfg_rsp_i(rsp));
  tb_src_item #(.ID(0), .W(93)) u_db (.clk_i, .rst_ni, .valid_o(dv), .ready_i(1'b1), .data_o(db));
  logic [7:0]  ov;
  logic [15:0] sqn, sqi, rqn, rqi, shn, shi, cqn, eqn, lti, lri;
  logic [23:0] cqi, eqi, ltd, lrd;
  logic [1:0]  cqa, eqa;
  weft_doorbell #(.N_QP(64), .N_CQ(32), .N_EQ(8), .N_SRQ(16)) u_dut (
    .clk_i, .rst_ni, .cfg_req_valid_i(v), .cfg_req_ready_o(r), .cfg_req_i(req), .cfg_rsp_valid_o(rv),
    .cfg_rsp_o(rsp), .db_valid_i(dv), .db_page_i(db[87:76]), .db_off_i(db[75:64]), .db_data_i(db[63:0]), .db_line_i(db[88]), .db_push_i(db[89]), .db_buf_i(db[92:90]),
    .sq_db_push_o(push), .sq_db_buf_o(place), .stat_line_o(line),
    .sq_db_valid_o(ov[0]), .sq_db_qpn_o(sqn), .sq_db_index_o(sqi),
    .rq_db_valid_o(ov[1]), .rq_db_qpn_o(rqn), .rq_db_index_o(rqi),
    .srq_db_valid_o(ov[6]), .srq_db_srqn_o(shn), .srq_db_index_o(shi),
    .cq_db_valid_o(ov[2]), .cq_db_cqn_o(cqn), .cq_db_index_o(cqi), .cq_db_arm_o(cqa),
    .eq_db_valid_o(ov[3]), .eq_db_eqn_o(eqn), .eq_db_index_o(eqi), .eq_db_arm_o(eqa),
    .l2_tx_db_valid_o(ov[4]), .l2_tx_db_id_o(ltd), .l2_tx_db_index_o(lti),
    .l2_rx_db_valid_o(ov[5]), .l2_rx_db_id_o(lrd), .l2_rx_db_index_o(lri),
    .idle_o(idle), .stat_reject_o(ov[7]));
  logic [63:0] out;
  always_comb begin
    case (1'b1)
      ov[0]: out = {16'b0, sqi, 8'b0, 8'b0, sqn};
      ov[1]: out = {16'b0, rqi, 8'b0, 8'b0, rqn};
      ov[2]: out = {8'b0, cqi, 6'b0, cqa, 8'b0, cqn};
      ov[3]: out = {8'b0, eqi, 6'b0, eqa, 8'b0, eqn};
      ov[4]: out = {16'b0, lti, 8'b0, ltd};
      ov[5]: out = {16'b0, lri, 8'b0, lrd};
      ov[6]: out = {16'b0, shi, 8'b0, 8'b0, shn};
      default: out = '0;
    endcase
  end
  always @(posedge clk_i) if (rst_ni) assert ($onehot0(ov)) else $error("two doorbells at once");
  tb_snk_pulse #(.ID(1), .W(77)) u_out (.clk_i, .rst_ni, .valid_i(|ov), .data_i({place, push, line, out, ov}));
  always @(posedge clk_i) if (rst_ni) assert (!line || ov[0]) else $error("a line's doorbell without one");
  always @(posedge clk_i) if (rst_ni && (dv || |ov[6:0])) assert (!idle) else $error("idle while busy");
endmodule
