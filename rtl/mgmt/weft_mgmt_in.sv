// SPDX-License-Identifier: BSD-2-Clause

/// Host to RAM: a queue of copies, each one DMA read. Also used by the image loader, which sees
/// every word on the way (`snoop_*`).
///
/// A copy is pushed with `job_valid_i` while `job_ready_o`; `len` bytes, 1 to 16384, from any bus
/// address to word-aligned RAM (`job_sink_i`: only shown on the snoop port, not stored). The last
/// partial word writes only its valid bytes. `done_o` pulses in job order with `done_err_o`; a
/// response of another length than asked counts as an error and never overruns `len`.
module weft_mgmt_in #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned RAM_AW = 14,
  parameter int unsigned DEPTH = 4,
  localparam int unsigned CNT_W = $clog2(DATA_W / 8) + 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  job_valid_i,
  output logic                  job_ready_o,
  input  logic [63:0]           job_host_i,
  input  logic [RAM_AW-1:0]     job_word_i,
  input  logic [14:0]           job_len_i,
  input  logic                  job_after_wr_i,
  input  logic                  job_sink_i,
  output logic                  done_o,
  output logic                  done_err_o,
  output logic                  idle_o,

  output logic                  rd_req_valid_o,
  input  logic                  rd_req_ready_i,
  output weft_pkg::dma_rd_req_t rd_req_o,
  input  logic                  rd_rsp_valid_i,
  output logic                  rd_rsp_ready_o,
  input  logic [DATA_W-1:0]     rd_rsp_data_i,
  input  logic [CNT_W-1:0]      rd_rsp_cnt_i,
  input  logic                  rd_rsp_last_i,
  input  logic                  rd_rsp_err_i,

  output logic                  ram_req_o,    ///< held until granted
  input  logic                  ram_gnt_i,
  output logic [3:0]            ram_be_o,
  output logic [RAM_AW-1:0]     ram_word_o,
  output logic [31:0]           ram_wdata_o,

  output logic                  snoop_valid_o, ///< a word of the job at the head
  output logic [3:0]            snoop_word_o,  ///< its place in the copy, modulo 16 words
  output logic [31:0]           snoop_data_o
);

  localparam int unsigned PW = $clog2(DEPTH);

  initial begin
    if (DATA_W < 64 || (DATA_W & (DATA_W - 1)) != 0) $error("DATA_W");
    if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) $error("DEPTH");
  end

  // Queue: written, asked and finished indices.
  logic [PW:0] wp_q, ap_q, fp_q;
  logic [63:0] host_q [DEPTH];
  logic [RAM_AW+16:0] info_q [DEPTH];  // sink, after_wr, word, len
  always_ff @(posedge clk_i) begin
    if (job_valid_i && job_ready_o) begin
      host_q[wp_q[PW-1:0]] <= job_host_i;
      info_q[wp_q[PW-1:0]] <= {job_sink_i, job_after_wr_i, job_word_i, job_len_i};
    end
  end
  assign job_ready_o = (wp_q - fp_q) != (PW+1)'(DEPTH);

  logic [RAM_AW+16:0] ask, cur;
  assign ask = info_q[ap_q[PW-1:0]];
  assign cur = info_q[fp_q[PW-1:0]];

  assign rd_req_valid_o = ap_q != wp_q;
  always_comb begin
    rd_req_o = '0;
    rd_req_o.addr = host_q[ap_q[PW-1:0]];
    rd_req_o.len = {1'b0, ask[14:0]};
    rd_req_o.after_wr = ask[RAM_AW+15];
  end

  // The beat in work is a shift register of words.
  logic [DATA_W-1:0] beat_q;
  logic [CNT_W-1:0]  left_q;      // bytes left in beat_q
  logic              have_q, last_q, err_q, bad_q;
  logic [14:0]       off_q;
  logic [RAM_AW-1:0] word;
  logic [14:0]       remain;      // bytes of the copy that are still missing
  assign remain = cur[14:0] - off_q;

  logic room_ok, take_word, word_done, beat_empty;
  assign room_ok = off_q < cur[14:0];
  assign take_word = have_q && left_q != 0;
  assign ram_req_o = take_word && room_ok && !cur[RAM_AW+16];
  assign word_done = take_word && (ram_gnt_i || !room_ok || cur[RAM_AW+16]);
  assign beat_empty = left_q == 0 || (word_done && left_q <= CNT_W'(4));
  assign word = cur[RAM_AW+14:15] + RAM_AW'(off_q[14:2]);
  assign ram_word_o = word;
  assign ram_wdata_o = beat_q[31:0];

  logic [2:0] nb;
  always_comb begin
    nb = left_q >= CNT_W'(4) ? 3'd4 : 3'(left_q);
    if (remain < 15'(nb)) nb = remain[2:0];
    unique case (nb)
      3'd1: ram_be_o = 4'b0001;
      3'd2: ram_be_o = 4'b0011;
      3'd3: ram_be_o = 4'b0111;
      default: ram_be_o = 4'b1111;
    endcase
  end

  assign snoop_valid_o = word_done && room_ok;
  assign snoop_word_o = off_q[5:2];
  assign snoop_data_o = beat_q[31:0];
  assign rd_rsp_ready_o = !have_q;

  logic finish;
  assign finish = have_q && last_q && beat_empty;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wp_q <= '0;
      ap_q <= '0;
      fp_q <= '0;
      left_q <= '0;
      have_q <= 1'b0;
      last_q <= 1'b0;
      err_q <= 1'b0;
      bad_q <= 1'b0;
      off_q <= '0;
      done_o <= 1'b0;
      done_err_o <= 1'b0;
    end else begin
      done_o <= 1'b0;
      if (job_valid_i && job_ready_o) wp_q <= wp_q + 1'b1;
      if (rd_req_valid_o && rd_req_ready_i) ap_q <= ap_q + 1'b1;
      if (!have_q) begin
        if (rd_rsp_valid_i) begin
          have_q <= 1'b1;
          left_q <= rd_rsp_cnt_i;
          last_q <= rd_rsp_last_i;
          err_q <= rd_rsp_last_i && rd_rsp_err_i;
        end
      end else begin
        if (word_done) begin
          if (room_ok) off_q <= off_q + 15'(nb);
          if (!room_ok) bad_q <= 1'b1;
          left_q <= left_q <= CNT_W'(4) ? '0 : left_q - CNT_W'(4);
        end
        if (beat_empty) have_q <= 1'b0;
        if (finish) begin
          done_o <= 1'b1;
          done_err_o <= err_q || bad_q || (word_done && !room_ok)
                        || (off_q + (word_done && room_ok ? 15'(nb) : 15'd0)) != cur[14:0];
          fp_q <= fp_q + 1'b1;
          off_q <= '0;
          bad_q <= 1'b0;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!have_q) beat_q <= rd_rsp_data_i;
    else if (word_done) beat_q <= beat_q >> 32;
  end

  assign idle_o = wp_q == fp_q && !done_o;


endmodule
