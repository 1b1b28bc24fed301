// SPDX-License-Identifier: BSD-2-Clause

/// Window field (RFC 7323 2.3) of a right edge that lies `room_i` bytes behind the ACK field: 0 when it
/// lies in front of it, 65535 at most.
module weft_tcp_window (
  input  logic [31:0] room_i,
  input  logic [3:0]  wscale_i,
  output logic [15:0] wnd_o
);
  logic [31:0] scaled;
  assign scaled = room_i >> wscale_i;
  assign wnd_o  = room_i[31] ? 16'd0 : scaled[31:16] != '0 ? 16'hffff : scaled[15:0];
endmodule
