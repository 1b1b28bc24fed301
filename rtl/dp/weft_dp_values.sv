// SPDX-License-Identifier: BSD-2-Clause

/// Value slots of qp (Terminates) on the configuration bus: word w of slot s at s * 64 + w * 4. They are written only.
module weft_dp_values #(
  parameter int unsigned N_VAL = 16  ///< slots, 2 to 256
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                cfg_req_valid_i,
  output logic                cfg_req_ready_o,
  input  weft_pkg::cfg_req_t  cfg_req_i,
  output logic                cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t  cfg_rsp_o,
  output logic                val_we_o,
  output logic [7:0]          val_slot_o,
  output logic [3:0]          val_word_o,
  output logic [31:0]         val_data_o
);

  logic rsp_q, err_q, ok;
  assign ok              = cfg_req_i.we && 32'(cfg_req_i.addr[21:6]) < N_VAL;
  assign cfg_req_ready_o = !rsp_q;
  assign val_we_o        = cfg_req_valid_i && cfg_req_ready_o && ok;
  assign val_slot_o      = cfg_req_i.addr[13:6];
  assign val_word_o      = cfg_req_i.addr[5:2];
  assign val_data_o      = cfg_req_i.wdata;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= 1'b0;
    else rsp_q <= cfg_req_valid_i && cfg_req_ready_o;
  end
  always_ff @(posedge clk_i) err_q <= !ok;
  assign cfg_rsp_valid_o = rsp_q;
  assign cfg_rsp_o       = {err_q, 32'd0};
  logic unused;
  assign unused = ^cfg_req_i.addr;

endmodule
