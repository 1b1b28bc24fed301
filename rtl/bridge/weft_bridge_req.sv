// SPDX-License-Identifier: BSD-2-Clause

/// Requests and settings out of their store, in order: a request is a beat of the core's rx_req, settings are the outputs cfg_*. One
/// that asks for a function-level reset is held, with all behind it, until the core is through.
///
/// Addresses are cut to the size of their BAR. MPS above 256 bytes is taken as 256: no longer TLP fits into a frame.
module weft_bridge_req #(
  parameter int unsigned BAR0_LOG2 = 16,  ///< sizes of the BARs, 8 to 31
  parameter int unsigned BAR2_LOG2 = 16,
  parameter int unsigned BAR4_LOG2 = 16
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clr_i,
  input  logic         in_valid_i,   ///< weft_bridge_store's
  output logic         in_ready_o,
  input  logic [7:0]   in_data_i,

  output logic         rx_req_valid_o,
  input  logic         rx_req_ready_i,
  output logic [127:0] rx_req_hdr_o,
  output logic [2:0]   rx_req_bar_o,
  output logic [63:0]  rx_req_data_o,
  output logic [15:0]  cfg_bdf_o,
  output logic         cfg_bme_o,
  output logic [2:0]   cfg_mps_o,
  output logic [2:0]   cfg_mrrs_o,
  output logic         cfg_rcb_o,
  output logic         cfg_ext_tag_o,
  output logic         cfg_msix_en_o,
  output logic         cfg_msix_mask_o,
  output logic [47:0]  cfg_mac_o,    ///< station address, byte 0 in 7:0; 0: none was given
  output logic         flr_req_o,
  input  logic         flr_done_i,

  output logic         pop_o,        ///< pulse: a record has left
  output logic [1:0]   pop_class_o,  ///< of the credit that it gives back: 0 or 1
  output logic [3:0]   flr_count_o   ///< function-level resets done in this session
);

  typedef enum logic [2:0] {StHead, StData, StOffer, StFlr, StFlrEnd} state_e;
  state_e       state_q;
  logic [4:0]   count_q;
  logic [7:0]   first_q;
  logic [127:0] hdr_q, hdr;
  logic [63:0]  data_q;
  logic         take, config_now, last_head;
  logic [3:0]   want;  // bytes of payload in the record

  assign in_ready_o = state_q == StHead || state_q == StData;
  assign take       = in_valid_i && in_ready_o;
  assign hdr        = {in_data_i, hdr_q[127:8]};  // with its last byte
  assign last_head  = state_q == StHead && take && count_q == 5'd16;
  assign config_now = last_head && first_q[7:6] == weft_bridge_pkg::ClassConfig;
  assign want       = !hdr[30] ? 4'd0 : hdr[9:0] == 10'd1 ? 4'd4 : 4'd8;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= StHead;
      count_q     <= '0;
      pop_o       <= 1'b0;
      flr_count_o <= '0;
      {cfg_bdf_o, cfg_bme_o, cfg_mps_o, cfg_mrrs_o, cfg_rcb_o, cfg_ext_tag_o, cfg_msix_en_o, cfg_msix_mask_o, cfg_mac_o} <= '0;
    end else if (clr_i) begin
      state_q     <= StHead;
      count_q     <= '0;
      pop_o       <= 1'b0;
      flr_count_o <= '0;
      {cfg_bdf_o, cfg_bme_o, cfg_mps_o, cfg_mrrs_o, cfg_rcb_o, cfg_ext_tag_o, cfg_msix_en_o, cfg_msix_mask_o, cfg_mac_o} <= '0;
    end else begin
      pop_o <= 1'b0;
      unique case (state_q)
        StHead: if (take) begin
          count_q <= count_q + 5'd1;
          if (last_head) begin
            count_q <= '0;
            if (config_now) begin
              cfg_bdf_o <= hdr[15:0];
              {cfg_msix_mask_o, cfg_msix_en_o, cfg_ext_tag_o, cfg_rcb_o, cfg_bme_o} <= hdr[20:16];
              cfg_mps_o  <= hdr[26:24] > 3'd1 ? 3'd1 : hdr[26:24];
              cfg_mrrs_o <= hdr[30:28];
              cfg_mac_o  <= hdr[79:32];
              pop_o      <= !hdr[21];
              if (hdr[21]) state_q <= StFlr;
            end else state_q <= want == '0 ? StOffer : StData;
          end
        end
        StData: if (take) begin
          count_q <= count_q + 5'd1;
          if (count_q[2:0] == 3'd3 && hdr_q[9:0] == 10'd1) state_q <= StOffer;
          if (count_q[2:0] == 3'd7) state_q <= StOffer;
        end
        StOffer: if (rx_req_ready_i) begin
          state_q <= StHead;
          count_q <= '0;
          pop_o   <= 1'b1;
        end
        StFlr: if (flr_done_i) state_q <= StFlrEnd;
        StFlrEnd: if (!flr_done_i) begin
          state_q     <= StHead;
          pop_o       <= 1'b1;
          flr_count_o <= flr_count_o + 4'd1;
        end
        default: state_q <= StHead;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (take && state_q == StHead) begin
      if (count_q == '0) first_q <= in_data_i;
      else hdr_q <= hdr;
    end
    if (take && state_q == StData) data_q[8*count_q[2:0]+:8] <= in_data_i;
  end

  // ---------------------------------------------------------------- the beat
  logic [31:0] mask;
  always_comb begin
    unique case (first_q[2:0])
      3'd0:    mask = (32'd1 << BAR0_LOG2) - 32'd1;
      3'd2:    mask = (32'd1 << BAR2_LOG2) - 32'd1;
      3'd4:    mask = (32'd1 << BAR4_LOG2) - 32'd1;
      default: mask = 32'hfff;
    endcase
    rx_req_hdr_o = {32'd0, hdr_q[95:0]};
    if (hdr_q[29]) rx_req_hdr_o[127:96] = hdr_q[127:96];
    if (hdr_q[28:25] == 4'b0000) begin  // memory, and locked reads
      if (hdr_q[29]) rx_req_hdr_o[127:64] = {hdr_q[127:96] & mask, 32'd0};
      else rx_req_hdr_o[95:64] = hdr_q[95:64] & mask;
    end
  end
  assign rx_req_valid_o = state_q == StOffer;
  assign rx_req_bar_o   = first_q[2:0];
  assign rx_req_data_o  = data_q;
  assign flr_req_o      = state_q == StFlr;
  assign pop_class_o    = first_q[7:6] == weft_bridge_pkg::ClassNonPosted ? weft_bridge_pkg::ClassNonPosted : weft_bridge_pkg::ClassPosted;

  logic unused;
  assign unused = ^first_q[5:3];

`ifndef SYNTHESIS
  initial begin
    if (BAR0_LOG2 < 8 || BAR0_LOG2 > 31 || BAR2_LOG2 < 8 || BAR2_LOG2 > 31 || BAR4_LOG2 < 8 || BAR4_LOG2 > 31)
      $fatal(1, "weft_bridge_req: sizes of BARs");
  end
`endif

endmodule
