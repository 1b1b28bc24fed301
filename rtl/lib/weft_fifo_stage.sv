// SPDX-License-Identifier: BSD-2-Clause

/// Output stage of a FIFO whose memory is read synchronously: two registers that hide the
/// cycle of read latency. Part of weft_fifo and weft_pkt_fifo.
///
/// Contract: `re_i` only with `room_o`; the word that was read is on `rdata_i` in the next cycle.
/// `byp_valid_i` puts a word in without the memory: only with `room_o`, not with `re_i`, and not
/// while a read is under way (`busy_o`).
module weft_fifo_stage #(
  parameter int unsigned W = 8  ///< bits of a word
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  output logic         room_o,  ///< a read or a bypass may be issued in this cycle
  output logic         busy_o,  ///< a read is under way
  input  logic         re_i,
  input  logic [W-1:0] rdata_i,
  input  logic         byp_valid_i,
  input  logic [W-1:0] byp_data_i,

  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [W-1:0] out_data_o
);

  logic [W-1:0] head_q, next_q;
  logic [1:0]   cnt_q;
  logic         rd_q;
  logic         pop, push;
  logic [W-1:0] push_data;
  logic [1:0]   left;

  assign pop         = out_valid_o && out_ready_i;
  assign push        = rd_q || byp_valid_i;
  assign push_data   = rd_q ? rdata_i : byp_data_i;
  assign left        = cnt_q - {1'b0, pop};
  assign room_o      = (left + {1'b0, rd_q}) < 2'd2;
  assign busy_o      = rd_q;
  assign out_valid_o = cnt_q != 2'd0;
  assign out_data_o  = head_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cnt_q <= '0;
      rd_q  <= 1'b0;
    end else begin
      cnt_q <= left + {1'b0, push};
      rd_q  <= re_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push && left == 2'd0) head_q <= push_data;
    else if (pop) head_q <= next_q;
    if (push) next_q <= push_data;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(re_i && !room_o));
      assert (!(byp_valid_i && (re_i || rd_q || !room_o)));
    end
  end
`endif

endmodule
