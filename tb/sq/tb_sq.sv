// SPDX-License-Identifier: BSD-2-Clause

/// The send queue between ctx, host, tcp, mpa, rdmap and cq, which are all in sq.c. Port numbers as there.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_QP = 256,
  parameter int unsigned N_SLOT = 64,
  parameter int unsigned N_LANE = 16,
  parameter int unsigned N_LOG = 1024,
  parameter int unsigned N_RD = 256
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;

  logic dbv, nv, nr, hv, av, lv, lr, sv, sr, liv, lir, cv, cr, ev, er, vwv, tav, akv, akr, aev, aer, ifv, ifr, tev, ter, rxv, rxr, rdv, rdr, ready;
  logic fv, fr, srv, srr, iv, ir, vv, vr, trv, trr, qv, qr, rqv, rqr, dv, dr, dl, de, il, idle, clean_idle;
  logic [489:0] db;
  weft_dp_pkg::need_t need;
  weft_dp_pkg::have_t have;
  weft_dp_pkg::arrive_t arrive;
  weft_dp_pkg::line_t load, line;
  weft_dp_pkg::save_t save;
  weft_dp_pkg::ctx_cmd_t cmd;
  weft_dp_pkg::ctx_ev_t evt;
  logic [43:0] vw;
  weft_dp_pkg::txack_t txack;
  weft_dp_pkg::ask_t ask;
  weft_dp_pkg::txerr_t txerr;
  weft_dp_pkg::rx_read_t rx;
  weft_dp_pkg::read_done_t rdone;
  weft_dp_pkg::tx_fpdu_t fpdu;
  weft_dp_pkg::tx_src_t src;
  weft_dp_pkg::tx_read_t txr;
  weft_dp_pkg::cqe_t cqe;
  weft_pkg::dma_rd_req_t rq;
  logic [DATA_W-1:0] idata, ddata;
  logic [CntW-1:0] icnt, dcnt;
  logic [11:0] dpv;
  logic [143:0] dps;
  logic [47:0] dpn;
  logic [8:0] rfree;
  logic [43:0] irq;
  logic [39:0] aend;
  logic [6:0] st;
  logic tmv;
  logic [11:0] tm;

  // Descriptions are framed in their order, FRAMED cycles after they were taken at the earliest, and none for as long as the model says.
  localparam int unsigned FRAMED = 40;
  logic [44:0] frame_mem [4096];
  logic [44:0] frame;
  logic [11:0] frame_in_q, frame_out_q;
  logic [31:0] cycle_q;
  logic [15:0] still, still_q;
  logic framed, stv;
  assign frame  = frame_mem[frame_out_q];
  assign framed = frame_in_q != frame_out_q && cycle_q - frame[44:13] >= FRAMED && still_q == '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      frame_in_q  <= '0;
      frame_out_q <= '0;
      cycle_q     <= '0;
      still_q     <= '0;
    end else begin
      frame_in_q  <= frame_in_q + 12'(fv && fr);
      frame_out_q <= frame_out_q + 12'(framed);
      cycle_q     <= cycle_q + 32'd1;
      still_q     <= stv ? still : still_q - 16'(still_q != '0);
    end
  end
  always_ff @(posedge clk_i) if (fv && fr) frame_mem[frame_in_q] <= {cycle_q, fpdu.again, fpdu.who.slot};
  tb_src_item #(.ID(31), .W(16)) u_still (.clk_i, .rst_ni, .valid_o(stv), .ready_i(1'b1), .data_o(still));
  tb_snk_pulse #(.ID(32), .W(13)) u_framed (.clk_i, .rst_ni, .valid_i(framed), .data_i(frame[12:0]));
  // An operation is answered some cycles later with what the model says.
  logic opv, opr, oav, idn;
  weft_dp_pkg::stag_op_t op;
  logic [19:0] oa;
  logic [15:0] od;
  logic [15:0] od_q;
  tb_snk_pulse #(.ID(27), .W(607)) u_op (.clk_i, .rst_ni, .valid_i(opv && !asked_q), .data_i({op.who, op.op, op.stag, op.pd, op.entry}));
  tb_src_item #(.ID(28), .W(20)) u_oa (.clk_i, .rst_ni, .valid_o(oav), .ready_i(1'b1), .data_o(oa));
  tb_src_item #(.ID(29), .W(16)) u_od (.clk_i, .rst_ni, .valid_o(idn), .ready_i(1'b1), .data_o(od));
  logic asked_q;
  assign opr = oav;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= 1'b0;
      od_q    <= '0;
    end else begin
      asked_q <= opv && !opr;
      if (idn) od_q <= od;
      if (opr) assert (opv) else $error("%m: an answer that nobody waits for");
    end
  end

  tb_src_item #(.ID(30), .W(12)) u_term (.clk_i, .rst_ni, .valid_o(tmv), .ready_i(1'b1), .data_o(tm));
  // In every second cycle, as they come over PCIe.
  logic db_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) db_q <= 1'b0;
    else db_q <= dbv && !db_q;
  end
  tb_src_item #(.ID(0), .W(490)) u_db (.clk_i, .rst_ni, .valid_o(dbv), .ready_i(!db_q), .data_o(db));
  // The WQE that is pushed is put into place four cycles before its doorbell is heard.
  logic [3:0]       db_v_q;
  logic [2:0]       place_q;
  logic [3:0][44:0] db_d_q;
  logic [44:0]      dbd;
  logic             dbp, push_we;
  assign push_we = dbv && !db_q && db[40];
  assign dbp     = db_v_q[3];
  assign dbd     = db_d_q[3];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      db_v_q  <= '0;
      place_q <= '0;
    end else begin
      db_v_q  <= {db_v_q[2:0], dbv && !db_q};
      place_q <= place_q + 3'(push_we);
    end
  end
  always_ff @(posedge clk_i) db_d_q <= {db_d_q[2:0], place_q, db[41:0]};
  tb_snk_item #(.ID(1), .W(25)) u_need (.clk_i, .rst_ni, .valid_i(nv), .ready_o(nr), .data_i(need));
  tb_src_item #(.ID(2), .W(44)) u_have (.clk_i, .rst_ni, .valid_o(hv), .ready_i(1'b1), .data_o(have));
  tb_src_item #(.ID(3), .W(44)) u_arrive (.clk_i, .rst_ni, .valid_o(av), .ready_i(1'b1), .data_o(arrive));
  tb_src_item #(.ID(4), .W(553)) u_load (.clk_i, .rst_ni, .valid_o(lv), .ready_i(lr), .data_o(load));
  tb_src_item #(.ID(5), .W(38)) u_save (.clk_i, .rst_ni, .valid_o(sv), .ready_i(sr), .data_o(save));
  tb_snk_item #(.ID(6), .W(553)) u_line (.clk_i, .rst_ni, .valid_i(liv), .ready_o(lir), .data_i(line));
  tb_src_item #(.ID(7), .W(56)) u_cmd (.clk_i, .rst_ni, .valid_o(cv), .ready_i(cr), .data_o(cmd));
  tb_snk_item #(.ID(8), .W(488)) u_ev (.clk_i, .rst_ni, .valid_i(ev), .ready_o(er), .data_i(evt));
  tb_src_item #(.ID(9), .W(44)) u_vw (.clk_i, .rst_ni, .valid_o(vwv), .ready_i(1'b1), .data_o(vw));
  tb_src_item #(.ID(10), .W(229)) u_txack (.clk_i, .rst_ni, .valid_o(tav), .ready_i(1'b1), .data_o(txack));
  tb_src_item #(.ID(11), .W(169)) u_ask (.clk_i, .rst_ni, .valid_o(akv), .ready_i(1'b1), .data_o(ask));
  tb_src_item #(.ID(12), .W(121)) u_txerr (.clk_i, .rst_ni, .valid_o(tev), .ready_i(ter), .data_o(txerr));
  tb_src_item #(.ID(13), .W(325)) u_rx (.clk_i, .rst_ni, .valid_o(rxv), .ready_i(rxr), .data_o(rx));
  tb_src_item #(.ID(14), .W(77)) u_rdone (.clk_i, .rst_ni, .valid_o(rdv), .ready_i(rdr), .data_o(rdone));
  tb_snk_item #(.ID(15), .W($bits(fpdu))) u_fpdu (.clk_i, .rst_ni, .valid_i(fv), .ready_o(fr), .data_i(fpdu));
  tb_snk_item #(.ID(16), .W($bits(src))) u_src (.clk_i, .rst_ni, .valid_i(srv), .ready_o(srr), .data_i(src));
  tb_snk_stream #(.ID(17), .DATA_W(DATA_W)) u_inl (.clk_i, .rst_ni, .valid_i(iv), .ready_o(ir), .data_i(idata), .cnt_i(icnt), .last_i(il),
    .err_i(1'b0), .side_i(1'b0));
  tb_snk_stream #(.ID(18), .DATA_W(DATA_W)) u_val (.clk_i, .rst_ni, .valid_i(vv), .ready_o(vr), .data_i(idata), .cnt_i(icnt), .last_i(il),
    .err_i(1'b0), .side_i(1'b0));
  tb_snk_item #(.ID(19), .W($bits(txr))) u_txr (.clk_i, .rst_ni, .valid_i(trv), .ready_o(trr), .data_i(txr));
  tb_snk_item #(.ID(20), .W($bits(cqe))) u_cqe (.clk_i, .rst_ni, .valid_i(qv), .ready_o(qr), .data_i(cqe));
  tb_snk_item #(.ID(21), .W(81)) u_rq (.clk_i, .rst_ni, .valid_i(rqv), .ready_o(rqr), .data_i(rq));
  tb_src_stream #(.ID(22), .DATA_W(DATA_W)) u_rd (.clk_i, .rst_ni, .valid_o(dv), .ready_i(dr), .data_o(ddata), .cnt_o(dcnt), .last_o(dl),
    .err_o(de), .side_o());
  tb_snk_item #(.ID(25), .W(44)) u_irq (.clk_i, .rst_ni, .valid_i(ifv), .ready_o(ifr), .data_i(irq));
  tb_snk_item #(.ID(26), .W(40)) u_end (.clk_i, .rst_ni, .valid_i(aev), .ready_o(aer), .data_i(aend));
  tb_snk_pulse #(.ID(23), .W(204)) u_drop (.clk_i, .rst_ni, .valid_i(dpv != '0), .data_i({dpn, dps, dpv}));
  tb_snk_pulse #(.ID(24), .W(9)) u_state (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({st, ready, clean_idle}));
  assign clean_idle = idle && db_v_q == '0;

  weft_sq #(.DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_LANE(N_LANE), .N_LOG(N_LOG), .LOG_OWN(4), .N_RD(N_RD), .N_VAL(16)) dut (
    .clk_i, .rst_ni, .ready_o(ready), .ask_end_more_o(), .tx_fpdu_more_o(), .db_valid_i(dbp), .db_qpn_i(dbd[39:16]), .db_index_i(dbd[15:0]),
    .db_push_i(dbd[40]), .db_buf_i(dbd[44:42]), .db_new_i(dbd[41]), .push_we_i(push_we), .push_buf_i(place_q), .push_wqe_i(db[489:42]), .need_valid_o(nv), .need_ready_i(nr),
    .need_o(need), .have_valid_i(hv), .have_i(have), .arrive_valid_i(av), .arrive_i(arrive), .drop_valid_o(dpv), .drop_slot_o(dps),
    .drop_n_o(dpn), .load_valid_i(lv), .load_ready_o(lr), .load_i(load), .save_valid_i(sv), .save_ready_o(sr), .save_i(save),
    .line_valid_o(liv), .line_ready_i(lir), .line_o(line), .cmd_valid_i(cv), .cmd_ready_o(cr), .cmd_i(cmd), .ev_valid_o(ev), .ev_ready_i(er),
    .ev_o(evt), .val_we_i(vwv), .val_slot_i(vw[43:36]), .val_word_i(vw[35:32]), .val_data_i(vw[31:0]), .txack_valid_i(tav), .txack_i(txack),
    .ask_valid_i(akv), .ask_ready_o(akr), .ask_i(ask), .ask_end_valid_o(aev), .ask_end_ready_i(aer), .ask_end_o(aend[39:4]), .ask_end_id_o(aend[3:0]),
    .irq_free_valid_o(ifv), .irq_free_ready_i(ifr), .irq_free_o(irq[43:8]), .irq_free_sent_o(irq[7:4]), .irq_free_acked_o(irq[3:0]), .gated_o(), .txerr_valid_i(tev), .txerr_ready_o(ter), .txerr_i(txerr),
    .rx_read_valid_i(rxv), .rx_read_ready_o(rxr), .rx_read_i(rx), .rd_free_o(rfree), .read_done_valid_i(rdv), .read_done_ready_o(rdr),
    .read_done_i(rdone), .term_valid_i(tmv), .term_slot_i(tm), .framed_i(framed), .framed_slot_i(frame[11:0]), .framed_again_i(frame[12]), .op_valid_o(opv), .op_ready_i(opr), .op_o(op),
    .op_err_i(weft_pkg::xl_err_e'(oa[19:16])), .op_seq_i(oa[15:0]), .op_done_i(od_q), .tx_fpdu_valid_o(fv), .tx_fpdu_ready_i(fr), .tx_fpdu_o(fpdu), .tx_src_valid_o(srv), .tx_src_ready_i(srr),
    .tx_src_o(src), .inl_valid_o(iv), .inl_ready_i(ir), .val_valid_o(vv), .val_ready_i(vr), .inl_data_o(idata), .inl_cnt_o(icnt),
    .inl_last_o(il), .tx_read_valid_o(trv), .tx_read_ready_i(trr), .tx_read_o(txr), .cqe_valid_o(qv), .cqe_ready_i(qr), .cqe_o(cqe),
    .rd_req_valid_o(rqv), .rd_req_ready_i(rqr), .rd_req_o(rq), .rd_valid_i(dv), .rd_ready_o(dr), .rd_data_i(ddata), .rd_cnt_i(dcnt),
    .rd_last_i(dl), .rd_err_i(de), .idle_o(idle), .stat_fetch_o(st[0]), .stat_bad_wqe_o(st[1]), .stat_fpdu_o(st[2]), .stat_block_o(st[3]),
    .stat_join_o(st[4]), .stat_flush_o(st[5]), .stat_push_o(st[6])
  );
  logic unused;
  assign unused = ^{rfree, akr};
endmodule
