// SPDX-License-Identifier: BSD-2-Clause
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
/* verilator lint_off MULTITOP */

// Lattice's pad in both directions, as in the FPGA Libraries Reference Guide; Yosys has it only as a rule of mapping.
(* blackbox *)
module BB (
  input logic I,
  input logic T,
  output logic O,
  inout wire B
);
endmodule
