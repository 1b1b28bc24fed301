// SPDX-License-Identifier: BSD-2-Clause

/// As weft_ram_1r1w, with an enable for each lane of LANE_W bits on the write port.
/// A read and a write of the same address in the same cycle: the read gets the old word.
module weft_ram_be #(
  parameter int unsigned W = 32,      ///< bits of a word, a multiple of LANE_W
  parameter int unsigned DEPTH = 16,  ///< words, 2 or more
  parameter int unsigned LANE_W = 8,  ///< bits of a lane
  localparam int unsigned AddrW = $clog2(DEPTH),
  localparam int unsigned Lanes = W / LANE_W
) (
  input  logic             clk_i,
  input  logic [Lanes-1:0] we_i,     ///< one bit a lane; lane 0 is the low bits
  input  logic [AddrW-1:0] waddr_i,
  input  logic [W-1:0]     wdata_i,
  input  logic             re_i,     ///< when low, rdata_o keeps its value
  input  logic [AddrW-1:0] raddr_i,
  output logic [W-1:0]     rdata_o   ///< the word, one cycle after re_i
);

  logic [W-1:0] mem [DEPTH];

  always_ff @(posedge clk_i) begin
    if (we_i != '0) begin
      for (int unsigned i = 0; i < Lanes; i++) begin
        if (we_i[i]) mem[waddr_i][i*LANE_W+:LANE_W] <= wdata_i[i*LANE_W+:LANE_W];
      end
    end
    if (re_i) rdata_o <= mem[raddr_i];
  end

`ifndef SYNTHESIS
  initial begin
    if (W % LANE_W != 0) $fatal(1, "weft_ram_be: W is not a multiple of LANE_W");
  end
`endif

endmodule
