// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// MPA framing (RFC 5044 4) of built segments: pads to a multiple of four with zeros, appends the
/// CRC32c (low byte first) or a zero field, and sums up the FPDU for the TCP checksum. With the last
/// beat comes the verdict: drop or leave. What will leave is told early, so that its header can be made
/// meanwhile.
///
/// The header lengths 16 and 20 and the pad keep every FPDU a multiple of four bytes, so the CRC
/// field never straddles two beats.
module weft_tcp_fpdu #(
  parameter int unsigned DATA_W = 64,     ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 16,       ///< queue pairs, a power of two
  parameter int unsigned SEG_MAX = 9216,  ///< largest FPDU; a longer one is an error of its QP
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  /// From weft_dma_gather: header and payload.
  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,
  input  logic              code_valid_i,
  output logic              code_ready_o,
  input  logic [4:0]        code_i,
  input  logic              meta_valid_i,
  output logic              meta_ready_o,
  input  weft_tcp_pkg::seg_info_t meta_i,

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_drop_o,   ///< with last
  output logic [15:0]       out_sum_o,    ///< with last: one's complement sum of the FPDU

  /// Segments that will leave, some cycles before their last beat.
  output logic              early_valid_o,
  input  logic              early_ready_i,
  output weft_tcp_pkg::seg_info_t early_seg_o,
  output logic [15:0]       early_bytes_o,  ///< bytes of the FPDU

  output logic              txerr_valid_o,
  input  logic              txerr_ready_i,
  output weft_pkg::tx_err_t txerr_o,
  input  logic              clr_i,
  input  logic [QpW-1:0]    clr_qpn_i,

  output logic              idle_o,
  output logic              stat_drop_o,
  output logic              stat_err_o
);

  localparam int unsigned Bytes = DATA_W / 8;
  localparam int unsigned SegW = 84;

  // ------------------------------------------------ pad: lanes past cnt become zero
  logic              a_valid, a_ready, a_last, a_take;
  logic [DATA_W-1:0] a_data, masked;
  logic [CntW-1:0]   a_cnt, padded;
  logic              info_ready;

  always_comb begin
    masked = '0;
    for (int unsigned i = 0; i < Bytes; i++) begin
      if (CntW'(i) < in_cnt_i) masked[8*i+:8] = in_data_i[8*i+:8];
    end
  end
  assign padded = (in_cnt_i + CntW'(3)) & ~(CntW'(3));

  logic in_go, side_ok;
  assign side_ok      = !in_last_i || (code_valid_i && meta_valid_i && info_ready);
  assign in_go        = in_valid_i && side_ok;
  assign in_ready_o   = a_ready && side_ok;
  assign code_ready_o = in_valid_i && in_last_i && meta_valid_i && info_ready && a_ready;
  assign meta_ready_o = in_valid_i && in_last_i && code_valid_i && info_ready && a_ready;

  weft_skid #(.W(DATA_W + CntW + 1)) u_pad (
    .clk_i, .rst_ni, .in_valid_i(in_go), .in_ready_o(a_ready),
    .in_data_i({in_last_i, padded, masked}),
    .out_valid_o(a_valid), .out_ready_i(a_take), .out_data_o({a_last, a_cnt, a_data})
  );

  // ------------------------------------------------ does the length agree, verdict
  logic [17:0] count_q, count;
  logic        odd;
  assign count  = count_q + 18'(in_cnt_i);

  // A count that would wrap stays: 2^17 is no legal length.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else if (in_go && a_ready) count_q <= in_last_i ? '0 : count_q[17] ? count_q : count;
  end

  logic              i_valid, i_ready, v_valid, v_ready, v_drop;
  weft_tcp_pkg::seg_info_t i_seg, v_seg;
  logic [4:0]        i_code, i_code_raw;
  logic [17:0]       i_count;
  logic              f_valid, f_pop, f_drop, f_crc;
  logic              ver_idle;

  weft_fifo #(.W(SegW + 5 + 18), .DEPTH(16)) u_info (
    .clk_i, .rst_ni, .in_valid_i(in_valid_i && in_last_i && code_valid_i && meta_valid_i && a_ready),
    .in_ready_o(info_ready), .in_data_i({count, code_i, meta_i}),
    .out_valid_o(i_valid), .out_ready_i(i_ready), .out_data_o({i_count, i_code_raw, i_seg}), .count_o()
  );
  assign odd    = i_count != 18'(i_seg.len) + (i_seg.is_tagged ? 18'd16 : 18'd20) ||
                  i_seg.len > 16'(SEG_MAX - 24);
  assign i_code = i_code_raw != '0 ? i_code_raw : odd ? {1'b0, weft_pkg::XlBounds} : 5'd0;

  weft_tcp_verdict #(.N_QP(N_QP)) u_verdict (
    .clk_i, .rst_ni, .in_valid_i(i_valid), .in_ready_o(i_ready), .in_seg_i(i_seg),
    .in_code_i(i_code), .out_valid_o(v_valid), .out_ready_i(v_go), .out_drop_o(v_drop),
    .out_seg_o(v_seg), .txerr_valid_o, .txerr_ready_i, .txerr_o, .clr_i, .clr_qpn_i,
    .idle_o(ver_idle), .stat_drop_o, .stat_err_o
  );
  logic v_go;
  assign v_go          = v_ready && (v_drop || early_ready_i);
  assign early_valid_o = v_valid && v_ready && !v_drop;
  assign early_seg_o   = v_seg;
  assign early_bytes_o = ((v_seg.len + 16'd3) & ~16'd3) + (v_seg.is_tagged ? 16'd20 : 16'd24);

  weft_fifo #(.W(2), .DEPTH(8)) u_verdicts (
    .clk_i, .rst_ni, .in_valid_i(v_valid && (v_drop || early_ready_i)), .in_ready_o(v_ready),
    .in_data_i({v_drop, v_seg.crc}),
    .out_valid_o(f_valid), .out_ready_i(f_pop), .out_data_o({f_drop, f_crc}), .count_o()
  );

  // ------------------------------------------------ CRC and sum, side by side
  logic              c_in_ready, s_in_ready, c_valid, c_pop, c_last, s_valid, s_last, s_pop;
  logic [DATA_W-1:0] c_data;
  logic [CntW-1:0]   c_cnt;
  logic [31:0]       c_crc;
  logic [15:0]       s_sum;

  assign a_take = c_in_ready && s_in_ready;

  weft_crc32c #(.DATA_W(DATA_W)) u_crc (
    .clk_i, .rst_ni, .in_valid_i(a_valid && s_in_ready), .in_ready_o(c_in_ready),
    .in_data_i(a_data), .in_cnt_i(a_cnt), .in_last_i(a_last), .in_err_i(1'b0),
    .out_valid_o(c_valid), .out_ready_i(c_pop), .out_data_o(c_data), .out_cnt_o(c_cnt),
    .out_last_o(c_last), .out_err_o(), .out_crc_o(c_crc)
  );
  // Only the sum is used; the beats of this copy are thrown away.
  weft_csum #(.DATA_W(DATA_W)) u_sum (
    .clk_i, .rst_ni, .in_valid_i(a_valid && c_in_ready), .in_ready_o(s_in_ready),
    .in_data_i(a_data), .in_cnt_i(a_cnt), .in_last_i(a_last), .in_err_i(1'b0),
    .out_valid_o(s_valid), .out_ready_i(!s_last || s_pop), .out_data_o(), .out_cnt_o(),
    .out_last_o(s_last), .out_err_o(), .out_sum_o(s_sum)
  );

  // ------------------------------------------------ the CRC field
  // A last beat that is full is followed by one that holds only the CRC.
  logic              o_ready, o_valid, o_last, extra_q, tail, all_there;
  logic [DATA_W-1:0] o_data;
  logic [CntW-1:0]   o_cnt;
  logic [31:0]       crc;
  logic [17:0]       sum_a, sum_q;
  logic [16:0]       sum_b;

  assign all_there = f_valid && s_valid && s_last;
  assign tail      = c_last && c_cnt == CntW'(Bytes) && !extra_q;
  assign o_valid   = c_valid && (!c_last || all_there);
  assign o_last    = c_last && !tail;
  assign crc       = f_crc ? c_crc : 32'd0;
  assign c_pop     = o_ready && !tail && (!c_last || all_there);
  assign s_pop     = c_valid && c_last && o_ready && !tail && f_valid;
  assign f_pop     = c_valid && c_last && o_ready && !tail && s_valid && s_last;

  always_comb begin
    o_data = extra_q ? '0 : c_data;
    o_cnt  = c_cnt;
    if (o_last) begin
      o_cnt = extra_q ? CntW'(4) : c_cnt + CntW'(4);
      for (int unsigned i = 0; i < Bytes / 4; i++) begin
        if ((extra_q ? '0 : c_cnt) == CntW'(4 * i)) o_data[32*i+:32] = crc;
      end
    end
  end

  // The CRC's bytes as two words in network order.
  assign sum_a = 18'(s_sum) + 18'({crc[7:0], crc[15:8]}) + 18'({crc[23:16], crc[31:24]});
  assign sum_b     = 17'(sum_q[15:0]) + 17'(sum_q[17:16]);  // behind the register
  assign out_sum_o = sum_b[15:0] + 16'(sum_b[16]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) extra_q <= 1'b0;
    else if (o_valid && o_ready) extra_q <= tail;
  end

  weft_skid #(.W(DATA_W + CntW + 2 + 18)) u_out (
    .clk_i, .rst_ni, .in_valid_i(o_valid), .in_ready_o(o_ready),
    .in_data_i({o_data, o_cnt, o_last, f_drop, sum_a}),
    .out_valid_o, .out_ready_i,
    .out_data_o({out_data_o, out_cnt_o, out_last_o, out_drop_o, sum_q})
  );

  assign idle_o = !a_valid && !c_valid && !i_valid && !f_valid && !v_valid && ver_idle &&
                  !out_valid_o;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
