// SPDX-License-Identifier: BSD-2-Clause

/// Keyed hash of a connection's key, one a cycle, eight cycles: nobody who does not know the hash key can aim at a
/// bucket. Two lanes of HalfSipHash rounds absorb the two addresses side by side, four words each, and are joined:
///
///   k0, k1: low and high half of the hash key. Address word i: bytes 4 i to 4 i + 3, the first one lowest
///   lane L: v = {k0, k1, 6c796765 ^ k0, 74656462 ^ k1}         absorbs laddr words 0 to 3
///   lane P: v = {k1, k0, 6c796765 ^ k1 ^ dd, 74656462 ^ k0}    absorbs paddr words 0 to 3
///   joined: v = L ^ P, v1 ^= ipv6; absorbs {lport, pport}; v2 ^= ff; three rounds
///   hash:   {v1 ^ v3, v0 ^ v2}
///   absorb w: v3 ^= w; a round; v0 ^= w
///   round:  v0 += v1; v1 <<<= 5; v1 ^= v0; v0 <<<= 16; v2 += v3; v3 <<<= 8; v3 ^= v2;
///           v0 += v3; v3 <<<= 7; v3 ^= v0; v2 += v1; v1 <<<= 13; v1 ^= v2; v2 <<<= 16
///
/// `side_i` comes out beside the hash.
module weft_eth_hash #(
  parameter int unsigned SIDE_W = 8
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [63:0]        hash_key_i,
  input  logic               valid_i,
  input  weft_eth_pkg::key_t key_i,
  input  logic [SIDE_W-1:0]  side_i,
  output logic               valid_o,  ///< eight cycles later
  output logic [63:0]        hash_o,
  output logic [SIDE_W-1:0]  side_o
);

  localparam int unsigned Stages = 8;

  // v3 in the high bits
  function automatic logic [127:0] round(input logic [127:0] v);
    logic [31:0] a0, a1, a2, a3, b0, b1, b2, b3;
    a0 = v[31:0] + v[63:32];
    a1 = {v[58:32], v[63:59]} ^ a0;
    a2 = v[95:64] + v[127:96];
    a3 = {v[119:96], v[127:120]} ^ a2;
    b0 = {a0[15:0], a0[31:16]} + a3;
    b3 = {a3[24:0], a3[31:25]} ^ b0;
    b2 = a2 + a1;
    b1 = {a1[18:0], a1[31:19]} ^ b2;
    round = {b3, b2[15:0], b2[31:16], b1, b0};
  endfunction
  function automatic logic [127:0] absorb(input logic [127:0] v, input logic [31:0] w);
    absorb = round(v ^ {w, 96'b0}) ^ 128'(w);
  endfunction

  logic [Stages-1:0]             v_q;
  logic [Stages-1:0][SIDE_W-1:0] side_q;
  logic [3:0][127:0]             l_q, p_q;         // stages 1 to 4
  logic [3:0][127:0]             j_q;              // stages 5 to 8
  logic [2:0][127:0]             la_q, pa_q;       // what is still to be absorbed, lowest word first
  logic [3:0][31:0]              ports_q;
  logic [3:0]                    v6_q;
  logic [31:0]                   k0, k1;
  assign k0 = hash_key_i[31:0];
  assign k1 = hash_key_i[63:32];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= '0;
    else v_q <= {v_q[Stages-2:0], valid_i};
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      l_q[0]     <= absorb({32'h7465_6462 ^ k1, 32'h6c79_6765 ^ k0, k1, k0}, key_i.laddr[31:0]);
      p_q[0]     <= absorb({32'h7465_6462 ^ k0, 32'h6c79_6765 ^ k1 ^ 32'hdd, k0, k1}, key_i.paddr[31:0]);
      la_q[0]    <= {32'b0, key_i.laddr[127:32]};
      pa_q[0]    <= {32'b0, key_i.paddr[127:32]};
      ports_q[0] <= {key_i.lport, key_i.pport};
      v6_q[0]    <= key_i.ipv6;
    end
    for (int unsigned i = 1; i < 4; i++) begin
      if (v_q[i-1]) begin
        l_q[i]     <= absorb(l_q[i-1], la_q[i-1][31:0]);
        p_q[i]     <= absorb(p_q[i-1], pa_q[i-1][31:0]);
        ports_q[i] <= ports_q[i-1];
        v6_q[i]    <= v6_q[i-1];
      end
      if (i < 3 && v_q[i-1]) begin
        la_q[i] <= la_q[i-1] >> 32;
        pa_q[i] <= pa_q[i-1] >> 32;
      end
    end
    if (v_q[3]) j_q[0] <= absorb(l_q[3] ^ p_q[3] ^ {64'b0, 31'b0, v6_q[3], 32'b0}, ports_q[3]) ^ {32'b0, 32'hff, 64'b0};
    for (int unsigned i = 1; i < 4; i++) if (v_q[i+3]) j_q[i] <= round(j_q[i-1]);
    if (valid_i) side_q[0] <= side_i;
    for (int unsigned i = 1; i < Stages; i++) if (v_q[i-1]) side_q[i] <= side_q[i-1];
  end
  assign valid_o = v_q[Stages-1];
  assign hash_o  = {j_q[3][63:32] ^ j_q[3][127:96], j_q[3][31:0] ^ j_q[3][95:64]};
  assign side_o  = side_q[Stages-1];

endmodule
