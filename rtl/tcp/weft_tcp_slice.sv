// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Third part of the slicer: cuts what leaves of FPDUs into segments, a chunk of a beat a cycle. A segment boundary inside a
/// beat, and the end of a segment that waited for an FPDU which then did not fit, cost a cycle.
///
/// A segment ends when it has `mss` bytes, and with the part of the FPDU that leaves; but it stays open
/// for the next FPDU when one is known to come that joins (`joined_i`, or `more` with the end of the packet). That one
/// is appended when its plan allows it (`app`) and there is room for all of it.
/// The end of a segment is told only with the end of its packet, or when it is full: so bytes that
/// turn out bad (`err`) take the open segment with them. What of a longer FPDU was cut off before has left then.
///
/// One that is full inside an FPDU ends a byte earlier where the next one would begin at a multiple of four from the FPDU's start (weft_tcp_plan).
///
/// A segment holds at most one pin; those of FPDUs that were appended are dropped at once (`drop_*`). An FPDU that ends
/// without an open segment leaves a record `none`, which carries its pin, its ask and `cut`.
module weft_tcp_slice #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  localparam int unsigned LaneW = $clog2(DATA_W / 8),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  logic                     in_valid_i,
  output logic                     in_ready_o,
  input  logic [DATA_W-1:0]        in_data_i,
  input  logic [LaneW-1:0]         in_off_i,
  input  logic [CntW-1:0]          in_cnt_i,
  input  weft_tcp_seg_pkg::bite_t  in_i,
  input  weft_tcp_seg_pkg::plan_t  plan_i,
  input  logic                     joined_i,

  /// Chunks for the segment buffer, a cycle behind their record.
  output logic                     ch_valid_o,  ///< registered
  input  logic                     ch_ready_i,
  output logic [DATA_W-1:0]        ch_data_o,
  output logic [LaneW-1:0]         ch_off_o,    ///< lane of the first byte
  output logic [CntW-1:0]          ch_cnt_o,
  output logic                     ch_first_o,  ///< begins a segment, behind ch_pre_o bytes of header
  output logic [LaneW-1:0]         ch_pre_o,
  output logic                     ch_odd_o,    ///< an odd number of bytes of the segment came before
  output logic                     ch_sure_o,
  output logic                     ch_final_o,
  output logic                     ch_err_o,    ///< with final: forget the segment

  output logic                     rec_valid_o,
  input  logic                     rec_ready_i, ///< registered
  output weft_tcp_seg_pkg::rec_t   rec_o,

  output logic                     drop_valid_o,
  input  logic                     drop_ready_i, ///< registered
  output logic [11:0]              drop_slot_o,

  output logic                     idle_o,
  output logic                     stat_joined_o,  ///< pulse: an FPDU was appended to a segment
  output logic                     stat_let_go_o   ///< pulse: bytes that were built do not leave
);

  // ---------------------------------------------------------------- state
  logic                    open_q;        // a segment is open
  logic                    fill_q;        // bytes of this packet have been cut
  logic                    pin_q;         // the open segment holds a pin
  logic                    split_q;       // the first part of this beat is done
  logic [LaneW-1:0]        off_q;         // the rest of it
  logic [CntW-1:0]         cnt_q;
  logic [15:0]             room_q, next_q; // of the open segment; of one that begins next in this packet
  logic [15:0]             pos_q;         // bytes of the FPDU up to there
  logic [63:0]             end_q;         // offset behind what was cut so far
  weft_tcp_seg_pkg::rec_t  seg_q, seg;

  // ---------------------------------------------------------------- this beat
  logic [LaneW-1:0] lane;
  logic [CntW-1:0]  cnt, take;
  logic [15:0]      room, room_d, len, pos_d;
  logic             fits, close_first, over, full, done, err, has, ends, stay, final_seg, none, extra, ch_room, go, fire, push;

  assign fits        = plan_i.app && plan_i.stop <= room_q;
  assign close_first = in_i.first && !split_q && open_q && !fits;

  assign lane = split_q ? off_q : in_off_i;
  assign cnt  = split_q ? cnt_q : in_cnt_i;
  assign room = open_q ? room_q : fill_q ? next_q : plan_i.room;
  assign pos_d = (fill_q ? pos_q : plan_i.skip) + 16'(take);
  assign over = 16'(cnt) > room;
  assign take = over ? room[CntW-1:0] : cnt;
  assign done = in_i.done && !over;
  assign err  = done && in_i.err;
  assign has  = open_q || cnt != '0;
  assign full = 16'(cnt) >= room && !err;
  assign ends = done && has;
  assign stay = ends && !err && plan_i.to_end && !full && (joined_i || in_i.more);

  assign final_seg = full || (ends && !stay);
  assign extra     = ends && pin_q;
  assign none      = done && !has;
  assign push      = close_first || none || final_seg;
  assign go        = ch_room && rec_ready_i && drop_ready_i;
  assign fire      = in_valid_i && go;
  assign room_d    = room - 16'(take);
  assign len       = (open_q ? seg_q.len : 16'd0) + 16'(take);

  // ---------------------------------------------------------------- the segment
  always_comb begin
    seg = seg_q;
    if (!close_first) begin
      if (!open_q) begin
        seg         = '0;
        seg.slot    = plan_i.slot;
        seg.off     = fill_q ? end_q : plan_i.off;
        seg.shape   = plan_i.shape;
        seg.hdr_len = plan_i.hdr_len;
        seg.again   = plan_i.again;
        seg.ask_id  = plan_i.ask_id;
        seg.gen     = plan_i.gen;
      end
      seg.len = len;
      if (done) begin
        seg.psh      = seg.psh || (plan_i.psh && plan_i.to_end && !err);
        seg.ask_done = seg.ask_done || plan_i.ask_done;
        seg.cut      = seg.cut || plan_i.cut || err;
        seg.pin      = 1'b1;
        // Nothing of it leaves: what was in the segment is asked for again as well.
        if (!has || err) begin
          seg.none = 1'b1;
          seg.len  = '0;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q  <= 1'b0;
      fill_q  <= 1'b0;
      pin_q   <= 1'b0;
      split_q <= 1'b0;
    end else if (fire) begin
      open_q <= !close_first && has && !final_seg;
      pin_q  <= !close_first && !final_seg && (pin_q || ends);
      if (!close_first) begin
        fill_q  <= !done && (fill_q || cnt != '0);
        split_q <= over;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire && !close_first) begin
      off_q  <= lane + take[LaneW-1:0];
      cnt_q  <= cnt - take;
      room_q <= room_d;
      pos_q  <= pos_d;
      next_q <= weft_tcp_seg_pkg::room(pos_d, plan_i.stop, plan_i.mss);
      seg_q  <= seg;
      end_q  <= (fill_q || open_q ? end_q : plan_i.off) + 64'(take);
    end
  end

  // ---------------------------------------------------------------- ports
  assign in_ready_o   = go && !close_first && !over;
  assign rec_valid_o  = in_valid_i && push && ch_room && drop_ready_i;
  assign rec_o        = seg;
  assign drop_valid_o = in_valid_i && extra && !close_first && ch_room && rec_ready_i;
  assign drop_slot_o  = plan_i.slot;

  weft_skid #(.W(DATA_W + LaneW + CntW + LaneW + 5)) u_chunk (
    .clk_i, .rst_ni,
    .in_valid_i(in_valid_i && rec_ready_i && drop_ready_i && (close_first || cnt != '0 || final_seg)), .in_ready_o(ch_room),
    .in_data_i({in_data_i, lane, close_first ? CntW'(0) : take, plan_i.hdr_len[LaneW-1:0], !close_first && !open_q,
                !close_first && open_q && seg_q.len[0], !close_first && !final_seg && !in_i.last, close_first || final_seg,
                !close_first && err}),
    .out_valid_o(ch_valid_o), .out_ready_i(ch_ready_i),
    .out_data_o({ch_data_o, ch_off_o, ch_cnt_o, ch_pre_o, ch_first_o, ch_odd_o, ch_sure_o, ch_final_o, ch_err_o})
  );

  logic unused;
  assign unused = ^plan_i;

  assign idle_o        = !open_q && !in_valid_i && !ch_valid_o;
  assign stat_joined_o = fire && in_i.first && !split_q && open_q && fits;
  assign stat_let_go_o = fire && push && rec_o.cut;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
