// SPDX-License-Identifier: BSD-2-Clause

/// One side of a pair that lets a crossing survive a reset of either side, of any length, at any
/// ratio of the clocks. A side that was reset asks for a clear (`req_o`, set asynchronously, so
/// that it
/// stands although the clock may not); the other side closes, clears its half and answers; then the
/// request and the answer are taken back (four phases: nothing is ever missed).
///
/// `clear_o` is high from the reset, or from when the other side's is known, until both halves are
/// clear. The crossing's own signals must come through one stage more than STAGES: then what a
/// reset
/// does to them (several bits at once) is not seen before `clear_o` is high.
module weft_cdc_clear #(
  parameter int unsigned STAGES = 2
) (
  input  logic clk_i,
  input  logic rst_ni,       ///< of this side, released with clk_i
  output logic req_o,        ///< to the other side's other_req_i
  output logic ack_o,        ///< to the other side's other_ack_i
  input  logic other_req_i,
  input  logic other_ack_i,
  output logic clear_o       ///< this half is closed and is to be cleared
);

  logic req_q, wait_q, ack_q, other_req, other_ack;

  weft_sync #(.W(1), .STAGES(STAGES)) u_req (.clk_i, .rst_ni, .d_i(other_req_i), .q_o(other_req));
  weft_sync #(.W(1), .STAGES(STAGES)) u_ack (.clk_i, .rst_ni, .d_i(other_ack_i), .q_o(other_ack));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_q  <= 1'b1;
      wait_q <= 1'b0;
      ack_q  <= 1'b0;
    end else begin
      // A second reset may have taken the answer to the first for its own, and its short request
      // may be
      // answered late: an answer that nobody waits for means that the other half was cleared alone.
      if (req_q) begin
        req_q  <= !other_ack;
        wait_q <= other_ack;
      end else if (wait_q) begin
        wait_q <= other_ack;
      end else begin
        req_q <= other_ack || (other_req && !ack_q);
      end
      ack_q <= other_req;
    end
  end

  assign req_o   = req_q;
  assign ack_o   = ack_q;
  assign clear_o = req_q || wait_q || other_ack || other_req || ack_q;

endmodule
