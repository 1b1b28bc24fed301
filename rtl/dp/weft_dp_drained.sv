// SPDX-License-Identifier: BSD-2-Clause

/// The answer of weft_tpt's epochs as an event: DRAINED, CODE ROOM_TPT, DATA0 the number of the last closing that is done
/// (16 bits, it wraps). Wires only.
module weft_dp_drained (
  input  logic [15:0]          seq_i,
  output weft_dp_pkg::ctx_ev_t ev_o
);

  always_comb begin
    ev_o       = '0;
    ev_o.kind  = weft_abi_pkg::FW_EV_DRAINED;
    ev_o.code  = 16'(weft_abi_pkg::ROOM_TPT);
    ev_o.data0 = 32'(seq_i);
  end

endmodule
