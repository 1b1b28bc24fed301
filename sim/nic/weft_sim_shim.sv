// SPDX-License-Identifier: BSD-2-Clause

/// A shim of rtl/shim between weft_core's TLP streams and the pins of a model of the integrated block (sim/block): weft_shim_us at 512
/// bits, weft_shim_s7 at 64 and 128. The block's pins are two flat vectors of words, so that what drives them is the same for both.
module weft_sim_shim #(
  parameter int unsigned DATA_W = 512
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  output logic              idle_o,
  input  logic [1471:0]     blk_i,  ///< what the block drives
  output logic [1407:0]     blk_o,  ///< what the shim drives

  output logic              rx_req_valid_o,
  input  logic              rx_req_ready_i,
  output logic [127:0]      rx_req_hdr_o,
  output logic [2:0]        rx_req_bar_o,
  output logic [DATA_W-1:0] rx_req_data_o,
  output logic              rx_req_last_o,
  output logic              rx_cpl_valid_o,
  input  logic              rx_cpl_ready_i,
  output logic [127:0]      rx_cpl_hdr_o,
  output logic [DATA_W-1:0] rx_cpl_data_o,
  output logic              rx_cpl_last_o,
  input  logic              tx_rd_valid_i,
  output logic              tx_rd_ready_o,
  input  logic [127:0]      tx_rd_hdr_i,
  input  logic              tx_wr_valid_i,
  output logic              tx_wr_ready_o,
  input  logic [127:0]      tx_wr_hdr_i,
  input  logic [DATA_W-1:0] tx_wr_data_i,
  input  logic              tx_wr_last_i,
  input  logic              tx_cpl_valid_i,
  output logic              tx_cpl_ready_o,
  input  logic [127:0]      tx_cpl_hdr_i,
  input  logic [63:0]       tx_cpl_data_i,
  output logic [15:0]       cfg_bdf_o,
  output logic              cfg_bme_o,
  output logic [2:0]        cfg_mps_o,
  output logic [2:0]        cfg_mrrs_o,
  output logic              cfg_rcb_o,
  output logic              cfg_ext_tag_o,
  output logic              cfg_msix_en_o,
  output logic              cfg_msix_mask_o,
  output logic              flr_req_o,
  input  logic              flr_done_i
);

  logic [31:0] b;
  assign b = blk_i[31:0];
  if (DATA_W == 512) begin : gen_us
    // In: word 0 rc_tvalid, cq_tvalid, rq_tready, cc_tready, nph_av[3:0] at 4, seq_vld0 at 8, seq_vld1 at 9, seq0 at 10, seq1 at 16,
    // bme at 22, rcb, ext_tag, msix_en, msix_mask, flr; 1 bus number, mps at 8, mrrs at 10; 2 RC data, 18 its side band, 24 CQ data, 40.
    // Out: word 0 rc_tready, cq_tready, rq_tvalid, rq_tlast, cc_tvalid, cc_tlast, flr_done, idle, np_req[1:0] at 8; 1 and 2 tkeep of RQ
    // and CC; 4 RQ data, 20 its side band, 25 CC data, 41.
    logic         rq_v, rq_l, cc_v, cc_l, rc_r, cq_r, done;
    logic [511:0] rq_d, cc_d;
    logic [136:0] rq_u;
    logic [80:0]  cc_u;
    logic [15:0]  rq_k, cc_k;
    logic [1:0]   np_req;
    weft_shim_us u_shim (
      .clk_i, .rst_ni, .rx_req_valid_o, .rx_req_ready_i, .rx_req_hdr_o, .rx_req_bar_o, .rx_req_data_o, .rx_req_last_o,
      .rx_cpl_valid_o, .rx_cpl_ready_i, .rx_cpl_hdr_o, .rx_cpl_data_o, .rx_cpl_last_o, .tx_rd_valid_i, .tx_rd_ready_o,
      .tx_rd_hdr_i, .tx_wr_valid_i, .tx_wr_ready_o, .tx_wr_hdr_i, .tx_wr_data_i, .tx_wr_last_i, .tx_cpl_valid_i,
      .tx_cpl_ready_o, .tx_cpl_hdr_i, .tx_cpl_data_i, .cfg_bdf_o, .cfg_bme_o, .cfg_mps_o, .cfg_mrrs_o, .cfg_rcb_o,
      .cfg_ext_tag_o, .cfg_msix_en_o, .cfg_msix_mask_o, .flr_req_o, .flr_done_i,
      .s_axis_rq_tvalid_o(rq_v), .s_axis_rq_tready_i(b[2]), .s_axis_rq_tdata_o(rq_d), .s_axis_rq_tkeep_o(rq_k),
      .s_axis_rq_tlast_o(rq_l), .s_axis_rq_tuser_o(rq_u), .m_axis_rc_tvalid_i(b[0]), .m_axis_rc_tready_o(rc_r),
      .m_axis_rc_tdata_i(blk_i[64+:512]), .m_axis_rc_tuser_i(blk_i[576+:161]), .m_axis_cq_tvalid_i(b[1]),
      .m_axis_cq_tready_o(cq_r), .m_axis_cq_tdata_i(blk_i[768+:512]), .m_axis_cq_tuser_i(blk_i[1280+:183]),
      .s_axis_cc_tvalid_o(cc_v), .s_axis_cc_tready_i(b[3]), .s_axis_cc_tdata_o(cc_d), .s_axis_cc_tkeep_o(cc_k),
      .s_axis_cc_tlast_o(cc_l), .s_axis_cc_tuser_o(cc_u), .pcie_cq_np_req_o(np_req), .pcie_tfc_nph_av_i(b[7:4]),
      .pcie_rq_seq_num_vld0_i(b[8]), .pcie_rq_seq_num_vld1_i(b[9]), .pcie_rq_seq_num0_i(b[15:10]),
      .pcie_rq_seq_num1_i(b[21:16]), .cfg_bus_number_i(blk_i[39:32]), .cfg_function_status_i({1'b0, b[22], 2'b10}),
      .cfg_max_payload_i(blk_i[41:40]), .cfg_max_read_req_i(blk_i[44:42]), .cfg_rcb_status_i(b[23]),
      .cfg_ext_tag_enable_i(b[24]), .cfg_interrupt_msix_enable_i(b[25]), .cfg_interrupt_msix_mask_i(b[26]),
      .cfg_flr_in_process_i(b[27]), .cfg_flr_done_o(done), .idle_o
    );
    assign blk_o = {15'd0, cc_u, cc_d, 23'd0, rq_u, rq_d, 32'd0, 16'd0, cc_k, 16'd0, rq_k,
                    22'd0, np_req, idle_o, done, cc_l, cc_v, rq_l, rq_v, cq_r, rc_r};
    logic unused;
    assign unused = ^blk_i;
  end else begin : gen_s7
    // In: word 0 rx_tvalid, rx_tlast, tx_tready, msix_en, msix_mask, flr, fc_nph at 8, tkeep at 16; 1 bdf, command at 16; 2 dcommand,
    // lcommand at 16; 3 rx_tuser; 4 RX data. Out: word 0 rx_tready, tx_tvalid, tx_tlast, np_ok, flr_done, tuser[3:0] at 8, tkeep at 16;
    // 4 TX data.
    localparam int unsigned Bytes = DATA_W / 8;
    logic              tx_v, tx_l, rx_r, np_ok, done;
    logic [DATA_W-1:0] tx_d;
    logic [Bytes-1:0]  tx_k;
    logic [3:0]        tx_u;
    weft_shim_s7 #(.DATA_W(DATA_W)) u_shim (
      .clk_i, .rst_ni, .rx_req_valid_o, .rx_req_ready_i, .rx_req_hdr_o, .rx_req_bar_o, .rx_req_data_o, .rx_req_last_o,
      .rx_cpl_valid_o, .rx_cpl_ready_i, .rx_cpl_hdr_o, .rx_cpl_data_o, .rx_cpl_last_o, .tx_rd_valid_i, .tx_rd_ready_o,
      .tx_rd_hdr_i, .tx_wr_valid_i, .tx_wr_ready_o, .tx_wr_hdr_i, .tx_wr_data_i, .tx_wr_last_i, .tx_cpl_valid_i,
      .tx_cpl_ready_o, .tx_cpl_hdr_i, .tx_cpl_data_i, .cfg_bdf_o, .cfg_bme_o, .cfg_mps_o, .cfg_mrrs_o, .cfg_rcb_o,
      .cfg_ext_tag_o, .cfg_msix_en_o, .cfg_msix_mask_o, .flr_req_o, .flr_done_i,
      .s_axis_tx_tvalid_o(tx_v), .s_axis_tx_tready_i(b[2]), .s_axis_tx_tdata_o(tx_d), .s_axis_tx_tkeep_o(tx_k),
      .s_axis_tx_tlast_o(tx_l), .s_axis_tx_tuser_o(tx_u), .m_axis_rx_tvalid_i(b[0]), .m_axis_rx_tready_o(rx_r),
      .m_axis_rx_tdata_i(blk_i[128+:DATA_W]), .m_axis_rx_tkeep_i(b[16+:Bytes]), .m_axis_rx_tlast_i(b[1]),
      .m_axis_rx_tuser_i(blk_i[117:96]), .rx_np_ok_o(np_ok), .fc_nph_i(b[15:8]), .cfg_bus_number_i(blk_i[47:40]),
      .cfg_device_number_i(blk_i[39:35]), .cfg_function_number_i(blk_i[34:32]), .cfg_command_i(blk_i[63:48]),
      .cfg_dcommand_i(blk_i[79:64]), .cfg_lcommand_i(blk_i[95:80]), .cfg_interrupt_msixenable_i(b[3]),
      .cfg_interrupt_msixfm_i(b[4]), .flr_req_i(b[5]), .flr_done_o(done), .idle_o
    );
    assign blk_o = {1152'd0, 128'(tx_d), 96'd0, 16'(tx_k), 4'd0, tx_u, 3'd0, done, np_ok, tx_l, tx_v, rx_r};
    logic unused;
    assign unused = ^blk_i;
  end

endmodule
