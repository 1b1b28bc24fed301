// SPDX-License-Identifier: BSD-2-Clause

/// Master of the configuration bus: one access at a time, to room `addr[27:22]`. The request bus is
/// shared, valid is one hot by room; each room answers on its own response.
///
/// A room that does not take or does not answer within TIMEOUT cycles yields an error. Should it
/// answer later, that answer is thrown away, and until then every access to that room is an error
/// at once: a stuck room never hangs the processor nor confuses a later access.
/// Rooms beyond 15 do not exist.
module weft_mgmt_cfg #(
  parameter int unsigned TIMEOUT = 4096
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         start_i,    ///< taken only while `busy_o` is low
  input  logic                         we_i,
  input  logic [27:0]                  addr_i,
  input  logic [31:0]                  wdata_i,
  output logic                         busy_o,
  output logic                         done_o,     ///< pulse
  output logic [31:0]                  rdata_o,    ///< with done; 0 after an error
  output logic                         err_o,
  output logic                         timeout_o,
  output logic [15:0]                  cfg_req_valid_o,
  input  logic [15:0]                  cfg_req_ready_i,
  output weft_pkg::cfg_req_t           cfg_req_o,
  input  logic [15:0]                  cfg_rsp_valid_i,
  input  logic [15:0][32:0]            cfg_rsp_i   ///< cfg_rsp_t of each room
);

  localparam int unsigned TW = $clog2(TIMEOUT + 1);

  typedef enum logic [1:0] { StIdle, StReq, StRsp } state_e;
  state_e             state_q;
  logic [15:0]        owed_q;
  logic [TW-1:0]      timer_q;
  logic [3:0]         room;
  weft_pkg::cfg_rsp_t rsp;
  assign room = cfg_req_o.addr[25:22];
  assign rsp = cfg_rsp_i[room];
  assign busy_o = state_q != StIdle;

  logic last_tick;
  assign last_tick = timer_q == TW'(TIMEOUT);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      owed_q <= '0;
      timer_q <= '0;
      cfg_req_valid_o <= '0;
      cfg_req_o <= '0;
      done_o <= 1'b0;
      err_o <= 1'b0;
      timeout_o <= 1'b0;
      rdata_o <= '0;
    end else begin
      done_o <= 1'b0;
      err_o <= 1'b0;
      timeout_o <= 1'b0;
      owed_q <= owed_q & ~cfg_rsp_valid_i;
      timer_q <= timer_q + 1'b1;
      unique case (state_q)
        StIdle: if (start_i) begin
          timer_q <= '0;
          cfg_req_o.we <= we_i;
          cfg_req_o.addr <= addr_i;
          cfg_req_o.wdata <= wdata_i;
          rdata_o <= '0;
          if (addr_i[27:26] != 0 || owed_q[addr_i[25:22]]) begin
            done_o <= 1'b1;
            err_o <= 1'b1;
          end else begin
            cfg_req_valid_o[addr_i[25:22]] <= 1'b1;
            state_q <= StReq;
          end
        end
        StReq: if (|(cfg_req_valid_o & cfg_req_ready_i)) begin
          cfg_req_valid_o <= '0;
          state_q <= StRsp;
          // The room may answer in the cycle in which it takes the request.
          if (cfg_rsp_valid_i[room]) begin
            state_q <= StIdle;
            done_o <= 1'b1;
            err_o <= rsp.err;
            if (!rsp.err) rdata_o <= rsp.rdata;
          end
        end else if (last_tick) begin
          // Withdrawn: a room that takes nothing is broken anyway.
          cfg_req_valid_o <= '0;
          state_q <= StIdle;
          done_o <= 1'b1;
          err_o <= 1'b1;
          timeout_o <= 1'b1;
        end
        default: if (cfg_rsp_valid_i[room]) begin
          state_q <= StIdle;
          done_o <= 1'b1;
          err_o <= rsp.err;
          if (!rsp.err) rdata_o <= rsp.rdata;
        end else if (last_tick) begin
          state_q <= StIdle;
          owed_q[room] <= 1'b1;
          done_o <= 1'b1;
          err_o <= 1'b1;
          timeout_o <= 1'b1;
        end
      endcase
    end
  end

endmodule
