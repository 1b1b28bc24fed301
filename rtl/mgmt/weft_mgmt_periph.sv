// SPDX-License-Identifier: BSD-2-Clause

/// Peripheral side of the processor's bus: decodes the address map of weft_mgmt_pkg, holds the
/// small registers, and hands the rest to its neighbours. A request is answered after two cycles
/// or more; a write of less than a word, and an address that does not exist, is a bus error.
module weft_mgmt_periph #(
  parameter int unsigned RAM_AW = 14,
  parameter int unsigned EV_CW = 6,
  parameter int unsigned WDOG_LOG2 = 22  ///< log2 of busy cycles without a heartbeat that are a fault
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              bus_req_i,
  input  logic              bus_we_i,
  /* verilator lint_off UNUSEDSIGNAL */  // byte lanes are in bus_be_i
  input  logic [31:0]       bus_addr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0]       bus_wdata_i,
  input  logic [3:0]        bus_be_i,
  output logic              bus_done_o,
  output logic [31:0]       bus_rdata_o,
  output logic              bus_err_o,

  input  logic              cpu_busy_i,     ///< running and not in WFI
  input  logic              host_busy_i,    ///< something that ends by PCIe is under way
  input  logic [RAM_AW-1:0] cpu_word_i,     ///< word that is fetched, for the crash record
  input  logic [7:0]        fault_i,        ///< enum fw_error once firmware has stopped
  output logic              wake_o,
  output logic              wdog_o,         ///< pulse: the watchdog expired
  output logic [3:0]        fw_state_o,
  output logic              fw_fault_o,     ///< pulse
  output logic [7:0]        fw_fault_code_o,
  output logic [31:0]       heartbeat_o,
  output logic [191:0]      crash_o,        ///< registers FW_CRASH_PC (low word) to FW_STACK_FREE

  input  logic              admin_db_set_i,
  input  logic [15:0]       admin_db_i,
  input  logic              admin_restart_i,
  input  logic              link_up_i,
  output logic [5:0]        peek_word_o,
  input  logic [31:0]       peek_data_i,

  input  logic [63:0]       now_ns_i,
  output logic              deadline_valid_o,
  output logic [63:0]       deadline_ns_o,

  output logic              dma_in_valid_o,
  input  logic              dma_in_ready_i,
  output logic              dma_out_valid_o,
  input  logic              dma_out_ready_i,
  output logic [63:0]       dma_host_o,
  output logic [RAM_AW-1:0] dma_word_o,
  output logic [14:0]       dma_len_o,
  output logic              dma_after_wr_o,
  input  logic              dma_in_done_i,
  input  logic              dma_in_err_i,
  input  logic              dma_out_done_i,

  output logic              ftx_valid_o,
  input  logic              ftx_ready_i,
  output logic [RAM_AW-1:0] ftx_word_o,
  output logic [14:0]       ftx_len_o,
  input  logic              ftx_done_i,

  input  logic              frx_avail_i,
  input  logic [15:0]       frx_len_i,
  input  logic [15:0]       frx_qpn_i,
  input  logic [3:0]        frx_reason_i,
  output logic              frx_pop_o,
  output logic [7:0]        frx_word_o,
  input  logic [31:0]       frx_data_i,
  input  logic              frx_drop_i,

  input  logic [EV_CW-1:0]  ev_count_i,
  output logic              ev_pop_o,
  output logic [3:0]        ev_word_o,
  input  logic [31:0]       ev_data_i,

  output logic              eqe_valid_o,
  input  logic              eqe_ready_i,
  output weft_pkg::eqe_req_t eqe_o,
  output logic              irq_valid_o,
  input  logic              irq_ready_i,
  output logic [10:0]       irq_vector_o,

  output logic              cfg_start_o,
  output logic              cfg_we_o,
  output logic [27:0]       cfg_addr_o,
  output logic [31:0]       cfg_wdata_o,
  input  logic              cfg_busy_i,
  input  logic              cfg_done_i,
  input  logic [31:0]       cfg_rdata_i,
  input  logic              cfg_err_i,
  input  logic              cfg_timeout_i,
  output logic [31:0]       min_rto_us_o,
  output logic [7:0]        max_retries_o
);

  // ------------------------------------------------------------------ bus
  typedef enum logic [1:0] { StIdle, StRead, StCfg, StDone } state_e;
  state_e state_q;

  logic sel_reg, sel_ev, sel_frx, sel_eqe, sel_cfg;
  assign sel_reg = bus_addr_i[31:12] == weft_mgmt_pkg::REG[31:12];
  assign sel_ev = bus_addr_i[31:12] == weft_mgmt_pkg::EV[31:12];
  assign sel_frx = bus_addr_i[31:12] == weft_mgmt_pkg::FRX[31:12];
  assign sel_eqe = bus_addr_i[31:12] == weft_mgmt_pkg::EQE[31:12];
  assign sel_cfg = bus_addr_i[31:28] == weft_mgmt_pkg::CFG[31:28];

  logic [11:0] off;
  logic [31:0] wdata;
  logic        first, write;
  assign off = {bus_addr_i[11:2], 2'b00};
  assign wdata = bus_wdata_i;
  assign first = bus_req_i && state_q == StIdle;
  assign write = first && bus_we_i && sel_reg && bus_be_i == 4'hf;

  // Reading CFG_ERR waits for the last posted write.
  logic hold;
  assign hold = cfg_busy_i && (sel_cfg || (sel_reg && off == weft_mgmt_pkg::R_CFG_ERR));
  assign cfg_start_o = first && sel_cfg && !cfg_busy_i && (!bus_we_i || bus_be_i == 4'hf);
  assign cfg_we_o = bus_we_i;
  assign cfg_addr_o = {bus_addr_i[27:2], 2'b00};
  assign cfg_wdata_o = wdata;

  logic [31:0] reg_rdata;
  logic        bad_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      bad_q <= 1'b0;
      bus_rdata_o <= '0;
    end else begin
      unique case (state_q)
        StIdle: if (bus_req_i && !hold) begin
          bad_q <= !(sel_reg || sel_ev || sel_frx || sel_eqe || sel_cfg)
                   || (bus_we_i && bus_be_i != 4'hf) || (bus_we_i && (sel_ev || sel_frx));
          bus_rdata_o <= reg_rdata;
          state_q <= (sel_ev || sel_frx) ? StRead : (sel_cfg && !bus_we_i) ? StCfg : StDone;
        end
        StRead: begin
          bus_rdata_o <= sel_ev ? ev_data_i : frx_data_i;
          state_q <= StDone;
        end
        StCfg: if (cfg_done_i) begin
          bus_rdata_o <= cfg_rdata_i;
          state_q <= StDone;
        end
        default: state_q <= StIdle;
      endcase
    end
  end
  assign bus_done_o = state_q == StDone;
  assign bus_err_o = bad_q;
  assign ev_word_o = bus_addr_i[5:2];
  assign frx_word_o = bus_addr_i[9:2];

  // ------------------------------------------------------------------ registers
  logic [5:0]  pending, wake_mask_q;
  logic        db_pend_q, restart_pend_q, link_pend_q, link_q, timer_q;
  logic [31:0] now_hi_q, dead_lo_q, dma_host_lo_q, dma_host_hi_q, crc_q;
  logic [15:0] dma_ram_q, ftx_ram_q, drops_q, cfg_err_q, cfg_timeout_q;
  logic [7:0]  rd_done_q, wr_done_q, rd_err_q, ftx_done_q;
  logic [WDOG_LOG2-1:0] wdog_q;
  logic [5:0][31:0]  crash_q;   // PC, CAUSE, VALUE, SP, NOTE, STACK_FREE
  logic              told_q;    // FW_FAULT was posted
  logic [15:0][31:0] eqe_q;
  logic [7:0]  eqn_q;

  assign pending = {timer_q, frx_avail_i, ev_count_i != 0, link_pend_q, restart_pend_q, db_pend_q};
  assign wake_o = |(pending & wake_mask_q);

  assign peek_word_o = off[7:2];
  always_comb begin
    reg_rdata = '0;
    unique case (off)
      weft_mgmt_pkg::R_FW_STATE: reg_rdata = {28'd0, fw_state_o};
      weft_mgmt_pkg::R_PENDING: reg_rdata = {26'd0, pending};
      weft_mgmt_pkg::R_WAKE_MASK: reg_rdata = {26'd0, wake_mask_q};
      weft_mgmt_pkg::R_ADMIN_DB: reg_rdata = {16'd0, admin_db_i};
      weft_mgmt_pkg::R_NOW_LO: reg_rdata = now_ns_i[31:0];
      weft_mgmt_pkg::R_NOW_HI: reg_rdata = now_hi_q;
      weft_mgmt_pkg::R_DEADLINE_LO: reg_rdata = deadline_ns_o[31:0];
      weft_mgmt_pkg::R_DEADLINE_HI: reg_rdata = deadline_ns_o[63:32];
      weft_mgmt_pkg::R_DMA_HOST_LO: reg_rdata = dma_host_lo_q;
      weft_mgmt_pkg::R_DMA_HOST_HI: reg_rdata = dma_host_hi_q;
      weft_mgmt_pkg::R_DMA_RAM: reg_rdata = {16'd0, dma_ram_q};
      weft_mgmt_pkg::R_DMA_STAT:
        reg_rdata = {14'd0, dma_out_ready_i, dma_in_ready_i, wr_done_q, rd_done_q};
      weft_mgmt_pkg::R_DMA_ERR: reg_rdata = {24'd0, rd_err_q};
      weft_mgmt_pkg::R_FTX_RAM: reg_rdata = {16'd0, ftx_ram_q};
      weft_mgmt_pkg::R_FTX_STAT: reg_rdata = {23'd0, ftx_ready_i, ftx_done_q};
      weft_mgmt_pkg::R_FRX_LEN: reg_rdata = {frx_avail_i, 15'd0, frx_len_i};
      weft_mgmt_pkg::R_FRX_META: reg_rdata = {12'd0, frx_reason_i, frx_qpn_i};
      weft_mgmt_pkg::R_FRX_DROPS: reg_rdata = {16'd0, drops_q};
      weft_mgmt_pkg::R_EV_COUNT: reg_rdata = 32'(ev_count_i);
      weft_mgmt_pkg::R_POST_BUSY: reg_rdata = {30'd0, irq_valid_o, eqe_valid_o};
      weft_mgmt_pkg::R_CFG_ERR: reg_rdata = {cfg_timeout_q, cfg_err_q};
      weft_mgmt_pkg::R_CRC_STATE: reg_rdata = crc_q;
      weft_mgmt_pkg::R_MIN_RTO: reg_rdata = min_rto_us_o;
      weft_mgmt_pkg::R_MAX_RETRIES: reg_rdata = {24'd0, max_retries_o};
      weft_mgmt_pkg::R_CRASH_PC, weft_mgmt_pkg::R_CRASH_CAUSE, weft_mgmt_pkg::R_CRASH_VALUE,
      weft_mgmt_pkg::R_CRASH_SP, weft_mgmt_pkg::R_NOTE, weft_mgmt_pkg::R_STACK_FREE:
        reg_rdata = crash_q[crash_word];
      default: if (off[11:8] == weft_mgmt_pkg::R_BAR0[11:8]) reg_rdata = peek_data_i;
    endcase
    if (!sel_reg) reg_rdata = '0;
  end

  logic [2:0] crash_word;  // R_CRASH_PC is at a multiple of 32 bytes
  assign crash_word = off[4:2];
  assign crash_o = crash_q;

  logic go;
  assign go = write && off == weft_mgmt_pkg::R_DMA_GO;
  assign dma_in_valid_o = go && !wdata[31];
  assign dma_out_valid_o = go && wdata[31];
  assign dma_after_wr_o = wdata[30];
  assign dma_host_o = {dma_host_hi_q, dma_host_lo_q};
  assign dma_word_o = dma_ram_q[RAM_AW+1:2];
  assign dma_len_o = wdata[14:0];
  assign ftx_valid_o = write && off == weft_mgmt_pkg::R_FTX_GO;
  assign ftx_word_o = ftx_ram_q[RAM_AW+1:2];
  assign ftx_len_o = wdata[14:0];
  assign frx_pop_o = write && off == weft_mgmt_pkg::R_FRX_POP;
  assign ev_pop_o = write && off == weft_mgmt_pkg::R_EV_POP;
  assign fw_fault_o = write && off == weft_mgmt_pkg::R_FW_FAULT;
  assign fw_fault_code_o = wdata[7:0];
  assign eqe_o = {eqn_q, eqe_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fw_state_o <= 4'd3;
      heartbeat_o <= '0;
      wake_mask_q <= '0;
      db_pend_q <= 1'b0;
      restart_pend_q <= 1'b0;
      link_pend_q <= 1'b0;
      link_q <= 1'b0;
      timer_q <= 1'b0;
      now_hi_q <= '0;
      dead_lo_q <= '0;
      deadline_ns_o <= '0;
      deadline_valid_o <= 1'b0;
      dma_host_lo_q <= '0;
      dma_host_hi_q <= '0;
      dma_ram_q <= '0;
      ftx_ram_q <= '0;
      drops_q <= '0;
      cfg_err_q <= '0;
      cfg_timeout_q <= '0;
      rd_done_q <= '0;
      wr_done_q <= '0;
      rd_err_q <= '0;
      ftx_done_q <= '0;
      crc_q <= '1;
      min_rto_us_o <= '0;
      max_retries_o <= '0;
      eqe_valid_o <= 1'b0;
      eqn_q <= '0;
      eqe_q <= '0;
      irq_valid_o <= 1'b0;
      irq_vector_o <= '0;
      wdog_q <= '0;
      wdog_o <= 1'b0;
      crash_q <= '0;
      told_q <= 1'b0;
    end else begin
      link_q <= link_up_i;
      timer_q <= deadline_valid_o && now_ns_i >= deadline_ns_o;
      if (admin_db_set_i) db_pend_q <= 1'b1;
      if (admin_restart_i) restart_pend_q <= 1'b1;
      if (link_q != link_up_i) link_pend_q <= 1'b1;
      if (frx_drop_i) drops_q <= drops_q + 16'd1;
      if (cfg_done_i && cfg_err_i) cfg_err_q <= cfg_err_q + 16'd1;
      if (cfg_done_i && cfg_timeout_i) cfg_timeout_q <= cfg_timeout_q + 16'd1;
      if (dma_in_done_i) begin
        rd_done_q <= rd_done_q + 8'd1;
        rd_err_q[rd_done_q[2:0]] <= dma_in_err_i;
      end
      if (dma_out_done_i) wr_done_q <= wr_done_q + 8'd1;
      if (ftx_done_i) ftx_done_q <= ftx_done_q + 8'd1;
      if (eqe_ready_i) eqe_valid_o <= 1'b0;
      if (irq_ready_i) irq_valid_o <= 1'b0;

      // Counts only while the processor works, so an idle card stands still; and not while it waits
      // for the host, whose time-out is another one's and may be longer.
      wdog_o <= 1'b0;
      if (!cpu_busy_i) begin
        wdog_q <= '0;
      end else if (!host_busy_i) begin
        wdog_q <= wdog_q + 1'b1;
        wdog_o <= &wdog_q;
      end
      if (wdog_o) crash_q[0] <= 32'({cpu_word_i, 2'b00});

      // Whoever stopped can not say so any more.
      if (fault_i != '0 && !told_q && !eqe_valid_o) begin
        told_q <= 1'b1;
        eqe_valid_o <= 1'b1;
        eqn_q <= '0;
        eqe_q <= '0;
        eqe_q[0] <= {16'd0, fault_i, weft_abi_pkg::EQE_TYPE_FW_FAULT};
      end

      if (first && !bus_we_i && sel_reg && off == weft_mgmt_pkg::R_NOW_LO) now_hi_q <= now_ns_i[63:32];
      if (first && bus_we_i && sel_eqe && bus_be_i == 4'hf) eqe_q[bus_addr_i[5:2]] <= wdata;
      if (write) begin
        unique case (off)
          weft_mgmt_pkg::R_FW_STATE: fw_state_o <= wdata[3:0];
          weft_mgmt_pkg::R_HEARTBEAT: begin
            heartbeat_o <= heartbeat_o + 32'd1;
            wdog_q <= '0;
          end
          weft_mgmt_pkg::R_PEND_CLR: begin
            if (wdata[0] && !admin_db_set_i) db_pend_q <= 1'b0;
            if (wdata[1] && !admin_restart_i) restart_pend_q <= 1'b0;
            if (wdata[2] && link_q == link_up_i) link_pend_q <= 1'b0;
          end
          weft_mgmt_pkg::R_WAKE_MASK: wake_mask_q <= wdata[5:0];
          weft_mgmt_pkg::R_DEADLINE_LO: dead_lo_q <= wdata;
          weft_mgmt_pkg::R_DEADLINE_HI: begin
            deadline_ns_o <= {wdata, dead_lo_q};
            deadline_valid_o <= 1'b1;
            timer_q <= 1'b0;
          end
          weft_mgmt_pkg::R_TIMER_OFF: begin
            deadline_valid_o <= 1'b0;
            timer_q <= 1'b0;
          end
          weft_mgmt_pkg::R_DMA_HOST_LO: dma_host_lo_q <= wdata;
          weft_mgmt_pkg::R_DMA_HOST_HI: dma_host_hi_q <= wdata;
          weft_mgmt_pkg::R_DMA_RAM: dma_ram_q <= wdata[15:0];
          weft_mgmt_pkg::R_FTX_RAM: ftx_ram_q <= wdata[15:0];
          weft_mgmt_pkg::R_EQE_GO: if (!eqe_valid_o) begin
            eqe_valid_o <= 1'b1;
            eqn_q <= wdata[7:0];
          end
          weft_mgmt_pkg::R_IRQ_GO: if (!irq_valid_o) begin
            irq_valid_o <= 1'b1;
            irq_vector_o <= wdata[10:0];
          end
          weft_mgmt_pkg::R_CRC_STATE: crc_q <= wdata;
          weft_mgmt_pkg::R_CRASH_PC, weft_mgmt_pkg::R_CRASH_CAUSE, weft_mgmt_pkg::R_CRASH_VALUE,
          weft_mgmt_pkg::R_CRASH_SP, weft_mgmt_pkg::R_NOTE, weft_mgmt_pkg::R_STACK_FREE:
            crash_q[crash_word] <= wdata;
          weft_mgmt_pkg::R_MIN_RTO: min_rto_us_o <= wdata;
          weft_mgmt_pkg::R_MAX_RETRIES: max_retries_o <= wdata[7:0];
          weft_mgmt_pkg::R_CRC_DATA: crc_q <= weft_mgmt_pkg::crc32c_word(crc_q, wdata);
          default: ;
        endcase
      end
    end
  end

endmodule
