// SPDX-License-Identifier: BSD-2-Clause

/// Nanoseconds since reset for weft_core's `now_ns_i`, from a clock whose period is a whole number of
/// them: 8 at 125 MHz, 4 at 250 MHz. As exact as that clock; it never goes back, and wraps after 584 years.
module weft_board_time #(
  parameter int unsigned PERIOD_NS = 8  ///< 1 to 255
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [63:0] now_ns_o
);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_ns_o <= '0;
    else now_ns_o <= now_ns_o + 64'(PERIOD_NS);
  end

`ifndef SYNTHESIS
  initial if (PERIOD_NS == 0 || PERIOD_NS > 255) $fatal(1, "weft_board_time: PERIOD_NS");
`endif

endmodule
