// SPDX-License-Identifier: BSD-2-Clause

/// Master of the management interface of PHYs (IEEE 802.3 clause 22.2.4, 22.3.4): one access at a time, 64
/// periods of MDC: preamble, start, operation, addresses, turnaround, data. MDIO changes in the midst of the low half
/// of MDC; it is sampled at the end of it, as the PHY drives it from the rising edge before.
module weft_board_mdio #(
  parameter int unsigned HALF = 32  ///< cycles of clk_i of half a period of MDC, 8 to 255; a period is at least 400 ns
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic        req_we_i,
  input  logic [4:0]  req_phy_i,
  input  logic [4:0]  req_reg_i,
  input  logic [15:0] req_wdata_i,
  output logic        rsp_valid_o,  ///< pulse, for reads and writes
  output logic [15:0] rsp_rdata_o,  ///< with valid, of a read
  output logic        rsp_err_o,    ///< with valid: nobody answered the read (no zero in the turnaround)
  output logic        mdc_o,
  output logic        mdio_o,
  output logic        mdio_oe_o,
  input  logic        mdio_i        ///< asynchronous, pulled up
);

  logic        busy_q, we_q, in;
  logic [7:0]  div_q;
  logic [5:0]  bit_q;   // of the 64
  logic [31:0] out_q;   // from the start on
  logic [16:0] in_q;    // turnaround and data
  logic        end_half;

  weft_sync u_in (.clk_i, .rst_ni, .d_i(mdio_i), .q_o(in));

  assign end_half    = div_q == 8'(HALF - 1);
  assign req_ready_o = !busy_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      we_q        <= 1'b0;
      div_q       <= '0;
      bit_q       <= '0;
      out_q       <= '0;
      in_q        <= '0;
      mdc_o       <= 1'b0;
      mdio_o      <= 1'b1;
      mdio_oe_o   <= 1'b0;
      rsp_valid_o <= 1'b0;
    end else begin
      rsp_valid_o <= 1'b0;
      if (!busy_q) begin
        mdio_oe_o <= 1'b0;
        if (req_valid_i) begin
          busy_q <= 1'b1;
          we_q   <= req_we_i;
          div_q  <= '0;
          bit_q  <= '0;
          out_q  <= {2'b01, req_we_i ? 2'b01 : 2'b10, req_phy_i, req_reg_i, 2'b10, req_wdata_i};
        end
      end else begin
        div_q <= end_half ? 8'd0 : div_q + 8'd1;
        if (!mdc_o && div_q == 8'(HALF / 2)) begin
          mdio_oe_o <= we_q || bit_q < 6'd46;
          mdio_o    <= bit_q < 6'd32 || out_q[31];
          if (bit_q >= 6'd32) out_q <= {out_q[30:0], 1'b1};
        end
        if (end_half) begin
          mdc_o <= !mdc_o;
          if (!mdc_o) in_q <= {in_q[15:0], in};
          else begin
            bit_q <= bit_q + 6'd1;
            if (bit_q == 6'd63) begin
              busy_q      <= 1'b0;
              rsp_valid_o <= 1'b1;
            end
          end
        end
      end
    end
  end
  assign rsp_rdata_o = in_q[15:0];
  assign rsp_err_o   = !we_q && in_q[16];

`ifndef SYNTHESIS
  initial if (HALF < 8 || HALF > 255) $fatal(1, "weft_board_mdio: HALF");
`endif

endmodule
