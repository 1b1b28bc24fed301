// SPDX-License-Identifier: BSD-2-Clause

/// Memory with one write and one read port, both synchronous, same clock; block RAM or LUT RAM as
/// the tool sees fit. Contents are undefined after power-up and are not reset.
/// A read and a write of the same address in the same cycle: the read gets the old word.
module weft_ram_1r1w #(
  parameter int unsigned W = 8,       ///< bits of a word
  parameter int unsigned DEPTH = 16,  ///< words, 2 or more
  localparam int unsigned AddrW = $clog2(DEPTH)
) (
  input  logic             clk_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [W-1:0]     wdata_i,
  input  logic             re_i,     ///< when low, rdata_o keeps its value
  input  logic [AddrW-1:0] raddr_i,
  output logic [W-1:0]     rdata_o   ///< the word, one cycle after re_i
);

  logic [W-1:0] mem [DEPTH];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    if (re_i) rdata_o <= mem[raddr_i];
  end

endmodule
