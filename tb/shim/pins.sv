// SPDX-License-Identifier: BSD-2-Clause

/// In the place of tb/pcie's rc_pins: a shim between the streams of weft_pcie and a model of the integrated block (sim/block, pins.c), behind
/// which is the same root complex. One rising edge: what was driven and what the shim gives are transferred, then the next inputs are driven.
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
  // Words as in weft_sim_shim.
  import "DPI-C" function void shim_sample(input bit [1407:0] pins);
  import "DPI-C" function void shim_drive(output bit [1471:0] pins);

  logic [1471:0] blk_in;
  logic [1407:0] blk_out;
  logic          idle;
  weft_sim_shim #(.DATA_W(DATA_W)) u_shim (
    .clk_i, .rst_ni, .idle_o(idle), .blk_i(blk_in), .blk_o(blk_out), .rx_req_valid_o, .rx_req_ready_i, .rx_req_hdr_o,
    .rx_req_bar_o, .rx_req_data_o, .rx_req_last_o, .rx_cpl_valid_o, .rx_cpl_ready_i, .rx_cpl_hdr_o, .rx_cpl_data_o,
    .rx_cpl_last_o, .tx_rd_valid_i, .tx_rd_ready_o, .tx_rd_hdr_i, .tx_wr_valid_i, .tx_wr_ready_o, .tx_wr_hdr_i,
    .tx_wr_data_i, .tx_wr_last_i, .tx_cpl_valid_i, .tx_cpl_ready_o, .tx_cpl_hdr_i, .tx_cpl_data_i, .cfg_bdf_o,
    .cfg_bme_o, .cfg_mps_o, .cfg_mrrs_o, .cfg_rcb_o, .cfg_ext_tag_o, .cfg_msix_en_o, .cfg_msix_mask_o, .flr_req_o,
    .flr_done_i
  );

  bit [1471:0] next;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      blk_in <= '0;
    end else begin
      shim_sample(blk_out);
      shim_drive(next);
      blk_in <= next;
    end
  end

  logic unused;
  assign unused = idle;
endmodule
