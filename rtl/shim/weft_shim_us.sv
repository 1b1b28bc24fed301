// SPDX-License-Identifier: BSD-2-Clause

/// weft_core's TLP streams to the user interface of the UltraScale+ integrated block for PCI Express (PCIE4, PCIE4C;
/// AMD PG213) at 512 bits: RQ, RC, CQ, CC dword aligned, client-managed tags, parity off. RC and CQ take TLPs with
/// straddling or without; RQ and CC are sent without, which the block has to be configured for. MSI-X messages are
/// writes of the core, whose table is its own: the block's MSI-X is "external", its interrupt ports are not used.
///
/// A function-level reset: `cfg_flr_in_process_i` is held towards the core until it has come to rest and nothing of
/// it is inside any more; then `cfg_flr_done_o` is high for a cycle.
module weft_shim_us (
  input  logic         clk_i,                  ///< the block's user_clk
  input  logic         rst_ni,

  // ---------------- weft_core
  output logic         rx_req_valid_o,
  input  logic         rx_req_ready_i,
  output logic [127:0] rx_req_hdr_o,
  output logic [2:0]   rx_req_bar_o,
  output logic [511:0] rx_req_data_o,
  output logic         rx_req_last_o,
  output logic         rx_cpl_valid_o,
  input  logic         rx_cpl_ready_i,
  output logic [127:0] rx_cpl_hdr_o,
  output logic [511:0] rx_cpl_data_o,
  output logic         rx_cpl_last_o,
  input  logic         tx_rd_valid_i,
  output logic         tx_rd_ready_o,
  input  logic [127:0] tx_rd_hdr_i,
  input  logic         tx_wr_valid_i,
  output logic         tx_wr_ready_o,
  input  logic [127:0] tx_wr_hdr_i,
  input  logic [511:0] tx_wr_data_i,
  input  logic         tx_wr_last_i,
  input  logic         tx_cpl_valid_i,
  output logic         tx_cpl_ready_o,
  input  logic [127:0] tx_cpl_hdr_i,
  input  logic [63:0]  tx_cpl_data_i,
  output logic [15:0]  cfg_bdf_o,
  output logic         cfg_bme_o,
  output logic [2:0]   cfg_mps_o,
  output logic [2:0]   cfg_mrrs_o,
  output logic         cfg_rcb_o,
  output logic         cfg_ext_tag_o,
  output logic         cfg_msix_en_o,
  output logic         cfg_msix_mask_o,
  output logic         flr_req_o,
  input  logic         flr_done_i,

  // ---------------- the block
  output logic         s_axis_rq_tvalid_o,
  input  logic         s_axis_rq_tready_i,
  output logic [511:0] s_axis_rq_tdata_o,
  output logic [15:0]  s_axis_rq_tkeep_o,
  output logic         s_axis_rq_tlast_o,
  output logic [136:0] s_axis_rq_tuser_o,
  input  logic         m_axis_rc_tvalid_i,
  output logic         m_axis_rc_tready_o,
  input  logic [511:0] m_axis_rc_tdata_i,
  input  logic [160:0] m_axis_rc_tuser_i,
  input  logic         m_axis_cq_tvalid_i,
  output logic         m_axis_cq_tready_o,
  input  logic [511:0] m_axis_cq_tdata_i,
  input  logic [182:0] m_axis_cq_tuser_i,
  output logic         s_axis_cc_tvalid_o,
  input  logic         s_axis_cc_tready_i,
  output logic [511:0] s_axis_cc_tdata_o,
  output logic [15:0]  s_axis_cc_tkeep_o,
  output logic         s_axis_cc_tlast_o,
  output logic [80:0]  s_axis_cc_tuser_o,
  output logic [1:0]   pcie_cq_np_req_o,
  input  logic [3:0]   pcie_tfc_nph_av_i,
  input  logic         pcie_rq_seq_num_vld0_i,
  input  logic [5:0]   pcie_rq_seq_num0_i,
  input  logic         pcie_rq_seq_num_vld1_i,
  input  logic [5:0]   pcie_rq_seq_num1_i,
  input  logic [7:0]   cfg_bus_number_i,
  input  logic [3:0]   cfg_function_status_i,  ///< of function 0: 2 bus master enable
  input  logic [1:0]   cfg_max_payload_i,
  input  logic [2:0]   cfg_max_read_req_i,
  input  logic         cfg_rcb_status_i,       ///< of function 0
  input  logic         cfg_ext_tag_enable_i,
  input  logic         cfg_interrupt_msix_enable_i,  ///< of function 0
  input  logic         cfg_interrupt_msix_mask_i,
  input  logic         cfg_flr_in_process_i,   ///< of function 0
  output logic         cfg_flr_done_o,
  output logic         idle_o
);

  logic [7:0]   taken, past;
  logic         np_valid, cpl_last, rq_idle, cc_idle, cq_idle, rc_idle;
  logic [135:0] np;

  weft_shim_us_rq u_rq (
    .clk_i, .rst_ni, .tx_wr_valid_i, .tx_wr_ready_o, .tx_wr_hdr_i, .tx_wr_data_i, .tx_wr_last_i, .tx_rd_valid_i,
    .tx_rd_ready_o, .tx_rd_hdr_i, .rq_tvalid_o(s_axis_rq_tvalid_o), .rq_tready_i(s_axis_rq_tready_i),
    .rq_tdata_o(s_axis_rq_tdata_o), .rq_tkeep_o(s_axis_rq_tkeep_o), .rq_tlast_o(s_axis_rq_tlast_o),
    .rq_tuser_o(s_axis_rq_tuser_o), .tfc_nph_av_i(pcie_tfc_nph_av_i), .seq_vld0_i(pcie_rq_seq_num_vld0_i),
    .seq0_i(pcie_rq_seq_num0_i), .seq_vld1_i(pcie_rq_seq_num_vld1_i), .seq1_i(pcie_rq_seq_num1_i),
    .taken_o(taken), .past_o(past), .idle_o(rq_idle)
  );
  weft_shim_us_cc u_cc (
    .clk_i, .rst_ni, .tx_cpl_valid_i, .tx_cpl_ready_o, .tx_cpl_hdr_i, .tx_cpl_data_i, .np_valid_i(np_valid),
    .np_i(np), .taken_i(taken), .past_i(past), .cc_tvalid_o(s_axis_cc_tvalid_o), .cc_tready_i(s_axis_cc_tready_i),
    .cc_tdata_o(s_axis_cc_tdata_o), .cc_tkeep_o(s_axis_cc_tkeep_o), .cc_tlast_o(s_axis_cc_tlast_o),
    .cc_tuser_o(s_axis_cc_tuser_o), .idle_o(cc_idle)
  );
  // The last completion of a request: refused, or no bytes are left behind it.
  assign cpl_last = tx_cpl_valid_i && tx_cpl_ready_o
    && (tx_cpl_hdr_i[47:45] != 3'd0
        || {tx_cpl_hdr_i[43:32] == '0, tx_cpl_hdr_i[43:32]} <= {1'b0, tx_cpl_hdr_i[9:0], 2'b00} - 13'(tx_cpl_hdr_i[65:64]));
  weft_shim_us_cq u_cq (
    .clk_i, .rst_ni, .flr_done_i(cfg_flr_done_o), .cq_tvalid_i(m_axis_cq_tvalid_i), .cq_tready_o(m_axis_cq_tready_o),
    .cq_tdata_i(m_axis_cq_tdata_i), .cq_tuser_i(m_axis_cq_tuser_i), .cq_np_req_o(pcie_cq_np_req_o), .rx_req_valid_o,
    .rx_req_ready_i, .rx_req_hdr_o, .rx_req_bar_o, .rx_req_data_o, .rx_req_last_o, .np_valid_o(np_valid), .np_o(np),
    .cpl_done_i(cpl_last), .idle_o(cq_idle)
  );
  weft_shim_us_rc u_rc (
    .clk_i, .rst_ni, .rc_tvalid_i(m_axis_rc_tvalid_i), .rc_tready_o(m_axis_rc_tready_o),
    .rc_tdata_i(m_axis_rc_tdata_i), .rc_tuser_i(m_axis_rc_tuser_i), .rx_cpl_valid_o, .rx_cpl_ready_i, .rx_cpl_hdr_o,
    .rx_cpl_data_o, .rx_cpl_last_o, .idle_o(rc_idle)
  );

  // ---------------------------------------------------------------- configuration space
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {cfg_bdf_o, cfg_bme_o, cfg_mps_o, cfg_mrrs_o, cfg_rcb_o, cfg_ext_tag_o, cfg_msix_en_o, cfg_msix_mask_o} <= '0;
    end else begin
      cfg_bdf_o       <= {cfg_bus_number_i, 8'd0};
      cfg_bme_o       <= cfg_function_status_i[2];
      cfg_mps_o       <= {1'b0, cfg_max_payload_i};
      cfg_mrrs_o      <= cfg_max_read_req_i;
      cfg_rcb_o       <= cfg_rcb_status_i;
      cfg_ext_tag_o   <= cfg_ext_tag_enable_i;
      cfg_msix_en_o   <= cfg_interrupt_msix_enable_i;
      cfg_msix_mask_o <= cfg_interrupt_msix_mask_i;
    end
  end

  // ---------------------------------------------------------------- function-level reset
  typedef enum logic [1:0] {StRun, StReset, StDone, StWait} state_e;
  state_e state_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StRun;
    else begin
      unique case (state_q)
        StRun:   if (cfg_flr_in_process_i) state_q <= StReset;
        StReset: if (flr_done_i && rq_idle && cc_idle) state_q <= StDone;
        StDone:  state_q <= StWait;
        default: if (!cfg_flr_in_process_i) state_q <= StRun;
      endcase
    end
  end
  assign flr_req_o      = state_q == StReset;
  assign cfg_flr_done_o = state_q == StDone;
  assign idle_o         = rq_idle && cc_idle && cq_idle && rc_idle && state_q == StRun && !cfg_flr_in_process_i;

  logic unused;
  assign unused = ^cfg_function_status_i;

endmodule
