// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Acknowledgement state of every QP: RCV.NXT, SND.NXT as far as segments have left, and which ACKs
/// are due. One event a cycle, read-modify-write in two stages.
///
/// When an ACK is due (RFC 9293 3.8.6.3, RFC 5681 4.2): at once for a commit with `now`, at the
/// second commit that no ACK has covered, or DELAY_NS after the first. A data segment that leaves
/// carries it and clears it. Each `ackreq` asks for one duplicate ACK (at most DUP_MAX wait per QP;
/// data segments do not count as one). A QP waits at most once in the queue of ACKs and once in the
/// queue of delays: the delay is the same for all, so that queue is in order of time.
module weft_tcp_ack #(
  parameter int unsigned N_QP = 16,          ///< queue pairs, a power of two
  parameter int unsigned DELAY_NS = 500_000,  ///< longest delay of an ACK, RFC 9293: below 0.5 s
  parameter int unsigned DUP_MAX = 7,        ///< 1 to 7
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [63:0]             now_ns_i,

  /// weft_ctx_store: QPs that wait for an ACK or a delay to end. All other ports give QPs that are home.
  input  logic [N_QP-1:0]         home_i,
  output logic [N_QP-1:0]         want_o,
  output logic                    busy_o,        ///< writes the numbers of busy_qpn_o
  output logic [QpW-1:0]          busy_qpn_o,

  input  logic                    load_i,        ///< pulse, always taken
  input  logic [QpW-1:0]          load_qpn_i,
  input  logic [31:0]             load_rcv_nxt_i,
  input  logic [31:0]             load_snd_nxt_i,

  input  logic                    commit_valid_i,
  output logic                    commit_ready_o,
  input  weft_pkg::rx_commit_t    commit_i,
  input  logic                    ackreq_valid_i,
  output logic                    ackreq_ready_o,
  input  logic [15:0]             ackreq_qpn_i,

  /// QPs that may have to send a pure ACK.
  output logic                    ackq_valid_o,
  output logic [QpW-1:0]          ackq_qpn_o,

  /// Departure. dep_ack_i takes the head of the queue; else a data segment leaves, whose bytes end
  /// before dep_end_i. The result comes in the next cycle.
  input  logic                    dep_valid_i,
  output logic                    dep_ready_o,
  input  logic                    dep_ack_i,
  input  logic [QpW-1:0]          dep_qpn_i,
  input  logic [31:0]             dep_end_i,
  output logic                    res_valid_o,
  output logic                    res_send_o,     ///< an ACK is still due (always for data)
  output logic [31:0]             res_rcv_nxt_o,
  output logic [31:0]             res_snd_nxt_o,

  output logic [63:0]             deadline_ns_o,
  output logic                    deadline_valid_o,
  output logic                    idle_o
);

  typedef enum logic [2:0] {EvLoad, EvData, EvPop, EvTimer, EvCommit, EvAckreq, EvSweep} event_e;

  localparam int unsigned StW = 64 + 3 + 4;
  localparam int unsigned FlagW = 3 + 4;

  // ------------------------------------------------ stage 0: one event
  logic           ready_q, open_q, timer_due_q, ev_valid;
  logic [QpW-1:0] sweep_q, ev_qpn, tq_qpn;
  event_e         ev;
  logic [31:0]    ev_a, ev_b;
  logic           ev_now, tq_valid, tq_pop, tq_due;

  assign dep_ready_o    = open_q && !load_i;
  assign tq_due         = timer_due_q && home_i[tq_qpn];
  assign tq_pop         = open_q && !load_i && !dep_valid_i && tq_due;
  assign commit_ready_o = open_q && !load_i && !dep_valid_i && !tq_due;
  assign ackreq_ready_o = commit_ready_o && !commit_valid_i;

  always_comb begin
    ev_valid = 1'b1;
    ev       = EvSweep;
    ev_qpn   = sweep_q;
    ev_a     = '0;
    ev_b     = '0;
    ev_now   = 1'b0;
    if (!open_q) begin
      ev_valid = !ready_q;
    end else if (load_i) begin
      ev     = EvLoad;
      ev_qpn = load_qpn_i;
      ev_a   = load_rcv_nxt_i;
      ev_b   = load_snd_nxt_i;
    end else if (dep_valid_i) begin
      ev     = dep_ack_i ? EvPop : EvData;
      ev_qpn = dep_ack_i ? ackq_qpn_o : dep_qpn_i;
      ev_b   = dep_end_i;
    end else if (tq_due) begin
      ev     = EvTimer;
      ev_qpn = tq_qpn;
    end else if (commit_valid_i) begin
      ev     = EvCommit;
      ev_qpn = commit_i.qpn[QpW-1:0];
      ev_a   = commit_i.rcv_nxt;
      ev_now = commit_i.now;
    end else if (ackreq_valid_i) begin
      ev     = EvAckreq;
      ev_qpn = ackreq_qpn_i[QpW-1:0];
    end else begin
      ev_valid = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      open_q  <= 1'b0;
      sweep_q <= '0;
    end else begin
      open_q <= ready_q;
      if (!ready_q) begin
        sweep_q <= sweep_q + 1'b1;
        ready_q <= sweep_q == QpW'(N_QP - 1);
      end
    end
  end

  // ------------------------------------------------ stage 1: the new state
  logic           x_valid_q, x_now_q, hit_q;
  event_e         x_ev_q;
  logic [QpW-1:0] x_qpn_q;
  logic [31:0]    x_a_q, x_b_q;
  logic [StW-1:0] rdata, st, st_n, st_n_q;

  logic [31:0] rcv_nxt, snd_nxt, rcv_nxt_n, snd_nxt_n, ahead;
  logic [2:0]  dup, dup_n;
  logic        due, one, queued, timer;            // before
  logic        due_n, one_n, queued_n, timer_n;    // after
  logic        push_ack, push_timer;

  // The sweep after reset clears the flags alone: numbers may be loaded while it runs.
  logic num_early, num_we;
  assign num_early = !open_q && load_i;
  assign num_we    = num_early || (x_valid_q && x_ev_q != EvSweep);
  weft_ram_1r1w #(.W(64), .DEPTH(N_QP)) u_numbers (
    .clk_i, .we_i(num_we), .waddr_i(num_early ? load_qpn_i : x_qpn_q),
    .wdata_i(num_early ? {load_rcv_nxt_i, load_snd_nxt_i} : {rcv_nxt_n, snd_nxt_n}),
    .re_i(ev_valid), .raddr_i(ev_qpn), .rdata_o(rdata[StW-1:FlagW])
  );
  weft_ram_1r1w #(.W(FlagW), .DEPTH(N_QP)) u_flags (
    .clk_i, .we_i(x_valid_q), .waddr_i(x_qpn_q), .wdata_i(st_n[FlagW-1:0]),
    .re_i(ev_valid), .raddr_i(ev_qpn), .rdata_o(rdata[FlagW-1:0])
  );

  // The event before this one wrote the same entry in the cycle in which this one read it.
  assign st     = hit_q ? st_n_q : rdata;
  assign {rcv_nxt, snd_nxt, dup, due, one, timer, queued} = st;
  assign ahead  = x_b_q - snd_nxt;
  assign st_n   = {rcv_nxt_n, snd_nxt_n, dup_n, due_n, one_n, timer_n, queued_n};

  always_comb begin
    rcv_nxt_n = rcv_nxt;
    snd_nxt_n = snd_nxt;
    dup_n     = dup;
    due_n     = due;
    one_n     = one;
    timer_n   = timer;
    queued_n  = queued;
    unique case (x_ev_q)
      EvLoad: begin
        rcv_nxt_n = x_a_q;
        snd_nxt_n = x_b_q;
        dup_n     = '0;
        due_n     = 1'b0;
        one_n     = 1'b0;
      end
      EvData: begin
        due_n = 1'b0;
        one_n = 1'b0;
        if (!ahead[31]) snd_nxt_n = x_b_q;
      end
      EvPop: begin
        // A new acknowledgement goes first: what follows it are duplicates of it.
        if (!due && dup != '0) dup_n = dup - 1'b1;
        due_n    = 1'b0;
        one_n    = 1'b0;
        queued_n = dup_n != '0;
      end
      EvTimer: begin
        timer_n = 1'b0;
        if (one) begin
          due_n    = 1'b1;
          queued_n = 1'b1;
        end
      end
      EvCommit: begin
        rcv_nxt_n = x_a_q;
        one_n     = 1'b1;
        if (x_now_q || one) begin
          due_n    = 1'b1;
          queued_n = 1'b1;
        end else begin
          timer_n = 1'b1;
        end
      end
      EvAckreq: begin
        if (dup != 3'(DUP_MAX)) dup_n = dup + 1'b1;
        queued_n = 1'b1;
      end
      default: begin
        rcv_nxt_n = '0;
        snd_nxt_n = '0;
        dup_n     = '0;
        due_n     = 1'b0;
        one_n     = 1'b0;
        timer_n   = 1'b0;
        queued_n  = 1'b0;
      end
    endcase
  end

  assign push_ack   = x_valid_q && queued_n && (!queued || x_ev_q == EvPop);
  assign push_timer = x_valid_q && timer_n && !timer;

  assign res_valid_o   = x_valid_q && (x_ev_q == EvPop || x_ev_q == EvData);
  assign res_send_o    = x_ev_q == EvData || due || dup != '0;
  assign res_rcv_nxt_o = rcv_nxt;
  assign res_snd_nxt_o = snd_nxt;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_valid_q <= 1'b0;
      hit_q     <= 1'b0;
    end else begin
      x_valid_q <= ev_valid;
      hit_q     <= x_valid_q && ev_valid && x_qpn_q == ev_qpn;
    end
  end

  always_ff @(posedge clk_i) begin
    x_ev_q    <= ev;
    x_qpn_q   <= ev_qpn;
    x_a_q     <= ev_a;
    x_b_q     <= ev_b;
    x_now_q   <= ev_now;
    st_n_q    <= st_n;
  end

  // ------------------------------------------------ who wants an ACK; whose delay ends when
  // One that is not home goes to the end of the queue of ACKs when it is its turn.
  logic aq_room, tq_room, aq_valid, aq_pop, turn;
  assign ackq_valid_o = aq_valid && home_i[ackq_qpn_o];
  assign aq_pop       = dep_valid_i && dep_ready_o && dep_ack_i;
  assign turn         = aq_valid && !home_i[ackq_qpn_o] && !push_ack && aq_room;
  weft_fifo #(.W(QpW), .DEPTH(N_QP)) u_ackq (
    .clk_i, .rst_ni, .in_valid_i(push_ack || turn), .in_ready_o(aq_room), .in_data_i(turn ? ackq_qpn_o : x_qpn_q),
    .out_valid_o(aq_valid), .out_ready_i(aq_pop || turn),
    .out_data_o(ackq_qpn_o), .count_o()
  );
  weft_fifo #(.W(QpW + 64), .DEPTH(N_QP)) u_timerq (
    .clk_i, .rst_ni, .in_valid_i(push_timer), .in_ready_o(tq_room),
    .in_data_i({x_qpn_q, now_ns_i + 64'(DELAY_NS)}),
    .out_valid_o(tq_valid), .out_ready_i(tq_pop), .out_data_o({tq_qpn, deadline_ns_o}), .count_o()
  );
  assign deadline_valid_o = tq_valid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) timer_due_q <= 1'b0;
    else timer_due_q <= tq_valid && !tq_pop && now_ns_i >= deadline_ns_o;
  end

  always_comb begin
    want_o = '0;
    if (aq_valid) want_o[ackq_qpn_o] = 1'b1;
    if (timer_due_q) want_o[tq_qpn] = 1'b1;
  end
  assign busy_o     = x_valid_q && x_ev_q != EvSweep;
  assign busy_qpn_o = x_qpn_q;
  assign idle_o     = open_q && !aq_valid && !x_valid_q && !timer_due_q;

`ifndef SYNTHESIS
  initial begin
    if (DUP_MAX < 1 || DUP_MAX > 7) $fatal(1, "weft_tcp_ack: DUP_MAX");
    if (N_QP < 2 || (N_QP & (N_QP - 1)) != 0) $fatal(1, "weft_tcp_ack: N_QP");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!push_ack || aq_room);
      assert (!push_timer || tq_room);
    end
  end
`endif

  logic unused;
  assign unused = ^{commit_i.qpn, commit_i.first, ackreq_qpn_i, ahead[30:0]};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
