// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Takes fetched send WQEs into the slots of their QP (256 bytes a QP: 4, 2 or 1 WQEs by stride),
/// 16 bytes a cycle, and judges each one on the way: opcode, INDEX, NUM_SGE against the stride,
/// in-line length, sum of the SGE lengths = LENGTH, LENGTH limit. Malformed: LOC_QP_OP_ERR. A fetch
/// that failed or has another length than asked for: FATAL_ERR for all of its WQEs.
/// When the last byte of a fetch is in, what the slots hold is published and its QP is woken.
module weft_qp_wqe #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_QP = 16,
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 trk_valid_i,   ///< fetches under way, oldest first
  output logic                 trk_ready_o,
  input  weft_qp_pkg::trk_t    trk_i,

  input  logic                 rd_valid_i,    ///< DMA read response stream
  output logic                 rd_ready_o,
  input  logic [DATA_W-1:0]    rd_data_i,
  input  logic [CntW-1:0]      rd_cnt_i,
  input  logic                 rd_last_i,
  input  logic                 rd_err_i,

  output logic                 slot_we_o,     ///< slots, 16 words of 16 bytes a QP
  output logic                 slot_hdr_o,    ///< with slot_we_o: one of the two header words
  output logic [1:0]           slot_num_o,    ///< number of the slot
  output logic [QpW+3:0]       slot_addr_o,
  output logic [127:0]         slot_data_o,
  output logic                 meta_we_o,     ///< verdicts, 4 a QP
  output logic [QpW+1:0]       meta_addr_o,
  output weft_qp_pkg::meta_t   meta_o,

  output logic                 done_o,        ///< publish avail_o; wake the QP
  output logic [QpW-1:0]       done_qpn_o,
  output weft_qp_pkg::avail_t  avail_o,
  output logic                 idle_o,
  output logic                 stat_bad_o     ///< a malformed WQE
);

  localparam int unsigned Sub = DATA_W < 128 ? 1 : DATA_W / 128;  // words a beat

  // ---------------------------------------------------------------- beats to words of 16 bytes
  logic         w_valid, w_ready, w_last, w_err;
  logic [127:0] w_data;

  if (DATA_W == 64) begin : gen_up
    logic        low_q;
    logic [63:0] data_q;
    // A packet that ends on half a word is short and so in error; the word is let through as it is.
    assign w_valid    = rd_valid_i && (low_q || rd_last_i);
    assign rd_ready_o = w_ready || !(low_q || rd_last_i);
    assign w_data     = {rd_data_i, data_q};
    assign w_last     = rd_last_i;
    assign w_err      = rd_err_i || !low_q || rd_cnt_i != CntW'(8);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) low_q <= 1'b0;
      else if (rd_valid_i && rd_ready_o) low_q <= !low_q && !rd_last_i;
    end
    always_ff @(posedge clk_i) if (rd_valid_i && rd_ready_o) data_q <= rd_data_i;
  end else begin : gen_down
    localparam int unsigned SubW = Sub > 1 ? $clog2(Sub) : 1;
    logic [SubW-1:0] sub_q;
    logic            end_beat;
    // The last beat of a fetch of 64 to 256 bytes is a whole number of words.
    assign end_beat   = CntW'((32'(sub_q) + 32'd1) * 32'd16) >= rd_cnt_i;
    assign w_valid    = rd_valid_i;
    assign rd_ready_o = w_ready && end_beat;
    assign w_data     = rd_data_i[128*sub_q+:128];
    assign w_last     = rd_last_i && end_beat;
    assign w_err      = rd_err_i || rd_cnt_i[3:0] != '0 || rd_cnt_i == '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) sub_q <= '0;
      else if (rd_valid_i && w_ready) sub_q <= end_beat ? '0 : sub_q + 1'b1;
    end
  end

  // ---------------------------------------------------------------- words
  typedef enum logic [1:0] {StWords, StFail, StDone} state_e;
  state_e       state_q;
  logic [2:0]   n_q;       // WQEs taken of this fetch
  logic [3:0]   k_q;       // word in the WQE
  logic [15:0]  index;
  logic [3:0]   last_k;
  logic [1:0]   slot;
  logic         fire, wqe_end, over;

  assign w_ready = state_q == StWords && trk_valid_i;
  assign fire    = w_valid && w_ready;
  assign index   = trk_i.index + 16'(n_q);
  assign last_k  = (4'd4 << trk_i.stride) - 4'd1;
  assign over    = n_q == trk_i.n;       // more came than was asked for
  assign wqe_end = k_q == last_k;
  assign slot    = index[1:0] & (2'b11 >> trk_i.stride);

  assign slot_we_o   = fire && !over;
  assign slot_hdr_o  = slot_we_o && k_q[3:1] == '0;
  assign slot_num_o  = slot;
  assign slot_addr_o = {trk_i.qpn[QpW-1:0], 4'(4'(slot) << (2'd2 + trk_i.stride)) | k_q};
  assign slot_data_o = w_data;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StWords;
      n_q     <= '0;
      k_q     <= '0;
    end else begin
      unique case (state_q)
        StWords: begin
          if (fire) begin
            k_q <= wqe_end ? '0 : k_q + 4'd1;
            if (wqe_end && !over) n_q <= n_q + 3'd1;
            if (w_last) begin
              // The last word must be the last of the last WQE.
              k_q <= '0;
              if (w_err || !wqe_end || n_q + 3'd1 != trk_i.n) begin
                state_q <= StFail;
                n_q     <= '0;
              end else begin
                state_q <= StDone;
              end
            end
          end
        end
        StFail: begin
          n_q <= n_q + 3'd1;
          if (n_q + 3'd1 == trk_i.n) state_q <= StDone;
        end
        default: begin
          // The verdict on the last WQE is written in the cycle in which it is published.
          if (!v_q) begin
            state_q <= StWords;
            n_q     <= '0;
          end
        end
      endcase
    end
  end

  assign done_o      = state_q == StDone && !v_q;
  assign trk_ready_o = done_o;
  assign done_qpn_o  = trk_i.qpn[QpW-1:0];
  assign avail_o     = trk_i.avail;
  assign idle_o      = !trk_valid_i && state_q == StWords;

  // ---------------------------------------------------------------- verdict, two stages behind the words
  weft_abi_pkg::sqe_t h;
  logic         v_q, v_end_q, v_hdr_q;
  logic [127:0] v_word_q;
  logic [3:0]   v_k_q;
  logic [1:0]   v_slot_q;
  logic [35:0]  sum_q, sum;
  logic [31:0]  fold_q, fold;
  logic [7:0]   op_q, num_q;
  logic         inl_q, bad_q, len_bad;
  logic [31:0]  len_q;
  logic [7:0]   room, num_max;

  assign h = {128'd0, w_data};

  logic         e_q, e_free_q, e_bad_q;  // the WQE whose last word is summed
  logic [31:0]  e_len_q;
  logic [1:0]   e_slot_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v_q <= 1'b0;
      e_q <= 1'b0;
    end else begin
      v_q <= fire && !over;
      e_q <= v_q && v_end_q && state_q != StFail;  // a failed fetch gives its own verdict
    end
  end

  // Bytes behind the header, and SGEs that they hold.
  assign room    = 8'((9'd64 << trk_i.stride) - 9'd32);
  assign num_max = room >> 4;

  always_ff @(posedge clk_i) begin
    if (fire) begin
      v_word_q <= w_data;
      v_end_q  <= wqe_end;
      v_hdr_q  <= k_q == '0;
      v_k_q    <= k_q;
      v_slot_q <= slot;
      if (k_q == '0) begin
        op_q  <= h.opcode;
        num_q <= h.num_sge;
        inl_q <= h.inline;
        len_q <= h.length;
        bad_q <= h.index != index || h.length[31]
                 || !(h.opcode <= weft_abi_pkg::SQ_OPCODE_READ || h.opcode == weft_abi_pkg::SQ_OPCODE_NOP)
                 || (h.inline && (h.num_sge != '0 || h.length > 32'(room)))
                 || (h.inline && h.opcode == weft_abi_pkg::SQ_OPCODE_READ)
                 || (!h.inline && h.num_sge > num_max)
                 || (h.opcode == weft_abi_pkg::SQ_OPCODE_READ && h.num_sge != 8'd1);
      end
    end
    e_free_q <= op_q == weft_abi_pkg::SQ_OPCODE_NOP || inl_q;
    e_bad_q  <= bad_q;
    e_len_q  <= len_q;
    e_slot_q <= v_slot_q;
    if (v_q) begin
      sum_q  <= sum;
      fold_q <= fold;
    end
  end

  always_comb begin
    sum  = v_hdr_q ? '0 : sum_q;
    if (v_k_q >= 4'd2 && 8'(v_k_q) - 8'd2 < num_q) sum = sum + 36'(v_word_q[95:64]);
    fold = v_hdr_q ? '0 : {fold_q[30:0], fold_q[31]};
    fold = fold ^ v_word_q[31:0] ^ {v_word_q[56:32], v_word_q[63:57]}
           ^ {v_word_q[82:64], v_word_q[95:83]} ^ {v_word_q[108:96], v_word_q[127:109]};
  end

  assign len_bad = !e_free_q && sum_q != 36'(e_len_q);

  assign meta_we_o     = e_q || state_q == StFail;
  assign meta_addr_o   = {trk_i.qpn[QpW-1:0], state_q == StFail ? slot : e_slot_q};
  assign meta_o.sum    = fold_q;
  assign meta_o.status = state_q == StFail ? weft_abi_pkg::WC_STATUS_FATAL_ERR
                       : (e_bad_q || len_bad) ? weft_abi_pkg::WC_STATUS_LOC_QP_OP_ERR
                       : weft_abi_pkg::WC_STATUS_SUCCESS;
  assign stat_bad_o    = e_q && (e_bad_q || len_bad);

  logic unused;
  assign unused = ^{h.rsvd0, h.rsvd1, h.rsvd2, h.rsvd3, h.imm, h.raddr, h.rstag, h.signaled, h.solicited,
                    h.read_fence, h.local_fence, trk_i.qpn[15:QpW-1]};

endmodule
