// SPDX-License-Identifier: BSD-2-Clause

/// Congestion control: state and what happened in, new state out, a cycle later. This one is NewReno (RFC 5681,
/// RFC 6582) with counted bytes: slow start by at most a segment for each ACK, then a segment for each window. The
/// window grows only while it is used: half of it, or a segment less than it, was in flight (the validated phase of RFC 7661 4.2).
/// Initial window of RFC 6928. Others (CUBIC, DCTCP) have the same ports.
module weft_tcp_conn_cc #(
  parameter logic [31:0] CWND_MAX = 32'h2000_0000,
  parameter bit TEST_CWND = 1'b0   ///< simulation: the window stays as it was loaded
) (
  input  logic                          clk_i,
  input  logic                          valid_i,
  input  weft_tcp_conn_pkg::cc_in_t     in_i,
  input  weft_tcp_conn_pkg::cc_state_t  state_i,
  output weft_tcp_conn_pkg::cc_state_t  state_o   ///< a cycle later
);

  // ---------------------------------------------------------------- what applies
  typedef struct packed {
    logic        init, slow, grow, loss, rto, again, leave;
    logic [31:0] step;     // slow start: by this much
    logic [31:0] acc;
    logic [31:0] half;     // half of what was in flight, two segments at least
    logic [31:0] first;
    logic [15:0] mss;
    weft_tcp_conn_pkg::cc_state_t s;
  } one_t;
  one_t        a_d, a_q;
  logic [31:0] mss, two, ten, near;
  assign mss  = 32'(in_i.mss);
  assign two  = mss << 1;
  assign ten  = (mss << 3) + two;
  assign near = in_i.flight + mss;
  always_comb begin
    a_d.init  = in_i.init;
    a_d.slow  = state_i.cwnd < state_i.ssthresh;
    a_d.grow  = in_i.ack && (near >= state_i.cwnd || in_i.flight >= 32'(state_i.cwnd[31:1]));
    a_d.loss  = in_i.loss;
    a_d.rto   = in_i.rto;
    a_d.again = in_i.again;
    a_d.leave = in_i.leave;
    a_d.step  = in_i.acked < mss ? in_i.acked : mss;
    a_d.acc   = state_i.acc + in_i.acked;
    a_d.half  = 32'(in_i.flight[31:1]) > two ? 32'(in_i.flight[31:1]) : two;
    a_d.first = ten < 32'd14600 ? ten : two > 32'd14600 ? two : 32'd14600;
    a_d.mss   = in_i.mss;
    a_d.s     = state_i;
  end
  always_ff @(posedge clk_i) if (valid_i) a_q <= a_d;

  // ---------------------------------------------------------------- what it makes
  logic [31:0] more;
  assign more = a_q.s.cwnd + (a_q.slow ? a_q.step : 32'(a_q.mss));
  always_comb begin
    state_o = a_q.s;
    if (a_q.init) begin
      if (a_q.s.cwnd == '0) state_o.cwnd = a_q.first;
      if (a_q.s.ssthresh == '0) state_o.ssthresh = CWND_MAX;
    end else if (a_q.rto || a_q.again) begin
      if (a_q.rto) state_o.ssthresh = a_q.half;
      state_o.cwnd = 32'(a_q.mss);
      state_o.acc  = '0;
    end else if (a_q.loss) begin
      state_o.ssthresh = a_q.half;
      state_o.cwnd     = a_q.half;
      state_o.acc      = '0;
    end else if (a_q.leave) begin
      state_o.cwnd = a_q.s.ssthresh;
      state_o.acc  = '0;
    end else if (a_q.grow) begin
      if (a_q.slow || a_q.acc >= a_q.s.cwnd) state_o.cwnd = more > CWND_MAX ? CWND_MAX : more;
      if (!a_q.slow) state_o.acc = a_q.acc >= a_q.s.cwnd ? a_q.acc - a_q.s.cwnd : a_q.acc;
    end
    if (TEST_CWND && !a_q.init) state_o = a_q.s;
  end

  logic unused;
  assign unused = ^{in_i.srtt};

endmodule
