// SPDX-License-Identifier: BSD-2-Clause

/// Receiving side of room mpa behind a frame store of its own kind, between tcp, rdmap, ctx and firmware, which the C
/// side plays. Port numbers as in mpa_in.c.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_SLOT = 16,
  parameter int unsigned WND = 200000,
  parameter int unsigned N_RING = 8,
  parameter int unsigned PAGES = 16,
  parameter logic [1:0] SHIFT = 0
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;
  localparam int unsigned FsW = 11;

  weft_dp_pkg::piece_t pc;
  weft_dp_pkg::rx_fpdu_t rx;
  weft_dp_pkg::refuse_t rf;
  weft_dp_pkg::who_t rs;
  weft_dp_pkg::rcv_room_t room;
  weft_dp_pkg::unaccept_t un;
  weft_dp_pkg::line_t ld, ln;
  weft_dp_pkg::save_t sv;
  weft_dp_pkg::ctx_cmd_t cmd;
  weft_dp_pkg::ctx_ev_t ev;
  logic pv, pr, iv, ir, il, ie, uv, ur, uok, rv, rr, qv, qr, ov, orr, ol, fv, fr, rfv, rfr, rsv, rsr, rov, unv, ldv, ldr, svv, svr;
  logic lnv, lnr, cv, cr, evv, evr, dv, idle, sp, sf, sfa, sg, ss, sa, st, sfu;
  logic [DATA_W-1:0] id, od;
  logic [CntW-1:0] ic, oc;
  logic [FsW-1:0] uh;
  logic [FsW:0] used;
  logic [15:0] ulen;
  logic [43:0] q;
  logic [11:0] fh, dslot;
  logic [3:0] dn;

  logic frv, frr, fdv, fdr, fdl, ffv, ffr;
  logic [11:0] frh, ffh;
  logic [15:0] fro, frl;
  logic [DATA_W-1:0] fdd;
  logic [CntW-1:0] fdc;

  tb_src_item #(.ID(0), .W(148)) u_piece (.clk_i, .rst_ni, .valid_o(pv), .ready_i(pr), .data_o(pc));
  tb_src_stream #(.ID(1), .DATA_W(DATA_W)) u_fsin (.clk_i, .rst_ni, .valid_o(iv), .ready_i(ir), .data_o(id), .cnt_o(ic),
    .last_o(il), .err_o(ie), .side_o());
  tb_snk_item #(.ID(2), .W(29)) u_put (.clk_i, .rst_ni, .valid_i(uv), .ready_o(ur), .data_i({uok, 12'(uh), ulen}));
  tb_snk_item #(.ID(3), .W(519)) u_rx (.clk_i, .rst_ni, .valid_i(rv), .ready_o(rr), .data_i({rxl, rx}));
  tb_src_item #(.ID(4), .W(44)) u_rd (.clk_i, .rst_ni, .valid_o(qv), .ready_i(qr), .data_o(q));
  tb_snk_stream #(.ID(5), .DATA_W(DATA_W)) u_out (.clk_i, .rst_ni, .valid_i(ov), .ready_o(orr), .data_i(od), .cnt_i(oc),
    .last_i(ol), .err_i(1'b0), .side_i(1'b0));
  tb_src_item #(.ID(6), .W(12)) u_free (.clk_i, .rst_ni, .valid_o(fv), .ready_i(fr), .data_o(fh));
  tb_src_item #(.ID(7), .W(102)) u_refuse (.clk_i, .rst_ni, .valid_o(rfv), .ready_i(rfr), .data_o(rf));
  tb_src_item #(.ID(8), .W(36)) u_resume (.clk_i, .rst_ni, .valid_o(rsv), .ready_i(rsr), .data_o(rs));
  tb_snk_pulse #(.ID(9), .W(100)) u_room (.clk_i, .rst_ni, .valid_i(rov), .data_i(room));
  tb_snk_pulse #(.ID(10), .W(101)) u_unacc (.clk_i, .rst_ni, .valid_i(unv), .data_i(un));
  tb_src_item #(.ID(11), .W(553)) u_load (.clk_i, .rst_ni, .valid_o(ldv), .ready_i(ldr), .data_o(ld));
  tb_src_item #(.ID(12), .W(38)) u_save (.clk_i, .rst_ni, .valid_o(svv), .ready_i(svr), .data_o(sv));
  tb_snk_item #(.ID(13), .W(553)) u_line (.clk_i, .rst_ni, .valid_i(lnv), .ready_o(lnr), .data_i(ln));
  tb_src_item #(.ID(14), .W(56)) u_cmd (.clk_i, .rst_ni, .valid_o(cv), .ready_i(cr), .data_o(cmd));
  tb_snk_item #(.ID(15), .W(488)) u_ev (.clk_i, .rst_ni, .valid_i(evv), .ready_o(evr), .data_i(ev));
  tb_snk_pulse #(.ID(16), .W(16)) u_drop (.clk_i, .rst_ni, .valid_i(dv), .data_i({dslot, dn}));
  weft_dp_pkg::commit_t sto;
  weft_dp_pkg::commit_t thr;
  logic thrv;
  tb_src_item #(.ID(23), .W(168)) u_thr (.clk_i, .rst_ni, .valid_o(thrv), .ready_i(1'b1), .data_o(thr));
  weft_pkg::dma_rd_req_t rq;
  weft_pkg::dma_wr_hdr_t wh;
  logic stv, str, pgv, pgr, rqv, rqr, dmv, dmr, dml, dme, wv, wr, wl, sdr, sri, ssp;
  logic [63:0] pg;
  logic [DATA_W-1:0] dmd, wd;
  logic [CntW-1:0] dmc, wc;
  logic [15:0] rxl;
  logic [12:0] rings;
  tb_snk_item #(.ID(18), .W(169)) u_stored (.clk_i, .rst_ni, .valid_i(stv), .ready_o(str), .data_i({stp, sto}));
  weft_dp_pkg::commit_t pla;
  logic stp, plv, plr;
  tb_src_item #(.ID(24), .W(168)) u_placed (.clk_i, .rst_ni, .valid_o(plv), .ready_i(plr), .data_o(pla));
  tb_src_item #(.ID(19), .W(64)) u_page (.clk_i, .rst_ni, .valid_o(pgv), .ready_i(pgr), .data_o(pg));
  tb_snk_item #(.ID(20), .W(81)) u_rdreq (.clk_i, .rst_ni, .valid_i(rqv), .ready_o(rqr), .data_i(rq));
  tb_src_stream #(.ID(21), .DATA_W(DATA_W)) u_dma (.clk_i, .rst_ni, .valid_o(dmv), .ready_i(dmr), .data_o(dmd), .cnt_o(dmc),
    .last_o(dml), .err_o(dme), .side_o());
  tb_snk_stream #(.ID(22), .DATA_W(DATA_W), .SIDE_W(80)) u_wr (.clk_i, .rst_ni, .valid_i(wv), .ready_o(wr), .data_i(wd),
    .cnt_i(wc), .last_i(wl), .err_i(1'b0), .side_i(wh));
  tb_snk_pulse #(.ID(17), .W(13 + 3 + 12 + 11)) u_state (.clk_i, .rst_ni, .valid_i(1'b1),
    .data_i({rings, ssp, sri, sdr, used, sfu, st, sa, ss, sg, sfa, sf, sp, rv, pv && pr, idle}));

  weft_pkt_store #(.DATA_W(DATA_W), .BLOCKS(1 << FsW), .BEATS(4096 / DATA_W), .MAX_BYTES(16384), .N_RD(1)) u_frames (
    .clk_i, .rst_ni, .in_valid_i(iv), .in_ready_o(ir), .in_data_i(id), .in_cnt_i(ic), .in_last_i(il), .in_err_i(ie),
    .put_valid_o(uv), .put_ready_i(ur), .put_ok_o(uok), .put_handle_o(uh), .put_len_o(ulen),
    .rd_valid_i(frv), .rd_ready_o(frr), .rd_handle_i(frh[FsW-1:0]), .rd_off_i(fro), .rd_len_i(frl),
    .out_valid_o(fdv), .out_ready_i(fdr), .out_data_o(fdd), .out_cnt_o(fdc), .out_last_o(fdl),
    .free_valid_i(ffv), .free_ready_o(ffr), .free_handle_i(ffh[FsW-1:0]), .used_o(used), .idle_o(), .stat_put_o(), .stat_full_o()
  );

  logic [63:0] now;  // 4 ns a cycle
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now <= '0;
    else now <= now + 64'd4;
  end
  weft_mpa_in #(.DATA_W(DATA_W), .N_SLOT(N_SLOT), .N_RING(N_RING), .PAGES(PAGES), .BLOCKS(64), .BEATS(4096 / DATA_W), .STALL_SHIFT(12)) dut (
    .clk_i, .rst_ni, .cfg_wnd_i(WND), .cfg_shift_i(SHIFT), .now_ns_i(now), .piece_valid_i(pv), .piece_ready_o(pr), .piece_i(pc),
    .fs_rd_valid_o(frv), .fs_rd_ready_i(frr), .fs_rd_handle_o(frh), .fs_rd_off_o(fro), .fs_rd_len_o(frl),
    .fs_valid_i(fdv), .fs_ready_o(fdr), .fs_data_i(fdd), .fs_cnt_i(fdc), .fs_last_i(fdl),
    .fs_free_valid_o(ffv), .fs_free_ready_i(ffr), .fs_free_handle_o(ffh),
    .rx_valid_o(rv), .rx_ready_i(rr), .rx_o(rx), .rx_len_o(rxl), .stored_valid_o(stv), .stored_ready_i(str), .stored_o(sto), .stored_placed_o(stp),
    .placed_valid_i(plv), .placed_ready_o(plr), .placed_i(pla),
    .page_valid_i(pgv), .page_ready_o(pgr), .page_addr_i(pg), .rd_req_valid_o(rqv), .rd_req_ready_i(rqr), .rd_req_o(rq),
    .dma_valid_i(dmv), .dma_ready_o(dmr), .dma_data_i(dmd), .dma_cnt_i(dmc), .dma_last_i(dml), .dma_err_i(dme),
    .wr_valid_o(wv), .wr_ready_i(wr), .wr_hdr_o(wh), .wr_data_o(wd), .wr_cnt_o(wc), .wr_last_o(wl),
    .rd_valid_i(qv), .rd_ready_o(qr), .rd_handle_i(q[43:32]), .rd_off_i(q[31:16]), .rd_len_i(q[15:0]),
    .out_valid_o(ov), .out_ready_i(orr), .out_data_o(od), .out_cnt_o(oc), .out_last_o(ol),
    .free_valid_i(fv), .free_ready_o(fr), .free_handle_i(fh),
    .refuse_valid_i(rfv), .refuse_ready_o(rfr), .refuse_i(rf), .resume_valid_i(rsv), .resume_ready_o(rsr), .resume_i(rs),
    .through_valid_i(thrv), .through_i(thr), .room_valid_o(rov), .room_o(room), .unacc_valid_o(unv), .unacc_o(un),
    .load_valid_i(ldv), .load_ready_o(ldr), .load_i(ld), .save_valid_i(svv), .save_ready_o(svr), .save_i(sv),
    .line_valid_o(lnv), .line_ready_i(lnr), .line_o(ln), .cmd_valid_i(cv), .cmd_ready_o(cr), .cmd_i(cmd),
    .ev_valid_o(evv), .ev_ready_i(evr), .ev_o(ev), .drop_valid_o(dv), .drop_slot_o(dslot), .drop_n_o(dn),
    .idle_o(idle), .stat_piece_o(sp), .stat_fpdu_o(sf), .stat_fault_o(sfa), .stat_gone_o(sg), .stat_stale_o(ss),
    .stat_ahead_o(sa), .stat_tail_o(st), .stat_full_o(sfu),
    .stat_drop_o(sdr), .stat_ring_o(sri), .stat_spill_o(ssp), .rings_free_o(rings)
  );
endmodule
