// SPDX-License-Identifier: BSD-2-Clause
// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Where a received frame goes:
///
/// | frame | destination |
/// | --- | --- |
/// | not for this station (address filter) | nowhere, counted |
/// | TCP of a connection, no SYN or RST | receive engine: ACK part, then payload |
/// | TCP of a connection with SYN or RST | firmware, with the QPN |
/// | TCP to a port of the bit map, no connection | firmware, with QPN 0 |
/// | the same three with a bad checksum | nowhere, counted |
/// | anything else | network device |
///
/// A frame is a connection's when addresses, ports and VLAN are.
///
/// Rooms CONN (look-up and header templates), L2T (L2 entries, kept in transmit) and STEER.
module weft_steer #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_QP = 16,
  parameter int unsigned N_L2 = 16,
  parameter int unsigned L2_BYTES = 32768,
  parameter int unsigned TEST_LATENCY = 0,  ///< simulation, see weft_ctx_store
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic [2:0]              cfg_req_valid_i,  ///< CONN, L2T, STEER from bit 0
  output logic [2:0]              cfg_req_ready_o,
  input  weft_pkg::cfg_req_t      cfg_req_i,
  output logic [2:0]              cfg_rsp_valid_o,
  output logic [2:0][32:0]        cfg_rsp_o,        ///< weft_pkg::cfg_rsp_t each

  input  logic                    meta_valid_i,
  output logic                    meta_ready_o,
  input  weft_pkg::rx_meta_t      meta_i,
  input  logic                    frm_valid_i,
  output logic                    frm_ready_o,
  input  logic [DATA_W-1:0]       frm_data_i,
  input  logic [CntW-1:0]         frm_cnt_i,
  input  logic                    frm_last_i,

  output logic                    ack_valid_o,
  input  logic                    ack_ready_i,
  output weft_pkg::rx_ack_t       ack_o,
  output logic                    seg_valid_o,
  input  logic                    seg_ready_i,
  output weft_pkg::rx_seg_t       seg_o,
  output logic                    pay_valid_o,
  input  logic                    pay_ready_i,
  output logic [DATA_W-1:0]       pay_data_o,
  output logic [CntW-1:0]         pay_cnt_o,
  output logic                    pay_last_o,

  output logic                    fw_valid_o,
  input  logic                    fw_ready_i,
  output logic [DATA_W-1:0]       fw_data_o,
  output logic [CntW-1:0]         fw_cnt_o,
  output logic                    fw_last_o,
  output logic [15:0]             fw_qpn_o,
  output logic [3:0]              fw_reason_o,

  output logic                    l2_meta_valid_o,
  input  logic                    l2_meta_ready_i,
  output weft_pkg::rx_meta_t      l2_meta_o,
  output logic                    l2_valid_o,
  input  logic                    l2_ready_i,
  output logic [DATA_W-1:0]       l2_data_o,
  output logic [CntW-1:0]         l2_cnt_o,
  output logic                    l2_last_o,

  output logic                    conn_valid_o,
  input  logic                    conn_ready_i,
  output logic [15:0]             conn_qpn_o,
  output weft_abi_pkg::ctx_conn_t conn_o,
  output logic                    l2e_we_o,
  output logic [15:0]             l2e_index_o,
  output weft_abi_pkg::l2e_t      l2e_o,

  output logic                    idle_o,
  output logic                    stat_rdma_o,
  output logic                    stat_fw_o,
  output logic                    stat_l2_o,
  output logic                    stat_drop_csum_o,
  output logic                    stat_drop_addr_o,
  output logic                    stat_drop_full_o
);

  localparam int unsigned MetaW = 489;
  localparam int unsigned DecW = MetaW + 2 + 16 + 4;
  localparam logic [1:0] DestNone = 2'd0, DestConn = 2'd1, DestFw = 2'd2, DestL2 = 2'd3;

  // The frame that is looked up; its hash is known.
  weft_pkg::rx_meta_t fm_q;

  // ---------------------------------------------------------------- configuration
  // Yosys 0.52 does not index arrays of structs.
  weft_pkg::cfg_rsp_t rsp_0, rsp_1, rsp_2;
  assign cfg_rsp_o = {rsp_2, rsp_1, rsp_0};

  logic         cw_v, cw_r, cf_v, cf_r, cfr_v, lk_idle, regs_idle, route_idle;
  logic [15:0]  cw_i, cf_i;
  logic [511:0] cw_d, cfr_d;
  weft_ctx_window #(.N(N_QP)) u_win_conn (
    .clk_i, .rst_ni,
    .cfg_req_valid_i(cfg_req_valid_i[0]), .cfg_req_ready_o(cfg_req_ready_o[0]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[0]), .cfg_rsp_o(rsp_0),
    .commit_valid_o(cw_v), .commit_ready_i(cw_r), .commit_index_o(cw_i), .commit_data_o(cw_d),
    .fetch_valid_o(cf_v), .fetch_ready_i(cf_r), .fetch_index_o(cf_i),
    .fetch_rsp_valid_i(cfr_v), .fetch_rsp_data_i(cfr_d)
  );

  // L2 entries are kept here to be read back; transmit has the copy that it works with
  localparam int unsigned L2W = $clog2(N_L2);
  logic          lw_vr, lw_v, lf_v, lfr_q;
  assign lw_v = lw_vr && !vlan_init_q;
  /* verilator lint_off UNUSEDSIGNAL */  // an l2e is a quarter of a context entry
  logic [15:0]   lw_i, lf_i;
  logic [511:0]  lw_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [127:0]  l2_rdata;
  weft_ctx_window #(.N(N_L2)) u_win_l2 (
    .clk_i, .rst_ni,
    .cfg_req_valid_i(cfg_req_valid_i[1]), .cfg_req_ready_o(cfg_req_ready_o[1]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[1]), .cfg_rsp_o(rsp_1),
    .commit_valid_o(lw_vr), .commit_ready_i(!vlan_init_q), .commit_index_o(lw_i), .commit_data_o(lw_d),
    .fetch_valid_o(lf_v), .fetch_ready_i(1'b1), .fetch_index_o(lf_i),
    .fetch_rsp_valid_i(lfr_q), .fetch_rsp_data_i({384'b0, l2_rdata})
  );
  weft_ram_1r1w #(.W(128), .DEPTH(N_L2)) u_l2t (
    .clk_i, .we_i(lw_v), .waddr_i(lw_i[L2W-1:0]), .wdata_i(lw_d[127:0]),
    .re_i(lf_v), .raddr_i(lf_i[L2W-1:0]), .rdata_o(l2_rdata)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lfr_q    <= 1'b0;
      l2e_we_o <= 1'b0;
    end else begin
      lfr_q    <= lf_v;
      l2e_we_o <= lw_v;
    end
  end
  always_ff @(posedge clk_i) begin
    l2e_index_o <= lw_i;
    l2e_o       <= lw_d[127:0];
  end

  // The VLAN that a connection's frames carry; a priority tag (VID 0) is no VLAN (IEEE 802.1Q 9.6).
  logic           vlan_init_q, lk_done;
  /* verilator lint_off UNUSEDSIGNAL */  // the index has room for more entries
  logic [15:0]    lk_l2;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [L2W-1:0] vlan_sweep_q;
  logic [11:0]    vlan_in, vlan_want, vlan_have;
  assign vlan_in   = lw_d[weft_abi_pkg::L2E_VLAN_LSB] ? lw_d[weft_abi_pkg::L2E_VLAN_TCI_LSB +: 12] : 12'd0;
  assign vlan_have = fm_q.vlan ? fm_q.vlan_tci[11:0] : 12'd0;
  weft_ram_1r1w #(.W(12), .DEPTH(N_L2)) u_vlan (
    .clk_i, .we_i(lw_v || vlan_init_q), .waddr_i(vlan_init_q ? vlan_sweep_q : lw_i[L2W-1:0]),
    .wdata_i(vlan_init_q ? 12'd0 : vlan_in),
    .re_i(lk_done), .raddr_i(lk_l2[L2W-1:0]), .rdata_o(vlan_want)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vlan_init_q  <= 1'b1;
      vlan_sweep_q <= '0;
    end else if (vlan_init_q) begin
      vlan_sweep_q <= vlan_sweep_q + 1'b1;
      if (vlan_sweep_q == '1) vlan_init_q <= 1'b0;
    end
  end
  logic same_vlan;
  assign same_vlan = vlan_have == vlan_want;

  logic        port_v, port_ours, promisc, allmulti;
  logic [47:0] mac;
  logic [63:0] hash_key;
  weft_steer_regs u_regs (
    .clk_i, .rst_ni,
    .cfg_req_valid_i(cfg_req_valid_i[2]), .cfg_req_ready_o(cfg_req_ready_o[2]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[2]), .cfg_rsp_o(rsp_2),
    .port_valid_i(port_v), .port_i(fm_q.dport), .port_ours_o(port_ours),
    .mac_o(mac), .promisc_o(promisc), .allmulti_o(allmulti), .hash_key_o(hash_key),
    .idle_o(regs_idle)
  );

  // ---------------------------------------------------------------- hash of the frame after it
  logic               fm_valid_q, fm_pop, fm_take, hashing_q, hashed_q, hash_start, hash_done, hash_idle;
  logic               hash_due;
  logic [63:0]        fm_hash_q, hash;
  assign hash_due     = meta_i.tcp && meta_i.dmac == mac;
  assign hash_start   = meta_valid_i && hash_due && !hashing_q && hash_idle;
  assign fm_take      = meta_valid_i && (!fm_valid_q || fm_pop) &&
                        (!hash_due || (hash_done && hashing_q) || hashed_q);
  assign meta_ready_o = fm_take;
  weft_steer_hash u_hash (
    .clk_i, .rst_ni, .key_i(hash_key), .start_i(hash_start), .ipv6_i(meta_i.ipv6),
    .local_i(meta_i.daddr), .peer_i(meta_i.saddr), .ports_i({meta_i.dport, meta_i.sport}),
    .idle_o(hash_idle), .done_o(hash_done), .hash_o(hash)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fm_valid_q <= 1'b0;
      hashing_q  <= 1'b0;
      hashed_q   <= 1'b0;
    end else begin
      if (fm_take) fm_valid_q <= 1'b1;
      else if (fm_pop) fm_valid_q <= 1'b0;
      hashing_q <= (hashing_q || hash_start) && !fm_take;
      hashed_q  <= (hashed_q || (hash_done && hashing_q)) && !fm_take;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fm_take) begin
      fm_q      <= meta_i;
      fm_hash_q <= hash;
    end
  end

  // ---------------------------------------------------------------- look-up of the next frame
  logic        lk_v, lk_r, lk_hit, to_us, pass, is_tcp;
  logic [15:0] lk_qpn;
  weft_steer_lookup #(.N_QP(N_QP), .TEST_LATENCY(TEST_LATENCY)) u_lookup (
    .clk_i, .rst_ni, .hash_key_i(hash_key),
    .req_valid_i(lk_v), .req_hash_i(fm_hash_q), .req_ready_o(lk_r), .req_ipv6_i(fm_q.ipv6),
    .req_local_i(fm_q.daddr),
    .req_peer_i(fm_q.saddr), .req_lport_i(fm_q.dport), .req_pport_i(fm_q.sport),
    .rsp_valid_o(lk_done), .rsp_hit_o(lk_hit), .rsp_qpn_o(lk_qpn), .rsp_l2_o(lk_l2),
    .commit_valid_i(cw_v), .commit_ready_o(cw_r), .commit_index_i(cw_i), .commit_i(cw_d),
    .fetch_valid_i(cf_v), .fetch_ready_o(cf_r), .fetch_index_i(cf_i),
    .fetch_rsp_valid_o(cfr_v), .fetch_rsp_data_o(cfr_d),
    .conn_valid_o, .conn_ready_i, .conn_qpn_o, .conn_o, .idle_o(lk_idle)
  );

  typedef enum logic [1:0] {StMeta, StLook, StDecide} state_e;
  state_e      state_q;
  logic        hit_q, hit, dec_ready, ctl;
  logic [15:0] qpn_q, dec_qpn;
  logic [1:0]  dest;
  logic [3:0]  reason;
  logic        csum_ok;

  assign to_us   = fm_q.dmac == mac;
  assign pass    = to_us || fm_q.bcast || promisc || (fm_q.mcast && allmulti);
  assign is_tcp  = to_us && fm_q.tcp;
  assign lk_v    = state_q == StMeta && fm_valid_q && is_tcp;
  assign port_v  = lk_v && lk_r;
  assign ctl     = fm_q.flags[1] || fm_q.flags[2];  // SYN or RST
  assign csum_ok = fm_q.ip_ok && fm_q.l4_ok;
  assign hit     = hit_q && same_vlan;
  assign dec_qpn = hit ? qpn_q : 16'd0;  // a look-up that missed leaves a QPN of another connection
  assign reason  = hit ? weft_abi_pkg::STEER_REASON_FLAGS : weft_abi_pkg::STEER_REASON_PORT;

  always_comb begin
    if (!pass) dest = DestNone;
    else if (!is_tcp || (!hit && !ours_q)) dest = DestL2;
    else if (!csum_ok) dest = DestNone;
    else if (hit && !ctl) dest = DestConn;
    else dest = DestFw;
  end

  // the port's bit comes two cycles after its look-up began, the connection's later
  logic ours_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StMeta;
    else begin
      unique case (state_q)
        StMeta:   if (fm_valid_q && (!is_tcp || lk_r)) state_q <= is_tcp ? StLook : StDecide;
        StLook:   if (lk_done) state_q <= StDecide;
        StDecide: if (dec_ready) state_q <= StMeta;
        default:  state_q <= StMeta;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StMeta) hit_q <= 1'b0;
    else if (state_q == StLook && lk_done) begin
      hit_q  <= lk_hit;
      qpn_q  <= lk_qpn;
      ours_q <= port_ours;
    end
  end
  assign fm_pop = state_q == StDecide && dec_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stat_rdma_o      <= 1'b0;
      stat_fw_o        <= 1'b0;
      stat_l2_o        <= 1'b0;
      stat_drop_csum_o <= 1'b0;
      stat_drop_addr_o <= 1'b0;
    end else begin
      stat_rdma_o      <= fm_pop && dest == DestConn;
      stat_fw_o        <= fm_pop && dest == DestFw;
      stat_l2_o        <= fm_pop && dest == DestL2;
      stat_drop_addr_o <= fm_pop && !pass;
      stat_drop_csum_o <= fm_pop && pass && dest == DestNone;
    end
  end

  // ---------------------------------------------------------------- moving
  logic               dv, dr;
  logic [1:0]         ddest;
  logic [15:0]        dqpn;
  logic [3:0]         dreason;
  weft_pkg::rx_meta_t dmeta;
  weft_fifo #(.W(DecW), .DEPTH(16)) u_dec (
    .clk_i, .rst_ni,
    .in_valid_i(state_q == StDecide), .in_ready_o(dec_ready),
    .in_data_i({dest, dec_qpn, reason, fm_q}),
    .out_valid_o(dv), .out_ready_i(dr), .out_data_o({ddest, dqpn, dreason, dmeta}), .count_o()
  );

  weft_steer_route #(.DATA_W(DATA_W), .L2_BYTES(L2_BYTES)) u_route (
    .clk_i, .rst_ni,
    .dec_valid_i(dv), .dec_ready_o(dr), .dec_dest_i(ddest), .dec_qpn_i(dqpn), .dec_reason_i(dreason),
    .dec_meta_i(dmeta),
    .frm_valid_i, .frm_ready_o, .frm_data_i, .frm_cnt_i, .frm_last_i,
    .ack_valid_o, .ack_ready_i, .ack_o, .seg_valid_o, .seg_ready_i, .seg_o,
    .pay_valid_o, .pay_ready_i, .pay_data_o, .pay_cnt_o, .pay_last_o,
    .fw_valid_o, .fw_ready_i, .fw_data_o, .fw_cnt_o, .fw_last_o, .fw_qpn_o, .fw_reason_o,
    .l2_meta_valid_o, .l2_meta_ready_i, .l2_meta_o,
    .l2_valid_o, .l2_ready_i, .l2_data_o, .l2_cnt_o, .l2_last_o,
    .idle_o(route_idle), .stat_l2_full_o(stat_drop_full_o)
  );

  assign idle_o = !vlan_init_q && state_q == StMeta && !fm_valid_q && !meta_valid_i && !dv && lk_idle && regs_idle && route_idle
                  && cfg_req_valid_i == '0 && cfg_rsp_valid_o == '0 && !lfr_q && !l2e_we_o;

endmodule
