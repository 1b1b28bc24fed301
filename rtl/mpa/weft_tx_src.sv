// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Front of mpa's sending side: pairs descriptions with their payload pieces, reserves room in the
/// payload ring, then asks for translations; works out where everything of the FPDU will lie, so
/// that its length is known before its payload has come.
///
/// A piece of memory is asked for in accesses that end where a tagged offset is a multiple of
/// XL_MAX, so that room need not be there for all of a long FPDU. Room first: an access is asked
/// for when its bytes have a place in the ring and its record has one to the end. So nothing that
/// comes back ever waits for anything but PCIe; and as FPDUs leave the ring in order, the oldest
/// always gets all of it. A description is taken in cycle t, its plan is given in t+2 (and framing
/// has it in t+3).
///
/// A description that does not agree with its pieces (their sum is not its length; longer than
/// LEN_MAX; a packet beside other pieces; markers and an offset that is no multiple of four from
/// `first`) becomes a bad plan: no more of it is translated, its packets are thrown away, the order
/// is kept.
module weft_tx_src #(
  parameter int unsigned DATA_W = 128,       ///< 64, 128, 256 or 512
  parameter int unsigned BUF_BYTES = 32768,  ///< payload ring, a power of two
  parameter int unsigned LEN_MAX = 16384,    ///< largest payload of an FPDU, at most BUF_BYTES
  parameter int unsigned XL_MAX = 4096,      ///< largest access, a power of two, 64 to 16384
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned Rows = BUF_BYTES / Bytes,
  localparam int unsigned RoomW = $clog2(BUF_BYTES) + 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      fpdu_valid_i,
  output logic                      fpdu_ready_o,
  input  weft_dp_pkg::tx_fpdu_t     fpdu_i,
  input  logic                      src_valid_i,
  output logic                      src_ready_o,
  input  weft_dp_pkg::tx_src_t      src_i,

  output logic                      tpt_req_valid_o,
  input  logic                      tpt_req_ready_i,
  output weft_dp_pkg::tpt_req_t     tpt_req_o,
  output logic                      acc_valid_o,   ///< always taken: only given with acc_room_i
  input  logic                      acc_room_i,
  output weft_mpa_out_pkg::access_t acc_o,

  output logic                      plan_valid_o,  ///< always taken
  input  logic                      plan_room_i,   ///< for four more
  output weft_mpa_out_pkg::plan_t   plan_o,
  output weft_dp_pkg::framed_t      meta_o,        ///< with a plan that is no drop
  output logic [15:0]               wqe_o,

  input  logic                      freed_i,       ///< pulse: a row of the ring is free again
  output logic                      idle_o,
  output logic                      stat_wait_o    ///< an FPDU waits for room in the ring
);

  localparam int unsigned LaneW = $clog2(Bytes);
  localparam int unsigned XlW = $clog2(XL_MAX);

  // ------------------------------------------------ the next description, its next piece
  logic                  f_valid, p_valid, f_pop, p_pop;
  weft_dp_pkg::tx_fpdu_t f;
  weft_dp_pkg::tx_src_t  p;

  weft_skid #(.W(564)) u_fpdu (
    .clk_i, .rst_ni, .in_valid_i(fpdu_valid_i), .in_ready_o(fpdu_ready_o), .in_data_i(fpdu_i),
    .out_valid_o(f_valid), .out_ready_i(f_pop), .out_data_o(f)
  );
  weft_fifo #(.W(149), .DEPTH(16)) u_src (
    .clk_i, .rst_ni, .in_valid_i(src_valid_i), .in_ready_o(src_ready_o), .in_data_i(src_i),
    .out_valid_o(p_valid), .out_ready_i(p_pop), .out_data_o(p), .count_o()
  );

  // ------------------------------------------------ the next access of the piece
  logic              mid_q, fin, over;  // of a piece: not at its beginning; this is its end
  logic [63:0]       to, to_q;
  logic [15:0]       left, left_q, chunk, sum_q;  // sum: bytes asked for of this FPDU
  logic [16:0]       stop, sum_l, sum_c, sum;
  logic [XlW:0]      upto;

  assign to    = mid_q ? to_q : p.to;
  assign left  = mid_q ? left_q : p.len;
  assign stop  = 17'(to[XlW-1:0]) + 17'(left);
  // One that wraps is not cut there, so that its translation says so.
  assign fin   = stop <= 17'(XL_MAX) || to[63:XlW] == '1;
  assign upto  = (XlW + 1)'(XL_MAX) - (XlW + 1)'(to[XlW-1:0]);
  assign chunk = fin ? left : 16'(upto);
  assign sum_l = 17'(sum_q) + 17'(left);
  assign sum_c = 17'(sum_q) + 17'(upto);
  assign sum   = fin ? sum_l : sum_c;
  assign over  = sum_l > 17'(f.len);

  // ------------------------------------------------ one access or piece a cycle
  logic             first_q, mem_q, bad_q;  // of the FPDU so far: nothing yet; has rows; is bad
  logic [RoomW-1:0] avail_q;                // bytes of the ring from where the FPDU begins
  logic [15:0]      alloc, taken;           // bytes that it has there
  logic [RoomW-LaneW-1:0] taken_rows;
  logic             is_mem, is_pkt, is_odd, form_bad, bad, ask, last, mem, end_bad, drop;
  logic             room, fits, req_ready, go, acc, plan;

  assign is_mem   = p.kind == weft_dp_pkg::SrcMem && p.len != '0;
  assign is_pkt   = p.kind == weft_dp_pkg::SrcInline || p.kind == weft_dp_pkg::SrcValue;
  assign is_odd   = p.kind > weft_dp_pkg::SrcValue;
  assign form_bad = f.len > 16'(LEN_MAX) || (f.markers && !f.raw && f.first[1:0] != f.off[1:0]);
  assign bad      = bad_q || form_bad || is_odd || (is_mem && over) ||
                    (is_pkt && !(first_q && p.last));
  assign ask      = is_mem && !bad;
  assign last     = p.last && (!ask || fin);
  assign mem      = mem_q || ask;
  assign end_bad  = bad || (!is_pkt && (is_mem ? sum_l[15:0] : sum_q) != f.len);
  assign drop     = is_pkt && !p.last;
  assign acc      = ask || (last && mem);
  assign plan     = last || drop;
  assign alloc    = ask ? sum[15:0] : sum_q;
  assign fits     = 32'(sum) <= 32'(avail_q);

  assign room  = plan_room_i && (!acc || acc_room_i) && (!ask || (req_ready && fits));
  assign go    = f_valid && p_valid && room;
  assign p_pop = f_valid && room && (!ask || fin);
  assign f_pop = p_valid && room && last;

  assign stat_wait_o = f_valid && p_valid && ask && !fits;

  // Whole rows belong to one FPDU.
  assign taken      = (go && last && mem) ? alloc : '0;
  assign taken_rows = (RoomW - LaneW)'(taken[15:LaneW]) + (RoomW - LaneW)'(taken[LaneW-1:0] != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b1;
      mid_q   <= 1'b0;
      mem_q   <= 1'b0;
      bad_q   <= 1'b0;
      sum_q   <= '0;
      avail_q <= RoomW'(BUF_BYTES);
    end else begin
      avail_q[RoomW-1:LaneW] <= avail_q[RoomW-1:LaneW] + (RoomW - LaneW)'(freed_i) - taken_rows;
      if (go) begin
        first_q <= last;
        mid_q   <= ask && !fin;
        mem_q   <= mem && !last;
        bad_q   <= bad && !last;
        sum_q   <= last ? '0 : alloc;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (go) begin
      to_q   <= {to[63:XlW] + 1'b1, {XlW{1'b0}}};
      left_q <= left - 16'(upto);
    end
  end

  // ------------------------------------------------ the translation, and its record
  weft_dp_pkg::tpt_req_t req;
  always_comb begin
    req.who      = f.who;
    req.stag     = p.stag;
    req.to       = to;
    req.len      = chunk;
    req.access   = p.access;
    req.pd       = p.pd;
    req.priv     = p.priv;
    req.recovery = f.again;
    req.fresh    = f.fresh;
    req.kind     = 2'd0;
  end
  weft_skid #(.W(185)) u_req (
    .clk_i, .rst_ni, .in_valid_i(go && ask), .in_ready_o(req_ready), .in_data_i(req),
    .out_valid_o(tpt_req_valid_o), .out_ready_i(tpt_req_ready_i), .out_data_o(tpt_req_o)
  );

  assign acc_valid_o = go && acc;
  always_comb begin
    acc_o.req   = ask;
    acc_o.last  = last;
    acc_o.fresh = f.fresh;
    acc_o.len   = chunk;
    acc_o.rows  = 12'(taken_rows);
  end

  // ------------------------------------------------ the plan
  logic plan_busy;
  weft_mpa_plan #(.DATA_W(DATA_W)) u_plan (
    .clk_i, .rst_ni, .in_valid_i(go && plan), .in_fpdu_i(f), .in_drop_i(drop), .in_bad_i(end_bad),
    .in_mem_i(mem && last),
    .in_pkt_i(!is_pkt ? weft_mpa_out_pkg::PktNone : p.kind == weft_dp_pkg::SrcInline ?
              weft_mpa_out_pkg::PktInline : weft_mpa_out_pkg::PktValue),
    .in_bytes_i(mem ? alloc : f.len), .out_valid_o(plan_busy), .plan_o, .meta_o, .wqe_o
  );
  assign plan_valid_o = plan_busy;
  assign idle_o       = !f_valid && !p_valid && !plan_busy && !tpt_req_valid_o && first_q;

`ifndef SYNTHESIS
  initial begin
    if (LEN_MAX > BUF_BYTES || LEN_MAX > 16384) $fatal(1, "weft_tx_src: LEN_MAX");
    if ((BUF_BYTES & (BUF_BYTES - 1)) != 0 || Rows < 4 || BUF_BYTES > 65536) begin
      $fatal(1, "weft_tx_src: BUF_BYTES");
    end
    if (XL_MAX < 64 || XL_MAX > 16384 || (XL_MAX & (XL_MAX - 1)) != 0) begin
      $fatal(1, "weft_tx_src: XL_MAX");
    end
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
