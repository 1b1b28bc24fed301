// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Frame buffer of the transmit path: computes the checksum of each frame from byte `info_start_i`
/// to the end while the frame streams in, and gives the frame out when it is whole and good.
module weft_l2_txbuf #(
  parameter int unsigned DATA_W = 64,        ///< 64, 128, 256 or 512
  parameter int unsigned BUF_BYTES = 32768,  ///< a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,
  input  logic              info_csum_i,    ///< these three are those of the frame at the input
  input  logic [8:0]        info_start_i,
  input  logic [7:0]        info_off_i,
  input  logic              info_set_i,     ///< it is no frame: thrown away, but not bad
  input  logic              info_final_i,   ///< comes back with done_valid_o
  input  logic              bad_i,          ///< with last: it is thrown away

  output logic              done_valid_o,   ///< a frame went into the buffer, or was thrown away
  input  logic              done_ready_i,
  output logic              done_err_o,
  output logic              done_set_o,
  output logic              done_final_o,

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              out_csum_o,     ///< these three are stable for the frame:
  output logic [9:0]        out_pos_o,      ///< where the checksum goes
  output logic [15:0]       out_sum_o,      ///< checksum, first byte on the wire in 15:8
  output logic              empty_o,
  output logic              idle_o
);

  localparam int unsigned Bytes = DATA_W / 8;

  // ------------------------------------------------ a copy with only the bytes that count
  logic [DATA_W-1:0] masked;
  logic [13:0]       at_q;
  logic              go, side_ok, m_in_ready, s_in_ready, fire;

  always_comb begin
    masked = '0;
    if (in_valid_i) begin
      for (int unsigned i = 0; i < Bytes; i++) begin
        if (at_q + 14'(i) >= 14'(info_start_i)) masked[8*i+:8] = in_data_i[8*i+:8];
      end
    end
  end

  assign side_ok      = !in_last_i || x_in_ready;
  assign go           = in_valid_i && side_ok;
  assign in_ready_o   = side_ok && m_in_ready && s_in_ready;
  assign fire         = in_valid_i && in_ready_o;

  // at_q stops counting past what an offset can reach.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) at_q <= '0;
    else if (fire) at_q <= in_last_i ? '0 : at_q[13] ? at_q : at_q + 14'(Bytes);
  end

  // ------------------------------------------------ the frame waits for its sum
  logic              m_valid, m_last, m_pop, s_valid, s_last, x_in_ready, x_valid, x_pop;
  logic [DATA_W-1:0] m_data;
  logic [CntW-1:0]   m_cnt;
  logic [15:0]       s_sum, sum, inv;
  logic              x_csum, x_bad, x_set, x_final;
  logic [8:0]        x_start;
  logic [7:0]        x_off;

  weft_fifo #(.W(DATA_W + CntW + 1), .DEPTH(16)) u_main (
    .clk_i, .rst_ni, .in_valid_i(go && s_in_ready), .in_ready_o(m_in_ready),
    .in_data_i({in_last_i, in_cnt_i, in_data_i}),
    .out_valid_o(m_valid), .out_ready_i(m_pop), .out_data_o({m_last, m_cnt, m_data}), .count_o()
  );
  weft_csum #(.DATA_W(DATA_W)) u_sum (
    .clk_i, .rst_ni, .in_valid_i(go && m_in_ready), .in_ready_o(s_in_ready), .in_data_i(masked),
    .in_cnt_i, .in_last_i, .in_err_i(1'b0),
    .out_valid_o(s_valid), .out_ready_i(!s_last || (m_valid && m_last && m_pop)), .out_data_o(),
    .out_cnt_o(), .out_last_o(s_last), .out_err_o(), .out_sum_o(s_sum)
  );
  weft_fifo #(.W(21), .DEPTH(16)) u_side (
    .clk_i, .rst_ni, .in_valid_i(fire && in_last_i), .in_ready_o(x_in_ready),
    .in_data_i({bad_i, info_set_i, info_final_i, info_csum_i, info_start_i, info_off_i}),
    .out_valid_o(x_valid), .out_ready_i(x_pop), .out_data_o({x_bad, x_set, x_final, x_csum, x_start, x_off}),
    .count_o()
  );

  // The sum is over words that start at CSUM_START. UDP sends 0 as 0xffff (RFC 768).
  assign sum = x_start[0] ? {s_sum[7:0], s_sum[15:8]} : s_sum;
  assign inv = (sum == 16'hffff && x_off == 8'd6) ? 16'hffff : ~sum;

  logic there, p_ready;
  assign there        = m_valid && (!m_last || (s_valid && s_last && x_valid && done_ready_i));
  assign m_pop        = p_ready && (!m_last || (s_valid && s_last && x_valid && done_ready_i));
  assign x_pop        = m_valid && m_last && p_ready && s_valid && s_last && done_ready_i;
  assign done_valid_o = m_valid && m_last && p_ready && s_valid && s_last && x_valid;
  assign done_err_o   = x_bad;
  assign done_set_o   = x_set;
  assign done_final_o = x_final;

  weft_pkt_fifo #(
    .DATA_W(DATA_W), .DEPTH(BUF_BYTES / Bytes), .META_W(27), .MAX_PKTS(64)
  ) u_buf (
    .clk_i, .rst_ni, .in_valid_i(there), .in_ready_o(p_ready), .in_data_i(m_data), .in_cnt_i(m_cnt),
    .in_last_i(m_last), .in_drop_i(x_bad || x_set), .in_meta_i({x_csum, 10'(x_start) + 10'(x_off), inv}),
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o,
    .out_meta_o({out_csum_o, out_pos_o, out_sum_o}), .free_o(), .empty_o, .stat_drop_o(),
    .stat_overflow_o()
  );

  assign idle_o = !m_valid && !s_valid && !x_valid;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
