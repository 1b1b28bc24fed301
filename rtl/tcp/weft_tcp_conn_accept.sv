// SPDX-License-Identifier: BSD-2-Clause

/// What becomes of a segment: key compare, then RFC 9293 3.10.7.4 with RFC 5961 (blind attacks) and RFC 7323 (PAWS)
/// in the order RST, SYN, timestamps, sequence number, ACK, text. Three cycles, a segment a cycle.
///
/// Where the RFCs leave a choice: a segment without text or FIN is also acceptable at the very right edge of
/// the window (its sender has filled the window, and its ACK counts); of one that finds the window closed the ACK part is
/// taken; what overlaps the window is taken and trimmed to it; a FIN ahead of turn is let go; a segment
/// without the timestamp that was agreed on is dropped and nothing else (RFC 7323 3.2).
module weft_tcp_conn_accept (
  input  logic                         clk_i,
  input  logic                         valid_i,    ///< a segment, its record and key
  input  weft_dp_pkg::rx_seg_t         seg_i,
  input  weft_abi_pkg::home_key_t      key_i,
  input  weft_abi_pkg::home_snd_t      s_i,
  input  weft_abi_pkg::home_rcv_t      r_i,
  input  logic [31:0]                  smax_i,     ///< SND_MAX as the slicer has it
  input  logic [33:0]                  now_i,      ///< now_ns / 2^30
  input  logic                         room_i,     ///< a piece may be made
  output weft_tcp_conn_pkg::seg_dec_t  dec_o       ///< three cycles later; VdNone without a segment
);

  localparam int unsigned Fin = 0, Syn = 1, Rst = 2, Ack = 4;
  localparam logic [31:0] Days24 = 32'd1_931_190;  // of now_ns / 2^30

  // ---------------------------------------------------------------- cycle 1: differences
  typedef struct packed {
    logic        open, len0, rst, syn, ack, fin, fin_rcvd, ts_on, ts, old, room, body, w_shift;
    logic [10:0] eq;
    logic [31:0] d;      // of the first byte from RCV.NXT
    logic [31:0] wnd;    // receive window
    logic [31:0] a;      // of the ACK field from SND.UNA
    logic [31:0] out;    // SND.MAX from SND.UNA
    logic [31:0] max_wnd;
    logic [31:0] tsd;    // TSval from TS.Recent
    logic [31:0] la;     // of the first byte from Last.ACK.sent
    logic [31:0] w1, w2;
    logic [31:0] seg_wnd;
    logic [15:0] len;
    logic [16:0] seglen;
    logic [7:0]  start;
    logic        sack, can_sack;
  } one_t;
  one_t        a_d, a_q;
  logic        v1_q, v2_q, v3_q;
  logic [31:0] age;
  logic [127:0] x_s, x_d;
  assign age = now_i[31:0] - r_i.ts_age;
  assign x_s = seg_i.saddr ^ key_i.peer_addr;
  assign x_d = seg_i.daddr ^ key_i.local_addr;

  always_comb begin
    a_d          = '0;
    a_d.open     = s_i.state == weft_abi_pkg::TCP_STATE_OPEN;
    a_d.len0     = seg_i.len == '0 && !seg_i.flags[Syn] && !seg_i.flags[Fin];
    a_d.rst      = seg_i.flags[Rst];
    a_d.syn      = seg_i.flags[Syn];
    a_d.ack      = seg_i.flags[Ack];
    a_d.fin      = seg_i.flags[Fin];
    a_d.fin_rcvd = r_i.fin;
    a_d.ts_on    = key_i.ts;
    a_d.ts       = seg_i.ts;
    a_d.old      = age >= Days24;
    a_d.room     = room_i;
    a_d.body     = seg_i.body;
    a_d.w_shift  = s_i.wscale;
    for (int unsigned i = 0; i < 4; i++) begin
      a_d.eq[i]   = x_s[32*i+:32] == '0;
      a_d.eq[4+i] = x_d[32*i+:32] == '0;
    end
    a_d.eq[8]    = seg_i.sport == key_i.peer_port && seg_i.ipv6 == key_i.ipv6;
    a_d.eq[9]    = seg_i.dport == key_i.local_port && seg_i.vlan == key_i.vlan;
    a_d.eq[10]   = !key_i.vlan || seg_i.vid == key_i.vid;
    a_d.d        = seg_i.seq - r_i.seq0 - r_i.rcv_nxt - 32'(r_i.fin);
    a_d.wnd      = r_i.fin ? '0 : r_i.right - r_i.rcv_nxt;
    a_d.a        = seg_i.ack - s_i.seq0 - s_i.una[31:0];
    a_d.out      = smax_i - s_i.una[31:0];
    a_d.max_wnd  = s_i.max_wnd;
    a_d.tsd      = seg_i.ts_val - r_i.ts_recent;
    a_d.la       = r_i.last_ack - seg_i.seq;
    a_d.w1       = seg_i.seq - s_i.wl1;
    a_d.w2       = seg_i.ack - s_i.wl2;
    a_d.seg_wnd  = s_i.wscale ? 32'(seg_i.wnd) << s_i.snd_shift : 32'(seg_i.wnd);
    a_d.len      = seg_i.len;
    a_d.seglen   = 17'(seg_i.len) + 17'(seg_i.flags[Syn]) + 17'(seg_i.flags[Fin]);
    a_d.start    = seg_i.start;
    a_d.sack     = key_i.sack && seg_i.n_sack != '0;
    a_d.can_sack = key_i.sack;
  end

  // ---------------------------------------------------------------- cycle 2: comparisons
  typedef struct packed {
    logic        hit, open, len0, rst, syn, ack, fin, ts_drop, ts_old, seq_ok, exact, in_wnd, ack_ok, shut, some;
    logic        ack_new, wnd_upd, ts_upd, room, ahead;
    logic [31:0] a, seg_wnd, pos, left;
    logic [15:0] cut, len, start;
    logic        dup, sack, again;
    logic [15:0] old;
  } two_t;
  two_t        b_d, b_q;
  logic [31:0] stop, room2, cut2;
  logic        neg;
  assign neg   = a_q.d[31];
  assign stop  = a_q.d + 32'(a_q.seglen);
  assign cut2  = neg ? -a_q.d : '0;
  assign room2 = neg ? a_q.wnd : a_q.wnd - a_q.d;

  always_comb begin
    b_d         = '0;
    b_d.hit     = a_q.eq == '1;
    b_d.open    = a_q.open;
    b_d.len0    = a_q.len0;
    b_d.rst     = a_q.rst;
    b_d.syn     = a_q.syn;
    b_d.ack     = a_q.ack;
    b_d.fin     = a_q.fin;
    b_d.ts_drop = a_q.ts_on && !a_q.ts;
    b_d.ts_old  = a_q.ts_on && a_q.ts && a_q.tsd[31] && !a_q.old;
    b_d.exact   = a_q.d == '0;
    b_d.in_wnd  = !neg && a_q.d < a_q.wnd;
    b_d.shut    = a_q.wnd == '0;
    b_d.seq_ok  = a_q.d == '0 || (a_q.len0 ? !neg && a_q.d <= a_q.wnd
                                           : (neg || a_q.d < a_q.wnd) && !stop[31] && stop != '0 && a_q.wnd != '0);
    b_d.ack_ok  = a_q.a[31] ? -a_q.a <= a_q.max_wnd : a_q.a <= a_q.out;
    b_d.ack_new = !a_q.a[31] && a_q.a != '0;
    b_d.wnd_upd = !a_q.a[31] && ((!a_q.w1[31] && a_q.w1 != '0) || (a_q.w1 == '0 && !a_q.w2[31]));
    b_d.ts_upd  = a_q.ts_on && a_q.ts && (!a_q.tsd[31] || a_q.old) && !a_q.la[31];
    b_d.room    = a_q.room && a_q.body;
    b_d.ahead   = !neg && a_q.d != '0;
    b_d.a       = a_q.a;
    b_d.seg_wnd = a_q.seg_wnd;
    b_d.pos     = neg ? '0 : a_q.d;
    b_d.left    = room2;
    b_d.some    = cut2 < 32'(a_q.len);
    b_d.cut     = cut2[15:0];
    b_d.len     = a_q.len;
    b_d.start   = 16'(a_q.start);
    b_d.dup     = a_q.a == '0 && a_q.len0;
    b_d.sack    = a_q.sack;
    b_d.again   = a_q.can_sack && neg && a_q.len != '0;
    b_d.old     = cut2 < 32'(a_q.len) ? cut2[15:0] : a_q.len;
  end

  // ---------------------------------------------------------------- cycle 3: verdict
  weft_tcp_conn_pkg::seg_dec_t c_d, c_q;
  logic [15:0]                 want, fits;
  logic                        whole, fin_in, text;
  assign want   = b_q.some ? b_q.len - b_q.cut : '0;
  assign whole  = 32'(want) <= b_q.left;
  assign fits   = whole ? want : b_q.left[15:0];
  assign fin_in = b_q.fin && !b_q.ahead && 32'(want) < b_q.left;
  assign text   = !b_q.shut && (fits != '0 || fin_in);

  always_comb begin
    c_d         = '0;
    c_d.ack_new = b_q.ack_new;
    c_d.wnd_upd = b_q.wnd_upd;
    c_d.ts_upd  = b_q.ts_upd;
    c_d.acked   = b_q.a;
    c_d.wnd     = b_q.seg_wnd;
    c_d.len     = !b_q.len0;
    c_d.ahead   = b_q.ahead;
    c_d.fin     = fin_in;
    c_d.pos     = b_q.pos;
    c_d.plen    = fits;
    c_d.start   = b_q.start + b_q.cut;
    c_d.dup     = b_q.dup;
    c_d.sack    = b_q.sack;
    c_d.old     = b_q.old;
    if (!b_q.hit) c_d.vd = weft_tcp_conn_pkg::VdFalse;
    else if (!b_q.open) c_d.vd = weft_tcp_conn_pkg::VdDrop;
    else if (b_q.rst) begin
      c_d.vd = b_q.exact ? weft_tcp_conn_pkg::VdReset
                         : b_q.in_wnd ? weft_tcp_conn_pkg::VdChal : weft_tcp_conn_pkg::VdDrop;
    end else if (b_q.syn) c_d.vd = weft_tcp_conn_pkg::VdChal;
    else if (b_q.ts_drop) c_d.vd = weft_tcp_conn_pkg::VdDrop;
    else if (b_q.ts_old || !b_q.seq_ok) begin
      c_d.vd = b_q.len0 ? weft_tcp_conn_pkg::VdChal : weft_tcp_conn_pkg::VdAck;
      c_d.again = b_q.again && !b_q.ts_old;
    end else if (!b_q.ack) c_d.vd = weft_tcp_conn_pkg::VdDrop;
    else if (!b_q.ack_ok) c_d.vd = weft_tcp_conn_pkg::VdChal;
    else begin
      c_d.vd      = weft_tcp_conn_pkg::VdTake;
      c_d.alive   = 1'b1;
      c_d.again   = b_q.again;
      c_d.piece   = text && b_q.room;
      c_d.lost    = !b_q.len0 && text && !b_q.room;
      // RFC 5681 4.2: whatever mpa makes of it, at once, unless all of it came in order and was taken.
      c_d.dup_ack = !b_q.len0 && (!text || !b_q.room || b_q.ahead || !whole || (b_q.fin && !fin_in));
    end
  end

  always_ff @(posedge clk_i) begin
    v1_q <= valid_i;
    v2_q <= v1_q;
    v3_q <= v2_q;
    if (valid_i) a_q <= a_d;
    if (v1_q) b_q <= b_d;
    if (v2_q) c_q <= c_d;
  end
  always_comb begin
    dec_o = c_q;
    if (!v3_q) begin
      dec_o.vd      = weft_tcp_conn_pkg::VdNone;
      dec_o.piece   = 1'b0;
      dec_o.alive   = 1'b0;
      dec_o.dup_ack = 1'b0;
      dec_o.lost    = 1'b0;
      dec_o.again   = 1'b0;
    end
  end

  // What of a segment and a home is looked at elsewhere, or not at all.
  logic unused;
  assign unused = ^{seg_i, key_i, s_i, r_i, now_i, a_q.w_shift, a_q.fin_rcvd, b_q.left};

endmodule
