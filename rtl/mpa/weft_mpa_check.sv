// SPDX-License-Identifier: BSD-2-Clause

/// Checks and strips FPDUs: CRC32c over all words, markers included (RFC 5044 4.4), markers
/// compared
/// with the place they must point to (4.3) and taken out, first bytes captured. A raw beat a cycle.
///
/// The CRC is not finished and compared: fed with its own CRC field the register becomes a
/// constant, and
/// another one for each number of zero words behind; so a partial last beat needs no steps back.
// lint: -GDATA_W=128
module weft_mpa_check #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned W = DATA_W / 32,
  localparam int unsigned WW = $clog2(W),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    s_valid_i,
  output logic                    s_ready_o,
  input  logic [DATA_W-1:0]       s_data_i,
  input  weft_mpa_in_pkg::beat_t  s_i,

  output logic                    out_valid_o,  ///< the FPDU without markers
  input  logic                    out_ready_i,
  output logic [DATA_W-1:0]       out_data_o,
  output logic [CntW-1:0]         out_cnt_o,
  output logic                    out_last_o,

  output logic                    head_valid_o, ///< pulse, with the last beat
  /// first 48 bytes; what is behind the FPDU is undefined
  output logic [383:0]            head_o,
  /// pulse, two cycles behind the last raw beat; in order
  output logic                    ver_valid_o,
  output logic                    ver_crc_o,    ///< the CRC is good, or not checked
  output logic                    ver_mk_o,     ///< the markers are good
  output logic                    idle_o
);

  logic fire;
  assign fire = s_valid_i && s_ready_o;

  // ---------------------------------------------------------------- CRC
  localparam logic [31:0] Poly = 32'h82f6_3b78;
  localparam int unsigned Groups = DATA_W / 64;

  function automatic logic [31:0] step(input logic [31:0] c);
    step = {1'b0, c[31:1]} ^ (c[0] ? Poly : 32'd0);
  endfunction
  function automatic logic [31:0] word_step(input logic [31:0] c);
    word_step = c;
    for (int i = 0; i < 32; i++) word_step = step(word_step);
  endfunction
  function automatic logic [31:0] mult(input logic [1023:0] cols, input logic [31:0] v);
    mult = '0;
    for (int i = 0; i < 32; i++) mult = mult ^ (cols[32*i+:32] & {32{v[i]}});
  endfunction

  // Column n: what bit n of a beat does to the register after the beat (see weft_crc32c).
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
  // The register behind a good FPDU and m zero words.
  logic [W-1:0][31:0] good;
  for (genvar m = 0; m < W; m++) begin : gen_good
    logic [31:0] c;
    if (m == 0) begin : gen_first
      assign c = word_step(32'hffff_ffff);
    end else begin : gen_next
      assign c = word_step(gen_good[m-1].c);
    end
    assign good[m] = c;
  end

  logic [DATA_W-1:0]       masked;
  logic [Groups-1:0][31:0] part_q;
  logic [31:0]             xored, state_q, mark;
  logic                    v1_q, first1_q, last1_q, chk1_q, bad1_q, last2_q, chk2_q, bad2_q;
  logic [WW-1:0]           zeros1_q, zeros2_q;
  // Wide logic stands under its valid.
  always_comb begin
    masked = 'x;
    mark   = 'x;
    if (fire) begin
      masked = '0;
      mark   = '0;
      for (int unsigned i = 0; i < W; i++) begin
        if (5'(i) < s_i.words) masked[32*i+:32] = s_data_i[32*i+:32];
        if (4'(i) == s_i.lane) mark = s_data_i[32*i+:32];
      end
    end
  end
  for (genvar g = 0; g < Groups; g++) begin : gen_part
    always_ff @(posedge clk_i) begin
      if (fire) begin
        part_q[g] <= mult(col[64*32*g+:1024], masked[64*g+:32]) ^
                     mult(col[64*32*g+1024+:1024], masked[64*g+32+:32]);
      end
    end
  end
  always_comb begin
    xored = '0;
    for (int unsigned g = 0; g < Groups; g++) xored = xored ^ part_q[g];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q    <= 1'b0;
      last2_q <= 1'b0;
    end else begin
      v1_q    <= fire;
      last2_q <= v1_q && last1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire) begin
      first1_q <= s_i.first;
      last1_q  <= s_i.last;
      chk1_q   <= s_i.chk;
      zeros1_q <= WW'(5'(W) - s_i.words);
      // FPDUPTR is in network order; its low two bits and the reserved ones are not looked at.
      bad1_q   <= s_i.mk && {mark[23:16], mark[31:26]} != s_i.ptr;
    end
    if (v1_q) begin
      state_q  <= mult(col[1023:0], first1_q ? 32'hffff_ffff : state_q) ^ xored;
      bad2_q   <= bad1_q || (bad2_q && !first1_q);
      chk2_q   <= chk1_q;
      zeros2_q <= zeros1_q;
    end
  end
  assign ver_valid_o = last2_q;
  assign ver_crc_o   = !chk2_q || state_q == good[zeros2_q];
  assign ver_mk_o    = !bad2_q;

  // -------------------------------------------------------- t: the marker is taken out of the beat
  logic              t_valid_q, t_last_q, t_take;
  logic [DATA_W-1:0] t_q;
  logic [4:0]        t_n_q;
  assign s_ready_o = !t_valid_q || t_take;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) t_valid_q <= 1'b0;
    else if (s_ready_o) t_valid_q <= s_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (fire) begin
      for (int unsigned i = 0; i < W; i++) begin
        t_q[32*i+:32] <= s_i.mk && 4'(i) >= s_i.lane
            ? s_data_i[32*((i+1)%W)+:32] : s_data_i[32*i+:32];
      end
      t_n_q    <= s_i.words - 5'(s_i.mk);
      t_last_q <= s_i.last;
    end
  end

  // ---------------------------------------------------------------- what is missing is filled up
  logic [WW-1:0]     fill_q;       // words that wait
  logic              tail_q, emit, over, out_fire;
  logic [DATA_W-1:0] acc_q, rot, merged;
  logic [5:0]        sum;
  assign sum  = 6'(fill_q) + 6'(t_n_q);
  assign over = t_last_q && sum > 6'(W);          // leaves two beats
  assign emit = sum >= 6'(W) || t_last_q;
  always_comb begin
    rot    = 'x;
    merged = 'x;
    if (t_valid_q) begin
      rot = t_q;
      for (int unsigned i = 1; i < W; i++) begin
        if (WW'(i) == fill_q) rot = (t_q << (32 * i)) | (t_q >> (DATA_W - 32 * i));
      end
      merged = rot;
      for (int unsigned i = 0; i < W; i++) if (WW'(i) < fill_q) merged[32*i+:32] = acc_q[32*i+:32];
    end
  end
  assign out_valid_o = tail_q || (t_valid_q && emit);
  assign out_data_o  = tail_q ? acc_q : merged;
  assign out_cnt_o   = tail_q ? CntW'({fill_q,
      2'b00}) : sum >= 6'(W) ? CntW'(DATA_W / 8) : CntW'({sum, 2'b00});
  assign out_last_o  = tail_q || (t_last_q && !over);
  assign out_fire    = out_valid_o && out_ready_i;
  assign t_take      = t_valid_q && !tail_q && (!emit || out_ready_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q <= '0;
      tail_q <= 1'b0;
    end else begin
      if (tail_q && out_ready_i) begin
        tail_q <= 1'b0;
        fill_q <= '0;
      end else if (t_take) begin
        tail_q <= over;
        fill_q <= t_last_q && !over ? '0 : WW'(sum);
      end
    end
  end
  always_ff @(posedge clk_i) if (t_take) acc_q <= sum >= 6'(W) ? rot : merged;

  // ---------------------------------------------------------------- first bytes
  localparam int unsigned Heads = (12 + W - 1) / W;   // beats that hold them
  logic [2:0]              beat_q;
  logic [Heads*DATA_W-1:0] head_q, head_d;
  always_comb begin
    head_d = head_q;
    for (int unsigned b = 0; b < Heads; b++) begin
      if (beat_q == 3'(b)) head_d[DATA_W*b+:DATA_W] = out_data_o;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (out_fire) beat_q <= out_last_o ? '0 : beat_q == 3'(Heads) ? beat_q : beat_q + 3'd1;
  end
  always_ff @(posedge clk_i) if (out_fire) head_q <= head_d;
  assign head_valid_o = out_fire && out_last_o;
  assign head_o       = head_d[383:0];

  assign idle_o = !s_valid_i && !v1_q && !last2_q && !t_valid_q && !tail_q;

  logic unused;
  assign unused = ^{mark, head_d};

endmodule
