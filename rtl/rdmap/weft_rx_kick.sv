// SPDX-License-Identifier: BSD-2-Clause

/// Set of QPs that want attention, first come first served. A QP is in it at most once, so it
/// never overflows and doorbells can always be taken. One that is not home (weft_ctx_store) goes to the
/// end of the queue when it is its turn.
module weft_rx_kick #(
  parameter int unsigned N_QP = 16,  ///< queue pairs, a power of two, 2 or more
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [N_QP-1:0] home_i,
  output logic [N_QP-1:0] want_o,      ///< the set
  input  logic           set_valid_i,  ///< pulse, always taken
  input  logic [QpW-1:0] set_qpn_i,
  input  logic           add_valid_i,  ///< second source
  output logic           add_ready_o,
  input  logic [QpW-1:0] add_qpn_i,
  output logic           out_valid_o,
  input  logic           out_ready_i,
  output logic [QpW-1:0] out_qpn_o
);

  logic [N_QP-1:0] member_q;
  logic [QpW-1:0]  qpn;
  logic            add, push, pop, room, turn, head_valid;
  logic [QpW:0]    count;

  assign qpn         = set_valid_i ? set_qpn_i : add_qpn_i;
  assign add         = set_valid_i || add_valid_i;
  assign push        = add && !member_q[qpn];
  assign want_o      = member_q;
  assign add_ready_o = !set_valid_i;
  assign out_valid_o = head_valid && home_i[out_qpn_o];
  assign pop         = out_valid_o && out_ready_i;
  assign turn        = head_valid && !home_i[out_qpn_o] && !push && room;

  weft_fifo #(.W(QpW), .DEPTH(N_QP)) u_fifo (
    .clk_i, .rst_ni, .in_valid_i(push || turn), .in_ready_o(room), .in_data_i(turn ? out_qpn_o : qpn),
    .out_valid_o(head_valid), .out_ready_i(pop || turn), .out_data_o(out_qpn_o), .count_o(count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      member_q <= '0;
    end else begin
      if (pop) member_q[out_qpn_o] <= 1'b0;
      if (push) member_q[qpn] <= 1'b1;
    end
  end

  logic unused;
  assign unused = ^count;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(push || turn) || room) else $error("weft_rx_kick: no room");
  end
`endif

endmodule
