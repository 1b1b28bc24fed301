// SPDX-License-Identifier: BSD-2-Clause

/// State store of one room: says which contexts (of QPs, of CQs) are home, that is, whose records of
/// this room are on chip.
///
/// Records lie in memories of the room, which answer in the next cycle for contexts that are home.
/// Whoever has work for one shows it (`want_i`), waits for `home_o`, and from then on shows that it is
/// at work (`use_i`), or counts work that goes on elsewhere (`hold_i` when it leaves, `free_i` when it
/// is back): such a context stays. The store brings contexts home after any number of cycles, many at
/// a time and in any order; those that are home are served meanwhile. All work for one context waits
/// for the same bit, so its order is that of a store which answers at once.
///
/// Work that waits must not keep others from being served: sets of QPs (weft_qp_sched, weft_rx_kick)
/// hand out those that are home, messages step aside (weft_ctx_gate).
///
/// On chip: every context is always home, and this module is wires. A cache over host memory takes
/// its place without a change in the rooms, but for the address of a record, which is then a slot.
///
/// TEST_LATENCY simulates one: nobody is home after reset, who is wanted comes after 1 to
/// TEST_LATENCY random cycles, who is not at work leaves at random. Work on one that is away is an
/// error.
module weft_ctx_store #(
  parameter int unsigned N = 16,           ///< contexts, a power of two, 2 or more
  parameter int unsigned N_USE = 1,        ///< places that work on one
  parameter int unsigned N_HOLD = 1,       ///< ports that count work
  parameter int unsigned N_FREE = 1,       ///< ports that count it back
  parameter int unsigned TEST_LATENCY = 0,
  localparam int unsigned IdW = $clog2(N)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [N-1:0]                want_i,     ///< a cycle is enough; remembered until it is home
  output logic [N-1:0]                home_o,     ///< work may begin in this cycle

  input  logic [N_USE-1:0]            use_i,      ///< from the cycle of the beginning, or the next
  input  logic [N_USE-1:0][IdW-1:0]   use_id_i,
  input  logic [N_HOLD-1:0]           hold_i,     ///< pulses; also want the context
  input  logic [N_HOLD-1:0][IdW-1:0]  hold_id_i,
  input  logic [N_FREE-1:0]           free_i,     ///< pulses
  input  logic [N_FREE-1:0][IdW-1:0]  free_id_i
);

`ifndef SYNTHESIS
  if (TEST_LATENCY != 0) begin : gen_slow
    // One that leaves has its door closed for some cycles first: what began in the last one is seen.
    localparam logic [15:0] Leaving = 16'd4;
    typedef enum logic [1:0] {CtxAway, CtxComing, CtxHome, CtxLeaving} place_e;
    place_e         place_q [N];
    logic [15:0]    time_q [N];
    logic [9:0]     held_q [N];
    logic [9:0]     held_d [N];
    logic [N-1:0]   busy, home_q;
    logic [IdW-1:0] victim_q;
    logic           evict_q;

    assign home_o = home_q;

    always_comb begin
      for (int unsigned q = 0; q < N; q++) held_d[q] = held_q[q];
      for (int unsigned i = 0; i < N_HOLD; i++) if (hold_i[i]) held_d[hold_id_i[i]] = held_d[hold_id_i[i]] + 10'd1;
      for (int unsigned i = 0; i < N_FREE; i++) if (free_i[i]) held_d[free_id_i[i]] = held_d[free_id_i[i]] - 10'd1;
      for (int unsigned q = 0; q < N; q++) busy[q] = held_d[q] != '0;
      for (int unsigned i = 0; i < N_USE; i++) if (use_i[i]) busy[use_id_i[i]] = 1'b1;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        for (int unsigned q = 0; q < N; q++) begin
          place_q[q] <= CtxAway;
          time_q[q]  <= '0;
          held_q[q]  <= '0;
        end
        home_q   <= '0;
        victim_q <= '0;
        evict_q  <= 1'b0;
      end else begin
        victim_q <= IdW'($urandom_range(N - 1, 0));
        evict_q  <= $urandom_range(7, 0) == 0;
        for (int unsigned q = 0; q < N; q++) begin
          held_q[q] <= held_d[q];
          if (time_q[q] != '0) time_q[q] <= time_q[q] - 16'd1;
          unique case (place_q[q])
            CtxAway: if (want_i[q] || held_d[q] != '0) begin
              place_q[q] <= CtxComing;
              time_q[q]  <= 16'($urandom_range(TEST_LATENCY - 1, 0));
            end
            CtxComing: if (time_q[q] == '0) begin
              place_q[q] <= CtxHome;
              home_q[q]  <= 1'b1;
            end
            CtxHome: if (evict_q && victim_q == IdW'(q) && !busy[q]) begin
              place_q[q] <= CtxLeaving;
              time_q[q]  <= Leaving;
              home_q[q]  <= 1'b0;
            end
            default: if (busy[q]) begin
              place_q[q] <= CtxHome;
              home_q[q]  <= 1'b1;
            end else if (time_q[q] == '0) begin
              place_q[q] <= CtxAway;
            end
          endcase
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        for (int unsigned i = 0; i < N_USE; i++) begin
          assert (!use_i[i] || place_q[use_id_i[i]] == CtxHome || place_q[use_id_i[i]] == CtxLeaving)
            else $error("%m: place %0d works on context %0d, which is away", i, use_id_i[i]);
        end
        for (int unsigned i = 0; i < N_FREE; i++) begin
          assert (!free_i[i] || held_q[free_id_i[i]] != '0)
            else $error("%m: port %0d gives context %0d back, which is not held", i, free_id_i[i]);
        end
      end
    end
  end else begin : gen_fast
    assign home_o = '1;
  end
  initial begin
    if (N < 2 || (N & (N - 1)) != 0) $fatal(1, "weft_ctx_store: N is no power of two");
    if (TEST_LATENCY > 65536) $fatal(1, "weft_ctx_store: TEST_LATENCY");
  end
`else
  assign home_o = '1;
`endif

  logic unused;
  assign unused = ^{clk_i, rst_ni, want_i, use_i, use_id_i, hold_i, hold_id_i, free_i, free_id_i}
                  ^ (TEST_LATENCY != 0);

endmodule
