// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Retirement: what passed the check pipe waits here until its placement has an outcome and its last beat
/// was accepted, and, when it invalidated an STag, until nobody uses that any more (PCIe answers alone are waited for); then it commits, completes, is handed to qp, or becomes an event. As placement keeps the order
/// of the check pipe, one queue of tickets serves all slots, and each slot's are in the order of its stream.
///
/// An item waits in front when its output has no room; completions and events have queues of
/// their own, so that commits go on while nobody takes those. An event holds a pin of its slot until it is taken, and a
/// connection breaks a rule once: so there is room for the event of each slot. One ticket a cycle.
module weft_rdmap_ticket #(
  parameter int unsigned N_SLOT = 256,   ///< a power of two, 4 to 4096
  parameter int unsigned PLACES = 64,    ///< tickets, a power of two: as many as credits
  parameter int unsigned CQE_DEPTH = 64, ///< completions that may wait for the CQ, a power of two
  parameter int unsigned EV_DEPTH = N_SLOT,  ///< events that may wait for firmware, a power of two, N_SLOT or more
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  output logic                      ready_o,

  input  logic                      ret_valid_i,    ///< no ready
  input  weft_rdmap_pkg::ret_t      ret_i,
  input  logic                      res_valid_i,    ///< outcome of its placement, in the same order; no ready
  input  weft_rdmap_pkg::result_t   res_i,
  input  logic                      placed_i,
  input  logic [7:0]                wr_acc_i,       ///< as in weft_fifo_after
  input  logic [7:0]                wr_left_i,
  input  logic [15:0]               op_done_i,      ///< closings of operations that are done, as in weft_tpt
  output logic                      credit_o,       ///< pulse: a place is free

  output logic                      inj_valid_o,    ///< KDead, KFlush; keeps the place
  input  logic                      inj_ready_i,
  output logic [SlW-1:0]            inj_slot_o,
  output weft_rdmap_pkg::item_t     inj_o,

  input  logic                      ahead_valid_i,  ///< a stored range ahead of turn
  output logic                      ahead_ready_o,
  input  weft_dp_pkg::commit_t      ahead_i,

  output logic                      commit_valid_o,
  input  logic                      commit_ready_i,
  output weft_dp_pkg::commit_t      commit_o,
  output logic                      placed_valid_o, ///< a Write ahead of turn is in memory; with its pin. Who finds no room is let go
  input  logic                      placed_ready_i,
  output weft_dp_pkg::commit_t      placed_o,
  output logic                      through_valid_o, ///< pulse: an FPDU is committed, before anything is merged, or a range that was placed before
  output weft_dp_pkg::commit_t      through_o,
  output logic                      cqe_valid_o,
  input  logic                      cqe_ready_i,
  output weft_dp_pkg::cqe_t         cqe_o,
  output logic                      rx_read_valid_o,
  input  logic                      rx_read_ready_i,
  output weft_dp_pkg::rx_read_t     rx_read_o,
  output logic                      read_done_valid_o,
  input  logic                      read_done_ready_i,
  output weft_dp_pkg::read_done_t   read_done_o,
  output logic                      term_valid_o,   ///< pulse: a Terminate came in, in front of its event
  output logic [11:0]               term_slot_o,
  output logic                      refuse_valid_o,
  input  logic                      refuse_ready_i,
  output weft_dp_pkg::refuse_t      refuse_o,
  output logic                      resume_valid_o,
  input  logic                      resume_ready_i,
  output weft_dp_pkg::who_t         resume_o,
  output logic                      ev_valid_o,
  input  logic                      ev_ready_i,
  output weft_dp_pkg::ctx_ev_t      ev_o,

  output logic [1:0]                drop_valid_o,   ///< pulses: pins of this slot, as in weft_rdmap_in
  output logic [2*12-1:0]           drop_slot_o,
  output logic [2*4-1:0]            drop_n_o,       ///< two's complement

  output logic                      idle_o,
  output logic                      stat_recv_o,
  output logic                      stat_flush_o,
  output logic                      stat_fault_o,
  output logic                      stat_merge_o,
  output logic                      stat_placed_o  ///< pulse: a Write ahead of turn is in memory, and mpa hears of it
);
  localparam int unsigned PlW = $clog2(PLACES);

  // ---------------------------------------------------------------- the queue
  weft_rdmap_pkg::ret_t    r;
  weft_rdmap_pkg::result_t res;
  logic                    rv, sv, r_room, s_room, take;
  logic [PlW:0]            r_count, s_count, placed_q;
  weft_fifo #(.W(weft_rdmap_pkg::RetW), .DEPTH(PLACES)) u_tickets (
    .clk_i, .rst_ni, .in_valid_i(ret_valid_i), .in_ready_o(r_room), .in_data_i(ret_i),
    .out_valid_o(rv), .out_ready_i(take), .out_data_o(r), .count_o(r_count)
  );
  weft_fifo #(.W(weft_rdmap_pkg::ResultW), .DEPTH(PLACES)) u_results (
    .clk_i, .rst_ni, .in_valid_i(res_valid_i), .in_ready_o(s_room), .in_data_i(res_i),
    .out_valid_o(sv), .out_ready_i(take), .out_data_o(res), .count_o(s_count)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) placed_q <= '0;
    else placed_q <= placed_q + (PlW + 1)'(placed_i) - (PlW + 1)'(take && res.waits);
  end

  // ---------------------------------------------------------------- what becomes of it
  logic is_fpdu, good, failed, fault, is_send, is_inv, is_imm, is_se, is_resp, is_term, local_mem, is_req, is_atom, is_arsp, there, open, srq_lost;
  logic n_placed, n_cqe, n_done, n_read, n_ev, n_inj, n_com, n_ref, n_rsm, n_drop;
  logic [1:0] things;
  logic [3:0] rx_count, rd_count;
  logic cqe_room, done_room, read_room, ev_room, inj_room, com_room, ref_room, rsm_room, drop_room;
  logic commit_ready;
  assign is_fpdu   = r.kind == weft_rdmap_pkg::RFpdu;
  assign good      = is_fpdu && !res.dead && res.err == '0;
  assign failed    = is_fpdu && !res.dead && res.err != '0;
  assign fault     = r.kind == weft_rdmap_pkg::RFault && !res.dead;
  assign is_atom   = r.op == 4'(weft_pkg::RdAtomReq);
  assign is_req    = r.op == 4'(weft_pkg::RdReadReq) || is_atom;
  assign is_arsp   = r.op == 4'(weft_pkg::RdAtomResp);
  assign is_resp   = r.op == 4'(weft_pkg::RdReadResp) || is_arsp;
  assign is_term   = r.op == 4'(weft_pkg::RdTerminate);
  assign is_inv    = r.op == 4'(weft_pkg::RdSendInv) || r.op == 4'(weft_pkg::RdSendSeInv);
  assign is_imm    = r.op == 4'(weft_pkg::RdImm) || r.op == 4'(weft_pkg::RdImmSe);
  assign is_se     = r.op == 4'(weft_pkg::RdSendSe) || r.op == 4'(weft_pkg::RdSendSeInv) || r.op == 4'(weft_pkg::RdImmSe);
  assign is_send   = r.op == 4'(weft_pkg::RdSend) || r.op == 4'(weft_pkg::RdSendSe) || is_inv || is_imm;
  assign local_mem = is_send && !res.inv;
  // Its last beat was accepted; what it invalidated is touched by nobody any more (the number of its closing has passed).
  assign open  = 1'((op_done_i - res.seq) >> 15);
  assign there = rv && sv && (!res.waits || placed_q != '0) && !(res.inv && res.err == '0 && open);

  // A WQE of a shared queue whose message the check pipe has seen to its end, and whose placement comes to nothing, is flushed here.
  assign srq_lost = is_fpdu && !good && is_send && r.done && r.srq;
  assign n_cqe  = (good && is_send && r.done) || srq_lost || r.kind == weft_rdmap_pkg::RFlush;
  // A barrier is told to qp, too: behind it nothing is written for a Read that is flushed.
  assign n_done = (is_resp && ((good && r.done) || failed)) || r.kind == weft_rdmap_pkg::RBarrier;
  assign n_read = good && is_req;
  assign n_ev   = fault || failed || (good && is_term) || r.kind == weft_rdmap_pkg::RDrain;
  assign n_inj  = failed || r.kind == weft_rdmap_pkg::RBarrier;
  // All that came before the end of the stream has retired: tcp may tell of it.
  assign n_com  = good || ((r.kind == weft_rdmap_pkg::RStored || r.kind == weft_rdmap_pkg::RFin) && !res.dead);
  assign n_ref  = r.kind == weft_rdmap_pkg::RRefuse && !res.dead;
  assign n_rsm  = r.kind == weft_rdmap_pkg::RResume && !res.dead;
  // All that a ticket becomes holds a pin: one of these has the ticket's, others get a pin of their own.
  assign things = 2'(n_placed) + 2'(n_com) + 2'(failed) + 2'(n_ref) + 2'(n_rsm) + 2'(n_read) + 2'(n_done) + 2'(n_ev);
  // It never waits for mpa, which waits for places here.
  assign n_placed = r.kind == weft_rdmap_pkg::RAhead && !res.dead && res.err == '0 && placed_room;
  assign n_drop = r.pinned && things == '0;
  // Firmware may end a connection for an event or for the end of its stream: Reads that were answered before are told before.
  logic told;
  assign told   = (!n_ev && r.kind != weft_rdmap_pkg::RFin) || rd_count == '0;
  assign take   = there && told &&
                  (!n_cqe || cqe_room) && (!n_done || done_room) && (!n_read || read_room) && (!n_ev || ev_room) &&
                  (!n_inj || inj_room) && (!n_com || com_room) && (!n_ref || ref_room) && (!n_rsm || rsm_room) &&
                  (!n_drop || drop_room);
  assign credit_o = take && !n_inj;

  // Terminate code of a failed translation.
  logic [15:0] code;
  logic [1:0]  hdrs;
  logic [7:0]  status;
  always_comb begin
    status = res.err == 4'(weft_pkg::XlBus) ? weft_abi_pkg::WC_STATUS_FATAL_ERR : weft_abi_pkg::WC_STATUS_LOC_PROT_ERR;
    hdrs   = is_req && !is_atom ? weft_rdmap_pkg::HdrRead : weft_rdmap_pkg::HdrDdp;
    unique case (res.err)
      4'(weft_pkg::XlPd):     code = is_req ? weft_rdmap_pkg::TermRdPd : weft_rdmap_pkg::TermTagPd;
      // DDP has no code for a missing right: RDMAP's is used, as for Read Requests.
      4'(weft_pkg::XlAccess): code = weft_rdmap_pkg::TermRdAccess;
      4'(weft_pkg::XlWrap):   code = is_req ? weft_rdmap_pkg::TermRdWrap : weft_rdmap_pkg::TermTagWrap;
      4'(weft_pkg::XlBounds): code = is_req ? weft_rdmap_pkg::TermRdBounds : weft_rdmap_pkg::TermTagBounds;
      weft_rdmap_pkg::ErrAlign: code = weft_rdmap_pkg::TermStream;
      default:                code = is_req ? weft_rdmap_pkg::TermRdStag : weft_rdmap_pkg::TermTagStag;
    endcase
    if (res.inv) begin
      unique case (res.err)
        4'(weft_pkg::XlPd):     code = weft_rdmap_pkg::TermRdPd;
        4'(weft_pkg::XlAccess): code = weft_rdmap_pkg::TermRdAccess;
        4'(weft_pkg::XlInv):    code = weft_rdmap_pkg::TermInv;
        default:                code = weft_rdmap_pkg::TermRdStag;
      endcase
    end else if (local_mem || is_arsp) begin
      code = weft_rdmap_pkg::TermLocal;
      hdrs = weft_rdmap_pkg::HdrNone;
    end else if (res.err == 4'(weft_pkg::XlBus)) begin
      code = weft_rdmap_pkg::TermPlacement;
      hdrs = weft_rdmap_pkg::HdrNone;
    end
  end

  // ---------------------------------------------------------------- back to the check pipe
  weft_rdmap_pkg::item_t inj_in;
  weft_rdmap_pkg::dead_t dead;
  localparam int unsigned InjW = SlW + 1 + 24 + weft_rdmap_pkg::DeadW;
  logic                  inj_fl;
  logic [23:0]           inj_qpn;
  weft_rdmap_pkg::dead_t inj_dead;
  logic [3:0]            inj_count;
  assign dead.rq     = r.index;
  assign dead.status = local_mem ? status : 8'd0;
  weft_fifo #(.W(InjW), .DEPTH(8)) u_inj (
    .clk_i, .rst_ni, .in_valid_i(take && n_inj), .in_ready_o(inj_room),
    .in_data_i({r.who.slot[SlW-1:0], !failed, r.who.qpn, dead}),
    .out_valid_o(inj_valid_o), .out_ready_i(inj_ready_i), .out_data_o({inj_slot_o, inj_fl, inj_qpn, inj_dead}), .count_o(inj_count)
  );
  always_comb begin
    inj_in      = '0;
    inj_in.kind = inj_fl ? weft_rdmap_pkg::KFlush : weft_rdmap_pkg::KDead;
    inj_in.qpn  = inj_qpn;
    inj_in.d    = inj_fl ? '0 : 512'(inj_dead);
  end
  assign inj_o = inj_in;

  // ---------------------------------------------------------------- commits
  weft_dp_pkg::commit_t com, word;
  logic                 com_drop, word_v, word_r, com_idle;
  logic [11:0]          com_drop_slot;
  always_comb begin
    com       = '0;
    com.who   = r.who;
    com.from  = r.from;
    com.to    = r.to;
    com.now   = r.now;
    com.first = r.first;
    com.fin   = r.kind == weft_rdmap_pkg::RFin;
  end
  assign through_valid_o = take && (good || (r.kind == weft_rdmap_pkg::RStored && r.done && !res.dead));
  assign through_o       = com;
  // Every other room but that of the commit itself: the unit merges, and never waits for long.
  logic others;
  assign others = there && told && (!n_cqe || cqe_room) && (!n_done || done_room) &&
                  (!n_read || read_room) && (!n_ev || ev_room);
  assign com_room = commit_ready;
  weft_rdmap_commit #(.N_SLOT(N_SLOT)) u_commit (
    .clk_i, .rst_ni, .ready_o, .in_valid_i(others && n_com), .in_ready_o(commit_ready), .in_i(com), .in_pin_i(1'b1),
    .out_valid_o(word_v), .out_ready_i(word_r), .out_o(word), .drop_o(com_drop), .drop_slot_o(com_drop_slot),
    .idle_o(com_idle), .stat_merge_o
  );
  // Ranges ahead of turn are not merged; they are offered when no word is. Their pins have a queue of their own.
  logic        hold_q, pick_ahead, ahead_q, ad_room, ad_v, ad_r;
  logic [11:0] ad_slot;
  logic [2:0]  ad_count;
  assign pick_ahead     = hold_q ? ahead_q : (ahead_valid_i && !word_v && ad_room);
  assign commit_valid_o = pick_ahead || word_v;
  assign commit_o       = pick_ahead ? ahead_i : word;
  assign word_r         = commit_ready_i && !pick_ahead;
  assign ahead_ready_o  = commit_ready_i && pick_ahead;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= 1'b0;
    else hold_q <= commit_valid_o && !commit_ready_i;
  end
  always_ff @(posedge clk_i) ahead_q <= pick_ahead;
  weft_fifo #(.W(12), .DEPTH(4)) u_adrop (
    .clk_i, .rst_ni, .in_valid_i(ahead_valid_i && ahead_ready_o), .in_ready_o(ad_room), .in_data_i(ahead_i.who.slot),
    .out_valid_o(ad_v), .out_ready_i(ad_r), .out_data_o(ad_slot), .count_o(ad_count)
  );

  // ---------------------------------------------------------------- placed ahead of turn
  logic                 placed_room;
  logic [3:0]           pl_count;
  weft_dp_pkg::commit_t placed_in;
  always_comb begin
    placed_in       = '0;
    placed_in.who   = r.who;
    placed_in.from  = r.from;
    placed_in.to    = r.to;
    placed_in.ahead = 1'b1;
  end
  weft_fifo #(.W(36 + 128 + 4), .DEPTH(8)) u_placed (
    .clk_i, .rst_ni, .in_valid_i(take && n_placed), .in_ready_o(placed_room), .in_data_i(placed_in),
    .out_valid_o(placed_valid_o), .out_ready_i(placed_ready_i), .out_data_o(placed_o), .count_o(pl_count)
  );

  // ---------------------------------------------------------------- completions
  logic [$clog2(CQE_DEPTH):0] cqe_count;
  logic [7:0]  c_status, c_fn;
  logic [1:0]  c_port;
  logic [23:0] c_cqn, c_qpn;
  logic [15:0] c_index;
  logic [31:0] c_bytes;
  logic        c_sol, c_inv, c_imm;
  logic [31:0] c_word, word_in;  // STag that was invalidated, or the low half of immediate data (RFC 7306 6)
  assign word_in = is_inv ? weft_rdmap_pkg::be32(r.head[47:16]) : is_imm ? weft_rdmap_pkg::be32(r.head[207:176]) : 32'd0;
  weft_fifo #(.W(149), .DEPTH(CQE_DEPTH)) u_cqe (
    .clk_i, .rst_ni, .in_valid_i(take && n_cqe), .in_ready_o(cqe_room),
    .in_data_i({r.port, r.fn, r.cqn, r.who.qpn,
                good ? 8'(weft_abi_pkg::WC_STATUS_SUCCESS) : failed && local_mem ? status : r.status != '0 ? r.status : 8'(weft_abi_pkg::WC_STATUS_WR_FLUSH_ERR),
                r.index, good ? r.bytes : 32'd0, good && is_se,
                good && is_inv, good && is_imm, good ? word_in : 32'd0}),
    .out_valid_o(cqe_valid_o), .out_ready_i(cqe_ready_i),
    .out_data_o({c_port, c_fn, c_cqn, c_qpn, c_status, c_index, c_bytes, c_sol, c_inv, c_imm, c_word}), .count_o(cqe_count)
  );
  always_comb begin
    cqe_o           = '0;
    cqe_o.link.port = c_port;
    cqe_o.link.fn   = c_fn;
    cqe_o.cqn       = c_cqn;
    cqe_o.qpn       = c_qpn;
    cqe_o.opcode    = c_inv ? weft_abi_pkg::WC_OPCODE_RECV_INV : c_imm ? weft_abi_pkg::WC_OPCODE_RECV_IMM : weft_abi_pkg::WC_OPCODE_RECV;
    cqe_o.inv_stag  = c_imm ? 32'd0 : c_word;
    cqe_o.has_imm   = c_imm;
    cqe_o.imm       = c_imm ? c_word : 32'd0;
    cqe_o.status    = c_status;
    cqe_o.index     = c_index;
    cqe_o.bytes     = c_bytes;
    cqe_o.solicited = c_sol;
  end

  // ---------------------------------------------------------------- reads
  // What was taken over gives its pin back behind that; without room for it nothing is offered.
  localparam int unsigned NOver = 3;
  logic                   rx_v, rd_v, ev_v;
  logic [NOver-1:0]       over_room;
  weft_dp_pkg::rx_read_t   rx;
  weft_dp_pkg::read_done_t rd;
  localparam int unsigned RxW = 36 + 32 + 64 + 32 + 32 + 64 + 1 + 64;
  logic [2:0] ref_count, rsm_count;
  always_comb begin
    rx           = '0;
    rx.who       = r.who;
    rx.sink_stag = weft_rdmap_pkg::be32(r.head[175:144]);
    rx.sink_to   = weft_rdmap_pkg::be64(r.head[239:176]);
    rx.len       = weft_rdmap_pkg::be32(r.head[271:240]);
    rx.src_stag  = weft_rdmap_pkg::be32(r.head[303:272]);
    rx.src_to    = weft_rdmap_pkg::be64(r.head[367:304]);
    if (is_atom) begin
      rx           = '0;
      rx.who       = r.who;
      rx.sink_stag = weft_rdmap_pkg::be32(r.head[207:176]);
      rx.src_stag  = r.bytes;
      rx.atomic    = 1'b1;
      rx.result    = res.old;
    end
    rd           = '0;
    rd.who       = r.who;
    rd.status    = good ? weft_abi_pkg::WC_STATUS_SUCCESS : status;
    rd.bytes     = good ? r.bytes : 32'd0;
    rd.quiet     = r.kind == weft_rdmap_pkg::RBarrier;
  end
  // Both let qp read what was written before: the bytes of a Read behind a Write or an atomic, and what a fence waits for. Who hears that a Read is
  // complete or flushed may use its sink at once: what was written there has left.
  weft_fifo_after #(.W(RxW), .DEPTH(8)) u_rx (
    .clk_i, .rst_ni, .wr_acc_i, .wr_left_i, .in_valid_i(take && n_read), .in_ready_o(read_room), .in_data_i(rx),
    .out_valid_o(rx_v), .out_ready_i(rx_read_ready_i && over_room[0]), .out_data_o(rx_read_o), .count_o(rx_count)
  );
  weft_fifo_after #(.W(77), .DEPTH(8)) u_done (
    .clk_i, .rst_ni, .wr_acc_i, .wr_left_i, .in_valid_i(take && n_done), .in_ready_o(done_room), .in_data_i(rd),
    .out_valid_o(rd_v), .out_ready_i(read_done_ready_i && over_room[1]), .out_data_o(read_done_o), .count_o(rd_count)
  );
  assign rx_read_valid_o   = rx_v && over_room[0];
  assign read_done_valid_o = rd_v && over_room[1];
  weft_dp_pkg::refuse_t ref_in;
  assign ref_in = {r.who, r.from, 2'd0};
  weft_fifo #(.W(102), .DEPTH(4)) u_refuse (
    .clk_i, .rst_ni, .in_valid_i(take && n_ref), .in_ready_o(ref_room), .in_data_i(ref_in),
    .out_valid_o(refuse_valid_o), .out_ready_i(refuse_ready_i), .out_data_o(refuse_o), .count_o(ref_count)
  );
  weft_fifo #(.W(36), .DEPTH(4)) u_resume (
    .clk_i, .rst_ni, .in_valid_i(take && n_rsm), .in_ready_o(rsm_room), .in_data_i(r.who),
    .out_valid_o(resume_valid_o), .out_ready_i(resume_ready_i), .out_data_o(resume_o), .count_o(rsm_count)
  );

  // ---------------------------------------------------------------- events
  weft_dp_pkg::ctx_ev_t ev;
  localparam int unsigned EvW = 12 + 24 + 8 + 16 + 32 + 32 + 8 + 368;
  logic [11:0] ev_slot;
  logic [$clog2(EV_DEPTH):0] ev_count;
  logic [1:0] hd;
  assign hd = failed ? hdrs : r.hdrs;
  always_comb begin
    ev           = '0;
    ev.qpn       = r.who.qpn;
    ev.data0     = r.from[31:0];
    ev.data1     = r.from[63:32];
    ev.hdr       = r.head;
    if (r.kind == weft_rdmap_pkg::RDrain) begin
      ev.kind  = weft_abi_pkg::FW_EV_DRAINED;
      ev.code  = 16'(weft_abi_pkg::ROOM_RX);
      ev.data0 = 32'(r.index);
      ev.data1 = '0;
    end else if (good) begin
      ev.kind      = weft_abi_pkg::FW_EV_RX_TERMINATE;
      ev.code      = {r.head[151:144], r.head[159:152]};
      ev.hdr_bytes = r.ulpdu > 16'd46 ? 8'd46 : r.ulpdu[7:0];
    end else begin
      ev.kind      = weft_abi_pkg::FW_EV_RX_FAULT;
      ev.code      = failed ? code : r.code;
      ev.data1     = {r.from[47:32], r.ulpdu};
      ev.hdr_bytes = hd == weft_rdmap_pkg::HdrRead ? 8'd46 : hd == weft_rdmap_pkg::HdrDdp ? (r.head[7] ? 8'd14 : 8'd18) : 8'd0;
    end
  end
  weft_fifo #(.W(EvW), .DEPTH(EV_DEPTH)) u_ev (
    .clk_i, .rst_ni, .in_valid_i(take && n_ev), .in_ready_o(ev_room), .in_data_i({r.who.slot, ev}),
    .out_valid_o(ev_v), .out_ready_i(ev_ready_i && over_room[2]), .out_data_o({ev_slot, ev_o}), .count_o(ev_count)
  );
  assign ev_valid_o = ev_v && over_room[2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) term_valid_o <= 1'b0;
    else term_valid_o <= take && good && is_term;
  end
  always_ff @(posedge clk_i) term_slot_o <= r.who.slot;

  // ---------------------------------------------------------------- pins
  logic        d_v, d_r;
  logic [11:0] d_slot;
  logic [2:0]  d_count;
  weft_fifo #(.W(12), .DEPTH(4)) u_drop (
    .clk_i, .rst_ni, .in_valid_i(take && n_drop), .in_ready_o(drop_room), .in_data_i(r.who.slot),
    .out_valid_o(d_v), .out_ready_i(d_r), .out_data_o(d_slot), .count_o(d_count)
  );
  assign d_r          = !com_drop;
  assign ad_r         = !com_drop && !d_v;
  // Told before anything that came of the ticket can end.
  logic        more_q;
  logic [11:0] more_slot_q;
  logic [3:0]  more_n_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) more_q <= 1'b0;
    else more_q <= take && things > 2'(r.pinned);
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      more_slot_q <= r.who.slot;
      more_n_q    <= 4'(r.pinned) - 4'(things);
    end
  end
  // Pins of what was taken over.
  logic [NOver-1:0]       over_in, over_v, over_r;
  logic [NOver-1:0][11:0] over_slot_in, over_slot;
  logic [NOver-1:0][1:0]  over_n;
  assign over_in      = {ev_valid_o && ev_ready_i, read_done_valid_o && read_done_ready_i, rx_read_valid_o && rx_read_ready_i};
  assign over_slot_in = {ev_slot, read_done_o.who.slot, rx_read_o.who.slot};
  for (genvar k = 0; k < NOver; k++) begin : gen_over
    weft_fifo #(.W(12), .DEPTH(2)) u_over (
      .clk_i, .rst_ni, .in_valid_i(over_in[k]), .in_ready_o(over_room[k]), .in_data_i(over_slot_in[k]),
      .out_valid_o(over_v[k]), .out_ready_i(over_r[k]), .out_data_o(over_slot[k]), .count_o(over_n[k])
    );
  end
  logic        o_v;
  logic [11:0] o_slot;
  always_comb begin
    o_v    = 1'b0;
    o_slot = '0;
    over_r = '0;
    for (int unsigned k = 0; k < NOver; k++) begin
      if (!o_v && !more_q && over_v[k]) begin
        o_v       = 1'b1;
        o_slot    = over_slot[k];
        over_r[k] = 1'b1;
      end
    end
  end
  assign drop_valid_o = {more_q || o_v, com_drop || d_v || ad_v};
  assign drop_slot_o  = {more_q ? more_slot_q : o_slot, com_drop ? com_drop_slot : d_v ? d_slot : ad_slot};
  assign drop_n_o     = {more_q ? more_n_q : 4'd1, 4'd1};

  assign idle_o = !ret_valid_i && !rv && !more_q && !inj_valid_o && !commit_valid_o && com_idle && !cqe_valid_o && rx_count == '0 &&
                  rd_count == '0 && over_v == '0 && !ev_v && !d_v && !ad_v && !refuse_valid_o && !resume_valid_o && !placed_valid_o;
  assign stat_recv_o  = take && n_cqe && good;
  assign stat_flush_o = take && n_cqe && !good;
  assign stat_fault_o = take && (fault || failed);
  assign stat_placed_o = take && n_placed;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(ret_valid_i && !r_room)) else $error("%m: more tickets than credits");
      assert (!(res_valid_i && !s_room)) else $error("%m: more results than tickets");
    end
  end
`endif
  logic unused;
  assign unused = ^{r_room, s_room, r_count, s_count, inj_count, cqe_count, over_n, ref_count, rsm_count, ev_count, pl_count,
                    d_count, ad_count, r};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
