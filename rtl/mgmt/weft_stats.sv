// SPDX-License-Identifier: BSD-2-Clause

/// Counters (room STATS): 64 bits each, in one memory, fed by one-cycle pulses. A pulse is first
/// counted in a few bits of its own; a sweep adds those to the memory, one counter a cycle, and
/// rests when nothing waits. CNT_BITS must let a counter that pulses every cycle wait for its turn:
/// 2^CNT_BITS - 1 >= N + 4, else pulses are lost.
///
/// Configuration bus: counter i is the pair of words at i * 8, low first; reading the low word
/// latches the high one. Writes are refused.
module weft_stats #(
  parameter int unsigned N = 48,        ///< counters, 2 to 4096
  parameter int unsigned CNT_BITS = 6   ///< see above
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [N-1:0]       pulse_i,

  input  logic               cfg_req_valid_i,
  output logic               cfg_req_ready_o,
  /* verilator lint_off UNUSEDSIGNAL */  // counters are read only, and the room bits are decoded outside
  input  weft_pkg::cfg_req_t cfg_req_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic               cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t cfg_rsp_o,

  output logic               idle_o
);

  localparam int unsigned IdxW = $clog2(N);

`ifndef SYNTHESIS
  initial if ((1 << CNT_BITS) - 1 < N + 4) $fatal(1, "weft_stats: CNT_BITS too small for N");
`endif

  logic [N-1:0][CNT_BITS-1:0] wait_q;
  logic [IdxW-1:0]            idx_q, idx1_q, idx2_q;
  logic                       v1_q, v2_q, init_q, any_q;
  logic [CNT_BITS-1:0]        add1_q, add2_q;
  logic [63:0]                rdata, sum_q;
  logic                       we;
  logic [IdxW-1:0]            waddr;
  logic [63:0]                wdata;

  // The sweep visits idx_q: takes what waits, reads the memory, writes the sum two cycles later.
  // Two visits of one counter are N >= 2 + 1 cycles apart; the sweep is at least three long.
  localparam int unsigned Last = N < 4 ? 3 : N - 1;
  logic [IdxW:0] step_q;
  logic          in_range;
  assign in_range = step_q < (IdxW + 1)'(N);
  assign idx_q    = step_q[IdxW-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q <= '0;
      step_q <= '0;
      init_q <= 1'b1;
      v1_q   <= 1'b0;
      v2_q   <= 1'b0;
      any_q  <= 1'b0;
    end else begin
      // Nothing waits while any_q is low, and a simulator passes this by.
      if (any_q || (|pulse_i)) begin
        for (int unsigned i = 0; i < N; i++) begin
          if (!init_q && in_range && step_q == (IdxW + 1)'(i) && any_q)
            wait_q[i] <= CNT_BITS'(pulse_i[i]);
          else wait_q[i] <= wait_q[i] + CNT_BITS'(pulse_i[i]);
        end
      end
      any_q  <= (|pulse_i) || (|wait_q);
      v1_q   <= !init_q && any_q && in_range;
      v2_q   <= v1_q;
      if (init_q || any_q) step_q <= step_q == (IdxW + 1)'(Last) ? '0 : step_q + 1'b1;
      if (init_q && step_q == (IdxW + 1)'(Last)) init_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    idx1_q <= idx_q;
    idx2_q <= idx1_q;
    add1_q <= wait_q[idx_q];
    add2_q <= add1_q;
    sum_q  <= rdata + 64'(add2_q);
  end

  // ---------------------------------------------------------------- memory, and the bus
  // v1: the address was given one cycle ago, rdata is there at v2, the sum a cycle later.
  logic            v3_q;
  logic [IdxW-1:0] idx3_q;
  logic            bus_q, bus1_q, bus2_q, high_q;
  logic [31:0]     latch_q;
  logic            oob_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v3_q <= 1'b0;
    else v3_q <= v2_q;
  end
  always_ff @(posedge clk_i) idx3_q <= idx2_q;

  assign we    = init_q ? in_range : v3_q;
  assign waddr = init_q ? idx_q : idx3_q;
  assign wdata = init_q ? '0 : sum_q;

  weft_ram_1r1w #(.W(64), .DEPTH(1 << IdxW)) u_mem (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(v1_q), .raddr_i(idx1_q), .rdata_o(rdata)
  );

  logic [63:0] bus_rdata;
  weft_ram_1r1w #(.W(64), .DEPTH(1 << IdxW)) u_copy (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(bus_q), .raddr_i(cfg_req_i.addr[3 +: IdxW]), .rdata_o(bus_rdata)
  );

  // One access: accepted, memory read, answered. The master holds the request until it is taken.
  assign cfg_req_ready_o = bus1_q;
  assign bus_q           = cfg_req_valid_i && !bus1_q && !bus2_q && !init_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bus1_q          <= 1'b0;
      bus2_q          <= 1'b0;
      cfg_rsp_valid_o <= 1'b0;
    end else begin
      bus1_q          <= bus_q;
      bus2_q          <= bus1_q;
      cfg_rsp_valid_o <= bus1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (bus_q) begin
      high_q <= cfg_req_i.addr[2];
      oob_q  <= cfg_req_i.we || cfg_req_i.addr[21:3] >= 19'(N);
    end
    if (bus1_q) begin
      cfg_rsp_o.err   <= oob_q;
      cfg_rsp_o.rdata <= oob_q ? '0 : high_q ? latch_q : bus_rdata[31:0];
      if (!high_q) latch_q <= bus_rdata[63:32];
    end
  end

  assign idle_o = !init_q && !any_q && !v1_q && !v2_q && !v3_q && !bus_q && !bus1_q && !bus2_q;

endmodule
