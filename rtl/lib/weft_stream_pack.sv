// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Packs chunks of bytes into one dense byte stream; the engine under weft_stream_prepend, _strip,
/// _gather and _split. A chunk is `in_cnt_i` bytes from lane `in_off_i` of a word, 0 or more; the
/// chunk with `in_final_i` ends the output packet. One chunk a cycle; a final chunk that leaves two
/// beats takes two.
///
/// `in_sure_i` promises that at least one more byte of this packet follows: a full beat can leave at
/// once. Without it a beat that is just full waits for the next chunk, because it may be the last.
/// `in_pre_i` (PRE = 1, first chunk of a packet or after sure chunks that ended on a full beat) puts
/// `in_pre_cnt_i` bytes of `in_pre_data_i` in front of the chunk.
module weft_stream_pack #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter bit          PRE = 0,      ///< the in_pre_* ports are used
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [LaneW-1:0]  in_off_i,       ///< lane of the first byte; off + cnt <= DATA_W/8
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_sure_i,
  input  logic              in_final_i,
  input  logic              in_err_i,       ///< ORed over the chunks of a packet
  input  logic              in_pre_i,
  input  logic [CntW-1:0]   in_pre_cnt_i,   ///< 0 to DATA_W/8
  input  logic [DATA_W-1:0] in_pre_data_i,

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_err_o       ///< with last
);

  localparam int unsigned SideW = 2 * CntW + CntW + 6;

  // ------------------------------------------------ where the chunk goes
  logic [CntW-1:0] fill_q, fill;     // bytes that wait in the accumulator, 0 to Bytes
  logic [CntW:0]   sum;
  logic            full, more, over, emit, tail;
  logic [CntW-1:0] rest;
  logic            in_fire, rot_ready, pre_ready;

  assign fill = (PRE && in_pre_i) ? in_pre_cnt_i : fill_q;
  assign sum  = {1'b0, fill} + {1'b0, in_cnt_i};
  // Bytes is a power of two and sum at most twice that: no arithmetic is needed behind the sum.
  assign full = sum[LaneW] || sum[LaneW+1];                             // sum >= Bytes
  assign more = sum[LaneW+1] || (sum[LaneW] && sum[LaneW-1:0] != '0);   // sum > Bytes
  assign rest = {sum[LaneW+1], sum[LaneW-1:0]};                         // sum - Bytes, if full
  assign over = more || (full && in_sure_i);
  assign emit = over || in_final_i;
  assign tail = in_final_i && more;

  assign in_ready_o = rot_ready && pre_ready;
  assign in_fire    = in_valid_i && in_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fill_q <= '0;
    else if (in_fire) fill_q <= in_final_i ? '0 : over ? rest : sum[CntW-1:0];
  end

  // ------------------------------------------------ turn it there
  logic              r_valid, r_ready, r_over, r_emit, r_tail, r_final, r_err, r_pre;
  logic [DATA_W-1:0] r_data;
  logic [CntW-1:0]   r_fill, r_cnt, r_rest;
  logic [SideW-1:0]  side_in, side_out;

  assign side_in = {fill, full, full ? LaneW'(0) : sum[LaneW-1:0], rest,
                    over, emit, tail, in_final_i, in_err_i, PRE && in_pre_i};
  assign {r_fill, r_cnt, r_rest, r_over, r_emit, r_tail, r_final, r_err, r_pre} = side_out;

  weft_byte_rot #(.DATA_W(DATA_W), .SIDE_W(SideW)) u_rot (
    .clk_i, .rst_ni,
    .in_valid_i(in_valid_i && pre_ready), .in_ready_o(rot_ready),
    .in_data_i, .in_rot_i(fill[LaneW-1:0] - in_off_i), .in_side_i(side_in),
    .out_valid_o(r_valid), .out_ready_i(r_ready), .out_data_o(r_data), .out_side_o(side_out)
  );

  // ------------------------------------------------ merge
  // The output is a full register slice, so that out_ready_i is not the head of the chain of ready
  // signals that goes through here to the source of the chunks.
  logic [DATA_W-1:0] acc_q, acc, merged, pre_data;
  logic [CntW-1:0]   tail_cnt_q;
  logic              tail_q, tail_err_q, err_q, out_free, out_last, out_err;

  assign r_ready  = !tail_q && (out_free || !r_emit);
  assign acc      = r_pre ? pre_data : acc_q;
  assign out_last = tail_q || (r_final && !r_tail);
  assign out_err  = tail_q ? tail_err_q : r_final && (err_q || r_err);

  always_comb begin
    merged = 'x;
    if (r_valid) begin
      merged = r_data;
      for (int unsigned i = 0; i < Bytes; i++) begin
        if (CntW'(i) < r_fill) merged[8*i+:8] = acc[8*i+:8];
      end
    end
  end

  if (PRE) begin : gen_pre
    logic pre_valid;
    // As deep as the rotator is long, at least.
    weft_fifo #(.W(DATA_W), .DEPTH(4)) u_pre (
      .clk_i, .rst_ni,
      .in_valid_i(in_fire && in_pre_i), .in_ready_o(pre_ready), .in_data_i(in_pre_data_i),
      .out_valid_o(pre_valid), .out_ready_i(r_valid && r_ready && r_pre),
      .out_data_o(pre_data), .count_o()
    );
    logic unused;
    assign unused = pre_valid;
  end else begin : gen_no_pre
    assign pre_ready = 1'b1;
    assign pre_data  = '0;
    logic unused;
    assign unused = ^{in_pre_i, in_pre_cnt_i, in_pre_data_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q <= 1'b0;
      err_q  <= 1'b0;
    end else begin
      if (tail_q) begin
        if (out_free) tail_q <= 1'b0;
      end else if (r_valid && r_ready) begin
        tail_q <= r_tail;
        err_q  <= (err_q || r_err) && !r_final;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (r_valid && r_ready) begin
      acc_q      <= r_over ? r_data : merged;
      tail_cnt_q <= r_rest;
      tail_err_q <= err_q || r_err;
    end
  end

  weft_skid #(.W(DATA_W + CntW + 2)) u_out (
    .clk_i, .rst_ni,
    .in_valid_i(tail_q || (r_valid && r_emit)), .in_ready_o(out_free),
    .in_data_i({out_err && out_last, out_last, tail_q ? tail_cnt_q : r_cnt, tail_q ? acc_q : merged}),
    .out_valid_o, .out_ready_i, .out_data_o({out_err_o, out_last_o, out_cnt_o, out_data_o})
  );

`ifndef SYNTHESIS
  initial begin
    if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) begin
      $fatal(1, "weft_stream_pack: DATA_W");
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && in_fire) assert (32'(in_off_i) + 32'(in_cnt_i) <= Bytes);
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
