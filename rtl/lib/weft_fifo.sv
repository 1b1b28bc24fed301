// SPDX-License-Identifier: BSD-2-Clause

/// Synchronous FIFO, first word falls through: `out_data_o` is the oldest word while `out_valid_o`.
/// One word in and one out a cycle; a word is visible the cycle after it was accepted when the FIFO
/// was empty. Up to LUT_MAX words it is LUT RAM read asynchronously, deeper ones are synchronous RAM
/// with a registered output stage. Exactly DEPTH words fit.
module weft_fifo #(
  parameter int unsigned W = 8,       ///< bits of a word
  parameter int unsigned DEPTH = 16,  ///< words, a power of two, 2 or more
  parameter int unsigned LUT_MAX = 32,  ///< words of the deepest one in LUT RAM
  localparam int unsigned AddrW = $clog2(DEPTH)
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           in_valid_i,
  output logic           in_ready_o,   ///< registered: there is room
  input  logic [W-1:0]   in_data_i,

  output logic           out_valid_o,  ///< registered
  input  logic           out_ready_i,
  output logic [W-1:0]   out_data_o,

  output logic [AddrW:0] count_o       ///< words inside, 0 to DEPTH
);

  logic [AddrW:0]   count_q;
  logic [AddrW-1:0] wptr_q, rptr_q;
  logic             full_q;
  logic             push, pop;

  assign in_ready_o = !full_q;
  assign count_o    = count_q;
  assign push       = in_valid_i && in_ready_o;
  assign pop        = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      full_q  <= 1'b0;
    end else if (push != pop) begin
      count_q <= push ? count_q + 1'b1 : count_q - 1'b1;
      full_q  <= push && count_q == (AddrW + 1)'(DEPTH - 1);
    end
  end

  if (DEPTH <= LUT_MAX) begin : gen_shallow

    logic [W-1:0] mem [DEPTH];
    logic         valid_q;

    assign out_valid_o = valid_q;
    assign out_data_o  = mem[rptr_q];

    always_ff @(posedge clk_i) begin
      if (push) mem[wptr_q] <= in_data_i;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wptr_q  <= '0;
        rptr_q  <= '0;
        valid_q <= 1'b0;
      end else begin
        if (push) wptr_q <= wptr_q + 1'b1;
        if (pop) rptr_q <= rptr_q + 1'b1;
        valid_q <= push || (count_q > {{AddrW{1'b0}}, pop});
      end
    end

  end else begin : gen_deep

    // Words in the RAM: count_q less what is in the output stage.
    logic [AddrW:0] ram_cnt_q;
    logic [W-1:0]   rdata;
    logic           room, busy, re, we, byp;

    assign byp = push && ram_cnt_q == '0 && !busy && room;
    assign we  = push && !byp;
    assign re  = ram_cnt_q != '0 && room;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wptr_q    <= '0;
        rptr_q    <= '0;
        ram_cnt_q <= '0;
      end else begin
        if (we) wptr_q <= wptr_q + 1'b1;
        if (re) rptr_q <= rptr_q + 1'b1;
        if (we != re) ram_cnt_q <= we ? ram_cnt_q + 1'b1 : ram_cnt_q - 1'b1;
      end
    end

    weft_ram_1r1w #(.W(W), .DEPTH(DEPTH)) u_ram (
      .clk_i, .we_i(we), .waddr_i(wptr_q), .wdata_i(in_data_i),
      .re_i(re), .raddr_i(rptr_q), .rdata_o(rdata)
    );

    weft_fifo_stage #(.W(W)) u_stage (
      .clk_i, .rst_ni, .room_o(room), .busy_o(busy), .re_i(re), .rdata_i(rdata),
      .byp_valid_i(byp), .byp_data_i(in_data_i),
      .out_valid_o, .out_ready_i, .out_data_o
    );

  end

`ifdef FORMAL_fifo
  `include "fifo.svh"
`endif

`ifndef SYNTHESIS
  initial begin
    if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) $fatal(1, "weft_fifo: DEPTH is no power of two");
  end
`endif

endmodule
