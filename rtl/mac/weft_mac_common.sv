// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// What the MACs have in common: everything between the core and a codec that speaks to the PHY.
/// The
/// codec takes whole frames with FCS as words of 64 bits (a frame's words are there when it wants
/// them) and
/// gives received ones, FCS included, preamble not. Three clocks, each with its own reset: core,
/// transmit,
/// receive; a reset of one costs frames, and no boundary of a frame (weft_async_stream).
module weft_mac_common #(
  parameter int unsigned DATA_W = 64,          ///< of the core: 64 to 512
  parameter int unsigned QUANTUM_LOG2 = 3,     ///< log2 of the transmit cycles of 512 bit times
  /// transmit store: a power of two, above twice the largest frame
  parameter int unsigned STORE_BYTES = 32768,
  parameter logic [47:0] ADDR = 48'h0,         ///< station address after reset, byte 0 in 7:0
  parameter logic [15:0] RATE = 16'd100,       ///< of the line, in 100 Mb/s
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  eth_tx_valid_i,   ///< frames without FCS from the core
  output logic                  eth_tx_ready_o,
  input  logic [DATA_W-1:0]     eth_tx_data_i,
  input  logic [CntW-1:0]       eth_tx_cnt_i,
  input  logic                  eth_tx_last_i,
  output logic                  eth_rx_valid_o,   ///< frames without FCS to the core
  input  logic                  eth_rx_ready_i,
  output logic [DATA_W-1:0]     eth_rx_data_o,
  output logic [CntW-1:0]       eth_rx_cnt_o,
  output logic                  eth_rx_last_o,
  output logic                  eth_rx_err_o,
  /// registered level: the core wants the peer to pause
  input  logic                  pause_req_i,
  input  logic                  link_i,           ///< level, rx_clk_i
  input  logic                  local_fault_i,    ///< registered levels, rx_clk_i
  input  logic                  remote_fault_i,
  output logic                  link_up_o,        ///< and no fault
  input  logic                  cfg_req_valid_i,
  output logic                  cfg_req_ready_o,
  input  weft_pkg::cfg_req_t    cfg_req_i,
  output logic                  cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t    cfg_rsp_o,
  output logic [weft_abi_pkg::MAC_STAT_COUNT-1:0] stat_o,
  /// no frame from the core is on its way into the MAC, counters rest
  output logic                  idle_o,

  input  logic                  tx_clk_i,
  input  logic                  tx_rst_ni,
  output logic                  tx_valid_o,
  input  logic                  tx_ready_i,
  output logic [63:0]           tx_data_o,
  output logic [3:0]            tx_cnt_o,
  output logic                  tx_last_o,
  output logic                  tx_loop_o,
  output logic                  tx_off_o,
  output logic                  tx_local_fault_o,
  output logic                  tx_remote_fault_o,

  input  logic                  rx_clk_i,
  input  logic                  rx_rst_ni,
  input  logic                  rx_valid_i,
  input  logic                  rx_first_i,
  input  logic [63:0]           rx_data_i,
  input  logic [3:0]            rx_cnt_i,
  input  logic                  rx_last_i,
  input  logic                  rx_err_i,
  input  logic                  rx_bad_preamble_i,
  output logic                  rx_loop_o
);

  weft_mac_pkg::rx_cfg_t rx_cfg, rx_cfg_c;
  weft_mac_pkg::tx_cfg_t tx_cfg, tx_cfg_c;
  weft_sync_cfg #(.W(66)) u_rx_cfg (
    .src_clk_i(clk_i), .src_rst_ni(rst_ni), .src_i(rx_cfg_c), .dst_clk_i(rx_clk_i),
    .dst_rst_ni(rx_rst_ni), .dst_o(rx_cfg)
  );
  weft_sync_cfg #(.W(84)) u_tx_cfg (
    .src_clk_i(clk_i), .src_rst_ni(rst_ni), .src_i(tx_cfg_c), .dst_clk_i(tx_clk_i),
    .dst_rst_ni(tx_rst_ni), .dst_o(tx_cfg)
  );
  assign tx_loop_o = tx_cfg.loop;
  assign rx_loop_o = rx_cfg.loop;
  assign tx_off_o  = !tx_cfg.tx_en;

  // ---------------------------------------------------------------- transmit
  logic              a_valid, a_ready, a_last, a_err, n_valid, n_ready, n_last, n_err, f_valid,
    f_ready, f_last;
  logic [DATA_W-1:0] a_data;
  logic [CntW-1:0]   a_cnt;
  logic [63:0]       n_data, f_data;
  logic [3:0]        n_cnt, f_cnt;
  logic              stat_reset, stat_store, fault, paused, pause_valid, pause_req;
  logic [15:0]       pause_quanta;
  logic              trec_valid, trec_push;
  weft_mac_pkg::tx_rec_t trec;

  weft_async_stream #(.DATA_W(DATA_W), .DEPTH(16)) u_tx_cross (
    .wr_clk_i(clk_i), .wr_rst_ni(rst_ni), .wr_valid_i(eth_tx_valid_i), .wr_ready_o(eth_tx_ready_o),
    .wr_data_i(eth_tx_data_i), .wr_cnt_i(eth_tx_cnt_i), .wr_last_i(eth_tx_last_i), .wr_err_i(1'b0),
    .stat_drop_o(stat_reset), .rd_clk_i(tx_clk_i), .rd_rst_ni(tx_rst_ni), .rd_valid_o(a_valid),
    .rd_ready_i(a_ready), .rd_data_o(a_data), .rd_cnt_o(a_cnt), .rd_last_o(a_last), .rd_err_o(a_err)
  );
  weft_mac_narrow #(.DATA_W(DATA_W), .OUT_W(64)) u_narrow (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni), .in_valid_i(a_valid), .in_ready_o(a_ready),
    .in_data_i(a_data), .in_cnt_i(a_cnt), .in_last_i(a_last), .in_err_i(a_err),
    .out_valid_o(n_valid), .out_ready_i(n_ready), .out_data_o(n_data), .out_cnt_o(n_cnt),
    .out_last_o(n_last), .out_err_o(n_err)
  );
  weft_mac_tx_frame #(.STORE_BYTES(STORE_BYTES)) u_tx_frame (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni), .in_valid_i(n_valid), .in_ready_o(n_ready),
    .in_data_i(n_data), .in_cnt_i(n_cnt), .in_last_i(n_last), .in_err_i(n_last && n_err),
    .out_valid_o(f_valid), .out_ready_i(f_ready), .out_data_o(f_data), .out_cnt_o(f_cnt),
    .out_last_o(f_last), .stat_drop_o(stat_store)
  );
  weft_mac_tx_sched #(.QUANTUM_LOG2(QUANTUM_LOG2)) u_sched (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni), .cfg_i(tx_cfg), .fault_i(fault), .pause_req_i(pause_req),
    .pause_valid_i(pause_valid), .pause_quanta_i(pause_quanta), .paused_o(paused),
    .in_valid_i(f_valid), .in_ready_o(f_ready), .in_data_i(f_data), .in_cnt_i(f_cnt),
    .in_last_i(f_last), .out_valid_o(tx_valid_o), .out_ready_i(tx_ready_i), .out_data_o(tx_data_o),
    .out_cnt_o(tx_cnt_o), .out_last_o(tx_last_o), .rec_valid_o(trec_valid), .rec_o(trec)
  );
  // In loopback the line does not count.
  weft_sync #(.W(2)) u_faults (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni), .d_i({remote_fault_i, local_fault_i}),
    .q_o({tx_remote_fault_o, tx_local_fault_o})
  );
  assign fault = !tx_cfg.tx_en || (!tx_cfg.loop && (tx_remote_fault_o || tx_local_fault_o));
  weft_sync u_pause_req (.clk_i(tx_clk_i), .rst_ni(tx_rst_ni), .d_i(pause_req_i), .q_o(pause_req));

  // ---------------------------------------------------------------- receive
  logic                  o_valid, o_last, o_err, rp_valid, rrec_valid, cut;
  logic [63:0]           o_data;
  logic [3:0]            o_cnt;
  logic [15:0]           rp_quanta;
  weft_mac_pkg::rx_rec_t rrec;
  weft_mac_rx_frame u_rx_frame (
    .clk_i(rx_clk_i), .rst_ni(rx_rst_ni), .cfg_i(rx_cfg), .in_valid_i(rx_valid_i),
    .in_first_i(rx_first_i), .in_data_i(rx_data_i), .in_cnt_i(rx_cnt_i), .in_last_i(rx_last_i),
    .in_err_i(rx_err_i), .in_bad_preamble_i(rx_bad_preamble_i), .out_valid_o(o_valid),
    .out_data_o(o_data), .out_cnt_o(o_cnt), .out_last_o(o_last), .out_err_o(o_err),
    .pause_valid_o(rp_valid), .pause_quanta_o(rp_quanta), .rec_valid_o(rrec_valid), .rec_o(rrec)
  );
  weft_mac_rx_out #(.DATA_W(DATA_W), .IN_W(64), .DEPTH(32)) u_rx_out (
    .clk_i(rx_clk_i), .rst_ni(rx_rst_ni), .in_valid_i(o_valid), .in_data_i(o_data),
    .in_cnt_i(o_cnt), .in_last_i(o_last), .in_err_i(o_err), .stat_cut_o(cut), .core_clk_i(clk_i),
    .core_rst_ni(rst_ni), .out_valid_o(eth_rx_valid_o), .out_ready_i(eth_rx_ready_i),
    .out_data_o(eth_rx_data_o), .out_cnt_o(eth_rx_cnt_o), .out_last_o(eth_rx_last_o),
    .out_err_o(eth_rx_err_o)
  );

  // The last of two PAUSE frames counts, so one that waits is replaced.
  logic        want_q, send;
  logic [15:0] want_quanta_q;
  always_ff @(posedge rx_clk_i or negedge rx_rst_ni) begin
    if (!rx_rst_ni) want_q <= 1'b0;
    else want_q <= rp_valid || (want_q && !send);
  end
  always_ff @(posedge rx_clk_i) if (rp_valid) want_quanta_q <= rp_quanta;
  weft_sync_bus #(.W(16)) u_pause (
    .src_clk_i(rx_clk_i), .src_rst_ni(rx_rst_ni), .src_valid_i(want_q), .src_ready_o(send),
    .src_data_i(want_quanta_q), .src_flush_o(), .dst_clk_i(tx_clk_i), .dst_rst_ni(tx_rst_ni),
    .dst_valid_o(pause_valid), .dst_data_o(pause_quanta)
  );

  // ---------------------------------------------------------------- records to the core's clock
  logic                  rr_valid, tr_valid, rrec_ready, trec_ready, rlost_q, tlost_q, rrec_push;
  weft_mac_pkg::rx_rec_t rr, rrec_in;
  weft_mac_pkg::tx_rec_t tr, trec_in;
  // A frame that was cut gets a record of its own, behind the frame's.
  logic cut_q;
  always_comb begin
    rrec_in = rrec;
    if (!rrec_valid) begin
      rrec_in     = '0;
      rrec_in.cut = 1'b1;
    end
    rrec_in.lost = rlost_q;
    trec_in      = trec;
    trec_in.lost = tlost_q;
  end
  assign rrec_push = rrec_valid || cut_q;
  assign trec_push = trec_valid;
  always_ff @(posedge rx_clk_i or negedge rx_rst_ni) begin
    if (!rx_rst_ni) begin
      rlost_q <= 1'b0;
      cut_q   <= 1'b0;
    end else begin
      cut_q <= cut || (cut_q && rrec_valid);
      if (rrec_push) rlost_q <= !rrec_ready;
    end
  end
  always_ff @(posedge tx_clk_i or negedge tx_rst_ni) begin
    if (!tx_rst_ni) tlost_q <= 1'b0;
    else if (trec_push) tlost_q <= !trec_ready;
  end
  weft_async_fifo #(.W(34), .DEPTH(16)) u_rrec (
    .wr_clk_i(rx_clk_i), .wr_rst_ni(rx_rst_ni), .wr_valid_i(rrec_push), .wr_ready_o(rrec_ready),
    .wr_data_i(rrec_in), .wr_flush_o(), .rd_clk_i(clk_i), .rd_rst_ni(rst_ni), .rd_valid_o(rr_valid),
    .rd_ready_i(1'b1), .rd_data_o(rr), .rd_torn_o(), .rd_lost_o(), .rd_flush_o(), .wr_count_o(),
    .rd_count_o()
  );
  weft_async_fifo #(.W(21), .DEPTH(16)) u_trec (
    .wr_clk_i(tx_clk_i), .wr_rst_ni(tx_rst_ni), .wr_valid_i(trec_push), .wr_ready_o(trec_ready),
    .wr_data_i(trec_in), .wr_flush_o(), .rd_clk_i(clk_i), .rd_rst_ni(rst_ni), .rd_valid_o(tr_valid),
    .rd_ready_i(1'b1), .rd_data_o(tr), .rd_torn_o(), .rd_lost_o(), .rd_flush_o(), .wr_count_o(),
    .rd_count_o()
  );

  // ---------------------------------------------------------------- registers, status
  logic store_c, link_c, lf_c, rf_c, paused_c, paused_q, regs_idle;
  always_ff @(posedge tx_clk_i or negedge tx_rst_ni) begin
    if (!tx_rst_ni) paused_q <= 1'b0;
    else paused_q <= paused;
  end
  weft_sync_pulse u_store_drop (
    .src_clk_i(tx_clk_i), .src_rst_ni(tx_rst_ni), .src_pulse_i(stat_store), .dst_clk_i(clk_i),
    .dst_rst_ni(rst_ni), .dst_pulse_o(store_c)
  );
  weft_sync #(.W(4)) u_status (
    .clk_i, .rst_ni, .d_i({paused_q, remote_fault_i, local_fault_i, link_i}), .q_o({paused_c,
      rf_c, lf_c, link_c})
  );
  weft_mac_regs #(.ADDR(ADDR), .RATE(RATE)) u_regs (
    .clk_i, .rst_ni, .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i, .cfg_rsp_valid_o, .cfg_rsp_o,
    .rx_rec_valid_i(rr_valid), .rx_rec_i(rr), .tx_rec_valid_i(tr_valid), .tx_rec_i(tr),
    .tx_store_drop_i(store_c), .tx_reset_i(stat_reset), .link_i(link_c), .local_fault_i(lf_c),
    .remote_fault_i(rf_c), .paused_i(paused_c), .rx_cfg_o(rx_cfg_c), .tx_cfg_o(tx_cfg_c), .stat_o,
    .idle_o(regs_idle)
  );
  assign link_up_o = link_c && !lf_c && !rf_c;
  assign idle_o    = regs_idle && !rr_valid && !tr_valid && !eth_rx_valid_o && !eth_tx_valid_i;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
