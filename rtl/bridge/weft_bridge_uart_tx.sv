// SPDX-License-Identifier: BSD-2-Clause

/// Bytes to an asynchronous serial line, 8 data bits, no parity, one stop bit. A bit is CLK_HZ / BAUD cycles, 4 or more, not a
/// whole number: an edge is up to a cycle late.
module weft_bridge_uart_tx #(
  parameter int unsigned CLK_HZ = 62_500_000,
  parameter int unsigned BAUD = 6_000_000
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i,
  output logic       tx_o      ///< registered; high while it rests
);

  localparam logic [63:0] Step64 = 64'(BAUD) * 64'd65536 / 64'(CLK_HZ);
  localparam logic [15:0] Step = Step64[15:0];

  logic        busy_q;
  logic [15:0] phase_q;
  logic [16:0] phase;
  logic [3:0]  left_q;
  logic [8:0]  bits_q;

  assign ready_o = !busy_q;
  assign phase   = {1'b0, phase_q} + {1'b0, Step};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      phase_q <= '0;
      left_q  <= '0;
      bits_q  <= '1;
      tx_o    <= 1'b1;
    end else if (!busy_q) begin
      tx_o <= 1'b1;
      if (valid_i) begin
        busy_q  <= 1'b1;
        phase_q <= '0;
        left_q  <= 4'd9;
        bits_q  <= {1'b1, data_i};
        tx_o    <= 1'b0;
      end
    end else begin
      phase_q <= phase[15:0];
      if (phase[16]) begin
        tx_o   <= bits_q[0];
        bits_q <= {1'b1, bits_q[8:1]};
        left_q <= left_q - 4'd1;
        // The stop bit is a whole one, and the cycle of the next byte's start more.
        if (left_q == '0) begin
          busy_q <= 1'b0;
          tx_o   <= 1'b1;
        end
      end
    end
  end

`ifndef SYNTHESIS
  initial if (64'(CLK_HZ) < 64'(BAUD) * 64'd4 || BAUD < 1200) $fatal(1, "weft_bridge_uart_tx: BAUD");
`endif

endmodule
