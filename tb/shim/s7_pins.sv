// SPDX-License-Identifier: BSD-2-Clause

/// In the place of tb/pcie's rc_pins: weft_shim_s7 between the streams of weft_pcie and a model of the user interface
/// of the 7-series block (s7_block.c), behind which is the same root complex. One rising edge: what was driven and what
/// the shim gives are transferred, then the next inputs are driven.
module rc_pins #(
  parameter int DATA_W = 64
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
  // bits: rx_tready, tx_tvalid, tx_tlast, np_ok, flr_done, tuser[3:0] at 8, tkeep at 16
  import "DPI-C" function void s7_sample(input int bits, input bit [127:0] tx_tdata);
  // bits: rx_tvalid, rx_tlast, tx_tready, msix_en, msix_mask, flr, fc_nph at 8, tkeep at 16; regs: command, dcommand,
  // lcommand; user: rx_tuser; bdf
  import "DPI-C" function void s7_drive(output int bits, output int bdf, output int dcommand, output int user,
    output bit [127:0] rx_tdata);

  logic tx_v, tx_l, rx_r, np_ok, done, idle;
  logic [DATA_W-1:0] tx_d;
  logic [DATA_W/8-1:0] tx_k;
  logic [3:0] tx_u;
  logic [31:0] b, bdf, dcmd, user;
  logic [127:0] rx_d;
  weft_shim_s7 #(.DATA_W(DATA_W)) u_shim (
    .clk_i, .rst_ni, .rx_req_valid_o, .rx_req_ready_i, .rx_req_hdr_o, .rx_req_bar_o, .rx_req_data_o, .rx_req_last_o,
    .rx_cpl_valid_o, .rx_cpl_ready_i, .rx_cpl_hdr_o, .rx_cpl_data_o, .rx_cpl_last_o, .tx_rd_valid_i, .tx_rd_ready_o,
    .tx_rd_hdr_i, .tx_wr_valid_i, .tx_wr_ready_o, .tx_wr_hdr_i, .tx_wr_data_i, .tx_wr_last_i, .tx_cpl_valid_i,
    .tx_cpl_ready_o, .tx_cpl_hdr_i, .tx_cpl_data_i, .cfg_bdf_o, .cfg_bme_o, .cfg_mps_o, .cfg_mrrs_o, .cfg_rcb_o,
    .cfg_ext_tag_o, .cfg_msix_en_o, .cfg_msix_mask_o, .flr_req_o, .flr_done_i,
    .s_axis_tx_tvalid_o(tx_v), .s_axis_tx_tready_i(b[2]), .s_axis_tx_tdata_o(tx_d), .s_axis_tx_tkeep_o(tx_k),
    .s_axis_tx_tlast_o(tx_l), .s_axis_tx_tuser_o(tx_u), .m_axis_rx_tvalid_i(b[0]), .m_axis_rx_tready_o(rx_r),
    .m_axis_rx_tdata_i(rx_d[DATA_W-1:0]), .m_axis_rx_tkeep_i(b[16+:DATA_W/8]), .m_axis_rx_tlast_i(b[1]),
    .m_axis_rx_tuser_i(user[21:0]), .rx_np_ok_o(np_ok), .fc_nph_i(b[15:8]), .cfg_bus_number_i(bdf[15:8]),
    .cfg_device_number_i(bdf[7:3]), .cfg_function_number_i(bdf[2:0]), .cfg_command_i(bdf[31:16]),
    .cfg_dcommand_i(dcmd[15:0]), .cfg_lcommand_i(dcmd[31:16]), .cfg_interrupt_msixenable_i(b[3]),
    .cfg_interrupt_msixfm_i(b[4]), .flr_req_i(b[5]), .flr_done_o(done), .idle_o(idle)
  );

  int nb, nbdf, ndcmd, nuser;
  bit [127:0] nrx_d;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      b    <= '0;
      bdf  <= '0;
      dcmd <= '0;
    end else begin
      s7_sample({16'(tx_k), 4'd0, tx_u, 3'd0, done, np_ok, tx_l, tx_v, rx_r}, 128'(tx_d));
      s7_drive(nb, nbdf, ndcmd, nuser, nrx_d);
      b    <= nb;
      bdf  <= nbdf;
      dcmd <= ndcmd;
      user <= nuser;
      rx_d <= nrx_d;
    end
  end

  logic unused;
  assign unused = idle;
endmodule
