// SPDX-License-Identifier: BSD-2-Clause

/// The root complex model of sim/rc on the TLP streams of weft_pcie. One rising edge: what was driven and what the
/// unit gives are transferred, then the next inputs are driven.
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

  // bits: rx_req_ready, rx_cpl_ready, tx_rd_valid, tx_wr_valid, tx_wr_last, tx_cpl_valid, flr_done
  import "DPI-C" function void rc_dpi_sample(
    input int bits, input bit [127:0] rd_hdr, input bit [127:0] wr_hdr, input bit [511:0] wr_data,
    input bit [127:0] cpl_hdr, input bit [63:0] cpl_data);
  // bits: rx_req_valid, rx_req_last, rx_cpl_valid, rx_cpl_last, tx_rd_ready, tx_wr_ready, tx_cpl_ready, bme, rcb,
  // ext_tag, msix_en, msix_mask, flr, bar[2:0] at 16, mps at 20, mrrs at 24
  import "DPI-C" function void rc_dpi_drive(
    output int bits, output int bdf, output bit [127:0] req_hdr, output bit [511:0] req_data,
    output bit [127:0] cpl_hdr, output bit [511:0] cpl_data);

  int b, bdf;
  bit [127:0] req_hdr, cpl_hdr;
  bit [511:0] req_data, cpl_data;
  logic wr_wait, rd_wait, cpl_wait;
  logic [DATA_W+128:0] wr_held;
  logic [127:0] rd_held;
  logic [191:0] cpl_held;
  import "DPI-C" function void tb_sv_fail(input string what);

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rx_req_valid_o <= 1'b0;
      rx_cpl_valid_o <= 1'b0;
      tx_rd_ready_o  <= 1'b0;
      tx_wr_ready_o  <= 1'b0;
      tx_cpl_ready_o <= 1'b0;
      {cfg_bdf_o, cfg_bme_o, cfg_mps_o, cfg_mrrs_o, cfg_rcb_o, cfg_ext_tag_o, cfg_msix_en_o, cfg_msix_mask_o, flr_req_o} <= '0;
      {wr_wait, rd_wait, cpl_wait} <= '0;
    end else begin
      // what is offered stays; a read may be withdrawn
      if (wr_wait && (!tx_wr_valid_i || wr_held !== {tx_wr_last_i, tx_wr_hdr_i, tx_wr_data_i}))
        tb_sv_fail("tx_wr: changed while it waited");
      if (rd_wait && tx_rd_valid_i && rd_held !== tx_rd_hdr_i) tb_sv_fail("tx_rd: changed while it waited");
      if (cpl_wait && (!tx_cpl_valid_i || cpl_held !== {tx_cpl_hdr_i, tx_cpl_data_i}))
        tb_sv_fail("tx_cpl: changed while it waited");
      wr_wait  <= tx_wr_valid_i && !tx_wr_ready_o;
      rd_wait  <= tx_rd_valid_i && !tx_rd_ready_o;
      cpl_wait <= tx_cpl_valid_i && !tx_cpl_ready_o;
      wr_held  <= {tx_wr_last_i, tx_wr_hdr_i, tx_wr_data_i};
      rd_held  <= tx_rd_hdr_i;
      cpl_held <= {tx_cpl_hdr_i, tx_cpl_data_i};

      rc_dpi_sample({25'd0, flr_done_i, tx_cpl_valid_i, tx_wr_last_i, tx_wr_valid_i, tx_rd_valid_i, rx_cpl_ready_i,
                     rx_req_ready_i}, tx_rd_hdr_i, tx_wr_hdr_i, 512'(tx_wr_data_i), tx_cpl_hdr_i, tx_cpl_data_i);
      rc_dpi_drive(b, bdf, req_hdr, req_data, cpl_hdr, cpl_data);
      rx_req_valid_o  <= b[0];
      rx_req_last_o   <= b[1];
      rx_cpl_valid_o  <= b[2];
      rx_cpl_last_o   <= b[3];
      tx_rd_ready_o   <= b[4];
      tx_wr_ready_o   <= b[5];
      tx_cpl_ready_o  <= b[6];
      cfg_bme_o       <= b[7];
      cfg_rcb_o       <= b[8];
      cfg_ext_tag_o   <= b[9];
      cfg_msix_en_o   <= b[10];
      cfg_msix_mask_o <= b[11];
      flr_req_o       <= b[12];
      rx_req_bar_o    <= b[18:16];
      cfg_mps_o       <= b[22:20];
      cfg_mrrs_o      <= b[26:24];
      cfg_bdf_o       <= bdf[15:0];
      rx_req_hdr_o    <= req_hdr;
      rx_req_data_o   <= req_data[DATA_W-1:0];
      rx_cpl_hdr_o    <= cpl_hdr;
      rx_cpl_data_o   <= cpl_data[DATA_W-1:0];
    end
  end

endmodule
