// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Receive queues: doorbell words, who has to look at them, and reads of up to 16 WQEs (1 KiB) into a
/// buffer of a pool, each with a digest.
///
/// A doorbell is a statement of the owner: one that is too far ahead makes entries that fail the
/// INDEX check, nothing else. A slot that wants WQEs gets a KLook with a free buffer; when there is none, a hand
/// passes over the slots and takes back what nobody waits for.
///
/// A slot of a shared queue gets one WQE at a time, when a Send waits for it: the next entry of the order is taken (`pop_*`), read, and
/// names the WQE, which is read then. A queue that has none is answered like a read, in its turn; so is an entry that cannot
/// be read, which is lost.
module weft_rdmap_rq #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 1024,   ///< a power of two, 4 to 262144
  parameter int unsigned N_SLOT = 256,  ///< a power of two, 4 to 4096
  parameter int unsigned N_RQB = 32,    ///< buffers of 1 KiB, a power of two, 4 to 256
  parameter int unsigned N_FT = N_RQB >= 128 ? 32 : 8,  ///< reads under way, a power of two, 2 to 32
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1,
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned BfW = $clog2(N_RQB),
  localparam int unsigned BufW = weft_rdmap_pkg::BufW
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  output logic                    ready_o,

  input  logic                    db_valid_i,   ///< no ready. Firmware sets the word of a new QP the same way
  input  logic [23:0]             db_qpn_i,
  input  logic [15:0]             db_index_i,

  input  logic                    look_re_i,    ///< doorbell index, a cycle later
  input  logic [23:0]             look_qpn_i,
  output logic [15:0]             look_db_o,
  input  logic                    dig_re_i,
  input  logic [BufW+3:0]         dig_addr_i,
  output weft_rdmap_pkg::digest_t dig_o,
  input  logic                    word_re_i,    ///< 16 bytes of a WQE, a cycle later
  input  logic [BufW+5:0]         word_addr_i,
  output logic [127:0]            word_o,

  input  logic                    map_we_i,
  input  logic [23:0]             map_qpn_i,
  input  logic                    map_home_i,
  input  logic [SlW-1:0]          map_slot_i,

  input  logic                    work_i,       ///< this slot wants a KLook
  input  logic [SlW-1:0]          work_slot_i,
  output logic                    low_o,        ///< registered
  output logic                    rich_o,       ///< registered: half of the buffers are free
  output logic                    item_valid_o, ///< KLook, KReclaim
  input  logic                    item_ready_i,
  output logic [SlW-1:0]          item_slot_o,
  output weft_rdmap_pkg::item_t   item_o,
  input  logic                    look_i,       ///< a KLook ended ...
  input  logic                    fetch_i,      ///< ... with a read
  input  weft_rdmap_pkg::fetch_t  fetch_d_i,
  output logic                    came_valid_o, ///< KCame
  input  logic                    came_ready_i,
  output logic [SlW-1:0]          came_slot_o,
  output weft_rdmap_pkg::item_t   came_o,
  input  logic                    free_i,       ///< a buffer goes back; no ready
  input  logic [BufW-1:0]         free_buf_i,

  output logic                    pop_valid_o,  ///< as in weft_rdmap_srq
  input  logic                    pop_ready_i,
  output logic [15:0]             pop_srqn_o,
  input  logic                    pop_rsp_i,
  input  logic                    pop_ok_i,
  input  logic [15:0]             pop_index_i,

  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    rd_valid_i,
  output logic                    rd_ready_o,
  input  logic [DATA_W-1:0]       rd_data_i,
  input  logic [CntW-1:0]         rd_cnt_i,
  input  logic                    rd_last_i,
  input  logic                    rd_err_i,

  output logic                    idle_o,
  output logic                    stat_fetch_o,  ///< pulse: a read was asked for
  output logic                    stat_reclaim_o ///< pulse: a slot was asked for its buffers
);

  // ---------------------------------------------------------------- words of each QP
  logic           clr_q;
  logic [QpW-1:0] clr_at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clr_q    <= 1'b1;
      clr_at_q <= '0;
    end else if (clr_q) begin
      clr_q    <= clr_at_q != '1;
      clr_at_q <= clr_at_q + 1'b1;
    end
  end
  logic set_d_ready, set_w_ready;
  assign ready_o = !clr_q && set_d_ready && set_w_ready;

  weft_ram_1r1w #(.W(16), .DEPTH(N_QP)) u_db (
    .clk_i, .we_i(db_valid_i), .waddr_i(db_qpn_i[QpW-1:0]), .wdata_i(db_index_i),
    .re_i(look_re_i), .raddr_i(look_qpn_i[QpW-1:0]), .rdata_o(look_db_o)
  );
  logic           home, db_q;
  logic [SlW-1:0] at_slot;
  weft_ram_1r1w #(.W(1 + SlW), .DEPTH(N_QP)) u_map (
    .clk_i, .we_i(clr_q || map_we_i), .waddr_i(clr_q ? clr_at_q : map_qpn_i[QpW-1:0]),
    .wdata_i(clr_q ? '0 : {map_home_i, map_slot_i}),
    .re_i(db_valid_i), .raddr_i(db_qpn_i[QpW-1:0]), .rdata_o({home, at_slot})
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) db_q <= 1'b0;
    else db_q <= db_valid_i && !clr_q && set_d_ready;
  end
  logic           qpn_re;
  logic [SlW-1:0] qpn_slot;
  logic [23:0]    qpn;
  weft_ram_1r1w #(.W(24), .DEPTH(N_SLOT)) u_qpn (
    .clk_i, .we_i(map_we_i && map_home_i), .waddr_i(map_slot_i), .wdata_i(map_qpn_i),
    .re_i(qpn_re), .raddr_i(qpn_slot), .rdata_o(qpn)
  );

  // ---------------------------------------------------------------- who has to look
  logic           dv, dr, wv, wr, didle, widle;
  logic [SlW-1:0] ds, ws;
  logic [SlW:0]   dcnt, wcnt;
  weft_ready_fifo #(.N(N_SLOT)) u_set_d (
    .clk_i, .rst_ni, .ready_o(set_d_ready), .ins_valid_i(db_q && home), .ins_id_i(at_slot),
    .out_valid_o(dv), .out_ready_i(dr), .out_id_o(ds), .count_o(dcnt), .idle_o(didle), .stat_enter_o(), .stat_merge_o()
  );
  weft_ready_fifo #(.N(N_SLOT)) u_set_w (
    .clk_i, .rst_ni, .ready_o(set_w_ready), .ins_valid_i(work_i), .ins_id_i(work_slot_i),
    .out_valid_o(wv), .out_ready_i(wr), .out_id_o(ws), .count_o(wcnt), .idle_o(widle), .stat_enter_o(), .stat_merge_o()
  );

  // ---------------------------------------------------------------- buffers
  logic           bv, take_buf, b_in_ready;
  logic [BfW-1:0] bf;
  logic [BfW:0]   b_count, new_q, free_q;
  logic           left;
  assign left = !new_q[BfW];
  weft_fifo #(.W(BfW), .DEPTH(N_RQB)) u_bufs (
    .clk_i, .rst_ni, .in_valid_i(free_i), .in_ready_o(b_in_ready), .in_data_i(free_buf_i[BfW-1:0]),
    .out_valid_o(bv), .out_ready_i(take_buf && !left), .out_data_o(bf), .count_o(b_count)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      new_q  <= '0;
      free_q <= (BfW + 1)'(N_RQB);
    end else begin
      new_q  <= new_q + (BfW + 1)'(take_buf && left);
      free_q <= free_q + (BfW + 1)'(free_i) - (BfW + 1)'(take_buf);
    end
  end
  assign rich_o = free_q >= (BfW + 1)'(N_RQB / 2);
  assign low_o = free_q < (BfW + 1)'(N_RQB / 4);

  // ---------------------------------------------------------------- KLook and KReclaim
  localparam int unsigned FtW = $clog2(N_FT);
  logic           pick, turn_q, v_q, rec_q, have_buf, done;
  logic [FtW:0]   out_q;     // KLooks and reads under way
  logic [SlW-1:0] slot_q, hand_q;
  logic [BfW-1:0] buf_q;
  logic [5:0]     pace_q;
  assign have_buf = left || bv;
  assign pick     = !v_q && (dv || wv) && have_buf && out_q != (FtW + 1)'(N_FT) && ready_o;
  assign wr       = pick && wv && (!dv || turn_q);
  assign dr       = pick && !wr;
  assign take_buf = pick;
  assign qpn_re   = pick;
  assign qpn_slot = wr ? ws : ds;
  assign stat_reclaim_o = !v_q && (dv || wv) && !have_buf && pace_q == '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v_q    <= 1'b0;
      turn_q <= 1'b0;
      out_q  <= '0;
      hand_q <= '0;
      pace_q <= '0;
    end else begin
      v_q <= pick || stat_reclaim_o || (v_q && !item_ready_i);
      if (pick) turn_q <= dr;
      if (stat_reclaim_o) hand_q <= hand_q + 1'b1;
      // A slot's buffers come back through placement.
      pace_q <= stat_reclaim_o ? 6'd40 : pace_q == '0 ? '0 : pace_q - 6'd1;
      out_q  <= out_q + (FtW + 1)'(pick) - (FtW + 1)'(look_i && !fetch_i) - (FtW + 1)'(done);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!v_q) begin
      rec_q  <= !pick;
      slot_q <= pick ? qpn_slot : hand_q;
      buf_q  <= left ? new_q[BfW-1:0] : bf;
    end
  end
  assign item_valid_o = v_q;
  assign item_slot_o  = slot_q;
  always_comb begin
    item_o      = '0;
    item_o.kind = rec_q ? weft_rdmap_pkg::KReclaim : weft_rdmap_pkg::KLook;
    item_o.qpn  = qpn;
    item_o.d    = 512'(buf_q);
  end

  // ---------------------------------------------------------------- reads
  logic         w_valid, w_ready, w_last, w_err;
  logic [127:0] w;
  typedef enum logic [2:0] {FtIdle, FtPop, FtAsked, FtCalc, FtReq, FtNone} fetch_e;
  fetch_e      ft_q;
  weft_rdmap_pkg::fetch_t f, f_new, f_slot, f_order;
  logic         fv, fr, f_ready, t_ready, av, a_ready, known_q, order_q, order_end, o_ready, ov;
  logic [FtW:0] fcnt, tcnt, acnt, ocnt;
  logic [15:0]  posted, in_ring, ring_at, order_slot, mask, entry_q;
  logic [4:0]   per, n_a, in_group, n_q;
  logic [63:0]  order_at;
  weft_fifo #(.W(weft_rdmap_pkg::FetchW), .DEPTH(N_FT)) u_fetch (
    .clk_i, .rst_ni, .in_valid_i(fetch_i), .in_ready_o(f_ready), .in_data_i(fetch_d_i),
    .out_valid_o(fv), .out_ready_i(fr && !known_q), .out_data_o(f_new), .count_o(fcnt)
  );
  // Those whose entry of the order is being read, and those whose slot is known.
  weft_fifo #(.W(weft_rdmap_pkg::FetchW), .DEPTH(N_FT)) u_order (
    .clk_i, .rst_ni, .in_valid_i(fr && order_q), .in_ready_o(o_ready), .in_data_i(f),
    .out_valid_o(ov), .out_ready_i(order_end), .out_data_o(f_order), .count_o(ocnt)
  );
  weft_rdmap_pkg::fetch_t again;
  always_comb begin
    again       = f_order;
    again.pop   = 1'b0;
    again.here  = order_slot & ~(16'hffff << f_order.log2);
    again.limit = again.here + 16'd1;
  end
  weft_fifo #(.W(weft_rdmap_pkg::FetchW), .DEPTH(N_FT)) u_slot (
    .clk_i, .rst_ni, .in_valid_i(order_end && !w_err), .in_ready_o(a_ready), .in_data_i(again),
    .out_valid_o(av), .out_ready_i(fr && known_q), .out_data_o(f_slot), .count_o(acnt)
  );
  assign f        = known_q ? f_slot : f_new;
  assign per      = 5'd16 >> f.stride;
  assign posted   = f.limit - f.here;
  assign mask     = ~(16'hffff << f.log2);
  assign ring_at  = f.here & mask;
  assign in_ring  = (16'd1 << f.log2) - ring_at;
  assign in_group = per - 5'(f.here[3:0] & 4'(per - 5'd1));
  assign n_a      = posted < 16'(in_group) ? posted[4:0] : in_group;
  assign fr       = (ft_q == FtReq && rd_req_ready_i) || ft_q == FtNone;
  assign pop_valid_o = ft_q == FtPop;
  assign pop_srqn_o  = f.srqn;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ft_q    <= FtIdle;
      known_q  <= 1'b0;
      order_q <= 1'b0;
    end else begin
      unique case (ft_q)
        FtIdle: if ((av || fv) && t_ready) begin
          known_q  <= av;
          order_q <= !av && f_new.pop;
          ft_q    <= !av && f_new.pop ? FtPop : FtCalc;
        end
        FtPop:   if (pop_ready_i) ft_q <= FtAsked;
        FtAsked: if (pop_rsp_i) ft_q <= pop_ok_i ? FtReq : FtNone;
        FtCalc:  ft_q <= FtReq;
        FtReq:   if (rd_req_ready_i) ft_q <= FtIdle;
        default: ft_q <= FtIdle;
      endcase
      if (ft_q == FtAsked && pop_rsp_i && !pop_ok_i) order_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (ft_q == FtCalc) n_q <= in_ring < 16'(n_a) ? in_ring[4:0] : n_a;
    if (pop_rsp_i) entry_q <= pop_index_i & mask;
  end
  // The order lies behind the WQEs.
  assign order_at = f.base + (64'd1 << (6'd6 + 6'(f.stride) + 6'(f.log2))) + 64'(entry_q) * 64'(weft_abi_pkg::SRQ_ORDER_BYTES);
  assign rd_req_valid_o    = ft_q == FtReq;
  assign rd_req_o.after_wr = 1'b0;
  assign rd_req_o.len      = order_q ? 16'(weft_abi_pkg::SRQ_ORDER_BYTES) : 16'(n_q) << (4'd6 + 4'(f.stride));
  assign rd_req_o.addr     = order_q ? order_at : f.base + (64'(ring_at) << (4'd6 + 4'(f.stride)));
  assign stat_fetch_o      = fr && ft_q == FtReq && !order_q;

  typedef struct packed {
    logic            none;   // nothing was asked for
    logic            order;  // an entry of the order: no WQE
    logic [SlW-1:0]  slot;
    logic [23:0]     qpn;
    logic [1:0]      stride;
    logic [15:0]     here;
    logic [4:0]      n;
    logic [BufW-1:0] bufn;
  } track_t;
  localparam int unsigned TrackW = 2 + SlW + 24 + 2 + 16 + 5 + BufW;
  track_t t_in, t;
  logic   tv, tr;
  assign t_in = {ft_q == FtNone, order_q, f.slot[SlW-1:0], f.qpn, f.stride, f.here, n_q, f.bufn};
  weft_fifo #(.W(TrackW), .DEPTH(N_FT)) u_track (
    .clk_i, .rst_ni, .in_valid_i(fr), .in_ready_o(t_ready), .in_data_i(t_in),
    .out_valid_o(tv), .out_ready_i(tr), .out_data_o(t), .count_o(tcnt)
  );

  // ---------------------------------------------------------------- answers, 16 bytes a cycle
  weft_rdmap_words #(.DATA_W(DATA_W)) u_words (
    .clk_i, .rst_ni, .in_valid_i(rd_valid_i), .in_ready_o(rd_ready_o), .in_data_i(rd_data_i), .in_cnt_i(rd_cnt_i),
    .in_last_i(rd_last_i), .in_err_i(rd_err_i), .out_valid_o(w_valid), .out_ready_i(w_ready), .out_data_o(w),
    .out_last_o(w_last), .out_err_o(w_err)
  );
  // came_q: all words are in; bad_q: none of them counts, all digests are written once more; lost_q: nor does the entry of the order.
  logic        came_q, bad_q, lost_q, wend, sum_one, hdr_bad;
  logic [3:0]  word_q, words_m1;
  logic [4:0]  wqe_q, bad_at_q;
  logic [95:0] head_q;
  logic [36:0] sum_q, sum;
  logic [15:0] idx;
  assign words_m1 = t.stride == 2'd0 ? 4'd3 : t.stride == 2'd1 ? 4'd7 : 4'd15;
  assign w_ready  = tv && !came_q && !bad_q && !t.none;
  assign order_end  = w_valid && w_ready && w_last && t.order;
  assign order_slot = w[weft_abi_pkg::SRQ_ORDER_SLOT_LSB+:16];
  assign wend     = word_q == words_m1;
  assign idx      = t.here + 16'(wqe_q);
  assign sum_one  = word_q != '0 && 8'(word_q) <= head_q[7:0];
  assign sum      = sum_q + (sum_one ? 37'(w[95:64]) : 37'd0);
  assign hdr_bad  = head_q[weft_abi_pkg::RQE_INDEX_LSB +: 16] != idx || head_q[7:0] > 8'(words_m1) ||
                    sum != 37'(head_q[95:64]);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      came_q <= 1'b0;
      bad_q  <= 1'b0;
      word_q <= '0;
      wqe_q  <= '0;
    end else if (bad_q) begin
      bad_q  <= bad_at_q + 5'd1 != t.n;
      came_q <= bad_at_q + 5'd1 == t.n;
    end else if (came_q) begin
      came_q <= !came_ready_i;
    end else if (tv && (t.none || t.order)) begin
      came_q <= t.none || (order_end && w_err);
    end else if (w_valid && w_ready) begin
      word_q <= (wend || w_last) ? '0 : word_q + 4'd1;
      // Words behind those that were asked for are let go.
      if (wend && wqe_q != t.n) wqe_q <= wqe_q + 5'd1;
      if (w_last) begin
        wqe_q  <= '0;
        bad_q  <= w_err || !wend || wqe_q + 5'd1 != t.n;
        came_q <= !(w_err || !wend || wqe_q + 5'd1 != t.n);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (w_valid && w_ready) begin
      if (word_q == '0) head_q <= w[95:0];
      sum_q <= word_q == '0 ? '0 : sum;
    end
    bad_at_q <= bad_q ? bad_at_q + 5'd1 : '0;
    if (!came_q) lost_q <= t.none || t.order;
  end

  logic                    dig_we;
  weft_rdmap_pkg::digest_t dig_wd;
  logic [3:0]              in_buf;
  assign in_buf = 4'(t.here[3:0] + (bad_q ? bad_at_q[3:0] : wqe_q[3:0])) & 4'((5'd16 >> t.stride) - 5'd1);
  assign dig_we = bad_q || (w_valid && w_ready && !t.order && wend && wqe_q != t.n);
  assign dig_wd.status = bad_q   ? weft_abi_pkg::WC_STATUS_FATAL_ERR
                       : hdr_bad ? weft_abi_pkg::WC_STATUS_LOC_QP_OP_ERR : weft_abi_pkg::WC_STATUS_SUCCESS;
  assign dig_wd.len    = head_q[95:64];
  weft_ram_1r1w #(.W(40), .DEPTH(N_RQB * 16)) u_dig (
    .clk_i, .we_i(dig_we), .waddr_i({t.bufn[BfW-1:0], in_buf}), .wdata_i(dig_wd),
    .re_i(dig_re_i), .raddr_i(dig_addr_i[BfW+3:0]), .rdata_o(dig_o)
  );
  weft_ram_1r1w #(.W(128), .DEPTH(N_RQB * 64)) u_words_ram (
    .clk_i, .we_i(w_valid && w_ready && !t.order && wqe_q != t.n),
    .waddr_i({t.bufn[BfW-1:0], 6'(in_buf) << (3'd2 + 3'(t.stride)) | 6'(word_q)}), .wdata_i(w),
    .re_i(word_re_i), .raddr_i(word_addr_i[BfW+5:0]), .rdata_o(word_o)
  );

  weft_rdmap_pkg::came_t came;
  assign came.here    = t.here + 16'(t.n);
  assign came.none    = lost_q;
  assign came.bufn    = t.bufn;
  assign came_valid_o = came_q;
  assign came_slot_o  = t.slot;
  always_comb begin
    came_o      = '0;
    came_o.kind = weft_rdmap_pkg::KCame;
    came_o.qpn  = t.qpn;
    came_o.d    = 512'(came);
  end
  assign done   = came_q && came_ready_i;
  assign tr     = done || (order_end && !w_err);
  assign idle_o = didle && widle && !db_valid_i && !db_q && out_q == '0 && !v_q;

`ifndef SYNTHESIS
  initial if (N_RQB < 4 || N_RQB > 256 || (N_RQB & (N_RQB - 1)) != 0) $fatal(1, "weft_rdmap_rq: N_RQB");
  // Each buffer has one owner: who gives it back had it, and gives it back once, when no read goes into it.
  logic [N_RQB-1:0] owned_q, coming_q;
  logic [BfW-1:0]   take_at;
  assign take_at = left ? new_q[BfW-1:0] : bf;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owned_q  <= '0;
      coming_q <= '0;
    end else begin
      if (free_i) owned_q[free_buf_i[BfW-1:0]] <= 1'b0;
      if (take_buf) owned_q[take_at] <= 1'b1;
      if (done) coming_q[t.bufn[BfW-1:0]] <= 1'b0;
      if (fetch_i) coming_q[fetch_d_i.bufn[BfW-1:0]] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(free_i && !owned_q[free_buf_i[BfW-1:0]])) else $error("%m: buffer %0d is given back twice", free_buf_i);
      assert (!(free_i && coming_q[free_buf_i[BfW-1:0]])) else $error("%m: buffer %0d is given back during its read", free_buf_i);
      assert (!(take_buf && owned_q[take_at])) else $error("%m: buffer %0d has two owners", take_at);
      assert (!(free_i && !b_in_ready)) else $error("%m: a buffer too many");
      assert (!(fetch_i && !f_ready)) else $error("%m: a read without a place");
    end
  end
`endif
  logic unused;
  assign unused = ^{dcnt, wcnt, b_in_ready, b_count, f_ready, fcnt, tcnt, dig_addr_i, word_addr_i, free_buf_i, f, look_qpn_i, acnt, ocnt, a_ready, o_ready, ov, f_order,
                    db_qpn_i, map_qpn_i, head_q, t};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
