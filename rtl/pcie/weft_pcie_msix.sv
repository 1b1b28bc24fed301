// SPDX-License-Identifier: BSD-2-Clause

/// MSI-X table and pending bits (BAR4): entry v at 16 v, as the PCI specification lays it out, the
/// pending bit array at PBA_OFFSET. Everything else reads zero.
///
/// An interrupt always sets its pending bit, so `irq_ready_o` is always high; the bit is cleared
/// when the message is made, which waits for: MSI-X enabled, function not masked, vector not
/// masked, bus master enabled. Two interrupts of a vector may become one message, never none: the
/// message leaves after both. A vector at N_VEC or above is dropped and counted.
/// While a message is on its way to the posted stream no table access is served: what software
/// reads after it masked a vector is behind the last message of that vector.
/// `clr_i` (reset of the core) drops pending interrupts. It masks all vectors only when MSI-X is
/// disabled: a function-level reset disables it first, while after a reset by register software goes
/// on with the table that it wrote.
module weft_pcie_msix #(
  parameter int unsigned N_VEC = 32,          ///< vectors, a power of two, 2 to 256
  parameter int unsigned PBA_OFFSET = 32768,  ///< byte offset of the pending bits in BAR4
  localparam int unsigned VecW = $clog2(N_VEC)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clr_i,

  input  logic        cfg_msix_en_i,
  input  logic        cfg_msix_mask_i,
  input  logic        cfg_bme_i,

  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic        req_we_i,
  input  logic [15:0] req_addr_i,
  input  logic [31:0] req_wdata_i,
  input  logic [3:0]  req_be_i,
  output logic        rsp_valid_o,
  output logic [31:0] rsp_rdata_o,

  input  logic        irq_valid_i,
  output logic        irq_ready_o,
  input  logic [10:0] irq_vector_i,

  output logic        msg_valid_o,    ///< one dword to write
  input  logic        msg_ready_i,
  output logic [63:0] msg_addr_o,
  output logic [31:0] msg_data_o,
  output logic [10:0] msg_vector_o,
  input  logic        lost_valid_i,   ///< the message was not sent after all: pending again
  input  logic [10:0] lost_vector_i,

  output logic        idle_o,
  output logic        stat_irq_o,         ///< message made
  output logic        stat_irq_bad_o      ///< interrupt of a vector that does not exist
);

  typedef enum logic [1:0] {StIdle, StAnswer, StRead, StMsg} state_e;

  state_e           state_q;
  logic [N_VEC-1:0] mask_q, pend_q, cand_q;
  logic             allow_q;
  logic             pick_valid, serve, fire;
  logic [VecW-1:0]  pick_idx, pick_idx_q, ram_addr, vec_q;
  logic [N_VEC-1:0] pick_gnt, pick_gnt_q;
  logic             picked_q, look;
  logic [95:0]      ram_q;
  logic [11:0]      ram_we;
  logic [1:0]       word_q;
  logic             in_table, in_pba, table_q, pba_q, pick_mask_q;
  logic [31:0]      pba_word, pba_word_q;

  assign irq_ready_o = 1'b1;
  assign req_ready_o = state_q == StIdle;
  assign serve       = req_valid_i && req_ready_o;
  assign look        = state_q == StIdle && !req_valid_i && picked_q;
  assign fire        = look && allow_q && (pick_gnt_q & pend_q & ~mask_q) != '0;

  assign in_table = req_addr_i < 16'(N_VEC * 16);
  assign in_pba   = req_addr_i >= 16'(PBA_OFFSET) && req_addr_i < 16'(PBA_OFFSET + (N_VEC + 31) / 32 * 4);

  // Candidates and the pick are registered, so that picking is short; a stale pick is caught by
  // `fire`. The candidates stand still until the pick was looked at: the arbiter moves on from it.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cand_q   <= '0;
      picked_q <= 1'b0;
      allow_q  <= 1'b0;
    end else begin
      if (look || (!picked_q && !pick_valid)) cand_q <= pend_q & ~mask_q;
      picked_q <= picked_q ? !look : pick_valid;
      allow_q  <= cfg_msix_en_i && !cfg_msix_mask_i && cfg_bme_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!picked_q) begin
      pick_gnt_q <= pick_gnt;
      pick_idx_q <= pick_idx;
    end
  end

  weft_arb_rr #(.N(N_VEC)) u_pick (
    .clk_i, .rst_ni, .req_i(cand_q), .advance_i(fire), .valid_o(pick_valid), .gnt_o(pick_gnt), .idx_o(pick_idx)
  );

  // ------------------------------------------------------------ table
  assign ram_addr = serve ? req_addr_i[4+:VecW] : pick_idx_q;

  always_comb begin
    ram_we = '0;
    if (serve && req_we_i && in_table) begin
      unique case (req_addr_i[3:2])
        2'd0:    ram_we[3:0]  = req_be_i;
        2'd1:    ram_we[7:4]  = req_be_i;
        2'd2:    ram_we[11:8] = req_be_i;
        default: ;
      endcase
    end
  end

  weft_ram_be #(.W(96), .DEPTH(N_VEC), .LANE_W(8)) u_table (
    .clk_i, .we_i(ram_we), .waddr_i(req_addr_i[4+:VecW]), .wdata_i({3{req_wdata_i}}),
    .re_i(serve || fire), .raddr_i(ram_addr), .rdata_o(ram_q)
  );

  always_comb begin
    pba_word = '0;
    for (int unsigned i = 0; i < N_VEC; i++) begin
      if (req_addr_i[7:2] == 6'(i / 32)) pba_word[i%32] = pend_q[i];
    end
  end

  logic irq_ok;
  assign irq_ok = irq_valid_i && 32'(irq_vector_i) < N_VEC;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mask_q <= '1;
      pend_q <= '0;
    end else begin
      if (serve && req_we_i && in_table && req_addr_i[3:2] == 2'd3 && req_be_i[0])
        mask_q[req_addr_i[4+:VecW]] <= req_wdata_i[0];
      if (fire || irq_ok || lost_valid_i) begin
        for (int unsigned i = 0; i < N_VEC; i++) begin
          if (fire && pick_gnt_q[i]) pend_q[i] <= 1'b0;
          if (irq_ok && irq_vector_i == 11'(i)) pend_q[i] <= 1'b1;
          if (lost_valid_i && lost_vector_i == 11'(i)) pend_q[i] <= 1'b1;
        end
      end
      if (clr_i) begin
        pend_q <= '0;
        if (!cfg_msix_en_i) mask_q <= '1;
      end
    end
  end

  // ------------------------------------------------------------ sequence
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= StIdle;
      stat_irq_o     <= 1'b0;
      stat_irq_bad_o <= 1'b0;
    end else begin
      stat_irq_o     <= fire;
      stat_irq_bad_o <= irq_valid_i && !irq_ok;
      unique case (state_q)
        StIdle:   if (serve) state_q <= StAnswer;
                  else if (fire) state_q <= StRead;
        StAnswer: state_q <= StIdle;
        StRead:   state_q <= StMsg;
        StMsg:    if (msg_ready_i) state_q <= StIdle;
        default:  state_q <= StIdle;
      endcase
      if (clr_i) state_q <= StIdle;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      word_q      <= req_addr_i[3:2];
      table_q     <= in_table;
      pba_q       <= in_pba;
      pba_word_q  <= pba_word;
      pick_mask_q <= mask_q[req_addr_i[4+:VecW]];
      vec_q       <= pick_idx_q;
    end
    if (state_q == StRead) begin
      msg_addr_o   <= {ram_q[63:2], 2'b00};
      msg_data_o   <= ram_q[95:64];
      msg_vector_o <= 11'(vec_q);
    end
  end

  assign msg_valid_o = state_q == StMsg;
  assign rsp_valid_o = state_q == StAnswer;

  always_comb begin
    rsp_rdata_o = '0;
    if (pba_q) rsp_rdata_o = pba_word_q;
    else if (table_q) begin
      unique case (word_q)
        2'd0:    rsp_rdata_o = {ram_q[31:2], 2'b00};
        2'd1:    rsp_rdata_o = ram_q[63:32];
        2'd2:    rsp_rdata_o = ram_q[95:64];
        default: rsp_rdata_o = {31'd0, pick_mask_q};
      endcase
    end
  end

  assign idle_o = state_q == StIdle && !(allow_q && cand_q != '0) && cand_q == (pend_q & ~mask_q);

`ifndef SYNTHESIS
  initial begin
    if (N_VEC < 2 || N_VEC > 256 || (N_VEC & (N_VEC - 1)) != 0)
      $fatal(1, "weft_pcie_msix: N_VEC must be a power of two from 2 to 256");
  end
`endif

  logic unused;
  assign unused = ^{req_addr_i[1:0], ram_q[1:0]};

endmodule
