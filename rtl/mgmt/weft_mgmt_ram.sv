// SPDX-License-Identifier: BSD-2-Clause

/// RAM of the control processor: 2^AW words, port A reads, port B reads or writes (byte lanes).
/// Both are synchronous; a port's output is held while its enable is low. One memory per byte
/// lane, so that it fits the dual-port blocks of every family.
module weft_mgmt_ram #(
  parameter int unsigned AW = 14  ///< log2 of words
) (
  input  logic          clk_i,
  input  logic          a_en_i,
  input  logic [AW-1:0] a_addr_i,
  output logic [31:0]   a_rdata_o,
  input  logic          b_en_i,
  input  logic [3:0]    b_we_i,
  input  logic [AW-1:0] b_addr_i,
  input  logic [31:0]   b_wdata_i,
  output logic [31:0]   b_rdata_o
);

  for (genvar i = 0; i < 4; i++) begin : g_lane
    logic [7:0] mem_q [1 << AW];
    logic [7:0] a_q, b_q;
    always_ff @(posedge clk_i) begin
      if (a_en_i) a_q <= mem_q[a_addr_i];
    end
    always_ff @(posedge clk_i) begin
      if (b_en_i) begin
        if (b_we_i[i]) mem_q[b_addr_i] <= b_wdata_i[8*i+:8];
        else b_q <= mem_q[b_addr_i];
      end
    end
    assign a_rdata_o[8*i+:8] = a_q;
    assign b_rdata_o[8*i+:8] = b_q;
  end

endmodule
