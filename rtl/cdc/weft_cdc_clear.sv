// SPDX-License-Identifier: BSD-2-Clause

/// One side of a pair that lets a crossing survive a reset of either side, of any length, at any
/// ratio of the clocks. A side that was reset says so at once (`need_o`, set asynchronously, so
/// that it
/// stands although the clock may not) and stays closed; then it turns `req_o`, the other side
/// clears its
/// half and turns its `ack_o` after it. A reset in the middle of that waits for the same answer:
/// this side has
/// been closed since before it asked. `req_o` and `ack_o` know no reset, so none can be taken for
/// another's.
///
/// `clear_o` is high from the reset, or from when the other side's is known, until both halves are
/// clear. The crossing's own signals must come through one stage more than STAGES: then what a
/// reset
/// does to them (several bits at once) is not seen before `clear_o` is high.
module weft_cdc_clear #(
  parameter int unsigned STAGES = 2
) (
  input  logic clk_i,
  input  logic rst_ni,       ///< of this side, released with clk_i; any length
  output logic need_o,       ///< to the other side's other_need_i, likewise the others
  output logic req_o,
  output logic ack_o,
  input  logic other_need_i,
  input  logic other_req_i,
  input  logic other_ack_i,
  output logic clear_o       ///< this half is closed and is to be cleared
);

  logic       need_q, sent_q, req_q, done_q, ack_q, other_need, other_req, other_ack;
  logic [1:0] go_q;

  weft_sync #(.W(3), .STAGES(STAGES)) u_sync (
    .clk_i, .rst_ni(1'b1), .d_i({other_need_i, other_req_i, other_ack_i}),
    .q_o({other_need, other_req, other_ack})
  );

  // What has no reset hangs on go_q, which a reset only takes back: when that falls into an edge of
  // the
  // clock, req_q turns or does not, and both are right.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      need_q <= 1'b1;
      sent_q <= 1'b0;
      go_q   <= '0;
    end else begin
      go_q <= {go_q[0], 1'b1};
      if (go_q[1] && need_q) begin
        sent_q <= !sent_q || other_ack != req_q;
        need_q <= !sent_q || other_ack != req_q;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (go_q[1] && need_q && !sent_q && other_ack == req_q) req_q <= !req_q;
    // A cycle behind the clear, so that nobody opens before he sees this half's signals as they are
    // now.
    done_q <= other_req;
    ack_q  <= done_q;
  end

  assign need_o  = need_q;
  assign req_o   = req_q;
  assign ack_o   = ack_q;
  assign clear_o = need_q || other_need || other_req != done_q || done_q != ack_q;

endmodule
