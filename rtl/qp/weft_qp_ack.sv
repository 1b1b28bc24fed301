// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// The sender's side of TCP per QP: acknowledgements, the peer's window, round-trip time and RTO
/// (RFC 6298), congestion window (RFC 5681), duplicate ACKs. Loss is answered by going back to
/// snd_una (rew_gen in the view of build): at the third duplicate ACK, once per window, and at a
/// time-out. A time-out also lets one FPDU out whatever the window, which probes a closed one
/// (RFC 9293 3.8.6.1). An ACK outside [snd_una, snd_max] is ignored.
/// Time is in units of 1024 ns. 6 cycles an ACK, 2 more for one that gives a round-trip sample.
module weft_qp_ack #(
  parameter int unsigned N_QP = 16,
  parameter int unsigned TICK_SHIFT = 17,          ///< tick of the timer wheel, log2 ns
  parameter int unsigned SLOTS = 1024,             ///< slots of the timer wheel
  parameter int unsigned MIN_RTO_US = 200_000,     ///< default of min_rto_us_i
  parameter int unsigned MAX_RTO_US = 60_000_000,
  parameter int unsigned MAX_RETRIES = 9,          ///< default of max_retries_i
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    init_i,
  input  logic [QpW-1:0]          init_qpn_i,
  input  logic [63:0]             now_ns_i,
  input  logic [31:0]             min_rto_us_i,   ///< 0: the default
  input  logic [7:0]              max_retries_i,  ///< 0: the default

  input  logic [N_QP-1:0]         home_i,         ///< of weft_ctx_store, for time-outs
  output logic [N_QP-1:0]         want_o,
  output logic [N_QP-1:0]         parked_o,       ///< a time-out waits
  output logic                    fire_valid_o,   ///< uses fire_qpn_o
  output logic [QpW-1:0]          fire_qpn_o,
  output logic                    busy_o,         ///< at work on view_qpn_o

  input  logic                    ack_valid_i,
  output logic                    ack_ready_o,
  input  weft_pkg::rx_ack_t       ack_i,

  input  logic                    qp_valid_i,     ///< ready set: build has sent, or is held back
  output logic                    qp_ready_o,
  input  logic [QpW-1:0]          qp_i,
  input  logic                    cmd_valid_i,    ///< load a context, or read back
  output logic                    cmd_ready_o,
  input  logic                    cmd_peek_i,
  input  logic [QpW-1:0]          cmd_qpn_i,
  input  weft_abi_pkg::ctx_tx_t   cmd_ctx_i,
  output logic                    peek_valid_o,
  output logic [31:0]             peek_una_o,
  output logic [31:0]             peek_wnd_o,
  output logic [31:0]             peek_cwnd_o,
  output logic [31:0]             peek_srtt_o,

  output logic                    view_re_o,
  output logic [QpW-1:0]          view_qpn_o,
  input  weft_qp_pkg::cfg_ack_t   cfg_i,
  input  logic [1:0]              state_i,
  input  weft_qp_pkg::b2ack_t     build_i,

  output logic                    store_o,        ///< pulse: the view below is written; wake build
  output weft_qp_pkg::a2build_t   store_view_o,
  output logic                    wake_build_o,   ///< with store_o
  output logic                    wake_cmpl_o,    ///< with store_o

  output logic                    deadline_valid_o,
  output logic [63:0]             deadline_ns_o,
  output logic                    idle_o,
  output logic                    stat_dup_o,     ///< duplicate ACK
  output logic                    stat_bad_o,     ///< ACK of something never sent, or old
  output logic                    stat_fast_o,    ///< went back after duplicate ACKs
  output logic                    stat_rto_o      ///< time-out
);

  typedef struct packed {
    logic [31:0] una;
    logic [31:0] wnd;
    logic [31:0] cwnd;
    logic [31:0] ssthresh;
    logic [31:0] acc;        // bytes acknowledged since cwnd grew, in congestion avoidance
    logic [1:0]  dup;
    logic        rec;        // in recovery: until recover is acknowledged
    logic [31:0] recover;
    logic        rew_on;     // rew_una was gone back to
    logic [31:0] rew_una;
    logic        rtt_have;
    logic [31:0] srtt;       // times 8
    logic [31:0] rttvar;     // times 4
    logic [1:0]  rtt_seen;
    logic [3:0]  backoff;
    logic [7:0]  retries;
    logic        run;        // the timer runs
    logic [53:0] deadline;
    logic [7:0]  rew_gen;
    logic        rew_rto;
    logic        dead;
    logic [7:0]  gen;
    logic [31:0] rto;        // without backoff
  } actx_t;

  typedef enum logic [3:0] {
    StIdle, StRead, StLatch, StCheck, StCwnd, StRto, StRtoMin, StNeed, StTimer
  } state_e;
  typedef enum logic [2:0] {VkAck, VkWake, VkLoad, VkPeek, VkFire} visit_e;

  state_e                  state_q;
  visit_e                  visit_q;
  logic [QpW-1:0]          qp_q;
  weft_pkg::rx_ack_t       ack_q;
  weft_abi_pkg::ctx_tx_t   cc_q;
  actx_t                   ctx, a_q;
  weft_qp_pkg::cfg_ack_t   cfg_q;
  weft_qp_pkg::b2ack_t     b_q;
  logic                    on_q, live_q;
  logic [53:0]             now;
  logic [31:0]             mss;

  assign now = now_ns_i[63:10];
  assign mss = 32'(cfg_q.mss);

  // ---------------------------------------------------------------- timer
  logic           tm_valid, tm_ready, tm_cancel, tm_fire_valid, tm_fire_ready, tm_idle;
  logic           wheel_valid, wheel_ready, gate_idle;
  logic [QpW-1:0] tm_fire_id, wheel_id;
  weft_timer #(.N(N_QP), .TICK_SHIFT(TICK_SHIFT), .SLOTS(SLOTS)) u_timer (
    .clk_i, .rst_ni, .now_ns_i,
    .set_valid_i(tm_valid), .set_ready_o(tm_ready), .set_cancel_i(tm_cancel), .set_id_i(qp_q),
    .set_deadline_ns_i({a_q.deadline, 10'd0}),
    .fire_valid_o(wheel_valid), .fire_ready_i(wheel_ready), .fire_id_o(wheel_id),
    .deadline_valid_o, .deadline_ns_o, .idle_o(tm_idle)
  );
  weft_ctx_gate #(.W(1), .N(N_QP), .DEPTH(4)) u_fire (
    .clk_i, .rst_ni, .home_i, .in_valid_i(wheel_valid), .in_ready_o(wheel_ready), .in_id_i(wheel_id),
    .in_data_i(1'b0), .out_valid_o(tm_fire_valid), .out_ready_i(tm_fire_ready), .out_id_o(tm_fire_id),
    .out_data_o(fire_none), .want_o, .parked_o, .idle_o(gate_idle)
  );
  logic fire_none;
  assign fire_valid_o = tm_fire_valid;
  assign fire_qpn_o   = tm_fire_id;

  // ---------------------------------------------------------------- record
  weft_ram_1r1w #(.W($bits(ctx)), .DEPTH(N_QP)) u_ctx (
    .clk_i, .we_i(store_o || init_i), .waddr_i(init_i ? init_qpn_i : qp_q),
    .wdata_i(init_i ? '0 : a_q), .re_i(view_re_o), .raddr_i(qp_q), .rdata_o(ctx)
  );
  logic wb_q, wc_q, free, any;
  assign view_re_o    = state_q == StRead;
  assign view_qpn_o   = qp_q;
  assign store_o      = state_q == StTimer && (!tm_valid || tm_ready);
  assign wake_build_o = store_o && (wb_q || (b_q.waits && b_q.seen != a_q.gen));
  assign wake_cmpl_o  = store_o && wc_q;
  assign store_view_o.snd_una = a_q.una;
  assign store_view_o.win     = a_q.cwnd < a_q.wnd ? a_q.cwnd : a_q.wnd;
  assign store_view_o.rew_gen = a_q.rew_gen;
  assign store_view_o.rew_rto = a_q.rew_rto;
  assign store_view_o.dead    = a_q.dead;
  assign store_view_o.run     = a_q.run;
  assign store_view_o.gen     = a_q.gen;

  assign free          = (state_q == StIdle || store_o) && !init_i;
  assign any           = cmd_valid_i || ack_valid_i || tm_fire_valid || qp_valid_i;
  assign cmd_ready_o   = free;
  assign ack_ready_o   = cmd_ready_o && !cmd_valid_i;
  assign tm_fire_ready = ack_ready_o && !ack_valid_i;
  assign qp_ready_o    = tm_fire_ready && !tm_fire_valid;
  assign busy_o        = state_q != StIdle;
  assign idle_o        = !busy_o && tm_idle && gate_idle && !cmd_valid_i && !ack_valid_i;

  assign peek_valid_o = state_q == StCheck && visit_q == VkPeek;
  assign peek_una_o   = a_q.una;
  assign peek_wnd_o   = a_q.wnd;
  assign peek_cwnd_o  = a_q.cwnd;
  assign peek_srtt_o  = a_q.rtt_have ? {3'd0, a_q.srtt[31:3]} : 32'd0;

  // ---------------------------------------------------------------- what the visit means
  logic        new_q, dup_q, ok_q, fire_q, sample_q;
  logic [31:0] got, flight, wnd, flight_q, got_q, wnd_q, rtt_q, err, err_abs, left;
  assign got    = ack_q.ack - a_q.una;
  assign flight = b_q.snd_max - a_q.una;
  assign wnd    = 32'(ack_q.wnd) << cfg_q.wscale;
  assign err    = rtt_q - {3'd0, a_q.srtt[31:3]};
  assign err_abs = err[31] ? -err : err;
  assign left   = b_q.snd_max - a_q.una;  // after una was moved

  // Half of what is in flight, two segments at least (RFC 5681 (4)).
  logic [31:0] half, need_rto;
  assign half = (flight_q >> 1) > (mss << 1) ? flight_q >> 1 : mss << 1;

  // ---------------------------------------------------------------- RTO
  localparam logic [31:0] MinRto = 32'(MIN_RTO_US);
  localparam logic [31:0] MaxRto = 32'(MAX_RTO_US);
  logic [31:0] rto_q, min_rto;
  logic [47:0] backed;
  logic [7:0]  max_retries;
  logic        fast, need, short;
  assign min_rto     = min_rto_us_i == '0 ? MinRto : min_rto_us_i;
  assign max_retries = max_retries_i == '0 ? 8'(MAX_RETRIES) : max_retries_i;
  assign need_rto    = {3'd0, a_q.srtt[31:3]} + (a_q.rttvar == '0 ? 32'd1 : a_q.rttvar);
  assign backed      = 48'(rto_q) << a_q.backoff;
  assign need        = (left != '0 || b_q.blocked) && live_q && !b_q.stopped && !a_q.dead;

  // Third duplicate. Once per window (RFC 6582 3.2); in recovery again where an ACK has since moved
  // snd_una and stopped short of recover: what was sent again got lost too.
  // The RTO in the record holds.
  assign short = !sample_q && !fire_q && (a_q.backoff == '0 || new_q);

  assign fast = a_q.dup == 2'd2 && (weft_qp_pkg::seq_lt(a_q.recover, a_q.una)
                || (a_q.rec && a_q.una != a_q.recover && !(a_q.rew_on && a_q.rew_una == a_q.una)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle: if (free && any) state_q <= StRead;
        StRead:   state_q <= StLatch;
        StLatch:  state_q <= StCheck;
        StCheck: begin
          if (visit_q == VkPeek || !on_q) state_q <= StIdle;
          else state_q <= visit_q == VkLoad ? StRto : StCwnd;
        end
        StCwnd:   state_q <= short ? StNeed : StRto;
        StRto:    state_q <= StRtoMin;
        StRtoMin: state_q <= StNeed;
        StNeed:   state_q <= StTimer;
        default:  if (store_o) state_q <= any ? StRead : StIdle;
      endcase
    end
  end

  logic set_q, cancel_q;
  assign tm_valid  = state_q == StTimer && (set_q || cancel_q);
  assign tm_cancel = cancel_q;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle, StTimer: if (free) begin
        visit_q <= cmd_valid_i ? (cmd_peek_i ? VkPeek : VkLoad) : ack_valid_i ? VkAck
                 : tm_fire_valid ? VkFire : VkWake;
        qp_q    <= cmd_valid_i ? cmd_qpn_i : ack_valid_i ? ack_i.qpn[QpW-1:0]
                 : tm_fire_valid ? tm_fire_id : qp_i;
        ack_q   <= ack_i;
        cc_q    <= cmd_ctx_i;
        wb_q    <= 1'b0;
        wc_q    <= 1'b0;
        set_q   <= 1'b0;
        cancel_q <= 1'b0;
      end
      StLatch: begin
        a_q    <= ctx;
        cfg_q  <= cfg_i;
        b_q    <= build_i;
        on_q   <= state_i != weft_abi_pkg::QP_STATE_RESET || visit_q == VkLoad || visit_q == VkPeek;
        live_q <= state_i == weft_abi_pkg::QP_STATE_RTS || state_i == weft_abi_pkg::QP_STATE_HALT;
      end
      StCheck: begin
        got_q    <= got;
        flight_q <= flight;
        wnd_q    <= wnd;
        rtt_q    <= now[31:0] - b_q.rtt_time;
        ok_q     <= visit_q == VkAck && got <= flight;
        new_q    <= visit_q == VkAck && got <= flight && got != '0;
        dup_q    <= visit_q == VkAck && got == '0 && ack_q.bare && flight != '0 && wnd == a_q.wnd && wnd != '0;
        sample_q <= visit_q == VkAck && got <= flight && got != '0 && b_q.rtt_on && b_q.rtt_gen != a_q.rtt_seen
                    && weft_qp_pkg::seq_le(b_q.rtt_seq, ack_q.ack);
        fire_q   <= visit_q == VkFire && a_q.run && now >= a_q.deadline
                    && (flight != '0 || b_q.blocked) && live_q && !b_q.stopped;
        if (visit_q == VkLoad) begin
          a_q          <= '0;
          a_q.rew_gen  <= a_q.rew_gen;
          a_q.gen      <= a_q.gen + 8'd1;
          a_q.rtt_seen <= b_q.rtt_gen;
          a_q.una      <= cc_q.snd_una;
          a_q.recover  <= cc_q.snd_una - 32'd1;
          a_q.wnd      <= cc_q.snd_wnd;
          a_q.ssthresh <= 32'h3fff_ffff;
          a_q.cwnd     <= cc_q.cwnd;
          // Initial window (RFC 5681 3.1).
          if (cc_q.cwnd == '0) begin
            a_q.cwnd <= cc_q.mss > 16'd2190 ? 32'(cc_q.mss) << 1
                      : cc_q.mss > 16'd1095 ? 32'(cc_q.mss) + (32'(cc_q.mss) << 1) : 32'(cc_q.mss) << 2;
          end
          a_q.rtt_have <= cc_q.srtt_us != '0;
          a_q.srtt     <= cc_q.srtt_us << 3;
          a_q.rttvar   <= cc_q.srtt_us << 1;
          cancel_q     <= 1'b1;
        end
      end
      StCwnd: begin
        rto_q <= a_q.rto;
        if (sample_q) begin
          a_q.rtt_seen <= b_q.rtt_gen;
          a_q.rtt_have <= 1'b1;
          if (!a_q.rtt_have) begin
            a_q.srtt   <= rtt_q << 3;
            a_q.rttvar <= rtt_q << 1;
          end else begin
            a_q.srtt   <= a_q.srtt + err;
            a_q.rttvar <= a_q.rttvar - {2'd0, a_q.rttvar[31:2]} + err_abs;
          end
        end
        if (ok_q) begin
          a_q.wnd <= wnd_q;
          if (new_q || wnd_q != a_q.wnd) a_q.gen <= a_q.gen + 8'd1;
          // A peer that answers with a small window is alive.
          if (wnd_q < mss) a_q.retries <= '0;
        end
        if (new_q) begin
          a_q.una     <= ack_q.ack;
          a_q.dup     <= '0;
          a_q.backoff <= '0;
          a_q.retries <= '0;
          wc_q        <= 1'b1;
          if (!weft_qp_pkg::seq_lt(ack_q.ack, a_q.recover)) a_q.rec <= 1'b0;
          if (a_q.cwnd < a_q.ssthresh) begin
            a_q.cwnd <= a_q.cwnd + (got_q < mss ? got_q : mss);
          end else if (a_q.cwnd[31:29] == '0) begin
            a_q.acc <= a_q.acc + got_q;
            if (a_q.acc + got_q >= a_q.cwnd) begin
              a_q.acc  <= a_q.acc + got_q - a_q.cwnd;
              a_q.cwnd <= a_q.cwnd + mss;
            end
          end
        end else if (dup_q) begin
          if (a_q.dup != 2'd3) a_q.dup <= a_q.dup + 2'd1;
          if (fast) begin
            a_q.rew_gen <= a_q.rew_gen + 8'd1;
            a_q.rew_rto <= 1'b0;
            a_q.rew_on  <= 1'b1;
            a_q.rew_una <= a_q.una;
            a_q.rec     <= 1'b1;
            a_q.gen     <= a_q.gen + 8'd1;
            wb_q        <= 1'b1;
            if (!a_q.rec) begin
              a_q.recover  <= b_q.snd_max;
              a_q.ssthresh <= half;
              a_q.cwnd     <= half;
              a_q.acc      <= '0;
            end
          end
        end else if (fire_q) begin
          wb_q        <= 1'b1;
          a_q.gen     <= a_q.gen + 8'd1;
          a_q.dup     <= '0;
          if (a_q.backoff != '1) a_q.backoff <= a_q.backoff + 4'd1;
          a_q.retries <= a_q.retries + 8'd1;
          if (a_q.retries >= max_retries) a_q.dead <= 1'b1;
          a_q.rew_gen <= a_q.rew_gen + 8'd1;
          a_q.rew_rto <= 1'b1;
          a_q.rew_on  <= 1'b1;
          a_q.rew_una <= a_q.una;
          if (flight_q != '0) begin
            a_q.rec     <= 1'b1;
            a_q.recover <= b_q.snd_max;
            a_q.cwnd    <= mss;
            a_q.acc     <= '0;
            if (a_q.backoff == '0) a_q.ssthresh <= half;
          end
        end
      end
      // Without a sample 1 s (RFC 6298 2.1).
      StRto: rto_q <= a_q.rtt_have ? (need_rto < min_rto ? min_rto : need_rto) : 32'd976_563;
      StRtoMin: begin
        a_q.rto <= rto_q;
        rto_q   <= backed > 48'(MaxRto) ? MaxRto : backed[31:0];
      end
      StNeed: begin
        a_q.run <= need;
        if (visit_q == VkLoad) begin
          a_q.run <= 1'b0;
        end else if (!need) begin
          // Build may have sent since: it looks whether the timer has to run again.
          cancel_q <= a_q.run;
          if (a_q.run) wb_q <= 1'b1;
        end else if (!a_q.run || new_q || fire_q) begin
          set_q        <= 1'b1;
          a_q.deadline <= now + 54'(rto_q);
        end else if (visit_q == VkFire) begin
          set_q <= 1'b1;
        end
      end
      default: ;
    endcase
  end

  assign stat_dup_o  = state_q == StCwnd && dup_q;
  assign stat_fast_o = state_q == StCwnd && dup_q && fast;
  assign stat_rto_o  = state_q == StCwnd && fire_q;
  assign stat_bad_o  = state_q == StCwnd && visit_q == VkAck && !ok_q;

  logic unused;
  assign unused = ^{ack_q, cc_q, now_ns_i[9:0], fire_none};

endmodule
