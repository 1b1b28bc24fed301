// SPDX-License-Identifier: BSD-2-Clause

/// Connection lookup by 4-tuple, and the store of ctx_conn (room CONN).
///
/// A keyed hash gives two buckets of four ways; an entry is a signature and a QPN; a small overflow
/// memory (CAM) takes what finds both buckets full. Every candidate's full key is compared in the
/// context, so a signature never decides. One engine serves look-ups, commits and fetches, one at a
/// time; a look-up takes about seven cycles. Addresses and ports are compared, the address family
/// too; the VLAN is that of the L2 entry, which the caller compares.
///
/// A context may be away (weft_ctx_store); the table never is. A look-up that needs one waits for it,
/// and those behind it wait too, because frames stay in order; a commit or fetch steps aside.
///
/// A commit with CMD SET_L2 changes the L2 index only. VALID set enters the 4-tuple (after the old
/// one was removed), VALID clear removes it. When neither bucket nor CAM has room, the context is
/// stored with VALID clear: firmware reads it back. `conn_*` gives every stored context.
/* verilator lint_off UNUSEDSIGNAL */  // high bits of indices, spare bits of hash and key
module weft_steer_lookup #(
  parameter int unsigned N_QP = 16,  ///< power of two, 8 to 65536
  parameter int unsigned N_CAM = 4,  ///< overflow entries
  parameter int unsigned TEST_LATENCY = 0  ///< simulation, see weft_ctx_store
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [63:0]             hash_key_i,

  input  logic                    req_valid_i,
  input  logic [63:0]             req_hash_i,   ///< weft_steer_hash of the four
  output logic                    req_ready_o,
  input  logic                    req_ipv6_i,
  input  logic [127:0]            req_local_i,
  input  logic [127:0]            req_peer_i,
  input  logic [15:0]             req_lport_i,
  input  logic [15:0]             req_pport_i,
  output logic                    rsp_valid_o,  ///< pulse
  output logic                    rsp_hit_o,
  output logic [15:0]             rsp_qpn_o,    ///< of a hit; else anything
  output logic [15:0]             rsp_l2_o,     ///< its L2 entry, whose VLAN the caller compares

  input  logic                    commit_valid_i,
  output logic                    commit_ready_o,
  input  logic [15:0]             commit_index_i,
  input  weft_abi_pkg::ctx_conn_t commit_i,
  input  logic                    fetch_valid_i,
  output logic                    fetch_ready_o,
  input  logic [15:0]             fetch_index_i,
  output logic                    fetch_rsp_valid_o,
  output logic [511:0]            fetch_rsp_data_o,

  output logic                    conn_valid_o,
  input  logic                    conn_ready_i,
  output logic [15:0]             conn_qpn_o,
  output weft_abi_pkg::ctx_conn_t conn_o,

  output logic                    idle_o
);

  localparam int unsigned QpW = $clog2(N_QP);
  localparam int unsigned BktW = QpW - 1;       // N_QP / 2 buckets of 4: twice as many ways as QPs
  localparam int unsigned SigW = 12;
  localparam int unsigned WayW = 1 + SigW + QpW;
  localparam int unsigned KeyW = 289;           // family, addresses, ports
  localparam int unsigned N_Cand = 8 + N_CAM;

