// SPDX-License-Identifier: BSD-2-Clause

/// In front of the configuration bus of a MAC of rtl/mac: writes the station address and "obey and send PAUSE" into it after a
/// reset, and the address again when it comes later or changes; between these the core's accesses go through (port_cfg_* of
/// weft_core). One access is under way at a time, the settings go first. An access whose core was reset meanwhile is finished
/// here, and its answer, which comes at a time when that core waits for none, is for nobody.
module weft_mac_set (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [47:0]        addr_i,           ///< byte 0 in 7:0

  input  logic               port_req_valid_i, ///< the core's
  output logic               port_req_ready_o,
  input  weft_pkg::cfg_req_t port_req_i,
  output logic               port_rsp_valid_o,
  output weft_pkg::cfg_rsp_t port_rsp_o,

  output logic               cfg_req_valid_o,  ///< the MAC's
  input  logic               cfg_req_ready_i,
  output weft_pkg::cfg_req_t cfg_req_o,
  input  logic               cfg_rsp_valid_i,
  input  weft_pkg::cfg_rsp_t cfg_rsp_i,
  output logic               idle_o
);

  typedef enum logic [1:0] {StIdle, StOwn, StPort, StWait} state_e;
  localparam logic [1:0] Steps = 2'd3;

  state_e             state_q;
  logic               own_q;       // what is waited for is a setting's answer
  logic               ctrl_q;      // CTRL has its setting: it may have been changed since
  logic [1:0]         step_q;
  logic [47:0]        addr_q;
  weft_pkg::cfg_req_t port_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      own_q   <= 1'b0;
      ctrl_q  <= 1'b0;
      step_q  <= '0;
      addr_q  <= '0;
    end else begin
      unique case (state_q)
        StIdle: begin
          own_q <= step_q != Steps;
          if (addr_q != addr_i) begin
            addr_q <= addr_i;
            step_q <= '0;
          end else if (step_q != Steps) state_q <= StOwn;
          else if (port_req_valid_i) state_q <= StPort;
        end
        StOwn, StPort: if (cfg_req_ready_i) state_q <= StWait;
        StWait: begin
          if (cfg_rsp_valid_i) begin
            state_q <= StIdle;
            if (own_q) begin
              step_q <= step_q == 2'd1 && ctrl_q ? Steps : step_q + 2'd1;
              ctrl_q <= ctrl_q || step_q == 2'd2;
            end
          end
        end
        default: state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) if (port_req_ready_o) port_q <= port_req_i;

  assign port_req_ready_o = state_q == StIdle && addr_q == addr_i && step_q == Steps && port_req_valid_i;
  assign port_rsp_valid_o = state_q == StWait && !own_q && cfg_rsp_valid_i;
  assign port_rsp_o       = cfg_rsp_i;

  assign cfg_req_valid_o = state_q == StOwn || state_q == StPort;
  always_comb begin
    cfg_req_o = port_q;
    if (state_q == StOwn) begin
      cfg_req_o            = '0;
      cfg_req_o.we         = 1'b1;
      cfg_req_o.addr[11:0] = step_q == 2'd0 ? 12'(weft_abi_pkg::PORT_ADDR_LO) : step_q == 2'd1 ? 12'(weft_abi_pkg::PORT_ADDR_HI)
                             : 12'(weft_abi_pkg::PORT_CTRL);
      cfg_req_o.wdata      = step_q == 2'd0 ? addr_q[31:0] : step_q == 2'd1 ? {16'd0, addr_q[47:32]} : 32'hf;
    end
  end
  assign idle_o = state_q == StIdle && step_q == Steps && addr_q == addr_i && !port_req_valid_i;

endmodule
