// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Front of segment building: pairs segments with their payload pieces, asks for translations in
/// order, and hands pieces to weft_dma_gather. Makes the bytes in front of the payload as a stream
/// of their own: ULPDU_Length (RFC 5044 4.1), DDP header (RFC 5041 4) and RDMAP control (RFC 5040
/// 4.1): 16 bytes for a tagged segment, 20 for an untagged one, both multiples of 4.
///
/// The piece list of a segment is: header (stream 0), then per source piece either nothing, the
/// translated runs of memory, or a packet of the in-line stream (stream 1). A failed translation
/// becomes an empty piece with an error code {0, xl_err}.
module weft_tcp_src #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter int unsigned SEGS = 128,   ///< segments between here and framing, a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    seg_valid_i,
  output logic                    seg_ready_o,
  input  weft_pkg::tx_seg_t       seg_i,
  input  logic                    src_valid_i,
  output logic                    src_ready_o,
  input  weft_pkg::tx_src_t       src_i,

  output logic                    xl_req_valid_o,
  input  logic                    xl_req_ready_i,
  output weft_pkg::xlate_req_t    xl_req_o,
  input  logic                    xl_rsp_valid_i,
  output logic                    xl_rsp_ready_o,
  input  weft_pkg::xlate_rsp_t    xl_rsp_i,

  /// Pieces for weft_dma_gather.
  output logic                    cmd_valid_o,
  input  logic                    cmd_ready_i,
  output logic [1:0]              cmd_kind_o,
  output logic                    cmd_last_o,
  output logic [63:0]             cmd_addr_o,
  output logic [15:0]             cmd_len_o,
  output logic                    cmd_after_wr_o,
  output logic [4:0]              cmd_code_o,

  /// Header stream, one packet a segment.
  output logic                    hdr_valid_o,
  input  logic                    hdr_ready_i,
  output logic [DATA_W-1:0]       hdr_data_o,
  output logic [CntW-1:0]         hdr_cnt_o,
  output logic                    hdr_last_o,

  /// Segments in order, for framing.
  output logic                    meta_valid_o,
  input  logic                    meta_ready_i,
  output weft_tcp_pkg::seg_info_t meta_o,

  output logic                    idle_o
);

  localparam int unsigned SegW = 16 + 32 + 4 + 1 + 32 + 64 + 32 + 32 + 16 + 1 + 1 + 1 + 1 + 16 + 1;
  localparam int unsigned SrcW = 2 + 1 + 32 + 64 + 16 + 8 + 24 + 16 + 1;
  localparam int unsigned XlW = SrcW - 3;
  localparam int unsigned Bytes = DATA_W / 8;

  // ------------------------------------------------ pair
  logic               s_valid, p_valid, s_pop, p_pop;
  weft_pkg::tx_seg_t  s;
  weft_pkg::tx_src_t  p;

  weft_fifo #(.W(SegW), .DEPTH(8)) u_seg (
    .clk_i, .rst_ni, .in_valid_i(seg_valid_i), .in_ready_o(seg_ready_o), .in_data_i(seg_i),
    .out_valid_o(s_valid), .out_ready_i(s_pop), .out_data_o(s), .count_o()
  );
  weft_fifo #(.W(SrcW), .DEPTH(32)) u_src (
    .clk_i, .rst_ni, .in_valid_i(src_valid_i), .in_ready_o(src_ready_o), .in_data_i(src_i),
    .out_valid_o(p_valid), .out_ready_i(p_pop), .out_data_o(p), .count_o()
  );

  // ------------------------------------------------ translation requests and the plan
  // Plan entry: first piece of the segment, kind, last piece, replay.
  logic       first_q, go, room, is_mem;
  logic       plan_ready, xlq_ready, hq_ready, mq_ready;
  logic [1:0] kind;

  assign is_mem = p.kind == weft_pkg::SrcMem && p.x.len != '0;
  assign kind   = is_mem ? 2'd1 : p.kind == weft_pkg::SrcInline ? 2'd3 : 2'd0;
  assign room   = plan_ready && xlq_ready && hq_ready && mq_ready;
  assign go     = s_valid && p_valid && room;
  assign p_pop  = s_valid && room;
  assign s_pop  = p_valid && room && p.last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_q <= 1'b1;
    else if (go) first_q <= p.last;
  end

  weft_skid #(.W(XlW)) u_xlq (
    .clk_i, .rst_ni, .in_valid_i(go && is_mem), .in_ready_o(xlq_ready), .in_data_i(p.x),
    .out_valid_o(xl_req_valid_o), .out_ready_i(xl_req_ready_i), .out_data_o(xl_req_o)
  );

  logic       plan_valid, plan_pop, plan_first, plan_last, plan_replay;
  logic [1:0] plan_kind;
  weft_fifo #(.W(5), .DEPTH(SEGS)) u_plan (
    .clk_i, .rst_ni, .in_valid_i(go), .in_ready_o(plan_ready),
    .in_data_i({first_q, kind, p.last, s.replay}),
    .out_valid_o(plan_valid), .out_ready_i(plan_pop),
    .out_data_o({plan_first, plan_kind, plan_last, plan_replay}), .count_o()
  );

  // ------------------------------------------------ pieces
  logic hdr_done_q, is_hdr, xl_bad, body_valid;

  assign is_hdr     = plan_first && !hdr_done_q;
  assign xl_bad     = xl_rsp_i.err != weft_pkg::XlOk;
  assign body_valid = plan_kind != 2'd1 || xl_rsp_valid_i;

  assign cmd_valid_o    = plan_valid && (is_hdr || body_valid);
  assign cmd_kind_o     = is_hdr ? 2'd2 : (plan_kind == 2'd1 && xl_bad) ? 2'd0 : plan_kind;
  assign cmd_last_o     = !is_hdr && plan_last && (plan_kind != 2'd1 || xl_rsp_i.last);
  assign cmd_addr_o     = xl_rsp_i.addr;
  assign cmd_len_o      = xl_rsp_i.len;
  assign cmd_after_wr_o = plan_replay;
  assign cmd_code_o     = (!is_hdr && plan_kind == 2'd1) ? {1'b0, xl_rsp_i.err} : 5'd0;
  assign xl_rsp_ready_o = plan_valid && !is_hdr && plan_kind == 2'd1 && cmd_ready_i;
  assign plan_pop       = cmd_ready_i && !is_hdr && body_valid &&
                          (plan_kind != 2'd1 || xl_rsp_i.last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hdr_done_q <= 1'b0;
    else if (cmd_valid_o && cmd_ready_i) hdr_done_q <= is_hdr || !plan_pop;
  end

  // ------------------------------------------------ headers
  logic                    h_valid, h_pop;
  logic                    h_last;
  logic [31:0]             h_stag, h_msn, h_mo;
  logic [63:0]             h_to;
  logic [15:0]             h_len;
  weft_tcp_pkg::seg_info_t m;

  always_comb begin
    m.qpn       = s.qpn;
    m.seq       = s.seq;
    m.wqe       = s.wqe;
    m.len       = s.len;
    m.is_tagged = s.op == weft_pkg::RdWrite || s.op == weft_pkg::RdReadResp;
    m.crc       = s.crc;
    m.psh       = s.psh;
    m.is_resp   = s.is_resp;
  end

  logic [3:0] h_op;
  weft_fifo #(.W(181), .DEPTH(SEGS)) u_hdrq (
    .clk_i, .rst_ni, .in_valid_i(go && first_q), .in_ready_o(hq_ready),
    .in_data_i({s.op, s.last, s.stag, s.to, s.msn, s.mo, s.len}),
    .out_valid_o(h_valid), .out_ready_i(h_pop),
    .out_data_o({h_op, h_last, h_stag, h_to, h_msn, h_mo, h_len}), .count_o()
  );
  weft_fifo #(.W(84), .DEPTH(SEGS)) u_metaq (
    .clk_i, .rst_ni, .in_valid_i(go && first_q), .in_ready_o(mq_ready), .in_data_i(m),
    .out_valid_o(meta_valid_o), .out_ready_i(meta_ready_i), .out_data_o(meta_o), .count_o()
  );

  function automatic logic [31:0] swap32(input logic [31:0] v);
    swap32 = {v[7:0], v[15:8], v[23:16], v[31:24]};
  endfunction

  logic         is_tagged, inv;
  logic [15:0]  ulpdu;
  logic [7:0]   ddp, rdmap, qn;
  logic [159:0] bytes;

  assign is_tagged = h_op == weft_pkg::RdWrite || h_op == weft_pkg::RdReadResp;
  assign inv    = h_op == weft_pkg::RdSendInv || h_op == weft_pkg::RdSendSeInv;
  assign ulpdu  = h_len + (is_tagged ? 16'd14 : 16'd18);
  assign ddp    = {is_tagged, h_last, 4'd0, 2'd1};   // T, L, reserved, DV
  assign rdmap  = {2'd1, 2'd0, h_op};             // RV, reserved, opcode
  assign qn     = h_op == weft_pkg::RdReadReq ? 8'd1 : h_op == weft_pkg::RdTerminate ? 8'd2 : 8'd0;
  assign bytes[31:0]   = {rdmap, ddp, ulpdu[7:0], ulpdu[15:8]};
  assign bytes[159:32] = is_tagged ?
      {32'd0, swap32(h_to[31:0]), swap32(h_to[63:32]), swap32(h_stag)} :
      {swap32(h_mo), swap32(h_msn), {qn, 24'd0}, inv ? swap32(h_stag) : 32'd0};

  logic            hb_last, hb_ready;
  logic [CntW-1:0] hb_cnt;
  logic [2:0]   hbeat_q;
  logic [15:0]  sent;
  logic [15:0]  left;
  logic [511:0] shifted;
  assign sent    = 16'(hbeat_q) * 16'(Bytes);
  assign left    = (is_tagged ? 16'd16 : 16'd20) - sent;
  assign shifted = 512'(bytes) >> (32'(hbeat_q) * DATA_W);
  assign hb_last = left <= 16'(Bytes);
  assign hb_cnt  = hb_last ? CntW'(left) : CntW'(Bytes);
  assign h_pop   = hb_ready && hb_last;

  weft_skid #(.W(DATA_W + CntW + 1)) u_hdr (
    .clk_i, .rst_ni, .in_valid_i(h_valid), .in_ready_o(hb_ready),
    .in_data_i({hb_last, hb_cnt, shifted[DATA_W-1:0]}),
    .out_valid_o(hdr_valid_o), .out_ready_i(hdr_ready_i),
    .out_data_o({hdr_last_o, hdr_cnt_o, hdr_data_o})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hbeat_q <= '0;
    else if (h_valid && hb_ready) hbeat_q <= hb_last ? '0 : hbeat_q + 1'b1;
  end

  assign idle_o = !s_valid && !p_valid && !plan_valid && !h_valid && !meta_valid_o &&
                  !xl_req_valid_o;

  logic unused;
  assign unused = ^{shifted, s};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
