// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Store of whole packets in linked blocks: written once as a stream, known by a handle, read in any
/// order and as often as one likes, freed by handle. So what must wait holds up nobody behind it.
///
/// Writing: a beat a cycle; a packet with `in_err_i`, longer than MAX_BYTES, or that finds no block
/// is dropped whole. For every packet one result is given on `put_*`, in order. The first block of a
/// packet may be any free one; further blocks leave RESERVE to the first blocks of others, so that
/// short packets come through when long ones have filled the store.
///
/// Reading: N_RD clients, each with a memory port of its own. A request names bytes of one packet; its
/// answer is one lane-0-aligned packet, answers in the order of requests. A request that begins in
/// the packet's first block costs no extra cycle; each block that is passed over costs two, beside
/// the answers before it. The caller keeps offset and length within the packet and frees it only
/// when the last beat of its last answer has been taken.
module weft_pkt_store #(
  parameter int unsigned DATA_W = 64,        ///< 64, 128, 256 or 512
  parameter int unsigned BLOCKS = 256,       ///< power of two, 16 to 4096
  parameter int unsigned BEATS = 8,          ///< beats of a block, power of two, 4 to 64
  parameter int unsigned MAX_BYTES = 16384,  ///< largest packet, at most 65535
  parameter int unsigned RESERVE = BLOCKS / 8,
  parameter int unsigned N_RD = 1,           ///< 1 to 4
  localparam int unsigned HndW = $clog2(BLOCKS),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic                         in_valid_i,
  output logic                         in_ready_o,
  input  logic [DATA_W-1:0]            in_data_i,
  input  logic [CntW-1:0]              in_cnt_i,
  input  logic                         in_last_i,
  input  logic                         in_err_i,      ///< with last: forget the packet

  output logic                         put_valid_o,   ///< a packet ended
  input  logic                         put_ready_i,
  output logic                         put_ok_o,      ///< it is in the store
  output logic [HndW-1:0]              put_handle_o,  ///< where, if ok
  output logic [15:0]                  put_len_o,     ///< bytes, if ok

  input  logic [N_RD-1:0]              rd_valid_i,
  output logic [N_RD-1:0]              rd_ready_o,
  input  logic [N_RD-1:0][HndW-1:0]    rd_handle_i,
  input  logic [N_RD-1:0][15:0]        rd_off_i,      ///< first byte
  input  logic [N_RD-1:0][15:0]        rd_len_i,      ///< bytes, 1 or more
  output logic [N_RD-1:0]              out_valid_o,
  input  logic [N_RD-1:0]              out_ready_i,
  output logic [N_RD-1:0][DATA_W-1:0]  out_data_o,
  output logic [N_RD-1:0][CntW-1:0]    out_cnt_o,
  output logic [N_RD-1:0]              out_last_o,

  input  logic                         free_valid_i,
  output logic                         free_ready_o,
  input  logic [HndW-1:0]              free_handle_i,

  output logic [HndW:0]                used_o,        ///< blocks in use
  output logic                         idle_o,        ///< nothing on its way; packets may lie in the store
  output logic                         stat_put_o,    ///< pulse: a packet was stored
  output logic                         stat_full_o    ///< pulse: a packet found no block
);

  localparam int unsigned Bytes = DATA_W / 8;
  localparam int unsigned LaneW = $clog2(Bytes);
  localparam int unsigned BeatW = $clog2(BEATS);
  localparam int unsigned BlkB  = LaneW + BeatW;    // log2 of the bytes of a block
  localparam int unsigned AddrW = HndW + BeatW;

  // ---------------------------------------------------------------- free blocks
  // Blocks that were never used come from a counter, freed chains of one block through a FIFO, longer
  // chains are hung behind a list. The last block of the list stays in it, so that there always is one to hang on.
  logic            av_valid, av_ready, av_in_valid, av_in_ready;
  logic [HndW-1:0] av_blk, av_in_blk;
  logic            one_valid, one_ready, one_in_valid, one_in_ready;
  logic [HndW-1:0] one_blk, one_in_blk;
  logic [HndW:0]   fresh_q, list_q, used_q;
  logic [HndW-1:0] head_q, tail_q;
  logic            pop_q;           // next[head] is being read
  logic            pop, hang;
  logic [HndW-1:0] hang_first, hang_last, pop_next;
  logic [HndW:0]   hang_n;
  logic            fresh;

  assign fresh       = fresh_q != (HndW + 1)'(BLOCKS);
  assign pop         = !pop_q && list_q > (HndW + 1)'(1);
  assign av_in_valid = one_valid || fresh || pop_q;
  assign av_in_blk   = pop_q ? head_q : one_valid ? one_blk : fresh_q[HndW-1:0];
  assign one_ready   = av_in_ready && !pop_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= '0;
      list_q  <= '0;
      pop_q   <= 1'b0;
    end else begin
      if (av_in_ready && !pop_q && !one_valid && fresh) fresh_q <= fresh_q + (HndW + 1)'(1);
      pop_q  <= pop || (pop_q && !av_in_ready);
      list_q <= list_q + (hang ? hang_n : '0) - (HndW + 1)'(pop);
    end
  end
  always_ff @(posedge clk_i) begin
    if (pop_q && av_in_ready) head_q <= pop_next;
    if (hang && list_q == '0) head_q <= hang_first;
    if (hang) tail_q <= hang_last;
  end

  weft_fifo #(.W(HndW), .DEPTH(8)) u_avail (
    .clk_i, .rst_ni, .in_valid_i(av_in_valid), .in_ready_o(av_in_ready), .in_data_i(av_in_blk),
    .out_valid_o(av_valid), .out_ready_i(av_ready), .out_data_o(av_blk), .count_o()
  );
  weft_fifo #(.W(HndW), .DEPTH(16)) u_ones (
    .clk_i, .rst_ni, .in_valid_i(one_in_valid), .in_ready_o(one_in_ready), .in_data_i(one_in_blk),
    .out_valid_o(one_valid), .out_ready_i(one_ready), .out_data_o(one_blk), .count_o()
  );

  // ---------------------------------------------------------------- writing
  logic [HndW-1:0]  first_q, cur_q, first_d, cur_d;
  logic [BeatW-1:0] beat_q;
  logic [HndW:0]    n_q, n_d;
  logic [15:0]      len_q, len_d;
  logic             begin_q;        // the next beat is a packet's first
  logic             drop_q, full_q, too_long, starved, take, wants, no_room, drop_d, fire, end_ok, end_bad, link;
  logic             put_valid_q, put_ok_q;
  logic [HndW-1:0]  put_handle_q;
  logic [15:0]      put_len_q;

  // Blocks that nobody holds, the ones on their way to u_avail among them.
  assign no_room = begin_q ? used_q == (HndW + 1)'(BLOCKS - 1) : used_q >= (HndW + 1)'(BLOCKS - 1 - RESERVE);
  assign wants   = begin_q || (beat_q == '0 && !drop_q);
  assign starved = wants && !av_valid && !no_room;   // one will come
  // The result of the packet before must have a place, and so must its blocks if it is dropped.
  assign in_ready_o = !starved && (!put_valid_q || put_ready_i) && !back_v;
  assign fire       = in_valid_i && in_ready_o;
  assign take       = fire && wants && !no_room;
  assign av_ready   = take;
  assign len_d      = (begin_q ? 16'd0 : len_q) + 16'(in_cnt_i);
  assign too_long   = 32'(begin_q ? 16'd0 : len_q) + 32'(in_cnt_i) > MAX_BYTES;
  assign drop_d     = (!begin_q && drop_q) || (wants && no_room) || too_long;
  assign first_d    = begin_q ? av_blk : first_q;
  assign cur_d      = take ? av_blk : cur_q;
  assign n_d        = (begin_q ? '0 : n_q) + (HndW + 1)'(take);
  assign end_ok     = fire && in_last_i && !drop_d && !in_err_i;
  assign end_bad    = fire && in_last_i && (drop_d || in_err_i);
  assign link       = take && !begin_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begin_q     <= 1'b1;
      put_valid_q <= 1'b0;
      beat_q      <= '0;
    end else begin
      if (fire) begin
        begin_q <= in_last_i;
        beat_q  <= in_last_i ? '0 : beat_q + BeatW'(1);
      end
      if (fire && in_last_i) put_valid_q <= 1'b1;
      else if (put_ready_i) put_valid_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire) begin
      drop_q  <= drop_d;
      full_q  <= (!begin_q && full_q) || (wants && no_room);
      len_q   <= len_d;
      n_q     <= n_d;
      first_q <= first_d;
      cur_q   <= cur_d;
    end
    if (fire && in_last_i) begin
      put_ok_q     <= end_ok;
      put_handle_q <= first_d;
      put_len_q    <= len_d;
    end
  end
  assign put_valid_o  = put_valid_q;
  assign put_ok_o     = put_ok_q;
  assign put_handle_o = put_handle_q;
  assign put_len_o    = put_len_q;
  assign stat_put_o   = end_ok;
  assign stat_full_o  = fire && in_last_i && ((!begin_q && full_q) || (wants && no_room));

  // Last block and number of blocks of a packet, by its handle.
  logic [2*HndW:0] chain;
  weft_ram_1r1w #(.W(2 * HndW + 1), .DEPTH(BLOCKS)) u_chain (
    .clk_i, .we_i(end_ok), .waddr_i(first_d), .wdata_i({n_d, cur_d}),
    .re_i(free_valid_i && free_ready_o), .raddr_i(free_handle_i), .rdata_o(chain)
  );

  // ---------------------------------------------------------------- freeing
  // back: the blocks of a dropped packet; ret: those of a packet that was freed.
  logic            back_v, ret_v_q, back_go, ret_go, sel_v, sel_go, single, next_we;
  logic [HndW-1:0] back_first_q, back_last_q, ret_first_q, sel_first, sel_last;
  logic [HndW:0]   back_n_q, sel_n;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      back_v  <= 1'b0;
      ret_v_q <= 1'b0;
      used_q  <= '0;
    end else begin
      if (end_bad && n_d != '0) back_v <= 1'b1;
      else if (back_go) back_v <= 1'b0;
      if (free_valid_i && free_ready_o) ret_v_q <= 1'b1;
      else if (ret_go) ret_v_q <= 1'b0;
      used_q <= used_q + (HndW + 1)'(take) - (sel_go ? sel_n : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (end_bad) begin
      back_first_q <= first_d;
      back_last_q  <= cur_d;
      back_n_q     <= n_d;
    end
    if (free_valid_i && free_ready_o) ret_first_q <= free_handle_i;
  end

  assign free_ready_o = !ret_v_q || ret_go;
  assign sel_v     = back_v || ret_v_q;
  assign sel_first = back_v ? back_first_q : ret_first_q;
  assign sel_last  = back_v ? back_last_q : chain[HndW-1:0];
  assign sel_n     = back_v ? back_n_q : chain[2*HndW:HndW];
  assign single    = sel_n == (HndW + 1)'(1) && one_in_ready;
  assign one_in_valid = sel_v && single;
  assign one_in_blk   = sel_first;
  // The write port of the links belongs to the writer first; a list of one block is not being read.
  assign hang       = sel_v && !single && !link;
  assign hang_first = sel_first;
  assign hang_last  = sel_last;
  assign hang_n     = sel_n;
  assign sel_go     = sel_v && (single || hang);
  assign back_go    = sel_go && back_v;
  assign ret_go     = sel_go && !back_v;
  assign used_o     = used_q;

  // ---------------------------------------------------------------- links
  logic [HndW-1:0] next_wa, next_wd;
  assign next_we = link || (hang && list_q != '0);
  assign next_wa = link ? cur_q : tail_q;
  assign next_wd = link ? av_blk : hang_first;
  weft_ram_1r1w #(.W(HndW), .DEPTH(BLOCKS)) u_next_free (
    .clk_i, .we_i(next_we), .waddr_i(next_wa), .wdata_i(next_wd),
    .re_i(pop), .raddr_i(head_q), .rdata_o(pop_next)
  );

  // ---------------------------------------------------------------- reading
  logic [AddrW-1:0] wr_addr;
  logic [N_RD-1:0]  rd_idle;
  assign wr_addr = {cur_d, beat_q};
  for (genvar r = 0; r < N_RD; r++) begin : gen_rd
    logic              mem_re, next_re;
    logic [AddrW-1:0]  mem_ra;
    logic [HndW-1:0]   next_ra, next_rd;
    logic [DATA_W-1:0] mem_rd;

    weft_ram_1r1w #(.W(DATA_W), .DEPTH(BLOCKS * BEATS)) u_data (
      .clk_i, .we_i(fire && !drop_d), .waddr_i(wr_addr), .wdata_i(in_data_i),
      .re_i(mem_re), .raddr_i(mem_ra), .rdata_o(mem_rd)
    );
    weft_ram_1r1w #(.W(HndW), .DEPTH(BLOCKS)) u_next (
      .clk_i, .we_i(next_we), .waddr_i(next_wa), .wdata_i(next_wd),
      .re_i(next_re), .raddr_i(next_ra), .rdata_o(next_rd)
    );
    weft_pkt_reader #(.DATA_W(DATA_W), .BLK_W(HndW), .BEATS(BEATS)) u_reader (
      .clk_i, .rst_ni,
      .req_valid_i(rd_valid_i[r]), .req_ready_o(rd_ready_o[r]), .req_handle_i(rd_handle_i[r]),
      .req_off_i(rd_off_i[r]), .req_len_i(rd_len_i[r]),
      .next_re_o(next_re), .next_addr_o(next_ra), .next_i(next_rd),
      .mem_re_o(mem_re), .mem_addr_o(mem_ra), .mem_i(mem_rd),
      .out_valid_o(out_valid_o[r]), .out_ready_i(out_ready_i[r]), .out_data_o(out_data_o[r]),
      .out_cnt_o(out_cnt_o[r]), .out_last_o(out_last_o[r]), .idle_o(rd_idle[r])
    );
  end

  assign idle_o = begin_q && !in_valid_i && !put_valid_q && !sel_v && !free_valid_i && rd_valid_i == '0 && rd_idle == '1;

