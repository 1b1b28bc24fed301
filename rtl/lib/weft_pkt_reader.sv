// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Reader of weft_pkt_store: turns {handle, offset, length} into a lane-0-aligned packet. Seeking to
/// the block of the first byte goes on beside the reading of the request before. A beat a cycle, also
/// from one request to the next; 6 cycles from the request to the first beat.
module weft_pkt_reader #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter int unsigned BLK_W = 8,    ///< bits of a block number
  parameter int unsigned BEATS = 8,    ///< beats of a block, power of two, 4 to 64
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned BeatW = $clog2(BEATS),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   req_valid_i,
  output logic                   req_ready_o,
  input  logic [BLK_W-1:0]       req_handle_i,
  input  logic [15:0]            req_off_i,
  input  logic [15:0]            req_len_i,    ///< 1 or more

  output logic                   next_re_o,    ///< the block behind another one, a cycle later
  output logic [BLK_W-1:0]       next_addr_o,
  input  logic [BLK_W-1:0]       next_i,
  output logic                   mem_re_o,     ///< a beat, a cycle later; kept while not read again
  output logic [BLK_W+BeatW-1:0] mem_addr_o,
  input  logic [DATA_W-1:0]      mem_i,

  output logic                   out_valid_o,
  input  logic                   out_ready_i,
  output logic [DATA_W-1:0]      out_data_o,
  output logic [CntW-1:0]        out_cnt_o,
  output logic                   out_last_o,
  output logic                   idle_o
);

  // ---------------------------------------------------------------- seek
  // s: a request whose first block is being looked for. hops: blocks that lie before it.
  localparam int unsigned HopW = 16 - LaneW - BeatW;
  logic             s_valid_q, s_wait_q, s_done, s_take, s_re, r_re;
  logic [BLK_W-1:0] s_blk_q;
  logic [HopW-1:0]  s_hops_q;
  logic [BeatW-1:0] s_beat_q;
  logic [LaneW-1:0] s_lane_q;
  logic [15:0]      s_len_q;

  assign s_done      = s_valid_q && s_hops_q == '0 && !s_wait_q;
  assign req_ready_o = !s_valid_q || s_take;
  // The reader needs the port once a block, the seeker gets it else.
  assign s_re        = s_valid_q && s_hops_q != '0 && !s_wait_q && !r_re;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_valid_q <= 1'b0;
      s_wait_q  <= 1'b0;
    end else begin
      if (req_valid_i && req_ready_o) s_valid_q <= 1'b1;
      else if (s_take) s_valid_q <= 1'b0;
      s_wait_q <= s_re;
    end
  end
  always_ff @(posedge clk_i) begin
    if (req_valid_i && req_ready_o) begin
      s_blk_q  <= req_handle_i;
      s_hops_q <= req_off_i[15:LaneW+BeatW];
      s_beat_q <= req_off_i[LaneW+:BeatW];
      s_lane_q <= req_off_i[LaneW-1:0];
      s_len_q  <= req_len_i;
    end else if (s_wait_q) begin
      s_blk_q  <= next_i;
      s_hops_q <= s_hops_q - HopW'(1);
    end
  end

  // ---------------------------------------------------------------- read
  // r: beats are being read. The block behind the present one is asked for with its first beat, so it is
  // there before the last one.
  logic             r_valid_q, r_last, r_asked_q, r_have_q, go, busy_q;
  logic [BLK_W-1:0] r_blk_q, r_next_q, r_after;
  logic [BeatW-1:0] r_beat_q;
  logic [LaneW-1:0] r_lane_q;
  logic [15:0]      r_left_q;       // bytes from the present beat on
  logic [CntW-1:0]  r_cnt, room;
  logic             r_end;          // the present beat is the last of its block

  assign room   = CntW'(Bytes) - CntW'(r_lane_q);
  assign r_last = r_left_q <= 16'(room);
  assign r_cnt  = r_last ? r_left_q[CntW-1:0] : room;
  assign r_end  = r_beat_q == '1;
  assign r_after = r_asked_q ? next_i : r_next_q;
  // At the end of a block the next one must be known.
  logic r_step;
  assign r_step = r_valid_q && go && (r_last || !r_end || r_asked_q || r_have_q);
  assign s_take = s_done && (!r_valid_q || (r_step && r_last));
  assign r_re   = r_valid_q && !r_last && !r_asked_q && !r_have_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r_valid_q <= 1'b0;
      r_asked_q <= 1'b0;
      r_have_q  <= 1'b0;
    end else begin
      if (s_take) r_valid_q <= 1'b1;
      else if (r_step && r_last) r_valid_q <= 1'b0;
      r_asked_q <= r_re && !(r_step && r_last);
      if (r_step && (r_last || r_end)) r_have_q <= 1'b0;
      else if (r_asked_q) r_have_q <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (r_asked_q) r_next_q <= next_i;
    if (s_take) begin
      r_blk_q  <= s_blk_q;
      r_beat_q <= s_beat_q;
      r_lane_q <= s_lane_q;
      r_left_q <= s_len_q;
    end else if (r_step) begin
      if (r_end) r_blk_q <= r_after;
      r_beat_q <= r_beat_q + BeatW'(1);
      r_lane_q <= '0;
      r_left_q <= r_left_q - 16'(room);
    end
  end

  assign next_re_o   = r_re || s_re;
  assign next_addr_o = r_re ? r_blk_q : s_blk_q;
  assign mem_re_o    = r_step;
  assign mem_addr_o  = {r_blk_q, r_beat_q};

  // ---------------------------------------------------------------- align
  // Beats that were read wait in a small FIFO: the memory cannot be held.
  localparam int unsigned ChunkW = DATA_W + LaneW + CntW + 2;
  logic             d_valid_q, c_valid, c_ready, c_final, c_sure, d_last_q, f_ready;
  logic [LaneW-1:0] d_lane_q, c_lane;
  logic [CntW-1:0]  d_cnt_q, c_cnt;
  logic [DATA_W-1:0] c_data;
  logic [2:0]       f_count;

  // One may be on its way to the FIFO of four.
  assign go = f_count < 3'd3;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) d_valid_q <= 1'b0;
    else d_valid_q <= r_step;
  end
  always_ff @(posedge clk_i) begin
    if (r_step) begin
      d_lane_q <= r_lane_q;
      d_cnt_q  <= r_cnt;
      d_last_q <= r_last;
    end
  end
  weft_fifo #(.W(ChunkW), .DEPTH(4)) u_chunk (
    .clk_i, .rst_ni, .in_valid_i(d_valid_q), .in_ready_o(f_ready),
    .in_data_i({!d_last_q, d_last_q, d_cnt_q, d_lane_q, mem_i}),
    .out_valid_o(c_valid), .out_ready_i(c_ready),
    .out_data_o({c_sure, c_final, c_cnt, c_lane, c_data}), .count_o(f_count)
  );
  weft_stream_pack #(.DATA_W(DATA_W)) u_pack (
    .clk_i, .rst_ni, .in_valid_i(c_valid), .in_ready_o(c_ready), .in_data_i(c_data), .in_off_i(c_lane),
    .in_cnt_i(c_cnt), .in_sure_i(c_sure), .in_final_i(c_final), .in_err_i(1'b0),
    .in_pre_i(1'b0), .in_pre_cnt_i('0), .in_pre_data_i('0),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_err_o()
  );

  // Chunks inside the packer count as idle's contrary until their packet has left.
  logic [4:0] inside_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inside_q <= '0;
    else inside_q <= inside_q + 5'(req_valid_i && req_ready_o) - 5'(out_valid_o && out_ready_i && out_last_o);
  end
  assign busy_q = inside_q != '0;
  assign idle_o = !busy_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && d_valid_q) assert (f_ready);
    if (rst_ni) assert (inside_q != '1);
  end
`endif
  logic unused;
  assign unused = f_ready;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
