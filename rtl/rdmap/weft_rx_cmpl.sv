// SPDX-License-Identifier: BSD-2-Clause

/// End of the receive pipeline: each item has been placed when it is taken, so this is where
/// completions, commits (what may be acknowledged), inbound reads, events and the flush of the
/// receive queue are made, in order per QP.
///
/// FPDUs of one segment are committed together, with its last one, or earlier when something else of
/// the QP follows; so a Terminate acknowledges exactly up to the faulty FPDU.
module weft_rx_cmpl #(
  parameter int unsigned N_QP = 16,     ///< queue pairs, a power of two, 2 or more
  parameter int unsigned EV_DEPTH = 64, ///< events that wait for firmware, a power of two. With 2 * N_QP
                                        ///< firmware can never block the pipeline: a QP has at most one
                                        ///< error and one FIN (and one DRAINED is asked for at a time)
  parameter bit          INV_EN = 0,    ///< remote invalidates go to the inv_* port
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [N_QP-1:0]        home_i,       ///< of weft_ctx_store, for flushes
  output logic [N_QP-1:0]        want_o,
  output logic                   busy_o,       ///< at work on busy_qpn_o
  output logic [QpW-1:0]         busy_qpn_o,

  input  logic                   item_valid_i,
  output logic                   item_ready_o,
  input  weft_rx_pkg::item_t     item_i,
  input  logic                   item_credit_i,
  input  logic                   placed_i,
  input  weft_abi_pkg::ctx_rx_t  tok_ctx_i,
  output logic                   tok_done_o,   ///< pulse: the context command has passed

  input  logic                   rq_db_valid_i,
  input  logic [15:0]            rq_db_qpn_i,
  input  logic [15:0]            rq_db_index_i,

  output logic                   irq_valid_o,
  input  logic                   irq_ready_i,
  output weft_pkg::irq_t         irq_o,
  output logic                   rd_done_valid_o,
  input  logic                   rd_done_ready_i,
  output logic [15:0]            rd_done_qpn_o,
  output logic                   commit_valid_o,
  input  logic                   commit_ready_i,
  output weft_pkg::rx_commit_t   commit_o,
  output logic                   ackreq_valid_o,
  input  logic                   ackreq_ready_i,
  output logic [15:0]            ackreq_qpn_o,
  output logic                   cqe_valid_o,
  input  logic                   cqe_ready_i,
  output weft_pkg::cqe_req_t     cqe_o,
  output logic                   fwev_valid_o,
  input  logic                   fwev_ready_i,
  output weft_pkg::fw_ev_t       fwev_o,
  output logic                   inv_valid_o,
  input  logic                   inv_ready_i,
  output logic [15:0]            inv_qpn_o,
  output logic [23:0]            inv_pd_o,
  output logic [31:0]            inv_stag_o,
  input  logic                   inv_rsp_valid_i,
  input  logic [3:0]             inv_rsp_err_i,

  /// Read-back of the context, answered in the next cycle.
  input  logic                   look_re_i,
  input  logic [QpW-1:0]         look_qpn_i,
  output logic [31:0]            look_nxt_o,
  output logic [15:0]            look_rq_o,

  output logic                   idle_o,
  output logic                   taken_o,      ///< pulse: an item has left the pipeline
  output logic                   stat_fault_o, ///< pulses
  output logic                   stat_recv_o,
  output logic                   stat_flush_o
);

  typedef enum logic [3:0] {StIdle, StAct, StInv, StInvRsp, StPlan, StOut, StEvent, StWrite} state_e;

  typedef struct packed {
    logic [31:0] nxt;    // placed up to here
    logic [15:0] rq;     // next receive WQE to complete
    logic [15:0] cqn;
    logic [23:0] pd;
    logic        err;    // state ERR: the receive queue is flushed
    logic        dead;   // an error was reported
    logic        first;  // an FPDU was committed
    logic        pend;   // nxt is not committed yet
    logic        now;    // ... and a message ended in it
  } cs_t;

  state_e             state_q;
  weft_rx_pkg::item_t item_q;
  cs_t                cs, cs_q, look;
  logic               flush_q, turn_q;  // this round is a flush; flush has the turn
  logic [QpW-1:0]     qp, kick_qpn;
  logic [15:0]        db;
  logic               take_item, take_kick, kick_valid, cs_we, item_can;
  logic [5:0]         credit_q;

  // ------------------------------------------------ what comes next
  assign item_can     = item_valid_i && (!item_credit_i || credit_q != '0);
  assign take_item    = state_q == StIdle && item_can && !(kick_valid && turn_q);
  assign take_kick    = state_q == StIdle && kick_valid && !take_item;
  assign item_ready_o = take_item;
  assign qp           = item_q.qpn[QpW-1:0];
  logic [QpW-1:0] next_qp;
  assign next_qp      = take_kick ? kick_qpn : item_i.qpn[QpW-1:0];

  logic add_valid, add_ready;
  weft_rx_kick #(.N_QP(N_QP)) u_kick (
    .clk_i, .rst_ni, .home_i, .want_o, .set_valid_i(rq_db_valid_i), .set_qpn_i(rq_db_qpn_i[QpW-1:0]),
    .add_valid_i(add_valid), .add_ready_o(add_ready), .add_qpn_i(qp),
    .out_valid_o(kick_valid), .out_ready_i(take_kick), .out_qpn_o(kick_qpn)
  );

  
  weft_ram_1r1w #(.W(93), .DEPTH(N_QP)) u_cs (.clk_i, .we_i(cs_we), .waddr_i(qp), .wdata_i(cs_q),
    .re_i(state_q == StIdle), .raddr_i(next_qp), .rdata_o(cs));
  weft_ram_1r1w #(.W(93), .DEPTH(N_QP)) u_look (.clk_i, .we_i(cs_we), .waddr_i(qp),
    .wdata_i(cs_q), .re_i(look_re_i), .raddr_i(look_qpn_i), .rdata_o(look));
  assign look_nxt_o = look.nxt;
  assign look_rq_o  = look.rq;

  // A WRITE with STATE RESET forgets what was posted (weft_rx_rq).
  // Read after the QP has left the set of kicked ones, so that no doorbell falls between.
  logic db_we, db_new;
  assign db_new = state_q == StWrite && !flush_q && item_q.kind == weft_rx_pkg::IkLoad &&
                  tok_ctx_i.state == weft_abi_pkg::QP_STATE_RESET;
  assign db_we  = rq_db_valid_i || db_new;
  weft_ram_1r1w #(.W(16), .DEPTH(N_QP)) u_db (.clk_i, .we_i(db_we),
    .waddr_i(rq_db_valid_i ? rq_db_qpn_i[QpW-1:0] : qp),
    .wdata_i(rq_db_valid_i ? rq_db_index_i : tok_ctx_i.rq_index),
    .re_i(state_q == StAct), .raddr_i(qp), .rdata_o(db));

  // ------------------------------------------------ what an item asks for
  logic is_fpdu, is_term, inv_due, kick_q;
  logic cqe_q, done_q, irq_q, commit_q, ack_q, event_q;
  assign is_fpdu = item_q.kind == weft_rx_pkg::IkFpdu;
  assign is_term = is_fpdu && item_q.op == weft_pkg::RdTerminate;
  assign inv_due = INV_EN && !flush_q && is_fpdu && item_q.inv && item_q.done && !cs.dead;

  // ------------------------------------------------ outputs
  logic ev_valid, ev_ready;
  assign cqe_valid_o     = state_q == StOut && cqe_q;
  assign rd_done_valid_o = state_q == StOut && done_q;
  assign irq_valid_o     = state_q == StOut && irq_q;
  assign commit_valid_o  = state_q == StOut && commit_q;
  assign ackreq_valid_o  = state_q == StEvent && ack_q;
  assign ev_valid        = state_q == StEvent && event_q;
  assign inv_valid_o     = state_q == StInv;
  assign inv_qpn_o       = item_q.qpn;
  assign inv_pd_o        = cs_q.pd;
  assign inv_stag_o      = weft_rx_pkg::be32(item_q.hdr[47:16]);

  assign rd_done_qpn_o = item_q.qpn;
  assign ackreq_qpn_o  = item_q.qpn;
  assign irq_o = {item_q.qpn, weft_rx_pkg::be32(item_q.hdr[175:144]),
                  weft_rx_pkg::be64(item_q.hdr[239:176]), weft_rx_pkg::be32(item_q.hdr[271:240]),
                  weft_rx_pkg::be32(item_q.hdr[303:272]), weft_rx_pkg::be64(item_q.hdr[367:304])};
  assign commit_o = {item_q.qpn, cs_q.nxt, cs_q.now, !cs_q.first};

  logic ok;
  assign ok = !flush_q && item_q.status == weft_abi_pkg::WC_STATUS_SUCCESS;
  always_comb begin
    cqe_o            = '0;
    cqe_o.cqn        = cs_q.cqn;
    cqe_o.qpn        = item_q.qpn;
    cqe_o.opcode     = (ok && item_q.inv) ? weft_abi_pkg::WC_OPCODE_RECV_INV
                                          : weft_abi_pkg::WC_OPCODE_RECV;
    cqe_o.status     = flush_q ? weft_abi_pkg::WC_STATUS_WR_FLUSH_ERR : item_q.status;
    cqe_o.index      = flush_q ? cs_q.rq : item_q.wqe;
    cqe_o.bytes      = ok ? item_q.bytes : 32'd0;
    cqe_o.inv_stag   = (ok && item_q.inv) ? inv_stag_o : 32'd0;
    cqe_o.vendor_err = ok ? 32'd0 : 32'(item_q.code);
    cqe_o.solicited  = ok && item_q.solicited;
    if (flush_q) cqe_o.vendor_err = '0;
  end

  // ------------------------------------------------ events, kept without their unused bits
  typedef struct packed {
    logic [367:0] hdr;
    logic [15:0]  data1;
    logic [31:0]  data0;
    logic [15:0]  qpn;
    logic [15:0]  code;
    logic [7:0]   hdr_bytes;
    logic [7:0]   kind;
  } ev_t;
  ev_t ev_in, ev;
  always_comb begin
    ev_in       = '0;
    ev_in.hdr   = item_q.hdr;
    ev_in.qpn   = item_q.qpn;
    ev_in.data0 = item_q.seq;
    ev_in.data1 = item_q.ulpdu;
    unique case (item_q.kind)
      weft_rx_pkg::IkFin:   ev_in.kind = weft_abi_pkg::FW_EV_RX_FIN;
      weft_rx_pkg::IkDrain: begin
        ev_in.kind = weft_abi_pkg::FW_EV_DRAINED;
        ev_in.code = 16'(weft_abi_pkg::ROOM_RX);
      end
      weft_rx_pkg::IkFault: begin
        ev_in.kind = weft_abi_pkg::FW_EV_RX_FAULT;
        ev_in.code = item_q.code;
        if (item_q.hdrs == weft_rx_pkg::HdrRead) ev_in.hdr_bytes = 8'd46;
        else if (item_q.hdrs == weft_rx_pkg::HdrDdp) ev_in.hdr_bytes = item_q.hdr[7] ? 8'd14 : 8'd18;
      end
      default: begin
        ev_in.kind      = weft_abi_pkg::FW_EV_RX_TERMINATE;
        ev_in.code      = {item_q.hdr[151:144], item_q.hdr[159:152]};
        ev_in.hdr_bytes = item_q.ulpdu > 16'd46 ? 8'd46 : item_q.ulpdu[7:0];
      end
    endcase
  end
  logic [$clog2(EV_DEPTH):0] ev_count;
  weft_fifo #(.W(464), .DEPTH(EV_DEPTH)) u_ev (
    .clk_i, .rst_ni, .in_valid_i(ev_valid), .in_ready_o(ev_ready), .in_data_i(ev_in),
    .out_valid_o(fwev_valid_o), .out_ready_i(fwev_ready_i), .out_data_o(ev), .count_o(ev_count)
  );
  assign fwev_o = {16'd0, ev.hdr, 16'd0, ev.data1, ev.data0, 16'd0, ev.qpn, ev.code, ev.hdr_bytes,
                   ev.kind};

  // ------------------------------------------------ control
  logic out_done, ev_done, wr_done;
  assign out_done = !(cqe_q && !cqe_ready_i) && !(done_q && !rd_done_ready_i) &&
                    !(irq_q && !irq_ready_i) && !(commit_q && !commit_ready_i);
  assign ev_done  = !(ack_q && !ackreq_ready_i) && !(event_q && !ev_ready);
  assign add_valid = state_q == StWrite && kick_q;
  assign wr_done  = (!kick_q || add_ready) && !(db_new && rq_db_valid_i);
  assign cs_we    = state_q == StWrite && wr_done;
  assign tok_done_o = cs_we && !flush_q && (item_q.kind == weft_rx_pkg::IkLoad ||
                      item_q.kind == weft_rx_pkg::IkState || item_q.kind == weft_rx_pkg::IkDrain);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      credit_q <= '0;
      turn_q   <= 1'b0;
    end else begin
      credit_q <= credit_q + 6'(placed_i) - 6'(take_item && item_credit_i);
      if (take_item) turn_q <= 1'b1;
      else if (take_kick) turn_q <= 1'b0;
      unique case (state_q)
        StIdle:   if (take_item || take_kick) state_q <= StAct;
        StAct:    state_q <= inv_due ? StInv : StPlan;
        StInv:    if (inv_ready_i) state_q <= StInvRsp;
        StInvRsp: if (inv_rsp_valid_i) state_q <= StPlan;
        StPlan:   state_q <= StOut;
        StOut:    if (out_done) state_q <= (ack_q || event_q) ? StEvent : StWrite;
        StEvent:  if (ev_done) state_q <= StWrite;
        default:  if (wr_done) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        item_q  <= item_i;
        flush_q <= take_kick;
        if (take_kick) item_q.qpn <= 16'(kick_qpn);
        {cqe_q, done_q, irq_q, commit_q, ack_q, event_q, kick_q} <= '0;
      end
      StAct: cs_q <= cs;
      StInvRsp: begin
        if (inv_rsp_valid_i && inv_rsp_err_i != 4'(weft_pkg::XlOk)) begin
          item_q.kind <= weft_rx_pkg::IkFault;
          item_q.hdrs <= weft_rx_pkg::HdrDdp;
          item_q.cqe  <= 1'b0;
          unique case (inv_rsp_err_i)
            4'(weft_pkg::XlStag):   item_q.code <= weft_rx_pkg::TermRdStag;
            4'(weft_pkg::XlPd):     item_q.code <= weft_rx_pkg::TermRdPd;
            4'(weft_pkg::XlAccess): item_q.code <= weft_rx_pkg::TermRdAccess;
            default:                item_q.code <= weft_rx_pkg::TermInvalidate;
          endcase
        end
      end
      StPlan: begin
        if (flush_q) begin
          cqe_q  <= cs_q.err && cs_q.rq != db;
          kick_q <= cs_q.err && cs_q.rq != db && cs_q.rq + 16'd1 != db;
        end else begin
          unique case (item_q.kind)
            weft_rx_pkg::IkFpdu: begin
              if (!cs_q.dead) begin
                cs_q.nxt  <= item_q.nxt;
                cs_q.pend <= 1'b1;
                cs_q.now  <= item_q.now || (cs_q.pend && cs_q.now);
                cs_q.dead <= is_term;
                cqe_q     <= item_q.cqe;
                done_q    <= item_q.op == weft_pkg::RdReadResp && item_q.done;
                irq_q     <= item_q.irq;
                commit_q  <= item_q.seg_end || is_term;
                event_q   <= is_term;
              end
            end
            weft_rx_pkg::IkFault: begin
              cs_q.dead <= 1'b1;
              cqe_q     <= item_q.cqe && !cs_q.dead;
              commit_q  <= cs_q.pend && !cs_q.dead;
              event_q   <= !cs_q.dead;
            end
            weft_rx_pkg::IkAckReq: begin
              commit_q <= cs_q.pend && !cs_q.dead;
              ack_q    <= !cs_q.dead;
            end
            weft_rx_pkg::IkFin: begin
              commit_q <= cs_q.pend && !cs_q.dead;
              event_q  <= !cs_q.dead;
            end
            weft_rx_pkg::IkLoad: begin
              cs_q     <= '0;
              cs_q.nxt <= tok_ctx_i.rcv_nxt;
              cs_q.rq  <= tok_ctx_i.rq_index;
              cs_q.cqn <= tok_ctx_i.cqn;
              cs_q.pd  <= tok_ctx_i.pd;
              cs_q.err <= tok_ctx_i.state == weft_abi_pkg::QP_STATE_ERR;
              kick_q   <= tok_ctx_i.state == weft_abi_pkg::QP_STATE_ERR;
            end
            weft_rx_pkg::IkState: begin
              cs_q.err <= tok_ctx_i.state == weft_abi_pkg::QP_STATE_ERR;
              kick_q   <= tok_ctx_i.state == weft_abi_pkg::QP_STATE_ERR;
              commit_q <= cs_q.pend && !cs_q.dead;
            end
            default: begin  // IkDrain
              // The tokens of regions are QP 0's, whose context nobody writes.
              commit_q <= cs_q.pend && !cs_q.dead && item_q.qpn != '0;
              event_q  <= 1'b1;
            end
          endcase
        end
      end
      StOut: begin
        // Each output once.
        if (cqe_ready_i) cqe_q <= 1'b0;
        if (rd_done_ready_i) done_q <= 1'b0;
        if (irq_ready_i) irq_q <= 1'b0;
        if (commit_ready_i) commit_q <= 1'b0;
        if (cqe_q && cqe_ready_i) cs_q.rq <= cqe_o.index + 16'd1;
        if (commit_q && commit_ready_i) begin
          cs_q.pend  <= 1'b0;
          cs_q.first <= 1'b1;
        end
      end
      StEvent: begin
        if (ackreq_ready_i) ack_q <= 1'b0;
        if (ev_ready) event_q <= 1'b0;
      end
      default: ;
    endcase
  end

  assign busy_o       = state_q != StIdle;
  assign busy_qpn_o   = qp;
  assign idle_o       = state_q == StIdle && !item_valid_i && want_o == '0 && !fwev_valid_o;
  assign taken_o      = take_item;
  assign stat_fault_o = ev_valid && ev_ready && item_q.kind == weft_rx_pkg::IkFault;
  assign stat_recv_o  = cqe_valid_o && cqe_ready_i && !flush_q;
  assign stat_flush_o = cqe_valid_o && cqe_ready_i && flush_q;

  logic unused;
  assign unused = ^{tok_ctx_i, rq_db_qpn_i, ev_count, look, item_q};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(placed_i && credit_q == 6'd63)) else $error("weft_rx_cmpl: credits");
  end
`endif

endmodule