`ifndef SYNTHESIS
  initial begin
    if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) $fatal(1, "weft_pkt_store: DATA_W");
    if (BLOCKS < 16 || BLOCKS > 4096 || (BLOCKS & (BLOCKS - 1)) != 0) $fatal(1, "weft_pkt_store: BLOCKS");
    if (BEATS < 4 || BEATS > 64 || (BEATS & (BEATS - 1)) != 0) $fatal(1, "weft_pkt_store: BEATS");
    if (MAX_BYTES > 65535 || RESERVE >= BLOCKS) $fatal(1, "weft_pkt_store: MAX_BYTES, RESERVE");
    if (N_RD < 1 || N_RD > 4) $fatal(1, "weft_pkt_store: N_RD");
  end
  // A handle that is not in use is freed or read by mistake only: the blocks would be counted twice.
  logic [BLOCKS-1:0] held_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else begin
      if (free_valid_i && free_ready_o) begin
        assert (held_q[free_handle_i]);
        held_q[free_handle_i] <= 1'b0;
      end
      if (end_ok) held_q[first_d] <= 1'b1;
      assert (used_q <= (HndW + 1)'(BLOCKS));
      for (int unsigned r = 0; r < N_RD; r++) begin
        if (rd_valid_i[r]) assert (held_q[rd_handle_i[r]] && rd_len_i[r] != '0);
      end
    end
  end
`endif
  logic unused;
  assign unused = ^BlkB[0];

endmodule
/* verilator lint_on PINCONNECTEMPTY */
