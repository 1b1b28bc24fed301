// SPDX-License-Identifier: BSD-2-Clause
// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Moves each stored frame to where the decision says: the payload of a connection's segment to the
/// receive engine (its ACK part first), whole frames to firmware or the network device, the rest
/// nowhere. One beat a cycle; decisions of later frames wait in a FIFO.
///
/// Firmware and network device can not hold up connections: `fw_ready_i` belongs to a room that
/// drops what does not fit, and the network device has a packet buffer that does.
module weft_steer_route #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned L2_BYTES = 32768,  ///< buffer in front of the network device
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               dec_valid_i,
  output logic               dec_ready_o,
  input  logic [1:0]         dec_dest_i,     ///< 0 nowhere, 1 connection, 2 firmware, 3 network device
  input  logic [15:0]        dec_qpn_i,
  input  logic [3:0]         dec_reason_i,
  input  weft_pkg::rx_meta_t dec_meta_i,

  input  logic               frm_valid_i,
  output logic               frm_ready_o,
  input  logic [DATA_W-1:0]  frm_data_i,
  input  logic [CntW-1:0]    frm_cnt_i,
  input  logic               frm_last_i,

  output logic               ack_valid_o,
  input  logic               ack_ready_i,
  output weft_pkg::rx_ack_t  ack_o,
  output logic               seg_valid_o,
  input  logic               seg_ready_i,
  output weft_pkg::rx_seg_t  seg_o,
  output logic               pay_valid_o,
  input  logic               pay_ready_i,
  output logic [DATA_W-1:0]  pay_data_o,
  output logic [CntW-1:0]    pay_cnt_o,
  output logic               pay_last_o,

  output logic               fw_valid_o,
  input  logic               fw_ready_i,
  output logic [DATA_W-1:0]  fw_data_o,
  output logic [CntW-1:0]    fw_cnt_o,
  output logic               fw_last_o,
  output logic [15:0]        fw_qpn_o,
  output logic [3:0]         fw_reason_o,

  output logic               l2_meta_valid_o,
  input  logic               l2_meta_ready_i,
  output weft_pkg::rx_meta_t l2_meta_o,
  output logic               l2_valid_o,
  input  logic               l2_ready_i,
  output logic [DATA_W-1:0]  l2_data_o,
  output logic [CntW-1:0]    l2_cnt_o,
  output logic               l2_last_o,

  output logic               idle_o,
  output logic               stat_l2_full_o
);

  localparam int unsigned MetaW = 489;
  localparam logic [1:0] DestConn = 2'd1, DestFw = 2'd2, DestL2 = 2'd3;

  // ---------------------------------------------------------------- items of a segment, before its bytes
  logic is_conn, has_pay, is_fin, wants_seg, ack_done_q, seg_done_q, cut_done_q, items_done;
  logic cut_valid, cut_ready, move, strip_ready, l2_in_ready;
  assign is_conn   = dec_dest_i == DestConn;
  assign has_pay   = dec_meta_i.payload_len != 0;
  assign is_fin    = dec_meta_i.flags[0];
  // One without payload may be a keep-alive or a window probe: the receive engine knows by its number.
  assign wants_seg = is_conn;

  assign ack_valid_o = dec_valid_i && is_conn && dec_meta_i.flags[4] && !ack_done_q;
  assign ack_o.qpn   = dec_qpn_i;
  assign ack_o.ack   = dec_meta_i.ack;
  assign ack_o.wnd   = dec_meta_i.wnd;
  assign ack_o.bare  = !has_pay && !is_fin;
  // the ACK part is processed before the payload: the segment is named after the ACK was taken
  assign seg_valid_o = dec_valid_i && wants_seg && !seg_done_q && (ack_done_q || !dec_meta_i.flags[4]);
  assign seg_o.qpn   = dec_qpn_i;
  assign seg_o.seq   = dec_meta_i.seq;
  assign seg_o.len   = dec_meta_i.payload_len;
  assign seg_o.fin   = is_fin;
  assign cut_valid   = dec_valid_i && is_conn && has_pay && !cut_done_q;
  assign items_done  = !is_conn || ((ack_done_q || !dec_meta_i.flags[4]) && (seg_done_q || !wants_seg)
                                    && (cut_done_q || !has_pay));

  // ---------------------------------------------------------------- bytes
  assign move        = dec_valid_i && items_done && frm_valid_i;
  assign dec_ready_o = move && frm_ready_o && frm_last_i;
  always_comb begin
    frm_ready_o = 1'b0;
    if (move) begin
      unique case (dec_dest_i)
        DestConn: frm_ready_o = !has_pay || strip_ready;
        DestFw:   frm_ready_o = fw_ready_i;
        DestL2:   frm_ready_o = l2_in_ready;
        default:  frm_ready_o = 1'b1;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ack_done_q <= 1'b0;
      seg_done_q <= 1'b0;
      cut_done_q <= 1'b0;
    end else if (dec_valid_i && dec_ready_o) begin
      ack_done_q <= 1'b0;
      seg_done_q <= 1'b0;
      cut_done_q <= 1'b0;
    end else begin
      if (ack_valid_o && ack_ready_i) ack_done_q <= 1'b1;
      if (seg_valid_o && seg_ready_i) seg_done_q <= 1'b1;
      if (cut_valid && cut_ready) cut_done_q <= 1'b1;
    end
  end

  // the command FIFO lets the next frame's items go while the last bytes are still in the shifter
  logic        cmd_valid, cmd_ready, strip_idle;
  logic [31:0] cmd;
  logic        unused_err;
  weft_fifo #(.W(32), .DEPTH(4)) u_cut (
    .clk_i, .rst_ni,
    .in_valid_i(cut_valid), .in_ready_o(cut_ready),
    .in_data_i({8'b0, dec_meta_i.hdr_len, dec_meta_i.payload_len}),
    .out_valid_o(cmd_valid), .out_ready_i(cmd_ready), .out_data_o(cmd), .count_o()
  );
  weft_stream_strip #(.DATA_W(DATA_W)) u_strip (
    .clk_i, .rst_ni,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_drop_i(cmd[31:16]), .cmd_len_i(cmd[15:0]),
    .in_valid_i(move && is_conn && has_pay), .in_ready_o(strip_ready), .in_data_i(frm_data_i),
    .in_cnt_i(frm_cnt_i), .in_last_i(frm_last_i), .in_err_i(1'b0),
    .out_valid_o(pay_valid_o), .out_ready_i(pay_ready_i), .out_data_o(pay_data_o),
    .out_cnt_o(pay_cnt_o), .out_last_o(pay_last_o), .out_err_o(unused_err), .idle_o(strip_idle)
  );

  assign fw_valid_o  = move && dec_dest_i == DestFw;
  assign fw_data_o   = frm_data_i;
  assign fw_cnt_o    = frm_cnt_i;
  assign fw_last_o   = frm_last_i;
  assign fw_qpn_o    = dec_qpn_i;
  assign fw_reason_o = dec_reason_i;

  // ---------------------------------------------------------------- network device
  logic             l2_v, l2_r, l2_empty, meta_done_q;
  logic [MetaW-1:0] l2_meta;
  weft_pkt_fifo #(
    .DATA_W(DATA_W), .DEPTH(L2_BYTES / Bytes), .META_W(MetaW), .MAX_PKTS(256), .DROP_ON_FULL(1)
  ) u_l2 (
    .clk_i, .rst_ni,
    .in_valid_i(move && dec_dest_i == DestL2), .in_ready_o(l2_in_ready), .in_data_i(frm_data_i),
    .in_cnt_i(frm_cnt_i), .in_last_i(frm_last_i), .in_drop_i(1'b0), .in_meta_i(dec_meta_i),
    .out_valid_o(l2_v), .out_ready_i(l2_r), .out_data_o(l2_data_o), .out_cnt_o(l2_cnt_o),
    .out_last_o(l2_last_o), .out_meta_o(l2_meta),
    .free_o(), .empty_o(l2_empty), .stat_drop_o(), .stat_overflow_o(stat_l2_full_o)
  );
  assign l2_meta_o       = l2_meta;
  assign l2_meta_valid_o = l2_v && !meta_done_q;
  assign l2_valid_o      = l2_v && meta_done_q;
  assign l2_r            = l2_ready_i && meta_done_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) meta_done_q <= 1'b0;
    else if (l2_v && l2_r && l2_last_o) meta_done_q <= 1'b0;
    else if (l2_meta_valid_o && l2_meta_ready_i) meta_done_q <= 1'b1;
  end

  assign idle_o = !dec_valid_i && !frm_valid_i && !cmd_valid && strip_idle && !pay_valid_o && l2_empty;

endmodule
