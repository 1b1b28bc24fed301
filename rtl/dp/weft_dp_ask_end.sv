// SPDX-License-Identifier: BSD-2-Clause

/// How asks end, for the connection pipe: the send queue says it once for each, whether anything was described for it or
/// not; the pipe hears of it as a `departed` that says nothing else, in a cycle without another. What departure says of the ends of
/// asks is not looked at: it says so of each FPDU of an ask. When more was built than was asked for, it
/// may have been cut off as well: that goes as `cut`, which counts when the ask was for what had been cut off.
module weft_dp_ask_end (
  input  logic                   end_valid_i,
  output logic                   end_ready_o,
  input  weft_dp_pkg::who_t      end_i,
  input  logic                   end_more_i,
  input  logic                   departed_valid_i,  ///< pulse, not in every cycle
  input  weft_dp_pkg::departed_t departed_i,
  output logic                   departed_valid_o,
  output weft_dp_pkg::departed_t departed_o
);

  assign end_ready_o      = !departed_valid_i;
  assign departed_valid_o = departed_valid_i || end_valid_i;
  always_comb begin
    departed_o          = departed_i;
    departed_o.ask_done = 1'b0;
    if (!departed_valid_i) begin
      departed_o          = '0;
      departed_o.who      = end_i;
      departed_o.ask_done = 1'b1;
      departed_o.unsent   = 1'b1;
      departed_o.cut      = end_more_i;
    end
  end

endmodule
