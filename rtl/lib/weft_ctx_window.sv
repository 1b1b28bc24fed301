// SPDX-License-Identifier: BSD-2-Clause

/// Context window of a room: turns 32-bit accesses of the configuration bus into commits and fetches
/// of whole 64-byte entries. Entry i lies at offset i * 64.
///
/// A write of words 0 to 14 is staged, whatever the entry; a write of word 15 commits the sixteen
/// words to the entry that it addresses and is answered when the commit was taken. A read of word 0
/// fetches the entry; words 1 to 15 come from the last fetch. Entries beyond N answer with err.
/// The staged words keep their value after a commit.
module weft_ctx_window #(
  parameter int unsigned N = 16  ///< entries, 1 to 65536
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                cfg_req_valid_i,
  output logic                cfg_req_ready_o,
  input  weft_pkg::cfg_req_t  cfg_req_i,
  output logic                cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t  cfg_rsp_o,

  output logic                commit_valid_o,
  input  logic                commit_ready_i,
  output logic [15:0]         commit_index_o,
  output logic [511:0]        commit_data_o,   ///< word 0 in bits 31:0

  output logic                fetch_valid_o,
  input  logic                fetch_ready_i,
  output logic [15:0]         fetch_index_o,
  input  logic                fetch_rsp_valid_i,  ///< any later cycle
  input  logic [511:0]        fetch_rsp_data_i
);

  typedef enum logic [2:0] {StIdle, StCommit, StFetch, StFetchRsp, StAnswer} state_e;

  state_e       state_q;
  logic [511:0] stage_q, fetched_q;
  logic [15:0]  index_q;
  logic [3:0]   word_q;
  logic         err_q, we_q;

  assign cfg_req_ready_o = state_q == StIdle;
  assign commit_valid_o  = state_q == StCommit;
  assign commit_index_o  = index_q;
  assign commit_data_o   = stage_q;
  assign fetch_valid_o   = state_q == StFetch;
  assign fetch_index_o   = index_q;

  assign cfg_rsp_valid_o = state_q == StAnswer;
  assign cfg_rsp_o.err   = err_q;
  assign cfg_rsp_o.rdata = (we_q || err_q) ? 32'd0 : fetched_q[32*word_q+:32];

  logic [15:0] in_index;
  logic [3:0]  in_word;
  logic        in_bad;
  assign in_index = cfg_req_i.addr[21:6];
  assign in_word  = cfg_req_i.addr[5:2];
  assign in_bad   = 32'(in_index) >= 32'(N);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle: begin
          if (cfg_req_valid_i) begin
            if (!in_bad && cfg_req_i.we && in_word == 4'd15) state_q <= StCommit;
            else if (!in_bad && !cfg_req_i.we && in_word == 4'd0) state_q <= StFetch;
            else state_q <= StAnswer;
          end
        end
        StCommit:   if (commit_ready_i) state_q <= StAnswer;
        StFetch:    if (fetch_ready_i) state_q <= StFetchRsp;
        StFetchRsp: if (fetch_rsp_valid_i) state_q <= StAnswer;
        default:    state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle && cfg_req_valid_i) begin
      index_q <= in_index;
      word_q  <= in_word;
      we_q    <= cfg_req_i.we;
      err_q   <= in_bad;
      if (cfg_req_i.we && !in_bad) stage_q[32*in_word+:32] <= cfg_req_i.wdata;
    end
    if (state_q == StFetchRsp && fetch_rsp_valid_i) fetched_q <= fetch_rsp_data_i;
  end

  logic unused;
  assign unused = ^{cfg_req_i.addr[27:22], cfg_req_i.addr[1:0]};

endmodule
