// SPDX-License-Identifier: BSD-2-Clause

/// Receive WQEs: fetched ahead of their use into AREA_BYTES on chip for each QP (8 WQEs of 64 bytes
/// in 512), kicked by doorbells and by consumption, checked when they arrive.
///
/// A WQE on chip is 16-byte words: word 0 is weft_abi rqe with the verdict (enum wc_status) in bits
/// 127:120, the others are SGEs. The WQE of index i starts at word (i * stride) mod AREA.
/// A doorbell is a statement of the owner: one that is too far ahead makes the QP fetch entries that
/// fail the INDEX check, nothing else.
module weft_rx_rq #(
  parameter int unsigned DATA_W = 64,       ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 16,         ///< queue pairs, a power of two, 2 or more
  parameter int unsigned AREA_BYTES = 512,  ///< WQE bytes on chip a QP, a power of two, 256 or more
  parameter int unsigned MAX_FETCH = 32,    ///< reads in flight, a power of two
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1,
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned WordW = $clog2(AREA_BYTES / 16)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [N_QP-1:0]        home_i,       ///< of weft_ctx_store
  output logic [N_QP-1:0]        want_o,
  output logic                   busy_o,       ///< at work on busy_qpn_o
  output logic [QpW-1:0]         busy_qpn_o,
  output logic                   asked_o,      ///< pulse: a read of busy_qpn_o is under way ...
  output logic                   came_o,       ///< ... the oldest, of came_qpn_o, is in
  output logic [QpW-1:0]         came_qpn_o,

  input  logic                   rq_db_valid_i,
  input  logic [15:0]            rq_db_qpn_i,
  input  logic [15:0]            rq_db_index_i,

  /// WRITE (load_all_i) or SET_STATE of a QP, or just wait (neither): answered when no fetch that was
  /// asked for before is in flight.
  input  logic                   load_valid_i,
  output logic                   load_ready_o,
  input  logic                   load_all_i,
  input  logic                   load_state_i,
  input  logic [QpW-1:0]         load_qpn_i,
  input  weft_abi_pkg::ctx_rx_t  load_ctx_i,

  /// The WQE in front was used up.
  input  logic                   use_valid_i,
  output logic                   use_ready_o,
  input  logic [QpW-1:0]         use_qpn_i,
  input  logic [15:0]            use_next_i,  ///< index of the one that is now in front

  /// Look-ups, answered in the next cycle.
  input  logic                   idx_re_i,
  input  logic [QpW-1:0]         idx_qpn_i,
  output logic [15:0]            idx_db_o,    ///< doorbell index
  output logic [15:0]            idx_here_o,  ///< all before it have arrived
  input  logic                   word_re_i,
  input  logic [QpW+WordW-1:0]   word_addr_i,
  output logic [127:0]           word_o,

  output logic                   rd_req_valid_o,
  input  logic                   rd_req_ready_i,
  output weft_pkg::dma_rd_req_t  rd_req_o,
  input  logic                   rd_rsp_valid_i,
  output logic                   rd_rsp_ready_o,
  input  logic [DATA_W-1:0]      rd_rsp_data_i,
  input  logic [CntW-1:0]        rd_rsp_cnt_i,
  input  logic                   rd_rsp_last_i,
  input  logic                   rd_rsp_err_i,

  output logic                   idle_o,
  output logic                   stat_fetch_o  ///< pulse: a WQE was asked for
);

  typedef struct packed {
    logic [63:0] base;
    logic [3:0]  log2;
    logic [1:0]  stride;
  } st_t;

  typedef enum logic [2:0] {StSweep, StIdle, StRead, StCheck, StIssue} state_e;

  state_e          state_q;
  logic [QpW-1:0]  sweep_q, qpn_q, kick_qpn;
  logic            kick_valid, kick_ready;
  st_t             st, st_q;
  logic [15:0]     db, req, rd, req_q, posted_q;
  logic [4:0]      free_q;
  logic            load_take, use_take, issue, more;

  // ------------------------------------------------ per-QP words, each with one writer
  logic            db_we, req_we, rd_we, arr_we, st_we;
  logic [QpW-1:0]  db_wa, req_wa, rd_wa, arr_wa, st_wa;
  logic [15:0]     db_wd, req_wd, rd_wd, arr_wd;
  st_t             st_wd;
  logic            reading;

  // Doorbells never wait: loads and uses step aside for them. A WRITE with STATE RESET is a new QP:
  // what an earlier owner of the number had posted is forgotten.
  assign load_take    = load_valid_i && load_ready_o;
  assign use_take     = use_valid_i && use_ready_o;
  assign load_ready_o = state_q == StIdle && !rq_db_valid_i && out_count == '0;
  assign use_ready_o  = state_q != StSweep && !rq_db_valid_i && !load_valid_i;

  assign db_we  = rq_db_valid_i ||
                  (load_take && load_all_i && load_ctx_i.state == weft_abi_pkg::QP_STATE_RESET);
  assign db_wa  = rq_db_valid_i ? rq_db_qpn_i[QpW-1:0] : load_qpn_i;
  assign db_wd  = rq_db_valid_i ? rq_db_index_i : load_ctx_i.rq_index;
  assign rd_we  = use_take || (load_take && load_all_i);
  assign rd_wa  = load_take ? load_qpn_i : use_qpn_i;
  assign rd_wd  = load_take ? load_ctx_i.rq_index : use_next_i;
  assign req_we = issue || (load_take && load_all_i);
  assign req_wa = issue ? qpn_q : load_qpn_i;
  assign req_wd = issue ? req_q + 16'd1 : load_ctx_i.rq_index;

  // SET_STATE carries the state and nothing else.
  logic run_we, run;
  assign st_we  = load_take && load_all_i;
  assign st_wa  = state_q == StSweep ? sweep_q : load_qpn_i;
  assign st_wd  = {load_ctx_i.rq_base, load_ctx_i.rq_log2, load_ctx_i.rq_stride};
  assign run_we = state_q == StSweep || (load_take && (load_all_i || load_state_i));

  assign reading = state_q == StRead;
  weft_ram_1r1w #(.W(1), .DEPTH(N_QP)) u_run (.clk_i, .we_i(run_we), .waddr_i(st_wa),
    .wdata_i(state_q != StSweep && load_ctx_i.state == weft_abi_pkg::QP_STATE_RTS),
    .re_i(reading), .raddr_i(qpn_q), .rdata_o(run));
  weft_ram_1r1w #(.W(70), .DEPTH(N_QP)) u_st (.clk_i, .we_i(st_we), .waddr_i(st_wa),
    .wdata_i(st_wd), .re_i(reading), .raddr_i(qpn_q), .rdata_o(st));
  weft_ram_1r1w #(.W(16), .DEPTH(N_QP)) u_db (.clk_i, .we_i(db_we), .waddr_i(db_wa),
    .wdata_i(db_wd), .re_i(reading), .raddr_i(qpn_q), .rdata_o(db));
  weft_ram_1r1w #(.W(16), .DEPTH(N_QP)) u_db_look (.clk_i, .we_i(db_we), .waddr_i(db_wa),
    .wdata_i(db_wd), .re_i(idx_re_i), .raddr_i(idx_qpn_i), .rdata_o(idx_db_o));
  weft_ram_1r1w #(.W(16), .DEPTH(N_QP)) u_req (.clk_i, .we_i(req_we), .waddr_i(req_wa),
    .wdata_i(req_wd), .re_i(reading), .raddr_i(qpn_q), .rdata_o(req));
  weft_ram_1r1w #(.W(16), .DEPTH(N_QP)) u_rd (.clk_i, .we_i(rd_we), .waddr_i(rd_wa),
    .wdata_i(rd_wd), .re_i(reading), .raddr_i(qpn_q), .rdata_o(rd));
  weft_ram_1r1w #(.W(16), .DEPTH(N_QP)) u_arr (.clk_i, .we_i(arr_we), .waddr_i(arr_wa),
    .wdata_i(arr_wd), .re_i(idx_re_i), .raddr_i(idx_qpn_i), .rdata_o(idx_here_o));

  // ------------------------------------------------ which QP may fetch
  logic kick_add, kick_add_ready;
  assign kick_add = use_take || load_take;
  weft_rx_kick #(.N_QP(N_QP)) u_kick (
    .clk_i, .rst_ni, .home_i, .want_o, .set_valid_i(rq_db_valid_i), .set_qpn_i(rq_db_qpn_i[QpW-1:0]),
    .add_valid_i(kick_add), .add_ready_o(kick_add_ready),
    .add_qpn_i(load_take ? load_qpn_i : use_qpn_i),
    .out_valid_o(kick_valid), .out_ready_i(kick_ready), .out_qpn_o(kick_qpn)
  );
  assign kick_ready = state_q == StIdle && !load_valid_i;

  // WQEs on chip and in flight never exceed the area.
  logic [15:0] used;
  logic [4:0]  slots;
  assign used  = req - rd;
  assign slots = 5'(AREA_BYTES / 64) >> st.stride;

  logic out_room, out_valid, out_pop;
  logic [$clog2(MAX_FETCH):0] out_count;
  logic [QpW-1:0] out_qpn;
  logic [15:0]    out_idx;
  logic [1:0]     out_stride;

  assign rd_req_valid_o    = state_q == StIssue && out_room;
  assign rd_req_o.after_wr = 1'b0;
  assign rd_req_o.len      = 16'd64 << st_q.stride;
  logic [15:0] slot;
  assign slot              = req_q & ~(16'hffff << st_q.log2);
  assign rd_req_o.addr     = st_q.base + (64'(slot) << (4'd6 + 4'(st_q.stride)));
  assign issue             = rd_req_valid_o && rd_req_ready_i;
  assign more              = posted_q != 16'd1 && free_q != 5'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StSweep;
      sweep_q <= '0;
    end else begin
      unique case (state_q)
        StSweep: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == '1) state_q <= StIdle;
        end
        StIdle:  if (kick_valid && kick_ready) state_q <= StRead;
        StRead:  state_q <= StCheck;
        StCheck: state_q <= (run && db != req && used < 16'(slots)) ? StIssue : StIdle;
        default: if (issue && !more) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) qpn_q <= kick_qpn;
    if (state_q == StCheck) begin
      st_q     <= st;
      req_q    <= req;
      posted_q <= db - req;
      free_q   <= slots - used[4:0];
    end
    if (issue) begin
      req_q    <= req_q + 16'd1;
      posted_q <= posted_q - 16'd1;
      free_q   <= free_q - 5'd1;
    end
  end

  weft_fifo #(.W(QpW + 18), .DEPTH(MAX_FETCH)) u_out (
    .clk_i, .rst_ni, .in_valid_i(issue), .in_ready_o(out_room),
    .in_data_i({qpn_q, req_q, st_q.stride}), .out_valid_o(out_valid), .out_ready_i(out_pop),
    .out_data_o({out_qpn, out_idx, out_stride}), .count_o(out_count)
  );

  // ------------------------------------------------ answers, one 16-byte word a cycle
  logic         w_valid, w_last, w_err;
  logic [127:0] w;
  logic [3:0]   word_q;
  logic         fin_q, bus_q, bad_q;
  logic [127:0] head_q;
  logic [36:0]  sum_q;
  logic [4:0]   words;
  logic         word_we;
  logic [127:0] word_wd;
  logic [WordW-1:0] word_wa;

  weft_rx_words #(.DATA_W(DATA_W)) u_words (
    .clk_i, .rst_ni, .in_valid_i(rd_rsp_valid_i), .in_ready_o(rd_rsp_ready_o),
    .in_data_i(rd_rsp_data_i), .in_cnt_i(rd_rsp_cnt_i), .in_last_i(rd_rsp_last_i),
    .in_err_i(rd_rsp_err_i),
    .out_valid_o(w_valid), .out_ready_i(out_valid && !fin_q), .out_data_o(w), .out_last_o(w_last),
    .out_err_o(w_err)
  );

  assign words   = 5'd4 << out_stride;
  assign out_pop = fin_q;
  assign word_wa = WordW'(out_idx << (3'd2 + 3'(out_stride))) + (fin_q ? '0 : WordW'(word_q));
  assign word_we = fin_q || (w_valid && out_valid);
  always_comb begin
    word_wd = w;
    if (fin_q) begin
      word_wd          = head_q;
      word_wd[127:120] = bus_q ? weft_abi_pkg::WC_STATUS_FATAL_ERR
                       : bad_q ? weft_abi_pkg::WC_STATUS_LOC_QP_OP_ERR
                               : weft_abi_pkg::WC_STATUS_SUCCESS;
    end
  end
  assign arr_we = fin_q || (load_take && load_all_i);
  assign arr_wa = fin_q ? out_qpn : load_qpn_i;
  assign arr_wd = fin_q ? out_idx + 16'd1 : load_ctx_i.rq_index;

  // Sums of the SGE lengths: 15 times 2^32 at most.
  logic [36:0] sum;
  assign sum = sum_q + ((word_q != '0 && 8'(word_q) <= head_q[7:0]) ? 37'(w[95:64]) : 37'd0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fin_q     <= 1'b0;
      word_q    <= '0;
    end else begin
      fin_q     <= w_valid && out_valid && !fin_q && w_last;
      if (fin_q) word_q <= '0;
      else if (w_valid && out_valid) word_q <= (word_q == 4'd15) ? word_q : word_q + 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (w_valid && out_valid && !fin_q) begin
      if (word_q == '0) head_q <= w;
      sum_q <= word_q == '0 ? '0 : sum;
      if (w_last) begin
        bus_q <= w_err || 5'(word_q) + 5'd1 != words;
        bad_q <= head_q[weft_abi_pkg::RQE_INDEX_LSB +: 16] != out_idx || 5'(head_q[4:0]) >= words || head_q[7:5] != '0 ||
                 sum != 37'(head_q[weft_abi_pkg::RQE_LENGTH_LSB +: 32]);
      end
    end
  end

  weft_ram_1r1w #(.W(128), .DEPTH(N_QP * AREA_BYTES / 16)) u_wqe (
    .clk_i, .we_i(word_we), .waddr_i({out_qpn, word_wa}), .wdata_i(word_wd),
    .re_i(word_re_i), .raddr_i(word_addr_i), .rdata_o(word_o)
  );

  assign busy_o       = state_q == StRead || state_q == StCheck || state_q == StIssue;
  assign busy_qpn_o   = qpn_q;
  assign asked_o      = issue;
  assign came_o       = fin_q;
  assign came_qpn_o   = out_qpn;
  assign idle_o       = state_q == StIdle && want_o == '0 && out_count == '0;
  assign stat_fetch_o = issue;

  logic unused;
  assign unused = kick_add_ready ^ (^st_q) ^ (^load_ctx_i) ^ (^rq_db_qpn_i);

`ifndef SYNTHESIS
  initial begin
    if (AREA_BYTES < 256 || (AREA_BYTES & (AREA_BYTES - 1)) != 0 || AREA_BYTES > 1024)
      $fatal(1, "weft_rx_rq: AREA_BYTES is not 256, 512 or 1024");
  end
`endif

endmodule
