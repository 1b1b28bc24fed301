// SPDX-License-Identifier: BSD-2-Clause

/// Ranges of a stream that are here ahead of turn: which they become when a piece is added, and which of them is next
/// when bytes have come in order. Each lies in a receive ring, or was placed. Those of a kind are apart from each other, and in no order. No state: the record
/// of a slot holds them.
///
/// A piece is united with all ranges of its kind that it meets or touches. One that meets none needs a place: without one (`fits_o`) it is not added,
/// so that a peer that sends every other byte has RANGES of them and no more. Offsets are low halves: all are within 2^30 of
/// each other.
///
/// A range that was placed is kept until all before it is through (`thru_i`): what stands in front of it may be refused and come again, and then it is next once more.
// lint: -GRANGES=4
module weft_mpa_ranges #(
  parameter int unsigned RANGES = 4  ///< that are remembered, 1 to 8
) (
  input  logic [RANGES-1:0]     v_i,
  input  logic [RANGES*32-1:0]  from_i,
  input  logic [RANGES*32-1:0]  to_i,
  input  logic [RANGES-1:0]     placed_i,

  // a piece
  input  logic [31:0]           new_from_i,
  input  logic [31:0]           new_to_i,    ///< behind it
  input  logic                  new_placed_i,
  output logic                  fits_o,
  output logic [31:0]           all_from_o,  ///< what it is a part of then
  output logic [31:0]           all_to_o,
  output logic [RANGES-1:0]     put_v_o,     ///< the ranges with it; as they are when it does not fit
  output logic [RANGES*32-1:0]  put_from_o,
  output logic [RANGES*32-1:0]  put_to_o,
  output logic [RANGES-1:0]     put_placed_o,

  // bytes in order
  input  logic [31:0]           pos_i,       ///< where the next one belongs
  input  logic                  may_placed_i, ///< what was placed may be next now; else it waits
  input  logic [31:0]           thru_i,
  output logic                  leap_o,      ///< it is here already, up to leap_to_o
  output logic                  leap_placed_o, ///< ... and was placed
  output logic [31:0]           leap_to_o,
  output logic [RANGES-1:0]     rest_v_o     ///< ranges that are ahead of turn still, in their places
);

  function automatic logic precedes(input logic [31:0] a, input logic [31:0] b);
    precedes = $signed(a - b) < 0;
  endfunction

  // ---------------------------------------------------------------- a piece
  logic [RANGES-1:0] meets, place;
  logic              found;
  always_comb begin
    all_from_o = new_from_i;
    all_to_o   = new_to_i;
    for (int unsigned i = 0; i < RANGES; i++) begin
      meets[i] = v_i[i] && placed_i[i] == new_placed_i && !precedes(new_to_i, from_i[32*i+:32]) && !precedes(to_i[32*i+:32], new_from_i);
      // They are apart, so one of them at most reaches over each end.
      if (meets[i] && precedes(from_i[32*i+:32], new_from_i)) all_from_o = from_i[32*i+:32];
      if (meets[i] && precedes(new_to_i, to_i[32*i+:32])) all_to_o = to_i[32*i+:32];
    end
  end
  always_comb begin
    found = 1'b0;
    place = '0;
    for (int unsigned i = 0; i < RANGES; i++) begin
      if (!found && (!v_i[i] || meets[i])) begin
        found    = 1'b1;
        place[i] = 1'b1;
      end
    end
  end
  assign fits_o  = found;
  assign put_v_o = (v_i & ~(found ? meets : '0)) | place;
  assign put_placed_o = (placed_i & ~place) | (place & {RANGES{new_placed_i}});
  always_comb begin
    for (int unsigned i = 0; i < RANGES; i++) begin
      put_from_o[32*i+:32] = place[i] ? all_from_o : from_i[32*i+:32];
      put_to_o[32*i+:32]   = place[i] ? all_to_o : to_i[32*i+:32];
    end
  end

  // ---------------------------------------------------------------- bytes in order
  logic [RANGES-1:0] ahead, some;
  always_comb begin
    leap_o        = 1'b0;
    leap_placed_o = 1'b0;
    leap_to_o     = pos_i;
    for (int unsigned i = 0; i < RANGES; i++) begin
      ahead[i]    = precedes(pos_i, from_i[32*i+:32]);
      some[i]     = precedes(pos_i, to_i[32*i+:32]);
      rest_v_o[i] = v_i[i] && (ahead[i] || (placed_i[i] && (some[i] || precedes(thru_i, from_i[32*i+:32]))));
      if (v_i[i] && !ahead[i] && some[i] && (may_placed_i || !placed_i[i])) begin
        leap_o        = 1'b1;
        leap_placed_o = placed_i[i];
        leap_to_o     = to_i[32*i+:32];
      end
    end
  end

endmodule
