// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_fifo: those of queue.svh with exactly DEPTH words, offered in the next cycle, or (deep ones) up to two later
// while the output stage is filled anew; and
//   told    count_o is the number of words inside
  localparam logic [7:0] F_FITS = 8'(DEPTH), F_LATENCY = DEPTH <= LUT_MAX ? 8'd0 : 8'd2;
  `include "queue.svh"
`ifdef G_told
  always @* if (rst_ni && !f_first) assert (8'(count_o) == f_n);
`endif
