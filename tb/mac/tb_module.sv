// SPDX-License-Identifier: BSD-2-Clause
/// The cage and the module that a card of the lab has (sim/nic), as weft_sim_mac puts them together.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  logic v, r, rv, mv, scl, sda, so, do_, mo, dark, idle, lpm, rstn;
  weft_pkg::cfg_req_t req;
  weft_pkg::cfg_rsp_t rsp;
  assign scl = !so;
  assign sda = !do_ && !mo;
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(v), .cfg_req_ready_i(r), .cfg_req_o(req), .cfg_rsp_valid_i(rv), .cfg_rsp_i(rsp));
  weft_cage #(.UNIT(8), .FILTER(2), .LIMIT(2000), .DEBOUNCE(2)) u_cage (
    .clk_i, .rst_ni, .cfg_req_valid_i(v), .cfg_req_ready_o(r), .cfg_req_i(req), .cfg_rsp_valid_o(rv), .cfg_rsp_o(rsp),
    .mac_req_valid_o(mv), .mac_req_ready_i(1'b0), .mac_rsp_valid_i(1'b0), .mac_rsp_i('0), .absent_i(1'b0), .tx_fault_i(1'b0),
    .los_i(1'b0), .int_ni(1'b1), .tx_disable_o(dark), .low_power_o(lpm), .reset_no(rstn), .scl_i(scl), .sda_i(sda),
    .scl_oe_o(so), .sda_oe_o(do_), .idle_o(idle)
  );
  weft_sim_module u_module (.clk_i, .rst_ni, .scl_i(scl), .sda_i(sda), .sda_oe_o(mo), .link_i(1'b1), .dark_i(dark));
  tb_snk_pulse #(.ID(3), .W(1)) u_i (.clk_i, .rst_ni, .valid_i(1'b1), .data_i(idle));
  logic unused;
  assign unused = ^{DATA_W, mv, lpm, rstn};
endmodule
