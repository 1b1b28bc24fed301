// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Receiving side of RDMAP and DDP (docs/datapath.md, "rdmap check pipe"): takes FPDUs whose length, markers
/// and CRC are good, checks them against their connection, places their payload, commits, and completes.
///
/// Each thing that may have to wait holds one of PLACES places from its entry to its retirement; FPDUs, stored
/// ranges and drains leave RESERVE of them to everything else. A Send whose receive WQE is posted but not on chip
/// waits in its context's list, in its place, with all that follows it; others pass, while there are places. A save waits there for
/// reads of receive WQEs that are under way: no read outlives the connection's stay, nor what firmware then answers.
///
/// Send with Invalidate: the STag goes when all that came before it in the queue of placements is translated, what follows in its stream
/// finds it gone; its completion comes when nobody uses it any more.
///
/// Shared receive queues: weft_rdmap_srq. A Send that finds one empty is refused, as a Read Request beyond the bound is, and waits in the
/// receive ring, so it holds nothing here; nobody waits behind it but its own stream.
///
/// Atomic Requests are Read Requests to all rules of the queue (IRD, MSN, the bound); they are executed at placement, and rx_read brings the result. One waits until the Reads in front of it are acknowledged:
/// ATOM_HOLD cycles in its context's list, 11 connections at a time, then it is refused.
///
/// An Atomic Response is matched with the oldest outstanding Read or atomic, by its kind and identifier, and placed as 8 bytes of the WQE's element.
///
/// A Write ahead of turn is checked, placed and told (`placed`), and nothing else comes of it; all other FPDUs ahead of turn are let go and counted. What was placed is committed when mpa says that it is next (`stored_placed_i`).
///
/// Not yet: Reads that invalidate (`inv` of tx_read is not looked at). Outstanding reads stay in the
/// pool on chip while their connection is away; its ends are in line 7, bytes 512 to 1535 of the home are not used.
/// A doorbell of a QP in ERR that is away is served when the QP is loaded the next time.
// lint: -GDATA_W=128
module weft_rdmap_in #(
  parameter int unsigned DATA_W = 128,    ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 1024,     ///< a power of two, 4 to 262144
  parameter int unsigned N_SLOT = 256,    ///< a power of two, 4 to 4096
  parameter int unsigned PLACES = 64,     ///< items under way, a power of two, 32 to 256
  parameter int unsigned RESERVE = 16,    ///< of these not for FPDUs, stored ranges and drains; 8 or more, as four saves may wait for reads that need one to come
  parameter int unsigned XL_MAX = 64,     ///< translations under way, a power of two, 16 or more
  parameter int unsigned WR_BEATS = DATA_W == 512 ? 512 : 131072 / DATA_W,  ///< write buffer, at least 16 KiB
  parameter int unsigned N_SRQ = 64,      ///< shared receive queues, a power of two, 2 to 4096
  parameter int unsigned N_RQB = 32,      ///< buffers of receive WQEs of 1 KiB, a power of two, 4 to 256
  parameter int unsigned N_READ = 256,    ///< outstanding reads of this side, a power of two, 4 to 4096
  parameter int unsigned IRD_MORE = 16,   ///< inbound reads beyond IRD that may be unacknowledged
  parameter int unsigned ATOM_HOLD = 256, ///< cycles that an atomic waits here for the acknowledgement of a Read before it is refused, a power of two, 2 or more
  parameter int unsigned CQE_DEPTH = 64,  ///< completions that may wait, a power of two
  parameter int unsigned EV_DEPTH = N_SLOT,  ///< events that may wait, a power of two, N_SLOT or more
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  output logic                    ready_o,         ///< sweeps are over; nothing is taken before

  /// In the order of each stream. In the store: ULPDU_Length in bytes 0 and 1, the ULPDU from byte 2 on (payload from 16 or 20).
  /// Who gives them frees nothing: the packet is freed here. One with a fault has no packet.
  /// MpaFin: with `ulpdu` 0 a commit of nothing with `fin`, behind all that came before it (none while what was refused has to come again), else RX_FAULT 2001 (RFC 5044 8: lost), as no byte of it is ever committed.
  input  logic                    rx_fpdu_valid_i,
  output logic                    rx_fpdu_ready_o,
  input  weft_dp_pkg::rx_fpdu_t   rx_fpdu_i,
  input  logic [15:0]             rx_fpdu_len_i,   ///< bytes in the stream from `off` on: length, markers, pad and CRC too
  /// Ranges that mpa stored in the ring, each with a pin of its slot. Offered when all FPDUs before it were taken, and before
  /// those behind it are. One that is `ahead` goes past everything.
  input  logic                    stored_valid_i,
  output logic                    stored_ready_o,
  input  weft_dp_pkg::commit_t    stored_i,
  input  logic                    stored_placed_i, ///< all of it was placed before, so that no FPDU of it comes: it is told as through

  /// Producer index of a receive queue, from a page that owns it; always taken. Firmware sets the word of a new QP to
  /// its RQ_INDEX the same way before anybody can ring.
  input  logic                    rq_db_valid_i,
  input  logic [23:0]             rq_db_qpn_i,
  input  logic [15:0]             rq_db_index_i,

  /// Producer index of a shared receive queue, the same way.
  input  logic                    srq_db_valid_i,
  input  logic [15:0]             srq_db_srqn_i,
  input  logic [15:0]             srq_db_index_i,
  input  logic                    cfg_req_valid_i, ///< room RX
  output logic                    cfg_req_ready_o,
  input  weft_pkg::cfg_req_t      cfg_req_i,
  output logic                    cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t      cfg_rsp_o,

  /// Given before the request leaves, under qp's pin. qp keeps the sum over all connections at N_READ.
  input  logic                    tx_read_valid_i,
  output logic                    tx_read_ready_o,
  input  weft_dp_pkg::tx_read_t   tx_read_i,
  /// Inbound reads: so many responses left (RFC 5040 6.1: IRD counts until then), so many were acknowledged. Brings a pin.
  input  logic                    irq_free_valid_i,
  output logic                    irq_free_ready_o,
  input  weft_dp_pkg::who_t       irq_free_i,
  input  logic [3:0]              irq_free_sent_i,
  input  logic [3:0]              irq_free_acked_i,

  input  logic                    load_valid_i,
  output logic                    load_ready_o,
  input  weft_dp_pkg::line_t      load_i,          ///< line 7
  input  logic                    save_valid_i,
  output logic                    save_ready_o,
  input  weft_dp_pkg::save_t      save_i,
  output logic                    line_valid_o,
  input  logic                    line_ready_i,
  output weft_dp_pkg::line_t      line_o,
  input  logic                    cmd_valid_i,
  output logic                    cmd_ready_o,
  input  weft_dp_pkg::ctx_cmd_t   cmd_i,           ///< OpSetState, OpDrain, OpResume, others do nothing; brings a pin, dropped when it is done
  /// Each under a pin of its slot, dropped here when it is taken: one fault or Terminate of a slot can wait, so they never stop
  /// commits. DRAINED finds room as long as its asker takes the answers.
  output logic                    ev_valid_o,
  input  logic                    ev_ready_i,
  output logic                    srq_ev_valid_o,  ///< SRQ_LIMIT, SRQ_WAKE; without a pin
  input  logic                    srq_ev_ready_i,
  output weft_dp_pkg::ctx_ev_t    srq_ev_o,
  output weft_dp_pkg::ctx_ev_t    ev_o,            ///< data0, data1: offset of the FPDU, low and high (RX_FAULT: 47:32 of it above the segment's length); DRAINED: token
  /// Two who drop pins: 0 those that came here; 1 what is handed on beside a commit: a pin more when it is made (n
  /// negative).
  output logic [1:0]              drop_valid_o,
  output logic [2*12-1:0]         drop_slot_o,
  output logic [2*4-1:0]          drop_n_o,

  output logic                    xl_valid_o,
  input  logic                    xl_ready_i,
  output weft_dp_pkg::tpt_req_t   xl_o,
  input  logic                    xl_valid_i,      ///< in the order of requests; err: one piece, len 0, with the epoch too
  output logic                    xl_ready_o,
  input  weft_dp_pkg::tpt_rsp_t   xl_i,
  /// Pulses, exactly one for each request, errors included: a translated access left its epoch ...
  output logic [1:0]              xl_done_o,
  output logic [3:0]              xl_done_epoch_o, ///< ... bits 1:0 of the first, 3:2 of the second pulse

  /// Operations on STags, as weft_tpt takes them.
  output logic                    op_valid_o,
  input  logic                    op_ready_i,
  output weft_dp_pkg::stag_op_t   op_o,
  input  weft_pkg::xl_err_e       op_err_i,        ///< with op_ready_i
  input  logic [15:0]             op_seq_i,
  input  logic [15:0]             op_done_i,       ///< closings of operations up to it are done

  output logic                    rd_valid_o,      ///< reads of the FPDU store
  input  logic                    rd_ready_i,
  output logic [11:0]             rd_handle_o,
  output logic [15:0]             rd_off_o,
  output logic [15:0]             rd_len_o,
  input  logic                    pay_valid_i,
  output logic                    pay_ready_o,
  input  logic [DATA_W-1:0]       pay_data_i,
  input  logic [CntW-1:0]         pay_cnt_i,
  input  logic                    pay_last_i,
  output logic                    free_valid_o,
  input  logic                    free_ready_i,
  output logic [11:0]             free_handle_o,

  output logic                    rq_rd_valid_o,   ///< DMA reads of receive WQEs
  input  logic                    rq_rd_ready_i,
  output weft_pkg::dma_rd_req_t   rq_rd_o,
  input  logic                    rq_valid_i,
  output logic                    rq_ready_o,
  input  logic [DATA_W-1:0]       rq_data_i,
  input  logic [CntW-1:0]         rq_cnt_i,
  input  logic                    rq_last_i,
  input  logic                    rq_err_i,

  output logic                    at_rd_valid_o,   ///< DMA reads of atomics: a reader of their own, so that none waits for receive WQEs
  input  logic                    at_rd_ready_i,
  output weft_pkg::dma_rd_req_t   at_rd_o,
  input  logic                    at_valid_i,
  output logic                    at_ready_o,
  input  logic [DATA_W-1:0]       at_data_i,
  input  logic                    at_err_i,

  output logic                    wr_valid_o,      ///< posted writes
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  output logic                    commit_valid_o,
  input  logic                    commit_ready_i,
  output weft_dp_pkg::commit_t    commit_o,
  output logic                    through_valid_o, ///< pulse: this FPDU is committed, each by itself and in order: it is not refused any more
  output weft_dp_pkg::commit_t    through_o,
  /// A Write that came `ahead` of its turn is in memory, so the peer may hear of it; with its pin. One that finds no room here, breaks a rule or may not
  /// write there is let go in silence, and judged when it comes in its turn.
  output logic                    placed_valid_o,
  input  logic                    placed_ready_i,
  output weft_dp_pkg::commit_t    placed_o,
  output logic                    cqe_valid_o,
  input  logic                    cqe_ready_i,
  output weft_dp_pkg::cqe_t       cqe_o,
  input  logic [7:0]              wr_acc_i,        ///< posted writes of the card that were accepted, and that have left: as in weft_fifo_after
  input  logic [7:0]              wr_left_i,
  /// rx_read and read_done are told when all writes accepted before have left, so a read that is asked for then finds what they wrote.
  /// Under a pin, as read_done: dropped here, a cycle after it was taken at the earliest. Who takes it and needs one takes his own
  /// in the cycle in which he takes it.
  output logic                    rx_read_valid_o,
  input  logic                    rx_read_ready_i,
  output weft_dp_pkg::rx_read_t   rx_read_o,
  output logic                    read_done_valid_o,
  input  logic                    read_done_ready_i,
  output weft_dp_pkg::read_done_t read_done_o,
  output logic                    term_valid_o,    ///< pulse: a Terminate came in, under the pin of its event
  output logic [11:0]             term_slot_o,
  /// Both carry a pin, which mpa drops.
  output logic                    refuse_valid_o,
  input  logic                    refuse_ready_i,
  output weft_dp_pkg::refuse_t    refuse_o,        ///< cause 0: an inbound read finds no place
  output logic                    resume_valid_o,
  input  logic                    resume_ready_i,
  output weft_dp_pkg::who_t       resume_o,

  output logic                    idle_o,
  output logic                    stat_fpdu_o,     ///< pulse: an FPDU was checked
  output logic                    stat_park_o,     ///< pulse: an item waits in its context's list
  output logic                    stat_ahead_o,    ///< pulse: an FPDU ahead of turn was let go
  output logic                    stat_fault_o,    ///< pulse: a rule was broken
  output logic                    stat_recv_o,     ///< pulse: a receive completed
  output logic                    stat_flush_o,    ///< pulse: a receive was flushed
  output logic                    stat_fetch_o,    ///< pulse: receive WQEs were asked for
  output logic                    stat_reclaim_o,  ///< pulse: buffers were asked back
  output logic                    stat_xl_o,       ///< pulse: a translation was asked for
  output logic                    stat_fail_o,     ///< pulse: one failed
  output logic                    stat_beat_o,     ///< pulse: a beat was written
  output logic                    stat_merge_o,    ///< pulse: a commit was merged
  output logic                    stat_cont_o,     ///< pulse: an item went on with a visit
  output logic                    stat_placed_o,   ///< pulse: a Write was placed ahead of turn
  output logic                    stat_srq_bad_o   ///< pulse: a producer index of a shared receive queue was refused
);
  localparam int unsigned SlW = $clog2(N_SLOT);
  localparam int unsigned IdW = $clog2(N_READ);
  localparam int unsigned BufW = weft_rdmap_pkg::BufW;

  // ---------------------------------------------------------------- places
  logic [$clog2(PLACES):0] credit_q;
  logic credit_give, credit_take, any_place, wait_place, pk_room, pk_take, ready_c, ready_q, ready_p, ready_t, ready_s;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      credit_q   <= ($clog2(PLACES) + 1)'(PLACES);
      any_place  <= 1'b0;
      wait_place <= 1'b0;
    end else begin
      credit_q   <= credit_q + ($clog2(PLACES) + 1)'(credit_give) - ($clog2(PLACES) + 1)'(credit_take);
      // Registered: one more may have been taken meanwhile.
      any_place  <= credit_q > ($clog2(PLACES) + 1)'(1);
      wait_place <= credit_q > ($clog2(PLACES) + 1)'(RESERVE + 1);
    end
  end
  assign ready_o = ready_c && ready_q && ready_p && ready_t && ready_s;

  // ---------------------------------------------------------------- who comes next
  localparam int unsigned Inj = 0, Load = 1, Came = 2, Save = 3, Cmd = 4, Unpark = 5, Look = 6, TxRead = 7, Free = 8, Stored = 9, Late = 10;
  localparam int unsigned NSrc = 11;
  logic [NSrc-1:0] src_v, src_ok, gnt;
  logic [3:0]      idx;
  logic            any, next_ok, fp_ok, fp_go, turn_q, in_v_q, in_ready, o_go, waits, needs;
  logic [SlW-1:0]  in_slot_q, slot_d, inj_slot, pk_slot, look_slot, came_slot;
  weft_rdmap_pkg::item_t in_q, item_d, fp_item, inj, pk_item, look_item, came_item;
  logic            inj_v, inj_r, pk_v, pk_r, look_v, look_r, came_v, came_r, rd_room, line_room, is_drain;
  logic [2:0]      saves_q;
  logic            ahead_r;

  assign is_drain       = cmd_i.op == weft_dp_pkg::OpDrain;
  assign src_v[Inj]     = inj_v;
  assign src_v[Load]    = load_valid_i;
  assign src_v[Came]    = came_v && any_place;
  assign src_v[Save]    = save_valid_i && any_place && line_room && pk_room;
  assign src_v[Cmd]     = cmd_valid_i && (is_drain ? wait_place && pk_room : any_place);
  assign src_v[Unpark]  = pk_v;
  assign src_v[Look]    = look_v && any_place;
  assign src_v[TxRead]  = tx_read_valid_i && rd_room;
  assign src_v[Free]    = irq_free_valid_i && any_place;
  assign src_v[Stored]  = stored_valid_i && !stored_i.ahead && wait_place && pk_room;
  assign src_v[Late]    = late_v;
  assign src_ok         = src_v & {NSrc{ready_o && next_ok && !fp_go}};
  assign next_ok        = !in_v_q || in_ready;
  weft_arb_rr #(.N(NSrc)) u_arb (
    .clk_i, .rst_ni, .req_i(src_v), .advance_i(o_go), .valid_o(any), .gnt_o(gnt), .idx_o(idx)
  );
  // FPDUs and the others take turns.
  assign fp_ok = rx_fpdu_valid_i && wait_place && pk_room && ready_o && next_ok;
  assign fp_go = fp_ok && !(any && turn_q);
  assign o_go  = any && ready_o && next_ok && !fp_go;
  assign rx_fpdu_ready_o  = fp_go;
  assign inj_r            = o_go && gnt[Inj];
  assign load_ready_o     = o_go && gnt[Load];
  assign came_r           = o_go && gnt[Came];
  assign save_ready_o     = o_go && gnt[Save];
  assign cmd_ready_o      = o_go && gnt[Cmd];
  assign pk_r             = o_go && gnt[Unpark];
  assign look_r           = o_go && gnt[Look];
  assign tx_read_ready_o  = o_go && gnt[TxRead];
  assign irq_free_ready_o = o_go && gnt[Free];
  assign late_r           = o_go && gnt[Late];
  assign stored_ready_o   = stored_i.ahead ? ahead_r : o_go && gnt[Stored];
  assign waits       = fp_go || (o_go && (gnt[Stored] || gnt[Save] || (gnt[Cmd] && is_drain)));
  assign needs       = waits || (o_go && (gnt[Came] || gnt[Cmd] || gnt[Look] || gnt[Free]));
  assign credit_take = needs;
  assign pk_take     = waits;

  weft_rdmap_pkg::fpdu_t fp;
  weft_rdmap_pkg::read_t tr;
  assign fp = {rx_fpdu_i.off, rx_fpdu_len_i, rx_fpdu_i.handle, rx_fpdu_i.ulpdu, rx_fpdu_i.ahead, rx_fpdu_i.pinned, rx_fpdu_i.kept,
               rx_fpdu_i.fault, rx_fpdu_i.head};
  assign tr = {tx_read_i.atomic, tx_read_i.sink_stag, tx_read_i.sink_to, tx_read_i.len};
  always_comb begin
    fp_item      = '0;
    fp_item.kind = weft_rdmap_pkg::KFpdu;
    fp_item.qpn  = rx_fpdu_i.who.qpn;
    fp_item.d    = 512'(fp);
    item_d       = '0;
    slot_d       = '0;
    unique case (idx)
      4'(Inj): begin
        item_d = inj;
        slot_d = inj_slot;
      end
      4'(Load): begin
        item_d.kind = weft_rdmap_pkg::KLoad;
        item_d.qpn  = load_i.who.qpn;
        item_d.d    = load_i.data;
        slot_d      = load_i.who.slot[SlW-1:0];
      end
      4'(Came): begin
        item_d = came_item;
        slot_d = came_slot;
      end
      4'(Save): begin
        item_d.kind = weft_rdmap_pkg::KSave;
        item_d.qpn  = save_i.who.qpn;
        item_d.d    = 512'(save_i.tag);
        slot_d      = save_i.who.slot[SlW-1:0];
      end
      4'(Cmd): begin
        item_d.kind = is_drain ? weft_rdmap_pkg::KDrain : weft_rdmap_pkg::KState;
        item_d.qpn  = cmd_i.who.qpn;
        item_d.d    = 512'(cmd_i.arg);
        slot_d      = cmd_i.who.slot[SlW-1:0];
        if (!is_drain && cmd_i.op != weft_dp_pkg::OpSetState) item_d.kind = weft_rdmap_pkg::KOther;
        // As if reads came free: none did.
        if (cmd_i.op == weft_dp_pkg::OpResume) begin
          item_d.kind = weft_rdmap_pkg::KFree;
          item_d.d    = '0;
        end
      end
      4'(Unpark): begin
        item_d = pk_item;
        slot_d = pk_slot;
      end
      4'(Look): begin
        item_d = look_item;
        slot_d = look_slot;
      end
      4'(TxRead): begin
        item_d.kind = weft_rdmap_pkg::KTxRead;
        item_d.qpn  = tx_read_i.who.qpn;
        item_d.d    = 512'(tr);
        slot_d      = tx_read_i.who.slot[SlW-1:0];
      end
      4'(Free): begin
        item_d.kind = weft_rdmap_pkg::KFree;
        item_d.qpn  = irq_free_i.qpn;
        item_d.d    = 512'({irq_free_sent_i, irq_free_acked_i});
        slot_d      = irq_free_i.slot[SlW-1:0];
      end
      4'(Late): begin
        item_d.kind = weft_rdmap_pkg::KLate;
        item_d.qpn  = late_qpn;
        item_d.d    = 512'(late_no);
        slot_d      = late_slot;
      end
      default: begin
        item_d.kind = weft_rdmap_pkg::KStored;
        item_d.qpn  = stored_i.who.qpn;
        item_d.d    = 512'({stored_placed_i, stored_i.from, stored_i.to, stored_i.now, stored_i.first});
        slot_d      = stored_i.who.slot[SlW-1:0];
      end
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_v_q  <= 1'b0;
      turn_q  <= 1'b0;
      saves_q <= '0;
    end else begin
      if (next_ok) in_v_q <= fp_go || o_go;
      if (fp_go) turn_q <= 1'b1;
      else if (o_go) turn_q <= 1'b0;
      saves_q <= saves_q + 3'(save_valid_i && save_ready_o) - 3'(line_valid_o && line_ready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (next_ok && (fp_go || o_go)) begin
      in_q      <= fp_go ? fp_item : item_d;
      in_slot_q <= fp_go ? rx_fpdu_i.who.slot[SlW-1:0] : slot_d;
    end
  end
  assign line_room = saves_q < 3'd4;

  // ---------------------------------------------------------------- atomics that wait in the lists of their contexts, each with its time
  localparam int unsigned HdW = $clog2(ATOM_HOLD) + 1;
  logic            hold, hold_room_q, hold_v, hold_in_r, late_v, late_r, late_q;
  logic [SlW-1:0]  hold_slot, late_slot;
  logic [23:0]     hold_qpn, late_qpn;
  logic [3:0]      hold_no, late_no;
  logic [4:0]      hold_n;
  logic [HdW-1:0]  now_q, hold_at, hold_age;
  weft_fifo #(.W(SlW + 28 + HdW), .DEPTH(16)) u_hold (
    .clk_i, .rst_ni, .in_valid_i(hold), .in_ready_o(hold_in_r), .in_data_i({hold_slot, hold_qpn, hold_no, now_q}),
    .out_valid_o(hold_v), .out_ready_i(late_r), .out_data_o({late_slot, late_qpn, late_no, hold_at}), .count_o(hold_n)
  );
  assign hold_age = now_q - hold_at;
  assign late_v   = hold_v && late_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q       <= '0;
      late_q      <= 1'b0;
      hold_room_q <= 1'b0;
    end else begin
      // It stands still while nobody waits, and for who has waited long enough.
      if (hold_v && !late_q) now_q <= now_q + HdW'(1);
      late_q      <= hold_v && !late_r && (late_q || hold_age >= HdW'(ATOM_HOLD));
      // Four more may be on their way.
      hold_room_q <= hold_n < 5'd11;
    end
  end

  // ---------------------------------------------------------------- the check pipe and what it owns
  logic                    db_re, dig_re, r_look, r_put, r_link, r_free, r_drop, p_put, p_pop, p_we, p_give, trig, low, rich, work, look_end;
  logic                    fetch, map_we, map_home, out_v, l_v, bfree, word_re, chk_idle, rq_idle, pk_idle, pl_idle, tk_idle;
  logic [23:0]             db_qpn, map_qpn;
  logic [15:0]             db;
  logic [BufW+3:0]         dig_addr;
  logic [BufW+5:0]         word_addr;
  logic [BufW-1:0]         bfree_buf;
  logic [127:0]            word;
  weft_rdmap_pkg::digest_t dig;
  logic [IdW-1:0]          r_idx, r_next, r_fresh, r_tail, r_fidx, r_dhead;
  logic [7:0]              r_dn;
  logic [weft_rdmap_pkg::BurstW-1:0] trig_n;
  weft_rdmap_pkg::read_t   r_ent, r_pdata;
  logic [SlW-1:0]          p_slot, trig_slot, work_slot, map_slot;
  weft_rdmap_pkg::item_t   p_item;
  weft_rdmap_pkg::fetch_t  fetch_d;
  weft_rdmap_pkg::walk_t   walk;
  weft_rdmap_pkg::ret_t    ret;
  weft_dp_pkg::line_t      l;
  logic [2:0]              l_count;
  logic                    l_room;
  logic                    dry, sp_v, sp_r, sp_rsp, sp_ok, srq_idle;
  logic [23:0]             dry_qpn;
  logic [15:0]             dry_srqn, sp_srqn, sp_index;
  weft_rdmap_check #(.N_SLOT(N_SLOT), .N_READ(N_READ), .IRD_MORE(IRD_MORE)) u_check (
    .clk_i, .rst_ni, .ready_o(ready_c), .in_valid_i(in_v_q), .in_ready_o(in_ready), .in_slot_i(in_slot_q), .in_item_i(in_q),
    .db_re_o(db_re), .db_qpn_o(db_qpn), .db_i(db), .dig_re_o(dig_re), .dig_addr_o(dig_addr), .dig_i(dig),
    .rd_look_o(r_look), .rd_idx_o(r_idx), .rd_i(r_ent), .rd_next_i(r_next), .rd_fresh_i(r_fresh), .rd_put_o(r_put),
    .rd_link_o(r_link), .rd_tail_o(r_tail), .rd_put_data_o(r_pdata), .rd_free_o(r_free), .rd_free_idx_o(r_fidx),
    .rd_drop_o(r_drop), .rd_drop_head_o(r_dhead), .rd_drop_n_o(r_dn),
    .pk_put_o(p_put), .pk_pop_o(p_pop), .pk_slot_o(p_slot), .pk_we_o(p_we), .pk_item_o(p_item), .pk_give_o(p_give),
    .trig_o(trig), .trig_slot_o(trig_slot), .trig_n_o(trig_n), .hold_room_i(hold_room_q), .hold_o(hold), .hold_slot_o(hold_slot), .hold_qpn_o(hold_qpn), .hold_no_o(hold_no), .low_i(low), .rich_i(rich), .work_o(work), .work_slot_o(work_slot), .look_o(look_end),
    .fetch_o(fetch), .fetch_d_o(fetch_d), .srq_wait_o(dry), .srq_wait_qpn_o(dry_qpn), .srq_wait_srqn_o(dry_srqn), .map_we_o(map_we), .map_qpn_o(map_qpn), .map_home_o(map_home), .map_slot_o(map_slot),
    .out_valid_o(out_v), .walk_o(walk), .ret_o(ret), .line_valid_o(l_v), .line_o(l),
    .idle_o(chk_idle), .stat_fpdu_o, .stat_park_o, .stat_ahead_o, .stat_cont_o
  );
  weft_fifo #(.W(553), .DEPTH(4)) u_line (
    .clk_i, .rst_ni, .in_valid_i(l_v), .in_ready_o(l_room), .in_data_i(l),
    .out_valid_o(line_valid_o), .out_ready_i(line_ready_i), .out_data_o(line_o), .count_o(l_count)
  );
  weft_rdmap_reads #(.N(N_READ)) u_reads (
    .clk_i, .rst_ni, .room_o(rd_room), .take_i(tx_read_valid_i && tx_read_ready_o), .fresh_o(r_fresh), .put_i(r_put), .tail_i(r_tail),
    .link_i(r_link), .put_data_i(r_pdata), .look_i(r_look), .look_idx_i(r_idx), .look_o(r_ent), .look_next_o(r_next),
    .free_i(r_free), .free_idx_i(r_fidx), .drop_i(r_drop), .drop_head_i(r_dhead), .drop_n_i(r_dn)
  );
  weft_rdmap_park #(.N_SLOT(N_SLOT), .N(PLACES)) u_park (
    .clk_i, .rst_ni, .ready_o(ready_p), .room_o(pk_room), .take_i(pk_take), .give_i(p_give), .put_i(p_put), .pop_i(p_pop),
    .slot_i(p_slot), .item_we_i(p_we), .item_i(p_item), .trig_i(trig), .trig_slot_i(trig_slot), .trig_n_i(trig_n),
    .out_valid_o(pk_v), .out_ready_i(pk_r), .out_slot_o(pk_slot), .out_item_o(pk_item), .idle_o(pk_idle)
  );
  weft_rdmap_rq #(.DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_RQB(N_RQB)) u_rq (
    .clk_i, .rst_ni, .ready_o(ready_q), .db_valid_i(rq_db_valid_i), .db_qpn_i(rq_db_qpn_i), .db_index_i(rq_db_index_i),
    .look_re_i(db_re), .look_qpn_i(db_qpn), .look_db_o(db), .dig_re_i(dig_re), .dig_addr_i(dig_addr), .dig_o(dig),
    .word_re_i(word_re), .word_addr_i(word_addr), .word_o(word),
    .map_we_i(map_we), .map_qpn_i(map_qpn), .map_home_i(map_home), .map_slot_i(map_slot),
    .work_i(work), .work_slot_i(work_slot), .low_o(low), .rich_o(rich), .item_valid_o(look_v), .item_ready_i(look_r), .item_slot_o(look_slot),
    .item_o(look_item), .look_i(look_end), .fetch_i(fetch), .fetch_d_i(fetch_d),
    .came_valid_o(came_v), .came_ready_i(came_r), .came_slot_o(came_slot), .came_o(came_item),
    .free_i(bfree), .free_buf_i(bfree_buf), .pop_valid_o(sp_v), .pop_ready_i(sp_r), .pop_srqn_o(sp_srqn), .pop_rsp_i(sp_rsp),
    .pop_ok_i(sp_ok), .pop_index_i(sp_index),
    .rd_req_valid_o(rq_rd_valid_o), .rd_req_ready_i(rq_rd_ready_i), .rd_req_o(rq_rd_o), .rd_valid_i(rq_valid_i), .rd_ready_o(rq_ready_o),
    .rd_data_i(rq_data_i), .rd_cnt_i(rq_cnt_i), .rd_last_i(rq_last_i), .rd_err_i(rq_err_i),
    .idle_o(rq_idle), .stat_fetch_o, .stat_reclaim_o
  );
  weft_rdmap_srq #(.N_QP(N_QP), .N_SLOT(N_SLOT), .N_SRQ(N_SRQ)) u_srq (
    .clk_i, .rst_ni, .ready_o(ready_s), .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i, .cfg_rsp_valid_o, .cfg_rsp_o,
    .db_valid_i(srq_db_valid_i), .db_srqn_i(srq_db_srqn_i), .db_index_i(srq_db_index_i), .pop_valid_i(sp_v), .pop_ready_o(sp_r),
    .pop_srqn_i(sp_srqn), .pop_rsp_o(sp_rsp), .pop_ok_o(sp_ok), .pop_index_o(sp_index), .wait_valid_i(dry), .wait_qpn_i(dry_qpn),
    .wait_srqn_i(dry_srqn), .ev_valid_o(srq_ev_valid_o), .ev_ready_i(srq_ev_ready_i), .ev_o(srq_ev_o), .idle_o(srq_idle), .stat_reject_o(stat_srq_bad_o)
  );

  // ---------------------------------------------------------------- placement and retirement
  logic                    res_v, placed;
  weft_rdmap_pkg::result_t res;
  weft_rdmap_place #(.DATA_W(DATA_W), .N_SLOT(N_SLOT), .PLACES(PLACES), .XL_MAX(XL_MAX), .WR_BEATS(WR_BEATS)) u_place (
    .clk_i, .rst_ni, .walk_valid_i(out_v), .walk_i(walk), .word_re_o(word_re), .word_addr_o(word_addr), .word_i(word),
    .bfree_o(bfree), .bfree_buf_o(bfree_buf), .xl_valid_o, .xl_ready_i, .xl_o, .xl_valid_i, .xl_ready_o, .xl_i,
    .xl_done_o, .xl_done_epoch_o, .op_valid_o, .op_ready_i, .op_o, .op_err_i, .op_seq_i, .rd_valid_o, .rd_ready_i, .rd_handle_o, .rd_off_o, .rd_len_o,
    .pay_valid_i, .pay_ready_o, .pay_data_i, .pay_cnt_i, .pay_last_i, .free_valid_o, .free_ready_i, .free_handle_o,
    .at_rd_valid_o, .at_rd_ready_i, .at_rd_o, .at_valid_i, .at_ready_o, .at_data_i, .at_err_i,
    .wr_valid_o, .wr_ready_i, .wr_hdr_o, .wr_data_o, .wr_cnt_o, .wr_last_o, .res_valid_o(res_v), .res_o(res), .placed_o(placed),
    .idle_o(pl_idle), .stat_xl_o, .stat_fail_o, .stat_beat_o
  );
  weft_rdmap_ticket #(.N_SLOT(N_SLOT), .PLACES(PLACES), .CQE_DEPTH(CQE_DEPTH), .EV_DEPTH(EV_DEPTH)) u_ticket (
    .clk_i, .rst_ni, .ready_o(ready_t), .ret_valid_i(out_v), .ret_i(ret), .res_valid_i(res_v), .res_i(res), .placed_i(placed), .wr_acc_i, .wr_left_i, .op_done_i,
    .credit_o(credit_give), .inj_valid_o(inj_v), .inj_ready_i(inj_r), .inj_slot_o(inj_slot), .inj_o(inj),
    .ahead_valid_i(stored_valid_i && stored_i.ahead), .ahead_ready_o(ahead_r), .ahead_i(stored_i),
    .commit_valid_o, .commit_ready_i, .commit_o, .placed_valid_o, .placed_ready_i, .placed_o, .through_valid_o, .through_o, .cqe_valid_o, .cqe_ready_i, .cqe_o, .rx_read_valid_o, .rx_read_ready_i, .rx_read_o,
    .read_done_valid_o, .read_done_ready_i, .read_done_o, .term_valid_o, .term_slot_o, .refuse_valid_o, .refuse_ready_i, .refuse_o,
    .resume_valid_o, .resume_ready_i, .resume_o, .ev_valid_o, .ev_ready_i, .ev_o, .drop_valid_o, .drop_slot_o, .drop_n_o,
    .idle_o(tk_idle), .stat_recv_o, .stat_flush_o, .stat_fault_o, .stat_merge_o, .stat_placed_o
  );
  assign idle_o   = ready_o && !in_v_q && chk_idle && rq_idle && srq_idle && pk_idle && pl_idle && tk_idle && !line_valid_o && !hold_v &&
                    credit_q == ($clog2(PLACES) + 1)'(PLACES);

`ifndef SYNTHESIS
  initial begin
    if (EV_DEPTH < N_SLOT || (EV_DEPTH & (EV_DEPTH - 1)) != 0) $fatal(1, "weft_rdmap_in: EV_DEPTH");
    if (PLACES < 32 || PLACES > 256 || (PLACES & (PLACES - 1)) != 0 || RESERVE < 8 || RESERVE + 4 > PLACES)
      $fatal(1, "weft_rdmap_in: PLACES, RESERVE");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(l_v && !l_room)) else $error("%m: a line without room");
      assert (!(hold && !hold_in_r)) else $error("%m: an atomic without a time");
    end
  end
`endif
  logic unused;
  assign unused = ^{src_ok, hold_in_r, l_count, l_room, load_i, save_i, tx_read_i, rx_fpdu_i, cmd_i, irq_free_i};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
