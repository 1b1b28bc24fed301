// SPDX-License-Identifier: BSD-2-Clause

/// weft_core's TLP streams to the user interface of the 7-series integrated block for PCI Express (PCIE_2_1; AMD PG054) at
/// 64 or 128 bits. Places of the side band signals: PG156, migration appendix, "s_axis_tx_tuser" and "m_axis_rx_tuser".
/// Fields of the configuration outputs are those of the registers that they show (PCI Express Base Specification, 7.5).
///
/// The block has no function-level reset; `flr_req_i` is for a board that resets the card from elsewhere (a hot reset, a
/// button), as weft_core's. MSI-X messages are writes of the core; the block's interrupt ports are not used. The board ties
/// fc_sel to 3'b100 (transmit credits available), tx_cfg_gnt to 1, rx_np_req to 1.
module weft_shim_s7 #(
  parameter int unsigned DATA_W = 64,     ///< 64 or 128; the core's too
  parameter int unsigned BAR0_LOG2 = 16,
  parameter int unsigned BAR2_LOG2 = 24,
  parameter int unsigned BAR4_LOG2 = 16,
  localparam int unsigned Bytes = DATA_W / 8
) (
  input  logic              clk_i,                  ///< the block's user_clk_out
  input  logic              rst_ni,

  // ---------------- weft_core
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
  input  logic              flr_done_i,

  // ---------------- the block
  output logic              s_axis_tx_tvalid_o,
  input  logic              s_axis_tx_tready_i,
  output logic [DATA_W-1:0] s_axis_tx_tdata_o,
  output logic [Bytes-1:0]  s_axis_tx_tkeep_o,
  output logic              s_axis_tx_tlast_o,
  output logic [3:0]        s_axis_tx_tuser_o,      ///< 0 ECRC, 1 poisoned, 2 streamed, 3 discontinue: none of them
  input  logic              m_axis_rx_tvalid_i,
  output logic              m_axis_rx_tready_o,
  input  logic [DATA_W-1:0] m_axis_rx_tdata_i,
  input  logic [Bytes-1:0]  m_axis_rx_tkeep_i,
  input  logic              m_axis_rx_tlast_i,
  input  logic [21:0]       m_axis_rx_tuser_i,
  output logic              rx_np_ok_o,
  input  logic [7:0]        fc_nph_i,
  input  logic [7:0]        cfg_bus_number_i,
  input  logic [4:0]        cfg_device_number_i,
  input  logic [2:0]        cfg_function_number_i,
  input  logic [15:0]       cfg_command_i,
  input  logic [15:0]       cfg_dcommand_i,
  input  logic [15:0]       cfg_lcommand_i,
  input  logic              cfg_interrupt_msixenable_i,
  input  logic              cfg_interrupt_msixfm_i,

  input  logic              flr_req_i,              ///< level, until flr_done_o
  output logic              flr_done_o,
  output logic              idle_o
);

  logic tx_idle, rx_idle, cpl_last, done_q, done_pulse;

  weft_shim_s7_tx #(.DATA_W(DATA_W)) u_tx (
    .clk_i, .rst_ni, .tx_rd_valid_i, .tx_rd_ready_o, .tx_rd_hdr_i, .tx_wr_valid_i, .tx_wr_ready_o, .tx_wr_hdr_i,
    .tx_wr_data_i, .tx_wr_last_i, .tx_cpl_valid_i, .tx_cpl_ready_o, .tx_cpl_hdr_i, .tx_cpl_data_i,
    .tx_tvalid_o(s_axis_tx_tvalid_o), .tx_tready_i(s_axis_tx_tready_i), .tx_tdata_o(s_axis_tx_tdata_o),
    .tx_tkeep_o(s_axis_tx_tkeep_o), .tx_tlast_o(s_axis_tx_tlast_o), .fc_nph_i, .idle_o(tx_idle)
  );
  assign s_axis_tx_tuser_o = '0;

  // The last completion of a request: refused, or no bytes are left behind it.
  assign cpl_last = tx_cpl_valid_i && tx_cpl_ready_o
    && (tx_cpl_hdr_i[47:45] != 3'd0
        || {tx_cpl_hdr_i[43:32] == '0, tx_cpl_hdr_i[43:32]} <= {1'b0, tx_cpl_hdr_i[9:0], 2'b00} - 13'(tx_cpl_hdr_i[65:64]));
  weft_shim_s7_rx #(.DATA_W(DATA_W), .BAR0_LOG2(BAR0_LOG2), .BAR2_LOG2(BAR2_LOG2), .BAR4_LOG2(BAR4_LOG2)) u_rx (
    .clk_i, .rst_ni, .flr_done_i(done_pulse), .rx_tvalid_i(m_axis_rx_tvalid_i), .rx_tready_o(m_axis_rx_tready_o),
    .rx_tdata_i(m_axis_rx_tdata_i), .rx_tkeep_i(m_axis_rx_tkeep_i), .rx_tlast_i(m_axis_rx_tlast_i),
    .rx_tuser_i(m_axis_rx_tuser_i), .np_ok_o(rx_np_ok_o), .rx_req_valid_o, .rx_req_ready_i, .rx_req_hdr_o,
    .rx_req_bar_o, .rx_req_data_o, .rx_req_last_o, .rx_cpl_valid_o, .rx_cpl_ready_i, .rx_cpl_hdr_o, .rx_cpl_data_o,
    .rx_cpl_last_o, .cpl_done_i(cpl_last), .idle_o(rx_idle)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {cfg_bdf_o, cfg_bme_o, cfg_mps_o, cfg_mrrs_o, cfg_rcb_o, cfg_ext_tag_o, cfg_msix_en_o, cfg_msix_mask_o} <= '0;
      done_q <= 1'b0;
    end else begin
      cfg_bdf_o       <= {cfg_bus_number_i, cfg_device_number_i, cfg_function_number_i};
      cfg_bme_o       <= cfg_command_i[2];
      cfg_mps_o       <= cfg_dcommand_i[7:5];
      cfg_mrrs_o      <= cfg_dcommand_i[14:12];
      cfg_rcb_o       <= cfg_lcommand_i[3];
      cfg_ext_tag_o   <= cfg_dcommand_i[8];
      cfg_msix_en_o   <= cfg_interrupt_msixenable_i;
      cfg_msix_mask_o <= cfg_interrupt_msixfm_i;
      done_q          <= flr_req_i && flr_done_i && (tx_idle || done_q);
    end
  end
  assign flr_req_o  = flr_req_i;
  assign flr_done_o = done_q;
  assign done_pulse = flr_req_i && flr_done_i && tx_idle && !done_q;
  assign idle_o     = tx_idle && rx_idle && !flr_req_i;

  logic unused;
  assign unused = ^{cfg_command_i, cfg_dcommand_i, cfg_lcommand_i};

`ifndef SYNTHESIS
  initial if (DATA_W != 64 && DATA_W != 128) $fatal(1, "weft_shim_s7: DATA_W");
`endif

endmodule
