// SPDX-License-Identifier: BSD-2-Clause

/// Takes whole FPDUs: checks the CRC (RFC 5044 4.4), keeps the header, passes the payload on.
/// One command for each FPDU, in order, before or with its first beat.
module weft_rx_body #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              cmd_valid_i,
  output logic              cmd_ready_o,
  input  logic [4:0]        cmd_skip_i,  ///< bytes in front of the payload: 16 or 20
  input  logic [15:0]       cmd_len_i,   ///< bytes of the payload; 0: no packet on pay_*

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,

  output logic              hdr_valid_o,
  input  logic              hdr_ready_i,
  output logic [367:0]      hdr_o,     ///< ULPDU bytes 0 to 45; bytes behind the FPDU are zero
  output logic              crc_ok_o,

  output logic              pay_valid_o,
  input  logic              pay_ready_i,
  output logic [DATA_W-1:0] pay_data_o,
  output logic [CntW-1:0]   pay_cnt_o,
  output logic              pay_last_o,

  output logic              idle_o
);

  // CRC32c over a message and its CRC.
  localparam logic [31:0] Residue = 32'h4867_4bc7;
  localparam int unsigned HdrBeats = (48 + Bytes - 1) / Bytes;
  localparam int unsigned BeatW = HdrBeats > 1 ? $clog2(HdrBeats) : 1;
  localparam int unsigned HdrW = HdrBeats * DATA_W;

  // ------------------------------------------------ CRC
  logic              c_valid, c_ready, c_last;
  logic [DATA_W-1:0] c_data;
  logic [CntW-1:0]   c_cnt;
  logic [31:0]       c_crc;
  logic              c_err;

  weft_crc32c #(.DATA_W(DATA_W)) u_crc (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i, .in_cnt_i, .in_last_i, .in_err_i(1'b0),
    .out_valid_o(c_valid), .out_ready_i(c_ready), .out_data_o(c_data), .out_cnt_o(c_cnt),
    .out_last_o(c_last), .out_err_o(c_err), .out_crc_o(c_crc)
  );

  // ------------------------------------------------ commands
  logic        sc_valid, sc_ready;
  logic [4:0]  sc_skip;
  logic [15:0] sc_len;
  logic [3:0]  sc_count;
  weft_fifo #(.W(21), .DEPTH(8)) u_cmd (
    .clk_i, .rst_ni, .in_valid_i(cmd_valid_i), .in_ready_o(cmd_ready_o),
    .in_data_i({cmd_skip_i, cmd_len_i}), .out_valid_o(sc_valid), .out_ready_i(sc_ready),
    .out_data_o({sc_skip, sc_len}), .count_o(sc_count)
  );

  // ------------------------------------------------ header capture beside the strip
  logic              s_valid, s_ready, take;
  logic              h_valid_q, h_ok_q;
  logic [HdrW-1:0]   h_q, h_d;
  logic [BeatW-1:0]  beat_q;
  logic              past_q;  // behind the beats that are kept
  logic [DATA_W-1:0] masked;

  assign s_valid = c_valid && (!h_valid_q || hdr_ready_i);
  assign c_ready = s_ready && (!h_valid_q || hdr_ready_i);
  assign take    = c_valid && c_ready;

  always_comb begin
    masked = '0;
    for (int unsigned i = 0; i < Bytes; i++) begin
      if (CntW'(i) < c_cnt) masked[8*i+:8] = c_data[8*i+:8];
    end
    h_d = (beat_q == '0 && !past_q) ? '0 : h_q;
    for (int unsigned b = 0; b < HdrBeats; b++) begin
      if (beat_q == BeatW'(b) && !past_q) h_d[b*DATA_W+:DATA_W] = masked;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      h_valid_q <= 1'b0;
      beat_q    <= '0;
      past_q    <= 1'b0;
    end else begin
      if (!h_valid_q || hdr_ready_i) h_valid_q <= take && c_last;
      if (take) begin
        if (c_last) begin
          beat_q <= '0;
          past_q <= 1'b0;
        end else if (32'(beat_q) == HdrBeats - 1) begin
          past_q <= 1'b1;
        end else begin
          beat_q <= beat_q + 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      h_q    <= h_d;
      h_ok_q <= c_crc == Residue;
    end
  end

  assign hdr_valid_o = h_valid_q;
  assign hdr_o       = h_q[383:16];
  assign crc_ok_o    = h_ok_q;

  // ------------------------------------------------ payload; an empty one makes no packet
  logic              p_valid, p_ready, p_err, strip_idle;
  logic [DATA_W-1:0] p_data;
  logic [CntW-1:0]   p_cnt;
  logic              p_last;

  weft_stream_strip #(.DATA_W(DATA_W)) u_strip (
    .clk_i, .rst_ni,
    .cmd_valid_i(sc_valid), .cmd_ready_o(sc_ready), .cmd_drop_i(16'(sc_skip)), .cmd_len_i(sc_len),
    .in_valid_i(s_valid), .in_ready_o(s_ready), .in_data_i(c_data), .in_cnt_i(c_cnt),
    .in_last_i(c_last), .in_err_i(1'b0),
    .out_valid_o(p_valid), .out_ready_i(p_ready), .out_data_o(p_data), .out_cnt_o(p_cnt),
    .out_last_o(p_last), .out_err_o(p_err), .idle_o(strip_idle)
  );

  assign pay_valid_o = p_valid && p_cnt != '0;
  assign p_ready     = pay_ready_i || p_cnt == '0;
  assign pay_data_o  = p_data;
  assign pay_cnt_o   = p_cnt;
  assign pay_last_o  = p_last;
  assign idle_o      = !c_valid && !h_valid_q && sc_count == '0 && strip_idle && !p_valid;

  logic unused;
  assign unused = c_err ^ p_err ^ (^h_q[15:0]);
  if (HdrW > 384) begin : gen_unused
    logic unused_h;
    assign unused_h = ^h_q[HdrW-1:384];
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(p_valid && p_cnt == '0 && !p_last)) else $error("empty beat in a packet");
  end
`endif

endmodule
