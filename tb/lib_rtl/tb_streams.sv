// SPDX-License-Identifier: BSD-2-Clause

/// Every byte-stream tool of rtl/lib between its own source and sink. Port numbers as in streams.c.
module tb #(
  parameter int unsigned DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;
  localparam int unsigned HdrMax = 100;
  localparam int unsigned LenW = $clog2(HdrMax + 1);

  logic pre_iv, pre_ir, pre_il, pre_ie;
  logic [DATA_W-1:0] pre_id;
  logic [CntW-1:0] pre_ic;
  logic [1-1:0] pre_is;
  logic pre_ov, pre_or, pre_ol, pre_oe;
  logic [DATA_W-1:0] pre_od;
  logic [CntW-1:0] pre_oc;
  logic [1-1:0] pre_os;
  logic gat_iv, gat_ir, gat_il, gat_ie;
  logic [DATA_W-1:0] gat_id;
  logic [CntW-1:0] gat_ic;
  logic [1-1:0] gat_is;
  logic gat_ov, gat_or, gat_ol, gat_oe;
  logic [DATA_W-1:0] gat_od;
  logic [CntW-1:0] gat_oc;
  logic [1-1:0] gat_os;
  logic spl_iv, spl_ir, spl_il, spl_ie;
  logic [DATA_W-1:0] spl_id;
  logic [CntW-1:0] spl_ic;
  logic [1-1:0] spl_is;
  logic spl_ov, spl_or, spl_ol, spl_oe;
  logic [DATA_W-1:0] spl_od;
  logic [CntW-1:0] spl_oc;
  logic [1-1:0] spl_os;
  logic crc_iv, crc_ir, crc_il, crc_ie;
  logic [DATA_W-1:0] crc_id;
  logic [CntW-1:0] crc_ic;
  logic [1-1:0] crc_is;
  logic crc_ov, crc_or, crc_ol, crc_oe;
  logic [DATA_W-1:0] crc_od;
  logic [CntW-1:0] crc_oc;
  logic [32-1:0] crc_os;
  logic sum_iv, sum_ir, sum_il, sum_ie;
  logic [DATA_W-1:0] sum_id;
  logic [CntW-1:0] sum_ic;
  logic [1-1:0] sum_is;
  logic sum_ov, sum_or, sum_ol, sum_oe;
  logic [DATA_W-1:0] sum_od;
  logic [CntW-1:0] sum_oc;
  logic [16-1:0] sum_os;
  logic pkf_iv, pkf_ir, pkf_il, pkf_ie;
  logic [DATA_W-1:0] pkf_id;
  logic [CntW-1:0] pkf_ic;
  logic [16-1:0] pkf_is;
  logic pkf_ov, pkf_or, pkf_ol, pkf_oe;
  logic [DATA_W-1:0] pkf_od;
  logic [CntW-1:0] pkf_oc;
  logic [16-1:0] pkf_os;
  logic pko_iv, pko_ir, pko_il, pko_ie;
  logic [DATA_W-1:0] pko_id;
  logic [CntW-1:0] pko_ic;
  logic [16-1:0] pko_is;
  logic pko_ov, pko_or, pko_ol, pko_oe;
  logic [DATA_W-1:0] pko_od;
  logic [CntW-1:0] pko_oc;
  logic [16-1:0] pko_os;

  // prepend: header item {data, len}
  logic hdr_v, hdr_r;
  logic [LenW-1:0] hdr_len;
  logic [HdrMax*8-1:0] hdr_data;
  tb_src_item #(.ID(0), .W(HdrMax * 8 + LenW)) u_hdr (
    .clk_i, .rst_ni, .valid_o(hdr_v), .ready_i(hdr_r), .data_o({hdr_data, hdr_len})
  );
  tb_src_stream #(.ID(1), .DATA_W(DATA_W), .SIDE_W(1)) u_src_pre (
    .clk_i, .rst_ni, .valid_o(pre_iv), .ready_i(pre_ir), .data_o(pre_id), .cnt_o(pre_ic), .last_o(pre_il),
    .err_o(pre_ie), .side_o(pre_is)
  );
  weft_stream_prepend #(.DATA_W(DATA_W), .HDR_BYTES_MAX(HdrMax)) u_pre (
    .clk_i, .rst_ni,
    .in_valid_i(pre_iv), .in_ready_o(pre_ir), .in_data_i(pre_id), .in_cnt_i(pre_ic), .in_last_i(pre_il), .in_err_i(pre_ie),
    .hdr_valid_i(hdr_v), .hdr_ready_o(hdr_r), .hdr_data_i(hdr_data), .hdr_len_i(hdr_len),
    .out_valid_o(pre_ov), .out_ready_i(pre_or), .out_data_o(pre_od), .out_cnt_o(pre_oc), .out_last_o(pre_ol), .out_err_o(pre_oe)
  );
  assign pre_os = '0;
  tb_snk_stream #(.ID(2), .DATA_W(DATA_W), .SIDE_W(1)) u_snk_pre (
    .clk_i, .rst_ni, .valid_i(pre_ov), .ready_o(pre_or), .data_i(pre_od), .cnt_i(pre_oc), .last_i(pre_ol),
    .err_i(pre_oe), .side_i(pre_os)
  );

  // gather: sideband is final
  tb_src_stream #(.ID(6), .DATA_W(DATA_W), .SIDE_W(1)) u_src_gat (
    .clk_i, .rst_ni, .valid_o(gat_iv), .ready_i(gat_ir), .data_o(gat_id), .cnt_o(gat_ic), .last_o(gat_il),
    .err_o(gat_ie), .side_o(gat_is)
  );
  weft_stream_gather #(.DATA_W(DATA_W)) u_gat (
    .clk_i, .rst_ni,
    .in_valid_i(gat_iv), .in_ready_o(gat_ir), .in_data_i(gat_id), .in_cnt_i(gat_ic), .in_last_i(gat_il), .in_err_i(gat_ie), .in_final_i(gat_is),
    .out_valid_o(gat_ov), .out_ready_i(gat_or), .out_data_o(gat_od), .out_cnt_o(gat_oc), .out_last_o(gat_ol), .out_err_o(gat_oe)
  );
  assign gat_os = '0;
  tb_snk_stream #(.ID(7), .DATA_W(DATA_W), .SIDE_W(1)) u_snk_gat (
    .clk_i, .rst_ni, .valid_i(gat_ov), .ready_o(gat_or), .data_i(gat_od), .cnt_i(gat_oc), .last_i(gat_ol),
    .err_i(gat_oe), .side_i(gat_os)
  );

  // split: command {last, len}
  logic cut_v, cut_r, cut_last;
  logic [15:0] cut_len;
  tb_src_item #(.ID(8), .W(17)) u_cut (
    .clk_i, .rst_ni, .valid_o(cut_v), .ready_i(cut_r), .data_o({cut_last, cut_len})
  );
  tb_src_stream #(.ID(9), .DATA_W(DATA_W), .SIDE_W(1)) u_src_spl (
    .clk_i, .rst_ni, .valid_o(spl_iv), .ready_i(spl_ir), .data_o(spl_id), .cnt_o(spl_ic), .last_o(spl_il),
    .err_o(spl_ie), .side_o(spl_is)
  );
  weft_stream_split #(.DATA_W(DATA_W)) u_spl (
    .clk_i, .rst_ni,
    .in_valid_i(spl_iv), .in_ready_o(spl_ir), .in_data_i(spl_id), .in_cnt_i(spl_ic), .in_last_i(spl_il), .in_err_i(spl_ie),
    .cut_valid_i(cut_v), .cut_ready_o(cut_r), .cut_len_i(cut_len), .cut_last_i(cut_last),
    .out_valid_o(spl_ov), .out_ready_i(spl_or), .out_data_o(spl_od), .out_cnt_o(spl_oc), .out_last_o(spl_ol), .out_err_o(spl_oe)
  );
  assign spl_os = '0;
  tb_snk_stream #(.ID(10), .DATA_W(DATA_W), .SIDE_W(1)) u_snk_spl (
    .clk_i, .rst_ni, .valid_i(spl_ov), .ready_o(spl_or), .data_i(spl_od), .cnt_i(spl_oc), .last_i(spl_ol),
    .err_i(spl_oe), .side_i(spl_os)
  );

  // mux: three inputs, sideband {err, tag}
  logic [2:0] mux_iv, mux_ir, mux_il, mux_ie;
  logic [2:0][DATA_W-1:0] mux_id;
  logic [2:0][CntW-1:0] mux_ic;
  logic [2:0][15:0] mux_is;
  logic [2:0][16:0] mux_side;
  logic mux_ov, mux_or, mux_ol, mux_oe;
  logic [DATA_W-1:0] mux_od;
  logic [CntW-1:0] mux_oc;
  logic [15:0] mux_os;
  logic [1:0] mux_idx;
  for (genvar i = 0; i < 3; i++) begin : gen_mux
    tb_src_stream #(.ID(11 + i), .DATA_W(DATA_W), .SIDE_W(16)) u_src (
      .clk_i, .rst_ni, .valid_o(mux_iv[i]), .ready_i(mux_ir[i]), .data_o(mux_id[i]), .cnt_o(mux_ic[i]),
      .last_o(mux_il[i]), .err_o(mux_ie[i]), .side_o(mux_is[i])
    );
    assign mux_side[i] = {mux_ie[i], mux_is[i]};
  end
  weft_stream_mux #(.DATA_W(DATA_W), .N(3), .SIDE_W(17)) u_mux (
    .clk_i, .rst_ni, .in_valid_i(mux_iv), .in_ready_o(mux_ir), .in_data_i(mux_id), .in_cnt_i(mux_ic),
    .in_last_i(mux_il), .in_side_i(mux_side), .out_valid_o(mux_ov), .out_ready_i(mux_or),
    .out_data_o(mux_od), .out_cnt_o(mux_oc), .out_last_o(mux_ol), .out_side_o({mux_oe, mux_os}),
    .out_idx_o(mux_idx)
  );
  tb_snk_stream #(.ID(14), .DATA_W(DATA_W), .SIDE_W(18)) u_snk_mux (
    .clk_i, .rst_ni, .valid_i(mux_ov), .ready_o(mux_or), .data_i(mux_od), .cnt_i(mux_oc), .last_i(mux_ol),
    .err_i(mux_oe), .side_i({mux_idx, mux_os})
  );

  // CRC and checksum: the result is the sideband
  tb_src_stream #(.ID(15), .DATA_W(DATA_W), .SIDE_W(1)) u_src_crc (
    .clk_i, .rst_ni, .valid_o(crc_iv), .ready_i(crc_ir), .data_o(crc_id), .cnt_o(crc_ic), .last_o(crc_il),
    .err_o(crc_ie), .side_o(crc_is)
  );
  weft_crc32c #(.DATA_W(DATA_W)) u_crc (
    .clk_i, .rst_ni,
    .in_valid_i(crc_iv), .in_ready_o(crc_ir), .in_data_i(crc_id), .in_cnt_i(crc_ic), .in_last_i(crc_il), .in_err_i(crc_ie),
    .out_valid_o(crc_ov), .out_ready_i(crc_or), .out_data_o(crc_od), .out_cnt_o(crc_oc), .out_last_o(crc_ol), .out_err_o(crc_oe), .out_crc_o(crc_os)
  );
  tb_snk_stream #(.ID(16), .DATA_W(DATA_W), .SIDE_W(32), .SIDE_LAST(1)) u_snk_crc (
    .clk_i, .rst_ni, .valid_i(crc_ov), .ready_o(crc_or), .data_i(crc_od), .cnt_i(crc_oc), .last_i(crc_ol),
    .err_i(crc_oe), .side_i(crc_os)
  );
  tb_src_stream #(.ID(17), .DATA_W(DATA_W), .SIDE_W(1)) u_src_sum (
    .clk_i, .rst_ni, .valid_o(sum_iv), .ready_i(sum_ir), .data_o(sum_id), .cnt_o(sum_ic), .last_o(sum_il),
    .err_o(sum_ie), .side_o(sum_is)
  );
  weft_csum #(.DATA_W(DATA_W)) u_sum (
    .clk_i, .rst_ni,
    .in_valid_i(sum_iv), .in_ready_o(sum_ir), .in_data_i(sum_id), .in_cnt_i(sum_ic), .in_last_i(sum_il), .in_err_i(sum_ie),
    .out_valid_o(sum_ov), .out_ready_i(sum_or), .out_data_o(sum_od), .out_cnt_o(sum_oc), .out_last_o(sum_ol), .out_err_o(sum_oe), .out_sum_o(sum_os)
  );
  tb_snk_stream #(.ID(18), .DATA_W(DATA_W), .SIDE_W(16), .SIDE_LAST(1)) u_snk_sum (
    .clk_i, .rst_ni, .valid_i(sum_ov), .ready_o(sum_or), .data_i(sum_od), .cnt_i(sum_oc), .last_i(sum_ol),
    .err_i(sum_oe), .side_i(sum_os)
  );

  // packet FIFOs: err of the source is drop; one waits, one drops when full (21: pulses)
  tb_src_stream #(.ID(19), .DATA_W(DATA_W), .SIDE_W(16)) u_src_pkf (
    .clk_i, .rst_ni, .valid_o(pkf_iv), .ready_i(pkf_ir), .data_o(pkf_id), .cnt_o(pkf_ic), .last_o(pkf_il),
    .err_o(pkf_ie), .side_o(pkf_is)
  );
  weft_pkt_fifo #(.DATA_W(DATA_W), .DEPTH(64), .META_W(16), .MAX_PKTS(8), .DROP_ON_FULL(1'b0)) u_pkf (
    .clk_i, .rst_ni,
    .in_valid_i(pkf_iv), .in_ready_o(pkf_ir), .in_data_i(pkf_id), .in_cnt_i(pkf_ic), .in_last_i(pkf_il), .in_drop_i(pkf_ie),
    .in_meta_i(pkf_is), .out_valid_o(pkf_ov), .out_ready_i(pkf_or), .out_data_o(pkf_od), .out_cnt_o(pkf_oc), .out_last_o(pkf_ol), .out_meta_o(pkf_os), .free_o(), .empty_o(), .stat_drop_o(),
    .stat_overflow_o()
  );
  assign pkf_oe = 1'b0;
  tb_snk_stream #(.ID(20), .DATA_W(DATA_W), .SIDE_W(16)) u_snk_pkf (
    .clk_i, .rst_ni, .valid_i(pkf_ov), .ready_o(pkf_or), .data_i(pkf_od), .cnt_i(pkf_oc), .last_i(pkf_ol),
    .err_i(pkf_oe), .side_i(pkf_os)
  );
  tb_src_stream #(.ID(22), .DATA_W(DATA_W), .SIDE_W(16)) u_src_pko (
    .clk_i, .rst_ni, .valid_o(pko_iv), .ready_i(pko_ir), .data_o(pko_id), .cnt_o(pko_ic), .last_o(pko_il),
    .err_o(pko_ie), .side_o(pko_is)
  );
  logic pko_over;
  weft_pkt_fifo #(.DATA_W(DATA_W), .DEPTH(64), .META_W(16), .MAX_PKTS(8), .DROP_ON_FULL(1'b1)) u_pko (
    .clk_i, .rst_ni,
    .in_valid_i(pko_iv), .in_ready_o(pko_ir), .in_data_i(pko_id), .in_cnt_i(pko_ic), .in_last_i(pko_il), .in_drop_i(pko_ie),
    .in_meta_i(pko_is), .out_valid_o(pko_ov), .out_ready_i(pko_or), .out_data_o(pko_od), .out_cnt_o(pko_oc), .out_last_o(pko_ol), .out_meta_o(pko_os), .free_o(), .empty_o(), .stat_drop_o(),
    .stat_overflow_o(pko_over)
  );
  assign pko_oe = 1'b0;
  tb_snk_pulse #(.ID(21), .W(1)) u_over (.clk_i, .rst_ni, .valid_i(pko_over), .data_i(1'b1));
  tb_snk_stream #(.ID(23), .DATA_W(DATA_W), .SIDE_W(16)) u_snk_pko (
    .clk_i, .rst_ni, .valid_i(pko_ov), .ready_o(pko_or), .data_i(pko_od), .cnt_i(pko_oc), .last_i(pko_ol),
    .err_i(pko_oe), .side_i(pko_os)
  );

  // A beat without bytes is only ever a whole packet.
  import "DPI-C" function void tb_sv_fail(input string what);
  logic [6:0] beat_fire, beat_last, beat_zero, mid_q;
  assign beat_fire = {pre_ov & pre_or, gat_ov & gat_or, spl_ov & spl_or, mux_ov & mux_or,
                      crc_ov & crc_or, sum_ov & sum_or, pkf_ov & pkf_or};
  assign beat_last = {pre_ol, gat_ol, spl_ol, mux_ol, crc_ol, sum_ol, pkf_ol};
  assign beat_zero = {pre_oc == 0, gat_oc == 0, spl_oc == 0, mux_oc == 0, crc_oc == 0, sum_oc == 0,
                      pkf_oc == 0};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mid_q <= '0;
    else begin
      mid_q <= (beat_fire & ~beat_last) | (~beat_fire & mid_q);
      if ((beat_fire & beat_zero & mid_q) != 0) tb_sv_fail("a beat without bytes ends a packet");
    end
  end

endmodule
