// SPDX-License-Identifier: BSD-2-Clause

/// weft_rdmap_in between mpa (with the real FPDU store), tpt, host, qp, ctx and firmware. Port numbers as in ports.h.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_QP = 64,
  parameter int unsigned N_SLOT = 16,
  parameter int unsigned N_RQB = 8,
  parameter int unsigned ATOM_HOLD = 256,
  parameter int unsigned POSTED = 0,  // accepted writes stay for a while before they leave
  parameter int unsigned BLOCKS = 512
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;
  localparam int unsigned HndW = $clog2(BLOCKS);

  logic tmv;
  logic [11:0] tms;
  logic sv, sr, sl, se, pv, pr, pok, rdv, rdr, yv, yr, yl, fv, fr;
  logic [DATA_W-1:0] sd, yd;
  logic [CntW-1:0] sc, yc;
  logic [HndW-1:0] ph;
  logic [15:0] pl, rdo, rdl;
  logic [11:0] rdh, fh;
  tb_src_stream #(.ID(0), .DATA_W(DATA_W)) u_store_in (.clk_i, .rst_ni, .valid_o(sv), .ready_i(sr), .data_o(sd), .cnt_o(sc), .last_o(sl), .err_o(se), .side_o());
  tb_snk_item #(.ID(1), .W(13)) u_put (.clk_i, .rst_ni, .valid_i(pv), .ready_o(pr), .data_i({pok, 12'(ph)}));
  weft_pkt_store #(.DATA_W(DATA_W), .BLOCKS(BLOCKS), .BEATS(256 * 8 / DATA_W)) u_store (
    .clk_i, .rst_ni, .in_valid_i(sv), .in_ready_o(sr), .in_data_i(sd), .in_cnt_i(sc), .in_last_i(sl), .in_err_i(se),
    .put_valid_o(pv), .put_ready_i(pr), .put_ok_o(pok), .put_handle_o(ph), .put_len_o(pl),
    .rd_valid_i(rdv), .rd_ready_o(rdr), .rd_handle_i(rdh[HndW-1:0]), .rd_off_i(rdo), .rd_len_i(rdl),
    .out_valid_o(yv), .out_ready_i(yr), .out_data_o(yd), .out_cnt_o(yc), .out_last_o(yl),
    .free_valid_i(fv), .free_ready_o(fr), .free_handle_i(fh[HndW-1:0]), .used_o(used), .idle_o(), .stat_put_o(), .stat_full_o()
  );
  logic [HndW:0] used;

  logic xfv, xfr, stv, str, dbv, txv, txr, ifv, ifr, ldv, ldr, svv, svr, lnv, lnr, cmv, cmr, evv, evr;
  logic [1:0] drv;
  logic [518:0] xf;
  weft_dp_pkg::commit_t st, com;
  logic [39:0] db;
  weft_dp_pkg::tx_read_t tx;
  logic [43:0] irf;
  weft_dp_pkg::line_t ld, ln;
  weft_dp_pkg::save_t sav;
  weft_dp_pkg::ctx_cmd_t cm;
  weft_dp_pkg::ctx_ev_t ev;
  logic [23:0] ds;
  logic [7:0] dn;
  logic [3:0] xde;
  logic [1:0] xd;
  tb_src_item #(.ID(2), .W(519)) u_fpdu (.clk_i, .rst_ni, .valid_o(xfv), .ready_i(xfr), .data_o(xf));
  logic stp, plv, plr, thv;
  weft_dp_pkg::commit_t pla, thr;
  tb_src_item #(.ID(3), .W(169)) u_stored (.clk_i, .rst_ni, .valid_o(stv), .ready_i(str), .data_o({stp, st}));
  tb_snk_item #(.ID(36), .W(168)) u_placed (.clk_i, .rst_ni, .valid_i(plv), .ready_o(plr), .data_i(pla));
  tb_snk_pulse #(.ID(37), .W(168)) u_thr (.clk_i, .rst_ni, .valid_i(thv), .data_i(thr));
  tb_src_item #(.ID(4), .W(40)) u_db (.clk_i, .rst_ni, .valid_o(dbv), .ready_i(rdy), .data_o(db));
  tb_src_item #(.ID(5), .W(182)) u_tx (.clk_i, .rst_ni, .valid_o(txv), .ready_i(txr), .data_o(tx));
  tb_src_item #(.ID(6), .W(44)) u_irf (.clk_i, .rst_ni, .valid_o(ifv), .ready_i(ifr), .data_o(irf));
  tb_src_item #(.ID(7), .W(553)) u_load (.clk_i, .rst_ni, .valid_o(ldv), .ready_i(ldr), .data_o(ld));
  tb_src_item #(.ID(8), .W(38)) u_save (.clk_i, .rst_ni, .valid_o(svv), .ready_i(svr), .data_o(sav));
  tb_snk_item #(.ID(9), .W(553)) u_line (.clk_i, .rst_ni, .valid_i(lnv), .ready_o(lnr), .data_i(ln));
  tb_src_item #(.ID(10), .W(56)) u_cmd (.clk_i, .rst_ni, .valid_o(cmv), .ready_i(cmr), .data_o(cm));
  tb_snk_item #(.ID(11), .W(488)) u_ev (.clk_i, .rst_ni, .valid_i(evv), .ready_o(evr), .data_i(ev));
  tb_snk_pulse #(.ID(12), .W(16)) u_drop (.clk_i, .rst_ni, .valid_i(drv[0]), .data_i({ds[11:0], dn[3:0]}));
  tb_snk_pulse #(.ID(26), .W(16)) u_hand (.clk_i, .rst_ni, .valid_i(drv[1]), .data_i({ds[23:12], dn[7:4]}));

  logic xqv, xqr, xsv, xsr, qv, qr, qdv, qdr, ql, qe, wv, wr, wl, cov, cor, cqv, cqr, rxv, rxr, rev, rer, rfv, rfr, rsv, rsr, idle, rdy;
  weft_dp_pkg::tpt_req_t xq;
  weft_dp_pkg::tpt_rsp_t xs;
  weft_pkg::dma_rd_req_t q;
  weft_pkg::dma_wr_hdr_t wh;
  logic [DATA_W-1:0] qd, wd;
  logic [CntW-1:0] qc, wc;
  weft_dp_pkg::cqe_t cq;
  weft_dp_pkg::rx_read_t rx;
  weft_dp_pkg::read_done_t re;
  weft_dp_pkg::refuse_t rf;
  weft_dp_pkg::who_t rs;
  tb_snk_item #(.ID(13), .W(185)) u_xq (.clk_i, .rst_ni, .valid_i(xqv), .ready_o(xqr), .data_i(xq));
  tb_src_item #(.ID(14), .W(87)) u_xs (.clk_i, .rst_ni, .valid_o(xsv), .ready_i(xsr), .data_o(xs));
  tb_snk_pulse #(.ID(15), .W(6)) u_xd (.clk_i, .rst_ni, .valid_i(xd != '0), .data_i({xd, xde}));
  tb_snk_item #(.ID(16), .W(81)) u_q (.clk_i, .rst_ni, .valid_i(qv), .ready_o(qr), .data_i(q));
  tb_src_stream #(.ID(17), .DATA_W(DATA_W)) u_qd (.clk_i, .rst_ni, .valid_o(qdv), .ready_i(qdr), .data_o(qd), .cnt_o(qc), .last_o(ql), .err_o(qe), .side_o());
  // The posted queue behind the writes: packets are told as they leave, one a cycle, or (POSTED) at random times with long breaks.
  logic        w_take, w_room, w_first_q, w_leaves, wsr;
  logic [7:0]  acc_q, end_q, left_q;
  logic [9:0]  break_q;
  logic [15:0] lfsr_q;
  assign w_room   = 8'(acc_q - left_q) < 8'd64 || !w_first_q;
  assign wr       = wsr && w_room;
  assign w_take   = wv && wr;
  assign w_leaves = end_q != left_q && (POSTED == 0 || (break_q == '0 && lfsr_q[1:0] != '0));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      acc_q     <= '0;
      end_q     <= '0;
      left_q    <= '0;
      w_first_q <= 1'b1;
      break_q   <= '0;
      lfsr_q    <= 16'h1;
    end else begin
      if (w_take) w_first_q <= wl;
      acc_q   <= acc_q + 8'(w_take && w_first_q);
      end_q   <= end_q + 8'(w_take && wl);
      left_q  <= left_q + 8'(w_leaves);
      break_q <= break_q != '0 ? break_q - 1'b1 : w_leaves && lfsr_q[9:4] == '0 ? 10'd600 : '0;
      lfsr_q  <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[13] ^ lfsr_q[12] ^ lfsr_q[10]};
    end
  end
  tb_snk_pulse #(.ID(35), .W(1)) u_left (.clk_i, .rst_ni, .valid_i(w_leaves), .data_i(1'b1));
  tb_snk_stream #(.ID(18), .DATA_W(DATA_W), .SIDE_W(80)) u_wr (.clk_i, .rst_ni, .valid_i(wv && w_room), .ready_o(wsr), .data_i(wd), .cnt_i(wc), .last_i(wl), .err_i(1'b0), .side_i(wh));
  tb_snk_item #(.ID(19), .W(168)) u_co (.clk_i, .rst_ni, .valid_i(cov), .ready_o(cor), .data_i(com));
  tb_snk_item #(.ID(20), .W(220)) u_cq (.clk_i, .rst_ni, .valid_i(cqv), .ready_o(cqr), .data_i(cq));
  tb_snk_item #(.ID(21), .W(325)) u_rx (.clk_i, .rst_ni, .valid_i(rxv), .ready_o(rxr), .data_i(rx));
  tb_snk_item #(.ID(22), .W(77)) u_re (.clk_i, .rst_ni, .valid_i(rev), .ready_o(rer), .data_i(re));
  tb_snk_item #(.ID(23), .W(102)) u_rf (.clk_i, .rst_ni, .valid_i(rfv), .ready_o(rfr), .data_i(rf));
  tb_snk_item #(.ID(24), .W(36)) u_rs (.clk_i, .rst_ni, .valid_i(rsv), .ready_o(rsr), .data_i(rs));
  logic atv, atr, adv, adr, adl, ade;
  weft_pkg::dma_rd_req_t at;
  logic [DATA_W-1:0] ad;
  logic [CntW-1:0] ac;
  tb_snk_item #(.ID(33), .W(81)) u_at (.clk_i, .rst_ni, .valid_i(atv), .ready_o(atr), .data_i(at));
  tb_src_stream #(.ID(34), .DATA_W(DATA_W)) u_ad (.clk_i, .rst_ni, .valid_o(adv), .ready_i(adr), .data_o(ad), .cnt_o(ac), .last_o(adl), .err_o(ade), .side_o());
  // An operation is told once; it is over with the answer.
  logic opv, opr, opt_q, otr, oav, odv;
  logic [19:0] oa;
  logic [15:0] od, od_q;
  weft_dp_pkg::stag_op_t op;
  tb_snk_item #(.ID(27), .W(95)) u_op (.clk_i, .rst_ni, .valid_i(opv && !opt_q), .ready_o(otr), .data_i({op.who, op.op, op.stag, op.pd}));
  tb_src_item #(.ID(28), .W(20)) u_oa (.clk_i, .rst_ni, .valid_o(oav), .ready_i(opv && opt_q), .data_o(oa));
  tb_src_item #(.ID(29), .W(16)) u_od (.clk_i, .rst_ni, .valid_o(odv), .ready_i(1'b1), .data_o(od));
  assign opr = opt_q && oav;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      opt_q <= 1'b0;
      od_q  <= '0;
    end else begin
      opt_q <= (opv && !opt_q && otr) || (opt_q && !opr);
      if (odv) od_q <= od;
    end
  end
  logic sdv, sev, ser, cfv, cfr, crv;
  logic [31:0] sd_db;
  weft_dp_pkg::ctx_ev_t sevd;
  weft_pkg::cfg_req_t cf;
  weft_pkg::cfg_rsp_t cr;
  tb_src_item #(.ID(31), .W(32)) u_sdb (.clk_i, .rst_ni, .valid_o(sdv), .ready_i(rdy), .data_o(sd_db));
  tb_snk_item #(.ID(32), .W(488)) u_sev (.clk_i, .rst_ni, .valid_i(sev), .ready_o(ser), .data_i(sevd));
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(cfv), .cfg_req_ready_i(cfr), .cfg_req_o(cf), .cfg_rsp_valid_i(crv), .cfg_rsp_i(cr));
  logic [13:0] stat;
  tb_snk_pulse #(.ID(25), .W(17)) u_state (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({stat[13], used == '0, idle, rdy, stat[12:0]}));

  weft_rdmap_in #(.DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_RQB(N_RQB), .N_READ(64), .ATOM_HOLD(ATOM_HOLD)) dut (
    .clk_i, .rst_ni, .ready_o(rdy), .through_valid_o(thv), .through_o(thr), .placed_valid_o(plv), .placed_ready_i(plr), .placed_o(pla), .rx_fpdu_valid_i(xfv), .rx_fpdu_ready_o(xfr), .rx_fpdu_i(xf[518:16]), .rx_fpdu_len_i(xf[15:0]),
    .stored_valid_i(stv), .stored_ready_o(str), .stored_i(st), .stored_placed_i(stp), .rq_db_valid_i(dbv && rdy), .rq_db_qpn_i(db[39:16]), .rq_db_index_i(db[15:0]),
    .srq_db_valid_i(sdv && rdy), .srq_db_srqn_i(sd_db[31:16]), .srq_db_index_i(sd_db[15:0]), .cfg_req_valid_i(cfv), .cfg_req_ready_o(cfr),
    .cfg_req_i(cf), .cfg_rsp_valid_o(crv), .cfg_rsp_o(cr), .srq_ev_valid_o(sev), .srq_ev_ready_i(ser), .srq_ev_o(sevd), .stat_srq_bad_o(stat[13]),
    .tx_read_valid_i(txv), .tx_read_ready_o(txr), .tx_read_i(tx),
    .irq_free_valid_i(ifv), .irq_free_ready_o(ifr), .irq_free_i(irf[43:8]), .irq_free_sent_i(irf[7:4]), .irq_free_acked_i(irf[3:0]),
    .load_valid_i(ldv), .load_ready_o(ldr), .load_i(ld), .save_valid_i(svv), .save_ready_o(svr), .save_i(sav),
    .line_valid_o(lnv), .line_ready_i(lnr), .line_o(ln), .cmd_valid_i(cmv), .cmd_ready_o(cmr), .cmd_i(cm),
    .ev_valid_o(evv), .ev_ready_i(evr), .ev_o(ev), .drop_valid_o(drv), .drop_slot_o(ds), .drop_n_o(dn),
    .xl_valid_o(xqv), .xl_ready_i(xqr), .xl_o(xq), .xl_valid_i(xsv), .xl_ready_o(xsr), .xl_i(xs), .xl_done_o(xd), .xl_done_epoch_o(xde),
    .op_valid_o(opv), .op_ready_i(opr), .op_o(op), .op_err_i(weft_pkg::xl_err_e'(oa[3:0])), .op_seq_i(oa[19:4]), .op_done_i(od_q),
    .rd_valid_o(rdv), .rd_ready_i(rdr), .rd_handle_o(rdh), .rd_off_o(rdo), .rd_len_o(rdl),
    .pay_valid_i(yv), .pay_ready_o(yr), .pay_data_i(yd), .pay_cnt_i(yc), .pay_last_i(yl),
    .free_valid_o(fv), .free_ready_i(fr), .free_handle_o(fh),
    .rq_rd_valid_o(qv), .rq_rd_ready_i(qr), .rq_rd_o(q), .rq_valid_i(qdv), .rq_ready_o(qdr), .rq_data_i(qd), .rq_cnt_i(qc), .rq_last_i(ql), .rq_err_i(qe),
    .at_rd_valid_o(atv), .at_rd_ready_i(atr), .at_rd_o(at), .at_valid_i(adv), .at_ready_o(adr), .at_data_i(ad), .at_err_i(ade),
    .wr_valid_o(wv), .wr_ready_i(wr), .wr_hdr_o(wh), .wr_data_o(wd), .wr_cnt_o(wc), .wr_last_o(wl),
    .commit_valid_o(cov), .commit_ready_i(cor), .commit_o(com), .cqe_valid_o(cqv), .cqe_ready_i(cqr), .cqe_o(cq),
    .wr_acc_i(acc_q), .wr_left_i(left_q), .rx_read_valid_o(rxv), .rx_read_ready_i(rxr), .rx_read_o(rx), .read_done_valid_o(rev), .read_done_ready_i(rer), .read_done_o(re), .term_valid_o(tmv), .term_slot_o(tms),
    .refuse_valid_o(rfv), .refuse_ready_i(rfr), .refuse_o(rf), .resume_valid_o(rsv), .resume_ready_i(rsr), .resume_o(rs),
    .idle_o(idle), .stat_fpdu_o(stat[0]), .stat_park_o(stat[1]), .stat_ahead_o(stat[2]), .stat_fault_o(stat[3]), .stat_recv_o(stat[4]),
    .stat_flush_o(stat[5]), .stat_fetch_o(stat[6]), .stat_reclaim_o(stat[7]), .stat_xl_o(stat[8]), .stat_fail_o(stat[9]), .stat_beat_o(stat[10]),
    .stat_merge_o(stat[11]), .stat_cont_o(stat[12]), .stat_placed_o()
  );
  tb_snk_pulse #(.ID(30), .W(12)) u_term (.clk_i, .rst_ni, .valid_i(tmv), .data_i(tms));
  logic unused;
  assign unused = ^{pl, rdh, fh, op, ac, adl};
endmodule
