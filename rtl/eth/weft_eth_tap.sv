// SPDX-License-Identifier: BSD-2-Clause

/// What the look-up and TCP want of a frame's header beside weft_eth_parse: the key, ECN bits and the TCP
/// options as bytes. One beat a cycle without back-pressure; the pulse comes two cycles behind the frame's last
/// beat. What it says counts only when weft_eth_parse calls the frame TCP (so the fields lie in the frame).
module weft_eth_tap #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               in_valid_i,
  input  logic [DATA_W-1:0]  in_data_i,
  input  logic [CntW-1:0]    in_cnt_i,
  input  logic               in_last_i,

  output logic               tap_valid_o,  ///< pulse
  output weft_eth_pkg::key_t key_o,
  output logic [1:0]         ecn_o,
  output logic [5:0]         opt_len_o,    ///< bytes of TCP options, 0 to 40
  output logic [319:0]       opt_o         ///< first byte in bits 7:0
);

  localparam int unsigned HdrBytes = 120;  // 14 + 4 + 40 + 60, rounded up
  localparam int unsigned HdrBeats = (HdrBytes + Bytes - 1) / Bytes;
  localparam int unsigned HdrW = HdrBeats * DATA_W;

  logic            first_q, end_q;
  logic [15:0]     pos_q, pos;
  /* verilator lint_off UNUSEDSIGNAL */  // a header is not a whole number of beats, nor are all its fields wanted
  logic [HdrW-1:0] hdr_q;
  logic [HdrW-1:0] l3, l4;
  /* verilator lint_on UNUSEDSIGNAL */
  assign pos = first_q ? 16'd0 : pos_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q     <= 1'b1;
      end_q       <= 1'b0;
      tap_valid_o <= 1'b0;
    end else begin
      end_q       <= in_valid_i && in_last_i;
      tap_valid_o <= end_q;
      if (in_valid_i) first_q <= in_last_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (in_valid_i) begin
      pos_q <= pos[15] ? pos : pos + 16'(in_cnt_i);
      for (int unsigned i = 0; i < HdrBeats; i++) begin
        if (pos == 16'(i * Bytes)) hdr_q[i*DATA_W+:DATA_W] <= in_data_i;
      end
    end
  end

  logic       vlan, v6;
  logic [3:0] doff;
  assign vlan = hdr_q[12*8+:16] == 16'h0081;
  always_comb begin
    l3   = 'x;
    l4   = 'x;
    v6   = 1'b0;
    doff = '0;
    if (end_q) begin
      l3   = vlan ? hdr_q >> (18 * 8) : hdr_q >> (14 * 8);
      v6   = (vlan ? hdr_q[16*8+:16] : hdr_q[12*8+:16]) == 16'hdd86;
      l4   = v6 ? l3 >> (40 * 8) : l3 >> (20 * 8);
      doff = l4[103:100];
    end
  end

  always_ff @(posedge clk_i) begin
    if (end_q) begin
      key_o.ipv6  <= v6;
      key_o.laddr <= v6 ? l3[24*8+:128] : 128'(l3[16*8+:32]);
      key_o.paddr <= v6 ? l3[8*8+:128] : 128'(l3[12*8+:32]);
      key_o.lport <= {l4[23:16], l4[31:24]};
      key_o.pport <= {l4[7:0], l4[15:8]};
      // IPv4: the second byte's low bits; IPv6: traffic class stands across the first two bytes (RFC 8200 3)
      ecn_o     <= v6 ? l3[13:12] : l3[9:8];
      opt_len_o <= doff > 4'd5 ? {doff - 4'd5, 2'b00} : 6'd0;
      opt_o     <= l4[20*8+:320];
    end
  end

endmodule
