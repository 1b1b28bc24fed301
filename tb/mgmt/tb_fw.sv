// SPDX-License-Identifier: BSD-2-Clause
/// The management room with its firmware: host, rooms and wire are in C (fw.c).
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int CntW = $clog2(DATA_W / 8) + 1;
  import "DPI-C" function longint unsigned tb_now();
  import "DPI-C" function void fw_idle(input int idle, input int dl_valid, input longint unsigned deadline);
  import "DPI-C" function void fw_bad(input string what);
  import "DPI-C" function void fw_cycles(input longint unsigned mcycle, input int pc);
  import "DPI-C" function int fw_room(input int we, input int addr, input int wdata, output int rdata, output int delay);

  // CONTROL.RESET resets everything for some cycles, as the core does.
  logic       soft_rst, rst_n;
  logic [3:0] rst_cnt;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rst_cnt <= '0;
    else if (soft_rst) rst_cnt <= 4'd8;
    else if (rst_cnt != 0) rst_cnt <= rst_cnt - 1'b1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rst_n <= 1'b0;
    else rst_n <= rst_cnt == 0;
  end

  logic [63:0] now;
  always @(posedge clk_i) now <= tb_now();

  logic req_v, req_r, rsp_v, rsp_err, rd_v, rd_r, rs_v, rs_r, rs_last, rs_err, wr_v, wr_r, wr_last;
  logic irq_v, irq_r, eqe_v, eqe_r, fx_v, fx_r, fx_last, fx_err, ft_v, ft_r, ft_last, idle, dl_v;
  logic [52:0] req;
  logic [31:0] rsp;
  logic [63:0] dl;
  weft_pkg::dma_rd_req_t rd;
  weft_pkg::dma_wr_hdr_t wr_hdr;
  weft_pkg::eqe_req_t    eqe;
  logic [DATA_W-1:0] rs_data, wr_data, fx_data, ft_data;
  logic [CntW-1:0]   rs_cnt, wr_cnt, fx_cnt, ft_cnt;
  logic [10:0] irq_vec;
  logic [19:0] fx_side;
  logic [1:0]  ev_v, ev_r;
  logic [1:0][511:0] ev;
  logic [15:0] cfg_v;
  weft_pkg::cfg_req_t cfg;
  logic cfg_rdy, cfg_rsp_v, cfg_busy;
  weft_pkg::cfg_rsp_t cfg_rsp;
  logic [3:0] cfg_room;
  logic rsp_side_unused;
  logic [31:0] min_rto;
  logic [7:0]  max_retries;
  logic st0, st1, st2, st3, st4;

  tb_src_item #(.ID(0), .W(53)) u_reg (.clk_i, .rst_ni, .valid_o(req_v), .ready_i(req_r), .data_o(req));
  tb_snk_pulse #(.ID(1), .W(33)) u_rsp (.clk_i, .rst_ni, .valid_i(rsp_v), .data_i({rsp_err, rsp}));
  tb_snk_item #(.ID(2), .W(81)) u_rd (.clk_i, .rst_ni, .valid_i(rd_v), .ready_o(rd_r), .data_i(rd));
  tb_src_stream #(.ID(3), .DATA_W(DATA_W)) u_rs (.clk_i, .rst_ni, .valid_o(rs_v), .ready_i(rs_r), .data_o(rs_data),
    .cnt_o(rs_cnt), .last_o(rs_last), .err_o(rs_err), .side_o(rsp_side_unused));
  tb_snk_stream #(.ID(4), .DATA_W(DATA_W), .SIDE_W(80)) u_wr (.clk_i, .rst_ni, .valid_i(wr_v), .ready_o(wr_r),
    .data_i(wr_data), .cnt_i(wr_cnt), .last_i(wr_last), .err_i(1'b0), .side_i(wr_hdr));
  tb_snk_item #(.ID(5), .W(11)) u_irq (.clk_i, .rst_ni, .valid_i(irq_v), .ready_o(irq_r), .data_i(irq_vec));
  tb_snk_item #(.ID(6), .W(520)) u_eqe (.clk_i, .rst_ni, .valid_i(eqe_v), .ready_o(eqe_r), .data_i(eqe));
  tb_src_item #(.ID(7), .W(512)) u_ev0 (.clk_i, .rst_ni, .valid_o(ev_v[0]), .ready_i(ev_r[0]), .data_o(ev[0]));
  tb_src_item #(.ID(8), .W(512)) u_ev1 (.clk_i, .rst_ni, .valid_o(ev_v[1]), .ready_i(ev_r[1]), .data_o(ev[1]));
  tb_src_stream #(.ID(9), .DATA_W(DATA_W), .SIDE_W(20)) u_fx (.clk_i, .rst_ni, .valid_o(fx_v), .ready_i(fx_r),
    .data_o(fx_data), .cnt_o(fx_cnt), .last_o(fx_last), .err_o(fx_err), .side_o(fx_side));
  tb_snk_stream #(.ID(10), .DATA_W(DATA_W)) u_ft (.clk_i, .rst_ni, .valid_i(ft_v), .ready_o(ft_r), .data_i(ft_data),
    .cnt_i(ft_cnt), .last_i(ft_last), .err_i(1'b0), .side_i(1'b0));

  weft_mgmt #(.DATA_W(DATA_W), .FEATURES(18439), .N_FWEV(2), .WDOG_LOG2(17), .CFG_TIMEOUT(300), .N_QP(64), .N_CQ(32), .N_EQ(8), .N_STAG(256),
    .N_L2(64), .MAX_IRD(16), .MAX_ORD(16)) u_dut (
    .clk_i, .rst_ni(rst_n), .core_rst_req_o(soft_rst), .now_ns_i(now), .deadline_valid_o(dl_v), .deadline_ns_o(dl),
    .idle_o(idle), .mac_i(48'h060504030201), .link_up_i(1'b1), .min_rto_us_o(min_rto), .max_retries_o(max_retries),
    .reg_req_valid_i(req_v), .reg_req_ready_o(req_r), .reg_req_we_i(req[52]), .reg_req_addr_i(req[51:36]),
    .reg_req_wdata_i(req[35:4]), .reg_req_be_i(req[3:0]), .reg_rsp_valid_o(rsp_v), .reg_rsp_rdata_o(rsp),
    .reg_rsp_err_o(rsp_err), .rd_req_valid_o(rd_v), .rd_req_ready_i(rd_r), .rd_req_o(rd), .rd_rsp_valid_i(rs_v),
    .rd_rsp_ready_o(rs_r), .rd_rsp_data_i(rs_data), .rd_rsp_cnt_i(rs_cnt), .rd_rsp_last_i(rs_last),
    .rd_rsp_err_i(rs_err), .wr_valid_o(wr_v), .wr_ready_i(wr_r), .wr_data_o(wr_data), .wr_cnt_o(wr_cnt),
    .wr_last_o(wr_last), .wr_hdr_o(wr_hdr), .irq_valid_o(irq_v), .irq_ready_i(irq_r), .irq_vector_o(irq_vec),
    .cfg_req_valid_o(cfg_v), .cfg_req_ready_i({16{cfg_rdy}}), .cfg_req_o(cfg),
    .cfg_rsp_valid_i({15'd0, cfg_rsp_v} << cfg_room), .cfg_rsp_i({16{cfg_rsp}}),
    .fwev_valid_i(ev_v), .fwev_ready_o(ev_r), .fwev_i(ev), .eqe_valid_o(eqe_v), .eqe_ready_i(eqe_r), .eqe_o(eqe),
    .frx_valid_i(fx_v), .frx_ready_o(fx_r), .frx_data_i(fx_data), .frx_cnt_i(fx_cnt), .frx_last_i(fx_last),
    .frx_err_i(fx_err), .frx_qpn_i(fx_side[15:0]), .frx_reason_i(fx_side[19:16]), .ftx_valid_o(ft_v),
    .ftx_ready_i(ft_r), .ftx_data_o(ft_data), .ftx_cnt_o(ft_cnt), .ftx_last_o(ft_last), .stat_frx_o(st0),
    .stat_frx_drop_o(st1), .stat_ftx_o(st2), .stat_cfg_err_o(st3), .stat_bad_write_o(st4)
  );

  // A frame of firmware leaves without gaps.
  logic mid_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) mid_q <= 1'b0;
    else if (ft_v && ft_r) mid_q <= !ft_last;
  end
  always @(posedge clk_i) begin
    if (rst_ni && rst_n && mid_q && !ft_v) fw_bad("a gap in a frame of firmware");
    fw_cycles(u_dut.u_cpu.u_csr.cycle_q, 32'({u_dut.if_addr, 2'b00}));
  end

  // The rooms: one answer after a few cycles; delay < 0: none.
  int rdata, rc, delay, left;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cfg_rdy <= 1'b0;
      cfg_rsp_v <= 1'b0;
      cfg_busy <= 1'b0;
    end else begin
      cfg_rsp_v <= 1'b0;
      cfg_rdy <= !cfg_busy && !cfg_rdy;
      if (|cfg_v && cfg_rdy) begin
        rc = fw_room(32'(cfg.we), 32'(cfg.addr), cfg.wdata, rdata, delay);
        cfg_rsp.rdata <= rdata;
        cfg_rsp.err <= rc != 0;
        cfg_room <= cfg.addr[25:22];
        left <= delay;
        cfg_busy <= delay >= 0;
      end else if (cfg_busy) begin
        left <= left - 1;
        if (left == 0) begin
          cfg_rsp_v <= 1'b1;
          cfg_busy <= 1'b0;
        end
      end
      if (|cfg_v && ($countones(cfg_v) != 1 || !cfg_v[cfg.addr[25:22]])) $display("cfg valid is not one hot by room");
    end
  end
  always @(posedge clk_i) fw_idle(32'(idle && rst_n), 32'(dl_v), dl);
endmodule
