// SPDX-License-Identifier: BSD-2-Clause
/// Sets one field of one packed struct at a time and lets C say whether these are the bits of its macros.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function void agree_size(input string name, input int bits);
  import "DPI-C" function void agree_field(input string name, input bit [8191:0] value);
  function automatic void size(string name, int bits); agree_size(name, bits); endfunction
  function automatic void field(string name, bit [8191:0] value); agree_field(name, value); endfunction
  logic done;
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) done <= 1'b0;
    else if (!done) begin
      done <= 1'b1;
`include "fields.svh"
    end
endmodule
