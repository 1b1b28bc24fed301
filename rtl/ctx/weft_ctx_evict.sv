// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Gives slots back: a clock hand over the slots looks for one that has no pin and was not used since
/// the hand came by, marks its connection going, and, when still nobody holds a pin, asks the rooms
/// for its lines and writes them to its home. Firmware's `save` goes the same way for a connection
/// it names. Four write-backs are under way at once.
///
/// "Was used" is read off the count of pins that were ever taken: it differs from what the hand saw.
module weft_ctx_evict #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_QP = 1024,
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_ROOM = 4,
  parameter int unsigned FREE_LOW = 8,   ///< slots that are kept free, ahead of need
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    ready_i,        ///< the sweep of the slots is over
  input  logic [SlW:0]            free_i,         ///< slots that are free
  input  logic                    want_i,         ///< a fill waits for one

  input  logic                    save_valid_i,   ///< firmware wants a connection in its home
  output logic                    save_ready_o,   ///< pulse: it is there, or ...
  output logic                    save_none_o,    ///< ... there is no such connection
  input  logic [QpW-1:0]          save_qpn_i,

  output logic [SlW-1:0]          look_slot_o,    ///< counters of a slot, a cycle later
  input  logic [11:0]             taken_i,
  input  logic [11:0]             dropped_i,      ///< sum over all who drop, a further cycle later
  input  logic                    set_i,          ///< pulse: a slot holds a connection now
  input  logic [SlW-1:0]          set_slot_i,
  input  logic [QpW-1:0]          set_qpn_i,

  output logic                    op_valid_o,
  input  logic                    op_ready_i,
  output logic [2:0]              op_o,
  output logic [QpW-1:0]          op_qpn_o,
  output logic [SlW-1:0]          op_slot_o,
  input  logic                    done_valid_i,
  input  logic [2:0]              done_op_i,
  input  logic [2:0]              done_was_i,
  input  logic [SlW-1:0]          done_at_i,

  output logic [N_ROOM-1:0]       out_valid_o,    ///< rooms are asked
  input  logic [N_ROOM-1:0]       out_ready_i,
  output weft_dp_pkg::save_t      out_o,
  input  logic [N_ROOM-1:0]       line_valid_i,
  output logic [N_ROOM-1:0]       line_ready_o,
  input  logic [N_ROOM*553-1:0]   line_i,         ///< weft_dp_pkg::line_t each

  output logic                    home_re_o,
  output logic [QpW-1:0]          home_qpn_o,
  input  logic                    home_ok_i,
  input  logic [63:0]             home_addr_i,
  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  output logic                    free_o,         ///< pulse: a slot is free
  output logic [SlW-1:0]          free_slot_o,
  output logic                    idle_o,
  output logic                    stat_evict_o,   ///< pulse: a write-back began
  output logic                    stat_undo_o     ///< pulse: somebody had taken a pin meanwhile
);

  localparam int unsigned LineW = 553;
  localparam int unsigned Beats = 512 / DATA_W;
  localparam int unsigned BeatW = Beats > 1 ? $clog2(Beats) : 1;
  localparam int unsigned Settle = 8;    // cycles until every pin that was given is in the counters

  // ---------------------------------------------------------------- who is where
  logic [QpW:0]   info;          // valid, qpn
  logic [11:0]    seen, taken_q, sum_q;
  logic [SlW-1:0] hand_q, slot_q, look;
  logic           seen_we, clr, clr_q;
  logic [SlW-1:0] sweep_q;

  typedef enum logic [3:0] {
    EvIdle, EvLook, EvLook2, EvLook3, EvCheck, EvTry, EvTried, EvSettle, EvPins, EvUndo, EvUndone, EvSave
  } ev_e;
  ev_e            ev_q;
  logic           for_save_q;
  logic [QpW-1:0] qpn_q;
  logic [3:0]     wait_q;
  logic [5:0]     again_q;       // cycles until a save is tried again
  logic           save_wait_q;   // a save of firmware's is on its way home

  // After reset no slot is valid.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clr_q   <= 1'b1;
      sweep_q <= '0;
    end else if (clr_q) begin
      sweep_q <= sweep_q + SlW'(1);
      clr_q   <= sweep_q != '1;
    end
  end
  weft_ram_1r1w #(.W(QpW + 1), .DEPTH(N_SLOT)) u_info (
    .clk_i, .we_i(clr_q || set_i || clr), .waddr_i(clr_q ? sweep_q : set_i ? set_slot_i : slot_q),
    .wdata_i(!clr_q && set_i ? {1'b1, set_qpn_i} : '0), .re_i(1'b1), .raddr_i(look), .rdata_o(info)
  );
  weft_ram_1r1w #(.W(12), .DEPTH(N_SLOT)) u_seen (
    .clk_i, .we_i(seen_we), .waddr_i(hand_q), .wdata_i(taken_q), .re_i(1'b1), .raddr_i(look), .rdata_o(seen)
  );
  assign look        = ev_q == EvSettle || ev_q == EvPins ? slot_q : hand_q;
  assign look_slot_o = look;
  always_ff @(posedge clk_i) begin
    taken_q <= taken_i;
    sum_q   <= dropped_i;
  end

  // ---------------------------------------------------------------- buffers of write-backs
  logic [3:0]               b_used_q;                   // a write-back has this buffer
  logic [3:0][7:0]          b_got_q;                    // lines that are there
  logic [3:0][QpW-1:0]      b_qpn_q;
  logic [3:0][SlW-1:0]      b_slot_q;
  logic [3:0]               b_save_q;
  logic [1:0]               b_free, w_buf_q;
  logic                     b_any, go_save, w_end;
  logic [N_ROOM-1:0]        ask_q;
  always_comb begin
    b_free = '0;
    b_any  = b_used_q != '1;
    for (int i = 3; i >= 0; i--) if (!b_used_q[i]) b_free = 2'(i);
  end

  // ---------------------------------------------------------------- one at a time is chosen
  assign go_save = ev_q == EvSave && b_any && ask_q == '0;
  assign clr     = go_save && !set_i;
  assign seen_we = ev_q == EvCheck;
  logic           try_save, low;
  logic [SlW+1:0] spin_q;        // steps of the hand before it rests: two rounds behind each fill
  assign try_save = save_valid_i && !save_wait_q && again_q == '0;
  // Where every connection has a slot nobody is sent away ahead of need.
  assign low = want_i || (N_SLOT < N_QP && free_i < (SlW + 1)'(FREE_LOW) && spin_q != '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) spin_q <= '0;
    else if (set_i) spin_q <= (SlW + 2)'(2 * N_SLOT);
    else if (ev_q == EvLook && spin_q != '0) spin_q <= spin_q - (SlW + 2)'(1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ev_q        <= EvIdle;
      hand_q      <= '0;
      again_q     <= '0;
      save_wait_q <= 1'b0;
      for_save_q  <= 1'b0;
      wait_q      <= '0;
    end else begin
      if (again_q != '0) again_q <= again_q - 6'd1;
      if (save_ready_o) save_wait_q <= 1'b0;
      unique case (ev_q)
        EvIdle: begin
          for_save_q <= try_save;
          if (ready_i && !clr_q) begin
            if (try_save) ev_q <= EvTry;
            else if (low) ev_q <= EvLook;
          end
        end
        EvLook:  ev_q <= EvLook2;
        EvLook2: ev_q <= EvLook3;
        EvLook3: ev_q <= EvCheck;
        EvCheck: begin
          if (info[QpW] && taken_q == sum_q && taken_q == seen) begin
            ev_q <= EvTry;
          end else begin
            hand_q <= hand_q + SlW'(1);
            ev_q   <= EvIdle;
          end
        end
        EvTry: if (op_ready_i) ev_q <= EvTried;
        EvTried: if (done_valid_i && done_op_i == weft_ctx_pkg::OpTry) begin
          wait_q <= 4'(Settle);
          if (done_was_i == weft_ctx_pkg::StHome) begin
            ev_q <= EvSettle;
          end else begin
            ev_q <= EvIdle;
            if (!for_save_q) hand_q <= hand_q + SlW'(1);
            else if (!save_ready_o) again_q <= '1;
          end
        end
        EvSettle: begin
          wait_q <= wait_q - 4'd1;
          if (wait_q == '0) ev_q <= EvPins;
        end
        EvPins: ev_q <= taken_q == sum_q ? EvSave : EvUndo;
        EvUndo: if (op_ready_i) ev_q <= EvUndone;
        EvUndone: if (done_valid_i && done_op_i == weft_ctx_pkg::OpUndo) begin
          ev_q <= EvIdle;
          if (for_save_q) again_q <= '1;
          else hand_q <= hand_q + SlW'(1);
        end
        default: if (go_save && clr) begin
          ev_q <= EvIdle;
          if (for_save_q) save_wait_q <= 1'b1;
        end
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (ev_q == EvIdle) qpn_q <= save_qpn_i;
    if (ev_q == EvCheck) qpn_q <= info[QpW-1:0];
    if (done_valid_i && ev_q == EvTried) slot_q <= done_at_i;
  end

  // A save ends when nothing had to be done, or with its write-back.
  logic tried;
  assign tried        = ev_q == EvTried && for_save_q && done_valid_i && done_op_i == weft_ctx_pkg::OpTry;
  assign save_none_o  = tried && done_was_i == weft_ctx_pkg::StNone;
  assign save_ready_o = (tried && (done_was_i == weft_ctx_pkg::StNone || done_was_i == weft_ctx_pkg::StAway))
                        || (w_end && b_save_q[w_buf_q]);

  // ---------------------------------------------------------------- ask the rooms, take the lines
  logic [1:0]     ask_tag_q;
  logic [SlW-1:0] ask_slot_q;
  logic [QpW-1:0] ask_qpn_q;
  assign out_valid_o = ask_q;
  always_comb begin
    out_o          = '0;
    out_o.who.qpn  = 24'(ask_qpn_q);
    out_o.who.slot = 12'(ask_slot_q);
    out_o.tag      = ask_tag_q;
  end
  logic [N_ROOM-1:0]         gnt;
  logic [$clog2(N_ROOM)-1:0] gnt_idx;
  logic                      gnt_any;
  weft_dp_pkg::line_t        ln;
  weft_arb_rr #(.N(N_ROOM)) u_arb (
    .clk_i, .rst_ni, .req_i(line_valid_i), .advance_i(1'b1), .valid_o(gnt_any), .gnt_o(gnt), .idx_o(gnt_idx)
  );
  assign line_ready_o = gnt;
  assign ln           = line_i[LineW*gnt_idx+:LineW];

  logic [4:0]   w_addr;
  logic [511:0] w_line;
  logic         w_re;
  weft_ram_1r1w #(.W(512), .DEPTH(32)) u_buf (
    .clk_i, .we_i(gnt_any), .waddr_i({ln.tag, ln.line}), .wdata_i(ln.data),
    .re_i(w_re), .raddr_i(w_addr), .rdata_o(w_line)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ask_q    <= '0;
      b_used_q <= '0;
      b_got_q  <= '0;
    end else begin
      ask_q <= go_save && clr ? '1 : ask_q & ~out_ready_i;
      if (gnt_any) b_got_q[ln.tag][ln.line] <= 1'b1;
      if (go_save && clr) begin
        b_used_q[b_free] <= 1'b1;
        b_got_q[b_free]  <= '0;
      end
      if (w_end) b_used_q[w_buf_q] <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (go_save) begin
      ask_tag_q        <= b_free;
      ask_slot_q       <= slot_q;
      ask_qpn_q        <= qpn_q;
      b_qpn_q[b_free]  <= qpn_q;
      b_slot_q[b_free] <= slot_q;
      b_save_q[b_free] <= for_save_q;
    end
  end

  // ---------------------------------------------------------------- write
  typedef enum logic [2:0] { WrIdle, WrHome, WrLine, WrData, WrGone, WrDone } wr_e;
  wr_e              wr_q;
  logic [2:0]       w_ln_q;
  logic [BeatW-1:0] w_beat_q;
  logic [63:0]      w_base_q;
  logic             w_last_beat;
  logic [1:0]       full_buf;
  logic             full_any;
  always_comb begin
    full_buf = '0;
    full_any = 1'b0;
    for (int i = 3; i >= 0; i--) begin
      if (b_used_q[i] && b_got_q[i] == '1) begin
        full_buf = 2'(i);
        full_any = 1'b1;
      end
    end
  end
  assign home_re_o   = wr_q == WrIdle && full_any;
  assign home_qpn_o  = b_qpn_q[full_buf];
  assign w_re        = wr_q == WrLine || (wr_q == WrData && wr_ready_i && w_last_beat);
  assign w_addr      = {w_buf_q, wr_q == WrLine ? w_ln_q : w_ln_q + 3'd1};
  assign w_last_beat = w_beat_q == BeatW'(Beats - 1);
  assign wr_valid_o  = wr_q == WrData;
  assign wr_last_o   = w_last_beat && w_ln_q == 3'd7;
  assign wr_cnt_o    = CntW'(DATA_W / 8);
  assign wr_data_o   = w_line[DATA_W*w_beat_q+:DATA_W];
  always_comb begin
    wr_hdr_o      = '0;
    wr_hdr_o.len  = 16'd512;
    wr_hdr_o.addr = w_base_q;
  end
  // The slot is free, and its connection away, when the last byte is accepted in posted order.
  assign w_end       = wr_q == WrDone && done_valid_i && done_op_i == weft_ctx_pkg::OpGone;
  assign free_o      = w_end;
  assign free_slot_o = b_slot_q[w_buf_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_q <= WrIdle;
    end else begin
      unique case (wr_q)
        WrIdle: if (full_any) wr_q <= WrHome;
        // A chunk that was taken back under a connection: its content has nowhere to go.
        WrHome: wr_q <= home_ok_i ? WrLine : WrGone;
        WrLine: wr_q <= WrData;
        WrData: if (wr_ready_i && wr_last_o) wr_q <= WrGone;
        WrGone: if (op_ready_i && !op_mine) wr_q <= WrDone;
        default: if (w_end) wr_q <= WrIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (wr_q == WrIdle) begin
      w_buf_q  <= full_buf;
      w_ln_q   <= '0;
      w_beat_q <= '0;
    end
    if (wr_q == WrHome) w_base_q <= home_addr_i;
    if (wr_q == WrData && wr_ready_i) begin
      w_beat_q <= w_last_beat ? '0 : w_beat_q + BeatW'(1);
      if (w_last_beat) w_ln_q <= w_ln_q + 3'd1;
    end
  end

  // ---------------------------------------------------------------- operations
  logic op_mine;   // of the one that chooses, before the one that writes
  assign op_mine    = ev_q == EvTry || ev_q == EvUndo;
  assign op_valid_o = op_mine || wr_q == WrGone;
  assign op_o       = ev_q == EvTry ? weft_ctx_pkg::OpTry : ev_q == EvUndo ? weft_ctx_pkg::OpUndo : weft_ctx_pkg::OpGone;
  assign op_qpn_o   = op_mine ? qpn_q : b_qpn_q[w_buf_q];
  assign op_slot_o  = op_mine ? slot_q : b_slot_q[w_buf_q];

  assign idle_o       = ev_q == EvIdle && !save_valid_i && !low && b_used_q == '0 && !clr_q;
  assign stat_evict_o = go_save && clr;
  assign stat_undo_o  = ev_q == EvUndo && op_ready_i;

  logic unused;
  assign unused = ^ln.who;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
