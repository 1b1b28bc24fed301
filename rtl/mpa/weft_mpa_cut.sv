// SPDX-License-Identifier: BSD-2-Clause

/// Cuts the pieces of received streams into FPDUs (RFC 5044 4.1, 5.2), commands in order, and keeps
/// the
/// record of each slot: where its next FPDU begins and which pieces are taken.
///
/// A piece goes direct when it is of the generation that is taken, in order, begins where the next
/// FPDU begins, and the connection is neither dead, nor refused, nor receives through its ring. What of
/// it makes no whole FPDU, and what else is in order, goes to the ring as it is; when as much lies
/// there as the next FPDU needs, the ring is read, and what it brings is a command like a piece. Reads of a ring follow each other; an FPDU that
/// one of them does not bring whole waits for the next (`sus_*`): no read of another ring stands between them. Without
/// a ring that is free, such bytes are dropped with `unacc`, as is a piece that says to be in order and
/// begins or ends where it cannot. What is ahead of turn goes to its place in the ring and is remembered as a range
/// (weft_mpa_ranges). Of a peer that promises ALIGNED (docs/datapath.md, "Who the peer is"), a piece ahead of turn that begins at a multiple of four bytes from the first FPDU and is one RDMA Write is an FPDU at once, and what
/// rdmap has placed of these is remembered in the same way; it is stepped over when nothing in front of it lies in a ring. Without a place what is ahead of turn is let go in silence, as is what is of another generation (but for the end of the
/// stream, when it is where bytes in order end: tcp keeps it over an `unacc` there), or of a dead connection, or here already. "In order" is by the cutter's own position: tcp's is behind while it has not heard of a range that came
/// to be next.
///
/// Bytes are worked on in 32-bit words: FPDUs and markers are multiples of four bytes and a direct
/// piece begins with one. A beat a cycle; an FPDU takes two cycles at least (with markers four), a
/// piece
/// three besides its beats. The first beat of an FPDU waits for its length to be known in s1; bytes
/// behind a
/// short FPDU are taken again from z, the beat that was shifted out last.
// lint: -GDATA_W=128
module weft_mpa_cut #(
  parameter int unsigned DATA_W = 64,       ///< 64, 128, 256 or 512
  parameter int unsigned N_SLOT = 16,       ///< power of two, 2 to 4096
  /// bytes of an FPDU without markers, at most 16384; longer: MpaLength
  parameter int unsigned FPDU_MAX = 16384,
  parameter int unsigned BLK_BYTES = 512,   ///< of the FPDU store, power of two
  parameter int unsigned BLOCKS = 64,       ///< of it that may be in use
  parameter int unsigned ROOM_STEP = 4096,  ///< bytes that the right edge moves by at least
  parameter int unsigned RING_BYTES = 65536,  ///< of a connection's ring with pages of 4 KiB, power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned W = DATA_W / 32,
  localparam int unsigned WW = $clog2(W)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  /// bytes that may be received beyond the next FPDU's first byte, below 2^30
  input  logic [31:0]              wnd_i,
  input  logic [1:0]               shift_i,       ///< a ring has RING_BYTES << shift_i

  input  logic                     cmd_valid_i,
  output logic                     cmd_ready_o,
  input  weft_mpa_in_pkg::cmd_t    cmd_i,
  input  weft_abi_pkg::home_mpa_t  load_i,        ///< held while a CmdLoad is inside

  input  logic                     d_valid_i,     ///< a packet for each piece with bytes
  output logic                     d_ready_o,
  output logic                     d_ring_o,      ///< it is wanted from the ring
  output logic                     d_more_o,      ///< bytes of the ring wait for those of its next read, which may be told
  input  logic [DATA_W-1:0]        d_data_i,
  input  logic                     d_last_i,
  output logic                     free_valid_o,  ///< a frame is used up, that of a FIN without bytes too
  input  logic                     free_ready_i,
  output logic [11:0]              free_handle_o,

  // the receive ring
  input  logic                     rid_valid_i,   ///< a ring is free
  input  logic                     rid_some_i,    ///< more than a quarter of them are: one may be taken for what was refused
  input  logic                     rid_many_i,    ///< more than half of them are: one may be taken for bytes ahead of turn
  output logic                     rid_take_o,
  input  logic [11:0]              rid_i,
  output logic                     rid_give_o,    ///< pulse
  output logic [11:0]              rid_o,
  input  logic                     through_valid_i, ///< pulse: rdmap is done with the FPDU that ends here
  input  logic [11:0]              through_slot_i,
  input  logic [63:0]              through_to_i,
  output logic                     held_o,        ///< pulse: a ring is empty, and what came out of it is not through: poll it
  output logic [11:0]              held_slot_o,
  output logic                     watch_o,       ///< pulse: a ring begins to wait for the rest of an FPDU, or for who refused one, or waits no more
  output logic                     watch_wait_o,
  output logic                     watch_kept_o,  ///< for who refused one
  output logic                     scarce_o,      ///< pulse: a connection found no ring
  output logic                     job_valid_o,   ///< reads see the bytes of the writes before them
  input  logic                     job_ready_i,
  output weft_mpa_in_pkg::job_t    job_o,
  output logic                     sp_valid_o,    ///< a packet for each write
  input  logic                     sp_ready_i,
  output logic [DATA_W-1:0]        sp_data_o,
  output logic [CntW-1:0]          sp_cnt_o,
  output logic                     sp_last_o,

  output logic                     s_valid_o,     ///< raw beats of whole FPDUs
  input  logic                     s_ready_i,
  output logic [DATA_W-1:0]        s_data_o,
  output weft_mpa_in_pkg::beat_t   s_o,
  output logic                     j_valid_o,     ///< an FPDU's comes with its first beat
  input  logic                     j_ready_i,     ///< does not wait for j_valid_o
  output weft_mpa_in_pkg::join_t   j_o,
  /// of the JoinSave that was given, until save_done_i
  output weft_mpa_in_pkg::rec_t    save_rec_o,
  input  logic                     save_done_i,
  input  logic                     healed_i,      ///< pulse: a refusal's record has left
  output logic [11:0]              dead_slot_o,
  input  logic                     dead_i,        ///< slot dead_slot_o is dead, same cycle

  /// in the cycle of a JoinFpdu: blocks that are set aside for it
  output logic [15:0]              blocks_o,
  /// blocks that were set aside for FPDUs which were freed now
  input  logic [15:0]              freed_i,

  output logic                     room_valid_o,  ///< pulse
  output weft_dp_pkg::rcv_room_t   room_o,
  output logic                     unacc_valid_o, ///< pulse
  output weft_dp_pkg::unaccept_t   unacc_o,

  output logic                     idle_o,
  /// pulse: a piece of an older generation, or not where one is wanted
  output logic                     stat_stale_o,
  output logic                     stat_ahead_o,  ///< pulse: a piece ahead of turn was let go
  output logic                     stat_tail_o,   ///< pulse: an FPDU did not end in its piece
  /// pulse: bytes that had been accepted were dropped
  output logic                     stat_drop_o,
  output logic                     stat_ring_o,   ///< pulse: a connection got a ring
  output logic                     stat_spill_o,  ///< pulse: bytes went to a ring
  output logic                     stat_full_o    ///< an FPDU waits for room in the FPDU store
);

  localparam int unsigned ReadMax = 16384 + 512;  // bytes of a read: an FPDU with its markers
  localparam int unsigned ReadMin = 8192;         // reads that follow each other have as many, or those of the largest FPDU
  localparam int unsigned WaitMax = 32768 - ReadMax;  // bytes of one that may wait for the next: both fit into the buffer of weft_mpa_ring
  localparam int unsigned Bytes = DATA_W / 8;
  localparam logic [1:0] Reads = 2'd3;            // of a ring at a time
  localparam int unsigned FillW = $clog2(RING_BYTES) + weft_dp_pkg::RingShiftMax + 1;
  localparam int unsigned SlW = $clog2(N_SLOT);
  localparam int unsigned BlkLg = $clog2(BLK_BYTES / 4);

  typedef enum logic [3:0] {StIdle, StSus, StCmd, StCut, StSpill, StFlush, StLook, StLeap, StRead, StEnd} state_e;
  typedef enum logic [1:0] {TkHead, TkLen, TkBody} take_e;

  state_e                 state_q;
  take_e                  take_q;
  weft_mpa_in_pkg::cmd_t  c_q;
  weft_mpa_in_pkg::rec_t  rec_q, rec_end;
  logic                   ends;          // the command ends in this cycle

  // --------------------------------------------------------------- the next command and its record
  logic                  n_take, n_valid, heal_q;
  weft_mpa_in_pkg::cmd_t n_cmd;
  weft_mpa_in_pkg::rec_t n_rec;
  // Behind a refusal the dead bit is what it was until the join has heard of it.
  assign n_take = n_valid && (state_q == StIdle || ends) && !heal_q && !(ends && refuse);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) heal_q <= 1'b0;
    else heal_q <= (ends && refuse) || (heal_q && !healed_i);
  end
  weft_mpa_next #(.N_SLOT(N_SLOT)) u_next (
    .clk_i, .rst_ni, .cmd_valid_i, .cmd_ready_o, .cmd_i, .valid_o(n_valid), .take_i(n_take),
    .cmd_o(n_cmd), .rec_o(n_rec), .slot_i(c_q.slot), .rec_i(rec_q), .we_i(ends), .rec_end_i(rec_end)
  );
  // The end of the stream counts in its turn only.
  always_ff @(posedge clk_i) begin
    if (n_take) begin
      c_q     <= n_cmd;
      c_q.fin <= n_cmd.fin && !n_cmd.ahead;
    end
  end

  // ---------------------------------------------------------------- window over the piece's beats
  // The take position is word pos_q of the base beat: a, or (back_q) z.
  logic              a_valid_q, a_last_q, back_q, all_q, loaded_q, want, adv, drop_a, load_a, tk;
  logic [DATA_W-1:0] a_q, z_q, win;
  logic [WW-1:0]     pos_q;
  logic [15:0]       left_q;       // bytes of the piece from the next FPDU on
  logic              base_v, next_v;
  logic [WW:0]       base_n;       // words of the base beat from pos_q on

  assign base_v    = back_q || a_valid_q;
  assign next_v    = back_q ? a_valid_q : d_valid_i && want;
  assign base_n    = (WW + 1)'(W) - (WW + 1)'(pos_q);
  assign adv       = tk && !back_q;
  // Beats of the present piece only: the next one's may come from elsewhere.
  assign want      = bytes && !loaded_q && (state_q == StCmd || state_q == StCut || state_q == StSpill || state_q == StFlush);
  assign load_a    = !a_valid_q || adv || drop_a;
  assign d_ready_o = (load_a && want) || (state_q == StSus && !sus_fits && sus_more_q);
  assign d_ring_o  = c_q.kind == weft_mpa_in_pkg::CmdRing;
  always_comb begin
    win = 'x;
    if (tk) begin
      win = back_q ? z_q : a_q;
      for (int unsigned i = 0; i < W; i++) begin
        if (WW'(i) == pos_q && i != 0) win = DATA_W'({back_q ? a_q : d_data_i,
            back_q ? z_q : a_q} >> (32 * i));
      end
    end
  end

  // ---------------------------------------- an FPDU that the next read of its ring brings the rest of
  // What was taken of it goes back: z has its first beat, a the next one, and what is behind stays in the buffer of the ring.
  logic              sus_q, sus_av_q, sus_more_q, sus_fits, hold_q, keep_q, went_q, skip_q, hold;
  logic [DATA_W-1:0] sus_z_q, sus_a_q;
  logic [WW-1:0]     sus_pos_q;
  logic [15:0]       sus_left_q;
  logic [11:0]       sus_slot_q;
  logic [63:0]       sus_end_q, sus_next_q;
  assign sus_fits = c_q.slot == sus_slot_q && c_q.off == sus_end_q && rec_q.chain && rec_q.next == sus_next_q;
  // What did not help once will not: the FPDU is longer than what may wait.
  assign hold     = is_ring && direct_q && rec_q.chain && rec_q.reads != '0 && c_q.len <= 16'(WaitMax) && 32'(c_q.len) % Bytes == 0 && !(keep_q && !went_q);
  assign d_more_o = sus_q && sus_more_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sus_q  <= 1'b0;
      skip_q <= 1'b0;
    end else begin
      if (state_q == StLook && hold_q) sus_q <= 1'b1;
      else if (state_q == StSus && (sus_fits || !sus_more_q || (d_valid_i && d_last_i))) sus_q <= 1'b0;
      if (state_q == StSus && sus_fits) skip_q <= sus_more_q;
      else if (d_valid_i && d_ready_o && d_last_i) skip_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StLook && hold_q) begin
      sus_z_q    <= z_q;
      sus_a_q    <= a_q;
      sus_av_q   <= a_valid_q;
      sus_more_q <= !loaded_q;
      sus_pos_q  <= pos_q;
      sus_left_q <= left_q;
      sus_slot_q <= c_q.slot;
      sus_end_q  <= c_q.off + 64'(c_q.len);
      sus_next_q <= rec_q.next;
    end
    if (n_take) plain_q <= 1'b0;
    else if (miss) plain_q <= 1'b1;
    if (n_take) begin
      keep_q <= 1'b0;
      hold_q <= 1'b0;
      went_q <= 1'b0;
    end else begin
      if (state_q == StSus) keep_q <= sus_fits;
      if (tail && hold) hold_q <= 1'b1;
      if (go) went_q <= 1'b1;
    end
  end

  // ------------------------------------------------ s1: an FPDU's beat; the first tells its length
  logic              s1_valid_q, s1_head_q, mv, go, s2_ready, lead, short_piece, bad_len, part,
    fits, tcalc;
  logic [DATA_W-1:0] s1_q;
  logic [15:0]       ulpdu;
  logic [14:0]       n_words, total, tr_q, tr;   // tr: words of the FPDU from this beat on
  logic [6:0]        phase;
  logic [WW:0]       np;
  logic              last_tk, fix;
  logic [WW-1:0]     r_q, r;

  weft_mpa_len #(.DATA_W(DATA_W), .FPDU_MAX(FPDU_MAX)) u_len (
    .clk_i, .head_i(head), .data_i(s1_q), .left_i(left_q), .markers_i(rec_q.markers),
    .next_i(rec_q.next[8:0]), .first_i(rec_q.first[8:0]), .phase_o(phase), .lead_o(lead),
    .ulpdu_o(ulpdu), .words_o(n_words), .total_o(total), .known_o(tcalc), .short_o(short_piece),
    .bad_o(bad_len), .part_o(part)
  );

  // Whole decisions on the first beat. Nothing of an FPDU leaves before all of it is known to be in
  // the piece.
  logic        head;
  logic [15:0] room_q;
  logic [15:0] used_q, blocks;
  assign head        = state_q == StCut && take_q == TkLen && s1_valid_q && s1_head_q;
  assign blocks      = 16'(n_words >> BlkLg) + 16'd1;
  assign blocks_o    = blocks;
  assign fits        = blocks <= room_q;
  assign go          = head && !short_piece && !bad_len && tcalc && !part && fits && j_ready_i &&
      s2_ready && (!front_q || whole);
  assign mv          = s1_valid_q && !s1_head_q && !s1_sp_q && s2_ready;
  assign sp_go       = sp_valid_o && sp_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      room_q <= '0;
    end else begin
      used_q <= used_q + (go ? blocks : '0) - freed_i;
      room_q <= 16'(BLOCKS) - used_q;   // an FPDU begins every second cycle at most
    end
  end

  // ---------------------------------------------------------------- taking
  logic tk_head, tk_body, tk_spill, need_next, sp_go, s1_sp_q;
  logic [15:0] tleft_q, sleft_q;        // bytes for the ring that are not taken, that have not left
  assign tr        = take_q == TkLen ? total - 15'(W) : tr_q;
  assign last_tk   = tr <= 15'(W);
  assign need_next = pos_q != '0 &&
                     (state_q == StSpill ? tleft_q > 16'({base_n, 2'b00}) :
                      take_q == TkHead ? left_q > 16'({base_n, 2'b00}) : tr > 15'(base_n));
  assign tk_head = state_q == StCut && take_q == TkHead && (!s1_valid_q || mv);
  assign tk_body = state_q == StCut && ((take_q == TkLen && go && total > 15'(W)) ||
                                        (take_q == TkBody && (!s1_valid_q || mv)));
  assign tk_spill = state_q == StSpill && tleft_q != '0 && (!s1_valid_q || sp_go);
  assign tk      = (tk_head || tk_body || tk_spill) && base_v && (!need_next || next_v);
  // The position moves on when the last beat of an FPDU is taken.
  assign r       = take_q == TkLen ? total[WW-1:0] : r_q;
  assign np      = (WW + 1)'(pos_q) + (WW + 1)'(r);
  assign fix     = (tk_body && tk && last_tk) || (go && total <= 15'(W));
  assign drop_a  = state_q == StFlush && !all_q && a_valid_q;

  logic done;          // the piece's last FPDU has been taken
  assign done = fix && (go ? left_q == {total[13:0], 2'b00} : left_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_valid_q  <= 1'b0;
      s1_valid_q <= 1'b0;
    end else begin
      if (state_q == StSus && sus_fits) a_valid_q <= sus_av_q;
      else if (state_q == StLook && hold_q) a_valid_q <= 1'b0;
      else if (load_a) a_valid_q <= d_valid_i && want;
      if (tk) s1_valid_q <= 1'b1;
      else if (mv || go || sp_go || fault || miss || (tail && !spill)) s1_valid_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (load_a && d_valid_i && want) begin
      a_q      <= d_data_i;
      a_last_q <= d_last_i && !skip_q;
    end
    if (adv) z_q <= a_q;
    if (state_q == StSus) begin
      a_q      <= sus_a_q;
      a_last_q <= 1'b0;
      z_q      <= sus_z_q;
    end
    if (tk) begin
      s1_q      <= win;
      s1_head_q <= state_q == StCut && take_q == TkHead;
      s1_sp_q   <= state_q == StSpill;
    end
    if (tail && spill) begin
      s1_head_q <= 1'b0;
      s1_sp_q   <= 1'b1;
    end
    if (tail && spill) tleft_q <= left_q > 16'(4 * W) ? left_q - 16'(4 * W) : '0;
    else if (state_q == StCmd) tleft_q <= c_q.len;
    else if (tk_spill && tk) tleft_q <= tleft_q > 16'(4 * W) ? tleft_q - 16'(4 * W) : '0;
    if (tail && spill) sleft_q <= left_q;
    else if (state_q == StCmd) sleft_q <= c_q.len;
    else if (sp_go) sleft_q <= sleft_q - 16'(4 * W);
  end

  // ---------------------------------------------------------------- out
  weft_mpa_beat #(.DATA_W(DATA_W)) u_beat (
    .clk_i, .rst_ni, .ready_o(s2_ready), .valid_i(go || mv), .first_i(s1_head_q), .data_i(s1_q),
    .total_i(total), .phase_i(phase), .lead_i(lead), .markers_i(rec_q.markers), .crc_i(rec_q.crc),
    .s_valid_o, .s_ready_i, .s_data_o, .s_o
  );
  assign sp_valid_o = s1_valid_q && s1_sp_q && state_q == StSpill;
  assign sp_data_o  = s1_q;
  assign sp_last_o  = sleft_q <= 16'(4 * W);
  assign sp_cnt_o   = sp_last_o ? sleft_q[CntW-1:0] : CntW'(4 * W);

  // ---------------------------------------------------------------- commands
  logic merged_q, tail_q, direct_q, dropped_q, spilt_q, lost_q, saving_q, drop, refuse, is_piece,
    is_ring, bytes, tail, spill, can_spill;
  logic is_placed, front, front_q, plain_q, miss, whole, has_placed, placed_ok, placed_tell, may_placed, leap_placed, leap_ring_q, leapt, here_q;
  logic [63:0] look_q;   // the next FPDU, before a leap
  logic fault, wanted, in_order, direct, to_ring, fin_late, fin_old, fin_stays, fin_here, enter, job_wr, back, flip, wide,
    empty, rd_start, fin_ring, fin_out, say;
  logic in_ring, lost;
  logic [FillW-1:0] fill;
  logic [63:0] since, past, until_by;
  logic [31:0] room_by;
  assign is_piece = c_q.kind == weft_mpa_in_pkg::CmdPiece;
  assign is_ring  = c_q.kind == weft_mpa_in_pkg::CmdRing;
  assign refuse   = c_q.kind == weft_mpa_in_pkg::CmdRefuse;
  assign is_placed = c_q.kind == weft_mpa_in_pkg::CmdPlaced;
  assign bytes    = (is_piece || is_ring) && c_q.len != '0;
  assign tail     = head && !front_q && (short_piece || (tcalc && part && !bad_len)) &&
      (!is_piece || c_q.fin || !can_spill || here_q || job_ready_i);
  // Of a tail: the connection gets a ring, or goes on in the one that it has.
  assign can_spill = rec_q.ring ? near_q && (!gap || clear) : rid_valid_i;
  assign spill     = is_piece && !c_q.fin && can_spill && !here_q;
  assign fault    = head && !front_q && !short_piece && bad_len && j_ready_i;
  // Ahead of turn: one FPDU and nothing else, a Write (RFC 5041 4.1, RFC 5040 4.1: tagged, both versions 1, opcode 0). All else goes the way of
  // other pieces ahead of turn.
  // One without payload has nothing to place.
  assign whole    = left_q == {total[13:0], 2'b00} && ulpdu > 16'd14 && s1_q[23] && s1_q[17:16] == 2'd1 && s1_q[31:30] == 2'd1 && s1_q[27:24] == 4'd0;
  assign miss     = head && front_q && (short_piece || bad_len || (tcalc && (part || !whole)));
  // Is the piece wanted, and is it the next one.
  // What tcp takes for ahead of turn may be next: it hears later of ranges that came to be in order.
  logic [63:0] fill_by, pos, from_pos, past_pos;
  logic        gap, clear, later, old;
  assign wanted   = is_piece && rec_q.live && !dead_i && c_q.gen == rec_q.gen;
  assign fill_by  = rec_q.tail - rec_q.next;
  assign gap      = rec_q.ring && fill_by[63];   // bytes behind those of the ring went direct
  assign fill     = rec_q.ring && !gap ? FillW'(fill_by) : '0;
  assign pos      = rec_q.ring && !gap ? rec_q.tail : rec_q.next;
  assign from_pos = c_q.off - pos;
  assign past_pos = c_q.off + 64'(c_q.len) - pos;
  assign in_order = from_pos == '0;
  assign later    = !from_pos[63] && !in_order;
  assign old      = past_pos[63] || past_pos == '0;
  assign direct   = is_ring ? found && !dead_i && !c_q.gen : wanted && in_order && !rec_q.refused && goes_direct && !stored;
  // What was refused and comes again is stored: refused once more it is kept, and its sender does not wait for one time-out behind
  // the other until it gives up. Without a ring for it, it tries its luck.
  logic can_store, stored;
  assign can_store = rec_q.ring ? !gap : rid_some_i && (rec_q.refused || rec_q.shy);
  assign stored    = rec_q.shy && bytes && can_store && near;
  // What a read brings begins where the next FPDU does, or was asked for in vain.
  logic found;
  assign found    = (c_q.off == rec_q.next || keep_q) && !rec_q.refused;
  // With a ring: nothing waits there, and what comes next can be put there or nothing does.
  logic goes_direct, has_ahead;
  state_e behind;      // the bytes; with a ring, what is next there
  assign has_ahead   = (rec_q.ah_v & ~rec_q.ah_p) != '0;
  assign has_placed  = (rec_q.ah_v & rec_q.ah_p) != '0;
  assign behind      = rec_q.ring || has_placed || is_placed ? StLook : StEnd;
  assign goes_direct = !rec_q.ring || (fill == '0 && (!bytes || clear || (rec_q.calm && !has_ahead)));
  // Up to here rdmap is done: what is behind it may be refused, and is to be had from the ring then.
  // At a load that is all before the next FPDU: a save is taken when nothing is with rdmap. `from` alone does not do, a ring that never
  // ran empty was entered long ago.
  logic [63:0] thru, thru_by, thru_past, base, reach;
  logic        thru_we, thru_all, near, near_q;
  weft_ram_1r1w #(.W(64), .DEPTH(N_SLOT)) u_thru (
    .clk_i, .we_i(thru_we), .waddr_i(through_valid_i ? through_slot_i[SlW-1:0] : c_q.slot[SlW-1:0]),
    .wdata_i(through_valid_i ? through_to_i : load_i.next), .re_i(1'b1), .raddr_i(n_take ? n_cmd.slot[SlW-1:0] : c_q.slot[SlW-1:0]),
    .rdata_o(thru)
  );
  assign thru_we  = through_valid_i || (state_q == StEnd && c_q.kind == weft_mpa_in_pkg::CmdLoad);
  assign thru_past = thru - rec_q.tail;
  assign thru_all = !thru_past[63];
  assign clear    = !rec_q.ring || thru_all || rec_q.from == rec_q.tail;
  assign thru_by  = thru - rec_q.from;
  // Bytes of the ring from `base` on may be wanted; the piece ends within a ring's bytes of it.
  assign base     = !rec_q.ring ? rec_q.next : thru_by[63] ? rec_q.from : thru;
  assign reach    = c_q.off + 64'(c_q.len) - base;
  assign near   = reach[63:32] == '0 && reach[31:0] <= 32'(RING_BYTES) << shift_i;
  assign to_ring  = wanted && in_order && bytes && !direct && !gap && can_store && near;
  // A FIN without bytes behind bytes of the ring; or with bytes that are here already.
  assign fin_late = c_q.fin && fill != '0 && ((wanted && in_order && !bytes) || fin_old || fin_stays);
  assign fin_old  = wanted && c_q.fin && past_pos == '0 && bytes;
  // A FIN was on its way when it was said that all in front of it stays: tcp keeps it too, may have acknowledged it, and it does not come
  // again. What is of the generation before it counts for nothing else.
  assign fin_stays = is_piece && rec_q.live && !dead_i && c_q.gen != rec_q.gen && c_q.fin && past_pos == '0;
  assign fin_here  = c_q.fin && fill == '0 && !rec_q.refused && (fin_old || fin_stays);

  // Ahead of turn: into the ring, and remembered.
  logic aside, front_may, put_fits, leap, aside_q, leap_q, known_q;
  logic [31:0] all_from, all_to, all_by, leap_to, at_q, ahead_from_q, ahead_to_q;
  logic [weft_mpa_in_pkg::Ranges-1:0]    put_v, put_p, rest_v;
  logic [weft_mpa_in_pkg::Ranges*32-1:0] put_from, put_to;
  assign aside = wanted && c_q.ahead && later && bytes && !rec_q.fin && put_fits && near && !front_may &&
                 (rec_q.ring ? !gap || clear : rid_valid_i && rid_many_i);
  // ... or to be placed, where the peer's promise says that an FPDU begins. A connection that has a ring stays with it: what is next there must not wait for turns.
  assign front_may = is_piece && !plain_q && c_q.aligned && c_q.off[1:0] == rec_q.first[1:0] && !rec_q.ring && !rec_q.markers && !rec_q.refused;
  assign front     = front_may && wanted && c_q.ahead && later && bytes && !rec_q.fin && put_fits;
  assign placed_ok = is_placed && rec_q.live && !dead_i && !rec_q.fin && !old && put_fits;
  // A peer is not told ahead of what it sent in order already.
  assign all_by      = all_from - pos[31:0];
  assign placed_tell = placed_ok && !all_by[31] && all_by != '0;
  // Nothing in front of it waits in a ring, what was refused has come again, and no ring gets a second beginning. A word says one thing: what is in order.
  assign leapt      = leap_q && !leap_ring_q;
  assign may_placed = fill == '0 && !rec_q.refused && !rec_q.shy && (is_piece || is_ring || is_placed || c_q.kind == weft_mpa_in_pkg::CmdResume) && (!rec_q.ring || clear || !has_ahead);
  weft_mpa_ranges #(.RANGES(weft_mpa_in_pkg::Ranges)) u_ranges (
    .v_i(rec_q.ah_v), .from_i(rec_q.ah_from), .to_i(rec_q.ah_to), .placed_i(rec_q.ah_p),
    .new_from_i(c_q.off[31:0]), .new_to_i(c_q.off[31:0] + 32'(c_q.len)), .new_placed_i(is_placed || front_may),
    .fits_o(put_fits), .all_from_o(all_from), .all_to_o(all_to), .put_v_o(put_v), .put_from_o(put_from), .put_to_o(put_to), .put_placed_o(put_p),
    .pos_i(state_q == StLeap ? at_q : rec_q.next[31:0]), .may_placed_i(may_placed), .thru_i(thru[31:0]), .leap_o(leap), .leap_placed_o(leap_placed), .leap_to_o(leap_to), .rest_v_o(rest_v)
  );
  // The next FPDU was placed: a piece that ends in it has nothing of it to keep.
  always_ff @(posedge clk_i) here_q <= leap && leap_placed && state_q != StLeap;
  assign dead_slot_o = c_q.slot;

  // A refused FPDU: its bytes are in the ring; or they were, and the ring is given back.
  assign in_ring = !since[63] && until_by[63] && rec_q.ring;
  assign until_by = c_q.off - rec_q.tail;
  assign since   = c_q.off - rec_q.from;
  assign past    = c_q.off - (rec_q.ring ? rec_q.gone : rec_q.tail);
  assign lost    = past[63];

  // Entering the ring: with the tail of a piece, or with a whole one.
  assign enter       = !rec_q.ring && ((state_q == StCmd && (to_ring || aside) && job_ready_i) || (tail && spill));
  assign rid_take_o  = enter;
  assign job_wr      = (state_q == StCmd && (to_ring || aside)) || (tail && spill);
  assign job_valid_o = job_wr || (rd_start && j_ready_i);
  always_comb begin
    job_o      = '0;
    job_o.rd   = state_q == StRead;
    job_o.qpn  = c_q.qpn;
    job_o.slot = c_q.slot;
    job_o.rid  = enter ? rid_i : rec_q.rid;
    job_o.off  = state_q == StCmd ? c_q.off : state_q == StRead ? rd_at : rec_q.next;
    job_o.len  = state_q == StRead ? rd_len : state_q == StCmd ? c_q.len : left_q;
  end

  // The command's end: what is said to tcp, and what the record becomes.
  assign drop      = dropped_q || (is_piece && tail_q && !c_q.fin && !spilt_q);
  // What is in the ring stays, all else comes again. Where the ring ends tcp may know already: pieces that it made since are good.
  assign back      = refuse && !lost_q && !known_q;
  assign flip      = drop || (back && !rec_q.fresh);
  assign room_by   = rec_q.next[31:0] - rec_q.edge_off[31:0] + wnd_i - 32'(ROOM_STEP);
  // A sender that goes on while the ring is read would keep it full: every byte goes over the bus twice more. When nothing is read the
  // rest of an FPDU may be waited for; what little there is has been read before more comes.
  logic low;
  assign low       = 32'(fill >> shift_i) < 32'(RING_BYTES / 16);
  assign wide      = (is_piece ? direct_q || leapt : is_placed ? leapt : is_ring && !lost_q && !merged_q) && !room_by[31] && !(rec_q.calm && rec_q.reads != '0 && !low);
  // All bytes have come out of the ring, or nobody wants them.
  // In a save nothing is with rdmap any more.
  // It forgets the ranges (RFC 2018 8), as tcp does.
  assign empty     = rec_q.ring && rec_q.reads == '0 &&
      (fill == '0 ? (thru_all && !has_ahead) || c_q.kind == weft_mpa_in_pkg::CmdSave : dead_i && c_q.kind == weft_mpa_in_pkg::CmdSave) &&
                      c_q.kind != weft_mpa_in_pkg::CmdLoad;
  assign held_o      = ends && rec_q.ring && rec_q.reads == '0 && fill == '0 && !has_ahead && !empty && c_q.kind != weft_mpa_in_pkg::CmdLoad;
  assign held_slot_o = c_q.slot;
  assign rid_give_o = ends && empty;
  assign rid_o      = rec_q.rid;
  // Reads of the ring. The first begins where an FPDU does, with as many bytes as the largest that was seen has, or what there is; the next ones
  // are asked for behind it before it has come. What cannot be put together (`sus_*`) is let go, and asked for again from where its FPDU begins.
  // Only one rest is kept, so reads follow each other without one of another ring between them: behind that, a ring begins anew when its
  // reads have come, which costs an FPDU. Were its reads to go on, what each of them brings would be let go.
  logic [63:0]      rd_at, rd_by, rd_past;
  logic [FillW-1:0] rd_left;
  logic [15:0]      rd_want, rd_size, rd_len;
  logic             rd_first, rd_sized, rd_enough;
  logic [11:0]      rd_slot_q;   // of the latest read
  assign rd_first  = !rec_q.chain || rec_q.reads == '0;
  assign rd_at     = rd_first ? rec_q.next : rec_q.rd_to;
  assign rd_by     = rec_q.tail - rd_at;
  assign rd_left   = rec_q.ring && !gap && !rd_by[63] ? FillW'(rd_by) : '0;
  assign rd_want   = rd_first && rec_q.need > rec_q.size ? rec_q.need : rec_q.size;
  assign rd_size   = rd_want <= 16'(ReadMin) ? 16'(ReadMin) : (rd_want + 16'(Bytes - 1)) & ~(16'(Bytes - 1));
  assign rd_sized  = 32'(rd_left) >= 32'(rd_size);
  assign rd_len    = rd_sized ? rd_size : 32'(rd_left) > 32'(ReadMax) ? 16'(ReadMax) : 16'(rd_left);
  assign rd_enough = rd_first ? rd_left != '0 && (32'(rd_left) >= 32'(rec_q.need) || (rec_q.fin && !(is_ring && direct_q))) : rd_sized;
  assign rd_start  = state_q == StRead && rd_enough && (rd_first || c_q.slot == rd_slot_q) && rec_q.reads != Reads && !rec_q.refused && !dead_i && rec_q.live && !lost_q &&
                     c_q.kind != weft_mpa_in_pkg::CmdPoll && c_q.kind != weft_mpa_in_pkg::CmdSave && c_q.kind != weft_mpa_in_pkg::CmdLoad;
  assign rd_past   = rec_q.next - c_q.off - 64'(c_q.len);
  // The stream ends behind the ring, and nothing more can come of it.
  assign fin_ring   = is_ring && direct_q && rec_q.fin && rec_q.reads == '0;
  assign fin_out    = (is_piece && direct_q && c_q.fin) || fin_ring;
  always_comb begin
    rec_end       = rec_q;
    rec_end.gen   = rec_q.gen ^ flip;
    rec_end.fresh = rec_q.fresh || flip;
    if (wide) rec_end.edge_off = rec_q.next + 64'(wnd_i);
    if (empty) begin
      rec_end.ring = 1'b0;
      rec_end.need = '0;
    end
    if (c_q.kind == weft_mpa_in_pkg::CmdSave) begin
      rec_end.live = 1'b0;
      rec_end.ah_v = '0;
    end
  end

  // What the peer has to send first; of a connection that is loaded it is known already.
  logic waits, waited_q, kept, kept_q, lies;
  assign lies         = fill != '0 && rec_q.reads == '0 && (rec_q.refused || !rec_q.fin);
  assign waits        = rec_end.ring && lies;
  assign kept         = waits && rec_q.refused;
  assign watch_o      = ends && {waits, kept} != {waited_q, kept_q} && c_q.kind != weft_mpa_in_pkg::CmdLoad;
  assign watch_wait_o = waits;
  assign watch_kept_o = kept;
  assign scarce_o     = !rec_q.ring && ((state_q == StCmd && wanted && in_order && bytes && !direct && (rec_q.refused || rec_q.shy) && !rid_some_i) ||
                                        (tail && is_piece && !c_q.fin && !rid_valid_i));
  always_ff @(posedge clk_i) begin
    if (state_q == StCmd) begin
      waited_q <= rec_q.ring && lies;
      kept_q   <= rec_q.ring && lies && rec_q.refused;
    end
  end

  assign say  = (!merged_q || leap_q) && c_q.kind != weft_mpa_in_pkg::CmdPoll;
  assign ends = state_q == StEnd && (!is_piece || free_ready_i) && (!say || j_ready_i) &&
                !(c_q.kind == weft_mpa_in_pkg::CmdSave && saving_q) &&
                !(c_q.kind == weft_mpa_in_pkg::CmdLoad && through_valid_i);
  assign free_valid_o  = state_q == StEnd && is_piece && (!say || j_ready_i);
  assign free_handle_o = c_q.handle;
  assign unacc_valid_o = ends && (drop || back);
  assign unacc_o.who   = {c_q.qpn, c_q.slot};
  assign unacc_o.gen   = rec_q.gen ^ (back && rec_q.fresh);
  assign unacc_o.off   = pos;
  assign room_valid_o  = ends && wide;
  assign room_o.who      = {c_q.qpn, c_q.slot};
  assign room_o.edge_off = rec_end.edge_off;

  assign j_valid_o = go || fault || (rd_start && job_ready_i) || (ends && say);
  always_comb begin
    j_o       = '0;
    j_o.qpn   = c_q.qpn;
    j_o.slot  = c_q.slot;
    j_o.off   = front_q ? c_q.off : rec_q.next;
    j_o.ulpdu = ulpdu;
    j_o.raw   = 22'({total[13:0], 2'b00});
    if (state_q == StRead) begin
      j_o.kind = weft_mpa_in_pkg::JoinEnd;   // of nothing: a pin for the read
      j_o.more = 1'b1;
    end else if (state_q != StEnd) begin
      j_o.kind = fault ? weft_mpa_in_pkg::JoinFault : weft_mpa_in_pkg::JoinFpdu;
      j_o.code = fault ? weft_dp_pkg::MpaLength : weft_dp_pkg::MpaOk;
      j_o.ends = fault || (left_q == {total[13:0], 2'b00} && !c_q.fin && !is_ring);
      j_o.kept = is_ring;
      j_o.ahead = front_q;
    end else begin
      unique case (c_q.kind)
        weft_mpa_in_pkg::CmdLoad: j_o.kind = weft_mpa_in_pkg::JoinLoad;
        weft_mpa_in_pkg::CmdSave: j_o.kind = weft_mpa_in_pkg::JoinSave;
        weft_mpa_in_pkg::CmdCtx:  j_o.kind = weft_mpa_in_pkg::JoinCtx;
        default: begin
          j_o.kind = weft_mpa_in_pkg::JoinEnd;
          if (lost_q) j_o.kind = weft_mpa_in_pkg::JoinFault;
          else if (spilt_q || leap_q) j_o.kind = weft_mpa_in_pkg::JoinStored;
          else if (fin_out) j_o.kind = weft_mpa_in_pkg::JoinFin;
        end
      endcase
      j_o.ends  = !merged_q;
      j_o.ahead = aside_q && !leap_q;
      j_o.placed = leapt && (aside_q || !spilt_q);
      j_o.off   = j_o.ahead ? c_q.off + 64'($signed(ahead_from_q - c_q.off[31:0])) : spilt_q && !tail_q && !aside_q ? c_q.off : leap_q ? look_q : rec_q.next;
      j_o.raw   = j_o.ahead ? 22'(ahead_to_q - ahead_from_q) : spilt_q || leap_q ? 22'(pos[31:0] - j_o.off[31:0]) : 22'(tail_q ? left_q : c_q.len);
      j_o.ulpdu = c_q.kind == weft_mpa_in_pkg::CmdCtx ? c_q.len : fin_ring ? 16'(fill) : tail_q
          ? left_q : '0;
      j_o.code  = lost_q ? weft_dp_pkg::MpaRing : c_q.handle[3:0];
      // A fault behind a refused FPDU is found again.
      j_o.dead  = refuse || (c_q.kind == weft_mpa_in_pkg::CmdLoad && load_i.dead);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      take_q   <= TkHead;
      saving_q <= 1'b0;
    end else begin
      if (ends && c_q.kind == weft_mpa_in_pkg::CmdSave) saving_q <= 1'b1;
      else if (save_done_i) saving_q <= 1'b0;
      unique case (state_q)
        StCmd:   if (!(to_ring || aside) || job_ready_i) state_q <= !bytes ? behind : to_ring || aside
            ? StSpill : direct || front ? StCut : StFlush;
        StCut: begin
          if (miss) state_q <= StCmd;
          else if (tail && spill) state_q <= StSpill;
          else if (tail && hold) state_q <= StLook;
          else if (tail || fault) state_q <= StFlush;
          else if (done) state_q <= !(all_q || (adv && a_last_q)) ? StFlush : behind;
          if (fix) take_q <= TkHead;
          else if (go) take_q <= TkBody;
          else if (tk_head && tk) take_q <= TkLen;
          else if (tail || fault || miss) take_q <= TkHead;
        end
        StSpill: if (sp_go && sp_last_o) state_q <= StFlush;
        StFlush: if (all_q || (drop_a && a_last_q)) state_q <= behind;
        StLook:  state_q <= StLeap;
        StLeap:  state_q <= leap && !hold_q ? StLook : StRead;  // one may end where another begins
        StRead:  if (!rd_start) state_q <= StEnd;
        StSus:   if (!sus_q || sus_fits || !sus_more_q || (d_valid_i && d_last_i)) state_q <= StCmd;
        default: if (n_take) state_q <= n_cmd.kind == weft_mpa_in_pkg::CmdRing && sus_q ? StSus : StCmd;
                 else if (ends) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    // Bytes
    if (n_take) loaded_q <= 1'b0;
    else if (d_ready_o && d_valid_i && d_last_i && !skip_q && state_q != StSus) loaded_q <= 1'b1;
    if (state_q == StCmd) begin
      pos_q  <= keep_q ? sus_pos_q : '0;
      back_q <= keep_q || plain_q;   // plain_q: its first beat is taken again
      all_q  <= plain_q && all_q;
      left_q <= c_q.len + (keep_q ? sus_left_q : 16'd0);
    end else begin
      if ((adv || drop_a) && a_last_q) all_q <= 1'b1;
      if (fix) begin
        pos_q  <= np[WW-1:0];
        back_q <= r != '0 && !np[WW];
      end else if (tk) begin
        back_q <= 1'b0;
      end
      if (go) left_q <= left_q - {total[13:0], 2'b00};
    end
    if (go) r_q <= total[WW-1:0];
    if (go || tk) tr_q <= tk_body && tk ? tr - 15'(W) : total - 15'(W);
    // Record
    if (n_take) rec_q <= n_rec;
    else if (ends) rec_q <= rec_end;
    else if (go) begin
      if (!front_q) rec_q.next <= rec_q.next + 64'({total, 2'b00});
      if (is_ring && {total[13:0], 2'b00} > rec_q.size) rec_q.size <= {total[13:0], 2'b00};
    end else if (tail) begin
      if (is_ring && !short_piece && {total[13:0], 2'b00} > rec_q.size) rec_q.size <= {total[13:0], 2'b00};
      if (spill) begin
        rec_q.ring <= 1'b1;
        rec_q.calm <= 1'b0;
        if (!rec_q.ring) rec_q.rid <= rid_i;
        if (!rec_q.ring || gap) begin
          if (!rec_q.ring || rec_q.from != rec_q.tail) rec_q.gone <= rec_q.tail;
          rec_q.from <= rec_q.next;
        end
        rec_q.tail <= rec_q.next + 64'(left_q);
      end
      rec_q.need <= short_piece ? (lead ? 16'd8 : 16'd4) : {total[13:0], 2'b00};
    end else if (state_q == StRead) begin
      if (rd_start && j_ready_i && job_ready_i) begin
        rec_q.reads <= rec_q.reads + 2'd1;
        rec_q.chain <= 1'b1;
        rec_q.rd_to <= rd_at + 64'(rd_len);
        rd_slot_q   <= c_q.slot;
      end
    end else if (state_q == StLeap) begin
      if (is_ring && direct_q && rd_past != '0 && !hold_q) rec_q.chain <= 1'b0;
      rec_q.ah_v <= rest_v;
      if (leap && leap_placed) begin
        rec_q.next <= pos + 64'($signed(leap_to - at_q));
        rec_q.need <= '0;
        rec_q.calm <= rec_q.ring;   // what follows goes direct, while rdmap is busy with what came out
      end else if (leap) begin
        rec_q.tail <= pos + 64'($signed(leap_to - at_q));
        if (gap) begin
          if (rec_q.from != rec_q.tail) rec_q.gone <= rec_q.tail;   // else nothing in order was in it
          rec_q.from <= rec_q.next;
        end
      end
    end else if (state_q == StCmd && (!(to_ring || aside) || job_ready_i)) begin
      unique case (c_q.kind)
        weft_mpa_in_pkg::CmdPiece: begin
          if (c_q.gen == rec_q.gen) rec_q.fresh <= 1'b0;
          if (fill == '0) rec_q.need <= '0;
          if (to_ring || aside) begin
            rec_q.ring <= 1'b1;
            if (!rec_q.ring) begin
              rec_q.rid  <= rid_i;
              rec_q.gone <= rec_q.tail;
              rec_q.from <= rec_q.next;
              rec_q.tail <= rec_q.next;
              rec_q.need <= '0;
              rec_q.calm <= aside;
            end
          end
          if (to_ring) rec_q.tail <= c_q.off + 64'(c_q.len);
          if (to_ring || (direct && bytes)) rec_q.shy <= 1'b0;
          if (aside) begin
            rec_q.ah_v    <= put_v;
            rec_q.ah_p    <= put_p;
            rec_q.ah_from <= put_from;
            rec_q.ah_to   <= put_to;
          end
          // Also what goes out directly: FPDUs before it may be refused, and then the ring has its end.
          if ((to_ring || fin_late || direct || fin_here) && c_q.fin) rec_q.fin <= 1'b1;
          // Nothing comes behind the end.
          if ((to_ring || direct || fin_late || fin_old || fin_here) && c_q.fin) rec_q.ah_v <= '0;
        end
        weft_mpa_in_pkg::CmdLoad: begin
          rec_q.live     <= 1'b1;
          rec_q.crc      <= load_i.crc;
          rec_q.markers  <= load_i.markers;
          rec_q.gen      <= load_i.gen;
          rec_q.fresh    <= load_i.fresh;
          rec_q.refused  <= load_i.refused;
          rec_q.shy      <= load_i.refused;
          rec_q.first    <= load_i.first;
          rec_q.next     <= load_i.next;
          rec_q.edge_off <= load_i.rcv_edge;
          rec_q.ring     <= load_i.ring;
          rec_q.reads    <= '0;
          rec_q.chain    <= 1'b0;
          rec_q.size     <= '0;
          rec_q.calm     <= 1'b0;
          rec_q.ah_v     <= '0;
          rec_q.fin      <= load_i.fin;
          rec_q.rid      <= load_i.ring_id[11:0];
          rec_q.need     <= load_i.ring_need;
          rec_q.gone     <= load_i.ring_past;
          rec_q.from     <= load_i.ring_from;
          rec_q.tail     <= load_i.ring_end;
        end
        weft_mpa_in_pkg::CmdRefuse: begin
          rec_q.refused <= 1'b1;
          rec_q.shy     <= !in_ring;
          rec_q.next    <= c_q.off;
          rec_q.need    <= '0;
          // Reads that are on their way bring what is not wanted; what was direct before the ring is
          // not in it.
          rec_q.chain   <= 1'b0;
          if (rec_q.ring && !in_ring) begin
            rec_q.from <= c_q.off;
            rec_q.tail <= c_q.off;
          end
          // What is behind the ring comes again, and the end with it. An end that is the ring's may be acknowledged, and does not.
          rec_q.fin <= rec_q.fin && in_ring && !gap;
        end
        weft_mpa_in_pkg::CmdResume: rec_q.refused <= 1'b0;
        weft_mpa_in_pkg::CmdPlaced: if (placed_ok) begin
          rec_q.ah_v    <= put_v;
          rec_q.ah_p    <= put_p;
          rec_q.ah_from <= put_from;
          rec_q.ah_to   <= put_to;
        end
        weft_mpa_in_pkg::CmdRing: begin
          rec_q.reads <= rec_q.reads - 2'd1;
          if (found) rec_q.need <= '0;
        end
        default: ;
      endcase
    end
    // Piece
    if (state_q == StCmd) begin
      merged_q  <= 1'b0;
      direct_q  <= direct || fin_here;
      dropped_q <= wanted && !direct && !to_ring && !c_q.ahead && !(c_q.fin ? fin_late || (fin_old && !rec_q.refused) : old);
      spilt_q   <= to_ring || aside || placed_tell;
      aside_q   <= aside || placed_tell;
      front_q   <= front;
      known_q   <= in_ring && !gap && rec_q.fresh;
      leap_q      <= 1'b0;
      leap_ring_q <= 1'b0;
      near_q  <= near;
      ahead_from_q <= all_from;
      ahead_to_q   <= all_to;
      tail_q    <= 1'b0;
      lost_q    <= (refuse && lost) || (is_ring && c_q.gen && found);
    end else begin
      if ((go && left_q == {total[13:0], 2'b00} && !c_q.fin && !is_ring) || fault) merged_q <= 1'b1;
      if (fault) direct_q <= 1'b0;
      if (tail && !(here_q && is_piece && !c_q.fin)) tail_q <= 1'b1;
      if (tail && spill) spilt_q <= 1'b1;
      if (state_q == StLook) begin
        at_q <= pos[31:0];
        if (!leap_q) look_q <= rec_q.next;
      end
      if (state_q == StLeap && leap) begin
        leap_q      <= 1'b1;
        leap_ring_q <= leap_ring_q || !leap_placed;
      end
    end
    if (ends && c_q.kind == weft_mpa_in_pkg::CmdSave) save_rec_o <= rec_end;
  end

  assign idle_o       = state_q == StIdle && !n_valid && !cmd_valid_i && !s1_valid_q && !s_valid_o;
  assign stat_stale_o = state_q == StCmd && is_piece && !wanted && !c_q.ahead;
  assign stat_ahead_o = state_q == StCmd && is_piece && c_q.ahead && !direct && !to_ring && !aside && !front;
  assign stat_tail_o  = tail;
  assign stat_drop_o  = unacc_valid_o;
  assign stat_ring_o  = rid_take_o;
  assign stat_spill_o = job_wr && job_ready_i;
  assign stat_full_o  = head && !short_piece && !bad_len && tcalc && !part && !fits;

  logic unused;
  assign unused = ^{load_i, room_by, since, past, thru_by, through_slot_i, from_pos, past_pos, until_by, thru_past, fill_by, rd_by, rd_past};

`ifndef SYNTHESIS
  initial begin
    if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) $fatal(1,
        "weft_mpa_cut: DATA_W");
    if (FPDU_MAX > 16384 || FPDU_MAX < 64) $fatal(1, "weft_mpa_cut: FPDU_MAX");
    if (BLOCKS < FPDU_MAX / BLK_BYTES + 1) $fatal(1,
        "weft_mpa_cut: the FPDU store holds no FPDU_MAX");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(state_q == StCut && all_q && !back_q && tk)) else $error("%m: past the piece");
      assert (!(state_q == StSus && sus_q && c_q.slot != sus_slot_q)) else $error("%m: the rest of an FPDU is lost to another ring");
      assert (!(state_q == StCut && has_ahead && !rec_q.ring)) else $error("%m: ranges without a ring");
      assert (!(state_q == StLeap && leap && !leap_placed && gap && !clear)) else $error("%m: a ring with two beginnings");
    end
  end
`endif

endmodule
