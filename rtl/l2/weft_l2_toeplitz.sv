// SPDX-License-Identifier: BSD-2-Clause

/// Toeplitz hash of received frames: of source and destination address, then source and destination port, bytes
/// as on the wire, first bit first. The hash is the exclusive or, over the bits that are set, of the 32 bits of
/// the key that begin at the bit's own place. 32 bits a cycle: two words for the addresses of IPv4, eight for
/// IPv6, one for the ports, and a cycle at the end.
///
/// What is hashed is the type of the frame, if that is in `scale_i.types`, else the addresses alone, if that is;
/// else nothing: type and hash are 0. A frame has the type of TCP or UDP when all of that header is there.
module weft_l2_toeplitz (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 on_i,       ///< the next two have a meaning; sampled when a frame is taken
  input  logic [weft_l2_pkg::ScaleW-1:0] scale_i,  ///< weft_l2_pkg::scale_t

  input  logic                 valid_i,
  output logic                 ready_o,    ///< the frame is taken
  input  weft_pkg::rx_meta_t   meta_i,

  output logic                 valid_o,    ///< pulse
  output logic [31:0]          hash_o,
  output logic [3:0]           type_o
);

  typedef enum logic [1:0] {StTake, StAddr, StPort, StDone} state_e;
  state_e              state_q;
  weft_l2_pkg::scale_t scale;
  logic                v6_q, ports_q;
  logic [3:0]          word_q, kind, plain, kind_q;
  logic [255:0]        addr_q;
  logic [31:0]         port_q, word, term, acc_q;
  logic [62:0]         window;
  logic [351:0]        key;      // first bit in the highest, and 32 of nothing behind the last
  logic                none;

  assign scale = scale_i;
  always_comb begin
    for (int unsigned i = 0; i < 40; i++) key[351-8*i-:8] = scale.key[8*i+:8];
    key[31:0] = '0;
  end

  // The type that the frame has, and that it falls back to.
  assign plain = meta_i.ipv6 ? 4'(weft_abi_pkg::L2_HASH_IPV6) : 4'(weft_abi_pkg::L2_HASH_IPV4);
  always_comb begin
    kind = plain;
    if (meta_i.tcp && scale.types[plain[2:0]+3'd1]) kind = plain + 4'd1;
    if (meta_i.udp && scale.types[plain[2:0]+3'd2]) kind = plain + 4'd2;
  end
  assign none    = !on_i || !meta_i.ip || !scale.types[kind[2:0]];
  assign ready_o = state_q == StTake;

  always_comb begin
    window = '0;
    for (int unsigned i = 0; i < 9; i++) if (word_q == 4'(i)) window = key[351-32*i-:63];
    word = {addr_q[7:0], addr_q[15:8], addr_q[23:16], addr_q[31:24]};
    if (state_q == StPort) word = port_q;
    term = '0;
    for (int unsigned b = 0; b < 32; b++) if (word[31-b]) term = term ^ window[62-b-:32];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StTake;
    else begin
      unique case (state_q)
        StTake:  if (valid_i) state_q <= none ? StDone : StAddr;
        StAddr:  if (word_q == (v6_q ? 4'd7 : 4'd1)) state_q <= ports_q ? StPort : StDone;
        StPort:  state_q <= StDone;
        default: state_q <= StTake;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StTake && valid_i) begin
      addr_q  <= meta_i.ipv6 ? {meta_i.daddr, meta_i.saddr} : 256'({meta_i.daddr[31:0], meta_i.saddr[31:0]});
      port_q  <= {meta_i.sport, meta_i.dport};
      v6_q    <= meta_i.ipv6;
      ports_q <= kind != plain;
      kind_q  <= none ? '0 : kind;
      word_q  <= '0;
      acc_q   <= '0;
    end else if (state_q == StAddr || state_q == StPort) begin
      addr_q <= addr_q >> 32;
      word_q <= word_q + 4'd1;
      acc_q  <= acc_q ^ term;
    end
  end

  assign valid_o = state_q == StDone;
  assign hash_o  = acc_q;
  assign type_o  = kind_q;

  logic unused;
  assign unused = ^{meta_i, scale};

endmodule
