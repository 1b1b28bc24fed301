// SPDX-License-Identifier: BSD-2-Clause

/// Swallows frames between gathering and the frame buffer: while `kill_i` is high for the frame at
/// the input, the input never waits, whatever the buffer does, so that gathering ends by answers of
/// the bus alone. A frame of which no beat was passed on vanishes; of one that is cut in its middle
/// a last beat follows with `out_cut_o`, for the buffer to throw it away. One beat a cycle.
///
/// A frame that was begun to be swallowed is swallowed to its end.
module weft_l2_cut #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              kill_i,      ///< of the frame at the input
  input  logic              side_ok_i,   ///< what is known of this frame is here; with its last beat, all
  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_cut_o,   ///< this beat ends a frame that was cut

  output logic              end_o,       ///< pulse: the last beat of a frame was taken
  output logic              end_pass_o,  ///< with it: the frame went, or will go, to the output
  output logic              idle_o
);

  logic mid_q, kill_q, cut_q, kill, fire;

  assign kill        = kill_i || kill_q;
  assign in_ready_o  = side_ok_i && (kill || (out_ready_i && !cut_q));
  assign fire        = in_valid_i && in_ready_o;
  assign out_valid_o = cut_q || (in_valid_i && side_ok_i && !kill);
  assign out_data_o  = cut_q ? '0 : in_data_i;
  assign out_cnt_o   = cut_q ? CntW'(1) : in_cnt_i;
  assign out_last_o  = cut_q || in_last_i;
  assign out_cut_o   = cut_q;
  assign end_o       = fire && in_last_i;
  assign end_pass_o  = !kill || mid_q;
  assign idle_o      = !cut_q && !mid_q && !kill_q;

  // mid_q: beats of the frame at the input were passed on; cut_q: the last frame that was, wants an end.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mid_q  <= 1'b0;
      kill_q <= 1'b0;
      cut_q  <= 1'b0;
    end else begin
      if (cut_q && out_ready_i) cut_q <= 1'b0;
      if (fire) begin
        mid_q  <= !in_last_i && (mid_q || !kill);
        kill_q <= !in_last_i && kill;
        if (kill && mid_q && in_last_i) cut_q <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(cut_q && mid_q));
  end
`endif

endmodule
