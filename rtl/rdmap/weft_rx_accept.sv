// SPDX-License-Identifier: BSD-2-Clause

/// TCP acceptance of received segments (RFC 9293 3.10.7.4), speculative: rcv_nxt moves when the
/// FPDUs of a segment have been delineated, long before they are placed and acknowledged; if one of
/// them turns out faulty the QP receives no more, so nothing has to be taken back.
///
/// In order: taken, the part that was received before is trimmed from the front. Whole duplicates
/// and segments behind a gap: dropped, and a duplicate ACK is asked for (what RFC 9293 wants for
/// unacceptable segments, RFC 5681 4.2 for gaps). An FPDU that does not end in its segment stays
/// unreceived. QPs that are not in RTS drop silently.
///
/// A receive ring for bytes that do not fit (out of order, or of split FPDUs) belongs here: in place
/// of StDrop the segment would be written to the ring, and ring contents that became next in order
/// would be offered as a segment.
module weft_rx_accept #(
  parameter int unsigned N_QP = 16,  ///< queue pairs, a power of two, 2 or more
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  seg_valid_i,
  output logic                  seg_ready_o,
  input  logic                  seg_may_i,    ///< work on its QP may begin (weft_ctx_store)
  output logic                  busy_o,       ///< at work on busy_qpn_o
  output logic [QpW-1:0]        busy_qpn_o,
  output logic                  left_o,       ///< pulse: done with a segment of busy_qpn_o
  input  weft_pkg::rx_seg_t     seg_i,

  /// Context command on its way through the pipeline; the fields are stable while it is offered.
  input  logic                  tok_valid_i,
  output logic                  tok_ready_o,
  input  weft_rx_pkg::kind_e    tok_kind_i,
  input  logic [15:0]           tok_qpn_i,
  input  logic [31:0]           tok_rcv_nxt_i,
  input  logic [1:0]            tok_state_i,
  input  logic                  tok_crc_i,

  /// To delineation: look at the payload packet, or throw it away.
  output logic                  run_valid_o,
  input  logic                  run_ready_i,
  output logic                  run_drop_o,
  output logic [15:0]           run_qpn_o,
  output logic [31:0]           run_seq_o,   ///< of the first byte behind the trimmed ones
  output logic [15:0]           run_trim_o,  ///< bytes
  output logic [15:0]           run_len_o,   ///< bytes behind them
  output logic                  run_crc_o,
  /// Its answer when the last piece of the packet has been commanded (not for run_drop_o).
  input  logic                  done_valid_i,
  input  logic [31:0]           done_nxt_i,
  input  logic                  done_part_i,   ///< the last FPDU does not end in the segment
  input  logic                  done_fault_i,  ///< impossible length

  output logic                  pre_valid_o,
  input  logic                  pre_ready_i,
  output weft_rx_pkg::pre_t     pre_o,

  output logic                  idle_o,
  output logic                  stat_drop_o,  ///< pulse: payload thrown away
  output logic                  stat_dup_o,   ///< pulse: ... because it was here before
  output logic                  stat_gap_o,   ///< pulse: ... because earlier bytes are missing
  output logic                  stat_part_o   ///< pulse: an FPDU did not end in its segment
);

  typedef enum logic [3:0] {
    StSweep, StIdle, StTok, StRead, StAct, StDrop, StRun, StWait, StAck, StFin, StFault
  } state_e;

  typedef struct packed {
    logic [31:0] nxt;
    logic [1:0]  state;
    logic        crc;
    logic        fin;   // FIN was received
    logic        dead;  // an impossible length was met
  } ent_t;

  state_e            state_q, then_q;  // then_q: after StDrop
  weft_pkg::rx_seg_t seg_q;
  ent_t              ent_q, rdata, wdata;
  logic [31:0]       delta_q;          // bytes of the segment that were here before
  logic [QpW-1:0]    sweep_q, raddr, waddr;
  logic              re, we, live, older, take_tok, take_seg, fresh;

  assign take_tok    = state_q == StIdle && tok_valid_i;
  assign take_seg    = state_q == StIdle && !tok_valid_i && seg_valid_i && seg_may_i;
  assign seg_ready_o = state_q == StIdle && !tok_valid_i && seg_may_i;
  assign tok_ready_o = state_q == StTok && pre_ready_i;
  assign re          = take_tok || take_seg;
  assign raddr       = tok_valid_i ? tok_qpn_i[QpW-1:0] : seg_i.qpn[QpW-1:0];
  assign live        = ent_q.state == weft_abi_pkg::QP_STATE_RTS && !ent_q.dead;
  assign older       = delta_q != '0 && !delta_q[31];
  assign fresh       = delta_q < 32'(seg_q.len);
  assign idle_o      = state_q == StIdle;
  assign busy_o      = state_q != StSweep && state_q != StIdle && state_q != StTok;
  assign busy_qpn_o  = seg_q.qpn[QpW-1:0];
  assign left_o      = busy_was_q && state_q == StIdle;

  always_comb begin
    we    = 1'b0;
    waddr = seg_q.qpn[QpW-1:0];
    wdata = ent_q;
    unique case (state_q)
      StSweep: begin
        we    = 1'b1;
        waddr = sweep_q;
        wdata = '0;
      end
      StTok: begin
        we    = pre_ready_i && tok_kind_i != weft_rx_pkg::IkDrain;
        waddr = tok_qpn_i[QpW-1:0];
        wdata = rdata;
        wdata.state = tok_state_i;
        if (tok_kind_i == weft_rx_pkg::IkLoad) begin
          wdata.nxt  = tok_rcv_nxt_i;
          wdata.crc  = tok_crc_i;
          wdata.fin  = 1'b0;
          wdata.dead = 1'b0;
        end
      end
      StWait: begin
        we         = done_valid_i;
        wdata.nxt  = done_nxt_i;
        wdata.dead = done_fault_i;
      end
      StFin: begin
        we        = pre_ready_i;
        wdata.nxt = ent_q.nxt + 32'd1;
        wdata.fin = 1'b1;
      end
      StFault: begin
        we         = pre_ready_i;
        wdata.dead = 1'b1;
      end
      default: ;
    endcase
  end

  weft_ram_1r1w #(.W(37), .DEPTH(N_QP)) u_ram (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(re), .raddr_i(raddr), .rdata_o(rdata)
  );

  assign run_valid_o = state_q == StDrop || state_q == StRun;
  assign run_drop_o  = state_q == StDrop;
  assign run_qpn_o   = seg_q.qpn;
  assign run_seq_o   = ent_q.nxt;
  assign run_trim_o  = delta_q[15:0];
  assign run_len_o   = seg_q.len - delta_q[15:0];
  assign run_crc_o   = ent_q.crc;

  assign pre_valid_o = state_q == StTok || state_q == StAck || state_q == StFin || state_q == StFault;
  always_comb begin
    pre_o      = '0;
    pre_o.qpn  = seg_q.qpn;
    pre_o.seq  = ent_q.nxt;
    pre_o.nxt  = ent_q.nxt;
    pre_o.code = weft_rx_pkg::TermStream;  // data behind FIN (RFC 5041 6.2.1)
    unique case (state_q)
      StTok: begin
        pre_o.kind = tok_kind_i;
        pre_o.qpn  = tok_qpn_i;
      end
      StFin:   pre_o.kind = weft_rx_pkg::IkFin;
      StFault: pre_o.kind = weft_rx_pkg::IkFault;
      default: pre_o.kind = weft_rx_pkg::IkAckReq;
    endcase
  end

  // What to do with a segment. A zero-length segment is looked at because a keep-alive or window
  // probe lies one byte back and wants an answer (RFC 9293 3.8.4); ahead it means nothing.
  state_e act, act_then;
  always_comb begin
    act_then = StIdle;
    act      = StIdle;
    if (!live) begin
      act = StIdle;
    end else if (seg_q.len == '0 && !seg_q.fin) begin
      act_then = older ? StAck : StIdle;
    end else if (delta_q[31]) begin
      act_then = StAck;
    end else if (fresh) begin
      if (ent_q.fin) act_then = StFault;
      else act = StRun;
    end else begin
      act_then = (delta_q == 32'(seg_q.len) && seg_q.fin && !ent_q.fin) ? StFin : StAck;
    end
    if (act != StRun) act = seg_q.len != '0 ? StDrop : act_then;
  end

  logic busy_was_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= StSweep;
      sweep_q    <= '0;
      busy_was_q <= 1'b0;
    end else begin
      busy_was_q <= busy_o;
      unique case (state_q)
        StSweep: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == '1) state_q <= StIdle;
        end
        StIdle: begin
          if (take_tok) state_q <= StTok;
          else if (take_seg) state_q <= StRead;
        end
        StTok:  if (pre_ready_i) state_q <= StIdle;
        StRead: state_q <= StAct;
        StAct:  state_q <= act;
        StDrop: if (run_ready_i) state_q <= then_q;
        StRun:  if (run_ready_i) state_q <= StWait;
        StWait: begin
          if (done_valid_i) begin
            if (done_fault_i) state_q <= StIdle;
            else if (done_part_i) state_q <= StAck;
            else state_q <= seg_q.fin ? StFin : StIdle;
          end
        end
        default: if (pre_ready_i) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) seg_q <= seg_i;
    if (state_q == StRead) begin
      ent_q   <= rdata;
      delta_q <= rdata.nxt - seg_q.seq;
    end
    if (state_q == StAct) then_q <= act_then;
    if (state_q == StWait && done_valid_i) ent_q.nxt <= done_nxt_i;
  end

  assign stat_drop_o = state_q == StDrop && run_ready_i;
  assign stat_dup_o  = stat_drop_o && live && !delta_q[31];
  assign stat_gap_o  = stat_drop_o && live && delta_q[31];
  assign stat_part_o = state_q == StWait && done_valid_i && done_part_i;

endmodule
