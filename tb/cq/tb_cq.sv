// SPDX-License-Identifier: BSD-2-Clause

/// weft_cq between two sources of completions, firmware, doorbells and a host. Ports as in cq.c.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned PIECES = 4,
  parameter bit MODERATION = 1'b1
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;
  import "DPI-C" function longint unsigned tb_now();

  logic [63:0] now, now_q, dl;
  logic dl_v;
  always @(posedge clk_i) begin
    now   <= tb_now();
    now_q <= now;
  end

  logic [1:0] ce_v, ce_r;
  weft_pkg::cqe_req_t [1:0] ce;
  logic ee_v, ee_r, cd_v, ed_v, wr_v, wr_r, wr_l, iq_v, iq_r, fw_v, fw_r, idle, st_cqe, st_over, st_eqe;
  weft_pkg::eqe_req_t ee;
  logic [15:0] cd_id, ed_id;
  logic [23:0] cd_idx, ed_idx;
  logic [1:0] cd_arm, ed_arm;
  weft_pkg::dma_wr_hdr_t wr_h;
  logic [DATA_W-1:0] wr_d;
  logic [CntW-1:0] wr_c;
  logic [10:0] iq;
  weft_pkg::fw_ev_t fw;

  for (genvar p = 0; p < 2; p++) begin : gen_port
    tb_src_item #(.ID(p), .W(161)) u_ce (
      .clk_i, .rst_ni, .valid_o(ce_v[p]), .ready_i(ce_r[p]), .data_o(ce[p])
    );
    tb_snk_pulse #(.ID(9 + p), .W(161)) u_taken (
      .clk_i, .rst_ni, .valid_i(ce_v[p] && ce_r[p]), .data_i(ce[p])
    );
  end
  tb_src_item #(.ID(2), .W(520)) u_ee (.clk_i, .rst_ni, .valid_o(ee_v), .ready_i(ee_r), .data_o(ee));
  tb_src_item #(.ID(3), .W(42)) u_cd (
    .clk_i, .rst_ni, .valid_o(cd_v), .ready_i(1'b1), .data_o({cd_arm, cd_idx, cd_id})
  );
  tb_src_item #(.ID(4), .W(42)) u_ed (
    .clk_i, .rst_ni, .valid_o(ed_v), .ready_i(1'b1), .data_o({ed_arm, ed_idx, ed_id})
  );
  tb_snk_stream #(.ID(5), .DATA_W(DATA_W), .SIDE_W(80)) u_wr (
    .clk_i, .rst_ni, .valid_i(wr_v), .ready_o(wr_r), .data_i(wr_d), .cnt_i(wr_c), .last_i(wr_l), .err_i(1'b0),
    .side_i(wr_h)
  );
  tb_snk_item #(.ID(6), .W(11)) u_iq (.clk_i, .rst_ni, .valid_i(iq_v), .ready_o(iq_r), .data_i(iq));
  tb_snk_item #(.ID(7), .W(512)) u_fw (.clk_i, .rst_ni, .valid_i(fw_v), .ready_o(fw_r), .data_i(fw));
  // with the clock of the cycle in front
  tb_snk_pulse #(.ID(8), .W(133)) u_state (
    .clk_i, .rst_ni, .valid_i(1'b1), .data_i({dl_v, dl, now_q, st_eqe, st_over, st_cqe, idle})
  );

  logic q_v, q_r;
  logic [1:0] room_r, room_rv;
  weft_pkg::cfg_req_t q;
  weft_pkg::cfg_rsp_t [1:0] room_rsp;
  logic is_eq, to_room;
  assign is_eq   = q.addr[27:22] == weft_abi_pkg::ROOM_EQ;
  assign to_room = q.addr[27:22] == weft_abi_pkg::ROOM_CQ || is_eq;
  assign q_r     = to_room && room_r[is_eq];
  tb_cfg u_cfg (
    .clk_i, .rst_ni, .cfg_req_valid_o(q_v), .cfg_req_ready_i(q_r), .cfg_req_o(q),
    .cfg_rsp_valid_i(room_rv != 0), .cfg_rsp_i(room_rv[1] ? room_rsp[1] : room_rsp[0])
  );

  weft_cq #(.DATA_W(DATA_W), .N_CQ(16), .N_EQ(4), .N_PORTS(2), .PIECES(PIECES), .MODERATION(MODERATION)) u_dut (
    .clk_i, .rst_ni, .now_ns_i(now),
    .cfg_req_valid_i({q_v && is_eq, q_v && to_room && !is_eq}), .cfg_req_ready_o(room_r), .cfg_req_i(q),
    .cfg_rsp_valid_o(room_rv), .cfg_rsp_o(room_rsp),
    .cqe_valid_i(ce_v), .cqe_ready_o(ce_r), .cqe_i(ce), .eqe_valid_i(ee_v), .eqe_ready_o(ee_r), .eqe_i(ee),
    .cq_db_valid_i(cd_v), .cq_db_cqn_i(cd_id), .cq_db_index_i(cd_idx), .cq_db_arm_i(cd_arm),
    .eq_db_valid_i(ed_v), .eq_db_eqn_i(ed_id), .eq_db_index_i(ed_idx), .eq_db_arm_i(ed_arm),
    .wr_valid_o(wr_v), .wr_ready_i(wr_r), .wr_hdr_o(wr_h), .wr_data_o(wr_d), .wr_cnt_o(wr_c), .wr_last_o(wr_l),
    .irq_valid_o(iq_v), .irq_ready_i(iq_r), .irq_vector_o(iq),
    .fwev_valid_o(fw_v), .fwev_ready_i(fw_r), .fwev_o(fw),
    .deadline_valid_o(dl_v), .deadline_ns_o(dl), .idle_o(idle), .stat_cqe_o(st_cqe), .stat_overflow_o(st_over), .stat_eqe_o(st_eqe)
  );

endmodule
