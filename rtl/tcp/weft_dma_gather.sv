// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Gathers packets out of pieces: host memory read by DMA and two local streams. Pieces are given
/// in order; many reads are in flight, and a read is only asked for when the whole answer has room
/// in the answer buffer, so `rd_rsp_ready_o` is always high and no other client ever waits for us.
///
/// A piece of KindMem is cut at RD_MAX-aligned addresses, so that a long piece needs no more credit
/// than a short one and a read does not straddle pages needlessly.
///
/// Errors: a piece may carry an error code of its own (`cmd_code_i` not 0, no bytes); a failed read
/// has code BUS. The code of a packet's first failure is offered on `code_*`, one for each packet,
/// at the latest when the packet's last beat is offered; `out_err_o` is set there too. Bytes of a
/// packet with an error have no meaning, and their number is no larger than asked for. A piece of KindMem with
/// `cmd_whole_i` gives bytes only when the answer they came with is there to its end, so its packet has
/// bytes that were read, up to the first answer that failed, and none behind that.
module weft_dma_gather #(
  parameter int unsigned DATA_W = 64,    ///< 64, 128, 256 or 512
  parameter int unsigned RD_MAX = 4096,  ///< largest read in bytes, a power of two, 64 to 16384
  parameter int unsigned BUF_BYTES = 32768,  ///< answer buffer, a power of two, 2 * RD_MAX or more
  parameter int unsigned PIECES = 128,   ///< pieces in flight, a power of two
  parameter int unsigned CODE_W = 5,     ///< bits of an error code
  parameter logic [CODE_W-1:0] BUS = '1,  ///< code of a failed read
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  /// Pieces. kind: 0 nothing, 1 host memory (len 1 or more), 2 and 3 the next packet of s0, s1.
  input  logic              cmd_valid_i,
  output logic              cmd_ready_o,
  input  logic [1:0]        cmd_kind_i,
  input  logic              cmd_last_i,      ///< the piece ends the packet
  input  logic [63:0]       cmd_addr_i,
  input  logic [15:0]       cmd_len_i,
  input  logic              cmd_after_wr_i,
  input  logic              cmd_whole_i,     ///< the same for all pieces of a packet
  input  logic [CODE_W-1:0] cmd_code_i,      ///< 0: no error; else kind must be 0

  output logic                  rd_req_valid_o,
  input  logic                  rd_req_ready_i,
  output weft_pkg::dma_rd_req_t rd_req_o,
  input  logic                  rd_rsp_valid_i,
  output logic                  rd_rsp_ready_o,
  input  logic [DATA_W-1:0]     rd_rsp_data_i,
  input  logic [CntW-1:0]       rd_rsp_cnt_i,
  input  logic                  rd_rsp_last_i,
  input  logic                  rd_rsp_err_i,

  input  logic              s0_valid_i,
  output logic              s0_ready_o,
  input  logic [DATA_W-1:0] s0_data_i,
  input  logic [CntW-1:0]   s0_cnt_i,
  input  logic              s0_last_i,
  input  logic              s1_valid_i,
  output logic              s1_ready_o,
  input  logic [DATA_W-1:0] s1_data_i,
  input  logic [CntW-1:0]   s1_cnt_i,
  input  logic              s1_last_i,

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,   ///< lanes past cnt are not defined
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_err_o,
  output logic              code_valid_o,
  input  logic              code_ready_i,
  output logic [CODE_W-1:0] code_o,

  output logic              idle_o,
  output logic              stat_credit_stall_o  ///< a read waited for room in the answer buffer
);

  localparam int unsigned Bytes = DATA_W / 8;
  localparam int unsigned LaneW = $clog2(Bytes);
  localparam int unsigned Beats = BUF_BYTES / Bytes;
  localparam int unsigned CredW = $clog2(Beats) + 1;
  localparam int unsigned RdW = $clog2(RD_MAX);
  localparam int unsigned OrdW = 3 + 1 + CredW + CODE_W;
  localparam logic [1:0] KindMem = 2'd1;

  // ------------------------------------------------ stage A: the piece, cut
  logic              a_valid_q, a_last_q, a_wr_q, a_whole_q, a_fire, a_done;
  logic [1:0]        a_kind_q;
  logic [63:0]       a_addr_q;
  logic [15:0]       a_lenm1_q, a_chunkm1;  // bytes less one: sums need no second carry
  logic [16:0]       a_end;
  logic [CODE_W-1:0] a_code_q;

  assign a_end       = 17'(a_addr_q[RdW-1:0]) + 17'(a_lenm1_q);
  assign a_done      = a_kind_q != KindMem || a_end[16:RdW] == '0;
  assign a_chunkm1   = a_done ? a_lenm1_q : {{(16 - RdW){1'b0}}, ~a_addr_q[RdW-1:0]};
  assign cmd_ready_o = !a_valid_q || (a_fire && a_done);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) a_valid_q <= 1'b0;
    else if (cmd_ready_o) a_valid_q <= cmd_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (cmd_ready_o) begin
      a_kind_q  <= cmd_kind_i;
      a_last_q  <= cmd_last_i;
      a_wr_q    <= cmd_after_wr_i;
      a_whole_q <= cmd_whole_i;
      a_addr_q  <= cmd_addr_i;
      a_lenm1_q <= cmd_len_i - 16'd1;
      a_code_q  <= cmd_code_i;
    end else if (a_fire) begin
      a_addr_q  <= {a_addr_q[63:RdW] + 1'b1, {RdW{1'b0}}};
      a_lenm1_q <= 16'({a_end[16:RdW] - 1'b1, a_end[RdW-1:0]});
    end
  end

  // ------------------------------------------------ stage B: one read, waits for credit
  logic              b_valid_q, b_last_q, b_wr_q, b_whole_q, b_fire, b_mem, b_credit;
  logic [1:0]        b_kind_q;
  logic [63:0]       b_addr_q;
  logic [15:0]       b_len_q;
  logic [CredW-1:0]  b_beats_q, credit_q, ret, ret_q;
  logic [CODE_W-1:0] b_code_q;
  logic              ord_ready, req_ready;

  assign a_fire   = a_valid_q && (!b_valid_q || b_fire);
  assign b_mem    = b_kind_q == KindMem;
  assign b_credit = credit_q >= b_beats_q;
  assign b_fire   = b_valid_q && ord_ready && (!b_mem || (b_credit && req_ready));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      credit_q  <= CredW'(Beats);
      ret_q     <= '0;
    end else begin
      if (!b_valid_q || b_fire) b_valid_q <= a_valid_q;
      ret_q    <= ret;
      credit_q <= credit_q + ret_q - ((b_fire && b_mem) ? b_beats_q : '0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!b_valid_q || b_fire) begin
      b_kind_q  <= a_kind_q;
      b_last_q  <= a_last_q && a_done;
      b_wr_q    <= a_wr_q;
      b_whole_q <= a_whole_q;
      b_addr_q  <= a_addr_q;
      b_len_q   <= a_chunkm1 + 16'd1;
      b_code_q  <= a_code_q;
      b_beats_q <= CredW'(a_chunkm1 >> LaneW) + 1'b1;
    end
  end

  assign stat_credit_stall_o = b_valid_q && b_mem && !b_credit;

  weft_skid #(.W(81)) u_req (
    .clk_i, .rst_ni,
    .in_valid_i(b_fire && b_mem), .in_ready_o(req_ready), .in_data_i({b_wr_q, b_len_q, b_addr_q}),
    .out_valid_o(rd_req_valid_o), .out_ready_i(rd_req_ready_i), .out_data_o(rd_req_o)
  );

  // ------------------------------------------------ the order of pieces
  logic              o_valid, o_pop, o_last, o_whole;
  logic [1:0]        o_kind;
  logic [CredW-1:0]  o_beats;
  logic [CODE_W-1:0] o_code;

  weft_fifo #(.W(OrdW), .DEPTH(PIECES)) u_order (
    .clk_i, .rst_ni,
    .in_valid_i(b_fire), .in_ready_o(ord_ready),
    .in_data_i({b_whole_q, b_kind_q, b_last_q, b_beats_q, b_code_q}),
    .out_valid_o(o_valid), .out_ready_i(o_pop), .out_data_o({o_whole, o_kind, o_last, o_beats, o_code}),
    .count_o()
  );

  // ------------------------------------------------ answers
  logic              m_valid, m_ready, m_last, m_err, rsp_room;
  logic [DATA_W-1:0] m_data;
  logic [CntW-1:0]   m_cnt;

  assign rd_rsp_ready_o = 1'b1;
  weft_fifo #(.W(DATA_W + CntW + 2), .DEPTH(Beats)) u_buf (
    .clk_i, .rst_ni,
    .in_valid_i(rd_rsp_valid_i), .in_ready_o(rsp_room),
    .in_data_i({rd_rsp_err_i, rd_rsp_last_i, rd_rsp_cnt_i, rd_rsp_data_i}),
    .out_valid_o(m_valid), .out_ready_i(m_ready), .out_data_o({m_err, m_last, m_cnt, m_data}),
    .count_o()
  );

  // Answers that are there to their end, and whether they failed.
  logic              h_valid, h_err, h_room;
  weft_fifo #(.W(1), .DEPTH(PIECES)) u_whole (
    .clk_i, .rst_ni,
    .in_valid_i(rd_rsp_valid_i && rd_rsp_last_i), .in_ready_o(h_room), .in_data_i(rd_rsp_err_i),
    .out_valid_o(h_valid), .out_ready_i(m_valid && m_ready && m_last), .out_data_o(h_err), .count_o()
  );

  // An answer may be cut short by an error: what was set aside for the rest comes back with its end.
  logic [CredW-1:0] taken_q;
  assign ret = !(m_valid && m_ready) ? '0 : m_last ? o_beats - taken_q : CredW'(1);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= '0;
    else if (m_valid && m_ready) taken_q <= m_last ? '0 : taken_q + 1'b1;
  end

  // ------------------------------------------------ one beat of the piece whose turn it is
  logic              j_valid, j_last, j_err, j_ready, j_mute, g_ready, code_room, j_final;
  logic [DATA_W-1:0] j_data;
  logic [CntW-1:0]   j_cnt;
  logic [CODE_W-1:0] code_q, code_now;

  // The count of whole answers runs a cycle or two behind the beats of the last one; it is popped with its
  // last beat, so that beat waits for it in any case.
  logic h_known;
  assign h_known = h_valid || !(o_whole || m_last);

  always_comb begin
    j_data  = m_data;
    j_cnt   = m_cnt;
    j_last  = m_last;
    j_valid = o_valid;
    unique case (o_kind)
      2'd1: begin
        j_valid = o_valid && m_valid && h_known;
        if (o_whole && (code_q != '0 || h_err)) j_cnt = '0;
      end
      2'd2: begin
        j_data  = s0_data_i;
        j_cnt   = s0_cnt_i;
        j_last  = s0_last_i;
        j_valid = o_valid && s0_valid_i;
      end
      2'd3: begin
        j_data  = s1_data_i;
        j_cnt   = s1_cnt_i;
        j_last  = s1_last_i;
        j_valid = o_valid && s1_valid_i;
      end
      default: begin
        j_cnt  = '0;
        j_last = 1'b1;
      end
    endcase
  end

  assign j_mute     = o_kind == 2'd1 && o_whole && (code_q != '0 || h_err) && !j_final;
  assign j_final    = j_last && o_last;
  assign code_now   = code_q != '0 ? code_q : o_kind == 2'd1 ? ((m_err && m_last) ? BUS : '0) :
                      o_kind == 2'd0 ? o_code : '0;
  assign j_err      = j_final && code_now != '0;
  assign j_ready    = (g_ready || j_mute) && code_room;
  assign o_pop      = j_valid && j_ready && j_last;
  assign m_ready    = j_ready && o_valid && o_kind == 2'd1 && h_known;
  assign s0_ready_o = j_ready && o_valid && o_kind == 2'd2;
  assign s1_ready_o = j_ready && o_valid && o_kind == 2'd3;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) code_q <= '0;
    else if (j_valid && j_ready) code_q <= j_final ? '0 : code_now;
  end

  weft_fifo #(.W(CODE_W), .DEPTH(16)) u_code (
    .clk_i, .rst_ni,
    .in_valid_i(j_valid && g_ready && j_final), .in_ready_o(code_room), .in_data_i(code_now),
    .out_valid_o(code_valid_o), .out_ready_i(code_ready_i), .out_data_o(code_o), .count_o()
  );

  weft_stream_gather #(.DATA_W(DATA_W)) u_join (
    .clk_i, .rst_ni,
    .in_valid_i(j_valid && code_room && !j_mute), .in_ready_o(g_ready), .in_data_i(j_data), .in_cnt_i(j_cnt),
    .in_last_i(j_last), .in_err_i(j_err), .in_final_i(o_last),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_err_o
  );

  assign idle_o = !a_valid_q && !b_valid_q && !o_valid && !code_valid_o && !rd_req_valid_o;

`ifndef SYNTHESIS
  initial begin
    if (BUF_BYTES < 2 * RD_MAX || Beats < 4) $fatal(1, "weft_dma_gather: BUF_BYTES");
    if (RD_MAX < 64 || RD_MAX > 16384 || (RD_MAX & (RD_MAX - 1)) != 0) begin
      $fatal(1, "weft_dma_gather: RD_MAX");
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && rd_rsp_valid_i) assert (rsp_room && h_room);
  end
`else
  logic unused;
  assign unused = rsp_room ^ h_room;
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
