// SPDX-License-Identifier: BSD-2-Clause

/// The resets of a board, released in one order, each through a bridge of its own clock (weft_rst_bridge):
///
///   1. system  when `sys_ok_i` rises (clock manager locked, no button)
///   2. core    when `core_ok_i` rises (the PCIe block's user reset has gone); it waits for nothing else,
///              so a host finds the card whatever the network side does
///   3. transmit  when system and core are out and `phy_ok_i` is high (the PHY is set up)
///   4. receive   16 system cycles behind transmit
///
/// They come back at once, also while their clocks stand: without system or core neither transmit nor
/// receive is out; a `phy_ok_i` that falls takes transmit and receive; the core's is the block's alone.
module weft_board_rst (
  input  logic sys_clk_i,   ///< free running
  input  logic sys_ok_i,    ///< asynchronous, free of glitches
  input  logic core_clk_i,  ///< the PCIe block's user clock
  input  logic core_ok_i,   ///< registered in core_clk_i
  input  logic phy_ok_i,    ///< registered in sys_clk_i
  input  logic tx_clk_i,    ///< of the MAC
  input  logic rx_clk_i,    ///< of the PHY; may stand
  output logic sys_rst_no,
  output logic core_rst_no,
  output logic tx_rst_no,
  output logic rx_rst_no
);

  logic seq_rst_n, tx_go_q, rx_go_q, on_q;  // on_q: tx_go_q for logic
  logic [3:0] count_q;

  weft_rst_bridge u_sys (.clk_i(sys_clk_i), .rst_ni(sys_ok_i), .rst_no(sys_rst_no));
  weft_rst_bridge u_core (.clk_i(core_clk_i), .rst_ni(core_ok_i), .rst_no(core_rst_no));
  // Both are flip-flops: the AND makes no low pulse while both are high, and a high one is too short to pass the bridge.
  weft_rst_bridge u_seq (.clk_i(sys_clk_i), .rst_ni(sys_rst_no && core_rst_no), .rst_no(seq_rst_n));
  weft_rst_bridge u_tx (.clk_i(tx_clk_i), .rst_ni(tx_go_q), .rst_no(tx_rst_no));
  weft_rst_bridge u_rx (.clk_i(rx_clk_i), .rst_ni(rx_go_q), .rst_no(rx_rst_no));

  always_ff @(posedge sys_clk_i or negedge seq_rst_n) begin
    if (!seq_rst_n) begin
      on_q    <= 1'b0;
      tx_go_q <= 1'b0;
      rx_go_q <= 1'b0;
      count_q <= '0;
    end else begin
      on_q    <= phy_ok_i;
      tx_go_q <= phy_ok_i;
      rx_go_q <= phy_ok_i && on_q && count_q == '1;
      if (!phy_ok_i || !on_q) count_q <= '0;
      else if (count_q != '1) count_q <= count_q + 4'd1;
    end
  end

endmodule
