// SPDX-License-Identifier: BSD-2-Clause

/// Completion and event queues: writes CQEs and EQEs to host memory in order, with phase bits, arms,
/// interrupts and overflow handling. One completion in five cycles, six cycles after it is offered.
///
/// CQ (32-byte entries): an entry that would overwrite one beyond the consumer index of the last
/// doorbell is not written: the CQ stops until it is loaded anew, its EQ gets CQ_ERROR, firmware gets
/// CQ_OVERFLOW, and later completions are thrown away. Arms are one-shot. NEXT fires at the next entry,
/// SOLICITED at the next that is solicited or not successful; an entry of that kind that lies beyond
/// the consumer index when the arm is looked at fires at once, so poll-arm-poll misses nothing.
///
/// EQ (64-byte entries): events that find no room are counted, and reported with one EQ_OVERFLOW when
/// there is room again. An armed EQ raises its vector behind the entry, in the same posted order.
///
/// Doorbells are taken one a cycle, always. DRAIN answers DRAINED (CODE is the room, ID the queue) when
/// everything accepted before has been accepted by the posted stream. At most 2 * N_CQ firmware events
/// wait inside; a DRAIN beyond that holds the output, so firmware waits for one before the next of a
/// queue.
///
/// The contexts of CQs may be away (weft_ctx_store); those of EQs, which are few, never are, nor are
/// doorbells.
///
/// Ports that hold several structs are plain vectors, as Yosys ignores dimensions behind a type name.
module weft_cq #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_CQ = 16,    ///< powers of two, 2 to 65536
  parameter int unsigned N_EQ = 8,     ///< powers of two, 2 to 256
  parameter int unsigned N_PORTS = 2,  ///< sources of completions
  parameter int unsigned TEST_LATENCY = 0,  ///< simulation, see weft_ctx_store
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned CqW = $clog2(N_CQ),
  localparam int unsigned EqW = $clog2(N_EQ)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,

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

  output logic                             idle_o,
  output logic                             stat_cqe_o,       ///< a CQE was queued for the host
  output logic                             stat_overflow_o,  ///< a CQ stopped, or an event was lost
  output logic                             stat_eqe_o        ///< an EQE was queued for the host
);

  localparam int unsigned Asks = N_PORTS + 5;
  localparam int unsigned AskW = $clog2(Asks);
  localparam int unsigned CtxW = 175;
  localparam int unsigned SweepN = N_CQ > N_EQ ? N_CQ : N_EQ;
  localparam int unsigned SweepW = $clog2(SweepN);

  typedef enum logic [3:0] {
    StSweep, StIdle, StCqRead, StCqCheck, StCqWait, StCqWrite, StEqRead, StEqCheck, StEqWait, StEqWrite,
    StIrq, StCfgRead, StCfg
  } state_e;
  typedef enum logic [2:0] {OpCqe, OpCqLook, OpEqe, OpEqLook, OpCommit, OpFetch} op_e;

  state_e             state_q;
  op_e                op_q;
  logic               room_q;     // 0 CQ, 1 EQ
  logic [SweepW-1:0]  sweep_q;
  logic [15:0]        id_q;       // queue of the operation
  logic [15:0]        eqn_q;
  weft_pkg::cqe_req_t r_q;
  logic [511:0]       eqe_q;      // event to write
  logic               has_eqe_q;

  // ------------------------------------------------ configuration
  logic [1:0]         cm_valid, cm_ready, ft_valid, ft_ready, ft_rsp_valid;
  logic [1:0][15:0]   cm_index, ft_index;
  logic [1:0][511:0]  cm_data;
  logic [511:0]       ft_data;

  for (genvar i = 0; i < 2; i++) begin : gen_window
    weft_pkg::cfg_rsp_t rsp;
    weft_ctx_window #(.N(i == 0 ? N_CQ : N_EQ)) u_window (
      .clk_i, .rst_ni, .cfg_req_valid_i(cfg_req_valid_i[i]), .cfg_req_ready_o(cfg_req_ready_o[i]),
      .cfg_req_i, .cfg_rsp_valid_o(cfg_rsp_valid_o[i]), .cfg_rsp_o(rsp),
      .commit_valid_o(cm_valid[i]), .commit_ready_i(cm_ready[i]), .commit_index_o(cm_index[i]),
      .commit_data_o(cm_data[i]), .fetch_valid_o(ft_valid[i]), .fetch_ready_i(ft_ready[i]),
      .fetch_index_o(ft_index[i]), .fetch_rsp_valid_i(ft_rsp_valid[i]), .fetch_rsp_data_i(ft_data)
    );
    assign cfg_rsp_o[i] = rsp;
  end

  // ctx_cq and ctx_eq agree but for EQN and VECTOR, which lie in the same place.
  weft_abi_pkg::ctx_cq_t cm;
  assign cm = cm_data[room_q];

  // ------------------------------------------------ who is home
  localparam int unsigned N_USE = N_PORTS + 2;
  logic [N_CQ-1:0]               home, open, want, want_look, want_cfg, parked;
  logic [N_PORTS-1:0][N_CQ-1:0]  port_want, port_parked;
  logic [N_PORTS-1:0]            c_valid, c_ready, c_idle;
  logic [N_PORTS-1:0][160:0]     c_data;
  logic [N_PORTS-1:0][CqW-1:0]   c_cqn;
  logic [N_USE-1:0]              in_use;
  logic [N_USE-1:0][CqW-1:0]     use_cqn;
  logic                          on_cq;
  logic [CqW-1:0]                cfg_cqn;

  weft_ctx_store #(.N(N_CQ), .N_USE(N_USE), .N_HOLD(1), .N_FREE(1), .TEST_LATENCY(TEST_LATENCY)) u_store (
    .clk_i, .rst_ni, .want_i(want), .home_o(home), .use_i(in_use), .use_id_i(use_cqn),
    .hold_i(1'b0), .hold_id_i('0), .free_i(1'b0), .free_id_i('0)
  );
  assign on_cq   = state_q == StCqRead || state_q == StCqCheck || state_q == StCqWait || state_q == StCqWrite
                   || ((state_q == StCfgRead || state_q == StCfg) && !room_q);
  assign in_use  = {c_valid, cq_look, on_cq};
  assign use_cqn = {c_cqn, cq_look_id, id_q[CqW-1:0]};
  // A command goes behind every completion that came before it.
  assign open    = home & ~parked;
  assign cfg_cqn = cm_valid[0] ? cm_index[0][CqW-1:0] : ft_index[0][CqW-1:0];
  always_comb begin
    want_cfg = '0;
    if (cm_valid[0] || ft_valid[0]) want_cfg[cfg_cqn] = 1'b1;
    want   = want_look | want_cfg;
    parked = '0;
    for (int unsigned i = 0; i < N_PORTS; i++) begin
      want   = want | port_want[i];
      parked = parked | port_parked[i];
    end
  end

  for (genvar i = 0; i < N_PORTS; i++) begin : gen_gate
    weft_pkg::cqe_req_t in;
    logic               unused_in;
    assign in        = cqe_i[i];
    assign unused_in = ^in;
    weft_ctx_gate #(.W(161), .N(N_CQ), .DEPTH(8)) u_gate (
      .clk_i, .rst_ni, .home_i(home), .in_valid_i(cqe_valid_i[i]), .in_ready_o(cqe_ready_o[i]),
      .in_id_i(in.cqn[CqW-1:0]), .in_data_i(cqe_i[i]), .out_valid_o(c_valid[i]), .out_ready_i(c_ready[i]),
      .out_id_o(c_cqn[i]), .out_data_o(c_data[i]), .want_o(port_want[i]), .parked_o(port_parked[i]),
      .idle_o(c_idle[i])
    );
  end

  // ------------------------------------------------ who is next
  logic [Asks-1:0] ask, gnt;
  logic            any, grant;
  logic [AskW-1:0] unused_idx;
  logic            cq_look, cq_look_ready, eq_look, eq_look_ready;
  logic [CqW-1:0]  cq_look_id;
  logic [EqW-1:0]  eq_look_id;

  assign ask   = {c_valid, eqe_valid_i, eq_look, cq_look, cm_valid[1] || ft_valid[1],
                  (cm_valid[0] || ft_valid[0]) && open[cfg_cqn]};
  assign grant = state_q == StIdle && any;

  weft_arb_rr #(.N(Asks)) u_arb (
    .clk_i, .rst_ni, .req_i(ask), .advance_i(grant), .valid_o(any), .gnt_o(gnt), .idx_o(unused_idx)
  );

  assign cq_look_ready = grant && gnt[2];
  assign eq_look_ready = grant && gnt[3];
  assign eqe_ready_o   = grant && gnt[4];
  assign c_ready       = grant ? gnt[Asks-1:5] : '0;

  weft_pkg::cqe_req_t r;
  always_comb begin
    r = '0;
    for (int unsigned i = 0; i < N_PORTS; i++) begin
      if (gnt[5+i]) r = c_data[i];
    end
  end

  // ------------------------------------------------ contexts
  // Layout: see weft_cq_check.
  logic [CtxW-1:0] cq_r, eq_r, ctx_w;
  logic            cq_we, eq_we;

  weft_ram_1r1w #(.W(CtxW), .DEPTH(N_CQ)) u_cq (
    .clk_i, .we_i(cq_we), .waddr_i(state_q == StSweep ? sweep_q[CqW-1:0] : id_q[CqW-1:0]),
    .wdata_i(ctx_w), .re_i(state_q == StCqRead || state_q == StCfgRead), .raddr_i(id_q[CqW-1:0]),
    .rdata_o(cq_r)
  );
  weft_ram_1r1w #(.W(CtxW), .DEPTH(N_EQ)) u_eq (
    .clk_i, .we_i(eq_we), .waddr_i(state_q == StSweep ? sweep_q[EqW-1:0] : eqn_q[EqW-1:0]),
    .wdata_i(ctx_w), .re_i(state_q == StEqRead || state_q == StCfgRead), .raddr_i(eqn_q[EqW-1:0]),
    .rdata_o(eq_r)
  );

  logic            x_valid, unused_stopped;
  logic [4:0]      x_log2;
  logic [15:0]     x_aux;
  logic [63:0]     x_base;
  logic [31:0]     x_pi, unused_extra;
  logic [23:0]     unused_first;

  // One view for both: an operation looks at one of them at a time.
  logic            on_eq;
  logic [CtxW-1:0] x;
  assign on_eq = state_q == StEqCheck || state_q == StEqWait || (state_q == StCfg && room_q);
  assign x     = on_eq ? eq_r : cq_r;
  assign {x_valid, unused_stopped, x_log2, x_aux, x_base, x_pi, unused_extra, unused_first} = x;

  // ------------------------------------------------ doorbells
  logic [23:0] cq_ci, eq_ci;
  logic        cq_seen, cq_next, cq_sol, eq_seen, eq_next, eq_sol, clear_cq, clear_eq;
  logic        cq_db_busy, eq_db_busy, reset_cq, reset_eq;
  logic [N_EQ-1:0] unused_want;

  weft_cq_db #(.N(N_CQ), .LOOK_ALWAYS(1'b0)) u_cq_db (
    .clk_i, .rst_ni, .home_i(home), .want_o(want_look), .db_valid_i(cq_db_valid_i), .db_id_i(cq_db_cqn_i[CqW-1:0]),
    .db_index_i(cq_db_index_i), .db_arm_i(cq_db_arm_i),
    .look_valid_o(cq_look), .look_ready_i(cq_look_ready), .look_id_o(cq_look_id),
    .re_i(state_q == StCqRead), .rid_i(id_q[CqW-1:0]), .ci_o(cq_ci), .seen_o(cq_seen),
    .next_o(cq_next), .solicited_o(cq_sol), .clear_arm_i(clear_cq), .reset_i(reset_cq),
    .wid_i(id_q[CqW-1:0]), .busy_o(cq_db_busy)
  );
  weft_cq_db #(.N(N_EQ), .LOOK_ALWAYS(1'b1)) u_eq_db (
    .clk_i, .rst_ni, .home_i('1), .want_o(unused_want), .db_valid_i(eq_db_valid_i), .db_id_i(eq_db_eqn_i[EqW-1:0]),
    .db_index_i(eq_db_index_i), .db_arm_i(eq_db_arm_i),
    .look_valid_o(eq_look), .look_ready_i(eq_look_ready), .look_id_o(eq_look_id),
    .re_i(state_q == StEqRead), .rid_i(eqn_q[EqW-1:0]), .ci_o(eq_ci), .seen_o(eq_seen),
    .next_o(eq_next), .solicited_o(eq_sol), .clear_arm_i(clear_eq), .reset_i(reset_eq),
    .wid_i(eqn_q[EqW-1:0]), .busy_o(eq_db_busy)
  );

  // ------------------------------------------------ what is to be done
  logic            post_q, over_q, fire_q, report_q, to_eq_q, phase_q;
  logic [63:0]     addr_q;
  logic [15:0]     aux_q;
  logic [CtxW-1:0] ctx_q;
  logic [31:0]     lost_q;

  weft_cq_check #(.N_EQ(N_EQ)) u_check (
    .clk_i, .cq_i(state_q == StCqCheck), .eq_i(state_q == StEqCheck), .ctx_i(x),
    .seen_i(on_eq ? eq_seen : cq_seen), .ci_i(on_eq ? eq_ci : cq_ci),
    .next_i(on_eq ? eq_next : cq_next), .solicited_i(on_eq ? eq_sol : cq_sol),
    .entry_i(on_eq ? has_eqe_q : op_q == OpCqe),
    .calls_i(r_q.solicited || r_q.status != weft_abi_pkg::WC_STATUS_SUCCESS),
    .addr_o(addr_q), .phase_o(phase_q), .aux_o(aux_q), .to_eq_o(to_eq_q), .lost_o(lost_q),
    .ctx_o(ctx_q), .post_o(post_q), .over_o(over_q), .report_o(report_q), .fire_o(fire_q)
  );

  // ------------------------------------------------ way out
  logic                 out_valid, out_ready, out_idle, token_valid, token_ready, ev_push, ev_room;
  logic [1:0]           out_kind;
  logic [511:0]         out_data;
  logic [16:0]          token;
  weft_abi_pkg::cqe_t   cqe;
  weft_abi_pkg::eqe_t   report, event_q;
  logic                 drain;

  always_comb begin
    cqe            = '0;
    cqe.qpn        = {8'd0, r_q.qpn};
    cqe.opcode     = r_q.opcode;
    cqe.index      = r_q.index;
    cqe.status     = r_q.status;
    cqe.bytes      = r_q.bytes;
    cqe.inv_stag   = r_q.inv_stag;
    cqe.vendor_err = r_q.vendor_err;
    cqe.solicited  = r_q.solicited;
    cqe.phase      = phase_q;
    report         = '0;
    report.kind    = weft_abi_pkg::EQE_TYPE_EQ_OVERFLOW;
    report.id      = lost_q;
    report.phase   = phase_q;
    event_q        = eqe_q;
    event_q.phase  = phase_q;
  end

  assign drain = state_q == StCfg && op_q == OpCommit && cm.cmd == weft_abi_pkg::CTX_CMD_DRAIN;

  always_comb begin
    out_kind = 2'd0;
    out_data = {256'd0, cqe};
    unique case (state_q)
      StCqWrite: out_valid = post_q;
      StEqWrite: begin
        out_valid = report_q || post_q;
        out_kind  = 2'd1;
        out_data  = report_q ? report : event_q;
      end
      StIrq: begin
        out_valid = 1'b1;
        out_kind  = 2'd2;
        out_data  = 512'(aux_q);
      end
      StCfg: begin
        out_valid = drain;
        out_kind  = 2'd3;
        out_data  = 512'({room_q, id_q});
      end
      default: out_valid = 1'b0;
    endcase
  end

  weft_cq_out #(.DATA_W(DATA_W)) u_out (
    .clk_i, .rst_ni, .in_valid_i(out_valid), .in_ready_o(out_ready), .in_kind_i(out_kind),
    .in_addr_i(addr_q), .in_data_i(out_data),
    .wr_valid_o, .wr_ready_i, .wr_hdr_o, .wr_data_o, .wr_cnt_o, .wr_last_o,
    .irq_valid_o, .irq_ready_i, .irq_vector_o,
    .token_valid_o(token_valid), .token_ready_i(token_ready), .token_o(token), .idle_o(out_idle)
  );

  logic ev_idle, go;
  assign ev_push = state_q == StCqWrite && over_q;

  weft_cq_fwev #(.DEPTH(2 * N_CQ)) u_fwev (
    .clk_i, .rst_ni, .over_valid_i(ev_push), .over_ready_o(ev_room), .over_cqn_i(id_q),
    .token_valid_i(token_valid), .token_ready_o(token_ready), .token_i(token),
    .fwev_valid_o, .fwev_ready_i, .fwev_o, .idle_o(ev_idle)
  );

  // ------------------------------------------------ control
  // The step is done: what it puts out has found room.
  assign go = (!out_valid || out_ready) && (!ev_push || ev_room);

  logic log2_ok;
  assign log2_ok = cm.log2 <= 8'(weft_abi_pkg::CQ_LOG2_MAX);

  always_comb begin
    cq_we    = state_q == StSweep || (state_q == StCqWrite && go && (post_q || over_q));
    eq_we    = state_q == StSweep || (state_q == StEqWrite && go && (report_q || post_q || over_q));
    ctx_w    = (state_q == StSweep) ? '0 : ctx_q;
    reset_cq = 1'b0;
    reset_eq = 1'b0;
    if (state_q == StCfg && op_q == OpCommit) begin
      if (cm.cmd == weft_abi_pkg::CTX_CMD_WRITE) begin
        cq_we    = !room_q;
        eq_we    = room_q;
        reset_cq = !room_q;
        reset_eq = room_q;
        ctx_w    = {cm.valid && log2_ok, 1'b0, cm.log2[4:0], cm.eqn, cm.base, cm.pi,
                    room_q ? 32'd0 : cm.pi, cm.pi[23:0]};
      end else if (cm.cmd == weft_abi_pkg::CTX_CMD_SET_STATE) begin
        cq_we    = !room_q;
        eq_we    = room_q;
        ctx_w    = {cm.valid && x_log2 <= 5'(weft_abi_pkg::CQ_LOG2_MAX), x[CtxW-2:0]};
      end
    end
  end

  assign clear_cq = state_q == StCqWrite && go && fire_q;
  assign clear_eq = state_q == StEqWrite && go && fire_q;

  always_comb begin
    cm_ready     = '0;
    ft_ready     = '0;
    ft_rsp_valid = '0;
    cm_ready[room_q]     = state_q == StCfg && op_q == OpCommit && go;
    ft_ready[room_q]     = state_q == StCfgRead && op_q == OpFetch;
    ft_rsp_valid[room_q] = state_q == StCfg && op_q == OpFetch;
  end

  weft_abi_pkg::ctx_cq_t shown;
  always_comb begin
    shown       = '0;
    shown.base  = x_base;
    shown.log2  = 8'(x_log2);
    shown.eqn   = x_aux;
    shown.valid = x_valid;
    shown.pi    = x_pi;
  end
  assign ft_data = shown;

  assign stat_cqe_o      = state_q == StCqWrite && go && post_q;
  assign stat_eqe_o      = state_q == StEqWrite && go && (report_q || post_q);
  assign stat_overflow_o = (state_q == StCqWrite || state_q == StEqWrite) && go && over_q;
  assign idle_o          = state_q == StIdle && !any && (&c_idle) && out_idle && ev_idle && !cq_db_busy &&
                           !eq_db_busy && !cq_db_valid_i && !eq_db_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StSweep;
      sweep_q <= '0;
    end else begin
      unique case (state_q)
        StSweep: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == SweepW'(SweepN - 1)) state_q <= StIdle;
        end
        StIdle: begin
          if (gnt[0] || gnt[1]) state_q <= StCfgRead;
          else if (gnt[3] || gnt[4]) state_q <= StEqRead;
          else if (any) state_q <= StCqRead;
        end
        StCqRead:  state_q <= StCqCheck;
        StCqCheck: state_q <= StCqWait;
        StCqWait:  state_q <= StCqWrite;
        StCqWrite: if (go) state_q <= ((fire_q || over_q) && to_eq_q) ? StEqRead : StIdle;
        StEqRead:  state_q <= StEqCheck;
        StEqCheck: state_q <= StEqWait;
        StEqWait:  state_q <= StEqWrite;
        StEqWrite: begin
          if (go) begin
            if (fire_q && aux_q != 16'hffff) state_q <= StIrq;
            else state_q <= (report_q && has_eqe_q) ? StEqRead : StIdle;
          end
        end
        StIrq:     if (go) state_q <= (report_q && has_eqe_q) ? StEqRead : StIdle;
        StCfgRead: state_q <= StCfg;
        default:   if (go) state_q <= StIdle;  // StCfg
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      r_q    <= r;
      room_q <= gnt[1];
      unique case (1'b1)
        gnt[0], gnt[1]: op_q <= cm_valid[gnt[1]] ? OpCommit : OpFetch;
        gnt[2]:         op_q <= OpCqLook;
        gnt[3]:         op_q <= OpEqLook;
        gnt[4]:         op_q <= OpEqe;
        default:        op_q <= OpCqe;
      endcase
      id_q      <= gnt[2] ? 16'(cq_look_id) : (gnt[0] || gnt[1])
                   ? (cm_valid[gnt[1]] ? cm_index[gnt[1]] : ft_index[gnt[1]]) : r.cqn;
      eqn_q     <= gnt[3] ? 16'(eq_look_id) : gnt[4] ? 16'(eqe_i.eqn)
                   : (cm_valid[1] ? cm_index[1] : ft_index[1]);
      eqe_q     <= eqe_i.eqe;
      has_eqe_q <= gnt[4] && 32'(eqe_i.eqn) < 32'(N_EQ);
    end
    if (state_q == StCqWrite) begin
      eqn_q        <= aux_q;
      has_eqe_q    <= 1'b1;
      eqe_q        <= '0;
      eqe_q[7:0]   <= over_q ? weft_abi_pkg::EQE_TYPE_CQ_ERROR : weft_abi_pkg::EQE_TYPE_CQ_COMPLETION;
      eqe_q[63:32] <= 32'(id_q);
    end
    if (state_q == StEqWrite && go && !report_q) has_eqe_q <= 1'b0;
  end

  logic unused;
  assign unused = ^{cm, cq_db_cqn_i, eq_db_eqn_i, eqn_q, r_q};

`ifndef SYNTHESIS
  initial begin
    if (N_CQ < 2 || N_CQ > 65536 || (N_CQ & (N_CQ - 1)) != 0) $fatal(1, "weft_cq: N_CQ");
    if ($bits(weft_pkg::cqe_req_t) != 161 || $bits(weft_pkg::cfg_rsp_t) != 33) $fatal(1, "weft_cq: structs");
    if (N_EQ < 2 || N_EQ > 256 || (N_EQ & (N_EQ - 1)) != 0) $fatal(1, "weft_cq: N_EQ");
  end
`endif

endmodule
