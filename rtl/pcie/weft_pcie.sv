// SPDX-License-Identifier: BSD-2-Clause

/// TLP engine: the core's side of PCI Express. See docs/architecture.md, section pcie, for the
/// streams and the sub-modules for the rules; in short:
///
/// - rx_req: register and MSI-X accesses go through a queue of REG_DEPTH, doorbells past it.
/// - Reads are cut at 4 KiB, MRRS and 512 bytes, up to N_TAG in flight (32 without extended tags),
///   put together in one buffer of N_TAG * 512 bytes, and given to each client in its order with
///   their full length; `err` with the last beat says that the data means nothing (UR, CA, poison,
///   time-out, bus master off).
/// - Writes and MSI-X messages leave in the order in which they were accepted, cut at 4 KiB and MPS.
/// - Completions of register reads leave after the writes accepted before the register was read.
///   Reads with after_wr leave after the writes accepted before them; "left" means taken on tx_wr_*:
///   whoever merges the streams keeps tx_wr in front of what tx_rd and tx_cpl offer later.
/// - Inbound: completions are always taken, doorbells always unless a register access in front of
///   them finds the queue full.
module weft_pcie #(
  parameter int unsigned DATA_W    = 64,   ///< 64, 128, 256 or 512
  parameter int unsigned N_RD      = 8,    ///< read clients, 2 to 16
  parameter int unsigned N_WR      = 5,    ///< write clients, 1 to 15
  parameter int unsigned N_TAG     = 64,   ///< reads in flight: 64, 128 or 256
  parameter int unsigned N_VEC     = 32,   ///< MSI-X vectors, a power of two, 2 to 256
  parameter int unsigned REG_DEPTH = 64,   ///< register accesses and non-posted requests queued
  parameter bit          PUSH      = 1'b1, ///< pushed WQEs come whole (weft_pcie_rx_req)
  parameter int unsigned N_PUSH    = 8,    ///< places for pushed WQEs, power of two, 4 or more
  parameter logic [63:0] RD_TIMEOUT_NS = 64'd50_000_000,  ///< a read without answer fails after this to twice this
  parameter bit          REG_WR_RSP = 1'b1,  ///< reg_rsp_valid_i answers writes too
  localparam int unsigned PU_W     = $clog2(N_PUSH),
  localparam int unsigned CNT_W    = $clog2(DATA_W / 8) + 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [63:0]                 now_ns_i,

  // ---------------- TLPs
  input  logic                        rx_req_valid_i,
  output logic                        rx_req_ready_o,
  input  logic [127:0]                rx_req_hdr_i,
  input  logic [2:0]                  rx_req_bar_i,
  input  logic [DATA_W-1:0]           rx_req_data_i,
  input  logic                        rx_req_last_i,
  input  logic                        rx_cpl_valid_i,
  output logic                        rx_cpl_ready_o,
  input  logic [127:0]                rx_cpl_hdr_i,
  input  logic [DATA_W-1:0]           rx_cpl_data_i,
  input  logic                        rx_cpl_last_i,
  output logic                        tx_rd_valid_o,   ///< falls without ready for a read that must not leave any more
  input  logic                        tx_rd_ready_i,
  output logic [127:0]                tx_rd_hdr_o,
  output logic                        tx_wr_valid_o,
  input  logic                        tx_wr_ready_i,
  output logic [127:0]                tx_wr_hdr_o,
  output logic [DATA_W-1:0]           tx_wr_data_o,
  output logic                        tx_wr_last_o,
  output logic                        tx_cpl_valid_o,
  input  logic                        tx_cpl_ready_i,
  output logic [127:0]                tx_cpl_hdr_o,
  output logic [63:0]                 tx_cpl_data_o,

  // ---------------- configuration space
  input  logic [15:0]                 cfg_bdf_i,
  input  logic                        cfg_bme_i,
  input  logic [2:0]                  cfg_mps_i,
  input  logic [2:0]                  cfg_mrrs_i,
  input  logic                        cfg_rcb_i,      ///< completions are taken at either boundary
  input  logic                        cfg_ext_tag_i,
  input  logic                        cfg_msix_en_i,
  input  logic                        cfg_msix_mask_i,
  input  logic                        flr_req_i,      ///< level, until flr_done_o
  input  logic                        flr_keep_i,     ///< with flr_req_i: register accesses behind it are kept, not forgotten
  output logic                        flr_done_o,
  output logic                        core_rst_req_o, ///< reset every other room while high

  // ---------------- registers and doorbells
  output logic                        reg_req_valid_o,
  input  logic                        reg_req_ready_i,
  output logic                        reg_req_we_o,
  output logic [15:0]                 reg_req_addr_o,
  output logic [31:0]                 reg_req_wdata_o,
  output logic [3:0]                  reg_req_be_o,
  input  logic                        reg_rsp_valid_i,
  input  logic [31:0]                 reg_rsp_rdata_i,
  input  logic                        reg_rsp_err_i,
  output logic                        db_valid_o,
  output logic [11:0]                 db_page_o,
  output logic [11:0]                 db_off_o,
  output logic [63:0]                 db_data_o,
  output logic                        db_line_o,           ///< see weft_pcie_rx_req
  output logic                        db_push_o,
  output logic [PU_W-1:0]             db_buf_o,
  output logic                        push_we_o,
  output logic [PU_W-1:0]             push_buf_o,
  output logic [447:0]                push_wqe_o,

  // ---------------- DMA
  input  logic [N_RD-1:0]             rd_req_valid_i,
  output logic [N_RD-1:0]             rd_req_ready_o,
  input  logic [N_RD-1:0][80:0]       rd_req_i,            ///< weft_pkg::dma_rd_req_t each
  output logic [N_RD-1:0]             rd_rsp_valid_o,
  input  logic [N_RD-1:0]             rd_rsp_ready_i,
  output logic [N_RD-1:0][DATA_W-1:0] rd_rsp_data_o,
  output logic [N_RD-1:0][CNT_W-1:0]  rd_rsp_cnt_o,
  output logic [N_RD-1:0]             rd_rsp_last_o,
  output logic [N_RD-1:0]             rd_rsp_err_o,
  input  logic [N_WR-1:0]             wr_valid_i,
  output logic [N_WR-1:0]             wr_ready_o,
  input  logic [N_WR-1:0][79:0]       wr_hdr_i,            ///< weft_pkg::dma_wr_hdr_t each
  input  logic [N_WR-1:0][DATA_W-1:0] wr_data_i,
  input  logic [N_WR-1:0][CNT_W-1:0]  wr_cnt_i,
  input  logic [N_WR-1:0]             wr_last_i,
  output logic [7:0]                  wr_acc_o,            ///< write packets begun, modulo 256
  output logic [7:0]                  wr_left_o,           ///< write packets that have left or were dropped
  input  logic                        irq_valid_i,
  output logic                        irq_ready_o,
  input  logic [10:0]                 irq_vector_i,

  // ---------------- state
  output logic                        idle_o,
  output logic                        deadline_valid_o,
  output logic [63:0]                 deadline_ns_o,
  output logic                        stat_db_ignored_o,   ///< BAR2 write that is no doorbell
  output logic                        stat_req_dropped_o,  ///< other posted request dropped
  output logic                        stat_req_ur_o,       ///< request answered UR
  output logic                        stat_rd_tlp_o,
  output logic                        stat_rd_no_tag_o,    ///< cycle in which a read waited for a tag
  output logic                        stat_rd_timeout_o,   ///< reads were given up
  output logic                        stat_cpl_err_o,      ///< UR, CA or poisoned completion
  output logic                        stat_cpl_bad_o,      ///< unexpected, late or malformed completion dropped
  output logic                        stat_wr_tlp_o,
  output logic                        stat_wr_dropped_o,   ///< write packet dropped: bus master off
  output logic                        stat_irq_o,
  output logic                        stat_irq_bad_o       ///< interrupt of a vector that does not exist
);

  localparam int unsigned TagW = $clog2(N_TAG);
  localparam int unsigned CliW = $clog2(N_RD);
  localparam int unsigned Lanes = DATA_W / 32;
  localparam int unsigned RamAW = TagW + 7 - $clog2(Lanes);
  localparam int unsigned EntryW = 133;

  // ------------------------------------------------------------ resets
  logic hold, stop, clr, wr_open, run_q, flr_idle, keep_q, reg_idle;
  logic rst_core_n;

  weft_pcie_flr u_flr (
    .clk_i, .rst_ni, .flr_req_i, .flr_done_o, .reg_idle_i(reg_idle), .busy_i(tx_rd_valid_o || tx_wr_valid_o || tx_cpl_valid_o || wr_open),
    .hold_o(hold), .stop_o(stop), .core_rst_req_o, .clr_o(clr), .idle_o(flr_idle)
  );

  assign rst_core_n = rst_ni && !core_rst_req_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q  <= 1'b0;
      keep_q <= 1'b0;
    end else begin
      run_q <= cfg_bme_i && !stop;
      if (!core_rst_req_o) keep_q <= flr_keep_i;
    end
  end

  // ------------------------------------------------------------ inbound requests
  logic              ent_in_valid, ent_in_ready, ent_valid, ent_ready, req_idle, msix_idle;
  logic [EntryW-1:0] ent_in, ent;
  logic [$clog2(REG_DEPTH):0] ent_count;
  logic              mx_req_valid, mx_req_ready, mx_rsp_valid;
  logic [31:0]       mx_rsp_rdata;

  weft_pcie_rx_req #(.DATA_W(DATA_W), .PUSH(PUSH), .N_PUSH(N_PUSH)) u_rx_req (
    .clk_i, .rst_ni, .rx_req_valid_i, .rx_req_ready_o, .rx_req_hdr_i, .rx_req_bar_i, .rx_req_data_i, .rx_req_last_i,
    .db_valid_o, .db_page_o, .db_off_o, .db_data_o, .db_line_o, .db_push_o, .db_buf_o, .push_we_o, .push_buf_o, .push_wqe_o,
    .ent_valid_o(ent_in_valid), .ent_ready_i(ent_in_ready), .ent_o(ent_in),
    .idle_o(req_idle), .stat_db_ignored_o, .stat_req_dropped_o, .stat_req_ur_o
  );

  weft_fifo #(.W(EntryW), .DEPTH(REG_DEPTH)) u_ent (
    .clk_i, .rst_ni(rst_core_n || (rst_ni && keep_q)), .in_valid_i(ent_in_valid), .in_ready_o(ent_in_ready), .in_data_i(ent_in),
    .out_valid_o(ent_valid), .out_ready_i(ent_ready), .out_data_o(ent), .count_o(ent_count)
  );

  logic reg_ready;
  assign ent_ready = reg_ready && !hold;
  weft_pcie_reg #(.REG_WR_RSP(REG_WR_RSP)) u_reg (
    .clk_i, .rst_ni(rst_core_n), .cfg_bdf_i, .ent_valid_i(ent_valid && !hold), .ent_ready_o(reg_ready), .ent_i(ent),
    .reg_req_valid_o, .reg_req_ready_i, .reg_req_we_o, .reg_req_addr_o, .reg_req_wdata_o, .reg_req_be_o,
    .reg_rsp_valid_i, .reg_rsp_rdata_i, .reg_rsp_err_i,
    .mx_req_valid_o(mx_req_valid), .mx_req_ready_i(mx_req_ready), .mx_rsp_valid_i(mx_rsp_valid),
    .mx_rsp_rdata_i(mx_rsp_rdata), .wr_acc_i(wr_acc_o), .wr_left_i(wr_left_o),
    .tx_cpl_valid_o, .tx_cpl_ready_i, .tx_cpl_hdr_o, .tx_cpl_data_o, .idle_o(reg_idle)
  );

  // ------------------------------------------------------------ MSI-X and writes
  logic        msg_valid, msg_ready, lost_valid, wr_idle;
  logic [63:0] msg_addr;
  logic [31:0] msg_data;
  logic [10:0] msg_vector, lost_vector;

  weft_pcie_msix #(.N_VEC(N_VEC)) u_msix (
    .clk_i, .rst_ni, .clr_i(clr), .cfg_msix_en_i, .cfg_msix_mask_i, .cfg_bme_i(run_q),
    .req_valid_i(mx_req_valid), .req_ready_o(mx_req_ready), .req_we_i(reg_req_we_o), .req_addr_i(reg_req_addr_o),
    .req_wdata_i(reg_req_wdata_o), .req_be_i(reg_req_be_o), .rsp_valid_o(mx_rsp_valid), .rsp_rdata_o(mx_rsp_rdata),
    .irq_valid_i, .irq_ready_o, .irq_vector_i,
    .msg_valid_o(msg_valid), .msg_ready_i(msg_ready), .msg_addr_o(msg_addr), .msg_data_o(msg_data),
    .msg_vector_o(msg_vector), .lost_valid_i(lost_valid), .lost_vector_i(lost_vector),
    .idle_o(msix_idle), .stat_irq_o, .stat_irq_bad_o
  );

  weft_pcie_wr #(.DATA_W(DATA_W), .N_WR(N_WR)) u_wr (
    .clk_i, .rst_ni(rst_core_n), .run_i(run_q), .cfg_bdf_i, .cfg_mps_i,
    .wr_valid_i, .wr_ready_o, .wr_hdr_i, .wr_data_i, .wr_cnt_i, .wr_last_i,
    .msg_valid_i(msg_valid), .msg_ready_o(msg_ready), .msg_addr_i(msg_addr), .msg_data_i(msg_data),
    .msg_vector_i(msg_vector), .lost_valid_o(lost_valid), .lost_vector_o(lost_vector),
    .wr_acc_o, .wr_left_o,
    .tx_wr_valid_o, .tx_wr_ready_i, .tx_wr_hdr_o, .tx_wr_data_o, .tx_wr_last_o,
    .open_o(wr_open), .idle_o(wr_idle), .stat_wr_tlp_o, .stat_wr_dropped_o
  );

  // ------------------------------------------------------------ reads
  logic             tag_valid, alloc, alloc_last, alloc_err, fin, fin_err, fin_late, ld_valid, ld_last, ld_err, free;
  logic [TagW-1:0]  tag, fin_tag, ld_tag, free_tag;
  logic [CliW-1:0]  alloc_client, ld_client, free_client;
  logic [8:0]       alloc_off, ld_off;
  logic [9:0]       alloc_len, ld_len;
  logic [N_TAG-1:0] outst, quar;
  logic [N_RD-1:0]  ld_room;
  logic             rd_idle, tag_idle, cpl_idle, out_idle, ram_re;
  logic [Lanes-1:0] ram_we;
  logic [Lanes-1:0][RamAW-1:0] ram_waddr;
  logic [RamAW-1:0] ram_raddr;
  logic [DATA_W-1:0] ram_wdata, ram_rdata;

  assign rx_cpl_ready_o = 1'b1;

  weft_pcie_rd #(.N_RD(N_RD), .N_TAG(N_TAG)) u_rd (
    .clk_i, .rst_ni(rst_core_n), .run_i(run_q), .cfg_bdf_i, .cfg_mrrs_i, .cfg_ext_tag_i,
    .rd_req_valid_i, .rd_req_ready_o, .rd_req_i, .wr_acc_i(wr_acc_o), .wr_left_i(wr_left_o),
    .gone_i(quar[tx_rd_hdr_o[40+:TagW]]),
    .tag_valid_i(tag_valid), .tag_i(tag), .alloc_o(alloc), .alloc_client_o(alloc_client), .alloc_off_o(alloc_off),
    .alloc_len_o(alloc_len), .alloc_last_o(alloc_last), .alloc_err_o(alloc_err),
    .free_i(free), .free_client_i(free_client),
    .tx_rd_valid_o, .tx_rd_ready_i, .tx_rd_hdr_o, .idle_o(rd_idle), .stat_rd_tlp_o, .stat_rd_no_tag_o
  );

  weft_pcie_rd_tag #(.N_RD(N_RD), .N_TAG(N_TAG), .RD_TIMEOUT_NS(RD_TIMEOUT_NS)) u_tag (
    .clk_i, .rst_ni, .clr_i(clr), .cfg_ext_tag_i, .now_ns_i, .deadline_valid_o, .deadline_ns_o,
    .tag_valid_o(tag_valid), .tag_o(tag), .alloc_i(alloc), .alloc_client_i(alloc_client), .alloc_off_i(alloc_off),
    .alloc_len_i(alloc_len), .alloc_last_i(alloc_last), .alloc_err_i(alloc_err),
    .out_o(outst), .quar_o(quar), .fin_i(fin), .fin_tag_i(fin_tag), .fin_err_i(fin_err), .fin_late_i(fin_late),
    .ld_room_i(ld_room), .ld_valid_o(ld_valid), .ld_client_o(ld_client), .ld_tag_o(ld_tag), .ld_off_o(ld_off),
    .ld_len_o(ld_len), .ld_last_o(ld_last), .ld_err_o(ld_err), .free_i(free), .free_tag_i(free_tag),
    .idle_o(tag_idle), .stat_timeout_o(stat_rd_timeout_o)
  );

  weft_pcie_rd_cpl #(.DATA_W(DATA_W), .N_TAG(N_TAG)) u_cpl (
    .clk_i, .rst_ni, .cfg_bdf_i, .rx_cpl_valid_i, .rx_cpl_hdr_i, .rx_cpl_data_i, .rx_cpl_last_i,
    .alloc_i(alloc), .alloc_tag_i(tag), .alloc_off_i(alloc_off), .alloc_len_i(alloc_len),
    .out_i(outst), .quar_i(quar), .we_o(ram_we), .waddr_o(ram_waddr), .wdata_o(ram_wdata),
    .fin_o(fin), .fin_tag_o(fin_tag), .fin_err_o(fin_err), .fin_late_o(fin_late), .idle_o(cpl_idle), .stat_cpl_err_o, .stat_cpl_bad_o
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    weft_ram_1r1w #(.W(32), .DEPTH(2**RamAW)) u_ram (
      .clk_i, .we_i(ram_we[l]), .waddr_i(ram_waddr[l]), .wdata_i(ram_wdata[32*l+:32]),
      .re_i(ram_re), .raddr_i(ram_raddr), .rdata_o(ram_rdata[32*l+:32])
    );
  end

  weft_pcie_rd_out #(.DATA_W(DATA_W), .N_RD(N_RD), .N_TAG(N_TAG)) u_out (
    .clk_i, .rst_ni(rst_core_n), .ld_room_o(ld_room), .ld_valid_i(ld_valid), .ld_client_i(ld_client),
    .ld_tag_i(ld_tag), .ld_off_i(ld_off), .ld_len_i(ld_len), .ld_last_i(ld_last), .ld_err_i(ld_err),
    .free_o(free), .free_tag_o(free_tag), .free_client_o(free_client),
    .re_o(ram_re), .raddr_o(ram_raddr), .rdata_i(ram_rdata),
    .rsp_valid_o(rd_rsp_valid_o), .rsp_ready_i(rd_rsp_ready_i), .rsp_data_o(rd_rsp_data_o),
    .rsp_cnt_o(rd_rsp_cnt_o), .rsp_last_o(rd_rsp_last_o), .rsp_err_o(rd_rsp_err_o), .idle_o(out_idle)
  );

  assign idle_o = flr_idle && req_idle && reg_idle && ent_count == '0 && !ent_in_valid && msix_idle && wr_idle
                  && rd_idle && tag_idle && cpl_idle && out_idle;

`ifndef SYNTHESIS
  initial begin
    if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) $fatal(1, "weft_pcie: DATA_W");
    if (N_WR < 1 || N_WR > 15) $fatal(1, "weft_pcie: N_WR must be 1 to 15");
  end
`endif

  logic unused;
  assign unused = cfg_rcb_i;

endmodule
