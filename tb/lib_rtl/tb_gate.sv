// SPDX-License-Identifier: BSD-2-Clause
/// weft_ctx_gate behind a source of messages, with the store that says who is home.
/// Ports: 0 messages in, 1 messages out, 2 idle. A message: context in bits 3:0, number in 31:4.
module tb #(
  parameter int DATA_W = 64,
  parameter int TEST_LATENCY = 0
) (
  input logic clk_i,
  input logic rst_ni
);
  logic        iv, ir, ov, orr, idle;
  logic [31:0] in, out;
  logic [3:0]  out_id;
  logic [15:0] home, want, parked;

  tb_src_item #(.ID(0), .W(32)) u_src (.clk_i, .rst_ni, .valid_o(iv), .ready_i(ir), .data_o(in));
  weft_ctx_gate #(.W(28), .N(16), .DEPTH(4)) u_gate (
    .clk_i, .rst_ni, .home_i(home), .in_valid_i(iv), .in_ready_o(ir), .in_id_i(in[3:0]), .in_data_i(in[31:4]),
    .out_valid_o(ov), .out_ready_i(orr), .out_id_o(out_id), .out_data_o(out[31:4]), .want_o(want), .parked_o(parked),
    .idle_o(idle)
  );
  assign out[3:0] = out_id;
  weft_ctx_store #(.N(16), .TEST_LATENCY(TEST_LATENCY)) u_store (
    .clk_i, .rst_ni, .want_i(want), .home_o(home), .use_i(ov), .use_id_i(out_id),
    .hold_i(1'b0), .hold_id_i('0), .free_i(1'b0), .free_id_i('0)
  );
  tb_snk_item #(.ID(1), .W(32)) u_snk (.clk_i, .rst_ni, .valid_i(ov), .ready_o(orr), .data_i(out));
  tb_snk_pulse #(.ID(2), .W(1)) u_idle (.clk_i, .rst_ni, .valid_i(1'b1), .data_i(idle));

  // Nobody waits inside without end: a context that is home is served before others come in.
  logic [15:0][15:0] age_q;
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 16; i++) begin
      age_q[i] <= (rst_ni && parked[i]) ? age_q[i] + 16'd1 : '0;
      assert (!rst_ni || age_q[i] < 16'd5000) else $error("context %0d waits without end", i);
    end
  end

  logic unused;
  assign unused = DATA_W != 0;
endmodule
