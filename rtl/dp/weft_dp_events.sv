// SPDX-License-Identifier: BSD-2-Clause

/// Events of N rooms, round robin, as weft_abi fw_event. A room waits, event stable, until its own is taken.
module weft_dp_events #(
  parameter int unsigned N = 5,
  localparam int unsigned EvW = 488  ///< bits of weft_dp_pkg::ctx_ev_t
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [N-1:0]      in_valid_i,
  output logic [N-1:0]      in_ready_o,
  input  logic [N*EvW-1:0]  in_i,        ///< weft_dp_pkg::ctx_ev_t each
  output logic              ev_valid_o,
  input  logic              ev_ready_i,
  output weft_pkg::fw_ev_t  ev_o,
  output logic              idle_o
);

  logic                    any, room, v_q;
  logic [N-1:0]            gnt;
  logic [$clog2(N)-1:0]    idx;
  weft_dp_pkg::ctx_ev_t    e;
  weft_abi_pkg::fw_event_t f, f_q;
  weft_arb_rr #(.N(N)) u_arb (
    .clk_i, .rst_ni, .req_i(in_valid_i), .advance_i(room), .valid_o(any), .gnt_o(gnt), .idx_o(idx)
  );
  assign room       = !v_q || ev_ready_i;
  assign in_ready_o = room ? gnt : '0;
  assign e          = in_i[32'(idx)*EvW+:EvW];
  always_comb begin
    f           = '0;
    f.kind      = e.kind;
    f.code      = e.code;
    f.id        = 32'(e.qpn);
    f.data0     = e.data0;
    f.data1     = e.data1;
    f.hdr_bytes = e.hdr_bytes;
    f.hdr       = 384'(e.hdr);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= 1'b0;
    else if (room) v_q <= any;
  end
  always_ff @(posedge clk_i) if (room && any) f_q <= f;
  assign ev_valid_o = v_q;
  assign ev_o       = f_q;
  assign idle_o     = !v_q && in_valid_i == '0;

endmodule
