// SPDX-License-Identifier: BSD-2-Clause

/// Doorbells: checks that the object belongs to the page it was rung through, and hands the index
/// on. One a cycle, never a wait: three cycles later it is a pulse of the room concerned, or
/// `stat_reject_o`.
///
/// Owners (room DB): word (kind << 18 | id << 2), kind 0 QP, 1 CQ, 2 SRQ: valid[31], page[15:0]. Nobody owns
/// anything after reset. Event queues and L2 rings belong to page 0. A doorbell in the cycle of an
/// owner's change sees the old or the new one. What a doorbell of a send queue brought (`db_push_i`, `db_buf_i`) goes with it when it is its owner's.
module weft_doorbell #(
  parameter int unsigned N_QP = 16,  ///< powers of two, 2 to 65536
  parameter int unsigned N_CQ = 16,
  parameter int unsigned N_EQ = 8,
  parameter int unsigned N_SRQ = 64,
  parameter int unsigned N_PUSH = 8,   ///< places for pushed WQEs
  localparam int unsigned PuW = $clog2(N_PUSH)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               cfg_req_valid_i,
  output logic               cfg_req_ready_o,
  /* verilator lint_off UNUSEDSIGNAL */  // the room bits are decoded outside, 15 bits of an owner are spare
  input  weft_pkg::cfg_req_t cfg_req_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic               cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t cfg_rsp_o,

  input  logic               db_valid_i,
  input  logic [11:0]        db_page_i,
  input  logic [11:0]        db_off_i,
  input  logic [63:0]        db_data_i,
  input  logic               db_line_i,      ///< see weft_pcie_rx_req
  input  logic               db_push_i,
  input  logic [PuW-1:0]     db_buf_i,

  output logic               sq_db_valid_o,
  output logic [15:0]        sq_db_qpn_o,
  output logic [15:0]        sq_db_index_o,
  output logic               sq_db_push_o,   ///< with sq_db_valid_o: its WQE is in place sq_db_buf_o
  output logic [PuW-1:0]     sq_db_buf_o,
  output logic               rq_db_valid_o,
  output logic [15:0]        rq_db_qpn_o,
  output logic [15:0]        rq_db_index_o,
  output logic               srq_db_valid_o,
  output logic [15:0]        srq_db_srqn_o,
  output logic [15:0]        srq_db_index_o,
  output logic               cq_db_valid_o,
  output logic [15:0]        cq_db_cqn_o,
  output logic [23:0]        cq_db_index_o,
  output logic [1:0]         cq_db_arm_o,
  output logic               eq_db_valid_o,
  output logic [15:0]        eq_db_eqn_o,
  output logic [23:0]        eq_db_index_o,
  output logic [1:0]         eq_db_arm_o,
  output logic               l2_tx_db_valid_o,
  output logic [23:0]        l2_tx_db_id_o,     ///< ARM in bit 23
  output logic [15:0]        l2_tx_db_index_o,
  output logic               l2_rx_db_valid_o,
  output logic [23:0]        l2_rx_db_id_o,
  output logic [15:0]        l2_rx_db_index_o,

  output logic               idle_o,
  output logic               stat_reject_o,
  output logic               stat_line_o     ///< one that came in a push line, of its owner
);

  localparam int unsigned QpW = $clog2(N_QP);
  localparam int unsigned CqW = $clog2(N_CQ);
  localparam int unsigned ShW = $clog2(N_SRQ);
  localparam int unsigned OwnW = 13;  // valid, page

