// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Transmit frames of the network device: gathers the buffers of a frame, cuts it into segments or inserts its
/// tag when its first descriptor says so (weft_l2_seg), inserts the TCP or UDP checksum, stores each frame or
/// segment whole, sends it. struct l2_scaling comes the same way, and goes no further.
///
/// A frame is the descriptors up to one with LAST; what makes a chain bad stands in weft_l2_chain. Bad frames,
/// and those whose buffers could not be read, are not sent; they complete with ERROR, in their turn. Of a frame
/// that is cut the segments in front of a failed read were sent. Completions are in ring order, one a frame,
/// behind its last beat.
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
  localparam int unsigned N_ENTRY = 32'(weft_abi_pkg::L2_SCALING_N),
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

  output logic                    scale_clear_o, ///< pulse: receive scaling is about to change; no hash until
  output logic                    scale_set_o,   ///< this pulse
  output logic [N_ENTRY*PairW-1:0] scale_table_o, ///< in parts, no sense between the two pulses; like the key
  output logic [weft_l2_pkg::ScaleW-1:0] scale_o, ///< weft_l2_pkg::scale_t

  output logic                    idle_o,
  output logic                    stat_frame_o,  ///< pulse: a frame, or a segment, was sent
  output logic                    stat_err_o
);

  // ------------------------------------------------ descriptors to pieces
  localparam logic [4:0] CodeBad = 5'd1;
  localparam int unsigned InfoW = PairW + 16 + weft_l2_pkg::FrameW;

  logic              begun, c_valid, c_ready, c_last, c_whole, n_valid, end_in, chain_idle;
  logic [PairW-1:0]  begun_pair, n_pair;
  logic [1:0]        c_kind;
  logic [63:0]       c_addr;
  logic [15:0]       c_len, n_index;
  logic [4:0]        c_code;
  logic [InfoW-1:0]  n_info;
  logic [weft_l2_pkg::FrameW-1:0] n_frame;
  weft_l2_chain #(.N_L2Q(N_L2Q), .FRAME_MAX(FRAME_MAX), .BUFS_MAX(BUFS_MAX), .BAD(CodeBad)) u_chain (
    .clk_i, .rst_ni, .en_i, .desc_valid_i, .desc_ready_o, .desc_i, .desc_err_i, .desc_index_i,
    .begin_o(begun), .begin_pair_o(begun_pair),
    .cmd_valid_o(c_valid), .cmd_ready_i(c_ready), .cmd_kind_o(c_kind), .cmd_last_o(c_last), .cmd_whole_o(c_whole),
    .cmd_addr_o(c_addr), .cmd_len_o(c_len), .cmd_code_o(c_code),
    .info_valid_o(n_valid), .info_ready_i(end_in), .info_o(n_info), .idle_o(chain_idle)
  );
  assign {n_pair, n_index, n_frame} = n_info;

  logic              g_valid, g_ready, g_last, code_valid, code_ready, gather_idle;
  logic [DATA_W-1:0] g_data;
  logic [CntW-1:0]   g_cnt;
  logic [4:0]        code;

  weft_dma_gather #(
    .DATA_W(DATA_W), .RD_MAX(4096), .BUF_BYTES(RDBUF_BYTES), .PIECES(64), .CODE_W(5), .BUS(5'h10)
  ) u_gather (
    .clk_i, .rst_ni,
    .cmd_valid_i(c_valid), .cmd_ready_o(c_ready), .cmd_kind_i(c_kind), .cmd_last_i(c_last), .cmd_addr_i(c_addr),
    .cmd_len_i(c_len), .cmd_after_wr_i(1'b0), .cmd_whole_i(c_whole), .cmd_code_i(c_code),
    .rd_req_valid_o, .rd_req_ready_i, .rd_req_o, .rd_rsp_valid_i, .rd_rsp_ready_o, .rd_rsp_data_i,
    .rd_rsp_cnt_i, .rd_rsp_last_i, .rd_rsp_err_i,
    .s0_valid_i(1'b0), .s0_ready_o(), .s0_data_i('0), .s0_cnt_i('0), .s0_last_i(1'b0),
    .s1_valid_i(1'b0), .s1_ready_o(), .s1_data_i('0), .s1_cnt_i('0), .s1_last_i(1'b0),
    .out_valid_o(g_valid), .out_ready_i(g_ready), .out_data_o(g_data), .out_cnt_o(g_cnt),
    .out_last_o(g_last), .out_err_o(), .code_valid_o(code_valid), .code_ready_i(code_ready),
    .code_o(code), .idle_o(gather_idle), .stat_credit_stall_o()
  );

  // ------------------------------------------------ swallowed, or on to the segments
  logic              k_valid, k_ready, k_last, k_cut, k_first_q, k_new, cut_idle, i_valid, i_ready, i_room, q_room, w_room;
  logic [DATA_W-1:0] k_data;
  logic [CntW-1:0]   k_cnt;
  weft_l2_cut #(.DATA_W(DATA_W)) u_cut (
    .clk_i, .rst_ni, .kill_i(!en_i[n_pair]), .side_ok_i(n_valid && (!g_last || code_valid)),
    .in_valid_i(g_valid), .in_ready_o(g_ready), .in_data_i(g_data), .in_cnt_i(g_cnt),
    .in_last_i(g_last),
    .out_valid_o(k_valid), .out_ready_i(k_ready), .out_data_o(k_data), .out_cnt_o(k_cnt),
    .out_last_o(k_last), .out_cut_o(k_cut), .end_o(end_in), .end_pass_o(),
    .idle_o(cut_idle)
  );
  assign code_ready = end_in;

  // What is known of a frame goes on with its first beat, and not at all when that is swallowed.
  logic              q_valid, q_ready, q_bad, q_last;
  logic [DATA_W-1:0] q_data;
  logic [CntW-1:0]   q_cnt;
  logic [weft_l2_pkg::FrameW-1:0] i_frame;
  assign k_ready = q_room && (!k_first_q || (i_room && w_room));
  assign k_new   = k_valid && k_ready && k_first_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) k_first_q <= 1'b1;
    else if (k_valid && k_ready) k_first_q <= k_last;
  end
  weft_skid #(.W(DATA_W + CntW + 2)) u_cut_out (
    .clk_i, .rst_ni, .in_valid_i(k_valid && (!k_first_q || (i_room && w_room))), .in_ready_o(q_room),
    .in_data_i({k_cut || code != '0, k_last, k_cnt, k_data}),
    .out_valid_o(q_valid), .out_ready_i(q_ready), .out_data_o({q_bad, q_last, q_cnt, q_data})
  );
  weft_fifo #(.W(weft_l2_pkg::FrameW), .DEPTH(4)) u_frame (
    .clk_i, .rst_ni, .in_valid_i(k_new), .in_ready_o(i_room), .in_data_i(n_frame),
    .out_valid_o(i_valid), .out_ready_i(i_ready), .out_data_o(i_frame), .count_o()
  );

  logic              e_valid, e_ready, e_last, e_bad, e_csum, e_set, e_final, seg_idle;
  logic [DATA_W-1:0] e_data;
  logic [CntW-1:0]   e_cnt;
  logic [8:0]        e_start;
  logic [7:0]        e_off;
  weft_l2_seg #(.DATA_W(DATA_W)) u_seg (
    .clk_i, .rst_ni, .info_valid_i(i_valid), .info_ready_o(i_ready), .info_i(i_frame),
    .in_valid_i(q_valid), .in_ready_o(q_ready), .in_data_i(q_data), .in_cnt_i(q_cnt), .in_last_i(q_last), .in_bad_i(q_bad),
    .out_valid_o(e_valid), .out_ready_i(e_ready), .out_data_o(e_data), .out_cnt_o(e_cnt), .out_last_o(e_last),
    .out_bad_o(e_bad), .out_csum_o(e_csum), .out_start_o(e_start), .out_off_o(e_off), .out_set_o(e_set),
    .out_final_o(e_final), .idle_o(seg_idle)
  );

  // ------------------------------------------------ receive scaling: the bytes of struct l2_scaling
  localparam int unsigned ScaleBeats = 8 * weft_abi_pkg::L2_SCALING_BYTES / DATA_W;
  logic                          s_fire;
  logic [$clog2(ScaleBeats)-1:0] s_beat_q;
  logic [319:0]                  key_q;
  logic [6:0]                    types_q;
  assign s_fire = e_valid && e_ready && e_set;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_beat_q      <= '0;
      scale_clear_o <= 1'b0;
      scale_set_o   <= 1'b0;
    end else begin
      if (s_fire) s_beat_q <= e_last ? '0 : s_beat_q + 1'b1;
      scale_clear_o <= s_fire && (!e_last || e_bad);
      scale_set_o   <= s_fire && e_last && !e_bad;
    end
  end
  for (genvar b = 0; b < 40; b++) begin : gen_key
    always_ff @(posedge clk_i) begin
      if (s_fire && s_beat_q == ($clog2(ScaleBeats))'(8 * b / DATA_W)) key_q[8*b+:8] <= e_data[8*b%DATA_W+:8];
    end
  end
  always_ff @(posedge clk_i) begin
    if (s_fire && s_beat_q == ($clog2(ScaleBeats))'(320 / DATA_W)) types_q <= e_data[320%DATA_W+:7];
  end
  assign scale_o = {types_q, key_q};
  for (genvar n = 0; n < N_ENTRY; n++) begin : gen_table
    logic [PairW-1:0] pair_q;
    always_ff @(posedge clk_i) begin
      if (s_fire && s_beat_q == ($clog2(ScaleBeats))'((512 + 8 * n) / DATA_W)) pair_q <= e_data[(512+8*n)%DATA_W+:PairW];
    end
    assign scale_table_o[n*PairW+:PairW] = pair_q;
  end

  // ------------------------------------------------ checksum and frame buffer
  logic              b_valid, b_ready, b_last, b_csum, st_in_ready, st_valid, st_pop, st_err, st_set, st_final, w_valid;
  logic              frame_in, frame_err, frame_set, frame_final, buf_empty, csum_idle;
  logic [DATA_W-1:0] b_data;
  logic [CntW-1:0]   b_cnt;
  logic [15:0]       b_sum, w_index, st_index;
  logic [9:0]        b_pos;
  logic [PairW-1:0]  w_pair, st_pair;

  weft_l2_txbuf #(.DATA_W(DATA_W), .BUF_BYTES(BUF_BYTES)) u_buf (
    .clk_i, .rst_ni,
    .in_valid_i(e_valid), .in_ready_o(e_ready), .in_data_i(e_data), .in_cnt_i(e_cnt),
    .in_last_i(e_last), .info_csum_i(e_csum), .info_start_i(e_start), .info_off_i(e_off),
    .info_set_i(e_set), .info_final_i(e_final), .bad_i(e_bad),
    .done_valid_o(frame_in), .done_ready_i(st_in_ready && w_valid), .done_err_o(frame_err), .done_set_o(frame_set),
    .done_final_o(frame_final),
    .out_valid_o(b_valid), .out_ready_i(b_ready), .out_data_o(b_data), .out_cnt_o(b_cnt),
    .out_last_o(b_last), .out_csum_o(b_csum), .out_pos_o(b_pos), .out_sum_o(b_sum),
    .empty_o(buf_empty), .idle_o(csum_idle)
  );

  // Frames in order, good or bad, until they are complete: on their way into the buffer; frames and segments inside.
  weft_fifo #(.W(PairW + 16), .DEPTH(32)) u_way (
    .clk_i, .rst_ni, .in_valid_i(k_new), .in_ready_o(w_room),
    .in_data_i({n_pair, n_index}), .out_valid_o(w_valid), .out_ready_i(frame_in && st_in_ready && frame_final),
    .out_data_o({w_pair, w_index}), .count_o()
  );
  weft_fifo #(.W(3 + PairW + 16), .DEPTH(64)) u_status (
    .clk_i, .rst_ni, .in_valid_i(frame_in && w_valid), .in_ready_o(st_in_ready),
    .in_data_i({frame_err, frame_set, frame_final, w_pair, w_index}),
    .out_valid_o(st_valid), .out_ready_i(st_pop), .out_data_o({st_err, st_set, st_final, st_pair, st_index}),
    .count_o()
  );

  // Of each pair: frames that may still be read from memory, frames behind that, and how many of
  // these are from before the pair was enabled.
  logic [N_L2Q-1:0] old;
  for (genvar p = 0; p < N_L2Q; p++) begin : gen_count
    logic [6:0] read_q, in_q, old_q, in_left;
    logic       first, ended, passed, popped;
    assign first   = begun && begun_pair == PairW'(p);
    assign ended   = end_in && n_pair == PairW'(p);
    assign passed  = k_new && n_pair == PairW'(p);
    assign popped  = st_pop && st_final && st_pair == PairW'(p);
    assign in_left = in_q - 7'(popped);
    assign old[p]     = !en_i[p] || load_i[p] || old_q != '0;
    assign quiet_o[p] = read_q == '0 && (!en_i[p] || in_q == '0);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        read_q <= '0;
        in_q   <= '0;
        old_q  <= '0;
      end else begin
        read_q <= read_q + 7'(first) - 7'(ended);
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
    if (b_valid && b_csum) begin
      for (int unsigned i = 0; i < DATA_W / 8; i++) begin
        if (at_q + 14'(i) == 14'(b_pos)) patched[8*i+:8] = b_sum[15:8];
        if (at_q + 14'(i) == 14'(b_pos) + 14'd1) patched[8*i+:8] = b_sum[7:0];
      end
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
  assign st_end      = st_valid && (st_err || st_set || sent_q);
  assign cpl_valid_o = st_end && st_final && !old[st_pair];
  assign cpl_pair_o  = st_pair;
  assign cpl_index_o = st_index;
  assign cpl_err_o   = st_err;
  assign st_pop      = st_end && (cpl_ready_i || !st_final || old[st_pair]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q   <= '0;
      sent_q <= 1'b0;
    end else begin
      if (o_go && o_ready) at_q <= b_last ? '0 : at_q + 14'(DATA_W / 8);
      if (o_go && o_ready && b_last) sent_q <= 1'b1;
      else if (st_pop && !st_err && !st_set) sent_q <= 1'b0;
    end
  end

  assign stat_frame_o = st_pop && !st_err && !st_set;
  assign stat_err_o   = st_pop && st_err && st_final;
  assign idle_o = chain_idle && gather_idle && seg_idle && !q_valid && !i_valid && !e_valid && !w_valid && !st_valid &&
                  buf_empty && cut_idle && csum_idle && !tx_valid_o && !g_valid && !scale_clear_o && !scale_set_o;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
