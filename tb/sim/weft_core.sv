// SPDX-License-Identifier: BSD-2-Clause

/// Test double of weft_core for the tests of the simulation itself: the same outer ports, none of
/// the card. Registers (identity, capabilities, a scratch page), an MSI-X table, single DMA
/// accesses on command, one timer, and frames sent back to where they came from. Never shipped.
///
/// Commands, BAR0 (dwords of the scratch page at 0xf00):
///   0xf04 vector          raise it through the table
///   0xf08 0xf0c           bus address for DMA
///   0xf10 value           write the dword to host memory, then raise vector 0
///   0xf14 any             read a dword of host memory to 0xf18, then raise vector 0
///   0xf20 nanoseconds     raise vector 1 when the time has passed; 0xf24 counts
///   0xf28 any             become busy for ever (0xf2c ends it)
///   0xf30                 reads of this one are never answered
/* verilator lint_off UNUSEDSIGNAL */  // a test double looks at little
/* verilator lint_off UNUSEDPARAM */
module weft_core #(
    parameter int unsigned DATA_W = 64,
    parameter int unsigned N_QP = 1,
    parameter int unsigned N_CQ = 1,
    parameter int unsigned N_STAG = 1,
    parameter int unsigned DB_PAGES = 16,
    parameter int unsigned N_SLOT = 1,
    parameter bit PORT = 1'b0,
    parameter int unsigned TEST_LATENCY = 0,
    parameter bit TEST_CWND = 1'b0,
    parameter logic [63:0] RD_TIMEOUT_NS = 0,
    localparam int unsigned CNT_W = $clog2(DATA_W / 8) + 1
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic [63:0]       now_ns_i,
    output logic              idle_o,
    output logic [63:0]       next_deadline_ns_o,

    input  logic              rx_req_valid_i,
    output logic              rx_req_ready_o,
    input  logic [127:0]      rx_req_hdr_i,
    input  logic [2:0]        rx_req_bar_i,
    input  logic [DATA_W-1:0] rx_req_data_i,
    input  logic              rx_req_last_i,
    input  logic              rx_cpl_valid_i,
    output logic              rx_cpl_ready_o,
    input  logic [127:0]      rx_cpl_hdr_i,
    input  logic [DATA_W-1:0] rx_cpl_data_i,
    input  logic              rx_cpl_last_i,
    output logic              tx_rd_valid_o,
    input  logic              tx_rd_ready_i,
    output logic [127:0]      tx_rd_hdr_o,
    output logic              tx_wr_valid_o,
    input  logic              tx_wr_ready_i,
    output logic [127:0]      tx_wr_hdr_o,
    output logic [DATA_W-1:0] tx_wr_data_o,
    output logic              tx_wr_last_o,
    output logic              tx_cpl_valid_o,
    input  logic              tx_cpl_ready_i,
    output logic [127:0]      tx_cpl_hdr_o,
    output logic [63:0]       tx_cpl_data_o,

    input  logic [15:0]       cfg_bdf_i,
    input  logic              cfg_bme_i,
    input  logic [2:0]        cfg_mps_i,
    input  logic [2:0]        cfg_mrrs_i,
    input  logic              cfg_rcb_i,
    input  logic              cfg_ext_tag_i,
    input  logic              cfg_msix_en_i,
    input  logic              cfg_msix_mask_i,
    input  logic              flr_req_i,
    output logic              flr_done_o,

    input  logic [47:0]       mac_addr_i,
    input  logic              link_up_i,
    input  logic              eth_rx_valid_i,
    output logic              eth_rx_ready_o,
    input  logic [DATA_W-1:0] eth_rx_data_i,
    input  logic [CNT_W-1:0]  eth_rx_cnt_i,
    input  logic              eth_rx_last_i,
    input  logic              eth_rx_err_i,
    output logic              eth_rx_pause_o,
    output logic              eth_tx_valid_o,
    input  logic              eth_tx_ready_i,
    output logic [DATA_W-1:0] eth_tx_data_o,
    output logic [CNT_W-1:0]  eth_tx_cnt_o,
    output logic              eth_tx_last_o,

    output logic              port_req_valid_o,
    input  logic              port_req_ready_i,
    output weft_pkg::cfg_req_t port_req_o,
    input  logic              port_rsp_valid_i,
    input  weft_pkg::cfg_rsp_t port_rsp_i,

    input  logic              dbg_cfg_valid_i,
    output logic              dbg_cfg_ready_o,
    input  logic              dbg_cfg_we_i,
    input  logic [27:0]       dbg_cfg_addr_i,
    input  logic [31:0]       dbg_cfg_wdata_i,
    output logic              dbg_cfg_rvalid_o,
    output logic [31:0]       dbg_cfg_rdata_o,
    output logic              dbg_cfg_err_o
);

  localparam int unsigned DW = DATA_W / 32;
  assign port_req_valid_o = 1'b0;
  assign port_req_o       = '0;

  // ------------------------------------------------------------------ requests
  logic [31:0] regs [64];
  logic [31:0] tbl [32];
  logic [31:0] last_dbg;

  wire        is_write = rx_req_hdr_i[30];
  wire        four_dw  = rx_req_hdr_i[29];
  wire [15:0] addr     = four_dw ? rx_req_hdr_i[111:96] : rx_req_hdr_i[79:64];
  wire [3:0]  first_be = rx_req_hdr_i[35:32];
  wire [3:0]  last_be  = rx_req_hdr_i[39:36];
  wire [9:0]  len_dw   = rx_req_hdr_i[9:0];

  logic [15:0] beat_dw;   // dwords of this request that earlier beats held
  logic        cpl_busy, busy_forever;
  logic [7:0]  irq_pending;
  logic        dma_wr, dma_rd, dma_rd_wait;
  logic        timer_on;
  logic [63:0] timer_at;

  wire [15:0] word0 = {2'b0, addr[15:2]} + beat_dw;

  function automatic logic [31:0] reg_value(input logic [2:0] bar, input logic [15:0] a);
    if (bar == 3'd4) reg_value = tbl[a[6:2]];
    else case (a)
      16'h000: reg_value = weft_abi_pkg::MAGIC;
      16'h004: reg_value = {16'd1, 16'd0};
      16'h094: reg_value = 32'd4096;
      16'h098: reg_value = DB_PAGES;
      16'h09c: reg_value = DATA_W;
      16'h0a8: reg_value = 32'd8;
      default: reg_value = a[15:8] == 8'h0f ? regs[a[7:2]] : 32'h0;
    endcase
  endfunction

  // Zeros below the first enabled byte give the lower address, and so on.
  function automatic logic [1:0] first_byte(input logic [3:0] be);
    first_byte = be[0] ? 2'd0 : be[1] ? 2'd1 : be[2] ? 2'd2 : be[3] ? 2'd3 : 2'd0;
  endfunction

  function automatic logic [11:0] byte_count(input logic [9:0] n, input logic [3:0] f,
                                             input logic [3:0] l);
    logic [3:0] e;
    logic [11:0] trail;
    e = n == 10'd1 ? f : l;
    trail = e[3] ? 12'd0 : e[2] ? 12'd1 : e[1] ? 12'd2 : e[0] ? 12'd3 : 12'd3;
    byte_count = {n, 2'b0} - 12'(first_byte(f)) - trail;
  endfunction

  assign rx_req_ready_o = !cpl_busy && rst_ni;
  assign tx_cpl_valid_o = cpl_busy;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_dw      <= '0;
      cpl_busy     <= 1'b0;
      busy_forever <= 1'b0;
      irq_pending  <= '0;
      dma_wr       <= 1'b0;
      dma_rd       <= 1'b0;
      dma_rd_wait  <= 1'b0;
      timer_on     <= 1'b0;
      timer_at     <= '0;
      last_dbg     <= '0;
      flr_done_o   <= 1'b0;
      dbg_cfg_rvalid_o <= 1'b0;
      for (int i = 0; i < 64; i++) regs[i] <= '0;
      for (int i = 0; i < 32; i++) tbl[i] <= (i % 4 == 3) ? 32'd1 : 32'd0;
    end else begin
      flr_done_o <= flr_req_i;
      dbg_cfg_rvalid_o <= dbg_cfg_valid_i && dbg_cfg_ready_o;
      if (dbg_cfg_valid_i && dbg_cfg_ready_o && dbg_cfg_we_i) last_dbg <= dbg_cfg_wdata_i;
      if (tx_cpl_valid_o && tx_cpl_ready_i) cpl_busy <= 1'b0;
      if (wr_done && wr_is_irq) irq_pending[wr_vec] <= 1'b0;
      if (wr_done && !wr_is_irq) begin
        dma_wr         <= 1'b0;
        irq_pending[0] <= 1'b1;
      end
      if (tx_rd_valid_o && tx_rd_ready_i) begin
        dma_rd      <= 1'b0;
        dma_rd_wait <= 1'b1;
      end
      if (rx_cpl_valid_i && rx_cpl_last_i && dma_rd_wait) begin
        dma_rd_wait    <= 1'b0;
        regs[6]        <= rx_cpl_hdr_i[47:45] == 3'd0 ? rx_cpl_data_i[31:0] : 32'hdead_0000;
        irq_pending[0] <= 1'b1;
      end
      if (timer_on && now_ns_i >= timer_at) begin
        timer_on       <= 1'b0;
        regs[9]        <= regs[9] + 32'd1;
        irq_pending[1] <= 1'b1;
      end
      if (rx_req_valid_i && rx_req_ready_o) begin
        beat_dw <= rx_req_last_i ? 16'd0 : beat_dw + 16'(DW);
        if (!is_write) begin
          cpl_busy <= !(rx_req_bar_i == 3'd0 && addr == 16'hf30);
          tx_cpl_hdr_o <= {32'h0, rx_req_hdr_i[63:48], rx_req_hdr_i[47:40], 1'b0, addr[6:2],
                           first_byte(first_be), cfg_bdf_i, 3'd0, 1'b0,
                           byte_count(len_dw, first_be, last_be), 3'b010, 5'b01010,
                           rx_req_hdr_i[23:18], 4'h0, rx_req_hdr_i[13:12], 2'h0, len_dw};
          tx_cpl_data_o <= {reg_value(rx_req_bar_i, addr + 16'd4), reg_value(rx_req_bar_i, addr)};
        end else begin
          for (int i = 0; i < DW; i++) begin
            if (beat_dw + 16'(i) < {6'h0, len_dw}) begin
              if (rx_req_bar_i == 3'd4 && !(32'(word0) + i >= 32))
                tbl[5'(word0 + 16'(i))] <= rx_req_data_i[32*i+:32];
              if (rx_req_bar_i == 3'd0 && (word0 + 16'(i)) >> 6 == 16'hf) begin
                regs[6'(word0 + 16'(i))] <= rx_req_data_i[32*i+:32];
                case (6'(word0 + 16'(i)))
                  6'd1: irq_pending[3'(rx_req_data_i[32*i+:32])] <= 1'b1;
                  6'd4: dma_wr <= 1'b1;
                  6'd5: dma_rd <= 1'b1;
                  6'd8: begin
                    timer_on <= 1'b1;
                    timer_at <= now_ns_i + 64'(rx_req_data_i[32*i+:32]);
                  end
                  6'd10: busy_forever <= 1'b1;
                  6'd11: busy_forever <= 1'b0;
                  default: ;
                endcase
              end
            end
          end
        end
      end
    end
  end

  // ------------------------------------------------------------------ posted writes out
  wire [63:0] dma_addr = {regs[3], regs[2]};
  logic [2:0] wr_vec;
  logic       wr_is_irq, wr_done, irq_ready;
  logic [31:0] wr_data;
  logic [63:0] wr_addr;

  always_comb begin
    wr_vec = 3'd0;
    irq_ready = 1'b0;
    for (int i = 7; i >= 0; i--)
      if (irq_pending[i] && !tbl[5'(4 * i + 3)][0]) begin
        wr_vec = 3'(i);
        irq_ready = cfg_msix_en_i && !cfg_msix_mask_i;
      end
    wr_is_irq = !dma_wr;
    wr_addr = wr_is_irq ? {tbl[5'(4 * wr_vec + 1)], tbl[5'(4 * wr_vec)]} : dma_addr;
    wr_data = wr_is_irq ? tbl[5'(4 * wr_vec + 2)] : regs[4];
  end

  assign tx_wr_valid_o = cfg_bme_i && (dma_wr || irq_ready);
  assign tx_wr_hdr_o = wr_addr[63:32] != 0 ?
      {wr_addr[31:2], 2'b0, wr_addr[63:32], cfg_bdf_i, 8'h0, 8'h0f, 3'b011, 5'h0, 14'h0, 10'd1} :
      {32'h0, wr_addr[31:2], 2'b0, cfg_bdf_i, 8'h0, 8'h0f, 3'b010, 5'h0, 14'h0, 10'd1};
  assign tx_wr_data_o = DATA_W'(wr_data);
  assign tx_wr_last_o = 1'b1;
  assign wr_done = tx_wr_valid_o && tx_wr_ready_i;

  // ------------------------------------------------------------------ reads out
  assign tx_rd_valid_o = cfg_bme_i && dma_rd && !dma_rd_wait;
  assign tx_rd_hdr_o = dma_addr[63:32] != 0 ?
      {dma_addr[31:2], 2'b0, dma_addr[63:32], cfg_bdf_i, 8'h0, 8'h0f, 3'b001, 5'h0, 14'h0, 10'd1} :
      {32'h0, dma_addr[31:2], 2'b0, cfg_bdf_i, 8'h0, 8'h0f, 3'b000, 5'h0, 14'h0, 10'd1};
  assign rx_cpl_ready_o = 1'b1;

  // ------------------------------------------------------------------ frames: one beat of delay
  logic              lb_valid, lb_last;
  logic [DATA_W-1:0] lb_data;
  logic [CNT_W-1:0]  lb_cnt;
  assign eth_rx_pause_o = 1'b0;
  assign eth_rx_ready_o = !lb_valid || eth_tx_ready_i;
  assign eth_tx_valid_o = lb_valid;
  assign eth_tx_data_o  = lb_data;
  assign eth_tx_cnt_o   = lb_cnt;
  assign eth_tx_last_o  = lb_last;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lb_valid <= 1'b0;
    end else if (eth_rx_ready_o) begin
      lb_valid <= eth_rx_valid_i && link_up_i;
      lb_data  <= eth_rx_data_i;
      lb_cnt   <= eth_rx_cnt_i;
      lb_last  <= eth_rx_last_i;
    end
  end

  // ------------------------------------------------------------------ the rest
  assign dbg_cfg_ready_o = 1'b1;
  assign dbg_cfg_rdata_o = last_dbg;
  assign dbg_cfg_err_o   = 1'b0;
  // Registered and blind to inputs, as in the card: what comes in shows a cycle or two later.
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) idle_o <= 1'b0;
    else idle_o <= !cpl_busy && !busy_forever && !dma_wr && !dma_rd && !dma_rd_wait && !irq_ready &&
                  !lb_valid;
  assign next_deadline_ns_o = timer_on ? timer_at : '1;

  logic unused;
  assign unused = ^{mac_addr_i, cfg_mps_i, cfg_mrrs_i, cfg_rcb_i, cfg_ext_tag_i, eth_rx_err_i,
                    dbg_cfg_addr_i};

endmodule
