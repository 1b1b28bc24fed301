// SPDX-License-Identifier: BSD-2-Clause

/// Completion and event queues: writes CQEs and EQEs to host memory in order, with phase bits, arms,
/// interrupts and overflow handling. Completions pass a context pipeline (weft_cq_pipe): one a cycle over
/// many queues, one every two cycles on one; eight cycles after it is offered an entry leaves. Events are made one at a time (weft_cq_eq).
///
/// An entry has the time of the cycle in front of the one in which stat_cqe_o counts it.
///
/// The ring of a CQ lies in one piece of the bus, or in 2 or 4 of one size each (docs/resize.md).
///
/// CQ (32-byte entries): an entry that would overwrite one beyond the consumer index of the last
/// doorbell is not written: the CQ stops until it is loaded anew, its EQ gets CQ_ERROR, firmware gets
/// CQ_OVERFLOW, and later completions are thrown away. Arms are one-shot. NEXT fires at the next entry,
/// SOLICITED at the next that is solicited or not successful; an entry of that kind that lies beyond
/// the consumer index when the arm is looked at fires at once, so poll-arm-poll misses nothing.
///
/// With MODERATION the event of an arm NEXT may wait for more entries, or for a time (docs/moderation.md). MODERATE of a CQ's context says for how
/// many and how long; WRITE does, too.
///
/// RESIZE of a CQ's context moves it to another ring between two of its entries; indices go on (docs/resize.md).
///
/// EQ (64-byte entries): events that find no room are counted, and reported with one EQ_OVERFLOW when
/// there is room again. An armed EQ raises its vector behind the entry, in the same posted order.
///
/// Doorbells are taken one a cycle, always. DRAIN answers DRAINED (CODE is the room, ID the queue) when
/// everything accepted before has been accepted by the posted stream. At most 2 * N_CQ firmware events
/// wait inside; a DRAIN beyond that holds the output, so firmware waits for one before the next of a
/// queue.
///
/// Contexts and doorbells of all queues are on chip: 206 bits for each, and 52 for each piece behind the first; with MODERATION 50 and a timer more.
///
/// Ports that hold several structs are plain vectors, as Yosys ignores dimensions behind a type name.
module weft_cq #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_CQ = 16,    ///< powers of two, 2 to 65536
  parameter int unsigned N_EQ = 8,     ///< powers of two, 2 to 256
  parameter int unsigned N_PORTS = 2,  ///< sources of completions
  parameter int unsigned PIECES = 4,   ///< of a CQ's ring at most: 1, 2 or 4
  parameter bit          MODERATION = 1'b1, ///< a CQ's events may be held back
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned CqW = $clog2(N_CQ)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic [63:0]                      now_ns_i,

  // Configuration bus: 0 room CQ, 1 room EQ
  input  logic [1:0]                       cfg_req_valid_i,
  output logic [1:0]                       cfg_req_ready_o,
  input  weft_pkg::cfg_req_t               cfg_req_i,
  output logic [1:0]                       cfg_rsp_valid_o,
  output logic [1:0][32:0]                 cfg_rsp_o,       ///< weft_pkg::cfg_rsp_t each

  input  logic [N_PORTS-1:0]               cqe_valid_i,
  output logic [N_PORTS-1:0]               cqe_ready_o,
  input  logic [N_PORTS-1:0][160:0]        cqe_i,           ///< weft_pkg::cqe_req_t each
  input  logic                             eqe_valid_i,   ///< event of firmware
  output logic                             eqe_ready_o,
  input  weft_pkg::eqe_req_t               eqe_i,

  input  logic                             cq_db_valid_i,
  input  logic [15:0]                      cq_db_cqn_i,
  input  logic [23:0]                      cq_db_index_i,
  input  logic [1:0]                       cq_db_arm_i,
  input  logic                             eq_db_valid_i,
  input  logic [15:0]                      eq_db_eqn_i,
  input  logic [23:0]                      eq_db_index_i,
  input  logic [1:0]                       eq_db_arm_i,

  output logic                             wr_valid_o,
  input  logic                             wr_ready_i,
  output weft_pkg::dma_wr_hdr_t            wr_hdr_o,
  output logic [DATA_W-1:0]                wr_data_o,
  output logic [CntW-1:0]                  wr_cnt_o,
  output logic                             wr_last_o,
  output logic                             irq_valid_o,
  input  logic                             irq_ready_i,
  output logic [10:0]                      irq_vector_o,
  output logic                             fwev_valid_o,
  input  logic                             fwev_ready_i,
  output weft_pkg::fw_ev_t                 fwev_o,

  output logic                             deadline_valid_o,
  output logic [63:0]                      deadline_ns_o,    ///< no event that is held back is told before
  output logic                             idle_o,
  output logic                             stat_cqe_o,       ///< a CQE was queued for the host
  output logic                             stat_overflow_o,  ///< a CQ stopped, or an event was lost
  output logic                             stat_eqe_o        ///< an EQE was queued for the host
);

  // ---------------------------------------------------------------- configuration
  logic [1:0]            cm_valid, cm_ready, ft_valid, ft_ready, ft_rsp_valid;
  logic [1:0][15:0]      cm_index, ft_index;
  logic [1:0][511:0]     cm_data, ft_data;
  for (genvar i = 0; i < 2; i++) begin : gen_window
    weft_pkg::cfg_rsp_t rsp;
    weft_ctx_window #(.N(i == 0 ? N_CQ : N_EQ)) u_window (
      .clk_i, .rst_ni, .cfg_req_valid_i(cfg_req_valid_i[i]), .cfg_req_ready_o(cfg_req_ready_o[i]),
      .cfg_req_i, .cfg_rsp_valid_o(cfg_rsp_valid_o[i]), .cfg_rsp_o(rsp),
      .commit_valid_o(cm_valid[i]), .commit_ready_i(cm_ready[i]), .commit_index_o(cm_index[i]),
      .commit_data_o(cm_data[i]), .fetch_valid_o(ft_valid[i]), .fetch_ready_i(ft_ready[i]),
      .fetch_index_o(ft_index[i]), .fetch_rsp_valid_i(ft_rsp_valid[i]), .fetch_rsp_data_i(ft_data[i])
    );
    assign cfg_rsp_o[i] = rsp;
  end

  // ---------------------------------------------------------------- who enters the pipe
  localparam int unsigned Asks = N_PORTS + 3;
  localparam int unsigned AskW = $clog2(Asks);
  logic [Asks-1:0]    gnt;
  logic [AskW-1:0]    unused_idx;
  logic               any, in_ready, cfg_in, cfg_q, cfg_ft_q, cfg_done, look_v, due_v;
  logic [CqW-1:0]     look_id, due_id, in_cqn;
  logic [1:0]         in_kind;
  weft_pkg::cqe_req_t in_cqe;
  assign cfg_in = (cm_valid[0] || ft_valid[0]) && !cfg_q;
  weft_arb_rr #(.N(Asks)) u_arb (
    .clk_i, .rst_ni, .req_i({cqe_valid_i, due_v, look_v, cfg_in}), .advance_i(in_ready), .valid_o(any), .gnt_o(gnt),
    .idx_o(unused_idx)
  );
  always_comb begin
    in_cqe = '0;
    for (int unsigned i = 0; i < N_PORTS; i++) if (gnt[3+i]) in_cqe = cqe_i[i];
    if (gnt[2]) in_cqe.solicited = 1'b1;
    in_cqn = gnt[0] ? (cm_valid[0] ? cm_index[0][CqW-1:0] : ft_index[0][CqW-1:0]) : gnt[1] ? look_id : gnt[2] ? due_id : in_cqe.cqn[CqW-1:0];
    in_kind = gnt[0] ? {1'b1, !cm_valid[0]} : {1'b0, gnt[1] || gnt[2]};
  end
  assign cqe_ready_o = gnt[Asks-1:3] & {N_PORTS{in_ready}};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cfg_q <= 1'b0;
    else cfg_q <= !cfg_done && (cfg_q || (gnt[0] && in_ready));
  end
  always_ff @(posedge clk_i) if (gnt[0] && in_ready) cfg_ft_q <= !cm_valid[0];
  assign cm_ready[0]     = cfg_done && !cfg_ft_q;
  assign ft_ready[0]     = gnt[0] && in_ready && !cm_valid[0];
  assign ft_rsp_valid[0] = cfg_done && cfg_ft_q;

  // ---------------------------------------------------------------- completion queues
  logic                  set_v, set_room, hold_idle;
  logic [CqW-1:0]        set_cqn;
  logic [15:0]           set_period;
  logic                  db_ready, db_busy, db_re, d_gen, d_next, d_sol, b_we, b_gen, b_next, b_sol, pipe_idle, go;
  logic [CqW-1:0]        db_rid, b_id;
  logic [23:0]           d_ci;
  logic                  cqe_v, cqe_room, ask_v, over_v, over_r, a_valid, a_ready, unused_a;
  logic [1:0]            ask_kind, a_kind;
  logic [15:0]           ask_eqn, ask_cqn, over_cqn, a_eqn, a_cqn;
  logic [4:0]            a_count;
  logic [63:0]           cqe_addr;
  weft_abi_pkg::cqe_t    cqe;
  weft_abi_pkg::ctx_cq_t cq_shown;
  weft_cq_db #(.N(N_CQ), .LOOK_ALWAYS(1'b0)) u_db (
    .clk_i, .rst_ni, .ready_o(db_ready), .db_valid_i(cq_db_valid_i), .db_id_i(cq_db_cqn_i[CqW-1:0]),
    .db_index_i(cq_db_index_i), .db_arm_i(cq_db_arm_i),
    .look_valid_o(look_v), .look_ready_i(gnt[1] && in_ready), .look_id_o(look_id), .re_i(db_re), .rid_i(db_rid),
    .ci_o(d_ci), .gen_o(d_gen), .next_o(d_next), .solicited_o(d_sol), .b_we_i(b_we), .b_id_i(b_id), .b_gen_i(b_gen),
    .b_next_i(b_next), .b_sol_i(b_sol), .busy_o(db_busy)
  );
  weft_cq_pipe #(.N_CQ(N_CQ), .N_EQ(N_EQ), .PIECES(PIECES), .MODERATION(MODERATION)) u_pipe (
    .clk_i, .rst_ni, .now_i(now_ns_i[55:0]), .in_valid_i(any), .in_ready_o(in_ready), .in_kind_i(in_kind), .in_cqn_i(in_cqn), .in_cqe_i(in_cqe),
    .db_re_o(db_re), .db_rid_o(db_rid), .db_ci_i(d_ci), .db_gen_i(d_gen), .db_next_i(d_next), .db_sol_i(d_sol),
    .b_we_o(b_we), .b_id_o(b_id), .b_gen_o(b_gen), .b_next_o(b_next), .b_sol_o(b_sol),
    .cfg_data_i(cm_data[0]), .cfg_done_o(cfg_done), .cfg_data_o(cq_shown), .go_i(go),
    .cqe_valid_o(cqe_v), .cqe_addr_o(cqe_addr), .cqe_o(cqe), .set_valid_o(set_v), .set_cqn_o(set_cqn), .set_period_o(set_period), .ask_valid_o(ask_v), .ask_kind_o(ask_kind),
    .ask_eqn_o(ask_eqn), .ask_cqn_o(ask_cqn), .over_valid_o(over_v), .over_cqn_o(over_cqn),
    .idle_o(pipe_idle), .stat_cqe_o, .stat_over_o(cq_over)
  );
  assign ft_data[0] = cq_shown;
  logic cq_over, eq_over, room_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) room_q <= 1'b0;
    else room_q <= a_count < 5'd8 && set_room;
  end
  assign go = cqe_room && room_q;

  // What completions ask of event queues: six more than are counted may be on their way.
  weft_fifo #(.W(34), .DEPTH(16)) u_asks (
    .clk_i, .rst_ni, .in_valid_i(ask_v), .in_ready_o(unused_a), .in_data_i({ask_kind, ask_eqn, ask_cqn}),
    .out_valid_o(a_valid), .out_ready_i(a_ready), .out_data_o({a_kind, a_eqn, a_cqn}), .count_o(a_count)
  );

  // ---------------------------------------------------------------- ends of what is held back
  logic unused_set;
  if (MODERATION) begin : gen_hold
    logic           s_valid, s_ready, s_at_q, tmr_idle;
    logic [53:0]    s_tick_q;  // behind so many whole ticks
    logic [CqW-1:0] s_cqn;
    logic [15:0]    s_period;
    logic [4:0]     s_count;
    // Six more than are counted may be on their way.
    weft_fifo #(.W(CqW + 16), .DEPTH(16)) u_sets (
      .clk_i, .rst_ni, .in_valid_i(set_v), .in_ready_o(unused_set), .in_data_i({set_cqn, set_period}),
      .out_valid_o(s_valid), .out_ready_i(s_ready && s_at_q), .out_data_o({s_cqn, s_period}), .count_o(s_count)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) s_at_q <= 1'b0;
      else s_at_q <= s_valid && !(s_at_q && s_ready);
    end
    always_ff @(posedge clk_i) if (!s_at_q) s_tick_q <= now_ns_i[63:10] + 54'(s_period) + 54'd1;
    weft_timer #(.N(N_CQ), .TICK_SHIFT(10), .SLOTS(64)) u_timer (
      .clk_i, .rst_ni, .now_ns_i, .set_valid_i(s_at_q), .set_ready_o(s_ready), .set_cancel_i(1'b0), .set_id_i(s_cqn),
      .set_deadline_ns_i({s_tick_q, 10'd0}), .fire_valid_o(due_v), .fire_ready_i(gnt[2] && in_ready), .fire_id_o(due_id),
      .deadline_valid_o, .deadline_ns_o, .idle_o(tmr_idle)
    );
    assign set_room  = s_count < 5'd8;
    assign hold_idle = tmr_idle && !s_valid && !set_v;
  end else begin : gen_at_once
    assign unused_set       = ^{set_v, set_cqn, set_period};
    assign due_v            = 1'b0;
    assign due_id           = '0;
    assign set_room         = 1'b1;
    assign hold_idle        = 1'b1;
    assign deadline_valid_o = 1'b0;
    assign deadline_ns_o    = '1;
  end

  // ---------------------------------------------------------------- event queues
  logic                  e_valid, e_ready, eq_idle;
  logic [1:0]            e_kind;
  logic [63:0]           e_addr;
  logic [511:0]          e_data;
  weft_abi_pkg::ctx_eq_t eq_shown;
  weft_cq_eq #(.N_EQ(N_EQ)) u_eq (
    .clk_i, .rst_ni, .ask_valid_i(a_valid), .ask_ready_o(a_ready), .ask_kind_i(a_kind), .ask_eqn_i(a_eqn), .ask_cqn_i(a_cqn),
    .eqe_valid_i, .eqe_ready_o, .eqe_i, .cm_valid_i(cm_valid[1]), .cm_ready_o(cm_ready[1]), .cm_index_i(cm_index[1]),
    .cm_data_i(cm_data[1]), .ft_valid_i(ft_valid[1]), .ft_ready_o(ft_ready[1]), .ft_index_i(ft_index[1]),
    .ft_rsp_valid_o(ft_rsp_valid[1]), .ft_rsp_data_o(eq_shown),
    .db_valid_i(eq_db_valid_i), .db_eqn_i(eq_db_eqn_i), .db_index_i(eq_db_index_i), .db_arm_i(eq_db_arm_i),
    .out_valid_o(e_valid), .out_ready_i(e_ready), .out_kind_o(e_kind), .out_addr_o(e_addr), .out_data_o(e_data),
    .idle_o(eq_idle), .stat_eqe_o, .stat_over_o(eq_over)
  );
  assign ft_data[1] = eq_shown;

  // ---------------------------------------------------------------- way out
  logic        token_valid, token_ready, out_idle, ev_idle;
  logic [16:0] token;
  weft_cq_out #(.DATA_W(DATA_W)) u_out (
    .clk_i, .rst_ni, .cqe_valid_i(cqe_v), .cqe_room_o(cqe_room), .cqe_addr_i(cqe_addr), .cqe_data_i(cqe),
    .eq_valid_i(e_valid), .eq_ready_o(e_ready), .eq_kind_i(e_kind), .eq_addr_i(e_addr), .eq_data_i(e_data),
    .wr_valid_o, .wr_ready_i, .wr_hdr_o, .wr_data_o, .wr_cnt_o, .wr_last_o,
    .irq_valid_o, .irq_ready_i, .irq_vector_o,
    .token_valid_o(token_valid), .token_ready_i(token_ready), .token_o(token), .idle_o(out_idle)
  );
  weft_cq_fwev #(.DEPTH(2 * N_CQ)) u_fwev (
    .clk_i, .rst_ni, .over_valid_i(over_v), .over_ready_o(over_r), .over_cqn_i(over_cqn),
    .token_valid_i(token_valid), .token_ready_o(token_ready), .token_i(token),
    .fwev_valid_o, .fwev_ready_i, .fwev_o, .idle_o(ev_idle)
  );
  assign stat_overflow_o = cq_over || eq_over;
  assign idle_o          = pipe_idle && eq_idle && out_idle && ev_idle && hold_idle && db_ready && !db_busy && !cq_db_valid_i && !a_valid;

  logic unused;
  assign unused = ^{cq_db_cqn_i, cm_index, ft_index, cqe_i, now_ns_i[63:56]};

`ifndef SYNTHESIS
  initial begin
    if (N_CQ < 2 || N_CQ > 65536 || (N_CQ & (N_CQ - 1)) != 0) $fatal(1, "weft_cq: N_CQ");
    if ($bits(weft_pkg::cqe_req_t) != 161 || $bits(weft_pkg::cfg_rsp_t) != 33) $fatal(1, "weft_cq: structs");
    if (N_EQ < 2 || N_EQ > 256 || (N_EQ & (N_EQ - 1)) != 0) $fatal(1, "weft_cq: N_EQ");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (unused_a || !ask_v) else $error("%m: no room for an event");
      assert (over_r || !over_v) else $error("%m: no room for a firmware event");
      assert (!MODERATION || unused_set || !set_v) else $error("%m: no room for a time");
    end
  end
`endif

endmodule
