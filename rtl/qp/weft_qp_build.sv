// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Owns the send pointer of every QP and makes the segments. A visit (read by weft_qp_stage) either
/// follows a command, an error or a rewind, or decides on one segment (weft_qp_pick), takes window,
/// sequence space and log record for it, has it emitted (weft_qp_emit), and stores the record. A QP
/// that did something comes back; one that waits is woken by whoever has what it waits for.
/// Commands must get through whatever firmware does: a visit that has an event to give while none is
/// taken changes nothing and comes back.
/// 5 cycles for a segment with one SGE; with more, and inside a long message, also what weft_qp_emit
/// takes for it.
module weft_qp_build #(
  parameter int unsigned N_QP = 16,
  parameter int unsigned LOG_DEPTH = 64,
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [31:0]            now_us_i,      ///< units of 1024 ns

  input  logic                   visit_valid_i,
  output logic                   visit_ready_o,
  input  weft_qp_pkg::bundle_t   visit_i,
  output logic                   busy_o,        ///< at work on busy_qpn_o; low while it is stored
  output logic [QpW-1:0]         busy_qpn_o,
  output logic                   use_o,         ///< at work on it or storing it

  input  logic [7:0]             cmd_i,         ///< weft_abi ctx_cmd, 8'hff: read back; held until cmd_done_o
  input  weft_abi_pkg::ctx_tx_t  cmd_ctx_i,
  output logic                   cmd_done_o,    ///< pulse; store_ctx_o is the record

  output logic                   log_re_o,      ///< log, read port, of busy_qpn_o
  output logic [15:0]            log_rd_sq_o,
  output logic [7:0]             log_rd_r_o,
  input  weft_qp_pkg::rec_t      rec_i,
  input  logic [31:0]            end_i,
  input  weft_qp_pkg::rrec_t     rrec_i,
  input  logic [31:0]            rend_i,
  output logic                   log_busy_o,    ///< the read port is in use
  output logic [15:0]            log_sq_o,      ///< log, write ports
  output logic [7:0]             log_r_o,
  output logic                   rec_we_o,
  output weft_qp_pkg::rec_t      rec_o,
  output logic                   fin_we_o,
  output weft_qp_pkg::fin_t      fin_o,
  output logic                   rrec_we_o,
  output weft_qp_pkg::rrec_t     rrec_o,
  output logic                   rend_we_o,

  output logic                   emit_start_o,
  output weft_qp_pkg::order_t    emit_o,
  input  logic                   emit_busy_i,
  input  logic                   emit_done_i,
  input  logic [3:0]             emit_sge_i,
  input  logic [31:0]            emit_sge_off_i,

  output logic                   store_o,       ///< pulse: record of busy_qpn_o
  output weft_qp_pkg::bctx_t     store_ctx_o,
  output logic                   view_o,        ///< pulse: what ack, cmpl and fetch see of it
  output weft_qp_pkg::bctx_t     view_ctx_o,
  output logic                   ack_waits_o,   ///< with view_o: wake this QP when ack's record changes ...
  output logic [7:0]             ack_seen_o,
  output logic                   cmpl_waits_o,  ///< ... or that of cmpl
  output logic [7:0]             cmpl_seen_o,
  output logic                   wake_self_o,   ///< with store_o
  output logic                   wake_fetch_o,
  output logic                   wake_cmpl_o,
  output logic                   wake_ack_o,

  output logic                   ev_valid_o,
  input  logic                   ev_ready_i,
  output weft_pkg::fw_ev_t       ev_o,
  output logic                   idle_o,
  output logic                   stat_rexmit_o, ///< a segment was sent again
  output logic                   stat_block_o   ///< a segment waits for the window
);

  typedef enum logic [3:0] {StIdle, StPick, StLen, StWire, StGo, StEmit, StSeek, StEvent, StStore} state_e;

  state_e                  state_q;
  weft_qp_pkg::bundle_t    v_q;
  weft_qp_pkg::choice_t    k_q;
  logic                    self_q, wf_q, wc_q;
  weft_abi_pkg::fw_event_t ev_q;
  weft_abi_pkg::sqe_t      h;
  weft_pkg::irq_t          irq;
  weft_pkg::tx_err_t       err;

  assign h   = v_q.h;
  assign irq = v_q.irq;
  assign err = v_q.err;

  // The views are written before the segment leaves: its acknowledgement can be as quick as it likes.
  assign view_o       = store_o || take;
  assign view_ctx_o   = take ? b_next : v_q.b;
  assign ack_waits_o  = waits;
  assign ack_seen_o   = v_q.a.gen;
  assign cmpl_waits_o = held_q;
  assign cmpl_seen_o  = v_q.c.gen;

  assign visit_ready_o = state_q == StIdle || state_q == StStore;
  assign busy_o        = state_q != StIdle && state_q != StStore;
  assign busy_qpn_o    = v_q.qpn[QpW-1:0];
  assign use_o         = state_q != StIdle;
  assign store_o       = state_q == StStore;
  assign store_ctx_o   = v_q.b;
  assign wake_self_o   = store_o && self_q;
  assign wake_fetch_o  = store_o && wf_q;
  assign wake_cmpl_o   = store_o && (wc_q || held_q);
  assign wake_ack_o    = store_o && (waits || idle_timer);
  assign cmd_done_o    = store_o && v_q.visit == weft_qp_pkg::VkCmd;
  assign idle_o        = state_q == StIdle && !visit_valid_i;
  assign ev_o          = ev_q;
  assign ev_valid_o    = state_q == StEvent;

  // Blocked, sending again, or about to report ACKED: every ACK counts. Else only the timer has to run.
  logic waits, idle_timer;
  assign waits      = v_q.b.blocked || v_q.b.snd_nxt != v_q.b.snd_max
                      || (v_q.state == weft_abi_pkg::QP_STATE_HALT && !v_q.b.acked);
  assign idle_timer = !v_q.a.run && v_q.b.snd_max != v_q.a.snd_una;

  // ---------------------------------------------------------------- rewind and skip
  logic              sk_done, sk_fw, rew, behind, late;
  logic [15:0]       sk_sq, cmpl_lead;
  logic [7:0]        sk_r;
  logic [31:0]       sk_off, sk_nxt;
  weft_qp_pkg::sel_e sk_sel;

  assign rew       = v_q.a.rew_gen != v_q.b.rew_seen;
  // A pointer at the start of the FPDU that holds snd_una is in front of it and right.
  assign behind    = weft_qp_pkg::seq_lt(v_q.b.snd_nxt, v_q.a.snd_una) && v_q.b.sk_una != v_q.a.snd_una;
  // NOPs in front of snd_una complete without being sent again: never look at a completed WQE.
  assign cmpl_lead = v_q.c.sq_cmpl - v_q.b.cur;
  assign late      = cmpl_lead != '0 && !cmpl_lead[15];

  weft_qp_seek u_seek (
    .clk_i, .rst_ni, .start_i(state_q == StPick && go_seek), .una_i(v_q.a.snd_una), .ctx_i(v_q.b),
    .sq_cmpl_i(v_q.c.sq_cmpl), .irq_head_i(v_q.c.irq_head),
    .re_o(log_re_o), .sq_o(sk_sq), .r_o(sk_r), .rec_i, .end_i, .rrec_i, .rend_i,
    .done_o(sk_done), .sel_o(sk_sel), .off_o(sk_off), .nxt_o(sk_nxt), .fw_o(sk_fw)
  );
  assign log_rd_sq_o = sk_sq;
  assign log_rd_r_o  = sk_r;
  assign log_busy_o  = state_q == StSeek;

  // ---------------------------------------------------------------- decision
  weft_qp_pkg::sel_e sel;
  logic              first, fail, quiet, say_acked, held, held_q, more, more_q, next, next_q;
  logic [7:0]        status;
  logic              run, reset, live, inert, owe_err, owe_drain, go_dead, go_seek, stay, full, can_ack;

  weft_qp_pick #(.LOG_DEPTH(LOG_DEPTH)) u_pick (
    .v_i(v_q), .sel_o(sel), .first_o(first), .fail_o(fail), .status_o(status), .quiet_o(quiet),
    .held_o(held), .more_o(more), .next_o(next)
  );
  assign run       = v_q.visit == weft_qp_pkg::VkRun;
  assign reset     = v_q.state == weft_abi_pkg::QP_STATE_RESET;
  assign live      = (v_q.state == weft_abi_pkg::QP_STATE_RTS || v_q.state == weft_abi_pkg::QP_STATE_HALT)
                     && !v_q.b.stopped;
  assign inert     = v_q.b.stopped || v_q.state == weft_abi_pkg::QP_STATE_ERR;
  assign owe_err   = run && v_q.b.owe;
  assign owe_drain = run && !owe_err && v_q.b.drain && !v_q.fetching;
  assign go_dead   = run && !owe_err && !owe_drain && live && v_q.a.dead;
  assign go_seek   = run && !owe_err && !owe_drain && !go_dead && live && (rew || behind || late);
  // After an error what was not sent does not count: the Terminate is all that follows. In HOLD nothing was sent.
  assign say_acked = v_q.state == weft_abi_pkg::QP_STATE_HALT && !v_q.b.acked
                     && (quiet || (v_q.b.stopped && v_q.b.val != weft_qp_pkg::ValWait
                                   && v_q.a.snd_una == v_q.b.snd_max));
  assign can_ack   = v_q.hold || (!fail && sel == weft_qp_pkg::SelNone);
  // The token of DRAIN goes behind a segment that is being emitted.
  assign stay      = owe_drain && ev_ready_i && emit_busy_i;
  assign full      = (owe_err || owe_drain || go_dead) && !ev_ready_i;

  // ---------------------------------------------------------------- the segment
  logic        is_read, is_nop, tag, fits;
  logic [15:0] pay;
  logic [31:0] rest, wire_q, room_q, seq_end;
  logic        ends;
  logic        take, fast, fast_q;
  weft_qp_pkg::bctx_t b_next;

  assign is_read = k_q.sel == weft_qp_pkg::SelSq && h.opcode == weft_abi_pkg::SQ_OPCODE_READ;
  assign is_nop  = k_q.sel == weft_qp_pkg::SelSq && h.opcode == weft_abi_pkg::SQ_OPCODE_NOP;
  assign tag     = k_q.sel == weft_qp_pkg::SelResp
                   || (k_q.sel == weft_qp_pkg::SelSq && h.opcode == weft_abi_pkg::SQ_OPCODE_WRITE);
  assign rest    = (k_q.sel == weft_qp_pkg::SelResp ? irq.len : h.length) - v_q.b.off;
  always_comb begin
    pay = v_q.cfg.mulpdu - (tag ? 16'd14 : 16'd18);
    if (!k_q.first) pay = k_q.sel == weft_qp_pkg::SelResp ? v_q.rrec.pay : v_q.rec.pay;
  end
  // room_q: bytes of window behind k_q.seq; negative when more is in flight than the window takes.
  // The emitter needs the slot for the first SGE only: the record need not wait for it.
  assign fast    = k_q.last && (k_q.sel == weft_qp_pkg::SelResp || (!h.inline && h.num_sge <= 8'd1)
                                || (k_q.sel == weft_qp_pkg::SelSq && k_q.len == '0));
  assign fits    = k_q.nop || v_q.b.probe || (!room_q[31] && wire_q <= room_q);
  assign seq_end = k_q.seq + wire_q;

  weft_qp_advance u_advance (
    .b_i(v_q.b), .k_i(k_q), .una_i(v_q.a.snd_una), .now_us_i, .seq_end_i(seq_end), .b_o(b_next), .ends_o(ends)
  );
  weft_qp_order u_order (
    .v_i(v_q), .k_i(k_q), .seq_end_i(seq_end), .order_o(emit_o), .rec_o, .fin_o, .rrec_o
  );

  assign take         = state_q == StGo && fits && (k_q.nop || !emit_busy_i);
  assign emit_start_o = take && !k_q.nop;
  assign log_sq_o     = v_q.b.cur;
  assign log_r_o      = v_q.b.r_cur;
  assign rec_we_o     = take && k_q.sel == weft_qp_pkg::SelSq && k_q.first;
  assign fin_we_o     = take && k_q.sel == weft_qp_pkg::SelSq && k_q.last;
  assign rrec_we_o    = take && k_q.sel == weft_qp_pkg::SelResp && k_q.first;
  assign rend_we_o    = take && k_q.sel == weft_qp_pkg::SelResp && k_q.last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle: if (visit_valid_i) state_q <= StPick;
        StStore: state_q <= visit_valid_i ? StPick : StIdle;
        StPick: begin
          if (!run || full) state_q <= StStore;
          else if (stay) state_q <= StPick;
          else if (owe_err || owe_drain || go_dead) state_q <= StEvent;
          else if (go_seek) state_q <= StSeek;
          else if (reset) state_q <= StStore;
          else if (v_q.hold || fail || sel == weft_qp_pkg::SelNone) state_q <= (can_ack && say_acked && ev_ready_i) ? StEvent : StStore;
          else state_q <= StLen;
        end
        StLen:   state_q <= StWire;
        StWire:  state_q <= StGo;
        StGo:    if (!fits || take) state_q <= (fits && !k_q.nop && !fast_q) ? StEmit : StStore;
        StEmit:  if (emit_done_i) state_q <= StStore;
        StSeek:  if (sk_done) state_q <= (sk_fw && rew && ev_ready_i) ? StEvent : StStore;
        StEvent: if (ev_ready_i) state_q <= StStore;
        default: state_q <= StIdle;
      endcase
    end
  end

  // ---------------------------------------------------------------- what a visit changes
  logic [7:0] err_status;
  assign err_status = err.bus ? weft_abi_pkg::WC_STATUS_FATAL_ERR : weft_abi_pkg::WC_STATUS_LOC_PROT_ERR;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle, StStore: begin
        v_q    <= visit_i;
        held_q <= 1'b0;
        self_q <= 1'b0;
        wf_q   <= 1'b0;
        wc_q   <= 1'b0;
      end
      StPick: begin
        ev_q      <= '0;
        ev_q.id   <= 32'(v_q.qpn);
        more_q    <= more;
        next_q    <= next;
        k_q.sel   <= sel;
        k_q.first <= first;
        k_q.seq   <= inert ? v_q.b.snd_max : v_q.b.snd_nxt;
        if (v_q.state != weft_abi_pkg::QP_STATE_HALT) v_q.b.acked <= 1'b0;
        if (v_q.visit == weft_qp_pkg::VkCmd) begin
          self_q <= 1'b1;  // after a read back too: what it waited for is not remembered
          unique case (cmd_i)
            weft_abi_pkg::CTX_CMD_WRITE: begin
              v_q.b           <= '0;
              v_q.b.epoch     <= v_q.b.epoch + 8'd1;
              v_q.b.rew_seen  <= v_q.a.rew_gen;
              v_q.b.rtt_gen   <= v_q.b.rtt_gen;
              v_q.b.snd_nxt   <= cmd_ctx_i.snd_nxt;
              v_q.b.snd_max   <= cmd_ctx_i.snd_nxt;
              v_q.b.cur       <= cmd_ctx_i.sq_index;
              v_q.b.sq_new    <= cmd_ctx_i.sq_index;
              v_q.b.send_msn  <= cmd_ctx_i.send_msn;
              v_q.b.read_msn  <= cmd_ctx_i.read_msn;
              v_q.b.last_resp <= 1'b1;
            end
            weft_abi_pkg::CTX_CMD_DRAIN: v_q.b.drain <= 1'b1;
            weft_abi_pkg::CTX_CMD_SEND_VALUE: begin
              v_q.b.val      <= weft_qp_pkg::ValWait;
              v_q.b.acked    <= 1'b0;
              v_q.b.val_slot <= cmd_ctx_i.sq_index[7:0];
              v_q.b.val_len  <= cmd_ctx_i.mulpdu[6:0];
            end
            default: ;
          endcase
        end else if (!run) begin
          wc_q   <= 1'b1;
          self_q <= 1'b1;
          if (!v_q.b.stopped && !reset) begin
            // Transmit throws away everything from here on: nothing behind it was sent.
            v_q.b.stopped    <= 1'b1;
            v_q.b.snd_nxt    <= err.seq;
            v_q.b.snd_max    <= err.seq;
            v_q.b.rtt_on     <= 1'b0;
            v_q.b.err        <= !err.is_resp;
            v_q.b.err_idx    <= err.wqe;
            v_q.b.err_status <= err_status;
            v_q.b.owe        <= 1'b1;
          end
        end else if (full) begin
          self_q <= 1'b1;
        end else if (owe_err) begin
          self_q     <= 1'b1;
          v_q.b.owe  <= 1'b0;
          ev_q.kind  <= weft_abi_pkg::FW_EV_TX_ERROR;
          ev_q.code  <= 16'(v_q.b.err_status);
          ev_q.data0 <= 32'(v_q.b.err_idx);
          ev_q.data1 <= v_q.b.snd_nxt;
        end else if (owe_drain) begin
          if (!stay) v_q.b.drain <= 1'b0;
          self_q      <= 1'b1;
          ev_q.kind   <= weft_abi_pkg::FW_EV_DRAINED;
          ev_q.code   <= 16'(weft_abi_pkg::ROOM_QP_TX);
        end else if (go_dead) begin
          wc_q             <= 1'b1;
          v_q.b.stopped    <= 1'b1;
          v_q.b.err_any    <= 1'b1;
          v_q.b.err_status <= weft_abi_pkg::WC_STATUS_RETRY_EXC_ERR;
          ev_q.kind        <= weft_abi_pkg::FW_EV_TX_TIMEOUT;
          ev_q.data0       <= 32'(v_q.c.sq_cmpl);
          ev_q.data1       <= v_q.a.snd_una;
        end else if (!go_seek && !reset) begin
          v_q.b.blocked <= v_q.b.blocked && v_q.hold;
          held_q        <= held && !v_q.hold;
          if (fail && !v_q.hold) begin
            wc_q             <= 1'b1;
            self_q           <= 1'b1;
            v_q.b.stopped    <= 1'b1;
            v_q.b.err        <= 1'b1;
            v_q.b.err_idx    <= v_q.b.cur;
            v_q.b.err_status <= status;
            v_q.b.owe        <= 1'b1;
          end else if (can_ack && say_acked) begin
            self_q      <= !ev_ready_i;
            v_q.b.acked <= ev_ready_i;
            ev_q.kind   <= weft_abi_pkg::FW_EV_ACKED;
            ev_q.data0  <= v_q.b.snd_nxt;
          end
        end
      end
      StLen: begin
        k_q.tag    <= tag;
        k_q.read   <= is_read;
        k_q.nop    <= is_nop;
        k_q.pay    <= pay;
        k_q.last   <= rest <= 32'(pay);
        k_q.len    <= rest <= 32'(pay) ? rest[15:0] : pay;
        k_q.rexmit <= weft_qp_pkg::seq_lt(k_q.seq, v_q.b.snd_max);
        room_q     <= v_q.a.win - (k_q.seq - v_q.a.snd_una);
        if (k_q.sel == weft_qp_pkg::SelVal || is_read || is_nop) begin
          k_q.last <= 1'b1;
          k_q.len  <= k_q.sel == weft_qp_pkg::SelVal ? 16'(v_q.b.val_len) : is_read ? 16'd28 : 16'd0;
        end
      end
      StWire: begin
        fast_q <= fast;
        wire_q <= k_q.nop ? 32'd0 : weft_qp_pkg::fpdu_len(k_q.tag, k_q.len);
      end
      StGo: begin
        if (take) begin
          // A WQE that is not there yet wakes the QP when it comes.
          self_q <= more_q || !k_q.last || k_q.sel != weft_qp_pkg::SelSq;
          wc_q   <= k_q.nop;
          wf_q   <= k_q.sel == weft_qp_pkg::SelSq && k_q.last && (!next_q || v_q.b.cur[0]);
          v_q.b  <= b_next;
        end else if (!fits) begin
          v_q.b.blocked <= 1'b1;
        end
      end
      StEmit: begin
        if (emit_done_i && k_q.sel == weft_qp_pkg::SelSq && !k_q.last) begin
          v_q.b.sge     <= emit_sge_i;
          v_q.b.sge_off <= emit_sge_off_i;
        end
      end
      StSeek: begin
        ev_q.kind  <= weft_abi_pkg::FW_EV_FW_REXMIT;
        ev_q.data0 <= v_q.a.snd_una;
        ev_q.data1 <= sk_nxt;
        if (sk_done && sk_fw && rew && !ev_ready_i) begin
          self_q <= 1'b1;
        end else if (sk_done) begin
          v_q.b.cur      <= sk_sq;
          v_q.b.r_cur    <= sk_r;
          v_q.b.pos      <= sk_sel;
          v_q.b.off      <= sk_off;
          v_q.b.sge      <= '0;
          v_q.b.sge_off  <= sk_off;
          v_q.b.snd_nxt  <= sk_nxt;
          v_q.b.sk_una   <= v_q.a.snd_una;
          v_q.b.rew_seen <= v_q.a.rew_gen;
          if (rew) begin
            v_q.b.rtt_on <= 1'b0;
            v_q.b.probe  <= v_q.a.rew_rto;
          end
          if (sk_sq != v_q.b.cur) v_q.b.epoch <= v_q.b.epoch + 8'd1;
          wf_q   <= sk_sq != v_q.b.cur;
          self_q <= 1'b1;
        end
      end
      default: ;
    endcase
  end

  assign stat_rexmit_o = emit_start_o && k_q.rexmit;
  assign stat_block_o  = state_q == StGo && !fits;

  logic unused;
  assign unused = ^{ends, cmd_ctx_i, err, h, irq};

endmodule
