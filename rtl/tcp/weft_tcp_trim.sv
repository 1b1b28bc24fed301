// SPDX-License-Identifier: BSD-2-Clause

/// Second part of the slicer: of each beat the lanes that leave; beats of which none does are taken away, but
/// for the last one of a packet. A beat a cycle, registered.
///
/// A packet's beats are full but for the last, so lanes are found by counting beats.
// lint: -GDATA_W=128
module weft_tcp_trim #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  localparam int unsigned LaneW = $clog2(DATA_W / 8),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  logic                     plan_valid_i,
  output logic                     plan_ready_o,   ///< with the last beat of its FPDU
  input  weft_tcp_seg_pkg::plan_t  plan_i,
  input  logic                     byte_valid_i,
  output logic                     byte_ready_o,
  input  logic [DATA_W-1:0]        byte_data_i,
  input  logic [CntW-1:0]          byte_cnt_i,
  input  logic                     byte_last_i,
  input  logic                     byte_err_i,
  input  logic                     byte_more_i,

  output logic                     out_valid_o,
  input  logic                     out_ready_i,
  output logic [DATA_W-1:0]        out_data_o,
  output logic [LaneW-1:0]         out_off_o,      ///< lane of the first byte
  output logic [CntW-1:0]          out_cnt_o,      ///< 0: none, and the packet ends
  output weft_tcp_seg_pkg::bite_t  out_o,
  output weft_tcp_seg_pkg::plan_t  plan_o          ///< of its packet
);

  localparam int unsigned BeatW = 16 - LaneW;

  logic             mid_q, said_q, fire, open, from_here, below, at_end, wanted, last, emit, ready;
  logic [BeatW-1:0] beat_q, next_q, beat, next;
  logic [LaneW-1:0] off;
  logic [CntW-1:0]  stop;

  assign beat      = mid_q ? beat_q : '0;
  assign next      = mid_q ? next_q : BeatW'(1);
  assign from_here = beat == plan_i.skip[15:LaneW];
  assign open      = beat >= plan_i.skip[15:LaneW];
  assign below     = beat < plan_i.stop[15:LaneW];
  assign at_end    = beat == plan_i.stop[15:LaneW] && plan_i.stop[LaneW-1:0] != '0;
  assign last      = at_end || (next == plan_i.stop[15:LaneW] && plan_i.stop[LaneW-1:0] == '0);
  assign wanted    = plan_i.some && open && (below || at_end);
  assign off       = from_here ? plan_i.skip[LaneW-1:0] : '0;
  // A packet that is too short gives what it has, and an error.
  assign stop      = at_end && !byte_last_i ? {1'b0, plan_i.stop[LaneW-1:0]} : !at_end ? byte_cnt_i :
                     {1'b0, plan_i.stop[LaneW-1:0]} < byte_cnt_i ? {1'b0, plan_i.stop[LaneW-1:0]} : byte_cnt_i;
  assign emit      = wanted || byte_last_i;
  assign ready     = !out_valid_o || out_ready_i;
  assign fire      = byte_valid_i && plan_valid_i && (ready || !emit);

  logic short;
  assign short = plan_i.some && ((below && !last) || (last && stop != (at_end ? {1'b0, plan_i.stop[LaneW-1:0]} : CntW'(DATA_W / 8))));

  assign byte_ready_o = fire;
  assign plan_ready_o = fire && byte_last_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mid_q       <= 1'b0;
      said_q      <= 1'b0;
      out_valid_o <= 1'b0;
    end else begin
      if (fire) begin
        mid_q  <= !byte_last_i;
        said_q <= !byte_last_i && (said_q || emit);
      end
      if (ready) out_valid_o <= fire && emit;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire) begin
      beat_q <= next;
      next_q <= next + 1'b1;
    end
    if (fire && emit) begin
      out_data_o  <= byte_data_i;
      out_off_o   <= off;
      out_cnt_o   <= !wanted || stop <= {1'b0, off} ? '0 : stop - {1'b0, off};
      out_o.first <= !said_q;
      out_o.last  <= wanted && last;
      out_o.done  <= byte_last_i;
      out_o.err   <= byte_err_i || short;
      out_o.more  <= byte_more_i;
      plan_o      <= plan_i;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && fire && byte_last_i && !byte_err_i) begin
      assert (!short) else $error("%m: a packet is shorter than its FPDU");
    end
  end
`endif

endmodule
