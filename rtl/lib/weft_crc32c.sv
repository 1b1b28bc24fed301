// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// CRC32c (RFC 3720 B.4, as RFC 5044 4.4 uses it) over all bytes of each packet; the stream passes
/// through. One beat a cycle at every width.
///
/// `out_crc_o` is valid with `out_last_o`; its low byte is the first on the wire. A beat that is not
/// last is delayed by one cycle, the last one by Stages + 2.
///
/// How: a beat is masked with zeros up to its full width and reduced with a constant XOR matrix in
/// two stages; the running CRC is advanced by a full beat; behind the last beat the zero bytes that
/// were not there are taken back by multiplication with inverse powers, two bits of the byte count a
/// stage.
module weft_crc32c #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter logic [31:0] POLY = 32'h82f6_3b78,  ///< reflected polynomial; IEEE 802.3: 32'hedb8_8320
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,
  input  logic              in_err_i,

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_err_o,
  output logic [31:0]       out_crc_o    ///< with last: CRC of the packet
);

  localparam logic [31:0] Poly = POLY;
  localparam int unsigned Group = 64;
  localparam int unsigned Groups = DATA_W / Group;
  localparam int unsigned Undo = (CntW + 1) / 2;  // stages that take zero bytes back

  // ------------------------------------------------ constants
  // The CRC register after one more zero bit, and before it.
  function automatic logic [31:0] step(input logic [31:0] c);
    step = {1'b0, c[31:1]} ^ (c[0] ? Poly : 32'd0);
  endfunction

  function automatic logic [31:0] step_back(input logic [31:0] c);
    step_back = c[31] ? (((c ^ Poly) << 1) | 32'd1) : (c << 1);
  endfunction

  // XOR of the 32 words of v, as a tree.
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

  // Column n: what bit n of a beat does to the register after the beat. As the register is added to
  // the first 32 bits of a beat, columns 0 to 31 also advance the register by a beat. Constant
  // signals, not parameters: synthesis folds them at once, while it takes minutes to evaluate
  // constant functions of this size.
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

  // Word m: the register that m zero bits turn into 1. Words k to k + 31 are the columns of the
  // matrix that takes k zero bits back.
  localparam int unsigned BackLen = DATA_W + 32;
  // Not every power is used.
  // verilator lint_off UNUSEDSIGNAL
  logic [BackLen*32-1:0] back;
  // verilator lint_on UNUSEDSIGNAL
  for (genvar m = 0; m < BackLen; m++) begin : gen_back
    logic [31:0] c;
    if (m == 0) begin : gen_end
      assign c = 32'd1;
    end else begin : gen_chain
      assign c = step_back(gen_back[m-1].c);
    end
    assign back[32*m+:32] = c;
  end

  // ------------------------------------------------ the stream, and the CRCs of whole packets
  localparam int unsigned WordW = DATA_W + CntW + 2;

  logic q_valid, crc_valid, fire;
  logic done_valid;
  logic [31:0] done_crc;

  weft_fifo #(.W(WordW), .DEPTH(16)) u_data (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o,
    .in_data_i({in_err_i, in_last_i, in_cnt_i, in_data_i}),
    .out_valid_o(q_valid), .out_ready_i(out_ready_i && (!out_last_o || crc_valid)),
    .out_data_o({out_err_o, out_last_o, out_cnt_o, out_data_o}), .count_o()
  );

  // Never full: each CRC belongs to a last beat in u_data.
  weft_fifo #(.W(32), .DEPTH(16)) u_crc (
    .clk_i, .rst_ni, .in_valid_i(done_valid), .in_ready_o(), .in_data_i(done_crc),
    .out_valid_o(crc_valid), .out_ready_i(q_valid && out_last_o && out_ready_i),
    .out_data_o(out_crc_o), .count_o()
  );

  assign out_valid_o = q_valid && (!out_last_o || crc_valid);
  assign fire        = in_valid_i && in_ready_o;

  // ------------------------------------------------ the pipeline, which never waits
  logic [DATA_W-1:0]         masked;
  logic [Groups-1:0][31:0]   part_q;
  logic [31:0]               beat_q, state_q;
  logic [Undo:0][31:0]       undo_crc;
  logic [Undo:0][2*Undo-1:0] undo_n;     // zero bytes to take back
  logic [Undo:0]             undo_v;
  logic                      v1_q, v2_q, l1_q, l2_q, v3_q;
  logic [CntW-1:0]           n1_q, n2_q, n3_q;

  // Wide logic stands under its valid, so that a simulator passes it by while nothing is there.
  always_comb begin
    masked = 'x;
    if (fire) begin
      masked = '0;
      for (int unsigned i = 0; i < Bytes; i++) begin
        if (CntW'(i) < in_cnt_i) masked[8*i+:8] = in_data_i[8*i+:8];
      end
    end
  end

  // Two halves of 32 columns a group.
  for (genvar g = 0; g < Groups; g++) begin : gen_part
    always_ff @(posedge clk_i) begin
      if (fire) begin
        part_q[g] <= mult(col[64*32*g+:1024], masked[64*g+:32]) ^
                     mult(col[64*32*g+1024+:1024], masked[64*g+32+:32]);
      end
    end
  end

  logic [31:0] xored;
  always_comb begin
    xored = '0;
    for (int unsigned g = 0; g < Groups; g++) xored = xored ^ part_q[g];
  end

  logic fresh_q;  // the next beat starts a packet

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q    <= 1'b0;
      v2_q    <= 1'b0;
      v3_q    <= 1'b0;
      fresh_q <= 1'b1;
    end else begin
      v1_q <= fire;
      v2_q <= v1_q;
      v3_q <= v2_q && l2_q;
      if (v2_q) fresh_q <= l2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    l1_q   <= in_last_i;
    n1_q   <= CntW'(Bytes) - in_cnt_i;
    if (v1_q) beat_q <= xored;
    l2_q   <= l1_q;
    n2_q   <= n1_q;
    if (v2_q) begin
      state_q <= mult(col[1023:0], fresh_q ? 32'hffff_ffff : state_q) ^ beat_q;
    end
    n3_q   <= n2_q;
  end

  assign undo_crc[0] = state_q;
  assign undo_n[0]   = (2 * Undo)'(n3_q);
  assign undo_v[0]   = v3_q;

  for (genvar s = 0; s < Undo; s++) begin : gen_undo
    // Counts beyond a beat do not occur: any matrix will do for them.
    localparam int unsigned K1 = 8 * (1 << (2 * s));
    localparam int unsigned K2 = (2 * K1 <= DATA_W) ? 2 * K1 : 0;
    localparam int unsigned K3 = (3 * K1 <= DATA_W) ? 3 * K1 : 0;
    logic [31:0]       crc_q;
    logic [2*Undo-1:0] n_q;
    logic              v_q;
    logic [2*Undo-1:0] n_in;
    assign n_in = undo_n[s];
    assign undo_crc[s+1] = crc_q;
    assign undo_n[s+1]   = n_q;
    assign undo_v[s+1]   = v_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) v_q <= 1'b0;
      else v_q <= undo_v[s];
    end
    always_ff @(posedge clk_i) begin
      n_q <= n_in;
      if (undo_v[s]) begin
        unique case (n_in[2*s+:2])
          2'd1:    crc_q <= mult(back[32*K1+:1024], undo_crc[s]);
          2'd2:    crc_q <= mult(back[32*K2+:1024], undo_crc[s]);
          2'd3:    crc_q <= mult(back[32*K3+:1024], undo_crc[s]);
          default: crc_q <= undo_crc[s];
        endcase
      end
    end
  end

  assign done_valid = undo_v[Undo];
  assign done_crc   = ~undo_crc[Undo];

  logic unused;
  assign unused = ^undo_n[Undo];

endmodule
/* verilator lint_on PINCONNECTEMPTY */
