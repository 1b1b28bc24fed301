// SPDX-License-Identifier: BSD-2-Clause

/// A word for each slot that one source changes, a change a cycle, and one reader looks at. The source's
/// change comes in (`a`), a cycle later the word as it was is shown (`b_old_o`) and the new one is taken in
/// the same cycle. A look in the cycle after that, or later, sees it.
///
/// With TAKE the top bit of the word says that it holds what no look with `rd_take_i` has shown yet: both sides see zero
/// there when there is nothing new, so the source begins anew after each such look, and nothing has to be counted. The
/// reader's looks with `rd_take_i` at a slot are three cycles apart at least.
/// How: a bit of the reader turns with each look that shows something new, and each change notes how it stood; they
/// are equal while there is something new.
///
/// Not reset. `clr_i` (held until `clr_done_o`) writes zero in a cycle without a change.
// lint: -GN_SLOT=256 -GW=98
module weft_tcp_conn_word #(
  parameter int unsigned N_SLOT = 256,  ///< power of two, 4 or more
  parameter int unsigned W = 32,
  parameter bit TAKE = 1'b0,
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           a_valid_i,
  input  logic [SlW-1:0] a_slot_i,
  output logic           b_valid_o,
  output logic [SlW-1:0] b_slot_o,
  output logic [W-1:0]   b_old_o,
  input  logic [W-1:0]   b_new_i,      ///< with TAKE its top bit is one

  input  logic           clr_i,
  input  logic [SlW-1:0] clr_slot_i,
  output logic           clr_done_o,   ///< registered

  input  logic           rd_i,
  input  logic           rd_take_i,    ///< this look takes what is new
  input  logic [SlW-1:0] rd_slot_i,
  output logic [W-1:0]   rd_o          ///< a cycle later
);

  logic           b_q, same_q, done_q, we, clr;
  logic [SlW-1:0] slot_q, wa;
  logic [W:0]     mem, new_q, wd, old, look;  // top bit: the reader's bit when it was written
  logic           turn_b, turns;

  assign b_valid_o  = b_q;
  assign b_slot_o   = slot_q;
  assign old        = same_q ? new_q : mem;
  assign clr        = clr_i && !done_q && !b_q && !turns;
  assign we         = b_q || (clr_i && !done_q);
  assign wa         = b_q ? slot_q : clr_slot_i;
  assign wd         = b_q ? {turn_b, b_new_i} : '0;
  assign clr_done_o = done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      b_q    <= 1'b0;
      done_q <= 1'b0;
    end else begin
      b_q    <= a_valid_i;
      done_q <= clr_i && (done_q || clr);
    end
  end
  always_ff @(posedge clk_i) begin
    if (a_valid_i) begin
      slot_q <= a_slot_i;
      same_q <= we && wa == a_slot_i;
      new_q  <= wd;
    end
  end

  weft_ram_1r1w #(.W(W + 1), .DEPTH(N_SLOT)) u_change (
    .clk_i, .we_i(we), .waddr_i(wa), .wdata_i(wd), .re_i(a_valid_i), .raddr_i(a_slot_i), .rdata_o(mem)
  );
  weft_ram_1r1w #(.W(W + 1), .DEPTH(N_SLOT)) u_look (
    .clk_i, .we_i(we), .waddr_i(wa), .wdata_i(wd), .re_i(rd_i), .raddr_i(rd_slot_i), .rdata_o(look)
  );

  if (TAKE) begin : gen_take
    logic           take_q, turn_a, turn_r, moved_q, news, now;
    logic [SlW-1:0] look_q;
    // The reader: news turns the bit in the cycle in which it is shown.
    assign news  = look[W-1] && look[W] == turn_r;
    assign turns = take_q && news;
    assign rd_o  = {news, look[W-2:0]};
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) take_q <= 1'b0;
      else take_q <= rd_i && rd_take_i;
    end
    always_ff @(posedge clk_i) begin
      if (rd_i) look_q <= rd_slot_i;
      if (a_valid_i) moved_q <= turns && look_q == a_slot_i;
    end
    weft_ram_1r1w #(.W(1), .DEPTH(N_SLOT)) u_turn_look (
      .clk_i, .we_i(turns || clr), .waddr_i(turns ? look_q : clr_slot_i), .wdata_i(turns && !turn_r), .re_i(rd_i),
      .raddr_i(rd_slot_i), .rdata_o(turn_r)
    );
    weft_ram_1r1w #(.W(1), .DEPTH(N_SLOT)) u_turn_change (
      .clk_i, .we_i(turns || clr), .waddr_i(turns ? look_q : clr_slot_i), .wdata_i(turns && !turn_r), .re_i(a_valid_i),
      .raddr_i(a_slot_i), .rdata_o(turn_a)
    );
    // The source: a look two cycles ago turned it in the last one, one of the last cycle turns it in this one, and one
    // in this cycle does not see this change.
    assign now     = turn_a ^ (moved_q || (turns && look_q == slot_q));
    assign turn_b  = now ^ (rd_i && rd_take_i && rd_slot_i == slot_q && old[W-1] && old[W] == now);
    assign b_old_o = {old[W-1] && old[W] == turn_b, old[W-2:0]};
  end else begin : gen_plain
    assign turns   = 1'b0;
    assign turn_b  = 1'b0;
    assign rd_o    = look[W-1:0];
    assign b_old_o = old[W-1:0];
    logic unused;
    assign unused = ^{rd_take_i, old[W], look[W]};
  end

endmodule
