// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_skid: those of queue.svh; two words fit, a word is offered in the next cycle.
  localparam logic [7:0] F_FITS = 8'd2, F_LATENCY = 8'd0;
  `include "queue.svh"
