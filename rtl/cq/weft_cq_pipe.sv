// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Completion queues as a context pipeline: an item a cycle over different queues, every second cycle on one. Items
/// are completions, doorbells and times to look at, and the configuration's commits and fetches; those of a queue keep their
/// order.
///
/// Stage 0 reads context and doorbell, 1 to 2 decide (weft_cq_check), 3 writes the context, finds the piece of the ring and takes the time, 4 hands out
/// the entry, the event that it calls for, and firmware's event. What an item can hand out has room before it enters.
/// The next item of a run takes the context from stage 3, not from the memory. Where a ring's pieces are decides nothing, so that is beside the
/// context, in a memory of its own: written by stage 3, read for it, and no part of what a run hands on. Two items of a queue are two cycles apart,
/// so what is behind a commit reads what that has written.
///
/// With MODERATION an event may be held back (docs/moderation.md). The context has one bit for that; how long, and until when, is in two memories
/// beside it, which are read in stage 1, as decisions want them: of the item in front, which writes then, stage 2 is told. `set_*` asks for a look
/// at the end of a hold, which comes back as a look that is due.
module weft_cq_pipe #(
  parameter int unsigned N_CQ = 16,    ///< a power of two, 2 to 65536
  parameter int unsigned N_EQ = 8,
  parameter int unsigned WAIT = 8,     ///< items that wait for their queue, 2 to 32
  parameter int unsigned PIECES = 4,   ///< of a ring at most: 1, 2 or 4
  parameter bit          MODERATION = 1'b1, ///< events may be held back
  localparam int unsigned CqW = $clog2(N_CQ)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [55:0]            now_i,         ///< now_ns modulo 2^56; a unit of time is 1,024 ns
  input  logic                   in_valid_i,
  output logic                   in_ready_o,
  input  logic [1:0]             in_kind_i,     ///< 0 completion, 1 look, 2 commit, 3 fetch
  input  logic [CqW-1:0]         in_cqn_i,
  input  weft_pkg::cqe_req_t     in_cqe_i,      ///< of a look: SOLICITED, it is due

  // doorbells, weft_cq_db
  output logic                   db_re_o,
  output logic [CqW-1:0]         db_rid_o,
  input  logic [23:0]            db_ci_i,
  input  logic                   db_gen_i,
  input  logic                   db_next_i,
  input  logic                   db_sol_i,
  output logic                   b_we_o,
  output logic [CqW-1:0]         b_id_o,
  output logic                   b_gen_o,
  output logic                   b_next_o,
  output logic                   b_sol_o,

  // one commit or fetch at a time is inside
  input  weft_abi_pkg::ctx_cq_t  cfg_data_i,    ///< of a commit; stays until cfg_done_o
  output logic                   cfg_done_o,    ///< pulse
  output weft_abi_pkg::ctx_cq_t  cfg_data_o,    ///< of a fetch, with the pulse

  input  logic                   go_i,          ///< there is room for six entries, events and times
  output logic                   cqe_valid_o,   ///< always taken
  output logic [63:0]            cqe_addr_o,    ///< bus address
  output weft_abi_pkg::cqe_t     cqe_o,
  output logic                   set_valid_o,   ///< a look is to be due; always taken
  output logic [CqW-1:0]         set_cqn_o,
  output logic [15:0]            set_period_o,  ///< in so many units
  output logic                   ask_valid_o,   ///< something for an event queue; always taken
  output logic [1:0]             ask_kind_o,    ///< 0 completion event, 1 error event, 2 drain token
  output logic [15:0]            ask_eqn_o,
  output logic [15:0]            ask_cqn_o,
  output logic                   over_valid_o,  ///< a queue stopped; always taken
  output logic [15:0]            over_cqn_o,

  output logic                   idle_o,
  output logic                   stat_cqe_o,
  output logic                   stat_over_o
);

  localparam int unsigned CheckW = 175;  // of weft_cq_check: {valid, stopped, log2, EQN, base, what counts}
  localparam int unsigned CountW = 88;
  localparam int unsigned CtxW = CheckW - 64 + 2;  // log2 of pieces for base
  localparam int unsigned RecW = CtxW + 4;
  localparam int unsigned MostLog2 = $clog2(PIECES);
  localparam int unsigned BasesW = 58 + 52 * (PIECES - 1);
  localparam logic [1:0] KindCqe = 2'd0, KindLook = 2'd1, KindCommit = 2'd2, KindFetch = 2'd3;

  // ---------------------------------------------------------------- clearing
  logic           clear_q;
  logic [CqW-1:0] at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      at_q    <= '0;
    end else if (clear_q) begin
      clear_q <= at_q != '1;
      at_q    <= at_q + 1'b1;
    end
  end

  // ---------------------------------------------------------------- the pipe
  logic           pv, pr, st_valid, st_cont, pipe_idle;
  logic [CqW-1:0] st_cqn;
  logic [162:0]   st_item;
  assign pv         = in_valid_i && !clear_q;
  assign in_ready_o = pr && !clear_q;
  weft_ctx_pipe #(.SLOT_W(CqW), .ITEM_W(163), .STAGES(4), .WAIT(WAIT), .RUN_MAX(16)) u_pipe (
    .clk_i, .rst_ni, .in_valid_i(pv), .in_ready_o(pr), .in_slot_i(in_cqn_i), .in_item_i({in_kind_i, in_cqe_i}),
    .go_i, .st_valid_o(st_valid), .st_slot_o(st_cqn), .st_item_o(st_item), .st_cont_o(st_cont), .st2_last_o(),
    .rel_valid_o(), .rel_slot_o(), .busy_slot_i('0), .busy_o(), .idle_o(pipe_idle),
    .stat_item_o(), .stat_visit_o(), .stat_wait_o(), .stat_stall_o()
  );

  logic [4:1]          v_q;
  logic [3:1][1:0]     kind_q;
  logic [3:1][CqW-1:0] cqn_q;
  weft_pkg::cqe_req_t  r1_q, r2_q, r3_q;
  logic                cont1_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= '0;
    else v_q <= {v_q[3:1], st_valid};
  end
  always_ff @(posedge clk_i) begin
    if (st_valid) begin
      kind_q[1] <= st_item[162:161];
      cqn_q[1]  <= st_cqn;
      r1_q      <= st_item[160:0];
      cont1_q   <= st_cont;
    end
    if (v_q[1]) begin
      kind_q[2] <= kind_q[1];
      cqn_q[2]  <= cqn_q[1];
      r2_q      <= r1_q;
    end
    if (v_q[2]) begin
      kind_q[3] <= kind_q[2];
      cqn_q[3]  <= cqn_q[2];
      r3_q      <= r2_q;
    end
  end

  // ---------------------------------------------------------------- 0 to 1: context and doorbell
  // Record: {an event is held back, generation, this side's bits of the arms, context of weft_cq_check}
  logic [RecW-1:0] mem, rec1, rec3;
  logic            gen1, next1, sol1, gen2_q, bn2_q, bs2_q, an2_q, as2_q, gen3_q, bn3_q, bs3_q, an3_q, as3_q, ag2_q, ag3_q;
  logic            held1, held2_q, held3_q;
  logic [CtxW-1:0] ctx1;
  weft_ram_1r1w #(.W(RecW), .DEPTH(N_CQ)) u_rec (
    .clk_i, .we_i(clear_q || v_q[3]), .waddr_i(clear_q ? at_q : cqn_q[3]), .wdata_i(clear_q ? '0 : rec3),
    .re_i(st_valid), .raddr_i(st_cqn), .rdata_o(mem)
  );
  assign db_re_o  = st_valid;
  assign db_rid_o = st_cqn;
  assign rec1     = cont1_q ? rec3 : mem;
  assign {held1, gen1, next1, sol1, ctx1} = rec1;
  always_ff @(posedge clk_i) begin
    {held3_q, held2_q}     <= {held2_q, held1};
    {gen2_q, bn2_q, bs2_q} <= {gen1, next1, sol1};
    {ag2_q, an2_q, as2_q}  <= {db_gen_i, db_next_i, db_sol_i};
    {gen3_q, bn3_q, bs3_q} <= {gen2_q, bn2_q, bs2_q};
    {ag3_q, an3_q, as3_q}  <= {ag2_q, an2_q, as2_q};
  end

  // ---------------------------------------------------------------- 1 to 3: what is to be done
  weft_abi_pkg::ctx_cq_t cm;
  logic        post3, over3, fire3, hold3, first3, phase3, to_eq3, fits3, calls2, due2, unused_report;
  logic [15:0] hold2;
  logic [15:0] aux3;
  logic [31:0] unused_lost;
  logic [63:0] off3;
  logic [CheckW-1:0] ctx3;
  assign cm     = cfg_data_i;
  assign calls2 = r2_q.solicited || r2_q.status != weft_abi_pkg::WC_STATUS_SUCCESS;
  weft_cq_check #(.N_EQ(N_EQ)) u_check (
    .clk_i, .cq_i(v_q[1]), .eq_i(1'b0), .ctx_i({ctx1[CtxW-1:CountW+2], 64'd0, ctx1[CountW-1:0]}), .seen_i(db_gen_i == gen1), .ci_i(db_ci_i),
    .next_i(db_next_i != next1), .solicited_i(db_sol_i != sol1),
    .entry_i(kind_q[2] == KindCqe), .calls_i(calls2), .to_log2_i(cm.log2[4:0]), .hold_i(hold2), .due_i(due2),
    .addr_o(off3), .phase_o(phase3), .aux_o(aux3), .to_eq_o(to_eq3), .lost_o(unused_lost),
    .ctx_o(ctx3), .post_o(post3), .over_o(over3), .report_o(unused_report), .fire_o(fire3),
    .hold_o(hold3), .first_o(first3), .fits_o(fits3)
  );

  // ---------------------------------------------------------------- 3: done
  logic                  is_cqe, looks, write, set, fire, post, over, drain, resize, moderate, known, taken, resized_q;
  logic [CtxW-1:0]       old3_q, old2_q;   // the context as it was
  assign is_cqe = kind_q[3] == KindCqe;
  assign post   = v_q[3] && is_cqe && post3;
  assign over   = v_q[3] && is_cqe && over3;
  assign looks  = !kind_q[3][1] || moderate;
  assign fire   = looks && fire3;
  assign write  = kind_q[3] == KindCommit && cm.cmd == weft_abi_pkg::CTX_CMD_WRITE;
  assign set    = kind_q[3] == KindCommit && cm.cmd == weft_abi_pkg::CTX_CMD_SET_STATE;
  assign resize = kind_q[3] == KindCommit && cm.cmd == weft_abi_pkg::CTX_CMD_RESIZE;
  assign moderate = kind_q[3] == KindCommit && cm.cmd == weft_abi_pkg::CTX_CMD_MODERATE && MODERATION;
  assign known  = cm.log2 <= 8'(weft_abi_pkg::CQ_LOG2_MAX) && cm.pieces <= 8'(MostLog2);
  assign taken  = fits3 && known;
  assign drain  = v_q[3] && kind_q[3] == KindCommit && cm.cmd == weft_abi_pkg::CTX_CMD_DRAIN;
  always_ff @(posedge clk_i) begin
    old2_q <= ctx1;
    old3_q <= old2_q;
    if (v_q[3] && resize) resized_q <= taken;
  end

  logic            x_valid, x_stopped;
  logic [4:0]      x_log2;
  logic [1:0]      x_pieces;
  logic [15:0]     x_aux;
  logic [31:0]     x_pi, x_extra;
  logic [23:0]     x_first;
  assign {x_valid, x_stopped, x_log2, x_aux, x_pieces, x_pi, x_extra, x_first} = old3_q;

  always_comb begin
    rec3 = {looks ? hold3 && MODERATION : held3_q && !write, gen3_q, bn3_q, bs3_q, old3_q};
    if (is_cqe && (post3 || over3)) rec3[CtxW-1:0] = {ctx3[CheckW-1:CountW+64], x_pieces, ctx3[CountW-1:0]};
    if (fire || write) rec3[CtxW+:2] = {an3_q, as3_q};
    if (write) begin
      rec3[CtxW+2]     = !ag3_q;
      rec3[CtxW-1:0]   = {cm.valid && known, 1'b0, cm.log2[4:0], cm.eqn, cm.pieces[1:0], cm.pi, cm.pi, cm.first};
    end
    // Entries before this one went to the old ring, those behind it go to the new one.
    if (resize && taken) rec3[CtxW-1:0] = {x_valid, x_stopped, cm.log2[4:0], x_aux, cm.pieces[1:0], x_pi, x_extra, x_pi[23:0]};
    if (set) rec3[CtxW-1] = cm.valid && x_log2 <= 5'(weft_abi_pkg::CQ_LOG2_MAX) && x_pieces <= 2'(MostLog2);
  end
  assign b_we_o   = v_q[3];
  assign b_id_o   = cqn_q[3];
  assign b_gen_o  = rec3[CtxW+2];
  assign b_next_o = rec3[CtxW+1];
  assign b_sol_o  = rec3[CtxW];

  // ---------------------------------------------------------------- 1 to 4: what is held back, and until when
  if (MODERATION) begin : gen_hold
    localparam int unsigned UnitLsb = 10;
    logic        load3, begin3, fwd2_q, begun2_q, late2, again2, again3_q;
    logic [31:0] mod, mod2, fwd_q;
    logic [15:0] period3_q, left3_q;
    logic [16:0] end2, unit, left2;  // units modulo 2^17: a hold ends within 64,000
    assign load3  = v_q[3] && (write || moderate);
    assign begin3 = v_q[3] && looks && hold3 && (!held3_q || first3);
    assign unit   = now_i[UnitLsb+:17];
    weft_ram_1r1w #(.W(32), .DEPTH(N_CQ)) u_mod (
      .clk_i, .we_i(load3), .waddr_i(cqn_q[3]), .wdata_i({cm.hold, cm.period}), .re_i(v_q[1]), .raddr_i(cqn_q[1]), .rdata_o(mod)
    );
    weft_ram_1r1w #(.W(17), .DEPTH(N_CQ)) u_end (
      .clk_i, .we_i(begin3), .waddr_i(cqn_q[3]), .wdata_i(unit + 17'(period3_q)), .re_i(v_q[1]), .raddr_i(cqn_q[1]), .rdata_o(end2)
    );
    always_ff @(posedge clk_i) begin
      fwd2_q    <= load3 && cont1_q;
      begun2_q  <= begin3 && cont1_q;
      fwd_q     <= {cm.hold, cm.period};
      period3_q <= mod2[15:0];
      left3_q   <= left2[15:0];
      again3_q  <= again2;
    end
    // A time may be that of a hold which is over: then another one has its own. One that comes so late that it seems early is put off, not lost.
    assign mod2   = fwd2_q ? fwd_q : mod;
    assign hold2  = mod2[31:16];
    assign left2  = end2 - unit;
    assign late2  = left2 == '0 || left2[16];
    assign again2 = kind_q[2] == KindLook && r2_q.solicited && held2_q && !begun2_q && !late2;
    assign due2   = (kind_q[2] == KindLook && r2_q.solicited && held2_q && !begun2_q && late2)
                    || (kind_q[2] == KindCommit && cm.cmd == weft_abi_pkg::CTX_CMD_MODERATE);
    logic           set4_q;
    logic [CqW-1:0] set_cqn4_q;
    logic [15:0]    set_period4_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) set4_q <= 1'b0;
      else set4_q <= begin3 || (v_q[3] && again3_q);
    end
    always_ff @(posedge clk_i) begin
      set_cqn4_q    <= cqn_q[3];
      set_period4_q <= begin3 ? period3_q : left3_q;
    end
    assign set_valid_o  = set4_q;
    assign set_cqn_o    = set_cqn4_q;
    assign set_period_o = set_period4_q;
  end else begin : gen_at_once
    assign hold2        = '0;
    assign due2         = 1'b0;
    assign set_valid_o  = 1'b0;
    assign set_cqn_o    = '0;
    assign set_period_o = '0;
    logic unused_hold;
    assign unused_hold = ^{held3_q, hold3, first3};
  end

  // ---------------------------------------------------------------- 2 to 4: where the entry lies
  logic [BasesW-1:0]   bases_d, bases3;
  logic [3:0][57:0]    base3;   // in units of 64 bytes
  logic [4:0]          span_q;  // log2 of the entries of a piece
  logic [19:0]         at_piece;
  logic [57:0]         base4_q;
  logic [24:0]         off4_q;
  logic [CqW-1:0]      cqn4_q;
  logic [55:0]         stamp4_q;  // the clock at stage 3, as entries keep their order from there on
  weft_pkg::cqe_req_t  r4_q;
  logic                phase4_q, post4_q, over4_q, ask4_q;
  logic [1:0]          ask_kind4_q;
  logic [15:0]         aux4_q;
  weft_ram_1r1w #(.W(BasesW), .DEPTH(N_CQ)) u_bases (
    .clk_i, .we_i(v_q[3] && (write || (resize && taken))), .waddr_i(cqn_q[3]), .wdata_i(bases_d),
    .re_i(v_q[2]), .raddr_i(cqn_q[2]), .rdata_o(bases3)
  );
  if (PIECES == 4) begin : gen_four
    assign bases_d = {cm.base3[63:12], cm.base2[63:12], cm.base1[63:12], cm.base[63:6]};
    assign base3   = {bases3[213:162], 6'd0, bases3[161:110], 6'd0, bases3[109:58], 6'd0, bases3[57:0]};
  end else if (PIECES == 2) begin : gen_two
    assign bases_d = {cm.base1[63:12], cm.base[63:6]};
    assign base3   = {116'd0, bases3[109:58], 6'd0, bases3[57:0]};
  end else begin : gen_one
    assign bases_d = cm.base[63:6];
    assign base3   = {174'd0, bases3};
  end
  assign at_piece = off3[24:5] >> span_q;
  always_ff @(posedge clk_i) begin
    if (v_q[2]) span_q <= old2_q[CtxW-3-:5] - 5'(old2_q[CountW+:2]);
    if (v_q[3]) begin
      base4_q     <= base3[at_piece[1:0]];
      off4_q      <= off3[24:0] & ~(25'h1ffffe0 << span_q);
      r4_q        <= r3_q;
      phase4_q    <= phase3;
      cqn4_q      <= cqn_q[3];
      stamp4_q    <= now_i;
      aux4_q      <= aux3;
      ask_kind4_q <= drain ? 2'd2 : over ? 2'd1 : 2'd0;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {post4_q, over4_q, ask4_q} <= '0;
    else {post4_q, over4_q, ask4_q} <= {post, over, drain || (v_q[3] && (over || fire) && to_eq3)};
  end

  always_comb begin
    cfg_data_o        = '0;
    cfg_data_o.base   = {base3[0], 6'd0};
    cfg_data_o.base1  = {base3[1], 6'd0};
    cfg_data_o.base2  = {base3[2], 6'd0};
    cfg_data_o.base3  = {base3[3], 6'd0};
    cfg_data_o.pieces = 8'(x_pieces);
    cfg_data_o.log2  = 8'(x_log2);
    cfg_data_o.eqn   = x_aux;
    cfg_data_o.valid = x_valid;
    cfg_data_o.pi    = x_pi;
    cfg_data_o.first = x_first;
    cfg_data_o.resized = resized_q;
    cqe_o            = '0;
    cqe_o.qpn        = {8'd0, r4_q.qpn};
    cqe_o.opcode     = r4_q.opcode;
    cqe_o.index      = r4_q.index;
    cqe_o.status     = r4_q.status;
    cqe_o.bytes      = r4_q.bytes;
    cqe_o.inv_stag   = r4_q.inv_stag;
    cqe_o.vendor_err = r4_q.vendor_err;
    cqe_o.stamp      = stamp4_q;
    cqe_o.solicited  = r4_q.solicited;
    cqe_o.phase      = phase4_q;
  end
  assign cfg_done_o   = v_q[3] && (kind_q[3] == KindCommit || kind_q[3] == KindFetch);
  assign cqe_valid_o  = post4_q;
  assign cqe_addr_o   = {base4_q, 6'd0} + 64'(off4_q);
  assign ask_valid_o  = ask4_q;
  assign ask_kind_o   = ask_kind4_q;
  assign ask_eqn_o    = aux4_q;
  assign ask_cqn_o    = 16'(cqn4_q);
  assign over_valid_o = over4_q;
  assign over_cqn_o   = 16'(cqn4_q);
  assign idle_o       = !clear_q && pipe_idle && !in_valid_i && v_q == '0;
  assign stat_cqe_o   = post4_q;
  assign stat_over_o  = over4_q;

  logic unused;
  assign unused = ^{cm, r4_q.cqn, off3, ctx3, at_piece[19:2]};

`ifndef SYNTHESIS
  initial if (PIECES != 1 && PIECES != 2 && PIECES != 4) $fatal(1, "weft_cq_pipe: PIECES");
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
