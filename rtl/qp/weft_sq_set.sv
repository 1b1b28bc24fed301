// SPDX-License-Identifier: BSD-2-Clause

/// A ready set with several who insert: one whose word is always taken, K others that wait. It says who
/// entered, because a member that is inside holds a pin.
module weft_sq_set #(
  parameter int unsigned N = 64,  ///< members, a power of two
  parameter int unsigned K = 2,   ///< others, the first one first
  localparam int unsigned IdW = $clog2(N)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             ready_o,       ///< cleared; before that nothing may be inserted
  input  logic             ins_valid_i,   ///< always taken
  input  logic [IdW-1:0]   ins_id_i,
  input  logic [K-1:0]     req_valid_i,
  output logic [K-1:0]     req_ready_o,
  input  logic [K*IdW-1:0] req_id_i,
  output logic             enter_o,       ///< pulse: it was not inside
  output logic [IdW-1:0]   enter_id_o,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [IdW-1:0]   out_id_o,
  output logic             idle_o
);

  logic           ins;
  logic [IdW-1:0] id, id_q;

  always_comb begin
    ins         = ins_valid_i;
    id          = ins_id_i;
    req_ready_o = '0;
    for (int unsigned i = 0; i < K; i++) begin
      if (!ins && req_valid_i[i] && ready_o) begin
        ins            = 1'b1;
        id             = req_id_i[i*IdW+:IdW];
        req_ready_o[i] = 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) id_q <= id;
  assign enter_id_o = id_q;

  logic [IdW:0] count;
  logic         merge;
  weft_ready_fifo #(.N(N)) u_set (
    .clk_i, .rst_ni, .ready_o, .ins_valid_i(ins), .ins_id_i(id), .out_valid_o, .out_ready_i, .out_id_o,
    .count_o(count), .idle_o, .stat_enter_o(enter_o), .stat_merge_o(merge)
  );
  logic unused;
  assign unused = ^{count, merge};

endmodule
