// SPDX-License-Identifier: BSD-2-Clause

/// Send half of a visit: UNA, the peer's window (RFC 9293 3.10.7.4), what is timed, time-outs, probes of a closed
/// window (3.8.6.1), keep-alive (3.8.4), HOLD, FIN; what qp may send, and what it is asked for again. Cycles
/// count from the read of the record: in 4 the record changes, in 6 limits, deadlines and asks are made.
///
/// Loss: weft_tcp_rack says which hole is the first that is lost and was not asked for since. It is asked for at once, as far as
/// what is in flight (SND_MAX - UNA without what is SACKed or lost, RFC 6675 4 pipe) leaves room in the congestion window for
/// a segment; the first of a recovery always. One recovery, so one reaction of congestion control, lasts until what was out when
/// it began is acknowledged (RFC 6582); what was lost of what left since begins the next. Its answer is not acted on when it does not know yet
/// of the last ask. A peer without SACK: the first hole, by three duplicate ACKs (RFC 5681 3.2), once a round trip. A tail
/// loss probe (RFC 8985 7) asks for the last segment after two round trips without news. In a recovery of a peer with SACK it asks for the first
/// segment instead, once: when that was lost again behind all else that is out, nothing that left later can show it. Who keeps bytes ahead of turn
/// acknowledges at once what fills a gap (RFC 5681 4.2), so when something is SACKed there is no delay to wait for.
///
/// A peer that agreed on SACK, and whose duplicate ACKs have no block while nothing is SACKed, keeps nothing that comes ahead of turn
/// (RFC 2018 4 would have it reported), or does not know yet what it keeps (this card tells it when it lies in a ring). So the third of them,
/// or the first behind a tail loss probe, asks for one segment, in a recovery like any other; what weft_tcp_rack finds goes on from there: by blocks,
/// or, when that segment is acknowledged and nothing was reported, all that left before it. A peer that had nothing behind it keeps nothing, which is remembered (`none`)
/// until it reports something: then the third says that all that is out is lost. It is asked for from UNA on, and again, by as many, when something of that is lost.
///
/// What is SACKed lets as much new data leave (RFC 6675 5 (C)); with each ACK it is lowered by all that was acknowledged, until
/// weft_tcp_rack says how much it is.
///
/// A time-out asks from UNA on with a congestion window of one segment; each ACK in that recovery asks for what
/// the window allows, up to what was out (RFC 5681 3.1), but for what is SACKed since. With the window closed it asks for a byte, as a probe; who
/// answers those is not given up. Bytes that the slicer cut off at the limit are asked for when a segment fits, or
/// half of the largest window seen, or the time-out says so (RFC 9293 3.8.6.2.1), or what the segment that was cut can lack at most: MSS without what
/// left of it. (How much waits, that rule 2 wants to know, nobody knows here; each such ask ends a segment, so no more short ones leave than without it.
/// The window may never open by an MSS: it is rounded down by its scale.) Until qp has described them again it is told no limit behind SND_MAX;
/// what it had made by then departure lets go. An ask for them that ends in the middle of what was made leaves the rest cut off.
module weft_tcp_conn_snd #(
  parameter int unsigned MAX_RETRIES = 9,              ///< time-outs in a row before the connection is given up, 1 to 14
  parameter logic [47:0] KEEP_IDLE = 48'd7_031_250_000, ///< ticks; RFC 9293: 2 h or more
  parameter logic [47:0] KEEP_INTVL = 48'd73_242_188,   ///< ticks between probes: 75 s
  parameter int unsigned KEEP_PROBES = 9               ///< 1 to 14
) (
  input  logic                           clk_i,

  // cycle 3
  input  logic                           v3_i,
  input  weft_abi_pkg::home_snd_t        s3_i,
  input  weft_abi_pkg::home_tim_t        t3_i,
  input  logic [31:0]                    smax3_i,
  input  logic [47:0]                    now3_i,

  // cycle 4
  input  logic                           v4_i,
  input  weft_tcp_conn_pkg::act_t        act4_i,
  input  logic [15:0]                    arg4_i,
  input  weft_tcp_conn_pkg::seg_dec_t    dec4_i,
  input  logic [31:0]                    seq4_i,
  input  logic [31:0]                    ack4_i,
  input  logic                           ece4_i,     ///< ECE, and ECN is on
  input  logic                           sack4_i,    ///< SACK was agreed on
  input  logic                           words4_i,
  input  weft_tcp_conn_pkg::w_departed_t dep4_i,
  input  logic                           first4_i,
  input  logic [47:0]                    now4_i,
  input  logic [31:0]                    smax4_i,
  input  weft_tcp_conn_pkg::here_t       h4_i,
  input  weft_abi_pkg::home_snd_t        s4_i,
  input  weft_abi_pkg::home_tim_t        t4_i,
  input  weft_tcp_conn_pkg::rack_out_t   rk4_i,      ///< with act4_i.rack
  input  logic [258:0]                   sacks4_i,   ///< of the segment: number, blocks
  output weft_abi_pkg::home_snd_t        s4_o,
  output weft_abi_pkg::home_tim_t        t4_o,       ///< without what weft_tcp_conn_rtt changes
  output weft_tcp_conn_pkg::here_t       h4_o,
  output weft_tcp_conn_pkg::rack_work_t  work4_o,    ///< for weft_tcp_rack, when the visit ends
  output logic                           pin4_o,     ///< a pin is taken for its answer
  output weft_tcp_conn_pkg::cc_in_t      cc4_o,
  output logic                           sample4_o,
  output logic                           lone4_o,
  output logic                           restart4_o, ///< the retransmission timer starts anew
  output logic                           probe4_o,
  output logic                           force4_o,
  output logic                           tlp4_o,     ///< a tail loss probe is due
  output logic                           keep4_o,
  output logic                           tell4_o,    ///< qp hears of it whatever the limit

  // cycle 6
  input  logic                           restart6_i,
  input  logic                           probe6_i,
  input  logic                           force6_i,
  input  logic                           tlp6_i,
  input  logic                           tell6_i,
  input  logic                           save6_i,     ///< the connection leaves: qp is told nothing
  input  logic                           bare6_i,     ///< nobody holds a pin for this visit: asks wait for a timer
  input  logic                           returned6_i, ///< an ask is done
  input  logic                           sack6_i,
  input  logic [31:0]                    rto6_i,
  input  logic [31:0]                    pto6_i,
  input  logic [47:0]                    now6_i,
  input  logic [23:0]                    qpn6_i,
  input  logic [11:0]                    slot6_i,
  input  weft_tcp_conn_pkg::here_t       h6_i,
  input  weft_abi_pkg::home_snd_t        s6_i,
  input  weft_abi_pkg::home_tim_t        t6_i,
  output weft_abi_pkg::home_snd_t        s6_o,
  output weft_tcp_conn_pkg::here_t       h6_o,
  output logic                           asked6_o,   ///< the ask is one of a recovery
  output logic [47:0]                    rtx_at6_o,
  output logic                           pto6_o,
  output logic                           ask_out6_o,
  output logic                           ask6_o,
  output logic                           fin6_o,      ///< a FIN is to be sent, the first time or again: una is its offset
  output logic                           later6_o,    ///< an ask waits: the timer is to come at once
  output weft_dp_pkg::ask_t              ask_item6_o,
  output logic                           txack6_o,
  output weft_dp_pkg::txack_t            txack_item6_o,
  output logic [31:0]                    leave6_o    ///< bytes from UNA that departure may let leave
);

  localparam logic [1:0]  Heard   = 2'd3;     // of DUPS: no more of them count before something is acknowledged
  localparam logic [15:0] MinFpdu = 16'(weft_abi_pkg::FPDU_LEAST[15:0] + weft_abi_pkg::MARKER_BYTES[15:0]);

  // ---------------------------------------------------------------- 3: distances from UNA, what is due
  logic [31:0] out_q, ago_q, rttd_q, recd_q, lod_q, tlpd_q, una3;
  logic        shut_q, rtx_due_q, keep_due_q, reo_due_q;
  logic [31:0] wnd3;
  assign una3 = s3_i.una[31:0];
  assign wnd3 = s3_i.wnd_edge - una3;
  always_ff @(posedge clk_i) begin
    if (v3_i) begin
      out_q      <= smax3_i - una3;
      ago_q      <= now3_i[31:0] - t3_i.rtt_at;
      rttd_q     <= t3_i.rtt_end - una3;
      recd_q     <= s3_i.recover - una3;
      shut_q     <= wnd3[31] || wnd3 == '0;
      rtx_due_q  <= t3_i.rtx_at != '0 && t3_i.rtx_at <= now3_i;
      lod_q      <= t3_i.sack_lo - una3;
      tlpd_q     <= t3_i.tlp_end - una3;
      reo_due_q  <= t3_i.reo_at != '0 && t3_i.reo_at <= now3_i;
      keep_due_q <= t3_i.keep_at != '0 && t3_i.keep_at <= now3_i;
    end
  end

  // ---------------------------------------------------------------- 4: the record
  logic        take, news, rec_done, fire, keep_fire, rto, probe, force_s, give_up, open, lost_peer, ece;
  logic        d_new, d_again, d_cut, d_more, pto_due, tlp, tlp_loss, fast, past, third, dup, shut_dups, bare, enter;
  logic        unknown, learn, one;
  logic [31:0] moved, lo_rest, tlp_rest;
  logic [31:0] rtt_rest, rec_rest, una_new;
  assign open      = s4_i.state == weft_abi_pkg::TCP_STATE_OPEN;
  assign take      = dec4_i.vd == weft_tcp_conn_pkg::VdTake;
  assign news      = take && dec4_i.ack_new;
  assign rtt_rest  = dec4_i.acked - rttd_q;
  assign rec_rest  = dec4_i.acked - recd_q;
  assign rec_done  = news && !rec_rest[31];
  assign una_new   = s4_i.una[31:0] + (news ? dec4_i.acked : '0);
  assign pto_due   = act4_i.timer && open && rtx_due_q && t4_i.pto && out_q != '0 && !shut_q;
  // While weft_tcp_rack is to look again, that comes first (RFC 8985 8).
  assign tlp       = pto_due && t4_i.reo_at == '0;
  assign fire      = act4_i.timer && open && rtx_due_q && !pto_due;
  assign keep_fire = act4_i.timer && open && keep_due_q;
  assign probe     = fire && !give_up && (out_q != '0 || s4_i.cut) && shut_q;
  assign rto       = fire && !give_up && out_q != '0 && !shut_q;
  assign force_s   = fire && !give_up && out_q == '0 && s4_i.cut && !shut_q;
  assign give_up   = fire && s4_i.retries >= 4'(MAX_RETRIES);
  assign lost_peer = keep_fire && !s4_i.hold && s4_i.keep && out_q == '0 && s4_i.keep_n >= 4'(KEEP_PROBES);
  assign ece       = take && ece4_i && !s4_i.in_cwr && !s4_i.rto_rec && !s4_i.fast_rec && out_q != '0;
  assign d_new     = words4_i && dep4_i.v && dep4_i.fresh;
  assign d_again   = words4_i && dep4_i.v && dep4_i.again;
  assign d_cut     = words4_i && dep4_i.v && dep4_i.cut;
  assign d_more    = words4_i && dep4_i.v && dep4_i.more && h4_i.cut_ask;

  assign moved    = news ? dec4_i.acked : '0;
  assign lo_rest  = lod_q - moved;
  assign tlp_rest = moved - tlpd_q;
  assign past     = lo_rest[31] || lo_rest == '0;
  assign fast     = s4_i.fast_rec && !rec_done;
  // What was in flight goes on to be answered until something of the recovery arrives.
  assign shut_dups = s4_i.fast_rec && (!sack4_i || !h4_i.none || t4_i.dups == Heard);
  assign dup      = take && dec4_i.dup && out_q != '0 && !(sack4_i && (dec4_i.sack || h4_i.sacked != '0)) && !shut_dups && !s4_i.rto_rec
                    && s4_i.wnd_edge == s4_i.una[31:0] + dec4_i.wnd;
  // One duplicate behind a probe is enough, but not one that answers the probe itself (RFC 8985 7.4): then nothing was lost.
  assign third    = dup && (t4_i.dups == 2'd2 || (sack4_i && t4_i.tlp && tlpd_q != '0));
  // All that is known of the peer is its answer to the one segment. That is not timed, nor is what is new meanwhile, so rtt_at is when it was asked for.
  // What is heard sooner than a round trip answers the first copy, that was late.
  assign unknown  = sack4_i && s4_i.fast_rec && t4_i.dups == Heard && !h4_i.none;
  assign learn    = news && fast && unknown && h4_i.sacked == '0 && ago_q >= t4_i.min_rtt && dec4_i.acked <= 32'(s4_i.mss);
  assign one      = third && sack4_i && !h4_i.none;
  assign bare     = third && sack4_i && h4_i.none;
  // What weft_tcp_rack found, if it knows of all that was asked for.
  logic [31:0] rk_rest, rk_una, rk_dl, sacked, lost, rk_sacked, rk_lost;
  logic        rk, rk_fits, rk_says, rk_hole, rk_early;
  assign rk        = act4_i.rack_ok;
  assign rk_rest   = rk4_i.to - s4_i.una[31:0];
  assign rk_una    = s4_i.una[31:0] - rk4_i.una;
  assign rk_dl     = rk4_i.reo_at - now4_i[31:0];
  assign rk_early  = rk_dl[31];
  assign rk_fits   = rk && rk4_i.seq == h4_i.seq;
  // What the third duplicate ACK asks for it does not know to be lost.
  assign rk_says   = rk_fits && (rk_hole || !(unknown && h4_i.first));
  assign rk_hole   = rk_fits && rk4_i.hole && !rk_rest[31] && rk_rest != '0 && out_q != '0;
  // Lost in a recovery, sent after it began: the next one begins when this one ends.
  logic [31:0] rk_past;
  logic        rk_more, redo;
  assign rk_past   = rk4_i.to - s4_i.recover;
  assign rk_more   = rk_hole && (s4_i.fast_rec || s4_i.rto_rec) && !rk_past[31] && rk_past != '0;
  assign redo      = rec_done && h4_i.more && (s4_i.fast_rec || s4_i.rto_rec);
  assign rk_sacked = rk4_i.sacked < rk_una ? '0 : rk4_i.sacked - rk_una;
  assign rk_lost   = rk4_i.lost < rk_una ? '0 : rk4_i.lost - rk_una;
  assign sacked    = h4_i.sacked < moved ? '0 : h4_i.sacked - moved;
  assign lost      = h4_i.lost < moved ? '0 : h4_i.lost - moved;
  assign enter    = third || (rk_hole && open && !s4_i.fast_rec && !s4_i.rto_rec);
  assign tlp_loss = news && t4_i.tlp && !tlp_rest[31] && tlp_rest != '0 && !s4_i.fast_rec && !s4_i.rto_rec;

  logic [31:0] timed;
  assign timed      = dep4_i.stop - s4_i.una[31:0];
  assign sample4_o  = news && t4_i.rtt_on && !rtt_rest[31];
  assign lone4_o    = t4_i.rtt_lone && dec4_i.acked == out_q;
  assign restart4_o = news || fire || pto_due || enter || (t4_i.pto && (d_new || (d_again && s4_i.fast_rec)));
  assign tlp4_o     = tlp;
  assign probe4_o   = probe;
  assign force4_o   = force_s;
  assign keep4_o    = keep_fire && !s4_i.hold && s4_i.keep && out_q == '0 && !lost_peer;
  assign tell4_o    = act4_i.load || act4_i.set_state || news || give_up || lost_peer
                      || dec4_i.vd == weft_tcp_conn_pkg::VdReset;

  always_comb begin
    s4_o         = s4_i;
    t4_o         = t4_i;
    s4_o.snd_max = smax4_i;
    if (news) begin
      s4_o.una     = s4_i.una + 64'(dec4_i.acked);
      s4_o.backoff = '0;
      s4_o.retries = '0;
      if (rec_done) begin
        s4_o.rto_rec  = 1'b0;
        s4_o.fast_rec = 1'b0;
        s4_o.in_cwr   = 1'b0;
        if (s4_i.fast_rec) t4_o.tlp = 1'b0;
      end
      if (redo && dec4_i.acked != out_q) begin
        s4_o.fast_rec = 1'b1;
        s4_o.recover  = smax4_i;
      end
      if (s4_i.fin_sent && dec4_i.acked == out_q && !s4_i.fin_acked) begin
        s4_o.fin_acked                               = 1'b1;
        s4_o.events[weft_tcp_conn_pkg::EvAcked] = 1'b1;
      end
      if (sample4_o) t4_o.rtt_on = 1'b0;
    end
    if (take) begin
      if (shut_q) s4_o.retries = '0;
      s4_o.keep_n = '0;
      if (!s4_i.hold) t4_o.keep_at = s4_i.keep ? now4_i + KEEP_IDLE : '0;
      if (dec4_i.wnd_upd) begin
        s4_o.wnd_edge = una_new + dec4_i.wnd;
        s4_o.wl1      = seq4_i;
        s4_o.wl2      = ack4_i;
        if (dec4_i.wnd > s4_i.max_wnd) s4_o.max_wnd = dec4_i.wnd;
      end
      if (ece) begin
        s4_o.in_cwr  = 1'b1;
        s4_o.cwr     = 1'b1;
        s4_o.recover = smax4_i;
      end
    end
    if (take) begin
      if (news) t4_o.dups = '0;
      else if (dup) t4_o.dups = t4_i.dups + 2'd1;
      if (t4_i.tlp && (news ? !tlp_rest[31] && tlp_rest != '0 : dec4_i.dup && tlpd_q == '0)) t4_o.tlp = 1'b0;
      if (news && fast && !sack4_i) begin
        t4_o.hole    = 1'b1;
        t4_o.sack_lo = una_new + 32'(s4_i.mss);
      end else if (t4_i.hole && (past || rec_done)) begin
        t4_o.hole   = 1'b0;
      end
    end
    if (third) begin
      t4_o.hole    = 1'b1;
      t4_o.sack_lo = s4_i.una[31:0] + 32'(s4_i.mss);
      t4_o.dups    = sack4_i ? Heard : '0;
    end
    if (one) t4_o.rtt_at = now4_i[31:0];
    if (bare) begin
      t4_o.sack_lo = smax4_i;
      t4_o.reo_at  = '0;
      t4_o.tlp     = 1'b0;
    end
    if (act4_i.timer && reo_due_q) t4_o.reo_at = '0;
    if (rk) t4_o.reo_at = !rk4_i.reo ? '0 : rk_early ? now4_i : now4_i + 48'(rk_dl);
    if (rk_says) t4_o.hole = rk_hole;
    if (rk_says) t4_o.sack_lo = rk4_i.to;
    // A load knows of nothing that is lost, but after a time-out.
    if (act4_i.load && sack4_i) begin
      t4_o.hole   = 1'b0;
      t4_o.reo_at = '0;
    end
    if (enter || rk_says) s4_o.rtx_nxt = rk ? rk4_i.from : s4_i.una[31:0];
    if (enter) begin
      s4_o.fast_rec = 1'b1;
      s4_o.in_cwr   = 1'b0;
      s4_o.recover  = smax4_i;
      t4_o.rtt_on   = 1'b0;
      t4_o.tlp      = 1'b0;
    end
    if (tlp) begin
      t4_o.tlp     = 1'b1;
      t4_o.tlp_end = smax4_i;
      t4_o.rtt_on  = 1'b0;
    end
    if (dec4_i.vd == weft_tcp_conn_pkg::VdReset) begin
      s4_o.state                                   = weft_abi_pkg::TCP_STATE_DEAD;
      s4_o.events[weft_tcp_conn_pkg::EvReset] = 1'b1;
    end
    if (words4_i && dep4_i.v && dep4_i.cwr) s4_o.cwr = 1'b0;
    if (d_new) begin
      if (dep4_i.fin) s4_o.fin_sent = 1'b1;
      if (!t4_i.rtt_on && !timed[31] && timed != '0 && !d_again && !(unknown && h4_i.sacked == '0)) begin
        t4_o.rtt_on   = 1'b1;
        t4_o.rtt_lone = dep4_i.start == s4_i.una[31:0];
        t4_o.rtt_end  = dep4_i.stop;
        t4_o.rtt_at   = dep4_i.at;
      end
    end
    if (d_again) t4_o.rtt_on = 1'b0;
    if (d_cut || d_more) s4_o.cut = 1'b1;
    if (first4_i && s4_i.hold) begin
      s4_o.hold    = 1'b0;
      t4_o.keep_at = s4_i.keep ? now4_i + KEEP_IDLE : '0;
      // Whoever was told that it lasts is told that it is over.
      if (t4_i.keep_at == '0) s4_o.events[weft_tcp_conn_pkg::EvHoldOver] = 1'b1;
    end
    if (probe || rto || force_s) begin
      s4_o.retries = s4_i.retries + 4'd1;
      if (s4_i.backoff != 4'd15) s4_o.backoff = s4_i.backoff + 4'd1;
      t4_o.rtt_on  = 1'b0;
    end
    if (rto) begin
      s4_o.rto_rec  = 1'b1;
      s4_o.fast_rec = 1'b0;
      s4_o.in_cwr   = 1'b0;
      s4_o.recover  = smax4_i;
      s4_o.rtx_nxt  = s4_i.una[31:0];
      t4_o.hole     = sack4_i;  // all of it
      t4_o.sack_lo  = smax4_i;
      t4_o.reo_at   = '0;
      t4_o.tlp      = 1'b0;
      t4_o.dups     = '0;
    end
    if (keep_fire) begin
      t4_o.keep_at = s4_i.hold || !s4_i.keep ? '0 : out_q == '0 ? now4_i + KEEP_INTVL : now4_i + KEEP_IDLE;
      if (s4_i.hold) s4_o.events[weft_tcp_conn_pkg::EvHold] = 1'b1;
      else if (s4_i.keep && out_q == '0 && !lost_peer) s4_o.keep_n = s4_i.keep_n + 4'd1;
    end
    if (give_up || lost_peer) begin
      s4_o.state                                     = weft_abi_pkg::TCP_STATE_DEAD;
      s4_o.events[weft_tcp_conn_pkg::EvTimeout] = 1'b1;
    end
    if (act4_i.set_state && !arg4_i[5]) begin
      s4_o.state = arg4_i[1:0];
      if (arg4_i[4]) s4_o.gen = arg4_i[3:2];
    end
    if (act4_i.set_state && arg4_i[5] && s4_i.hold) begin
      s4_o.hold    = 1'b0;
      t4_o.keep_at = s4_i.keep ? now4_i + KEEP_IDLE : '0;
    end
    if (act4_i.close) s4_o.closing = 1'b1;
    if (act4_i.load && s4_i.keep && !s4_i.hold && t4_i.keep_at == '0) t4_o.keep_at = now4_i + KEEP_IDLE;
  end

  logic        done4, ends4;
  logic [31:0] cut_rest, span4;
  assign cut_rest = smax4_i - h4_i.cut_to;
  // The newest data ends where something was cut off, or an ask for that ended.
  assign span4 = dep4_i.stop - dep4_i.start;
  assign ends4 = (d_cut ? dep4_i.partly : (d_again || d_new) && cut_rest == '0) && dep4_i.stop == smax4_i && span4[31:16] == '0;
  assign pin4_o = work4_o.v && !act4_i.load && !h4_i.pin && (act4_i.seg || act4_i.timer || act4_i.cmd);
  assign done4 = words4_i && dep4_i.v && dep4_i.ask;
  always_comb begin
    h4_o        = h4_i;
    h4_o.sacked = sacked;
    h4_o.lost   = lost;
    if (rk) begin
      h4_o.sacked = rk_sacked;
      h4_o.act    = rk4_i.act;
    end
    if (rk_fits) h4_o.lost = rk_lost;
    if (rec_done || rto) h4_o.more = 1'b0;
    else if (rk_more) h4_o.more = 1'b1;
    if (enter) h4_o.first = 1'b1;
    if (pin4_o) h4_o.pin = 1'b1;
    // Described: what qp makes from now on comes behind it.
    if (done4) h4_o.cut_ask = 1'b0;
    if (act4_i.load) h4_o.edge_off = s4_i.una[31:0];
    h4_o.cut_part = (h4_i.cut_part || d_more) && !d_cut && !rto && cut_rest[31];
    if (ends4) h4_o.cut_left = span4[15:0];
    else if (d_cut) h4_o.cut_left = '0;
    if (rto || bare) begin
      h4_o.sacked = '0;
      h4_o.lost   = out_q;
    end
    if (rto || bare || one) begin
      h4_o.seq   = h4_i.seq + 2'd1;
      h4_o.first = 1'b1;
    end
    if (rk && rk_sacked != '0) h4_o.none = 1'b0;
    else if (learn) h4_o.none = 1'b1;
    work4_o        = '0;
    work4_o.load   = act4_i.load;
    work4_o.rto    = (rto && sack4_i) || bare;
    work4_o.leave  = news && rec_done && (s4_i.fast_rec || s4_i.rto_rec);
    {work4_o.n_sack, work4_o.sack} = sacks4_i;
    if (!take || !dec4_i.sack) work4_o.n_sack = '0;
    work4_o.v      = act4_i.load || (h4_i.live && sack4_i && ((take && dec4_i.sack) || rto || bare || one || done4 || (act4_i.timer && reo_due_q)
                     || (news && (h4_i.act || s4_i.fast_rec || s4_i.rto_rec || t4_i.hole))));
  end

  always_comb begin
    cc4_o        = '0;
    cc4_o.init   = act4_i.load;
    cc4_o.ack    = news && !s4_i.fast_rec;
    cc4_o.acked  = dec4_i.acked;
    cc4_o.flight = out_q;
    cc4_o.loss   = ece || enter || tlp_loss || redo;
    cc4_o.rto    = rto && s4_i.backoff == '0;
    cc4_o.again  = rto && s4_i.backoff != '0;
    cc4_o.leave  = s4_i.fast_rec && rec_done;
    cc4_o.mss    = s4_i.mss;
    cc4_o.srtt   = t4_i.srtt;
  end

  // ---------------------------------------------------------------- 6: limits, asks, the timer
  logic [31:0] una6, wrem6, flight6, q6, goal6, nxt6, recd6, free6, least6, lod6, hole6, last6, fpdu6;
  logic [31:0] fit6, base6, lim6;
  logic [15:0] lack6;
  logic        open6, out6, only6, want6, more6, rest6, cut6;
  logic [47:0] later6;
  assign una6    = s6_i.una[31:0];
  assign open6   = s6_i.state == weft_abi_pkg::TCP_STATE_OPEN;
  assign wrem6   = s6_i.wnd_edge - una6;
  assign flight6 = s6_i.snd_max - una6;
  // What was sent may be sent again, whatever the congestion window: asks are measured.
  logic [31:0] cw6, least_cw6, room6, nxtc6, left6, want_n6, most6;
  logic        fits6;
  assign cw6       = s6_i.cwnd + h6_i.sacked;
  assign least_cw6 = sack6_i && cw6 < flight6 ? flight6 : cw6;
  assign lim6      = s6_i.hold || !open6 || wrem6[31] ? '0 : wrem6 < least_cw6 ? wrem6 : least_cw6;
  // What was made under a larger congestion window leaves: in front of the wire it counts as in flight, as packets do in the queue of a host's
  // device. To be let go and made again would cost a round trip to the host for each loss. Not behind a time-out.
  logic [31:0] edge6;
  assign edge6     = h6_i.edge_off - una6;
  assign leave6_o  = s6_i.hold || !open6 || s6_i.rto_rec || wrem6[31] || edge6[31] || edge6 < lim6 ? lim6 : edge6 < wrem6 ? edge6 : wrem6;
  assign room6     = cw6 + h6_i.lost - flight6;
  // With nothing in flight one FPDU, at least the smallest that qp makes; what does not fit is cut off.
  assign fpdu6   = s6_i.mss < MinFpdu ? 32'(MinFpdu) : 32'(s6_i.mss);
  assign fit6    = open6 && !s6_i.hold && flight6 == '0 && lim6 < fpdu6 ? fpdu6 : lim6;
  // qp makes nothing behind what was cut off: that would come before it.
  assign q6      = (s6_i.cut || h6_i.cut_ask) && flight6 < fit6 ? flight6 : fit6;
  assign recd6   = s6_i.recover - una6;
  // As far as it is asked: all that was out at a time-out, or the first hole.
  assign lod6    = t6_i.sack_lo - una6;
  assign hole6   = s6_i.rto_rec && !sack6_i ? recd6 : lod6 < flight6 ? lod6 : flight6;
  assign nxtc6   = nxt6[31] ? '0 : nxt6;
  assign left6   = hole6 - nxtc6;
  assign want_n6 = left6 < 32'(s6_i.mss) ? left6 : 32'(s6_i.mss);
  assign fits6   = h6_i.first || (!room6[31] && room6 >= want_n6);
  assign most6   = nxtc6 + (room6[31] || room6 < want_n6 ? want_n6 : room6);
  assign goal6   = sack6_i && most6 < hole6 && most6 < lim6 ? most6 : hole6 < lim6 ? hole6 : lim6;
  assign nxt6    = s6_i.rtx_nxt - una6;
  // What was asked for before need not have left yet.
  assign base6   = h6_i.cut_part ? h6_i.cut_to - una6 : flight6;
  assign free6   = lim6 - base6;
  assign lack6   = h6_i.cut_left < s6_i.mss ? s6_i.mss - h6_i.cut_left : s6_i.mss;
  assign least6  = 32'(s6_i.max_wnd[31:1]) < 32'(lack6) ? 32'(s6_i.max_wnd[31:1]) : 32'(lack6);
  assign out6    = h6_i.ask_out && !returned6_i;
  assign last6   = flight6 < 32'(s6_i.mss) ? flight6 : 32'(s6_i.mss);
  assign rest6   = (sack6_i ? (s6_i.rto_rec || s6_i.fast_rec) && t6_i.hole && !lod6[31] && fits6
                             : s6_i.rto_rec || (s6_i.fast_rec && t6_i.hole && !lod6[31])) && (nxt6[31] || nxt6 < goal6) && goal6 != '0;
  assign cut6    = s6_i.cut && !free6[31] && free6 != '0 && (free6 >= least6 || force6_i);
  assign want6   = open6 && !out6 && (probe6_i || tlp6_i || rest6 || cut6) && !only6;
  // FIN comes behind all that is acknowledged, so it is alone in flight. It is no byte that qp could make again.
  assign only6   = s6_i.fin_sent && flight6 != '0;
  assign fin6_o  = open6 && !s6_i.hold && ((s6_i.closing && !s6_i.fin_sent && flight6 == '0 && !s6_i.cut && !h6_i.cut_ask && !out6)
                   || (only6 && (probe6_i || tlp6_i || rest6)));
  assign more6   = want6 && !bare6_i;
  assign later6_o = want6 && bare6_i;
  assign later6  = now6_i + 48'(pto_ok6 ? pto6_i : rto6_i);

  always_comb begin
    s6_o               = s6_i;
    h6_o               = h6_i;
    h6_o.edge_off      = una6 + leave6_o;
    ask_item6_o        = '0;
    ask_item6_o.who    = {qpn6_i, slot6_i};
    ask_item6_o.probe  = probe6_i || tlp6_i;
    ask_item6_o.from   = s6_i.una;
    ask_item6_o.to     = s6_i.una + 64'(goal6);
    if (probe6_i) ask_item6_o.to = s6_i.una + 64'd1;
    else if (tlp6_i) begin
      ask_item6_o.from = s6_i.fast_rec ? s6_i.una : s6_i.una + 64'(flight6) - 64'(last6);
      ask_item6_o.to   = s6_i.una + 64'(s6_i.fast_rec ? last6 : flight6);
    end else if (rest6) ask_item6_o.from = s6_i.una + (nxt6[31] ? '0 : 64'(nxt6));
    else begin
      ask_item6_o.from = s6_i.una + 64'(base6);
      ask_item6_o.to   = s6_i.una + 64'(lim6);
    end
    if ((more6 || (only6 && rest6)) && !probe6_i && !tlp6_i) begin
      if (rest6) begin
        s6_o.rtx_nxt = una6 + goal6;
        h6_o.lost    = h6_i.lost < goal6 - nxtc6 ? '0 : h6_i.lost - (goal6 - nxtc6);
        h6_o.first   = 1'b0;
        if (more6) h6_o.seq = h6_i.seq + 2'd1;
      end else begin
        s6_o.cut      = 1'b0;
        h6_o.cut_ask  = 1'b1;
        h6_o.cut_part = 1'b0;
        h6_o.cut_to   = una6 + lim6;
        h6_o.cut_left = '0;
      end
    end
  end
  assign ask6_o     = more6;
  assign asked6_o   = more6 && rest6 && !probe6_i && !tlp6_i && sack6_i;
  assign ask_out6_o = out6 || more6;
  logic pto_ok6, off6, start6;
  assign pto_ok6   = flight6 != '0 && !s6_i.rto_rec && (!s6_i.fast_rec || sack6_i) && t6_i.rtt_seen && !t6_i.tlp && s6_i.backoff == '0
                     && !wrem6[31] && wrem6 != '0;
  assign off6      = !open6 || (flight6 == '0 && !s6_i.cut);
  assign start6    = restart6_i || t6_i.rtx_at == '0;
  assign rtx_at6_o = off6 ? '0 : start6 ? later6 : t6_i.rtx_at;
  assign pto6_o    = !off6 && (start6 ? pto_ok6 : t6_i.pto);

  always_comb begin
    txack_item6_o       = '0;
    txack_item6_o.who   = {qpn6_i, slot6_i};
    txack_item6_o.una   = s6_i.una;
    txack_item6_o.limit = s6_i.una + 64'(q6);
    txack_item6_o.mss   = s6_i.mss;
    txack_item6_o.dead  = s6_i.state == weft_abi_pkg::TCP_STATE_DEAD;
  end
  assign txack6_o = !save6_i && (tell6_i || una6 + q6 != h6_i.limit);

  logic unused;
  assign unused = ^{v4_i, rk4_i.qpn, act4_i, s3_i, t3_i, dec4_i, dep4_i, h4_i, h6_i, t6_i, arg4_i, rtt_rest[30:0], rec_rest[30:0], tlp_rest, cut_rest[30:0]};

endmodule
