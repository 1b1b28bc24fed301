// SPDX-License-Identifier: BSD-2-Clause

/// Registers of BAR0 (weft_abi regs bar0): one access at a time, answered in the next cycle. An
/// unknown offset reads 0, a write to it, a write of less than four bytes, and one to a read-only
/// register change nothing; each such write is counted (`stat_bad_write_o`).
///
/// Capabilities are parameters. `peek_*` is a second read port for the processor, combinational,
/// without side effects (offsets below 0x100; the time is read elsewhere).
module weft_mgmt_regs #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned FEATURES = 3,
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
  parameter int unsigned N_SETUP = 16
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        reg_req_valid_i,
  output logic        reg_req_ready_o,
  input  logic        reg_req_we_i,
  input  logic [15:0] reg_req_addr_i,
  input  logic [31:0] reg_req_wdata_i,
  input  logic [3:0]  reg_req_be_i,
  output logic        reg_rsp_valid_o,
  output logic [31:0] reg_rsp_rdata_o,
  output logic        reg_rsp_err_o,

  input  logic [63:0] now_ns_i,
  input  logic [47:0] mac_i,
  input  logic        link_up_i,
  input  logic [3:0]  fw_state_i,
  input  logic [7:0]  fw_error_i,
  input  logic [31:0] fw_version_i,
  input  logic [31:0] heartbeat_i,
  input  logic [191:0] crash_i,         ///< FW_CRASH_PC (low word) to FW_STACK_FREE

  output logic        reset_o,          ///< pulse: CONTROL.RESET
  output logic [63:0] fw_addr_o,
  output logic [31:0] fw_len_o,
  output logic        fw_start_o,       ///< pulse: FW_LEN was written
  output logic [15:0] admin_db_o,
  output logic        admin_db_set_o,   ///< pulse
  output logic        admin_restart_o,  ///< pulse: ADMIN_LOG2 was written
  output logic        stat_bad_write_o,

  input  logic [5:0]  peek_word_i,
  output logic [31:0] peek_data_o
);

  logic [31:0] fw_addr_lo_q, fw_addr_hi_q, fw_len_q;
  logic [31:0] sq_lo_q, sq_hi_q, cq_lo_q, cq_hi_q, now_hi_q;
  logic [7:0]  log2_q;
  logic [15:0] vector_q;

  // Two readers, one map: the host's, and the processor's.
  logic [1:0][31:0] value;
  for (genvar i = 0; i < 2; i++) begin : g_map
    logic [5:0] word;
    assign word = i == 0 ? reg_req_addr_i[7:2] : peek_word_i;
    always_comb begin
      unique case ({8'd0, word, 2'b00})
        weft_abi_pkg::REG_ID: value[i] = weft_abi_pkg::MAGIC;
        weft_abi_pkg::REG_VERSION:
          value[i] = {16'(weft_abi_pkg::ABI_MAJOR), 16'(weft_abi_pkg::ABI_MINOR)};
        weft_abi_pkg::REG_FEATURES: value[i] = FEATURES;
        weft_abi_pkg::REG_STATUS: value[i] = {16'd0, fw_error_i, 3'd0, link_up_i, fw_state_i};
        weft_abi_pkg::REG_NOW_LO: value[i] = now_ns_i[31:0];
        weft_abi_pkg::REG_NOW_HI: value[i] = now_hi_q;
        weft_abi_pkg::REG_FW_ADDR_LO: value[i] = fw_addr_lo_q;
        weft_abi_pkg::REG_FW_ADDR_HI: value[i] = fw_addr_hi_q;
        weft_abi_pkg::REG_FW_LEN: value[i] = fw_len_q;
        weft_abi_pkg::REG_FW_VERSION: value[i] = fw_version_i;
        weft_abi_pkg::REG_HEARTBEAT: value[i] = heartbeat_i;
        weft_abi_pkg::REG_ADMIN_SQ_LO: value[i] = sq_lo_q;
        weft_abi_pkg::REG_ADMIN_SQ_HI: value[i] = sq_hi_q;
        weft_abi_pkg::REG_ADMIN_CQ_LO: value[i] = cq_lo_q;
        weft_abi_pkg::REG_ADMIN_CQ_HI: value[i] = cq_hi_q;
        weft_abi_pkg::REG_ADMIN_LOG2: value[i] = {24'd0, log2_q};
        weft_abi_pkg::REG_ADMIN_VECTOR: value[i] = {16'd0, vector_q};
        weft_abi_pkg::REG_MAC_LO: value[i] = mac_i[31:0];
        weft_abi_pkg::REG_MAC_HI: value[i] = {16'd0, mac_i[47:32]};
        weft_abi_pkg::REG_CAP_QP: value[i] = N_QP;
        weft_abi_pkg::REG_CAP_CQ: value[i] = N_CQ;
        weft_abi_pkg::REG_CAP_EQ: value[i] = N_EQ;
        weft_abi_pkg::REG_CAP_STAG: value[i] = N_STAG;
        weft_abi_pkg::REG_CAP_L2: value[i] = N_L2;
        weft_abi_pkg::REG_CAP_DB_STRIDE: value[i] = weft_abi_pkg::DB_PAGE_BYTES;
        weft_abi_pkg::REG_CAP_DB_PAGES: value[i] = DB_PAGES;
        weft_abi_pkg::REG_CAP_DATA_W: value[i] = DATA_W;
        weft_abi_pkg::REG_CAP_MTU: value[i] = MAX_MTU;
        weft_abi_pkg::REG_CAP_READS: value[i] = {16'(MAX_ORD), 16'(MAX_IRD)};
        weft_abi_pkg::REG_CAP_VECTORS: value[i] = N_VECTORS;
        weft_abi_pkg::REG_CAP_L2Q: value[i] = N_L2Q;
        weft_abi_pkg::REG_CAP_WQE: value[i] = WQE_LOG2;
        weft_abi_pkg::REG_CAP_LISTEN: value[i] = N_LISTEN;
        weft_abi_pkg::REG_CAP_SRQ: value[i] = N_SRQ;
        weft_abi_pkg::REG_CAP_CONN_SETUP: value[i] = N_SETUP;
        weft_abi_pkg::REG_FW_CRASH_PC: value[i] = crash_i[31:0];
        weft_abi_pkg::REG_FW_CRASH_CAUSE: value[i] = crash_i[63:32];
        weft_abi_pkg::REG_FW_CRASH_VALUE: value[i] = crash_i[95:64];
        weft_abi_pkg::REG_FW_CRASH_SP: value[i] = crash_i[127:96];
        weft_abi_pkg::REG_FW_LAST_COMMAND: value[i] = crash_i[159:128];
        weft_abi_pkg::REG_FW_STACK_FREE: value[i] = crash_i[191:160];
        weft_abi_pkg::REG_CAP_CQ_RING: value[i] = {16'd0, 8'($clog2(CQ_PIECES)), 8'(weft_abi_pkg::CQ_LOG2_MAX)};
        default: value[i] = '0;
      endcase
    end
  end
  assign peek_data_o = value[1];

  logic take, write, known;
  assign reg_req_ready_o = 1'b1;
  assign take = reg_req_valid_i;
  assign write = take && reg_req_we_i && reg_req_be_i == 4'hf;

  always_comb begin
    unique case (reg_req_addr_i)
      weft_abi_pkg::REG_CONTROL, weft_abi_pkg::REG_FW_ADDR_LO, weft_abi_pkg::REG_FW_ADDR_HI,
      weft_abi_pkg::REG_FW_LEN, weft_abi_pkg::REG_ADMIN_SQ_LO, weft_abi_pkg::REG_ADMIN_SQ_HI,
      weft_abi_pkg::REG_ADMIN_CQ_LO, weft_abi_pkg::REG_ADMIN_CQ_HI, weft_abi_pkg::REG_ADMIN_LOG2,
      weft_abi_pkg::REG_ADMIN_DB, weft_abi_pkg::REG_ADMIN_VECTOR: known = 1'b1;
      default: known = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reg_rsp_valid_o <= 1'b0;
      reg_rsp_rdata_o <= '0;
      fw_addr_lo_q <= '0;
      fw_addr_hi_q <= '0;
      fw_len_q <= '0;
      sq_lo_q <= '0;
      sq_hi_q <= '0;
      cq_lo_q <= '0;
      cq_hi_q <= '0;
      log2_q <= '0;
      vector_q <= '1;
      now_hi_q <= '0;
      admin_db_o <= '0;
      admin_db_set_o <= 1'b0;
      admin_restart_o <= 1'b0;
      fw_start_o <= 1'b0;
      reset_o <= 1'b0;
      stat_bad_write_o <= 1'b0;
    end else begin
      reg_rsp_valid_o <= take;
      reg_rsp_rdata_o <= (reg_req_we_i || reg_req_addr_i[15:8] != 0) ? '0 : value[0];
      admin_db_set_o <= 1'b0;
      admin_restart_o <= 1'b0;
      fw_start_o <= 1'b0;
      reset_o <= 1'b0;
      stat_bad_write_o <= take && reg_req_we_i && !(known && reg_req_be_i == 4'hf);
      if (take && !reg_req_we_i && reg_req_addr_i == weft_abi_pkg::REG_NOW_LO) begin
        now_hi_q <= now_ns_i[63:32];
      end
      if (write) begin
        unique case (reg_req_addr_i)
          weft_abi_pkg::REG_CONTROL: reset_o <= reg_req_wdata_i[0];
          weft_abi_pkg::REG_FW_ADDR_LO: fw_addr_lo_q <= {reg_req_wdata_i[31:6], 6'd0};
          weft_abi_pkg::REG_FW_ADDR_HI: fw_addr_hi_q <= reg_req_wdata_i;
          weft_abi_pkg::REG_FW_LEN: begin
            fw_len_q <= reg_req_wdata_i;
            fw_start_o <= 1'b1;
          end
          weft_abi_pkg::REG_ADMIN_SQ_LO: sq_lo_q <= {reg_req_wdata_i[31:6], 6'd0};
          weft_abi_pkg::REG_ADMIN_SQ_HI: sq_hi_q <= reg_req_wdata_i;
          weft_abi_pkg::REG_ADMIN_CQ_LO: cq_lo_q <= {reg_req_wdata_i[31:6], 6'd0};
          weft_abi_pkg::REG_ADMIN_CQ_HI: cq_hi_q <= reg_req_wdata_i;
          weft_abi_pkg::REG_ADMIN_LOG2: begin
            log2_q <= reg_req_wdata_i[7:0];
            admin_db_o <= '0;
            admin_restart_o <= 1'b1;
          end
          weft_abi_pkg::REG_ADMIN_DB: begin
            admin_db_o <= reg_req_wdata_i[15:0];
            admin_db_set_o <= 1'b1;
          end
          weft_abi_pkg::REG_ADMIN_VECTOR: vector_q <= reg_req_wdata_i[15:0];
          default: ;
        endcase
      end
    end
  end

  assign reg_rsp_err_o = 1'b0;
  assign fw_addr_o = {fw_addr_hi_q, fw_addr_lo_q};
  assign fw_len_o = fw_len_q;

endmodule
