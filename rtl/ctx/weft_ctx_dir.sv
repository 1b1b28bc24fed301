// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Directory of room ctx: which connection is in which slot. A look-up a cycle; the answer comes two
/// cycles after the request was taken, and must be taken at once. An answer `HaveHome` has taken a pin.
///
/// States of a QPN: none (no such connection), away (its home is in host memory), coming (miss m), home
/// (slot s), resuming (home, but frames that were parked for it come first: others of class frame are told
/// `coming` until `OpResumed`), going (slot s is being written to its home), held (firmware is writing its
/// home: like coming, of a miss that is taken for it alone).
///
/// Of the misses frames get three quarters at most, both they and sending leave one of 16 to timers, and everybody, held
/// connections too, leaves one to firmware; so no peer and no process keeps the others' connections away.
///
/// Operations of the other parts of ctx pass through the same pipeline, so every change of a state stands
/// in one order with the look-ups. They come before look-ups.
module weft_ctx_dir #(
  parameter int unsigned N_QP = 1024,   ///< power of two, 4 to 262144
  parameter int unsigned N_SLOT = 256,  ///< power of two, 4 to 4096
  parameter int unsigned N_MISS = 64,   ///< power of two, 4 to 64
  parameter int unsigned N_NEED = 4,    ///< clients; number 0 is the look-up of frames
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned MiW = $clog2(N_MISS)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  output logic                    ready_o,        ///< the sweep after reset is over

  input  logic [N_NEED-1:0]       need_valid_i,
  output logic [N_NEED-1:0]       need_ready_o,
  input  logic [N_NEED*25-1:0]    need_i,         ///< weft_dp_pkg::need_t each
  output logic [N_NEED-1:0]       have_valid_o,   ///< pulse
  output weft_dp_pkg::have_t      have_o,

  input  logic                    op_valid_i,
  output logic                    op_ready_o,
  input  logic [3:0]              op_i,           ///< weft_ctx_pkg, "Operations"
  input  logic [QpW-1:0]          op_qpn_i,
  input  logic [SlW-1:0]          op_slot_i,
  input  logic [MiW-1:0]          op_miss_i,
  output logic                    done_valid_o,   ///< pulse, two cycles behind an operation
  output logic [3:0]              done_op_o,
  output logic [QpW-1:0]          done_qpn_o,
  output logic [SlW-1:0]          done_slot_o,    ///< as asked
  output logic [SlW-1:0]          done_at_o,      ///< was home or going: in this slot
  output logic [2:0]              done_was_o,     ///< weft_ctx_pkg::st_e before it
  output logic                    done_frames_o,  ///< OpArrive, OpLost, OpDestroy of held: frames wait
  output logic [MiW-1:0]          done_miss_o,    ///< was coming or held: of this miss
  output logic                    done_ok_o,      ///< it was in a state that allows it

  output logic                    take_o,         ///< pulse: a pin was taken on
  output logic [SlW-1:0]          take_slot_o,
  output logic                    fill_o,         ///< pulse: a new miss; always taken
  output logic                    fill_wait_o,    ///< ... to be filled when its write-back is done (OpGone)
  output logic [MiW-1:0]          fill_miss_o,
  output logic [QpW-1:0]          fill_qpn_o,
  output logic [1:0]              fill_class_o,   ///< a hand-over counts as a timer's: the last slot is for firmware's commands
  output logic                    promo_o,        ///< pulse: firmware asks for fill_miss_o, too
  input  logic                    miss_free_i,    ///< pulse: this miss is over
  input  logic [MiW-1:0]          miss_free_idx_i,

  output logic                    idle_o,
  output logic                    stat_hit_o,     ///< pulse: a look-up found its connection home
  output logic                    stat_miss_o,    ///< pulse: a fill began
  output logic                    stat_busy_o     ///< pulse: a look-up found no miss free
);

  localparam int unsigned IdxW = SlW > MiW ? SlW : MiW;
  localparam int unsigned EntW = 3 + IdxW;

  // ---------------------------------------------------------------- sweep
  logic           sweep_q;
  logic [QpW-1:0] sweep_idx_q;
  assign ready_o = !sweep_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sweep_q     <= 1'b1;
      sweep_idx_q <= '0;
    end else if (sweep_q) begin
      sweep_idx_q <= sweep_idx_q + QpW'(1);
      sweep_q     <= sweep_idx_q != '1;
    end
  end

  // ---------------------------------------------------------------- stage 0: who, and the read
  localparam int unsigned NeW = N_NEED > 1 ? $clog2(N_NEED) : 1;
  logic [N_NEED-1:0] gnt;
  logic [NeW-1:0]    gnt_idx;
  logic              gnt_any, s0_v, s0_op, s0_resume;
  logic [QpW-1:0]    s0_qpn;
  weft_arb_rr #(.N(N_NEED)) u_arb (
    .clk_i, .rst_ni, .req_i(need_valid_i), .advance_i(!sweep_q && !op_valid_i), .valid_o(gnt_any), .gnt_o(gnt),
    .idx_o(gnt_idx)
  );
  assign op_ready_o   = !sweep_q;
  assign need_ready_o = gnt & {N_NEED{!sweep_q && !op_valid_i}};
  assign s0_op        = op_valid_i && !sweep_q;
  assign s0_v         = !sweep_q && (op_valid_i || gnt_any);
  always_comb begin
    s0_qpn    = op_qpn_i;
    s0_resume = 1'b0;
    for (int unsigned c = 0; c < N_NEED; c++) begin
      if (!op_valid_i && gnt[c]) begin
        s0_qpn    = need_i[25*c+:QpW];
        s0_resume = need_i[25*c+24];
      end
    end
  end

  // ---------------------------------------------------------------- stage 1: decide and write
  logic            s1_v_q, s1_op_q, s1_resume_q, s2_we_q;
  logic [3:0]      s1_kind_q;
  logic [QpW-1:0]  s1_qpn_q, s2_wqpn_q;
  logic [SlW-1:0]  s1_slot_q;
  logic [MiW-1:0]  s1_miss_q;
  logic [NeW-1:0]  s1_who_q;
  logic [EntW-1:0] mem, ent, ent_d, s2_ent_q;
  logic [2:0]      st, st_d;
  logic [IdxW-1:0] idx, idx_d;
  logic            we, new_miss, new_wait, hit, busy, join_frame, promo;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) s1_v_q <= 1'b0;
    else s1_v_q <= s0_v;
  end
  always_ff @(posedge clk_i) begin
    s1_op_q     <= s0_op;
    s1_resume_q <= s0_resume;
    s1_kind_q   <= op_i;
    s1_qpn_q    <= s0_qpn;
    s1_slot_q   <= op_slot_i;
    s1_miss_q   <= op_miss_i;
    s1_who_q    <= gnt_idx;
  end
  weft_ram_1r1w #(.W(EntW), .DEPTH(N_QP)) u_dir (
    .clk_i, .we_i(sweep_q || we), .waddr_i(sweep_q ? sweep_idx_q : s1_qpn_q), .wdata_i(sweep_q ? '0 : ent_d),
    .re_i(s0_v), .raddr_i(s0_qpn), .rdata_o(mem)
  );
  // What was written in the cycle of the read is not in what was read.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) s2_we_q <= 1'b0;
    else s2_we_q <= we;
  end
  always_ff @(posedge clk_i) begin
    s2_wqpn_q <= s1_qpn_q;
    s2_ent_q  <= ent_d;
  end
  assign ent       = s2_we_q && s2_wqpn_q == s1_qpn_q ? s2_ent_q : mem;
  assign {st, idx} = ent;

  // Free misses; their numbers come from a counter first.
  logic           mf_v, mf_in_v, mf_in_r, miss_take;
  logic [MiW-1:0] mf, mf_in;
  logic [MiW:0]   fresh_q;
  assign mf_in_v = miss_free_i || !fresh_q[MiW];
  assign mf_in   = miss_free_i ? miss_free_idx_i : fresh_q[MiW-1:0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fresh_q <= '0;
    else if (!miss_free_i && !fresh_q[MiW] && mf_in_r) fresh_q <= fresh_q + (MiW + 1)'(1);
  end
  weft_fifo #(.W(MiW), .DEPTH(N_MISS)) u_free (
    .clk_i, .rst_ni, .in_valid_i(mf_in_v), .in_ready_o(mf_in_r), .in_data_i(mf_in),
    .out_valid_o(mf_v), .out_ready_i(miss_take), .out_data_o(mf), .count_o(mf_n)
  );

  // Of fewer than 16 there is one for both.
  localparam int unsigned ForLate = N_MISS < 16 ? 1 : N_MISS / 16 + 1;
  logic [N_MISS-1:0] frames_q;  // frames wait for this miss
  logic [N_MISS-1:0] for_frame_q;  // a frame made it
  logic [MiW:0]      n_frame_q, mf_n;
  logic              is_frame, is_late, is_fw, arr_frames, miss_ok, two_free;
  assign is_frame   = s1_who_q == '0;
  assign is_fw      = s1_who_q == NeW'(weft_dp_pkg::NeedFw);
  assign is_late    = s1_who_q != '0 && s1_who_q != NeW'(weft_dp_pkg::NeedSend);
  assign arr_frames = frames_q[s1_miss_q];
  assign two_free   = mf_n > (MiW + 1)'(1);
  assign miss_ok    = mf_v && (!is_frame || n_frame_q < (MiW + 1)'(N_MISS * 3 / 4)) && (is_fw || two_free)
                      && (is_late || mf_n > (MiW + 1)'(ForLate));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) n_frame_q <= '0;
    else n_frame_q <= n_frame_q + (MiW + 1)'(new_miss && !s1_op_q && is_frame)
                      - (MiW + 1)'(miss_free_i && for_frame_q[miss_free_idx_i]);
  end

  always_comb begin
    st_d       = st;
    idx_d      = idx;
    we         = 1'b0;
    new_miss   = 1'b0;
    new_wait   = 1'b0;
    hit        = 1'b0;
    busy       = 1'b0;
    join_frame = 1'b0;
    promo      = 1'b0;
    if (s1_v_q && !s1_op_q) begin
      unique case (st)
        weft_ctx_pkg::StAway, weft_ctx_pkg::StGoing: begin
          new_miss = miss_ok;
          new_wait = st == weft_ctx_pkg::StGoing;
          busy     = !miss_ok;
          we       = miss_ok;
          st_d     = weft_ctx_pkg::StComing;
          idx_d    = IdxW'(mf);
        end
        weft_ctx_pkg::StComing: begin
          join_frame = is_frame;
          promo      = is_fw;
        end
        weft_ctx_pkg::StHeld: join_frame = is_frame;
        weft_ctx_pkg::StHome: hit = 1'b1;
        weft_ctx_pkg::StResuming: hit = !is_frame || s1_resume_q;
        default: ;
      endcase
    end else if (s1_v_q) begin
      unique case (s1_kind_q)
        weft_ctx_pkg::OpCreate: begin
          we   = st == weft_ctx_pkg::StNone && stale_q == '0;
          st_d = weft_ctx_pkg::StAway;
        end
        weft_ctx_pkg::OpHold: begin
          new_miss = st == weft_ctx_pkg::StNone && two_free && stale_q == '0;
          new_wait = 1'b1;
          we       = new_miss;
          st_d     = weft_ctx_pkg::StHeld;
          idx_d    = IdxW'(mf);
        end
        weft_ctx_pkg::OpRelease: begin
          we   = st == weft_ctx_pkg::StHeld;
          st_d = weft_ctx_pkg::StComing;
        end
        weft_ctx_pkg::OpDestroy: begin
          we   = st == weft_ctx_pkg::StAway || st == weft_ctx_pkg::StHeld;
          st_d = weft_ctx_pkg::StNone;
        end
        weft_ctx_pkg::OpArrive: begin
          we    = 1'b1;
          st_d  = arr_frames ? weft_ctx_pkg::StResuming : weft_ctx_pkg::StHome;
          idx_d = IdxW'(s1_slot_q);
        end
        weft_ctx_pkg::OpLost: begin
          we   = 1'b1;
          st_d = weft_ctx_pkg::StNone;
        end
        weft_ctx_pkg::OpResumed: begin
          we   = st == weft_ctx_pkg::StResuming;
          st_d = weft_ctx_pkg::StHome;
        end
        weft_ctx_pkg::OpTry: begin
          we   = st == weft_ctx_pkg::StHome;
          st_d = weft_ctx_pkg::StGoing;
        end
        weft_ctx_pkg::OpGone: begin
          we   = st == weft_ctx_pkg::StGoing;
          st_d = weft_ctx_pkg::StAway;
        end
        weft_ctx_pkg::OpBack: begin
          we    = st == weft_ctx_pkg::StGoing || st == weft_ctx_pkg::StComing;
          st_d  = st == weft_ctx_pkg::StComing && frames_q[idx[MiW-1:0]] ? weft_ctx_pkg::StResuming : weft_ctx_pkg::StHome;
          idx_d = IdxW'(s1_slot_q);
        end
        default: ;
      endcase
    end
  end
  assign ent_d     = {st_d, idx_d};
  assign miss_take = new_miss;

  always_ff @(posedge clk_i) begin
    if (new_miss) for_frame_q[mf] <= !s1_op_q && is_frame;
    if (new_miss) frames_q[mf] <= !s1_op_q && is_frame;
    else if (join_frame) frames_q[idx[MiW-1:0]] <= 1'b1;
  end

  // Frames of a connection that is gone are still to be let go: its QPN is not given to another before,
  // whose `resumed` theirs would be taken for.
  logic [MiW:0] stale_q;
  logic         stale_up, stale_dn;
  assign stale_up = s1_v_q && s1_op_q && we && st_d == weft_ctx_pkg::StNone && st != weft_ctx_pkg::StAway
                    && frames_q[idx[MiW-1:0]];
  assign stale_dn = s1_v_q && s1_op_q && s1_kind_q == weft_ctx_pkg::OpResumed && !we;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stale_q <= '0;
    else stale_q <= stale_q + (MiW + 1)'(stale_up) - (MiW + 1)'(stale_dn);
  end

  // ---------------------------------------------------------------- the miss of a slot that resumes
  logic [MiW-1:0] res_miss;
  logic           arrives;
  logic [MiW-1:0] its_miss;
  assign its_miss = s1_kind_q == weft_ctx_pkg::OpBack ? idx[MiW-1:0] : s1_miss_q;
  assign arrives = s1_v_q && s1_op_q && we && st_d == weft_ctx_pkg::StResuming;
  weft_ram_1r1w #(.W(MiW), .DEPTH(N_SLOT)) u_res (
    .clk_i, .we_i(arrives), .waddr_i(s1_slot_q),
    .wdata_i(its_miss),
    .re_i(s1_v_q), .raddr_i(idx[SlW-1:0]), .rdata_o(res_miss)
  );

  // ---------------------------------------------------------------- stage 2: answers
  logic [N_NEED-1:0] hv_q;
  logic [1:0]        state_q;
  logic [QpW-1:0]    qpn_q;
  logic [IdxW-1:0]   idx_q;
  logic              res_q, arr_q;
  logic [MiW-1:0]    arr_miss_q;
  logic [SlW-1:0]    arr_slot_q;
  // A frame that follows an arrival at once: the miss is not in the RAM's answer yet.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hv_q         <= '0;
      done_valid_o <= 1'b0;
      take_o       <= 1'b0;
      fill_o       <= 1'b0;
      promo_o      <= 1'b0;
      arr_q        <= 1'b0;
    end else begin
      hv_q         <= s1_v_q && !s1_op_q ? N_NEED'(1) << s1_who_q : '0;
      done_valid_o <= s1_v_q && s1_op_q;
      take_o       <= hit;
      fill_o       <= new_miss;
      promo_o      <= promo;
      arr_q        <= arrives;
    end
  end
  always_ff @(posedge clk_i) begin
    state_q <= busy ? weft_dp_pkg::HaveBusy : hit ? weft_dp_pkg::HaveHome
               : st == weft_ctx_pkg::StNone ? weft_dp_pkg::HaveNone : weft_dp_pkg::HaveComing;
    qpn_q         <= s1_qpn_q;
    idx_q         <= new_miss ? IdxW'(mf) : idx;
    res_q         <= st == weft_ctx_pkg::StResuming && !hit;
    arr_miss_q    <= its_miss;
    arr_slot_q    <= s1_slot_q;
    done_op_o     <= s1_kind_q;
    done_qpn_o    <= s1_qpn_q;
    done_slot_o   <= s1_slot_q;
    done_was_o    <= st;
    done_frames_o <= frames_q[idx[MiW-1:0]];
    done_ok_o     <= we;
    done_miss_o   <= idx[MiW-1:0];
    done_at_o     <= idx[SlW-1:0];
    fill_wait_o   <= new_wait;
    fill_class_o  <= s1_op_q ? weft_dp_pkg::NeedTimer : weft_dp_pkg::need_e'(2'(s1_who_q));
  end
  logic           fwd_q;
  logic [MiW-1:0] fwd_miss_q, have_miss;
  always_ff @(posedge clk_i) begin
    fwd_q      <= arr_q && arr_slot_q == idx[SlW-1:0];
    fwd_miss_q <= arr_miss_q;
  end
  assign have_miss = !res_q ? idx_q[MiW-1:0] : fwd_q ? fwd_miss_q : res_miss;

  assign have_valid_o = hv_q;
  always_comb begin
    have_o       = '0;
    have_o.state = weft_dp_pkg::have_e'(state_q);
    have_o.qpn   = 24'(qpn_q);
    have_o.slot  = 12'(idx_q[SlW-1:0]);
    have_o.miss  = 6'(have_miss);
  end
  assign take_slot_o = idx_q[SlW-1:0];
  assign fill_miss_o = idx_q[MiW-1:0];
  assign fill_qpn_o  = qpn_q;
  assign idle_o      = !sweep_q && !s1_v_q && hv_q == '0 && !done_valid_o && !op_valid_i && need_valid_i == '0;
  assign stat_hit_o  = take_o;
  assign stat_miss_o = fill_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stat_busy_o <= 1'b0;
    else stat_busy_o <= busy;
  end

`ifndef SYNTHESIS
  initial begin
    if (N_QP < 4 || N_QP > 262144 || (N_QP & (N_QP - 1)) != 0) $fatal(1, "weft_ctx_dir: N_QP");
    if (N_SLOT < 4 || N_SLOT > 4096 || (N_SLOT & (N_SLOT - 1)) != 0) $fatal(1, "weft_ctx_dir: N_SLOT");
    if (N_MISS < 4 || N_MISS > 64 || (N_MISS & (N_MISS - 1)) != 0) $fatal(1, "weft_ctx_dir: N_MISS");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && s1_v_q && s1_op_q) begin
      if (s1_kind_q == weft_ctx_pkg::OpArrive || s1_kind_q == weft_ctx_pkg::OpLost) begin
        assert (st == weft_ctx_pkg::StComing && idx == IdxW'(s1_miss_q));
      end
      if (s1_kind_q == weft_ctx_pkg::OpGone) begin
        assert (st == weft_ctx_pkg::StGoing || st == weft_ctx_pkg::StComing);
      end
    end
  end
`endif
  // Upper bits of numbers that are narrower here.
  logic unused;
  assign unused = ^{need_i, fwd_miss_q};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
