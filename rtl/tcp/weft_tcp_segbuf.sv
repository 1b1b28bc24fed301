// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Segment buffer: packs chunks into segments, each as it will stand in its frame (the first beat begins with
/// `in_pre_i` bytes of nothing, where the end of the header goes), and sums their bytes meanwhile. A segment
/// comes out when all of it is there; one that ends with `in_err_i` is forgotten, its room is free again.
/// A chunk a cycle in, a beat a cycle out.
///
/// `sum_o` is the one's complement sum of a segment's bytes as big-endian words, not inverted; it is there five cycles
/// behind the last chunk, one for each segment that was not forgotten, in order.
module weft_tcp_segbuf #(
  parameter int unsigned DATA_W = 128,   ///< 64, 128, 256 or 512
  parameter int unsigned BEATS = 2048,   ///< a power of two; two segments of the largest size at least
  parameter int unsigned SEGS = 32,      ///< segments that may wait with their sums, a power of two
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [LaneW-1:0]  in_off_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_first_i,
  input  logic [LaneW-1:0]  in_pre_i,
  input  logic              in_odd_i,
  input  logic              in_sure_i,
  input  logic              in_final_i,
  input  logic              in_err_i,

  output logic              sum_valid_o,
  input  logic              sum_ready_i,
  output logic [15:0]       sum_o,
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              empty_o
);

  logic fire, sum_room;
  assign fire = in_valid_i && in_ready_o;

  // ---------------------------------------------------------------- where the chunk goes
  localparam int unsigned SideW = 3 * CntW + 5;
  logic [CntW-1:0]   fill_q, fill, rest;   // bytes that wait for the rest of their beat, 0 to Bytes
  logic [CntW:0]     sum;
  logic              full, more, over, emit, tail;

  assign fill = in_first_i ? {1'b0, in_pre_i} : fill_q;
  assign sum  = {1'b0, fill} + {1'b0, in_cnt_i};
  assign full = sum[LaneW] || sum[LaneW+1];                            // Bytes or more
  assign more = sum[LaneW+1] || (sum[LaneW] && sum[LaneW-1:0] != '0);
  assign rest = {sum[LaneW+1], sum[LaneW-1:0]};                        // sum - Bytes, if full
  assign over = more || (full && in_sure_i);
  assign emit = over || in_final_i;
  assign tail = in_final_i && more;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fill_q <= '0;
    else if (fire) fill_q <= in_final_i ? '0 : over ? rest : sum[CntW-1:0];
  end

  logic              r_valid, r_ready, r_over, r_emit, r_tail, r_final, r_err;
  logic [DATA_W-1:0] r_data;
  logic [CntW-1:0]   r_fill, r_cnt, r_rest;
  weft_byte_rot #(.DATA_W(DATA_W), .SIDE_W(SideW)) u_rot (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i, .in_rot_i(fill[LaneW-1:0] - in_off_i),
    .in_side_i({fill, full, full ? LaneW'(0) : sum[LaneW-1:0], rest, over, emit, tail, in_final_i, in_err_i}),
    .out_valid_o(r_valid), .out_ready_i(r_ready), .out_data_o(r_data),
    .out_side_o({r_fill, r_cnt, r_rest, r_over, r_emit, r_tail, r_final, r_err})
  );

  // ---------------------------------------------------------------- beats
  logic [DATA_W-1:0] acc_beat_q, merged;
  logic [CntW-1:0]   tail_cnt_q;
  logic              tail_q, tail_err_q, pk_ready, pk_last;

  assign r_ready = !tail_q && (pk_ready || !r_emit);
  assign pk_last = tail_q || (r_final && !r_tail);
  always_comb begin
    merged = 'x;
    if (r_valid) begin
      merged = r_data;
      for (int unsigned i = 0; i < Bytes; i++) begin
        if (CntW'(i) < r_fill) merged[8*i+:8] = acc_beat_q[8*i+:8];
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tail_q <= 1'b0;
    else if (tail_q) tail_q <= !pk_ready;
    else if (r_valid && r_ready) tail_q <= r_tail;
  end
  always_ff @(posedge clk_i) begin
    if (r_valid && r_ready) begin
      acc_beat_q <= r_over ? r_data : merged;
      tail_cnt_q <= r_rest;
      tail_err_q <= r_err;
    end
  end

  weft_pkt_fifo #(.DATA_W(DATA_W), .DEPTH(BEATS), .MAX_PKTS(2 * SEGS)) u_ring (
    .clk_i, .rst_ni, .in_valid_i(tail_q || (r_valid && r_emit)), .in_ready_o(pk_ready),
    .in_data_i(tail_q ? acc_beat_q : merged), .in_cnt_i(tail_q ? tail_cnt_q : r_cnt),
    .in_last_i(pk_last), .in_drop_i(tail_q ? tail_err_q : r_err), .in_meta_i(1'b0),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_meta_o(),
    .free_o(), .empty_o, .stat_drop_o(), .stat_overflow_o()
  );

  // ---------------------------------------------------------------- the sum, beside
  localparam int unsigned Pairs = DATA_W / 32;
  logic [DATA_W-1:0]       clean;
  logic [Pairs-1:0][16:0]  pair1_q;
  logic [20:0]             total, beat2_q;
  logic [15:0]             turned, word3_q;
  logic [16:0]             fold, fold4;
  logic [27:0]             acc_q, acc;     // 4,096 beats
  logic                    v1_q, v2_q, v3_q, v4_q;
  logic [3:0]              s1_q, s2_q;      // odd, first, final, err
  logic [2:0]              s3_q;

  always_comb begin
    clean = 'x;
    if (in_valid_i) begin
      clean = '0;
      for (int unsigned i = 0; i < Bytes; i++) begin
        if (CntW'(i) >= {1'b0, in_off_i} && CntW'(i) < {1'b0, in_off_i} + in_cnt_i) clean[8*i+:8] = in_data_i[8*i+:8];
      end
    end
    total = '0;
    for (int unsigned g = 0; g < Pairs; g++) total = total + 21'(pair1_q[g]);
  end
  assign fold   = 17'(beat2_q[15:0]) + 17'(beat2_q[20:16]);
  assign turned = fold[15:0] + 16'(fold[16]);
  assign acc    = (s3_q[2] ? 28'd0 : acc_q) + 28'(word3_q);
  assign fold4  = 17'(acc_q[15:0]) + 17'(acc_q[27:16]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {v1_q, v2_q, v3_q, v4_q} <= '0;
    else {v1_q, v2_q, v3_q, v4_q} <= {fire, v1_q, v2_q, v3_q && s3_q[1] && !s3_q[0]};
  end
  always_ff @(posedge clk_i) begin
    if (fire) begin
      for (int unsigned g = 0; g < Pairs; g++) begin
        pair1_q[g] <= 17'({clean[32*g+:8], clean[32*g+8+:8]}) + 17'({clean[32*g+16+:8], clean[32*g+24+:8]});
      end
    end
    s1_q    <= {in_odd_i ^ in_off_i[0], in_first_i, in_final_i, in_err_i};
    s2_q    <= s1_q;
    s3_q    <= s2_q[2:0];
    beat2_q <= total;
    word3_q <= s2_q[3] ? {turned[7:0], turned[15:8]} : turned;
    if (v3_q) acc_q <= acc;
  end

  weft_fifo #(.W(16), .DEPTH(2 * SEGS)) u_sum (
    .clk_i, .rst_ni, .in_valid_i(v4_q), .in_ready_o(sum_room), .in_data_i(fold4[15:0] + 16'(fold4[16])),
    .out_valid_o(sum_valid_o), .out_ready_i(sum_ready_i), .out_data_o(sum_o), .count_o()
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(v4_q && !sum_room)) else $error("%m: a sum has no room");
  end
`else
  logic unused;
  assign unused = sum_room;
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
