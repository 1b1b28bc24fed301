// SPDX-License-Identifier: BSD-2-Clause

/// Event queues: writes EQEs in order, reports what found no room, and rings. One event in five
/// cycles; events are for those who sleep, so they are few beside completions.
module weft_cq_eq #(
  parameter int unsigned N_EQ = 8,   ///< a power of two, 2 to 256
  localparam int unsigned EqW = $clog2(N_EQ)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   ask_valid_i,   ///< of a completion queue
  output logic                   ask_ready_o,
  input  logic [1:0]             ask_kind_i,    ///< 0 completion event, 1 error event, 2 drain token
  input  logic [15:0]            ask_eqn_i,
  input  logic [15:0]            ask_cqn_i,
  input  logic                   eqe_valid_i,   ///< of firmware
  output logic                   eqe_ready_o,
  input  weft_pkg::eqe_req_t     eqe_i,

  input  logic                   cm_valid_i,    ///< a commit
  output logic                   cm_ready_o,
  input  logic [15:0]            cm_index_i,
  input  weft_abi_pkg::ctx_eq_t  cm_data_i,
  input  logic                   ft_valid_i,    ///< a fetch
  output logic                   ft_ready_o,
  input  logic [15:0]            ft_index_i,
  output logic                   ft_rsp_valid_o,
  output weft_abi_pkg::ctx_eq_t  ft_rsp_data_o,

  input  logic                   db_valid_i,
  input  logic [15:0]            db_eqn_i,
  input  logic [23:0]            db_index_i,
  input  logic [1:0]             db_arm_i,

  output logic                   out_valid_o,
  input  logic                   out_ready_i,
  output logic [1:0]             out_kind_o,    ///< 0 event, 1 interrupt, 2 drain token
  output logic [63:0]            out_addr_o,
  output logic [511:0]           out_data_o,    ///< event; vector or token in the low bits

  output logic                   idle_o,
  output logic                   stat_eqe_o,
  output logic                   stat_over_o
);

  localparam int unsigned CtxW = 175;  // weft_cq_check
  localparam int unsigned RecW = CtxW + 3;

  typedef enum logic [3:0] {
    StSweep, StIdle, StRead, StCheck, StWait, StWrite, StIrq, StToken, StCfgRead, StCfg
  } state_e;
  typedef enum logic [1:0] {OpEvent, OpLook, OpCommit, OpFetch} op_e;

  state_e          state_q;
  op_e             op_q;
  logic [EqW-1:0]  sweep_q, id_q, look_id;
  logic [15:0]     token_q;
  logic [511:0]    eqe_q;       // event to write
  logic            has_eqe_q, look_valid, look_ready, db_ready, db_busy;

  // ---------------------------------------------------------------- who is next
  logic [3:0] gnt;
  logic [1:0] unused_idx;
  logic       any, grant, exists;
  weft_arb_rr #(.N(4)) u_arb (
    .clk_i, .rst_ni, .req_i({ask_valid_i, eqe_valid_i, look_valid, cm_valid_i || ft_valid_i}), .advance_i(grant),
    .valid_o(any), .gnt_o(gnt), .idx_o(unused_idx)
  );
  assign grant       = state_q == StIdle && any;
  assign look_ready  = grant && gnt[1];
  assign eqe_ready_o = grant && gnt[2];
  assign ask_ready_o = grant && gnt[3];
  assign exists      = 32'(eqe_i.eqn) < 32'(N_EQ);

  // ---------------------------------------------------------------- contexts and doorbells
  logic [RecW-1:0] rec, rec_d;
  logic            we, gen, b_next, b_sol, d_gen, d_next, d_sol;
  logic [CtxW-1:0] ctx;
  logic [23:0]     d_ci;
  weft_ram_1r1w #(.W(RecW), .DEPTH(N_EQ)) u_rec (
    .clk_i, .we_i(we), .waddr_i(state_q == StSweep ? sweep_q : id_q), .wdata_i(rec_d),
    .re_i(state_q == StRead || state_q == StCfgRead), .raddr_i(id_q), .rdata_o(rec)
  );
  assign {gen, b_next, b_sol, ctx} = rec;
  weft_cq_db #(.N(N_EQ), .LOOK_ALWAYS(1'b1)) u_db (
    .clk_i, .rst_ni, .ready_o(db_ready), .db_valid_i, .db_id_i(db_eqn_i[EqW-1:0]), .db_index_i, .db_arm_i,
    .look_valid_o(look_valid), .look_ready_i(look_ready), .look_id_o(look_id),
    .re_i(state_q == StRead || state_q == StCfgRead), .rid_i(id_q), .ci_o(d_ci), .gen_o(d_gen), .next_o(d_next),
    .solicited_o(d_sol), .b_we_i(we && state_q != StSweep), .b_id_i(id_q), .b_gen_i(rec_d[RecW-1]), .b_next_i(rec_d[CtxW+1]),
    .b_sol_i(rec_d[CtxW]), .busy_o(db_busy)
  );

  // ---------------------------------------------------------------- what is to be done
  logic            post_q, over_q, fire_q, report_q, phase_q, unused_to, unused_fits;
  logic [1:0]      unused_hold;
  logic [63:0]     addr_q;
  logic [15:0]     aux_q;
  logic [CtxW-1:0] ctx_q;
  logic [31:0]     lost_q;
  weft_cq_check #(.N_EQ(N_EQ)) u_check (
    .clk_i, .cq_i(1'b0), .eq_i(state_q == StCheck), .ctx_i(ctx), .seen_i(d_gen == gen), .ci_i(d_ci),
    .next_i(d_next != b_next), .solicited_i(d_sol != b_sol), .entry_i(has_eqe_q), .calls_i(1'b0), .to_log2_i('0), .hold_i('0), .due_i(1'b0),
    .addr_o(addr_q), .phase_o(phase_q), .aux_o(aux_q), .to_eq_o(unused_to), .lost_o(lost_q),
    .ctx_o(ctx_q), .post_o(post_q), .over_o(over_q), .report_o(report_q), .fire_o(fire_q),
    .hold_o(unused_hold[0]), .first_o(unused_hold[1]), .fits_o(unused_fits)
  );

  // ---------------------------------------------------------------- what leaves
  weft_abi_pkg::ctx_eq_t cm;
  weft_abi_pkg::eqe_t    report, event_d;
  logic                  drain, go;
  assign cm    = cm_data_i;
  assign drain = state_q == StCfg && op_q == OpCommit && cm.cmd == weft_abi_pkg::CTX_CMD_DRAIN;
  assign go    = !out_valid_o || out_ready_i;
  always_comb begin
    report        = '0;
    report.kind   = weft_abi_pkg::EQE_TYPE_EQ_OVERFLOW;
    report.id     = lost_q;
    report.phase  = phase_q;
    event_d       = eqe_q;
    event_d.phase = phase_q;
    out_kind_o    = 2'd0;
    out_data_o    = report_q ? report : event_d;
    out_addr_o    = addr_q;
    unique case (state_q)
      StWrite: out_valid_o = report_q || post_q;
      StIrq: begin
        out_valid_o = 1'b1;
        out_kind_o  = 2'd1;
        out_data_o  = 512'(aux_q);
      end
      StToken: begin
        out_valid_o = 1'b1;
        out_kind_o  = 2'd2;
        out_data_o  = 512'({1'b0, token_q});
      end
      StCfg: begin
        out_valid_o = drain;
        out_kind_o  = 2'd2;
        out_data_o  = 512'({1'b1, 16'(id_q)});
      end
      default: out_valid_o = 1'b0;
    endcase
  end

  // ---------------------------------------------------------------- what is kept
  logic        x_valid;
  logic [4:0]  x_log2;
  logic [15:0] x_aux;
  logic [63:0] x_base;
  logic [31:0] x_pi;
  logic [56:0] unused_x;
  assign {x_valid, unused_x[56], x_log2, x_aux, x_base, x_pi, unused_x[55:0]} = ctx;

  always_comb begin
    we    = state_q == StSweep || (state_q == StWrite && go && (report_q || post_q || over_q || fire_q));
    rec_d = {gen, b_next, b_sol, ctx_q};
    if (state_q == StSweep) rec_d = '0;
    else if (state_q == StWrite && fire_q) rec_d[CtxW+:2] = {d_next, d_sol};
    if (state_q == StCfg && op_q == OpCommit && cm.cmd == weft_abi_pkg::CTX_CMD_WRITE) begin
      we    = 1'b1;
      rec_d = {!d_gen, d_next, d_sol, cm.valid && cm.log2 <= 8'(weft_abi_pkg::CQ_LOG2_MAX), 1'b0, cm.log2[4:0], cm.vector, cm.base,
               cm.pi, 32'd0, cm.pi[23:0]};
    end else if (state_q == StCfg && op_q == OpCommit && cm.cmd == weft_abi_pkg::CTX_CMD_SET_STATE) begin
      we    = 1'b1;
      rec_d = {gen, b_next, b_sol, cm.valid && x_log2 <= 5'(weft_abi_pkg::CQ_LOG2_MAX), ctx[CtxW-2:0]};
    end
  end
  assign cm_ready_o     = state_q == StCfg && op_q == OpCommit && go;
  assign ft_ready_o     = state_q == StCfgRead && op_q == OpFetch;
  assign ft_rsp_valid_o = state_q == StCfg && op_q == OpFetch;
  always_comb begin
    ft_rsp_data_o        = '0;
    ft_rsp_data_o.base   = x_base;
    ft_rsp_data_o.log2   = 8'(x_log2);
    ft_rsp_data_o.vector = x_aux;
    ft_rsp_data_o.valid  = x_valid;
    ft_rsp_data_o.pi     = x_pi;
  end

  // ---------------------------------------------------------------- control
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StSweep;
      sweep_q <= '0;
    end else begin
      unique case (state_q)
        StSweep: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == '1) state_q <= StIdle;
        end
        StIdle: begin
          if (gnt[0]) state_q <= StCfgRead;
          else if (gnt[3] && ask_kind_i == 2'd2) state_q <= StToken;
          else if (any) state_q <= StRead;
        end
        StRead:    state_q <= StCheck;
        StCheck:   state_q <= StWait;
        StWait:    state_q <= StWrite;
        StWrite: begin
          if (go) begin
            if (fire_q && aux_q != 16'hffff) state_q <= StIrq;
            else state_q <= (report_q && has_eqe_q) ? StRead : StIdle;
          end
        end
        StIrq:     if (go) state_q <= (report_q && has_eqe_q) ? StRead : StIdle;
        StCfgRead: state_q <= StCfg;
        default:   if (go) state_q <= StIdle;  // StCfg, StToken
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      op_q    <= gnt[0] ? (cm_valid_i ? OpCommit : OpFetch) : gnt[1] ? OpLook : OpEvent;
      id_q    <= gnt[0] ? (cm_valid_i ? cm_index_i[EqW-1:0] : ft_index_i[EqW-1:0]) : gnt[1] ? look_id
                 : gnt[2] ? eqe_i.eqn[EqW-1:0] : ask_eqn_i[EqW-1:0];
      token_q <= ask_cqn_i;
      // An event for a queue that does not exist is let go.
      has_eqe_q <= gnt[3] || (gnt[2] && exists);
      eqe_q     <= eqe_i.eqe;
      if (gnt[3]) begin
        eqe_q        <= '0;
        eqe_q[7:0]   <= ask_kind_i[0] ? weft_abi_pkg::EQE_TYPE_CQ_ERROR : weft_abi_pkg::EQE_TYPE_CQ_COMPLETION;
        eqe_q[63:32] <= 32'(ask_cqn_i);
      end
    end
    if (state_q == StWrite && go && !report_q) has_eqe_q <= 1'b0;
  end

  assign stat_eqe_o  = state_q == StWrite && go && (report_q || post_q);
  assign stat_over_o = state_q == StWrite && go && over_q;
  assign idle_o      = state_q == StIdle && !any && db_ready && !db_busy && !db_valid_i;

  logic unused;
  assign unused = ^{cm, cm_index_i, ft_index_i, ask_eqn_i, db_eqn_i};

endmodule
