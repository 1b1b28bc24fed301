// SPDX-License-Identifier: BSD-2-Clause

/// Drops the first `cmd_drop_i` bytes of each packet, keeps the next `cmd_len_i` and throws the rest
/// away; the output is lane-0 aligned. One command a packet, in order, taken with the packet's last
/// beat. A packet that is too short gives what is there with err. One beat a cycle.
module weft_stream_strip #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              cmd_valid_i,
  output logic              cmd_ready_o,
  input  logic [15:0]       cmd_drop_i,
  input  logic [15:0]       cmd_len_i,   ///< 0 gives an empty packet

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,
  input  logic              in_err_i,    ///< with last

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_err_o    ///< with last: too short; in_err_i only when the kept bytes
                                         ///< reach into the last beat
);

  logic [15:0]     skipped_q, done_q, skip, left;
  logic            over_q;        // everything kept is out, the rest is thrown away
  logic            skip_beat, skip_here, ends, final_beat, pk_valid, pk_ready, accept;
  logic [CntW-1:0] off, avail, take;

  assign skip      = cmd_drop_i - skipped_q;
  assign left      = cmd_len_i - done_q;
  // This beat lies before the first kept byte (a packet's last beat is looked at in any case).
  assign skip_beat = skip >= 16'(Bytes) && !in_last_i;
  assign skip_here = skip >= 16'(in_cnt_i);
  assign off       = skip_here ? in_cnt_i : skip[CntW-1:0];
  assign avail     = in_cnt_i - off;
  assign ends      = left <= 16'(avail) && skip <= 16'(in_cnt_i);
  assign take      = ends ? left[CntW-1:0] : avail;
  assign final_beat = ends || in_last_i;

  assign pk_valid    = in_valid_i && cmd_valid_i && !over_q && !skip_beat;
  assign accept      = in_valid_i && in_ready_o;
  assign in_ready_o  = cmd_valid_i && (over_q || skip_beat || pk_ready);
  assign cmd_ready_o = accept && in_last_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      skipped_q <= '0;
      done_q    <= '0;
      over_q    <= 1'b0;
    end else if (accept) begin
      if (in_last_i) begin
        skipped_q <= '0;
        done_q    <= '0;
        over_q    <= 1'b0;
      end else if (!over_q) begin
        skipped_q <= skipped_q + (skip_beat ? 16'(Bytes) : 16'(off));
        done_q    <= done_q + (skip_beat ? 16'd0 : 16'(take));
        over_q    <= !skip_beat && final_beat;
      end
    end
  end

  weft_stream_pack #(.DATA_W(DATA_W), .PRE(1'b0)) u_pack (
    .clk_i, .rst_ni,
    .in_valid_i(pk_valid), .in_ready_o(pk_ready), .in_data_i,
    .in_off_i(off[LaneW-1:0]), .in_cnt_i(take),
    .in_sure_i(!final_beat), .in_final_i(final_beat),
    .in_err_i(in_last_i && (!ends || in_err_i)),
    .in_pre_i(1'b0), .in_pre_cnt_i('0), .in_pre_data_i('0),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_err_o
  );

endmodule
