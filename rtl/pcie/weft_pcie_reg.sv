// SPDX-License-Identifier: BSD-2-Clause

/// Executes register accesses one dword at a time and makes the completions of all non-posted
/// requests. BAR0 goes to `reg_*`, BAR4 to `mx_*` (MSI-X); BAR2 reads as zero. A dword without byte
/// enables is not accessed and reads as zero, so a zero-length read is answered and touches nothing.
///
/// A read is answered in completions of at most 8 bytes, cut at 8-byte boundaries: accesses of a
/// processor to registers are not longer. Longer ones are answered too, but their completions are
/// finer than the read completion boundary asks for: a board whose root port minds joins them in
/// its shim. An error of `reg_rsp_err_i` ends the read with a UR completion; write errors are lost.
///
/// A completion leaves after all DMA writes that were accepted before its last dword was read.
module weft_pcie_reg #(
  parameter bit          REG_WR_RSP = 1'b1,  ///< writes on reg_* are answered as reads are
  localparam int unsigned EntryW    = 133
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic [15:0]       cfg_bdf_i,

  input  logic              ent_valid_i,  ///< see weft_pcie_rx_req
  output logic              ent_ready_o,
  input  logic [EntryW-1:0] ent_i,

  output logic              reg_req_valid_o,
  input  logic              reg_req_ready_i,
  output logic              reg_req_we_o,
  output logic [15:0]       reg_req_addr_o,
  output logic [31:0]       reg_req_wdata_o,
  output logic [3:0]        reg_req_be_o,
  input  logic              reg_rsp_valid_i,
  input  logic [31:0]       reg_rsp_rdata_i,
  input  logic              reg_rsp_err_i,

  output logic              mx_req_valid_o,  ///< address and data as reg_req_*; always answered
  input  logic              mx_req_ready_i,
  input  logic              mx_rsp_valid_i,
  input  logic [31:0]       mx_rsp_rdata_i,

  input  logic [7:0]        wr_acc_i,        ///< write packets accepted, modulo 256
  input  logic [7:0]        wr_left_i,       ///< write packets that have left

  output logic              tx_cpl_valid_o,
  input  logic              tx_cpl_ready_i,
  output logic [127:0]      tx_cpl_hdr_o,
  output logic [63:0]       tx_cpl_data_o,

  output logic              idle_o
);

  typedef enum logic [2:0] {StIdle, StReq, StRsp, StNext, StOrder, StSend} state_e;

  state_e      state_q;
  logic [1:0]  kind_q, bar_q;
  logic [15:2] addr_q, start_q;
  logic [10:0] left_q;
  logic [3:0]  fbe_q, lbe_q;
  logic [31:0] id_q;
  logic [63:0] data_q;
  logic [12:0] bytes_q;
  logic [1:0]  low_q;
  logic        first_q, err_q;
  logic [7:0]  snap_q;

  logic       is_write, skip, two;
  logic [3:0] be;

  assign is_write = kind_q == 2'd0;
  assign be       = first_q ? fbe_q : (left_q == 11'd1) ? lbe_q : 4'hf;
  assign skip     = be == 4'h0 || bar_q == 2'd1;

  assign ent_ready_o     = state_q == StIdle;
  assign reg_req_valid_o = state_q == StReq && !skip && bar_q == 2'd0;
  assign mx_req_valid_o  = state_q == StReq && !skip && bar_q == 2'd2;
  assign reg_req_we_o    = is_write;
  assign reg_req_addr_o  = {addr_q, 2'b00};
  assign reg_req_wdata_o = (is_write && !first_q) ? data_q[63:32] : data_q[31:0];
  assign reg_req_be_o    = be;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:  if (ent_valid_i) state_q <= ent_i[132] ? StOrder : StReq;
        StReq: begin
          if (skip) state_q <= StNext;
          else if (reg_req_valid_o && reg_req_ready_i) state_q <= (REG_WR_RSP || !is_write) ? StRsp : StNext;
          else if (mx_req_valid_o && mx_req_ready_i) state_q <= StRsp;
        end
        StRsp:   if ((bar_q == 2'd0) ? reg_rsp_valid_i : mx_rsp_valid_i) state_q <= StNext;
        StNext: begin
          if (is_write) state_q <= (left_q == 11'd1) ? StIdle : StReq;
          else state_q <= (left_q == 11'd1 || addr_q[2] || err_q) ? StOrder : StReq;
        end
        StOrder: if (wr_left_i == snap_q) state_q <= StSend;
        StSend:  if (tx_cpl_ready_i) state_q <= (kind_q[1] || err_q || left_q == '0) ? StIdle : StReq;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        {kind_q, bar_q, addr_q, left_q, fbe_q, lbe_q, id_q} <= ent_i[132:64];
        data_q  <= (ent_i[132:131] == 2'd0) ? ent_i[63:0] : '0;
        bytes_q <= ent_i[12:0];
        low_q   <= ent_i[17:16];
        start_q <= ent_i[128:115];
        first_q <= 1'b1;
        err_q   <= 1'b0;
        snap_q  <= wr_acc_i;
      end
      StRsp: begin
        if (!is_write) begin
          // dword 0 of the completion is the one at start_q
          if (addr_q == start_q) data_q[31:0] <= (bar_q == 2'd0) ? reg_rsp_rdata_i : mx_rsp_rdata_i;
          else data_q[63:32] <= (bar_q == 2'd0) ? reg_rsp_rdata_i : mx_rsp_rdata_i;
          err_q <= bar_q == 2'd0 && reg_rsp_err_i;
        end
      end
      StNext: begin
        addr_q  <= addr_q + 14'd1;
        left_q  <= left_q - 11'd1;
        first_q <= 1'b0;
        snap_q  <= wr_acc_i;
      end
      StSend: begin
        if (tx_cpl_ready_i) begin
          // Not the last: it ended at an 8-byte boundary
          bytes_q <= bytes_q - (13'd8 - {10'd0, start_q[2], low_q});
          low_q   <= 2'd0;
          start_q <= addr_q;
          data_q  <= '0;
        end
      end
      default: ;
    endcase
  end

  // ------------------------------------------------------------ completion header
  logic       good;
  logic [6:0] lower;

  // A second dword is there when the read went on past start_q
  assign two   = addr_q != start_q + 14'd1;
  assign good  = !kind_q[1] && !err_q;
  assign lower = {start_q[6:2], low_q};

  assign tx_cpl_valid_o = state_q == StSend;
  assign tx_cpl_data_o  = data_q;
  assign tx_cpl_hdr_o   = {
    32'd0,
    id_q[31:16], id_q[13:6], 1'b0, lower,
    cfg_bdf_i, good ? 3'd0 : 3'd1, 1'b0, bytes_q[11:0],
    good ? 3'b010 : 3'b000, kind_q == 2'd3 ? 5'b01011 : 5'b01010,
    id_q[15], id_q[5:3], id_q[14], id_q[2], 2'b00, 2'b00, id_q[1:0], 2'b00,
    good ? (two ? 10'd2 : 10'd1) : 10'd0
  };

  assign idle_o = state_q == StIdle;

  logic unused;
  assign unused = bytes_q[12];

endmodule
