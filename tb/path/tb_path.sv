// SPDX-License-Identifier: BSD-2-Clause

/// Two cards of the data path with weft_tpt and weft_cq each; path.c is wire, host memory, firmware and user. Ports of
/// card c begin at 32 * c, numbers as in path.c. Rooms of the configuration bus: bit 27 of the address is the card.
module tb #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_QP = 64,
  parameter int unsigned N_SLOT = 16,
  parameter int unsigned IRD_MORE = 4
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function longint unsigned tb_now();
  import "DPI-C" function int path_failed();
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;
  localparam int unsigned N_RD = N_SLOT * (4 + IRD_MORE), N_READ = N_SLOT * 4, N_LOG = 16 * N_SLOT;

  logic [63:0] now_q;
  always @(posedge clk_i) now_q <= tb_now();

  // ---------------------------------------------------------------- configuration bus: one access at a time
  logic               cfg_v, cfg_r, cfg_rv, busy_q;
  weft_pkg::cfg_req_t cfg, cfg_room;
  weft_pkg::cfg_rsp_t cfg_rsp;
  logic [1:0]         c_r, c_rv;
  logic [1:0][32:0]   c_rsp;
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(cfg_v), .cfg_req_ready_i(cfg_r), .cfg_req_o(cfg), .cfg_rsp_valid_i(cfg_rv),
    .cfg_rsp_i(cfg_rsp));
  assign cfg_r   = !busy_q && c_r[cfg.addr[27]];
  assign cfg_rv  = |c_rv;
  assign cfg_rsp = c_rv[0] ? c_rsp[0] : c_rsp[1];
  always_comb begin
    cfg_room          = cfg;
    cfg_room.addr[27] = 1'b0;
  end
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= (cfg_v && cfg_r) || (busy_q && !cfg_rv);
  end

  for (genvar c = 0; c < 2; c++) begin : gen_card
    localparam int B = 32 * c;
    logic [15:0]            sv, room_r, room_rv;
    logic [15:0][32:0]      room_rsp;
    logic [7:0]             rq_v, rq_r, rs_v, rs_r, rs_last, rs_err;
    logic [7:0][80:0]       rq;
    logic [7:0][DATA_W-1:0] rs_data;
    logic [7:0][CntW-1:0]   rs_cnt;
    logic [3:0]             wr_v, wr_r, wr_last;
    logic [3:0][79:0]       wr_hdr;
    logic [3:0][DATA_W-1:0] wr_data;
    logic [3:0][CntW-1:0]   wr_cnt;
    logic [1:0]             xq_v, xq_r, xs_v, xs_r, ce_v, ce_r, o_r;
    logic [1:0][161:0]      xq;
    logic [1:0][160:0]      ce;
    logic [1:0][84:0]       xs;
    logic [1:0][1:0]        xs_epoch;
    logic [2:0]             leave;
    logic [5:0]             leave_epoch;
    logic                   drain_v, drain_r;
    logic [15:0]            drain_seq;
    logic                   op_v, op_r;
    logic [15:0]            op_seq, op_done;
    weft_dp_pkg::stag_op_t  op;
    weft_pkg::xl_err_e      op_err;
    logic                   db_v, pg_v, pg_r, ev_v, ev_r, cev_v, cev_r, fw_v, fw_r, fw_last, l2_v, l2_r, l2_last, rx_v, rx_last, rx_err, tx_v, tx_r, tx_last;
    logic                   pause, irq_v, irq_r, ready, idle, dl_v, tpt_idle, cq_idle;
    logic [51:0]            db;
    logic [63:0]            pg, dl;
    weft_pkg::fw_ev_t       ev, cev;
    logic [DATA_W-1:0]      fw_data, l2_data, rx_data, tx_data;
    logic [CntW-1:0]        fw_cnt, l2_cnt, rx_cnt, tx_cnt;
    logic [23:0]            fw_qpn;
    logic [3:0]             fw_reason;
    logic [10:0]            irq;
    logic [12:0]            rings;
    logic [20:0]            st;

    assign sv       = (cfg_v && !busy_q && cfg.addr[27] == 1'(c)) ? 16'd1 << cfg.addr[25:22] : '0;
    assign c_r[c]   = |(sv & room_r);
    assign c_rv[c]  = |room_rv;
    always_comb begin
      c_rsp[c] = '0;
      for (int i = 0; i < 16; i++) if (room_rv[i]) c_rsp[c] = room_rsp[i];
    end
    // Rooms that are not there.
    always_comb begin
      for (int i = 0; i < 16; i++)
        if (!(i inside {2, 3, 4, 5, 6, 7, 8, 9, 12})) begin
          room_r[i]   = 1'b0;
          room_rv[i]  = 1'b0;
          room_rsp[i] = '0;
        end
    end

    for (genvar i = 0; i < 8; i++) begin : gen_rd
      tb_snk_item #(.ID(B + i), .W(81)) u_rq (.clk_i, .rst_ni, .valid_i(rq_v[i]), .ready_o(rq_r[i]), .data_i(rq[i]));
      tb_src_stream #(.ID(B + 8 + i), .DATA_W(DATA_W)) u_rs (.clk_i, .rst_ni, .valid_o(rs_v[i]), .ready_i(rs_r[i]), .data_o(rs_data[i]),
        .cnt_o(rs_cnt[i]), .last_o(rs_last[i]), .err_o(rs_err[i]), .side_o());
    end
    for (genvar i = 0; i < 4; i++) begin : gen_wr
      tb_snk_stream #(.ID(B + 16 + i), .DATA_W(DATA_W), .SIDE_W(80)) u_wr (.clk_i, .rst_ni, .valid_i(wr_v[i]), .ready_o(wr_r[i]),
        .data_i(wr_data[i]), .cnt_i(wr_cnt[i]), .last_i(wr_last[i]), .err_i(1'b0), .side_i(wr_hdr[i]));
    end
    tb_src_item #(.ID(B + 20), .W(52)) u_db (.clk_i, .rst_ni, .valid_o(db_v), .ready_i(1'b1), .data_o(db));
    tb_snk_item #(.ID(B + 21), .W(512)) u_ev (.clk_i, .rst_ni, .valid_i(ev_v), .ready_o(ev_r), .data_i(ev));
    tb_snk_item #(.ID(B + 22), .W(512)) u_cev (.clk_i, .rst_ni, .valid_i(cev_v), .ready_o(cev_r), .data_i(cev));
    tb_snk_stream #(.ID(B + 23), .DATA_W(DATA_W), .SIDE_W(28)) u_fw (.clk_i, .rst_ni, .valid_i(fw_v), .ready_o(fw_r), .data_i(fw_data),
      .cnt_i(fw_cnt), .last_i(fw_last), .err_i(1'b0), .side_i({fw_reason, fw_qpn}));
    tb_snk_stream #(.ID(B + 24), .DATA_W(DATA_W)) u_l2 (.clk_i, .rst_ni, .valid_i(l2_v), .ready_o(l2_r), .data_i(l2_data),
      .cnt_i(l2_cnt), .last_i(l2_last), .err_i(1'b0), .side_i(1'b0));
    tb_src_item #(.ID(B + 25), .W(64)) u_pg (.clk_i, .rst_ni, .valid_o(pg_v), .ready_i(pg_r), .data_o(pg));
    tb_snk_pulse #(.ID(B + 26), .W(91)) u_state (.clk_i, .rst_ni, .valid_i(1'b1),
      .data_i({dl, dl_v, pause, pools, pinned, st, ready, idle && tpt_idle && cq_idle}));
    // Nothing is kept of what pools gave.
    logic pools;
    always @(posedge clk_i) begin
      pools <= rings == 13'd16 && 32'(dut.u_sq.rd_free_o) == N_RD && 32'(dut.u_rdmap.credit_q) == 64 && 32'(dut.u_rdmap.u_reads.avail_q) == N_READ
               && dut.u_mpa_in.u_cut.used_q == '0 && 32'(dut.u_ctx.u_dir.mf_n) == 16 && dut.u_sq.u_build.own_q == '0
               && 32'(dut.u_sq.u_build.common_q) == N_LOG - 5 * N_SLOT - 16 && dut.u_eth.u_park.parked_q == '0;
    end
    tb_snk_stream #(.ID(B + 27), .DATA_W(DATA_W)) u_tx (.clk_i, .rst_ni, .valid_i(tx_v), .ready_o(tx_r), .data_i(tx_data), .cnt_i(tx_cnt),
      .last_i(tx_last), .err_i(1'b0), .side_i(1'b0));
    tb_src_stream #(.ID(B + 28), .DATA_W(DATA_W)) u_rx (.clk_i, .rst_ni, .valid_o(rx_v), .ready_i(1'b1), .data_o(rx_data), .cnt_o(rx_cnt),
      .last_o(rx_last), .err_o(rx_err), .side_o());
    tb_snk_item #(.ID(B + 29), .W(11)) u_irq (.clk_i, .rst_ni, .valid_i(irq_v), .ready_o(irq_r), .data_i(irq));

    weft_dp #(
      .DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_MISS(16), .FREE_LOW(2), .N_LANE(N_SLOT / 2), .N_LOG(N_LOG), .N_RD(N_RD), .N_READ(N_READ),
      .IRD_MORE(IRD_MORE), .N_L2(4), .N_RING(16), .FRAME_BYTES(32768)
    ) dut (
      .clk_i, .rst_ni, .now_ns_i(now_q), .ready_o(ready), .cfg_wnd_i(32'd65536), .cfg_shift_i(2'd0),
      .cfg_req_valid_i({sv[3], sv[2], sv[5], sv[12], sv[4], sv[9]}), .cfg_req_ready_o({room_r[3], room_r[2], room_r[5], room_r[12], room_r[4], room_r[9]}),
      .cfg_req_i(cfg_room), .cfg_rsp_valid_o({room_rv[3], room_rv[2], room_rv[5], room_rv[12], room_rv[4], room_rv[9]}),
      .cfg_rsp_o({room_rsp[3], room_rsp[2], room_rsp[5], room_rsp[12], room_rsp[4], room_rsp[9]}),
      .sq_db_valid_i(db_v && db[51:50] == 2'd0), .sq_db_qpn_i(db[49:26]), .sq_db_index_i(db[17:2]), .sq_db_push_i(1'b0), .sq_db_buf_i('0), .sq_db_new_i(1'b0), .push_we_i(1'b0),
      .push_buf_i('0), .push_wqe_i('0),
      .rq_db_valid_i(db_v && db[51:50] == 2'd1), .rq_db_qpn_i(db[49:26]), .rq_db_index_i(db[17:2]),
      .srq_db_valid_i(1'b0), .srq_db_srqn_i('0), .srq_db_index_i('0),
      .page_valid_i(pg_v), .page_ready_o(pg_r), .page_addr_i(pg),
      .xl_req_valid_o(xq_v), .xl_req_ready_i(xq_r), .xl_req_o(xq), .xl_rsp_valid_i(xs_v), .xl_rsp_ready_o(xs_r), .xl_rsp_i(xs),
      .xl_rsp_epoch_i(xs_epoch), .leave_o(leave), .leave_epoch_o(leave_epoch), .drain_valid_i(drain_v), .drain_ready_o(drain_r), .drain_seq_i(drain_seq),
      .stag_op_valid_o(op_v), .stag_op_ready_i(op_r), .stag_op_o(op), .stag_op_err_i(op_err), .stag_op_seq_i(op_seq), .stag_op_done_i(op_done),
      .rd_req_valid_o(rq_v[5:0]), .rd_req_ready_i(rq_r[5:0]), .rd_req_o(rq[5:0]), .rd_valid_i(rs_v[5:0]), .rd_ready_o(rs_r[5:0]),
      .rd_data_i(rs_data[5:0]), .rd_cnt_i(rs_cnt[5:0]), .rd_last_i(rs_last[5:0]), .rd_err_i(rs_err[5:0]),
      .wr_valid_o(wr_v[2:0]), .wr_ready_i(wr_r[2:0]), .wr_hdr_o(wr_hdr[2:0]), .wr_data_o(wr_data[2:0]), .wr_cnt_o(wr_cnt[2:0]),
      .wr_last_o(wr_last[2:0]), .wr_acc_i(8'd0), .wr_left_i(8'd0) /* what is accepted is in memory */, .cqe_valid_o(ce_v), .cqe_ready_i(ce_r), .cqe_o(ce), .ev_valid_o(ev_v), .ev_ready_i(ev_r), .ev_o(ev),
      .eth_rx_valid_i(rx_v), .eth_rx_ready_o(), .eth_rx_data_i(rx_data), .eth_rx_cnt_i(rx_cnt), .eth_rx_last_i(rx_last), .eth_rx_err_i(rx_err),
      .eth_rx_pause_o(pause), .eth_tx_valid_o(tx_v), .eth_tx_ready_i(tx_r), .eth_tx_data_o(tx_data), .eth_tx_cnt_o(tx_cnt),
      .eth_tx_last_o(tx_last), .oth_valid_i('0), .oth_ready_o(o_r), .oth_data_i('0), .oth_cnt_i('0), .oth_last_i('0),
      .fw_valid_o(fw_v), .fw_ready_i(fw_r), .fw_data_o(fw_data), .fw_cnt_o(fw_cnt), .fw_last_o(fw_last), .fw_qpn_o(fw_qpn),
      .fw_reason_o(fw_reason), .l2_meta_valid_o(), .l2_meta_ready_i(1'b1), .l2_meta_o(), .l2_valid_o(l2_v), .l2_ready_i(l2_r),
      .l2_data_o(l2_data), .l2_cnt_o(l2_cnt), .l2_last_o(l2_last), .idle_o(idle), .deadline_valid_o(dl_v), .deadline_ns_o(dl),
      .rings_free_o(rings), .stat_rx_frame_o(st[0]), .stat_rx_rdma_o(st[1]), .stat_rx_drop_o(st[2]), .stat_seg_o(st[3]),
      .stat_seg_lost_o(st[4]), .stat_seg_over_o(), .stat_rx_drops_o(), .stat_seg_bad_o(st[5]), .stat_rto_o(st[6]), .stat_tx_seg_o(st[7]), .stat_tx_ack_o(st[8]), .stat_tx_again_o(),
      .stat_tx_own_o(), .stat_tx_cut_o(st[9]), .stat_tx_fpdu_o(st[10]), .stat_tx_void_o(st[11]), .stat_rx_fpdu_o(st[12]), .stat_rx_fault_o(st[13]),
      .stat_rx_ring_o(st[14]), .stat_rx_ahead_o(st[20]), .stat_fetch_o(st[15]), .stat_push_o(), .stat_bad_wqe_o(st[16]), .stat_hit_o(st[17]), .stat_miss_o(st[18]),
      .stat_evict_o(st[19]), .stat_held_o(), .stat_srq_bad_o()
    );
    weft_tpt #(.DATA_W(DATA_W), .N_STAG(256), .EPOCHS(1'b1)) u_tpt (
      .clk_i, .rst_ni, .xl_req_valid_i(xq_v), .xl_req_ready_o(xq_r), .xl_req_i(xq), .xl_rsp_valid_o(xs_v), .xl_rsp_ready_i(xs_r),
      .xl_rsp_o(xs), .xl_rsp_epoch_o(xs_epoch), .leave_i(leave), .leave_epoch_i(leave_epoch), .drain_valid_o(drain_v), .drain_ready_i(drain_r), .drain_seq_o(drain_seq),
      .op_valid_i(op_v), .op_ready_o(op_r), .op_i(op), .op_err_o(op_err), .op_seq_o(op_seq), .op_done_o(op_done),
      .rd_req_valid_o(rq_v[7:6]), .rd_req_ready_i(rq_r[7:6]), .rd_req_o(rq[7:6]), .rd_rsp_valid_i(rs_v[7:6]),
      .rd_rsp_ready_o(rs_r[7:6]), .rd_rsp_data_i(rs_data[7:6]), .rd_rsp_cnt_i(rs_cnt[7:6]), .rd_rsp_last_i(rs_last[7:6]),
      .rd_rsp_err_i(rs_err[7:6]), .cfg_req_valid_i(sv[6]), .cfg_req_ready_o(room_r[6]), .cfg_req_i(cfg_room),
      .cfg_rsp_valid_o(room_rv[6]), .cfg_rsp_o(room_rsp[6]), .idle_o(tpt_idle), .stat_hit_o(), .stat_miss_o(), .stat_err_o()
    );
    weft_cq #(.DATA_W(DATA_W), .N_CQ(64), .N_EQ(2)) u_cq (
      .clk_i, .rst_ni, .now_ns_i(now_q), .deadline_valid_o(), .deadline_ns_o(), .cfg_req_valid_i(sv[8:7]), .cfg_req_ready_o(room_r[8:7]), .cfg_req_i(cfg_room), .cfg_rsp_valid_o(room_rv[8:7]),
      .cfg_rsp_o(room_rsp[8:7]), .cqe_valid_i(ce_v), .cqe_ready_o(ce_r), .cqe_i(ce), .eqe_valid_i(1'b0), .eqe_ready_o(), .eqe_i('0),
      .cq_db_valid_i(db_v && db[51:50] == 2'd2), .cq_db_cqn_i(db[41:26]), .cq_db_index_i(db[25:2]), .cq_db_arm_i(db[1:0]),
      .eq_db_valid_i(1'b0), .eq_db_eqn_i('0), .eq_db_index_i('0), .eq_db_arm_i('0),
      .wr_valid_o(wr_v[3]), .wr_ready_i(wr_r[3]), .wr_hdr_o(wr_hdr[3]), .wr_data_o(wr_data[3]), .wr_cnt_o(wr_cnt[3]),
      .wr_last_o(wr_last[3]), .irq_valid_o(irq_v), .irq_ready_i(irq_r), .irq_vector_o(irq), .fwev_valid_o(cev_v), .fwev_ready_i(cev_r),
      .fwev_o(cev), .idle_o(cq_idle), .stat_cqe_o(), .stat_overflow_o(), .stat_eqe_o()
    );
    // +trace=QPN prints what ctx is asked and says of a connection.
    int trace = 0;
    initial void'($value$plusargs("trace=%d", trace));
    always @(posedge clk_i) begin
      if (rst_ni && trace != 0) begin
        for (int k = 0; k < 4; k++)
          if (dut.have_v[k] && int'(dut.have.qpn) == trace)
            $display("# %0t card %0d: client %0d is told %s slot %0d miss %0d", $time, c, k, dut.have.state.name(), dut.have.slot, dut.have.miss);
        if (dut.arrive_v && int'(dut.arrive.who.qpn) == trace)
          $display("# %0t card %0d: arrives in slot %0d miss %0d frames %0d ok %0d", $time, c, dut.arrive.who.slot, dut.arrive.miss, dut.arrive.frames, dut.arrive.ok);
        if (dut.resumed_v && dut.resumed_r && int'(dut.resumed_qpn) == trace) $display("# %0t card %0d: resumed miss %0d", $time, c, dut.resumed_miss);
        if (dut.need_v[0] && dut.need_r[0] && int'(dut.need_eth.qpn) == trace) $display("# %0t card %0d: a frame, resume %0d", $time, c, dut.need_eth.resume);
        for (int k = 0; k < 4; k++)
          if (dut.save_v[k] && dut.save_r[k] && int'(dut.save[k][37:14]) == trace) $display("# %0t card %0d: save, room %0d", $time, c, k);
      end
    end
    // Pins of each slot, by who dropped them; there are none at rest.
    int   pins[N_SLOT], by[N_SLOT][24], qpn[N_SLOT];
    // +pins=QPN prints who takes and drops them.
    int pinof = 0;
    initial void'($value$plusargs("pins=%d", pinof));
    logic pinned;
    always @(posedge clk_i) begin
      if (rst_ni) begin
        for (int k = 0; k < 4; k++)
          if (dut.have_v[k] && dut.have.state == weft_dp_pkg::HaveHome) begin
            pins[int'(dut.have.slot)]++;
            by[int'(dut.have.slot)][23]++;
            qpn[int'(dut.have.slot)] = int'(dut.have.qpn);
            if (pinof != 0 && pinof == int'(dut.have.qpn)) $display("# %0t card %0d slot %0d: %0d pins, have %0d", $time, c, dut.have.slot, pins[int'(dut.have.slot)], k);
          end
        for (int k = 0; k < 23; k++)
          if (dut.drop_v[k]) begin
            pins[int'(dut.drop_slot[k])] -= int'($signed(dut.drop_n[k]));
            by[int'(dut.drop_slot[k])][k] -= int'($signed(dut.drop_n[k]));
            if (pinof != 0 && pinof == qpn[int'(dut.drop_slot[k])] && dut.drop_n[k] != '0)
              $display("# %0t card %0d slot %0d: %0d pins, %0d from %0d", $time, c, dut.drop_slot[k], pins[int'(dut.drop_slot[k])], -int'($signed(dut.drop_n[k])), k);
          end
      end
      pinned <= 1'b0;
      for (int i = 0; i < N_SLOT; i++) if (pins[i] != 0) pinned <= 1'b1;
    end
    final begin
      weft_tcp_conn_pkg::rec_t   r;
      weft_sq_pkg::bctx_t        b;
      weft_abi_pkg::home_snd_t   snd;
      weft_abi_pkg::home_rcv_t   rcv;
      weft_abi_pkg::home_tim_t   tim;
      weft_tcp_conn_pkg::here_t  here;
      weft_mpa_in_pkg::rec_t     m;
      if (path_failed() != 0) begin
        $display("# card %0d ctx: free %0d want %0d, fill: state %0d came %0d trk %0d gave %b told %0d valid %b ready %b; candidates %b (slot %p) po %0d tr %0d cand %0d; home: used %b ask %b got %b %b %b %b gone %0d", c,
          dut.u_ctx.free_q, dut.u_ctx.want, dut.u_ctx.u_fill.is_q, dut.u_ctx.u_fill.came_q, dut.u_ctx.u_fill.trk_v, dut.u_ctx.u_fill.gave_q, dut.u_ctx.u_fill.told_q, dut.load_v, dut.load_r,
          dut.u_ctx.u_evict.w_used_q, dut.u_ctx.u_evict.w_slot_q, dut.u_ctx.u_evict.po_q, dut.u_ctx.u_evict.tr_q, dut.u_ctx.u_evict.hq_n,
          dut.u_ctx.u_evict.u_home.used_q, dut.u_ctx.u_evict.u_home.ask_any, dut.u_ctx.u_evict.u_home.got_q[0], dut.u_ctx.u_evict.u_home.got_q[1], dut.u_ctx.u_evict.u_home.got_q[2], dut.u_ctx.u_evict.u_home.got_q[3],
          dut.u_ctx.u_evict.gone_v);
        $display("#   save %b %b, rd_req %0d %0d rd %0d %0d; dropped misses %0d; run %0d spin %0d; eth ask: n %0d retry %0d hold %0d seg %0d parked %0d res %0d state %0d; sched: new %0d went %0d open %0d cred %0d own %0d infl %0d; need %b %b",
          dut.save_v, dut.save_r, dut.rd_req_valid_o[0], dut.rd_req_ready_i[0], dut.rd_valid_i[0], dut.rd_ready_o[0], dut.u_ctx.u_dir.mf_n, dut.u_ctx.u_evict.run, dut.u_ctx.u_evict.spin_q,
          dut.u_eth.u_ask.n_v, dut.u_eth.u_ask.rt_v, dut.u_eth.u_ask.hold_i, dut.u_eth.u_ask.seg_count, dut.u_eth.u_ask.parked_i, dut.u_eth.u_ask.resume_valid_i, dut.u_eth.u_park.state_q,
          dut.u_sq.u_sched.new_valid, dut.u_sq.u_sched.went_valid, dut.u_sq.u_sched.open, dut.u_sq.u_sched.cred_q, dut.u_sq.u_sched.own_i, dut.u_sq.u_sched.infl_q, dut.need_v, dut.need_r);
        $display("#   idle: ctx %0d fw %0d eth %0d conn %0d dep %0d tmr %0d txk %0d late %0d mpa_in %0d rdmap %0d sq %0d mpa_out %0d ev %0d tpt %0d cq %0d; sq: sc %0d ln %0d fetch %0d in %0d fd %0d b %0d c %0d r %0d emit %0d bs %0d cs %0d rep %0d wait %0d load %0d save %0d err %0d",
          dut.ctx_idle, dut.cfw_idle, dut.eth_idle, dut.conn_idle, dut.dep_idle, dut.tmr_idle, dut.txk_idle, dut.late_idle, dut.mpi_idle, dut.rdmap_idle, dut.sq_idle, dut.mpo_idle, dut.ev_idle, tpt_idle, cq_idle,
          dut.u_sq.sc_idle, dut.u_sq.ln_idle, dut.u_sq.fetch_idle, dut.u_sq.in_idle, dut.u_sq.fd_idle, dut.u_sq.b_idle, dut.u_sq.c_idle, dut.u_sq.r_idle, dut.u_sq.emit_idle, dut.u_sq.bs_idle, dut.u_sq.cs_idle, dut.u_sq.rep_idle, dut.u_sq.wait_v, dut.u_sq.ld_q, dut.u_sq.sv_q, dut.u_sq.err_n);
      end
      if (path_failed() != 0) begin
        for (int i = 0; i < N_SLOT; i++) begin
          r = dut.u_conn.u_rec.mem[i];
          snd = r.s; rcv = r.r; tim = r.t; here = r.h;
          b = dut.u_sq.u_build.u_ctx.mem[i];
          m = dut.u_mpa_in.u_cut.u_next.u_rec.mem[i];
          if (here.live && pins[i] != 0) begin
            $display("# card %0d slot %0d QPN %0d snd: state %0d una %0d max +%0d wnd +%0d cwnd %0d recover %0d rtx_nxt +%0d cut %0d rto %0d fast %0d rtx_at %0d now %0d ask %0d ack %0d retries %0d backoff %0d hole %0d lo %0d", c, i, r.qpn,
              snd.state, snd.una, snd.snd_max - snd.una[31:0], snd.wnd_edge - snd.una[31:0], snd.cwnd, $signed(snd.recover - snd.una[31:0]), $signed(snd.rtx_nxt - snd.una[31:0]), snd.cut, snd.rto_rec, snd.fast_rec,
              tim.rtx_at, now_q[57:10], here.ask_out, here.ack_out, snd.retries, snd.backoff, tim.hole, $signed(tim.sack_lo - snd.una[31:0]));
            $display("#    inbound reads: %p; rd_free %0d credit %0d avail %0d own %0d common %0d", dut.u_sq.u_resp.u_list.mem[i], dut.u_sq.rd_free_o, dut.u_rdmap.credit_q, dut.u_rdmap.u_reads.avail_q,
              dut.u_sq.u_build.own_q, dut.u_sq.u_build.common_q);
            $display("#    rcv: committed %0d rcv_nxt %0d right %0d", rcv.committed, rcv.rcv_nxt, rcv.right);
            $display("#    sq: off %0d room %0d need %0d cur %0d mid %0d rcur %0d rmid %0d mo %0d state %0d stopped %0d swait %0d rwait %0d own %0d mss %0d", b.off, b.room, b.need, b.cur, b.mid, b.rcur, b.rmid, b.mo, b.state, b.stopped, b.swait, b.rwait, b.own, b.mss);
            $display("#    mpa: live %0d gen %0d fresh %0d refused %0d ring %0d reads %0d need %0d next %0d from %0d tail %0d edge %0d", m.live, m.gen, m.fresh, m.refused, m.ring, m.reads, m.need, m.next, m.from, m.tail, m.edge_off);
          end
        end
      end
      for (int i = 0; i < N_SLOT; i++)
        if (pins[i] != 0) begin
          $write("# card %0d: slot %0d (QPN %0d) has %0d pins:", c, i, qpn[i], pins[i]);
          for (int k = 0; k < 24; k++) if (by[i][k] != 0) $write(" %0d:%0d", k, by[i][k]);
          $write("\n");
        end
    end
    logic unused;
    assign unused = ^{o_r, db};
  end
endmodule
