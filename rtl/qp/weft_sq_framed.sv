// SPDX-License-Identifier: BSD-2-Clause

/// Of whom there are descriptions that are not framed, thus memory that may be read still: new ones, and those that were asked for again. Each is counted
/// for its slot when it is ordered and when it is framed; a slot has less than 1,024 of them under way, and each has its pin until it is framed, and some cycles longer.
///
/// Who has looked in vain is told: behind the last one of those again, and, of a slot that flushes, behind the last new one. He may be told in vain.
module weft_sq_framed #(
  parameter int unsigned N_SLOT = 256, ///< power of two, 4 to 4,096
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  output logic           ready_o,        ///< cleared, N_SLOT cycles behind the reset

  input  logic           new_i,          ///< pulse: a description is ordered
  input  logic [SlW-1:0] new_slot_i,
  input  logic           again_i,        ///< pulse: one of those again
  input  logic [SlW-1:0] again_slot_i,
  input  logic           framed_i,       ///< pulse: one is framed
  input  logic           framed_again_i,
  input  logic [SlW-1:0] framed_slot_i,
  input  logic           flush_we_i,     ///< what is posted by this slot is flushed
  input  logic [SlW-1:0] flush_slot_i,
  input  logic           flush_i,

  input  logic           re_i,
  input  logic [SlW-1:0] slot_i,
  output logic           new_o,          ///< a cycle behind re_i: there are some
  output logic           again_o,
  output logic           tell_o,         ///< pulse: look at this one
  output logic [SlW-1:0] tell_slot_o
);
  localparam int unsigned CnW = 10;  // of a count

  logic           clear_q;
  logic [SlW-1:0] at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      at_q    <= '0;
    end else if (clear_q) begin
      clear_q <= at_q != '1;
      at_q    <= at_q + SlW'(1);
    end
  end
  assign ready_o = !clear_q;

  // ---------------------------------------------------------------- 0: ordered, new; 1: ordered again; 2, 3: framed
  logic [3:0]          inc, inc_q, last_q;
  logic [3:0][SlW-1:0] inc_slot, inc_slot_q, last_slot_q;
  logic [3:0][CnW-1:0] was, now, last_now_q, seen;
  assign inc      = {framed_i && framed_again_i, framed_i && !framed_again_i, again_i, new_i};
  assign inc_slot = {framed_slot_i, framed_slot_i, again_slot_i, new_slot_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inc_q  <= '0;
      last_q <= '0;
    end else begin
      inc_q  <= inc;
      last_q <= inc_q;
    end
  end
  always_ff @(posedge clk_i) begin
    inc_slot_q  <= inc_slot;
    last_slot_q <= inc_slot_q;
    last_now_q  <= now;
  end
  for (genvar k = 0; k < 4; k++) begin : gen_count
    logic [CnW-1:0] ram;
    weft_ram_1r1w #(.W(CnW), .DEPTH(N_SLOT)) u_count (
      .clk_i, .we_i(clear_q || inc_q[k]), .waddr_i(clear_q ? at_q : inc_slot_q[k]), .wdata_i(clear_q ? '0 : now[k]),
      .re_i(inc[k]), .raddr_i(inc_slot[k]), .rdata_o(ram)
    );
    // The one before it wrote while this one was read.
    assign was[k] = last_q[k] && last_slot_q[k] == inc_slot_q[k] ? last_now_q[k] : ram;
    assign now[k] = was[k] + CnW'(1);
    weft_ram_1r1w #(.W(CnW), .DEPTH(N_SLOT)) u_seen (
      .clk_i, .we_i(clear_q || inc_q[k]), .waddr_i(clear_q ? at_q : inc_slot_q[k]), .wdata_i(clear_q ? '0 : now[k]),
      .re_i, .raddr_i(slot_i), .rdata_o(seen[k])
    );
  end
  assign new_o   = seen[0] != seen[2];
  assign again_o = seen[1] != seen[3];

  // ---------------------------------------------------------------- the last one
  // What was ordered a moment ago and is not read here is framed later than that.
  logic                flush, tell;
  logic [1:0][CnW-1:0] met;
  for (genvar k = 0; k < 2; k++) begin : gen_met
    weft_ram_1r1w #(.W(CnW), .DEPTH(N_SLOT)) u_met (
      .clk_i, .we_i(clear_q || inc_q[k]), .waddr_i(clear_q ? at_q : inc_slot_q[k]), .wdata_i(clear_q ? '0 : now[k]),
      .re_i(framed_i), .raddr_i(framed_slot_i), .rdata_o(met[k])
    );
  end
  weft_ram_1r1w #(.W(1), .DEPTH(N_SLOT)) u_flush (
    .clk_i, .we_i(clear_q || flush_we_i), .waddr_i(clear_q ? at_q : flush_slot_i), .wdata_i(!clear_q && flush_i),
    .re_i(framed_i), .raddr_i(framed_slot_i), .rdata_o(flush)
  );
  assign tell = (inc_q[2] && flush && now[2] == met[0]) || (inc_q[3] && now[3] == met[1]);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tell_o <= 1'b0;
    else tell_o <= tell;
  end
  always_ff @(posedge clk_i) tell_slot_o <= inc_slot_q[2];

endmodule
