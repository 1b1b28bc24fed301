// SPDX-License-Identifier: BSD-2-Clause

/// Receive half of a visit: RCV_NXT, what is committed, the window's right edge, TS.Recent, ECN, ranges for SACK,
/// and whether an ACK is due (RFC 9293 3.8.6.3, RFC 5681 4.2, RFC 2018, RFC 7323 4.3, RFC 3168 6.1.3).
///
/// Cycles count from the read of the record: differences and comparisons of words in 1 and 2, what they mean in 3;
/// in 4 the record changes, in 5 and 6 the ranges and the ACK.
///
/// An ACK is due at once for what the peer must learn (a repeat, a gap or its end, FIN, a challenge, a message that
/// ended), when two segments' worth of bytes is committed and not acknowledged, when the window has opened by two
/// segments (by one if it was closed); else ACK_DELAY after the first. One ACK of a connection is under way at a time;
/// what is due meanwhile is remembered. The ACK that opened a closed window may be lost, and nothing repeats it: who sends what the old window still
/// let him, less than two segments, would wait for ACK_DELAY with an open window. So the first bytes behind it are acknowledged at once.
///
/// Blocks: the range that changed last first (RFC 2018 4); in front of them what came again, if it was committed before, so that the ACK is not in front
/// of its end (RFC 2883 4). What comes again of what is accepted and not committed, or of ranges ahead of turn, is not reported.
module weft_tcp_conn_rcv #(
  parameter int unsigned ACK_DELAY = 488,   ///< ticks; RFC 9293: below 0.5 s
  parameter int unsigned CHALLENGES = 8     ///< challenge ACKs of a connection in 67 ms, 1 to 15
) (
  input  logic                         clk_i,

  // cycle 1
  input  logic                         v1_i,
  input  logic                         words_i,   ///< this visit looks at the words
  input  weft_tcp_conn_pkg::words_t    w_i,
  input  weft_abi_pkg::home_rcv_t      r1_i,
  input  weft_tcp_conn_pkg::here_t     h1_i,
  input  logic                         v2_i,      ///< an item is at stage 2
  input  logic                         v3_i,

  // cycle 4: the record as it is, and as it becomes
  input  logic                         v4_i,
  input  logic [63:0]                  now4_i,
  input  weft_tcp_conn_pkg::seg_dec_t  dec_i,
  input  logic                         ce_i,      ///< congestion was experienced, and ECN is on
  input  logic                         cwr_i,
  input  logic [31:0]                  ts_val_i,
  input  logic [31:0]                  seq_i,
  input  logic                         sack_i,    ///< agreed on
  input  logic                         ask_ack_i, ///< OpAck
  input  logic                         deaf_i,    ///< OpSetState: nobody looks at the stream any more
  input  logic                         timer_i,   ///< the item is a timer
  input  logic [47:0]                  ack_at4_i,
  input  weft_tcp_conn_pkg::w_departed_t dep4_i,
  input  logic                         words4_i,
  input  weft_abi_pkg::home_rcv_t      r4_i,
  input  weft_tcp_conn_pkg::here_t     h4_i,
  output weft_abi_pkg::home_rcv_t      r4_o,
  output logic                         first4_o,  ///< the first FPDU is committed

  // cycle 5
  input  logic                         closing5_i,  ///< this side's FIN is asked for
  output logic                         here5_o,   ///< FIN is next in order for the first time
  output logic                         fin5_o,    ///< ... firmware is told of it now

  // cycle 6
  input  logic                         v5_i,
  input  logic                         open6_i,
  input  logic                         keep6_i,   ///< a keep-alive probe is due
  input  logic                         fin6_i,    ///< a FIN is to be sent
  input  logic                         save6_i,   ///< the connection leaves: what is due becomes a deadline of now
  input  logic [47:0]                  now6_i,
  input  logic [47:0]                  ack_at6_i,
  input  weft_abi_pkg::home_rcv_t      r6_i,
  input  weft_tcp_conn_pkg::here_t     h6_i,
  output logic                         need6_o,   ///< becomes NEED_ACK
  output logic                         ack_out6_o,
  output logic [47:0]                  ack_at6_o,
  output logic [2:0]                   n_sack6_o,
  output logic [255:0]                 sack6_o,
  output logic [49:0]                  ds6_o,     ///< ds, ds_due, ds_seq, ds_len of here_t
  output logic                         opened6_o, ///< of here_t
  output weft_tcp_conn_pkg::ackdue_t   due6_o
);

  // ---------------------------------------------------------------- 1 and 2: words
  typedef struct packed {
    logic        on, sack_news, gen_same;
    logic [31:0] cf, ct, cn, rd, uo, uc, af, al, ar, span;
    weft_tcp_conn_pkg::words_t w;
    logic [31:0] rcv_nxt, committed;
  } one_t;
  one_t a_q;
  always_ff @(posedge clk_i) begin
    if (words_i) begin
      a_q.sack_news <= w_i.ahead.v;
      a_q.gen_same  <= w_i.unaccept.v;
      a_q.cf        <= w_i.commit.from - r1_i.committed[31:0];
      a_q.ct        <= w_i.commit.to - r1_i.committed[31:0];
      a_q.cn        <= w_i.commit.now - r1_i.committed[31:0];
      a_q.rd        <= w_i.room.right - r1_i.right;
      a_q.uo        <= w_i.unaccept.off - r1_i.rcv_nxt;
      a_q.uc        <= w_i.unaccept.off - r1_i.committed[31:0];
      a_q.af        <= w_i.ahead.from - r1_i.committed[31:0];
      a_q.al        <= w_i.ahead.to - w_i.ahead.from;
      a_q.ar        <= r1_i.right - r1_i.committed[31:0];
      a_q.span      <= r1_i.rcv_nxt - r1_i.committed[31:0];
      a_q.w         <= w_i;
      a_q.rcv_nxt   <= r1_i.rcv_nxt;
      a_q.committed <= r1_i.committed[31:0];
    end
    a_q.on <= words_i;
  end

  weft_tcp_conn_pkg::rcv_dec_t b_d, b_q, c_q;
  always_comb begin
    b_d          = '0;
    b_d.commit   = a_q.w.commit.v && (a_q.cf[31] || a_q.cf == '0) && !a_q.ct[31] && a_q.ct != '0 && a_q.ct <= a_q.ar;
    b_d.now      = b_d.commit && !a_q.cn[31] && a_q.cn != '0;
    b_d.first    = a_q.w.commit.v && a_q.w.commit.first;
    b_d.fin      = a_q.w.commit.v && a_q.w.commit.fin;
    b_d.add      = a_q.ct;
    b_d.span     = a_q.span;
    b_d.room     = a_q.w.room.v && !a_q.rd[31] && a_q.rd != '0;
    b_d.right    = a_q.w.room.right;
    b_d.unaccept = a_q.gen_same;
    b_d.gen      = a_q.w.unaccept.gen;
    // Never behind what is committed, in this visit too, and never forward.
    b_d.back     = a_q.gen_same && a_q.uo[31];
    b_d.off      = a_q.uc[31] ? a_q.committed : a_q.w.unaccept.off;
    b_d.jump     = b_d.commit && (a_q.ct > a_q.span || (b_d.back && (a_q.uc[31] || a_q.ct > a_q.uc)));
    b_d.ahead    = a_q.sack_news && !a_q.gen_same && !a_q.af[31] && a_q.af != '0 && !a_q.al[31] && a_q.al != '0
                   && a_q.af <= a_q.ar;
    b_d.from     = a_q.w.ahead.from;
    b_d.to       = a_q.w.ahead.to;
    if (!a_q.on) begin
      b_d.commit   = 1'b0;
      b_d.now      = 1'b0;
      b_d.first    = 1'b0;
      b_d.fin      = 1'b0;
      b_d.jump     = 1'b0;
      b_d.room     = 1'b0;
      b_d.unaccept = 1'b0;
      b_d.back     = 1'b0;
      b_d.ahead    = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (v2_i) b_q <= b_d;
    if (v3_i) c_q <= b_q;
  end

  // ---------------------------------------------------------------- 1 to 3: the next range ahead of a deaf connection
  // What came ahead of turn was told to the peer, who does not send it again (RFC 2018 8: not before a time-out), and nobody is there who would
  // commit it. So it counts when what is accepted in order reaches it, and in any visit when it is reached already: what filled the hole was
  // accepted before the connection was deaf, or ran through another range. One a visit; the ACK that each makes due brings the next visit.
  logic              d1_q;
  logic [3:0]        dv1_q;
  logic [3:0][31:0]  dl1_q, de1_q;
  logic [1:0]        lo2, hi2, at2;
  logic [3:0]        ok2;
  logic              d2_v, d2_q, d3_q;
  logic [31:0]       nl2_q, ne2_q, nl3_q, ne3_q;
  always_ff @(posedge clk_i) begin
    d1_q <= v1_i && r1_i.deaf && h1_i.n_sack != '0;
    if (v1_i && r1_i.deaf && h1_i.n_sack != '0) begin
      for (int unsigned i = 0; i < 4; i++) begin
        dv1_q[i] <= 3'(i) < h1_i.n_sack;
        dl1_q[i] <= h1_i.sack[64*i+:32] - r1_i.rcv_nxt;
        de1_q[i] <= h1_i.sack[64*i+32+:32] - r1_i.rcv_nxt;
      end
    end
  end
  // The nearest, of those that end ahead.
  always_comb begin
    ok2 = '0;
    lo2 = 2'd0;
    hi2 = 2'd2;
    at2 = 2'd0;
    if (d1_q) begin
      for (int unsigned i = 0; i < 4; i++) ok2[i] = dv1_q[i] && !de1_q[i][31] && de1_q[i] != '0;
      lo2 = !ok2[0] || (ok2[1] && de1_q[1] < de1_q[0]) ? 2'd1 : 2'd0;
      hi2 = !ok2[2] || (ok2[3] && de1_q[3] < de1_q[2]) ? 2'd3 : 2'd2;
      at2 = !ok2[lo2] || (ok2[hi2] && de1_q[hi2] < de1_q[lo2]) ? hi2 : lo2;
    end
  end
  assign d2_v = ok2[at2];
  always_ff @(posedge clk_i) begin
    if (v2_i) begin
      d2_q <= d2_v;
      if (d2_v) begin
        nl2_q <= dl1_q[at2];
        ne2_q <= de1_q[at2];
      end
    end
    if (v3_i) begin
      d3_q <= d2_q;
      if (d2_q) begin
        nl3_q <= nl2_q;
        ne3_q <= ne2_q;
      end
    end
  end

  // ---------------------------------------------------------------- 4: the record
  logic [31:0] text, got;
  logic        chal, take;
  logic [15:0] tick;
  logic        need_d, grew_d, hole_d, deaf, text4, reach4;
  logic [31:0] grow;
  assign take  = dec_i.vd == weft_tcp_conn_pkg::VdTake;
  assign text  = 32'(dec_i.plen);
  assign text4 = take && dec_i.piece && !dec_i.ahead;
  // A deaf connection commits what it accepts; mpa and rdmap let it go. The window stays as wide as it is.
  assign deaf   = r4_i.deaf || deaf_i;
  assign got    = text4 ? text : '0;
  assign reach4 = r4_i.deaf && !r4_i.fin && d3_q && (nl3_q[31] || nl3_q <= got) && ne3_q > got;
  assign grow   = deaf_i && !r4_i.deaf ? c_q.span : r4_i.deaf ? (reach4 ? ne3_q : got) : c_q.commit ? c_q.add : '0;
  assign tick  = now4_i[41:26];
  assign chal  = dec_i.vd == weft_tcp_conn_pkg::VdChal && (r4_i.chal_at != tick || r4_i.chal_n < 4'(CHALLENGES));
  always_comb begin
    r4_o = r4_i;
    if (dec_i.vd == weft_tcp_conn_pkg::VdChal && chal) begin
      r4_o.chal_at = tick;
      r4_o.chal_n  = r4_i.chal_at != tick ? 4'd1 : r4_i.chal_n + 4'd1;
    end
    r4_o.deaf = deaf;
    if (text4 || reach4) begin
      r4_o.rcv_nxt = r4_i.rcv_nxt + (reach4 ? ne3_q : text);
      r4_o.fin     = text4 && dec_i.fin && !reach4;
    end
    if (take) begin
      if (dec_i.piece && dec_i.plen > r4_i.rmss) r4_o.rmss = dec_i.plen;
      if (dec_i.ts_upd) begin
        r4_o.ts_recent = ts_val_i;
        r4_o.ts_age    = now4_i[61:30];
      end
      if (dec_i.len && ce_i) r4_o.ece = 1'b1;
      else if (cwr_i) r4_o.ece = 1'b0;
    end
    r4_o.committed = r4_i.committed + 64'(grow);
    if (c_q.fin) r4_o.fin_end = 1'b1;
    if (c_q.unaccept) begin
      r4_o.gen = !c_q.gen;
      if (c_q.back && !deaf) begin
        r4_o.rcv_nxt = c_q.off;
        r4_o.fin     = 1'b0;
      end
    end
    if (c_q.jump && !deaf) r4_o.rcv_nxt = r4_i.committed[31:0] + c_q.add;
    if (deaf) r4_o.right = r4_i.right + grow;
    else if (c_q.room) r4_o.right = c_q.right;
    if (words4_i && dep4_i.v && dep4_i.said) begin
      r4_o.last_ack = dep4_i.acked;
      r4_o.adv      = dep4_i.right;
    end
  end
  assign first4_o = c_q.first;
  // Commits that a deaf connection does not count ask for nothing: they stay beyond what counts, and each ACK that leaves brings the next visit.
  assign need_d   = dec_i.vd == weft_tcp_conn_pkg::VdAck || chal || (c_q.now && !deaf) || ask_ack_i
                    || (take && dec_i.dup_ack)
                    || (timer_i && ack_at4_i != '0 && ack_at4_i <= now4_i[57:10]);
  assign grew_d   = grow != '0;
  assign hole_d   = grew_d && h4_i.n_sack != '0;

  // ---------------------------------------------------------------- 5: how much is not acknowledged
  logic                        pure5_q, pure6_q, need5_q, grew5_q, room5_q, ahead5_q, clear5_q, returned5_q, opened5_q, opens5;
  logic [31:0]                 from5_q, to5_q;
  weft_abi_pkg::home_rcv_t     r5_q;
  logic [255:0]                sack5_q;
  logic [2:0]                  n5_q;
  logic [48:0]                 ds5_q, ds6_q;
  always_ff @(posedge clk_i) begin
    if (v4_i) begin
      need5_q     <= need_d || hole_d;
      pure5_q     <= dec_i.vd == weft_tcp_conn_pkg::VdAck || chal || (take && dec_i.dup_ack);
      grew5_q     <= grew_d;
      opened5_q   <= h4_i.opened;
      room5_q     <= c_q.room;
      ahead5_q    <= c_q.ahead && sack_i;
      clear5_q    <= c_q.unaccept;
      from5_q     <= c_q.from;
      to5_q       <= c_q.to;
      returned5_q <= words4_i && dep4_i.v && dep4_i.ack;
      r5_q        <= r4_o;
      sack5_q     <= h4_i.sack;
      n5_q        <= h4_i.n_sack;
      ds5_q       <= {dec_i.again, seq_i, dec_i.old};
    end
  end
  logic [31:0] ack5, unacked5, gap5, shown5, rmss5, old5;
  logic        at_fin5;
  assign at_fin5  = r5_q.fin && r5_q.committed[31:0] == r5_q.rcv_nxt;
  // It is acknowledged as soon as it is next. Firmware, who closes then, is told when what waits in the receive ring was placed; who closes
  // himself does not wait for that, and of a stream that has ended nothing will be.
  assign here5_o  = at_fin5 && !r5_q.fin_here;
  assign fin5_o   = at_fin5 && !r5_q.fin_told && (r5_q.fin_end || r5_q.deaf || closing5_i);
  assign ack5     = r5_q.seq0 + r5_q.committed[31:0] + 32'(at_fin5);
  assign unacked5 = ack5 - r5_q.last_ack;
  assign gap5     = r5_q.seq0 + r5_q.right - r5_q.adv;
  assign shown5   = r5_q.adv - ack5;
  assign old5     = r5_q.seq0 + r5_q.committed[31:0] - ds5_q[47:16];
  assign opens5   = room5_q && !gap5[31] && gap5 >= rmss5 && (shown5[31] || shown5 < rmss5);
  assign rmss5    = r5_q.rmss == '0 ? 32'd536 : 32'(r5_q.rmss);
  logic [3:0] gone5, meets5, lower5, upper5;
  logic [3:0][31:0] l5, e5, dn5, df5, dt5, dl5, du5;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      l5[i]  = sack5_q[64*i+:32];
      e5[i]  = sack5_q[64*i+32+:32];
      dn5[i] = e5[i] - r5_q.committed[31:0];
      df5[i] = e5[i] - from5_q;
      dt5[i] = to5_q - l5[i];
      dl5[i] = l5[i] - from5_q;
      du5[i] = to5_q - e5[i];
      gone5[i]  = 3'(i) >= n5_q || clear5_q || dn5[i][31] || dn5[i] == '0;
      meets5[i] = ahead5_q && !df5[i][31] && !dt5[i][31];
      lower5[i] = dl5[i][31];
      upper5[i] = du5[i][31];
    end
  end

  // ---------------------------------------------------------------- 6: ACK and ranges
  logic             need6_q, returned6_q, late6_q, ahead6_q;
  logic [31:0]      from6_q, to6_q;
  logic [255:0]     sack6_q;
  logic [3:0]       keep6_q, lower6_q, upper6_q;
  always_ff @(posedge clk_i) begin
    if (v5_i) begin
      need6_q     <= need5_q || (grew5_q && (unacked5 >= 2 * rmss5 || at_fin5 || opened5_q)) || (room5_q && !gap5[31] && gap5 >= 2 * rmss5)
                     || opens5 || ahead5_q || here5_o;
      opened6_o   <= opens5 || (opened5_q && !grew5_q);
      returned6_q <= returned5_q;
      pure6_q     <= pure5_q;
      late6_q     <= unacked5 != '0;
      ahead6_q    <= ahead5_q;
      from6_q     <= from5_q;
      to6_q       <= to5_q;
      sack6_q     <= sack5_q;
      keep6_q     <= ~gone5 & ~meets5;
      lower6_q    <= ~gone5 & meets5 & lower5;
      upper6_q    <= ~gone5 & meets5 & upper5;
      ds6_q       <= {ds5_q[48] && !old5[31] && old5 != '0, ds5_q[47:16], old5 < 32'(ds5_q[15:0]) ? old5[15:0] : ds5_q[15:0]};
    end
  end

  logic due, out;
  assign out        = h6_i.ack_out && !returned6_q;
  assign due        = open6_i && (need6_q || r6_i.need_ack || keep6_i || fin6_i) && !out && !save6_i;
  assign due6_o     = {due, due && keep6_i, due && pure6_q && !keep6_i, due && fin6_i};
  assign need6_o    = open6_i && (need6_q || r6_i.need_ack) && !due;
  assign ack_out6_o = out || due;
  always_comb begin
    ack_at6_o = ack_at6_i;
    if (save6_i && need6_o) ack_at6_o = now6_i;
    else if (!late6_q || due || out || !open6_i) ack_at6_o = '0;
    else if (ack_at6_i == '0) ack_at6_o = now6_i + 48'(ACK_DELAY);
  end

  // A duplicate is reported by one ACK, the first that becomes due behind it.
  assign ds6_o = ds6_q[48] ? {1'b1, due, ds6_q[47:0]}
                 : {h6_i.ds && !(h6_i.ds_due && returned6_q), h6_i.ds_due || due, h6_i.ds_seq, h6_i.ds_len};

  // The new range, joined with those that it meets, comes first; what is left keeps its order.
  logic [31:0] left6, right6;
  always_comb begin
    left6  = from6_q;
    right6 = to6_q;
    for (int unsigned i = 0; i < 4; i++) begin
      if (lower6_q[i]) left6 = sack6_q[64*i+:32];
      if (upper6_q[i]) right6 = sack6_q[64*i+32+:32];
    end
  end
  always_comb begin
    sack6_o   = '0;
    n_sack6_o = '0;
    if (ahead6_q) begin
      sack6_o[63:0] = {right6, left6};
      n_sack6_o     = 3'd1;
    end
    for (int unsigned i = 0; i < 4; i++) begin
      if (keep6_q[i] && n_sack6_o < 3'd4) begin
        sack6_o[64*n_sack6_o[1:0]+:64] = sack6_q[64*i+:64];
        n_sack6_o                      = n_sack6_o + 3'd1;
      end
    end
  end

  logic unused;
  assign unused = ^{w_i, r1_i, h1_i, a_q, now4_i, dec_i, dep4_i, h4_i, r6_i, h6_i, r5_q, dl5, du5, df5, dt5, b_q, c_q};

endmodule
