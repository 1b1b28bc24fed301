// SPDX-License-Identifier: BSD-2-Clause

/// weft_pcie between the root complex model and random clients. Ports of the C side: 0-7 read requests, 8-15 read
/// responses, 16-20 writes, 24 interrupts, 25 register requests, 26 register answers, 27 doorbells, 28 events.
module tb #(
  parameter int DATA_W = 64,
  parameter int PUSH = 1  // 0 behind a shim
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int CntW = $clog2(DATA_W / 8) + 1;
  localparam int NRd = 8;
  localparam int NWr = 5;
  import "DPI-C" function longint unsigned tb_now();
  import "DPI-C" function void pcie_accept(input int rd, input int after, input int wr, input int irq, input int vec_no,
                                           input int flags);

  logic rx_req_valid, rx_req_ready, rx_req_last, rx_cpl_valid, rx_cpl_ready, rx_cpl_last, tx_rd_valid, tx_rd_ready,
        tx_wr_valid, tx_wr_ready, tx_wr_last, tx_cpl_valid, tx_cpl_ready;
  logic [127:0] rx_req_hdr, rx_cpl_hdr, tx_rd_hdr, tx_wr_hdr, tx_cpl_hdr;
  logic [2:0] rx_req_bar, cfg_mps, cfg_mrrs;
  logic [DATA_W-1:0] rx_req_data, rx_cpl_data, tx_wr_data;
  logic [63:0] tx_cpl_data;
  logic [15:0] cfg_bdf;
  logic cfg_bme, cfg_rcb, cfg_ext_tag, cfg_msix_en, cfg_msix_mask, flr_req, flr_done, core_rst;

  rc_pins #(.DATA_W(DATA_W)) u_rc (
    .clk_i, .rst_ni,
    .rx_req_valid_o(rx_req_valid), .rx_req_ready_i(rx_req_ready), .rx_req_hdr_o(rx_req_hdr), .rx_req_bar_o(rx_req_bar),
    .rx_req_data_o(rx_req_data), .rx_req_last_o(rx_req_last),
    .rx_cpl_valid_o(rx_cpl_valid), .rx_cpl_ready_i(rx_cpl_ready), .rx_cpl_hdr_o(rx_cpl_hdr),
    .rx_cpl_data_o(rx_cpl_data), .rx_cpl_last_o(rx_cpl_last),
    .tx_rd_valid_i(tx_rd_valid), .tx_rd_ready_o(tx_rd_ready), .tx_rd_hdr_i(tx_rd_hdr),
    .tx_wr_valid_i(tx_wr_valid), .tx_wr_ready_o(tx_wr_ready), .tx_wr_hdr_i(tx_wr_hdr), .tx_wr_data_i(tx_wr_data),
    .tx_wr_last_i(tx_wr_last),
    .tx_cpl_valid_i(tx_cpl_valid), .tx_cpl_ready_o(tx_cpl_ready), .tx_cpl_hdr_i(tx_cpl_hdr), .tx_cpl_data_i(tx_cpl_data),
    .cfg_bdf_o(cfg_bdf), .cfg_bme_o(cfg_bme), .cfg_mps_o(cfg_mps), .cfg_mrrs_o(cfg_mrrs), .cfg_rcb_o(cfg_rcb),
    .cfg_ext_tag_o(cfg_ext_tag), .cfg_msix_en_o(cfg_msix_en), .cfg_msix_mask_o(cfg_msix_mask), .flr_req_o(flr_req),
    .flr_done_i(flr_done)
  );

  logic reg_req_valid, reg_req_ready, reg_req_we, reg_rsp_valid, db_valid, irq_valid, irq_ready, idle, deadline_valid;
  logic [15:0] reg_req_addr;
  logic [31:0] reg_req_wdata;
  logic [3:0] reg_req_be;
  logic [32:0] reg_rsp;
  logic [11:0] db_page, db_off;
  logic [63:0] db_data, now_ns, deadline_ns;
  logic [10:0] irq_vector;
  logic [NRd-1:0] rd_req_valid, rd_req_ready, rd_rsp_valid, rd_rsp_ready, rd_rsp_last, rd_rsp_err;
  weft_pkg::dma_rd_req_t [NRd-1:0] rd_req;
  logic [NRd-1:0][DATA_W-1:0] rd_rsp_data;
  logic [NRd-1:0][CntW-1:0] rd_rsp_cnt;
  logic [NWr-1:0] wr_valid, wr_ready, wr_last, wr_err;
  weft_pkg::dma_wr_hdr_t [NWr-1:0] wr_hdr;
  logic [NWr-1:0][DATA_W-1:0] wr_data;
  logic [NWr-1:0][CntW-1:0] wr_cnt;
  logic [12:0] stat;
  logic client_rst_n;

  always @(posedge clk_i) now_ns <= tb_now();
  assign client_rst_n = rst_ni && !core_rst;

  weft_pcie #(.DATA_W(DATA_W), .PUSH(PUSH != 0), .RD_TIMEOUT_NS(64'd60000)) dut (
    .clk_i, .rst_ni, .now_ns_i(now_ns),
    .rx_req_valid_i(rx_req_valid), .rx_req_ready_o(rx_req_ready), .rx_req_hdr_i(rx_req_hdr), .rx_req_bar_i(rx_req_bar),
    .rx_req_data_i(rx_req_data), .rx_req_last_i(rx_req_last),
    .rx_cpl_valid_i(rx_cpl_valid), .rx_cpl_ready_o(rx_cpl_ready), .rx_cpl_hdr_i(rx_cpl_hdr),
    .rx_cpl_data_i(rx_cpl_data), .rx_cpl_last_i(rx_cpl_last),
    .tx_rd_valid_o(tx_rd_valid), .tx_rd_ready_i(tx_rd_ready), .tx_rd_hdr_o(tx_rd_hdr),
    .tx_wr_valid_o(tx_wr_valid), .tx_wr_ready_i(tx_wr_ready), .tx_wr_hdr_o(tx_wr_hdr), .tx_wr_data_o(tx_wr_data),
    .tx_wr_last_o(tx_wr_last),
    .tx_cpl_valid_o(tx_cpl_valid), .tx_cpl_ready_i(tx_cpl_ready), .tx_cpl_hdr_o(tx_cpl_hdr), .tx_cpl_data_o(tx_cpl_data),
    .cfg_bdf_i(cfg_bdf), .cfg_bme_i(cfg_bme), .cfg_mps_i(cfg_mps), .cfg_mrrs_i(cfg_mrrs), .cfg_rcb_i(cfg_rcb),
    .cfg_ext_tag_i(cfg_ext_tag), .cfg_msix_en_i(cfg_msix_en), .cfg_msix_mask_i(cfg_msix_mask), .flr_req_i(flr_req), .flr_keep_i(1'b0),
    .flr_done_o(flr_done), .core_rst_req_o(core_rst),
    .reg_req_valid_o(reg_req_valid), .reg_req_ready_i(reg_req_ready), .reg_req_we_o(reg_req_we),
    .reg_req_addr_o(reg_req_addr), .reg_req_wdata_o(reg_req_wdata), .reg_req_be_o(reg_req_be),
    .reg_rsp_valid_i(reg_rsp_valid), .reg_rsp_rdata_i(reg_rsp[31:0]), .reg_rsp_err_i(reg_rsp[32]),
    .db_valid_o(db_valid), .db_page_o(db_page), .db_off_o(db_off), .db_data_o(db_data),
    .db_line_o(db_line), .db_push_o(db_push), .db_buf_o(db_buf), .push_we_o(push_we), .push_buf_o(push_buf), .push_wqe_o(push_wqe),
    .rd_req_valid_i(rd_req_valid), .rd_req_ready_o(rd_req_ready), .rd_req_i(rd_req),
    .rd_rsp_valid_o(rd_rsp_valid), .rd_rsp_ready_i(rd_rsp_ready), .rd_rsp_data_o(rd_rsp_data),
    .rd_rsp_cnt_o(rd_rsp_cnt), .rd_rsp_last_o(rd_rsp_last), .rd_rsp_err_o(rd_rsp_err),
    .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_hdr_i(wr_hdr), .wr_data_i(wr_data), .wr_cnt_i(wr_cnt),
    .wr_last_i(wr_last), .wr_acc_o(), .wr_left_o(),
    .irq_valid_i(irq_valid), .irq_ready_o(irq_ready), .irq_vector_i(irq_vector),
    .idle_o(idle), .deadline_valid_o(deadline_valid), .deadline_ns_o(deadline_ns),
    .stat_db_ignored_o(stat[0]), .stat_req_dropped_o(stat[1]), .stat_req_ur_o(stat[2]), .stat_rd_tlp_o(stat[3]),
    .stat_rd_no_tag_o(stat[4]), .stat_rd_timeout_o(stat[5]), .stat_cpl_err_o(stat[6]), .stat_cpl_bad_o(stat[7]),
    .stat_wr_tlp_o(stat[8]), .stat_wr_dropped_o(stat[9]), .stat_irq_o(stat[10]), .stat_irq_bad_o(stat[11])
  );
  assign stat[12] = 1'b0;

  for (genvar i = 0; i < NRd; i++) begin : gen_rd
    tb_src_item #(.ID(i), .W(81)) u_req (.clk_i, .rst_ni(client_rst_n), .valid_o(rd_req_valid[i]),
      .ready_i(rd_req_ready[i]), .data_o(rd_req[i]));
    tb_snk_stream #(.ID(8 + i), .DATA_W(DATA_W)) u_rsp (.clk_i, .rst_ni(client_rst_n), .valid_i(rd_rsp_valid[i]),
      .ready_o(rd_rsp_ready[i]), .data_i(rd_rsp_data[i]), .cnt_i(rd_rsp_cnt[i]), .last_i(rd_rsp_last[i]),
      .err_i(rd_rsp_err[i]), .side_i(1'b0));
  end
  for (genvar i = 0; i < NWr; i++) begin : gen_wr
    tb_src_stream #(.ID(16 + i), .DATA_W(DATA_W), .SIDE_W(80)) u_wr (.clk_i, .rst_ni(client_rst_n),
      .valid_o(wr_valid[i]), .ready_i(wr_ready[i]), .data_o(wr_data[i]), .cnt_o(wr_cnt[i]), .last_o(wr_last[i]),
      .err_o(wr_err[i]), .side_o(wr_hdr[i]));
  end
  tb_src_item #(.ID(24), .W(11)) u_irq (.clk_i, .rst_ni(client_rst_n), .valid_o(irq_valid), .ready_i(irq_ready),
    .data_o(irq_vector));
  tb_snk_item #(.ID(25), .W(53)) u_reg (.clk_i, .rst_ni(client_rst_n), .valid_i(reg_req_valid), .ready_o(reg_req_ready),
    .data_i({reg_req_we, reg_req_addr, reg_req_be, reg_req_wdata}));
  tb_src_item #(.ID(26), .W(33)) u_rsp (.clk_i, .rst_ni(client_rst_n), .valid_o(reg_rsp_valid), .ready_i(1'b1),
    .data_o(reg_rsp));
  // What was put into place by the time that its doorbell says so.
  logic         db_line, db_push, push_we;
  logic [2:0]   db_buf, push_buf;
  logic [447:0] push_wqe;
  logic [447:0] places [8];
  always_ff @(posedge clk_i) if (push_we) places[push_buf] <= push_wqe;
  tb_snk_pulse #(.ID(27), .W(538)) u_db (.clk_i, .rst_ni, .valid_i(db_valid), .data_i({places[db_buf], db_push, db_line, db_page, db_off, db_data}));
  tb_snk_pulse #(.ID(28), .W(13)) u_stat (.clk_i, .rst_ni, .valid_i(stat != '0), .data_i(stat));

  // Order of acceptance. Requests of this cycle come before writes of this cycle: those do not count for after_wr.
  logic [NWr-1:0] mid;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mid <= '0;
    else begin
      pcie_accept(int'(rd_req_valid & rd_req_ready), int'({rd_req[7].after_wr, rd_req[6].after_wr, rd_req[5].after_wr,
                  rd_req[4].after_wr, rd_req[3].after_wr, rd_req[2].after_wr, rd_req[1].after_wr, rd_req[0].after_wr}),
                  int'(wr_valid & wr_ready & ~mid), int'(irq_valid && irq_ready), int'(irq_vector),
                  {29'd0, core_rst, deadline_valid, idle});
      mid <= (mid | (wr_valid & wr_ready)) & ~(wr_valid & wr_ready & wr_last);
      if (core_rst) mid <= '0;
    end
  end

  logic unused;
  assign unused = ^{wr_err, deadline_ns};
endmodule
