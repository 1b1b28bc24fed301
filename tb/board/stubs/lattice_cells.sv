// SPDX-License-Identifier: BSD-2-Clause
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNDRIVEN */
/* verilator lint_off MULTITOP */

// Cells of ECP5 without an inside, for Verilator: names, ports and parameters as in Lattice's FPGA Libraries Reference Guide. Yosys has
// its own (tools/board reads those), so what is written here against them shows there.

(* blackbox *)
module EHXPLLL #(
  parameter CLKI_DIV = 1,
  parameter CLKFB_DIV = 1,
  parameter FEEDBK_PATH = "CLKOP",
  parameter CLKOP_ENABLE = "ENABLED",
  parameter CLKOP_DIV = 8,
  parameter CLKOP_CPHASE = 0,
  parameter CLKOP_FPHASE = 0,
  parameter CLKOS_ENABLE = "DISABLED",
  parameter CLKOS_DIV = 8,
  parameter CLKOS_CPHASE = 0,
  parameter CLKOS_FPHASE = 0,
  parameter CLKOS2_ENABLE = "DISABLED",
  parameter CLKOS3_ENABLE = "DISABLED",
  parameter OUTDIVIDER_MUXA = "DIVA",
  parameter OUTDIVIDER_MUXB = "DIVB",
  parameter OUTDIVIDER_MUXC = "DIVC",
  parameter OUTDIVIDER_MUXD = "DIVD",
  parameter PLLRST_ENA = "DISABLED",
  parameter INTFB_WAKE = "DISABLED",
  parameter STDBY_ENABLE = "DISABLED",
  parameter DPHASE_SOURCE = "DISABLED"
) (
  input logic CLKI,
  input logic CLKFB,
  input logic PHASESEL1,
  input logic PHASESEL0,
  input logic PHASEDIR,
  input logic PHASESTEP,
  input logic PHASELOADREG,
  input logic STDBY,
  input logic PLLWAKESYNC,
  input logic RST,
  input logic ENCLKOP,
  input logic ENCLKOS,
  input logic ENCLKOS2,
  input logic ENCLKOS3,
  output logic CLKOP,
  output logic CLKOS,
  output logic CLKOS2,
  output logic CLKOS3,
  output logic LOCK,
  output logic INTLOCK,
  output logic REFCLK,
  output logic CLKINTFB
);
endmodule

(* blackbox *)
module ODDRX1F (
  input logic SCLK,
  input logic RST,
  input logic D0,
  input logic D1,
  output logic Q
);
endmodule

(* blackbox *)
module IDDRX1F (
  input logic D,
  input logic SCLK,
  input logic RST,
  output logic Q0,
  output logic Q1
);
endmodule

(* blackbox *)
module DELAYG #(
  parameter DEL_MODE = "USER_DEFINED",
  parameter DEL_VALUE = 0
) (
  input logic A,
  output logic Z
);
endmodule
