// SPDX-License-Identifier: BSD-2-Clause

/// Memory with one writer and several readers, each with a copy of its own. A read in the cycle of
/// a write of the same word gets the old one.
module weft_qp_mem #(
  parameter int unsigned W = 8,
  parameter int unsigned DEPTH = 16,  ///< 2 or more
  parameter int unsigned N_RD = 1,
  localparam int unsigned AddrW = $clog2(DEPTH)
) (
  input  logic                        clk_i,
  input  logic                        we_i,
  input  logic [AddrW-1:0]            waddr_i,
  input  logic [W-1:0]                wdata_i,
  input  logic [N_RD-1:0]             re_i,
  input  logic [N_RD-1:0][AddrW-1:0]  raddr_i,
  output logic [N_RD-1:0][W-1:0]      rdata_o   ///< one cycle after re_i, then held
);
  for (genvar i = 0; i < N_RD; i++) begin : gen_rd
    weft_ram_1r1w #(.W(W), .DEPTH(DEPTH)) u_ram (
      .clk_i, .we_i, .waddr_i, .wdata_i,
      .re_i(re_i[i]), .raddr_i(raddr_i[i]), .rdata_o(rdata_o[i])
    );
  end
endmodule
