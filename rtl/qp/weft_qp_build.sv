// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Owns the send pointer of every QP and makes the segments. A visit reads the QP's record and the
/// views of the other rooms' parts, decides (weft_qp_pick), takes window, sequence space and log
/// record for one segment, has it emitted, and stores the record; then the next QP. A QP that sent
/// something comes back; one that waits is woken by whoever has what it waits for.
/// 14 cycles for a segment of one SGE, 2 more for each further SGE.
module weft_qp_build #(
  parameter int unsigned N_QP = 16,
  parameter int unsigned LOG_DEPTH = 64,
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   init_i,
  input  logic [QpW-1:0]         init_qpn_i,
  input  logic [31:0]            now_us_i,      ///< units of 1024 ns

  input  logic                   qp_valid_i,    ///< ready set
  output logic                   qp_ready_o,
  input  logic [QpW-1:0]         qp_i,
  input  logic                   cmd_valid_i,   ///< from the context room; cmd_i as weft_abi ctx_cmd, 8'hff: read back
  output logic                   cmd_ready_o,
  input  logic [QpW-1:0]         cmd_qpn_i,
  input  logic [7:0]             cmd_i,
  input  weft_abi_pkg::ctx_tx_t  cmd_ctx_i,
  output logic                   peek_valid_o,  ///< answer to a read back
  output weft_qp_pkg::bctx_t     peek_o,
  input  logic                   txerr_valid_i,
  output logic                   txerr_ready_o,
  input  weft_pkg::tx_err_t      txerr_i,

  output logic                   view_re_o,     ///< views of the QP, one cycle later
  output logic [QpW-1:0]         view_qpn_o,
  input  weft_qp_pkg::cfg_build_t cfg_i,
  input  logic [1:0]             state_i,
  input  logic                   hold_i,
  input  weft_qp_pkg::a2build_t  ack_i,
  input  weft_qp_pkg::c2build_t  cmpl_i,
  input  weft_qp_pkg::avail_t    avail_i,
  input  logic [7:0]             fetched_i,     ///< fetches issued, as avail.cnt
  input  logic [7:0]             irq_tail_i,

  output logic                   hdr_re_o,      ///< WQE header words 0 and 1, verdict, inbound read
  output logic [3:0]             hdr_word_o,    ///< word in the slots
  output logic [1:0]             hdr_slot_o,
  output logic [7:0]             hdr_r_o,
  input  logic [127:0]           hdr_i,
  input  weft_qp_pkg::meta_t     meta_i,
  input  weft_pkg::irq_t         irq_i,

  output logic                   log_re_o,
  output logic [15:0]            log_rd_sq_o,
  output logic [7:0]             log_rd_r_o,
  input  weft_qp_pkg::rec_t      rec_i,
  input  logic [31:0]            end_i,
  input  weft_qp_pkg::rrec_t     rrec_i,
  input  logic [31:0]            rend_i,
  output logic [15:0]            log_sq_o,
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
  input  logic                   emit_done_i,
  input  logic [3:0]             emit_sge_i,
  input  logic [31:0]            emit_sge_off_i,

  output logic                   store_o,       ///< pulse: views below are written
  output weft_qp_pkg::bctx_t     store_ctx_o,
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

  typedef enum logic [3:0] {
    StIdle, StRead, StLatch, StPre, StHdr0, StHdr1, StPick, StLen, StWire, StWin, StGo, StEmit,
    StSeek, StEvent, StStore
  } state_e;
  typedef enum logic [1:0] {VkRun, VkCmd, VkErr} visit_e;

  state_e                  state_q;
  visit_e                  visit_q;
  logic [QpW-1:0]          qp_q;
  logic [7:0]              cmd_q;
  weft_abi_pkg::ctx_tx_t   cc_q;
  weft_pkg::tx_err_t       te_q;
  weft_qp_pkg::bctx_t      ctx, b_q;
  weft_qp_pkg::cfg_build_t cfg_q;
  weft_qp_pkg::a2build_t   a_q;
  weft_qp_pkg::c2build_t   c_q;
  weft_qp_pkg::avail_t     av_q;
  logic [1:0]              st_q;
  logic                    hold_q, quiet_fetch_q;
  logic [7:0]              tail_q;
  weft_abi_pkg::sqe_t      h_q;
  weft_qp_pkg::meta_t      m_q;
  weft_qp_pkg::rec_t       rec_q;
  weft_qp_pkg::rrec_t      rrec_q;
  weft_pkg::irq_t          irq_q;
  logic                    self_q, wf_q, wc_q, wa_q;

  // ---------------------------------------------------------------- record
  weft_ram_1r1w #(.W($bits(ctx)), .DEPTH(N_QP)) u_ctx (
    .clk_i, .we_i(store_o || init_i), .waddr_i(init_i ? init_qpn_i : qp_q),
    .wdata_i(init_i ? '0 : b_q), .re_i(view_re_o), .raddr_i(qp_q), .rdata_o(ctx)
  );
  assign view_re_o    = state_q == StRead;
  assign view_qpn_o   = qp_q;
  assign store_o      = state_q == StStore;
  assign store_ctx_o  = b_q;
  assign wake_self_o  = store_o && self_q;
  assign wake_fetch_o = store_o && wf_q;
  assign wake_cmpl_o  = store_o && wc_q;
  assign wake_ack_o   = store_o && wa_q;

  assign cmd_ready_o   = state_q == StIdle && !init_i;
  assign txerr_ready_o = cmd_ready_o && !cmd_valid_i;
  assign qp_ready_o    = txerr_ready_o && !txerr_valid_i;
  assign peek_o        = b_q;
  assign peek_valid_o  = state_q == StPre && visit_q == VkCmd && cmd_q == 8'hff;
  assign idle_o        = state_q == StIdle && !cmd_valid_i && !txerr_valid_i;

  // ---------------------------------------------------------------- seek
  logic              sk_start, sk_re, sk_done, sk_fw;
  logic [15:0]       sk_sq;
  logic [7:0]        sk_r;
  logic [31:0]       sk_off, sk_nxt;
  weft_qp_pkg::sel_e sk_sel;
  logic              rew, behind, late;
  logic [15:0]       cmpl_lead;
  assign rew    = a_q.rew_gen != b_q.rew_seen;
  // A pointer at the start of the FPDU that holds snd_una is in front of it and right.
  assign behind = weft_qp_pkg::seq_lt(b_q.snd_nxt, a_q.snd_una) && b_q.sk_una != a_q.snd_una;

  // NOPs in front of snd_una complete without being sent again: never look at a completed WQE.
  assign cmpl_lead = c_q.sq_cmpl - b_q.cur;
  assign late      = cmpl_lead != '0 && !cmpl_lead[15];

  weft_qp_seek u_seek (
    .clk_i, .rst_ni, .start_i(sk_start), .una_i(a_q.snd_una), .ctx_i(b_q),
    .sq_cmpl_i(c_q.sq_cmpl), .irq_head_i(c_q.irq_head),
    .re_o(sk_re), .sq_o(sk_sq), .r_o(sk_r), .rec_i, .end_i, .rrec_i, .rend_i,
    .done_o(sk_done), .sel_o(sk_sel), .off_o(sk_off), .nxt_o(sk_nxt), .fw_o(sk_fw)
  );

  // ---------------------------------------------------------------- reads of the second round
  logic [3:0] base;
  logic [1:0] slot;
  assign slot        = b_q.cur[1:0] & (2'b11 >> cfg_q.stride);
  assign base        = 4'(4'(slot) << (2'd2 + cfg_q.stride));
  assign hdr_re_o    = state_q == StPre || state_q == StHdr0;
  assign hdr_word_o  = state_q == StHdr0 ? base + 4'd1 : base;
  assign hdr_slot_o  = slot;
  assign hdr_r_o     = b_q.r_cur;
  assign log_re_o    = state_q == StPre || sk_re;
  assign log_rd_sq_o = state_q == StPre ? b_q.cur : sk_sq;
  assign log_rd_r_o  = state_q == StPre ? b_q.r_cur : sk_r;

  // ---------------------------------------------------------------- decision
  weft_qp_pkg::sel_e sel, sel_q;
  logic              first, first_q, fail, quiet, nop;
  logic [7:0]        status;

  weft_qp_pick #(.LOG_DEPTH(LOG_DEPTH)) u_pick (
    .b_i(b_q), .a_i(a_q), .c_i(c_q), .av_i(av_q), .state_i(st_q), .ord_i(cfg_q.ord), .irq_tail_i(tail_q),
    .h_i(h_q), .meta_i(m_q), .rec_i(rec_q), .rrec_i(rrec_q),
    .sel_o(sel), .first_o(first), .fail_o(fail), .status_o(status), .quiet_o(quiet)
  );
  assign nop = h_q.opcode == weft_abi_pkg::SQ_OPCODE_NOP;

  // ---------------------------------------------------------------- the segment
  logic        is_read, is_tagged, tagged_q, last_q;
  logic [15:0] pay, pay_q, len_q;
  logic [31:0] rest, wire_q, seq_q, seq_end, over;
  logic        fits, rexmit, ends;

  assign is_read = sel_q == weft_qp_pkg::SelSq && h_q.opcode == weft_abi_pkg::SQ_OPCODE_READ;
  assign is_tagged  = sel_q == weft_qp_pkg::SelResp
                   || (sel_q == weft_qp_pkg::SelSq && h_q.opcode == weft_abi_pkg::SQ_OPCODE_WRITE);
  assign rest    = (sel_q == weft_qp_pkg::SelResp ? irq_q.len : h_q.length) - b_q.off;
  always_comb begin
    pay = cfg_q.mulpdu - (is_tagged ? 16'd14 : 16'd18);
    if (!first_q) pay = sel_q == weft_qp_pkg::SelResp ? rrec_q.pay : rec_q.pay;
  end
  assign seq_end = seq_q + wire_q;
  assign over    = a_q.win - (seq_end - a_q.snd_una);
  assign rexmit  = weft_qp_pkg::seq_lt(seq_q, b_q.snd_max);
  // The segment with which the newest message gets its end.
  assign ends    = last_q && (first_q || b_q.open == sel_q)
                   && (sel_q == weft_qp_pkg::SelSq ? (first_q || b_q.cur + 16'd1 == b_q.sq_new)
                                                   : (first_q || b_q.r_cur + 8'd1 == b_q.r_new));

  // ---------------------------------------------------------------- log
  assign log_sq_o        = b_q.cur;
  assign log_r_o         = b_q.r_cur;
  assign rec_we_o        = (state_q == StGo && sel_q == weft_qp_pkg::SelSq && first_q);
  assign fin_we_o        = (state_q == StGo && sel_q == weft_qp_pkg::SelSq && last_q);
  assign rrec_we_o       = (state_q == StGo && sel_q == weft_qp_pkg::SelResp && first_q);
  assign rend_we_o       = (state_q == StGo && sel_q == weft_qp_pkg::SelResp && last_q);
  assign rec_o.start     = seq_q;
  assign rec_o.len       = h_q.length;
  assign rec_o.msn       = is_read ? b_q.read_msn : b_q.send_msn;
  assign rec_o.pay       = pay_q;
  assign rec_o.op        = h_q.opcode[3:0];
  assign rec_o.sum       = m_q.sum;
  assign fin_o.seq_end   = seq_end;
  assign fin_o.signaled  = h_q.signaled;
  assign fin_o.op        = h_q.opcode[3:0];
  assign fin_o.len       = h_q.length;
  assign rrec_o.start    = seq_q;
  assign rrec_o.pay      = pay_q;

  // ---------------------------------------------------------------- order
  weft_pkg::rdmap_op_e op;
  logic                inv;
  assign inv = h_q.opcode == weft_abi_pkg::SQ_OPCODE_SEND_INV;
  always_comb begin
    op = inv ? (h_q.solicited ? weft_pkg::RdSendSeInv : weft_pkg::RdSendInv)
             : (h_q.solicited ? weft_pkg::RdSendSe : weft_pkg::RdSend);
    if (h_q.opcode == weft_abi_pkg::SQ_OPCODE_WRITE) op = weft_pkg::RdWrite;
    if (is_read) op = weft_pkg::RdReadReq;
    if (sel_q == weft_qp_pkg::SelResp) op = weft_pkg::RdReadResp;
    if (sel_q == weft_qp_pkg::SelVal) op = weft_pkg::RdTerminate;

    emit_o             = '0;
    emit_o.seg.qpn     = 16'(qp_q);
    emit_o.seg.seq     = seq_q;
    emit_o.seg.op      = op;
    emit_o.seg.last    = last_q;
    emit_o.seg.len     = len_q;
    emit_o.seg.crc     = cfg_q.crc;
    emit_o.seg.psh     = last_q;
    emit_o.seg.rexmit  = rexmit;
    emit_o.seg.replay  = rexmit || sel_q == weft_qp_pkg::SelResp;
    emit_o.seg.wqe     = sel_q == weft_qp_pkg::SelResp ? 16'(b_q.r_cur) : b_q.cur;
    emit_o.seg.is_resp = sel_q == weft_qp_pkg::SelResp;
    emit_o.sel         = sel_q;
    emit_o.read        = is_read;
    emit_o.read_new    = is_read && first_q;
    emit_o.inl         = h_q.inline;
    emit_o.base        = base;
    emit_o.pd          = cfg_q.pd;
    emit_o.priv        = cfg_q.priv;
    emit_o.sge         = b_q.sge;
    emit_o.sge_off     = h_q.inline ? b_q.off : b_q.sge_off;
    emit_o.stag        = h_q.rstag;
    emit_o.to          = h_q.raddr;
    emit_o.len         = h_q.length;
    emit_o.val_slot    = b_q.val_slot;
    unique case (sel_q)
      weft_qp_pkg::SelResp: begin
        emit_o.seg.stag = irq_q.sink_stag;
        emit_o.seg.to   = irq_q.sink_to + 64'(b_q.off);
        emit_o.sge_off  = b_q.off;
        emit_o.stag     = irq_q.src_stag;
        emit_o.to       = irq_q.src_to;
        emit_o.len      = irq_q.len;
        emit_o.inl      = 1'b0;
      end
      weft_qp_pkg::SelVal: emit_o.seg.msn = 32'd1;
      default: begin
        if (tagged_q) begin
          emit_o.seg.stag = h_q.rstag;
          emit_o.seg.to   = h_q.raddr + 64'(b_q.off);
        end else begin
          emit_o.seg.stag = (inv && !is_read) ? h_q.rstag : 32'd0;
          emit_o.seg.msn  = first_q ? rec_o.msn : rec_q.msn;
          emit_o.seg.mo   = is_read ? 32'd0 : b_q.off;
        end
      end
    endcase
  end
  assign emit_start_o = state_q == StGo && !(sel_q == weft_qp_pkg::SelSq && nop);

  // ---------------------------------------------------------------- events
  weft_abi_pkg::fw_event_t ev_q;
  assign ev_o       = ev_q;
  assign ev_valid_o = state_q == StEvent;

  // ---------------------------------------------------------------- visits
  logic inert, live, owe_drain, go_seek, go_dead, reset;
  assign reset     = st_q == weft_abi_pkg::QP_STATE_RESET;
  assign live      = (st_q == weft_abi_pkg::QP_STATE_RTS || st_q == weft_abi_pkg::QP_STATE_HALT) && !b_q.stopped;
  assign inert     = b_q.stopped || st_q == weft_abi_pkg::QP_STATE_ERR;
  assign owe_drain = b_q.drain && quiet_fetch_q;
  assign go_dead   = live && a_q.dead;
  assign go_seek   = live && (rew || behind || late);
  assign sk_start  = state_q == StPre && visit_q == VkRun && !owe_drain && !go_dead && go_seek;
  assign fits      = nop_q || b_q.probe || !over[31];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle: if (!init_i && (cmd_valid_i || txerr_valid_i || qp_valid_i)) state_q <= StRead;
        StRead:  state_q <= StLatch;
        StLatch: state_q <= StPre;
        StPre: begin
          if (visit_q == VkCmd) state_q <= cmd_q == 8'hff ? StIdle : StStore;
          else if (visit_q == VkErr) state_q <= (b_q.stopped || reset) ? StStore : StEvent;
          else if (owe_drain || go_dead) state_q <= StEvent;
          else if (go_seek) state_q <= StSeek;
          else if (reset || hold_q) state_q <= StStore;
          else state_q <= StHdr0;
        end
        StSeek:  if (sk_done) state_q <= (sk_fw && rew) ? StEvent : StStore;
        StHdr0:  state_q <= StHdr1;
        StHdr1:  state_q <= StPick;
        StPick: begin
          if (fail || (sel == weft_qp_pkg::SelNone && say_acked)) state_q <= StEvent;
          else if (sel == weft_qp_pkg::SelNone) state_q <= StStore;
          else state_q <= StLen;
        end
        StLen:   state_q <= StWire;
        StWire:  state_q <= StWin;
        StWin:   state_q <= fits ? StGo : StStore;
        StGo:    state_q <= nop_q ? StStore : StEmit;
        StEmit:  if (emit_done_i) state_q <= StStore;
        StEvent: if (ev_ready_i) state_q <= StStore;
        default: state_q <= StIdle;
      endcase
    end
  end

  logic say_acked, nop_q;
  assign say_acked = st_q == weft_abi_pkg::QP_STATE_HALT && quiet && !b_q.acked && !b_q.stopped;
  assign nop_q     = sel_q == weft_qp_pkg::SelSq && nop;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        visit_q <= cmd_valid_i ? VkCmd : txerr_valid_i ? VkErr : VkRun;
        qp_q    <= cmd_valid_i ? cmd_qpn_i : txerr_valid_i ? txerr_i.qpn[QpW-1:0] : qp_i;
        cmd_q   <= cmd_i;
        cc_q    <= cmd_ctx_i;
        te_q    <= txerr_i;
        self_q  <= 1'b0;
        wf_q    <= 1'b0;
        wc_q    <= 1'b0;
        wa_q    <= 1'b0;
      end
      StLatch: begin
        b_q           <= ctx;
        cfg_q         <= cfg_i;
        st_q          <= state_i;
        hold_q        <= hold_i;
        a_q           <= ack_i;
        c_q           <= cmpl_i;
        av_q          <= avail_i;
        tail_q        <= irq_tail_i;
        quiet_fetch_q <= fetched_i == avail_i.cnt;
      end
      StPre: begin
        ev_q      <= '0;
        ev_q.id   <= 32'(qp_q);
        if (st_q != weft_abi_pkg::QP_STATE_HALT) b_q.acked <= 1'b0;
        if (visit_q == VkCmd) begin
          self_q <= 1'b1;
          unique case (cmd_q)
            weft_abi_pkg::CTX_CMD_WRITE: begin
              b_q           <= '0;
              b_q.epoch     <= b_q.epoch + 8'd1;
              b_q.rew_seen  <= a_q.rew_gen;
              b_q.rtt_gen   <= b_q.rtt_gen;
              b_q.snd_nxt   <= cc_q.snd_nxt;
              b_q.snd_max   <= cc_q.snd_nxt;
              b_q.cur       <= cc_q.sq_index;
              b_q.sq_new    <= cc_q.sq_index;
              b_q.send_msn  <= cc_q.send_msn;
              b_q.read_msn  <= cc_q.read_msn;
              b_q.last_resp <= 1'b1;
            end
            weft_abi_pkg::CTX_CMD_DRAIN: b_q.drain <= 1'b1;
            weft_abi_pkg::CTX_CMD_SEND_VALUE: begin
              b_q.val      <= weft_qp_pkg::ValWait;
              b_q.val_slot <= cc_q.sq_index[7:0];
              b_q.val_len  <= cc_q.mulpdu[6:0];
            end
            default: ;
          endcase
        end else if (visit_q == VkErr) begin
          if (!b_q.stopped && !reset) begin
            // Transmit throws away everything from here on: nothing behind it was sent.
            b_q.stopped    <= 1'b1;
            b_q.snd_nxt    <= te_q.seq;
            b_q.snd_max    <= te_q.seq;
            b_q.rtt_on     <= 1'b0;
            b_q.err        <= !te_q.is_resp;
            b_q.err_idx    <= te_q.wqe;
            b_q.err_status <= te_q.bus ? weft_abi_pkg::WC_STATUS_FATAL_ERR : weft_abi_pkg::WC_STATUS_LOC_PROT_ERR;
            ev_q.kind      <= weft_abi_pkg::FW_EV_TX_ERROR;
            ev_q.code      <= 16'(te_q.bus ? weft_abi_pkg::WC_STATUS_FATAL_ERR
                                           : weft_abi_pkg::WC_STATUS_LOC_PROT_ERR);
            ev_q.data0     <= 32'(te_q.wqe);
            ev_q.data1     <= te_q.seq;
          end
          wc_q   <= 1'b1;
          self_q <= 1'b1;
        end else if (owe_drain) begin
          b_q.drain <= 1'b0;
          ev_q.kind <= weft_abi_pkg::FW_EV_DRAINED;
          ev_q.code <= 16'(weft_abi_pkg::ROOM_QP_TX);
          self_q    <= 1'b1;
        end else if (go_dead) begin
          b_q.stopped    <= 1'b1;
          b_q.err_any    <= 1'b1;
          b_q.err_status <= weft_abi_pkg::WC_STATUS_RETRY_EXC_ERR;
          ev_q.kind      <= weft_abi_pkg::FW_EV_TX_TIMEOUT;
          ev_q.data0     <= 32'(c_q.sq_cmpl);
          ev_q.data1     <= a_q.snd_una;
          wc_q           <= 1'b1;
        end
      end
      StSeek: begin
        if (sk_done) begin
          b_q.cur      <= sk_sq;
          b_q.r_cur    <= sk_r;
          b_q.pos      <= sk_sel;
          b_q.off      <= sk_off;
          b_q.sge      <= '0;
          b_q.sge_off  <= sk_off;
          b_q.snd_nxt  <= sk_nxt;
          b_q.sk_una   <= a_q.snd_una;
          b_q.rew_seen <= a_q.rew_gen;
          if (rew) b_q.rtt_on <= 1'b0;
          if (rew) b_q.probe <= a_q.rew_rto;
          if (sk_sq != b_q.cur) b_q.epoch <= b_q.epoch + 8'd1;
          wf_q   <= sk_sq != b_q.cur;
          self_q <= 1'b1;
        end
        ev_q.kind  <= weft_abi_pkg::FW_EV_FW_REXMIT;
        ev_q.data0 <= a_q.snd_una;
        ev_q.data1 <= sk_nxt;
      end
      StHdr0: begin
        h_q[127:0] <= hdr_i;
        m_q        <= meta_i;
        rec_q      <= rec_i;
        rrec_q     <= rrec_i;
        irq_q      <= irq_i;
      end
      StHdr1: h_q[255:128] <= hdr_i;
      StPick: begin
        sel_q       <= sel;
        first_q     <= first;
        b_q.blocked <= 1'b0;
        if (fail) begin
          b_q.stopped    <= 1'b1;
          b_q.err        <= 1'b1;
          b_q.err_idx    <= b_q.cur;
          b_q.err_status <= status;
          wc_q           <= 1'b1;
          self_q         <= 1'b1;
          ev_q.kind      <= weft_abi_pkg::FW_EV_TX_ERROR;
          ev_q.code      <= 16'(status);
          ev_q.data0     <= 32'(b_q.cur);
          ev_q.data1     <= b_q.snd_nxt;
        end else if (sel == weft_qp_pkg::SelNone && say_acked) begin
          b_q.acked  <= 1'b1;
          ev_q.kind  <= weft_abi_pkg::FW_EV_ACKED;
          ev_q.data0 <= b_q.snd_nxt;
        end
      end
      StLen: begin
        tagged_q <= is_tagged;
        pay_q    <= pay;
        seq_q    <= inert ? b_q.snd_max : b_q.snd_nxt;
        last_q   <= rest <= 32'(pay);
        len_q    <= rest <= 32'(pay) ? rest[15:0] : pay;
        if (sel_q == weft_qp_pkg::SelVal || is_read || nop_q) begin
          last_q <= 1'b1;
          len_q  <= sel_q == weft_qp_pkg::SelVal ? 16'(b_q.val_len) : is_read ? 16'd28 : 16'd0;
        end
      end
      StWire: wire_q <= nop_q ? 32'd0 : weft_qp_pkg::fpdu_len(tagged_q, len_q);
      StWin: begin
        if (!fits) begin
          b_q.blocked <= 1'b1;
          wa_q        <= 1'b1;
        end
      end
      StGo: begin
        self_q      <= 1'b1;
        wa_q        <= !nop_q;
        b_q.snd_nxt <= seq_end;
        if (!nop_q) b_q.probe <= 1'b0;
        if (!rexmit) begin
          b_q.snd_max <= seq_end;
          if (!nop_q && (!b_q.rtt_on || weft_qp_pkg::seq_le(b_q.rtt_seq, a_q.snd_una))) begin
            b_q.rtt_on   <= 1'b1;
            b_q.rtt_gen  <= b_q.rtt_gen + 2'd1;
            b_q.rtt_seq  <= seq_end;
            b_q.rtt_time <= now_us_i;
          end
        end
        wc_q <= ends && sel_q != weft_qp_pkg::SelVal;
        if (ends) b_q.open <= weft_qp_pkg::SelNone;
        else if (first_q) b_q.open <= sel_q;
        if (first_q) b_q.last_resp <= sel_q == weft_qp_pkg::SelResp;
        b_q.pos <= last_q ? weft_qp_pkg::SelNone : sel_q;
        b_q.off <= last_q ? 32'd0 : b_q.off + 32'(len_q);
        if (last_q) begin
          b_q.sge     <= '0;
          b_q.sge_off <= '0;
        end
        unique case (sel_q)
          weft_qp_pkg::SelSq: begin
            wf_q <= last_q;
            if (last_q) b_q.cur <= b_q.cur + 16'd1;
            if (first_q) begin
              b_q.sq_new <= b_q.sq_new + 16'd1;
              if (is_read) begin
                b_q.read_msn  <= b_q.read_msn + 32'd1;
                b_q.rd_issued <= b_q.rd_issued + 8'd1;
              end else if (!tagged_q && !nop_q) begin
                b_q.send_msn <= b_q.send_msn + 32'd1;
              end
            end
          end
          weft_qp_pkg::SelResp: begin
            if (last_q) b_q.r_cur <= b_q.r_cur + 8'd1;
            if (first_q) b_q.r_new <= b_q.r_new + 8'd1;
          end
          default: begin
            b_q.open    <= b_q.open;
            b_q.val     <= weft_qp_pkg::ValSent;
            b_q.val_seq <= seq_q;
          end
        endcase
      end
      StEmit: begin
        if (emit_done_i && sel_q == weft_qp_pkg::SelSq && !last_q) begin
          b_q.sge     <= emit_sge_i;
          b_q.sge_off <= emit_sge_off_i;
        end
      end
      default: ;
    endcase
  end

  assign stat_rexmit_o = state_q == StGo && rexmit && !nop_q;
  assign stat_block_o  = state_q == StWin && !fits;

  logic unused;
  assign unused = ^{txerr_i, te_q, cc_q, irq_q, h_q, sk_start};

endmodule
