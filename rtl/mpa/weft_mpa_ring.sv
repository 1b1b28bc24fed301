// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Receive rings in host memory: N_RING rings of PAGES pages of 4 KiB << shift_i, given by the driver once,
/// page by page; a ring can be used
/// when all its pages are there. Byte `off` of a stream lies at byte `off` mod (PAGES * 4096 << shift_i) of
/// its ring. Accesses are cut at 4 KiB whatever a page has.
///
/// A connection gets a whole ring or none. So one that has acknowledged a part of an FPDU always
/// has the pages for the rest of
/// it, and no pool has to promise anything. Rings are given out in the order in which they came
/// back.
///
/// A read leaves when the bytes of all writes that were told before it were accepted as posted
/// writes, and asks to see them. What it brings is kept here until it is whole: at most BUF_BYTES
/// are asked for.
// lint: -GDATA_W=128
module weft_mpa_ring #(
  parameter int unsigned DATA_W = 64,        ///< 64, 128, 256 or 512
  parameter int unsigned N_RING = 16,        ///< power of two, 2 to 4096
  parameter int unsigned PAGES = 16,         ///< of a ring, power of two, 8 to 64
  parameter int unsigned BUF_BYTES = 32768,  ///< power of two, 32768 or more
  parameter int unsigned READS = 3,          ///< of a ring at a time, 1 to 4
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic [1:0]              shift_i,       ///< up to RingShiftMax; stands still from the first page on
  input  logic                    page_valid_i,  ///< the driver gives a page
  output logic                    page_ready_o,  ///< low when all rings are full
  input  logic [63:0]             page_addr_i,   ///< aligned to its size

  output logic                    rid_valid_o,
  output logic                    rid_some_o,    ///< more than a quarter of those that have their pages are free
  output logic                    rid_many_o,    ///< more than half of them
  input  logic                    rid_take_i,
  output logic [11:0]             rid_o,
  input  logic                    rid_give_i,
  input  logic [11:0]             rid_i,

  input  logic                    job_valid_i,
  output logic                    job_ready_o,
  input  weft_mpa_in_pkg::job_t   job_i,
  input  logic                    sp_valid_i,    ///< a packet for each write
  output logic                    sp_ready_o,
  input  logic [DATA_W-1:0]       sp_data_i,
  input  logic [CntW-1:0]         sp_cnt_i,
  input  logic                    sp_last_i,

  /// the bytes of a read are all here, and come behind it
  output logic                    got_valid_o,
  input  logic                    got_ready_i,
  output weft_mpa_in_pkg::job_t   got_o,
  output logic                    got_err_o,
  output logic                    d_valid_o,
  input  logic                    d_ready_i,
  output logic [DATA_W-1:0]       d_data_o,
  output logic                    d_last_o,
  input  logic                    d_more_i,      ///< the rest of a packet waits for the next read: it is told, and its bytes come behind that rest

  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    rd_valid_i,
  output logic                    rd_ready_o,
  input  logic [DATA_W-1:0]       rd_data_i,
  input  logic [CntW-1:0]         rd_cnt_i,
  input  logic                    rd_last_i,
  input  logic                    rd_err_i,
  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  output logic [12:0]             free_o,        ///< rings that can be had
  output logic                    idle_o
);

  localparam int unsigned RidW  = $clog2(N_RING);
  localparam int unsigned PageW = $clog2(PAGES);
  localparam int unsigned MoreW = weft_dp_pkg::RingShiftMax;
  localparam int unsigned JobW  = 1 + 24 + 12 + 12 + 64 + 16;
  localparam int unsigned Beats = BUF_BYTES * 8 / DATA_W;

  // ---------------------------------------------------------------- pages and rings
  // Of an offset in units of 4 KiB: which page, and where in it.
  logic [MoreW-1:0]       in_page;
  logic [PageW+MoreW-1:0] w_unit, r_unit;
  assign in_page = {shift_i == 2'd3, shift_i[1], shift_i != '0};
  assign w_unit  = w_at[12+:PageW+MoreW] >> shift_i;
  assign r_unit  = at[12+:PageW+MoreW] >> shift_i;
  logic [RidW+PageW:0] given_q;
  logic                whole, fr_in, fr_ready, fr_valid;
  logic [RidW-1:0]     fr_data, fr_rid;
  logic [RidW:0]       fr_count;
  assign whole        = page_valid_i && page_ready_o && given_q[PageW-1:0] == '1;
  assign page_ready_o = !given_q[RidW+PageW] && !rid_give_i;
  assign fr_in        = rid_give_i || whole;
  assign fr_data      = rid_give_i ? rid_i[RidW-1:0] : given_q[PageW+:RidW];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) given_q <= '0;
    else if (page_valid_i && page_ready_o) given_q <= given_q + 1'b1;
  end
  weft_fifo #(.W(RidW), .DEPTH(N_RING)) u_free (
    .clk_i, .rst_ni, .in_valid_i(fr_in), .in_ready_o(fr_ready), .in_data_i(fr_data),
    .out_valid_o(fr_valid), .out_ready_i(rid_take_i), .out_data_o(fr_rid), .count_o(fr_count)
  );
  assign rid_valid_o = fr_valid;
  assign rid_o       = 12'(fr_rid);
  assign free_o      = 13'(fr_count);
  // Pages of a ring that has not all of them do not count.
  assign rid_some_o  = {2'b0, given_q[PageW+:RidW+1]} < {fr_count, 2'b0};
  assign rid_many_o  = {1'b0, given_q[PageW+:RidW+1]} < {fr_count, 1'b0};

  // ---------------------------------------------------------------- writes, cut at pages
  // Reads have a queue of their own, which holds READS of each ring: a read that waits for room here
  // keeps up no write, because the room comes back only while the cutter goes on.
  logic                  w_room, r_room, w_valid, w_known_q, w_step, w_last, cut_ready, h_room,
    h_valid, h_pop, h_end, o_valid, o_ready;
  weft_mpa_in_pkg::job_t wj;
  logic [15:0]           w_done_q, w_left, w_n, told_q, gone_q;   // taken, left
  logic [63:0]           w_at;
  logic [51:0]           w_page;
  logic [12:0]           w_to;
  assign job_ready_o = w_room && r_room;
  weft_fifo #(.W(JobW), .DEPTH(8)) u_writes (
    .clk_i, .rst_ni, .in_valid_i(job_valid_i && !job_i.rd && r_room), .in_ready_o(w_room),
    .in_data_i(job_i),
    .out_valid_o(w_valid), .out_ready_i(w_step && w_last), .out_data_o(wj), .count_o()
  );
  assign w_at   = wj.off + 64'(w_done_q);
  assign w_left = wj.len - w_done_q;
  assign w_to   = 13'd4096 - 13'(w_at[11:0]);
  assign w_last = w_left <= 16'(w_to);
  assign w_n    = w_last ? w_left : 16'(w_to);
  assign w_step = w_known_q && cut_ready && h_room;
  weft_ram_1r1w #(.W(52), .DEPTH(N_RING * PAGES)) u_wpages (
    .clk_i, .we_i(page_valid_i && page_ready_o), .waddr_i(given_q[RidW+PageW-1:0]),
    .wdata_i(page_addr_i[63:12]),
    .re_i(w_valid && !w_known_q), .raddr_i({wj.rid[RidW-1:0], w_unit[PageW-1:0]}), .rdata_o(w_page)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      w_known_q <= 1'b0;
      w_done_q  <= '0;
      told_q    <= '0;
      gone_q    <= '0;
    end else begin
      w_known_q <= (w_known_q || w_valid) && !w_step;
      if (w_step) w_done_q <= w_last ? '0 : w_done_q + w_n;
      told_q <= told_q + 16'(job_valid_i && job_ready_o && !job_i.rd);
      gone_q <= gone_q + 16'(h_pop && h_end);
    end
  end
  weft_stream_split #(.DATA_W(DATA_W)) u_split (
    .clk_i, .rst_ni, .cut_valid_i(w_known_q && h_room), .cut_ready_o(cut_ready), .cut_len_i(w_n),
    .cut_last_i(w_last),
    .in_valid_i(sp_valid_i), .in_ready_o(sp_ready_o), .in_data_i(sp_data_i), .in_cnt_i(sp_cnt_i),
    .in_last_i(sp_last_i), .in_err_i(1'b0),
    .out_valid_o(o_valid), .out_ready_i(o_ready), .out_data_o(wr_data_o), .out_cnt_o(wr_cnt_o),
    .out_last_o(wr_last_o), .out_err_o()
  );
  weft_fifo #(.W(81), .DEPTH(4)) u_hdr (
    .clk_i, .rst_ni, .in_valid_i(w_known_q && cut_ready), .in_ready_o(h_room),
    .in_data_i({w_last, w_n, w_page[51:MoreW], w_page[MoreW-1:0] | (w_at[12+:MoreW] & in_page), w_at[11:0]}),
    .out_valid_o(h_valid), .out_ready_i(h_pop), .out_data_o({h_end, wr_hdr_o}), .count_o()
  );
  assign wr_valid_o = o_valid && h_valid;
  assign o_ready    = wr_ready_i && h_valid;
  assign h_pop      = wr_valid_o && wr_ready_i && wr_last_o;

  // ---------------------------------------------------------------- reads
  logic                  jb_valid, jb_next, known_q, last, step, room, put, seen;
  weft_mpa_in_pkg::job_t jb;
  logic [15:0]           done_q, left, n, seq, lag;
  logic [63:0]           at;
  logic [51:0]           page;
  logic [12:0]           to_page;
  localparam int unsigned ReadQ = N_RING < 4 ? 16 : 4 * N_RING;  // READS, or more
  weft_fifo #(.W(JobW + 16), .DEPTH(ReadQ)) u_reads (
    .clk_i, .rst_ni, .in_valid_i(job_valid_i && job_i.rd && w_room), .in_ready_o(r_room),
    .in_data_i({told_q, job_i}),
    .out_valid_o(jb_valid), .out_ready_i(jb_next), .out_data_o({seq, jb}), .count_o()
  );
  assign lag     = gone_q - seq;
  assign seen    = !lag[15];       // all writes before it have left
  assign at      = jb.off + 64'(done_q);
  assign left    = jb.len - done_q;
  assign to_page = 13'd4096 - 13'(at[11:0]);
  assign last    = left <= 16'(to_page);
  assign n       = last ? left : 16'(to_page);
  weft_ram_1r1w #(.W(52), .DEPTH(N_RING * PAGES)) u_rpages (
    .clk_i, .we_i(page_valid_i && page_ready_o), .waddr_i(given_q[RidW+PageW-1:0]),
    .wdata_i(page_addr_i[63:12]),
    .re_i(jb_valid && !known_q), .raddr_i({jb.rid[RidW-1:0], r_unit[PageW-1:0]}), .rdata_o(page)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q <= 1'b0;
      done_q  <= '0;
    end else begin
      known_q <= (known_q || jb_valid) && !step;
      if (step) done_q <= last ? '0 : done_q + n;
    end
  end
  assign step    = put && rd_req_ready_i;
  assign jb_next = step && last;
  logic        rdn_room, rdj_room, rdn_valid, rdn_last, g_valid, g_ready, g_last, g_err, b_valid,
    b_ready, rj_valid, rd_whole;
  logic [1:0]        got_q;   // packets that were told, and have not left
  logic [DATA_W-1:0] g_data;
  logic [CntW-1:0]   g_cnt, b_cnt;
  logic [15:0] claim;
  logic [16:0] used_q;
  assign put            = known_q && seen && room && rdn_room && rdj_room;
  assign rd_req_valid_o = put;
  assign rd_req_o.after_wr = 1'b1;
  assign rd_req_o.len      = n;
  assign rd_req_o.addr     = {page[51:MoreW], page[MoreW-1:0] | (at[12+:MoreW] & in_page), at[11:0]};
  // Room for the whole job is claimed with its first read, in beats.
  assign claim = 16'((32'(jb.len) + DATA_W / 8 - 1) / (DATA_W / 8));
  assign room  = done_q != '0 || used_q + 17'(claim) <= 17'(Beats);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) used_q <= '0;
    else used_q <= used_q + (put && rd_req_ready_i &&
        done_q == '0 ? 17'(claim) : '0) - 17'(b_valid && b_ready);
  end
  weft_fifo #(.W(1), .DEPTH(32)) u_last (
    .clk_i, .rst_ni, .in_valid_i(put && rd_req_ready_i), .in_ready_o(rdn_room), .in_data_i(last),
    .out_valid_o(rdn_valid), .out_ready_i(rd_valid_i && rd_ready_o && rd_last_i),
    .out_data_o(rdn_last), .count_o()
  );
  weft_fifo #(.W(JobW), .DEPTH(16)) u_read (
    .clk_i, .rst_ni, .in_valid_i(jb_next), .in_ready_o(rdj_room), .in_data_i(jb),
    .out_valid_o(rj_valid), .out_ready_i(tell), .out_data_o(got_o), .count_o()
  );
  logic tell;
  weft_fifo #(.W(1), .DEPTH(16)) u_whole (
    .clk_i, .rst_ni, .in_valid_i(g_valid && g_ready && g_last), .in_ready_o(), .in_data_i(g_err),
    .out_valid_o(rd_whole), .out_ready_i(tell), .out_data_o(got_err_o), .count_o()
  );
  logic b_end, gather_ready;
  assign rd_ready_o = gather_ready && rdn_valid;
  weft_stream_gather #(.DATA_W(DATA_W)) u_gather (
    .clk_i, .rst_ni, .in_valid_i(rd_valid_i && rdn_valid), .in_ready_o(gather_ready),
    .in_data_i(rd_data_i), .in_cnt_i(rd_cnt_i),
    .in_last_i(rd_last_i), .in_err_i(rd_err_i), .in_final_i(rdn_last),
    .out_valid_o(g_valid), .out_ready_i(g_ready), .out_data_o(g_data), .out_cnt_o(g_cnt),
    .out_last_o(g_last), .out_err_o(g_err)
  );
  weft_pkt_fifo #(.DATA_W(DATA_W), .DEPTH(Beats), .META_W(1), .MAX_PKTS(32)) u_buf (
    .clk_i, .rst_ni, .in_valid_i(g_valid), .in_ready_o(g_ready), .in_data_i(g_data),
    .in_cnt_i(g_cnt), .in_last_i(g_last),
    .in_drop_i(1'b0), .in_meta_i(1'b0), .out_valid_o(b_valid), .out_ready_i(b_ready),
    .out_data_o(d_data_o), .out_cnt_o(b_cnt),
    .out_last_o(d_last_o), .out_meta_o(), .free_o(), .empty_o(), .stat_drop_o(),
    .stat_overflow_o()
  );
  // One is told at a time, then its bytes go.
  assign got_valid_o = rd_whole && rj_valid && (got_q == '0 || (got_q == 2'd1 && d_more_i));
  assign tell        = got_valid_o && got_ready_i;
  assign d_valid_o   = b_valid && got_q != '0;
  assign b_ready     = d_ready_i && got_q != '0;
  assign b_end       = b_valid && b_ready && d_last_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) got_q <= '0;
    else got_q <= got_q + 2'(tell) - 2'(b_end);
  end

  assign idle_o = !job_valid_i && !w_valid && !jb_valid && !h_valid && used_q == '0;

  logic unused;
  assign unused = ^{fr_ready, page_addr_i[11:0], rid_i, b_cnt, jb, wj, w_at, at, lag, w_unit, r_unit};

`ifndef SYNTHESIS
  initial begin
    if (PAGES < 8 || PAGES > 64 || (PAGES & (PAGES - 1)) != 0) $fatal(1, "weft_mpa_ring: PAGES");
    if (N_RING < 2 || N_RING > 4096 || (N_RING & (N_RING - 1)) != 0) $fatal(1,
        "weft_mpa_ring: N_RING");
    if (READS < 1 || READS > 4) $fatal(1, "weft_mpa_ring: READS");
    if (BUF_BYTES < 32768) $fatal(1, "weft_mpa_ring: BUF_BYTES");
  end
  always_ff @(posedge clk_i) if (rst_ni) assert (!(fr_in &&
      !fr_ready)) else $error("%m: a ring came back twice");
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
