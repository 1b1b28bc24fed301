// SPDX-License-Identifier: BSD-2-Clause

/// Synchroniser of levels: STAGES flip-flops in the clock of the reader. Each bit on its own: bits
/// that change together may arrive a cycle apart, so a bus needs a Gray code, weft_sync_bus or a
/// FIFO.
/// The source must be a flip-flop (no logic between, which could glitch) and must hold a level for
/// longer than a cycle of `clk_i`, or it may be missed.
///
/// Constraints: false path (or a datapath-only maximum) to the first stage; docs/mac.md has the
/// text.
/// With WEFT_CDC_RANDOM (simulation) and FORMAL a bit that changes at the sampling edge is taken
/// as it
/// was or as it becomes, each bit by its own choice, as metastability and skew do.
module weft_sync #(
  parameter int unsigned  W = 1,        ///< bits
  parameter int unsigned  STAGES = 2,   ///< flip-flops in a row, 2 or more
  /// outputs during reset and until the input has come through
  parameter logic [W-1:0] RST = '0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [W-1:0] d_i,   ///< asynchronous to clk_i
  output logic [W-1:0] q_o    ///< STAGES to STAGES + 1 cycles later
);

  (* ASYNC_REG = "TRUE", keep = "true" *) logic [STAGES-1:0][W-1:0] sync_q;
  logic [W-1:0] sampled;

`ifdef FORMAL
  (* anyseq *) logic [W-1:0] pick;
  logic [W-1:0] before_q;
  always_ff @($global_clock) before_q <= d_i;
  assign sampled = d_i ^ ((d_i ^ before_q) & pick);
`elsif WEFT_CDC_RANDOM
  // tb.clk_i is the bench's unit of time, in which a source changes at most once. At an edge of
  // clk_i
  // now_q is what d_i was made in the last unit, before_q what it was a unit earlier.
  logic [W-1:0] now_q, before_q, pick_q;
  always_ff @(posedge tb.clk_i) begin
    now_q    <= d_i;
    before_q <= now_q;
    pick_q   <= W'($urandom);
  end
  assign sampled = now_q ^ ((now_q ^ before_q) & pick_q);
`else
  assign sampled = d_i;
`endif

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sync_q <= {STAGES{RST}};
    else sync_q <= {sync_q[STAGES-2:0], sampled};
  end

  assign q_o = sync_q[STAGES-1];

`ifndef SYNTHESIS
  initial if (STAGES < 2) $fatal(1, "weft_sync: STAGES");
`endif

endmodule
