// SPDX-License-Identifier: BSD-2-Clause

/// Reset bridge: the reset of a clock domain asserts at once (also while the clock stands) and is
/// released STAGES edges of the clock after the source was, so that every flip-flop of the domain
/// leaves reset at the same edge.
/// Constraints: false path to the clear inputs of `sync_q`; the tool times recovery and removal
/// from
/// `rst_no` in the domain.
module weft_rst_bridge #(
  parameter int unsigned STAGES = 3  ///< 2 or more
) (
  input  logic clk_i,
  input  logic rst_ni,  ///< asynchronous, free of glitches
  output logic rst_no   ///< for the asynchronous resets of the domain of clk_i
);

  (* ASYNC_REG = "TRUE", keep = "true" *) logic [STAGES-1:0] sync_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sync_q <= '0;
    else sync_q <= {sync_q[STAGES-2:0], 1'b1};
  end

  assign rst_no = sync_q[STAGES-1];

`ifndef SYNTHESIS
  initial if (STAGES < 2) $fatal(1, "weft_rst_bridge: STAGES");
`endif

endmodule
