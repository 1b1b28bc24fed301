// SPDX-License-Identifier: BSD-2-Clause

/// The arithmetic of atomics. Ports: 0 {op, old, data, mask, compare, compare mask}, 1 {known, write, new} in that cycle.
module tb #(
  parameter int unsigned DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  logic         v;
  logic [323:0] q;
  logic [65:0]  a;
  tb_src_item #(.ID(0), .W(324)) u_q (.clk_i, .rst_ni, .valid_o(v), .ready_i(1'b1), .data_o(q));
  weft_rdmap_alu dut (
    .op_i(q[323:320]), .old_i(q[319:256]), .data_i(q[255:192]), .mask_i(q[191:128]), .compare_i(q[127:64]), .cmp_mask_i(q[63:0]),
    .known_o(a[65]), .write_o(a[64]), .new_o(a[63:0])
  );
  tb_snk_pulse #(.ID(1), .W(66)) u_a (.clk_i, .rst_ni, .valid_i(v), .data_i(a));
  initial if (DATA_W != 64) $fatal(1, "tb_alu: DATA_W");
endmodule
