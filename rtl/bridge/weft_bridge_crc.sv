// SPDX-License-Identifier: BSD-2-Clause

/// One byte of the CRC-32 of IEEE 802.3, 3.2.9, reflected: starts with all ones, sent inverted, low byte first. Over a frame with
/// its CRC the register ends at debb20e3.
module weft_bridge_crc (
  input  logic [31:0] crc_i,
  input  logic [7:0]  data_i,
  output logic [31:0] crc_o
);

  always_comb begin
    crc_o = crc_i ^ {24'd0, data_i};
    for (int i = 0; i < 8; i++) crc_o = {1'b0, crc_o[31:1]} ^ (crc_o[0] ? 32'hedb8_8320 : 32'd0);
  end

endmodule
