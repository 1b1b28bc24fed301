// SPDX-License-Identifier: BSD-2-Clause

/// CRC32c (RFC 5044 4.4) of packets whose length is known before they come. The packet is moved to
/// the end of its last beat, behind zeros, which a register that begins with zero does not see; its
/// initial value is added to the packet's first word instead. So no zero bytes have to be taken
/// back: the CRC is there four cycles after the last beat, at every width. The pipeline never
/// waits.
///
/// For packets of whole words. Lanes behind the packet in its last beat are not looked at.
module weft_mpa_crc #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  localparam int unsigned K = DATA_W / 32,
  localparam int unsigned KW = $clog2(K)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              in_valid_i,
  input  logic [DATA_W-1:0] in_data_i,   ///< first byte in bits 7:0
  input  logic              in_first_i,
  input  logic              in_last_i,   ///< the beat with the last word
  input  logic [KW-1:0]     in_gap_i,    ///< words from its end to the end of a beat
  output logic              crc_valid_o, ///< pulse
  output logic [31:0]       crc_o        ///< low byte first on the wire
);

  localparam logic [31:0] Poly = 32'h82f6_3b78;  // reflected
  localparam int unsigned Groups = DATA_W / 64;

  // ------------------------------------------------ what a bit of a beat does to the register
  function automatic logic [31:0] step(input logic [31:0] c);
    step = {1'b0, c[31:1]} ^ (c[0] ? Poly : 32'd0);
  endfunction

  function automatic logic [31:0] fold32(input logic [1023:0] v);
    logic [511:0] a;
    logic [255:0] b;
    logic [127:0] c;
    logic [63:0]  d;
    a = v[1023:512] ^ v[511:0];
    b = a[511:256] ^ a[255:0];
    c = b[255:128] ^ b[127:0];
    d = c[127:64] ^ c[63:0];
    fold32 = d[63:32] ^ d[31:0];
  endfunction

  // Product of a matrix, given as 32 columns, and a vector.
  function automatic logic [31:0] mult(input logic [1023:0] cols, input logic [31:0] v);
    logic [1023:0] t;
    for (int i = 0; i < 32; i++) t[32*i+:32] = cols[32*i+:32] & {32{v[i]}};
    mult = fold32(t);
  endfunction

  // Constant signals, see weft_crc32c: synthesis folds them.
  logic [DATA_W*32-1:0] col;
  for (genvar n = 0; n < DATA_W; n++) begin : gen_col
    logic [31:0] c;
    if (n == DATA_W - 1) begin : gen_end
      assign c = step(32'd1);
    end else begin : gen_chain
      assign c = step(gen_col[n+1].c);
    end
    assign col[32*n+:32] = c;
  end

  // ------------------------------------------------ to the end of a beat
  logic [DATA_W-1:0] now, prev_q, mixed, moved_q;
  logic              v1_q, v2_q, v3_q, f1_q, f2_q, l1_q, l2_q, l3_q;
  // How far a word moves back is one for the packet: those of lanes K - gap on end in the next
  // beat.
  always_comb begin
    now   = 'x;
    mixed = 'x;
    if (in_valid_i) begin
      now = in_data_i;
      if (in_first_i) now[31:0] = ~in_data_i[31:0];
      for (int unsigned i = 0; i < K; i++) begin
        mixed[32*i+:32] = (32'(i) + 32'(in_gap_i) < K) ? now[32*i+:32] :
                          in_first_i ? 32'd0 : prev_q[32*i+:32];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i) begin
      prev_q <= now;
      for (int unsigned j = 0; j < K; j++) begin
        moved_q[32*j+:32] <= mixed[32*((j + K - 32'(in_gap_i)) % K)+:32];
      end
      f1_q <= in_first_i;
      l1_q <= in_last_i;
    end
  end

  // ------------------------------------------------ reduce
  logic [Groups-1:0][31:0] part_q;
  logic [31:0]             beat, state_q;

  for (genvar g = 0; g < Groups; g++) begin : gen_part
    always_ff @(posedge clk_i) begin
      if (v1_q) begin
        part_q[g] <= mult(col[64*32*g+:1024], moved_q[64*g+:32]) ^
                     mult(col[64*32*g+1024+:1024], moved_q[64*g+32+:32]);
      end
    end
  end

  always_comb begin
    beat = '0;
    for (int unsigned g = 0; g < Groups; g++) beat = beat ^ part_q[g];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q <= 1'b0;
      v2_q <= 1'b0;
      v3_q <= 1'b0;
    end else begin
      v1_q <= in_valid_i;
      v2_q <= v1_q;
      v3_q <= v2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    f2_q <= f1_q;
    l2_q <= l1_q;
    l3_q <= l2_q;
    if (v2_q) state_q <= f2_q ? beat : mult(col[1023:0], state_q) ^ beat;
  end

  assign crc_valid_o = v3_q && l3_q;
  assign crc_o       = ~state_q;

endmodule
