// SPDX-License-Identifier: BSD-2-Clause
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNDRIVEN */
/* verilator lint_off MULTITOP */

// Cells of AMD's devices without an inside, for lint and for reading by Yosys: names, ports and parameters as in the libraries
// guides UG953 (7 series) and UG974 (UltraScale).

(* blackbox *)
module IBUF (
  input logic I,
  output logic O
);
endmodule

(* blackbox *)
module IOBUF (
  input logic I,
  input logic T,
  output logic O,
  inout wire IO
);
endmodule

(* blackbox *)
module IBUFDS (
  input logic I,
  input logic IB,
  output logic O
);
endmodule

(* blackbox *)
module BUFG (
  input logic I,
  output logic O
);
endmodule

(* blackbox *)
module BUFIO (
  input logic I,
  output logic O
);
endmodule

(* blackbox *)
module BUFR #(
  parameter BUFR_DIVIDE = "BYPASS"
) (
  input logic I,
  input logic CE,
  input logic CLR,
  output logic O
);
endmodule

(* blackbox *)
module MMCME2_BASE #(
  parameter real CLKIN1_PERIOD = 0.0,
  parameter real CLKFBOUT_MULT_F = 5.0,
  parameter real CLKOUT0_DIVIDE_F = 1.0
) (
  input logic CLKIN1,
  input logic CLKFBIN,
  input logic PWRDWN,
  input logic RST,
  output logic CLKFBOUT,
  output logic CLKFBOUTB,
  output logic CLKOUT0,
  output logic CLKOUT0B,
  output logic CLKOUT1,
  output logic CLKOUT1B,
  output logic CLKOUT2,
  output logic CLKOUT2B,
  output logic CLKOUT3,
  output logic CLKOUT3B,
  output logic CLKOUT4,
  output logic CLKOUT5,
  output logic CLKOUT6,
  output logic LOCKED
);
endmodule

(* blackbox *)
module IBUFDS_GTE2 (
  input logic I,
  input logic IB,
  input logic CEB,
  output logic O,
  output logic ODIV2
);
endmodule

(* blackbox *)
module DNA_PORT (
  input logic CLK,
  input logic READ,
  input logic SHIFT,
  input logic DIN,
  output logic DOUT
);
endmodule

(* blackbox *)
module ODDR #(
  parameter DDR_CLK_EDGE = "OPPOSITE_EDGE"
) (
  input logic C,
  input logic CE,
  input logic D1,
  input logic D2,
  input logic R,
  input logic S,
  output logic Q
);
endmodule

(* blackbox *)
module IDDR #(
  parameter DDR_CLK_EDGE = "OPPOSITE_EDGE"
) (
  input logic C,
  input logic CE,
  input logic D,
  input logic R,
  input logic S,
  output logic Q1,
  output logic Q2
);
endmodule

(* blackbox *)
module IBUFDS_GTE4 (
  input logic I,
  input logic IB,
  input logic CEB,
  output logic O,
  output logic ODIV2
);
endmodule

(* blackbox *)
module BUFG_GT (
  input logic I,
  input logic CE,
  input logic CEMASK,
  input logic CLR,
  input logic CLRMASK,
  input logic [2:0] DIV,
  output logic O
);
endmodule

(* blackbox *)
module DNA_PORTE2 (
  input logic CLK,
  input logic READ,
  input logic SHIFT,
  input logic DIN,
  output logic DOUT
);
endmodule

(* blackbox *)
module MMCME4_BASE #(
  parameter real CLKIN1_PERIOD = 0.0,
  parameter real CLKFBOUT_MULT_F = 5.0,
  parameter real CLKOUT0_DIVIDE_F = 1.0,
  parameter integer DIVCLK_DIVIDE = 1
) (
  input logic CLKIN1,
  input logic CLKFBIN,
  input logic PWRDWN,
  input logic RST,
  output logic CLKFBOUT,
  output logic CLKFBOUTB,
  output logic CLKOUT0,
  output logic CLKOUT0B,
  output logic CLKOUT1,
  output logic CLKOUT1B,
  output logic CLKOUT2,
  output logic CLKOUT2B,
  output logic CLKOUT3,
  output logic CLKOUT3B,
  output logic CLKOUT4,
  output logic CLKOUT5,
  output logic CLKOUT6,
  output logic LOCKED
);
endmodule
