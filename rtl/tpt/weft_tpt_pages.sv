// SPDX-License-Identifier: BSD-2-Clause

/// From a checked access to pieces of bus memory: walks the pages, looks up the page list in a cache
/// and fetches missing lines (64 bytes, eight pages) from host memory.
///
/// A look-up compares WAYS tags; of those that are in its set the lines are replaced in turn, whatever they were used for.
/// Tags are looked up and replaced in request order before the data is there; the order of lookups is
/// kept in a queue, and a line is written when the lookup that missed reaches its head. As the host's
/// answers come in request order, data is always there in time for the lookups that hit behind a miss,
/// and replaced only behind its last user. PENDING lookups, misses among them, are in flight.
/// A line that could not be read fails all lookups that found it and is forgotten. The access is told so in the place of its last
/// lookup: nothing of its page list is read any more when it leaves.
module weft_tpt_pages #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned SLOT_W = 8,
  parameter int unsigned LINES = 128,    ///< cached lines, a power of two
  parameter int unsigned WAYS = 4,       ///< lines that a look-up may find, a power of two
  parameter int unsigned PENDING = DATA_W == 512 ? 128 : 64,  ///< lookups in flight, a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  in_valid_i,
  output logic                  in_ready_o,
  input  weft_pkg::xl_err_e     in_err_i,
  input  logic                  in_flat_i,
  input  logic [63:0]           in_addr_i,
  input  logic [15:0]           in_len_i,
  input  logic [52:0]           in_page_i,
  input  logic [29:0]           in_off_i,
  input  logic [4:0]            in_log2_i,
  input  logic [63:0]           in_pbl_i,
  input  logic [31:0]           in_count_i,
  input  logic [SLOT_W-1:0]     in_slot_i,
  input  logic [7:0]            in_gen_i,
  output logic                  looked_up_o,  ///< pulse: an access has left the tags behind
  input  logic                  flush_i,      ///< forget every line

  output logic                  rd_req_valid_o,
  input  logic                  rd_req_ready_i,
  output weft_pkg::dma_rd_req_t rd_req_o,
  input  logic                  rd_rsp_valid_i,
  output logic                  rd_rsp_ready_o,
  input  logic [DATA_W-1:0]     rd_rsp_data_i,
  input  logic [CntW-1:0]       rd_rsp_cnt_i,
  input  logic                  rd_rsp_last_i,
  input  logic                  rd_rsp_err_i,

  output logic                  xl_rsp_valid_o,
  input  logic                  xl_rsp_ready_i,
  output weft_pkg::xlate_rsp_t  xl_rsp_o,

  output logic                  idle_o,
  output logic                  stat_hit_o,
  output logic                  stat_miss_o
);

  localparam int unsigned LineW = $clog2(LINES);
  localparam int unsigned SetW = LineW - $clog2(WAYS);
  localparam int unsigned Sets = LINES / WAYS;
  localparam int unsigned Beats = 512 / DATA_W;
  localparam int unsigned BeatW = Beats > 1 ? $clog2(Beats) : 1;
  localparam int unsigned KeyW = SLOT_W + 8 + 29;
  localparam int unsigned PerBeat = DATA_W / 64;

  // ------------------------------------------------ walk: a piece a cycle
  logic              w_valid_q, w_flat_q, w_done, w_ready;
  weft_pkg::xl_err_e w_err_q, w_err;
  logic [63:0]       w_addr_q, w_pbl_q;
  logic [52:0]       w_page_q;
  logic [29:0]       w_off_q;
  logic [15:0]       w_left_q, w_len;
  logic [4:0]        w_log2_q;
  logic [31:0]       w_count_q;
  logic [SLOT_W-1:0] w_slot_q;
  logic [7:0]        w_gen_q;
  logic [30:0]       w_space;
  logic              w_short, w_last;

  assign w_space = (31'd1 << w_log2_q) - {1'b0, w_off_q};
  assign w_short = w_err_q == weft_pkg::XlOk && !w_flat_q && w_page_q >= 53'(w_count_q);
  assign w_err   = w_short ? weft_pkg::XlBus : w_err_q;
  assign w_len   = (w_flat_q || w_space >= 31'(w_left_q)) ? w_left_q : w_space[15:0];
  assign w_last  = w_err != weft_pkg::XlOk || w_flat_q || w_space >= 31'(w_left_q);
  assign w_done  = w_ready && w_last;
  assign in_ready_o = !w_valid_q || w_done;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) w_valid_q <= 1'b0;
    else if (in_ready_o) w_valid_q <= in_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (in_ready_o) begin
      w_err_q   <= in_err_i;
      w_flat_q  <= in_flat_i;
      w_addr_q  <= in_addr_i;
      w_left_q  <= in_len_i;
      w_page_q  <= in_page_i;
      w_off_q   <= in_off_i;
      w_log2_q  <= in_log2_i;
      w_pbl_q   <= in_pbl_i;
      w_count_q <= in_count_i;
      w_slot_q  <= in_slot_i;
      w_gen_q   <= in_gen_i;
    end else if (w_ready) begin
      w_left_q  <= w_left_q - w_len;
      w_page_q  <= w_page_q + 53'd1;
      w_off_q   <= '0;
    end
  end

  // ------------------------------------------------ register in front of the tags
  // A full register slice: whether the tags take it is known late.
  logic              t_valid, t_cached, t_last, t_ready;
  weft_pkg::xl_err_e t_err;
  logic [63:0]       t_addr, t_line_addr;
  logic [15:0]       t_len;
  logic [KeyW-1:0]   t_key;
  logic [2:0]        t_word;
  logic [LineW-1:0]  t_line;
  logic [SetW-1:0]   t_set;
  logic [SetW-1:0]   fold, hash;
  logic [3:0]        t_err_bits;

  // Regions that were made one behind the other have numbers that follow each other, and so have lines of a region: from opposite ends.
  assign fold = SetW'(32'(w_slot_q) ^ (32'(w_slot_q) >> SetW));
  for (genvar k = 0; k < SetW; k++) begin : gen_hash
    assign hash[k] = fold[SetW-1-k] ^ w_page_q[3+k] ^ w_page_q[3+SetW+k];
  end

  weft_skid #(.W(1 + 4 + 1 + 16 + 64 + 64 + KeyW + 3 + SetW)) u_tag (
    .clk_i, .rst_ni, .in_valid_i(w_valid_q), .in_ready_o(w_ready),
    .in_data_i({w_err == weft_pkg::XlOk && !w_flat_q, w_err, w_last,
                (w_err == weft_pkg::XlOk) ? w_len : 16'd0,
                w_flat_q ? w_addr_q : 64'(w_off_q),
                w_pbl_q + {29'd0, w_page_q[31:3], 6'd0},
                w_slot_q, w_gen_q, w_page_q[31:3], w_page_q[2:0], hash}),
    .out_valid_o(t_valid), .out_ready_i(t_ready),
    .out_data_o({t_cached, t_err_bits, t_last, t_len, t_addr, t_line_addr, t_key,
                 t_word, t_set})
  );
  assign t_err = weft_pkg::xl_err_e'(t_err_bits);

  // ------------------------------------------------ tags
  logic [LINES-1:0] tag_valid_q;
  logic [WAYS-1:0]  found;
  logic [WAYS-1:0]  turn_q;      // whose turn it is to be replaced: one bit
  logic             hit, miss, dma_ready, pend_ready, fail;
  logic [LineW-1:0] d_line;

  for (genvar k = 0; k < WAYS; k++) begin : gen_way
    logic [KeyW-1:0] tags [Sets];
    assign found[k] = tag_valid_q[Sets * k + 32'(t_set)] && tags[t_set] == t_key;
    always_ff @(posedge clk_i) begin
      if (stat_miss_o && turn_q[k]) tags[t_set] <= t_key;
    end
  end
  always_comb begin
    t_line = LineW'(t_set);
    for (int unsigned k = 0; k < WAYS; k++) begin
      if (hit ? found[k] : turn_q[k]) t_line = LineW'(Sets * k) + LineW'(t_set);
    end
  end

  assign hit     = found != '0;
  assign miss    = t_cached && !hit;
  assign t_ready = pend_ready && (!miss || dma_ready);

  assign looked_up_o = t_valid && t_ready && t_last;
  assign stat_hit_o  = t_valid && t_ready && t_cached && hit;
  assign stat_miss_o = t_valid && t_ready && miss;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tag_valid_q <= '0;
      turn_q      <= WAYS'(1);
    end else begin
      if (flush_i) tag_valid_q <= '0;
      else begin
        // A line that failed is forgotten; when it is in new hands by now, nothing but a hit is lost.
        if (stat_miss_o) tag_valid_q[t_line] <= 1'b1;
        if (fail) tag_valid_q[d_line] <= 1'b0;
      end
      if (stat_miss_o) turn_q <= WAYS'({turn_q, turn_q[WAYS-1]});
    end
  end

  weft_pkg::dma_rd_req_t dma_req;
  always_comb begin
    dma_req.after_wr = 1'b0;
    dma_req.len      = 16'd64;
    dma_req.addr     = t_line_addr;
  end
  weft_skid #(.W(81)) u_dma (
    .clk_i, .rst_ni, .in_valid_i(t_valid && miss && pend_ready), .in_ready_o(dma_ready),
    .in_data_i(dma_req), .out_valid_o(rd_req_valid_o), .out_ready_i(rd_req_ready_i),
    .out_data_o(rd_req_o)
  );

  // ------------------------------------------------ lookups in order
  localparam int unsigned PendW = 1 + 1 + LineW + 3 + 64 + 16 + 1 + 4;
  logic              d_valid, d_ready, d_cached, d_miss, d_last;
  logic [2:0]        d_word;
  logic [63:0]       d_addr;
  logic [15:0]       d_len;
  weft_pkg::xl_err_e d_err;
  logic [3:0]        d_err_bits;
  logic [$clog2(PENDING):0] pend_count;

  weft_fifo #(.W(PendW), .DEPTH(PENDING)) u_pending (
    .clk_i, .rst_ni, .in_valid_i(t_valid && (!miss || dma_ready)), .in_ready_o(pend_ready),
    .in_data_i({t_cached, miss, t_line, t_word, t_addr, t_len, t_last, t_err}),
    .out_valid_o(d_valid), .out_ready_i(d_ready),
    .out_data_o({d_cached, d_miss, d_line, d_word, d_addr, d_len, d_last, d_err_bits}),
    .count_o(pend_count)
  );
  assign d_err = weft_pkg::xl_err_e'(d_err_bits);

  // ------------------------------------------------ lines
  logic             filled_q;    // the line of the lookup at the head is there
  logic [BeatW-1:0] beat_q;
  logic             fill, fill_end, fill_bad, read, o_ready;
  logic [LINES-1:0] bad_q;       // the line could not be read
  logic [DATA_W-1:0] line_data;

  assign rd_rsp_ready_o = d_valid && d_miss && !filled_q;
  assign fill           = rd_rsp_valid_i && rd_rsp_ready_o;
  assign fill_end       = fill && rd_rsp_last_i;
  assign fill_bad       = rd_rsp_err_i || beat_q != BeatW'(Beats - 1) || rd_rsp_cnt_i != CntW'(DATA_W / 8);
  assign fail           = fill_end && fill_bad;
  assign d_ready        = o_ready && (!d_miss || filled_q);
  assign read           = d_valid && d_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      filled_q <= 1'b0;
      beat_q   <= '0;
      bad_q    <= '0;
    end else begin
      if (fill) beat_q <= rd_rsp_last_i ? '0 : beat_q + BeatW'(beat_q != BeatW'(Beats - 1));
      if (fill_end) begin
        filled_q     <= 1'b1;
        bad_q[d_line] <= fill_bad;
      end else if (read) begin
        filled_q <= 1'b0;
      end
    end
  end

  localparam int unsigned RamA = LineW + (Beats > 1 ? BeatW : 0);
  logic [RamA-1:0] fill_addr, read_addr;
  if (Beats > 1) begin : gen_beats
    assign fill_addr = {d_line, beat_q};
    assign read_addr = {d_line, d_word[2-:BeatW]};
  end else begin : gen_beat
    assign fill_addr = d_line;
    assign read_addr = d_line;
  end

  weft_ram_1r1w #(.W(DATA_W), .DEPTH(LINES * Beats)) u_lines (
    .clk_i, .we_i(fill), .waddr_i(fill_addr), .wdata_i(rd_rsp_data_i),
    .re_i(read), .raddr_i(read_addr), .rdata_o(line_data)
  );

  // ------------------------------------------------ pieces
  logic              o_valid_q, o_cached_q, o_last_q, bad_acc, told, s_ready;
  weft_pkg::xl_err_e o_err_q, first_err_q, err;   // first_err_q: of lookups of this access before
  logic [63:0]       o_addr_q, page;
  logic [15:0]       o_len_q;
  logic [2:0]        o_word_q;
  weft_pkg::xlate_rsp_t rsp;

  if (PerBeat > 1) begin : gen_pick
    assign page = line_data[64*o_word_q[$clog2(PerBeat)-1:0]+:64];
  end else begin : gen_whole
    assign page = line_data;
  end

  // From its first error on nothing of an access is told but its end.
  assign err     = first_err_q != weft_pkg::XlOk ? first_err_q : o_err_q;
  assign bad_acc = err != weft_pkg::XlOk;
  assign told    = !bad_acc || o_last_q;
  assign o_ready = !o_valid_q || s_ready || !told;

  always_comb begin
    rsp.addr = o_addr_q | (o_cached_q ? page : 64'd0);  // pages are aligned to their size
    rsp.len  = o_len_q;
    rsp.last = o_last_q;
    rsp.err  = err;
    if (bad_acc) begin
      rsp.addr = '0;
      rsp.len  = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      o_valid_q   <= 1'b0;
      first_err_q <= weft_pkg::XlOk;
    end else begin
      if (o_ready) o_valid_q <= read;
      if (o_valid_q && o_ready) first_err_q <= o_last_q ? weft_pkg::XlOk : err;
    end
  end

  always_ff @(posedge clk_i) begin
    if (o_ready) begin
      o_cached_q <= d_cached;
      o_addr_q   <= d_addr;
      o_len_q    <= d_len;
      o_last_q   <= d_last;
      o_word_q   <= d_word;
      o_err_q    <= (d_cached && bad_q[d_line]) ? weft_pkg::XlBus : d_err;
    end
  end

  weft_skid #(.W(85)) u_out (
    .clk_i, .rst_ni, .in_valid_i(o_valid_q && told), .in_ready_o(s_ready), .in_data_i(rsp),
    .out_valid_o(xl_rsp_valid_o), .out_ready_i(xl_rsp_ready_i), .out_data_o(xl_rsp_o)
  );

  assign idle_o = !w_valid_q && !t_valid && pend_count == '0 && !o_valid_q && !xl_rsp_valid_o &&
                  !rd_req_valid_o;

  logic unused;
  assign unused = ^o_word_q;

`ifndef SYNTHESIS
  initial begin
    if (DATA_W < 64 || DATA_W > 512) $fatal(1, "weft_tpt_pages: DATA_W");
    if (LINES < 2 * WAYS) $fatal(1, "weft_tpt_pages: LINES");
    // weft_rdmap_place counts on room for eight accesses of five pages while it waits for an operation.
    if (PENDING < 40) $fatal(1, "weft_tpt_pages: PENDING");
  end
`endif

endmodule
