// SPDX-License-Identifier: BSD-2-Clause

/// Events of the rooms for firmware: N sources, round robin, copied word by word into a queue of
/// DEPTH events. A source waits (valid held, event stable) while its 16 words are copied or the
/// queue is full: nothing is lost, since a QP raises at most one error event until it is loaded
/// anew.
///
/// `rd_word_i` addresses the oldest event; `rd_data_o` follows one cycle later.
module weft_mgmt_events #(
  parameter int unsigned N = 2,
  parameter int unsigned DEPTH = 32
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [N-1:0]         ev_valid_i,
  output logic [N-1:0]         ev_ready_o,
  input  logic [N-1:0][511:0]  ev_i,
  output logic [$clog2(DEPTH):0] count_o,
  input  logic                 pop_i,
  input  logic [3:0]           rd_word_i,
  output logic [31:0]          rd_data_o,
  output logic                 idle_o
);

  localparam int unsigned DW = $clog2(DEPTH);
  localparam int unsigned NW = N > 1 ? $clog2(N) : 1;

  logic [31:0]   mem_q [DEPTH*16];
  logic [DW:0]   wp_q, rp_q;
  logic [NW-1:0] sel_q;
  logic [3:0]    word_q;
  logic          busy_q;
  logic [511:0]  shift_q;

  logic [NW-1:0] pick;
  always_comb begin
    pick = sel_q;
    for (int unsigned i = 0; i < N; i++) begin
      if (ev_valid_i[N-1-i]) pick = NW'(N - 1 - i);
    end
    for (int unsigned i = 0; i < N; i++) begin
      if (ev_valid_i[N-1-i] && NW'(N - 1 - i) > sel_q) pick = NW'(N - 1 - i);
    end
  end

  logic take;
  assign take = !busy_q && |ev_valid_i && (wp_q - rp_q) != (DW+1)'(DEPTH);
  always_comb begin
    ev_ready_o = '0;
    for (int unsigned i = 0; i < N; i++) ev_ready_o[i] = take && pick == NW'(i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wp_q <= '0;
      rp_q <= '0;
      sel_q <= '0;
      word_q <= '0;
      busy_q <= 1'b0;
    end else begin
      if (take) begin
        sel_q <= pick;
        busy_q <= 1'b1;
        word_q <= '0;
      end else if (busy_q) begin
        word_q <= word_q + 4'd1;
        if (word_q == 4'd15) begin
          busy_q <= 1'b0;
          wp_q <= wp_q + 1'b1;
        end
      end
      if (pop_i && count_o != 0) rp_q <= rp_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) shift_q <= ev_i[pick];
    else shift_q <= shift_q >> 32;
    if (busy_q) mem_q[{wp_q[DW-1:0], word_q}] <= shift_q[31:0];
  end
  always_ff @(posedge clk_i) begin
    rd_data_o <= mem_q[{rp_q[DW-1:0], rd_word_i}];
  end

  assign count_o = wp_q - rp_q;
  assign idle_o = !busy_q && count_o == 0 && !(|ev_valid_i);

endmodule
