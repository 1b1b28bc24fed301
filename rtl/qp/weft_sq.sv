// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Room qp, send queue of the data path: from doorbells and inbound reads to descriptions of FPDUs, and from
/// acknowledgements to completions. See docs/datapath.md, "Send".
///
/// What others hold on to:
///   Lines 4 and 5 of a home (weft_abi home_sq; line 5 is zero). A load goes on beside a save or a command, of another slot. A log record, an FPDU that has not left and an inbound read hold a pin each, so a
///   connection with something unacknowledged stays home. `load_ready_o` is given when the line is in place.
///   `txack` is a pulse, always taken; its sender's pin is out for four more cycles. The same for `read_done`, `txerr`: until they are taken.
///   A command's pin is dropped here when it is done; none waits for anything but clock cycles and room for events.
///   `rx_read` brings a pin, which is dropped here: an inbound read keeps one of its own for its slot until it is acknowledged or flushed.
///   `irq_free`: each inbound read counts once as sent, when its response is described to its end (or it is flushed), and
///   once as acked, never before sent. Each word takes a pin, which rdmap drops. A taker that is busy stops nobody: what is to be told adds
///   up in a word per slot.
///   `ask` is always taken: a slot has one out at most, and there is a place for each. `ask_end` comes once for each of them, whatever became of
///   it (nothing lay in the range, all was acknowledged or flushed, a WQE that is not what it was): all its descriptions were taken at `tx_fpdu`,
///   none follows. They carry the part of [from, to) that lies in each, so departure's ask_done is said of each one and is not the end of the
///   ask. What was not described for the first time when the replay looks is not described again: who asks for more asks again. The ask's
///   pin is dropped six cycles behind `ask_end`.
///   A `txack` between the loads of conn and of this room is overwritten by line 4: who wires holds it back until `arrive`.
///   `tx_fpdu`: FPDUs of one connection come in the order of the stream, but for those with `again`. `joins` is a permission and says that
///   the FPDU before it on this port is the one before it in the stream. Each takes a pin, which departure drops.
///   `tx_src`: at least one piece an FPDU. SrcInline: the next packet of `inl`; SrcValue: the next one of `val`.
///   `tx_read` is given before the description of its Read Request, once.
///   OpSetState: state in arg[1:0], HOLD in arg[2]; with ERR a status (not 0) in arg[7:4] for the oldest WQE that is begun and not acknowledged, if it is
///   of the kind in arg[9:8] (1 Write, 2 Send, 3 Read): what the peer refused. arg[10]: a value that waits is given up, as the connection ends. RESET makes SQ_INDEX the producer index. OpValue: slot in arg[7:0], bytes in arg[13:8]
///   (0: 64), arg[15]: as they are, not in an FPDU; else a Terminate (untagged, QN 2, MSN 1). OpDrain: DRAINED with arg in data0, when no message is
///   under way, no value waits, and all that was described is acknowledged; at once in ERR, or when tcp has given up. That is for who was halted:
///   who goes on may never have such a moment. A further one before the answer takes its place. HALT: the message under way goes on to its end.
///   A value waits for the end of the message under way, and nothing new begins in front of one that waits.
///   HOLD: nothing but values is sent.
///   A LOCAL_INV waits for earlier Reads of its QP. Behind `framed` of all that was described before, its STag is closed by an operation (`op_*`, StagInv);
///   what is posted behind it is described when that has been answered. When all earlier work is acknowledged a second one (StagInvEnd)
///   ends it, and it completes when `op_done_i` has come to that. One that is refused is a WQE that failed (LOC_PROT_ERR; MW_BIND_ERR: not
///   to be invalidated). A FAST_REG (of a QP that may use STag 0) is one operation (StagReg), which waits for nothing. A LOCAL_INV that is flushed before it was acknowledged leaves the STag CLOSED.
///   A doorbell may bring its WQE (`db_push_i`), which was put into place `db_buf_i` before (`push_*`): weft_sq_push. `db_new_i`: the index is that of a new owner.
///   A WQE completes when memory is read for it no more: the descriptions of those that were asked for again are framed, and of what fails or is flushed all are.
///   Drops of pins are twelve ports: 0 the build pipe, 1 lanes, 2 and 3 touches, 4 cmpl, 5 errors, 6 inbound reads, 7 to 9 what cmpl hands on, 10 the replay, 11 what is framed.
/// Not yet: page-listed queues, BIND_MW, READ_INV (a WQE of such kind is malformed),
/// log records and inbound reads in the home.
module weft_sq #(
  parameter int unsigned DATA_W = 128,   ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 1024,    ///< power of two, up to 65,536
  parameter int unsigned N_SLOT = 256,   ///< power of two, 4 to 4,096
  parameter int unsigned N_LANE = 16,    ///< QPs at work at a time, and buffers of 1 KiB; power of two, 2 to 128, at most N_SLOT / 2
  parameter int unsigned N_LOG = 2048,   ///< log records, power of two, more than N_SLOT * (LOG_OWN + 1) + 16, up to 8,192
  parameter int unsigned LOG_OWN = 4,    ///< records that every slot can have; beyond it, a quarter of what is free
  parameter int unsigned N_RD = 256,     ///< inbound reads, power of two, 16 to 8,192
  parameter int unsigned N_VAL = 16,     ///< value slots, power of two, 2 to 256
  parameter int unsigned N_PUSH = 8,     ///< places for pushed WQEs, power of two, 4 or more
  localparam int unsigned PuW = $clog2(N_PUSH),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  output logic                    ready_o,       ///< the sweep after reset is over

  input  logic                    db_valid_i,    ///< doorbell: a pulse
  input  logic [23:0]             db_qpn_i,
  input  logic [15:0]             db_index_i,
  input  logic                    db_push_i,
  input  logic [PuW-1:0]          db_buf_i,
  input  logic                    db_new_i,
  input  logic                    push_we_i,     ///< before the doorbell that goes with it
  input  logic [PuW-1:0]          push_buf_i,
  input  logic [447:0]            push_wqe_i,
  output logic                    need_valid_o,
  input  logic                    need_ready_i,
  output weft_dp_pkg::need_t      need_o,
  input  logic                    have_valid_i,
  input  weft_dp_pkg::have_t      have_i,
  input  logic                    arrive_valid_i,
  input  weft_dp_pkg::arrive_t    arrive_i,
  output logic [11:0]             drop_valid_o,
  output logic [143:0]            drop_slot_o,
  output logic [47:0]             drop_n_o,
  input  logic                    load_valid_i,
  output logic                    load_ready_o,
  input  weft_dp_pkg::line_t      load_i,
  input  logic                    save_valid_i,
  output logic                    save_ready_o,
  input  weft_dp_pkg::save_t      save_i,
  output logic                    line_valid_o,
  input  logic                    line_ready_i,
  output weft_dp_pkg::line_t      line_o,
  input  logic                    cmd_valid_i,
  output logic                    cmd_ready_o,
  input  weft_dp_pkg::ctx_cmd_t   cmd_i,
  output logic                    ev_valid_o,
  input  logic                    ev_ready_i,
  output weft_dp_pkg::ctx_ev_t    ev_o,
  input  logic                    val_we_i,      ///< firmware writes a word of a value slot
  input  logic [7:0]              val_slot_i,
  input  logic [3:0]              val_word_i,
  input  logic [31:0]             val_data_i,

  input  logic                    txack_valid_i, ///< pulse
  input  weft_dp_pkg::txack_t     txack_i,
  input  logic                    ask_valid_i,   ///< at most one of a slot, until its ask_end; with a pin
  output logic                    ask_ready_o,   ///< 1
  input  weft_dp_pkg::ask_t       ask_i,
  output logic                    ask_end_valid_o, ///< once for each ask; its pin is dropped six cycles later
  input  logic                    ask_end_ready_i,
  output weft_dp_pkg::who_t       ask_end_o,
  output logic [3:0]              ask_end_id_o,
  output logic                    ask_end_more_o, ///< bytes behind the ask were described: if they did not leave, they are to be asked for too
  output logic                    gated_o,        ///< somebody may not begin to send for those that have not completed
  input  logic                    txerr_valid_i,
  output logic                    txerr_ready_o,
  input  weft_dp_pkg::txerr_t     txerr_i,
  input  logic                    rx_read_valid_i,
  output logic                    rx_read_ready_o,
  input  weft_dp_pkg::rx_read_t   rx_read_i,
  output logic [$clog2(N_RD):0]   rd_free_o,     ///< entries for inbound reads that nobody has
  output logic                    irq_free_valid_o, ///< to rdmap, with a pin that is dropped there
  input  logic                    irq_free_ready_i,
  output weft_dp_pkg::who_t       irq_free_o,
  output logic [3:0]              irq_free_sent_o,  ///< inbound reads whose response is described to its end
  output logic [3:0]              irq_free_acked_o, ///< those that are acknowledged, or flushed
  input  logic                    read_done_valid_i,
  output logic                    read_done_ready_o,
  input  weft_dp_pkg::read_done_t read_done_i,
  input  logic                    term_valid_i,  ///< pulse: a Terminate of the peer came in: what is acknowledged from now on does not complete
  input  logic [11:0]             term_slot_i,

  output logic                    tx_fpdu_valid_o,
  input  logic                    tx_fpdu_ready_i,
  output weft_dp_pkg::tx_fpdu_t   tx_fpdu_o,
  output logic                    tx_fpdu_more_o, ///< with it: the next one joins it, and comes
  output logic                    tx_src_valid_o,
  input  logic                    tx_src_ready_i,
  output weft_dp_pkg::tx_src_t    tx_src_o,
  output logic                    inl_valid_o,
  input  logic                    inl_ready_i,
  output logic                    val_valid_o,
  input  logic                    val_ready_i,
  output logic [DATA_W-1:0]       inl_data_o,    ///< of both streams
  output logic [CntW-1:0]         inl_cnt_o,
  output logic                    inl_last_o,
  output logic                    tx_read_valid_o,
  input  logic                    tx_read_ready_i,
  output weft_dp_pkg::tx_read_t   tx_read_o,
  input  logic                    framed_i,      ///< pulse: one more of the descriptions, in their order, is framed, under its pin, which is out for four more cycles
  input  logic [11:0]             framed_slot_i, ///< its slot,
  input  logic                    framed_again_i, ///< and whether it was one of those again
  output logic                    op_valid_o,    ///< operations on STags (weft_tpt), held until op_ready_i
  input  logic                    op_ready_i,
  output weft_dp_pkg::stag_op_t   op_o,
  input  weft_pkg::xl_err_e       op_err_i,      ///< with op_ready_i
  input  logic [15:0]             op_seq_i,
  input  logic [15:0]             op_done_i,
  output logic                    cqe_valid_o,
  input  logic                    cqe_ready_i,
  output weft_dp_pkg::cqe_t       cqe_o,

  output logic                    rd_req_valid_o, ///< WQEs
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    rd_valid_i,
  output logic                    rd_ready_o,
  input  logic [DATA_W-1:0]       rd_data_i,
  input  logic [CntW-1:0]         rd_cnt_i,
  input  logic                    rd_last_i,
  input  logic                    rd_err_i,

  output logic                    idle_o,
  output logic                    stat_fetch_o,
  output logic                    stat_bad_wqe_o,
  output logic                    stat_fpdu_o,
  output logic                    stat_block_o,
  output logic                    stat_join_o,
  output logic                    stat_flush_o,
  output logic                    stat_push_o    ///< a WQE was taken from where it was pushed to
);

  localparam int unsigned QpW = $clog2(N_QP);
  localparam int unsigned SlW = $clog2(N_SLOT);
  localparam int unsigned LnW = $clog2(N_LANE);
  localparam int unsigned LgW = $clog2(N_LOG);
  localparam int unsigned RdW = $clog2(N_RD);
  localparam int unsigned VaW = $clog2(N_VAL);

  // ---------------------------------------------------------------- loads; saves and commands: one of each at a time
  // They are of different slots: who is loaded has not arrived, so nobody commands or saves it.
  typedef enum logic [1:0] { LdIdle, LdBuild, LdCmpl, LdDone } ld_e;
  typedef enum logic [2:0] { SvIdle, SvWork, SvLine4, SvLine5, SvDone } sv_e;
  ld_e                 ld_q;
  sv_e                 sv_q;
  logic                is_save_q, worded_q, cleared_q, ld_sent_q, ld_built_q, sv_sent_q, sv_built_q, sv_csent_q, sv_cdone_q;
  logic [11:0]         sv_slot12_q;
  logic [SlW-1:0]      ld_slot_q, sv_slot_q;
  logic [23:0]         ld_qpn_q, sv_qpn_q;
  logic [1:0]          tag_q;
  logic [511:0]        home_q;
  logic                bctl_v, bctl_r, bctl_done, cctl_v, cctl_r, cctl_done, cctl_done_save, word_ok, clear_v, clear_r, dr_v, dr_r, dr_room, ld_line5;
  logic                ld_bctl, sv_bctl, ld_cctl, sv_cctl, ld_built, sv_built, sv_cdone;
  logic [SlW-1:0]      bctl_done_slot;
  weft_sq_pkg::item_t  bctl;
  weft_sq_pkg::bctx_t  bctl_b;
  weft_sq_pkg::bcfg_t  bctl_cfg;
  weft_sq_pkg::fcfg_t  fcfg_in, fcfg, fcfg_save;
  logic [63:0]         bctl_una;
  logic [15:0]         cctl_sq;
  logic                cctl_flush, all_ready;
  logic [23:0]         cctl_cqn;
  weft_abi_pkg::home_sq_t h, h_n, h_q, h_c;
  assign h         = home_q;
  assign sv_slot_q = sv_slot12_q[SlW-1:0];

  // A load's word, its numbers of inbound reads and its record in build do not rest on each other; cmpl takes its record from what build says.
  assign ld_bctl  = ld_q == LdBuild && !ld_sent_q;
  assign clear_v  = ld_q == LdBuild && !cleared_q;
  assign ld_cctl  = ld_q == LdCmpl && !ld_sent_q;
  assign ld_built = bctl_done && ld_q == LdBuild && bctl_done_slot == ld_slot_q;
  assign ld_line5 = load_i.line != 3'd4;  // nothing is in it
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ld_q       <= LdIdle;
      ld_sent_q  <= 1'b0;
      worded_q   <= 1'b0;
      cleared_q  <= 1'b0;
      ld_built_q <= 1'b0;
    end else begin
      unique case (ld_q)
        LdIdle: begin
          worded_q   <= 1'b0;
          cleared_q  <= 1'b0;
          ld_built_q <= 1'b0;
          if (all_ready && load_valid_i && !ld_line5) ld_q <= LdBuild;
        end
        LdBuild: begin
          if (word_ok) worded_q <= 1'b1;
          if (clear_r) cleared_q <= 1'b1;
          if (ld_bctl && bctl_r) ld_sent_q <= 1'b1;
          if (ld_built) ld_built_q <= 1'b1;
          if ((worded_q || word_ok) && (cleared_q || clear_r) && (ld_built_q || ld_built)) begin
            ld_sent_q <= 1'b0;
            ld_q      <= LdCmpl;
          end
        end
        LdCmpl: begin
          if (ld_cctl && cctl_r) ld_sent_q <= 1'b1;
          if (cctl_done && !cctl_done_save) begin
            ld_sent_q <= 1'b0;
            ld_q      <= LdDone;
          end
        end
        default: ld_q <= LdIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (ld_q == LdIdle) begin
      ld_slot_q <= load_i.who.slot[SlW-1:0];
      ld_qpn_q  <= load_i.who.qpn;
      home_q    <= load_i.data;
    end
  end
  assign load_ready_o = ld_q == LdDone || (ld_q == LdIdle && all_ready && ld_line5);

  // Nothing of a slot that is saved is under way, so build and cmpl may be asked in any order.
  assign sv_bctl  = sv_q == SvWork && !sv_sent_q;
  assign sv_cctl  = sv_q == SvWork && is_save_q && !sv_csent_q;
  assign sv_built = bctl_done && !ld_built;
  assign sv_cdone = cctl_done && cctl_done_save;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sv_q       <= SvIdle;
      sv_sent_q  <= 1'b0;
      sv_csent_q <= 1'b0;
      sv_built_q <= 1'b0;
      sv_cdone_q <= 1'b0;
    end else begin
      unique case (sv_q)
        SvIdle: begin
          sv_sent_q  <= 1'b0;
          sv_csent_q <= 1'b0;
          sv_built_q <= 1'b0;
          sv_cdone_q <= 1'b0;
          if (all_ready && (save_valid_i || (cmd_valid_i && dr_room))) sv_q <= SvWork;
        end
        SvWork: begin
          if (sv_bctl && bctl_r && !ld_bctl) sv_sent_q <= 1'b1;
          if (sv_cctl && cctl_r && !ld_cctl) sv_csent_q <= 1'b1;
          if (sv_built) sv_built_q <= 1'b1;
          if (sv_cdone) sv_cdone_q <= 1'b1;
          if ((sv_built_q || sv_built) && (!is_save_q || sv_cdone_q || sv_cdone)) sv_q <= is_save_q ? SvLine4 : SvDone;
        end
        SvLine4: if (line_ready_i) sv_q <= SvLine5;
        SvLine5: if (line_ready_i) sv_q <= SvDone;
        default: sv_q <= SvIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (sv_q == SvIdle) begin
      is_save_q   <= save_valid_i;
      sv_slot12_q <= save_valid_i ? save_i.who.slot : cmd_i.who.slot;
      sv_qpn_q    <= save_valid_i ? save_i.who.qpn : cmd_i.who.qpn;
      tag_q       <= save_i.tag;
    end
    if (sv_built) h_q <= h_n;
    if (sv_cdone) begin
      c_sq_q    <= cctl_sq;
      c_flush_q <= cctl_flush;
      c_cqn_q   <= cctl_cqn;
    end
  end
  logic [15:0] c_sq_q;
  logic        c_flush_q;
  logic [23:0] c_cqn_q;
  assign save_ready_o = sv_q == SvDone && is_save_q;
  assign cmd_ready_o  = sv_q == SvDone && !is_save_q;
  assign bctl_v       = ld_bctl || sv_bctl;
  assign cctl_v       = ld_cctl || sv_cctl;
  always_comb begin
    bctl      = '0;
    bctl.kind = ld_bctl ? weft_sq_pkg::ItLoad : is_save_q ? weft_sq_pkg::ItSave : weft_sq_pkg::ItCmd;
    bctl.d.len = {12'd0, cmd_i.op, cmd_i.arg};
  end
  always_comb begin
    h_n          = '0;
    h_n.crc      = bctl_cfg.crc;
    h_n.markers  = bctl_cfg.markers;
    h_n.priv     = bctl_cfg.priv;
    h_n.pd       = bctl_cfg.pd;
    h_n.first    = bctl_cfg.first;
    h_n.ord      = bctl_cfg.ord;
    h_n.port     = 8'(bctl_cfg.port);
    h_n.fn       = bctl_cfg.fn;
    h_n.state    = bctl_b.state;
    h_n.hold     = bctl_b.hold;
    h_n.stopped  = bctl_b.stopped;
    h_n.gen      = bctl_b.gen;
    h_n.sq_index = bctl_b.cur;
    h_n.mss      = bctl_b.mss;
    h_n.off      = bctl_b.off;
    h_n.una      = bctl_una;
    h_n.limit    = bctl_b.off + 64'(bctl_b.room);
    h_n.send_msn = bctl_b.send_msn;
    h_n.read_msn = bctl_b.read_msn;
    h_n.err      = bctl_b.err;
    h_n.err_any  = bctl_b.err_any;
    // Both are there only while the WQE of the first one is open, whose record keeps its connection here, or when all of it was told.
    h_n.err_index  = bctl_b.err_any ? 16'(bctl_b.any_kind) : bctl_b.err_idx;
    h_n.err_status = 8'(bctl_b.err_any ? bctl_b.any_status : bctl_b.err_status);
    h_n.sq_base    = fcfg_save.base;
    h_n.sq_log2    = fcfg_save.log2;
    h_n.sq_stride  = fcfg_save.stride;
    h_n.ird        = fcfg_save.ird;
    h_c            = h_q;
    h_c.sq_done    = c_sq_q;
    h_c.flushing   = c_flush_q;
    h_c.cqn        = c_cqn_q;
  end
  assign line_valid_o = sv_q == SvLine4 || sv_q == SvLine5;
  always_comb begin
    line_o          = '0;
    line_o.who.qpn  = sv_qpn_q;
    line_o.who.slot = sv_slot12_q;
    line_o.tag      = tag_q;
    line_o.line     = sv_q == SvLine4 ? 3'd4 : 3'd5;
    line_o.data     = sv_q == SvLine4 ? h_c : '0;
  end

  // Where the ring lies.
  assign fcfg_in = {h.sq_base, h.sq_log2, h.sq_stride, h.ird};
  logic fcfg_re;
  logic [SlW-1:0] fcfg_slot;
  weft_ram_1r1w #(.W($bits(fcfg)), .DEPTH(N_SLOT)) u_fcfg (
    .clk_i, .we_i(word_ok), .waddr_i(ld_slot_q), .wdata_i(fcfg_in), .re_i(fcfg_re), .raddr_i(fcfg_slot), .rdata_o(fcfg)
  );
  weft_ram_1r1w #(.W($bits(fcfg)), .DEPTH(N_SLOT)) u_fcfg_save (
    .clk_i, .we_i(word_ok), .waddr_i(ld_slot_q), .wdata_i(fcfg_in), .re_i(sv_q == SvWork), .raddr_i(sv_slot_q), .rdata_o(fcfg_save)
  );

  // ---------------------------------------------------------------- what tcp says
  logic               word_we;
  logic [SlW-1:0]     word_slot;
  weft_sq_pkg::word_t word;
  assign word_ok   = ld_q == LdBuild && !worded_q && !txack_valid_i;
  assign word_we   = txack_valid_i || word_ok;
  assign word_slot = txack_valid_i ? txack_i.who.slot[SlW-1:0] : ld_slot_q;
  always_comb begin
    word.una   = h.una;
    word.limit = h.limit;
    word.mss   = h.mss;
    word.edt   = '0;
    word.dead  = 1'b0;
    if (txack_valid_i) begin
      word.una   = txack_i.una;
      word.limit = txack_i.limit;
      word.mss   = txack_i.mss;
      word.edt   = txack_i.edt;
      word.dead  = txack_i.dead;
    end
  end

  // ---------------------------------------------------------------- sets of slots with news
  logic           bs_ready, cs_ready, bs_idle, cs_idle, bs_enter, cs_enter, bs_v, bs_r, cs_v, cs_r;
  logic [SlW-1:0] bs_enter_id, cs_enter_id, bs_id, cs_id;
  logic           cn_v, cn_r, bag_v, bag_r, bnu_v, bnu_r, lerr_v, lerr_r;
  logic [SlW-1:0] cn, bag, bnu, lerr;
  logic [2:0]     cag_v, cag_r;
  logic [3*SlW-1:0] cag;
  weft_sq_set #(.N(N_SLOT), .K(2)) u_bset (
    .clk_i, .rst_ni, .ready_o(bs_ready), .ins_valid_i(txack_valid_i && bs_ready), .ins_id_i(txack_i.who.slot[SlW-1:0]),
    .req_valid_i({bag_v, cn_v}), .req_ready_o({bag_r, cn_r}), .req_id_i({bag, cn}), .enter_o(bs_enter), .enter_id_o(bs_enter_id),
    .out_valid_o(bs_v), .out_ready_i(bs_r), .out_id_o(bs_id), .idle_o(bs_idle)
  );
  weft_sq_set #(.N(N_SLOT), .K(8)) u_cset (
    .clk_i, .rst_ni, .ready_o(cs_ready), .ins_valid_i(txack_valid_i && cs_ready), .ins_id_i(txack_i.who.slot[SlW-1:0]),
    .req_valid_i({tell_v, inv_over && !word_ok, cag_v, rag_v, lerr_v, bnu_v}), .req_ready_o({tell_r, inv_told, cag_r, rag_r, lerr_r, bnu_r}),
    .req_id_i({tell_slot, inv_slot, cag, hold_slot, lerr, bnu}),
    .enter_o(cs_enter), .enter_id_o(cs_enter_id), .out_valid_o(cs_v), .out_ready_i(cs_r), .out_id_o(cs_id), .idle_o(cs_idle)
  );

  // ---------------------------------------------------------------- turns
  logic           sc_ready, start_v, start_r, yield, p0_re, p1_re, set_v, set_r, wk_v, wk_r, lwk_v, lwk_r, sc_idle;
  logic [23:0]    set_qpn, wk_qpn, lwk_qpn, lat_qpn;
  logic           closed, lat_v, lat_r;
  logic [SlW:0]   own;
  logic [15:0]    set_index;
  logic [1:0]     give;
  logic [QpW-1:0] p0_qpn, p1_qpn;
  logic [31:0]    prod;
  weft_dp_pkg::who_t start;
  weft_sq_sched #(.N_QP(N_QP), .CREDITS(N_LANE), .GATE(N_SLOT < N_QP ? N_SLOT / 2 : 0)) u_sched (
    .clk_i, .rst_ni, .own_i(13'(own)), .closed_o(closed), .gated_o, .later_valid_i(lat_v), .later_ready_o(lat_r), .later_qpn_i(lat_qpn), .ready_o(sc_ready), .db_valid_i, .db_qpn_i, .db_index_i, .set_valid_i(set_v), .set_ready_o(set_r),
    .set_qpn_i(set_qpn), .set_index_i(set_index), .arrive_valid_i, .arrive_i, .wake_valid_i({lwk_v, wk_v}),
    .wake_ready_o({lwk_r, wk_r}), .wake_qpn_i({lwk_qpn, wk_qpn}), .need_valid_o, .need_ready_i, .need_o, .have_valid_i, .have_i,
    .start_valid_o(start_v), .start_ready_i(start_r), .start_o(start), .give_i(give), .yield_o(yield),
    .prod_re_i({p1_re, p0_re}), .prod_qpn_i({p1_qpn, p0_qpn}), .prod_o(prod), .idle_o(sc_idle)
  );

  logic           ln_ready, lv_re, f_v, f_r, f_no, f_yield, f_more, f_few, f_none, got_v, got_r, got_retry, got_yield, fi_v, fi_r, e_v, e_r, dn_v;
  logic           fb_v, ln_drop, ln_idle;
  logic [SlW-1:0] lv_slot, e_slot, ln_drop_slot;
  logic [LnW-1:0] f_lane, got_lane, got_buf, fi_lane, e_lane, e_buf, fb;
  weft_dp_pkg::who_t f_who;
  logic [15:0]    f_index, e_index, tok_cur;
  logic [4:0]     got_n, e_n, e_pos;
  weft_sq_pkg::bview_t view_in, lview;
  logic           view_we, tok, tok_resp, tok_blk, dn_r;
  logic [SlW-1:0] view_slot;
  logic [6:0]     tok_lane;
  logic [11:0]    tok_slot;
  weft_ram_1r1w #(.W($bits(lview)), .DEPTH(N_SLOT)) u_lview (
    .clk_i, .we_i(view_we), .waddr_i(view_slot), .wdata_i(view_in), .re_i(lv_re), .raddr_i(lv_slot), .rdata_o(lview)
  );
  assign dn_v = tok && !tok_resp;
  weft_sq_lane #(.N_SLOT(N_SLOT), .N_LANE(N_LANE)) u_lane (
    .clk_i, .rst_ni, .ready_o(ln_ready), .start_valid_i(start_v), .start_ready_o(start_r), .start_i(start),
    .view_re_o(lv_re), .view_slot_o(lv_slot), .view_i(lview), .f_valid_o(f_v), .f_ready_i(f_r), .f_lane_o(f_lane), .f_who_o(f_who),
    .f_index_o(f_index), .f_no_o(f_no), .f_yield_o(f_yield), .f_more_o(f_more), .f_few_o(f_few), .f_none_o(f_none), .got_valid_i(got_v), .got_ready_o(got_r), .got_lane_i(got_lane),
    .got_n_i(got_n), .got_retry_i(got_retry), .got_yield_i(got_yield), .got_buf_i(got_buf), .yield_i(yield),
    .filled_valid_i(fi_v), .filled_ready_o(fi_r), .filled_lane_i(fi_lane), .e_valid_o(e_v), .e_ready_i(e_r), .e_lane_o(e_lane),
    .e_slot_o(e_slot), .e_buf_o(e_buf), .e_n_o(e_n), .e_pos_o(e_pos), .e_index_o(e_index),
    .done_valid_i(dn_v), .done_ready_o(dn_r), .done_lane_i(tok_lane[LnW-1:0]), .done_cur_i(tok_cur), .done_blk_i(tok_blk),
    .free_valid_o(fb_v), .free_buf_o(fb), .give_o(give), .drop_o(ln_drop), .drop_slot_o(ln_drop_slot),
    .closed_i(closed), .later_valid_o(lat_v), .later_ready_i(lat_r), .later_qpn_o(lat_qpn),
    .wake_valid_o(lwk_v), .wake_ready_i(lwk_r), .wake_qpn_o(lwk_qpn), .err_valid_o(lerr_v), .err_ready_i(lerr_r), .err_slot_o(lerr),
    .idle_o(ln_idle)
  );

  logic           trk_v, trk_r, fetch_idle;
  logic [LnW-1:0] trk_lane, trk_buf;
  logic [15:0]    trk_index;
  logic [4:0]     trk_n;
  logic [1:0]     trk_stride;
  logic           fq_v, fq_r, rq_v, rq_r, s_v, s_r, take_rep;
  weft_pkg::dma_rd_req_t fq, rq;
  weft_sq_fetch #(.N_QP(N_QP), .N_SLOT(N_SLOT), .N_LANE(N_LANE)) u_fetch (
    .clk_i, .rst_ni, .f_valid_i(f_v), .f_ready_o(f_r), .f_lane_i(f_lane), .f_who_i(f_who), .f_index_i(f_index), .f_no_i(f_no),
    .f_yield_i(f_yield), .f_more_i(f_more), .f_few_i(f_few), .f_none_i(f_none), .got_valid_o(got_v), .got_ready_i(got_r), .got_lane_o(got_lane), .got_n_o(got_n),
    .got_retry_o(got_retry), .got_yield_o(got_yield), .got_buf_o(got_buf), .prod_re_o(p0_re), .prod_qpn_o(p0_qpn), .prod_i(prod[15:0]),
    .cfg_re_o(fcfg_re), .cfg_slot_o(fcfg_slot), .cfg_i(fcfg), .free_valid_i(fb_v), .free_buf_i(fb),
    .pu_look_o(pu_look), .pu_qpn_o(pu_qpn), .pu_index_o(pu_index), .pu_hit_i(pu_hit), .pu_drop_o(pu_drop), .pu_take_o(pu_take), .pu_lane_o(pu_lane),
    .pu_buf_o(pu_buf), .pu_told_o(pu_told), .rd_req_valid_o(fq_v), .rd_req_ready_i(fq_r), .rd_req_o(fq), .trk_valid_o(trk_v), .trk_ready_i(trk_r), .trk_lane_o(trk_lane),
    .trk_buf_o(trk_buf), .trk_index_o(trk_index), .trk_n_o(trk_n), .trk_stride_o(trk_stride), .idle_o(fetch_idle), .stat_fetch_o
  );

  logic              pu_look, pu_hit, pu_drop, pu_take, pu_told, ps_v, ps_r, ps_last, push_idle;
  logic [QpW-1:0]    pu_qpn;
  logic [15:0]       pu_index, ps_index;
  logic [LnW-1:0]    pu_lane, pu_buf, ps_lane, ps_buf;
  logic [DATA_W-1:0] ps_data;
  weft_sq_push #(.DATA_W(DATA_W), .N_QP(N_QP), .N_LANE(N_LANE), .N_PUSH(N_PUSH)) u_push (
    .clk_i, .rst_ni, .we_i(push_we_i), .buf_i(push_buf_i), .wqe_i(push_wqe_i), .db_valid_i, .db_qpn_i(db_qpn_i[QpW-1:0]), .db_index_i, .db_push_i, .db_buf_i,
    .db_new_i, .set_i(set_v && set_r), .set_qpn_i(set_qpn[QpW-1:0]), .look_i(pu_look), .look_qpn_i(pu_qpn), .look_index_i(pu_index), .hit_o(pu_hit),
    .drop_i(pu_drop), .take_i(pu_take), .take_lane_i(pu_lane), .take_buf_i(pu_buf), .told_i(pu_told), .valid_o(ps_v), .ready_i(ps_r), .data_o(ps_data),
    .last_o(ps_last), .lane_o(ps_lane), .buf_o(ps_buf), .index_o(ps_index), .idle_o(push_idle), .stat_taken_o(stat_push_o)
  );

  // Reads of the replay go between; whose answer is next is known by order.
  logic       who_v, who_rep, who_in_r, s_last, held_q, held_rep_q;
  logic [7:0] who_n;
  assign take_rep       = held_q ? held_rep_q : rq_v;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= 1'b0;
    else held_q <= rd_req_valid_o && !rd_req_ready_i;
  end
  always_ff @(posedge clk_i) held_rep_q <= take_rep;
  assign rd_req_valid_o = (fq_v || rq_v) && who_in_r;
  assign rd_req_o       = take_rep ? rq : fq;
  assign fq_r           = rd_req_ready_i && who_in_r && !take_rep;
  assign rq_r           = rd_req_ready_i && who_in_r && take_rep;
  weft_fifo #(.W(1), .DEPTH(128)) u_who (
    .clk_i, .rst_ni, .in_valid_i(rd_req_valid_o && rd_req_ready_i), .in_ready_o(who_in_r), .in_data_i(take_rep),
    .out_valid_o(who_v), .out_ready_i(s_last), .out_data_o(who_rep), .count_o(who_n)
  );
  assign s_v        = rd_valid_i && who_v && !who_rep;
  assign rd_ready_o = who_v && (who_rep ? rs_r : s_r);
  assign s_last     = rd_valid_i && rd_ready_o && rd_last_i;

  logic [3:0]     line_we;
  logic [LnW+3:0] line_wa, dig_wa, dig_ra, line_ra;
  logic [511:0]   line_wd, line_rd, line_emit;
  logic           dig_we, dig_re, bad_we, bad, bad_rd, line_re, line_rep, in_idle;
  weft_sq_pkg::digest_t dig_wd, dig_rd;
  logic [LnW-1:0] bad_buf, bad_ra;
  logic [1:0]     bad_stride, stride_rd;
  // A pushed WQE goes between two reads, as one of a line; those under way are of other lanes.
  logic in_r, in_trk_r, ps_sel, ps_mid_q, rd_mid_q;
  assign ps_sel = ps_mid_q || (ps_v && !rd_mid_q);
  assign ps_r   = in_r && ps_sel;
  assign s_r    = in_r && !ps_sel;
  assign trk_r  = in_trk_r && !ps_sel;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ps_mid_q <= 1'b0;
      rd_mid_q <= 1'b0;
    end else begin
      if (ps_v && ps_r) ps_mid_q <= !ps_last;
      if (s_v && s_r) rd_mid_q <= !rd_last_i;
    end
  end
  weft_sq_intake #(.DATA_W(DATA_W), .N_LANE(N_LANE)) u_intake (
    .clk_i, .rst_ni, .trk_valid_i(ps_sel || trk_v), .trk_ready_o(in_trk_r), .trk_lane_i(ps_sel ? ps_lane : trk_lane), .trk_buf_i(ps_sel ? ps_buf : trk_buf),
    .trk_index_i(ps_sel ? ps_index : trk_index), .trk_n_i(ps_sel ? 5'd1 : trk_n), .trk_stride_i(ps_sel ? 2'd0 : trk_stride), .rd_valid_i(ps_sel ? ps_v : s_v),
    .rd_ready_o(in_r), .rd_data_i(ps_sel ? ps_data : rd_data_i), .rd_cnt_i(ps_sel ? CntW'(DATA_W / 8) : rd_cnt_i), .rd_last_i(ps_sel ? ps_last : rd_last_i),
    .rd_err_i(!ps_sel && rd_err_i),
    .line_we_o(line_we), .line_addr_o(line_wa), .line_o(line_wd), .dig_we_o(dig_we), .dig_addr_o(dig_wa), .dig_o(dig_wd),
    .filled_valid_o(fi_v), .filled_ready_i(fi_r), .filled_lane_o(fi_lane), .bad_we_o(bad_we), .bad_buf_o(bad_buf), .bad_o(bad),
    .stride_o(bad_stride), .idle_o(in_idle), .stat_bad_o(stat_bad_wqe_o)
  );
  for (genvar c = 0; c < 4; c++) begin : gen_line
    weft_ram_1r1w #(.W(128), .DEPTH(16 * N_LANE)) u_line (
      .clk_i, .we_i(line_we[c]), .waddr_i(line_wa), .wdata_i(line_wd[128*c+:128]),
      .re_i(line_re && !line_rep), .raddr_i(line_ra), .rdata_o(line_rd[128*c+:128])
    );
  end
  weft_ram_1r1w #(.W($bits(dig_wd)), .DEPTH(16 * N_LANE)) u_dig (
    .clk_i, .we_i(dig_we), .waddr_i(dig_wa), .wdata_i(dig_wd), .re_i(dig_re), .raddr_i(dig_ra), .rdata_o(dig_rd)
  );
  logic [2:0] bad_mem [N_LANE];
  always_ff @(posedge clk_i) if (bad_we) bad_mem[bad_buf] <= {bad, bad_stride};
  assign {bad_rd, stride_rd} = bad_mem[bad_ra];

  // ---------------------------------------------------------------- items
  logic               go, fd_v, fd_r, fd_lock, fd_idle, rs_v, rs_rdy, rs_lock, it_v, it_r, pick_resp, last_resp_q;
  logic [SlW-1:0]     fd_slot, rs_slot;
  weft_sq_pkg::item_t fd, rs;
  logic               fd_begun_q, rs_begun_q;
  weft_sq_feed #(.N_SLOT(N_SLOT), .N_LANE(N_LANE)) u_feed (
    .clk_i, .rst_ni, .e_valid_i(e_v), .e_ready_o(e_r), .e_lane_i(e_lane), .e_slot_i(e_slot), .e_buf_i(e_buf), .e_n_i(e_n), .e_pos_i(e_pos),
    .e_index_i(e_index), .go_i(go), .dig_re_o(dig_re), .dig_addr_o(dig_ra), .dig_i(dig_rd), .dig_stride_i(stride_rd), .bad_i(bad_rd),
    .bad_buf_o(bad_ra), .in_valid_o(fd_v), .in_ready_i(fd_r), .in_slot_o(fd_slot), .in_o(fd), .lock_o(fd_lock), .idle_o(fd_idle)
  );
  // A batch that has begun is not interrupted by another one; else they take turns.
  assign pick_resp = rs_begun_q || (!fd_begun_q && rs_v && (!fd_v || !last_resp_q));
  assign it_v      = pick_resp ? rs_v : fd_v;
  assign rs_rdy    = it_r && pick_resp;
  assign fd_r      = it_r && !pick_resp;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fd_begun_q  <= 1'b0;
      rs_begun_q  <= 1'b0;
      last_resp_q <= 1'b0;
    end else begin
      if (fd_v && fd_r) fd_begun_q <= !fd.eob;
      if (rs_v && rs_rdy) rs_begun_q <= !rs.eob;
      if (it_v && it_r) last_resp_q <= pick_resp;
    end
  end

  logic                rec_we, fin_we, fr_v, fr_common, ord_v, ord_r, rwake, bev_v, bev_r, b_idle, cv_we, b_drop, err_v, err_r;
  logic [LgW-1:0]      rec_wa, fin_wa, fr;
  weft_sq_pkg::rec_t   rec;
  weft_sq_pkg::fin_t   fin;
  weft_sq_pkg::order_t ord, rep;
  logic [SlW-1:0]      rwake_slot, cv_slot, b_drop_slot;
  weft_sq_pkg::cview_t cv;
  logic [3:0]          b_drop_n;
  logic                ord_put, ord_fpdu;
  weft_dp_pkg::ctx_ev_t bev;
  logic [23:0]         dr_qpn;
  logic [15:0]         dr_arg;
  weft_dp_pkg::txerr_t err;
  weft_sq_build #(.N_SLOT(N_SLOT), .N_LOG(N_LOG), .LOG_OWN(LOG_OWN)) u_build (
    .clk_i, .rst_ni, .feed_valid_i(it_v), .feed_ready_o(it_r), .feed_slot_i(pick_resp ? rs_slot : fd_slot), .feed_i(pick_resp ? rs : fd),
    .go_o(go), .ctl_valid_i(bctl_v), .ctl_ready_o(bctl_r), .ctl_slot_i(ld_bctl ? ld_slot_q : sv_slot_q), .ctl_i(bctl), .load_qpn_i(ld_qpn_q), .load_i(home_q),
    .ctl_done_o(bctl_done), .ctl_done_slot_o(bctl_done_slot), .ctl_b_o(bctl_b), .ctl_cfg_o(bctl_cfg), .ctl_una_o(bctl_una),
    .look_re_i(look_re), .look_slot_i(hold_slot), .look_o(look_cfg), .err_valid_i(err_v), .err_ready_o(err_r), .err_i(err),
    .inv_valid_i(ires_v), .inv_ready_o(ires_r), .inv_slot_i(ires_slot), .inv_wqe_i(ires_wqe), .inv_status_i(ires_status), .touch_valid_i(bs_v), .touch_ready_o(bs_r), .touch_slot_i(bs_id),
    .word_we_i(word_we), .word_slot_i(word_slot), .word_i(word), .cv_we_i(cv_we), .cv_slot_i(cv_slot), .cv_i(cv),
    .view_we_o(view_we), .view_slot_o(view_slot), .view_o(view_in), .rec_we_o(rec_we), .rec_addr_o(rec_wa), .rec_o(rec),
    .fin_we_o(fin_we), .fin_addr_o(fin_wa), .fin_o(fin), .free_valid_i(fr_v), .free_i(fr), .free_common_i(fr_common),
    .ord_valid_o(ord_v), .ord_ready_i(ord_r), .ord_o(ord), .wake_valid_o(wk_v), .wake_ready_i(wk_r), .wake_qpn_o(wk_qpn),
    .rwake_o(rwake), .rwake_slot_o(rwake_slot), .nudge_valid_o(bnu_v), .nudge_ready_i(bnu_r), .nudge_slot_o(bnu),
    .again_valid_o(bag_v), .again_ready_i(bag_r), .again_slot_o(bag), .set_valid_o(set_v), .set_ready_i(set_r), .set_qpn_o(set_qpn),
    .set_index_o(set_index), .ev_valid_o(bev_v), .ev_ready_i(bev_r), .ev_o(bev),
    .drained_valid_o(dr_v), .drained_ready_i(dr_r), .drained_qpn_o(dr_qpn), .drained_arg_o(dr_arg), .drained_room_o(dr_room), .drop_o(b_drop), .drop_slot_o(b_drop_slot),
    .drop_n_o(b_drop_n), .own_o(own), .idle_o(b_idle), .stat_fpdu_o, .stat_block_o, .stat_join_o, .put_o(ord_put), .fpdu_o(ord_fpdu)
  );

  // Errors hold a pin of their own.
  logic [3:0] err_n;
  logic       err_in_r;
  assign txerr_ready_o = err_in_r;
  assign rerr_r        = err_in_r && !txerr_valid_i;
  weft_fifo #(.W($bits(err)), .DEPTH(8)) u_err (
    .clk_i, .rst_ni, .in_valid_i(txerr_valid_i || rerr_v), .in_ready_o(err_in_r), .in_data_i(txerr_valid_i ? txerr_i : rerr),
    .out_valid_o(err_v), .out_ready_i(err_r), .out_data_o(err), .count_o(err_n)
  );

  // ---------------------------------------------------------------- completions
  logic           c_ready, resp_done, resp_purge, resp_whole, resp_room, c_drop, c_idle;
  logic [SlW-1:0] resp_slot, c_drop_slot;
  logic [3:0]     c_drop_n;
  logic           hold_v, head_re;
  logic [SlW-1:0] hold_slot, head_slot;
  logic [12:0]    head;
  logic [15:0]    head_done;
  weft_sq_cmpl #(.N_QP(N_QP), .N_SLOT(N_SLOT), .N_LOG(N_LOG)) u_cmpl (
    .clk_i, .rst_ni, .ready_o(c_ready), .set_valid_i(cs_v), .set_ready_o(cs_r), .set_slot_i(cs_id), .ctl_valid_i(cctl_v), .ctl_ready_o(cctl_r),
    .ctl_save_i(!ld_cctl), .ctl_slot_i(ld_cctl ? ld_slot_q : sv_slot_q), .load_qpn_i(ld_qpn_q), .load_i(home_q), .ctl_done_o(cctl_done), .ctl_done_save_o(cctl_done_save), .ctl_sq_o(cctl_sq),
    .ctl_flush_o(cctl_flush), .ctl_cqn_o(cctl_cqn), .word_we_i(word_we), .word_slot_i(word_slot), .word_i(word), .view_we_i(view_we),
    .view_slot_i(view_slot), .view_i(view_in), .cv_we_o(cv_we), .cv_slot_o(cv_slot), .cv_o(cv), .rec_we_i(rec_we), .rec_addr_i(rec_wa),
    .rec_i(rec), .fin_we_i(fin_we), .fin_addr_i(fin_wa), .fin_i(fin), .free_valid_o(fr_v), .free_o(fr), .free_common_o(fr_common),
    .hold_valid_i(hold_v), .hold_slot_i(hold_slot), .late_re_o(late_re), .late_slot_o(late_slot), .late_new_i(late_new), .late_again_i(late_again), .head_re_i(head_re), .head_slot_i(head_slot), .head_o(head), .head_done_o(head_done),
    .rd_valid_i(read_done_valid_i), .rd_ready_o(read_done_ready_o), .rd_i(read_done_i),
    .term_valid_i, .term_slot_i(term_slot_i[SlW-1:0]), .rd_clear_i(word_ok), .rd_clear_slot_i(ld_slot_q), .inv_valid_o(iend_v), .inv_o(iend), .inv_done_i(inv_told), .inv_done_slot_i(inv_slot),
    .inv_done_mark_i(inv_mark), .prod_re_o(p1_re), .prod_qpn_o(p1_qpn), .prod_i(prod[31:16]),
    .cqe_valid_o, .cqe_ready_i, .cqe_o, .resp_done_o(resp_done), .resp_purge_o(resp_purge), .resp_whole_o(resp_whole), .resp_slot_o(resp_slot), .resp_room_i(resp_room),
    .nudge_valid_o(cn_v), .nudge_ready_i(cn_r), .nudge_slot_o(cn), .again_valid_o(cag_v), .again_ready_i(cag_r), .again_slot_o(cag),
    .drop_o(c_drop), .drop_slot_o(c_drop_slot), .drop_n_o(c_drop_n), .wait_o(w_pin), .wait_slot_o(w_slot), .idle_o(c_idle), .stat_flush_o
  );

  // ---------------------------------------------------------------- what is not framed
  // Who is told waits in a set, with a pin.
  logic           late_re, late_new, late_again, late_ready, tell, tell_ready, tell_v, tell_r, tell_idle, tell_enter, tell_merge;
  logic [SlW-1:0] late_slot, tell_id, tell_id_q, tell_slot;
  logic [SlW:0]   tell_n;
  weft_sq_framed #(.N_SLOT(N_SLOT)) u_framed (
    .clk_i, .rst_ni, .ready_o(late_ready), .new_i(ord_fpdu), .new_slot_i(view_slot), .again_i(rep_v && rep_r), .again_slot_i(hold_slot),
    .framed_i, .framed_again_i, .framed_slot_i(framed_slot_i[SlW-1:0]), .flush_we_i(view_we), .flush_slot_i(view_slot),
    .flush_i(view_in.state == weft_abi_pkg::QP_STATE_ERR), .re_i(late_re), .slot_i(late_slot), .new_o(late_new), .again_o(late_again),
    .tell_o(tell), .tell_slot_o(tell_id)
  );
  weft_ready_fifo #(.N(N_SLOT)) u_tell (
    .clk_i, .rst_ni, .ready_o(tell_ready), .ins_valid_i(tell), .ins_id_i(tell_id), .out_valid_o(tell_v), .out_ready_i(tell_r),
    .out_id_o(tell_slot), .count_o(tell_n), .idle_o(tell_idle), .stat_enter_o(tell_enter), .stat_merge_o(tell_merge)
  );
  always_ff @(posedge clk_i) tell_id_q <= tell_id;

  // ---------------------------------------------------------------- operations on STags
  logic                  ibeg_v, ibeg_r, ires_v, ires_r, iend_v, inv_over, inv_told, inv_mark, inv_idle;
  logic [SlW-1:0]        ires_slot, inv_slot;
  logic [15:0]           ires_wqe;
  logic [3:0]            ires_status;
  weft_sq_pkg::inv_t     ibeg;
  weft_sq_pkg::inv_end_t iend;
  weft_sq_inv #(.N_SLOT(N_SLOT)) u_inv (
    .clk_i, .rst_ni, .inv_valid_i(ibeg_v), .inv_ready_o(ibeg_r), .inv_i(ibeg), .framed_i, .res_valid_o(ires_v), .res_ready_i(ires_r),
    .res_slot_o(ires_slot), .res_wqe_o(ires_wqe), .res_status_o(ires_status), .end_valid_i(iend_v), .end_i(iend), .done_o(inv_over),
    .done_slot_o(inv_slot), .done_mark_o(inv_mark), .done_ready_i(inv_told), .op_valid_o, .op_ready_i, .op_o, .op_err_i, .op_seq_i,
    .op_done_i, .idle_o(inv_idle)
  );

  // ---------------------------------------------------------------- inbound reads
  logic           r_ready, r_drop, r_idle, rd_re, rd_re_emit;
  logic [SlW-1:0] r_drop_slot;
  logic [3:0]     r_drop_n;
  logic [RdW-1:0] rd_ra;
  logic [223:0]   rd_ent;
  assign rd_re = rd_re_emit;
  weft_sq_resp #(.N_SLOT(N_SLOT), .N_RD(N_RD)) u_resp (
    .clk_i, .rst_ni, .ready_o(r_ready), .rx_valid_i(rx_read_valid_i), .rx_ready_o(rx_read_ready_o), .rx_i(rx_read_i), .free_o(rd_free_o),
    .clear_valid_i(clear_v), .clear_ready_o(clear_r), .clear_slot_i(ld_slot_q), .clear_qpn_i(ld_qpn_q), .done_i(resp_done), .purge_i(resp_purge), .whole_i(resp_whole),
    .done_slot_i(resp_slot), .room_o(resp_room), .tok_i(tok && tok_resp), .tok_slot_i(tok_slot[SlW-1:0]), .tok_cur_i(tok_cur), .tok_blk_i(tok_blk),
    .wake_i(rwake), .wake_slot_i(rwake_slot), .go_i(go), .in_valid_o(rs_v), .in_ready_i(rs_rdy), .in_slot_o(rs_slot), .in_o(rs), .lock_o(rs_lock),
    .irq_valid_o(irq_free_valid_o), .irq_ready_i(irq_free_ready_i), .irq_o(irq_free_o), .irq_sent_o(irq_free_sent_o), .irq_acked_o(irq_free_acked_o),
    .rd_re_i(rd_re), .rd_addr_i(rd_ra), .rd_o(rd_ent),
    .drop_o(r_drop), .drop_slot_o(r_drop_slot), .drop_n_o(r_drop_n), .idle_o(r_idle)
  );

  // ---------------------------------------------------------------- replay
  logic                rep_v, rep_r, rs_r, look_re, rag_v, rag_r, rerr_v, rerr_r, rep_drop, rep_idle;
  logic [511:0]        rep_line;
  logic [3:0]          rep_drop_n;
  logic                emit_rep;
  weft_sq_pkg::bview_t look_view;
  weft_sq_pkg::bcfg_t  look_cfg;
  weft_sq_pkg::fcfg_t  look_ring;
  weft_dp_pkg::txerr_t rerr;
  assign head_re   = look_re;
  assign head_slot = hold_slot;
  weft_ram_1r1w #(.W($bits(look_view)), .DEPTH(N_SLOT)) u_look_view (
    .clk_i, .we_i(view_we), .waddr_i(view_slot), .wdata_i(view_in), .re_i(look_re), .raddr_i(hold_slot), .rdata_o(look_view)
  );
  weft_ram_1r1w #(.W($bits(look_ring)), .DEPTH(N_SLOT)) u_look_ring (
    .clk_i, .we_i(word_ok), .waddr_i(ld_slot_q), .wdata_i(fcfg_in), .re_i(look_re), .raddr_i(hold_slot), .rdata_o(look_ring)
  );
  // An ask waits here; there is a place for each slot.
  localparam int unsigned AskW = 169;
  logic                wait_v, wait_r, ask_in_r;
  logic [SlW:0]        wait_n;
  weft_dp_pkg::ask_t   wait_ask, end_ask;
  assign ask_ready_o  = 1'b1;
  assign ask_end_o    = end_ask.who;
  assign ask_end_id_o = end_ask.id;
  weft_fifo #(.W(AskW), .DEPTH(N_SLOT)) u_asks (
    .clk_i, .rst_ni, .in_valid_i(ask_valid_i), .in_ready_o(ask_in_r), .in_data_i(ask_i),
    .out_valid_o(wait_v), .out_ready_i(wait_r), .out_data_o(wait_ask), .count_o(wait_n)
  );
  // What build had decided when the replay looked is in the queue of orders, or through it.
  logic [63:0] look_off;
  logic [6:0]  put_q, got_q, seen_q;
  logic        told, emit_out, emit_rest;
  weft_ram_1r1w #(.W(64), .DEPTH(N_SLOT)) u_look_off (
    .clk_i, .we_i(view_we), .waddr_i(view_slot), .wdata_i(bctl_b.off), .re_i(look_re), .raddr_i(hold_slot), .rdata_o(look_off)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q <= '0;
      got_q <= '0;
    end else begin
      put_q <= put_q + 7'(ord_put);
      got_q <= got_q + 7'(ord_v && ord_r);
    end
  end
  always_ff @(posedge clk_i) if (look_re) seen_q <= put_q + 7'(ord_put);
  logic [6:0] to_go;
  assign to_go = seen_q - got_q;
  assign told  = (to_go == '0 || to_go[6]) && emit_rest;
  weft_sq_replay #(.DATA_W(DATA_W), .N_SLOT(N_SLOT), .N_LOG(N_LOG)) u_replay (
    .clk_i, .rst_ni, .ask_valid_i(wait_v), .ask_ready_o(wait_r), .ask_i(wait_ask), .off_i(look_off), .told_i(told), .out_busy_i(emit_out),
    .end_valid_o(ask_end_valid_o), .end_ready_i(ask_end_ready_i), .end_o(end_ask), .end_more_o(ask_end_more_o), .hold_valid_o(hold_v), .hold_slot_o(hold_slot), .look_re_o(look_re), .head_i(head),
    .head_done_i(head_done), .view_i(look_view), .cfg_i(look_cfg), .ring_i(look_ring), .rec_we_i(rec_we), .rec_addr_i(rec_wa), .rec_i(rec),
    .fin_we_i(fin_we), .fin_addr_i(fin_wa), .fin_i(fin), .rd_req_valid_o(rq_v), .rd_req_ready_i(rq_r), .rd_req_o(rq),
    .rd_valid_i(rd_valid_i && who_v && who_rep), .rd_ready_o(rs_r), .rd_data_i, .rd_cnt_i, .rd_last_i, .rd_err_i,
    .line_re_i(line_re && line_rep), .line_addr_i(line_ra[3:0]), .line_o(rep_line), .ord_valid_o(rep_v), .ord_ready_i(rep_r), .ord_o(rep),
    .emit_busy_i(emit_rep), .err_valid_o(rerr_v), .err_ready_i(rerr_r), .err_o(rerr), .again_valid_o(rag_v), .again_ready_i(rag_r),
    .drop_o(rep_drop), .drop_n_o(rep_drop_n), .idle_o(rep_idle)
  );

  // ---------------------------------------------------------------- out
  logic         val_re, emit_idle;
  logic [7:0]   val_slot;
  logic [511:0] val_rd;
  assign line_emit = line_rep_q ? rep_line : line_rd;
  logic line_rep_q;
  always_ff @(posedge clk_i) if (line_re) line_rep_q <= line_rep;
  for (genvar w = 0; w < 16; w++) begin : gen_val
    weft_ram_1r1w #(.W(32), .DEPTH(N_VAL)) u_val (
      .clk_i, .we_i(val_we_i && val_word_i == 4'(w)), .waddr_i(val_slot_i[VaW-1:0]), .wdata_i(val_data_i),
      .re_i(val_re), .raddr_i(val_slot[VaW-1:0]), .rdata_o(val_rd[32*w+:32])
    );
  end
  weft_sq_emit #(.DATA_W(DATA_W), .N_LANE(N_LANE), .N_RD(N_RD)) u_emit (
    .clk_i, .rst_ni, .ord_valid_i(ord_v), .ord_ready_o(ord_r), .ord_i(ord), .rep_valid_i(rep_v), .rep_ready_o(rep_r), .rep_i(rep),
    .line_re_o(line_re), .line_rep_o(line_rep), .line_addr_o(line_ra), .line_i(line_emit), .val_re_o(val_re), .val_slot_o(val_slot),
    .val_i(val_rd), .rd_re_o(rd_re_emit), .rd_addr_o(rd_ra), .rd_i(rd_ent), .tok_o(tok), .tok_resp_o(tok_resp), .tok_lane_o(tok_lane),
    .tok_cur_o(tok_cur), .tok_blk_o(tok_blk), .tok_slot_o(tok_slot), .inv_valid_o(ibeg_v), .inv_ready_i(ibeg_r), .inv_o(ibeg), .read_valid_o(tx_read_valid_o), .read_ready_i(tx_read_ready_i),
    .read_o(tx_read_o), .fpdu_valid_o(tx_fpdu_valid_o), .fpdu_ready_i(tx_fpdu_ready_i), .fpdu_o(tx_fpdu_o), .fpdu_more_o(tx_fpdu_more_o),
    .src_valid_o(tx_src_valid_o), .src_ready_i(tx_src_ready_i), .src_o(tx_src_o), .inl_valid_o, .inl_ready_i, .val_valid_o, .val_ready_i,
    .inl_data_o, .inl_cnt_o, .inl_last_o, .rep_busy_o(emit_rep), .rep_out_o(emit_out), .rest_o(emit_rest), .idle_o(emit_idle)
  );

  // ---------------------------------------------------------------- events, pins
  // Who is offered stays until it is taken.
  logic drained, hold_q;
  assign drained    = dr_v && (!bev_v || hold_q);
  assign ev_valid_o = bev_v || drained;
  assign bev_r      = ev_ready_i && !drained;
  assign dr_r       = ev_ready_i && drained;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= 1'b0;
    else hold_q <= drained && !ev_ready_i;
  end
  always_comb begin
    ev_o = bev;
    if (drained) begin
      ev_o       = '0;
      ev_o.qpn   = dr_qpn;
      ev_o.kind  = weft_abi_pkg::FW_EV_DRAINED;
      ev_o.code  = 16'(weft_abi_pkg::ROOM_QP_TX);
      ev_o.data0 = 32'(dr_arg);
    end
  end
  // What was handed to a set: its own pin is there two cycles later, then the other one goes.
  logic [1:0]          cn_done_q, ag_done_q;
  logic [1:0][SlW-1:0] cn_slot_q, ag_slot_q;
  logic                w_pin;
  logic [SlW-1:0]      w_slot;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cn_done_q <= '0;
      ag_done_q <= '0;
    end else begin
      cn_done_q <= {cn_done_q[0], cn_v && cn_r};
      ag_done_q <= {ag_done_q[0], (cag_v[0] && cag_r[0]) || (cag_v[2] && cag_r[2]) || (bnu_v && bnu_r) || (tell_v && tell_r)};
    end
  end
  always_ff @(posedge clk_i) begin
    cn_slot_q <= {cn_slot_q[0], cn};
    ag_slot_q <= {ag_slot_q[0], cag_v[0] && cag_r[0] ? cag[0+:SlW] : cag_v[2] && cag_r[2] ? cag[2*SlW+:SlW] : tell_v && tell_r ? tell_slot : bnu};
  end
  assign drop_valid_o = {tell_enter, rep_drop, w_pin, ag_done_q[1], cn_done_q[1], r_drop, (txerr_valid_i || rerr_v) && err_in_r, c_drop, cs_enter, bs_enter, ln_drop, b_drop};
  assign drop_slot_o  = {12'(tell_id_q), 12'(hold_slot), 12'(w_slot), 12'(ag_slot_q[1]), 12'(cn_slot_q[1]), 12'(r_drop_slot), txerr_valid_i ? txerr_i.who.slot : rerr.who.slot, 12'(c_drop_slot), 12'(cs_enter_id), 12'(bs_enter_id), 12'(ln_drop_slot), 12'(b_drop_slot)};
  assign drop_n_o     = {4'hf, rep_drop_n, 4'hf, 4'd1, 4'd1, r_drop_n, 4'hf, c_drop_n, 4'hf, 4'hf, 4'd1, b_drop_n};

  assign all_ready = late_ready && tell_ready && sc_ready && ln_ready && bs_ready && cs_ready && c_ready && r_ready;
  assign ready_o   = all_ready;
  assign idle_o    = all_ready && sc_idle && ln_idle && fetch_idle && push_idle && in_idle && fd_idle && b_idle && c_idle && r_idle && emit_idle && inv_idle && bs_idle
                     && cs_idle && ld_q == LdIdle && sv_q == SvIdle && !load_valid_i && !save_valid_i && !cmd_valid_i && !txerr_valid_i && err_n == '0
                     && rep_idle && tell_idle && !tell && !txack_valid_i && !ask_valid_i && !wait_v;

`ifndef SYNTHESIS
  initial begin
    if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) $fatal(1, "weft_sq: DATA_W");
    if (N_LANE > N_SLOT / 2) $fatal(1, "weft_sq: N_LANE");
    if (N_SLOT < 4 || N_SLOT > 4096 || (N_SLOT & (N_SLOT - 1)) != 0) $fatal(1, "weft_sq: N_SLOT");
    if (N_VAL < 2 || N_VAL > 256 || (N_VAL & (N_VAL - 1)) != 0) $fatal(1, "weft_sq: N_VAL");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(tok && !tok_resp && !dn_r)) else $error("%m: a token is lost");
      if (bctl_done) assert (ld_built || (sv_q == SvWork && bctl_done_slot == sv_slot_q)) else $error("%m: build did what nobody asked for");
      if (cctl_done) assert (cctl_done_save ? sv_q == SvWork : ld_q == LdCmpl) else $error("%m: cmpl did what nobody asked for");
      assert (!(ld_q != LdIdle && sv_q != SvIdle && ld_slot_q == sv_slot_q)) else $error("%m: slot %0d is loaded while it is saved or commanded", ld_slot_q);
      assert (!(ask_valid_i && !ask_in_r)) else $error("%m: an ask is lost");
    end
  end
`endif
  logic unused;
  assign unused = ^{framed_slot_i, tell_n, tell_merge, term_slot_i, h, load_i, save_i, cmd_i, txack_i, tok_lane, tok_slot, val_slot, val_slot_i, fd_lock, rs_lock, rep_r, rq_r, who_n, dn_r,
                    bctl_b, bctl_done_slot, wait_n, ask_in_r, end_ask, head, head_done, clear_r, bctl_cfg};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
