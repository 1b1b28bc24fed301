// SPDX-License-Identifier: BSD-2-Clause
/// weft_cage: its configuration bus, pins and bus are C (cage.c, i2c_bus.c). The MAC behind it answers with the address it was asked for.
module tb #(
  parameter int DATA_W = 64,
  parameter int UNIT = 12,
  parameter int FILTER = 4,
  parameter int LIMIT = 600,
  parameter int DEBOUNCE = 6
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function void cage_wire(input int scl_oe, input int sda_oe, input int out, output int scl, output int sda,
    output int pins);
  logic v, r, rv, mv, mr, mrv, so, do_, txd, lpm, rstn, idle;
  weft_pkg::cfg_req_t req;
  weft_pkg::cfg_rsp_t rsp, mrsp;
  int scl, sda, pins;
  logic scl_q = 1'b1, sda_q = 1'b1;
  logic [3:0] pins_q = 4'b1001;
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(v), .cfg_req_ready_i(r), .cfg_req_o(req), .cfg_rsp_valid_i(rv), .cfg_rsp_i(rsp));
  weft_cage #(.KIND(weft_abi_pkg::CAGE_KIND_QSFP), .SWITCH(7'h74), .CHANNELS(8'h20), .UNIT(UNIT), .FILTER(FILTER), .LIMIT(LIMIT),
    .DEBOUNCE(DEBOUNCE)) u_dut (
    .clk_i, .rst_ni, .cfg_req_valid_i(v), .cfg_req_ready_o(r), .cfg_req_i(req), .cfg_rsp_valid_o(rv), .cfg_rsp_o(rsp),
    .mac_req_valid_o(mv), .mac_req_ready_i(mr), .mac_rsp_valid_i(mrv), .mac_rsp_i(mrsp), .absent_i(pins_q[3]),
    .tx_fault_i(pins_q[2]), .los_i(pins_q[1]), .int_ni(pins_q[0]), .tx_disable_o(txd), .low_power_o(lpm), .reset_no(rstn),
    .scl_i(scl_q), .sda_i(sda_q), .scl_oe_o(so), .sda_oe_o(do_), .idle_o(idle)
  );
  // The MAC: ready and answer after a few cycles.
  logic [2:0] n;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      n   <= '0;
      mr  <= 1'b0;
      mrv <= 1'b0;
    end else begin
      n   <= n == '0 ? (mv && !mr ? 3'd1 : 3'd0) : n + 3'd1;
      mr  <= n == 3'd2;
      mrv <= n == 3'd4;
      if (mr) mrsp <= {1'b0, 4'h5, req.addr};
    end
  end
  always @(posedge clk_i) if (rst_ni) begin
    cage_wire(int'(so), int'(do_), int'({idle, rstn, lpm, txd}), scl, sda, pins);
    scl_q  <= scl != 0;
    sda_q  <= sda != 0;
    pins_q <= 4'(pins);
  end
  logic unused;
  assign unused = ^DATA_W;
endmodule
