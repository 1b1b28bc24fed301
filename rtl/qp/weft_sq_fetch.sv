// SPDX-License-Identifier: BSD-2-Clause

/// Asks the host for WQEs of lanes: up to 16 (1 KiB, one buffer) in a read, not across the end of the ring. A
/// question takes four cycles. Requests of the replay go between. A lane with nothing in its buffers gets the WQE that it wants next
/// without a read when it was pushed (weft_sq_push).
// lint: -GN_QP=1024 -GN_SLOT=256 -GN_LANE=16
module weft_sq_fetch #(
  parameter int unsigned N_QP = 1024,
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_LANE = 16,   ///< also the number of buffers, power of two
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned LnW = $clog2(N_LANE)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 f_valid_i,
  output logic                 f_ready_o,
  input  logic [LnW-1:0]       f_lane_i,
  input  weft_dp_pkg::who_t    f_who_i,
  input  logic [15:0]          f_index_i,
  input  logic                 f_no_i,
  input  logic                 f_yield_i,
  input  logic                 f_more_i,
  input  logic                  f_few_i,        ///< a read of this lane is under way: what comes one by one is asked for together
  input  logic                 f_none_i,       ///< it has no buffer
  output logic                 got_valid_o,
  input  logic                 got_ready_i,
  output logic [LnW-1:0]       got_lane_o,
  output logic [4:0]           got_n_o,
  output logic                 got_retry_o,
  output logic                 got_yield_o,
  output logic [LnW-1:0]       got_buf_o,

  output logic                 prod_re_o,
  output logic [QpW-1:0]       prod_qpn_o,
  input  logic [15:0]          prod_i,
  output logic                 cfg_re_o,
  output logic [SlW-1:0]       cfg_slot_o,
  input  weft_sq_pkg::fcfg_t   cfg_i,

  input  logic                 free_valid_i,   ///< a buffer is given back
  input  logic [LnW-1:0]       free_buf_i,

  output logic                 pu_look_o,      ///< weft_sq_push
  output logic [QpW-1:0]       pu_qpn_o,
  output logic [15:0]          pu_index_o,
  input  logic                 pu_hit_i,
  output logic                 pu_drop_o,
  output logic                 pu_take_o,
  output logic [LnW-1:0]       pu_lane_o,
  output logic [LnW-1:0]       pu_buf_o,
  output logic                 pu_told_o,

  output logic                 rd_req_valid_o,
  input  logic                 rd_req_ready_i,
  output weft_pkg::dma_rd_req_t rd_req_o,
  output logic                 trk_valid_o,    ///< reads under way, oldest first
  input  logic                 trk_ready_i,
  output logic [LnW-1:0]       trk_lane_o,
  output logic [LnW-1:0]       trk_buf_o,
  output logic [15:0]          trk_index_o,
  output logic [4:0]           trk_n_o,
  output logic [1:0]           trk_stride_o,
  output logic                 idle_o,
  output logic                 stat_fetch_o
);

  // ---------------------------------------------------------------- free buffers
  logic [LnW:0]   fresh_q, fb_n;
  logic           fb_v, fb_in_r, take, gone;
  logic [LnW-1:0] fb, buf_no;
  logic           have_buf, half;
  weft_fifo #(.W(LnW), .DEPTH(N_LANE)) u_free (
    .clk_i, .rst_ni, .in_valid_i(free_valid_i), .in_ready_o(fb_in_r), .in_data_i(free_buf_i),
    .out_valid_o(fb_v), .out_ready_i(gone && fresh_q[LnW]), .out_data_o(fb), .count_o(fb_n)
  );
  assign have_buf = !fresh_q[LnW] || fb_v;
  assign buf_no   = !fresh_q[LnW] ? fresh_q[LnW-1:0] : fb;
  assign half     = (LnW + 1)'(N_LANE) - fresh_q + fb_n > (LnW + 1)'(N_LANE / 2);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fresh_q <= '0;
    else if (gone && !fresh_q[LnW]) fresh_q <= fresh_q + (LnW + 1)'(1);
  end

  // ---------------------------------------------------------------- one question at a time
  typedef enum logic [1:0] {StIdle, StCut, StAsk, StTell} state_e;
  state_e            state_q;
  logic [LnW-1:0]    lane_q, buf_q;
  logic [15:0]       index_q, avail, wrap, mask;
  logic              no_q, yield_q, more_q, few_q, none_q, part_q, retry_q, pushed_q;
  logic [QpW-1:0]    qpn_q;
  logic [4:0]        n_q, cap, n;
  logic [63:0]       addr_q;
  logic [1:0]        stride_q;
  logic              trk_r, ask, none;
  logic [LnW:0]      trk_n;
  logic [SlW-1:0]    slot;

  assign f_ready_o  = state_q == StIdle;
  assign prod_re_o  = state_q == StIdle;
  assign prod_qpn_o = f_who_i.qpn[QpW-1:0];
  assign cfg_re_o   = state_q == StIdle;
  assign slot       = f_who_i.slot[SlW-1:0];
  assign cfg_slot_o = slot;

  assign avail = prod_i - index_q;
  assign mask  = (16'd1 << cfg_i.log2) - 16'd1;
  assign wrap  = 16'd1 + mask - (index_q & mask);
  assign cap   = 5'd16 >> cfg_i.stride;
  always_comb begin
    n = cap;
    if (avail < 16'(cap)) n = avail[4:0];
    if (wrap < 16'(n)) n = wrap[4:0];
  end

  assign none = no_q || n_q == '0 || !have_buf || (more_q && !half) || part_q;
  assign pu_look_o  = state_q == StCut;
  assign pu_qpn_o   = qpn_q;
  assign pu_index_o = index_q;
  assign pu_take_o  = state_q == StAsk && !none && pu_hit_i && none_q;
  assign pu_lane_o  = lane_q;
  assign pu_buf_o   = buf_no;
  assign pu_drop_o  = gone;
  assign pu_told_o  = state_q == StTell && got_ready_i && pushed_q;
  assign gone       = take || pu_take_o;
  assign ask  = state_q == StAsk && !none && !pu_take_o && trk_r;
  assign rd_req_valid_o    = ask;
  assign rd_req_o.after_wr = 1'b0;
  assign rd_req_o.len      = {5'd0, n_q, 6'd0} << stride_q;
  assign rd_req_o.addr     = addr_q;
  assign take              = ask && rd_req_ready_i;
  assign stat_fetch_o      = gone;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:  if (f_valid_i) state_q <= StCut;
        StCut:   state_q <= StAsk;
        StAsk:   if (none || gone) state_q <= StTell;
        default: if (got_ready_i) state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      lane_q  <= f_lane_i;
      index_q <= f_index_i;
      no_q    <= f_no_i;
      yield_q <= f_yield_i;
      more_q  <= f_more_i;
      few_q   <= f_few_i;
      none_q  <= f_none_i;
      qpn_q   <= f_who_i.qpn[QpW-1:0];
    end
    if (state_q == StCut) begin
      n_q      <= n;
      part_q   <= few_q && avail < 16'(cap);
      stride_q <= cfg_i.stride;
      addr_q   <= cfg_i.base + (64'({index_q & mask, 6'd0}) << cfg_i.stride);
    end
    if (state_q == StAsk) begin
      buf_q   <= buf_no;
      pushed_q <= pu_take_o;
      if (pu_take_o) n_q <= 5'd1;
      retry_q <= !no_q && n_q != '0 && !have_buf && !part_q;
      if (none) begin
        n_q     <= '0;
        yield_q <= yield_q && n_q != '0;
      end
    end
  end
  assign got_valid_o = state_q == StTell;
  assign got_lane_o  = lane_q;
  assign got_n_o     = n_q;
  assign got_retry_o = retry_q;
  assign got_yield_o = yield_q && n_q == '0;
  assign got_buf_o   = buf_q;

  weft_fifo #(.W(2 * LnW + 23), .DEPTH(N_LANE)) u_trk (
    .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(trk_r), .in_data_i({lane_q, buf_no, index_q, n_q, stride_q}),
    .out_valid_o(trk_valid_o), .out_ready_i(trk_ready_i),
    .out_data_o({trk_lane_o, trk_buf_o, trk_index_o, trk_n_o, trk_stride_o}), .count_o(trk_n)
  );
  assign idle_o = state_q == StIdle && !f_valid_i && trk_n == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(free_valid_i && !fb_in_r)) else $error("%m: a buffer is freed twice");
  end
`endif
  logic unused;
  assign unused = ^{f_who_i, fb_in_r, fb_v, cfg_i};

endmodule
