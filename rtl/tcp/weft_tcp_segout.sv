// SPDX-License-Identifier: BSD-2-Clause

/// Frames: the header, and behind it the segment's bytes, which stand in their buffer where the header's end leaves
/// them: the first beat of a segment has a hole for the header's last bytes. A beat a cycle, also between frames.
// lint: -GDATA_W=128
module weft_tcp_segout #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1,
  localparam int unsigned HdrW = 8 * weft_tcp_seg_pkg::HdrMax
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              hdr_valid_i,
  output logic              hdr_ready_o,   ///< with the frame's last beat
  input  logic [HdrW-1:0]   hdr_data_i,
  input  logic [6:0]        hdr_len_i,
  input  logic              hdr_body_i,
  input  logic              hdr_drop_i,
  input  logic [9:0]        hdr_link_i,
  input  logic              body_valid_i,
  output logic              body_ready_o,
  input  logic [DATA_W-1:0] body_data_i,
  input  logic [CntW-1:0]   body_cnt_i,    ///< the hole counts
  input  logic              body_last_i,

  output logic              frm_valid_o,
  input  logic              frm_ready_i,
  output logic [DATA_W-1:0] frm_data_o,
  output logic [CntW-1:0]   frm_cnt_o,
  output logic              frm_last_o,
  output logic [9:0]        frm_link_o,
  output logic              idle_o
);

  localparam int unsigned Beats = (weft_tcp_seg_pkg::HdrMax + Bytes - 1) / Bytes;
  localparam int unsigned BeatW = $clog2(Beats);

  logic [Beats*DATA_W-1:0] hdr;
  logic [BeatW-1:0]        beat_q, whole;
  logic [LaneW-1:0]        rest;
  logic                    mid_q, in_hdr, valid, ready, last, fire;
  logic [DATA_W-1:0]       hdr_beat, data;
  logic [CntW-1:0]         cnt;

  assign hdr      = (Beats * DATA_W)'(hdr_data_i);
  assign whole    = BeatW'(hdr_len_i >> LaneW);
  assign rest     = hdr_len_i[LaneW-1:0];
  assign hdr_beat = hdr[beat_q*DATA_W+:DATA_W];
  assign in_hdr   = !hdr_drop_i && !mid_q && beat_q != whole;  // a beat of header alone
  assign last     = !in_hdr && (!hdr_body_i || body_last_i);
  assign cnt      = in_hdr ? CntW'(Bytes) : hdr_body_i ? body_cnt_i : {1'b0, rest};
  assign valid    = hdr_valid_i && (in_hdr || !hdr_body_i || body_valid_i);
  assign fire     = valid && (ready || hdr_drop_i);

  always_comb begin
    data = 'x;
    if (hdr_valid_i) begin
      data = body_data_i;
      if (!mid_q) begin
        for (int unsigned i = 0; i < Bytes; i++) begin
          if (in_hdr || CntW'(i) < {1'b0, rest}) data[8*i+:8] = hdr_beat[8*i+:8];
        end
      end
    end
  end

  assign hdr_ready_o  = fire && last;
  assign body_ready_o = fire && !in_hdr && hdr_body_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      mid_q  <= 1'b0;
    end else if (fire) begin
      beat_q <= last ? '0 : in_hdr ? beat_q + 1'b1 : beat_q;
      mid_q  <= !last && !in_hdr;
    end
  end

  weft_skid #(.W(10 + DATA_W + CntW + 1)) u_out (
    .clk_i, .rst_ni, .in_valid_i(valid && !hdr_drop_i), .in_ready_o(ready),
    .in_data_i({hdr_link_i, last, cnt, data}),
    .out_valid_o(frm_valid_o), .out_ready_i(frm_ready_i), .out_data_o({frm_link_o, frm_last_o, frm_cnt_o, frm_data_o})
  );
  assign idle_o = !hdr_valid_i && !frm_valid_o;

endmodule
