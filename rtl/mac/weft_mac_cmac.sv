// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// 100 Gb/s: the core's frames to and from the AXI4-Stream user interface of the UltraScale+ integrated MAC (CMACE4; AMD PG203)
/// at 512 bits. The block makes and checks the FCS, takes it off, and makes PAUSE frames; configured so: FCS insertion and
/// deletion on, flow control both ways, forwarding of control frames off.
///
/// Transmit: a frame is stored whole before its first beat, so valid stays up to its last one (the block has no other remedy for a gap
/// than to spoil the frame); padded with zeros to 60 bytes. While the link is down frames are taken and lost, counted; a
/// frame that has begun is finished. Receive: the block cannot be held up. A beat that finds no room cuts its frame there, with
/// `err`; a frame that begins then is left out; both counted.
///
/// Bring-up (PG203, "Core Bring Up Sequence"): receive on, remote fault out; aligned: remote fault off, transmit on. PAUSE in: no
/// frame begins while the block asks for it; the acknowledge follows.
module weft_mac_cmac #(
  parameter int unsigned STORE = 512,  ///< transmit store, beats of 64 bytes: a power of two, above twice the largest frame
  localparam int unsigned DataW = 512,
  localparam int unsigned CntW = 7
) (
  input  logic             clk_i,              ///< of the core
  input  logic             rst_ni,
  input  logic             eth_tx_valid_i,     ///< frames without FCS
  output logic             eth_tx_ready_o,
  input  logic [DataW-1:0] eth_tx_data_i,
  input  logic [CntW-1:0]  eth_tx_cnt_i,
  input  logic             eth_tx_last_i,
  output logic             eth_rx_valid_o,
  input  logic             eth_rx_ready_i,
  output logic [DataW-1:0] eth_rx_data_o,
  output logic [CntW-1:0]  eth_rx_cnt_o,
  output logic             eth_rx_last_o,
  output logic             eth_rx_err_o,       ///< with last
  input  logic             pause_req_i,        ///< registered level: the core wants the peer to pause
  output logic             link_up_o,
  output logic             stat_tx_lost_o,     ///< pulse, tx_clk_i: a frame was lost to a link that is down, or to the store
  output logic             stat_rx_lost_o,     ///< pulse, rx_clk_i: a frame was cut or left out
  output logic             stat_tx_reset_o,    ///< pulse, clk_i: a frame was swallowed while the other side was in reset
  output logic             stat_rx_reset_o,    ///< pulse, rx_clk_i: likewise

  input  logic             tx_clk_i,
  input  logic             tx_rst_ni,          ///< released with tx_clk_i
  output logic             tx_axis_tvalid_o,
  input  logic             tx_axis_tready_i,
  output logic [DataW-1:0] tx_axis_tdata_o,
  output logic [63:0]      tx_axis_tkeep_o,
  output logic             tx_axis_tlast_o,
  output logic             tx_axis_tuser_o,    ///< never: what is bad is not sent
  output logic             ctl_tx_enable_o,
  output logic             ctl_tx_send_rfi_o,
  output logic [8:0]       ctl_tx_pause_req_o, ///< bit 8: global PAUSE
  input  logic             rx_clk_i,
  input  logic             rx_rst_ni,
  input  logic             rx_axis_tvalid_i,
  input  logic [DataW-1:0] rx_axis_tdata_i,
  input  logic [63:0]      rx_axis_tkeep_i,
  input  logic             rx_axis_tlast_i,
  input  logic             rx_axis_tuser_i,    ///< with last: bad
  output logic             ctl_rx_enable_o,
  output logic [8:0]       ctl_rx_pause_ack_o,
  input  logic             stat_rx_aligned_i,       ///< rx_clk_i, as the block's others
  input  logic             stat_rx_remote_fault_i,
  input  logic             stat_rx_local_fault_i,
  input  logic [8:0]       stat_rx_pause_req_i
);

  // ---------------------------------------------------------------- link
  logic up_q, aligned_q, pausing_q, aligned_t, pause_t, held_q, held_r, pause_req_t;
  always_ff @(posedge rx_clk_i or negedge rx_rst_ni) begin
    if (!rx_rst_ni) begin
      ctl_rx_enable_o <= 1'b0;
      aligned_q       <= 1'b0;
      up_q            <= 1'b0;
      pausing_q       <= 1'b0;
    end else begin
      ctl_rx_enable_o <= 1'b1;
      aligned_q       <= stat_rx_aligned_i && ctl_rx_enable_o;
      up_q            <= stat_rx_aligned_i && ctl_rx_enable_o && !stat_rx_remote_fault_i && !stat_rx_local_fault_i;
      pausing_q       <= stat_rx_pause_req_i[8];
    end
  end
  weft_sync u_up (.clk_i, .rst_ni, .d_i(up_q), .q_o(link_up_o));
  weft_sync #(.W(3)) u_to_tx (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni), .d_i({aligned_q, pausing_q, pause_req_i}), .q_o({aligned_t, pause_t, pause_req_t})
  );
  weft_sync u_held (.clk_i(rx_clk_i), .rst_ni(rx_rst_ni), .d_i(held_q), .q_o(held_r));
  assign ctl_rx_pause_ack_o = {held_r, 8'h0};
  always_ff @(posedge tx_clk_i or negedge tx_rst_ni) begin
    if (!tx_rst_ni) begin
      ctl_tx_enable_o    <= 1'b0;
      ctl_tx_send_rfi_o  <= 1'b1;
      ctl_tx_pause_req_o <= '0;
    end else begin
      ctl_tx_enable_o    <= aligned_t;
      ctl_tx_send_rfi_o  <= !aligned_t;
      ctl_tx_pause_req_o <= {pause_req_t, 8'h0};
    end
  end

  // ---------------------------------------------------------------- transmit
  logic             s_v, s_r, s_l, s_e, p_v, p_r, p_l, open_q, mid_q, lose_q, lose, go, swallowed, full_drop;
  logic [DataW-1:0] s_d, p_d;
  logic [CntW-1:0]  s_c, p_c, cnt;
  weft_async_stream #(.DATA_W(DataW), .DEPTH(32)) u_tx (
    .wr_clk_i(clk_i), .wr_rst_ni(rst_ni), .wr_valid_i(eth_tx_valid_i), .wr_ready_o(eth_tx_ready_o),
    .wr_data_i(eth_tx_data_i), .wr_cnt_i(eth_tx_cnt_i), .wr_last_i(eth_tx_last_i), .wr_err_i(1'b0), .stat_drop_o(stat_tx_reset_o),
    .rd_clk_i(tx_clk_i), .rd_rst_ni(tx_rst_ni), .rd_valid_o(s_v), .rd_ready_i(s_r), .rd_data_o(s_d), .rd_cnt_o(s_c),
    .rd_last_o(s_l), .rd_err_o(s_e)
  );
  weft_pkt_fifo #(.DATA_W(DataW), .DEPTH(STORE), .META_W(1), .MAX_PKTS(256)) u_store (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni), .in_valid_i(s_v), .in_ready_o(s_r), .in_data_i(s_d), .in_cnt_i(s_c),
    .in_last_i(s_l), .in_drop_i(s_e), .in_meta_i(1'b0), .out_valid_o(p_v), .out_ready_i(p_r), .out_data_o(p_d),
    .out_cnt_o(p_c), .out_last_o(p_l), .out_meta_o(), .free_o(), .empty_o(), .stat_drop_o(swallowed),
    .stat_overflow_o(full_drop)
  );
  // Between frames it is decided what becomes of the next one.
  assign go   = open_q || lose || !pause_t;
  assign lose = open_q ? lose_q : !ctl_tx_enable_o;
  assign tx_axis_tvalid_o = p_v && go && !lose;
  assign p_r              = go && (lose || tx_axis_tready_i);
  assign tx_axis_tlast_o  = p_l;
  assign tx_axis_tuser_o  = 1'b0;
  assign cnt              = !mid_q && p_l && p_c < 7'd60 ? 7'd60 : p_c;
  always_comb begin
    for (int unsigned i = 0; i < 64; i++) begin
      tx_axis_tkeep_o[i]        = 7'(i) < cnt;
      tx_axis_tdata_o[8*i +: 8] = 7'(i) < p_c ? p_d[8*i +: 8] : 8'h00;
    end
  end
  always_ff @(posedge tx_clk_i or negedge tx_rst_ni) begin
    if (!tx_rst_ni) begin
      open_q         <= 1'b0;
      mid_q          <= 1'b0;
      lose_q         <= 1'b0;
      held_q         <= 1'b0;
      stat_tx_lost_o <= 1'b0;
    end else begin
      if (p_v && p_r) mid_q <= !p_l;
      if (p_v && p_r) open_q <= !p_l;
      // What is offered stays offered, so a frame is open from its first valid on.
      else if (p_v && go) open_q <= 1'b1;
      if (p_v && go) lose_q <= lose;
      held_q         <= pause_t && !open_q && !(p_v && go);
      stat_tx_lost_o <= (p_v && p_r && p_l && lose) || swallowed || full_drop;
    end
  end

  // ---------------------------------------------------------------- receive
  logic             in_q, skip_q, cut_q, w_v, w_r, w_l, w_e, first_lost;
  logic [DataW-1:0] w_d;
  logic [CntW-1:0]  w_c, keep_cnt;
  always_comb begin
    keep_cnt = '0;
    for (int unsigned i = 0; i < 64; i++) if (rx_axis_tkeep_i[i]) keep_cnt = 7'(i) + 7'd1;
  end
  // cut_q: a frame was cut and its end is still to be told; skip_q: the rest of a frame is left out.
  assign w_v = cut_q || (rx_axis_tvalid_i && !skip_q);
  assign w_d = rx_axis_tdata_i;
  assign w_c = cut_q ? 7'd1 : keep_cnt;
  assign w_l = cut_q || rx_axis_tlast_i;
  assign w_e = cut_q || rx_axis_tuser_i;
  assign first_lost = rx_axis_tvalid_i && !skip_q && (cut_q || !w_r);
  always_ff @(posedge rx_clk_i or negedge rx_rst_ni) begin
    if (!rx_rst_ni) begin
      in_q           <= 1'b0;
      skip_q         <= 1'b0;
      cut_q          <= 1'b0;
      stat_rx_lost_o <= 1'b0;
    end else begin
      stat_rx_lost_o <= first_lost;
      if (rx_axis_tvalid_i) begin
        in_q   <= !rx_axis_tlast_i && !skip_q && !first_lost;
        skip_q <= !rx_axis_tlast_i && (skip_q || first_lost);
      end
      if (cut_q) cut_q <= !w_r;
      else if (first_lost) cut_q <= in_q;
    end
  end
  weft_async_stream #(.DATA_W(DataW), .DEPTH(64)) u_rx (
    .wr_clk_i(rx_clk_i), .wr_rst_ni(rx_rst_ni), .wr_valid_i(w_v), .wr_ready_o(w_r), .wr_data_i(w_d), .wr_cnt_i(w_c),
    .wr_last_i(w_l), .wr_err_i(w_e), .stat_drop_o(stat_rx_reset_o), .rd_clk_i(clk_i), .rd_rst_ni(rst_ni), .rd_valid_o(eth_rx_valid_o),
    .rd_ready_i(eth_rx_ready_i), .rd_data_o(eth_rx_data_o), .rd_cnt_o(eth_rx_cnt_o), .rd_last_o(eth_rx_last_o),
    .rd_err_o(eth_rx_err_o)
  );

  logic unused;
  assign unused = ^stat_rx_pause_req_i[7:0];

`ifndef SYNTHESIS
  // The block must never see a gap in a frame.
  logic was_open_q;
  always_ff @(posedge tx_clk_i or negedge tx_rst_ni) begin
    if (!tx_rst_ni) was_open_q <= 1'b0;
    else begin
      was_open_q <= open_q && !lose_q;
      if (was_open_q && open_q && !lose_q) assert (tx_axis_tvalid_o) else $error("weft_mac_cmac: a gap");
    end
  end
`endif

endmodule
