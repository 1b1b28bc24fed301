// SPDX-License-Identifier: BSD-2-Clause

/// Items that wait in the order in which they came, and are tried in turn: one that has to stay lets the next one try. Of those with
/// the same key only the oldest is tried, so each key keeps its order. `hit_o` tells whether an item with `look_key_i` is inside.
///
/// `out` stands until `end_i` says how its try ended. Behind one that stays the next is tried PACE cycles later at the earliest.
module weft_turns #(
  parameter int unsigned KEY_W = 24,
  parameter int unsigned W = 8,      ///< bits beside the key
  parameter int unsigned DEPTH = 16, ///< items, 2 to 128
  parameter int unsigned PACE = 4,   ///< 1 to 15
  localparam int unsigned CntW = $clog2(DEPTH + 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,    ///< pulse, only while !full_o
  input  logic [KEY_W-1:0]  in_key_i,
  input  logic [W-1:0]      in_data_i,
  output logic              full_o,
  output logic [CntW-1:0]   count_o,
  input  logic [KEY_W-1:0]  look_key_i,
  output logic              hit_o,

  output logic              out_valid_o,
  output logic [KEY_W-1:0]  out_key_o,
  output logic [W-1:0]      out_data_o,
  input  logic              end_i,         ///< pulse, only while out_valid_o
  input  logic              stay_i         ///< with end_i: it stays, else it is gone
);

  localparam int unsigned EntW = KEY_W + W;

  // ---------------------------------------------------------------- oldest first
  logic [DEPTH-1:0][EntW-1:0] ent_q, ent_d;
  logic [DEPTH-1:0]           same;          // an older one with the key of the one that is looked at
  logic [CntW-1:0]            n_q, at_q, left;
  logic [EntW-1:0]            at;
  logic                       gone;
  assign gone = end_i && !stay_i;
  assign left = n_q - CntW'(gone);
  always_comb begin
    ent_d = ent_q;
    for (int unsigned k = 0; k < DEPTH; k++) begin
      if (gone && CntW'(k) >= at_q) ent_d[k] = ent_q[(k+1)%DEPTH];
      if (in_valid_i && CntW'(k) == left) ent_d[k] = {in_key_i, in_data_i};
    end
  end
  always_ff @(posedge clk_i) ent_q <= ent_d;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) n_q <= '0;
    else n_q <= left + CntW'(in_valid_i);
  end
  always_comb begin
    hit_o = 1'b0;
    at    = ent_q[0];
    for (int unsigned k = 0; k < DEPTH; k++) begin
      if (CntW'(k) < n_q && ent_q[k][EntW-1-:KEY_W] == look_key_i) hit_o = 1'b1;
      if (CntW'(k) == at_q) at = ent_q[k];
    end
    for (int unsigned k = 0; k < DEPTH; k++) same[k] = CntW'(k) < at_q && ent_q[k][EntW-1-:KEY_W] == at[EntW-1-:KEY_W];
  end
  assign full_o  = n_q == CntW'(DEPTH);
  assign count_o = n_q;

  // ---------------------------------------------------------------- whose turn it is
  logic       try_q;
  logic [3:0] rest_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      try_q  <= 1'b0;
      at_q   <= '0;
      rest_q <= '0;
    end else begin
      if (rest_q != '0) rest_q <= rest_q - 4'd1;
      if (end_i) begin
        try_q <= 1'b0;
        if (stay_i) begin
          at_q   <= at_q + CntW'(1);
          rest_q <= 4'(PACE);
        end
      end else if (!try_q) begin
        if (at_q >= n_q) at_q <= '0;
        else if (same != '0) at_q <= at_q + CntW'(1);
        else try_q <= rest_q == '0;
      end
    end
  end
  assign out_valid_o = try_q;
  assign {out_key_o, out_data_o} = at;

`ifndef SYNTHESIS
  initial if (DEPTH < 2 || DEPTH > 128 || PACE < 1 || PACE > 15) $fatal(1, "weft_turns: DEPTH, PACE");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!in_valid_i || !full_o) else $error("%m: an item is lost");
      assert (!end_i || try_q) else $error("%m: an end of nothing");
    end
  end
`endif

endmodule
