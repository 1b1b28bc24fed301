// SPDX-License-Identifier: BSD-2-Clause

/// MPA framing (RFC 5044 4), without the CRC's value: takes an FPDU's plan and, when all of its
/// payload is there, its rows; gives beats of header, payload, pad, a zero CRC field, and markers.
/// A beat a cycle, the next FPDU's first beat right behind; two cycles from a row to its beat.
/// Never waits inside: a beat is begun when `credit_i` says that the queue behind has room.
///
/// A void FPDU is one beat without bytes, with `out_void_o` and why; its rows and packets are let
/// go.
///
/// A beat takes one row: a word of payload goes to the lane (word + sh) mod K, where sh counts the
/// words in front of it, header and markers, modulo K; those that do not fit wait in `prev_q`. A
/// marker makes sh one more; when that completes a beat, the row of this beat stays for the next
/// one.
module weft_mpa_frame #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1,
  localparam int unsigned K = DATA_W / 32,
  localparam int unsigned KW = $clog2(K)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    plan_valid_i,
  output logic                    plan_ready_o,
  input  weft_mpa_out_pkg::plan_t plan_i,
  input  logic                    status_valid_i,
  output logic                    status_ready_o,
  input  logic [3:0]              status_i,

  /// Rows of the ring (0) and of the packets (1: in-line, 2: values).
  input  logic [2:0]              row_valid_i,
  output logic [2:0]              row_ready_o,
  input  logic [3*DATA_W-1:0]     row_data_i,
  /// Packets that are whole; bit 0: in-line, bit 1: values. {over, beats, length} each.
  input  logic [1:0]              pkt_valid_i,
  output logic [1:0]              pkt_ready_o,
  input  logic [57:0]             pkt_i,

  input  logic                    credit_i,
  output logic                    begin_o,      ///< pulse: a beat is begun
  output logic                    out_valid_o,
  output logic [DATA_W-1:0]       out_data_o,
  output logic [CntW-1:0]         out_cnt_o,
  output logic                    out_first_o,
  output logic                    out_last_o,
  output logic                    out_void_o,
  output logic [3:0]              out_err_o,    ///< with void
  output logic                    out_crc_o,    ///< the FPDU has a CRC
  output logic                    crc_valid_o,  ///< the beat has words that the CRC covers
  output logic                    crc_last_o,   ///< the last of them
  output logic [KW-1:0]           crc_gap_o,    ///< words from there to the end of a beat

  output logic                    idle_o
);

  // ------------------------------------------------ may it begin, and what is wrong with it
  weft_mpa_out_pkg::plan_t e;
  logic        first_q, drain_q, known, wrong, is_void, is_pkt, sel_over, pk_valid;
  logic [28:0] pk;
  logic [3:0]  err;

  assign e        = plan_i;
  assign is_pkt   = e.pkt != weft_mpa_out_pkg::PktNone;
  assign pk       = e.pkt == weft_mpa_out_pkg::PktValue ? pkt_i[57:29] : pkt_i[28:0];
  assign pk_valid = e.pkt == weft_mpa_out_pkg::PktValue ? pkt_valid_i[1] : pkt_valid_i[0];
  assign sel_over = pk[28];
  assign known    = plan_valid_i && (!e.mem || status_valid_i) && (!is_pkt || pk_valid);
  assign wrong    = e.bad || (is_pkt && (sel_over || pk[15:0] != e.len));
  assign is_void  = wrong || (e.mem && status_i != '0);
  assign err      = wrong ? weft_mpa_out_pkg::ErrPlan : status_i;

  // ------------------------------------------------ the beat whose turn it is
  logic [12:0]   tl_q, tl, dl_q, dl, take;     // words left: of all, of header, payload and pad
  logic [11:0]   rl_q, rl;                     // rows left
  logic [6:0]    ph_q, ph, to_mark;            // words since the last marker position
  logic [KW-1:0] sh_q, sh, mark_pos;
  logic [1:0]    skip_q, skip;                 // beats of header alone
  logic [2:0]    hl_q, hl;
  logic [159:0]  hd_q, hd;
  logic [13:0]   x_q, x, ptr;                  // words from ULPDU_Length on
  logic          mark, wrap, need, row_valid, fire, fire_void, last, done, ends;
  logic [1:0]    src;
  logic [DATA_W-1:0] row;

  assign tl   = first_q ? e.words : tl_q;
  assign dl   = first_q ? e.dwords : dl_q;
  assign rl   = first_q ? e.rows : rl_q;
  assign ph   = first_q ? e.phase : ph_q;
  assign sh   = first_q ? KW'(e.hw) : sh_q;
  assign skip = first_q ? 2'(4'(e.hw) >> KW) : skip_q;
  assign hl   = first_q ? e.hw : hl_q;
  assign hd   = first_q ? e.head : hd_q;
  assign x    = x_q;

  assign to_mark  = 7'd0 - ph;
  assign mark_pos = to_mark[KW-1:0];
  // One behind the CRC belongs to the next FPDU: it lies behind the last lane that is sent.
  assign mark     = e.markers && to_mark < 7'(K);
  assign wrap     = mark && sh == KW'(K - 1);
  assign need     = !wrap && skip == '0 && rl != '0;
  // A marker in front of ULPDU_Length points to 0, and those behind it do not count it.
  assign ptr      = (first_q && mark_pos == '0) ? 14'd0 :
                    (first_q ? 14'd0 : x) + 14'(mark_pos);
  assign take     = 13'(K) - 13'(mark);
  assign last     = tl <= 13'(K);
  assign ends     = dl <= 13'(K);

  assign src       = e.pkt;
  assign row_valid = src == 2'd0 ? row_valid_i[0] : src == 2'd1 ? row_valid_i[1] : row_valid_i[2];
  assign row       = src == 2'd0 ? row_data_i[DATA_W-1:0] :
                     src == 2'd1 ? row_data_i[2*DATA_W-1:DATA_W] : row_data_i[3*DATA_W-1:2*DATA_W];

  assign fire      = known && !drain_q && !e.drop && !is_void && credit_i && (!need || row_valid);
  assign fire_void = known && !drain_q && !e.drop && is_void && credit_i;
  assign begin_o   = fire || fire_void;

  // ------------------------------------------------ what is let go
  logic [11:0] rows_go_q, beats_go_q;
  logic        rows_pop, beats_pop;
  assign rows_pop  = drain_q && rows_go_q != '0 && row_valid_i[0];
  assign beats_pop = drain_q && beats_go_q != '0 && row_valid;
  assign done      = (fire && last) || (drain_q && rows_go_q == '0 && beats_go_q == '0);

  assign row_ready_o[0] = (fire && need && src == 2'd0) || rows_pop;
  assign row_ready_o[1] = ((fire && need) || beats_pop) && src == 2'd1;
  assign row_ready_o[2] = ((fire && need) || beats_pop) && src == 2'd2;
  assign plan_ready_o   = done;
  assign status_ready_o = done && e.mem;
  assign pkt_ready_o    = {done && src == 2'd2, done && src == 2'd1};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b1;
      drain_q <= 1'b0;
    end else begin
      if (fire) first_q <= last;
      if (drain_q) drain_q <= !done;
      else drain_q <= fire_void || (known && e.drop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (fire) begin
      tl_q   <= tl - 13'(K);
      dl_q   <= dl > take ? dl - take : '0;
      rl_q   <= rl - 12'(need);
      ph_q   <= ph + 7'(K);
      sh_q   <= sh + KW'(mark);
      skip_q <= skip - 2'(skip != '0 && !wrap);
      hl_q   <= 13'(hl) > take ? hl - 3'(take) : '0;
      hd_q   <= mark ? (hd >> (32 * (K - 1))) : (hd >> (32 * K));
      x_q    <= (first_q ? ((mark && mark_pos == '0) ? 14'h3fff : 14'd0) : x) + 14'(K);
    end
    if (!drain_q) begin
      rows_go_q  <= e.mem ? e.rows : '0;
      beats_go_q <= is_pkt ? pk[27:16] : '0;
    end else begin
      if (rows_pop) rows_go_q <= rows_go_q - 1'b1;
      if (beats_pop) beats_go_q <= beats_go_q - 1'b1;
    end
  end

  // ------------------------------------------------ turn the row
  logic [DATA_W-1:0] prev_q, mixed, turned_q;
  always_comb begin
    mixed = 'x;
    if (fire) begin
      for (int unsigned i = 0; i < K; i++) begin
        mixed[32*i+:32] = (32'(i) + 32'(sh) < K) ? row[32*i+:32] : prev_q[32*i+:32];
      end
    end
  end

  logic          v1_q, v2_q, void1_q, last1_q, first1_q, mark1_q, ends1_q, crc1_q, cv1_q, cl1_q;
  logic [1:0]    pad1_q;
  logic [3:0]    err1_q;
  logic [KW:0]   dw1_q, words1_q;
  logic [KW-1:0] mark_pos1_q, gap1_q;
  logic [13:0]   ptr1_q;
  logic [159:0]  hd1_q;
  logic [2:0]    hl1_q;
  logic [1:0]    tail1_q, pad;
  assign pad = 2'd0 - e.len[1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q <= 1'b0;
      v2_q <= 1'b0;
    end else begin
      v1_q <= begin_o;
      v2_q <= v1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (fire && need) prev_q <= row;
    if (fire) begin
      for (int unsigned j = 0; j < K; j++) begin
        turned_q[32*j+:32] <= mixed[32*((j + K - 32'(sh)) % K)+:32];
      end
    end
    if (begin_o) begin
      void1_q     <= fire_void;
      err1_q      <= err;
      first1_q    <= first_q;
      last1_q     <= last || fire_void;
      mark1_q     <= mark;
      mark_pos1_q <= mark_pos;
      ptr1_q      <= ptr;
      hd1_q       <= hd;
      hl1_q       <= hl;
      ends1_q     <= ends;
      dw1_q       <= ends ? dl[KW:0] : (KW + 1)'(K);
      words1_q    <= fire_void ? '0 : last ? tl[KW:0] : (KW + 1)'(K);
      tail1_q     <= e.len[1:0];
      pad1_q      <= (e.raw && last && !fire_void) ? pad : 2'd0;
      crc1_q      <= e.crc;
      cv1_q       <= fire && e.crc && tl != 13'd1;
      cl1_q       <= tl <= 13'(K + 1);
      gap1_q      <= KW'(1) - e.words[KW-1:0];
    end
  end

  weft_mpa_lanes #(.DATA_W(DATA_W)) u_lanes (
    .clk_i, .in_valid_i(v1_q), .in_data_i(turned_q), .in_head_i(hd1_q), .in_hw_i(hl1_q),
    .in_dwords_i(dw1_q), .in_end_i(ends1_q), .in_tail_i(tail1_q), .in_mark_i(mark1_q),
    .in_mark_pos_i(mark_pos1_q), .in_ptr_i(ptr1_q), .out_data_o
  );

  always_ff @(posedge clk_i) begin
    if (v1_q) begin
      // Raw bytes end where they end.
      out_cnt_o   <= CntW'({words1_q, 2'd0}) - CntW'(pad1_q);
      out_first_o <= first1_q;
      out_last_o  <= last1_q;
      out_void_o  <= void1_q;
      out_err_o   <= err1_q;
      out_crc_o   <= crc1_q && !void1_q;
      crc_last_o  <= cl1_q;
      crc_gap_o   <= gap1_q;
    end
  end

  logic cv2_q;
  always_ff @(posedge clk_i) cv2_q <= cv1_q;
  assign out_valid_o = v2_q;
  assign crc_valid_o = v2_q && cv2_q;
  assign idle_o      = !plan_valid_i && !v1_q && !v2_q;

endmodule
