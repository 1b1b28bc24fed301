// SPDX-License-Identifier: BSD-2-Clause

/// Sending side of mpa between qp, tpt, the host and tcp. Port numbers as in mpa_out.c.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned BUF_BYTES = 32768,
  parameter int unsigned XL_MAX = 4096,
  parameter int unsigned RD_MAX = 4096,
  parameter int unsigned FPDUS = 128,
  parameter int unsigned RECORDS = 128
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;

  logic fv, fr, sv, sr, iv, ir, il, ie, vv, vr, vl, ve, xv, xr, qv, qr, yv, yr, dv, dr, dl, de;
  logic ov, ordy, ol, ev, er, lv, idle, s_f, s_v, s_r, s_w, s_c;
  logic [1:0] le;
  weft_dp_pkg::tx_fpdu_t f;
  weft_dp_pkg::tx_src_t s;
  weft_dp_pkg::txerr_t e;
  weft_dp_pkg::tpt_req_t x;
  weft_dp_pkg::tpt_rsp_t y;
  weft_pkg::dma_rd_req_t q;
  weft_dp_pkg::framed_t fr_o;
  logic [DATA_W-1:0] id, vd, dd, od;
  logic [CntW-1:0] ic, vc, dc, oc;

  tb_src_item #(.ID(0), .W(564)) u_fpdu (.clk_i, .rst_ni, .valid_o(fv), .ready_i(fr), .data_o(f));
  tb_src_item #(.ID(1), .W(149)) u_src (.clk_i, .rst_ni, .valid_o(sv), .ready_i(sr), .data_o(s));
  tb_src_stream #(.ID(2), .DATA_W(DATA_W)) u_inl (.clk_i, .rst_ni, .valid_o(iv), .ready_i(ir), .data_o(id),
    .cnt_o(ic), .last_o(il), .err_o(ie), .side_o());
  tb_src_stream #(.ID(3), .DATA_W(DATA_W)) u_val (.clk_i, .rst_ni, .valid_o(vv), .ready_i(vr), .data_o(vd),
    .cnt_o(vc), .last_o(vl), .err_o(ve), .side_o());
  tb_snk_item #(.ID(4), .W(185)) u_xq (.clk_i, .rst_ni, .valid_i(xv), .ready_o(xr), .data_i(x));
  tb_src_item #(.ID(5), .W(87)) u_xs (.clk_i, .rst_ni, .valid_o(yv), .ready_i(yr), .data_o(y));
  tb_snk_item #(.ID(6), .W(81)) u_rq (.clk_i, .rst_ni, .valid_i(qv), .ready_o(qr), .data_i(q));
  tb_src_stream #(.ID(7), .DATA_W(DATA_W)) u_rs (.clk_i, .rst_ni, .valid_o(dv), .ready_i(dr), .data_o(dd),
    .cnt_o(dc), .last_o(dl), .err_o(de), .side_o());
  tb_snk_stream #(.ID(8), .DATA_W(DATA_W), .SIDE_W(313)) u_frm (.clk_i, .rst_ni, .valid_i(ov), .ready_o(ordy),
    .data_i(od), .cnt_i(oc), .last_i(ol), .err_i(1'b0), .side_i(fr_o));
  tb_snk_item #(.ID(9), .W(121)) u_err (.clk_i, .rst_ni, .valid_i(ev), .ready_o(er), .data_i(e));
  tb_snk_pulse #(.ID(10), .W(2)) u_leave (.clk_i, .rst_ni, .valid_i(lv), .data_i(le));
  // What moves in this cycle.
  tb_snk_pulse #(.ID(11), .W(12)) u_state (.clk_i, .rst_ni, .valid_i(1'b1),
    .data_i({s_c, s_w, s_r, s_v, s_f, ov, dv && dr && dl, dv && !dr, iv && ir, sv && sr, fv && fr, idle}));

  weft_mpa_out #(.DATA_W(DATA_W), .BUF_BYTES(BUF_BYTES), .XL_MAX(XL_MAX), .RD_MAX(RD_MAX), .FPDUS(FPDUS),
    .ACCESSES(RECORDS), .READS(RECORDS)) dut (
    .clk_i, .rst_ni, .fpdu_valid_i(fv), .fpdu_ready_o(fr), .fpdu_i(f), .src_valid_i(sv), .src_ready_o(sr), .src_i(s),
    .inl_valid_i(iv), .inl_ready_o(ir), .inl_data_i(id), .inl_cnt_i(ic), .inl_last_i(il),
    .val_valid_i(vv), .val_ready_o(vr), .val_data_i(vd), .val_cnt_i(vc), .val_last_i(vl),
    .txerr_valid_o(ev), .txerr_ready_i(er), .txerr_o(e),
    .tpt_req_valid_o(xv), .tpt_req_ready_i(xr), .tpt_req_o(x), .tpt_rsp_valid_i(yv), .tpt_rsp_ready_o(yr), .tpt_rsp_i(y),
    .leave_valid_o(lv), .leave_epoch_o(le),
    .rd_req_valid_o(qv), .rd_req_ready_i(qr), .rd_req_o(q), .rd_rsp_valid_i(dv), .rd_rsp_ready_o(dr), .rd_rsp_data_i(dd),
    .rd_rsp_cnt_i(dc), .rd_rsp_last_i(dl), .rd_rsp_err_i(de),
    .frm_valid_o(ov), .frm_ready_i(ordy), .frm_data_o(od), .frm_cnt_o(oc), .frm_last_o(ol), .framed_o(fr_o),
    .idle_o(idle), .stat_fpdu_o(s_f), .stat_void_o(s_v), .stat_read_o(s_r), .stat_room_o(s_w), .stat_record_o(s_c)
  );
  logic unused;
  assign unused = ^{ie, ve};
endmodule
