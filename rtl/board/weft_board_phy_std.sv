// SPDX-License-Identifier: BSD-2-Clause

/// Sets up a PHY of whatever make for 1000 Mb/s, full duplex, and watches its link, with the registers that IEEE 802.3 22.2.4 and 40.5
/// give to all of them: 0 control, 1 status, 2 identifier, 4 advertisement, 9 and 10 1000BASE-T control and status. Nothing slower
/// is advertised. Delays of RGMII's clocks are as the PHY has them after its reset.
///
/// The reset pin is low for RESET cycles, then WAIT cycles pass; addresses 1 to 31 and 0 are asked until one answers; set-up; then
/// `ok_o`, and the status every POLL cycles. When nobody answers, or the PHY does not any more, all of it begins anew.
module weft_board_phy_std #(
  parameter int unsigned RESET = 1_250_000,  ///< cycles; 10 ms at 125 MHz
  parameter int unsigned WAIT = 12_500_000,  ///< cycles
  parameter int unsigned POLL = 1_250_000,
  parameter int unsigned HALF = 32           ///< weft_board_mdio
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic phy_rst_no,  ///< pin
  output logic ok_o,        ///< registered: the PHY is set up
  output logic link_o,      ///< registered: link at 1000 Mb/s, full duplex
  output logic mdc_o,
  output logic mdio_o,
  output logic mdio_oe_o,
  input  logic mdio_i
);

  typedef enum logic [3:0] {StReset, StWake, StId, StAdv, StAdv1000, StCtrl, StStatus, StPartner, StPause} state_e;
  state_e      state_q, next;
  logic [27:0] timer_q;
  logic        sent_q, valid, ready, we, rsp, err, access, bad, other, up_q;
  logic [4:0]  register, phy_q;
  logic [15:0] wdata, rdata;

  always_comb begin
    access   = 1'b1;
    we       = 1'b0;
    register = 5'd0;
    wdata    = 16'h0;
    next     = StPause;
    unique case (state_q)
      StId:      begin register = 5'd2; next = StAdv; end
      StAdv:     begin register = 5'd4; we = 1'b1; wdata = 16'h0401; next = StAdv1000; end  // 802.3, PAUSE
      StAdv1000: begin register = 5'd9; we = 1'b1; wdata = 16'h0200; next = StCtrl; end     // full duplex
      StCtrl:    begin register = 5'd0; we = 1'b1; wdata = 16'h1340; next = StStatus; end   // negotiate, anew
      StStatus:  begin register = 5'd1; next = StPartner; end
      StPartner: begin register = 5'd10; next = StPause; end
      default:   access = 1'b0;
    endcase
  end
  assign valid = access && !sent_q;
  assign other = state_q == StId && (err || rdata == 16'hffff || rdata == 16'h0000);  // nobody there
  assign bad   = other ? phy_q == 5'd0 : err;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= StReset;
      timer_q    <= '0;
      sent_q     <= 1'b0;
      phy_q      <= 5'd1;
      up_q       <= 1'b0;
      phy_rst_no <= 1'b0;
      ok_o       <= 1'b0;
      link_o     <= 1'b0;
    end else begin
      timer_q    <= timer_q + 28'd1;
      phy_rst_no <= state_q != StReset;
      if (valid && ready) sent_q <= 1'b1;
      if (access && sent_q && rsp) begin
        sent_q  <= 1'b0;
        timer_q <= '0;
        state_q <= bad ? StReset : other ? StId : next;
        if (bad) begin
          phy_q  <= 5'd1;
          ok_o   <= 1'b0;
          link_o <= 1'b0;
        end else if (other) phy_q <= phy_q + 5'd1;
        else if (state_q == StCtrl) ok_o <= 1'b1;
        else if (state_q == StStatus) up_q <= rdata[5] && rdata[2];  // negotiated, link
        else if (state_q == StPartner) link_o <= up_q && rdata[11];  // it can do 1000 Mb/s, full duplex
      end
      unique case (state_q)
        StReset: if (timer_q == 28'(RESET)) begin
          state_q <= StWake;
          timer_q <= '0;
        end
        StWake:  if (timer_q == 28'(WAIT)) state_q <= StId;
        StPause: if (timer_q == 28'(POLL)) state_q <= StStatus;
        default: ;
      endcase
    end
  end

  weft_board_mdio #(.HALF(HALF)) u_mdio (
    .clk_i, .rst_ni, .req_valid_i(valid), .req_ready_o(ready), .req_we_i(we), .req_phy_i(phy_q), .req_reg_i(register),
    .req_wdata_i(wdata), .rsp_valid_o(rsp), .rsp_rdata_o(rdata), .rsp_err_o(err), .mdc_o, .mdio_o, .mdio_oe_o, .mdio_i
  );

`ifndef SYNTHESIS
  initial if (RESET >= 2 ** 28 || WAIT >= 2 ** 28 || POLL >= 2 ** 28) $fatal(1, "weft_board_phy_std: times");
`endif

endmodule
