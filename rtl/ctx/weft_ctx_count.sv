// SPDX-License-Identifier: BSD-2-Clause

/// N counters of W bits in RAM: one port adds, one looks. An addition a cycle, also to the same counter
/// in consecutive cycles; it is seen by a look three cycles later at the latest. Counters wrap.
/// Not reset: `clear_i` writes zero, an index a cycle, while nothing is added.
module weft_ctx_count #(
  parameter int unsigned N = 16,     ///< power of two, 2 or more
  parameter int unsigned W = 12,     ///< bits of a counter
  parameter int unsigned ADD_W = 4,  ///< bits of a signed addend
  localparam int unsigned IdxW = $clog2(N)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  logic [IdxW-1:0]  clear_idx_i,
  input  logic             add_i,
  input  logic [IdxW-1:0]  add_idx_i,
  input  logic [ADD_W-1:0] add_n_i,      ///< two's complement
  input  logic [IdxW-1:0]  look_idx_i,
  output logic [W-1:0]     look_o        ///< a cycle later
);

  // a: the counter is being read; b: the sum is written.
  logic             a_v_q, b_v_q;
  logic [IdxW-1:0]  a_idx_q, b_idx_q;
  logic [ADD_W-1:0] a_n_q;
  logic [W-1:0]     mem, old, sum, b_sum_q;

  assign old = b_v_q && b_idx_q == a_idx_q ? b_sum_q : mem;
  assign sum = old + {{(W - ADD_W) {a_n_q[ADD_W-1]}}, a_n_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_v_q <= 1'b0;
      b_v_q <= 1'b0;
    end else begin
      a_v_q <= add_i;
      b_v_q <= a_v_q;
    end
  end
  always_ff @(posedge clk_i) begin
    a_idx_q <= add_idx_i;
    a_n_q   <= add_n_i;
    b_idx_q <= a_idx_q;
    b_sum_q <= sum;
  end

  logic            we;
  logic [IdxW-1:0] wa;
  logic [W-1:0]    wd;
  assign we = clear_i || a_v_q;
  assign wa = clear_i ? clear_idx_i : a_idx_q;
  assign wd = clear_i ? '0 : sum;
  weft_ram_1r1w #(.W(W), .DEPTH(N)) u_add (
    .clk_i, .we_i(we), .waddr_i(wa), .wdata_i(wd), .re_i(add_i), .raddr_i(add_idx_i), .rdata_o(mem)
  );
  weft_ram_1r1w #(.W(W), .DEPTH(N)) u_look (
    .clk_i, .we_i(we), .waddr_i(wa), .wdata_i(wd), .re_i(1'b1), .raddr_i(look_idx_i), .rdata_o(look_o)
  );

endmodule
