// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Gives slots back. Candidates come from the clock hand, ahead of need, and from firmware's `save`. The
/// directory marks a candidate going: from then on nobody gets a new pin on it, and those that are out end by themselves
/// (docs/datapath.md, "Pins"). N_CAND of them wait for that beside each other; who has none left is written to its home. One that
/// turns out to be pinned goes home again, as what unpins it may be a frame that asks for it: one of the hand at once, one of
/// `save` when it was looked at SAVE_LOOKS times, and firmware is told (busy).
///
/// The last N_KEEP that came for firmware are no candidates of the hand until they were asked for, KEEP_CYCLES at most: a command takes its turn, and
/// must not find that what was fetched for it is gone again.
///
/// A save of a connection that is on its way, in either direction, is tried again until it can be done, SAVE_TRIES times with 64
/// cycles between; then firmware is told (busy), as what it waits for may be a slot that others keep. One that firmware holds is
/// answered busy at once, as what ends that waits behind the save.
module weft_ctx_evict #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_QP = 1024,
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_MISS = 64,
  parameter int unsigned N_ROOM = 4,
  parameter int unsigned N_CAND = 8,     ///< connections that wait for their pins, 4 to 16
  parameter int unsigned FREE_LOW = 8,   ///< slots that are kept free, ahead of need
  parameter int unsigned N_KEEP = 4,       ///< 1 to 8
  parameter int unsigned KEEP_CYCLES = 1024,
  parameter int unsigned SAVE_LOOKS = 255, ///< looks at the pins of one that is to be saved, 5 cycles each or more
  parameter int unsigned SAVE_TRIES = 255, ///< tries of a save of one that is on its way
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned MiW = $clog2(N_MISS),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    ready_i,        ///< the sweep of the slots is over
  input  logic [SlW:0]            free_i,         ///< slots that are free
  input  logic [MiW:0]            want_i,         ///< fills that wait for one
  input  logic                    look_i,         ///< the hand is to go round, whether slots are short or not
  output logic                    at_valid_o,     ///< pulse: what it finds
  output logic [SlW-1:0]          at_slot_o,
  output logic                    at_pinned_o,
  output logic [QpW-1:0]          at_qpn_o,

  input  logic                    save_valid_i,   ///< firmware wants a connection in its home
  output logic                    save_ready_o,
  input  logic [QpW-1:0]          save_qpn_i,
  output logic                    saved_valid_o,  ///< pulse: it is there, or there is none (ok is 0)
  output logic [QpW-1:0]          saved_qpn_o,
  output logic                    saved_ok_o,
  output logic                    saved_busy_o,   ///< ... or it is pinned, on its way, or held, and stays as it is (ok is 0)

  output logic [SlW-1:0]          look_slot_o,    ///< counters of a slot, a cycle later
  input  logic [11:0]             taken_i,
  input  logic [11:0]             dropped_i,      ///< sum over all who drop, a further cycle later
  input  logic                    set_i,          ///< pulse: a slot holds a connection now
  input  logic [SlW-1:0]          set_slot_i,
  input  logic [QpW-1:0]          set_qpn_i,
  input  logic                    keep_i,         ///< pulse: set_slot_i came for firmware, or goes home again for it
  input  logic                    use_i,          ///< pulse: a pin was taken
  input  logic [SlW-1:0]          use_slot_i,

  output logic                    op_valid_o,
  input  logic                    op_ready_i,
  output logic [3:0]              op_o,
  output logic [QpW-1:0]          op_qpn_o,
  output logic [SlW-1:0]          op_slot_o,
  input  logic                    done_valid_i,
  input  logic [3:0]              done_op_i,
  input  logic [2:0]              done_was_i,
  input  logic [SlW-1:0]          done_at_i,

  output logic [N_ROOM-1:0]       out_valid_o,    ///< rooms are asked
  input  logic [N_ROOM-1:0]       out_ready_i,
  output logic [N_ROOM*38-1:0]    out_o,          ///< weft_dp_pkg::save_t each
  input  logic [N_ROOM-1:0]       line_valid_i,
  output logic [N_ROOM-1:0]       line_ready_o,
  input  logic [N_ROOM*553-1:0]   line_i,         ///< weft_dp_pkg::line_t each

  output logic                    home_re_o,
  output logic [QpW-1:0]          home_qpn_o,
  input  logic                    home_ok_i,
  input  logic [63:0]             home_addr_i,
  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  output logic                    free_o,         ///< pulse: a slot is free
  output logic [SlW-1:0]          free_slot_o,
  output logic                    idle_o,
  output logic                    stat_evict_o,   ///< pulse: a write-back began
  output logic                    stat_wait_o     ///< pulse: a candidate still had pins when it was looked at
);

  localparam int unsigned CaW = $clog2(N_CAND);

  // ---------------------------------------------------------------- who is in a slot
  logic [QpW:0]   info;          // valid, qpn
  logic [SlW-1:0] look, hand, sweep_q, c_slot_q;
  logic           swept_q, clr, hand_step, hand_idle, run, poll;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      swept_q <= 1'b0;
      sweep_q <= '0;
    end else if (!swept_q) begin
      sweep_q <= sweep_q + SlW'(1);
      swept_q <= sweep_q == '1;
    end
  end
  weft_ram_1r1w #(.W(QpW + 1), .DEPTH(N_SLOT)) u_info (
    .clk_i, .we_i(!swept_q || set_i || clr), .waddr_i(!swept_q ? sweep_q : set_i ? set_slot_i : c_slot_q),
    .wdata_i(swept_q && set_i ? {1'b1, set_qpn_i} : '0), .re_i(1'b1), .raddr_i(look), .rdata_o(info)
  );

  // ---------------------------------------------------------------- the hand
  // It runs while slots are short; ahead of need for two rounds behind each fill, then it rests.
  logic           cand;
  logic [QpW-1:0] cand_qpn;
  logic [SlW+1:0] spin_q;
  logic [CaW:0]   wait_n;
  // Slots beside fills that wait: of either there may be more, and FREE_LOW is half of the slots at most.
  localparam int unsigned NeW = (SlW > MiW ? SlW : MiW) + 2;
  logic [NeW-1:0] busy_n, have_n, want_n;
  assign have_n = NeW'(free_i) + busy_n;
  assign want_n = NeW'(want_i);
  // Where every connection has a slot nobody is sent away ahead of need.
  assign run = swept_q && ready_i
               && (have_n < want_n || (N_SLOT < N_QP && spin_q != '0 && have_n < want_n + NeW'(FREE_LOW)));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) spin_q <= '0;
    else if (set_i) spin_q <= (SlW + 2)'(2 * N_SLOT);
    else if (hand_step && spin_q != '0) spin_q <= spin_q - (SlW + 2)'(1);
  end
  weft_ctx_hand #(.QP_W(QpW), .N_SLOT(N_SLOT), .ROOM(4)) u_hand (
    .clk_i, .rst_ni, .run_i(run || (look_i && swept_q && ready_i)), .look_i(!poll), .used_i(hq_n), .slot_o(hand), .step_o(hand_step),
    .info_i(info), .taken_i, .dropped_i, .cand_o(cand), .cand_qpn_o(cand_qpn), .at_valid_o, .at_slot_o, .at_pinned_o,
    .at_qpn_o, .idle_o(hand_idle)
  );
  assign look        = poll ? c_slot_q : hand;
  assign look_slot_o = look;

  // ---------------------------------------------------------------- what came for firmware and was not used yet
  localparam int unsigned KeW = $clog2(KEEP_CYCLES + 1);
  logic [N_KEEP-1:0][KeW-1:0] k_left_q;       // cycles; 0: a free place
  logic [N_KEEP-1:0][SlW-1:0] k_slot_q;
  logic [N_KEEP-1:0][QpW-1:0] k_who_q;
  logic                       k_hit;
  always_comb begin
    k_hit = 1'b0;
    for (int unsigned i = 0; i < N_KEEP; i++) if (k_left_q[i] != '0 && k_who_q[i] == cand_qpn) k_hit = 1'b1;
  end
  // The oldest stands at the end.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      k_left_q <= '0;
    end else begin
      for (int unsigned i = 0; i < N_KEEP; i++) begin
        if (keep_i) k_left_q[i] <= i == 0 ? KeW'(KEEP_CYCLES) : left_d[(i+N_KEEP-1)%N_KEEP];
        else k_left_q[i] <= left_d[i];
      end
    end
  end
  logic [N_KEEP-1:0][KeW-1:0] left_d;
  always_comb begin
    for (int unsigned i = 0; i < N_KEEP; i++) begin
      left_d[i] = k_left_q[i] - KeW'(k_left_q[i] != '0);
      if (use_i && use_slot_i == k_slot_q[i]) left_d[i] = '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (keep_i) begin
      for (int unsigned i = 1; i < N_KEEP; i++) begin
        k_slot_q[i] <= k_slot_q[i-1];
        k_who_q[i]  <= k_who_q[i-1];
      end
      k_slot_q[0] <= set_slot_i;
      k_who_q[0]  <= set_qpn_i;
    end
  end

  // ---------------------------------------------------------------- candidates and saves, to the directory
  logic           hq_v, hq_take, sq_v, sq_take, rq_v, rq_take, again;
  logic [QpW-1:0] hq, sq, rq, t_qpn_q;
  logic [2:0]     hq_n;
  weft_fifo #(.W(QpW), .DEPTH(4)) u_cands (
    .clk_i, .rst_ni, .in_valid_i(cand && run && !k_hit), .in_ready_o(), .in_data_i(cand_qpn), .out_valid_o(hq_v), .out_ready_i(hq_take),
    .out_data_o(hq), .count_o(hq_n)
  );
  // Four saves at once: those that are not in the table wait here.
  logic [2:0] saves_q;
  logic       saved, saved_busy, save_in;
  assign save_ready_o = saves_q != 3'd4;
  assign save_in      = save_valid_i && save_ready_o;
  weft_fifo #(.W(QpW), .DEPTH(4)) u_saves (
    .clk_i, .rst_ni, .in_valid_i(save_in), .in_ready_o(), .in_data_i(save_qpn_i), .out_valid_o(sq_v), .out_ready_i(sq_take),
    .out_data_o(sq), .count_o()
  );
  localparam int unsigned TryW = $clog2(SAVE_TRIES + 1);
  logic [TryW-1:0] rq_tries, t_tries_q;
  weft_fifo #(.W(QpW + TryW), .DEPTH(4)) u_again (
    .clk_i, .rst_ni, .in_valid_i(again), .in_ready_o(), .in_data_i({t_qpn_q, t_tries_q + TryW'(1)}), .out_valid_o(rq_v),
    .out_ready_i(rq_take), .out_data_o({rq, rq_tries}), .count_o()
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) saves_q <= '0;
    else saves_q <= saves_q + 3'(save_in) - 3'(saved);
  end

  typedef enum logic [1:0] { TrIdle, TrAsk, TrWait } tr_e;
  tr_e        tr_q;
  logic       t_save_q, put, t_done, rest, on_way, given_up, held;
  logic [5:0] rest_q;            // cycles until saves are tried again
  assign rest    = rest_q != '0;
  assign sq_take = tr_q == TrIdle && wait_n < (CaW + 1)'(N_CAND) && sq_v;
  assign rq_take = tr_q == TrIdle && wait_n < (CaW + 1)'(N_CAND) && !sq_v && rq_v && !rest;
  assign hq_take = tr_q == TrIdle && wait_n < (CaW + 1)'(N_CAND) && !sq_v && !(rq_v && !rest) && hq_v;
  assign t_done  = tr_q == TrWait && done_valid_i && done_op_i == weft_ctx_pkg::OpTry;
  assign put     = t_done && done_was_i == weft_ctx_pkg::StHome;
  assign again    = on_way && t_tries_q != TryW'(SAVE_TRIES - 1);
  assign given_up = on_way && !again;
  assign on_way  = t_done && t_save_q
                   && (done_was_i == weft_ctx_pkg::StGoing || done_was_i == weft_ctx_pkg::StComing
                       || done_was_i == weft_ctx_pkg::StResuming);
  assign held    = t_done && t_save_q && done_was_i == weft_ctx_pkg::StHeld;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tr_q   <= TrIdle;
      rest_q <= '0;
    end else begin
      if (again) rest_q <= '1;
      else if (rest) rest_q <= rest_q - 6'd1;
      unique case (tr_q)
        TrIdle:  if (sq_take || rq_take || hq_take) tr_q <= TrAsk;
        TrAsk:   if (op_ready_i) tr_q <= TrWait;
        default: if (t_done) tr_q <= TrIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (tr_q == TrIdle) begin
      t_save_q <= sq_take || rq_take;
      t_tries_q <= sq_take ? '0 : rq_tries;
      t_qpn_q  <= sq_take ? sq : rq_take ? rq : hq;
    end
  end

  // ---------------------------------------------------------------- they wait for their pins
  // A pin that was given before the directory said going is in the counters when its candidate is looked at: two
  // cycles against three. c: the one that is looked at.
  logic [N_CAND-1:0]          w_used_q, w_save_q;
  logic [N_CAND-1:0][SlW-1:0] w_slot_q;
  logic [N_CAND-1:0][QpW-1:0] w_qpn_q;
  logic [CaW-1:0]             w_free, c_idx, c_idx_q;
  logic                       c_any, out_v, out_r, back;
  typedef enum logic [2:0] { PoIdle, PoLook, PoRead, PoSum, PoCheck, PoOut, PoBack, PoKept } po_e;
  po_e                        po_q;
  localparam int unsigned LoW = $clog2(SAVE_LOOKS + 1);
  logic [N_CAND-1:0][LoW-1:0] w_looks_q;
  logic                       patient, k_save_q;
  logic [QpW-1:0]             k_qpn_q;   // who went home again; its entry may be another's
  logic [11:0]                p_taken_q, p_sum_q;

  always_comb begin
    w_free = '0;
    wait_n = '0;
    for (int i = N_CAND - 1; i >= 0; i--) begin
      if (!w_used_q[i]) w_free = CaW'(i);
    end
    for (int unsigned i = 0; i < N_CAND; i++) wait_n = wait_n + (CaW + 1)'(w_used_q[i]);
  end
  weft_arb_rr #(.N(N_CAND)) u_poll (
    .clk_i, .rst_ni, .req_i(w_used_q), .advance_i(po_q == PoIdle), .valid_o(c_any), .gnt_o(), .idx_o(c_idx)
  );
  assign patient = w_save_q[c_idx_q] && w_looks_q[c_idx_q] != LoW'(SAVE_LOOKS);
  assign poll  = po_q == PoLook;
  assign out_v = po_q == PoOut && !set_i;
  assign clr   = out_v && out_r;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      po_q     <= PoIdle;
      w_used_q <= '0;
    end else begin
      unique case (po_q)
        PoIdle:  if (c_any) po_q <= PoLook;
        PoLook:  po_q <= PoRead;
        PoRead:  po_q <= PoSum;
        PoSum:   po_q <= PoCheck;
        PoCheck: po_q <= p_taken_q == p_sum_q ? PoOut : patient ? PoIdle : PoBack;
        PoBack:  if (back) po_q <= k_save_q ? PoKept : PoIdle;
        PoKept:  if (saved_busy) po_q <= PoIdle;
        default: if (clr) po_q <= PoIdle;
      endcase
      if (put) w_used_q[w_free] <= 1'b1;
      if (clr || back) w_used_q[c_idx_q] <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (po_q == PoIdle) begin
      c_idx_q  <= c_idx;
      c_slot_q <= w_slot_q[c_idx];
    end
    if (po_q == PoRead) p_taken_q <= taken_i;
    if (po_q == PoSum) p_sum_q <= dropped_i;
    if (po_q == PoCheck) begin
      w_looks_q[c_idx_q] <= w_looks_q[c_idx_q] + LoW'(1);
      k_save_q           <= w_save_q[c_idx_q];
      k_qpn_q            <= w_qpn_q[c_idx_q];
    end
    if (put) begin
      w_looks_q[w_free] <= '0;
      w_slot_q[w_free] <= done_at_i;
      w_qpn_q[w_free]  <= t_qpn_q;
      w_save_q[w_free] <= t_save_q;
    end
  end

  // ---------------------------------------------------------------- to their homes
  logic           gone_v, gone_r, gone_save, wb_idle, g_wait_q, g_end;
  logic [QpW-1:0] gone_qpn;
  logic [SlW-1:0] gone_slot;
  weft_ctx_home #(.DATA_W(DATA_W), .QP_W(QpW), .SL_W(SlW), .N_ROOM(N_ROOM)) u_home (
    .clk_i, .rst_ni, .in_valid_i(out_v), .in_ready_o(out_r), .in_qpn_i(w_qpn_q[c_idx_q]), .in_slot_i(c_slot_q),
    .in_save_i(w_save_q[c_idx_q]), .out_valid_o, .out_ready_i, .out_o, .line_valid_i, .line_ready_o, .line_i,
    .home_re_o, .home_qpn_o, .home_ok_i, .home_addr_i, .wr_valid_o, .wr_ready_i, .wr_hdr_o, .wr_data_o, .wr_cnt_o, .wr_last_o,
    .gone_valid_o(gone_v), .gone_ready_i(gone_r), .gone_qpn_o(gone_qpn), .gone_slot_o(gone_slot), .gone_save_o(gone_save),
    .idle_o(wb_idle)
  );
  // The slot is free, and its connection away, when the directory says so.
  assign g_end       = g_wait_q && done_valid_i && done_op_i == weft_ctx_pkg::OpGone;
  assign gone_r      = g_end;
  assign free_o      = g_end;
  assign free_slot_o = gone_slot;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      g_wait_q <= 1'b0;
      busy_n   <= '0;
    end else begin
      g_wait_q <= !g_end && (g_wait_q || (op_ready_i && tr_q != TrAsk && po_q != PoBack && gone_v));
      busy_n   <= busy_n + NeW'(put) - NeW'(g_end) - NeW'(back);
    end
  end

  // ---------------------------------------------------------------- operations and answers
  assign op_valid_o = tr_q == TrAsk || po_q == PoBack || (gone_v && !g_wait_q);
  assign op_o       = tr_q == TrAsk ? weft_ctx_pkg::OpTry : po_q == PoBack ? weft_ctx_pkg::OpBack : weft_ctx_pkg::OpGone;
  assign op_qpn_o   = tr_q == TrAsk ? t_qpn_q : po_q == PoBack ? w_qpn_q[c_idx_q] : gone_qpn;
  assign op_slot_o  = po_q == PoBack ? c_slot_q : gone_slot;
  assign back       = po_q == PoBack && tr_q != TrAsk && op_ready_i;

  // All ends of a save come from the directory's pipe, so never two in one cycle.
  assign saved_busy    = po_q == PoKept && done_valid_i && done_op_i == weft_ctx_pkg::OpBack;
  assign saved         = (t_done && t_save_q && !put && !again) || (g_end && gone_save) || saved_busy;
  assign saved_valid_o = saved;
  assign saved_qpn_o   = saved_busy ? k_qpn_q : g_end ? gone_qpn : t_qpn_q;
  assign saved_ok_o    = g_end || (t_done && done_was_i == weft_ctx_pkg::StAway);
  assign saved_busy_o  = saved_busy || given_up || held;

  // A hand that goes round to look finds no candidates, so it is no work.
  assign idle_o       = swept_q && !run && (hand_idle || look_i) && !hq_v && saves_q == '0 && tr_q == TrIdle && wait_n == '0 && wb_idle
                        && !save_valid_i;
  assign stat_evict_o = clr;
  assign stat_wait_o  = po_q == PoCheck && p_taken_q != p_sum_q;

`ifndef SYNTHESIS
  initial begin
    if (SAVE_LOOKS < 1 || SAVE_TRIES < 1) $fatal(1, "weft_ctx_evict: SAVE_LOOKS");
    if (N_KEEP < 1 || N_KEEP > 8 || KEEP_CYCLES < 1) $fatal(1, "weft_ctx_evict: N_KEEP");
    if (N_CAND < 4 || N_CAND > 16) $fatal(1, "weft_ctx_evict: N_CAND");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
