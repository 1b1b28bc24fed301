// SPDX-License-Identifier: BSD-2-Clause

/// Prepares a write packet: dword address, length with the bytes in front of the first, size of the
/// first TLP. Two stages, one packet a cycle; the second is a full register slice, which ends the
/// chain of ready signals from the TLP output. Part of weft_pcie_wr.
module weft_pcie_wr_hdr (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [2:0]  cfg_mps_i,    ///< 0: 128 bytes ... 5: 4096; codes above are taken as 128
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  logic [91:0] in_hdr_i,     ///< {addr[63:0], len[15:0], msi, vector[10:0]}
  output logic        out_valid_o,
  input  logic        out_ready_i,
  output logic [63:2] out_addr_o,
  output logic [1:0]  out_off_o,    ///< bytes in front of the first
  output logic [16:0] out_len_o,    ///< length including them
  output logic [12:0] out_first_o,  ///< of that, what goes into the first TLP
  output logic [12:0] out_blk_o,    ///< MPS in bytes
  output logic        out_msi_o,
  output logic [10:0] out_vec_o
);

  logic        v1_q, r1, r2;
  logic [63:0] addr_q;
  logic [16:0] len_q;
  logic [12:0] room_q, blk_q, blk1_q;
  logic        msi_q;
  logic [10:0] vec_q;

  assign r1         = !v1_q || r2;
  assign in_ready_o = r1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q  <= 1'b0;
      blk_q <= 13'd128;
    end else begin
      if (r1) v1_q <= in_valid_i;
      blk_q <= (cfg_mps_i > 3'd5) ? 13'd128 : 13'd128 << cfg_mps_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (r1) begin
      addr_q <= in_hdr_i[91:28];
      {msi_q, vec_q} <= in_hdr_i[11:0];
      len_q  <= {1'b0, in_hdr_i[27:12]} + 17'(in_hdr_i[29:28]);
      room_q <= blk_q - ({1'b0, in_hdr_i[39:30], 2'b00} & (blk_q - 13'd1));
      blk1_q <= blk_q;
    end
  end

  weft_skid #(.W(62 + 2 + 17 + 13 + 13 + 1 + 11)) u_out (
    .clk_i, .rst_ni, .in_valid_i(v1_q), .in_ready_o(r2),
    .in_data_i({addr_q, len_q, (len_q > 17'(room_q)) ? room_q : len_q[12:0], blk1_q, msi_q, vec_q}),
    .out_valid_o, .out_ready_i,
    .out_data_o({out_addr_o, out_off_o, out_len_o, out_first_o, out_blk_o, out_msi_o, out_vec_o})
  );

endmodule
