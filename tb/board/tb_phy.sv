// SPDX-License-Identifier: BSD-2-Clause
/// weft_board_phy_std and a PHY in C (phy.c).
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function int phy_cycle(input int phy_rst_n, input int mdc, input int mdio, input int oe, input int ok, input int link);
  logic phy_rst_n, ok, link, mdc, mdio, oe, mdio_in;
  weft_board_phy_std #(.RESET(60), .WAIT(300), .POLL(150), .HALF(8)) u_phy (
    .clk_i, .rst_ni, .phy_rst_no(phy_rst_n), .ok_o(ok), .link_o(link), .mdc_o(mdc), .mdio_o(mdio), .mdio_oe_o(oe), .mdio_i(mdio_in)
  );
  always @(negedge clk_i) if (rst_ni) mdio_in <= phy_cycle(int'(phy_rst_n), int'(mdc), int'(mdio), int'(oe), int'(ok), int'(link)) != 0;
  logic unused;
  assign unused = ^DATA_W;
endmodule
