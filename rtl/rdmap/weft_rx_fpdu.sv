// SPDX-License-Identifier: BSD-2-Clause

/// Finds the FPDUs of a segment (RFC 5044 5.2) by their length fields, cuts them out, and strips each
/// to its DDP payload. Any number of FPDUs in a segment; one that does not end in it is thrown away
/// and reported, as is a length beyond what MPA allows.
///
/// For each FPDU one entry goes to `pre_*`, the header and the CRC verdict to `hdr_*`, and the
/// payload, if it is one that may be placed, to `pay_*`; all three in order. An FPDU's payload packet
/// is there whatever its verdict.
module weft_rx_fpdu #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              run_valid_i,
  output logic              run_ready_o,
  input  logic              run_drop_i,
  input  logic [15:0]       run_qpn_i,
  input  logic [31:0]       run_seq_i,
  input  logic [15:0]       run_trim_i,
  input  logic [15:0]       run_len_i,
  input  logic              run_crc_i,
  output logic              done_valid_o,
  output logic [31:0]       done_nxt_o,
  output logic              done_part_o,
  output logic              done_fault_o,

  input  logic              seg_valid_i,
  output logic              seg_ready_o,
  input  logic [DATA_W-1:0] seg_data_i,
  input  logic              seg_last_i,

  output logic              pre_valid_o,
  input  logic              pre_ready_i,
  output weft_rx_pkg::pre_t pre_o,

  output logic              hdr_valid_o,
  input  logic              hdr_ready_i,
  output logic [367:0]      hdr_o,      ///< ULPDU bytes 0 to 45, first in bits 7:0; zeros behind
  output logic              crc_ok_o,

  output logic              pay_valid_o,
  input  logic              pay_ready_i,
  output logic [DATA_W-1:0] pay_data_o,
  output logic [CntW-1:0]   pay_cnt_o,
  output logic              pay_last_o,

  output logic              idle_o,
  output logic              stat_fpdu_o  ///< pulse
);

  typedef enum logic [1:0] {StIdle, StTrim, StPeek, StCmd} state_e;

  // RFC 5044 4.1: a ULPDU is at most 64768 bytes long.
  localparam logic [15:0] MaxUlpdu = 16'd64768;

  state_e      state_q;
  logic [15:0] qpn_q, trim_q, left_q;
  logic [31:0] seq_q, peek_q;
  logic        crc_q, drop_q;
  logic [16:0] flen_q;                  // of the FPDU whose length field is in peek_q
  logic        huge_q, part_q, ends_q;  // ends_q: with the segment

  logic        peek_valid, cut_valid, cut_ready, cut_drop, cut_end;
  logic [31:0] peek;
  logic [15:0] cut_len;
  logic        sc_valid, sc_ready;
  logic [15:0] ulpdu, ulpdu_d, hdr_len, pay_len;
  logic [16:0] flen;
  logic        is_tag, known, store, huge, go;

  assign ulpdu   = {peek_q[7:0], peek_q[15:8]};
  assign is_tag  = peek_q[23];
  assign hdr_len = is_tag ? 16'd14 : 16'd18;
  assign pay_len = ulpdu > hdr_len ? ulpdu - hdr_len : 16'd0;
  // Length field, padded to four bytes, and the CRC; looked at in the cycle in which it is taken,
  // because the decision and those who wait for it are a long way as they are.
  assign ulpdu_d = {peek[7:0], peek[15:8]};
  assign flen    = (17'(ulpdu_d) + 17'd9) / 17'd4 * 17'd4;
  assign huge    = ulpdu_d > MaxUlpdu;
  // Sends; the payload of Read Request and Terminate is taken from the header capture.
  assign known   = is_tag || (peek_q[27:24] >= 4'd3 && peek_q[27:24] <= 4'd6);
  assign store   = known && pay_len != '0;

  // The three consumers of an FPDU take it in the same cycle.
  assign go = state_q == StCmd && pre_ready_i && sc_ready && cut_ready;

  always_comb begin
    cut_valid = 1'b0;
    cut_len   = '0;
    cut_drop  = 1'b1;
    cut_end   = 1'b1;
    unique case (state_q)
      StTrim: begin
        cut_valid = 1'b1;
        cut_len   = drop_q ? 16'd0 : trim_q;
        cut_end   = drop_q;
      end
      StCmd: begin
        cut_valid = pre_ready_i && sc_ready;
        if (!part_q && !huge_q) begin
          cut_len  = flen_q[15:0];
          cut_drop = 1'b0;
          cut_end  = ends_q;
        end
      end
      default: ;
    endcase
  end

  assign run_ready_o = state_q == StIdle;
  assign sc_valid    = go && !part_q && !huge_q;
  assign pre_valid_o = state_q == StCmd && sc_ready && cut_ready && !part_q;
  always_comb begin
    pre_o         = '0;
    pre_o.kind    = huge_q ? weft_rx_pkg::IkFault : weft_rx_pkg::IkFpdu;
    pre_o.qpn     = qpn_q;
    pre_o.seq     = seq_q;
    pre_o.nxt     = seq_q + 32'(flen_q);
    pre_o.ulpdu   = ulpdu;
    pre_o.crc     = crc_q;
    pre_o.seg_end = cut_end;
    pre_o.store   = store;
    pre_o.code    = weft_rx_pkg::TermMpaLength;
  end

  assign done_valid_o = go && cut_end;
  assign done_nxt_o   = (part_q || huge_q) ? seq_q : seq_q + 32'(flen_q);
  assign done_part_o  = part_q;
  assign done_fault_o = huge_q && !part_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:  if (run_valid_i) state_q <= (run_drop_i || run_trim_i != '0) ? StTrim : StPeek;
        StTrim:  if (cut_ready) state_q <= drop_q ? StIdle : StPeek;
        StPeek:  if (peek_valid) state_q <= StCmd;
        default: if (go) state_q <= cut_end ? StIdle : StPeek;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      qpn_q  <= run_qpn_i;
      seq_q  <= run_seq_i;
      trim_q <= run_trim_i;
      left_q <= run_len_i;
      crc_q  <= run_crc_i;
      drop_q <= run_drop_i;
    end
    if (state_q == StPeek) begin
      peek_q <= peek;
      flen_q <= flen;
      huge_q <= huge;
      part_q <= left_q < 16'd2 || (!huge && flen > 17'(left_q));
      ends_q <= flen[15:0] == left_q;
    end
    if (go) begin
      seq_q  <= seq_q + 32'(flen_q);
      left_q <= left_q - flen_q[15:0];
    end
  end

  // ------------------------------------------------ cut, check, strip
  logic              cut_o_valid, cut_o_ready, cut_o_last, cut_idle;
  logic [DATA_W-1:0] cut_o_data;
  logic [CntW-1:0]   cut_o_cnt;

  weft_rx_cut #(.DATA_W(DATA_W)) u_cut (
    .clk_i, .rst_ni,
    .in_valid_i(seg_valid_i), .in_ready_o(seg_ready_o), .in_data_i(seg_data_i), .in_last_i(seg_last_i),
    .peek_valid_o(peek_valid), .peek_data_o(peek),
    .cmd_valid_i(cut_valid), .cmd_ready_o(cut_ready), .cmd_len_i(cut_len), .cmd_drop_i(cut_drop),
    .cmd_end_i(cut_end),
    .out_valid_o(cut_o_valid), .out_ready_i(cut_o_ready), .out_data_o(cut_o_data),
    .out_cnt_o(cut_o_cnt), .out_last_o(cut_o_last), .idle_o(cut_idle)
  );

  logic body_idle;
  weft_rx_body #(.DATA_W(DATA_W)) u_body (
    .clk_i, .rst_ni,
    .cmd_valid_i(sc_valid), .cmd_ready_o(sc_ready), .cmd_skip_i(is_tag ? 5'd16 : 5'd20),
    .cmd_len_i(store ? pay_len : 16'd0),
    .in_valid_i(cut_o_valid), .in_ready_o(cut_o_ready), .in_data_i(cut_o_data),
    .in_cnt_i(cut_o_cnt), .in_last_i(cut_o_last),
    .hdr_valid_o, .hdr_ready_i, .hdr_o, .crc_ok_o,
    .pay_valid_o, .pay_ready_i, .pay_data_o, .pay_cnt_o, .pay_last_o, .idle_o(body_idle)
  );

  logic unused;
  assign unused = ^peek_q;

  assign idle_o      = state_q == StIdle && cut_idle && body_idle;
  assign stat_fpdu_o = sc_valid;

endmodule
