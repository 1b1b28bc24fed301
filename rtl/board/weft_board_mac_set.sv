// SPDX-License-Identifier: BSD-2-Clause

/// Writes the station address and "obey and send PAUSE" into a MAC of rtl/mac after a reset, and when the address comes
/// later or changes: the only master of its configuration bus on a board, whose counters nobody reads yet.
module weft_board_mac_set (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [47:0]        addr_i,          ///< byte 0 in 7:0
  output logic               cfg_req_valid_o,
  input  logic               cfg_req_ready_i,
  output weft_pkg::cfg_req_t cfg_req_o,
  input  logic               cfg_rsp_valid_i
);

  logic [1:0]  step_q;
  logic        wait_q;
  logic [47:0] addr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q <= '0;
      wait_q <= 1'b0;
      addr_q <= '0;
    end else if (wait_q) begin
      if (cfg_rsp_valid_i) begin
        wait_q <= 1'b0;
        step_q <= step_q + 2'd1;
      end
    end else if (cfg_req_valid_o) begin
      wait_q <= cfg_req_ready_i;
    end else if (addr_q != addr_i) begin
      addr_q <= addr_i;
      step_q <= '0;
    end
  end
  assign cfg_req_valid_o = step_q != 2'd3 && !wait_q;
  always_comb begin
    cfg_req_o       = '0;
    cfg_req_o.we    = 1'b1;
    cfg_req_o.addr[11:0] = step_q == 2'd0 ? weft_mac_pkg::RegAddrLo : step_q == 2'd1 ? weft_mac_pkg::RegAddrHi
                           : weft_mac_pkg::RegCtrl;
    cfg_req_o.wdata = step_q == 2'd0 ? addr_q[31:0] : step_q == 2'd1 ? {16'd0, addr_q[47:32]} : 32'hf;
  end

endmodule
