// SPDX-License-Identifier: BSD-2-Clause

/// Round-trip time and retransmission time-out, RFC 6298, in ticks of 1,024 ns. A segment is timed at a time; one
/// during which anything was sent again gives no sample (Karn).
///
/// The time-out is SRTT + max(a tick, 4 RTTVAR), and never below SRTT plus the delay with which the peer is known
/// to acknowledge: the largest that was seen on segments that were alone in flight (it fades by 1/64 a sample), at least
/// DELAY_WEFT towards Weft and from the seventh such segment on, DELAY_FIRST before. A second until
/// there is a sample, a minute at most.
module weft_tcp_conn_rtt #(
  parameter logic [31:0] DELAY_WEFT = 32'd3906,     ///< 4 ms
  parameter logic [31:0] DELAY_FIRST = 32'd195_313, ///< 200 ms
  parameter logic [31:0] DELAY_MAX = 32'd488_281,   ///< 500 ms
  parameter logic [31:0] RTO_FIRST = 32'd976_563,   ///< 1 s
  parameter logic [31:0] RTO_MAX = 32'd58_593_750   ///< 60 s
) (
  input  logic                     clk_i,

  // cycle 1
  input  logic                     v1_i,
  input  weft_abi_pkg::home_tim_t  t1_i,
  input  logic [31:0]              now1_i,
  input  logic                     v2_i,
  input  logic                     v3_i,

  // cycle 4
  input  logic                     v4_i,
  input  logic                     sample4_i,  ///< the segment that is timed is acknowledged
  input  logic                     lone4_i,    ///< it was alone, and nothing else is out
  input  weft_abi_pkg::home_tim_t  t4_i,
  output weft_abi_pkg::home_tim_t  t4_o,

  // cycle 5
  input  logic                     v5_i,
  input  logic                     weft5_i,
  input  logic                     alone5_i,   ///< at most one segment is in flight, and the peer may delay its ACK
  input  weft_abi_pkg::home_tim_t  t5_i,

  // cycle 6
  input  logic [3:0]               backoff6_i,
  output logic [31:0]              rto6_o,
  output logic [31:0]              pto6_o      ///< until a tail loss probe (RFC 8985 7.2), at most the time-out
);

  // ---------------------------------------------------------------- 1 to 3: the sample, its error
  logic [31:0] s2_q, srtt2_q, min2_q, s3_q, err3_q, srtt3_q, min3_q, s4_q, abs4_q, srtt4_q, min4_q, d4_q;
  logic [31:0] sample, err;
  assign sample = now1_i - t1_i.rtt_at;
  assign err    = s2_q - 32'(srtt2_q[31:3]);
  always_ff @(posedge clk_i) begin
    if (v1_i) begin
      s2_q    <= sample[31:26] != '0 ? 32'h03ff_ffff : sample == '0 ? 32'd1 : sample;
      srtt2_q <= t1_i.srtt;
      min2_q  <= t1_i.min_rtt;
    end
    if (v2_i) begin
      s3_q    <= s2_q;
      err3_q  <= err;
      srtt3_q <= srtt2_q + err;
      min3_q  <= min2_q == '0 || s2_q < min2_q ? s2_q : min2_q;
    end
    if (v3_i) begin
      s4_q    <= s3_q;
      abs4_q  <= err3_q[31] ? -err3_q : err3_q;
      srtt4_q <= srtt3_q;
      min4_q  <= min3_q;
      d4_q    <= s3_q - min3_q > DELAY_MAX ? DELAY_MAX : s3_q - min3_q;
    end
  end

  // ---------------------------------------------------------------- 4: the averages
  always_comb begin
    t4_o = t4_i;
    if (sample4_i) begin
      t4_o.rtt_seen = 1'b1;
      t4_o.min_rtt  = min4_q;
      t4_o.srtt     = t4_i.rtt_seen ? srtt4_q : s4_q << 3;
      t4_o.rttvar   = t4_i.rtt_seen ? t4_i.rttvar - 32'(t4_i.rttvar[31:2]) + abs4_q : s4_q << 1;
      if (lone4_i) begin
        if (t4_i.rtt_n != 3'd7) t4_o.rtt_n = t4_i.rtt_n + 3'd1;
        t4_o.ack_delay = d4_q > t4_i.ack_delay ? d4_q : t4_i.ack_delay - 32'(t4_i.ack_delay[31:6]);
      end
    end
  end

  // ---------------------------------------------------------------- 5 and 6: time-out
  logic [31:0] least5, delay5, dev5, rto6_q, pto6_q;
  logic [46:0] far;
  assign least5 = weft5_i || t5_i.rtt_n == 3'd7 ? DELAY_WEFT : DELAY_FIRST;
  assign delay5 = t5_i.ack_delay > least5 ? t5_i.ack_delay : least5;
  assign dev5   = t5_i.rttvar > delay5 ? t5_i.rttvar : delay5;
  always_ff @(posedge clk_i) if (v5_i) rto6_q <= t5_i.rtt_seen ? 32'(t5_i.srtt[31:3]) + dev5 : RTO_FIRST;
  always_ff @(posedge clk_i) if (v5_i) pto6_q <= 32'(t5_i.srtt[31:2]) + (alone5_i ? delay5 : 32'd2);
  assign pto6_o = pto6_q < rto6_o ? pto6_q : rto6_o;
  assign far    = 47'(rto6_q) << backoff6_i;
  assign rto6_o = far > 47'(RTO_MAX) ? RTO_MAX : far[31:0];

  logic unused;
  assign unused = ^{t1_i, t5_i, v4_i};

endmodule
