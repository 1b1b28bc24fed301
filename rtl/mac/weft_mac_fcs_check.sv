// SPDX-License-Identifier: BSD-2-Clause

/// Checks the FCS of frames that come as 64-bit words, one a cycle at most (IEEE 802.3 3.2.9:
/// CRC-32,
/// init all ones, complemented). The last word may have 0 to 8 bytes; what is behind them counts
/// as zeros,
/// and the register of a good frame after 0 to 8 zero bytes is a constant each.
module weft_mac_fcs_check (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic        first_i,
  input  logic [63:0] data_i,
  input  logic [3:0]  cnt_i,    ///< with last: 0 to 8
  input  logic        last_i,
  output logic        done_o,   ///< two cycles behind a last word
  output logic        ok_o      ///< with done
);

  localparam logic [31:0] Poly = 32'hedb8_8320;
  localparam logic [31:0] Residue = 32'hdebb_20e3;

  function automatic logic [31:0] step(input logic [31:0] c);
    step = {1'b0, c[31:1]} ^ (c[0] ? Poly : 32'd0);
  endfunction

  // Column n: what bit n of a word does to the register. Columns 0 to 31 also advance the register.
  logic [63:0][31:0] col;
  for (genvar n = 0; n < 64; n++) begin : gen_col
    logic [31:0] c;
    if (n == 63) begin : gen_end
      assign c = step(32'd1);
    end else begin : gen_chain
      assign c = step(gen_col[n+1].c);
    end
    assign col[n] = c;
  end

  // The register of a good frame behind k zero bytes.
  logic [8:0][31:0] good;
  for (genvar k = 0; k < 9; k++) begin : gen_good
    logic [31:0] c;
    if (k == 0) begin : gen_residue
      assign c = Residue;
    end else begin : gen_next
      assign c = step(step(step(step(step(step(step(step(gen_good[k-1].c))))))));
    end
    assign good[k] = c;
  end

  logic [63:0] masked;
  logic [31:0] part, part_q, ahead, state_q;
  logic        v1_q, f1_q, l1_q, l2_q;
  logic [3:0]  n1_q, n2_q;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) masked[8*i+:8] = !last_i || 4'(i) < cnt_i
      ? data_i[8*i+:8] : 8'h00;
    part = '0;
    for (int unsigned i = 0; i < 64; i++) part = part ^ (col[i] & {32{masked[i]}});
    ahead = '0;
    for (int unsigned i = 0; i < 32; i++) ahead = ahead ^ (col[i] & {32{f1_q || state_q[i]}});
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q <= 1'b0;
      l1_q <= 1'b0;
      l2_q <= 1'b0;
    end else begin
      v1_q <= valid_i;
      l1_q <= valid_i && last_i;
      l2_q <= l1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) part_q <= part;
    f1_q <= first_i;
    n1_q <= 4'd8 - cnt_i;
    if (v1_q) state_q <= ahead ^ part_q;
    n2_q <= n1_q;
  end

  assign done_o = l2_q;
  assign ok_o   = state_q == good[n2_q <= 4'd8 ? n2_q : 4'd8];

endmodule
