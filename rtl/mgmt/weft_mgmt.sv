// SPDX-License-Identifier: BSD-2-Clause

/// Management room: control processor with RAM, image loader, BAR0 registers, host DMA, frames and
/// events for firmware, configuration bus master, timer. Port groups as docs/architecture.md says.
///
/// The configuration bus is one request bus with one valid per room (index: weft_abi room, 0 to
/// 15) and one response per room; a room that is not there ties its ready and response valid high
/// with err, or is timed out.
///
/// `core_rst_req_o` pulses at CONTROL.RESET: the core resets every room, this one included.
module weft_mgmt #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_FWEV = 6,         ///< rooms that raise firmware events
  parameter int unsigned FRX_SLOTS = 8,      ///< frames kept for firmware
  parameter int unsigned EV_DEPTH = 32,      ///< events kept for firmware
  parameter int unsigned CFG_TIMEOUT = 4096, ///< cycles
  parameter int unsigned WDOG_LOG2 = 22,     ///< log2 of cycles
  parameter int unsigned FEATURES = 3,       ///< register FEATURES
  parameter int unsigned N_QP = 16,
  parameter int unsigned N_CQ = 16,
  parameter int unsigned N_EQ = 8,
  parameter int unsigned N_STAG = 256,
  parameter int unsigned N_L2 = 64,
  parameter int unsigned N_L2Q = 1,
  parameter int unsigned N_SRQ = 64,
  parameter int unsigned CQ_PIECES = 4,
  parameter int unsigned DB_PAGES = 64,
  parameter int unsigned MAX_MTU = 9000,
  parameter int unsigned MAX_IRD = 16,
  parameter int unsigned MAX_ORD = 16,
  parameter int unsigned N_VECTORS = 32,
  parameter int unsigned WQE_LOG2 = 8,
  parameter int unsigned N_LISTEN = 64,
  parameter int unsigned N_SETUP = 10,        ///< of firmware: MAX_SETUP
  localparam int unsigned CNT_W = $clog2(DATA_W / 8) + 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  output logic                   core_rst_req_o,
  input  logic [63:0]            now_ns_i,
  output logic                   deadline_valid_o,
  output logic [63:0]            deadline_ns_o,
  output logic                   idle_o,
  input  logic [47:0]            mac_i,       ///< permanent MAC address, byte 0 in bits 7:0
  input  logic                   link_up_i,
  output logic [31:0]            min_rto_us_o,  ///< of INIT, for room qp; 0: its default
  output logic [7:0]             max_retries_o,

  input  logic                   reg_req_valid_i,
  output logic                   reg_req_ready_o,
  input  logic                   reg_req_we_i,
  input  logic [15:0]            reg_req_addr_i,
  input  logic [31:0]            reg_req_wdata_i,
  input  logic [3:0]             reg_req_be_i,
  output logic                   reg_rsp_valid_o,
  output logic [31:0]            reg_rsp_rdata_o,
  output logic                   reg_rsp_err_o,

  output logic                   rd_req_valid_o,
  input  logic                   rd_req_ready_i,
  output weft_pkg::dma_rd_req_t  rd_req_o,
  input  logic                   rd_rsp_valid_i,
  output logic                   rd_rsp_ready_o,
  input  logic [DATA_W-1:0]      rd_rsp_data_i,
  input  logic [CNT_W-1:0]       rd_rsp_cnt_i,
  input  logic                   rd_rsp_last_i,
  input  logic                   rd_rsp_err_i,

  output logic                   wr_valid_o,
  input  logic                   wr_ready_i,
  output logic [DATA_W-1:0]      wr_data_o,
  output logic [CNT_W-1:0]       wr_cnt_o,
  output logic                   wr_last_o,
  output weft_pkg::dma_wr_hdr_t  wr_hdr_o,

  output logic                   irq_valid_o,
  input  logic                   irq_ready_i,
  output logic [10:0]            irq_vector_o,

  output logic [15:0]            cfg_req_valid_o,
  input  logic [15:0]            cfg_req_ready_i,
  output weft_pkg::cfg_req_t     cfg_req_o,
  input  logic [15:0]            cfg_rsp_valid_i,
  input  logic [15:0][32:0]      cfg_rsp_i,       ///< cfg_rsp_t of each room

  input  logic [N_FWEV-1:0]      fwev_valid_i,
  output logic [N_FWEV-1:0]      fwev_ready_o,
  input  logic [N_FWEV-1:0][511:0] fwev_i,

  output logic                   eqe_valid_o,
  input  logic                   eqe_ready_i,
  output weft_pkg::eqe_req_t     eqe_o,

  input  logic                   frx_valid_i,
  output logic                   frx_ready_o,
  input  logic [DATA_W-1:0]      frx_data_i,
  input  logic [CNT_W-1:0]       frx_cnt_i,
  input  logic                   frx_last_i,
  input  logic                   frx_err_i,
  input  logic [15:0]            frx_qpn_i,    ///< with last
  input  logic [3:0]             frx_reason_i, ///< with last

  output logic                   ftx_valid_o,
  input  logic                   ftx_ready_i,
  output logic [DATA_W-1:0]      ftx_data_o,
  output logic [CNT_W-1:0]       ftx_cnt_o,
  output logic                   ftx_last_o,

  output logic                   stat_frx_o,
  output logic                   stat_frx_drop_o,
  output logic                   stat_ftx_o,
  output logic                   stat_cfg_err_o,
  output logic                   stat_bad_write_o
);

  localparam int unsigned RAM_AW = 14;
  localparam int unsigned EV_CW = $clog2(EV_DEPTH) + 1;

  // ------------------------------------------------------------------ registers, loader
  logic        ld_start, ld_busy, ld_refused, ld_loaded, ld_run;
  logic [63:0] fw_addr;
  logic [31:0] fw_len, fw_version, entry, heartbeat;
  logic [7:0]  ld_error;
  logic        admin_db_set, admin_restart;
  logic [15:0] admin_db;
  logic [5:0]  peek_word;
  logic [31:0] peek_data;
  logic [3:0]  fw_state, p_state;
  logic [7:0]  fault_q;
  logic        cpu_trap, cpu_halted, cpu_running, cpu_wfi, wdog, p_fault;
  logic [7:0]  p_fault_code;
  logic [191:0] crash;

  weft_mgmt_regs #(
    .DATA_W(DATA_W), .FEATURES(FEATURES), .N_QP(N_QP), .N_CQ(N_CQ), .N_EQ(N_EQ), .N_STAG(N_STAG),
    .N_L2(N_L2), .N_L2Q(N_L2Q), .N_SRQ(N_SRQ), .CQ_PIECES(CQ_PIECES), .DB_PAGES(DB_PAGES), .MAX_MTU(MAX_MTU), .MAX_IRD(MAX_IRD),
    .MAX_ORD(MAX_ORD), .N_VECTORS(N_VECTORS), .WQE_LOG2(WQE_LOG2), .N_LISTEN(N_LISTEN),
    .N_SETUP(N_SETUP)
  ) u_regs (
    .clk_i, .rst_ni, .reg_req_valid_i, .reg_req_ready_o, .reg_req_we_i, .reg_req_addr_i,
    .reg_req_wdata_i, .reg_req_be_i, .reg_rsp_valid_o, .reg_rsp_rdata_o, .reg_rsp_err_o,
    .now_ns_i, .mac_i, .link_up_i, .fw_state_i(fw_state),
    .fw_error_i(fault_q != 0 ? fault_q : ld_error), .fw_version_i(ld_loaded ? fw_version : 32'd0),
    .heartbeat_i(heartbeat), .crash_i(crash), .reset_o(core_rst_req_o), .fw_addr_o(fw_addr), .fw_len_o(fw_len),
    .fw_start_o(ld_start), .admin_db_o(admin_db), .admin_db_set_o(admin_db_set),
    .admin_restart_o(admin_restart), .stat_bad_write_o, .peek_word_i(peek_word),
    .peek_data_o(peek_data)
  );

  // The first fault stays: FAULT is left by a reset only.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fault_q <= '0;
    end else if (fault_q == 0) begin
      if (cpu_trap) fault_q <= 8'd6;
      else if (wdog) fault_q <= 8'd7;
      else if (p_fault) fault_q <= p_fault_code;
      else if (cpu_halted) fault_q <= 8'd6;
    end
  end

  always_comb begin
    fw_state = 4'd0;
    if (fault_q != 0) fw_state = 4'd5;
    else if (ld_busy) fw_state = 4'd1;
    else if (ld_refused) fw_state = 4'd2;
    else if (ld_loaded) fw_state = p_state;
  end

  logic              in_valid, in_ready, in_done, in_err, in_idle, in_sink, in_after;
  logic              ld_valid, ld_sink, pi_valid, po_valid, p_after;
  logic [63:0]       in_host, ld_host, p_host;
  logic [RAM_AW-1:0] in_word, ld_word, p_word;
  logic [14:0]       in_len, ld_len, p_len;
  logic              snoop_valid;
  logic [3:0]        snoop_word;
  logic [31:0]       snoop_data;

  weft_mgmt_loader #(.RAM_AW(RAM_AW)) u_loader (
    .clk_i, .rst_ni, .start_i(ld_start), .addr_i(fw_addr), .len_i(fw_len), .busy_o(ld_busy),
    .refused_o(ld_refused), .loaded_o(ld_loaded), .error_o(ld_error), .version_o(fw_version),
    .run_o(ld_run), .entry_o(entry), .job_valid_o(ld_valid), .job_ready_i(in_ready && ld_busy),
    .job_host_o(ld_host), .job_word_o(ld_word), .job_len_o(ld_len), .job_sink_o(ld_sink),
    .done_i(in_done && ld_busy), .done_err_i(in_err), .snoop_valid_i(snoop_valid),
    .snoop_word_i(snoop_word), .snoop_data_i(snoop_data)
  );

  // ------------------------------------------------------------------ processor and RAM
  logic              if_en, ram_en, bus_req, bus_we, bus_done, bus_err, wake;
  logic [RAM_AW-1:0] if_addr, cpu_word;
  logic [31:0]       if_data, cpu_wdata, ram_rdata, bus_addr, bus_wdata, bus_rdata;
  logic [3:0]        cpu_we, bus_be;

  weft_rv32 #(.RAM_AW(RAM_AW)) u_cpu (
    .clk_i, .rst_ni, .start_i(ld_run), .entry_i(entry), .stop_i(wdog), .wake_i(wake),
    .wfi_o(cpu_wfi), .running_o(cpu_running), .trap_o(cpu_trap), .halted_o(cpu_halted),
    .if_en_o(if_en), .if_addr_o(if_addr), .if_data_i(if_data), .ram_en_o(ram_en),
    .ram_we_o(cpu_we), .ram_addr_o(cpu_word), .ram_wdata_o(cpu_wdata), .ram_rdata_i(ram_rdata),
    .bus_req_o(bus_req), .bus_we_o(bus_we), .bus_addr_o(bus_addr), .bus_wdata_o(bus_wdata),
    .bus_be_o(bus_be), .bus_done_i(bus_done), .bus_rdata_i(bus_rdata), .bus_err_i(bus_err)
  );

  // Port B: the processor first, the copy engines in the gaps it leaves.
  logic              in_req, out_req, ftx_req, in_gnt, out_gnt, ftx_gnt;
  logic [3:0]        in_be, b_we;
  logic [RAM_AW-1:0] in_ram_word, out_ram_word, ftx_ram_word, b_word;
  logic [31:0]       in_wdata, b_wdata;
  assign in_gnt = in_req && !ram_en;
  assign out_gnt = out_req && !ram_en && !in_req;
  assign ftx_gnt = ftx_req && !ram_en && !in_req && !out_req;
  always_comb begin
    b_we = '0;
    b_word = cpu_word;
    b_wdata = in_wdata;
    if (ram_en) begin
      b_we = cpu_we;
      b_wdata = cpu_wdata;
    end else if (in_req) begin
      b_we = in_be;
      b_word = in_ram_word;
    end else if (out_req) begin
      b_word = out_ram_word;
    end else begin
      b_word = ftx_ram_word;
    end
  end

  weft_mgmt_ram #(.AW(RAM_AW)) u_ram (
    .clk_i, .a_en_i(if_en), .a_addr_i(if_addr), .a_rdata_o(if_data),
    .b_en_i(ram_en || in_req || out_req || ftx_req), .b_we_i(b_we), .b_addr_i(b_word),
    .b_wdata_i(b_wdata), .b_rdata_o(ram_rdata)
  );

  // ------------------------------------------------------------------ host DMA
  assign in_valid = ld_busy ? ld_valid : pi_valid;
  assign in_host = ld_busy ? ld_host : p_host;
  assign in_word = ld_busy ? ld_word : p_word;
  assign in_len = ld_busy ? ld_len : p_len;
  assign in_sink = ld_busy && ld_sink;
  assign in_after = !ld_busy && p_after;

  weft_mgmt_in #(.DATA_W(DATA_W), .RAM_AW(RAM_AW)) u_in (
    .clk_i, .rst_ni, .job_valid_i(in_valid), .job_ready_o(in_ready), .job_host_i(in_host),
    .job_word_i(in_word), .job_len_i(in_len), .job_after_wr_i(in_after), .job_sink_i(in_sink),
    .done_o(in_done), .done_err_o(in_err), .idle_o(in_idle), .rd_req_valid_o, .rd_req_ready_i,
    .rd_req_o, .rd_rsp_valid_i, .rd_rsp_ready_o, .rd_rsp_data_i, .rd_rsp_cnt_i, .rd_rsp_last_i,
    .rd_rsp_err_i, .ram_req_o(in_req), .ram_gnt_i(in_gnt), .ram_be_o(in_be),
    .ram_word_o(in_ram_word), .ram_wdata_o(in_wdata), .snoop_valid_o(snoop_valid),
    .snoop_word_o(snoop_word), .snoop_data_o(snoop_data)
  );

  logic        out_ready, out_done, out_idle;
  logic [63:0] wr_host;
  logic [14:0] wr_len;
  weft_mgmt_out #(.DATA_W(DATA_W), .RAM_AW(RAM_AW)) u_out (
    .clk_i, .rst_ni, .job_valid_i(po_valid), .job_ready_o(out_ready), .job_host_i(p_host),
    .job_word_i(p_word), .job_len_i(p_len), .done_o(out_done), .idle_o(out_idle),
    .ram_req_o(out_req), .ram_gnt_i(out_gnt), .ram_word_o(out_ram_word), .ram_rdata_i(ram_rdata),
    .out_valid_o(wr_valid_o), .out_ready_i(wr_ready_i), .out_data_o(wr_data_o),
    .out_cnt_o(wr_cnt_o), .out_last_o(wr_last_o), .out_host_o(wr_host), .out_len_o(wr_len)
  );
  assign wr_hdr_o = {1'b0, wr_len, wr_host};

  // ------------------------------------------------------------------ frames, events
  localparam int unsigned FTX_BEATS = weft_mgmt_pkg::FTX_FIFO_BYTES * 8 / DATA_W;
  localparam int unsigned FTX_ROOM = weft_mgmt_pkg::FTX_MAX_BYTES * 8 / DATA_W;
  logic              pf_valid, pf_ready, ftx_done, ftx_idle, ftx_empty, ftx_room;
  logic              fo_valid, fo_ready, fo_last;
  logic [DATA_W-1:0] fo_data;
  logic [CNT_W-1:0]  fo_cnt;
  logic [$clog2(FTX_BEATS):0] ftx_free;
  logic              unused_ftx_meta, unused_ftx_drop, unused_ftx_over;
  logic [RAM_AW-1:0] pf_word;
  logic [14:0]       pf_len, unused_ftx_len;
  logic [63:0]       unused_ftx_host;
  weft_mgmt_out #(.DATA_W(DATA_W), .RAM_AW(RAM_AW)) u_ftx (
    .clk_i, .rst_ni, .job_valid_i(pf_valid), .job_ready_o(pf_ready), .job_host_i(64'd0),
    .job_word_i(pf_word), .job_len_i(pf_len), .done_o(ftx_done), .idle_o(ftx_idle),
    .ram_req_o(ftx_req), .ram_gnt_i(ftx_gnt), .ram_word_o(ftx_ram_word), .ram_rdata_i(ram_rdata),
    .out_valid_o(fo_valid), .out_ready_i(fo_ready), .out_data_o(fo_data), .out_cnt_o(fo_cnt),
    .out_last_o(fo_last), .out_host_o(unused_ftx_host), .out_len_o(unused_ftx_len)
  );

  // A frame leaves when it is whole, without gaps: the words come slower than the wire. Room is counted in beats: of
  // the shortest frames at most 25 fit, so packets never are what is short, and firmware never waits for the wire.
  weft_pkt_fifo #(.DATA_W(DATA_W), .DEPTH(FTX_BEATS), .MAX_PKTS(32)) u_ftx_fifo (
    .clk_i, .rst_ni, .in_valid_i(fo_valid), .in_ready_o(fo_ready), .in_data_i(fo_data),
    .in_cnt_i(fo_cnt), .in_last_i(fo_last), .in_drop_i(1'b0), .in_meta_i(1'b0),
    .out_valid_o(ftx_valid_o), .out_ready_i(ftx_ready_i), .out_data_o(ftx_data_o),
    .out_cnt_o(ftx_cnt_o), .out_last_o(ftx_last_o), .out_meta_o(unused_ftx_meta),
    .free_o(ftx_free), .empty_o(ftx_empty), .stat_drop_o(unused_ftx_drop),
    .stat_overflow_o(unused_ftx_over)
  );
  assign ftx_room = pf_ready && 32'(ftx_free) >= FTX_ROOM;
  assign stat_ftx_o = ftx_done;

  logic        f_avail, f_pop, ev_pop, ev_idle;
  logic [15:0] f_len, f_qpn;
  logic [3:0]  f_reason, ev_word;
  logic [7:0]  f_word;
  logic [31:0] f_data, ev_data;
  logic [EV_CW-1:0] ev_count;
  weft_mgmt_frx #(.DATA_W(DATA_W), .SLOTS(FRX_SLOTS)) u_frx (
    .clk_i, .rst_ni, .in_valid_i(frx_valid_i), .in_ready_o(frx_ready_o), .in_data_i(frx_data_i),
    .in_cnt_i(frx_cnt_i), .in_last_i(frx_last_i), .in_err_i(frx_err_i), .in_qpn_i(frx_qpn_i),
    .in_reason_i(frx_reason_i), .avail_o(f_avail), .len_o(f_len), .qpn_o(f_qpn),
    .reason_o(f_reason), .pop_i(f_pop), .rd_word_i(f_word), .rd_data_o(f_data),
    .stat_rx_o(stat_frx_o), .stat_drop_o(stat_frx_drop_o)
  );
  // Without an image nobody hears events, so no room waits for that.
  weft_mgmt_events #(.N(N_FWEV), .DEPTH(EV_DEPTH)) u_events (
    .clk_i, .rst_ni, .ev_valid_i(fwev_valid_i), .ev_ready_o(fwev_ready_o), .ev_i(fwev_i),
    .count_o(ev_count), .pop_i(ev_pop || fw_state == 4'd0), .rd_word_i(ev_word), .rd_data_o(ev_data), .idle_o(ev_idle)
  );

  // ------------------------------------------------------------------ configuration bus
  logic        c_start, c_we, c_busy, c_done, c_err, c_timeout;
  logic [27:0] c_addr;
  logic [31:0] c_wdata, c_rdata;
  weft_mgmt_cfg #(.TIMEOUT(CFG_TIMEOUT)) u_cfg (
    .clk_i, .rst_ni, .start_i(c_start), .we_i(c_we), .addr_i(c_addr), .wdata_i(c_wdata),
    .busy_o(c_busy), .done_o(c_done), .rdata_o(c_rdata), .err_o(c_err), .timeout_o(c_timeout),
    .cfg_req_valid_o, .cfg_req_ready_i, .cfg_req_o, .cfg_rsp_valid_i, .cfg_rsp_i
  );
  assign stat_cfg_err_o = c_done && c_err;

  // ------------------------------------------------------------------ peripherals
  weft_mgmt_periph #(.RAM_AW(RAM_AW), .EV_CW(EV_CW), .WDOG_LOG2(WDOG_LOG2)) u_periph (
    .clk_i, .rst_ni, .bus_req_i(bus_req), .bus_we_i(bus_we), .bus_addr_i(bus_addr),
    .bus_wdata_i(bus_wdata), .bus_be_i(bus_be), .bus_done_o(bus_done), .bus_rdata_o(bus_rdata),
    .bus_err_o(bus_err), .cpu_busy_i(cpu_running && !cpu_wfi),
    .host_busy_i(!in_idle || !out_idle || eqe_valid_o || irq_valid_o), .cpu_word_i(if_addr),
    .fault_i(fault_q), .crash_o(crash), .wake_o(wake), .wdog_o(wdog),
    .fw_state_o(p_state), .fw_fault_o(p_fault), .fw_fault_code_o(p_fault_code),
    .heartbeat_o(heartbeat), .admin_db_set_i(admin_db_set), .admin_db_i(admin_db),
    .admin_restart_i(admin_restart), .link_up_i, .peek_word_o(peek_word), .peek_data_i(peek_data),
    .now_ns_i, .deadline_valid_o, .deadline_ns_o, .dma_in_valid_o(pi_valid),
    .dma_in_ready_i(in_ready), .dma_out_valid_o(po_valid), .dma_out_ready_i(out_ready),
    .dma_host_o(p_host), .dma_word_o(p_word), .dma_len_o(p_len), .dma_after_wr_o(p_after),
    .dma_in_done_i(in_done && !ld_busy), .dma_in_err_i(in_err), .dma_out_done_i(out_done),
    .ftx_valid_o(pf_valid), .ftx_ready_i(ftx_room), .ftx_word_o(pf_word), .ftx_len_o(pf_len),
    .ftx_done_i(ftx_done), .frx_avail_i(f_avail), .frx_len_i(f_len), .frx_qpn_i(f_qpn),
    .frx_reason_i(f_reason), .frx_pop_o(f_pop), .frx_word_o(f_word), .frx_data_i(f_data),
    .frx_drop_i(stat_frx_drop_o), .ev_count_i(ev_count), .ev_pop_o(ev_pop), .ev_word_o(ev_word),
    .ev_data_i(ev_data), .eqe_valid_o, .eqe_ready_i, .eqe_o, .irq_valid_o, .irq_ready_i,
    .irq_vector_o, .cfg_start_o(c_start), .cfg_we_o(c_we), .cfg_addr_o(c_addr),
    .cfg_wdata_o(c_wdata), .cfg_busy_i(c_busy), .cfg_done_i(c_done), .cfg_rdata_i(c_rdata),
    .cfg_err_i(c_err), .cfg_timeout_i(c_timeout), .min_rto_us_o, .max_retries_o
  );

  logic quiet_q;  // a register access needs a cycle or two to take effect
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) quiet_q <= 1'b0;
    else quiet_q <= !reg_req_valid_i && !frx_valid_i && !core_rst_req_o;
  end
  assign idle_o = quiet_q && !reg_req_valid_i && !reg_rsp_valid_o && !core_rst_req_o && !ld_busy
                  && !ld_start && !ld_run && (!cpu_running || (cpu_wfi && !wake)) && in_idle
                  && out_idle && ftx_idle && ftx_empty && ev_idle && !c_busy && !eqe_valid_o && !irq_valid_o
                  && !frx_valid_i && !admin_db_set && !admin_restart
                  && !(deadline_valid_o && now_ns_i >= deadline_ns_o && cpu_running);

endmodule
