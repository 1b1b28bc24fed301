// SPDX-License-Identifier: BSD-2-Clause

/// How far each slot's stream was acknowledged when the peer's Terminate came in. Who sends one acknowledges what lies in front of the FPDU at fault; what
/// is acknowledged later was let go (RFC 5040 4.8), so it must not complete, however late firmware hears of the Terminate.
///
/// Time: the Terminate's own acknowledgement is here long before it is, as tcp reads the segment first. A slot is noted two cycles behind `term`, later by
/// each `clear` that comes between.
// lint: -GN_SLOT=256
module weft_sq_ended #(
  parameter int unsigned N_SLOT = 256, ///< power of two, 4 to 4,096
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           una_we_i,     ///< acknowledged up to
  input  logic [SlW-1:0] una_slot_i,
  input  logic [63:0]    una_i,
  input  logic           clear_i,      ///< the slot is loaded: it goes on
  input  logic [SlW-1:0] clear_slot_i,
  input  logic           term_valid_i, ///< pulse: a Terminate came in; under a pin of its slot
  input  logic [SlW-1:0] term_slot_i,
  input  logic           re_i,
  input  logic [SlW-1:0] slot_i,
  output logic           ended_o,      ///< a cycle behind re_i
  output logic [63:0]    una_o,        ///< ... up to where
  output logic           idle_o
);

  logic           t_v, t_r, at_v_q, we;
  logic [SlW-1:0] t_slot, at_q;
  logic [63:0]    una;
  logic [2:0]     t_n;
  weft_fifo #(.W(SlW), .DEPTH(4)) u_term (
    .clk_i, .rst_ni, .in_valid_i(term_valid_i), .in_ready_o(t_r), .in_data_i(term_slot_i),
    .out_valid_o(t_v), .out_ready_i(!at_v_q || we), .out_data_o(t_slot), .count_o(t_n)
  );
  assign we = at_v_q && !clear_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) at_v_q <= 1'b0;
    else at_v_q <= t_v || (at_v_q && !we);
  end
  always_ff @(posedge clk_i) if (!at_v_q || we) at_q <= t_slot;

  weft_ram_1r1w #(.W(64), .DEPTH(N_SLOT)) u_una (
    .clk_i, .we_i(una_we_i), .waddr_i(una_slot_i), .wdata_i(una_i), .re_i(t_v && (!at_v_q || we)), .raddr_i(t_slot), .rdata_o(una)
  );
  weft_ram_1r1w #(.W(65), .DEPTH(N_SLOT)) u_ended (
    .clk_i, .we_i(clear_i || we), .waddr_i(clear_i ? clear_slot_i : at_q), .wdata_i({!clear_i, una}), .re_i, .raddr_i(slot_i), .rdata_o({ended_o, una_o})
  );
  assign idle_o = !t_v && !at_v_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) assert (t_r || !term_valid_i) else $error("%m: a Terminate is lost");
`endif
  logic unused;
  assign unused = ^{t_r, t_n};

endmodule
