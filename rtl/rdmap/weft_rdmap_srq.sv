// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Shared receive queues: how far each was posted and taken, its limit, and who waits for it.
///
/// A pop takes the next entry of a queue's order, or finds none. A QP that found none and was refused its FPDU (`wait_*`) is
/// in a set until its queue has an entry; then firmware is told (SRQ_WAKE) and has it look again, wherever it is. The set is gone
/// through in the order of waiting when a producer index has moved or somebody new waits; behind each that was told there are
/// WAKE_GAP cycles, so one posted entry does not wake all. One that waits for a queue that is gone is told as well: nobody
/// stays in the set.
///
/// A producer index more than 2^log2 ahead of what was taken counts as rejected when it is met, and the queue as empty.
/// Limits: told once (SRQ_LIMIT), when fewer entries are left behind a pop, or at the arming.
module weft_rdmap_srq #(
  parameter int unsigned N_QP = 1024,      ///< a power of two, 4 to 262144
  parameter int unsigned N_SLOT = 256,     ///< a power of two, 4 to 4096
  parameter int unsigned N_SRQ = 64,       ///< queues, a power of two, 2 to 4096
  parameter int unsigned WAKE_GAP = 256,   ///< cycles from one that is told to the next
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned SqW = $clog2(N_SRQ),
  localparam int unsigned GapW = $clog2(WAKE_GAP + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 ready_o,         ///< the sweep is over

  input  logic                 cfg_req_valid_i, ///< SRQ_CTRL, SRQ_LIMIT of queue n at 8 * n
  output logic                 cfg_req_ready_o,
  input  weft_pkg::cfg_req_t   cfg_req_i,
  output logic                 cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t   cfg_rsp_o,

  input  logic                 db_valid_i,      ///< no ready; from a page that owns the queue
  input  logic [15:0]          db_srqn_i,
  input  logic [15:0]          db_index_i,

  input  logic                 pop_valid_i,
  output logic                 pop_ready_o,
  input  logic [15:0]          pop_srqn_i,
  output logic                 pop_rsp_o,       ///< pulse, two cycles later: ...
  output logic                 pop_ok_o,        ///< ... there was one, ...
  output logic [15:0]          pop_index_o,     ///< ... this entry of the order

  input  logic                 wait_valid_i,    ///< no ready: a QP waits once until it is told
  input  logic [23:0]          wait_qpn_i,
  input  logic [15:0]          wait_srqn_i,

  output logic                 ev_valid_o,      ///< SRQ_LIMIT (QPN is the SRQN), SRQ_WAKE
  input  logic                 ev_ready_i,
  output weft_dp_pkg::ctx_ev_t ev_o,

  output logic                 idle_o,
  output logic                 stat_reject_o    ///< pulse: a producer index too far ahead was met
);

  typedef struct packed {
    logic        valid;
    logic [3:0]  log2;
    logic [15:0] limit;  // 0: not armed
    logic [15:0] taken;
  } ent_t;
  localparam int unsigned EntW = 1 + 4 + 16 + 16;

  // ---------------------------------------------------------------- sweep
  logic           clear_q, w_ready, l_ready;
  logic [SqW-1:0] at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      at_q    <= '0;
    end else if (clear_q) begin
      clear_q <= at_q != '1;
      at_q    <= at_q + 1'b1;
    end
  end
  assign ready_o = !clear_q && w_ready && l_ready;

  // ---------------------------------------------------------------- one thing at a time: read, then act
  typedef enum logic [2:0] {OpNone, OpPop, OpWait, OpScan, OpCfg} op_e;
  op_e            op, op1_q, op2_q;
  logic           free, cfg_bad, cfg_ctrl, has, sane, told, reinsert, low, enter;
  logic [SqW-1:0] srqn, srqn1_q, srqn2_q;
  logic [15:0]    posted, left;
  logic [23:0]    qpn1_q, qpn2_q;
  ent_t           ent, next;
  weft_pkg::cfg_req_t cfg1_q, cfg2_q;
  logic           cfg1_bad_q, cfg2_bad_q, we2, init_q, init_pi, ev_wake, hold_low_q;

  // Those who begin to wait.
  logic           wv, w_room;
  logic [23:0]    w_qpn;
  logic [SqW-1:0] w_srqn;
  logic [$clog2(N_SLOT):0] w_count;
  weft_fifo #(.W(24 + SqW), .DEPTH(N_SLOT)) u_wait (
    .clk_i, .rst_ni, .in_valid_i(wait_valid_i), .in_ready_o(w_room), .in_data_i({wait_qpn_i, wait_srqn_i[SqW-1:0]}),
    .out_valid_o(wv), .out_ready_i(op == OpWait), .out_data_o({w_qpn, w_srqn}), .count_o(w_count)
  );
  // Those who wait: the set, and each one's queue.
  logic           sv, s_take, s_idle;
  logic [QpW-1:0] s_qpn;
  logic [QpW:0]   s_count;
  logic [SqW-1:0] s_srqn;
  weft_ready_fifo #(.N(N_QP)) u_set (
    .clk_i, .rst_ni, .ready_o(w_ready), .ins_valid_i(enter), .ins_id_i(qpn2_q[QpW-1:0]),
    .out_valid_o(sv), .out_ready_i(s_take), .out_id_o(s_qpn), .count_o(s_count), .idle_o(s_idle), .stat_enter_o(), .stat_merge_o()
  );
  weft_ram_1r1w #(.W(SqW), .DEPTH(N_QP)) u_of (
    .clk_i, .we_i(op2_q == OpWait), .waddr_i(qpn2_q[QpW-1:0]), .wdata_i(srqn2_q),
    .re_i(s_take), .raddr_i(s_qpn), .rdata_o(s_srqn)
  );

  // A round through the set: as many as are in it when it begins. What comes meanwhile asks for another one.
  typedef enum logic [1:0] {ScIdle, ScTake, ScSrqn, ScLook} scan_e;
  scan_e          sc_q;
  logic           again_q, quiet;
  logic [QpW:0]   rest_q;
  logic [23:0]    s_qpn_q;
  logic [GapW-1:0] gap_q;
  logic           wake_v_q;
  logic [23:0]    wake_q;
  logic [2:0]     settle_q;  // an insert is seen in the count some cycles later
  localparam logic [2:0] Settle = 3'd4;

  assign free     = ready_o && op1_q == OpNone && op2_q == OpNone && !init_q;
  assign cfg_bad  = cfg_req_i.addr[21:3] >= 19'(N_SRQ);
  assign cfg_ctrl = cfg2_q.addr[2:0] == 3'(weft_abi_pkg::SRQ_CTRL);
  always_comb begin
    op   = OpNone;
    srqn = pop_srqn_i[SqW-1:0];
    if (free) begin
      if (wv) begin
        op   = OpWait;
        srqn = w_srqn;
      end else if (sc_q == ScLook) begin
        op   = OpScan;
        srqn = s_srqn;
      end else if (pop_valid_i) begin
        op   = OpPop;
      end else if (cfg_req_valid_i) begin
        op   = OpCfg;
        srqn = cfg_req_i.addr[3+:SqW];
      end
    end
  end
  assign pop_ready_o     = op == OpPop;
  assign cfg_req_ready_o = op == OpCfg;

  logic [SqW-1:0] db_srqn;
  assign db_srqn = db_srqn_i[SqW-1:0];
  // A queue that is made has no doorbells yet (its owner is written behind it); those of others go first.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) init_q <= 1'b0;
    else init_q <= (op1_q == OpCfg && cfg1_q.we && !cfg1_bad_q && cfg1_q.addr[2:0] == 3'(weft_abi_pkg::SRQ_CTRL)) || (init_q && db_valid_i);
  end
  assign init_pi = init_q && !db_valid_i;
  weft_ram_1r1w #(.W(16), .DEPTH(N_SRQ)) u_posted (
    .clk_i, .we_i(clear_q || db_valid_i || init_pi), .waddr_i(clear_q ? at_q : db_valid_i ? db_srqn : srqn2_q),
    .wdata_i(clear_q || !db_valid_i ? '0 : db_index_i), .re_i(op != OpNone), .raddr_i(srqn), .rdata_o(posted)
  );
  weft_ram_1r1w #(.W(EntW), .DEPTH(N_SRQ)) u_ent (
    .clk_i, .we_i(clear_q || we2), .waddr_i(clear_q ? at_q : srqn2_q), .wdata_i(clear_q ? '0 : next),
    .re_i(op != OpNone), .raddr_i(srqn), .rdata_o(ent)
  );

  ent_t        ent_q;
  logic [15:0] posted_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op1_q <= OpNone;
      op2_q <= OpNone;
    end else begin
      op1_q <= op;
      op2_q <= op1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (op != OpNone) begin
      srqn1_q    <= srqn;
      qpn1_q     <= op == OpWait ? w_qpn : s_qpn_q;
      cfg1_q     <= cfg_req_i;
      cfg1_bad_q <= cfg_bad;
    end
    if (op1_q != OpNone) begin
      srqn2_q    <= srqn1_q;
      qpn2_q     <= qpn1_q;
      cfg2_q     <= cfg1_q;
      cfg2_bad_q <= cfg1_bad_q;
    end
    ent_q      <= ent;
    posted_q   <= posted;
  end

  // ---------------------------------------------------------------- act
  assign left = posted_q - ent_q.taken;
  assign sane = left <= 16'd1 << ent_q.log2;
  assign has  = ent_q.valid && sane && left != '0;
  assign stat_reject_o = (op2_q == OpPop || op2_q == OpScan) && ent_q.valid && !sane;
  always_comb begin
    next = ent_q;
    we2  = 1'b0;
    low  = 1'b0;
    unique case (op2_q)
      OpPop: begin
        we2        = has;
        next.taken = ent_q.taken + 16'd1;
        low        = has && left - 16'd1 < ent_q.limit;
      end
      OpCfg: begin
        we2 = cfg2_q.we && !cfg2_bad_q;
        if (cfg_ctrl) begin
          next       = '0;
          next.valid = cfg2_q.wdata[31];
          next.log2  = cfg2_q.wdata[3:0];
        end else begin
          next.limit = cfg2_q.wdata[15:0];
          low        = we2 && ent_q.valid && (sane ? left : 16'd0) < next.limit;
        end
      end
      default: ;
    endcase
    if (low) next.limit = '0;
  end
  assign pop_rsp_o   = op2_q == OpPop;
  assign pop_ok_o    = has;
  assign pop_index_o = ent_q.taken;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cfg_rsp_valid_o <= 1'b0;
    else cfg_rsp_valid_o <= op2_q == OpCfg;
  end
  always_ff @(posedge clk_i) begin
    cfg_rsp_o.err   <= cfg2_bad_q;
    cfg_rsp_o.rdata <= cfg2_bad_q || cfg2_q.we ? '0 : cfg_ctrl ? {posted_q, ent_q.taken} : {16'd0, ent_q.limit};
  end

  // ---------------------------------------------------------------- rounds
  // Nothing that went in is on its way into the set.
  assign quiet    = !wv && settle_q == '0 && op1_q == OpNone && op2_q == OpNone;
  assign s_take   = sc_q == ScTake && rest_q != '0 && sv && !wake_v_q && gap_q == '0;
  assign told     = op2_q == OpScan && (has || !ent_q.valid);
  assign reinsert = op2_q == OpScan && !told;
  assign enter    = op2_q == OpWait || reinsert;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sc_q     <= ScIdle;
      again_q  <= 1'b0;
      rest_q   <= '0;
      gap_q    <= '0;
      wake_v_q <= 1'b0;
      settle_q <= '0;
    end else begin
      again_q  <= db_valid_i || op2_q == OpWait || init_pi || (again_q && !(sc_q == ScIdle && quiet));
      settle_q <= enter ? Settle : settle_q == '0 ? '0 : settle_q - 3'd1;
      gap_q    <= told ? GapW'(WAKE_GAP) : gap_q == '0 ? '0 : gap_q - 1'b1;
      wake_v_q <= told || (wake_v_q && !(ev_wake && ev_ready_i));
      unique case (sc_q)
        ScIdle: if (again_q && quiet) begin
          rest_q <= s_count;
          sc_q   <= ScTake;
        end
        ScTake: begin
          if (rest_q == '0) sc_q <= ScIdle;
          else if (s_take) begin
            rest_q <= rest_q - 1'b1;
            sc_q   <= ScSrqn;
          end
        end
        ScSrqn: sc_q <= ScLook;
        default: if (op == OpScan) sc_q <= ScTake;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (s_take) s_qpn_q <= 24'(s_qpn);
    if (told) wake_q <= qpn2_q;
  end

  // ---------------------------------------------------------------- events
  logic           lv;
  logic [SqW-1:0] l_srqn;
  logic [SqW:0]   l_count;
  logic           l_idle;
  weft_ready_fifo #(.N(N_SRQ)) u_low (
    .clk_i, .rst_ni, .ready_o(l_ready), .ins_valid_i(low), .ins_id_i(srqn2_q),
    .out_valid_o(lv), .out_ready_i(ev_ready_i && !ev_wake), .out_id_o(l_srqn), .count_o(l_count), .idle_o(l_idle), .stat_enter_o(), .stat_merge_o()
  );
  // Stable until it is taken.
  assign ev_wake    = wake_v_q && !hold_low_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_low_q <= 1'b0;
    else hold_low_q <= lv && !ev_wake && !ev_ready_i;
  end
  assign ev_valid_o = ev_wake || lv;
  always_comb begin
    ev_o      = '0;
    ev_o.kind = ev_wake ? weft_abi_pkg::FW_EV_SRQ_WAKE : weft_abi_pkg::FW_EV_SRQ_LIMIT;
    ev_o.qpn  = ev_wake ? wake_q : 24'(l_srqn);
  end

  // Who waits for an entry is at rest.
  assign idle_o = ready_o && free && !wv && !wait_valid_i && !pop_valid_i && !cfg_req_valid_i && !cfg_rsp_valid_o && !db_valid_i &&
                  sc_q == ScIdle && !again_q && settle_q == '0 && !wake_v_q && l_idle;

`ifndef SYNTHESIS
  initial if (N_SRQ < 2 || N_SRQ > 4096 || (N_SRQ & (N_SRQ - 1)) != 0) $fatal(1, "weft_rdmap_srq: N_SRQ");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(wait_valid_i && !w_room)) else $error("%m: more who wait than slots");
    end
  end
`endif
  logic unused;
  assign unused = ^{w_room, w_count, s_idle, l_count, pop_srqn_i, wait_srqn_i, db_srqn_i, cfg1_q, cfg2_q, cfg_req_i};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
