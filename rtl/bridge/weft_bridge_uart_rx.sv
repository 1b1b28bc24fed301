// SPDX-License-Identifier: BSD-2-Clause

/// Asynchronous serial line, 8 data bits, no parity, one stop bit, to bytes. A bit is CLK_HZ / BAUD cycles, 4 or more, not a whole
/// number; the far clock may be off by 2 % at 8 cycles a bit. A byte without a stop bit is left out.
module weft_bridge_uart_rx #(
  parameter int unsigned CLK_HZ = 62_500_000,
  parameter int unsigned BAUD = 6_000_000
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,      ///< asynchronous
  output logic       valid_o,   ///< registered pulse
  output logic [7:0] data_o
);

  localparam logic [63:0] Step64 = 64'(BAUD) * 64'd65536 / 64'(CLK_HZ);
  localparam logic [15:0] Step = Step64[15:0];

  logic        in, idle_q, wait_q, sample;
  logic [15:0] phase_q;
  logic [16:0] phase;
  logic [3:0]  bit_q;

  // A line that rests is high, also while this is in reset.
  logic in_n;
  weft_sync u_in (.clk_i, .rst_ni, .d_i(!rx_i), .q_o(in_n));
  assign in     = !in_n;
  assign phase  = {1'b0, phase_q} + {1'b0, Step};
  assign sample = phase[16];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      idle_q  <= 1'b1;
      wait_q  <= 1'b1;
      phase_q <= '0;
      bit_q   <= '0;
      valid_o <= 1'b0;
    end else begin
      valid_o <= 1'b0;
      if (idle_q) begin
        // Half a bit less the cycle in which the edge is seen late on average.
        phase_q <= 16'h8000 + Step;
        bit_q   <= '0;
        if (in) wait_q <= 1'b0;
        if (!in && !wait_q) idle_q <= 1'b0;
      end else begin
        phase_q <= phase[15:0];
        if (sample) begin
          bit_q <= bit_q + 4'd1;
          if (bit_q == '0 && in) idle_q <= 1'b1;  // no start bit
          if (bit_q == 4'd9) begin
            valid_o <= in;
            idle_q  <= 1'b1;
            wait_q  <= !in;
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i) if (!idle_q && sample && bit_q != 4'd9) data_o <= {in, data_o[7:1]};

`ifndef SYNTHESIS
  initial if (64'(CLK_HZ) < 64'(BAUD) * 64'd4 || BAUD < 1200) $fatal(1, "weft_bridge_uart_rx: BAUD");
`endif

endmodule
