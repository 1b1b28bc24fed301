// SPDX-License-Identifier: BSD-2-Clause

/// Firmware events of weft_cq: overflows, of which a CQ has one until it is loaded anew, and drain
/// tokens. DEPTH of them wait; an overflow goes before a token.
module weft_cq_fwev #(
  parameter int unsigned DEPTH = 32  ///< a power of two, 2 or more
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             over_valid_i,
  output logic             over_ready_o,
  input  logic [15:0]      over_cqn_i,
  input  logic             token_valid_i,
  output logic             token_ready_o,
  input  logic [16:0]      token_i,       ///< {0 CQ or 1 EQ, number}
  output logic             fwev_valid_o,
  input  logic             fwev_ready_i,
  output weft_pkg::fw_ev_t fwev_o,
  output logic             idle_o
);

  logic                    over, room;
  logic [16:0]             what;
  logic [$clog2(DEPTH):0]  count;
  weft_abi_pkg::fw_event_t e;

  assign over_ready_o  = room;
  assign token_ready_o = room && !over_valid_i;

  weft_fifo #(.W(18), .DEPTH(DEPTH)) u_events (
    .clk_i, .rst_ni, .in_valid_i(over_valid_i || token_valid_i), .in_ready_o(room),
    .in_data_i(over_valid_i ? {2'b10, over_cqn_i} : {1'b0, token_i}),
    .out_valid_o(fwev_valid_o), .out_ready_i(fwev_ready_i), .out_data_o({over, what}), .count_o(count)
  );

  always_comb begin
    e      = '0;
    e.kind = over ? weft_abi_pkg::FW_EV_CQ_OVERFLOW : weft_abi_pkg::FW_EV_DRAINED;
    e.code = over ? 16'd0 : 16'(what[16] ? weft_abi_pkg::ROOM_EQ : weft_abi_pkg::ROOM_CQ);
    e.id   = 32'(what[15:0]);
  end
  assign fwev_o = e;
  assign idle_o = count == '0;

endmodule
