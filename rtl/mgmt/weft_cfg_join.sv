// SPDX-License-Identifier: BSD-2-Clause

/// Joins two masters of the configuration bus: port 0 (management) has one valid per room, port 1
/// (the scripted host of the lockstep harness; tie off elsewhere) names the room in its address.
/// One access is under way at a time; port 0 goes first. A room that is not there answers port 1
/// with an error; port 0's caller knows the rooms.
module weft_cfg_join #(
  parameter int unsigned N = 16  ///< rooms
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [N-1:0]                m_req_valid_i,
  output logic [N-1:0]                m_req_ready_o,
  input  weft_pkg::cfg_req_t          m_req_i,
  output logic [N-1:0]                m_rsp_valid_o,
  output logic [N-1:0][32:0]          m_rsp_o,   ///< weft_pkg::cfg_rsp_t each

  input  logic                        d_req_valid_i,
  output logic                        d_req_ready_o,
  input  weft_pkg::cfg_req_t          d_req_i,
  output logic                        d_rsp_valid_o,
  output weft_pkg::cfg_rsp_t          d_rsp_o,

  output logic [N-1:0]                s_req_valid_o,
  input  logic [N-1:0]                s_req_ready_i,
  output weft_pkg::cfg_req_t          s_req_o,
  input  logic [N-1:0]                s_rsp_valid_i,
  input  logic [N-1:0][32:0]          s_rsp_i,   ///< weft_pkg::cfg_rsp_t each

  output logic                        idle_o
);

  typedef enum logic [1:0] {StIdle, StReq, StWait} state_e;

  state_e                 state_q;
  logic                   dbg_q;
  logic [$clog2(N)-1:0]   room_q, m_room;
  weft_pkg::cfg_req_t     req_q;
  logic                   d_bad;

  always_comb begin
    m_room = '0;
    for (int unsigned i = 0; i < N; i++) if (m_req_valid_i[i]) m_room = ($clog2(N))'(i);
  end
  assign d_bad = d_req_i.addr[27:22] >= 6'(N);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      dbg_q         <= 1'b0;
      d_rsp_valid_o <= 1'b0;
      m_rsp_valid_o <= '0;
    end else begin
      d_rsp_valid_o <= 1'b0;
      m_rsp_valid_o <= '0;
      unique case (state_q)
        StIdle: begin
          if (|m_req_valid_i) begin
            state_q <= StReq;
            dbg_q   <= 1'b0;
          end else if (d_req_valid_i) begin
            dbg_q <= 1'b1;
            if (d_bad) d_rsp_valid_o <= 1'b1;
            else state_q <= StReq;
          end
        end
        StReq:  if (s_req_ready_i[room_q]) state_q <= StWait;
        StWait: begin
          if (s_rsp_valid_i[room_q]) begin
            state_q               <= StIdle;
            d_rsp_valid_o         <= dbg_q;
            m_rsp_valid_o[room_q] <= !dbg_q;
          end
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      req_q   <= (|m_req_valid_i) ? m_req_i : d_req_i;
      room_q  <= (|m_req_valid_i) ? m_room : ($clog2(N))'(d_req_i.addr[27:22]);
      d_rsp_o.err <= 1'b1;
      d_rsp_o.rdata <= '0;
    end
    if (state_q == StWait) d_rsp_o <= s_rsp_i[room_q];
  end

  assign s_req_o       = req_q;
  assign s_req_valid_o = state_q == StReq ? N'(1) << room_q : '0;
  assign m_rsp_o       = {N{d_rsp_o}};
  assign m_req_ready_o = (state_q == StIdle && |m_req_valid_i) ? N'(1) << m_room : '0;
  assign d_req_ready_o = state_q == StIdle && !(|m_req_valid_i);
  assign idle_o        = state_q == StIdle && !(|m_req_valid_i) && !d_req_valid_i;

endmodule
