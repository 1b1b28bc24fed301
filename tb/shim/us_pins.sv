// SPDX-License-Identifier: BSD-2-Clause

/// In the place of tb/pcie's rc_pins: weft_shim_us between the streams of weft_pcie and a model of the user interface
/// of PCIE4 (us_block.c), behind which is the same root complex. One rising edge: what was driven and what the shim
/// gives are transferred, then the next inputs are driven.
module rc_pins #(
  parameter int DATA_W = 512
) (
  input  logic              clk_i,
  input  logic              rst_ni,
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
  // bits: rc_tready, cq_tready, rq_tvalid, rq_tlast, cc_tvalid, cc_tlast, flr_done, idle, np_req[1:0] at 8
  import "DPI-C" function void us_sample(input int bits, input int rq_tkeep, input bit [511:0] rq_tdata,
    input bit [136:0] rq_tuser, input int cc_tkeep, input bit [511:0] cc_tdata, input bit [80:0] cc_tuser);
  // bits: rc_tvalid, cq_tvalid, rq_tready, cc_tready, nph_av[3:0] at 4, seq_vld0 at 8, seq_vld1 at 9, seq0 at 10, seq1
  // at 16, bme at 22, rcb, ext_tag, msix_en, msix_mask, flr; cfg: bus at 0, mps at 8, mrrs at 10
  import "DPI-C" function void us_drive(output int bits, output int cfg, output bit [511:0] rc_tdata,
    output bit [160:0] rc_tuser, output bit [511:0] cq_tdata, output bit [182:0] cq_tuser);

  logic rq_v, rq_r, rq_l, cc_v, cc_r, cc_l, rc_v, rc_r, cq_v, cq_r, done, idle;
  logic [511:0] rq_d, cc_d, rc_d, cq_d;
  logic [136:0] rq_u;
  logic [80:0] cc_u;
  logic [160:0] rc_u;
  logic [182:0] cq_u;
  logic [15:0] rq_k, cc_k;
  logic [1:0] np_req;
  logic [31:0] b, cfg;
  weft_shim_us u_shim (
    .clk_i, .rst_ni, .rx_req_valid_o, .rx_req_ready_i, .rx_req_hdr_o, .rx_req_bar_o, .rx_req_data_o, .rx_req_last_o,
    .rx_cpl_valid_o, .rx_cpl_ready_i, .rx_cpl_hdr_o, .rx_cpl_data_o, .rx_cpl_last_o, .tx_rd_valid_i, .tx_rd_ready_o,
    .tx_rd_hdr_i, .tx_wr_valid_i, .tx_wr_ready_o, .tx_wr_hdr_i, .tx_wr_data_i, .tx_wr_last_i, .tx_cpl_valid_i,
    .tx_cpl_ready_o, .tx_cpl_hdr_i, .tx_cpl_data_i, .cfg_bdf_o, .cfg_bme_o, .cfg_mps_o, .cfg_mrrs_o, .cfg_rcb_o,
    .cfg_ext_tag_o, .cfg_msix_en_o, .cfg_msix_mask_o, .flr_req_o, .flr_done_i,
    .s_axis_rq_tvalid_o(rq_v), .s_axis_rq_tready_i(rq_r), .s_axis_rq_tdata_o(rq_d), .s_axis_rq_tkeep_o(rq_k),
    .s_axis_rq_tlast_o(rq_l), .s_axis_rq_tuser_o(rq_u), .m_axis_rc_tvalid_i(rc_v), .m_axis_rc_tready_o(rc_r),
    .m_axis_rc_tdata_i(rc_d), .m_axis_rc_tuser_i(rc_u), .m_axis_cq_tvalid_i(cq_v), .m_axis_cq_tready_o(cq_r),
    .m_axis_cq_tdata_i(cq_d), .m_axis_cq_tuser_i(cq_u), .s_axis_cc_tvalid_o(cc_v), .s_axis_cc_tready_i(cc_r),
    .s_axis_cc_tdata_o(cc_d), .s_axis_cc_tkeep_o(cc_k), .s_axis_cc_tlast_o(cc_l), .s_axis_cc_tuser_o(cc_u),
    .pcie_cq_np_req_o(np_req), .pcie_tfc_nph_av_i(b[7:4]), .pcie_rq_seq_num_vld0_i(b[8]),
    .pcie_rq_seq_num_vld1_i(b[9]), .pcie_rq_seq_num0_i(b[15:10]), .pcie_rq_seq_num1_i(b[21:16]),
    .cfg_bus_number_i(cfg[7:0]), .cfg_function_status_i({1'b0, b[22], 2'b10}), .cfg_max_payload_i(cfg[9:8]),
    .cfg_max_read_req_i(cfg[12:10]), .cfg_rcb_status_i(b[23]), .cfg_ext_tag_enable_i(b[24]),
    .cfg_interrupt_msix_enable_i(b[25]), .cfg_interrupt_msix_mask_i(b[26]), .cfg_flr_in_process_i(b[27]),
    .cfg_flr_done_o(done), .idle_o(idle)
  );
  assign {cc_r, rq_r, cq_v, rc_v} = b[3:0];

  int nb, ncfg;
  bit [511:0] nrc_d, ncq_d;
  bit [160:0] nrc_u;
  bit [182:0] ncq_u;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      b   <= '0;
      cfg <= '0;
    end else begin
      us_sample({22'd0, np_req, idle, done, cc_l, cc_v, rq_l, rq_v, cq_r, rc_r}, {16'd0, rq_k}, rq_d, rq_u, {16'd0, cc_k},
                cc_d, cc_u);
      us_drive(nb, ncfg, nrc_d, nrc_u, ncq_d, ncq_u);
      b    <= nb;
      cfg  <= ncfg;
      rc_d <= nrc_d;
      rc_u <= nrc_u;
      cq_d <= ncq_d;
      cq_u <= ncq_u;
    end
  end

endmodule