`ifndef SYNTHESIS
  initial if (N_QP < 8) $fatal(1, "weft_steer_lookup: N_QP below 8");
`endif

  typedef enum logic [3:0] {
    StInit, StIdle, StHash, StRdA, StRdB, StCand, StPick, StCmp, StOld, StOldW, StFree, StPut, StDone
  } state_e;

  state_e                  state_q;
  logic                    upd_q, del_q;        // a commit; its removing half
  logic [KeyW-1:0]         key_q;
  logic [63:0]             hash_q, upd_hash;
  logic                    hashing_q, hash_idle, hash_done;
  weft_abi_pkg::ctx_conn_t new_q;
  logic [QpW-1:0]          qpn_q;
  logic [N_QP-1:0]         live_q;              // VALID of each context
  logic [BktW-1:0]         sweep_q;
  logic [N_CAM-1:0]        cam_v_q;
  logic [N_CAM-1:0][SigW-1:0] cam_sig_q;
  logic [N_CAM-1:0][QpW-1:0]  cam_qpn_q;

  logic [BktW-1:0] bkt_a, bkt_b;
  logic [SigW-1:0] sig;
  assign bkt_a = hash_q[BktW-1:0];
  assign bkt_b = hash_q[16 +: BktW];
  assign sig   = hash_q[36 +: SigW];

  function automatic logic [KeyW-1:0] key_of(input weft_abi_pkg::ctx_conn_t c);
    key_of = {c.ipv6, c.local_addr, c.peer_addr, c.local_port, c.peer_port};
  endfunction

  // ---------------------------------------------------------------- hash of a commit
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hashing_q <= 1'b0;
    else hashing_q <= state_q == StHash && !hash_done;
  end
  weft_steer_hash u_hash (
    .clk_i, .rst_ni, .key_i(hash_key_i), .start_i(state_q == StHash && !hashing_q && hash_idle),
    .ipv6_i(key_q[288]), .local_i(key_q[287:160]), .peer_i(key_q[159:32]), .ports_i(key_q[31:0]),
    .idle_o(hash_idle), .done_o(hash_done), .hash_o(upd_hash)
  );

  // ---------------------------------------------------------------- memories
  logic                   t_we, c_we, c_re;
  logic [BktW-1:0]        t_waddr, t_raddr;
  logic [3:0][WayW-1:0]   t_wdata, t_rdata, row_a_q, row_b_q, row_w;
  logic [QpW-1:0]         c_raddr;
  logic [511:0]           c_rdata, c_wdata;
  weft_abi_pkg::ctx_conn_t old, fetched;

  weft_ram_1r1w #(.W(4 * WayW), .DEPTH(1 << BktW)) u_table (
    .clk_i, .we_i(t_we), .waddr_i(t_waddr), .wdata_i(t_wdata),
    .re_i(1'b1), .raddr_i(t_raddr), .rdata_o(t_rdata)
  );
  weft_ram_1r1w #(.W(512), .DEPTH(N_QP)) u_conn (
    .clk_i, .we_i(c_we), .waddr_i(qpn_q), .wdata_i(c_wdata),
    .re_i(c_re), .raddr_i(c_raddr), .rdata_o(c_rdata)
  );
  assign old = c_rdata;

  // ---------------------------------------------------------------- who is home
  logic [N_QP-1:0] home, want;
  logic            pick_home, cmp_use;
  assign pick_home = home[cand_qpn_q[pick]];
  assign cmp_use   = state_q == StCmp;
  always_comb begin
    want = '0;
    if (state_q == StPick && cand_q != '0) want[cand_qpn_q[pick]] = 1'b1;
    if (state_q == StIdle && commit_valid_i) want[commit_index_i[QpW-1:0]] = 1'b1;
    if (state_q == StIdle && fetch_valid_i) want[fetch_index_i[QpW-1:0]] = 1'b1;
  end
  weft_ctx_store #(.N(N_QP), .N_USE(3), .N_HOLD(1), .N_FREE(1), .TEST_LATENCY(TEST_LATENCY)) u_store (
    .clk_i, .rst_ni, .want_i(want), .home_o(home),
    .use_i({cmp_use, upd_q && state_q != StIdle, fetch_rsp_valid_o}), .use_id_i({cand_qpn_q[pick_q], qpn_q, qpn_q}),
    .hold_i(1'b0), .hold_id_i('0), .free_i(1'b0), .free_id_i('0)
  );

  // ---------------------------------------------------------------- candidates of a look-up
  logic [N_Cand-1:0]          cand_q;
  logic [N_Cand-1:0][QpW-1:0] cand_qpn_q;
  logic [$clog2(N_Cand)-1:0]  pick;
  logic                       same;
  always_comb begin
    pick = '0;
    for (int unsigned i = 0; i < N_Cand; i++)
      if (cand_q[N_Cand - 1 - i]) pick = ($clog2(N_Cand))'(N_Cand - 1 - i);
  end
  assign same = key_of(old) == key_q;

  // ---------------------------------------------------------------- ways of an update
  logic [2:0]         free_a, free_b;     // number of free ways
  logic [1:0]         way_a, way_b;       // a free one
  logic [3:0]         mine_a, mine_b;     // ways that hold this QPN
  logic [N_CAM-1:0]   cam_mine, cam_free;
  logic [$clog2(N_CAM)-1:0] cam_at;
  always_comb begin
    free_a = '0;
    free_b = '0;
    way_a  = '0;
    way_b  = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (!row_a_q[i][WayW-1]) begin
        free_a = free_a + 1'b1;
        way_a  = 2'(i);
      end
      if (!row_b_q[i][WayW-1]) begin
        free_b = free_b + 1'b1;
        way_b  = 2'(i);
      end
      mine_a[i] = row_a_q[i][WayW-1] && row_a_q[i][QpW-1:0] == qpn_q;
      mine_b[i] = row_b_q[i][WayW-1] && row_b_q[i][QpW-1:0] == qpn_q;
    end
    cam_at = '0;
    for (int unsigned i = 0; i < N_CAM; i++) begin
      cam_mine[i] = cam_v_q[i] && cam_qpn_q[i] == qpn_q;
      cam_free[i] = !cam_v_q[i];
      if (!cam_v_q[i]) cam_at = ($clog2(N_CAM))'(i);
    end
  end

  logic use_a, use_b, use_cam, no_room;
  assign use_a   = free_a != 0 && free_a >= free_b;
  assign use_b   = !use_a && free_b != 0;
  assign use_cam = !use_a && !use_b && (|cam_free);
  assign no_room = !use_a && !use_b && !(|cam_free);

  always_comb begin
    t_we    = 1'b0;
    t_waddr = bkt_a;
    row_w   = row_a_q;
    if (state_q == StInit) begin
      t_we    = 1'b1;
      t_waddr = sweep_q;
      row_w   = '0;
    end else if (state_q == StFree) begin
      t_we = (|mine_a) || (|mine_b);
      if (|mine_a) begin
        for (int unsigned i = 0; i < 4; i++) if (mine_a[i]) row_w[i] = '0;
      end else begin
        t_waddr = bkt_b;
        row_w   = row_b_q;
        for (int unsigned i = 0; i < 4; i++) if (mine_b[i]) row_w[i] = '0;
      end
    end else if (state_q == StPut) begin
      t_we = use_a || use_b;
      if (use_a) row_w[way_a] = {1'b1, sig, qpn_q};
      else begin
        t_waddr      = bkt_b;
        row_w        = row_b_q;
        row_w[way_b] = {1'b1, sig, qpn_q};
      end
    end
  end
  assign t_wdata = row_w;
  assign t_raddr = state_q == StRdA ? bkt_a : bkt_b;

  // ---------------------------------------------------------------- engine
  logic start_c, start_f, start_l;
  assign start_c        = state_q == StIdle && commit_valid_i && home[commit_index_i[QpW-1:0]];
  assign start_f        = state_q == StIdle && !start_c && fetch_valid_i && home[fetch_index_i[QpW-1:0]];
  assign start_l        = state_q == StIdle && !start_c && !start_f && req_valid_i;
  assign commit_ready_o = store;
  assign fetch_ready_o  = start_f;
  assign req_ready_o    = start_l;
  assign c_re           = start_c || start_f || state_q == StPick;
  assign c_raddr        = state_q == StPick ? cand_qpn_q[pick] :
                          start_c ? commit_index_i[QpW-1:0] : fetch_index_i[QpW-1:0];
  // VALID is what the table says: memory that was never written holds anything
  always_comb begin
    fetched       = c_rdata;
    fetched.valid = live_q[qpn_q];
  end
  assign fetch_rsp_data_o = fetched;

  // what is stored: new_q, or the old context with another L2 entry
  logic store;
  assign store   = state_q == StDone && upd_q && (!conn_valid_o || conn_ready_i);
  assign c_we    = store;
  assign c_wdata = new_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q           <= StInit;
      sweep_q           <= '0;
      live_q            <= '0;
      cam_v_q           <= '0;
      upd_q             <= 1'b0;
      del_q             <= 1'b0;
      rsp_valid_o       <= 1'b0;
      fetch_rsp_valid_o <= 1'b0;
      conn_valid_o      <= 1'b0;
    end else begin
      rsp_valid_o       <= 1'b0;
      fetch_rsp_valid_o <= start_f;
      conn_valid_o      <= store || (conn_valid_o && !conn_ready_i);
      unique case (state_q)
        StInit: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == '1) state_q <= StIdle;
        end
        StIdle: begin
          upd_q <= start_c;
          del_q <= 1'b0;
          if (start_c) state_q <= StOldW;
          else if (start_l) state_q <= StRdA;
        end
        // a commit: the old context is there now
        StOldW: state_q <= StOld;
        StOld: begin
          del_q <= live_q[qpn_q];
          if (new_q.cmd == weft_abi_pkg::CTX_CMD_SET_L2) state_q <= StDone;
          else if (live_q[qpn_q] || new_q.valid) state_q <= StHash;
          else state_q <= StDone;
        end
        StHash: if (hash_done) state_q <= StRdA;
        StRdA:  state_q <= StRdB;
        StRdB:  state_q <= StCand;
        StCand: state_q <= !upd_q ? StPick : del_q ? StFree : StPut;
        StPick: begin
          if (pick_home) state_q <= StCmp;
          if (cand_q == '0) begin
            state_q     <= StIdle;
            rsp_valid_o <= 1'b1;
          end
        end
        StCmp: begin
          state_q <= StPick;
          if (same) begin
            state_q     <= StIdle;
            rsp_valid_o <= 1'b1;
          end
        end
        StFree: begin
          live_q[qpn_q] <= 1'b0;
          cam_v_q       <= cam_v_q & ~cam_mine;
          del_q         <= 1'b0;
          state_q       <= new_q.valid ? StHash : StDone;
        end
        StPut: begin
          live_q[qpn_q] <= !no_room;
          if (use_cam) cam_v_q[cam_at] <= 1'b1;
          state_q <= StDone;
        end
        StDone: begin
          if (store) begin
            upd_q   <= 1'b0;
            state_q <= StIdle;
          end
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        if (start_c) begin
          new_q <= commit_i;
          qpn_q <= commit_index_i[QpW-1:0];
        end else if (start_f) begin
          qpn_q <= fetch_index_i[QpW-1:0];
        end else begin
          key_q <= {req_ipv6_i, req_local_i, req_peer_i, req_lport_i, req_pport_i};
          hash_q <= req_hash_i;
        end
      end
      StOld: begin
        key_q <= live_q[qpn_q] ? key_of(old) : key_of(new_q);
        if (new_q.cmd == weft_abi_pkg::CTX_CMD_SET_L2) begin
          new_q    <= old;
          new_q.l2 <= new_q.l2;
          new_q.valid <= live_q[qpn_q];
        end
      end
      StHash: if (hash_done) hash_q <= upd_hash;
      StRdB:  row_a_q <= t_rdata;
      StCand: row_b_q <= t_rdata;
      StFree: key_q <= key_of(new_q);
      StPut: begin
        if (no_room) new_q.valid <= 1'b0;
        if (use_cam) begin
          cam_sig_q[cam_at] <= sig;
          cam_qpn_q[cam_at] <= qpn_q;
        end
      end
      default: ;
    endcase
    if (state_q == StCand) begin
      for (int unsigned i = 0; i < 4; i++) begin
        cand_q[i]         <= row_a_q[i][WayW-1:QpW] == {1'b1, sig};
        cand_qpn_q[i]     <= row_a_q[i][QpW-1:0];
        cand_q[4 + i]     <= t_rdata[i][WayW-1:QpW] == {1'b1, sig} && bkt_a != bkt_b;
        cand_qpn_q[4 + i] <= t_rdata[i][QpW-1:0];
      end
      for (int unsigned i = 0; i < N_CAM; i++) begin
        cand_q[8 + i]     <= cam_v_q[i] && cam_sig_q[i] == sig;
        cand_qpn_q[8 + i] <= cam_qpn_q[i];
      end
    end else if (state_q == StCmp) cand_q[pick_q] <= 1'b0;
  end

  logic [$clog2(N_Cand)-1:0] pick_q;
  always_ff @(posedge clk_i) begin
    if (state_q == StPick) begin
      pick_q <= pick;
    end
    rsp_qpn_o  <= 16'(cand_qpn_q[pick_q]);
    rsp_l2_o   <= old.l2;
    rsp_hit_o  <= state_q == StCmp && same;
    if (store) begin
      conn_qpn_o <= 16'(qpn_q);
      conn_o     <= new_q;
    end
  end

  assign idle_o = state_q == StIdle && !commit_valid_i && !fetch_valid_i && !req_valid_i
                  && !rsp_valid_o && !fetch_rsp_valid_o && !conn_valid_o;

endmodule
