// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The core's writes and reads to the requester request interface of PCIE4 (PG213): one TLP a packet, dword
/// aligned, no straddling, no parity, tags of the client.
///
/// - A write is stored whole before its first beat leaves, so tvalid stays high within a packet.
/// - A read is taken only when it can go: the writes taken before it was offered have gone, and there is a
///   header credit for it at the link partner (pcie_tfc_nph_av, two cycles behind; PG213 "Avoiding Head-of-Line
///   Blocking for Posted Requests"). Until then it may be withdrawn, and writes pass it.
/// - Writes carry sequence numbers; `past_o` counts those that no completion can pass any more (PG213
///   "Transmit Transaction Ordering"), `taken_o` those that were taken from the core, both modulo 256.
module weft_shim_us_rq (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         tx_wr_valid_i,  ///< weft_core's
  output logic         tx_wr_ready_o,
  input  logic [127:0] tx_wr_hdr_i,
  input  logic [511:0] tx_wr_data_i,
  input  logic         tx_wr_last_i,
  input  logic         tx_rd_valid_i,  ///< may fall without ready
  output logic         tx_rd_ready_o,
  input  logic [127:0] tx_rd_hdr_i,

  output logic         rq_tvalid_o,
  input  logic         rq_tready_i,
  output logic [511:0] rq_tdata_o,
  output logic [15:0]  rq_tkeep_o,
  output logic         rq_tlast_o,
  output logic [136:0] rq_tuser_o,
  input  logic [3:0]   tfc_nph_av_i,
  input  logic         seq_vld0_i,
  input  logic [5:0]   seq0_i,
  input  logic         seq_vld1_i,
  input  logic [5:0]   seq1_i,

  output logic [7:0]   taken_o,
  output logic [7:0]   past_o,
  output logic         idle_o          ///< nothing taken is inside
);

  // A header of 3 or 4 dwords as a descriptor of 16 bytes: the block fills in who asks.
  /* verilator lint_off UNUSEDSIGNAL */  // what is always the same in a header of the core
  function automatic logic [127:0] descriptor(input logic [127:0] hdr, input logic write);
    descriptor          = '0;
    descriptor[63:2]    = hdr[29] ? {hdr[95:64], hdr[127:98]} : {32'd0, hdr[95:66]};
    descriptor[74:64]   = {hdr[9:0] == '0, hdr[9:0]};
    descriptor[78:75]   = write ? weft_shim_us_pkg::ReqMemWrite : weft_shim_us_pkg::ReqMemRead;
    descriptor[87:80]   = hdr[55:48];                 // function, the bus is the block's
    descriptor[103:96]  = write ? 8'd0 : hdr[47:40];
    descriptor[123:121] = hdr[22:20];
    descriptor[126:124] = {hdr[18], hdr[13:12]};
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // ---------------------------------------------------------------- writes: descriptor in front, stored whole
  logic         first_q, hdr_ready, in_ready, p_valid, p_ready, p_last, p_err;
  logic [10:0]  left_q, left;
  logic [6:0]   cnt, p_cnt;
  logic [511:0] p_data;

  assign left          = first_q ? {tx_wr_hdr_i[9:0] == '0, tx_wr_hdr_i[9:0]} : left_q;
  assign cnt           = left > 11'd16 ? 7'd64 : {left[4:0], 2'b00};
  assign tx_wr_ready_o = in_ready;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b1;
      taken_o <= '0;
    end else if (tx_wr_valid_i && tx_wr_ready_o) begin
      first_q <= tx_wr_last_i;
      taken_o <= taken_o + 8'(tx_wr_last_i);
    end
  end
  always_ff @(posedge clk_i) if (tx_wr_valid_i && tx_wr_ready_o) left_q <= left - 11'd16;

  weft_stream_prepend #(.DATA_W(512), .HDR_BYTES_MAX(16)) u_front (
    .clk_i, .rst_ni, .hdr_valid_i(tx_wr_valid_i), .hdr_ready_o(hdr_ready),
    .hdr_data_i(descriptor(tx_wr_hdr_i, 1'b1)), .hdr_len_i(5'd16), .in_valid_i(tx_wr_valid_i),
    .in_ready_o(in_ready), .in_data_i(tx_wr_data_i), .in_cnt_i(cnt), .in_last_i(tx_wr_last_i), .in_err_i(1'b0),
    .out_valid_o(p_valid), .out_ready_i(p_ready), .out_data_o(p_data), .out_cnt_o(p_cnt), .out_last_o(p_last),
    .out_err_o(p_err)
  );

  // Byte enables wait beside: first and last of each write, in order.
  logic       be_ready, be_valid, w_valid, w_ready, w_last, w_open_q, w_empty;
  logic [7:0] be;
  logic [6:0] w_cnt;
  logic [511:0] w_data;
  weft_fifo #(.W(8), .DEPTH(64), .LUT_MAX(64)) u_be (
    .clk_i, .rst_ni, .in_valid_i(tx_wr_valid_i && tx_wr_ready_o && first_q), .in_ready_o(be_ready),
    .in_data_i({tx_wr_hdr_i[39:36], tx_wr_hdr_i[35:32]}), .out_valid_o(be_valid),
    .out_ready_i(w_valid && w_ready && !w_open_q), .out_data_o(be), .count_o()
  );
  weft_pkt_fifo #(.DATA_W(512), .DEPTH(256), .MAX_PKTS(32)) u_store (
    .clk_i, .rst_ni, .in_valid_i(p_valid), .in_ready_o(p_ready), .in_data_i(p_data), .in_cnt_i(p_cnt),
    .in_last_i(p_last), .in_drop_i(1'b0), .in_meta_i(1'b0), .out_valid_o(w_valid), .out_ready_i(w_ready),
    .out_data_o(w_data), .out_cnt_o(w_cnt), .out_last_o(w_last), .out_meta_o(), .free_o(), .empty_o(w_empty),
    .stat_drop_o(), .stat_overflow_o()
  );

  // ---------------------------------------------------------------- sequence numbers
  logic [7:0] sent_q, past_q, step0, step1;
  logic       room;
  assign step0  = seq_vld0_i ? {2'd0, seq0_i + 6'd1 - past_q[5:0]} : 8'd0;
  assign step1  = seq_vld1_i ? {2'd0, seq1_i + 6'd1 - past_q[5:0]} : 8'd0;
  assign room   = !(sent_q - past_q >= 8'd32);
  assign past_o = past_q;

  // ---------------------------------------------------------------- whose turn: between packets
  logic         out_free, pick_wr, pick_rd, rd_ok, wait_q, turn_q, is_rd_q;
  logic [7:0]   snap_q, snap;
  logic [2:0]   recent_q;
  logic [3:0]   used;

  assign out_free = !rq_tvalid_o || rq_tready_i;
  // Writes taken before the read was first offered.
  assign snap     = wait_q ? snap_q : taken_o;
  assign used     = 4'(recent_q[0]) + 4'(recent_q[1]) + 4'(recent_q[2]) + 4'(rq_tvalid_o && is_rd_q);
  assign rd_ok    = tx_rd_valid_i && (sent_q - snap) < 8'd128 && tfc_nph_av_i > used;
  assign pick_rd  = !w_open_q && rd_ok && !(turn_q && w_valid && room);
  assign pick_wr  = w_open_q || (!pick_rd && room);
  assign w_ready  = out_free && pick_wr;
  assign tx_rd_ready_o = out_free && pick_rd;

  logic fire_w, fire_r;
  assign fire_w = w_valid && w_ready;
  assign fire_r = tx_rd_valid_i && tx_rd_ready_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q      <= 1'b0;
      turn_q      <= 1'b0;
      w_open_q    <= 1'b0;
      recent_q    <= '0;
      sent_q      <= '0;
      past_q      <= '0;
      rq_tvalid_o <= 1'b0;
      is_rd_q     <= 1'b0;
    end else begin
      wait_q   <= tx_rd_valid_i && !fire_r;
      recent_q <= {recent_q[1:0], rq_tvalid_o && rq_tready_i && is_rd_q};
      past_q   <= past_q + (seq_vld1_i ? step1 : step0);
      if (out_free) rq_tvalid_o <= fire_w || fire_r;
      if (fire_w) begin
        w_open_q <= !w_last;
        if (!w_open_q) sent_q <= sent_q + 8'd1;
        turn_q   <= 1'b0;
      end
      if (fire_r) turn_q <= 1'b1;
      if (out_free) is_rd_q <= fire_r;
    end
  end
  logic [3:0] end_w;
  logic [136:0] user;
  assign end_w = w_cnt[5:2] - 4'd1;
  always_comb begin
    user = '0;
    user[weft_shim_us_pkg::RqSeq0+:6]    = pick_rd ? sent_q[5:0] - 6'd1 : sent_q[5:0];
    user[weft_shim_us_pkg::RqFirstBe+:4] = pick_rd ? tx_rd_hdr_i[35:32] : be[3:0];
    user[weft_shim_us_pkg::RqLastBe+:4]  = pick_rd ? tx_rd_hdr_i[39:36] : be[7:4];
    user[weft_shim_us_pkg::RqSop]        = !w_open_q;
    user[weft_shim_us_pkg::RqEop]        = pick_rd || w_last;
    user[weft_shim_us_pkg::RqEop0Ptr+:4] = pick_rd ? 4'd3 : w_last ? end_w : 4'd0;
    if (w_open_q) user[19:0] = '0;
  end
  always_ff @(posedge clk_i) begin
    if (!wait_q) snap_q <= taken_o;
    if (out_free) begin
      rq_tdata_o <= pick_rd ? {384'd0, descriptor(tx_rd_hdr_i, 1'b0)} : w_data;
      rq_tlast_o <= pick_rd || w_last;
      rq_tuser_o <= user;
      for (int unsigned i = 0; i < 16; i++) rq_tkeep_o[i] <= pick_rd ? i < 4 : 7'(4 * i) < w_cnt;
    end
  end

  assign idle_o = w_empty && !p_valid && !rq_tvalid_o && first_q && taken_o == sent_q && past_q == sent_q;

  logic unused;
  assign unused = ^{hdr_ready, p_err, be_valid, be_ready, tx_rd_hdr_i, tx_wr_hdr_i};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert (!(tx_wr_valid_i && tx_wr_ready_o && first_q) || be_ready) else $error("weft_shim_us_rq: no room for byte enables");
    assert (!(fire_w && !w_open_q) || be_valid) else $error("weft_shim_us_rq: a write without byte enables");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
