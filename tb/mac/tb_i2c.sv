// SPDX-License-Identifier: BSD-2-Clause
/// weft_i2c on a bus that is C (i2c_bus.c); its commands and answers too (i2c.c).
module tb #(
  parameter int DATA_W = 64,
  parameter int UNIT = 16,
  parameter int FILTER = 4,
  parameter int LIMIT = 60
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function int i2c_next(output int cmd, output int data, output int last);
  import "DPI-C" function void i2c_answer(input int rsp, input int data);
  import "DPI-C" function void i2c_wire(input int scl_oe, input int sda_oe, input int idle, output int scl, output int sda);
  int cmd, data, last, scl, sda, got;
  logic v, r, rv, so, do_, idle;
  logic [1:0] c;
  logic [7:0] d, rd;
  logic l;
  logic [2:0] rsp;
  logic scl_q = 1'b1, sda_q = 1'b1;
  weft_i2c #(.UNIT(UNIT), .FILTER(FILTER), .LIMIT(LIMIT)) u_dut (
    .clk_i, .rst_ni, .cmd_valid_i(v), .cmd_ready_o(r), .cmd_i(c), .data_i(d), .last_i(l), .rsp_valid_o(rv), .rsp_o(rsp),
    .data_o(rd), .scl_i(scl_q), .sda_i(sda_q), .scl_oe_o(so), .sda_oe_o(do_), .idle_o(idle)
  );
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v <= 1'b0;
    else begin
      if (rv) i2c_answer(int'(rsp), int'(rd));
      if (v && r) v <= 1'b0;
      else if (!v) begin
        got = i2c_next(cmd, data, last);
        v <= got != 0;
        c <= 2'(cmd);
        d <= 8'(data);
        l <= last != 0;
      end
    end
  end
  always @(posedge clk_i) if (rst_ni) begin
    i2c_wire(int'(so), int'(do_), int'(idle), scl, sda);
    scl_q <= scl != 0;
    sda_q <= sda != 0;
  end
  logic unused;
  assign unused = ^DATA_W;
endmodule
