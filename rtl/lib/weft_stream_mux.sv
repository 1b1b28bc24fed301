// SPDX-License-Identifier: BSD-2-Clause

/// Merges N packet streams, one whole packet at a time, round robin. The output is a register
/// slice; no cycle is lost between packets. `in_side_i` travels with each beat.
module weft_stream_mux #(
  parameter int unsigned DATA_W = 64,  ///< bits of a beat
  parameter int unsigned N = 2,        ///< inputs, 1 or more
  parameter int unsigned SIDE_W = 1,   ///< sideband bits, 1 or more (err can go here)
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned IdxW = N > 1 ? $clog2(N) : 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  logic [N-1:0]             in_valid_i,
  output logic [N-1:0]             in_ready_o,
  input  logic [N-1:0][DATA_W-1:0] in_data_i,
  input  logic [N-1:0][CntW-1:0]   in_cnt_i,
  input  logic [N-1:0]             in_last_i,
  input  logic [N-1:0][SIDE_W-1:0] in_side_i,

  output logic                     out_valid_o,
  input  logic                     out_ready_i,
  output logic [DATA_W-1:0]        out_data_o,
  output logic [CntW-1:0]          out_cnt_o,
  output logic                     out_last_o,
  output logic [SIDE_W-1:0]        out_side_o,
  output logic [IdxW-1:0]          out_idx_o    ///< the input that the beat came from
);

  localparam int unsigned WordW = DATA_W + CntW + 1 + SIDE_W + IdxW;

  logic            locked_q;  // in the middle of a packet of idx_q
  logic [IdxW-1:0] idx_q, idx_rr, idx;
  logic            any, valid, ready, fire;
  logic [N-1:0]    gnt, sel;

  weft_arb_rr #(.N(N)) u_arb (
    .clk_i, .rst_ni, .req_i(in_valid_i), .advance_i(fire && !locked_q),
    .valid_o(any), .gnt_o(gnt), .idx_o(idx_rr)
  );

  assign idx        = locked_q ? idx_q : idx_rr;
  assign sel        = locked_q ? (N'(1) << idx_q) : gnt;
  assign valid      = locked_q ? in_valid_i[idx_q] : any;
  assign fire       = valid && ready;
  assign in_ready_o = ready ? sel : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      locked_q <= 1'b0;
      idx_q    <= '0;
    end else if (fire) begin
      locked_q <= !in_last_i[idx];
      idx_q    <= idx;
    end
  end

  weft_skid #(.W(WordW)) u_out (
    .clk_i, .rst_ni, .in_valid_i(valid), .in_ready_o(ready),
    .in_data_i({idx, in_side_i[idx], in_last_i[idx], in_cnt_i[idx], in_data_i[idx]}),
    .out_valid_o, .out_ready_i,
    .out_data_o({out_idx_o, out_side_o, out_last_o, out_cnt_o, out_data_o})
  );

endmodule
