// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Transmit frames of the network device: gathers the buffers of a frame, inserts the TCP or UDP
/// checksum, stores the frame whole, sends it.
///
/// A frame is the descriptors up to one with LAST. CSUM, CSUM_START and CSUM_OFFSET are those of its
/// first descriptor. A frame is bad when a descriptor could not be read, has length 0 or more than
/// 16384, when the frame is longer than FRAME_MAX, or has no LAST within BUFS_MAX descriptors (the
/// next one then starts a new frame). A descriptor that could not be read ends its frame. Bad
/// frames, and those whose buffers could not be read, are not sent; they complete with ERROR, in their
/// turn. Completions are in ring order, one a frame.
///
/// Disabling a pair: its frames that are not in the frame buffer yet are swallowed, those inside leave
/// with the wire; none completes. So host memory is quiet after answers of the bus alone, whatever
/// PAUSE does to the wire, as long as no other pair's frame waits in front. Enabled again meanwhile
/// (when quiet), the pair hears nothing of the old frames.
module weft_l2_tx #(
  parameter int unsigned DATA_W = 64,        ///< 64, 128, 256 or 512
  parameter int unsigned N_L2Q = 1,          ///< pairs of rings
  parameter int unsigned FRAME_MAX = 9022,   ///< largest frame
  parameter int unsigned BUFS_MAX = 32,      ///< most descriptors of a frame
  parameter int unsigned BUF_BYTES = 32768,  ///< frame buffer: two FRAME_MAX or more, a power of two
  parameter int unsigned RDBUF_BYTES = 16384,  ///< answers of payload reads in flight, a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned PairW = N_L2Q > 1 ? $clog2(N_L2Q) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic [N_L2Q-1:0]        en_i,
  input  logic [N_L2Q-1:0]        load_i,        ///< pulse: the pair was enabled
  input  logic [N_L2Q-1:0]        desc_valid_i,
  output logic [N_L2Q-1:0]        desc_ready_o,
  input  logic [N_L2Q-1:0][127:0] desc_i,
  input  logic [N_L2Q-1:0]        desc_err_i,
  input  logic [N_L2Q-1:0][15:0]  desc_index_i,

  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    rd_rsp_valid_i,
  output logic                    rd_rsp_ready_o,
  input  logic [DATA_W-1:0]       rd_rsp_data_i,
  input  logic [CntW-1:0]         rd_rsp_cnt_i,
  input  logic                    rd_rsp_last_i,
  input  logic                    rd_rsp_err_i,

  output logic                    tx_valid_o,
  input  logic                    tx_ready_i,
  output logic [DATA_W-1:0]       tx_data_o,
  output logic [CntW-1:0]         tx_cnt_o,
  output logic                    tx_last_o,

  output logic                    cpl_valid_o,
  input  logic                    cpl_ready_i,
  output logic [PairW-1:0]        cpl_pair_o,
  output logic [15:0]             cpl_index_o,
  output logic                    cpl_err_o,
  output logic [N_L2Q-1:0]        quiet_o,       ///< no read, and no completion, of this pair to come

  output logic                    idle_o,
  output logic                    stat_frame_o,
  output logic                    stat_err_o
);

  // ------------------------------------------------ descriptors to pieces
  localparam int unsigned BufW = $clog2(BUFS_MAX);
  localparam logic [4:0] CodeBad = 5'd1;

  logic                  active_q, any, take, gone, bad, bad_q, ends;
  logic [PairW-1:0]      pair_q, pair_rr, pair;
  logic [N_L2Q-1:0]      gnt;
  logic [BufW-1:0]       bufs_q;
  logic [14:0]           total_q;
  logic [16:0]           total;
  weft_abi_pkg::l2_txd_t d;
  logic                  d_valid, d_err, cmd_ready, info_ready, end_ready;

  weft_arb_rr #(.N(N_L2Q)) u_arb (
    .clk_i, .rst_ni, .req_i(desc_valid_i & en_i), .advance_i(take && !active_q),
    .valid_o(any), .gnt_o(gnt), .idx_o(pair_rr)
  );

  // A ring that is disabled in the middle of a frame ends it.
  assign pair    = active_q ? pair_q : pair_rr;
  assign gone    = active_q && !en_i[pair_q];
  assign d       = desc_i[pair];
  assign d_err   = desc_err_i[pair];
  assign d_valid = active_q ? (gone || desc_valid_i[pair_q]) : any;
  assign take    = d_valid && cmd_ready && info_ready && end_ready;
  assign total   = {2'd0, total_q} + {1'b0, d.length};
  assign bad     = gone || d_err || d.length == '0 || d.length > 16'd16384 ||
                   total > 17'(FRAME_MAX) || (bufs_q == BufW'(BUFS_MAX - 1) && !d.last);
  assign ends    = gone || d_err || d.last || bufs_q == BufW'(BUFS_MAX - 1);

  always_comb begin
    desc_ready_o = '0;
    desc_ready_o[pair] = take && !gone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      bad_q    <= 1'b0;
      bufs_q   <= '0;
      total_q  <= '0;
      pair_q   <= '0;
    end else if (take) begin
      active_q <= !ends;
      pair_q   <= pair;
      bad_q    <= !ends && (bad_q || bad);
      bufs_q   <= ends ? '0 : bufs_q + 1'b1;
      total_q  <= ends ? '0 : (bad_q || bad) ? total_q : total[14:0];
    end
  end

  logic              g_valid, g_ready, g_last, code_valid, code_ready, gather_idle;
  logic [DATA_W-1:0] g_data;
  logic [CntW-1:0]   g_cnt;
  logic [4:0]        code;

  weft_dma_gather #(
    .DATA_W(DATA_W), .RD_MAX(4096), .BUF_BYTES(RDBUF_BYTES), .PIECES(64), .CODE_W(5), .BUS(5'h10)
  ) u_gather (
    .clk_i, .rst_ni,
    .cmd_valid_i(d_valid && info_ready && end_ready), .cmd_ready_o(cmd_ready),
    .cmd_kind_i((bad || bad_q) ? 2'd0 : 2'd1), .cmd_last_i(ends), .cmd_addr_i(d.addr),
    .cmd_len_i(d.length), .cmd_after_wr_i(1'b0), .cmd_code_i(bad ? CodeBad : 5'd0),
    .rd_req_valid_o, .rd_req_ready_i, .rd_req_o, .rd_rsp_valid_i, .rd_rsp_ready_o, .rd_rsp_data_i,
    .rd_rsp_cnt_i, .rd_rsp_last_i, .rd_rsp_err_i,
    .s0_valid_i(1'b0), .s0_ready_o(), .s0_data_i('0), .s0_cnt_i('0), .s0_last_i(1'b0),
    .s1_valid_i(1'b0), .s1_ready_o(), .s1_data_i('0), .s1_cnt_i('0), .s1_last_i(1'b0),
    .out_valid_o(g_valid), .out_ready_i(g_ready), .out_data_o(g_data), .out_cnt_o(g_cnt),
    .out_last_o(g_last), .out_err_o(), .code_valid_o(code_valid), .code_ready_i(code_ready),
    .code_o(code), .idle_o(gather_idle), .stat_credit_stall_o()
  );

  // Known with the first descriptor: the pair, the checksum; with the last: index.
  logic             n_valid, n_csum, e_valid, w_valid, w_room, end_in, end_pass;
  logic [7:0]       n_start, n_off;
  logic [PairW-1:0] n_pair, w_pair, st_pair;
  logic [15:0]      e_index, w_index, st_index;
  weft_fifo #(.W(PairW + 17), .DEPTH(32)) u_info (
    .clk_i, .rst_ni, .in_valid_i(take && !active_q), .in_ready_o(info_ready),
    .in_data_i({pair, d.csum, d.csum_start, d.csum_offset}), .out_valid_o(n_valid),
    .out_ready_i(end_in), .out_data_o({n_pair, n_csum, n_start, n_off}), .count_o()
  );
  weft_fifo #(.W(16), .DEPTH(32)) u_end (
    .clk_i, .rst_ni, .in_valid_i(take && ends), .in_ready_o(end_ready),
    .in_data_i(desc_index_i[pair]), .out_valid_o(e_valid), .out_ready_i(end_in),
    .out_data_o(e_index), .count_o()
  );

  // ------------------------------------------------ swallowed, or on to the frame buffer
  logic              k_valid, k_ready, k_last, k_cut, cut_idle;
  logic [DATA_W-1:0] k_data;
  logic [CntW-1:0]   k_cnt;
  weft_l2_cut #(.DATA_W(DATA_W)) u_cut (
    .clk_i, .rst_ni, .kill_i(!en_i[n_pair]),
    .side_ok_i(n_valid && (!g_last || (code_valid && e_valid && w_room))),
    .in_valid_i(g_valid), .in_ready_o(g_ready), .in_data_i(g_data), .in_cnt_i(g_cnt),
    .in_last_i(g_last),
    .out_valid_o(k_valid), .out_ready_i(k_ready), .out_data_o(k_data), .out_cnt_o(k_cnt),
    .out_last_o(k_last), .out_cut_o(k_cut), .end_o(end_in), .end_pass_o(end_pass),
    .idle_o(cut_idle)
  );
  assign code_ready = end_in;

  // ------------------------------------------------ checksum and frame buffer
  logic              b_valid, b_ready, b_last, b_csum, st_in_ready, st_valid, st_pop, st_err;
  logic              frame_in, frame_err, buf_empty, csum_idle;
  logic [DATA_W-1:0] b_data;
  logic [CntW-1:0]   b_cnt;
  logic [15:0]       b_sum;
  logic [8:0]        b_pos;

  weft_l2_txbuf #(.DATA_W(DATA_W), .BUF_BYTES(BUF_BYTES)) u_buf (
    .clk_i, .rst_ni,
    .in_valid_i(k_valid), .in_ready_o(k_ready), .in_data_i(k_data), .in_cnt_i(k_cnt),
    .in_last_i(k_last), .info_csum_i(n_csum), .info_start_i(n_start), .info_off_i(n_off),
    .bad_i(k_cut || code != '0),
    .done_valid_o(frame_in), .done_ready_i(st_in_ready && w_valid), .done_err_o(frame_err),
    .out_valid_o(b_valid), .out_ready_i(b_ready), .out_data_o(b_data), .out_cnt_o(b_cnt),
    .out_last_o(b_last), .out_csum_o(b_csum), .out_pos_o(b_pos), .out_sum_o(b_sum),
    .empty_o(buf_empty), .idle_o(csum_idle)
  );

  // Frames in order, good or bad, until they are complete: on their way into the buffer, inside.
  weft_fifo #(.W(PairW + 16), .DEPTH(32)) u_way (
    .clk_i, .rst_ni, .in_valid_i(end_in && end_pass), .in_ready_o(w_room),
    .in_data_i({n_pair, e_index}), .out_valid_o(w_valid), .out_ready_i(frame_in && st_in_ready),
    .out_data_o({w_pair, w_index}), .count_o()
  );
  weft_fifo #(.W(1 + PairW + 16), .DEPTH(64)) u_status (
    .clk_i, .rst_ni, .in_valid_i(frame_in && w_valid), .in_ready_o(st_in_ready),
    .in_data_i({frame_err, w_pair, w_index}),
    .out_valid_o(st_valid), .out_ready_i(st_pop), .out_data_o({st_err, st_pair, st_index}),
    .count_o()
  );

  // Of each pair: frames that may still be read from memory, frames behind that, and how many of
  // these are from before the pair was enabled.
  logic [N_L2Q-1:0] old;
  for (genvar p = 0; p < N_L2Q; p++) begin : gen_count
    logic [6:0] read_q, in_q, old_q, in_left;
    logic       begun, ended, passed, popped;
    assign begun   = take && !active_q && pair == PairW'(p);
    assign ended   = end_in && n_pair == PairW'(p);
    assign passed  = ended && end_pass;
    assign popped  = st_pop && st_pair == PairW'(p);
    assign in_left = in_q - 7'(popped);
    assign old[p]     = !en_i[p] || load_i[p] || old_q != '0;
    assign quiet_o[p] = read_q == '0 && (!en_i[p] || in_q == '0);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        read_q <= '0;
        in_q   <= '0;
        old_q  <= '0;
      end else begin
        read_q <= read_q + 7'(begun) - 7'(ended);
        in_q   <= in_left + 7'(passed);
        if (load_i[p]) old_q <= in_left;
        else if (popped && old_q != '0) old_q <= old_q - 1'b1;
      end
    end
  end

  // ------------------------------------------------ out, with the checksum put in its place
  logic [DATA_W-1:0] patched;
  logic [13:0]       at_q;
  logic              o_ready, o_go, sent_q;

  always_comb begin
    patched = b_data;
    for (int unsigned i = 0; i < DATA_W / 8; i++) begin
      if (b_csum && at_q + 14'(i) == 14'(b_pos)) patched[8*i+:8] = b_sum[15:8];
      if (b_csum && at_q + 14'(i) == 14'(b_pos) + 14'd1) patched[8*i+:8] = b_sum[7:0];
    end
  end

  // A frame's completion waits until its last beat was given away; the next frame waits for that.
  assign o_go    = b_valid && !sent_q;
  assign b_ready = o_ready && !sent_q;

  weft_skid #(.W(DATA_W + CntW + 1)) u_out (
    .clk_i, .rst_ni, .in_valid_i(o_go), .in_ready_o(o_ready), .in_data_i({patched, b_cnt, b_last}),
    .out_valid_o(tx_valid_o), .out_ready_i(tx_ready_i), .out_data_o({tx_data_o, tx_cnt_o, tx_last_o})
  );

  logic st_end;
  assign st_end      = st_valid && (st_err || sent_q);
  assign cpl_valid_o = st_end && !old[st_pair];
  assign cpl_pair_o  = st_pair;
  assign cpl_index_o = st_index;
  assign cpl_err_o   = st_err;
  assign st_pop      = st_end && (cpl_ready_i || old[st_pair]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q   <= '0;
      sent_q <= 1'b0;
    end else begin
      if (o_go && o_ready) at_q <= b_last ? '0 : at_q + 14'(DATA_W / 8);
      if (o_go && o_ready && b_last) sent_q <= 1'b1;
      else if (st_pop && !st_err) sent_q <= 1'b0;
    end
  end

  assign stat_frame_o = st_pop && !st_err;
  assign stat_err_o   = st_pop && st_err;
  assign idle_o = !active_q && (desc_valid_i & en_i) == '0 && gather_idle &&
                  !n_valid && !e_valid && !w_valid && !st_valid && buf_empty && cut_idle && csum_idle && !tx_valid_o && !g_valid;

  logic unused;
  assign unused = ^{gnt, d};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
