// SPDX-License-Identifier: BSD-2-Clause

/// An Ethernet address from the number that a device carries (DNA_PORT, DNA_PORTE2), for boards without a memory of
/// addresses: locally administered, 02-57-46 and the CRC-24 (RFC 9580, 6.1) of the number. Two devices have the same one by
/// a chance of 2^-24. The cell's clock is a register here, a sixteenth of `clk_i`.
module weft_board_addr #(
  parameter int unsigned BITS = 57  ///< of the number: 57 (7 series), 96 (UltraScale+)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        dna_clk_o,
  output logic        dna_read_o,   ///< the next rising edge loads the number
  output logic        dna_shift_o,  ///< the next rising edge shows its next bit
  input  logic        dna_i,
  output logic        valid_o,      ///< stays
  output logic [47:0] addr_o        ///< byte 0 in 7:0; with valid
);

  logic [3:0]  div_q;
  logic [7:0]  count_q;
  logic [23:0] crc_q;
  logic        in;

  // It stands still for half a period when it is taken.
  weft_sync u_in (.clk_i, .rst_ni, .d_i(dna_i), .q_o(in));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      div_q       <= '0;
      count_q     <= '0;
      crc_q       <= 24'hb704ce;
      dna_clk_o   <= 1'b0;
      dna_read_o  <= 1'b1;
      dna_shift_o <= 1'b0;
      valid_o     <= 1'b0;
    end else if (!valid_o) begin
      div_q     <= div_q + 4'd1;
      dna_clk_o <= div_q[3];
      // Bit count_q shows; what the cell shall do next is set in the low half.
      if (div_q == '1) begin
        crc_q       <= {crc_q[22:0], 1'b0} ^ (crc_q[23] != in ? 24'h864cfb : 24'h0);
        count_q     <= count_q + 8'd1;
        valid_o     <= count_q == 8'(BITS - 1);
        dna_read_o  <= 1'b0;
        dna_shift_o <= 1'b1;
      end
    end
  end
  assign addr_o = {crc_q[7:0], crc_q[15:8], crc_q[23:16], 24'h465702};

`ifndef SYNTHESIS
  initial if (BITS < 2 || BITS > 255) $fatal(1, "weft_board_addr: BITS");
`endif

endmodule
