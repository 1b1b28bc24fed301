// SPDX-License-Identifier: BSD-2-Clause

/// Takes inbound request TLPs apart. Only the first beat of a TLP matters, but for pushes and doorbells that came together: a register write is
/// one or two dwords, a doorbell two, nothing else that carries data is accepted.
///
/// - BAR2 write that begins with a push line (weft_abi push_line): behind its last beat a doorbell pulse of DB_SQ, with `db_line_o`. When it
///   was the line and nothing else, and the WQE fits, `db_push_o` too: the WQE was put into place `db_buf_o` a cycle before, that is
///   into each of N_PUSH in turn, whatever lies there. What else is written to push lines is dropped.
/// - BAR2 write of one aligned quadword with all byte enables: a doorbell pulse, two cycles later; in every
///   second cycle at most, so that who takes them, without a ready, has the other for itself.
/// - BAR2 write of three to eight dwords in front of the push lines: what a processor that combines stores makes of several doorbells. Each aligned
///   quadword with all byte enables is one, in order of address; what else is written there counts as ignored, once. The write waits for its own
///   doorbells only, as each alone would.
/// - BAR0 and BAR4 writes of one or two dwords, every non-posted request: one word of the queue to
///   weft_pcie_reg. While that queue is full a request that needs it waits, and what is behind it,
///   doorbells too, waits with it; doorbells alone wait for each other only. With a queue as deep as the
///   non-posted credits of the link plus the posted register writes that software has under way,
///   it never fills.
/// - Anything else that is posted (messages, poisoned or longer writes, other BARs) is dropped.
/// - Non-posted requests other than legal memory reads of BAR0, BAR2 and BAR4 are answered UR.
module weft_pcie_rx_req #(
  parameter int unsigned DATA_W    = 64,  ///< bits of a beat
  parameter bit          PUSH      = 1'b1,  ///< 0: of a TLP only the first two dwords of data are true, so no WQE is taken, and no doorbell that came with another
  parameter int unsigned N_PUSH    = 8,   ///< places for pushed WQEs, power of two, 4 or more
  localparam int unsigned PuW      = $clog2(N_PUSH),
  localparam int unsigned EntryW   = 133
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              rx_req_valid_i,
  output logic              rx_req_ready_o,
  input  logic [127:0]      rx_req_hdr_i,
  input  logic [2:0]        rx_req_bar_i,
  input  logic [DATA_W-1:0] rx_req_data_i,
  input  logic              rx_req_last_i,

  output logic              db_valid_o,
  output logic [11:0]       db_page_o,
  output logic [11:0]       db_off_o,
  output logic [63:0]       db_data_o,
  output logic              db_line_o,    ///< with db_valid_o: it came in a push line
  output logic              db_push_o,    ///< with db_valid_o: its WQE is in place db_buf_o
  output logic [PuW-1:0]    db_buf_o,
  output logic              push_we_o,
  output logic [PuW-1:0]    push_buf_o,
  output logic [447:0]      push_wqe_o,

  /// {kind[1:0], bar[1:0], addr[15:2], dwords[10:0], first_be, last_be, id[31:0], data[63:0]}:
  /// kind 0 write, 1 read, 2 UR, 3 UR of a locked read; bar is the BAR number / 2; id is
  /// {requester[15:0], tag[9:0], tc[2:0], attr[2:0]}; data is the write data, or
  /// {lower address[1:0] at bit 16, byte count[12:0] at bit 0} of a non-posted request.
  output logic              ent_valid_o,
  input  logic              ent_ready_i,
  output logic [EntryW-1:0] ent_o,

  output logic              idle_o,
  output logic              stat_db_ignored_o,   ///< BAR2 write that is no doorbell, or not in each of its quadwords
  output logic              stat_req_dropped_o,  ///< other posted request dropped
  output logic              stat_req_ur_o        ///< non-posted request that will be answered UR
);

  // ------------------------------------------------------------ first beat of each TLP
  logic         first_q, s1_valid_q, s1_go;
  logic [127:0] hdr_q;
  logic [2:0]   bar_q;
  logic [63:0]  data_q;
  logic         take, in_page_q, do_push, do_some, last_q;

  // A push has the stage until its last beat, and so have doorbells that came together.
  assign rx_req_ready_o = !s1_valid_q || s1_go || (!first_q && (do_push || do_some));
  assign take           = rx_req_valid_i && rx_req_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q    <= 1'b1;
      s1_valid_q <= 1'b0;
    end else begin
      if (take) first_q <= rx_req_last_i;
      if (!s1_valid_q || s1_go) s1_valid_q <= rx_req_valid_i && first_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take && first_q) begin
      hdr_q  <= rx_req_hdr_i;
      bar_q  <= rx_req_bar_i;
      data_q <= rx_req_data_i[63:0];
      // Does not cross 4 KiB: known before the rest is decoded.
      in_page_q <= {1'b0, rx_req_hdr_i[29] ? rx_req_hdr_i[107:98] : rx_req_hdr_i[75:66]}
                   + {rx_req_hdr_i[9:0] == '0, rx_req_hdr_i[9:0]} <= 11'd1024;
    end
    if (take) last_q <= rx_req_last_i;
  end

  // Words of a line behind the doorbell, wherever they are in a beat.
  localparam int unsigned BeatWords = DATA_W / 64;
  logic [2:0]   beat_q, beat;
  logic [447:0] wqe_q;
  assign beat = first_q ? 3'd0 : beat_q;
  always_ff @(posedge clk_i) begin
    if (take) begin
      if (beat != 3'd7) beat_q <= beat + 3'd1;
      for (int unsigned w = 0; w < 7; w++) begin
        if (32'(beat) == (w + 1) / BeatWords) wqe_q[64*w+:64] <= rx_req_data_i[64*((w+1)%BeatWords)+:64];
      end
    end
  end

  // ------------------------------------------------------------ decode
  logic [2:0]  fmt;
  logic [4:0]  typ;
  logic        has_data, poisoned, is_mem, is_lock, is_atomic, is_np, bar_ok;
  logic [10:0] dwords;
  logic [3:0]  fbe, lbe;
  logic [31:2] addr;
  logic [31:0] id;

  assign fmt       = hdr_q[31:29];
  assign typ       = hdr_q[28:24];
  assign has_data  = fmt[1];
  assign poisoned  = hdr_q[14];
  assign dwords    = {hdr_q[9:0] == '0, hdr_q[9:0]};
  assign lbe       = hdr_q[39:36];
  assign fbe       = hdr_q[35:32];
  assign addr      = fmt[0] ? hdr_q[127:98] : hdr_q[95:66];
  assign id        = {hdr_q[63:48], hdr_q[23], hdr_q[19], hdr_q[47:40], hdr_q[22:20],
                      hdr_q[18], hdr_q[13:12]};
  assign is_mem    = typ == 5'b00000;
  assign is_lock   = typ == 5'b00001 && !has_data;
  assign is_atomic = has_data && (typ == 5'b01100 || typ == 5'b01101 || typ == 5'b01110);
  assign bar_ok    = bar_q == 3'd0 || bar_q == 3'd2 || bar_q == 3'd4;
  // IO, configuration of both types, deferrable memory write
  assign is_np     = !fmt[2] && ((is_mem && !has_data) || is_lock || is_atomic
                     || typ == 5'b00010 || typ == 5'b00100 || typ == 5'b00101
                     || (has_data && typ == 5'b11011));

  // Byte enables and bounds that a memory request may have
  logic       be_ok, mem_ok;
  logic [2:0] lead, tail;
  logic [3:0] span;
  logic [12:0] bytes, np_bytes;

  always_comb begin
    unique case (dwords)
      11'd1:   be_ok = lbe == 4'h0;
      11'd2:   be_ok = fbe != 4'h0 && lbe != 4'h0;
      default: be_ok = (fbe == 4'hf || fbe == 4'he || fbe == 4'hc || fbe == 4'h8)
                       && (lbe == 4'hf || lbe == 4'h7 || lbe == 4'h3 || lbe == 4'h1);
    endcase
    lead = fbe[0] ? 3'd0 : fbe[1] ? 3'd1 : fbe[2] ? 3'd2 : fbe[3] ? 3'd3 : 3'd0;
    span = (dwords == 11'd1) ? fbe : lbe;
    tail = span[3] ? 3'd0 : span[2] ? 3'd1 : span[1] ? 3'd2 : 3'd3;
    // Byte count of the first completion (PCIe base specification, 2.3.1.1)
    bytes = {dwords, 2'b00} - 13'(lead) - 13'(tail);
    if (is_atomic) np_bytes = (typ == 5'b01110) ? {1'b0, dwords, 1'b0} : {dwords, 2'b00};
    else if (is_mem || is_lock) np_bytes = bytes;
    else np_bytes = 13'd4;
  end

  assign mem_ok  = is_mem && !fmt[2] && bar_ok && be_ok && in_page_q && hdr_q[11:10] == 2'b00;

  logic do_db, do_write, do_np, do_read, db_bad, do_bar2, do_rest;

  assign do_bar2  = has_data && mem_ok && bar_q == 3'd2 && !poisoned;
  assign do_db    = do_bar2 && !addr[11] && dwords == 11'd2 && fbe == 4'hf && lbe == 4'hf && !addr[2];
  // A line that came in pieces: the first one is a doorbell, of the others none.
  assign do_push  = do_bar2 && addr[11] && addr[5:2] == '0 && fbe == 4'hf && (dwords > 11'd2 || lbe == 4'hf) && dwords != 11'd1;
  assign do_rest  = do_bar2 && addr[11] && addr[5:2] != '0;
  // Doorbells that came together: a quadword, part_q, at a time. One that misses a byte enable is none, and all but the last
  // go when their beat has come.
  logic [1:0] part_q, part_end;
  logic [2:0] halves;  // from the first quadword's beginning, modulo eight
  logic       part_in, part_ok, part_go, part_next, some_end, ragged, over;

  assign over      = addr[10:6] == '1 && {1'b0, addr[5:2]} + {1'b0, dwords[3:0]} > 5'd16;  // into the push lines
  assign do_some   = PUSH && do_bar2 && !addr[11] && dwords >= 11'd3 && dwords <= 11'd8 && !over;
  assign halves    = {2'b00, addr[2]} + dwords[2:0];
  assign part_end  = halves[2:1] - 2'd1;
  assign part_ok   = !(part_q == 2'd0 && (addr[2] || fbe != 4'hf)) && !(part_q == part_end && !halves[0] && lbe != 4'hf);
  assign part_in   = last_q || (part_q != part_end && 32'(beat_q) * BeatWords > 32'(part_q));
  assign part_next = part_in && !(part_ok && db_valid_o);
  assign part_go   = s1_valid_q && do_some && part_next && part_ok;
  assign some_end  = part_next && part_q == part_end;
  assign ragged    = addr[2] || dwords[0] || fbe != 4'hf || lbe != 4'hf;
  always_ff @(posedge clk_i) begin
    if (take && first_q) part_q <= 2'd0;
    else if (s1_valid_q && do_some && part_next) part_q <= part_q + 2'd1;
  end
  // The dwords of quadword part_q; when the first one begins in the middle of its own they are half a word back.
  logic [319:0] some;
  logic [63:0]  part;
  assign some = {wqe_q[191:0], data_q, 64'd0};
  assign part = addr[2] ? some[64*part_q+32+:64] : some[64*part_q+64+:64];

  assign db_bad   = has_data && is_mem && bar_q == 3'd2 && !do_db && !do_push && !do_rest && !do_some;
  assign do_write = has_data && mem_ok && bar_q != 3'd2 && !poisoned && dwords <= 11'd2;
  assign do_np    = is_np;
  assign do_read  = mem_ok && !has_data;
  // A doorbell in every second cycle: whoever takes them writes an index and asks a set, and has something else to do there as well.
  assign s1_go    = (!(do_write || do_np) || ent_ready_i) && !((do_db || do_push) && db_valid_o) && (!do_push || last_q) && (!do_some || some_end);

  // Whether a whole line's WQE is the one in front of the doorbell's index, and ends in the line.
  logic               whole, fits;
  logic [PuW-1:0]     buf_q;
  weft_abi_pkg::sqe_t h;
  assign h     = wqe_q[255:0];
  assign whole = PUSH && dwords == 11'd16 && lbe == 4'hf;
  assign fits  = h.index == data_q[47:32] - 16'd1 && (h.inline ? h.length <= 32'(weft_abi_pkg::PUSH_WQE_BYTES - weft_abi_pkg::SQE_BYTES) : h.num_sge <= 8'd1)
                 && (h.opcode <= weft_abi_pkg::SQ_OPCODE_READ || h.opcode == weft_abi_pkg::SQ_OPCODE_NOP || h.opcode == weft_abi_pkg::SQ_OPCODE_IMM);
  assign push_we_o  = s1_valid_q && s1_go && do_push && whole && fits;
  assign push_buf_o = buf_q;
  assign push_wqe_o = wqe_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) buf_q <= '0;
    else if (push_we_o) buf_q <= buf_q + PuW'(1);
  end

  // ------------------------------------------------------------ out
  logic [EntryW-1:0] ent;

  assign ent = {do_write ? 2'd0 : do_read ? 2'd1 : is_lock ? 2'd3 : 2'd2, bar_q[2:1],
                (is_mem || is_lock) ? addr[15:2] : 14'd0, dwords,
                fbe, lbe, id, has_data && is_mem ? data_q
                              : {46'd0, (is_mem || is_lock) ? lead[1:0] : 2'd0, 3'd0, np_bytes}};

  assign ent_valid_o = s1_valid_q && (do_write || do_np);
  assign ent_o       = ent;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      db_valid_o         <= 1'b0;
      stat_db_ignored_o  <= 1'b0;
      stat_req_dropped_o <= 1'b0;
      stat_req_ur_o      <= 1'b0;
    end else begin
      db_valid_o         <= (s1_valid_q && s1_go && (do_db || do_push)) || part_go;
      stat_db_ignored_o  <= s1_valid_q && (db_bad || (do_some && s1_go && ragged));
      stat_req_dropped_o <= s1_valid_q && !do_db && !do_push && !do_rest && !do_some && !db_bad && !do_write && !do_np;
      stat_req_ur_o      <= s1_valid_q && s1_go && do_np && !do_read;
    end
  end

  always_ff @(posedge clk_i) begin
    db_page_o <= addr[23:12];
    db_off_o  <= do_push ? 12'(weft_abi_pkg::DB_SQ) : {addr[11:3] + {7'd0, part_q}, 3'b000};
    db_data_o <= do_some ? part : data_q;
    db_line_o <= do_push;
    db_push_o <= push_we_o;
    db_buf_o  <= buf_q;
  end

  assign idle_o = !s1_valid_q && first_q && !db_valid_o;

`ifdef FORMAL_pcie_rx_req
  `include "pcie_rx_req.svh"
`endif

  logic unused;
  assign unused = ^{rx_req_data_i, h, span[0], hdr_q[17:15], addr[31:24], lead[2], hdr_q[65:64], hdr_q[97:96]};

endmodule
