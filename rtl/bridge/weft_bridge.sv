// SPDX-License-Identifier: BSD-2-Clause

/// In the place of a PCIe block and its shim: weft_core's TLP streams over a line of bytes, both ways, to a process of the host
/// (docs/bridge.md has the line, byte by byte). A byte that is lost, broken or added costs time and nothing else.
///
/// `core_ok_o` is the core's reset, as the link of a block is: low until a host has said HELLO, low for RESET cycles with each further
/// HELLO. All of a session before is gone then, on the line, in here and in the core.
///
/// The line has a byte a cycle in at most, and no way to hold it up; out it takes a byte every two cycles at most.
module weft_bridge #(
  parameter int unsigned BAR0_LOG2 = 16,
  parameter int unsigned BAR2_LOG2 = 16,
  parameter int unsigned BAR4_LOG2 = 16,
  parameter int unsigned RESET = 64,         ///< cycles; weft_bridge_link has these
  parameter int unsigned HEARTBEAT = 65536,
  parameter int unsigned RETRY = 1_250_000
) (
  input  logic         clk_i,               ///< the core's too
  input  logic         rst_ni,
  output logic         core_ok_o,           ///< registered: take it through a reset bridge
  output logic         up_o,                ///< a session is open

  input  logic         line_rx_valid_i,
  input  logic [7:0]   line_rx_data_i,
  output logic         line_tx_valid_o,
  input  logic         line_tx_ready_i,
  output logic [7:0]   line_tx_data_o,

  // ---------------- weft_core, DATA_W 64
  output logic         rx_req_valid_o,
  input  logic         rx_req_ready_i,
  output logic [127:0] rx_req_hdr_o,
  output logic [2:0]   rx_req_bar_o,
  output logic [63:0]  rx_req_data_o,
  output logic         rx_req_last_o,
  output logic         rx_cpl_valid_o,
  input  logic         rx_cpl_ready_i,
  output logic [127:0] rx_cpl_hdr_o,
  output logic [63:0]  rx_cpl_data_o,
  output logic         rx_cpl_last_o,
  input  logic         tx_rd_valid_i,
  output logic         tx_rd_ready_o,
  input  logic [127:0] tx_rd_hdr_i,
  input  logic         tx_wr_valid_i,
  output logic         tx_wr_ready_o,
  input  logic [127:0] tx_wr_hdr_i,
  input  logic [63:0]  tx_wr_data_i,
  input  logic         tx_wr_last_i,
  input  logic         tx_cpl_valid_i,
  output logic         tx_cpl_ready_o,
  input  logic [127:0] tx_cpl_hdr_i,
  input  logic [63:0]  tx_cpl_data_i,
  output logic [15:0]  cfg_bdf_o,
  output logic         cfg_bme_o,
  output logic [2:0]   cfg_mps_o,
  output logic [2:0]   cfg_mrrs_o,
  output logic         cfg_rcb_o,
  output logic         cfg_ext_tag_o,
  output logic         cfg_msix_en_o,
  output logic         cfg_msix_mask_o,
  output logic [47:0]  cfg_mac_o,        ///< station address, byte 0 in 7:0; 0: none was given
  output logic         flr_req_o,
  input  logic         flr_done_i,

  output logic         stat_gap_o,       ///< pulse: a frame was missing or broken
  output logic         stat_retry_o,     ///< pulse: what is not acknowledged is sent again
  output logic         stat_no_credit_o, ///< pulse: the host sent what it has no credit for
  output logic         stat_bad_o        ///< pulse: the host sent what is no TLP for a core
);

  localparam int unsigned AW = 12;
  localparam int unsigned Window = 32;

  logic          clr, d_v, d_end, d_good, hello, go, ack, ack_nak, accept, accept_bad, behind, gap, no_credit;
  logic          req_wr, cpl_wr, req_commit, cpl_commit, drop, req_over, cpl_over, req_v, req_r, cpl_v, cpl_r, req_pop, cpl_pop;
  logic          idle, start, ring, ram_re;
  logic [1:0]    accept_class, req_pop_class, get_class;
  logic [2:0]    rx_credit, tx_credit, sent;
  logic [3:0]    flr_count;
  logic [7:0]    d, ack_seq, wdata, req_d, cpl_d, expected, una, nxt, get, kind, seq, ram_d;
  logic [8:0]    get_len, len;
  logic [15:0]   session, hello_session, frame_session;
  logic [23:0]   ack_limits;
  logic [39:0]   body;
  logic [AW-1:0] get_addr, addr, ram_addr;

  weft_bridge_deframe u_deframe (
    .clk_i, .rst_ni, .in_valid_i(line_rx_valid_i), .in_data_i(line_rx_data_i), .valid_o(d_v), .data_o(d), .end_o(d_end),
    .good_o(d_good)
  );
  weft_bridge_rx u_rx (
    .clk_i, .rst_ni, .in_valid_i(d_v), .in_data_i(d), .in_end_i(d_end), .in_good_i(d_good), .up_i(up_o), .session_i(session),
    .expect_i(expected), .credit_i(rx_credit), .hello_o(hello), .go_o(go), .session_o(hello_session), .ack_o(ack),
    .ack_seq_o(ack_seq), .ack_nak_o(ack_nak), .ack_limits_o(ack_limits), .accept_o(accept), .accept_bad_o(accept_bad),
    .accept_class_o(accept_class), .behind_o(behind), .gap_o(gap), .no_credit_o(no_credit), .req_wr_o(req_wr),
    .cpl_wr_o(cpl_wr), .wdata_o(wdata), .req_commit_o(req_commit), .cpl_commit_o(cpl_commit), .drop_o(drop),
    .req_over_i(req_over), .cpl_over_i(cpl_over)
  );
  // 24 records of 25 bytes; 12 of 273.
  weft_bridge_store #(.AW(10)) u_req_store (
    .clk_i, .rst_ni, .clr_i(clr), .wr_i(req_wr), .wdata_i(wdata), .commit_i(req_commit), .drop_i(drop && !req_commit),
    .over_o(req_over), .valid_o(req_v), .ready_i(req_r), .data_o(req_d)
  );
  weft_bridge_store #(.AW(12)) u_cpl_store (
    .clk_i, .rst_ni, .clr_i(clr), .wr_i(cpl_wr), .wdata_i(wdata), .commit_i(cpl_commit), .drop_i(drop && !cpl_commit),
    .over_o(cpl_over), .valid_o(cpl_v), .ready_i(cpl_r), .data_o(cpl_d)
  );
  weft_bridge_req #(.BAR0_LOG2(BAR0_LOG2), .BAR2_LOG2(BAR2_LOG2), .BAR4_LOG2(BAR4_LOG2)) u_req (
    .clk_i, .rst_ni, .clr_i(clr), .in_valid_i(req_v), .in_ready_o(req_r), .in_data_i(req_d), .rx_req_valid_o, .rx_req_ready_i,
    .rx_req_hdr_o, .rx_req_bar_o, .rx_req_data_o, .cfg_bdf_o, .cfg_bme_o, .cfg_mps_o, .cfg_mrrs_o, .cfg_rcb_o,
    .cfg_ext_tag_o, .cfg_msix_en_o, .cfg_msix_mask_o, .cfg_mac_o, .flr_req_o, .flr_done_i, .pop_o(req_pop), .pop_class_o(req_pop_class),
    .flr_count_o(flr_count)
  );
  assign rx_req_last_o = 1'b1;
  weft_bridge_cpl u_cpl (
    .clk_i, .rst_ni, .clr_i(clr), .in_valid_i(cpl_v), .in_ready_o(cpl_r), .in_data_i(cpl_d), .rx_cpl_valid_o, .rx_cpl_ready_i,
    .rx_cpl_hdr_o, .rx_cpl_data_o, .rx_cpl_last_o, .pop_o(cpl_pop)
  );
  weft_bridge_tx #(.AW(AW), .WINDOW(Window)) u_tx (
    .clk_i, .rst_ni, .clr_i(clr), .up_i(up_o), .credit_i(tx_credit), .una_i(una), .nxt_o(nxt), .sent_o(sent), .tx_rd_valid_i,
    .tx_rd_ready_o, .tx_rd_hdr_i, .tx_wr_valid_i, .tx_wr_ready_o, .tx_wr_hdr_i, .tx_wr_data_i, .tx_wr_last_i, .tx_cpl_valid_i,
    .tx_cpl_ready_o, .tx_cpl_hdr_i, .tx_cpl_data_i, .get_i(get), .get_class_o(get_class), .get_len_o(get_len),
    .get_addr_o(get_addr), .ram_re_i(ram_re), .ram_raddr_i(ram_addr), .ram_rdata_o(ram_d)
  );
  weft_bridge_link #(.AW(AW), .WINDOW(Window), .RESET(RESET), .HEARTBEAT(HEARTBEAT), .RETRY(RETRY)) u_link (
    .clk_i, .rst_ni, .clr_o(clr), .up_o, .core_ok_o, .session_o(session), .expect_o(expected), .rx_credit_o(rx_credit),
    .hello_i(hello), .go_i(go), .hello_session_i(hello_session), .ack_i(ack), .ack_seq_i(ack_seq), .ack_nak_i(ack_nak),
    .ack_limits_i(ack_limits), .accept_i(accept), .accept_bad_i(accept_bad), .accept_class_i(accept_class),
    .behind_i(behind), .gap_i(gap), .req_pop_i(req_pop), .req_pop_class_i(req_pop_class), .cpl_pop_i(cpl_pop),
    .flr_count_i(flr_count), .tx_credit_o(tx_credit), .una_o(una), .nxt_i(nxt), .sent_i(sent), .get_o(get),
    .get_class_i(get_class), .get_len_i(get_len), .get_addr_i(get_addr), .idle_i(idle), .start_o(start), .kind_o(kind),
    .seq_o(seq), .frame_session_o(frame_session), .len_o(len), .ring_o(ring), .body_o(body), .addr_o(addr), .stat_retry_o
  );
  weft_bridge_frame #(.AW(AW)) u_frame (
    .clk_i, .rst_ni, .idle_o(idle), .start_i(start), .kind_i(kind), .seq_i(seq), .session_i(frame_session), .len_i(len),
    .ring_i(ring), .addr_i(addr), .body_i(body), .ram_re_o(ram_re), .ram_raddr_o(ram_addr), .ram_rdata_i(ram_d),
    .out_valid_o(line_tx_valid_o), .out_ready_i(line_tx_ready_i), .out_data_o(line_tx_data_o)
  );

  assign stat_gap_o       = gap;
  assign stat_no_credit_o = no_credit;
  assign stat_bad_o       = accept_bad;

endmodule
