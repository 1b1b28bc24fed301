// SPDX-License-Identifier: BSD-2-Clause

/// What an atomic operation makes of 64 bits (RFC 7306 5.1). Combinational. An operation that is unknown writes nothing; who asks refuses it before.
/// FetchAdd: each bit of the mask is the most significant one of a field, whose carry is let go; mask 0 is one field of 64 bits.
/// CmpSwap: where all bits under the compare mask are equal, those under the swap mask are written.
module weft_rdmap_alu (
  input  logic [3:0]  op_i,        ///< RFC 7306 5.2.1: 0 FetchAdd, 2 CmpSwap
  input  logic [63:0] old_i,
  input  logic [63:0] data_i,      ///< what is added, or swapped in
  input  logic [63:0] mask_i,      ///< fields of the addition; swap mask
  input  logic [63:0] compare_i,
  input  logic [63:0] cmp_mask_i,
  output logic        known_o,     ///< op_i is one of the two
  output logic        write_o,     ///< new_o is to be written
  output logic [63:0] new_o
);
  logic        add, swap;
  logic [63:0] sum;
  assign add     = op_i == weft_rdmap_pkg::AtomFetchAdd;
  assign swap    = op_i == weft_rdmap_pkg::AtomCmpSwap;
  assign known_o = add || swap;
  assign write_o = add || (swap && ((old_i ^ compare_i) & cmp_mask_i) == '0);
  // The top bit of a field takes the carry from below and makes none.
  assign sum     = ((old_i & ~mask_i) + (data_i & ~mask_i)) ^ ((old_i ^ data_i) & mask_i);
  assign new_o   = add ? sum : (old_i & ~mask_i) | (data_i & mask_i);
endmodule
