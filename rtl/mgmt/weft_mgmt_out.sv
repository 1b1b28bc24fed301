// SPDX-License-Identifier: BSD-2-Clause

/// RAM to a byte stream: a queue of packets that are read from word-aligned RAM and sent as
/// DATA_W beats. One instance writes host memory (the header is the bus address), another sends
/// frames (the header is not used).
///
/// A packet is pushed with `job_valid_i` while `job_ready_o`, `len` 1 to 16384 bytes. `done_o`
/// pulses when its last beat was accepted; until then its RAM must not be changed.
module weft_mgmt_out #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned RAM_AW = 14,
  parameter int unsigned DEPTH = 4,
  localparam int unsigned CNT_W = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              job_valid_i,
  output logic              job_ready_o,
  input  logic [63:0]       job_host_i,
  input  logic [RAM_AW-1:0] job_word_i,
  input  logic [14:0]       job_len_i,
  output logic              done_o,
  output logic              idle_o,

  output logic              ram_req_o,     ///< a granted request's data come in the next cycle
  input  logic              ram_gnt_i,
  output logic [RAM_AW-1:0] ram_word_o,
  input  logic [31:0]       ram_rdata_i,

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CNT_W-1:0]  out_cnt_o,
  output logic              out_last_o,
  output logic [63:0]       out_host_o,    ///< stable with the packet
  output logic [14:0]       out_len_o
);

  localparam int unsigned PW = $clog2(DEPTH);
  localparam int unsigned BYTES = DATA_W / 8;
  localparam int unsigned WORDS = DATA_W / 32;
  localparam int unsigned WW = $clog2(WORDS);

  logic [PW:0] wp_q, fp_q;
  logic [63:0] host_q [DEPTH];
  logic [RAM_AW+14:0] info_q [DEPTH];  // word, len
  always_ff @(posedge clk_i) begin
    if (job_valid_i && job_ready_o) begin
      host_q[wp_q[PW-1:0]] <= job_host_i;
      info_q[wp_q[PW-1:0]] <= {job_word_i, job_len_i};
    end
  end
  assign job_ready_o = (wp_q - fp_q) != (PW+1)'(DEPTH);

  logic [RAM_AW+14:0] cur;
  logic               any;
  assign cur = info_q[fp_q[PW-1:0]];
  assign any = wp_q != fp_q;

  // Words are asked for one at a time and gathered in the beat.
  typedef enum logic [1:0] { StAsk, StTake, StSend } state_e;
  state_e            state_q;
  logic [14:0]       off_q;        // bytes gathered, this beat included, in whole words
  logic [WW-1:0]     lane_q;
  logic [DATA_W-1:0] beat_q;
  logic [14:0]       next_off;
  assign next_off = off_q + 15'd4;

  assign ram_req_o = any && state_q == StAsk;
  assign ram_word_o = cur[RAM_AW+14:15] + RAM_AW'(off_q[14:2]);

  logic last_word;
  assign last_word = next_off >= cur[14:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StAsk;
      off_q <= '0;
      lane_q <= '0;
      wp_q <= '0;
      fp_q <= '0;
      out_cnt_o <= '0;
      out_last_o <= 1'b0;
      done_o <= 1'b0;
    end else begin
      done_o <= 1'b0;
      if (job_valid_i && job_ready_o) wp_q <= wp_q + 1'b1;
      unique case (state_q)
        StAsk: if (any && ram_gnt_i) state_q <= StTake;
        StTake: begin
          off_q <= next_off;
          lane_q <= lane_q + 1'b1;
          state_q <= StAsk;
          if (last_word || lane_q == WW'(WORDS - 1)) begin
            state_q <= StSend;
            out_last_o <= last_word;
            out_cnt_o <= CNT_W'(BYTES);
            if (last_word && cur[CNT_W-2:0] != 0) out_cnt_o <= {1'b0, cur[CNT_W-2:0]};
          end
        end
        default: if (out_ready_i) begin
          lane_q <= '0;
          state_q <= StAsk;
          if (out_last_o) begin
            fp_q <= fp_q + 1'b1;
            off_q <= '0;
            done_o <= 1'b1;
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StTake) begin
      for (int unsigned i = 0; i < WORDS; i++) begin
        if (lane_q == WW'(i)) beat_q[32*i+:32] <= ram_rdata_i;
      end
    end
  end

  assign out_valid_o = state_q == StSend;
  assign out_data_o = beat_q;
  assign out_host_o = host_q[fp_q[PW-1:0]];
  assign out_len_o = cur[14:0];
  assign idle_o = !any && !done_o;

endmodule
