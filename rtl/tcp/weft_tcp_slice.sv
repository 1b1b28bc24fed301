// SPDX-License-Identifier: BSD-2-Clause

/// Second part of the slicer: cuts FPDUs into segments, a chunk of a beat a cycle, and lets go what no
/// plan wants. A segment boundary inside a beat, and the end of a segment that waited for an FPDU which
/// then did not fit, cost a cycle.
///
/// A segment ends when it has `mss` bytes, and with the part of the FPDU that leaves; but it stays open
/// for the next FPDU when one is known to come that joins (`joined_i`, or `byte_more_i` with the last beat). That one
/// is appended when it leaves whole, follows without a gap, fits, and has the same slot, shape and ask.
/// The end of a segment is told only with the last beat of its FPDU, or when it is full: so bytes that
/// turn out bad (`byte_err_i`) take the open segment with them. What of a longer FPDU was cut off before has left then.
///
/// A segment holds at most one pin; those of FPDUs that were appended are dropped at once (`drop_*`). An FPDU that ends
/// without an open segment leaves a record `none`, which carries its pin, its ask and `cut`.
// lint: -GDATA_W=128
module weft_tcp_slice #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  localparam int unsigned LaneW = $clog2(DATA_W / 8),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  logic                     plan_valid_i,
  output logic                     plan_ready_o,   ///< with the last beat of its FPDU
  input  weft_tcp_seg_pkg::plan_t  plan_i,
  input  logic                     joined_i,
  input  logic                     byte_valid_i,
  output logic                     byte_ready_o,
  input  logic [DATA_W-1:0]        byte_data_i,
  input  logic [CntW-1:0]          byte_cnt_i,
  input  logic                     byte_last_i,
  input  logic                     byte_err_i,
  input  logic                     byte_more_i,

  /// Chunks for the segment buffer.
  output logic                     ch_valid_o,
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
  input  logic                     rec_ready_i,
  output weft_tcp_seg_pkg::rec_t   rec_o,

  output logic                     drop_valid_o,
  input  logic                     drop_ready_i,
  output logic [11:0]              drop_slot_o,

  output logic                     idle_o,
  output logic                     stat_joined_o,  ///< pulse: an FPDU was appended to a segment
  output logic                     stat_let_go_o   ///< pulse: bytes that were built do not leave
);

  // ---------------------------------------------------------------- state
  logic                    mid_q;         // in the middle of a packet
  logic [15:0]             skip_q, keep_q;
  logic [CntW-1:0]         lo_q;          // bytes of this beat that are done
  logic                    open_q;        // a segment is open
  logic                    fill_q;        // bytes of this packet are in it
  logic [15:0]             room_q;
  logic [63:0]             end_q;         // offset behind what was cut so far
  logic                    pin_q;
  weft_tcp_seg_pkg::rec_t  seg_q, seg;

  // ---------------------------------------------------------------- does this FPDU go on with the open segment?
  logic same, fits, close_first;
  assign same        = plan_i.slot == seg_q.slot && plan_i.shape == seg_q.shape && plan_i.again == seg_q.again &&
                       plan_i.ask_id == seg_q.ask_id && plan_i.gen == seg_q.gen;
  assign fits        = plan_i.joins && plan_i.whole && plan_i.keep != '0 && plan_i.keep <= room_q &&
                       plan_i.off == end_q && same;
  assign close_first = plan_valid_i && !mid_q && open_q && !fits;

  // ---------------------------------------------------------------- this beat
  logic [15:0]     skip, keep, room, keep_d, room_d, len;
  logic [CntW-1:0] avail, gap, rest, keep_c, room_c, most, take;
  logic            starts, swallow, last_part, done, full, ends, stay, final_seg, err, work, fire, push, none, extra;

  function automatic logic [CntW-1:0] cap(input logic [15:0] v);
    cap = v[15:LaneW] != '0 ? CntW'(DATA_W / 8) : {1'b0, v[LaneW-1:0]};
  endfunction

  assign skip   = mid_q ? skip_q : plan_i.skip;
  assign keep   = mid_q ? keep_q : plan_i.keep;
  assign room   = open_q ? room_q : plan_i.mss;
  assign avail  = byte_cnt_i - lo_q;
  assign gap    = skip[15:LaneW] != '0 || {1'b0, skip[LaneW-1:0]} > avail ? avail : {1'b0, skip[LaneW-1:0]};
  assign rest   = avail - gap;
  assign keep_c = cap(keep);
  assign room_c = cap(room);
  assign most   = keep_c < room_c ? keep_c : room_c;
  assign take   = rest < most ? rest : most;
  assign keep_d = keep - 16'(take);
  assign room_d = room - 16'(take);

  // Bytes that nobody wants go a beat at a time.
  assign swallow   = keep_d == '0;
  assign last_part = swallow || rest == take;                 // the beat is done
  assign done      = last_part && byte_last_i;                // and with it the packet
  // A packet that ends too early is not good.
  assign err       = done && (byte_err_i || keep_d != '0);
  assign starts    = !open_q && take != '0;
  assign full      = room_d == '0 && (take != '0 || open_q) && !err;
  assign ends      = done && (open_q || take != '0);
  assign stay      = ends && !err && plan_i.to_end && room_d != '0 && (joined_i || byte_more_i);
  assign final_seg = full || (ends && !stay);

  assign work  = byte_valid_i && plan_valid_i && !close_first;
  assign fire  = (work || close_first) && ch_ready_i && rec_ready_i && drop_ready_i;
  assign extra = ends && pin_q;  // a second pin for this segment
  assign none  = work && done && !ends;

  // ---------------------------------------------------------------- the segment
  assign len = (open_q ? seg_q.len : 16'd0) + 16'(take);
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
      end
      if (none || (ends && err)) begin
        // Nothing of it leaves: what was in the segment is asked for again as well.
        seg.none = 1'b1;
        seg.len  = '0;
      end
    end
  end

  assign push = close_first || none || final_seg;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mid_q  <= 1'b0;
      open_q <= 1'b0;
      fill_q <= 1'b0;
      lo_q   <= '0;
      pin_q  <= 1'b0;
    end else if (fire) begin
      if (close_first) begin
        open_q <= 1'b0;
        pin_q  <= 1'b0;
      end else begin
        mid_q  <= !done;
        lo_q   <= last_part ? '0 : lo_q + gap + take;
        open_q <= (open_q || take != '0) && !final_seg;
        fill_q <= !done && (fill_q || take != '0);
        pin_q  <= !final_seg && (pin_q || (ends && stay));
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire && !close_first) begin
      skip_q <= skip - 16'(gap);
      keep_q <= keep_d;
      room_q <= room_d;
      seg_q  <= seg;
      if (take != '0) end_q <= (fill_q || open_q ? end_q : plan_i.off) + 64'(take);
    end
  end

  // ---------------------------------------------------------------- ports
  logic none_c;
  assign none_c       = close_first ? 1'b0 : none;
  assign byte_ready_o = fire && !close_first && last_part;
  assign plan_ready_o = fire && !close_first && done;

  assign ch_valid_o = (close_first || (work && (take != '0 || final_seg))) && rec_ready_i && drop_ready_i;
  assign ch_data_o  = byte_data_i;
  assign ch_off_o   = close_first ? '0 : LaneW'(lo_q + gap);
  assign ch_cnt_o   = close_first ? '0 : take;
  assign ch_first_o = !close_first && starts;
  assign ch_pre_o   = plan_i.hdr_len[LaneW-1:0];
  assign ch_odd_o   = !close_first && open_q && seg_q.len[0];
  assign ch_sure_o  = !close_first && !final_seg && keep_d != '0 && room_d != '0;
  assign ch_final_o = close_first || final_seg;
  assign ch_err_o   = !close_first && ends && err;

  assign rec_valid_o = (close_first || (work && (none_c || final_seg))) && ch_ready_i && drop_ready_i;
  assign rec_o       = seg;

  assign drop_valid_o = work && extra && ch_ready_i && rec_ready_i;
  assign drop_slot_o  = plan_i.slot;

  assign idle_o        = !open_q && !mid_q && !plan_valid_i;
  assign stat_joined_o = fire && !close_first && !mid_q && open_q;
  assign stat_let_go_o = fire && push && rec_o.cut;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && work && done && !byte_err_i)
      assert (keep_d == '0) else $error("%m: a packet is shorter than its FPDU");
  end
`endif

endmodule
