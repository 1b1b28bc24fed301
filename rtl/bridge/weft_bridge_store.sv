// SPDX-License-Identifier: BSD-2-Clause

/// Ring of bytes whose writer takes back what it has not committed. A byte in and one out a cycle. A write without room is left out
/// and remembered until the next commit or drop (`over_o`).
module weft_bridge_store #(
  parameter int unsigned AW = 10  ///< 2 ** AW - 1 bytes fit
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       clr_i,      ///< empties it
  input  logic       wr_i,
  input  logic [7:0] wdata_i,
  input  logic       commit_i,   ///< what was written before this cycle is for the reader
  input  logic       drop_i,     ///< what was written and not committed is forgotten
  output logic       over_o,
  output logic       valid_o,
  input  logic       ready_i,
  output logic [7:0] data_o
);

  logic [AW-1:0] wptr_q, cptr_q, rptr_q, next;
  logic          we, re;

  assign next = wptr_q + 1'b1;
  assign we   = wr_i && next != rptr_q && !over_o;
  assign re   = rptr_q != cptr_q && (!valid_o || ready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q  <= '0;
      cptr_q  <= '0;
      rptr_q  <= '0;
      over_o  <= 1'b0;
      valid_o <= 1'b0;
    end else if (clr_i) begin
      wptr_q  <= '0;
      cptr_q  <= '0;
      rptr_q  <= '0;
      over_o  <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      if (re) begin
        rptr_q  <= rptr_q + 1'b1;
        valid_o <= 1'b1;
      end else if (ready_i) valid_o <= 1'b0;
      if (we) wptr_q <= next;
      if (wr_i && !we) over_o <= 1'b1;
      if (commit_i) begin
        cptr_q <= wptr_q;
        over_o <= 1'b0;
      end else if (drop_i) begin
        wptr_q <= cptr_q;
        over_o <= 1'b0;
      end
    end
  end

  weft_ram_1r1w #(.W(8), .DEPTH(2**AW)) u_ram (
    .clk_i, .we_i(we), .waddr_i(wptr_q), .wdata_i, .re_i(re), .raddr_i(rptr_q), .rdata_o(data_o)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!((commit_i || drop_i) && wr_i)) else $error("%m: a write beside the end of its frame");
      assert (!(commit_i && over_o)) else $error("%m: a commit of what did not fit");
    end
  end
`endif

endmodule
