// SPDX-License-Identifier: BSD-2-Clause

/// A word for each slot that one source changes, a change a cycle, and one reader looks at. The source's
/// change comes in (`a`), a cycle later the word as it was is shown (`b_old_o`) and the new one is taken in
/// the same cycle. A look in the cycle after that, or later, sees it.
/// Not reset. `clr_i` (held until `clr_done_o`) writes zero in a cycle without a change.
// lint: -GN_SLOT=256 -GW=98
module weft_tcp_conn_word #(
  parameter int unsigned N_SLOT = 256,  ///< power of two, 4 or more
  parameter int unsigned W = 32,
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           a_valid_i,
  input  logic [SlW-1:0] a_slot_i,
  output logic           b_valid_o,
  output logic [SlW-1:0] b_slot_o,
  output logic [W-1:0]   b_old_o,
  input  logic [W-1:0]   b_new_i,

  input  logic           clr_i,
  input  logic [SlW-1:0] clr_slot_i,
  output logic           clr_done_o,   ///< registered

  input  logic           rd_i,
  input  logic [SlW-1:0] rd_slot_i,
  output logic [W-1:0]   rd_o          ///< a cycle later
);

  logic           b_q, same_q, done_q, we;
  logic [SlW-1:0] slot_q, wa;
  logic [W-1:0]   mem, new_q, wd;

  assign b_valid_o  = b_q;
  assign b_slot_o   = slot_q;
  assign b_old_o    = same_q ? new_q : mem;
  assign we         = b_q || (clr_i && !done_q);
  assign wa         = b_q ? slot_q : clr_slot_i;
  assign wd         = b_q ? b_new_i : '0;
  assign clr_done_o = done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      b_q    <= 1'b0;
      done_q <= 1'b0;
    end else begin
      b_q    <= a_valid_i;
      done_q <= clr_i && (done_q || !b_q);
    end
  end
  always_ff @(posedge clk_i) begin
    if (a_valid_i) begin
      slot_q <= a_slot_i;
      same_q <= we && wa == a_slot_i;
      new_q  <= wd;
    end
  end

  weft_ram_1r1w #(.W(W), .DEPTH(N_SLOT)) u_change (
    .clk_i, .we_i(we), .waddr_i(wa), .wdata_i(wd), .re_i(a_valid_i), .raddr_i(a_slot_i), .rdata_o(mem)
  );
  weft_ram_1r1w #(.W(W), .DEPTH(N_SLOT)) u_look (
    .clk_i, .we_i(we), .waddr_i(wa), .wdata_i(wd), .re_i(rd_i), .raddr_i(rd_slot_i), .rdata_o(rd_o)
  );

endmodule
