// SPDX-License-Identifier: BSD-2-Clause

/// Drops the first `cmd_drop_i` bytes of each packet, keeps the next `cmd_len_i` and throws the rest
/// away; the output is lane-0 aligned. One command a packet, in order, taken ahead of its packet: a
/// packet's first beat waits until the cycle after its command came. A packet that is too short gives
/// what is there with err. One beat a cycle.
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
  output logic              out_err_o,   ///< with last: too short; in_err_i only when the kept bytes
                                         ///< reach into the last beat
  output logic              idle_o       ///< no command inside
);

  localparam int unsigned BeatW = 17 - LaneW;

  // ------------------------------------------------ the command, cut into beats when it is taken
  // Nothing is subtracted when a beat comes: whether it is the first or the last of interest, and how
  // many of its bytes are kept, is known from counters of whole beats.
  logic             cmd_q;              // there is one
  logic             before_q, start_q;  // the next beat lies before the first kept byte, or holds it
  logic             end_q;              // the next beat, when not before, holds the last kept byte
  logic             exact_q;            // the kept bytes end with a beat
  logic             over_q;             // everything kept is out, the rest is thrown away
  logic             empty_q;            // nothing is kept
  logic [BeatW-1:0] pre_q, run_q;       // beats to go: before the first kept byte, to the last one
  logic [LaneW-1:0] off_q;              // lane of the first kept byte
  logic [CntW-1:0]  lim_q;              // lanes up to the last kept byte
  logic [CntW-1:0]  one_q, head_q;      // bytes of the first beat: when it is the last one, when not
  logic [16:0]      span;

  assign span = 17'(cmd_drop_i[LaneW-1:0]) + 17'(cmd_len_i);

  // ------------------------------------------------ a beat
  logic             skip_beat, ends, short_end, final_beat, pk_valid, pk_ready, accept;
  logic [CntW-1:0]  off, part, take;

  // A packet's last beat is looked at in any case.
  assign skip_beat  = before_q && !in_last_i;
  assign off        = start_q ? CntW'(off_q) : '0;
  // Before its first kept byte only an empty packet ends, at the very end of the beat.
  assign ends       = before_q ? empty_q && pre_q == BeatW'(1) && off_q == '0 && in_cnt_i[LaneW]
                               : end_q && (!in_last_i || in_cnt_i >= lim_q);
  assign short_end  = in_last_i && !ends;
  assign part       = (before_q || in_cnt_i < off) ? '0 : in_cnt_i - off;
  assign take       = short_end ? part : before_q ? '0 :
                      start_q ? (end_q ? one_q : head_q) : (end_q ? lim_q : CntW'(Bytes));
  assign final_beat = ends || in_last_i;

  assign pk_valid    = in_valid_i && cmd_q && !over_q && !skip_beat;
  assign accept      = in_valid_i && in_ready_o;
  assign in_ready_o  = cmd_q && (over_q || skip_beat || pk_ready);
  assign cmd_ready_o = !cmd_q || (accept && in_last_i);
  assign idle_o      = !cmd_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cmd_q <= 1'b0;
    else if (cmd_ready_o) cmd_q <= cmd_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (cmd_ready_o) begin
      before_q <= cmd_drop_i[15:LaneW] != '0;
      start_q  <= 1'b1;
      end_q    <= span <= 17'(Bytes);
      exact_q  <= span[LaneW-1:0] == '0;
      over_q   <= 1'b0;
      empty_q  <= cmd_len_i == '0;
      pre_q    <= BeatW'(cmd_drop_i[15:LaneW]);
      run_q    <= span[16:LaneW];
      off_q    <= cmd_drop_i[LaneW-1:0];
      lim_q    <= {span[LaneW-1:0] == '0 && span != '0, span[LaneW-1:0]};
      one_q    <= cmd_len_i[CntW-1:0];
      head_q   <= CntW'(Bytes) - CntW'(cmd_drop_i[LaneW-1:0]);
    end else if (accept && !over_q) begin
      if (before_q) begin
        before_q <= pre_q != BeatW'(1);
        pre_q    <= pre_q - 1'b1;
      end else begin
        start_q <= 1'b0;
        end_q   <= run_q == BeatW'(1) || (run_q == BeatW'(2) && exact_q);
        run_q   <= run_q - 1'b1;
        over_q  <= ends;
      end
    end
  end

  weft_stream_pack #(.DATA_W(DATA_W), .PRE(1'b0)) u_pack (
    .clk_i, .rst_ni,
    .in_valid_i(pk_valid), .in_ready_o(pk_ready), .in_data_i,
    .in_off_i(off[LaneW-1:0]), .in_cnt_i(take),
    .in_sure_i(!final_beat), .in_final_i(final_beat),
    .in_err_i(in_last_i && (short_end || in_err_i)),
    .in_pre_i(1'b0), .in_pre_cnt_i('0), .in_pre_data_i('0),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .out_err_o
  );

endmodule
