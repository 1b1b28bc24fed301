// SPDX-License-Identifier: BSD-2-Clause

/// Keyed hash of a connection's addresses and ports: the add-rotate-xor rounds of HalfSipHash with a
/// 64-bit key, one 32-bit word a cycle (three words for IPv4, nine for IPv6) and three more, so that
/// nobody who does not know the key can aim at a bucket.
module weft_steer_hash (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [63:0]  key_i,
  input  logic         start_i,   ///< when idle_o
  input  logic         ipv6_i,    ///< these four are stable until done_o
  input  logic [127:0] local_i,
  input  logic [127:0] peer_i,
  input  logic [31:0]  ports_i,   ///< local port in the high half
  output logic         idle_o,
  output logic         done_o,    ///< pulse, with hash_o, which stays until the next start
  output logic [63:0]  hash_o
);

  localparam int unsigned Final = 3;

  typedef enum logic [1:0] {StIdle, StWords, StFinal} state_e;

  state_e      state_q;
  logic [3:0]  n_q;     // words, then rounds, to go
  logic [31:0] v0_q, v1_q, v2_q, v3_q;
  logic [31:0] word, word_q, a0, a1, a2, a3, b0, b1, b2, b3;
  logic        absorb;

  assign absorb = state_q == StWords;
  // The word of this cycle was chosen in the one before; zero in the final rounds.
  always_comb begin
    unique case (n_q)
      4'd2:    word = ports_i;
      4'd3:    word = local_i[31:0];
      4'd4:    word = peer_i[31:0];
      4'd5:    word = local_i[63:32];
      4'd6:    word = peer_i[63:32];
      4'd7:    word = local_i[95:64];
      4'd8:    word = peer_i[95:64];
      default: word = local_i[127:96];
    endcase
    if (!absorb || n_q == 4'd1) word = '0;
    if (state_q == StIdle) word = ipv6_i ? peer_i[127:96] : peer_i[31:0];
  end

  // One round.
  assign a3 = v3_q ^ word_q;
  assign a0 = v0_q + v1_q;
  assign a1 = {v1_q[26:0], v1_q[31:27]} ^ a0;
  assign a2 = v2_q + a3;
  assign b3 = {a3[23:0], a3[31:24]} ^ a2;
  assign b0 = {a0[15:0], a0[31:16]} + b3;
  assign b2 = a2 + a1;
  assign b1 = {a1[18:0], a1[31:19]} ^ b2;

  assign idle_o = state_q == StIdle;
  assign hash_o = {v1_q ^ v3_q, v0_q ^ v2_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      done_o  <= 1'b0;
    end else begin
      done_o <= state_q == StFinal && n_q == 4'd1;
      unique case (state_q)
        StIdle:  if (start_i) state_q <= StWords;
        StWords: if (n_q == 4'd1) state_q <= StFinal;
        default: if (n_q == 4'd1) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    word_q <= word;
    if (state_q == StIdle) begin
      if (start_i) begin
        n_q  <= ipv6_i ? 4'd9 : 4'd3;
        v0_q <= key_i[31:0];
        v1_q <= key_i[63:32];
        v2_q <= 32'h6c79_6765 ^ key_i[31:0] ^ 32'(ipv6_i);
        v3_q <= 32'h7465_6462 ^ key_i[63:32];
      end
    end else begin
      n_q  <= n_q == 4'd1 ? 4'(Final) : n_q - 4'd1;
      v0_q <= b0 ^ word_q;
      v1_q <= b1;
      v2_q <= {b2[15:0], b2[31:16]} ^ (absorb && n_q == 4'd1 ? 32'hff : 32'd0);
      v3_q <= {b3[24:0], b3[31:25]} ^ b0;
    end
  end

endmodule
