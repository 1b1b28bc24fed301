// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Front of mpa's sending side: pairs descriptions with their payload pieces, reserves room in the
/// payload ring, then asks for translations; works out where everything of the FPDU will lie, so that
/// its length is known before its payload has come.
///
/// A piece of memory is asked for in accesses that end where a tagged offset is a multiple of XL_MAX, so
/// that room need not be there for all of a long FPDU. Room first: an access is asked for when its
/// bytes have a place in the ring and its record has one to the end. So nothing that comes back ever
/// waits for anything but PCIe; and as FPDUs leave the ring in order, the oldest always gets all of it. A description is taken in cycle t, its plan is given in t+2 (and framing has it in t+3).
///
/// A description that does not agree with its pieces (their sum is not its length; longer than LEN_MAX;
/// a packet beside other pieces; markers and an offset that is no multiple of four from `first`)
/// becomes a bad plan: no more of it is translated, its packets are thrown away, the order is kept.
module weft_tx_src #(
  parameter int unsigned DATA_W = 128,       ///< 64, 128, 256 or 512
  parameter int unsigned BUF_BYTES = 32768,  ///< payload ring, a power of two
  parameter int unsigned LEN_MAX = 16384,    ///< largest payload of an FPDU, at most BUF_BYTES and 16384
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
  assign fin   = stop <= 17'(XL_MAX);
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
  logic [8:0]       to_mark;                // bytes to the next marker position
  logic             is_mem, is_pkt, is_odd, form_bad, bad, ask, last, mem, end_bad, drop;
  logic             room, fits, req_ready, go, acc, plan;

  assign is_mem   = p.kind == weft_dp_pkg::SrcMem && p.len != '0;
  assign is_pkt   = p.kind == weft_dp_pkg::SrcInline || p.kind == weft_dp_pkg::SrcValue;
  assign is_odd   = p.kind > weft_dp_pkg::SrcValue;
  assign to_mark  = f.first[8:0] - f.off[8:0];
  assign form_bad = f.len > 16'(LEN_MAX) || (f.markers && !f.raw && to_mark[1:0] != '0);
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

  // ------------------------------------------------ the plan, first half: words, first marker
  logic                  v1_q, drop1_q, bad1_q, mem1_q, mark1_q;
  logic [1:0]            pkt1_q;
  logic [2:0]            hw, hw1_q;
  logic [15:0]           bytes1_q;   // that lie in rows
  logic [12:0]           dw1_q;
  logic [13:0]           beyond1_q;  // words from the first marker position to the CRC, signed
  logic [6:0]            x0;
  logic [14:0]           lwords;
  weft_dp_pkg::tx_fpdu_t f1_q;

  assign hw     = f.raw ? 3'd0 : f.is_tagged ? 3'd4 : 3'd5;
  assign lwords = 15'((17'(f.len) + 17'd3) >> 2);
  assign x0     = to_mark[8:2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v1_q <= 1'b0;
    else v1_q <= go && plan;
  end

  always_ff @(posedge clk_i) begin
    if (go && plan) begin
      f1_q      <= f;
      drop1_q   <= drop;
      bad1_q    <= end_bad;
      mem1_q    <= mem && last;
      pkt1_q    <= !is_pkt ? weft_mpa_out_pkg::PktNone :
                   p.kind == weft_dp_pkg::SrcInline ? weft_mpa_out_pkg::PktInline :
                   weft_mpa_out_pkg::PktValue;
      hw1_q     <= hw;
      bytes1_q  <= mem ? alloc : f.len;
      mark1_q   <= f.markers && !f.raw;
      dw1_q     <= lwords[12:0] + 13'(hw);
      beyond1_q <= 14'(lwords) + (14'(hw) - 14'(x0));
    end
  end

  // ------------------------------------------------ second half: how many markers (RFC 5044 4.3)
  // A marker stands in front of word 127 k from the first position on, so with y words from there to
  // the CRC there are 1 + y / 127 of them; y = 128 a + b has y / 127 = a + (a + b) / 127. One that
  // would stand behind the CRC belongs to the next FPDU.
  logic [8:0]   fold;
  logic         any;
  logic [12:0]  words;
  logic [15:0]  ulpdu;
  logic         inv;
  logic [159:0] head;

  function automatic logic [31:0] swap32(input logic [31:0] v);
    swap32 = {v[7:0], v[15:8], v[23:16], v[31:24]};
  endfunction

  assign any   = mark1_q && !beyond1_q[13];
  assign fold  = 9'(beyond1_q[12:7]) + 9'(beyond1_q[6:0]);
  assign words = dw1_q + 13'(!f1_q.raw) +
                 (any ? 13'(beyond1_q[12:7]) + 13'd1 + 13'(fold >= 9'd127) : 13'd0);

  // RFC 5044 4.1: ULPDU_Length. RFC 5041 4: T, L, DV 1; STag and TO, or the word for RDMAP, QN, MSN, MO.
  // RFC 5040 4.1: RV 1, opcode; the word is the STag that a Send with Invalidate invalidates, else 0.
  assign ulpdu = f1_q.len + (f1_q.is_tagged ? 16'd14 : 16'd18);
  assign inv   = f1_q.op == weft_pkg::RdSendInv || f1_q.op == weft_pkg::RdSendSeInv;
  assign head[31:0]   = {2'd1, 2'd0, f1_q.op, f1_q.is_tagged, f1_q.last, 4'd0, 2'd1,
                         ulpdu[7:0], ulpdu[15:8]};
  assign head[159:32] = f1_q.is_tagged ?
      {32'd0, swap32(f1_q.to_addr[31:0]), swap32(f1_q.to_addr[63:32]), swap32(f1_q.stag)} :
      {swap32(f1_q.mo), swap32(f1_q.msn), {6'd0, f1_q.qn}, 24'd0, inv ? swap32(f1_q.stag) : 32'd0};

  always_comb begin
    plan_o.drop    = drop1_q;
    plan_o.bad     = bad1_q;
    plan_o.mem     = mem1_q;
    plan_o.pkt     = pkt1_q;
    plan_o.raw     = f1_q.raw;
    plan_o.crc     = f1_q.crc && !f1_q.raw;
    plan_o.markers = mark1_q;
    plan_o.hw      = hw1_q;
    plan_o.phase   = f1_q.off[8:2] - f1_q.first[8:2];
    plan_o.len     = f1_q.len;
    plan_o.rows    = 12'((17'(bytes1_q) + 17'(Bytes - 1)) >> LaneW);
    plan_o.dwords  = dw1_q;
    plan_o.words   = words;
    plan_o.head    = head;
  end

  always_comb begin
    meta_o.who       = f1_q.who;
    meta_o.link      = f1_q.link;
    meta_o.off       = f1_q.off;
    meta_o.bytes     = f1_q.raw ? f1_q.len : {1'b0, words, 2'd0};
    meta_o.from      = f1_q.from;
    meta_o.to        = f1_q.to;
    meta_o.joins     = f1_q.joins;
    meta_o.psh       = f1_q.psh;
    meta_o.again     = f1_q.again;
    meta_o.ask_id    = f1_q.ask_id;
    meta_o.resp      = f1_q.resp;
    meta_o.void_fpdu = 1'b0;
    meta_o.gen       = f1_q.gen;
    meta_o.edt       = f1_q.edt;
  end

  assign plan_valid_o = v1_q;
  assign wqe_o        = f1_q.wqe;
  assign idle_o       = !f_valid && !p_valid && !v1_q && !tpt_req_valid_o && first_q;

  logic unused;
  assign unused = ^{f1_q, lwords};

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
