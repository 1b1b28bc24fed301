// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Turns a decided segment into its descriptor, its pieces, and the in-line packet. Walks the SGEs
/// of the WQE from the position given, two cycles each; what lies before the position (after a
/// rewind) and empty SGEs are passed over. A Read Request is announced on orq_* before its segment.
module weft_qp_emit #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_QP = 16,
  parameter int unsigned N_VAL = 16,
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned ValW = $clog2(N_VAL),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 start_i,     ///< pulse
  input  weft_qp_pkg::order_t  order_i,
  output logic                 busy_o,      ///< no start now
  output logic                 done_o,      ///< pulse
  output logic [3:0]           sge_o,       ///< position behind the segment, with done_o
  output logic [31:0]          sge_off_o,

  output logic                 slot_re_o,   ///< WQE slots
  output logic [QpW+3:0]       slot_addr_o,
  input  logic [127:0]         slot_i,
  output logic                 val_re_o,    ///< value slots, 4 words each
  output logic [ValW+1:0]      val_addr_o,
  input  logic [127:0]         val_i,

  output logic                 orq_valid_o,
  input  logic                 orq_ready_i,
  output weft_pkg::orq_t       orq_o,
  output logic                 seg_valid_o,
  input  logic                 seg_ready_i,
  output weft_pkg::tx_seg_t    seg_o,
  output logic                 src_valid_o,
  input  logic                 src_ready_i,
  output weft_pkg::tx_src_t    src_o,
  output logic                 inl_valid_o,
  input  logic                 inl_ready_i,
  output logic [DATA_W-1:0]    inl_data_o,
  output logic [CntW-1:0]      inl_cnt_o,
  output logic                 inl_last_o
);

  typedef enum logic [2:0] {StIdle, StOrq, StSeg, StCalc, StPiece, StNone, StInline, StCopy} state_e;

  state_e              state_q;
  weft_qp_pkg::order_t o_q;
  weft_pkg::tx_seg_t   seg, seg_in;
  weft_abi_pkg::sge_t  sge_q, slot_sge;
  logic [15:0]         left_q, piece_q;
  logic [31:0]         rem;
  logic                skip_q, ends_q, whole_q;
  logic                from_sge, inl_start, inl_busy, inl_re;
  logic [4:0]          inl_idx;

  assign slot_sge = slot_i;
  assign seg      = o_q.seg;
  assign seg_in   = order_i.seg;
  assign from_sge = o_q.sel == weft_qp_pkg::SelSq && !o_q.read && !o_q.inl;

  // ---------------------------------------------------------------- memories
  // SGE i is word 2 + i. The word behind the one in work is read ahead.
  logic [3:0] word;
  assign word        = start_i ? order_i.base + 4'd2 + order_i.sge : o_q.base + 4'd3 + o_q.sge;
  assign slot_re_o   = start_i || state_q == StCalc || inl_re;
  assign slot_addr_o = {start_i ? seg_in.qpn[QpW-1:0] : seg.qpn[QpW-1:0],
                        inl_re ? o_q.base + inl_idx[3:0] : word};
  assign val_re_o    = inl_re;
  assign val_addr_o  = {o_q.val_slot[ValW-1:0], inl_idx[1:0]};

  // ---------------------------------------------------------------- the walk
  assign rem = sge_q.length - o_q.sge_off;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle: if (start_i) state_q <= order_i.read_new ? StOrq : StSeg;
        StOrq:  if (orq_ready_i) state_q <= StSeg;
        StSeg: begin
          if (seg_ready_i) begin
            if (seg.len == '0) state_q <= StNone;
            else if (o_q.sel == weft_qp_pkg::SelResp || from_sge) state_q <= StCalc;
            else state_q <= StInline;
          end
        end
        StCalc: state_q <= StPiece;
        StPiece: begin
          if (skip_q) state_q <= (o_q.sge == 4'd14) ? StNone : StCalc;
          else if (src_ready_i) state_q <= src_o.last ? StIdle : StCalc;
        end
        StNone:   if (src_ready_i) state_q <= StIdle;
        StInline: if (src_ready_i && !inl_busy) state_q <= StCopy;
        default:  if (!inl_busy) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        o_q    <= order_i;
        left_q <= seg_in.len;
      end
      StOrq, StSeg: begin
        sge_q <= slot_sge;
        if (o_q.sel == weft_qp_pkg::SelResp) begin
          sge_q.lkey   <= o_q.stag;
          sge_q.addr   <= o_q.to;
          sge_q.length <= o_q.len;
        end
      end
      StCalc: begin
        skip_q  <= o_q.sge_off >= sge_q.length;
        whole_q <= {16'd0, left_q} >= rem;          // the piece takes the SGE to its end
        ends_q  <= {16'd0, left_q} <= rem;
        piece_q <= ({16'd0, left_q} <= rem) ? left_q : rem[15:0];
      end
      StPiece: begin
        if (skip_q) begin
          o_q.sge     <= o_q.sge + 4'd1;
          o_q.sge_off <= o_q.sge_off - sge_q.length;
          sge_q       <= slot_sge;
        end else if (src_ready_i) begin
          left_q <= left_q - src_o.x.len;
          if (whole_q && !big) begin
            o_q.sge     <= o_q.sge + 4'd1;
            o_q.sge_off <= '0;
            sge_q       <= slot_sge;
          end else begin
            o_q.sge_off <= o_q.sge_off + 32'(src_o.x.len);
          end
        end
      end
      default: ;
    endcase
  end

  // A piece is 16384 bytes at most.
  logic big;
  assign big = piece_q > 16'd16384;

  assign seg_valid_o = state_q == StSeg;
  assign seg_o       = seg;

  always_comb begin
    src_o          = '0;
    src_o.kind     = weft_pkg::SrcMem;
    src_o.last     = ends_q && !big;
    src_o.x.stag   = sge_q.lkey;
    src_o.x.to     = sge_q.addr + 64'(o_q.sge_off);
    src_o.x.len    = big ? 16'd16384 : piece_q;
    src_o.x.access = 8'd1 << (o_q.sel == weft_qp_pkg::SelResp ? weft_abi_pkg::ACCESS_REMOTE_READ
                                                              : weft_abi_pkg::ACCESS_LOCAL_READ);
    src_o.x.pd     = o_q.pd;
    src_o.x.qpn    = seg.qpn;
    src_o.x.priv   = o_q.priv && o_q.sel != weft_qp_pkg::SelResp;
    if (state_q != StPiece) begin
      src_o      = '0;
      src_o.kind = state_q == StInline ? weft_pkg::SrcInline : weft_pkg::SrcNone;
      src_o.last = 1'b1;
    end
  end
  assign src_valid_o = (state_q == StPiece && !skip_q) || state_q == StNone || (state_q == StInline && !inl_busy);

  assign orq_valid_o      = state_q == StOrq;
  assign orq_o.qpn        = seg.qpn;
  assign orq_o.sink_stag  = slot_sge.lkey;
  assign orq_o.sink_to    = slot_sge.addr;
  assign orq_o.len        = o_q.len;

  assign busy_o = state_q != StIdle;
  logic last_piece;
  assign last_piece = state_q == StPiece && !skip_q && src_ready_i && src_o.last;
  assign done_o     = last_piece || (state_q == StNone && src_ready_i) || (state_q == StCopy && !inl_busy);
  assign sge_o      = (last_piece && whole_q) ? o_q.sge + 4'd1 : o_q.sge;
  assign sge_off_o  = !last_piece ? o_q.sge_off : whole_q ? 32'd0 : o_q.sge_off + 32'(src_o.x.len);

  // ---------------------------------------------------------------- in-line packets
  // Read Request header (RFC 5040 4.4), big endian, first byte in bits 7:0.
  logic [255:0] rd_hdr;
  logic [127:0] inl_word;
  logic         rd_hi_q;

  for (genvar i = 0; i < 4; i++) begin : gen_rd_hdr4
    assign rd_hdr[8*i+:8]       = sge_q.lkey[8*(3-i)+:8];
    assign rd_hdr[8*(12+i)+:8]  = o_q.len[8*(3-i)+:8];
    assign rd_hdr[8*(16+i)+:8]  = o_q.stag[8*(3-i)+:8];
  end
  for (genvar i = 0; i < 8; i++) begin : gen_rd_hdr8
    assign rd_hdr[8*(4+i)+:8]   = sge_q.addr[8*(7-i)+:8];
    assign rd_hdr[8*(20+i)+:8]  = o_q.to[8*(7-i)+:8];
  end
  assign rd_hdr[255:224] = '0;

  always_ff @(posedge clk_i) if (inl_re) rd_hi_q <= inl_idx[0];
  assign inl_word  = o_q.read ? (rd_hi_q ? rd_hdr[255:128] : rd_hdr[127:0])
                   : o_q.sel == weft_qp_pkg::SelVal ? val_i : slot_i;
  assign inl_start = state_q == StInline && src_ready_i && !inl_busy;

  weft_qp_inline #(.DATA_W(DATA_W)) u_inline (
    .clk_i, .rst_ni,
    .start_i(inl_start),
    .skip_i((o_q.sel == weft_qp_pkg::SelSq && !o_q.read) ? 8'd32 + o_q.sge_off[7:0] : 8'd0),
    .len_i(seg.len[8:0]), .busy_o(inl_busy),
    .re_o(inl_re), .idx_o(inl_idx), .word_i(inl_word),
    .out_valid_o(inl_valid_o), .out_ready_i(inl_ready_i), .out_data_o(inl_data_o),
    .out_cnt_o(inl_cnt_o), .out_last_o(inl_last_o)
  );

  logic unused;
  assign unused = ^{o_q, seg_in, inl_idx};

endmodule
