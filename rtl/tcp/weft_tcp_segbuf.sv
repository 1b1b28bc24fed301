// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Segment buffer: packs chunks into segments, each as it will stand in its frame (the first beat begins with
/// `in_pre_i` bytes of nothing, where the end of the header goes), and sums their bytes meanwhile. A segment
/// comes out when all of it is there; one that ends with `in_err_i` is forgotten, its room is free again.
/// A chunk a cycle in, a beat a cycle out.
///
/// `sum_o` is the one's complement sum of a segment's bytes as big-endian words, not inverted; it is there six cycles
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

  logic              pk_valid, pk_ready, pk_last, pk_err, pk_room, fire, sum_room;
  logic [DATA_W-1:0] pk_data;
  logic [CntW-1:0]   pk_cnt;

  assign in_ready_o = pk_room;
  assign fire       = in_valid_i && in_ready_o;

  weft_stream_pack #(.DATA_W(DATA_W), .PRE(1'b1)) u_pack (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o(pk_room), .in_data_i, .in_off_i, .in_cnt_i, .in_sure_i, .in_final_i,
    .in_err_i, .in_pre_i(in_first_i), .in_pre_cnt_i({1'b0, in_pre_i}), .in_pre_data_i('0),
    .out_valid_o(pk_valid), .out_ready_i(pk_ready), .out_data_o(pk_data), .out_cnt_o(pk_cnt), .out_last_o(pk_last),
    .out_err_o(pk_err)
  );

  weft_pkt_fifo #(.DATA_W(DATA_W), .DEPTH(BEATS), .MAX_PKTS(2 * SEGS)) u_ring (
    .clk_i, .rst_ni, .in_valid_i(pk_valid), .in_ready_o(pk_ready), .in_data_i(pk_data), .in_cnt_i(pk_cnt),
    .in_last_i(pk_last), .in_drop_i(pk_err), .in_meta_i(1'b0),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_meta_o(),
    .free_o(), .empty_o, .stat_drop_o(), .stat_overflow_o()
  );

  // ---------------------------------------------------------------- the sum, beside
  localparam int unsigned Groups = DATA_W / 64;
  logic [DATA_W-1:0]       clean, data1_q;
  logic [Groups-1:0][17:0] part2_q;
  logic [20:0]             total, beat3_q;
  logic [15:0]             turned, word4_q;
  logic [16:0]             fold, fold5;
  logic [27:0]             acc_q, acc;     // 4,096 beats
  logic                    v1_q, v2_q, v3_q, v4_q, v5_q;
  logic [3:0]              s1_q, s2_q, s3_q;  // odd, first, final, err
  logic [2:0]              s4_q;

  always_comb begin
    clean = 'x;
    if (in_valid_i) begin
      clean = '0;
      for (int unsigned i = 0; i < Bytes; i++) begin
        if (CntW'(i) >= {1'b0, in_off_i} && CntW'(i) < {1'b0, in_off_i} + in_cnt_i) clean[8*i+:8] = in_data_i[8*i+:8];
      end
    end
    total = '0;
    for (int unsigned g = 0; g < Groups; g++) total = total + 21'(part2_q[g]);
  end
  assign fold   = 17'(beat3_q[15:0]) + 17'(beat3_q[20:16]);
  assign turned = fold[15:0] + 16'(fold[16]);
  assign acc    = (s4_q[2] ? 28'd0 : acc_q) + 28'(word4_q);
  assign fold5  = 17'(acc_q[15:0]) + 17'(acc_q[27:16]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {v1_q, v2_q, v3_q, v4_q, v5_q} <= '0;
    else {v1_q, v2_q, v3_q, v4_q, v5_q} <= {fire, v1_q, v2_q, v3_q, v4_q && s4_q[1] && !s4_q[0]};
  end
  always_ff @(posedge clk_i) begin
    if (fire) data1_q <= clean;
    if (v1_q) begin
      for (int unsigned g = 0; g < Groups; g++) begin
        part2_q[g] <= (18'({data1_q[64*g+:8], data1_q[64*g+8+:8]}) +
                       18'({data1_q[64*g+16+:8], data1_q[64*g+24+:8]})) +
                      (18'({data1_q[64*g+32+:8], data1_q[64*g+40+:8]}) +
                       18'({data1_q[64*g+48+:8], data1_q[64*g+56+:8]}));
      end
    end
    s1_q    <= {in_odd_i ^ in_off_i[0], in_first_i, in_final_i, in_err_i};
    s2_q    <= s1_q;
    s3_q    <= s2_q;
    s4_q    <= s3_q[2:0];
    beat3_q <= total;
    word4_q <= s3_q[3] ? {turned[7:0], turned[15:8]} : turned;
    if (v4_q) acc_q <= acc;
  end

  weft_fifo #(.W(16), .DEPTH(2 * SEGS)) u_sum (
    .clk_i, .rst_ni, .in_valid_i(v5_q), .in_ready_o(sum_room), .in_data_i(fold5[15:0] + 16'(fold5[16])),
    .out_valid_o(sum_valid_o), .out_ready_i(sum_ready_i), .out_data_o(sum_o), .count_o()
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(v5_q && !sum_room)) else $error("%m: a sum has no room");
  end
`else
  logic unused;
  assign unused = sum_room;
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
