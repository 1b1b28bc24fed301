// SPDX-License-Identifier: BSD-2-Clause

/// L2 room: the rings of the network device (ctx_l2q, one pair of rings an entry).
///
///   l2_tx_db --> rings --> weft_l2_tx --> tx frames        descriptors: DMA read client 6
///   l2_rx_db --> rings --> weft_l2_rx <-- rx frames        payload: read client 7, write client 3
///                   weft_l2_cq: completions, interrupts    completions: write client 4, irq
///
/// Doorbells: `id[22:0]` is the pair, `index` the absolute producer index; with `id[23]` (ARM) the
/// completion ring is armed and `index` is its consumer index. Unknown pairs are ignored.
/// Context commands: WRITE with TX_VALID or RX_VALID starts that ring at index 0, phase 1 (it must be
/// stopped and drained); clearing them stops a ring, and wants the rest of the context as it was. DRAIN
/// answers with DRAINED (ID the pair) once nothing of the pair touches host memory any more; the rings
/// should be stopped before, then it waits for the bus alone: frames not yet gathered are swallowed, and
/// those in the frame buffer leave later, without a completion. Others are ignored. Pairs share one
/// gatherer, so with several of them a frame of another pair that PAUSE holds in front delays DRAINED.
module weft_l2 #(
  parameter int unsigned DATA_W = 64,          ///< 64, 128, 256 or 512
  parameter int unsigned N_L2Q = 1,            ///< pairs of rings, a power of two, 1 to 16
  parameter int unsigned DESCS = 32,           ///< descriptors prefetched a ring, a power of two, 16 or more
  parameter int unsigned FRAME_MAX = 9022,     ///< largest transmit frame
  parameter int unsigned BUF_BYTES = 32768,    ///< transmit frame buffer
  parameter int unsigned RDBUF_BYTES = 16384,  ///< answers of payload reads in flight
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    cfg_req_valid_i,
  output logic                    cfg_req_ready_o,
  input  weft_pkg::cfg_req_t      cfg_req_i,
  output logic                    cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t      cfg_rsp_o,

  input  logic                    l2_tx_db_valid_i,
  input  logic [23:0]             l2_tx_db_id_i,
  input  logic [15:0]             l2_tx_db_index_i,
  input  logic                    l2_rx_db_valid_i,
  input  logic [23:0]             l2_rx_db_id_i,
  input  logic [15:0]             l2_rx_db_index_i,

  output logic                    desc_rd_req_valid_o,
  input  logic                    desc_rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   desc_rd_req_o,
  input  logic                    desc_rd_rsp_valid_i,
  output logic                    desc_rd_rsp_ready_o,
  input  logic [DATA_W-1:0]       desc_rd_rsp_data_i,
  input  logic [CntW-1:0]         desc_rd_rsp_cnt_i,
  input  logic                    desc_rd_rsp_last_i,
  input  logic                    desc_rd_rsp_err_i,

  output logic                    pay_rd_req_valid_o,
  input  logic                    pay_rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   pay_rd_req_o,
  input  logic                    pay_rd_rsp_valid_i,
  output logic                    pay_rd_rsp_ready_o,
  input  logic [DATA_W-1:0]       pay_rd_rsp_data_i,
  input  logic [CntW-1:0]         pay_rd_rsp_cnt_i,
  input  logic                    pay_rd_rsp_last_i,
  input  logic                    pay_rd_rsp_err_i,

  output logic                    pay_wr_valid_o,
  input  logic                    pay_wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   pay_wr_hdr_o,
  output logic [DATA_W-1:0]       pay_wr_data_o,
  output logic [CntW-1:0]         pay_wr_cnt_o,
  output logic                    pay_wr_last_o,

  output logic                    cpl_wr_valid_o,
  input  logic                    cpl_wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   cpl_wr_hdr_o,
  output logic [DATA_W-1:0]       cpl_wr_data_o,
  output logic [CntW-1:0]         cpl_wr_cnt_o,
  output logic                    cpl_wr_last_o,

  output logic                    irq_valid_o,
  input  logic                    irq_ready_i,
  output logic [10:0]             irq_vector_o,

  input  logic                    rx_meta_valid_i,  ///< one for each frame, in order
  output logic                    rx_meta_ready_o,
  input  weft_pkg::rx_meta_t      rx_meta_i,
  input  logic                    rx_valid_i,
  output logic                    rx_ready_o,
  input  logic [DATA_W-1:0]       rx_data_i,
  input  logic [CntW-1:0]         rx_cnt_i,
  input  logic                    rx_last_i,

  output logic                    tx_valid_o,
  input  logic                    tx_ready_i,
  output logic [DATA_W-1:0]       tx_data_o,
  output logic [CntW-1:0]         tx_cnt_o,
  output logic                    tx_last_o,

  output logic                    fwev_valid_o,
  input  logic                    fwev_ready_i,
  output weft_pkg::fw_ev_t        fwev_o,

  output logic                    idle_o,
  output logic                    stat_tx_frame_o,
  output logic                    stat_tx_err_o,
  output logic                    stat_rx_frame_o,
  output logic                    stat_rx_drop_empty_o,  ///< no descriptor posted
  output logic                    stat_rx_drop_long_o,   ///< buffer too short
  output logic                    stat_rx_desc_err_o     ///< a receive descriptor could not be read
);

  localparam int unsigned Rings = 2 * N_L2Q;
  localparam int unsigned PairW = N_L2Q > 1 ? $clog2(N_L2Q) : 1;

  // ------------------------------------------------ contexts
  logic                    com_valid, com_ready, fetch_valid;
  logic [15:0]             com_index, fetch_index;
  logic [511:0]            com_data;
  weft_abi_pkg::ctx_l2q_t  com;
  logic [N_L2Q-1:0][511:0] ctx_q;
  logic [N_L2Q-1:0]        load_q, drain_q, quiet;
  logic                    drained;
  logic [PairW-1:0]        drain_idx, drain_idx_q;
  logic [N_L2Q-1:0]        drain_gnt;

  weft_ctx_window #(.N(N_L2Q)) u_window (
    .clk_i, .rst_ni, .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i, .cfg_rsp_valid_o, .cfg_rsp_o,
    .commit_valid_o(com_valid), .commit_ready_i(com_ready), .commit_index_o(com_index),
    .commit_data_o(com_data), .fetch_valid_o(fetch_valid), .fetch_ready_i(1'b1),
    .fetch_index_o(fetch_index), .fetch_rsp_valid_i(fetch_valid_q),
    .fetch_rsp_data_i(ctx_q[fetch_index[PairW-1:0]])
  );
  logic fetch_valid_q;
  assign com_ready = 1'b1;
  assign com       = com_data;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_q         <= '0;
      load_q        <= '0;
      drain_q       <= '0;
      fetch_valid_q <= 1'b0;
    end else begin
      fetch_valid_q <= fetch_valid && !fetch_valid_q;
      load_q        <= '0;
      if (drained && !fwev_valid_o) drain_q <= drain_q & ~drain_gnt;
      if (com_valid && com.cmd == weft_abi_pkg::CTX_CMD_WRITE) begin
        ctx_q[com_index[PairW-1:0]]  <= com_data;
        load_q[com_index[PairW-1:0]] <= 1'b1;
      end
      if (com_valid && com.cmd == weft_abi_pkg::CTX_CMD_DRAIN) drain_q[com_index[PairW-1:0]] <= 1'b1;
    end
  end

  // ------------------------------------------------ rings: 2 * pair transmit, 2 * pair + 1 receive
  logic [Rings-1:0]        load, en, arm, db, req_valid, req_ready, rsp_valid, more, done;
  logic [Rings-1:0]        ring_idle, ring_empty;
  logic [Rings-1:0][63:0]  base, cq_base, req_addr;
  logic [Rings-1:0][3:0]   log2, req_num;
  logic [Rings-1:0][15:0]  vector;
  logic [127:0]            rsp_desc;
  logic                    rsp_err;
  logic [1:0][N_L2Q-1:0]        d_valid, d_ready, d_err;
  logic [1:0][N_L2Q-1:0][127:0] d_desc;
  logic [1:0][N_L2Q-1:0][15:0]  d_index;
  logic [1:0][N_L2Q-1:0]        d_en;
  logic [N_L2Q-1:0]             rx_more;
  logic [N_L2Q-1:0]             tx_load, tx_quiet;
  logic [1:0]                   start;       // a completion is due: of a frame sent, one to be received
  logic [1:0][PairW-1:0]        start_pair;

  for (genvar p = 0; p < N_L2Q; p++) begin : gen_pair
    weft_abi_pkg::ctx_l2q_t c;
    assign c              = ctx_q[p];
    logic unused_c;
    assign unused_c       = ^c;
    assign load[2*p]      = load_q[p] && c.tx_valid;
    assign load[2*p+1]    = load_q[p] && c.rx_valid;
    assign tx_load[p]     = load[2*p];
    assign en[2*p]        = c.tx_valid;
    assign en[2*p+1]      = c.rx_valid;
    assign base[2*p]      = c.tx_base;
    assign base[2*p+1]    = c.rx_base;
    assign cq_base[2*p]   = c.tx_cq_base;
    assign cq_base[2*p+1] = c.rx_cq_base;
    assign log2[2*p]      = c.tx_log2[3:0];
    assign log2[2*p+1]    = c.rx_log2[3:0];
    assign vector[2*p]    = c.tx_vector;
    assign vector[2*p+1]  = c.rx_vector;
    assign db[2*p]    = l2_tx_db_valid_i && l2_tx_db_id_i == 24'(p);
    assign db[2*p+1]  = l2_rx_db_valid_i && l2_rx_db_id_i == 24'(p);
    assign arm[2*p]   = l2_tx_db_valid_i && l2_tx_db_id_i == (24'(p) | 24'h800000);
    assign arm[2*p+1] = l2_rx_db_valid_i && l2_rx_db_id_i == (24'(p) | 24'h800000);

    for (genvar k = 0; k < 2; k++) begin : gen_ring
      logic [15:0] busy_q;  // completions due and not written
      weft_l2_ring #(.DEPTH(DESCS), .BATCH(8)) u_ring (
        .clk_i, .rst_ni, .load_i(load[2*p+k]), .en_i(en[2*p+k]), .base_i(base[2*p+k]),
        .log2_i(log2[2*p+k]), .db_valid_i(db[2*p+k]),
        .db_index_i(k == 0 ? l2_tx_db_index_i : l2_rx_db_index_i),
        .req_valid_o(req_valid[2*p+k]), .req_ready_i(req_ready[2*p+k]),
        .req_addr_o(req_addr[2*p+k]), .req_num_o(req_num[2*p+k]),
        .rsp_valid_i(rsp_valid[2*p+k]), .rsp_desc_i(rsp_desc), .rsp_err_i(rsp_err),
        .desc_valid_o(d_valid[k][p]), .desc_ready_i(d_ready[k][p]), .desc_o(d_desc[k][p]),
        .desc_err_o(d_err[k][p]), .desc_index_o(d_index[k][p]), .more_o(more[2*p+k]),
        .empty_o(ring_empty[2*p+k]), .idle_o(ring_idle[2*p+k])
      );
      assign d_en[k][p]   = en[2*p+k];
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) busy_q <= '0;
        else busy_q <= busy_q + 16'(start[k] && start_pair[k] == PairW'(p)) - 16'(done[2*p+k]);
      end
    end
    assign rx_more[p] = more[2*p+1];
    assign quiet[p] = gen_ring[0].busy_q == '0 && gen_ring[1].busy_q == '0 && tx_quiet[p] &&
                      (ring_empty[2*p] || (en[2*p] && !more[2*p])) &&
                      (ring_empty[2*p+1] || en[2*p+1]);
  end

  logic fetch_idle;
  weft_l2_fetch #(.DATA_W(DATA_W), .RINGS(Rings)) u_fetch (
    .clk_i, .rst_ni, .req_valid_i(req_valid), .req_ready_o(req_ready), .req_addr_i(req_addr),
    .req_num_i(req_num),
    .rd_req_valid_o(desc_rd_req_valid_o), .rd_req_ready_i(desc_rd_req_ready_i),
    .rd_req_o(desc_rd_req_o), .rd_rsp_valid_i(desc_rd_rsp_valid_i),
    .rd_rsp_ready_o(desc_rd_rsp_ready_o), .rd_rsp_data_i(desc_rd_rsp_data_i),
    .rd_rsp_cnt_i(desc_rd_rsp_cnt_i), .rd_rsp_last_i(desc_rd_rsp_last_i),
    .rd_rsp_err_i(desc_rd_rsp_err_i),
    .rsp_valid_o(rsp_valid), .rsp_desc_o(rsp_desc), .rsp_err_o(rsp_err), .idle_o(fetch_idle)
  );

  // ------------------------------------------------ transmit
  logic             tc_valid, tc_ready, tc_err, tx_idle, scale_clear, scale_set, scale_on_q;
  logic [32'(weft_abi_pkg::L2_SCALING_N)*PairW-1:0] scale_table;
  logic [weft_l2_pkg::ScaleW-1:0] scale;
  logic [PairW-1:0] tc_pair;
  logic [15:0]      tc_index;
  weft_l2_tx #(
    .DATA_W(DATA_W), .N_L2Q(N_L2Q), .FRAME_MAX(FRAME_MAX), .BUF_BYTES(BUF_BYTES),
    .RDBUF_BYTES(RDBUF_BYTES)
  ) u_tx (
    .clk_i, .rst_ni, .en_i(d_en[0]), .load_i(tx_load), .desc_valid_i(d_valid[0]), .desc_ready_o(d_ready[0]),
    .desc_i(d_desc[0]), .desc_err_i(d_err[0]), .desc_index_i(d_index[0]),
    .rd_req_valid_o(pay_rd_req_valid_o), .rd_req_ready_i(pay_rd_req_ready_i),
    .rd_req_o(pay_rd_req_o), .rd_rsp_valid_i(pay_rd_rsp_valid_i),
    .rd_rsp_ready_o(pay_rd_rsp_ready_o), .rd_rsp_data_i(pay_rd_rsp_data_i),
    .rd_rsp_cnt_i(pay_rd_rsp_cnt_i), .rd_rsp_last_i(pay_rd_rsp_last_i),
    .rd_rsp_err_i(pay_rd_rsp_err_i),
    .tx_valid_o, .tx_ready_i, .tx_data_o, .tx_cnt_o, .tx_last_o,
    .cpl_valid_o(tc_valid), .cpl_ready_i(tc_ready), .cpl_pair_o(tc_pair), .cpl_index_o(tc_index),
    .cpl_err_o(tc_err), .quiet_o(tx_quiet),
    .scale_clear_o(scale_clear), .scale_set_o(scale_set), .scale_table_o(scale_table), .scale_o(scale),
    .idle_o(tx_idle), .stat_frame_o(stat_tx_frame_o), .stat_err_o(stat_tx_err_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) scale_on_q <= 1'b0;
    else if (scale_clear || scale_set) scale_on_q <= scale_set;
  end

  assign start[0]      = tc_valid && tc_ready;
  assign start_pair[0] = tc_pair;

  // ------------------------------------------------ receive
  logic                  rc_valid, rc_ready, rx_idle;
  logic [PairW-1:0]      rc_pair;
  weft_abi_pkg::l2_cqe_t rc_cqe;
  weft_l2_rx #(.DATA_W(DATA_W), .N_L2Q(N_L2Q)) u_rx (
    .clk_i, .rst_ni, .scale_on_i(scale_on_q), .scale_i(scale), .scale_table_i(scale_table),
    .meta_valid_i(rx_meta_valid_i), .meta_ready_o(rx_meta_ready_o),
    .meta_i(rx_meta_i), .rx_valid_i, .rx_ready_o, .rx_data_i, .rx_cnt_i, .rx_last_i,
    .en_i(d_en[1]), .desc_valid_i(d_valid[1]), .desc_ready_o(d_ready[1]), .desc_i(d_desc[1]),
    .desc_err_i(d_err[1]), .desc_index_i(d_index[1]), .more_i(rx_more),
    .wr_valid_o(pay_wr_valid_o), .wr_ready_i(pay_wr_ready_i), .wr_hdr_o(pay_wr_hdr_o),
    .wr_data_o(pay_wr_data_o), .wr_cnt_o(pay_wr_cnt_o), .wr_last_o(pay_wr_last_o),
    .start_o(start[1]), .start_pair_o(start_pair[1]),
    .cpl_valid_o(rc_valid), .cpl_ready_i(rc_ready), .cpl_pair_o(rc_pair), .cpl_o(rc_cqe),
    .idle_o(rx_idle), .stat_frame_o(stat_rx_frame_o), .stat_drop_empty_o(stat_rx_drop_empty_o),
    .stat_drop_long_o(stat_rx_drop_long_o), .stat_desc_err_o(stat_rx_desc_err_o)
  );

  // ------------------------------------------------ completions
  logic cq_idle;
  weft_l2_cq #(.DATA_W(DATA_W), .N_L2Q(N_L2Q)) u_cq (
    .clk_i, .rst_ni, .load_i(load), .en_i(en), .base_i(cq_base), .log2_i(log2), .vector_i(vector),
    .arm_i(arm), .arm_index_i({l2_rx_db_index_i, l2_tx_db_index_i}),
    .tx_valid_i(tc_valid), .tx_ready_o(tc_ready), .tx_pair_i(tc_pair), .tx_index_i(tc_index),
    .tx_err_i(tc_err), .rx_valid_i(rc_valid), .rx_ready_o(rc_ready), .rx_pair_i(rc_pair),
    .rx_cqe_i(rc_cqe),
    .wr_valid_o(cpl_wr_valid_o), .wr_ready_i(cpl_wr_ready_i), .wr_hdr_o(cpl_wr_hdr_o),
    .wr_data_o(cpl_wr_data_o), .wr_cnt_o(cpl_wr_cnt_o), .wr_last_o(cpl_wr_last_o),
    .irq_valid_o, .irq_ready_i, .irq_vector_o, .done_o(done), .idle_o(cq_idle)
  );

  // ------------------------------------------------ DRAINED
  weft_arb_rr #(.N(N_L2Q)) u_drain (
    .clk_i, .rst_ni, .req_i(drain_q & quiet), .advance_i(1'b0), .valid_o(drained),
    .gnt_o(drain_gnt), .idx_o(drain_idx)
  );
  // Taken up once, so that the event stays until it is taken.
  always_comb begin
    fwev_o = '0;
    fwev_o[weft_abi_pkg::FW_EVENT_KIND_LSB+:8] = weft_abi_pkg::FW_EV_DRAINED;
    fwev_o[weft_abi_pkg::FW_EVENT_CODE_LSB+:16] = 16'(weft_abi_pkg::ROOM_L2Q);
    fwev_o[weft_abi_pkg::FW_EVENT_ID_LSB+:32] = 32'(drain_idx_q);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fwev_valid_o <= 1'b0;
      drain_idx_q  <= '0;
    end else if (!fwev_valid_o) begin
      fwev_valid_o <= drained;
      drain_idx_q  <= drain_idx;
    end else if (fwev_ready_i) begin
      fwev_valid_o <= 1'b0;
    end
  end

  assign idle_o = tx_idle && rx_idle && cq_idle && fetch_idle && (&ring_idle) && drain_q == '0 && !fwev_valid_o &&
                  load_q == '0 && !l2_tx_db_valid_i && !l2_rx_db_valid_i;

  logic unused;
  assign unused = ^{com_index, fetch_index, com};

`ifndef SYNTHESIS
  initial begin
    if (N_L2Q < 1 || N_L2Q > 16 || (N_L2Q & (N_L2Q - 1)) != 0) $fatal(1, "weft_l2: N_L2Q");
    if (DESCS < 16) $fatal(1, "weft_l2: DESCS");
  end
`endif

endmodule
