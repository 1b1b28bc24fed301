// SPDX-License-Identifier: BSD-2-Clause

/// Takes WQEs that the host sends into their buffer, a beat a cycle, and checks their form: opcode, INDEX,
/// NUM_SGE against the stride, in-line length, sum of the SGE lengths = LENGTH, LENGTH limit. Leaves a digest for
/// each; that of Immediate Data is of 8 in-line bytes. A read that fails, or is of another length than asked for, is told with its buffer.
/// A buffer is 16 lines of 64 bytes; WQE k begins at line k << stride.
// lint: -GDATA_W=128 -GN_LANE=16
module weft_sq_intake #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_LANE = 16,
  localparam int unsigned LnW = $clog2(N_LANE),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned C = DATA_W < 128 ? 1 : DATA_W / 128  // columns of 16 bytes in a beat
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 trk_valid_i,   ///< reads under way, oldest first
  output logic                 trk_ready_o,
  input  logic [LnW-1:0]       trk_lane_i,
  input  logic [LnW-1:0]       trk_buf_i,
  input  logic [15:0]          trk_index_i,
  input  logic [4:0]           trk_n_i,
  input  logic [1:0]           trk_stride_i,

  input  logic                 rd_valid_i,
  output logic                 rd_ready_o,
  input  logic [DATA_W-1:0]    rd_data_i,
  input  logic [CntW-1:0]      rd_cnt_i,
  input  logic                 rd_last_i,
  input  logic                 rd_err_i,

  output logic [3:0]           line_we_o,     ///< columns of a line
  output logic [LnW+3:0]       line_addr_o,
  output logic [511:0]         line_o,
  output logic                 dig_we_o,
  output logic [LnW+3:0]       dig_addr_o,
  output weft_sq_pkg::digest_t dig_o,

  output logic                 filled_valid_o,
  input  logic                 filled_ready_i,
  output logic [LnW-1:0]       filled_lane_o,
  output logic                 bad_we_o,      ///< what the read of bad_buf_o became
  output logic [LnW-1:0]       bad_buf_o,
  output logic                 bad_o,
  output logic [1:0]           stride_o,      ///< with bad_we_o
  output logic                 idle_o,
  output logic                 stat_bad_o     ///< pulse: a malformed WQE
);

  // ---------------------------------------------------------------- beats of 128 bits or more
  localparam int unsigned W = 128 * C;
  logic         b_valid, b_ready, b_last, b_err;
  logic [W-1:0] b_data;
  if (DATA_W == 64) begin : gen_up
    logic        low_q;
    logic [63:0] data_q;
    assign b_valid    = rd_valid_i && (low_q || rd_last_i);
    assign rd_ready_o = b_ready || !(low_q || rd_last_i);
    assign b_data     = {rd_data_i, data_q};
    assign b_last     = rd_last_i;
    assign b_err      = rd_err_i || !low_q || rd_cnt_i != CntW'(8);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) low_q <= 1'b0;
      else if (rd_valid_i && rd_ready_o) low_q <= !low_q && !rd_last_i;
    end
    always_ff @(posedge clk_i) if (rd_valid_i && rd_ready_o) data_q <= rd_data_i;
  end else begin : gen_full
    assign b_valid    = rd_valid_i;
    assign rd_ready_o = b_ready;
    assign b_data     = rd_data_i;
    assign b_last     = rd_last_i;
    assign b_err      = rd_err_i || rd_cnt_i != CntW'(DATA_W / 8);
  end

  // ---------------------------------------------------------------- where a beat goes
  logic [3:0]   k_q;          // first column of the beat in its WQE
  logic [4:0]   w_q;          // WQEs begun and ended
  logic [3:0]   last_k;
  logic         fire, over, wqe_end, fin, fin_bad;
  logic [15:0]  index;
  assign last_k  = 4'((5'd4 << trk_stride_i) - 5'(C));
  assign wqe_end = k_q == last_k;
  assign over    = w_q == trk_n_i;
  assign index   = trk_index_i + 16'(w_q);
  assign b_ready = trk_valid_i && tell_r;
  assign fire    = b_valid && b_ready;
  assign fin     = fire && b_last;
  assign fin_bad = b_err || over || !wqe_end || w_q + 5'd1 != trk_n_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      k_q <= '0;
      w_q <= '0;
    end else if (fire) begin
      k_q <= (wqe_end || b_last) ? '0 : k_q + 4'(C);
      w_q <= b_last ? '0 : (wqe_end && !over) ? w_q + 5'd1 : w_q;
    end
  end
  assign trk_ready_o = fin;
  assign bad_we_o    = fin;
  assign bad_buf_o   = trk_buf_i;
  assign bad_o       = fin_bad;
  assign stride_o    = trk_stride_i;

  // Who hears of it looks at the digests three cycles later at the earliest: by then the last one is written.
  logic       tell_r;
  logic [2:0] tell_n;
  weft_fifo #(.W(LnW), .DEPTH(4)) u_tell (
    .clk_i, .rst_ni, .in_valid_i(fin), .in_ready_o(tell_r), .in_data_i(trk_lane_i),
    .out_valid_o(filled_valid_o), .out_ready_i(filled_ready_i), .out_data_o(filled_lane_o), .count_o(tell_n)
  );

  logic [3:0] line_no;
  assign line_no     = 4'(w_q[3:0] << trk_stride_i) + 4'(k_q[3:2]);
  assign line_addr_o = {trk_buf_i, line_no};
  for (genvar c = 0; c < 4; c++) begin : gen_col
    assign line_o[128*c+:128] = b_data[128*(c%C)+:128];
    assign line_we_o[c]       = fire && !over && (4'(c) & ~(4'(C - 1))) == {2'd0, k_q[1:0]};
  end

  // ---------------------------------------------------------------- verdict
  weft_abi_pkg::sqe_t h;
  logic               v1_q, first1_q, end1_q, v2_q, form, free_q;
  logic [3:0]         k1_q, w1_q, w2_q;
  logic [15:0]        index1_q;
  logic [W-1:0]       d1_q;
  logic [1:0]         stride1_q;
  logic [LnW-1:0]     buf1_q, buf2_q;
  weft_sq_pkg::digest_t g_q, g;
  logic [7:0]         num, space;
  logic [35:0]        sum, sum_q;
  logic               form_q, is_read, is_atom, is_stag, is_imm, bare;
  logic [31:0]        len;
  logic               inl_big;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q <= 1'b0;
      v2_q <= 1'b0;
    end else begin
      v1_q <= fire && !over;
      v2_q <= v1_q && end1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire) begin
      d1_q      <= b_data;
      first1_q  <= k_q == '0;
      end1_q    <= wqe_end;
      k1_q      <= k_q;
      w1_q      <= w_q[3:0];
      index1_q  <= index;
      stride1_q <= trk_stride_i;
      buf1_q    <= trk_buf_i;
    end
  end
  assign h       = {128'd0, d1_q[127:0]};
  assign space   = 8'((9'd64 << stride1_q) - 9'd32);
  assign len     = h.length;
  assign inl_big = len > 32'(space);
  assign is_read = h.opcode == weft_abi_pkg::SQ_OPCODE_READ;
  assign is_stag = h.opcode == weft_abi_pkg::SQ_OPCODE_LOCAL_INV || h.opcode == weft_abi_pkg::SQ_OPCODE_FAST_REG
                   || h.opcode == weft_abi_pkg::SQ_OPCODE_BIND_MW;

  assign is_atom = h.opcode == weft_abi_pkg::SQ_OPCODE_FETCH_ADD || h.opcode == weft_abi_pkg::SQ_OPCODE_CMP_SWAP;
  assign is_imm  = h.opcode == weft_abi_pkg::SQ_OPCODE_IMM;
  assign bare    = is_stag || is_imm;

  // num is 0 where lengths do not count.
  logic [7:0] num_q;
  always_comb begin
    form = h.index != index1_q || h.length[31]
           || !(h.opcode <= weft_abi_pkg::SQ_OPCODE_READ || is_atom || bare || h.opcode == weft_abi_pkg::SQ_OPCODE_NOP)
           || (h.inline && (h.num_sge != '0 || inl_big || is_read || is_atom))
           || (!h.inline && h.num_sge > (space >> 4))
           || ((is_read || is_atom) && h.num_sge != 8'd1)
           || (is_atom && len != 32'(weft_sq_pkg::AtomLen))
           || (bare && (h.num_sge != '0 || h.inline || len != '0));
    num  = first1_q ? h.num_sge : num_q;
    sum  = first1_q ? '0 : sum_q;
    for (int unsigned j = 0; j < C; j++) begin
      if (32'(k1_q) + j >= 32'd2 && 32'(k1_q) + j < 32'(num) + 32'd2) sum = sum + 36'(d1_q[128*j+64+:32]);
    end
    g           = '0;
    g.op        = h.opcode[3:0];
    g.signaled  = h.signaled;
    g.solicited = h.solicited;
    g.inl       = h.inline || is_imm;
    g.rfence    = h.read_fence;
    g.lfence    = h.local_fence;
    g.num_sge   = h.num_sge[3:0];
    g.len       = is_stag ? h.rstag : is_imm ? 32'(weft_sq_pkg::ImmBytes) : h.length;
  end
  always_ff @(posedge clk_i) begin
    if (v1_q) begin
      sum_q  <= sum;
      w2_q   <= w1_q;
      buf2_q <= buf1_q;
      if (first1_q) begin
        num_q  <= h.num_sge;
        form_q <= form;
        g_q    <= g;
        free_q <= h.inline || bare || h.opcode == weft_abi_pkg::SQ_OPCODE_NOP;
      end
    end
  end
  logic bad;
  assign bad        = form_q || (!free_q && sum_q != 36'(g_q.len));
  assign dig_we_o   = v2_q;
  assign dig_addr_o = {buf2_q, w2_q};
  always_comb begin
    dig_o        = g_q;
    dig_o.status = bad ? 4'(weft_abi_pkg::WC_STATUS_LOC_QP_OP_ERR) : 4'd0;
  end
  assign stat_bad_o = v2_q && bad;
  assign idle_o     = !trk_valid_i && tell_n == '0;

  logic unused;
  assign unused = ^{h, 1'b0};

endmodule