`ifndef SYNTHESIS
  initial if (N_QP > 65536 || N_CQ > 65536 || N_SRQ > (N_QP > N_CQ ? N_QP : N_CQ)) $fatal(1, "weft_doorbell: too many objects");
`endif

  // ---------------------------------------------------------------- owners: one read port for
  // doorbells, one for the bus (a second copy), written by the bus and by the sweep after reset
  logic             init_q, qp_we, cq_we, sh_we, bus_take, bus1_q, bus2_q, is_cq, is_sh, bus_bad_q, bus_cq_q, bus_sh_q;
  logic [16:0]      sweep_q;
  logic [15:0]      bus_id;
  logic [OwnW-1:0]  own_w, qp_own, cq_own, sh_own, qp_bus, cq_bus, sh_bus;
  logic [QpW-1:0]   qp_waddr;
  logic [CqW-1:0]   cq_waddr;
  logic [ShW-1:0]   sh_waddr;
  logic [23:0]      id0;

  assign id0      = db_data_i[23:0];
  assign bus_id   = cfg_req_i.addr[17:2];
  assign is_cq    = cfg_req_i.addr[21:18] == 4'd1;
  assign is_sh    = cfg_req_i.addr[21:18] == 4'd2;
  assign bus_take = cfg_req_valid_i && !bus1_q && !bus2_q && !init_q;
  assign qp_we    = init_q || (bus_take && cfg_req_i.we && !is_cq && !is_sh && !bus_bad);
  assign cq_we    = init_q || (bus_take && cfg_req_i.we && is_cq && !bus_bad);
  assign sh_we    = init_q || (bus_take && cfg_req_i.we && is_sh && !bus_bad);
  assign sh_waddr = init_q ? sweep_q[ShW-1:0] : bus_id[ShW-1:0];
  assign qp_waddr = init_q ? sweep_q[QpW-1:0] : bus_id[QpW-1:0];
  assign cq_waddr = init_q ? sweep_q[CqW-1:0] : bus_id[CqW-1:0];
  assign own_w    = init_q ? '0 : {cfg_req_i.wdata[31] && cfg_req_i.wdata[15:12] == 0,
                                   cfg_req_i.wdata[11:0]};
  logic bus_bad;
  assign bus_bad  = is_cq ? {1'b0, bus_id} >= 17'(N_CQ) : is_sh ? {1'b0, bus_id} >= 17'(N_SRQ)
                          : cfg_req_i.addr[21:18] != 0 || {1'b0, bus_id} >= 17'(N_QP);

  weft_ram_1r1w #(.W(OwnW), .DEPTH(N_QP)) u_qp (
    .clk_i, .we_i(qp_we), .waddr_i(qp_waddr), .wdata_i(own_w),
    .re_i(db_valid_i), .raddr_i(id0[QpW-1:0]), .rdata_o(qp_own)
  );
  weft_ram_1r1w #(.W(OwnW), .DEPTH(N_CQ)) u_cq (
    .clk_i, .we_i(cq_we), .waddr_i(cq_waddr), .wdata_i(own_w),
    .re_i(db_valid_i), .raddr_i(id0[CqW-1:0]), .rdata_o(cq_own)
  );
  weft_ram_1r1w #(.W(OwnW), .DEPTH(N_SRQ)) u_sh (
    .clk_i, .we_i(sh_we), .waddr_i(sh_waddr), .wdata_i(own_w),
    .re_i(db_valid_i), .raddr_i(id0[ShW-1:0]), .rdata_o(sh_own)
  );
  weft_ram_1r1w #(.W(OwnW), .DEPTH(N_SRQ)) u_sh_bus (
    .clk_i, .we_i(sh_we), .waddr_i(sh_waddr), .wdata_i(own_w),
    .re_i(bus_take), .raddr_i(bus_id[ShW-1:0]), .rdata_o(sh_bus)
  );
  weft_ram_1r1w #(.W(OwnW), .DEPTH(N_QP)) u_qp_bus (
    .clk_i, .we_i(qp_we), .waddr_i(qp_waddr), .wdata_i(own_w),
    .re_i(bus_take), .raddr_i(bus_id[QpW-1:0]), .rdata_o(qp_bus)
  );
  weft_ram_1r1w #(.W(OwnW), .DEPTH(N_CQ)) u_cq_bus (
    .clk_i, .we_i(cq_we), .waddr_i(cq_waddr), .wdata_i(own_w),
    .re_i(bus_take), .raddr_i(bus_id[CqW-1:0]), .rdata_o(cq_bus)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_q          <= 1'b1;
      sweep_q         <= '0;
      bus1_q          <= 1'b0;
      bus2_q          <= 1'b0;
      cfg_rsp_valid_o <= 1'b0;
    end else begin
      if (init_q) sweep_q <= sweep_q + 1'b1;
      if (sweep_q == 17'(N_QP > N_CQ ? N_QP - 1 : N_CQ - 1)) init_q <= 1'b0;
      bus1_q          <= bus_take;
      bus2_q          <= bus1_q;
      cfg_rsp_valid_o <= bus1_q;
    end
  end
  logic [OwnW-1:0] bus_own;
  assign bus_own         = bus_cq_q ? cq_bus : bus_sh_q ? sh_bus : qp_bus;
  assign cfg_req_ready_o = bus1_q;
  always_ff @(posedge clk_i) begin
    if (bus_take) begin
      bus_bad_q <= bus_bad;
      bus_cq_q  <= is_cq;
      bus_sh_q  <= is_sh;
    end
    cfg_rsp_o.err   <= bus_bad_q;
    cfg_rsp_o.rdata <= bus_bad_q ? '0 : {bus_own[OwnW-1], 19'b0, bus_own[OwnW-2:0]};
  end

  // ---------------------------------------------------------------- s1: what was rung; s2: whose it is
  logic        v1_q, v2_q, sq1_q, rq1_q, sh1_q, cq1_q, eq1_q, lt1_q, lr1_q;
  logic        ok2_q, sq2_q, rq2_q, sh2_q, cq2_q, eq2_q, lt2_q, lr2_q, owned, in_range_q;
  logic [11:0] page1_q;
  /* verilator lint_off UNUSEDSIGNAL */  // reserved bits
  logic [63:0] data1_q, data2_q, data3_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [PuW+1:0] push1_q, push2_q, push3_q;
  logic [22:0] qid;
  assign qid = db_data_i[22:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q <= 1'b0;
      v2_q <= 1'b0;
    end else begin
      v1_q <= db_valid_i;
      v2_q <= v1_q;
    end
  end
  always_comb begin
    owned = 1'b0;
    if (init_q || !in_range_q) owned = 1'b0;
    else if (sq1_q || rq1_q) owned = qp_own == {1'b1, page1_q};
    else if (sh1_q) owned = sh_own == {1'b1, page1_q};
    else if (cq1_q) owned = cq_own == {1'b1, page1_q};
    else if (eq1_q || lt1_q || lr1_q) owned = page1_q == 0;
  end
  always_ff @(posedge clk_i) begin
    sq1_q   <= db_off_i == 12'(weft_abi_pkg::DB_SQ);
    rq1_q   <= db_off_i == 12'(weft_abi_pkg::DB_RQ);
    sh1_q   <= db_off_i == 12'(weft_abi_pkg::DB_SRQ);
    cq1_q   <= db_off_i == 12'(weft_abi_pkg::DB_CQ);
    eq1_q   <= db_off_i == 12'(weft_abi_pkg::DB_EQ);
    lt1_q   <= db_off_i == 12'(weft_abi_pkg::DB_L2_TX);
    lr1_q   <= db_off_i == 12'(weft_abi_pkg::DB_L2_RX);
    page1_q <= db_page_i;
    data1_q <= db_data_i;
    push1_q <= {db_line_i, db_push_i, db_buf_i};
    unique case (db_off_i)
      12'(weft_abi_pkg::DB_SQ), 12'(weft_abi_pkg::DB_RQ): in_range_q <= qid < 23'(N_QP) && !id0[23];
      12'(weft_abi_pkg::DB_SRQ): in_range_q <= qid < 23'(N_SRQ) && !id0[23];
      12'(weft_abi_pkg::DB_CQ): in_range_q <= id0 < 24'(N_CQ);
      12'(weft_abi_pkg::DB_EQ): in_range_q <= id0 < 24'(N_EQ);
      default: in_range_q <= 1'b1;
    endcase
    {sq2_q, rq2_q, sh2_q, cq2_q, eq2_q, lt2_q, lr2_q} <= {sq1_q, rq1_q, sh1_q, cq1_q, eq1_q, lt1_q, lr1_q};
    ok2_q   <= owned;
    data2_q <= data1_q;
    push2_q <= push1_q;
  end

  // ---------------------------------------------------------------- s3: out
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sq_db_valid_o    <= 1'b0;
      rq_db_valid_o    <= 1'b0;
      srq_db_valid_o   <= 1'b0;
      cq_db_valid_o    <= 1'b0;
      eq_db_valid_o    <= 1'b0;
      l2_tx_db_valid_o <= 1'b0;
      l2_rx_db_valid_o <= 1'b0;
      stat_reject_o    <= 1'b0;
    end else begin
      sq_db_valid_o    <= v2_q && ok2_q && sq2_q;
      rq_db_valid_o    <= v2_q && ok2_q && rq2_q;
      srq_db_valid_o   <= v2_q && ok2_q && sh2_q;
      cq_db_valid_o    <= v2_q && ok2_q && cq2_q;
      eq_db_valid_o    <= v2_q && ok2_q && eq2_q;
      l2_tx_db_valid_o <= v2_q && ok2_q && lt2_q;
      l2_rx_db_valid_o <= v2_q && ok2_q && lr2_q;
      stat_reject_o    <= v2_q && !ok2_q;
    end
  end
  always_ff @(posedge clk_i) begin
    data3_q <= data2_q;
    push3_q <= push2_q;
  end
  assign sq_db_push_o     = push3_q[PuW];
  assign sq_db_buf_o      = push3_q[PuW-1:0];
  assign stat_line_o      = sq_db_valid_o && push3_q[PuW+1];
  assign sq_db_qpn_o      = data3_q[15:0];
  assign sq_db_index_o    = data3_q[47:32];
  assign rq_db_qpn_o      = data3_q[15:0];
  assign rq_db_index_o    = data3_q[47:32];
  assign srq_db_srqn_o    = data3_q[15:0];
  assign srq_db_index_o   = data3_q[47:32];
  assign cq_db_cqn_o      = data3_q[15:0];
  assign cq_db_index_o    = data3_q[55:32];
  assign cq_db_arm_o      = data3_q[25:24];
  assign eq_db_eqn_o      = data3_q[15:0];
  assign eq_db_index_o    = data3_q[55:32];
  assign eq_db_arm_o      = data3_q[25:24];
  assign l2_tx_db_id_o    = data3_q[23:0];
  assign l2_tx_db_index_o = data3_q[47:32];
  assign l2_rx_db_id_o    = data3_q[23:0];
  assign l2_rx_db_index_o = data3_q[47:32];

  assign idle_o = !init_q && !db_valid_i && !v1_q && !v2_q && !sq_db_valid_o && !rq_db_valid_o && !srq_db_valid_o
                  && !cq_db_valid_o && !eq_db_valid_o && !l2_tx_db_valid_o && !l2_rx_db_valid_o
                  && !bus_take && !bus1_q && !bus2_q && !cfg_rsp_valid_o;

endmodule
