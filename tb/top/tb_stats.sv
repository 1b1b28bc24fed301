// SPDX-License-Identifier: BSD-2-Clause
/// Counters behind the two-master join, both masters reading.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int N = 43;
  import "DPI-C" function void stats_pulses(output bit [63:0] pulses, input int idle);
  bit [63:0] pulses;
  logic [N-1:0] pulse;
  logic v, r, idle, jidle, mv, mr, mrv;
  logic [15:0] sv, sr, srv, mvec, mrdy, mrsp;
  weft_pkg::cfg_req_t req, mreq, sreq;
  weft_pkg::cfg_rsp_t rsp, drsp;
  weft_pkg::cfg_rsp_t [15:0] srsp, mrspd;
  always @(posedge clk_i) begin
    stats_pulses(pulses, int'(idle && jidle));
    pulse <= pulses[N-1:0];
  end
  // port 0: a master of its own that reads counter 1 for ever; port 1: the test
  logic [31:0] m_reads;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      mv <= 1'b1;
      m_reads <= '0;
    end else if (mv && mr) mv <= 1'b0;
    else if (mrv) begin
      mv <= 1'b1;
      m_reads <= m_reads + 1;
    end
  assign mreq = {1'b0, 28'h2c00008, 32'h0};
  assign mvec = {4'b0, mv && m_reads < 200, 11'b0};
  assign mr = mrdy[11];
  assign mrv = mrsp[11];
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(v), .cfg_req_ready_i(r), .cfg_req_o(req),
    .cfg_rsp_valid_i(jv), .cfg_rsp_i(drsp));
  logic jv;
  weft_cfg_join u_join (.clk_i, .rst_ni, .m_req_valid_i(mvec), .m_req_ready_o(mrdy), .m_req_i(mreq),
    .m_rsp_valid_o(mrsp), .m_rsp_o(mrspd), .d_req_valid_i(v), .d_req_ready_o(r), .d_req_i(req),
    .d_rsp_valid_o(jv), .d_rsp_o(drsp), .s_req_valid_o(sv), .s_req_ready_i(sr), .s_req_o(sreq),
    .s_rsp_valid_i(srv), .s_rsp_i(srsp), .idle_o(jidle));
  logic rdy, rv;
  weft_stats #(.N(N)) u_stats (.clk_i, .rst_ni, .pulse_i(pulse), .cfg_req_valid_i(sv[11]),
    .cfg_req_ready_o(rdy), .cfg_req_i(sreq), .cfg_rsp_valid_o(rv), .cfg_rsp_o(rsp), .idle_o(idle));
  always_comb begin
    sr = '1;
    srv = '1;
    sr[11] = rdy;
    srv[11] = rv;
    for (int i = 0; i < 16; i++) srsp[i] = {1'b1, 32'h0};
    srsp[11] = rsp;
  end
endmodule
