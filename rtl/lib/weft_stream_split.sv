// SPDX-License-Identifier: BSD-2-Clause

/// Cuts one packet into consecutive pieces, each a lane-0-aligned packet of its own. Commands come
/// in order, each is taken ahead of its piece; `cut_last_i` is the last piece of the input packet, what
/// is left behind it is thrown away. A length of 0 makes an empty packet. A packet that ends too early
/// gives what is there with err, and err on every later piece of it. One piece or beat a cycle.
module weft_stream_split #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              cut_valid_i,
  output logic              cut_ready_o,
  input  logic [15:0]       cut_len_i,    ///< bytes
  input  logic              cut_last_i,

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,
  input  logic              in_err_i,     ///< with last: on the piece that holds or follows the last byte

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_err_o     ///< with last: too short, or in_err_i
);

  // The piece at work. Where it ends is counted from the first byte of the waiting beat, so that a beat
  // needs a comparison of its own bytes only, and the next one a step of the upper bits.
  logic            cut_q;    // there is one
  logic            cut_last_q;
  logic [16:0]     end_q, end_d;
  logic            near_q;   // end_q is less than two beats
  logic [CntW-1:0] pos_q;    // bytes of the waiting beat that are used up
  logic            drop_q;   // the rest of the packet is thrown away
  logic [CntW-1:0] stop, pos, take;
  logic            ends, exact, short_end, piece_end, beat_end, pk_valid, pk_ready, go;

  assign ends      = near_q && end_q[CntW-1:0] <= in_cnt_i;
  assign exact     = end_q[CntW-1:0] == in_cnt_i;      // with ends
  assign stop      = ends ? end_q[CntW-1:0] : in_cnt_i;
  assign take      = stop - pos_q;
  assign short_end = !ends && in_last_i;
  assign piece_end = ends || in_last_i;
  // The last beat stays until the last command has been answered.
  assign beat_end  = in_last_i ? cut_last_q : (!ends || exact || cut_last_q);
  assign pos       = beat_end ? '0 : stop;             // after this step
  assign end_d     = 17'(cut_q ? pos : pos_q) + 17'(cut_len_i);

  assign pk_valid    = in_valid_i && cut_q && !drop_q;
  assign go          = pk_valid && pk_ready;
  assign in_ready_o  = drop_q || (cut_q && pk_ready && beat_end);
  assign cut_ready_o = !cut_q || (go && piece_end);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cut_q  <= 1'b0;
      pos_q  <= '0;
      drop_q <= 1'b0;
    end else begin
      if (cut_ready_o) cut_q <= cut_valid_i;
      if (drop_q) begin
        if (in_valid_i && in_last_i) drop_q <= 1'b0;
      end else if (go) begin
        pos_q  <= pos;
        drop_q <= piece_end && cut_last_q && !in_last_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (cut_ready_o) begin
      cut_last_q <= cut_last_i;
      end_q      <= end_d;
      near_q     <= end_d[16:CntW] == '0;
    end else if (go) begin
      near_q          <= end_q[16:LaneW] <= (17 - LaneW)'(2);
      end_q[16:LaneW] <= end_q[16:LaneW] - 1'b1;
    end
  end

  weft_stream_pack #(.DATA_W(DATA_W), .PRE(1'b0)) u_pack (
    .clk_i, .rst_ni,
    .in_valid_i(pk_valid), .in_ready_o(pk_ready), .in_data_i,
    // A used-up last beat has off = Bytes and no bytes: any lane will do.
    .in_off_i(pos_q[LaneW-1:0]), .in_cnt_i(take),
    .in_sure_i(!piece_end), .in_final_i(piece_end),
    .in_err_i(short_end || (in_last_i && in_err_i && (exact || cut_last_q))),
    .in_pre_i(1'b0), .in_pre_cnt_i('0), .in_pre_data_i('0),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_err_o
  );

endmodule
