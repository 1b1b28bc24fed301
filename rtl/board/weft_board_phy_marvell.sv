// SPDX-License-Identifier: BSD-2-Clause

/// Sets up a Marvell 88E1116R for RGMII with delays of both clocks in the PHY, and watches its link. Register numbers and
/// bits: those of Linux, drivers/net/phy/marvell.c (22 page; 21 of page 2, bits 5 and 4: delays; 17 of page 0: status, 15:14
/// speed, 13 full duplex, 11 resolved, 10 link) and IEEE 802.3 22.2.4 (0, 2).
///
/// The reset pin is low for RESET cycles, then WAIT cycles pass; addresses 1 to 31 are asked until one has Marvell's
/// identifier; delays, software reset, WAIT cycles; then `ok_o`, and the status every POLL cycles. When no address has it, or
/// an access to the PHY is not answered any more, all of it begins anew.
module weft_board_phy_marvell #(
  parameter int unsigned RESET = 1_250_000,  ///< cycles; 10 ms at 125 MHz
  parameter int unsigned WAIT = 62_500_000,  ///< cycles; the driver that is named above waits 500 ms
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

  typedef enum logic [3:0] {
    StReset, StWake, StId, StPage2, StGetDelay, StSetDelay, StPage0, StGetCtrl, StSetCtrl, StSettle, StPoll, StPause
  } state_e;
  state_e      state_q, next;
  logic [27:0] timer_q;
  logic        sent_q, valid, ready, we, rsp, err, access, bad, other;
  logic [4:0]  register, phy_q;
  logic [15:0] wdata, rdata, held_q;

  always_comb begin
    access   = 1'b1;
    we       = 1'b0;
    register = 5'd0;
    wdata    = 16'h0;
    next     = StPause;
    unique case (state_q)
      StId:       begin register = 5'd2; next = StPage2; end
      StPage2:    begin register = 5'd22; we = 1'b1; wdata = 16'd2; next = StGetDelay; end
      StGetDelay: begin register = 5'd21; next = StSetDelay; end
      StSetDelay: begin register = 5'd21; we = 1'b1; wdata = held_q | 16'h0030; next = StPage0; end
      StPage0:    begin register = 5'd22; we = 1'b1; next = StGetCtrl; end
      StGetCtrl:  begin register = 5'd0; next = StSetCtrl; end
      StSetCtrl:  begin register = 5'd0; we = 1'b1; wdata = held_q | 16'h8000; next = StSettle; end
      StPoll:     begin register = 5'd17; next = StPause; end
      default:    access = 1'b0;
    endcase
  end
  assign valid = access && !sent_q;
  assign other = state_q == StId && (err || rdata != 16'h0141);  // not that one
  assign bad   = other ? phy_q == 5'd31 : err;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= StReset;
      timer_q    <= '0;
      sent_q     <= 1'b0;
      held_q     <= '0;
      phy_q      <= 5'd1;
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
        held_q  <= rdata;
        state_q <= bad ? StReset : other ? StId : next;
        if (bad) phy_q <= 5'd1;
        else if (other) phy_q <= phy_q + 5'd1;
        if (bad) begin
          ok_o   <= 1'b0;
          link_o <= 1'b0;
        end else if (state_q == StPoll) link_o <= rdata[15:14] == 2'd2 && rdata[13] && rdata[11] && rdata[10];
      end
      unique case (state_q)
        StReset: if (timer_q == 28'(RESET)) begin
          state_q <= StWake;
          timer_q <= '0;
        end
        StWake: if (timer_q == 28'(WAIT)) state_q <= StId;
        StSettle: if (timer_q == 28'(WAIT)) begin
          state_q <= StPoll;
          ok_o    <= 1'b1;
        end
        StPause: if (timer_q == 28'(POLL)) state_q <= StPoll;
        default: ;
      endcase
    end
  end

  weft_board_mdio #(.HALF(HALF)) u_mdio (
    .clk_i, .rst_ni, .req_valid_i(valid), .req_ready_o(ready), .req_we_i(we), .req_phy_i(phy_q), .req_reg_i(register),
    .req_wdata_i(wdata), .rsp_valid_o(rsp), .rsp_rdata_o(rdata), .rsp_err_o(err), .mdc_o, .mdio_o, .mdio_oe_o, .mdio_i
  );

`ifndef SYNTHESIS
  initial if (RESET >= 2 ** 28 || WAIT >= 2 ** 28 || POLL >= 2 ** 28) $fatal(1, "weft_board_phy_marvell: times");
`endif

endmodule
