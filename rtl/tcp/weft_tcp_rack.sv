// SPDX-License-Identifier: BSD-2-Clause

/// Loss detection (RFC 8985 RACK, RFC 2018, RFC 2883): knows of each slot which bytes the peer has SACKed, which were sent again
/// and when, and when new data left; says what is lost. Beside the conn pipe: it is told words (weft_tcp_rack_in),
/// never makes anybody wait, and answers each `work` with one item. What it cannot do in time merges, so that loss is seen late, never
/// early.
///
/// **State of a slot**: up to 32 ranges [from, to), SACKed or sent again (with the time), and up to 32 marks {offset, time, span}:
/// new data before the offset had left by then, and what lies between two marks within the span before it (all ones: not known). One engine takes a slot at a time, an entry a cycle: a segment
/// that left costs 6 cycles, an ACK with B blocks over R ranges and M marks 16 + (B + 3) (R + 2) + 2 M at most. A full set of marks is
/// halved: two neighbours become one, with the later time.
///
/// **Asks** count as sent again when they are told (`asked`), and anew when they leave: so nothing is named twice while it is being
/// made, and what never leaves is found like what is lost.
///
/// **Detection**: new data leaves in order, so the newest of it that was delivered is the highest SACKed or acknowledged
/// offset (`fack`), and its time that of the mark over it. Of what was sent again, what is newly SACKed or acknowledged
/// counts as delivered, unless the answer came sooner than the smallest round trip (RFC 8985 6.2 step 2). The later
/// of both is RACK.xmit_ts, and its age when it was found, and the span, RACK.rtt. Lost is what left no later than that, lies before `fack` if in the same mark,
/// and is older than RACK.rtt plus the reordering window: of new data everything before an offset, the lost edge, which only
/// grows; of what was sent again, ranges one by one. Holes before the lost edge that were not asked for since are lost.
///
/// **Reordering window**: min_rtt / 4 times 1 to 15, 8 ticks at least and SRTT at most. It grows with a DSACK once a round trip and
/// falls back after 16 recoveries (RFC 8985 6.2 step 4). It is never 0: also before reordering was seen nothing is asked for that
/// is late by less.
///
/// While all 32 ranges are in use nothing behind the last of them is said to be lost: what is asked for there could not be noted.
///
/// A time-out (`rto`) forgets all ranges (RFC 2018 8) and makes everything lost up to `recover`. A load knows nothing
/// but that what is out had left by then: the home holds no ranges and no marks.
///
/// Not: RACK for peers without SACK; timestamps against ambiguity.
module weft_tcp_rack #(
  parameter int unsigned N_SLOT = 256,         ///< power of two, 4 to 4096
  parameter logic [31:0] REO_LEAST = 32'd8,    ///< ticks of 1,024 ns: what the clock can tell apart, and host and wire jitter
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  output logic                            ready_o,          ///< N_SLOT cycles behind the reset; nothing may come before
  input  logic [31:0]                     now_i,            ///< ticks

  input  logic                            departed_valid_i, ///< always taken
  input  weft_dp_pkg::departed_t          departed_i,
  input  logic                            conn_valid_i,     ///< always taken: the last stage of a visit
  input  logic [SlW-1:0]                  conn_slot_i,
  input  weft_tcp_conn_pkg::rack_conn_t   conn_i,
  input  weft_tcp_conn_pkg::rack_work_t   work_i,           ///< `v`: there is something to look at, and it is answered
  input  logic                            clr_i,            ///< a slot gets another connection: held until done
  input  logic [SlW-1:0]                  clr_slot_i,
  output logic                            clr_done_o,

  output logic                            out_valid_o,
  input  logic                            out_ready_i,
  output logic [SlW-1:0]                  out_slot_o,
  output weft_tcp_conn_pkg::rack_out_t    out_o,            ///< of works that came together, one

  output logic                            idle_o,
  output logic                            stat_lost_o,      ///< the lost edge moved over a hole, or what was sent again is lost
  output logic                            stat_dsack_o,
  output logic                            stat_halve_o,     ///< marks were merged
  output logic                            stat_forgot_o     ///< a range was forgotten
);

  typedef enum logic [3:0] {
    StIdle, StRead, StGet, StStart, StMark, StHalve, StCopy, StNext, StMerge, StTime, StLim, StEdge, StScan, StOut, StWrite
  } state_e;
  typedef struct packed {
    logic [5:0]  n;        // ranges
    logic [5:0]  n_mark;
    logic [4:0]  head;     // the oldest mark
    logic        on;       // ts and rtt are valid
    logic        round_on; // round is valid
    logic [3:0]  mult;     // of the reordering window
    logic [4:0]  keep;     // recoveries until it falls back
    logic [31:0] round;    // no DSACK counts before this is acknowledged
    logic [31:0] una;
    logic [31:0] le;       // lost edge
    logic [31:0] fack;
    logic [31:0] ts;       // RACK.xmit_ts
    logic [31:0] rtt;      // RACK.rtt
  } st_t;
  localparam int unsigned StW = 6 + 6 + 5 + 2 + 4 + 5 + 6 * 32;

  state_e                        state_q;
  logic [SlW-1:0]                slot_q;
  weft_tcp_conn_pkg::rack_conn_t cn, cn_q;
  weft_tcp_conn_pkg::rack_work_t wk, wk_q;
  weft_tcp_conn_pkg::rack_left_t lf, lf_q;
  st_t                           st, st_q;
  logic [31:0]                   now_q;

  function automatic logic lt(input logic [31:0] x, input logic [31:0] y);
    lt = x - y >= 32'h8000_0000;
  endfunction

  // ---------------------------------------------------------------- what comes in, and memories
  logic           in_v, take, rd;
  logic [SlW-1:0] in_s;
  logic           in_idle;
  assign take = state_q == StIdle && in_v;
  assign rd   = state_q == StRead;
  weft_tcp_rack_in #(.N_SLOT(N_SLOT)) u_in (
    .clk_i, .rst_ni, .ready_o, .departed_valid_i, .departed_i, .conn_valid_i, .conn_slot_i, .conn_i, .work_i, .clr_i, .clr_slot_i,
    .clr_done_o, .valid_o(in_v), .ready_i(take), .slot_o(in_s), .rd_i(rd), .rd_slot_i(slot_q), .conn_o(cn), .work_o(wk),
    .left_o(lf), .idle_o(in_idle)
  );
  weft_ram_1r1w #(.W(StW), .DEPTH(N_SLOT)) u_state (
    .clk_i, .we_i(state_q == StWrite), .waddr_i(slot_q), .wdata_i(st_q), .re_i(rd), .raddr_i(slot_q), .rdata_o(st)
  );

  logic                         mk_we, mk_re, en_we, en_re;
  logic [4:0]                   mk_wa, mk_ra, en_wa, en_ra;
  logic [31:0]                  m_stop, m_at;
  logic [15:0]                  m_span, h_span;
  logic [79:0]                  mk_wd;
  weft_tcp_conn_pkg::rack_ent_t en_rd, le_d;
  weft_ram_1r1w #(.W(80), .DEPTH(32 * N_SLOT)) u_marks (
    .clk_i, .we_i(mk_we), .waddr_i({slot_q, mk_wa}), .wdata_i(mk_wd), .re_i(mk_re), .raddr_i({slot_q, mk_ra}),
    .rdata_o({m_span, m_at, m_stop})
  );
  weft_ram_1r1w #(.W(weft_tcp_conn_pkg::RackEntW), .DEPTH(32 * N_SLOT)) u_ranges (
    .clk_i, .we_i(en_we), .waddr_i({slot_q, en_wa}), .wdata_i(le_d), .re_i(en_re), .raddr_i({slot_q, en_ra}),
    .rdata_o(en_rd)
  );

  // ---------------------------------------------------------------- the ranges
  logic                         ls_clear, ls_put, ls_n, ls_go, ls_done, ls_hit;
  logic [4:0]                   ls_put_at;
  logic [5:0]                   n, i_q;
  logic [31:0]                  hit_at;
  weft_tcp_conn_pkg::rack_ent_t x;
  weft_tcp_rack_list u_list (
    .clk_i, .rst_ni, .clear_i(ls_clear), .put_i(ls_put), .put_at_i(ls_put_at), .put_d_i(en_rd), .n_valid_i(ls_n), .n_i(st_q.n),
    .una_i(cn_q.una), .go_i(ls_go), .x_i(x), .done_o(ls_done), .hit_o(ls_hit), .hit_at_o(hit_at), .stat_forgot_o,
    .n_o(n), .at_i(i_q[4:0]), .d_o(le_d)
  );

  // ---------------------------------------------------------------- the range that is taken in next
  // Step 0: sent again. 1: acknowledged. 2 to 5: SACK blocks, which are shifted down. Before all: asked for.
  logic [2:0]  step_q;
  logic [31:0] bl, br, b0l_q, b0r_q;
  logic        ask_q;  // what was asked for has been taken in
  logic        xv, b_ok, b_old, b_in, first, dsack;
  assign bl    = wk_q.sack[63:32] - cn_q.seq0;
  assign br    = wk_q.sack[31:0] - cn_q.seq0;
  assign first = step_q == 3'd2;
  // RFC 2883 4: at or below the ACK, or the first in the second. Two bytes are the overlap of two asks whose edge was moved by one (weft_tcp_plan), and no
  // sign of what came late.
  assign b_old = lt(bl + 32'd2, br) && !lt(cn_q.una, br);
  assign b_in  = step_q == 3'd3 && lt(b0l_q + 32'd2, b0r_q) && !lt(b0l_q, bl) && !lt(br, b0r_q);
  assign b_ok  = wk_q.n_sack != '0 && lt(bl, br) && lt(cn_q.una, br) && !lt(cn_q.smax, br);
  assign dsack = state_q == StNext && wk_q.n_sack != '0 && ((first && b_old) || (b_ok && b_in));
  always_comb begin
    x.r    = 1'b0;
    x.at   = '0;
    x.from = lt(bl, cn_q.una) ? cn_q.una : bl;
    x.to   = br;
    xv     = b_ok;
    if (!ask_q) begin
      x.r    = 1'b1;
      x.at   = now_q;
      x.from = lt(wk_q.from, cn_q.una) ? cn_q.una : wk_q.from;
      x.to   = wk_q.to;
      xv     = wk_q.asked && lt(cn_q.una, wk_q.to);
    end else if (step_q == 3'd0) begin
      x.r    = 1'b1;
      x.at   = lf_q.at;
      x.from = lt(lf_q.from, cn_q.una) ? cn_q.una : lf_q.from;
      x.to   = lf_q.to;
      xv     = lf_q.again && lt(cn_q.una, lf_q.to);
    end else if (step_q == 3'd1) begin
      x.from = st_q.una;
      x.to   = cn_q.una;
      xv     = n != '0 && lt(st_q.una, cn_q.una);
    end
  end
  assign ls_go = state_q == StNext && xv && step_q < 3'd6;

  // ---------------------------------------------------------------- marks, newest first; what is not lost yet
  logic        rd_q, fadv_q, cov_q, cand_q, dl_q, top_v_q;
  logic [31:0] cov_at_q, cand_at_q, lim_q, dl_at_q, top_q, m_age, m_left, reo;
  logic [34:0] wide;
  logic [4:0]  rest;     // marks that were not read yet
  logic        m_new, m_lost, m_same;
  logic [31:0] m_end;
  logic        t_end, g_end;
  assign t_end  = rd_q && (lt(m_stop, st_q.fack) || i_q == st_q.n_mark);
  assign g_end  = rd_q && ((!m_new && m_lost) || i_q == st_q.n_mark);
  assign rest   = st_q.n_mark[4:0] - i_q[4:0];
  assign m_age  = now_q - m_at;
  assign m_left = lim_q - m_age;
  assign m_new  = lt(st_q.ts, m_at);
  assign m_same = m_at == st_q.ts;
  assign m_lost = m_left[31] || m_left == '0;
  assign m_end  = m_same && lt(st_q.fack, m_stop) ? st_q.fack : m_stop;
  // Of two marks: from when the first of both left.
  logic [31:0] h_at_q, h_wide;
  logic [15:0] h_span_q;
  assign h_wide = m_at - h_at_q;
  assign h_span = weft_tcp_conn_pkg::span_add(h_span_q, h_wide);
  // A quarter of the smallest round trip, times mult.
  assign wide = 35'(cn_q.min_rtt[31:2]) * 35'(st_q.mult);
  always_comb begin
    reo = wide[34:32] != '0 ? '1 : wide[31:0];
    if (reo > 32'(cn_q.srtt[31:3])) reo = 32'(cn_q.srtt[31:3]);
    if (reo < REO_LEAST) reo = REO_LEAST;
  end

  // ---------------------------------------------------------------- scan
  logic        e_end, e_lost, open_q, hv_q, rdl_q;
  logic [31:0] p_q, e_from, g_to, q_from, e_age, e_left, hf_q, ht_q, lost_q, sacked_q, rdl_at_q, e_dl, q_to;
  logic [5:0]  w_q;
  assign e_end  = i_q == n;
  assign e_from = !e_end ? le_d.from : lt(p_q, st_q.le) ? st_q.le : p_q;
  assign g_to   = lt(st_q.le, e_from) ? st_q.le : e_from;
  assign q_from = lt(p_q, st_q.le) ? st_q.le : p_q;
  assign q_to   = !e_end ? le_d.from : top_q;
  assign e_age  = now_q - le_d.at;
  assign e_left = lim_q - e_age;
  assign e_lost = !e_end && le_d.r && wk_q.v && st_q.on && !lt(st_q.ts, le_d.at) && (e_left[31] || e_left == '0);
  assign e_dl   = le_d.at + lim_q;

  // ---------------------------------------------------------------- memories
  assign ls_clear  = state_q == StStart;
  assign ls_put    = state_q == StCopy && rd_q;
  assign ls_put_at = 5'(i_q - 6'd1);
  assign ls_n      = state_q == StCopy && i_q == st_q.n;
  assign en_re     = state_q == StCopy;
  assign en_ra     = i_q[4:0];
  assign en_we     = state_q == StScan && !e_end && !e_lost;
  assign en_wa     = w_q[4:0];
  assign mk_we     = (state_q == StMark && !full) || (state_q == StHalve && rd_q && !i_q[0]);
  assign mk_wa     = state_q == StMark ? 5'(st_q.head + st_q.n_mark[4:0]) : 5'(st_q.head + 5'(i_q[5:1]) - 5'd1);
  assign mk_wd     = state_q == StMark ? {lf_q.span, lf_q.fresh_at, lf_q.stop} : {h_span, m_at, m_stop};
  assign mk_re     = 1'b1;
  always_comb begin
    mk_ra = st_q.head;
    if (state_q == StHalve) mk_ra = 5'(st_q.head + i_q[4:0]);
    else if (state_q == StTime || state_q == StEdge) mk_ra = 5'(st_q.head + rest - 5'd1);
  end
  logic pop, pop_ok_q, full;
  assign pop  = pop_ok_q && st_q.n_mark > 6'd1 && !lt(st_q.una, m_stop);
  assign full = st_q.n_mark[5] && !pop;

  // ---------------------------------------------------------------- the engine
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:  if (in_v) state_q <= StRead;
        StRead:  state_q <= StGet;
        StGet:   state_q <= wk.v || lf.v ? StStart : StIdle;
        StStart: state_q <= wk_q.load || lf_q.fresh ? StMark : st_q.n != '0 && (wk_q.v || lf_q.again) ? StCopy : StNext;
        StMark:  state_q <= full ? StHalve : st_q.n != '0 && (wk_q.v || lf_q.again) ? StCopy : StNext;
        StHalve: if (i_q == 6'd32) state_q <= StMark;
        StCopy:  if (i_q == st_q.n) state_q <= StNext;
        StNext: begin
          if (!wk_q.v && !lf_q.again) state_q <= StWrite;
          else if (step_q == 3'd6) state_q <= fadv_q ? StTime : StLim;
          else if (xv) state_q <= StMerge;
        end
        StMerge: if (ls_done) state_q <= StNext;
        StTime:  if (t_end) state_q <= StLim;
        StLim:   state_q <= st_q.on && wk_q.v ? StEdge : StScan;
        StEdge:  if (g_end) state_q <= StScan;
        StScan:  if (e_end) state_q <= wk_q.v ? StOut : StWrite;
        StOut:   if (out_ready_i) state_q <= StWrite;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) slot_q <= in_s;
    rd_q <= state_q == StHalve || state_q == StCopy || state_q == StTime || state_q == StEdge;
    unique case (state_q)
      StGet: begin
        cn_q  <= cn;
        wk_q  <= wk.v ? wk : '0;
        lf_q  <= lf.v ? lf : '0;
        st_q  <= st;
        now_q <= now_i;
        if (wk.v && wk.load) begin
          st_q      <= '0;
          st_q.una  <= cn.una;
          st_q.fack <= cn.una;
          st_q.mult <= 4'd1;
          // What is out has left by now.
          if (!(lf.v && lf.fresh)) lf_q.stop <= cn.smax;
          lf_q.fresh_at <= now_i;
          lf_q.span     <= '1;
        end
        if (wk.v && (wk.load || wk.rto)) begin
          st_q.n  <= '0;
          st_q.le <= cn.rto_rec || wk.rto ? cn.recover : cn.una;
        end
        if (wk.v && wk.leave && !wk.load && st.mult != 4'd1) begin
          st_q.keep <= st.keep - 5'd1;
          if (st.keep == '0) st_q.mult <= 4'd1;
        end
        i_q      <= '0;
        step_q   <= '0;
        ask_q    <= 1'b0;
        fadv_q   <= 1'b0;
        cov_q    <= 1'b0;
        cand_q   <= 1'b0;
        pop_ok_q <= 1'b1;
        dl_q     <= 1'b0;
        top_v_q  <= 1'b0;
      end
      StMark: begin
        i_q      <= '0;
        pop_ok_q <= 1'b0;
        if (!full) begin
          st_q.n_mark <= pop ? st_q.n_mark : st_q.n_mark + 6'd1;
          if (pop) st_q.head <= st_q.head + 5'd1;
        end
      end
      StHalve: begin
        i_q <= i_q + 6'd1;
        h_at_q   <= m_at;
        h_span_q <= m_span;
        if (i_q == 6'd32) begin
          i_q         <= '0;
          st_q.n_mark <= 6'd16;
        end
      end
      StCopy: i_q <= i_q == st_q.n ? '0 : i_q + 6'd1;
      StNext: begin
        i_q <= '0;
        ask_q <= 1'b1;
        if (ask_q && step_q != 3'd6) begin
          step_q <= step_q + 3'd1;
          if (step_q >= 3'd2) begin
            wk_q.sack   <= {64'd0, wk_q.sack[255:64]};
            wk_q.n_sack <= wk_q.n_sack == '0 ? '0 : wk_q.n_sack - 3'd1;
          end
          if (first) {b0l_q, b0r_q} <= {bl, br};
          if (step_q == 3'd1 && lt(st_q.fack, cn_q.una)) begin
            st_q.fack <= cn_q.una;
            fadv_q    <= wk_q.v;
          end
          if (step_q >= 3'd2 && xv && lt(st_q.fack, br)) begin
            st_q.fack <= br;
            fadv_q    <= 1'b1;
          end
          if (dsack && !(st_q.round_on && lt(cn_q.una, st_q.round))) begin
            if (st_q.mult != '1) st_q.mult <= st_q.mult + 4'd1;
            st_q.keep     <= 5'd16;
            st_q.round    <= cn_q.smax;
            st_q.round_on <= 1'b1;
          end
        end
        if (!wk_q.v && !lf_q.again) begin
          if (st_q.n == '0) st_q.una <= cn_q.una;
          if (lt(st_q.fack, cn_q.una)) st_q.fack <= cn_q.una;
          if (lt(st_q.le, cn_q.una)) st_q.le <= cn_q.una;
        end else if (step_q == 3'd6) begin
          st_q.una <= cn_q.una;
          if (lt(st_q.le, cn_q.una)) st_q.le <= cn_q.una;
        end
      end
      StMerge: begin
        // Delivered: what was sent again, unless this answers the first copy of it.
        if (ls_hit && now_q - hit_at >= cn_q.min_rtt && (!cand_q || !lt(hit_at, cand_at_q))) begin
          cand_q    <= 1'b1;
          cand_at_q <= hit_at;
        end
      end
      StTime: begin
        i_q <= i_q + 6'd1;
        if (rd_q && !lt(m_stop, st_q.fack)) begin
          cov_q      <= 1'b1;
          cov_at_q   <= m_at;
          cov_span_q <= m_span;
        end
      end
      StLim: begin
        i_q   <= '0;
        lim_q <= st_q.rtt + reo;
      end
      StEdge: begin
        i_q <= i_q + 6'd1;
        if (rd_q && !m_new) begin
          if (m_lost) begin
            if (lt(st_q.le, m_end)) st_q.le <= m_end;
          end else begin
            dl_q    <= 1'b1;
            dl_at_q <= m_at + lim_q;
            if (!top_v_q || lt(top_q, m_end)) top_q <= m_end;
            top_v_q <= 1'b1;
          end
        end
      end
      StScan: begin
        i_q <= i_q + 6'd1;
        if (!e_lost) begin
          p_q <= le_d.to;
          if (!e_end) w_q <= w_q + 6'd1;
          if (lt(p_q, g_to) && !(e_end && n[5])) begin
            lost_q <= lost_q + (g_to - p_q);
            if (!hv_q) {hf_q, ht_q} <= {p_q, g_to};
            hv_q <= 1'b1;
          end
          if (lt(q_from, q_to) && (!e_end || top_v_q)) open_q <= 1'b1;
          if (!e_end && !le_d.r) sacked_q <= sacked_q + (le_d.to - le_d.from);
          if (!e_end && le_d.r && st_q.on && !lt(st_q.ts, le_d.at)) begin
            if (!rdl_q || lt(e_dl, rdl_at_q)) rdl_at_q <= e_dl;
            rdl_q <= 1'b1;
          end
        end
        if (e_end) st_q.n <= w_q;
      end
      default: ;
    endcase
    if (state_q == StTime && t_end) i_q <= '0;
    if (state_q == StEdge && g_end) i_q <= '0;
    // Both kinds of what was delivered, then the later one; an earlier one changes nothing (RFC 8985 6.2 step 2).
    if (state_q == StNext && step_q == 3'd6 && cand_q && (!st_q.on || lt(st_q.ts, cand_at_q))) begin
      st_q.on  <= 1'b1;
      st_q.ts  <= cand_at_q;
      st_q.rtt <= now_q - cand_at_q;
    end
    if (state_q == StTime && t_end) begin
      if ((cov_q || !lt(m_stop, st_q.fack)) && (!st_q.on || !lt(cov_now, st_q.ts))) begin
        st_q.on  <= 1'b1;
        st_q.ts  <= cov_now;
        st_q.rtt <= now_q - cov_now + (cov_span == '1 ? 32'(cn_q.srtt[31:3]) : 32'(cov_span));
      end
    end
    if (state_q == StLim || state_q == StEdge) begin
      p_q      <= cn_q.una;
      w_q      <= '0;
      hv_q     <= 1'b0;
      lost_q   <= '0;
      sacked_q <= '0;
      open_q   <= 1'b0;
      rdl_q    <= 1'b0;
    end
  end
  logic [31:0] cov_now;
  logic [15:0] cov_span_q, cov_span;
  assign cov_now  = rd_q && !lt(m_stop, st_q.fack) ? m_at : cov_at_q;
  assign cov_span = rd_q && !lt(m_stop, st_q.fack) ? m_span : cov_span_q;

  // ---------------------------------------------------------------- the answer
  logic mdl;
  assign mdl         = open_q && dl_q;
  assign out_valid_o = state_q == StOut;
  assign out_slot_o  = slot_q;
  always_comb begin
    out_o        = '0;
    out_o.qpn    = cn_q.qpn;
    out_o.seq    = cn_q.seq;
    out_o.una    = cn_q.una;
    out_o.hole   = hv_q;
    out_o.from   = hf_q;
    out_o.to     = ht_q;
    out_o.lost   = lost_q;
    out_o.sacked = sacked_q;
    out_o.act    = st_q.n != '0 || lt(cn_q.una, st_q.le);
    out_o.reo    = mdl || rdl_q;
    out_o.reo_at = mdl && !(rdl_q && lt(rdl_at_q, dl_at_q)) ? dl_at_q : rdl_at_q;
  end

  logic [31:0] le_was_q;
  always_ff @(posedge clk_i) if (state_q == StLim) le_was_q <= st_q.le;
  assign stat_lost_o  = state_q == StOut && out_ready_i && hv_q && lt(le_was_q, st_q.le);
  assign stat_dsack_o = dsack;
  assign stat_halve_o = state_q == StMark && full;
  assign idle_o       = state_q == StIdle && in_idle && !in_v;


  logic unused;
  assign unused = ^{cn_q, wk_q, lf_q};

`ifndef SYNTHESIS
  initial if (N_SLOT < 4 || N_SLOT > 4096 || (N_SLOT & (N_SLOT - 1)) != 0) $fatal(1, "weft_tcp_rack: N_SLOT");
`endif

endmodule
