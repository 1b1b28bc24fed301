// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Store-and-forward packet FIFO. A packet shows at the output only after its last beat was
/// accepted with `in_drop_i` low; with it high the whole packet is discarded and its room is free
/// again at once. One beat in and one out a cycle.
///
/// No room: with DROP_ON_FULL the packet that finds none (beats, or MAX_PKTS packets inside) is
/// swallowed to its end and discarded, with a pulse of `stat_overflow_o`, and `in_ready_o` is always
/// high; else the input waits. A packet that can never fit (longer than DEPTH beats) is discarded
/// and counted in both cases, so nothing hangs.
module weft_pkt_fifo #(
  parameter int unsigned DATA_W = 64,       ///< bits of a beat
  parameter int unsigned DEPTH = 512,       ///< beats, a power of two, 4 or more
  parameter int unsigned META_W = 1,        ///< sideband bits of a packet, 1 or more
  parameter int unsigned MAX_PKTS = 32,     ///< packets inside, a power of two, 2 or more
  parameter bit          DROP_ON_FULL = 0,  ///< discard instead of waiting
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned AddrW = $clog2(DEPTH)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,
  input  logic              in_drop_i,    ///< with last: discard this packet
  input  logic [META_W-1:0] in_meta_i,    ///< with last

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic [META_W-1:0] out_meta_o,   ///< the same on every beat of a packet

  output logic [AddrW:0]    free_o,       ///< beats that still fit, 0 to DEPTH
  output logic              empty_o,      ///< nothing inside, not even part of a packet
  output logic              stat_drop_o,     ///< pulse: a packet left by in_drop_i
  output logic              stat_overflow_o  ///< pulse: a packet was discarded for want of room
);

  localparam int unsigned WordW = DATA_W + CntW + 1;

  // One more bit than the address: equal pointers are empty, a difference of DEPTH is full.
  logic [AddrW:0] wptr_q, commit_q, rptr_q, used;
  logic           discard_q;  // rest of a packet that found no room
  logic           full, room_meta, hopeless, take, give_up, overflow;
  // The sideband goes into its FIFO a cycle later, still ahead of the packet's first beat: it may be
  // wide, and whether it is taken is known late.
  logic              mpush_q;
  logic [META_W-1:0] meta_q;
  logic [$clog2(MAX_PKTS):0] meta_count;
  logic           commit, re, room, busy, stage_valid, meta_valid;
  logic [WordW-1:0] rdata, head;

  assign room_meta = meta_count + ($clog2(MAX_PKTS) + 1)'(mpush_q) < ($clog2(MAX_PKTS) + 1)'(MAX_PKTS);

  assign used     = wptr_q - rptr_q;
  assign full     = used[AddrW];
  assign free_o   = (AddrW + 1)'(DEPTH) - used;
  assign empty_o  = used == '0 && !stage_valid && !busy && !discard_q;
  // Only this unfinished packet is inside: it will never fit.
  assign hopeless = full && commit_q == rptr_q;

  assign give_up    = DROP_ON_FULL ? (full || (in_last_i && !in_drop_i && !room_meta)) : hopeless;
  assign overflow   = in_valid_i && !discard_q && give_up;
  assign in_ready_o = discard_q || give_up || (!full && room_meta);
  assign take       = in_valid_i && in_ready_o && !discard_q && !give_up;
  assign commit     = take && in_last_i && !in_drop_i;

  assign stat_overflow_o = overflow;
  assign stat_drop_o     = take && in_last_i && in_drop_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q    <= '0;
      commit_q  <= '0;
      rptr_q    <= '0;
      discard_q <= 1'b0;
      mpush_q   <= 1'b0;
    end else begin
      mpush_q <= commit;
      if (overflow || stat_drop_o) wptr_q <= commit_q;
      else if (take) wptr_q <= wptr_q + 1'b1;
      if (commit) commit_q <= wptr_q + 1'b1;
      if (in_valid_i && in_ready_o) discard_q <= (discard_q || give_up) && !in_last_i;
      if (re) rptr_q <= rptr_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) meta_q <= in_meta_i;

  assign re = room && rptr_q != commit_q;

  weft_ram_1r1w #(.W(WordW), .DEPTH(DEPTH)) u_ram (
    .clk_i, .we_i(take), .waddr_i(wptr_q[AddrW-1:0]), .wdata_i({in_last_i, in_cnt_i, in_data_i}),
    .re_i(re), .raddr_i(rptr_q[AddrW-1:0]), .rdata_o(rdata)
  );

  weft_fifo_stage #(.W(WordW)) u_stage (
    .clk_i, .rst_ni, .room_o(room), .busy_o(busy), .re_i(re), .rdata_i(rdata),
    .byp_valid_i(1'b0), .byp_data_i('0),
    .out_valid_o(stage_valid), .out_ready_i(out_ready_i && meta_valid), .out_data_o(head)
  );

  assign out_valid_o = stage_valid && meta_valid;
  assign {out_last_o, out_cnt_o, out_data_o} = head;

  weft_fifo #(.W(META_W), .DEPTH(MAX_PKTS)) u_meta (
    .clk_i, .rst_ni,
    .in_valid_i(mpush_q), .in_ready_o(), .in_data_i(meta_q),
    .out_valid_o(meta_valid), .out_ready_i(stage_valid && out_ready_i && out_last_o),
    .out_data_o(out_meta_o), .count_o(meta_count)
  );

`ifndef SYNTHESIS
  initial begin
    if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) $fatal(1, "weft_pkt_fifo: DEPTH");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
